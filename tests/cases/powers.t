> # small powers are products, but where a last bit may decide something
> let gelu (x: [N]f32) = map (\v -> 0.5 * v * (1 + tanh (0.797885 * (v + 0.044715 * pow v 3)))) x
gelu : [N]f32 -> [N]f32
> data N = 7
> lower | head -1
@1  lower                               builtin    from @0
> code | grep tanh
    out[gid0] = 0.5f * v * (1.0f + tanh(0.797885f * fma(0.044715f, v * v * v, v)));
> run | grep verify
  verify  OK   3 inputs x 2 repeats
> let steps (x: [N]f32) = map (\v -> floor (pow v 2) + pow v 4) x
steps : [N]f32 -> [N]f32
> lower | head -1
@1  lower                               builtin    from @0
> code | grep pow
        out[gid0] = fma(w, w, floor(pow(v, 2.0f)));

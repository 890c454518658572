> # one truth in all lanes is stored as bytes
> let dot_i8 (xs: [N]i8) (ys: [N]i8) = reduce (+) 0 (map (\(x, y) -> i32 x * i32 y) (zip xs ys))
dot_i8 : [N]i8 -> [N]i8 -> i32
> data N = 16
> apply reduceAnyStart at / ; apply mapVectorise(16) at /1/in/in ; apply mapWorkgroup(2) at /1/in/in/in ; lower | head -1
@1  reduceAnyStart  at /                builtin    from @0
  - reduce (+) 0 (map (λ(x, y) → i32 x * i32 y) (zip xs ys))
  + 0 + (reduce (λ((p, a), (q, b)) → (p || q, if q then if p then a + b else b else a)) (false, 0...
  type   i32                          unchanged
  focus  /  ->  /                     2 moves here
@2  mapVectorise(16)  at /1/in/in       builtin    from @1
  - map (λv → (true, v)) (map (λ(x, y) → i32 x * i32 y) (zip xs ys))
  + asScalar (map (mapVec (λv → (true, v))) (asVector 16 (map (λ(..) → i32 x * i32 y) (zip xs ys))))
  type   [N](bool, i32)               unchanged
  focus  /  ->  /                     2 moves here
@3  mapWorkgroup(2)  at /1/in/in/in     builtin    from @2
  - map (mapVec (λv → (true, v))) (asVector 16 (map (λ(x, y) → i32 x * i32 y) (zip xs ys)))
  + mapWorkgroup 2 (mapVec (λv → (true, v))) (asVector 16 (map (λ(..) → i32 x * i32 y) (zip xs ys)))
  type   [N/16](<16>bool, <16>i32)    unchanged
  focus  /  ->  /                     2 moves here
@4  lower                               builtin    from @3
> code | grep 'vstore16.*0)'
    vstore16((uchar16)(1), 0, tmp2_0);
> run | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> # private memory is a work-item's own
> let twice (xs: [N]f32) = map (\x -> 2 * x) xs
twice : [N]f32 -> [N]f32
> apply mapGlobal(0) at / ; apply toPrivate at /
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λx → 2 * x) xs
  + mapGlobal 0 (λx → 2 * x) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
@2  toPrivate  at /                     builtin    from @1
  - mapGlobal 0 (λx → 2 * x) xs
  + toPrivate ∘ mapGlobal 0 (λx → 2 * x) $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
> run
E53 toPrivate at /: many work-items make its elements, and private memory is a work-item's own
  found   / : [256]f32
  or      goto @0 ; lower

> expect 0123456789abcdef
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> info /
/ of scal@0
  kind    map    apply f to every element
  type    [N]f32
  length  N
  bytes   4*N = 1024
  space   global, the result
  slot    f      λx → alpha * x                                       (f32 -> f32)
  slot    in     xs                                                   [N]f32
  nodes   6
  trust   builtin
  hash    7a9cd53b94585050
  origin  @0 source
> apply splitJoin(4)
@1  splitJoin(4)  at /                  builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
> expect
E05 which hash?
  form    expect HASH
> expect 1234
E05 a hash is 16 hexadecimal digits, as info prints it
  form    expect HASH
> expect 0123456789abcdef
E40 scal@1 is af40107b1faf1479, not 0123456789abcdef: it drifted at splitJoin(4)
  place   /
  found   join . map (map (\x -> alpha * x)) . split 4 $ xs
  try     diff @^ @
> expect 0123456789ABCDEF
E05 a hash is 16 hexadecimal digits, as info prints it
  form    expect HASH

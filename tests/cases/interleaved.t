> # toGlobalInterleaved: memory of its own for each work-item, the same elements of neighbours side by side; what lower takes for a GPU
> let k (A: [R][M]f32) = map (\r -> let s = scan (+) 0 r in map (\i -> s[i] + s[M - 1 - i]) (iota M)) A
k : [R][M]f32 -> [R][M]f32
> data R = 10, M = 300
> apply mapGlobal(0)
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λr → let s = scan (+) 0 r in map (λi → s[i] + s[M - 1 - i]) (iota M)) A
  + mapGlobal 0 (λr → let s = scan (+) 0 r in map (λi → s[i] + s[M - 1 - i]) (iota M)) A
  type   [R][M]f32                    unchanged
  focus  /  ->  /                     11 moves here
> apply scanSeq at /f/body/value
@2  scanSeq  at /f/body/value           builtin    from @1
  - scan (+) 0 r
  + scanSeq (+) 0 r
  type   [M]f32                       unchanged
  focus  /  ->  /                     11 moves here
> apply toGlobalInterleaved at /f/body/value
@3  toGlobalInterleaved  at /f/body/value  builtin    from @2
  - scanSeq (+) 0 r
  + toGlobalInterleaved ∘ scanSeq (+) 0 $ r
  type   [M]f32                       unchanged
  focus  /  ->  /                     11 moves here
> apply mapSeq at /f/body/body
@4  mapSeq  at /f/body/body             builtin    from @3
  - map (λi → s[i] + s[M - 1 - i]) (iota M)
  + mapSeq (λi → s[i] + s[M - 1 - i]) (iota M)
  type   [M]f32                       unchanged
  focus  /  ->  /                     11 moves here
> code | grep "s.gid0"
        s[gid0 + 10*i] = acc;
        out[300*gid0 + i] = s[gid0 + 10*i] + s[10*(299 - i) + gid0];
> device oclgrind
oclgrind    Oclgrind Simulator
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # outside of kernels it is toGlobal
> apply toGlobalInterleaved at /in
E21 toGlobalInterleaved does not apply at /in
  rule    x  =>  toGlobalInterleaved x  when under mapGlobal
  needs   under mapGlobal
  found   not under mapGlobal
  near    /f/body: let s = toGlobalInterleaved . scanSeq (+) 0 $ r in mapSeq ..
  try     apply toGlobalInterleaved at /f/body
> # the state of a loop, and what its step makes
> let k (A: [R][M]f32) = mapGlobal 1 (mapGlobal 0 (\r -> reduceSeq (\(s, j) -> mapSeq (\x -> x * 0.5 + r[j]) (reorder reverse s)) (toGlobalInterleaved (mapSeq (\x -> x + 1) r)) (iota 3))) (split 5 A)
k changed; its earlier derivation is kept as k.1
k : [R][M]f32 -> [R/5][5][M]f32
> code | grep "[st_]*.300"
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat

> # a dimension is taken once on a path, and loops stay inside: conditions say so of what is around and of what is inside
> let f (A: [N][M][K]f32) = map (\b -> map (\r -> map (\x -> x + 1) r) b) A
f : [N][M][K]f32 -> [N][M][K]f32
> apply mapWorkgroup(0) at /f/body
@1  mapWorkgroup(0)  at /f/body         builtin    from @0
  - map (map (λx → x + 1)) b
  + mapWorkgroup 0 (map (λx → x + 1)) b
  type   [M][K]f32                    unchanged
  focus  /  ->  /                     12 moves here
> moves --kind lower
  1  mapWorkgroup(1)        mapWorkgroup 1 (mapWorkgroup 0 (map (λx → x + 1))) A
> why mapWorkgroup(0)
mapWorkgroup does not apply at /
  rule    map f x  =>  mapWorkgroup d f x  when not under mapGlobal and not under mapLocal and not under mapWorkgroup d and not under mapSeq and not under mapSeqUnroll and not under reduceSeq and not under reduceSeqUnroll and not under scanSeq and not contains mapGlobal f and not contains mapWorkgroup d f
  needs   not contains mapWorkgroup d f
  found   it contains mapWorkgroup 0
  when    not under mapGlobal: yes, not under mapGlobal
  when    not under mapLocal: yes, not under mapLocal
  when    not under mapWorkgroup d: yes, not under mapWorkgroup 0
  when    not under mapSeq: yes, not under mapSeq
  when    not under mapSeqUnroll: yes, not under mapSeqUnroll
  when    not under reduceSeq: yes, not under reduceSeq
  when    not under reduceSeqUnroll: yes, not under reduceSeqUnroll
  when    not under scanSeq: yes, not under scanSeq
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
> apply mapWorkgroup(0)
E21 mapWorkgroup does not apply at /
  rule    map f x  =>  mapWorkgroup d f x  when not under mapGlobal and not under mapLocal and not under mapWorkgroup d and not under mapSeq and not under mapSeqUnroll and not under reduceSeq and not under reduceSeqUnroll and not under scanSeq and not contains mapGlobal f and not contains mapWorkgroup d f
  needs   not contains mapWorkgroup d f
  found   it contains mapWorkgroup 0
  when    not under mapGlobal: yes, not under mapGlobal
  when    not under mapLocal: yes, not under mapLocal
  when    not under mapWorkgroup d: yes, not under mapWorkgroup 0
  when    not under mapSeq: yes, not under mapSeq
  when    not under mapSeqUnroll: yes, not under mapSeqUnroll
  when    not under reduceSeq: yes, not under reduceSeq
  when    not under reduceSeqUnroll: yes, not under reduceSeqUnroll
  when    not under scanSeq: yes, not under scanSeq
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
> apply mapGlobal(1)
E21 mapGlobal does not apply at /
  rule    map f x  =>  mapGlobal d f x  when not under mapGlobal d and not under mapWorkgroup and not under mapSeq and not under mapSeqUnroll and not under reduceSeq and not under reduceSeqUnroll and not under scanSeq and not contains mapGlobal d f and not contains mapWorkgroup f and not contains mapLocal f
  needs   not contains mapWorkgroup f
  found   it contains mapWorkgroup
  when    not under mapGlobal d: yes, not under mapGlobal 1
  when    not under mapWorkgroup: yes, not under mapWorkgroup
  when    not under mapSeq: yes, not under mapSeq
  when    not under mapSeqUnroll: yes, not under mapSeqUnroll
  when    not under reduceSeq: yes, not under reduceSeq
  when    not under reduceSeqUnroll: yes, not under reduceSeqUnroll
  when    not under scanSeq: yes, not under scanSeq
  when    not contains mapGlobal d f: yes, it does not contain mapGlobal 1
  when    not contains mapWorkgroup f: no, it contains mapWorkgroup
> apply mapWorkgroup(1) * mapLocal(0) at /f/body/f/body
E23 mapWorkgroup(1) * mapLocal(0) failed: mapLocal does not apply at /f/body/f/body
  place   /f/body/f/body
  after   mapWorkgroup(1) at /f/body/f/body
  rule    map f x  =>  mapLocal d f x  when ...        help mapLocal
  needs   map f x
  found   mapWorkgroup 1 (\x -> x + 1) r
  near    /: map (mapWorkgroup 0 (mapWorkgroup 1 (\x -> x + 1))) A, but it needs under mapWorkgroup (not under mapWorkgroup)
> goto @0
@0  source
    map (map (map (λx → x + 1))) A
> apply mapGlobal(1) at /f/body
@2  mapGlobal(1)  at /f/body            builtin    from @0
  - map (map (λx → x + 1)) b
  + mapGlobal 1 (map (λx → x + 1)) b
  type   [M][K]f32                    unchanged
  focus  /  ->  /                     12 moves here
> moves --kind lower
  1  mapGlobal(0)           mapGlobal 0 (mapGlobal 1 (map (λx → x + 1))) A
> apply mapGlobal(1)
E21 mapGlobal does not apply at /
  rule    map f x  =>  mapGlobal d f x  when not under mapGlobal d and not under mapWorkgroup and not under mapSeq and not under mapSeqUnroll and not under reduceSeq and not under reduceSeqUnroll and not under scanSeq and not contains mapGlobal d f and not contains mapWorkgroup f and not contains mapLocal f
  needs   not contains mapGlobal d f
  found   it contains mapGlobal 1
  when    not under mapGlobal d: yes, not under mapGlobal 1
  when    not under mapWorkgroup: yes, not under mapWorkgroup
  when    not under mapSeq: yes, not under mapSeq
  when    not under mapSeqUnroll: yes, not under mapSeqUnroll
  when    not under reduceSeq: yes, not under reduceSeq
  when    not under reduceSeqUnroll: yes, not under reduceSeqUnroll
  when    not under scanSeq: yes, not under scanSeq
  when    not contains mapGlobal d f: no, it contains mapGlobal 1
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
> apply mapGlobal(0)
@3  mapGlobal(0)  at /                  builtin    from @2
  - map (mapGlobal 1 (map (λx → x + 1))) A
  + mapGlobal 0 (mapGlobal 1 (map (λx → x + 1))) A
  type   [N][M][K]f32                 unchanged
  focus  /  ->  /                     4 moves here
> goto @0
@0  source
    map (map (map (λx → x + 1))) A
> apply mapWorkgroup(0)
@4  mapWorkgroup(0)  at /               builtin    from @0
  - map (map (map (λx → x + 1))) A
  + mapWorkgroup 0 (map (map (λx → x + 1))) A
  type   [N][M][K]f32                 unchanged
  focus  /  ->  /                     4 moves here
> apply mapLocal(1) at /f/body/f/body
@5  mapLocal(1)  at /f/body/f/body      builtin    from @4
  - map (λx → x + 1) r
  + mapLocal 1 (λx → x + 1) r
  type   [K]f32                       unchanged
  focus  /  ->  /                     4 moves here
> apply mapLocal(1) at /f/body
E21 mapLocal does not apply at /f/body
  rule    map f x  =>  mapLocal d f x  when under mapWorkgroup and not under mapLocal d and not contains mapGlobal f and not contains mapWorkgroup f and not contains mapLocal d f
  needs   not contains mapLocal d f
  found   it contains mapLocal 1
  when    under mapWorkgroup: yes, under mapWorkgroup
  when    not under mapLocal d: yes, not under mapLocal 1
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  when    not contains mapLocal d f: no, it contains mapLocal 1
  try     moves /f/body
> apply mapLocal(0) at /f/body
@6  mapLocal(0)  at /f/body             builtin    from @5
  - map (mapLocal 1 (λx → x + 1)) b
  + mapLocal 0 (mapLocal 1 (λx → x + 1)) b
  type   [M][K]f32                    unchanged
  focus  /  ->  /                     4 moves here
> goto @0
@0  source
    map (map (map (λx → x + 1))) A
> data K = 4
> apply mapSeqUnroll * slot("f", mapGlobal(0))
E23 mapSeqUnroll * slot('f', mapGlobal(0)) failed: mapSeqUnroll does not apply at /
  place   /
  rule    map f x  =>  mapSeqUnroll f x  when constant (length x) and not contains mapGlobal f and not contains mapWorkgroup f
  needs   constant (length x)
  found   it is N, no number
  when    constant (length x): no, it is N, no number
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  try     apply splitJoin at / ; apply mapSeqUnroll at /in/f/body
> # nor is a parallel map inside a fold, whichever of them comes first
> let g (A: [N][M]f32) = reduce (\(acc, r) -> map (+) (zip acc r)) (generate M (\i -> 0)) A
g : [N][M]f32 -> [M]f32
> apply mapGlobal(0) at /f/body
@1  mapGlobal(0)  at /f/body            builtin    from @0
  - map (+) (zip acc r)
  + mapGlobal 0 (+) (zip acc r)
  type   [M]f32                       unchanged
  focus  /  ->  /                     4 moves here
> apply reduceSeq
E21 reduceSeq does not apply at /
  rule    reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   not contains mapGlobal f
  found   it contains mapGlobal
  when    not contains mapGlobal f: no, it contains mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  try     moves /

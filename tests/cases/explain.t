> explain @0
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> explain
@0 is one version: nothing to explain
> set verbose 0
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
> apply mapSeq at /in
@2  mapSeq  at /in                      builtin    from @1
> goto @1
@1  splitJoin{n=s0}
> param s0 = 8
@3  param s0 = 8        from @1
> apply topdown(mapSeq) * toGlobal
@4  topdown(mapSeq) * toGlobal  at /    builtin    from @3
> explain
@0 => @1  splitJoin{n=s0}  at /
      map (λx → alpha * x) xs
    = join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
@1 =  @3  param s0 = 8
@3 => @4  topdown(mapSeq) * toGlobal  at /
      join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
    = toGlobal ∘ join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> explain @4 --expand
@0 => @1  splitJoin{n=s0}  at /
      map (λx → alpha * x) xs
    = join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
@1 =  @3  param s0 = 8
@3 => @4.1  mapSeq  at /in
      map (map (λx → alpha * x)) ∘ split s0 $ xs
    = mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
@4.1 => @4  toGlobal  at /
      join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
    = toGlobal ∘ join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> explain @2
@0 => @1  splitJoin{n=s0}  at /
      map (λx → alpha * x) xs
    = join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
@1 => @2  mapSeq  at /in
      map (map (λx → alpha * x)) ∘ split s0 $ xs
    = mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> # from one branch to another: up against the arrow, then down
> explain @2 @4
@2 <= @1  mapSeq  at /in
      mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
    = map (map (λx → alpha * x)) ∘ split s0 $ xs
@1 =  @3  param s0 = 8
@3 => @4  topdown(mapSeq) * toGlobal  at /
      join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
    = toGlobal ∘ join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> explain @4.1 @2
@4.1 <= @3  mapSeq  at /in
      mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
    = map (map (λx → alpha * x)) ∘ split s0 $ xs
@3 =  @1  param s0 = 8
@1 => @2  mapSeq  at /in
      map (map (λx → alpha * x)) ∘ split s0 $ xs
    = mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> explain @1 @1
@1 is one version: nothing to explain
> goto @0; apply splitJoin(8)
@0  source
@5  splitJoin(8)  at /                  builtin    from @0
> explain @3 @5
@3 =  @1  param s0 = 8
@1 <= @0  splitJoin{n=s0}  at /
      join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
    = map (λx → alpha * x) xs
@0 => @5  splitJoin(8)  at /
      map (λx → alpha * x) xs
    = join ∘ map (map (λx → alpha * x)) ∘ split 8 $ xs
> undo; apply splitJoin(8)
@0  source
@6  splitJoin(8)  at /                  builtin    from @0
> explain @5 @6
@5 and @6 are the same term; the way between them:
@5 <= @0  splitJoin(8)  at /
      join ∘ map (map (λx → alpha * x)) ∘ split 8 $ xs
    = map (λx → alpha * x) xs
@0 => @6  splitJoin(8)  at /
      map (λx → alpha * x) xs
    = join ∘ map (map (λx → alpha * x)) ∘ split 8 $ xs
> explain @9
E13 scal has no version @9; the newest is @6
  try     log
> explain @1 @2 @3
E05 "@3" is one argument too many for explain
  form    explain [@A] @B [--expand]
> set unicode off
> # long ones share names
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
> apply mapInterchange at /in/f/body
@2  mapInterchange  at /in/f/body       builtin    from @1
> apply reduceFission at /in/f/body/in/f/body
@3  reduceFission  at /in/f/body/in/f/body  builtin    from @2
> apply mapReduceInterchange at /in/f/body/in/f/body
@4  mapReduceInterchange  at /in/f/body/in/f/body  builtin    from @3
> explain @4
@0 => @1  splitJoin{n=s0}  at /
      map (\row -> <1>) A
    = join . map (map (\row -> <1>)) . split s0 $ A
      where <1> = map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose $ B
@1 => @2  mapInterchange  at /in/f/body
      map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose $ B) rows
    = transpose .
        map (\col -> map (\row -> reduce (+) 0 (map (*) (zip row col))) rows) .
        transpose $ B
@2 => @3  reduceFission  at /in/f/body/in/f/body
      map (\row -> reduce (+) 0 (map (*) (zip row col))) rows
    = map (reduce (+) 0) . map (\row -> map (*) (zip row col)) $ rows
@3 => @4  mapReduceInterchange  at /in/f/body/in/f/body
      map (reduce (+) 0) <1>
    = reduce (\(acc, r) -> map (+) (zip acc r)) (generate s0 (\i -> 0)) . transpose $ <1>
      where <1> = map (\row -> map (*) (zip row col)) rows

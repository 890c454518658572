> # groups in what is computed where it is read are groups of the kernel that reads it
> let segscan (starts: [N]bool) (xs: [N]f32) = scanSegments (+) 0 starts xs
segscan : [N]bool -> [N]f32 -> [N]f32
> data N = 8
> apply splitJoin(8) at /in/in | head -1
@1  splitJoin(8)  at /in/in             builtin    from @0
> apply elementForm at /in/in/in | head -1
@2  elementForm  at /in/in/in           builtin    from @1
> apply copyGroups(1) at /in/in/in/f/body/f/body/value/in | head -1
@3  copyGroups(1)  at /in/in/in/f/body/f/body/value/in  builtin    from @2
> lower
@4  lower                               builtin    from @3
  - map (..) (scan (..) (..) (join (generate (N/8) (λi → generate 8 (λj → let t = at (i * 8 + j) ...
  + let t = mapWorkgroup 1 id starts in mapSeq (..) (toGlobal (scanSeq (..) (..) (generate N (λr ...
  type   [N]f32                       unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     8 moves here
> # an element that is made by its number is one work-item's: groups in it would each write a part
> let sums (x: [N][M]f32) = generate N (\i -> reduce (+) 0 (map (\v -> v * v) x[i]))
sums : [N][M]f32 -> [N]f32
> apply reduceSeq at /f/body
@1  reduceSeq  at /f/body               builtin    from @0
  - reduce (+) 0 (map (λv → v * v) x[i])
  + reduceSeq (+) 0 (map (λv → v * v) x[i])
  type   f32                          unchanged
  focus  /  ->  /                     10 moves here
> apply mapWorkgroup(0) at /f/body/in
@2  mapWorkgroup(0)  at /f/body/in      builtin    from @1
  - map (λv → v * v) x[i]
  + mapWorkgroup 0 (λv → v * v) x[i]
  type   [M]f32                       unchanged
  focus  /  ->  /                     10 moves here
> apply toGlobal at /f/body/in
@3  toGlobal  at /f/body/in             builtin    from @2
  - mapWorkgroup 0 (λv → v * v) x[i]
  + toGlobal (mapWorkgroup 0 (λv → v * v) x[i])
  type   [M]f32                       unchanged
  focus  /  ->  /                     10 moves here
> data N = 4
> data M = 8
> run
E53 mapWorkgroup at /f/body/in/in: an element of generate is made by the work-item that reads it, so no others share it
  found   /f/body/in/in : [8]f32
  or      goto @1 ; lower

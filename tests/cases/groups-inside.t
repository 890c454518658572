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

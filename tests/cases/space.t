> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64; data K = 32; data M = 64
> apply tile
@1  tile  at /                          builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (λrows → transpose ∘ join ∘ map (λcols → transpose ∘ map (λrow → map (..) cols) $ ...
  type   [N][M]f32                    unchanged
  param  s1 : int    1 <= s1 <= M, s1 divides M        7 legal values for M = 64
  param  s0 : int    1 <= s0 <= N, s0 divides N        7 legal values for N = 64
  inner  4 steps        log --expand
  focus  /  ->  /                     4 moves here
> lua s = t.version():space(); print(s, s.count, #s, table.concat(s.names, " "))
49 points of 2 parameters	49	49	s0 s1
> lua for _, r in ipairs(s:funnel()) do print(r.reason, r.before, r.count, r.after, r.text) end
divides	49	0	49	s1 divides 64, s0 divides 64
> lua p = s:at(12); print(p.s0, p.s1, s:index(p))
2	16	12
> lua print(table.concat(s:values("s0"), " "))
1 2 4 8 16 32 64
> lua for _, q in ipairs(s:near(p)) do print(q.s0, q.s1, s:index(q)) end
1	16	5
4	16	19
2	8	11
2	32	13
> lua r = s:violated{s0 = 3}; print(r.reason, r.text)
divides	s0 divides 64
> = s:violated(p)
nil
> = s:index{s0 = 3, s1 = 4}
nil
> lua u = t.version():space{values = {s0 = {4, 8, 12}}, where = {{"s0", "s1", function(a, b) return a < b end, "wide"}}}; print(u)
7 points of 2 parameters
> lua for _, r in ipairs(u:funnel()) do print(r.reason, r.before, r.count, r.after, r.text) end
divides	21	7	14	s1 divides 64, s0 divides 64
wide	14	7	7	wide of s0, s1
> lua t.version():space{where = {{"s0", function(a) return a.x end, "bad"}}}
E24 lua:1: attempt to index a number value (local 'a')
> lua t.version():space{where = {{"s9", function(a) return true end}}}
E24 lua:1: the space has no parameter 's9'; it has: s0 s1
> lua t.version():space{where = {{"s0"}}}
E24 lua:1: where[1] is not {"s0", ..., function(s0, ...) ... end, "reason"}
> lua t.version():space{values = {s0 = {0}}}
E24 lua:1: values.s0[1] is not a whole number >= 1
> lua t.version():space{limits = {locals = 3}}
E24 lua:1: there is no limit 'locals'; there are: max_group max_local0 max_local1 max_local2 local_bytes private_bytes unrolled min_group min_groups max_groups min_items
> lua s:at(0)
E24 lua:1: the space has points 1 .. 49, not 0
> lua s:values("q")
E24 lua:1: the space has no parameter 'q'; it has: s0 s1
> lua s:index{s0 = 1}
E24 lua:1: s1 has no value
> param s0 = 16
@2  param s0 = 16        from @1
> = t.version():space()
7 points of 1 parameter
> = t.version():space{bound = true}
49 points of 2 parameters
> lower
@3  lower                               builtin    from @2
  - map (λrows → transpose ∘ join ∘ map (λcols → transpose ∘ map (λrow → map (λcol → reduce (+) 0...
  + mapGlobal 2 (λrows → transpose ∘ join ∘ mapGlobal 1 (λcols → transpose ∘ mapGlobal 0 (λrow → ...
  type   [N/s0][s0][M]f32             unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     4 moves here
> lua s = t.version():space{limits = {min_items = 8192}}; for _, r in ipairs(s:funnel()) do print(r.reason, r.after, r.text) end
divides	7	s1 divides 64
too few items	0	8192 <= 4096/s1 work-items
> lua s = t.version():space{bound = true, limits = {min_items = 4096}}; for _, r in ipairs(s:funnel()) do print(r.reason, r.after, r.text) end
divides	49	s1 divides 64, s0 divides 64
too few items	7	4096 <= 4096/s1 work-items
> lua s:index()
E24 lua:1: bad argument #1 to 'index' (table expected, got no value)
> # what a device takes in one dimension of a group
> let cube (x: [A][B][C]f32) = map (map (map (\v -> v + 1))) x
cube : [A][B][C]f32 -> [A][B][C]f32
> data A = 8; data B = 64; data C = 4
> set verbose 0
> apply splitJoin at /f/body
@1  splitJoin{n=s0}  at /f/body         builtin    from @0
> apply mapWorkgroup(0); apply mapLocal(2) at /f/body/in; apply mapLocal(1) at /f/body/in/f/body; apply mapLocal(0) at /f/body/in/f/body/f/body
@2  mapWorkgroup(0)  at /               builtin    from @1
@3  mapLocal(2)  at /f/body/in          builtin    from @2
@4  mapLocal(1)  at /f/body/in/f/body   builtin    from @3
@5  mapLocal(0)  at /f/body/in/f/body/f/body  builtin    from @4
> lua s = t.version():space{limits = {max_local2 = 16}}; for _, r in ipairs(s:funnel()) do print(r.reason, r.after, r.text) end
divides	7	s0 divides 64
group size	5	64/s0 <= 16 work-items of a group in dimension 2
> lua r = s:violated{s0 = 2}; print(r.reason, r.text)
group size	64/s0 <= 16 work-items of a group in dimension 2
> lua print(table.concat(s:values("s0"), " "))
4 8 16 32 64
> # constraints of one's own, for searches
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 4096
> set trials 1
> set times off
> lua t.apply(splitJoin * topdown(mapGlobal(1)) * topdown(splitJoin) * topdown(mapGlobal(0)) * topdown(mapSeq))
@1  splitJoin * topdown(mapGlobal(1)) * topdown(splitJoin) * topdown(mapGlobal(0)) * topdown(mapSeq)  at /
> lua table.insert(search.constraints, {"s0", "s1", function(s0, s1) return s0 < 64 or s1 >= 16 end, "short runs"})
> search params
space of scal@1   63 points
  s0       13 values   1, 2, 4, 8, 16, 32, 64, 128, 256, 512, ... 4096
  s1       13 values   1, 2, 4, 8, 16, 32, 64, 128, 256, 512, ... 4096
  rejected       78   divides: s1 divides s0, s0 divides 4096
  rejected       28   short runs: short runs of s0, s1
> search params using random --budget 2
search params using random on pocl0   63 points
      1  @2     s0=512 s1=64                  ok
      2  @3     s0=2048 s1=32                 ok
  2 of 63 tried: 2 ok
  the budget of evaluations is spent
> param s0 = 512
@4  param s0 = 512        from @1
> search params
space of scal@4   6 points
  s1        6 values   16, 32, 64, 128, 256, 512
  rejected        4   short runs: short runs of s0, s1
> undo
@1  splitJoin * topdown(mapGlobal(1)) * topdown(splitJoin) * topdown(mapGlobal(0)) * topdown(mapSeq)
> lua table.insert(search.constraints, {"s9", function() return false end})
> lua table.insert(search.constraints, {"s1", function(s1) return s1 > 4096 end, "never"})
> search params using random --budget 2
E05 no point of the space is legal: nothing can be tried
  try     search params        says what rejects them
> lua search.constraints[3] = {"s0", 7}
> search params
E24 search.constraints[3] is not "s0 < 64 or s1 == 1" or {"s0", ..., function(s0, ...) ... end, "reason"}

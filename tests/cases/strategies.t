> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> # strategies are values: they print as they would be typed
> lua twice = function(a) return a * a end
> =mapFusion, topdown(mapFusion), mapSeq * splitJoin(4) + mapFusion, (mapSeq + mapFusion) * splitJoin{n = 4}
mapFusion	topdown(mapFusion)	mapSeq * splitJoin(4) + mapFusion	(mapSeq + mapFusion) * splitJoin(4)
> =mapSeq^0, mapSeq^-1, mapSeq^2, -mapSeq, #mapSeq, where("map _ _", mapSeq), nth(2, mapSeq), at("in", id)
rep(mapSeq)	try(mapSeq)	repeatNTimes(2, mapSeq) * rep(mapSeq)	fails(mapSeq)	holds(mapSeq)	where('map _ _', mapSeq)	nth(2, mapSeq)	at('in', id)
> =outermost("reduce _ _ _", reduceSeq), innermost(mapSeq), some(mapSeq), one(mapSeq), all(try(mapSeq)), twice(mapSeq)
outermost('reduce _ _ _', reduceSeq)	innermost(mapSeq)	some(mapSeq)	one(mapSeq)	all(try(mapSeq))	mapSeq * mapSeq
> apply some(topdown(reduceSeq))
@1  some(topdown(reduceSeq))  at /f/body/f/body  builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
  focus  /  ->  /                     15 moves here
> try nth(2, mapSeq)
try  nth(2, mapSeq)  at /f/body         builtin    from @1
  - map (λcol → reduceSeq (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + mapSeq (λcol → reduceSeq (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  type   [M]f32                       unchanged
> undo
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> # a function of a place is a strategy: it gives a place, or nil and what it needs
> lua function firstReduce(c)
>   if c.term.prim ~= "reduce" then return nil, "a reduction" end
>   return reduceSeq(c)
> end
>
> apply firstReduce
E23 firstReduce fails at /
  needs   a reduction
  found   map (\row -> map (\col -> ..) . transpose $ B) A
> try topdown(firstReduce)
try  topdown(firstReduce)  at /f/body/f/body  builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
> try function(c) return 7 end
E24 a strategy must return a cursor, not number
> # macros made in Lua
> lua register("tileBy", {params = "m, n", doc = "tiles of m by n, then what fuses"}, function(m, n)
>   return tile(m, n) * try(fuse)
> end)
>
> lua register("seqReduce", {doc = "the first reduction in sequence"}, topdown(firstReduce))
> list macros tileBy
  tileBy(m, n)                tiles of m by n, then what fuses
> help seqReduce
seqReduce
  the first reduction in sequence
> try tileBy(4, 8)
try  tileBy(4, 8)  at /                 builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (λrows → transpose ∘ join ∘ map (λcols → transpose ∘ map (λrow → map (..) cols) $ ...
  type   [N][M]f32                    unchanged
  inner  4 steps
> try seqReduce
try  seqReduce  at /f/body/f/body       builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
> log
* @0  source
  @1  some(topdown(reduceSeq))  at /f/body/f/body
> lua register("tile", {}, mapSeq)
E05 tile is a macro already
> lua register("x y", {}, mapSeq)
E05 a macro's name is a word
> lua register("some2", {params = "(n)"}, mapSeq)
E05 some2 has params: it needs a function that gives a strategy
> lua register("some2", mapSeq)
E05 register needs a name, a table with params and doc, and a strategy
> # how a run went
> try --trace topdown(mapFusion)
  ✗ topdown(mapFusion)  at /
    ✗ mapFusion  at /   needs map g x at /in; found A
    ✗ mapFusion  at /f/body   needs map g x at /f/body/in; found transpose B
    … mapFusion failed at 14 more places
    ✗ mapFusion  at /in   needs map f (map g x); found A
  17 rule applications tried, 0 rewrites kept
> try --trace --depth 1 topdown(reduceSeq) * topdown(mapSeq)
try  topdown(reduceSeq) * topdown(mapSeq)  at /  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapSeq (λrow → map (λcol → reduceSeq (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  type   [N][M]f32                    unchanged
  inner  2 steps
  ✓ topdown(reduceSeq) * topdown(mapSeq)  at /   2 rewrites
    ✓ topdown(reduceSeq)  at /   1 rewrite   … 3 steps inside
    ✓ topdown(mapSeq)  at /   1 rewrite   … 1 step inside
  4 rule applications tried, 2 rewrites kept
> try --trace --depth=9 (reduceSeq + mapFusion) * id at /f/body/f/body
try  (reduceSeq + mapFusion) * id  at /f/body/f/body  builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
  ✓ (reduceSeq + mapFusion) * id  at /f/body/f/body   1 rewrite
    ✓ reduceSeq + mapFusion  at /f/body/f/body   1 rewrite
      ✓ reduceSeq  at /f/body/f/body
    ✓ id  at /f/body/f/body
  1 rule application tried, 1 rewrite kept
> apply --trace rep(topdown(mapSeq), 2)
@2  rep(topdown(mapSeq), 2)  at /       builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapSeq (λrow → mapSeq (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
  ✓ rep(topdown(mapSeq), 2)  at /   2 rewrites
    ✓ topdown(mapSeq)  at /   1 rewrite
      ✓ mapSeq  at /
    ✓ topdown(mapSeq)  at /   1 rewrite
      ✗ mapSeq  at /   needs map f x; found mapSeq (\row -> map (\col -> reduce (+) 0 ..) . transpose $ B) A
      ✓ mapSeq  at /f/body
  3 rule applications tried, 2 rewrites kept
> try --depth x mapSeq
E05 --depth must be a whole number from 0 to 1000, not "x"
> try --nosuch mapSeq
E05 try has no flag "--nosuch"
  form    try [--trace [--depth N]] STRATEGY [at PLACE]
> lua trace, w = t.version():trace("topdown(mapFusion)", {at = "/"})
> =trace.ok, trace.attempts, #trace.children, trace.children[1].place, trace.children[1].reason
false	17	17	/	needs map f (map g x); found mapSeq (\row -> mapSeq (\col -> reduce (+) 0 ..) . transpose $ B) A
> # fuel
> set fuel
  fuel            1000000               rule applications that a strategy may try; with it go 200 Lua instructions each, and a rewrite for 100
  from 1000 to 1000000000, initially 1000000
> set fuel 1000
> try (function() while true do end end)()
E25 the strategy ran out of fuel: too many Lua instructions; is there an endless loop?
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 10000
> try function(c) while true do c = mapSeq(c) or c end end
E25 the strategy ran out of fuel: too many rule applications were tried
  last    mapSeq at /
  spent   1000 rule applications tried, 0 rewrites done
  try     set fuel 10000
> rule unSeq: mapSeq f x => map f x
rule unSeq
  mapSeq f x  =>  map f x
  user; assumed
> try rep(splitJoin(1) * topdown(joinMap) + topdown(splitJoin(1)))
E25 the strategy ran out of fuel: too many rewrites; does a repetition undo its own work?
  last    splitJoin at /f/body/f/body/in/in/in/in/in/in/in/in/in/in/in/in/in/in/in/..
  spent   153 rule applications tried, 50 rewrites done
  try     set fuel 10000
> try rep(mapSeq + unSeq)
E25 rep(mapSeq + unSeq) goes round in circles: after 2 rounds the term is one it had before
  place   /
  hint    rep(mapSeq + unSeq, MAX) ends after MAX rounds
> lua for i = 1, 3000000 do x = i end print(x)
3000000
> lua local ok, why = t.try("function(c) while true do c = mapSeq(c) or c end end") print(ok, why.id, why.last)
nil	E25	mapSeq at /
> set lua_memory 16
> lua local s = {} for i = 1, 1e9 do s[i] = i end
E25 Lua ran out of memory: 16 MiB are its limit
  try     set lua_memory 64
> =1
1

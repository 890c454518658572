> lua
E05 lua needs a chunk; `help lua`
> =1 + 1, "text", nil, {1, {a = true}}
2	text	nil	{1, {a = true}}
> lua x = 5 print("x is", x)
x is	5
> =x * 2
10
> lua for i = 1, 2 do
>   print(i)
> end
1
2
>
> lua for i = 1, 2 do
>
E24 lua:1: 'end' expected near <eof>
> =t.version()
E10 no program is loaded
> lua assert(t.version())
E10 no program is loaded
  in      lua:1
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> =t.version(), t.version().type, t.version().hash, t.version().program, t.version().parent
@0  source	[N][M]f32	24fb0479645f3f95	mm	nil
> =t.apply("splitJoin(4)", {as = "tiled"})
@1  splitJoin(4)  at /
> =t.version("tiled").steps[1].place, t.version(1).params, t.version().facts
/	{}	{"4 divides N"}
> =t.apply(splitJoin, {at = "/in"}).params
{s0 = false}
> =t.apply("mapFusion")
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   join . join . map (map (map (\row -> ..))) . split s0 . split 4 $ A
  near    /in/in: map (map (map (\row -> ..))) . split s0 . split 4 $ A, but it needs map g x at /in/in/in
  try     moves /
> lua local v, why = t.apply(topdown(reduceMapFusion)) print(v, why.id, why.rule, why.place) print(why.needs) print(why.found)
nil	E23	reduceMapFusion	/
reduceSeq f z (map g x)
join . join . map (map (map (\row -> ..))) . split s0 . split 4 $ A
> lua assert(t.apply("mapFusion", {at = "/in/in"}))
E21 mapFusion does not apply at /in/in
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in/in/in
  found   split s0 . split 4 $ A
  try     moves /in/in
  in      lua:1
> =t.apply("splitjion(4)")
E02 no rule, macro or Lua value called "splitjion"; did you mean splitJoin?
  try     =t.apply("splitJoin(4)")
> lua t.aply("x")
E01 no command "aply"; did you mean apply?
  try     lua t.apply("x")
> =t.goto_("@0"), t.redo(), t.undo(), t.version("@tiled") == t.version(1)
@0  source	@1  splitJoin(4)  at /	@0  source	true
> # what a command prints is its text, what it reports its fields
> =t.show()
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> =t.show("/f/body", {depth = 2}).type
[M]f32
> =t.moves("/", {kind = "lower"}).items[1].rule, #t.moves("/", {deep = true}).items > 50
mapGlobal(0)	true
> =t.where("mapFusion"), t.where("splitJoin", {in_ = "/f"}).items
0 places, 3 near misses	{{label = ":1", n = 1, place = "/f/body", result = "map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B", rule = "splitJoin", type = "[M]f32"}, {label = ":2", n = 2, place = "/f/body/f/body/in", result = "map (*) (zip row col)", rule = "splitJoin", type = "[K]f32"}}
> =t.list("tags"), t.help("E21")
  tiled           @1  splitJoin(4)	E21  the rule does not apply here
  exit code 1
> =t.find("reduce _ _ _", {in_ = "/f"}), t.find("'map _ _'").items[2].place
  :1    /f/body/f/body          reduce (+) 0 (map (*) (zip row col))
1 place	/f/body
> =t.version():try("reduceSeq", {at = "'reduce _ _ _'"}), t.mark("acc", "'reduce _ _ _'")
(not kept)  reduceSeq  at /f/body/f/body	  $acc  /f/body/f/body            reduce (+) 0 (map (*) (zip row col))
> =t.version():try(splitJoin(4)):show("$acc"), t.version():try(splitJoin(4)):places("reduce")
reduce (+) 0 (map (*) (zip row col))	{"/in/f/body/f/body/f/body"}
> =t.nosuch()
E01 no command "nosuch"
  try     help
> =t.set("trials", 7), t.set("trials")
	  trials          7                     timed runs after verification
  from 1 to 10000, initially 20
> =t.data{N = 4, M = 4, K = 8}, t.data("A = iota"), t.data("B", "const(1)")
		
> =t.list("inputs")
  A               [N][K]f32             iota
  B               [K][M]f32             const(1)
> # looking ahead: versions beside the tree
> lua v = t.version() w = v:try(splitJoin)
> =w, w.n, w.parent == v, w:legal("s0"), w.term == nil
(not kept)  splitJoin{n=s0}  at /	nil	true	{1, 2, 4}	false
> =w:with{s0 = 3}
E34 s0 = 3 is not legal: s0 must divide N = 4 (constraint from splitJoin{n=s0})
  nearest legal: 2, 4        all: param s0
> =w:with{s0 = 2}.params, w:with{s0 = 2}.hash == w:with{s0 = 2}.hash, w:with{s0 = 2}.hash == w.hash
{s0 = 2}	true	false
> =w:with{s0 = 2}:keep("two"), t.version(), t.version("two").parent.n, #v.children
@4  param s0 = 2	@0  source	3	2
> =w:run()
E35 parameter s0 of @3 is not bound
  legal   1, 2, 4        for N = 4
  try     goto @3 ; param s0 = 2
> =v:try("reduceSeq"), v:try("id") == v
nil	true
> =v:apply("bottomup(reduceSeq)"), t.version()
@5  bottomup(reduceSeq)  at /f/body/f/body	@0  source
> =v:places("map _ _"), v:places("map _ _", "/f/body/f")
{"/", "/f/body", "/f/body/f/body/in"}	{"/f/body/f/body/in"}
> =v:show("/f/body/f/body"), v:term("/f/body/f/body"), v:term("/in").kind, v:term().prim
reduce (+) 0 (map (*) (zip row col))	reduce (+) 0 (map (*) (zip _1 _0))	input	map
> =#v:term().children, v:term("/in") == v:term().children[2], v:term().slots
2	true	{"f", "in"}
> lua for _, m in ipairs(v:moves("/", {deep = true})) do
>   if m.rule == "reduceSeq" then print(m.place, v:try(m.strategy, m)) end
> end
/f/body/f/body	(not kept)  reduceSeq  at /f/body/f/body
>
> lua for _, m in ipairs(v:moves()) do if not v:try(m.strategy, m) then print(m.rule) end end
> lua for _, m in ipairs(v:moves()) do if m.rule:find("^mapG") then print(v:try(m.strategy, m)) end end
(not kept)  mapGlobal(0)  at /
> =t.lower()
@6  lower
> =t.code().kernels[1].name, t.version():lower() == t.version()
mm_k0	true
> =t.eval().head
[[28, 28, 28, 28], [92, 92, 92, 92], ...]
> # errors
> lua error("boom")
E24 lua:1: boom
> lua error({})
E24 the error is not a text
  in      lua:1
> lua local function f() local x = nil; return x.y end f()
E24 lua:1: attempt to index a nil value (local 'x')
> lua x = = 1
E24 lua:1: unexpected symbol near '='
> =
E24 an expression is missing behind =
> =1 +
E24 lua:1: unexpected symbol near <eof>
> lua t.x = 1
E24 a library cannot be changed
> lua pairs = nil for k, v in pairs({b = 1, a = 2, 10}) do print(k, v) end
1	10
a	2
b	1
> lua t.undo{nosuch = true}
E05 undo has no flag "--nosuch"
  form    undo [N]
> lua t.undo(1, 2)
E05 "2" is one argument too many for undo
  form    undo [N]
> # no pattern and no loop of Lua's library hangs a strategy
> set fuel 100000
> apply string.find(string.rep("a", 40000), (".-"):rep(20) .. "b")
E25 the strategy ran out of fuel: too much work in a pattern of text, or in moving elements of a table
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 1000000
> apply (function() table.move({}, 1, 1 << 40, 2) return id end)()
E25 the strategy ran out of fuel: too much work in a pattern of text, or in moving elements of a table
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 1000000
> apply (function() while true do string.rep("x", 1 << 24) end end)()
E25 the strategy ran out of fuel: too many large texts and tables were made
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 1000000
> apply (function() local s = string.rep("x", 1 << 24) while true do local _ = s .. "y" end end)()
E25 the strategy ran out of fuel: too many large texts and tables were made
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 1000000
> =string.rep("", 1 << 60), ("x"):rep(1 << 60)
E24 resulting string too large
> apply string.find(string.rep("a", 40), ("a?"):rep(40) .. ("a"):rep(40) .. "b")
E25 the strategy ran out of fuel: too much work in a pattern of text, or in moving elements of a table
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 1000000
> set fuel 1000000
> try ("idle, mapFusion"):match("^%s*(.-)%s*,") == "idle" and id or mapFusion
("idle, mapFusion"):match("^%s*(.-)%s*,") == "idle" and id or mapFusion changed nothing; still @6
> help lua
lua CHUNK
  run Lua in the session's state
  Globals persist.
  t is the session: t.apply("splitJoin(4)", {at = "/in"}), t.version(), t.run{n = 5}: every command
    by its name; nil and a failure say what went wrong.
  v = t.version() has .n .parent .params .hash ..., v:try(s) looks ahead.
  Strategies are values: s = topdown(mapFusion)^0; register(name, {params =, doc =}, s) makes a
    macro.
  The values of an expression are printed, as with =EXPR.
  Lines are read on until the chunk is complete; an empty line ends it.
  Ctrl-C ends a chunk wherever it is, in a pattern of text too; what runs as a strategy, and what
    conditions and macros do, costs fuel as well (`set fuel`, `set lua_memory`).
  example  lua print(1 + 1)
> # a NUL ends no text
> lua print("a\0b\27c") io.write("x\0y\n")
a?b?c
x?y
> # the median of a run; a file of Lua
> let twice (xs: [N]f32) = map (* 2) xs
twice : [N]f32 -> [N]f32
> data N = 53
> lower | head -1
@1  lower                               builtin    from @0
> lua r = t.run{n = 3}
> =r.state, r.ns ~= nil, #r.times_ns
ok	true	3
> lua scripts/tune.lua
E05 lua takes a chunk, scripts/tune.lua is a file
  try     source scripts/tune.lua
> source scripts/tune.lua
usage: source scripts/tune.lua MACRO [NAME=VALUE,VALUE...]... [rounds=3]
> source scripts/search.lua
usage: source scripts/search.lua PROGRAM.fun [VARIANTS [RULE ...]]
> # fuel is for what is done, not for what is waited for
> let waited (x: [N]f32) = map (\v -> v + 1) x
waited : [N]f32 -> [N]f32
> lua waits = setmetatable({}, {__tostring = function() os.execute("sleep 1") return "" end})
> lua print(t.apply(function(c) string.format("%s", waits) return mapSeq(c) end))
@1  function  at /

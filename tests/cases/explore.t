> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> lua search.heuristics.macros = 3
> lua e = search.explore(t.version(), {device = "gpu"})
> =#e.structures, e.structures[1].label, e.structures[1].device
170	mm/cd7a	gpu
> lua for _, s in ipairs(e:funnel()) do print(s.stage, s.left) end
macro rules at all places	95
nesting depth	95
add-mul distance	62
no block of accumulators	26
mapping and memory	170
> =e.structures[1].version.hash == e.structures[1].light.hash
true
> lua c = search.explore(t.version(), {device = "cpu"})
> =#c.structures, c.structures[1]
48	mm/1c2f  at("/f/body/f/body", reduceSeq * reduceMapFusion) * blockFold * groupsOf * innermost(innerFold, accPrivate2) * normalize(mulAdd)
> lua search.heuristics.depth = 5
> lua for _, s in ipairs(search.explore(t.version()):funnel()) do print(s.stage, s.left) end
macro rules at all places	88
nesting depth	55
add-mul distance	42
no block of accumulators	17
mapping and memory	18

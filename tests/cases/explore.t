> load tests/programs/mm.fun
> data N = 64
> data M = 64
> data K = 64
> lua search.heuristics.macros = 3
> lua e = search.explore(t.version(), {device = "cpu"})
> =e
> =#e.structures, e.structures[1], e.structures[1].device
> =e.structures[1].version.hash == e.structures[1].light.hash
> =e:why(2)
> =e:why(#e.algorithms)
> =e:why(e.structures[1].label)
> =e:why("mm/none")
> lua c = search.union(e.structures)
> =c.count, c:at(1), c:index(c:at(c.count)) == c.count, #c:near(c:at(1)) > 0
> lua search.heuristics.depth, search.heuristics.accumulators = 4, 0
> =search.explore(t.version(), {device = "cpu"})
> load tests/programs/asum.fun
> data N = 65536
> =search.explore(t.version(), {device = "gpu"})

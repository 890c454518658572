-- fusion: all combinations of fusions of the current program, measured; tab-separated, behind the names of benchmark and device.

local combinations = dofile("tests/bench/combinations.lua")
local all = assert(t.fuse{best = 1000, measure = true}).combinations
local found = combinations.landmarks(all)

assert(assert(t.run("@" .. found.best.version, {n = 1})).verify.status == "ok")
local function line(rival, c)
    local best = found.best
    print(("best of %d\t%s\t%.4g\t%.4g\tms\t%.2f"):format(#all, rival, best.ns / 1e6, c.ns / 1e6, c.ns / best.ns))
end
line("a kernel each", found.apart)
line("one kernel", found.one)
line("predicted best", found.predicted)
print(("predicted and measured, of %d\tSpearman\t%.3f\t-\t-\t-"):format(#all, combinations.correlation(all)))

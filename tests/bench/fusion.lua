-- fusion: every implementation of every fusion of the current program's functions, and its combinations of fusions, measured once each;
-- tab-separated, behind the names of benchmark and device. BUDGET: of the search; what was measured before is known.

local combinations = dofile("tests/bench/combinations.lua")
local report = assert(t.fuse{implementations = true, routines = true, measure = true, budget = BUDGET})
local found, agreement = combinations.landmarks(report), report.agreement
local best = found.best

assert(t.apply(best.rule or "lowerFused", {at = "/"}))
if best.rule then assert(t.lower()) end
assert(t.set("verify", "on"))
assert(assert(t.run{n = 1}).verify.status == "ok")
local function line(rival, x)
    if x then print(("best of %d\t%s\t%.4g\t%.4g\tms\t%.2f"):format(agreement.count, rival, best.ns / 1e6, x.ns / 1e6, x.ns / best.ns)) end
end
line("a kernel each", found.apart)
line("one kernel", found.one)
line("predicted best", found.predicted)
for _, by in ipairs({"model", "routines"}) do
    if agreement[by] then
        print(("%s and measured, of %d\tSpearman\t%.3f\t-\t-\t-"):format(by, agreement.count, agreement[by]))
        print(("first choice of %s\tthe best\t%.3f\t-\t-\t-"):format(by, agreement[by .. "_first"]))
    end
end

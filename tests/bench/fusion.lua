-- fusion: all combinations of fusions of the current program, measured; tab-separated, behind the names of benchmark and device.

local all = assert(t.fuse{best = 1000, measure = true}).combinations
local first, best, one, apart = all[1], all[1], nil, nil
for _, c in ipairs(all) do
    if c.ns < best.ns then best = c end
    if not c.rule then one = c end
    if not c.parts:find("%d %d") then apart = c end
end

local function ranks(list, of)
    local order, rank = {}, {}
    for i = 1, #list do order[i] = i end
    table.sort(order, function(a, b) return of(list[a]) < of(list[b]) end)
    for r, i in ipairs(order) do rank[i] = r end
    return rank
end

-- Spearman's rank correlation of what was predicted and what was measured
local n, sum = #all, 0
local predicted, measured = ranks(all, function(c) return c.predicted_ns end), ranks(all, function(c) return c.ns end)
for i = 1, n do sum = sum + (predicted[i] - measured[i]) ^ 2 end

assert(assert(t.run("@" .. best.version, {n = 1})).verify.status == "ok")
local function line(case, rival, theirs)
    print(("%s\t%s\t%.4g\t%.4g\tms\t%.2f"):format(case, rival, best.ns / 1e6, theirs / 1e6, theirs / best.ns))
end
line("best of " .. n, "a kernel each", apart.ns)
line("best of " .. n, "one kernel", one.ns)
line("best of " .. n, "predicted best", first.ns)
print(("predicted and measured, of %d\tSpearman\t%.3f\t-\t-\t-"):format(n, 1 - 6 * sum / (n * (n * n - 1))))

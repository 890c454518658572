-- combinations: what fusion.lua and the fusion paper's figures say of all combinations of fusions of a program (t.fuse).
local M = {}

-- The fastest, the one predicted best, all functions in one kernel, and a kernel each; nil: it is not among them.
function M.landmarks(all)
    local found = {best = all[1], predicted = all[1]}
    for _, c in ipairs(all) do
        if c.ns < found.best.ns then found.best = c end
        if c.predicted_ns < found.predicted.predicted_ns then found.predicted = c end
        if not c.rule then found.one = c end
        if not c.parts:find("%d %d") then found.apart = c end
    end
    return found
end

local function ranks(list, of)
    local order, rank = {}, {}
    for i = 1, #list do order[i] = i end
    table.sort(order, function(a, b) return of(list[a]) < of(list[b]) end)
    for r, i in ipairs(order) do rank[i] = r end
    return rank
end

-- Spearman's rank correlation of what was predicted and what was measured.
function M.correlation(all)
    local n, sum = #all, 0
    local predicted, measured = ranks(all, function(c) return c.predicted_ns end), ranks(all, function(c) return c.ns end)
    for i = 1, n do sum = sum + (predicted[i] - measured[i]) ^ 2 end
    return n > 1 and 1 - 6 * sum / (n * (n * n - 1)) or 1
end

return M

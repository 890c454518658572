-- segments: macros for a map whose function reduces slices of arrays, as many elements of each as is known when it runs: several
-- work-items share a slice, each with every so-maniest of its elements, whatever their number.

local base, L, rows = require "base", require "combinators", require "rows"
local blocking = require "blocking"
local R, macro, options = base.R, base.macro, blocking.options

-- A reduction of part of a slice as one loop of a work-item.
local part = L.seq(L.try(R("sliceMap")), L.slot("f", L.seq(R("reduceSeq"), L.try(R("reduceMapFusion")))))

macro("reduceSlicesInItems", "(n[, rounds[, d]])",
    "a reduction of any length by n work-items of a group in dimension d, each of every n-th element; their results by sixteens in so "
    .. "many rounds",
    function(n, rounds, d)
        local shared = L.slot("in", L.seq(L.slot("f", part), rows.in_local(d or 0)))
        return L.seq(R("reduceSlices", n and {n = n}), shared, rows.tree(rounds or 0, d or 0))
    end)

-- Every reduction to a scalar in the slices below q, but for those that a step does for each element, and of what a scan makes.
local function shared(q, strategy, within)
    local t = q.term
    local sums = within and t.prim == "reduce" and not t.is_array and not t:slot("in"):contains("scan")
    local r = sums and strategy.run(q)
    if r then return r:at(q) end
    for _, slot in ipairs(t.slots) do
        local slice = t.prim == "slice" and slot == "f"
        local p = (slot ~= "f" or slice) and q:go(slot)
        if p then q = shared(p, strategy, within or slice):at(q) end
    end
    return q
end

macro("slicesInItems", "{items=8, side=32, rounds=0}",
    "a map whose function reduces slices: a work-group for so many of its elements side by side, items of it for each, which share "
    .. "each reduction; their results by sixteens in so many rounds",
    function(given)
        local o = options("slicesInItems", given, {items = 8, side = 32, rounds = 0})
        local group = L.seq(R("splitJoin", {n = o.side}), L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", R("mapLocal", {d = 1})))))
        return base.new("slicesInItems", function(c)
            local r, f = group.run(c)
            if not r then return nil, f end
            local q = r:at(c):go("in", "f", "f")
            local made = shared(q, L.reduceSlicesInItems(o.items, o.rounds, 0), false)
            if made.root == q.root then return nil, base.failure(c, "slicesInItems", "a reduction of a slice to a scalar, in any order") end
            return made:at(c)
        end)
    end)

macro("slicesInGroups", "{rows=64}", "a map whose function takes slices, on a CPU: a work-group of one item for so many of its elements",
    function(given)
        local o = options("slicesInGroups", given, {rows = 64})
        return L.seq(R("splitJoin", {n = o.rows}), L.slot("in", L.seq(L.slot("f", R("mapSeq")), R("mapWorkgroup", {d = 0}))))
    end)

-- segments: macros for a map whose function reduces slices of arrays, as many elements of each as is known when it runs: several
-- work-items share a slice, each with every so-maniest of its elements, whatever their number.

local base, L, rows, lengths, shaping = require "base", require "combinators", require "rows", require "lengths", require "shaping"
local blocking = require "blocking"
local R, macro, is_map, known, fitting = base.R, base.macro, blocking.is_map, lengths.known, lengths.fitting

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
    if r then return r end
    for _, slot in ipairs(t.slots) do
        local slice = t.prim == "slice" and slot == "f"
        local p = (slot ~= "f" or slice) and q:go(slot)
        if p then q = shared(p, strategy, within or slice):at(q) end
    end
    return q
end

base.macro_at("slicesInItems", "{items=8, side=32, rounds=0}",
    "a map whose function reduces slices: a work-group takes a number of neighbouring elements; for each, some of its items share "
    .. "each reduction; their results are combined sixteen at a time, in rounds",
    function(c, o)
        local r, f = blocking.in_groups(o.side, R("mapLocal", {d = 1})).run(c)
        local q = r and r:go("in", "f", "f")
        local made = q and shared(q, L.reduceSlicesInItems(o.items, o.rounds, 0), false)
        return made and made.root ~= q.root and made or nil, f
    end, "a reduction of a slice to a scalar, in any order")

macro("slicesInGroups", "{rows=64}", "a map whose function takes slices, on a CPU: a work-group of one item takes a number of its elements",
    function(o) return blocking.in_groups(o.rows) end)

-- as `lower` has it

local ROWS = shaping.CPU_MIN             -- slices that a CPU's group takes one after another, at most

local function takes_slices(t) return is_map(t) and t:slot("f"):contains("slice") end

-- A map cut in groups of n, or a little less where that divides its length; else what is left is a nest of its own.
local function in_groups(length, n, made)
    local even, left = fitting(length, n, 1), length % n
    return 2 * even >= n and made(even) or rows.but_for(left, made(n), made(left))
end

local function by_vectors(c)
    local m = takes_slices(c.term) and known(c.term)
    local n = m and math.min(ROWS, m // shaping.CPU_PARTS)
    return n and n > 1 and in_groups(m, n, function(rows) return L.slicesInGroups({rows = rows}) end) or nil
end

-- So many items for a slice as its elements are on average, of which each takes a few.
local function by_items(c)
    local m = takes_slices(c.term) and known(c.term)
    local slice = m and base.find(c:go("f"), function(t) return t.prim == "slice" end)
    if not slice then return nil end
    local n, items = known(slice.term:slot("in")), 1
    while n and items < lengths.items() and 2 * items * lengths.VECTOR * m <= n do items = 2 * items end
    if items == 1 then return nil end
    return in_groups(m, math.min(m, lengths.items() // items), function(side)
        return L.slicesInItems({items = items, side = side, rounds = items > rows.SIXTEEN and 1 or 0})
    end)
end

return {takes_slices = takes_slices, by_items = by_items, by_vectors = by_vectors}

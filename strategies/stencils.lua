-- stencils: macros for nested maps whose neighbours read the same: windows (slide), rows and columns. On a GPU: tiles that hold all
-- their windows read, copied to local memory once, or elements of a column by one work-item. On a CPU: loops that no padding is
-- read in, so that compilers make vectors of them.

local base, L, blocking = require "base", require "combinators", require "blocking"
local R, test, macro, options, first = base.R, base.test, base.macro, blocking.options, blocking.first
local is_map = blocking.is_map

macro("tileStencil", "(u)",
    "a map over windows (slide) in tiles of u elements, each with the windows that it holds", function(u)
    return L.seq(L.slot("in", R("slideTiling", u and {u = u})), R("mapJoin"), L.slot("in", R("mapFusion")))
end)

-- Rows in tiles of u, columns of v: windows of rows are tiled, then turned round, so that those of columns can be.
macro("tileStencil2", "(u, v)",
    "two maps over the windows of a matrix (slide2) in tiles of u by v elements, each with the windows that it holds",
    function(u, v)
        local bands = L.seq(L.slot("in", R("slideMap")), R("mapFusion"))
        local columns = L.seq(L.slot("in", R("transposeSlide")), R("mapFusion"), L.tileStencil(v))
        local inBand = L.seq(R("mapSlideInterchange"), L.slot("in", columns))
        return L.seq(L.rep(R("mapFusion")), L.tileStencil(u), L.slot("in", L.seq(bands, L.slot("f", inBand))))
    end)

local function mapped(rule, d) return first(L.computes, rule({d = d})) end

-- The array of windows: what a slide takes from.
local windows = test("windows", "windows of a bound array", function(t)
    return t.prim == "slide" and t:slot("in").is_atom
end)
local function localTile(rule) return first(windows, L.slot("in", rule)) end

local sums = L.normalize(L.alt(R("reduceSeq"), R("reduceMapFusion"), R("reduceUnroll")))

macro("stencilGroups", "(u)",
    "a map over windows: a work-group a tile of u elements, which its items copy to local memory; sums unrolled",
    function(u)
        return L.seq(L.tileStencil(u), mapped(R("mapWorkgroup"), 0), mapped(R("mapLocal"), 0), localTile(R("copyLocal")), sums)
    end)

macro("stencilGroups2", "{u=8, v=32}",
    "two maps over windows: a work-group a tile of u by v elements, copied to local memory by its items; sums unrolled",
    function(given)
        local o = options("stencilGroups2", given, {u = 8, v = 32})
        return L.seq(L.tileStencil2(o.u, o.v), mapped(R("mapWorkgroup"), 1), mapped(R("mapWorkgroup"), 0), mapped(R("mapLocal"), 0),
                     mapped(R("mapLocal"), 1), localTile(R("copyLocalColumns")), sums)
    end)

-- Maps over windows of columns that each window of rows makes.
local windows_of_rows = test("windows in windows of rows", "a map over a layout of its rows", function(t)
    local row = is_map(t) and t:slot("f")
    return is_map(row) and row:slot("in").is_layout
end)

macro("stencilItems", "{n=8}",
    "two maps over windows: a work-item n elements of a column, straight-line code, so that rows of windows are read once",
    function(given)
        local o = options("stencilItems", given, {n = 8})
        local column = L.seq(L.slot("f", R("mapSeqUnroll")), R("mapGlobal", {d = 0}))
        local columns = L.slot("f", L.seq(R("mapInterchangeInner"), L.slot("in", column)))
        local rows = L.seq(R("splitJoin", {n = o.n}), L.slot("in", L.seq(columns, R("mapGlobal", {d = 1}))))
        return L.seq(L.try(L.where(windows_of_rows, R("mapMapOut"))), rows, sums)
    end)

-- The layouts around what an outer map does become maps of their own, as does what its inner map is done with: map (map f) is left.
local by_antidiagonals
local below = L.slot("in", base.new("byAntidiagonals", function(c) return by_antidiagonals.run(c) end))
by_antidiagonals = L.alt(L.seq(R("mapMapOut"), R("mapAntidiagonals")), L.seq(L.alt(R("mapTransposeOut"), R("mapJoinOut")), below))

macro("byAntidiagonals", "",
    "two maps over a square matrix by its antidiagonals, so that what is done with an element and with its mirror image is done soon after "
    .. "each other",
    function() return first(L.computes, by_antidiagonals) end)

-- Is the array read by columns?
local function by_columns(t)
    if t.prim == "transpose" then return true end
    for _, slot in ipairs((t.prim == "zip" or t.prim == "map" or t.prim == "pad") and t.slots or {}) do
        if slot ~= "f" and by_columns(t:slot(slot)) then return true end
    end
    return false
end

-- A scalar for each of the rows that a map is done with, of four arrays at most, as a matrix beside them.
local scalarsBeside = L.fail
for _ = 1, 4 do scalarsBeside = L.alt(R("mapZipBroadcast"), R("mapBroadcast"), L.seq(R("mapZipRotate"), scalarsBeside)) end
scalarsBeside = L.rep(scalarsBeside)

local MIRRORED = 1 << 23                 -- elements of a matrix that no cache of a GPU holds beside the result

-- Is one of the matrices in t, of n by n elements, read by rows and by columns, and too large to stay in a cache meanwhile?
local function are_mirrored(t, n)
    local read = {[false] = {}, [true] = {}}
    local function visit(x, columns)
        if x.prim == "transpose" then return visit(x:slot("in"), not columns) end
        if x.prim ~= "zip" and x.prim ~= "map" and x.prim ~= "pad" then
            read[columns][x.text] = true
            return read[not columns][x.text]
        end
        for _, slot in ipairs(x.slots) do
            if slot ~= "f" and visit(x:slot(slot), columns) then return true end
        end
    end
    return n * n >= MIRRORED and visit(t, false) or false
end

-- What is read by columns of the arrays that a map reads, copied in its work-group.
local function columns_copied(x, copied)
    if x.prim ~= "zip" then return copied end
    local copies = L.id
    for k, slot in ipairs(x.slots) do
        if by_columns(x:slot(slot)) then copies = L.seq(copies, L.slot(tostring(k - 1), copied)) end
    end
    return copies
end

macro("tilesInItems", "{u=64, v=64, m=8, mirrored=false}",
    "two maps over matrices of which some are read by columns: a work-group a tile of u by v, these copied to local memory, "
    .. "an item m elements of a column; mirrored: groups by antidiagonals, so that those of mirror images run together",
    function(given)
        local o = options("tilesInItems", given, {u = 64, v = 64, m = 8, mirrored = false})
        local copied = L.seq(R("copyLocalBlocks", {m = o.m}), L.slot("in", R("padLocal", {k = 1})))
        return base.new("tilesInItems", function(c)
            return L.seq(L.tile(o.u, o.v), o.mirrored and L.byAntidiagonals or L.id, mapped(R("mapWorkgroup"), 1), mapped(R("mapWorkgroup"), 0),
                         first(L.computes, L.seq(L.slot("in", columns_copied(c.term:slot("in"), copied)), L.tile(o.m, 1))),
                         mapped(R("mapLocal"), 1), mapped(R("mapLocal"), 0), mapped(R("mapSeqUnroll")), mapped(R("mapSeqUnroll"))).run(c)
        end)
    end)

macro("tilesInLocal", "(u, v)",
    "two maps over matrices of which some are read by columns: a work-group a tile of u by v, these copied to local memory row by row",
    function(u, v)
        return base.new("tilesInLocal", function(c)
            local copies = columns_copied(c.term:slot("in"), R("copyLocalColumns"))
            local items = L.seq(L.slot("f", R("mapLocal", {d = 0})), R("mapLocal", {d = 1}), L.slot("in", copies))
            return L.seq(L.tile(u, v), mapped(R("mapWorkgroup"), 1), mapped(R("mapWorkgroup"), 0), first(L.computes, items)).run(c)
        end)
    end)

-- How far pads reach in a term: the most elements before an array, and behind one.
local function padding(t)
    local before, behind = 0, 0
    if t.prim == "pad" or t.prim == "padConst" then
        before, behind = t:static(1).value or 0, t:static(2).value or 0
    end
    for _, child in ipairs(t.children) do
        local l, r = padding(child)
        before, behind = math.max(before, l), math.max(behind, r)
    end
    return before, behind
end

local function innermost_of_nest(c)
    local q = c
    while q and not L.computes.run(q) do q = q:next(c) end
    while q and blocking.nested_map(q) do q = blocking.nested_map(q) end
    return q
end

local function peel(l, r)
    local last = r > 0 and R("mapPeelLast", {n = r}) or L.id
    return l > 0 and L.seq(R("mapPeel", {n = l}), L.slot("1", last)) or last
end

macro("peelEdges", "(l, r)",
    "the innermost of nested maps in three: its first l elements, its last r, and the others; without numbers as many as the "
    .. "widest padding (pad), so that the others read none of it",
    function(l, r)
        return base.new("peelEdges", function(c)
            local before, behind = padding(c.root)
            before, behind = l or before, r or behind
            local q = innermost_of_nest(c)
            if not q or before + behind == 0 then return nil, base.failure(c, "peelEdges", "a map, and padding") end
            local done, why = peel(before, behind).run(q)
            if not done then return nil, why end
            return done:at(c)
        end)
    end)

local UNROLLED = 256                      -- elements of a window as straight-line code
local few = test("a short fold", "a fold of at most " .. UNROLLED .. " elements", function(t)
    local n = t.prim == "reduceSeq" and t:slot("in").length.value
    return n and n <= UNROLLED
end)
local window_sums = L.normalize(L.alt(R("reduceSeq"), R("zipMap"), R("reduceMapFusion"), L.where(few, R("reduceUnroll"))))

macro("stencilCpu", "{n=1}",
    "nested maps over windows on a CPU: a work-group of one item for n elements of the outermost, loops, the edges of the innermost "
    .. "apart; sums unrolled",
    function(given)
        local o = options("stencilCpu", given, {n = 1})
        local loops = L.seq(L.try(L.peelEdges), L.normalize(L.where(L.computes, R("mapSeq"))))
        local group = L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", loops))
        local chunks = o.n == 1 and group or L.seq(R("splitJoin", {n = o.n}), L.slot("in", group))
        return L.seq(window_sums, first(L.computes, chunks))
    end)

return {are_mirrored = are_mirrored, by_columns = by_columns, scalarsBeside = scalarsBeside}

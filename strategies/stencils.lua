-- stencils: macros for nested maps whose neighbours read the same: windows (slide), rows and columns. On a GPU: tiles that hold all
-- their windows read, copied to local memory once, or elements of a column by one work-item. On a CPU: loops that no padding is
-- read in, so that compilers make vectors of them.

local base, L, blocking, cuts, lengths = require "base", require "combinators", require "blocking", require "cuts", require "lengths"
local rows_of, shaping, columns = require "rows", require "shaping", require "columns"
local R, test, macro, first, is_map, nested_map, mapped, both_mapped = base.R, base.test, base.macro, blocking.first, blocking.is_map, blocking.nested_map, blocking.mapped, blocking.both_mapped
local known, differs, fitting, CPU_FEW, CPU_MIN, GPU, VECTOR = lengths.known, lengths.differs, lengths.fitting, shaping.CPU_FEW, shaping.CPU_MIN, lengths.GPU, lengths.VECTOR
local COLUMN = 2 * VECTOR                -- elements of a column that an item makes, so that they share what they read

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
    function(o)
        return L.seq(L.tileStencil2(o.u, o.v), both_mapped(R("mapWorkgroup")), mapped(R("mapLocal"), 0),
                     mapped(R("mapLocal"), 1), localTile(R("copyLocalColumns")), sums)
    end)

-- Maps over windows of columns that each window of rows makes.
local windows_of_rows = test("windows in windows of rows", "a map over a layout of its rows", function(t)
    local row = is_map(t) and t:slot("f")
    return is_map(row) and row:slot("in").is_layout
end)

macro("stencilItems", "{n=8}",
    "two maps over windows: a work-item n elements of a column, straight-line code, so that rows of windows are read once",
    function(o)
        local column = L.seq(L.slot("f", R("mapSeqUnroll")), R("mapGlobal", {d = 0}))
        local columns = L.slot("f", L.seq(R("mapInterchangeInner"), L.slot("in", column)))
        local rows = L.seq(R("splitJoin", {n = o.n}), L.slot("in", L.seq(columns, R("mapGlobal", {d = 1}))))
        return L.seq(L.try(L.where(windows_of_rows, R("mapMapOut"))), rows, sums)
    end)

-- The layouts around what an outer map does become maps of their own, as does what its inner map is done with: map (map f) is left.
local by_antidiagonals = require("macros").past_layouts(L.seq(R("mapMapOut"), R("mapAntidiagonals")))

macro("byAntidiagonals", "",
    "two maps over a square matrix by its antidiagonals, so that what is done with an element and with its mirror image is done soon after "
    .. "each other",
    function() return first(L.computes, by_antidiagonals) end)

-- A scalar for each of the rows that a map is done with, of four arrays at most, as a matrix beside them.
local scalarsBeside = L.fail
for _ = 1, VECTOR do scalarsBeside = L.alt(R("mapZipBroadcast"), R("mapBroadcast"), L.seq(R("mapZipRotate"), scalarsBeside)) end
scalarsBeside = L.rep(scalarsBeside)

-- Is one of the matrices in t, of n by n elements, read by rows and by columns, and too large to stay in a cache meanwhile?
local function are_mirrored(t, n)
    local read = {[false] = {}, [true] = {}}
    local function visit(x, columns)
        if x.prim == "transpose" then return visit(x:slot("in"), not columns) end
        if x.prim ~= "zip" and x.prim ~= "map" and x.prim ~= "pad" then
            read[columns][x.text] = true
            return read[not columns][x.text]
        end
        return base.any(x.operands, visit, columns)
    end
    return n * n >= lengths.far(GPU) and visit(t, false)
end

-- What is read by columns of the arrays that a map reads, copied in its work-group.
local function columns_copied(x, copied)
    if x.prim ~= "zip" then return copied end
    local copies = L.id
    for k, slot in ipairs(x.slots) do
        if columns.by_columns(x:slot(slot)) then copies = L.seq(copies, L.slot(tostring(k - 1), copied)) end
    end
    return copies
end

base.macro_at("tilesInItems", "{u=64, v=64, m=8, mirrored=false}",
    "two maps over matrices of which some are read by columns: a work-group a tile of u by v, these copied to local memory, "
    .. "an item m elements of a column; mirrored: groups by antidiagonals, so that those of mirror images run together",
    function(c, o)
        local copied = L.seq(R("copyLocalBlocks", {m = o.m}), L.slot("in", R("padLocal", {k = 1})))
        return L.seq(L.tile(o.u, o.v), o.mirrored and L.byAntidiagonals or L.id, both_mapped(R("mapWorkgroup")),
                     first(L.computes, L.seq(L.slot("in", columns_copied(c.term:slot("in"), copied)), L.tile(o.m, 1))),
                     both_mapped(R("mapLocal")), mapped(R("mapSeqUnroll")), mapped(R("mapSeqUnroll"))).run(c)
    end)

base.macro_at("tilesInLocal", "(u, v)",
    "two maps over matrices of which some are read by columns: a work-group a tile of u by v, these copied to local memory row by row",
    function(c, u, v)
        local copies = columns_copied(c.term:slot("in"), R("copyLocalColumns"))
        local items = L.seq(L.slot("f", R("mapLocal", {d = 0})), R("mapLocal", {d = 1}), L.slot("in", copies))
        return L.seq(L.tile(u, v), both_mapped(R("mapWorkgroup")), first(L.computes, items)).run(c)
    end)

-- How far pads reach in a term: the most elements before an array, and behind one.
local function padding(t)
    if not t:contains("pad") and not t:contains("padConst") then return 0, 0 end
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

base.macro_at("peelEdges", "(l, r)",
    "the innermost of nested maps in three: its first l elements, its last r, and the others; without numbers as many as the "
    .. "widest padding (pad), so that the others read none of it",
    function(c, l, r)
        local before, behind = padding(c.root)
        l, r = l or before, r or behind
        local nest = base.find(c, is_map)
        local list = nest and l + r > 0 and blocking.levels(nest)
        if not list then return nil end
        local last = r > 0 and R("mapPeelLast", {n = r}) or L.id
        return (l > 0 and L.seq(R("mapPeel", {n = l}), L.slot("1", last)) or last).run(list[#list])
    end, "a map, and padding")

local UNROLLED = 256                      -- elements of a window as straight-line code
local few = test("a short fold", "a fold of at most " .. UNROLLED .. " elements", function(t)
    local n = t.prim == "reduceSeq" and t:slot("in").length.value
    return n and n <= UNROLLED
end)
local window_sums = L.normalize(L.alt(R("reduceSeq"), R("zipMap"), R("reduceMapFusion"), L.where(few, R("reduceUnroll"))))

macro("stencilCpu", "{n=1}",
    "nested maps over windows on a CPU: a work-group of one item for n elements of the outermost, loops, the edges of the innermost "
    .. "apart; sums unrolled",
    function(o)
        local loops = L.seq(L.try(L.peelEdges), L.normalize(L.where(L.computes, R("mapSeq"))))
        local group = L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", loops))
        local chunks = o.n == 1 and group or L.seq(R("splitJoin", {n = o.n}), L.slot("in", group))
        return L.seq(window_sums, first(L.computes, chunks))
    end)

-- as `lower` has it

-- Are windows or edges read, by what is no kernel of its own yet?
local function has_windows(t)
    if t.prim == "slide" or t.prim == "pad" or t.prim == "padConst" then return true end
    return t.prim ~= "mapWorkgroup" and t.prim ~= "mapGlobal" and base.any(t.children, has_windows)
end

-- Loops long enough to be vectors, in groups that are enough and have enough to do. Where no number divides the length, a row
-- is a group, or what is left is a nest of its own.
local CPU_CHUNK = 512                    -- elements that a group is worth
local function by_vectors(c)
    local t = c.term
    local n = t.prim == "map" and not t.layout_map and known(t)
    if not n or not has_windows(t) or cuts.contraction.run(c) then return nil end
    local row = lengths.elements(blocking.levels(c), 2)
    if not row or n < CPU_FEW or n * row < CPU_MIN then return nil end
    local parts = math.min(shaping.CPU_PARTS, math.max(CPU_FEW, n * row // CPU_CHUNK))
    local even = fitting(n, parts, 1)
    if even >= CPU_FEW then return L.stencilCpu({n = n // even}) end
    if row >= CPU_CHUNK or n < lengths.VECTORS * parts then return L.stencilCpu end
    return rows_of.but_for(n % parts, L.stencilCpu({n = n // parts}), row > 1 and L.stencilCpu)
end

-- transpositions

-- A map of what a map makes is one map, but for contractions, whose elements are read again and again.
local of_map = L.where(function(t) return is_map(t:slot("in")) end, R("mapFusion"))
local zipped_map = L.where(function(t)
    for _, x in ipairs(t.children) do
        if x.prim == "map" then return is_map(x) end    -- not a layout: what is joined there stays one row
    end
end, R("zipMap"))
local fusedMaps = L.rep(L.seq(L.where(L.computes, L.alt(of_map, L.seq(L.slot("in", zipped_map), of_map))),
                              L.where(function(_, c) return not cuts.reuses(c) end, L.id)))

-- Does one of the maps from q inwards read by columns?
local function columns_read(q) return q and (columns.takes_columns(q.term) or columns_read(nested_map(q))) or false end

local TILE = 64                          -- elements of a side
local one_zip = L.rep(L.seq(L.slot("in", R("zipZip")), R("mapFusion")))
local fused = L.seq(fusedMaps, one_zip)
local rowsFused = L.seq(one_zip, L.try(L.slot("f", L.seq(fused, L.try(L.slot("f", fused))))))
local padded = L.alt(R("padMatrices", {m = TILE, n = TILE}), R("padMatrix", {m = TILE, n = TILE}))

local function item_tiles(n, m, x)
    local function side(k) return fitting(k, TILE, GPU.line // VECTOR) or fitting(k, TILE, GPU.sector // VECTOR) end
    local u, v, pad = side(n), side(m), nil
    if not u or not v then u, v, pad = TILE, TILE, padded end
    -- Smaller tiles share lines of a cache with those beside them, which antidiagonals keep apart.
    local function tiles(mirrored)
        local there = L.tilesInItems({u = u, v = v, m = COLUMN, mirrored = mirrored or nil})
        if pad then return L.seq(scalarsBeside, pad, L.slot("in", L.slot("in", there))) end
        return mirrored and L.seq(scalarsBeside, there) or there
    end
    return n == m and u % (GPU.line // VECTOR) == 0 and are_mirrored(x, n) and L.alt(tiles(true), tiles(false)) or tiles(false)
end

local function local_tiles(n, m)
    local u, v = fitting(n, TILE, 2), fitting(m, TILE, 2)
    return u and v and L.tilesInLocal(u, v)
end

-- Two maps that make each element from one of each array, of which some are read by columns: in tiles, on a GPU also for each of a batch,
-- after several maps, of zips in zips, and with a scalar for each row.
local function transposition(q, joined, tiles_of)
    if q.term:contains("reduce") then return nil end
    local c = joined.run(q)
    local list = blocking.levels(c)
    local rows, deep = list[#list - 1], #list
    if deep < 2 or deep > 3 or not columns.takes_columns(rows.term) then return nil end
    local n, m = known(rows.term), known(list[deep].term)
    if not n or not m then return differs(lengths.UNKNOWN) end
    if n * m < CPU_MIN then return differs("%d elements are fewer than %d", n * m, CPU_MIN) end
    local tiles = tiles_of(n, m, rows.term:slot("in"))
    if not tiles then return differs("no tile of even sides divides %d x %d", n, m) end
    return L.seq(joined, deep == 3 and L.seq(R("mapWorkgroup", {d = 2}), shaping.inside_at(c, rows, tiles)) or tiles)
end

return {columns_read = columns_read, has_windows = has_windows, fusedMaps = fusedMaps, by_vectors = by_vectors,
        item_tiles = function(c) return transposition(c, rowsFused, item_tiles) end, local_tiles = function(c) return transposition(c, L.id, local_tiles) end}

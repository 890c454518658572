-- tupling: several results of one traversal. What sums up the rows of a matrix and what sums up its columns read the same tiles; so do an
-- array and what is made of it again. Each tile makes a tuple of partial results, which are summed up afterwards.

local base, L = require "base", require "combinators"
local blocking, columns_in_vectors, rows = require "blocking", require("vectors").columns_in_vectors, require "rows"
local lengths, takes_columns, sums_of = require "lengths", require("columns").takes_columns, require("cuts").sums_of
local fitting, VECTOR, GPU, CPU = lengths.fitting, lengths.VECTOR, lengths.GPU, lengths.CPU
local R, macro, macro_at, is_map = base.R, base.macro, base.macro_at, blocking.is_map
local parts_read, concat_parts = blocking.parts_read, blocking.concat_parts

local fused = L.where(L.computes, R("mapFusion"))

-- The tuple at q with two maps that read the same array as one.
local function shared(q)
    local made = R("tupleMapParts").run(q)
    local r = made
    while r do
        made = r:at(q)
        r = blocking.read_once.run(made:go("value"))
    end
    return made
end

-- What is computed of the elements of an array in blocks is computed block by block.
local split_made = L.normalize(L.alt(R("splitMap"), R("splitZip"), R("splitOfJoin"), R("zipMap"), fused))
local drop = L.rep(R("zipDrop"))
local with_columns = L.seq(L.slot("in", L.seq(R("mapMapZipOut"), R("mapInterchangeZipIn"))), R("transposeTranspose"))
local with_both = L.seq(L.slot("in", L.seq(L.slot("in", drop), R("transposeMapZip"))), R("mapFusion"))
local with_rows = L.seq(L.alt(R("transposeMapZipOut"), R("transposeMapOut")), L.slot("f", drop),
                        L.alt(with_both, L.slot("in", L.slot("in", drop))))
local tiles_made = L.try(L.alt(with_columns, with_rows))

local by_column = L.seq(L.try(L.slot("in", with_rows)), L.normalize(L.alt(R("mapId"), fused)))

-- A map over blocks of rows, in whose function is transpose (map (split m) rows) where at_tiles goes: the matrix is made where its tiles are.
local function blocks_made(at_tiles)
    local tiles = L.seq(L.slot("in", L.seq(L.try(R("mapFusion")), L.slot("f", split_made))), tiles_made)
    return L.seq(L.slot("in", split_made), L.try(R("mapFusion")), L.slot("f", L.seq(at_tiles(tiles), L.normalize(fused))))
end
local of_sums, of_names = blocks_made(function(tiles) return L.slot("in", L.slot("in", tiles)) end), blocks_made(function(tiles) return tiles end)

-- The map at q as one of reductions of the rows, or of the columns, of what they are made of.
local function reductions_of(q)
    local body = q.term:slot("f")
    local r = body.prim == "reduce" and body:slot("in").kind ~= "var" and R("reduceFission").run(q) or q
    local x = r and r:go("in")
    if x and x.term.prim == "map" and takes_columns(x.term) then
        local turned = L.alt(R("mapInterchangeZipIn"), R("mapInterchangeInner"), R("mapInterchangeZipOut"), R("mapInterchangeZips"), R("columnsZipped")).run(x)
        turned = turned and turned:at(x)
        r = turned and L.normalize(R("transposeTranspose")).run(turned):at(r)
    end
    return r
end

-- The map at q, of rows or of columns that are each reduced, by tiles of n rows by m columns. reduced: it is as
-- reductions_of gives it.
local function tiled(q, n, m, reduced)
    local r = reduced and q or reductions_of(q)
    r = r and R(r.term:slot("in").prim == "transpose" and "reduceColumnTiles" or "reduceRowTiles", {n = n, m = m}).run(r)
    return r and L.slot("in", L.slot("in", of_sums)).run(r)              -- the matrix is made where its tiles are reduced
end

-- All but the last k rows of the map of sums at q, of columns by that rule, and these by themselves, more than one of columns by `rest`; the
-- place of the former.
local function peeled_rows(q, k, of_columns, rest)
    local by_columns = takes_columns(q.term)
    local r = (by_columns and of_columns or R("mapPeelLast", {n = k})).run(q)
    r = r and parts_read.run(r):at(q)
    if r and by_columns and k > 1 then r = rest.run(r:go("in", "1")):at(q) end
    return r and r:go(table.unpack(by_columns and {"in", "0"} or {"0"}))
end

-- tiled for all but the last k rows; these by themselves, more than one in a kernel of its own.
local function tiled_peeled(q, n, m, k)
    if k == 0 then return tiled(q, n, m) end
    local columns = takes_columns(q.term)
    local r = not columns and q or reductions_of(q)
    r = r and peeled_rows(r, k, R("reduceColumnsPeelLast", {n = k}), L.seq(by_column, R("toGlobal")))
    r = r and tiled(r, n, m, columns)
    return r and r:at(q)
end

-- What tiles of n rows leave over of the matrix whose rows a component of c is made of; 0: nothing, or its rows are not known.
local function left_over(c, n)
    for _, t in ipairs(c.term.children) do
        local rows = is_map(t) and not takes_columns(t) and t.length:known()
        if rows then return rows % n end
    end
    return 0
end

-- The sums at p, as padSums leaves them: past what it drops, and beside rows by themselves.
local function padded_sums(p)
    local t = p.term
    if t.prim == "take" or t.prim == "join" or t.prim == "split" or t.layout_map then return padded_sums(p:go("in")) end
    if t.prim == "concat" then return padded_sums(p:go("0")) end
    local x = is_map(t) and not t:slot("f"):contains("reduce") and t:slot("in")
    return x and (x.prim == "zip" and padded_sums(p:go("in", "0")) or x.prim == "take" and padded_sums(p:go("in"))) or p
end

-- The components of pairs that are maps of their own again, by what they are made of.
local unzipped = L.normalize(L.alt(R("unzipFirst"), R("unzipSecond")))
local components = L.seq(unzipped,
                         L.normalize(L.alt(L.seq(R("mapJoin"), L.slot("in", fused)), R("takeMap"))))

local layouts_out = L.seq(L.slot("value", R("letBodyOut")), R("letLayoutOut"))
macro_at("sumsInTiles", "(n, m)",
    "a tuple of sums of the rows and of the columns of one matrix: both of each tile, n rows by m columns; then these partial results; rows that are left over by themselves",
    function(c, n, m)
        local r, k = c, left_over(c, math.tointeger(n) or 1)
        for _, slot in ipairs(c.term.prim == "(,)" and c.term.slots or {}) do
            local p = padded_sums(r:go(slot))
            local q = is_map(p.term) and sums_of(p)
            local t = q and tiled_peeled(q, n, m, k)
            r = t and t:at(c) or r
        end
        r = shared(r)
        r = r and shared(r:go("value", "f"))
        return r and L.seq(layouts_out, L.slot("body", components)).run(r:at(c))
    end, "rows and columns of one matrix")

macro_at("padSums", "(n[, rows[, w]])",
    "a tuple of sums of the rows and of the columns of one matrix, which is padded to a multiple of n columns; rows that tiles of so many leave over "
    .. "by themselves; w columns that lie n/w apart beside each other",
    function(c, n, rows, w)
        local apart = {w = w, l = w and n // w}
        local padded = L.alt(L.seq(R("padColumns", {n = n}), w and L.slot("in", R("columnsApart", apart)) or L.id),
                             L.seq(R("padRowFolds", {n = n}), w and R("rowFoldsApart", apart) or L.id))
        local r, k = c, rows and left_over(c, math.tointeger(rows) or 1) or 0
        for _, slot in ipairs(c.term.prim == "(,)" and c.term.slots or {}) do
            local q = is_map(r:go(slot).term) and sums_of(r:go(slot))
            local columns = q and takes_columns(q.term)           -- padded ones are peeled, so that all sums of a column are one
            if q and k > 0 and not columns then q = peeled_rows(q, k) end
            local p = q and padded.run(q)
            p = p and k > 0 and columns and peeled_rows(padded_sums(p:at(q)), k, R("columnFoldsPeelLast", {n = k}), R("toGlobal")) or p
            r = p and p:at(c) or r
        end
        return r ~= c and r or nil
    end, "rows and columns of one matrix")

local function names_map(c) return c.term.prim == "let" and is_map(c.term:slot("value")) end

-- Layouts that undo each other.
local undone = L.normalize(L.alt(R("mapId"), R("transposeTranspose")))

-- A name of what a map makes, and what a map makes of that besides: both by one map.
local kept = L.alt(R("keptZipFusion"), R("keptFusion"))

-- The named matrix at c in tiles of n rows by m columns, which are made one by one, and the sums of its columns by tiles, too; then these
-- partial results.
local function named_tiles(c, n, m)
    local tiles = L.seq(L.slot("value", R("tiles", {n = n, m = m})), R("letJoinOut"), R("letLayoutOut"))
    local r = names_map(c) and tiles.run(c)
    r = r and L.slot("value", L.seq(of_names, L.slot("f", L.normalize(L.alt(R("zipMap"), fused))))).run(r)
    if not r then return nil end
    for q in base.places(r:go("body")) do
        local sums = is_map(q.term) and takes_columns(q.term) and q.term:contains("reduce") and sums_of(q)
        local of_tiles = sums and tiled(sums, n, m)
        if of_tiles then return undone.run(of_tiles):at(c) end
    end
end

local kept_twice = L.seq(kept, L.slot("value", L.slot("f", kept)), layouts_out, L.slot("body", unzipped))
macro_at("keptInTiles", "(n, m)",
    "a matrix that is named and sums of its columns: both of each tile, n rows by m columns; then these partial results",
    function(c, n, m)
        local r = named_tiles(c, n, m)
        return r and kept_twice.run(r)
    end, "a named matrix and sums of its columns")

local joined = L.where(function(t) return t.prim == "join" end, L.id)

-- Two maps in each other by that form in dimensions 1 and 0, and what the inner one does; tiles by work-groups.
local function both_mapped(form, made) return L.seq(form({d = 1}), L.slot("f", L.seq(form({d = 0}), L.slot("f", made)))) end
local function in_groups(made) return L.slot("value", L.seq(both_mapped(R("mapWorkgroup"), made), R("toGlobal"))) end

-- Partial results of a group, each by a work-item: so many side by side.
local function by_items(lanes)
    local items = both_mapped(R("mapLocal"), L.id)
    return L.alt(L.seq(joined, L.slot("in", items)), L.seq(R("splitJoin", {n = lanes}), L.slot("in", items)))
end

local unrolled = L.seq(L.slot("f", L.seq(R("reduceSeq"), L.try(R("reduceMapFusion")), R("reduceUnroll"))), R("mapSeqUnroll"))

macro("sumsInTilesGpu", "{n=128, m=128, k=16, w=4}",
    "sumsInTiles for a GPU: a work-group a tile of n by m, a work-item k rows of w of its elements, which it reads once",
    function(o)
        local lanes = o.m // o.w
        local item = L.seq(L.slot("1", by_column), R("tupleTile", {w = o.w}), L.slot("body", L.seq(L.slot("0", unrolled), L.slot("1", unrolled))))
        local items = L.seq(both_mapped(R("mapLocal"), item), R("toLocal"))
        local group = L.seq(L.sumsInTiles(o.k, o.w), L.slot("value", items),
                            L.slot("body", L.seq(L.slot("0", by_items(lanes)), L.slot("1", by_items(lanes)))))
        return L.seq(L.sumsInTiles(o.n, o.m), in_groups(group))
    end)

macro("keptInTilesGpu", "{n=128, m=128, k=16, w=4}",
    "keptInTiles for a GPU: a work-group a tile of n by m, a work-item k rows of w of its elements, which it keeps in registers",
    function(o)
        local function items(...)
            local made = L.seq(R("mapLocal", {d = 0}), L.slot("f", L.seq(...)))
            return L.seq(R("mapLocal", {d = 1}), L.slot("f", L.alt(L.seq(joined, L.slot("in", made)), made)))
        end
        local vectors = L.seq(L.slot("f", L.seq(R("mapVectorise", {w = o.w}), L.slot("in", R("mapSeqUnroll")))), R("mapSeqUnroll"))
        local written, summed = R("copyItemTiles", {w = o.w}), L.seq(items(by_column, unrolled), R("toLocal"))
        local group = L.seq(base.new("tiles", function(c) return named_tiles(c, o.k, o.w) end),
                            L.slot("value", L.seq(items(vectors), R("toPrivate"))),
                            L.slot("body", L.seq(L.slot("0", L.slot("in", L.slot("in", written))),
                                                 L.slot("1", L.seq(L.slot("in", L.slot("in", summed)), by_items(o.m // o.w))))))
        return L.seq(L.keptInTiles(o.n, o.m), in_groups(group))
    end)

macro("sumsInTilesCpu", "{n=64, m=1024, columns=256, w=16, u=4}",
    "sumsInTiles for a CPU: a work-group of one item a tile of n by m, whose rows it sums up in u vectors of w, then its columns, so many at once",
    function(o)
        local rows = L.seq(L.slot("f", L.reduceInItem({w = o.w, u = o.u})), R("mapSeq"))
        local columns = L.seq(by_column, columns_in_vectors(o.columns, o.w, R("mapSeq")))
        return L.seq(L.sumsInTiles(o.n, o.m), in_groups(L.seq(L.slot("0", rows), L.slot("1", columns))))
    end)

-- Rows of a vector that an item of a tile takes, at most.
local TILE_EACH = rows.SIXTEEN

-- Tiles of an n by m matrix, which divide its rows and leave over as few of them as they can, nearest to what suits best: for sumsInTilesGpu,
-- and of how many columns it is to be padded to a multiple, if none divide its rows; nil: there are none.
local function tile_of(n, m)
    local o
    local few = lengths.GROUP // GPU.warp
    for side = math.min(few * TILE_EACH, n), TILE_EACH, -1 do
        for groups = few, 2 * few do
            local fits = side % groups == 0 and side // groups <= TILE_EACH and (n % side == 0 or 2 * side > few * TILE_EACH)
            if fits and (not o or n % side < n % o.n) then o = {n = side, k = side // groups} end
        end
    end
    local lanes, warp = 0, GPU.warp
    for _, w in ipairs(o and {VECTOR, 2 * VECTOR, 2, 3} or {}) do
        for count = 2 * warp, warp // 2, -1 do
            local off = math.abs(count - warp) + (o.w and w < o.w and warp // VECTOR or 0)      -- wide loads are worth some lanes
            if m % (count * w) == 0 and off < math.abs(lanes - warp) then o.m, o.w, lanes = count * w, w, count end
        end
    end
    if lanes > 0 or not o then return lanes > 0 and o or nil end
    o.m, o.w = warp * VECTOR, VECTOR
    return o, o.m
end

-- On a CPU: rows of a tile, whose columns are as many as its second cache takes, vectors that are summed at once; nil: there are none.
local CPU_ROWS = 64

local function tile_cpu(n, m)
    local most, vectors = CPU.l2 // (VECTOR * CPU_ROWS), lengths.VECTORS * CPU.lanes
    local rows, columns = fitting(n, CPU_ROWS, 1), fitting(m, most, vectors)
    if n < CPU_ROWS or not columns or columns < most // 8 then return nil end
    return {n = rows < CPU_ROWS // VECTOR and CPU_ROWS or rows, m = columns, columns = fitting(columns, lengths.accumulators() * CPU.lanes, vectors)}
end

local NAMED_REDUCED = "a named map and a reduction of what it makes"
macro_at("keptInChunks", "(n)",
    "a map that is named and a reduction of what it makes: both of each chunk of n elements, then the partial results",
    function(c, n)
        local chunks = L.seq(L.slot("value", R("splitJoin", {n = n})), R("letJoinOut"))
        local r = names_map(c) and chunks.run(c)
        local q = r and base.find(r:go("body"), function(t) return t.prim == "reduce" end)
        r = q and L.seq(R("reduceSplit", {n = n}), L.slot("in", split_made)).run(q)
        return r and kept.run(r:at(c))
    end, NAMED_REDUCED)

macro_at("keptPeelLast", "(k)",
    "a map that is named and a reduction of what it makes: of all but the last k elements, then of these",
    function(c, k)
        local peeled = L.seq(L.slot("value", L.seq(R("mapPeelLast", {n = k}), parts_read)), R("letConcatOut"))
        local r = names_map(c) and peeled.run(c)
        local q = r and base.find(r:go("body", "body"), function(t)
            return t.prim == "reduce" and t:slot("in").length == c.term:slot("value").length
        end)
        return q and L.seq(R("reducePeelLast", {n = k}), concat_parts).run(q)
    end, NAMED_REDUCED)

return {shared = shared, kept = kept, padded_sums = padded_sums, tile_of = tile_of, tile_cpu = tile_cpu, reductions_of = reductions_of}

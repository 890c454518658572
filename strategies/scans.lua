-- scans: macros for prefix reductions: chunks of the array in groups, chunks of these in the work-items of a group, each scanned
-- by one, and what is before a chunk added to it. As with rows, an intermediate array with a name is kept in registers.

local base, L, rows, lengths = require "base", require "combinators", require "rows", require "lengths"
local known, differs, fitting = lengths.known, lengths.differs, lengths.fitting
local R, macro, in_local, next_chunk, options = base.R, base.macro, rows.in_local, rows.next_chunk, require("blocking").options

local SIXTEEN, UNROLLED = rows.SIXTEEN, 32        -- elements in straight-line code, and thus in registers
local short = rows.short(UNROLLED)
local straight = L.seq(R("scanUnroll"), rows.unrolled_loads)
local scan = L.seq(R("scanSeq"), L.try(R("scanMapFusion")), L.try(L.where(short, straight)))
local in_vectors = L.seq(R("mapVectorise", {w = rows.VECTOR}), L.slot("in", R("mapSeqUnroll")))
local stored = L.alt(L.where(short, L.alt(in_vectors, R("mapSeqUnroll"))), R("mapSeq"))

-- So many rounds leave a few of n results to one work-item.
local function rounds_of(n)
    local k = n > 2 * SIXTEEN and next_chunk(n)
    return k and 1 + rounds_of(n // k) or 0
end

-- A map by items that each take so many elements, which lie apart, each by a step; its result stays where home says.
local function beside_each_other(d, beside, step, home)
    local inner = L.seq(step, R("mapLocal", {d = d}))
    if beside == 1 then return L.seq(rows.apart, inner, home) end
    return base.new("beside", function(c)
        local q, f = R("splitJoin", {n = c.term.length / beside}).run(c)
        if not q then return nil, f end
        return L.slot("in", L.seq(rows.apart, L.slot("f", inner), R("mapSeqUnroll"), home)).run(q:at(c))
    end)
end

-- A scan of an array in local memory, its result there again: in so many rounds, then by one work-item.
local in_group
local function results(rounds, d)
    return base.new("results", function(c)
        local length = c.term.length:known()
        if rounds == 0 or length and length <= SIXTEEN then
            return L.seq(R("scanWhole"), L.slot("in", L.seq(L.slot("f", scan), in_local(d)))).run(c)
        end
        local n = length and next_chunk(length) or SIXTEEN
        return L.seq(in_group(n, rounds - 1, d, 1), L.slot("body", L.slot("in", R("toLocal")))).run(c)
    end)
end

-- What a map does with the results, or takes of each, is done where they are made.
local of_elements = L.where(function(t)
    local f = t
    while f.prim == "map" do f = f:slot("f") end
    return f ~= t and not (t.layout_function and f.is_array)
end, R("mapFusion"))
local moved_in = L.normalize(L.alt(rows.names_out, R("mapJoin"), R("mapZipJoin"), R("zipZip"), R("zipMap"), of_elements))

-- A scan beside other arrays: first of two.
local function first_of_two(q)
    local zip = q.term.prim == "map" and q:go("in")
    if not zip or zip.term.prim ~= "zip" then return nil end
    for _ = 1, #zip.term.slots do
        if q.term:slot("in"):slot("0").prim == "scan" then return #zip.term.slots == 2 and q or R("mapZipNested").run(q):at(q) end
        q = R("mapZipRotate").run(q):at(q)
    end
end

-- The parts of an array that the let here names, kept; the scan of their last elements; what a map adds to the parts.
local function kept_parts(d, beside)
    return L.seq(L.slot("value", beside_each_other(d, beside, L.slot("f", scan), R("toPrivate"))), beside > 1 and R("letJoinOut") or L.id)
end
local function ends(rounds, d, beside) return L.seq(L.slot("in", beside_each_other(d, beside, L.id, R("toLocal"))), results(rounds, d)) end
local function added(d, beside) return beside_each_other(d, beside, L.slot("f", stored), L.id) end

local scanFirst = base.new("scan first", first_of_two)

function in_group(n, rounds, d, beside)
    local kept = R("scanKept", n and {n = n})
    local parts = L.alt(kept, L.seq(L.slot("in", kept), moved_in), L.seq(scanFirst, L.slot("in", L.slot("0", kept)), moved_in))
    local sums = L.slot("in", L.slot("1", L.slot("in", L.slot("in", ends(rounds, d, beside)))))
    return L.seq(parts, kept_parts(d, beside), L.slot("body", L.slot("in", L.seq(sums, added(d, beside)))))
end

macro("scanInItems", "(n[, rounds[, d[, beside]]])",
    "a scan, or a map of one, by the work-items of a group in dimension d, each of n elements, and of so many such chunks that lie "
    .. "apart; their results by sixteens, or what divides them, in so many rounds",
    function(n, rounds, d, beside) return in_group(n, rounds or 0, d or 0, beside or 1) end)

macro("scanInGroups", "{n=8192, each=4, rounds=2, beside=8}",
    "a long scan in one pass: groups for n elements, whose sums they tell each other, by items as scanInItems(each, rounds, 0, beside) has it",
    function(given)
        local o = options("scanInGroups", given, {n = 8192, each = 4, rounds = 2, beside = 8})
        local made = L.seq(kept_parts(0, o.beside), L.slot("body", L.slot("value", ends(o.rounds, 0, o.beside))))
        return L.seq(R("scanChainedKept", {n = o.n, k = o.each}),
                     L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("in", L.slot("g", made)), L.slot("f", L.slot("in", added(0, o.beside))))))
    end)

-- Rows of a tile, at least, where columns are scanned in tiles, and work-items of a GPU that share these out.
local ROWS, TILES_ITEMS = 16, 1 << 18
local columnItems = L.seq(R("mapGlobal", {d = 1}), L.slot("f", L.slot("in", R("mapGlobal", {d = 0}))))
-- What is done with the elements that vectors are made of, and with those of their scans, is done with the vectors.
local vectorsOut = L.seq(R("transposeMaps.rev"), L.slot("in", L.seq(R("mapFusion"), L.slot("f", R("mapAsScalar")), R("mapAsScalarOut"),
                   L.slot("in", L.seq(R("transposeMaps.rev"), L.slot("in", R("mapFusion")))))))
local vectorsMade = L.seq(L.slot("in", L.slot("in", L.seq(R("mapFusion"), L.slot("f", R("asVectorMap")), R("mapMapOut")))), L.slot("in", R("transposeMaps")), R("mapFusion"))
local sequential = L.alt(L.seq(R("scanSeq"), L.try(R("scanMapFusion"))), L.seq(L.slot("in", L.seq(R("scanSeq"), L.try(R("scanMapFusion")))), R("mapSeq")))
local vectorItems = L.seq(L.try(vectorsMade), L.slot("f", sequential), R("mapWorkgroup", {d = 0}))

-- Columns that are scanned, with what is done with their elements before and after that as maps of their own. The place of the scans, of a
-- transposed matrix; nil: there are none.
local zipped = R("transposeZip.rev")
local before = L.alt(zipped, L.seq(R("mapMapOut"), L.try(L.slot("in", zipped)), R("transposeMaps.rev")), R("transposeMaps.rev"))
local function scanned_columns(q)
    local body = q.term.prim == "map" and q.term:slot("f")
    local after = body and body.prim == "map" and body:slot("in").prim == "scan"
    local r = after and R("mapMapOut").run(q)
    q = after and r and r:at(q):go("in") or q
    local scan_of = q.term.prim == "map" and q.term:slot("f")
    if not scan_of or scan_of.prim ~= "scan" then return nil end
    if scan_of:slot("in").kind ~= "var" then
        r = L.seq(R("scanFission"), L.slot("in", before)).run(q)
        q = r and r:at(q)
    end
    return q and q.term:slot("in").prim == "transpose" and q
end

-- What is done with the elements that tiles are made of, and with those of their scans, is done in the tiles.
local tileOut = L.seq(R("transposeMaps.rev"), L.slot("in", L.seq(R("mapJoin"), L.slot("in", L.seq(R("mapFusion"), L.slot("f",
                L.seq(R("transposeMaps.rev"), L.slot("in", R("mapFusion")))))))))

-- The columns of a matrix, scanned: on a GPU by tiles, a work-item for each column of one, the results of the tiles by `nest`; on a CPU so
-- many at a time as a vector has. nil: they are no such.
local function columns(c, gpu, nest)
    local q = scanned_columns(c)
    if not q then return nil end
    local n, m = known(q.term:slot("f")), known(q.term)
    if not n or not m then return differs(lengths.UNKNOWN) end
    if not gpu then
        local w = lengths.lanes(m)
        if not w then return differs("no vectors of 4, 8 or 16 columns divide %d", m) end
        return base.new("columns", function()
            local r = R("scanVectors", {w = w}).run(q)
            r = r and r:at(c)
            r = r and (q.place == c.place and r or vectorsOut.run(r))
            return r and L.slot("in", L.slot("in", L.slot("in", vectorItems))).run(r:at(c))
        end)
    end
    local height = fitting(n, math.max(ROWS, n * m // TILES_ITEMS), 1)
    if height < ROWS or height == n then return differs("no tile of %d or more rows divides %d", ROWS, n) end
    return base.new("columns", function()
        local r = R("scanColumnTiles", {n = height}).run(q)
        r = r and r:at(c)
        r = r and (q.place == c.place and r or tileOut.run(r):at(c))
        local tiles = r and r:go("in", "in")
        tiles = tiles and rows.apart.run(tiles):at(tiles)
        local sums = tiles and tiles:go("in", "1", "in", "in")
        r = sums and columnItems.run(nest(sums):at(tiles))
        return r and r:at(c)
    end)
end

return {rounds_of = rounds_of, columns = columns}

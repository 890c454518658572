-- scans: macros for prefix reductions: chunks of the array in groups, chunks of these in the work-items of a group, each scanned
-- by one, and what is before a chunk added to it. As with rows, an intermediate array with a name is kept in registers.

local engine, base, L, rows, lengths, shaping = require "engine", require "base", require "combinators", require "rows", require "lengths", require "shaping"
local blocking, cuts, copies, takes_columns = require "blocking", require "cuts", require "copies", require("columns").takes_columns
local is_map, scan_of, VECTOR = blocking.is_map, rows.scan_of, lengths.VECTOR
local known, differs, fitting = lengths.known, lengths.differs, lengths.fitting
local CPU_PARTS, CPU_MIN, CPU_FEW, ROW_KEPT = shaping.CPU_PARTS, shaping.CPU_MIN, shaping.CPU_FEW, rows.ROW_KEPT
local GPU = lengths.GPU
local R, macro, macro_at, SIXTEEN = base.R, base.macro, base.macro_at, rows.SIXTEEN
local rounds_of, beside_each_other, scanned, at_before = rows.scans.rounds_of, rows.scans.beside_each_other, rows.scans.scanned, rows.scans.at_before
local kept_parts, ends, added, fuses = rows.scans.kept_parts, rows.scans.ends, rows.scans.added, rows.scans.fuses

-- What is scanned is made by the groups.
local made_by_groups = L.seq(L.slot("in", R("splitMap")), R("scanGroupsMapFusion"), L.slot("g", L.normalize(L.alt(R("splitMap"), fuses))))
local arrays_read = L.normalize(L.alt(blocking.part_read, R("zipZip"), R("zipMap"), fuses))

-- A long scan, what is made of its elements, or what is reduced of them, by groups, o: as the options of scanInGroups. chunks: of the chunks that
-- are then joined a map of chunks at "in"; items: what the items of a group do with one.
local function by_groups(o, reduced, chunks, items)
    local kept = L.seq(kept_parts(0, o.beside), L.slot("body", L.slot("value", ends(o.rounds, 0, o.beside))))
    local groups = blocking.first(function(t) return t.prim == "scanGroups" end, L.seq(L.try(made_by_groups), L.slot("g", kept)))
    local scan = scanned(L.seq(L.slot("in", arrays_read), R("scanChainedKept", {n = o.n, k = o.each})))
    return L.seq(reduced and L.slot("in", scan) or scan, chunks, groups, L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", items))))
end

macro("scanInGroups", "{n=8192, each=4, rounds=2, beside=8}",
    "a long scan in one pass, and what is made of its elements: groups for n elements, whose sums they tell each other, by items as "
    .. "scanInItems(each, rounds, 0, beside) has it",
    function(o) return by_groups(o, false, L.id, L.slot("in", added(0, o.beside))) end)

-- Of a reduction of joined chunks of so many elements: each reduced, and the results.
local function chunks_reduced(n) return L.seq(R("reduceSplit", {n = n}), L.slot("in", L.seq(L.slot("in", R("splitOfJoin")), R("mapFusion")))) end

macro("reduceScanInGroups", "{n=8192, each=4, rounds=2, beside=8}",
    "a reduction of what scanInGroups makes: each group's chunk by its items, their results combined sixteen at a time, in rounds, and those of the groups by one",
    function(o)
        local of_item = L.slot("f", L.seq(R("reduceSeq"), L.try(R("reduceMapFusion")), R("reduceUnroll")))
        local items = L.seq(chunks_reduced(o.each), L.slot("in", beside_each_other(0, o.beside, of_item, R("toLocal"))), rows.tree(o.rounds, 0))
        return L.seq(by_groups(o, true, chunks_reduced(o.n), items), L.reduceWholeInItems(lengths.items()))
    end)


local parts_read = L.normalize(L.alt(blocking.part_read, blocking.chunk_read, R("zipConcat"), R("mapConcat"), R("zipJoin"), R("mapJoin"), R("zipZip"), R("zipMap"), fuses))

-- Arrays each a work-item of dimension 0, chunks of them in dimension 1: neighbours read and write neighbouring columns.
local function side_by_side(inner) return L.seq(L.slot("f", L.seq(parts_read, inner)), R("mapGlobal", {d = 0})) end
local chunks = L.slot("in", R("mapGlobal", {d = 1}))
local chunk_items, rest_items, sum_items = side_by_side(chunks), side_by_side(L.slot("0", chunks)), side_by_side(R("mapGlobal", {d = 1}))

macro_at("scanChunks", "(n)",
    "a map of arrays' scans, and of what is made of their elements, on a GPU: a work-item of dimension 0 for an array, of dimension 1 for n elements "
    .. "of it, which are reduced before, and those results scanned",
    function(c, n)
        local before = L.seq(R("scanInputOut"), L.slot("in", L.seq(sum_items, R("toGlobalTurned"))), R("mapGlobal", {d = 0}), R("toGlobalTurned"))
        local of = c.term.prim == "map" and scan_of(c:go("f"))
        local length = of and known(of.term)
        local behind = length and math.type(n) == "integer" and length % n or 0
        local rule = behind == 0 and R("scanFrom", {n = n}) or R("scanFromRest", {n = n, k = behind})
        local parts = L.slot("f", scanned(rule))
        local out = behind == 0 and L.seq(L.slot("f", L.normalize(R("scanShift"))), L.alt(R("scanZipOut"), R("scanOut"))) or cuts.letOut
        return L.seq(parts, out, L.slot("in", L.slot("0", before)), behind == 0 and chunk_items or rest_items).run(c)
    end)

-- The columns of each matrix of a batch, scanned, as those of all of them. The place of that; nil: they are no such.
local beside = L.seq(cuts.oneRow, L.normalize(R("zipDrop")))
local function batch(q)
    local inner = is_map(q.term) and q:go("f")
    local turned = inner and inner.term.prim == "transpose"
    inner = turned and inner:go("in") or inner
    if not inner or inner.term.prim ~= "map" or not takes_columns(inner.term) or not scan_of(inner:go("f")) then return nil end
    local all = L.seq(R("mapMapOut"), R("flattenMaps"), L.slot("in", L.slot("in", L.try(beside))))
    local r = (turned and L.seq(R("mapTransposeOut"), L.slot("in", all)) or all).run(q)
    r = r and r:go(table.unpack(turned and {"in", "in"} or {"in"}))
    return r and takes_columns(r.term) and r or nil
end

-- Columns that are scanned to rows of the result, on a GPU: of a copy whose rows they are, else what is read or what is written would be by
-- columns. The map then; nil: it is none such, or its columns are short.
local function of_copy(q)
    local of, up = q.term.prim == "map" and takes_columns(q.term) and scan_of(q:go("f")), q:up()
    if not of or (known(of.term) or 0) < lengths.GROUP or up and up.term.prim == "transpose" then return nil end
    local copy = copies.tiles(q:go("in"))
    return copy and (L.slot("in", L.seq(copy, R("toGlobal"))).run(q)) or nil
end

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
    q = after and r and r:go("in") or q
    local scan_of = q.term.prim == "map" and q.term:slot("f")
    if not scan_of or scan_of.prim ~= "scan" then return nil end
    if scan_of:slot("in").kind ~= "var" then
        q = L.seq(R("scanFission"), L.slot("in", before)).run(q)
    end
    return q and q.term:slot("in").prim == "transpose" and q
end

-- The columns of a matrix, scanned, and what is made of their elements: on a GPU in chunks, unless there are enough of them; on a CPU so many
-- at a time as a vector has. nil: they are no such.
local function columns_by_vectors(c)
    local q, m = scanned_columns(c), known(c.term)
    if not q then return nil end
    if not known(q:go("f").term) or not m then return differs(lengths.UNKNOWN) end
    local w = lengths.lanes(m)
    if not w then return differs("no vectors of 4, 8 or 16 columns divide %d", m) end
    return base.new("columns", function()
        local r = R("scanVectors", {w = w}).run(q)
        r = r and r:at(c)
        r = r and (q.place == c.place and r or vectorsOut.run(r))
        return r and L.slot("in", L.slot("in", L.slot("in", vectorItems))).run(r:at(c))
    end)
end

-- Is what is at q read again, and no part of the result?
local function is_kept(q)
    local up = q:up()
    while up and (up.term.layout_node or up.term.prim == "(,)" or up.term.prim == "let" and up:go("body").place == q.place) do q, up = up, up:up() end
    return up ~= nil
end

local function columns_by_items(c)
    local t = c.term
    local of = t.prim == "map" and takes_columns(t) and scan_of(c:go("f"))
    if not of then return nil end
    local n, m = known(of.term), known(t)
    if not n or not m then return differs(lengths.UNKNOWN) end
    local items = 4 * GPU.busy_items                                   -- that share the chunks
    local written = is_kept(c) and R("toGlobalTurned") or L.id         -- by neighbours side by side
    if m >= items then return L.seq(R("mapGlobal", {d = 0}), written) end
    local most = math.max(SIXTEEN, n * m // items, math.floor(math.sqrt(n)))         -- as long as the loop over their results
    local height = fitting(n, most, 1)
    if 2 * height < most then height = most end                      -- a few rows are left over
    if height >= n then return differs("%d rows are fewer than two chunks of %d", n, SIXTEEN) end
    return L.seq(L.scanChunks(height), written)
end

-- as `lower` has it

-- Vectors of a work-item that lie apart, the best first, where they leave so many items at most.
local SCAN_BESIDE = {{4, 5, 6, 7, 8, 3, 2}, {items = math.maxinteger, 8, 7, 6, 5, 4, 3, 2}}

-- So many groups keep a GPU busy though their items wait for each other.
local function enough_groups(n) return n and n >= lengths.busy_groups() end

-- How a group scans n elements: so many items, each of some chunks of a few elements beside each other; nil: n is too long, or nothing
-- divides it. In enough groups few items have several vectors each, for which they wait together.
local function by_items_of(n, enough)
    local chunks = n % VECTOR == 0 and n // VECTOR
    for _, ways in ipairs(chunks and enough and SCAN_BESIDE or {}) do
        for _, beside in ipairs(ways) do
            local items = chunks // beside
            if chunks % beside == 0 and items >= 2 * GPU.warp and items <= lengths.items(ways.items) then
                return {items = items, each = VECTOR, beside = beside, rounds = rounds_of(chunks)}
            end
        end
    end
    local items = n >= VECTOR * GPU.warp and fitting(n, math.min(GPU.max_group, n // VECTOR), 1)
    if not items or items < GPU.warp or n // items > ROW_KEPT then return nil end
    return {items = items, each = n // items, beside = 1, rounds = rounds_of(items)}
end

-- By a group: n elements by its items, or a few by one.
local function scanned_in_group(n, enough)
    local o = by_items_of(n, enough)
    if o then return L.scanInItems(o.each, o.rounds, 0, o.beside) end
    return n <= ROW_KEPT and L.scanInItems(n) or nil
end

-- Chunks' reductions, the scan of these, and each chunk from what is before it: three nests, each on its own merits.
local nests = shaping.shaped_nests
local function scan_parts(rule, inner)
    return L.seq(scanned(L.seq(L.slot("in", arrays_read), rule)), parts_read, at_before(L.seq(L.slot("in", nests), nests)),
                 L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", inner))))
end

-- Words of 32 bits in which groups tell each other an element of t; nil: they cannot.
local function words_of(t) return t.rank < 2 and not t.type:find("f16") and t.words or nil end

-- In one pass, where groups tell each other the reductions of their chunks: {behind = elements that are left over, o = the options of
-- scanInGroups}; nil: nothing divides n.
local SCAN_ROUND = lengths.GROUP                 -- elements a group of a GPU scans, at least; half of what one item scans behind the others, at most
local CHAINED = ROW_KEPT * lengths.GROUP         -- elements of one or two words a group scans
local SHORT_CHUNKS = 512                         -- chunks that may be short
local function scan_chained(t, n)
    local words, best = words_of(t), nil
    if not words then return nil end
    local most, warp, items = 2 * CHAINED // math.max(2, words), GPU.warp, lengths.items() // 2      -- items where there are many groups
    for behind = n % warp, 2 * SCAN_ROUND - 1, warp do
        local chunk = fitting(n - behind, most, warp)
        local o = chunk and chunk >= SCAN_ROUND and by_items_of(chunk, true)
        if o then
            local beside = chunk % (VECTOR * items) == 0 and enough_groups(n // chunk) and chunk // VECTOR // items or 0
            o = {n = chunk, each = o.each, rounds = o.rounds, beside = math.max(beside, o.beside)}
            local good = chunk * o.beside * o.rounds
            if not best or good > best.good then best = {behind = behind, o = o, good = good} end
            if behind == 0 and (2 * chunk >= most or n // chunk <= SHORT_CHUNKS) then break end
        end
    end
    return best
end

-- The scan of whose elements q, a map, or by items also a reduction, makes something, where groups do both in one pass, and how.
local function long_scan_of(q)
    local of = q and scan_of(q)
    local n = of and known(of.term) or 0
    return n >= CPU_MIN and of or nil, n
end
local finished = lengths.by_kind {
    gpu = {by = function(q)
        local reduces = q.term.prim == "reduce" and not q.term.is_array and engine.reassociates(q)
        local of, n = long_scan_of(reduces and q:go("in") or q.term.prim == "map" and q)
        local chained = of and scan_chained(of.term, n)
        if chained and chained.behind == 0 then return of, chained.o end
    end},
    cpu = {by = function(q)
        local of, n = long_scan_of(q.term.prim == "map" and q)
        local parts = of and fitting(n, CPU_PARTS, 1)
        if of and parts >= CPU_FEW then return of, n // parts end
    end},
}
local function scan_finished(q) return finished.by(q) end

-- What is left over goes on from the scan of all but the last few.
local function scan_rest(behind, most, rest)
    if not most or behind == 0 then return most end
    local read = L.slot("in", arrays_read)
    return L.seq(R("scanPeelLast", {n = behind}), L.slot("value", L.seq(read, most)), L.slot("body", L.slot("1", L.seq(read, rest or L.id))))
end
local function by_group(inner) return L.seq(R("scanWhole"), L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", inner)))) end
local few = by_group(L.seq(R("scanSeq"), L.slot("in", R("copyLocal"))))

-- The scan at c, or a map of one.
local function by_vectors(c)
    local finished, how = scan_finished(c)
    if finished then return scan_parts(R("scanFrom", {n = how}), L.id) end
    if c.term.prim ~= "scan" then return nil end
    local n = known(c.term)
    if not n then return differs(lengths.UNKNOWN) end
    local parts = n >= CPU_MIN and fitting(n, CPU_PARTS, 1)
    local behind = parts and parts < CPU_FEW and n % SCAN_ROUND or 0
    return parts and scan_rest(behind, scan_parts(R("scanFrom", {n = (n - behind) // fitting(n - behind, CPU_PARTS, 1)}), L.id))
end

local function by_items(c)
    local finished, how = scan_finished(c)
    if finished then return L.scanInGroups(how) end
    if c.term.prim ~= "scan" then return nil end
    local n = known(c.term)
    if not n then return differs(lengths.UNKNOWN) end
    -- A group has as many items as there are parts: of an argument, it has a chunk of a constant length.
    local constant = lengths.constant(c.term.length)
    local even = scanned_in_group(n) and 0 or n % GPU.warp
    for behind = even, n >= SCAN_ROUND and n < 2 * CHAINED and 2 * SCAN_ROUND or even, GPU.warp do
        local group = constant and scanned_in_group(n - behind)
        if group then return scan_rest(behind, by_group(group), few) end
    end
    if constant and n < CPU_MIN then return nil end
    local chained = scan_chained(c.term, n)
    if chained then return scan_rest(chained.behind, L.scanInGroups(chained.o), few) end
    local behind = n % SCAN_ROUND
    local chunk = fitting(n - behind, CHAINED // 2, GPU.warp)
    local of_chunk = chunk and chunk >= SCAN_ROUND and scanned_in_group(chunk, enough_groups(n // chunk))
    return of_chunk and scan_rest(behind, scan_parts(R("scanAdd", {n = chunk}), of_chunk), few)
end

return {columns_by_items = columns_by_items, columns_by_vectors = columns_by_vectors, batch = batch, of_copy = of_copy, by_items = by_items, by_vectors = by_vectors, finished = scan_finished,
        items_of = by_items_of, enough_groups = enough_groups}

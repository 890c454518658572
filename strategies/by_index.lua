-- by_index: macros for reductions by index (histograms): private copies of the elements for chunks of the pairs, copies in local memory
-- that the work-items of a group update at once, or one array in global memory that all do.

local base, L, blocking, rows, lengths, shaping = require "base", require "combinators", require "blocking", require "rows", require "lengths", require "shaping"
local is_map, known, differs, fitting, scalars_of = blocking.is_map, lengths.known, lengths.differs, lengths.fitting, lengths.scalars_of
local VECTOR, CPU_PARTS, GPU, CPU = lengths.VECTOR, shaping.CPU_PARTS, lengths.GPU, lengths.CPU
local R, macro, macro_at = base.R, base.macro, base.macro_at

-- What makes the pairs of a chunk is done in the chunk.
local intoChunks = L.normalize(L.alt(blocking.part_read, blocking.chunk_read, R("zipMap"), R("zipZip"), L.where(L.computes, R("mapFusion"))))

-- The pairs come from one map: what makes them, or a copy.
local fromMap = base.test("pairs from a map", "a reduction by index of what a map makes", function(t) return t:slot("in") ~= nil and t:slot("in").prim == "map" end)
local pairs_mapped = L.seq(L.slot("in", L.seq(L.try(R("zipMap")), L.normalize(L.where(L.computes, R("mapFusion"))))),
                           L.alt(fromMap, R("reduceByIndexPairs")))

local inPlace = L.slot("init", L.seq(R("copySeq"), R("toGlobal")))

macro("byIndexInItem", "", "a reduction by index by one work-item, in its order, in the memory where the result is",
    L.seq(pairs_mapped, R("reduceByIndexSeq"), inPlace, L.slot("in", R("mapSeq"))))

-- What the pairs are made of is computed for n elements at a time, in vectors of w, before any of them is used: where that is more than
-- an instruction or two.
local straight = base.test("a map that is worth vectors", "a map that computes more than sums, without reductions", function(t)
    return not t:slot("f"):contains("reduce") and blocking.takes_long(t:slot("f"))
end)
local function ahead(n, w)
    local vectors = L.seq(R("mapVectorise", {w = w}), L.slot("in", R("mapSeq")), R("toPrivate"))
    local constant = L.seq(R("mapConstantOut"), L.slot("in", vectors), R("mapSeq"))
    local each = L.alt(constant, L.seq(vectors, R("copySeq")))
    return L.seq(straight, R("splitJoin", {n = n}), L.slot("in", L.seq(L.slot("f", each), R("mapSeq"))))
end

-- Sequences of n pairs side by side, which the memory serves better than one after the other.
local function side_by_side(n)
    local columns = L.seq(rows.apart, L.slot("f", R("mapSeqUnroll")), R("mapSeq"))
    return L.seq(pairs_mapped, R("reduceByIndexStrided", {n = n}), R("reduceByIndexSeq"), inPlace, L.slot("in", L.slot("in", columns)))
end

-- The pairs from w consecutive elements, which are loaded together, by what makes them one by one.
local function loaded(w, made)
    if w == 1 then return made end
    local each = L.slot("f", L.seq(base.new("loads", function(c) return rows.in_vectors(c:go("in"), w):at(c) end), R("mapSeqUnroll")))
    return L.seq(R("splitJoin", {n = w}), L.slot("in", L.seq(each, made)))
end

-- Chunks of n pairs, each with elements of its own.
local function in_chunks(n, made) return L.seq(R("reduceByIndexParts", {n = n}), L.slot("in", L.slot("in", L.seq(intoChunks, made)))) end

macro("byIndexPeel", "(n)", "a reduction by index of all but the last n pairs, which then goes on", function(n)
    local pairs = L.slot("in", intoChunks)
    return L.seq(R("reduceByIndexPeel", n and {n = n}), pairs, L.slot("init", pairs))
end)

macro("byIndexCpu", "{chunk=65536, n=256, w=16, r=1}",
    "a reduction by index on a CPU: a work-group of one item a chunk, with elements of its own; and what they make of each element; "
    .. "what is computed of the pairs is so for n of them at a time, in vectors of w; others are taken from r places side by side",
    function(o)
        local item = o.r > 1 and L.alt(side_by_side(o.chunk // o.r), L.byIndexInItem) or L.byIndexInItem
        if o.w > 1 then item = L.alt(L.seq(pairs_mapped, R("reduceByIndexSeq"), inPlace, L.slot("in", ahead(o.n, o.w))), item) end
        return in_chunks(o.chunk, L.seq(L.slot("f", item), R("mapWorkgroup", {d = 0})))
    end)

local function in_items(n, d)
    local each = L.seq(L.slot("f", R("mapSeq")), R("mapLocal", {d = d}))
    return L.seq(R("splitJoin", {n = n}), L.slot("in", L.seq(R("mapInterchangeInner"), L.slot("in", each))))
end

-- A reduction by index of k elements as `made` makes one of m; odd: m where elements of items side by side are to lie in different banks.
local function of_more(k, m, made) return k == m and made or L.seq(R("reduceByIndexPad", {m = m}), L.slot("in", made), L.try(R("takeMap"))) end
local function odd(k) return k | 1 end

macro_at("byIndexInGroup", "{items=32, copies=8, w=4}",
    "a reduction by index by a work-group: copies of the elements in local memory, each updated by a number of items at a time, w pairs at a "
    .. "time; and what they make of each element",
    function(c, o)
        local start, items = L.slot("init", L.seq(R("copyItems", {n = GPU.warp, d = 0}), R("toLocal"))), in_items(o.items, 0)
        local copy = L.seq(pairs_mapped, R("reduceByIndexAtomic"), start, L.slot("in", loaded(o.w, items)))
        local fold = L.slot("f", L.seq(R("reduceSeq"), L.try(R("reduceUnroll"))))
        local copies = L.slot("in", L.slot("in", L.seq(intoChunks, L.slot("f", copy), R("mapLocal", {d = 1}), R("toLocal"))))
        local parts = L.seq(base.new("copies", function(q)
            return R("reduceByIndexParts", {n = q.term:slot("in").length / o.copies}).run(q)
        end), copies, fold)
        local k = c.term.length:known()
        if not k then return nil end
        local out = k % o.copies == 0 and k > o.copies
            and L.seq(R("splitJoin", {n = k // o.copies}), L.slot("in", L.seq(L.slot("f", R("mapLocal", {d = 0})), R("mapLocal", {d = 1}))))
            or R("mapLocal", {d = 0})
        return L.seq(of_more(k, lengths.above(k, GPU.warp), parts), out).run(c)      -- items set them together
    end, "a number of elements")

macro("byIndexGpu", "{chunk=65536, items=32, copies=8, w=4}",
    "a reduction by index on a GPU: a work-group for chunk*copies pairs, as byIndexInGroup; and what they make of each element",
    function(o)
        local group = L.byIndexInGroup({items = o.items, copies = o.copies, w = o.w})
        return in_chunks(o.chunk * o.copies, L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", group)))
    end)

-- Few elements: neighbours that update at once would wait for each other.

macro_at("byIndexApart", "{items=128}",
    "a reduction by index by a work-group: each item has elements of its own in local memory, and takes every items-th pair, or the next ones if "
    .. "their order counts; and what they make of each element", function(c, o)
        local k, n = c.term.length:known(), c.term:slot("in").length
        if not k then return nil end
        local start = L.slot("init", L.seq(R("copySeq"), R("toLocal")))
        local item = L.seq(pairs_mapped, R("reduceByIndexSeq"), start, L.slot("in", R("mapSeq")), R("copySeq"))
        local apart = L.seq(rows.apart, intoChunks, L.slot("f", item), R("mapLocal", {d = 0}), R("toLocal"))
        local parts = L.seq(L.try(R("reduceByIndexStrided", {n = o.items})), R("reduceByIndexParts", {n = n / o.items}), L.slot("in", L.slot("in", apart)),
                            L.slot("f", R("reduceSeq")))
        return L.seq(of_more(k, odd(k), parts), R("mapLocal", {d = 0})).run(c)
    end, "a number of elements")

macro("byIndexApartGpu", "{chunk=1024, items=128}", "a reduction by index on a GPU: a work-group for chunk*items pairs, as byIndexApart; and what they make of each element",
    function(o) return in_chunks(o.chunk * o.items, L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", L.byIndexApart({items = o.items})))) end)

-- Elements that are arrays: what the chunks make of them is no fold over arrays, but reduced by index again.

macro_at("byIndexAgainCpu", "{chunk=65536}",
    "a reduction by index on a CPU: a work-group of one item a chunk, with elements of its own, which are then reduced by index by one",
    function(c, o)
        local elements = L.slot("f", L.seq(L.slot("0", R("copySeq")), L.slot("1", L.byIndexInItem)))
        local groups = L.slot("in", L.slot("in", L.seq(intoChunks, elements, R("mapWorkgroup", {d = 0}))))
        local twice = R("reduceByIndexTwice", {n = o.chunk, m = c.term.length})
        return L.seq(twice, groups, R("reduceByIndexSeq"), inPlace, L.slot("in", R("copySeq"))).run(c)
    end)

macro_at("byIndexAgainGpu", "{chunk=1024, items=32}",
    "a reduction by index on a GPU: a work-group for each chunk, with elements in local memory, which are then reduced by index by all",
    function(c, o)
        local copied, k = R("copyItems", {n = o.items, d = 0}), c.term.length:known()
        local copy = L.seq(pairs_mapped, R("reduceByIndexAtomic"), L.slot("init", L.seq(copied, R("toLocal"))), L.slot("in", in_items(o.items, 0)))
        local elements = L.slot("f", L.seq(L.slot("1", copy), copied))
        local groups = L.slot("in", L.slot("in", L.seq(intoChunks, R("mapWorkgroup", {d = 0}), elements)))
        local twice = k and R("reduceByIndexTwice", {n = o.chunk, m = -(-k // o.items) * o.items})
        return twice and L.seq(twice, groups, R("reduceByIndexAtomic"), L.slot("init", R("copyGlobal", {d = 0}))).run(c)
    end, "a number of elements")

macro("byIndexColumns", "{chunk=1024, side=32, w=8}",
    "a reduction by index of arrays on a GPU: work-groups for chunks and side columns of them, an item for each column with elements of its own "
    .. "in local memory, which takes the pairs one after the other, w of them loaded together; and what they make of each element",
    function(o)
        local start = L.slot("init", L.seq(R("copySeq"), R("toLocal")))
        local item = L.seq(pairs_mapped, R("reduceByIndexSeq"), start, L.slot("in", loaded(o.w, R("mapSeq"))))
        local column = base.new("column", function(c)
            local k = c.term.length:known()
            return L.seq(k and of_more(k, odd(k), item) or item, R("copySeq")).run(c)
        end)
        local columns = blocking.in_groups(o.side, L.seq(R("mapLocal", {d = 0}), L.slot("f", column)))
        return L.seq(R("reduceByIndexColumns", {n = o.chunk}),
                     L.slot("in", L.slot("in", L.seq(R("mapWorkgroup", {d = 1}), L.slot("f", L.slot("in", columns))))))
    end)

macro("byIndexGlobal", "{w=1}",
    "a reduction by index by all work-items, in global memory: an item for w pairs",
    function(o)
        local items = loaded(o.w, R("mapGlobal", {d = 0}))
        return L.seq(pairs_mapped, R("reduceByIndexAtomic"), L.slot("init", R("copyGlobal", {d = 0})), L.slot("in", items))
    end)

macro("byIndexFlat", "",
    "a reduction by index of arrays by all work-items, in global memory: an item for each scalar, so that neighbours update neighbours",
    function()
        local pairs_of = L.seq(R("mapGlobal", {d = 1}), L.slot("f", R("mapGlobal", {d = 0})))
        return L.seq(R("reduceByIndexFlat"), L.slot("in", L.seq(R("reduceByIndexAtomic"), L.slot("init", L.seq(R("copyGlobal", {d = 0}), R("toGlobal"))),
                                                                L.slot("in", L.slot("in", pairs_of)))))
    end)

macro("byIndexItems", "{chunk=1024}",
    "a reduction by index that cannot be updated at once, on a GPU: a work-item for each chunk, with elements of its own",
    function(o) return in_chunks(o.chunk, L.seq(L.slot("f", L.byIndexInItem), R("mapGlobal", {d = 0}))) end)

-- as `lower` has it

local AHEAD, BESIDE = 256, 4             -- on a CPU: pairs that are computed before they are used; places they are read from side by side
local APART = lengths.GROUP // 2         -- items of a group that have elements of their own

-- How many pairs are made of 16 bytes of the array that t maps.
local function together(t)
    local bytes = t.prim == "map" and t:slot("in").element_bytes
    return bytes and VECTOR * 4 // bytes or VECTOR
end

-- The elements in groups of a GPU: chunks of pairs for so many copies of them; nil: local memory is too small, or nothing divides.
local function copies_in_group(scalars, pairs, widest)
    local most = lengths.group_words() // (scalars + GPU.warp)
    for _, w in ipairs({widest, VECTOR, 1}) do
        local copies = lengths.GROUP // GPU.warp
        while copies > 0 do
            local chunk = copies <= most and fitting(pairs // copies, pairs // copies, GPU.warp * w)
            if chunk and chunk * copies == pairs then return {items = GPU.warp, copies = copies, w = w} end
            copies = copies // 2
        end
    end
end

-- The reduction at c of n pairs by copies, and by all at once; arrays: how many elements there are that are arrays.
local function by_items(c, n, scalars, arrays)
    local elements, widest = known(c.term), together(c.term:slot("in"))
    local all = L.byIndexGlobal({w = n % VECTOR == 0 and VECTOR or 1})
    local side = arrays and fitting(scalars // arrays, GPU.warp, 1)
    if arrays and side >= GPU.warp // 2 and (arrays + 1) * side <= lengths.group_words() then
        local chunk = fitting(n, math.max(arrays, n * (scalars // arrays // side) // (2 * lengths.busy_groups())), 1)
        if chunk >= arrays then return L.byIndexColumns({chunk = chunk, side = side, w = fitting(chunk, 2 * VECTOR, 1)}), all end
    end
    if arrays then                       -- so many groups that the elements of each are worth it
        local chunk = scalars + GPU.warp <= lengths.group_words() and fitting(n, math.max(VECTOR * (arrays + GPU.warp), n // (2 * lengths.busy_groups())), GPU.warp)
        return chunk and L.byIndexAgainGpu({chunk = chunk, items = GPU.warp}) or L.fail, L.alt(L.byIndexFlat(), all)
    end
    local round = lengths.GROUP * VECTOR
    local part = fitting(n, math.max(round, n // (lengths.busy_groups() // 2)), round)
    local group = part and copies_in_group(scalars, part, widest)
    if group then group.chunk = part // group.copies end
    local few = elements < GPU.warp and fitting(n // APART, math.max(1, n // APART // (lengths.busy_groups() // 2)), 1)
    local words = 2 * (scalars + scalars // elements) * APART               -- where they are updated, and where others read them
    local copies = group and L.byIndexGpu(group) or L.fail
    if few and few >= elements and words <= lengths.group_words() then copies = L.alt(L.byIndexApartGpu({chunk = few, items = APART}), copies) end
    local items = n // fitting(n, math.max(1, math.min(GPU.busy_items, n // (2 * scalars))), 1)
    return copies, all, L.byIndexItems({chunk = items})
end

-- The same on a CPU, where that makes parts; nil: it does not.
local function by_vectors(_, n, scalars, arrays)
    local parts = fitting(n, math.min(CPU_PARTS, (arrays and n * scalars // arrays or n) // (VECTOR * scalars)), 1)
    if not parts or parts < 2 then return nil end
    if arrays then return L.byIndexAgainCpu({chunk = n // parts}), L.fail end
    local some = fitting(n // parts, AHEAD, CPU.lanes)
    local beside = n >= lengths.far(CPU) and n // parts % BESIDE == 0 and BESIDE or 1
    return L.byIndexCpu({chunk = n // parts, n = some or 1, w = some and CPU.lanes or 1, r = beside}), L.fail
end

-- What nothing divides goes on from all but the last few pairs, what is left of rounds. made: by_items, by_vectors.
local function recognise(c, round, made)
    if c.term.prim ~= "reduceByIndex" then return nil end
    local n, scalars = known(c.term:slot("in")), scalars_of(c.term)
    if not n or not scalars then return differs(lengths.UNKNOWN) end
    local arrays = c.term:slot("f").is_array and known(c.term)          -- so many
    local added = arrays and n * scalars // arrays or n
    if added < shaping.CPU_MIN then return differs("%d scalars are fewer than %d", added, shaping.CPU_MIN) end
    local copies, all, apart = made(c, n, scalars, arrays)
    if n % round ~= 0 and n >= 2 * round and not (arrays and copies == L.fail) then
        return L.seq(L.byIndexPeel(n % round), L.slot("init", shaping.shaped_nests))
    end
    if not copies then return nil end
    local function parts(s) return L.seq(s, L.try(L.where(is_map, shaping.shaped_nest))) end
    return L.alt(parts(copies), all, apart and parts(apart) or L.fail)
end

-- Rows that are each reduced by index, on a GPU: a group a row, or where these are few for it, for parts of a row.
local function rows_by_items(c)
    local body = is_map(c.term) and c:go("f")
    local n = body and body.term.prim == "reduceByIndex" and known(body.term:slot("in"))
    local scalars, rows_made = n and scalars_of(body.term), known(c.term)
    if not scalars or not rows_made then return nil end
    local widest = together(body.term:slot("in"))
    local function group_of(part)
        local group = copies_in_group(scalars, part, widest)
        return group and L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", L.byIndexInGroup(group)))
    end
    local share = rows_made < GPU.units and math.max(shaping.CPU_MIN, n * rows_made // (lengths.busy_groups() // 2))
    local part = share and fitting(n, share, GPU.warp)
    local parts = part and part < n and group_of(part)
    return parts and L.seq(L.slot("f", in_chunks(part, parts)), R("mapMapOut"), L.slot("in", R("mapWorkgroup", {d = 1})), shaping.shaped_nest)
           or group_of(n)
end

return {rows_by_items = rows_by_items, by_items = function(c) return recognise(c, lengths.GROUP * VECTOR, by_items) end,
        by_vectors = function(c) return recognise(c, CPU_PARTS, by_vectors) end}

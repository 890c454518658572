-- rows: macros for a map whose function reduces long arrays, once or several times, one after the other, and maps what it read
-- again (softmax, normalisation): the work-items of a group share each of these steps. A work-item has elements that lie
-- apart, so that neighbours read neighbours; arrays with a name are kept in its registers.

local base, L = require "base", require "combinators"
local blocking, VECTOR = require "blocking", require("lengths").VECTOR
local R, macro, is_map = base.R, base.macro, blocking.is_map

-- Names come out of what is read, and maps that feed maps, reductions or zips are one with them: what is left of a row are
-- reductions and maps of named arrays.
local names_out = L.alt(R("mapLetOut"), R("reduceLetOut"), R("zipLetOut"), R("letLetOut"), R("takeLetOut"))
local fused = L.normalize(L.alt(names_out, R("zipMap"), L.where(L.computes, R("mapFusion"))))
macro("rowSteps", "", "the steps of a row: names come out of what is read, and maps that feed maps are one", fused)

-- What is read by elements that lie apart, with the layouts at the arrays themselves.
local reordered = L.where(function(t) return is_map(t:slot("in")) end, R("mapReorder.rev"))
local apart = L.normalize(L.alt(R("splitOfJoin"), R("transposeTranspose"), R("splitMap"), R("transposeMaps"), R("splitZip"),
                                R("transposeZip"), reordered, R("zipMap"), L.where(L.computes, R("mapFusion"))))

-- A reduction by all work-items: partial results, then rounds of sixteen, as long as there are more.
local SIXTEEN, UNROLLED = 16, 64
local ROW_KEPT = 32                      -- elements of a row that a work-item keeps in registers
local function shorter(most)
    return base.test("a short array", "an array of at most " .. most .. " elements", function(t)
        local n = t:slot("in").length.value
        return n and n <= most
    end)
end
local short, few_left = shorter(UNROLLED), shorter(SIXTEEN)
local fold = L.seq(R("reduceSeq"), L.try(R("reduceMapFusion")), L.try(L.where(short, R("reduceUnroll"))))
local kept = base.test("a named array", "a map over a named array", function(t) return t:slot("in").is_atom end)
-- Elements that are arrays are more than an item has registers for.
local few_scalars = base.test("few scalars", "a reduction of at most " .. UNROLLED .. " scalars", function(t)
    return (t:slot("in").scalars:known() or 0) <= UNROLLED
end)
local load_first = L.try(L.where(few_scalars, R("loadFirst")))
local loads = L.alt(kept, L.slot("f", load_first))
local loop = L.alt(L.where(short, R("mapSeqUnroll")), R("mapSeq"))

-- Consecutive elements of arrays in memory that straight-line code reads, in vectors.
local function in_vectors(q, w)
    local t = q.term
    local parts = t.prim == "zip" and t.slots or {}
    local r = t.is_atom and t.rank == 1 and R("loadVectors", {w = w or VECTOR}).run(q)
    for _, slot in ipairs(parts) do q = in_vectors(q:go(slot), w):at(q) end
    return r and r:at(q) or q
end
local unrolled_loads = base.new("unrolled loads", function(c)
    if c.term.prim ~= "reduceSeqUnroll" and c.term.prim ~= "scanSeqUnroll" then return nil end
    return in_vectors(c:go("in")):at(c)
end)

-- How many of n results an item takes at the next round: sixteen, or the most below that divides them; nil: nothing does.
local function next_chunk(n)
    for k = SIXTEEN, VECTOR, -1 do
        if n % k == 0 then return k end
    end
end

-- Results of the items in dimension d in local memory; those of neighbours, where rows lie side by side in dimension 0, in different banks.
local function in_local(d) return L.seq(R("mapLocal", {d = d}), R("toLocal"), d > 0 and L.try(R("padLocalRow", {k = 1})) or L.id) end
local function tree(rounds, d)
    if rounds == 0 then return R("reduceSeq") end
    local part = L.seq(L.slot("f", R("reduceSeq")), in_local(d))
    local chunks = base.new("chunks", function(c)
        local length = c.term:slot("in").length:known()
        local n = not length and SIXTEEN or next_chunk(length)
        return n and R("reduceSplit", {n = n}).run(c)
    end)
    return L.alt(L.where(few_left, R("reduceSeq")), L.seq(chunks, L.slot("in", part), tree(rounds - 1, d)), R("reduceSeq"))
end

-- The partial results of n work-items, each of every n-th w elements in a row, which it loads together.
local function by_vectors(n, w, d)
    local whole = L.seq(L.slot("in", L.seq(L.slot("in", R("splitMap")), R("transposeMaps"))), R("mapFusion"), L.slot("f", R("reduceReduce")))
    local chunk = L.seq(L.try(R("reduceMapFusion")), R("reduceUnroll"), unrolled_loads)
    local part = L.seq(R("reduceSeq"), R("reduceJoin"), L.try(R("reduceMapFusion")), L.slot("f", L.topdown(chunk)))
    return L.seq(R("reduceSplit", {n = w}), R("reduceStrided", {n = n}), L.slot("in", L.seq(whole, apart, L.slot("f", part), in_local(d))))
end

macro("reduceInItems", "(n[, rounds[, d[, w]]])",
    "a reduction by n work-items of a group in dimension d, each of every n-th element, w of them loaded together, or of the next ones if their "
    .. "order counts; their results are combined sixteen at a time, or by another number that divides them, in rounds",
    function(n, rounds, d, w)
        if w and w ~= 1 then return L.seq(by_vectors(n, w, d or 0), tree(rounds or 0, d or 0)) end
        local function parts(loaded) return L.slot("in", L.seq(apart, L.slot("f", fold), loaded, in_local(d or 0))) end
        local chunks = base.new("chunks", function(c)
            return R("reduceSplit", n and {n = c.term:slot("in").length / n}).run(c)
        end)
        local strided = L.seq(R("reduceStrided", n and {n = n}), parts(loads))
        local ordered = L.seq(chunks, parts(L.slot("f", L.try(unrolled_loads))))
        return L.seq(L.alt(strided, ordered), tree(rounds or 0, d or 0))
    end)

macro("reduceInWarp", "(n)",
    "a reduction by n lanes of a warp, a power of two, each of every n-th element; their results are combined by shuffles, after which each lane has that of all",
    function(n)
        local parts = L.seq(apart, L.slot("f", fold), loads, R("mapLane"))
        return L.seq(R("reduceStrided", n and {n = n}), L.slot("in", parts), R("reduceByLanes"), L.rep(R("halveLanes")), R("firstLane"))
    end)

local lanes = L.alt(R("mapLane"), R("copyLanes"))
macro("scanInWarp", "", "a scan of a power of two of elements by as many lanes of a warp, by shuffles",
    L.seq(R("scanByLanes"), blocking.first(function(t) return t.prim == "split" end, L.slot("in", lanes)), L.rep(R("doubleLanes")), R("eachLane")))

macro("mapInItems", "(n[, d])", "a map by n work-items of a group in dimension d, each of every n-th element", function(n, d)
    local each = L.seq(apart, L.slot("f", loop), R("mapLocal", {d = d or 0}))
    return L.seq(R("splitJoin", n and {n = n}), L.slot("in", L.seq(R("mapInterchangeInner"), L.slot("in", each))))
end)

macro("mapInGroups", "{n=1024, items=256, w=1}",
    "a map on a GPU: a work-group for n elements, a work-item takes w neighbouring ones at regular distances, straight-line code",
    function(o) return blocking.in_groups(o.n, blocking.by_vectors(o.w, L.mapInItems(o.items))) end)

macro("keepInItems", "(n[, d])",
    "the map that a name stands for by n work-items of a group in dimension d, each of every n-th element: in their registers if "
    .. "they are few, or in local memory",
    function(n, d)
        local items = R("mapLocal", {d = d or 0})
        local kept_there = L.alt(L.seq(L.slot("f", L.where(short, R("mapSeqUnroll"))), items, R("toPrivate")),
                                 L.seq(L.slot("f", R("mapSeq")), items, R("toLocal")))
        return L.seq(R("letMapStrided", n and {n = n}), L.slot("value", L.seq(apart, kept_there)))
    end)

-- What is left of the elements of the array x, if it is taken by n; 0 if that is not known.
local function left(x, n)
    local length = x.length:known()
    return length and math.type(n) == "integer" and length % n or 0
end

-- The last k elements apart. What is read is written down for both parts, and again by what makes it, if that was peeled: up to so many nodes.
local READ_MOST = 2000
local is_short = base.test("a short input", "what is read is at most " .. READ_MOST .. " nodes", function(t) return t:slot("in").size <= READ_MOST end)
local function peel(rule, k) return L.seq(is_short, rule({n = k}), blocking.parts_read) end

-- A map by the first strategy but for the last k elements; these by the second, if it is given.
local function but_for(k, most, rest)
    return k == 0 and most or L.seq(peel(R("mapPeelLast"), k), L.slot("0", most), rest and L.slot("1", rest) or L.id)
end

-- A map that n does not divide: all but what is left by the first strategy, that by the second; a shorter one is all left.
local function peeled(t, n, most, rest)
    local k = left(t:slot("in"), n)
    if k == t.length:known() then return rest end
    return but_for(k, most, rest)
end

-- A reduction of what no number of items divides: k elements each, of several sums in a loop, and one of the rest.
local function with_rest(k, o, several)
    local read = L.normalize(L.alt(blocking.part_read, R("zipMap"), L.where(L.computes, R("mapFusion"))))
    local part = several and L.seq(R("reduceSeq"), L.try(R("reduceMapFusion"))) or L.seq(fold, load_first)
    return L.seq(R("reduceStridedRest", {k = k}), L.slot("in", L.seq(read, L.try(L.topdown(R("padConstMap"))), read, apart, L.slot("f", L.topdown(part)), in_local(o.dim))), tree(o.rounds, o.dim))
end

-- By how many items a reduction is made, and how many elements are then left: n items, or where they are fewer so many sixteens.
local function sharing(t, n)
    local x = t:slot("in")
    local k, length = left(x, type(n) == "userdata" and n:known() or n), x.length:known()
    if k ~= length then return n, k end
    return length - length % SIXTEEN, length % SIXTEEN
end

-- What a row gives besides other results is written by the work-items that have it.
local function given(q, o)
    local copied = L.seq(R("copyItems", {n = o.items, d = o.dim}), apart, L.slot("in", L.slot("in", L.slot("f", L.try(R("unrollMap"))))))
    for _, slot in ipairs(q.term.slots) do
        local t = q.term:slot(slot)
        local r = t.rank > 0 and (t.is_atom or t.is_layout) and left(t, o.items) == 0 and copied.run(q:go(slot))
        q = r and r:at(q) or q
    end
    return q
end

-- The place q after its step, if it has one that works, and below it after each(place, o); what a step made is left as it is, but for
-- the body of a name.
local function step_by_step(q, step, each, o)
    local t = q.term
    local r = step and step.run(q)
    if r then q = r:at(q) end
    if r and t.prim ~= "let" then return q end
    for _, slot in ipairs(t.slots) do
        local p = slot ~= "f" and not (r and slot == "value") and q:go(slot)
        if p then q = each(p, o):at(q) end
    end
    return q
end

-- The scan at q, or the one of whose elements the map there makes something, one by one.
local function scan_of(q)
    return blocking.read_by(q, function(p)
        local t = p.term
        if t.prim == "scan" then return p end
        if t.prim ~= "map" or t:slot("f").is_array or t:slot("f"):contains("reduce") then return false end
    end)
end

-- scans by the work-items of a group: chunks, each scanned by one, and what is before a chunk added to it

local few_kept = shorter(ROW_KEPT)
local straight = L.seq(R("scanUnroll"), unrolled_loads)
local scan = L.seq(R("scanSeq"), L.try(R("scanMapFusion")), L.try(L.where(few_kept, straight)))
local by_four = L.seq(R("mapVectorise", {w = VECTOR}), L.slot("in", R("mapSeqUnroll")))
local stored = L.alt(L.where(few_kept, L.alt(by_four, R("mapSeqUnroll"))), R("mapSeq"))

-- So many rounds leave a few of n results to one work-item.
local function rounds_of(n)
    local k = n > 2 * SIXTEEN and next_chunk(n)
    return k and 1 + rounds_of(n // k) or 0
end

-- A map by items that each take so many elements, which lie apart, each by a step; its result stays where home says.
local function beside_each_other(d, beside, step, home)
    local inner = L.seq(step, R("mapLocal", {d = d}))
    if beside == 1 then return L.seq(apart, inner, home) end
    return base.new("beside", function(c)
        return L.seq(R("splitJoin", {n = c.term.length / beside}), L.slot("in", L.seq(apart, L.slot("f", inner), R("mapSeqUnroll"), home))).run(c)
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

-- What is made of the elements is made where they are.
local fuses = L.where(function(t) return t.prim == "map" and is_map(t:slot("in")) end, R("mapFusion"))
local finished = L.normalize(L.alt(R("zipLetOut"), R("mapLetOut"), R("zipConcat"), R("mapConcat"), R("zipJoin"), R("mapJoin"), R("zipZip"), R("zipMap"), fuses))

-- At the scan of which what is before a chunk is taken.
local function at_before(s) return blocking.first(function(t) return t.prim == "padConst" and t:slot("in").prim == "scan" end, L.slot("in", s)) end

-- The scan that is here, or of which elements are made here, by that rule, and all that is here then.
local function scanned(rule)
    return base.new("scan", function(c)
        local q, f = scan_of(c), nil
        if not q then return nil, base.failure(c, "scan", "a scan, or a map of one") end
        q, f = rule.run(q)
        return q and finished.run(q:at(c)), f
    end)
end

-- The parts of an array that the let here names, kept; the scan of their last elements; what a map adds to the parts.
local function kept_parts(d, beside)
    return L.seq(L.slot("value", beside_each_other(d, beside, L.slot("f", scan), R("toPrivate"))), beside > 1 and R("letJoinOut") or L.id)
end
local function ends(rounds, d, beside) return L.seq(L.slot("in", beside_each_other(d, beside, L.id, R("toLocal"))), results(rounds, d)) end
local function added(d, beside) return beside_each_other(d, beside, L.slot("f", stored), L.id) end

function in_group(n, rounds, d, beside)
    local sums = at_before(ends(rounds, d, beside))
    return L.seq(scanned(R("scanKept", n and {n = n})), kept_parts(d, beside), L.slot("body", L.slot("in", L.seq(sums, added(d, beside)))))
end

macro("scanInItems", "(n[, rounds[, d[, beside]]])",
    "a scan, or a map of one, by the work-items of a group in dimension d, each of n elements, and of so many such chunks that lie "
    .. "apart; their results are combined sixteen at a time, or by another number that divides them, in rounds",
    function(n, rounds, d, beside) return in_group(n, rounds or 0, d or 0, beside or 1) end)

-- The place of a scan that is read at q by other places than it is made at: under layouts, in what a map or a reduction reads.
local function scan_below(q)
    local t = q.term
    if t.prim == "scan" then return q end
    for _, slot in ipairs((t.layout_node or t.prim == "zip" or t.prim == "map") and t.slots or {}) do
        local p = slot ~= "f" and scan_below(q:go(slot))
        if p then return p end
    end
end

-- Scans that others read element by element, but not where they are made: each by the work-items, in local memory.
local function scans_first(q, o)
    local t = q.term
    local p = (t.prim == "reduce" or is_map(t)) and not scan_of(q) and scan_below(q:go("in"))
    local r = p and L.seq(R("toLocal"), L.slot("in", L.scanInItems(o.each, o.rounds, o.dim, o.beside))).run(p)
    return r and scans_first(r:at(q), o) or q
end

-- A reduction of what is scanned: the scan by the work-items, in local memory, with its names before the reduction. The place of both.
local function scan_first(q, o)
    local x = q.term.prim == "reduce" and q:go("in")
    if not x or not scan_of(x) then return nil end
    local r = L.seq(L.scanInItems(o.each, o.rounds, o.dim, o.beside), L.slot("body", L.slot("in", R("toLocal")))).run(x)
    r = r and R("reduceLetOut").run(r:at(q))
    return r and r:at(q)
end

-- The steps of the row at q, each by the work-items.
local steps
function steps(q, o)
    if q.term.prim == "(,)" then q = given(q, o) end
    local scanned = scan_first(q, o)
    if scanned then return steps(scanned:go("body"), o):at(scanned) end
    q = scans_first(q, o)
    if q.term.prim == "let" and is_map(q.term:slot("value")) then q = scans_first(q:go("value"), o):at(q) end
    local t = q.term
    local step
    local items = R("mapLocal", {d = o.dim})
    if t.prim == "let" and is_map(t:slot("value")) then
        -- A scan takes elements one after the other, which are other items' than those of the map.
        local some = left(t:slot("value"), o.items) ~= 0 or t:slot("body"):contains("scan")
        step = some and L.slot("value", L.seq(peeled(t:slot("value"), o.items, L.mapInItems(o.items, o.dim), items), R("toLocal")))
            or L.keepInItems(o.items, o.dim)
    elseif t.prim == "reduce" and not t.is_array then
        local n, k = sharing(t, o.items)
        local each = k ~= 0 and o.each and t:slot("in").length:known() // o.each == o.items and with_rest(o.each, o, t.components > 1).run(q)
        if each then return each:at(q) end
        local r = k ~= 0 and n ~= 0 and peel(R("reducePeelLast"), k).run(q)
        if r then return steps(r:at(q), o) end
        if n == 0 then return q end
        local w = o.w or 1
        step = L.reduceInItems(n, o.rounds, o.dim, left(t:slot("in"), o.items * w) == 0 and w or 1)
        if o.warps then step = L.alt(L.reduceInWarp(n), step) end
    elseif scan_of(q) then step = L.scanInItems(o.each, o.rounds, o.dim, o.beside)
    elseif is_map(t) then step = peeled(t, o.items, L.mapInItems(o.items, o.dim), items) end
    return step_by_step(q, step, steps, o)
end

base.macro_at("rowsInGroups", "{items=256, each=16, w=1, beside=1, dim=0, side=1, group=0, rounds=1, keep=false}",
    "a map of rows: a work-group takes a number of neighbouring rows; for each, some of its items (in dimension dim) share each step; "
    .. "results of reductions and scans are combined sixteen at a time, in rounds; "
    .. "each: elements an item scans, in each of so many chunks beside, or reduces, and one of the rest, where items divide no row; "
    .. "w: elements of a reduction that an item loads together; keep: the row is read once, to registers",
    function(c, o)
        local group, several = R("mapWorkgroup", {d = o.group}), o.side ~= 1
        if several then
            group = L.seq(R("splitJoin", {n = o.side}), L.slot("in", L.seq(group, L.slot("f", R("mapLocal", {d = 1 - o.dim})))))
        end
        local q, f = L.seq(L.slot("f", fused), o.keep and R("keepRow", {n = o.items, d = o.dim}) or L.id, group).run(c)
        if not q then return nil, f end
        return steps(several and q:go("in", "f", "f") or q:go("f"), o)
    end)

base.macro_at("rowsInWarps", "{warps=4, lanes=32, each=16, keep=false}",
    "a map of rows: a work-group takes so many neighbouring rows, each of its warps one, whose lanes share each step; results of reductions are combined by "
    .. "shuffles; each, keep: as of rowsInGroups",
    function(c, o)
        local row = L.seq(R("splitJoin", {n = o.warps}), L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", R("mapWarp")))))
        local q, f = L.seq(L.slot("f", fused), o.keep and R("keepRow", {n = o.lanes, d = 0}) or L.id, row).run(c)
        if not q then return nil, f end
        return steps(q:go("in", "f", "f"), {items = o.lanes, each = o.each, keep = o.keep, dim = 0, rounds = 1, warps = o.warps})
    end)

return {scan_of = scan_of, SIXTEEN = SIXTEEN, UNROLLED = UNROLLED, ROW_KEPT = ROW_KEPT, next_chunk = next_chunk, names_out = names_out, in_local = in_local, tree = tree, left = left, step_by_step = step_by_step,
        in_vectors = in_vectors, but_for = but_for, peeled = peeled, apart = apart, peel = peel, steps = steps,
        scans = {rounds_of = rounds_of, beside_each_other = beside_each_other, scanned = scanned, at_before = at_before, kept_parts = kept_parts, ends = ends, added = added, fuses = fuses}}

-- vectors: macros for maps and reductions over long arrays, in vectors and with several accumulators: the operations of
-- BLAS levels 1 and 2 on a CPU (one work-item a group, wide vectors) and on a GPU (many work-items, short vectors).

local base, L, blocking, rows = require "base", require "combinators", require "blocking", require "rows"
local R, test, macro, macro_at = base.R, base.test, base.macro, base.macro_at
local first, innerFold, DIMENSIONS = blocking.first, blocking.innerFold, require("lengths").DIMENSIONS

local isReduce = test("a reduction", "a reduction (reduce)", function(t) return t.prim == "reduce" end, "reduce")
local isFold = test("a fold", "a fold (reduceSeq)", function(t) return t.prim == "reduceSeq" end, "reduceSeq")
local function at_reduce(a) return first(isReduce, a) end
local function at_map(a) return first(L.computes, a) end

-- What feeds a split moves behind it, and into the function that works on the chunks.
local intoChunks = L.normalize(L.alt(R("splitMap"), R("splitZip"), R("reduceMapFusion"), R("zipMap"), R("zipZip"),
                                     L.where(L.computes, R("mapFusion"))))

macro("reduceChunks", "(n)", "the first reduction as one of the reductions of chunks of n elements", function(n)
    return at_reduce(L.seq(R("reduceSplit", n and {n = n}), L.slot("in", intoChunks)))
end)

macro("reduceLanes", "(n)",
    "the lowest reduction with n accumulators side by side, in one pass over its input", function(n)
    local columns = L.seq(R("reduceColumns", n and {n = n}), L.slot("in", intoChunks))
    return L.bottomup(L.where(isReduce, columns))
end)

macro("vectoriseFold", "(w)", "the accumulators of the innermost fold, an array, as vectors of w", function(w)
    return first(innerFold, L.seq(L.slot("f", L.topdown(R("vectorise", {w = w}))), R("accAsVector1", {w = w}), blocking.clean_vectors))
end)

-- Where the accumulators of a fold are and what is done with them afterwards.

local function at_inner_fold(a) return first(L.where(isFold, innerFold), a) end
local unrolled = L.seq(R("reduceSeq"), R("reduceUnroll"))

macro("accumulateInItem", "",
    "the accumulators of the innermost fold, an array, in registers of one work-item",
    at_inner_fold(L.seq(L.slot("f", at_map(R("mapSeqUnroll"))), R("accInPrivate"))))

macro("accumulateInItems", "",
    "the accumulators of the innermost fold, an array, in registers of the work-items of a group",
    at_inner_fold(L.seq(L.slot("f", at_map(R("mapLocal", {d = 0}))), R("accInItems"))))

macro("unrollReduce", "", "the lowest reduction as straight-line code", L.bottomup(L.where(isReduce, unrolled)))

macro("treeReduce", "(n, ...)",
    "the lowest reduction as a tree in local memory: a work-item for n values, again for each number given",
    function(...)
        local items = L.seq(R("mapLocal", {d = 0}), R("toLocal"), L.slot("in", L.slot("f", unrolled)))
        local rounds = {}
        for i, n in ipairs({...}) do rounds[i] = L.seq(R("reduceSplit", {n = n}), L.slot("in", items)) end
        rounds[#rounds + 1] = unrolled
        return L.bottomup(L.where(isReduce, L.seq(table.unpack(rounds))))
    end)

macro("reduceInItem", "{w=16, u=4}",
    "the lowest reduction in one work-item, with u accumulators that are vectors of w", function(o)
    return L.seq(L.reduceLanes(o.w * o.u), L.vectoriseFold(o.w), L.unrollReduce, L.accumulateInItem, L.fuseSums)
end)

macro("reduceInGroup", "{l=256, w=4}",
    "the lowest reduction by l work-items of a group, with vectors of w, then a tree in local memory",
    function(o)
        return L.seq(L.reduceLanes(o.l * o.w), L.vectoriseFold(o.w), L.accumulateInItems, L.treeReduce(o.w, 16),
                     L.fuseSums)
    end)

local groups = at_map(R("mapWorkgroup", {d = 0}))

macro("reduceCpu", "{chunk=65536, w=16, u=4}",
    "a reduction on a CPU: a work-group of one item a chunk, then the sum of their results",
    function(o)
        return L.seq(L.reduceChunks(o.chunk), L.reduceInItem({w = o.w, u = o.u}), groups, at_reduce(R("reduceSeq")))
    end)

macro("reduceWholeInItems", "(n)", "the first reduction by one work-group of n items", function(n)
    return at_reduce(L.seq(R("reduceWhole"), L.slot("in", L.seq(intoChunks, L.rowsInGroups({items = n})))))
end)

macro("reduceGpu", "{chunk=16384, l=256, w=4, again=true, whole=false}",
    "a reduction on a GPU: a work-group of l items a chunk; again: their results once more, by l*w; then a sum; whole: by one group, "
    .. "however many they are",
    function(o)
        local group = L.reduceInGroup({l = o.l, w = o.w})
        local function round(n) return L.seq(L.reduceChunks(n), groups, group) end
        if o.whole then return L.seq(round(o.chunk), L.reduceWholeInItems(o.l)) end
        return L.seq(round(o.chunk), o.again and round(o.l * o.w) or L.id, at_reduce(R("reduceSeq")))
    end)

-- A chunk of vectors as r parts side by side: the memory serves several sequences at once better than one.
local function side_by_side(parts, vectors)
    local columns = L.seq(R("mapInterchangeInner"), L.slot("in", L.seq(L.slot("f", R("mapSeqUnroll")), R("mapSeq"))))
    return L.seq(R("splitJoin", {n = vectors // parts}), L.slot("in", columns))
end

macro("mapCpu", "{chunk=65536, w=16, r=1, stream=false}",
    "a map on a CPU: a work-group of one item a chunk, w elements at a time, r parts of it side by side; "
    .. "stream: written past the caches",
    function(o)
    local vectors = o.r > 1 and side_by_side(o.r, o.chunk // o.w) or R("mapSeq")
    local chunks = at_map(blocking.in_groups(o.chunk, blocking.by_vectors(o.w, vectors)))
    return o.stream and at_map(L.seq(R("toGlobalStream"), chunks)) or chunks
end)

macro("mapGpu", "{w=4}", "a map on a GPU: a work-item for every w elements", function(o)
    return at_map(blocking.by_vectors(o.w, R("mapGlobal", {d = 0})))
end)

-- Maps in each other by a GPU's work-items, the inner ones in the lower dimensions: the items of all, or where they are more than its
-- dimensions, of groups that the outer ones make.
local function in_dimensions(c)
    local list = blocking.levels(c)
    local n, q = #list, c
    if n > 2 * DIMENSIONS then return nil, base.failure(c, "mapsInItems", "at most " .. 2 * DIMENSIONS .. " maps in each other") end
    local inner = n <= DIMENSIONS and n or math.min(DIMENSIONS, n // 2)
    for i, place in ipairs(list) do
        local d = n - i
        local form = R(n <= DIMENSIONS and "mapGlobal" or d < inner and "mapLocal" or "mapWorkgroup")
        local r, f = form({d = d < inner and d or d - inner}).run(q:at(place))
        if not r then return nil, f end
        q = r:at(c)
    end
    return q
end

macro_at("mapsInItems", "", "maps in each other on a GPU: a work-item for each element, the innermost in dimension 0",
         function(c) return in_dimensions(c) end)

macro_at("mapsInGroups", "", "maps in each other on a GPU: a work-group for each row, whose items share its elements", function(c)
    local list = blocking.levels(c)
    local r, f = #list > 1 and c or nil, nil
    for i, p in ipairs(list) do
        local form = i < #list and R("mapWorkgroup", {d = #list - i - 1}) or R("mapLocal", {d = 0})
        if r then r, f = form.run(r:at(p)) end
    end
    return r, f
end, "a map of maps")

macro_at("mapRowsGpu", "{w=4}", "maps in each other on a GPU: a work-item for every w elements of the innermost", function(c, o)
    local list = blocking.levels(c)
    if #list < 2 then return nil end
    local r, f = R("mapVectorise", {w = o.w}).run(list[#list])
    if not r then return nil, f end
    return in_dimensions(r:at(c))
end, "a map of maps")

macro("gemvCpu", "{rows=64, w=16, u=4}",
    "matrix times vector on a CPU: a work-group of one item for some rows", function(o)
    return L.seq(L.reduceInItem({w = o.w, u = o.u}), at_map(blocking.in_groups(o.rows)))
end)

-- A map of reductions of columns, n side by side, in vectors of w; chunks: the map over these.
local function columns_in_vectors(n, w, chunks)
    local fold = L.slot("f", L.seq(R("reduceSeq"), L.try(R("reduceMapFusion"))))
    local sums = L.seq(L.foldOutOfMap, L.vectoriseFold(w), L.accumulateInItem, first(isFold, R("copyUnroll")))
    return L.seq(fold, R("splitJoin", {n = n}), L.slot("in", L.seq(L.slot("f", sums), chunks)))
end

macro("columnsInVectors", "{n=256, w=16}",
    "a map of reductions of columns on a CPU: a work-group of one item for n columns side by side, their sums in vectors of w",
    function(o)
        return columns_in_vectors(o.n, o.w, R("mapWorkgroup", {d = 0}))
    end)

-- A map of reductions of rows whose results another map goes on with: rows of them a group, each element of x loaded once.
local isRowReduction = test("rows", "a map of reductions",
                            function(t) return t.prim == "map" and t:slot("f").prim == "reduce" end)
local rowSums = test("row sums", "a map over a zip with a map of reductions", function(t)
    local row = blocking.partner(t)
    return row and row.prim == "reduce"
end)
local isFoldRows = test("a map of folds", "a map of folds (reduceSeq)", function(t)
    return t.prim == "map" and t:slot("f").prim == "reduceSeq"
end)

-- Rows side by side in one fold, their sums in private memory. map: over the vectors of a row, of w; acc: where the accumulators
-- are.
local function one_fold(map, acc, w)
    local vectors = w == 1 and L.id or L.slot("in", R("mapAsScalarOut"))
    local foldOut = L.seq(first(isRowReduction, L.seq(R("reduceFission"), vectors)),
                          first(isFoldRows, R("mapReduceSeqInterchange")))
    local fold = first(innerFold, L.seq(L.slot("f", L.seq(R("mapSeqUnroll"), L.slot("f", at_map(map)))), acc))
    local sums = first(isRowReduction, L.seq(R("mapSeqUnroll"), R("toPrivate")))
    return L.seq(foldOut, fold, first(isRowReduction, L.try(R("mapFusion"))), sums)
end

-- The rows of a map of reductions in chunks, together with their partners in the map that goes on.
local function row_chunks(rows)
    return first(rowSums, L.seq(L.slot("in", L.slot("0", R("splitJoin", rows and {n = rows}))), R("mapZipJoin"),
                                L.slot("in", L.seq(L.slot("in", R("zipMap")), R("mapFusion")))))
end

macro("rowChunks", "(n)", "a map over row sums in chunks of n rows, together with their partners", row_chunks)

macro("rowsInItems", "", "the sums of some rows in one fold, spread over the work-items of a group",
    one_fold(R("mapLocal", {d = 0}), R("accInItemsRows")))

macro("rowsInItem", "", "the sums of some rows in one fold of a work-item", one_fold(R("mapSeqUnroll"), R("accInPrivateRows")))

-- The chunks of a reduction by r side by side in one fold, a work-group of one item for them.
local function chunks_in_item(r) return first(isRowReduction, blocking.in_groups(r, L.seq(L.rowsInItem, R("copyUnroll")))) end

macro("chunksInItem", "(r)",
      "r chunks of a reduction side by side in one fold, a work-group of one item for them", chunks_in_item)

macro("gemvRows", "{rows=2, l=128, w=4}", "gemvGpu where the product is a map of its own", function(o)
    return L.seq(L.reduceLanes(o.l * o.w), L.vectoriseFold(o.w), row_chunks(o.rows), groups, at_map(R("mapSeqUnroll")),
                 one_fold(R("mapLocal", {d = 0}), R("accInItemsRows"), o.w), L.treeReduce(o.w, 16), L.fuseSums)
end)

macro("gemvCpuRows", "{rows=32, r=8, w=16, u=2}",
    "matrix times vector on a CPU where the product is a map of its own: r rows side by side, with u vectors of w each",
    function(o)
        local outer = L.seq(L.slot("f", at_map(R("mapSeqUnroll"))), blocking.in_groups(o.rows // o.r))
        return L.seq(L.reduceLanes(o.u * o.w), L.vectoriseFold(o.w), row_chunks(o.r), at_map(outer),
                     one_fold(R("mapSeqUnroll"), R("accInPrivateRows"), o.w), L.unrollReduce, L.fuseSums)
    end)

macro("reduceCpuRows", "{n=8192, r=8, w=16, u=1}",
    "a reduction on a CPU: a work-group of one item for r chunks of n side by side, each with u vectors of w; "
    .. "then their sum",
    function(o)
        return L.seq(L.reduceChunks(o.n), L.reduceLanes(o.u * o.w), L.vectoriseFold(o.w),
                     L.chunksInItem(o.r), L.unrollReduce, at_reduce(R("reduceSeq")), L.fuseSums)
    end)

macro("gemvGpu", "{rows=2, l=128, w=4}",
    "matrix times vector on a GPU: a work-group of l items some rows; a single row where product and sum are one map",
    function(o)
        local single = L.seq(groups, L.reduceInGroup({l = o.l, w = o.w}))
        return L.alt(L.gemvRows(o), single)
    end)

-- rows on a CPU: one item, each step in vectors

-- The map of a row's elements in vectors, what is left one by one.
local function vectors(t, w)
    return L.alt(rows.peeled(t, w, L.seq(R("mapVectorise", {w = w}), L.slot("in", R("mapSeq"))), R("mapSeq")), R("mapSeq"))
end

local function is_plain_map(t) return blocking.is_map(t) and not t:contains("reduce") end

-- The reduction that is made in vectors where it is of what others make.
local function is_lowest(t) return t.prim == "reduce" and not t:slot("in"):contains("reduce") end

-- The steps of the row at q.
local function vector_steps(q, o)
    local t, step = q.term, nil
    if t.prim == "let" and is_plain_map(t:slot("value")) then
        step = L.slot("value", L.seq(vectors(t:slot("value"), o.w), R("toLocal")))
    elseif t.prim == "reduce" and not t.is_array then
        local fold = base.find(q, is_lowest)
        local x = fold.term:slot("in")
        local k = rows.left(x, o.w * o.u)
        if k == x.length:known() then return q end
        local r = k ~= 0 and rows.peel(R("reducePeelLast"), k).run(fold)
        if r then return vector_steps(r:at(q), o) end
        step = L.reduceInItem({w = o.w, u = o.u})
    elseif is_plain_map(t) then step = vectors(t, o.w) end
    return rows.step_by_step(q, step, vector_steps, o)
end

macro_at("rowsInVectors", "{rows=16, w=16, u=4}",
    "a map of rows on a CPU: a work-group of one item for some rows; each step of a row in vectors of w, reductions in u of them",
    function(c, o)
        local q, f = L.seq(L.slot("f", L.rowSteps), blocking.in_groups(o.rows)).run(c)
        if not q then return nil, f end
        return vector_steps(q:go("in", "f", "f"), o)
    end)

return {columns_in_vectors = columns_in_vectors, vector_steps = vector_steps}

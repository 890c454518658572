-- rowshapes: how `lower` makes maps whose function reduces or scans: rows by the work-items of a group, or in a CPU's vectors; columns side by
-- side (the macros of rows, vectors).

local engine, base, L = require "engine", require "base", require "combinators"
local blocking, rows_of, scans, cuts, copies = require "blocking", require "rows", require "scans", require "cuts", require "copies"
local lengths, shaping = require "lengths", require "shaping", require "tupling"          -- whose macro is asked for below
local R, is_map, nested_map, VECTOR = base.R, blocking.is_map, blocking.nested_map, lengths.VECTOR
local known, differs, UNKNOWN, fitting, lanes, scalars_of = lengths.known, lengths.differs, lengths.UNKNOWN, lengths.fitting, lengths.lanes, lengths.scalars_of
local takes_columns, folded, is_shared, sums_of = require("columns").takes_columns, cuts.folded, cuts.is_shared, cuts.sums_of
local CPU_PARTS, CPU_FEW, ROW_KEPT, GPU, CPU = shaping.CPU_PARTS, shaping.CPU_FEW, rows_of.ROW_KEPT, lengths.GPU, lengths.CPU

-- The innermost of the maps in each other at c, those around it, and how many elements all of them make (nil: that is not known).
local function innermost(c)
    local list = blocking.levels(c)
    local total = lengths.elements(list)
    return table.remove(list), list, total
end

-- work-items for a row

-- Threads a row of n elements: enough that each keeps its part in registers, whole warps preferred. several: a row has several sums at once, so
-- that loops are to be shorter.
local NEARLY, ROW_LOOP = 0.9, 2 * lengths.GROUP        -- a share of whole warps; items that loop
local function lanes_used(items) return items / (-(-items // GPU.warp) * GPU.warp) end
local function first_of(list, suits)
    for _, items in ipairs(list) do
        if items <= GPU.max_group and suits(items) then return items end
    end
end
local function most_below(most, suits)
    for items = lengths.items(math.min(lengths.GROUP + 2 * GPU.warp, most)), 3 * GPU.warp, -1 do
        if suits(items) and lanes_used(items) >= NEARLY then return items end
    end
end
local function items_for(n, several)
    local function are_few(items) return n // items <= ROW_KEPT end
    local function even(items) return n % items == 0 and are_few(items) end
    local function have_two(items) return 2 * items <= n end
    local more, fewer = lengths.doubles(lengths.GROUP, GPU.max_group), lengths.halves(lengths.GROUP, GPU.warp)
    return first_of(more, even) or first_of(fewer, even) or most_below(n // 2, even)
        or several and first_of(more, function(items) return have_two(items) and are_few(items) end)
        or first_of(fewer, have_two)
end

-- Work-items that loop over a row of n vectors, all of them as often; nil: none divide it.
local function items_of_vectors(n)
    local function even(items) return n % items == 0 end
    return first_of({lengths.GROUP, 2 * lengths.GROUP, lengths.GROUP // 2}, even) or most_below(n, even)
end

-- The same for a row of n elements that no number of items divides: elements each, in registers, or of several sums in a loop, and so many items,
-- in whole warps or nearly so, each of which may have one of the rest, too; nil: there are too few.
local function items_with_rest(n, several)
    local best
    local long = n > (ROW_KEPT + ROW_KEPT // 2) * (ROW_LOOP // 2)
    local loop = several and (long and ROW_LOOP - GPU.warp or ROW_LOOP // 2) or n // ROW_KEPT > GPU.max_group and ROW_LOOP
    local most = loop and n // loop or ROW_KEPT
    for k = most, most // 2 + 1, -1 do
        local items = n // k
        local chunk = items >= 2 * GPU.warp and items <= GPU.max_group and n % k > 0 and n % k <= items and rows_of.next_chunk(items)
        -- lanes that do nothing, fewer elements on their way, and results that one item adds up
        local off = chunk and 1 - lanes_used(items) + math.log(most / k, 2) / VECTOR + math.max(0, items // chunk / GPU.warp - 1)
        if off and (not best or off < best.off) then best = {each = k, items = items, off = off} end
    end
    return best
end

-- What all rows read and has several scalars an element, as bodies do, is in no group's registers: fewer items then, with a loop each.
local function items_for_shared(n)
    return first_of(lengths.halves(lengths.GROUP // 2, GPU.warp), function(items) return n % items == 0 and n // items > ROW_KEPT end) or items_for(n)
end

-- parts of rows

-- Rows that are read joined are joined first.
local joinedRows = L.try(L.alt(R("mapJoinIn"), L.seq(R("mapZipJoinIn"), L.try(L.seq(R("mapZipRotate"), R("mapZipJoinIn")))), L.seq(R("mapZipRotate"), R("mapZipJoinIn"))))

-- What is made of sums that are made apart, where it reduces, too.
local function rest_shaped(q) return is_map(q.term) and q.term:slot("f"):contains("reduce") and shaping.shaped(q) or q end

-- A map of folds in two: of parts of each by `made`, at the map of maps that makes them, and of their results. Several folds of a row are one.
local foldsTogether = L.seq(joinedRows, L.try(L.slot("f", L.reductionsTogether)))
local function fold_parts(part, made)
    return base.new("parts", function(q)
        local sums = sums_of(foldsTogether.run(q))
        local r = sums and L.seq(L.slot("f", L.reduceChunks(part)), R("reduceFission")).run(sums)
        r = r and made(r:go("in"))
        return r and rest_shaped((shaping.shaped(r:at(sums)) or r):at(q))
    end)
end

-- Is the array made of arrays? Neighbours of a work-item's do not lie beside them then.
local function of_arrays(t)
    if t.prim == "map" then return of_arrays(t:slot("in")) end
    if t.prim ~= "zip" then return t.rank > 1 end
    return base.any(t.children, of_arrays)
end

-- Fewer elements than keep a GPU busy, each a long fold over the same array: a part of an element is a work-item, its neighbours those
-- of the next elements. nil: nothing divides it.
local SHARED_PART = rows_of.SIXTEEN      -- elements of a part, at least
local function shared_parts(n, total)
    local part = fitting(n, math.max(SHARED_PART, n * total // (2 * GPU.busy_items)), 1)
    if part < SHARED_PART or part == n then return nil end
    return fold_parts(part, function(q)
        local r = R("mapInterchange").run(q)
        return r and L.mapsInItems.run(r:go("in"))
    end)
end

-- Fewer rows than keep a GPU busy, each a long one: in parts that are rows themselves.
local LONG_PART = shaping.CPU_MIN        -- elements of a part, at least
local function long_parts(n, total)
    local part = total < GPU.units and n >= 2 * LONG_PART and fitting(n, math.max(LONG_PART, n * total // lengths.busy_groups()), GPU.warp)
    return part and part >= LONG_PART // 2 and fold_parts(part, shaping.nests) or nil
end

-- rows on a GPU

-- How many of the steps of a row read it; and may all of its reductions take every n-th element?
local function readings(c)
    local n, strided = 0, true
    for q in base.places(c:go("f")) do
        if q.term.prim == "reduce" or is_map(q.term) then n = n + 1 end
        strided = strided and (q.term.prim ~= "reduce" or R("reduceStrided", {n = 1}).run(q) ~= nil)
    end
    return n, strided
end

-- Is it an array of windows that overlap, so that neighbours read neighbours?
local function of_windows(t)
    if t.prim == "slide" then return t:static(1) ~= t:static(2) end
    return (t.is_layout or t.prim == "map" or t.prim == "zip") and base.any(t.operands, of_windows)
end

-- Why work-items cannot share the fold at c: it is taken in parts only where it is associative and each part may begin as it does; nil: they can.
local function unshared(c)
    local fold = c.term.prim
    local r, why = R(fold == "scan" and "scanKept" or "reduceSplit", {n = 1}).run(c)
    if r or type(why) ~= "table" or not why.needs then return nil end
    if why.needs:find("^associative") then
        return ("its %s is not known to be associative: `with associative` declares that of a function"):format(fold)
    end
    local start = c.term:slot("init").text
    return ("%s, where its %s begins, is not known to be neutral: `with neutral %s` declares that of a function"):format(start, fold, start)
end

-- Does each array that t reads lie in memory, in elements of four bytes?
local function vectors_read(t)
    if t.prim ~= "zip" then return t.is_atom and t.rank > 0 and t.element_bytes == 4 end
    return base.all(t.children, vectors_read)
end

-- So many items for an array of n elements, each of which keeps its part in registers: then a size of which the part is a constant, and
-- true; else the number.
local function keeping(array, n, items)
    local kept = n % items == 0 and n // items <= ROW_KEPT and engine.hint("constants")
    return kept and array.length / (n // items) or items, kept
end

-- So many of n columns side by side: no more than a warp has items where that divides them well, else all of them if a group has the items; nil: neither.
local function side_of(n)
    local side = fitting(n, GPU.warp, 1)
    return (n <= GPU.warp or side >= GPU.warp // 4) and side or n <= 4 * GPU.warp and n or nil
end

-- Columns, side of them side by side, by the items of dimension 1: the options of rowsInGroups, and are the columns kept?
local function column_options(row, n, side)
    local most = math.min(GPU.warp, GPU.warp * GPU.warp // side)
    local items = fitting(n, most, 1)
    items = (n <= most or items >= most // 2) and items or most
    local o = {side = side, dim = 1, rounds = 0}
    if n % items ~= 0 and n // (n // items) == items then o.each = n // items end
    local kept
    o.items, kept = keeping(row, n, items)
    return o, kept
end

-- Elements of rows of which there are so many that each gets a warp, several rows a group; the shorter of them, and
-- those alone where the order of the elements counts, have half as many.
local SHORT_ROW = VECTOR * lengths.GROUP

-- The same for rows of n elements, total of them, each the fold in the map at inner; nil: no number of items suits them.
local function row_options(inner, fold, n, total)
    local row, scanning, several = fold.term:slot("in"), inner.term:contains("scan"), fold.term.components > 1
    local any_order = fold.term.prim == "reduce" and R("reduceStrided", {n = 1}).run(fold)
    local scanned = scanning and n % VECTOR == 0 and n // VECTOR <= 2 * GPU.warp
    local few = scanned and n // VECTOR or n <= SHORT_ROW // 4 and GPU.warp // 2 or GPU.warp
    if n % few ~= 0 then few = fitting(n, 2 * few, 1) end
    local beside = lengths.GROUP // GPU.warp
    local short = n <= (any_order and SHORT_ROW or SHORT_ROW // 4) and few >= beside and total and total >= GPU.busy_items // VECTOR
    local side = short and fitting(known(inner.term), scanned and beside // 2 or beside, beside // 2)
    local scan = not side and scanning and scans.items_of(n, scans.enough_groups(total)) or {}
    local read = blocking.made_of(row)
    local many = is_shared(row) and (scalars_of(read) or 0) > 2 * n
    local items = side and few or scan.items or any_order and (many and items_for_shared or items_for)(n, several)
        or fitting(n, math.min(GPU.max_group, n // VECTOR), GPU.warp) or fold.term.prim == "reduce" and items_for(n)
    if not items then return nil end
    -- A row that is read again for the elements made of it is read in loops: registers would hold it meanwhile.
    local rest = any_order and n % items ~= 0 and not scanning and not inner.term:slot("f").is_array and items_with_rest(n, several)
    if rest and R("reduceStridedRest", {k = rest.each}).run(fold) then items, scan = rest.items, {each = rest.each} end
    local o, kept = {each = scan.each or n // items, beside = scan.beside, rounds = scan.rounds or items > rows_of.SIXTEEN and 1 or 0, side = side or nil}, nil
    local looping = several and any_order and not side and not inner.term:slot("f").is_array and cuts.reductions_in(inner.term) == 1
    local by_vectors = looping and n % VECTOR == 0 and vectors_read(read) and items_of_vectors(n // VECTOR)
    if by_vectors then o.items, o.each, o.w = by_vectors, n // by_vectors, VECTOR
    elseif looping then o.items = items
    else o.items, kept = keeping(row, n, items) end
    return o, kept
end

local function by_items(c)
    if c.term.prim ~= "map" then return nil end
    local inner, around, total = innermost(c)
    local fold = folded(inner)
    local row = fold and fold.term:slot("in")
    local n = row and known(row)
    if not fold and c.term:contains("reduce") then return differs("its reduction makes an array") end
    if not fold then return nil end
    if not n then return differs(UNKNOWN) end
    local why = unshared(fold)
    if why then return nil, why end
    if n < GPU.warp and total and total >= GPU.busy_items and not c.term:contains("scan") then
        return differs("a row of %d elements is too short for several work-items, and %d rows are one each", n, total)
    end
    if #around > 2 then return differs("%d maps stand around a row, more than groups have dimensions", #around + 1) end
    if total and total >= GPU.busy_items and is_shared(row) then
        return differs("its reduction reads no row of its own, and %d elements are a work-item each", total)
    end
    local read = scalars_of(blocking.made_of(row)) or 0
    if total and total >= GPU.busy_items and of_arrays(row) and read > ROW_KEPT * n then
        return differs("its reduction takes arrays, of %d scalars, and %d elements are a work-item each", read, total)
    end
    if total and total >= GPU.busy_items and of_windows(inner.term:slot("in")) then
        return differs("its rows are windows that overlap, and %d of them are a work-item each", total)
    end
    local single = #around == 0 and total and fold.term.prim == "reduce" and not takes_columns(c.term)
    local parts = single and (is_shared(row) and of_arrays(row) and shared_parts or long_parts)(n, total)
    if parts then return parts end
    local across = c.term.prim == "map" and copies.contiguous(c.term:slot("in"))
    local of_columns, count = takes_columns(inner.term) or across == #around + 1, known(inner.term)
    if of_columns and total and total >= 4 * GPU.busy_items then return differs("%d columns are a work-item each", total) end
    if of_columns and inner.term:contains("scan") and GPU.warp * n > lengths.group_words() then
        return differs("columns of %d elements are more than local memory has room for", n)
    end
    -- Groups have as many columns side by side as divide them, or else the last has fewer.
    local narrow = count and n * count < rows_of.SIXTEEN * GPU.busy_items and fitting(count, GPU.warp, 1) >= GPU.warp // 4
    local uneven = of_columns and #around == 0 and count and count > GPU.warp and not narrow and count % GPU.warp ~= 0
    if of_columns and not count then return differs(UNKNOWN) end
    local own = of_columns and #around > 0 and n >= GPU.warp and not is_shared(inner.term:slot("in")) and side_of(count)       -- a tile's columns
    local side = of_columns and (uneven and GPU.warp or own or fitting(count, GPU.warp, 1))
    if side and #around > 0 and not own and side < GPU.warp // 4 then
        return differs("no group of %d or fewer columns divides %d", GPU.warp, count)
    end
    return base.new("rows", function(top)
        local q = uneven and R("padMap", {n = GPU.warp}).run(top):go("in") or top
        for i, p in ipairs(around) do
            local r = R("mapWorkgroup", {d = #around - i + 1}).run(q:at(p))
            if not r then return nil end
            q = r:at(q)
        end
        local at, o, kept = joinedRows.run(uneven and q or q:at(inner)), nil, nil
        if side then o, kept = column_options(row, n, side)
        else o, kept = row_options(inner, fold, n, total) end
        if not o then return nil end
        local scanning = inner.term:contains("scan")
        local one = #inner.term.binders == 1 and at.term:slot("in").rank == 2 and not scanning
        local steps, strided = readings(inner)
        if one and kept and steps > 1 and strided then o.keep = true end
        local long = o.dim ~= 1 and o.each > ROW_KEPT or o.dim == 1 and not kept and GPU.warp * n > lengths.group_words()
        if long and not scanning then at = L.longRow(o.items, fitting(n // o.items, 2 * VECTOR, 1)).run(at) end
        local r = L.rowsInGroups(o).run(at)
        return r and r:at(top)
    end)
end

-- rows on a CPU

-- The first fold among the steps of a row, at q: not one that a step does for each element.
local function fold_step(q)
    local t = q.term
    if t.prim == "reduce" and not t.is_array then return q end
    for _, slot in ipairs(t.slots) do
        local p = slot ~= "f" and q:go(slot)
        local found = p and fold_step(p)
        if found then return found end
    end
end

local function by_vectors(c)
    if c.term.prim ~= "map" then return nil end
    local fold = fold_step(c:go("f"))
    if not fold and c.term:contains("reduce") then return differs("no step of a row is a reduction to a scalar") end
    if not fold then return nil end
    local n, length = known(c.term), known(fold.term:slot("in"))
    if not n or not length then return differs(UNKNOWN) end
    local why = unshared(fold)
    if why then return nil, why end
    if length < cuts.cpu_row() then return differs("a row of %d elements is shorter than %d", length, cuts.cpu_row()) end
    if takes_columns(c.term) then return differs("its rows are columns in memory") end
    local w, u = lanes(length)
    if not w or w * u < 2 * CPU.lanes and length >= lengths.accumulators() * CPU.lanes then w, u = CPU.lanes, lengths.VECTORS end
    local few = math.max(1, math.min(CPU_PARTS, n // CPU_PARTS))
    return L.rowsInVectors({rows = fitting(n, few, 1), w = w, u = u})
end

-- Columns side by side

-- So many columns side by side as make groups that keep a CPU busy, with others of which there are so many; at most so many vectors of
-- accumulators as fit in registers. Where no vectors divide them, the last ones by themselves, each in a group.
local by_columns_apart = L.seq(L.slot("f", L.seq(R("reduceSeq"), L.try(R("reduceMapFusion")))), R("mapWorkgroup", {d = 0}))
local function in_columns(t, others)
    local n = known(t)
    if not n then return differs(UNKNOWN) end
    local few, k = math.max(1, CPU_FEW // others), lanes(n) and 0 or n % CPU.lanes
    local w = lanes(n - k)
    local width = w and n > k and fitting(n - k, math.min(lengths.accumulators() * w, (n - k) // few), w)
    if not width then return differs("no vectors of 4, 8 or 16 columns make %d groups of %d", few, n) end
    local sums = rows_of.but_for(k, L.columnsInVectors({n = width, w = w}), by_columns_apart)
    return t:slot("f").prim == "reduce" and sums or L.seq(cuts.sumsOut, L.slot("in", sums))
end

local function columns_by_vectors(c)
    local t = c.term
    if t.prim ~= "map" then return nil end
    if takes_columns(t) then return in_columns(t, 1) end
    local inner = nested_map(c)                              -- those of each element of a batch
    if not inner or cuts.contraction.run(c) or not takes_columns(inner.term) or inner.term:slot("f").prim ~= "reduce" or not known(t) then return nil end
    local strategy, why = in_columns(inner.term, known(t))
    return strategy and L.seq(R("mapWorkgroup", {d = 1}), shaping.inside_at(c, inner, strategy)), why
end

return {by_items = by_items, by_vectors = by_vectors, columns_by_vectors = columns_by_vectors, items_for = items_for}

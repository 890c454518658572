-- defaults: what `lower` makes of a program as it was written, when its sizes are known: the macro for its shape with
-- numbers that divide the sizes, by kind of device. nil where none fits; then lower maps loops one by one.

local engine, base, L = require "engine", require "base", require "combinators"
local blocking = require "blocking"
local R, reduceNest, is_map, nested_map = base.R, blocking.reduceNest, blocking.is_map, blocking.nested_map

local CPU_PARTS, CPU_MIN = 64, 4096      -- chunks of a long array; shorter ones are not worth it
local CPU_FAR = 1 << 21                  -- so long an array is in no cache of a core's own: its results are written past
                                         -- them, and it is read in several places at once
local CPU_FEW, CPU_CHUNK = 8, 512        -- groups that keep a CPU busy; elements that a group is worth
local GPU_GROUPS, GPU_ITEMS = 132, 1 << 16       -- groups, and work-items, that keep a GPU busy
-- A product of which each dimension, the reduction and all of them together are so long is padded where no block divides it, each to at
-- most so many times its length, or for the smallest blocks a little more; a block that has fewer vectors of accumulators than this waits
-- for its additions.
local PADDED, PADDED_DEEP, PADDED_ALL, PADDING, PADDING_MOST, FEW_ACCUMULATORS = 32, 16, 64 * 64 * 64, 1.2, 1.5, 4
-- Sides of the smallest and the largest block of a product that a GPU likes, rows of a CPU's; of a product in parts the shortest
-- part and a CPU's, what divides all of them and how many are worth it; reductions that are worth parts where only the largest blocks are
-- too few.
local LEAST_BLOCK, LARGE_BLOCK, CPU_ROWS, LEAST_PART, CPU_PART, PART_STEP, PARTS, LONG = 64, 128, 256, 256, 1024, 16, 4, 4096
local LANES, WARP = 16, 32               -- of a CPU's vector; of a GPU's work-items that go together
local CPU_FAR_ROW = 256                  -- elements that make a row worth vectors, and what nothing divides peeled off
local ROW_KEPT = 32                      -- elements of a row that a work-item keeps in registers
local ONLINE = 8                         -- elements of a longer one that it reads at a time
local stencils = require "stencils"
local by_columns = stencils.by_columns
local VECTOR, names_out, peel, rows_peeled = require("rows").VECTOR, require("rows").names_out, require("rows").peel, require("rows").peeled
local fusion, scans, lengths, copies = require "fusion", require "scans", require "lengths", require "copies"
local scan_of = require("rows").scan_of
local tupling, cuts, simplified, rowfolds = require "tupling", require "cuts", require "choices", require "rowfolds"
local takes_columns, contraction, folded, reductions_in, reuses, invariants, cut = cuts.takes_columns, cuts.contraction, cuts.folded, cuts.reductions_in, cuts.reuses, cuts.invariants, cuts.cut
local sumsOut, sums_of, is_shared = cuts.sumsOut, cuts.sums_of, cuts.is_shared

local known, differs, UNKNOWN, fitting, lanes = lengths.known, lengths.differs, lengths.UNKNOWN, lengths.fitting, lengths.lanes

-- The strategy at a place inside that of c, which comes back.
local function inside_at(c, place, strategy)
    return base.new("inside", function(q)
        local r, failure = strategy.run(q:at(place))
        if not r then return nil, failure end
        return r:at(c)
    end)
end

-- The nest at a place as a recogniser would have it; what it needs where it has none.
local function in_shape_of(shape, label, needs)
    return base.new(label, function(c)
        local strategy = shape(c, engine.hint("gpu"))
        if strategy then return strategy.run(c) end
        return nil, base.failure(c, label, needs)
    end)
end

-- matrix products

-- Is all that the map t reads matrices?
local function of_matrices(t)
    local x = t:slot("in")
    for i in ipairs(x and x.prim == "zip" and x.slots or {}) do
        if x:slot(i).rank < 2 then return false end
    end
    return true
end

local product, product_of, rounding, padding

do

-- The product: the program itself, or what an element-wise map over it reads; and is it padded, the rest dropped (padNest)?
function product_of(c)
    local elements = c.term.prim == "map" and (c.term:slot("f"):contains("reduce") or c.term:slot("f"):contains("scan"))
    for _, path in ipairs(elements and {{}} or {{}, {"in"}, {"in", "0"}, {"in", "1"}}) do
        local q, padded = c:go(table.unpack(path)), false
        while q and (q.term.prim == "take" or q.term.prim == "map" and q.term.layout_function) do
            q, padded = q:go("in"), true
        end
        if q and reduceNest.run(q) and (#path < 2 or of_matrices(c.term)) then return q, padded end
    end
end

-- Blocks of 4 rows by 4 vectors where the sizes allow, in panels of so many columns; few tiles along the reduction (with
-- one alone no zeros are stored first), of at most half a MiB. And are the vectors short ones?
local function gemm_cpu(rows, columns, length)
    local w, u = lanes(columns)
    local kb = fitting(length, 2048, 1)
    if not w or (kb < 16 and kb < length) then return nil end
    local mr = fitting(rows, 16 // u, 1)
    if mr * u < FEW_ACCUMULATORS and rows >= PADDED then return nil end
    return L.gemmCpu({mb = fitting(rows, CPU_ROWS, mr), nb = fitting(columns, kb > 1024 and 64 or 128, u * w), kb = kb, mr = mr,
                      w = w, nr = u * w}), w < LANES
end

-- Sides, depth, registers and unrolled steps of blocks, as measured on an H100, and how many groups for each unit keep it busy: of few
-- work-items that have much to do, two. Nearly as many are enough.
local gpu_tiles = {{128, 128, 16, 8, 8, 16, 1}, {128, 128, 8, 16, 8, 8, 1}, {128, 64, 8, 8, 8, 8, 2}, {64, 64, 32, 8, 4, 16, 1},
                   {64, 64, 16, 8, 4, 16, 1}, {128, 32, 16, 8, 4, 16, 1}, {32, 32, 8, 4, 4, 8, 1}}
local ENOUGH = 0.9 * GPU_GROUPS

-- Words of the tuple, or the number, that a type's text ends in.
local function words(type)
    local n = 0
    for bits in type:gmatch("%f[%a][fiu](%d+)%f[%D]") do n = n + math.max(1, math.tointeger(bits) // 32) end
    return math.max(1, n)
end

-- A group's local memory on any GPU; words of accumulators that an item has registers for, as long as operands are words.
local GROUP_BYTES, ACCUMULATORS = 49152 - 1024, 64

-- read, made: words of what is read for a product of two elements, and of what is made.
local function gemm_gpu(rows, columns, length, times, read, made)
    local best
    for _, t in ipairs(gpu_tiles) do
        local fits = 4 * t[3] * (t[1] + t[2]) * read <= GROUP_BYTES and (made == 1 and 1 or t[4] * t[5] * made) <= ACCUMULATORS
        if fits and rows % t[1] == 0 and columns % t[2] == 0 and length % t[3] == 0 then
            best = t
            if rows // t[1] * (columns // t[2]) * (times or 1) >= t[7] * ENOUGH then break end
        end
    end
    if not best then return nil end
    return L.gemmGpu({mb = best[1], nb = best[2], kb = best[3], mr = best[4], nr = best[5], u = best[6], w = 4})
end

-- The largest of these of which a multiple is hardly longer than n.
function rounding(n, steps)
    for i, s in ipairs(steps) do
        if -(-n // s) * s <= (i == #steps and PADDING_MOST or PADDING) * n then return s end
    end
end

-- Products that no block divides, padded by that macro to as many more as its blocks need; nil: that would be too many, or the product is small.
function padding(macro, rows, columns, length, times, gpu)
    if math.min(rows, columns) < PADDED or length < PADDED_DEEP or rows * columns * length * times < PADDED_ALL then return nil end
    local steps = gpu and {128, 64, 32} or {64, 32, 16, 8}
    local m, n, k = rounding(rows, steps), rounding(columns, gpu and steps or {64, 32, 16}) or rounding(columns, steps), rounding(length, {16, 8})
    return m and n and k and macro(m, n, k)
end

-- Operands in the order of the maps that take them.
local ordered = L.try(blocking.first(reduceNest, L.slot("f", R("operandOrder"))))

-- Rows that the inner map takes are copied to columns before, where that is no part of a batch: the copy is an array of its own.
local turned = L.seq(blocking.first(reduceNest, R("turnOperand")), L.normalize(names_out))

-- Two nested maps that reduce, but make no element by one reduction.
local function no_product(c)
    local body = is_map(c.term) and c.term:slot("f")
    if not body or not body:contains("reduce") then return nil end
    local inner = nested_map(c)
    if not inner and body.is_array then return differs("an element of a row is not made by a map of its own") end
    if not inner then return nil end
    local element = inner.term:slot("f")
    if element.is_array then return differs("an element is an array, %s", element.type) end
    if not element:contains("reduce") then return differs("the reduction is made once for a row, not for each element") end
    return differs("an element is more than a reduction: %s", element.text)
end

function product(c, gpu, times)
    local q, padded = product_of(c)
    if not q then return no_product(c) end
    local inner = q.term:slot("f")
    local rows, columns, length = known(q.term), known(inner), known(inner:slot("f"):slot("in"))
    if not contraction.run(q) then return differs("what the inner map takes is made for each row") end
    if not (rows and columns and length) then return differs(UNKNOWN) end
    local fold = inner:slot("f")
    local read = is_map(fold:slot("in")) and fold:slot("in"):slot("in") or fold:slot("in")
    local blocks, short = (gpu and gemm_gpu or gemm_cpu)(rows, columns, length, times, words(read.type), words(fold.type))
    local pad = (short or not blocks) and not padded and not times and padding(L.padNest, rows, columns, length, 1, gpu)
    if not pad then
        if not blocks then return differs("no block divides %d x %d x %d, and none is worth padding", rows, columns, length) end
        local plain = blocks and L.seq(ordered, blocks)
        local often = gpu or rows > CPU_ROWS                        -- a CPU's groups that turn their part of it themselves
        local by_rows = plain and often and not times and not takes_columns(inner)
        return L.seq(L.try(blocking.first(reduceNest, L.operandsPaired)), by_rows and L.alt(L.seq(turned, L.slot("body", plain)), plain) or plain)
    end
    return L.seq(pad, in_shape_of(product, "product", "blocks of the padded product"))
end

end

-- reductions

-- Elements that a group of a GPU reduces, at least and at most where there are enough groups; results that are worth one.
local REDUCE_LEAST, REDUCE_MOST, REDUCE_RESULTS = 1024, 16384, 64
local nests, shaped, scan_finished

-- By one group, or in chunks by as many as keep a GPU busy and their results by one; what no such chunk divides is reduced apart.
local function reduction_gpu(n)
    if n < REDUCE_RESULTS then return differs("%d elements are fewer than %d", n, REDUCE_RESULTS) end
    if n <= REDUCE_MOST then return L.reduceWholeInItems(fitting(n, 256, WARP) or 256) end
    local most = REDUCE_LEAST
    while most < REDUCE_MOST and n // most > 8 * GPU_GROUPS do most = 2 * most end
    local chunk = fitting(n, most, REDUCE_LEAST)
    if chunk and 2 * chunk > most then             -- in vectors, if what is reduced can be
        return L.alt(L.reduceGpu({chunk = chunk, again = false, whole = n // chunk >= REDUCE_RESULTS}),
                     L.seq(L.reduceChunks(chunk), L.slot("in", L.rowsInGroups({items = 256})), L.reduceWholeInItems(256)))
    end
    return base.new("reduction", function(c)
        local r = peel(R("reducePeelLast"), n % most).run(c)
        return r and nests(r:at(c), shaped)
    end)
end

local function reduction(c, gpu)
    local t = c.term
    if t.prim ~= "reduce" then return nil end
    if t.is_array then return differs("the accumulator is an array, %s", t.type) end
    if not engine.reassociates(c) then return differs("the order of its steps counts: the function is not known to be associative") end
    local n = known(t:slot("in"))
    if not n then return differs(UNKNOWN) end
    local scanned, o = scan_finished(c, gpu)
    if scanned then return L.reduceScanInGroups(o) end
    if gpu then return reduction_gpu(n) end
    if n < CPU_MIN then return differs("%d elements are fewer than %d", n, CPU_MIN) end
    local chunk = n // fitting(n, CPU_PARTS, 1)
    local w, u = lanes(chunk)
    if not w then return differs("neither 4, 8 nor 16 divides its chunks, of %d elements", chunk) end
    local plain = L.reduceCpu({chunk = chunk, w = w, u = u})
    if n < CPU_FAR or n % (8 * 8192) ~= 0 then return plain end
    return L.alt(L.reduceCpuRows({n = 8192, r = 8}), plain)
end

-- scans

local SCAN_ITEMS, SCAN_LEAST = 1024, 64          -- of a group of a GPU that scans: at most, at least
local scan, scan_by_items, enough_groups

do

local SCAN_CHUNK, SCAN_ROUND = 4096, 256         -- elements a group of a GPU scans, at most and at least
-- Vectors of a work-item that lie apart, the best first, where they leave so many items at most.
local SCAN_BESIDE = {{items = 256, 4, 5, 6, 7, 8, 3, 2}, {items = SCAN_ITEMS, 8, 7, 6, 5, 4, 3, 2}}

-- So many groups keep a GPU busy though their items wait for each other.
function enough_groups(n) return n and n >= 8 * GPU_GROUPS end

-- How a group scans n elements: so many items, each of some chunks of a few elements beside each other; nil: n is too long, or nothing
-- divides it. In enough groups few items have several vectors each, for which they wait together.
function scan_by_items(n, enough)
    local chunks = n % VECTOR == 0 and n // VECTOR
    for _, ways in ipairs(chunks and enough and SCAN_BESIDE or {}) do
        for _, beside in ipairs(ways) do
            local items = chunks // beside
            if chunks % beside == 0 and items >= SCAN_LEAST and items <= ways.items then
                return {items = items, each = VECTOR, beside = beside, rounds = scans.rounds_of(chunks)}
            end
        end
    end
    local items = n >= 128 and fitting(n, math.min(SCAN_ITEMS, n // VECTOR), 1)
    if not items or items < SCAN_LEAST // 2 or n // items > ROW_KEPT then return nil end
    return {items = items, each = n // items, beside = 1, rounds = scans.rounds_of(items)}
end

-- By a group: n elements by its items, or a few by one.
local function scanned_in_group(n, enough)
    local o = scan_by_items(n, enough)
    if o then return L.scanInItems(o.each, o.rounds, 0, o.beside) end
    return n <= ROW_KEPT and L.scanInItems(n) or nil
end

-- Chunks' reductions, the scan of these, and each chunk from what is before it: three nests, each on its own merits.
local function scan_parts(rule, inner)
    return base.new("scan", function(c)
        local q, sums = scans.in_parts(c, rule)
        if not q then return nil, sums end
        q = nests(nests(sums:go("in"), shaped):at(sums), shaped):at(q)
        return L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", inner))).run(q)
    end)
end

-- Words of 32 bits in which groups tell each other an element of t; nil: they cannot.
local function words_of(t)
    local element, words = t.type:gsub("^%b[]", ""), 0
    if element:find("[%[<]") or element:find("f16") then return nil end
    for scalar in element:gmatch("%w+") do words = words + (scalar:find("64") and 2 or 1) end
    return words
end

-- In one pass, where groups tell each other the reductions of their chunks: {behind = elements that are left over, o = the options of
-- scanInGroups}; nil: nothing divides n.
local CHAINED, CHAINED_ITEMS = 8192, 128         -- elements of one or two words a group scans; its items where there are many groups
local BEHIND, SHORT_CHUNKS = 512, 512            -- elements that one item scans behind the others, at most; chunks that may be short
local function scan_chained(t, n)
    local words, best = words_of(t), nil
    local most = words and 2 * CHAINED // math.max(2, words)
    for behind = n % 32, most and BEHIND - 1 or 0, 32 do
        local chunk = fitting(n - behind, most, 32)
        local o = chunk and chunk >= SCAN_ROUND and scan_by_items(chunk, true)
        if o then
            local beside = chunk % (VECTOR * CHAINED_ITEMS) == 0 and enough_groups(n // chunk) and chunk // VECTOR // CHAINED_ITEMS or 0
            o = {n = chunk, each = o.each, rounds = o.rounds, beside = math.max(beside, o.beside)}
            local good = chunk * o.beside * o.rounds
            if not best or good > best.good then best = {behind = behind, o = o, good = good} end
            if behind == 0 and (2 * chunk >= most or n // chunk <= SHORT_CHUNKS) then break end
        end
    end
    return best
end

-- The scan of whose elements q, a map or on a GPU a reduction, makes something, where groups do both in one pass, and how; nil: there is none.
function scan_finished(q, gpu)
    local reduces = gpu and q.term.prim == "reduce" and not q.term.is_array and engine.reassociates(q)
    local of = (reduces or q.term.prim == "map") and scan_of(reduces and q:go("in") or q)
    local n = of and known(of.term)
    if not n or n < CPU_MIN then return nil end
    if not gpu then
        local parts = fitting(n, CPU_PARTS, 1)
        return parts >= CPU_FEW and of or nil, n // parts
    end
    local chained = scan_chained(of.term, n)
    if chained and chained.behind == 0 then return of, chained.o end
end

-- What is left over goes on from the scan of all but the last few.
local function scan_rest(behind, most, rest)
    local read = L.slot("in", scans.arrays_read)
    return L.seq(R("scanPeelLast", {n = behind}), L.slot("value", L.seq(read, most)), L.slot("body", L.slot("1", L.seq(read, rest or L.id))))
end
local few = L.seq(R("scanWhole"), L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", L.seq(R("scanSeq"), L.slot("in", R("copyLocal")))))))

-- The scan at c, or a map of one.
function scan(c, gpu)
    local finished, how = scan_finished(c, gpu)
    if finished then return gpu and L.scanInGroups(how) or scan_parts(R("scanFrom", {n = how}), L.id) end
    if c.term.prim ~= "scan" then return nil end
    local n = known(c.term)
    if not n then return differs(UNKNOWN) end
    if not gpu then
        local parts = n >= CPU_MIN and fitting(n, CPU_PARTS, 1)
        local behind = parts and parts < CPU_FEW and n % SCAN_ROUND or 0
        local most = parts and scan_parts(R("scanFrom", {n = (n - behind) // fitting(n - behind, CPU_PARTS, 1)}), L.id)
        return most and behind > 0 and scan_rest(behind, most) or most
    end
    local even = scanned_in_group(n) and 0 or n % 32
    for behind = even, n >= SCAN_ROUND and n < 2 * CHAINED and BEHIND or even, 32 do
        local group = scanned_in_group(n - behind)
        group = group and L.seq(R("scanWhole"), L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", group))))
        if group then return behind > 0 and scan_rest(behind, group, few) or group end
    end
    local chained = n >= CPU_MIN and scan_chained(c.term, n)
    if chained then
        local made = L.scanInGroups(chained.o)
        return chained.behind > 0 and scan_rest(chained.behind, made, few) or made
    end
    local behind = n >= CPU_MIN and n % SCAN_ROUND or 0
    local chunk = fitting(n - behind, SCAN_CHUNK, 32)
    local of_chunk = chunk and chunk >= SCAN_ROUND and scanned_in_group(chunk, enough_groups(n // chunk))
    local most = of_chunk and scan_parts(R("scanAdd", {n = chunk}), of_chunk)
    return most and behind > 0 and scan_rest(behind, most, few) or most
end
end

-- reductions by index

local LOCAL_BYTES, COPIES = 32768, 8     -- local memory that a group takes for copies of the elements; copies at most
local AHEAD, BESIDE = 256, 4             -- on a CPU: pairs that are computed before they are used; places they are read from side by side
local BY_INDEX_GROUPS = 4                -- groups for each unit of a GPU
local function spread(t) return t.scalars and t.scalars:known() end

local by_index, by_index_rows

do
-- How many pairs are made of 16 bytes of the array that t maps.
local function together(t)
    local bits = t.prim == "map" and t:slot("in").type:match("%][iuf](%d+)$")
    return bits and 128 // math.max(8, math.tointeger(bits)) or VECTOR
end

-- The elements in groups of a GPU: chunks of pairs for so many copies of them; nil: local memory is too small, or nothing divides.
local function copies_in_group(scalars, pairs, widest)
    local most = LOCAL_BYTES // (4 * (scalars + WARP))
    for _, w in ipairs({widest, VECTOR, 1}) do
        for _, copies in ipairs({COPIES, 4, 2, 1}) do
            local chunk = copies <= most and fitting(pairs // copies, pairs // copies, WARP * w)
            if chunk and chunk * copies == pairs then return {items = WARP, copies = copies, w = w} end
        end
    end
end

local function by_index_gpu(n, scalars, arrays, widest)
    local round = COPIES * WARP * VECTOR
    local part = fitting(n, math.max(round, n // (BY_INDEX_GROUPS * GPU_GROUPS)), round)
    local group = part and copies_in_group(scalars, part, widest)
    if group then group.chunk = part // group.copies end
    local items = n // fitting(n, math.max(1, math.min(GPU_ITEMS, n // (2 * scalars))), 1)
    local all = L.byIndexGlobal({w = n % VECTOR == 0 and VECTOR or 1})
    local side = arrays and fitting(scalars // arrays, WARP, 1)
    if arrays and side >= WARP // 2 and 4 * (arrays + 1) * side <= LOCAL_BYTES then
        local chunk = fitting(n, math.max(arrays, n * (scalars // arrays // side) // (16 * GPU_GROUPS)), 1)
        local columns = chunk >= arrays and L.byIndexColumns({chunk = chunk, side = side, w = fitting(chunk, 8, 1)})
        if columns then return columns, all end
    end
    if arrays then                       -- so many groups that the elements of each are worth it
        local chunk = 4 * (scalars + WARP) <= LOCAL_BYTES and fitting(n, math.max(4 * (arrays + WARP), n // (16 * GPU_GROUPS)), WARP)
        return chunk and L.byIndexAgainGpu({chunk = chunk, items = WARP}) or L.fail, all
    end
    return group and L.byIndexGpu(group) or L.fail, L.alt(all, L.byIndexItems({chunk = items}))
end

-- An array of one value, which may be neutral?
local function is_constant(t) return t.prim == "generate" and t:slot("f").is_atom end

-- What nothing divides goes on from all but the last few pairs.
function by_index(c, gpu)
    if c.term.prim ~= "reduceByIndex" then return nil end
    local n, scalars = known(c.term:slot("in")), spread(c.term)
    if not n or not scalars then return differs(UNKNOWN) end
    if n < CPU_MIN then return differs("%d pairs are fewer than %d", n, CPU_MIN) end
    local round = gpu and COPIES * WARP * VECTOR or CPU_PARTS
    if n % round ~= 0 and n >= 2 * round then
        return base.new("by index", function(q)
            local r = L.byIndexPeel(n % round).run(q)
            return r and nests(r:at(q):go("init"), shaped):at(q)
        end)
    end
    local arrays = c.term:slot("f").is_array and known(c.term)          -- so many
    local parts = gpu and 0 or fitting(n, math.min(CPU_PARTS, (arrays and n * scalars // arrays or n) // (4 * scalars)), 1)
    if not gpu and (not parts or parts < 2) then return nil end
    local copies, all
    if gpu then copies, all = by_index_gpu(n, scalars, arrays, together(c.term:slot("in")))
    elseif arrays then copies, all = L.byIndexAgainCpu({chunk = n // parts}), L.fail
    else
        local some = fitting(n // parts, AHEAD, LANES)
        local beside = n >= CPU_FAR and n // parts % BESIDE == 0 and BESIDE or 1
        copies, all = L.byIndexCpu({chunk = n // parts, n = some or 1, w = some and LANES or 1, r = beside}), L.fail
    end
    return base.new("by index", function(q)
        local r = copies.run(q)
        if r then return is_map(r:at(q).term) and shaped(r:at(q)) or r:at(q) end
        r = 8 * scalars <= n and not is_constant(q.term:slot("init")) and R("reduceByIndexSum").run(q)
        if r then return nests(r:at(q), shaped) end
        return all.run(q)
    end)
end

-- Rows that are each reduced by index, on a GPU: a group a row.
function by_index_rows(c, gpu)
    local body = gpu and is_map(c.term) and c:go("f")
    local n = body and body.term.prim == "reduceByIndex" and known(body.term:slot("in"))
    local scalars = n and spread(body.term)
    local group = scalars and copies_in_group(scalars, n, together(body.term:slot("in")))
    return group and L.seq(R("mapWorkgroup", {d = 0}), L.slot("f", L.byIndexInGroup(group)))
end
end

local items_for, items_for_shared, items_with_rest, items_of_vectors
do
local next_chunk = require("rows").next_chunk

-- Work-items for a row of n elements: so many that each can keep its part in registers, in whole warps or nearly so; several: of several
-- sums at once, shorter loops.
local NEARLY, ROW_LOOP = 0.9, 512        -- a share of whole warps; items that loop
local function in_warps(items) return items >= NEARLY * (-(-items // WARP) * WARP) end
function items_for(n, several)
    for _, items in ipairs({256, 512, 1024, 128, 64, 32}) do
        if n % items == 0 and n // items <= ROW_KEPT then return items end
    end
    for items = math.min(320, n // 2), 96, -1 do
        if n % items == 0 and n // items <= ROW_KEPT and in_warps(items) then return items end
    end
    for _, items in ipairs(several and {256, 512, 1024} or {}) do
        if 2 * items <= n and n // items <= ROW_KEPT then return items end
    end
    for _, items in ipairs({256, 128, 64, 32}) do
        if 2 * items <= n then return items end
    end
end

-- Work-items that loop over a row of n vectors, all of them as often; nil: none divide it.
function items_of_vectors(n)
    for _, items in ipairs({256, 512, 128}) do
        if n % items == 0 then return items end
    end
    for items = math.min(320, n), 96, -1 do
        if n % items == 0 and in_warps(items) then return items end
    end
end

-- The same for a row of n elements that no number of items divides: elements each, in registers, or of several sums in a loop, and so many items,
-- in whole warps or nearly so, each of which may have one of the rest, too; nil: there are too few.
function items_with_rest(n, several)
    local best
    local long = n > (ROW_KEPT + ROW_KEPT // 2) * (ROW_LOOP // 2)
    local loop = several and (long and ROW_LOOP - WARP or ROW_LOOP // 2) or n // ROW_KEPT > SCAN_ITEMS and ROW_LOOP
    local most = loop and n // loop or ROW_KEPT
    for k = most, most // 2 + 1, -1 do
        local items = n // k
        local chunk = items >= 2 * WARP and items <= SCAN_ITEMS and n % k > 0 and n % k <= items and next_chunk(items)
        -- lanes that do nothing, fewer elements on their way, and results that one item adds up
        local off = chunk and 1 - items / (-(-items // WARP) * WARP) + math.log(most / k, 2) / 4 + math.max(0, items // chunk / WARP - 1)
        if off and (not best or off < best.off) then best = {each = k, items = items, off = off} end
    end
    return best
end

-- What all rows read and has several scalars an element, as bodies do, is in no group's registers: fewer items then, with a loop each.
function items_for_shared(n)
    for _, items in ipairs({128, 64, 32}) do
        if n % items == 0 and n // items > ROW_KEPT then return items end
    end
    return items_for(n)
end
end

-- How many of the steps of a row read it; and may all of its reductions take every n-th element?
local function readings(c)
    local body = c:go("f")
    local n, q, strided = 0, body, true
    while q do
        if q.term.prim == "reduce" or is_map(q.term) then n = n + 1 end
        strided = strided and (q.term.prim ~= "reduce" or R("reduceStrided", {n = 1}).run(q) ~= nil)
        q = q:next(body)
    end
    return n, strided
end

local SIDE = 32                          -- columns that a group takes side by side
-- Is the array made of arrays? Neighbours of a work-item's do not lie beside them then.
local function of_arrays(t)
    if t.prim == "map" then return of_arrays(t:slot("in")) end
    if t.prim ~= "zip" then return t.rank > 1 end
    for i in ipairs(t.slots) do
        if of_arrays(t:slot(i)) then return true end
    end
    return false
end

local SHORTEST_ROW = 32                  -- elements of a row that several work-items share
-- So many short rows: few items each, several rows a group; the shorter of them, and
-- those alone where the order of the elements counts, have half as many.
local SHORT_ROW, SHORT_ROWS, ROW_ITEMS, BESIDE = 1024, 16384, 32, 8
local NARROW = 1 << 20                   -- elements of a matrix

-- Rows that are read joined are joined first.
local joinedRows = L.try(L.alt(R("mapJoinIn"), L.seq(R("mapZipJoinIn"), L.try(L.seq(R("mapZipRotate"), R("mapZipJoinIn")))), L.seq(R("mapZipRotate"), R("mapZipJoinIn"))))

-- A map of folds in two: of parts of each by `made`, at the map of maps that makes them, and of their results. Several folds of a row are one.
local foldsTogether = L.seq(joinedRows, L.try(L.slot("f", L.reductionsTogether)))
local function fold_parts(part, made)
    return base.new("parts", function(q)
        local sums = sums_of(foldsTogether.run(q):at(q))
        local r = sums and L.seq(L.slot("f", L.reduceChunks(part)), R("reduceFission")).run(sums)
        r = r and made(r:at(sums):go("in"))
        r = r and (shaped(r:at(sums)) or r):at(q)
        return r and is_map(r.term) and r.term:slot("f"):contains("reduce") and shaped(r) or r
    end)
end

-- Fewer elements than keep a GPU busy, each a long fold over the same array: a part of an element is a work-item, its neighbours those
-- of the next elements. nil: nothing divides it.
local SHARED_PART = 16                   -- elements of a part, at least
local function shared_parts(n, total)
    local part = fitting(n, math.max(SHARED_PART, n * total // (2 * GPU_ITEMS)), 1)
    if part < SHARED_PART or part == n then return nil end
    return fold_parts(part, function(q)
        local r = R("mapInterchange").run(q)
        return r and L.mapsInItems.run(r:at(q):go("in"))
    end)
end

-- Fewer rows than keep a GPU busy, each a long one: in parts that are rows themselves.
local LONG_PART = 4096                   -- elements of a part, at least
local function long_parts(n, total)
    local part = total < GPU_GROUPS and n >= 2 * LONG_PART and fitting(n, math.max(LONG_PART, n * total // (8 * GPU_GROUPS)), WARP)
    return part and part >= LONG_PART // 2 and fold_parts(part, function(q) return nests(q, shaped) end) or nil
end

-- Is it an array of windows that overlap, so that neighbours read neighbours?
local function of_windows(t)
    if t.prim == "slide" then return t:static(1) ~= t:static(2) end
    for _, slot in ipairs((t.is_layout or t.prim == "map" or t.prim == "zip") and t.slots or {}) do
        if slot ~= "f" and of_windows(t:slot(slot)) then return true end
    end
    return false
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
    if t.prim ~= "zip" then return t.is_atom and t.type:find("%][fiu]32$") ~= nil end
    for i in ipairs(t.slots) do
        if not vectors_read(t:slot(i)) then return false end
    end
    return true
end

-- So many items for an array of n elements, each of which keeps its part in registers: then a size of which the part is a constant, and
-- true; else the number.
local function keeping(array, n, items)
    local kept = n % items == 0 and n // items <= ROW_KEPT and engine.hint("constants")
    return kept and array.length / (n // items) or items, kept
end

local rows_gpu
function rows_gpu(c)
    local inner = c
    local around, total = {}, known(c.term)
    while nested_map(inner) do
        around[#around + 1] = inner
        inner = nested_map(inner)
        total = total and known(inner.term) and total * known(inner.term)
    end
    local fold = folded(inner)
    local row = fold and fold.term:slot("in")
    local n = row and known(row)
    if not fold and c.term:contains("reduce") then return differs("its reduction makes an array") end
    if not fold then return nil end
    if not n then return differs(UNKNOWN) end
    local why = unshared(fold)
    if why then return nil, why end
    if n < SHORTEST_ROW and total and total >= GPU_ITEMS and not c.term:contains("scan") then
        return differs("a row of %d elements is too short for several work-items, and %d rows are one each", n, total)
    end
    if #around > 2 then return differs("%d maps stand around a row, more than groups have dimensions", #around + 1) end
    if total and total >= GPU_ITEMS and is_shared(row) then
        return differs("its reduction reads no row of its own, and %d elements are a work-item each", total)
    end
    if total and total >= GPU_ITEMS and of_windows(inner.term:slot("in")) then
        return differs("its rows are windows that overlap, and %d of them are a work-item each", total)
    end
    local single = inner == c and total and fold.term.prim == "reduce" and not takes_columns(c.term)
    local parts = single and (is_shared(row) and of_arrays(row) and shared_parts or long_parts)(n, total)
    if parts then return parts end
    local across = c.term.prim == "map" and copies.contiguous(c.term:slot("in"))
    local of_columns, count = takes_columns(inner.term) or across == #around + 1, known(inner.term)
    if of_columns and total and total >= 4 * GPU_ITEMS then return differs("%d columns are a work-item each", total) end
    if of_columns and inner.term:contains("scan") and SIDE * n * 4 > LOCAL_BYTES then
        return differs("columns of %d elements are more than local memory has room for", n)
    end
    -- Groups have as many columns side by side as divide them, or else the last has fewer.
    local narrow = count and n * count < NARROW and fitting(count, SIDE, 1) >= SIDE // 4
    local uneven = of_columns and inner == c and count and count > SIDE and not narrow and count % SIDE ~= 0
    if of_columns and not count then return differs(UNKNOWN) end
    if of_columns and inner ~= c and fitting(count, SIDE, 1) < SIDE // 4 then
        return differs("no group of %d or fewer columns divides %d", SIDE, count)
    end
    return base.new("rows", function(top)
        local q = uneven and R("padMap", {n = SIDE}).run(top):at(top):go("in") or top
        for i, p in ipairs(around) do
            local r = R("mapWorkgroup", {d = #around - i + 1}).run(q:at(p))
            if not r then return nil end
            q = r:at(q)
        end
        local at, o, kept = uneven and q or q:at(inner), nil, nil
        at = joinedRows.run(at):at(at)
        if of_columns then
            local items = fitting(n, SIDE, 1)
            o = {side = uneven and SIDE or fitting(known(inner.term), SIDE, 1), dim = 1, rounds = 0}
            items = (n <= SIDE or items >= SIDE // 2) and items or SIDE
            if n % items ~= 0 and n // (n // items) == items then o.each = n // items end
            o.items, kept = keeping(row, n, items)
        else
            local any_order = fold.term.prim == "reduce" and R("reduceStrided", {n = 1}).run(fold)
            local scanned = inner.term:contains("scan") and n % VECTOR == 0 and n // VECTOR <= SCAN_LEAST
            local few = scanned and n // VECTOR or n <= SHORT_ROW // 4 and ROW_ITEMS // 2 or ROW_ITEMS
            if n % few ~= 0 then few = fitting(n, 2 * few, 1) end
            local short = n <= (any_order and SHORT_ROW or SHORT_ROW // 4) and few >= BESIDE and total and total >= SHORT_ROWS
            local side = short and fitting(known(inner.term), scanned and BESIDE // 2 or BESIDE, BESIDE // 2)
            local scan = not side and inner.term:contains("scan") and scan_by_items(n, enough_groups(total)) or {}
            local read = fold.term:slot("in")
            while is_map(read) do read = read:slot("in") end
            local many = is_shared(row) and (spread(read) or 0) > 2 * n
            local several = fold.term.type:find("^%(")
            local items = side and few or scan.items or any_order and (many and items_for_shared or items_for)(n, several)
                or fitting(n, math.min(SCAN_ITEMS, n // VECTOR), WARP) or fold.term.prim == "reduce" and items_for(n)
            if not items then return nil end
            -- A row that is read again for the elements made of it is read in loops: registers would hold it meanwhile.
            local rest = any_order and n % items ~= 0 and not inner.term:contains("scan") and not inner.term:slot("f").is_array and items_with_rest(n, several)
            if rest and R("reduceStridedRest", {k = rest.each}).run(fold) then items, scan = rest.items, {each = rest.each} end
            o = {each = scan.each or n // items, beside = scan.beside, rounds = scan.rounds or items > 16 and 1 or 0, side = side or nil}
            local looping = several and any_order and not side and not inner.term:slot("f").is_array and reductions_in(inner.term) == 1
            local by_vectors = looping and n % VECTOR == 0 and vectors_read(read) and items_of_vectors(n // VECTOR)
            if by_vectors then o.items, o.each, o.w = by_vectors, n // by_vectors, VECTOR
            elseif looping then o.items = items
            else o.items, kept = keeping(row, n, items) end
        end
        local one = #inner.term.binders == 1 and at.term:slot("in").rank == 2 and not inner.term:contains("scan")
        local steps, strided = readings(inner)
        if one and kept and steps > 1 and strided then o.keep = true end
        local long = o.dim ~= 1 and o.each > ROW_KEPT or o.dim == 1 and not kept and SIDE * n * 4 > LOCAL_BYTES
        if long and not inner.term:contains("scan") then
            at = L.longRow(o.items, fitting(n // o.items, ONLINE, 1)).run(at):at(at)
        end
        local r = L.rowsInGroups(o).run(at)
        return r and r:at(top)
    end)
end

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

local function rows_cpu(c)
    local fold = fold_step(c:go("f"))
    if not fold and c.term:contains("reduce") then return differs("no step of a row is a reduction to a scalar") end
    if not fold then return nil end
    local n, length = known(c.term), known(fold.term:slot("in"))
    if not n or not length then return differs(UNKNOWN) end
    local why = unshared(fold)
    if why then return nil, why end
    if length < cuts.CPU_ROW then return differs("a row of %d elements is shorter than %d", length, cuts.CPU_ROW) end
    if takes_columns(c.term) then return differs("its rows are columns in memory") end
    local w, u = lanes(length)
    if not w or w * u < 2 * LANES and length >= CPU_FAR_ROW then w, u = LANES, 4 end
    local few = math.max(1, math.min(64, n // CPU_PARTS))
    return L.rowsInVectors({rows = fitting(n, few, 1), w = w, u = u})
end

-- More elements than keep a GPU busy, each a fold over the same array: several a work-item.
local FOLDS, LONG_FOLD = 8, 16           -- of a work-item, at most; elements that are worth it, at least
local function same_fold(c, gpu)
    local inner, total = c, known(c.term)
    while nested_map(inner) do
        inner = nested_map(inner)
        total = total and known(inner.term) and total * known(inner.term)
    end
    local fold = gpu and total and is_map(c.term) and not c.term:slot("f"):contains("scan") and folded(inner)
    local x = fold and fold.term:slot("in")
    if not x or not is_shared(x) or (known(x) or 0) < LONG_FOLD or fold.term:slot("f"):contains("reduce") then return nil end
    local n = fitting(known(inner.term), math.max(1, math.min(FOLDS, total // GPU_ITEMS)), 1)
    if reductions_in(inner.term) > 1 then return differs("an element is made by several reductions") end
    return n > 1 and L.foldsInItems({n = n}) or differs("%d elements are fewer than two for each of %d work-items", total, GPU_ITEMS)
end

local function rows(c, gpu)
    if c.term.prim ~= "map" then return nil end
    return (gpu and rows_gpu or rows_cpu)(c)
end

-- Columns side by side: so many vectors of accumulators as fit in registers, of groups that keep a CPU busy.
local SUMS = 16

-- The map with the reductions that the map at q is, or goes on with; nil: there is none.
local function reductions_of(q)
    if not is_map(q.term) then return nil end
    if q.term:slot("f"):contains("reduce") then return q end
    local x = q:go("in")
    if x.term.prim ~= "zip" then return reductions_of(x) end
    for _, slot in ipairs(x.term.slots) do
        local r = reductions_of(x:go(slot))
        if r then return r end
    end
end

-- Few long columns on a GPU: in tiles of so many rows that groups are enough, then the partial results.
local COLUMN_GROUPS = 4                  -- for each unit
local function few_columns(c)
    local fold = folded(c)
    local n, rows = known(c.term), fold and fold.term.prim == "reduce" and known(fold.term:slot("in"))
    if not n or not rows or n % SIDE ~= 0 or n // SIDE >= GPU_GROUPS or rows < CPU_MIN then return nil end
    local part = fitting(rows, math.max(SIDE, n // SIDE * rows // (COLUMN_GROUPS * GPU_GROUPS)), 1)
    if part < SIDE then return nil end
    return base.new("columns", function(q)
        local out = c.term:slot("f").prim == "reduce" and q or sumsOut.run(q)
        out = out and out:at(q)
        local sums = out and reductions_of(out)
        local r = sums and tupling.tiled(sums, part, SIDE)
        local tile = r and r:go("in", "in", "f", "in", "f")
        local parts = tile and tupling.by_column.run(tile)
        parts = parts and parts:at(r):go("in")
        r = parts and nests(parts, shaped):at(sums)
        r = r and shaped(r)
        return r and r:at(q)
    end)
end

-- So many columns side by side as make groups that keep a CPU busy, with others of which there are so many.
local function columns_cpu(t, others)
    local n = known(t)
    if not n then return differs(UNKNOWN) end
    local w = lanes(n)
    local few = math.max(1, CPU_FEW // others)
    local width = w and fitting(n, math.min(SUMS * w, n // few), w)
    if not width then return differs("no vectors of 4, 8 or 16 columns make %d groups of %d", few, n) end
    local sums = L.columnsInVectors({n = width, w = w})
    return t:slot("f").prim == "reduce" and sums or L.seq(sumsOut, L.slot("in", sums))
end

local function columns(c, gpu)
    local t = c.term
    if t.prim ~= "map" then return nil end
    if takes_columns(t) then
        if gpu then return few_columns(c) end
        return columns_cpu(t, 1)
    end
    local inner = not gpu and nested_map(c)                  -- those of each element of a batch
    if not inner or contraction.run(c) or not takes_columns(inner.term) or inner.term:slot("f").prim ~= "reduce" or not known(t) then return nil end
    local strategy, why = columns_cpu(inner.term, known(t))
    return strategy and L.seq(R("mapWorkgroup", {d = 1}), inside_at(c, inner, strategy)), why
end

-- maps and stencils

-- Does t loop over numbers that it counts, with a state of scalars?
local function counts(t)
    if (t.prim == "reduceSeq" and t:slot("in").prim == "generate" or t.prim == "iterate") and t.scalars:known() then return true end
    for _, child in ipairs(t.children) do
        if counts(child) then return true end
    end
    return false
end

-- A map that reduces for each of its elements, which are scalars or columns, or maps in each other that loop for theirs: as many side by
-- side as a vector has.
local function long_loops(c, gpu)
    local inner = c
    while not gpu and nested_map(inner) and counts(c.term:slot("f")) do inner = nested_map(inner) end
    local t = inner.term
    local n = not gpu and t.prim == "map" and t.rank == 1 and (counts(t:slot("f")) or inner == c and t:contains("reduce")) and known(t)
    local w = n and n >= CPU_FEW * 16 and (inner == c and lanes(n) or inner ~= c and LANES)
    if not w then return nil end
    local vectors = L.alt(R("mapVectorise", {w = w}), R("vectoriseColumns", {w = w}), R("vectoriseColumnsZip", {w = w}))
    local length = inner == c and n // w or known(c.term)
    local groups = length and L.seq(L.slot("f", R("mapSeq")), R("mapWorkgroup", {d = 0}))
    local chunks = length and L.seq(R("splitJoin", {n = length // fitting(length, CPU_PARTS, 1)}), L.slot("in", groups))
    if inner == c then return L.seq(vectors, L.slot("in", chunks)) end
    return chunks and L.seq(inside_at(c, inner, rows_peeled(t, w, vectors, R("mapSeq"))), chunks)
end

-- Scalars that are named for a row are computed where its elements are made.
local scalarsIn = L.rep(L.where(function(t)
    local value = t.prim == "let" and t:slot("value")
    return value and not value.is_array and not value:contains("reduce") and is_map(t:slot("body"))
end, R("letIntoMap")))

-- An array of arrays whose elements are made one by one, by a GPU: vectors of the innermost, or its elements, of a long one by a group.
local LONG_ROW = 512
local function long_rows(c)
    if not is_map(c.term) or c.term:contains("reduce") then return nil end
    local named = c.term:slot("f").prim == "let"
    local q, total = named and L.slot("f", scalarsIn).run(c):at(c) or c, known(c.term)
    if not nested_map(q) then return nil end
    while nested_map(q) do
        q = nested_map(q)
        total = total and known(q.term) and total * known(q.term)
    end
    if not total then return differs(UNKNOWN) end
    if total < CPU_MIN or q.term.rank ~= 1 then return nil end
    local n = known(q.term)
    local items = n % VECTOR == 0 and L.alt(L.mapRowsGpu({w = VECTOR}), L.mapsInItems) or n >= LONG_ROW and L.mapsInGroups or L.mapsInItems
    return named and L.seq(L.slot("f", scalarsIn), items) or items
end

-- Has t no reductions but short ones of what is the same for all elements, as of the coefficients of a polynomial?
local function reduces_little(t)
    if t.prim == "reduce" and not (is_shared(t:slot("in")) and (known(t:slot("in")) or ROW_KEPT + 1) <= ROW_KEPT) then return false end
    for _, child in ipairs(t.children) do
        if not reduces_little(child) then return false end
    end
    return true
end

local function long_map(c, gpu)
    local t = c.term
    if gpu and t.rank >= 2 then return long_rows(c) end
    if t.prim ~= "map" or t.rank ~= 1 or not (gpu and reduces_little(t:slot("f")) or not t:contains("reduce")) then return nil end
    local n = known(t)
    if not n then return differs(UNKNOWN) end
    if n < CPU_MIN then return differs("%d elements are fewer than %d", n, CPU_MIN) end
    if gpu then
        local some = L.mapGpu({w = VECTOR})
        return n % VECTOR == 0 and some or L.seq(peel(R("mapPeelLast"), n % VECTOR), L.slot("0", some))
    end
    local chunk = n // fitting(n, CPU_PARTS, 1)
    local w = lanes(chunk)
    if not w then return differs("neither 4, 8 nor 16 divides its chunks, of %d elements", chunk) end
    local plain = L.mapCpu({chunk = chunk, w = w})
    if n < CPU_FAR then return plain end
    return L.alt(L.mapCpu({chunk = chunk, w = w, r = fitting(chunk // w, 4, 1), stream = true}), plain)
end

-- Windows of the last two maps: so many elements of a column as leave enough work-items. One map: a few elements an item.
local WINDOWS, WINDOW_GROUP, WINDOW_ITEMS = 8, 1024, 256
local function stencil_gpu(c)
    local rows, outer, total = c, nil, known(c.term)
    local row = nested_map(rows)
    while row and total do
        total = known(row.term) and total * known(row.term)
        local next = nested_map(row)
        if not next then break end
        if outer then return nil end
        rows, row, outer = row, next, rows
    end
    if not total or not row and (total < GPU_ITEMS or c.term:contains("reduce")) then return nil end
    if not row then
        local groups = L.mapInGroups({n = WINDOW_GROUP, items = WINDOW_ITEMS})
        local k = total % WINDOW_GROUP
        return k == 0 and groups or L.seq(peel(R("mapPeelLast"), k), L.slot("0", groups))
    end
    local most = math.max(1, math.min(WINDOWS, total // GPU_ITEMS))
    local n = fitting(known(rows.term), most, 1)
    local items = L.stencilItems({n = n})
    if 2 * n <= most then items = L.alt(L.seq(R("padMap", {n = most}), L.slot("in", L.stencilItems({n = most}))), items) end
    return outer and L.seq(R("mapGlobal", {d = 2}), inside_at(c, rows, items)) or items
end

-- A map of what a map makes is one map, but for contractions, whose elements are read again and again.
local fusedMaps
do
    local of_map = L.where(function(t) return is_map(t:slot("in")) end, R("mapFusion"))
    local zipped_map = L.where(function(t)
        for i in ipairs(t.slots) do
            local x = t:slot(i)
            if x.prim == "map" then return is_map(x) end    -- not a layout: what is joined there stays one row
        end
    end, R("zipMap"))
    fusedMaps = L.rep(L.seq(L.where(L.computes, L.alt(of_map, L.seq(L.slot("in", zipped_map), of_map))),
                            L.where(function(_, c) return not reuses(c) end, L.id)))
end

-- Does one of the maps from q inwards read by columns?
local function columns_read(q) return q and (by_columns(q.term) or columns_read(nested_map(q))) or false end

-- Two maps that make each element from one of each array, of which some are read by columns: in tiles, on a GPU also for each of a batch,
-- after several maps, of zips in zips, and with a scalar for each row.
local transposition
do
    local CPU_TILE, TILE, LINE, SECTOR, COLUMN = 64, 64, 32, 8, 8       -- elements: sides, of a GPU's lines and their sectors, of an item's column
    local one_zip = L.rep(L.seq(L.slot("in", R("zipZip")), R("mapFusion")))
    local fused = L.seq(fusedMaps, one_zip)
    local rowsFused = L.seq(one_zip, L.try(L.slot("f", L.seq(fused, L.try(L.slot("f", fused))))))

    local padded = L.alt(R("padMatrices", {m = TILE, n = TILE}), R("padMatrix", {m = TILE, n = TILE}))
    local function on_gpu(n, m, x)
        local function side(k) return fitting(k, TILE, LINE) or fitting(k, TILE, SECTOR) end
        local u, v, pad = side(n), side(m), nil
        if not u or not v then u, v, pad = TILE, TILE, padded end
        -- Smaller tiles share lines of a cache with those beside them, which antidiagonals keep apart.
        local function tiles(mirrored)
            local there = L.tilesInItems({u = u, v = v, m = COLUMN, mirrored = mirrored or nil})
            if pad then return L.seq(stencils.scalarsBeside, pad, L.slot("in", L.slot("in", there))) end
            return mirrored and L.seq(stencils.scalarsBeside, there) or there
        end
        return n == m and u % LINE == 0 and stencils.are_mirrored(x, n) and L.alt(tiles(true), tiles(false)) or tiles(false)
    end

    local function on_cpu(n, m)
        local u, v = fitting(n, CPU_TILE, 2), fitting(m, CPU_TILE, 2)
        return u and v and L.tilesInLocal(u, v)
    end

    function transposition(q, gpu)
        if q.term:contains("reduce") then return nil end
        local c = gpu and rowsFused.run(q):at(q) or q
        local rows = c
        local columns = nested_map(rows)
        local batch = columns and nested_map(columns) and c
        if batch then rows, columns = columns, nested_map(columns) end
        if not columns or nested_map(columns) or not by_columns(rows.term) then return nil end
        local n, m = known(rows.term), known(columns.term)
        if not n or not m then return differs(UNKNOWN) end
        if n * m < CPU_MIN then return differs("%d elements are fewer than %d", n * m, CPU_MIN) end
        local tiles = (gpu and on_gpu or on_cpu)(n, m, rows.term:slot("in"))
        if not tiles then return differs("no tile of even sides divides %d x %d", n, m) end
        return L.seq(gpu and rowsFused or L.id, batch and L.seq(R("mapWorkgroup", {d = 2}), inside_at(c, rows, tiles)) or tiles)
    end
end

-- How many elements nested maps make for one of the outermost; nil: that is not known.
local function inside(c)
    local total = 1
    c = nested_map(c)
    while c do
        local n = known(c.term)
        if not n then return nil end
        c, total = nested_map(c), total * n
    end
    return total
end

-- Loops long enough to be vectors, in groups that are enough and have enough to do. Where no number divides the length, a row
-- is a group, or what is left is a nest of its own.
local function stencil_cpu(c, n)
    local row = inside(c)
    if not row or n < CPU_FEW or n * row < CPU_MIN then return nil end
    local parts = math.min(CPU_PARTS, math.max(CPU_FEW, n * row // CPU_CHUNK))
    local even = fitting(n, parts, 1)
    if even >= CPU_FEW then return L.stencilCpu({n = n // even}) end
    if row >= CPU_CHUNK or n < 4 * parts then return L.stencilCpu end
    return L.seq(R("mapPeelLast", {n = n % parts}), L.slot("0", L.stencilCpu({n = n // parts})),
                 row > 1 and L.slot("1", L.stencilCpu) or L.id)
end

-- Are windows or edges read, by what is no kernel of its own yet?
local mapped = {mapWorkgroup = true, mapGlobal = true}
local function has_windows(t)
    if t.prim == "slide" or t.prim == "pad" or t.prim == "padConst" then return true end
    for _, child in ipairs(mapped[t.prim] and {} or t.children) do
        if has_windows(child) then return true end
    end
    return false
end

local function stencil(c, gpu)
    local t = c.term
    local n = t.prim == "map" and not t.layout_function and known(t)
    if not n or not has_windows(t) or contraction.run(c) then return nil end
    return (gpu and stencil_gpu or stencil_cpu)(c, n)
end

-- The program at c in a shape if that fits, works, and divides only what its numbers divide; nil: no, and in what it differs from a
-- nest that has it (a text or a failure; nil: it is nowhere near).
local function in_shape(c, shape, ...)
    local strategy, why = shape(c, engine.hint("gpu"), ...)
    if not strategy then return nil, why or nil end
    local r, failure = strategy.run(c)
    if r and r:holds() then return r:at(c) end
    return nil, r and "it would divide a length by a number that does not divide it" or failure or "it cannot be made here"
end

-- contractions

-- A batch of contractions, or of what is done with their elements, in the groups of dimension 2.
local batch
function batch(q, gpu)
    local inner = is_map(q.term) and is_map(q.term:slot("f")) and q:go("f")
    local of = inner and product_of(inner)
    if not of or not contraction.run(of) or not of.term:slot("in").is_layout then return nil end
    local beside = of.place ~= inner.place and inner.term:slot("in"):slot("1")
    if beside and not beside.is_layout then return nil end
    local strategy = product(inner, gpu, known(q.term))
    if strategy then return L.seq(R("mapWorkgroup", {d = 2}), inside_at(q, inner, strategy)) end
    local columns = of.term:slot("f")
    local rows, length = known(of.term), known(columns:slot("f"):slot("in"))
    local padded = of.place == inner.place and rows and known(columns) and length and padding(L.padBatch, rows, known(columns), length, known(q.term) or 1, gpu)
    local blocks = in_shape_of(batch, "batch", "blocks of the padded products")
    return padded and L.seq(padded, L.slot("in", L.slot("in", L.alt(L.slot("body", blocks), blocks)))) or nil
end

-- The contraction at c and what is done with its elements, apart; nil: it is none.
local function elements_apart(c)
    local r = L.seq(L.contractionOut, L.try(L.pairRows)).run(c)
    r = r and r:at(c)
    local of = r and product_of(r)
    return of and contraction.run(of) and r
end
local function is_product(c) return contraction.run(c) or reuses(c) and elements_apart(c) end

-- Such a one for each element of a batch, as `batch` takes it; nil: it is none, or no block divides it.
local function batch_elements(q)
    local inner = is_map(q.term) and nested_map(q)
    local r = inner and not contraction.run(inner) and elements_apart(inner)
    r = r and r:at(q)
    return r and in_shape(r, batch) and r
end

-- Parts of columns are the columns of parts: a batch that takes them says so.
local of_columns = L.seq(R("splitColumns"), L.slot("in", L.slot("in", R("transposeTranspose"))))
local columnsKept = L.rep(L.seq(L.slot("in", L.seq(L.alt(L.slot("0", of_columns), L.slot("1", of_columns)), R("zipMap"))),
                                R("mapFusion")))

local function above(n, step) return -(-n // step) * step end

-- How long the parts of such a contraction of n by m elements may be at most for two groups of each unit, and how long they are so where
-- they need not divide it; nil: it makes enough groups, or is too short.
local function longest_part(n, m, length, gpu)
    local function blocks(u, v) return above(n, u) // u * (above(m, v or u) // (v or u)) end
    local large = math.min(n, m) > LEAST_BLOCK and LARGE_BLOCK or LEAST_BLOCK
    local groups, made = gpu and 2 * GPU_GROUPS or 2 * CPU_FEW, gpu and blocks(large) or blocks(CPU_ROWS, LEAST_BLOCK)
    local few = gpu and (blocks(LEAST_BLOCK) < GPU_GROUPS or blocks(LARGE_BLOCK) < GPU_GROUPS and length >= LONG) or not gpu and made < CPU_FEW
    local least = gpu and LEAST_PART or CPU_PART
    if not few or length < PARTS * least then return nil end
    local uneven = above(above(length, groups // made) // (groups // made), PART_STEP)
    return math.max(length * made // groups, least), math.max(uneven, least)
end

-- A divisor of the length that is whole steps of a product, near the longest part.
local function part_of(length, most)
    local part = fitting(length, most, LEAST_PART) or fitting(length, most, PART_STEP)
    if part and part >= LEAST_PART then return part end
    for d = most // PART_STEP * PART_STEP + PART_STEP, math.min(2 * most, length - 1), PART_STEP do
        if length % d == 0 then return d end
    end
end

-- A long contraction that makes too little for a GPU's groups, in parts: a batch of products in large blocks, and the sums of what
-- they make; padded where no block, or no part, divides it. nil: it is none.
local in_parts
function in_parts(q, choose)
    local n, inner = contraction.run(q) and known(q.term), q.term:slot("f")
    local m = n and known(inner)
    local length = m and known(inner:slot("f"):slot("in"))
    if not length or math.min(n, m) < PADDED then return nil end
    local most, uneven = longest_part(n, m, length, engine.hint("gpu"))
    if not most then return nil end
    local half = LEAST_BLOCK // 2
    local function is_whole(k) return k == half or k % LEAST_BLOCK == 0 end
    local part = is_whole(n) and is_whole(m) and part_of(length, most)
    if not part then
        local steps = part_of(above(length, PART_STEP), most) and PART_STEP or uneven
        local function side(k) return k <= half and half or rounding(k, {LARGE_BLOCK, LEAST_BLOCK}) or LEAST_BLOCK end
        local turn = L.slot("in", L.slot("in", R("turnOperand")))
        local r = L.seq(L.padNest(side(n), side(m), steps), turn).run(q)
        r = r and in_parts(r:at(q):go("in", "in", "body"), choose)
        return r and L.normalize(names_out).run(r:at(q)):at(q)
    end
    local r = R("contractionParts", {n = part}).run(q)
    r = r and r:at(q):go("in", "in")
    return r and nests(columnsKept.run(r):at(r), choose):at(q)
end

-- slices

local SLICE_EACH, SLICE_GROUP = 4, 256   -- elements of a slice that a GPU's item takes, where there are so many; items of a group
local SLICE_ROWS = 4096                  -- slices that a CPU's group takes one after another, at most

local function takes_slices(t) return is_map(t) and t:slot("f"):contains("slice") end

-- The first slice in what the map at c does.
local function slice_of(c)
    local body = c:go("f")
    local q = body
    while q and q.term.prim ~= "slice" do q = q:next(body) end
    return q
end

-- A map cut in groups of n, or a little less where that divides its length; else what is left is a nest of its own.
local function in_groups(length, n, made)
    local even, left = fitting(length, n, 1), length % n
    if 2 * even >= n then return made(even) end
    return L.seq(R("mapPeelLast", {n = left}), L.slot("0", made(n)), L.slot("1", made(left)))
end

-- So many items for a slice as its elements are on average, of which each takes a few.
local function segments(c, gpu)
    local m = takes_slices(c.term) and known(c.term)
    if not m or not slice_of(c) then return nil end
    if not gpu then
        local n = math.min(SLICE_ROWS, m // CPU_PARTS)
        return n > 1 and in_groups(m, n, function(rows) return L.slicesInGroups({rows = rows}) end) or nil
    end
    local n = known(slice_of(c).term:slot("in"))
    local items = 1
    while n and items < SLICE_GROUP and 2 * items * SLICE_EACH * m <= n do items = 2 * items end
    if items == 1 then return nil end
    return in_groups(m, math.min(m, SLICE_GROUP // items), function(side)
        return L.slicesInItems({items = items, side = side, rounds = items > 16 and 1 or 0})
    end)
end

-- Functions of instances; one alone if it makes arrays, and not of windows, which is a stencil.
local function functions(c, gpu)
    local worth = fusion.worth(c)
    local one = worth == 1 and is_map(c.term) and c.term:slot("f").is_array and not c.term:slot("in"):contains("slide")
    return (worth > 1 or one) and fusion.in_groups(c, gpu) or nil
end

-- several results of one traversal

local TOGETHER_CPU = 1 << 22             -- elements of a matrix that no cache of a CPU holds
local TOGETHER_MIN = 1 << 23             -- elements of a matrix that are worth partial results, which a kernel more sums up
local KEPT_CHUNK, KEPT_ITEMS = 4096, 256 -- elements of a named array that a group makes and reduces, its items

-- The matrix whose rows, or columns (then true), the map t reduces each to a scalar; nil: it does not.
local function reduced_matrix(t)
    if not is_map(t) or t:slot("f").is_array or not t:slot("f"):contains("reduce") then return nil end
    local x = t:slot("in")
    if x.prim == "zip" then x = x:slot("0") end
    if x.prim == "transpose" then return x:slot("in"), true end
    return x, false
end

local function both_sums(c, gpu)
    local rows, columns, text = nil, nil, nil
    for _, child in ipairs(c.term.children) do
        local x, by_column = reduced_matrix(child)
        if x and (not text or x.text == text) then
            if by_column then columns = columns or child else rows = rows or child end
            text = x.text
        end
    end
    if not rows or not columns then return nil end
    local n, m = known(rows), known(columns)
    if not n or not m then return differs(UNKNOWN) end
    local tile, pad = (gpu and tupling.tile_of or tupling.tile_cpu)(n, m)
    local least = gpu and TOGETHER_MIN or TOGETHER_CPU
    if not tile then return differs("no tiles of few rows and vectors divide %d x %d", n, m) end
    if pad and n % tile.n ~= 0 then least = 2 * least end                  -- that much more is launched
    if n * m < least then return differs("%d x %d are fewer than %d elements", n, m, least) end
    local made = (gpu and L.sumsInTilesGpu or L.sumsInTilesCpu)(tile)
    return pad and L.seq(gpu and L.padSums(pad, tile.n, tile.w) or L.padSums(pad, tile.n), made) or made
end

-- A long named map of scalars, of which something is reduced and which is a result besides.
local function kept(c)
    local value = c.term:slot("value")
    local n = is_map(value) and not value:slot("f").is_array and not value:contains("reduce") and known(value)
    if not n or n < CPU_MIN or not c.term:slot("body"):contains("reduce") then return nil end
    local chunk = fitting(n, KEPT_CHUNK, 4 * KEPT_ITEMS)
    local left = not chunk and n % KEPT_CHUNK or 0
    chunk = chunk or KEPT_CHUNK
    local made = L.seq(L.keptInChunks(chunk), L.slot("value", L.rowsInGroups({items = KEPT_ITEMS, each = chunk // KEPT_ITEMS, rounds = 1})))
    return left > 0 and L.seq(L.keptPeelLast(left), made) or made
end

local kept_matrix
do
-- Does t, or a map in it, reduce each row, or each column, of a named matrix of that type to a scalar?
local function reduces_named(t, type, columns)
    local x, by_column = reduced_matrix(t)
    if x and by_column == columns and x.kind == "var" and x.type == type then return true end
    for _, slot in ipairs(t.slots) do
        if slot ~= "f" and reduces_named(t:slot(slot), type, columns) then return true end
    end
    return false
end

-- The name at q and the reductions of its rows as one map of rows.
local kept_rows = base.new("together", function(q)
    local r = tupling.kept.run(q)
    local p = r and r:at(q)
    if not p then return nil, base.failure(q, "together", "rows that are reduced, of what is named") end
    p = p.term.prim == "let" and p:go("value") or p
    local made, shape = shaped(p.term.prim == "unzip" and p:go("in") or p)
    return shape == "rows" and made:at(q) or nil
end)

-- A large named matrix, made element by element, of which columns or rows are reduced.
function kept_matrix(c)
    local value, body = c.term:slot("value"), c.term:slot("body")
    local n = is_map(value) and is_map(value:slot("f")) and value.rank == 2 and not value:contains("reduce") and not value:contains("scan") and known(value)
    local m = n and known(value:slot("f"))
    if not m or n * m < TOGETHER_MIN then return nil end
    local tile, pad = tupling.tile_of(n, m)
    local columns = reduces_named(body, value.type, true) and tile and not pad and n % tile.n == 0 and L.keptInTilesGpu(tile)
    local rows = reduces_named(body, value.type, false) and kept_rows
    return columns and rows and L.alt(columns, rows) or columns or rows or nil
end
end

-- How many arrays the long reductions in t read, each by itself.
local function reads_of_reductions(t)
    local reads = 0
    if t.prim == "reduce" then
        local x = t:slot("in")
        if (known(x) or 0) < CPU_MIN then return 0 end
        while is_map(x) do x = x:slot("in") end
        return x.prim == "zip" and #x.slots or 1
    end
    for _, slot in ipairs(is_map(t) and {} or t.slots) do reads = reads + (slot == "f" and 0 or reads_of_reductions(t:slot(slot))) end
    return reads
end

-- Long reductions, of fewer arrays than they read apart.
local function reductions(c)
    local reads = reads_of_reductions(c.term)
    local r = reads > 1 and L.reductionsTogether.run(c)
    local value = r and r:at(c):go("value")
    local x = value and value.term:slot("in")
    if not x or not known(x) or known(x) < CPU_MIN then return nil end
    while is_map(x) do x = x:slot("in") end
    if x.prim == "zip" and #x.slots >= reads then return nil end
    return base.new("together", function(q) return (shaped(value) or value):at(q) end)
end

-- Long rows of which several are reduced: one reduction, of fewer arrays than they read apart.
local function rows_together(q)
    local fold = engine.hint("gpu") and is_map(q.term) and not takes_columns(q.term) and folded(q)
    local n = fold and known(fold.term:slot("in"))
    if not n or not items_for(n) then return q end
    local reads = reads_of_reductions(q.term:slot("f"))
    local r = reads > 1 and L.slot("f", L.reductionsTogether).run(q)
    local value = r and r:at(q).term:slot("f")
    local x = value and value.prim == "let" and value:slot("value")
    x = x and x.prim == "reduce" and x:slot("in")
    while x and is_map(x) do x = x:slot("in") end
    return x and not (x.prim == "zip" and #x.slots >= reads) and r:at(q) or q
end

-- Element-wise maps of as many elements, of which some read the same: one pass over all, which are taken from end to end.
local function elements(c)
    local total
    for _, t in ipairs(c.term.children) do
        local n = is_map(t) and not t:contains("reduce") and not t:contains("scan") and not has_windows(t) and not by_columns(t) and t.scalars:known()
        if not n or total and n ~= total or n < CPU_MIN then return nil end
        total = n
    end
    return base.new("together", function(q)
        for _, slot in ipairs(q.term.slots) do
            local p = q:go(slot)
            while p.term.rank > 1 do p = L.seq(R("rowsRejoined"), L.slot("in", cuts.oneRow)).run(p):at(p):go("in") end
            q = is_map(p.term) and p:at(q)
            if not q then return nil end
        end
        local r = tupling.shared(q)
        local value = r and r:at(q):go("value")
        value = value and is_map(value.term) and (shaped(value) or value)
        return value and value:at(q)
    end)
end

local function together(c, gpu)
    if c.term.prim == "(,)" then return reductions(c) or both_sums(c, gpu) or gpu and elements(c) or nil end
    if not c.term.is_array and c.term.prim ~= "let" and c.term.prim ~= "reduce" then return reductions(c) end
    return c.term.prim == "let" and (reductions(c) or gpu and (kept(c) or kept_matrix(c))) or nil
end

-- The shapes of nests by name, in the order in which they are tried, and the form that each wants.
local shapes = {
    {"functions", functions, "instances of functions that share what they read"},
    {"together", together, "reductions of one array, or of a matrix, its rows, columns"},
    {"row folds", function(c, gpu) return rowfolds.recognise(c, gpu, shaped) end, "let y = map (\\row -> reduce ..) A in what columns read with y"},
    {"segments", segments, "map (\\.. -> .. slice ..) xs, slices of one array"},
    {"by index", by_index, "reduceByIndex f z (pairs)"},
    {"rows by index", by_index_rows, "map (\\row -> reduceByIndex f z ..) rows, on a GPU"},
    {"batch", batch, "map (\\x -> a product that takes x) xs"},
    {"stencil", stencil, "maps over windows: slide, pad"},
    {"transposition", transposition, "map (\\row -> map f ..) .., no reduction, some by columns"},
    {"product", product, "map (\\a -> map (\\b -> reduce f z (e a b)) ys) xs, same ys"},
    {"reduction", reduction, "reduce f z xs to a scalar or a tuple, f associative"},
    {"scan", scan, "scan f z xs, or a map of one"},
    {"columns", columns, "map (\\column -> .. reduce ..) (transpose A)"},
    {"long loops", long_loops, "map (\\x -> .. reduce ..) xs to scalars, on a CPU"},
    {"same fold", same_fold, "maps (\\x -> .. reduce f z (e x ys) ..) xs, same ys, on a GPU"},
    {"rows", rows, "map (\\row -> .. reduce or scan over row ..) rows"},
    {"column scans", scans.columns, "map (\\column -> .. scan f z column ..) (transpose A)"},
    {"tiles", copies.tiles, "a layout of an input alone, by columns, on a GPU"},
    {"vectors", copies.vectors, "a layout of an input alone, on a GPU"},
    {"long map", long_map, "map (\\x -> no reduction) xs to scalars"},
}

local shape_named = {}
for _, shape in ipairs(shapes) do shape_named[shape[1]] = shape end

-- Those that the nest at c may have.
local function candidates(c)
    if takes_slices(c.term) then return {shape_named.segments} end
    local by_rows = is_map(c.term) and c.term:slot("f"):contains("reduceByIndex")
    return by_rows and {shape_named["rows by index"]} or shapes
end

-- The nest at c in the shape of that name, or in the first that fits, and its name; nil: none.
function shaped(c, name)
    for _, shape in ipairs(candidates(c)) do
        local r = (not name or shape[1] == name) and in_shape(c, shape[2])
        if r then return r, shape[1] end
    end
end

-- Why the nest at c nearly has the shape of that name, and has not; nil: it has it, or is nowhere near.
local function misfit(c, name)
    for _, shape in ipairs(candidates(c)) do
        if shape[1] == name then
            local r, why = in_shape(c, shape[2])
            if r or type(why) ~= "table" then return not r and why or nil end
            return "in its derivation " .. (why.needs and ("%s needs %s"):format(why.rule or why.label, why.needs) or why.message)
        end
    end
end

-- A map that makes each element from one: it is made where it is read.
local function is_elementwise(t) return is_map(t) and not t:contains("reduce") and not t:slot("f").is_array end

-- The nests that the places below q make its input with, but for that at `but` or around it. made: q computes each element where it
-- is read.
local function inputs(q, made, choose, but)
    for _, child in ipairs(q:children()) do
        local at = child.slot ~= "f" and q:at(child)
        local t = at and not (but and blocking.under(but, at)) and at.term
        if t and made and (is_elementwise(t) or t.layout_node and t.prim ~= "slide" or t.prim == "zip") then
            q = inputs(at, true, choose):at(q)
        elseif t then
            q = nests(at, choose):at(q)
        end
    end
    return q
end

-- The same for what the scan below q, and what is made of its elements there, read.
local function scan_inputs(q, scanned, choose)
    if q.place == scanned.place then return inputs(q, true, choose) end
    for _, child in ipairs(q:children()) do
        local at = child.slot ~= "f" and q:at(child)
        if at and blocking.under(scanned, at) then q = scan_inputs(at, scanned, choose):at(q)
        elseif at then q = (is_elementwise(at.term) and inputs(at, true, choose) or nests(at, choose)):at(q) end
    end
    return q
end

-- The rows at q of arrays zipped in each as one row of them; nil: they are none of inputs alone, or so few that what vectors leave over is
-- not worth a launch.
local FLAT = 1 << 24
local function rows_of_inputs(q)
    local total = q.term.scalars:known()
    if not total or total % VECTOR ~= 0 and total < FLAT then return nil end
    local zip = is_map(q.term) and q.term:slot("in").prim == "zip" and nested_map(q)
    local r = zip and zip.term:slot("in").prim == "zip" and L.seq(R("rowsRejoined"), L.slot("in", cuts.oneRow)).run(q)
    local x = r and r:at(q):go("in").term
    x = x and is_map(x) and x:slot("in")
    for _, slot in ipairs(x and x.prim == "zip" and x.slots or {}) do
        local t = x:slot(slot)
        while t.prim == "join" do t = t:slot("in") end
        if t.kind ~= "input" then return nil end
    end
    return x and x.prim == "zip" and r:at(q) or nil
end

-- Rows whose elements know nothing of their row as one row; nil: there is nothing to gain.
local flat = L.normalize(R("flattenMaps"))
local function flattened(q)
    local t, inner = q.term, is_map(q.term) and nested_map(q)
    if not inner or t:contains("reduce") or columns_read(q) or t:contains("slide") or t:contains("pad") then return nil end
    local n = known(inner.term)
    local gpu, even = engine.hint("gpu"), t.rank == 2 and (not n or n % VECTOR == 0)
    local long = not gpu and not t:slot("in"):contains("split") and (t.scalars and t.scalars:known() or 0) >= CPU_MIN      -- chunks stay
    if even and not long then return nil end
    local r = flat.run(q):at(q)
    if r.term.prim ~= "split" and engine.hint("gpu") then r = rows_of_inputs(q) or r end
    return (engine.hint("gpu") or r.term.prim == "split") and r
end

-- Every nest that stands outside all functions, each on its own merits, past names, tuples and layouts: what it reads, then itself.
-- choose(c): the nest at c in its shape; nil: it has none.
function nests(q, choose)
    local t = q.term
    local computes = t.prim == "reduce" or t.prim == "scan" or t.prim == "reduceByIndex" or is_map(t)
    if (computes or t.prim == "let") and fusion.worth(q) > 1 then
        q = fusion.outside(q, function(p) return nests(p, choose) end)
        return choose(q) or q
    end
    local folds = rowfolds.recognise(q, engine.hint("gpu")) and choose(q)
    if folds then return folds end
    local several = together(q, engine.hint("gpu")) and choose(q)
    if several then return several.term.prim == "let" and nests(several:go("body"), choose):at(q) or several end
    local scanned = scan_finished(q, engine.hint("gpu"))
    if scanned then
        q = scan_inputs(q, scanned, choose)
        return choose(q) or q
    end
    local remade = cuts.remade_where_read(q)
    if remade then return nests(remade, choose) end
    if not computes then return inputs(q, false, choose) end
    if t.prim ~= "map" and cuts.joins(t:slot("in")) then q = cuts.oneRow.run(q:go("in")):at(q) end
    local tuples = cuts.unzips_out(q)
    if tuples then return nests(tuples, choose):at(q) end
    q = rows_together(cuts.columns_together(q))
    local rows = cuts.convolution(q)
    if rows then return nests(rows:go("in"), choose):at(rows) end
    local apart = cuts.columns_cut(q)
    if apart then return nests(apart, choose):at(q) end
    local whole = cuts.one_batch(q, is_product)
    if whole then return nests(whole, choose):at(q) end
    local within = cuts.batch_within(q, is_product)
    if within then return nests(within, choose):at(q) end
    q = cuts.flat_sums(q)
    local long = cuts.long_row(q) or cuts.all_rows(q)
    if long then return nests(long, choose):at(q) end
    local batched = cuts.flat_batch(q) or engine.hint("gpu") and scans.batch(q)
    if batched then return nests(batched, choose):at(q) end
    local once = invariants(q)
    if once.term.prim == "let" then return nests(once, choose) end
    local elements_too = batch_elements(once)
    if not elements_too then
        q = cuts.batch_names(cut(engine.hint("gpu") and fusedMaps.run(once):at(q) or once))
        if q.term.prim == "let" then return nests(q, choose) end
        elements_too = batch_elements(q)
    end
    if elements_too then
        elements_too = inputs(elements_too, false, choose)
        return choose(elements_too) or elements_too
    end
    local beside = q.term:slot("f").prim == "zip" and L.seq(R("mapOfZipOut"), L.slot("in", L.normalize(R("zipDrop")))).run(q)
    if beside then return inputs(beside:at(q), false, choose) end
    local fewer = (q.term:contains("reduce") or q.term:contains("slide")) and not is_product(q) and cuts.fewer_dimensions(q)
    if fewer then return nests(fewer, choose):at(q) end
    q = flattened(q) or q
    if q.term.prim == "split" then return inputs(q, false, choose) end
    q = L.try(L.pairRows).run(q):at(q)
    local of = product_of(q)
    of = of and contraction.run(of) and of
    local made = of and cuts.operands_made(of)
    if made then return nests(L.normalize(names_out).run(made:at(q)):at(q), choose) end
    local parts = of and in_parts(of, choose)
    if parts and of.place == q.place then
        parts = inputs(parts, false, choose):at(parts)
        return is_map(parts.term) and choose(parts) or parts
    end
    q = inputs(parts or of or q, not of, choose):at(q)
    if of and of.place ~= q.place then q = inputs(q:go("in"), true, choose, q:at(of)):at(q) end
    return choose(q) or q
end

-- What is made of c by the shapes of its nests. times: of the batch in whose groups it is made; nil: it is in no function.
local function by_shape(c, choose, times)
    c = simplified(c)
    if not times and copies.is_layout_alone(c.term) then return choose(c) or c end
    if not times then return nests(c, choose) end
    return in_shape(c, product, times:known()) or c
end

local names, forms = {}, {}
for i, shape in ipairs(shapes) do names[i], forms[shape[1]] = shape[1], shape[3] end

return {by_shape = by_shape, shaped = shaped, misfit = misfit, names = names, forms = forms}

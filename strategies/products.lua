-- products: matrix products in the blocks that a device likes: as they are, padded where no block divides them, in
-- parts where they make too little for its groups.

local base, L = require "base", require "combinators"
local blocking, lengths, cuts, shaping, rows_of = require "blocking", require "lengths", require "cuts", require "shaping", require "rows"
local takes_columns = require("columns").takes_columns
local R, test, reduceNest, element_of, first, is_map, nested_map = base.R, base.test, blocking.reduceNest, blocking.element_of, blocking.first, blocking.is_map, blocking.nested_map
local known, differs, UNKNOWN, fitting, above = lengths.known, lengths.differs, lengths.UNKNOWN, lengths.fitting, lengths.above
local contraction, in_shape_of, GPU, CPU, VECTOR = cuts.contraction, shaping.in_shape_of, lengths.GPU, lengths.CPU, lengths.VECTOR

-- The product at c, or what an element-wise map over it reads; and is it padded, the rest dropped (padNest)?
local function product_of(c)
    local function of_matrices()
        local x = c.term:slot("in")
        return not (x and x.prim == "zip" and base.any(x.children, function(t) return t.rank < 2 end))
    end
    local elements = c.term.prim == "map" and (c.term:slot("f"):contains("reduce") or c.term:slot("f"):contains("scan"))
    for _, path in ipairs(elements and {{}} or {{}, {"in"}, {"in", "0"}, {"in", "1"}}) do
        local q, padded = c:go(table.unpack(path)), false
        while q and (q.term.prim == "take" or q.term.layout_map) do
            q, padded = q:go("in"), true
        end
        if q and reduceNest.run(q) and (#path < 2 or of_matrices()) then return q, padded end
    end
end

-- rows, columns and length of the contraction at q, as far as they are known.
local function sides_of(q)
    local inner = q.term:slot("f")
    return known(q.term), known(inner), known(inner:slot("f"):slot("in"))
end

-- blocks

-- Blocks of a group of a GPU: sides, at most and at least, and depth; sums of a work-item at most and at least, as it has registers for and as hide a read.
local SIDE, SIDE_LEAST, DEEP, SUMS, SUMS_LEAST = 128, 8, 16, 64, 16

-- Rows of a CPU's block, at most, and where there are more, at least; rows that are worth padding;
-- a product that is worth parts.
local CPU_ROWS, BLOCK, PADDED, PARTED_ALL = 256, SIDE // 2, SIDE // 4, 1 << 14

-- Few tiles along the reduction (with one alone no zeros are stored first), such that those of one block lie in local memory; nil: nothing divides it.
local function tile_of(length)
    local most = CPU.group_local // (VECTOR * lengths.VECTORS * CPU.lanes)
    local kb = fitting(length, most, 1)
    return kb >= DEEP and kb or length <= 2 * most and length or nil
end

-- Blocks of 4 rows by 4 vectors where the sizes allow, in panels of so many columns, or of fewer and less deep ones where elements are
-- large or local memory is small.
local function vector_blocks(rows, columns, length)
    local w, u = lengths.lanes(columns)
    local kb = tile_of(length)
    if not w or not kb then return nil end
    local mr = fitting(rows, lengths.accumulators() // u, 1)
    local function panel(nb, depth)
        return L.gemmCpu({mb = fitting(rows, CPU_ROWS, mr), nb = nb, kb = depth, mr = mr, w = w, nr = u * w})
    end
    local list = {panel(fitting(columns, math.min(SIDE, math.max(u * w, CPU.group_local // (VECTOR * kb))), u * w), kb), panel(u * w, kb)}
    for _, less in ipairs(lengths.halves(kb // 2, kb // 8)) do
        local depth = fitting(length, less, DEEP)
        if depth then list[#list + 1] = panel(u * w, depth) end
    end
    return shaping.first_that_fits(list)
end

-- How many columns (then true) or rows to peel off the end of a product on a CPU, so that blocks divide the rest; nil: they divide all.
local function rest_of(rows, columns, length, times)
    if not tile_of(length) or rows * columns * length * (times or 1) < PARTED_ALL then return nil end
    local w, u = lengths.lanes(columns)
    if w ~= CPU.lanes and columns > CPU.lanes then return columns % CPU.lanes, true end
    local mr = w and fitting(rows, lengths.accumulators() // u, 1)
    if not w or mr * u >= lengths.accumulators() // 2 and (rows <= CPU_ROWS or fitting(rows, CPU_ROWS, mr) >= BLOCK) then return nil end
    local k = rows % (rows > CPU_ROWS and BLOCK or lengths.accumulators() // u)
    if k > 0 and k < rows then return k, false end
end

-- That of m by n, of four warps if that leaves each item enough to do: {mb =, nb =, kb =, mr =, nr = of an item, u =, w =}; nil: it is too small for two.
local function block(m, n)
    local sums = math.max(SUMS_LEAST, math.min(SUMS, m * n // (4 * GPU.warp)))
    if m * n // sums < 2 * GPU.warp or m * n // sums > GPU.max_group then return nil end
    local columns = math.max(VECTOR, math.min(2 * VECTOR, sums // math.min(2 * VECTOR, m // SIDE_LEAST)))
    return {mb = m, nb = n, kb = DEEP, mr = sums // columns, nr = columns, u = DEEP, w = VECTOR}
end

-- Those that suit, for m by n elements made so many times, the likely best first: they read little for what they compute, leave little over, and have warps
-- enough that some compute while others wait.
local WARPS = 8
local function likely_blocks(m, n, times, suits)
    local list, share, rows = {}, {}, SIDE
    while rows >= SIDE_LEAST do
        local columns = SIDE
        while columns >= SIDE_LEAST do
            local b, down, across = block(rows, columns), -(-m // rows), -(-n // columns)
            if b and suits(b) then
                list[#list + 1] = b
                share[b] = math.sqrt(rows * columns / (rows + columns)) * m * n / (down * rows * across * columns) * math.min(1, down * across * times * rows * columns / (b.mr * b.nr * GPU.warp) / (WARPS * GPU.units))
            end
            columns = columns // 2
        end
        rows = rows // 2
    end
    table.sort(list, function(x, y) return share[x] > share[y] or share[x] == share[y] and (x.mb > y.mb or x.mb == y.mb and x.nb > y.nb) end)
    return list
end

-- read, made: words of what is read for a product of two elements, and of what is made.
local function item_blocks(rows, columns, length, times, read, made)
    local best = likely_blocks(rows, columns, times or 1, function(b)
        if length % b.kb ~= 0 then b.kb, b.u = b.kb // 2, b.u // 2 end
        local fits = b.kb * (b.mb + b.nb) * read < GPU.group_local // VECTOR and (made == 1 and 1 or b.mr * b.nr * made) <= SUMS
        return fits and rows % b.mb == 0 and columns % b.nb == 0 and length % b.kb == 0
    end)[1]
    return best and L.gemmGpu(best)
end

-- padding: of a product of which each dimension, the reduction and all of them together are so long, each dimension to at most so many times
-- its length, or for the smallest blocks a little more

local PADDED_ALL, PADDING, PADDING_MOST = 1 << 18, 1.2, 1.5

-- The largest of these of which a multiple is hardly longer than n.
local function rounding(n, steps)
    for i, s in ipairs(steps) do
        if -(-n // s) * s <= (i == #steps and PADDING_MOST or PADDING) * n then return s end
    end
end

-- What differs by kind: the blocks of a product, and to multiples of what its rows and columns are padded, for which it is more columns or fewer.
local device = lengths.by_kind {
    gpu = {blocks = item_blocks, rows = lengths.halves(SIDE, PADDED), columns = lengths.halves(SIDE, PADDED)},
    cpu = {blocks = vector_blocks, rows = lengths.halves(BLOCK, SIDE_LEAST), columns = lengths.halves(BLOCK, 2 * SIDE_LEAST)},
}

-- Products that no block divides, padded by that macro to as many more as its blocks need; nil: that would be too many, or the product is small.
local function padding(macro, rows, columns, length, times)
    if math.min(rows, columns) < PADDED or length < DEEP or rows * columns * length * times < PADDED_ALL then return nil end
    local m, n, k = rounding(rows, device.rows), rounding(columns, device.columns) or rounding(columns, device.rows), rounding(length, lengths.halves(DEEP, DEEP // 2))
    return m and n and k and macro(m, n, k)
end

-- products

-- Operands in the order of the maps that take them.
local ordered = L.try(first(reduceNest, L.slot("f", R("operandOrder"))))

-- Rows that the inner map takes are copied to columns before, where that is no part of a batch: the copy is an array of its own.
local turned = L.seq(first(reduceNest, R("turnOperand")), L.normalize(rows_of.names_out))

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

-- A product in two: all but its last n rows, or columns, and these, with what is done with the elements where they are made.
local fused = L.alt(R("mapFusion"), L.seq(L.slot("in", R("zipMap")), R("mapFusion")))
local function in_two(alone, n, by_columns, shared)
    local peeled = R("mapPeelLast", {n = n})
    if by_columns then peeled = L.seq(L.slot("f", peeled), R("mapConcatOut")) end
    return L.seq(alone and L.id or L.seq(fused, L.slot("f", fused)), peeled, shared, blocking.parts_read)
end

-- A product of few columns, as one of few rows.
local nest_turned = first(test("a nest that is transposed", "two nested maps around a reduction, transposed",
                               function(t) return t.prim == "transpose" and element_of(t:slot("in")) end),
                          L.seq(L.slot("in", R("mapInterchange")), R("transposeTranspose")))
local turned_around = L.seq(L.interchange, L.slot("in", L.try(nest_turned)))

-- times: of the batch that it is for one element of; nil: of none.
local product
function product(c, times)
    local warps = lengths.in_warps()
    local q, padded = product_of(c)
    if not q then return no_product(c) end
    local rows, columns, length = sides_of(q)
    if not contraction.run(q) then return differs("what the inner map takes is made for each row") end
    if not (rows and columns and length) then return differs(UNKNOWN) end
    local inner = q.term:slot("f")
    local fold = inner:slot("f")
    local read = is_map(fold:slot("in")) and fold:slot("in"):slot("in") or fold:slot("in")
    local made = base.new("part", function(p)
        p = L.try(L.pairRows).run(cuts.cut(p))
        local strategy = product(p, times)
        return strategy and strategy.run(p)
    end)
    if not warps and columns < CPU.lanes and rows >= CPU.lanes and not lengths.lanes(columns) then
        return L.seq(turned_around, L.slot("in", made))
    end
    local n, by_columns
    if not warps and not padded then n, by_columns = rest_of(rows, columns, length, times) end
    if n then
        local two = in_two(q.place == c.place, n, by_columns, L.id)
        local function both(most, rest) return L.seq(L.slot("0", most), L.slot("1", rest)) end
        if by_columns then return L.seq(two, L.slot("in", both(L.slot("in", made), L.slot("in", L.try(made))))) end
        return L.seq(two, both(made, L.try(made)))
    end
    local blocks = device.blocks(rows, columns, length, times, read.words or 1, fold.words or 1)
    local pad = not blocks and not padded and not times and padding(L.padNest, rows, columns, length, 1)
    if pad then return L.seq(pad, in_shape_of(product, "product", "blocks of the padded product")) end
    if not blocks then return differs("no block divides %d x %d x %d, and none is worth padding", rows, columns, length) end
    local plain = L.seq(ordered, blocks)
    local often = warps or rows > CPU_ROWS                                -- a CPU's groups that turn their part of it themselves
    local copied = often and not times and not inner:slot("in"):contains("slide")       -- windows would be copied element by element
    local by_rows = copied and not takes_columns(inner)
    return L.seq(L.try(first(reduceNest, L.operandsPaired)), by_rows and L.alt(L.seq(turned, L.slot("body", plain)), plain) or plain)
end

-- A product on a CPU, and what is done with its elements, in two parts, which are nests of their own; what both read of what is computed gets
-- names. The place of all that; nil: it needs none.
local function parts_apart(q)
    local of, padded = product_of(q)
    if not of or padded or not contraction.run(of) then return nil end
    local rows, columns, length = sides_of(of)
    local n, by_columns
    if rows and columns and length then n, by_columns = rest_of(rows, columns, length) end
    if not n then return nil end
    local up = q:up()
    if up and up.term.prim == "transpose" then up = up:up() end
    local stays = up and up.term.prim ~= "concat"                       -- in memory by rows, for what reads it
    return in_two(of.place == q.place, n, by_columns, L.seq(stays and R("toGlobal") or L.id, L.rep(R("letShare")))).run(q)
end

-- The contraction at c and what is done with its elements, apart.
local function elements_apart(c)
    local r = L.seq(L.contractionOut, L.try(L.pairRows)).run(c)
    local of = r and product_of(r)
    return of and contraction.run(of) and r
end
local function is_product(c) return contraction.run(c) or cuts.reuses(c) and elements_apart(c) end

-- parts

-- The shortest part, and how many are worth it.
local LEAST_PART, PARTS = lengths.GROUP, 4

-- How long the parts of such a contraction of n by m elements may be at most for two groups of each unit, and how long they are so where
-- they need not divide it; nil: it makes enough groups, or is too short.
local function longest_part(n, m, length)
    local function blocks(side) return above(n, side) // side * (above(m, side) // side) end
    local groups, made = 2 * GPU.units, blocks(math.min(n, m) > BLOCK and SIDE or BLOCK)
    local few = blocks(BLOCK) < GPU.units or blocks(SIDE) < GPU.units and length >= shaping.CPU_MIN
    if not few or length < PARTS * LEAST_PART then return nil end
    local uneven = above(above(length, groups // made) // (groups // made), DEEP)
    return math.max(length * made // groups, LEAST_PART), math.max(uneven, LEAST_PART)
end

-- A divisor of the length that is whole steps of a product, near the longest part.
local function part_of(length, most)
    local part = fitting(length, most, LEAST_PART) or fitting(length, most, DEEP)
    if part and part >= LEAST_PART then return part end
    for d = most // DEEP * DEEP + DEEP, math.min(2 * most, length - 1), DEEP do
        if length % d == 0 then return d end
    end
end

-- Parts of columns are the columns of parts: a batch that takes them says so.
local of_columns = L.seq(R("splitColumns"), L.slot("in", L.slot("in", R("transposeTranspose"))))
local columnsKept = L.rep(L.seq(L.slot("in", L.seq(L.alt(L.slot("0", of_columns), L.slot("1", of_columns)), R("zipMap"))),
                                R("mapFusion")))

-- A long contraction that makes too little for a GPU's groups, in parts: a batch of products in large blocks, and the sums of what
-- they make; padded where no block, or no part, divides it.
local function in_parts(q, choose)
    if not lengths.in_warps() or not contraction.run(q) then return nil end
    local n, m, length = sides_of(q)
    if not (n and m and length) or math.min(n, m) < PADDED then return nil end
    local most, uneven = longest_part(n, m, length)
    if not most then return nil end
    local half = BLOCK // 2
    local function is_whole(k) return k == half or k % BLOCK == 0 end
    local part = is_whole(n) and is_whole(m) and part_of(length, most)
    if part then
        local r = R("contractionParts", {n = part}).run(q)
        return r and shaping.nests(columnsKept.run(r:go("in", "in")), choose):at(q)
    end
    local steps = part_of(above(length, DEEP), most) and DEEP or uneven
    local function side(k) return k <= half and half or rounding(k, {SIDE, BLOCK}) or BLOCK end
    local turn = L.slot("in", L.slot("in", R("turnOperand")))
    local r = L.seq(L.padNest(side(n), side(m), steps), turn).run(q)
    r = r and in_parts(r:go("in", "in", "body"), choose)
    return r and L.normalize(rows_of.names_out).run(r:at(q))
end

return {parts_apart = parts_apart, product_of = product_of, product = product, is_product = is_product, in_parts = in_parts, likely_blocks = likely_blocks, SIDE = SIDE, SIDE_LEAST = SIDE_LEAST, CPU_ROWS = CPU_ROWS}

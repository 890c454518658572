-- attention: rows of weights that are relative to the row's largest key, as a softmax makes them, and what they weigh, in one kernel that stores neither keys
-- nor weights (FlashAttention, Dao et al. 2022; Dao 2023): from element form by rules, then rows by warps, and products by matrix units.

local base, L = require "base", require "combinators"
local R, macro, known = base.R, base.macro, require("lengths").known

-- from element form to tiles

local quotient_out = L.alt(R("generateQuotientOut"), R("generateQuotientOutF16"), R("generateQuotientOutBf16"))

-- A program in element form whose arrays have the same outer numbers, as one array of rows, in each of which they have names; weights are divided at the end.
local of_names = base.test("rows that have names in them", "generate n (\\i -> let .. in generate m (\\j -> ..))", function(t)
    while t.prim == "generate" or t.prim == "transpose" do t = t:slot(t.prim == "generate" and "f" or "in") end
    local named = t.prim == "let"
    while t.prim == "let" do t = t:slot("body") end
    return named and t.prim == "generate"
end)
local in_rows = L.seq(L.normalize(L.alt(R("letIntoGenerate"), R("letIntoColumns"), R("letIntoTranspose"))), L.where(of_names, L.id))
local as_rows = L.seq(in_rows, L.everywhere(quotient_out))

-- s at the innermost of the numbers that count rows.
local function at_rows(s)
    return base.new("rows", function(c)
        local q = c
        while q.term.prim == "generate" and q.term:slot("f").prim == "generate" do q = q:go("f") end
        local r, f = s.run(q)
        return r and r:at(c), f
    end)
end

local PAIR, LANES = 2, 4                 -- columns that a lane of a matrix unit has side by side, and lanes that share a row
local function tiles(o)
    local p = {n = o.keys, p = PAIR, g = LANES}
    local by_tiles = L.alt(R("onlineTiles", p), R("onlineTilesF16", p), R("onlineTilesBf16", p))
    local split = L.seq(R("generateSplit", {n = o.rows}), L.slot("in", L.seq(R("generateSplit", {n = o.warps}), L.slot("in", L.slot("f", by_tiles)))))
    local group = o.rows * o.warps
    local whole = base.test("whole groups of rows", "rows that " .. group .. " divides", function(t)
        local n = known(t)
        return n and n % group == 0
    end)
    return at_rows(L.alt(L.where(whole, split), L.seq(R("generatePad", {k = group}), L.slot("in", split))))
end

-- The numbers that count tiles are those of work-groups, the last the fastest.
local in_groups = base.new("groups", function(c)
    local q, d = c, 0
    while q.term.prim ~= "let" do q = q:go(q.term.prim == "generate" and "f" or "in") end
    while q and q.place ~= c.place do
        q = q:up()
        if q.term.prim == "generate" then
            q = L.seq(R("generateMap"), R("mapWorkgroup", {d = d})).run(q)
            d = d + 1
        end
    end
    return q
end)

-- by warps

-- s at what is past the names at a place, and at the values of the first of them: of as many as there are in list.
local function named(list, s)
    for i = #list, 1, -1 do s = L.seq(L.slot("value", list[i]), L.slot("body", s)) end
    return s
end
local function past_names(s)
    return base.new("past names", function(c)
        local q = c
        while q.term.prim == "let" do q = q:go("body") end
        local r, f = s.run(q)
        return r and r:at(c), f
    end)
end

-- A map, or elements by their numbers, by the work-items of dimension d; inside: what is done with an element.
local function by_items(d, inside)
    return L.seq(L.try(R("generateMap")), R("mapLocal", {d = d}), inside and L.slot("f", past_names(inside)) or L.id)
end

-- Rows of a warp, and columns by the lanes that a matrix unit gives them to, in pairs.
local in_lanes = by_items(0, L.seq(L.try(R("generateMap")), R("mapSeqUnroll")))
local columns = L.seq(R("generateSplit", {n = PAIR}), L.slot("in", in_lanes))
local function rows(inside) return by_items(2, by_items(1, inside)) end
local private = R("toPrivate")
local few = L.try(L.topdown(L.seq(R("reduceSeq"), R("reduceUnroll"))))

-- A reduction of each row: what each lane has of it, then these.
local by_lanes = rows(by_items(0, few))
local row_sums = L.seq(R("rowsInLanes"), named({L.seq(by_lanes, R("toLocal"))}, L.seq(rows(few), private)))

local powers = L.everywhere(R("expByExp2"))          -- of what is rounded afterwards, or exact to as many digits as the products

-- By how many products of TF32 one of floats is made; 0: none, for halves and bf16 are products as they are.
local PRODUCTS = {[0] = R("mmaProduct"), [1] = L.seq(L.topdown(R("productTf32")), R("mmaProductTf32")), [3] = L.seq(L.topdown(R("product3xTf32")), R("mmaProduct3xTf32"))}
local UPDATES = {[0] = R("mmaUpdate"), [1] = L.seq(L.topdown(R("productTf32")), R("mmaUpdateTf32")), [3] = L.seq(L.topdown(R("product3xTf32")), R("mmaUpdate3xTf32"))}
local function by_units(rule) return by_items(2, L.seq(rule, L.slot("acc", L.seq(by_items(1, in_lanes), private)))) end

-- Pieces of w elements of rows that lanes read together, in banks of their own: in another order in each row, or with one more behind each.
local function apart(w)
    local even = base.test("pieces of a power of two", "rows of 2^n pieces", function(t)
        local pieces = t.scalars:known() and t.scalars:known() // t.length:known() // w
        return pieces and pieces > 1 and pieces & (pieces - 1) == 0
    end)
    return L.alt(L.where(even, R("swizzleLocal", {k = w})), R("padLocal", {k = w}))
end

-- What onlineTiles makes: the tile of rows; in each round the two tiles of columns, sums of products, keys, the largest, the factor of what is there, weights;
-- then the state, of the largest, the sums of weights and what they weigh.
local function by_warps(o)
    local in_local = L.seq(R("toLocal"), apart(o.w))
    local tile = L.seq(R("tileWarps", {w = o.w}), apart(o.w))
    local weighed = L.seq(L.slot("in", L.slot("0", L.seq(rows(columns), in_local))), by_units(UPDATES[o.tf32]))
    local step = named({tile, tile, L.seq(by_units(PRODUCTS[o.tf32]), private), L.seq(rows(in_lanes), private), row_sums, L.seq(powers, rows(), private),
                        L.seq(powers, rows(in_lanes), private)},
                       L.seq(L.slot("0", rows()), L.slot("1", L.seq(L.slot("0", by_lanes), L.slot("1", weighed)))))
    local start = L.seq(L.slot("0", rows()), L.slot("1", L.seq(L.slot("0", by_lanes), L.slot("1", rows(in_lanes)))), private)
    local fold = L.seq(L.slot("f", step), L.slot("init", start), o.stages > 1 and R("pipe", {q = o.stages}) or L.id)
    return named({L.seq(R("rowsRejoined"), L.slot("in", tile)), fold}, L.seq(R("rowsShared"), L.slot("body", L.seq(rows(columns), few))))
end

-- o: the options of flashUnits.
local function tiled(o) return L.seq(tiles(o), in_groups, L.topdown(by_warps(o))) end

macro("flashUnits", "{rows=16, warps=4, keys=64, w=8, stages=2, tf32=0}",
    "rows of weights relative to their largest key, and what they weigh, in one kernel: so many rows a warp and warps a group, tiles of so many keys in local memory, "
    .. "copied w elements at a time, `stages` of them in sight; products by matrix units; of floats, which is approximate: tf32=1: rounded to TF32, 3: three such products for one",
    function(o)
        if not PRODUCTS[o.tf32] then base.bad_call("tf32 is 0, 1 or 3, not " .. o.tf32) end
        return L.seq(R("elementForm"), as_rows, tiled(o))
    end)

return {in_rows = in_rows, as_rows = as_rows, tiled = tiled}

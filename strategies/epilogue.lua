-- epilogue: the macro that moves an element-wise map over a computed array into the code that makes the array, so that
-- what is done with a result (alpha * p + beta * c) happens where it is written, in the same kernel.

local base, L, blocking, macros = require "base", require "combinators", require "blocking", require "macros"
local R = base.R

-- The map's array that the macro follows: what it maps, or the first of the two that it zips.
local function source_of(c)
    local input = c:go("in")
    if input and input.term.prim == "zip" then return #input.term.slots == 2 and input:go("0") or nil, true end
    return input, false
end

-- The rules that take a map past a layout of its array: of one that it maps alone, and of the first in a zip of two.
local past = {
    join = {R("mapJoin"), R("mapZipJoin")},
    transpose = {R("transposeMaps.rev"), R("mapZipTranspose")},
    split = {R("splitMap.rev"), R("mapZipSplit")},
    reorder = {R("mapReorder"), R("mapZipStride")},
    map = {R("mapFusion"), L.seq(L.slot("in", R("zipMap")), R("mapFusion"))},
}

-- The map at c moves past the layouts of its array, and what is left of it at the end; nil: not even past the first.
local function inwards(c)
    local array, zipped = source_of(c)
    local prim = array and array.term.prim
    if c.term.prim ~= "map" or not past[prim] then return nil end
    local makes = prim == "map" and not array.term.layout_function      -- the map that makes it: what that reads stays
    local r, f = past[prim][zipped and 2 or 1].run(c)
    if not r then return nil, f end
    if prim == "map" then
        local body = inwards(r:go("f"))
        r = body and body:at(r) or r
        local rest = source_of(r)
        if makes or not past[rest.term.prim] then return r end
        r = macros.layouts_out(r)
    else
        r = r:go("in")
        if prim == "join" and not zipped then return inwards(r) or r end
    end
    return inwards(r) or r
end

local function zips(t) return t and t.prim == "zip" and #t.slots or 0 end

-- What the strategy makes of c, which has n arrays side by side, turned until it makes something of it; nil: it never does.
local function rotated(c, n, rotate, strategy)
    for _ = 1, n do
        local r = strategy.run(c)
        if r then return r end
        c = rotate.run(c)
    end
end

-- A map of rows that are zipped with others: in the place of its function's map, all that the first row is zipped with as one array.
local nested = L.seq(L.slot("in", L.try(R("zipZip"))), L.try(R("mapFusion")), L.try(R("mapZipNested")))
local scalars = L.try(L.seq(R("mapZipScalar"), L.slot("f", nested)))
local nest = L.where(blocking.reduceNest, L.id)
local partner = L.seq(L.slot("f", nested), R("mapZipPartner"), L.slot("in", L.slot("1", L.try(R("mapId")))))

base.macro_at("pairRows", "",
    "what the elements of a nest's rows are made with besides, scalars for a row too, are the rows of one array, with which the nest is zipped",
    function(c)
        local n = zips(c.term:slot("in"))
        local elements = n > 0 and blocking.is_map(c.term) and c.term:slot("f")
        local q = elements and blocking.is_map(elements) and not elements:contains("reduce")
            and rotated(c, n, R("mapZipRotate"), L.slot("in", L.slot("0", nest)))
        if not q then return nil end
        for _ = 1, n do q = L.seq(scalars, R("mapZipRotate")).run(q) end
        q = L.try(R("mapZipNested")).run(q)
        return rotated(q, zips(q.term:slot("f"):slot("in")), L.slot("f", R("mapZipRotate")), partner) or q
    end, "a map of maps of what a nest around a reduction makes")

-- The array that computes comes first, in the outer zip and in those of its rows.
local function product_first(c)
    local input = c:go("in")
    if zips(input.term) ~= 2 or not input:go("0").term.is_layout then return c end
    return L.seq(R("mapZipRotate"), L.slot("f", L.try(R("mapZipRotate")))).run(c) or c
end

base.macro_at("fuseEpilogue", "", "an element-wise map over a computed matrix moves past its layouts to the map that makes it",
    function(c)
        local r, f = inwards(c.term.prim == "map" and product_first(c) or c)
        return r and L.normalize(R("mapId")).run(r:at(c)), f
    end, "a map over an array that is computed under layouts")

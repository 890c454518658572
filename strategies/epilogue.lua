-- epilogue: the macro that moves an element-wise map over a computed array into the code that makes the array, so that
-- what is done with a result (alpha * p + beta * c) happens where it is written, in the same kernel.

local base, L, macros = require "base", require "combinators", require "macros"
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

-- The array that computes comes first, in the outer zip and in those of its rows.
local function product_first(c)
    local input = c:go("in")
    if input.term.prim ~= "zip" or #input.term.slots ~= 2 or not input:go("0").term.is_layout then return c end
    return L.seq(R("mapZipRotate"), L.slot("f", L.try(R("mapZipRotate")))).run(c) or c
end

base.macro_at("fuseEpilogue", "", "an element-wise map over a computed matrix moves past its layouts to the map that makes it",
    function(c)
        local r, f = inwards(c.term.prim == "map" and product_first(c) or c)
        return r and L.normalize(R("mapId")).run(r:at(c)), f
    end, "a map over an array that is computed under layouts")

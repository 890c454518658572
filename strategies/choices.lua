-- choices: what `lower` makes of choices between arrays, as those of [x, map f y], and of results that are generated, before it looks for
-- nests.

local base, L = require "base", require "combinators"
local R, is_map, macros = base.R, require("blocking").is_map, require "macros"

-- Does t make elements of arrays, each by itself?
local function makes_elements(t)
    return t:contains("map") and not (t.is_layout or t.layout_function or t:contains("reduce") or t:contains("scan") or t:contains("reduceSeq"))
end

-- Arrays of which a function makes one or another, as those of [x, map f y], are made element by element, where they are few by what makes
-- an element of each.
local interchanged = L.where(function(t) return t:slot("in").length.value end, R("mapInterchange"))
local innermost = L.try(L.alt(interchanged, L.seq(R("mapJoinOut"), L.slot("in", interchanged))))
local of_elements = L.normalize(L.where(function(t) return t.prim == "if" and t.is_array and makes_elements(t) end, L.alt(R("ifJoin"), R("ifZip"))))
local chosenElements = L.seq(L.where(function(t) return t.prim == "generate" and t.rank > 1 and makes_elements(t:slot("f")) end,
                                     R("generateMap")), L.slot("f", of_elements), innermost)
local oneSide, byElements = L.normalize(R("ifSame")), L.normalize(chosenElements)          -- as of [x, x]

local function is_layout(t) return t.prim == "join" or t.prim == "transpose" or t.prim == "split" or t.layout_map end
local function past_layouts(q)
    while q and is_layout(q.term) do q = q:go("in") end
    return q and is_map(q.term) and q or nil
end

-- How what the maps in the map at q make lies is told outside it. The place of that.
local function layouts_out(q)
    local inner = past_layouts(q:go("f"))
    return inner and macros.layouts_out(layouts_out(inner):at(q)) or q
end

-- A result whose elements are computed of their numbers is a nest of maps of these.
local function by_numbers(q)
    if not q or q.term.prim ~= "generate" or q.term:slot("f").is_atom then return q end
    q = R("generateMap").run(q)
    local inner = q:go("f")
    return inner.term.prim == "generate" and by_numbers(inner):at(q) or q
end

-- What is before each element is a scan of its own, not one that is copied, however it is written.
local before = L.where(base.test("a value before a scan", "concat e (scan f z xs)", function(t) return t.prim == "concat" and #t.slots == 2 and t:slot(2).prim == "scan" end, "concat"), R("concatConst"))
local shifted = L.normalize(L.alt(R("scanShift"), L.seq(before, R("scanTake"), R("scanShift")), L.seq(R("scanTake"), R("scanShift"))))

-- The term at c without choices of one side, with those of arrays made element by element, results that are made of numbers by maps, and
-- scans of what is before each element as scans.
return function(c)
    c = shifted.run(by_numbers(oneSide.run(c))):at(c)
    local r = byElements.run(c)
    local q = r.root ~= c.root and past_layouts(r)
    return q and layouts_out(q):at(c) or c
end

-- macros: derivation steps made of several rules. They point by structure, never by node numbers.

local base, L = require "base", require "combinators"
local R, macro = base.R, base.macro

macro("simplify", "", "cancel what cancels: transposes, splits with joins, vectors, maps of the identity",
    L.normalize(L.alt(R("transposeTranspose"), R("splitOfJoin"), R("joinSplit"), R("asVectorAsScalar"),
                      R("asScalarAsVector"), R("mapId"))))

macro("fuse", "", "fuse maps into maps and reductions, also through zips, until nothing fuses",
    L.normalize(L.alt(R("reduceMapFusion"), R("zipMap"), R("mapFusion"))))

macro("fuseReduce", "", "a reduction over a map as one sequential fold",
    L.seq(L.try(L.topdown(R("reduceSeq"))), L.topdown(R("reduceMapFusion"))))

-- A layout inside a map becomes a map of its own, around the rest at "in".
local layoutOut = L.alt(R("mapTransposeOut"), R("mapJoinOut"), R("mapMapOut"))

-- Those around what the map at c does; the place of what is left of it.
local any_layout_out = L.alt(layoutOut, R("mapSplitOut"), R("mapReorderOut"))
local function layouts_out(c)
    local body = c.term:slot("f")
    while body.layout_node or body.layout_map do
        local r = any_layout_out.run(c)
        if not r then break end
        c = r:go("in")
        body = c.term:slot("f")
    end
    return c
end

-- a here, or where layouts around here have been taken out of the map.
local function past_layouts(a)
    return base.recursive(a.label, function(self) return L.alt(a, L.seq(layoutOut, L.slot("in", self))) end)
end

-- Rows whose elements are computed are swapped where that is done first.
local swap = L.alt(R("mapInterchange"), R("mapInterchangeZipIn"), R("mapInterchangeZipOut"), R("mapInterchangeZips"),
                   R("mapInterchangeInner"),
                   L.seq(R("mapMapOut"), R("mapInterchangeInner")))

macro("interchange", "",
    "swap a map with the map in it: over independent arrays, through zips on either side, or of rows; past layouts",
    function() return past_layouts(swap) end)

macro("reduceOutOfMap", "",
    "a map of reductions becomes one reduction of arrays, as does what feeds it where that is a map over a zip",
    function()
        local out = L.alt(R("mapReduceInterchange"), L.seq(R("reduceFission"), R("mapReduceInterchange")))
        local fed = L.seq(L.slot("in", R("mapMapOut")), R("transposeMaps"), L.slot("in", R("transposeMapZip")),
                          L.normalize(L.alt(R("mapId"), R("mapFusion"))))
        return L.seq(out, L.slot("in", L.try(fed)))
    end)

-- a at the first computing map at or below here, past layouts.
local function at_map(a)
    return base.recursive(a.label, function(self) return L.alt(L.where(L.computes, a), L.slot("in", self)) end)
end

-- The map d levels inside a nest comes to its top; and back.
local function outwards(d, swapped)
    if d == 0 then return L.id end
    return L.seq(L.slot("f", at_map(outwards(d - 1, swapped))), past_layouts(swapped))
end

local function inwards(d, swapped)
    if d == 0 then return L.id end
    return L.seq(swapped, L.slot("in", L.slot("f", inwards(d - 1, swapped))))
end

-- Chunks of a zip as zips of chunks, for the interchanges that go through zips.
local zipOfChunks = L.seq(L.slot("in", R("splitZip")), R("mapFusion"))

-- A nest from its level d on in chunks of sizes[d + 1] ..., inside the chunks of the levels before.
local function tile_from(d, count, sizes, swapped)
    if d == count then return L.id end
    local chunk = L.seq(inwards(d, swapped), at_map(tile_from(d + 1, count, sizes, swapped)))
    local split = L.seq(R("splitJoin", {n = sizes[d + 1]}),
                        L.slot("in", L.seq(L.try(zipOfChunks), L.slot("f", chunk))))
    return L.seq(outwards(d, swapped), at_map(split))
end

-- A nest over independent arrays comes first, wherever it is: its tiles are what is used again.
macro("tile", "(m, n, ...)",
    "nested maps in tiles, as many levels as sizes are given: first a map over the chunks of each level, then the nest",
    function(...)
        local count = math.max(select("#", ...), 2)
        return L.alt(tile_from(0, count, {...}, R("mapInterchange")), tile_from(0, count, {...}, swap))
    end)

macro("fuseCopies", "", "fuse sequential maps, copies among them, into what reads them, until nothing fuses",
    L.normalize(L.alt(R("mapSeqFusion"), R("reduceSeqMapSeqFusion"))))

macro("unroll", "",
    "every sequential loop of constant length at or under the place becomes straight-line code",
    L.normalize(L.alt(R("unrollMap"), R("reduceUnroll"))))

macro("blockMapIntoReduce", "",
    "a map of folds becomes one fold that keeps all their accumulators, cleaned up",
    L.seq(L.topdown(R("mapReduceSeqInterchange")),
          L.normalize(L.alt(R("transposeMapZip"), R("mapId"), R("reduceMapFusion"), R("zipMap"), R("mapFusion"),
                            R("transposeTranspose"), R("asVectorAsScalar")))))

macro("registerBlock", "(k)", "k rows at a time in registers: one fold with k accumulators (1-D register blocking)",
    function(k)
        local once = L.topdown
        return L.seq(R("splitJoin", {n = k}), once(R("mapInterchange")), once(R("reduceFission")),
                     once(R("mapReduceInterchange")), once(R("mapInterchangeZipIn")), once(R("transposeTranspose")),
                     once(R("reduceSeq")), once(R("reduceMapFusion")), once(R("zipMap")), once(R("mapFusion")))
    end)

return {past_layouts = past_layouts, layouts_out = layouts_out}

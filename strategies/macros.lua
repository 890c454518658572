-- macros: derivation steps made of several rules. They point by structure, never by node numbers.

local engine = engine
local L = engine.library

local function macro(name, params, doc, make) engine.name(name, params, doc, "macro", make) end

-- A rule by name; one that never succeeds when the table has no such rule.
local function R(name, args)
    local rule = engine.find_rule(name)
    if not rule then
        return engine.new(name, function(c) return nil, engine.failure(c, name, "a rule called " .. name) end)
    end
    return args and rule(args) or rule
end
engine.R = R

-- The first of several rules that applies.
local function any(...)
    local list = {}
    for i, name in ipairs({...}) do list[i] = R(name) end
    return L.alt(table.unpack(list))
end

-- Rules that have a size argument take nil for "a fresh parameter".
local function sized(name, param, n) return R(name, n ~= nil and {[param] = n} or nil) end

macro("simplify", "", "cancel what cancels: transposes, splits with joins, vectors, maps of the identity", function()
    return L.normalize(any("transposeTranspose", "splitOfJoin", "joinSplit", "splitJoinId", "joinOfSplit",
                           "asVectorAsScalar", "asScalarAsVector", "mapId"))
end)

macro("fuse", "", "fuse maps into maps and reductions, also through zips, until nothing fuses", function()
    return L.normalize(any("reduceMapFusion", "zipMap", "mapFusion"))
end)

macro("fuseReduce", "", "a reduction over a map as one sequential fold", function()
    return L.seq(L.try(L.topdown(R("reduceSeq"))), L.topdown(R("reduceMapFusion")))
end)

macro("tile", "(m, n)", "two nested maps become m by n tiles: four maps, rows of tiles first", function(m, n)
    local inner = L.slot("in", L.body(R("mapInterchange")))
    local columns = L.seq(sized("splitJoin", "n", n), inner)
    return L.seq(sized("splitJoin", "n", m), L.slot("in", L.body(L.seq(R("mapInterchange"), L.slot("in", columns)))))
end)

macro("blockMapIntoReduce", "", "a map of folds becomes one fold that keeps all their accumulators, cleaned up", function()
    return L.seq(L.topdown(R("mapReduceSeqInterchange")),
                 L.normalize(any("transposeMapZip", "mapId", "reduceMapFusion", "zipMap", "mapFusion", "transposeTranspose",
                                 "asVectorAsScalar")))
end)

macro("registerBlock", "(k)", "k rows at a time in registers: one fold with k accumulators (1-D register blocking)",
    function(k)
        local function once(name) return L.topdown(R(name)) end
        return L.seq(sized("splitJoin", "n", k), once("mapInterchange"), once("reduceFission"), once("mapReduceInterchange"),
                     once("mapInterchangeZipIn"), once("transposeTranspose"), once("reduceSeq"), once("reduceMapFusion"),
                     once("zipMap"), once("mapFusion"))
    end)

-- stencils: macros for maps over windows (slide): tiles that hold all their windows read, copied to local memory once.

local engine = engine
local L = engine.library
local R, options, first = engine.R, engine.options, engine.first

local function macro(name, params, doc, make) engine.name(name, params, doc, "macro", make) end

macro("tileStencil", "(u)",
    "a map over windows (slide) in tiles of u elements, each with the windows that it holds", function(u)
    return L.seq(L.slot("in", R("slideTiling", u and {u = u})), R("mapJoin"), L.slot("in", R("mapFusion")))
end)

-- Rows in tiles of u, columns of v: windows of rows are tiled, then turned round, so that those of columns can be.
macro("tileStencil2", "(u, v)",
    "two maps over the windows of a matrix (slide2) in tiles of u by v elements, each with the windows that it holds",
    function(u, v)
        local bands = L.seq(L.slot("in", R("slideMap")), R("mapFusion"))
        local columns = L.seq(L.slot("in", R("transposeSlide")), R("mapFusion"), L.tileStencil(v))
        local inBand = L.seq(R("mapSlideInterchange"), L.slot("in", columns))
        return L.seq(L.rep(R("mapFusion")), L.tileStencil(u), L.slot("in", L.seq(bands, L.slot("f", inBand))))
    end)

local function mapped(name, d) return first(L.computes, R(name, {d = d})) end

-- The array of windows: what a slide takes from.
local windows = engine.test("windows", "windows of a bound array", function(t)
    return t.prim == "slide" and t:slot("in").is_atom
end)
local function localTile(rule) return first(windows, L.slot("in", R(rule))) end

local sums = L.normalize(L.alt(R("reduceSeq"), R("reduceMapFusion"), R("reduceUnroll")))

macro("stencilGroups", "(u)",
    "a map over windows: a work-group a tile of u elements, which its items copy to local memory; sums unrolled",
    function(u)
        return L.seq(L.tileStencil(u), mapped("mapWorkgroup", 0), mapped("mapLocal", 0), localTile("copyLocal"), sums)
    end)

macro("stencilGroups2", "{u=8, v=32}",
    "two maps over windows: a work-group a tile of u by v elements, copied to local memory by its items; sums unrolled",
    function(given)
        local o = options("stencilGroups2", given, {u = 8, v = 32})
        return L.seq(L.tileStencil2(o.u, o.v), mapped("mapWorkgroup", 1), mapped("mapWorkgroup", 0), mapped("mapLocal", 0),
                     mapped("mapLocal", 1), localTile("copyLocalColumns"), sums)
    end)

-- heuristics: what the exploration of structures goes by, as data that a user can see and change:
-- `lua search.heuristics.depth = 7`, `lua search.macros[3].most = 2`, `lua table.insert(search.macros, {...})`.
--
-- A macro rule: name, text (a strategy, tried at every place where it fits), fits(term, cursor), most (uses
-- in one derivation), blocks (only for programs with a reduction under two maps over independent arrays,
-- whose elements blocks use again).

local blocking, search = require "blocking", require("base").search

search.heuristics = {
    macros = 4,                          -- macro rules in one derivation
    terms = 20000,                       -- algorithmic variants; the rest is not looked at
    depth = 8,                           -- of the deepest nest of maps and folds
    pruned = true,                       -- what is deeper is not looked at further
    distance = 0,                        -- views and maps between an addition and what it adds
    -- rank of what an innermost fold keeps, where two maps over independent arrays are around it
    accumulators = 1,
    generate = 50000,                    -- different kernels that --generate makes, spread over all
    plan = true,                         -- keep only structures that give a kernel for a legal point
}

search.heuristic_types = {}
for name, value in pairs(search.heuristics) do search.heuristic_types[name] = type(value) end

-- By kind of device: what is reasonable on all of them, whatever they allow (version:space, limits).
search.profiles = {
    gpu = {limits = {private_bytes = 1024, unrolled = 4096, min_group = 32, min_groups = 8, max_groups = 10000}},
    cpu = {limits = {private_bytes = 4096, unrolled = 4096, min_groups = 2, max_groups = 100000}},
}

-- shapes

local is_map, is_fold, has_fold, partner = blocking.is_map, blocking.is_fold, blocking.has_fold, blocking.partner
local takes_columns = require("columns").takes_columns
local function reduces(t) return t:contains("reduce") or has_fold(t) end

-- What two maps in each other make an element of; nil: t is no such.
local function element_of(t)
    local inner = is_map(t) and t:slot("f")
    return inner and is_map(inner) and inner:slot("f") or nil
end
local function fold_nest(t) return element_of(t) and is_fold(element_of(t)) end
local function reduce_nest(t)
    local body = element_of(t)
    return body and (body.prim == "reduce" or is_fold(body))
end
local function over_map(t) return t.prim == "reduce" and is_map(t:slot("in")) and not reduces(t:slot("in")) end
local function map_of_fold(t) return is_map(t) and is_fold(t:slot("f")) end
local function inner_fold(t) return is_fold(t) and not has_fold(t:slot("f")) end
local function lowest_reduce(t) return t.prim == "reduce" and not t.is_array and not reduces(t:slot("in")) end
local function top_reduce(t, c) return t.prim == "reduce" and not t.is_array and c.place == "/" end
local function windows(t) return is_map(t) and t:slot("in").prim == "slide" end
local function windows_of_windows(t)
    local turned = is_map(t) and is_map(t:slot("f")) and t:slot("in")
    return turned and turned.prim == "map" and turned:slot("in").prim == "slide"
end
local function row_sums(t)
    local row = partner(t)
    return row and row.prim == "reduce"
end
local function root_with_fold(t, c) return c.place == "/" and t:contains("reduceSeq") end
local function outer_map(t, c) return c.place == "/" and is_map(t) end

-- The first such term at or below t.
local function first(t, is)
    if is(t) then return t end
    for _, child in ipairs(t.children) do
        local found = first(child, is)
        if found then return found end
    end
end
search.first = first

-- Which matrices of the product are read by columns, wholeTiles is told.
local function inner_tiling(root)
    local nest = first(root, reduce_nest)
    local a, b = nest and takes_columns(nest) or false, not nest or takes_columns(nest:slot("f"))
    return ("tileFold * foldOutOfMap * foldOutOfMap * wholeTiles(%s, %s)"):format(a, b)
end

search.macros = {
    {name = "fusion", text = "reduceSeq * reduceMapFusion", fits = over_map, most = 2},
    {name = "tiling", text = "tile", fits = reduce_nest, most = 2, blocks = true},
    {name = "1D tiling", text = "splitJoin", fits = reduce_nest, most = 1, blocks = true},
    {name = "2D blocking", text = "blockFold", fits = fold_nest, most = 1, blocks = true},
    {name = "2D blocking, columns apart", text = "blockFoldApart(4)", fits = fold_nest, most = 1, blocks = true},
    {name = "1D blocking", text = "blockFoldRows", fits = fold_nest, most = 1, blocks = true},
    {name = "blocking of a map", text = "blockMapIntoReduce", fits = map_of_fold, most = 2, blocks = true},
    {name = "tiling of the innermost loop", text = inner_tiling, fits = root_with_fold, most = 1, blocks = true},
    {name = "tiling of the fold of rows", text = "tileFold * blockMapIntoReduce", fits = root_with_fold,
     most = 1, blocks = true},
    {name = "tiling of a fold", text = "tileFold", fits = inner_fold, most = 1, blocks = true},
    {name = "interchange", text = "interchange", fits = reduce_nest, most = 1, blocks = true},
    {name = "chunks of a reduction", text = "reduceChunks", fits = top_reduce, most = 1},
    {name = "partial sums side by side", text = "reduceLanes", fits = lowest_reduce, most = 1},
    {name = "chunks of a map", text = "splitJoin", fits = outer_map, most = 1},
    {name = "chunks of rows", text = "rowChunks", fits = row_sums, most = 1},
    {name = "tiles of windows", text = "tileStencil", fits = windows, most = 1},
    {name = "2D tiles of windows", text = "tileStencil2", fits = windows_of_windows, most = 1},
}

return search

-- copies: what `lower` makes of a layout alone (transpose, reorder, elements at given places): a copy that reads and writes whole
-- vectors, or by columns in tiles.

local base, lengths = require "base", require "lengths"
local R, known, differs, fitting = base.R, lengths.known, lengths.differs, lengths.fitting

local VECTOR, GPU = lengths.VECTOR, lengths.GPU

-- Windows that lie beside each other are neighbours rather than their elements, if these are so few.
local FEW = 16

-- The dimension of the input of the node t, which joins or takes apart its first ones, along which neighbours are neighbours, as one of t.
local function regrouped(t, x)
    if t.prim == "join" then return x > 1 and x - 1 or nil end
    if t.prim == "split" then return x + 1 end
    if t.prim ~= "slide" then return nil end
    return x == 1 and t:static(2).value == 1 and (t:static(1).value or FEW) < FEW and 1 or x + 1
end

-- The dimension of t, from 1, along which neighbours are neighbours in the input that it is a layout of, or in the variable of a function,
-- where that is dimension `at`; nil: it is another layout. groups: also of one that joins rows, or takes windows.
local function contiguous(t, at, groups)
    if t.kind == "input" or t.kind == "var" then return at or t.rank end
    local passes = t.prim == "transpose" or t.prim == "reorder" or t.layout_map
    local regroups = groups and (t.prim == "join" or t.prim == "split" or t.prim == "slide")
    local x = (passes or regroups) and contiguous(t:slot("in"), at, groups)
    if not x or t.prim == "reorder" then return x or nil end
    if regroups then return regrouped(t, x) end
    if t.prim == "transpose" then return x == 1 and 2 or x == 2 and 1 or x end
    if groups and x == 1 then return 1 end
    local inner = contiguous(t:slot("f"), math.max(1, x - 1), groups)
    return inner and (x == 1 and 1 or inner + 1)
end

local function is_layout_alone(t)
    if t.kind == "input" then return true end
    local x = (t.is_layout or t.layout_map) and t.rank > 0 and t:slot("in")
    return x and is_layout_alone(x) or false
end

-- The place q with all its dimensions but the last n as one.
local function joined_but(q, n)
    for _ = 1, q.term.rank - n - 1 do q = R("rowsRejoined").run(q):go("in") end
    return q
end

-- A copy by columns in tiles: the dimension that neighbours in memory take becomes the last but one, and the others groups of dimension 2.
local function tiles(c)
    local t = c.term
    local at = is_layout_alone(t) and contiguous(t, nil, true)
    if not at or at == t.rank or t.components > 1 then return nil end
    if t.rank - at > 3 then return differs("neighbours in memory lie %d dimensions apart from the last", t.rank - at) end
    return base.new("tiles", function(q)
        for level = at, t.rank - 2 do
            if level > 2 then return nil end
            q = R(level == 1 and "transposeTwice" or "transposeRowsTwice").run(q):go("in")
        end
        q = joined_but(q, 2)
        if q.term.rank == 3 then q = R("copyGroups", {d = 2}).run(q):go("f") end
        local n, scalars = known(q.term), q.term.scalars:known()
        local u, v = n and scalars and fitting(n, GPU.warp, 2), n and scalars and fitting(scalars // n, GPU.warp, 2)
        if not u or not v then return nil, base.failure(q, "tiles", ("sides that tiles of at most %d by %d and even sides divide"):format(GPU.warp, GPU.warp), q.term.type) end
        local r = R("copyTiles", {u = u, v = v}).run(q)
        return r and r:at(c)
    end)
end

-- A copy whose rows lie as they are read, or nearly so: in vectors.
local function vectors(c)
    local t = c.term
    if t.kind == "input" or not is_layout_alone(t) then return nil end
    return base.new("vectors", function(q)
        q = joined_but(q, 2)
        for d = q.term.rank - 1, 1, -1 do
            q = R("copyGlobal", {d = d}).run(q):go("f")
        end
        local r = R("copyVectorsGlobal", {w = VECTOR, d = 0}).run(q)
        return r and r:at(c)
    end)
end

return {contiguous = contiguous, is_layout_alone = is_layout_alone, tiles = tiles, vectors = vectors}

-- together: how `lower` makes several results of one traversal: reductions of one array, sums of the rows and of the columns of a matrix, an
-- array and what is reduced of it (the macros of tupling).

local base, L = require "base", require "combinators"
local blocking, cuts, tupling, stencils, rowshapes, rows = require "blocking", require "cuts", require "tupling", require "stencils", require "rowshapes", require "rows"
local lengths, shaping, takes_columns = require "lengths", require "shaping", require("columns").takes_columns
local is_map = blocking.is_map
local known, differs, UNKNOWN, fitting, CPU_MIN = lengths.known, lengths.differs, lengths.UNKNOWN, lengths.fitting, shaping.CPU_MIN

local KEPT_EACH = rows.SIXTEEN           -- elements of a named array that an item makes and reduces

-- The matrix whose rows, or columns (then true), the map t reduces each to a scalar; nil: it does not.
local function reduced_matrix(t)
    if not is_map(t) or t:slot("f").is_array or not t:slot("f"):contains("reduce") then return nil end
    local x = t:slot("in")
    if x.prim == "zip" then x = x:slot("0") end
    if x.prim == "transpose" then return x:slot("in"), true end
    return x, false
end

local function both_sums(c, tile_of, least, sums)
    local rows, columns, text = nil, nil, nil
    for _, child in ipairs(c.term.children) do
        local x, by_column = reduced_matrix(child)
        if x and (not text or x.text == text) then
            if by_column then columns = columns or child else rows = rows or child end
            text = x.text
        end
    end
    if not rows or not columns then return nil end
    local n, m = known(rows), known(columns)
    if not n or not m then return differs(UNKNOWN) end
    local tile, pad = tile_of(n, m)
    if not tile then return differs("no tiles of few rows and vectors divide %d x %d", n, m) end
    if pad and n % tile.n ~= 0 then least = 2 * least end                  -- that much more is launched
    if n * m < least then return differs("%d x %d are fewer than %d elements", n, m, least) end
    return pad and L.seq(L.padSums(pad, tile.n, tile.w), sums(tile)) or sums(tile)
end

-- A long named map of scalars, of which something is reduced and which is a result besides.
local function kept(c)
    local value = c.term:slot("value")
    local n = is_map(value) and not value:slot("f").is_array and not value:contains("reduce") and known(value)
    if not n or n < CPU_MIN or not c.term:slot("body"):contains("reduce") then return nil end
    local items = lengths.items()
    local most = KEPT_EACH * items
    local chunk = fitting(n, most, lengths.VECTOR * items)
    local left = not chunk and n % most or 0
    chunk = chunk or most
    local made = L.seq(L.keptInChunks(chunk), L.slot("value", L.rowsInGroups({items = items, each = chunk // items, rounds = 1})))
    return left > 0 and L.seq(L.keptPeelLast(left), made) or made
end

-- Does t, or a map in it, reduce each row, or each column, of a named matrix of that type to a scalar?
local function reduces_named(t, type, columns)
    local x, by_column = reduced_matrix(t)
    if x and by_column == columns and x.kind == "var" and x.type == type then return true end
    return base.any(t.operands, reduces_named, type, columns)
end

-- The name at q and the reductions of its rows as one map of rows.
local kept_rows = base.new("together", function(q)
    local p = tupling.kept.run(q)
    if not p then return nil, base.failure(q, "together", "rows that are reduced, of what is named") end
    p = p.term.prim == "let" and p:go("value") or p
    local made, shape = shaping.shaped(p.term.prim == "unzip" and p:go("in") or p)
    return shape == "rows" and made:at(q) or nil
end)

-- A large named matrix, made element by element, of which columns or rows are reduced.
local function kept_matrix(c)
    local value, body = c.term:slot("value"), c.term:slot("body")
    local n = is_map(value) and is_map(value:slot("f")) and value.rank == 2 and not value:contains("reduce") and not value:contains("scan") and known(value)
    local m = n and known(value:slot("f"))
    if not m or n * m < lengths.far(lengths.GPU) then return nil end
    local tile, pad = tupling.tile_of(n, m)
    local columns = reduces_named(body, value.type, true) and tile and not pad and n % tile.n == 0 and L.keptInTilesGpu(tile)
    local rows = reduces_named(body, value.type, false) and kept_rows
    return columns and rows and L.alt(columns, rows) or columns or rows or nil
end

-- How many arrays the long reductions in t read, each by itself.
local function reads_of_reductions(t)
    local reads = 0
    if t.prim == "reduce" then
        local x = t:slot("in")
        if (known(x) or 0) < CPU_MIN then return 0 end
        x = blocking.made_of(x)
        return x.prim == "zip" and #x.slots or 1
    end
    for _, x in ipairs(is_map(t) and {} or t.operands) do reads = reads + reads_of_reductions(x) end
    return reads
end

-- Does the reduction that the name at q, as reductionsTogether leaves it, stands for read fewer arrays than so many?
local function reads_fewer(q, reads)
    local value = q.term.prim == "let" and q.term:slot("value")
    local x = value and value.prim == "reduce" and blocking.made_of(value:slot("in"))
    return x and not (x.prim == "zip" and #x.slots >= reads)
end

-- Long reductions, of fewer arrays than they read apart.
local function reductions(c)
    local reads = reads_of_reductions(c.term)
    local r = reads > 1 and L.reductionsTogether.run(c)
    local value = r and r:go("value")
    local x = value and value.term:slot("in")
    if not x or not known(x) or known(x) < CPU_MIN or not reads_fewer(r, reads) then return nil end
    return base.new("together", function(q) return (shaping.shaped(value) or value):at(q) end)
end

-- Long rows of which several are reduced: one reduction, of fewer arrays than they read apart.
local function rows_together(q)
    local fold = is_map(q.term) and not takes_columns(q.term) and cuts.folded(q)
    local n = fold and known(fold.term:slot("in"))
    if not n or not rowshapes.items_for(n) then return q end
    local reads = reads_of_reductions(q.term:slot("f"))
    local r = reads > 1 and L.slot("f", L.reductionsTogether).run(q)
    return r and reads_fewer(r:go("f"), reads) and r or q
end

-- Element-wise maps of as many elements, of which some read the same: one pass over all, which are taken from end to end.
local function elements(c)
    local total
    for _, t in ipairs(c.term.children) do
        local n = is_map(t) and not t:contains("reduce") and not t:contains("scan") and not stencils.has_windows(t) and not takes_columns(t) and t.scalars:known()
        if not n or total and n ~= total or n < CPU_MIN then return nil end
        total = n
    end
    return base.new("together", function(q)
        for _, slot in ipairs(q.term.slots) do
            local p = q:go(slot)
            while p.term.rank > 1 do p = cuts.rowsAsOne.run(p):go("in") end
            q = is_map(p.term) and p:at(q)
            if not q then return nil end
        end
        local r = tupling.shared(q)
        local value = r and r:at(q):go("value")
        value = value and is_map(value.term) and (shaping.shaped(value) or value)
        return value and value:at(q)
    end)
end

local function recognise(c, of_tuple, of_name)
    local t = c.term
    if t.prim == "(,)" then return reductions(c) or of_tuple(c) or nil end
    if t.prim == "let" then return reductions(c) or of_name(c) or nil end
    return not t.is_array and t.prim ~= "reduce" and reductions(c) or nil
end
local function by_items(c)
    return recognise(c, function() return both_sums(c, tupling.tile_of, lengths.far(lengths.GPU), L.sumsInTilesGpu) or elements(c) end, function() return kept(c) or kept_matrix(c) end)
end
local function by_vectors(c)
    return recognise(c, function() return both_sums(c, tupling.tile_cpu, lengths.far(lengths.CPU), L.sumsInTilesCpu) end, function() end)
end

return {by_items = by_items, by_vectors = by_vectors, rows_together = rows_together}

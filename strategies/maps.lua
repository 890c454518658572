-- maps: how `lower` makes long arrays whose elements are made one by one: in a CPU's vectors, by a GPU's work-items.

local base, L, blocking, rows, cuts = require "base", require "combinators", require "blocking", require "rows", require "cuts"
local lengths, shaping = require "lengths", require "shaping"
local R, is_map, nested_map, VECTOR = base.R, blocking.is_map, blocking.nested_map, lengths.VECTOR
local known, differs, UNKNOWN, fitting, lanes = lengths.known, lengths.differs, lengths.UNKNOWN, lengths.fitting, lengths.lanes
local CPU_PARTS, CPU_MIN, CPU_FEW, CPU = shaping.CPU_PARTS, shaping.CPU_MIN, shaping.CPU_FEW, lengths.CPU

-- Does t loop over numbers that it counts, with a state of scalars?
local function counts(t)
    if (t.prim == "reduceSeq" and t:slot("in").prim == "generate" or t.prim == "iterate") and t.scalars:known() then return true end
    return base.any(t.children, counts)
end

local function in_vectors(w) return L.alt(R("mapVectorise", {w = w}), R("vectoriseColumns", {w = w}), R("vectoriseColumnsZip", {w = w})) end

-- A map that reduces for each of its elements, which are scalars or columns, or maps in each other that loop for theirs: as many side by
-- side as a vector has.
local function long_loops(c)
    local inner = c
    while nested_map(inner) and counts(c.term:slot("f")) do inner = nested_map(inner) end
    local t = inner.term
    local n = t.prim == "map" and t.rank == 1 and (counts(t:slot("f")) or inner == c and t:contains("reduce")) and known(t)
    if not n or n < CPU_FEW * CPU.lanes then return nil end
    if inner == c and n >= CPU_MIN then
        local chunk, w, _, left = lengths.chunks(n, CPU_PARTS, CPU_FEW)
        return rows.but_for(left, L.seq(in_vectors(w), L.slot("in", blocking.in_groups(chunk // w))))
    end
    local w = inner ~= c and CPU.lanes or lanes(n)
    local length = inner == c and w and n // w or known(c.term)
    local parts = length and fitting(length, CPU_PARTS, 1)
    local chunks = length and blocking.in_groups(parts < CPU_FEW and 1 or length // parts)
    if inner == c then return w and L.seq(in_vectors(w), L.slot("in", chunks)) or nil end
    return chunks and L.seq(shaping.inside_at(c, inner, rows.peeled(t, w, in_vectors(w), R("mapSeq"))), chunks)
end

-- Scalars that are named for a row are computed where its elements are made.
local scalarsIn = L.rep(L.where(function(t)
    local value = t.prim == "let" and t:slot("value")
    return value and not value.is_array and not value:contains("reduce") and is_map(t:slot("body"))
end, R("letIntoMap")))

-- An array of arrays whose elements are made one by one, by a GPU: vectors of the innermost, or its elements, of a long one by a group.
local LONG_ROW = 2 * lengths.GROUP
local function long_rows(c)
    if not is_map(c.term) or c.term:contains("reduce") then return nil end
    local named = c.term:slot("f").prim == "let"
    local list = blocking.levels(named and L.slot("f", scalarsIn).run(c) or c)
    if #list == 1 then return nil end
    local inner, total = list[#list].term, lengths.elements(list)
    if not total then return differs(UNKNOWN) end
    if total < CPU_MIN or inner.rank ~= 1 then return nil end
    local n = known(inner)
    local items = n % VECTOR == 0 and L.alt(L.mapRowsGpu({w = VECTOR}), L.mapsInItems) or n >= LONG_ROW and L.mapsInGroups or L.mapsInItems
    return named and L.seq(L.slot("f", scalarsIn), items) or items
end

-- Has t no reductions but short ones of what is the same for all elements, as of the coefficients of a polynomial?
local function reduces_little(t)
    if t.prim == "reduce" and not (cuts.is_shared(t:slot("in")) and (known(t:slot("in")) or math.huge) <= rows.ROW_KEPT) then return false end
    return base.all(t.children, reduces_little)
end

-- By itself what is around it is an input: the same for all elements.
local function makes_by_reducing_little(c) return reduces_little(c:alone({}, {}).term:slot("f")) end

-- So many elements; nil: c makes no long array of scalars, or reduces too much for that.
local function scalars_of(c, may_reduce)
    local t = c.term
    if t.prim ~= "map" or t.rank ~= 1 or t:contains("reduce") and not (may_reduce and may_reduce(c)) then return nil end
    local n = known(t)
    if not n then return differs(UNKNOWN) end
    if n < CPU_MIN then return differs("%d elements are fewer than %d", n, CPU_MIN) end
    return n
end

local function by_items(c)
    if c.term.rank >= 2 then return long_rows(c) end
    local n, why = scalars_of(c, makes_by_reducing_little)
    return n and rows.but_for(n % VECTOR, L.mapGpu({w = VECTOR})), why
end

local function by_vectors(c)
    local n, why = scalars_of(c)
    if not n then return nil, why end
    local chunk, w, _, left = lengths.chunks(n, CPU_PARTS, CPU_FEW)
    local made = L.mapCpu({chunk = chunk, w = w})
    if n >= lengths.far(CPU) then made = L.alt(L.mapCpu({chunk = chunk, w = w, r = fitting(chunk // w, lengths.VECTORS, 1), stream = true}), made) end
    return rows.but_for(left, made)
end

return {long_loops = long_loops, by_items = by_items, by_vectors = by_vectors}

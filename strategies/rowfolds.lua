-- row folds: what is summed up of the columns of a matrix and depends on a reduction of each of its rows (A^T (A x), gradients of linear
-- models). A fold over the rows, with as many accumulators as there are columns, reads each row once: it is reduced, then
-- added to the accumulators. Chunks of rows have accumulators of their own, which are summed up afterwards.

local base, L = require "base", require "combinators"
local blocking, cuts, tupling, rows = require "blocking", require "cuts", require "tupling", require "rows"
local lengths, shaping, takes_columns = require "lengths", require "shaping", require("columns").takes_columns
local R, macro_at, is_map, vector_steps = base.R, base.macro_at, blocking.is_map, require("vectors").vector_steps
local known, differs, UNKNOWN, lanes = lengths.known, lengths.differs, lengths.UNKNOWN, lengths.lanes

-- Padded rows stay what is folded, to be kept.
local function of_rows(rule)
    return L.where(function(t) return not (t:slot("in").prim == "map" and t:slot("in"):slot("f").prim == "padConst") end, rule)
end
local fused = L.normalize(L.alt(rows.names_out, R("zipZip"), R("zipMap"), R("zipTwice"), L.where(L.computes, R("mapFusion"))))
local parts_made = L.normalize(L.alt(blocking.chunk_read, blocking.part_read))

-- The map of reductions of columns at q, or which maps read, the first of those side by side.
local function sums_at(q)
    local t = q.term
    if t.prim == "take" or t.prim == "zip" then return sums_at(q:go(t.prim == "zip" and "0" or "in")) end
    if not is_map(t) then return nil end
    if t:slot("f").prim ~= "reduce" then return sums_at(q:go("in")) end
    return t:slot("in").prim == "transpose" and q or nil
end

-- The sums of columns in what the name at c is read by, where padded leaves them.
local function named_sums(c)
    local q = tupling.padded_sums(c:go("body"))
    return is_map(q.term) and cuts.sums_of(q) or nil
end

-- The name at c and the sums of columns that read it, both of rows padded to a multiple of n elements; nil: zeros would count there.
local function padded(c, n)
    local folds = cuts.sums_of(c:go("value"))
    local r = folds and R("padRowFolds", {n = n}).run(folds)
    local sums = r and named_sums(r:at(c))
    r = sums and R("padColumns", {n = n}).run(sums)
    return r and r:at(c)
end

-- A name of what is reduced of rows, and the map of reductions of columns that reads it, as one nest: a map of reductions of the columns of
-- what is made of each row, here; nil: it is none, or the name is read elsewhere, too.
local function one_nest(c)
    local t = c.term
    if t.prim ~= "let" or not is_map(t:slot("value")) then return nil end
    local sums = named_sums(c)
    local q = sums and tupling.reductions_of(sums)
    q = q and L.try(R("letDuplicate")).run(q:at(c))
    q = q and sums_at(q:at(c))
    q = q and fused.run(q:go("in", "in")):at(q)
    return q and L.try(R("mapPadConstIn")).run(q:go("in", "in")):at(q)
end

-- A map of reductions of columns, where what is reduced is made of rows, by chunks of n rows: a map of folds over rows, whose steps are
-- maps, and what their accumulators add up to.
local fold = L.seq(R("mapReduceInterchange"), L.slot("in", L.normalize(R("transposeTranspose"))), R("reduceSeq"), L.rep(of_rows(R("reduceMapFusion"))), L.slot("f", fused))
local folds_made = L.seq(L.slot("in", L.try(parts_made)), L.rep(of_rows(R("mapFusion"))), L.slot("f", fold))
local function in_chunks(n) return L.seq(R("reduceColumnChunks", {n = n}), L.slot("in", L.slot("in", folds_made))) end

-- The names in what the function at q makes come out of it.
local named = base.recursive("names", function(self)
    return L.alt(L.where(function(t) return t.prim == "let" end, L.slot("body", self)), L.seq(R("letFloat"), self), L.id)
end)

-- The row folds at c by all chunks of n rows by each(q, single), which gets the map of their folds; rows left over by so many chunks side by
-- side make a single one. nil: they are none.
local function each_chunk(c, n, side, pad, each)
    local whole = pad == 0 and c or padded(c, pad)
    local q = whole and one_nest(whole)
    if not q then return nil end
    local length = q.term:slot("in"):slot("in").length:known()
    local k = length and math.type(n * side) == "integer" and length % (n * side) or 0
    if k == length then n, k = length, 0 end
    local peeled = k > 0 and R("reduceColumnsPeelLast", {n = k}).run(q)
    q = peeled and peeled:at(q) or q
    for i, part in ipairs(peeled and {{"in", "0"}, {"in", "1"}} or {{}}) do
        local p = q:go(table.unpack(part))
        p = peeled and parts_made.run(p:go("in", "in")):at(p) or p
        p = in_chunks(i == 2 and k or n).run(p)
        p = p and each(p:go("in", "in"), i == 2 or n == length)
        if not p then return nil end
        q = p:at(q)
    end
    return q
end

-- The fold at q by o.items work-items of a group in dimension o.dim, which keep the row of a step and the accumulators in registers.
local function in_items(q, o)
    local args = {n = o.items, d = o.dim}
    local r = L.seq(L.try(L.alt(R("keepStepFirst", args), R("keepStep", args))), R("accInItemsStrided", args)).run(q)
    local body = r and r:go("in", "in", "in", "f")
    r = body and named.run(body)
    r = r and rows.steps(r:at(body), o):at(body)
    return r and rows.apart.run(r):at(q)
end

local FOLDS = "columns that read what is reduced of rows"
macro_at("rowFoldsGpu", "{rows=32, each=32, side=1, rounds=1, pad=0}",
    "reductions of columns that read what is reduced of rows, in one pass, on a GPU: each group takes a number of neighbouring chunks of rows; an item keeps a number of "
    .. "elements of a row, and of the accumulators; results are combined sixteen at a time, in rounds; pad: rows are padded "
    .. "with zeros to a multiple of this number of elements",
    function(c, o)
        return each_chunk(c, o.rows, o.side, o.pad, function(p, single)
            local group, path = R("mapWorkgroup", {d = 0}), {"f"}
            if o.side ~= 1 and not single then
                group, path = blocking.in_groups(o.side, R("mapLocal", {d = 1})), {"in", "f", "f"}
            end
            local r = group.run(p)
            local q = r and r:go(table.unpack(path))
            r = q and in_items(q, {items = q.term.length / o.each, dim = 0, rounds = o.rounds})
            return r and r:at(p)
        end)
    end, FOLDS)

macro_at("rowFoldsCpu", "{rows=64, w=16, u=4}",
    "the same on a CPU: a work-group of one item for a chunk of rows; each step of a row in vectors of w, reductions in u of them",
    function(c, o)
        return each_chunk(c, o.rows, 1, 0, function(p)
            local r = R("mapWorkgroup", {d = 0}).run(p)
            local body = r and r:go("f", "f")
            return body and vector_steps(body, o):at(p)
        end)
    end, FOLDS)

-- as `lower` has it

-- Items of a GPU for a row, as few as are good; groups of a unit that keep it busy.
local FEW, GROUPS = 2 * lengths.VECTOR, 2

-- So many rows that of n the fewest are left over: at least these, or a few more.
local function chunk_of(n, least, side)
    local rows = least
    for k = least, least + least // lengths.VECTOR do
        if n % (k * side) < n % (rows * side) then rows = k end
    end
    return rows
end

-- How items share m elements, which may be padded: elements each, items, and to how many they are padded (0: not at all); nil: they are too many.
local function share(m, may_pad)
    local o
    for each = 1, rows.ROW_KEPT do
        local items = -(-m // each)
        local pad = items * each - m
        local off = items <= lengths.GPU.max_group and pad <= (may_pad and m // lengths.GPU.warp or 0) and math.abs(math.log(items / math.max(FEW, m // rows.ROW_KEPT), 2))
            + (items > lengths.GPU.warp and items % lengths.GPU.warp ~= 0 and 0.5 or 0) + (pad > 0 and 1 or 0)
        if off and (not o or off < o.off) then o = {each = each, items = items, off = off, pad = pad > 0 and items * each or 0} end
    end
    return o
end

local function folds_gpu(n, m)
    local function shared_by(o)
        local side = o and math.max(1, lengths.items() // o.items)
        local each = o and chunk_of(n, n // (side * GROUPS * lengths.GPU.units) + 1, side)
        return o and L.rowFoldsGpu({rows = each, each = o.each, side = side, rounds = o.items > rows.SIXTEEN and 1 or 0, pad = o.pad > 0 and o.pad or nil})
    end
    local best, even = share(m, true), share(m, false)
    if not best then return differs("no %d items or fewer share %d elements, at most %d each", lengths.GPU.max_group, m, rows.ROW_KEPT) end
    return even and best.pad > 0 and L.alt(shared_by(best), shared_by(even)) or shared_by(best)
end

local function folds_cpu(n, m)
    local longest = lengths.CPU.l2 // 16                     -- a row, what is made of it and as much again stay in a core's own cache
    if m > longest then return differs("rows of %d elements are longer than %d", m, longest) end
    local w, u = lanes(m)
    return L.rowFoldsCpu({rows = chunk_of(n, math.max(1, n // shaping.CPU_PARTS), 1), w = w or lengths.CPU.lanes, u = u or lengths.VECTORS})
end

-- What is done with the sums, where they are made.
local finished = L.normalize(L.alt(R("zipZip"), R("zipMap"), R("zipDrop"), L.where(L.computes, R("mapFusion"))))

-- The name at c as row folds of more elements than a cache of the device holds, whose results are then reduced in a shape of their own; nil: they are no such, and why.
local function recognise(c, device, folds_of)
    local t = c.term
    if t.prim ~= "let" or not is_map(t:slot("value")) or t:slot("value"):slot("f").is_array or not t:slot("value"):contains("reduce")
        or takes_columns(t:slot("value")) or not is_map(t:slot("body")) or not takes_columns(t:slot("body")) then return nil end
    local q = one_nest(c)
    if not q then return differs("its name is read by more than reductions of columns of the same rows") end
    local n, m = known(q.term:slot("in"):slot("in")), known(q.term)
    if not n or not m then return differs(UNKNOWN) end
    local most = lengths.far(device)
    if n * m <= most then return differs("%d x %d are no more than %d elements, which a cache holds", n, m, most) end
    local folds, why = folds_of(n, m)
    if not folds then return nil, why end
    return base.new("row folds", function(p)
        local r = folds.run(p)
        local all = r and finished.run(r:at(p)):at(p)
        local taken = all and all.term.prim == "take" and all:go("in") or all
        if taken and is_map(taken.term) and cuts.reductions_in(taken.term:slot("f")) == 1 then return (shaping.shaped(taken) or taken):at(all) end
        local sums = r and sums_at(r:at(p))             -- there are those of rows left over, too
        return sums and finished.run((shaping.shaped(sums) or sums):at(p)):at(p)
    end)
end

return {by_items = function(c) return recognise(c, lengths.GPU, folds_gpu) end, by_vectors = function(c) return recognise(c, lengths.CPU, folds_cpu) end}

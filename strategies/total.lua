-- total: memory for every array that a work-item computes and then reads, wherever that stands: the last resort of lower.
--
-- The walk goes down from the root as the translation will (core/kernel/translate.c), and knows of each value what becomes of it: it is read, through
-- a view; it is written to a place, which code of its own must do; or it stands under a toX, where what has no code of its own is copied. The first
-- place that this does not fit gets the rule that it lacks, and so on: a loop for a map, memory for a value that is read, a copy for one that is written.

local engine, base, L = require "engine", require "base", require "combinators"
local lengths = require "lengths"
local kind = lengths.kind
local R, set, places = base.R, base.set, base.places

local PRIVATE_SCALARS = lengths.SMALL
local spaces, writes, parallel, writers = base.prims "memory", base.prims "write", base.prims "parallel", base.prims "mapped"
local parts = {TUPLE = true, ZIP = true, CONCAT = true}
local loops = {map = R("mapSeq"), reduce = R("reduceSeq"), scan = R("scanSeq"), reducePart = R("reducePartToReduce"), reduceByIndex = R("reduceByIndexSeq")}
local heavy = set("map", "reduce", "scan", "iterate", "scatter", "reduceByIndex", "mapSeq", "reduceSeq", "reduceSeqUnroll", "scanSeq", "reduceByIndexSeq", "slice")

local function apply(q, rule)
    local r = rule.run(q)
    return r and r.root ~= q.root and r or nil
end

local launched = set("reduceHost", "iterate")       -- outside of kernels their steps are launches
-- Does the way up from q pass through a function of a kernel? (let bodies do not count, nor do steps that are launches, or of what `launches` says will be.)
local function in_kernel(q, launches)
    local up = q:up()
    while up do
        local steps = launched[up.term.prim] or launches and launches(up.term)
        if q.slot == "f" and not steps or q.slot == "fwd" or q.slot == "inv" then return true end
        q, up = up, up:up()
    end
    return false
end

-- Is what f makes too much to be made again wherever it is read?
local function is_heavy(f)
    if f.layout_map then return base.any(f.operands, is_heavy) end
    return heavy[f.prim or ""] or base.any(f.children, is_heavy)
end

-- An array made by its indices that each element takes a loop for is a map's.
local function generated(q) return is_heavy(q.term:slot("f")) and apply(q, R("generateMap")) or nil end

-- Private arrays need constant lengths.
local function is_small(t) return t.scalars ~= nil and (lengths.constant(t.scalars) or math.huge) <= PRIVATE_SCALARS end

-- The value of q in memory of the work-item that makes it, or of all where no kernel does; space: nil, or where it must be.
local function placed(q, space)
    if (space or in_kernel(q) and is_small(q.term) and "private") == "private" then return apply(q, R("toPrivate")) end
    local beside = lengths.in_warps() and apply(q, R("toGlobalInterleaved"))        -- nil: it is outside of kernels
    return beside or apply(q, R("toGlobal"))
end

local lacking
local whole                              -- {[mode, space, in a kernel?] = true} by term: it lacks nothing so
local known                              -- whether kernels come of a nest by itself, by term; nil: it is not asked

-- Do kernels come of the nest at q by itself, whatever it reads, where it stands outside of every kernel? What it has is left alone then.
local function is_sound(q)
    local t = q.term
    if not known or in_kernel(q) then return false end
    if known[t] == nil then
        local input = t:slot("in").prim and q:go("in")
        local nest = q:alone(input and {input} or {}, input and {"_in"} or {})
        known[t] = engine.kernels_of(nil, nest, kind()) ~= nil
    end
    return known[t]
end

local function below(q, slots, mode, space)
    for _, slot in ipairs(slots) do
        local at = q:go(slot)                            -- nil: of a function that has a name
        local r = at and lacking(at, mode, space)
        if r then return r end
    end
end

-- What a fold or scan over arrays begins with, in memory, where its steps go on.
local function accumulated(q, space)
    local init = q.term:slot("init")
    local own = spaces[init.prim]
    if not own then return placed(q:go("init"), space) end
    return lacking(q:go("init"), "read") or lacking(q:go("f"), "write", own)
end

local function folded(q, mode, space)
    local t = q.term
    if not t.is_array then return below(q, {"init", "in", "f"}, "read") end
    if t.prim == "reduceHost" then return below(q, {"init", "in"}, "read") or lacking(q:go("f"), "write", "global") end
    local own = spaces[t:slot("init").prim]
    if mode == "write" and own and (own ~= space or own == "private") then return placed(q, space) end
    return accumulated(q, mode ~= "read" and space or nil) or lacking(q:go("in"), "read")
end

local function scanned(q, mode, space)
    if mode == "read" then return placed(q) end
    local r
    if q.term:slot("init").is_array then r = accumulated(q, space) else r = below(q, {"init", "f"}, "read") end
    return r or lacking(q:go("in"), "read")
end

-- The pairs are made by loops that update, or by work-items.
local function updated(q, mode, space)
    local t = q.term
    local own = spaces[t:slot("init").prim]
    if mode == "write" and own and own ~= space then return placed(q, space) end
    local r = accumulated(q, mode ~= "read" and space or nil)
    if r then return r end
    local pairs = q:go("in")
    if not writers[pairs.term.prim] then return apply(pairs, pairs.term.prim == "map" and R("mapSeq") or R("copySeq")) end
    while writers[pairs.term.prim] and pairs.term.rank > 1 do
        local inner = lacking(pairs:go("in"), "read")
        if inner then return inner end
        pairs = pairs:go("f")
    end
    if writers[pairs.term.prim] then return below(pairs, {"in", "f"}, "read") end
    return lacking(pairs, "read")
end

-- What layouts, indices and components are taken of is read where it lies, unless it is made through them.
local function laid_out(q, mode, space)
    local t = q.term
    if t.invertible and mode ~= "read" then return lacking(q:go("in"), mode, space) end
    if mode == "write" then return placed(q, space) end
    for _, slot in ipairs(t.slots) do
        local r = slot ~= "f" and lacking(q:go(slot), "read")
        if r then return r end
    end
end

-- q with the rule that the first place in it lacks; nil: none lacks any. mode: "read", "write", "copied"; space: where it is written to.
local function lacking_at(q, mode, space)
    local t = q.term
    local p = t.prim
    if not p then return mode == "write" and t.is_array and placed(q, space) or nil end
    if spaces[p] then return lacking(q:go("in"), "copied", spaces[p]) end
    if loops[p] and not (t.layout_map) then return apply(q, loops[p]) end
    if writers[p] then
        if mode == "read" and p == "mapLocal" then return apply(q, R("toLocal")) end
        if mode == "read" and (not parallel[p] or in_kernel(q)) then return placed(q) end
        return not is_sound(q) and lacking(q:go("f"), "write", space or "global") or lacking(q:go("in"), "read")
    end
    if writes[p] == "REDUCE" then return folded(q, mode, space) end
    if writes[p] == "SCAN" then return scanned(q, mode, space) end
    if writes[p] == "BY_INDEX" then return updated(q, mode, space) end
    if p == "let" then return lacking(q:go("value"), "read") or lacking(q:go("body"), mode, space) end
    if p == "slice" then return below(q, {"from", "to", "in"}, "read") or lacking(q:go("f"), mode, space) end
    if not t.is_array then return below(q, t.slots, "read") end
    if parts[writes[p]] then return below(q, t.slots, mode, space) end
    if p == "scatter" then
        if mode == "read" then return placed(q) end
        return below(q, {"dest", "in"}, mode, space) or lacking(q:go("index"), "read")
    end
    if p == "if" then
        if mode == "read" and not (t:slot("then").is_layout and t:slot("else").is_layout) then return placed(q) end
        local apart = not in_kernel(q) and t.has_parallel      -- kernels of their own make the arms first
        return lacking(q:go("cond"), "read") or below(q, {"then", "else"}, apart and "read" or mode, space)
    end
    if p == "iterate" then
        if mode == "read" then return placed(q) end
        return lacking(q:go("in"), "read") or lacking(q:go("f"), "write", space)
    end
    if p == "generate" then
        local f = t:slot("f")
        if is_heavy(f) or mode == "write" and not f.is_layout then return apply(q, R("generateMap")) end
        if mode == "write" then return placed(q, space) end
        return lacking(q:go("f"), "read")
    end
    return laid_out(q, mode, space)
end

-- The same, looked for once in what one rule after another leaves as it is.
function lacking(q, mode, space)
    local t, key = q.term, mode .. (space or "") .. (in_kernel(q) and " in a kernel" or "")
    local so = whole[t] or {}
    local r = not so[key] and lacking_at(q, mode, space) or nil
    if not r then whole[t], so[key] = so, true end
    return r
end

-- Scratch memory

local coarser = {mapGlobal = {R("coarsenGlobal"), R("peelGlobal")}, mapWorkgroup = {R("coarsenWorkgroup"), R("peelWorkgroup")}}

-- Bytes of global memory that is made in t for each of its work-items, and of the largest array of it; lengths that are not known count as 1.
local function scratch(t)
    if not base.any(base.keys(spaces), function(name) return spaces[name] == "global" and t:contains(name) end) then return 0, 0 end
    local sum = spaces[t.prim] == "global" and t.bytes:known() or 0
    local most = sum
    for i, child in ipairs(t.children) do
        local n = parallel[t.prim] and t.slots[i] == "f" and t.length:known() or 1
        local all, one = scratch(child)
        sum, most = sum + n * all, math.max(most, n * one)
    end
    return sum, most
end

-- The least divisor of n from k on that is not far from it.
local function near_divisor(n, k)
    for d = k, math.min(n, 2 * k) do
        if n % d == 0 then return d end
    end
end

-- The nest of work-items or groups at q with so many fewer of them that its scratch memory is no more than `room`; nil: it is not.
local function coarsened(q, room, target)
    local p, rules = q, coarser[q.term.prim]
    local own, largest = scratch(q.term)
    while p.term:slot("f").prim == q.term.prim do p = p:go("f") end
    local n = p.term.length:known()
    if not n or n < 1 or own == 0 then return nil end        -- of no elements: sizes that `run` refuses
    local part = math.min(1, room / own, target.max_buffer / largest)
    local k = -(-n // math.max(1, math.floor(part * n)))
    if k == 1 then return nil end
    local d = near_divisor(n, k)
    local r = d and rules[1]{n = d}.run(p) or L.seq(rules[2]{n = n % k}, L.slot("0", rules[1]{n = k})).run(p)
    return r and r:holds() and r:at(q)
end

-- c, where what its work-items have of their own is more than the device has: fewer of them, of which each takes several elements.
local function within_memory(c)
    local all, nests = 0, 0
    for q in places(c, coarser) do
        local own = in_kernel(q) and 0 or scratch(q.term)
        all, nests = all + own, nests + (own > 0 and 1 or 0)
    end
    if all == 0 then return c end
    local target = engine.target(kind())
    local room = target.memory // 8
    if all > room then
        local _, bytes = engine.kernels_of(nil, c, kind())
        room = math.max(room, target.memory - bytes)
    end
    return base.exhaust(c, {function(q) return not in_kernel(q) and coarsened(q, room / nests, target) or nil end, coarser})
end

-- c with all that it lacks. kept: what makes kernels by itself stays as it is.
local function complete(c, kept)
    whole, known = {}, kept and {} or nil
    local r = lacking(c, "write", "global")
    while r do
        c = r:at(c)
        r = lacking(c, "write", "global")
    end
    return within_memory(c)
end

return {parts = parts, complete = complete, within_memory = within_memory, generated = generated, in_kernel = in_kernel, is_small = is_small, placed = placed,
        PRIVATE_SCALARS = PRIVATE_SCALARS}

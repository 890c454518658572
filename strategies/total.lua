-- total: memory for every array that a work-item computes and then reads, wherever that stands: the last resort of lower.
--
-- The walk goes down from the root as the translation will (core/kernel/translate.c), and knows of each value what becomes of it: it is read, through
-- a view; it is written to a place, which code of its own must do; or it stands under a toX, where what has no code of its own is copied. The first
-- place that this does not fit gets the rule that it lacks, and so on: a loop for a map, memory for a value that is read, a copy for one that is written.

local engine, base = require "engine", require "base"
local R, set = base.R, base.set

local PRIVATE_SCALARS = 256              -- a larger array goes to global memory
local spaces = {toGlobal = "global", toGlobalStream = "global", toGlobalImage = "global", toLocal = "local", toLocalPadded = "local", toLocalSwizzled = "local", toPrivate = "private"}
local parallel = set("mapGlobal", "mapWorkgroup", "mapLocal")
local writers = set("mapSeq", "mapSeqUnroll", "mapGlobal", "mapWorkgroup", "mapLocal")
local folds = set("reduceSeq", "reduceSeqUnroll", "reduceSeqPrefetch", "reduceSeqPipe", "reduceHost")
local scans = set("scanSeq", "scanSeqUnroll")
local by_index = set("reduceByIndexSeq", "reduceByIndexAtomic")
local parts = set("(,)", "zip", "concat")
local loops = {map = R("mapSeq"), reduce = R("reduceSeq"), scan = R("scanSeq"), reducePart = R("reducePartToReduce"), reduceByIndex = R("reduceByIndexSeq")}
local heavy = set("map", "reduce", "scan", "iterate", "scatter", "reduceByIndex", "mapSeq", "reduceSeq", "reduceSeqUnroll", "scanSeq", "reduceByIndexSeq", "slice")

local function apply(q, rule)
    local r = rule.run(q)
    return r and r.root ~= q.root and r or nil
end

-- Does the way up from q pass through a function of a kernel?
local function in_kernel(q)
    local up = q:up()
    while up do
        if q.slot == "f" and up.term.prim ~= "reduceHost" and up.term.prim ~= "iterate" then return true end
        q, up = up, up:up()
    end
    return false
end

-- Is what f makes too much to be made again wherever it is read?
local function is_heavy(f)
    if f.prim == "map" and f.layout_function then return base.any(f.operands, is_heavy) end
    return heavy[f.prim or ""] or base.any(f.children, is_heavy)
end

-- An array made by its indices that each element takes a loop for is a map's.
local function generated(q) return is_heavy(q.term:slot("f")) and apply(q, R("generateMap")) or nil end

-- Private arrays need constant lengths; those that only the session knows may change.
local function room(q, space)
    local n = q.term.scalars and q.term.scalars.value
    return space or in_kernel(q) and n and n <= PRIVATE_SCALARS and "private" or "global"
end
local function placed(q, space) return apply(q, room(q, space) == "private" and R("toPrivate") or R("toGlobal")) end

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
        known[t] = engine.kernels_of(nil, nest, require("lengths").kind()) ~= nil
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
    local own = spaces[init.prim or ""]
    if not own then return placed(q:go("init"), space) end
    return lacking(q:go("init"), "read") or lacking(q:go("f"), "write", own)
end

local function folded(q, mode, space)
    local t = q.term
    if not t.is_array then return below(q, {"init", "in", "f"}, "read") end
    if t.prim == "reduceHost" then return below(q, {"init", "in"}, "read") or lacking(q:go("f"), "write", "global") end
    local own = spaces[t:slot("init").prim or ""]
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
    local own = spaces[t:slot("init").prim or ""]
    if mode == "write" and own and own ~= space then return placed(q, space) end
    local r = accumulated(q, mode ~= "read" and space or nil)
    if r then return r end
    local pairs = q:go("in")
    if not writers[pairs.term.prim or ""] then return apply(pairs, pairs.term.prim == "map" and R("mapSeq") or R("copySeq")) end
    while writers[pairs.term.prim or ""] and pairs.term.rank > 1 do
        local inner = lacking(pairs:go("in"), "read")
        if inner then return inner end
        pairs = pairs:go("f")
    end
    if writers[pairs.term.prim or ""] then return below(pairs, {"in", "f"}, "read") end
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
    if loops[p] and not (p == "map" and t.layout_function) then return apply(q, loops[p]) end
    if writers[p] then
        if mode == "read" and p == "mapLocal" then return apply(q, R("toLocal")) end
        if mode == "read" and (not parallel[p] or in_kernel(q)) then return placed(q) end
        return not is_sound(q) and lacking(q:go("f"), "write", space or "global") or lacking(q:go("in"), "read")
    end
    if folds[p] then return folded(q, mode, space) end
    if scans[p] then return scanned(q, mode, space) end
    if by_index[p] then return updated(q, mode, space) end
    if p == "let" then return lacking(q:go("value"), "read") or lacking(q:go("body"), mode, space) end
    if p == "slice" then return below(q, {"from", "to", "in"}, "read") or lacking(q:go("f"), mode, space) end
    if not t.is_array then return below(q, t.slots, "read") end
    if parts[p] then return below(q, t.slots, mode, space) end
    if p == "scatter" then
        if mode == "read" then return placed(q) end
        return below(q, {"dest", "in"}, mode, space) or lacking(q:go("index"), "read")
    end
    if p == "if" then
        if mode == "read" and not (t:slot("then").is_layout and t:slot("else").is_layout) then return placed(q) end
        local apart = not in_kernel(q) and base.any(base.keys(parallel), function(name) return t:contains(name) end)      -- kernels of their own make the arms first
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

-- c with all that it lacks. kept: what makes kernels by itself stays as it is.
local function complete(c, kept)
    whole, known = {}, kept and {} or nil
    local r = lacking(c, "write", "global")
    while r do
        c = r:at(c)
        r = lacking(c, "write", "global")
    end
    return c
end

return {complete = complete, generated = generated}

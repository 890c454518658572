-- explore: the structures of a program: what the macro rules make of it, mapped to a device, with free parameters; how many
-- variants each stage had, and why it rejected the others.

local engine = engine
local search = engine.search

-- structures: a lowered program with free parameters; its version and its space are made when they are asked for

local Structure = {}

local made = {
    -- Made as a user would make it, with all inner steps; it is the light one, or something here is wrong.
    version = function(s)
        local v, why = s.from:try(s.derivation)
        if not v then error(why, 0) end
        if v.hash ~= s.light.hash then error("the derivation of " .. s.label .. " gives another term than its exploration", 0) end
        return v
    end,
    space = function(s)
        local space, why = s.light:space({limits = s.limits})
        if not space then error(why, 0) end
        return space
    end,
}

function Structure.__index(s, key)
    if not made[key] then return nil end
    local value = made[key](s)
    rawset(s, key, value)
    return value
end
function Structure.__tostring(s) return s.label .. "  " .. s.derivation end

-- A name that stays when other structures come or go: the program's, and a few digits for the derivation.
local function label_of(program, derivation, taken)
    local digest, n = engine.digest(derivation), 4
    while taken[program .. "/" .. digest:sub(1, n)] do n = n + 1 end
    local label = program .. "/" .. digest:sub(1, n)
    taken[label] = true
    return label
end

local function finish(e, v)
    local taken = {}
    for k, s in ipairs(e.structures) do
        s.k, s.from, s.limits, s.device = k, v, e.limits, e.device
        s.derivation = table.concat(s.calls, " * ")
        s.label = label_of(v.program, s.derivation, taken)
        setmetatable(s, Structure)
    end
end

local methods = {}
local Exploration = {__index = methods}

local function rejected(e)
    local n = {}
    for _, entry in ipairs(e.algorithms) do
        if entry.reason then n[entry.reason] = (n[entry.reason] or 0) + 1 end
    end
    return n
end

local function sorted(reasons)
    local list = {}
    for reason, n in pairs(reasons) do list[#list + 1] = {reason = reason, count = n} end
    table.sort(list, function(a, b) return a.count > b.count or a.count == b.count and a.reason < b.reason end)
    return list
end

-- The stages with what is left after each, and what each rejected by reason. points: candidates, for the last stage.
function methods.funnel(e, points)
    local c, stages, left = e.counts, {}, e.counts.distinct
    local function stage(name, n, reasons) stages[#stages + 1] = {stage = name, left = n, rejected = reasons or {}} end
    stage("macro rules at all places", left, {{reason = "does not apply", count = c.attempts - c.reached},
                                              {reason = "the same up to parameters", count = c.reached - c.distinct + 1 - c.cut}})
    local by = rejected(e)
    for _, reason in ipairs(search.reasons) do
        left = left - (by[reason] or 0)
        stage(reason, left, {{reason = reason, count = by[reason] or 0}})
    end
    stage("mapping and memory", #e.structures, sorted(e.reasons))
    if points then stage("parameters", points.count) end
    return stages
end

local function run_stages(e, v, c)
    local seen = {}
    engine.unfuelled()
    e.algorithms, e.counts = search.algorithms(c)
    for _, entry in ipairs(e.algorithms) do
        local mapped = entry.reason and {} or search.mapped(entry, e.device, seen, e.reasons)
        entry.structures = #mapped
        for _, s in ipairs(mapped) do
            s.light, s.cursor = engine.beside(v, s.cursor, "structure"), nil
            e.structures[#e.structures + 1] = s
        end
        entry.cursor = nil
    end
end

-- explore(version, options): the structures of a version for a device and how many others there were, and why not.
function search.explore(v, options)
    local device = options and options.device or "gpu"
    local e = {structures = {}, reasons = {}, device = device, limits = options and options.limits or search.profiles[device]}
    local ok, why = engine.rewritten(v, engine.new("explore", function(c)
        run_stages(e, v, c)
        return c
    end), nil, false)
    if not ok then return nil, why end
    finish(e, v)
    return setmetatable(e, Exploration)
end

search.generate_ = engine.generate
engine.name("search", "", "searching: heuristics, macro rules, schemes and strategies as data", "value", search)

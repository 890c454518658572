-- explore: the structures of a program: what the macro rules make of it, mapped to a device, with free parameters; how many
-- variants each stage had, and why it rejected the others.

local engine, base, shapes, search = require "engine", require "base", require "shapes", require "structures"
require "presets"
require "constraints"

-- structures: a lowered program with free parameters; its version is made when it is asked for

local Structure = {}

-- The version is made as a user would make it, with all inner steps; it is the light one, or something here is wrong.
function Structure.__index(s, key)
    if key ~= "version" then return nil end
    local v, why = s.from:try(s.derivation)
    if not v then error(why, 0) end
    if v.hash ~= s.light.hash then error("the derivation of " .. s.label .. " gives another term now", 0) end
    s.version = v
    return v
end
function Structure.__tostring(s) return s.label .. "  " .. s.derivation end

-- A name that stays when other structures come or go: the program's, and a few digits for the derivation.
function search.label_of(program, derivation, taken)
    local digest, n = engine.digest(derivation), 4
    while taken[digest:sub(1, n)] do n = n + 1 end
    taken[digest:sub(1, n)] = true
    return program .. "/" .. digest:sub(1, n)
end

local function finish(e, v)
    local taken = {}
    for _, s in ipairs(e.mapped) do
        s.from, s.device, s.derivation = v, e.device, table.concat(s.calls, " * ")
        s.label = search.label_of(v.program, s.derivation, taken)
        setmetatable(s, Structure)
    end
end

search.Exploration = {}              -- the metatable of explorations (funnel.lua)

-- The message of a failure of the kernel generator without what differs from point to point.
function search.without_place(message) return (message:gsub(" at /%S*", ""):gsub("^%S*_k%d+:? ", "")) end

function search.in_short(why)
    local message = search.without_place(why.message)
    return why.id .. " " .. (#message > 60 and message:sub(1, 57) .. "..." or message)
end

-- Reasons by their counts as {{reason =, count =}, ...}, the most frequent first.
function search.by_count(reasons)
    local list = {}
    for reason, n in next, reasons do
        if n > 0 then list[#list + 1] = {reason = reason, count = n} end
    end
    table.sort(list, function(a, b) return a.count > b.count or a.count == b.count and a.reason < b.reason end)
    return list
end

local function add_mapped(e, v, entry, list)
    entry.structures = (entry.structures or 0) + #list
    for _, s in ipairs(list) do
        s.light, s.cursor, s.entry = engine.beside(v, s.cursor, "structure"), nil, entry
        e.mapped[#e.mapped + 1] = s
    end
end

-- What lower makes of the program, and what is one step beside that: another shape for a nest, another value of an option. For the
-- kind of device that lower would lower for.
local function by_shape(e, c, seen)
    local list = {}
    local function add(wanted, r)
        local key = r and engine.is_lowered(r.root) and engine.canonical(r.root)
        if not key or seen[key] then return end
        seen[key] = true
        list[#list + 1] = {cursor = r, calls = {shapes.call_of(wanted)}, scheme = "shapes of nests, as lower gives them"}
    end
    if engine.hint("gpu") ~= (e.device == "gpu") then return list end
    local way = shapes.whole(c)
    add({}, shapes.made(c, {}, way))
    for _, wanted in ipairs(shapes.steps(c, {}, way)) do add(wanted, shapes.made(c, wanted, way)) end
    return list
end

local function run_stages(e, v, c)
    local seen = {}
    engine.unfuelled()
    e.algorithms, e.counts = search.algorithms(c)
    for _, entry in ipairs(e.algorithms) do
        add_mapped(e, v, entry, entry.reason and {} or search.mapped(entry, e.device, seen, e.reasons))
    end
    if not engine.is_lowered(c.root) then add_mapped(e, v, e.algorithms[1], by_shape(e, c, seen)) end
    for _, entry in ipairs(e.algorithms) do entry.cursor = nil end
end

-- What rejects the last points of a space.
local function last_reason(space)
    for _, row in ipairs(space:funnel()) do
        if row.after == 0 then return row.reason .. ": " .. row.text end
    end
end

-- Why a structure is left out: it has no space or no legal point, or the one in the middle gives no kernel. nil: it stays.
local function left_out(e, s)
    local space, why = search.space_of(s.light, {limits = e.limits})
    if not space then
        s.reason, s.text = search.in_short(why), tostring(why)
        return s.reason
    end
    s.space = space
    if space.count == 0 then
        s.reason, s.text = "no legal point", "no values for its parameters keep all limits: " .. last_reason(space)
    elseif search.heuristics.plan then
        local made, why = engine.generate(s.light, space:at((space.count + 1) // 2), e.device == "gpu", e.limits.max_group)
        if not made then s.reason, s.text = search.in_short(why), tostring(why) end
    end
    return s.reason
end

-- Has s, which makes no kernel, memory now for arrays that its scheme left without any?
local function completed(s)
    local v = s.text and s.text:match("E52") and s.light:try("memoryWhereNeeded")
    if not v or v.hash == s.light.hash then return false end
    s.light, s.calls, s.reason, s.text = v, search.with_call(s.calls, "memoryWhereNeeded"), nil, nil
    s.derivation = table.concat(s.calls, " * ")
    return true
end

-- The structures that stay: those with points, which are kernels.
local function sized(e, from)
    for i = from, #e.mapped do
        local s = e.mapped[i]
        local reason = left_out(e, s)
        if reason and completed(s) then reason = left_out(e, s) end
        if reason then e.left_out[reason] = (e.left_out[reason] or 0) + 1
        else e.structures[#e.structures + 1] = s end
    end
    for k, s in ipairs(e.structures) do s.k = k end
end

-- The limits of a kind of device: those of the device that is selected, if one is, else of such a device (of a CPU so much as stays in a
-- core's second cache); what is reasonable.
function search.limits_of(device, given)
    local own, name = engine.limits()
    local profile = search.profiles[device]
    if name and engine.on_gpu() ~= (device == "gpu") then name = nil end       -- another kind than is asked for
    local target = engine.target(device)
    local such = {max_group = target.max_group, max_local2 = target.max_local2, local_bytes = target.l2 and target.l2 // 2 or target.group_local}
    return base.merged(name and own or such, profile.limits, given), name
end

-- in_a_run(version, f): f(cursor at its root), where strategies can be tried; true, or nil and a failure.
function search.in_a_run(v, f)
    return engine.rewritten(v, base.new("explore", function(c)
        f(c)
        return c
    end), nil, false)
end

-- explore(version, {device = "gpu" or "cpu", limits = {...}}): the structures of a version for a device, how
-- many others there were and why not.
function search.explore(v, options)
    local device = options and options.device or "gpu"
    local e = {structures = {}, mapped = {}, reasons = {}, left_out = {}, device = device, version = v}
    e.limits, e.on = search.limits_of(device, options and options.limits)
    local ok, why = search.in_a_run(v, function(c) run_stages(e, v, c) end)
    if not ok then return nil, why end
    finish(e, v)
    sized(e, 1)
    if #e.structures == 0 then       -- nothing fits: the default lowering
        local from = #e.mapped + 1
        search.in_a_run(v, function(c)
            local entry = {cursor = c, calls = {}}
            add_mapped(e, v, e.algorithms[1], search.mapped(entry, e.device, {}, e.reasons, search.fallback))
        end)
        finish(e, v)
        sized(e, from)
    end
    return setmetatable(e, search.Exploration)
end

-- kernel(version, values, device): what is generated for it, {digest =, bytes =, kernels =, source =}; or nil and a failure.
function search.kernel(v, values, device)
    return engine.generate(v, values or {}, device == "gpu", search.limits_of(device or "gpu").max_group, true)
end

return search

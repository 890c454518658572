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
    for _, s in ipairs(e.mapped) do
        s.from, s.limits, s.device = v, e.limits, e.device
        s.derivation = table.concat(s.calls, " * ")
        s.label = label_of(v.program, s.derivation, taken)
        setmetatable(s, Structure)
    end
end

-- A failure of the kernel generator without what differs from point to point.
local function in_short(why)
    local message = why.message:gsub(" at /%S+", ""):gsub("^%S*_k%d+:? ", "")
    return why.id .. " " .. (#message > 60 and message:sub(1, 57) .. "..." or message)
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

-- How many combinations of values each limit rejects, over all structures; and how many there were before.
local function of_points(e)
    local by, before = {}, 0
    for _, s in ipairs(e.structures) do
        before = before + s.space.count
        for _, row in ipairs(s.space:funnel()) do
            if row.count then by[row.reason], before = (by[row.reason] or 0) + row.count, before + row.count end
        end
    end
    return sorted(by), before
end

-- The stages in order: {stage =, left = how many it leaves, unit =, rejected = {{reason =, count =}, ...}}.
function methods.funnel(e)
    local c, stages, left = e.counts, {}, e.counts.distinct
    local function stage(name, n, unit, rejected) stages[#stages + 1] = {stage = name, left = n, unit = unit, rejected = rejected} end
    local limits = search.heuristics
    local at_most = {["nesting depth"] = limits.depth, ["add-mul distance"] = limits.distance}
    stage("macro rules at all places", left, "terms", {{reason = "the same up to names of parameters", count = c.reached - c.distinct + 1 - c.cut},
                                                       {reason = "over the limit of terms", count = c.cut}})
    local by = rejected(e)
    for _, reason in ipairs(search.reasons) do
        left = left - (by[reason] or 0)
        local name = at_most[reason] and reason .. " <= " .. at_most[reason] or reason
        stage(name, left, "terms", {{reason = reason, count = by[reason] or 0}})
    end
    stage("mapping and memory", #e.mapped, "programs", sorted(e.reasons))
    if e.unsized then return stages end
    stage("kernels for a legal point", #e.structures, "programs", sorted(e.left_out))
    local reasons, before = of_points(e)
    local points = 0
    for _, s in ipairs(e.structures) do points = points + s.space.count end
    stage("parameters", points, "kernels", reasons)
    return stages, before
end

-- Why a structure or an algorithmic variant is there or not: by its label, its derivation or its number among the variants.
function methods.why(e, what)
    for k, entry in ipairs(e.algorithms) do
        local text = table.concat(entry.calls, " * ")
        if what == k or what == text then
            return (text == "" and "the program as it is" or text) .. "\n  " ..
                (entry.reason and "rejected: " .. entry.reason .. ": " .. entry.text or "kept; " .. entry.structures .. " programs are made of it")
        end
    end
    for _, s in ipairs(e.mapped) do
        if what == s.label or what == s.derivation then
            return tostring(s) .. "\n  " .. (s.reason and "rejected: " .. s.text or "kept: " .. s.scheme .. ", " .. s.space.count .. " points")
        end
    end
    return nil, "no structure and no variant is called " .. tostring(what)
end

local function add_mapped(e, v, entry, list)
    entry.structures = #list
    for _, s in ipairs(list) do
        s.light, s.cursor, s.entry = engine.beside(v, s.cursor, "structure"), nil, entry
        e.mapped[#e.mapped + 1] = s
    end
end

local function run_stages(e, v, c)
    local seen = {}
    engine.unfuelled()
    e.algorithms, e.counts = search.algorithms(c)
    for _, entry in ipairs(e.algorithms) do
        add_mapped(e, v, entry, entry.reason and {} or search.mapped(entry, e.device, seen, e.reasons))
    end
    for _, entry in ipairs(e.algorithms) do entry.cursor = nil end
end

-- Why a structure is left out: it has no legal point, or the one in the middle gives no kernel. nil: it stays.
local function left_out(e, s)
    local space = s.space
    if space.count == 0 then
        s.reason, s.text = "no legal point", "no values for its parameters keep all limits"
    elseif search.heuristics.plan then
        local made, why = engine.generate(s.light, space:at((space.count + 1) // 2), e.device == "gpu", e.limits.max_group)
        if not made then s.reason, s.text = in_short(why), tostring(why) end
    end
    return s.reason
end

-- The spaces, where sizes are known; e.unsized: why they are not.
local function sized(e, from)
    for i = from, #e.mapped do
        local s = e.mapped[i]
        local ok, why = pcall(function() return s.space.count end)
        if not ok then
            e.unsized, e.structures = why, e.mapped
            return
        end
        local reason = left_out(e, s)
        if reason then e.left_out[reason] = (e.left_out[reason] or 0) + 1
        else e.structures[#e.structures + 1] = s end
    end
    for k, s in ipairs(e.structures) do s.k = k end
end

-- The limits of a kind of device: those of the device that is selected, if one is, else of the profile; and what is reasonable.
local function limits_of(device, given)
    local _, own, name = engine.limits()
    local profile, limits = search.profiles[device], {}
    if name and engine.on_gpu() ~= (device == "gpu") then name = nil end       -- another kind than is asked for
    for _, list in ipairs({name and own or profile.device, profile.limits, given or {}}) do
        for limit, value in pairs(list) do limits[limit] = value end
    end
    return limits, name
end

local function in_a_run(v, f)
    return engine.rewritten(v, engine.new("explore", function(c)
        f(c)
        return c
    end), nil, false)
end

-- explore(version, {device = "gpu" or "cpu", limits = {...}}): the structures of a version for a device, how many others there were,
-- and why not.
function search.explore(v, options)
    local device = options and options.device or "gpu"
    local e = {structures = {}, mapped = {}, reasons = {}, left_out = {}, device = device, version = v}
    e.limits, e.on = limits_of(device, options and options.limits)
    local ok, why = in_a_run(v, function(c) run_stages(e, v, c) end)
    if not ok then return nil, why end
    finish(e, v)
    sized(e, 1)
    if #e.structures == 0 then       -- nothing fits: the default lowering
        local from = #e.mapped + 1
        in_a_run(v, function(c)
            local entry = {cursor = c, calls = {}}
            add_mapped(e, v, e.algorithms[1], search.mapped(entry, e.device, {}, e.reasons, search.fallback))
        end)
        finish(e, v)
        sized(e, from)
    end
    return setmetatable(e, Exploration)
end

-- What `search rules` prints.

local function with_commas(n)
    local text = tostring(n)
    repeat
        local more, k = text:gsub("^(%d+)(%d%d%d)", "%1,%2")
        text = more
    until k == 0
    return text
end

local SHOWN = 8                          -- reasons of a stage

local function stage_lines(lines, row)
    lines[#lines + 1] = string.format("%12s %-9s %s", with_commas(row.left), row.unit, row.stage)
    for k, r in ipairs(row.rejected) do
        if r.count > 0 and k <= SHOWN then
            lines[#lines + 1] = string.format("%25s%12s rejected: %s", "", with_commas(r.count), r.reason)
        end
    end
    if #row.rejected > SHOWN then lines[#lines + 1] = string.format("%38sand for %d other reasons", "", #row.rejected - SHOWN) end
end

local function write_kernel(dir, p, made)
    local name = dir .. "/" .. made.digest .. ".cl"
    local file, why = io.open(name, "w")
    if not file then engine.raise({id = "E06", message = why, notes = {{"try", "-o and a folder that exists"}}}) end
    file:write("// ", tostring(p), "\n// ", p.structure.derivation, "\n", made.source)
    file:close()
end

-- generate({count =, dir =}): the kernels of so many points, spread evenly over all of them; each written to dir as DIGEST.cl.
-- {points =, generated =, distinct =, bytes =, seconds =, failed = {{reason =, count =}, ...}}
function methods.generate(e, options)
    local c = search.union(e.structures)
    local wanted, dir = math.min(c.count, options and options.count or search.heuristics.generate), options and options.dir
    local r = {points = c.count, wanted = wanted, generated = 0, distinct = 0, bytes = 0}
    local seen, failed, start = {}, {}, os.clock()
    for i = 0, wanted - 1 do
        local p = c:at(1 + i * c.count // wanted)
        local made, why = engine.generate(p.structure.light, p.params, e.device == "gpu", e.limits.max_group, dir ~= nil)
        if not made then
            local reason = in_short(why)
            failed[reason] = (failed[reason] or 0) + 1
        else
            r.generated, r.bytes = r.generated + 1, r.bytes + made.bytes
            if not seen[made.digest] then
                seen[made.digest], r.distinct = true, r.distinct + 1
                if dir then write_kernel(dir, p, made) end
            end
        end
    end
    r.seconds, r.failed = os.clock() - start, sorted(failed)
    return r
end

-- The report of generate, as text.
function search.generated_text(r)
    local lines = {string.format("%s of %s kernels generated: %s distinct sources, %.1f MB", with_commas(r.generated), with_commas(r.points),
                                 with_commas(r.distinct), r.bytes * 1e-6)}
    if engine.setting("times") ~= "off" then
        local rate = math.floor(r.generated / math.max(r.seconds, 1e-9))
        lines[1] = lines[1] .. string.format(" in %.1f s, %s a second", r.seconds, with_commas(rate))
    end
    for _, f in ipairs(r.failed) do lines[#lines + 1] = string.format("%12s not generated: %s", with_commas(f.count), f.reason) end
    return table.concat(lines, "\n")
end

function Exploration.__tostring(e)
    local lines = {"structures of " .. e.version.program .. " for " .. (e.on or "a " .. e.device:upper())}
    for _, row in ipairs(e:funnel()) do stage_lines(lines, row) end
    local sizes = engine.default_sizes(e.version)
    if sizes then lines[#lines + 1] = "sizes by default: " .. sizes end
    if e.unsized then lines[#lines + 1] = "sizes are not set, so parameters are not counted: data N = ..." end
    return table.concat(lines, "\n")
end

-- kernel(version, values, device): what is generated for it, {digest =, bytes =, kernels =, source =}; or nil and a failure.
function search.kernel(v, values, device)
    return engine.generate(v, values or {}, device == "gpu", limits_of(device or "gpu").max_group, true)
end

-- The kind of device that is meant: as said (--set device=cpu), that of the selected device, or a GPU.
local function kind_of_device(spec)
    local said = type(spec.set) == "string" and spec.set:match("device=(%w+)") or type(spec.set) == "table" and spec.set.device
    if said and not search.profiles[said] then
        engine.raise({id = "E05", message = "a kind of device is cpu or gpu, not " .. said, notes = {}})
    end
    local _, _, selected = engine.limits()
    return said or selected and engine.on_gpu and (engine.on_gpu() and "gpu" or "cpu") or "gpu"
end

-- `search rules` without a strategy: {generate = true, o = DIR, budget = COUNT, set = "device=cpu"}. Prints the funnel; gives what it
-- says. It runs nothing and needs no device.
function engine.search_funnel(spec)
    local e, why = search.explore(assert(engine.version()), {device = kind_of_device(spec)})
    if not e then error(why, 0) end
    engine.print(tostring(e))
    local report = {what = "rules", device = e.on or e.device, funnel = e:funnel(), structures = {}}
    for k, s in ipairs(e.structures) do
        report.structures[k] = {label = s.label, scheme = s.scheme, derivation = s.derivation, points = not e.unsized and s.space.count or nil}
    end
    if not spec.generate then return report end
    if e.unsized then error(e.unsized, 0) end
    report.generated = e:generate({count = tonumber(spec.budget), dir = spec.o})
    engine.print(search.generated_text(report.generated))
    return report
end

engine.name("search", "", "searching: heuristics, macro rules, schemes and strategies as data", "value", search)

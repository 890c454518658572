-- funnel: what an exploration says of itself: how many variants each stage leaves and why it rejects the
-- others, as a table and as text; and its kernels generated.

local engine, bad, search, lists = require "engine", require("objective").bad, require "candidates", require "lists"

local methods = {}
search.Exploration.__index = methods

-- How many combinations of values each limit rejects, over all structures; and how many there were before.
local function of_points(e)
    local by, before = {}, 0
    for _, s in ipairs(e.structures) do
        before = before + s.space.count
        for _, row in ipairs(s.space:funnel()) do
            if row.count then by[row.reason], before = (by[row.reason] or 0) + row.count, before + row.count end
        end
    end
    return search.by_count(by), before
end

-- The stages in order: {stage =, left = how many it leaves, unit =, rejected = {{reason =, count =}, ...}}.
function methods.funnel(e)
    local c, stages, left = e.counts, {}, e.counts.distinct
    local function stage(name, n, unit, rejected)
        stages[#stages + 1] = {stage = name, left = n, unit = unit, rejected = rejected}
    end
    local limits = search.heuristics
    local at_most = {["nesting depth"] = limits.depth, ["add-mul distance"] = limits.distance}
    local failed = {["the same up to names of parameters"] = c.reached - c.distinct + 1 - c.cut, ["over the limit of terms"] = c.cut}
    for name, n in pairs(c.failed) do failed[name .. " fails there"] = n end
    stage("macro rules at all places, up to " .. limits.macros .. " in any order", left, "terms", search.by_count(failed))
    for _, reason in ipairs(search.reasons) do
        local n = #lists.filter(e.algorithms, function(entry) return entry.reason == reason end)
        left = left - n
        stage(at_most[reason] and reason .. " <= " .. at_most[reason] or reason, left, "terms", {{reason = reason, count = n}})
    end
    stage("mapping and memory", #e.mapped, "programs", search.by_count(e.reasons))
    stage("kernels for a legal point", #e.structures, "programs", search.by_count(e.left_out))
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
            local verdict = entry.reason and "rejected: " .. entry.reason .. ": " .. entry.text
                or "kept; " .. entry.structures .. " programs are made of it"
            return (text == "" and "the program as it is" or text) .. "\n  " .. verdict
        end
    end
    for _, s in ipairs(e.mapped) do
        if what == s.label or what == s.derivation then
            local verdict = s.reason and "rejected: " .. s.text or "kept: " .. s.scheme .. ", " .. s.space.count .. " points"
            return tostring(s) .. "\n  " .. verdict
        end
    end
    return nil, "no structure and no variant is called " .. tostring(what)
end

-- What `search rules` prints.

local function with_commas(n) return (tostring(n):reverse():gsub("(%d%d%d)", "%1,"):gsub(",$", ""):reverse()) end

local SHOWN = 8                          -- reasons of a stage

local function stage_lines(lines, row, all)
    lines[#lines + 1] = string.format("%12s %-9s %s", with_commas(row.left), row.unit, row.stage)
    local shown = (all or #row.rejected <= SHOWN + 1) and #row.rejected or SHOWN
    for k = 1, shown do
        local r = row.rejected[k]
        if r.count > 0 then lines[#lines + 1] = string.format("%25s%12s rejected: %s", "", with_commas(r.count), r.reason) end
    end
    local more = 0
    for k = shown + 1, #row.rejected do more = more + row.rejected[k].count end
    if more > 0 then
        lines[#lines + 1] = string.format("%25s%12s for %d other reasons        search rules --all", "", with_commas(more),
                                          #row.rejected - shown)
    end
end

local function write_kernel(dir, p, made)
    local name = dir .. "/" .. made.digest .. ".cl"
    local file, why = io.open(name, "w")
    if not file then engine.raise({id = "E06", message = why, notes = {{"hint", "-o and a folder that exists"}}}) end
    file:write("// ", tostring(p), "\n// ", p.structure.derivation, "\n", made.source)
    file:close()
end

-- All points, each once: first `most` that are spread evenly, then those behind each of them, and so on.
local function spread(c, most)
    return coroutine.wrap(function()
        for pass = 0, most > 0 and (c.count - 1) // most or -1 do
            for i = 0, most - 1 do
                local at = i * c.count // most + pass
                if at < (i + 1) * c.count // most then coroutine.yield(c:at(1 + at)) end
            end
        end
    end)
end

-- generate({count =, dir =}): the kernels of points spread evenly over all, until so many are distinct or twice as many points
-- were tried; each of these is written to dir as DIGEST.cl.
-- {points =, wanted =, generated =, distinct =, bytes =, seconds =, failed = {{reason =, count =}, ...}}
function methods.generate(e, options)
    local c = search.union(e.structures)
    local wanted, dir = math.min(c.count, options and options.count or search.heuristics.generate), options and options.dir
    local r = {points = c.count, wanted = wanted, generated = 0, distinct = 0, bytes = 0}
    local seen, failed, tried, start = {}, {}, 0, os.clock()
    for p in spread(c, wanted) do
        tried = tried + 1
        local made, why = engine.generate(p.structure.light, p.params, e.device == "gpu", e.limits.max_group, dir ~= nil)
        if not made then
            local reason = search.in_short(why)
            failed[reason] = (failed[reason] or 0) + 1
        else
            r.generated, r.bytes = r.generated + 1, r.bytes + made.bytes
            if not seen[made.digest] then
                seen[made.digest], r.distinct = true, r.distinct + 1
                if dir then write_kernel(dir, p, made) end
            end
        end
        if r.distinct == wanted or tried == 2 * wanted then break end
    end
    r.seconds, r.failed = os.clock() - start, search.by_count(failed)
    return r
end

-- The report of generate, as text.
function search.generated_text(r)
    local lines = {string.format("%s of %s kernels generated: %s distinct sources, %.1f MB", with_commas(r.generated),
                                 with_commas(r.points), with_commas(r.distinct), r.bytes * 1e-6)}
    if engine.setting("times") ~= "off" then
        local rate = math.floor(r.generated / math.max(r.seconds, 1e-9))
        lines[1] = lines[1] .. string.format(" in %.1f s, %s a second", r.seconds, with_commas(rate))
    end
    for _, f in ipairs(r.failed) do
        lines[#lines + 1] = string.format("%12s not generated: %s", with_commas(f.count), f.reason)
    end
    return table.concat(lines, "\n")
end

function search.Exploration.__tostring(e)
    local lines = {"structures of " .. e.version.program .. " for " .. (e.on or "a " .. e.device:upper())}
    for _, row in ipairs(e:funnel()) do stage_lines(lines, row, e.all) end
    local sizes = engine.default_sizes(e.version)
    if sizes then lines[#lines + 1] = "sizes by default: " .. sizes end
    return table.concat(lines, "\n")
end

-- What --set says under that name.
local function said(spec, name)
    local set = spec.set
    if type(set) == "string" then return ("," .. set):match("," .. name .. "=(%w+)") end
    return type(set) == "table" and set[name] or nil
end

-- The kind of device that is meant: as said (--set device=cpu), that of the selected device, or a GPU.
local function kind_of_device(spec)
    local kind = said(spec, "device")
    if kind and not search.profiles[kind] then
        bad("a kind of device is cpu or gpu, not " .. kind)
    end
    return kind or engine.target() and not engine.on_gpu() and "cpu" or "gpu"
end

local function explored(spec)
    local e, why = search.explore(assert(engine.version()), {device = kind_of_device(spec)})
    if not e then error(why, 0) end
    e.all = spec.all
    engine.print(tostring(e))
    local report = {what = "rules", device = e.on or e.device, funnel = e:funnel(), structures = lists.map(e.structures, function(s)
        return {label = s.label, scheme = s.scheme, derivation = s.derivation, points = s.space.count}
    end)}
    if not spec.generate then return report end
    report.generated = e:generate({count = tonumber(spec.budget), dir = spec.o})
    engine.print(search.generated_text(report.generated))
    return report
end

-- `search rules` without a strategy: {generate = true, o = DIR, budget = COUNT, set = "device=cpu,preset=gpgpu16"}. Prints
-- the funnel; gives what it says. It runs nothing and needs no device.
return {command = function(spec) return search.with_preset(said(spec, "preset"), explored, spec) end}

-- fuse: the command: the functions of a program, the best combinations of fusions, what is predicted of them, and what was measured.

local engine, base, planner = require "engine", require "base", require "planner"
local model, objective, tuning = require "model", require "objective", require "tuning"
local time_text = objective.time_text

local BEST = 5

-- The macro that makes the combination; nil: all functions are one fusion, which lower makes of what has no memory between them.
local function call_of(combination)
    local parts = {}
    for _, one in ipairs(combination.fusions) do
        if #one.members > 1 then parts[#parts + 1] = table.concat(one.members, " ") end
    end
    if #combination.fusions > 1 then return base.library.fuseAs(table.unpack(parts)) end
end

local function parts_text(combination)
    local parts = {}
    for i, one in ipairs(combination.fusions) do parts[i] = "(" .. table.concat(one.members, " ") .. ")" end
    return table.concat(parts, " ")
end

local function bytes_text(x)
    local units, k = {"B", "kB", "MB", "GB", "TB"}, 1
    while x >= 1000 and units[k + 1] do x, k = x / 1000, k + 1 end
    return ("%.3g %s"):format(x, units[k])
end

local function clipped(text, width)
    text = text:gsub("%s+", " ")
    return #text > width and text:sub(1, width - 2) .. ".." or text
end

local function text_of(p)
    local lines = {("%-32s %9s %9s %10s"):format("functions", "reads", "makes", "predicted")}
    for n, v in ipairs(p.functions) do
        lines[#lines + 1] = ("  #%-2d %-28s %9s %9s %10s"):format(n, clipped(v.text, 28), bytes_text(v.takes), bytes_text(v.makes),
                                                               time_text(v.ns, 3))
    end
    lines[#lines + 1] = ("%-32s %9s %9s %10s %9s"):format("combinations of " .. p.count .. " fusions", "reads", "makes", "predicted",
                                                         p.measured and "measured" or ""):gsub(" +$", "")
    for i, c in ipairs(p.combinations) do
        local measured = c.version and ("%9s  @%d"):format(c.measured and time_text(c.measured, 3) or "-", c.version.n) or ""
        lines[#lines + 1] = ("  %-3d %-27s %9s %9s %10s %s"):format(i, clipped(parts_text(c), 27), bytes_text(c.takes), bytes_text(c.makes),
                                                                time_text(c.ns, 3), measured):gsub(" +$", "")
    end
    return table.concat(lines, "\n")
end

local function report_of(p)
    local report = {kind = p.kind, fusions = p.count, functions = setmetatable({}, {__list = true}),
                    combinations = setmetatable({}, {__list = true})}
    for n, v in ipairs(p.functions) do
        report.functions[n] = {place = v.place, term = v.text, reads = v.takes, makes = v.makes, predicted_ns = v.ns}
    end
    for i, c in ipairs(p.combinations) do
        local call = call_of(c)
        report.combinations[i] = {parts = parts_text(c), rule = call and tostring(call), reads = c.takes, makes = c.makes,
                                  predicted_ns = c.ns, ns = c.measured, version = c.version and c.version.n}
    end
    return report
end

-- A version of each combination, measured in turns; the fastest is the current one then.
local function measure(v, p)
    local list = {}
    for i, c in ipairs(p.combinations) do
        local call = call_of(c)
        local w = call and engine.rewritten(v, call, nil, false) or v
        local lowered, why = engine.rewritten(w, call and "lower" or base.library.lowerFused, nil, true)
        if not lowered then engine.raise(why) end
        c.version = engine.twin(lowered) or lowered:keep()
        list[i] = {version = c.version}
    end
    local failed, best = tuning.measure(list), nil
    if failed then engine.raise(failed) end
    for i, c in ipairs(p.combinations) do
        c.measured = list[i].ns
        if c.measured and (not best or c.measured < best.measured) then best = c end
    end
    p.measured = true
    return best
end

-- fuse [--best K] [--limit K] [--measure]
local function command(spec)
    local v, p = assert(engine.version()), nil
    local made, why = engine.rewritten(v, base.new("fuse", function(c)
        engine.unfuelled()
        p = planner.plan(c, spec.best or BEST, spec.limit)
        return c
    end), nil, false)
    if not made then engine.raise(why) end
    local sizes = not p and engine.default_sizes(v)
    if sizes then
        engine.raise({id = "E37", message = "what shares a kernel depends on sizes that are not set", notes = {{"try", "data " .. sizes}}})
    elseif not p then
        engine.raise({id = "E05", message = "there are no functions here that could share a kernel",
                      notes = {{"needs", "maps over instances that make small arrays of them, and maps of what they make"}}})
    end
    local best = spec.measure and measure(v, p)
    engine.print(text_of(p))
    if best then
        local text, failed = engine.command("goto", {{text = "@" .. best.version.n}})
        if not text then engine.raise(failed) end
        engine.print(("fused to @%d   %s"):format(best.version.n, parts_text(best)))
    end
    return report_of(p)
end

return {command = command}

-- problem: what others want tuned, as T1 says it (Kernel Tuner, KTT; `export t1` writes it): parameters, conditions, kernel. Its points
-- are counted; they are not run, for lathe times and verifies what it generates.

local engine, bad, lists = require "engine", require("objective").bad, require "lists"
local python = require "python"
local map, say = lists.map, lists.say

local M = {}

local function refuse(file, what) bad(file .. ": " .. what, {{"needs", "T1 1.0.0, as `export t1`, Kernel Tuner and KTT write it"}}) end

-- "[16, 32]", "list(range(32, 257, 32))", or a list: its values
local function values_of(file, p)
    if type(p.Values) == "table" then return p.Values end
    local text = tostring(p.Values)
    local f, why = python.expression(text)
    local ok, list = engine.pcall(f or error, f and {} or why, 0)
    if not ok then refuse(file, ("values of %s, %s: %s"):format(p.Name, text, list)) end
    if type(list) ~= "table" then refuse(file, "values of " .. tostring(p.Name) .. " are a list, not " .. text) end
    return list
end

-- A condition as a function of a point.
local function condition_of(file, c)
    local text = tostring(c.Expression)
    local f, names = python.expression(text)
    if not f then refuse(file, "condition " .. text .. " " .. names) end
    return {text = text, count = 0, names = names, holds = function(point)
        local ok, value = engine.pcall(f, point)
        if not ok then refuse(file, "condition " .. text .. " has no value: " .. value) end
        return python.truth(value)
    end}
end

-- For each parameter the conditions that are decided once it has a value; what one rejects there is counted with all that follows.
local function count_points(parameters, conditions)
    local due, rest, point, known = {}, {}, {}, {}
    for i = #parameters, 1, -1 do
        due[i], rest[i] = {}, (rest[i + 1] or 1) * (parameters[i + 1] and #parameters[i + 1].values or 1)
        known[parameters[i].name] = i
    end
    for _, c in ipairs(conditions) do
        local last = 1
        for _, name in ipairs(c.names) do last = math.max(last, known[name] or #parameters) end
        table.insert(due[last] or {}, c)
    end
    local function below(i)
        if i > #parameters then return 1 end
        local count = 0
        for _, value in ipairs(parameters[i].values) do
            point[parameters[i].name] = value
            local legal = true
            for _, c in ipairs(due[i]) do
                if legal and not c.holds(point) then legal, c.count = false, c.count + rest[i] end
            end
            if legal and not engine.stopping() then count = count + below(i + 1) end
        end
        point[parameters[i].name] = nil
        return count
    end
    return below(1)
end

-- {file =, t1 = the object, source = of its kernel, nil: it is not there}
function M.show(problem, listed)
    local file, space, kernel = problem.file, problem.t1.ConfigurationSpace, problem.t1.KernelSpecification or {}
    for _, list in ipairs({space.TuningParameters or {}, space.Conditions or {}, kernel.Arguments or {}}) do
        for _, one in ipairs(type(list) == "table" and list or {0}) do
            if type(one) ~= "table" then refuse(file, "parameters, conditions and arguments are lists of objects") end
        end
    end
    local parameters = map(space.TuningParameters or {}, function(p) return {name = tostring(p.Name), values = values_of(file, p)} end)
    if #parameters == 0 then refuse(file, "it has no tuning parameter") end
    local conditions = map(space.Conditions or {}, function(c) return condition_of(file, c) end)
    local count = count_points(parameters, conditions)
    say("space of %s in %s   %s", kernel.KernelName or "a kernel", file, lists.count(count, "point"))
    for _, p in ipairs(parameters) do say("  %-14s %4d value%s   %s", p.name, #p.values, #p.values == 1 and " " or "s", listed(p.values)) end
    for _, c in ipairs(conditions) do say("  rejected %8d   %s", c.count, c.text) end
    local lines = problem.source and select(2, problem.source:gsub("\n", "\n")) or nil
    say("  kernel   %s, %s%s", kernel.Language or "OpenCL", kernel.KernelFile or "-", lines and (", %d lines"):format(lines) or " (not there)")
    for _, a in ipairs(kernel.Arguments or {}) do
        say("  argument %s: %s %s of %s, %s", a.Name or "?", a.MemoryType or "", a.Type or "", tostring(a.Size or "?"), a.AccessType or "")
    end
    engine.print("  it is not run here, for lathe runs what it generates; what was tuned elsewhere: results --import FILE.json (T4)")
    return {what = "t1", points = count, parameters = parameters,
            rejected = lists.json(map(conditions, function(c) return {reason = "condition", count = c.count, text = c.text} end)), kernel = kernel.KernelName,
            language = kernel.Language, source = problem.source}
end

return M

-- objective: what a search asks of a trial, as data that a user can see and add to: `lua
-- search.objectives.steady = {doc = "little scatter", unit = "%", cost = function(trial) return 100 *
-- trial.iqr_ns / trial.ns end}`.

local engine, base, search = require "engine", require "base", require "heuristics"

local M = {}

function M.bad(message, notes) engine.raise({id = "E05", message = message, notes = notes or {}}) end

-- By name: doc; cost(trial), a positive number, the smaller the better (nil: it has none); larger: what is
-- shown is 1 / cost, so the larger the better; unit: of what is shown, "ns" being written as ns, us, ms or s;
-- lacking: why no trial has one.
search.objectives = {
    time = {doc = "median time", unit = "ns", cost = function(trial) return trial.ns end},
    min = {doc = "shortest time", unit = "ns", cost = function(trial) return trial.min_ns end},
    gflops = {doc = "floating-point operations of the program a second", unit = "GFLOP/s", larger = true,
              lacking = "the program has no floating-point operations that could be counted",
              cost = function(trial) return trial.flops and trial.ns / trial.flops end},
    gbps = {doc = "bytes of inputs and output, once each, a second", unit = "GB/s", larger = true,
            cost = function(trial) return trial.bytes and trial.ns / trial.bytes end},
}

-- A text on one line, of at most that many bytes.
function M.clipped(text, width)
    text = text:gsub("%s+", " ")
    return #text > width and text:sub(1, width - 2) .. ".." or text
end

-- A time with so many digits (4).
function M.time_text(ns, digits)
    local units, k = {"ns", "us", "ms", "s"}, 1
    while ns >= 1e3 ^ k and k < 4 do k = k + 1 end
    return ("%." .. (digits or 4) .. "g %s"):format(ns / 1e3 ^ (k - 1), units[k])
end

local Objective = {}
Objective.__index = Objective

-- What a trial costs, the smaller the better: one that is not ok, or was not timed, more than any other.
function Objective.cost(o, trial)
    if not trial.ok or not trial.ns then return math.huge end
    local cost = o.rule.cost(trial)
    if type(cost) ~= "number" or cost ~= cost then
        M.bad("-o " .. o.name .. ": " .. (o.rule.lacking or "its cost is no number"), {{"hint", "-o time"}})
    end
    return math.max(cost, 1e-300)
end

-- Is a bound of that side (< or >) one of good enough?
function Objective.takes(o, side) return o.rule.unit ~= "ns" and side == (o.rule.larger and ">" or "<") end
-- As it is shown: a number, and with its unit.
function Objective.value(o, cost) return o.rule.larger and 1 / cost or cost end
function Objective.text(o, cost)
    if o.rule.unit == "ns" then return M.time_text(cost) end
    return string.format("%.4g %s", o:value(cost), o.rule.unit or "")
end

-- The objective called so; nil: time.
function M.named(name)
    local rule = search.objectives[name or "time"]
    if rule then return setmetatable({name = name or "time", rule = rule}, Objective) end
    local notes = {}
    for i, known in ipairs(base.keys(search.objectives)) do
        notes[i] = {i == 1 and "has" or "", known .. ": " .. (search.objectives[known].doc or "")}
    end
    M.bad('no objective "' .. tostring(name) .. '"', notes)
end

return M

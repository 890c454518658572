-- listed: a space of listed points: for versions that have no space of their own, and for recordings.

local base, search, map = require "base", require "heuristics", require("lists").map

local Listed = {}
Listed.__index = Listed

local function key_of(names, params) return table.concat(map(names, function(name) return tostring(params[name]) end), " ") end

-- "s0=32 s1=4"
function search.values_text(params)
    return table.concat(map(base.keys(params, base.shorter), function(name) return name .. "=" .. params[name] end), " ")
end

-- points: a list of {s0 = 32, ...}, all with these names
function search.listed_space(names, points)
    local s = setmetatable({names = names, count = #points, points = points, numbers = {}, neighbours = {}}, Listed)
    for k, p in ipairs(points) do s.numbers[key_of(names, p)] = k end
    return s
end

function Listed.at(s, k) return base.merged(s.points[k]) end

function Listed.index(s, params) return s.numbers[key_of(s.names, params)] end

function Listed.values(s, name, fixed)
    local seen, list = {}, {}
    for _, p in ipairs(s.points) do
        local fits = not seen[p[name]]
        for other, value in next, fixed or {} do fits = fits and (other == name or p[other] == value) end
        if fits then seen[p[name]], list[#list + 1] = true, p[name] end
    end
    table.sort(list)
    return list
end

-- The nearest points that differ in each parameter, above and below: in as few others as can be.
local function neighbours(s, params)
    local list, seen = {}, {}
    for _, name in ipairs(s.names) do
        local best = {}
        for k, p in ipairs(s.points) do
            local step, changed = p[name] - params[name], 0
            for _, other in ipairs(step ~= 0 and s.names or {}) do changed = changed + (p[other] ~= params[other] and 1 or 0) end
            local side = step > 0 and 1 or 2
            local old, far = best[side], math.abs(step)
            if step ~= 0 and (not old or changed < old.changed or changed == old.changed and far < old.far) then
                best[side] = {k = k, changed = changed, far = far}
            end
        end
        for side = 1, 2 do
            local k = best[side] and best[side].k
            if k and not seen[k] then seen[k], list[#list + 1] = true, k end
        end
    end
    return list
end

function Listed.near(s, params)
    local key = key_of(s.names, params)
    s.neighbours[key] = s.neighbours[key] or neighbours(s, params)
    return map(s.neighbours[key], function(k) return s:at(k) end)
end

function Listed.funnel(s) return {{reason = "listed", count = s.count, text = "points given"}} end

return search

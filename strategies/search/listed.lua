-- listed: a space of listed points: for versions that have no space of their own, and for recordings.

local base, search, lists = require "base", require "heuristics", require "lists"
local map, filter = lists.map, lists.filter

local Listed = {}
Listed.__index = Listed

local function key_of(names, params) return table.concat(map(names, function(name) return tostring(params[name]) end), " ") end

-- "s0=32 s1=4"
function search.values_text(params)
    return table.concat(map(base.keys(params, base.shorter), function(name) return name .. "=" .. params[name] end), " ")
end

-- Numbers in their order, then words.
local function before(a, b)
    if type(a) ~= type(b) then return type(a) == "number" end
    return a < b
end

-- points: a list of {s0 = 32, ...}, all with these names
function search.listed_space(names, points)
    local s = setmetatable({names = names, count = #points, points = points, numbers = {}, groups = {}, ranks = {}, tops = {}, neighbours = {}}, Listed)
    for k, p in ipairs(points) do s.numbers[key_of(names, p)] = k end
    for _, name in ipairs(names) do
        s.ranks[name] = {}
        for rank, value in ipairs(s:values(name, {})) do s.ranks[name][value], s.tops[name] = rank, rank end
    end
    return s
end

function Listed.at(s, k) return base.merged(s.points[k]) end

function Listed.index(s, params) return s.numbers[key_of(s.names, params)] end

-- The numbers of the points that agree with params in these names.
local function agreeing(s, names, params)
    local by = table.concat(names, " ")
    local groups = s.groups[by]
    if not groups then
        groups = {}
        for k, p in ipairs(s.points) do
            local key = key_of(names, p)
            groups[key] = groups[key] or {}
            table.insert(groups[key], k)
        end
        s.groups[by] = groups
    end
    return groups[key_of(names, params)] or {}
end

function Listed.values(s, name, fixed)
    local seen, list = {}, {}
    for _, k in ipairs(agreeing(s, filter(s.names, function(other) return other ~= name and fixed and fixed[other] ~= nil end), fixed)) do
        local value = s.points[k][name]
        if not seen[value] then seen[value], list[#list + 1] = true, value end
    end
    table.sort(list, before)
    return list
end

-- Calls look with lists of points in which all are that differ in name and in so many parameters in all. Such lists are kept for up to two,
-- which nearly all neighbours are found with; beyond they would be too many.
local function differing(s, params, name, changed, look)
    for _, another in ipairs(changed == 2 and s.names or {name}) do
        if changed > 2 then look(agreeing(s, {}, params))
        elseif changed == 1 or another ~= name then
            look(agreeing(s, filter(s.names, function(other) return other ~= name and other ~= another end), params))
        end
    end
end

-- The nearest points that differ in each parameter, above and below: in as few others as can be.
local function neighbours(s, params)
    local list, seen = {}, {}
    for _, name in ipairs(s.names) do
        local best, ranks = {}, s.ranks[name]
        local rank, top = ranks[params[name]], s.tops[name]
        local function look(numbers)
            for _, k in ipairs(numbers) do
                local p, changed = s.points[k], 0
                local step = ranks[p[name]] - rank
                for _, other in ipairs(step ~= 0 and s.names or {}) do changed = changed + (p[other] ~= params[other] and 1 or 0) end
                local side = step > 0 and 1 or 2
                local one, old = {k = k, changed = changed, far = math.abs(step)}, best[side]
                local nearer = not old or changed < old.changed or changed == old.changed and (one.far < old.far or one.far == old.far and k < old.k)
                if step ~= 0 and nearer then best[side] = one end
            end
        end
        for changed = 1, math.min(3, #s.names) do
            if not best[1] and rank < top or not best[2] and rank > 1 then differing(s, params, name, changed, look) end
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

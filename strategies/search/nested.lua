-- nested: GATLAS's nested scheme, a simple expectation maximisation: parameters fall into two groups; with
-- one fixed the other is searched through, then the other way round, until nothing gets better; then from
-- another point. The first group is the parameters that make up the blocking, the other what chooses a structure (search --call), or the
-- last `inner` parameters. From a point where nothing runs it goes on with the next.

local base = require "base"

local MOST = 4096                        -- combinations that are looked at in order; of more, some at random

-- All legal values of these parameters one after another, the others being p's: a list of points' parameters; nil: there are too many.
local function in_order(p, fixed, free)
    local space, list = p.structure.space, {p.params}
    for i, name in ipairs(free) do
        local more = {}
        for _, params in ipairs(list) do
            local given = {}
            for _, other in ipairs(fixed) do given[other] = params[other] end
            for k = 1, i - 1 do given[free[k]] = params[free[k]] end
            for _, value in ipairs(space:values(name, given)) do more[#more + 1] = base.merged(params, {[name] = value}) end
            if #more > MOST then return nil end
        end
        list = more
    end
    return list
end

-- One of them at random.
local function at_random(run, p, fixed, free)
    local q, given = base.merged(p.params), {}
    for _, other in ipairs(fixed) do given[other] = q[other] end
    for _, name in ipairs(free) do
        local values = p.structure.space:values(name, given)
        if #values == 0 then return nil end
        q[name] = values[run:random(#values)]
        given[name] = q[name]
    end
    return q
end

-- Points of p's structure that agree with p in the fixed parameters, at most `most` at random.
local function others(run, p, fixed, free, most)
    local points, list = {}, in_order(p, fixed, free)
    local draw = list and run:shuffled(#list)
    for i = 1, list and math.min(most, #list) or most do
        local q = not list and at_random(run, p, fixed, free) or list and list[#list > most and draw() or i]
        local point = q and run.points:point(p.structure, q)
        if point then points[#points + 1] = point end
    end
    return points
end

local function phase(run, p, cost, fixed, free, most)
    local list = others(run, p, fixed, free, most)
    local best = p
    for i, trial in ipairs(run:try(list)) do
        if trial.cost < cost then best, cost = list[i], trial.cost end
    end
    return best, cost
end

require("run").strategy("nested", "GATLAS's nested scheme: one group of parameters while the other is fixed, in turns",
                               {inner = 1, most = 64, restarts = 1000000}, function(run, options)
    local draw = run:shuffled(run.points.count)
    for _ = 0, options.restarts do
        local k = draw()
        if not k then return end
        local p = run.points:at(k)
        local cost = run:try(p).cost
        local outer, inner = {}, {}
        local names, space = p.structure.space.names, p.structure.space
        local listed = type(space) == "table" and space.choices           -- of a call; else the engine's
        local chosen = listed and #listed or options.inner
        for i, name in ipairs(names) do table.insert(#names > 1 and i > #names - chosen and inner or outer, name) end
        repeat
            local before = cost
            p, cost = phase(run, p, cost, inner, outer, options.most)
            if #inner > 0 then p, cost = phase(run, p, cost, outer, inner, options.most) end
        until cost >= before
    end
end)

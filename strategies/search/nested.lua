-- nested: GATLAS's nested scheme, a simple expectation maximisation: parameters fall into two groups; with
-- one fixed the other is searched through, then the other way round, until nothing gets better; then from
-- another point. The first group is the parameters that make up the blocking (all but the last `inner`).

-- All points of p's structure that agree with p in these parameters, at most `most` at random.
local function others(run, p, fixed, free, most)
    local space, list = p.structure.space, {p.params}
    for _, name in ipairs(free) do
        local more = {}
        for _, params in ipairs(list) do
            local given = {}
            for _, other in ipairs(fixed) do given[other] = params[other] end
            for _, other in ipairs(free) do
                if other == name then break end
                given[other] = params[other]
            end
            for _, value in ipairs(space:values(name, given)) do
                local q = {}
                for _, other in ipairs(space.names) do q[other] = params[other] end
                q[name] = value
                more[#more + 1] = q
            end
        end
        list = more
    end
    local points, draw = {}, run:shuffled(#list)
    for i = 1, math.min(most, #list) do points[i] = run.points:point(p.structure, list[#list > most and draw() or i]) end
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
        local names = p.structure.space.names
        for i, name in ipairs(names) do table.insert(#names > 1 and i > #names - options.inner and inner or outer, name) end
        repeat
            local before = cost
            p, cost = phase(run, p, cost, inner, outer, options.most)
            if #inner > 0 then p, cost = phase(run, p, cost, outer, inner, options.most) end
        until cost >= before
    end
end)

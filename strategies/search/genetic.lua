-- genetic: a population of points; children take each parameter from one of two parents of the same
-- structure, and change now and then to a neighbour; the fastest of parents and children live on.

local function cost(one) return one.trial.cost end

-- The better of a few at random.
local function select(run, population, rivals)
    local best
    for _ = 1, rivals do
        local one = population[run:random(#population)]
        if not best or cost(one) < cost(best) then best = one end
    end
    return best.point
end

-- nil where the mixture is no point.
local function cross(run, a, b)
    if a.structure ~= b.structure then return a end
    local params = {}
    for _, name in ipairs(a.structure.space.names) do params[name] = (run:random(2) == 1 and a or b).params[name] end
    return run.points:point(a.structure, params)
end

local function child(run, population, options)
    local function pick() return select(run, population, options.rivals) end
    local p = cross(run, pick(), pick()) or pick()
    if run:random() < options.mutation then
        local near = run.points:near(p)
        if #near > 0 then p = near[run:random(#near)] end
    end
    return p
end

local function generation(run, list)
    return require("lists").map(run:try(list), function(trial, i) return {point = list[i], trial = trial} end)
end

require("run").strategy("genetic", "a population of points: crossing, mutation, survival of the fastest",
                               {population = 16, mutation = 0.4, rivals = 2, fresh = 2}, function(run, options)
    local points = run.points
    local draw = run:shuffled(points.count)
    local function random_points(list, n)
        for _ = 1, n do
            local k = draw()
            if k then list[#list + 1] = points:at(k) end
        end
        return list
    end
    local population = generation(run, random_points({}, options.population))
    while true do
        local list, known = {}, {}
        for _ = 1, options.population do list[#list + 1] = child(run, population, options) end
        random_points(list, options.fresh)
        for _, one in ipairs(population) do known[tostring(one.point)] = true end
        for _, one in ipairs(generation(run, list)) do
            local key = tostring(one.point)
            if not known[key] then population[#population + 1], known[key] = one, true end
        end
        table.sort(population, function(a, b)
            local x, y = cost(a), cost(b)
            if x ~= y then return x < y end
            return tostring(a.point) < tostring(b.point)
        end)
        for i = #population, options.population + 1, -1 do population[i] = nil end
    end
end)

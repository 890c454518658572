-- bayes: Bayesian optimisation, for spaces of which only numbers are known: a Gaussian process over some of what was tried says at each
-- point what time is expected, and how surely; of the neighbours and mixtures of the best, and of some at random, the one is tried next whose
-- expected improvement is the largest (as BaCO does; Hellsten et al. 2023). Values are compared by their number in order: they are
-- powers of two as often as not. Times are compared by ratio.

local lists, runs, genetic = require "lists", require "run", require "genetic"
local exp, log, sqrt, max = math.exp, math.log, math.sqrt, math.max

-- How fast what is known of a point says less of others: for each parameter that differs, and for how far it does, of its whole range; for
-- another structure. And how much of what is seen is chance.
local DIFFERS, FAR, OTHER, NOISE = 0.21, 0.7, 1.4, 0.05

-- point -> its place: a number for each parameter, 1 from the first value to the last.
local function places()
    local axes, known = {}, {}
    local function axes_of(structure)
        return lists.map(structure.space.names, function(name)
            local values, at = structure.space:values(name, {}), {}
            for i, value in ipairs(values) do at[value] = (i - 1) / max(1, #values - 1) end
            return at
        end)
    end
    return function(p)
        local key, s = tostring(p), p.structure
        if not known[key] then
            axes[s] = axes[s] or axes_of(s)
            known[key] = {structure = s}
            for i, name in ipairs(s.space.names) do known[key][i] = axes[s][i][p.params[name]] end
        end
        return known[key]
    end
end

local function covariance(a, b)
    local r = a.structure == b.structure and 0.0 or OTHER
    for i = 1, r == 0.0 and #a or 0 do
        local d = a[i] - b[i]
        if d ~= 0 then r = r + DIFFERS + FAR * (d < 0 and -d or d) end
    end
    return exp(-r)
end

-- x so that L x = b
local function solved(L, b)
    local x = {}
    for i = 1, #b do
        local row, v = L[i], b[i]
        for k = 1, i - 1 do v = v - row[k] * x[k] end
        x[i] = v / row[i]
    end
    return x
end

-- The square root of their covariances (Cholesky), and the times in it.
local function fitted(at, costs)
    local L, mean, spread = {}, 0.0, 0.0
    for i = 1, #at do
        local row = {}
        for j = 1, i do
            local v = covariance(at[i], at[j]) + (i == j and NOISE or 0)
            local other = j < i and L[j] or row
            for k = 1, j - 1 do v = v - row[k] * other[k] end
            row[j] = j < i and v / other[j] or sqrt(max(v, 1e-9))
        end
        L[i], mean = row, mean + costs[i] / #at
    end
    for _, y in ipairs(costs) do spread = spread + (y - mean) ^ 2 / #at end
    spread = sqrt(spread) + 1e-9
    local y = lists.map(costs, function(c) return (c - mean) / spread end)
    return {at = at, L = L, y = solved(L, y), best = math.min(table.unpack(y))}
end

-- How much better than the best it is expected to be at a place; where that is nothing, below zero, the less the slower.
local function improvement(g, place)
    local k = solved(g.L, lists.map(g.at, function(at) return covariance(at, place) end))
    local mean, variance = 0.0, 1.0
    for i = 1, #k do mean, variance = mean + k[i] * g.y[i], variance - k[i] * k[i] end
    local deviation = sqrt(max(variance, 1e-9))
    local u = (g.best - mean) / deviation
    local below = 1 / (1 + exp(-1.5957691 * u * (1 + 0.044715 * u * u)))         -- the normal distribution
    local expected = deviation * (u * below + exp(-u * u / 2) / 2.5066283)
    return expected > 1e-9 and expected or -mean - 1e3
end

-- The best of what was tried and the last of it: a few are enough, and what is done with them takes the cube of their number.
local function some_of(sorted, trials, count)
    local some, taken = {}, {}
    local function take(trial)
        if #some < count and not taken[trial] then some[#some + 1], taken[trial] = trial, true end
    end
    for i = 1, math.min(#sorted, count // 2) do take(sorted[i]) end
    for i = #trials, 1, -1 do take(trials[i]) end
    return some
end

runs.strategy("bayes", "Bayesian optimisation: where a Gaussian process over what was tried expects the largest improvement",
                        {first = 16, fitted = 40, near = 4, mixed = 16, random = 30}, function(run, options)
    local points, place, trials, tried = run.points, places(), {}, {}
    local draw = run:shuffled(points.count)
    local function try(list)
        for i, trial in ipairs(run:try(list)) do trials[#trials + 1], tried[tostring(list[i])] = {point = list[i], cost = trial.cost, n = #trials}, true end
    end
    local function fresh(count)
        local list = {}
        while #list < count do
            local k = draw()
            if not k then return list end
            local p = points:at(k)
            if not tried[tostring(p)] then list[#list + 1] = p end
        end
        return list
    end

    -- Points to look at, by how much they are expected to improve.
    local function candidates(g, sorted)
        local list, seen = {}, {}
        local function look(p)
            local key = tostring(p)
            if not p or tried[key] or seen[key] then return end
            seen[key], list[#list + 1] = true, {point = p, cost = -improvement(g, place(p)), n = #list}
        end
        local function good() return sorted[run:random(math.min(10, #sorted))].point end
        for i = 1, math.min(options.near, #sorted) do
            for _, p in ipairs(points:near(sorted[i].point)) do look(p) end
        end
        for _ = 1, options.mixed do look(genetic.cross(run, good(), good())) end
        for _ = 1, options.random do look(points:at(run:random(points.count))) end
        return runs.sort_by(list, "cost")
    end

    try(fresh(options.first))
    while #trials > 0 do
        local sorted, worst = runs.sort_by(lists.copy(trials), "cost"), -math.huge
        local some = some_of(sorted, trials, options.fitted)
        for _, t in ipairs(some) do worst = t.cost < math.huge and max(worst, t.cost) or worst end
        local g = worst > 0 and fitted(lists.map(some, function(t) return place(t.point) end),
                                       lists.map(some, function(t) return log(t.cost < math.huge and t.cost or worst) end))
        local list = g and lists.map(candidates(g, sorted), function(one) return one.point end) or {}
        list = table.move(list, 1, math.min(#list, run.workers), 1, {})
        if #list == 0 then list = fresh(run.workers) end
        if #list == 0 then return end
        try(list)
    end
end)

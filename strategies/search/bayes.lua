-- bayes: Bayesian optimisation, for spaces of which only numbers are known: a Gaussian process over what was tried says at each
-- point what time is expected, and how surely; the one is tried next whose expected improvement is the largest (as BaCO does; Hellsten
-- et al. 2023). How much each parameter says is fitted to what was tried (the likelihood). Values are compared by their number in order:
-- they are powers of two as often as not. Times are compared by ratio, those above the median less: how bad a bad point is says little.

local lists, runs = require "lists", require "run"
local exp, log, sqrt, max, min = math.exp, math.log, math.sqrt, math.max, math.min

-- How fast what is known of a point says less of others: for each parameter that differs, and for how far it does, of its whole range; for
-- another structure. And how much of what is seen is chance. Where fitting begins, and what it is held to.
local DIFFERS, FAR, OTHER, NOISE = 0.21, 0.7, 1.4, 0.02
local SPREAD = 1.2                       -- how far from there, as a factor's logarithm, it is not astonishing
local SLOW = 0.3                         -- so much of it counts by how much a time's logarithm is above the median

-- The scales of all parameters, by number: 1 is chance, 2 another structure, then two for each name. And point -> its place: {numbers from 0,
-- the first value, to 1, the last; structure, scales = the number of each parameter's first scale, point, key}.
local function places()
    local h, by_name, axes = {NOISE, OTHER}, {}, {}
    local function scale_of(name)
        if not by_name[name] then
            by_name[name] = #h + 1
            h[#h + 1], h[#h + 2] = DIFFERS, FAR
        end
        return by_name[name]
    end
    local function axes_of(structure)
        local names = structure.space.names
        return {names = names, scales = lists.map(names, scale_of), numbers = lists.map(names, function(name)
            local values, at = structure.space:values(name, {}), {}
            for i, value in ipairs(values) do at[value] = (i - 1) / max(1, #values - 1) end
            return at
        end)}
    end
    return h, function(p)
        local s = p.structure
        axes[s] = axes[s] or axes_of(s)
        local place = lists.map(axes[s].names, function(name, i) return axes[s].numbers[i][p.params[name]] end)
        place.structure, place.scales, place.point, place.key = s, axes[s].scales, p, tostring(p)
        return place
    end
end

local function covariance(h, a, b)
    if a.structure ~= b.structure then return exp(-h[2]) end
    local r, scales = 0.0, a.scales
    for i = 1, #a do
        local d = a[i] - b[i]
        if d ~= 0 then r = r + h[scales[i]] + h[scales[i] + 1] * (d < 0 and -d or d) end
    end
    return exp(-r)
end

-- The process, g: {h = scales, at = places it knows}. A place's v is its row of the square root of their covariances (Cholesky), variance
-- what is left unknown of it; both grow with g.

local function extend(g, place)
    local v, h = place.v, g.h
    for i = #v + 1, #g.at do
        local other = g.at[i]
        local row, x = other.v, covariance(h, place, other)
        for k = 1, i - 1 do x = x - v[k] * row[k] end
        x = x / row[i]
        v[i], place.variance = x, place.variance - x * x
    end
end

local function forget(place) place.v, place.variance = {}, 1.0 end

local function grow(g, place)
    extend(g, place)
    local n = #g.at + 1
    place.v[n] = sqrt(max(place.variance + g.h[1], 1e-9))
    g.at[n] = place
end

local function process(h, at)
    local g = {h = h, at = {}}
    for _, place in ipairs(at) do
        forget(place)
        grow(g, place)
    end
    return g
end

-- What the process is told of each place's time, with mean 0 and deviation 1; a place that failed counts as the slowest, one
-- that is being tried as what was expected of it. False: none of them ran.
local function told(at)
    local known, list = {}, {}
    for _, place in ipairs(at) do
        if place.cost and place.cost < math.huge then known[#known + 1] = log(place.cost) end
    end
    if #known == 0 then return false end
    table.sort(known)
    local median, worst, mean, spread = known[(#known + 1) // 2], known[#known], 0.0, 0.0
    for i, place in ipairs(at) do
        local y = place.cost and min(log(place.cost), worst) or not place.cost and place.expected or worst
        list[i] = y > median and median + SLOW * (y - median) or y
        mean = mean + list[i] / #at
    end
    for _, y in ipairs(list) do spread = spread + (y - mean) ^ 2 / #at end
    spread = sqrt(spread) + 1e-9
    return lists.map(list, function(y) return (y - mean) / spread end), mean, spread
end

-- Times in the square root's coordinates, and how large they are there.
local function solved(g, y)
    local a, square = {}, 0.0
    for i = 1, #y do
        local row, x = g.at[i].v, y[i]
        for k = 1, i - 1 do x = x - row[k] * a[k] end
        a[i] = x / row[i]
        square = square + a[i] * a[i]
    end
    return a, square / #y
end

-- How unlikely the times are with these scales.
local function unlikely(h, at, y)
    local g, sum = process(h, at), 0.0
    local _, square = solved(g, y)
    for i, place in ipairs(g.at) do sum = sum + log(place.v[i]) end
    for i, x in ipairs(h) do
        local usual = i == 1 and NOISE or i == 2 and OTHER or i % 2 == 1 and DIFFERS or FAR
        sum = sum + (log(x / usual) / SPREAD) ^ 2 / 2
    end
    return sum + #at / 2 * log(square + 1e-12)
end

-- Scales under which the times are less unlikely: one changes at random, so many times.
local function fit(run, h, at, steps)
    local y = told(at)
    local least = unlikely(h, at, y)
    for _ = 1, steps do
        local i = run:random(#h)
        local old = h[i]
        h[i] = min(20, max(1e-4, old * exp(3 * run:random() - 1.5)))
        local now = unlikely(h, at, y)
        if now < least then least = now else h[i] = old end
    end
end

-- How much better than the best a place is expected to be; where that is nothing, below zero, the less the slower. And what is expected.
local function improvement(g, place, a, square, best)
    extend(g, place)
    local mean, v = 0.0, place.v
    for i = 1, #a do mean = mean + v[i] * a[i] end
    local deviation = sqrt(max(place.variance, 1e-9) * square)
    local u = (best - mean) / deviation
    local below = 1 / (1 + exp(-1.5957691 * u * (1 + 0.044715 * u * u)))         -- the normal distribution
    local expected = deviation * (u * below + exp(-u * u / 2) / 2.5066283)
    return expected > 1e-9 and expected or -mean - 1e3, mean
end

-- The best of a sorted list and others of it at random: what is done with them takes the cube of their number.
local function some_of(run, sorted, count)
    local list = lists.copy(sorted)
    for i = count // 2 + 1, min(count, #list) do
        local k = i + run:random(#list - i + 1) - 1
        list[i], list[k] = list[k], list[i]
    end
    return table.move(list, 1, min(count, #list), 1, {})
end

runs.strategy("bayes", "Bayesian optimisation: where a Gaussian process over what was tried expects the largest improvement",
                        {first = 16, fitted = 300, likely = 80, steps = 30, pool = 1500, climbs = 4}, function(run, options)
    local points, h, place_of = run.points, places()
    local trials, pool, known, looked, draw, g = {}, {}, {}, 0, run:shuffled(points.count), nil

    -- A point to look at, new to the search.
    local function look(p)
        local key = tostring(p)
        if known[key] then return end
        looked = looked + 1
        local place = place_of(p)
        place.n = looked
        forget(place)
        known[key], pool[#pool + 1] = place, place
    end
    local function fill(count)
        while #pool < count do
            local k = draw()
            if not k then return end
            look(points:at(k))
        end
    end
    local function try(list)
        for i, trial in ipairs(run:try(lists.map(list, function(place) return place.point end))) do
            list[i].cost, trials[#trials + 1] = trial.cost, list[i]
        end
    end

    -- The process anew, with other scales. Where not all points are in the pool, those that promise least make room for others.
    local function renew()
        local sorted = runs.sort_by(lists.copy(trials), "cost")
        fit(run, h, some_of(run, sorted, options.likely), options.steps)
        g = process(h, some_of(run, sorted, options.fitted))
        if #pool > options.pool // 2 and points.count > options.pool then
            runs.sort_by(pool, "dull")
            for i = #pool, options.pool // 2 + 1, -1 do known[pool[i].key], pool[i] = nil, nil end
        end
        for _, place in ipairs(pool) do forget(place) end
        fill(options.pool)
    end

    -- The place that promises most, of the pool and, uphill from there, of the neighbours; it leaves the pool.
    local function choose()
        local y, mean, spread = told(g.at)
        local a, square = solved(g, y)
        local best = min(table.unpack(y))
        local top
        local function weigh(i)
            local place = pool[i]
            local promise, expected = improvement(g, place, a, square, best)
            place.dull, place.expected = -promise, mean + spread * expected
            if not top or place.dull < pool[top].dull then top = i end
        end
        for i = 1, #pool do weigh(i) end
        for _ = 1, top and points.count > options.pool and options.climbs or 0 do
            local from, before = top, #pool
            for _, p in ipairs(points:near(pool[top].point)) do look(p) end
            for i = before + 1, #pool do weigh(i) end
            if top == from then break end
        end
        local place = pool[top or 0]
        if place then
            pool[top] = pool[#pool]
            pool[#pool] = nil
            grow(g, place)
        end
        return place
    end

    fill(options.first)
    try(pool)
    pool = {}
    local renewed = 0
    while true do
        local list = {}
        if not told(trials) then                                     -- none ran yet
            fill(run.workers)
            list, pool = pool, {}
        else
            if #trials >= 1.25 * renewed then
                renew()
                renewed = #trials
            end
            while #list < run.workers and #pool > 0 do list[#list + 1] = choose() end
        end
        if #list == 0 then return end
        try(list)
    end
end)

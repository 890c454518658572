-- guided: the cost model ranks points before any is run. The first measured are the best predicted ones and
-- some of other structures; what they take corrects the model (a regression of the error on features, and on
-- structures); then neighbours of the best, the best predicted, some at random.

local engine = engine
local search = engine.search
local log, max, min, floor = math.log, math.max, math.min, math.floor

-- what the error is explained by: logarithms, each about 0 with variance 1 over the points at hand

local explaining = {"group_size", "groups", "loads", "instructions", "loops", "chain", "barriers", "local_bytes",
                    "private_elements", "private_scalars", "footprint_bytes", "global_loads_moved",
                    "local_loads_moved", "global_loads", "statements"}

local function coordinates(kernels)
    local x = {}
    for i, name in ipairs(explaining) do
        local sum = 0
        for _, f in ipairs(kernels) do sum = sum + f[name] end
        x[i] = log(1 + sum)
    end
    return x
end

local function largest_group(kernels)
    local most = 0
    for _, f in ipairs(kernels) do most = max(most, f.group_size) end
    return most
end

local function standardise(pool)
    local scale = {}
    for i = 1, #explaining do
        local sum, squares, n = 0, 0, #pool
        for _, e in ipairs(pool) do sum, squares = sum + e.x[i], squares + e.x[i] * e.x[i] end
        local mean = n > 0 and sum / n or 0
        local deviation = n > 0 and math.sqrt(max(0, squares / n - mean * mean)) or 0
        scale[i] = {mean = mean, by = deviation > 1e-6 and 1 / deviation or 0}
    end
    return scale
end

-- Solve a*w = b for a symmetric positive definite (Cholesky); a and b are overwritten.
local function solve(a, b)
    local n = #b
    for i = 1, n do
        for j = 1, i do
            local sum = a[i][j]
            for k = 1, j - 1 do sum = sum - a[i][k] * a[j][k] end
            a[i][j] = i == j and math.sqrt(max(sum, 1e-9)) or sum / a[j][j]
        end
    end
    for i = 1, n do
        for k = 1, i - 1 do b[i] = b[i] - a[i][k] * b[k] end
        b[i] = b[i] / a[i][i]
    end
    for i = n, 1, -1 do
        for k = i + 1, n do b[i] = b[i] - a[k][i] * b[k] end
        b[i] = b[i] / a[i][i]
    end
    return b
end

-- the state of a search

local Guide = {}
Guide.__index = Guide

local function value(scale, e, i) return (e.x[i] - scale[i].mean) * scale[i].by end

-- Add points that are not known yet, with their predictions.
function Guide.add(g, points)
    local new = {}
    for _, p in ipairs(points) do
        local key = tostring(p)
        if not g.known[key] then new[#new + 1], g.known[key] = p, true end
    end
    local before = #g.pool
    local function tell(n) g.run:tell(("the cost model looks at point %d"):format(before + n + 1)) end
    for i, predicted in ipairs(search.predict(new, g.row_of, tell)) do
        local key = tostring(new[i])
        if predicted then
            local e = {p = new[i], key = key, n = g.run:random(), prior = g.options.prior * log(max(1, predicted.ns)),
                       x = coordinates(predicted.kernels), group = largest_group(predicted.kernels)}
            g.pool[#g.pool + 1], g.known[key] = e, e
        end
    end
end

-- The regression of the measured errors, newly made.
function Guide.fit(g)
    local n, a, b = #explaining, {}, {}
    local mean, count = 0, 0
    for _, e in ipairs(g.measured) do
        if e.ns then mean, count = mean + log(e.ns) - e.prior, count + 1 end
    end
    g.mean = count > 0 and mean / count or 0
    for i = 1, n do
        a[i], b[i] = {}, 0
        for j = 1, i do a[i][j] = i == j and g.ridge or 0 end
    end
    for _, e in ipairs(g.measured) do
        local error = e.ns and log(e.ns) - e.prior - g.mean
        for i = 1, error and n or 0 do
            local x = value(g.scale, e, i)
            b[i] = b[i] + x * error
            for j = 1, i do a[i][j] = a[i][j] + x * value(g.scale, e, j) end
        end
    end
    g.weights = solve(a, b)
    g:learn_groups()
    g.offsets = {}
    for _, e in ipairs(g.measured) do    -- what is left, by structure; a failure counts as 8 times slower
        local error = e.ns and log(e.ns) - e.prior - g.mean - Guide.slope(g, e) or log(8)
        local o = g.offsets[e.p.structure] or {sum = 0, n = 2}
        o.sum, o.n = o.sum + error, o.n + 1
        g.offsets[e.p.structure] = o
    end
    for _, e in ipairs(g.pool) do e.score = nil end
end

-- Groups as large as those that failed, and larger than any that ran, may be more than the device takes.
function Guide.learn_groups(g)
    g.ran, g.too_large = 0, {}
    for _, e in ipairs(g.measured) do
        if e.ns then g.ran = max(g.ran, e.group) end
    end
    for _, e in ipairs(g.measured) do
        if not e.ns and e.group > g.ran then g.too_large[#g.too_large + 1] = e.group end
    end
end

-- Added to a prediction for each failure that speaks against it.
function Guide.doubt(g, e)
    local failures = 0
    for _, group in ipairs(g.too_large) do failures = failures + (e.group >= group and 1 or 0) end
    return failures * log(4)
end

function Guide.slope(g, e)
    local sum = 0
    for i = 1, #explaining do sum = sum + g.weights[i] * value(g.scale, e, i) end
    return sum
end

-- The corrected prediction: log ns.
function Guide.score(g, e)
    if not e.score then
        local o = g.offsets[e.p.structure]
        e.score = e.prior + g.mean + Guide.slope(g, e) + (o and o.sum / o.n or 0) + Guide.doubt(g, e)
    end
    return e.score
end

-- Entries that were not tried, the best predicted first.
function Guide.ranked(g, list)
    local open = {}
    for _, e in ipairs(list) do
        if not e.tried then open[#open + 1] = e end
    end
    for _, e in ipairs(open) do g:score(e) end
    return engine.sort_by(open, "score")
end

-- The known neighbours of an entry; new ones are added.
function Guide.near(g, e)
    if not e.near then
        local points, list = g.run.points:near(e.p), {}
        g:add(points)
        for _, p in ipairs(points) do
            local q = g.known[tostring(p)]
            if type(q) == "table" then list[#list + 1] = q end
        end
        e.near = list
    end
    return e.near
end

function Guide.try(g, entries)
    local points = {}
    for i, e in ipairs(entries) do points[i], e.tried = e.p, true end
    if #points == 0 then return end
    for i, trial in ipairs(g.run:try(points)) do
        local e = entries[i]
        e.ns = trial.cost < math.huge and trial.cost or nil        -- of another objective: the fit takes up its unit
        g.measured[#g.measured + 1] = e
        if e.ns and (not g.best or e.ns < g.best.ns) then g.best = e end
    end
    g:fit()
end

-- The best of a ranked list, at most `each` of a structure, not those already taken.
local function take(ranked, count, each, into)
    local of = {}
    for _, e in ipairs(ranked) do
        if count <= 0 then return end
        local n = of[e.p.structure] or 0
        if n < each and not into[e.key] then
            into[#into + 1], into[e.key], of[e.p.structure] = e, true, n + 1
            count = count - 1
        end
    end
end

-- Go down in the predictions, which costs no run: the pool gets the neighbours of what it thinks best, at most `each` of a
-- structure. False: they were known.
function Guide.descend(g, wide, each)
    local before, best = #g.pool, {}
    take(g:ranked(g.pool), wide, each, best)
    for _, e in ipairs(best) do g:near(e) end
    return #g.pool > before
end

-- Before anything is measured: first in many structures, of which each has few points in the pool yet, then in the best.
function Guide.settle(g)
    local wide = g.options.wide
    for round = 1, g.options.rounds do
        local more = g:descend(max(wide, wide << 2 >> round), round < 3 and 1 or 2)
        if not more and round > 3 then return end
    end
end

-- The measured entries, the fastest first.
local function elite(g)
    local list = {}
    for _, e in ipairs(g.measured) do
        if e.ns then list[#list + 1] = e end
    end
    return engine.sort_by(list, "ns")
end

-- What to measure next: neighbours of the fastest that have some left, the best predicted of all, some at random.
local function next_batch(g)
    local batch, size = {}, g.options.batch
    local lots = floor(size * g.options.random + g.run:random())
    for _, e in ipairs(elite(g)) do
        local open = g:ranked(g:near(e))
        if #open > 0 then
            take(open, max(1, (size - lots) // 2), size, batch)
            break
        end
    end
    local ranked = g:ranked(g.pool)
    take(ranked, size - lots - #batch, size, batch)
    local half = max(1, #ranked // 2)    -- at random among the better half
    for _ = 1, lots do
        local e = ranked[g.run:random(half)]
        if e and not batch[e.key] then batch[#batch + 1], batch[e.key] = e, true end
    end
    return batch
end

-- A few points of each structure, at least one; then of all, at random. False: there are no more.
local function sample(g)
    local points, c = {}, g.run.points
    local structures = g.sampled and {} or c.structures
    local each = max(1, min(g.options.each, g.options.sample // max(1, #structures)))
    for i, s in ipairs(structures) do
        for _ = 1, min(s.space.count, each) do points[#points + 1] = c:at(c.first[i] + g.run:random(s.space.count)) end
    end
    for _ = 1, max(g.sampled and 0 or g.options.sample - #points, g.options.batch) do
        local k = g.draw()
        if not k then break end
        points[#points + 1] = g.run.points:at(k)
    end
    g.sampled = true
    g:add(points)
    return #points > 0
end

-- The best predicted, few of a structure; and, as the model may be wrong, the best of other structures, at random among
-- the better quarter.
local function first_batch(g)
    local batch, others, ranked = {}, {}, g:ranked(g.pool)
    local count, spread = g.options.first, floor(g.options.first * g.options.others)
    take(ranked, count - spread, max(2, count // 3), batch)
    local taken = {}
    for _, e in ipairs(batch) do taken[e.p.structure] = true end
    for _, e in ipairs(ranked) do
        if not taken[e.p.structure] then others[#others + 1], taken[e.p.structure] = e, true end
    end
    for _ = 1, min(spread, #others) do
        local e = table.remove(others, g.run:random(max(1, #others // 4)))
        batch[#batch + 1], batch[e.key] = e, true
    end
    take(ranked, count - #batch, count, batch)
    return batch
end

-- What is there without a search comes first: it needs no planning, and the search has to be better. Recordings lack it.
local function try_default(run)
    local structure = run.points.structures and run.points.structures[1]
    if not run.version or structure and search.is_recorded(structure) or engine.lowered(run.version) then return end
    local default = run.version:lowered()
    if default and not search.has_open(default) then run:try(default) end
end

local function guided(run, options)
    try_default(run)
    local g = setmetatable({run = run, options = options, known = {}, pool = {}, measured = {}, mean = 0,
                            ridge = options.ridge, draw = run:shuffled(run.points.count), offsets = {},
                            weights = {}, too_large = {}, row_of = function(p) return run:features(p) end}, Guide)
    for i = 1, #explaining do g.weights[i] = 0 end
    sample(g)
    g.scale = standardise(g.pool)
    g:settle()
    local batch = first_batch(g)
    run:tell(("of %d points the first %d are built and run"):format(#g.pool, #batch))
    g:try(batch)
    while true do
        g:descend(options.wide, options.wide)
        batch = next_batch(g)
        if #batch == 0 then
            if not sample(g) then return end
        else
            g:try(batch)
        end
    end
end

search.strategy("guided", "the cost model chooses; what is measured corrects it; then neighbours of the best",
                {sample = 400, each = 3, rounds = 12, first = 8, others = 0.25, batch = 5, random = 0.2, ridge = 4, wide = 8,
                 prior = 1}, guided)

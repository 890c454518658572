-- pool: points with what the cost model predicts of them; what is measured corrects the predictions. For strategies that
-- look at many points and measure few: p = search.pool(run, {ridge =, prior =}).
--
-- An entry of a pool: {p = its point, cost = measured (nil: not, or it failed), tried = asked for}.

local search, sort_by = require "regression", require("run").sort_by
local lists = require "lists"
require "model"

-- What the model's error is explained by: logarithms of these features of a point's kernels.
local explaining = {"group_size", "groups", "loads", "instructions", "loops", "chain", "barriers", "local_bytes",
                    "private_elements", "private_scalars", "footprint_bytes", "global_loads_moved",
                    "local_loads_moved", "global_loads", "statements"}

local FAILURE = math.log(8)              -- a point that failed counts as so much slower than it was predicted

-- The last one is the prediction itself: how far it may be believed is learned, too.
local function coordinates(predicted)
    local x = lists.map(explaining, function(name)
        local sum = 0
        for _, f in ipairs(predicted.kernels) do sum = sum + f[name] end
        return math.log(1 + sum)
    end)
    return lists.copy(x, math.log(math.max(1, predicted.ns)))
end

local Pool = {}
Pool.__index = Pool

-- options: prior: how much of the model's prediction is believed (1), ridge: see regression (4)
function search.pool(run, options)
    options = options or {}
    return setmetatable({run = run, entries = {}, by = {}, measured = {}, draw = run:shuffled(run.points.count),
                         prior = options.prior or 1, ridge = options.ridge or 4, structures = {},
                         error = function() return 0 end}, Pool)
end

-- Add points; those that cannot be planned are left out. True: there are new ones.
function Pool.add(pool, points)
    local new, before = {}, #pool.entries
    for _, p in ipairs(points) do
        local key = tostring(p)
        if pool.by[key] == nil then new[#new + 1], pool.by[key] = p, false end
    end
    local function tell(n) pool.run:tell(("the cost model looks at point %d"):format(before + n + 1)) end
    for i, predicted in ipairs(search.predict(new, function(p) return pool.run:features(p) end, tell)) do
        if predicted then
            local e = {p = new[i], n = pool.run:random(), x = coordinates(predicted)}
            e.predicted = pool.prior * e.x[#e.x]
            pool.entries[#pool.entries + 1], pool.by[tostring(new[i])] = e, e
        end
    end
    return #pool.entries > before
end

-- Add so many random points, at the first time at least one and at most `each` of each structure. False: there are no more.
function Pool.sample(pool, count, each)
    local points, c = {}, pool.run.points
    each = each and math.max(1, math.min(each, count // math.max(1, #c.structures))) or 0
    for i, s in ipairs(c.structures) do
        for _ = 1, math.min(s.space.count, each) do points[#points + 1] = c:at(c.first[i] + pool.run:random(s.space.count)) end
    end
    for k in pool.draw do
        points[#points + 1] = c:at(k)
        if #points >= count then break end
    end
    pool:add(points)
    return #points > 0
end

-- The predicted logarithm of an entry's cost, with what was learned from the measured ones.
local function score(pool, e)
    if not e.score then
        local rest = pool.structures[e.p.structure]
        e.score = e.predicted + pool.error(e.x) + (rest and rest.sum / rest.n or 0)
    end
    return e.score
end

-- Learn: a regression explains the model's error, what it leaves is learned by structure.
local function learn(pool)
    local rows, all = {}, {}
    for i, e in ipairs(pool.entries) do all[i], e.score = e.x, nil end
    for _, e in ipairs(pool.measured) do
        if e.cost then rows[#rows + 1] = {x = e.x, y = math.log(e.cost) - e.predicted} end
    end
    pool.error, pool.structures = search.regression(rows, all, pool.ridge), {}
    for _, e in ipairs(pool.measured) do
        local rest = pool.structures[e.p.structure] or {sum = 0, n = 2}
        rest.sum = rest.sum + (e.cost and math.log(e.cost) - e.predicted - pool.error(e.x) or FAILURE)
        rest.n = rest.n + 1
        pool.structures[e.p.structure] = rest
    end
end

-- Measure entries, and learn from what they cost.
function Pool.try(pool, list)
    local points = {}
    for i, e in ipairs(list) do points[i], e.tried = e.p, true end
    for i, trial in ipairs(pool.run:try(points)) do
        list[i].cost = trial.cost < math.huge and trial.cost or nil
        pool.measured[#pool.measured + 1] = list[i]
    end
    learn(pool)
end

-- The entries (of all, or of a list) that were not tried, the best predicted first.
function Pool.ranked(pool, list)
    return sort_by(lists.filter(list or pool.entries, function(e) return not e.tried and score(pool, e) end), "score")
end

-- Those that were measured, the fastest first.
function Pool.fastest(pool) return sort_by(lists.filter(pool.measured, function(e) return e.cost end), "cost") end

-- The entries beside one; they are added.
function Pool.near(pool, e)
    if not e.near then
        local points = pool.run.points:near(e.p)
        pool:add(points)
        e.near = {}
        for _, p in ipairs(points) do e.near[#e.near + 1] = pool.by[tostring(p)] or nil end
    end
    return e.near
end

-- Go down in the predictions, which costs no run: add what is beside the best predicted, so many, at most `each` of a
-- structure. False: all of it was known.
function Pool.descend(pool, count, each)
    local before = #pool.entries
    for _, e in ipairs(search.take({}, pool:ranked(), count, each)) do pool:near(e) end
    return #pool.entries > before
end

-- Into a batch the first of a ranked list that are not in it yet: so many, at most `each` of a structure (nil: any number).
function search.take(batch, ranked, count, each)
    local of = {}
    for _, e in ipairs(ranked) do
        if count <= 0 then break end
        local s = e.p.structure
        if not batch[e] and (of[s] or 0) < (each or count) then
            batch[#batch + 1], batch[e], of[s] = e, true, (of[s] or 0) + 1
            count = count - 1
        end
    end
    return batch
end

return search

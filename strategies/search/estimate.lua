-- estimate: what may become of a version that is not runnable yet: it is lowered, its parameters take some of
-- their legal values, and the cost model says what the best of these would take. Moves are ranked so.

local engine, model, search = require "engine", require "model", require "structures"

local SAMPLES = 24                       -- points of a space that are looked at, evenly spread, unless it is said how many
local EDGES = 1 << 18                    -- a space that takes more to count is left alone: many moves are estimated

local function some_points(v, most)
    if not search.has_open(v) then return {{}} end
    local space = v:space({edges = EDGES})
    local points, n = {}, space and space.count or 0
    local some = math.min(n, most or SAMPLES)
    for i = 1, some do points[i] = space:at(1 + (i - 1) * (n - 1) // math.max(1, some - 1)) end
    return points
end

local Estimate = {__name = "estimate", __tostring = function(e) return e.text end}

local function best_of(v, kind, samples)
    local best
    local points = some_points(v, samples)
    for i, kernels in ipairs(engine.features_of(v, points, kind)) do
        local ns, terms = math.huge, nil
        if kernels then ns, terms = model.cost_of(kernels, kind) end
        if ns < (best and best.ns or math.huge) then best = {ns = ns, terms = terms, params = points[i], version = v} end
    end
    return best and setmetatable(best, Estimate)
end

local function estimate(v, kind, samples)
    local e = best_of(v, kind, samples)
    if not e then
        local low = v:lowered()
        e = low and best_of(low, kind, samples)
    end
    if e then e.text = model.explain(e.ns, e.terms) end
    return e
end

-- estimated(v, strategy text, place): ns of the best that may come of it; nil: nothing runnable. For `moves --cost`.
local function estimated(v, text, place)
    local w = v:try(text, {at = place})
    local e = w and estimate(w)
    return e and e.ns
end

return {estimate = estimate, estimated = estimated}

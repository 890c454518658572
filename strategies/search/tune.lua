-- tune: from what lower makes of a program to other shapes of its nests and other values of their options, as long as that is faster,
-- the best predicted first; then guided search over all structures.

local shapes, model, run = require "shapes", require "model", require "run"
local search = require "pool"

-- Steps from a version, of those that were not seen: {call =, wanted =, version =, ns = predicted} each, the best predicted first.
local function steps_from(r, wanted, seen)
    local list, calls = {}, {}
    search.in_a_run(r.version, function(c)
        for _, step in ipairs(shapes.steps(c, wanted)) do
            local call = shapes.call_of(step)
            if not seen[call] then seen[call], calls[#calls + 1] = true, {call = call, wanted = step} end
        end
    end)
    for i, step in ipairs(calls) do
        r:tell(("the cost model looks at %s"):format(step.call))
        step.n, step.version = i, r.version:lowered(step.call)
        local _, kernels = (step.version or r.version):features()
        if step.version and kernels then step.ns, list[#list + 1] = model.cost_of(kernels), step end
    end
    return run.sort_by(list, "ns")
end

-- From what lower chooses to a nest in another shape, or with another value of an option, as long as that is faster.
local function climb(r, default, options)
    local seen, open, best = {lower = true}, {}, {wanted = {}}
    best.cost = r:try(default).cost
    local function look(wanted) return steps_from(r, wanted, seen) end
    open = look(best.wanted)
    local idle = 0
    while #open > 0 and idle < options.patience and (not r.left or r.left > options.rest) do
        local batch, versions = {}, {}
        while #open > 0 and #batch < options.batch do table.insert(batch, table.remove(open, 1)) end
        for i, step in ipairs(batch) do versions[i] = step.version end
        local better
        for i, trial in ipairs(r:try(versions)) do
            if trial.cost < best.cost * options.gain then best, better = {wanted = batch[i].wanted, cost = trial.cost}, true end
        end
        idle = better and 0 or idle + 1
        if better then
            for _, step in ipairs(open) do seen[step.call] = nil end     -- their neighbours are others now
            open = look(best.wanted)
        end
    end
end

run.strategy("tune", "from what lower chooses to other shapes and options of its nests; then guided, over all structures",
             {batch = 4, patience = 3, gain = 0.99, rest = 0}, function(r, options)
    search.needs_versions(r)
    local default = search.default_of(r.version)
    if default then
        local half = r.left and r.left // 2 or 0
        local o = {batch = math.max(options.batch, r.workers), patience = options.patience, gain = options.gain, rest = math.max(options.rest, half)}
        climb(r, default, o)
    end
    if r.points.count > 0 then
        local guided = run.find_strategy("guided")
        guided.body(r, guided.defaults)
    end
end)

-- climb: hill climbing: from a random point to the best of its neighbours as long as one is better, then from another point.

-- steepest: all neighbours are tried before a step; else the first better one is taken.
local function step(run, p, cost, steepest)
    local near = run.points:near(p)
    if steepest then
        local best
        for i, trial in ipairs(run:try(near)) do
            if trial.cost < cost then best, cost = near[i], trial.cost end
        end
        return best, cost
    end
    while #near > 0 do
        local q = table.remove(near, run:random(#near))
        local trial = run:try(q)
        if trial.cost < cost then return q, trial.cost end
    end
end

require("run").strategy("climb", "hill climbing: to better neighbours, then from another random point",
                               {restarts = 1000000, starts = 4, steepest = false}, function(run, options)
    local draw = run:shuffled(run.points.count)
    for _ = 0, options.restarts do
        local p, cost                    -- the best of a few random points
        for _ = 1, options.starts do
            local k = draw()
            if not k then break end
            local q = run.points:at(k)
            local trial = run:try(q)
            if not p or trial.cost < cost then p, cost = q, trial.cost end
        end
        if not p then return end
        repeat
            local q, better = step(run, p, cost, options.steepest)
            if q then p, cost = q, better end
        until not q
    end
end)

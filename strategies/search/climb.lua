-- climb: hill climbing: from a random point to the best of its neighbours as long as one is better, then from another point.

local huge = math.huge

local function time_of(trial) return trial.ok and trial.ns or huge end

-- steepest: all neighbours are tried before a step; else the first better one is taken.
local function step(run, p, time, steepest)
    local near = run.points:near(p)
    if steepest then
        local best
        for i, trial in ipairs(run:try(near)) do
            if time_of(trial) < time then best, time = near[i], time_of(trial) end
        end
        return best, time
    end
    while #near > 0 do
        local q = table.remove(near, run:random(#near))
        local trial = run:try(q)
        if time_of(trial) < time then return q, time_of(trial) end
    end
end

engine.search.strategy("climb", "hill climbing: to better neighbours, then from another random point",
                               {restarts = 1000000, starts = 4, steepest = false}, function(run, options)
    local draw = run:shuffled(run.points.count)
    for _ = 0, options.restarts do
        local p, time                    -- the best of a few random points
        for _ = 1, options.starts do
            local k = draw()
            if not k then break end
            local q = run.points:at(k)
            local trial = run:try(q)
            if not p or time_of(trial) < time then p, time = q, time_of(trial) end
        end
        if not p then return end
        repeat
            local q, better = step(run, p, time, options.steepest)
            if q then p, time = q, better end
        until not q
    end
end)

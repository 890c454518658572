-- A solution: hill climbing with restarts. From a random point to the best of its neighbours, as long as one is better.
search.strategy("mine", "to the best neighbour, again and again", {}, function(run)
    while true do
        local p = run.points:at(run:random(run.points.count))
        local cost = run:try(p).cost
        repeat
            local near, better = run.points:near(p), nil
            for i, trial in ipairs(run:try(near)) do
                if trial.cost < cost then better, cost = near[i], trial.cost end
            end
            p = better or p
        until not better
    end
end)

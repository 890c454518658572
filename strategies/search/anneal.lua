-- anneal: simulated annealing: a random neighbour is taken when it is better, or with a probability that falls with how much
-- worse it is and with the temperature. Times are compared by ratio, so that the temperature has no unit. Neighbours have the
-- same structure; now and then it looks at any point instead, so that others are reached.

require("run").strategy("anneal", "simulated annealing over neighbours",
                               {temperature = 0.5, cooling = 0.95, coldest = 0.01, stuck = 20, jump = 0.2}, function(run, options)
    local points = run.points
    local draw = run:shuffled(points.count)
    while true do
        local k = draw()
        if not k then return end
        local p = points:at(k)
        local now = run:try(p)
        local heat, since = options.temperature, 0
        while since < options.stuck do
            local near = points:near(p)
            if #near == 0 then break end
            local k = run:random() < options.jump and draw()
            local q = k and points:at(k) or near[run:random(#near)]
            local trial = run:try(q)
            local worse = not now.ok and 0 or trial.ok and math.log(trial.cost / now.cost) or math.huge
            if worse <= 0 or run:random() < math.exp(-worse / heat) then
                since = worse < 0 and 0 or since + 1
                p, now = q, trial
            else
                since = since + 1
            end
            heat = math.max(options.coldest, heat * options.cooling)
        end
    end
end)

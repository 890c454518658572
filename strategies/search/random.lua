-- random: points drawn without replacement, all equally likely.

require("run").strategy("random", "points drawn at random, none twice", {}, function(run)
    local next_number, list = run:shuffled(run.points.count), {}
    for k in next_number do
        list[#list + 1] = run.points:at(k)
        if #list == run.lot then
            run:try(list)
            list = {}
        end
    end
    if #list > 0 then run:try(list) end
end)

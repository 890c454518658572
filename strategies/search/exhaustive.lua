-- exhaustive: every point, in order.

require("run").strategy("exhaustive", "every point in order", {from = 1, step = 1}, function(run, options)
    local list = {}
    for k = options.from, run.points.count, options.step do
        list[#list + 1] = run.points:at(k)
        if #list == run.lot then
            run:try(list)
            list = {}
        end
    end
    if #list > 0 then run:try(list) end
end)

-- exhaustive: every point, in order.

require("run").strategy("exhaustive", "every point in order", {from = 1, step = 1}, function(run, options)
    local k = options.from - options.step
    run:try_all(function()
        k = k + options.step
        return k <= run.points.count and k or nil
    end)
end)

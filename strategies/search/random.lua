-- random: points drawn without replacement, all equally likely.

require("run").strategy("random", "points drawn at random, none twice", {}, function(run) run:try_all(run:shuffled(run.points.count)) end)

-- descent: the Monte-Carlo descent of ICFP'15 section 6.1 over derivations, rules and parameters together. "The rule
-- that promises the best performance following the Monte-Carlo descent is chosen and the resulting derivation fixed
-- and used as a starting point for the next random walk. This process is repeated until we reach a terminal
-- expression." Then it begins again at the root, with what it remembers (walks.lua).

local search = require "walks"

local IDLE = 50                          -- descents that try nothing new, until it ends

-- The cost of a version that a walk along that path led to.
local function judge(d, path, v)
    local trial = d.tried[v.hash]
    if not trial then
        trial = d.run:try(v)
        d.tried[v.hash], d.new = trial, true
    end
    d.walks:learn(path, trial.cost)
    return trial.cost
end

-- From the root to a version that runs: some random walks, then the next move of the best of them is fixed.
local function descend(d, root, options)
    local fixed, best, least = {root}, nil, math.huge
    d.new = false
    repeat
        d.run:fixed(#fixed - 1)
        for _ = 1, fixed[#fixed].low and options.values or options.walks do
            local path, v = d.walks:down(fixed)
            if not v then break end
            local cost = judge(d, path, v)
            if not best or cost < least then best, least = path, cost end
        end
        if not best then return end
        fixed[#fixed + 1] = best[#fixed + 1]
    until #fixed >= #best
end

local function descent(run, options)
    search.needs_versions(run)
    local d = {run = run, walks = search.walks(run, options), tried = {}}
    local default, root = run.version:lowered(), search.derivations(run.version, options.rules)
    if default and not search.has_open(default) then judge(d, {}, default) end
    local idle = 0
    while root and idle < IDLE do
        descend(d, root, options)
        idle = d.new and 0 or idle + 1
    end
end

require("run").strategy("descent", "random walks over rules and parameters; the move that promises best is fixed, one after another",
                {walks = 5, values = 3, rules = 1, wide = 1.5, curious = 0.3, tired = 0.2}, descent)

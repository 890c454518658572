-- descent: the Monte-Carlo descent of ICFP'15 section 6.1 over derivations, rules and parameters together.
-- From where it is, random walks go down the tree of derivations (tree.lua) to versions that run. What they cost
-- is remembered along their way: where a walk comes by again, a bandit chooses between what promised well and what
-- was tried little. The next move of the best walk of this descent is fixed, and the search goes on from there; at
-- the end of a derivation it begins again at the root, with what it remembers.

local engine = engine
local search = engine.search
local huge = math.huge

local DEAD_ENDS, WALKS, IDLE = 10, 20, 50        -- a walk gives up; walks until one ends; descents that try nothing new

local GAIN = 0.98                        -- what is not better by that much is no progress

local function add(node, visits, cost)
    node.visits = (node.visits or 0) + visits
    if cost < GAIN * (node.least or huge) then node.progress = node.visits end
    node.least = math.min(node.least or huge, cost)
end

-- What a node promises: the best below it, as a share of the best of all, less the longer nothing better was found there;
-- and more where it was visited seldom. Else all values of parameters that hardly matter would be tried.
local function promise(node, below, d)
    local share = (below.least or huge) < huge and d.least / below.least or 0
    local idle = below.visits - (below.progress or 0)
    return share / (1 + d.options.tired * idle) + d.options.curious * math.sqrt(math.log(math.max(1, node.visits)) / below.visits)
end

-- The node below where a walk goes on: a new one as long as there are few for the visits; nil: there is none.
local function choose(d, node)
    local known = node:known()
    local fresh = #known <= d.options.wide * (node.visits or 0) ^ 0.5 and node:fresh(d.run)
    if fresh then return fresh end
    local best, most
    for _, below in ipairs(known) do
        local x = (below.visits or 0) == 0 and huge or promise(node, below, d)
        if not best or x > most then best, most = below, x end
    end
    return best or node:fresh(d.run)
end

-- One walk down from the last node of a path: the whole path and the version it leads to, which is left out of the
-- tree from then on; the path alone: it gave up; nil: nothing is left below.
local function walk_once(d, prefix)
    local path, dead = table.move(prefix, 1, #prefix, 1, {}), 0
    while true do
        local node = path[#path]
        local v = node:leaf()
        if v and #path > 1 then path[#path - 1]:remove(node) end
        if v then return path, v end
        local below = choose(d, node)
        if below then path[#path + 1] = below
        else
            if #path > 1 then path[#path - 1]:remove(node) end
            if #path == #prefix then return nil end
            path[#path], dead = nil, dead + 1
            if dead == DEAD_ENDS then return path end
        end
    end
end

local function walk(d, prefix)
    for _ = 1, WALKS do
        local path, v = walk_once(d, prefix)
        if v or not path then return path, v end
        for _, node in ipairs(path) do add(node, 0.2, huge) end
    end
end

-- The cost of what a walk led to, remembered along it.
local function judge(d, path, v)
    local trial = d.tried[v.hash]
    if not trial then
        trial = d.run:try(v)
        trial.fixed = d.fixed            -- so many moves were settled on then
        d.tried[v.hash], d.new = trial, true
    end
    d.least = math.min(d.least, trial.cost)
    for _, node in ipairs(path) do add(node, 1, trial.cost) end
    return trial.cost
end

-- From the root to a version that runs, one move fixed after another.
local function descend(d, root)
    local prefix, best, least = {root}, nil, huge
    d.fixed, d.new = 0, false
    repeat
        for _ = 1, prefix[#prefix].low and d.options.values or d.options.walks do
            local path, v = walk(d, prefix)
            if not v then break end
            local cost = judge(d, path, v)
            if not best or cost < least then best, least = path, cost end
        end
        if not best then return end
        d.fixed = d.fixed + 1
        prefix[#prefix + 1] = best[#prefix + 1]
    until #prefix >= #best
end

local function descent(run, options)
    local structure = run.points and run.points.structures and run.points.structures[1]
    if structure and search.is_recorded(structure) then error("it makes versions of its own, which no recording has", 0) end
    local d = {run = run, options = options, least = huge, tried = {}, fixed = 0}
    local default, root = run.version:lowered(), search.derivations(run.version, options.rules)
    if default and not search.has_open(default) then judge(d, {}, default) end
    local idle = 0
    while root and idle < IDLE do
        descend(d, root)
        idle = d.new and 0 or idle + 1
    end
end

search.strategy("descent", "random walks over rules and parameters; the move that promises best is fixed, one after another",
                {walks = 5, values = 3, rules = 1, wide = 1.5, curious = 0.3, tired = 0.2},
                descent)

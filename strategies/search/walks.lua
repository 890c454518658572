-- walks: random walks down a tree of derivations (tree.lua), which remember what they led to. Where a walk comes by again, a
-- bandit chooses between what promised well and what was tried little. For strategies:
--     walks = search.walks(run, {wide =, curious =, tired =})
--     path, version = walks:down(path)   path[1] is a root of search.derivations
--     walks:learn(path, cost)

local search = require "tree"
local huge = math.huge

local DEAD_ENDS, WALKS = 10, 20          -- a walk gives up; walks until one ends
local GAIN = 0.98                        -- what is not better by that much is no progress

local Walks = {}
Walks.__index = Walks

-- wide: how many moves are looked at for the square root of the visits; curious: what a move gains that was seldom
-- made; tired: what one loses for each visit since something better was found below it
function search.walks(run, options)
    options = options or {}
    return setmetatable({run = run, wide = options.wide or 1.5, curious = options.curious or 0.3, tired = options.tired or 0.2,
                         least = huge}, Walks)
end

local function remember(node, visits, cost)
    node.visits = (node.visits or 0) + visits
    if cost < GAIN * (node.least or huge) then node.progress = node.visits end
    node.least = math.min(node.least or huge, cost)
end

-- What a walk along that path led to.
function Walks.learn(w, path, cost)
    w.least = math.min(w.least, cost)
    for _, node in ipairs(path) do remember(node, 1, cost) end
end

-- What a node promises: the best below it, as a share of the best of all, less the longer nothing better was found there;
-- and more where it was visited seldom. Else all values of parameters that hardly matter would be tried.
local function promise(w, node, below)
    if (below.visits or 0) == 0 then return huge end
    local share = (below.least or huge) < huge and w.least / below.least or 0
    local idle = below.visits - (below.progress or 0)
    return share / (1 + w.tired * idle) + w.curious * math.sqrt(math.log(math.max(1, node.visits)) / below.visits)
end

-- The node below where a walk goes on: a new one as long as there are few for the visits.
local function choose(w, node)
    local known = node:known()
    local fresh = #known <= w.wide * (node.visits or 0) ^ 0.5 and node:fresh(w.run)
    if fresh then return fresh end
    local best, most
    for _, below in ipairs(known) do
        local x = promise(w, node, below)
        if not best or x > most then best, most = below, x end
    end
    return best or node:fresh(w.run)
end

-- One walk down from the last node of a path: the whole path and the version it leads to, which is left out of the
-- tree from then on; the path alone: it gave up; nil: nothing is left below.
local function walk(w, prefix)
    local path, dead = table.move(prefix, 1, #prefix, 1, {}), 0
    while true do
        local node, above = path[#path], path[#path - 1]
        local v = node:leaf()
        local below = not v and choose(w, node)
        if below then path[#path + 1] = below
        else
            if above then above:remove(node) end
            if v then return path, v end
            if #path == #prefix then return nil end
            path[#path], dead = nil, dead + 1
            if dead == DEAD_ENDS then return path end
        end
    end
end

-- Walks down from the last node of a path until one ends: the whole path and a version to run; nil: none did.
function Walks.down(w, prefix)
    for _ = 1, WALKS do
        local path, v = walk(w, prefix)
        if v then return path, v end
        for _, node in ipairs(path or {}) do remember(node, 0.2, huge) end
        if not path then return nil end
    end
end

return search

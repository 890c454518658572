-- descent: the Monte-Carlo descent of ICFP'15 section 6.1 over derivations, rules and parameters together.
-- From the current version, each of some moves is judged by random walks that start with it: a few moves
-- more, `lower`, parameters at random, a run. The move that led to the fastest is fixed, and the search goes
-- on from there until nothing applies.

local engine = engine
local search = engine.search

-- Moves: strategies that are tried at all places, besides search.macros. A user may change the list.
search.moves = {
    "reduceSeq", "reduceMapFusion", "mapFusion", "mapWorkgroup(0)", "mapWorkgroup(1)", "mapLocal(0)",
    "mapGlobal(0)", "mapSeq",
    "vectoriseFold(4)", "vectoriseFold(16)", "unrollReduce", "accumulateInItem", "vectorise(4)", "vectorise(16)",
}

local function places(v)
    local list = {}
    for _, place in ipairs(v:places("_") or {}) do list[#list + 1] = place end
    return list
end

-- All (strategy, place) pairs worth a try, in a fixed order. What is no strategy of this session is left out.
local function candidates(v)
    local list = {}
    for _, place in ipairs(places(v)) do
        for _, text in ipairs(search.moves) do list[#list + 1] = {text = text, place = place} end
        for _, m in ipairs(search.macros or {}) do
            if type(m.text) == "string" then list[#list + 1] = {text = m.text, place = place} end
        end
    end
    return list
end

local function shuffle(run, list)
    for i = #list, 2, -1 do
        local k = run:random(i)
        list[i], list[k] = list[k], list[i]
    end
    return list
end

-- Up to `count` versions one move away, no two equal, chosen at random.
local function steps(run, v, count)
    local found, seen = {}, {[v.hash] = true}
    for _, move in ipairs(shuffle(run, candidates(v))) do
        if #found == count then break end
        local w = v:try(move.text, {at = move.place})
        if w and not seen[w.hash] then
            seen[w.hash] = true
            found[#found + 1] = w
        end
    end
    return found
end

-- A version to run: v lowered, its parameters at random. nil: it cannot be lowered, or no parameters are legal.
local function finished(run, v)
    local low = v:lowered()
    if not low then return nil end
    local open
    for _, value in engine.safe.pairs(low.params) do open = open or not value end
    if not open then return low end
    local space = low:space()
    if not space or space.count == 0 then return nil end
    return (low:with(space:at(run:random(space.count))))
end

-- The cost of the best of some walks that start at v; nil: none came to a valid kernel.
local function promise(run, v, options)
    local best
    for walk = 1, options.walks do
        local w = v
        for _ = 1, walk == 1 and 0 or run:random(options.depth + 1) - 1 do w = steps(run, w, 1)[1] or w end
        local low = finished(run, w)
        local trial = low and run:try(low)
        if trial then run.walks, trial.fixed = run.walks + 1, run.fixed end      -- so many moves were settled on then
        if trial and trial.cost < (best or math.huge) then best = trial.cost end
    end
    return best
end

-- Are the points recorded ones? A descent makes versions, which no recording has.
local function is_recorded(points)
    local s = points and points.structures and points.structures[1]
    return s and not (rawget(s, "light") or rawget(s, "version"))
end

local function descent(run, options)
    if is_recorded(run.points) then error("it makes versions of its own, which no recording has", 0) end
    while true do
        local v, fixed = run.version, 0
        run.walks, run.fixed = 0, 0
        promise(run, v, {walks = 1, depth = 0})
        for _ = 1, options.levels do
            local chosen, least
            for _, w in ipairs(steps(run, v, options.moves)) do
                local cost = promise(run, w, options)
                if cost and (not least or cost < least) then chosen, least = w, cost end
            end
            if not chosen then break end
            v, fixed = chosen, fixed + 1
            run.fixed = fixed
        end
        if fixed == 0 and run.walks <= 1 then return end         -- no move leads anywhere
    end
end

search.strategy("descent", "random walks over rules and parameters; the move that promises best is fixed, one after another",
                {walks = 2, moves = 4, depth = 3, levels = 12}, descent)

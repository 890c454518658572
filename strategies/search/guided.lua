-- guided: the cost model chooses what to measure, what is measured corrects the model (pool.lua). First it goes down
-- in the predictions alone, from random points of each structure to their neighbours; of what it finds there the best
-- predicted are measured, and some of other structures, as the model may be wrong. Then, batch for batch: neighbours
-- of the fastest so far, the best predicted of all, and some at random.

local search = require "pool"
require "tree"

-- What is there without a search comes first: it needs no planning, and the search has to be better. Recordings lack it.
local function try_default(run)
    local structure = run.points.structures and run.points.structures[1]
    if not run.version or structure and search.is_recorded(structure) then return end
    local default = search.default_of(run.version)
    if default and not search.has_open(default) then run:try(default) end
end

-- Some of a ranked list at random, of its first so many.
local function take_random(run, batch, ranked, count, among)
    for _ = 1, math.min(count, #ranked) do
        local e = table.remove(ranked, run:random(math.max(1, math.min(among, #ranked))))
        search.take(batch, {e}, 1)
    end
end

local function first_batch(run, pool, options)
    local ranked, others, seen = pool:ranked(), {}, {}
    local spread = math.floor(options.first * options.others)
    local batch = search.take({}, ranked, options.first - spread, 2)
    for _, e in ipairs(batch) do seen[e.p.structure] = true end
    for _, e in ipairs(ranked) do        -- the best of each other structure
        if not seen[e.p.structure] then others[#others + 1], seen[e.p.structure] = e, true end
    end
    take_random(run, batch, others, spread, #others // 4)
    return search.take(batch, ranked, options.first - #batch)
end

local function next_batch(run, pool, options)
    local batch, ranked = {}, pool:ranked()
    local lots = math.floor(options.batch * options.random + run:random())
    for _, e in ipairs(pool:fastest()) do
        local open = pool:ranked(pool:near(e))
        search.take(batch, open, math.max(1, (options.batch - lots) // 2))
        if #open > 0 then break end
    end
    search.take(batch, ranked, options.batch - lots - #batch)
    take_random(run, batch, ranked, lots, #ranked // 2)
    return batch
end

local function guided(run, options)
    try_default(run)
    options.batch = math.max(options.batch, 2 * run.workers)             -- none of them waits
    local pool = search.pool(run, options)
    pool:sample(options.sample, options.each)
    for _ = 1, options.rounds do
        if not pool:descend(options.wide, 2) then break end
    end
    run:tell(("of %d points the first %d are built and run"):format(#pool.entries, options.first))
    pool:try(first_batch(run, pool, options))
    while true do
        pool:descend(options.wide)
        local batch = next_batch(run, pool, options)
        if #batch > 0 then pool:try(batch)
        elseif not pool:sample(options.batch) then return end
    end
end

require("run").strategy("guided", "the cost model chooses; what is measured corrects it; then neighbours of the best",
                {sample = 400, each = 3, rounds = 12, first = 8, others = 0.25, batch = 5, random = 0.2, ridge = 4, wide = 8,
                 prior = 1}, guided)

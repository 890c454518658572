-- saturation: structures out of an e-graph (core/egraph): what all rules together make of the program, apart from each other, and lowered.
-- The cost model ranks them as guided does the structures of macro rules.

local engine, base, search, run = require "engine", require "base", require "pool", require "run"
local lists = require "lists"

local function derivation_of(steps)
    return table.concat(lists.map(steps, function(step) return search.at_place(step.call, step.place) end), " * ")
end

-- What lower makes of a variant, as a structure; nil: nothing, nothing new, or nothing that a device takes.
local function structure_of(v, steps, taken)
    local made = v:try(derivation_of(steps))
    local low = made and made:lowered()
    if not low or taken[low.hash] then return nil end
    taken[low.hash] = true
    local space = search.space_of(low, {limits = search.limits_of(engine.on_gpu() and "gpu" or "cpu")})
    if not space or space.count == 0 then return nil end
    local derivation = engine.derivation(low)
    return {label = search.label_of(v.program, derivation, taken), version = low, light = low, calls = {}, derivation = derivation, space = space}
end

run.strategy("saturation", "what all rules together make of the program, apart from each other; the cost model ranks it as guided does",
             {variants = 24, wide = 12, nodes = 4000, seconds = 5}, function(r, options)
    search.needs_versions(r)
    local default, structures, taken = search.default_of(r.version), {}, {}
    if default then taken[default.hash] = true end
    r:tell("the e-graph grows")
    local variants = assert(engine.variants(r.version, options.variants, options.wide, options.nodes, options.seconds))
    for i, steps in ipairs(variants) do
        r:tell(("variant %d of %d is lowered"):format(i, #variants))
        structures[#structures + 1] = structure_of(r.version, steps, taken)
    end
    local guided = run.find_strategy("guided")
    guided.body(setmetatable({points = search.union(structures)}, {__index = r}), base.merged(guided.defaults))
end)

-- presets: other data for the exploration under a name (`search rules --set preset=NAME`): what a preset does not say stays.

local base, bad, search = require "base", require("objective").bad, require "structures"
require "mappings"

local function anywhere() return true end

search.presets = {
    -- GPGPU'16, section 5: four macro rules at all places in any order, among them places where they make nothing that a GPU is
    -- faster with; then a limit for the depth of nests, and the distance of addition and multiplication; blocks are not asked for.
    -- Each macro rule goes as far as it must to be applied, as theirs do; the fusion that 1D and 2D blocking begin with is one here.
    gpgpu16 = {
        heuristics = {macros = 5, terms = 50000, depth = 5, pruned = false, accumulators = 0},
        macros = {
            {name = "fusion", text = "reduceSeq * reduceMapFusion", fits = anywhere, most = 1},
            {name = "1D blocking", text = "blockFoldRows + blockMapIntoReduce", fits = anywhere, most = 4},
            {name = "2D blocking", text = "blockFold", fits = anywhere, most = 4},
            {name = "tiling", text = "tile", fits = anywhere, most = 4},
            {name = "1D tiling", text = "splitJoin", fits = anywhere, most = 4},
            {name = "tiling of the innermost loop", text = "tileFold * try(foldOutOfMap * try(foldOutOfMap))",
             fits = anywhere, most = 4},
        },
    },
}

-- with_preset(name, f, ...): f(...) with that preset in place of what is there, which comes back afterwards. nil: as it is.
function search.with_preset(name, f, ...)
    local preset, before = search.presets[name], {heuristics = search.heuristics, macros = search.macros, schemes = search.schemes}
    if not name then return f(...) end
    if not preset then
        bad("there is no preset " .. name, {{"known", table.concat(base.keys(search.presets), ", ")}})
    end
    search.heuristics = base.merged(search.heuristics, preset.heuristics)
    search.macros, search.schemes = preset.macros or search.macros, preset.schemes or search.schemes
    return base.finally(function()
        search.heuristics, search.macros, search.schemes = before.heuristics, before.macros, before.schemes
    end, f, ...)
end

return search

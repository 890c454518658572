-- mappings: the OpenCL variants of algorithmic ones (GPGPU'16 section 5.2): a scheme maps the nest to
-- work-groups, work-items and loops, and puts operands and accumulators into memories. A scheme is a list of
-- phases, a phase a list of strategies one of which is applied; where one fails, what would follow it is not
-- there, and the failure is counted.

local engine, base, texts, blocking = require "engine", require "base", require "texts", require "blocking"
local search, map = require "structures", require("lists").map
local evaluate, is_map, any = texts.to_strategy, blocking.is_map, search.first

-- shapes

local function is_fold(t) return t.prim == "reduceSeq" end
local function outer_fold(t) return is_fold(t) and any(t:slot("f"), is_fold) ~= nil end
local function of_tiles(root)
    local fold = any(root, outer_fold)
    return fold and any(fold:slot("f"), function(t) return is_map(t) and any(t:slot("f"), is_map) ~= nil end) ~= nil
end
local function of_blocks(root)
    local fold = any(root, is_fold)
    return fold ~= nil and not any(root, outer_fold) and any(fold:slot("f"), is_map) ~= nil
end

-- The number of work-items of a group in dimension 0, as text.
local function items(root)
    local map = any(root, function(t) return t.prim == "mapLocal" and t:static(1).value == 0 end)
    return map and tostring(map.length) or nil
end

-- A copy of a tile by the work-items of a group, w elements each; those of dimension 0 side by side.
local function copy(rule, w)
    local name = rule .. "(" .. w .. ")"
    return {name = name, text = function(root)
        local l = items(root)
        return l and "outermost(outerFold, " .. rule .. "{w=" .. w .. ', l="' .. l .. '"})'
    end}
end

-- phases that schemes share

local function copies(w) return {"", copy("tileLocalSecond", w)}, {"", copy("tileLocalFirst", w), copy("tileLocalFirstT", w)} end
local tile_items = {"itemsOf", "itemsOf(8)"}
local tile_sums = {"outermost(outerFold, accInItems4(4) + accInItems3 + accInItems2)"}
local prefetch = {"", "outermost(outerFold, prefetch)"}

local function mapped(rule, d) return "outermost(computes, " .. rule .. "(" .. d .. "))" end
local group, group2 = {mapped("mapWorkgroup", 0)}, {mapped("mapWorkgroup", 1) .. " * " .. mapped("mapWorkgroup", 0)}
local item = {mapped("mapLocal", 0)}
local item2 = {mapped("mapLocal", 1) .. " * " .. mapped("mapLocal", 0),
               mapped("mapLocal", 0) .. " * " .. mapped("mapLocal", 1)}
local global, global2 = {mapped("mapGlobal", 0)}, {mapped("mapGlobal", 1) .. " * " .. mapped("mapGlobal", 0)}
local sums = {"normalize(reduceSeq + zipMap + reduceMapFusion)", "normalize(reduceSeq + zipMap + reduceMapFusion + reduceUnroll)"}
local local_windows = {"", 'topdown(where(is("slide"), slot("in", copyLocal)))',
                       'topdown(where(is("slide"), slot("in", copyLocalColumns)))'}
local edges = {"", "peelEdges"}

local function each(form, values) return map(values, function(w) return w == 0 and "" or form:format(w) end) end
local short, wide = {0, 2, 4}, {0, 4, 8, 16}
local function vector_maps(widths) return each("innermost(computes, mapVectorise(%d))", widths) end
local function columns(widths) return each("outermost(computes, vectoriseColumns(%d))", widths) end
local function vector_sums(widths) return each("vectoriseFold(%d)", widths) end
local function trees(w) return map({"", ", 4", ", 16", ", 8, 8"}, function(rest) return "treeReduce(" .. w .. rest .. ")" end) end
local again = {"", "reduceChunks * " .. group[1]
    .. " * reduceLanes * vectoriseFold(4) * accumulateInItems * treeReduce(4, 16)"}
local total = {"topdown(reduceSeq)"}
local side_by_side = {"",
    'innermost(computes, splitJoin * slot("in", mapInterchangeInner * slot("in", slot("f", mapSeqUnroll) * mapSeq)))'}
local stream = {"", "outermost(computes, toGlobalStream)"}

-- what they fit

local function top_reduction(t) return t.prim == "reduce" and not t.is_array end
local function has_map(t) return any(t, is_map) ~= nil end
local function over_windows(t) return any(t, function(x) return x.prim == "slide" end) ~= nil end
local function lane_sum(t) return t.prim == "reduce" and t:slot("in").prim == "reduceSeq" and is_map(t:slot("in"):slot("f")) end
local function lanes(t) return any(t, lane_sum) ~= nil end
local function row_sums(t)
    return any(t, function(x)
        local row = blocking.partner(x)
        return row and lane_sum(row)
    end) ~= nil
end
local function row_chunks(t) return any(t, function(x) return is_map(x) and row_sums(x:slot("f")) end) ~= nil end
local function chunk_lanes(t) return top_reduction(t) and has_map(t) and lanes(t) end
local function row_lanes(t) return not top_reduction(t) and not over_windows(t) and has_map(t) and lanes(t) end
local function plain(t)
    return not top_reduction(t) and not lanes(t) and (search.measures(t).accumulators or 0) == 0 and has_map(t)
end
local function plain_maps(t) return plain(t) and not any(t, function(x) return x.prim == "reduce" or is_fold(x) end) end
local function plain_loops(t) return plain(t) and not over_windows(t) and not plain_maps(t) end
local function loops_over(fits)        -- a map that folds for each element, which a vector may have several of
    return function(t)
        return plain_loops(t) and any(t, function(x) return is_map(x) and fits(x) and any(x:slot("f"), is_fold) ~= nil end) ~= nil
    end
end
local scalar_loops = loops_over(function(map) return map:slot("in").rank == 1 end)
local column_loops = loops_over(function(map) return map.rank == 1 and map:slot("in").prim == "transpose" end)
local function windows(t) return plain(t) and over_windows(t) end
local function chunks(t) return top_reduction(t) and not lanes(t) and search.measures(t).accumulators == 0 and has_map(t) end

-- A scheme: name, device, fits(term), phases.
search.schemes = {}
local function scheme(device, name, fits, ...)
    table.insert(search.schemes, {device = device, name = name, fits = fits, phases = {...}})
end

local second2, first2 = copies(2)
local second4, first4 = copies(4)
scheme("gpu", "tiles, copies in vectors of 2", of_tiles, tile_items, second2, first2, tile_sums, prefetch)
scheme("gpu", "tiles, copies in vectors of 4", of_tiles, tile_items, second4, first4, tile_sums, prefetch)
scheme("gpu", "a block an item, no local memory", of_blocks, {"globalItemsOf"},
       {"", "innermost(innerFold, operandsPrivate(4))"},
       {"innermost(innerFold, accPrivateRows(4))", "innermost(innerFold, accPrivate2)"})
for _, w in ipairs({2, 4}) do
    local of = ", sums in vectors of " .. w
    scheme("gpu", "a chunk a group" .. of, chunk_lanes, vector_sums({w}), group, {"accumulateInItems"}, trees(w), again,
           total)
    scheme("gpu", "a row a group" .. of, row_lanes, vector_sums({w}), group, {"accumulateInItems"}, trees(w))
    scheme("gpu", "rows of a group in one fold" .. of, row_chunks, vector_sums({w}), group,
           {"outermost(computes, mapSeqUnroll)"}, {"rowsInItems"}, trees(w))
end
scheme("gpu", "chunks in global items", chunks, global, total)
scheme("gpu", "maps in global items", plain_maps, vector_maps(short), global)
scheme("gpu", "maps in groups", plain_maps, vector_maps(short), group, item)
scheme("gpu", "loops in global items", plain_loops, global, sums)
scheme("gpu", "loops in groups", plain_loops, group, item, sums)
scheme("gpu", "loops in vectors in global items", scalar_loops, vector_maps({2, 4}), global, sums)
scheme("gpu", "columns in vectors in global items", column_loops, columns({2, 4}), global, sums)
scheme("gpu", "windows in global items", windows, global, sums)
scheme("gpu", "windows in global items, 2D", windows, global2, sums)
scheme("gpu", "windows in groups", windows, group, item, local_windows, sums)
scheme("gpu", "windows in groups, 2D", windows, group2, item2, local_windows, sums)

local function blocks_or_tiles(t) return of_blocks(t) or any(t, outer_fold) ~= nil end
local registers = "innermost(innerFold, accPrivate2)"
local in_result = registers .. " * outermost(outerFold, accGlobal4 + accGlobal3)"
scheme("cpu", "one item a group, blocks", blocks_or_tiles, {"groupsOf"}, {registers, in_result})
for _, w in ipairs({4, 8, 16}) do
    scheme("cpu", "one item a group, blocks, vectors of " .. w, blocks_or_tiles, {("vectoriseBlock(%d)"):format(w)},
           {"groupsOf"}, {registers, in_result, ("cpuMemory(%d)"):format(w), ("cpuPanels(%d)"):format(w)})
end
scheme("cpu", "one item a group, sums side by side", chunk_lanes, vector_sums(wide), {"unrollReduce"}, {"accumulateInItem"}, group, total)
scheme("cpu", "one item a group, rows", row_lanes, vector_sums(wide), {"unrollReduce"}, {"accumulateInItem"}, group)
scheme("cpu", "one item a group, rows in one fold", row_chunks, vector_sums(wide),
       {'outermost(computes, slot("f", outermost(computes, mapSeqUnroll)) * splitJoin'
        .. ' * slot("in", slot("f", mapSeq) * mapWorkgroup(0)))'},
       {"rowsInItem"}, {"unrollReduce"})
scheme("cpu", "one item a group, chunks in one fold", chunk_lanes, vector_sums(wide), {"chunksInItem"},
       {"unrollReduce"}, total)
scheme("cpu", "one item a group, chunks", chunks, group, total)
scheme("cpu", "one item a group, maps", plain_maps, stream, vector_maps(wide), side_by_side, group)
scheme("cpu", "one item a group, loops", plain_loops, group, sums)
scheme("cpu", "loops in global items", plain_loops, global, sums)
local wide_maps = vector_maps({4, 8, 16})
scheme("cpu", "one item a group, loops in vectors", scalar_loops, wide_maps, group, sums)
scheme("cpu", "loops in vectors in global items", scalar_loops, wide_maps, global, sums)
local wide_columns = columns({4, 8, 16})
scheme("cpu", "one item a group, columns in vectors", column_loops, wide_columns, {"", "outermost(computes, splitJoin)"}, group,
       sums)
scheme("cpu", "columns in vectors in global items", column_loops, wide_columns, global, sums)
scheme("cpu", "windows in global items", windows, global, sums, edges)
scheme("cpu", "windows in global items, 2D", windows, global2, sums)
scheme("cpu", "one item a group, windows", windows, group, sums, edges)
scheme("cpu", "one item a group, windows, 2D", windows, group2, local_windows, sums, edges)

-- For a program that no scheme fits.
local function anything() return true end
search.fallback = {
    {device = "gpu", name = "default lowering", fits = anything, phases = {{"lowerPlain", "lowerSeq"}}},
    {device = "cpu", name = "default lowering", fits = anything, phases = {{"lowerPlain", "lowerSeq"}}},
}

-- The strategies that schemes and macro rules have as texts, each once.
local function all_texts()
    local list, seen = {}, {[""] = true}
    local function add(text)
        if type(text) == "string" and not seen[text] then list[#list + 1], seen[text] = text, true end
    end
    for _, m in ipairs(search.macros) do add(m.text) end
    for _, s in ipairs(search.schemes) do
        for _, phase in ipairs(s.phases) do
            for _, choice in ipairs(phase) do add(choice) end
        end
    end
    return list
end

-- walking the phases

local prepared = {}
local function strategy_of(text)
    prepared[text] = prepared[text] or evaluate(text)
    return prepared[text]
end

local function count(reasons, reason) reasons[reason] = (reasons[reason] or 0) + 1 end

-- The text of a choice for a term; nil: it has none there. "": nothing is done.
function search.choice_text(choice, root)
    if type(choice) == "table" then return choice.text(root) end
    return choice
end

-- Every way through the phases from the i-th on, each told to found(cursor, calls).
local function walk(cursor, calls, scheme, i, reasons, found)
    local phase = scheme.phases[i]
    if not phase then return found(cursor, calls) end
    for _, choice in ipairs(phase) do
        local text = search.choice_text(choice, cursor.root)
        if text == "" then walk(cursor, calls, scheme, i + 1, reasons, found)
        elseif text then
            local r = strategy_of(text).run(cursor)
            if r then walk(r, search.with_call(calls, text), scheme, i + 1, reasons, found)
            else count(reasons, scheme.name .. ": " .. (type(choice) == "table" and choice.name or text) .. " fails") end
        end
    end
end

-- What lowers what a scheme has left; the first that does.
search.finishes = {"normalize(where(computes, mapSeq))", "lowerSeq"}

-- The term with what is left as loops; nil: that does not lower it.
local function finished(cursor, calls)
    if engine.is_lowered(cursor.root) then return cursor, calls end
    for _, text in ipairs(search.finishes) do
        local r = strategy_of(text).run(cursor)
        if r and engine.is_lowered(r.root) then return r, search.with_call(calls, text) end
    end
end

base.name("memoryWhereNeeded", "", "memory for every array that a work-item computes and then reads: the last step of lower", "lowering",
    function() return base.new("memoryWhereNeeded", require("total").complete) end)

-- Products and sums as one operation, where that may be.
local function fused(cursor, calls)
    local r = base.library.fuseSums.run(cursor)
    if not r or r.root == cursor.root then return cursor, calls end
    return r:at(cursor), search.with_call(calls, "fuseSums")
end

-- mapped(entry, device, seen, reasons): the lowered terms of an algorithmic variant, {cursor, calls, scheme}
-- each; why others are none is counted by reason.
function search.mapped(entry, device, seen, reasons, schemes)
    local list = {}
    for _, scheme in ipairs(schemes or search.schemes) do
        if scheme.device == device and scheme.fits(entry.cursor.root) then
            walk(entry.cursor, entry.calls, scheme, 1, reasons, function(cursor, calls)
                local low, all = finished(cursor, calls)
                if not low then return count(reasons, scheme.name .. ": not lowered") end
                low, all = fused(low, all)
                local key = engine.canonical(low.root)
                if seen[key] then return count(reasons, "the same as another") end
                seen[key] = true
                list[#list + 1] = {cursor = low, calls = all, scheme = scheme.name}
            end)
        end
    end
    return list
end

return {texts = all_texts}

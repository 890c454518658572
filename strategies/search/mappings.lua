-- mappings: the OpenCL variants of algorithmic ones (GPGPU'16 section 5.2): a scheme maps the nest to work-groups, work-items and loops,
-- and puts operands and accumulators into memories. A scheme is a list of phases, a phase a list of strategies one of which is
-- applied; where one fails, what would follow it is not there, and the failure is counted.

local engine = engine
local search = engine.search
local evaluate, find = engine.to_strategy, string.find

-- shapes

local function is_map(t) return t.prim == "map" and not t.layout_function end

local function any(t, p)
    if p(t) then return t end
    for _, child in ipairs(t.children) do
        local found = any(child, p)
        if found then return found end
    end
end

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

-- schemes

local function copies(w) return {
    {"", copy("tileLocalSecond", w)},
    {"", copy("tileLocalFirst", w), copy("tileLocalFirstT", w)},
} end

local tiles = {
    {"itemsOf", "itemsOf(4)", "itemsOf(8)"},
    {"outermost(outerFold, accInItems4(4) + accInItems3 + accInItems2)"},
    {"", "outermost(outerFold, prefetch)"},
    {"normalize(mulAdd)"},
}

search.schemes = {
    {name = "tiles, copied in vectors of 2", device = "gpu", fits = of_tiles,
     phases = {tiles[1], copies(2)[1], copies(2)[2], tiles[2], tiles[3], tiles[4]}},
    {name = "tiles, copied in vectors of 4", device = "gpu", fits = of_tiles,
     phases = {tiles[1], copies(4)[1], copies(4)[2], tiles[2], tiles[3], tiles[4]}},
    {name = "blocks in global items", device = "gpu", fits = of_blocks,
     phases = {{"globalItemsOf"}, {"", "innermost(innerFold, operandsPrivate(4))"},
               {"innermost(innerFold, accPrivateRows(4))", "innermost(innerFold, accPrivate2)"}, {"normalize(mulAdd)"}}},
    {name = "one item a group, vectors", device = "cpu", fits = function(t) return any(t, is_fold) ~= nil end,
     phases = {{"", "vectoriseBlock(4)", "vectoriseBlock(8)", "vectoriseBlock(16)"}, {"groupsOf"},
               {"cpuMemory(4)", "cpuMemory(8)", "cpuMemory(16)", "innermost(innerFold, accPrivate2)"}, {"normalize(mulAdd)"}}},
}

-- walking the phases

local prepared = {}
local function strategy_of(text)
    prepared[text] = prepared[text] or evaluate(text)
    return prepared[text]
end

local function count(reasons, reason) reasons[reason] = (reasons[reason] or 0) + 1 end

-- Every way through the phases from the i-th on, each told to found(cursor, calls).
local function walk(cursor, calls, scheme, i, reasons, found)
    local phase = scheme.phases[i]
    if not phase then return found(cursor, calls) end
    for _, choice in ipairs(phase) do
        local named = type(choice) == "table"
        local text = named and choice.text(cursor.root) or not named and choice
        if text == "" then walk(cursor, calls, scheme, i + 1, reasons, found)
        elseif text then
            local r = strategy_of(text).run(cursor)
            r = r and r:at(cursor)
            if r then walk(r, search.with_call(calls, text), scheme, i + 1, reasons, found)
            else count(reasons, scheme.name .. ": " .. (named and choice.name or text) .. " fails") end
        end
    end
end

local FINISH = "normalize(where(computes, mapSeq))"

-- The term with what is left as loops; nil: that does not lower it.
local function finished(cursor, calls)
    if engine.is_lowered(cursor.root) then return cursor, calls end
    for _, text in ipairs({FINISH, "lowerSeq"}) do
        local r = strategy_of(text).run(cursor)
        r = r and r:at(cursor)
        if r and engine.is_lowered(r.root) then return r, search.with_call(calls, text) end
    end
end

-- variants(entry, device, seen): the lowered terms of an algorithmic variant as a list of {cursor, calls, scheme}; counts by reason.
function search.mapped(entry, device, seen, reasons)
    local list = {}
    for _, scheme in ipairs(search.schemes) do
        if scheme.device == device and scheme.fits(entry.cursor.root) then
            walk(entry.cursor, entry.calls, scheme, 1, reasons, function(cursor, calls)
                local low, all = finished(cursor, calls)
                if not low then return count(reasons, scheme.name .. ": not lowered") end
                local key = engine.canonical(low.root)
                if seen[key] then return count(reasons, "the same as another") end
                seen[key] = true
                list[#list + 1] = {cursor = low, calls = all, scheme = scheme.name}
            end)
        end
    end
    return list
end

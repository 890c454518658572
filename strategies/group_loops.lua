-- group_loops: loops over arrays by the work-items of a group, which keep the state where all of them reach it: no launch between the rounds of a loop,
-- and a group for each element of a map of such loops.

local engine, base, L, nests, lengths = require "engine", require "base", require "combinators", require "nests", require "lengths"
local R = base.R

local M = {}

local by_item, in_groups = R("mapLocal", {d = 0}), R("mapWorkgroup", {d = 0})
local flattened = R("rowsRejoined")

local function is_loop(t) return (t.prim == "reduceSeq" or t.prim == "scanSeq") and t:slot("init").is_array end
local function has_loop(t) return is_loop(t) or base.any(t.children, has_loop) end

-- An array that has a name, or an element of one.
local function is_read(t) return t.is_atom or t.prim == "at" and is_read(t:slot("in")) end

-- The array at q, copied element by element.
local function copied(q)
    local flat = flattened.run(q)
    local r = flat and copied(flat:go("in"))
    return r and r:at(q) or L.seq(R("copyItem"), by_item).run(q)
end
local copy = base.new("copy", copied)
local rows_copied = L.seq(R("copyItem"), R("mapSeq"), L.slot("f", copy))

-- Is anything that the loop at `loop` binds read at or below q?
local function reads_state(q, loop)
    for p in base.places(q) do
        local binder = p.term.kind == "var" and p:binder()
        if binder and binder.place == loop.place then return true end
    end
    return false
end

-- What is at q in element form, its elements and those of the arrays that it names by the work-items of a group, the named ones in `memory`, `result` run on
-- it itself. loop: of which it is the step, or nil: what is made of other elements of its state waits until all are made.
local function by_items(q, memory, loop, result)
    local top = nests.sums_in_parts(q)
    q = top
    while q and q.term.prim == "let" do
        local place = q:go("value")
        local value = place
        if not place.term:contains("mapLocal") then        -- else a loop's result, which is in memory
            value = nests.local_items(place)
            value = value and place.term.is_array and memory.run(value:at(place)) or value
            value = value and require "lower".finished(value, value)
        end
        q = value and value:at(q):go("body")
    end
    local r = q and nests.local_items(q)
    local waits = r and loop and reads_state(q, loop)
    r = r and (waits and L.seq(memory, copy) or result).run(r:at(q))
    r = r and require "lower".finished(r, r)
    return r and r:at(top)
end

local in_items, taken

-- The loop at q: its state in `memory`, and what it makes copied.
local function loop_in_items(q, memory)
    local init = in_items(q:go("init"), memory, nil, memory)
    local loop = init and init:at(q)
    local body = loop and in_items(loop:go("f"), memory, loop, L.seq())
    return body and (q.term.prim == "scanSeq" and rows_copied or copy).run(body:at(q))
end

-- The array at q by the work-items of a group, `result` run on what makes it: loops, choices between them and what they are named for; all else in element
-- form. loop: as in by_items.
function in_items(q, memory, loop, result)
    local t = q.term
    if is_read(t) then return L.seq(copy, loop and L.seq(memory, copy) or result).run(q) end
    if not has_loop(t) then return by_items(q, memory, loop, result) end
    if t.prim == "let" and t.is_array then
        local value = q:go("value")
        value = value.term.is_array and in_items(value, memory, nil, memory) or value
        local body = in_items(value:at(q):go("body"), memory, loop, result)
        return body and body:at(q)
    end
    if t.prim == "if" then
        local arm = in_items(q:go("then"), memory, loop, L.seq())
        arm = arm and in_items(arm:at(q):go("else"), memory, loop, L.seq())
        return arm and result.run(arm:at(q))
    end
    if is_loop(t) then
        local inner = loop_in_items(q, memory)
        return inner and result.run(inner)
    end
    return taken(q, memory, loop, result)
end

-- What takes arrays of loops at q: these in memory, a number of them made by every work-item, an array of them in element form.
function taken(q, memory, loop, result)
    local r = q
    for i, child in ipairs(q:children()) do
        if q.term.slots[i] ~= "f" and has_loop(child.term) then
            r = in_items(r:at(child), memory, nil, child.term.is_array and memory or L.seq())
            if not r then return nil end
            r = r:at(q)
        end
    end
    if q.term.is_array then return by_items(r, memory, loop, result) end
    return require "lower".finished(r, r)
end

-- The function of the map at q by groups, its arrays in local memory where that holds them; nil: it cannot be so.
local function map_in_groups(q)
    local map = in_groups.run(q)
    for _, memory in ipairs(map and {R("toLocal"), R("toGlobal")} or {}) do
        local r = in_items(map:go("f"), memory, nil, L.seq())
        r = r and r:at(q)
        if r and engine.kernels_of(nil, r:alone({}, {}), lengths.kind()) then return r end
    end
end

base.macro_at("loopInGroup", "", "a loop over an array by the work-items of one group, or of a group for each element of a map of loops: a round needs no launch",
    function(c)
        local t = c.term
        if t.prim == "map" then return has_loop(t:slot("f")) and map_in_groups(c) or nil end
        local once = is_loop(t) and R(t.prim == "scanSeq" and "scanInMap" or "loopInMap").run(c)
        local r = once and map_in_groups(once:go("in"))
        return r and r:at(c)
    end)

-- The shape of maps of loops, where lower asks for it.
function M.recognise(c)
    return require "lower".in_groups() and c.term.prim == "map" and has_loop(c.term:slot("f")) and L.loopInGroup or nil
end

return M

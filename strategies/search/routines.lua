-- routines: the predictor of Fousek, Filipovic and Madzin (section 4.4). An implementation of a function is what loads each of its inputs,
-- what computes, and what stores; each is timed by itself on the device, for the sizes of groups that are wanted and so much more local
-- memory than it needs, as in a fusion that takes it. A fusion takes what its transfers and its computations take together: they follow one
-- another between barriers, so that little of one is hidden by the other (the paper takes what is more: Spearman 0.89 on an H100, here 0.91).

local engine, fusion, lower = require "engine", require "fusion", require "lower"
local lists = require "lists"
local map, copy = lists.map, lists.copy

local M = {}

local PADS = {0, 8192, 16384, 32768}     -- bytes of local memory a group beside a routine's own
local TRIALS = 5

-- kernels of routines, as programs: functions of N instances that the planner's groups take like any others

-- {lengths}, scalar type of an element of an array of that type, as it prints; nil: it is no array of scalars.
local function element_of(type)
    local dims, scalar = tostring(type):match("^%[[^%]]*%]([%[%]%d]*)(%a%d+)$")
    if not dims then return nil end
    local lengths = {}
    for n in dims:gmatch("%[(%d+)%]") do lengths[#lengths + 1] = math.tointeger(n) end
    return {lengths = lengths, scalar = scalar, text = dims .. scalar}
end

local function variable(k) return "k" .. k end

-- An element made of an instance's number.
local function made(e)
    local sum = {"i"}
    for k = 1, #e.lengths do sum[#sum + 1] = variable(k) end
    local text = ("%s (%s)"):format(e.scalar, table.concat(sum, " + "))
    for k = #e.lengths, 1, -1 do text = ("map (\\%s -> %s) (iota %d)"):format(variable(k), text, e.lengths[k]) end
    return ("\\i -> %s"):format(text)
end

-- Work-items of groups with those sides for each instance, as the element of an array that all of them make.
local function lanes_of(sides)
    if #sides == 0 then return nil end
    local items = 1
    for _, n in ipairs(sides) do items = items * n end
    return items > 1 and {lengths = sides, scalar = "f32", items = items} or nil
end

local function first_of(name, e) return name .. ("[0]"):rep(#e.lengths) end

-- "(x, w)" and "x .. + w": of values and lanes, if there are any.
local function with_lanes(names, text, scalar, lanes)
    local all = copy(names, lanes and "w")
    if lanes then text = ("%s + %s (%s)"):format(text, scalar, first_of("w", lanes)) end
    return ("\\%s -> "):format(#all == 1 and all[1] or "(" .. table.concat(all, ", ") .. ")"), text
end

-- An element copied; twice it, or it would be a view that needs no copy.
local function copied(e, lanes)
    local depth = #e.lengths
    local head, text = with_lanes({"x0"}, ("x%d + x%d"):format(depth, depth), e.scalar, lanes)
    for k = depth, 1, -1 do text = ("map (\\x%d -> %s) x%d"):format(k, text, k - 1) end
    return head .. text
end

-- What is left of elements so that none of what made them can be left out.
local function looked_at(elements, lanes)
    local names = map(elements, function(_, i) return "y" .. i end)
    local sum = map(elements, function(e, i) return ("f32 (%s)"):format(first_of(names[i], e)) end)
    local head, text = with_lanes(names, table.concat(sum, " + "), "f32", lanes)
    return head .. text
end

-- The granularity of what makes or copies elements that suits so many work-items an instance.
local function items_for(e, items)
    local best, n = 1, 1
    for k = 1, math.min(2, #e.lengths) do
        n = n * e.lengths[k]
        if n <= items then best = n end
    end
    return best
end

-- The lowered kernel of the functions in that expression, each with so many work-items; input: what the first of them reads is one. nil:
-- there is none.
local function kernel(text, n, each, input)
    local c = engine.expression(text)
    if input then
        local q = c
        repeat
            q = q:go("in")
            if q.term.prim == "zip" then q = q:go("0") end
        until q.term:slot("in").prim ~= "map"
        c = c:alone({q}, {"x"})
    end
    local r = fusion.groups_of(c, n, {each = table.concat(each, " ")}).run(c)
    r = r and lower.finished(c, r)
    return r and engine.is_lowered(r.root) and r or nil
end

-- the routines that a plan's fusions need

-- What a routine is known by: what it does, and the groups that it does it in.
local function key_of(way, ...) return table.concat(copy({...}, table.concat(way.sides, "x") .. ":" .. way.n), " ") end

-- The routines of one way to make a fusion: add(key, program, {granularity of each function}, is its first array an input?).
local function routines_of(p, one, way, add)
    local N, lanes = p.functions[1].length, lanes_of(way.sides)
    local function maker(e) return ("map (%s) (iota %d)"):format(made(e), N) end
    local function routine(key, function_text, arrays, each, last, before, input)
        local all = copy(arrays, lanes and "(" .. maker(lanes) .. ")")
        local text = #all == 1 and all[1] or "zip " .. table.concat(all, " ")
        local names = copy(copy(each, lanes and tostring(lanes.items)), last)
        add(key, ("%smap (%s) (%s)"):format(before or "", function_text, text), way.n, names, input)
    end
    local scalar = {lengths = {}, scalar = "f32", text = "f32"}
    routine(key_of(way, "base"), copied(scalar, lanes), {"(" .. maker(scalar) .. ")"}, {"1"}, "1")
    for k, m in ipairs(one.members) do
        local v, x = p.functions[m], way.made[k]
        local each, lets, arrays = {}, {}, {}
        for i, e in ipairs(v.elements) do
            each[i], lets[i], arrays[i] = tostring(items_for(e, x.items)), ("let in%d = %s in "):format(i, maker(e)), "in" .. i
            if not one.traffic.kept[m][i] then
                routine(key_of(way, "load", e.text, each[i]), looked_at({e}, lanes), {("(map (%s) (%s))"):format(copied(e), maker(e))}, {each[i]}, "1", nil, true)
            end
        end
        local out, before = v.result, table.concat(lets)
        local t = tostring(items_for(out, x.items))
        if not one.traffic.stays[m] then routine(key_of(way, "store", out.text, t), copied(out, lanes), {"(" .. maker(out) .. ")"}, {t}, t) end
        routine(key_of(way, "inputs", m, x.name), looked_at(v.elements, lanes), arrays, each, "1", before)
        routine(key_of(way, "compute", m, x.name), looked_at({out}, lanes), {"(" .. v.body .. ")"}, copy(each, x.name), "1", before)
    end
end

-- Every routine of p, {key =, cursor =} each, by what it does.
local function all_routines(p)
    local list, seen = {}, {}
    for _, one in ipairs(p.fusions) do
        for _, way in ipairs(one.ways) do
            routines_of(p, one, way, function(key, ...)
                if seen[key] then return end
                seen[key] = true
                local c = kernel(...)
                if c then list[#list + 1] = {key = key, cursor = c, group = {way.sides[2] or 1, way.sides[1] or 1, way.n}} end
            end)
        end
    end
    table.sort(list, function(a, b) return a.key < b.key end)
    return list
end

-- prediction

-- The time of a routine with that much local memory in its group, between those that were measured; nil: it has none.
local function time_of(times, bytes)
    if not times or times[1] == 0 then return nil end
    local more = math.max(0, bytes - times.local_bytes)
    local before, after
    for i, pad in ipairs(times.pads) do
        if times[i] > 0 and pad <= more then before = i end
        if times[i] > 0 and pad >= more then after = after or i end
    end
    if not before or not after or before == after then return times[before or after] end
    local share = (more - times.pads[before]) / (times.pads[after] - times.pads[before])
    return times[before] + share * (times[after] - times[before])
end

-- ns of a fusion made that way; nil: one of its routines has no time. What groups take to begin hides what is shorter, so a transfer takes
-- what is seen of it, and no less than as many bytes take at the best: fastest, ns a byte.
local function predicted(p, one, way, times, fastest)
    local bytes = one.traffic.near / p.functions[1].length * way.n
    local base = time_of(times[key_of(way, "base")], 0)
    local moved, computed, known = 0, 0, base ~= nil
    local function take(...)
        local ns = time_of(times[key_of(way, ...)], bytes)
        known = known and ns ~= nil
        return ns or 0
    end
    local function transfer(size, ...) moved = moved + math.max(take(...) - (base or 0), size * fastest) end
    for k, m in ipairs(one.members) do
        local v, x = p.functions[m], way.made[k]
        for i, e in ipairs(v.elements) do
            if not one.traffic.kept[m][i] then transfer(v.inputs[i].bytes, "load", e.text, items_for(e, x.items)) end
        end
        if not one.traffic.stays[m] then transfer(v.makes, "store", v.result.text, items_for(v.result, x.items)) end
        computed = computed + math.max(0, take("compute", m, x.name) - take("inputs", m, x.name))
    end
    if not known then return nil end
    return base + moved + computed
end

-- The least ns that a byte took of what the plan's functions read and make.
local function fastest_of(p, times)
    local least = math.huge
    for _, one in ipairs(p.fusions) do
        for _, way in ipairs(#one.members == 1 and one.ways or {}) do
            local m, x = one.members[1], way.made[1]
            local v = p.functions[m]
            for i, e in ipairs(v.elements) do
                local ns = time_of(times[key_of(way, "load", e.text, items_for(e, x.items))], 0)
                if ns and v.inputs[i].bytes > 0 then least = math.min(least, ns / v.inputs[i].bytes) end
            end
        end
    end
    return least < math.huge and least or 0
end

-- Times the routines of the plan p, whose functions stand in the run under way: way.routines_ns of every way to make a fusion. Gives
-- {key =, [i] = ns with pads[i] bytes more, pads =} of each; nil: elements of its arrays are no arrays of scalars.
function M.time(p)
    for _, v in ipairs(p.functions) do
        local alone, places, names = v.alone, {}, {}
        v.elements, v.result = {}, element_of(alone.term.type)
        for i, x in ipairs(fusion.sources(alone)) do
            local e = element_of(x.term.type)
            if not e then return nil end
            places[i], names[i], v.elements[i] = x, "in" .. i, e
        end
        if not v.result then return nil end
        v.body = alone:alone(places, names).term.text
    end
    local list, cursors, groups, pads = all_routines(p), {}, {}, p.kind == "gpu" and PADS or {0}
    for i, r in ipairs(list) do cursors[i], groups[i] = r.cursor, p.kind == "gpu" and r.group end
    local function tell(n) engine.progress(("routine %d of %d"):format(n, #list)) end
    local times, by = engine.timed(cursors, pads, TRIALS, tell, groups), {}
    engine.progress("")
    if not times then return nil end
    for i, r in ipairs(list) do
        times[i].pads, times[i].key = pads, r.key
        by[r.key] = times[i]
    end
    local fastest = fastest_of(p, by)
    for _, one in ipairs(p.fusions) do
        for _, way in ipairs(one.ways) do way.routines_ns = predicted(p, one, way, by, fastest) end
    end
    return times
end

return M

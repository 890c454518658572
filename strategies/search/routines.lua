-- routines: the predictor of Fousek, Filipovic and Madzin (section 4.4). An implementation of a function is what loads each of its inputs,
-- what computes, and what stores; each is timed by itself on the device, for the sizes of groups that are wanted and so much more local
-- memory than it needs, as in a fusion that takes it. A fusion takes what its transfers take, or its computations if that is more.

local engine, fusion, lower, run = require "engine", require "fusion", require "lower", require "run"

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

-- An element copied; twice it, or it would be a view that needs no copy.
local function copied(e)
    local depth = #e.lengths
    local text = ("x%d + x%d"):format(depth, depth)
    for k = depth, 1, -1 do text = ("map (\\x%d -> %s) x%d"):format(k, text, k - 1) end
    return "\\x0 -> " .. text
end

-- What is left of elements so that none of what made them can be left out.
local function looked_at(elements)
    local names, sum = {}, {}
    for i, e in ipairs(elements) do
        names[i] = "y" .. i
        sum[i] = ("f32 (y%d%s)"):format(i, ("[0]"):rep(#e.lengths))
    end
    return ("\\%s -> %s"):format(#names == 1 and names[1] or "(" .. table.concat(names, ", ") .. ")", table.concat(sum, " + "))
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

-- The lowered kernel of the functions in that expression, each with so many work-items; input: the text's innermost map is one. nil: there
-- is none.
local function kernel(text, n, each, input)
    local c = engine.expression(text)
    if input then
        local q = c
        while q:go("in").term.prim == "map" do q = q:go("in") end
        c = c:alone({q}, {"x"})
    end
    local r = fusion.groups_of(c, n, {each = table.concat(each, " ")}).run(c)
    r = r and lower.finished(c, r)
    return r and engine.is_lowered(r.root) and r or nil
end

-- the routines that a plan's fusions need

local function key_of(...) return table.concat({...}, " ") end

-- Every routine of p, by key: {key =, cursor =}.
local function routines_of(p)
    local list, seen = {}, {}
    local N = p.functions[1].length
    local function add(key, make)
        if seen[key] then return end
        seen[key] = true
        local c = make()
        if c then list[#list + 1] = {key = key, cursor = c} end
    end
    local function maker(e) return ("map (%s) (iota %d)"):format(made(e), N) end
    for _, one in ipairs(p.fusions) do
        for _, way in ipairs(one.ways) do
            local n = way.n
            add(key_of("base", n), function() return kernel(("map (\\y -> y + y) (map (\\i -> f32 i) (iota %d))"):format(N), n, {"1", "1"}) end)
            for k, m in ipairs(one.members) do
                local v, x = p.functions[m], way.made[k]
                for i, e in ipairs(v.elements) do
                    local t = tostring(items_for(e, x.items))
                    if not one.traffic.kept[m][i] then
                        add(key_of("load", e.text, t, n), function()
                            return kernel(("map (%s) (map (%s) (%s))"):format(looked_at({e}), copied(e), maker(e)), n, {t, "1"}, true)
                        end)
                    end
                end
                local out = v.result
                if not one.traffic.stays[m] then
                    local t = tostring(items_for(out, x.items))
                    add(key_of("store", out.text, t, n), function()
                        return kernel(("map (%s) (%s)"):format(copied(out), maker(out)), n, {t, t})
                    end)
                end
                local each, lets, zipped = {}, {}, {}
                for i, e in ipairs(v.elements) do
                    each[i] = tostring(items_for(e, x.items))
                    lets[i] = ("let in%d = %s in "):format(i, maker(e))
                    zipped[i] = "in" .. i
                end
                local before = table.concat(lets)
                local all = #zipped == 1 and zipped[1] or "zip " .. table.concat(zipped, " ")
                add(key_of("inputs", m, x.name, n), function()
                    local names = table.move(each, 1, #each, 1, {})
                    names[#names + 1] = "1"
                    return kernel(("%smap (%s) (%s)"):format(before, looked_at(v.elements), all), n, names)
                end)
                add(key_of("compute", m, x.name, n), function()
                    local names = table.move(each, 1, #each, 1, {})
                    names[#names + 1], names[#names + 2] = x.name, "1"
                    return kernel(("%smap (%s) (%s)"):format(before, looked_at({out}), v.body), n, names)
                end)
            end
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

-- ns of a fusion made that way; nil: one of its routines has no time.
local function predicted(p, one, way, times)
    local bytes = one.traffic.near / p.functions[1].length * way.n
    local base = time_of(times[key_of("base", way.n)], 0)
    local moved, computed, known = 0, 0, base ~= nil
    local function take(key) 
        local ns = time_of(times[key], bytes)
        known = known and ns ~= nil
        return ns or 0
    end
    for k, m in ipairs(one.members) do
        local v, x = p.functions[m], way.made[k]
        for i, e in ipairs(v.elements) do
            if known and not one.traffic.kept[m][i] then
                moved = moved + math.max(0, take(key_of("load", e.text, items_for(e, x.items), way.n)) - base)
            end
        end
        if known and not one.traffic.stays[m] then
            moved = moved + math.max(0, take(key_of("store", v.result.text, items_for(v.result, x.items), way.n)) - base)
        end
        computed = computed + math.max(0, take(key_of("compute", m, x.name, way.n)) - take(key_of("inputs", m, x.name, way.n)))
    end
    if not known then return nil end
    return base + (p.kind == "gpu" and math.max(moved, computed) or moved + computed)     -- a CPU's transfers wait for nothing
end

-- Times the routines of the plan p, whose functions stand in the run under way: way.routines_ns of every way to make a fusion. Gives
-- {key =, [i] = ns with pads[i] bytes more, pads =} of each; nil: elements of its arrays are no arrays of scalars.
function M.time(p)
    for _, v in ipairs(p.functions) do
        local alone, places, names = v.alone, {}, {}
        v.elements = {}
        for i, x in ipairs(fusion.sources(alone)) do
            places[i], names[i] = x, "in" .. i
            v.elements[i] = element_of(x.term.type)
        end
        v.result = element_of(alone.term.type)
        if #v.elements < #places or not v.result then return nil end
        v.body = alone:alone(places, names).term.text
    end
    local list, cursors, pads = routines_of(p), {}, p.kind == "gpu" and PADS or {0}
    for i, r in ipairs(list) do cursors[i] = r.cursor end
    local times, by = engine.timed(cursors, pads, TRIALS, function(n) engine.progress(("routine %d of %d"):format(n, #list)) end), {}
    engine.progress("")
    if not times then return nil end
    for i, r in ipairs(list) do
        times[i].pads, times[i].key = pads, r.key
        by[r.key] = times[i]
    end
    for _, one in ipairs(p.fusions) do
        for _, way in ipairs(one.ways) do way.routines_ns = predicted(p, one, way, by) end
    end
    return times
end

return M

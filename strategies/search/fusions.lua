-- fusions: the planner's space as one that is searched: every implementation of every fusion of a program's functions, where each other
-- function has a kernel of its own, as suits it best; and the best combinations of fusions. A point is a version without parameters.

local engine, base, planner, search = require "engine", require "base", require "planner", require "candidates"
local fusion, bad, map = require "fusion", require("objective").bad, require("lists").map

local BEST = 100                         -- combinations
local ONE = "one kernel"                 -- what lower makes of all functions, where none has several implementations

-- What lower makes of a version and a call of fuseAs (nil: all functions as one fusion).
local function version_of(v, call)
    local w, why = v, nil
    if call then w, why = engine.rewritten(v, call, nil, false) end
    if w then w, why = engine.rewritten(w, call and "lower" or base.library.lowerFused, nil, true) end
    return w or engine.raise(why)
end

-- A combination in that version, which is made when it is asked for.
local Fused = {}
function Fused.__index(s, key)
    if key ~= "version" and key ~= "light" then return nil end
    s.version = version_of(s.from, s.call)
    s.light = s.version
    return s.version
end

-- "(1 2) (3)"
local function parts_text(combination)
    return table.concat(map(combination.fusions, function(one) return "(" .. table.concat(one.members, " ") .. ")" end), " ")
end

-- What a function reads, "#1, v": functions by their numbers.
local function reads_text(v)
    return table.concat(map(fusion.sources(v.at), function(p, i) return v.from[i] and "#" .. v.from[i] or p.text end), ", ")
end

-- The plan of version v for a kind of device ("cpu", "gpu"; nil: of the device that is selected), with so many combinations of fusions of
-- at most limit functions, and all ways to make each, or the fastest. look(plan), unless nil, sees it while its functions stand at their
-- places. An error: there is no plan.
local function plan_of(v, best, limit, kind, ways, look)
    local p
    local made, why = engine.rewritten(v, base.new("fuse", function(c)
        engine.unfuelled()
        p = planner.plan(c, best, limit, kind, ways, math.huge)
        for _, f in ipairs(p and p.functions or {}) do f.text, f.place, f.of = f.alone.text, f.at.place, reads_text(f) end
        if p and look then look(p) end
        return c
    end), nil, false)
    if not made then engine.raise(why) end
    local sizes = not p and engine.default_sizes(v)
    if sizes then
        engine.raise({id = "E37", message = "what shares a kernel depends on sizes that are not set", notes = {{"try", "data " .. sizes}}})
    end
    if not p then
        bad("there are no functions here that could share a kernel",
            {{"needs", "maps over instances that make small arrays of them, and maps of what they make"}})
    end
    return p
end

-- Every implementation of every fusion, {fusion =, way =, combination = with a kernel of its own for each other function, ways = of its
-- fusions}.
local function implementations(p)
    local list, alone = {}, {}
    for _, one in ipairs(p.fusions) do
        if #one.members == 1 then alone[one.members[1]] = one end
    end
    for _, one in ipairs(p.fusions) do
        for _, way in ipairs(one.ways) do
            local c, ways, ns = {fusions = {one}}, {way}, way.ns
            for n = 1, #p.functions do
                if one.set >> (n - 1) & 1 == 0 then
                    table.insert(c.fusions, alone[n])
                    table.insert(ways, alone[n].ways[1])
                    ns = ns + alone[n].ns
                end
            end
            list[#list + 1] = {fusion = one, way = way, combination = c, ways = ways, ns = ns}
        end
    end
    return list
end

-- Sum of what each fusion of a combination is predicted to take by its routines, made that way (nil: the fastest); nil: it is not known.
local function routines_ns(combination, ways)
    local ns = 0
    for i, one in ipairs(combination.fusions) do
        local way = ways and ways[i] or one.ways[1]
        if not way.routines_ns then return nil end
        ns = ns + way.routines_ns
    end
    return ns
end

-- All that the plan's search is over, {combination =, ways =, call = what makes it (nil: lowerFused), label =, ns =} each.
local function points_of(p)
    local list, seen = {}, {}
    local function add(combination, ways, ns, of)
        local call = planner.call_of(p, combination, ways)
        local label = call and tostring(call) or ONE
        if not seen[label] then list[#list + 1] = {combination = combination, ways = ways, call = call, label = label, ns = ns, of = of} end
        seen[label] = true
    end
    for _, x in ipairs(implementations(p)) do add(x.combination, x.ways, x.ns, x) end
    for _, c in ipairs(p.combinations) do add(c, nil, c.ns) end
    return list
end

-- The points of version v on that kind of device.
function search.fusions(v, kind)
    local p = plan_of(v, BEST, nil, kind, true)
    return search.union(map(points_of(p), function(x)
        return setmetatable({label = x.label, call = x.call, from = v, calls = {}, derivation = "", made_later = true,
                             space = search.listed_space({}, {{}})}, Fused)
    end)), p
end

return {version_of = version_of, parts_text = parts_text, BEST = BEST, ONE = ONE, plan_of = plan_of, implementations = implementations, points_of = points_of, routines_ns = routines_ns}

-- planner: which functions of a program share a kernel (Fousek, Filipovic and Madzin, section 4). A fusion is a set of functions that is
-- connected and convex (no path leaves it and comes back), with one result. What each would take is predicted from its functions, one by one; a
-- combination covers all functions, each by one fusion, and the best are found by branch and bound. A combination is made by rules:
-- what a fusion makes for another one has memory of its own (toGlobal), then `lower` makes a kernel of each.

local engine, base, fusion, lower = require "engine", require "base", require "fusion", require "lower"
local model = require "model"
local R = base.R

local LIMIT = 6                          -- functions of a fusion, at most, unless asked for others
local MOST = 24                          -- functions that are planned

-- The functions outside of kernels at and below q, of those places where several make something for each other, those that make what
-- others read first: {at =, n =, from =, as fusion.graph says, reads = {numbers of functions}}.
local function functions_of(q, list)
    list = list or {}
    if fusion.worth(q) > 1 then
        local before = #list
        for _, v in ipairs(fusion.graph(q)) do
            v.reads, v.n = {}, #list + 1
            for i, n in ipairs(v.from) do
                v.from[i] = n and before + n
                if n then v.reads[#v.reads + 1] = before + n end
            end
            list[v.n] = v
        end
        fusion.outside(q, function(p)
            functions_of(p, list)
            return p
        end)
    else
        for _, child in ipairs(q:children()) do
            if child.slot ~= "f" then functions_of(child, list) end
        end
    end
    return list
end

-- what a function takes by itself

local none = {__index = function() return 0 end}

-- v.features of its own kernel, in groups as suits all; v.makes, v.takes: bytes, of these v.inputs[i].bytes of an array that no
-- function makes; false: it has no such kernel.
local function look_at(v, list, kind)
    local places, names = {}, {}
    local read = fusion.sources(v.at)
    for i, p in ipairs(read) do
        if v.from[i] and p.term.kind ~= "var" then
            places[#places + 1], names[#names + 1] = p, "#" .. v.from[i]
        end
    end
    local alone = v.at:alone(places, names)
    local shaped = fusion.in_groups(alone, kind == "gpu", list[#list].at).run(alone)
    local kernels = shaped and engine.kernels_of(nil, lower.finished(alone, shaped), kind)
    if not kernels then return false end
    v.features = setmetatable(kernels[1], none)
    v.makes = v.features.global_store_bytes
    v.takes = math.max(1, v.features.distinct_bytes - v.makes)
    local all = 0
    v.inputs = {}
    for i, p in ipairs(read) do
        local elements = p.term.scalars:known() or 0
        all = all + elements
        if not v.from[i] then table.insert(v.inputs, {text = p.text, bytes = elements}) end
    end
    for _, x in ipairs(v.inputs) do x.bytes = x.bytes / math.max(1, all) * v.takes end
    v.text, v.place, v.ns = alone.text, v.at.place, model.cost_of({v.features}, kind)
    return true
end

-- Loads or stores of f, a share of them, go to local memory.
local function made_local(f, from, what, share)
    for name, x in pairs(from) do
        local rest = name:match("^" .. what .. "(.*)$")
        if rest and type(x) == "number" then
            f[name] = f[name] - share * x
            local to = "local" .. what:sub(#"global" + 1) .. rest
            f[to] = (rawget(f, to) or 0) + share * (rest:find("moved") and from[what .. "_bytes"] or x)
        end
    end
end

local largest = {rounds = true, groups = true, group_size = true, streams = true, private_scalars = true, private_arrays = true, private_elements = true}

-- The features of one kernel of those functions: theirs together, but that what one makes for another stays in local memory.
local function together(list, members)
    local f = setmetatable({}, none)
    local inside = {}
    for _, n in ipairs(members) do
        inside[n] = true
        for name, x in pairs(list[n].features) do
            if type(x) == "number" then f[name] = largest[name] and math.max(f[name], x) or f[name] + x end
        end
    end
    f.launches, f.stages, f.items = 1, 1, f.groups * f.group_size
    local seen = {}
    for _, n in ipairs(members) do
        local v = list[n]
        for _, x in ipairs(v.inputs) do
            if seen[x.text] then f.distinct_bytes = f.distinct_bytes - x.bytes end
            seen[x.text] = true
        end
        for i, u in ipairs(v.reads) do
            local bytes = inside[u] and list[u].makes
            if bytes then
                made_local(f, v.features, "global_load", math.min(1, bytes / v.takes))
                f.barriers = f.barriers + 1
                if not seen[u] then          -- it is neither written nor read again
                    made_local(f, list[u].features, "global_store", 1)
                    f.distinct_bytes, f.local_bytes = f.distinct_bytes - bytes, f.local_bytes + bytes / f.groups
                end
                if v.reads[i - 1] ~= u then f.distinct_bytes = f.distinct_bytes - bytes end
                seen[u] = true
            end
        end
    end
    return f
end

-- fusions

-- Masks of what each function reads, and of all that it hangs on.
local function masks(list)
    for _, v in ipairs(list) do v.near, v.needs, v.readers = 0, 0, 0 end
    for n, v in ipairs(list) do
        for _, u in ipairs(v.reads) do
            v.near, list[u].near = v.near | 1 << (u - 1), list[u].near | 1 << (n - 1)
            list[u].readers = list[u].readers | 1 << (n - 1)
            v.needs = v.needs | 1 << (u - 1) | list[u].needs
        end
    end
end

local function members_of(set)
    local members = {}
    for n = 1, MOST do
        if set >> (n - 1) & 1 == 1 then members[#members + 1] = n end
    end
    return members
end

-- Does no path leave the set and come back, and is what others read, or the result, made by one function?
local function is_fusion(list, set)
    local needed, ends = 0, 0
    for _, n in ipairs(members_of(set)) do
        needed = needed | list[n].needs
        if list[n].readers == 0 or list[n].readers & ~set ~= 0 then ends = ends + 1 end
    end
    if ends > 1 then return false end
    for _, n in ipairs(members_of(needed & ~set)) do
        if list[n].needs & set ~= 0 then return false end
    end
    return true
end

-- All fusions of at most limit functions, {set =, members =, ns =} each; those with function n are by[n].
local function fusions_of(list, limit, kind)
    local by, seen, count = {}, {}, 0
    for n = 1, #list do by[n] = {} end
    local function add(set, near, size)
        if seen[set] then return end
        seen[set] = true
        if is_fusion(list, set) then
            local members = members_of(set)
            local one = {set = set, members = members}
            local f = together(list, members)
            one.ns, one.bytes, one.makes = model.cost_of({f}, kind), f.distinct_bytes, f.global_store_bytes
            count = count + 1
            for _, n in ipairs(members) do table.insert(by[n], one) end
        end
        if size == limit then return end
        for _, n in ipairs(members_of(near & ~set)) do add(set | 1 << (n - 1), near | list[n].near, size + 1) end
    end
    for n, v in ipairs(list) do add(1 << (n - 1), v.near, 1) end
    for n = 1, #list do table.sort(by[n], function(a, b) return a.ns < b.ns or a.ns == b.ns and a.set < b.set end) end
    return by, count
end

-- The best combinations, at most so many, the best first: {fusions =, ns =}.
local function combinations_of(list, by, best)
    local found, least = {}, {}
    for n = 1, #list do                  -- what a function takes at the least: its share of the best fusion with it
        least[n] = math.huge
        for _, one in ipairs(by[n]) do least[n] = math.min(least[n], one.ns / #one.members) end
    end
    local function bound(covered)
        local ns = 0
        for n = 1, #list do
            if covered >> (n - 1) & 1 == 0 then ns = ns + least[n] end
        end
        return ns
    end
    local function cover(covered, fusions, ns)
        if #found >= best and ns + bound(covered) >= found[best].ns then return end
        local n = 1
        while covered >> (n - 1) & 1 == 1 do n = n + 1 end
        if n > #list then
            local c = {fusions = table.move(fusions, 1, #fusions, 1, {}), ns = ns, takes = 0, makes = 0}
            for _, one in ipairs(fusions) do c.takes, c.makes = c.takes + one.bytes - one.makes, c.makes + one.makes end
            found[#found + 1] = c
            table.sort(found, function(a, b) return a.ns < b.ns end)
            found[best + 1] = nil
            return
        end
        for _, one in ipairs(by[n]) do
            if one.set & covered == 0 then
                fusions[#fusions + 1] = one
                cover(covered | one.set, fusions, ns + one.ns)
                fusions[#fusions] = nil
            end
        end
    end
    cover(0, {}, 0)
    return found
end

-- The functions at and below c, and their best combinations; nil: there are not several, or one has no such kernel. count: of fusions.
local function plan(c, best, limit)
    local list, kind = functions_of(c), engine.hint("gpu") and "gpu" or "cpu"
    if #list < 2 or #list > MOST then return nil end
    for _, v in ipairs(list) do
        if not look_at(v, list, kind) then return nil end
    end
    masks(list)
    local by, count = fusions_of(list, limit or LIMIT, kind)
    return {functions = list, combinations = combinations_of(list, by, best), count = count, kind = kind}
end

-- making them

-- c with memory for what the functions of one fusion make for those of another; part[n]: the fusion of the n-th function.
local function separated(c, list, part)
    for n, v in ipairs(list) do
        for _, reader in ipairs(list) do
            for _, u in ipairs(reader.reads) do
                local r = u == n and part[reader.n] ~= part[n] and R("toGlobal").run(c:at(v.at))
                if r then c = r:at(c) end
            end
        end
    end
    return c
end

local function parts_of(combination)
    local part = {}
    for i, one in ipairs(combination.fusions) do
        for _, n in ipairs(one.members) do part[n] = i end
    end
    return part
end

-- c with the best combination that is predicted of what stands in it.
local function planned(c)
    local p = not c.term:contains("toGlobal") and plan(c, 1)
    return p and separated(c, p.functions, parts_of(p.combinations[1])) or c
end

base.name("fuseAs", "(fusion, ...)",
          "memory between the functions of a program, as fuse lists them, so that lower makes a kernel of each fusion, \"1 2 3\"; "
          .. "functions that none names have one each", "macro",
    function(...)
        local part = {}
        for i, text in ipairs({...}) do
            for word in tostring(text):gmatch("%S+") do part[math.tointeger(word) or error(word .. ": functions have numbers", 0)] = i end
        end
        return base.new("fuseAs", function(c)
            local list = functions_of(c)
            for n in pairs(part) do
                if not list[n] then return nil, base.failure(c, "fuseAs", "a function " .. n, #list .. " functions") end
            end
            for n = 1, #list do part[n] = part[n] or -n end
            local r = separated(c, list, part)
            if r == c then return nil, base.failure(c, "fuseAs", "functions with memory between them") end
            return r
        end)
    end)

return {plan = plan, planned = planned, LIMIT = LIMIT}

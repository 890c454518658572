-- planner: which functions of a program share a kernel (Fousek, Filipovic and Madzin, section 4). A fusion is a set of functions that is
-- connected and convex (no path leaves it and comes back), with one result. What each would take is predicted from its functions, one by one; a
-- combination covers all functions, each by one fusion, and the best are found by branch and bound. A combination is made by rules:
-- what a fusion makes for another one has memory of its own (toGlobal), then `lower` makes a kernel of each.

local engine, base, fusion, lower = require "engine", require "base", require "fusion", require "lower"
local model, search, lists, lengths = require "model", require "heuristics", require "lists", require "lengths"
local map, filter, copy = lists.map, lists.filter, lists.copy
local device = search.model              -- constants, by kind of device
local R = base.R

local LIMIT, MOST_FUSED = 6, 12          -- functions of a fusion, at most, unless asked for others; whose orders are looked through
local MOST = 24                          -- functions that are planned

local FEW_WAYS = 1000                    -- to make a fusion, which are predicted before somebody interrupts them

-- f(...), which is done before somebody interrupts it, or may not be: then it is watched.
local function soon(is_short, f, ...)
    if is_short then return engine.unwatched(f, ...) end
    return f(...)
end

-- The functions outside of kernels at and below q, of those places where several make something for each other, those that make what
-- others read first: {at =, n =, from =, as fusion.graph says, top = the place q that it was found below, reads = {numbers of functions}}.
local function functions_of(q, list)
    list = list or {}
    local count, found = fusion.worth(q)
    if count > 1 then
        local before = #list
        for _, v in ipairs(found) do
            v.reads, v.n, v.top = {}, #list + 1, q
            for i, n in ipairs(v.from) do
                v.from[i] = n and before + n
                if n then v.reads[#v.reads + 1] = before + n end
            end
            list[v.n] = v
        end
        fusion.outside(q, function(p)
            functions_of(p, list)
            return p
        end, found)
    else
        for _, child in ipairs(q:children()) do
            if child.slot ~= "f" then functions_of(child, list) end
        end
    end
    return list
end

-- what a function takes by itself

local none = {__index = function() return 0 end}

-- Instances of a group in which a function is looked at; of a fusion on a GPU, whose third dimension has no more work-items.
local LOOKED_AT, MOST_INSTANCES, FEWEST_INSTANCES = 32, 64, 8

-- The implementations of v that make another kernel on that kind of device: on a CPU, whose groups are loops, granularity makes none.
local function implementations_of(v, kind)
    local all = fusion.implementations(v.at)
    if kind ~= "cpu" then return all end
    local granular = filter(all, function(one) return one.sides end)
    return copy({granular[#granular]}, table.unpack(filter(all, function(one) return not one.sides end)))
end

-- An implementation x of the function `alone` with what a kernel of it takes, in groups of n instances as `shaped`: x.features, x.items an
-- instance; false: it makes none.
local function look_at(x, alone, shaped, n, kind)
    local kernels = shaped and engine.kernels_of(nil, lower.finished(alone, shaped), kind)
    if not kernels then return false end
    local f = setmetatable(kernels[1], none)
    x.features, x.instances = f, n
    x.sides = kind == "gpu" and (x.sides or {math.max(1, math.tointeger(f.group_size // n))}) or {}
    x.rows, x.columns, x.items = x.sides[1] or 1, x.sides[2] or 1, 1
    for _, side in ipairs(x.sides) do x.items = x.items * side end
    return true
end

-- v.implementations that make kernels, v.makes, v.takes: bytes, of these v.inputs[i].bytes of an array that no function makes; false: it has
-- no such kernel.
local function look(v, kind)
    v.length = v.at.term.length:known()
    local places, names = {}, {}
    local read = fusion.sources(v.at)
    for i, p in ipairs(read) do
        if v.from[i] and p.term.kind ~= "var" then
            places[#places + 1], names[#names + 1] = p, "#" .. v.from[i]
        end
    end
    local alone = v.at:alone(places, names)
    v.alone, v.implementations = alone, {}
    local n = fusion.instances(v.length, kind == "cpu" and device.cpu.lanes or LOOKED_AT)
    fusion.each_in_groups(alone, n, implementations_of(v, kind), function(x, shaped)
        if look_at(x, alone, shaped, n, kind) then table.insert(v.implementations, x) end
    end)
    if #v.implementations == 0 then return false end
    local f, all = v.implementations[1].features, 0
    v.makes = f.global_store_bytes
    v.takes = math.max(1, f.distinct_bytes - v.makes)
    v.inputs = {}
    for i, p in ipairs(read) do
        local elements = p.term.scalars:known() or 0
        all = all + elements
        v.inputs[i] = {term = not v.from[i] and p.term, bytes = elements}
    end
    for _, x in ipairs(v.inputs) do x.bytes = x.bytes / math.max(1, all) * v.takes end
    return true
end

-- Predicting a fusion from its functions.
--   predictors[kind].part(v, x, kept, stays): the cost of implementation x of function v, where input i comes from local memory if kept[i], and the
--     result goes there if stays.
--   predictors[kind].fusion(one): two functions, as implementations are chosen depth first.
--     enter(k, x, part): the k-th function is made by x; what was chosen for later ones is forgotten.
--     predicted(k, rows, columns): of the first k, with rows by columns work-items an instance: the best number of instances a group, and the ns.

local predictors = {cpu = {}, gpu = {}}

-- The features that the cost model of a CPU looks at, and those that parts are cut by; counts.load, counts.store: of each that counts accesses
-- to global memory {its name, that of what counts them to local memory, or nil, that of the bytes where local memory moves as many, else its
-- own}; largest[name]: of these a kernel has the most of its parts.
local function layout_of()
    local l = {names = {}, counts = {load = {}, store = {}}, largest = {}}
    local wanted = model.reads("cpu")
    for _, name in ipairs({"footprint_bytes", "global_load_bytes", "global_store_bytes"}) do wanted[name] = true end
    for _, x in ipairs(engine.feature_names()) do
        if wanted[x[1]] then l.names[#l.names + 1] = x[1] end
    end
    for _, name in ipairs(l.names) do
        for what, list in pairs(l.counts) do
            local rest = name:match("^global_" .. what .. "(.*)$")
            if rest then
                local near = "local_" .. what .. rest
                list[#list + 1] = {name, wanted[near] and near, rest:find("moved") and "global_" .. what .. "_bytes" or name}
            end
        end
    end
    for name in ("group_size streams private_scalars private_arrays private_elements"):gmatch("%S+") do l.largest[name] = true end
    return l
end

local layout = layout_of()

-- The share of what v takes that kept[i] says of its inputs.
local function share_of(v, kept)
    local share = 0
    for i, input in ipairs(v.inputs) do
        if kept[i] then share = share + input.bytes / v.takes end
    end
    return math.min(1, share)
end

-- Features that are added up.
function predictors.cpu.part(v, x, kept, stays)
    local f = {}
    for _, name in ipairs(layout.names) do f[name] = x.features[name] end
    local function move(list, part)
        for _, names in ipairs(part > 0 and list or {}) do
            local from, to, as = names[1], names[2], names[3]
            f[from] = f[from] - part * x.features[from]
            if to then f[to] = f[to] + part * x.features[as] end
        end
    end
    move(layout.counts.load, share_of(v, kept))
    move(layout.counts.store, stays and 1 or 0)
    f.footprint_bytes = f.footprint_bytes / x.instances
    return f
end

function predictors.cpu.fusion(one)
    local t, n, parts = one.traffic, device.cpu.lanes, {}
    return function(k, _, part) parts[k] = part end, function(count)
        local f = setmetatable({}, none)
        for k = 1, count do
            local part = parts[k]
            for _, name in ipairs(layout.names) do
                if layout.largest[name] then f[name] = math.max(f[name], part[name]) else f[name] = f[name] + part[name] end
            end
        end
        f.groups = one.length / n
        f.items = f.groups * f.group_size
        f.launches, f.stages, f.barriers, f.distinct_bytes = 1, 1, t.edges, t.distinct
        f.local_bytes, f.footprint_bytes = one.near * n, f.footprint_bytes * n
        return n, model.cost_of({f}, "cpu")
    end
end

-- Kernels of fusions on a GPU. Their functions run one after another, each by some of the work-items of a group, but a warp does what one of them
-- does. What one item reads and another reads again, or later, comes from the first cache as long as the instances on the unit have room in it.
-- Constants from two times 451 kernels on two H100, beside those of the model.
local gpu = {
    loop = 4,                            -- instructions of a round of a loop that stays one
    live = 0.43, sharp = 4,              -- the part of what instances on a unit read and make that it is to hold at once; how suddenly it fails
    merged = 0.5,                        -- of sectors that stores touch beyond what they write, those that reach the second cache
    stage = 450,                         -- cycles that a function keeps its group waiting
    start = 80,                          -- ns until a unit begins another group
    power = 2.5,                         -- how far the bounds hide each other
}

-- Per instance: instructions of an item; bytes that are moved at least, that are to be held for what is read again, and that is.
function predictors.gpu.part(v, x, kept, stays)
    local f, m, far = x.features, device.gpu, 1 - share_of(v, kept)
    local function each(name) return f[name] / v.length end
    -- an item keeps in registers what it reads repeatedly
    local wide = f.global_load_bytes / math.max(1, f.global_load_accesses)
    local once = math.min(1, v.takes / v.length / math.max(1, each("loads") / x.items * wide))
    local operations = each("add") + each("mul") + each("fma") + each("other") + each("div") * m.div + each("special") * m.special
    local reads, makes = far * v.takes / v.length, stays and 0 or v.makes / v.length
    local beside = stays and 0 or math.max(0, each("global_store_moved") - makes) * gpu.merged
    return {
        instructions = (operations + each("loops") * gpu.loop + each("loads") * once + each("global_store_accesses")) / x.items,
        moved = reads + makes + beside, held = reads + makes, again = math.max(0, each("global_loads_moved") * far * once - reads),
        private_scalars = f.private_scalars, private_arrays = f.private_arrays, issues = {},
    }
end

-- How many instances a group may have, with so many work-items and bytes of local memory for each, and how many more, if it may.
local function instances_of(items, bytes)
    local n = MOST_INSTANCES
    while n > 1 and (n > FEWEST_INSTANCES and n * items > lengths.GROUP or n * items > device.gpu.max_group or n * bytes > device.gpu.group_local) do n = n // 2 end
    local more = 2 * n
    return n, more <= MOST_INSTANCES and more * items <= device.gpu.max_group and more * bytes <= device.gpu.group_local and more or nil
end

-- Of groups of n instances of so many work-items, which keep so much in registers, what does not depend on what these do: pace: ns for an
-- instruction of each; room: bytes of the first cache for an instance on the unit; bounds: the power of what else takes time.
local function groups_of(one, n, items, scalars, arrays)
    local m, p, bytes, distinct = device.gpu, gpu.power, one.near * n, one.traffic.distinct
    local each = one.length / n / m.units        -- groups of a unit
    local room, warps = model.resident({group_size = n * items, local_bytes = bytes, private_scalars = scalars, private_arrays = arrays}, m)
    local cache = m.unit_local + m.l1 - (bytes > 0 and room * (bytes + 1024) or 0)
    return {n = n, pace = each * warps / (m.issue * m.pipe * m.clock), room = cache / (gpu.live * math.min(room * n, one.length / m.units)),
            bounds = (distinct / (distinct > m.near_bytes and m.far or m.near)) ^ p
                + (math.max(1, each / room) * #one.members * gpu.stage / m.clock) ^ p + (each * gpu.start) ^ p}
end

local MOST_ITEMS, MOST_SCALARS = 1 << 10, 1 << 20        -- of a group; in registers

-- Instructions that a part issues where groups have so many work-items an instance: those beyond take turns.
local function issued_of(x, part, rows, columns)
    return (x.rows + rows - 1) // rows * ((x.columns + columns - 1) // columns) * part.instructions
end

function predictors.gpu.fusion(one)
    local known, issues, again = {}, {}, {}              -- groups; of each function what it issues by work-items; parts that read something again
    local moved, scalars, arrays, repeats = {[0] = 0}, {[0] = 0}, {[0] = 0}, {[0] = 0}       -- of the functions up to each
    local xs, parts = {}, {}
    local p, near, launch = gpu.power, device.gpu.near, device.gpu.launch
    local function enter(k, x, part)
        xs[k], parts[k], issues[k] = x, part, part.issues
        moved[k] = moved[k - 1] + part.moved
        local s, a, n = scalars[k - 1], arrays[k - 1], repeats[k - 1]
        scalars[k] = s > part.private_scalars and s or part.private_scalars
        arrays[k] = a > part.private_arrays and a or part.private_arrays
        if part.again > 0 then
            n = n + 1
            again[n] = part
        end
        repeats[k] = n
    end
    local function groups(items, count)
        local key = (items * MOST_SCALARS + scalars[count]) * MOST_SCALARS + arrays[count]
        local list = known[key]
        if not list then
            list = {}
            for i, n in ipairs({instances_of(items, one.near)}) do list[i] = groups_of(one, n, items, scalars[count], arrays[count]) end
            known[key] = list
        end
        return list
    end
    return enter, function(count, rows, columns)
        local issued, side, best, least = 0, rows * MOST_ITEMS + columns, nil, math.huge
        local all_moved, last = moved[count], repeats[count]
        for k = 1, count do
            local n = issues[k][side]
            if not n then
                n = issued_of(xs[k], parts[k], rows, columns)
                issues[k][side] = n
            end
            issued = issued + n
        end
        local list = groups(rows * columns, count)
        for i = 1, #list do
            local g, all = list[i], all_moved
            for k = 1, last do
                local part = again[k]
                local n = g[part]
                if not n then
                    n = part.again / (1 + (g.room / part.held) ^ gpu.sharp)
                    g[part] = n
                end
                all = all + n
            end
            local ns = (g.bounds + (g.pace * issued) ^ p + (one.length * all / near) ^ p) ^ (1 / p) + launch
            if ns < least then best, least = g.n, ns end
        end
        return best, least
    end
end

-- The part of an implementation, which it keeps for other fusions.
local function part_of(v, x, kept, stays, kind)
    local key = stays and 1 or 0
    for i = 1, #v.inputs do key = 2 * key + (kept[i] and 1 or 0) end
    x.parts = x.parts or {}
    x.parts[key] = x.parts[key] or predictors[kind].part(v, x, kept, stays)
    return x.parts[key]
end

-- Bytes of global memory that the functions of a set read and make, each once; of local memory as many as the best
-- order of them needs; and which inputs of each come from another, and what of it stays inside: {distinct =, made =, near =, edges =, kept = {},
-- stays = {}}.
local function traffic(list, set, members)
    local t = {distinct = 0, made = 0, near = 0, edges = 0, kept = {}, stays = {}}
    local seen, at, needs, touches, bytes, array = {}, {}, {}, {}, {}, {}
    for k, n in ipairs(members) do
        local v = list[n]
        at[n], t.kept[n], needs[k] = k, {}, 0
        t.stays[n] = v.readers ~= 0 and v.readers & ~set == 0
        if t.stays[n] then
            array[n] = #touches + 1
            touches[array[n]], bytes[array[n]] = 1 << (k - 1), v.makes
        else t.distinct, t.made = t.distinct + v.makes, t.made + v.makes end
        for i, input in ipairs(v.inputs) do
            local u = v.from[i]
            t.kept[n][i] = u and at[u] ~= nil or false
            if t.kept[n][i] then
                t.edges, needs[k] = t.edges + 1, needs[k] | 1 << (at[u] - 1)
                if array[u] then touches[array[u]] = touches[array[u]] | 1 << (k - 1) end
            else
                local what = input.term or u
                if not seen[what] then t.distinct = t.distinct + input.bytes end
                seen[what] = true
            end
        end
    end
    t.near = engine.least_local(needs, touches, bytes)
    return t
end

-- Lengths of maps by the work-items of a group in a dimension, as functions have them one after the other: n of these, .length = that of the
-- group there, as its kernel will have it.
local function longer(lengths, n)
    local all = copy(lengths.all, n)
    lengths[n] = {all = all, length = engine.usual_length(all)}
    return lengths[n]
end

-- Every way to make a fusion, an implementation of each of its functions: {names =, made = implementations, n = instances of a group,
-- sides = of its work-items for each, ns =}, the fastest first, or this alone unless all are asked for; and how many there are.
local function ways_of(list, one, kind, all)
    local t, ways, made, count, least = one.traffic, {}, {}, 0, math.huge
    one.length = list[one.members[1]].length
    one.near = t.near / one.length
    local enter, predicted = predictors[kind].fusion(one)
    local choices = map(one.members, function(m)         -- of each member: {implementation, its part}
        return map(list[m].implementations, function(x) return {x, part_of(list[m], x, t.kept[m], t.stays[m], kind)} end)
    end)
    local function leaf(first, second)
        local rows, columns = first.length, second.length
        local n, ns = predicted(#choices, rows, columns)
        count = count + 1
        if not all and ns >= least then return end
        least = ns
        ways[all and count or 1] = {n = n, ns = ns, sides = #first.all > 0 and {rows, #second.all > 0 and columns or nil} or {}, order = count,
                                    names = table.concat(map(made, function(x) return x.name end), " "), made = copy(made)}
    end
    local last = #choices
    local function choose(k, first, second)
        local some = choices[k]
        for i = 1, #some do
            local x, a, b = some[i][1], first, second
            local n, m = x.sides[1], x.sides[2]
            if n then a = first[n] or longer(first, n) end
            if m then b = second[m] or longer(second, m) end
            made[k] = x
            enter(k, x, some[i][2])
            if k == last then leaf(a, b) else choose(k + 1, a, b) end
        end
    end
    choose(1, list.lengths[1], list.lengths[2])
    if all then table.sort(ways, function(a, b) return a.ns < b.ns or a.ns == b.ns and a.order < b.order end) end
    return ways, count
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
        if set >> (n - 1) == 0 then break end
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

-- All fusions of at most limit functions, {set =, members =, ways =, count = of ways, ns = of the fastest} each; those with function n are by[n].
local function fusions_of(list, limit, kind, ways)
    local by, seen, all = {}, {}, {}
    for n = 1, #list do by[n] = {} end
    local function add(set, near, size)
        if seen[set] then return end
        seen[set] = true
        if is_fusion(list, set) then
            local members, count = members_of(set), 1
            for _, n in ipairs(members) do count = count * #list[n].implementations end
            local one = {set = set, members = members, traffic = traffic(list, set, members)}
            one.ways, one.count = soon(count <= FEW_WAYS, ways_of, list, one, kind, ways or size == 1)
            if size == 1 then
                for _, way in ipairs(one.ways) do way.made[1].ns = way.ns end
                list[members[1]].ns = one.ways[1].ns
            end
            one.ns, one.bytes, one.makes = one.ways[1].ns, one.traffic.distinct, one.traffic.made
            all[#all + 1] = one
            for _, n in ipairs(members) do table.insert(by[n], one) end
        end
        for _, n in ipairs(size < limit and members_of(near & ~set) or {}) do add(set | 1 << (n - 1), near | list[n].near, size + 1) end
    end
    for n, v in ipairs(list) do add(1 << (n - 1), v.near, 1) end
    table.sort(all, function(a, b) return a.set < b.set end)
    for n = 1, #list do table.sort(by[n], function(a, b) return a.ns < b.ns or a.ns == b.ns and a.set < b.set end) end
    return by, all
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
            local c = {fusions = copy(fusions), ns = ns, takes = 0, makes = 0}
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

-- The functions at and below c, and their best combinations; of fusions the fastest way to make them, or all; nil: there are not several
-- functions, or one has no such kernel.
local function plan(c, best, limit, kind, ways)
    local list = functions_of(c)
    list.lengths = {{all = {}, length = 1}, {all = {}, length = 1}}
    kind = kind or lengths.kind()
    if #list < 2 or #list > MOST then return nil end
    if not soon(#search.implementations == 0, base.all, list, look, kind) then return nil end
    masks(list)
    local by, all = fusions_of(list, math.min(limit or LIMIT, MOST_FUSED), kind, ways)
    local p = {functions = list, fusions = all, combinations = combinations_of(list, by, best), kind = kind, chosen = false, named = false, ways = 0}
    for _, v in ipairs(list) do p.chosen, p.named = p.chosen or #v.implementations > 1, p.named or v.at.slot == "value" end
    for _, one in ipairs(all) do p.ways = p.ways + one.count end
    return p
end

-- making them

-- c with memory for what the functions of one fusion make for those of another; part[n]: the fusion of the n-th function. how[fusion](q): the
-- strategy that puts it into groups at q; nil: that is left to lower. nil and a failure: it cannot be put there.
local function separated(c, list, part, how)
    for n, v in ipairs(list) do
        local i = part[n]
        local readers = filter(list, function(reader) return base.any(reader.reads, rawequal, n) end)
        local inside, outside = base.any(readers, function(r) return part[r.n] == i end), base.any(readers, function(r) return part[r.n] ~= i end)
        if how[i] and not inside then
            local whole = base.all(part, rawequal, i) and c:at(v.top)
            local q = whole or c:at(v.at)
            local r, why = how[i](q).run(q)
            if not r then return nil, why end
            c = r:at(c)
        end
        local r = outside and R("toGlobal").run(c:at(v.at))
        c = r and r:at(c) or c
    end
    return c
end

-- c with memory between the fusions of the best combination that is predicted of what stands in it; their groups are as they suit it.
local function planned(c)
    local p = not c.term:contains("toGlobal") and plan(c, 1)
    fusion.want({})
    if not p then return c end
    local wanted, part = {}, {}
    for k, one in ipairs(p.combinations[1].fusions) do
        local places = {}
        for i, n in ipairs(one.members) do places[i], part[n] = p.functions[n].at, k end
        if p.chosen then wanted[fusion.key(places)] = {n = one.ways[1].n, each = one.ways[1].names} end
    end
    fusion.want(wanted)
    return separated(c, p.functions, part, {})
end

-- Of the functions of fusion i the first that no other of them reads, nor it any of them, through whichever others; nil: there is none.
local function apart(list, part, i)
    local mine, reached, more = filter(list, function(v) return part[v.n] == i end), {}, true
    if mine[1] then reached[mine[1].n] = true end
    while more do
        more = false
        for _, v in ipairs(mine) do
            for _, u in ipairs(v.reads) do
                if part[u] == i and not reached[u] ~= not reached[v.n] then reached[u], reached[v.n], more = true, true, true end
            end
        end
    end
    for _, v in ipairs(mine) do
        if not reached[v.n] then return v.n end
    end
end

-- "1:3 2 n=64": the numbers of functions, {n =, names = {[number] = "3"}}; nil: it names no implementation and no n.
local function parse(text)
    local numbers, how, names, asked = {}, {names = {}}, 0, false
    for word in tostring(text):gmatch("%S+") do
        local number, name = word:match("^(%d+):?([%w_]*)$")
        local n = math.tointeger(word:match("^n=(%d+)$"))
        if number then
            numbers[#numbers + 1] = math.tointeger(number)
            if name ~= "" then how.names[numbers[#numbers]], names = name, names + 1 end
        elseif n and n > 0 then how.n = n
        else error(word .. ": functions have numbers, and groups n=SIZE", 0) end
        asked = asked or n or name ~= ""
    end
    if asked and names ~= #numbers then error(text .. ": each function of a fusion has an implementation, as 1:3, or none has", 0) end
    return numbers, asked and how
end

base.name("fuseAs", "(fusion, ...)",
          "memory between the functions of a program, as fuse lists them, so that lower makes a kernel of each fusion, \"1 2 3\"; "
          .. "\"1:3 2:1 n=32\": in groups of 32 instances, each function by the implementation of that name; functions that none names have a "
          .. "kernel each", "macro",
    function(...)
        local part, how, how_of = {}, {}, {...}
        for i, text in ipairs(how_of) do
            local numbers, asked = parse(text)
            for _, n in ipairs(numbers) do
                if part[n] then error(("function %d is in one fusion only: it stands in \"%s\" twice, or in two"):format(n, text), 0) end
                part[n] = i
            end
            how[i] = asked
        end
        return base.new("fuseAs", function(c)
            local list, made = functions_of(c), {}
            for n in pairs(part) do
                if not list[n] then return nil, base.failure(c, "fuseAs", "a function " .. n, #list .. " functions") end
            end
            for i in ipairs(how_of) do
                local n = apart(list, part, i)
                if n then
                    return nil, base.failure(c, "fuseAs", "functions that read one another in a fusion", ("function %d, which no other of \"%s\" reads, "
                        .. "nor it any of them"):format(n, how_of[i]))
                end
            end
            for n = 1, #list do part[n] = part[n] or -n end
            for i, asked in pairs(how) do
                local mine = filter(list, function(v) return asked and part[v.n] == i and asked.names[v.n] end)
                local each = table.concat(map(mine, function(v) return asked.names[v.n] end), " ")
                if asked then made[i] = function(q) return fusion.groups_of(q, asked.n or LOOKED_AT, {each = each}) end
                elseif #list > 0 and base.all(part, rawequal, i) then
                    made[i] = function(q) return fusion.in_groups(q, lengths.kind() == "gpu") end
                end
            end
            local r, why = separated(c, list, part, made)
            if not r then return nil, why end
            if r == c then return nil, base.failure(c, "fuseAs", "functions with memory between them") end
            return r
        end)
    end)

-- "1:3 2:3 3:1 n=64": a way to make a fusion, as fuseAs takes it.
local function way_text(one, way)
    return table.concat(map(way.made, function(x, k) return one.members[k] .. ":" .. x.name end), " ") .. " n=" .. way.n
end

-- The call of fuseAs that makes a combination where fusions have those ways (nil: the fastest); nil: all functions are one fusion,
-- which lower makes of what has no memory between them.
local function call_of(p, combination, way)
    local parts, explicit = {}, p.chosen and (not p.named or #combination.fusions == 1)
    for i, one in ipairs(combination.fusions) do
        if explicit then parts[i] = way_text(one, way and way[i] or one.ways[1])
        elseif #one.members > 1 then parts[#parts + 1] = table.concat(one.members, " ") end
    end
    if explicit or #combination.fusions > 1 then return base.library.fuseAs(table.unpack(parts)) end
end

return {way_text = way_text, plan = plan, planned = planned, parse = parse, call_of = call_of}

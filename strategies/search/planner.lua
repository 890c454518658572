-- planner: which functions of a program share a kernel (Fousek, Filipovic and Madzin, section 4). A fusion is a set of functions that is
-- connected and convex (no path leaves it and comes back). What each would take is predicted from its functions, one by one; a
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
        if v.readers & set ~= 0 then
            array[n] = #touches + 1
            touches[array[n]], bytes[array[n]] = 1 << (k - 1), v.makes
        end
        if not t.stays[n] then t.distinct, t.made = t.distinct + v.makes, t.made + v.makes end
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
        return map(one.results > 1 and {list[m].implementations[1]} or list[m].implementations, function(x) return {x, part_of(list[m], x, t.kept[m], t.stays[m], kind)} end)
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

-- How many functions of the set make what others read, or the result; nil: a path leaves the set and comes back.
local function results_of(list, set)
    local needed, ends = 0, 0
    for _, n in ipairs(members_of(set)) do
        needed = needed | list[n].needs
        if list[n].readers == 0 or list[n].readers & ~set ~= 0 then ends = ends + 1 end
    end
    for _, n in ipairs(members_of(needed & ~set)) do
        if list[n].needs & set ~= 0 then return nil end
    end
    return ends
end

-- A fusion with several results is made as a chain with one, of tuples: a function takes what a named one has made, and passes it on.

local function is_layout(t) return t.layout_map end

-- The inputs of the map at q.
local function inputs(q)
    local x = q:go("in")
    return x.term.prim == "zip" and map(x.term.slots, function(slot) return x:go(slot) end) or {x}, x.term.prim == "zip"
end

-- Is the array at x the value named at that place, or layouts of it?
local function reads(x, place)
    while is_layout(x.term) do x = x:go("in") end
    local value = x.term.kind == "var" and x:value()
    return value and value.place == place
end

-- Which input of the map at q is the value named there (nil: none); are there several?
local function input_of(q, place)
    local first, several = nil, false
    for k, one in ipairs(inputs(q)) do
        if reads(one, place) then first, several = first or k, first and k end
    end
    return first, several
end

-- A place that is `from` or below it, where that stands at `to` now; nil: it is another.
local function moved(place, from, to)
    return (place == from or place:sub(1, #from + 1) == from .. "/") and to .. place:sub(#from + 1) or nil
end

local function input_place(q, k, count) return q.place .. (count > 1 and "/in/" .. k - 1 or "/in") end

-- The map at q, its inputs in another order; to(k): where the k-th is now. moves: functions from a place to where what stands there has gone.
local function with_inputs(q, made, to, moves)
    local before, after = #inputs(q), #inputs(made)
    moves[#moves + 1] = function(place)
        for k = 1, before do
            local now = moved(place, input_place(q, k, before), input_place(q, to(k), after))
            if now then return now end
        end
    end
    return made
end

-- The map at q, which reads parts of the value named there: all of it, once.
local function reads_whole(q, place, moves)
    for k, one in ipairs(inputs(q)) do
        if is_layout(one.term) and reads(one, place) then
            local _, zipped = inputs(q)
            local r = zipped and R("zipMap", {part = k - 1}).run(q:go("in")) or q
            r = r and R("mapFusion").run(r:at(q))
            return r and reads_whole(r:at(q), place, moves)
        end
    end
    local first, again = input_of(q, place)
    local once = again and R("zipTwice").run(q)
    if not once then return not again and q or nil end
    return reads_whole(with_inputs(q, once:at(q), function(k) return k == again and first or k > again and k - 1 or k end, moves), place, moves)
end

-- The map at q with that value as the first of its inputs, or not as the first.
local function turned(q, place, first, moves)
    local list, zipped = inputs(q)
    while zipped and (input_of(q, place) == 1) ~= first do
        local r = R("mapZipRotate").run(q)
        if not r then return nil end
        q = with_inputs(q, r:at(q), function(k) return k > 1 and k - 1 or #list end, moves)
    end
    return q
end

-- c where function m takes the named function v and passes it on, and where what stood at a place of c stands there; nil: m reads other names,
-- too, that stand between. A rule takes a reader by which of its inputs v is, so of all others it is the first.
local function taken_together(c, list, v, m)
    local place, moves = v.at.place, {}
    local function now(at)
        for _, move in ipairs(moves) do at = move(at) or at end
        return at
    end
    local function function_at(q, u)     -- where u stands now
        local steps = {}
        for step in now(u.at.place):sub(#c.place + 1):gmatch("[^/]+") do steps[#steps + 1] = step end
        return q:at(c):go(table.unpack(steps))
    end
    local q = reads_whole(c:at(m.at), place, moves)
    q = q and turned(q, place, false, moves)
    for _, other in ipairs(q and list or {}) do
        local o = other ~= m and v.readers >> (other.n - 1) & 1 == 1 and function_at(q, other)
        q = o and turned(o, place, true, moves) or q
    end
    q = q and function_at(q, m)
    if not q then return nil end
    local k, count = input_of(q, place), #inputs(q)
    local let, named = q:at(v.at):up(), m.at.slot == "value"
    local r
    if named then r = (count > 1 and R("letTogetherNamedZip", {part = k - 1}) or R("letTogetherNamed")).run(let)
    else r = (count > 1 and R("letTogetherZip", {part = k - 1}) or R("letTogether")).run(let) end
    if not r then return nil end
    while r.place ~= c.place do r = r:up() end
    local slot, from = count > 1 and "/in/" .. k - 1 or "/in", now(m.at.place)
    local name = named and from:gsub("/value$", "")              -- of m, which is a layout now, and no name
    moves[#moves + 1] = function(at)
        return moved(at, from, place) or moved(at, place, place .. slot) or name and moved(at, name .. "/body", name)
    end
    return r, now
end

-- c where the chain named there passes on two parts that its readers take, and no more; c as it is where they take others.
local function two_parts(c, list, v)
    local q = c:at(v.at):up()
    for _, other in ipairs(list) do
        for _, one in ipairs(inputs(q:at(other.at))) do
            while reads(one, v.at.place) and is_layout(one.term) and is_layout(one.term:slot("in")) do
                one = R("mapFusion").run(one)
                q = one:at(q)
            end
        end
    end
    local r = R("letParts").run(q)
    r = r and R("mapFusion").run(r:go("value"))
    while r and r.place ~= c.place do r = r:up() end
    return r or c
end

-- c where the functions of the set are such a chain, its functions, and the number that each of these has in the list; nil: it cannot be made.
local function chained(c, list, set)
    local was = map(list, function(v) return v.n end)
    local function next_pair()
        for _, n in ipairs(members_of(set)) do
            for _, m in ipairs(list[n].at.slot == "value" and members_of(list[n].readers & set) or {}) do
                local r, now = taken_together(c, list, list[n], list[m])
                if r then return r, now end
            end
        end
    end
    local results = results_of(list, set)
    while results_of(list, set) > 1 do
        local r, now = next_pair()
        local after, at, of, mine = r and functions_of(r), {}, {}, 0
        if not r or #after ~= #list then return nil end
        for n, v in ipairs(list) do at[now(v.at.place)] = n end
        for n, v in ipairs(after) do
            local old = at[v.at.place]
            if not old then return nil end
            of[n], mine = was[old], mine | (set >> (old - 1) & 1) << (n - 1)
        end
        c, list, set, was = r, after, mine, of
        masks(list)
    end
    local ends = filter(list, function(v) return set >> (v.n - 1) & 1 == 1 and v.readers & ~set ~= 0 end)
    if results == 2 then
        c = two_parts(c, list, ends[1])
        list = functions_of(c)
        masks(list)
    end
    return c, list, was
end

-- All fusions of at most limit functions and so many results, {set =, members =, results =, ways =, count = of ways, ns = of the fastest} each;
-- those with function n are by[n]. One with several results has one way to be made: by a work-item an instance.
local function fusions_of(c, list, limit, kind, ways, results)
    local by, seen, all = {}, {}, {}
    for n = 1, #list do by[n] = {} end
    local function add(set, near, size)
        if seen[set] then return end
        seen[set] = true
        local ends = results_of(list, set)
        if ends and ends <= results and (ends == 1 or chained(c, list, set)) then
            local members, count = members_of(set), 1
            for _, n in ipairs(members) do count = count * #list[n].implementations end
            local one = {set = set, members = members, results = ends, traffic = traffic(list, set, members)}
            one.ways, one.count = soon(count <= FEW_WAYS, ways_of, list, one, kind, (ways or size == 1) and ends == 1)
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
    local count = 0
    local function cover(covered, fusions, ns)
        if #found >= best and ns + bound(covered) >= found[best].ns then return end
        local n = 1
        while covered >> (n - 1) & 1 == 1 do n = n + 1 end
        if n > #list then
            count = count + 1
            local c = {fusions = copy(fusions), ns = ns, takes = 0, makes = 0, order = count}
            for _, one in ipairs(fusions) do c.takes, c.makes = c.takes + one.bytes - one.makes, c.makes + one.makes end
            found[#found + 1] = c
            table.sort(found, function(a, b) return a.ns < b.ns or a.ns == b.ns and a.order < b.order end)
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
-- functions, or one has no such kernel. results: that a fusion has at most, 1 unless said.
local function plan(c, best, limit, kind, ways, results)
    local list = functions_of(c)
    list.lengths = {{all = {}, length = 1}, {all = {}, length = 1}}
    kind = kind or lengths.kind()
    if #list < 2 or #list > MOST then return nil end
    if not soon(#search.implementations == 0, base.all, list, look, kind) then return nil end
    masks(list)
    local by, all = fusions_of(c, list, math.min(limit or LIMIT, MOST_FUSED), kind, ways, results or 1)
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

-- Two functions of fusion i of which neither reads the other, by others of it either; nil: there are none.
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
        if not reached[v.n] then return mine[1].n, v.n end
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
        local given, how, how_of = {}, {}, {...}
        for i, text in ipairs(how_of) do
            local numbers, asked = parse(text)
            for _, n in ipairs(numbers) do
                if given[n] then error(("function %d is in one fusion only: it stands in \"%s\" twice, or in two"):format(n, text), 0) end
                given[n] = i
            end
            how[i] = asked
        end
        return base.new("fuseAs", function(c)
            local list, made = functions_of(c), {}
            for n in pairs(given) do
                if not list[n] then
                    return nil, base.failure(c, "fuseAs", "a function " .. n, #list > 0 and #list .. " functions" or "none; fuse says which sizes they need")
                end
            end
            for i in ipairs(how_of) do
                local n, m = apart(list, given, i)
                if n then
                    return nil, base.failure(c, "fuseAs", "functions that read one another in a fusion",
                                             ("functions %d and %d, which in \"%s\" read nothing of one another, by others either"):format(n, m, how_of[i]))
                end
            end
            local part, was = map(list, function(v) return given[v.n] or -v.n end), map(list, function(v) return v.n end)
            masks(list)
            for i, text in ipairs(how_of) do
                local set = 0
                for _, v in ipairs(list) do set = set | (part[v.n] == i and 1 << (v.n - 1) or 0) end
                local ends = results_of(list, set)
                if not ends then return nil, base.failure(c, "fuseAs", "a fusion without a path that leaves it and comes back", ("\"%s\""):format(text)) end
                if ends > 1 then
                    if next(how[i] and how[i].names or {}) then return nil, base.failure(c, "fuseAs", "numbers without implementations, for a fusion with several results", text) end
                    local r, now, numbers = chained(c, list, set)
                    if not r then return nil, base.failure(c, "fuseAs", "no other names between the functions of a fusion with several results", text) end
                    c, list, part, was = r, now, map(numbers, function(n) return part[n] end), map(numbers, function(n) return was[n] end)
                end
            end
            for i, asked in pairs(how) do
                local mine = filter(list, function(v) return asked and part[v.n] == i and asked.names[was[v.n]] end)
                local each = table.concat(map(mine, function(v) return asked.names[was[v.n]] end), " ")
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
        if explicit and one.results == 1 then parts[i] = way_text(one, way and way[i] or one.ways[1])
        elseif #one.members > 1 then parts[#parts + 1] = table.concat(one.members, " ") end
    end
    if explicit or #combination.fusions > 1 then return base.library.fuseAs(table.unpack(parts)) end
end

return {way_text = way_text, plan = plan, planned = planned, parse = parse, call_of = call_of}

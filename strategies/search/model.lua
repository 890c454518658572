-- model: what a version would take on a kind of device, from its features (v:features()) and a table of
-- constants that a user can read and change. It is there to rank variants before any is run: a roofline over
-- what may bound a kernel, and what keeps it below.

local engine, base, objective = require "engine", require "base", require "objective"
local search = require "heuristics"
local max, min, ceil = math.max, math.min, math.ceil

-- Constants, by kind: what is known of the selected device or of such devices (target.def, which says what each is). Of a CPU ns, or ns a
-- thing on one unit; of a GPU cycles of a unit; bytes a ns (GB/s) for the whole device.
local model = setmetatable({}, {__index = function(_, kind) return engine.target(kind) end})
search.model = model

-- one kernel: {name = ns, each what it would take alone}, and together

local kinds = {}

-- The factor by which n equal pieces on `slots` take longer than slots evenly filled.
local function uneven(n, slots) return n > 0 and ceil(n / slots) * slots / n or 1 end

-- The part of the work that a compiler makes vectors of: of work-items of a group side by side, or of the rounds of a long loop of one alone. It is
-- not what is read apart, but for some of it in rounds, or at indices that bend, nor what has vectors; nothing where work-items go ways of their own, or round loops, or
-- where a round waits for the one before: not where its sums begin anew.
local function beside_cpu(f, m)
    local alone = f.group_size <= 1
    local bytes = f.global_load_bytes + f.global_store_bytes + f.local_load_bytes + f.local_store_bytes
    if bytes == 0 or alone and f.loops == 0 then return 0 end
    local strided = f.global_load_strided + f.global_store_strided + f.local_load_strided + f.local_store_strided
    local near = bytes - f.bent_bytes - (alone and 1 - m.gather or 1) * strided
    local ways = f.branches / (alone and f.loops or f.items)
    local waits = alone and min(1, f.chain * f.items / f.loops) * (1 - min(1, f.chains * f.items / f.loops)) or f.own_loops / f.items
    local part = near / bytes * (f.flops > 0 and 1 - f.vector_flops / f.flops or 1) * (alone and f.long_loops / f.loops or 1)
    return part * max(0, min(1, 2 - ways)) * max(0, min(1, 1 - waits))
end

function kinds.cpu(f, m)
    local each, beside = uneven(f.groups, m.units) / m.units, beside_cpu(f, m)
    local share = each * (1 - beside + beside / m.side)
    local vectors = f.flops > 0 and f.vector_flops / f.flops or 0
    vectors = vectors + (1 - vectors) * beside
    local slow = f.div * (m.div + vectors * (m.vector_div - m.div)) + f.special * (m.special + vectors * (m.vector_special - m.special))
        + f.image_loads * m.texel
    local loads, stores = f.loads, f.global_store_accesses + f.local_store_accesses
    local operations = f.add + f.mul + f.fma + f.other
    local spilled = max(0, f.private_elements - m.registers) / max(1, f.private_elements)
    local loaded = f.global_load_bytes + f.local_load_bytes
    local load_bytes = loaded * loads / max(1, f.global_load_accesses + f.local_load_accesses)
    local several = f.group_size > 1 and 1 or 0
    -- Of what the second cache does not hold: the part that the last one does not hold either; a byte of it, where it is fetched ahead.
    local far = f.distinct_bytes > m.near_bytes and min(1, f.distinct_bytes / max(1, f.beyond_l2_bytes)) or 0
    local byte = (1 + m.alone / max(1, f.streams)) * m.units / m.far
    local t = {
        arithmetic = max(f.instructions * m.operation * share, operations * m.lane * each)       -- side by side or not, in the same lanes
            + (spilled * f.instructions + f.private_array_bytes / 4) * m.spill * share + slow * each,
        accesses = (max(loads * m.load, load_bytes * m.load_byte) + stores * m.store
            + (f.local_atomics + f.global_atomics) * m.atomic) * share,
        control = ((f.instructions + loads + stores) * m.issue + f.loops * m.loop + several * f.items * m.item) * share,
        chain = f.chain * m.chain * f.items * share * min(1, f.chain / max(1, f.chains) / m.window),
        memory = (far > 0 and f.distinct_bytes * byte or 0) * each,
        caches = (f.beyond_l1_bytes * m.beyond_l1 + f.beyond_l2_bytes * (1 - far) * m.beyond_l2) * each,
        jumps = (far * max(0, f.jumps * m.jump_far - f.jumped_bytes * byte)
            + (1 - far) * max(0, f.jumps * m.jump - f.jumped_bytes * m.beyond_l2)) * each,
        barriers = several * f.barriers * f.groups * (m.barrier + m.barrier_item * f.group_size) / m.units,
        start = f.launches * m.launch + f.groups * m.group / m.units,
    }
    return t, max(t.arithmetic, t.accesses, t.control, t.chain) + 0.25 * min(t.arithmetic, t.accesses)
        + t.memory + t.caches + t.jumps + t.barriers + t.start
end

-- Groups that a unit has room for, their warps, and what there is no more of.
local function resident(f, m)
    local warps = (f.group_size + m.warp - 1) // m.warp
    local registers = min(m.item_registers,
                          m.base_registers + f.private_arrays + min(64, f.private_scalars - f.private_arrays))
    local room, by = m.max_groups, "a unit takes no more"
    local function limit(n, what)
        if n < room then room, by = n, what end
    end
    limit(m.max_warps // warps, "their work-items are as many as it takes")
    limit(m.registers // (registers * warps * m.warp), "their registers fill it")
    if f.local_bytes > 0 then limit(m.unit_local // (f.local_bytes + 1024), "their local memory fills it") end
    return max(1, room), warps, by
end

-- Instructions of all work-items; vectors of more than 16 bytes are several accesses.
local function instructions_gpu(f, m)
    local wide = 0
    for _, kind in ipairs({"global_load", "global_store", "local_load", "local_store"}) do
        wide = wide + f[kind .. "_w8"] / 32 + f[kind .. "_w16"] * 3 / 64
    end
    return f.add + f.mul + f.fma + f.other + f.index + f.div * m.div + f.special * m.special + f.loops * m.loop
        + f.loads * m.load + wide + f.global_store_accesses + f.local_store_accesses
end

-- Cycles that a group waits for what comes before: updates, barriers, memory, what one of its work-items does alone. What goes to local memory is fetched
-- between two barriers (or a round ahead); where loads do not, every round of the loops around them waits.
local function waiting(f, m)
    local direct, images = f.global_loads - f.local_store_accesses, f.image_loads / max(1, f.global_loads)
    local rounds = f.stages > 1 and images == 0 and 1 or f.barriers / 2
    if direct > 0.01 * f.global_loads then rounds = rounds + min(f.loops, direct) / f.items end
    local alone = (f.alone + f.alone_dear * m.div) / f.groups
    return (f.chain + alone) * m.chain + max(1, rounds) * (m.fetch + images * m.texel) + f.barriers * m.barrier
end

-- Bytes through a unit's first cache and its local memory. A load of a warp takes a cycle for each line that it looks up (rows of which each work-item reads
-- 8, 16 or 32 floats in turn take so many cycles a load on an H200).
local function through_unit(f, m)
    local loads = max((f.global_loads - f.image_loads) * m.front, f.global_lines * m.warp) + f.image_loads * m.texel_front
    local updates = f.local_atomics * m.atomic + (f.global_atomics - f.scattered_atomics) * m.atomic_far + f.scattered_atomics * m.atomic_apart
    return f.local_loads_moved + f.local_store_moved + (loads + updates + f.global_store_accesses) / m.warp * m.bank
end

function kinds.gpu(f, m)
    local room, warps = resident(f, m)
    local at_once = max(1, min(room, ceil(f.groups / m.units)))            -- groups of the busiest unit
    local rounds = ceil(f.groups / (m.units * room))
    local idle = uneven(f.groups, m.units)
    local ahead = max(1, min(8, f.private_arrays / 8)) * (f.stages > 1 and 2 or 1)       -- independent work of one warp
    local active = at_once * warps * ahead
    -- lanes without a work-item are lost
    local warp_instructions = instructions_gpu(f, m) / f.group_size * warps
    local spilled = max(0, f.private_arrays + m.base_registers - m.item_registers) / max(1, f.private_arrays)
    local spills = spilled * (f.private_load_bytes + f.private_store_bytes) + f.private_array_bytes
    local moved = f.global_loads_moved + f.global_store_moved
    local reused = min(moved, max(f.distinct_bytes, f.footprint_bytes * f.groups + f.global_store_moved))
    local beyond = f.distinct_bytes > m.near_bytes and max(f.distinct_bytes, reused / 4) or f.distinct_bytes
    local t = {
        arithmetic = (warp_instructions / (m.issue * m.pipe * m.clock * m.units) * (1 + m.hide / active)
            + (f.matrix_flops > 0 and f.matrix_flops / (m.matrix * m.clock * m.units) or 0)) * idle,
        accesses = through_unit(f, m) / (m.bank * m.clock * m.units) * idle + f.line_atomics * m.atomic_line / m.clock,
        memory = max(reused / m.near * idle, (beyond + spills) / m.far) / min(1, active / 16),
        chain = rounds * waiting(f, m) / m.clock + f.look_backs * m.look,
        control = rounds * m.group,
        start = f.launches * m.launch,
        images = f.image_store_bytes / m.image_copy,
    }
    local bounds = (t.arithmetic ^ m.power + t.accesses ^ m.power + t.memory ^ m.power + t.chain ^ m.power) ^ (1 / m.power)
    return t, bounds + t.chain * m.expose / at_once + t.control + t.start + t.images
end

-- costs

-- device: nil (the selected one, else a CPU), "cpu", "gpu", or a table of constants
local function model_of(device)
    if device == nil then device = engine.target() or "cpu" end
    if type(device) == "string" then device = model[device] end
    return device, device.warp and kinds.gpu or kinds.cpu
end

-- {name = true}: the features that the model of that kind of device looks at.
local function reads(kind)
    local names, any = {}, setmetatable({}, {__index = function() return 2 end})
    kinds[kind](setmetatable({}, {__index = function(_, name)
        names[name] = true
        return 2
    end}), any)
    return names
end

-- The predicted ns of kernels (a list of features, as v:features gives them), and {term = ns}.
local function cost_of(kernels, device)
    local m, kind = model_of(device)
    local total, terms = 0, {}
    for _, f in ipairs(kernels) do
        local t, ns = kind(f, m)
        local rounds = rawget(f, "rounds") or 1
        total = total + rounds * ns
        for name, x in pairs(t) do terms[name] = (terms[name] or 0) + rounds * x end
    end
    return total, terms
end

-- What a kernel with features f waits for memory at least, each byte of it moved once. The caches of a CPU's cores are its own.
local function moved_of(f, m)
    local bytes = f.distinct_bytes
    if bytes > m.near_bytes then return bytes / m.far end
    return m.near and bytes / m.near or (min(bytes, f.beyond_l1_bytes) * m.beyond_l1 + min(bytes, f.beyond_l2_bytes) * m.beyond_l2) / m.units
end

-- The least that a kind of device needs for a nest, {memory =, arithmetic =, launches = ns}: each byte of what it reads and makes moved
-- once, the operations of its kernels (a list of features) at full speed, one launch; and the name of the largest. flops: what the program
-- asks for (0: not known): what its kernels do beyond that, and move beyond these bytes, is not needed. No kernels cost less (cost_of).
local function bound_of(kernels, bytes, flops, kind)
    local m, all = model[kind], setmetatable({}, {__index = function() return 0 end})
    for _, f in ipairs(kernels) do
        local rounds = rawget(f, "rounds") or 1
        for _, name in ipairs({"add", "mul", "fma", "other", "div", "special", "flops", "matrix_flops", "distinct_bytes"}) do all[name] = all[name] + rounds * f[name] end
        all.memory = all.memory + rounds * moved_of(f, m)
    end
    local needed = flops > 0 and all.flops > flops and flops / all.flops or 1
    for _, name in ipairs({"add", "mul", "fma", "other", "div", "special", "matrix_flops"}) do all[name] = needed * all[name] end
    local operations = all.add + all.mul + all.fma + all.other
    local t = {memory = all.memory * min(1, bytes / max(1, all.distinct_bytes)), launches = m.launch}
    if kind == "gpu" then
        t.arithmetic = (operations + all.div * m.div + all.special * m.special) / (m.warp * m.issue * m.clock * m.units)
            + (all.matrix_flops > 0 and all.matrix_flops / (m.matrix * m.clock * m.units) or 0)
    else t.arithmetic = (operations * m.lane + all.div * m.vector_div + all.special * m.vector_special) / m.units end
    local by = "launches"
    for _, name in ipairs({"memory", "arithmetic"}) do
        if t[name] > t[by] then by = name end
    end
    return t[by], by
end

-- Of a recorded result: {ns =, kernels =, kind = of its device: nil where it is without features}, all its kernels as one; the same for all that
-- are without. Kept in the row.
local none = {__index = function() return 0 end}
local function recorded(row)
    if row.predicted == nil then
        local f, found = setmetatable({}, none), false
        for name, value in (row.features or ""):gmatch('"([%w_]+)": ([^,}]+)') do f[name], found = tonumber(value), true end
        local kind = (row.device or ""):find("^pocl") and "cpu" or "gpu"
        row.predicted = {ns = found and cost_of({f}, kind) or 1, kernels = {f}, kind = found and kind or nil}
    end
    return row.predicted
end

-- predict(points[, row_of[, tell]]): for each point {ns =, kernels =}, false where it cannot be planned. tell(n): n are done.
-- row_of(point): its recorded result, for those without a version.
function search.predict(points, row_of, tell)
    local groups, order, predicted = {}, {}, {}
    for i, p in ipairs(points) do
        local s = p.structure
        if search.is_recorded(s) then
            predicted[i] = recorded(row_of(p))
        else
            if not groups[s] then groups[s], order[#order + 1] = {params = {}, at = {}}, s end
            local g = groups[s]
            g.params[#g.params + 1], g.at[#g.at + 1] = p.params, i
        end
    end
    local done = 0
    for _, s in ipairs(order) do
        local g = groups[s]
        if tell then tell(done) end
        done = done + #g.at
        for i, kernels in ipairs(engine.features_of(s.light or s.version, g.params)) do
            predicted[g.at[i]] = kernels and {ns = cost_of(kernels), kernels = kernels}
        end
    end
    return predicted
end

-- "arithmetic 0.31 ms, memory 0.12 ms, start 0.01 ms": the largest first
local function explain_terms(ns, terms)
    local names = base.keys(terms, function(a, b) return terms[a] > terms[b] or terms[a] == terms[b] and a < b end)
    local parts = {}
    for i = 1, min(4, #names) do
        if terms[names[i]] > ns / 100 then parts[#parts + 1] = names[i] .. " " .. objective.time_text(terms[names[i]], 3) end
    end
    return table.concat(parts, ", "), names[1]
end

-- The terms in words.
local meanings = {
    accesses = "loads and stores", control = "loops and branches", chain = "sums that wait for the step before", caches = "what misses the caches",
    jumps = "jumps in memory", start = "starting kernels and groups", images = "writing images",
}

-- Of a kernel on a GPU: how many groups a unit has at once, and why no more.
local function room_of(f)
    local room, _, by = resident(f, (model_of("gpu")))
    return room, by
end

local function explain(ns, terms) return objective.time_text(ns, 3) .. " predicted: " .. explain_terms(ns, terms) end

local Cost = {__name = "cost", __tostring = function(c) return c.text end}

-- v:cost([params[, device]]): {ns =, text =, terms = {arithmetic =, ...}}; as a text it says which terms
-- dominate. nil and a failure.
local function cost(v, params, device)
    local kind = type(device) == "string" and device or nil
    if kind and kind ~= "cpu" and kind ~= "gpu" then error("a model is cpu or gpu, not " .. kind, 0) end
    local all, kernels = engine.features(v, params, kind)
    if not all then return nil, kernels end
    local ns, terms = cost_of(kernels, device)
    return setmetatable({ns = ns, terms = terms, text = explain(ns, terms)}, Cost)
end

return {cost = cost, constants = model_of, recorded = recorded, meanings = meanings, room_of = room_of, reads = reads, resident = resident, cost_of = cost_of, bound_of = bound_of, explain = explain, explain_terms = explain_terms}

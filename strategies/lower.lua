-- lower: the phases that make any typed program runnable, by named rules: loops, their mapping to the device, memory for what has none.
-- The schedule of a nest is chosen by the caller (`by(c, choose)`); the strategy `lower`, which compares them, is in shapes.lua.
--
-- The phases run over the whole term from its root; each looks for the first place that needs work, applies one rule
-- there and starts again. Parts that are lowered already are left as they are.

local engine, base, L = require "engine", require "base", require "combinators"
local contraction, defaults, blocking, total = require "contraction", require "defaults", require "blocking", require "total"
local R, nested_map, is_computing_map, is_fold = base.R, blocking.nested_map, blocking.is_map, blocking.is_fold
local places, exhaust, set, lengths = base.places, base.exhaust, base.set, require "lengths"
local fitting, shaping = lengths.fitting, require "shaping"
local DIMENSIONS, UNROLL, HOST_STEP = lengths.DIMENSIONS, require("rows").ROW_KEPT, shaping.CPU_MIN     -- of loops whose state is in registers; of a fold that is worth launches

local WINDOW = 9

-- looking

local function apply(q, rule)
    local r = rule.run(q)
    return r and r.root ~= q.root and r or nil
end

local function apply_below(q, slot, rule) return apply(q, L.slot(slot, rule)) end

local in_function, is_small = total.in_kernel, total.is_small

local function above(q, prim)
    q = q:up()
    while q and q.term.prim ~= prim do q = q:up() end
    return q
end

local by_index, memory, parallel, writes = base.prims "by_index", base.prims "memory", base.prims "parallel", base.prims "write"


-- loops over a state

-- Elements of the largest nest of maps in t, or made by their indices; 0: it has none.
local function largest_map(t)
    local most, elements, inner = 0, 1, t
    while inner and (is_computing_map(inner) or inner.prim == "generate") do
        elements = elements * (inner.length:known() or math.huge)
        most, inner = elements, inner:slot("f")
    end
    for _, child in ipairs(t.children) do most = math.max(most, largest_map(child)) end
    return most
end

-- Does the step only say where each element comes from? Then all of them are moved at once.
local function is_laid_out(step)
    if step.prim == "if" then return is_laid_out(step:slot("then")) and is_laid_out(step:slot("else")) end
    return step.is_layout and step.is_array
end

-- Is the step's state an array of which an element is made of the same one alone? It may stay where it is then.
local function is_elementwise(step)
    return step.prim == "map" and (step:slot("in").kind == "var" or is_elementwise(step:slot("in")))
end

-- Is the step its state but for a few elements, x with [i] = v? They are written where the state lies.
local function is_update(step)
    if largest_map(step) > 1 then return false end
    if step.prim == "let" then return is_update(step:slot("body")) end
    if step.prim == "if" then return is_update(step:slot("then")) and is_update(step:slot("else")) end
    return step.kind == "var" or step.prim == "scatter" and is_update(step:slot("dest"))
end


local has_loop_over_array
-- Does t loop over arrays of more scalars than an item keeps, that are a state of its own, outside functions and other loops? grouped: of as many as are
-- worth a group. It is asked of the same terms again and again: looked_at has what was found while lengths stay known as they are.
local looked_at
local function look_anew() looked_at = {[true] = {}, [false] = {}} end
local function loops_over_array(t, grouped)
    local so = looked_at[grouped or false]
    if so[t] == nil then so[t] = has_loop_over_array(t, grouped) end
    return so[t]
end
function has_loop_over_array(t, grouped)
    if t.prim == "iterate" or t.prim == "reduceSeq" then
        local n = t.scalars and t.scalars:known()
        if grouped then return n ~= nil and n >= lengths.GPU.warp and n <= lengths.group_words() end
        return (n and n > total.PRIVATE_SCALARS or not n and t.is_array) and not is_elementwise(t:slot("f")) and not is_update(t:slot("f"))
    end
    for i, child in ipairs(t.children) do
        if t.slots[i] ~= "f" and loops_over_array(child, grouped) then return true end
    end
    return false
end

-- Launches of each step (true), one work-item for all (false), or one group (GROUP)? As few elements are made in a step, or changed, any may be the
-- fastest; nil: as it is written.
local launching
local GROUP = "group"
local EITHER = 16384                     -- elements of a step up to which all are looked at

-- By kind of device: the ways of loops; elements that are worth flags where a reduction may not begin again, and those of a reduction that is a nest of its own;
-- parts of an array of any length, such that neighbours read neighbours, or not; of a known one; updates by all; what is so cheap that each item makes it;
-- what the cost model expects to be so many times as fast as it is written is made instead. (1.1 to 1.3 lost least on an H200, over 116 programs made both ways, and
-- below 1.3 a program of the suite.)
local device = lengths.by_kind {
    gpu = {ways = {false, true, GROUP}, flagged = lengths.GROUP, apart = 32, grouped = true, margin = 1.3,
           parts = function(m) return L.alt(R("reduceSlices", {n = m}), R("reduceRanges", {n = m})) end,
           strided = function(m) return R("reduceReorder", {p = {perm = "stride", size = m}}) end, by_all = R("reduceByIndexAtomic"), sunk = R("letIntoMap")},
    cpu = {ways = {false, true}, flagged = EITHER, apart = EITHER, grouped = false, margin = 1.5,
           parts = function(m) return R("reduceRanges", {n = m}) end, strided = function() return L.fail end, by_all = L.fail, sunk = L.fail},
}

-- A loop over an array in each element of a map has no place for its arrays; one loop over all of them has. What stands before the loop, or takes
-- what it makes, becomes a map of its own.
local loops_out = {R("loopFirstOut"), R("loopSecondOut"), R("loopBodyOut"), R("loopOut"), R("loopZipOut")}
local before_loops = {R("letInvariantOut"), R("letOut"), R("letZipOut")}
local made_once = L.seq(L.normalize(R("zipDrop")), L.rep(R("letShare")))           -- what only starts need, or starts and steps
local interchanges = {R("loopInterchange"), R("loopZipInterchange")}
local function first_of(q, rules)
    for _, rule in ipairs(rules) do
        local r = apply(q, rule)
        if r then return r end
    end
end
local function loop_out(q)
    if not is_computing_map(q.term) or in_function(q) then return nil end
    if launching == GROUP and loops_over_array(q.term:slot("f"), true) or not loops_over_array(q.term:slot("f")) then return nil end
    local loop = q:go("f")
    local t = loop.term
    if t.prim == "let" and not loops_over_array(t:slot("value")) then return first_of(q, before_loops) end
    if t.prim == "iterate" then loop = apply(loop, R("iterateFold")) end
    if not loop or loop.term.prim ~= "reduceSeq" then return first_of(q, loops_out) end
    local r = loop.term:slot("in").prim == "generate" and first_of(loop:at(q), interchanges)
    return r and made_once.run(r) or nil
end

-- What takes a loop for each element and is the same in every step is made once.
local invariants_out = {R("loopScanOut"), R("loopScansOut"), R("loopReductionOut"), R("loopReductionsOut")}

-- May the loop t go any of these ways?
local function either_way(t)
    if t.prim == "scanSeq" then return t:slot("init").is_array end
    return t.prim == "reduceSeq" and t.is_array and not memory[t:slot("init").prim] and (is_update(t:slot("f")) or largest_map(t:slot("f")) < EITHER)
end

-- Outside every kernel, an iterate whose steps keep the length is a left fold; one over arrays whose step has maps of its own makes launches of each
-- step.
local function host_loop(q)
    local t = q.term
    if in_function(q) then return nil end
    if t.prim == "iterate" then return apply(q, R("iterateFold")) end
    local grouped = launching == GROUP and either_way(t) and L.loopInGroup.run(q)
    if grouped then return grouped end
    if t.prim == "scanSeq" then return launching and either_way(t) and apply(q, R("scanSeqLoop")) or nil end
    if t.prim ~= "reduceSeq" or not t.is_array or memory[t:slot("init").prim] then return nil end
    local least = t:slot("in").prim == "generate" and 1 or HOST_STEP     -- a loop of the program's own, or a fold over data
    local step = t:slot("f")
    local launches = not is_update(step) and (largest_map(step) >= least or least == 1 and is_laid_out(step))
    if launching ~= nil and either_way(t) then launches = launching end
    if step.has_parallel or not launches then return nil end
    for _, rule in ipairs(invariants_out) do
        local r = apply(q, rule)
        if r then return apply(r, R("letAgain")) or r end
    end
    return apply(q, R("hostLoop"))
end

-- partial reductions

-- Into how many partial results a reduction over that many elements is cut, in chunks of two or more; nil: not at all.
local function partial_count(length)
    local wanted, n = engine.hint("parallelism"), length:known()
    if not n then return engine.size(wanted):divides(length) ~= false and wanted or nil end
    local m = fitting(n, math.min(wanted, n // 2), 1)
    return m and m > 1 and m or nil
end

-- m partial results of an array whose length is not known, whatever it is: of slices, which make again what is made below a layout.
local function of_any_length(q, m)
    local x = q.term:slot("in")
    if x.length:known() or engine.size(m):divides(x.length) then return nil end
    if (x.prim == "map" and x:slot("in") or x):contains("map") then return nil end
    return apply(q, device.parts(m))
end

-- A top-level reduction: partial results in parallel, then one fold over them; not where the user has made them. On a GPU chunk i takes every
-- m-th element from i on, so that neighbours read neighbours, where the order may change.
local function split_reduction(q)
    local t = q.term
    if t.is_array or in_function(q) or not engine.reassociates(q) then return nil end
    if t:slot("in").has_parallel then return nil end
    local m = partial_count(t:slot("in").length)
    if not m then return nil end
    local any = of_any_length(q, m)
    if any then return apply(any, R("reduceSeq")) end
    local r = apply(q, device.strided(m))
    if r and is_computing_map(r.term:slot("in"):slot("in")) then r = apply_below(r, "in", R("mapReorder.rev")) end
    r = apply(r or q, R("reducePartIntro", {m = m}))         -- which states "m divides the length" as a fact of the version
    r = r and apply_below(r, "in", R("reducePartToReduce"))
    return r and apply(r, R("reduceSeq"))
end

-- What the partial reductions read is made where it is read: split (map f x) moves f into the chunks.
local function push_into_chunks(q)
    local t = q.term
    if t.prim == "split" and is_computing_map(t:slot("in")) and not in_function(q) then
        local up = q:up()
        if up and up.term.prim == "map" and up.term:contains("reduce") then return apply(q, R("splitMap")) end
    end
    local input = is_computing_map(t) and t:contains("reduce") and t:slot("in") or nil
    if is_computing_map(input) and input:slot("in").prim == "split" then return apply(q, R("mapFusion")) end
end

-- sequential forms and fusion inside functions

local sequential = {reduce = R("reduceSeq"), scan = R("scanSeq")}
local function sequential_form(q) return apply(q, sequential[q.term.prim]) end

-- The pairs are made by the one work-item that updates, or on a GPU by all.
local function by_index_form(q)
    local r = not in_function(q) and apply(q, device.by_all)
    local copy, map = R("copySeq"), R("mapSeq")
    if r then copy, map = R("copyGlobal", {d = 0}), R("mapGlobal", {d = 0}) end
    r = r or apply(q, R("reduceByIndexSeq"))
    return r and apply_below(r, "in", q.term:slot("in").prim == "map" and map or copy)
end

-- What reads the elements of a map makes them.
local takes_map = {reduceSeq = R("reduceMapFusion"), reduceSeqUnroll = R("reduceMapFusion"), scanSeq = R("scanMapFusion"), map = R("mapFusion"),
                   split = R("splitMap"), slice = R("sliceMap")}

-- Products made by their numbers are added where they are made, as one operation with the sum.
local function makes_products(t) return t.prim == "generate" and t:slot("f"):contains("*") and not t:slot("f").is_array end

local function fuse_here(q)
    local t = q.term
    local rule = takes_map[t.prim or ""]
    if rule and is_computing_map(t:slot("in")) then return apply(q, rule) end
    if is_fold(t) and makes_products(t:slot("in")) then return apply_below(q, "in", R("generateMap")) end
    if t.prim == "zip" and base.any(t.children, is_computing_map) then
        local up = q:up()
        local reads = up and (is_fold(up.term) or up.term.prim == "scanSeq" or up.term.prim == "map" or up.term.prim == "slice")
        if reads and q.slot == "in" then return apply(q, R("zipMap")) end
    end
end

-- A fold over the few elements of a window is straight-line code; lengths that only the session knows may change.
local function unroll_window(q)
    local n = not q.term.is_array and q.term:slot("in").length.value
    return n and n <= WINDOW and apply(q, R("reduceUnroll")) or nil
end

-- Inside a parallel nest an intermediate array would need memory of its own: fuse it away where a rule does.
local function fuse_inside(q) return in_function(q) and fuse_here(q) or nil end

-- parallel forms

-- A lowest dimension that no form of that name in q, or around it, has taken.
local function free_dimension(q, name)
    local taken, up = {}, above(q, name)
    for p in places(q, {[name] = true}) do taken[p.term:static(1).value] = true end
    while up do
        taken[up.term:static(1).value] = true
        up = above(up, name)
    end
    for d = 0, DIMENSIONS - 1 do
        if not taken[d] then return d end
    end
end

-- The map at q around parallel forms that the user has put already; inside: its body.
local function around_parallel(q, inside)
    local t = inside.term
    local grouped = t:contains("mapWorkgroup")
    if not grouped and t:contains("mapLocal") then
        local items = base.find(inside, function(x) return x.prim == "mapLocal" end)
        return apply(q, R("mapWorkgroup", {d = items.term:static(1)}))
    end
    local d = free_dimension(inside, grouped and "mapWorkgroup" or "mapGlobal")
    return d and apply(q, (grouped and R("mapWorkgroup") or R("mapGlobal"))({d = d}))
end

local function nest_to_global(q)
    local list = blocking.levels(q)
    local n = math.min(#list, DIMENSIONS)
    for i = 1, n do
        local r = apply(q:at(list[i]), R("mapGlobal", {d = n - i}))
        if not r then return i > 1 and q or nil end
        q = r:at(q)
    end
    return q
end

local function is_cheap(t)
    if t.is_array or t:contains("reduce") or is_fold(t) or t.prim == "generate" then return false end
    return base.all(t.children, function(child) return not child.prim or child.is_array or is_cheap(child) end)
end

-- A GPU has items enough to make a scalar anew for each element of the map that uses it, so that the map has items of its own.
local function sink_scalar(q)
    local t, outer = q.term, q
    while outer.slot == "body" do outer = outer:up() end
    local up = outer.slot == "f" and outer:up()
    if not up or in_function(up) or not is_computing_map(up.term) then return nil end
    return is_cheap(t:slot("value")) and is_computing_map(t:slot("body")) and apply(q, device.sunk) or nil
end

local function parallel_form(q)
    local t = q.term
    if not is_computing_map(t) then return nil end
    local inside = q:go("f")
    if inside.term.has_parallel then return around_parallel(q, inside) end     -- also between forms of the user's
    return not in_function(q) and nest_to_global(q) or nil
end

-- Directly inside a mapWorkgroup d that has no mapLocal yet: the work-items of the group.
local function local_form(q)
    local p = not q.term:contains("mapLocal") and nested_map(q)
    return p and apply(p, R("mapLocal", {d = q.term:static(1)})) or nil
end

-- memory

local writers = base.merged(base.prims "mapped", set("reduceHost"))

local parts_out = L.alt(R("mapPartsOut"), R("mapParts3Out"))

-- x becomes a copy of x, element by element down to the scalars; the outer maps that many over global work-items. Arrays side by side with arrays
-- for elements are copied each by itself.
local function copy(q, items)
    local element = items > 0 and q.term.prim == "map" and q.term:slot("f")
    q = element and element.is_array and element.rank == 0 and parts_out.run(q) or q
    local rank, p = q.term.rank, q
    if q.term.prim == "zip" and base.any(q.term.children, function(t) return t.rank > rank end) then
        for _, slot in ipairs(q.term.slots) do
            local part = q:go(slot)
            local r = copy(part, items > 0 and math.min(part.term.rank, DIMENSIONS) or 0)
            if not r then return nil end
            q = r:at(q)
        end
        return q
    end
    for level = 1, rank do
        local r
        if level <= items then r = apply(p, R("copyGlobal", {d = items - level})) else r = apply(p, R("copySeq")) end
        if not r then return nil end
        q = r:at(q)
        if level < rank then p = r:go("f") end
    end
    return q
end

-- What a fold at q begins with, copied to global memory by that many dimensions of work-items.
local function accumulate_globally(q, items)
    local r = copy(q:go("init"), items)
    r = r and apply(r, R("toGlobal"))
    return r and r:at(q)
end

-- Accumulators of one work-item, or those that the work-items of a group update each its own, in dimensions 1 and 0.
local private_rules, item_rules = {R("accPrivate"), R("accPrivate2")}, {nil, R("accInItems2"), R("accInItems3")}
local function private_rule(t)
    local body, dimensions = t:slot("f"), ""
    if not body:contains("mapLocal") then return private_rules[t.rank] end
    while body and body.prim == "let" do body = body:slot("body") end
    while body and body.prim == "mapLocal" do body, dimensions = body:slot("f"), dimensions .. body:static(1).value end
    return dimensions == "10" and item_rules[t.rank]
end

-- The elements of a reduction by index are in the memory of its result; what computes them puts them there.
local function place_elements(q)
    local t = q.term
    local init = by_index[t.prim] and t.prim ~= "reduceByIndex" and q:go("init")
    if not init or memory[init.term.prim] or init.term.is_atom and in_function(q) then return nil end
    if by_index[init.term.prim] or is_computing_map(init.term) or init.term.has_parallel or writers[init.term.prim] then return apply_below(q, "init", R("toGlobal")) end
    return accumulate_globally(q, t.prim == "reduceByIndexAtomic" and not in_function(q) and 1 or 0)
end

-- Does the fold at q begin with what has no memory for it: not with another fold's accumulator, but with an element that a map gives?
local function begins_with_element(q)
    local init = q:go("init")
    local map = init.term.kind == "var" and init:binder()
    return map and writers[map.term.prim] or false
end

-- A fold over arrays: its accumulator needs a place, unless it is one that the outer fold gave.
local function place_accumulator(q)
    local t = q.term
    if by_index[t.prim] then return place_elements(q) end
    if not is_fold(t) or t.rank == 0 then return nil end
    local init = t:slot("init")
    if memory[init.prim] or init.is_atom and not begins_with_element(q) then return nil end
    local private = in_function(q) and is_small(t) and private_rule(t)
    return private and apply(q, private) or not init.is_atom and accumulate_globally(q, 0) or nil
end

-- Short arrays that a work-item scans: what they begin with is in its own memory, where each step updates it.
local function place_scanned(q)
    local init = q:go("init")
    local own = init.term.is_array and not memory[init.term.prim] and in_function(q) and is_small(init.term)
    return own and apply(init, R("toPrivate")) or nil
end

-- Does the map at q make its elements of those of one scan, in a function? The loop of the scan does.
local function maps_scan(q)
    local t, n = q.term, 0
    if t.prim ~= "map" and t.prim ~= "mapSeq" and t.prim ~= "mapSeqUnroll" or t:slot("f").is_array and not t:slot("f"):contains("mapLocal")
        or not in_function(q) then return false end
    local x = t:slot("in")
    for _, read in ipairs(x.prim == "zip" and x.children or {x}) do n = n + (read.prim == "scanSeq" and 1 or 0) end
    return n == 1
end

-- Does the map at q make what a matrix unit takes, rounded where it is read?
local function makes_operand(q)
    local slot, up = q.slot, q.term:contains("tf32") and q:up()
    while up and up.term.prim ~= "mma" do slot, up = up.slot, up:up() end
    return up and (slot == "a" or slot == "b")
end

-- A private accumulator stays in registers only where the loops over it are straight-line code.
local function loop_form(q)
    if makes_operand(q) or not is_computing_map(q.term) and not maps_scan(q) then return nil end
    local length = q.term.length.value
    local fold = length and length <= UNROLL and (above(q, "reduceSeq") or above(q, "reduceSeqUnroll"))
    local unrolled = fold and fold.term:slot("init").prim == "toPrivate"
    return unrolled and apply(q, R("mapSeqUnroll")) or apply(q, R("mapSeq"))
end

local function is_producer(t)
    if not t.is_array then return false end
    local p = t.prim
    if is_fold(t) or by_index[p] then return not memory[t:slot("init").prim] and not t:slot("init").is_atom end
    return writes[p] == "MAPPED" or p == "scanSeq" or p == "iterate"
end

local passes = {["(,)"] = true, ["."] = true, asVector = true, asScalar = true}

-- Is q a map of the pairs of a reduction by index?
local function makes_pairs(q)
    local up = writers[q.term.prim] and q:up()
    while up and (up.term.layout_node or q.slot == "f" and writers[up.term.prim]) do q, up = up, up:up() end
    return up and q.slot == "in" and by_index[up.term.prim]
end

-- The node that computes with the value of q, or names it; nil when it is a result.
local function reader(q)
    local up = q:up()
    while up do
        local t, slot = up.term, q.slot
        if slot == "f" and q.term.prim == "(,)" and makes_pairs(up) then return up end
        if memory[t.prim] or slot == "f" or by_index[t.prim] then return nil end
        local through = t.layout_node or passes[t.prim] or (t.prim == "let" and slot == "body")
            or (t.prim == "scatter" and slot == "dest") or (t.prim == "if" and slot ~= "cond")
            or (t.layout_map)
        if not through then return up end
        q, up = up, up:up()
    end
end

-- A computed array that is computed with needs memory, but for buffers between top-level parallel nests.
local function place_array(q)
    local up = is_producer(q.term) and reader(q)
    if not up or q.term.prim == "scanSeq" and maps_scan(up) then return nil end
    if not in_function(q) and q.term.has_parallel then return nil end
    if q.term:contains("mapLocal") and above(q, "mapWorkgroup") then return apply(q, R("toLocal")) end
    return total.placed(q)
end

-- Local arrays have constant lengths: where sizes are arguments, those of other lengths lie in global memory.
local function local_in_global(q)
    local n = q.term.scalars
    return not engine.hint("constants") and not n.value and n:known() and apply(q, R("localToGlobal")) or nil
end

-- results

local function is_variables(t)
    if t.prim ~= "(,)" then return t.kind == "var" end
    return base.all(t.children, is_variables)
end

-- Is q the test by which a loop ends, if c then ... else the state as it came?
local function ends_loop(q)
    local up = q:up()
    while up and up.term.prim == "let" and q.slot == "body" do q, up = up, up:up() end
    return up and up.term.prim == "reduceHost" and q.slot == "f"
end

local first_unwritable

local function among_parts(q, slots, named)
    for _, name in ipairs(slots) do
        local p = first_unwritable(q:go(name), named)
        if p then return p end
    end
end

-- A named value, taken apart by component or laid out, where neighbours stay neighbours.
local function is_component(t)
    if t.kind == "var" then return true end
    if t.prim == "map" then return t.layout_function and is_component(t:slot("f")) and is_component(t:slot("in")) end
    local kept = t.prim == "." or t.prim == "unzip" or t.prim == "join" or t.prim == "split" or t.prim == "transpose" and t.rank > 2
        or t.prim == "reorder" and t.rank > 1
    return kept and is_component(t.children[1])
end

local function are_components(t)
    if t.prim ~= "concat" then return is_component(t) end
    return are_components(t.children[1]) and are_components(t.children[2])
end

-- The place in a result that cannot be written as it stands: an input, a view without an inverse, or what lies in other
-- memory. nil: none. named: a value that has a name may stay where it is made (the plan sees to it).
function first_unwritable(q, named)
    local t = q.term
    if not t.is_array or named and are_components(t) then return nil end
    if t.prim == "scatter" then return among_parts(q, {"dest", "in"}) end
    if memory[t.prim] and memory[t.prim] ~= "global" and in_function(q) then return q end
    if t.only_stores then return nil end
    if t.rank > 0 and (t.is_layout or t.only_read) then return q end
    if t.layout_map and not t.invertible then return q end
    if t.invertible then return first_unwritable(q:go("in")) end
    if total.parts[writes[t.prim]] then return among_parts(q, t.slots, named) end
    if t.prim == "if" then
        if is_variables(t:slot("else")) and ends_loop(q) then return among_parts(q, {"then"}, named) end
        return among_parts(q, {"then", "else"})
    end
    return t.prim == "let" and first_unwritable(q:go("body"), named) or nil
end

local function copy_result(q)
    local up = q:up()
    local written = not up or q.slot == "f" and writers[up.term.prim] and not makes_pairs(up)
        or q.term.prim == "scatter" and not in_function(q)
    local outside = not up or up.term.prim == "reduceHost" and not in_function(up)
    local p = written and first_unwritable(q, outside and q.term.has_parallel)
    local items = p and not in_function(p) and math.min(p.term.rank, DIMENSIONS) or 0
    return p and p.term.rank > 0 and copy(p, items) or nil
end

-- The program's result, those of mapped functions and what a scatter makes are written somewhere: the first of them that cannot be is copied.
local writing = base.merged(writers, set("scatter"))
local function copy_results(c)
    local r = copy_result(c)
    for q in places(c, writing) do
        if r then return r end
        local at = q.term.prim == "scatter" and q or q:go("f")
        r = at and copy_result(at)
    end
    return r
end

-- the whole

-- A phase that is a function finds its first place itself.
local function phases(list)
    return function(c)
        look_anew()
        for _, phase in ipairs(list) do
            local r = type(phase) == "function" and phase(c)
            while r do
                c = r:at(c)
                r = phase(c)
            end
            if type(phase) == "table" then c = exhaust(c, phase) end
        end
        return c
    end
end

-- Places that are computed are computed where the elements are read.
local function gather_here(q) return is_computing_map(q.term:slot("index")) and apply(q, R("gatherComputed")) or nil end

-- One within another, from the outermost.
local function launched_loop(q) return loop_out(q) or host_loop(q) end

local folds = base.merged(by_index, set("reduceSeq", "reduceSeqUnroll"))
local fusible = set("reduceSeq", "reduceSeqUnroll", "scanSeq", "map", "split", "slice", "zip")
local producers = base.merged(folds, base.prims "mapped", set("scanSeq", "iterate"))

-- Else what lies by rows seems to be read by columns, which work-items side by side would do far apart.
local turned_twice = {function(q) return apply(q, R("transposeTranspose")) end, set("transpose")}
-- Rows that are scanned or reduced element by element are columns that each have work-items of their own. (A left fold may be a form that was chosen.)
local of_columns = {scan = R("scanByColumns"), scanSeq = R("scanSeqByColumns"), reduce = R("reduceByColumns")}
local same_start = L.seq(L.slot("in", R("zipConstant")), R("mapFusion"))          -- all columns begin with one value
-- Is each scalar of the arrays in t made by itself? Then those of a column may be made one after another.
local function is_apart(t)
    while t.prim == "transpose" or t.prim == "reorder" or t.prim == "take" or t.prim == "drop" do t = t:slot("in") end
    return t.is_layout or is_computing_map(t) and (not t:slot("f").is_array or is_apart(t:slot("f")))
end
local function by_columns(q)
    local t = q.term
    if not t:slot("init").is_array or t.prim == "reduce" and not is_apart(t:slot("in")) then return nil end
    local r = apply(q, of_columns[t.prim])
    return r and L.try(L.alt(same_start, L.slot("in", same_start))).run(r)
end
local columns = {by_columns, set("scan", "scanSeq", "reduce")}
local loops, gathers = {launched_loop, set("map", "iterate", "reduceSeq", "scanSeq")}, {gather_here, set("gather")}
-- One row that is put somewhere is made as an array of its own is.
local function one_row(q) return q.slot == "in" and not in_function(q) and q:up().term.prim == "scatter" and apply(q, R("generateOne")) or nil end
local single = {one_row, set("generate")}
-- Choosing the better of two is associative, whichever of them is asked about. (A key that is NaN is not better or worse: taken for granted.)
local chosen = {}
for i, name in ipairs {"Less", "Greater", "AtMost", "AtLeast", "LessThenLess", "GreaterThenLess", "LessThenGreater", "GreaterThenGreater"} do
    chosen[i] = R("chosen" .. name)
end
-- Where a reduction of many must not begin again from its start, but its function is associative, flags tell what is an element.
local function any_start(q)
    local n = q.term:slot("in").length:known() or EITHER
    if in_function(q) or q.term.is_array or n < device.flagged or engine.reassociates(q) then return nil end
    return apply(q, R("reduceAnyStart")) or first_of(q, chosen)
end
local started = {any_start, set("reduce")}
-- What makes the one element that is changed reduces many: that is a nest of its own.
local function reduced_first(q)
    local r = not in_function(q) and apply(q, R("scatterReductionOut"))
    local n = r and r.term:slot("value"):slot("in").length:known()
    return r and (n or EITHER) >= device.apart and r or nil
end
local changed = {reduced_first, set("scatter")}
local full_parts = {function(q) return apply(q, R("reducePartToReduce")) end, set("reducePart")}
local sequential_forms = {sequential_form, set("reduce", "scan")}
local accumulators, scanned, loop_forms, results, arrays = {place_accumulator, folds}, {place_scanned, set("scanSeq")}, {loop_form, set("map")}, copy_results, {place_array, producers}

local plain = {columns, loops, gathers, single, changed, started, {split_reduction, set("reduce")}, {push_into_chunks, set("split", "map")}, full_parts, {by_index_form, set("reduceByIndex")},
               sequential_forms, {fuse_inside, fusible}, {unroll_window, set("reduceSeq")}, {sink_scalar, set("let")}, {parallel_form, set("map")},
               {local_form, set("mapWorkgroup")}, accumulators, scanned, loop_forms, results, arrays,
               {local_in_global, set("toLocal")}}

-- A copy of an input by global work-items, as padNest makes one.
local function is_copy(t)
    local body = t.prim == "mapGlobal" and t:slot("f")
    return body and (body.kind == "var" or is_copy(body)) or false
end

local function has_mapped(t)
    if not t.has_parallel then return false end
    if is_copy(t) then return has_mapped(t:slot("in")) end
    return parallel[t.prim] or base.any(t.children, has_mapped)
end

-- A left fold that is no loop of the program's own, which counts its steps. nests: but for those of the elements that maps make.
local function has_fold(t, nests)
    if not (t:contains("reduceSeq") or t:contains("reduceSeqUnroll")) then return false end
    if is_fold(t) and t:slot("in").prim ~= "generate" then return true end
    for i, child in ipairs(t.children) do
        if not (nests and t.slots[i] == "f") and has_fold(child, nests) then return true end
    end
    return false
end

-- What is still as written, of known sizes, gets the shape that suits the device; what that leaves, and all else, go the
-- plain way. Components of tuples, names and what is done with them, and the steps of a loop are parts, each with a shape of its own.
local has_parts = set("(,)", "let", "reduceHost", ".", "if", "unzip", "zip")
local function untouched(t)
    return not has_mapped(t) and not t:contains("mapSeq") and not has_fold(t, not has_parts[t.prim]) and not t:contains("toLocal")
end

-- The batch in whose groups the nest at q is made: a map to the groups of dimension 2, which leaves it the others.
local function batch_of(q)
    local groups = above(q, "mapWorkgroup")
    local inner = groups and groups.term:static(1).value == 2 and not in_function(groups) and nested_map(groups)
    return inner and inner.place == q.place and groups
end

-- What is in another function has no groups of its own.
local function shaped_parts(q, choose)
    local batch = in_function(q) and batch_of(q)
    if in_function(q) and not batch or q.term.is_atom then return q end
    if untouched(q.term) and not (has_parts[q.term.prim] and q.term:contains("reduceHost")) then return defaults.by_shape(q, choose, batch and batch.term.length) end
    local laid_out = q.term.layout_node or q.term.layout_map
    for _, child in ipairs((has_parts[q.term.prim] or laid_out) and q:children() or {}) do q = shaped_parts(q:at(child), choose):at(q) end
    return q
end

-- What becomes of c once the nests in it have their shapes: r.
local function finished(c, r) return total.within_memory(contraction.fuse_after(c, phases(plain)(r))) end

local function lowered(c, choose)
    return finished(c, shaped_parts(phases {turned_twice, columns, loops, gathers, single, changed, started}(c), choose))
end

-- What the cost model expects of the lowered program of c, in ns; infinity: it makes no kernels.
local function predicted(c)
    local model, kind = require "model", lengths.kind()
    local kernels = engine.kernels_of(nil, c, kind)
    return kernels and (model.cost_of(kernels, kind)) or math.huge
end

local LITTLE = 1.05                      -- what the cost model expects to be so many times as fast is made, where nothing else speaks for the one or the other

-- How an array of rows that kernels make for others may lie in memory: as it is read, where it is made in another order, or with its first two dimensions turned.
local turned = L.seq(R("transposeTwice"), L.slot("in", R("toGlobal")))
local function laid_out(q)
    local up = q:up()
    while up and up.term.invertible do q, up = up, up:up() end
    return q, up
end

-- The lowered program at c with what its kernels make for others stored so where that is expected to be faster, if that may be.
local function stored(c)
    if c:up() or not require "nests".may_gain(c) then return c end
    local top, ns, made = c, nil, {}
    for p in places(c, parallel) do table.insert(made, 1, p) end     -- what is within another first: its place stays
    for _, p in ipairs(made) do
        local q, up = laid_out(p)
        if up and q.term.rank > 1 and not memory[up.term.prim] and not in_function(p) and not first_unwritable(q) then
            ns = ns or predicted(c)
            local r = (q.place == p.place and turned or R("toGlobal")).run(c:at(q))
            local other = r and predicted(r) or math.huge
            if other * LITTLE < ns then c, ns = r, other end
        end
    end
    return c:at(top)
end

local TRUSTED = 2                        -- what the cost model expects to be so many times faster goes before its turn

-- The program at c with its loops over what they read by their numbers; as it is where there are none, or where the cost model expects that to be
-- far faster; and, where both were lowered, what that made.
local function by_elements(c, choose)
    local r = require "indices".run(c)
    if not r or c:up() then return r or c end
    local made, made_by_numbers = lowered(c, choose), lowered(r, choose)
    if predicted(made) * TRUSTED < predicted(made_by_numbers) then return c, made end
    return r, made_by_numbers
end

local MADE_AGAIN = 40                    -- nodes of what an element takes, from which on it is not made wherever it is read
local LONG = 400                         -- nodes that this adds where it is read, up to which a short array, or one of a work-item's own, is

-- Those of the value at q, with what it reads of arrays made by their numbers that have names, wherever it reads it. known: what was counted.
local function nodes_of(q, known)
    local n = q.term.size
    for p in places(q) do
        local v = p.term.kind == "var" and p:value()
        while v and v.term.prim == "let" do v = v:go("body") end
        if v and v.term.prim == "generate" then
            known[v.place] = known[v.place] or nodes_of(v, known)
            n = n + known[v.place]
        end
    end
    return n
end

-- An array made by its numbers that has a name and is read in several places is a map's, unless an element takes little, or it is short.
local function named_once(q)
    local value = q:go("value")
    while value.term.prim == "let" do value = value:go("body") end
    local n = value.term.prim == "generate" and value.term.scalars
    if not n then return nil end
    local uses, place = 0, q:go("value").place
    for p in places(q:go("body")) do
        local v = p.term.kind == "var" and p:value()
        uses = uses + (v and v.place == place and 1 or 0)
    end
    if uses < 2 then return nil end
    local short, nodes = in_function(q) or (n:known() or HOST_STEP) < HOST_STEP, nodes_of(value, {})
    if nodes < MADE_AGAIN or short and (uses - 1) * nodes < LONG then return nil end
    local r = apply(value, R("generateMap"))
    while r and r:go("f").term.prim == "generate" do r = apply(r:go("f"), R("generateMap")) end
    return r
end
local named = {named_once, set("let")}

-- Are the steps of the loop t launches in any way?
local function launches_anyway(t) return t.prim == "reduceSeq" and t.is_array and not either_way(t) end

-- Whether the loops in the program at c that may go either way are launches. made: what lowering it as it is made (nil: it was not).
local function launches_in(c, made)
    launching = nil
    look_anew()
    if c:up() then return nil end
    local found = false
    for p in places(c, set("reduceSeq", "scanSeq")) do found = found or either_way(p.term) and not in_function(p, launches_anyway) end
    for p in places(c, set("map")) do found = found or device.grouped and not in_function(p, launches_anyway) and loops_over_array(p.term:slot("f"), true) end
    if not found then return nil end
    local function expected(way, made)
        launching = way
        local ns = predicted(total.complete(made or lowered(c, defaults.shaped), true))
        return ns < math.huge and ns or predicted(total.complete(lowered(c, function() end), true))      -- some nest has a shape that makes no kernels
    end
    local written, best, way = expected(nil, made), math.huge, nil
    for _, other in ipairs(device.ways) do
        local ns = expected(other)
        if ns < best then best, way = ns, other end
    end
    if best * device.margin > written then return nil end
    return way
end

-- What lower makes of the term at c, where choose(nest) gives a nest its shape (nil: it has none). look: the same for nests of programs that are only
-- looked at (nil: choose does).
local function lower_by(c, choose, look)
    launching = nil
    local q, made = by_elements(exhaust(c, named), look or choose)
    launching = launches_in(q, made)
    return not look and launching == nil and made or lowered(q, choose)
end

local function lowering(name, doc, list, first)
    local function run(c)
        c = first and exhaust(c, first) or c
        launching = launches_in(c)
        return phases(list)(c)
    end
    base.name(name, "", doc, "lowering", function() return base.new(name, run) end)
    return run
end

local plainly = lowering("lowerPlain", "outer maps to mapGlobal, the rest to loops, top-level reductions in two kernels", plain, named)
lowering("lowerSeq", "everything in one work-item: loops only",
    {full_parts, {by_index_form, set("reduceByIndex")}, sequential_forms, {fuse_here, fusible}, accumulators, scanned, loop_forms, results, arrays})

-- lowerPlain again, with memory wherever an array that is computed is read, in the order of what it gives up: updates at once, then all but one work-item.
local in_order = {function(q) return apply(q, R("reduceByIndexSeq")) end, set("reduceByIndex")}
local function outside_results(q) return not in_function(q) and copy_result(q) or nil end
local function plain_again(by_index)
    return phases {named, columns, loops, gathers, single, changed, started, {total.generated, set("generate")}, {split_reduction, set("reduce")}, {push_into_chunks, set("split", "map")}, full_parts,
                   by_index, sequential_forms, {fuse_inside, fusible}, {unroll_window, set("reduceSeq")}, {parallel_form, set("map")},
                   {local_form, set("mapWorkgroup")}, {outside_results}}
end
local again = {plain_again({by_index_form, set("reduceByIndex")}), plain_again(in_order), phases {full_parts, in_order, sequential_forms}}

-- Does each map of loops over arrays have groups for its elements now?
local function in_groups() return launching == GROUP end

return {by = lower_by, plainly = plainly, finished = finished, stored = stored, in_function = in_function, in_groups = in_groups, again = again, predicted = predicted, TRUSTED = TRUSTED, LITTLE = LITTLE, device = device}

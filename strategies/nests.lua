-- nests: how `lower` makes nests of counters, however they were spelt: the program in element form (elementForm), every array that it names in
-- the way that the cost model likes best of the templates in `templates`.

local engine, base, L = require "engine", require "base", require "combinators"
local attention = require "attention"
local lengths, rows, products, takes_long = require "lengths", require "rows", require "products", require "blocking".takes_long
local R, set = base.R, base.set
local known, kind = lengths.known, lengths.kind

local M = {templates = {}}
local GPU, CPU, VECTOR, SIXTEEN, UNROLLED = lengths.GPU, lengths.CPU, lengths.VECTOR, rows.SIXTEEN, rows.UNROLLED
local SIDE = products.SIDE
base.search.templates = M.templates      -- so that users see them, and put their own behind them

-- looking

local reductions = set("reduce", "reduceSeq")

-- The reductions at and below q that are in no other one.
local function outer_reductions(q, list)
    list = list or {}
    if reductions[q.term.prim] then list[#list + 1] = q
    elseif q.term:contains("reduce") or q.term:contains("reduceSeq") then
        for _, child in ipairs(q:children()) do outer_reductions(child, list) end
    end
    return list
end

-- The counters of the nest at q: the place of each, and that of an element. turned: past where they are turned, too.
local function counters(q, turned)
    local list = {}
    while true do
        if q.term.prim == "generate" then list[#list + 1], q = q, q:go("f")
        elseif turned and q.term.prim == "transpose" then q = q:go("in")
        else return list, q end
    end
end

local scans = set("scan", "scanSeq")

-- The scan at q, or of which maps make what is there; nil: there is none.
local function scan_at(q)
    while q.term.prim == "let" do q = q:go("body") end
    while q.term.prim == "map" do q = q:go("in") end
    return scans[q.term.prim] and q or nil
end

-- What the nest at q is: {at =, rank =, extents = {...}, made = elements, summed = of a sum, the longest, terms = of all, sums = its reductions, row = length of
-- what is scanned, where its elements are rows, named = are its elements rows made of what has names in them?, depth = of templates that it is made within (nil: it
-- is not to be made)}; nil: none, or lengths are not known.
local function nest_at(q, depth)
    local list, element = counters(q)
    if element.term.prim == "transpose" then
        list, element = counters(q, true)                    -- columns that have names in them are turned
        if element.term.prim ~= "let" then return nil end
    end
    local scan = element.term.is_array and scan_at(element)
    local row = scan and known(scan.term:slot("in"))
    local sums = outer_reductions(element)
    local named = element.term.is_array and element.term.prim == "let" and not row
    if element.term.is_array and not row and not named or #list == 0 and #sums == 0 and not row then return nil end
    local nest = {at = q, depth = depth, rank = #list, extents = {}, made = 1, summed = 1, terms = 0, sums = sums, element = element, row = row or nil, named = named}
    for i, p in ipairs(list) do
        local n = known(p.term)
        if not n then return nil end
        nest.extents[i], nest.made = n, nest.made * n
    end
    for _, sum in ipairs(nest.sums) do
        local n = known(sum.term:slot("in"))
        if not n then return nil end
        nest.summed, nest.terms = math.max(nest.summed, n), nest.terms + n
    end
    return nest
end

-- The length of some of its dimensions as one.
local function extent(nest, dims)
    local n = 1
    for _, i in ipairs(dims) do n = n * nest.extents[i] end
    return n
end

-- making

-- The counter at q, or in what stands there: past what is dropped or laid out again, and past names where so asked.
local function counter_in(q, named)
    while q and q.term.prim ~= "generate" do q = named and q.term.prim == "let" and q:go("body") or q:go("in") end
    return q
end

-- The nest at q with its counters in groups, each group one counter: groups[i] lists dimensions, steps[i] is what divides its length. The place of
-- the first.
local function grouped(q, groups, steps)
    local code = {}
    for i, group in ipairs(groups) do code[i] = table.concat(group) end
    local r = R("elementGroups", {g = math.tointeger(table.concat(code, "9")), a = steps[1] or 1, b = steps[2] or 1, c = steps[3] or 1}).run(q)
    return counter_in(r)
end

local function units() return engine.target(kind()).units end

local function range(n)
    local list = {}
    for i = 1, n do list[i] = i end
    return list
end

-- All counters as one, as many as `by` divides: the place of the map over it. order: of the counters, the last one the fastest (nil: as they stand).
local function flat(nest, by, order)
    local even = not by or nest.made % by == 0
    local q = nest.rank == 1 and even and nest.at or grouped(nest.at, {order or range(nest.rank)}, {even and 1 or by})
    return q and R("generateMap").run(q)
end

base.name("countersAsOne", "(n=1)", "a map over all counters of the nest as one, as many as n divides", "macro", function(n)
    return base.new("countersAsOne", function(c)
        local nest = nest_at(c)
        local q = nest and nest.rank > 0 and flat(nest, n)
        if q then return q end
        return nil, base.failure(c, "countersAsOne", "generate N (\\i -> ..), N known, as elementForm makes it")
    end)
end)

-- templates: {name =, doc =, kind = of device, nil: of any, rows = for nests of rows, whole = for one sum in all, too, several = it makes several arrays of one,
-- like_shapes = it computes what a shape does, but for what is read again,
-- points(nest, target) = the parameters to try: a list, {{n = 4}, {n = 8}}, or the values of each, {n = {4, 8}}; empty: it does not fit,
-- make(nest, p) = a strategy for the place of the nest, or where that led}. help lowering says it to users, whose templates stand behind these.

local function template(t) M.templates[#M.templates + 1] = t end

template {
    name = "items", doc = "a work-item for an element",
    points = function() return {{}} end,
    make = function(nest)
        local q = flat(nest)
        return q and R("mapGlobal", {d = 0}).run(q)
    end,
}

-- The first sum at or below q that is still to be made; nil: there is none.
local function next_sum(q)
    for _, sum in ipairs(outer_reductions(q)) do
        if sum.term.prim == "reduce" then return sum end
    end
end

-- The sum at q of as many elements as k divides; the same in k parts that are sums of their own; nil: it cannot be so.
local function divided(sum, k) return known(sum.term:slot("in")) % k == 0 and sum or R("reducePad", {k = k}).run(sum) end
local function in_parts(sum, k)
    local even = divided(sum, k)
    return even and R("reduceKept", {k = k}).run(even)
end

-- The sums of the elements that the map at q makes, each as `how` has it; the place of the map, nil: one cannot be so.
local function each_sum(q, how)
    local top, sum = q, next_sum(q:go("f"))
    while sum do
        local r = how(sum)
        if not r then return nil end
        top = r:at(top)
        sum = next_sum(top:go("f"))
    end
    return top
end

-- Elements that a CPU's work-item makes one after the other: at least where there are so many, and at most.
local function run_least() return lengths.VECTORS * CPU.lanes end
local RUN_MOST = require("shaping").CPU_MIN

-- The dimensions of a run, from `first` on, n elements of it for an item, `parts` of a row.
local function run_of(nest, least, most)
    local first, length = nest.rank, nest.extents[nest.rank]
    while first > 1 and length < least do first, length = first - 1, length * nest.extents[first - 1] end
    local parts = -(-length // most)
    if first == 1 then parts = math.max(parts, math.min(lengths.busy_groups() // 2, length // least), 1) end
    return {first = first, n = -(-length // parts), parts = parts}
end

-- The nest with an item for each run, whose elements are a map at the second place; nil: it cannot be so.
local function in_runs(nest, p)
    local list = range(nest.rank)
    local outer, inner = table.move(list, 1, p.first - 1, 1, {}), table.move(list, p.first, nest.rank, 1, {})
    local step = extent(nest, inner) % p.n == 0 and 1 or p.n
    local all = p.first == 1
    local q = grouped(nest.at, all and {inner} or {outer, inner}, all and {step} or {1, step})
    q = q and R("generateMap").run(q)
    local run = q
    if q and p.first > 1 then
        q = R("mapWorkgroup", {d = p.parts > 1 and 1 or 0}).run(q)
        run = q and counter_in(q:go("f"), true)
        run = run and R("generateMap").run(run)
    end
    if run and (p.parts > 1 or p.first == 1) then
        run = R("splitJoin", {n = p.n}).run(run)
        run = run and R("mapWorkgroup", {d = 0}).run(run:go("in"))
        run = run and run:go("f")
    end
    local once = run and R("letInvariantOut").run(run)
    while once do
        run = once:go("body")
        once = R("letInvariantOut").run(run)
    end
    return q, run
end

-- A sum whose terms are written out; of a length that is a size of the program, too.
local unrolled = R("reduceUnroll")
local written_out = base.new("writtenOut", function(q)
    local n, r = known(q.term:slot("in")), L.seq(L.try(L.slot("in", R("generateMap"))), R("reduceSeq"), L.try(R("reduceMapFusion"))).run(q)
    return r and L.alt(unrolled, L.seq(R("splitReduce", {n = n}), L.slot("f", unrolled))).run(r)
end)

-- Sums of few terms in what is summed, written out: loops of them would keep a compiler from vectors.
local function short_written_out(q)
    return base.exhaust(q, {function(p) return (known(p.term:slot("in")) or math.huge) <= SIXTEEN and written_out.run(p) or nil end, set("reduce")})
end

-- The map at q as `part` makes that of the first n, of the last n and of all others: what is read beyond an end is not asked for between (index set splitting).
local function ends_apart(q, n, part)
    local r = R("mapPeelLast", {n = n}).run(q)
    r = r and R("mapPeel", {n = n}).run(r:go("0"))
    r = r and r:at(q)
    for _, at in ipairs {{"0", "0"}, {"0", "1"}, {"1"}} do
        local made = r and part(r:go(table.unpack(at)))
        r = made and made:at(q)
    end
    return r
end
local function one_by_one(q)
    local r = R("mapSeq").run(q)
    return r and each_sum(r, written_out.run)
end

local ENDS = {1, 2, 4, 8}                -- elements at the ends of rows that may be made by themselves
local asks = set("min", "max", "%", "//", "<", "<=", ">", ">=", "==", "!=")
local function asks_ends(nest)
    local row = nest.element:up().place
    for p in base.places(nest.element, asks) do
        for v in base.places(p) do
            local binder = v.term.kind == "var" and v:binder()
            if binder and binder.place == row then return true end
        end
    end
    return false
end

template {
    name = "runs", kind = "cpu", doc = "an item for neighbours of which a compiler makes vectors, their sums written out, `ends` of a row apart",
    points = function(nest)
        if nest.terms > UNROLLED then return {} end
        local list = {run_of(nest, run_least(), RUN_MOST)}
        local p, row = list[1], nest.extents[nest.rank]
        local apart = p.first > 1 and p.first == nest.rank and p.parts == 1 and asks_ends(nest)
        for _, n in ipairs(apart and ENDS or {}) do
            if row - 2 * n >= run_least() then list[#list + 1] = base.merged(p, {ends = n}) end
        end
        return list
    end,
    make = function(nest, p)
        local q, run = in_runs(nest, p)
        run = run and (p.ends and ends_apart(run, p.ends, one_by_one) or not p.ends and one_by_one(run))
        return run and run:at(q)
    end,
}

-- Does the sum at q run along what it reads, so that work-items that share it read neighbours?
local function runs_along(q)
    local _, _, near = engine.factors(q)
    return near ~= nil and near.own == true
end

-- The map at q of what sums give as a loop over what is summed, of all its elements in each round, and a map of what is done with the sums.
local function as_loop(each, memory)
    return L.seq(L.slot("f", L.seq(L.slot("in", R("generateMap")), R("reduceSeq"), R("reduceMapFusion"))), R("loopInterchange"),
                 L.slot("init", L.seq(each, memory)), L.slot("f", each))
end
local function sums_beside(q, each, as_result)
    while q.term:slot("f").prim ~= "reduce" and next_sum(q:go("f")) do
        q = L.alt(R("reduceOut"), R("reduceZipOut")).run(q)
        local sums = q and as_loop(each, R("toPrivate")).run(q:go("in", "0"))
        if not sums then return nil end
        q = sums:at(q)
    end
    return (q.term:slot("f").prim == "reduce" and as_result or each).run(q)
end
local in_vectors, in_registers = as_loop(R("mapSeq"), R("toGlobal")), L.seq(as_loop(R("mapSeqUnroll"), R("toPrivate")), R("copyUnroll"))

template {
    name = "beside", kind = "cpu", doc = "an item for neighbours whose sums grow side by side",
    points = function(nest) return #nest.sums > 0 and {run_of(nest, run_least(), RUN_MOST // 16), run_of(nest, run_least(), RUN_MOST // 4)} or {} end,
    make = function(nest, p)
        local q, run = in_runs(nest, p)
        run = run and sums_beside(run, R("mapSeq"), in_vectors)
        return run and short_written_out(run):at(q)
    end,
}

template {
    name = "some", kind = "gpu", like_shapes = true, doc = "a work-item for neighbours whose sums grow side by side in its registers",
    points = function(nest)
        local list = {}
        for _, n in ipairs(#nest.sums > 0 and not base.any(nest.sums, runs_along) and {VECTOR, 2 * VECTOR} or {}) do
            if nest.made % n == 0 and nest.made >= n * GPU.busy_items then list[#list + 1] = {n = n} end
        end
        return list
    end,
    make = function(nest, p)
        local q = flat(nest)
        q = q and R("splitJoin", {n = p.n}).run(q)
        local items = q and R("mapGlobal", {d = 0}).run(q:go("in"))
        local sums = items and sums_beside(items:go("f"), R("mapSeqUnroll"), in_registers)
        return sums and sums:at(q)
    end,
}

-- The counters of the nest, those last along which its first sum reads neighbours.
local function neighbours_last(nest)
    local _, _, near = engine.factors(nest.sums[1])
    local others, last = {}, {}
    for i = 1, nest.rank do table.insert(near and near[i] and last or others, i) end
    return table.move(last, 1, #last, #others + 1, others)
end

-- A sum in so many sums side by side, each of every so many-th of what it sums.
local function in_lanes(k)
    return function(sum)
        sum = divided(sum, k)
        local r = sum and L.seq(L.slot("in", R("generateMap")), L.reduceLanes(k), R("reduceSeq")).run(sum)
        local lanes = r and r:go("in")
        while lanes and lanes.term.prim ~= "reduceSeq" do lanes = lanes:go("in") end
        lanes = lanes and L.seq(L.slot("init", L.seq(R("generateMap"), R("mapSeq"), R("toPrivate"))), L.slot("f", R("mapSeq"))).run(lanes)
        return lanes and lanes:at(r)
    end
end

template {
    name = "along", kind = "cpu", doc = "an item for some elements, each sum in the lanes of vectors",
    points = function(nest)
        local lanes = lengths.VECTORS * CPU.lanes
        if nest.summed < 2 * lanes or not base.any(nest.sums, runs_along) then return {} end
        return {base.merged(run_of(nest, 1, run_least()), {lanes = lanes})}
    end,
    make = function(nest, p)
        local q, run = in_runs(nest, p)
        run = run and R("mapSeq").run(run)
        run = run and each_sum(run, in_lanes(p.lanes))
        return run and run:at(q)
    end,
}

-- How a group makes sums: so many side by side, so many work-items each: whole groups or warps for what runs along memory, else about as many neighbours as
-- a warp has (across), the items of a sum in dimension 1.
local function sharings(nest)
    local along, order, list = base.any(nest.sums, runs_along), neighbours_last(nest), {}
    local again = #nest.sums > 1 or not R("reduceStrided", {n = 1}).run(nest.sums[1])            -- read twice, or in order
    local function near(most, n)                             -- what divides n, if it is not far less
        local even = lengths.fitting(n, most, 1)
        return 2 * even >= most and even or most
    end
    local function add(n, items)
        local fits = n * items <= GPU.max_group and 2 * items <= nest.summed and (n == 1 or nest.made >= n)
        if fits then list[#list + 1] = {side = n, items = items, across = not along or nil} end
        local kept = fits and n == 1 and again and -(-nest.summed // items) <= rows.ROW_KEPT
        if kept then list[#list + 1] = {side = n, items = items, kept = true} end
    end
    for _, items in ipairs(along and {lengths.GROUP // 2, lengths.GROUP, 2 * lengths.GROUP, again and 4 * lengths.GROUP or nil} or {}) do add(1, items) end
    for _, n in ipairs {VECTOR, 2 * VECTOR, not along and GPU.warp or nil} do
        if along then add(n, GPU.warp) else add(near(GPU.warp, nest.extents[order[#order]] or 1), near(n, nest.summed)) end
    end
    return list
end

-- Of a sum that items share: what each sums, written out, so that what it reads is still in its registers when it is read again.
local loop_out = base.new("loop written out", function(q)
    local n = q.term.prim == "reduceSeq" and known(q.term:slot("in"))
    return n and n <= rows.ROW_KEPT and L.alt(unrolled, L.seq(R("splitReduce", {n = n}), L.slot("f", unrolled))).run(q) or nil
end)
local function reads_first(t) return t.prim == "mapLocal" and not t:slot("in"):contains("mapLocal") end
local kept_parts = L.topdown(L.where(reads_first, L.slot("f", L.topdown(loop_out))))

-- A sum by the items of a group in dimension d, its results in so many rounds. kept: as above.
local function in_items(p, rounds, d)
    return function(sum)
        sum = divided(sum, p.items)
        return sum and L.seq(L.reduceInItems(p.items, rounds, d), p.kept and L.try(kept_parts) or L.id).run(sum)
    end
end

template {
    name = "group", kind = "gpu", doc = "the work-items of a group for a sum, or for some side by side",
    points = function(nest) return #nest.sums > 0 and sharings(nest) or {} end,
    make = function(nest, p)
        local q, d = flat(nest, p.side, p.across and neighbours_last(nest)), p.across and 1 or 0
        if q and p.side > 1 then
            q = R("splitJoin", {n = p.side}).run(q)
            q = q and R("mapWorkgroup", {d = 0}).run(q:go("in"))
            q = q and R("mapLocal", {d = 1 - d}).run(q:go("f"))
        elseif q then q = R("mapWorkgroup", {d = 0}).run(q) end
        return q and each_sum(q, in_items(p, p.side == 1 and 1 or 0, d))
    end,
}

-- The runs of dimensions one behind the other in the list.
local function runs(dims)
    local list = {}
    for _, i in ipairs(dims) do
        local run = list[#list]
        if run and run[#run] == i - 1 then run[#run + 1] = i else list[#list + 1] = {i} end
    end
    return list
end

-- Rows of a CPU's block in registers, and vectors of its columns, sixteen accumulators at most (`registers` are 20); rows of what its second cache holds, at most.
local CPU_BLOCKS = {{4, 4}, {8, 2}, {8, 1}}
local CPU_ROWS = products.CPU_ROWS

local device                             -- what differs by kind (below)

-- The most of the last dimensions of a run whose length together is a size that is quickly worked with; whole: those that whole blocks of so many
-- elements take already.
local SIZE_TEXT = 120
local function workable(nest, run, whole)
    local q, size = nest.at, nil
    local taken, lengths = {}, {}
    for i = 1, nest.rank do lengths[i], q = q.term.length, q:go("f") end
    for k = #run, 1, -1 do
        local more = size and size * lengths[run[k]] or lengths[run[k]]
        if size and (#tostring(more) > SIZE_TEXT or whole and extent(nest, taken) % whole == 0) then break end
        size = more
        table.insert(taken, 1, run[k])
    end
    return taken
end

local function has_all(set_of, others)
    for k in pairs(others) do
        if not set_of[k] then return false end
    end
    return true
end

local into_both, into_first, into_second, of_two = R("choiceOfBoth"), R("choiceOfFirst"), R("choiceOfSecond"), R("choiceOfTwo")

-- The product of two matrices that the nest, or that sum of it, makes for each element of a batch: {batch, rows, columns} as dimensions, and whether rows,
-- columns lie one behind the other in memory (turned.rows, turned.columns: or else along the sum); nil: it makes none.
local function product_in(nest, sum)
    sum = sum or #nest.sums == 1 and nest.sums[1]
    local factors, guards = nil, nil
    if sum then factors, guards = engine.factors(sum) end
    if not factors or #factors ~= 2 or not (factors[1].own and factors[2].own) then return nil end
    local chosen = {}
    for i, guard in ipairs(guards) do
        local first, second = has_all(factors[1], guard.of), has_all(factors[2], guard.of)
        if not (first or second) then return nil end
        chosen[i] = {rule = first and second and into_both or first and into_first or into_second, split = guard.split}
    end
    local only = {{}, {}}
    for i = 1, nest.rank do
        local a, b = factors[1][i], factors[2][i]
        if a ~= b then table.insert(a and only[1] or only[2], i) end
    end
    if #only[1] == 0 or #only[2] == 0 then return nil end
    local last = only[1][#only[1]] > only[2][#only[2]] and 1 or 2
    local columns, rows = runs(only[last]), nil
    columns = workable(nest, columns[#columns], (select(2, device.largest())))
    for _, run in ipairs(runs(only[3 - last])) do
        run = workable(nest, run)
        if not rows or extent(nest, run) > extent(nest, rows) then rows = run end
    end
    local turned, taken, batch = {}, {}, {}
    for k, list in pairs {rows = rows, columns = columns} do
        for _, i in ipairs(list) do
            taken[i] = true
            if factors[k == "columns" and last or 3 - last].near[i] then turned[k] = true end
        end
    end
    for i = 1, nest.rank do
        if not taken[i] then batch[#batch + 1] = i end
    end
    return {batch, rows, columns}, turned, chosen
end

-- The nest whose summands are left out where choices say so, with each choice in factors instead, by these rules; nil: one cannot be so.
local function choices_in_factors(nest, rules)
    local function inside(q, i)
        while q.term.prim == "let" do q = q:go("body") end
        local choice = rules[i]
        if not choice then return q end
        q = choice.split and of_two.run(q) or q
        local r = inside(q:go("then"), i + 1)
        return r and choice.rule.run(r:at(q))
    end
    local r = inside(nest.sums[1]:go("in", "f"), 1)
    return r and nest_at(r:at(nest.at))
end

local TRIED = 2                          -- blocks for which kernels are made

-- Sums of products as a product of matrices, the sum as long as k divides; of another operation only where k divides it: looking for what rows and
-- columns give takes long.
local function matrices(sum, k)
    local element = sum:slot("in"):slot("f")
    while element.prim == "let" do element = element:slot("body") end
    if element.prim == "*" then return L.alt(R("generateProductPad", {k = k}), R("generateProductPadTurned", {k = k})) end
    return known(sum:slot("in")) % k == 0 and R("generateProduct") or L.fail
end

-- The sum in blocks for matrix units, a factor of halves each: as `matrices`, of rows and columns as they are.
local function halves(k) return L.alt(R("generateProductCast", {k = k}), R("generateProductCastTurned", {k = k})) end

-- The product that is summed; nil: it is none.
local function summed_product(sum)
    local element = sum.term:slot("in").prim == "generate" and sum.term:slot("in"):slot("f")
    while element and element.prim == "let" do element = element:slot("body") end
    return element and element.prim == "*" and element or nil
end

-- As whose products a GPU's matrix units take those of a sum: 0: what is cast to floats; floats where `set precision` allows it: by how many
-- of TF32; nil: they take none.
local PRECISIONS = {tf32 = 1, ["3xtf32"] = 3}
local function taken_by_units(sum)
    local product = GPU.matrix > 0 and summed_product(sum)
    if not product or product.type ~= "f32" then return nil end
    if product:slot("0").prim == "f32" and product:slot("1").prim == "f32" then return 0 end
    return engine.setting("strict") == "off" and PRECISIONS[engine.setting("precision")] or nil
end

-- Blocks for matrix units: sides and depth of a group's, in halves of the longest side; its warps have half of each side. Floats: half as deep. Rounds in sight.
local UNIT_BLOCKS, IN_SIGHT = {{2, 2, 1}, {2, 2, 0.5}, {1, 2, 0.5}, {2, 1, 0.5}, {1, 1, 0.5}}, 3

-- The blocks of a CPU for m by n elements, in vectors of as many lanes as it has, or as there are columns.
local function cpu_blocks(m, n, nest)
    local list, w, summed = {}, CPU.lanes, nest.summed
    while w > 1 and n <= w // 2 do w = w // 2 end
    local rows, depth = -(-m // -(-m // CPU_ROWS)), -(-summed // -(-summed // (CPU.l2 // (CPU_ROWS * VECTOR))))
    for _, b in ipairs(CPU_BLOCKS) do
        local mr, nb = math.min(b[1], m), b[2] * w
        if b[2] == 1 or n > nb // 2 then
            list[#list + 1] = {mb = lengths.above(rows, mr), nb = nb, kb = lengths.above(depth, VECTOR), mr = mr, nr = nb, w = w}
        end
    end
    return list
end

-- Are n rows, or columns, worth a block of so many? The least block takes any: what is read once for all of them is what takes the time.
local function enough(n, block) return 2 * n > block or block == products.SIDE_LEAST end

-- Those of a GPU: in registers, of its matrix units where the sum is one of halves. Elements behind each row of a tile: what is stored by columns lies in
-- other banks then; on an H200 73 programs took 0.97 of the time so (0.74 to 1.15).
local function gpu_blocks(m, n, nest, times)
    local list = {}
    local likely = products.likely_blocks(m, n, times, function(b) return enough(m, b.mb) and enough(n, b.nb) and nest.summed >= b.kb end)
    table.move(likely, 1, math.min(TRIED, #likely), 1, list)
    local first = likely[1]                                  -- half as deep where that leaves less over: else it took 1.1 times as long on an H200
    local half = first and first.kb // 2
    local less = first and lengths.above(nest.summed, half) < lengths.above(nest.summed, first.kb)
    list[#list + 1] = less and base.merged(first, {kb = half, u = half}) or nil
    for i, b in ipairs(list) do list[i] = base.merged(b, {pad = VECTOR}) end
    local tf32 = taken_by_units(nest.sums[1])
    for _, b in ipairs(tf32 and UNIT_BLOCKS or {}) do
        local floats, half = tf32 > 0 and 2 or 1, SIDE // 2
        local mb, nb, kb = b[1] * half, b[2] * half, math.tointeger(b[3] * half) // floats
        local stages = mb + nb == SIDE and IN_SIGHT + 1 or IN_SIGHT
        local bytes = stages * kb * (mb + nb) * 2 * floats
        if m >= mb and n >= nb and nest.summed >= kb and bytes <= GPU.group_local then
            list[#list + 1] = {mb = mb, nb = nb, kb = kb, mw = mb // 2, nw = nb // 2, stages = stages, w = 2 * VECTOR // floats, tf32 = tf32}
        end
    end
    return list
end

local behind_sum = L.alt(R("letBehindSum"), R("letDuplicate"))

-- The nest whose elements begin with their sum: names in front of it go into it, and what else they are used for behind it.
local function sum_first(nest)
    local q = nest.element
    local function is_in_front(t) return t.prim == "let" and not t:slot("value"):contains("reduce") end
    if not is_in_front(q.term) then return nest end
    while is_in_front(q.term:slot("body")) do q = q:go("body") end
    local r = behind_sum.run(q)
    local again = r and nest_at(r:at(nest.at))
    return again and sum_first(again)
end

template {
    name = "product", doc = "blocks of sums in registers, of what rows and columns give",
    points = function(nest)
        local groups = product_in(nest)
        if not groups then return {} end
        return device.blocks(extent(nest, groups[2]), extent(nest, groups[3]), nest, extent(nest, groups[1]))
    end,
    make = function(nest, p)
        local groups, turned, chosen = product_in(nest)
        nest = choices_in_factors(nest, chosen)
        nest = nest and sum_first(nest)
        if not nest then return nil end
        local m, n = extent(nest, groups[2]), extent(nest, groups[3])
        local batched = #groups[1] > 0
        local steps = {m % p.mb == 0 and 1 or p.mb, n % p.nb == 0 and 1 or p.nb}
        if batched then table.insert(steps, 1, 1) else table.remove(groups, 1) end
        local q = grouped(nest.at, groups, steps)
        local of = counter_in(q and batched and q:go("f") or q)
        if not of then return nil end
        local top, fold = of, of:go("f", "f")
        if fold.term.prim ~= "reduce" then
            top = L.alt(R("generateNamedEpilogue"), R("generateEpilogue")).run(of)
            of = top and top:go("in", "0")
            fold = of and of:go("f", "f")
        end
        if not fold or fold.term.prim ~= "reduce" then return nil end
        of = (p.tf32 == 0 and halves(p.kb) or matrices(fold.term, p.kb)).run(of)
        if of and turned.rows then of = L.slot("in", R("generateTurned")).run(of) end
        if of and turned.columns then of = L.slot("f", L.slot("in", R("generateTurned"))).run(of) end
        of = of and device.product(p).run(of:at(top))
        if not of or not batched then return of end
        q = R("generateMap").run(of:at(q))
        return q and R("mapWorkgroup", {d = 2}).run(q)
    end,
}

-- Of a product that a group slices: rows, and sums of a work-item, at most (8 rows take 93 us on an H200 where blocks take 201; the sums are registers).
local SLICED_ROWS, SLICED = 8, 32

-- The map of elements that take a sum along what they read, by so many work-items: each has its part of every sum in registers; these parts go through local
-- memory to those that make the elements.
local in_slices = L.seq(R("reduceFission"), L.slot("in", L.seq(L.slot("f", R("generateMap")), R("mapInterchange"),
    L.slot("in", L.seq(L.slot("f", in_registers), R("mapLocal", {d = 0}), R("toLocal"))))))
local rejoined = L.normalize(L.alt(R("zipMap"), R("mapFusion")))
local function sliced(items)
    local parts = L.seq(L.slot("f", base.new("slices", function(sum)
        sum = divided(sum, items)
        return sum and L.seq(R("reduceStrided", {n = items}), L.slot("in", R("elementForm"))).run(sum)
    end)), in_slices)
    local out = L.seq(L.alt(R("reduceOut"), R("reduceZipOut")), L.slot("in", L.slot("0", parts)), rejoined)
    return L.seq(L.alt(L.where(function(t) return t:slot("f").prim == "reduce" end, parts), out), L.slot("f", L.topdown(R("reduceSeq"))), R("mapLocal", {d = 0}))
end

template {
    name = "sliced product", kind = "gpu", doc = "blocks of a product of few rows, or columns, by groups: each work-item has every so many-th number of all sums of a block (sliced k)",
    points = function(nest)
        local groups, list = product_in(nest), {}
        local few = groups and math.min(extent(nest, groups[2]), extent(nest, groups[3]))
        if not groups or few > SLICED_ROWS or not base.any(nest.sums, runs_along) then return {} end
        for _, n in ipairs {VECTOR, 2 * VECTOR} do
            for _, items in ipairs {GPU.warp, 2 * GPU.warp, 4 * GPU.warp} do
                if few * n <= SLICED and nest.summed >= 2 * items and nest.made >= few * n then list[#list + 1] = {n = few * n, items = items} end
            end
        end
        return list
    end,
    make = function(nest, p)
        local groups = product_in(nest)
        if extent(nest, groups[2]) <= extent(nest, groups[3]) then groups[2], groups[3] = groups[3], groups[2] end
        local order = {}                                     -- the few the fastest
        for _, dims in ipairs(groups) do table.move(dims, 1, #dims, #order + 1, order) end
        local q = flat(nest, p.n, order)
        q = q and R("splitJoin", {n = p.n}).run(q)
        local group = q and R("mapWorkgroup", {d = 0}).run(q:go("in"))
        local sums = group and sliced(p.items).run(group:go("f"))
        return sums and sums:at(q)
    end,
}

local APART = {R("generateFirstApart"), R("generateSecondApart")}

-- A factor that takes a function is made again in every block of the other side.
template {
    name = "factor apart", doc = "a factor of a product of matrices that takes a division or a function in an array of its own",
    points = function(nest)
        local groups, list = product_in(nest), {}
        local product = groups and summed_product(nest.sums[1])
        local others = groups and math.min(extent(nest, groups[2]), extent(nest, groups[3]))
        for i = 1, product and lengths.fits_in_memory(nest.made // others * nest.summed) and 2 or 0 do
            local factor = product:slot(tostring(i - 1))
            if factor.prim ~= "at" and takes_long(factor) then list[#list + 1] = {factor = i} end
        end
        return list
    end,
    make = function(nest, p)
        local q = nest.sums[1]:go("in")
        local r = APART[p.factor].run(q)
        r = r and R("elementForm").run(r:at(nest.at))
        return r and M.each(r, nest.depth + 1)
    end,
}

-- Sums of what are sums themselves, these in an array of their own.
template {
    name = "apart", whole = true, several = true, doc = "what is summed and takes sums itself in an array of its own",
    points = function(nest)
        for _, sum in ipairs(nest.sums) do
            local inner, terms = sum.term:slot("in").prim == "generate" and outer_reductions(sum:go("in", "f")), 0
            for _, q in ipairs(inner or {}) do terms = terms + (known(q.term:slot("in")) or math.huge) end
            if terms == math.huge or terms >= SIXTEEN and lengths.fits_in_memory(nest.made * nest.summed) then return {{}} end
        end
        return {}
    end,
    make = function(nest)
        local q = nest.at
        for i = 1, #nest.sums do
            local sum = nest_at(q).sums[i]
            local inner = sum.term:slot("in").prim == "generate" and outer_reductions(sum:go("in", "f"))
            local r = inner and #inner > 0 and R("toGlobal").run(sum:go("in"))
            q = r and r:at(q) or q
        end
        q = R("elementForm").run(q)
        return q and M.each(q, nest.depth + 1)
    end,
}

-- The innermost counter of the nest at q.
local function last_counter(q)
    while q:go("f").term.prim == "generate" do q = q:go("f") end
    return q
end

template {
    name = "sums apart", several = true, doc = "several sums of products for an element, all but one in arrays of their own, as products",
    points = function(nest)
        local product = #nest.sums > 1 and nest.rank > 1 and base.any(nest.sums, function(sum) return known(sum.term:slot("in")) >= SIXTEEN and product_in(nest, sum) end)
        return product and lengths.fits_in_memory(nest.made * (#nest.sums - 1)) and {{}} or {}
    end,
    make = function(nest)
        local q, top = nest.at, nest.at
        for _ = 2, #nest.sums do
            local r = L.alt(R("generateNamedApart"), R("generateSumApart")).run(last_counter(q))
            if not r then return nil end
            top, q = r:at(top), r:go("body")
        end
        q = R("elementForm").run(top)
        return q and M.each(q, nest.depth + 1)
    end,
}

-- The nest with its only sum, of two products each, as two sums; nil: it has no such sum.
local function terms_apart(nest)
    local sum = nest.rank > 1 and #nest.sums == 1 and nest.sums[1]
    local numbers = sum and sum.term:slot("in")
    if not sum or known(numbers) < SIXTEEN or numbers.prim ~= "generate" or numbers:slot("f").prim ~= "+" then return nil end
    local r = R("reduceSumApart").run(sum)
    local parts = r and nest_at(r:at(nest.at))
    return parts and base.all(parts.sums, function(part) return product_in(parts, part) end) and parts or nil
end

template {
    name = "terms apart", several = true, doc = "a sum of two products, as two sums of products",
    points = function(nest) return terms_apart(nest) and lengths.fits_in_memory(nest.made) and {{}} or {} end,
    make = function(nest)
        local q = R("elementForm").run(terms_apart(nest).at)
        return q and M.each(q, nest.depth + 1)
    end,
}

-- The rows that the nest makes by maps of that kind, each by `row`; nil: one cannot be so.
local function each_row(q, rank, kind_of, row)
    if rank == 0 then return row(q) end
    while q.term.prim == "transpose" do q = q:go("in") end
    q = R("generateMap").run(q)
    q = q and kind_of(rank - 1).run(q)
    local inner = q and each_row(q:go("f"), rank - 1, kind_of, row)
    return inner and inner:at(q)
end
local function in_global(d) return R("mapGlobal", {d = d}) end
local function in_groups(d) return R("mapWorkgroup", {d = d}) end

-- The scan at q, and what maps make of it, one element after the other.
local function in_turn(q)
    local top = q
    while q.term.prim == "let" do q = q:go("body") end
    while q.term.prim == "map" do
        q = R("mapSeq").run(q)
        top, q = q:at(top), q:go("in")
    end
    local r = q.term.prim == "scanSeq" and q or R("scanSeq").run(q)
    return r and r:at(top)
end

-- The scan at q, or what maps make of it, of as many elements as k divides (nil: as it is) that a map makes, as `how` has it.
local take_out, taken = L.normalize(R("mapTake")), L.seq(R("copyItem"), R("mapLocal", {d = 0}))
local function scan_of_array(q, how, k)
    local scan = scan_at(q)
    if k and scan.term:slot("in").prim ~= "generate" then return nil end
    local r = k and R("scanPad", {k = k}).run(scan) or not k and scan
    local inner = r and k and r:go("in") or r
    r = inner and (inner.term:slot("in").prim ~= "generate" and inner or L.slot("in", R("generateMap")).run(inner))
    r = r and r:at(q)
    while r and r.term.prim == "let" do r = r:go("body") end
    r = r and k and take_out.run(r) or r
    local top = r
    r = r and how(k and r:go("in") or r)
    r = r and k and taken.run(r:at(top)) or r
    return r and r:at(q)
end

local function scanned() return VECTOR * GPU.warp end       -- what divides the elements that a group scans

-- How a group scans a row of that length, padded to what k divides (1: as it is); nil: it does not, or k divides it already.
local function scanned_by(row, k)
    local behind = row % k
    local o = (k == 1 or behind > 0) and require "scans".items_of(behind > 0 and row + k - behind or row, true)
    return o and base.merged(o, {k = behind > 0 and k or nil}) or nil
end
local function scanned_in_group(q, o) return o and scan_of_array(q, L.scanInItems(o.each, o.rounds, 0, o.beside).run, o.k) end

template {
    name = "rows", rows = true, doc = "a work-item for a row that is scanned",
    points = function(nest) return nest.rank <= lengths.DIMENSIONS and {{}} or {} end,
    make = function(nest) return each_row(nest.at, nest.rank, device.rows, in_turn) end,
}

-- The map at q of scans of rows, k elements of them at a time: neighbours read and write a tile side by side, and an item scans its row of the tile from the end
-- of the one before.
local beside, in_tile, numbers = R("mapLocal", {d = 0}), L.seq(R("toLocal"), R("padLocal", {k = 1})), R("generateMap")
local first_tile = L.slot("init", L.seq(L.slot("f", L.seq(numbers, R("mapSeq"))), beside, in_tile))
local read_tile = L.seq(L.slot("f", L.seq(numbers, beside)), R("mapSeqUnroll"), in_tile)
local next_tile = L.slot("f", L.seq(L.slot("in", L.slot("1", read_tile)), beside, in_tile))
local written_tile = L.seq(R("mapSeq"), L.slot("f", L.seq(R("mapSeqUnroll"), L.slot("f", beside))))
local by_tiles = L.slot("in", L.slot("in", L.seq(written_tile, L.slot("in", L.seq(first_tile, next_tile)))))
local function scanned_in_tiles(q, k)
    local group = R("mapWorkgroup", {d = 0}).run(q)
    local scan = group and scan_at(group:go("f", "f"))
    scan = scan and scan.term.prim == "scan" and R("scanSeq").run(scan) or scan
    local rows = scan and (scan.place == group:go("f", "f").place and R("copyItem").run(scan) or scan:up())
    local tiles, uneven = L.seq(R("scanInTiles", {k = k}), by_tiles), rows and known(rows.term) % k > 0
    if uneven then
        rows = L.seq(L.slot("in", L.seq(L.slot("in", R("generatePad", {k = k})), R("scanSeqTake"))), R("mapTake")).run(rows)
        tiles = L.seq(R("mapFission"), L.slot("in", tiles))
    end
    local r = rows and tiles.run(rows:at(group):go("f"))
    return r and r:at(q)
end

template {
    name = "rows in tiles", rows = true, kind = "gpu", doc = "a work-item for a row that is scanned, a tile of some rows at a time in local memory",
    points = function(nest) return nest.rank > 0 and nest.row >= GPU.warp and {{n = GPU.warp}} or {} end,
    make = function(nest, p)
        local q = nest.at
        for _ = 2, nest.rank do q = counter_in(R("generateFlat").run(q)) end
        q = nest.made % p.n == 0 and q or counter_in(R("generatePad", {k = p.n}).run(q))
        q = L.seq(R("generateMap"), R("splitJoin", {n = p.n})).run(q)
        return q and scanned_in_tiles(q:go("in"), p.n)
    end,
}

template {
    name = "scan", rows = true, kind = "gpu", doc = "the work-items of a group for a row that is scanned",
    points = function(nest)
        local list = {}
        for _, k in ipairs {1, scanned()} do
            local o = nest.rank > 0 and nest.rank <= lengths.DIMENSIONS and scanned_by(nest.row, k)
            list[#list + 1] = o or nil
        end
        return list
    end,
    make = function(nest, p)
        return each_row(nest.at, nest.rank, in_groups, function(q) return scanned_in_group(q, p) end)
    end,
}

-- What is at q in element form, the whole sums in it in parts, and these in parts; nil: it has none.
local PARTS = {8 * SIXTEEN, SIXTEEN}
function M.sums_in_parts(q)
    local top = R("elementForm").run(q)
    for _, k in ipairs(top and PARTS or {}) do
        local p = top
        while p.term.prim == "let" do
            local sum = p:go("value")
            local parts = sum.term.prim == "reduce" and (known(sum.term:slot("in")) or 0) >= 2 * k and in_parts(sum, k)
            p = parts and parts:at(p) or p
            top = parts and p:at(top) or top
            p = p:go("body")
        end
        top = R("elementForm").run(top) or top
    end
    return top
end

-- The nest at q by the work-items of the group that it is in; nil: it cannot be so.
function M.local_items(q)
    local nest = nest_at(q)
    if not nest then return not q.term.is_array and q or nil end
    if nest.row and nest.rank > 0 then return nil end
    if not nest.row then
        local r = nest.rank > 0 and flat(nest, nest.made > GPU.max_group and lengths.items() or nil) or nil
        return r and R("mapLocal", {d = 0}).run(r) or nest.rank == 0 and q or nil
    end
    for _, k in ipairs {1, scanned()} do
        local r = scanned_in_group(q, scanned_by(nest.row, k))
        if r then return r end
    end
end

-- A name between two sums that are one otherwise, where its value costs little for each element.
local function is_between(t) return t.prim == "reduce" and t:slot("in").prim == "generate" and t:slot("in"):slot("f").prim == "let" end
local function is_cheap(t) return not t:slot("value"):contains("reduce") and not takes_long(t:slot("value")) end
local past_name = L.seq(L.where(is_between, L.slot("in", L.slot("f", L.where(is_cheap, R("letIntoSum"))))), R("reduceFlat"))
local sums_as_one = L.normalize(L.alt(R("reduceFlat"), past_name))
local in_one_pass = base.new("sums in one pass", function(c)
    local r, apart = R("elementsTogether").run(c), R("elementForm").run(c)
    if r and apart and r.term ~= apart.term then return r end
    return nil, base.failure(c, "sumsInOnePass", "two sums over the same numbers that read the same, or a mean and the squares about it")
end)
M.one_pass = L.seq(R("elementForm"), sums_as_one, in_one_pass)
base.name("sumsInOnePass", "", "element form, with sums over the same numbers that read the same, or are a mean and the squares about it, in one pass", "macro",
    function() return M.one_pass end)

template {
    name = "phases", doc = "elements that ask for parts of their numbers by these: phases and groups are dimensions of their own",      -- which ask for none
    points = function(nest) return #nest.sums > 0 and nest.at.term:contains("%") and {{}} or {} end,
    make = function(nest)
        local q = R("elementParts").run(nest.at)
        q = q and nest.rank ~= #counters(q) and sums_as_one.run(q)
        local of = q and counter_in(q, true)
        if not of then return nil end
        local r = M.each(of, nest.depth)
        return r and r:at(q)
    end,
}

-- The nest at q, whose elements are chosen by whether a counter is below a size, as two arrays one behind the other; nil: they are not.
local function in_pieces(q)
    local _, choice = counters(q)
    while choice.term.prim == "if" and choice.place ~= q.place do
        local counter = choice:up()
        local pieces = R("generatePieces").run(counter)
        if pieces then return pieces end
        choice = R("generateChoiceOut").run(counter)
        if not choice then return nil end
    end
end

template {
    name = "index sets", several = true, doc = "sums of one kind up to some number, and of another behind it: an array for each kind",
    points = function(nest) return #nest.sums > 1 and in_pieces(nest.at) and {{}} or {} end,
    make = function(nest)
        local q = in_pieces(nest.at)
        for _, slot in ipairs {"0", "1"} do
            q = q.term:slot(slot):contains("reduce") and R("toGlobal").run(q:go(slot)):at(q) or q
        end
        q = R("elementForm").run(q:at(nest.at))
        return q and M.each(q, nest.depth)
    end,
}

-- How often each array is read at q, by its text, where sums are written out: added to counts.
local function count_reads(q, times, counts)
    local t = q.term
    local name = t.prim == "at" and t:slot("in").is_atom and t:slot("in").text
    if name then counts[name] = (counts[name] or 0) + times end
    for _, child in ipairs(q:children()) do
        count_reads(child, reductions[t.prim] and child.slot == "in" and times * (known(child.term) or 1) or times, counts)
    end
    return counts
end

local NEIGHBOURS = 3                     -- reads of one array, from which on rows share them

-- The last counter of the nest but one in parts of n, which stand side by side in registers of a work-item; the sums of an element written out.
local function rows_share(q, n)
    local even = known(q.term) % n == 0 and q or R("generatePad", {k = n}).run(q)
    local r = even and R("generateSplit", {n = n}).run(counter_in(even))
    local rows = r and L.seq(R("generateMap"), in_global(1)).run(r:go("in"))
    local turned = rows and R("generateTurned").run(rows:go("f"))
    local columns = turned and L.seq(R("generateMap"), in_global(0)).run(turned:go("in"))
    local each = columns and L.seq(R("generateMap"), R("mapSeqUnroll")).run(columns:go("f"))
    each = each and each_sum(each, written_out.run)
    return each and each:at(columns):at(turned):at(rows):at(r):at(q)
end

template {
    name = "neighbours", kind = "gpu", like_shapes = true, doc = "a work-item for elements of neighbouring rows, which read what their neighbours read",
    points = function(nest)
        local list, often = {}, false
        for _, n in pairs(count_reads(nest.element, 1, {})) do often = often or n >= NEIGHBOURS end
        local long = nest.terms > SIXTEEN and base.any(nest.sums, function(sum) return takes_long(sum.term) end)       -- written out, a function is code each time
        if nest.rank < 2 or nest.terms > UNROLLED or long or not often then return list end
        local rows = nest.extents[nest.rank - 1]
        for _, n in ipairs {2, VECTOR, 2 * VECTOR} do
            local even = lengths.fitting(rows, n, 1)
            if rows >= n and nest.made >= n * GPU.busy_items then
                list[#list + 1] = {n = n}
                list[#list + 1] = 2 * even > n and even < n and {n = even} or nil
            end
        end
        return list
    end,
    make = function(nest, p)
        local q = nest.at
        for _ = lengths.DIMENSIONS + 1, nest.rank do q = counter_in(R("generateFlat").run(q)) end
        local outer = math.min(nest.rank, lengths.DIMENSIONS) - 2
        local r = each_row(q, outer, function(d) return in_global(d + 2) end, function(rows) return rows_share(rows, p.n) end)
        return r and r:at(nest.at)
    end,
}

-- The elements that names at q lead to; nil: these, or what they name, are not all sums and elements by their numbers.
local function past_sums(q)
    while q.term.prim == "let" do
        if q.term:slot("value").is_array then return nil end
        q = q:go("body")
    end
    return q.term.prim == "generate" and not q.term:contains("reduce") and q or nil
end

-- The row at q of names and elements, each sum as `how` has it, and the elements as `elements` does.
local function with_sums(q, how, elements)
    local top = q
    while q.term.prim == "let" do
        local sum = next_sum(q:go("value"))
        while sum do
            local r = how(sum)
            if not r then return nil end
            top, q = r:at(top), r:at(q)
            sum = next_sum(q:go("value"))
        end
        q = q:go("body")
    end
    local made = elements(q)
    return made and made:at(top)
end

template {
    name = "rows of sums", kind = "gpu", named = true, like_shapes = true, doc = "the work-items of a group for a row: the sums that have names, then the elements that read them",
    points = function(nest)
        local body, list = past_sums(nest.element), {}
        local row = body and #nest.sums > 0 and nest.rank <= lengths.DIMENSIONS and nest_at(body)
        for _, items in ipairs(row and {lengths.GROUP // 2, lengths.GROUP, 2 * lengths.GROUP, 4 * lengths.GROUP} or {}) do
            if items <= GPU.max_group and 2 * items <= math.min(row.made, nest.summed) then
                list[#list + 1] = {items = items}
                if -(-nest.summed // items) <= rows.ROW_KEPT then list[#list + 1] = {items = items, kept = true} end
            end
        end
        return list
    end,
    make = function(nest, p)
        return each_row(nest.at, nest.rank, in_groups, function(row)
            return with_sums(row, in_items(p, 1, 0), function(q)
                q = flat(nest_at(q), p.items)
                return q and L.mapInItems(p.items, 0).run(q)
            end)
        end)
    end,
}

template {
    name = "columns of sums", kind = "gpu", named = true, like_shapes = true, doc = "a work-item for a row, neighbours beside it: the sums that have names, then the elements that read them, written out",
    points = function(nest)
        local body = past_sums(nest.element)
        local row = body and #nest.sums > 0 and nest.rank <= lengths.DIMENSIONS and nest_at(body)
        return row and row.made <= 2 * UNROLLED and nest.terms <= 2 * UNROLLED * #nest.sums and {{}} or {}
    end,
    make = function(nest)
        return each_row(nest.at, nest.rank, in_global, function(row)
            return with_sums(row, written_out.run, function(q)
                local n = nest_at(q).made
                q = flat(nest_at(q))
                return q and L.alt(R("mapSeqUnroll"), L.seq(R("splitJoin", {n = n}), L.slot("in", L.seq(R("mapSeq"), L.slot("f", R("mapSeqUnroll")))))).run(q)
            end)
        end)
    end,
}

-- Keys of a tile and warps of a group, the largest first: the first of which a group's local memory holds the tiles, and a unit's those of two groups, which work
-- while others wait. Three products for one keep so many more sums in registers that longer rows than FLOATS_DEEP have none left.
local FLASH, FLASH_ROWS, FLOATS_DEEP = {{128, 4}, {64, 4}, {32, 4}, {32, 2}}, 16, 64
local function flash_tiles(depth, weighed, tf32)
    local bytes = tf32 > 0 and 4 or 2
    for _, t in ipairs(FLASH) do
        local keys, rows = t[1], FLASH_ROWS * t[2]
        local all = bytes * (rows * (depth + keys) + 2 * keys * (depth + weighed)) + 4 * 4 * rows          -- and what four lanes have of each row
        if all <= GPU.group_local and 2 * all <= GPU.unit_local then return {rows = FLASH_ROWS, warps = t[2], keys = keys, stages = 2, w = 2 * VECTOR * 2 // bytes, tf32 = tf32} end
    end
end

template {
    name = "attention", kind = "gpu", named = true, doc = "rows of weights relative to their largest key, and what they weigh, in one pass by matrix units",
    points = function(nest)
        local moves = engine.setting("strict") == "off"                      -- where weights are rounded
        local tf32 = moves and nest.rank <= 3 and #nest.sums == 4 and taken_by_units(nest.sums[1])
        local depth = tf32 and lengths.above(known(nest.sums[1].term:slot("in")), FLASH_ROWS)
        local row = nest.element
        while row.term.prim == "let" do row = row:go("body") end
        local weighed = row.term.prim == "generate" and known(row.term)
        if not tf32 or not weighed or tf32 == 3 and depth > FLOATS_DEEP then return {} end
        return {flash_tiles(depth, weighed, tf32)}
    end,
    make = function(_, p) return attention.tiled(p) end,
}

local left_to_shapes = false             -- by the templates below; the shape "elements" would ask templates again
local function shaped(q)
    local defaults = require "defaults"
    left_to_shapes = true
    return base.finally(function() left_to_shapes = false end, defaults.by_shape, q, defaults.shaped)
end

template {
    name = "shape", whole = true, doc = "the shape that `lower` gives it, of those without sums or of one sum in all",
    points = function(nest) return (#nest.sums == 0 or nest.rank == 0) and {{}, nest.rank > 0 and {maps = true} or nil} or {} end,
    make = function(nest, p)
        if not p.maps then return shaped(nest.at) end
        local q = require "indices".run(nest.at)           -- loops over what is read by the numbers of its elements
        return q and shaped(q:at(nest.at))
    end,
}

template {
    name = "long scan", rows = true, doc = "the shape that `lower` gives a long scan",
    points = function(nest) return nest.rank == 0 and {{}} or {} end,
    make = function(nest) return scan_of_array(nest.at, shaped) end,
}

-- Long sums that are few, in parts: as many as keep the units busy, each of some elements; those of a product, where large blocks of it are few.
local function part_least() return VECTOR * lengths.GROUP end

-- How many pieces the nest is made in without parts, how many are enough, how often, and how long a part is at least.
local function pieces(nest)
    local groups, busy = product_in(nest), lengths.busy_groups()
    if not groups and lengths.in_warps() and not base.any(nest.sums, runs_along) then      -- neighbours' sums side by side in a group
        return -(-nest.made // GPU.warp), units(), {busy // 2, busy}, lengths.GROUP
    end
    if not groups then return nest.made, busy, {2 * units(), busy}, part_least() end
    local m, n = device.largest()
    return extent(nest, groups[1]) * -(-extent(nest, groups[2]) // m) * -(-extent(nest, groups[3]) // n), units(), {2 * units()}, lengths.GROUP
end

template {
    name = "parts", several = true, doc = "long sums that are few, in parts that are sums of their own",
    points = function(nest)
        if #nest.sums == 0 then return {} end
        local list, made, enough, shares, least = {}, pieces(nest)
        local most = nest.summed // least
        for _, share in ipairs(made < enough and most >= 2 and shares or {}) do
            local k = math.min(most, math.max(2, share // made))
            if #list == 0 or list[1].k ~= k then list[#list + 1] = {k = k} end
        end
        return list
    end,
    make = function(nest, p)
        local sum
        for _, s in ipairs(nest.sums) do
            if known(s.term:slot("in")) == nest.summed then sum = s end
        end
        local parts = in_parts(sum, p.k)
        local q = parts and R("elementForm").run(parts:at(nest.at))
        return q and M.each(q, nest.depth + 1)
    end,
}

template {
    name = "chunks", rows = true, several = true, doc = "few long rows in chunks: their sums, the scan of these, and each chunk from what is before it",
    points = function(nest)
        if nest.rank == 0 or nest.made >= lengths.busy_groups() or nest.row < VECTOR * part_least() then return {} end
        return {{n = device.chunk(nest)}}
    end,
    make = function(nest, p)
        local scan = scan_at(nest.element)
        local r = nest.row % p.n == 0 and scan or R("scanPad", {k = p.n}).run(scan)
        r = r and device.chunked({n = p.n}).run(r.term.prim == "take" and r:go("in") or r)
        local q = r and R("elementForm").run(r:at(nest.at))
        return q and M.each(q, nest.depth + 1)
    end,
}

-- By kind: rows and columns of the largest block of a product; the blocks that are worth trying, and the macro that makes them; how rows are spread that are
-- scanned one by one; elements of a chunk of a row, and the rule that scans chunks (a group scans from what changes nothing).
device = lengths.by_kind {
    gpu = {largest = function() return SIDE, SIDE end, blocks = gpu_blocks, product = function(p) return p.mw and L.gemmUnits(p) or L.gemmGpu(p) end,
           rows = in_global, chunk = part_least, chunked = R("scanAdd")},
    cpu = {largest = function() return CPU_ROWS, CPU_BLOCKS[1][2] * CPU.lanes end, blocks = cpu_blocks, product = function(p) return L.gemmCpu(p) end,
           rows = in_groups, chunk = function(nest) return math.max(part_least(), -(-nest.row * nest.made // (lengths.busy_groups() // 2))) end, chunked = R("scanFrom")},
}

-- choosing

local DEPTH = 2                          -- templates that make several arrays of one do so within each other, at most

local function cheapest_first(list)
    table.sort(list, function(a, b) return a.ns < b.ns or a.ns == b.ns and a.n < b.n end)
    return list
end

local function bad_template(t, what, ...) error(("template %s: %s"):format(t.name or "?", what:format(...)), 0) end

-- The points of a template for a nest, so many at most; none: it does not fit.
local MOST_POINTS = 32
local function points_of(t, nest)
    for field, wanted in pairs {name = "string", doc = "string", points = "function", make = "function"} do
        if type(t[field]) ~= wanted then bad_template(t, "%s is a %s", field, wanted) end
    end
    local fits = (t.kind or kind()) == kind() and (nest.depth < DEPTH or not t.several) and (t.rows or false) == (nest.row ~= nil) and (t.named or false) == nest.named
                 and (nest.rank > 0 or nest.row or t.whole)
    local points = fits and t.points(nest, engine.target(kind())) or {}
    if type(points) ~= "table" then bad_template(t, "points gives a table of parameters") end
    local names, list = #points == 0 and base.keys(points) or {}, #points == 0 and next(points) ~= nil and {{}} or points
    for _, name in ipairs(names) do
        if type(name) ~= "string" or type(points[name]) ~= "table" then bad_template(t, "points gives the values of each parameter: {%s = {...}}", name) end
        local more = {}
        for _, point in ipairs(list) do
            for _, value in ipairs(points[name]) do more[#more + 1] = base.merged(point, {[name] = value}) end
        end
        list = more
    end
    return table.move(list, 1, math.min(#list, MOST_POINTS), 1, {})
end

-- The nest as a template makes it; nil: it cannot.
local function made_by(t, nest, p)
    local made = t.make(nest, p)
    if base.is_strategy(made) then return (made.run(nest.at)) end
    if made and not engine.is_cursor(made) then bad_template(t, "make gives a strategy, or the place that one led to, not a %s", type(made)) end
    return made or nil
end

-- What is computed below layouts of one array at q.
local function below_layouts(q)
    local inner = (q.term.layout_node or q.term.layout_map and q.term:slot("f").is_array) and q:go("in")
    return inner and below_layouts(inner) or q
end

-- What the points of a template make of a nest, as a program of its own, the best first: {template =, point =, ns =, terms =, kernels =, bytes =, text =}
-- each. read: others read it, by the layouts around what is stored.
local function ways(t, nest, read)
    local finished, model = require "lower".finished, require "model"
    local list = {}
    for _, p in ipairs(points_of(t, nest)) do
        local made = made_by(t, nest, p)
        local r = made and made:holds() and finished(nest.at, read and below_layouts(made:at(nest.at)):alone({}, {}) or made)
        local kernels, bytes = nil, nil
        if r and engine.fits(r, kind()) then kernels, bytes = engine.kernels_of(nil, r, kind()) end
        if kernels then
            local ns, terms = model.cost_of(kernels, kind())
            list[#list + 1] = {template = t, point = p, ns = ns, terms = terms, kernels = kernels, bytes = bytes, n = #list}
        end
    end
    return cheapest_first(list)
end

-- What there is, by the nest, its lengths and the kind of device; so many at most; and the templates that it is of.
local KEPT = 500
local kept, kept_count, kept_of = {}, 0, nil

-- All ways to make the nest at q, the one that is expected to be fastest first: those of `ways`, of every template. depth: as in nest_at; read: as there.
local function all_ways(q, depth, read)
    local alone = q:alone({}, {})
    local nest = nest_at(alone, depth)
    if not nest then return {} end
    local key = ("%s %s %d %s %s %s %s"):format(read, kind(), depth, engine.target(kind()).name, engine.setting("precision") .. engine.setting("strict"), table.concat(nest.extents, " "), nest.summed) .. engine.content(alone)
    local of = {}
    for i, t in ipairs(M.templates) do of[i] = ("%s %p %p"):format(t.name, t.points, t.make) end
    of = table.concat(of, "\n")
    if kept_count == KEPT or of ~= kept_of then kept, kept_count, kept_of = {}, 0, of end
    if not kept[key] then
        local list = {}
        for _, t in ipairs(M.templates) do table.move(ways(t, nest, read), 1, MOST_POINTS, #list + 1, list) end
        for i, way in ipairs(list) do way.n = i end
        kept[key], kept_count = cheapest_first(list), kept_count + 1
    end
    return kept[key], alone
end

-- The nest at q in the way that is expected to be fastest, of those that are wanted: {name = of its template, values = of parameters} (nil: of all): that
-- of `ways`, others = the best of each other template, points = the others of this one; nil: there is none. read: as in `ways`.
function M.best(q, depth, wanted, read)
    local list, alone = all_ways(q, depth, read)
    local best, seen = nil, {}
    local function is_wanted(way)
        if not wanted or wanted.name ~= way.template.name then return not wanted end
        return base.all(base.keys(wanted.values), function(name) return way.point[name] == wanted.values[name] end)
    end
    for _, way in ipairs(list) do
        best = best or is_wanted(way) and base.merged(way, {others = {}, points = {}, text = alone.text}) or nil
    end
    for _, way in ipairs(best and list or {}) do
        local t = way.template
        local among = t ~= best.template and best.others or best.points
        if not seen[t] and way.point ~= best.point then among[#among + 1] = way end
        seen[t] = t ~= best.template
    end
    return best
end

local made_before = set("reduceHost", "mapGlobal", "mapWorkgroup")

-- Every array that the program at q names, and its result, by its best template; nil, and its number, nil: one has none. said: a list that gets what is
-- chosen for each. wanted: of the i-th array as in `best` (nil: all of them as the model has it).
function M.each(q, depth, said, wanted)
    local top, count = q, 0
    local function made_at(p, read)
        count = count + 1
        local best = M.best(p, depth, wanted and wanted[count], read)
        if said and best then said[#said + 1] = best end
        return best and made_by(best.template, nest_at(p, depth), best.point)
    end
    while q.term.prim == "let" do
        local value = q:go("value")
        local r = made_before[value.term.prim] and value or made_at(value, true)
        if not r then return nil end
        q = r:at(q):go("body")
    end
    local function each_at(q)
        if q.term.prim ~= "(,)" and q.term.prim ~= "zip" then
            local r = made_at(q)
            return r and r:at(q)
        end
        for _, slot in ipairs(q.term.slots) do                -- a tuple of arrays, or pairs of arrays, each by itself
            local r = each_at(q:go(slot))
            if not r then return nil end
            q = r:at(q)
        end
        return q
    end
    local r = each_at(q)
    return r and r:at(top)
end

-- How many pairs all elements together look at in what is gathered at q.
local function looked_at(q)
    local t, n = q.term, 1
    while t.prim == "generate" or t.prim == "reduce" or t.prim == "let" do
        n = n * (t.prim == "generate" and known(t) or 1)
        t = t:slot(t.prim == "generate" and "f" or t.prim == "let" and "body" or "in")
    end
    return n
end

-- Each reduction by index at and below q whose index is a sum of numbers of its pairs by what each element takes: by the numbers that leave the fewest pairs
-- to look at, that of the smallest steps first.
local PAIR_NUMBERS = 8
local gathered_one = base.new("gathered", function(q)
    if q.term.prim ~= "reduceByIndex" then return nil end
    local best, least, code, digit = nil, math.huge, 0, 1
    repeat
        local found
        for k = 1, PAIR_NUMBERS do
            local r = R("reduceByIndexGather", {k = k * digit + code}).run(q)
            local n = r and known(r.term) and looked_at(r)
            if n and n < least then best, least, found = r, n, k end
        end
        code, digit = code + (found or 0) * digit, digit * 10
    until not found
    return best
end)
local by_index = base.test("a reduction by index", "reduceByIndex", function(t) return t:contains("reduceByIndex") end)
local function in_elements(form) return L.seq(L.try(L.where(by_index, L.everywhere(gathered_one))), form) end
local element_form, kept_form = in_elements(R("elementForm")), in_elements(R("elementsKept"))

local LAUNCHES = {gpu = 2, cpu = 5}    -- what takes hardly longer than so many launches (on a CPU small programs keep forms that more sizes share),
local NEAR = 1.4                       -- or than its bound, stays

local names_out = L.normalize(R("letLetOut"))

-- What the cost model expects of r, where arrays have templates, in ns.
local function predicted(r)
    local lower = require "lower"
    return lower.predicted(lower.finished(r, r))
end

-- May one element form be worth a look beside another: is what it writes out much shorter, or does it take fewer divisions and such, is a sum more an array of its own, or are as many arrays others?
local SHORTER = 0.8
local function arrays_in(t, prim)
    if t.prim ~= "let" then return 0 end
    return (t:slot("value"):contains(prim) and 1 or 0) + arrays_in(t:slot("body"), prim)
end
local long = set(table.unpack(require("blocking").LONG))
local function long_ones(t)
    local n = long[t.prim] and 1 or 0
    for _, child in ipairs(t.children) do n = n + long_ones(child) end
    return n
end
local function may_save(q, other)
    local a, b = q.term, other.term
    if a == b then return false end
    return a.size < SHORTER * b.size or long_ones(a) < long_ones(b) or arrays_in(a, "reduce") > arrays_in(b, "reduce") or arrays_in(a, "generate") == arrays_in(b, "generate")
end

-- Are there several results at r, past the names of what they read?
function M.is_tuple(r)
    while r.term.prim == "let" do r = r:go("body") end
    return r.term.prim == "(,)"
end

-- Is there a template of rows that have names in them, for this kind of device?
local function has_named() return base.any(M.templates, function(t) return t.named and (t.kind or kind()) == kind() end) end

-- What is at q in element form, each array by its best template; nil: it has no such form, or one of its arrays no template. said: a list that gets what is
-- chosen for each. wanted: as in `each`. tuples: several results, too, which have shapes of their own otherwise.
function M.made(q, said, wanted, tuples)
    if left_to_shapes or q.term.has_parameters then return nil end           -- what parameters decide stays
    local r = element_form.run(q)
    if r and r.term:contains("reduceSeq") and not r.term:contains("reduce") then return nil end        -- loops alone: long maps have them side by side
    if not r or not tuples and M.is_tuple(r) then return nil end
    local best, list = sums_as_one.run(r), {}
    local made, least = M.each(best, 0, list), nil
    local kept = kept_form.run(q)
    local ways = {kept and may_save(kept, r) and sums_as_one.run(kept) or nil}
    for _, other in ipairs {in_one_pass, table.unpack(has_named() and {attention.in_rows, attention.as_rows} or {})} do ways[#ways + 1] = other.run(best) end
    for _, way in ipairs(ways) do
        local chosen = {}
        local r = M.each(way, 0, chosen)
        least = r and made and (least or predicted(made))
        local ns = r and predicted(r)
        if ns and ns < (least or math.huge) then best, list, made, least = way, chosen, r, ns end
    end
    if wanted then
        table.insert(ways, 1, best)                          -- what is wanted may be of another form than the fastest
        list, made = {}, nil
        for _, way in ipairs(ways) do
            if not made then list = {} end
            made = made or M.each(way, 0, list, wanted)
        end
    end
    if said then table.move(list, 1, #list, #said + 1, said) end
    return made and names_out.run(made)
end

-- May templates make all of the program at c? Of a tuple they make no parts.
function M.has_whole(c)
    local r = element_form.run(c)
    return r ~= nil and not M.is_tuple(r)
end

-- The same as a lowered program.
function M.lowered(c, said, wanted)
    local r = M.made(c, said, wanted, true)
    return r and require "lower".finished(c, r)
end

-- What the lowered program `made` is expected to take, in ns, where that is worth another look: more than it needs, and than a few launches take;
-- infinity: it makes no kernels; nil: it is not worth one.
function M.may_gain(made)
    local model = require "model"
    local kernels, bytes = engine.kernels_of(nil, made, kind())
    local ns = kernels and model.cost_of(kernels, kind()) or math.huge
    local enough = kernels and math.max(NEAR * model.bound_of(kernels, bytes, 0, kind()), LAUNCHES[kind()] * engine.target(kind()).launch)
    return not (enough and ns <= enough) and ns or nil
end

-- How many times as fast has to be what those templates make: `margin`, or a little where all make what shapes do, but for what is read again.
function M.margin(said, margin) return base.all(said, function(one) return one.template.like_shapes end) and require "lower".LITTLE or margin end

-- What `lower` made of the program at c, or what templates make of it where that is expected to be faster; and what they chose, then.
function M.better(c, made)
    local ns = not c:up() and M.may_gain(made)
    local said = {}
    local r = ns and M.lowered(c, said)
    local lower = require "lower"
    if r and lower.predicted(r) * M.margin(said, lower.device.margin) < ns then return r, said end
    return made
end

-- "product mb=128 w=4", of a template and of its parameters: its name (nil: there is none) and {mb = 128, w = 4}; option: what a parameter's name matches.
function M.parse_choice(text, option, bad)
    local words, values = {}, {}
    for word in text:gmatch("%S+") do
        local name, value = word:match("^(" .. option .. ")=(%w+)$")
        if name then
            values[name] = math.tointeger(value)
            if value == "true" or value == "false" then values[name] = value == "true" end
            if values[name] == nil then error(word .. ": " .. bad, 0) end
        else words[#words + 1] = word end
    end
    return #words > 0 and table.concat(words, " ") or nil, values
end
function M.choice_text(name, values)
    local parts = {name}
    for _, key in ipairs(base.keys(values)) do parts[#parts + 1] = key .. "=" .. tostring(values[key]) end
    return table.concat(parts, " ")
end

-- Texts of lowerNests as `each` wants them; "": as the model has it.
function M.wanted_of(texts)
    local wanted = {}
    for i, text in ipairs(texts) do
        local name, values = M.parse_choice(text, "%w+", "a parameter of a template is a number, true or false")
        if name and not base.any(M.templates, function(t) return t.name == name end) then
            local names = {}
            for k, t in ipairs(M.templates) do names[k] = t.name end
            error(("there is no template %s: %s"):format(name, table.concat(names, ", ")), 0)
        end
        wanted[i] = name and {name = name, values = values} or nil
    end
    return wanted
end

base.name("lowerNests", "(array, ...)",
          "every array of the program in element form, by the template that the cost model likes best, or by that one: \"product mb=128\", in the order of "
          .. "lower --explain", "lowering", function(...)
    local texts = {...}
    local wanted = M.wanted_of(texts)
    return base.new("lowerNests", function(c)
        local said = {}
        local r = M.lowered(c, said, wanted)
        local alone = c:up() or not r or r.term.has_parameters                -- else it makes kernels, or is no lowering
        local kernels, _, why = not alone and engine.kernels_of(nil, r, kind())
        if r and #said >= #texts and not (alone or kernels) then return nil, base.failure(c, "lowerNests", "templates that make kernels together", why) end
        if r and #said >= #texts then return require "lower".stored(r) end
        local text = texts[#said + 1] or ""
        return nil, not r and text ~= "" and base.failure(c, "lowerNests", "an array that " .. text .. " makes")
                    or r and base.failure(c, "lowerNests", #texts .. " arrays", #said .. " in all") or base.failure(c, "lowerNests")
    end)
end)

return M

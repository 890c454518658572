-- defaults: what `lower` makes of a program as it was written, when its sizes are known: each nest in the first shape that fits, the macro
-- for that with numbers that divide the sizes, by kind of device. nil where none fits; then lower maps loops one by one.

local engine, base, L = require "engine", require "base", require "combinators"
local blocking, rows, lengths, shaping, cuts, copies = require "blocking", require "rows", require "lengths", require "shaping", require "cuts", require "copies"
local fusion, scans, products, stencils, maps = require "fusion", require "scans", require "products", require "stencils", require "maps"
local rowshapes, together, rowfolds, segments, by_index, group_loops = require "rowshapes", require "together", require "rowfolds", require "segments", require "by_index",
      require "group_loops"
local simplified = require "choices"
local R, is_map, nested_map, VECTOR = base.R, blocking.is_map, blocking.nested_map, lengths.VECTOR
local known, differs, fitting = lengths.known, lengths.differs, lengths.fitting
local CPU_MIN, CPU_PARTS, in_shape = shaping.CPU_MIN, shaping.CPU_PARTS, shaping.in_shape

-- reductions

-- Results that are worth a group.
local REDUCE_RESULTS = rows.UNROLLED

-- All but the last k elements, and these.
local function reduced_apart(k) return L.seq(rows.peel(R("reducePeelLast"), k), shaping.shaped_nests) end

-- By one group, or in chunks by as many as keep a GPU busy and their results by one; what no such chunk divides is reduced apart.
local function by_items(n)
    if n < REDUCE_RESULTS then return differs("%d elements are fewer than %d", n, REDUCE_RESULTS) end
    local least = lengths.VECTOR * lengths.items()         -- elements that a group of a GPU reduces, and sixteen times as many where there are enough groups
    local longest = rows.SIXTEEN * least
    if n <= longest then return L.reduceWholeInItems(fitting(n, lengths.items(), lengths.GPU.warp) or lengths.items()) end
    local most = least
    while most < longest and n // most > lengths.busy_groups() do most = 2 * most end
    local chunk = fitting(n, most, least)
    if chunk and 2 * chunk > most then             -- in vectors, if what is reduced can be
        return L.alt(L.reduceGpu({chunk = chunk, again = false, whole = n // chunk >= REDUCE_RESULTS}),
                     L.seq(L.reduceChunks(chunk), L.slot("in", L.rowsInGroups({items = lengths.items()})), L.reduceWholeInItems(lengths.items())))
    end
    return reduced_apart(n % most)
end

local function by_vectors(n)
    if n < CPU_MIN then return differs("%d elements are fewer than %d", n, CPU_MIN) end
    local chunk, w, u, left = lengths.chunks(n, CPU_PARTS, shaping.CPU_FEW)
    if left > 0 then return reduced_apart(left) end
    local plain = L.reduceCpu({chunk = chunk, w = w, u = u})
    local far = lengths.far(lengths.CPU)
    local row = lengths.CPU.l1 // lengths.VECTOR                              -- as long as the first cache
    if n < far or n % (8 * row) ~= 0 then return plain end
    return L.alt(L.reduceCpuRows({n = row, r = 8}), plain)
end

local function reduction(c, made)
    local t = c.term
    if t.prim ~= "reduce" then return nil end
    if t.is_array then return differs("the accumulator is an array, %s", t.type) end
    if not engine.reassociates(c) then return differs("the order of its steps counts: the function is not known to be associative") end
    local n = known(t:slot("in"))
    if not n then return differs(lengths.UNKNOWN) end
    local scanned, o = scans.finished(c)
    if scanned then return L.reduceScanInGroups(o) end
    return made(n)
end
local function reduced_by_items(c) return reduction(c, by_items) end
local function reduced_by_vectors(c) return reduction(c, by_vectors) end

-- shapes

-- Functions of instances; one alone if it makes arrays, and not of windows, which is a stencil.
local function functions(c)
    local worth = fusion.worth(c)
    local one = worth == 1 and is_map(c.term) and c.term:slot("f").is_array and not c.term:slot("in"):contains("slide")
    return (worth > 1 or one) and fusion.in_groups(c) or nil
end

-- In element form, its arrays by templates (nests.lua).
local function by_templates(c)
    local made = not copies.is_layout_alone(c.term) and require "nests".made(c)
    return made and base.new("elements", function() return made end) or nil
end

-- The shapes of nests by name, in the order in which they are tried, how they are recognised for devices whose work-items go together, and for those that
-- want vectors (false: they have it not), and the form that each wants.
local shapes = {
    {"group loops", group_loops.recognise, false, "map (\\x -> .. a loop over an array ..) xs, on a GPU"},
    {"functions", functions, functions, "instances of functions that share what they read"},
    {"together", together.by_items, together.by_vectors, "reductions of one array, or of a matrix, its rows, columns"},
    {"row folds", rowfolds.by_items, rowfolds.by_vectors, "let y = map (\\row -> reduce ..) A in what columns read with y"},
    {"segments", segments.by_items, segments.by_vectors, "map (\\.. -> .. slice ..) xs, slices of one array"},
    {"by index", by_index.by_items, by_index.by_vectors, "reduceByIndex f z (pairs)"},
    {"rows by index", by_index.rows_by_items, false, "map (\\row -> reduceByIndex f z ..) rows, on a GPU"},
    {"stencil", false, stencils.by_vectors, "maps over windows: slide, pad; on a CPU"},
    {"transposition", stencils.item_tiles, stencils.local_tiles, "map (\\row -> map f ..) .., no reduction, some by columns"},
    {"product", products.product, products.product, "map (\\a -> map (\\b -> reduce f z (e a b)) ys) xs, same ys"},
    {"reduction", reduced_by_items, reduced_by_vectors, "reduce f z xs to a scalar or a tuple, f associative"},
    {"scan", scans.by_items, scans.by_vectors, "scan f z xs, or a map of one"},
    {"columns", false, rowshapes.columns_by_vectors, "map (\\column -> .. reduce ..) (transpose A), on a CPU"},
    {"long loops", false, maps.long_loops, "map (\\x -> .. reduce ..) xs to scalars, on a CPU"},
    {"rows", rowshapes.by_items, rowshapes.by_vectors, "map (\\row -> .. reduce or scan over row ..) rows"},
    {"column scans", scans.columns_by_items, scans.columns_by_vectors, "map (\\column -> .. scan f z column ..) (transpose A)"},
    {"tiles", copies.tiles, false, "a layout of an input alone, by columns, on a GPU"},
    {"vectors", copies.vectors, false, "a layout of an input alone, on a GPU"},
    {"long map", maps.by_items, maps.by_vectors, "map (\\x -> no reduction) xs to scalars"},
    {"elements", by_templates, by_templates, "any nest in element form, by templates"},
}

local shape_named, names, forms = {}, {}, {}
for i, shape in ipairs(shapes) do shape_named[shape[1]], names[i], forms[shape[1]] = shape, shape[1], shape[4] end
local function recogniser(shape) return shape[lengths.in_warps() and 2 or 3] or function() end end
local function has_shape(q, name) return recogniser(shape_named[name])(q) end

-- Those that the nest at c may have.
local function candidates(c)
    if segments.takes_slices(c.term) then return {shape_named.segments} end
    local by_rows = is_map(c.term) and c.term:slot("f"):contains("reduceByIndex")
    return by_rows and {shape_named["rows by index"]} or shapes
end

-- The nest at c in the shape of that name, or in the first that fits, and its name; nil: none.
local function shaped(c, name)
    for _, shape in ipairs(candidates(c)) do
        local r = (not name or shape[1] == name) and in_shape(c, recogniser(shape))
        if r then return r, shape[1] end
    end
end

-- Why the nest at c nearly has the shape of that name, and has not; nil: it has it, or is nowhere near.
local function misfit(c, name)
    for _, shape in ipairs(candidates(c)) do
        if shape[1] == name then
            local r, why = in_shape(c, recogniser(shape))
            if r or type(why) ~= "table" then return not r and why or nil end
            return "in its derivation " .. (why.needs and ("%s needs %s"):format(why.rule or why.label, why.needs) or why.message)
        end
    end
end

-- nests

local nests

-- A map that makes each element from one: it is made where it is read.
local function is_elementwise(t) return is_map(t) and not t:contains("reduce") and not t:slot("f").is_array end

-- Lower the producers below q, except the one at `but` and those around it. made: q itself is computed element by element where it is read, so
-- that what feeds it is, too.
local function inputs(q, made, choose, but)
    for _, child in ipairs(q:children()) do
        local at = child.slot ~= "f" and q:at(child)
        local t = at and not (but and blocking.under(but, at)) and at.term
        if t and made and (is_elementwise(t) or t.layout_node and t.prim ~= "slide" or t.prim == "zip") then
            q = inputs(at, true, choose):at(q)
        elseif t then
            q = nests(at, choose):at(q)
        end
    end
    return q
end

-- The same for what the scan below q, and what is made of its elements there, read.
local function scan_inputs(q, scanned, choose)
    if q.place == scanned.place then return inputs(q, true, choose) end
    for _, child in ipairs(q:children()) do
        local at = child.slot ~= "f" and q:at(child)
        if at and blocking.under(scanned, at) then q = scan_inputs(at, scanned, choose):at(q)
        elseif at then q = (is_elementwise(at.term) and inputs(at, true, choose) or nests(at, choose)):at(q) end
    end
    return q
end

-- The rows at q of arrays zipped in each as one row of them; nil: they are none of inputs alone, or so few that what vectors leave over is
-- not worth a launch.
local FLAT = 1 << 24
local function rows_of_inputs(q)
    local total = q.term.scalars:known()
    if not total or total % VECTOR ~= 0 and total < FLAT then return nil end
    local zip = is_map(q.term) and q.term:slot("in").prim == "zip" and nested_map(q)
    local r = zip and zip.term:slot("in").prim == "zip" and cuts.rowsAsOne.run(q)
    local x = r and r:go("in").term
    x = x and is_map(x) and x:slot("in")
    local function is_input(t)
        while t.prim == "join" do t = t:slot("in") end
        return t.kind == "input"
    end
    return x and x.prim == "zip" and base.all(x.children, is_input) and r or nil
end

-- Rows whose elements know nothing of their row as one row; nil: there is nothing to gain.
local flat = L.normalize(R("flattenMaps"))
local function flattened(q, warps)
    local t, inner = q.term, is_map(q.term) and nested_map(q)
    if not inner or t:contains("reduce") or stencils.columns_read(q) or t:contains("slide") or t:contains("pad") then return nil end
    local n = known(inner.term)
    local even = t.rank == 2 and (not n or n % VECTOR == 0)
    local long = not warps and not t:slot("in"):contains("split") and (t.scalars and t.scalars:known() or 0) >= CPU_MIN      -- chunks stay
    if even and not long then return nil end
    local r = flat.run(q)
    if r.term.prim ~= "split" and warps then r = rows_of_inputs(q) or r end
    return (warps or r.term.prim == "split") and r
end

local function computes(t) return t.prim == "reduce" or t.prim == "scan" or t.prim == "reduceByIndex" or is_map(t) or t.prim == "generate" and not t.is_layout end

-- The product at q or in what it makes of its elements, by itself; then what is done with them.
local function product_first(q, choose)
    local of = products.product_of(q)
    of = of and cuts.contraction.run(of) and of
    local made = of and cuts.operands_made(of)
    if made then return nests(L.normalize(rows.names_out).run(made:at(q)), choose) end
    local parts = of and products.in_parts(of, choose)
    if parts and of.place == q.place then
        parts = inputs(parts, false, choose)
        return is_map(parts.term) and choose(parts) or parts
    end
    q = inputs(parts or of or q, not of, choose):at(q)
    if of and of.place ~= q.place then q = inputs(q:go("in"), true, choose, q:at(of)):at(q) end
    return choose(q) or q
end

-- What is made at q and only laid out there, in a way that is for both (choose(q, true), as of a nest; nil: there is none). Some of it may not be read at all,
-- and its elements are made as they lie in memory.
local function is_laid_out(t) return t.layout_node or t.layout_map and t:slot("f").is_array end
local function laid_out(q, choose)
    local up, x = q:up(), q
    while x and is_laid_out(x.term) do x = x:go("in") end
    local outermost = x and x.place ~= q.place and not (up and is_laid_out(up.term))
    return outermost and is_map(x.term) and choose(q, true) or nil
end

-- Passes over the nest at q, tried in order. done: it is lowered, with its producers; anew: it was rewritten, start again at the place that is
-- given; first: it was rewritten, go on with the passes behind. nil: the pass does not apply. warps: where work-items go together alone (true), or
-- where they do not (false).
local of_zips = L.seq(R("mapOfZipOut"), L.slot("in", L.normalize(R("zipDrop"))))
local nest_forms = {
    {done = function(q, choose)                                                         -- the steps of a loop on the host
        for _, child in ipairs(q.term.prim == "reduceHost" and q:children() or {}) do q = nests(q:at(child), choose):at(q) end
        return q.term.prim == "reduceHost" and q
    end},
    {done = function(q, choose)                                                         -- functions of instances
        if not (computes(q.term) or q.term.prim == "let") or fusion.worth(q) <= 1 then return nil end
        q = fusion.outside(q, function(p) return nests(p, choose) end)
        return choose(q) or q
    end},
    {done = function(q, choose) return has_shape(q, "row folds") and choose(q) end},
    {done = function(q, choose)
        local several = has_shape(q, "together") and choose(q)
        return several and (several.term.prim == "let" and nests(several:go("body"), choose):at(q) or several)
    end},
    {done = function(q, choose)                                                         -- scans, and what is made of them
        local scanned = scans.finished(q)
        q = scanned and scan_inputs(q, scanned, choose)
        return q and (choose(q) or q)
    end},
    {done = function(q, choose) return not computes(q.term) and (laid_out(q, choose) or inputs(q, false, choose)) end},
    {anew = cuts.rows_reduced},
    {anew = cuts.unzips_out},
    {first = cuts.columns_together},
    {first = together.rows_together, warps = true},
    {anew = cuts.columns_cut, warps = false},
    {first = cuts.flat_sums},
    {anew = cuts.long_row},
    {anew = cuts.all_rows, warps = false},
    {anew = scans.batch, warps = true},
    {first = scans.of_copy, warps = true},
    {first = cuts.invariants},
    {first = stencils.fusedMaps.run, warps = true},
    {first = cuts.cut},
    {anew = function(q) return q.term.prim == "let" and q end},
    {done = function(q, choose)
        local beside = q.term:slot("f").prim == "zip" and of_zips.run(q)
        return beside and inputs(beside, false, choose)
    end},
    {anew = function(q)
        return (q.term:contains("reduce") or q.term:contains("slide")) and not products.is_product(q) and cuts.fewer_dimensions(q)
    end, warps = true},
    {first = function(q) return flattened(q, true) end, warps = true},
    {first = function(q) return flattened(q, false) end, warps = false},
    {done = function(q, choose) return q.term.prim == "split" and inputs(q, false, choose) end},
    {first = function(q)                                                                -- not where sums would stay in one work-item
        local r = L.pairRows.run(q)
        return r and in_shape(r, products.product) and r
    end},
    {anew = products.parts_apart, warps = false},
    {anew = cuts.parts_by_themselves, warps = true},
    {done = product_first},
}

-- Every nest that stands outside all functions, each on its own merits, past names, tuples and layouts: what it reads, then itself.
-- choose(c): the nest at c in its shape (nil: as lower does); nil: it has none. choose(c, true): what is laid out at c, if that is better than as a nest
-- that is then laid out.
local function first_shape(c, laid) if not laid then return shaped(c) end end
function nests(q, choose)
    local warps = lengths.in_warps()
    choose = choose or first_shape
    for _, form in ipairs(nest_forms) do
        if form.warps == not warps then                                                     -- not for this device
        elseif form.first then q = form.first(q) or q
        else
            local anew = form.anew and form.anew(q)
            local r = anew and nests(anew, choose):at(q) or form.done and form.done(q, choose)
            if r then return r end
        end
    end
end

-- What is made of c by the shapes of its nests. times: of the batch in whose groups it is made; nil: it is in no function.
local function by_shape(c, choose, times)
    c = simplified(c)
    if not times and copies.is_layout_alone(c.term) then return choose(c) or c end
    if not times then return nests(c, choose) end
    return in_shape(c, products.product, times:known()) or c
end

return {by_shape = by_shape, nests = nests, shaped = shaped, misfit = misfit, names = names, forms = forms}

-- explain: what `lower` chooses for each nest and what else there was: a nest is made a program of its own (k:alone), in each shape
-- that fits; the cost model says what that would take, and what the device needs at least. Nothing is run.

local engine, base, defaults, lower = require "engine", require "base", require "defaults", require "lower"
local model, objective, run, search = require "model", require "objective", require "run", require "heuristics"
local shapes, lists, time_text, sort_by = require "shapes", require "lists", objective.time_text, run.sort_by
local map, json = lists.map, lists.json
local PLAIN = shapes.PLAIN

local DONE = "as it is"                  -- the shape of what is lowered already
local TOTAL = "total"                    -- of what makes no kernels otherwise (lowerTotal)

-- nests

-- Is the place that q had below that of p, and still there? A name that stood around it may be gone.
local function is_below(q, p)
    local top = p.place == "/" and "/" or p.place .. "/"
    if #q.place <= #top or q.place:sub(1, #top) ~= top then return false end
    local at = p
    for slot in q.place:sub(#top + 1):gmatch("[^/]+") do at = at and at:go(slot) end
    return at ~= nil
end

-- Where an array below the nest at c that is put together in memory is made, with the names that it needs, if what is made at p is a part of
-- it; else p.
local function whole(p, c)
    local q, found = p, p
    while q.place ~= c.place and (q == p or q.term.layout_node or q.term.prim == "concat" or q.term.prim == "toGlobal" or q.term.prim == "let") do
        if q.term.prim == "toGlobal" or found ~= p and q.term.prim == "let" then found = q end
        q = q:up()
    end
    return found
end

-- The nests that lower finds at c, in the order in which it gives them their shapes: {at = as it is then, shape =, parts = {places of
-- those that make what it reads}, names = {...}}. What has its shape already, and what is in a loop, is one.
local function nests_of(c, way)
    local _, list = shapes.lowered(c, {}, way)
    if #list == 0 then list[1] = {at = c, shape = engine.is_lowered(c.term) and DONE or PLAIN} end
    for n, nest in ipairs(list) do
        nest.n, nest.parts, nest.names = n, {}, {}
        for k = 1, n - 1 do
            local before = list[k]
            if not before.read and is_below(before.at, nest.at) then
                before.read = true
                local part, last = whole(nest.at:at(before.at), nest.at), #nest.parts
                if last > 0 and nest.parts[last].place == part.place then nest.names[last] = nest.names[last]:match("^#%d+") .. "-" .. k
                else nest.parts[last + 1], nest.names[last + 1] = part, "#" .. k end
            end
        end
    end
    return list
end

-- One way to make a nest, {shape =, made_by = {call, ...}, ns =, terms =, kernels = features of each, bytes = that it reads and makes};
-- nil: it does not fit, or makes no kernels, and why not.
local function way(version, alone, shape, kind)
    local shaped = alone
    if shape ~= PLAIN and shape ~= DONE and shape ~= TOTAL then shaped = defaults.shaped(alone, shape) end
    if not shaped then return nil end
    local made = shape == TOTAL and shapes.totally(alone) or lower.finished(alone, shaped)
    local kernels, bytes, why = engine.kernels_of(version, made, kind)
    if not kernels then return nil, why end
    local ns, terms = model.cost_of(kernels, kind)
    return {shape = shape, made_by = shaped:made_by(alone), ns = ns, terms = terms, kernels = kernels, bytes = bytes}
end

-- The rule by which a loop at q or below it is in parallel, since its steps are linear in its state; nil: there is none.
local linear_rules = {scanSeq = base.R("recurrenceScan"), reduceSeq = base.R("recurrenceReduce")}
local function linear_loop(q)
    for p in base.places(q, linear_rules) do
        local rule = linear_rules[p.term.prim]
        if rule.run(p) then return rule.label end
    end
end

-- What lower chose (nest.chosen), the other ways, the fastest predicted first (nest.others); what the device needs (nest.bound, by); the shapes that
-- the nest nearly has, of those that lower would have taken before (nest.near): {shape =, differs =} each.
local function look_at(nest, version, kind, can_be)
    local alone, others = nest.at:alone(nest.parts, nest.names), {}
    local flops = engine.flops_of(version, alone)
    nest.place, nest.term = nest.at.place, #nest.parts > 0 and alone.text or nest.at.text
    for i, shape in ipairs(nest.shape == DONE and {DONE} or shapes.names) do
        local fits = shape == nest.shape or shape == PLAIN or defaults.shaped(nest.at, shape)      -- with what its parts are made of by now
        local w, why
        if fits then w, why = way(version, alone, shape, kind) end
        if shape == nest.shape and not w then nest.shape, nest.why = TOTAL, why end
        if w then
            local bound, by = model.bound_of(w.kernels, w.bytes, flops, kind)
            if not nest.bound or bound < nest.bound then nest.bound, nest.by = bound, by end
            if shape == nest.shape then nest.chosen = w
            elseif can_be(nest.n, shape) then w.n, others[#others + 1] = i, w end
        end
    end
    if nest.shape == TOTAL then
        nest.chosen = way(version, alone, TOTAL, kind)
        if nest.chosen and not nest.bound then nest.bound, nest.by = model.bound_of(nest.chosen.kernels, nest.chosen.bytes, flops, kind) end
    end
    nest.others, nest.near = sort_by(others, "ns"), {}
    for _, name in ipairs(nest.shape == DONE and {} or defaults.names) do
        if name == nest.shape then break end
        local differs = defaults.misfit(alone, name)
        if differs then table.insert(nest.near, {shape = name, differs = differs}) end
    end
    nest.linear = nest.shape ~= DONE and linear_loop(nest.at) or nil
    nest.at, nest.parts = nil, nil       -- of this run
end

-- what would help

local POOR = 0.5                         -- of the bound: below it something is said

-- By what takes the longest in a kernel with features f, of w.
local advice = {
    memory = function(f, w)
        local moved = f.distinct_bytes / w.bytes
        return moved > 1.5 and ("%.1f times as much is moved as is read and made: fewer passes"):format(moved)
            or "blocks whose elements are used again, rows that are read once"
    end,
    accesses = function() return "vectors from memory, elements kept in registers" end,
    arithmetic = function(f, _, kind)
        if kind == "gpu" or f.vector_flops > 0 then return "more of it at once: blocks in registers, more groups" end
        return "vectors: dimensions that 4, 8 or 16 divides"
    end,
    control = function() return "fewer and longer loops, unrolled where they are short" end,
    chain = function() return "sums side by side: each step waits for the one before" end,
    caches = function() return "smaller tiles, read as they lie in memory" end,
    jumps = function() return "more that lies together of each row: columns side by side" end,
    barriers = function() return "fewer steps that all items of a group share" end,
    start = function(_, w) return #w.kernels > 1 and ("%d kernels: fewer, larger ones"):format(#w.kernels) or "more work for a kernel" end,
}

local function linear_text(rule) return ("a loop whose steps are linear in its state as %s has it, in parallel: where %s"):format(rule, rule) end

-- Of the kernel that takes the longest.
local function help_for(nest, kind)
    local w, list = nest.chosen, {}
    if not w or nest.bound / w.ns >= POOR then return list end
    local longest, ns, terms
    for _, f in ipairs(w.kernels) do
        local t, of = model.cost_of({f}, kind)
        if not ns or t > ns then longest, ns, terms = f, t, of end
    end
    local groups, units = longest.groups, search.model[kind].units
    if groups < units then list[1] = ("%d group%s for %d units"):format(groups, groups == 1 and "" or "s", units) end
    local _, most = model.explain_terms(ns, terms)
    list[#list + 1] = advice[most](longest, w, kind)
    list[#list + 1] = nest.linear and linear_text(nest.linear)
    local best = nest.others[1]
    if best and best.ns < w.ns then list[#list + 1] = ("measuring %s, which is predicted to be faster"):format(best.shape) end
    return list
end

-- explain(version[, place]): what lower makes there: {kind =, nests = {...}, ns =, bound =, by = of all together}; nil and a failure.
-- What is in a function is looked at as a program of its own.
local function explain(v, place)
    local e = {place = place, sizes = engine.default_sizes(v)}
    local made, why = engine.rewritten(v, base.new("explain", function(c)
        engine.unfuelled()
        e.kind, e.inside = require("lengths").kind(), lower.in_function(c)
        local alone = c:alone({}, {})
        local at = e.inside and alone or c                       -- lower is typed there
        local way = shapes.whole(at)
        local made, arrays = way.made:alone({}, {}), way.arrays
        local kernels, bytes = engine.kernels_of(v, made, e.kind)
        e.nests = arrays and {} or nests_of(at, way)
        for _, array in ipairs(arrays or {}) do array.bound, array.by = model.bound_of(array.kernels, array.bytes, 0, e.kind) end
        e.arrays = arrays
        -- Does the program make kernels when its n-th nest has that shape? Where those that lower took first did not, another may not either, beside them.
        local function can_be(n, shape)
            if way.first then return true end
            local wanted = {}
            for k = 1, n do wanted[k] = k == n and shape or "" end
            return shapes.as_wanted(at, wanted, way) ~= nil
        end
        for _, nest in ipairs(e.nests) do
            look_at(nest, v, e.kind, can_be)
            nest.help = help_for(nest, e.kind)
            if e.inside then nest.place = nest.place == "/" and c.place or c.place .. nest.place end
        end
        if kernels then
            e.ns = model.cost_of(kernels, e.kind)
            e.bound, e.by = model.bound_of(kernels, bytes, engine.flops_of(v, alone), e.kind)
            e.linear = arrays and e.bound / e.ns < POOR and linear_loop(alone) or nil
        end
        return c
    end), place, false)
    if not made then return nil, why end
    return e
end

-- The command that gives a nest that shape; what is in a function has none.
local function command_for(e, nest, shape)
    if e.inside then return "" end
    local before = ('"", '):rep(nest.n - 1)
    local call = ('lowerAs(%s"%s")'):format(before, shape)
    return e.place and "apply " .. call .. " at " .. e.place or "lower " .. call
end

-- The same that makes the i-th array by the template of another way.
local function array_command(e, i, other)
    return e.inside and "" or (e.place and "apply %s at " .. e.place or "lower %s"):format(('lowerNests(%s"%s")'):format(('"", '):rep(i - 1), other.template.name))
end

-- as text, in 80 columns

local WIDE = 66                          -- of them, for what a line says

local function line(lines, label, ...)
    lines[#lines + 1] = (("  %-10s "):format(label) .. string.format(...)):gsub(" +$", "")
end

-- A sentence in as many lines as it needs.
local function wrapped(lines, label, text)
    local piece
    for word in text:gmatch("%S+") do
        if piece and #piece + 1 + #word > WIDE then
            line(lines, label, "%s", piece)
            label, piece = "", word
        else piece = piece and piece .. " " .. word or word end
    end
    line(lines, label, "%s", piece)
end

local function share_text(bound, ns) return ("%.2f of the bound"):format(bound / ns) end

local function nest_lines(lines, e, nest)
    lines[#lines + 1] = ("%-12s %s"):format("#" .. nest.n .. " " .. nest.place, nest.term)
    local w = nest.chosen
    line(lines, nest.shape, "%s", w and ("%s   %s"):format(time_text(w.ns, 3), share_text(nest.bound, w.ns)) or "no prediction")
    for i = w and #w.made_by or 0, 1, -1 do line(lines, "", "%s", w.made_by[i]) end
    if nest.why then wrapped(lines, "slow", "with memory wherever it is asked for; without, " .. (nest.why:match("^(.-): ") or nest.why)) end
    if w then line(lines, "takes", "%s", (model.explain_terms(w.ns, w.terms))) end
    if nest.bound then line(lines, "bound", "%s   %s", time_text(nest.bound, 3), nest.by) end
    for _, other in ipairs(nest.others) do
        line(lines, "or", "%-9s %-11s %s", time_text(other.ns, 3), other.shape, command_for(e, nest, other.shape))
    end
    for _, miss in ipairs(nest.near) do wrapped(lines, "near", ("no %s: %s"):format(miss.shape, miss.differs)) end
    for _, text in ipairs(nest.help) do line(lines, "helps", "%s", text) end
end

-- mb=128, nb=64
local function point_text(point)
    return table.concat(map(base.keys(point), function(name) return ("%s=%s"):format(name, point[name]) end), ", ")
end

-- The i-th array of the program in element form, and what it is made by.
local function array_lines(lines, e, i, array)
    lines[#lines + 1] = ("%-12s %s"):format("#" .. i, array.text)
    line(lines, array.template.name, "%s   %s: %s", time_text(array.ns, 3), share_text(array.bound, array.ns), array.template.doc)
    if next(array.point) then line(lines, "", "%s", point_text(array.point)) end
    line(lines, "takes", "%s", (model.explain_terms(array.ns, array.terms)))
    line(lines, "bound", "%s   %s", time_text(array.bound, 3), array.by)
    for _, other in ipairs(array.others) do line(lines, "or", "%-9s %-11s %s", time_text(other.ns, 3), other.template.name, array_command(e, i, other)) end
end

local function text_of(e)
    local lines = {}
    for _, nest in ipairs(e.nests) do nest_lines(lines, e, nest) end
    for i, array in ipairs(e.arrays or {}) do array_lines(lines, e, i, array) end
    if e.linear then line(lines, "helps", "%s", linear_text(e.linear)) end
    if e.sizes then lines[#lines + 1] = "sizes by default: " .. e.sizes end
    if e.ns then
        local what = e.inside and "by itself" or "in all"
        lines[#lines + 1] = ("%-12s %s on a %s   %s: %s, %s"):format(what, time_text(e.ns, 3), e.kind:upper(), share_text(e.bound, e.ns),
                                                                     time_text(e.bound, 3), e.by)
    end
    return table.concat(lines, "\n")
end

local function report_of(e)
    local arrays = e.arrays and json(map(e.arrays, function(array, i)
        return {term = array.text, template = array.template.name, point = array.point, ns = array.ns, terms = array.terms, bound_ns = array.bound, by = array.by,
                ["or"] = json(map(array.others, function(other) return {template = other.template.name, point = other.point, ns = other.ns, command = array_command(e, i, other)} end))}
    end))
    return {kind = e.kind, ns = e.ns, bound_ns = e.bound, by = e.by, help = e.linear and json {linear_text(e.linear)}, arrays = arrays, nests = json(map(e.nests, function(nest)
        local w = nest.chosen
        return {place = nest.place, term = nest.term, shape = nest.shape, ns = w and w.ns, terms = w and w.terms,
                made_by = json(w and w.made_by or {}), why = nest.why, bound_ns = nest.bound, by = nest.by, near = json(nest.near), help = json(nest.help),
                ["or"] = json(map(nest.others, function(other)
                    return {shape = other.shape, ns = other.ns, command = command_for(e, nest, other.shape)}
                end))}
    end))}
end

-- The command lower --explain [at PLACE]: {place =}
local function command(spec)
    local e, why = explain(assert(engine.version()), spec.place)
    if not e then engine.raise(why) end
    engine.print(text_of(e))
    return report_of(e)
end

-- The shapes in the order in which they are tried, and the form that each wants.
search.shapes = map(defaults.names, function(name) return ("%-13s %s"):format(name, defaults.forms[name]) end)

return {explain = explain, command = command}

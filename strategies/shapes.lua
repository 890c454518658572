-- shapes: the default lowering with other shapes for its nests than it chooses, and other values of the options that make them:
-- "SHAPE", "SHAPE MACRO.OPTION=VALUE ..."; "": as lower chooses. They are what searches and tune try beside it.

local engine, base, defaults, lower = require "engine", require "base", require "defaults", require "lower"
local fusion, planner, total, nests = require "fusion", require "planner", require "total", require "nests"
local kind = require "lengths".kind

local PLAIN = "plain"                    -- of a nest that has no shape: loops, and maps over global work-items

-- What the cost model expects of the nest at c, as a program of its own, in that shape; infinity: it makes no kernels then.
local function predicted(c, shape)
    local alone = c:alone({}, {})
    local made = defaults.shaped(alone, shape)
    return made and lower.predicted(lower.finished(alone, made)) or math.huge
end

local ELEMENTS = "elements"
-- The nest at c in the shape that `best` has (nil: none), unless its element form or the plain one is expected to be far faster: {made =, shape =, ns =}; nil: it
-- has none then. elements: its element form may be.
local function or_better(c, best, elements)
    local alone = c:alone({}, {})
    local ns = nests.may_gain(lower.finished(alone, best and defaults.shaped(alone, best.shape) or alone))
    if not ns then return best end
    local said = {}
    local made = elements and not alone.term.is_layout and nests.made(alone, said)
    local other = made and lower.predicted(lower.finished(alone, made)) or math.huge
    if other * nests.margin(said, best and lower.TRUSTED or lower.device.margin) < ns then
        return {made = defaults.shaped(c, ELEMENTS), shape = ELEMENTS, ns = other}
    end
    local trusted = alone.term:contains("reduceSeq") and 1 or lower.TRUSTED          -- folds of the program's own: shapes are for others
    return best and lower.predicted(lower.finished(alone, alone)) * trusted >= ns and best or nil
end

-- The nest at c in the shape that lower gives it, and its name: the first that fits, unless another is expected to be far faster. sure:
-- nil where that makes no kernels, which is not looked for where one shape alone fits: mostly it does. elements: that in element form is one of them.
local function look(c, elements, sure)
    local fit = {}
    for _, shape in ipairs(defaults.names) do
        local made = shape ~= ELEMENTS and defaults.shaped(c, shape)
        if made then fit[#fit + 1] = {made = made, shape = shape} end
    end
    local best = fit[1]
    for i, one in ipairs((sure or #fit > 1) and fit or {}) do
        one.ns = predicted(c, one.shape)
        if i > 1 and one.ns * (best == fit[1] and lower.TRUSTED or 1) < best.ns then best = one end
    end
    best = (best or elements) and or_better(c, best, elements) or nil
    if best and not (sure and best.ns == math.huge) then return best.made, best.shape end
end

-- What gives the nests of a program their shapes, as `look` does: choose(nest). Loops that may go several ways are lowered in each, and most of their nests are
-- the same: what each of them got is kept (false: none).
local function chooser(elements, sure)
    local seen, choose = {}, nil
    local function nest_alone(c, laid) if not laid then return choose(c) end end
    -- What is laid out at c in element form, where that is expected to be far faster than its nests, then laid out.
    local function laid_out(c)
        local alone, said = c:alone({}, {}), {}
        local ns = elements and nests.may_gain(lower.finished(alone, defaults.nests(alone, nest_alone)))
        local made = ns and nests.made(alone, said)
        if made and lower.predicted(lower.finished(alone, made)) * nests.margin(said, lower.device.margin) < ns then return defaults.shaped(c, ELEMENTS), ELEMENTS end
    end
    function choose(c, laid)
        if laid then return laid_out(c) end
        if sure then return look(c, elements, true) end
        local key = tostring(lower.in_groups()) .. engine.content(c:alone({}, {}))
        local shape = seen[key]
        local made = shape and defaults.shaped(c, shape)
        if made or shape == false then return made or nil, made and shape end
        made, shape = look(c, elements)
        seen[key] = shape or false
        return made, shape
    end
    return choose
end
local function plainly() end

-- The program at c as `lower` makes it by default: {made =, arrays = what templates chose where they made it, choose = what chose the shapes of its nests, together =
-- that program with sums in one pass, where it is lowered so}. A program that has an element form is looked at in it as a whole; where templates do not make all
-- of that much faster, they may make some of its nests.
local function as_planned(c, together)
    local apart = together ~= nil or c:up() ~= nil or not nests.has_whole(c)
    local plan, choose = together or planner.planned(c), chooser(apart)
    local made = lower.by(plan, choose)
    local r, arrays = nests.better(together or c, made)
    local ns, each = not apart and nests.may_gain(r), chooser(true)
    local other = ns and lower.by(plan, each)
    if other and lower.predicted(other) * (arrays and lower.LITTLE or lower.device.margin) < ns then return {made = other, choose = each, together = together} end
    return {made = r, arrays = arrays, choose = choose, together = together}
end

local function default(c)
    local way = as_planned(c)
    local ns = not c:up() and nests.may_gain(way.made)
    local together = ns and nests.one_pass.run(c)
    local other = together and as_planned(c, together)
    way = other and lower.predicted(other.made) * lower.LITTLE < ns and other or way
    way.made = lower.stored(way.made)
    return way
end
base.name("lowerFused", "", "lower, but that functions of instances share a kernel wherever they can: what has no memory between it", "lowering",
    function()
        return base.new("lowerFused", function(c)
            fusion.want({})
            return lower.by(c, chooser(true))
        end)
    end)

-- "long map mapCpu.w=8": the shape's name or nil, and {["mapCpu.w"] = 8}; an error: it is no such text.
local function parse(text)
    if type(text) ~= "string" then error("a shape is a text, as lower --explain says it", 0) end
    return nests.parse_choice(text, "%w+%.%w+", "an option is a number, true or false")
end

local whole

-- What lower makes of the term at c when its i-th nest is as wanted[i] says (nil: ""), and its nests: {at = the nest before, shape =,
-- others =, options = those that its macros have} each. nil, the nests and a failure: one cannot be so, or there are not so many.
-- way: {choose =, together =, wanted = where wanted says nothing} as `whole` has it for c; nil: that. A nest is thus the one that lower --explain says.
local function lowered(c, wanted, way)
    way = way or whole(c)
    local nests, misfit = {}, nil
    local r = lower.by(way.together or planner.planned(c), function(q, laid)
        local text = wanted[#nests + 1] or ""
        if text == "" then text = way.wanted and way.wanted[#nests + 1] or "" end
        local asked, others = parse(text)
        local own = (laid or not asked) and select(2, way.choose(q, laid)) or nil
        if laid and not own then return nil end
        local shape = asked or own or PLAIN
        local nest, made = {at = q, shape = shape, others = others}, nil
        nests[#nests + 1] = nest
        if shape ~= PLAIN then nest.options, made = base.with_options(others, defaults.shaped, q, shape) end
        for option in pairs(others) do
            if made and nest.options[option] == nil then made = nil end
        end
        if not made and (asked and shape ~= PLAIN or next(others)) then
            misfit = misfit or base.failure(q, "lowerAs", defaults.forms[shape] and shape .. ": " .. defaults.forms[shape]
                                            or "a nest that can be " .. text, defaults.misfit(q, shape))
        end
        return made
    end, way.choose)
    if #nests < #wanted then misfit = misfit or base.failure(c, "lowerAs", #wanted .. " nests", #nests .. " in all") end
    if misfit then return nil, nests, misfit end
    return lower.stored(r), nests
end

-- Does the lowered program r make kernels? It may for other parameters than are known yet.
local function works(r) return r.term.has_parameters or engine.kernels_of(nil, r, kind()) ~= nil end

-- As `lowered`; a shape is for its nest alone, so what stands between nests may take memory before there are kernels of them all, and nests of which nothing was
-- asked are plain in turn, where that helps once all of them are. nil and a failure: there are no kernels of it.
local function as_wanted(c, wanted, way)
    way = way or whole(c)
    local first, nests, misfit = lowered(c, wanted, way)
    if not first or c:up() or works(first) then return first, misfit end
    local function complete(texts)
        local r = texts and lowered(c, texts, way) or not texts and first
        r = r and total.complete(r, true)
        return r and works(r) and r or nil
    end
    local made, all = complete(), {}
    if made then return made end
    for i, nest in ipairs(nests) do all[i] = wanted[i] and wanted[i] ~= "" and wanted[i] or PLAIN end
    local last, some = complete(all), table.move(wanted, 1, #wanted, 1, {})
    for i, nest in ipairs(last and nests or {}) do
        if all[i] == PLAIN and nest.shape ~= PLAIN then
            some[i] = PLAIN
            made = complete(some)
            if made then return made end
        end
        some[i] = some[i] or ""
    end
    if last then return last end
    return nil, base.failure(c, "lowerAs", "shapes that make kernels together", select(3, engine.kernels_of(nil, first, kind())))
end

base.name("lowerAs", "(shape, ...)",
          "lower, but that its nests have these shapes, in the order of lower --explain; \"\": the one that lower chooses", "lowering",
    function(...)
        local wanted = {...}
        for _, text in ipairs(wanted) do parse(text) end
        return base.new("lowerAs", function(c) return as_wanted(c, wanted) end)
    end)

-- Where each nest has a shape that makes kernels by itself, but not all of them together: each in turn keeps its own where the program makes kernels with
-- those before it, and the shapes of all then; nil: with none.
local function one_by_one(c, surely)
    local wanted, best = {}, nil
    local _, nests = lowered(c, {}, {choose = surely})
    for i = 1, #nests do wanted[i] = PLAIN end
    for i, nest in ipairs(nests) do
        wanted[i] = nest.shape
        local r = nest.shape ~= PLAIN and lowered(c, wanted, {choose = surely})
        if r and works(r) then best = r else wanted[i] = PLAIN end
    end
    return best, wanted
end

local function sure(c, surely)
    local r = lower.by(planner.planned(c), surely)
    if works(r) then return r, {} end
    local parts, wanted = one_by_one(c, surely)
    return parts or r, parts and wanted or {}
end
base.name("lowerSure", "", "lower where one of its shapes makes no kernels: that nest as lowerPlain, the others as they were", "lowering",
    function() return base.new("lowerSure", function(c) return (sure(c, chooser(true, true))) end) end)

-- Of the ways to lower c that give it memory wherever that is needed the first that makes kernels: as lowerSure, but for nests of which it makes none;
-- then all of it plainly; in one work-item at last. made: what lowerSure makes of c (nil: it is made here).
local function totally(c, made)
    local r = total.complete(made or lower.by(planner.planned(c), chooser(true, true)), true)
    for _, way in ipairs(lower.again) do
        if works(r) then break end
        r = total.complete(way(c))
    end
    return r
end
base.name("lowerTotal", "", "as lowerSure, with memory for every array that is computed and read: a way for what has no other", "lowering",
    function() return base.new("lowerTotal", function(c) return totally(c) end) end)

-- How `lower` makes the program at c, as in as_planned, wanted = the shapes of nests that were given, first = it is the first way that it tries: what
-- one makes may take no memory where it needs some, so that there are no kernels of it; the next one is safer.
function whole(c)
    local way = default(c)
    way.first = true
    if way.arrays or c:up() or works(way.made) then return way end
    local surely = chooser(true, true)
    local safe, wanted = sure(c, surely)
    if works(safe) then return {made = safe, choose = surely, wanted = wanted} end
    local plain = lower.plainly(c)
    if works(plain) then return {made = plain, choose = plainly} end
    return {made = totally(c, safe), choose = surely}
end
base.name("lower", "",
          "the default: by the shape of the program and the kind of device where sizes are known, else as lowerPlain", "lowering",
    function() return base.new("lower", function(c) return whole(c).made end) end)

-- The call that makes it; "lower" where all is as it chooses. wanted.arrays: it is of arrays by templates.
local function call_of(wanted)
    local last = #wanted
    while last > 0 and wanted[last] == "" do last = last - 1 end
    local parts = {}
    for i = 1, last do parts[i] = ("%q"):format(wanted[i]) end
    if wanted.arrays then return last == 0 and "lowerNests" or "lowerNests(" .. table.concat(parts, ", ") .. ")" end
    return last == 0 and "lower" or "lowerAs(" .. table.concat(parts, ", ") .. ")"
end

-- Options that choose a structure, and what they may be (help macros).
local choices = {["gemmCpu.image"] = {0, 1}, image = {0, 1, 2}, order = {0, 1, 2, 3, 4, 5}, stages = {1, 2}, turn = {0, 1}, pad = {0, 1, 4}}

-- What an option may be instead: another choice; else twice as much, half of it.
local function nearby(option, value)
    local list = {}
    for _, choice in ipairs(choices[option] or choices[option:match("%w+$")] or {}) do
        if choice ~= value then list[#list + 1] = choice end
    end
    if #list > 0 then return list end
    if type(value) == "boolean" then return {not value} end
    local n = math.type(value) == "integer" and value or type(value) == "userdata" and value:known()
    if not n or n < 1 then return {} end
    return n % 2 == 0 and {2 * n, n // 2} or {2 * n}
end

local names = table.move(defaults.names, 1, #defaults.names, 2, {PLAIN})

-- The steps from wanted at c: one nest in another shape, or with another value of one option; one array by another template, or with other parameters. A
-- list of such lists. way: as in `lowered`.
local function steps(c, wanted, way)
    local list = {}
    local function add(count, i, text, arrays)
        local step = {arrays = arrays}
        for k = 1, count do step[k] = wanted.arrays == arrays and wanted[k] or "" end
        if i then step[i] = text end
        list[#list + 1] = step
    end
    local _, nest_list = nil, {}
    if not wanted.arrays then _, nest_list = lowered(c, wanted, way) end
    for i, nest in ipairs(nest_list) do
        for _, shape in ipairs(names) do
            if shape ~= nest.shape and (shape == PLAIN or defaults.shaped(nest.at, shape)) then add(#nest_list, i, shape) end
        end
        for _, option in ipairs(base.keys(nest.options or {})) do
            for _, value in ipairs(nearby(option, nest.options[option])) do
                add(#nest_list, i, nests.choice_text(nest.shape, base.merged(nest.others, {[option] = value})))
            end
        end
    end
    local said = {}
    local whole_form = not c:up() and nests.lowered(c, said, wanted.arrays and nests.wanted_of(wanted))
    if whole_form and not wanted.arrays then add(#said, nil, nil, true) end
    for i, array in ipairs(whole_form and said or {}) do
        for _, other in ipairs(array.others) do add(#said, i, other.template.name, true) end
        for _, other in ipairs(array.points) do add(#said, i, nests.choice_text(other.template.name, other.point), true) end
    end
    return list
end

-- What lower makes of the term at c when it is as wanted says; nil: it cannot be so. way: as in `lowered`.
local function made(c, wanted, way)
    if not wanted.arrays then return (lowered(c, wanted, way)) end
    local r = nests.lowered(c, nil, nests.wanted_of(wanted))
    return r and lower.stored(r)
end

return {PLAIN = PLAIN, names = names, whole = whole, totally = totally, as_wanted = as_wanted,
        lowered = lowered, made = made, call_of = call_of, steps = steps}

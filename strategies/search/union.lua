-- union: one search space over structures: the calls of a text that differ in numbers which choose a structure (loop order, images,
-- stages ...), and whether sizes are numbers or arguments of the kernels. Its parameters are the choices and those that the structures
-- have; what is legal follows from the facts of each structure.

local engine, base, bad, search = require "engine", require "base", require("objective").bad, require "candidates"
local map = require("lists").map

local SIZES = "sizes"                    -- a choice that is no number of the call: as the setting of that name

local FORM = {{"form", [[--choices "image=0,1 order=0,1,2", each a name of the call, or sizes=constant,argument]]}}

local function value_of(text) return math.tointeger(tonumber(text)) or text end

-- "image=0,1 order=0,2": {{name =, values = {...}}, ...}
local function choices_of(text)
    local list, seen = {}, {}
    for part in (text or ""):gmatch("[^%s;]+") do
        local name, values = part:match("^(%l[%w_]*)=([%w_,]+)$")
        if not name or seen[name] then bad(part .. " is no choice", FORM) end
        local choice = {name = name, values = {}}
        for value in values:gmatch("[^,]+") do
            if name == SIZES and value ~= "constant" and value ~= "argument" then bad("sizes are constant or argument, not " .. value, FORM) end
            table.insert(choice.values, value_of(value))
        end
        seen[name], list[#list + 1] = true, choice
    end
    return list
end

-- The call with values for the names that choose: "gemmGpu{mb=mb, image=image}" becomes "gemmGpu{mb=mb, image=1}".
local function with_choices(call, picked)
    for name, value in pairs(picked) do
        local found
        call = call:gsub("(=%s*)(%l[%w_]*)%f[^%w_]", function(before, word)
            found = found or word == name
            return word == name and before .. value or nil
        end)
        if not found and name ~= SIZES then bad(call .. " has no number " .. name, {{"needs", name .. "=" .. name .. " in it, or another name before the ="}}) end
    end
    return call
end

-- f(picked) for every combination of the choices, the last changing first.
local function each(choices, f, i, picked)
    i, picked = i or 1, picked or {}
    if i > #choices then return f(picked) end
    for _, value in ipairs(choices[i].values) do each(choices, f, i + 1, base.merged({[choices[i].name] = value}, picked)) end
end

-- the space

local Family = {}
Family.__index = Family

-- The member that a point belongs to.
local function member_of(s, params)
    local at = s.by_key
    for _, name in ipairs(s.choices) do at = at and at[params[name]] end
    return at
end

local function without_choices(s, params)
    local rest = {}
    for name, value in pairs(params) do
        if not s.chooses[name] then rest[name] = value end
    end
    return rest
end

function Family.at(s, k)
    for _, m in ipairs(s.members) do
        if k <= m.space.count then return base.merged(m.space:at(k), m.picked) end
        k = k - m.space.count
    end
end

function Family.index(s, params)
    local m = member_of(s, params)
    local k = m and m.space:index(without_choices(s, params))
    return k and k > 0 and m.before + k or nil
end

-- Values of a parameter, with those of some others given: in any member that agrees with the choices among them.
function Family.values(s, name, given)
    local seen, list = {}, {}
    given = given or {}
    local rest = without_choices(s, given)
    rest[name] = nil
    for _, m in ipairs(s.members) do
        local fits = m.space.count > 0 and base.all(s.choices, function(choice) return given[choice] == nil or given[choice] == m.picked[choice] end)
        local own = fits and not s.chooses[name] and base.any(m.space.names, rawequal, name)
        for _, value in ipairs(own and m.space:values(name, rest) or fits and {m.picked[name]} or {}) do
            if not seen[value] then seen[value], list[#list + 1] = true, value end
        end
    end
    table.sort(list, function(a, b)
        if type(a) == type(b) then return a < b end
        return type(a) == "number"
    end)
    return list
end

-- One parameter a step on; of a choice every other value.
function Family.near(s, params)
    local m = member_of(s, params)
    local list = map(m.space:near(without_choices(s, params)), function(near) return base.merged(near, m.picked) end)
    for _, name in ipairs(s.choices) do
        for _, value in ipairs(s:values(name, {})) do
            local other = base.merged(params, {[name] = value})
            if value ~= params[name] and s:index(other) then list[#list + 1] = other end
        end
    end
    return list
end

-- What rejects points, over all structures; and structures that there are not.
function Family.funnel(s)
    local rows, by = {}, {}
    for _, m in ipairs(s.members) do
        for _, row in ipairs(m.space:funnel()) do
            local key = row.reason .. ": " .. row.text
            if not by[key] then
                by[key] = {reason = row.reason, text = row.text, count = 0}
                rows[#rows + 1] = by[key]
            end
            by[key].count = by[key].count + (row.count or 0)
        end
    end
    return table.move(s.left_out, 1, #s.left_out, #rows + 1, rows)
end

-- The structure of a combination, {light =, version =, space =, derivation =}; nil and why there is none.
local function structure_of(v, call, limits)
    local light, why = v:try(call)
    if not light then return nil, why end
    local ok, unlowered = engine.lowered(light)
    if not ok then return nil, unlowered end
    local space, bound = search.space_of(light, {limits = limits}), true
    for _, value in pairs(light.params) do bound = bound and value end
    if not space then
        if not bound then return nil, {message = "it has no space", id = "E35"} end
        space = search.listed_space({}, {{}})
    end
    return {light = light, version = light, space = space, derivation = call, from = v}
end

-- family(version, call, choices, gpu): the points of all its structures, within what is reasonable for the kind of device (as search
-- rules); and their space, which is there where it has no point, too.
function search.family(v, call, choices_text, gpu)
    local limits = search.limits_of(gpu and "gpu" or "cpu")
    local choices = choices_of(choices_text)
    local s = setmetatable({names = {}, choices = {}, chooses = {}, members = {}, by_key = {}, left_out = {}, count = 0}, Family)
    for i, choice in ipairs(choices) do s.choices[i], s.chooses[choice.name] = choice.name, true end
    local made, named, failed = {}, {}, {}
    each(choices, function(picked)
        local text = with_choices(call, picked)
        if not made[text] then
            local structure, why = structure_of(v, text, limits)
            made[text] = structure or {why = why}
            local reason = why and search.in_short(why)
            if why and not failed[reason] then
                failed[reason] = {reason = "structure", text = reason, count = 0}
                table.insert(s.left_out, failed[reason])
            end
            if why then failed[reason].count, s.why = failed[reason].count + 1, s.why or why end
        end
        local m = made[text]
        if m.why then return end
        local member = {picked = picked, structure = m, space = m.space, before = s.count, sizes = picked[SIZES]}
        s.members[#s.members + 1], s.count = member, s.count + m.space.count
        local at = s.by_key
        for i, name in ipairs(s.choices) do
            at[picked[name]] = i == #s.choices and member or at[picked[name]] or {}
            at = at[picked[name]]
        end
        if #s.choices == 0 then s.by_key = member end
        for _, name in ipairs(m.space.names) do
            if not named[name] then named[name], s.names[#s.names + 1] = true, name end
        end
    end)
    if #s.members == 0 then engine.raise(s.why) end
    table.move(s.choices, 1, #s.choices, #s.names + 1, s.names)
    local first = s.members[1].structure
    return search.union({{label = v.program .. "@" .. (v.n or "?"), calls = {call}, derivation = call, from = v, light = first.light,
                          version = first.version, space = s}}), s
end

-- What a point is a point of: the structure, its own parameters, and how sizes are given (nil: as set).
function search.member(p)
    local space = p.structure.space
    if getmetatable(space) ~= Family then return p.structure, p.params end
    local m = member_of(space, p.params)
    return m.structure, without_choices(space, p.params), m.sizes
end

return search

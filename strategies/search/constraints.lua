-- constraints: what a user asks of points besides (search.constraints), for searches, spaces and `param`.

local engine, base, texts, search = require "engine", require "base", require "texts", require "heuristics"
local raw_load = load

-- "s0 < 64 or s1 == 1", a condition as text, or {"s0", "s1", function(s0, s1) return s0 < 64 or s1 == 1 end, "reason"} each:
-- `lua table.insert(search.constraints, "s0 < 64 or s1 == 1")`. Asked of every version that has all these parameters; sizes of the program
-- have their values in it.
search.constraints = {}

local FORM = [[is not "s0 < 64 or s1 == 1" or {"s0", ..., function(s0, ...) ... end, "reason"}]]

local function bad(i, what) error("search.constraints[" .. i .. "] " .. what, 0) end

local no_parameters = {["math"] = true, ["and"] = true, ["or"] = true, ["not"] = true, ["true"] = true, ["false"] = true}

-- Parameters that a condition reads, each once, in order.
local function names_in(text)
    local names, seen = {}, {}
    for before, name in text:gsub('"[^"]*"', ""):gsub("'[^']*'", ""):gmatch("([%w_%.]?)%f[%a_]([%a_][%w_]*)") do
        if before == "" and not no_parameters[name] and not seen[name] then names[#names + 1], seen[name] = name, true end
    end
    return names
end

local function from_text(i, text)
    local names = names_in(text)
    if #names == 0 then bad(i, "reads no parameter: " .. text) end
    local where = "=search.constraints[" .. i .. "]"
    local whole, why = raw_load("return " .. text, where, "t")               -- for messages about the text as it is
    if not whole then error(why, 0) end
    local chunk = raw_load("return function(" .. table.concat(names, ", ") .. ") return " .. text .. "\nend", where, "t",
                           {math = texts.safe.math})
    if not chunk then bad(i, "is no condition: " .. text) end
    return {names = names, holds = chunk(), reason = "asked", text = text}
end

-- Constraint i as {names =, holds = function of their values, reason =, text =, from =}.
local function read(i, c)
    if type(c) == "string" then c = from_text(i, c)
    else
        local names, n = {}, 0
        while type(c) == "table" and type(c[n + 1]) == "string" do n, names[n + 1] = n + 1, c[n + 1] end
        if n == 0 or type(c[n + 1]) ~= "function" then bad(i, FORM) end
        local reason = type(c[n + 2]) == "string" and c[n + 2] or "asked"
        c = {names = names, holds = c[n + 1], reason = reason, text = reason .. " of " .. table.concat(names, ", ")}
    end
    local holds = c.holds
    c.holds = function(...)
        local value = holds(...)
        if math.type(value) then bad(i, ("gives %s, a number; a condition is true or false: %s"):format(value, c.text)) end  -- 0 is true in Lua
        return value
    end
    c.from = "search.constraints[" .. i .. "]"
    return c
end

-- May some version have a parameter of that name? Those that rules make are s0, s1 ...
local function is_variable(name) return name:match("^s%d+$") or engine.is_variable(name) end

local function listed(names) return #names > 0 and table.concat(names, ", ") or "none" end

-- As an entry of `where` (version:space): of the parameters in `open` alone, the others and sizes having the values of v. missing: a
-- parameter that v has not. nil: nothing is open in it.
local function entry_for(v, open, sizes, i, c)
    local vary, known, entry = {}, {}, {reason = c.reason, text = c.text, from = c.from}
    for _, name in ipairs(c.names) do
        if not v.params[name] and not open[name] and not sizes[name] and not is_variable(name) then
            bad(i, ('names %s, which is no parameter and no size: parameters are %s; sizes %s'):format(name,
                listed(base.keys(base.merged(open, v.params))), listed(base.keys(sizes))))
        end
    end
    for i, name in ipairs(c.names) do
        local value = v.params[name] or sizes[name]
        if not value and not open[name] then return {c.holds, c.reason, text = c.text, from = c.from, missing = name} end
        if open[name] then vary[#vary + 1] = i else known[i] = value end
    end
    if #vary == 0 then
        local first, n = base.keys(open)[1], #c.names
        for _, name in ipairs(c.names) do first = not v.params[name] and first or nil end
        if not first or c.holds(table.unpack(known, 1, n)) then return nil end
        return {first, function() return false end, c.reason, text = c.text, from = c.from}        -- of sizes alone: no point keeps it
    end
    for k, i in ipairs(vary) do entry[k] = c.names[i] end
    local n, holds = #c.names, c.holds
    entry[#vary + 1] = #vary == n and holds or function(...)
        local values = table.move(known, 1, n, 1, {})
        for k, i in ipairs(vary) do values[i] = (select(k, ...)) end
        return holds(table.unpack(values, 1, n))
    end
    entry[#vary + 2] = c.reason
    return entry
end

-- asked(v, names, sizes): the constraints on a version's parameters of these names, those that are not about it last.
local function asked_of(v, names, sizes)
    local open, list, others = base.set(table.unpack(names)), {}, {}
    for i, c in ipairs(search.constraints) do
        local entry = entry_for(v, open, sizes, i, read(i, c))
        if entry then table.insert(entry.missing and others or list, entry) end
    end
    return {where = list, others = others}
end

-- The space of a version's unbound parameters, in which search.constraints hold.
function search.space_of(v, options)
    local asked = #search.constraints > 0 and asked_of(v, engine.space_names(v), engine.sizes_of(v)).where or {}
    return v:space(base.merged({where = #asked > 0 and asked or nil}, options))
end

return {asked_of = asked_of}

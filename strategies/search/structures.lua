-- structures: the algorithmic variants of a program (GPGPU'16 section 5.1): macro rules at all places where
-- they fit, in any order, each term once whatever its parameters are called; then the heuristics.

local engine, base, texts, search = require "engine", require "base", require "texts", require "heuristics"
local copy = require("lists").copy

local evaluate, find = texts.to_strategy, string.find

-- The text of a strategy at a place.
function search.at_place(text, place) return place == "/" and text or 'at("' .. place .. '", ' .. text .. ")" end

local function in_parentheses(text) return find(text, " [*+] ") and find(text, "at(", 1, true) ~= 1 and "(" .. text .. ")" or text end

-- Is there a reduction under two maps over independent arrays, which blocks can use again?
local function has_outer_product(start) return evaluate("topdown(where(reduceNest, mapInterchange))").run(start) ~= nil end

-- What a user changed has the types that are needed.
local function check_data()
    for name, was in pairs(search.heuristic_types) do
        local value = search.heuristics[name]
        if type(value) ~= was then error("search.heuristics." .. name .. " is a " .. was .. ", not " .. base.label_of(value), 0) end
    end
    for i, m in ipairs(search.macros) do
        local ok = type(m) == "table" and type(m.name) == "string" and (type(m.text) == "string" or type(m.text) == "function")
            and type(m.fits) == "function" and type(m.most) == "number"
        if not ok then error("search.macros[" .. i .. "] needs a name, a text, fits (a function of a term) and most (a number)", 0) end
    end
end

-- The strategy of a macro rule; an error says whose text it is.
local function strategy_of(i, m, text)
    local ok, s = engine.pcall(evaluate, text)
    if ok then return s end
    if type(s) ~= "table" then error("search.macros[" .. i .. "], " .. m.name .. ": " .. tostring(s), 0) end
    s.notes = s.notes or {}
    table.insert(s.notes, 1, {"in", "search.macros[" .. i .. "], " .. m.name .. ": " .. text})
    engine.raise(s)
end

-- macros_of(cursor): the macro rules as strategies, for a program, {macro, text, strategy} each; has it blocks?
function search.macros_of(start)
    local root, blocks = start.root, has_outer_product(start)
    local list = {}
    check_data()
    for i, m in ipairs(search.macros) do
        local text = type(m.text) == "function" and m.text(root) or m.text
        if blocks or not m.blocks then list[#list + 1] = {macro = m, text = text, strategy = strategy_of(i, m, text)} end
    end
    return list, blocks
end

-- How often each macro rule was used, that one once more.
function search.with_count(used, name) return base.merged(used, {[name] = (used[name] or 0) + 1}) end

-- has_open(version): has it parameters without a value?
function search.has_open(v)
    for _, value in next, v.params do
        if not value then return true end
    end
    return false
end

function search.with_call(calls, text) return copy(calls, text) end

-- Every variant that one more macro rule makes of an entry, each told to found(cursor, calls, used).
local function expand(entry, macros, counts, found)
    local root = entry.cursor
    for p in base.places(root) do
        for _, m in ipairs(macros) do
            local used = entry.used[m.macro.name] or 0
            if used < m.macro.most and m.macro.fits(p.term, p) then
                local r, name = m.strategy.run(p), m.macro.name
                if r and r.root ~= root.root then
                    counts.reached = counts.reached + 1
                    found(r:at(root), search.at_place(m.text, p.place), name)
                else counts.failed[name] = (counts.failed[name] or 0) + 1 end
            end
        end
    end
end

-- measures(term): what the heuristics look at: the depth of its deepest nest of maps and reductions, the
-- distance of a reduction from what it adds, and the rank of what an innermost reduction keeps.
function search.measures(term)
    local depth, distance, accumulators = engine.measures(term)
    return {depth = depth, distance = distance, accumulators = accumulators}
end

-- The heuristics in the order in which they are asked.
search.reasons = {"nesting depth", "add-mul distance", "no block of accumulators"}

-- Why the heuristics reject a term: a reason to count it under, and a text; nil: they do not.
function search.rejected(term, limits, blocks)
    local m = search.measures(term)
    if m.depth > limits.depth then return "nesting depth", "the nest is " .. m.depth .. " deep, the limit is " .. limits.depth end
    if m.distance > limits.distance then
        return "add-mul distance", m.distance .. " between a reduction and what it adds, the limit is " .. limits.distance
    end
    if blocks and (m.accumulators or math.huge) < limits.accumulators then
        return "no block of accumulators",
            "an innermost fold keeps accumulators of rank " .. m.accumulators .. ", the limit is " .. limits.accumulators
    end
end

-- algorithms(cursor): every variant as {cursor, calls, reason, text}, those rejected too; and counts.
function search.algorithms(start)
    local limits, macros, blocks = search.heuristics, search.macros_of(start)
    local counts = {failed = {}, reached = 0, distinct = 1, cut = 0}
    local first = {cursor = start, calls = {}, used = {}}
    local all, seen, from = {first}, {[engine.canonical(start.root)] = first}, 1
    for _ = 1, limits.macros do
        local last = #all
        for i = from, last do
            local entry = all[i]
            if not limits.pruned or engine.measures(entry.cursor.root) <= limits.depth then
                expand(entry, macros, counts, function(r, text, name)
                    local key = engine.canonical(r.root)
                    if seen[key] then return end
                    if #all >= limits.terms then counts.cut = counts.cut + 1 return end
                    local more = {cursor = r, calls = search.with_call(entry.calls, in_parentheses(text)),
                                  used = search.with_count(entry.used, name)}
                    seen[key] = more
                    all[#all + 1] = more
                end)
            end
        end
        from = last + 1
    end
    counts.distinct = #all
    for _, entry in ipairs(all) do entry.reason, entry.text = search.rejected(entry.cursor.root, limits, blocks) end
    return all, counts
end

return search

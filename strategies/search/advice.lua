-- advice: the command `next`: of the moves that there are the few after which the cost model expects less than it does now, and where none
-- is, the pairs of moves whose second one the first makes possible. Nothing is run.

local engine, base, estimate, model, lists = require "engine", require "base", require("estimate").estimate, require "model", require "lists"
local time_text, sort_by = require("objective").time_text, require("run").sort_by
local say, count, json, map = lists.say, lists.count, lists.json, lists.map

local BETTER = 0.95                      -- of the time now: what is expected to gain less is noise of the model
local SAME = 1e-3                        -- times that differ by less are of the same kernels
local SHOWN = 5
local SAMPLES = 8                        -- of a space: fewer than `moves --cost` takes, for more moves

-- Kinds of rules that prepare for others: the first of two moves is sought among these before the rest.
local PREPARES = {"interchange", "split", "fission", "fusion", "layout", "let", "reduce", "simplify", "index", "vector", "scan", "memory", "lower", "user"}
local rank = {}
for i, kind in ipairs(PREPARES) do rank[kind] = i end

local function rule_of(call) return call:match("^[%w_.]+") end

-- A call as it is typed: what a step opened as a parameter is left out.
local function open_call(step)
    local name, inside = step:match("^([%w_.]+)[({](.*)[)}]$")
    if not name then return step end
    local kept = {}
    for part in inside:gmatch("[^,]+") do
        part = part:match("^%s*(.-)%s*$")
        if not part:find("^[%w_]+=s%d+$") then kept[#kept + 1] = part end
    end
    if #kept == 0 then return name end
    local named = kept[1]:find("=", 1, true)
    return name .. (named and "{" or "(") .. table.concat(kept, ", ") .. (named and "}" or ")")
end

-- One or two moves as one strategy at the root.
local function whole_call(steps)
    return table.concat(map(steps, function(s)
        return s.place == "/" and s.call or ("at(%q, %s)"):format(s.place:sub(2), s.call)
    end), " * ")
end

local FIRST = 0.6                        -- of the time: for single moves

local function is_late(spec) return engine.stopping() or engine.clock() > spec.deadline end

-- What may come of one more move at w: the steps so far and it, and the estimate of what they lead to; nil: it makes no kernels.
local function way_of(w, steps, call, place)
    local made = w:try(call, {at = place})
    local e = made and made ~= w and estimate(made, nil, SAMPLES)
    return made, e and {steps = lists.copy(steps, {call = call, place = place, version = made}), ns = e.ns, terms = e.terms, params = e.params, made = made}
end

-- Of ways that are better than now the best of each rule, and of those that come to the same kernels one.
local function best_of(ways, now)
    local some, seen = {}, {}
    for _, w in ipairs(sort_by(ways, "ns")) do
        local last, name = some[#some], table.concat(map(w.steps, function(s) return rule_of(s.call) end), " ")
        local same = last and math.abs(w.ns - last.ns) < SAME * last.ns
        if w.ns < BETTER * now and not seen[name] and not same and #some < SHOWN then some[#some + 1], seen[name] = w, true end
    end
    return some
end

-- ways; versions that moves lead to, for a second one; how many were looked at.
local function single(v, spec)
    local ways, firsts, looked = {}, {}, 0
    local order = lists.copy(lists.filter(spec.moves, function(m) return not m.open end), table.unpack(lists.filter(spec.moves, function(m) return m.open end)))
    for i, m in ipairs(order) do         -- what opens no size is soon looked at
        if is_late(spec) then break end
        if i % 8 == 0 then engine.progress(("%d of %d moves"):format(i, #spec.moves)) end
        local made, way = way_of(v, {}, m.rule, m.place)
        looked = looked + 1
        if way then way.n, ways[#ways + 1] = i, way end
        if made and made ~= v then firsts[#firsts + 1] = {version = made, step = {call = m.rule, place = m.place, version = made}, n = i, kind = rank[m.kind] or #PREPARES} end
    end
    return ways, firsts, looked
end

-- Second moves that the first one has made possible: not there before, and not what the same rule does once more.
local function double(v, spec, firsts)
    local before, ways, looked = {}, {}, 0
    for _, m in ipairs(spec.moves) do before[rule_of(m.rule) .. " " .. m.place] = true end
    table.sort(firsts, function(a, b) if a.kind ~= b.kind then return a.kind < b.kind end return a.n < b.n end)
    for i, first in ipairs(firsts) do
        if is_late(spec) then break end
        engine.progress(("pairs: %d of %d first moves"):format(i, #firsts))
        for _, m in ipairs(first.version:moves("/", {deep = true}) or {}) do
            if is_late(spec) then break end
            if (not spec.rules or spec.rules[m.rule]) and not before[m.rule .. " " .. m.place] and m.rule ~= rule_of(first.step.call) and m.place:sub(1, #spec.place) == spec.place then
                local made, way = way_of(first.version, {first.step}, m.strategy, m.place)
                looked = looked + 1
                if way then
                    way.steps[2].call, way.n = open_call(made.step), looked
                    ways[#ways + 1] = way
                end
            end
        end
    end
    return ways, looked
end

-- "accesses 5.61 ms -> 410 us, start 12 us -> 3 us": the terms of the model that become less, the largest difference first.
local function why(now, terms)
    local less = {}
    for name, ns in pairs(now.terms) do
        local gain = ns - (terms[name] or 0)
        if gain > now.ns / 50 then less[#less + 1] = {name = name, gain = gain} end
    end
    table.sort(less, function(a, b) if a.gain ~= b.gain then return a.gain > b.gain end return a.name < b.name end)
    return table.concat(map(table.move(less, 1, math.min(2, #less), 1, {}), function(t)
        return ("%s %s -> %s"):format(t.name, time_text(now.terms[t.name], 3), time_text(terms[t.name] or 0, 3))
    end), ", ")
end

-- "1 step, 9 points: s0=64"
local function effort(way)
    local open = require("structures").has_open(way.made) and way.made:space({edges = 1 << 18})
    local points = open and open.count or 0
    local values = map(base.keys(way.params or {}), function(name) return ("%s=%d"):format(name, way.params[name]) end)
    return count(#way.steps, "step") .. (points > 1 and (", %s: %s"):format(count(points, "point"), table.concat(values, " ")) or "")
end

local function show(n, way, now)
    local words = map(way.steps, function(s) return s.call .. "  at " .. s.place end)
    say("%3d  %-8s %5.1f x  %s", n, time_text(way.ns, 3), now.ns / way.ns, table.concat(words, "   then "))
    for _, s in ipairs(way.steps) do say("     %s", (select(4, engine.rule(rule_of(s.call))))) end
    say("     %s%s", #way.because > 0 and way.because .. "        " or "", way.effort)
end

-- What is to be typed where no move is better.
local function otherwise(spec, now)
    if not spec.lowered then return "lower" end
    if spec.open then return "search params using random --budget 50" end
    return not spec.ran and now and "run" or "tune"
end

-- {rules = {[name] = true}, those alone (nil: all), moves = {{rule =, place =, kind =, open = does it open a size?}, ...}, place =, seconds =, lowered =, open =, ran =, measured =, enter = does Enter take it?}
local function command(spec)
    local v = assert(engine.version())
    engine.hold(true)
    local begun = engine.clock()
    spec.deadline = begun + FIRST * spec.seconds
    local now = estimate(v)
    local ways, firsts, looked = single(v, spec)
    local some, pairs_looked, cut = now and best_of(ways, now.ns) or best_of(ways, math.huge), 0, is_late(spec)
    spec.deadline = begun + spec.seconds
    if now and #some == 0 then
        ways, pairs_looked = double(v, spec, firsts)
        some = best_of(ways, now.ns)
    end
    engine.progress("")
    if now then
        say("     %s         %s", time_text(now.ns, 3), spec.lowered and "is expected of it" or "is expected of what lower makes of it")
        say("     %s", (model.explain_terms(now.ns, now.terms)))
        if spec.measured then say("     %s was measured", time_text(spec.measured, 3)) end
    else
        say("     lower makes no kernels of it as it is")
        now = {terms = {}, ns = math.huge}
    end
    for n, way in ipairs(some) do
        way.because, way.effort = why(now, way.terms), effort(way)
        show(n, way, now)
    end
    local what = count(looked, "move") .. (pairs_looked > 0 and (" and %s of moves"):format(count(pairs_looked, "pair")) or "")
    cut = (cut or is_late(spec)) and "; there are more: --budget SECONDS" or ""
    if looked == 0 then say("     no move applies")
    elseif #some == 0 then say("     none of %s is expected to be %d %% faster%s", what, math.floor((1 / BETTER - 1) * 100 + 0.5), cut)
    else say("     of %s%s", what, cut) end
    local try = #some > 0 and "apply 1" or otherwise(spec, now)
    say("  try     %s%s", try, spec.enter and "        or Enter" or "")
    return {ns = now.ns < math.huge and now.ns or nil, looked = looked, pairs = pairs_looked, try = try, items = json(map(some, function(way)
        return {call = #way.steps == 1 and way.steps[1].call or whole_call(way.steps), place = #way.steps == 1 and way.steps[1].place or "/",
                steps = json(map(way.steps, function(s) return {call = s.call, place = s.place} end)), ns = way.ns, why = way.because}
    end))}
end

return {command = command}

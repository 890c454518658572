-- base: strategies as Lua values: failures, rules, macros, and what has a name.
--
-- A strategy is a table {run =, label =} with the metatable Strategy; run(cursor) gives a cursor, or nil and a failure. heads: the set of
-- primitives at which alone it may succeed (nil: not known); silent: elsewhere its failure says least.
-- A failure is a table; the one that says most wins where several are at hand (better). Cursors are immutable, so a
-- strategy that fails has changed nothing.

local engine = require "engine"
local getinfo = debug.getinfo
local KINDS = {macro = 0, lowering = 1, combinator = 2, predicate = 3, value = 4}

local Strategy = {}
local Failure = {}
local library = {}                       -- what lathe itself defines, by name; a file is read when something of it is asked for
local macros = {}                        -- user macros, by name
local session = {}                       -- globals of the `lua` command
local tracer                             -- what records runs; nil: they are not traced

local M = {}
M.library, M.macros, M.session = library, macros, session
M.search = {}                            -- the table `search`, which files of search/ fill
M.macro_texts = {}                       -- of the user macros that were defined by a text

setmetatable(library, {__index = function(_, name)
    local file = engine.file_of(name)
    if file then require(file) end
    return rawget(library, name)
end})

local is_cursor = engine.is_cursor
local function is_strategy(v) return type(v) == "table" and getmetatable(v) == "strategy" end

-- failures

-- kind "rule": of a rule, as a strategy, at cursor; kind "text": needs and found are texts.
local function failure(cursor, label, needs, found, score)
    local f = {kind = "text", cursor = cursor, label = label, needs = needs, found = found, score = score or 0}
    return setmetatable(f, Failure)
end

local function better(a, b) return not a and b or b and b.score > a.score and b or a end

-- f(...), and then done(), also where it fails.
local function finally(done, f, ...)
    local results = table.pack(engine.pcall(f, ...))
    done()
    if not results[1] then error(results[2], 0) end
    return table.unpack(results, 2, results.n)
end
M.finally = finally

local function failure_info(f, advise)
    if f.kind == "rule" then             -- what runs to explain a run is no part of it
        local kept = tracer
        tracer = nil
        return finally(function() tracer = kept end, engine.explain, f.cursor, f.strategy.pointer, f.strategy.args, advise)
    end
    local notes = {}
    if f.needs then notes[#notes + 1] = {"needs", f.needs} end
    notes[#notes + 1] = {"found", f.found or f.cursor.text}
    local message = f.nowhere and "no place at or under " .. f.cursor.place .. " is " .. f.needs
        or f.label .. " fails at " .. f.cursor.place
    return {id = "E23", message = message, notes = notes}
end

-- What the first note with that label says.
function M.note_of(info, label)
    for _, note in ipairs(info.notes) do
        if note[1] == label then return note[2] end
    end
end

-- id, rule, place, needs, found, near, try, message are worked out when asked for
function Failure.__index(f, key)
    if key == "place" then return f.cursor.place end
    if key == "rule" then return f.strategy and f.strategy.name end
    if key == "label" or key == "strategy" or key == "next" or key == "nowhere" or key == "kind" then return nil end
    if (key == "needs" or key == "found") and f.kind ~= "rule" then return nil end
    local info = failure_info(f, key == "near" or key == "try")
    if key == "id" or key == "message" then return info[key] end
    return M.note_of(info, key)
end

function Failure.__tostring(f) return f.message end

-- strategies

local function new(label, run, fields)
    local s = fields or {}
    s.label = label
    s.run = function(c)
        if tracer then return tracer(s, run, c) end
        return run(c)
    end
    return setmetatable(s, Strategy)
end

-- A strategy that is made of itself: make(self).
function M.recursive(label, make)
    local made
    local self = new(label, function(c) return made.run(c) end)
    made = make(self)
    return self
end

function M.trace_with(f) tracer = f end

-- The name of a user's function: the first of the globals that hold it.
local function function_name(f)
    local found
    for name, v in next, session do
        if v == f and type(name) == "string" and (not found or name < found) then found = name end
    end
    return found or "function"
end

-- A Lua function as a strategy: cursor to cursor, or nil and a failure, or a boolean for "as it is" and "no".
local function from_function(f, known_as)
    local name = known_as or function_name(f)
    local label = name == "function" and "a Lua function" or name
    return new(name, function(c)
        local r, why = f(c)
        if r == true then return c end
        if is_cursor(r) then return r end
        if r then error("a strategy must return a cursor, not " .. type(r), 0) end
        if type(why) == "string" then why = failure(c, label, why, nil, 1) end
        return nil, why or failure(c, label)
    end)
end

-- The first place at and below root, and every one; prims: of those primitives.
local function first_place(root, prims) return (not prims or prims[root.term.prim or ""]) and root or root:next(root, prims) end
local function places(root, prims)
    local q
    return function()
        q = q and q:next(root, prims) or q == nil and first_place(root, prims)
        return q or nil
    end
end
M.places = places

-- The first place at or below q with such a term.
function M.find(q, is)
    for p in places(q) do
        if is(p.term) then return p end
    end
end

-- Does p hold for one of them, for all of them?
function M.any(list, p, ...)
    for _, x in ipairs(list) do
        if p(x, ...) then return true end
    end
    return false
end
function M.all(list, p, ...)
    for _, x in ipairs(list) do
        if not p(x, ...) then return false end
    end
    return true
end

-- A new table with what is in those (nil: nothing), the later before the earlier.
function M.merged(...)
    local t = {}
    for i = 1, select("#", ...) do
        for key, value in next, (select(i, ...)) or {} do t[key] = value end
    end
    return t
end

-- The keys of t, which are texts, in order; before(a, b): another order.
function M.keys(t, before)
    local list = {}
    for key in next, t do list[#list + 1] = key end
    table.sort(list, before)
    return list
end

-- {a = true, b = true} of a, b
function M.set(...)
    local t = {}
    for _, name in ipairs({...}) do t[name] = true end
    return t
end

-- What prims.def says of the primitives by that fact (engine.primitives), by name: a word, or true.
local primitives = engine.primitives()
function M.prims(fact)
    local of = {}
    for _, p in ipairs(primitives) do of[p.name] = p[fact] or nil end
    return of
end

-- s2 before s10
function M.shorter(a, b) return #a < #b or #a == #b and a < b end

-- A phase: {visit, set of the primitives that it is for, or nil: any place}. At every such place, until visit(place) gives a cursor; that
-- one back at the root, and again from its first place; onwards: from where it was, for what may be done in any order.
function M.exhaust(root, phase, onwards)
    local visit, prims = phase[1], phase[2]
    local changed
    repeat
        changed = false
        local q = first_place(root, prims)
        while q do
            local r = (not prims or prims[q.term.prim or ""]) and visit(q)
            if r then
                changed, root = true, r:at(root)
                q = onwards and (r:at(q) or first_place(root, prims))
            else q = q:next(root, prims) end
        end
    until not changed
    return root
end

-- A predicate: where p(term, cursor) holds; heads, where they are given, as texts.
function M.test(label, needs, p, ...)
    return new(label, function(c)
        if p(c.term, c) then return c end
        return nil, failure(c, label, needs)
    end, ... and {heads = M.set(...), silent = true} or nil)
end

-- A name that nothing has, and where it stands: "FILE:LINE"; nil: the place is found when the error is reported.
local function unknown(name, where)
    local near, notes = engine.suggest(name), {}
    if engine.is_primitive(name) then
        engine.raise({id = "E02", message = name .. " is a primitive, not a rule", notes = {{"try", "list rules " .. name}}})
    end
    local hint = near and '; did you mean ' .. near .. "?" or ""
    if where then notes[#notes + 1] = {"in", where} end
    if not near then notes[#notes + 1] = {"try", "list rules" .. engine.rules_like(name)} end
    engine.raise({id = "E02", message = 'no rule, macro or Lua value called "' .. name .. '"' .. hint, notes = notes})
end
M.unknown = unknown

-- The last name that the user's Lua read and that nothing has, and the function that read it (session.lua).
local missing = {}
function M.missed(name) missing.name, missing.by = name, name and getinfo(3, "f").func end

-- An error of Lua's over a global that nothing has is that name's, where something is called nearly so.
function M.misspelt(why)
    if type(why) ~= "string" then return end
    local where, name = why:match("^([^\n]-:%d+): attempt to [^\n]- %(global '([%a_][%w_]*)'%)")
    local near = where and engine.suggest(name)
    if near and near ~= name then unknown(name, where) end           -- else it is switched off
end

-- What a user's function passes for a strategy is nothing: most often a rule's name, misspelt. (A tail call leaves no trace
-- of who called.)
local function is_missing()
    local level = 2
    local at
    repeat
        level = level + 1
        at = getinfo(level, "Sft")
    until not at or at.istailcall or at.what ~= "C" and not at.short_src:find("^lathe/")
    return at and missing.name and (at.istailcall or at.func == missing.by)
end

local function strategy(v, who)
    if is_strategy(v) then return v end
    if type(v) == "function" then return from_function(v) end
    if v == nil and is_missing() then unknown(missing.name) end
    local found = v == nil and "nothing" or is_cursor(v) and "a place" or "a " .. type(v)
    error((who or "here") .. " needs a strategy, not " .. found .. (library[who] and ": " .. who .. "(mapFusion)" or ""), 0)
end

local label_of

-- {a=1, b=2}, sorted by name: the same in every run.
local function table_label(t)
    local parts = {}
    for k, v in pairs(t) do parts[#parts + 1] = tostring(k) .. "=" .. label_of(v) end
    table.sort(parts)
    return "{" .. table.concat(parts, ", ") .. "}"
end

function label_of(v)
    if is_strategy(v) then return v.label end
    if type(v) == "string" then return string.find(v, "['\\%c]") and string.format("%q", v) or "'" .. v .. "'" end
    if type(v) == "table" then return table_label(v) end
    return tostring(v)
end

-- As it is typed: gemmGpu{mb=64}, splitJoin(4).
local function call_label(name, ...)
    local only, parts = ..., {}
    if select("#", ...) == 1 and type(only) == "table" and not is_strategy(only) then return name .. table_label(only) end
    for i = 1, select("#", ...) do parts[i] = label_of((select(i, ...))) end
    return name .. "(" .. table.concat(parts, ", ") .. ")"
end

M.new, M.strategy, M.failure, M.better = new, strategy, failure, better
M.is_strategy, M.label_of, M.call_label = is_strategy, label_of, call_label
M.failure_info, M.from_function = failure_info, from_function

function Strategy.__call(s, first, ...)
    if is_cursor(first) then return s.run(first) end
    if s.with_args and first == nil and select("#", ...) == 0 then return s.with_args() end
    if s.with_args then return s.with_args(first, ...) end
    error(s.label .. " takes no arguments", 0)
end

function Strategy.__tostring(s) return s.label end
function Strategy.__mul(a, b) return library.seq(a, b) end
function Strategy.__add(a, b) return library.alt(a, b) end
function Strategy.__unm(a) return library.fails(a) end
function Strategy.__len(a) return library.holds(a) end

-- a^0 repeats, a^n at least n times, a^-1 tries, a^-n at most n times (as in LPeg)
function Strategy.__pow(a, n)
    if math.type(n) ~= "integer" then error("a^n needs an integer", 0) end
    if n < 0 then return n == -1 and library.try(a) or library.rep(a, -n) end
    if n == 0 then return library.rep(a) end
    return library.seq(library.repeatNTimes(n, a), library.rep(a))
end
Strategy.__metatable = "strategy"

-- NAME.rev: the other direction of a rule defined with <=>
function Strategy.__index(s, key)
    local name = key == "rev" and rawget(s, "kind") == "rule" and s.name .. ".rev"
    if name then return M.permitted(name, M.find_rule(name)) end
end

-- rules

local function arg_text(v) return type(v) == "table" and v.perm or tostring(v) end

local function rule_label(name, params, args)
    local parts = {}
    for _, p in ipairs(params) do
        if args and args[p.name] ~= nil then parts[#parts + 1] = p.name .. "=" .. arg_text(args[p.name]) end
    end
    if #parts == 0 then return name end
    if #params == 1 then return name .. "(" .. arg_text(args[params[1].name]) .. ")" end
    return name .. "{" .. table.concat(parts, ", ") .. "}"
end

local function param_names(params, only_given)
    local names = {}
    for _, p in ipairs(params) do
        if p.given or not only_given then names[#names + 1] = p.name end
    end
    return names
end

-- E22: arguments that a rule or a macro does not take; where it is named, its help has those that it does.
function M.bad_call(message, name) engine.raise({id = "E22", message = message, notes = {name and {"try", "help " .. name}}}) end

local function bad_args(name, params, what)
    local takes = #params == 0 and "it takes none" or "it takes " .. table.concat(param_names(params), ", ")
    M.bad_call(name .. " has no argument " .. what .. "; " .. takes)
end

local function bad_count(name, takes, given)
    local most = takes == 0 and "no arguments" or takes == 1 and "one argument" or takes .. " arguments at most"
    M.bad_call(("%s takes %s, not %d"):format(name, most, given), takes > 0 and name)
end

local function named_args(name, params, given)
    local known = {}
    for _, p in ipairs(params) do known[p.name] = true end
    local args, positional = {}, param_names(params, true)
    for k, v in pairs(given) do
        local key = math.type(k) == "integer" and positional[k] or k
        if not known[key] then bad_args(name, params, math.type(k) and "number " .. k or '"' .. tostring(k) .. '"') end
        args[key] = v
    end
    return args
end

local function new_rule(name, pointer, params, heads, args)
    local s
    s = new(rule_label(name, params, args), function(c)
        local r, near = engine.apply(c, pointer, args)
        if r then return r end
        return nil, setmetatable({kind = "rule", cursor = c, strategy = s, score = near + 1}, Failure)
    end, {kind = "rule", name = name, pointer = pointer, args = args, heads = heads, silent = true})
    s.with_args = function(...)
        local given = ...
        if select("#", ...) ~= 1 or type(given) ~= "table" or given.perm then given = {...} end
        return new_rule(name, pointer, params, heads, named_args(name, params, given))
    end
    return s
end

local rules, rules_of = {}, nil          -- those that were found, of that generation

local function find_rule(name)
    local generation = engine.generation()
    if generation ~= rules_of then rules, rules_of = {}, generation end
    if rules[name] == nil then
        local pointer, params, head = engine.rule(name)
        rules[name] = pointer and new_rule(name, pointer, params, head and {[head] = true}) or false
    end
    return rules[name] or nil
end
M.find_rule = find_rule

-- A rule of that name. In lathe's own files the name stands there as it is: names.lua looks through all of them when lathe is built.
function M.R(name, args)
    local rule = find_rule(name)
    if not rule then
        local at = getinfo(2, "Sl")
        unknown(name, at.short_src .. ":" .. at.currentline)
    end
    return args and rule(args) or rule
end

-- macros: a strategy made by fn(...); the bare name stands for fn() without arguments

local changes = 0                        -- definitions and removals of macros; rules count their own

-- What a macro is made of is looked up again once a rule or macro has been defined or taken away. most: arguments that it takes; nil: as fn.
local function new_macro(name, fn, args, most)
    local made, generation
    local label = args and call_label(name, table.unpack(args, 1, args.n)) or name
    local s = new(label, function(c)
        local now = changes + engine.generation()
        if generation ~= now then
            generation = now
            made = args and strategy(fn(table.unpack(args, 1, args.n)), name) or strategy(fn(), name)
        end
        local outer = engine.enter_macro(label, c)
        local r, f = made.run(c)
        engine.leave_macro(outer)
        return r, f
    end, {kind = "macro", macro = name})
    s.with_args = function(...)
        local taken, given = getinfo(fn, "u"), table.pack(...)
        local takes = most or not taken.isvararg and taken.nparams
        if takes and given.n > takes then bad_count(name, takes, given.n) end
        return new_macro(name, fn, given, most)
    end
    return s
end

-- define(name, params, doc, kind, value): a function for "combinator", "value" and "predicate"s with parameters; a
-- function of the parameters, at most so many, that gives a strategy for "macro" and "lowering".
function M.name(name, params, doc, kind, value, most)
    if engine.declare then engine.declare(KINDS[kind], name, params, doc) end          -- where lathe is built (lua_compile.c)
    if kind == "macro" or kind == "lowering" then value = new_macro(name, value, nil, most) end
    library[name] = value
end

local varied                             -- {others = values of options, by "macro.option", seen = those asked for}; nil: as they are

-- Run f(...) with these values, by "macro.option", in the place of those that macros are called with: what all have, and its results.
function M.with_options(others, f, ...)
    local before, seen = varied, {}
    local function vary(options)
        varied = options
        M.make_macros_again()
    end
    vary({others = others, seen = seen})
    return seen, finally(function() vary(before) end, f, ...)
end

-- The values of given with defaults for those left out; a name that defaults lacks is refused.
function M.options(who, given, defaults)
    for name in pairs(given or {}) do
        if defaults[name] == nil then M.bad_call(who .. " has no argument " .. tostring(name), who) end
    end
    local values = M.merged(defaults, given)
    for name, value in pairs(varied and values or {}) do
        local key = who .. "." .. name
        if varied.others[key] ~= nil then value = varied.others[key] end
        values[name], varied.seen[key] = value, value
    end
    return values
end

-- Of "{n=8, stream=false, each=\"\"}"; as long as another option ("{nr=nb}"): 0.
local function defaults_of(params)
    local words, values = {["true"] = true, ["false"] = false, ['""'] = ""}, {}
    for name, text in params:gmatch("(%w+)=([^,}]+)") do
        values[name] = words[text]
        if values[name] == nil then values[name] = math.tointeger(text) or 0 end
    end
    return values
end

-- E22: options that stand in (), in the place of {} with their names.
local function options_by_name(name, params, ...)
    local given, named = {...}, {}
    for option in params:gmatch("(%w+)=") do
        if given[#named + 1] == nil then break end
        named[#named + 1] = option .. "=" .. tostring(given[#named + 1])
    end
    local call = ("%s{%s}"):format(name, table.concat(named, ", "))
    engine.raise({id = "E22", message = name .. " takes its arguments by name, in {}", notes = {{"needs", call}, {"try", "help " .. name}}})
end

-- make: a strategy, or a function of the arguments that gives one; with options, "{NAME=DEFAULT, ...}", of the values of all of them.
function M.macro(name, params, doc, make, most)
    if is_strategy(make) then return M.name(name, params, doc, "macro", function() return make end) end
    local defaults = params:find("^{") and defaults_of(params)
    M.name(name, params, doc, "macro", defaults and function(...)
        local given = ...
        if select("#", ...) > 1 or given and type(given) ~= "table" then options_by_name(name, params, ...) end
        return make(M.options(name, given, defaults))
    end or make, most)
end

-- A macro that is run(c, ...) at the place c, with its arguments: a place, or nil and a failure; nil alone: c is not what it needs, a text.
function M.macro_at(name, params, doc, run, needs)
    M.macro(name, params, doc, function(...)
        local args = table.pack(...)
        return new(name, function(c)
            local r, f = run(c, table.unpack(args, 1, args.n))
            if r then return r:at(c) end
            return nil, f or needs and failure(c, name, needs)
        end)
    end, getinfo(run, "u").nparams - 1)
end

M.new_macro = new_macro
function M.make_macros_again() changes = changes + 1 end

-- A rule or macro as a user names it: a lesson may keep it for later. Where NAME.rev is there, NAME is good for naming that, and
-- nothing else.
function M.permitted(name, v)
    local kind = is_strategy(v) and rawget(v, "kind")
    if (kind ~= "rule" and kind ~= "macro") or engine.allowed(name, kind == "rule") then return v end
    local function refuse() engine.raise({id = "E83", message = name .. " is not in this lesson yet", notes = {{"try", "lesson hint"}}}) end
    local back = kind == "rule" and name .. ".rev"
    if not (back and find_rule(back) and engine.allowed(back, true)) then refuse() end
    return new(name, refuse, {kind = "rule", name = name, with_args = refuse})
end

return M

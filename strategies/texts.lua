-- texts: strategies as texts: the environment in which they are read, running them for C, and macros of the user's.

local engine, base, kept, names = require "engine", require "base", require "serialised", require "names"
local raw_load = load
local library, macros, session = base.library, base.macros, base.session
local strategy, is_strategy, failure, new_macro = base.strategy, base.is_strategy, base.failure, base.new_macro
local find_rule = base.find_rule

local M = {}

-- the environments

local function read_only(t)
    local view = {}
    return setmetatable(view, {
        __index = t, __metatable = "library",
        __newindex = function() error("a library cannot be changed", 0) end,
    })
end

local safe_string = {}
for _, k in ipairs({"byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper"}) do
    safe_string[k] = string[k]
end

local function key_before(a, b)
    if type(a) == type(b) and type(a) ~= "boolean" then return a < b end
    return type(a) == "number" or type(b) ~= "number" and type(a) == "string"
end

-- pairs in order of the keys, numbers before texts, so that every run does the same.
local function ordered_pairs(t)
    local meta = debug.getmetatable(t)
    if type(t) ~= "table" or meta and meta.__pairs then return pairs(t) end
    local keys, others = {}, {}
    for k in next, t do
        local ordered = type(k) == "number" or type(k) == "string"
        table.insert(ordered and keys or others, k)
    end
    table.sort(keys, key_before)
    table.move(others, 1, #others, #keys + 1, keys)
    local i = 0
    return function()
        repeat i = i + 1 until keys[i] == nil or t[keys[i]] ~= nil
        if keys[i] ~= nil then return keys[i], t[keys[i]] end
    end
end

local safe = {
    assert = assert, error = error, ipairs = ipairs, next = engine.charged(next), pairs = ordered_pairs, select = select,
    print = engine.print,
    tonumber = engine.charged(tonumber), tostring = engine.tostring, type = type, math = read_only(math), string = read_only(safe_string),
    table = read_only(table),
}

M.safe, M.safe_string = safe, safe_string

-- What a name stands for, and whether a user made that.
local function named(name)
    local v = macros[name]
    if v ~= nil then return v, true end
    v = find_rule(name) or library[name] or safe[name]
    if v ~= nil then return v, false end
    return rawget(session, name), true
end

-- The same where a strategy's text reads the name.
local function looked_up(name)
    local v, own = named(name)
    if own and v ~= nil then kept.touched() end
    return base.permitted(name, v)
end

-- A fresh table for one text: what it assigns is its own. A number of a call that has no value, mb in gemmGpu{mb=mb, kb=8}, is a parameter of
-- that name.
local function environment(text)
    local numbers = {}
    for call in (type(text) == "string" and text or ""):gmatch("%b{}") do
        for name in call:gmatch("[{,]%s*[%a_][%w_]*%s*=%s*(%l[%w_]*)%f[%s,}]") do numbers[name] = true end
    end
    return setmetatable({}, {__metatable = "environment", __index = function(_, name)
        local v = looked_up(name)
        if v == nil and numbers[name] then v = engine.parameter(name) end
        if v == nil then base.unknown(name) end
        return v
    end})
end

-- E24, with what to write.
local function refuse(message, hint)
    hint = hint or "a * b does one behind the other, a + b the first that applies"
    engine.raise({id = "E24", message = message, notes = {{"hint", hint}}})
end

-- What Lua's parser says of a text that is no expression, in the words of strategies.
local function no_expression(message)
    local near = message:match("near '?(.-)'?$")
    if near and near ~= "<eof>" and message:find("unfinished") == nil then
        refuse("`" .. near .. "` is not expected there in a strategy",
               near == ";" and "a strategy is one expression: a * b does one behind the other" or nil)
    end
    refuse("the strategy ends where more is expected")
end

local function evaluate(text, env)
    if not string.find(text, "%S") then refuse("a strategy is missing", "its name, as in mapFusion, or splitJoin(4)") end
    local chunk, message = raw_load("return " .. text, "=strategy", "t", env)
    if not chunk then no_expression(message) end
    local v, another = chunk()
    if another ~= nil then refuse("one strategy is expected, not several", "a * b does one behind the other") end
    if not is_strategy(v) and type(v) ~= "function" then
        local hint = type(v) == "string" and "without the quotes it is a rule or a macro"
            or type(v) == "number" and "`moves` numbers what applies: apply 3"
            or text:find("%[") and "arguments stand in round brackets: splitJoin(4)" or nil
        local forth = v == nil and text:match("^%s*([%w_]+)%.rev%s*$")
        if forth and is_strategy(env[forth]) then refuse(forth .. " has no other direction: it is a rule with =>, not <=>", "`rule " .. forth .. "` shows it") end
        refuse("this is " .. (v == nil and "nothing" or "a " .. type(v)) .. ", not a strategy", hint)
    end
    return strategy(v)
end

-- running, called from C

-- Put a failure in the diag: a rule's own, or E23 of the whole with the failure that says most.
local function report(s, f, cursor)
    f = f or failure(cursor, s.label)
    local info = base.failure_info(f, engine.advised())
    local done = engine.trail(f.cursor)
    if done then table.insert(info.notes, 1, {"after", done}) end
    if f.kind == "rule" then
        if s.kind ~= "rule" and not base.note_of(info, "place") then table.insert(info.notes, 1, {"place", f.cursor.place}) end
        if s.kind ~= "rule" and info.id == "E21" then
            info.id, info.message = "E23", s.label .. " failed: " .. info.message
        end
    elseif f.label ~= s.label then
        info.message = s.label .. " failed: " .. info.message
    end
    M.last = {message = info.message, place = f.cursor.place, rule = f.strategy and f.strategy.name}
    engine.fail(info)
end

-- of: what s was read from, a text or itself. Its failure goes to the diag, or nowhere where it is tried (quiet).
local function run(s, of, cursor, quiet)
    local r, f = s.run(cursor)
    if not r then return not quiet and report(s, f, cursor) or nil end
    return r:at(cursor) or r, s.kind == "rule", s.macro, type(of) == "string" and of or s.label
end

-- A name alone, as most texts are, takes no parser.
local function to_strategy(v)
    if type(v) ~= "string" then return strategy(v) end
    local known = v:find("^[%a_][%w_]*$") and looked_up(v)
    return is_strategy(known) and known or evaluate(v, environment(v))
end

M.to_strategy = to_strategy

function M.run(v, cursor) return run(to_strategy(v), v, cursor) end
function M.try(v, cursor) return run(to_strategy(v), v, cursor, true) end
function M.lower(v, cursor) return run(v and to_strategy(v) or library.lower, v, cursor) end

-- The function's answers; false, why and true where there is none of that name.
function M.condition(name, ...)
    local f = rawget(session, name)
    if f == nil then f = kept.own_globals[name] end
    if type(f) ~= "function" then return false, "there is no Lua function " .. name, true end
    local holds, why = f(...)
    return holds, why
end

-- user macros: NAME(P, ...) = STRAT

local function bad_macro(message) engine.raise({id = "E05", message = message, notes = {}}) end

local function check_free(name)
    if type(name) ~= "string" or not name:find("^[%a_][%w_]*$") then bad_macro("a macro's name is a word") end
    local taken = engine.taken(name)
    if taken then bad_macro(name .. " is " .. taken .. " already") end
end

local made = {}                          -- the macros that the chunk which runs has made: {name =, value =}

-- register(name, {params =, doc =}, strategy): a macro made in Lua, listed, completed and explained like the built-in ones.
-- With params ("(m, n)") the third is a function of them that gives a strategy; else it is the strategy.
function M.register(name, info, value)
    check_free(name)
    if type(info) ~= "table" or is_strategy(info) then
        bad_macro("register needs a name, a table with params and doc, and a strategy")
    end
    local params, doc = info.params or "", info.doc or ""
    if type(params) ~= "string" or type(doc) ~= "string" then bad_macro("params and doc are texts") end
    if info.params then
        if type(value) ~= "function" then bad_macro(name .. " has params: it needs a function that gives a strategy") end
        if params:sub(1, 1) ~= "(" then params = "(" .. params .. ")" end
        macros[name] = new_macro(name, value)
    else
        local s = type(value) == "function" and base.from_function(value, name) or strategy(value, "register")
        macros[name] = new_macro(name, function() return s end)
    end
    made[#made + 1] = {name = name, value = value}
    base.make_macros_again()
    base.macro_texts[name] = nil
    kept.registered(name)
    engine.define(name, params, doc)
end

-- Runs a chunk; what its macros name is there then, or all of them are not, and it fails. has(name): is there something of that name?
function M.checked(has, run, ...)
    local outer = made
    made = {}
    local values = table.pack(run(...))
    local mine = made
    made = outer
    for _, macro in ipairs(mine) do
        local ok, why = true, nil
        if type(macro.value) == "function" then ok, why = engine.pcall(names.check, macro.value, has, {}) end
        if not ok then
            for _, other in ipairs(mine) do M.remove_macro(other.name) end
            engine.raise(why)
        end
    end
    return table.unpack(values, 1, values.n)
end

-- env: where what it names is looked up, and `find` without consequences; nil: where strategies look
function M.define_macro(text, env, find)
    local rest = text:match("^%s*macro%s+([%a_].*)$") or text
    local name, params, body = rest:match("^%s*([%a_][%w_]*)%s*(%b())%s*=(.*)$")
    if not name then
        name, body = rest:match("^%s*([%a_][%w_]*)%s*=(.*)$")
        params = "()"
    end
    if not name or not body:find("%S") then bad_macro("a macro is NAME = STRAT or NAME(P, ...) = STRAT") end
    check_free(name)
    local doc = body:match("%-%-%s*(.-)%s*$") or ""
    local whole, early = raw_load("return " .. body, "=strategy", "t")     -- for messages about the text as it was typed
    if not whole then no_expression(early) end
    env = env or environment()
    local chunk, message = raw_load("return function" .. params .. " return " .. body .. "\nend", "=strategy", "t", env)
    if not chunk then no_expression(message) end
    local fn = chunk()
    for _, read in ipairs(names.read(fn, env)) do
        if (find or named)(read[1]) == nil then base.unknown(read[1]) end
    end
    if params == "()" then
        local ok, s = engine.pcall(fn)
        if ok then strategy(s, name) end
    end
    macros[name] = new_macro(name, fn)
    base.make_macros_again()
    local shown = params == "()" and "" or params
    base.macro_texts[name] = rest
    engine.define(name, shown, doc, (rest:gsub("^%s+", ""):gsub("%s+$", "")))
end

function M.remove_macro(name)
    engine.undefine(name)
    macros[name] = nil
    base.macro_texts[name] = nil
    base.make_macros_again()
end

return M

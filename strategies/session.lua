-- session: Lua for users: the environment of the `lua` command and of scripts, the session API `t`, versions and failures.

local engine, base, texts = require "engine", require "base", require "texts"
local noted, trace = require "serialised", require "trace"
local raw_load, raw_loadfile, raw_resume, raw_close = load, loadfile, coroutine.resume, coroutine.close
local library, session, macros, safe = require "combinators", base.session, base.macros, texts.safe
local is_strategy, is_version = base.is_strategy, engine.is_version

local M = {}

-- failures: {id, message, notes = {{label, text}, ...}}; rule, place, needs, found, near, try ... are fields too

local Failed = {__name = "failure", __metatable = "failure"}

function Failed.__tostring(f)
    local lines = {f.id .. " " .. f.message}
    for _, note in ipairs(f.notes) do lines[#lines + 1] = string.format("  %-7s %s", note[1], note[2]) end
    return table.concat(lines, "\n")
end

function M.failed(info)
    local last = texts.last
    if last and last.message == info.message then info.place, info.rule = last.place, last.rule end
    for _, note in ipairs(info.notes) do
        if info[note[1]] == nil then info[note[1]] = note[2] end
    end
    return setmetatable(info, Failed)
end

-- running commands: t.VERB(arguments ..., {flag = value, at = place})

local prepositions = {at = "at", as = "as", in_ = "in", on = "on"}

local function argument(v)
    if is_version(v) then
        if not v.n then error("this version is not kept yet: v:keep() first", 0) end
        return "@" .. v.n
    end
    return tostring(v)
end

local function add_options(words, options)
    for k, v in safe.pairs(options) do
        if type(k) ~= "string" then error("an option needs a name, as in {full = true}", 0) end
        if prepositions[k] then
            words[#words + 1] = {text = prepositions[k]}
            words[#words + 1] = {text = argument(v)}
        elseif v then
            words[#words + 1] = {flag = k:gsub("_", "-"), text = v == true and "" or argument(v)}
        end
    end
end

-- What a command reported, as a table; as a text it is what the command prints.
local Result = {__name = "result"}
function Result.__tostring(r) return (Result.texts[r]:gsub("\n$", "")) end
Result.texts = setmetatable({}, {__mode = "k"})

local function run(verb, ...)
    local words, n = {}, select("#", ...)
    while n > 0 and select(n, ...) == nil do n = n - 1 end
    for i = 1, n do
        local v = select(i, ...)
        if v == nil then error("argument " .. i .. " of " .. verb .. " is nil", 0) end
        if type(v) == "table" and not is_strategy(v) then add_options(words, v)
        else words[#words + 1] = {text = argument(v)} end
    end
    local text, report = engine.command(verb, words)
    if text then
        report = type(report) == "table" and report or {text = text}
        Result.texts[report] = text
        return setmetatable(report, Result)
    end
    if report.id == "E01" or report.id == "E05" then error(report, 0) end     -- the call is not well formed
    return nil, report
end

-- versions

local methods = {}

local function option(options, name) return options and options[name] or nil end

-- A new version beside the tree, from v; v itself when nothing changed; nil and a failure, without the advice (near, try)
-- that apply adds: a search may fail often.
function methods.try(v, strategy, options) return engine.rewritten(v, strategy, option(options, "at"), false) end

local function kept(w, why, v, options)
    if not w then return nil, why end
    if w == v then return v end
    return w:keep(option(options, "as"))
end

-- The same, kept as a child of v. The current version stays where it is.
function methods.apply(v, strategy, options)
    local w, why = engine.rewritten(v, strategy, option(options, "at"), false, true)
    return kept(w, why, v, options)
end

-- v lowered, beside the tree; and kept.
function methods.lowered(v, strategy) return engine.rewritten(v, strategy, nil, true) end

function methods.lower(v, strategy, options)
    if type(strategy) == "table" and not is_strategy(strategy) then strategy, options = nil, strategy end
    local w, why = v:lowered(strategy)
    return kept(w, why, v, options)
end

-- deep: as the command, also what a device allows and the user asks (some milliseconds)
local function with(v, values, deep)
    local list = {}
    for name, value in safe.pairs(values) do list[#list + 1] = {tostring(name), value} end
    table.sort(list, function(a, b) return base.shorter(a[1], b[1]) end)
    return engine.bound(v, list, deep)
end

-- v:with{s0 = 4, ...}: v with parameters bound (false: unbound) as one step, beside the tree.
function methods.with(v, values) return with(v, values, false) end

function methods.param(v, values)
    local w, why = with(v, values, true)
    return kept(w, why, v)
end

-- v:space{limits = {local_bytes = 32768}, values = {s0 = {16, 32}},
--         where = {{"s0", "s1", function(s0, s1) return s0 <= s1 end, "wide"}}}:
-- the parameter space of v for the current sizes and the limits of the device that was chosen; bound = true: bound
-- parameters too.
methods.space = engine.space

-- v:features([params[, kind]]): the features of all kernels together, and a list of those of each; nil and a failure.
methods.features = engine.features

-- v:cost([params[, device]]): {ns =, text =, terms = {arithmetic =, ...}}; as a text it says which terms dominate. nil and a failure.
function methods.cost(...) return require("model").cost(...) end

-- v:estimate([kind]): {ns =, text =, params =, version = the lowered one}; nil where nothing runnable comes of it.
function methods.estimate(...) return require("estimate").estimate(...) end

-- A rule as `moves` takes it: sizes are left open; a dimension, width, mode or permutation is the first that applies.
local choices = {dim = {0, 1, 2}, width = {4, 2, 8, 16}, mode = {"clamp", "mirror", "wrap"}, perm = {library.reverse}}

local function open_rule(name)
    local rule, open, args = base.find_rule(name), nil, {}
    local _, params = engine.rule(name)
    for _, p in ipairs(params) do
        if p.given and p.kind ~= "size" then open, args[p.name] = p, choices[p.kind][1] end
    end
    if not open then return rule end
    local candidates = {}
    for i, choice in ipairs(choices[open.kind]) do
        args[open.name] = choice
        candidates[i] = rule(args)
    end
    return base.new(name, library.alt(table.unpack(candidates)).run, {kind = "rule", name = name, pointer = rule.pointer})
end

function methods.moves(v, place, options)
    local list, why = engine.moves(v, place, option(options, "deep"))
    for _, move in ipairs(list or {}) do
        move.strategy, move.at = open_rule(move.rule), move.place      -- v:try(move.strategy, move)
    end
    return list, why
end

function methods.trace(v, strategy, options)
    trace.record(true)
    local w, why = engine.rewritten(v, strategy, option(options, "at"), false)
    trace.record(false)
    return trace.last_trace(), w or why
end

for _, verb in ipairs({"run", "code", "eval"}) do
    methods[verb] = function(v, options) return run(verb, v:keep(), options or {}) end
end

engine.methods(methods)

-- t: the session

local t = {}

function t.version(ref)
    if is_version(ref) then return ref end
    return engine.version(ref ~= nil and tostring(ref) or nil)
end

local function on_current(method)
    return function(...)
        local v, why = engine.version()
        if not v then return nil, why end
        return methods[method](v, ...)
    end
end

local function moving(method)
    local act = on_current(method)
    return function(...)
        local v, why = act(...)
        if not v then return nil, why end
        return v:go()
    end
end

t.try, t.trace = on_current("try"), on_current("trace")
t.apply, t.lower = moving("apply"), moving("lower")

-- Verbs that change what is current give the version that they lead to.
for _, verb in ipairs({"load", "let", "use", "undo", "redo", "goto"}) do
    t[verb] = function(...)
        local r, why = run(verb, ...)
        if not r then return nil, why end
        return engine.version() or r
    end
end
t.goto_ = t["goto"]                      -- goto is a word of Lua

-- t.cost([version[, params[, device]]])
function t.cost(v, ...)
    local why
    if v == nil then v, why = engine.version() end
    if not v then return nil, why end
    return methods.cost(v, ...)
end

-- A pattern needs no quotes of its own: t.find("map _ _").
function t.find(pattern, ...)
    if type(pattern) == "string" and not pattern:find("^%s*'") then pattern = "'" .. pattern .. "'" end
    return run("find", pattern, ...)
end

-- The words of a text as arguments: t.data("N = 4") is t.data("N", 4).
local function words_of(text)
    local words = {}
    for word in (text or ""):gmatch("%S+") do words[#words + 1] = word end
    return table.unpack(words)
end

-- t.param(name, value), t.param{name = value}: the version with them bound; t.param(), t.param(name): as the command.
function t.param(name, value)
    if type(name) == "table" then return moving("param")(name) end
    if value ~= nil then return moving("param")({[name] = value}) end
    return run("param", words_of(name))
end

-- t.data("N", 4096), t.data{N = 4096, xs = "iota"}: all of them or none
function t.data(name, value)
    if type(name) ~= "table" then
        if value == nil then return run("data", words_of(name)) end
        name = {[name] = value}
    end
    local words = {}
    for k, v in safe.pairs(name) do
        if #words > 0 then words[#words + 1] = "," end
        table.move({k, "=", tostring(v)}, 1, 3, #words + 1, words)
    end
    return run("data", table.unpack(words))
end

-- t.search{what = "params", using = "random", budget = 50, set = {restarts = 2}}; t.search(): goes on with the last one
function t.search(options)
    if options == nil then return run("search") end
    if type(options) ~= "table" then
        error("t.search takes a table: t.search{what = \"params\", using = \"random\", budget = 50}", 0)
    end
    local flags, words = {}, {options.what or "params"}
    if options.using then words[2], words[3] = "using", options.using end
    for name, value in safe.pairs(options) do
        if type(value) == "table" then
            local parts = {}
            for k, v in safe.pairs(value) do parts[#parts + 1] = k .. "=" .. tostring(v) end
            value = table.concat(parts, ",")
        end
        if name ~= "what" and name ~= "using" then flags[name] = value end
    end
    words[#words + 1] = flags
    return run("search", table.unpack(words))
end

function t.quit(code)
    local r, why = run("quit", code)
    if not r then return nil, why end
    engine.leave()
end

function t.open()
    error("open starts another session with a Lua state of its own: "
          .. "do it before the script, lathe FILE.session script.lua", 0)
end

local verbs = {}                         -- the other commands, made when asked for

base.name("t", "", "the session: t.apply(strategy, {at = place}), t.show() ... are its commands", "value", setmetatable({}, {
    __metatable = "session", __name = "session",
    __index = function(_, verb)
        if t[verb] then return t[verb] end
        if type(verb) ~= "string" then return nil end
        verbs[verb] = verbs[verb] or function(...) return run(verb, ...) end
        return verbs[verb]
    end,
    __newindex = function() error("a library cannot be changed", 0) end,
}))

-- the environment of the `lua` command: the full Lua library. Handlers and coroutines let fuel errors pass.

-- Nothing counts the instructions of finalizers, nor ends them.
local function set_metatable(t, meta)
    if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
        error("finalizers (__gc) are switched off: nothing could interrupt them", 2)
    end
    return setmetatable(t, meta)
end

-- Nor of what a coroutine that has failed closes: it is left as it is.
local function close(co)
    if coroutine.status(co) == "dead" then return true end
    return engine.pass(raw_close(co))
end

local full = {
    string = string, table = table, math = math, utf8 = utf8, require = engine.require, package = package,
    setmetatable = set_metatable, getmetatable = getmetatable,
    rawget = rawget, rawset = rawset, rawequal = rawequal, rawlen = rawlen, collectgarbage = collectgarbage,
    pcall = engine.pcall, _VERSION = _VERSION, register = texts.register,
    coroutine = {
        create = coroutine.create, yield = coroutine.yield, status = coroutine.status, running = coroutine.running,
        isyieldable = coroutine.isyieldable, close = close,
        resume = function(...) return engine.pass(raw_resume(...)) end,
        wrap = function(f)
            local co = coroutine.create(f)
            return function(...)
                local values = table.pack(engine.pass(raw_resume(co, ...)))
                if not values[1] then error(values[2], 0) end
                return table.unpack(values, 2, values.n)
            end
        end,
    },
}
M.full = full
full._G = session
full.os, full.io = base.merged(os), base.merged(io)
-- What is read is looked for where `load` and `source` look: in a lesson its own files first.
function full.io.open(name, mode)
    local reads = mode == nil or mode == "r" or mode == "rb"
    return io.open(reads and type(name) == "string" and engine.file(name) or name, mode)
end
function full.io.lines(name, ...) return io.lines(type(name) == "string" and engine.file(name) or name, ...) end
function full.io.input(file) return io.input(type(file) == "string" and engine.file(file) or file) end
function full.os.exit(code) t.quit(code == true and 0 or code == false and 1 or code) end   -- the session ends in good order
function full.load(chunk, name, mode, env) return raw_load(chunk, name, mode, env or session) end
function full.loadfile(name, mode, env) return raw_loadfile(name and engine.file(name), mode, env or session) end
function full.dofile(name) return assert(full.loadfile(name, "t"))() end

local function global(name) return full[name] or macros[name] or base.find_rule(name) or library[name] or safe[name] end
local function has(name) return rawget(session, name) ~= nil or global(name) ~= nil end
setmetatable(session, {__metatable = "session", __index = function(_, name)
    local v = base.permitted(name, global(name))
    if v == nil then base.missed(name) end
    return v
end})

-- What reaches beyond Lua's own values.
M.outside = {"io", "os", "package", "require", "load", "dofile", "loadfile"}

function M.restrict()
    for _, name in ipairs(M.outside) do full[name] = nil end
end

-- A value as `=` shows it: plain tables with what is in them.
local function display(v, depth)
    if type(v) == "string" and depth < 3 then return string.format("%q", v) end
    if type(v) ~= "table" or getmetatable(v) ~= nil then return safe.tostring(v) end
    if depth == 0 then return "{...}" end
    local parts = {}
    for k, item in safe.pairs(v) do
        local text = display(item, depth - 1)
        if type(k) ~= "number" then text = tostring(k) .. " = " .. text end
        if #parts == 20 then text = "..." end
        if #parts <= 20 then parts[#parts + 1] = text end
    end
    return "{" .. table.concat(parts, ", ") .. "}"
end

-- Run a chunk with arguments, a list of texts; print the values of an expression and give them in a table. Where they are nil
-- and a failure, the command fails with it.
function M.lua(text, name, expression, args)
    local script = name:sub(1, 1) == "@"
    if script and text:sub(1, 1) == "#" then text = "--" .. text end          -- #!/usr/bin/lathe
    if expression and not text:find("%S") then error("an expression is missing behind =", 0) end
    local chunk, message = raw_load("return " .. text, name, "t", session)
    local values_shown = chunk and not script                -- an expression too where it is one, as in Lua's own shell
    if not values_shown then chunk, message = raw_load(expression and "return " .. text or text, name, "t", session) end
    if not chunk then error(message, 0) end
    base.missed(nil)
    if script then session.arg = base.merged(args, {[0] = name:sub(2)}) end
    local values = table.pack(texts.checked(has, noted.noting, values_shown and "return " .. text or text, chunk, table.unpack(args)))
    if values.n == 2 and not values[1] and getmetatable(values[2]) == "failure" then error(values[2], 0) end
    if script and values[1] ~= nil and Result.texts[values[1]] then
        return base.merged(values[1])                -- without what makes it a text
    end
    if not values_shown or not expression and values.n == 0 then return nil end
    local shown = {}
    for i = 1, values.n do shown[i] = display(values[i], 3) end
    engine.print(table.unpack(shown, 1, values.n))
    for i = 1, values.n do
        if values[i] == nil then values[i] = false end
    end
    return table.move(values, 1, values.n, 1, {})
end

-- completion: names below a dotted path, without calling anything

local function raw_member(at, name)
    if at == library.t then return t[name] end
    local v = type(at) == "table" and rawget(at, name) or nil
    return v == nil and at == session and base.permitted(name, global(name)) or v
end

local function add_keys(set, at)
    for k in next, at do
        if type(k) == "string" and k:sub(1, 1) ~= "_" then set[k] = true end
    end
end

local function add_members(set, at)
    if at == session then
        add_keys(set, session)
        for _, more in ipairs({full, macros, engine.library_names(), safe}) do add_keys(set, more) end
        set._G, set._VERSION = true, true
    elseif at == library.t then
        add_keys(set, t)
        local i = 0
        while engine.verb(i) do set[engine.verb(i)], i = true, i + 1 end
    elseif type(at) == "string" then add_keys(set, string)
    elseif type(at) == "userdata" then
        for _, name in ipairs(engine.fields(at)) do set[name] = true end
    elseif type(at) == "table" then add_keys(set, at) end
end

function M.members(path)
    local at, set = session, {}
    for name in path:gmatch("[^.:]+") do at = raw_member(at, name) end
    add_members(set, at)
    return base.keys(set)
end

return M

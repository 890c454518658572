-- sandbox: Lua that came from a session file. It runs in an environment of its own: Lua's library in tables of its own,
-- lathe's strategies as copies, no files, no system, no session, no finalizers. Of the globals that it sets, those that the
-- file was said to keep are the session's too; what is called like something of Lua's or lathe's stays the file's.

local engine, base, texts, noted = require "engine", require "base", require "texts", require "serialised"
local search, user = base.search, require "session"
local session, macros, library, safe, full = base.session, base.macros, base.library, texts.safe, user.full
local own = noted.own_globals
local raw_load, raw_getmetatable, raw_setmetatable = load, debug.getmetatable, setmetatable
local raw_rawset = rawset

local off = base.set("t", "collectgarbage", "arg", table.unpack(user.outside))
local kept = {}                          -- names that the file was said to keep
local view, globals = {}, {}             -- the environment; what of Lua's library is in it
local M = {view = view, globals = globals}

-- the library

for _, name in ipairs({"assert", "error", "ipairs", "next", "pairs", "select", "tonumber", "tostring", "type", "pcall", "rawequal",
                       "rawlen", "register", "_VERSION"}) do
    globals[name] = full[name] or safe[name]
end
for _, name in ipairs({"table", "utf8", "coroutine", "math", "string"}) do
    globals[name] = {}
    for key, v in next, name == "string" and texts.safe_string or full[name] do globals[name][key] = v end
end
globals.math.randomseed = nil            -- the random numbers are everybody's
function globals.print() end

-- A metatable is given only to who has set it: those of texts, failures and strategies are everybody's.
local given = raw_setmetatable({}, {__mode = "k"})

function globals.setmetatable(t, meta)
    if meta ~= nil then given[meta] = true end
    return full.setmetatable(t, meta)
end

function globals.getmetatable(v)
    local meta = raw_getmetatable(v)
    if meta == nil or given[meta] then return getmetatable(v) end
    return type(v) == "table" and rawget(meta, "__metatable") or nil
end

function globals.rawset(t, key, v)
    if rawequal(t, view) then view[key] = v else raw_rawset(t, key, v) end
    return t
end

function globals.rawget(t, key)
    if not rawequal(t, view) then return rawget(t, key) end
    if own[key] ~= nil then return own[key] end
    return kept[key] and rawget(session, key) or nil
end

-- what lathe defines

-- search: its data can be changed, its functions not.
local shown, behind = raw_setmetatable({}, {__mode = "k"}), raw_setmetatable({}, {__mode = "k"})

local function as_data(t)
    if type(t) ~= "table" or base.is_strategy(t) then return t end
    if shown[t] then return shown[t] end
    local proxy = raw_setmetatable({}, {
        __metatable = "search",
        __index = function(_, key) return as_data(t[key]) end,
        __newindex = function(_, key, v)
            if rawequal(t, search) and type(t[key]) == "function" then error("search." .. key .. " is lathe's own", 2) end
            t[key] = behind[v] or v
        end,
        __len = function() return #t end,
        __pairs = function()
            local step, state, first = safe.pairs(t)
            return function(_, key)
                local k, v = step(state, key)
                return k, as_data(v)
            end, nil, first
        end,
    })
    shown[t], behind[proxy] = proxy, t
    return proxy
end

-- A strategy is a table with a function in it: everybody's stay as they are.
local function copied(v)
    if type(v) ~= "table" then return v end
    if rawequal(v, search) then return as_data(v) end
    local copy = {}
    for key, x in next, v do copy[key] = x end
    return raw_setmetatable(copy, raw_getmetatable(v))
end

local function of_lathe(name)
    if full[name] ~= nil or off[name] then return true end
    return macros[name] ~= nil or engine.rule(name) ~= nil or library[name] ~= nil or safe[name] ~= nil
end

-- What a name stands for, and whether that is lathe's.
local function named(name)
    if name == "_G" then return view end
    local v = own[name]
    if v == nil and kept[name] then v = rawget(session, name) end
    if v == nil then v = globals[name] end
    if v ~= nil or type(name) ~= "string" then return v end
    return macros[name] or base.find_rule(name) or library[name], true
end

local function lookup(name, level)
    if off[name] then error(name .. " is switched off in Lua that came from a session file", level) end
    local v, ours = named(name)
    if ours then return base.permitted(name, copied(v)) end
    return v
end

raw_setmetatable(view, {
    __metatable = "session",
    __index = function(_, name) return lookup(name, 2) end,
    __newindex = function(_, name, v)
        if kept[name] and not of_lathe(name) then session[name] = v else own[name] = v end
    end,
    __pairs = function() return safe.pairs(own) end,
})

-- running what a file keeps

local function names_in(item_name) return item_name:gsub("^%d+:", ""):gmatch("[^,]+") end

-- Run a chunk that a session file kept under that name; it is kept again. It may fail once all it was kept for is there.
-- Returns what it has defined as a text: "small, tiled".
function M.reopen(name, text)
    local chunk, message = raw_load(text, "=lua", "t", view)
    if not chunk then error(message, 0) end
    for one in names_in(name) do kept[one] = true end
    local ok, why = engine.pcall(noted.noting, text, chunk)
    local made = noted.made_last()
    if ok then return made end
    for one in names_in(name) do
        if not noted.is_defined(one) then error(why, 0) end
    end
    return made
end

-- Define a macro that a session file keeps: what it names is looked up as for Lua from there.
function M.reopen_macro(text)
    texts.define_macro(text, raw_setmetatable({}, {__metatable = "environment", __index = function(_, name)
        local v = lookup(name, 3)
        if v == nil then base.unknown(name) end
        noted.touched()
        return v
    end}), function(name) return off[name] or named(name) end)
end

-- Give up what Lua from files holds: it is in the way of the user's own.
function M.drop()
    for name in next, kept do
        session[name], macros[name] = nil, nil
    end
    for name in next, own do own[name] = nil end
end

return M

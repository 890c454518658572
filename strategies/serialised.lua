-- serialised: the Lua text that session files keep: chunks that made functions which rules name as conditions, macros made by
-- register, search strategies, and what those use.

local engine, base = require "engine", require "base"
local session, macros, search = base.session, base.macros, base.search

local M = {}

local own = {}                           -- globals that are only those of Lua from files (sandbox.lua)
M.own_globals = own

local DATA = 10000                       -- values in the tables of `search`; beyond it they are not data alone

local chunks = 0                         -- how many there were, uses of what users made in strategies and searches counted
local owner = {}                         -- by name: the chunk that set that global, or registered that macro, last
-- by name of a global table: later chunks that say they change what is in it, in order
local changers = {}
local registered = {}                    -- names of the macros made by register
local searchers = {}                     -- by name: the chunk that defined that search strategy
local data_changers = {}                 -- what changed what searches go by (search.heuristics ...), in order
-- the chunk that runs; the globals when it began, and what searches went by
local current, before, data_before

-- What is in the tables of `search`, by path: {value =, keys = the way there}.
local function add_data(t, keys, into, count)
    for key, v in next, t do
        count[1] = count[1] + 1
        if count[1] > DATA then break end
        local simple = type(key) == "string" or math.type(key) == "integer"
        local way = table.move(keys, 1, #keys, 1, {})
        way[#way + 1] = key
        if not simple then                                           -- no data of ours
        elseif type(v) == "table" and #way < 6 then add_data(v, way, into, count)
        elseif #way > 1 then into[table.concat(way, "\0")] = {value = v, keys = way} end
    end
    return into
end

-- Before anybody has asked for `search` nobody has changed it.
local function search_data() return rawget(base.library, "search") and add_data(search, {}, {}, {0}) or {} end

-- All of its data is there now.
function M.search_read() data_before = search_data() end

-- The text that makes data what it is now; nil: it is not data alone.
local function assignment(entry, value)
    local kind, place, lines = type(value), "search", {}
    if kind ~= "number" and kind ~= "string" and kind ~= "boolean" and kind ~= "nil" then return nil end
    for i, key in ipairs(entry.keys) do
        place = place .. string.format(type(key) == "string" and "[%q]" or "[%d]", key)
        lines[i] = place .. " = " .. (i < #entry.keys and place .. " or {}" or string.format("%q", value))
    end
    return table.concat(lines, "; ")
end

-- The changes from one to the other as text; "": there are none; nil: they are not data alone.
local function changes_text(old, new)
    local lines = {}
    for _, path in ipairs(base.keys(base.merged(old, new))) do
        local was, is = old[path], new[path]
        if not was or not is or not rawequal(was.value, is.value) then
            local line = assignment(is or was, is and is.value)
            if not line then return nil end
            lines[#lines + 1] = line
        end
    end
    return table.concat(lines, "\n")
end

-- What the chunk that runs changed of what searches go by: as text, or the chunk itself.
local function settle_data()
    local now = search_data()
    local text, last = changes_text(data_before, now), data_changers[#data_changers]
    if text == "" or last == current then return end
    if not text then data_changers[#data_changers + 1] = current
    elseif last and last.id == current.id then last.text = last.text .. "\n" .. text
    else data_changers[#data_changers + 1] = {id = current.id, text = text} end
end

-- All globals with their values.
local function all_globals() return base.merged(own, session) end

local function remember() before, data_before = all_globals(), search_data() end

-- Does a text assign to what is in the table of that name: NAME.x = .., NAME[k] = .., function NAME.f, insert(NAME, ..)?
local function changes(text, name)
    for _, f in ipairs({"insert", "remove", "sort", "rawset", "setmetatable"}) do
        if text:find("%f[%w_]" .. f .. "%s*%(%s*" .. name .. "%f[^%w_]") then return true end
    end
    return text:find("%f[%w_]" .. name .. "%s*[%.%[][^\n=~<>]*=[^=]") or text:find("function%s+" .. name .. "[%.:]")
end

local function note_change(name)
    local all = changers[name] or {}
    changers[name] = all
    if all[#all] ~= current then all[#all + 1] = current end
end

-- What the chunk that runs has changed so far is its own.
local function settle()
    if not current then return end
    for name, v in next, all_globals() do
        if type(name) ~= "string" then
        elseif not rawequal(before[name], v) then owner[name], changers[name] = current, nil
        elseif type(v) == "table" and owner[name] and owner[name] ~= current and changes(current.text, name) then
            note_change(name)
        end
    end
    settle_data()
    remember()
end

-- An argument list as text, so that the chunk can be run again with it.
local function with_args(text, ...)
    local args = {}
    for i = 1, select("#", ...) do args[i] = string.format("%q", (select(i, ...))) end
    if #args == 0 then return text end
    return "return (function(...) " .. text .. "\nend)(" .. table.concat(args, ", ") .. ")"
end

function M.chunks() return chunks end

-- A strategy or a search uses what a user made in Lua, which may change what conditions read, as a chunk may.
function M.touched() chunks = chunks + 1 end

-- Run a chunk and remember what it made, even where it fails in the end.
function M.noting(text, chunk, ...)
    settle()
    local outer = engine.nested() and current or nil         -- one that was ended on its way is none that runs
    chunks = chunks + 1
    current = {id = chunks, text = with_args(text, ...)}
    remember()
    local values = table.pack(xpcall(chunk, engine.locate, ...))
    settle()
    current = outer
    if not values[1] then
        base.misspelt(values[2])
        error(values[2], 0)
    end
    return table.unpack(values, 2, values.n)
end

function M.registered(name)
    registered[name] = true
    owner[name] = current
end

function M.searcher(name) searchers[name] = current end

-- Is there a global, a macro or a search strategy of that name that a chunk made?
function M.is_defined(name)
    return rawget(session, name) ~= nil or own[name] ~= nil or macros[name] ~= nil or searchers[name] ~= nil
end

-- What the last chunk that ran has made, for all to use: "limit, short".
function M.made_last()
    settle()
    local made, data = {}, data_changers[#data_changers]
    for name, chunk in next, owner do
        if chunk.id == chunks and (rawget(session, name) ~= nil or macros[name] ~= nil) then made[name] = true end
    end
    for name, chunk in next, searchers do made[name] = chunk.id == chunks or made[name] end
    if data and data.id == chunks then made.search = true end
    for name, is in next, made do made[name] = is or nil end
    return table.concat(base.keys(made), ", ")
end

-- needed(names, macros): what is needed for the functions of those names and, if asked, for macros and search strategies;
-- {{name = "3:f,g", text =}, ...} in the order in which it ran. Any word in a text counts as a use of the global of that name.
function M.needed(names, with_macros)
    settle()
    local need, found, queue = {}, {}, {}
    local function want_chunk(chunk, name)
        if not need[chunk] then need[chunk], found[#found + 1], queue[#queue + 1] = {}, chunk, chunk end
        need[chunk][name] = true
    end
    local function want(name)
        if not owner[name] or not M.is_defined(name) then return end
        want_chunk(owner[name], name)
        for _, chunk in ipairs(changers[name] or {}) do want_chunk(chunk, name) end
    end
    local function want_all(text)
        for word in text:gmatch("[%a_][%w_]*") do want(word) end
    end
    for _, name in ipairs(names) do want(name) end
    if with_macros then
        for name in next, registered do want(name) end
        for _, text in next, base.macro_texts do want_all(text) end
        for name, chunk in next, searchers do want_chunk(chunk, name) end
        for _, chunk in ipairs(data_changers) do want_chunk(chunk, "search") end
    end
    while #queue > 0 do want_all(table.remove(queue).text) end
    table.sort(found, function(a, b) return a.id < b.id end)
    for i, chunk in ipairs(found) do
        found[i] = {name = chunk.id .. ":" .. table.concat(base.keys(need[chunk]), ","), text = chunk.text}
    end
    return found
end

return M

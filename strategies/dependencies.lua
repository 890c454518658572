-- dependencies: what the Lua functions that a rule's conditions name depend on: their text with all that it uses, and the values that
-- they reach. Where that is the same they answer the same; what reads more than Lua's own values is said to.

local engine, base, kept = require "engine", require "base", require "serialised"
local texts, user, foreign, names_of = require "texts", require "session", require "sandbox", require "names"
local session, full, view, the_session = base.session, user.full, foreign.view, base.session.t

local REACHED = 20000                    -- values; beyond it every chunk counts as a change

-- what is lathe's own and Lua's

local outside = base.set("t", "collectgarbage", table.unpack(user.outside))          -- what can change unseen

local known = {}                         -- functions by value: their names
for _, globals in ipairs({texts.safe, foreign.globals, full}) do
    for name, v in next, globals do
        if type(v) == "function" then known[v] = name end
        for key, f in next, name ~= "_G" and type(v) == "table" and v or {} do
            if type(f) == "function" and type(key) == "string" then known[f] = name .. "." .. key end
        end
    end
end
known[debug.getmetatable("").__index] = "text methods"

local function outside_of(name)
    local library = name:match("^[^.]*")
    return name == "math.random" and name or outside[library] and library
end

-- values as text

local function plain(v)
    if type(v) == "string" then return "s" .. #v .. ":" .. v end
    if type(v) == "number" then return (math.type(v) == "integer" and "i%d;" or "f%a;"):format(v) end
    if type(v) == "userdata" or type(v) == "thread" then return ("%p;"):format(v) end
    return tostring(v) .. ";"
end

local function in_order(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    return (type(a) == "number" or type(a) == "string") and a < b
end

local function sorted_keys(t) return base.keys(t, in_order) end

-- The functions of those names with what they reach, as a text; what of it can change unseen, or nil.
local function reached(names)
    local parts, seen, count, unseen = {}, {}, 0, nil
    local visit
    local function put(text) parts[#parts + 1] = text end
    local function visit_items(t)
        for _, k in ipairs(sorted_keys(t)) do
            visit(k)
            visit(rawget(t, k))
        end
    end
    local function visit_library(t)
        for _, k in ipairs(sorted_keys(t)) do
            put(plain(k))
            if known[t[k]] then put(known[t[k]]) else visit(t[k]) end
        end
    end
    local function visit_whole()
        if seen[session] then return end
        seen[session] = 0
        visit_items(session)
        visit_items(kept.own_globals)
    end
    local function visit_global(name)
        local v = rawget(session, name)
        if v == nil then v = kept.own_globals[name] end
        if v ~= nil then visit(v)
        elseif name == "_G" then visit_whole()
        elseif outside[name] then unseen = name
        elseif type(full[name]) == "table" then visit_library(full[name]) end
    end
    local function visit_code(code, is_env)
        local use = names_of.uses(code, is_env)
        if not use or use.texts.random then unseen = use and "math.random" or "Lua of another version" end
        if not use or use.whole then visit_whole() end
        for _, name in ipairs(use and use.names or {}) do visit_global(name) end
    end
    local function visit_function(f)
        if known[f] then
            put(known[f])
            unseen = outside_of(known[f]) or unseen
            return
        end
        if debug.getinfo(f, "S").what == "C" then
            put(("%p"):format(f))
            unseen = "a coroutine or a function of C"
            return
        end
        local code, is_env = string.dump(f, true), {}
        put(code)
        for i = 1, debug.getinfo(f, "u").nups do
            local _, v = debug.getupvalue(f, i)
            is_env[i - 1] = rawequal(v, session) or rawequal(v, view)
            if not is_env[i - 1] then visit(v) end
        end
        visit_code(code, is_env)
    end
    local function visit_table(t)
        if rawequal(t, session) or rawequal(t, view) then return visit_whole() end
        visit_items(t)
        visit(debug.getmetatable(t))
    end
    local function opaque(v)
        if rawequal(v, the_session) or rawequal(v, engine) then return "t" end
        return type(v) == "thread" and "a coroutine" or io.type(v) and "a file"
    end
    function visit(v)
        count = count + 1
        if count > REACHED then return end
        unseen = opaque(v) or unseen
        if opaque(v) or type(v) ~= "table" and type(v) ~= "function" then
            put(plain(v))
        elseif seen[v] then
            put("#" .. seen[v] .. ";")
        else
            seen[v] = count
            put(type(v) == "table" and "{" or "(")
            if type(v) == "table" then visit_table(v) else visit_function(v) end
            put(")")
        end
    end
    for _, name in ipairs(names) do visit_global(name) end
    visit_library(string)
    visit(debug.getmetatable("").__index)
    if count > REACHED then put("after " .. kept.chunks()) end
    return table.concat(parts), unseen
end

-- text(names): a text that is another one whenever the functions of those names might answer otherwise; how many chunks
-- there were; what they read that can change unseen, or nil.
local function text(names)
    local parts = {}
    for i, item in ipairs(kept.needed(names, false)) do parts[i] = item.text end
    local text, unseen = reached(names)
    parts[#parts + 1] = text
    return table.concat(parts, "\0"), kept.chunks(), unseen
end

return {text = text}

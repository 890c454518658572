-- names: what compiled Lua names: the globals that a function reads; the rules and values of the library that lathe's own
-- files name. A name is found wherever it stands, also in a branch that is not taken and a function that is not called.

local base = require "base"
local library, session = base.library, base.session

local M = {}

local LOADK, GETUPVAL, GETTABUP, CALL, TAILCALL = 3, 9, 11, 68, 69      -- opcodes of Lua 5.4
local HEADER = "\27Lua\x54\0\x19\x93\r\n\x1a\n\4\8\8" .. ("jn"):pack(0x5678, 370.5)

-- A dump as {code, lines, constants, upvalues = {in_stack, index, kind, name}, inner}, indices as in the code; nil: it is of
-- another Lua. Without lines and names where it is stripped.
local function bytecode(dump)
    if dump:sub(1, #HEADER) ~= HEADER then return nil end
    local at = #HEADER + 2
    local function take(format)
        local v
        v, at = format:unpack(dump, at)
        return v
    end
    local function count()
        local n, b = 0
        repeat
            b = take("B")
            n = n << 7 | b & 0x7f
        until b >= 0x80
        return n
    end
    local function text()
        local n = count()
        return n > 0 and take("c" .. n - 1) or nil
    end
    local readers = {[0x03] = function() return take("j") end, [0x13] = function() return take("n") end, [0x04] = text, [0x14] = text}
    local function constant() return (readers[take("B")] or function() end)() end
    local function proto()
        local p = {code = {}, lines = {}, constants = {}, upvalues = {}, inner = {}}
        text()
        local line = count()
        count() take("c3")
        for i = 1, count() do p.code[i] = take("<I4") end
        for i = 0, count() - 1 do p.constants[i] = constant() end
        for i = 0, count() - 1 do p.upvalues[i] = {take("B") ~= 0, take("B"), take("B")} end
        for i = 1, count() do p.inner[i] = proto() end
        for i = 1, count() do p.lines[i] = take("b") end                 -- from the one before; -128: it is a line of its own below
        local own = {}
        for _ = 1, count() do own[count() + 1] = count() end
        for i, more in ipairs(p.lines) do
            line = own[i] or line + more
            p.lines[i] = line
        end
        for _ = 1, count() do text() count() count() end
        for i = 0, count() - 1 do p.upvalues[i][4] = text() end
        return p
    end
    return proto()
end

local function fields(code) return code & 0x7f, code >> 7 & 0xff, code >> 16 & 0xff, code >> 24 end

-- is_env[i]: is upvalue i the globals? Names that are read go to use.names, their first lines to use.lines, texts to use.texts;
-- use.whole: the globals are passed on.
local function scan(p, is_env, use)
    for _, k in next, p.constants do
        if type(k) == "string" then use.texts[k] = true end
    end
    for i, code in ipairs(p.code) do
        local op, _, b, c = fields(code)
        local name = op == GETTABUP and is_env[b] and p.constants[c]
        if op == GETUPVAL and is_env[b] then use.whole = true end
        if name then use.names[#use.names + 1], use.lines[name] = name, use.lines[name] or p.lines[i] end
    end
    for _, inner in ipairs(p.inner) do
        local inherited = {}
        for i, up in next, inner.upvalues do inherited[i] = not up[1] and is_env[up[2]] end
        scan(inner, inherited, use)
    end
end

-- What a function reads, given as its dump; nil: it is of another Lua.
function M.uses(dump, is_env)
    local p, use = bytecode(dump), {names = {}, lines = {}, texts = {}, whole = false}
    if p then scan(p, is_env, use) end
    return p and use
end

-- The globals that a function reads, where env are its globals: {{name, "FILE:LINE"}, ...}
function M.read(f, env)
    local info, is_env, list = debug.getinfo(f, "Su"), {}, {}
    for i = 1, info.nups do
        local _, v = debug.getupvalue(f, i)
        is_env[i - 1] = rawequal(v, env)
    end
    local use = M.uses(string.dump(f), is_env)
    for i, name in ipairs(use and use.names or {}) do list[i] = {name, info.short_src .. ":" .. use.lines[name]} end
    return list
end

-- Raises a name that nothing has where a user's function reads it, or one that it calls. has(name): is there something of that name?
function M.check(f, has, seen)
    local info = debug.getinfo(f, "Su")
    if seen[f] or info.what == "C" or info.short_src:find("^lathe/") then return end
    seen[f] = true
    for i = 1, info.nups do
        local _, v = debug.getupvalue(f, i)
        if type(v) == "function" then M.check(v, has, seen) end
    end
    for _, read in ipairs(M.read(f, session)) do
        if not has(read[1]) then base.unknown(read[1], read[2]) end
        local v = rawget(session, read[1])
        if type(v) == "function" then M.check(v, has, seen) end
    end
end

-- lathe's own files: R("NAME") names a rule, L.NAME something of the library, and a global is Lua's

local function check_rules(p, i, where)
    local _, r = fields(p.code[i])
    local names, op, a = 0, nil, nil
    repeat
        i = i + 1
        op, a = fields(p.code[i])
        if op == LOADK and a == r + 1 then
            local name = p.constants[p.code[i] >> 15]
            names = names + 1
            if not base.find_rule(name) then base.unknown(name, where) end
        end
    until (op == CALL or op == TAILCALL) and a == r
    if names == 0 then error(where .. ": R takes the name of a rule as it is", 0) end
end

local function check_proto(p, file)
    for i, code in ipairs(p.code) do
        local op, _, b, c = fields(code)
        local up, where = p.upvalues[b] and p.upvalues[b][4], file .. ":" .. (p.lines[i] or "?")
        if op == GETUPVAL and up == "R" then check_rules(p, i, where) end
        local from = op == GETTABUP and (up == "_ENV" and _G or up == "L" and library)
        if from and from[p.constants[c]] == nil then base.unknown(p.constants[c], where) end
    end
    for _, inner in ipairs(p.inner) do check_proto(inner, file) end
end

function M.check_own(f)
    local p = bytecode(string.dump(f))
    if p then check_proto(p, debug.getinfo(f, "S").short_src) end
end

return M

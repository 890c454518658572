-- python: expressions of Python as T1 has them, in values ("[2**i for i in range(6)]") and conditions ("32 <= a * b <= 1024"): read into
-- functions of the names' values. A list is a table.

local engine = require "engine"
local floor = math.floor

-- "12" "0.5" "'a'" names, and operators, the longest first.
local LONG = {"**", "//", "<=", ">=", "==", "!=", "&&", "||"}

local function tokens_of(text)
    local tokens, at = {}, 1
    while true do
        at = text:find("%S", at)
        if not at then return tokens end
        local number, word = text:match("^%d*%.?%d+[eE][+-]?%d+", at) or text:match("^%d+%.?%d*", at) or text:match("^%.%d+", at), text:match("^[%a_][%w_]*", at)
        local quote = text:match("^['\"]", at)
        local inside = quote and text:match("^" .. quote .. "([^" .. quote .. "]*)" .. quote, at)
        local token = number and {value = math.tointeger(number) or tonumber(number)} or word and {word = word} or inside and {value = inside}
        local length = #(number or word or inside and inside .. "''" or "")
        if not token then
            local op = text:sub(at, at)
            for _, long in ipairs(LONG) do op = text:sub(at, at + 1) == long and long or op end
            token, length = {op = op}, #op
        end
        tokens[#tokens + 1], at = token, at + length
    end
end

local function truth(v) return v and v ~= 0 and v ~= "" and not (type(v) == "table" and #v == 0) end

local function number(v)
    if type(v) == "boolean" then return v and 1 or 0 end
    return type(v) == "number" and v or error("a number is needed, not " .. tostring(v), 0)
end

local function joined(a, b)
    local list = table.move(a, 1, #a, 1, {})
    return table.move(b, 1, #b, #list + 1, list)
end

local function equal(a, b)
    if type(a) == "boolean" and type(b) == "number" or type(a) == "number" and type(b) == "boolean" then return number(a) == number(b) end
    return a == b
end

local function among(a, list)
    for _, x in ipairs(list) do
        if equal(a, x) then return true end
    end
    return false
end

local compare = {
    ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end, [">"] = function(a, b) return a > b end,
    [">="] = function(a, b) return a >= b end, ["=="] = equal, ["!="] = function(a, b) return not equal(a, b) end,
    ["in"] = among, ["not in"] = function(a, b) return not among(a, b) end,
}

local function power(a, b)
    local whole = math.type(a) == "integer" and math.type(b) == "integer" and b >= 0
    return whole and math.tointeger(a ^ b) or a ^ b
end

local arithmetic = {
    ["+"] = function(a, b) return type(a) == "table" and type(b) == "table" and joined(a, b) or number(a) + number(b) end,
    ["-"] = function(a, b) return number(a) - number(b) end, ["*"] = function(a, b) return number(a) * number(b) end,
    ["/"] = function(a, b) return number(a) / number(b) end, ["//"] = function(a, b) return floor(number(a) / number(b)) end,
    ["%"] = function(a, b) return number(a) % number(b) end, ["**"] = function(a, b) return power(number(a), number(b)) end,
}

local function list_or(...) return type((...)) == "table" and ... or {...} end

local calls = {
    list = function(a) return a or {} end, len = function(a) return #a end, abs = math.abs,
    int = function(a) return math.tointeger(a) or (a < 0 and math.ceil(a) or floor(a)) end, float = function(a) return a + 0.0 end,
    round = function(a) return floor(a + 0.5) end,
    min = function(...) return math.min(table.unpack(list_or(...))) end, max = function(...) return math.max(table.unpack(list_or(...))) end,
    sum = function(a)
        local all = 0
        for _, x in ipairs(a) do all = all + x end
        return all
    end,
    range = function(a, b, step)
        local list = {}
        for i = b and a or 0, (b or a) - ((step or 1) < 0 and -1 or 1), step or 1 do list[#list + 1] = i end
        return list
    end,
}

local M = {}

-- The function of a table of values by name, and the list of names that it needs; nil and why where the text is none.
function M.expression(text)
    local tokens, at, names, seen, bound = tokens_of(text), 1, {}, {}, {}
    local expression, disjunction

    local function fail()
        local t = tokens[at]
        error("cannot be read at " .. (t and '"' .. tostring(t.op or t.word or t.value) .. '"' or "its end"), 0)
    end
    local function is(what) return tokens[at] and (tokens[at].op == what or tokens[at].word == what) end
    local function take(what)
        if not is(what) then return false end
        at = at + 1
        return true
    end
    local function expect(what) return take(what) or fail() end

    -- A level of operators of two sides, that take the left one first; of: what one does with two values.
    local function level(of, below)
        return function()
            local left = below()
            while tokens[at] and tokens[at].op and of[tokens[at].op] do
                local f, a = of[tokens[at].op], left
                at = at + 1
                local b = below()
                left = function(v) return f(a(v), b(v)) end
            end
            return left
        end
    end

    -- Behind the first item of a list: others, or "for NAME in LIST [if CONDITION]".
    local function items(first, close)
        local list = {first}
        while take(",") and not is(close) do list[#list + 1] = expression() end
        expect(close)
        return function(v)
            local made = {}
            for i, one in ipairs(list) do made[i] = one(v) end
            return made
        end
    end

    local function list(close)
        if take(close) then return function() return {} end end
        local depth, name = 0, nil       -- the name that `for` binds stands behind what uses it
        for i = at, #tokens do
            local t = tokens[i]
            depth = depth + ((t.op == "(" or t.op == "[") and 1 or (t.op == ")" or t.op == "]") and -1 or 0)
            if depth < 0 then break end
            if depth == 0 and t.word == "for" then name = (tokens[i + 1] or {}).word break end
        end
        if name then bound[name] = (bound[name] or 0) + 1 end
        local item = expression()
        if not name then return items(item, close) end
        expect("for")
        at = at + 1                      -- its name
        expect("in")
        local from = disjunction()
        local condition = take("if") and expression()
        expect(close)
        bound[name] = bound[name] > 1 and bound[name] - 1 or nil
        return function(v)
            local made, inner = {}, setmetatable({}, {__index = v})
            for _, x in ipairs(from(v)) do
                inner[name] = x
                if not condition or truth(condition(inner)) then made[#made + 1] = item(inner) end
            end
            return made
        end
    end

    local function call(name)
        local f, arguments = calls[name] or error("there is no function " .. name, 0), list(")")
        return function(v) return f(table.unpack(arguments(v))) end
    end

    local function atom()
        local t = tokens[at] or fail()
        at = at + 1
        if t.value ~= nil then return function() return t.value end end
        if t.word == "True" or t.word == "False" then return function() return t.word == "True" end end
        if t.op == "[" then return list("]") end
        if t.op == "(" then
            local inside = expression()
            if is(",") then return items(inside, ")") end
            expect(")")
            return inside
        end
        if not t.word then
            at = at - 1
            fail()
        end
        if take("(") then return call(t.word) end
        if not bound[t.word] and not seen[t.word] then seen[t.word], names[#names + 1] = true, t.word end
        return function(v)
            local value = v[t.word]
            if value == nil then error("there is no parameter " .. t.word, 0) end
            return value
        end
    end

    local unary
    local function raised()
        local base = atom()
        if not take("**") then return base end
        local exponent = unary()
        return function(v) return arithmetic["**"](base(v), exponent(v)) end
    end
    function unary()
        if take("-") then
            local inside = unary()
            return function(v) return -number(inside(v)) end
        end
        return take("+") and unary() or raised()
    end
    local product = level({["*"] = arithmetic["*"], ["/"] = arithmetic["/"], ["//"] = arithmetic["//"], ["%"] = arithmetic["%"]}, unary)
    local sum = level({["+"] = arithmetic["+"], ["-"] = arithmetic["-"]}, product)

    -- a < b < c: of neighbours each.
    local function comparison()
        local terms, tests = {sum()}, {}
        while true do
            local t = tokens[at] or {}
            local word = t.op or t.word == "in" and "in" or t.word == "not" and (tokens[at + 1] or {}).word == "in" and "not in"
            if not compare[word] then break end
            at = at + (word == "not in" and 2 or 1)
            tests[#tests + 1], terms[#terms + 1] = compare[word], sum()
        end
        if #tests == 0 then return terms[1] end
        return function(v)
            local left = terms[1](v)
            for i, test in ipairs(tests) do
                local right = terms[i + 1](v)
                if not test(left, right) then return false end
                left = right
            end
            return true
        end
    end
    local function negated()
        if not (take("not") or take("!")) then return comparison() end
        local inside = negated()
        return function(v) return not truth(inside(v)) end
    end
    -- `and` and `or` give one of their sides, and do not look at the other.
    local function either(words, below, stops)
        return function()
            local left = below()
            while take(words[1]) or take(words[2]) do
                local a, b = left, below()
                left = function(v)
                    local value = a(v)
                    if truth(value) == stops then return value end
                    return b(v)
                end
            end
            return left
        end
    end
    disjunction = either({"or", "||"}, either({"and", "&&"}, negated, false), true)
    function expression()
        local value = disjunction()
        if not take("if") then return value end
        local condition = disjunction()
        expect("else")
        local other = expression()
        return function(v) return (truth(condition(v)) and value or other)(v) end
    end

    local ok, f = engine.pcall(function()
        local whole = expression()
        return tokens[at] and fail() or whole
    end)
    if not ok then return nil, f end
    return f, names
end

M.truth = truth

return M

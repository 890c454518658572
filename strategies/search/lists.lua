-- lists: what is done with lists, and other small things that the files of this folder share.

local engine = require "engine"

local M = {}

-- f(x, i) of each x.
function M.map(list, f)
    local all = {}
    for i, x in ipairs(list) do all[i] = f(x, i) end
    return all
end

-- Those for which is(x).
function M.filter(list, is)
    local some = {}
    for _, x in ipairs(list) do
        if is(x) then some[#some + 1] = x end
    end
    return some
end

-- Another list of the same, and what else is given behind them.
function M.copy(list, ...)
    local all = table.move(list, 1, #list, 1, {})
    return table.move({...}, 1, select("#", ...), #all + 1, all)
end

-- A list that JSON shows as one even where it is empty; nil stays nil.
function M.json(list) return list and setmetatable(list, {__list = true}) end

-- "1 point", "2 points"
function M.count(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

function M.say(form, ...) engine.print(form:format(...)) end

return M

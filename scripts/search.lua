-- search: every variant of a program that rules lead to, breadth first, until enough different ones are known.
-- Usage: lathe scripts/search.lua PROGRAM.fun [VARIANTS [RULE ...]]        without rules: all that apply
--
-- Nothing is printed or kept on the way: v:moves() and v:try() look ahead. The smallest lowered variant is kept and tagged.

local file, wanted = ..., tonumber((select(2, ...))) or 1000
if not file then return print("usage: source scripts/search.lua PROGRAM.fun [VARIANTS [RULE ...]]") end
local allowed = {}
for _, rule in ipairs({select(3, ...)}) do allowed[rule] = true end

local function interesting(move) return next(allowed) == nil or allowed[move.rule] end

local function successors(v)
    local list = {}
    for _, move in ipairs(v:moves("/", {deep = true})) do
        local w = interesting(move) and v:try(move.strategy, move) or nil
        if w then list[#list + 1] = w end
    end
    return list
end

local start = assert(t.load(file))
local seen, found = {[start.hash] = true}, {start}
local at = 1
while found[at] and #found < wanted do
    for _, w in ipairs(successors(found[at])) do
        if not seen[w.hash] and #found < wanted then
            seen[w.hash] = true
            found[#found + 1] = w
        end
    end
    at = at + 1
end

local best, lowered = nil, 0
for i = 1, math.min(#found, 50) do
    local low = found[i]:lowered()
    if low then
        lowered = lowered + 1
        if not best or low:term().size < best:term().size then best = low end
    end
end
print(#found .. " variants; of the first " .. math.min(#found, 50) .. ", " .. lowered .. " were lowered")
if best then
    best:keep("best"):go()
    print("best is " .. tostring(best) .. ", " .. best:term().size .. " nodes")
end

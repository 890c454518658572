-- candidates: the points of all structures of an exploration, numbered through: the disjoint union of their spaces.

local search, map = require "explore", require("lists").map

local Point = {}
function Point.__tostring(p) return p.structure.label .. (next(p.params) and " " .. search.values_text(p.params) or "") end

-- Is a structure a recorded one? Those have no version; that of others may not be made yet.
function search.is_recorded(s) return not (s.made_later or rawget(s, "light") or rawget(s, "version")) end

-- For strategies that make versions beside the points of a run.
function search.needs_versions(run)
    local structure = run.points and run.points.structures and run.points.structures[1]
    if structure and search.is_recorded(structure) then error("it makes versions of its own, which no recording has", 0) end
end

-- What lower makes of v; nil: v is in lowered form already.
function search.default_of(v)
    local default = v:lowered()
    return default and default.hash ~= v.hash and default or nil
end

local methods = {}
local Candidates = {__index = methods}

-- The structure that has the k-th point: the last whose points begin before it.
local function holder(c, k)
    local low, high = 1, #c.structures
    while low < high do
        local middle = (low + high + 1) // 2
        if c.first[middle] < k then low = middle else high = middle - 1 end
    end
    return low
end

function methods.at(c, k)
    if k < 1 or k > c.count then return nil end
    local i = holder(c, k)
    local s = c.structures[i]
    return setmetatable({k = k, structure = s, params = s.space:at(k - c.first[i])}, Point)
end

function methods.index(c, p)
    local i = c.number[p.structure]
    local k = i and p.structure.space:index(p.params)
    return k and k > 0 and c.first[i] + k or nil
end

function methods.point(c, s, params)
    local k = c:index({structure = s, params = params})
    return k and c:at(k)
end

function methods.near(c, p)
    return map(p.structure.space:near(p.params), function(params) return c:point(p.structure, params) end)
end

-- The candidates of a list of structures; those without any point are left out.
function search.union(structures)
    local c = setmetatable({structures = {}, first = {}, number = {}, count = 0}, Candidates)
    for _, s in ipairs(structures) do
        local n = s.space.count
        if n > 0 then
            local i = #c.structures + 1
            c.structures[i], c.first[i], c.number[s] = s, c.count, i
            c.count = c.count + n
        end
    end
    return c
end

-- candidates(version, options): of all structures that the rules lead to.
function search.candidates(v, options)
    local e, why = search.explore(v, options)
    if not e then return nil, why end
    return search.union(e.structures)
end

return search

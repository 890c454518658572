-- fusion: maps over the instances of one array whose elements are small, and what they make of them for each other, in the groups of
-- one kernel: so many instances a group, function after function, with what lies between two of them in local memory (Fousek,
-- Filipovic and Madzin: the kernel of a fusion; a function's granularity is how many maps of its own are work-items). What is to be
-- made by a kernel of its own has memory before: toGlobal.

local engine, base, blocking = require "engine", require "base", require "blocking"
local R, macro, L = base.R, base.macro, base.library
local is_map, nested_map, peeled = blocking.is_map, blocking.nested_map, require("rows").peeled

local DEEPEST = 2                        -- dimensions of a group below that of the instances

-- The places of the arrays that the map at q reads.
local function read(q)
    local x = q:go("in")
    if x.term.prim ~= "zip" then return {x} end
    local list = {}
    for i, name in ipairs(x.term.slots) do list[i] = x:go(name) end
    return list
end

local LARGEST = 256                      -- scalars that are made of one instance, which go through local memory

-- Is all that t makes on its way an array of so few elements as the program itself says?
local function is_small(t)
    if t.is_array and not (t.scalars and t.scalars.value and t.scalars.value <= LARGEST) then return false end
    for _, child in ipairs(t.children) do
        if not is_small(child) then return false end
    end
    return true
end

-- Is t a map over n instances, each made of one instance of what it reads?
local function is_function(t, n)
    local f = is_map(t) and t.length:known() == n and t:slot("f")
    return f and not f:contains("mapLocal") and is_small(f) or false
end

-- The maps that are functions of instances at and below that at q, where it is one, those that make what others read first:
-- {at =, reads = {numbers of those}}.
local function graph(q)
    local list, n = {}, is_map(q.term) and q.term.length:known()
    local function add(p)
        local v = {at = p, reads = {}}
        for _, x in ipairs(read(p)) do
            if is_function(x.term, n) then v.reads[#v.reads + 1] = add(x) end
        end
        list[#list + 1] = v
        return #list
    end
    if n and is_function(q.term, n) then add(q) end
    return list
end

-- A map that makes a scalar of scalars is made where it is read.
local function is_elementwise(t) return not t:slot("f").is_array and not t:contains("reduce") end

local function run(q, name, args)
    local r = R(name, args).run(q)
    return r and r:at(q)
end

-- Below a map over blocks at q, map (map f) (split i x): x is split where it is made, as deep as there are functions of n instances.
local function push_split(q, n)
    local x = q:go("in", "in")
    if x.term.prim == "zip" then
        local r = run(q:go("in"), "splitZip")
        q = r and run(r:at(q), "mapFusion")
        if not q then return nil end
    end
    for _, x in ipairs(read(q)) do
        local p = q:at(x)
        if p.term.prim == "split" and is_function(p.term:slot("in"), n) then
            local r = run(p, "splitMap")
            r = r and push_split(r, n)
            r = r and r:at(q)
            if r and r:go("in").term.prim == "zip" then r = run(r:go("in"), "zipMap") end
            q = r and run(r:at(q), "mapFusion")
            if not q then return nil end
        end
    end
    return q
end

-- The function at q, a map over the instances of a group, and levels maps of its own by the work-items of the group.
local function by_items(q, levels)
    local d, p = DEEPEST, q
    repeat
        local r = run(p, "mapLocal", {d = d})
        if not r then return d < DEEPEST and q or nil end
        q, d = r:at(q), d - 1
        p = d >= DEEPEST - levels and d >= 0 and nested_map(r)
    until not p
    return q
end

-- Every function of i instances at and below q, the body of a group; level(k): of the k-th, as graph numbers them.
local function stages(q, i, level)
    local t = q.term
    local is_stage = is_map(t) and t.length:known() == i
    if not (is_stage or t.prim == "let" or t.prim == "zip" or t.prim == "(,)" or t.layout_node) then return q end
    for _, child in ipairs(q:children()) do
        local r = child.slot == "f" and q or stages(q:at(child), i, level)
        if not r then return nil end
        q = r:at(q)
    end
    return is_stage and by_items(q, level()) or q
end

macro("functionsInGroups", "{n=16, levels=2}",
    "maps of what maps make, in one kernel: n instances a group, so many levels of a function's own maps by its work-items (a text: a digit for each function); what lies between two functions in local memory",
    function(given)
        local o = blocking.options("functionsInGroups", given, {n = 16, levels = 2})
        return base.new("functionsInGroups", function(c)
            local length = is_map(c.term) and c.term.length:known()
            if not length or not is_function(c.term, length) then return nil, base.failure(c, "functionsInGroups", "a map whose function makes small arrays") end
            local r, k = run(c, "splitJoin", {n = o.n}), 0
            local q = r and push_split(r:go("in"), length)
            q = q and run(q, "mapWorkgroup", {d = 0})
            q = q and stages(q:go("f"), o.n, function()
                k = k + 1
                return type(o.levels) == "string" and tonumber(o.levels:sub(k, k)) or tonumber(o.levels) or 0
            end)
            return q and q:at(c)
        end)
    end)

-- Rows of the functions at and below that at q: the most of what the function of one maps over.
local function rows(q)
    local most = 1
    for _, v in ipairs(graph(q)) do
        local inner = nested_map(v.at)
        if inner then most = math.max(most, inner.term.length.value) end
    end
    return most
end

local INSTANCES, ITEMS = 16, 256         -- of a CPU's group; of a GPU's

-- The functions at and below c, in groups as they suit those at and below whole: so many instances, or nearly as many where these divide
-- their number, else what is left is a kernel of its own; their rows by work-items, on a CPU, where those are loops, one level more.
local function in_groups(c, gpu, whole)
    local most = gpu and math.max(1, ITEMS // rows(whole)) or INSTANCES
    local length, n = c.term.length:known(), 1
    while 2 * n <= math.min(most, length) do n = 2 * n end
    local even = math.min(most, length)
    while length % even ~= 0 do even = even - 1 end
    local function made(k) return L.functionsInGroups({n = k, levels = gpu and 1 or 2}) end
    return 2 * even > n and made(even) or peeled(c.term, n, made(n), made(length % n))
end

-- Are there functions at and below q that are worth a kernel with local memory?
local function worth(q)
    local list = graph(q)
    local some = false
    for _, v in ipairs(list) do some = some or not is_elementwise(v.at.term) end
    return some and #list or 0
end

-- q with all that the functions at and below it read besides each other as each(place) makes it.
local function outside(q, each)
    local n = q.term.length:known()
    for _, x in ipairs(read(q)) do
        local p = q:at(x)
        q = (is_function(p.term, n) and outside(p, each) or each(p)):at(q)
    end
    return q
end

return {read = read, graph = graph, in_groups = in_groups, worth = worth, outside = outside}

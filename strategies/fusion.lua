-- fusion: maps over the instances of one array whose elements are small, and what they make of them for each other, in the groups of
-- one kernel: so many instances a group, function after function, with what lies between two of them in local memory (Fousek,
-- Filipovic and Madzin: the kernel of a fusion; a function's granularity is how many maps of its own are work-items). What is to be
-- made by a kernel of its own has memory before: toGlobal.

local base, blocking, texts = require "base", require "blocking", require "texts"
local search = require "heuristics"
local R, L, lengths = base.R, require "combinators", require "lengths"
local is_map, nested_map, peeled = blocking.is_map, blocking.nested_map, require("rows").peeled

local DEEPEST = lengths.DIMENSIONS - 1   -- dimensions of a group below that of the instances

local function is_layout(t) return t.layout_map end

-- The places of the arrays that the map at q reads.
local function read(q)
    local x = q:go("in")
    if x.term.prim ~= "zip" then return {x} end
    local list = {}
    for i, name in ipairs(x.term.slots) do list[i] = x:go(name) end
    return list
end

-- Where they are made, past layouts of their elements.
local function sources(q)
    local list = read(q)
    for i, x in ipairs(list) do
        while is_layout(x.term) do x = x:go("in") end
        list[i] = x
    end
    return list
end

-- Is all that t makes on its way an array of so few elements as the program itself says? It goes through local memory.
local function is_small(t)
    return (not t.is_array or t.scalars and (t.scalars.value or math.huge) <= lengths.SMALL) and base.all(t.children, is_small)
end

-- Is t a map over n instances, each made of one instance of what it reads?
local function is_function(t, n)
    local f = is_map(t) and t.length:known() == n and t:slot("f")
    return f and not f:contains("mapLocal") and is_small(f) or false
end

-- The map at the end of the names at c.
local function last(c)
    while c.term.prim == "let" do c = c:go("body") end
    return c
end

-- Is every use of the value named at q, the place of a let, one of those places?
local function used_only(q, places)
    local value = q:go("value").place
    for p in base.places(q:go("body")) do
        local v = p.term.kind == "var" and not places[p.place] and p:value()
        if v and v.place == value then return false end
    end
    return true
end

-- The maps that are functions of instances at and below c, the last of which is its result, those that make what others read first:
-- {at =, from = of each array that it reads the number of the function that makes it, or false}. A name is a function if only functions
-- use it.
local function graph(c)
    local root = last(c)
    local n = is_map(root.term) and root.term.length:known()
    if not n or not is_function(root.term, n) then return {} end
    local uses, names = {}, {}
    local function look(p)               -- where functions read names
        for _, x in ipairs(sources(p)) do
            local v = x:value()
            uses[x.place] = v ~= nil or nil
            if is_function(x.term, n) then look(x) end
            if v and is_function(v.term, n) and not names[v.place] and #v.place > #c.place then
                names[v.place] = true
                look(v)
            end
        end
    end
    look(root)
    local list, numbers = {}, {}
    local function add(p)
        local v = {at = p, from = {}}
        for i, x in ipairs(sources(p)) do
            local f = names[x.place] == nil and x:value() or x
            local named = f ~= x and names[f.place] and used_only(f:up(), uses)
            v.from[i] = (named or f == x and is_function(x.term, n)) and (numbers[f.place] or add(f)) or false
        end
        list[#list + 1] = v
        numbers[p.place] = #list
        return #list
    end
    add(root)
    return list
end

local zip_split = L.seq(L.slot("in", R("splitZip")), R("mapFusion"))

-- Below a map over blocks at q, map (map f) (split i x): x is split where it is made, as deep as there are functions of n instances.
local function push_split(q, n)
    local x = q:go("in")
    if x.term.prim == "split" and x:go("in").term.prim == "zip" then
        q = zip_split.run(q)
        if not q then return nil end
    end
    for _, x in ipairs(read(q)) do
        local p = q:at(x)
        local made = p.term.prim == "split" and p.term:slot("in")
        if made and (is_function(made, n) or is_layout(made)) then
            local r = R("splitMap").run(p)
            r = r and push_split(r, n)
            r = r and r:at(q)
            if r and r:go("in").term.prim == "zip" then r = R("zipMap").run(r:go("in")) end
            q = r and R("mapFusion").run(r:at(q))
            if not q then return nil end
        end
    end
    return q
end

-- c, its last map over blocks and all functions below in that map; a name that only it reads, once, is none any more.
local function in_blocks(c, i, n)
    local r = R("splitJoin", {n = i}).run(last(c))
    while r do
        c = r:at(c)
        local q = push_split(last(c):go("in"), n)
        if not q then return nil end
        c = q:at(c)
        r = blocking.read_once.run(last(c):go("in"))
    end
    return c
end

-- The function at q, a map over the instances of a group, and levels maps of its own by the work-items of the group.
local function by_items(q, levels)
    local d, p = DEEPEST, q
    repeat
        local r = R("mapLocal", {d = d}).run(p)
        if not r then return d < DEEPEST and q or nil end
        q, d = r:at(q), d - 1
        p = d >= DEEPEST - levels and d >= 0 and nested_map(r)
    until not p
    return q
end

-- Implementations that users add: name, text (a strategy at the map over the instances of a group, which gives a mapLocal of dimension 2
-- with its own below), fits(body of the function) (nil: any).
search.implementations = {}

local function user_made(i, one)
    local bad = type(one) ~= "table" or type(one.name) ~= "string" or not one.name:find("^%a[%w_]*$") or type(one.text) ~= "string"
    if bad then error("search.implementations[" .. i .. "] needs a name, which is a word, and a text, which is a strategy", 0) end
    local strategy = texts.to_strategy(one.text)
    return {name = one.name, text = one.text, run = function(q)
        local r = strategy.run(q)                -- of the user's, which may leave the place
        return r and r:at(q)
    end}
end

-- How the function at q, a map over instances, can be made in a group: {name =, sides = lengths of its own maps by work-items (nil: not
-- known), run = what makes a stage of the map over the instances of a group} each. Those by granularity are called by their work-items
-- an instance, from one on.
local function implementations(q)
    local list, items, sides, p = {}, 1, {}, q
    for level = 0, DEEPEST do
        list[level + 1] = {name = tostring(items), sides = table.move(sides, 1, #sides, 1, {}), run = function(at) return by_items(at, level) end}
        p = nested_map(p)
        local n = p and p.term.length.value
        if not n then break end
        items, sides[level + 1] = items * n, n
    end
    for i, one in ipairs(search.implementations) do
        local made = user_made(i, one)
        if not one.fits or one.fits(q.term:slot("f")) then list[#list + 1] = made end
    end
    return list
end

-- Every function of i instances at and below q, the body of a group; made(q): one of them as a stage, in the order of graph.
local function stages(q, i, made)
    local t = q.term
    local is_stage = is_map(t) and t.length:known() == i
    if not (is_stage or is_layout(t) or t.prim == "let" or t.prim == "zip" or t.prim == "(,)" or t.layout_node) then return q end
    for _, child in ipairs(q:children()) do
        local r = child.slot == "f" and q or stages(q:at(child), i, made)
        if not r then return nil end
        q = r:at(q)
    end
    if is_stage then return made(q) end
    return q
end

-- The body of the groups of n instances, of that many in all, that the functions at c are put into.
local function group_of(c, n, length)
    local r = in_blocks(c, n, length)
    local q = r and R("mapWorkgroup", {d = 0}).run(last(r):go("in"))
    return q and q:go("f")
end

base.macro_at("functionsInGroups", "{n=16, levels=2, each=\"\"}",
    "maps of what maps make, in one kernel: n instances a group, so many levels of a function's own maps by its work-items (a text: a digit for each function), or each by an implementation of that name; what lies between two functions in local memory",
    function(c, o)
        local names, digits = {}, type(o.levels) == "string" and o.levels or nil
        for word in o.each:gmatch("%S+") do names[#names + 1] = word end
        local t, k, missing = last(c).term, 0, nil
        local length = is_map(t) and t.length:known()
        if not length or not is_function(t, length) then return nil end
        local q = group_of(c, o.n, length)
        q = q and stages(q, o.n, function(p)
            k = k + 1
            if #names == 0 then return by_items(p, digits and tonumber(digits:sub(k, k)) or tonumber(o.levels) or 0) end
            for _, one in ipairs(names[k] and implementations(p) or {}) do
                if one.name == names[k] then return one.run(p) end
            end
            missing = missing or names[k] or "a name for function " .. k
        end)
        if missing then return nil, base.failure(c, "functionsInGroups", "an implementation " .. missing) end
        return q
    end, "a map whose function makes small arrays")

local into_part = L.try(L.alt(R("letIntoFirst"), R("letIntoSecond")))

-- The names and the map at q in two parts, all but the last k instances and these, with the names of each part in it.
local function peeled_at(q, k)
    local t = q.term
    local p = t.prim == "let" and q:go("value") or q
    if is_map(p.term) then
        local r = L.seq(R("mapPeelLast", {n = k}), blocking.concat_parts).run(p)
        q = r and r:at(q)
    end
    if not q or t.prim ~= "let" then return q end
    local named = is_map(p.term) and R("letConcatOut").run(q)
    if is_map(p.term) and not named then return nil end
    local body = (named or q):go("body")
    if named then body = body:go("body") end
    local r = peeled_at(body, k)
    return r and (named and L.seq(L.slot("body", into_part), into_part) or into_part).run(r:at(named or q))
end

base.macro_at("functionsPeelLast", "(k)", "functions of instances, by names too: those of all but the last k instances, then of these", function(c, k)
    local r = peeled_at(c, k)
    return r and r.term.prim == "concat" and r or nil
end, "functions that only each other's names are used by")

-- How many instances a group takes of that many, at most so many or nearly: where that divides their number, or nearly all of them.
local function instances(length, most)
    local n, even = 1, math.min(most, length)
    while 2 * n <= math.min(most, length) do n = 2 * n end
    while length % even ~= 0 do even = even - 1 end
    return 2 * even > n and even or n
end

-- The functions at and below c in groups of n, or nearly as many where these divide their number, else what is left is a kernel of its own;
-- more: other options of functionsInGroups.
local function groups_of(c, most, more)
    local length = last(c).term.length:known()
    local n = instances(length, most)
    local function made(k) return L.functionsInGroups(base.merged({n = k}, more)) end
    if length % n == 0 then return made(n) end
    if c.term.prim ~= "let" then return peeled(c.term, n, made(n), made(length % n)) end
    return L.seq(L.functionsPeelLast(length % n), L.slot("0", made(n)), L.slot("1", made(length % n)))
end

-- What each of those implementations makes of the function at c, in groups of n instances: each(implementation, cursor or nil).
local function each_in_groups(c, n, list, each)
    local even = c.term.length:known() % n == 0
    local group = even and group_of(c, n, c.term.length:known())
    for _, one in ipairs(list) do
        local q = group and stages(group, n, one.run)
        if not even then q = groups_of(c, n, {each = one.name}).run(c) end
        each(one, q and q:at(c))
    end
end

-- What functions at those places are known by, wherever their arrays come from.
local function key(places)
    local parts = {}
    for i, p in ipairs(places) do parts[i] = p.term.length:known() .. p.term:slot("f").text end
    return table.concat(parts, "\n")
end

-- Groups that are wanted in the lowering under way, {n =, each =} by key.
local wanted = {}
local function want(groups) wanted = groups end

-- As it is wanted; else as it suits the device: rows by work-items, on a CPU, where those are loops, one level more.
local function in_groups(c)
    local warps, places = lengths.in_warps(), {}
    for i, v in ipairs(next(wanted) and graph(c) or {}) do places[i] = v.at end
    local o, rows = wanted[key(places)], 1
    if o then return groups_of(c, o.n, {each = o.each}) end
    for _, v in ipairs(warps and graph(c) or {}) do                        -- the most that the function of one maps over
        local inner = nested_map(v.at)
        if inner then rows = math.max(rows, inner.term.length.value) end
    end
    return groups_of(c, warps and math.max(1, lengths.items() // rows) or lengths.CPU.lanes, {levels = warps and 1 or 2})
end

-- How many functions at and below q are worth a kernel with local memory, and these, as graph says.
-- A map that makes a scalar of scalars is made where it is read.
local function worth(q)
    local list = graph(q)
    local some = base.any(list, function(v) return v.at.term:slot("f").is_array or v.at.term:contains("reduce") end)
    return some and #list or 0, list
end

-- c with all that the functions at and below it read besides each other as each(place) makes it; list: the functions.
local function outside(c, each, list)
    local functions = {}
    for _, v in ipairs(list or graph(c)) do functions[v.at.place] = true end
    local function visit(p)
        if functions[p.place] then
            for _, x in ipairs(sources(p)) do p = visit(p:at(x)):at(p) end
        elseif p.term.prim == "let" and #p.place < #last(c).place then
            p = visit(p:go("value")):at(p)
            p = visit(p:go("body")):at(p)
        elseif p.term.kind ~= "var" then return each(p) end
        return p
    end
    return visit(c)
end

return {sources = sources, last = last, graph = graph, implementations = implementations, each_in_groups = each_in_groups, instances = instances, groups_of = groups_of, in_groups = in_groups, key = key, want = want,
        worth = worth, outside = outside}

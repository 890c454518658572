-- combinators: ELEVATE's combinators and traversals over cursors.
--
-- Every strategy here leaves the cursor at the place where it started. Places are visited in pre-order.

local engine, base = require "engine", require "base"
local L = base.library
local new, strategy, failure, better, test = base.new, base.strategy, base.failure, base.better, base.test
local call_label = base.call_label

local function combinator(name, params, doc, value) base.name(name, params, doc, "combinator", value) end

local function count(n, who)
    if math.type(n) ~= "integer" or n < 0 then error(who .. " needs a number >= 0", 0) end
    return n
end

local function strategies(who, ...)
    local list = table.pack(...)
    for i = 1, list.n do list[i] = strategy(list[i], who) end
    return list
end

-- The cursor r moved back to where c was; a failure when that place is gone.
local function back(r, c, label)
    local q = r:at(c)
    if q then return q end
    return nil, failure(r, label, "the place " .. c.place, "it is gone")
end

-- a at the place q below c, which is what the label needs (nil: there is none).
local function below(c, q, a, label, needs)
    if not q then return nil, failure(c, label, needs) end
    local r, f = a.run(q)
    if not r then return nil, f end
    return back(r, c, label)
end

-- A combinator of one strategy: run(c, a, label).
local function unary(name, doc, run)
    combinator(name, "(a)", doc, function(a)
        a = strategy(a, name)
        local label = call_label(name, a)
        return new(label, function(c) return run(c, a, label) end)
    end)
end

-- The same of a number, from least on, and a strategy: run(c, n, a, label).
local function counting(name, params, doc, least, run)
    combinator(name, params, doc, function(n, a)
        if count(n, name) < least then error(name .. " counts from " .. least, 0) end
        a = strategy(a, name)
        local label = call_label(name, n, a)
        return new(label, function(c) return run(c, n, a, label) end)
    end)
end

-- sequence, choice, repetition

combinator("id", "", "succeed and change nothing", new("id", function(c) return c end))
combinator("fail", "", "never succeed", new("fail", function(c) return nil, failure(c, "fail") end))

-- The label of a sequence or choice; inside another one it gets brackets.
local function infix(list, op)
    local parts = {}
    for i = 1, list.n do
        local s = list[i]
        parts[i] = s.infix == " + " and op == " * " and list.n > 1 and "(" .. s.label .. ")" or s.label
    end
    return table.concat(parts, op), {infix = list.n > 1 and op or nil}
end

-- The choices of a that may succeed at a place, by its primitive; nil: some may at any place.
local function by_head(a)
    local at = {}
    for _, s in ipairs(a.choices or {a}) do
        if not s.heads then return nil end
        for prim in next, s.heads do
            at[prim] = at[prim] or {}
            table.insert(at[prim], s)
        end
    end
    return at
end

-- A failure behind rewrites that were done says more than one at a place where nothing fitted.
local PROGRESS = 20
local function after_progress(f, c, q)
    if f and q.root ~= c.root then f.score = f.score + PROGRESS end
    return nil, f
end

combinator("seq", "(a, b, ...)", "a, then b, ...: all must succeed; written a * b", function(...)
    local list = strategies("seq", ...)
    local label, fields = infix(list, " * ")
    if list[1] then fields.heads, fields.silent = list[1].heads, list[1].silent end
    return new(label, function(c)
        local q = c
        for i = 1, list.n do
            local r, f = list[i].run(q)
            if not r then return after_progress(f, c, q) end
            q, f = back(r, c, label)
            if not q then return nil, f end
        end
        return q
    end, fields)
end)

combinator("alt", "(a, b, ...)", "the first that succeeds; written a + b", function(...)
    local list = strategies("alt", ...)
    local label, fields = infix(list, " + ")
    fields.choices, fields.silent = list, base.all(list, function(s) return s.silent end)
    fields.heads = by_head(fields)
    return new(label, function(c)
        local best
        for i = 1, list.n do
            local r, f = list[i].run(c)
            if r then return r end
            best = better(best, f)
        end
        return nil, best
    end, fields)
end)

unary("try", "a, or nothing when it fails; written a^-1", function(c, a) return (a.run(c)) or c end)

-- One round of a from c; nil when it fails, changes nothing, or its place is gone.
local function round(a, c)
    local r = a.run(c)
    if not r or r.root == c.root then return nil end
    return r:at(c)
end

combinator("rep", "(a[, max])", "a as often as it changes something, at most max times; written a^0", function(a, max)
    a = strategy(a, "rep")
    if max then count(max, "rep") end
    local label = max and call_label("rep", a, max) or call_label("rep", a)
    return new(label, function(c)
        local seen, n = {[c.root] = true}, 0
        while not max or n < max do
            local r = round(a, c)
            if not r then break end
            c, n = r, n + 1
            if not max and seen[c.root] then
                engine.raise({id = "E25", message = label .. " goes round in circles: after " .. n ..
                    " rounds the term is one it had before",
                    notes = {{"place", c.place}, {"hint", "rep(" .. a.label .. ", MAX) ends after MAX rounds"}}})
            end
            seen[c.root] = true
        end
        return c
    end)
end)

counting("repeatNTimes", "(n, a)", "a exactly n times", 0, function(c, n, a, label)
    for _ = 1, n do
        local r, f = below(c, c, a, label)
        if not r then return nil, f end
        c = r
    end
    return c
end)

combinator("applyNTimes", "(n, t, a)", "t(t(...(a))): the transformer t n times around a, as in applyNTimes(2, fmap, a)",
    function(n, t, a)
        count(n, "applyNTimes")
        a = strategy(a, "applyNTimes")
        for _ = 1, n do a = strategy(t(a), "applyNTimes") end
        return a
    end)

-- predicates

unary("fails", "succeed, changing nothing, where a fails (ELEVATE's not); written -a", function(c, a, label)
    if not a.run(c) then return c end
    return nil, failure(c, label, "a place where " .. a.label .. " fails")
end)

unary("holds", "succeed, changing nothing, where a succeeds; written #a", function(c, a)
    local r, f = a.run(c)
    if r then return c end
    return nil, f
end)

local predicate_of

combinator("ifThenElse", "(p, a, b)", "a where p succeeds, else b", function(p, a, b)
    p = predicate_of(p)
    a, b = strategy(a, "ifThenElse"), strategy(b, "ifThenElse")
    return new(call_label("ifThenElse", p, a, b), function(c)
        if p.run(c) then return a.run(c) end
        return b.run(c)
    end)
end)

-- A predicate from a strategy, a pattern as text, or a function of term and cursor.
function predicate_of(p)
    if type(p) == "string" then
        local label = "'" .. p .. "'"
        return new(label, function(c)
            if c:matches(p) then return c end
            return nil, failure(c, label, label)
        end)
    end
    if type(p) == "function" then
        return new("function", function(c)
            if p(c.term, c) then return c end
            return nil, failure(c, "a predicate")
        end)
    end
    p = strategy(p, "where")
    return new(p.label, L.holds(p).run, {heads = p.heads, silent = p.silent})
end

combinator("where", "(pat, a)", "a at a place that matches the pattern or predicate", function(p, a)
    p, a = predicate_of(p), strategy(a, "where")
    return new(call_label("where", p, a), function(c)
        local r, f = p.run(c)
        if not r then return nil, f end
        return a.run(c)
    end, {heads = p.heads or a.heads, silent = p.heads and p.silent})
end)

-- children

-- a at the children of c, of which all must succeed, or at the first that does: the place then, at how many it did, and the failure that says
-- most; nil, a number and why.
local function each(c, a, all, first)
    local done, best = 0, nil
    for _, child in ipairs(c:children()) do
        local q = c:at(child)
        local r, f
        if q then r, f = a.run(q) elseif all then f = failure(c, a.label, "the place " .. child.place, "it is gone") end
        if r then
            done, c = done + 1, r
            if first then break end
        elseif all then return nil, done, f end
        best = better(best, f)
    end
    return c, done, best
end

unary("all", "a at every child", function(c, a, label)
    local r, _, f = each(c, a, true)
    if not r then return nil, f end
    return back(r, c, label)
end)

local function some_child(name, doc, first)
    unary(name, doc, function(c, a, label)
        local r, done, f = each(c, a, false, first)
        if done > 0 then return back(r, c, label) end
        return nil, f or failure(c, label, "a place with children")
    end)
end
some_child("one", "a at the first child where it succeeds", true)
some_child("some", "a at every child where it succeeds, at least one", false)

combinator("oneUsingState", "(a)", 
    "as one, but a failing attempt may hand a changed strategy (failure.next) to the next child", function(a)
        a = strategy(a, "oneUsingState")
        local label = call_label("oneUsingState", a)
        return new(label, function(c)
            local best
            for _, child in ipairs(c:children()) do
                local r, f = a.run(child)
                if r then return back(r, c, label) end
                best = better(best, f)
                if f and f.next then a = strategy(f.next) end
            end
            return nil, best or failure(c, label, "a place with children")
        end)
    end)

-- traversals

-- What a search that hit nothing says: a predicate that held nowhere is about all places.
local function nowhere(f, c)
    if not f or f.kind ~= "text" or f.score > 0 or not f.needs then return f end
    local all = failure(c, f.label, f.needs, f.found)
    all.nowhere = true
    return all
end

-- The k-th place from c on, in pre-order, where a succeeds; c first, whose failure says as much as those of places with other heads.
local function search(a, c, label, k)
    local q, best, hits = c, nil, 0
    local heads = a.silent and a.heads and not engine.told() and a.heads or nil
    while q do
        local r, f = a.run(q)
        if r then
            hits = hits + 1
            if hits == k then return back(r, c, label) end
        else
            best = better(best, f)
        end
        q = q:next(c, heads)
    end
    if hits == 0 then return nil, nowhere(best, c) end
    return nil, failure(c, label, k .. " places where it succeeds", hits .. (hits == 1 and " place" or " places"), 1)
end

unary("topdown", "a at the first place where it succeeds, root first", function(c, a, label) return search(a, c, label, 1) end)
counting("nth", "(k, a)", "a at the k-th place, in pre-order, where it succeeds; the first is 1", 1,
         function(c, k, a, label) return search(a, c, label, k) end)
counting("skip", "(n, a)", "a at the place where it succeeds after leaving out n such places", 0,
         function(c, n, a, label) return search(a, c, label, n + 1) end)

counting("position", "(n, a)", "a at the n-th place in pre-order; the place itself is 1", 1, function(c, n, a, label)
    local q, k = c, 1
    while q and k < n do q, k = q:next(c), k + 1 end
    if not q then return nil, failure(c, label, n .. " places", (k - 1) .. " places", 1) end
    return below(c, q, a, label)
end)

-- The first place that bottomup tries.
local function leaf_of(q)
    local child = q:children()[1]
    return child and leaf_of(child) or q
end

local function has_head(t, heads)
    for prim in next, heads do
        if t:contains(prim) then return true end
    end
end

local function bottomup_from(a, q)
    local best
    for _, child in ipairs(q:children()) do
        local r, f = bottomup_from(a, child)
        if r then return r end
        best = better(best, f)
    end
    local r, f = a.run(q)
    if r then return r end
    return nil, better(best, f)
end

unary("bottomup", "a at the first place where it succeeds, leaves first", function(c, a, label)
    local hopeless = a.silent and a.heads and not engine.told() and not has_head(c.term, a.heads)
    local r, f
    if hopeless then r, f = a.run(leaf_of(c)) else r, f = bottomup_from(a, c) end
    if not r then return nil, nowhere(f, c) end
    return back(r, c, label)
end)

-- A traversal defined by itself: make(a, self) gives the body.
local function recursive(name, doc, make)
    combinator(name, "(a)", doc, function(a)
        a = strategy(a, name)
        return base.recursive(call_label(name, a), function(self) return make(a, self) end)
    end)
end

recursive("alltd", "a at the topmost places, all must succeed: a, else alltd(a) in all children", function(a, self) return L.alt(a, L.all(self)) end)
recursive("sometd", "a at the topmost places where it succeeds, at least one", function(a, self) return L.alt(a, L.some(self)) end)
recursive("somebu", "a at the lowest places where it succeeds, at least one", function(a, self) return L.alt(L.some(self), a) end)
recursive("downup", "a here, in all children, and here again", function(a, self) return L.seq(a, L.all(self), a) end)
recursive("allTopdown", "a here, then everywhere below; all must succeed", function(a, self) return L.seq(a, L.all(self)) end)
recursive("allBottomup", "a everywhere below, then here; all must succeed", function(a, self) return L.seq(L.all(self), a) end)
recursive("tryAll", "a everywhere it succeeds, here first", function(a, self) return L.seq(L.try(a), L.try(L.all(self))) end)

local function normalizing(name, doc)
    combinator(name, "(a)", doc, function(a)
        a = strategy(a, name)
        local at, once = by_head(a), L.topdown(a)
        local body = L.rep(not at and once or new(once.label, function(c)
            if engine.told() then return once.run(c) end
            for q in base.places(c, at) do
                for _, s in ipairs(at[q.term.prim]) do
                    local r = s.run(q)
                    if r then return r:at(c) end
                end
            end
        end))
        return new(call_label(name, a), body.run)
    end)
end
normalizing("normalize", "a at the first place where it succeeds, until there is none")
normalizing("everywhere", "the same as normalize(a)")

-- pointing

local function named_search(name, doc, traversal)
    combinator(name, "(pat, a)", doc, function(p, a)
        if a == nil then return new(call_label(name, p), L[traversal](p).run) end
        p, a = predicate_of(p), strategy(a, name)
        return new(call_label(name, p, a), L[traversal](L.where(p, a)).run)
    end)
end
named_search("outermost", "a at the first place, root first, that matches pat and where a succeeds", "topdown")
named_search("innermost", "a at the first place, leaves first, that matches pat (may be left out) and where a succeeds",
    "bottomup")

combinator("slot", "(name, a)", "a at the child in that slot: slot(\"init\", a), slot(1, a)", function(name, a)
    a = strategy(a, "slot")
    local label = call_label("slot", name, a)
    return new(label, function(c) return below(c, c:go(name), a, label, "a slot " .. tostring(name)) end)
end)

local function_slots = {f = true, fwd = true, inv = true, body = true}

-- The i-th child that is data.
local function data_child(c, i)
    for k, name in ipairs(c.term.slots) do
        if not function_slots[name] then i = i - 1 end
        if i == 0 then return c:go(k) end
    end
end

combinator("argument", "([i, ]a)", "a at the data argument (the i-th, from 1, where there are several)", function(i, a)
    if a == nil then i, a = nil, i end
    a = strategy(a, "argument")
    local label = i and call_label("argument", count(i, "argument"), a) or call_label("argument", a)
    return new(label, function(c)
        local q = i and data_child(c, i) or not i and (c:go("in") or data_child(c, 1)) or nil
        return below(c, q, a, label, "a data argument")
    end)
end)

unary("body", "a at the body of the function", function(c, a, label)
    return below(c, c:go("f") or c:go("body"), a, label, "a function")
end)

unary("fmap", "a under one map: at the body of its function", function(c, a, label)
    local name = c.term.prim
    return below(c, name and name:sub(1, 3) == "map" and c:go("f"), a, label, "a map")
end)

combinator("at", "(path, a)", "a at a path below, as in at(\"in/f/body\", a)", function(path, a)
    a = strategy(a, "at")
    local relative, label = path:sub(1, 1) == "/" and path:sub(2) or path, call_label("at", path, a)
    return new(label, function(c) return below(c, c:path(relative), a, label, "the place " .. path) end)
end)

-- permutations as rule arguments

local function value(name, params, doc, v) base.name(name, params, doc, "value", v) end
value("reverse", "", "the permutation that reverses", {perm = "reverse"})
value("rotate", "(k)", "the permutation i + k", function(k) return {perm = "rotate", size = k} end)
value("stride", "(s)", "the permutation with stride s", function(s) return {perm = "stride", size = s} end)
value("perm", "(f, g)", "a permutation and its inverse as texts: perm(\"\\\\i -> i\", \"\\\\i -> i\")", function(f, g)
    return {perm = "perm", fwd = f, inv = g}
end)

-- predicates

local function predicate(name, params, doc, v) base.name(name, params, doc, "predicate", v) end

predicate("is", "(prim)", "a place that is this primitive: is(\"reduceSeq\")", function(name)
    return test(call_label("is", name), name, function(t) return t.prim == name end, name)
end)
predicate("has", "(prim)", "a place that contains this primitive", function(name)
    return test(call_label("has", name), "something with " .. name, function(t) return t:contains(name) end)
end)
predicate("over", "(binder)", "a map or reduction whose function binds that name: over(\"row\")", function(name)
    return test(call_label("over", name), "a function over " .. name, function(t)
        for _, b in ipairs(t.binders) do
            if b == name then return true end
        end
        return false
    end)
end)
predicate("under", "(prim)", "a place inside this primitive", function(name)
    return test(call_label("under", name), "a place under " .. name, function(_, c)
        local q = c:up()
        while q and q.term.prim ~= name do q = q:up() end
        return q
    end)
end)
predicate("yields", "(pat)", "a map whose function's body matches, as in yields(\"reduceSeq\")", function(p)
    local inner = predicate_of(type(p) == "string" and not string.find(p, "%s") and L.is(p) or p)
    return test(call_label("yields", p), "a function whose body is " .. inner.label, function(_, c)
        local q = c:go("f")
        return q and inner.run(q)
    end)
end)
predicate("computes", "", "a map that computes", test("computes", "a map that computes", function(t)
    return t.prim == "map" and not t.layout_map
end, "map"))
predicate("layout", "", "a place that only arranges data", test("layout", "pure layout", function(t) return t.is_layout end))
predicate("isArray", "", "an array, or a tuple with one", test("isArray", "an array", function(t) return t.is_array end))

return L

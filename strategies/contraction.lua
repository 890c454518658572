-- contraction: where a lowering makes one operation of a product and a sum (rules mulAdd, mulSub). Kernels round each operation as the program
-- says, but for these: the sums of a reduction, whose rounding its order leaves open, and values that reach nothing but floats. There small powers are
-- products, too.

local engine, base, L = require "engine", require "base", require "combinators"
local R, contains_any = base.R, require("blocking").contains_any

local deciding = {"==", "!=", "<", "<=", ">", ">=", "floor", "ceil", "round", "sign", table.unpack(engine.whole_types())}
local is_deciding = base.set(table.unpack(deciding))


-- Does the node make of a float what a last bit may change altogether: a choice, a whole number?
local function decides(t) return is_deciding[t.prim] and t:slot(1).is_float end

local decided                            -- by term, of one run: what one has in several places is looked at once

local function any_decides(t)
    local known = decided[t]
    if known == nil then
        known = decides(t) or base.any(t.children, any_decides)
        decided[t] = known
    end
    return known
end
local function may_decide(t) return contains_any(t, deciding) and any_decides(t) end

local repeats = base.prims "repeats"

-- Where the value of q goes from up on, by the variable that holds it: a term with all its uses; nil: by none.
local function bound_in(q, up)
    local t = up.term
    if t.prim == "let" then return q.slot == "value" and t:slot("body") or nil end
    if q.slot ~= "f" then return t:slot("f") end
    return repeats[t.prim] and t:slot("f") or nil
end

-- May the value of q decide something, here or where it is used?
local function reaches_decision(q)
    local up = q:up()
    while up do
        local uses = bound_in(q, up)
        if decides(up.term) or q.slot == "fwd" or q.slot == "inv" or (uses and may_decide(uses)) then return true end
        q, up = up, up:up()
    end
    return false
end

local passes = {["(,)"] = true, map = true, mapSeq = true, mapSeqUnroll = true, mapLocal = true, mapVec = true, asScalar = true,
                asVector = true, join = true, split = true, zip = true}

-- The fold of which the value of q is what its step gives, or a component or an element of that; nil: it is none, or the step decides something.
local function sum_of(q)
    local up = q:up()
    while up do
        local t = up.term
        if repeats[t.prim] then return q.slot == "f" and not may_decide(t:slot("f")) and t or nil end
        local passed = passes[t.prim] or t.prim == "let" and q.slot == "body" or t.prim == "fma" and q.slot == "c"
        if not passed then return nil end
        q, up = up, up:up()
    end
end
local function is_sum(q) return sum_of(q) ~= nil end

local mulAdd = R("mulAdd")

-- A sum of which the second part names what its factors are made of: the names first.
local names_first = L.where(function(t)
    local x = t.prim == "+" and t:slot(2)
    if not x or x.prim ~= "let" then return false end
    while x.prim == "let" do x = x:slot("body") end
    return x.prim == "*"
end, R("addLetOut"))

-- A sum or a difference of products that is added to one of many accumulators: one after the other, each an operation. Where a fold has one
-- accumulator alone, each step would wait twice.
local function is_block(q)
    local fold = sum_of(q)
    return fold and fold.is_array
end
local function has_product(t) return t.prim == "*" or (t.prim == "+" or t.prim == "-") and (has_product(t:slot(1)) or has_product(t:slot(2))) end
local part_by_part = L.alt(L.where(function(t, q)
    local x = t.prim == "+" and t:slot(2)
    return x and (x.prim == "+" or x.prim == "-") and x.is_float and has_product(x) and is_block(q)
end, L.alt(R("addSum"), R("addDifference"))), L.where(function(_, q) return is_block(q) end, R("mulSub")))
local contracted = L.alt(mulAdd, names_first)

-- What these may be about: asked before where a value goes, which takes longer.
local function adds_product(t)
    local x = t.prim == "+" and t:slot(2).prim
    return (x == "*" or x == "let") and t.is_float
end

-- c, where visit has rewritten all that it rewrites of those primitives. What a sum becomes matters to the sums and names that it stands in, no others.
local joins = {["+"] = true, ["-"] = true, let = true}
local function exhausted(c, visit, prims)
    local q = prims[c.term.prim or ""] and c or c:next(c, prims)
    while q do
        local r = visit(q)
        if r then
            c, q = r:at(c), r
            while q.place ~= c.place and joins[q:up().term.prim] do q = q:up() end
            q = prims[q.term.prim or ""] and q or q:next(c, prims)
        else q = q:next(c, prims) end
    end
    return c
end

local function fusing(name, sums, doc)
    local careful = base.test("a sum that may be rounded otherwise", "a sum of which only floats are made",
                                function(t, q) return adds_product(t) and (sums and is_sum(q) or not reaches_decision(q)) end)
    local safe, sums_of = L.alt(part_by_part, L.where(careful, contracted)), {["+"] = true, ["-"] = true}
    base.macro_at(name, "", doc, function(c)
        decided = {}
        local made = may_decide(c.root) and safe or L.alt(part_by_part, contracted)
        return exhausted(c, made.run, sums_of)
    end)
end

fusing("fuseAdds", false, "c + a*b as fma (mulAdd) where the result reaches only floats: no comparison, no cast to an integer, no floor")
fusing("fuseSums", true, "fuseAdds, and the sums of all folds whose step compares and casts no floats")

local powers = L.alt(R("powSquare"), R("powCube"), R("powFourth"))
local is_power = base.set("pow")
base.macro_at("powProducts", "", "small powers as products where the result reaches only floats", function(c)
    if not c.term:contains("pow") then return c end
    decided = {}
    local anywhere = not may_decide(c.root)
    return base.exhaust(c, {function(q) return (anywhere or not reaches_decision(q)) and powers.run(q) or nil end, is_power})
end)

-- After a strategy that starts at c: the folds that were not there before are of reductions.
local function fuse_after(c, r)
    local t = c.term
    local folds = t:contains("reduceSeq") or t:contains("reduceSeqUnroll") or t:contains("scanSeq")
    return (folds and L.fuseAdds or L.fuseSums).run(L.powProducts.run(r))
end

return {fuse_after = fuse_after}

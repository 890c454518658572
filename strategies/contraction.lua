-- contraction: where a lowering makes one operation of a product and a sum (rule mulAdd). Kernels round each operation as the program says,
-- but for these: the sums of a reduction, whose rounding its order leaves open, and values that reach nothing but floats.

local engine, base, L = require "engine", require "base", require "combinators"
local R = base.R

local deciding = {"==", "!=", "<", "<=", ">", ">=", "floor", "ceil", "round", "sign", table.unpack(engine.whole_types())}
local is_deciding = {}
for _, name in ipairs(deciding) do is_deciding[name] = true end

local function is_float(t) return t.type:find("^f%d") ~= nil end

-- Does the node make of a float what a last bit may change altogether: a choice, a whole number?
local function decides(t) return is_deciding[t.prim] and is_float(t:slot(1)) end

local function any_decides(t)
    if decides(t) then return true end
    for _, child in ipairs(t.children) do
        if any_decides(child) then return true end
    end
    return false
end

local function may_decide(t)
    for _, name in ipairs(deciding) do
        if t:contains(name) then return any_decides(t) end
    end
    return false
end

local repeats = {reduce = true, reduceSeq = true, reduceSeqUnroll = true, reduceSeqPrefetch = true, reducePart = true, scan = true,
                 scanSeq = true, iterate = true}

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

-- Is the value of q what the step of a fold gives, or a component or an element of that? The step decides nothing.
local function is_sum(q)
    local up = q:up()
    while up do
        local t = up.term
        if repeats[t.prim] then return q.slot == "f" and not may_decide(t:slot("f")) end
        if not passes[t.prim] and not (t.prim == "let" and q.slot == "body") then return false end
        q, up = up, up:up()
    end
    return false
end

local mulAdd = R("mulAdd")

-- A sum of which the second part names what its factors are made of: the names first.
local names_first = L.where(function(t)
    local x = t.prim == "+" and t:slot(2)
    if not x or x.prim ~= "let" then return false end
    while x.prim == "let" do x = x:slot("body") end
    return x.prim == "*"
end, R("addLetOut"))
local contracted = L.alt(mulAdd, names_first)

local function fusing(name, sums, doc)
    local careful = base.test("a sum that may be rounded otherwise", "a sum of which only floats are made",
                                function(_, q) return (sums and is_sum(q)) or not reaches_decision(q) end)
    local safe, sums_of = L.where(careful, contracted), {["+"] = true}
    base.name(name, "", doc, "macro", function()
        return base.new(name, function(c)
            local made = may_decide(c.root) and safe or contracted
            return base.exhaust(c, {function(q) return (made.run(q)) end, sums_of})
        end)
    end)
end

fusing("fuseAdds", false, "c + a*b as fma (mulAdd) where the result reaches only floats: no comparison, no cast to an integer, no floor")
fusing("fuseSums", true, "fuseAdds, and the sums of all folds whose step compares and casts no floats")

-- After a strategy that starts at c: the folds that were not there before are of reductions.
local function fuse_after(c, r)
    local t = c.term
    local folds = t:contains("reduceSeq") or t:contains("reduceSeqUnroll") or t:contains("scanSeq")
    return (folds and L.fuseAdds or L.fuseSums).run(r)
end

return {fuse_after = fuse_after}

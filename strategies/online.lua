-- online: rows that no work-item can keep. What a name stands for is computed where it is read; and a sum that is taken relative to
-- the largest element, as in a softmax, is taken in the same pass (Milakov and Gimelshein 2018).

local base, L = require "base", require "combinators"
local blocking = require "blocking"
local R, macro, is_map = base.R, base.macro, blocking.is_map

local namedMap = base.test("a named map", "a name for what a map makes", function(t) return t.prim == "let" and is_map(t:slot("value")) end, "let")

macro("recompute", "", "what a name stands for is computed where it is read, if a map makes it",
    L.normalize(L.where(namedMap, L.alt(R("letIntoLet"), R("letIntoMap"), R("letDuplicate")))))

base.macro_at("onlineSum", "([p[, n]])",
    "the first sum that is taken relative to the result of a reduction, in the same pass; in p parts of every p-th element, n at a time",
    function(c, p, n)
        local args, failure = p and {p = p, n = n or 1}, nil
        local pass = L.topdown(p and L.alt(R("onlineLetStrided", args), R("onlineStrided", args)) or L.alt(R("onlineLet"), R("online")))
        for q in base.places(c) do
            local weighted = R("sumWeighted").run(q)
            local r, f = pass.run((weighted or q):at(c))
            if r and (weighted or q == c) then return r end
            failure = failure or f
        end
        return nil, failure
    end)

macro("longRow", "(p[, n])", "the function of a map of rows: names computed where they are read, and onlineSum(p, n)", function(p, n)
    return L.slot("f", L.seq(L.recompute, L.try(L.onlineSum(p, n))))
end)

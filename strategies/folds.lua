-- folds: the macro for elements that are each a fold over the same array, several of them a work-item's.

local base, L, blocking = require "base", require "combinators", require "blocking"
local cuts, vectors = require "cuts", require "vectors"
local R, macro, is_map, levels, in_dimensions = base.R, base.macro, blocking.is_map, vectors.levels, vectors.in_dimensions

-- The map at p of folds over the same array, so many of its elements at a time: one fold of as many accumulators, which reads an element once
-- for all of them. What is done with the results moves in.
local fused = L.seq(L.try(R("reduceSeq")), L.normalize(R("reduceMapFusion")))
local unrolled = L.where(is_map, R("mapSeqUnroll"))
local function in_blocks(p, n)
    local sums = cuts.sums_of(p)
    local r = sums and L.seq(L.slot("f", fused), R("splitJoin", {n = n}), L.slot("in", L.slot("f", R("mapReduceSeqShared")))).run(sums)
    r = r and r:at(p)
    return r and is_map(r.term) and L.seq(L.fuseEpilogue, L.slot("in", L.slot("f", L.try(unrolled)))).run(r) or r
end

macro("foldsInItems", "{n=4}",
    "maps in each other around folds over the same array, on a GPU: a work-item for n elements of the innermost, which reads the array once for them",
    function(o)
        return base.new("foldsInItems", function(c)
            local list = levels(c)
            local r = in_blocks(list[#list], o.n)
            if not r then return nil, base.failure(c, "foldsInItems", "a map of folds over an array that is the same for all elements") end
            local q = r:at(c)
            while not is_map(q.term) do q = q:go("in") end
            return in_dimensions(q):at(c)
        end)
    end)

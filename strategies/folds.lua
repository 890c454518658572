-- folds: the macro for elements that are each a fold over the same array, several of them a work-item's.

local base, L, blocking = require "base", require "combinators", require "blocking"
local cuts, vectors = require "cuts", require "vectors"
local R, is_map = base.R, blocking.is_map

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

base.macro_at("foldsInItems", "{n=4}",
    "maps in each other around folds over the same array, on a GPU: a work-item for n elements of the innermost, which reads the array once for them",
    function(c, o)
        local list = blocking.levels(c)
        local r = in_blocks(list[#list], o.n)
        local q = r and r:at(c)
        while q and not is_map(q.term) do q = q:go("in") end
        return q and vectors.in_dimensions(q)
    end, "a map of folds over an array that is the same for all elements")

-- scans: macros for prefix reductions: chunks of the array in groups, chunks of these in the work-items of a group, each scanned
-- by one, and what is before a chunk added to it. As with rows, an intermediate array with a name is kept in registers.

local base, L, rows = require "base", require "combinators", require "rows"
local R, macro, in_local = base.R, base.macro, rows.in_local

local SIXTEEN, UNROLLED = 16, 32         -- elements in straight-line code, and thus in registers
local short = rows.short(UNROLLED)
local straight = L.seq(R("scanUnroll"), rows.unrolled_loads)
local scan = L.seq(R("scanSeq"), L.try(R("scanMapFusion")), L.try(L.where(short, straight)))
local in_vectors = L.seq(R("mapVectorise", {w = rows.VECTOR}), L.slot("in", R("mapSeqUnroll")))
local stored = L.alt(L.where(short, L.alt(in_vectors, R("mapSeqUnroll"))), R("mapSeq"))

local function in_items(d) return R("mapLocal", {d = d}) end

-- A scan of an array in local memory, its result there again: so many rounds of sixteens, then one work-item.
local in_group
local function results(rounds, d)
    if rounds == 0 then return L.seq(R("scanWhole"), L.slot("in", L.seq(L.slot("f", scan), in_local(d)))) end
    return L.seq(in_group(SIXTEEN, rounds - 1, d), L.slot("body", L.slot("in", R("toLocal"))))
end

-- What a map does with the results is done where they are made.
local moved_in = L.normalize(L.alt(R("mapLetOut"), R("mapJoin"), L.where(L.computes, R("mapFusion"))))

function in_group(n, rounds, d)
    local kept = R("scanKept", n and {n = n})
    local parts = L.alt(kept, L.seq(L.slot("in", kept), moved_in))
    local ends = L.seq(parts, L.slot("value", L.seq(L.slot("f", scan), in_items(d), R("toPrivate"))))
    local sums = L.seq(L.slot("in", in_local(d)), results(rounds, d))
    local added = L.seq(L.slot("f", stored), in_items(d), L.slot("in", L.slot("1", L.slot("in", L.slot("in", sums)))))
    return L.seq(ends, L.slot("body", L.slot("in", added)))
end

macro("scanInItems", "(n[, rounds[, d]])",
    "a scan, or a map of one, by the work-items of a group in dimension d, each of n elements; their results by sixteens, "
    .. "in so many rounds",
    function(n, rounds, d) return in_group(n, rounds or 0, d or 0) end)

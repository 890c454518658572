-- scans: macros for prefix reductions: chunks of the array in groups, chunks of these in the work-items of a group, each scanned
-- by one, and what is before a chunk added to it. As with rows, an intermediate array with a name is kept in registers.

local base, L, rows = require "base", require "combinators", require "rows"
local R, macro, in_local, next_chunk, options = base.R, base.macro, rows.in_local, rows.next_chunk, require("blocking").options

local SIXTEEN, UNROLLED = rows.SIXTEEN, 32        -- elements in straight-line code, and thus in registers
local short = rows.short(UNROLLED)
local straight = L.seq(R("scanUnroll"), rows.unrolled_loads)
local scan = L.seq(R("scanSeq"), L.try(R("scanMapFusion")), L.try(L.where(short, straight)))
local in_vectors = L.seq(R("mapVectorise", {w = rows.VECTOR}), L.slot("in", R("mapSeqUnroll")))
local stored = L.alt(L.where(short, L.alt(in_vectors, R("mapSeqUnroll"))), R("mapSeq"))

-- So many rounds leave a few of n results to one work-item.
local function rounds_of(n)
    local k = n > 2 * SIXTEEN and next_chunk(n)
    return k and 1 + rounds_of(n // k) or 0
end

-- A map by items that each take so many elements, which lie apart, each by a step; its result stays where home says.
local function beside_each_other(d, beside, step, home)
    local inner = L.seq(step, R("mapLocal", {d = d}))
    if beside == 1 then return L.seq(inner, home) end
    return base.new("beside", function(c)
        local q, f = R("splitJoin", {n = c.term.length / beside}).run(c)
        if not q then return nil, f end
        return L.slot("in", L.seq(rows.apart, L.slot("f", inner), R("mapSeqUnroll"), home)).run(q:at(c))
    end)
end

-- A scan of an array in local memory, its result there again: in so many rounds, then by one work-item.
local in_group
local function results(rounds, d)
    return base.new("results", function(c)
        local length = c.term.length:known()
        if rounds == 0 or length and length <= SIXTEEN then
            return L.seq(R("scanWhole"), L.slot("in", L.seq(L.slot("f", scan), in_local(d)))).run(c)
        end
        local n = length and next_chunk(length) or SIXTEEN
        return L.seq(in_group(n, rounds - 1, d, 1), L.slot("body", L.slot("in", R("toLocal")))).run(c)
    end)
end

-- What a map does with the results is done where they are made.
local moved_in = L.normalize(L.alt(R("mapLetOut"), R("mapJoin"), L.where(L.computes, R("mapFusion"))))

-- The parts of an array that the let here names, kept; the scan of their last elements; what a map adds to the parts.
local function kept_parts(d, beside)
    return L.seq(L.slot("value", beside_each_other(d, beside, L.slot("f", scan), R("toPrivate"))), beside > 1 and R("letJoinOut") or L.id)
end
local function ends(rounds, d, beside) return L.seq(L.slot("in", beside_each_other(d, beside, L.id, R("toLocal"))), results(rounds, d)) end
local function added(d, beside) return beside_each_other(d, beside, L.slot("f", stored), L.id) end

function in_group(n, rounds, d, beside)
    local kept = R("scanKept", n and {n = n})
    local parts = L.alt(kept, L.seq(L.slot("in", kept), moved_in))
    local sums = L.slot("in", L.slot("1", L.slot("in", L.slot("in", ends(rounds, d, beside)))))
    return L.seq(parts, kept_parts(d, beside), L.slot("body", L.slot("in", L.seq(sums, added(d, beside)))))
end

macro("scanInItems", "(n[, rounds[, d[, beside]]])",
    "a scan, or a map of one, by the work-items of a group in dimension d, each of n elements, and of so many such chunks that lie "
    .. "apart; their results by sixteens, or what divides them, in so many rounds",
    function(n, rounds, d, beside) return in_group(n, rounds or 0, d or 0, beside or 1) end)

macro("scanInGroups", "{n=8192, each=4, rounds=2, beside=8}",
    "a long scan in one pass: groups for n elements, whose sums they tell each other, by items as scanInItems(each, rounds, 0, beside) has it",
    function(given)
        local o = options("scanInGroups", given, {n = 8192, each = 4, rounds = 2, beside = 8})
        local made = L.seq(kept_parts(0, o.beside), L.slot("body", L.slot("value", ends(o.rounds, 0, o.beside))))
        return L.seq(R("scanChainedKept", {n = o.n, k = o.each}),
                     L.slot("in", L.seq(R("mapWorkgroup", {d = 0}), L.slot("in", L.slot("g", made)), L.slot("f", L.slot("in", added(0, o.beside))))))
    end)

return {rounds_of = rounds_of}

-- lengths: what recognisers of shapes ask of lengths, and how they say that a nest nearly has a form.

local engine = require "engine"

-- What is known of the device that nests are made for, of a GPU or a CPU (core/target/target.def): GPU.units, CPU.lanes.
local function device(kind) return setmetatable({}, {__index = function(_, name) return engine.target(kind)[name] end}) end
local GPU, CPU = device("gpu"), device("cpu")

-- The kind of device that is lowered for; what is {gpu =, cpu =} for it, by name; and do its work-items go together, so that neighbours had better read
-- neighbours? Else one of them is alone in its group, and wants vectors.
local function kind() return engine.hint("gpu") and "gpu" or "cpu" end
local function by_kind(of) return setmetatable({}, {__index = function(_, name) return of[kind()][name] end}) end
local function in_warps() return engine.target(kind()).warp ~= nil end

-- Scalars of 32 bits that a work-item of a GPU reads or writes at once: float4, the widest that OpenCL C and CUDA have. Dimensions of work-items there.
local VECTOR, DIMENSIONS = 4, 3

-- Work-items of a group that nothing else asks for: eight warps, so that four groups of them fill half of a unit, whatever registers an item has.
local GROUP = 256

-- So many work-items, or as many as a group of a GPU may have; words of 32 bits of its local memory that elements may take: a third is for what else there is.
local function items(n) return math.min(n or GROUP, GPU.max_group) end
local function group_words() return GPU.group_local // 6 end

-- Scalars of an array that a work-item may have of its own: as many as it has registers, which a compiler spills to fast memory.
local SMALL = 256

-- Vectors of a CPU that grow side by side in a loop: an addition waits for the one before it, others meanwhile begin.
local VECTORS = 4

-- Groups that keep the device busy, of which a GPU's unit holds so many; accumulators that a CPU's registers hold beside what is read.
local GROUPS_OF_UNIT = 8
local function busy_groups() return GROUPS_OF_UNIT * engine.target(kind()).units end
local function accumulators() return CPU.registers - VECTORS end

-- n, half of it and so on, down to `least`; n, twice as many and so on, up to `most`.
local function halves(n, least)
    local list = {}
    while n >= math.max(least, 1) do list[#list + 1], n = n, n // 2 end
    return list
end
local function doubles(n, most)
    local list = {}
    while n <= most do list[#list + 1], n = n, 2 * n end
    return list
end

-- Elements of 32 bits that no cache of a device holds beside as many results.
local function far(device) return device.near_bytes // 8 end

-- May an array of so many elements of 32 bits lie in memory, beside others?
local function fits_in_memory(n) return n <= engine.target(kind()).max_buffer // 16 end

local function known(t)
    local n = t and t.length and t.length:known()
    return n and n >= 1 and n or nil                     -- what data makes no length of cannot be run
end

-- The scalars of the value of t; nil: how many is not known.
local function scalars_of(t) return t.scalars and t.scalars:known() end

-- How many elements the maps in each other at those places make, from the first, or another one, on; nil: that is not known.
local function elements(places, first)
    local total = 1
    for i = first or 1, #places do
        local n = known(places[i].term)
        total = total and n and total * n
    end
    return total
end

-- What a recogniser gives for a nest that nearly has its form: no strategy, and in which part it differs.
local function differs(what, ...) return nil, what:format(...) end
local UNKNOWN = "a length is not known: `data` gives it"

-- The least multiple of step that is no less than n.
local function above(n, step) return -(-n // step) * step end

-- The largest divisor of n that is a multiple of m and at most most.
local function fitting(n, most, m)
    for d = math.min(most, n) // m * m, m, -m do
        if n % d == 0 then return d end
    end
end

-- The size n as kernels have it: a constant, as sizes are where the session knows them, unless they are arguments; nil: it is none.
local function constant(n) return n.value or engine.hint("constants") and n:known() or nil end

-- w lanes and u vectors with w*u dividing n: as many as do.
local function lanes(n)
    local most = CPU.lanes
    for _, u in ipairs({VECTORS, 2, 1}) do
        if most > 1 and n % (most * u) == 0 then return most, u end
    end
    for _, w in ipairs(halves(most // 2, math.max(2, most // VECTORS))) do
        if n % w == 0 then return w, 1 end
    end
end

-- How n elements are taken in chunks by vectors on a CPU, in at most so many: elements of a chunk, w lanes, u vectors, and elements left over
-- behind them, as few as can be: none where chunks that divide n, at least few of them, are whole vectors.
local function chunks(n, most, few)
    local chunk = n // fitting(n, most, 1)
    local w, u = lanes(chunk)
    if w == CPU.lanes and n // chunk >= few then return chunk, w, u, 0 end
    local best, left
    for parts = most, most // 2, -1 do
        chunk = n // parts // (VECTORS * CPU.lanes) * (VECTORS * CPU.lanes)
        if chunk > 0 and (not best or n - parts * chunk < left) then best, left = chunk, n - parts * chunk end
    end
    return best, CPU.lanes, VECTORS, left
end

return {kind = kind, by_kind = by_kind, in_warps = in_warps, above = above, GPU = GPU, CPU = CPU, VECTOR = VECTOR, GROUP = GROUP, DIMENSIONS = DIMENSIONS, VECTORS = VECTORS, SMALL = SMALL, far = far, busy_groups = busy_groups, accumulators = accumulators, halves = halves, doubles = doubles, fits_in_memory = fits_in_memory, items = items, group_words = group_words, known = known, scalars_of = scalars_of, elements = elements, differs = differs, UNKNOWN = UNKNOWN, fitting = fitting, constant = constant, lanes = lanes, chunks = chunks}

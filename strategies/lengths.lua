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

-- So many work-items, or as many as a group of a GPU may have; bytes of its local memory that elements may take: some is for what else there is.
local function items(n) return math.min(n, GPU.max_group) end
local function group_bytes() return GPU.group_local * 2 // 3 end

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

-- w lanes and u vectors with w*u dividing n: as many as do.
local function lanes(n)
    local most = CPU.lanes
    for _, shape in ipairs({{most, 4}, {most, 2}, {most, 1}, {most // 2, 1}, {most // 4, 1}}) do
        if shape[1] > 1 and n % (shape[1] * shape[2]) == 0 then return shape[1], shape[2] end
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
        chunk = n // parts // (4 * CPU.lanes) * (4 * CPU.lanes)
        if chunk > 0 and (not best or n - parts * chunk < left) then best, left = chunk, n - parts * chunk end
    end
    return best, CPU.lanes, 4, left
end

return {kind = kind, by_kind = by_kind, in_warps = in_warps, above = above, GPU = GPU, CPU = CPU, items = items, group_bytes = group_bytes, known = known, scalars_of = scalars_of, elements = elements, differs = differs, UNKNOWN = UNKNOWN, fitting = fitting, lanes = lanes, chunks = chunks}

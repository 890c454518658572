-- lengths: what recognisers of shapes ask of lengths, and how they say that a nest nearly has a form.

local function known(t)
    local n = t and t.length and t.length:known()
    return n and n >= 1 and n or nil                     -- what data makes no length of cannot be run
end

-- The scalars of the value of t; nil: how many is not known.
local function scalars_of(t) return t.scalars and t.scalars:known() end

-- What a recogniser gives for a nest that nearly has its form: no strategy, and in which part it differs.
local function differs(what, ...) return nil, what:format(...) end
local UNKNOWN = "a length is not known: `data` gives it"

-- The largest divisor of n that is a multiple of m and at most most.
local function fitting(n, most, m)
    for d = math.min(most, n) // m * m, m, -m do
        if n % d == 0 then return d end
    end
end

-- w lanes and u vectors with w*u dividing n: as many as do.
local function lanes(n)
    for _, shape in ipairs({{16, 4}, {16, 2}, {16, 1}, {8, 1}, {4, 1}}) do
        if n % (shape[1] * shape[2]) == 0 then return shape[1], shape[2] end
    end
end

return {known = known, scalars_of = scalars_of, differs = differs, UNKNOWN = UNKNOWN, fitting = fitting, lanes = lanes}

-- shaping: what the recognisers of shapes have in common: numbers, and how what they cut a nest into is made. A recogniser gets the
-- place of a nest; it gives a strategy that makes the nest in its shape; nil: it has not that shape, and where it
-- nearly has, what it lacks (lengths.differs).

local engine, base = require "engine", require "base"

local M = {
    CPU_PARTS = 64, CPU_MIN = 4096,      -- chunks of a long array; shorter ones are not worth it
    CPU_FEW = 8,                         -- groups that keep a CPU busy
}

-- The nest at c in its shape, and its name; every nest at and below q in its own. What a recogniser leaves of a nest may have any shape, its
-- own too, so it is asked of the list of all (tests/cycles.txt).
function M.shaped(c, name) return require "defaults".shaped(c, name) end
function M.nests(q, choose) return require "defaults".nests(q, choose) end

-- Do the groups of what is made at c have no more local memory than the device gives them?
local function fits(c) return engine.fits(c:alone({}, {}), require("lengths").kind()) end

-- The first of these strategies whose groups have it so; as the last does where none has.
function M.first_that_fits(list)
    return base.new("fitting", function(q)
        local r, failure
        for _, strategy in ipairs(list) do
            r, failure = strategy.run(q)
            if not r or fits(r) then break end
        end
        return r, failure
    end)
end

-- The nest at c in a shape if that fits, works, and divides only what its numbers divide; nil: no, and in what it differs from a
-- nest that has it (a text or a failure; nil: it is nowhere near).
function M.in_shape(c, shape, ...)
    local strategy, why = shape(c, ...)
    if not strategy then return nil, why or nil end
    local r, failure = strategy.run(c)
    local holds = r and r:holds()
    if holds and fits(r) then return r end
    return nil, holds and "its groups would have more local memory than the device gives them" or r and "it would divide a length by a number that does not divide it" or failure or "it cannot be made here"
end

-- That as a strategy; what it needs where the nest has not the shape.
function M.in_shape_of(shape, label, needs)
    return base.new(label, function(c)
        local strategy = shape(c)
        if strategy then return strategy.run(c) end
        return nil, base.failure(c, label, needs)
    end)
end

-- As strategies: every nest at and below a place in its own shape; the nest there alone, if it has one.
M.shaped_nests = base.new("nests", function(q) return M.nests(q) end)
M.shaped_nest = base.new("nest", function(q) return M.shaped(q) or q end)

-- The strategy at a place inside that of c, which comes back.
function M.inside_at(c, place, strategy)
    return base.new("inside", function(q)
        local r, failure = strategy.run(q:at(place))
        return r and r:at(c), failure
    end)
end

return M

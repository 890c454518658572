-- columns: is an array read by columns, its innermost dimension strided in memory? One answer for all that ask. It is where a matrix, or one of
-- rows that are in memory, is transposed once; a matrix of planes transposed has rows as before. Of zipped arrays one is enough; maps over rows,
-- parts and padding lie as their array does; what another nest makes lies as that makes it. Vectors have no columns.

local base = require "base"

local function is_vector(t) return t.dimensions == 1 end

local dims = base.prims "dims"

-- Do the neighbours along dimension d of t, from 1, lie beside each other? rows: in a function, the array of which its variable is a row.
local function along(t, d, rows)
    local function of(x, e) return along(x, e, rows) end
    local x = t:slot("in")
    if t.prim == "zip" then return base.any(t.children, of, d) end
    if t.prim == "map" and d == 1 or x and dims[t.prim] == "KEPT" then return of(x, d) end
    if is_vector(t) and not rows then return false end
    if t.prim == "map" then return along(t:slot("f"), d - 1, x) end
    if t.prim == "transpose" then return of(x, d < 3 and 3 - d or d) end
    if t.prim == "join" then return of(x, d + 1) end
    if t.prim == "split" or t.prim == "slide" then
        if is_vector(x) then return d == 2 end
        return of(x, math.max(1, d - 1))
    end
    if rows and t.is_atom and t.kind ~= "input" then return along(rows, d + 1) end
    return d == t.rank and d == t.dimensions
end

local function by_columns(t) return t ~= nil and along(t, 1) end

-- Are the rows that a map takes columns in memory?
local function takes_columns(t) return by_columns(t:slot("in")) end

return {by_columns = by_columns, takes_columns = takes_columns}

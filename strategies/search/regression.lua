-- regression: a ridge regression, for strategies that learn from what they measured.

local search = require "heuristics"

-- Each coordinate about 0 with variance 1 over all of a list of points; one that is the same everywhere counts for nothing.
local function standardised(all)
    local mean, by = {}, {}
    for i = 1, #(all[1] or {}) do
        local sum, squares = 0, 0
        for _, x in ipairs(all) do sum, squares = sum + x[i], squares + x[i] * x[i] end
        mean[i] = sum / #all
        local deviation = math.sqrt(math.max(0, squares / #all - mean[i] * mean[i]))
        by[i] = deviation > 1e-6 and 1 / deviation or 0
    end
    return function(x)
        local z = {}
        for i = 1, #mean do z[i] = (x[i] - mean[i]) * by[i] end
        return z
    end
end

-- Solve a*w = b for a symmetric positive definite (Cholesky); a, of which the lower half is there, and b are overwritten.
local function solve(a, b)
    local n = #b
    for i = 1, n do
        for j = 1, i do
            local sum = a[i][j]
            for k = 1, j - 1 do sum = sum - a[i][k] * a[j][k] end
            a[i][j] = i == j and math.sqrt(math.max(sum, 1e-9)) or sum / a[j][j]
        end
    end
    for i = 1, n do
        for k = 1, i - 1 do b[i] = b[i] - a[i][k] * b[k] end
        b[i] = b[i] / a[i][i]
    end
    for i = n, 1, -1 do
        for k = i + 1, n do b[i] = b[i] - a[k][i] * b[k] end
        b[i] = b[i] / a[i][i]
    end
    return b
end

-- regression(rows, all, ridge): the function of x = {numbers} that explains the y of rows {x =, y =} as their mean
-- and a weighted sum of coordinates. all: the x it will be asked for, which set the scale of each coordinate; ridge:
-- how much weights are held down.
function search.regression(rows, all, ridge)
    local scale, a, b, mean = standardised(all), {}, {}, 0
    for _, row in ipairs(rows) do mean = mean + row.y / #rows end
    for i = 1, #(all[1] or {}) do
        a[i], b[i] = {}, 0
        for j = 1, i do a[i][j] = i == j and ridge or 0 end
    end
    for _, row in ipairs(rows) do
        local z = scale(row.x)
        for i = 1, #z do
            b[i] = b[i] + z[i] * (row.y - mean)
            for j = 1, i do a[i][j] = a[i][j] + z[i] * z[j] end
        end
    end
    local weights = solve(a, b)
    return function(x)
        local sum = mean
        for i, value in ipairs(scale(x)) do sum = sum + weights[i] * value end
        return sum
    end
end

return search

-- fusion: figures of "Automatic fusions of CUDA-GPU kernels for parallel map" (Fousek, Filipovic, Madzin).
local rows, bench = dofile("tests/figures/rows.lua"), dofile("tests/bench/combinations.lua")

-- Every implementation of every fusion of Listing 1, and its combinations of fusions, predicted and measured.
local function measured(c, d)
    assert(t.device(d.id))
    assert(t.load("tests/programs/elements.fun"))
    assert(t.data("N", c:size(d, 65536, 4194304, 256)))
    return assert(t.fuse{implementations = true, routines = true, measure = true, budget = c.small and 6 or 100000})
end

local function row(d, who, place, ns, more)
    local all = {program = "elements", device = d.id, derivation = who, params = "place=" .. place, state = "ok", ns = ns, trials = 20, sizes = d.sizes}
    for k, v in pairs(more or {}) do all[k] = v end
    return all
end

-- The polynomial of that degree nearest to ys at 1 .. n, as the paper draws one through its points.
local function fitted(ys, degree)
    local n, terms = #ys, math.min(degree, #ys - 1) + 1
    local points = {}
    for i = 1, n do
        local x, powers = n > 1 and 2 * (i - 1) / (n - 1) - 1 or 0, {}
        for k = 1, terms do powers[k] = x ^ (k - 1) end
        points[i] = powers
    end
    local a = {}
    for r = 1, terms do
        a[r] = {}
        for k = 1, terms do
            a[r][k] = 0
            for i = 1, n do a[r][k] = a[r][k] + points[i][r] * points[i][k] end
        end
        a[r][terms + 1] = 0
        for i = 1, n do a[r][terms + 1] = a[r][terms + 1] + points[i][r] * ys[i] end
    end
    for r = 1, terms do                      -- Gauss and Jordan, with the largest pivot
        local best = r
        for k = r + 1, terms do if math.abs(a[k][r]) > math.abs(a[best][r]) then best = k end end
        a[r], a[best] = a[best], a[r]
        for k = 1, terms do
            local share = k ~= r and a[k][r] / a[r][r] or 0
            for m = r, share ~= 0 and terms + 1 or 0 do a[k][m] = a[k][m] - share * a[r][m] end
        end
    end
    local out = {}
    for i = 1, n do
        out[i] = 0
        for r = 1, terms do out[i] = out[i] + a[r][terms + 1] / a[r][r] * points[i][r] end
    end
    return out
end

-- What both predictors say: name, the field, and how the order agrees.
local predictors = {{"cost model", "predicted_ns", "model"}, {"sum of routines", "routines_ns", "routines"}}

local function with_all(c, f)
    local list = {}
    for _, d in ipairs(c.devices) do
        local report = measured(c, d)
        local all = bench.measured(report)
        if #all == 0 then return nil, "none was measured on " .. d.id end
        f(d, all, list, report)
    end
    return list
end

local function what(one) return one.fusion and "(" .. one.fusion .. ") " .. one.way or one.parts end

local function prediction(c)
    return with_all(c, function(d, all, list, report)
        table.sort(all, function(a, b) return a.ns < b.ns end)
        local middle = all[(#all + 1) // 2]
        for i, one in ipairs(all) do list[#list + 1] = row(d, "measured", i, one.ns, {message = what(one)}) end
        for _, p in ipairs(predictors) do
            if middle[p[2]] then
                c:note("%s: in the middle the %s predicts %.2f times what is measured; the orders correlate with %.2f (Spearman of %d).",
                       d.id, p[1], middle[p[2]] / middle.ns, report.agreement[p[3]] or 0, #all)
            end
            for i, one in ipairs(all) do
                if one[p[2]] then list[#list + 1] = row(d, p[1], i, one[p[2]], {message = what(one)}) end
            end
        end
    end)
end

local function in_order(c)
    return with_all(c, function(d, all, list)
        for _, p in ipairs(predictors) do
            local known, ns, order = {}, {}, {}
            for _, one in ipairs(all) do if one[p[2]] then known[#known + 1] = one end end
            table.sort(known, function(a, b) return a[p[2]] < b[p[2]] end)
            for i, one in ipairs(known) do
                ns[i], order[i] = one.ns, i
                list[#list + 1] = row(d, "in the order of the " .. p[1], i, one.ns, {message = what(one)})
            end
            for i, y in ipairs(#ns > 0 and fitted(ns, 5) or {}) do list[#list + 1] = row(d, "polynomial, " .. p[1], i, y) end
            table.sort(order, function(a, b) return ns[a] < ns[b] end)
            c:note("%s: the five best are at the places %s that the %s predicts (the paper: 0, 48, 1, 6, 28).", d.id,
                   table.concat(order, ", ", 1, math.min(5, #order)), p[1])
        end
    end)
end

local function summary(c)
    return with_all(c, function(d, _, list, report)
        local found = bench.landmarks(report)
        local best, one, apart = found.best, found.one, found.apart
        for who, k in pairs({["best fusions"] = best, ["predicted best"] = found.predicted, ["one kernel"] = one, ["a kernel each"] = apart}) do
            list[#list + 1] = row(d, who, 1, k.ns, {message = what(k)})
        end
        c:note("%s: the best is %s.", d.id, what(best))
        if apart then c:note("%s: %.2f times as fast as a kernel each (the paper: 2.49).", d.id, apart.ns / best.ns) end
        if one then c:note("%s: %.2f times as fast as all in one kernel (the paper: 1.46).", d.id, one.ns / best.ns) end
    end)
end

local listing = " The program is Listing 1, |A B v| (C D + C) over instances, of which every implementation of every fusion, and all combinations of fusions, are measured once."
return {
    {name = "fusion-4", title = "Fusion paper, figure 4: how well performance is predicted",
     paper = "All fusion implementations in order of their measured performance, with the predicted one beside: mostly below the measured, but with its trend." .. listing,
     measure = prediction, pictures = rows.by_device({pivot = "derivation,place", value = "ms", plot = "dots"})},
    {name = "fusion-5", title = "Fusion paper, figure 5: implementations in the order of prediction",
     paper = "The measured performance of the first 300 implementations in the order in which they were predicted, with a polynomial of degree five through them: the best come first, the five best at "
         .. "places 0, 48, 1, 6 and 28." .. listing,
     measure = in_order, pictures = rows.by_device({pivot = "derivation,place", value = "ms", plot = "dots"})},
    {name = "fusion-table", title = "Fusion paper, section 5.2: what fusion gains",
     paper = "On a GTX 480 the best combination computes 234.5 million elements a second, the best without fusions 94.2 (2.49 times less), everything in one kernel 160.2 (1.46 times less)." .. listing,
     measure = summary, table = {pivot = "derivation,device", value = "ms"},
     pictures = function() return {{pivot = "derivation,device", value = "ms", plot = "bars"}} end},
}

-- fusion: figures of "Automatic fusions of CUDA-GPU kernels for parallel map" (Fousek, Filipovic, Madzin).
local rows, bench = dofile("tests/figures/rows.lua"), dofile("tests/bench/combinations.lua")

-- Every combination of fusions of Listing 1, predicted and measured: in order of prediction.
local function combinations(c, d)
    assert(t.device(d.id))
    assert(t.load("tests/programs/elements.fun"))
    assert(t.data("N", c:size(d, 65536, 4194304, 256)))
    return assert(t.fuse{best = c.small and 4 or 1000, measure = true}).combinations
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

local function with_all(c, f)
    local list = {}
    for _, d in ipairs(c.devices) do
        local all = {}
        for _, one in ipairs(combinations(c, d)) do if one.ns then all[#all + 1] = one end end
        if #all == 0 then return nil, "none was measured on " .. d.id end
        f(d, all, list)
    end
    return list
end

local function prediction(c)
    return with_all(c, function(d, all, list)
        table.sort(all, function(a, b) return a.ns < b.ns end)
        local middle = all[(#all + 1) // 2]
        c:note("%s: the model is made to rank, not to tell times: in the middle it predicts %.2f times what is measured; the orders correlate with %.2f (Spearman).",
               d.id, middle.predicted_ns / middle.ns, bench.correlation(all))
        for i, one in ipairs(all) do
            list[#list + 1] = row(d, "measured", i, one.ns, {message = one.parts})
            list[#list + 1] = row(d, "predicted", i, one.predicted_ns, {message = one.parts})
        end
    end)
end

local function in_order(c)
    return with_all(c, function(d, all, list)
        local ns = {}
        for i, one in ipairs(all) do
            ns[i] = one.ns
            list[#list + 1] = row(d, "measured", i, one.ns, {message = one.parts})
        end
        for i, y in ipairs(fitted(ns, 5)) do list[#list + 1] = row(d, "polynomial of degree 5", i, y) end
        local order = {}
        for i = 1, #all do order[i] = i end
        table.sort(order, function(a, b) return ns[a] < ns[b] end)
        c:note("%s: the five best are at the predicted places %s (the paper: 0, 48, 1, 6, 28).", d.id,
               table.concat({order[1], order[2], order[3], order[4], order[5]}, ", "))
    end)
end

local function summary(c)
    return with_all(c, function(d, all, list)
        local found = bench.landmarks(all)
        local best, one, apart = found.best, found.one, found.apart
        for who, k in pairs({["best fusions"] = best, ["predicted best"] = found.predicted, ["one kernel"] = one, ["a kernel each"] = apart}) do
            list[#list + 1] = row(d, who, 1, k.ns, {message = k.parts})
        end
        c:note("%s: the best is %s.", d.id, best.parts)
        if apart then c:note("%s: %.2f times as fast as a kernel each (the paper: 2.49).", d.id, apart.ns / best.ns) end
        if one then c:note("%s: %.2f times as fast as all in one kernel (the paper: 1.46).", d.id, one.ns / best.ns) end
    end)
end

local listing = " The program is Listing 1, |A B v| (C D + C) over instances, of which all combinations of fusions are measured in turns."
return {
    {name = "fusion-4", title = "Fusion paper, figure 4: how well performance is predicted",
     paper = "All fusion implementations in order of their measured performance, with the predicted one beside: mostly below the measured, but with its trend." .. listing,
     measure = prediction, pictures = rows.by_device({pivot = "derivation,place", value = "ms", plot = "lines"})},
    {name = "fusion-5", title = "Fusion paper, figure 5: implementations in the order of prediction",
     paper = "The measured performance of the first 300 implementations in the order in which they were predicted, with a polynomial of degree five through them: the best come first, the five best at "
         .. "places 0, 48, 1, 6 and 28." .. listing,
     measure = in_order, pictures = rows.by_device({pivot = "derivation,place", value = "ms", plot = "lines"})},
    {name = "fusion-table", title = "Fusion paper, section 5.2: what fusion gains",
     paper = "On a GTX 480 the best combination computes 234.5 million elements a second, the best without fusions 94.2 (2.49 times less), everything in one kernel 160.2 (1.46 times less)." .. listing,
     measure = summary, table = {pivot = "derivation,device", value = "ms"},
     pictures = function() return {{pivot = "derivation,device", value = "ms", plot = "bars"}} end},
}

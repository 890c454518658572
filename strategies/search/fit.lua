-- fit: the constants of the cost model that no kernel tells alone, fitted to what kernels took on a device: the command device --fit.

local engine, base, model, simulate, lists = require "engine", require "base", require "model", require "simulate", require "lists"
local objective, search = require "objective", require "heuristics"
local abs, max, min, log, exp = math.abs, math.max, math.min, math.log, math.exp

local LEAST, MOST = 40, 800              -- results that say enough; that are looked at, of all programs alike
local TESTED = 5                         -- every so many-th is left out, and says whether the fit holds for others
local STEPS = {1.6, 1.25, 1.08}          -- constants are tried so many times larger and smaller
local ROUNDS, FARTHEST = 6, 8            -- over all constants with each step, at most; from where it was
local STAYS = 0.002                      -- what e times more or less costs, in squared errors: a constant that changes nothing stays
local GROUP = 5                          -- results of a program that have an order
local ENOUGH = 4                         -- programs that say something of others

-- What is recorded and was timed: {ns =, f = features, of = program and sizes} each, at most MOST, the same number of each program as far as there are.
local function results_of(text, kind)
    local groups, order, list = {}, {}, {}
    for _, row in ipairs(search.rows(text)) do
        local ns, found = tonumber(row.ns), model.recorded(row)
        if row.state == "ok" and ns and ns > 0 and found.kind and (not kind or found.kind == kind) then
            kind = kind or found.kind
            local of = (row.program or "") .. " " .. (row.sizes or "")
            if not groups[of] then groups[of], order[#order + 1] = {}, of end
            table.insert(groups[of], {ns = ns, f = found.kernels[1], of = of})
        end
    end
    table.sort(order)
    local share = MOST // max(1, #order)
    for _, of in ipairs(order) do
        local group = groups[of]
        table.sort(group, function(a, b) return a.ns < b.ns end)
        local n = min(#group, share)
        for i = 1, n do list[#list + 1] = group[1 + (i - 1) * #group // n] end
    end
    return list, #order, kind
end

-- The results of a list by programs: {{result, ...}, ...}.
local function by_program(list)
    local groups, all = {}, {}
    for _, x in ipairs(list) do
        local group = groups[x.of] or {}
        if #group == 0 then groups[x.of], all[#all + 1] = group, group end
        group[#group + 1] = x
    end
    return all
end

-- How wrong the constants m predict programs' results: squared errors of logarithms (beyond e times linear), of a result beside the others of its program,
-- which it is chosen among, and of the whole program. Each program counts as much as its results are, by their square root.
local WHOLE = 0.25
local function squared(e)
    e = abs(e)
    return e < 1 and e * e or 2 * e - 1
end
local function loss(groups, m)
    local all, weights = 0.0, 0.0
    for _, group in ipairs(groups) do
        local errors, mean, sum, weight = {}, 0.0, 0.0, (#group) ^ 0.5
        for i, x in ipairs(group) do
            errors[i] = log(model.cost_of({x.f}, m) / x.ns)
            mean = mean + errors[i] / #group
        end
        for _, e in ipairs(errors) do sum = sum + squared(e - mean) end
        all, weights = all + weight * (sum / #group + WHOLE * squared(mean)), weights + weight
    end
    return all / weights
end

-- What is shown of it: the correlation of ranks of all, and of the results of a program, in the mean of those that have an order; and by what factor half of
-- the predictions are wrong at most.
local function correlation(list, m)
    return simulate.rank_correlation(lists.map(list, function(x) return x.ns end), lists.map(list, function(x) return (model.cost_of({x.f}, m)) end))
end
local function quality(list, m)
    local sum, n, errors = 0, 0, {}
    for _, group in ipairs(by_program(list)) do
        local r = #group >= GROUP and correlation(group, m)
        if r then sum, n = sum + r, n + 1 end
    end
    for i, x in ipairs(list) do errors[i] = exp(abs(log(model.cost_of({x.f}, m) / x.ns))) end
    table.sort(errors)
    return {rank = correlation(list, m), within = n > 0 and sum / n or nil, error = errors[(#errors + 1) // 2], loss = loss(by_program(list), m)}
end

-- The constants of those names that predict a list best, found one by one.
local function fitted(list, names, start)
    local m, groups = base.merged(start), by_program(list)
    local function moved()
        local sum = 0.0
        for _, name in ipairs(names) do sum = sum + log(m[name] / start[name]) ^ 2 end
        return STAYS * sum
    end
    local best = loss(groups, m)
    local function try(name, value)
        local before, most = m[name], start[name] <= 1 and start.parts[name] and 1 or math.huge        -- a part stays one
        value = max(start[name] / FARTHEST, min(start[name] * FARTHEST, value, most))
        if value == before then return false end
        m[name] = value
        local now = loss(groups, m) + moved()
        if now < best - 1e-7 then
            best = now
            return true
        end
        m[name] = before
        return false
    end
    for _, step in ipairs(STEPS) do
        local better, rounds = true, 0
        while better and rounds < ROUNDS do
            better, rounds = false, rounds + 1
            engine.progress(("fitting   steps of %g, round %d   error %.4f"):format(step, rounds, best))
            for _, name in ipairs(names) do
                for _, factor in ipairs({step, 1 / step}) do
                    while try(name, m[name] * factor) do better = true end
                end
            end
        end
    end
    engine.progress("")
    return m
end

-- device --fit: {text = results as TSV, recorded = they are a file's, kind = of the device (nil: of the first result),
-- fields = {cpu = {{name =, part = it is a part of one} ...}, gpu = ...}}. Gives {kind =, values = {name =}: empty where they are no better, ...}.
local function command(spec)
    local list, programs, kind = results_of(spec.text, spec.kind)
    if #list < LEAST then
        objective.bad(("%s with features: too few to fit to, %d are needed"):format(lists.count(#list, "result"), LEAST),
                      {{"hint", "search rules --budget 60, of several programs, measures some; --from FILE.tsv takes a recording"}})
    end
    local start, names = base.merged((model.constants(kind))), {}
    start.parts = {}
    for _, field in ipairs(spec.fields[kind]) do
        if start[field.name] > 0 then names[#names + 1] = field.name end
        start.parts[field.name] = field.part
    end
    local known, apart = {}, {}
    for i, x in ipairs(list) do table.insert(i % TESTED == 0 and apart or known, x) end
    local m = fitted(known, names, start)
    local all = {before = quality(known, start), after = quality(known, m), apart_before = quality(apart, start), apart_after = quality(apart, m)}
    local better = all.apart_after.loss < all.apart_before.loss and (all.apart_after.rank or 0) >= (all.apart_before.rank or 0)
    local shown = spec.recorded or engine.setting("times") == "on"
    local function figures(what, name, form)
        local cells = lists.map({"before", "after", "apart_before", "apart_after"}, function(key)
            local x = all[key][name]
            return shown and x and form:format(x) or "-"
        end)
        lists.say("  %-26s %8s %8s %12s %8s", what, table.unpack(cells))
    end
    lists.say("fitted to %d results of %s for a %s; %d more were left out to test it", #known, lists.count(programs, "program"), kind:upper(), #apart)
    lists.say("  %-26s %8s %8s %12s %8s", "", "before", "after", "left: before", "after")
    figures("correlation of ranks", "rank", "%.3f")
    figures("the same within a program", "within", "%.3f")
    figures("half are wrong by at most", "error", "%.2f x")
    if programs < ENOUGH then lists.say("  so few programs may say little of others: measure some of other kinds, too") end
    if not better then lists.say("  what was left out is predicted no better: the constants stay") end
    local values = {}
    for _, name in ipairs(better and names or {}) do values[name] = m[name] ~= start[name] and m[name] or nil end
    return {kind = kind, values = values, results = #known, left_out = #apart, before = all.before, after = all.after,
            left_before = all.apart_before, left_after = all.apart_after}
end

return {command = command}

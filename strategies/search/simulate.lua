-- simulate: strategies on recorded results, without a device: how many evaluations they need with many seeds,
-- and one score each, beside what random search needs by the exact formula.

local engine, base, objective, run = require "engine", require "base", require "objective", require "run"
local search, bad, lists = require "candidates", objective.bad, require "lists"
require "model"

-- recordings: lines of `results --format tsv`, one a result

-- rows(text): each line as a table by the names of the columns.
function search.rows(text)
    local names, list = nil, {}
    for line in text:gmatch("[^\r\n]+") do
        local values, row = {}, {}
        for value in (line .. "\t"):gmatch("([^\t]*)\t") do values[#values + 1] = value end
        for i, name in ipairs(names or {}) do row[name] = values[i] end
        list[#list + 1] = names and row
        names = names or values
    end
    for _, needed in ipairs({"params", "state", "ns", "derivation"}) do
        if not base.any(names or {}, rawequal, needed) then bad("a recording needs a column " .. needed, {{"try", "results --format tsv -o results.tsv"}}) end
    end
    return list
end

-- params_of("s0=32 s1=4"): as a table, of parameters or sizes.
function search.params_of(text)
    local params = {}
    for name, value in (text or ""):gmatch("([%w_]+)=(%S+)") do params[name] = math.tointeger(value) or tonumber(value) or value end
    return params
end

function search.trial_of(row)
    local ns = tonumber(row.ns)
    local ok = row.state == "ok" and ns and ns > 0
    local source = row.source and row.source:find("[1-9a-f]") and row.source or nil
    return {ok = ok or false, status = ok and "ok" or row.state == "ok" and "failed" or row.state,
            ns = ok and ns or nil, row = row, source = source, message = row.message or ""}
end

-- Under which a recorded trial is found: the hash of its version, and how its kernels have sizes; nil: either.
function search.recorded_as(hash, how) return how and hash .. " " .. how or hash end

-- What a row was measured on: devices of one name are one, as several workers of a search.
function search.model_of(row) return row.name and row.name ~= "" and row.name or row.device end

-- What an evaluation took, in ms: building, verifying, and all executions; 0: it is not known.
local function spent_ms(row)
    local ms = (tonumber(row.build) or 0) + (tonumber(row.verify) or 0)
    for ns in (row.times or ""):gmatch("[%d.e+]+") do ms = ms + ns / 1e6 end
    return ms
end

-- recording(text): {points = CANDIDATES, trial(point), ms = what all took, ok = their trials, times, best, device,
-- program}: the
-- newest result of each point on the first device.
function search.recording(text)
    local groups, order, first = {}, {}, nil
    for _, row in ipairs(search.rows(text)) do
        first = first or row
        if search.model_of(row) == search.model_of(first) and row.sizes == first.sizes and row.state ~= "stopped"
            and row.state ~= "refused" then         -- no kernel: it costs a search nothing
            local g = groups[row.derivation]
            if not g then
                g = {derivation = row.derivation, entries = {}, by = {}}
                groups[row.derivation], order[#order + 1] = g, g
            end
            local entry = g.by[row.params]
            if not entry then
                entry = {params = search.params_of(row.params)}
                g.by[row.params], g.entries[#g.entries + 1] = entry, entry
            end
            entry.trial = search.trial_of(row)
        end
    end
    if not first then bad("the recording holds no result") end
    table.sort(order, function(a, b) return a.derivation < b.derivation end)
    local structures, trials, timed, times, ms = {}, {}, {}, {}, 0.0
    for i, g in ipairs(order) do
        local names, points = base.keys(g.entries[1].params, base.shorter), {}
        table.sort(g.entries, function(a, b)
            for _, name in ipairs(names) do
                if a.params[name] ~= b.params[name] then return a.params[name] < b.params[name] end
            end
            return false
        end)
        trials[i] = {}
        for k, entry in ipairs(g.entries) do
            points[k], trials[i][k] = entry.params, entry.trial
            ms = ms + spent_ms(entry.trial.row)
            if entry.trial.ok then timed[#timed + 1], times[#times + 1] = entry.trial, entry.trial.ns end
        end
        structures[i] = {label = (first.program or "recorded") .. "/" .. i, derivation = g.derivation,
                         calls = {g.derivation}, number = i, space = search.listed_space(names, points)}
    end
    if #times == 0 then bad("no result of the recording is ok") end
    table.sort(times)
    local r = {points = search.union(structures), ms = ms, ok = timed, times = times, best = times[1],
               device = first.device or "?", program = first.program or "?", sizes = first.sizes or ""}
    function r.trial(p) return trials[p.structure.number][p.structure.space:index(p.params)] end
    return r
end

-- the cost model on a recording

-- Ranks, equal values sharing the mean of theirs.
local function ranks(values)
    local order, rank = {}, {}
    for i = 1, #values do order[i] = i end
    table.sort(order, function(a, b) return values[a] < values[b] end)
    local first = 1
    while first <= #order do
        local last = first
        while last < #order and values[order[last + 1]] == values[order[first]] do last = last + 1 end
        for i = first, last do rank[order[i]] = (first + last) / 2 end
        first = last + 1
    end
    return rank
end

-- Spearman's: the correlation of the ranks; nil where all of one are equal.
local function rank_correlation(xs, ys)
    local a, b, mean = ranks(xs), ranks(ys), (#xs + 1) / 2
    local ab, aa, bb = 0.0, 0.0, 0.0
    for i = 1, #xs do
        ab, aa, bb = ab + (a[i] - mean) * (b[i] - mean), aa + (a[i] - mean) ^ 2, bb + (b[i] - mean) ^ 2
    end
    return aa > 0 and bb > 0 and ab / math.sqrt(aa * bb) or nil
end

-- How the order that the cost model gives agrees with the measured one; nil without features.
local function agreement(recording)
    local points = lists.map(recording.ok, function(trial) return {structure = {}, row = trial.row, ns = trial.ns} end)
    local function ns(x) return x.ns end
    return rank_correlation(lists.map(points, ns), lists.map(search.predict(points, function(p) return p.row end), ns))
end

-- random search by formula: N points, times ascending of those that are ok

-- How close to the best, in percent; what that means is said in one place, for results --histogram too.
local levels = {2, 5, 10}
local function is_within(ns, best, percent) return best / ns >= engine.share_within(percent) end

-- The expected best of n draws, n = 1 .. most; a point that is not ok counts as the slowest.
local function random_curve(N, times, most)
    local worst, tail, curve = times[#times], {}, {}
    for i = 1, #times do tail[i] = 1.0 end
    for n = 1, most do
        local expected, above = 0.0, 1.0
        for i = 1, #times do             -- tail[i]: none of n draws is among the first i
            tail[i] = tail[i] * math.max(0, N - i - n + 1) / (N - n + 1)
            expected, above = expected + (above - tail[i]) * times[i], tail[i]
        end
        curve[n] = expected + above * worst
    end
    return curve
end

-- one strategy

-- Its trials, up to the one that is the best; but those that cost no evaluation.
local function one_run(recording, strategy, options, seed, most)
    local function measure(_, points, ended)
        for i, p in ipairs(points) do
            local t = recording.trial(p)
            ended(i, {ok = t.ok, status = t.status, ns = t.ns, message = t.message, build_ms = 0, runs = 1, source = t.source})
        end
    end
    local state = run.new_state({budget = {evaluations = most, good_ns = recording.best}, seed = seed}, recording.points, {
        piece = 1, told = function() end, features = function(p) return recording.trial(p).row end, measure = measure})
    run.drive(state, strategy, options)
    return lists.filter(state.trials, function(trial) return not trial.same_as end)
end

local function quantile(list, seeds, share)
    table.sort(list)
    return list[math.ceil(share * seeds)]
end

-- The time in which random search comes 95 % of the way from the median to the best, in ms, but at most that of so many evaluations, and the mean
-- of an evaluation; nil: it is not known what they took.
local function time_of_random(recording, curve, all, most)
    local mean, median = all / recording.points.count, recording.times[(#recording.times + 1) // 2]
    local k = 1
    while k < most and curve[k] > median - 0.95 * (median - recording.best) do k = k + 1 end
    if mean > 0 then return {ms = k * mean, mean = mean} end
end

-- How much of what random search leaves a strategy gains: (what random is expected to have after k evaluations - the mean of
-- the runs) / (what random has - the best), the mean over k up to where random is within 5 % with 95 % confidence. 0: as random;
-- 1: the best at once; below 0: worse than random.
local function score(curve, sum, seeds, best, most)
    local total, n = 0, 0
    for k = 1, most do
        local room = curve[k] - best
        if room > best * 1e-9 then total, n = total + (curve[k] - sum[k] / seeds) / room, n + 1 end
    end
    return n > 0 and total / n or 0
end

-- The same over time, as Willemsen et al. (2024) compare tuners: at 50 moments up to the last one of `limit`, with what evaluations took.
local MOMENTS = 50

local function add_moments(sums, limit, trials, worst)
    local at, n, best = 0.0, 0, worst
    for i = 1, MOMENTS do
        local now = i * limit.ms / MOMENTS
        while n < #trials and at + spent_ms(trials[n + 1].row) <= now do
            n = n + 1
            at, best = at + spent_ms(trials[n].row), trials[n].ok and math.min(best, trials[n].ns) or best
        end
        sums[i] = (sums[i] or 0) + best
    end
end

local function score_over_time(sums, limit, curve, seeds, best)
    local total, n = 0, 0
    for i, sum in ipairs(sums) do
        local random = curve[math.max(1, math.floor(i * limit.ms / MOMENTS / limit.mean))]
        if random - best > best * 1e-9 then total, n = total + (random - sum / seeds) / (random - best), n + 1 end
    end
    return n > 0 and total / n or 0
end

local function simulate(recording, strategy, options, seeds, most, curve, budget, limit)
    local hits, sum, worst = lists.map(levels, function() return {} end), {}, recording.times[#recording.times]
    local moments = {}
    for seed = 1, seeds do
        engine.progress(("%s: search %d of %d"):format(strategy.name, seed, seeds))
        local trials, best = one_run(recording, strategy, options, seed, most), worst
        for i, level in ipairs(levels) do                        -- the evaluation at which the run first was that close to the best
            for n, trial in ipairs(trials) do
                if trial.ok and is_within(trial.ns, recording.best, level) then
                    table.insert(hits[i], n)
                    break
                end
            end
        end
        if limit then add_moments(moments, limit, lists.map(trials, function(t) return recording.trial(t.point) end), worst) end
        for n = 1, most do
            local trial = trials[n]
            if trial and trial.ok then best = math.min(best, trial.ns) end
            sum[n] = (sum[n] or 0) + best
        end
    end
    return {strategy = strategy.name, score = score(curve, sum, seeds, recording.best, budget),
            over_time = limit and score_over_time(moments, limit, curve, seeds, recording.best), needs = lists.map(levels, function(level, i)
        return {within = level, n50 = quantile(hits[i], seeds, 0.5), n95 = quantile(hits[i], seeds, 0.95)}
    end)}
end

-- random by formula, as a strategy's result
local function exact(recording)
    local N, times = recording.points.count, recording.times
    return {strategy = "random (exact)", score = 0, over_time = recording.ms > 0 and 0 or nil, needs = lists.map(levels, function(level)
        local m = #lists.filter(times, function(ns) return is_within(ns, times[1], level) end)
        return {within = level, points = m, n50 = engine.draws_needed(N, m, 0.5), n95 = engine.draws_needed(N, m, 0.95)}
    end)}
end

local function line(result)
    local needs = lists.map(result.needs, function(need) return ("  %6s %6s"):format(need.n50 or "-", need.n95 or "-") end)
    return ("  %-16s %6.2f %6s"):format(result.strategy, result.score, result.over_time and ("%.2f"):format(result.over_time) or "-") .. table.concat(needs)
end

-- The command: search ... using A,B --simulate [--seeds 100] [--from FILE]
local function command(spec, text, strategies)
    local recording = search.recording(text)
    local N, seeds = recording.points.count, spec.seeds or 100
    local by_formula = exact(recording)
    local budget = math.min(N, math.max(2, by_formula.needs[2].n95))         -- random is within 5 % with 95 %
    local most = math.min(N, run.bounded(run.parse_budget(spec.budget), N).evaluations or math.max(200, budget))
    budget = math.min(budget, most)
    local curve = random_curve(N, recording.times, most)
    local limit = time_of_random(recording, curve, recording.ms, most)
    local unit = recording.best < 1e6 and "us" or "ms"
    lists.say("simulation on %d recorded points of %s on %s  %s: %d ok, best %.4g %s; %d seeds, at most %d evaluations", N, recording.program,
              recording.device, recording.sizes, #recording.times, recording.best / (unit == "us" and 1e3 or 1e6), unit, seeds, most)
    local order = agreement(recording)
    if order then lists.say("the cost model's order of them and the measured one correlate with %.2f (Spearman)", order) end
    engine.print("                           over    within 2 %     within 5 %    within 10 %")
    engine.print("  strategy          score   time     n50    n95     n50    n95     n50    n95")
    engine.print(line(by_formula))
    local results = {by_formula}
    for _, name in ipairs(strategies) do
        local strategy = run.find_strategy(name)
        local options = run.options_of(strategy, #strategies == 1 and spec.set or nil)
        local ok, r = pcall(simulate, recording, strategy, options, seeds, most, curve, budget, limit)
        engine.progress("")
        if engine.stopping() or not ok and #strategies == 1 then error(ok and "interrupted" or r, 0) end
        if ok then results[#results + 1] = r end
        engine.print(ok and line(r)
                     or string.format("  %-16s cannot be simulated: %s", name, type(r) == "table" and r.message or r))
    end
    engine.print("  score: 0 as random search, 1 the best at once")
    if limit then engine.print("  over time: the same by what building, verifying and running took") end
    engine.print("  n50, n95: evaluations until 50 %, 95 % of the searches are so close")
    return {points = N, ok = #recording.times, best_ns = recording.best, device = recording.device,
            program = recording.program, seeds = seeds,
            model_correlation = order, evaluations = most, strategies = results}
end

return {command = command, rank_correlation = rank_correlation}

-- command: the command `search`: a search on a device, what it prints and reports; spaces; simulations.

local engine, base, objective = require "engine", require "base", require "objective"
local run, funnel, simulate, remeasure = require "run", require "funnel", require "simulate", require "remeasure"
local plot, problem, kept = require("plot").plot, require "problem", require "serialised"
local search, bad, lists = require "union", objective.bad, require "lists"
local map, filter, json, say = lists.map, lists.filter, lists.json, lists.say
require "fusions"
require "explain"

-- The strategies, as they are listed.
for _, name in ipairs({"exhaustive", "random", "climb", "anneal", "genetic", "nested", "bayes", "guided", "descent", "saturation", "tune"}) do require(name) end
run.loaded()

-- on a device

-- light: as the search looks at it; else as a user would have made it, which is what is kept.
local function version_of(p, light)
    local s, params = search.member(p)
    local v = light and s.light or s.version
    if next(params) then return v:with(params) end
    return v
end

local function features(p)
    local v, why = version_of(p, true)
    if not v then return nil, why end
    return v:features()
end

local function keep(p)
    local v = p.version or version_of(p)
    p.version = v.n and v or engine.twin(v) or v:keep()
    return p.version
end

-- The steps from the source; of an exploration's structure, which is not made step by step, as it would be typed.
local function derivation_of(p)
    local s = search.member(p)
    local before = s.from and s.derivation and engine.derivation(s.from)
    if not before then return "" end
    return before == "" and s.derivation or before .. "; " .. s.derivation
end

local function refused(why) return {ok = false, status = "refused", message = why.message, build_ms = 0, runs = 0} end

-- f(...) with sizes as numbers or as arguments (nil: as set), in kernels.
local function with_sizes(how, f, ...)
    local before = engine.setting("sizes")
    if not how or how == before then return f(...) end
    local function set(value) engine.command("set", {{text = "sizes"}, {text = value}}) end
    set(how)
    return base.finally(function() set(before) end, f, ...)
end

local function sizes_of(p) return select(3, search.member(p)) end

-- Devices that are lost are named, while the search goes on by the others.
local function tell_lost(state)
    for device, why in engine.search_lost do
        engine.progress("")
        say("  %s is lost: %s", device, why)
        engine.event({v = 1, event = "lost", device = device, message = why})
        state.lost = state.lost or json({})
        state.lost[#state.lost + 1] = {device = device, message = why}
    end
end

-- Points whose sizes are given alike go together, in their order.
local function measure(state, points, ended)
    local from, goes_on = 1, true
    while from <= #points and goes_on do
        local how, to, missing = sizes_of(points[from]), from, {}
        while to < #points and sizes_of(points[to + 1]) == how do to = to + 1 end
        local before = from - 1
        local function make(i)
            local v, why = version_of(points[before + i], true)
            if v then return v, derivation_of(points[before + i]) end
            missing[i] = engine.stopping() and {status = "stopped"} or refused(why)
        end
        local function tell(i, trial)
            tell_lost(state)
            if trial and state.spec.started and trial.since >= state.spec.started then trial.known = false end
            goes_on = ended(before + i, trial or missing[i]) and goes_on
            return goes_on
        end
        with_sizes(how, engine.search_try, to - before, make, tell)
        tell_lost(state)
        from = to + 1
    end
end

-- Trials as they were recorded, of the versions with these hashes; the search ends at one that was not (state.unrecorded).
local function recall(state, points, ended)
    for i, p in ipairs(points) do
        local v, why = version_of(p, true)
        local trial = v and state.recording[search.recorded_as(v.hash, sizes_of(p))]
        if v and not trial then state.unrecorded = p end
        ended(i, trial and setmetatable({}, {__index = trial}) or v and {status = "stopped"} or refused(why))
        if not trial and v then return end
    end
end

-- reporting

local function times() return engine.setting("times") == "on" end

-- What the objective says of a trial, and its time: "325.9 GB/s   0.412 ms"
local function worth(state, trial)
    if not times() or not trial.ns then return "-" end
    local time = objective.time_text(trial.ns)
    return state.objective.name == "time" and time or state.objective:text(trial.cost) .. "   " .. time
end

local function name_of(state, p)
    if p.structure.single then return p.structure.label end
    return state.labelled and tostring(p) or run.params_text(p)
end

local function trial_line(state, trial)
    local version = trial.point.version and trial.point.version.n
    local remarks = {trial.ok and times() and worth(state, trial) or trial.status}
    if not trial.ok and trial.message ~= "" and trial.message:lower() ~= trial.status then
        remarks[1] = remarks[1] .. ": " .. trial.message
    end
    if trial.known then remarks[#remarks + 1] = "known" end
    if trial.same_as then remarks[#remarks + 1] = "same source as " .. trial.same_as end
    if trial.gave_up and times() then remarks[#remarks + 1] = "one run" end
    if state.device_count > 1 and not trial.same_as then remarks[#remarks + 1] = trial.device end
    return string.format("  %5d  %-6s %-28s  %s", trial.n, version and "@" .. version or "",
                         name_of(state, trial.point), table.concat(remarks, "   "))
end

-- Which trials are worth a line: all where little is tried or asked for; else what is better than all before,
-- and the first few of each failure. What made no kernel is counted by reason (report).
local function worth_a_line(state, trial)
    if state.spec.quiet or state.spec.all then return not state.spec.quiet end
    if trial.status == "refused" then return false end
    if not times() or trial.improved then return true end
    state.failures[trial.status] = (state.failures[trial.status] or 0) + 1
    return not trial.ok and state.failures[trial.status] <= 3
end

local function progress(state)
    local passed, budget = engine.clock() - state.started, state.budget
    if not times() then return end
    local done, points = state.evaluations, state.points and state.points.count or math.huge
    local rate = done / math.max(passed, 1e-3)
    local left = budget.seconds and budget.seconds - passed
    local most = math.min(budget.evaluations or math.huge, points - state.same - state.refused)
    if most < math.huge and done > 0 then left = math.min(left or math.huge, (most - done) / rate) end
    local best, parts = state.best, {done .. (most < math.huge and " of " .. most or "")}
    if done > 0 then parts[2] = string.format("%.3g a second", rate) end
    parts[#parts + 1] = best and "best " .. worth(state, best.trial) or "best none yet"
    if best and not state.spec.started then parts[#parts] = parts[#parts] .. " " .. name_of(state, best.point) end
    if left then
        local s = math.max(left, 0)
        parts[#parts + 1] = (s < 100 and ("%.0f s"):format(s) or ("%d:%02d"):format(s // 60, math.floor(s % 60))) .. " left"
    end
    local drawn = state.spec.plot and plot(state.trials) or ""
    engine.progress(drawn .. table.concat(parts, "   "))
end

local function trial_json(state, trial)
    local p, o = trial.point, state.objective
    return {n = trial.n, point = tostring(p), params = p.params, version = p.version and p.version.n or nil,
            state = trial.status, ns = times() and trial.ns or nil,
            [o.name] = times() and o.name ~= "time" and trial.cost < math.huge and o:value(trial.cost) or nil,
            known = trial.known or nil, same_as = trial.same_as, fixed = trial.fixed,
            message = trial.message ~= "" and trial.message or nil}
end

local function told(state, trial)
    if not state.spec.keep and trial.status ~= "refused" then keep(trial.point) end
    if worth_a_line(state, trial) then
        engine.progress("")
        engine.print(trial_line(state, trial))
    end
    local event = trial_json(state, trial)
    event.v, event.event, event.device = 1, "trial", trial.device or state.device
    engine.event(event)
    progress(state)
end

local function counts_text(state)
    local known, parts = #filter(state.trials, function(trial) return trial.known end), {}
    for _, name in ipairs({"ok", "wrong", "build failed", "failed", "timed out", "died"}) do
        if state.counts[name] then parts[#parts + 1] = state.counts[name] .. " " .. name end
    end
    if known > 0 then parts[#parts + 1] = known .. " known before" end
    local counts = {#parts > 0 and table.concat(parts, ", ") or nil}
    if state.same > 0 then counts[#counts + 1] = state.same .. " more the same source as another" end
    if state.refused > 0 then counts[#counts + 1] = state.refused .. " more made no kernel" end
    return table.concat(counts, "; ")
end

local endings = {
    evaluations = "the budget of evaluations is spent", time = "the time is up", ["good enough"] = "that is good enough",
    unrecorded = "what the strategy asks for next was not recorded", stopped = "stopped; `search` goes on", paused = "stopped: the device is paused",
    lost = "stopped: no device is left",
    strategy = "the strategy has ended", ["every point"] = "every point was tried",
    ["nothing new"] = "the strategy asks for nothing new",
    repeats = "the last " .. run.IDLE .. " points made no kernel, or one that was tried: the strategy finds nothing new",
}

local SHOWN = 8                          -- reasons

-- The best in turns with the next: which of them is best is what that says, so far as it could be measured.
local function settled(state)
    local spec = state.spec
    local unasked = spec.tuned or spec.recorded or spec.started and not spec.replay or engine.stopping()
    if unasked or not times() or not state.best then return end
    local trials = remeasure.ranked(state, spec.keep or remeasure.AGAIN)
    local list = map(trials, function(trial)
        return {version = keep(trial.point), label = name_of(state, trial.point), sizes = sizes_of(trial.point)}
    end)
    if #list < 2 then return end
    local failed, best = nil, nil
    for _, how in ipairs({false, "constant", "argument"}) do         -- in turns, those whose sizes are given alike
        local alike = filter(list, function(f) return (f.sizes or false) == how end)
        if #alike > 0 then failed = with_sizes(how or nil, remeasure.measure, alike, spec.transfer) or failed end
    end
    for i, f in ipairs(list) do
        local trial = setmetatable({ns = f.ns, min_ns = f.min_ns}, {__index = trials[i]})
        local cost = f.ns and state.objective:cost(trial) or math.huge
        trial.cost = cost
        if cost < (best and best.cost or math.huge) then best = {point = trial.point, ns = f.ns, cost = cost, trial = trial} end
    end
    if not spec.quiet then remeasure.print(list, failed) end
    state.best, state.again = best or state.best, list
end

local function report(state, reason)
    engine.progress("")
    local counts = #state.trials > 0 and ": " .. counts_text(state) or ""
    say("  %d of %s tried%s", state.evaluations, state.points and state.points.count + state.beside or "?", counts)
    local reasons, most = search.by_count(state.reasons), state.spec.all and math.huge or SHOWN
    for i = 1, math.min(#reasons, most) do say("  rejected %8d   %s", reasons[i].count, reasons[i].reason) end
    if #reasons > most then say("  rejected for %d other reasons: --all", #reasons - most) end
    for _, trial in ipairs(state.spec.keep and run.best_of(state.trials, state.spec.keep) or {}) do
        keep(trial.point)
        if times() then engine.print(trial_line(state, trial)) end
    end
    local left_out = #filter(state.trials, function(trial) return trial.known and (trial.status == "died" or trial.status == "timed out") end)
    if left_out > 0 then say("  %d died or did not end before and was not run again: --force", left_out) end
    if reason ~= "stopped" and reason ~= "paused" and reason ~= "lost" then settled(state) end
    local best = state.best
    if best then keep(best.point) end
    if best and best.trial.ns then best.point.version:best(best.trial.ns) end
    if best and times() then
        local n = best.point.version.n
        if state.spec.go then best.point.version:go() end
        say("  best @%d   %s   %s   (trial %d)    %s", n, name_of(state, best.point), worth(state, best.trial), best.trial.n,
            state.spec.go and "current" or "goto @" .. n)
    end
    if state.counts.ok and not best then engine.print("  none is best: nothing is timed on " .. state.device) end
    engine.print("  " .. endings[reason] .. (state.unrecorded and ": " .. name_of(state, state.unrecorded) or ""))
end

local function report_json(state, reason, strategy)
    local best = state.best and times() and trial_json(state, state.best.trial) or false
    return {strategy = strategy.name, space = state.points.count, reason = reason, evaluations = state.evaluations,
            same = state.same, refused = state.refused, rejected = json(search.by_count(state.reasons)), best = best,
            trials = json(map(state.trials, function(trial) return trial_json(state, trial) end)),
            again = state.again and json(map(state.again, function(f) return {version = f.version.n, ns = f.ns} end)),
            device = state.device, lost = state.lost, objective = state.objective.name}
end

local function no_candidate(state)
    local failed = filter(state.trials, function(trial) return not trial.ok and trial.status ~= "refused" end)
    local notes = map(failed, function(trial) return {trial.status, name_of(state, trial.point) .. "  " .. trial.message} end)
    for _, r in ipairs(search.by_count(state.reasons)) do notes[#notes + 1] = {"refused", r.reason} end
    notes = table.move(notes, 1, 4, 1, {})
    local lowered = state.points.count == 0 and engine.is_lowered(state.version:term())
    notes[#notes + 1] = {"hint", lowered and "this version is lowered already and has no parameters: search from the program it was made of"
                                          or "a larger --budget, or another strategy"}
    notes[#notes + 1] = {"try", lowered and "goto @0" or "list strategies"}
    engine.raise({id = "E66", message = "none of " .. #state.trials .. " candidates is valid", notes = notes})
end

-- What a search is about, for a GPU or not, and whether its points are told apart by their structures.
local function candidates(spec, v, gpu)
    if spec.what == "rules" then
        if times() then engine.progress("exploring structures ...") end
        local c, why = search.candidates(v, {device = gpu and "gpu" or "cpu"})
        if not c then error(why, 0) end
        return c, true
    end
    if spec.what == "fusions" then return search.fusions(v, spec.kind or gpu and "gpu" or "cpu"), true end
    if spec.call then return search.family(v, spec.call, spec.choices, gpu), false end
    if not search.has_open(v) then
        bad("@" .. v.n .. " has no unbound parameter: there is nothing to search",
            {{"hint", "rules without their sizes make parameters, as apply splitJoin does"}, {"try", "search rules"}})
    end
    local lowered, why = engine.lowered(v)
    if not lowered then engine.raise(why) end
    return search.union({{label = v.program, version = v, light = v, calls = {}, derivation = "", space = assert(search.space_of(v))}}), false
end

local function introduce(state, strategy, of)
    local aim = state.objective.name ~= "time" and "   for " .. state.objective.name or ""
    if state.spec.transfer and state.spec.transfer ~= "none" then aim = aim .. "   with transfers " .. state.spec.transfer end
    say("search %s using %s%s on %s   %s%s", state.spec.what, strategy.name, of, state.device, lists.count(state.points.count, "point"), aim)
end

-- The trials of a recording by search.recorded_as, on the first device that it is of; that device. What a search tried goes before what
-- was run besides, as when the best were measured again; then the newest.
local function recorded_trials(spec)
    local trials, age, first = {}, {}, nil
    local function add(key, row, at)
        if at >= (age[key] or 0) then trials[key], age[key] = search.trial_of(row), at end
    end
    for _, row in ipairs(search.rows(spec.text)) do
        local same = row.sizes == spec.sizes and (not row.inputs or row.inputs == spec.inputs)
        if same then first = first or row end
        local at = (tonumber(row.id) or 0) + (tonumber(row.trial) and 1e12 or 0)
        if same and search.model_of(row) == search.model_of(first) and row.version and row.state ~= "stopped" then
            add(search.recorded_as(row.version), row, at)
            add(search.recorded_as(row.version, (row.options or ""):match("sizes=(%a+)") or "constant"), row, at)
        end
    end
    if not next(trials) then
        bad("the recording has nothing at these sizes, " .. spec.sizes .. ", with these inputs",
            {{"needs", "what `results --format tsv -o FILE` writes, with its columns version and sizes"}})
    end
    return trials, first.device
end

-- The search among a GPU's points or a CPU's, as far as the recording goes; tell: what it says of a trial. Its state and why it ended.
local function recalled(spec, strategy, options, gpu, trials, device, tell)
    local points, labelled = candidates(spec, assert(engine.version()), gpu)
    engine.progress("")
    local state = run.new_state(setmetatable({budget = base.merged(spec.budget)}, {__index = spec}), points, {
        labelled = labelled, measure = recall, told = tell or function() end, begins = tell and progress, piece = 1, recording = trials,
        features = features, device = device .. " as recorded", device_count = 1, version = engine.version()})
    if tell then introduce(state, strategy, "") end
    engine.hold(true)
    local reason = run.drive(state, strategy, options)
    if state.unrecorded then reason = "unrecorded" end
    return state, reason
end

-- Is it a GPU's points that the recording has? Those among which the search goes further.
local function recorded_on_gpu(spec, strategy, options, trials, device)
    local gone = {}
    for _, gpu in ipairs({true, false}) do
        local ok, state = engine.pcall(recalled, spec, strategy, options, gpu, trials, device)
        if not ok and engine.stopping() then error(state, 0) end
        gone[gpu] = ok and #state.trials or 0
    end
    if gone[true] + gone[false] == 0 then
        bad("what this search asks for first is not in the recording",
            {{"hint", "the same program, sizes and inputs, and the same search"}})
    end
    return gone[true] > gone[false]
end

-- The same search with what was recorded of it, without a device: as far as that goes.
local function replayed(spec, strategy, options)
    local trials, device = recorded_trials(spec)
    local by_kind = spec.what ~= "params" or spec.call
    local gpu = by_kind and recorded_on_gpu(spec, strategy, options, trials, device)
    local state, reason = recalled(spec, strategy, options, gpu, trials, device, told)
    report(state, reason)
    return state, reason
end

local function on_device(spec, strategy, options)
    local current = assert(engine.version())
    engine.search_begin()
    local v = spec.version and assert(engine.version("@" .. spec.version)) or current
    local points, labelled = candidates(spec, v, (spec.what ~= "params" or spec.call) and engine.on_gpu())
    engine.progress("")
    if points.count == 0 and strategy.name ~= "tune" then
        bad("no point of the space is legal: nothing can be tried",
            {{"try", "search " .. spec.what .. "        says what rejects them"}})
    end
    local device, count = engine.search_open(spec.asked, v)
    if not device then engine.raise(count) end
    local state = run.new_state(spec, points, {
        labelled = labelled, measure = measure, told = told, begins = progress, piece = engine.search_batch(),
        features = features, device = device, device_count = count, version = v})
    introduce(state, strategy, v.n ~= current.n and " of @" .. v.n or "")
    engine.hold(true)
    local reason = run.drive(state, strategy, options)
    local paused = reason == "stopped" and not engine.stopping() and engine.search_over()
    if paused then reason = count > 1 and "lost" or "paused" end
    if reason == "stopped" and spec.replay and not spec.interrupted and not engine.stopping() then
        reason = spec.budget.seconds and "time" or "strategy"
    end
    engine.search_close()
    report(state, reason)
    return state, reason, paused
end

local function listed(values)
    if #values <= 12 then return table.concat(values, ", ") end
    return table.concat(values, ", ", 1, 10) .. ", ... " .. values[#values]
end

-- `search params` without a strategy: the space.
local function show_space(spec)
    local v = assert(engine.version())
    local space = spec.call and select(2, search.family(v, spec.call, spec.choices, not engine.target() or engine.on_gpu())) or assert(search.space_of(v))
    local of = spec.call and spec.call .. " of " or ""
    say("space of %s%s@%s   %s", of, v.program, v.n, lists.count(space.count, "point"))
    local parameters = map(space.names, function(name)
        local values = space:values(name, {})
        say("  %-6s %4d value%s   %s", name, #values, #values == 1 and " " or "s", listed(values))
        return {name = name, values = values}
    end)
    local rejected = map(space:funnel(), function(stage)
        if (stage.count or 0) > 0 then say("  rejected %8d   %s: %s", stage.count, stage.reason, stage.text) end
        return {reason = stage.reason, count = stage.count, text = stage.text}
    end)
    return {what = "params", points = space.count, parameters = parameters, rejected = rejected}
end

-- `search fusions` without a strategy: how many points there are.
local function show_fusions()
    local v = assert(engine.version())
    local points, p = search.fusions(v, engine.on_gpu() and "gpu" or "cpu")
    say("fusions of %s   %d points", v.program, points.count)
    say("  %8d   implementations of %d fusions of %d functions", p.ways, #p.fusions, #p.functions)
    say("  %8d   combinations, the best predicted", #p.combinations)
    return {what = "fusions", points = points.count, fusions = #p.fusions, implementations = p.ways}
end

local function simulated(spec)
    local text, why = spec.text, nil
    if not text and engine.version() then
        text, why = engine.command("results", {{flag = "format", text = "tsv"}, {flag = "sort", text = "id"}})
    end
    if why and why.id then engine.raise(why) end
    if not text or not text:find("\n.") then
        bad("nothing was recorded of this program: there is nothing to simulate",
            {{"try", "search params using random"}, {"hint", "or --from FILE.tsv"}})
    end
    engine.hold(true)
    local names = {}
    for name in (spec.using or "all"):gmatch("[^,]+") do names[#names + 1] = name ~= "all" and run.find_strategy(name).name or nil end
    return simulate.command(spec, text, spec.using and spec.using ~= "all" and names or run.order)
end

-- Over a list of sizes: "N=K=M=256,512", "N=128..5632/64" (from .. to / step), or several such lists behind one another, of which one
-- value each is taken.

local SIZES = {{"form", "--sizes NAME=SIZE,SIZE,...; a SIZE is a number, or several: 128..5632/64"}, {"hint", "as in --sizes N=K=M=256,512,1024"}}
local MOST_SIZES = 1000

local function add_sizes(numbers, part)
    local from, to, step = part:match("^(%d+)%.%.(%d+)/(%d+)$")
    if not from then from, to, step = part:match("^%d+$"), part:match("^%d+$"), 1 end
    from, to, step = math.tointeger(tonumber(from)), math.tointeger(tonumber(to)), math.tointeger(tonumber(step))
    if not from or not to or not step or step < 1 or to < from or (to - from) // step >= MOST_SIZES then bad("--sizes: " .. part .. " is no size", SIZES) end
    for n = from, to, step do numbers[#numbers + 1] = tostring(n) end
end

local function sweep_of(text)
    local names, lists, numbers = {}, {}, nil
    for part in text:gmatch("[^,%s]+") do
        local group, first = part:match("^([%a_][%w_=]*)=([^=]+)$")
        if group then
            numbers = {}
            lists[#lists + 1] = numbers
            for name in group:gmatch("[^=]+") do names[#names + 1] = {name = name, numbers = numbers} end
        end
        if not numbers then bad("--sizes: " .. part .. " is no size", SIZES) end
        add_sizes(numbers, first or part)
    end
    if #lists == 0 then bad("--sizes: there is no size", SIZES) end
    for _, list in ipairs(lists) do
        if #list ~= #lists[1] then bad("--sizes: each list has as many sizes as the others") end
    end
    return names, #lists[1]
end

local function set_size(name, number) run.must("data", name, "=", number) end

local command

-- The search at the i-th of the sizes, as a row of the table.
local function at_sizes(one, names, i)
    local parts = {}
    for k, n in ipairs(names) do
        set_size(n.name, n.numbers[i])
        parts[k] = n.name .. "=" .. n.numbers[i]
    end
    local sizes = table.concat(parts, " ")
    engine.print(sizes)
    local ok, made, state = engine.pcall(command, one)
    if not ok then return {sizes = sizes, reason = type(made) == "table" and made.message or tostring(made), evaluations = 0, best = false} end
    local best = state.best
    return {sizes = sizes, reason = made.reason, evaluations = made.evaluations, best = made.best,
            worth = best and worth(state, best.trial), point = best and name_of(state, best.point)}
end

local function swept(spec)
    local names, count = sweep_of(spec.sweep)
    local rows, one = json({}), base.merged(spec)
    one.sweep = nil
    base.finally(function()
        for name, number in spec.before:gmatch("([%w_]+)=(%d+)") do set_size(name, number) end
    end, function()
        for i = 1, count do
            if not engine.stopping() then rows[i] = at_sizes(one, names, i) end
        end
    end)
    local width = math.max(0, table.unpack(map(rows, function(row) return #row.sizes end)))
    engine.print("the best at each size")
    for _, row in ipairs(rows) do say("  %-" .. width .. "s   %-28s  %s", row.sizes, row.worth or "-", row.point or row.reason) end
    return {what = "sizes", items = rows}
end

-- The command: {what =, using =, budget =, keep =, set =, ...}
function command(spec)
    if spec.sweep then return swept(spec) end
    if (spec.call and spec.what ~= "params") or (spec.choices and not spec.call) then
        bad("--call is for search params, and --choices for --call",
            {{"form", [[search params --call "gemmGpu{mb=mb, image=image}" --choices "image=0,1"]]}})
    end
    if spec.o and (spec.simulate or not spec.using and not spec.generate) then
        bad("-o OBJECTIVE is what a search on a device is for",
            {{"try", "search params using random -o " .. spec.o .. " --budget 50"}})
    end
    if spec.simulate then return simulated(spec) end
    local options = spec.budget or spec.keep or (spec.what == "params" and spec.set)      -- which structures have, too
    if options and not spec.using and not spec.generate then
        bad("a search needs a strategy: without `using` the space is described",
            {{"hint", "search " .. spec.what .. " using random --budget " .. tostring(spec.budget or 50)}})
    end
    if not spec.using then
        if spec.problem then return problem.show(spec.problem, listed) end
        return (spec.what == "params" and show_space or spec.what == "fusions" and show_fusions or funnel.command)(spec)
    end
    local strategy = run.find_strategy(spec.using)
    local options, objective = run.options_of(strategy, spec.set), objective.named(spec.o)
    local state_spec = base.merged({asked = spec}, spec, {budget = run.parse_budget(spec.budget, objective)})
    local state, reason, paused = (spec.recorded and replayed or on_device)(state_spec, strategy, options)
    if not state.counts.ok and not paused and reason ~= "stopped" and reason ~= "unrecorded" then no_candidate(state) end
    local made = report_json(state, reason, strategy)
    if paused then engine.fail(paused) end                   -- an error, with the report of what was done before
    return made, state                                              -- Ctrl-C stays held back: it was heeded
end

base.name("search", "", "searching: heuristics, macro rules, schemes and strategies as data", "value", search)
kept.search_read()

return {command = command, keep = keep, listed = run.listed}

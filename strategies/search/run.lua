-- run: searches: what a strategy sees (run), and the engine that evaluates what it asks for within a
-- budget, once each, and reports.

local engine, base, texts, kept, objective = require "engine", require "base", require "texts", require "serialised", require "objective"
local search = require "listed"
local raw_pairs, bad = texts.safe.pairs, objective.bad
local create, resume, status, yield = coroutine.create, coroutine.resume, coroutine.status, coroutine.yield
local lists = require "lists"

local M = {}

-- Sorts a list by a field, the smallest first; equal ones in the order of their n.
function M.sort_by(list, field)
    table.sort(list, function(a, b)
        if a[field] ~= b[field] then return a[field] < b[field] end
        return a.n < b.n
    end)
    return list
end

-- The k trials that cost the least, best first; equal ones in the order they were tried. is(trial): those alone; nil: all.
function M.best_of(trials, k, is)
    local list = M.sort_by(lists.filter(trials, function(trial) return trial.cost < math.huge and (not is or is(trial)) end), "cost")
    return table.move(list, 1, math.min(k, #list), 1, {})
end

-- The command with these words: what it prints; an error where it fails.
function M.must(verb, ...)
    local text, why = engine.command(verb, lists.map({...}, function(word) return {text = word} end))
    if not text then engine.raise(why) end
    return text
end

-- strategies by name

local strategies, order, loading = {}, {}, true

-- search.strategy(NAME, DOC, {option = default, ...}, function(run, options) ... end)
function search.strategy(name, doc, options, body)
    if type(name) ~= "string" or not name:find("^%a[%w_]*$") then bad("a strategy's name is a word") end
    if type(doc) == "table" then doc, options, body = "", doc, options end
    if type(options) == "function" then options, body = {}, options end
    if type(body) ~= "function" then
        bad("search.strategy needs a name, a text, its options and a function(run, options)")
    end
    if strategies[name] and not strategies[name].user then bad(name .. " is a strategy of lathe's") end
    if not strategies[name] then order[#order + 1] = name end
    strategies[name] = {name = name, doc = doc or "", defaults = options, body = body, user = not loading}
    if not loading then kept.searcher(name) end
end

local function options_text(s)
    local parts = {}
    for name, value in raw_pairs(s.defaults) do parts[#parts + 1] = name .. "=" .. tostring(value) end
    return table.concat(parts, " ")
end

function M.listed(i)
    local s = strategies[order[i]]
    return s and {name = s.name, doc = tostring(s.doc or ""), options = options_text(s), user = s.user}
end

function M.find_strategy(name)
    local s, near = strategies[name], engine.nearest(name, order)
    if s and s.user then kept.touched() end
    return s or engine.raise({id = "E02", message = 'no search strategy called "' .. name .. '"' .. (near and "; did you mean " .. near .. "?" or ""),
                              notes = {{"has", table.concat(order, " ")}, {"try", "list strategies"}}})
end

local function typed(s, name, text)
    local default = s.defaults[name]
    if default == nil then
        bad(s.name .. " has no option " .. name, {{"has", next(s.defaults) and options_text(s) or "none"}})
    end
    if type(text) ~= "string" then return text end
    if type(default) == "number" then return tonumber(text) or bad(name .. " is a number, not " .. text) end
    if type(default) == "boolean" then return text == "true" or text == "on" or text == "1" end
    return text
end

-- set: {name = value} or "name=value,name=value"
function M.options_of(s, set)
    local options = base.merged(s.defaults)
    if type(set) == "string" then
        local list = {}
        for item in set:gmatch("[^,%s]+") do
            local name, value = item:match("^([%w_]+)=(.+)$")
            if not name then bad("--set OPTION=VALUE, not " .. item) end
            list[name] = value
        end
        set = list
    end
    for name, value in raw_pairs(set or {}) do options[name] = typed(s, name, value) end
    return options
end

-- budgets: "50,10%,60s,<0.4ms" or "50,60s,>100": evaluations, a share of the points, time, good enough

local units = {ns = 1, us = 1e3, ms = 1e6, s = 1e9, m = 60e9, h = 3600e9}

local function nanoseconds(text)
    local number, unit = text:match("^([%d.]+)(%a+)$")
    return tonumber(number) and units[unit] and tonumber(number) * units[unit]
end

function M.parse_budget(text, objective)
    local budget = {}
    for part in tostring(text or ""):gmatch("[^,%s]+") do
        local count, good, time = math.tointeger(tonumber(part)), part:match("^<(.+)$"), nanoseconds(part)
        local value, percent = tonumber(part:match("^[<>](.+)$")), tonumber(part:match("^([%d.]+)%%$"))
        if count and count > 0 then budget.evaluations = count
        elseif percent and percent > 0 and percent <= 100 then budget.share = percent / 100
        elseif good and nanoseconds(good) then budget.good_ns = nanoseconds(good)
        elseif value and objective and objective:takes(part:sub(1, 1)) then budget.good_cost = objective:value(value)
        elseif time then budget.seconds = time / 1e9
        else
            bad(part .. " is no budget",
                {{"form", [[--budget 50 (evaluations), 10% (of the points), 60s or 5m (time), "<0.4ms" (good enough), or several: 50,60s]]},
                                                     {"hint", [[with -o gflops, ">100" (good enough)]]}})
        end
    end
    return budget
end

-- Of so many points, a share of them is that many evaluations, at least one.
function M.bounded(budget, points)
    if budget.share and points == 0 then bad("there is no number of points to take a share of", {{"form", "--budget 50"}}) end
    local share = budget.share and math.max(1, math.ceil(budget.share * points - 1e-9))
    if share then budget.evaluations = math.min(share, budget.evaluations or share) end
    return budget
end

-- what strategies see

local Run = {}
Run.__index = function(r, key)
    if key == "left" then return r.state.left() end
    if key == "best" then return r.state.best end
    if key == "workers" then return r.state.device_count or 1 end
    if key == "lot" then return math.max(8, r.state.piece) end           -- as many points as are worth asking for at a time
    if key == "version" then return r.state.version end
    return Run[key]
end

-- run:random(n): 1 .. n; run:random(): in [0, 1). The numbers of splitmix64.
function Run.random(r, n)
    r.state.seed = r.state.seed + 0x9e3779b97f4a7c15
    local z = r.state.seed
    z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ~ (z >> 27)) * 0x94d049bb133111eb
    local unit = ((z ~ (z >> 31)) >> 11) / 9007199254740992.0
    return n and math.floor(unit * n) + 1 or unit
end

-- run:features(point): what the model knows of it before it runs: a table of numbers
function Run.features(r, p) return r.state.features(p) end

-- run:tell(text): what a strategy does that takes a while and tries nothing, on the line of progress
function Run.tell(r, text)
    if r.state.device then engine.progress(text) end       -- a simulation has none
end

-- run:fixed(n): so many choices are settled on from now on: trials are recorded with it, pictures of the search show where it changes
function Run.fixed(r, n)
    r.state.fixed = n
    if r.state.device then engine.search_fixed(n) end
end

-- run:try(point or version, or a list of them): the trial, or the list of trials
function Run.try(_, what) return yield(what) end

-- The numbers 1 .. n in random order, one at each call, nil at the end; in memory for those that were drawn.
function Run.shuffled(r, n)
    local moved, i = {}, 0
    return function()
        if i >= n then return nil end
        i = i + 1
        local k = i + r:random(n - i + 1) - 1
        local value = moved[k] or k
        moved[k] = moved[i] or i
        moved[i] = nil
        return value
    end
end

-- run:try_all(next): the points of all numbers that next gives, as many at a time as are worth asking for
function Run.try_all(r, next)
    local list = {}
    for k in next do
        list[#list + 1] = r.points:at(k)
        if #list == r.lot then
            r:try(list)
            list = {}
        end
    end
    if #list > 0 then r:try(list) end
end

-- points: those of candidates, and versions

local function is_point(v) return type(v) == "table" and v.structure ~= nil and v.params ~= nil end

-- The key of a point without its structure: "s0=32 s1=4".
function M.params_text(p) return next(p.params) and search.values_text(p.params) or "-" end

local Single = {__tostring = function(p) return p.structure.label end}

local function as_point(what)
    if is_point(what) then return what end
    if not engine.is_version(what) then
        error("a strategy tries points of run.points and versions, not " .. (what == nil and "nothing" or type(what)), 0)
    end
    local s = {label = engine.derivation(what), version = what, space = search.listed_space({}, {{}}), single = true}
    local bound = {}
    for name, value in raw_pairs(what.params) do
        if value then bound[#bound + 1] = name .. "=" .. value end
    end
    table.sort(bound)
    if #bound > 0 then s.label = s.label .. " " .. table.concat(bound, " ") end
    return setmetatable({structure = s, params = {}}, Single)
end

-- one search

-- more: what else the state has: measure(state, points, ended), told(state, trial) ...
function M.new_state(spec, points, more)
    M.bounded(spec.budget, points.count)
    local state = base.merged({trials = {}, memory = {}, counts = {}, points = points, budget = spec.budget, started = engine.clock(),
                   objective = objective.named(spec.o),
                   seed = spec.seed or 1, spec = spec, failures = {}, evaluations = 0, same = 0, refused = 0, idle = 0,
                   beside = 0,                   -- of the evaluations: versions, which are no points of the space
                   reasons = {},                 -- by reason: how many made no kernel
                   sources = {}}, more)          -- by source: the trial that had it first
    function state.left() return spec.budget.evaluations and spec.budget.evaluations - state.evaluations end
    return state
end

-- So many points one after another that make no kernel, or one that was tried, end a search with a budget of evaluations:
-- they cost none.
M.IDLE = 1000

-- Why no more may be tried; nil: go on.
function M.spent(state)
    local budget = state.budget
    if state.stopped then return "stopped" end
    if budget.evaluations and state.evaluations >= budget.evaluations then return "evaluations" end
    if budget.evaluations and state.idle >= M.IDLE then return "repeats" end
    if budget.seconds and engine.clock() - state.started >= budget.seconds then return "time" end
    local best = state.best
    if best and (best.ns <= (budget.good_ns or 0) or best.cost <= (budget.good_cost or 0)) then return "good enough" end
end

local function note(state, p, trial)
    trial.point, trial.n, trial.fixed = p, #state.trials + 1, state.fixed
    state.trials[trial.n] = trial
    state.memory[tostring(p)] = trial
    if trial.status == "refused" then    -- counted apart, as what follows: nothing was built or run for it
        local reason = search.without_place(trial.message)
        state.reasons[reason] = (state.reasons[reason] or 0) + 1
        state.refused, state.idle = state.refused + 1, state.idle + 1
    elseif trial.same_as or state.sources[trial.source] then
        trial.same_as = state.sources[trial.source] or trial.same_as
        state.same, state.idle = state.same + 1, state.idle + 1
    else
        if trial.source then state.sources[trial.source] = trial.n end
        state.evaluations, state.idle = state.evaluations + 1, 0
        state.beside = state.beside + (p.structure.single and 1 or 0)
        state.counts[trial.status] = (state.counts[trial.status] or 0) + 1
    end
    trial.cost = state.objective:cost(trial)
    trial.improved = trial.cost < (state.best and state.best.cost or math.huge)
    if trial.improved then state.best = {point = p, ns = trial.ns, cost = trial.cost, trial = trial} end
    state.told(state, trial)
end

-- Evaluate points that are not known yet, as many as the budget allows; in pieces, so that time is looked at.
local function evaluate(state, list)
    local i = 1
    while i <= #list and not M.spent(state) do
        local piece = table.move(list, i, math.min(#list, i + math.min(state.piece, state.left() or state.piece) - 1), 1, {})
        i = i + #piece
        if state.begins then state.begins(state) end
        local over = false               -- then what is left is stopped, but nobody stopped the search
        state.measure(state, piece, function(k, trial)
            if trial.status ~= "stopped" then note(state, piece[k], trial)
            elseif not over then state.stopped = true end
            over = over or M.spent(state)
            return not over
        end)
    end
end

-- What a strategy asked for: trials it had before come from memory. False: the budget ended before all of it was done.
local function serve(state, what)
    if type(what) ~= "table" and not engine.is_version(what) then as_point(what) end         -- which says what is wrong
    local single = is_point(what) or engine.is_version(what)
    local asked, new, queued = {}, {}, {}
    for i, one in ipairs(single and {what} or what) do
        asked[i] = as_point(one)
        local key = tostring(asked[i])
        if not state.memory[key] and not queued[key] then new[#new + 1], queued[key] = asked[i], true end
    end
    evaluate(state, new)
    local function trial_of(p) return state.memory[tostring(p)] end
    if not base.all(asked, trial_of) then return false end
    return true, single and trial_of(asked[1]) or lists.map(asked, trial_of)
end

-- Resume the strategy until it ends or the budget does. The reason: "strategy ended", or spent's.
function M.drive(state, strategy, options)
    local run = setmetatable({points = state.points, state = state, options = options}, Run)
    local body, answer = create(strategy.body), run
    local idle = 0
    while true do
        engine.hold(false)
        local ok, what = resume(body, answer, answer == run and options or nil)
        engine.hold(true)
        if engine.stopping() then state.stopped = true end
        if not ok and state.stopped then return "stopped" end
        if not ok then error(what, 0) end
        if status(body) == "dead" then
            return #state.trials >= (state.points and state.points.count or math.huge) and "every point" or "strategy"
        end
        local before, served = #state.trials, nil
        served, answer = serve(state, what)
        if not served or M.spent(state) then return M.spent(state) or "strategy" end
        idle = #state.trials == before and idle + 1 or 0
        if idle > 1000 then return "nothing new" end       -- all it asks for is known: it will not end by itself
    end
end

M.strategy, M.order = search.strategy, order

-- What is defined from now on is a user's.
function M.loaded() loading = false end

return M

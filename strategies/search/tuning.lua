-- tuning: the command `tune`: a search, the best that it found measured again, in turns, and the fastest of these is the current version.

local engine, explain = require "engine", require "explain"
local remeasure, run, search, command, lists = require "remeasure", require "run", require "candidates", require "command", require "lists"

-- {version =, label =} of the best trials, each another kernel, and of the version that lower gives, which is the second result.
local function finalists(state, default)
    local list = lists.map(remeasure.ranked(state, remeasure.AGAIN), function(trial)
        return {version = command.keep(trial.point), label = tostring(trial.point)}
    end)
    local own = default and (engine.twin(default) or default:keep())
    if not own then return list, list[#list] end
    local f = lists.filter(list, function(f) return f.version.hash == own.hash end)[1]
    if not f then
        f = {version = own}
        list[#list + 1] = f
    end
    f.label = "lower"
    return list, f
end

-- "5.10 x over lower, 0.62 of the bound"
local function compared(best, lower, bound)
    local parts = {}
    if lower then parts[1] = ("%.2f x over lower"):format(lower / best) end
    if bound then parts[#parts + 1] = ("%.2f of the bound"):format(bound / best) end
    return table.concat(parts, ", ")
end

-- tune [--budget N,TIME]: {budget =, ...}
local function tune(spec)
    local v = assert(engine.version())
    spec.what, spec.using, spec.keep, spec.budget = "rules", "tune", spec.keep or remeasure.AGAIN, spec.budget or "60"
    spec.tuned = true                                        -- they are measured again beside what lower makes
    local report, state = command.command(spec)
    if not state.best then return report end                 -- nothing is timed here
    local default = search.default_of(v)
    local list, own = finalists(state, default)
    local best = list[1]
    if engine.setting("times") == "on" then
        remeasure.print(list, remeasure.measure(list))
        for _, f in ipairs(list) do
            if f.ns and f.ns < (best.ns or math.huge) then best = f end
        end
    else
        engine.print("  the best is not measured again in turns: times are off (set times on)")
    end
    if not default and #state.trials == 1 then
        lists.say("  @%d is lowered already, and open in nothing: tune an earlier version for other ways", v.n)
    end
    local e = explain.explain(v)
    run.must("goto", "@" .. best.version.n)
    lists.say("tuned to @%d   %s", best.version.n, best.ns and compared(best.ns, own and own.ns, e and e.bound) or best.label)
    report.winner, report.ns, report.lower_ns, report.bound_ns = best.version.n, best.ns, own and own.ns, e and e.bound
    return report
end

return {command = tune, measure = remeasure.measure}

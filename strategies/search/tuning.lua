-- tuning: the command `tune`: a search, the best that it found measured again, in turns, and the fastest of these is the current version.

local engine, explain, run = require "engine", require "explain", require "run"
local objective, command = require "objective", require "command"

local AGAIN = 5                          -- measured again

-- {version =, label =} of the best trials, each another kernel, and of the version that lower gives, which is the second result.
local function finalists(state, default)
    local list, ranked = {}, {}
    for _, trial in ipairs(state.trials) do
        if trial.ok and not trial.same_as and trial.cost < math.huge then ranked[#ranked + 1] = trial end
    end
    run.sort_by(ranked, "cost")
    for i = 1, math.min(AGAIN, #ranked) do
        list[i] = {version = command.keep(ranked[i].point), label = tostring(ranked[i].point)}
    end
    local own = default and (engine.twin(default) or default:keep())
    for _, f in ipairs(list) do
        if own and f.version.hash == own.hash then
            f.label = "lower"
            return list, f
        end
    end
    list[#list + 1] = own and {version = own, label = "lower"}
    return list, list[#list]
end

local function median(times)
    local sorted = {}
    for i, t in ipairs(times) do sorted[i] = t end
    table.sort(sorted)
    local n = #sorted
    return n > 0 and (sorted[(n + 1) // 2] + sorted[n // 2 + 1]) / 2 or nil
end

-- f.ns of finalists that are timed in turns; nil: one is not. Gives a failure where none is: then they have what the search measured.
local function measure(list)
    local words = {{flag = "no-verify", text = ""}}
    for _, f in ipairs(list) do words[#words + 1] = {text = "@" .. f.version.n} end
    local text, report = engine.command("run", words)
    local why = not text and report or nil
    if why then report = why.report or {runs = {}} end
    for i, one in ipairs(report.runs or {report}) do
        list[i].ns = one.state == "ok" and type(one.times_ns[1]) == "number" and median(one.times_ns) or nil
        if list[i].ns then why = nil end
    end
    return why
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
    spec.what, spec.using, spec.keep, spec.budget = "rules", "tune", spec.keep or AGAIN, spec.budget or "60"
    local report, state = command.command(spec)
    if not state.best then return report end                 -- nothing is timed here
    local list, own = finalists(state, not engine.lowered(v) and v:lowered() or nil)
    local failed, best = measure(list), list[1]
    for _, f in ipairs(list) do
        if f.ns and f.ns < (best.ns or math.huge) then best = f end
    end
    engine.print(failed and "  the best could not be measured again: " .. failed.message or "  the best again, in turns")
    for _, f in ipairs(list) do
        engine.print(("  %-6s %-10s %s"):format("@" .. f.version.n, f.ns and objective.time_text(f.ns) or "-", f.label))
    end
    local e = explain.explain(v)
    local text, why = engine.command("goto", {{text = "@" .. best.version.n}})
    if not text then engine.raise(why) end
    engine.print(("tuned to @%d   %s"):format(best.version.n, best.ns and compared(best.ns, own and own.ns, e and e.bound) or "-"))
    report.winner, report.ns, report.lower_ns, report.bound_ns = best.version.n, best.ns, own and own.ns, e and e.bound
    return report
end

return {command = tune, measure = measure}

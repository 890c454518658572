-- remeasure: the best that a search found, measured again in turns: one that was lucky once is not called the best.

local engine, run, objective = require "engine", require "run", require "objective"

local M = {}

M.AGAIN = 5

-- The k best trials, each another kernel.
function M.ranked(state, k) return run.best_of(state.trials, k, function(trial) return trial.ok and not trial.same_as end) end

local function median(times)
    local sorted = table.move(times, 1, #times, 1, {})
    table.sort(sorted)
    local n = #sorted
    return n > 0 and (sorted[(n + 1) // 2] + sorted[n // 2 + 1]) / 2 or nil, sorted[1]
end

-- f.ns and f.min_ns of finalists, {version =} each, that are timed in turns, with these transfers (nil: none); nil: one is not. Gives a
-- failure where none is: then they have what the search measured.
function M.measure(list, transfer)
    local words = {{flag = "no-verify", text = ""}, {flag = "transfer", text = transfer or "none"}}
    for _, f in ipairs(list) do words[#words + 1] = {text = "@" .. f.version.n} end
    local text, report = engine.command("run", words)
    local why = not text and report or nil
    if why then report = why.report or {runs = {}} end
    for i, one in ipairs(report.runs or {report}) do
        if one.state == "ok" and type(one.times_ns[1]) == "number" then list[i].ns, list[i].min_ns = median(one.times_ns) end
        if list[i].ns then why = nil end
    end
    return why
end

-- One line each: {version =, ns =, label =}; failed: what measure gave, and then none has a time.
function M.print(list, failed)
    engine.print(failed and "  the best could not be measured again: " .. failed.message or "  the best again, in turns")
    for _, f in ipairs(failed and {} or list) do
        engine.print(("  %-6s %-10s %s"):format("@" .. f.version.n, f.ns and objective.time_text(f.ns) or "-", f.label))
    end
end

return M

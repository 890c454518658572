-- fuse: the command: the functions of a program, the best combinations of fusions, what is predicted of them, and what was measured.

local engine, planner, fusions = require "engine", require "planner", require "fusions"
local objective, tuning, routines, command = require "objective", require "tuning", require "routines", require "command"
local simulate, run, lists = require "simulate", require "run", require "lists"
local time_text, clipped = objective.time_text, objective.clipped

local BEST = 5

local parts_text, way_text = fusions.parts_text, planner.way_text

local function bytes_text(x)
    local units, k = {"B", "kB", "MB", "GB", "TB"}, 1
    while x >= 1000 and units[k + 1] do x, k = x / 1000, k + 1 end
    return ("%.3g %s"):format(x, units[k])
end

local function ns_text(ns) return ns and time_text(ns, 3) or "-" end

-- Measured figures are not shown where times are off.
local function measured(ns) return engine.setting("times") == "on" and ns or nil end

-- The columns behind what the cost model predicts: those of routines, of what was measured, and its version.
local function columns(p, routines, measured, version)
    local text = p.timed and (" %10s"):format(routines) or ""
    return text .. (p.measured and (" %9s  %s"):format(measured, version) or "")
end

-- Instances a second of a combination, as it was measured or else is predicted.
local function instances_s(p, c) return p.functions[1].length / (measured(c.measured) or c.ns) * 1e9 end
local function rate_text(p, c)
    local x, unit = instances_s(p, c), ""
    for _, u in ipairs({"k", "M", "G"}) do if x >= 1000 then x, unit = x / 1000, u end end
    return ("%.4g %s"):format(x, unit)
end

local function text_of(p, most)
    local lines = {("%-22s %-9s %9s %9s %10s"):format("functions", "of", "reads", "makes", "predicted")}
    local function add(text) lines[#lines + 1] = text:gsub(" +$", "") end
    for n, v in ipairs(p.functions) do
        add(("  #%-2d %-17s %-9s %9s %9s %10s"):format(n, clipped(v.text, 17), clipped(v.of, 9), bytes_text(v.takes), bytes_text(v.makes), ns_text(v.ns)))
    end
    add(("%-27s %8s %8s %10s %10s"):format("combinations of " .. #p.fusions .. " fusions", "reads", "makes", "predicted", "inst./s")
        .. columns(p, "routines", "measured", ""))
    for i = 1, math.min(most, #p.combinations) do
        local c = p.combinations[i]
        add(("  %-2d %-22s %8s %8s %10s %10s"):format(i, clipped(parts_text(c), 22), bytes_text(c.takes), bytes_text(c.makes), ns_text(c.ns), rate_text(p, c))
            .. columns(p, ns_text(measured(fusions.routines_ns(c))), ns_text(measured(c.measured)), c.version and "@" .. c.version.n or ""))
    end
    return table.concat(lines, "\n")
end

local function implementations_text(p)
    local lines = {("%-22s %9s %30s"):format("implementations", "items", "predicted")}
    for n, v in ipairs(p.functions) do
        for _, x in ipairs(v.implementations) do
            lines[#lines + 1] = ("  %-20s %9d %30s"):format("#" .. n .. ":" .. x.name, x.items, ns_text(x.ns))
        end
    end
    lines[#lines + 1] = ("%-15s %4s  %-34s %10s"):format("fusions", "ways", "the best by prediction", "predicted")
        .. (p.timed and (" %10s"):format("routines") or "")
    for _, one in ipairs(p.fusions) do
        local best = one.ways[1]
        lines[#lines + 1] = ("  %-13s %4d  %-34s %10s"):format("(" .. table.concat(one.members, " ") .. ")", #one.ways, way_text(one, best), ns_text(best.ns))
            .. (p.timed and (" %10s"):format(ns_text(measured(best.routines_ns))) or "")
    end
    lines[#lines + 1] = ("  %d implementations"):format(p.ways)
    return table.concat(lines, "\n")
end

-- How the orders agree (Spearman) of what was measured of a list, {ns =, routines =, measured =} each, and what each predictor says; how
-- far behind the fastest the first choice of the cost model is, and that of the routines.
local function agreement(list)
    local a = {count = 0}
    for _, by in ipairs({"ns", "routines"}) do
        local predicted, measured, first, best = {}, {}, nil, nil
        for _, x in ipairs(list) do
            if x.measured and x[by] then
                predicted[#predicted + 1], measured[#measured + 1] = x[by], x.measured
                if not first or x[by] < first[by] then first = x end
                if not best or x.measured < best.measured then best = x end
            end
        end
        local name = by == "ns" and "model" or "routines"
        a.count = math.max(a.count, #measured)
        if #measured > 1 then a[name], a[name .. "_first"] = simulate.rank_correlation(measured, predicted), first.measured / best.measured end
    end
    return a
end

local function agreement_text(what, a)
    local parts = {}
    for _, x in ipairs({{"model", "cost model"}, {"routines", "routines"}}) do
        local rank, first = a[x[1]], a[x[1] .. "_first"]
        if first then parts[#parts + 1] = ("%s: Spearman %s, its first choice %.2f x the best"):format(x[2], rank and ("%.3f"):format(rank) or "-", first) end
    end
    return ("  %d %s measured"):format(a.count, what) .. (#parts > 0 and "\n    " or "") .. table.concat(parts, "\n    ")
end

-- A version of each combination, measured in turns; the fastest.
local function measure(v, p)
    local list = lists.map(p.combinations, function(c)
        local lowered = fusions.version_of(v, planner.call_of(p, c))
        c.version = engine.twin(lowered) or lowered:keep()
        return {version = c.version}
    end)
    local failed, best = tuning.measure(list), nil
    if failed then engine.raise(failed) end
    for i, c in ipairs(p.combinations) do
        c.measured = list[i].ns
        if c.measured and (not best or c.measured < best.measured) then best = c end
    end
    p.measured = true
    return best
end

-- Every implementation of every fusion tried once, as `search fusions using exhaustive` does: what was measured before is known. Gives
-- {label =, ns =, routines =, measured =} of each.
local function measure_all(p, spec)
    local _, state = command.command({what = "fusions", kind = p.kind, using = "exhaustive", budget = spec.budget, keep = BEST, force = spec.force})
    local by, list = {}, fusions.points_of(p)
    for _, trial in ipairs(state.trials) do by[trial.point.structure.label] = trial.ns end
    for _, x in ipairs(list) do
        x.measured, x.routines = by[x.label], fusions.routines_ns(x.combination, x.ways)
        if x.of then x.of.way.measured = x.measured end
    end
    for _, c in ipairs(p.combinations) do
        local call = planner.call_of(p, c)
        c.measured = by[call and tostring(call) or fusions.ONE]
    end
    p.measured = true
    return list
end

local function items_of(list, f) return lists.json(lists.map(list, f)) end

local function call_text(p, c, ways)
    local call = planner.call_of(p, c, ways)
    return call and tostring(call)
end

local function report_of(p, all)
    return {kind = p.kind, fusions = #p.fusions, agreement = p.agreement, times = p.timed and items_of(p.timed, function(r)
                return {routine = r.key, pads = items_of(r.pads, function(x) return x end), ns = items_of(r, function(x) return measured(x) or 0 end), message = r.message}
            end),
            functions = items_of(p.functions, function(v)
                return {place = v.place, term = v.text, of = v.of, reads = v.takes, makes = v.makes, predicted_ns = v.ns}
            end),
            combinations = items_of(p.combinations, function(c)
                return {parts = parts_text(c), rule = call_text(p, c), reads = c.takes, makes = c.makes, predicted_ns = c.ns,
                        routines_ns = measured(fusions.routines_ns(c)), ns = measured(c.measured), instances_s = instances_s(p, c), version = c.version and c.version.n}
            end),
            implementations = all and items_of(fusions.implementations(p), function(x)
                return {fusion = table.concat(x.fusion.members, " "), way = way_text(x.fusion, x.way), rule = call_text(p, x.combination, x.ways),
                        predicted_ns = x.ns, routines_ns = measured(fusions.routines_ns(x.combination, x.ways)), alone_ns = x.way.ns, ns = measured(x.way.measured)}
            end) or nil}
end

-- "device=gpu": "gpu"; nil: the kind of the device that is selected.
local function kind_of(set)
    if not set then return nil end
    local kind = tostring(set):match("^device=(%l+)$")
    if kind ~= "cpu" and kind ~= "gpu" then objective.bad("--set device=cpu or device=gpu, not " .. set) end
    return kind
end

-- fuse [--best K] [--limit K] [--implementations] [--routines] [--measure [--budget N,TIME]] [--set device=KIND]
local function fuse(spec)
    local v, all = assert(engine.version()), spec.implementations
    local kind, best = kind_of(spec.set), nil
    local p = fusions.plan_of(v, math.max(spec.best or BEST, all and spec.measure and fusions.BEST or 0), spec.limit, kind, all or spec.routines, function(p)
        p.timed = spec.routines and routines.time(p)
    end)
    if spec.routines and not p.timed then engine.print("no routines: they are of functions whose arrays have arrays of numbers for elements") end
    if spec.measure and all then p.agreement = agreement(measure_all(p, spec))
    elseif spec.measure then
        best = measure(v, p)
        p.agreement = agreement(lists.map(p.combinations, function(c) return {ns = c.ns, routines = fusions.routines_ns(c), measured = c.measured} end))
    end
    engine.print(text_of(p, spec.best or BEST))
    if all then engine.print(implementations_text(p)) end
    if p.agreement and engine.setting("times") == "on" then engine.print(agreement_text(all and "points" or "combinations", p.agreement)) end
    if best then
        run.must("goto", "@" .. best.version.n)
        lists.say("fused to @%d   %s", best.version.n, parts_text(best))
    end
    return report_of(p, all)
end

return {command = fuse}

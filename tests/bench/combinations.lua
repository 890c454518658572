-- combinations: what fusion.lua and the fusion paper's figures say of all implementations of fusions of a program and its combinations of
-- fusions, as t.fuse{implementations = true, measure = true} reports them.
local M = {}

-- All that was measured, {ns =, predicted_ns =, routines_ns =, fusion = its functions (nil: a combination of several fusions), parts =}.
function M.measured(report)
    local list, seen = {}, {}
    for _, from in ipairs({report.implementations, report.combinations}) do
        for _, x in ipairs(from) do
            local key = x.rule or "one kernel"
            if x.ns and not seen[key] then list[#list + 1], seen[key] = x, true end
        end
    end
    return list
end

-- The fastest of all, of those with all functions in one kernel, and of those with a kernel each; and the one predicted best by the cost
-- model. nil: none was measured.
function M.landmarks(report)
    local found = {}
    local function better(name, x)
        if not found[name] or x.ns < found[name].ns then found[name] = x end
    end
    for _, x in ipairs(M.measured(report)) do
        local _, spaces = (x.fusion or " "):gsub(" ", " ")
        better("best", x)
        if x.fusion and spaces == 0 then better("apart", x) end
        if x.fusion and spaces == #report.functions - 1 then better("one", x) end
    end
    found.predicted = report.combinations[1].ns and report.combinations[1]
    return found
end

return M

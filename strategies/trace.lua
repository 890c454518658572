-- trace: how a run of a strategy went, as a tree: every strategy that was tried, where, and with what result.
--
-- While a run is traced, every strategy goes through `record`. Afterwards the tree is closed into plain tables
-- {label, place, ok, rewrites, attempts, reason, children}: cursors do not outlive their run, a trace does.

local engine, base = require "engine", require "base"

local M = {}
local NODES = 50000                      -- later ones are counted, not recorded
local CHILDREN = 12                      -- of one strategy that are printed
local REASONS = 2000                     -- failures of rules that are explained

local top, current, nodes                -- of the run being recorded
local last                               -- the last closed one

local function record(s, run, c)
    if nodes >= NODES then
        current.more = (current.more or 0) + 1
        return run(c)
    end
    nodes = nodes + 1
    local node, outer = {strategy = s, cursor = c}, current
    if outer then outer[#outer + 1] = node else top = node end
    current = node
    local r, f = run(c)
    current = outer
    node.ok = r ~= nil
    if r then node.result = r else node.failure = f end
    return r, f
end

-- Whether the runs that follow are recorded.
function M.record(on)
    engine.recording(on)
    base.trace_with(on and record or nil)
    top, current, nodes = nil, nil, 0
    if on then last = nil end
end

-- "needs X; found Y", of a failure that ends here
local function reason_of(node, budget)
    local f = node.failure
    if not f or #node > 0 or budget.left <= 0 then return nil end
    budget.left = budget.left - 1
    local info = base.failure_info(f)
    local parts = {}
    for _, note in ipairs(info.notes) do
        if note[1] == "needs" or note[1] == "found" then parts[#parts + 1] = note[1] .. " " .. note[2] end
    end
    return #parts > 0 and table.concat(parts, "; ") or info.message
end

local function close(node, budget)
    local plain = {label = node.strategy.label, place = node.cursor.place, ok = node.ok or false, rewrites = 0, attempts = 0,
                   unfinished = node.ok == nil or nil, more = node.more, children = {}}
    plain.reason = reason_of(node, budget)
    if node.result then plain.rewrites = node.result.steps - node.cursor.steps end
    if node.strategy.kind == "rule" then plain.attempts = 1 end
    for i = 1, #node do
        local child = close(node[i], budget)
        plain.attempts = plain.attempts + child.attempts
        plain.children[i] = child
    end
    return plain
end

-- A strategy that only hands on to another of the same name is one with it.
local function simplified(node)
    while #node.children == 1 and node.children[1].label == node.label and node.children[1].place == node.place do
        node.children, node.reason = node.children[1].children, node.children[1].reason
    end
    for _, child in ipairs(node.children) do simplified(child) end
    return node
end

local Trace = {__name = "trace"}

function M.trace_end()
    if not top then return end
    last = setmetatable(simplified(close(top, {left = REASONS})), Trace)
    top, current, nodes = nil, nil, 0
end

-- printing

local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function inside(node)
    local n = 0
    for _, child in ipairs(node.children) do n = n + 1 + inside(child) end
    return n + (node.more or 0)
end

local function outcome(node)
    local parts = {}
    if node.unfinished then parts[1] = "not finished" end
    if node.rewrites > 0 and (node.rewrites > 1 or #node.children > 0) then
        parts[#parts + 1] = counted(node.rewrites, "rewrite")
    end
    if node.reason then parts[#parts + 1] = node.reason end
    return #parts > 0 and "   " .. table.concat(parts, "; ") or ""
end

local print_node

local function same_failure(a, b) return not a.ok and not b.ok and #a.children == 0 and #b.children == 0 and a.label == b.label end

-- Of a long row of places where the same rule failed the first two and the last are shown, of many
-- children the first and last.
local function print_children(node, indent, depth, signs, out)
    local list, i, shown = node.children, 1, 0
    while i <= #list do
        shown = shown + 1
        if shown == CHILDREN and #list - i > 2 then
            out[#out + 1] = indent .. signs.fold .. " " .. counted(#list - i - 1, "more step") .. " here"
            i = #list - 1
        end
        local last_same = i
        while list[last_same + 1] and same_failure(list[i], list[last_same + 1]) do last_same = last_same + 1 end
        if last_same - i >= 4 then
            print_node(list[i], indent, depth, signs, out)
            print_node(list[i + 1], indent, depth, signs, out)
            out[#out + 1] = indent .. signs.fold .. " " .. list[i].label .. " failed at "
                .. counted(last_same - i - 2, "more place")
            i = last_same
        end
        print_node(list[i], indent, depth, signs, out)
        i = i + 1
    end
    if node.more then
        out[#out + 1] = indent .. signs.fold .. " " .. counted(node.more, "more attempt") .. " not recorded"
    end
end

function print_node(node, indent, depth, signs, out)
    local sign, place = node.unfinished and signs.fold or node.ok and signs.yes or signs.no, node.place
    if #place > 48 then place = string.sub(place, 1, 20) .. "..." .. string.sub(place, -25) end
    local line = indent .. sign .. " " .. node.label .. "  at " .. place .. outcome(node)
    local folded = depth == 0 and inside(node) or 0
    if folded > 0 then line = line .. "   " .. signs.fold .. " " .. counted(folded, "step") .. " inside" end
    out[#out + 1] = line
    if depth > 0 then print_children(node, indent .. "  ", depth - 1, signs, out) end
end

local function text(trace, depth, unicode)
    local signs = unicode and {yes = "✓", no = "✗", fold = "…"} or {yes = "+", no = "x", fold = "..."}
    local out = {}
    print_node(trace, "  ", depth, signs, out)
    out[#out + 1] = "  " .. counted(trace.attempts, "rule application") .. " tried, "
        .. counted(trace.rewrites, "rewrite") .. " kept"
    return table.concat(out, "\n") .. "\n"
end

function Trace.__tostring(trace) return string.sub(text(trace, 6, false), 1, -2) end
function Trace.__index(_, key)
    return key == "print"
        and function(trace, depth) engine.print(string.sub(text(trace, depth or 6, false), 1, -2)) end or nil
end

-- As plain tables for JSON, down to a depth.
local function folded(node, depth)
    local copy = base.merged(node, {children = {}})
    copy.more = (depth == 0 and inside(node) or node.more)
    if copy.more == 0 then copy.more = nil end
    for i, child in ipairs(depth > 0 and node.children or {}) do copy.children[i] = folded(child, depth - 1) end
    if #copy.children == 0 then copy.children = nil end
    return copy
end

function M.last_trace() return last end

function M.trace_text(depth, unicode)
    if not last then return nil end
    return text(last, depth, unicode), folded(last, depth)
end

return M

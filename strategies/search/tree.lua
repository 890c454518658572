-- tree: derivations as a tree that is made where it is looked at. From a version that is not lowered one goes on by a
-- macro rule, by a rule, or by a scheme that maps it; then by a choice in each phase of the scheme; then by a value for
-- each parameter in turn. Its leaves are versions that can be run. For strategies:
--     root = search.derivations(version, rules)
--     node:fresh(run)      a node below by a move that was not made yet, at random: first what kind of move, then which; nil: none
--     node:known()         the nodes below that were made, but for those that were removed by node:remove(below)
--     node:leaf()          the version to run; nil: there are moves to make. node.low: only parameters are left

local engine, base, search = require "engine", require "base", require "explore"
local lists = require "lists"
local map, filter = lists.map, lists.filter

-- Moves: strategies that are tried at all places, besides search.macros. A user may change the list.
search.moves = {
    "reduceSeq", "reduceMapFusion", "mapFusion", "splitJoin", "mapWorkgroup(0)", "mapWorkgroup(1)", "mapLocal(0)",
    "mapGlobal(0)", "mapSeq", "vectoriseFold(4)", "vectoriseFold(16)", "unrollReduce", "accumulateInItem", "vectorise(4)",
    "vectorise(16)",
}

local RULE_FAILURES = 12                 -- rules that do not fit, until a node has no more of them

local Node = {}
Node.__index = Node

local function child(node, fields)
    for _, name in ipairs({"version", "used", "macros", "rules", "scheme", "phase", "space", "params", "tree"}) do
        if fields[name] == nil then fields[name] = node[name] end
    end
    return setmetatable(fields, Node)
end

-- A version to run, but for its parameters; nil: none of their values is legal.
local function lowered(node, v)
    local space = search.has_open(v) and search.space_of(v, {limits = node.tree.limits}) or nil
    if search.has_open(v) and (not space or space.count == 0) then return nil end
    return child(node, {version = v, space = space or false, params = {}, low = true})
end

-- moves: {kind, go = function() -> a node, or nil where it does not work}

local function rewrite(node, text, place, fields)
    local w = node.version:try(text, {at = place})
    if not w or not fields.phase and w.hash == node.version.hash then return nil end     -- a phase may find nothing to do
    fields.version = w
    return child(node, fields)
end

-- Of a node without a scheme: macro rules and rules at all places, and what maps it.
local function high_moves(node)
    local list = {}
    local function add(kind, go) list[#list + 1] = {kind = kind, go = go} end
    search.in_a_run(node.version, function(root)
        local macros, blocks = search.macros_of(root)
        for q in base.places(root) do
            if node.macros >= search.heuristics.macros then break end
            for _, m in ipairs(macros) do
                local name, place = m.macro.name, q.place
                if (node.used[name] or 0) < m.macro.most and m.macro.fits(q.term, q) then
                    add("macro", function()
                        return rewrite(node, m.text, place, {used = search.with_count(node.used, name), macros = node.macros + 1})
                    end)
                end
            end
        end
        node.rejected = search.rejected(root.root, search.heuristics, blocks)
    end)
    for _, place in ipairs(node.rules < node.tree.rules and node.version:places("_") or {}) do
        for _, text in ipairs(search.moves) do
            add("rule", function() return rewrite(node, text, place, {rules = node.rules + 1}) end)
        end
    end
    if node.rejected then return list end
    local term = node.version:term("/")
    for _, scheme in ipairs(search.schemes) do
        if scheme.device == node.tree.device and scheme.fits(term) then
            add("scheme", function() return child(node, {scheme = scheme, phase = 1}) end)
        end
    end
    add("scheme", function()
        local low = node.version:lowered()
        return low and lowered(node, low)
    end)
    return list
end

-- One choice of a phase of its scheme, which may be to do nothing; behind the last phase what lowers the rest.
local function phase_moves(node)
    local list, phase, term = {}, node.scheme.phases[node.phase], node.version:term("/")
    for _, choice in ipairs(phase or {}) do
        local text = search.choice_text(choice, term)
        if text then
            list[#list + 1] = {kind = "choice", go = function()
                if text == "" then return child(node, {phase = node.phase + 1}) end
                return rewrite(node, text, nil, {phase = node.phase + 1})
            end}
        end
    end
    if phase then return list end
    return {{kind = "choice", go = function()
        if engine.lowered(node.version) then return lowered(node, node.version) end
        for _, text in ipairs(search.finishes) do
            local w = node.version:try(text)
            if w and engine.lowered(w) then return lowered(node, w) end
        end
    end}}
end

-- The next parameter that has no value yet.
local function next_name(node)
    return filter(node.space and node.space.names or {}, function(name) return not node.params[name] end)[1]
end

local function value_moves(node)
    local name = next_name(node)
    return map(name and node.space:values(name, node.params) or {}, function(value)
        return {kind = "value", go = function() return child(node, {params = base.merged({[name] = value}, node.params), low = true}) end}
    end)
end

-- A version that can be run; nil: it is none yet.
function Node.leaf(node)
    if not node.low or next_name(node) then return nil end
    if next(node.params) then return (node.version:with(node.params)) end
    return node.version
end

-- By kind: the moves that were not made yet.
local function open_moves(node)
    if not node.open then
        node.open, node.children = {}, {}
        for _, m in ipairs((node.low and value_moves or node.scheme and phase_moves or high_moves)(node)) do
            node.open[m.kind] = node.open[m.kind] or {}
            table.insert(node.open[m.kind], m)
        end
    end
    return node.open
end

-- Kinds of moves, and how likely each is where there are several.
local kinds, weights = {"macro", "rule", "scheme", "choice", "value"}, {macro = 2, rule = 1, scheme = 2, choice = 1, value = 1}

-- One of the open moves at random: first what kind, then which; nil: all were made.
local function draw(node, run)
    local open, total = open_moves(node), 0
    local some = filter(kinds, function(kind) return open[kind] and #open[kind] > 0 end)
    for _, kind in ipairs(some) do total = total + weights[kind] end
    local at = total > 0 and run:random() * total
    for _, kind in ipairs(some) do
        at = at - weights[kind]
        if at < 0 then return table.remove(open[kind], run:random(#open[kind])) end
    end
end

-- What tells a node from others: a derivation that leads to the same by another way is left out.
local function key_of(node)
    if node.low then return next(node.params) == nil and "low " .. node.version.hash or nil end
    local scheme = node.scheme and node.scheme.name .. " " .. node.phase or ""
    return table.concat({node.version.hash, node.macros, node.rules, scheme}, " ")
end

-- A node below by a move that was not made yet.
function Node.fresh(node, run)
    for m in function() return draw(node, run) end do
        local below = m.go()
        local key = below and key_of(below)
        if below and not (key and node.tree.known[key]) then
            if key then node.tree.known[key] = true end
            node.children[#node.children + 1] = below
            return below
        end
        if m.kind == "rule" then
            node.failed = (node.failed or 0) + 1
            if node.failed >= RULE_FAILURES then node.open.rule = nil end
        end
    end
end

-- The nodes below that were made, but for those that were removed.
function Node.known(node)
    open_moves(node)
    return node.children
end

function Node.remove(node, below) node.children = filter(node.children, function(other) return other ~= below end) end

-- derivations(version, rules): its root. rules: how many rules a derivation may have besides macro rules.
function search.derivations(v, rules)
    local device = engine.on_gpu() and "gpu" or "cpu"
    local tree = {device = device, limits = search.limits_of(device), rules = rules, known = {}}
    local root = setmetatable({version = v, used = {}, macros = 0, rules = 0, tree = tree}, Node)
    return engine.lowered(v) and lowered(root, v) or root
end

return search

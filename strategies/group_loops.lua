-- group_loops: a loop over an array by the work-items of one group, which keep its state where all of them reach it: no launch between its rounds.

local engine, base, L, nests = require "engine", require "base", require "combinators", require "nests"
local lengths, lower = require "lengths", require "lower"
local R = base.R

local by_item = R("mapLocal", {d = 0})
local flattened = R("rowsRejoined")

-- The array at q, copied element by element.
local function copied(q)
    local flat = flattened.run(q)
    local r = flat and copied(flat:go("in"))
    return r and r:at(q) or L.seq(R("copyItem"), by_item).run(q)
end
local copy = base.new("copy", copied)
local rows_copied = L.seq(R("copyRows"), R("mapSeq"), L.slot("f", by_item))

-- The array at q in element form, its elements and those of the arrays that it names by the work-items of a group, the named ones in `memory`; result:
-- how it itself is made of that.
local function by_items(q, memory, result)
    if q.term.is_atom then return L.seq(copy, result).run(q) end
    local top = nests.sums_in_parts(q)
    q = top
    while q and q.term.prim == "let" do
        local value = nests.local_items(q:go("value"))
        value = value and value.term.is_array and memory.run(value) or value
        value = value and lower.finished(value, value)
        q = value and value:at(q):go("body")
    end
    local r = q and nests.local_items(q)
    r = r and result.run(r)
    r = r and lower.finished(r, r)
    return r and r:at(top)
end

-- The loop at q with its arrays in `memory`, a step's result by `step`.
local function in_group(q, memory, step)
    local r = R("onceInMap").run(q)
    r = r and R("mapWorkgroup", {d = 0}).run(r:go("in"))
    local loop = r and r:go("f")
    local init = loop and by_items(loop:go("init"), memory, memory)
    loop = init and init:at(loop)
    local body = loop and by_items(loop:go("f"), memory, step)
    body = body and (q.term.prim == "scanSeq" and rows_copied or copy).run(body:at(loop))
    return body and body:at(q)
end

-- The loop over an array at q in one group, in local memory where that holds it; nil: it cannot be so. What a step makes of other elements of its state
-- waits until all are made.
local function loop_in_group(q)
    for _, memory in ipairs {R("toLocal"), R("toGlobal")} do
        for _, step in ipairs {L.seq(), L.seq(memory, copy)} do
            local r = in_group(q, memory, step)
            if r and engine.kernels_of(nil, r:alone({}, {}), lengths.kind()) then return r end
        end
    end
end

base.macro_at("loopInGroup", "", "a loop over an array by the work-items of one group, which keep the array where all reach it: a round needs no launch", function(c)
    local t = c.term
    return (t.prim == "reduceSeq" or t.prim == "scanSeq") and t:slot("init").is_array and loop_in_group(c) or nil
end)

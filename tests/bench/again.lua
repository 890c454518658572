-- again: times the best points of a recording again, all of them in turns, so that none is best because its neighbours were
-- disturbed. [POCL_AFFINITY=1] lathe --device D [--set trials=N] tests/bench/again.lua OUT.tsv IN.tsv [WITHIN]
-- WITHIN 1.2: those that took up to 1.2 times the shortest (all when left out). The time of a point is its shortest trial, for the
-- others say what else the machine did. PoCL's threads are to stay on cores of their own: two of them on one take twice as long.
local output, input, within = ...

local files = dofile("tests/bench/recordings.lua")
local rows = files.read(input)

local function version_of(base, row)
    local call, params = files.call_of(row)
    assert(t["goto"](base))
    assert(t.apply(call))
    if params then assert(t.param(params)) end
    return t.version()
end

local best = math.huge
for _, row in ipairs(rows) do
    if row.state == "ok" then best = math.min(best, tonumber(row.ns)) end
end
local limit = best * (tonumber(within) or math.huge)

assert(t.load("tests/programs/" .. rows[1].program .. ".fun"))
assert(t.data(search.params_of(rows[1].sizes)))
local base, versions, timed = t.version(), {}, {}
for _, row in ipairs(rows) do
    assert(row.program == rows[1].program and row.sizes == rows[1].sizes, "a recording of one program and one size")
    if row.state == "ok" and tonumber(row.ns) <= limit then
        versions[#versions + 1], timed[#timed + 1] = version_of(base, row), row
    end
end
versions[#versions + 1] = {no_verify = true}                 -- what was recorded had been verified
for i, run in ipairs(assert(t.run(table.unpack(versions))).runs) do
    timed[i].state, timed[i].ns = run.state, run.state == "ok" and math.min(table.unpack(run.times_ns)) or ""
end

files.write(output, rows)
print(#timed .. " points timed: " .. output)

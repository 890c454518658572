-- tune: every macro call of a list run on the current program and device, in turn, several rounds; the best one is kept current.
-- Usage: lathe -e 'load FILE' -e 'data N = ...' -e 'source scripts/tune.lua gemmCpu mb=128,256 nb=32,64 kb=256,512 mr=4,8 w=16'
--        (`rounds=3` how often each that works is run)

local macro, axes, rounds = arg[1], {}, 3
if not macro then return print("usage: source scripts/tune.lua MACRO [NAME=VALUE,VALUE...]... [rounds=3]") end
for i = 2, #arg do
    local name, values = arg[i]:match("^(%w+)=(.+)$")
    assert(name, "NAME=VALUE,VALUE... expected, not " .. arg[i])
    if name == "rounds" then rounds = tonumber(values) else axes[#axes + 1] = {name = name, values = values} end
end

local calls = {""}
for _, axis in ipairs(axes) do
    local more = {}
    for _, call in ipairs(calls) do
        for value in axis.values:gmatch("[^,]+") do
            more[#more + 1] = call .. (call == "" and "" or ", ") .. axis.name .. "=" .. value
        end
    end
    calls = more
end

local from, tried = t.version(), {}
for _, call in ipairs(calls) do
    local text = macro .. "{" .. call .. "}"
    local version, failure = from:apply(text)
    if version then tried[#tried + 1] = {text = text, version = version, times = {}}
    else print(("%-60s %s"):format(text, failure.id)) end
end

local function median(times)
    table.sort(times)
    return times[(#times + 1) // 2]
end

-- All of them in every round, so that a machine whose speed moves is no worse to one than to another.
for round = 1, rounds do
    for _, case in ipairs(tried) do
        local result, failure
        if not case.failed then result, failure = case.version:run{n = 10, ["no-verify"] = round > 1 or nil} end
        if result then case.times[#case.times + 1] = median(result.times_ns)
        elseif failure then case.failed = failure.id end
    end
end

local good = {}
for _, case in ipairs(tried) do
    if case.failed then print(("%-60s %s"):format(case.text, case.failed))
    else
        case.time = median(case.times)
        good[#good + 1] = case
    end
end
table.sort(good, function(a, b) return a.time < b.time end)
for _, case in ipairs(good) do print(("%-60s %9.3f ms   @%d"):format(case.text, case.time * 1e-6, case.version.n)) end
if good[1] then t["goto"](good[1].version) end

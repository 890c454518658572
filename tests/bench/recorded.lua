-- recorded: a recording for scripts/bench search out of stored results, its features counted anew by this lathe.
-- lathe tests/bench/recorded.lua cpu|gpu OUT.tsv IN.tsv...      IN: what `results --format tsv -o` wrote, or such recordings
-- Points that several of them hold are taken once, as they were fastest; times are those of the column min where there is one.
local kind, output = ...
local inputs = {select(3, ...)}
local files = dofile("tests/bench/recordings.lua")

local function rows_of(file)
    local rows = files.read(file)
    for _, row in ipairs(rows) do
        if tonumber(row.min) then row.ns = row.min end
    end
    return rows
end

local function features_text(base, made, row)
    local call, params = files.call_of(row)
    if made[call] == nil then made[call] = base:apply(call) or false end
    local f = made[call] and made[call]:features(params, kind)
    if not f then return "" end
    local parts = {}
    for name, x in pairs(f) do
        if x ~= 0 then parts[#parts + 1] = ('"%s": %.15g'):format(name, x) end
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ", ") .. "}"
end

local found, order = {}, {}
for _, file in ipairs(inputs) do
    for _, row in ipairs(rows_of(file)) do
        local key = row.derivation .. "\t" .. row.params .. "\t" .. row.sizes
        local other = found[key]
        if not other then order[#order + 1] = key end
        if not other or row.state == "ok" and (other.state ~= "ok" or tonumber(row.ns) < tonumber(other.ns)) then found[key] = row end
    end
end
table.sort(order)

local rows = {}
local program, sizes, base, made
for i, key in ipairs(order) do
    local row = found[key]
    if row.program ~= program then
        t.load("tests/programs/" .. row.program .. ".fun")
        program, sizes, made = row.program, nil, {}
    end
    if row.sizes ~= sizes then
        t.data(search.params_of(row.sizes))
        base, sizes, made = t.version(), row.sizes, {}
    end
    row.features = features_text(base, made, row)
    rows[i] = row
end
files.write(output, rows)
print(#order .. " points: " .. output)

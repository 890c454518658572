-- rows: results as rows of a .tsv, as `results --from` reads them: those of runs and searches, of benchmarks, and made ones.
local rows = {}
local columns = {"program", "derivation", "params", "sizes", "device", "state", "ns", "min", "trials", "flops", "bytes", "search", "trial",
                 "fixed", "transfer", "message", "name"}

-- "N=4 M=8" of a table, or the text itself
local function bindings(values)
    if type(values) ~= "table" then return values end
    local names, parts = {}, {}
    for name in pairs(values) do names[#names + 1] = name end
    table.sort(names)
    for i, name in ipairs(names) do parts[i] = name .. "=" .. values[name] end
    return table.concat(parts, " ")
end

rows.bindings = bindings

function rows.write(name, list)
    local file = assert(io.open(name, "w"))
    file:write(table.concat(columns, "\t"), "\n")
    for _, row in ipairs(list) do
        for i, column in ipairs(columns) do
            local value = row[column]
            if type(value) == "table" then value = bindings(value) end
            file:write(i > 1 and "\t" or "", value and tostring(value):gsub("[\t\n]", " ") or "")
        end
        file:write("\n")
    end
    file:close()
    return list
end

-- The words of a list, and what follows them.
function rows.words(list, options)
    local words = table.move(list, 1, #list, 1, {})
    words[#words + 1] = options
    return table.unpack(words)
end

-- What is recorded of the current program, by filters.
function rows.recorded(...) return assert(t.results(rows.words({...}, {sort = "id", limit = "0"}))).items end

-- The rows of a file that `results --format tsv` or a recording wrote.
rows.read = dofile("tests/bench/recordings.lua").read

-- Runs a version and gives the row of it, whatever came of it; more: columns to replace.
function rows.run(version, trials, more, options)
    local all = {n = trials}
    for k, v in pairs(options or {}) do all[k] = v end
    local before = t.results({sort = "-id", limit = "1"}).items[1]
    local _, why = t.run(version, all)
    local row = t.results({sort = "-id", limit = "1"}).items[1]
    if not row or before and row.id == before.id then       -- refused before anything was recorded
        row = {program = version.program, state = "refused", ns = 0, message = tostring(why)}
    end
    for k, v in pairs(more or {}) do row[k] = v end
    return row
end

-- Operations and bytes of a case of the benchmarks by its words, as "scal n=1024", "gemm n=512 m=512".
local function work(case)
    local n, m = tonumber(case:match("n=(%d+)")), tonumber(case:match("m=(%d+)"))
    local kind = case:match("^%w+")
    if kind == "gemm" then return 2 * n * m * n, 4 * 3 * n * m end
    if kind == "gemv" then return 2 * n * m, 4 * n * m end
    return n, kind == "asum" and 4 * n or 8 * n
end

-- The id of a device that a benchmark calls by its name.
local function id_of(name)
    for _, d in ipairs(assert(t.device()).devices) do
        if not d.checker and d.name:sub(1, #name) == name then return d.id end
    end
    return name
end

local spelt = {openblas = "OpenBLAS", clblast = "CLBlast", cublas = "cuBLAS", openmp = "OpenMP"}

-- A line of scripts/bench as a row for us and one for the rival: {program, sizes} and who it is as the derivation.
local function bench_rows(list, line, seen)
    local bench, device, case, rival, ours, theirs, unit = table.unpack(line)
    device = id_of(device)
    local program, sizes = case:match("^(%S+) (.*)$")
    sizes = sizes:upper():gsub(",", "")
    rival = rival:match("^%S+")
    rival = spelt[rival] or rival
    local beside = "beside " .. rival
    local function add(who, value)
        local key = table.concat({who, case, device, beside}, "\t")
        value = tonumber(value)
        if not value or seen[key] then return end
        seen[key] = true
        local row = {program = program, sizes = sizes, device = device, state = "ok", derivation = who, trials = 11, message = beside}
        if unit == "ms" then row.ns = value * 1e6
        else
            local flops, bytes = work(case)
            row.flops, row.bytes = flops, bytes
            row.ns = (unit == "GF/s" and flops or bytes) / value
        end
        list[#list + 1] = row
    end
    add("lathe", ours)
    if rival ~= "-" then add(rival, theirs) end
    return bench
end

-- benches(c, keep): the rows of OUT/bench-NAME.tsv, of the rivals that keep names; nil and why: there are none.
function rows.benches(c, keep)
    local list, seen, found, rivals = {}, {}, false, {}
    for name in c.figure.benches:gmatch("%S+") do
        local file = io.open(c.out .. "/bench-" .. name .. ".tsv")
        for text in file and file:lines() or function() end do
            local line = {}
            for field in (text .. "\t"):gmatch("([^\t]*)\t") do line[#line + 1] = field end
            if line[1] ~= "bench" and #line >= 7 then
                found = true
                if line[4] ~= "copy" then bench_rows(list, line, seen) end
            end
        end
        if file then file:close() end
    end
    if not found then return nil, "its benchmarks were not run: scripts/bench " .. c.figure.benches end
    local kept = {}
    for _, row in ipairs(list) do
        local who = row.derivation
        if who ~= "lathe" then rivals[who] = true end
        if who == "lathe" or keep[who] then kept[#kept + 1] = row end
    end
    for who in pairs(keep) do
        if not rivals[who] then c:note("Left out: %s is not installed here, or has nothing to compare with.", who) end
    end
    return kept
end

-- pictures(options): a picture for each device of the rows, whose names begin with a number.
function rows.by_device(options)
    return function(c)
        local list, seen = {}, {}
        for _, row in ipairs(rows.read(c:path(".tsv"))) do
            if not seen[row.device] then
                local p = {"device=" .. row.device, name = tostring(#list + 1)}
                for k, v in pairs(options) do p[k] = v end
                seen[row.device], list[#list + 1] = true, p
            end
        end
        return list
    end
end

return rows

-- icfp15: figures of "Generating performance portable code using rewrite rules" (ICFP 2015).
local rows = dofile("tests/figures/rows.lua")

local function load(program, sizes)
    assert(t.load("tests/programs/" .. program .. ".fun"))
    assert(t.use(program))
    for name, value in pairs(sizes) do assert(t.data(name, value)) end
    return t.version("@0")
end

-- ---- figure 1: three reductions, each as one kind of device likes it, on every device ----

local forms = {
    {"NVIDIA form", function(n) return ("reduceGpu{chunk=%d, l=256, w=4, again=false}"):format(n) end},
    {"AMD form", function(n) return ("reduceChunks(%d) * at('in', mapGlobal(0)) * topdown(reduceInItem{w=4, u=1}) * topdown(reduceSeq)"):format(n // 16) end},
    {"Intel form", function(n) return ("reduceCpu{chunk=%d, w=16, u=4}"):format(4 * n) end},
}

local function portable(c)
    local list = {}
    for _, d in ipairs(c.devices) do
        assert(t.device(d.id))
        local n = c:size(d, 1 << 24, 1 << 27, 1 << 16)
        local mine, best = {}, math.huge
        for _, form in ipairs(forms) do
            local base = load("asum", {N = n})
            local v = assert(base:apply(form[2](c.small and 4096 or 16384)))
            local row = rows.run(v, c.small and 1 or 20, {derivation = form[1], sizes = "N=" .. n})
            if row.state == "ok" then best = math.min(best, row.ns) end
            mine[#mine + 1] = row
        end
        for _, row in ipairs(mine) do
            row.params = row.state == "ok" and "share=" .. math.floor(100 * best / row.ns + 0.5) or ""
            list[#list + 1] = row
        end
    end
    c:note("asum; each form on each device, every result verified. NVIDIA form: work-groups of 256 items, vectors of four, a tree in local memory. AMD form: a work-item a chunk, vectors of four, " ..
           "no local memory. Intel form: one work-item a group, long chunks, vectors of 16.")
    if #c.devices < 2 then c:note("There is one device here: of the matrix this is one column.") end
    return list
end

-- ---- figure 12: how many expressions a search evaluates ----

local function efficiency(c)
    local list = {}
    for _, d in ipairs(c.devices) do
        assert(t.device(d.id))
        load("asum", {N = c:size(d, 1 << 22, 1 << 24, 1 << 12)})
        local trials = c.small and 4 or 60
        assert(t.search{what = "rules", using = "descent", budget = trials})
        for _, row in ipairs(rows.recorded("search~descent", "device=" .. d.id)) do
            if row.trial then list[#list + 1] = row end
        end
    end
    c:note("search rules using descent: random walks over rules and parameters together; after each round the move that promises best is fixed.")
    return list
end

-- ---- figure 13: the benchmarks as programs ----

local programs = {{"scal", "scal", {N = 65536}}, {"asum", "asum", {N = 65536}}, {"dot", "dot", {N = 65536}}, {"gemv", "gemv_parts", {N = 1024, M = 1024}},
                  {"blackscholes", "blackscholes", {N = 65536}}, {"md", "md", {N = 1024, M = 64}}}

local function source_lines(file)
    local n, text = 0, {}
    for line in io.lines("tests/programs/" .. file .. ".fun") do
        if line:match("%S") and not line:match("^%s*#") then n, text[#text + 1] = n + 1, line end
    end
    return n, text
end

local function benchmarks(c)
    local list = {}
    local d = c.devices[1]
    assert(t.device(d.id))
    for _, p in ipairs(programs) do
        local n = source_lines(p[2])
        assert(t.load("tests/programs/" .. p[2] .. ".fun"))
        assert(t.use(p[1]))
        for name, value in pairs(p[3]) do assert(t.data(name, value)) end
        assert(t.lower())
        local _, kernel = assert(t.code()).source:gsub("\n", "\n")
        for what, count in pairs({["program"] = n, ["OpenCL C of lower"] = kernel}) do
            list[#list + 1] = {program = p[1], sizes = p[3], derivation = what, params = "lines=" .. count, device = d.id, state = "ok", ns = 1}
        end
    end
    return list
end

local function listing()
    local parts = {}
    for i, p in ipairs(programs) do
        local _, text = source_lines(p[2])
        parts[i] = table.concat(text, "\n")
    end
    return table.concat(parts, "\n\n")
end

-- ---- figures 14 and 15: beside libraries ----

local function beside(rivals)
    return function(c)
        local list, why = rows.benches(c, rivals)
        if not list then return nil, why end
        local kept = {}
        for _, row in ipairs(list) do
            if row.program ~= "heat" then kept[#kept + 1] = row end      -- none of the paper's
        end
        c:note("Libraries: both are timed in alternating blocks of one process, results checked. OpenMP: three turns each, medians.")
        return kept
    end
end

-- Of each rival a picture for each device that it was measured on.
local function by_rival(...)
    local rivals = {...}
    return function(c)
        local list, seen = {}, {}
        for _, row in ipairs(rows.read(c:path(".tsv"))) do
            for _, rival in ipairs(rivals) do
                local key = rival .. "\t" .. row.device
                if row.derivation == rival and not seen[key] then
                    seen[key] = true
                    list[#list + 1] = {"device=" .. row.device, "message=beside " .. rival, name = tostring(#list + 1), pivot = "derivation,program,sizes", value = "ms",
                                       baseline = rival, plot = "bars"}
                end
            end
        end
        return list
    end
end

return {
    {name = "icfp15-1", title = "ICFP'15, figure 1: performance is not portable",
     paper = "Three hand-written parallel reductions, each tuned for an Nvidia GPU, an AMD GPU or an Intel CPU, on all three devices, as shares of the "
         .. "best there. None is good everywhere: the AMD one loses a fifth on Nvidia and is ten times slower on the CPU, the CPU one reaches less than a "
         .. "fifth on a GPU, and the Nvidia one computes something wrong on the CPU, where it lacks barriers. Ours are derived by rules, so that every "
         .. "cell is right; how fast they are differs as much.",
     measure = portable, table = {pivot = "derivation,device", value = "ms"},
     pictures = function() return {{pivot = "derivation,device", value = "share", plot = "bars", says = "share of the best on that device, in percent"}} end},
    {name = "icfp15-12", title = "ICFP'15, figure 12: search efficiency",
     paper = "The performance of each expression that the search for asum evaluates, in order, the best so far as a line, and upright lines where one more "
         .. "derivation is fixed. Both GPUs reach their plateau after about 40 expressions with five derivations fixed, and go on meeting bad ones, as the "
         .. "numbers matter; the CPU converges sooner.",
     measure = efficiency, pictures = function() return {{plot = "progress"}} end},
    {name = "icfp15-13", title = "ICFP'15, figure 13: the benchmarks as programs",
     paper = "The six benchmarks in a line or a few each: scal, asum, dot, gemv, blackScholes and md, from map, reduce and zip alone. Ours are the same "
         .. "programs, with the types that inputs need; beside them the length of the kernels that lower makes of them.",
     measure = benchmarks, listing = listing, table = {pivot = "derivation,program", value = "lines"},
     pictures = function() return {{pivot = "derivation,program", value = "lines", plot = "bars", log = true}} end},
    {name = "icfp15-14", title = "ICFP'15, figure 14: beside a portable implementation", benches = "blas1 gemv loops",
     paper = "Speedup over clBLAS of scal, asum, dot and gemv, small and large, on three devices, and over the vendors' OpenCL kernels for blackScholes and "
         .. "md: above one nearly everywhere, up to twenty times on the CPU, where a library that was tuned for a GPU makes too much parallelism; blackScholes "
         .. "is on par on the GPUs and 2.2 times as fast on the CPU, md on par. clBLAS lives on as CLBlast; for blackScholes and md the rival is a plain OpenMP loop.",
     measure = beside({CLBlast = true, OpenMP = true}), pictures = by_rival("CLBlast", "OpenMP")},
    {name = "icfp15-15", title = "ICFP'15, figure 15: beside the platform's own library", benches = "blas1 gemv",
     paper = "Speedup over CUBLAS, clBLAS and MKL on the three devices. On Nvidia scal, asum and dot are equal, gemv 20 % faster when small and within 5 % when "
         .. "large; on AMD gemv is up to 4.5 times as fast; on the CPU small scal and dot stay 13 % and 30 % behind, the large ones are equal, and asum, which "
         .. "MKL runs in one thread, is 1.78 times as fast. The libraries here are cuBLAS and OpenBLAS.",
     measure = beside({OpenBLAS = true, cuBLAS = true}), pictures = by_rival("OpenBLAS", "cuBLAS")},
}

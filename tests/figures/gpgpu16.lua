-- gpgpu16: figures of "Matrix multiplication beyond auto-tuning: rewrite-based GPU code generation" (GPGPU 2016).
local rows = dofile("tests/figures/rows.lua")

local function load(n)
    assert(t.load("tests/programs/mm.fun"))
    for _, size in ipairs({"N", "K", "M"}) do assert(t.data(size, n)) end
    return t.version("@0")
end

local function libraries(c)
    local list, why = rows.benches(c, {OpenBLAS = true, CLBlast = true, cuBLAS = true})
    if not list then return nil, why end
    local kept = {}
    for _, row in ipairs(list) do
        if row.program == "gemm" then
            row.sizes = row.sizes:match("N=%d+")
            kept[#kept + 1] = row
        end
    end
    return kept
end

-- ---- figure 3: naive, library, tuned, by hand ----

-- The paper's figures 1 and 2, and what parameters of blocks a search finds, at the largest size that a library was measured at.
local function by_hand(c)
    local list, why = rows.benches(c, {OpenBLAS = true, CLBlast = true, cuBLAS = true})
    if not list then return nil, why end
    local n, libraries = 0, {}
    for _, row in ipairs(list) do
        row.n = row.program == "gemm" and row.derivation ~= "lathe" and tonumber(row.sizes:match("N=(%d+)")) or 0
        n = math.max(n, row.n)
    end
    if n == 0 then return nil, "no library was measured" end
    for _, row in ipairs(list) do
        if row.n == n then
            row.sizes, row.derivation, row.program = "N=" .. n, "2 " .. row.derivation, "mm"
            libraries[#libraries + 1] = row
        end
    end
    for _, d in ipairs(c.devices) do
        assert(t.device(d.id))
        local function add(who, version)
            libraries[#libraries + 1] = rows.run(version, c.small and 1 or 11, {program = "mm", derivation = who, params = "", sizes = "N=" .. n, device = d.id})
        end
        add("1 naive (figure 1)", assert(load(n):apply("mapGlobal(1) * topdown(mapGlobal(0)) * topdown(fuseReduce)")))
        load(n)
        local call = d.gpu and "gemmGpu" or "gemmCpu{mb=mb, nb=nb, kb=kb, mr=mr, w=16}"
        local best = assert(t.search{what = "params", using = "guided", call = call, budget = c.small and 3 or 40}).best
        c:note("Tuned on %s: %s", d.id, best.point)
        add("3 tuned", t.version("@" .. best.version))
        assert(t.load("tests/programs/mm_amd.fun"))
        for _, size in ipairs({"N", "K", "M"}) do assert(t.data(size, n)) end
        add("4 by hand (figure 2)", t.version("@0"))
    end
    return libraries
end

-- Points of a space that are tried now; where no device is asked for, those that were recorded with more patience (recorded).
local function space(c)
    local list = {}
    for _, d in ipairs(c.devices) do
        assert(t.device(d.id))
        load(c:size(d, 512, 1024, 32))
        local budget = c.small and 5 or 150
        assert(t.search{what = "rules", using = "random", budget = budget})
        for _, row in ipairs(rows.recorded("search~random", "device=" .. d.id)) do
            if row.trial then list[#list + 1] = row end
        end
        c:note("%s: %d points of `search rules` drawn at random; each verified.", d.id, budget)
    end
    return list
end

-- ---- figure 6: what a tile, and a block in registers, is of the matrices ----

-- The paper's expressions on matrices whose elements are their own numbers, so that their values say which elements they are. Three shades: all that
-- a group, or a work-item, takes in turn; what it has at once; what of this is used together.
local SIDE, CELL, GAP = 16, 10, 24
local tile = "let tile (n: size) (k: size) A = map (\\rows -> map transpose (split k (transpose rows))) (split n A)"
local regions = {
    {"6a", "A", {"(tile 8 4 X)[1]", "(tile 8 4 X)[1][2]"}},
    {"6a", "B", {"map (\\tiles -> tiles[2]) (tile 4 4 X)", "(tile 4 4 X)[2][2]"}},
    {"6a", "C", {"(tile 8 4 X)[1][2]", "(tile 8 4 X)[1][2]"}},
    {"6b", "A", {"(tile 8 4 X)[1][2]", "(split 4 ((tile 8 4 X)[1][2]))[0]", "(transpose (split 4 ((tile 8 4 X)[1][2]))[0])[1]"}},
    {"6b", "B", {"(tile 4 4 X)[2][2]", "(transpose ((tile 4 4 X)[2][2]))[3]", "(transpose ((tile 4 4 X)[2][2]))[3][1]"}},
    {"6b", "C", {"(tile 8 4 X)[1][2]", "(transpose (split 4 ((tile 8 4 X)[1][2]))[0])[3]", "(transpose (split 4 ((tile 8 4 X)[1][2]))[0])[3]"}},
}

local function tiles()
    local list = {}
    assert(t.let(tile:sub(5)))
    for _, r in ipairs(regions) do
        for shade, text in ipairs(r[3]) do
            local expr = text:gsub("X", ("(split %d (iota %d))"):format(SIDE, SIDE * SIDE))
            local cells = {}
            for n in assert(t.eval(expr, {full = true})).head:gmatch("%d+") do cells[#cells + 1] = n end
            list[#list + 1] = {program = "mm", derivation = r[2], params = "shade=" .. shade, sizes = ("N=%d"):format(SIDE), state = "ok", ns = 1,
                               name = r[1], message = table.concat(cells, " ")}
        end
    end
    return list
end

local corners = {{"A", 0, 1}, {"B", 1, 0}, {"C", 1, 1}}   -- in widths of a matrix: what A and B make stands beside A and below B
local shades = {"#d6e6f2", "#6baed6", "#084594"}

local function drawn(list, name)
    local side = SIDE * CELL
    local parts = {('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="14">\n'):format(2 * side + 2 * GAP, 2 * side + 2 * GAP)}
    local function add(...) parts[#parts + 1] = string.format(...) end
    for _, corner in ipairs(corners) do
        local who, x, y = corner[1], corner[2] * (side + GAP) + 1, corner[3] * (side + GAP) + GAP - 4
        add('<text x="%d" y="%d">%s</text>\n', x, y - 4, who)
        for _, row in ipairs(list) do
            for n in (row.name == name and row.derivation == who and row.message or ""):gmatch("%d+") do
                add('<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="white" stroke-width="0.5"/>\n', x + n % SIDE * CELL, y + n // SIDE * CELL, CELL, CELL,
                    shades[tonumber(row.params:match("shade=(%d)"))])
            end
        end
        add('<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>\n', x, y, side, side)
    end
    add("</svg>\n")
    return table.concat(parts)
end

local function tiles_drawn(c)
    local list = rows.read(c:path(".tsv"))
    return {{name = "a", text = drawn(list, "6a"), says = "Tiling: a work-group makes a tile of C as the sum of products of tiles of A and B, one pair after the other."},
            {name = "b", text = drawn(list, "6b"), says = "Register blocking, inside of these tiles: an element of a column of B is used for a whole column of a block of rows of A."}}
end

-- ---- figure 12: the best of each device and size, everywhere ----

local function resize(n)
    for _, size in ipairs({"N", "K", "M"}) do assert(t.data(size, n)) end
end

-- The version that a search finds for a device and a size.
local function best_of(c, d, n)
    assert(t.device(d.id))
    resize(n)
    assert(t["goto"]("@0"))
    local best = assert(t.search{what = "rules", using = "guided", budget = c.small and 3 or 25}).best
    c:note("The best on %s at %d: %s", d.id, n, best.point)
    return t.version("@" .. best.version)
end

local function everywhere(c)
    local list, kernels, sizes = {}, {}, {}
    load(64)
    for _, d in ipairs(c.devices) do
        for _, n in ipairs(c.small and {16, 32} or d.gpu and {1024, 4096} or {256, 1024}) do
            kernels[#kernels + 1] = {from = ("best on %s at %d"):format(d.id, n), version = best_of(c, d, n)}
            if not sizes[n] then sizes[n], sizes[#sizes + 1] = true, n end
        end
    end
    for _, d in ipairs(c.devices) do
        assert(t.device(d.id))
        for _, n in ipairs(sizes) do
            resize(n)
            for _, k in ipairs(kernels) do
                list[#list + 1] = rows.run(k.version, c.small and 1 or 11, {derivation = k.from, params = "", sizes = "N=" .. n, device = d.id})
            end
        end
    end
    return list
end

-- ---- the funnel ----

local paper = {20000, 100, 8, 760, 46000}
local stages = {"rules", "depth", "distance", "mapping", "parameters"}

-- What an exploration leaves at the paper's stages: five of ours, as the rank of accumulators and the plan are checks of our own.
local function counts(report)
    local by = {}
    for _, stage in ipairs(report.funnel) do by[stage.stage:match("^[%a-]+ %a+") or stage.stage] = stage.left end
    return {by["macro rules"], by["nesting depth"], by["add-mul distance"], by["mapping and"], by["parameters"]}
end

local function funnel(c)
    local list = {}
    local function add(who, numbers)
        for i, n in ipairs(numbers) do
            list[#list + 1] = {program = "mm", derivation = who, sizes = "N=1024 K=1024 M=1024", params = ("stage=%d programs=%d"):format(i, n), message = stages[i],
                               state = "ok", ns = 1}
        end
    end
    local was = search.presets.gpgpu16.heuristics.macros
    if c.small then search.presets.gpgpu16.heuristics.macros = 2 end
    load(1024)
    local theirs = assert(t.search{what = "rules", set = {device = "gpu", preset = "gpgpu16"}})
    local ours = assert(t.search{what = "rules", set = {device = "gpu"}})
    search.presets.gpgpu16.heuristics.macros = was
    add("GPGPU'16", paper)
    add("its heuristics, here", counts(theirs))
    add("lathe's own", counts(ours))
    c:note("Stage 1, algorithms: the paper applies four macro rules (1D and 2D blocking, tiling, tiling of the innermost loop) at all valid places in any order. The preset "
           .. "does that, up to five in a derivation, tiling of one and of two maps and the fusion that blocking needs being rules of their own. A term is counted once "
           .. "whatever its parameters are called; lathe's own exploration looks only at places where a reduction is inside, which leaves out what never gets faster.")
    c:note("Stage 2, depth: the paper names no limit, only what it leaves, about a hundred. The preset's is five maps and folds, which leaves %d; lathe's own is eight, as "
           .. "two maps over groups, two over items, two in registers and two folds are already eight.", counts(theirs)[2])
    c:note("Stage 3, distance: in lathe's terms a macro rule fuses the sum with its products at once, so that only what is not fused at all is at a distance, here %d; "
           .. "in the paper fusion is a choice, and only 8 of 100 have it. Where all blocks are fused, what a block accumulates tells good from bad: lathe's own exploration asks for that in addition.", counts(theirs)[2] - counts(theirs)[3])
    c:note("Stage 4, mapping: the paper maps two maps to groups and two to items and copies at most twice to local and private memory each. lathe's schemes do the same with vectors and "
           .. "prefetching as choices, and take only what has the blocks or tiles that they copy. "
           .. "What a scheme leaves without memory gets it (memoryWhereNeeded), so that all that have a legal point make kernels.")
    c:note("Stage 5, parameters: the paper takes what it finds reasonable of each parameter, lathe all divisors that keep the device's limits.")
    c:note("`search rules --set preset=gpgpu16 --all` says what rejects the rest.")
    return list
end

return {
    {name = "gpgpu16-3", title = "GPGPU'16, figure 3: naive, library, tuned and by hand", benches = "gemm",
     paper = "On an AMD GPU clBLAS is five times as fast as the naive kernel of figure 1, with tuned parameters eight times, and the kernel of figure 2, optimized by hand, ten times. "
         .. "Here the library is what is installed, tuned is a search of lathe's parameters, and by hand is tests/programs/mm_amd.fun, which makes the blocks of figure 2.",
     measure = by_hand, table = {pivot = "device,derivation", value = "gflops"},
     pictures = rows.by_device({pivot = "device,derivation", value = "gflops", plot = "bars"})},
    {name = "gpgpu16-6", title = "GPGPU'16, figure 6: tiling and register blocking",
     paper = "The tiles of A and B that are multiplied in local memory for a tile of C, and, within a tile, the column of B whose elements are each used again along a column of a block of A.",
     measure = tiles, pictures = tiles_drawn, listing = function() return tile end},
    {name = "gpgpu16-9", title = "GPGPU'16, figure 9: beside libraries", benches = "gemm",
     paper = "GFLOP/s of the best generated matrix product beside MAGMA, cuBLAS, clBLAS and tuned clBLAS over sizes, on three GPUs: on Fermi 80 to 90 % of MAGMA and 75 to 77 % of "
         .. "cuBLAS, on Kepler 7 to 25 % faster than MAGMA and well below cuBLAS, which is assembly there, on Tahiti faster than both AMD libraries. The libraries here are those that are installed.",
     measure = libraries, table = {pivot = "derivation,device,N", value = "gflops"},
     pictures = rows.by_device({pivot = "derivation,N", value = "gflops", plot = "bars"})},
    {name = "gpgpu16-10", title = "GPGPU'16, figure 10: distribution of performance",
     paper = "How the 46,000 kernels spread over their performance on each GPU at the smallest size, with median and quartiles: most are poor, a few reach the maximum.",
     measure = space, recorded = {"mm-pocl", "mm-h200"}, pictures = function() return {{plot = "distribution"}} end},
    {name = "gpgpu16-11", title = "GPGPU'16, figure 11: random search",
     paper = "The best so far when kernels are tried in random order, and how many it takes to reach 90 % of the best with 95 % confidence: 675 on Tahiti (2 %), 4,848 on Fermi (12 %) "
         .. "and 15,372 on Kepler (33 %). Ours is the exact expectation, not one order.",
     measure = space, recorded = {"mm-pocl", "mm-h200"}, pictures = function() return {{plot = "evolution"}} end},
    {name = "gpgpu16-12", title = "GPGPU'16, figure 12: the best kernels everywhere",
     paper = "Six kernels, the best of each of three GPUs at two sizes, on all GPUs and sizes: on the device it was made for a kernel is good at the other size too, elsewhere it is not: "
         .. "Fermi's reach 45 % on Kepler, and AMD's do not run there.",
     measure = everywhere, table = {pivot = "derivation,device,N", value = "gflops"},
     pictures = function() return {{pivot = "derivation,device,N", value = "gflops", plot = "bars", log = true, says = "a cross: does not run there"}} end},
    {name = "gpgpu16-funnel", title = "GPGPU'16, sections 5.1 to 5.3: how 20,000 algorithms become 46,000 kernels",
     paper = "Four macro rules make about 20,000 variants of the product; the depth of nests leaves about 100, the distance of addition and multiplication 8; mapped to groups, items and "
         .. "memories these are 760 programs, which with their parameters are about 46,000 kernels. Generating them took 2 h 40 min.",
     measure = funnel, table = {pivot = "derivation,stage,message", value = "programs"},
     pictures = function()
         return {{pivot = "derivation,stage,message", value = "programs", plot = "bars", log = true, says = "what each stage leaves: macro rules, depth of nests, distance of addition and multiplication, mapping, parameters"}}
     end},
}

-- gatlas: charts of GATLAS (2010): matrix products over sizes, by transposition, memory and transfers.
local rows = dofile("tests/figures/rows.lua")

local plain = {{"A B", "mm"}, {"A Bt", "mm_nt"}, {"At B", "mm_tn"}, {"At Bt", "mm_tt"}}
local general = {{"A B", "gemm"}, {"A Bt", "gemm_nt"}, {"At B", "gemm_tn"}, {"At Bt", "gemm_tt"}}      -- SGEMM: alpha * A B + beta * C

local function load(program, n)
    assert(t.load("tests/programs/" .. program .. ".fun"))
    for _, size in ipairs({"N", "K", "M"}) do assert(t.data(size, n)) end
    return t.version("@0")
end

-- Blocks that fit a size: GATLAS' group size and block height are such numbers.
local function blocks(c, d)
    if c.small then
        return d.gpu and {{mb = 16, nb = 16, kb = 8, mr = 4, nr = 4, u = 4}} or {{mb = 16, nb = 16, kb = 8, mr = 4, w = 8}}
    end
    if d.gpu then
        return {{mb = 128, nb = 128, kb = 16, mr = 8, nr = 8, u = 16}, {mb = 64, nb = 64, kb = 32, mr = 8, nr = 4, u = 16},
                {mb = 128, nb = 64, kb = 16, mr = 8, nr = 4, u = 16}}
    end
    return {{mb = 64, nb = 32, kb = 64, mr = 4, w = 16}, {mb = 64, nb = 64, kb = 64, mr = 8, w = 16}, {mb = 128, nb = 64, kb = 256, mr = 8, w = 16}}
end

local function call(d, point, image)
    local parts = {"image=" .. image}
    for name, value in pairs(point) do parts[#parts + 1] = name .. "=" .. value end
    table.sort(parts)
    return (d.gpu and "gemmGpu{" or "gemmCpu{") .. table.concat(parts, ", ") .. "}"
end

-- As GATLAS sweeps: in steps of 64.
local function sizes(c, d)
    local list = {}
    for n = c.small and 64 or d.gpu and 1024 or 256, c.small and 128 or d.gpu and 2048 or 1024, 64 do list[#list + 1] = n end
    return list
end

-- The numbers of blocks, by GATLAS' names where it has them: work-items of a group (gh by gw), rows of C that one of them makes (height).
local function named(d, point)
    return {gh = d.gpu and point.mb // point.mr or 1, gw = d.gpu and point.nb // point.nr or 1, height = point.mr, mb = point.mb, nb = point.nb, kb = point.kb}
end

-- The fastest of the blocks, as rows for every one of them: {derivation = label, params = the numbers}
local function measured(c, d, program, n, label, image, transfer, list)
    for _, point in ipairs(blocks(c, d)) do
        local fits = true
        for _, name in ipairs({"mb", "nb", "kb"}) do fits = fits and n % point[name] == 0 end
        if fits then
            local base = load(program, n)
            local v, why = base:apply(call(d, point, image))
            local more = {derivation = label, program = "product", params = named(d, point), sizes = "N=" .. n, device = d.id, transfer = transfer}
            -- the same kernels were verified without transfers
            if v then list[#list + 1] = rows.run(v, c.small and 1 or 7, more, {transfer = transfer, ["no-verify"] = transfer ~= "none" or nil})
            else c:note("%s of %d on %s: %s", label, n, d.id, tostring(why):match("[^\n]*")) end
        end
    end
end

local function each_device(c, f)
    local list = {}
    for _, d in ipairs(c.devices) do
        assert(t.device(d.id))
        f(d, list)
    end
    return list
end

local function transposed(variants)
    return function(c)
        c:note("Blocks are tried as help macros says of gemmCpu and gemmGpu; GATLAS' loop order and inlineMNK are order and sizes of `search params --call \"gemmItems{..}\"`.")
        return each_device(c, function(d, list)
            for image = 0, 1 do
                for _, v in ipairs(variants) do
                    for _, n in ipairs(sizes(c, d)) do
                        measured(c, d, v[2], n, v[1] .. (image == 1 and ", images" or ", buffers"), image, "none", list)
                    end
                end
            end
        end)
    end
end

local function transfers(c)
    return each_device(c, function(d, list)
        local all = sizes(c, d)
        for _, transfer in ipairs({"none", "to", "from", "both"}) do
            for _, v in ipairs(plain) do measured(c, d, v[2], all[#all], v[1], 0, transfer, list) end
        end
    end)
end

return {
    {name = "gatlas-gemm", title = "GATLAS: products by transposition and memory over sizes",
     paper = "GFLOP/s over matrix sizes for the four transpositions, memory buffers and images, on a Radeon HD 5870: images are two to three times as fast, as textures were "
         .. "cached there and buffers were not; the best were 490 GFLOP/s for A Bt from buffers at 5440 and 1045 for At B from images at 2240. Beside them charts of the best group size and block height: tables here.",
     measure = transposed(plain), table = {pivot = "derivation,device,N", value = "gflops"},
     pictures = rows.by_device({pivot = "derivation,N", value = "gflops", plot = "lines"})},
    {name = "gatlas-sgemm", title = "GATLAS: general products, alpha A B + beta C, over sizes",
     paper = "SGEMM is very similar and only slightly slower, as C is read, too: the same charts for the two kernels that make it.",
     measure = transposed(general), table = {pivot = "derivation,device,N", value = "gflops"},
     pictures = rows.by_device({pivot = "derivation,N", value = "gflops", plot = "lines"})},
    {name = "gatlas-transfers", title = "GATLAS: products with and without transfers",
     paper = "The full benchmark also times the same products with copying the operands to the device, the result from it, or both, in charts of their own; the page says that an application has to be arranged so that little goes over PCI Express.",
     measure = transfers, table = {pivot = "transfer,device,derivation", value = "gflops"},
     pictures = rows.by_device({pivot = "transfer,derivation", value = "gflops", plot = "bars"})},
}

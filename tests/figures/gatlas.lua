-- gatlas: charts of GATLAS (2010): matrix products over sizes, by transposition, memory and transfers.
local rows = dofile("tests/figures/rows.lua")

local variants = {{"A B", "mm"}, {"A Bt", "mm_nt"}, {"At B", "mm_tn"}, {"At Bt", "mm_tt"}}

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
    return {{mb = 128, nb = 32, kb = 128, mr = 8, w = 16}, {mb = 64, nb = 32, kb = 64, mr = 4, w = 16}, {mb = 128, nb = 64, kb = 256, mr = 8, w = 16}}
end

local function call(d, point, image)
    local parts = {"image=" .. image}
    for name, value in pairs(point) do parts[#parts + 1] = name .. "=" .. value end
    table.sort(parts)
    return (d.gpu and "gemmGpu{" or "gemmCpu{") .. table.concat(parts, ", ") .. "}"
end

local function sizes(c, d) return c.small and {32} or d.gpu and {1024, 2048, 4096} or {256, 512, 1024} end

-- The fastest of the blocks, as rows for every one of them: {derivation = label, params = the numbers}
local function measured(c, d, program, n, label, image, transfer, list)
    for _, point in ipairs(blocks(c, d)) do
        local fits = true
        for _, name in ipairs({"mb", "nb", "kb"}) do fits = fits and n % point[name] == 0 end
        if fits then
            local base = load(program, n)
            local v, why = base:apply(call(d, point, image))
            local more = {derivation = label, program = "product", params = point, sizes = "N=" .. n, device = d.id, transfer = transfer}
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

local function transposed(c)
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

local function transfers(c)
    return each_device(c, function(d, list)
        for _, transfer in ipairs({"none", "to", "from", "both"}) do
            for _, v in ipairs(variants) do
                for _, n in ipairs(sizes(c, d)) do measured(c, d, v[2], n, v[1], 0, transfer, list) end
            end
        end
    end)
end

-- For each device one of what is read from buffers and one of images.
local function by_memory(c)
    local list = {}
    for _, memory in ipairs({"buffers", "images"}) do
        for _, p in ipairs(rows.by_device({pivot = "derivation,N", value = "gflops", plot = "lines", says = "from " .. memory})(c)) do
            p[2], p.name = "derivation~" .. memory, p.name .. "-" .. memory
            list[#list + 1] = p
        end
    end
    return list
end

-- For each device one at its largest size.
local function largest(c)
    local most = {}
    for _, row in ipairs(rows.read(c:path(".tsv"))) do
        most[row.device] = math.max(most[row.device] or 0, tonumber(row.sizes:match("N=(%d+)")))
    end
    local list = rows.by_device({pivot = "transfer,derivation", value = "gflops", plot = "bars"})(c)
    for _, p in ipairs(list) do p[2] = "N=" .. most[p[1]:match("=(.*)")] end
    return list
end

return {
    {name = "gatlas-gemm", title = "GATLAS: products by transposition and memory over sizes",
     paper = "GFLOP/s over matrix sizes for the four transpositions, one chart for memory buffers and one for images, on a Radeon HD 5870: images are two to three times as fast, as textures were "
         .. "cached there and buffers were not; the best were 490 GFLOP/s for A Bt from buffers at 5440 and 1045 for At B from images at 2240. Beside them charts of the best group size and block height: tables here.",
     measure = transposed, table = {pivot = "derivation,device,N", value = "gflops"},
     pictures = by_memory},
    {name = "gatlas-transfers", title = "GATLAS: products with and without transfers",
     paper = "The full benchmark also times the same products with copying the operands to the device, the result from it, or both, in charts of their own; the page says that an application has to be arranged so that little goes over PCI Express.",
     measure = transfers, table = {pivot = "transfer,device,derivation,N", value = "gflops"},
     pictures = largest},
}

-- images: products of matrices, of a matrix and a vector, and sums of vectors on a device, through buffers and images, of f32 and f64:
-- lathe tests/images.lua DEVICE (tests/images.sh)
assert(t.device(arg[1]))

local function program(name, scalar)
    local f, copy = assert(io.open("tests/programs/" .. name .. ".fun")), os.tmpname()
    local to = assert(io.open(copy, "w"))
    to:write((f:read("a"):gsub("f32", scalar)))
    f:close()
    to:close()
    local ok, why = t.load(copy)
    os.remove(copy)
    assert(ok, why)
end

-- The strategy ends in a run that is verified, of kernels that read so many images.
local function check(name, scalar, strategy, images)
    local applied, why = t.apply(strategy)
    if not applied then error(("%s of %s: %s: %s"):format(name, scalar, strategy, tostring(why))) end
    local outcome, reason = t.run{n = 1}
    if not outcome then error(("%s of %s: %s: %s"):format(name, scalar, strategy, tostring(reason))) end
    assert(outcome.verify.status == "ok", name)
    local found = 0
    for _, b in ipairs(assert(t.plan()).buffers) do found = found + (b.role == "image" and 1 or 0) end
    assert(found == images, ("%s of %s: %d images, not %d"):format(name, scalar, found, images))
    assert(t["goto"]("@0"))
end

for _, scalar in ipairs({"f32", "f64"}) do
    for image = 0, 1 do
        for _, turned in ipairs({"", "_nt", "_tn", "_tt"}) do
            for _, whole in ipairs({"mm", "gemm"}) do
                program(whole .. turned, scalar)
                for size, n in pairs({N = 32, M = 48, K = 16}) do assert(t.data(size, n)) end
                local images = image * (whole == "mm" and 2 or 3)
                check(whole .. turned, scalar, ("gemmGpu{mb=16, nb=16, kb=8, mr=4, nr=4, u=4, image=%d}"):format(image), images)
                check(whole .. turned, scalar, ("gemmCpu{mb=16, nb=16, kb=8, mr=4, w=8, image=%d}"):format(image), images)
            end
        end
        local images = image == 1 and " * images" or ""
        program("sgemv", scalar)
        for size, n in pairs({N = 64, M = 128}) do assert(t.data(size, n)) end
        check("sgemv", scalar, "lower" .. images, image * 3)
        program("waxpby", scalar)
        assert(t.data("N", 96))
        check("waxpby", scalar, "lower" .. images, image * 2)
    end
end

-- images: products of matrices, of a matrix and a vector, and sums of vectors on a device, through buffers and images, of f32 and f64:
-- lathe tests/images.lua DEVICE all|part (tests/images.sh). part: one transposition, for the sanitizers, which see the same code at all
assert(t.device(arg[1]))
local part, interpreted = arg[2] == "part", arg[1] == "oclgrind"
local transpositions = {f32 = part and {"_tn"} or {"", "_nt", "_tn", "_tt"}, f64 = {"_tn", not part and "_nt" or nil}}     -- each matrix both ways
local sizes = interpreted and {N = 16, M = 32, K = 24} or {N = 32, M = 48, K = 16}

local function load_text(text)
    local name = os.tmpname()
    local to = assert(io.open(name, "w"))
    to:write(text)
    to:close()
    local ok, why = t.load(name)
    os.remove(name)
    assert(ok, why)
end

local function program(name, scalar)
    local f = assert(io.open("tests/programs/" .. name .. ".fun"))
    load_text((f:read("a"):gsub("f32", scalar)))
    f:close()
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
    for image = 0, 2 do                                      -- 2: the result is written to one, too
        for _, turned in ipairs(transpositions[scalar]) do
            -- the product alone once: how its texels are read does not depend on what is done with it, nor on the transposition
            for _, whole in ipairs(scalar == "f32" and turned == transpositions.f32[1] and {"mm", "gemm"} or {"gemm"}) do
                program(whole .. turned, scalar)
                for size, n in pairs(sizes) do assert(t.data(size, n)) end
                local seen = image == 0 and scalar == "f32" and not interpreted and not part       -- by derivations.sh
                local images = image == 0 and 0 or (whole == "mm" and 1 or 2) + image
                if not seen then
                    check(whole .. turned, scalar, ("gemmGpu{mb=16, nb=16, kb=8, mr=4, nr=4, u=4, pad=%d, image=%d}"):format(image, image), images)
                end
                for _, w in ipairs(image < 2 and not interpreted and {1, 2, 4} or {4}) do            -- elements, halves and whole texels
                    check(whole .. turned, scalar, ("gemmItems{mr=4, nr=4, w=%d, u=%d, image=%d}"):format(w, image == 0 and 1 or 2, image), images)
                end
                if image < 2 and not seen then        -- it accumulates in the result
                    check(whole .. turned, scalar, ("gemmCpu{mb=16, nb=16, kb=8, mr=4, w=8, image=%d}"):format(image), images)
                end
            end
        end
        local images = image > 0 and " * images" or ""
        local vectors, result = "outermost(computes, vectorise(4)) * ", image == 2 and " * toGlobalImage" or ""
        local lowered = (image == 2 and vectors or "") .. "lower" .. images .. result
        program("sgemv", scalar)
        for size, n in pairs({N = 64, M = 128}) do assert(t.data(size, n)) end
        check("sgemv", scalar, lowered, image == 0 and 0 or 2 + image)
        for given, of in pairs({["[N][M]"] = "A", ["[M][N]"] = "(transpose A)"}) do           -- the product alone, plain and transposed
            load_text(("let gemv (A: %s%s) (x: [M]%s) = map (\\row -> reduce (+) 0 (map (*) (zip row x))) %s\n"):format(given, scalar, scalar, of))
            for size, n in pairs({N = 64, M = 128}) do assert(t.data(size, n)) end
            check("gemv", scalar, "lower" .. images, image == 0 and 0 or 2)
        end
        program("waxpby", scalar)
        assert(t.data("N", 96))
        check("waxpby", scalar, vectors .. "lower" .. images .. result, image == 0 and 0 or 1 + image)
    end
end

-- Four rows an item: a texel, or two, of the product of a matrix and a vector.
for _, scalar in ipairs({"f32", "f64"}) do
    load_text(("let gemv (A: [N][M]%s) (x: [M]%s) = join (mapGlobal 0 (\\rows -> asScalar (mapSeq id (asVector 4 (toPrivate (mapSeqUnroll " ..
               "(\\row -> reduceSeq (\\(acc, (p, q)) -> acc + p * q) 0 (zip row x)) rows))))) (split 4 A))\n"):format(scalar, scalar))
    for size, n in pairs({N = 64, M = 128}) do assert(t.data(size, n)) end
    check("gemv", scalar, "images * toGlobalImage", 3)
end

-- What a kernel writes to an image is read through it by the next one, as a buffer besides, and through an image with other rows; the
-- result is one, too.
local rows = "mapGlobal 1 (\\r -> asScalar (mapGlobal 0 (mapVec (\\x -> x + 1)) (asVector 4 r)))"
local written = "(toGlobalImage (" .. rows .. " A))"
for _, scalar in ipairs({"f32", "f64", "i32", "u64"}) do
    for _, body in ipairs({rows .. " (toImage " .. written .. ")",
                           "(\\t -> mapGlobal 1 (\\(p, q) -> mapGlobal 0 (\\(x, y) -> x * y) (zip p q)) (zip t (toImage t))) " .. written,
                           "mapGlobal 0 (\\r -> reduceSeq (+) 0 r) (toImage (split 16 (join " .. written .. ")))",
                           "toGlobalImage (" .. rows .. " (toImage " .. written .. "))"}) do
        load_text(("let p (A: [N][M]%s) = %s\n"):format(scalar, body))
        for size, n in pairs({N = 8, M = 48}) do assert(t.data(size, n)) end
        local outcome, why = t.run{n = 2}
        if not outcome or outcome.verify.status ~= "ok" then error(("%s of %s: %s"):format(body, scalar, tostring(why))) end
    end
end

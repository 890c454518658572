-- sessions: exports programs as CUDA C into a folder: lathe tests/cuda/sessions.lua FOLDER (tests/cuda.sh)
local folder = arg[1]

-- sizes: values in the order of the program's; fills: by input, false for the default; how: whether sizes are constants
local function export(name, text, sizes, fills, how)
    local before, last = text:match("^(.*\n)let (.*)$")
    for line in (before or ""):gmatch("[^\n]+") do assert(t.let((line:gsub("^let ", "")))) end
    last = last or text:gsub("^let ", "")
    assert(t.let(last))
    local inputs, seen, i = last:match("^(.-) = "), {}, 0
    for size in inputs:gmatch("%[(%u%w*)%]") do
        if not seen[size] then
            seen[size], i = true, i + 1
            assert(t.data(size, sizes[i]))
        end
    end
    i = 0
    for input in inputs:gmatch("%((%w+) *:") do
        i = i + 1
        if fills and fills[i] then assert(t.data(input .. " = " .. fills[i])) end
    end
    for _, sizes_are in ipairs(how or {"constant", "argument"}) do
        assert(t.set("sizes", sizes_are))
        local made, why = t.export("cuda", ("%s/%s_%s.cu"):format(folder, name, sizes_are))
        if text:find("toImage") then assert(not made and tostring(why):find("CUDA C have no images"), name)
        else assert(made, why) end
    end
end

-- The rows P(name, SIZES(...), DATA(...), text), CONSTANT(name, SIZES(...), text) of the kernels that test_kernels.c runs.
local function rows(file)
    local f = assert(io.open(file))
    local all = f:read("a"):gsub("/%*.-%*/", "")
    f:close()
    for kind, row in all:gmatch("(%u+)(%b())") do
        local name, sizes, rest = row:match('^%("([%w_]+)", SIZES(%b()),(.*)%)$')
        local fills, at, values, text = {}, rest:match("^%s*DATA%b()"), {}, {}
        for fill in (at or ""):gsub("^%s*DATA%(", ""):gsub("%)$", ""):gsub("(RANDOM%b())", function(r) return (r:gsub(",", ";")) end):gmatch("[^,]+") do
            local lo, hi = fill:match("RANDOM%((%-?%d+); *(%-?%d+)%)")
            fills[#fills + 1] = lo and ("random(3, %s, %s)"):format(lo, hi) or false
        end
        for n in sizes:gmatch("%d+") do values[#values + 1] = tonumber(n) end
        for piece in rest:sub(#(at or "") + 1):gmatch('"([^"]*)"') do text[#text + 1] = piece end
        text = table.concat(text):gsub("\\n", "\n"):gsub("\\\\", "\\")
        export(name, text, values, fills, kind == "CONSTANT" and {"constant"} or nil)
    end
end

local lanes = {}
for _, s in ipairs({"i8", "u8", "i16", "u16", "i32", "i64", "u32", "u64", "bf16", "f16", "f32", "f64"}) do
    for _, w in ipairs(s == "f32" and {2, 3, 4, 8, 16} or #s == 2 and {4} or {3, 4}) do lanes[#lanes + 1] = {s, w} end
end

rows("tests/unit/kernels.inc")

-- each scalar in vectors: operators, comparisons, choices, conversions
for _, sw in ipairs(lanes) do
    local s, w = sw[1], sw[2]
    local real = s:find("f", 1, true) ~= nil
    local step = real and "(if a < b then fma a b (a - b) else max a (abs b * b)) / (b * b + 1)"
        or s:sub(1, 1) == "u" and "(if a < b then shl a b else bxor (min a b) (shr a b)) + a * b"
        or "(if a < b then shl a b else bxor (min a b) (shr a 3)) + a * b - (-(abs a))"
    export(("lanes_%s_%d"):format(s, w),
           ("let p (x: [N]%s) (y: [N]%s) = asScalar (mapGlobal 0 (mapVec (\\(a, b) -> %s)) (zip (asVector %d x) (asVector %d y)))")
           :format(s, s, step, w, w), {96}, nil, {"constant"})
    local to = s == "f64" and "f32" or "f64"
    if w == 4 then
        export(("casts_%s"):format(s),
               ("let p (x: [N]%s) (y: [N]f32) = asScalar (mapGlobal 0 (mapVec (\\(a, b) -> %s a + (if b > 0 then 2 else -1))) (zip (asVector 4 x) (asVector 4 y)))")
               :format(s, to), {96}, nil, {"constant"})
    end
end

-- integers that C would widen, and those of 64 bits without a sign, at the ends of their types
for _, s in ipairs({"i8", "u8", "i16", "u16", "u64"}) do
    export("scalars_" .. s, ("let p (x: [N]%s) = mapGlobal 0 (\\a -> (a * a * a - -a, abs (a - 3), a // bor a 1, a %% bor a 1, "
           .. "shl a (a + 1) + shr a 9, if a + 1 > a then min a 3 else max (a * 3) 5, f32 a, i64 (band a 15))) x"):format(s),
           {97}, {"adversarial(3)"}, {"constant"})
end

-- functions that CUDA has by another name, or not
for _, s in ipairs({"i8", "u16", "i32", "u64"}) do
    export("counts_" .. s, ("let p (x: [N]%s) = mapGlobal 0 (\\a -> (popcount a, clz a)) x"):format(s), {96}, {"adversarial(3)"}, {"constant"})
end
export("bits", "let p (x: [N]f32) (k: [N]i32) = mapGlobal 0 (\\(a, i) -> (asI32 a, asF32 (bxor (asU32 a) 0x80000000), asU32 i, trunc (9 * a), "
       .. "expm1 a, log1p (abs a), lgamma (2 + a))) (zip x k)", {96}, nil, {"constant"})

-- more local memory than a kernel may declare, and what is stored past the caches
export("much_local", "let p (x: [N]f64) = join (mapWorkgroup 0 (\\c -> let y = toLocal (mapLocal 0 (mapSeq id) (split 64 c)) in "
       .. "mapLocal 0 (\\i -> y[127 - i][0]) (iota 128)) (split 8192 x))", {16384}, nil, {"constant"})
export("streamed", "let p (x: [N]f32) = asScalar (toGlobalStream (mapGlobal 0 (mapVec (\\v -> v * v)) (asVector 8 x)))", {128}, nil, {"constant"})

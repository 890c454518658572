-- names: sessions whose programs call their inputs, components, sizes, parameters, values and themselves what kernels, host programs and the
-- headers around them have names for. Each name comes to some of the places, to all if ALL is "all".
-- Usage: lathe -q names.lua FOLDER [ALL]
local folder, all = ...

local lower = [[
out out_0 out2 gid0 wg0 l0 l1 x_0 x tmp tmp2 i j state iteration goes_on state_next x_next image x_image half half_ half_2 half_t int3 float4 vload4 vstore_half
vec_step as_float as_int4 convert_float4 get_global_id barrier atomic_cmpxchg atom_cmpxchg event_t sampler_t image2d_t read_imagef
__global __local __LINE__ __kernel _Bool _Generic fma fmaf sqrt sqrtf fabs mad fmin fminf select printf cl_khr_fp64 kernel global
constant private local size_t uint ulong unix linux quad complex main new class this template not and operator threadIdx blockIdx dim3
dim gridDim warpSize errno stdin assert k0 y_k0 d_y y h_y of_y e_y wrong wrong_y launches expected queue device context program source
check buffer launch argument ms status trial from to argc argv lathe_div lathe_half lathe_nearest item near more back word0 own seen
told held next r acc tile a1 a1_2 M_PIf P_tmpdir P Q char16_t nullptr typeof asm]]
local upper = [[
FLT_MAX INT_MAX M_E M_PI CHAR_BIT CLK_LOCAL_MEM_FENCE NAN NULL INFINITY I EOF MAXFLOAT HUGE_VALF CL_SUCCESS TRIALS EXPECTED WARMUP DEVICE
WNOHANG RAND_MAX BUFSIZ DBL_EPSILON SIZE_MAX FP_NAN N N_2 OUT]]

local function words(text)
    local list = {}
    for w in text:gmatch("%S+") do list[#list + 1] = w end
    return list
end

-- %a: a name like any other; %S: that of a size; the same letters are the same name
local template = [[
param %p
let %A (%a: [%S][8]f32) (%b: ([%S][8]f32, [%S][8]i32)) (%c: f32) (%d: (f32, i32)) (%e: [%S][8]f32) =
  let %f = map (\%g -> map (\%h -> %h * %c + %d.0) %g) %a
  let %i = reduce (+) 0 (map (\%j -> abs (%j[0] - 1)) %f)
  in map (\(%k, (%l, %m)) -> join (map (\%n -> map (\(%o, (%q, %r)) -> let %s = %o * 0.5 + %i in %s * %s + %q + f32 %r * f32 %d.1 + f32 %S) %n)
    (split %p (zip %k (zip %l %m))))) (zip (zipWith (\(%t, %u) -> zipWith (+) %t %u) %e %f) (zip %b.0 %b.1))
]]
-- Its result is a tuple, and its rounds are launches.
local looped = [[
let %A (%a: [%S]f32) (%b: [%S]f32) (%c: (f32, f32)) =
  loopWhile 4 (\(%d, %e) -> reduce (+) 0 %d > -1000000) (\(%f, %g) -> (map (\%h -> %h * %c.0 + %c.1) %g, map (\%i -> %i + 1) %f)) (%a, %b)
]]
local places = {}
for c in ("A a b c d e f g h i j k l m n o q r s t u p"):gmatch("%a") do places[#places + 1] = c end

local primitive = {fma = true, sqrt = true}        -- which no program may be called
local names, sizes = words(lower), words(upper)
for _, s in ipairs(sizes) do names[#names + 1] = s end
local step = #names // #places
local count = all == "all" and #names or 2 * step
for shift = 0, count - 1 do
    local of = {S = sizes[shift % #sizes + 1]}
    local used = {[of.S] = true}
    local at = shift % step + 7 * step * (shift // step)
    for n, place in ipairs(places) do
        repeat
            local name = names[(at + n * step) % #names + 1]
            at = at + 1
            of[place] = name
        until not used[name] and (place ~= "p" or name:match("^%l")) and (place ~= "A" or not primitive[name])
        used[of[place]] = true
    end
    local function write(name, text, settings)
        local path = ("%s/%s%d"):format(folder, name, shift)
        local f = assert(io.open(path .. ".fun", "w"))
        f:write((text:gsub("%%(%a)", of)))
        f:close()
        f = assert(io.open(path .. ".lathe", "w"))
        f:write("load ", path, ".fun\ndata ", of.S, " = 6\n", settings, shift % 2 == 1 and "set sizes argument\n" or "", "lower\n")
        f:close()
    end
    write("names", template, "param " .. of.p .. " = 4\n")
    write("looped", looped, "")
end

> set trials 1
> set verbose 0
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 32, K = 48, M = 32
> help productTf32
rule productTf32
  (x: f32) * y  =>  tf32 x * tf32 y
  a product of what matrix units take of floats, 10 bits: wrong by 2^-10 of itself at most
  approximate; builtin; from NVIDIA TF32
  for example  x * y  =>  tf32 x * tf32 y      x: f32, y: f32
> check productTf32
productTf32 holds on 500 instances, seed 1; 268 of them up to rounding (help trust)
> check product3xTf32
product3xTf32 holds on 500 instances, seed 1; 88 of them up to rounding (help trust)
> apply topdown(productTf32)
@1  topdown(productTf32)  at /f/body/f/body/in/f/body  builtin    from @0
> show
map
  (λrow →
    map (λcol → reduce (+) 0 (map (λ(x, x1) → tf32 x * tf32 x1) (zip row col))) ∘ transpose $ B)
  A
> set strict on
> apply topdown(product3xTf32)
E26 product3xTf32 is approximate, and strict is on
  rule    (x: f32) * y  =>  tf32 x * tf32 y + (tf32 x * tf32 (y - tf32 y) + tf32 (x - tf32 x) * tf32 y)  when finite (tf32 x) and finite (tf32 y)
  found   a product of three such, of what is rounded and of what that leaves: wrong by 2^-20 of itself at most
  try     set strict off
> set strict off
> goto @0
@0  source
> apply topdown(product3xTf32)
@2  topdown(product3xTf32)  at /f/body/f/body/in/f/body  builtin    from @0
> lower
@3  lower                               builtin    from @2
> run
@3  pocl0 **
  build   - ms        local 6.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 9.5e-07, 0.47 x the roundings' own; sees changes of 6e-08
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> goto @0
@0  source
> apply gemmUnits{mb=32, nb=32, kb=16, mw=16, nw=16, w=4, tf32=1}
@4  gemmUnits{mb=32, nb=32, kb=16, mw=16, nw=16, w=4, tf32=1}  at /  builtin    from @0
> run
@4  pocl0 **
  build   - ms        local 12.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 0.0017, 0.26 x the roundings' own; sees changes of 6e-08
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> goto @0
@0  source
> apply gemmUnits{mb=32, nb=32, kb=16, mw=16, nw=16, w=4, tf32=3}
@5  gemmUnits{mb=32, nb=32, kb=16, mw=16, nw=16, w=4, tf32=3}  at /  builtin    from @0
> run
@5  pocl0 **
  build   - ms        local 12.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 7.8e-07, 0.35 x the roundings' own; sees changes of 3.7e-06
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> set target h200
> code | grep -A 20 LATHE_MMA
#if defined(__NV_CL_C_VERSION) && !defined(LATHE_MMA_tf32)
#define LATHE_MMA_tf32
static void lathe_mma_tf32(float *c0, float *c1, float *c2, float *c3, const uint *a, const uint *b)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(*c0), "+f"(*c1), "+f"(*c2), "+f"(*c3)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif
#if defined(__NV_CL_C_VERSION) && !defined(LATHE_TF32)
#define LATHE_TF32
static uint lathe_tf32_bits(float x)
{
    uint r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
    return r;
}
static uint lathe_tf32_rest(float x) { return lathe_tf32_bits(x - as_float(lathe_tf32_bits(x))); }
static void lathe_tf32_parts(uint *x, uint *rest)
{
    float v = as_float(*x);
    *x = lathe_tf32_bits(v);
> code | grep lathe_mma | head -3
static void lathe_mma_tf32(float *c0, float *c1, float *c2, float *c3, const uint *a, const uint *b)
            lathe_mma_tf32(&acc_0, &acc_1, &acc_4, &acc_5, lathe_a_rest + 0, lathe_b + 0);
            lathe_mma_tf32(&acc_2, &acc_3, &acc_6, &acc_7, lathe_a_rest + 0, lathe_b + 2);
> code | grep "lathe_tf32_[br]" | head -10
static uint lathe_tf32_bits(float x)
static uint lathe_tf32_rest(float x) { return lathe_tf32_bits(x - as_float(lathe_tf32_bits(x))); }
    *x = lathe_tf32_bits(v);
    *rest = lathe_tf32_bits(v - as_float(*x));
LATHE_TF32_PIECES(lathe_tf32_bits)
LATHE_TF32_PIECES(lathe_tf32_rest)
> data N = 1024, K = 1024, M = 1024
> goto @0
@0  source
> set precision tf32
> lower --explain
#1           generate N (\i -> generate M (\j -> reduce (+) 0 ..))
  product    25.7 us   0.33 of the bound: blocks of sums in registers, of what rows and columns give
             kb=16, mb=64, mw=32, nb=128, nw=64, stages=3, tf32=1, w=4
  takes      memory 19.7 us, accesses 15.2 us, arithmetic 10.2 us, start 3.3 us
  bound      8.54 us   arithmetic
  or         29.4 us   parts       lower lowerNests("parts")
  or         1.24 ms   items       lower lowerNests("items")
  or         4.85 ms   group       lower lowerNests("group")
in all       25.7 us on a GPU   0.33 of the bound: 8.54 us, arithmetic
> set strict on
> lower --explain | head -3
#1 /         map (\row -> map (\col -> ..) . transpose $ B) A
  product    82.4 us   0.44 of the bound
             gemmGpu{kb=16, mb=64, mr=8, nb=64, nr=4, u=16, w=4}
> set strict off
> set precision half
E05 "half" is not a value of precision
  needs   one of: full tf32 3xtf32
> apply gemmUnits{tf32=2}
E22 tf32 is 0, 1 or 3, not 2
> # what three products of rounded numbers leave of inf is no number, and the rule says that it is of finite ones
> let scaled (x: [N]f32) (y: [N]f32) = map (\(a, b) -> a * b) (zip x y)
scaled : [N]f32 -> [N]f32 -> [N]f32
> apply product3xTf32
@1  product3xTf32  at /f/body           builtin    from @0
> apply mapGlobal(0)
@2  mapGlobal(0)  at /                  builtin    from @1
> data N = 4, x = [inf, 1, 2, 3], y = [1, 2, 3, 4]
> run
@2 pocl0   WRONG RESULT   input 2 x = [inf, 1, 2, 3], y = [1, 2, 3, 4]  repeat 1 of 2
  1 of 4 elements differ; first at [0]: got nan, want inf (rel inf)
  the version does not mean what its source means
  product3xTf32: of numbers that are neither inf nor NaN alone       help rules
  @2 = mapGlobal(0) at /, from @1
E63 @2 does not compute what its source does
  try     run @1; explain @2

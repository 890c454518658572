> # a reduction by index with few elements: each item of a group has its own
> set repeats 1
> set seeds 1
> device oclgrind
oclgrind    Oclgrind Simulator
> let sums (ps: [N](f32, i32)) = reduceByIndex (\((a, m), (c, n)) -> (a + c, m + n)) (replicate 6 (0.0, 0)) (map (\(x, i) -> (i, (x, 1))) ps)
sums : [N](f32, i32) -> [6](f32, i32)
> data N = 8192
> apply byIndexApartGpu{chunk=16, items=32} ; lower
@1  byIndexApartGpu{chunk=16, items=32}  at /  builtin    from @0
  - reduceByIndex (λ((a, m), (c, n)) → (a + c, m + n)) (generate 6 (λi → (0.0, 0))) ∘ map (..) $ ps
  + map (reduce (..) (..)) ∘ transpose ∘ mapWorkgroup 0 (mapLocal 0 (reduceSeq (..) (..)) ∘ take ...
  type   [6](f32, i32)                unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     28 moves here
@2  lower                               builtin    from @1
  - map (reduce (λ(..) → (a + c, m + n)) (0, 0)) ∘ transpose ∘ mapWorkgroup 0 (..) ∘ split 512 $ ps
  + mapGlobal 0 (reduceSeq (..) (0, 0)) ∘ transpose ∘ mapWorkgroup 0 (..) ∘ split 512 $ ps
  type   [6](f32, i32)                unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     8 moves here
> plan
sums_k0   512 work-items, groups of 32, 1 barrier
   ps_0 ps_1 tmp_0 tmp_1
   local memory 3584 bytes
   limited by starting kernels and groups: 3.3 us of the 4.72 us expected
   32 groups a unit at once: a unit takes no more
sums_k1   6 work-items, groups of 6
   out_0 out_1 tmp_0 tmp_1
   limited by starting kernels and groups: 3.3 us of the 3.83 us expected
   32 groups a unit at once: a unit takes no more
ps_0         8192 f32, input
ps_1         8192 i32, input
out_0        6 f32, output
out_1        6 i32, output
tmp_0        96 f32, temporary, made by sums_k0, read by sums_k1, 384 bytes
tmp_1        96 i32, temporary, made by sums_k0, read by sums_k1, 384 bytes
temporaries 768 bytes
> run
@2  oclgrind Oclgrind Simulator   N=8192   WG 32 x 16   WG 6 x 1
  build   - ms        2 kernels   local 3.5 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # what a loop's state is compared with is the same for all elements: a map of its own makes the numbers
> let centres (xs: [N]f32) (start: [K]f32) = loop 2 (\cs i -> map (\(x, m) -> x / f32 (m + 1)) (reduceByIndex (\((a, m), (c, n)) -> (a + c, m + n)) (replicate K (0.0, 0)) (zip (map (\x -> (reduce (\((i, d), (j, e)) -> if d <= e then (i, d) else (j, e)) (0, inf) (zip (iota K) (map (\c -> abs (c - x)) cs))).0) xs) (map (\x -> (x, 1)) xs)))) start
centres : [N]f32 -> [K]f32 -> [K]f32
> data N = 8192
> data K = 5
> lower
@1  lower                               builtin    from @0
  - loop 2 (λcs _ → map (..) (reduceByIndex (..) (generate K (λi → (..))) (zip (map (λx → (reduce...
  + reduceHost (λ(cs, i) → mapGlobal 0 (..) (join (mapWorkgroup 0 (mapLocal 0 (reduceSeq (..) (.....
  type   [K]f32                       unchanged
  inner  48 steps        log --expand
  focus  /  ->  /                     5 moves here
> plan
centres_k0   2048 work-items, groups of 64
   xs tmp3 cs
   limited by starting kernels and groups: 6.6 us of the 8.43 us expected
   32 groups a unit at once: a unit takes no more
centres_k1   256 x 8 work-items, groups of 32x8, 2 barriers
   xs tmp2_0 tmp2_1 tmp3
   local memory 2048 bytes
   limited by starting kernels and groups: 6.6 us of the 8.41 us expected
   5 groups a unit at once: their registers fill it
centres_k2   5 x 8 work-items, groups of 5x8, 1 barrier
   tmp_0 tmp_1 (in tmp3) tmp2_0 tmp2_1 cs_next
   joins launches that have one group each
   local memory 360 bytes
   limited by starting kernels and groups: 6.6 us of the 7.67 us expected
   26 groups a unit at once: their registers fill it
loop: centres_k0 to centres_k2, rounds: 2
   cs is start first, then cs_next of the round before; cs_next is out and cs_spare in turn
xs           8192 f32, input
start        5 f32, input
out          5 f32, output
cs_spare     5 f32, temporary, stands for cs, 20 bytes
tmp_0        5 f32, temporary, made by centres_k2, which reads it, too, 20 bytes
tmp2_0       40 f32, temporary, made by centres_k1, read by centres_k2, 160 bytes
tmp2_1       40 i32, temporary, made by centres_k1, read by centres_k2, 160 bytes
tmp3         8192 i32, temporary, made by centres_k0 centres_k2, read by centres_k1, 32768 bytes
temporaries 33128 bytes, 33148 apart
> run
@1  oclgrind Oclgrind Simulator   N=8192  K=5   WG 64 x 32   WG 32x8 x 8x1   WG 5x8 x 1x1
  build   - ms        4 kernels   local 2.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 2.5e-08, 0.15 x the source's own; sees changes of 6e-08
          every element
> # elements that a fold of the user's makes are counted by groups, too: those of all at once would wait for each other
> set target h200
> let codes (s: [N + 4]i32) = reduceByIndex (+) (replicate 1024 0) (map (\w -> (reduceSeq (\h c -> h * 4 + c) 0 w, 1)) (slide 5 1 s))
codes : [N + 4]i32 -> [1024]i32
> data N = 4194304, s = random(1, 0, 3)
> lower --explain | grep "by index\|plain"
  by index   22.6 us   0.15 of the bound
  or         201 us    plain       lower lowerAs("plain")
> # what makes the pairs of an item is computed by that item, though its pairs lie apart
> let tenths (x: [N]f32) = reduceByIndex (+) (replicate 10 0) (map (\v -> (i32 (floor (max 0 (min 9 (v * 10)))), 1)) x)
tenths : [N]f32 -> [10]i32
> data N = 10000000
> lower --explain | grep "by index\|plain"
  by index   36.6 us   0.20 of the bound
  or         3.21 ms   plain       lower lowerAs("plain")
> set target auto
> data N = 8192
> apply byIndexApartGpu{chunk=16, items=32} ; lower
@1  byIndexApartGpu{chunk=16, items=32}  at /  builtin    from @0
  - reduceByIndex (+) (generate 10 (..)) ∘ map (λv → (i32 (floor (max 0 (min 9 (v * 10)))), 1)) $ x
  + map (reduce (+) 0) ∘ transpose ∘ mapWorkgroup 0 (mapLocal 0 (reduceSeq (+) 0) ∘ take 10 ∘ tra...
  type   [10]i32                      unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     28 moves here
@2  lower                               builtin    from @1
  - map (reduce (+) 0) ∘ transpose ∘ mapWorkgroup 0 (..) ∘ split 512 $ x
  + mapGlobal 0 (reduceSeq (+) 0) ∘ transpose ∘ mapWorkgroup 0 (..) ∘ split 512 $ x
  type   [10]i32                      unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     8 moves here
> code | grep 'x\[\|kernel void'
kernel void tenths_k0(const global float *restrict x, global int *restrict tmp)
        int at = (int)floor(fmax(0.0f, fmin(9.0f, x[32*(i + 16*wg0) + l0] * 1e+01f)));
kernel void tenths_k1(global int *restrict out, const global int *restrict tmp)
> run
@2  oclgrind Oclgrind Simulator   N=8192   WG 32 x 16   WG 10 x 1
  build   - ms        2 kernels   local 2.8 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact
          every element

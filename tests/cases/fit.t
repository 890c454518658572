> # the constants of the cost model, fitted to a recording; the record that comes of it predicts better
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> set target pocl
> lua before = search.model.cpu.load_byte
> device --fit --from tests/bench/recorded/gemv-pocl.tsv -o fitted.target | head -5
fitted to 118 results of 1 program for a CPU; 29 more were left out to test it
                               before    after left: before    after
  correlation of ranks          0.691    0.947        0.836    0.969
  the same within a program     0.691    0.947        0.836    0.969
  half are wrong by at most    1.44 x   1.25 x       1.54 x   1.24 x
> lua function check(r) print(r.kind, r.after.rank >= r.before.rank, r.left_after.loss < r.left_before.loss, r.values.load_byte == before, r.results > 4 * r.left_out - 4) end
> lua check(t.device({fit = true, from = "tests/bench/recorded/gemv-pocl.tsv"}).fit)
cpu	true	true	false	true
> set target fitted.target
> =search.model.cpu.load_byte == before, search.model.cpu.units
false	2
> # from there it is fitted no further, or hardly
> lua r = t.device({fit = true, from = "tests/bench/recorded/gemv-pocl.tsv"}).fit print(r.after.rank - r.before.rank < 0.02)
true
> # a GPU's, whatever is there
> device --fit --from tests/bench/recorded/asum-h200.tsv | head -1
fitted to 349 results of 1 program for a GPU; 87 more were left out to test it
> # what is too little, and what is none
> device --fit --from tests/cases/results.tsv
E05 0 results with features: too few to fit to, 40 are needed
  hint    search rules --budget 60, of several programs, measures some; --from FILE.tsv takes a recording
> device --fit --from tests/programs/asum.fun
E05 a recording needs a column params
  try     results --format tsv -o results.tsv
> device --from tests/bench/recorded/gemv-pocl.tsv
E05 --from and -o are for --fit
  form    device [ID] [-v | --measure | --fit [--from FILE] [-o FILE]]
> device --fit
E05 0 results with features: too few to fit to, 40 are needed
  hint    search rules --budget 60, of several programs, measures some; --from FILE.tsv takes a recording
> # numbers that are given by their order: the nearest that the sizes allow
> let smooth (x: [N]f32) = map (\w -> (w[0] + 2 * w[1] + w[2]) / 4) (slide 3 1 (pad 1 1 clamp x))
smooth : [N]f32 -> [N]f32
> data N = 1000
> apply tileStencil(64)
E36 64 divides N does not hold for N=1000
  from    tileStencil(64)
  try     apply tileStencil(50) at /
> apply tileStencil(50) at / | head -1
@1  tileStencil(50)  at /               builtin    from @0
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 96, K = 80, M = 112
> apply tile(20, 32)
E36 20 divides N does not hold for N=96  K=80  M=112
  from    tile(20, 32)
  try     apply tile(16, 28) at /
> apply tile(16, 28) at / | head -1
@1  tile(16, 28)  at /                  builtin    from @0
> # of two numbers that are the same, the one that a fact is about is changed
> let cells (A: [N][M]f32) = map (map (\x -> x + 1)) A
cells : [N][M]f32 -> [N][M]f32
> data N = 77, M = 53
> apply tile(8, 8)
E36 8 divides N does not hold for N=77  M=53
  from    tile(8, 8)
  try     apply tile(7, 53) at /
> data N = 80
> apply tile(8, 8)
E36 8 divides M does not hold for N=80  M=53
  from    tile(8, 8)
  try     apply tile(8, 53) at /
> apply tile(8, 53) at /
@1  tile(8, 53)  at /                   builtin    from @0
  - map (map (λx → x + 1)) A
  + join ∘ map (transpose ∘ join ∘ map (transpose ∘ map (..) ∘ transpose) ∘ split 53 ∘ transpose)...
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     10 moves here

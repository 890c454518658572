> # what is read by columns: neighbours in memory are elements of neighbouring rows
> set target pocl
> let sums (A: [N][M]f32) = map (reduce (+) 0) (transpose A)
sums : [N][M]f32 -> [M]f32
> data N = 512, M = 512
> lower --explain | sed -n 2p | cut -c1-12
  columns   
> let padded (A: [N][M]f32) = map (reduce (+) 0) (pad 1 1 clamp (transpose A))
padded : [N][M]f32 -> [M + 2]f32
> data N = 512, M = 512
> lower --explain | sed -n 2p | cut -c1-12
  columns   
> let some (A: [N][M]f32) = map (reduce (+) 0) (take 64 (transpose A))
some : [N][M]f32 -> [64]f32
> data N = 512, M = 512
> lower --explain | sed -n 2p | cut -c1-12
  beside    
> let pairs (A: [N][M]f32) (B: [M][N]f32) = map (\(a, b) -> reduce (+) 0 (map (*) (zip a b))) (zip (transpose A) B)
pairs : [N][M]f32 -> [M][N]f32 -> [M]f32
> data N = 512, M = 512
> lower --explain | sed -n 2p | cut -c1-12
  columns   
> # turned twice they are rows
> let twice (A: [N][M]f32) = map (reduce (+) 0) (transpose (transpose A))
twice : [N][M]f32 -> [N]f32
> data N = 512, M = 512
> lower --explain | sed -n 2p | cut -c1-12
  rows      
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> let more (A: [N][M]f32) = map (map (\x -> x + 1)) (transpose (transpose A))
more : [N][M]f32 -> [N][M]f32
> data N = 512, M = 512
> lower --explain | sed -n 2p | cut -c1-12
  long map  
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> # a product of a matrix that is given transposed, and turned where it is used, is that of its rows
> load tests/programs/gemm_nt.fun
gemm_nt : [N][K]f32 -> [M][K]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> data N = 512, M = 512
> data K = 512
> lower
@1  lower                               builtin    from @0
  - map (λ(..) → map (λ(..) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λcol → re...
  + let t = toGlobal ∘ mapGlobal 1 (mapGlobal 0 id) ∘ transpose $ Bt in join (mapWorkgroup 1 (λ(y...
  type   [N][M]f32                    unchanged
  inner  100 steps        log --expand
  focus  /  ->  /                     12 moves here
> code | grep 'kernel void' | cut -c1-40
kernel void gemm_nt_k0(const global floa
kernel void gemm_nt_k1(const global floa
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact

> # kernels of one group that follow each other are one: the last sums, what is made of them and what is changed by it need one launch a round
> set target h200
> let less (d, i) (e, j) = if d < e || d == e && i < j then (d, i) else (e, j)
less : helper, typed where it is used
> let nearest (x: [N]f32) = (loop 3 (\(d, ids) k -> let (v, i) = reduce less (inf, 0) (zip d (iota N)) in (d with [i] = inf, ids with [k] = i)) (map abs x, [0, 0, 0])).1
nearest : [N]f32 -> [3]i32
> data N = 5003
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep -e '^loop' -e joins
   joins launches that have one group each
loop: nearest_k3, rounds: 3
> code | grep -e '^kernel' -e barrier -e d_0.at
kernel void nearest_k0(const global float *restrict x,
kernel void nearest_k1(global float *restrict tmp,
kernel void nearest_k2(global int *restrict out)
kernel void nearest_k3(global int *restrict out, global float *tmp,
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
> device oclgrind | grep -o Oclgrind
Oclgrind
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # of different shapes, and of dimensions that have no room beside each other
> let parts (A: [N][M]f32) = let s = map sum A in let m = maximum s in (map (\v -> exp (v - m)) s, map (\r -> map (subtract m) r) A)
parts : [N][M]f32 -> ([N]f32, [N][M]f32)
> data N = 7
> data M = 31
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep -e items -e joins
parts_k0   7 work-items, groups of 7, 2 barriers
   joins launches that have one group each
parts_k1   224 work-items, groups of 32
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> data N = 100
> data M = 9
> goto @0
@0  source
    let s = map (reduce (+) 0) A in let m = reduce max (-inf) s in (map (λv → exp (v - m)) s, map...
> lower | head -1
@2  lower                               builtin    from @0
> plan | grep -e items -e joins
parts_k0   128 work-items, groups of 32
parts_k1   96 work-items, groups of 96, 3 barriers
   joins launches that have one group each
parts_k2   928 work-items, groups of 32
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # on a CPU one work-item does all that
> device pocl | grep -o pocl0
pocl0
> set target auto
> goto @0
@0  source
    let s = map (reduce (+) 0) A in let m = reduce max (-inf) s in (map (λv → exp (v - m)) s, map...
> lower | head -1
@3  lower                               builtin    from @0
> plan | grep -e items -e joins
parts_k0   100 work-items, groups of 50
parts_k1   50 work-items, groups of 50
parts_k3   100 work-items, groups of 50
parts_k4   900 work-items, groups of 60
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 61 x 1

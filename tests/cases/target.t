> # kernels are made for a record of a device, whatever is there
> set target h200
> device -v | head -4
# h200
kind = gpu
units = 132                # OpenCL compute units: multiprocessors, cores
clock = 1.755              # OpenCL cycles a ns, in GHz
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 1024; data K = 1024; data M = 1024
> lower --explain | sed -n 3p
             gemmGpu{kb=16, mb=64, mr=8, nb=64, nr=4, u=16, w=4}
> lower; plan | grep local
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (map...
  type   [N][M]f32                    unchanged
  inner  59 steps        log --expand
  focus  /  ->  /                     11 moves here
   local memory 16384 bytes
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> set target tests/targets/small.target
> lower --explain | sed -n 3p
             gemmGpu{kb=16, mb=32, mr=4, nb=32, nr=4, u=16, w=4}
> lower; plan | grep local
@2  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (map...
  type   [N][M]f32                    unchanged
  inner  59 steps        log --expand
  focus  /  ->  /                     11 moves here
   local memory 8192 bytes
   3 groups a unit at once: their local memory fills it
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> set target tests/targets/wide.target
> lower --explain | sed -n 3p
             gemmGpu{kb=16, mb=64, mr=4, nb=64, nr=4, u=16, w=4}
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> set target tests/targets/cores.target
> lower --explain | sed -n 3p
             kb=1024, mb=256, mr=4, nb=16, nr=16, w=4
> set target pocl
> lower --explain | sed -n 3p
             gemmCpu{kb=1024, mb=256, mr=4, nb=128, nr=64, w=16}
> load tests/programs/rowsum.fun
rowsum : [N][M]f32 -> [N]f32
> data N = 8192; data M = 8192
> set target h200
> lower --explain | sed -n 3p
             rowsInGroups{each=32, items=M/32, rounds=1}
> set target tests/targets/small.target
> lower --explain | sed -n 3p
             rowsInGroups{each=128, items=64, rounds=1}
> set target tests/targets/cores.target
> lower --explain | sed -n 3p
             rowsInVectors{rows=64, u=4, w=4}
> # a shape that needs more local memory than there is is none
> load tests/programs/volume.fun
volume : [R][N]f32 -> [R][N](f32, f32, f32) -> [R](f32, f32, f32)
  inlined  t, w: used once (letDuplicate)
> data R = 3; data N = 524288
> set target pocl
> lower --explain | grep -A1 near
> # numbers are those of the target; in Lua they can be changed, for what-if without a file
> =search.model.cpu.units, search.model.gpu.units
2	132
> lua search.model.cpu.units = 3
> =search.model.cpu.units
3
> set target tests/targets/cores.target
> =search.model.cpu.units, search.model.cpu.lanes, search.model.cpu.line
64	4	64
> # what is wrong with a file
> set target nowhere.target
E06 cannot read nowhere.target: No such file or directory
  try     set target h200        or pocl, or a file that device -v > FILE made
> !echo "units = 3" > wrong.target
> set target wrong.target
E05 wrong.target does not say what kind of device it is
  needs   like = h200        as the first line: all that it does not say
  try     set target h200        or pocl, or a file that device -v > FILE made
> !echo "like = h100" > wrong.target
> set target wrong.target
E05 wrong.target:1: no record is called h100
  needs   h200 or pocl
  try     set target h200        or pocl, or a file that device -v > FILE made
> !printf "like = h200\nunitz = 3\n" > wrong.target
> set target wrong.target
E05 wrong.target:2: a record of a device has no unitz; did you mean units?
  try     device -v        what it has
  try     set target h200        or pocl, or a file that device -v > FILE made
> !printf "like = h200\nunits = many\n" > wrong.target
> set target wrong.target
E05 wrong.target:2: units is a number that is not negative, not "many"
  try     set target h200        or pocl, or a file that device -v > FILE made
> !printf "like = h200\nunits 3\n" > wrong.target
> set target wrong.target
E03 wrong.target:2: "units 3" is no line NAME = NUMBER
  try     set target h200        or pocl, or a file that device -v > FILE made
> set target | head -1
  target          auto                  device that kernels are chosen and made for, whatever runs them: h200, pocl, or a file of its numbers; auto: the one that runs them
> # a record that is kept and read again says the same
> set target h200
> device -v > mine.target
> set target mine.target
> device | tail -1
  kernels are made for mine: set target
> =search.model.gpu.near_bytes
50331648
> set target auto
> # measured, and kept with the results
> device cpu | head -0
> device --measure | cut -c1-9
  far    
  launch 
  lane   
kept in /
> device -v | sed 's/[0-9.]* *#.*//' | sed -n 2,4p
kind = cpu
units = 
clock = 

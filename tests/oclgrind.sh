#!/bin/sh
# oclgrind: every program of tests/programs, lowered by default, under the checking device at small sizes: right, and without a race or an
# access out of bounds; then what the ICFP'15 paper's figure 3 and the small macro versions give. Usage: oclgrind.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
options='-q --no-init --set trials=1 --set warmup=0 --set seeds=1 --set run_timeout=60'
"$lathe" $options -e 'device oclgrind' >/dev/null 2>&1 || exit 77        # not installed

. tests/sections.sh

# clean NAME LINE...: the lines end with a verified run and no finding
clean() {
    name=$1
    shift
    section "$name" 1 . "$@" run
}

# versions SCRIPT LINE...: after the lines, every version that the script makes is lowered as it stands and runs clean
versions() {
    script=scripts/derivations/$1.lathe
    list="0 $("$lathe" --no-init -e "source $script" | sed -n 's/^@\([0-9]*\) .*/\1/p')"
    shift
    section "$script" "$(echo $list | wc -w)" . "source $script" "$@" 'set repeats 1' "$(for v in $list; do printf 'goto @%s\nlower\nrun\n' "$v"; done)"
}

grep -v '^#' tests/programs/sizes >"$scratch/sizes"
for file in tests/programs/*.fun; do
    name=$(basename "$file" .fun)
    case $name in
    mm_amd | mm_mali | mm_nvidia | mm_kepler) continue ;;         # lowered already, with sizes of their own
    esac
    grep -q "^$name " "$scratch/sizes" || { echo "oclgrind: tests/programs/sizes has no sizes for $name"; bad=1; }
done

{
while read -r program cases; do
    for sizes in $cases; do
        data=$(echo "data $sizes" | sed 's/,/, /g')
        clean "$program, $sizes" "load tests/programs/$program.fun" "$data" lower
    done
done <"$scratch/sizes"
for name in nested picked own least sides divided twice windows uniform wide risky count bits steps both alls either numbers; do
    clean "lanes: $name" 'load tests/unit/lane_loops.fun' "use $name" 'data N = 32' 'data M = 8' 'apply mapVectorise(4)' lower
done
clean 'lanes: a value from outside, first needed where lanes choose' \
    'let kept (xs: [N]i32) (ys: [M]i32) = mapGlobal 0 (\p -> let t = at 2 ys / 3 in asScalar (mapSeq (mapVec (\x -> (if x == 0 then t else 100 / x) + t + t)) (asVector 4 p))) (split 8 xs)' \
    'data N = 64' 'data M = 8'
clean 'lanes: an array from outside, a fold in which lanes choose' \
    'let kept (xs: [N]i32) (ys: [M]i32) = mapGlobal 0 (\p -> let t = toPrivate (mapSeq (\y -> y + 1) ys) in asScalar (mapSeq (mapVec (\x -> reduceSeq (\(a, y) -> if x == 0 then a else a + y / x) 0 t)) (asVector 4 p))) (split 8 xs)' \
    'data N = 64' 'data M = 8'
clean 'lanes: columns' 'load tests/unit/lane_loops.fun' 'use columns' 'data N = 32' 'data M = 8' 'apply vectoriseColumns(4)' lower
clean 'lanes: dividing by zero' 'load tests/unit/lane_loops.fun' 'use risky' 'data N = 32' 'data M = 8' 'data xs = const(0)' 'apply mapVectorise(4)' lower
clean 'by antidiagonals' 'load tests/programs/addt.fun' 'apply tilesInItems{u=4, v=4, m=2, mirrored=true}' 'data N = 20'
clean 'by antidiagonals, as a batch' 'let t (A: [B][N][N]f32) = map (\m -> map (\(r, c) -> map (-) (zip r c)) (zip m (transpose m))) A' 'apply mapWorkgroup(2)' 'apply tilesInItems{u=4, v=4, m=2, mirrored=true} at /f/body' 'data N = 12' 'data B = 3'
clean 'padded tiles' 'load tests/programs/addt.fun' 'apply padMatrices(4, 4)' 'apply tilesInItems{u=4, v=4, m=2, mirrored=true} at /in/in' 'data N = 10'
clean 'padded tiles of a transpose' 'let t (A: [N][M]f32) = map (map (\x -> 2 * x)) (transpose A)' 'apply padMatrix(4, 8)' 'apply tilesInItems{u=4, v=8, m=2} at /in/in' 'data N = 9' 'data M = 7'
clean 'a padded batch' 'load tests/programs/batched.fun' 'apply padBatch(4, 8, 4)' 'apply mapWorkgroup(2) at /in/in' 'apply gemmGpu{mb=4, nb=8, kb=4, mr=2, nr=4, u=4} at /in/in/f/body' lower 'data S = 3' 'data N = 5' 'data K = 7' 'data M = 9'
clean 'a padded batch that shares a matrix' 'let t (As: [S][N][K]f32) (W: [M][K]f32) = map (\A -> map (\w -> map (\a -> reduce (+) 0 (map (*) (zip w a))) A) W) As' 'apply padBatch(4, 8, 4)' lower 'data S = 3' 'data N = 5' 'data K = 7' 'data M = 9'
clean 'a loop in a group' 'set target h200' 'let settle (x: [N]f32) = loop 3 (\y i -> let n = sqrt (reduce (+) 0 (map (\v -> v * v) y)) in map (\w -> (w[1] + 0.25 * (w[0] - 2 * w[1] + w[2])) / n + 1) (slide 3 1 (pad 1 1 clamp y))) x' 'data N = 300' lower
clean 'a loop in a group, rows scanned by all' 'set target h200' 'let align (penalty: i32) (top: [M+1]i32) (left: [N]i32) (ref: [N][M]i32) = scanSeq (\(above, (first, r)) -> let from = zipWith3 (\(diag, up, x) -> max (diag + x) (up - penalty)) (take M above) (drop 1 above) r in zipWith (\(best, j) -> best - j * penalty) (scan max (-1000000000) (zipWith (\(v, j) -> v + j * penalty) (concat [first] from) (iota (M + 1)))) (iota (M + 1))) top (zip left ref)' 'data N = 4, M = 600' lower
clean 'a loop in a group, its state in global memory, behind a guard' 'set target h200' 'let lu (A: [N][N]f64) = loop N (\a s -> map (\(r, i) -> let f = r[s] / a[s][s] in map (\(x, y, j) -> if i > s && j > s then x - f * y else if i > s && j == s then f else x) (zip r a[s] (iota N))) (zip a (iota N))) A' 'data N = 61' 'apply loopInGroup at /' 'data N = 23'
clean 'groups for a map of loops' 'set target h200' 'let squares (A: [N][12][12]f32) = map (\a -> loop 11 (\x s -> generate 12 (\i -> generate 12 (\j -> let f = x[i][s] / x[s][s] in if i > s && j > s then x[i][j] - f * x[s][j] else if i > s && j == s then f else x[i][j]))) (map (map (\v -> v + 2)) a)) A' 'data N = 3' lower
clean 'figure 3' 'load tests/unit/ten.fun' 'use vectorScal' 'data N = 2048'
clean 'gemmGpu' 'load tests/programs/mm.fun' 'apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, u=4}' 'data N = 32' 'data M = 32' 'data K = 16'
clean 'gemmGpu, one stage' 'load tests/programs/mm.fun' 'apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, u=4, stages=1}' 'data N = 32' 'data M = 32' 'data K = 32'
clean 'gemmGpu, tiles as they lie' 'load tests/programs/mm.fun' 'apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, turn=0}' 'data N = 32' 'data M = 32' 'data K = 32'
clean 'gemmUnits' 'load tests/programs/mm_f16.fun' 'apply gemmUnits{mb=32, nb=16, kb=16, mw=16, nw=16}' 'data N = 32' 'data M = 32' 'data K = 48'
clean 'gemmUnits of TF32' 'load tests/programs/mm.fun' 'apply gemmUnits{mb=32, nb=16, kb=16, mw=16, nw=16, w=4, tf32=1}' 'data N = 32' 'data M = 32' 'data K = 48'
clean 'gemmUnits of three products of TF32' 'set target h200' 'load tests/programs/mm.fun' 'apply gemmUnits{mb=16, nb=16, kb=16, mw=16, nw=16, w=4, tf32=3}' 'data N = 16' 'data M = 32' 'data K = 32'
clean 'gemmUnits of bf16' 'load tests/programs/mm_bf16.fun' 'apply gemmUnits{mb=32, nb=16, kb=16, mw=16, nw=16}' 'data N = 32' 'data M = 32' 'data K = 48'
clean 'gemmUnits, as a GPU has it' 'set target h200' 'load tests/programs/mm_f16.fun' 'apply gemmUnits{mb=16, nb=16, kb=16, mw=16, nw=16, stages=4, pad=8}' 'data N = 32' 'data M = 32' 'data K = 80'
clean 'rows in warps, as a GPU has them' 'set target h200' 'load tests/programs/softmax.fun' 'apply rowsInWarps' 'data N = 8' 'data M = 64'
clean 'a scan in a warp' 'set target h200' 'let scans (X: [N][32]i32) = map (scan (+) 0) X' \
    'apply splitJoin(2) * slot("in", mapWorkgroup(0) * slot("f", mapWarp * slot("f", scanInWarp)))' 'data N = 4'
clean 'rows in warps, two after another' 'load tests/programs/softmax.fun' 'apply rowsInWarps' 'data N = 8' 'data M = 64' 'set local 32x2'
clean 'gemvGpu, rows' 'load tests/programs/gemv_parts.fun' 'apply gemvGpu{rows=2, l=16, w=4}' 'data N = 4' 'data M = 128'
clean 'gemvCpuRows' 'load tests/programs/gemv_parts.fun' 'apply gemvCpuRows{rows=8, r=4, w=4, u=2}' 'data N = 16' 'data M = 32'
clean 'reduceCpuRows' 'load tests/programs/asum.fun' 'apply reduceCpuRows{n=32, r=4, w=4, u=2}' 'data N = 256'
clean 'streaming stores' 'load tests/programs/scal.fun' 'apply mapCpu{chunk=64, w=4, r=2, stream=true}' 'data N = 256'
clean 'gemmGpu, padded' 'load tests/programs/mm.fun' 'apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, u=4, pad=1}' 'data N = 32' 'data M = 32' 'data K = 32'
for order in 1 2 3 4 5; do
    clean "gemmGpu, order $order" 'load tests/programs/gemm_nt.fun' "apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, u=4, order=$order}" 'data N = 32' 'data M = 32' 'data K = 32'
    clean "gemmItems, order $order" 'load tests/programs/gemm_tn.fun' "apply gemmItems{mr=2, nr=4, w=4, u=4, order=$order, gh=2, gw=4, image=2}" 'data N = 32' 'data M = 32' 'data K = 32'
done
clean 'gemmGpu, strided' 'load tests/programs/mm.fun' 'apply gemmGpu{mb=16, nb=32, kb=8, mr=4, nr=8, u=4}' 'data N = 32' 'data M = 32' 'data K = 16'
clean 'gemmCpu' 'load tests/programs/mm.fun' 'apply gemmCpu{mb=16, nb=16, kb=8, mr=4, w=4}' 'data N = 32' 'data M = 32' 'data K = 16'
clean 'gemmGpu, alpha and beta' 'load tests/programs/gemm_nt.fun' 'apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, u=4}' 'data N = 32' 'data M = 32' 'data K = 16'
clean 'gemmCpu, alpha and beta' 'load tests/programs/gemm_tn.fun' 'apply gemmCpu{mb=16, nb=16, kb=8, mr=4, w=4}' 'data N = 32' 'data M = 32' 'data K = 16'
clean 'stencilGroups2' 'load tests/programs/blur.fun' 'apply stencilGroups2{u=4, v=8}' 'data N = 8' 'data M = 16'
clean 'stencilGroups2, smaller groups' 'load tests/programs/blur.fun' 'apply stencilGroups2{u=4, v=8}' 'data N = 8' 'data M = 16' 'set local 8x2'
clean 'stencilGroups' 'load tests/programs/smooth.fun' 'apply stencilGroups(32)' 'data N = 64'
clean 'stencilCpu, rows' 'load tests/programs/blur.fun' 'apply stencilCpu{n=2}' 'data N = 8' 'data M = 11'
clean 'stencilCpu' 'load tests/programs/smooth.fun' 'apply stencilCpu{n=16}' 'data N = 64' lower
clean 'stencilCpu, what is left' 'load tests/programs/smooth.fun' \
    'apply mapPeelLast(3) * slot("0", stencilCpu{n=16}) * slot("1", mapGlobal(0))' 'data N = 67' lower
clean 'by shape' 'load tests/programs/smooth.fun' 'data N = 4099' lower
clean 'reduceGpu' 'load tests/programs/asum.fun' 'apply reduceGpu{chunk=512, l=32, w=4, again=false}' 'data N = 2048'
versions register-blocking 'data N = 8' 'data K = 4' 'data M = 4'
versions tiling 'data N = 8' 'data K = 8' 'data M = 16'
versions combined 'data N = 8' 'data K = 8' 'data M = 16'
# more barriers than needed, none where some work-items do not come
sync='set sync paranoid'
clean 'paranoid: gemmGpu' 'load tests/programs/mm.fun' 'apply gemmGpu{mb=16, nb=16, kb=8, mr=2, nr=4, u=4}' 'data N = 32' 'data M = 32' 'data K = 16' "$sync"
clean 'paranoid: stencilGroups2' 'load tests/programs/blur.fun' 'apply stencilGroups2{u=4, v=8}' 'data N = 8' 'data M = 16' 'set local 8x2' "$sync"
clean 'paranoid: reduceGpu' 'load tests/programs/asum.fun' 'apply reduceGpu{chunk=512, l=32, w=4, again=false}' 'data N = 2048' "$sync"
clean 'paranoid: rows in warps' 'set target h200' 'load tests/programs/softmax.fun' 'apply rowsInWarps' 'data N = 8' 'data M = 64' "$sync"
clean 'paranoid: gemv' 'load tests/programs/gemv_parts.fun' 'apply gemvGpu{rows=2, l=16, w=4}' 'data N = 4' 'data M = 128' "$sync"
} | type_sections -e 'device oclgrind'
check_sections
exit $bad

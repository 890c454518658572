#!/bin/sh
# cuda: programs of `export cuda` compile as C++ and, run on this processor (tests/cuda), make what the interpreter says. Usage: cuda.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
export OCL_ICD_VENDORS=/nonexistent
command -v g++ >/dev/null || skip "no C++ compiler"

"$lathe" --no-init -q tests/cuda/sessions.lua "$scratch" >"$scratch/log" 2>&1 || fail "$(tail -4 "$scratch/log")"
while read -r name session; do
    "$lathe" --no-init -q -e "$session" -e "export cuda $scratch/$name.cu" >"$scratch/log" 2>&1 || fail "$name: $(tail -4 "$scratch/log")"
done <<'E1'
dot source scripts/derivations/dot-gpu.lathe ; data N = 16777216
gemm load tests/programs/mm.fun ; data N = 128 ; data K = 128 ; data M = 128 ; apply gemmGpu
blocks source scripts/derivations/mm-gpu.lathe ; data N = 128 ; data K = 128 ; data M = 128
heat load tests/programs/heat.fun ; data N = 8 ; data M = 16 ; lower
fft load tests/programs/fft.fun ; data N = 16 ; lower
jacobi load tests/programs/jacobi2d.fun ; data N = 64 ; data M = 96 ; apply stencilGroups2{u=8, v=32}
kmeans load tests/programs/kmeans.fun ; data P = 4096 ; data C = 16 ; data F = 16 ; apply lowerPlain
ragged load tests/programs/raggedsoftmax.fun ; data M = 40, N = 999, o = offsets(1,999) ; apply slicesInItems{items=4, side=8} ; lower
spmv load tests/programs/spmv.fun ; data M = 40, N = 999, K = 50, o = offsets(1,999), cols = random(1,0,49) ; apply slicesInItems{items=4, side=8} ; lower
warps load tests/programs/softmax.fun ; data N = 8 ; data M = 64 ; set target h200 ; apply rowsInWarps
nbody load tests/programs/nbody.fun ; data N = 256 ; data eps = const(0.01) ; data dt = const(0.001) ; apply lowerPlain
E1

# Launches are all of CUDA's syntax that is not C++'s.
for f in "$scratch"/*.cu; do
    sed -E 's/extern __shared__ [^;]*;//; s/([A-Za-z_0-9]+)<<<(.*), ([0-9]+)>>>\((.*)\);/launch(\2, \3, [=] { \1(\4); });/' "$f" >"${f%.cu}.cpp"
done
# What was compiled before is not compiled again, from any copy of the tree: all paths are relative. Without ccache what all programs
# include, most of their text, is compiled once.
cp -r tests/cuda "$scratch/include"
cd "$scratch"
printf '#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n' >cuda.h
compiler="g++ -std=c++17 -O0 -w -Iinclude -DTRIALS=1 -fsanitize=undefined -fno-sanitize-recover=undefined"
if command -v ccache >/dev/null; then compiler="ccache $compiler"; else $compiler -x c++-header cuda.h -o cuda.h.gch; fi

# in_one NAME...: the text of one program that is all of these, each in a namespace, and does the one that its first argument names
in_one() {
    for name; do
        printf '#undef EXPECTED\n#define EXPECTED "%s.expected"\nnamespace %s {\n' "$name" "$name"
        sed -n 's/^LATHE_CALL_[0-9](\([a-z]*\))$/using ::\1;/p' "$scratch/$name.cpp" | sort -u          # beside that of vectors
        echo "#line 1 \"$name.cpp\""
        sed 's/^extern "C" //' "$scratch/$name.cpp"
        echo '}'
    done
    echo 'int main(int argc, char **argv) {'
    for name; do echo "if (!strcmp(argv[1], \"$name\")) return $name::main(argc - 1, argv + 1);"; done
    echo 'return 2; }'
}

# A compiler and a linker for each would take most of the time. Those above, and a width of each type of lanes, are programs of their own,
# in which nothing hides the names of the libraries; the rest is in eight.
names=$(basename -s .cu ./*.cu)
own=$(echo "$names" | grep -v '_constant$\|_argument$' && echo "$names" | grep '^lanes_.*_4_')
rest=$(echo "$names" | grep -vxF "$own")
[ "$(echo "$own" | wc -l)" -ge 20 ] && [ "$(echo "$rest" | wc -l)" -ge 150 ] || fail "$(echo "$names" | wc -l) programs"
for part in 0 1 2 3 4 5 6 7; do
    echo "$rest" | awk -v part=$part 'NR % 8 == part' >part_$part.names
    # shellcheck disable=SC2046
    in_one $(cat part_$part.names) >part_$part.cpp
done
{ seq -f part_%g 0 7; echo "$own"; } | xargs -P 2 -I '{}' sh -c '
    # right NAME COMMAND...
    right() { name=$1; shift; "$@" >"$name.log" 2>&1 && grep -q "elements compared, 0 wrong" "$name.log" || touch "$name.failed"; }
    $2 -include cuda.h $([ -e "$1.names" ] || echo "-DEXPECTED=\"$1.expected\"") -c "$1.cpp" -o "$1.o" >"$1.log" 2>&1 &&
        $2 "$1.o" -o "$1.run" >>"$1.log" 2>&1 || { touch "$1.failed"; exit 0; }
    if [ -e "$1.names" ]; then for each in $(cat "$1.names"); do right "$each" "./$1.run" "$each"; done
    else right "$1" "./$1.run"; fi' sh '{}' "$compiler"
for f in *.failed; do
    [ ! -e "$f" ] || fail "${f%.failed}: $(tail -3 "${f%.failed}.log")"
done

# a wrong result is found, and so are results of another program
sed 's/= 0\.2f$/= 0.3f/' heat.cpp >wrong.cpp
$compiler -include cuda.h -DEXPECTED='"heat.expected"' -c wrong.cpp -o wrong.o && $compiler wrong.o -o wrong
if ./wrong >out 2>&1 || ! grep -q 'elements compared, [1-9][0-9]* wrong' out; then fail "a wrong result passes"; fi
cp dot.expected jacobi.expected
if ./jacobi.run >out 2>&1 || ! grep -q 'does not belong' out; then fail "results of another program pass"; fi
exit $bad

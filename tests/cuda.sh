#!/bin/sh
# cuda: programs of `export cuda` compile as C++ and, run on this processor (tests/cuda), make what the interpreter says. Usage: cuda.sh LATHE
set -eu
lathe=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config" OCL_ICD_VENDORS=/nonexistent
command -v g++ >/dev/null || { echo "cuda: no C++ compiler"; exit 77; }
bad=0

fail() {
    echo "cuda: $1"
    bad=1
}

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
nbody load tests/programs/nbody.fun ; data N = 256 ; data eps = const(0.01) ; data dt = const(0.001) ; apply lowerPlain
E1

# Launches are all of CUDA's syntax that is not C++'s.
for f in "$scratch"/*.cu; do
    sed -E 's/extern __shared__ [^;]*;//; s/([A-Za-z_0-9]+)<<<(.*), ([0-9]+)>>>\((.*)\);/launch(\2, \3, [=] { \1(\4); });/' "$f" >"${f%.cu}.cpp"
done
# What all of them include is compiled once: most of a program's text.
printf '#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n' >"$scratch/cuda.h"
undefined='-fsanitize=undefined -fno-sanitize-recover=undefined'
# shellcheck disable=SC2086
g++ -std=c++17 -O0 -Itests/cuda $undefined -x c++-header "$scratch/cuda.h" -o "$scratch/cuda.h.gch"
# shellcheck disable=SC2016
find "$scratch" -name '*.cpp' | xargs -P 2 -I '{}' sh -c '
    g++ -std=c++17 -O0 -Itests/cuda -include "$(dirname "$1")/cuda.h" -DTRIALS=1 -DEXPECTED="\"$(basename "$1" .cpp).expected\"" $2 \
        "$1" -o "$1.run" >"$1.log" 2>&1 && cd "$(dirname "$1")" && "$1.run" >>"$1.log" 2>&1 &&
        grep -q "elements compared, 0 wrong" "$1.log" || touch "$1.failed"' sh '{}' "$undefined"
for f in "$scratch"/*.failed; do
    [ ! -e "$f" ] || fail "$(basename "$f" .cpp.failed): $(tail -3 "${f%.failed}.log")"
done

# a wrong result is found, and so are results of another program
sed 's/acc += tile\[0\];/acc += 1e6f;/' "$scratch/dot.cpp" >"$scratch/wrong.cpp"
g++ -std=c++17 -O0 -Itests/cuda -DTRIALS=1 "$scratch/wrong.cpp" -o "$scratch/wrong"
if (cd "$scratch" && ./wrong >out 2>&1) || ! grep -q '1 of 1 elements compared, 1 wrong' "$scratch/out"; then fail "a wrong result passes"; fi
cp "$scratch/dot.expected" "$scratch/jacobi.expected"
if (cd "$scratch" && ./jacobi.cpp.run >out 2>&1) || ! grep -q 'does not belong' "$scratch/out"; then fail "results of another program pass"; fi
exit $bad

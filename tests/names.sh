#!/bin/sh
# names: programs whose inputs, sizes, values and so on are called as something of C, OpenCL, CUDA or the generator is (names.lua) run, and so do
# their host programs, in C and in CUDA C on this processor (tests/cuda). Usage: names.sh LATHE [all]
set -eu
. "$(dirname "$0")/alone.sh"
command -v cc >/dev/null && command -v g++ >/dev/null || skip "no C compiler"

"$lathe" --no-init -q tests/names.lua "$scratch" "${2:-}" >"$scratch/log" 2>&1 || fail "$(tail -4 "$scratch/log")"
cp -r tests/cuda "$scratch/include"
for f in "$scratch"/*.lathe; do
    name=$(basename "$f" .lathe)
    "$lathe" --no-init --set trials=1 --set warmup=0 -f "$f" -e run -e "code --host -o $scratch/$name.c" -e "export cuda $scratch/$name.cu" -e "export cl $scratch/$name.cl" \
        >"$scratch/log" 2>&1 && grep -q '^  verify  OK' "$scratch/log" || fail "$name: $(grep -m1 '^E' "$scratch/log") in $(grep -h ^let "${f%.lathe}.fun")"
    sed -E 's/extern __shared__ [^;]*;//; s/([A-Za-z_0-9]+)<<<(.*), ([0-9]+)>>>\((.*)\);/launch(\2, \3, [=] { \1(\4); });/' "$scratch/$name.cu" >"$scratch/$name.cpp"
done
cd "$scratch"
for f in names*.c looped*.c names*.cpp looped*.cpp; do echo "$f"; done | xargs -P 2 -I '{}' sh -c '
    case $1 in
    *.c) compiler="cc -Wall -Wextra -Werror -O0" libraries="-lOpenCL -lm" ;;
    *) compiler="g++ -std=c++17 -O0 -w -Iinclude -include cuda_runtime.h -include cuda_fp16.h -DTRIALS=1" libraries= ;;
    esac
    if command -v ccache >/dev/null; then compiler="ccache $compiler"; fi
    $compiler -c "$1" -o "$1.o" >"$1.log" 2>&1 && ${compiler#ccache } "$1.o" $libraries -o "$1.run" >>"$1.log" 2>&1 && "./$1.run" >>"$1.log" 2>&1 &&
        grep -q "compared, 0 wrong" "$1.log" || touch "$1.failed"' sh '{}'
for f in *.failed; do
    [ ! -e "$f" ] || fail "${f%.failed}: $(tail -3 "${f%.failed}.log")"
done
exit $bad

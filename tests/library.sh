#!/bin/sh
# library: what `export library` writes compiles without a warning, verifies, and is called by programs of ten lines. Usage: library.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
command -v cc >/dev/null || skip "no C compiler"
strict="-std=c11 -Wall -Wextra -Wpedantic -Wno-psabi -Werror -O1"         # psabi: of vectors, on processors that have none of their width
here=$(cd "$(dirname "$0")" && pwd)
root=$PWD
checked="-g -fsanitize=address,undefined -fno-sanitize-recover=all"
export ASAN_OPTIONS=detect_leaks=0         # those of OpenCL's drivers

# made NAME SESSION VERSIONS: a library for each target; a program beside it that checks and times it says that nothing is wrong
made() {
    cd "$root"
    "$lathe" --no-init -q -e "set trials 2" -e "$2" -e "export library $scratch/$1-cl $3" -e "export library $scratch/$1-c $3 --target c" \
        -e "export library $scratch/$1-cu $3 --target cuda" >"$scratch/log" 2>&1 || { fail "$1: $(tail -4 "$scratch/log")"; return; }
    cd "$scratch/$1-cl"
    # shellcheck disable=SC2086
    cc $strict -c "$1.c" && cc $strict "$1.o" "$1_test.c" -lOpenCL -lm -o test || fail "$1 for OpenCL has warnings"
    ! nm "$1.o" | grep -v " [TtUrR] \| d source_" || fail "$1 for OpenCL has globals"
    ! nm -g --defined-only "$1.o" | grep -v " T $1_" || fail "$1 for OpenCL has names of its own"
    ./test >out || fail "$1 for OpenCL: $(cat out)"
    grep -q ' compared, 0 wrong$' out || fail "$1 for OpenCL compares nothing: $(cat out)"
    cd "$scratch/$1-c"
    # shellcheck disable=SC2086
    cc $strict -fopenmp "$1.c" "$1_test.c" -lm -o test && cc $strict $checked "$1.c" "$1_test.c" -lm -o test-checked || fail "$1 for C has warnings"
    for run in ./test ./test-checked; do
        ASAN_OPTIONS= $run >out 2>&1 || fail "$1 for C: $(cat out)"
        grep -q ' compared, 0 wrong$' out || fail "$1 for C compares nothing: $(cat out)"
    done
    command -v g++ >/dev/null || return 0
    cd "$scratch/$1-cu"              # launches are all of CUDA's syntax that is not C++'s (cuda.sh)
    sed -E 's/([A-Za-z_0-9]+)<<<(.*), ([0-9]+), c->stream>>>\((.*)\);/launch(\2, \3, [=] { \1(\4); });/' "$1.cu" >"$1.cpp"
    g++ -std=c++17 -O1 -w -fpermissive -I"$here/cuda" -fsanitize=undefined -fno-sanitize-recover=all "$1.cpp" -x c++ "$1_test.c" -o test >log 2>&1 || { fail "$1 for CUDA: $(head -5 log)"; return; }
    ./test >out || fail "$1 for CUDA: $(cat out)"
    grep -q ' compared, 0 wrong$' out || fail "$1 for CUDA compares nothing: $(cat out)"
}

# says NAME TARGET LINES: the program main.c, built with the library of that name and target, prints these
says() {
    case $2 in cl) libraries=-lOpenCL ;; *) libraries=-fopenmp ;; esac
    cd "$scratch/$1-$2"
    # shellcheck disable=SC2086
    cc $strict $checked -I. "$scratch/main.c" "$1.c" $libraries -lm -o main || { fail "the program for $1-$2 has warnings"; return; }
    [ "$(./main 2>&1)" = "$3" ] || fail "$1-$2 prints $(./main 2>&1)"
}

# A product: of 16 x 16 x 16 by one version, of whatever sizes by another.
made mm 'load tests/programs/mm.fun; data N = 17, K = 19, M = 23; set sizes argument; lower' '@1 --sizes N=16,32,K=16,M=16'
for target in cl c; do
    open=$([ $target = c ] || echo ', NULL, NULL')
    cat >"$scratch/main.c" <<E1
#include "mm.h"
#include <stdio.h>

int main(void)
{
    static float A[32 * 16], B[16 * 16], C[32 * 16];
    mm_context *mm;
    if (mm_context_new(&mm$open)) return puts(mm_error(mm)), 1;
    for (int i = 0; i < 16 * 16; i++) A[i] = (float)(i % 5), B[i] = (float)(i % 3);
    if (mm_run_host(mm, 2, 3, 4, A, B, C)) return puts(mm_error(mm)), 1;
    for (int i = 0; i < 8; i++) printf("%g ", (double)C[i]);
    printf("%d %d %d", mm_version(mm, 2, 3, 4), mm_version(mm, 16, 16, 16), mm_version(mm, 32, 16, 16));
    size_t bytes = 1;
    if (mm_workspace(mm, 2, 3, 4, &bytes) == MM_OK) printf(" %zu", bytes);
    if (mm_run_host(mm, 0, 3, 4, A, B, C) == MM_BAD_ARGUMENT) printf(" %s", mm_error(mm));
    if (mm_run_host(mm, 2, 3, 4, A, NULL, C) == MM_BAD_ARGUMENT) printf(", %s\n", mm_error(mm));
    mm_context_free(mm);
}
E1
    says mm $target '5 2 2 5 4 11 6 4 3 1 2 0 N is 0: sizes are 1 or more, B is NULL'
done
# buffers that are too small, an event; what goes wrong has a code and a text
cat >"$scratch/main.c" <<'E1'
#include "mm.h"
#include <stdio.h>

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, NULL), loose = clCreateCommandQueue(cl, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_mem A = clCreateBuffer(cl, CL_MEM_READ_WRITE, 24, NULL, NULL), B = clCreateBuffer(cl, CL_MEM_READ_WRITE, 48, NULL, NULL);
    cl_mem C = clCreateBuffer(cl, CL_MEM_READ_WRITE, 32, NULL, NULL);
    cl_event event;
    mm_context *mm;
    int code = loose ? mm_context_new(&mm, cl, loose) : 0;
    if (loose) printf("%d %s\n", code, mm_error(mm)), mm_context_free(mm);
    printf("%d\n", mm_context_new(&mm, cl, queue));
    code = mm_run(mm, 3, 3, 4, A, B, C, &event), printf("%d %s\n", code, mm_error(mm));
    code = mm_run(mm, 2, 3, 4, A, NULL, C, &event), printf("%d %s\n", code, mm_error(mm));
    code = mm_run(mm, 2, 3, 4, A, B, C, &event), printf("%d %d%s\n", code, clWaitForEvents(1, &event), mm_error(mm));
    code = mm_run(mm, 1 << 30, 1 << 30, 4, A, B, C, NULL), printf("%d %s\n", code, mm_error(mm));
    mm_context_free(mm);
}
E1
cd "$scratch/mm-cl"
# shellcheck disable=SC2086
cc $strict $checked -Wno-deprecated-declarations -I. ../main.c mm.c -lOpenCL -o main && ./main >out || fail "buffers of a caller's own: $(cat out)"
grep -v 'order of calls' out >said
diff - said <<'E1' || fail "what goes wrong is said otherwise"
0
2 A has 24 bytes, and with these sizes 36 are needed
2 B is no buffer
0 0
2 A would be too large
E1
OCL_ICD_VENDORS=/nonexistent ./test >out 2>&1 && fail "a library without a device runs"
grep -q 'there is no OpenCL device' out || fail "a library without a device says $(cat out)"

# Two kernels with memory between them.
made soft 'let soft (X: [N][M]f32) = let s = map (\r -> let m = reduce max (-inf) r in (m, reduce (+) 0 (map (\x -> exp (x - m)) r))) X in map (\(r, (m, z)) -> map (\x -> exp (x - m) / z) r) (zip X s)
set sizes argument
lower' ''
grep -q 'temporary(' "$scratch/soft-c/soft.c" || fail "soft has one kernel"
cat >"$scratch/main.c" <<'E1'
#include "soft.h"
#include <stdio.h>

int main(void)
{
    const float X[2][4] = {{0, 0, 0, 0}, {100, 100, -100, -100}};
    float out[2][4];
    soft_context *soft;
    if (soft_context_new(&soft) || soft_run(soft, 2, 4, X[0], out[0])) return puts(soft_error(soft)), 1;
    for (int i = 0; i < 8; i++) printf("%g ", (double)out[i / 4][i % 4]);
    soft_context_free(soft);
}
E1
says soft c '0.25 0.25 0.25 0.25 0.5 0.5 0 0 '

# installed, and found by pkg-config
if command -v cmake >/dev/null && command -v pkg-config >/dev/null; then
    cmake -S "$scratch/soft-c" -B "$scratch/soft-b" -DCMAKE_INSTALL_PREFIX="$scratch/installed" >"$scratch/log" 2>&1 \
        && cmake --build "$scratch/soft-b" --target install >>"$scratch/log" 2>&1 || fail "soft is not installed: $(tail -3 "$scratch/log")"
    PKG_CONFIG_PATH=$(dirname "$(find "$scratch/installed" -name soft.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    cc -std=c11 "$scratch/main.c" $(pkg-config --cflags --libs soft) -o "$scratch/linked" && "$scratch/linked" | grep -q '^0.25 ' || fail "pkg-config does not find soft"
fi

# A tuple, values, names that C has, and a loop on the host that ends when its test says so.
made range 'let range (for: f32) (xs: [N](i32, f32)) = (map (\(i, x) -> x * for + f32 i) xs, reduce max (-inf) (map (\(i, x) -> x) xs))
set sizes argument
data N = 97
lower' ''
cat >"$scratch/main.c" <<'E1'
#include "range.h"
#include <stdio.h>

int main(void)
{
    const int32_t i[] = {1, 2, 3};
    const float x[] = {1, 5, 2};
    float out[3], most;
    range_context *range;
    if (range_context_new(&range) || range_run(range, 3, 10, i, x, out, &most)) return puts(range_error(range)), 1;
    printf("%g %g %g %g\n", (double)out[0], (double)out[1], (double)out[2], (double)most);
    range_context_free(range);
}
E1
says range c '11 52 23 5'
made small 'let small (a : i8) (h : f16) (t : bool) (xs: [N](u8, i16)) (zs: [N]u16) = mapGlobal 0 (\((x, y), v) -> (x + 200, if t then y * i16 a else y, f16 (f32 h * f32 v))) (zip xs zs)
data N = 8
data a = const(-7)
data h = const(0.5)
set sizes argument' ''
made brains 'let brains (a : bf16) (xs: [N](bf16, f32)) (zs: [N]bf16) = mapGlobal 0 (\((x, y), v) -> (a * x - v, bf16 y)) (zip xs zs)
data N = 8
data a = const(-0.75)
set sizes argument' ''
made bitonic 'load tests/programs/bitonic.fun; data N = 8; lower' ''
made newton 'load tests/programs/newton.fun; lower' ''

# kernels edited by hand; what is refused
cd "$root"
said() { "$lathe" --no-init -q -e "$1" 2>&1 || true; }
text=$(said "let twice (xs: [N]f32) = map (\\x -> x * 2) xs
data N = 8
lower
code --source 'kernel void twice_k0(const global float *xs, global float *out) { out[get_global_id(0)] = xs[get_global_id(0)] + xs[get_global_id(0)]; }'
export library $scratch/edited
export library $scratch/edited-c --target c")
[ -e "$scratch/edited/twice.c" ] && ! [ -e "$scratch/edited-c" ] || fail "edited kernels: $text"
echo "$text" | grep -q 'edited by hand' || fail "edited kernels for C: $text"
# A sum of any length, as `lower` makes it where it knows none; a warning says how, where a version is for some lengths alone.
made asum 'load tests/programs/asum.fun; set sizes argument; lower; data N = 97' ''
for target in cl c; do
    open=$([ $target = c ] || echo ', NULL, NULL')
    cat >"$scratch/main.c" <<E1
#include "asum.h"
#include <stdio.h>

int main(void)
{
    static float xs[1009];
    asum_context *asum;
    if (asum_context_new(&asum$open)) return puts(asum_error(asum)), 1;
    for (int i = 0; i < 1009; i++) xs[i] = i % 2 ? -1 : 1;
    for (int n = 1; n < 1009; n = 4 * n + 3) {
        float sum;
        if (asum_run_host(asum, n, xs, &sum)) return puts(asum_error(asum)), 1;
        printf("%d: %g\n", n, (double)sum);
    }
    asum_context_free(asum);
}
E1
    says asum $target "$(printf '%s\n' '1: 1' '7: 7' '31: 31' '127: 127' '511: 511')"
done
cd "$root"
"$lathe" --no-init -q -e 'load tests/programs/asum.fun; set sizes argument; data N = 100003; lower' -e "export library $scratch/some" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
way=$(sed -n 's/^W19 .* is for sizes where .* (\(goto .*lower\)  .*/\1/p' "$scratch/log")
"$lathe" --no-init -q -e 'load tests/programs/asum.fun; set sizes argument; data N = 100003; lower' -e "$way" -e "export library $scratch/all @2 --name asum" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
! grep W19 "$scratch/log" || fail "what W19 says gives no version for all sizes"
# A size that the first version is not for has the next one that is.
"$lathe" --no-init -q -e 'load tests/programs/scal.fun; set sizes argument; lower; goto @0; apply splitJoin(1024); lower' \
    -e "export library $scratch/either @3 @1 --sizes N=512,2048" -e "export library $scratch/neither @3 --sizes N=512" >"$scratch/log" 2>&1 && fail "1024 divides no 512"
grep -q 'E04 split: .* must divide 512' "$scratch/log" || fail "$(cat "$scratch/log")"
grep -q '@1  where N = 512$' "$scratch/either/scal.h" && ! grep -q '@3  where N = 512' "$scratch/either/scal.h" || fail "no version for 512"
"$lathe" --no-init -q -e 'load tests/programs/haar.fun; set sizes argument; lower; data M = 6' -e "export library $scratch/haar" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
! grep W19 "$scratch/log" || fail "what the program itself needs is no fault of the version"
exit $bad

#!/bin/sh
# cuda_device: a device by CUDA, whose libraries are those of tests/cuda/driver.cpp, on this processor: programs lower, build, verify and run on
# it in CUDA C; what is refused says why. Usage: cuda_device.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
export OCL_ICD_VENDORS=/nonexistent
command -v g++ >/dev/null || skip "no C++ compiler"
cp tests/cuda/*.h "$scratch"
g++ -std=c++17 -O1 -Wall -Werror -shared -fPIC tests/cuda/driver.cpp -o "$scratch/libcuda.so.1" || fail "the libraries do not compile"
for n in 12 13; do ln -sf libcuda.so.1 "$scratch/libnvrtc.so.$n"; done
export LD_LIBRARY_PATH="$scratch${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" LATHE_FAKE="$scratch"

# says TEXT FILE COMMAND...: what comes of these commands has that text
says() {
    text=$1 file=$2; shift 2
    for c; do set -- "$@" -e "$c"; shift; done
    "$lathe" --no-init -q --results :memory: --device cuda0 "$file" "$@" >"$scratch/log" 2>&1 || true
    grep -qF "$text" "$scratch/log" || fail "$file, $*: no \"$text\" in
$(tail -12 "$scratch/log")"
}

says 'verify  OK' tests/programs/mm.fun 'data N = 32' 'data K = 32' 'data M = 32' lower run device code
grep -q 'cuda0  *A processor    GPU, 4 units, local 100 KiB' "$scratch/log" && grep -q __global__ "$scratch/log" || fail "$(cat "$scratch/log")"
says 'verify  OK' tests/programs/softmax.fun 'data N = 3' 'data M = 1000' lower run
says 'verify  OK' tests/programs/heat.fun 'data N = 8' 'data M = 9' lower run
says 'verify  OK' tests/programs/mm_f16.fun 'data N = 16' 'data K = 16' 'data M = 16' lower run
# more local memory than a kernel may declare is given by the launch; more than there is is refused
says 'verify  OK' tests/programs/mm.fun 'data N = 128' 'data K = 64' 'data M = 128' 'apply gemmGpu{mb=128, nb=128, kb=32, mr=8, nr=8}' 'run -n 1'
says 'needs 131072 bytes of local memory; the device has 102400' tests/programs/mm.fun 'data N = 128' 'data K = 128' 'data M = 128' \
    'apply gemmGpu{mb=128, nb=128, kb=64, mr=8, nr=8}' 'run -n 1'
# edited kernels: what the compiler says of them, a result that is wrong; they belong to the language that they were edited in
edited="$scratch/edited.cu"
says 'clCreateKernel' tests/programs/asum.fun 'data N = 5000' lower 'code --host'
grep -q '__global__' "$scratch/log" && fail "code --host has kernels in CUDA C"
says '1 kernel of @1' tests/programs/asum.fun 'data N = 5000' lower "code -o $edited"
sed 's/^}/unknown();}/' "$edited" >"$scratch/broken.cu"
sed 's/fabsf(/2.0f * fabsf(/' "$edited" >"$scratch/wrong.cu"
says "unknown" tests/programs/asum.fun 'data N = 5000' lower "code --edit $scratch/broken.cu" run
says 'WRONG' tests/programs/asum.fun 'data N = 5000' lower "code --edit $scratch/wrong.cu" run
unset OCL_ICD_VENDORS
if "$lathe" --no-init -e 'device pocl0' >/dev/null 2>&1; then
    says 'the kernels were edited in CUDA C; pocl0 takes OpenCL C' tests/programs/asum.fun 'data N = 5000' lower "code --edit $scratch/wrong.cu" 'device pocl0' run
fi
exit $bad

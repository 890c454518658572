#!/bin/sh
# python: what `export python` writes, called from NumPy, PyOpenCL and PyTorch by programs of ten lines. Usage: python.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import numpy, pyopencl' 2>/dev/null || python=$p
done
[ -n "$python" ] || skip "no Python with NumPy and PyOpenCL (python3-numpy, python3-pyopencl)"

"$lathe" --no-init -q -e 'load tests/programs/mm.fun; data N = 17, K = 19, M = 23; set sizes argument; lower' \
    -e "export python $scratch/mm.py --sizes N=16,32,K=16,M=16; export python $scratch/mm_torch.py --torch; export python $scratch/mm_cuda.py --cuda" \
    -e 'let soft (X: [N][M]f32) = let s = map (\r -> let m = reduce max (-inf) r in (m, reduce (+) 0 (map (\x -> exp (x - m)) r))) X in map (\(r, (m, z)) -> map (\x -> exp (x - m) / z) r) (zip X s)' \
    -e "lower; export python $scratch/soft.py" \
    -e 'let range (for: f32) (xs: [N](i32, f32)) = (map (\(i, x) -> x * for + f32 i) xs, reduce max (-inf) (map (\(i, x) -> x) xs))' \
    -e "data N = 97; lower; export python $scratch/span.py --name span" \
    -e "set sizes constant; load tests/programs/bitonic.fun; data N = 8; lower; export python $scratch/bitonic.py" \
    -e "load tests/programs/heat.fun; data N = 8, M = 16; lower; eval --save $scratch/heat.npy; eval A --save $scratch/A.npy; export python $scratch/heat.py" \
    -e 'let pixels (A: [N][M]f32) = mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x * 2)) (asVector 4 r))) (toImage (toGlobalImage (mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) A)))' \
    -e "data N = 2, M = 4; apply toGlobalImage; export python $scratch/pixels.py" >"$scratch/log" 2>&1 || fail "$(tail -4 "$scratch/log")"
cd "$scratch"
cat >call.py <<'E1'
import numpy as np
from mm import mm
from soft import soft
from span import span
from bitonic import bitonic
from heat import heat
from pixels import pixels

def says(call):
    try: print(call())
    except (TypeError, ValueError) as e: print(f"{type(e).__name__}: {e}")

A, B = np.arange(6, dtype="f4").reshape(2, 3), np.arange(12, dtype="f4").reshape(3, 4)
print((mm(A, B) == A @ B).all(), (mm(np.ones((16, 16), "f4"), np.ones((16, 16), "f4")) == 16).all(), mm(A.T.copy().T, B).shape)
print(soft(np.zeros((2, 4), "f4"))[1].tolist())
ys, most = span(10, np.arange(3, dtype="i4"), np.array([1, 5, 2], "f4"))
print(ys.tolist(), most, type(most).__name__)
print(bitonic(np.array([5, 3, 8, 1, 7, 2, 6, 4], bitonic.__globals__["_OPENCL"].inputs[0]["dtype"])).tolist())
says(lambda: mm(A.astype("f8"), B))
says(lambda: mm(A, B[1:]))
says(lambda: mm(A[0], B))
says(lambda: mm(A, B, K=5))
says(lambda: mm(A, B, Q=5))
says(lambda: mm(np.ones((0, 3), "f4"), B))
print(np.allclose(heat(np.load("A.npy")), np.load("heat.npy"), 1e-5), pixels(np.ones((2, 4), "f4")).tolist())
E1
"$python" call.py >said 2>said.errors || fail "$(tail -5 said.errors)"
diff - said <<'E1' || fail "calls of NumPy give something else"
True True (2, 4)
[0.25, 0.25, 0.25, 0.25]
[10.0, 51.0, 22.0] 5.0 float32
[1, 2, 3, 4, 5, 6, 7, 8]
TypeError: A is float64, and float32 is needed
ValueError: B has 2 elements in a dimension that has 3
ValueError: A has 1 dimensions, and mm takes 2
ValueError: A has 3 elements in a dimension that has 5
TypeError: mm has no size Q
ValueError: mm: the size N is 0: sizes are 1 or more
True [[4.0, 4.0, 4.0, 4.0], [4.0, 4.0, 4.0, 4.0]]
E1
cat >arrays.py <<'E1'
import numpy as np, pyopencl as cl, pyopencl.array as arrays
from mm import mm
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
A, B = np.random.rand(5, 7).astype("f4"), np.random.rand(7, 3).astype("f4")
C = mm(arrays.to_device(queue, A), arrays.to_device(queue, B))
print(type(C).__name__, C.queue == queue, np.allclose(C.get(), A @ B))
E1
[ "$("$python" arrays.py 2>&1)" = "Array True True" ] || fail "arrays of PyOpenCL: $("$python" arrays.py 2>&1 | tail -3)"
"$python" -m py_compile mm_cuda.py mm_torch.py || fail "not Python"
"$python" -c 'import torch' 2>/dev/null || { echo "python: PyTorch was left out (python3-torch)"; exit $bad; }
cat >tensors.py <<'E1'
import torch
from mm_torch import mm
A, B = torch.rand(5, 7), torch.rand(7, 3)
print(type(mm(A, B)).__name__, torch.allclose(mm(A, B), A @ B))
E1
[ "$("$python" tensors.py 2>&1)" = "Tensor True" ] || fail "tensors: $("$python" tensors.py 2>&1 | tail -3)"
exit $bad

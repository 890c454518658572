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
    -e "data N = 97; lower; export python $scratch/span.py --name span; export python $scratch/span_torch.py --name span --torch" \
    -e 'let rows (N: size) (xs: [M]f32) = generate N (\i -> map (\x -> x) xs)' -e "data N = 97, M = 97; lower; export python $scratch/rows_torch.py --torch" \
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
# the version is that of the sizes, in whatever order they came: K, N, M here, N, K, M of the second
print(*(bool((mm(np.ones((n, k), "f4"), np.ones((k, 16), "f4"), **by) == k).all()) for n, k, by in ((32, 16, {"K": 16}), (16, 32, {}), (16, 32, {"M": 16}))))
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
True True True
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
import inspect, typing, torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch._subclasses import FakeTensorMode

class custom_op:
    """What PyTorch 2.4 calls so, made of what there was before: its schema, too, comes from the annotations."""
    kinds = {torch.Tensor: "Tensor", float: "float", int: "SymInt", bool: "bool", typing.Optional[int]: "SymInt? "}

    def __init__(self, name, mutates_args):
        self.space, self.name = name.replace("::", "_"), name.split("::")[1]

    def __call__(self, function):
        of, text = inspect.signature(function), []
        for p in of.parameters.values():
            if p.kind is p.KEYWORD_ONLY and "*" not in text: text.append("*")
            text.append(f"{self.kinds[p.annotation]} {p.name}" + ("" if p.default is p.empty else f"={p.default}"))
        made = typing.get_args(of.return_annotation) or [of.return_annotation]
        self.library = torch.library.Library(self.space, "DEF")
        self.library.define(f"{self.name}({', '.join(text)}) -> ({', '.join(self.kinds[m] for m in made)})")
        self.library.impl(self.name, function, "CPU")
        operator = getattr(getattr(torch.ops, self.space), self.name)
        operator.register_fake = lambda fake: self.library.impl(self.name, fake, "Meta")
        return operator

if not hasattr(torch.library, "custom_op"): torch.library.custom_op = custom_op
from mm_torch import mm
from span_torch import span
from rows_torch import rows

A, B = torch.rand(5, 7), torch.rand(7, 3)
print(type(mm(A, B)).__name__, torch.allclose(mm(A, B), A @ B), torch.allclose(mm(B.T, A.T), B.T @ A.T))
i, x = torch.arange(3, dtype=torch.int32), torch.tensor([1.0, 5, 2])
print(span(10.0, i, x), rows(x, N=2))
traced = make_fx(lambda a, b: mm(a, b) * 2, tracing_mode="fake")(A, B)
print("lathe" in traced.code, torch.allclose(traced(A, B), 2 * (A @ B)))
with FakeTensorMode():
    ys, most = span(10.0, torch.empty(3, dtype=torch.int32), torch.empty(3))
    print(tuple(mm(torch.empty(5, 7), torch.empty(7, 3)).shape), tuple(ys.shape), ys.dtype, tuple(most.shape), tuple(rows(torch.empty(3), N=2).shape))
    try: mm(torch.empty(5, 7), torch.empty(8, 3))
    except Exception as e: print(e)
try: mm(A.double(), B)
except Exception as e: print(e)

class Product(torch.autograd.Function):          # a gradient of one's own
    @staticmethod
    def forward(ctx, a, b): ctx.save_for_backward(a, b); return mm(a, b)
    @staticmethod
    def backward(ctx, g): a, b = ctx.saved_tensors; return mm(g, b.T), mm(a.T, g)
a, b = A.clone().requires_grad_(), B.clone().requires_grad_()
Product.apply(a, b).sum().backward()
print(torch.allclose(a.grad, B.sum(1).expand(5, 7)), torch.allclose(b.grad, A.sum(0)[:, None].expand(7, 3)))
E1
"$python" tensors.py >said 2>said.errors || fail "tensors: $(tail -3 said.errors)"
diff - said <<'E1' || fail "calls of PyTorch give something else"
Tensor True True
(tensor([10., 51., 22.]), tensor(5.)) tensor([[1., 5., 2.],
        [1., 5., 2.]])
True True
(5, 3) (3,) torch.float32 () (2, 3)
B has 8 elements in a dimension that has 7
A is float64, and float32 is needed
True True
E1
exit $bad

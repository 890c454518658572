"""By hand, where there is a GPU with PyTorch: tensors.py FOLDER, in which lathe left, for whatever device,
    let minmax (X: [N][M]f32) = (map (reduce max (-inf)) X, map (reduce min inf) X)
    set sizes argument ; lower ; export python FOLDER/minmax.py --torch ; export python FOLDER/minmax_cuda.py --cuda --name minmax
Are calls right, on the current stream, in torch.compile, from NumPy; what do they cost beside their kernels?"""
import sys
import time

import numpy as np
import torch

sys.path.insert(0, sys.argv[1])
import minmax as of_torch
import minmax_cuda as of_cuda

minmax = of_torch.minmax
x = torch.randn(300, 777, device="cuda")


def is_right(got, x):
    return torch.equal(got[0], x.max(1)[0]) and torch.equal(got[1], x.min(1)[0])


def time_of(call, n):
    """Microseconds of a call, many in a row."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(n):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / n * 1e6


assert is_right(minmax(x), x)
stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    on_stream = minmax(x)
stream.synchronize()
assert is_right(on_stream, x)
for bad in (x.double(), x[0]):
    try:
        minmax(bad)
        raise AssertionError("it was taken")
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
if of_torch._operator:
    torch.library.opcheck(of_torch._operator, (x,))
    assert torch.equal(torch.compile(lambda a: minmax(a)[0] * 2, fullgraph=True)(x), x.max(1)[0] * 2)
host = np.random.rand(50, 60).astype("f4")
most, least = of_cuda.minmax(host)
assert (most == host.max(1)).all() and (least == host.min(1)).all()

large, small = torch.randn(20000, 16384, device="cuda"), torch.randn(8, 8, device="cuda")
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
minmax(large)
start.record()
for _ in range(50):
    minmax(large)
end.record()
end.synchronize()
print(f"large: {start.elapsed_time(end) / 50 * 1e3:.0f} us on the device, {time_of(lambda: minmax(large), 50):.0f} us a call")
print(f"small: {time_of(lambda: minmax(small), 1000):.0f} us a call, {time_of(lambda: of_torch._call_torch((small,), {}), 1000):.0f} us without the operator")

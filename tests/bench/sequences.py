"""What cuBLAS takes for the sequences of bench_sequences.sh: sequences.py NAME=SIZES ..., as in bicgk=4096x4096 vadd=65536; prints a name and the
median of 20, in ms, a line. A copy goes before a call that overwrites what must be kept. Calls are queued behind another: what is timed is
the device's work alone. Memory is PyTorch's."""
import ctypes, statistics, sys
import torch

cublas = next(lib for lib in map(lambda n: ctypes.CDLL(f'libcublas.so.{n}') if n else None, (13, 12)) if lib)
handle, one = ctypes.c_void_p(), ctypes.c_float(1)
cublas.cublasCreate_v2(ctypes.byref(handle))
torch.rand(1, device='cuda')                    # the context of both
stream = torch.cuda.Stream()
cublas.cublasSetStream_v2(handle, ctypes.c_void_p(stream.cuda_stream))
on_host, on_device = 0, 1
cublas.cublasSetPointerMode_v2(handle, on_device)            # nothing waits for the result of a dot


def call(name, *args):
    words = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else ctypes.c_int(a) for a in args]
    status = getattr(cublas, f'cublasS{name}')(handle, *words)
    if status:
        sys.exit(f'cublasS{name}: status {status}')


# Matrices lie by rows, which is the transpose to cuBLAS: N, M are those of the program.
def copy(x, y): call('copy_v2', x.numel(), x, 1, y, 1)
def axpy(a, x, y): call('axpy_v2', x.numel(), a, x, 1, y, 1)
def scal(a, x): call('scal_v2', x.numel(), a, x, 1)
def dot(x, y, r): call('dot_v2', x.numel(), x, 1, y, 1, r)
def rows(a, A, x, b, y): call('gemv_v2', 1, *A.shape[::-1], a, A, A.shape[1], x, 1, b, y, 1)
def columns(a, A, x, b, y): call('gemv_v2', 0, *A.shape[::-1], a, A, A.shape[1], x, 1, b, y, 1)
def ger(A, u, v): call('ger_v2', *A.shape[::-1], number(1), v, 1, u, 1, A, A.shape[1])
def geam(A, B, C): call('geam', 0, 0, *A.shape[::-1], number(1), A, A.shape[1], number(1), B, A.shape[1], C, A.shape[1])


numbers = {}
def number(v): return numbers.setdefault(v, torch.full((1,), float(v), device='cuda'))


def vector(n): return torch.rand(n, device='cuda') - .5
def axpydot(n):
    w, v, u, z, r = *(vector(n) for _ in 'wvuz'), number(7)
    return lambda: (copy(w, z), axpy(number(-1.5), v, z), dot(z, u, r))
def vadd(n):
    w, y, z, x = (vector(n) for _ in 'wyzx')
    return lambda: (copy(w, x), axpy(number(1), y, x), axpy(number(1), z, x))
def waxpby(n):
    x, y, w = (vector(n) for _ in 'xyw')
    return lambda: (copy(x, w), scal(number(1.5), w), axpy(number(2.5), y, w))
def sscal(n):
    x, y = vector(n), vector(n)
    return lambda: (copy(x, y), scal(number(1.5), y))
def madd(n, m):
    A, B, C = (vector(n * m).view(n, m) for _ in 'ABC')
    return lambda: geam(A, B, C)
def bicgk(n, m):
    A, p, r, q, s = vector(n * m).view(n, m), vector(m), vector(n), vector(n), vector(m)
    return lambda: (rows(number(1), A, p, number(0), q), columns(number(1), A, r, number(0), s))
def atax(n, m):
    A, x, y, z = vector(n * m).view(n, m), vector(m), vector(n), vector(m)
    return lambda: (rows(number(1), A, x, number(0), y), columns(number(1), A, y, number(0), z))
def gesummv(n, m):
    A, B, x, y = vector(n * m).view(n, m), vector(n * m).view(n, m), vector(m), vector(n)
    return lambda: (rows(number(1.5), A, x, number(0), y), rows(number(2.5), B, x, number(1), y))
def sgemv(n, m):
    A, x, y, z = vector(n * m).view(n, m), vector(m), vector(n), vector(n)
    return lambda: (copy(y, z), rows(number(1.5), A, x, number(2.5), z))
def sgemvt(n, m):
    A, y, z, x, w = vector(n * m).view(n, m), vector(n), vector(m), vector(m), vector(n)
    return lambda: (copy(z, x), columns(number(1.5), A, y, number(1), x), rows(number(2.5), A, x, number(0), w))
def gemver(n, m):
    A, B = vector(n * m).view(n, m), vector(n * m).view(n, m)
    u1, u2, y, w, v1, v2, z, x = *(vector(n) for _ in range(4)), *(vector(m) for _ in range(4))
    return lambda: (copy(A.view(-1), B.view(-1)), ger(B, u1, v1), ger(B, u2, v2), copy(z, x), columns(number(1.5), B, y, number(1), x),
                    rows(number(2.5), B, x, number(0), w))


def median_ms(f):
    with torch.cuda.stream(stream):
        for _ in range(5):
            f()
        events = [[torch.cuda.Event(enable_timing=True) for _ in 'ab'] for _ in range(20)]
        torch.cuda._sleep(20_000_000)                        # cycles, in which the calls are queued
        for a, b in events:
            a.record(); f(); b.record()
        torch.cuda.synchronize()
    return statistics.median(a.elapsed_time(b) for a, b in events)


for word in sys.argv[1:]:
    name, sizes = word.split('=')
    print(name, '%.5f' % median_ms(globals()[name](*map(int, sizes.split('x')))), sep='\t', flush=True)
    torch.cuda.empty_cache()

"""What PyTorch takes for programs of programs.tsv: programs.py cpu|cuda; of each line NAME A=SIZE ... of the input it prints the least median
of 20, in ms, how that was called, what a copy takes that reads and writes as many bytes as the inputs and results have, and on a GPU the least
median of single calls. float32 without TF32; eager, and compiled where torch.compile works. On a GPU calls are queued behind another, so that
what is timed is the device's work alone; of a single call it is launching, too. Threads of a CPU: OMP_NUM_THREADS."""
import statistics, sys, time
import torch
import torch.nn.functional as F

dev = sys.argv[1]
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False


def rand(*shape):
    return torch.rand(*shape, device=dev) * 2 - 1


def queued_ms(f, *args):
    events = [[torch.cuda.Event(enable_timing=True) for _ in 'ab'] for _ in range(20)]
    torch.cuda._sleep(20_000_000)                            # cycles, in which the calls are queued
    for a, b in events:
        a.record(); f(*args); b.record()
    torch.cuda.synchronize()
    return statistics.median(a.elapsed_time(b) for a, b in events)


def single_ms(f, *args):
    times = []
    for _ in range(20):
        if dev == 'cuda':
            a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            a.record(); f(*args); b.record(); torch.cuda.synchronize()
            times.append(a.elapsed_time(b))
        else:
            t = time.perf_counter(); f(*args); times.append((time.perf_counter() - t) * 1e3)
    return statistics.median(times)


def median_ms(f, *args):
    for _ in range(5):
        f(*args)
    return (queued_ms if dev == 'cuda' else single_ms)(f, *args)


def tensors(x):
    return [x] if isinstance(x, torch.Tensor) else list(x)


def copy_ms(count):
    return median_ms(lambda to, x: to.copy_(x), *(torch.zeros(count // 2 + 1, device=dev) for _ in 'ab'))


def nbody(p, v):
    dt = .001
    d = p[None, :, :3] - p[:, None, :3]
    i = torch.rsqrt((d * d).sum(-1) + .01)
    a = (d * (p[None, :, 3] * i * i * i)[..., None]).sum(1)
    return torch.cat([p[:, :3] + v * dt + a * dt * dt / 2, p[:, 3:]], 1), v + a * dt


def phi(x):
    l = x.abs()
    k = 1 / (1 + .2316419 * l)
    w = 1 - .3989422804 * torch.exp(-l * l / 2) * (
        k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))))
    return torch.where(x < 0, 1 - w, w)


def blackscholes(s, x, t):
    s, x, t, v, r = 1 + s.abs(), 1 + x.abs(), 1 + t.abs(), .3, .02
    d1 = (torch.log(s / x) + (r + v * v / 2) * t) / (v * torch.sqrt(t))
    call = s * phi(d1) - x * torch.exp(-r * t) * phi(d1 - v * torch.sqrt(t))
    return call, call - s + x * torch.exp(-r * t)


def md(p, near):
    d = p[:, None] - p[near % len(p)]
    r2 = (d * d).sum(-1, keepdim=True)
    i2 = torch.where(r2 < 16, 1 / (r2 + .1), 0)
    i6 = i2 * i2 * i2
    return (d * (i2 * i6 * (1.5 * i6 - 2))).sum(1)


def mandelbrot(xs, ys):
    cx, cy = xs[None, :].expand(len(ys), len(xs)), ys[:, None].expand(len(ys), len(xs))
    x, y, n = torch.zeros_like(cx), torch.zeros_like(cx), torch.zeros_like(cx, dtype=torch.int32)
    for _ in range(64):
        live = x * x + y * y <= 4
        x, y, n = torch.where(live, x * x - y * y + cx, x), torch.where(live, 2 * x * y + cy, y), n + live
    return n


def edges(a):
    return F.pad(a[None, None], (1, 1, 1, 1), mode='replicate')


def jacobi2d(a):
    p = edges(a)[0, 0]
    return .2 * (p[1:-1, 1:-1] + p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])


cases = {   # name: function, shapes of its arguments by size name (a number stands for itself), # before those of integers
    'softmax': (lambda x: torch.softmax(x, 1), ['NM']),
    'layernorm': (lambda x, g, b: F.layer_norm(x, g.shape, g, b), ['NM', 'M', 'M']),
    'logsumexp': (lambda x: torch.logsumexp(x, 1), ['NM']),
    'rowsum': (lambda x: x.sum(1), ['NM']),
    'colsum': (lambda x: x.sum(0), ['NM']),
    'argmax': (lambda x: x.argmax(1), ['NM']),
    'addt': (lambda x: x + x.T, ['NN']),
    'jacobi2d': (jacobi2d, ['NM']),
    'blur': (lambda x, w: F.conv2d(edges(x), w[None, None]), ['NM', '33']),
    'nbody': (nbody, ['N4', 'N3']),
    'kmeans': (lambda f, c: (f.T[:, None, :] - c[None]).square().sum(-1).argmin(1), ['FP', 'CF']),
    'batched': (torch.bmm, ['SNK', 'SKM']),
    'gesummv': (lambda a, b, x: 1.5 * (a @ x) + 2.5 * (b @ x), ['NM', 'NM', 'M']),
    'atax': (lambda a, x: a.T @ (a @ x), ['NM', 'M']),
    'blackscholes': (blackscholes, ['N', 'N', 'N']),
    'prefix': (lambda x: x.cumsum(0), ['N']),
    'attention': (lambda q, k, v: torch.softmax(q @ k.T * .125, 1) @ v, ['ND', 'MD', 'MD']),
    'linear': (lambda x, w, b: F.relu(F.linear(x, w, b)), ['NK', 'MK', 'M']),
    'conv2d': (lambda x, k: F.conv2d(x[None], k), ['CHW', 'OC33']),
    'mandelbrot': (mandelbrot, ['M', 'N']),
    'md': (md, ['N3', '#NM']),
}


def argument(shape, sizes):
    dims = [int(c) if c.isdigit() else sizes[c] for c in shape.lstrip('#')]
    return torch.randint(0, dims[0], dims, device=dev, dtype=torch.int32) if shape[0] == '#' else rand(*dims)


def measure(name, sizes):
    f, shapes = cases[name]
    args = [argument(s, sizes) for s in shapes]
    forms = {'eager': f}
    if hasattr(torch, 'compile'):
        forms['compiled'] = torch.compile(f)
    best, single = None, []
    for form, g in forms.items():
        try:
            ms = median_ms(g, *args)
            best = min(best or (ms, form), (ms, form))
            single += [single_ms(g, *args)] if dev == 'cuda' else []
        except Exception as e:
            print(f'{name}: {form} fails: {e}', file=sys.stderr)
    copied = copy_ms(sum(x.numel() for x in args + tensors(f(*args))))
    print('%.5f' % best[0], f'PyTorch {torch.__version__} {best[1]}', '%.5f' % copied, *('%.5f' % min(single) for _ in single[:1]), sep='\t', flush=True)


for line in sys.stdin:
    name, *sizes = line.split()
    measure(name, {k: int(v) for k, v in (x.split('=') for x in sizes)})
    if dev == 'cuda':
        torch.cuda.empty_cache()
    if hasattr(torch, 'compile'):
        torch._dynamo.reset()

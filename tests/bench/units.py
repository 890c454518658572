"""units: products, attention and a convolution by `lower` alone in several precisions, beside PyTorch (cuBLAS, its flash attention, cuDNN) in the same
run, as lines of scripts/bench. 3xTF32 stands beside PyTorch's floats without TF32. Without PyTorch, or its GPU, only lathe's times are printed.
Usage: scripts/bench units [--devices nvidia0,cuda0] [--lathe build/lathe] [--verify] [--only mm|attention|conv2d]"""
import argparse
import json
import statistics
import subprocess
import tempfile

HALVES = {"attention": """
let softmax1 (x: [M]f32) =
  let m = reduce max (-inf) x
  let e = map (\\v -> exp (v - m)) x
  let s = reduce (+) 0 e
  in map (\\v -> v / s) e
let attention (Q: [B][N][D]KIND) (K: [B][M][D]KIND) (V: [B][M][D]KIND) =
  map (\\(q, k, v) -> map (\\r -> let p = softmax1 (map (\\s -> 0.125 * reduce (+) 0 (map (\\(a, b) -> f32 a * f32 b) (zip r s))) k)
    in map (\\c -> reduce (+) 0 (map (\\(a, b) -> f32 (KIND a) * f32 b) (zip p c))) (transpose v)) q) (zip Q K V)
""", "conv2d": """
let windows img = map transpose (transpose (map (slide2 3 1) img))
let conv2d (x: [N][C][H][W]KIND) (k: [O][C][3][3]KIND) (b: [O]f32) =
  map (\\img -> map (\\(ko, bo) -> map (map (\\nb -> max 0 (bo + reduce (+) 0 (map (\\(a, b) -> f32 a * f32 b) (zip (join (map join nb)) (join (map join ko))))))) (windows img)) (zip k b)) x
"""}
FLOATS = {"mm": "mm", "attention": "multihead", "conv2d": "conv2d_batch"}          # of tests/programs
SIZES = {"mm": [dict(N=n, K=n, M=n) for n in (2048, 4096, 8192)],
         "attention": [dict(B=16, N=4096, M=4096, D=64), dict(B=16, N=1024, M=1024, D=128)],
         "conv2d": [dict(N=16, C=64, H=128, W=128, O=64)]}
KINDS = ["full", "tf32", "3xtf32", "bf16", "f16"]


def program(case, kind):
    if kind not in ("bf16", "f16"):
        return f"tests/programs/{FLOATS[case]}.fun"
    if case == "mm":
        return f"tests/programs/mm_{kind}.fun"
    with tempfile.NamedTemporaryFile("w", suffix=".fun", delete=False) as f:
        f.write(HALVES[case].replace("KIND", kind))
    return f.name


def ours(options, device, case, size, kind):
    """ms and what verify says; None: it did not run"""
    commands = [f"load {program(case, kind)}"] + [f"data {n} = {v}" for n, v in size.items()]
    commands += [f"set precision {kind if 'tf32' in kind else 'full'}", f"set verify {'on' if options.verify else 'off'}", "lower", "run -n 20"]
    call = [options.lathe, "--no-init", "--json", "--results", ":memory:", "--device", device]
    for c in commands:
        call += ["-e", c]
    lines = subprocess.run(call, capture_output=True, text=True).stdout.splitlines()
    last = json.loads(lines[-1]) if lines else {}
    if not last.get("ok"):
        return None
    return statistics.median(last["data"]["times_ns"]) / 1e6, (last["data"].get("verify") or {}).get("status", "")


def call_of(torch, case, size, kind):
    of = {"f16": torch.float16, "bf16": torch.bfloat16}.get(kind, torch.float32)

    def random(*shape):
        return torch.randn(*shape, device="cuda").to(of)
    functional = torch.nn.functional
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = kind == "tf32"
    if case == "mm":
        a, b = random(size["N"], size["K"]), random(size["K"], size["M"])
        return lambda: a @ b
    if case == "attention":
        q, k, v = (random(1, size["B"], size["N"], size["D"]) for _ in range(3))
        return lambda: functional.scaled_dot_product_attention(q, k, v)
    x, w, b = random(size["N"], size["C"], size["H"], size["W"]), random(size["O"], size["C"], 3, 3), random(size["O"])
    return lambda: torch.relu(functional.conv2d(x, w, b))


def theirs(case, size, kind, trials=20):
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    call, times = call_of(torch, case, size, kind), []
    for i in range(trials + 3):
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        if i >= 3:
            times.append(begin.elapsed_time(end))
    torch.cuda.empty_cache()
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--devices", default="nvidia0,cuda0")
    parser.add_argument("--lathe", default="build/lathe")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--only", choices=sorted(SIZES))
    options = parser.parse_args()
    for case in [options.only] if options.only else SIZES:
        for size in SIZES[case]:
            for kind in KINDS:
                rival = theirs(case, size, kind)
                for device in options.devices.split(","):
                    got = ours(options, device, case, size, kind)
                    if got:
                        text = " ".join(f"{n}={v}" for n, v in size.items())
                        print("units", device, f"{case} {kind} {text}" + (f" ({got[1]})" if options.verify else ""), "PyTorch", "%.4f" % got[0],
                              "%.4f" % rival if rival else "-", "ms", "%.3f" % (rival / got[0]) if rival else "-", sep="\t", flush=True)


main()

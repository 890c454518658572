#!/bin/sh
# jupyter: the kernel that `--jupyter-install` gives Jupyter: cells, pictures, errors, completion, inspection, an interrupt, a lesson; the notebooks
# of scripts/notebooks run. Usage: jupyter.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
notebooks=$(realpath scripts/notebooks)
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import ipykernel, nbconvert, jupyter_client' 2>/dev/null || python=$p
done
[ -n "$python" ] || skip "no Python with ipykernel and nbconvert (python3-ipykernel, python3-nbconvert)"
export HOME="$scratch" JUPYTER_DATA_DIR="$scratch/jupyter" PYDEVD_DISABLE_FILE_VALIDATION=1
mkdir "$scratch/work"
cp "$notebooks"/*.ipynb "$scratch/work"          # they are run where they are, and write pictures
cd "$scratch/work"
"$lathe" --jupyter-install >said 2>&1 || fail "$(cat said)"
"$lathe" --no-init -q -e 'lesson terms --notebook' || fail "no notebook of a lesson"
cat >use.py <<'E1'
import json, threading, time
import jupyter_client

manager = jupyter_client.KernelManager(kernel_name="lathe")
manager.start_kernel()
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)


def run(code):
    said = []       # the next cell runs whatever this one says: asked otherwise, ipykernel aborts what comes too soon behind an error
    reply = client.execute_interactive(code, timeout=60, stop_on_error=False, output_hook=lambda m: said.append((m["msg_type"], m["content"])))["content"]
    return reply, said


def shown(said):
    return [content["data"] for kind, content in said if kind == "display_data"]


try:
    reply, said = run("let f (x: [N]f32) =\n  map (\\v -> v * 2)\n  x\nshow")
    assert reply["status"] == "ok" and len(shown(said)) == 2
    assert 'title="/f : (f32 -&gt; f32)"' in shown(said)[1]["text/html"] and "map" in shown(said)[1]["text/plain"]
    reply, said = run("apply mapSeq\nlog\nset width\napply mapFusion\nshow")
    assert reply["status"] == "error" and reply["ename"] == "E21" and "mapFusion does not apply" in reply["evalue"], reply
    assert [kind for kind, _ in said if kind in ("display_data", "stream", "error")] == ["display_data", "display_data", "stream", "error"]
    assert "<mark>" in shown(said)[0]["text/html"] and 'class="tree"' in shown(said)[1]["text/html"]
    assert run("# nothing")[0]["status"] == "ok" and run("")[0]["status"] == "ok"
    found = client.complete("show\nund", 8, reply=True, timeout=60)["content"]
    assert "undo" in found["matches"] and found["cursor_start"] == 5 and found["cursor_end"] == 8, found
    found = client.inspect("undo 2", 2, reply=True, timeout=60)["content"]
    assert found["found"] and "undo" in found["data"]["text/plain"], found
    for code, status in ("let f x = (", "incomplete"), ("show", "complete"):
        client.is_complete(code)
        assert client.get_shell_msg(timeout=60)["content"]["status"] == status
    threading.Timer(1, manager.interrupt_kernel).start()
    start = time.time()
    reply, said = run("lua while true do end")
    assert reply["ename"] == "E25" and time.time() - start < 30, reply
    assert run("show")[0]["status"] == "ok"                 # the session is still there
    assert run("quit")[0]["status"] == "ok" and run("help")[0]["status"] == "error" and run("help show")[0]["status"] == "ok"
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
print("used")
E1
timeout 200 "$python" use.py >said 2>&1 || true
grep -q '^used$' said || fail "$(grep -A4 'use.py' said | head -12)"
for notebook in *.ipynb; do
    name=$(basename "$notebook" .ipynb)
    errors=$([ $name != terms ] || echo --allow-errors)     # nobody has done its parts
    timeout 300 "$python" -m nbconvert --to notebook --execute $errors --output-dir out "$notebook" >said 2>&1 || fail "$name: $(tail -3 said)"
done
"$python" - <<'E1' || fail "the notebooks show something else"
import json


def outputs(name):
    cells = json.load(open("out/%s.ipynb" % name))["cells"]
    return "".join(json.dumps(cell["outputs"]) for cell in cells if cell["cell_type"] == "code")


product, search, lesson = outputs("matrix-product"), outputs("search"), outputs("terms")
assert "OpenCL of @" in product and "verify  OK" in product and product.count("<mark>") > 4
assert search.count("data:image/svg+xml;base64,") == 2 and "12 tried" in search
assert "part 1, A program is a tree, is not reached yet" in lesson
E1
exit $bad

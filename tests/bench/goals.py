"""Goals of the lessons that are shapes (`term`, `has`), each by `reach` from where its part begins, or through those before it, as the part
has them in order: seconds of the processor, steps, e-nodes.
Usage: goals.py [LATHE [SECONDS]]"""
import json
import os
import re
import subprocess
import sys

lathe = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/lathe")
seconds = sys.argv[2] if len(sys.argv) > 2 else "2"
lessons = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/lessons")


def fenced(part, word):
    found = re.search(r"^```%s\n(.*?)^```" % word, part, flags=re.M | re.S)
    return found.group(1) if found else ""


def reached(folder, load, sketch, before):
    """What `reach` reports, None where it fails; None, too, where the part begins without a program."""
    script = load + "reach '%s' %s --budget %s\n" % (sketch, " ".join("through '%s'" % s for s in before), seconds)
    said = subprocess.run([lathe, "--no-init", "--json", "--keep-going"], input=script, cwd=folder, capture_output=True, text=True).stdout
    answers = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return next((a["data"] for a in answers if a["verb"] == "reach" and a["ok"]), None)


tried = []
for lesson in sorted(os.listdir(lessons)):
    folder = os.path.join(lessons, lesson)
    parts = open(os.path.join(folder, "lesson.md")).read().split("\n## ")[1:]
    for i, part in enumerate(parts, 1):
        load, before = fenced(part, "load"), []
        for kind, shape in re.findall(r"^(has|term) (.*?)(?: -- .*)?$", fenced(part, "goal"), flags=re.M):
            if not load:
                continue
            sketch = shape if kind == "term" else "contains (%s)" % shape
            data = reached(folder, load, sketch, []) or (reached(folder, load, sketch, before) if before else None)
            tried.append(data)
            if data:
                before.append(sketch)
            how = "%.3f s  %d steps  %d e-nodes" % (data["seconds"], len(data["steps"]), data["nodes"]) if data else "not reached"
            print("%-11s %2d  %-70s  %s" % (lesson, i, shape[:70], how), flush=True)
times = [data["seconds"] for data in tried if data]
print("%d of %d reached, the slowest in %.3f s" % (len(times), len(tried), max(times)))

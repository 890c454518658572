"""Goals of the lessons that are shapes (`term`, `has`), each by `reach` from where its part begins, or through those before it, as the part
has them in order: seconds of the processor, steps, e-nodes. A rule that the part wants of its own is typed before; where `reach` says
that a version before leads there, it is asked there.
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


def asked(folder, script):
    said = subprocess.run([lathe, "--no-init", "--json", "--keep-going"], input=script, cwd=folder, capture_output=True, text=True).stdout
    answers = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return next((a for a in reversed(answers) if a["verb"] == "reach"), None)


def reached(folder, load, sketch, before):
    """What `reach` reports, None where it fails."""
    goal = "reach '%s' %s --budget %s\n" % (sketch, " ".join("through '%s'" % s for s in before), seconds)
    answer = asked(folder, load + goal)
    tries = answer["diag"][0].get("try", []) if answer and not answer["ok"] else []
    back = next((t for t in tries if t.startswith("goto @")), None)
    if back:
        answer = asked(folder, load + back.split(";")[0] + "\n" + goal)
    return answer["data"] if answer and answer["ok"] else None


tried = []
for lesson in sorted(os.listdir(lessons)):
    folder = os.path.join(lessons, lesson)
    parts = open(os.path.join(folder, "lesson.md")).read().split("\n## ")[1:]
    there = ""                                   # what leads to where the part before ended
    for i, part in enumerate(parts, 1):
        own = [line for line in fenced(part, "solution").splitlines() if re.match("rule |check ", line)] if "checked " in fenced(part, "goal") else []
        load, before = fenced(part, "load"), []
        there = load if re.search("^(load|let|use) ", load, flags=re.M) else there + load
        load = there + "".join(line + "\n" for line in own)
        there += "".join(line + "\n" for line in fenced(part, "solution").splitlines() if not re.match("lesson|code|run|search|tune", line))
        for kind, shape in re.findall(r"^(has|term) (.*?)(?: -- .*)?$", fenced(part, "goal"), flags=re.M):
            sketch = shape if kind == "term" else "contains (%s)" % shape
            data = reached(folder, load, sketch, []) or (reached(folder, load, sketch, before) if before else None)
            tried.append(data)
            if data:
                before.append(sketch)
            how = "%.3f s  %d steps  %d e-nodes" % (data["seconds"], len(data["steps"]), data["nodes"]) if data else "not reached"
            print("%-11s %2d  %-70s  %s" % (lesson, i, shape[:70], how), flush=True)
times = [data["seconds"] for data in tried if data]
print("%d of %d reached, the slowest in %.3f s" % (len(times), len(tried), max(times)))

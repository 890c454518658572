"""Keys to the end of the ten lessons, at a screen of 80 x 24: the solutions typed in full, and with Tab, answers by themselves, Enter to go on.
Reading on (Space in the pager) counts in both. Plays the lessons: a solution that does not reach its goal ends it with code 1.
Usage: keystrokes.py [LATHE]"""
import json
import os
import re
import subprocess
import sys
import tempfile

lathe = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/lathe")
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
LESSONS = "terms rules splitting reductions machine measuring strategies searching naming rows".split()
ROWS = 24


class Lathe:
    def __init__(self, state):
        environment = dict(os.environ, XDG_STATE_HOME=state, COLUMNS="80", LANG="C.UTF-8")
        self.process = subprocess.Popen([lathe, "--no-init", "--json", "-f", "-"], cwd=root, env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0

    def request(self, **what):
        self.id += 1
        self.process.stdin.write(json.dumps(dict(what, id=self.id)) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.id:
                return answer
        raise EOFError("lathe has ended")



def inserted(answer, typed):
    """What Tab makes of what was typed; "": it lists, or does nothing."""
    data = answer["data"]
    items = (data or {}).get("items") or []
    whole = os.path.commonprefix([i["text"] for i in items])
    return typed[:data["from"]] + whole + (" " if len(items) == 1 else "") if whole else ""


def with_tab(session, line):
    """Fewest keys for the line and Enter: best[i], keys until its first i characters stand there. A Tab counts where it adds two or more, all
    of them right; the blank that it puts at the end of a line is none."""
    best = list(range(len(line) + 1))
    for i in range(1, len(line)):
        best[i] = min(best[i], best[i - 1] + 1)
        text = inserted(session.request(complete=line[:i], pos=i), line[:i])
        n = len(text)
        if n > i + 1 and (line.startswith(text) or line == text.rstrip()):
            n = min(n, len(line))
            best[n] = min(best[n], best[i] + 1)
    best[-1] = min(best[-1], best[-2] + 1)
    return best[-1] + 1


def blocks(part, word):
    return re.findall(r"^```%s\n(.*?)^```" % word, part, flags=re.M | re.S)


def answer_keys(part, answer):
    """An answer alone: of a choice its number."""
    choices = [c.strip() for c in "".join(re.findall(r"^choice (.*)$", "".join(blocks(part, "ask")), flags=re.M)).split("|")]
    return len(str(choices.index(answer) + 1) if answer in choices else answer) + 1


full = short = 0
print("lesson\tin full\twith Tab")
with tempfile.TemporaryDirectory() as state:
    for name in LESSONS:
        session = Lathe(state)
        parts = open(os.path.join(root, "scripts/lessons", name, "lesson.md")).read().split("\n## ")[1:]
        said = "lesson " + name
        keys = [len(said) + 1, with_tab(session, said)]
        text = session.request(cmd=said)["text"]
        for number, part in enumerate(parts):
            pages = (text.count("\n") + 1) // (ROWS - 1)
            keys = [k + pages for k in keys]
            for line in "".join(blocks(part, "solution")).splitlines():
                keys[0] += len(line) + 1
                given = line.startswith("lesson check ")
                keys[1] += answer_keys(part, line[len("lesson check "):]) if given else with_tab(session, line)
                session.request(cmd=line)
            if session.request(cmd="lesson check")["data"]["state"] != "done":
                sys.exit("%s, part %d: its solution does not reach the goal" % (name, number + 1))
            keys = [keys[0] + len("lesson next") + 1, keys[1] + 1]
            text = session.request(cmd="lesson next")["text"] if number + 1 < len(parts) else ""
        session.process.stdin.close()
        session.process.wait()
        print("%s\t%d\t%d" % (name, *keys))
        full, short = full + keys[0], short + keys[1]
print("all\t%d\t%d" % (full, short))

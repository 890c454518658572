#!/usr/bin/env python3
"""answers: `lathe --json -f -` as a program that drives it sees it: one answer a command, at once; Ctrl-C ends a command, never the
session, and what it started; nothing but objects on standard output. Usage: answers.py LATHE"""
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

LATHE = os.path.abspath(sys.argv[1])
WAIT, STOPPED = 60, 8               # seconds for any answer; for that of a command that was stopped: three, and a machine under load


class Lathe:
    def __init__(self, *options):
        self.home = tempfile.TemporaryDirectory()
        env = dict(os.environ, XDG_STATE_HOME=self.home.name, XDG_CONFIG_HOME=self.home.name)
        self.process = subprocess.Popen([LATHE, "--no-init", "--json", *options, "-f", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=env)

    def tell(self, *lines):
        self.process.stdin.write(("".join(line + "\n" for line in lines)).encode("latin-1"))
        self.process.stdin.flush()

    def answer(self, seconds=WAIT):
        while True:
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            assert ready, "no answer"
            line = self.process.stdout.readline()
            assert line, "lathe has ended"
            said = json.loads(line.decode("utf-8"))
            if "event" not in said:
                return said

    def ask(self, *lines):
        self.tell(*lines)
        return self.answer()

    def stopped(self, line, begun=lambda: time.sleep(1)):
        """The answer of a command that gets Ctrl-C alone, not with what it started."""
        self.tell(line)
        begun()
        self.process.send_signal(signal.SIGINT)
        said = self.answer(STOPPED)
        assert not said["ok"], said
        return said

    def end(self):
        self.process.stdin.close()
        return self.process.wait(WAIT)


def ids(said):
    return [d["id"] for d in said["diag"]]


def until(what):
    end = time.time() + WAIT
    while not what():
        assert time.time() < end, "waited in vain"
        time.sleep(0.05)


def number_in(file):
    with open(file) as f:
        return int(f.read() or 0)


def is_running(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def interrupted(folder):
    lathe = Lathe()                 # without --keep-going, too
    assert ids(lathe.stopped("lua while true do end")) == ["E25"]
    assert lathe.ask("let long (x: [N]f32) = iterate 1000000 (map (\\v -> v * 1.0001)) x")["ok"]
    assert lathe.ask("data N = 1000000")["ok"]
    assert ids(lathe.stopped("eval")) == ["E25"]
    lathe.process.send_signal(signal.SIGINT)            # between commands
    time.sleep(0.2)
    assert lathe.ask("show")["ok"]
    # what a command started, and what that started, however deaf it is
    commands = ["echo $$ >{0}; exec sleep 1000", "trap '' INT; (trap '' INT TERM; echo $$ >{0}; sleep 1000); true"]
    ways = "!%s", "list rules | %s", 'lua os.execute("%s") print(1)', 'lua for line in io.popen("%s"):lines() do end', 'lua io.popen("%s", "w"):close()'
    for n, (way, command) in enumerate((way, command) for way in ways for command in commands):
        file = "%s/pid%d" % (folder, n)
        open(file, "w").close()
        with open(file + ".sh", "w") as script:
            script.write(command.format(file))
        lathe.stopped(way % ("sh " + file + ".sh"), lambda: until(lambda: number_in(file)))
        until(lambda: not is_running(number_in(file)))
    # a launcher that never answers, and is asked again
    launcher = "%s/launcher" % folder
    with open(launcher, "w") as f:
        f.write("#!/bin/sh\necho $$ >>%s/launched\nexec sleep 1000\n" % folder)
    os.chmod(launcher, 0o755)
    open("%s/launched" % folder, "w").close()
    assert lathe.ask('set launcher "%s"' % launcher)["ok"]
    for n in 1, 2:
        assert ids(lathe.stopped("device", lambda: until(lambda: len(open("%s/launched" % folder).readlines()) == n))) == ["E25"]
    for pid in open("%s/launched" % folder).read().split():
        until(lambda: not is_running(int(pid)))
    assert lathe.ask("show")["ok"]
    assert lathe.end() != 0


def at_once():
    lathe = Lathe("--keep-going")
    for line in "apply foo(", "show \"a", "apply foo(1, [2", "help {", "=({1,":
        assert not lathe.ask(line)["ok"], line
    said = lathe.ask("let inc (xs: [N]i32) =", "  map (\\x ->", "  x + 1) xs", "")
    assert said["ok"] and said["data"]["program"] == "inc", said
    assert lathe.ask("lua for i = 1, 2 do", "print(i)", "end")["data"]["text"] == "1\n2\n"
    assert lathe.end() == 2


def only_objects():
    lathe = Lathe("--keep-going")
    assert lathe.ask('lua print("a\\0b") io.write("c", 1, "\\255\\n")')["data"]["text"] == "a\0b\nc1\\xff\n"
    for line in 'lua io.stdout:write("x\\n") io.stdout:flush()', 'lua os.execute("echo x")', 'lua io.popen("echo x; cat", "w"):close()':
        assert lathe.ask(line)["ok"], line
    assert lathe.ask("!printf 'a\\000b\\377'; cat")["data"]["text"] == "a\0b\\xff"
    assert lathe.ask("help | cat")["ok"]
    assert lathe.ask('lua error("a\\0b")')["diag"][0]["message"].endswith("a\\0b")
    said = lathe.ask("load no\xffne.fun")
    assert said["cmd"] == "load no\\xffne.fun" and "no\\xffne.fun" in said["diag"][0]["message"], said
    lathe.end()


with tempfile.TemporaryDirectory() as scratch:
    interrupted(scratch)
at_once()
only_objects()


def requests():
    lathe = Lathe()
    said = []

    def ask(**request):
        lathe.tell(json.dumps(request))
        said.clear()
        while not said or "id" not in said[-1]:
            said.append(json.loads(lathe.process.stdout.readline()))
        return said[-1]

    assert ask(id="a", cmd="let inc (xs: [N]i32) = map (\\x -> x + 1) xs")["id"] == "a"
    last = ask(id=1, cmd="show; lower")
    assert [(x.get("parent"), x["verb"]) for x in said] == [(1, "show"), (None, "lower")] and "mapGlobal" in last["text"], said
    last = ask(id=2, cmd="show --oops; lower")              # the session goes on, the line does not
    assert last["code"] == 2 and last["text"].startswith("E05 show has no flag") and len(said) == 1, said
    assert ask(id=3, cmd=" ")["ok"] and ask(id=4, cmd="# a comment")["ok"] and ids(ask(id=5)) == ["E05"] and ids(ask(cmd="show")) == ["E05"]
    lathe.tell('{"id"')
    assert ids(lathe.answer()) == ["E03"]
    assert ask(id=6, iscomplete="let f x = (")["data"] == {"status": "incomplete"} and ask(id=7, iscomplete="show")["data"]["status"] == "complete"
    made = ask(id=8, complete="help é; und", pos=11)["data"]
    assert made["from"] == 8 and made["to"] == 11 and "undo" in [x["text"] for x in made["items"]], made
    assert "undo" in ask(id=9, inspect="undo 2", pos=1)["text"]
    lathe.tell('{"id": 10, "cmd": "lua while true do end"}')
    time.sleep(1)
    lathe.tell('{"interrupt": 9}')
    time.sleep(0.3)
    lathe.tell('{"id": 11, "cmd": "show"}', '{"interrupt": 10}')
    last = lathe.answer(STOPPED)
    assert last["id"] == 10 and ids(last) == ["E25"], last
    assert json.loads(lathe.process.stdout.readline())["id"] == 11          # it may have come with the other
    assert lathe.ask("show")["ok"]
    assert lathe.end() == 0


requests()

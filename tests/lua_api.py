#!/usr/bin/env python3
"""lua_api: `help lua-api` names every field and method that there is, and none else. Usage: lua_api.py LATHE"""
import json
import re
import subprocess
import sys

LATHE = sys.argv[1]
MADE = """load tests/programs/mm.fun
data N = 64, K = 64, M = 64
lua v = t.version() x = v:term() n = x.length space = assert(v:try(splitJoin)):space() v:try(function(c) k = c return c end)"""
WAYS = {"t, the session": "t.", "v, a version": "v:", "x, a term": "x:", "k, a cursor": "k:", "n, a size": "n:", "space, the legal": "space:"}
requests = [{"id": 0, "cmd": MADE}, {"id": 1, "cmd": "help lua-api"}, {"id": 2, "cmd": "list commands"}]
requests += [{"id": 3 + i, "complete": "lua =" + way} for i, way in enumerate(WAYS.values())]
said = subprocess.run([LATHE, "--no-init", "--json", "-f", "-"], input="".join(json.dumps(r) + "\n" for r in requests), stdout=subprocess.PIPE, text=True)
answers = {a["id"]: a for a in map(json.loads, said.stdout.splitlines()) if "id" in a}
assert answers[0]["ok"], answers[0]["text"]
page = answers[1]["text"]
commands = {item["name"].split()[0] for item in answers[2]["data"]["items"]}
bad = 0
for i, (title, way) in enumerate(WAYS.items()):
    there = {item["text"].rstrip("(") for item in answers[3 + i]["data"]["items"]}
    section = page[page.index("\n  " + title):].split("\n\n")[0]
    named = set(re.findall(r"(?:^    |, )#?" + way[0] + r"\w*(?:[.:]|\[\")(\w+)", section, re.M))
    named |= {"version"} if way == "t." else set()
    there -= commands - named if way == "t." else set()
    if way == "space:":
        there |= {"count", "names"}                         # fields that are no methods are not completed
    for name in sorted(there ^ named):
        print("lua_api: %s%s %s" % (way, name, "is in no line of the page" if name in there else "is not there"))
        bad = 1
sys.exit(bad)

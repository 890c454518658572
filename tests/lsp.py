#!/usr/bin/env python3
"""lsp: `lathe --lsp` as an editor sees it: errors where they are, types, definitions, completion. Usage: lsp.py LATHE"""
import json
import subprocess
import sys


class Server:
    def __init__(self, lathe):
        self.process = subprocess.Popen([lathe, "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id, self.said = 0, {}

    def send(self, **message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, **params):
        self.id += 1
        self.send(id=self.id, method=method, params=params)
        while True:
            message = self.read()
            if message.get("id") == self.id:
                return message.get("result", message.get("error"))
            self.note(message)

    def note(self, message):
        assert message["method"] == "textDocument/publishDiagnostics", message
        self.said[message["params"]["uri"]] = message["params"]["diagnostics"]

    def open(self, uri, text):
        self.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "lathe-fun", "version": 1, "text": text}})
        self.note(self.read())
        return self.said[uri]

    def change(self, uri, text):
        self.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
        self.note(self.read())
        return self.said[uri]

    def at(self, method, uri, line, character):
        return self.ask("textDocument/" + method, textDocument={"uri": uri}, position={"line": line, "character": character})

    def hover(self, uri, line, character):
        found = self.at("hover", uri, line, character)
        return found and found["contents"]["value"].strip("`").replace("lathe-fun", "").strip()


def span(range):
    return [range["start"]["line"], range["start"]["character"], range["end"]["line"], range["end"]["character"]]


FILE = "file:///tmp/a.fun"
TEXT = """# the sum of λ squares
let square x = x * x
let norm (xs: [N]f32) (k: i32) =
  let ys = map (\\v -> square v) xs in
  reduce (+) 0 ys * f32 k
"""
server = Server(sys.argv[1])
assert server.ask("initialize", capabilities={})["capabilities"]["hoverProvider"]
server.send(method="initialized", params={})
assert server.open(FILE, TEXT) == []
assert server.hover(FILE, 4, 15) == "ys : [N]f32"
assert server.hover(FILE, 3, 17) == "v : f32"
assert server.hover(FILE, 2, 6) == "norm : [N]f32 -> i32 -> f32"
assert server.hover(FILE, 3, 24) == "let square x"
assert "apply f to every element" in server.hover(FILE, 3, 12)
assert server.hover(FILE, 4, 18) == "reduce (+) 0 ys * f32 k : f32"
assert server.hover(FILE, 0, 5) is None
assert span(server.at("definition", FILE, 3, 29)["range"]) == [3, 17, 3, 18]          # v: the lambda's
assert span(server.at("definition", FILE, 4, 16)["range"]) == [3, 6, 3, 8]
assert span(server.at("definition", FILE, 3, 22)["range"]) == [1, 4, 1, 10]
assert server.at("definition", FILE, 3, 12) is None                                    # a primitive
items = {item["label"]: item.get("detail") for item in server.at("completion", FILE, 4, 2)["items"]}
assert items["norm"] == "[N]f32 -> i32 -> f32" and items["ys"] == "[N]f32" and "transpose" in items and "softmax" in items, items
names = [s["name"] for s in server.ask("textDocument/documentSymbol", textDocument={"uri": FILE})]
assert names == ["square", "norm"]
# each declaration says its error; what only follows from one is not said
wrong = server.change(FILE, "let f (x: [N]f32) = map (\\é -> x\n")
assert [(d["code"], d["source"]) for d in wrong] == [("E03", "lathe")] and server.hover(FILE, 0, 22), wrong
wrong = server.change(FILE, "let f (x: [N]f32) (y: [M]f32) = zip x y\nlet g (x: [N]f32) = f x x\nlet h (x: i32) = x + nothing\n")
assert [(d["code"], span(d["range"])) for d in wrong] == [("E04", [0, 32, 0, 39]), ("E02", [2, 21, 2, 28])], wrong
assert "equal lengths" in wrong[0]["message"]
assert server.hover(FILE, 2, 18) == "x : i32"
assert server.change(FILE, TEXT) == []
SCRIPT = "file:///tmp/a.lathe"
assert server.open(SCRIPT, "load a.fun\nund") == []
assert "undo" in [item["label"] for item in server.at("completion", SCRIPT, 1, 3)["items"]]
assert "parse and type-check" in server.hover(SCRIPT, 0, 2)
assert server.ask("textDocument/nonsense")["code"] == -32601
assert server.ask("shutdown") is None
server.send(method="exit")
assert server.process.wait(10) == 0

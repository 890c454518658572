#!/usr/bin/env python3
# serve: the page of `serve`: who gets an answer, that it follows the session, and (where Chromium is installed) that a browser shows it.
# Usage: serve.py LATHE [FOLDER]        with a folder: figures of a session of 1,000 versions, and pictures there
import http.client, json, os, re, shutil, socket, subprocess, sys, tempfile, time

lathe, folder = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
scratch = tempfile.mkdtemp()
env = dict(os.environ, LANG="C.UTF-8", XDG_STATE_HOME=scratch + "/state", XDG_CONFIG_HOME=scratch + "/config")
bad = 0


def check(ok, what):
    global bad
    if not ok:
        print("serve:", what)
        bad = 1


def until(what, text, seconds=30):
    end = time.time() + seconds
    while time.time() < end:
        got = what()
        if got:
            return got
        time.sleep(0.05)
    check(False, text + ": not within %d s" % seconds)


class Lathe:
    """A lathe driven by JSON lines, with its page."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([lathe, "--no-init", "--json", "--keep-going", "-f", "-", *arguments], env=env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        while True:
            line = json.loads(self.process.stdout.readline())
            if "event" not in line:
                return line

    def run(self, *lines):
        """What the last one reports."""
        for line in lines:
            self.send(line)
            answer = self.answer()
        return answer

    def error(self, line):
        return [d["id"] for d in self.run(line)["diag"]]

    def serve(self, line="serve"):
        self.url = self.run(line)["data"]["url"]
        _, _, self.host, self.token, _ = self.url.split("/")
        return self.url

    def ask(self, name="", method="GET", token=None, path=None, **headers):
        c = http.client.HTTPConnection(self.host, timeout=10)
        c.putrequest(method, path or "/%s/%s" % (token or self.token, name), skip_host=True)
        for k, v in {"Host": self.host, **{k.replace("_", "-"): v for k, v in headers.items()}}.items():
            if v is not None:
                c.putheader(k, v)
        c.endheaders()
        r = c.getresponse()
        r.text = r.read().decode()
        c.close()
        return r

    def state(self):
        return json.loads(self.ask("state").text)

    def end(self):
        self.process.stdin.close()
        return self.process.wait(30)


class Browser:
    """Chromium, over a pipe; what its console says is kept."""

    def __init__(self, program):
        ours, its = os.pipe(), os.pipe()
        preexec = "exec %s 3<&%d 4>&%d" % ('"$@"', ours[0], its[1])
        self.process = subprocess.Popen(
            ["sh", "-c", preexec, "sh", program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--window-size=1280,900", "--user-data-dir=" + scratch + "/browser"],
            pass_fds=(ours[0], its[1]), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0]), os.close(its[1])
        self.out, self.into, self.n, self.rest, self.said, self.session = ours[1], its[0], 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.n += 1
        message = {"id": self.n, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                got = os.read(self.into, 1 << 20)
                if not got:
                    raise EOFError(method)
                self.rest += got
            line, self.rest = self.rest.split(b"\0", 1)
            reply = json.loads(line)
            if reply.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
                self.said.append(reply["params"])
            if reply.get("id") == self.n:
                return reply.get("result", reply)

    def js(self, text):
        return self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)["result"].get("value")

    def picture(self, name):
        import base64
        with open(os.path.join(folder or scratch, name), "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def end(self):
        try:
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(30)


# ---- who gets an answer ----

def refusals(l):
    r = l.ask()
    check(r.status == 200 and "<main>" in r.text, "the page itself")
    policy = r.getheader("Content-Security-Policy") or ""
    check("default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, "its policy: " + policy)
    check(r.getheader("Referrer-Policy") == "no-referrer" and r.getheader("X-Content-Type-Options") == "nosniff", "its headers")
    check(r.getheader("Set-Cookie") is None and r.getheader("Access-Control-Allow-Origin") is None, "cookies, or other origins")
    check("<script>" not in r.text and not re.search(r"\son[a-z]+=|style=|https?://", r.text), "scripts, styles or other hosts within the page")
    for name in "page.css", "live.css", "cards.js", "live.js", "state", "tree", "plot", "v0":
        check(l.ask(name).status == 200, name + " is not there")
    wrong = ("0" if l.token[-1] != "0" else "1")
    for token in wrong * 32, l.token[:-1] + wrong, l.token[:-1], l.token + wrong, "x":
        check(l.ask("state", token=token).status == 404, "the token " + token)
    for path in "/", "/state", "/favicon.ico", "/" + l.token, "//" + l.token + "/state", "/../" + l.token + "/state":
        check(l.ask(path=path).status == 404, "the path " + path)
    check(l.ask("../state").status == 404 and l.ask("v99").status == 404 and l.ask("x" * 2000).status == 404, "names that are none")
    for host in "evil.example", "127.0.0.1", l.host + ".evil.example", "[::1]:%s" % l.host.split(":")[1], None:
        check(l.ask("state", Host=host).status in (400, 403), "Host: %s" % host)
    check(l.ask("state", Host="localhost:" + l.host.split(":")[1]).status == 200, "Host: localhost")
    for origin in "http://evil.example", "null", "https://" + l.host, "http://" + l.host + ".evil":
        check(l.ask("state", Origin=origin).status == 403, "Origin: " + origin)
    check(l.ask("state", Origin="http://" + l.host).status == 200, "its own origin")
    check(l.ask("state", Sec_Fetch_Site="cross-site").status == 403, "what another page asks for")
    check(l.ask("state", Sec_Fetch_Site="same-origin").status == 200, "what the page asks for")
    for method in "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "QUIT":
        r = l.ask("state", method=method)
        check(r.status == 405 and r.getheader("Allow") == "GET, HEAD", method + ": %d" % r.status)
    check(l.ask("state", method="HEAD").text == "", "HEAD has a body")
    port = int(l.host.split(":")[1])
    for name in {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)} - {"127.0.0.1"}:
        try:
            socket.create_connection((name, port), timeout=2).close()
            check(name.startswith("127."), "it listens at " + name)
        except OSError:
            pass
    # rubbish ends a connection, and nothing else
    for rubbish in b"\0\xff" * 4000, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20000, b"GET":
        with socket.create_connection(("127.0.0.1", port)) as s:
            s.settimeout(10)
            try:
                s.sendall(rubbish)
                s.recv(100) if rubbish != b"GET" else None
            except OSError:
                pass
    check(l.ask("state").status == 200, "rubbish has stopped it")


# ---- it follows the session ----

def following(l):
    before = l.state()
    l.run("apply splitJoin(4)")
    now = until(lambda: l.state() if l.state()["current"] == "v1" else None, "a step") or {}
    check(now.get("tree") != before["tree"], "the tree is the same behind a step")
    check("splitJoin" in l.ask("v1").text and "@1" in l.ask("tree").text, "the step is not shown")
    l.run("undo")
    until(lambda: l.state()["current"] == "v0", "undo")
    l.run("data N = 64, M = 64, K = 64", "lower")
    until(lambda: "kernel void mm_k0" in l.ask(l.state()["current"]).text, "a kernel")
    l.run('let odd (xs: [N]f32) = map (\\x -> if x < 1.0 && x > 0.0 then x * 2.0 else 0.5) xs')
    until(lambda: l.state()["title"] == "odd", "another program")
    check("x &lt; 1" in l.ask().text and "x < 1" not in l.ask().text, "terms are not escaped")
    check(l.error("apply noSuchRule") == ["E02"], "an error is not what it was")
    l.run("use mm")


def searching(l):
    """Trials appear while the search runs."""
    count = lambda: sum(len(p["ns"]) for p in json.loads(l.ask("plot").text))
    l.run("load tests/programs/scal.fun", "data N = 4096")
    l.run("lua assert(t.apply(splitJoin * topdown(mapGlobal(1)) * topdown(splitJoin) * topdown(mapGlobal(0)) * topdown(mapSeq)))")
    if not l.run("search params")["ok"]:
        return print("serve: no device: no search is shown")
    l.send("search params using random --budget 60")
    seen = set()
    until(lambda: seen.add(count()) or max(seen) >= 60, "the plot of a search", 120)
    check(len(seen) > 2, "a plot does not grow while it is searched: %s" % sorted(seen))
    check(l.answer()["ok"], "the search")
    check(sum(t > 0 for p in json.loads(l.ask("plot").text) for t in p["ns"]) > 30, "kernels without a time")


def ending(l):
    url = l.url
    check(l.run("serve")["data"]["url"] == url, "serve alone says another address")
    check(l.run("serve off")["data"]["url"] is None, "serve off")
    try:
        l.ask("state")
        check(False, "it answers behind serve off")
    except OSError:
        pass
    check(l.serve() != url and l.ask("state").status == 200, "it begins again at another address")
    port = l.host.split(":")[1]
    other = Lathe()
    check(other.error("serve " + port) == ["E05"], "a port that is taken")
    check(other.end() == 2, "its exit code")
    check(l.end() == 2, "lathe does not end as it did without serve")          # `apply noSuchRule`
    again = Lathe()
    check(again.serve("serve " + port).split("/")[2] == "127.0.0.1:" + port, "the port is not free when lathe has ended")
    check(again.end() == 0, "an empty session")
    check(Lathe("--restricted").error("serve") == ["E05"], "serve with --restricted")


# ---- in a browser ----

def browsing(l, b):
    b.call("Page.navigate", url=l.url)
    until(lambda: b.js("!!document.querySelector('.tree a[aria-current]')"), "the page in a browser")
    check(b.js("document.querySelector('nav h1').textContent") == "scal", "its title")
    l.run("goto @0", "apply mapGlobal(0)", "undo", "lower")
    until(lambda: b.js("document.querySelector('#shown h2').textContent").find("lower") >= 0, "the page does not follow")
    b.js("document.querySelector('.tree a[href=\"#v1\"]').click()")
    until(lambda: b.js("document.querySelector('#shown section').id") == "v1", "a version that is picked")
    check(not b.js("document.querySelector('#follow').hidden"), "no way back to the session")
    l.run("undo")
    time.sleep(1)
    check(b.js("document.querySelector('#shown section').id") == "v1", "the page leaves what was picked")
    b.js("document.querySelector('#follow').click()")
    until(lambda: b.js("document.querySelector('#shown section').id") == "v0", "back to the session")
    circles = b.js("document.querySelectorAll('#plots circle').length")
    check(circles, "no plot of the search")
    b.js("[...document.querySelectorAll('.tree a')].find(a => a.textContent.includes('lower')).click()")
    until(lambda: b.js("document.querySelectorAll('#shown pre.code').length"), "a kernel in the browser")
    b.picture("light.png")
    b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check(b.js("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)", "no dark page")
    b.picture("dark.png")
    said = [s for s in b.said if "favicon" not in json.dumps(s)]
    check(not said, "the browser complains: %s" % json.dumps(said)[:600])
    l.run("serve off")
    until(lambda: not b.js("document.querySelector('#gone').hidden"), "the page does not say that the session has ended")
    l.serve()


def thousand(b):
    """Figures of a session of 1,000 versions."""
    l = Lathe()
    l.run("load tests/programs/mm.fun", "data N = 256, M = 256, K = 256")
    step = "assert(t.apply('%s'))"
    l.run("lua for i = 1, 333 do t.goto_('@0') ; assert(t.apply('splitJoin(' .. i .. ')')) ; %s ; %s end" % (step % "topdown(fuseReduce)", step % "topdown(mapSeq)"))
    l.serve()
    print("versions %d, tree %d bytes" % (len(re.findall("<a href", l.ask("tree").text)), len(l.ask("tree").text)))
    begin = time.time()
    l.run("apply splitJoin(4)")
    plain = time.time()
    until(lambda: "splitJoin" in l.ask("v" + l.state()["current"][1:]).text, "the thousandth")
    print("a step and its section: command %.0f ms, on the page after %.0f ms" % ((plain - begin) * 1e3, (time.time() - begin) * 1e3))
    if b:
        paints = []
        for i in range(3):
            b.call("Page.navigate", url="about:blank")
            b.call("Page.navigate", url=l.url)
            until(lambda: b.js("performance.getEntriesByName('first-contentful-paint').length && !!document.querySelector('.tree a[aria-current]')"), "paint")
            paints.append(b.js("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        print("first paint: " + ", ".join("%.0f ms" % p for p in paints))
        b.picture("thousand.png")
    l.end()


l = Lathe()
l.run("load tests/programs/mm.fun")
l.serve()
program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = None
try:
    refusals(l)
    following(l)
    searching(l)
    if program:
        browser = Browser(program)
        browsing(l, browser)
    else:
        print("serve: no Chromium: the page is not looked at")
    ending(l)
    if folder:
        thousand(browser)
finally:
    if browser:
        browser.end()
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(bad)

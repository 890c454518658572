"""A Jupyter kernel of lathe: cells are lines of its prompt, answers are shown with pictures. It drives `lathe --json --display html,svg -f -`
(`lathe --help json`), the one that $LATHE names or that is found."""
import base64
import json
import os
import subprocess
import threading

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel


class Lathe:
    """The process: request(...) gives every object of an answer, the last with `id`."""

    def __init__(self):
        self.command = os.environ.get("LATHE", "lathe")
        # its own group: Ctrl-C is for this process, which says so
        self.process = subprocess.Popen([self.command, "--json", "--display", "html,svg", "-f", "-"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, start_new_session=True, text=True, encoding="utf-8")
        self.id, self.sending = 0, threading.Lock()

    def send(self, **request):
        with self.sending:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()

    def request(self, **what):
        self.id += 1
        self.send(id=self.id, **what)
        while True:
            try:
                line = self.process.stdout.readline()
            except KeyboardInterrupt:
                self.send(interrupt=self.id)
                continue
            if not line:
                raise EOFError
            answer = json.loads(line)
            yield answer
            if answer.get("id") == self.id:
                return

    def last(self, **what):
        return list(self.request(**what))[-1]

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:         # it ended before it read the last request
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()


def line_at(code, position):
    """The line of a cell that the position is in, and where the line begins."""
    begin = code.rfind("\n", 0, position) + 1
    return code[begin:].split("\n", 1)[0], begin


class LatheKernel(Kernel):
    implementation = "lathe"
    language_info = {"name": "lathe", "mimetype": "text/x-lathe", "file_extension": ".lathe", "pygments_lexer": "text"}

    def __init__(self, **options):
        super().__init__(**options)
        self.begin()

    def begin(self):
        self.lathe = Lathe()
        version = subprocess.run([self.lathe.command, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
        self.implementation_version = version.split()[1]
        self.language_info = dict(self.language_info, version=self.implementation_version)
        self.banner = version + ": help, load FILE, lesson terms"

    def say(self, text, name="stdout"):
        if text:
            self.send_response(self.iopub_socket, "stream", {"name": name, "text": text})

    def show(self, answer):
        display = answer.get("display")
        if not display:
            self.say(answer["text"])
            return
        data = dict(display, **{"text/plain": answer["text"].rstrip("\n")})
        if "image/svg+xml" in display:          # as an image: nbconvert takes the content of others away
            picture = base64.b64encode(data.pop("image/svg+xml").encode()).decode()
            data["text/html"] = data.get("text/html", "") + '<img src="data:image/svg+xml;base64,%s">' % picture
        self.send_response(self.iopub_socket, "display_data", {"data": data, "metadata": {}})

    def progress(self, event):
        """The last trial of a search, in place of the one before it."""
        self.trials += 1
        text = "%d tried" % self.trials
        if event.get("ns"):
            self.best = min(self.best or event["ns"], event["ns"])
        if self.best:
            text += ", the best %.4g ms" % (self.best / 1e6)
        message = {"data": {"text/plain": text}, "metadata": {}, "transient": {"display_id": "search-%d" % self.lathe.id}}
        self.send_response(self.iopub_socket, "update_display_data" if self.trials > 1 else "display_data", message)

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **_):
        reply = {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}
        if not code.strip():
            return reply
        self.trials, self.best = 0, None
        try:
            for answer in self.lathe.request(cmd=code):
                if silent:
                    pass
                elif "event" in answer:
                    self.progress(answer)
                elif answer["ok"] or "id" not in answer:
                    self.show(answer)
        except (EOFError, BrokenPipeError):
            self.lathe.end()
            self.begin()
            answer = {"ok": False, "text": "lathe has ended; a new session has begun\n", "diag": []}
        if answer["ok"]:
            return reply
        errors = [d for d in answer["diag"] if d["severity"] == "error"]
        error = {"ename": errors[-1]["id"] if errors else "lathe", "evalue": errors[-1].get("message", "") if errors else answer["text"],
                 "traceback": answer["text"].rstrip("\n").split("\n")}
        if not silent:
            self.send_response(self.iopub_socket, "error", error)
        return dict(reply, status="error", **error)

    def do_complete(self, code, cursor_pos):
        line, begin = line_at(code, cursor_pos)
        data = self.lathe.last(complete=line, pos=cursor_pos - begin)["data"]
        types = [{"start": begin + data["from"], "end": begin + data["to"], "text": item["text"], "type": item["gloss"]} for item in data["items"]]
        return {"status": "ok", "matches": [item["text"] for item in data["items"]], "cursor_start": begin + data["from"],
                "cursor_end": begin + data["to"], "metadata": {"_jupyter_types_experimental": types}}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        line, begin = line_at(code, cursor_pos)
        answer = self.lathe.last(inspect=line, pos=cursor_pos - begin)
        data = {"text/plain": answer["text"]} if answer["ok"] else {}
        return {"status": "ok", "found": answer["ok"], "data": data, "metadata": {}}

    def do_is_complete(self, code):
        status = self.lathe.last(iscomplete=code)["data"]["status"]
        return {"status": status, "indent": "  "} if status == "incomplete" else {"status": status}

    def do_shutdown(self, restart):
        self.lathe.end()
        if restart:
            self.begin()
        return {"status": "ok", "restart": restart}


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=LatheKernel)

// VS Code: starts `lathe --lsp`, and hands it what the editor asks. It needs no other extension.
const vscode = require("vscode");
const { spawn } = require("child_process");

const LANGUAGES = ["lathe-fun", "lathe"];

class Server {
  constructor(command, diagnostics) {
    this.waiting = new Map();
    this.id = 0;
    this.rest = Buffer.alloc(0);
    this.diagnostics = diagnostics;
    this.process = spawn(command, ["--lsp"], { stdio: ["pipe", "pipe", "ignore"] });
    this.process.on("error", () => vscode.window.showErrorMessage(`lathe was not found as "${command}": set lathe.command`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.read(data));
    this.ready = this.request("initialize", { capabilities: {} }).then(() => this.notify("initialized", {}));
  }

  write(message) {
    const body = Buffer.from(JSON.stringify(Object.assign({ jsonrpc: "2.0" }, message)));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) { this.write({ method, params }); }

  request(method, params) {
    const id = ++this.id;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.write({ id, method, params });
    });
  }

  read(data) {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const end = this.rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.rest.toString("utf8", 0, end))[1]);
      if (this.rest.length < end + 4 + length) return;
      const message = JSON.parse(this.rest.toString("utf8", end + 4, end + 4 + length));
      this.rest = this.rest.subarray(end + 4 + length);
      if (message.method === "textDocument/publishDiagnostics") this.publish(message.params);
      else if (this.waiting.has(message.id)) {
        this.waiting.get(message.id)(message.result);
        this.waiting.delete(message.id);
      }
    }
  }

  publish(params) {
    const found = params.diagnostics.map((d) => {
      const made = new vscode.Diagnostic(range(d.range), d.message, vscode.DiagnosticSeverity.Error);
      made.code = d.code;
      made.source = d.source;
      return made;
    });
    this.diagnostics.set(vscode.Uri.parse(params.uri), found);
  }
}

function range(r) { return new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character); }

function at(document, position) {
  return { textDocument: { uri: document.uri.toString() }, position: { line: position.line, character: position.character } };
}

function activate(context) {
  const diagnostics = vscode.languages.createDiagnosticCollection("lathe");
  const server = new Server(vscode.workspace.getConfiguration("lathe").get("command", "lathe"), diagnostics);
  const ours = (document) => LANGUAGES.includes(document.languageId);
  const opened = (document) => server.ready.then(() => server.notify("textDocument/didOpen", {
    textDocument: { uri: document.uri.toString(), languageId: document.languageId, version: document.version, text: document.getText() } }));
  const changed = (document) => server.ready.then(() => server.notify("textDocument/didChange", {
    textDocument: { uri: document.uri.toString(), version: document.version }, contentChanges: [{ text: document.getText() }] }));
  vscode.workspace.textDocuments.filter(ours).forEach(opened);
  context.subscriptions.push(
    diagnostics,
    vscode.workspace.onDidOpenTextDocument((document) => { if (ours(document)) opened(document); }),
    vscode.workspace.onDidChangeTextDocument((event) => { if (ours(event.document)) changed(event.document); }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (ours(document)) server.ready.then(() => server.notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } }));
    }),
    vscode.languages.registerHoverProvider(LANGUAGES, { async provideHover(document, position) {
      const found = await server.request("textDocument/hover", at(document, position));
      return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value), found.range && range(found.range));
    } }),
    vscode.languages.registerCompletionItemProvider(LANGUAGES, { async provideCompletionItems(document, position) {
      const found = await server.request("textDocument/completion", at(document, position));
      return (found ? found.items : []).map((item) => {
        const made = new vscode.CompletionItem(item.label, item.kind - 1);
        made.detail = item.detail;
        if (item.textEdit) Object.assign(made, { range: range(item.textEdit.range), insertText: item.textEdit.newText });
        return made;
      });
    } }, "/", "@"),
    vscode.languages.registerDefinitionProvider(LANGUAGES, { async provideDefinition(document, position) {
      const found = await server.request("textDocument/definition", at(document, position));
      return found && new vscode.Location(vscode.Uri.parse(found.uri), range(found.range));
    } }),
    { dispose: () => server.request("shutdown", null).then(() => server.notify("exit", null)) });
}

module.exports = { activate };

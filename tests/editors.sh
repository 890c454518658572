#!/bin/sh
# editors: what `--editor-install` writes works in vim, Emacs and VS Code: files have their types, words their colours, and the extension speaks
# with `lathe --lsp`. Editors that are not installed are left out. Usage: editors.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
cd "$scratch"
export HOME="$scratch"
for editor in vim nvim emacs vscode; do "$lathe" --editor-install $editor >said || fail "$editor: $(cat said)"; done
[ -f .config/nvim/plugin/lathe.lua ] || fail "nothing for Neovim"
! "$lathe" --editor-install ed 2>said && grep -q 'vim, nvim, emacs, vscode' said || fail "ed is an editor: $(cat said)"
cat >a.fun <<'E1'
# a comment with map
let f (x: [N]f32) = softmax (map (\v -> v * 2.0) x)
E1
echo 'apply mapSeq at /in ; show --as tree' >a.lathe
if command -v vim >/dev/null && vim --version | grep -q '+syntax'; then
    cat >look.vim <<'E1'
syntax on
edit a.fun
let s = map([[1, 18], [2, 1], [2, 9], [2, 12], [2, 14], [2, 21], [2, 30], [2, 45]], 'synIDattr(synID(v:val[0], v:val[1], 1), "name")')
edit a.lathe
let c = map([[1, 1], [1, 17], [1, 23], [1, 30]], 'synIDattr(synID(v:val[0], v:val[1], 1), "name")')
call writefile([join(s), join(c), &commentstring], 'colours')
qall!
E1
    vim -es -u NONE -N -c 'filetype plugin on' -S look.vim </dev/null >/dev/null 2>&1 || true
    diff - colours <<'E1' || fail "vim has other colours"
latheComment latheKeyword latheOperator latheSize latheType lathePrelude lathePrimitive latheNumber
latheCommand lathePlace latheCommand latheFlag
# %s
E1
fi
if command -v emacs >/dev/null; then
    emacs --batch -l .emacs.d/lathe/lathe-mode.el --eval '(progn (find-file "a.fun") (font-lock-ensure)
        (princ (list major-mode (get-text-property 3 (quote face)) (get-text-property 23 (quote face)) (progn (search-forward "(map") (get-text-property (- (point) 2) (quote face)))))
        (find-file "a.lathe") (font-lock-ensure) (princ (list major-mode (get-text-property 2 (quote face)))))' >said 2>errors || fail "$(tail -3 errors)"
    [ "$(cat said)" = "(lathe-fun-mode font-lock-comment-face font-lock-keyword-face font-lock-function-name-face)(lathe-mode font-lock-keyword-face)" ] ||
        fail "Emacs has other colours: $(cat said)"
fi
folder=$(echo .vscode/extensions/*)
for file in "$folder"/*.json; do
    ! command -v python3 >/dev/null || python3 -m json.tool "$file" >/dev/null || fail "$file is no JSON"
done
if command -v node >/dev/null; then
    mkdir -p node_modules/vscode
    cat >node_modules/vscode/index.js <<'E1'
// as much of VS Code as the extension uses; what it registers is called once
class Value { constructor(...parts) { Object.assign(this, { parts }); } }
const told = {};
const event = (name) => (f) => { told[name] = f; return { dispose() {} }; };
const provider = (name) => (languages, p) => { told[name] = p; return { dispose() {} }; };
module.exports = {
  told, Range: Value, Diagnostic: Value, Hover: Value, MarkdownString: Value, CompletionItem: Value, Location: Value,
  DiagnosticSeverity: { Error: 0 }, Uri: { parse: (text) => text },
  window: { showErrorMessage: (text) => { console.log(text); process.exit(1); } },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, list) => { told.problems = list; if (told.then) told.then(); }, dispose() {} }),
    registerHoverProvider: provider("hover"), registerCompletionItemProvider: provider("completion"), registerDefinitionProvider: provider("definition"),
  },
  workspace: {
    getConfiguration: () => ({ get: () => process.env.LATHE }), textDocuments: [],
    onDidOpenTextDocument: event("open"), onDidChangeTextDocument: event("change"), onDidCloseTextDocument: event("close"),
  },
};
E1
    cat >use.js <<'E1'
const { told } = require("vscode");
const context = { subscriptions: [] };
require(process.argv[2]).activate(context);
let text = "let f (x: [N]f32) = zip x\n";
const document = { languageId: "lathe-fun", version: 1, uri: "file:///a.fun", getText: () => text };
const published = () => new Promise((resolve) => { told.then = resolve; });
(async () => {
  let next = published();
  told.open(document);
  await next;
  console.log(told.problems.length, told.problems[0].code);
  text = "let f (x: [N]f32) = map (\\v -> v * 2) x\n";
  next = published();
  told.change({ document });
  await next;
  console.log(told.problems.length);
  const at = { line: 0, character: 26 };
  console.log((await told.hover.provideHover(document, at)).parts[0].parts[0].includes("v : f32"));
  console.log((await told.completion.provideCompletionItems(document, at)).some((item) => item.parts[0] === "transpose"));
  console.log((await told.definition.provideDefinition(document, { line: 0, character: 31 })).parts[1].parts.join());
  context.subscriptions.at(-1).dispose();
})();
E1
    LATHE=$lathe NODE_PATH=$scratch/node_modules timeout 60 node use.js "$scratch/$folder/extension.js" >said 2>&1 || fail "the extension: $(tail -3 said)"
    [ "$(tr '\n' ' ' <said)" = "1 E04 0 true true 0,26,0,27 " ] || fail "the extension says: $(cat said)"
fi
exit $bad

/* lsp: a server of the Language Server Protocol for programs and scripts, on standard input and output. */
#include "cmdline.h"
#include "complete.h"
#include "editors.h"
#include "show.h"
#include "draft.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MESSAGE_MAX = 64 << 20 };
enum { KIND_FUNCTION = 3, KIND_VARIABLE = 6, KIND_KEYWORD = 14, KIND_TYPE = 25, SYMBOL_FUNCTION = 12 };        /* of the protocol */
enum { NO_METHOD = -32601 };

typedef struct Document { char *uri, *text; bool script; Draft *checked; } Document;
typedef struct Lsp {
    Shell *sh;
    VEC(Document) documents;
    bool ends;                           /* shutdown was asked for */
} Lsp;

/* ---- messages ---- */

/* The next message, a new reference; NULL: the input has ended, or is none of the protocol. */
static json_t *read_message(void)
{
    static const char key[] = "content-length:";
    char line[256];
    size_t length = 0;
    for (;;) {
        if (!fgets(line, sizeof line, stdin)) return NULL;
        if (!strncasecmp(line, key, sizeof key - 1)) length = strtoul(line + sizeof key - 1, NULL, 10);
        if (!strcmp(line, "\r\n") || !strcmp(line, "\n")) break;
    }
    if (!length || length > MESSAGE_MAX) return NULL;
    LOCAL(drop) char *body = mem_alloc(length + 1);
    if (fread(body, 1, length, stdin) != length) return NULL;
    json_t *message = json_loadb(body, length, JSON_ALLOW_NUL, NULL);
    return message ? message : json_object();
}

static void write_message(json_t *message)
{
    LOCAL(buf_free) Buf text = {0};
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    json_put(message, JSON_COMPACT, &text);
    printf("Content-Length: %zu\r\n\r\n%s", text.len, buf_text(&text));
    fflush(stdout);
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

/* ---- positions: lines, and units of UTF-16 in them ---- */

/* Bytes of the character at p, and how many units it has. */
static int character(const char *p, int *units)
{
    unsigned char c = (unsigned char)*p;
    int n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4, most = 1;
    while (most < n && ((unsigned char)p[most] & 0xc0) == 0x80) most++;
    *units = most == 4 ? 2 : 1;
    return most;
}

static uint32_t offset_of(const char *text, const json_t *position)
{
    json_int_t line = json_integer_value(json_object_get(position, "line")), units = json_integer_value(json_object_get(position, "character"));
    const char *p = text;
    for (int n; line > 0 && *p; p++) n = *p == '\n', line -= n;
    for (int n; units > 0 && *p && *p != '\n'; units -= n) p += character(p, &n);
    return (uint32_t)(p - text);
}

static json_t *position_of(const char *text, uint32_t offset)
{
    int line = 0, units = 0, n;
    for (const char *p = text; *p && p < text + offset;) {
        if (*p == '\n') line++, units = 0, p++;
        else p += character(p, &n), units += n;
    }
    return json_pack("{s:i, s:i}", "line", line, "character", units);
}

static json_t *range_of(const char *text, Span s)
{
    return json_pack("{s:o, s:o}", "start", position_of(text, s.from), "end", position_of(text, s.to > s.from ? s.to : s.from + 1));
}

/* ---- documents ---- */

static Document *document(Lsp *l, const json_t *params)
{
    const char *uri = text_of(json_object_get(params, "textDocument"), "uri");
    return FIRST(i, l->documents.v, l->documents.n, !strcmp(l->documents.v[i].uri, uri));
}

static void publish(const Document *d)
{
    json_t *list = json_array();
    for (int i = 0; d->checked && i < d->checked->problems.n; i++) {
        const Problem *p = &d->checked->problems.v[i];
        json_array_append_new(list, json_pack("{s:o, s:i, s:s, s:s, s:s}", "range", range_of(d->text, p->span), "severity", 1, "code", p->id,
                                              "source", "lathe", "message", p->text));
    }
    write_message(json_pack("{s:s, s:{s:s, s:o}}", "method", "textDocument/publishDiagnostics", "params", "uri", d->uri, "diagnostics", list));
}

/* A text that ends with NUL: what is behind one is no text of ours. */
static void take_text(Document *d, const char *text)
{
    free(d->text);
    d->text = mem_strdup(text);
    draft_free(d->checked);
    d->checked = d->script ? NULL : draft_check(d->text);
    publish(d);
}

static json_t *did_open(Lsp *l, const json_t *params)
{
    const json_t *item = json_object_get(params, "textDocument");
    const char *uri = text_of(item, "uri");
    Document *d = document(l, params);
    if (!d) {
        vec_push(&l->documents, ((Document){.uri = mem_strdup(uri), .script = !file_ends(uri, ".fun")}));
        d = &l->documents.v[l->documents.n - 1];
    }
    take_text(d, text_of(item, "text"));
    return NULL;
}

static json_t *did_change(Lsp *l, const json_t *params)
{
    Document *d = document(l, params);
    const json_t *changes = json_object_get(params, "contentChanges");
    size_t n = json_array_size(changes);
    if (d && n) take_text(d, text_of(json_array_get(changes, n - 1), "text"));
    return NULL;
}

static json_t *did_close(Lsp *l, const json_t *params)
{
    Document *d = document(l, params);
    if (!d) return NULL;
    free(d->uri);
    free(d->text);
    draft_free(d->checked);
    *d = l->documents.v[--l->documents.n];
    return NULL;
}

/* ---- what is asked ---- */

/* What `help NAME` says; "": nothing. In scratch. */
static const char *help_of(Shell *sh, const char *name)
{
    json_t *report = NULL;
    Buf out = {0};
    Piece p = {.command = command_find(NULL, "help", NULL), .verb = "help", .rest = name, .text = arena_printf(sh->scratch, "help %s", name)};
    LOCAL(buf_free) Buf errors = {0};
    sh->errors = &errors;
    bool ok = *name && shell_call(sh, &p, &out, &report);
    sh->errors = NULL;
    diag_clear(diag(sh));
    json_decref(report);
    const char *text = buf_take(&out, sh->scratch);
    return ok ? text : "";
}

static json_t *hover(Lsp *l, const json_t *params)
{
    Document *d = document(l, params);
    if (!d) return json_null();
    uint32_t at = offset_of(d->text, json_object_get(params, "position"));
    Span word = draft_name(d->text, at), span = word;
    const char *name = arena_strndup(l->sh->scratch, d->text + word.from, word.to - word.from);
    const char *type = d->checked ? draft_type(d->checked, word.from < word.to ? word.from : at, &span) : NULL, *about = "";
    bool named = word.from < word.to, exact = type && span.from == word.from && span.to == word.to;
    for (int i = 0; d->checked && named && !exact && i < d->checked->symbols.n; i++)
        if (!strcmp(d->checked->symbols.v[i].name, name)) about = d->checked->symbols.v[i].about;
    Span bound;
    bool own = d->checked && draft_definition(d->checked, at, &bound);
    const char *help = named && !own ? help_of(l->sh, name) : "";
    Buf text = {0};
    if (exact) buf_printf(&text, "```lathe-fun\n%s : %s\n```", name, type);
    else if (*about) buf_printf(&text, "```lathe-fun\n%s%s%s\n```", strncmp(about, "let ", 4) ? name : "", strncmp(about, "let ", 4) ? " : " : "", about), span = word;
    else if (*help) buf_printf(&text, "```\n%s```", help), span = word;
    else if (type)
        buf_printf(&text, "```lathe-fun\n%s : %s\n```", arena_strndup(l->sh->scratch, d->text + span.from, span.to - span.from), type);
    if (exact && *help) buf_printf(&text, "\n\n```\n%s```", help);
    const char *markdown = buf_take(&text, l->sh->scratch);
    if (!*markdown) return json_null();
    return json_pack("{s:{s:s, s:s}, s:o}", "contents", "kind", "markdown", "value", markdown, "range", range_of(d->text, span));
}

static json_t *definition(Lsp *l, const json_t *params)
{
    Document *d = document(l, params);
    Span span;
    if (!d || !d->checked || !draft_definition(d->checked, offset_of(d->text, json_object_get(params, "position")), &span)) return json_null();
    return json_pack("{s:s, s:o}", "uri", d->uri, "range", range_of(d->text, span));
}

static json_t *symbols(Lsp *l, const json_t *params)
{
    Document *d = document(l, params);
    json_t *list = json_array();
    for (int i = 0; d && d->checked && i < d->checked->symbols.n; i++) {
        const Symbol *s = &d->checked->symbols.v[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:o, s:o}", "name", s->name, "detail", s->about, "kind", SYMBOL_FUNCTION, "range",
                                              range_of(d->text, s->whole), "selectionRange", range_of(d->text, s->span)));
    }
    return list;
}

static void offer(json_t *items, const char *name, int kind, const char *detail)
{
    json_array_append_new(items, json_pack("{s:s, s:i, s:s*}", "label", name, "kind", kind, "detail", detail));
}

static bool is_prelude(const Ctx *c, const char *name)
{
    const char *word;
    int i = 0;
    while ((word = defs_prelude_name(c, i)) && strcmp(word, name)) i++;
    return word != NULL;
}

/* The names of a text: those it defines, and what else stands there, which may be bound around the place. */
static void offer_names(const Document *d, Span typed, json_t *items)
{
    Interns *names = d->checked->c->names;
    Source s = {"text", d->text, strlen(d->text)};
    VEC(const char *) seen = {0};
    uint32_t at = 0;
    for (int i = 0; i < d->checked->symbols.n; i++) {
        offer(items, d->checked->symbols.v[i].name, KIND_FUNCTION, d->checked->symbols.v[i].about);
        vec_push(&seen, intern(names, d->checked->symbols.v[i].name));
    }
    for (Token t; (t = lex_token(&s, &at, names, NULL)).kind != TOK_END;) {
        bool other = t.kind == TOK_NAME && !(t.span.from == typed.from) && prim_from_name(t.text) == PRIM_COUNT && !is_prelude(d->checked->c, t.text);
        Span span;
        if (!other || ANY(i, seen.n, seen.v[i] == t.text)) continue;
        vec_push(&seen, t.text);
        offer(items, t.text, KIND_VARIABLE, draft_type(d->checked, t.span.from, &span));
    }
    free(seen.v);
}

static json_t *complete_program(const Document *d, uint32_t at)
{
    json_t *items = json_array();
    Ctx *c = d->checked->c;
    Span typed = draft_name(d->text, at);
    const char *word;
    offer_names(d, typed, items);
    for (int i = 0; i < PRIM_COUNT; i++)
        if (isalpha((unsigned char)*prim((PrimId)i)->name)) offer(items, prim((PrimId)i)->name, KIND_FUNCTION, prim((PrimId)i)->help);
    for (int i = 0; (word = defs_prelude_name(c, i)); i++) {
        const char *about;
        offer(items, word, KIND_FUNCTION, defs_prelude(c, d->checked->arena, word, &about) ? about : NULL);
    }
    for (int i = 0; (word = lex_keyword(i)); i++) offer(items, word, KIND_KEYWORD, NULL);
    for (int i = 0; i < SC_COUNT; i++) offer(items, scalar_name((Scalar)i), KIND_TYPE, NULL);
    return items;
}

/* As Tab at the prompt. */
static json_t *complete_script(Lsp *l, const Document *d, uint32_t at)
{
    json_t *items = json_array();
    uint32_t begin = at;
    while (begin > 0 && d->text[begin - 1] != '\n') begin--;
    const char *line = arena_strndup(l->sh->scratch, d->text + begin, strcspn(d->text + begin, "\n"));
    Completion found;
    complete(l->sh, line, (int)(at - begin), true, COMPLETION_MS, &found);
    for (int i = 0; i < found.items.n; i++) {
        const Candidate *c = &found.items.v[i];
        json_t *range = json_pack("{s:o, s:o}", "start", position_of(d->text, begin + (uint32_t)found.from), "end", position_of(d->text, at));
        json_array_append_new(items, json_pack("{s:s, s:i, s:s, s:{s:o, s:s}}", "label", c->text, "kind", KIND_KEYWORD, "detail", c->gloss,
                                               "textEdit", "range", range, "newText", c->text));
    }
    completion_free(&found);
    return items;
}

static json_t *completion(Lsp *l, const json_t *params)
{
    Document *d = document(l, params);
    if (!d) return json_null();
    uint32_t at = offset_of(d->text, json_object_get(params, "position"));
    return json_pack("{s:b, s:o}", "isIncomplete", d->script, "items", d->script ? complete_script(l, d, at) : complete_program(d, at));
}

static json_t *initialize(Lsp *l, const json_t *params)
{
    (void)l, (void)params;
    return json_pack("{s:{s:i, s:b, s:b, s:b, s:{s:[s,s,s]}}, s:{s:s, s:s}}", "capabilities", "textDocumentSync", 1, "hoverProvider", true,
                     "definitionProvider", true, "documentSymbolProvider", true, "completionProvider", "triggerCharacters", "/", "@", "$",
                     "serverInfo", "name", "lathe", "version", LATHE_VERSION);
}

static json_t *shut_down(Lsp *l, const json_t *params) { return (void)params, l->ends = true, json_null(); }

/* ---- the server ---- */

static const struct { const char *name; json_t *(*answer)(Lsp *l, const json_t *params); } methods[] = {
    {"initialize", initialize}, {"shutdown", shut_down}, {"textDocument/didOpen", did_open}, {"textDocument/didChange", did_change},
    {"textDocument/didClose", did_close}, {"textDocument/hover", hover}, {"textDocument/definition", definition},
    {"textDocument/completion", completion}, {"textDocument/documentSymbol", symbols},
};

static void answer(Lsp *l, const json_t *message)
{
    const char *method = text_of(message, "method");
    json_t *id = json_object_get(message, "id");
    int i = 0;
    l->sh->scratch = arena_new();
    while (i < COUNT(methods) && strcmp(methods[i].name, method)) i++;
    json_t *result = i < COUNT(methods) ? methods[i].answer(l, json_object_get(message, "params")) : NULL;
    if (id && i < COUNT(methods)) write_message(json_pack("{s:O, s:o}", "id", id, "result", result ? result : json_null()));
    else if (id && *method)
        write_message(json_pack("{s:O, s:{s:i, s:s}}", "id", id, "error", "code", NO_METHOD, "message", "there is no such method"));
    else json_decref(result);
    arena_free(l->sh->scratch);
    l->sh->scratch = NULL;
}

int lsp_serve(Shell *sh)
{
    Lsp l = {.sh = sh};
    bool exits = false;
    sh->quiet = true;
    for (json_t *message; !exits && *sh->stop != STOP_TERMINATE && (message = read_message()); json_decref(message)) {
        exits = !strcmp(text_of(message, "method"), "exit");
        if (!exits) answer(&l, message);
    }
    for (int i = 0; i < l.documents.n; i++) {
        free(l.documents.v[i].uri);
        free(l.documents.v[i].text);
        draft_free(l.documents.v[i].checked);
    }
    free(l.documents.v);
    return l.ends ? 0 : 1;
}

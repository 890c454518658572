/* install: the kernel for Jupyter, and what editors need, written to where these look for it; names come from lathe's own tables. */
#include "child.h"
#include "command.h"
#include "editors.h"
#include "embedded.h"
#include "file.h"
#include "lang.h"
#include "show.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the words that templates ask for: @primitives@ with blanks between them, @primitives|@ with bars, @primitives"@ in quotes ---- */

typedef const char *WordFn(const Ctx *c, int i);         /* the i-th; "": none that is a word; NULL: there are fewer */

static const char *type(const Ctx *c, int i) { return (void)c, i < SC_COUNT ? scalar_name((Scalar)i) : NULL; }
static const char *command(const Ctx *c, int i) { return (void)c, i < command_count() ? command_get(i)->name : NULL; }
static const char *keyword(const Ctx *c, int i) { return (void)c, lex_keyword(i); }

static bool is_in(const Ctx *c, WordFn *of, const char *name)
{
    int i = 0;
    while (of(c, i) && strcmp(of(c, i), name)) i++;
    return of(c, i) != NULL;
}

/* No operator, and not `if`, `let` and `f32`, which are another thing, too. */
static const char *primitive(const Ctx *c, int i)
{
    const char *name = i < PRIM_COUNT ? prim((PrimId)i)->name : NULL;
    bool word = name && isalpha((unsigned char)*name) && !is_in(c, keyword, name) && !is_in(c, type, name);
    return !name || word ? name : "";
}

static const struct { const char *name; WordFn *word; } lists[] = {
    {"primitives", primitive}, {"prelude", defs_prelude_name}, {"types", type}, {"commands", command}, {"keywords", keyword},
};

static void put_words(const Ctx *c, WordFn *of, char between, Buf *out)
{
    size_t start = out->len;
    const char *word;
    for (int i = 0; (word = of(c, i)); i++) {
        if (!*word) continue;
        if (out->len > start) buf_putc(out, between == '|' ? '|' : ' ');
        buf_printf(out, between == '"' ? "\"%s\"" : "%s", word);
    }
}

static void put_template(const Ctx *c, const char *name, Buf *out)
{
    static const char version[] = "@version@";
    const EmbeddedText *e = embedded_editors;
    while (strcmp(e->name, name)) e++;
    for (const char *p = e->text; *p;) {
        size_t n = *p == '@' ? strspn(p + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
        char between = n && p[n + 1] == '@' ? ' ' : n ? p[n + 1] : 0;
        const char *end = p + 1 + n + (between == '|' || between == '"');
        int which = COUNT(lists);
        if (between && *end == '@')
            for (which = 0; which < COUNT(lists) && (strlen(lists[which].name) != n || strncmp(lists[which].name, p + 1, n)); which++) {}
        if (which < COUNT(lists)) put_words(c, lists[which].word, between, out), p = end + 1;
        else if (!strncmp(p, version, sizeof version - 1)) buf_puts(out, LATHE_VERSION), p += sizeof version - 1;
        else buf_putc(out, *p++);
    }
}

/* ---- files ---- */

typedef struct InstalledFile { const char *editor, *file, *text; } InstalledFile;
static const InstalledFile files[] = {
    {"vim", "syntax/lathefun.vim", "fun.vim"}, {"vim", "syntax/lathe.vim", "command.vim"}, {"vim", "ftdetect/lathe.vim", "detect.vim"},
    {"nvim", "syntax/lathefun.vim", "fun.vim"}, {"nvim", "syntax/lathe.vim", "command.vim"}, {"nvim", "ftdetect/lathe.vim", "detect.vim"},
    {"nvim", "plugin/lathe.lua", "start"},
    {"emacs", "lathe-mode.el", "lathe-mode.el"},
    {"vscode", "package.json", "package.json"}, {"vscode", "extension.js", "extension.js"}, {"vscode", "brackets.json", "brackets.json"},
    {"vscode", "fun.tmLanguage.json", "fun.tmLanguage.json"}, {"vscode", "command.tmLanguage.json", "command.tmLanguage.json"},
};
static const struct { const char *editor, *folder, *next; } editors[] = {         /* folder: in the user's home */
    {"vim", ".vim", "vim has colours for .fun, .lathe and .session now"},
    {"nvim", ".config/nvim", "Neovim has colours, and lathe --lsp, for .fun and .lathe now"},
    {"emacs", ".emacs.d/lathe", "in your init file: (load \"%s/lathe-mode\"); M-x eglot starts lathe --lsp"},
    {"vscode", ".vscode/extensions/lathe.lathe-" LATHE_VERSION ".0", "start VS Code anew"},
};

/* Writes a file with the folders above it. */
static bool put_file(Diag *diag, Arena *arena, const char *folder, const char *name, const Buf *text, Buf *out)
{
    char *file = arena_printf(arena, "%s/%s", folder, name);
    for (char *p = file + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        if (mkdir(file, 0777) && errno != EEXIST) return diag_fail(diag, E06, "the folder %s cannot be made: %s", file, strerror(errno));
        *p = '/';
    }
    if (!file_write(diag, file, buf_text(text), text->len)) return false;
    buf_printf(out, "%s written\n", file);
    return true;
}

/* A folder in the user's home; NULL + E06 */
static const char *at_home(Diag *diag, Arena *arena, const char *folder)
{
    const char *home = getenv("HOME");
    if (!home || *home != '/') return diag_fail(diag, E06, "$HOME is not set: where to is not known"), NULL;
    return arena_printf(arena, "%s/%s", home, folder);
}

bool editor_install(Diag *diag, const char *which, Buf *out)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    const char *equals = strchr(which, '='), *name = equals ? arena_strndup(arena, which, (size_t)(equals - which)) : which;
    int i = 0;
    while (i < COUNT(editors) && strcmp(editors[i].editor, name)) i++;
    if (i == COUNT(editors)) return diag_fail(diag, E05, "\"%.60s\" is no editor that is known: one of vim, nvim, emacs, vscode", name);
    const char *folder = equals ? equals + 1 : at_home(diag, arena, editors[i].folder);
    Ctx *c = ctx_new();
    bool ok = folder != NULL;
    for (int k = 0; ok && k < COUNT(files); k++) {
        LOCAL(buf_free) Buf text = {0};
        if (strcmp(files[k].editor, name)) continue;
        put_template(c, files[k].text, &text);
        ok = put_file(diag, arena, folder, files[k].file, &text, out);
    }
    ctx_free(c);
    if (ok) buf_printf(out, editors[i].next, folder), buf_putc(out, '\n');
    return ok;
}

bool jupyter_install(Diag *diag, Buf *out)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    LOCAL(drop_arena) Arena *arena = arena_new();
    LOCAL(buf_free) Buf kernel = {0}, none = {0}, spec = {0};
    const char *data = getenv("JUPYTER_DATA_DIR"), *shared = getenv("XDG_DATA_HOME");
    const char *folder = data && *data ? data : shared && *shared ? arena_printf(arena, "%s/jupyter", shared) : at_home(diag, arena, ".local/share/jupyter");
    volatile int stop = 0;
    int i = 0;
    if (!folder) return false;
    while (i < COUNT(pythons) && child_read((const char *const[]){pythons[i], "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('ipykernel'))", NULL}, &none, &stop)) i++;
    if (i == COUNT(pythons))
        return diag_fail(diag, E06, "no Python with ipykernel was found\nhint install it, on Debian the package python3-ipykernel; then this again");
    put_template(NULL, "kernel.py", &kernel);
    put_template(NULL, "kernel.json", &spec);            /* as it is installed for all, but with this Python and this lathe */
    json_t *o = json_loads(buf_text(&spec), 0, NULL);
    json_array_set_new(json_object_get(o, "argv"), 0, json_string(pythons[i]));
    json_object_set_new(o, "env", json_of("{LATHE:s}", file_of_program(arena, "lathe")));
    buf_clear(&spec);
    json_put(o, JSON_INDENT(1), &spec);
    folder = arena_printf(arena, "%s/kernels/lathe", folder);
    bool ok = put_file(diag, arena, folder, "kernel.py", &kernel, out) && put_file(diag, arena, folder, "kernel.json", &spec, out);
    if (ok) buf_puts(out, "Jupyter has a kernel called lathe now\n");
    return ok;
}

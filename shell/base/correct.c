/* correct: what a line that failed may have meant: names that were mistyped, files that are there, sizes that are set. */
#include "cmdline.h"
#include "guide.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_SHOWN = 6 };

/* `try` is one line. */
static void set_try(Diag *d, const char *line)
{
    for (int i = 0; i < d->note_count; i++)
        if (!strcmp(d->notes[i].label, "try")) {
            d->notes[i].text = line;
            return;
        }
    diag_note(d, "try", "%s", line);
}

/* Where the word in quotes of an error's message stands in the line, by itself; NULL: nowhere. */
static const char *blamed_word(const Diag *d, const char *line, size_t *n)
{
    const char *open = strchr(d->message, '"');
    *n = open ? strcspn(open + 1, "\"") : 0;
    for (const char *at = line; *n && (at = strchr(at, open[1])); at++) {
        bool begins = at == line || !is_name_char(at[-1]);
        if (begins && !strncmp(at, open + 1, *n) && !is_name_char(at[*n])) return at;
    }
    return NULL;
}

/* ---- files ---- */

/* Names in a folder that end in one of the endings (".fun", ".lathe|.lua"), added to those that are there. */
static void files_near(Shell *sh, const char *folder, const char *endings, NearName *near, Texts *there)
{
    const char **names;
    int n = folder_names(sh->c->diag.arena, folder, &names);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(names[i], '.'), *found = dot ? strstr(endings, dot) : NULL;
        if (!found || isalnum((unsigned char)found[strlen(dot)])) continue;
        vec_push(there, names[i]);
        near_try(near, names[i]);
    }
}

/* Of a file that cannot be read: what of its kind lies there, or the one that was meant; of a program, among those that lathe has, too. */
static void note_files(Shell *sh, const Piece *p, const char *endings)
{
    static const char programs[] = "tests/programs/";
    Diag *d = diag(sh);
    struct stat s;
    int *starts, *ends;
    LOCAL(drop) Texts there = {0}, ours = {0};
    if (!line_words(sh->scratch, p->rest, &starts, &ends)) return;
    const char *file = line_word(sh->scratch, p->rest, starts[0], ends[0]), *slash = strrchr(file, '/');
    bool folder = stat(file, &s) == 0 && S_ISDIR(s.st_mode), program = strstr(endings, ".fun") != NULL;
    const char *in = folder ? file : slash ? arena_strndup(sh->scratch, file, (size_t)(slash - file + 1)) : "";
    NearName near = {.typed = folder ? "" : slash ? slash + 1 : file}, own = near;
    files_near(sh, *in ? in : ".", endings, &near, &there);
    bool nameless = !near.name && !slash && !folder;
    if (nameless && program) files_near(sh, shell_path(sh, programs), endings, &own, &ours);
    if (near.name || own.name)
        set_try(d, arena_printf(d->arena, "%s %s%s%s", p->verb, near.name ? folder ? "" : in : programs, near.name ? near.name : own.name,
                                p->rest + ends[0]));
    else if (there.n) {
        LOCAL(buf_free) Buf all = {0};
        for (int i = 0; i < there.n && i < FILES_SHOWN; i++) buf_printf(&all, "%s%s", i ? " " : "", there.v[i]);
        if (there.n > FILES_SHOWN) buf_printf(&all, ", and %d more", there.n - FILES_SHOWN);
        diag_note(d, "has", "%s", buf_text(&all));
    } else if (program) {
        diag_note(d, "hint", "a program is a file .fun, or defined here: let NAME PARAM ... = EXPR");
        if (ours.n) diag_note(d, "hint", "programs to begin with are in %s: load %sdot.fun", programs, programs);
    }
}

/* A program that is not loaded, but lies there: in the folder of a lesson, say, whose text uses it. NULL: none does. */
static const char *file_to_load(Shell *sh, const Piece *p)
{
    size_t n = name_length(p->rest);
    bool uses = p->command && !strcmp(p->command->name, "use") && sh->c->diag.id == E02 && n;
    const char *file = arena_printf(sh->scratch, "%.*s.fun", (int)n, p->rest);
    return uses && access(shell_path(sh, file), R_OK) == 0 ? file : NULL;
}

void line_correct(Shell *sh, const Piece *p)
{
    Diag *d = diag(sh);
    size_t n;
    static const char reads[] = "file:";
    if (diag_failed(d) && sh->guided) {
        /* What a guide keeps for later is not suggested. */
        int m = 0;
        for (int i = 0; i < d->note_count; i++) {
            const char *label = d->notes[i].label;
            bool suggests = !strcmp(label, "try") || !strcmp(label, "or") || !strcmp(label, "next");
            const char *verb = arena_strndup(d->arena, d->notes[i].text, strcspn(d->notes[i].text, " "));
            const Command *c = suggests ? command_find(NULL, verb, NULL) : NULL;
            if (!c || guide_allows(sh, NAMED_COMMAND, c->name)) d->notes[m++] = d->notes[i];
        }
        d->note_count = m;
    }
    if (!diag_failed(d) || sh->captured || strchr(p->text, '\n')) return;
    /* the name behind "did you mean" in what was said, if it is one alone */
    static const char words[] = "did you mean ";
    const char *name = strstr(d->message, words);
    for (int i = 0; i < d->note_count && !name; i++)
        if (!strcmp(d->notes[i].label, "hint")) name = strstr(d->notes[i].text, words);
    if (name) name += strlen(words);
    size_t length = name ? strcspn(name, "?, ") : 0;
    const char *at = name && name[length] == '?' ? blamed_word(d, p->text, &n) : NULL;
    bool missing = d->id == E06 && p->command && !strncmp(p->command->args, reads, strlen(reads))
                   && !strncmp(d->message, "cannot read ", 12);
    const char *asked = p->command && p->command->tail == TAIL_STRATEGY && d->id == E02 ? blamed_word(d, p->text, &n) : NULL;
    const Command *named = asked ? command_find(NULL, arena_strndup(sh->scratch, asked, n), NULL) : NULL;
    const char *file = file_to_load(sh, p);
    if (file) set_try(d, arena_printf(d->arena, "load %s", file));
    else if (named && strlen(named->name) == n) {        /* apply undo */
        diag_note(d, "hint", "%s is a command by itself", named->name);
        set_try(d, asked);
    } else if (at)
        set_try(d, arena_printf(d->arena, "%.*s%.*s%s", (int)(at - p->text), p->text, (int)length, name, at + n));
    else if (d->id == E01 && *p->rest == '=' && p->rest[1] != '=') {     /* `N = 5` without the command that sets it */
        const Derivation *now = session_current(sh->session);
        const Version *v = session_version(sh->session);
        bool param = v && ANY(i, v->param_count, !strcmp(v->params[i].name, p->verb));
        const char *setter = param ? "param" : now && derivation_datum(now, p->verb) ? "data" : "let";
        set_try(d, arena_printf(d->arena, "%s %s", setter, p->text));
    } else if (missing) note_files(sh, p, p->command->args + strlen(reads));
}

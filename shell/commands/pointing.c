/* pointing: the commands that point: cd, find, mark. */
#include "cmdline.h"
#include "commands.h"
#include "mark.h"
#include "show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool cmd_cd(Shell *sh, Args *a)
{
    Path p;
    const Version *v = shell_version(sh);
    if (!v || !arg_limit(sh, a, 1)) return false;
    const char *where = arg(a, 0);
    bool back = where && !strcmp(where, "-");
    if (back && !session_focus_back(sh->session)) return arg_error(sh, a, "the focus has not been anywhere else in this version");
    if (where && !back && (!shell_place(sh, where, &p) || !session_set_focus(sh->session, &p))) return false;
    p = session_focus(sh->session);
    if (!where || back) print(sh, "%s\n", path_text(sh->c, v->root, &p));
    return shell_report(sh, "{place:s}", path_text(sh->c, v->root, &p));
}

bool cmd_find(Shell *sh, Args *a)
{
    Path top = {0};
    LOCAL(drop) Paths all = {0};
    const Version *v = shell_version(sh);
    if (!v) return false;
    /* PATTERN [in PLACE]; a pattern of several words need not be quoted. */
    int *starts, *ends, last = line_words(sh->scratch, a->rest, &starts, &ends);
    const char *in = NULL;
    if (last >= 3 && ends[last - 2] - starts[last - 2] == 2 && !strncmp(a->rest + starts[last - 2], "in", 2)) {
        in = line_word(sh->scratch, a->rest, starts[last - 1], ends[last - 1]);
        last -= 2;
    }
    if (last == 0) return arg_error(sh, a, "find what? as in find 'map _ (zip _ _)'");
    const char *text = a->rest + starts[0];
    size_t length = (size_t)(ends[last - 1] - starts[0]);
    bool doubly = length > 1 && *text == '"' && text[length - 1] == '"';
    if (doubly) text = arena_printf(sh->scratch, "'%.*s'", (int)length - 2, text + 1);
    bool quoted = *text == '\'';
    const char *close = quoted ? memchr(text + 1, '\'', length - 1) : NULL;
    if (quoted && close != text + length - 1)
        return shell_error(sh, E05, "find lists every match: nothing may stand behind the pattern but `in PLACE`\n"
                           "form %s", a->command->form);
    const char *pattern = arena_printf(sh->scratch, quoted ? "%.*s" : "'%.*s'", (int)length, text);
    if (in && !shell_place(sh, in, &top)) return false;
    SearchPattern *p = places_matching(sh, v, pattern, &top, &all);
    if (!p) return false;
    json_t *items = json_array();
    labels_begin(sh, v);
    for (int i = 0; i < all.n; i++) label_row(sh, v, &all.v[i], items);
    const char *free_name = pattern_free_name(sh->c, p, v->root);
    print(sh, "%d place%s", all.n, plural(all.n));
    if (free_name) print(sh, "        \"%s\" is no name there: it matches anything", free_name);
    buf_putc(&sh->out, '\n');
    return shell_report(sh, "{items:o count:i}", items, (int)json_array_size(items));
}

/* ---- mark ---- */

static json_t *json_mark(Shell *sh, const Mark *m, const Version *v)
{
    PlaceNow now = session_mark_now(sh->session, m, v);
    static const char *const fates[] = {[PLACE_HERE] = "here", [PLACE_GONE] = "gone", [PLACE_LATER] = "later"};
    bool here = now.fate == PLACE_HERE;
    json_t *step = here ? NULL : json_of("{version:i call:s place:s}", now.version->number, now.call,
                                         path_text(sh->c, now.root, &now.where));
    return json_of(here ? "{name:s status:s set_at:i place:s step?:o}" : "{name:s status:s set_at:i near:s step?:o}", m->name,
                   fates[now.fate], m->version, path_text(sh->c, v->root, &now.at), step);
}

bool cmd_mark(Shell *sh, Args *a)
{
    Path p;
    const Version *v = shell_version(sh);
    const char *name = arg(a, 0);
    bool delete = arg_flag(a, "d") != NULL;
    if (!v || !arg_limit(sh, a, delete ? 1 : 2)) return false;
    if (name && *name == '$') name++;
    if (!name && delete) return arg_error(sh, a, "which mark?");
    if (!name) {
        const Derivation *d = session_current(sh->session);
        json_t *items = json_array();
        for (int i = 0; i < d->marks.n; i++) {
            print(sh, "  $%s" AT(18) "%s\n", d->marks.v[i].name, mark_text(sh, &d->marks.v[i], v));
            json_array_append_new(items, json_mark(sh, &d->marks.v[i], v));
        }
        if (d->marks.n == 0) print(sh, "no marks in %s\n", d->name);
        return shell_report(sh, "{items:o}", items);
    }
    if (delete) return session_mark_remove(sh->session, name) || session_no_mark(sh->session, name);
    if (!shell_place(sh, arg(a, 1), &p) || !session_mark_set(sh->session, name, v->number, &p)) return false;
    const Mark *m = session_mark_find(sh->session, name);
    if (!sh->quiet) print(sh, "  $%s  %s\n", name, mark_text(sh, m, v));
    return shell_report(sh, "o", json_mark(sh, m, v));
}

/* history: undo, redo, goto, log, tag, note, drop, expect. */
#include "commands.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

/* ---- moving ---- */

static bool arrived(Shell *sh)
{
    const Version *v = session_version(sh->session);
    Path focus = session_focus(sh->session);
    int width = show_width(sh);
    json_term(sh, v, v->root, &(Path){0}, true);
    if (sh->quiet) return true;
    print(sh, "%s  %s", version_marked(sh, v), v->call);
    if (focus.length) print(sh, "        focus %s", path_text(sh->c, v->root, &focus));
    buf_putc(&sh->out, '\n');
    if (session_setting_int(sh->session, SET_VERBOSE) > 0) print(sh, "    %s\n", show_short(sh, v->root, &(Path){0}, width - 4));
    return true;
}

bool cmd_undo(Shell *sh, Args *a)
{
    int64_t n = 1;
    if (!arg_limit(sh, a, 1) || (arg(a, 0) && !arg_int(sh, "undo", arg(a, 0), 1, INT32_MAX, &n))) return false;
    return session_undo(sh->session, (int)n) && arrived(sh);
}

bool cmd_redo(Shell *sh, Args *a)
{
    int64_t n = 1;
    if (!arg_limit(sh, a, 1)) return false;
    if (arg(a, 0) && arg(a, 0)[0] == '@') {
        const char *text = arg(a, 0);
        const Version *v = shell_version(sh), *child = v ? session_ref(sh->session, text) : NULL;
        if (!child) return false;
        if (child->parent == v->number) return session_open(sh->session, child) && arrived(sh);
        return shell_error(sh, E15, "%s is no child of @%d\n"
                           "try goto %s", version_name(sh, child), v->number, version_name(sh, child));
    }
    if (arg(a, 0) && !arg_int(sh, "redo", arg(a, 0), 1, INT32_MAX, &n)) return false;
    return session_redo(sh->session, (int)n) && arrived(sh);
}

bool cmd_goto(Shell *sh, Args *a)
{
    if (!arg(a, 0)) return arg_error(sh, a, "which version?");
    const Version *v = arg_limit(sh, a, 1) ? session_ref(sh->session, arg(a, 0)) : NULL;
    return v && session_open(sh->session, v) && arrived(sh);
}

/* ---- log ---- */

/* The version of the tree that an argument names; NULL + E13, also for an inner step. */
static const Version *tree_version(Shell *sh, const char *text)
{
    const Version *v = session_ref(sh->session, text);
    if (!v || !v->inner) return v;
    return shell_error(sh, E13, "%s is an inner step of @%d and no version of its own yet\ntry %s %s", version_name(sh, v), v->number,
                       v->number ? "goto" : "show", version_name(sh, v)), NULL;
}

enum { MACRO_LEVELS = 1000 };

bool cmd_log(Shell *sh, Args *a)
{
    LogOptions o = {.path = arg_flag(a, "path"), .expand = arg_flag(a, "expand"), .full = arg_flag(a, "full"),
                    .results = arg_flag(a, "results")};
    const Derivation *d = session_current(sh->session);
    int64_t depth = MACRO_LEVELS;
    if (!shell_version(sh) || !arg_limit(sh, a, 1)) return false;
    if (arg_flag(a, "depth") && !arg_int(sh, "--depth", arg_flag(a, "depth"), 0, MACRO_LEVELS, &depth)) return false;
    o.depth = (int)depth;
    o.expand = o.expand || arg_flag(a, "depth");
    if (arg(a, 0) && !(o.only = tree_version(sh, arg(a, 0)))) return false;
    show_log(sh, &o);
    if (!sh->json) return true;          /* a history may be long */
    json_t *items = json_array();
    for (const Version *v = NULL; (v = derivation_next(d, v));) json_array_append_new(items, version_json(sh, v));
    return shell_report(sh, "{current:i items:o}", d->current, items);
}

/* ---- tags ---- */

bool cmd_tag(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    const char *gone = arg_flag(a, "d");
    if (!v || !arg_limit(sh, a, gone ? 0 : 2)) return false;
    const Derivation *d = session_current(sh->session);
    if (gone) {
        gone += *gone == '@';
        for (v = NULL; (v = derivation_next(d, v)) && !(v->tag && !strcmp(v->tag, gone));) {}
        if (!v) return shell_error(sh, E13, "%s has no version tagged \"%.60s\"\ntry list tags", d->name, gone);
        if (!sh->quiet) print(sh, "@%d is no longer \"%s\"\n", v->number, gone);
        session_tag(sh->session, v->number, NULL);
        return shell_report(sh, "o", version_json(sh, v));
    }
    if (!arg(a, 0)) {
        json_t *items = json_array();
        for (const Version *w = NULL; (w = derivation_next(d, w));) {
            if (!w->tag) continue;
            print(sh, "  %s" AT(18) "@%d  %s\n", w->tag, w->number, w->call);
            json_array_append_new(items, version_json(sh, w));
        }
        if (json_array_size(items) == 0) print(sh, "%s has no tags\n", d->name);
        return shell_report(sh, "{items:o}", items);
    }
    if (arg(a, 1) && !(v = tree_version(sh, arg(a, 1)))) return false;
    const char *name = arg(a, 0);
    const char *old = v->tag;
    if (!session_tag(sh->session, v->number, name)) return false;
    shell_report(sh, "o", version_json(sh, v));
    if (sh->quiet) return true;
    bool other = old && strcmp(old, name);
    print(sh, other ? "@%d is now \"%s\", no longer \"%s\"\n" : "@%d is now \"%s\"\n", v->number, name, old);
    return true;
}

/* What is behind @V is the note, between quotes or not. */
bool cmd_note(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    const Derivation *d = session_current(sh->session);
    bool gone = arg_flag(a, "d") != NULL, named = arg(a, 0) && *arg(a, 0) == '@';
    if (!v || (named && !(v = tree_version(sh, arg(a, 0))))) return false;
    LOCAL(buf_free) Buf text = {0};
    for (int i = named; i < a->count; i++) buf_printf(&text, text.len ? " %s" : "%s", a->words[i]);
    if (gone && text.len) return arg_error(sh, a, "-d takes a note away: of which version?");
    if (!gone && !text.len) {
        json_t *items = json_array();
        for (const Version *w = NULL; (w = derivation_next(d, w));) {
            if (!w->note || (named && w != v)) continue;
            show_wrapped(sh, arena_printf(sh->scratch, "  %-7s ", version_name(sh, w)), "          ", w->note);
            json_array_append_new(items, version_json(sh, w));
        }
        if (json_array_size(items) == 0) print(sh, named ? "%s has no note\n" : "%s has no notes\n", named ? version_name(sh, v) : d->name);
        return shell_report(sh, "{items:o}", items);
    }
    if (gone && !v->note) return shell_error(sh, E13, "%s has no note\ntry note", version_name(sh, v));
    if (!session_note(sh->session, v->number, gone ? NULL : buf_text(&text))) return false;
    if (!sh->quiet) print(sh, gone ? "%s has no note any more\n" : "%s is noted        log, export and the page show it\n", version_name(sh, v));
    return shell_report(sh, "o", version_json(sh, v));
}

bool cmd_drop(Shell *sh, Args *a)
{
    if (!arg(a, 0)) return arg_error(sh, a, "which version?");
    if (!shell_version(sh) || !arg_limit(sh, a, 1)) return false;
    const Version *v = tree_version(sh, arg(a, 0));
    int current = session_current(sh->session)->current;
    int n = v ? session_drop(sh->session, v->number, arg_flag(a, "force") != NULL) : 0;
    if (n == 0) return false;
    if (!sh->quiet)
        print(sh, n > 1 ? "dropped @%d and %d version%s below it\n" : "dropped @%d\n", v->number, n - 1, plural(n - 1));
    if (session_version(sh->session)->number != current) arrived(sh);
    return shell_report(sh, "{dropped:i count:i}", v->number, n);
}

bool cmd_expect(Shell *sh, Args *a)
{
    enum { DIGITS = 16 };
    const Version *v = shell_version(sh);
    const char *wanted = arg(a, 0);
    if (!v || !arg_limit(sh, a, 1)) return false;
    if (!wanted) return arg_error(sh, a, "which hash?");
    if (strlen(wanted) != DIGITS || strspn(wanted, "0123456789abcdef") != DIGITS)
        return arg_error(sh, a, "a hash is 16 hexadecimal digits, as info prints it");
    if (strcmp(wanted, hash_text(sh, v->hash))) {
        const Derivation *d = session_current(sh->session);
        uint64_t hash = strtoull(wanted, NULL, 16);
        diag_error(diag(sh), E40, "%s@%d is %s, not %s: it drifted at %s", d->name, v->number, hash_text(sh, v->hash),
                   wanted, v->parent < 0 ? "its source" : v->call);
        if (v->parent >= 0 && v->at)
            diag_note(diag(sh), "place", "%s", place_text(sh->c, derivation_version(d, v->parent)->root, v->at));
        diag_note(diag(sh), "found", "%s", show_typed(sh, v->root, &(Path){0}, 90));
        for (const Version *w = NULL; (w = derivation_next(d, w));)
            if (w->hash == hash) {
                diag_note(diag(sh), "near", "@%d has that hash", w->number);
                break;
            }
        diag_note(diag(sh), "try", v->parent < 0 ? "info /" : "diff @^ @");
        return false;
    }
    return shell_report(sh, "o", version_json(sh, v));
}

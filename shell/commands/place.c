/* place: places as they are typed: a path, a label of the last display, a mark, a pattern. */
#include "commands.h"
#include "mark.h"
#include "show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *full_name(Shell *sh, const Version *v)       /* "mm@7" */
{
    return arena_printf(sh->scratch, "%s%s", session_current(sh->session)->name, version_name(sh, v));
}

static bool same_version(const Version *a, const Version *b)
{
    return a == b || (a && b && a->number >= 0 && a->number == b->number && a->inner == b->inner);
}

/* ---- patterns: 'map _ (zip _ _)'[2] ---- */

bool place_is_below(const Path *p, const Path *top)
{
    return p->length >= top->length && !memcmp(p->slots, top->slots, top->length);
}

/* E11, with the place that comes nearest. */
static bool no_match(Shell *sh, const Version *v, const SearchPattern *p, const char *text, const Path *top)
{
    PrimId head = pattern_head(p);
    const char *in = top->length ? arena_printf(sh->scratch, " below %s", path_text(sh->c, v->root, top)) : "";
    const char *free_name = pattern_free_name(sh->c, p, v->root), *name = head != PRIM_COUNT ? prim(head)->name : "";
    int heads = 0, progress = 0;         /* places that start with the pattern's primitive; how far the best of them got */
    Path at = *top, near;
    PatternMiss miss;
    do {
        const Term *t = path_term(v->root, &at);
        PatternMiss one;
        if (!place_is_below(&at, top) || *sh->stop) break;
        if (t->kind != T_PRIM || t->prim != head) continue;
        int far = pattern_mismatch(sh->c, p, v->root, &at, &one);
        if (far > progress) progress = far, near = at, miss = one;
        heads++;
    } while (path_next(v->root, &at));
    Diag *d = diag(sh);
    diag_error(d, E11, "no place in %s%s matches %s", full_name(sh, v), in, text);
    if (progress) {
        const Path *w = &miss.where;
        diag_note(d, "near", "%s: %s", path_text(sh->c, v->root, &near), show_typed(sh, v->root, &near, 60));
        diag_note(d, "needs", "%s at %s", miss.needs, path_text(sh->c, v->root, w));
        diag_note(d, "found", "%s", lang_text(sh->c, v->root, w->slots, w->length, 60));
        if (miss.because) diag_note(d, "because", "%s", miss.because);
    }
    if (free_name) diag_note(d, "note", "\"%s\" is no name there: it matches anything, the same each time", free_name);
    if (!heads && *name) diag_note(d, "note", "there is no %s%s at all", name, in);
    /* A pattern for every use of the primitive; some cannot be written with its name alone. */
    bool alone = isalpha((unsigned char)*name), between = !alone && *name && prim_arg_count(sh->c, head) == 2;
    if (heads && (alone || between) && head != PRIM_IF && head != PRIM_LET)
        diag_note(d, "try", alone ? "find '%s'        %d place%s" : "find '_ %s _'        %d place%s", name, heads, plural(heads));
    else diag_note(d, "try", "show --as tree");
    return false;
}

SearchPattern *places_matching(Shell *sh, const Version *v, const char *quoted, const Path *top, Paths *out)
{
    size_t n = strlen(quoted) - 2;
    const char *text = arena_strndup(sh->scratch, quoted + 1, n);
    SearchPattern *p = pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "pattern", text, n));
    if (!p) return NULL;
    Path at = *top;
    do {
        if (!place_is_below(&at, top) || *sh->stop) break;
        if (pattern_matches(sh->c, p, v->root, &at)) vec_push(out, at);
    } while (path_next(v->root, &at));
    return out->n > 0 || no_match(sh, v, p, quoted, top) ? p : NULL;
}

void note_places(Shell *sh, const Version *v, const Path *places, int n, bool labels)
{
    int column = 0;
    for (int i = 0; i < n; i++) {
        int length = (int)strlen(path_text(sh->c, v->root, &places[i]));
        if (length > column && length < 40) column = length;
    }
    for (int i = 0; i < n; i++)
        diag_note(diag(sh), arena_printf(diag(sh)->arena, labels ? ":%d" : "[%d]", i + 1), "%-*s  %s", column,
                  path_text(sh->c, v->root, &places[i]),
                  show_typed(sh, v->root, &places[i], labels ? show_left(sh, column + 12) : 60));
}

/* "[2]" or "[last]" at *text, which moves behind it: 0 for none, -1 for last, -2 + E05. */
static int take_index(Shell *sh, const char **text)
{
    const char *t = *text;
    if (*t != '[') return 0;
    size_t n = strcspn(t, "]");
    bool last = !strncmp(t, "[last]", 6), digits = n > 1 && strspn(t + 1, "0123456789") == n - 1 && n < 8;
    if (t[n] && (last || digits)) *text = t + n + 1;
    if (t[n] && last) return -1;
    int k = digits && t[n] ? atoi(t + 1) : 0;
    if (k > 0) return k;
    diag_error(diag(sh), E05, "\"%.60s\" is no index of a match: [1] is the first, [last] the last", t);
    return -2;
}

/* A quoted pattern at *text, which moves behind it. */
static bool pattern_place(Shell *sh, const Version *v, const char **text, Path *out)
{
    const char *open = *text, *close = strchr(open + 1, '\'');
    if (!close) return shell_error(sh, E03, "the pattern %s has no closing quote", open);
    const char *quoted = arena_strndup(sh->scratch, open, (size_t)(close + 1 - open));
    *text = close + 1;
    int k = take_index(sh, text);
    LOCAL(drop) Paths all = {0};
    const SearchPattern *p = k == -2 ? NULL : places_matching(sh, v, quoted, &(Path){0}, &all);
    if (!p) return false;
    bool ok = k <= all.n && (k || all.n == 1);
    if (ok) *out = all.v[k > 0 ? k - 1 : all.n - 1];
    else if (k)
        diag_error(diag(sh), E11, "%s[%d]: only %d place%s match%s", quoted, k, all.n, plural(all.n),
                   all.n == 1 ? "es" : "");
    else {
        enum { SHOWN = 8 };
        const char *free_name = pattern_free_name(sh->c, p, v->root);
        diag_error(diag(sh), E12, "%d places match %s", all.n, quoted);
        note_places(sh, v, all.v, all.n < SHOWN ? all.n : SHOWN, false);
        if (all.n > SHOWN) diag_note(diag(sh), "...", "%d more; find %s lists them", all.n - SHOWN, quoted);
        if (free_name) diag_note(diag(sh), "note", "\"%s\" is no name there: it matches anything, the same each time", free_name);
        diag_note(diag(sh), "use", "%s[k], or a path", quoted);
    }
    return ok;
}

/* ---- labels ---- */

void labels_begin(Shell *sh, const Version *v)
{
    arena_reset(sh->labels.arena);
    sh->labels.places.n = 0;
    sh->labels.derivation = session_current(sh->session);
    sh->labels.version = v;
}

int labels_add(Shell *sh, const Path *p)
{
    vec_push(&sh->labels.places, place_ref(sh->labels.arena, p));
    return sh->labels.places.n;
}

int labels_count(const Shell *sh)
{
    return sh->labels.derivation == session_current(sh->session)
            && same_version(sh->labels.version, session_version(sh->session)) ? sh->labels.places.n : 0;
}

typedef struct LabelFor { const Path *p; int lines, found; } LabelFor;

static void count_line(void *data, const uint8_t *path, int length, Buf *out)
{
    LabelFor *l = data;
    (void)out;
    l->lines += path != NULL;
    if (path && length == l->p->length && !memcmp(path, l->p->slots, (size_t)length)) l->found = l->lines;
}

static const char *fate_text(Shell *sh, const PlaceNow *now)
{
    const char *how = arena_printf(sh->scratch, "%s at %s", now->call, path_text(sh->c, now->root, &now->where));
    if (now->fate == PLACE_GONE) return arena_printf(sh->scratch, "gone since %s %s", version_name(sh, now->version), how);
    return arena_printf(sh->scratch, "made by %s %s, which is not part of this version", version_name(sh, now->version), how);
}

static bool label_place(Shell *sh, const Version *v, const char **text, Path *out)
{
#define FRESH "\ntry show --as tree        prints fresh labels"
    const char *t = *text + 1;
    size_t digits = strspn(t, "0123456789");
    const char *label = arena_strndup(sh->scratch, *text, digits + 1);
    if (digits == 0 || digits > 8 || atoi(t) == 0)
        return shell_error(sh, E05, "\"%.60s\" is no label: write :7\ntry show --as tree        prints labels", *text);
    int n = atoi(t);
    *text = t + digits;
    const Version *of = sh->labels.version;
    bool this_program = sh->labels.derivation == session_current(sh->session);
    if (!of) return shell_error(sh, E14, "label %s: no display with labels was printed yet" FRESH, label);
    if (!this_program)
        return shell_error(sh, E14, "label %s belongs to the display of %s%s, another program" FRESH, label,
                           sh->labels.derivation->name, version_name(sh, of));
    if (n > sh->labels.places.n)
        return shell_error(sh, E14, "label %s: the last display, of %s, has labels :1 to :%d" FRESH, label,
                           version_name(sh, of), sh->labels.places.n);
    *out = place_path(sh->labels.places.v[n - 1]);
    if (same_version(of, v)) return true;
    /* The label is of another version: what it names in v. */
    PlaceNow now;
    session_forward(sh->session, of, out, v, &now);
    if (now.fate != PLACE_HERE)
        return shell_error(sh, E14, "label %s belongs to the display of %s; that node is %s" FRESH, label, version_name(sh, of),
                           fate_text(sh, &now));
    /* The label that a place would have in `show --as tree`; 0: it is not shown there. */
    LabelFor l = {.p = &now.at};
    PrintOptions o = show_options(sh);
    LOCAL(buf_free) Buf b = {0};
    o.label = count_line;
    o.label_data = &l;
    lang_print_tree(sh->c, v->root, NULL, 0, &o, false, &b);
    return shell_error(sh, E14, "label %s belongs to the display of %s; at %s that node is %s%s" FRESH, label,
                       version_name(sh, of), version_name(sh, v), path_text(sh->c, v->root, &now.at),
                       l.found ? arena_printf(sh->scratch, " (label :%d)", l.found) : "");
#undef FRESH
}

/* ---- marks ---- */

static bool mark_place(Shell *sh, const Version *v, const char **text, Path *out)
{
    const char *t = *text + 1;
    size_t n = strcspn(t, "/");
    const char *name = arena_strndup(sh->scratch, t, n);
    const Mark *m = session_mark_find(sh->session, name);
    *text = t + n;
    if (!m) return session_no_mark(sh->session, name);
    PlaceNow now = session_mark_now(sh->session, m, v);
    if (now.fate != PLACE_HERE)
        return shell_error(sh, E19, "mark $%s is not in %s: %s\n"
                           "near %s: %s\n"
                           "try goto @%d        where it was set", m->name, full_name(sh, v), fate_text(sh, &now),
                           path_text(sh->c, v->root, &now.at), show_typed(sh, v->root, &now.at, 60), m->version);
    *out = now.at;
    return true;
}

const char *mark_text(Shell *sh, const Mark *m, const Version *v)
{
    PlaceNow now = session_mark_now(sh->session, m, v);
    if (now.fate != PLACE_HERE) return fate_text(sh, &now);
    const char *copies = now.copies > 1 ? arena_printf(sh->scratch, "  (the first of %d copies)", now.copies) : "";
    const char *path = path_text(sh->c, v->root, &now.at);
    return arena_printf(sh->scratch, "%-24s  %s%s", path, show_short(sh, v->root, &now.at, show_left(sh, 48)), copies);
}

/* ---- places ---- */

bool shell_place_in(Shell *sh, const Version *v, const Path *from, const char *text, Path *out)
{
    Path base = *from;
    bool ok = true;
    const char *rest = text;
    if (*text == ':') ok = label_place(sh, v, &rest, &base);
    else if (*text == '$') ok = mark_place(sh, v, &rest, &base);
    else if (*text == '\'') ok = pattern_place(sh, v, &rest, &base);
    else if (path_parse(sh->c, v->root, &base, text, out)) return true;
    else if (*text == '@') return diag_note(diag(sh), "hint", "%s is a version, not a place in one", text), false;
    else if (prim_from_name(text) == PRIM_COUNT) return false;
    else return diag_note(diag(sh), "hint", "a pattern stands in quotes: '%s'", text), false;
    if (!ok) return false;
    if (*rest && *rest != '/')
        return shell_error(sh, E05, "\"%.60s\" behind a place: only a path may follow, as in %.*s/in", rest, (int)(rest - text),
                           text);
    return path_parse(sh->c, v->root, &base, *rest ? rest + 1 : rest, out);
}

bool shell_place(Shell *sh, const char *text, Path *out)
{
    const Version *v = shell_version(sh);
    if (!v) return false;
    *out = session_focus(sh->session);
    if (!text || !*text) return true;
    Path from = *out;
    return shell_place_in(sh, v, &from, text, out);
}

/* ---- displays with labels ---- */

enum { LABEL_COLUMN = 6 };

static void tree_label(void *data, const uint8_t *path, int length, Buf *out)
{
    Shell *sh = data;
    Path p = {0};
    const char *label = "";
    if (path && length <= PATH_MAX_LENGTH) {
        p.length = (uint8_t)length;
        memcpy(p.slots, path, p.length);
        label = arena_printf(sh->scratch, ":%d", labels_add(sh, &p));
    }
    buf_printf(out, "%-*s", LABEL_COLUMN, label);
}

void show_tree(Shell *sh, const Version *v, const Path *p, PrintOptions *o, bool types)
{
    labels_begin(sh, v);
    o->label = tree_label;
    o->label_data = sh;
    lang_print_tree(sh->c, v->root, p->slots, p->length, o, types, &sh->out);
}

void label_row(Shell *sh, const Version *v, const Path *p, json_t *items)
{
    int n = labels_add(sh, p);
    const char *path = path_text(sh->c, v->root, p), *text = show_short(sh, v->root, p, show_left(sh, 32));
    const char *label = arena_printf(sh->scratch, ":%d", n);
    print(sh, "  %-*s%s" AT(32) "%s\n", LABEL_COLUMN, label, path, text);
    json_add(items, "{n:i label:s place:s result:s type:s}", n, label, path, text, type_text(sh->c, path_term(v->root, p)->type));
}

void show_labels(Shell *sh, const Version *v, const Path *top)
{
    Path p = *top;
    labels_begin(sh, v);
    do {                                 /* what works on arrays, and what names a value */
        const Term *t = path_term(v->root, &p);
        PrimFamily family = t->kind == T_PRIM ? prim((PrimId)t->prim)->family : FAM_SCALAR;
        if (family != FAM_SCALAR && (family != FAM_BIND || t->prim == PRIM_LET)) label_row(sh, v, &p, NULL);
    } while (path_next(v->root, &p) && place_is_below(&p, top));
}

/* compare: explain and diff: how one version comes from another, and how two differ. */
#include "commands.h"
#include "compare.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

/* ---- explain ---- */

static void explain_step(Shell *sh, const ChainStep *k, json_t *items)
{
    enum { BESIDE = 46 };
    ChangeText t;
    int width = show_width(sh);
    const ChainView view = chain_view(sh, k);
    PrintOptions plain = {0};
    if (sh->json)
        json_add(items, "{from:s to:s direction:s call:s place:s trust:s before:s after:s}", view.from, view.to, view.arrow, k->call,
                 path_text(sh->c, k->before, &view.at), trust_name(k->trust), show_lines(sh, k->before, &view.at, &plain),
                 show_lines(sh, k->after, &view.at, &plain));
    show_gap(sh);
    print(sh, "%s %-2s %s  %s", view.from, view.arrow, view.to, show_cut(sh, k->call, show_left(sh, 40)));
    if (view.place) print(sh, "  at %s", view.place);
    if (k->trust == TRUST_ASSUMED) print(sh, "  assumed");
    if (!view.place) {
        print(sh, "\n");
        return;
    }
    bool lecture = shell_lecture(sh);
    if (lecture) buf_putc(&sh->out, '\n');
    show_equations(sh, "    ", k->call);
    show_gap(sh);
    change_make(sh, k->before, k->after, &view.at, width - 6, &t);
    const char *line = arena_printf(sh->scratch, "%s  =  %s", t.before, t.after);
    if (!lecture && t.count == 0 && !strchr(line, '\n') && (int)strlen(line) + BESIDE <= width) {
        print(sh, AT(%d) "%s\n", BESIDE, line);
        return;
    }
    if (!lecture) buf_putc(&sh->out, '\n');
    change_put(sh, "    ", "  ", NULL, t.before);
    change_put(sh, "    ", "= ", NULL, t.after);
    change_put_names(sh, "    ", &t);
}

bool cmd_explain(Shell *sh, Args *a)
{
    ChainStep *steps;
    const Version *to = shell_version(sh);
    const Version *from = to ? derivation_version(session_current(sh->session), 0) : NULL;
    if (!to || !arg_limit(sh, a, 2)) return false;
    if (a->count == 2 && !(from = session_ref(sh->session, arg(a, 0)))) return false;
    if (a->count && !(to = session_ref(sh->session, arg(a, a->count - 1)))) return false;
    int n = session_chain(sh->session, from, to, arg_flag(a, "expand") != NULL, sh->scratch, &steps);
    if (from == to) print(sh, "%s is one version: nothing to explain\n", version_name(sh, to));
    else if (from->hash == to->hash)
        print(sh, "%s and %s are the same term; the way between them:\n", version_name(sh, from), version_name(sh, to));
    json_t *items = json_array();
    show_trust(sh, from);
    for (int i = 0; i < n; i++) explain_step(sh, &steps[i], items);
    if (to != from) show_trust(sh, to);
    return shell_report(sh, "{from:s to:s trust:s steps:o}", version_name(sh, from), version_name(sh, to), trust_name(to->trust), items);
}

/* ---- texts as lines ---- */

typedef struct Lines { int n; const char **v; } Lines;
typedef struct Edits { Lines a, b; LineEdit *e; int n; } Edits;        /* that make b of a */

static Lines lines_of(Shell *sh, const char *text)
{
    Texts l = {0};
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        vec_push(&l, arena_strndup(sh->scratch, text, strcspn(text, "\n")));
    return (Lines){l.n, vec_take(&l, sh->scratch)};
}

static Edits edits_of(Shell *sh, const char *before, const char *after)
{
    Edits d = {.a = lines_of(sh, before), .b = lines_of(sh, after)};
    d.n = text_diff(sh->scratch, d.a.v, d.a.n, d.b.v, d.b.n, &d.e);
    return d;
}

/* Unified, with 3 lines of context. */
static void put_unified(Shell *sh, const char *before, const char *after)
{
    enum { CONTEXT = 3 };
    const Edits d = edits_of(sh, before, after);
    const LineEdit *e = d.e;
    int n = d.n;
    for (int i = 0; i < n;) {
        if (e[i].op == ' ') {
            i++;
            continue;
        }
        /* The end of the hunk that begins before edit i: changes less than two contexts apart are in one. */
        int last = i;
        for (int k = i; k < n && k - last <= 2 * CONTEXT; k++)
            if (e[k].op != ' ') last = k;
        int to = last + 1 + CONTEXT < n ? last + 1 + CONTEXT : n;
        int from = i > CONTEXT ? i - CONTEXT : 0;
        int left = 0, right = 0;
        for (int j = from; j < to; j++) left += e[j].op != '+', right += e[j].op != '-';
        show_color(sh, "36",
                   arena_printf(sh->scratch, "@@ -%d,%d +%d,%d @@", e[from].a + (left > 0), left,
                                e[from].b + (right > 0), right));
        buf_putc(&sh->out, '\n');
        for (int j = from; j < to; j++) {
            const char *line = arena_printf(sh->scratch, "%c%s", e[j].op, e[j].op == '+' ? d.b.v[e[j].b] : d.a.v[e[j].a]);
            if (e[j].op == ' ') buf_puts(&sh->out, line);
            else show_color(sh, e[j].op == '-' ? "31" : "32", line);
            buf_putc(&sh->out, '\n');
        }
        i = to;
    }
}

/* ---- side by side ---- */

static void put_row(Shell *sh, const char *left, char mark, const char *right, int half)
{
    print(sh, "%s" AT(%d), show_cut(sh, left, half), half + 2);
    const char *sign = arena_printf(sh->scratch, "%c ", mark);
    if (mark == ' ') buf_puts(&sh->out, sign);
    else show_color(sh, mark == '<' ? "31" : "32", sign);
    buf_puts(&sh->out, show_cut(sh, right, half));
    show_line_end(sh);
}

static void put_sides(Shell *sh, const char *before, const char *after)
{
    enum { CONTEXT = 2 };
    const Edits d = edits_of(sh, before, after);
    const LineEdit *e = d.e;
    int n = d.n, half = (show_width(sh) - 3) / 2;
    for (int i = 0; i < n;) {
        if (e[i].op != ' ') {
            /* A run of lines that differ: those of both sides next to each other. */
            int to = i, left = 0, right = 0;
            for (; to < n && e[to].op != ' '; to++) left += e[to].op == '-', right += e[to].op == '+';
            for (int j = 0; j < left || j < right; j++)
                put_row(sh, j < left ? d.a.v[e[i].a + j] : "",
                        j >= right  ? '<' : j >= left ? '>' : '|', j < right ? d.b.v[e[i].b + j] : "", half);
            i = to;
            continue;
        }
        int to = i;
        while (to < n && e[to].op == ' ') to++;
        int head = i == 0 ? 0 : CONTEXT, tail = to == n ? 0 : CONTEXT;
        bool cut = to - i > head + tail + 1;
        for (; i < to; i++) {
            if (cut && i + tail < to && head-- <= 0) {
                put_row(sh, "..", ' ', "..", half);
                i = to - tail - 1;
                cut = false;
            } else put_row(sh, d.a.v[e[i].a], ' ', d.b.v[e[i].b], half);
        }
    }
}

/* ---- diff ---- */

static const char *param_text(Shell *sh, const Version *v, const char *name)
{
    int64_t value = version_param(v, name);
    if (value) return arena_printf(sh->scratch, "%s = %lld", name, (long long)value);
    return arena_printf(sh->scratch, "%s not bound", name);
}

static void diff_terms(Shell *sh, const Version *a, const Version *b, json_t *items)
{
    Change *changes;
    int n = term_changes(a->root, b->root, sh->scratch, &changes);
    for (int i = 0; i < n; i++) {
        const Change *change = &changes[i];
        ChangeText t;
        print(sh, "%s\n", path_text(sh->c, a->root, &change->at));
        change_make(sh, a->root, b->root, &change->at, show_width(sh) - 4, &t);
        change_put(sh, "  ", "- ", "31", t.before);
        change_put(sh, "  ", "+ ", "32", t.after);
        change_put_names(sh, "  ", &t);
        PrintOptions plain = {0};
        json_add(items, "{place:s before:s after:s}", path_text(sh->c, a->root, &change->at), show_lines(sh, a->root, &change->at, &plain),
                 show_lines(sh, b->root, &change->at, &plain));
    }
    /* Parameters of either that are bound differently. Returns how many. */
    int m = 0;
    const Version *both[2] = {b, a};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < both[side]->param_count; i++) {
            const char *name = both[side]->params[i].name;
            bool seen = side == 1 && version_has_param(b, name);
            if (seen || version_param(a, name) == version_param(b, name)) continue;
            const char *before = param_text(sh, a, name), *after = param_text(sh, b, name);
            print(sh, "param\n");
            change_put(sh, "  ", "- ", "31", before);
            change_put(sh, "  ", "+ ", "32", after);
            json_add(items, "{param:s before:s after:s}", name, before, after);
            m++;
        }
    }
    if (m + n == 0) print(sh, "%s and %s are the same term\n", version_name(sh, a), version_name(sh, b));
    if (a->code || b->code) print(sh, "kernels were edited by hand        diff %s %s --code\n", version_name(sh, a), version_name(sh, b));
    show_trust(sh, a);
    show_trust(sh, b);
}

/* The kernels without the comment that says where they come from. */
static const char *kernel_text(Shell *sh, const Version *v)
{
    Plan *plan = shell_plan(sh, v);
    return plan ? source_body(plan->source) : NULL;
}

static Trust weaker(const Version *a, const Version *b) { return a->trust > b->trust ? a->trust : b->trust; }

static bool diff_code(Shell *sh, const Version *a, const Version *b, bool side)
{
    const char *before = kernel_text(sh, a), *after = before ? kernel_text(sh, b) : NULL;
    if (!after) {
        diag_note(diag(sh), "of", "%s", version_name(sh, before ? b : a));
        return false;
    }
    size_t start = sh->out.len;
    if (side) put_sides(sh, before, after);
    else put_unified(sh, before, after);
    if (!strcmp(before, after)) {
        sh->out.len = start;
        print(sh, "%s and %s have the same kernels\n", version_name(sh, a), version_name(sh, b));
    }
    shell_report(sh, "{from:s to:s trust:s same:b text:s}", version_name(sh, a), version_name(sh, b), trust_name(weaker(a, b)),
                 !strcmp(before, after), buf_text(&sh->out) + start);
    show_trust(sh, a);
    show_trust(sh, b);
    return true;
}

bool cmd_diff(Shell *sh, Args *a)
{
    const Version *now = shell_version(sh), *from = now, *to = now;
    if (!now || !arg_limit(sh, a, 2)) return false;
    if (a->count >= 1 && !(from = session_ref(sh->session, arg(a, 0)))) return false;
    if (a->count == 2 && !(to = session_ref(sh->session, arg(a, 1)))) return false;
    if (a->count < 2 && from == to) {
        if (!to->from)
            return shell_error(sh, E13, "@%d is the source: it has no parent to compare with\n"
                               "try log        shows versions; diff @A @B compares two", to->number);
        from = to->from;
    }
    if (arg_flag(a, "code")) return diff_code(sh, from, to, arg_flag(a, "side") != NULL);
    json_t *items = json_array();
    size_t start = sh->out.len;
    diff_terms(sh, from, to, items);
    if (arg_flag(a, "side")) {           /* what is printed instead; programs are told the same */
        int half = (show_width(sh) - 3) / 2;
        sh->out.len = start;
        put_row(sh, arena_printf(sh->scratch, "%s  %s", version_marked(sh, from), show_cut(sh, from->call, half - 8)),
                ' ', arena_printf(sh->scratch, "%s  %s", version_marked(sh, to), show_cut(sh, to->call, half - 8)), half);
        put_sides(sh, show_full(sh, from->root, &(Path){0}, half), show_full(sh, to->root, &(Path){0}, half));
    }
    return shell_report(sh, "{from:s to:s trust:s same:b changes:o}", version_name(sh, from), version_name(sh, to),
                        trust_name(weaker(from, to)), from->hash == to->hash, items);
}

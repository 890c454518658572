/* show: what all commands print in one way: names of versions, steps, colours, columns, wrapped text. */
#include "show.h"
#include "compare.h"
#include "guide.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TRUST_COLUMN = 40, CHANGED_COLUMN = 38, LEGAL_SHOWN = 24, PARAMS_SHOWN = 8 };

bool shell_unicode(const Shell *sh)
{
    const char *u = session_setting(sh->session, SET_UNICODE);
    return !strcmp(u, "on") || (!strcmp(u, "auto") && sh->utf8);
}

PrintOptions show_options(const Shell *sh)
{
    return (PrintOptions){
        .width = (int)session_setting_int(sh->session, SET_WIDTH),
        .unicode = shell_unicode(sh),
        .max_depth = (int)session_setting_int(sh->session, SET_DEPTH),
    };
}

bool shell_lecture(const Shell *sh) { return session_setting_is(sh->session, SET_VIEW, "lecture"); }

void show_color(Shell *sh, const char *code, const char *text)
{
    if (shell_lecture(sh)) code = !strcmp(code, "31") ? "38;5;166" : !strcmp(code, "32") ? "1;38;5;32" : code;
    if (sh->color) buf_printf(&sh->out, "\033[%sm%s\033[0m", code, text);
    else buf_puts(&sh->out, text);
}

const char *version_name(Shell *sh, const Version *v)
{
    Buf b = {0};
    version_print(v, &b);
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

const char *version_marked(Shell *sh, const Version *v)
{
    return arena_printf(sh->scratch, "%s%s", version_name(sh, v), v->trust == TRUST_ASSUMED ? "?" : "");
}

const char *version_assumed(Shell *sh, const Version *v)
{
    Buf names = {0};
    if (v->trust != TRUST_ASSUMED) return NULL;
    bool edited = v->kind == STEP_CODE;
    int n = session_assumed(v, &names);
    const char *text = edited && n == 0 ? "hand-edited kernel"
        : arena_printf(sh->scratch, "assumed rule%s%s%s%s", n == 1 ? "" : "s", n ? " " : "", buf_text(&names),
                       edited ? " and the hand-edited kernel" : "");
    buf_free(&names);
    return text;
}

void show_trust(Shell *sh, const Version *v)
{
    const char *why = version_assumed(sh, v);
    if (why) buf_printf(&sh->out, "? %s rests on the %s\n", version_name(sh, v), why);
}

const char *hash_text(Shell *sh, uint64_t hash)
{
    return arena_printf(sh->scratch, "%016llx", (unsigned long long)hash);
}

/* ---- what a lecture sees differently ---- */

void show_hash(const Shell *sh, Buf *out, const char *before, uint64_t hash, const char *after)
{
    if (!shell_lecture(sh)) buf_printf(out, "%s%016llx%s", before, (unsigned long long)hash, after);
}

void show_gap(Shell *sh)
{
    const Buf *b = &sh->out;
    bool there = b->len < 2 || !memcmp(b->data + b->len - 2, "\n\n", 2);
    if (shell_lecture(sh) && !there) buf_putc(&sh->out, '\n');
}

const char *call_name(const char *p, size_t *n)
{
    while (*p) {
        const char *end = strchr("'\"", *p) ? strchr(p + 1, *p) : NULL;
        for (*n = 0; is_name_char(p[*n]) || (*n && p[*n] == '.' && isalpha((unsigned char)p[*n + 1]));)
            ++*n;
        if (*n && !isdigit((unsigned char)*p)) return p;
        p = end ? end + 1 : p + (*n ? *n : 1);
    }
    return NULL;
}

bool call_is_single(const char *call)
{
    size_t n;
    int depth = 0;
    const char *p = call_name(call, &n);
    if (p != call) return false;
    for (p += n; *p && (depth || strchr("({", *p)); p++) {
        depth += strchr("({", *p) != NULL;
        depth -= strchr(")}", *p) != NULL;
        if (depth == 0) return !p[1];
    }
    return !*p;
}

static bool named_before(const char *call, const char *name, size_t n)
{
    size_t m;
    for (const char *p = call; (p = call_name(p, &m)) < name; p += m)
        if (m == n && !strncmp(p, name, n)) return true;
    return false;
}

static const char *macro_doc(Shell *sh, const char *name)
{
    Strategies *s = shell_strategies(sh);
    const StrategyName *n = s ? strategies_find(s, name) : NULL;
    return n && n->doc && (n->kind == NAME_MACRO || n->kind == NAME_LOWERING) ? n->doc : "";
}

void show_wrapped(Shell *sh, const char *indent, const char *further, const char *text)
{
    int width = (int)session_setting_int(sh->session, SET_WIDTH);
    size_t start = sh->out.len;
    buf_puts(&sh->out, indent);
    for (const char *p = text; *p;) {
        size_t n = strspn(p, " ") + strcspn(p + strspn(p, " "), " ");
        if (text_width_of(sh->out.data + start, sh->out.len - start) + text_width_of(p, n) > width && p > text) {
            start = sh->out.len + 1;
            buf_printf(&sh->out, "\n%s", further);
            p += strspn(p, " ");
            n = strcspn(p, " ");
        }
        buf_write(&sh->out, p, n);
        p += n;
    }
    buf_putc(&sh->out, '\n');
}

/* Where what follows the first column begins, if that leaves half of the line; else a step further in than the line. */
static int second_column(const char *line, int width)
{
    int lead = (int)strspn(line, " ");
    const char *gap = strstr(line + lead, "  ");
    int column = gap ? text_width_of(line, (size_t)(gap - line)) + (int)strspn(gap, " ") : width;
    return column <= width / 2 ? column : lead + 4;
}

void show_fold(Shell *sh, size_t start)
{
    int width = (int)session_setting_int(sh->session, SET_WIDTH);
    if (!sh->terminal || !sh->streams) return;
    const char *text = arena_strdup(sh->scratch, buf_text(&sh->out) + start);
    sh->out.len = start;
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        const char *line = arena_strndup(sh->scratch, text, n);
        if (text_width(line) > width) show_wrapped(sh, "", arena_printf(sh->scratch, "%*s", second_column(line, width), ""), line);
        else buf_printf(&sh->out, "%s\n", line);
    }
}

void show_equations(Shell *sh, const char *indent, const char *call)
{
    size_t n;
    bool single = call_is_single(call);
    const char *further = arena_printf(sh->scratch, "%s    ", indent);
    if (!shell_lecture(sh)) return;
    for (const char *p = call; (p = call_name(p, &n)); p += n) {
        const char *name = arena_strndup(sh->scratch, p, n);
        if (named_before(call, p, n)) continue;
        const Rule *rule = rules_find(session_rules(sh->session), name);
        const char *text = rule ? rule->text : macro_doc(sh, name);
        if (*text) show_wrapped(sh, indent, further, single ? text : arena_printf(sh->scratch, "%s:  %s", name, text));
        if (single) return;
    }
}

void show_column(Shell *sh, size_t line_start, int column)
{
    int at = text_width_of(sh->out.data + line_start, sh->out.len - line_start);
    buf_printf(&sh->out, "%*s", at + 2 <= column ? column - at : 2, "");
}

/* ---- terms on one line ---- */

/* Cut to `max` columns, marking the cut; for programs nothing is. */
static void elide(const Shell *sh, Buf *b, int max)
{
    if (sh->json || text_width(buf_text(b)) <= max) return;
    b->len = text_fit(b->data, max - 3);
    buf_puts(b, "...");
}

const char *show_cut(Shell *sh, const char *text, int max)
{
    Buf b = {0};
    buf_puts(&b, text);
    elide(sh, &b, max);
    const char *cut = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return cut;
}

static const char *one_line(Shell *sh, const Term *root, const Path *p, int max, bool unicode)
{
    PrintOptions o = show_options(sh);
    o.width = 0;
    o.unicode = unicode;
    o.max_depth = sh->json ? 0 : max > 40 ? max : 40;   /* what is deeper would be cut off: every level prints something */
    Buf b = {0};
    lang_print_at(sh->c, root, p->slots, p->length, &o, &b);
    elide(sh, &b, max);
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

const char *show_short(Shell *sh, const Term *root, const Path *p, int max) { return one_line(sh, root, p, max, shell_unicode(sh)); }
const char *show_typed(Shell *sh, const Term *root, const Path *p, int max) { return one_line(sh, root, p, max, false); }

/* ---- what a step did ---- */

int count_moves(Shell *sh, const Version *v, const Path *at)
{
    Scope scope;
    RewriteEnv env;
    int n = 0;
    Rules *rules = session_rules(sh->session);
    session_scope(sh->session, v, &scope);
    shell_env(sh, v, &scope, &env);
    for (int i = 0; i < rules_count(rules); i++)
        n += guide_allows(sh, NAMED_RULE, rules_get(rules, i)->name) && rule_fits(&env, rules_get(rules, i), v->root, at);
    scope_free(&scope);
    return n;
}

static void change_line(Shell *sh, const char *sign, const char *color, const Term *root, const Path *p)
{
    int width = (int)session_setting_int(sh->session, SET_WIDTH);
    const char *text = show_short(sh, root, p, width - 4);
    buf_puts(&sh->out, "  ");
    show_color(sh, color, arena_printf(sh->scratch, "%s %s", sign, text));
    buf_putc(&sh->out, '\n');
}

static void step_change(Shell *sh, const StepReport *r)
{
    Path p;
    if (r->before == r->after) return;
    if (r->at && r->sub_count <= 1) term_step_place(r->before, r->after, r->at, &p);
    else term_changed_place(r->before, r->after, &p);
    const Term *before = path_term(r->before, &p), *after = path_term(r->after, &p);
    show_gap(sh);
    change_line(sh, "-", "31", r->before, &p);
    change_line(sh, "+", "32", r->after, &p);
    show_gap(sh);
    size_t start = sh->out.len;
    buf_printf(&sh->out, "  type   %s", type_text(sh->c, after->type));
    show_column(sh, start, CHANGED_COLUMN);
    if (before->type == after->type) buf_puts(&sh->out, "unchanged\n");
    else buf_printf(&sh->out, "was %s\n", type_text(sh->c, before->type));
}

void param_values(Shell *sh, const Version *v, Values *out)
{
    if (!session_trial_values(sh->session, v, sh->scratch, out)) session_given_values(sh->session, v, sh->scratch, out);
    values_collect(sh->session, sh->scratch, out);
}

void show_param(Shell *sh, const Values *values, const TuneParam *p, const char *indent)
{
    LegalValues legal;
    bool failed = diag_failed(&sh->c->diag);
    bool ok = session_legal(sh->session, values, p->name, sh->scratch, &legal);
    if (!ok && !failed) diag_clear(&sh->c->diag);
    buf_printf(&sh->out, "%s%s", indent, p->name);
    if (p->value) buf_printf(&sh->out, " = %lld", (long long)p->value);
    else buf_puts(&sh->out, " : int");
    if (ok) buf_printf(&sh->out, "    %s", legal.constraint);
    if (ok && legal.known && !p->value)
        buf_printf(&sh->out, "        %d legal value%s%s%s", legal.count, legal.count == 1 ? "" : "s",
                   *legal.at ? " for " : "", legal.at);
    buf_putc(&sh->out, '\n');
}

static void step_focus(Shell *sh, const StepReport *r)
{
    if (!r->made) return;
    Path focus;
    session_focus(sh->session, &focus);
    int n = count_moves(sh, r->made, &focus);
    size_t start = sh->out.len;
    buf_printf(&sh->out, "  focus  %s  ->  ", path_text(sh->c, r->before, &r->focus_before));
    buf_puts(&sh->out, path_text(sh->c, r->after, &focus));
    show_column(sh, start, CHANGED_COLUMN);
    buf_printf(&sh->out, "%d move%s here\n", n, n == 1 ? "" : "s");
    const Derivation *d = session_current(sh->session);
    const char *list = NULL;
    for (int i = 0; i < d->marks.n; i++) {
        PlaceNow now;
        session_mark_now(sh->session, &d->marks.v[i], r->made->from, &now);
        if (now.fate != PLACE_HERE) continue;
        Path p = now.at;
        session_forward(sh->session, r->made->from, &p, r->made, &now);
        if (now.fate != PLACE_HERE)
            list = arena_printf(sh->scratch, "%s%s$%s", list ? list : "", list ? ", " : "", d->marks.v[i].name);
    }
    if (list) buf_printf(&sh->out, "  marks lost: %s\n", list);
}

void show_step(Shell *sh, const StepReport *r)
{
    int64_t verbose = session_setting_int(sh->session, SET_VERBOSE);
    size_t start = sh->out.len;
    show_color(sh, "1", r->head);
    buf_printf(&sh->out, "  %s", r->call);
    if (r->at) buf_printf(&sh->out, "  at %s", path_text(sh->c, r->before, r->at));
    show_column(sh, start, TRUST_COLUMN);
    buf_printf(&sh->out, "%-9s  from @%d\n", trust_name(r->trust), r->from);
    show_equations(sh, "  ", r->call);
    if (verbose == 0) return;
    step_change(sh, r);
    for (int i = 0; !r->made && i < r->new_param_count; i++) buf_printf(&sh->out, "  param  %s : int\n", r->new_params[i]);
    int n = r->made ? r->made->param_count : 0;
    Values values;
    if (n > r->old_params) param_values(sh, r->made, &values);
    for (int i = r->old_params; i < n && i < r->old_params + PARAMS_SHOWN; i++)
        show_param(sh, &values, &r->made->params[i], "  param  ");
    if (n > r->old_params + PARAMS_SHOWN)
        buf_printf(&sh->out, "  param  and %d more        param\n", n - r->old_params - PARAMS_SHOWN);
    if (r->sub_count > 1) buf_printf(&sh->out, "  inner  %d steps%s\n", r->sub_count, r->made ? "        log --expand" : "");
    const Version *same = r->made ? session_same(sh->session, r->made) : NULL;
    if (same) buf_printf(&sh->out, "  same   term as @%d        goto @%d\n", same->number, same->number);
    step_focus(sh, r);
    if (verbose < 2) return;
    PrintOptions o = show_options(sh);
    lang_print(sh->c, r->after, &o, &sh->out);
    buf_putc(&sh->out, '\n');
}

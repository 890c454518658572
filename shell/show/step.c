/* step: what a step did, as the commands that make one print it. */
#include "mark.h"
#include "show.h"
#include "compare.h"
#include "guide.h"
#include "text.h"

enum { PARAMS_SHOWN = 8 };

int count_moves(Shell *sh, const Version *v, const Path *at)
{
    Scope scope;
    RewriteEnv env;
    int n = 0;
    Rules *rules = session_rules(sh->session);
    shell_env_now(sh, v, &scope, &env);
    for (int i = 0; i < rules_count(rules); i++)
        n += guide_allows(sh, NAMED_RULE, rules_name(rules, i)) && !rule_is_asked_for(rules_get(rules, i)) && rule_fits(&env, rules_get(rules, i), v->root, at);
    scope_free(&scope);
    return n;
}

const char *inlined_text(Shell *sh, const char *names) { return arena_printf(sh->scratch, "%s: used once (letDuplicate)", names); }

const char *step_inlined(Shell *sh, const Term *before, const Path *at, const Term *after)
{
    LOCAL(buf_free) Buf names = {0};
    Path p;
    path_carried(before, at, after, &p, &names);
    return names.len ? inlined_text(sh, buf_text(&names)) : NULL;
}

static void step_change(Shell *sh, const Term *from, const StrategyResult *r, const Path *at)
{
    Path p;
    if (from == r->root) return;
    if (at && r->step_count <= 1) term_step_place(from, r->root, at, &p);
    else term_changed_place(from, r->root, &p);
    const Term *before = path_term(from, &p), *after = path_term(r->root, &p);
    show_gap(sh);
    enum { LONGEST = 2000 };             /* what differs is found in so much of a line */
    change_lines(sh, show_short(sh, from, &p, LONGEST), show_short(sh, r->root, &p, LONGEST));
    show_gap(sh);
    print(sh, "  type   %s" AT(38), type_text(sh->c, after->type));
    if (before->type == after->type) print(sh, "unchanged\n");
    else print(sh, "was %s\n", type_text(sh->c, before->type));
}

void param_values(Shell *sh, const Version *v, Values *out)
{
    session_trial_values(sh->session, v, sh->scratch, out);
    values_collect(sh->session, sh->scratch, out);
}

void show_param(Shell *sh, const Values *values, const TuneParam *p, const char *indent, json_t *items)
{
    LegalValues legal = {.constraint = ""};
    bool failed = diag_failed(&sh->c->diag);
    bool ok = session_legal(sh->session, values, p->name, sh->scratch, &legal);
    if (!ok && !failed) diag_clear(&sh->c->diag);
    print(sh, "%s%s", indent, p->name);
    if (p->value) print(sh, " = %lld", (long long)p->value);
    else print(sh, " : int");
    if (ok) print(sh, "    %s", legal.constraint);
    if (ok && legal.known && !p->value)
        print(sh, "        %d legal value%s%s%s", legal.count, plural(legal.count), *legal.at ? " for " : "", legal.at);
    print(sh, "\n");
    if (!items || !sh->json) return;
    json_t *rejected = json_array(), *list = JSON_LIST(i, ok && legal.known ? legal.count : 0, json_integer(legal.values[i]));
    for (const LegalRejection *r = legal.rejections; r < legal.rejections + legal.rejection_count; r++) {
        json_t *those = JSON_LIST(k, r->count, json_integer(r->values[k]));
        json_add(rejected, "{text:s from?:s values:o}", r->text, r->from, those);
    }
    json_add(items, "{name:s value:o? constraint:s legal:o complete:b rejected:o}", p->name, p->value ? json_integer(p->value) : NULL,
             ok ? legal.constraint : "", list, ok && legal.known && legal.all_listed, rejected);
}

const char *step_params(Shell *sh, const Version *v, const char *indent)
{
    Values values;
    int old = v->from ? v->from->param_count : 0;
    if (v->param_count == old) return "";
    param_values(sh, v, &values);
    size_t start = sh->out.len;
    for (int i = old; i < v->param_count; i++) show_param(sh, &values, &v->params[i], indent, NULL);
    return print_taken(sh, start);
}

const char *steps_place(Shell *sh, const Term *before, const SubStep *steps, int n)
{
    Path all, p;
    all = place_path(steps[0].at);
    for (int i = 1; i < n; i++) {
        p = place_path(steps[i].at);
        int k = 0;
        while (k < all.length && k < p.length && all.slots[k] == p.slots[k]) k++;
        all.length = k;
    }
    return path_text(sh->c, before, &all);
}

void show_step(Shell *sh, const Version *v, const StrategyResult *r, const Path *at, const Version *made, const Path *focus)
{
    int64_t verbose = session_setting_int(sh->session, SET_VERBOSE);
    size_t start = sh->out.len;
    show_color(sh, "1", made ? arena_printf(sh->scratch, "@%d", made->number) : "try");
    print(sh, "  %s", r->call_text);
    if (at) print(sh, "  at %s", r->step_count > 1 ? steps_place(sh, v->root, r->steps, r->step_count) : path_text(sh->c, v->root, at));
    const char *trust = arena_printf(sh->scratch, "%-9s  from @%d", trust_name(r->trust), v->number);
    if (text_width(buf_text(&sh->out) + start) + 2 + text_width(trust) > show_width(sh)) buf_putc(&sh->out, '\n');
    print(sh, AT(40) "%s\n", trust);
    show_equations(sh, "  ", r->call_text);
    if (verbose == 0) return;
    step_change(sh, v->root, r, at);
    const char *inlined = at && r->step_count <= 1 ? step_inlined(sh, v->root, at, r->root) : NULL;
    if (inlined) print(sh, "  inlined  %s\n", inlined);
    for (int i = 0; !made && i < r->new_param_count; i++) print(sh, "  param  %s : int\n", r->new_params[i]);
    int n = made ? made->param_count : 0;
    Values values;
    if (n > v->param_count) param_values(sh, made, &values);
    for (int i = v->param_count; i < n && i < v->param_count + PARAMS_SHOWN; i++)
        show_param(sh, &values, &made->params[i], "  param  ", NULL);
    if (n > v->param_count + PARAMS_SHOWN) print(sh, "  param  and %d more        param\n", n - v->param_count - PARAMS_SHOWN);
    if (r->step_count > 1) print(sh, "  inner  %d steps%s\n", r->step_count, made ? "        log --expand" : "");
    const Version *same = made ? session_same(sh->session, made) : NULL;
    if (same) print(sh, "  same   term as @%d        goto @%d\n", same->number, same->number);
    if (made) {
        Path here = session_focus(sh->session);
        int m = count_moves(sh, made, &here);
        print(sh, "  focus  %s  ->  ", path_text(sh->c, v->root, focus));
        print(sh, "%s" AT(38) "%d move%s here\n", path_text(sh->c, r->root, &here), m, plural(m));
        const Derivation *d = session_current(sh->session);
        const char *list = NULL;
        for (int i = 0; i < d->marks.n; i++) {
            PlaceNow now = session_mark_now(sh->session, &d->marks.v[i], made->from);
            if (now.fate != PLACE_HERE) continue;
            Path p = now.at;
            session_forward(sh->session, made->from, &p, made, &now);
            if (now.fate != PLACE_HERE)
                list = arena_printf(sh->scratch, "%s%s$%s", list ? list : "", list ? ", " : "", d->marks.v[i].name);
        }
        if (list) print(sh, "  marks lost: %s\n", list);
    }
    if (verbose < 2) return;
    PrintOptions o = show_options(sh);
    lang_print(sh->c, r->root, &o, &sh->out);
    buf_putc(&sh->out, '\n');
}

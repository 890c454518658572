/* step: what a step did, as the commands that make one print it. */
#include "mark.h"
#include "show.h"
#include "compare.h"
#include "guide.h"

enum { PARAMS_SHOWN = 8 };

int count_moves(Shell *sh, const Version *v, const Path *at)
{
    Scope scope;
    RewriteEnv env;
    int n = 0;
    Rules *rules = session_rules(sh->session);
    shell_env(sh, v, &scope, &env);
    for (int i = 0; i < rules_count(rules); i++)
        n += guide_allows(sh, NAMED_RULE, rules_name(rules, i)) && rule_fits(&env, rules_get(rules, i), v->root, at);
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

static void step_change(Shell *sh, const StepReport *r)
{
    Path p;
    if (r->before == r->after) return;
    if (r->at && r->sub_count <= 1) term_step_place(r->before, r->after, r->at, &p);
    else term_changed_place(r->before, r->after, &p);
    const Term *before = path_term(r->before, &p), *after = path_term(r->after, &p);
    show_gap(sh);
    enum { LONGEST = 2000 };             /* what differs is found in so much of a line */
    change_lines(sh, show_short(sh, r->before, &p, LONGEST), show_short(sh, r->after, &p, LONGEST));
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
        json_array_append_new(rejected, json_pack("{s:s, s:s*, s:o}", "text", r->text, "from", r->from, "values", those));
    }
    json_array_append_new(items, json_pack("{s:s, s:o, s:s, s:o, s:b, s:o}", "name", p->name, "value",
                                           p->value ? json_integer(p->value) : json_null(), "constraint", ok ? legal.constraint : "",
                                           "legal", list, "complete", ok && legal.known && legal.all_listed, "rejected", rejected));
}

const char *step_params(Shell *sh, const Version *v, const char *indent)
{
    Values values;
    int old = v->from ? v->from->param_count : 0;
    if (v->param_count == old) return "";
    param_values(sh, v, &values);
    Buf kept = sh->out;
    sh->out = (Buf){0};
    for (int i = old; i < v->param_count; i++) show_param(sh, &values, &v->params[i], indent, NULL);
    const char *lines = buf_take(&sh->out, sh->scratch);
    sh->out = kept;
    return lines;
}

void show_step(Shell *sh, const StepReport *r)
{
    int64_t verbose = session_setting_int(sh->session, SET_VERBOSE);
    show_color(sh, "1", r->head);
    print(sh, "  %s", r->call);
    if (r->at) print(sh, "  at %s", path_text(sh->c, r->before, r->at));
    print(sh, AT(40) "%-9s  from @%d\n", trust_name(r->trust), r->from);
    show_equations(sh, "  ", r->call);
    if (verbose == 0) return;
    step_change(sh, r);
    const char *inlined = r->at && r->sub_count <= 1 ? step_inlined(sh, r->before, r->at, r->after) : NULL;
    if (inlined) print(sh, "  inlined  %s\n", inlined);
    for (int i = 0; !r->made && i < r->new_param_count; i++) print(sh, "  param  %s : int\n", r->new_params[i]);
    int n = r->made ? r->made->param_count : 0;
    Values values;
    if (n > r->old_params) param_values(sh, r->made, &values);
    for (int i = r->old_params; i < n && i < r->old_params + PARAMS_SHOWN; i++)
        show_param(sh, &values, &r->made->params[i], "  param  ", NULL);
    if (n > r->old_params + PARAMS_SHOWN) print(sh, "  param  and %d more        param\n", n - r->old_params - PARAMS_SHOWN);
    if (r->sub_count > 1) print(sh, "  inner  %d steps%s\n", r->sub_count, r->made ? "        log --expand" : "");
    const Version *same = r->made ? session_same(sh->session, r->made) : NULL;
    if (same) print(sh, "  same   term as @%d        goto @%d\n", same->number, same->number);
    if (r->made) {
        Path focus;
        session_focus(sh->session, &focus);
        int m = count_moves(sh, r->made, &focus);
        print(sh, "  focus  %s  ->  ", path_text(sh->c, r->before, &r->focus_before));
        print(sh, "%s" AT(38) "%d move%s here\n", path_text(sh->c, r->after, &focus), m, plural(m));
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
        if (list) print(sh, "  marks lost: %s\n", list);
    }
    if (verbose < 2) return;
    PrintOptions o = show_options(sh);
    lang_print(sh->c, r->after, &o, &sh->out);
    buf_putc(&sh->out, '\n');
}

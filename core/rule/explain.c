/* explain: what would help where a rule fails: the nearest place where it applies, steps that make it apply
 * (explain_steps.c), others. */
#include <string.h>

#include "explain_private.h"

enum { PLACES_MAX = 1500 };              /* places looked at for the nearest one */

static const char *kept(const Question *q, const char *text) { return text ? arena_strdup(q->keep, text) : NULL; }

/* ---- where does it apply, or nearly? ---- */

typedef struct Near {
    bool applies;
    int distance;
    RuleMisfit misfit;                   /* progress 0: none */
    Path at;
} Near;

static void consider_place(const Question *q, const Path *p, Near *best)
{
    int d = place_distance(p, q->at);
    RuleMisfit m;
    if (best->applies && d >= best->distance) return;
    if (question_fits(q, q->root, p)) {
        /* Where a rule gives names back that its left side had, it applies and nothing is new. */
        RewriteEnv env = *q->env;
        RuleResult r;
        bool same = rule_apply(&env, q->rule, q->args, q->root, p, false, &r) && r.root == q->root;
        diag_clear(&q->c->diag);
        if (!same) *best = (Near){.applies = true, .distance = d, .at = *p};
        return;
    }
    if (best->applies || !rule_misfit_brief(q->env, q->rule, q->args, q->root, p, &m)) return;
    bool nearer = m.progress > best->misfit.progress || (m.progress == best->misfit.progress && d < best->distance);
    if (nearer) *best = (Near){.distance = d, .misfit = m, .at = *p};
}

static void note_nearest(const Question *q, RuleAdvice *out)
{
    /* The place itself only counts as the nearest miss, which then is no news. */
    Near n = {.at = *q->at};
    Path p = {0};
    int places = 0;
    if (!rule_misfit_brief(q->env, q->rule, q->args, q->root, q->at, &n.misfit)) return;
    do {
        if (!path_equal(&p, q->at)) consider_place(q, &p, &n);
    } while (++places < PLACES_MAX && path_next(q->root, &p));
    if (n.distance == 0 || (!n.applies && n.misfit.progress <= 1)) return;
    out->near_place = kept(q, path_text(q->c, q->root, &n.at));
    out->near_text = kept(q, lang_text(q->c, q->root, n.at.slots, n.at.length, 60));
    if (n.applies) {
        out->near_try = question_command(q, q->rule, q->args, q->root, &n.at);
    } else {
        const RuleMisfit *m = &n.misfit;
        rule_misfit(q->env, q->rule, q->args, q->root, &n.at, &n.misfit);
        if (m->matched) out->near_needs = arena_printf(q->keep, "%s (%s)", m->needs, m->found);
        else if (path_equal(&m->at, &n.at)) out->near_needs = kept(q, m->needs);
        else out->near_needs = arena_printf(q->keep, "%s at %s", m->needs, path_text(q->c, q->root, &m->at));
    }
}

/* ---- rules of its kind that do apply ---- */

static void note_instead(const Question *q, RuleAdvice *out)
{
    static const char *const telling_kinds[] = {"fusion", "fission", "interchange", "reduce"};       /* whose rules do alike things */
    enum { SHOWN = 3 };
    Buf b = {0};
    int n = 0;
    bool telling = text_index(telling_kinds, COUNT(telling_kinds), q->rule->kind) >= 0;
    for (int i = 0; telling && i < rules_count(q->rules) && n < SHOWN; i++) {
        const Rule *r = rules_get(q->rules, i);
        RuleArg args[6];
        RuleResult result;
        bool alike = question_helper(q, r) && !strcmp(r->kind, q->rule->kind);
        if (!alike || !rule_apply_default(q->env, r, q->root, q->at, args, &result)) continue;
        bool any = ANY(k, r->param_count, args[k].set);
        buf_printf(&b, "%s%s", n++ ? ", " : "", any ? rule_typed_text(q->c, r, args) : r->name);
    }
    if (n) out->instead = arena_printf(q->keep, "%s at %s", buf_text(&b), path_text(q->c, q->root, q->at));
    buf_free(&b);
}

/* ---- the whole ---- */

RuleAdvice rule_advise(RewriteEnv *env, const Rules *rules, const AdviceMacros *macros, const Rule *rule,
                       const RuleArg *args, const Term *root, const Path *at)
{
    RuleAdvice out = {0};
    RewriteEnv own = *env;
    Diag saved = diag_aside(&env->c->diag);               /* the error that is explained stays as it is */
    CtxMark mark = ctx_mark(env->c);
    bool given = args && ANY(i, rule->param_count, args[i].set);
    Question q = {.env = &own, .c = env->c, .keep = saved.arena, .rules = rules, .rule = rule, .args = given ? args : NULL,
                  .macros = macros, .root = root, .at = at};
    note_nearest(&q, &out);
    out.step_try = enabling_steps(&q, out.near_try != NULL);
    note_instead(&q, &out);
    ctx_release(env->c, &mark);
    diag_back(&env->c->diag, saved);
    return out;
}

void rule_advice_notes(Ctx *c, const RuleAdvice *a, bool tries)
{
    Diag *d = &c->diag;
    if (a->near_needs) diag_note(d, "near", "%s: %s, but it needs %s", a->near_place, a->near_text, a->near_needs);
    else if (a->near_place) diag_note(d, "near", "%s: %s", a->near_place, a->near_text);
    if (tries && a->instead) diag_note(d, "instead", "%s", a->instead);
    if (tries && a->near_try) diag_note(d, "try", "%s", a->near_try);
    if (tries && a->step_try) diag_note(d, "try", "%s", a->step_try);
}

/* explain: what would help where a rule fails: the nearest place where it applies, and one step that makes it apply. */
#include <limits.h>
#include <string.h>

#include "rule.h"

enum {
    PLACES_MAX = 1500,                   /* places looked at for the nearest one */
    NEAR_DISTANCE = 3, STEP_PLACES = 40, /* where an enabling step is looked for: so near, and every ancestor */
    REWRITES_MAX = 400,                  /* steps tried */
    AFTER_MAX = 16, AFTER_DISTANCE = 3,  /* places looked at after a step, how far from the asked one: /in/f/body is three */
    ELSEWHERE = 24, FACT = 2,            /* what it costs to enable the rule elsewhere, and each fact it is left to assume */
    GROWTH_MAX = 6,                      /* nodes that a step may add: what brings along all that is missing is no advice */
};

typedef struct Search {
    RewriteEnv *env;
    Ctx *c;
    Arena *keep;                         /* of the caller's diag: texts of the advice */
    const Rules *rules;
    const Rule *rule;
    const RuleArg *args;                 /* NULL: none given */
    const Term *root;
    const Path *at;
    int rewrites;
} Search;

static int distance(const Path *a, const Path *b)
{
    int common = 0;
    while (common < a->length && common < b->length && a->slots[common] == b->slots[common]) common++;
    return a->length + b->length - 2 * common;
}

static bool is_prefix(const Path *a, const Path *b)
{
    return a->length <= b->length && !memcmp(a->slots, b->slots, a->length);
}

static const char *kept(const Search *s, const char *text) { return text ? arena_strdup(s->keep, text) : NULL; }

/* "apply splitJoin(4) at /in" */
static const char *command(const Search *s, const Rule *rule, const RuleArg *args, const Term *root, const Path *at)
{
    const char *call = args ? rule_typed_text(s->c, rule, args) : rule->name;
    return arena_printf(s->keep, "apply %s at %s", call, path_text(s->c, root, at));
}

static bool fits(const Search *s, const Term *root, const Path *at)
{
    return rule_applies_with(s->env, s->rule, s->args, root, at);
}

/* ---- where does it apply, or nearly? ---- */

typedef struct Near {
    bool applies;
    int distance;
    RuleMisfit misfit;                   /* progress 0: none */
    Path at;
} Near;

static void consider_place(const Search *s, const Path *p, Near *best)
{
    int d = distance(p, s->at);
    RuleMisfit m;
    if (best->applies && d >= best->distance) return;
    if (fits(s, s->root, p)) {
        *best = (Near){.applies = true, .distance = d, .at = *p};
        return;
    }
    if (best->applies || !rule_misfit_brief(s->env, s->rule, s->args, s->root, p, &m)) return;
    bool nearer = m.progress > best->misfit.progress || (m.progress == best->misfit.progress && d < best->distance);
    if (nearer) *best = (Near){.distance = d, .misfit = m, .at = *p};
}

/* The place itself only counts as the nearest miss, which then is no news. */
static Near nearest(const Search *s)
{
    Near best = {.distance = INT_MAX};
    Path p = {0};
    int places = 0;
    if (!rule_misfit_brief(s->env, s->rule, s->args, s->root, s->at, &best.misfit)) return best;
    best.distance = 0;
    best.at = *s->at;
    do {
        if (!path_equal(&p, s->at)) consider_place(s, &p, &best);
    } while (++places < PLACES_MAX && path_next(s->root, &p));
    return best;
}

static void note_nearest(const Search *s, RuleAdvice *out)
{
    Near n = nearest(s);
    if (n.distance == 0 || n.distance == INT_MAX || (!n.applies && n.misfit.progress <= 1)) return;
    out->near_place = kept(s, path_text(s->c, s->root, &n.at));
    out->near_text = kept(s, lang_text(s->c, s->root, n.at.slots, n.at.length, 60));
    if (n.applies) {
        out->near_try = command(s, s->rule, s->args, s->root, &n.at);
    } else {
        const RuleMisfit *m = &n.misfit;
        rule_misfit(s->env, s->rule, s->args, s->root, &n.at, &n.misfit);
        if (m->matched) out->near_needs = arena_printf(s->keep, "%s (%s)", m->needs, m->found);
        else if (path_equal(&m->at, &n.at)) out->near_needs = kept(s, m->needs);
        else out->near_needs = arena_printf(s->keep, "%s at %s", m->needs, path_text(s->c, s->root, &m->at));
    }
}

/* ---- one step that makes it apply ---- */

/* Rules that may be put anywhere say nothing about what is missing; assumed ones are no advice. */
static bool is_helper(const Search *s, const Rule *r)
{
    if (r == s->rule || r->trust == TRUST_ASSUMED || !r->ast) return false;
    const Ast *left = r->reversed ? r->ast->rhs : r->ast->lhs;
    return left->kind != AST_NAME;
}

/* What changes least in kind comes first. */
static int kind_cost(const Rule *r)
{
    static const char *const order[] = {"simplify", "fusion", "fission", "layout", "interchange", "lower", "split", "reduce",
                                        "vector"};
    int i = 0;
    while (i < COUNT(order) && strcmp(order[i], r->kind)) i++;
    return i;
}

typedef struct Step {                    /* the best found so far */
    int cost;                            /* INT_MAX: none */
    bool there;                          /* it makes the rule apply at the very place that was asked for */
    uint32_t size;
    const Rule *rule;
    RuleArg args[6];
    bool any_args;
    Path at, then;
    const Term *after;
} Step;

/* Did it apply there before the step already? */
static bool is_news(const Search *s, const Rewrite *w, const Path *q)
{
    Path before;
    return !place_backward(s->c, w, q, &before) || !fits(s, s->root, &before);
}

/* Does it apply after the step, and lead elsewhere than back? The number of facts that it would assume; -1: it does not. */
static int leads_on(const Search *s, const Term *root, const Path *at)
{
    RewriteEnv env = *s->env;
    RuleResult r;
    bool ok = rule_apply(&env, s->rule, s->args, root, at, false, &r);
    diag_clear(&s->c->diag);
    return ok && r.root != s->root && r.root != root ? r.fact_count : -1;
}

/* The places of the new term to try: where the asked one went, then those next to it. */
static int places_after(const Rewrite *w, const Path *went, Path *out)
{
    int n = 0;
    Path p = *went;
    out[n++] = *went;
    while (path_next(w->after, &p) && is_prefix(went, &p) && n < AFTER_MAX)
        if (distance(&p, went) <= AFTER_DISTANCE) out[n++] = p;
    for (p = *went; p.length > 0 && n < AFTER_MAX;) {
        p.length--;
        if (path_term(w->after, &p)->kind == T_LAM) continue;
        out[n++] = p;
        break;
    }
    return n;
}

static void after_step(Search *s, const Rule *r, const RuleArg args[6], const Rewrite *w, Step *best)
{
    Path went, places[AFTER_MAX];
    int growth = (int)w->after->size - (int)s->root->size;
    if (growth > GROWTH_MAX) return;
    place_forward(s->c, w, s->at, &went);
    int n = places_after(w, &went, places);
    for (int i = 0; i < n; i++) {
        bool there = path_equal(&places[i], &went);
        int cost = 4 * distance(&w->at, s->at) + 6 * distance(&places[i], &went) + kind_cost(r) + (growth > 0 ? growth : 0);
        if (!there) cost += ELSEWHERE;
        if (growth >= GROWTH_MAX && distance(&places[i], &went) >= AFTER_DISTANCE) continue;
        if (cost > best->cost || !fits(s, w->after, &places[i]) || !is_news(s, w, &places[i])) continue;
        int facts = leads_on(s, w->after, &places[i]);
        cost += FACT * facts;
        if (facts < 0 || cost > best->cost || (cost == best->cost && w->after->size >= best->size)) continue;
        *best = (Step){.cost = cost, .there = there, .size = w->after->size, .rule = r, .at = w->at, .then = places[i],
                       .after = w->after};
        memcpy(best->args, args, sizeof best->args);
        for (int k = 0; k < r->param_count; k++) best->any_args |= args[k].set;
    }
}

static void try_step(Search *s, const Rule *r, const RuleArg args[6], const RuleResult *result, const Path *p, Step *best)
{
    s->rewrites++;
    Rewrite w = {r, result->args, s->root, result->root, *p};
    after_step(s, r, args, &w, best);
}

/* padMap(4) for splitJoin(4) or mapVectorise(4): the number that was asked for, when each has one and no other parameter. */
static bool same_size(const Search *s, const Rule *r, RuleArg args[6])
{
    bool one = s->args && s->rule->param_count == 1 && r->param_count == 1;
    if (!one || r->params[0].kind != STATIC_SIZE || !r->params[0].given) return false;
    args[0] = s->args[0];
    return args[0].size && (s->rule->params[0].kind == STATIC_SIZE || s->rule->params[0].kind == STATIC_WIDTH);
}

static void try_steps_at(Search *s, const Path *p, Step *best)
{
    for (int i = 0; i < rules_count(s->rules) && s->rewrites < REWRITES_MAX; i++) {
        const Rule *r = rules_get(s->rules, i);
        RuleArg args[6];
        RuleResult result;
        int least = 4 * distance(p, s->at) + kind_cost(r);
        if (least > best->cost || !is_helper(s, r) || !rule_apply_default(s->env, r, s->root, p, args, &result)) continue;
        try_step(s, r, args, &result, p, best);
        RewriteEnv env = *s->env;
        bool again = same_size(s, r, args) && rule_apply(&env, r, args, s->root, p, false, &result);
        diag_clear(&s->c->diag);
        if (again) try_step(s, r, args, &result, p, best);
    }
}

static bool worth_trying(const Search *s, const Path *p)
{
    return distance(p, s->at) <= NEAR_DISTANCE || is_prefix(p, s->at);
}

/* Nearest places first, so that the bound cuts what is far. */
static void try_steps(Search *s, Step *best)
{
    for (int d = 0; d <= 2 * PATH_MAX_LENGTH; d++) {
        Path p = {0};
        int places = 0, found = 0;
        bool further = false;
        do {
            if (!worth_trying(s, &p)) continue;
            further |= distance(&p, s->at) > d;
            if (distance(&p, s->at) != d || found++ >= STEP_PLACES) continue;
            try_steps_at(s, &p, best);
        } while (++places < PLACES_MAX && path_next(s->root, &p));
        if (!further || s->rewrites >= REWRITES_MAX) return;
    }
}

static void note_step(Search *s, RuleAdvice *out)
{
    Step best = {.cost = INT_MAX};
    try_steps(s, &best);
    if (best.cost == INT_MAX || (out->near_try && !best.there)) return;
    const char *first = command(s, best.rule, best.any_args ? best.args : NULL, s->root, &best.at);
    const char *then = command(s, s->rule, s->args, best.after, &best.then);
    out->step_try = arena_printf(s->keep, "%s ; %s", first, then);
}

/* ---- rules of its kind that do apply ---- */

/* Kinds whose rules do alike things. */
static const char *const telling_kinds[] = {"fusion", "fission", "interchange", "reduce"};

static void note_instead(Search *s, RuleAdvice *out)
{
    enum { SHOWN = 3 };
    Buf b = {0};
    int n = 0;
    bool telling = false;
    for (int i = 0; i < COUNT(telling_kinds); i++) telling |= !strcmp(s->rule->kind, telling_kinds[i]);
    for (int i = 0; telling && i < rules_count(s->rules) && n < SHOWN; i++) {
        const Rule *r = rules_get(s->rules, i);
        RuleArg args[6];
        RuleResult result;
        bool alike = is_helper(s, r) && !strcmp(r->kind, s->rule->kind);
        if (!alike || !rule_apply_default(s->env, r, s->root, s->at, args, &result)) continue;
        bool any = false;
        for (int k = 0; k < r->param_count; k++) any |= args[k].set;
        buf_printf(&b, "%s%s", n++ ? ", " : "", any ? rule_typed_text(s->c, r, args) : r->name);
    }
    if (n) out->instead = arena_printf(s->keep, "%s at %s", buf_text(&b), path_text(s->c, s->root, s->at));
    buf_free(&b);
}

RuleAdvice rule_advise(RewriteEnv *env, const Rules *rules, const Rule *rule, const RuleArg *args, const Term *root,
                       const Path *at)
{
    RuleAdvice out = {0};
    RewriteEnv own = *env;
    Diag saved = env->c->diag;               /* the error that is explained stays as it is */
    diag_init(&env->c->diag);
    bool given = false;
    for (int i = 0; args && i < rule->param_count; i++) given |= args[i].set;
    Search s = {.env = &own, .c = env->c, .keep = saved.arena, .rules = rules, .rule = rule, .args = given ? args : NULL,
                .root = root, .at = at};
    note_nearest(&s, &out);
    note_step(&s, &out);
    note_instead(&s, &out);
    diag_free(&env->c->diag);
    env->c->diag = saved;
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

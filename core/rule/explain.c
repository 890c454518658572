/* explain: what would help where a rule fails: the nearest place where it applies, steps that make it apply (a rule, a macro, or
 * two rules), others. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "rule.h"

typedef struct Question {                /* a rule that fails at a place, of which something is asked */
    RewriteEnv *env;
    Ctx *c;
    Arena *keep;                         /* of the caller's diag: texts of the advice */
    const Rules *rules;
    const Rule *rule;
    const RuleArg *args;                 /* NULL: none given */
    const AdviceMacros *macros;          /* NULL: none */
    const Term *root;
    const Path *at;
} Question;

enum { PLACES_MAX = 1500 };              /* places looked at */

/* Slots on the way from a to b. */
static int place_distance(const Path *a, const Path *b)
{
    int common = 0;
    while (common < a->length && common < b->length && a->slots[common] == b->slots[common]) common++;
    return a->length + b->length - 2 * common;
}

/* "apply splitJoin(4) at /in" */
static const char *question_command(const Question *q, const Rule *rule, const RuleArg *args, const Term *root, const Path *at)
{
    const char *call = args ? rule_typed_text(q->c, rule, args) : rule->name;
    return arena_printf(q->keep, "apply %s at %s", call, path_text(q->c, root, at));
}

/* Does the rule apply there? */
static bool question_fits(const Question *q, const Term *root, const Path *at)
{
    return rule_applies(q->env, q->rule, q->args, root, at);
}

/* May the rule be advised? Not itself, nor one that is only assumed, nor one that may be put anywhere. */
static bool question_helper(const Question *q, const Rule *r)
{
    if (r == q->rule || r->trust == TRUST_ASSUMED) return false;
    if (q->env->advisable && !q->env->advisable(q->env->advisable_data, r->name)) return false;
    return rule_side(r, false)->kind != AST_NAME;
}

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
    if (best->applies || !rule_misfit(q->env, q->rule, q->args, q->root, p, true, &m)) return;
    bool nearer = m.progress > best->misfit.progress || (m.progress == best->misfit.progress && d < best->distance);
    if (nearer) *best = (Near){.distance = d, .misfit = m, .at = *p};
}

static void note_nearest(const Question *q, RuleAdvice *out)
{
    /* The place itself only counts as the nearest miss, which then is no news. */
    Near n = {.at = *q->at};
    Path p = {0};
    int places = 0;
    if (!rule_misfit(q->env, q->rule, q->args, q->root, q->at, true, &n.misfit)) return;
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
        rule_misfit(q->env, q->rule, q->args, q->root, &n.at, false, &n.misfit);
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
    LOCAL(buf_free) Buf b = {0};
    int n = 0;
    bool telling = text_index(telling_kinds, COUNT(telling_kinds), q->rule->kind) >= 0;
    for (int i = 0; telling && i < rules_count(q->rules) && n < SHOWN; i++) {
        const Rule *r = rules_get(q->rules, i);
        RuleArg args[RULE_ARGS] = {{0}};
        RuleResult result;
        bool alike = question_helper(q, r) && !strcmp(r->kind, q->rule->kind);
        if (!alike || !rule_apply_open(q->env, r, q->root, q->at, args, &result)) continue;
        bool any = ANY(k, r->param_count, args[k].set);
        buf_printf(&b, "%s%s", n++ ? ", " : "", any ? rule_typed_text(q->c, r, args) : r->name);
    }
    if (n) out->instead = arena_printf(q->keep, "%s at %s", buf_text(&b), path_text(q->c, q->root, q->at));
}

/* ---- steps that make it apply ---- */

enum {
    STEP_PLACES = 40,                    /* tried at one distance */
    NEAR_DISTANCE = 3,                   /* where a step is looked for: so near, and every ancestor */
    REWRITES_MAX = 400,                  /* single steps tried */
    AFTER_MAX = 16, AFTER_DISTANCE = 3,  /* places looked at after a step, how far from the asked one: /in/f/body is three */
    ELSEWHERE = 24, FACT = 2,            /* what it costs to enable the rule elsewhere, and each fact it is left to assume */
    GROWTH_MAX = 6,                      /* nodes that steps may add: what brings along all that is missing is no advice */
    MACRO = 12, MACRO_DISTANCE = 2,      /* what a macro costs; how far from the asked place, ancestors apart */
    FIRSTS = 48, SECOND_DISTANCE = 2,    /* first steps of two, the cheapest; how far the second is from the asked place */
    SECONDS_MAX = 4000,                  /* second steps tried */
};

typedef struct Move {                    /* one command */
    const struct Move *before;           /* NULL: the first */
    const Term *root, *after;            /* before and after it */
    const Rule *rule;                    /* NULL: a macro */
    RuleArg args[RULE_ARGS];
    const char *macro;
    const Rewrite *rewrites;             /* what it does */
    int count, cost;
    Path at;
} Move;

typedef struct Steps {                   /* the best found so far */
    int cost;                            /* INT_MAX: none */
    uint32_t size;                       /* of the term then */
    bool there;                          /* the rule applies at the very place that was asked for */
    const Move *last;
    Path then;                           /* where it applies */
} Steps;

typedef struct Helper { const Rule *rule; int cost; } Helper;           /* that may be advised; cost: of its kind */

typedef struct Helpers { bool known; VEC(Helper) rules; } Helpers;      /* for places of one primitive, in the rules' order */

typedef struct Search {
    const Question *q;
    Ctx *c;
    Arena *arena;                        /* of moves */
    bool there;                          /* no other place counts */
    int rewrites, most;                  /* tried, and how many may be */
    VEC(Move *) firsts;                  /* single steps that were made; unused while `before` is not NULL */
    const Move *before;                  /* the step in front; NULL: none */
    Helpers helpers[PRIM_COUNT + 1];     /* by primitive; the last: of places that are none */
    const Term *root;                    /* the term at hand, and where the asked place is in it */
    Path asked;
    Steps best;
} Search;

static bool stopped(const Search *s)
{
    const AdviceMacros *m = s->q->macros;
    return m && m->stop && *m->stop;
}

static bool exhausted(const Search *s) { return s->rewrites >= s->most || stopped(s); }

/* ---- where places go ---- */

/* False: a step consumed the place, and *out is an ancestor. */
static bool forward(Ctx *c, const Move *m, const Path *p, Path *out)
{
    *out = *p;
    bool held = !m->before || forward(c, m->before, p, out);
    for (int i = 0; i < m->count; i++) {
        Path from = *out;
        held &= place_forward(c, &m->rewrites[i], &from, out) > 0;
    }
    return held;
}

/* Did the rule not apply there before already? */
static bool is_news(const Search *s, const Move *m, const Path *p)
{
    Path before = *p;
    for (; m; m = m->before)
        for (int i = m->count - 1; i >= 0; i--) {
            Path from = before;
            if (!place_backward(s->c, &m->rewrites[i], &from, &before)) return true;
        }
    return !question_fits(s->q, s->q->root, &before);
}

/* ---- what a move is worth ---- */

/* What changes least in kind comes first. */
static int kind_cost(const Rule *r)
{
    static const char *const order[] = {"simplify", "fusion", "fission", "layout", "interchange", "lower", "split", "reduce",
                                        "vector"};
    int i = 0;
    while (i < COUNT(order) && strcmp(order[i], r->kind)) i++;
    return i;
}

static int growth(const Search *s, const Move *m) { return (int)m->after->size - (int)s->q->root->size; }

/* The places of the new term to try: where the asked one went, then those next to it. */
static int places_after(const Search *s, const Move *m, const Path *went, Path *out)
{
    int n = 0;
    Path p = *went;
    out[n++] = *went;
    if (s->there) return n;
    while (path_next(m->after, &p) && path_is_below(&p, went) && n < AFTER_MAX)
        if (place_distance(&p, went) <= AFTER_DISTANCE) out[n++] = p;
    for (p = *went; p.length > 0 && n < AFTER_MAX;) {
        p.length--;
        if (path_term(m->after, &p)->kind == T_LAM) continue;
        out[n++] = p;
        break;
    }
    return n;
}

static Move *kept_move(Search *s, const Move *m)
{
    Move *own = arena_copy(s->arena, m, sizeof *m);
    Rewrite *rewrites = arena_copy(s->arena, m->rewrites, (size_t)m->count * sizeof *rewrites);
    if (m->rule) rewrites->args = own->args;
    own->rewrites = rewrites;
    return own;
}

/* Is there a place somewhere in t at which the rule may apply? */
static bool has_place(const Rule *r, const Term *t)
{
    return rule_may_apply(r, t) || ANY(i, term_slot_count(t), has_place(r, term_slot(t, i)));
}

static void after_move(Search *s, const Move *m)
{
    Path went, places[AFTER_MAX];
    if (growth(s, m) > GROWTH_MAX || m->after == s->q->root || !has_place(s->q->rule, m->after)) return;
    bool held = forward(s->c, m, s->q->at, &went);
    if (s->there && !held) return;
    int n = places_after(s, m, &went, places);
    for (int i = 0; i < n; i++) {
        /* Keep the move if it is the best so far, when the rule is then applied at p. */
        const Path *p = &places[i];
        Steps *best = &s->best;
        int apart = place_distance(p, &went), more = growth(s, m);
        bool there = path_equal(p, &went);
        int cost = m->cost + 6 * apart + (more > 0 ? more : 0) + (there ? 0 : ELSEWHERE);
        if (more >= GROWTH_MAX && apart >= AFTER_DISTANCE) continue;
        if (cost > best->cost || !question_fits(s->q, m->after, p) || !is_news(s, m, p)) continue;
        /* Does the rule apply after the move, and lead to something new? */
        const Question *q = s->q;
        RewriteEnv env = *q->env;
        RuleResult r;
        bool ok = rule_apply(&env, q->rule, q->args, m->after, p, false, &r);
        diag_clear(&s->c->diag);
        bool reached = r.root == q->root || r.root == m->root || r.root == m->after          /* by a single step, or none */
                    || (m->before && ANY(k, s->firsts.n, s->firsts.v[k]->after == r.root));
        if (!ok || reached) continue;
        cost += FACT * r.fact_count;
        if (cost > best->cost || (cost == best->cost && m->after->size >= best->size)) continue;
        *best = (Steps){.cost = cost, .size = m->after->size, .there = there, .last = kept_move(s, m), .then = *p};
    }
}

/* ---- rules ---- */

static void try_rule(Search *s, const Rule *r, const RuleArg args[RULE_ARGS], const RuleResult *result, const Path *p)
{
    Rewrite w = {r, result->args, s->root, result->root, *p};
    Move m = {.before = s->before, .root = s->root, .after = result->root, .rule = r, .rewrites = &w, .count = 1, .at = *p,
              .cost = 4 * place_distance(p, &s->asked) + kind_cost(r) + (s->before ? s->before->cost : 0)};
    memcpy(m.args, args, sizeof m.args);
    s->rewrites++;
    after_move(s, &m);
    if (!s->before && growth(s, &m) <= GROWTH_MAX) vec_push(&s->firsts, kept_move(s, &m));
}

/* padMap(4) for splitJoin(4) or mapVectorise(4): the number that was asked for, when each has one and no other parameter. */
static bool same_size(const Search *s, const Rule *r, RuleArg args[RULE_ARGS])
{
    const Question *q = s->q;
    bool one = q->args && q->rule->param_count == 1 && r->param_count == 1;
    if (!one || r->params[0].kind != STATIC_SIZE || !r->params[0].given) return false;
    args[0] = q->args[0];
    return args[0].size && (q->rule->params[0].kind == STATIC_SIZE || q->rule->params[0].kind == STATIC_WIDTH);
}

/* The rules that may be advised and may apply at such a place. */
static const Helpers *helpers_at(Search *s, const Term *place)
{
    const Question *q = s->q;
    Helpers *h = &s->helpers[place->kind == T_PRIM ? (int)place->prim : PRIM_COUNT];
    for (int i = 0; !h->known && i < rules_count(q->rules); i++) {
        const Rule *r = rules_get(q->rules, i);
        if (!rule_is_asked_for(r) && rule_may_apply(r, place) && question_helper(q, r)) vec_push(&h->rules, ((Helper){r, kind_cost(r)}));
    }
    h->known = true;
    return h;
}

static void try_rules_at(Search *s, const Path *p)
{
    const Question *q = s->q;
    const Helpers *helpers = helpers_at(s, path_term(s->root, p));
    int least = 4 * place_distance(p, &s->asked) + (s->before ? s->before->cost : 0);
    for (int i = 0; i < helpers->rules.n && !exhausted(s); i++) {
        const Rule *r = helpers->rules.v[i].rule;
        RuleArg args[RULE_ARGS] = {{0}};
        RuleResult result;
        if (least + helpers->rules.v[i].cost > s->best.cost) continue;
        if (!rule_apply_open(q->env, r, s->root, p, args, &result)) continue;
        try_rule(s, r, args, &result, p);
        RewriteEnv env = *q->env;
        bool again = same_size(s, r, args) && rule_apply(&env, r, args, s->root, p, false, &result);
        diag_clear(&s->c->diag);
        if (again) try_rule(s, r, args, &result, p);
    }
}

/* Calls try at the places no further than `most` from the asked one, and at its ancestors: nearest first, so
 * that bounds cut what is far. */
static void try_places(Search *s, int most, void (*try)(Search *s, const Path *p))
{
    for (int d = 0; d <= 2 * PATH_MAX_LENGTH; d++) {
        Path p = {0};
        int places = 0, found = 0;
        bool further = false;
        do {
            int apart = place_distance(&p, &s->asked);
            if (apart > most && !path_is_below(&s->asked, &p)) continue;
            further |= apart > d;
            if (apart == d && found++ < STEP_PLACES) try(s, &p);
        } while (++places < PLACES_MAX && path_next(s->root, &p));
        if (!further || exhausted(s)) return;
    }
}

/* ---- macros ---- */

static void try_macros_at(Search *s, const Path *p)
{
    const AdviceMacros *macros = s->q->macros;
    int cost = 4 * place_distance(p, &s->asked) + MACRO;
    for (int i = 0; i < macros->count && !exhausted(s) && cost <= s->best.cost; i++) {
        Move m = {.root = s->root, .cost = cost, .at = *p};
        m.rewrites = macros->run(macros->data, i, s->root, p, &m.count, &m.macro);
        if (!m.rewrites || m.count < 2) continue;        /* one rewrite is a rule, which was tried */
        m.after = m.rewrites[m.count - 1].after;
        m.cost += m.count;
        after_move(s, &m);
    }
}

/* ---- two rules ---- */

static int by_cost(const Move *x, const Move *y)
{
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->after->size != y->after->size ? (x->after->size < y->after->size ? -1 : 1) : 0;
}

static void put_move(const Search *s, const Move *m, Buf *out)
{
    if (m->before) put_move(s, m->before, out);
    bool any = m->rule && ANY(i, m->rule->param_count, m->args[i].set);
    if (m->rule) buf_puts(out, question_command(s->q, m->rule, any ? m->args : NULL, m->root, &m->at));
    else buf_printf(out, "apply %s at %s", m->macro, path_text(s->c, m->root, &m->at));
    buf_puts(out, " ; ");
}

static bool found(const Search *s, bool there) { return s->best.cost < INT_MAX && (s->best.there || !there); }

/* "apply reduceSeq at / ; apply reduceMapFusion at /": a rule, else a macro, else two rules that make the
 * rule apply, and then the rule. there: only what makes it apply at the very place that was asked for, as
 * macros and two rules always must. NULL: none was found. What is tried is bounded by counts. */
static const char *enabling_steps(const Question *q, bool there)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    Search s = {.q = q, .c = q->c, .arena = arena, .most = REWRITES_MAX, .root = q->root, .asked = *q->at};
    s.best.cost = INT_MAX;
    try_places(&s, NEAR_DISTANCE, try_rules_at);
    bool single = found(&s, there);
    if (!single) s.best = (Steps){.cost = INT_MAX};
    s.there = true;
    if (!single && q->macros) try_places(&s, MACRO_DISTANCE, try_macros_at);
    if (!single && !found(&s, true)) {
        /* stable, so that the order is that of the rules */
        Move **v = s.firsts.v;
        for (int i = 1; i < s.firsts.n; i++)
            for (int k = i; k > 0 && by_cost(v[k - 1], v[k]) > 0; k--) {
                Move *m = v[k];
                v[k] = v[k - 1];
                v[k - 1] = m;
            }
        s.rewrites = 0;
        s.most = SECONDS_MAX;
        for (int i = 0, tried = 0; i < s.firsts.n && tried < FIRSTS && !exhausted(&s); i++) {
            /* Not where a cheaper one leads to the same term, nor where the rule applies already, and was rejected. */
            const Move *m = v[i];
            if (ANY(k, i, v[k]->after == m->after) || !forward(s.c, m, q->at, &s.asked) || m->after == q->root
                || question_fits(q, m->after, &s.asked))
                continue;
            s.before = m;
            s.root = m->after;
            try_places(&s, SECOND_DISTANCE, try_rules_at);
            tried++;
        }
    }
    const char *text = NULL;
    if (found(&s, there) && !stopped(&s)) {
        Buf b = {0};
        put_move(&s, s.best.last, &b);
        buf_puts(&b, question_command(q, q->rule, q->args, s.best.last->after, &s.best.then));
        text = buf_take(&b, q->keep);
    }
    free(s.firsts.v);
    for (int i = 0; i <= PRIM_COUNT; i++) free(s.helpers[i].rules.v);
    return text;
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

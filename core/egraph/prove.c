/* prove: two terms are equal, by rewrites in both directions; each is made again by rule_apply. */
#include "egraph_private.h"

#include <stdlib.h>

enum { TEXT_MOST = 2000, NODES_TO_SHOW = 1500 };

static void sizes_in(Ctx *c, const Term *t, Chosen *s)
{
    for (int i = 0; i < t->static_count; i++)
        if (prim_static_kind(c, (PrimId)t->prim, i) == STATIC_SIZE) chosen_add(s, (RuleArg){.set = true, .size = t->statics[i]});
    for (int i = 0; i < t->arg_count; i++) sizes_in(c, t->args[i], s);
}

static void choose_rules(Egraph *g, const Rules *rules, const Claim *k)
{
    bool wanted[PRIM_COUNT + 1] = {0};
    for (int i = 0; i < 2; i++) {        /* not what stands for unknown functions */
        if (k->except) egraph_mark_pattern(g->c, rule_side(k->except, i), wanted);
        else egraph_mark_term(i ? k->right : k->left, wanted);
    }
    for (int i = 0; i < rules_count(rules); i++) {
        Rule *r = rules_get(rules, i);
        bool itself = k->except && (r == k->except || r->ast == k->except->ast || !strcmp(rule_definition(r), rule_definition(k->except)));
        if (!itself && !r->refuted && r->trust != TRUST_ASSUMED && egraph_wants_rule(g->c, r, true, false, wanted)) vec_push(&g->rules, r);
    }
}

static void saturate(Egraph *g, Claim *k, Arena *arena, ProofResult *out)
{
    struct Schedule *schedule = NEW_ARRAY(g->arena, struct Schedule, g->rules.n);
    Saturation s = {.g = g, .schedule = schedule};
    sizes_in(g->c, k->left, &s.chosen[STATIC_SIZE]);
    sizes_in(g->c, k->right, &s.chosen[STATIC_SIZE]);
    g->largest_cut = saturate_largest_cut(&s);
    int left = egraph_add(g, k->left), right = egraph_add(g, k->right);
    g->widest = extent_larger(egraph_extent(g, k->left), egraph_extent(g, k->right));
    egraph_rebuild(g);
    for (bool more = true, widened = false;;) {
        bool equal = egraph_find(g, left) == egraph_find(g, right), stopped = g->stop && *g->stop;
        if (equal) out->proved = explain(g, k->left, k->right, arena, out);
        out->end = stopped ? REACH_STOPPED : equal ? out->proved ? REACH_FOUND : REACH_NO_PATH
                 : !more ? REACH_SATURATED : g->live > g->most ? REACH_NODES : REACH_TIME;
        if (equal || !more || egraph_over(g)) break;
        more = saturate_round(&s);
        if (!more && g->held_back && !widened) saturate_widen(&s), more = widened = true;
    }
    out->rounds = s.round;
    free(s.seen);
}

static void prove_by_rules(RewriteEnv *env, const Rules *rules, Claim *k, double seconds, int nodes, Arena *arena, ProofResult *out)
{
    double start = clock_cpu_ms();
    Egraph g = {.c = env->c, .env = *env, .arena = arena_new(), .deadline = start + seconds * 1e3, .most = nodes, .stop = env->c->stop, .claim = k};
    g.env.assumes = claim_assumes;
    g.env.assumes_data = k;
    choose_rules(&g, rules, k);
    out->left = arena_strdup(arena, lang_text(g.c, k->left, NULL, 0, TEXT_MOST));
    saturate(&g, k, arena, out);
    diag_clear(&g.c->diag);              /* of terms that did not type */
    out->nodes = g.live;
    out->rules = g.rules.n;
    out->seconds += (clock_cpu_ms() - start) / 1e3;
    egraph_free(&g);
}

static void read_rules(const Rules *rules)
{
    for (int i = 0; i < rules_count(rules); i++) rules_get(rules, i);
}

void egraph_prove(RewriteEnv *env, const Rules *rules, const Rule *rule, double seconds, int nodes, Arena *arena, ProofResult *out)
{
    double start = clock_cpu_ms();
    Claim k;
    Choices only = {0};
    *out = (ProofResult){0};
    read_rules(rules);
    bool same = same_by_rule(env->c, rule, false, arena, out);
    out->seconds = (clock_cpu_ms() - start) / 1e3;
    CtxMark mark = ctx_mark(env->c);
    LOCAL(drop_arena) Arena *own = arena_new();
    ClaimEnd end = claim_of_rule(env->c, own, rule, &only, &k);
    if (end == CLAIM_MADE && !only.count) prove_by_rules(env, rules, &k, seconds, same && nodes > NODES_TO_SHOW ? NODES_TO_SHOW : nodes, arena, out);
    else if (!same && !out->why_not) out->why_not = "its sides are not the same elements in all cases, and rules are tried where there is one alone";
    out->proved = out->proved || same;
    out->by_solver = out->by_solver || solver_used(k.solver);
    claim_free(&k);
    ctx_release(env->c, &mark);
}

void egraph_prove_equal(RewriteEnv *env, const Rules *rules, const Term *a, const Term *b, const Fact *facts, int fact_count, double seconds,
                        int nodes, Arena *arena, ProofResult *out)
{
    Claim k;
    *out = (ProofResult){0};
    read_rules(rules);
    CtxMark mark = ctx_mark(env->c);
    LOCAL(drop_arena) Arena *own = arena_new();
    claim_of_terms(env->c, own, a, b, facts, fact_count, &k);
    k.total = true;
    k.total = meaning_is_total(env->c, &k, a) && meaning_is_total(env->c, &k, b);
    if (a->type == b->type) {
        bool same = same_by_claim(env->c, &k, true, arena, out);
        prove_by_rules(env, rules, &k, seconds, same && nodes > NODES_TO_SHOW ? NODES_TO_SHOW : nodes, arena, out);
        out->proved = out->proved || same;
    } else out->why_not = "their types differ";
    out->by_solver = solver_used(k.solver);
    claim_free(&k);
    ctx_release(env->c, &mark);
}

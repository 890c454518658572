/* same: are both sides of an equation the same elements, by what each is (meaning.c); and may a rule be taken back. */
#include "egraph_private.h"

enum { EQUATIONS_MOST = 1000 };

/* May the right side stand for the left one? both: and the other way round. */
bool same_by_claim(Ctx *c, Claim *k, bool both, Arena *arena, ProofResult *out)
{
    const char *text = NULL;
    const Term *left = meaning_of(c, k, k->left, both, arena, &text);
    int known = k->known.n;
    if (left && !both) meaning_know_reads(c, k, left);       /* the right one is asked for where the left one has a value */
    const Term *right = left ? meaning_of(c, k, k->right, true, NULL, NULL) : NULL;
    k->known.n = known;
    if (left && left == right) out->meaning = text;
    return left && left == right;
}

/* A rule stands for an equation for each way to choose its lists and kinds: are both sides the same in all? */
bool same_by_rule(Ctx *c, const Rule *rule, bool both, Arena *arena, ProofResult *out)
{
    Choices all = {0};
    bool whole = false, same = true;
    do {
        CtxMark mark = ctx_mark(c);
        LOCAL(drop_arena) Arena *own = arena_new();
        Claim k;
        ClaimEnd end = claim_of_rule(c, own, rule, &all, &k);
        if (end == CLAIM_NONE) same = k.short_lists;
        else same = end == CLAIM_MADE && same_by_claim(c, &k, both, arena, out);
        if (end == CLAIM_REFUSED) out->why_not = arena_strdup(arena, k.why_not);
        whole = whole || (end == CLAIM_MADE && !k.short_lists);
        out->equations += end == CLAIM_MADE;
        out->by_solver = out->by_solver || solver_used(k.solver);
        claim_free(&k);
        ctx_release(c, &mark);
    } while (same && choices_next(&all) && out->equations < EQUATIONS_MOST && !ctx_stopped(c));
    return same && whole && !all.count;
}

bool same_leads_back(Egraph *g, Rule *rule, const Term *t, const Term *made)
{
    if (meaning_needs_no_more(g->c, g->claim, t, made)) return true;
    if (rule->left == LEFT_NOT_ASKED) {
        LOCAL(drop_arena) Arena *own = arena_new();
        rule->left = same_by_rule(g->c, rule, true, own, &(ProofResult){0}) ? LEFT_HAS : LEFT_MAY_LACK;
    }
    bool has = rule->left == LEFT_HAS;
    if (ctx_stopped(g->c)) rule->left = LEFT_NOT_ASKED;      /* the question was cut short */
    return has;
}

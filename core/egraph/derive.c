/* derive: from a term to an equal one by the fewest rewrites. Two e-nodes are one where their children are equal, so a derivation is
 * made of rewrites, at which a class has its reasons, and of derivations of the children between them. The shortest is the least
 * solution of the equations between their lengths. */
#include "egraph_private.h"

#include <stdlib.h>

enum { FAR = 1 << 28, BACKWARDS = 16, PAIRS_MOST = 60000, TRIES = 60 };

typedef struct Pair {                    /* from one node to another of its class */
    int from, to, length, by;            /* by: the reason of the last rewrite at the top; -1: there is none */
} Pair;

typedef struct Deriving {
    Egraph *g;
    const Rules *rules;
    Arena *arena;
    Ints *arriving;                      /* reasons that end at a node of that canonical form */
    int *canonical;                      /* by node */
    VEC(Pair) pairs;
    int *slots;                          /* hash table of pairs + 1 */
    size_t slot_count;
    bool *dead;                          /* reasons that did not repeat */
    VEC(ReachStep) steps;
    Ints used;                           /* the reason of each step */
    Path at;
} Deriving;

static int pair_of(Deriving *d, int from, int to, bool make)
{
    if ((size_t)d->pairs.n * 2 >= d->slot_count) {
        d->slot_count = d->slot_count ? d->slot_count * 2 : 1 << 12;
        free(d->slots);
        d->slots = mem_alloc(d->slot_count * sizeof *d->slots);
        for (int i = 0; i < d->pairs.n; i++) {
            size_t h = hash_mix((uint64_t)d->pairs.v[i].from, (uint64_t)d->pairs.v[i].to) & (d->slot_count - 1);
            while (d->slots[h]) h = (h + 1) & (d->slot_count - 1);
            d->slots[h] = i + 1;
        }
    }
    size_t h = hash_mix((uint64_t)from, (uint64_t)to) & (d->slot_count - 1);
    for (; d->slots[h]; h = (h + 1) & (d->slot_count - 1))
        if (d->pairs.v[d->slots[h] - 1].from == from && d->pairs.v[d->slots[h] - 1].to == to) return d->slots[h] - 1;
    if (!make) return -1;
    vec_push(&d->pairs, ((Pair){from, to, from == to ? 0 : FAR, -1}));
    d->slots[h] = d->pairs.n;
    return d->pairs.n - 1;
}

static int child(const Deriving *d, int n, int i) { return egraph_node(d->g, d->g->nodes.v[n].term->args[i]); }

/* How long it is to bring the children of one e-node to be those of another, which is the same but for them. */
static int children_length(Deriving *d, int from, int to, bool make)
{
    int sum = 0;
    if (from == to) return 0;
    for (int i = 0; i < d->g->nodes.v[from].term->arg_count; i++) {
        int a = child(d, from, i), b = child(d, to, i), p = a == b ? -1 : pair_of(d, a, b, make);
        if (p >= 0) sum += d->pairs.v[p].length;
        if (sum >= FAR) sum = FAR;
    }
    return sum;
}

static int reason_length(const Deriving *d, int i) { return d->dead[i] ? FAR : d->g->reasons.v[i].rule < 0 ? BACKWARDS : 1; }

/* The last rewrite at the top, if there is one, makes what is `to` but for its children. */
static bool relax(Deriving *d, Pair *p)
{
    Egraph *g = d->g;
    int length = d->canonical[p->from] == d->canonical[p->to] ? children_length(d, p->from, p->to, false) : FAR, by = -1;
    const Ints *arriving = &d->arriving[d->canonical[p->to]];
    for (int i = 0; i < arriving->n; i++) {
        const Reason *r = &g->reasons.v[arriving->v[i]];
        int before = pair_of(d, p->from, r->from, false), own = reason_length(d, arriving->v[i]);
        int before_length = before < 0 ? FAR : d->pairs.v[before].length;
        if (own >= FAR || before_length + own >= length) continue;
        int sum = before_length + own + children_length(d, r->to, p->to, false);
        if (sum < length) length = sum, by = arriving->v[i];
    }
    if (length >= p->length) return false;
    p->length = length;
    p->by = by;
    return true;
}

/* All pairs that the first one hangs on; then lengths until none gets shorter. */
static void solve(Deriving *d, int from, int to)
{
    Egraph *g = d->g;
    pair_of(d, from, to, true);
    for (int i = 0; i < d->pairs.n && d->pairs.n < PAIRS_MOST; i++) {
        Pair p = d->pairs.v[i];
        if (p.from == p.to) continue;
        if (d->canonical[p.from] == d->canonical[p.to]) children_length(d, p.from, p.to, true);
        const Ints *arriving = &d->arriving[d->canonical[p.to]];
        for (int k = 0; k < arriving->n && d->pairs.n < PAIRS_MOST; k++) {
            const Reason *r = &g->reasons.v[arriving->v[k]];
            if (d->dead[arriving->v[k]]) continue;
            children_length(d, r->to, p.to, true);
            pair_of(d, p.from, r->from, true);
        }
    }
    for (bool changed = true; changed && !(g->stop && *g->stop);) {
        changed = false;
        for (int i = d->pairs.n - 1; i >= 0; i--) {
            Pair p = d->pairs.v[i];
            if (p.length && relax(d, &p)) d->pairs.v[i] = p, changed = true;
        }
    }
}

static bool emit(Deriving *d, int from, int to);

static bool emit_children(Deriving *d, int from, int to, bool of_let)
{
    const Term *t = d->g->nodes.v[from].term;
    bool let = term_is(t, PRIM_LET);
    for (int i = 0; i < t->arg_count && from != to; i++) {
        int a = child(d, from, i), b = child(d, to, i);
        bool pushed = !(of_let && t->kind == T_LAM);
        if (a == b) continue;
        if (pushed && d->at.length == PATH_MAX_LENGTH) return false;
        if (pushed) d->at.slots[d->at.length++] = (uint8_t)i;
        bool ok = let && i == 1 ? emit_children(d, a, b, true) : emit(d, a, b);
        if (pushed) d->at.length--;
        if (!ok) return false;
    }
    return true;
}

static bool emit(Deriving *d, int from, int to)
{
    if (from == to) return true;
    int i = pair_of(d, from, to, false);
    if (i < 0 || d->pairs.v[i].length >= FAR) return false;
    int by = d->pairs.v[i].by;
    if (by < 0) return emit_children(d, from, to, false);
    const Reason r = d->g->reasons.v[by];
    if (!emit(d, from, r.from)) return false;
    vec_push(&d->steps, ((ReachStep){NULL, d->at}));
    vec_push(&d->used, by);
    return emit_children(d, r.to, to, false);
}

/* For a rewrite that is to be taken back: a rule that does. */
static bool backwards(Deriving *d, const Term *root, const Path *at, const Term *want, RuleResult *out, const Rule **rule)
{
    for (int i = 0; i < rules_count(d->rules); i++) {
        RuleArg args[RULE_ARGS] = {{0}};
        *rule = rules_get(d->rules, i);
        bool ok = !(*rule)->refuted && (*rule)->trust != TRUST_ASSUMED && rule_apply_open(&d->g->env, *rule, root, at, args, out);
        if (ok && out->after == want) return true;
    }
    return false;
}

/* The steps on whole terms, without the rounds that come back to where they were. False: a reason did not repeat, and is dead. */
static bool replay(Deriving *d, const Term *from, const Term *to, ReachResult *out)
{
    Egraph *g = d->g;
    int n = d->steps.n, kept = 0;
    const Term **roots = NEW_ARRAY(d->arena, const Term *, n + 1);
    roots[0] = from;
    out->steps = NEW_ARRAY(d->arena, ReachStep, n);
    for (int i = 0; i < n; i++) {
        const Reason *r = &g->reasons.v[d->used.v[i]];
        const Path *at = &d->steps.v[i].at;
        const Term *want = g->nodes.v[r->to].term, *root = roots[kept];
        const Rule *rule = r->rule < 0 ? NULL : g->rules.v[r->rule];
        RuleResult result;
        bool ok = path_term(root, at) == g->nodes.v[r->from].term;
        if (ok && !rule) ok = backwards(d, root, at, want, &result, &rule);
        else ok = ok && rule_apply(&g->env, rule, g->args.v[r->args], root, at, false, &result) && result.after == want;
        diag_clear(&g->c->diag);
        if (!ok) return d->dead[d->used.v[i]] = true, false;
        out->steps[kept++] = (ReachStep){arena_strdup(d->arena, rule_call_text(g->c, rule, result.args)), *at};
        roots[kept] = result.root;
        for (int k = 0; k < kept; k++)
            if (roots[k] == result.root) kept = k;
    }
    out->step_count = kept;
    return roots[kept] == to;
}

static void forget(Deriving *d)
{
    for (int i = 0; i < d->g->nodes.n; i++) free(d->arriving[i].v);
    free(d->arriving);
    free(d->canonical);
    free(d->pairs.v);
    free(d->slots);
    free(d->steps.v);
    free(d->used.v);
    *d = (Deriving){.g = d->g, .rules = d->rules, .arena = d->arena, .dead = d->dead};
}

typedef enum Attempt { DERIVED, DIED, NO_WAY } Attempt;          /* DIED: a reason did not repeat */

/* By the reasons that united classes alone, or by all. */
static Attempt attempt(Deriving *d, const Term *from, const Term *to, bool united, ReachResult *out)
{
    Egraph *g = d->g;
    int first = egraph_node(g, from), last = egraph_node(g, to), reasons = g->reasons.n;
    d->arriving = mem_alloc(sizeof *d->arriving * (size_t)g->nodes.n);
    d->canonical = mem_alloc(sizeof *d->canonical * (size_t)g->nodes.n);
    for (int i = 0; i < g->nodes.n; i++) d->canonical[i] = egraph_node(g, egraph_canonical(g, g->nodes.v[i].term));
    for (int i = 0; i < reasons; i++)
        if (!united || g->reasons.v[i].united) vec_push(&d->arriving[d->canonical[g->reasons.v[i].to]], i);
    solve(d, first, last);
    Attempt is = !emit(d, first, last) ? NO_WAY : replay(d, from, to, out) ? DERIVED : DIED;
    forget(d);
    return is;
}

bool derive(Egraph *g, const Term *from, const Term *to, const Rules *rules, Arena *arena, ReachResult *out)
{
    egraph_add(g, to);
    egraph_rebuild(g);
    int forward = g->reasons.n, tries = 0;
    Attempt is = NO_WAY;
    Deriving d = {.g = g, .rules = rules, .arena = arena, .dead = mem_alloc(sizeof(bool) * (size_t)forward * 2 + 1)};
    for (int way = 0; way < 3 && is != DERIVED; way++) {        /* few reasons, all, all in both directions */
        for (int k = 0; way == 2 && k < forward; k++)
            vec_push(&g->reasons, ((Reason){g->reasons.v[k].to, g->reasons.v[k].from, -1, -1, g->reasons.v[k].united}));
        do is = attempt(&d, from, to, way == 0, out);
        while (is == DIED && ++tries < TRIES && !(g->stop && *g->stop));
    }
    free(d.dead);
    return is == DERIVED;
}

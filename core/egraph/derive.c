/* derive: from a term to an equal one by few rewrites. Two e-nodes are one where their children are equal, so a derivation is made of
 * rewrites, at which a class has its reasons, and of derivations of the children between them. The shortest is the least solution of
 * the equations between their lengths; where they are too many, or it would go backwards, the way through the proof forest is
 * taken (Nieuwenhuis and Oliveras 2005). Either is only a plan: its steps are tried on whole terms, and left out where they serve
 * nothing. */
#include "egraph_private.h"

#include <stdlib.h>

enum { FAR = 1 << 28, PAIRS_MOST = 10000, STEPS_MOST = 1000 };

typedef struct Pair {                    /* from one node to another of its class */
    int from, to, length, by;            /* by: the reason of the last rewrite at the top; -1: there is none */
    int ways, ways_end;                  /* which of Deriving.ways */
} Pair;
typedef struct PairWay { int by, first, end; } PairWay;      /* the sum of the pairs Deriving.sums[first .. end), and of that rewrite */

typedef struct Deriving {
    Egraph *g;
    const Rules *rules;
    Arena *arena;
    int *ending, *next;                  /* by root of a class the first of the reasons that end there, + 1, by reason the next one, + 1 */
    Ints *arriving;                      /* by canonical form these reasons, once somebody asked for the class */
    int *canonical;                      /* by node what it is with the representatives of its children, + 1; 0: nobody asked */
    VEC(Pair) pairs;
    VEC(PairWay) ways;
    Ints sums;
    int *slots;                          /* hash table of pairs + 1 */
    size_t slot_count;
    bool (*is_goal)(void *goal, const Term *t);
    void *goal;
    bool forest;                         /* by the proof forest */
    VEC(ReachStep) steps;
    Ints used;                           /* the reason of each step */
    Path at;
} Deriving;

static size_t hash_of(int from, int to) { return (size_t)hash_mix(0, (uint64_t)from << 32 | (uint64_t)to); }

static int pair_of(Deriving *d, int from, int to, bool make)
{
    if ((size_t)d->pairs.n * 2 >= d->slot_count) {
        d->slot_count = d->slot_count ? d->slot_count * 2 : 1 << 12;
        free(d->slots);
        d->slots = mem_alloc(d->slot_count * sizeof *d->slots);
        for (int i = 0; i < d->pairs.n; i++) {
            size_t h = hash_of(d->pairs.v[i].from, d->pairs.v[i].to) & (d->slot_count - 1);
            while (d->slots[h]) h = (h + 1) & (d->slot_count - 1);
            d->slots[h] = i + 1;
        }
    }
    size_t h = hash_of(from, to) & (d->slot_count - 1);
    for (; d->slots[h]; h = (h + 1) & (d->slot_count - 1))
        if (d->pairs.v[d->slots[h] - 1].from == from && d->pairs.v[d->slots[h] - 1].to == to) return d->slots[h] - 1;
    if (!make) return -1;
    vec_push(&d->pairs, ((Pair){.from = from, .to = to, .length = from == to ? 0 : FAR, .by = -1}));
    d->slots[h] = d->pairs.n;
    return d->pairs.n - 1;
}

static int child(const Deriving *d, int n, int i) { return egraph_node(d->g, d->g->nodes.v[n].term->args[i]); }

/* How long it is to bring the children of one e-node to be those of another, which is the same but for them. */
/* The pairs to bring the children of one e-node to be those of another, which is the same but for them. False: there is none for one of these. */
static bool pair_children(Deriving *d, int from, int to, bool make, Ints *out)
{
    for (int i = 0; i < d->g->nodes.v[from].term->arg_count && from != to; i++) {
        int a = child(d, from, i), b = child(d, to, i), p = a == b ? -1 : pair_of(d, a, b, make);
        if (p >= 0) vec_push(out, p);
        else if (a != b) return false;
    }
    return true;
}

static int canonical(Deriving *d, int n)
{
    Egraph *g = d->g;
    if (!d->canonical[n]) {
        int made = egraph_node(g, egraph_canonical(g, g->nodes.v[n].term));
        d->canonical[n] = (made < 0 ? n : made) + 1;
    }
    return d->canonical[n] - 1;
}

/* The reasons that make what is that node but for its children. */
static const Ints *arriving(Deriving *d, int to)
{
    int *ending = &d->ending[egraph_find(d->g, to)];
    for (; *ending; *ending = d->next[*ending - 1]) vec_push(&d->arriving[canonical(d, d->g->reasons.v[*ending - 1].to)], *ending - 1);
    return &d->arriving[canonical(d, to)];
}

/* The last rewrite at the top, if there is one, makes what is `to` but for its children. make: pairs that are not there are made. */
static void find_ways(Deriving *d, int i, bool make)
{
    const Pair p = d->pairs.v[i];
    const Ints *last = arriving(d, p.to);
    int first = d->sums.n;
    if (canonical(d, p.from) == canonical(d, p.to) && pair_children(d, p.from, p.to, make, &d->sums)) vec_push(&d->ways, ((PairWay){-1, first, d->sums.n}));
    for (int k = 0; k < last->n && (!make || d->pairs.n < PAIRS_MOST); k++) {
        const Reason *r = &d->g->reasons.v[last->v[k]];
        int before = make ? -1 : pair_of(d, p.from, r->from, false);
        first = d->sums.n;
        if ((!make && before < 0) || !pair_children(d, r->to, p.to, make, &d->sums)) continue;
        if (make) before = pair_of(d, p.from, r->from, true);
        vec_push(&d->sums, before);
        vec_push(&d->ways, ((PairWay){last->v[k], first, d->sums.n}));
    }
}

static bool relax(Deriving *d, Pair *p)
{
    int before = p->length;
    for (int i = p->ways; i < p->ways_end; i++) {
        const PairWay *w = &d->ways.v[i];
        int length = w->by >= 0;
        for (int k = w->first; k < w->end && length < p->length; k++) length += d->pairs.v[d->sums.v[k]].length;
        if (length < p->length) p->length = length, p->by = w->by;
    }
    return p->length < before;
}

/* All pairs that the first one hangs on; then lengths until none gets shorter. */
static void solve(Deriving *d, int from, int to)
{
    const Egraph *g = d->g;
    pair_of(d, from, to, true);
    for (int i = 0; i < d->pairs.n && d->pairs.n < PAIRS_MOST; i++)
        if (d->pairs.v[i].length) find_ways(d, i, true);
    d->ways.n = d->sums.n = 0;           /* some of the pairs came later */
    for (int i = 0; i < d->pairs.n; i++) {
        d->pairs.v[i].ways = d->ways.n;
        if (d->pairs.v[i].length) find_ways(d, i, false);
        d->pairs.v[i].ways_end = d->ways.n;
    }
    for (bool changed = true; changed && !(g->stop && *g->stop);) {
        changed = false;
        for (int i = d->pairs.n - 1; i >= 0; i--) changed |= relax(d, &d->pairs.v[i]);
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

static void add_step(Deriving *d, int reason)
{
    vec_push(&d->steps, ((ReachStep){.at = d->at}));
    vec_push(&d->used, reason);
}

/* One edge of the proof forest, up or down. */
static bool emit_edge(Deriving *d, int from, int to, int why)
{
    Egraph *g = d->g;
    if (why < 0) return emit_children(d, from, to, false);
    const Reason r = g->reasons.v[why];
    if (r.from != from) {
        vec_push(&g->reasons, ((Reason){r.to, r.from, ~r.rule, r.args, r.united}));
        why = g->reasons.n - 1;
    }
    add_step(d, why);
    return d->steps.n < STEPS_MOST;
}

static int forest_depth(const Egraph *g, int n)
{
    int depth = 0;
    for (; g->nodes.v[n].proof >= 0; n = g->nodes.v[n].proof) depth++;
    return depth;
}

/* Up from one node to where both ways meet, and down to the other. */
static bool emit_forest(Deriving *d, int from, int to)
{
    const Egraph *g = d->g;
    LOCAL(drop) Ints down = {0};
    int a = forest_depth(g, from), b = forest_depth(g, to);
    bool ok = true;
    while (ok && from != to) {
        bool up = a >= b;
        int next = g->nodes.v[up ? from : to].proof;
        if (next < 0) return false;
        if (up) {
            ok = emit_edge(d, from, next, g->nodes.v[from].why);
            from = next;
            a--;
        } else {
            vec_push(&down, to);
            to = next;
            b--;
        }
    }
    for (int i = down.n - 1; i >= 0 && ok; i--) ok = emit_edge(d, g->nodes.v[down.v[i]].proof, down.v[i], g->nodes.v[down.v[i]].why);
    return ok;
}

static bool emit(Deriving *d, int from, int to)
{
    if (from == to) return true;
    if (d->forest) return emit_forest(d, from, to);
    int i = pair_of(d, from, to, false);
    if (i < 0 || d->pairs.v[i].length >= FAR) return false;
    int by = d->pairs.v[i].by;
    if (by < 0) return emit_children(d, from, to, false);
    const Reason r = d->g->reasons.v[by];
    if (!emit(d, from, r.from)) return false;
    add_step(d, by);
    return emit_children(d, r.to, to, false);
}

/* For a rewrite that is to be taken back: a rule that does. */
static bool backwards(Deriving *d, const Term *root, const Path *at, const Term *want, RuleResult *out, const Rule **rule)
{
    for (int i = 0; i < rules_count(d->rules); i++) {
        RuleArg args[RULE_ARGS] = {{0}};
        *rule = rules_get(d->rules, i);
        bool ok = !(*rule)->refuted && !rule_is_approximate(*rule) && (*rule)->trust != TRUST_ASSUMED && rule_apply_open(&d->g->env, *rule, root, at, args, out);
        if (ok && out->after == want) return true;
    }
    return false;
}

/* One of the steps on a whole term: the rule applies to what is there, which need not be what it was found for. NULL: it does not. */
static const Term *take_step(Deriving *d, const Term *root, int i, ReachStep *step)
{
    Egraph *g = d->g;
    const Reason *r = &g->reasons.v[d->used.v[i]];
    const Path *at = &d->steps.v[i].at;
    const Term *place = path_term(root, at);
    const Rule *rule = r->rule < 0 ? NULL : g->rules.v[r->rule];
    RuleResult result;
    if (!place || place->type != g->nodes.v[r->from].term->type) return NULL;
    bool ok = rule ? rule_apply(&g->env, rule, g->args.v[r->args], root, at, false, &result)
                   : place == g->nodes.v[r->from].term && backwards(d, root, at, g->nodes.v[r->to].term, &result, &rule);
    diag_clear(&g->c->diag);
    if (ok && step) *step = (ReachStep){arena_strdup(d->arena, rule_call_text(g->c, rule, result.args)), arena_strdup(d->arena, path_text(g->c, root, at)), *at};
    return ok ? result.root : NULL;
}

/* The steps that are not left out, as far as they apply, and what they lead to. What asks for something around its place may apply after
 * what comes later. */
static const Term *take_steps(Deriving *d, const Term *from, const bool *left_out, ReachResult *out)
{
    int taken = 0;
    LOCAL(drop) Ints waiting = {0}, still = {0};
    for (int i = 0; i < d->steps.n; i++)
        if (!left_out[i]) vec_push(&waiting, i);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < waiting.n; i++) {
            const Term *next = take_step(d, from, waiting.v[i], out ? &out->steps[taken] : NULL);
            if (!next) {
                vec_push(&still, waiting.v[i]);
                continue;
            }
            from = next;
            taken++;
            more = true;
        }
        Ints done = waiting;
        waiting = still;
        still = done;
        still.n = 0;
    }
    if (out) out->step_count = taken;
    return from;
}

/* What is taken back, and for each the nearest step before it by that rule, which made it so. */
static void leave_returns_out(const Deriving *d, bool *left_out)
{
    const Reason *reasons = d->g->reasons.v;
    for (int i = 0; i < d->steps.n; i++) {
        int rule = reasons[d->used.v[i]].rule, k = i;
        if (rule >= 0) continue;
        left_out[i] = true;
        while (k >= 0 && (left_out[k] || reasons[d->used.v[k]].rule != ~rule)) k--;
        if (k >= 0) left_out[k] = true;
    }
}

/* The steps without those that it does without: what only makes children what the graph had them to be, and its way back. */
static bool shorten(Deriving *d, const Term *from, ReachResult *out)
{
    int n = d->steps.n;
    bool *left_out = NEW_ARRAY(d->arena, bool, n), *tried = NEW_ARRAY(d->arena, bool, n);
    if (!d->is_goal(d->goal, take_steps(d, from, left_out, NULL))) {
        leave_returns_out(d, left_out);
        if (!d->is_goal(d->goal, take_steps(d, from, left_out, NULL))) return false;
    }
    for (int size = n > 1 ? n / 2 : n; size > 0; size /= 2)
        for (int at = n - size; at > -size && !egraph_over(d->g); at -= size) {
            memcpy(tried, left_out, sizeof *tried * (size_t)n);
            for (int i = at < 0 ? 0 : at; i < at + size; i++) tried[i] = true;
            if (d->is_goal(d->goal, take_steps(d, from, tried, NULL))) memcpy(left_out, tried, sizeof *tried * (size_t)n);
        }
    out->steps = NEW_ARRAY(d->arena, ReachStep, n);
    take_steps(d, from, left_out, out);
    return true;
}

static void forget(Deriving *d)
{
    for (int i = 0; i < d->g->nodes.n; i++) free(d->arriving[i].v);
    free(d->arriving);
    free(d->canonical);
    free(d->ending);
    free(d->next);
    free(d->pairs.v);
    free(d->ways.v);
    free(d->sums.v);
    free(d->slots);
    free(d->steps.v);
    free(d->used.v);
}

typedef enum Way { BY_UNITED, BY_ALL, BY_FOREST } Way;     /* by the reasons that united classes, all, the proof forest */

static bool attempt(Egraph *g, const Derivable *of, Way way, Arena *arena, ReachResult *out)
{
    Deriving d = {.g = g, .rules = of->rules, .arena = arena, .is_goal = of->is_goal, .goal = of->goal, .forest = way == BY_FOREST};
    int first = egraph_node(g, of->from), last = egraph_node(g, of->to);
    d.arriving = mem_alloc(sizeof *d.arriving * (size_t)g->nodes.n);
    d.canonical = mem_alloc(sizeof *d.canonical * (size_t)g->nodes.n);
    d.ending = mem_alloc(sizeof *d.ending * (size_t)g->nodes.n);
    d.next = mem_alloc(sizeof *d.next * (size_t)g->reasons.n);
    for (int i = g->reasons.n - 1; i >= 0 && !d.forest; i--) {
        if (way != BY_ALL && !g->reasons.v[i].united) continue;
        int *ending = &d.ending[egraph_find(g, g->reasons.v[i].to)];
        d.next[i] = *ending;
        *ending = i + 1;
    }
    if (!d.forest) solve(&d, first, last);
    bool ok = emit(&d, first, last) && shorten(&d, of->from, out);
    forget(&d);
    return ok;
}

bool derive(Egraph *g, const Derivable *of, Arena *arena, ReachResult *out)
{
    int most = g->most;
    egraph_add(g, of->to);
    egraph_rebuild(g);
    g->most = INT32_MAX;                 /* a full graph is no reason to leave steps in */
    ReachResult all = *out;
    bool ok = attempt(g, of, BY_UNITED, arena, out), by_all = attempt(g, of, BY_ALL, arena, &all);
    if (by_all && (!ok || all.step_count < out->step_count)) *out = all, ok = true;
    ok = ok || attempt(g, of, BY_FOREST, arena, out);
    g->most = most;
    return ok;
}

/* ---- proofs ---- */

/* A step of the way on the whole term; NULL: it is not what the graph has it to be. */
static const Term *prove_step(Deriving *d, const Term *root, int i)
{
    Egraph *g = d->g;
    const Reason *r = &g->reasons.v[d->used.v[i]];
    const Path *at = &d->steps.v[i].at;
    bool back = r->rule < 0;
    const Rule *rule = g->rules.v[back ? ~r->rule : r->rule];
    if (path_term(root, at) != g->nodes.v[r->from].term) return NULL;
    const Term *after = path_replace(g->c, root, at, g->nodes.v[r->to].term);
    RuleResult result;
    bool ok = after && path_term(after, at) && rule_apply(&g->env, rule, g->args.v[r->args], back ? after : root, at, false, &result) && result.root == (back ? root : after);
    for (int k = 0; ok && k < result.fact_count; k++) ok = claim_knows(g->claim, g->c->nats, &result.facts[k]);
    diag_clear(&g->c->diag);
    return ok ? after : NULL;
}

static bool prove_steps(Deriving *d, const Term *from, const Term *to, ProofResult *out)
{
    Egraph *g = d->g;
    int n = d->steps.n, kept = 0;
    const Term **roots = NEW_ARRAY(d->arena, const Term *, n + 1);
    out->steps = NEW_ARRAY(d->arena, ProofStep, n);
    roots[0] = from;
    for (int i = 0; i < n; i++) {
        const Reason *r = &g->reasons.v[d->used.v[i]];
        const Term *root = prove_step(d, roots[kept], i);
        if (!root) return false;
        bool back = r->rule < 0;
        const Rule *rule = g->rules.v[back ? ~r->rule : r->rule];
        out->steps[kept] = (ProofStep){arena_strdup(d->arena, rule_call_text(g->c, rule, g->args.v[r->args])),
                                       arena_strdup(d->arena, path_text(g->c, roots[kept], &d->steps.v[i].at)),
                                       arena_strdup(d->arena, lang_text(g->c, root, NULL, 0, 2000)), back};
        roots[++kept] = root;
        for (int k = 0; k < kept; k++)
            if (roots[k] == root) kept = k;      /* it was there before */
    }
    out->step_count = kept;
    return roots[kept] == to;
}

bool explain(Egraph *g, const Term *from, const Term *to, Arena *arena, ProofResult *out)
{
    Deriving d = {.g = g, .arena = arena, .forest = true};
    bool ok = emit(&d, egraph_node(g, from), egraph_node(g, to)) && prove_steps(&d, from, to, out);
    if (!ok) out->steps = NULL, out->step_count = 0;
    free(d.steps.v);
    free(d.used.v);
    return ok;
}

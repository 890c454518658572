/* saturate: rounds of rules: matched everywhere first, then applied; rules that match too often have to wait (egg's back-off). */
#include "egraph_private.h"

#include <stdlib.h>

enum { MATCHES_MOST = 1000, WAIT = 3 };

typedef struct Found {
    int rule;
    bool more;                           /* the match is not the only one of the term */
    const Term *term;
    const Env *env;                      /* of the match */
    const UserHint *hints;
} Found;
typedef struct Round {
    Saturation *s;
    Arena *arena;                        /* of matches */
    VEC(Found) found;
    int before;                          /* found in other classes, or by other rules */
    const Term *at;                      /* representative of the class that is looked at, and the class */
    int class, rule, count, most;
    bool *within[PRIM_COUNT];            /* by class: does it stand in a function of the primitive somewhere? NULL: nobody asked */
} Round;

/* Was it there already? */
static bool remember(Saturation *s, uint64_t key)
{
    if (s->seen_count * 2 >= s->seen_slots) {
        uint64_t *old = s->seen;
        size_t slots = s->seen_slots;
        s->seen_slots = slots ? slots * 2 : 1 << 14;
        s->seen = mem_alloc(s->seen_slots * sizeof *s->seen);
        s->seen_count = 0;
        for (size_t i = 0; i < slots; i++)
            if (old[i]) remember(s, old[i]);
        free(old);
    }
    for (size_t i = hash_mix(0, key) & (s->seen_slots - 1);; i = (i + 1) & (s->seen_slots - 1)) {
        if (s->seen[i] == key) return true;
        if (s->seen[i]) continue;
        s->seen[i] = key;
        s->seen_count++;
        return false;
    }
}

/* ---- what is around ---- */

static void spread(Egraph *g, bool *within, Ints *queue, const Term *t)
{
    int class = egraph_find(g, egraph_node(g, t));
    if (within[class]) return;
    within[class] = true;
    vec_push(queue, class);
}

/* Of all classes at once, from the functions of that primitive down. */
static bool *all_within(Egraph *g, PrimId id)
{
    bool *within = NEW_ARRAY(g->arena, bool, g->nodes.n);
    LOCAL(drop) Ints queue = {0};
    for (int i = 0; i < g->nodes.n; i++) {
        const Term *t = g->nodes.v[i].term;
        for (int k = 0; k < t->arg_count && term_is(t, id); k++)
            if (t->args[k]->kind == T_LAM) spread(g, within, &queue, t->args[k]);
    }
    for (int at = 0; at < queue.n; at++) {
        const Members *members = &g->nodes.v[queue.v[at]].members;
        for (int i = 0; i < members->n; i++) {
            const Term *t = members->v[i].term;
            for (int k = 0; k < t->arg_count; k++) spread(g, within, &queue, t->args[k]);
        }
    }
    return within;
}

/* Is all that the rule asks for around the place of some term of the class around one of them? */
static bool may_stand(Round *r)
{
    Egraph *g = r->s->g;
    const AstRule *rule = g->rules.v[r->rule]->ast;
    for (int i = 0; i < rule->cond_count; i++) {
        const AstCond *k = rule->conds[i];
        PrimId id = k->kind == COND_UNDER && !k->negated ? named_prim(k->name) : PRIM_COUNT;
        if (id == PRIM_COUNT) continue;
        if (!r->within[id]) r->within[id] = all_within(g, id);
        if (!r->within[id][r->class]) return false;
    }
    return true;
}

/* ---- a round ---- */

static bool found(void *data, const MatchState *state)
{
    Round *r = data;
    const Term *t = egraph_chosen(r->s->g, r->at, state->choices);
    if (!t) return false;
    if (remember(r->s, (uint64_t)(r->rule + 1) << 32 | t->id)) {
        for (int i = r->before; i < r->found.n; i++) r->found.v[i].more |= r->found.v[i].term == t;
        return false;
    }
    bool several = state->around || rule_part_param(r->s->g->rules.v[r->rule]) >= 0;
    MatchState match = match_kept(r->arena, state);
    vec_push(&r->found, ((Found){r->rule, several, t, match.env, match.hints}));
    return ++r->count > r->most;
}

/* What the children of a term must begin with, or their bodies, for the pattern to match it: bits as in Node.inner. */
static uint64_t wanted_inside(const Ast *pattern)
{
    uint64_t wanted = 0;
    for (int i = 0; i < pattern->kid_count; i++) {
        PrimId inner = pattern_inner(pattern->kids[i]);
        if (inner != PRIM_COUNT) wanted |= pattern_bit(inner);
    }
    return wanted;
}

/* Is there, for each primitive that a match of the pattern has, one in the graph? */
static bool may_be_found(const Ast *rule, const Ast *p, const Ints *with)
{
    const Ast *h = p->kind == AST_APP ? p->kids[0] : p;
    bool is_name = h->kind == AST_NAME;
    if (is_name && *h->name == '%') return true;         /* a guard: it may ask that there is none */
    PrimId head = is_name && pattern_binds_name(rule, h->name) ? PRIM_COUNT : pattern_begins(p);
    return (head == PRIM_COUNT || with[head].n) && ALL(i, p->kid_count, may_be_found(rule, p->kids[i], with));
}

static void match_rule(Round *r, const Ints *with)
{
    Egraph *g = r->s->g;
    const Rule *rule = g->rules.v[r->rule];
    uint64_t inside = rule->head == PRIM_COUNT ? 0 : wanted_inside(rule->pattern);
    MatchEqual equal = egraph_equal(g);
    const Ints *classes = &with[rule->head];
    if (!may_be_found(rule->pattern, rule->pattern, with)) return;
    for (int i = 0; i < classes->n && r->count <= r->most && !egraph_over(g); i++) {
        r->class = classes->v[i];
        r->at = g->nodes.v[g->nodes.v[r->class].best].term;
        if (r->at->kind == T_LAM || inside & ~g->nodes.v[r->class].inner || !may_stand(r)) continue;
        r->before = r->found.n;
        ArenaMark mark = arena_mark(g->c->scratch);
        Matcher m = {.c = g->c, .arena = g->c->scratch, .source = rule->ast->source, .found = found, .data = r, .equal = &equal};
        match_term(&m, rule->pattern, r->at, NULL);
        arena_release(g->c->scratch, mark);
    }
}

/* With the arguments; whatever it makes of the term equals it. */
static bool apply(Saturation *s, const Found *f, RuleArg args[RULE_ARGS])
{
    Egraph *g = s->g;
    RuleResult r;
    g->env.anywhere = !g->claim;         /* a derivation asks what is around */
    MatchState match = {.env = f->env, .hints = f->hints};
    bool applies = rule_apply_match(&g->env, g->rules.v[f->rule], f->more ? NULL : &match, f->term, &(Path){0}, args, &r) && r.after != f->term;
    g->env.anywhere = false;
    if (!applies) return false;
    for (int i = 0; i < r.fact_count; i++) {
        const NatAtom *index = nat_var_of(r.facts[i].a, VAR_INDEX, NULL);
        if (index || nat_var_of(r.facts[i].b, VAR_INDEX, NULL)) return false;
        if (g->claim && !claim_knows(g->claim, g->c->nats, &r.facts[i])) return false;
    }
    if (rule_breaks_sizes(&g->env, &r) || (g->claim && !same_leads_back(g, g->rules.v[f->rule], f->term, r.after))) return false;
    if (!extent_within(egraph_extent(g, r.after), g->widest)) return g->held_back = true, false;
    int from = egraph_add(g, f->term), to = egraph_add(g, r.after);
    vec_push(&g->args, (const RuleArg *)arena_copy(g->arena, r.args, sizeof *r.args * (size_t)g->rules.v[f->rule]->param_count));
    vec_push(&g->reasons, ((Reason){from, to, f->rule, g->args.n - 1, egraph_find(g, from) != egraph_find(g, to)}));
    egraph_union(g, from, to, g->reasons.n - 1);
    s->schedule[f->rule].made++;
    return true;
}

void chosen_add(Chosen *list, RuleArg what)
{
    bool there = ANY(i, list->count, list->v[i].size == what.size && list->v[i].perm == what.perm);
    if (what.size && !there && list->count < COUNT(list->v)) list->v[list->count++] = what;
}

int64_t saturate_largest_cut(const Saturation *s)
{
    static const StaticKind kinds[] = {STATIC_SIZE, STATIC_WIDTH};
    int64_t most = 2;
    for (int k = 0; k < COUNT(kinds); k++) {
        const Chosen *list = &s->chosen[kinds[k]];
        for (int i = 0; i < list->count; i++)
            if (list->v[i].size->is_const && list->v[i].size->value > most) most = list->v[i].size->value;
    }
    return most;
}

static bool is_open(const RuleParam *p) { return p->given && !p->list; }

/* Each parameter that is open is in turn each of what was chosen for its kind. */
static void apply_sizes(Saturation *s, const Found *f, RuleArg *args, int i)
{
    const Rule *rule = s->g->rules.v[f->rule];
    while (i < rule->param_count && !is_open(&rule->params[i])) i++;
    if (i == rule->param_count) {
        RuleArg own[RULE_ARGS];
        memcpy(own, args, sizeof own);
        apply(s, f, own);
        return;
    }
    const Chosen *list = &s->chosen[rule->params[i].kind];
    for (int k = 0; k < list->count && !egraph_over(s->g); k++) {
        args[i] = list->v[k];
        apply_sizes(s, f, args, i + 1);
    }
    args[i] = (RuleArg){0};
}

void saturate_widen(Saturation *s)
{
    Extent *widest = &s->g->widest;
    widest->rank++, widest->cuts++, widest->reordered++;
    s->g->held_back = false;
    free(s->seen);
    s->seen = NULL;
    s->seen_slots = s->seen_count = 0;
}

bool saturate_round(Saturation *s)
{
    Egraph *g = s->g;
    LOCAL(drop_arena) Arena *arena = arena_new();
    Round r = {.s = s, .arena = arena};
    Ints with[PRIM_COUNT + 1] = {{0}};   /* classes that have an e-node of the primitive; all */
    bool waits = false;
    for (int i = 0; i < g->nodes.n; i++) {
        const Node *c = &g->nodes.v[i];
        if (c->up != i) continue;
        vec_push(&with[PRIM_COUNT], i);
        for (int k = 0; k < c->members.n; k++) {
            int head = c->members.v[k].head;
            if (head != PRIM_COUNT && !(k && c->members.v[k - 1].head == head)) vec_push(&with[head], i);
        }
    }
    s->round++;
    for (int i = 0; i < g->rules.n && !egraph_over(g); i++) {
        struct Schedule *rule = &s->schedule[i];
        if (rule->waits > s->round) {
            waits = true;
            continue;
        }
        r.rule = i, r.count = 0, r.most = MATCHES_MOST << rule->bans;
        match_rule(&r, with);
        if (r.count > r.most) rule->waits = s->round + (WAIT << rule->bans++), waits = true;
    }
    for (int i = 0; i < PRIM_COUNT + 1; i++) free(with[i].v);
    int before = g->reasons.n;
    for (int i = 0; i < r.found.n && !egraph_over(g); i++) {
        RuleArg args[RULE_ARGS] = {{0}};
        apply_sizes(s, &r.found.v[i], args, 0);
    }
    free(r.found.v);
    egraph_rebuild(g);
    return g->reasons.n > before || waits;
}

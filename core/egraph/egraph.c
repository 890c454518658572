/* egraph: classes of equal terms: union-find, e-nodes, congruence by rebuilding. */
#include "egraph_private.h"

#include <stdlib.h>
#include <string.h>

int egraph_find(Egraph *g, int n)
{
    while (g->nodes.v[n].up != n) n = g->nodes.v[n].up = g->nodes.v[g->nodes.v[n].up].up;
    return n;
}

int egraph_node(const Egraph *g, const Term *t) { return t->id < (uint32_t)g->of.n ? g->of.v[t->id] - 1 : -1; }

const Term *egraph_best(Egraph *g, const Term *t)
{
    int n = egraph_node(g, t);
    return n < 0 ? t : g->nodes.v[g->nodes.v[egraph_find(g, n)].best].term;
}

const Term *egraph_with_args(Egraph *g, const Term *t, const Term *const *args)
{
    const Term *made = term_with_args(g->c, t, args);
    bool same = made && made->type == t->type && made->kind == t->kind && made->prim == t->prim && made->arg_count == t->arg_count;
    return same && ALL(i, t->arg_count, made->args[i] == args[i]) ? made : NULL;
}

const Term *egraph_canonical(Egraph *g, const Term *t)
{
    const Term *args[ARG_MAX];
    bool same = true;
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = egraph_best(g, t->args[i]);
        same = same && args[i] == t->args[i];
    }
    if (same) return t;
    const Term *made = egraph_with_args(g, t, args);
    return made ? made : t;
}

static int larger(int a, int b) { return a > b ? a : b; }

Extent extent_larger(Extent a, Extent b) { return (Extent){larger(a.rank, b.rank), larger(a.cuts, b.cuts), larger(a.reordered, b.reordered)}; }

bool extent_within(Extent a, Extent b) { return a.rank <= b.rank && a.cuts <= b.cuts && a.reordered <= b.reordered; }

/* A number as a divisor: as many of the largest size that is cut by as it takes. */
static int cuts_of(const Egraph *g, const Nat *n)
{
    int most = 0;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        int cuts = 0;
        for (int64_t left = t->den; left > 1; left = left / g->largest_cut + (left % g->largest_cut > 0)) cuts++;
        for (int k = 0; k < t->factor_count; k++) cuts += t->factors[k].exp < 0 ? -t->factors[k].exp : 0;
        if (cuts > most) most = cuts;
    }
    return most;
}

static Extent extent_of_type(const Egraph *g, const Type *t)
{
    Extent most = {t->rank, t->kind == TY_ARRAY ? cuts_of(g, t->size) : 0, 0};
    for (int i = 0; i < t->count; i++) most = extent_larger(most, extent_of_type(g, t->elems[i]));
    return most;
}

Extent egraph_extent(const Egraph *g, const Term *t)
{
    int n = egraph_node(g, t);
    if (n >= 0) return g->nodes.v[n].extent;
    Extent most = extent_of_type(g, t->type);
    for (int i = 0; i < t->arg_count; i++) most = extent_larger(most, egraph_extent(g, t->args[i]));
    most.reordered += term_is(t, PRIM_REORDER);
    return most;
}

/* vec_push in the graph's memory: most lists of a class have one item. */
#define PUSH(g, list, item) \
    do { \
        if ((list)->n == (list)->cap) { \
            (list)->cap = (list)->cap ? (list)->cap * 2 : 16 / (int)sizeof *(list)->v; \
            void *more = arena_raw((g)->arena, sizeof *(list)->v * (size_t)(list)->cap); \
            if ((list)->n) memcpy(more, (list)->v, sizeof *(list)->v * (size_t)(list)->n); \
            (list)->v = more; \
        } \
        (list)->v[(list)->n++] = (item); \
    } while (0)

/* Add what the node is now that its children have other representatives. */
static void add_as(Egraph *g, int n, const Term *canonical)
{
    int now = egraph_add(g, canonical);
    if (g->nodes.v[now].age > g->nodes.v[n].age) g->nodes.v[now].age = g->nodes.v[n].age;
    egraph_union(g, n, now, -1);
}

int egraph_add(Egraph *g, const Term *t)
{
    int n = egraph_node(g, t);
    if (n >= 0) return n;
    for (int i = 0; i < t->arg_count; i++) egraph_add(g, t->args[i]);
    Extent extent = egraph_extent(g, t);
    n = g->nodes.n;
    while (g->of.n <= (int)t->id) vec_push(&g->of, 0);
    g->of.v[t->id] = n + 1;
    vec_push(&g->nodes, ((Node){.term = t, .up = n, .proof = -1, .age = n, .extent = extent, .best = n}));
    const Term *canonical = egraph_canonical(g, t);
    if (canonical != t) {
        g->nodes.v[n].stale = true;
        add_as(g, n, canonical);
        return n;
    }
    int head = t->kind == T_PRIM ? t->prim : PRIM_COUNT;
    Node *new = &g->nodes.v[n];
    PUSH(g, &new->members, ((EqualTerm){t, n, head}));
    new->heads = pattern_bit((PrimId)head);
    g->live++;
    for (int i = 0; i < t->arg_count; i++) PUSH(g, &g->nodes.v[egraph_find(g, egraph_node(g, t->args[i]))].parents, n);
    return n;
}

/* Which of two is the better representative? */
static bool is_better(const Egraph *g, int a, int b)
{
    const Node *x = &g->nodes.v[a], *y = &g->nodes.v[b];
    return x->stale != y->stale ? y->stale : x->age < y->age;
}

#define APPEND(g, to, from) \
    do { \
        for (int i = 0; i < (from)->n; i++) PUSH(g, to, (from)->v[i]); \
        memset((from), 0, sizeof *(from)); \
    } while (0)

/* An edge of the proof forest: a becomes the root of its tree first. */
static void add_proof(Egraph *g, int a, int b, int why)
{
    for (int n = a, up = b, reason = why; n >= 0;) {
        Node *x = &g->nodes.v[n];
        int next = x->proof, next_why = x->why;
        x->proof = up, x->why = reason;
        up = n, n = next, reason = next_why;
    }
}

void egraph_union(Egraph *g, int a, int b, int why)
{
    if (egraph_find(g, a) == egraph_find(g, b)) return;
    add_proof(g, a, b, why);
    a = egraph_find(g, a);
    b = egraph_find(g, b);
    if (!is_better(g, g->nodes.v[a].best, g->nodes.v[b].best)) {
        int other = a;
        a = b;
        b = other;
    }
    Node *to = &g->nodes.v[a], *from = &g->nodes.v[b];
    for (int i = 0; i < from->parents.n; i++) vec_push(&g->pending, from->parents.v[i]);
    from->up = a;
    to->heads |= from->heads;
    APPEND(g, &to->members, &from->members);
    APPEND(g, &to->parents, &from->parents);
}

/* The representative of n's class is none any more: the best of what is left is, and all above it is made anew. */
static void replace_best(Egraph *g, int n)
{
    Node *c = &g->nodes.v[egraph_find(g, n)];
    if (!g->nodes.v[c->best].stale) return;
    for (int i = 0; i < c->members.n; i++)
        if (is_better(g, c->members.v[i].node, c->best)) c->best = c->members.v[i].node;
    for (int i = 0; i < c->parents.n; i++) vec_push(&g->pending, c->parents.v[i]);
}

static int by_head(const void *a, const void *b)
{
    const EqualTerm *x = a, *y = b;
    return x->head != y->head ? x->head - y->head : x->node - y->node;
}

#define KEEP_FRESH(g, list, node_of) \
    do { \
        int kept = 0; \
        for (int j = 0; j < (list)->n; j++) \
            if (!(g)->nodes.v[(list)->v[j]node_of].stale) (list)->v[kept++] = (list)->v[j]; \
        (list)->n = kept; \
    } while (0)

static uint64_t heads_inside(Egraph *g, const Term *t)
{
    uint64_t inside = 0;
    for (int i = 0; i < t->arg_count; i++) {
        const Term *a = t->args[i];
        while (a->kind == T_LAM) a = a->args[0];
        inside |= g->nodes.v[egraph_find(g, egraph_node(g, a))].heads;
    }
    return inside;
}

/* Members stand by their primitives from then on. */
void egraph_rebuild(Egraph *g)
{
    while (g->pending.n) {
        int n = g->pending.v[--g->pending.n];
        const Term *t = g->nodes.v[n].term, *canonical = g->nodes.v[n].stale ? t : egraph_canonical(g, t);
        if (canonical == t) continue;
        g->nodes.v[n].stale = true;
        g->live--;
        add_as(g, n, canonical);
        replace_best(g, n);
    }
    for (int i = 0; i < g->nodes.n; i++) {
        if (g->nodes.v[i].up != i) continue;
        Node *c = &g->nodes.v[i];
        KEEP_FRESH(g, &c->members, .node);
        KEEP_FRESH(g, &c->parents, );
        c->heads = 0;
        for (int k = 0; k < c->members.n; k++) c->heads |= pattern_bit((PrimId)c->members.v[k].head);
        if (c->members.n > 1) qsort(c->members.v, (size_t)c->members.n, sizeof *c->members.v, by_head);
    }
    for (int i = 0; i < g->nodes.n; i++) {
        Node *c = &g->nodes.v[i];
        c->inner = 0;
        for (int k = 0; c->up == i && k < c->members.n; k++) c->inner |= heads_inside(g, c->members.v[k].term);
    }
}

/* ---- matching modulo the classes ---- */

static const Node *class_of(Egraph *g, const Term *t)           /* NULL: it is not in the graph */
{
    int n = egraph_node(g, t);
    return n < 0 ? NULL : &g->nodes.v[egraph_find(g, n)];
}

static int first_of(const Members *members, int head)
{
    int lo = 0, hi = members->n;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (members->v[middle].head < head) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

static const EqualTerm *all_equal(void *data, const Term *t, PrimId head, int *n)
{
    Egraph *g = data;
    const Node *class = class_of(g, t);
    if (!class) return *n = 1, MAKE(g->c->scratch, EqualTerm, .term = t);
    const Members *members = &class->members;
    if (head == PRIM_COUNT) return *n = members->n, members->v;
    if (!(class->heads & pattern_bit(head))) return *n = 0, NULL;
    int first = first_of(members, (int)head);
    for (*n = 0; first + *n < members->n && members->v[first + *n].head == (int)head;) ++*n;
    return members->v + first;
}

static uint64_t heads_of(void *data, const Term *t)
{
    const Node *class = class_of(data, t);
    return class ? class->heads : ~(uint64_t)0;
}

MatchEqual egraph_equal(Egraph *g) { return (MatchEqual){.data = g, .all = all_equal, .heads = heads_of}; }

const Term *egraph_chosen(Egraph *g, const Term *t, const Choice *choices)
{
    if (!choices) return t;
    t = egraph_chosen(g, t, choices->before);
    int length = choices->where ? choices->where->length : 0;
    if (!t || length > PATH_MAX_LENGTH) return NULL;
    Path at = {.length = (uint8_t)length};
    for (const Step *w = choices->where; w; w = w->up) at.slots[w->length - 1] = w->slot;
    return path_term(t, &at) ? path_replace(g->c, t, &at, choices->term) : NULL;
}

/* Until none gets smaller. */
const Term **egraph_smallest(Egraph *g)
{
    int nodes = g->nodes.n;
    const Term **best = mem_alloc(sizeof *best * (size_t)nodes);     /* by root of the class */
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < nodes; i++) {
            const Term *t = g->nodes.v[i].term, *args[ARG_MAX];
            int class = egraph_find(g, i);
            uint64_t size = 1;
            bool known = !g->nodes.v[i].stale && t->arg_count <= ARG_MAX;
            for (int k = 0; k < t->arg_count && known; k++) {
                args[k] = best[egraph_find(g, egraph_node(g, t->args[k]))];
                known = args[k] != NULL;
                if (known) size += args[k]->size;
            }
            if (!known || (best[class] && best[class]->size <= size)) continue;
            const Term *made = t->arg_count ? egraph_with_args(g, t, args) : t;
            if (!made || (best[class] && best[class]->size <= made->size)) continue;
            best[class] = made;
            changed = true;
        }
    }
    return best;
}

bool egraph_over(Egraph *g)
{
    enum { OFTEN = 64 };                 /* the clock is asked once for so many questions */
    if (g->asked++ % OFTEN == 0 && clock_cpu_ms() > g->deadline) g->late = true;
    return g->late || g->live > g->most || (g->stop && *g->stop);
}

void egraph_free(Egraph *g)
{
    free(g->nodes.v);
    free(g->of.v);
    free(g->pending.v);
    free(g->reasons.v);
    free(g->args.v);
    free(g->rules.v);
    arena_free(g->arena);
}

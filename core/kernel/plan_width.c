/* plan_width: are ints wide enough for every index (decisions.md: Kernels)? */
#include "plan_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct Width {
    Build *b;
    VEC(const Nat *) most;               /* bounds over sizes: preconditions, none at most another */
    bool wide;
    const Nat *known[256];               /* indices seen not long ago */
} Width;

static void must_fit(Width *w, const Nat *n)
{
    const Nat *limit = nat_const(w->b->n, INT32_MAX);
    if (n) n = build_plain(w->b, n);
    if (!n || (n->is_const && n->value > INT32_MAX)) w->wide = true;
    if (!n || n->is_const || nat_less_eq(w->b->n, n, limit)) return;
    for (int i = 0; i < w->most.n; i++)
        if (nat_less_eq(w->b->n, n, w->most.v[i])) return;
    vec_push(&w->most, n);
}

static const Nat *magnitude(Width *w, const Nat *n);

static const Nat *atom_magnitude(Width *w, const NatAtom *a)
{
    Nats *n = w->b->n;
    if (a->kind == ATOM_VAR && a->var != VAR_INDEX) return nat_var(n, a->name, a->var, NULL, NULL);
    if (a->kind == ATOM_VAR) return a->hi ? nat_sub(n, a->hi, nat_const(n, 1)) : nat_const(n, 1);
    const Nat *x = magnitude(w, a->a), *y = magnitude(w, a->b);
    must_fit(w, x);
    must_fit(w, y);
    if (!x || !y || a->kind == ATOM_MOD) return y;
    if (a->kind == ATOM_DIV && y->is_const && y->value > 0) return nat_add(n, nat_div(n, x, y, NULL), nat_const(n, 1));
    if (a->kind == ATOM_DIV) return x;
    return nat_less_eq(n, x, y) ? y : nat_less_eq(n, y, x) ? x : nat_add(n, x, y);
}

/* No part of the value of n as it is printed is larger. */
static const Nat *magnitude(Width *w, const Nat *n)
{
    Nats *s = w->b->n;
    const Nat *sum = nat_const(s, 0);
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        const Nat *x = nat_const(s, t->num < 0 ? -t->num : t->num);
        for (int f = 0; f < t->factor_count; f++)
            for (int e = 0; e < t->factors[f].exp; e++) x = nat_mul(s, x, atom_magnitude(w, t->factors[f].atom));
        sum = nat_add(s, sum, x);
    }
    return sum;
}

static bool is_below(const Nat *n, int64_t *most);

static bool is_atom_below(const NatAtom *a, int64_t *most)
{
    int64_t x, y;
    if (a->kind == ATOM_VAR) {
        if (a->var != VAR_INDEX || !a->hi || !a->hi->is_const) return false;
        *most = a->hi->value - 1;
        return true;
    }
    if ((a->kind != ATOM_DIV && a->kind != ATOM_MOD) || !is_below(a->a, &x) || !is_below(a->b, &y) || !a->b->is_const) return false;
    *most = a->kind == ATOM_MOD ? y : x / a->b->value + 1;
    return a->b->value > 0;
}

/* Does no part of n as it is printed exceed an int, as far as numbers alone tell? */
static bool is_below(const Nat *n, int64_t *most)
{
    int64_t sum = 0;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        int64_t x = t->num < 0 ? -t->num : t->num, m;
        if (x > INT32_MAX || t->den != 1) return false;
        for (int f = 0; f < t->factor_count; f++) {
            if (t->factors[f].exp != 1 || !is_atom_below(t->factors[f].atom, &m)) return false;
            x *= m > 0 ? m : 1;
            if (x > INT32_MAX) return false;
        }
        sum += x;
        if (sum > INT32_MAX) return false;
    }
    *most = sum;
    return true;
}

static inline void index_fits(Width *w, const Nat *n)
{
    if (n && w->known[n->id % COUNT(w->known)] != n) {
        int64_t most;
        w->known[n->id % COUNT(w->known)] = n;
        if (w->b->subst->count || !is_below(n, &most))
            must_fit(w, magnitude(w, build_printable(w->b, n)));
    }
}

static bool is_id(const Build *b, const Nat *n)
{
    const NatAtom *atom = nat_atom(n);
    return atom && kernel_var(b->k, atom);
}

static void expr_fits(Width *w, const Expr *e)
{
    if (e->kind == X_NAT && !is_id(w->b, e->nat)) index_fits(w, e->nat);
    if (e->kind == X_LOAD) index_fits(w, e->place.at);
    for (int i = 0; i < e->arg_count; i++) {
        const Expr *a = e->args[i];
        if (a->kind == X_LOAD) index_fits(w, a->place.at);
        else if (a->kind != X_LIT) expr_fits(w, a);
    }
}

static void block_fits(Width *w, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->value) expr_fits(w, s->value);
        if (s->kind == S_STORE || s->kind == S_ATOMIC) index_fits(w, s->place.at);
        if (s->kind == S_FOR) index_fits(w, s->limit);
        if (!stmt_has_bodies(s)) continue;
        block_fits(w, &s->body);
        block_fits(w, &s->other);
    }
}

/* Values that are indices are i32, in kernels of whatever width. */
static void indexed_fit(Width *w)
{
    for (int i = 0; i < w->b->indexed.n; i++) {
        const Term *t = w->b->indexed.v[i];
        const Nat *n = build_plain(w->b, term_indexed_length(t));
        if (!n->is_const || n->value <= INT32_MAX) must_fit(w, n);
        else build_fail(w->b, E38, t, "%s: the length %lld does not fit an i32 index", prim((PrimId)t->prim)->name, (long long)n->value);
    }
}

bool plan_needs_long(Build *b, Plan *p)
{
    Width w = {.b = b};
    for (int i = 0; i < b->plan_buffers.n; i++) must_fit(&w, build_plain(b, b->plan_buffers.v[i].count));
    for (int i = 0; i < b->kernels.n; i++) {
        b->k = b->kernels.v[i];
        block_fits(&w, &b->k->body);
    }
    bool wide = w.wide;
    if (wide) w.most.n = 0;
    indexed_fit(&w);
    /* Products of sizes that must stay below 2^31 become preconditions; a size alone is passed as an int anyway, unless all are long. */
    int n = p->fact_count;
    PlanFact *facts = NEW_ARRAY(w.b->arena, PlanFact, n + w.most.n);
    if (n) memcpy(facts, p->facts, sizeof *facts * (size_t)n);
    for (int i = 0; i < w.most.n; i++) {
        const Nat *x = w.most.v[i];
        bool covered = !wide && x->term_count == 1 && x->terms->factor_count == 1 && x->terms->num == 1 && x->terms->factors->exp == 1;
        for (int k = i + 1; k < w.most.n; k++) covered |= nat_less_eq(w.b->n, x, w.most.v[k]);
        Fact f = {FACT_LE, x, nat_const(w.b->n, INT32_MAX)};
        if (!covered) facts[n++] = (PlanFact){f, w.b->root, "int indices"};
    }
    p->facts = facts;
    p->fact_count = n;
    free(w.most.v);
    return wide;
}

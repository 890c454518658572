/* nat_walk: variables of sizes, substitution, evaluation, solving for a variable, an order by content. */
#include "nat_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

bool nat_mentions(const Nat *a, const NatAtom *var)
{
    if (!a || !(node_of(a)->mask & atom_node(var)->mask)) return false;
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            if (x == var || nat_mentions(x->a, var) || nat_mentions(x->b, var)) return true;
        }
    }
    return false;
}

static void add_var(NatAtomVec *out, int from, const NatAtom *var)
{
    int at = out->n;
    for (int i = from; i < out->n; i++) {
        if (out->v[i] == var) return;
        if (out->v[i]->id > var->id && at == out->n) at = i;
    }
    vec_push(out, var);
    for (int i = out->n - 1; i > at; i--) out->v[i] = out->v[i - 1];
    out->v[at] = var;
}

static void collect_vars(const Nat *a, int from, NatAtomVec *out)
{
    if (!a) return;
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            if (x->kind == ATOM_VAR) add_var(out, from, x);
            collect_vars(x->a, from, out);
            collect_vars(x->b, from, out);
        }
    }
}

void nat_vars(const Nat *a, NatAtomVec *out) { collect_vars(a, out->n, out); }

/* ---- substitution ---- */

typedef struct Subst {
    Nats *s;
    const NatBinding *map;
    int count;
    uint64_t mask;                   /* bloom set of the variables that are replaced */
    const NatFacts *facts;
    VEC(NatBinding) done;            /* atoms that changed */
} Subst;

static const Nat *subst_nat(Subst *u, const Nat *a);

/* The variable with its bounds substituted; the same one when they stay. */
static const Nat *subst_bounds(Subst *u, const NatAtom *a)
{
    AtomNode key = {.atom = *a, .serial = atom_node(a)->serial};
    key.atom.id = 0;
    key.atom.lo = a->lo ? subst_nat(u, a->lo) : NULL;
    key.atom.hi = a->hi ? subst_nat(u, a->hi) : NULL;
    if ((a->lo && !key.atom.lo) || (a->hi && !key.atom.hi)) return NULL;
    return nat_of_atom_node(u->s, &key);
}

static const Nat *subst_compound(Subst *u, const NatAtom *x)
{
    const Nat *a = subst_nat(u, x->a), *b = subst_nat(u, x->b);
    switch (x->kind) {
    case ATOM_DIV: return nat_div(u->s, a, b, u->facts);
    case ATOM_MOD: return nat_mod(u->s, a, b, u->facts);
    case ATOM_MIN: return nat_min(u->s, a, b);
    case ATOM_MAX: return nat_max(u->s, a, b);
    case ATOM_VAR: break;
    }
    return NULL;
}

static const Nat *subst_atom(Subst *u, const NatAtom *a)
{
    if (!(atom_node(a)->deep & u->mask)) return atom_node(a)->self;
    for (int i = 0; i < u->count; i++)
        if (u->map[i].var == a) return u->map[i].value;
    for (int i = 0; i < u->done.n; i++)
        if (u->done.v[i].var == a) return u->done.v[i].value;
    const Nat *r = a->kind == ATOM_VAR ? subst_bounds(u, a) : subst_compound(u, a);
    NatBinding b = {a, r};
    vec_push(&u->done, b);
    return r;
}

static const Nat *power(Nats *s, const Nat *a, int exp)
{
    if (exp >= 0) return nat_pow(s, a, exp);
    const Nat *p = nat_pow(s, a, -exp);
    if (!p || p->term_count != 1) return NULL;
    Rat c;
    if (!rat_div((Rat){1, 1}, term_coef(p->terms), &c)) return NULL;
    const Mono *m = mono_mul(s, s->unit, mono_of(p->terms), -1);
    return m ? nat_term(s, c, m) : NULL;
}

static const Nat *subst_term(Subst *u, const NatTerm *t)
{
    const Nat *r = nat_term(u->s, term_coef(t), u->s->unit), *below = u->s->one;
    for (int i = 0; r && i < t->factor_count; i++) {
        const Nat *x = subst_atom(u, t->factors[i].atom);
        if (t->factors[i].exp < 0 && x && x->term_count > 1)
            below = nat_mul(u->s, below, nat_pow(u->s, x, -t->factors[i].exp));
        else if (t->factors[i].exp == 1)
            r = nat_mul(u->s, r, nat_rejoin(u->s, x));
        else
            r = nat_mul(u->s, r, x ? power(u->s, x, t->factors[i].exp) : NULL);
    }
    return below == u->s->one ? r : nat_exact(u->s, r, below);
}

static const Nat *subst_nat(Subst *u, const Nat *a)
{
    if (!(node_of(a)->deep & u->mask)) return a;
    Terms sum;
    terms_init(&sum);
    for (int i = 0; !sum.bad && i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        bool changes = mono_of(t)->deep & u->mask;
        const Nat *x = changes ? subst_term(u, t) : NULL;
        if (!changes) terms_push(&sum, term_coef(t), mono_of(t));
        else if (!x) sum.bad = true;
        for (int k = 0; x && k < x->term_count; k++) terms_push(&sum, term_coef(&x->terms[k]), mono_of(&x->terms[k]));
    }
    const Nat *r = terms_done(u->s, &sum);
    return r && nat_is_fraction(r) ? NULL : nat_rejoin(u->s, r);
}

const Nat *nat_subst(Nats *s, const Nat *a, const NatBinding *map, int count, const NatFacts *facts)
{
    if (!a) return NULL;
    Subst u = {.s = s, .map = map, .count = count, .facts = facts};
    for (int i = 0; i < count; i++) u.mask |= atom_node(map[i].var)->mask;
    const Nat *r = subst_nat(&u, a);
    free(u.done.v);
    return r;
}

/* ---- evaluation ---- */

typedef struct Valuation { NatValue *value; void *data; } Valuation;

static bool eval_nat(const Nat *a, const Valuation *v, int64_t *out);

static bool eval_pair(AtomKind kind, int64_t a, int64_t b, int64_t *out)
{
    if (kind == ATOM_MIN) return *out = a < b ? a : b, true;
    if (kind == ATOM_MAX) return *out = a > b ? a : b, true;
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    *out = kind == ATOM_DIV ? floor_div(a, b) : floor_mod(a, b);
    return true;
}

static bool eval_atom(const NatAtom *x, const Valuation *v, int64_t *out)
{
    int64_t a, b;
    if (x->kind == ATOM_VAR) return v->value(v->data, x, out);
    return eval_nat(x->a, v, &a) && eval_nat(x->b, v, &b) && eval_pair(x->kind, a, b, out);
}

static bool eval_factor(const NatFactor *f, const Valuation *v, Rat *r)
{
    int64_t x;
    if (!eval_atom(f->atom, v, &x) || x < -INT64_MAX) return false;
    for (int e = 0; e < abs(f->exp); e++) {
        if (f->exp > 0 ? !rat_mul(*r, (Rat){x, 1}, r) : !rat_div(*r, (Rat){x, 1}, r)) return false;
        if ((x == 1 || r->num == 0) && f->exp > 0) break;
    }
    return true;
}

static bool eval_nat(const Nat *a, const Valuation *v, int64_t *out)
{
    Rat sum = {0, 1};
    for (int i = 0; i < a->term_count; i++) {
        Rat r = term_coef(&a->terms[i]);
        for (int j = 0; j < a->terms[i].factor_count; j++)
            if (!eval_factor(&a->terms[i].factors[j], v, &r)) return false;
        if (!rat_add(sum, r, &sum)) return false;
    }
    if (sum.den != 1) return false;
    *out = sum.num;
    return true;
}

bool nat_eval(const Nat *a, NatValue *value, void *data, int64_t *out)
{
    return a && eval_nat(a, &(Valuation){value, data}, out);
}

/* ---- solving ---- */

const Nat *nat_solve(Nats *s, const Nat *pattern, const NatAtom *v, const Nat *n)
{
    if (!pattern || !n || nat_mentions(n, v)) return NULL;
    const Nat *c = s->zero, *rest = s->zero;
    for (int i = 0; i < pattern->term_count; i++) {
        const Nat *t = nat_of_term(s, &pattern->terms[i]);
        int exp = mono_exp(mono_of(&pattern->terms[i]), v);
        if (exp == 1) c = nat_plus(s, c, nat_exact(s, t, atom_node(v)->self), 1);
        else if (exp == 0) rest = nat_plus(s, rest, t, 1);
        else return NULL;
    }
    if (!c || !rest || c->term_count != 1 || nat_mentions(c, v) || nat_mentions(rest, v)) return NULL;
    return nat_exact(s, nat_sub(s, n, rest), c);
}

/* ---- order and hash of the content ---- */

uint64_t nat_hash(const Nat *a) { return a ? node_of(a)->hash : 0; }

uint64_t nat_rest_key(const Nat *a, int64_t number)
{
    return node_of(a)->key - (number ? nat_term_key(&a->terms[a->term_count - 1]) : 0);
}

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_null(const Nat *a, const Nat *b)
{
    if (!a || !b) return (a != NULL) - (b != NULL);
    return nat_compare(a, b);
}

static int atom_compare(const NatAtom *a, const NatAtom *b)
{
    if (a == b) return 0;
    if (a->kind != b->kind) return (int)a->kind - (int)b->kind;
    int order = a->name ? strcmp(a->name, b->name) : 0;
    if (!order) order = (int)a->var - (int)b->var;
    if (!order) order = compare_null(a->a, b->a);
    if (!order) order = compare_null(a->b, b->b);
    if (!order) order = compare_null(a->lo, b->lo);
    if (!order) order = compare_null(a->hi, b->hi);
    return order ? order : compare_u64(atom_node(a)->serial, atom_node(b)->serial);
}

int nat_factor_compare(const void *x, const void *y)
{
    const NatFactor *a = x, *b = y;
    int order = atom_compare(a->atom, b->atom);
    return order ? order : b->exp - a->exp;
}

/* The factors sorted by content, into a new array. */
static NatFactor *sorted_factors(const NatTerm *t)
{
    NatFactor *f = mem_alloc((size_t)(t->factor_count + 1) * sizeof *f);
    if (t->factor_count) memcpy(f, t->factors, (size_t)t->factor_count * sizeof *f);
    qsort(f, (size_t)t->factor_count, sizeof *f, nat_factor_compare);
    return f;
}

static int compare_products(const NatTerm *a, const NatTerm *b)
{
    if (a->factor_count == 1 && b->factor_count == 1) return nat_factor_compare(a->factors, b->factors);
    NatFactor *x = sorted_factors(a), *y = sorted_factors(b);
    int order = 0;
    for (int i = 0; !order && i < a->factor_count && i < b->factor_count; i++) order = nat_factor_compare(&x[i], &y[i]);
    free(x);
    free(y);
    return order ? order : a->factor_count - b->factor_count;
}

int nat_term_compare(const NatTerm *a, const NatTerm *b)
{
    if (!a->factor_count != !b->factor_count) return a->factor_count ? -1 : 1;
    int order = mono_of(b)->degree - mono_of(a)->degree;
    if (!order && a->factors != b->factors) order = compare_products(a, b);
    return order ? order : rat_compare(term_coef(a), term_coef(b));
}

static int compare_by_content(const void *a, const void *b) { return nat_term_compare(a, b); }

static NatTerm *sorted_by_content(const Nat *a)
{
    NatTerm *t = mem_alloc((size_t)(a->term_count + 1) * sizeof *t);
    if (a->term_count) memcpy(t, a->terms, (size_t)a->term_count * sizeof *t);
    qsort(t, (size_t)a->term_count, sizeof *t, compare_by_content);
    return t;
}

int nat_compare(const Nat *a, const Nat *b)
{
    if (a == b) return 0;
    if (a->is_const != b->is_const) return a->is_const ? -1 : 1;
    if (a->is_const) return (a->value > b->value) - (a->value < b->value);
    if (a->term_count != b->term_count) return a->term_count - b->term_count;
    NatTerm *x = sorted_by_content(a), *y = sorted_by_content(b);
    int order = 0;
    for (int i = 0; !order && i < a->term_count; i++) order = nat_term_compare(&x[i], &y[i]);
    free(x);
    free(y);
    return order;
}

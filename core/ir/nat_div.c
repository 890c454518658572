/* Floor quotient and remainder of Nats, and the recombination of the two.
 *
 * Quotient and remainder are always found together, as a pair with p = d*q + r, 0 <= r < d; each step rewrites the
 * pair by an identity of floor division, so soundness is local. What cannot be simplified becomes a DIV and a MOD. */
#include "nat_private.h"

#include <stdlib.h>

enum { MAX_KNOWN = 16, UNIT_DEPTH = 3, MAX_STEPS = 64, MAX_DEPTH = 8 };

/* ---- which monomials are integers ---- */

/* Monomials known to be integers although they have denominators: whole operands, facts, extents. */
typedef struct Known {
    Nats *s;
    const NatFacts *facts;
    const NatTerm *whole[MAX_KNOWN];
    int n, depth;
} Known;

static void know(Known *k, const Nat *a)
{
    if (!a || a->term_count != 1 || k->n == MAX_KNOWN || nat_is_whole(a)) return;
    for (int i = 0; i < k->n; i++)
        if (k->whole[i] == a->terms) return;
    k->whole[k->n++] = a->terms;
}

static void know_extents(Known *k, const Nat *a)
{
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            if (x->kind == ATOM_VAR) know(k, x->hi);
        }
    }
}

/* Does taking g out of m make progress: every positive power of g is there? */
static bool is_part(const Mono *g, const Mono *m)
{
    bool some = false;
    for (int i = 0; i < g->count; i++) {
        if (g->f[i].exp < 0) continue;
        if (mono_exp(m, g->f[i].atom) < g->f[i].exp) return false;
        some = true;
    }
    return some;
}

/* The smallest u > 0 found such that u * m is known to be an integer; 0 when none is. */
static Rat unit_of(const Known *k, const Mono *m, int depth)
{
    Rat best = {mono_is_whole(m), 1};
    if (depth == 0) return best;
    for (int i = 0; i < k->n; i++) {
        const Mono *g = mono_of(k->whole[i]);
        if (!is_part(g, m)) continue;
        const Mono *rest = mono_mul(k->s, m, g, -1);
        Rat u = rest ? unit_of(k, rest, depth - 1) : (Rat){0, 1};
        Rat c = {llabs(k->whole[i]->num), k->whole[i]->den};
        if (!u.num || !rat_mul(u, c, &u)) continue;
        if (!best.num || rat_compare(u, best) < 0) best = u;
    }
    return best;
}

/* The integer multiple of a known integer nearest below |c*m|: c becomes its coefficient; false: zero. */
static bool whole_part(const Known *k, Rat *c, const Mono *m)
{
    Rat u = unit_of(k, m, UNIT_DEPTH), times;
    if (!u.num || !rat_div(*c, u, &times)) return false;
    times = (Rat){times.num / times.den, 1};
    return times.num && rat_mul(times, u, c);
}

static bool term_is_integer(const Known *k, Rat c, const Mono *m)
{
    Rat u, times;
    if (c.den == 1 && mono_is_whole(m)) return true;
    u = unit_of(k, m, UNIT_DEPTH);
    return u.num && rat_div(c, u, &times) && times.den == 1;
}

static bool is_integer(const Known *k, const Nat *a)
{
    for (int i = 0; a && i < a->term_count; i++)
        if (!term_is_integer(k, term_coef(&a->terms[i]), mono_of(&a->terms[i]))) return false;
    return a != NULL;
}

bool nat_term_is_integer(Nats *s, const Nat *of, const NatTerm *t)
{
    Known k = {.s = s};
    know_extents(&k, of);
    return term_is_integer(&k, term_coef(t), mono_of(t));
}

/* ---- polynomial division ---- */

typedef struct Pair { const Nat *q, *r; } Pair;

static bool divide_pair(Known *k, const Nat *p, const Nat *d, Pair *out);

static bool shift(Nats *s, Pair *x, const Nat *q, const Nat *d)
{
    const Nat *r = nat_plus(s, x->r, nat_times(s, q, d), -1);
    q = nat_plus(s, x->q, q, 1);
    if (!q || !r) return false;
    *x = (Pair){q, r};
    return true;
}

/* One quotient term t/lead taken out of x->r; false when no term allows it. */
static bool divide_step(const Known *k, Pair *x, const Nat *d, const NatTerm *lead)
{
    for (int i = 0; i < x->r->term_count; i++) {
        const NatTerm *t = &x->r->terms[i];
        const Mono *m = mono_mul(k->s, mono_of(t), mono_of(lead), -1);
        Rat c;
        if (!m || !rat_div(term_coef(t), term_coef(lead), &c) || !whole_part(k, &c, m)) continue;
        if (shift(k->s, x, nat_term(k->s, c, m), d)) return true;
    }
    return false;
}

static Pair poly_divide(const Known *k, const Nat *p, const Nat *d, const NatTerm *lead)
{
    /* By a number, where no monomial but the whole ones is known to be an integer: all steps at once, term by term. */
    if (!k->n && d->is_const && d->value > 0 && p->term_count <= 16 && nat_is_whole(p)) {
        Terms q, r;
        terms_init(&q);
        terms_init(&r);
        for (int i = 0; i < p->term_count; i++) {
            const NatTerm *t = &p->terms[i];
            terms_push(&q, (Rat){t->num / d->value, 1}, mono_of(t));
            terms_push(&r, (Rat){t->num % d->value, 1}, mono_of(t));
        }
        return (Pair){terms_done(k->s, &q), terms_done(k->s, &r)};
    }
    Pair x = {k->s->zero, p};
    for (int i = 0; i < MAX_STEPS && divide_step(k, &x, d, lead); i++)
        if (x.r->term_count > p->term_count + 8) break;
    return x;
}

/* Multiples of a sum that a fact says d divides: s | n - k takes (n - k)/s out. */
static void divide_by_facts(const Known *k, Pair *x, const Nat *d)
{
    Nats *s = k->s;
    for (const NatFacts *f = k->facts; f && d->term_count == 1; f = f->next) {
        if (!f->number || f->number->term_count < 2 || f->number->term_count > x->r->term_count) continue;
        const Nat *times = nat_exact(s, f->divisor, d);
        for (int i = 0; is_integer(k, times) && i < x->r->term_count; i++) {
            Rat c;
            const Mono *m = mono_mul(s, mono_of(&x->r->terms[i]), mono_of(f->number->terms), -1);
            if (!m || !rat_div(term_coef(&x->r->terms[i]), term_coef(f->number->terms), &c)) continue;
            if (!term_is_integer(k, c, m)) continue;
            const Nat *q = nat_exact(s, nat_scale(s, f->number, c, m, 1), d);
            const Nat *r = nat_plus(s, x->r, nat_scale(s, f->number, c, m, 1), -1);
            if (!q || !r || r->term_count + 2 > x->r->term_count) continue;
            *x = (Pair){nat_plus(s, x->q, q, 1), r};
            i = -1;
        }
    }
}

/* ---- the remainder by intervals ---- */

static bool within(Nats *s, const Nat *r, const Nat *d) { return nat_is_nonneg(s, r) && nat_less(s, r, d); }

static bool settle_constant(Nats *s, Pair *x, const Nat *d)
{
    int64_t lo, hi;
    if (!nat_lower(s, x->r, &lo) || !nat_upper(s, x->r, &hi)) return false;
    if (floor_div(lo, d->value) != floor_div(hi, d->value)) return false;
    return shift(s, x, nat_const(s, floor_div(lo, d->value)), d);
}

/* Is the remainder, moved by at most one d, proved to be in [0, d)? */
static bool settle(Nats *s, Pair *x, const Nat *d)
{
    if (!x->r->term_count) return true;
    if (d->is_const && settle_constant(s, x, d)) return true;
    if (within(s, x->r, d)) return true;
    const Nat *up = nat_plus(s, x->r, d, 1), *down = nat_plus(s, x->r, d, -1);
    if (up && within(s, up, d)) return shift(s, x, nat_const(s, -1), d);
    return down && within(s, down, d) && shift(s, x, s->one, d);
}

/* ---- nested quotients and remainders ---- */

/* The single atom that a is, or NULL. */
static const NatAtom *single_atom(const Nat *a)
{
    if (a->term_count != 1 || a->terms->factor_count != 1) return NULL;
    if (a->terms->num != 1 || a->terms->den != 1 || a->terms->factors->exp != 1) return NULL;
    return a->terms->factors->atom;
}

/* (a / b) / d = a / (b*d). */
static bool nested_div(Known *k, const NatAtom *x, const Nat *d, Pair *out)
{
    Pair inner;
    Nats *s = k->s;
    const Nat *r = atom_node(x)->self, *bd = nat_times(s, x->b, d);
    if (!bd || !divide_pair(k, x->a, bd, &inner)) return false;
    const NatAtom *q = single_atom(inner.q);
    bool plain = q && q->kind == ATOM_DIV && q->a == x->a && q->b == bd;
    out->q = inner.q;
    out->r = plain ? nat_of_atom(s, ATOM_MOD, r, d) : nat_rejoin(s, nat_plus(s, r, nat_times(s, d, inner.q), -1));
    return out->r != NULL;
}

/* (a % (d*c)) / d = (a / d) % c and (a % (d*c)) % d = a % d. */
static bool nested_mod(Known *k, const NatAtom *x, const Nat *d, Pair *out)
{
    Pair inner, outer;
    const Nat *c = nat_exact(k->s, x->b, d);
    if (!c || !is_integer(k, c) || !divide_pair(k, x->a, d, &inner)) return false;
    if (!divide_pair(k, inner.q, c, &outer)) return false;
    *out = (Pair){outer.r, inner.r};
    return true;
}

static bool nested(Known *k, const Nat *r, const Nat *d, Pair *out)
{
    const NatAtom *x = single_atom(r);
    if (x && x->kind == ATOM_DIV) return nested_div(k, x, d, out);
    return x && x->kind == ATOM_MOD && nested_mod(k, x, d, out);
}

/* The term t of r as k * (a % n) with d | k*n; *times is k*n/d. */
static const Nat *wrapped(const Known *k, const NatTerm *t, const NatAtom *m, const Nat *d, const Nat **times)
{
    NatFactor f = {m, 1};
    if (m->kind != ATOM_MOD || mono_exp(mono_of(t), m) != 1) return NULL;
    const Nat *by = nat_scale(k->s, nat_of_term(k->s, t), (Rat){1, 1}, mono_new(k->s, &f, 1), -1);
    *times = nat_exact(k->s, nat_times(k->s, by, m->b), d);
    return *times && is_integer(k, *times) && is_integer(k, by) ? by : NULL;
}

/* (k*(a % n) + rest) % d = (k*a + rest) % d for d | k*n; the quotients differ by (k*n/d) * (a / n). */
static bool unwrap_with(Known *k, const Nat *r, const Nat *d, const NatTerm *t, const NatAtom *m, Pair *out)
{
    Pair inner, extra;
    Nats *s = k->s;
    const Nat *times, *by = wrapped(k, t, m, d, &times);
    if (!by) return false;
    const Nat *bare = nat_plus(s, nat_plus(s, r, nat_of_term(s, t), -1), nat_times(s, by, m->a), 1);
    if (!bare || !divide_pair(k, nat_rejoin(s, bare), d, &inner)) return false;
    out->r = inner.r;
    out->q = nat_of_atom(s, ATOM_DIV, r, d);
    if (!node_of(inner.q)->has_div && divide_pair(k, m->a, m->b, &extra))
        out->q = nat_plus(s, inner.q, nat_times(s, times, extra.q), -1);
    return out->q != NULL;
}

static bool unwrap(Known *k, const Nat *r, const Nat *d, Pair *out)
{
    for (int i = 0; i < r->term_count && node_of(r)->has_mod && r->term_count > 1; i++)
        for (int j = 0; j < r->terms[i].factor_count; j++)
            if (unwrap_with(k, r, d, &r->terms[i], r->terms[i].factors[j].atom, out)) return true;
    return false;
}

/* ---- partial split ---- */

static const Mono *mono_gcd(Nats *s, const Mono *a, const Mono *b)
{
    NatFactor f[32];
    int n = 0, i = 0, j = 0;
    while ((i < a->count || j < b->count) && n < COUNT(f)) {
        const NatFactor *x = i < a->count ? &a->f[i] : NULL, *y = j < b->count ? &b->f[j] : NULL;
        if (x && y && x->atom == y->atom) f[n] = x->exp < y->exp ? *x : *y, i++, j++, n++;
        else if (!y || (x && x->atom->id < y->atom->id)) f[n] = *x, n += x->exp < 0, i++;
        else f[n] = *y, n += y->exp < 0, j++;
    }
    return n == COUNT(f) ? s->unit : mono_new(s, f, n);
}

/* gcd of two rationals: the largest g with a/g and b/g integers. */
static Rat rat_gcd(Rat a, Rat b)
{
    int64_t den;
    if (!mul_ok(a.den / gcd64(a.den, b.den), b.den, &den)) return (Rat){0, 1};
    int64_t x, y;
    if (!mul_ok(a.num, den / a.den, &x) || !mul_ok(b.num, den / b.den, &y)) return (Rat){0, 1};
    int64_t num = gcd64(x, y), g = gcd64(num, den);
    return (Rat){num / g, den / g};
}

/* What t and d have in common; NULL when it has a denominator that one of them has not: i / (N/8) stays. */
static const Nat *common_factor(Nats *s, const NatTerm *t, const NatTerm *d)
{
    Rat c = rat_gcd(term_coef(t), term_coef(d));
    if (!c.num || c.den != t->den || (c.den != 1 && d->den == 1)) return NULL;
    const Mono *m = mono_gcd(s, mono_of(t), mono_of(d));
    for (int i = 0; i < m->count; i++)
        if (m->f[i].exp < 0 && (mono_exp(mono_of(t), m->f[i].atom) >= 0 || mono_exp(mono_of(d), m->f[i].atom) >= 0))
            return NULL;
    return nat_term(s, c, m);
}

/* r = above + below with above a multiple of the monomial g: the part of each term that is. */
static bool split_by(const Known *k, const Nat *r, const Nat *g, const Nat **above, const Nat **below)
{
    Nats *s = k->s;
    *above = *below = s->zero;
    for (int i = 0; i < r->term_count; i++) {
        const NatTerm *t = &r->terms[i];
        const Nat *term = nat_of_term(s, t);
        Rat c = {0, 1};
        const Mono *m = mono_mul(s, mono_of(t), mono_of(g->terms), -1);
        bool multiple = m && rat_div(term_coef(t), term_coef(g->terms), &c) && term_is_integer(k, c, m);
        if (!multiple && !t->factor_count && g->is_const && t->den == 1) {
            *above = nat_plus(s, *above, nat_const(s, t->num - floor_mod(t->num, g->value)), 1);
            term = nat_const(s, floor_mod(t->num, g->value));
        }
        const Nat **side = multiple ? above : below;
        *side = nat_plus(s, *side, term, 1);
    }
    return *above && *below && (*above)->term_count;
}

/* (r1 + r2) / d = (r1/g) / (d/g) and (r1 + r2) % d = g * ((r1/g) % (d/g)) + r2, for 0 <= r2 < g, g | r1 and g | d. */
static bool split_with(Known *k, const Nat *r, const Nat *d, const Nat *g, Pair *out)
{
    Nats *s = k->s;
    const Nat *above, *below;
    Pair low = {s->zero, s->zero}, high;
    const Nat *d_g = nat_exact(s, d, g);
    if (!is_integer(k, d_g) || !split_by(k, r, g, &above, &below)) return false;
    if (below->term_count) {
        if (!is_integer(k, g) || below == r || !divide_pair(k, below, g, &low) || !low.q->is_const) return false;
    }
    const Nat *up = nat_plus(s, nat_exact(s, above, g), low.q, 1);
    if (!is_integer(k, up) || !divide_pair(k, up, d_g, &high)) return false;
    out->q = high.q;
    out->r = nat_rejoin(s, nat_plus(s, nat_times(s, g, high.r), low.r, 1));
    return out->r != NULL;
}

static bool bigger_factor(const Nat *a, const Nat *b)
{
    int x = mono_of(a->terms)->degree, y = mono_of(b->terms)->degree;
    return x != y ? x > y : rat_compare(term_coef(a->terms), term_coef(b->terms)) > 0;
}

/* The factors that a term of r and d have in common, largest first. */
static int split_factors(Nats *s, const Nat *r, const Nat *d, const Nat **g, int most)
{
    int n = 0;
    /* The monomial content of a: what all its terms have in common. */
    NatTerm whole = d->terms[0];
    for (int i = 1; i < d->term_count; i++) {
        Rat c = rat_gcd(term_coef(&whole), term_coef(&d->terms[i]));
        const Mono *m = mono_gcd(s, mono_of(&whole), mono_of(&d->terms[i]));
        whole = (NatTerm){c.num, c.den, m->count, m->f};
    }
    whole.num = llabs(whole.num);
    for (int i = 0; i < r->term_count && n < most; i++) {
        const Nat *x = common_factor(s, &r->terms[i], &whole);
        bool known = !x || x == s->one;
        for (int j = 0; j < n && !known; j++) known = g[j] == x;
        if (known) continue;
        int at = n++;
        for (; at > 0 && bigger_factor(x, g[at - 1]); at--) g[at] = g[at - 1];
        g[at] = x;
    }
    return n;
}

static bool partial_split(Known *k, const Nat *r, const Nat *d, Pair *out)
{
    const Nat *g[12];
    int n = split_factors(k->s, r, d, g, COUNT(g));
    for (int i = 0; i < n; i++)
        if (split_with(k, r, d, g[i], out)) return true;
    return false;
}

/* ---- putting it together ---- */

/* The constant term into [0, d): (x - 1)/4 is (x + 3)/4 - 1. */
static void shift_constant(Nats *s, Pair *x, const Nat *d)
{
    int last = x->r->term_count - 1;
    if (!d->is_const || last < 0 || x->r->terms[last].factor_count || x->r->terms[last].den != 1) return;
    int64_t q = floor_div(x->r->terms[last].num, d->value);
    if (q) shift(s, x, nat_const(s, q), d);
}

static bool finish_pair(Known *k, Pair *x, const Nat *d)
{
    Pair y = {NULL, NULL};
    if (settle(k->s, x, d)) return true;
    shift_constant(k->s, x, d);
    bool deeper = k->depth < MAX_DEPTH;
    if (deeper && (nested(k, x->r, d, &y) || unwrap(k, x->r, d, &y) || partial_split(k, x->r, d, &y))) {
        x->q = nat_plus(k->s, x->q, y.q, 1);
        x->r = y.r;
        return x->q != NULL;
    }
    const Nat *q = nat_of_atom(k->s, ATOM_DIV, x->r, d), *r = nat_of_atom(k->s, ATOM_MOD, x->r, d);
    x->q = nat_plus(k->s, x->q, q, 1);
    x->r = r;
    return x->q && r;
}

static bool divide_any(Known *k, const Nat *p, const Nat *d, Pair *out)
{
    Pair first = {NULL, NULL};
    know_extents(k, p);
    for (int i = 0; i < d->term_count && i < 6; i++) {
        if (!d->terms[i].factor_count && !d->is_const) continue;
        Pair whole = {k->s->zero, p};
        divide_by_facts(k, &whole, d);
        *out = poly_divide(k, whole.r, d, &d->terms[i]);
        out->q = nat_plus(k->s, out->q, whole.q, 1);
        divide_by_facts(k, out, d);
        out->r = nat_rejoin(k->s, out->r);
        if (!out->r) return false;
        if (d->term_count > 1 && settle(k->s, out, d)) return true;
        if (!first.q) first = *out;
    }
    *out = first;
    return first.q && finish_pair(k, out, d);
}

/* p = d * out->q + out->r, 0 <= out->r < d, as simple as we can prove. */
static bool divide_pair(Known *k, const Nat *p, const Nat *d, Pair *out)
{
    if (d == k->s->one) return *out = (Pair){p, k->s->zero}, true;
    if (p->is_const && d->is_const) {
        if (d->value <= 0) return false;
        *out = (Pair){nat_const(k->s, floor_div(p->value, d->value)), nat_const(k->s, floor_mod(p->value, d->value))};
        return true;
    }
    k->depth++;
    bool ok = divide_any(k, p, d, out);
    k->depth--;
    return ok;
}

typedef struct DivEntry {
    const Nat *p, *d;
    Pair result;
} DivEntry;

static bool same_division(const void *key, const void *item)
{
    const DivEntry *x = key, *y = item;
    return x->p == y->p && x->d == y->d;
}

static Pair divide_now(Nats *s, const Nat *p, const Nat *d, const NatFacts *facts)
{
    Known k = {.s = s, .facts = facts};
    Pair x = {NULL, NULL};
    for (const NatFacts *f = facts; f; f = f->next)
        if (f->divisor && f->number && f->divisor->term_count == 1 && f->number->term_count == 1)
            know(&k, nat_exact(k.s, f->number, f->divisor));
    know(&k, d);
    know(&k, p);
    know_extents(&k, d);
    if (!divide_pair(&k, p, d, &x)) return (Pair){NULL, NULL};
    return (Pair){nat_rejoin(s, x.q), x.r};
}

static Pair divide(Nats *s, const Nat *p, const Nat *d, const NatFacts *facts)
{
    if (!p || !d || !d->term_count || (d->is_const && d->value < 0)) return (Pair){NULL, NULL};
    if (facts) return divide_now(s, p, d, facts);
    DivEntry key = {.p = p, .d = d};
    uint64_t hash = hash_mix(p->id, d->id);
    DivEntry *e = ptr_table_find(&s->divs, hash, same_division, &key);
    if (e) return e->result;
    key.result = divide_now(s, p, d, NULL);
    e = NEW(s->arena, DivEntry);
    *e = key;
    ptr_table_add(&s->divs, hash, e);
    return e->result;
}

const Nat *nat_div(Nats *s, const Nat *a, const Nat *b, const NatFacts *facts) { return divide(s, a, b, facts).q; }
const Nat *nat_mod(Nats *s, const Nat *a, const Nat *b, const NatFacts *facts) { return divide(s, a, b, facts).r; }

bool nat_is_operator(const char *op) { return strchr("+-*/%", *op) != NULL && (op[1] == '\0' || strcmp(op, "//") == 0); }

const Nat *nat_operator(Nats *s, const char *op, const Nat *a, const Nat *b)
{
    if (!nat_is_operator(op)) return NULL;
    switch (*op) {
    case '+': return nat_add(s, a, b);
    case '-': return nat_sub(s, a, b);
    case '*': return nat_mul(s, a, b);
    case '%': return nat_mod(s, a, b, NULL);
    default: return op[1] ? nat_div(s, a, b, NULL) : nat_exact(s, a, b);
    }
}

bool nat_divides(Nats *s, const Nat *d, const Nat *n, const NatFacts *facts)
{
    return divide(s, n, d, facts).r == s->zero;
}

bool nat_refuted_divides(Nats *s, const Nat *d, const Nat *n)
{
    (void)s;
    return d && n && d->is_const && n->is_const && (d->value == 0 ? n->value != 0 : n->value % d->value != 0);
}

/* ---- b*(a/b) + a%b = a ---- */

/* Does a contain x: each term of x with the same sign and at least its size? */
static bool contains(const Nat *a, const Nat *x)
{
    for (int i = 0, j = 0; i < x->term_count; i++) {
        const NatTerm *t = &x->terms[i];
        while (j < a->term_count && a->terms[j].factors != t->factors) j++;
        if (j == a->term_count) return false;
        Rat mine = {llabs(a->terms[j].num), a->terms[j].den}, want = {llabs(t->num), t->den};
        if ((a->terms[j].num < 0) != (t->num < 0) || rat_compare(mine, want) < 0) return false;
    }
    return true;
}

/* a with the parts x and y replaced by z. */
static const Nat *replace(Nats *s, const Nat *a, const Nat *x, const Nat *y, const Nat *z)
{
    return nat_plus(s, nat_plus(s, nat_plus(s, a, x, -1), y, -1), z, 1);
}

/* k*b*((m.a / b) % c) + k*m = k*(m.a % (b*c)), for a digit (m.a / b) % c among the terms of a. */
static const Nat *join_digit(Nats *s, const Nat *a, const Nat *term, const Nat *k, const NatAtom *m, const Nat *q)
{
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; mono_of(&a->terms[i])->has_mod && j < a->terms[i].factor_count; j++) {
            const NatAtom *digit = a->terms[i].factors[j].atom;
            if (digit->kind != ATOM_MOD || digit == m || digit->a != q) continue;
            const Nat *part = nat_times(s, nat_times(s, k, m->b), atom_node(digit)->self);
            if (!part || !contains(a, part)) continue;
            const Nat *whole = nat_mod(s, m->a, nat_times(s, m->b, digit->b), NULL);
            return replace(s, a, part, term, nat_times(s, k, whole));
        }
    }
    return NULL;
}

/* t / atom. */
static const Nat *cofactor(Nats *s, const NatTerm *t, const NatAtom *x)
{
    NatFactor f = {x, 1};
    return nat_scale(s, nat_of_term(s, t), (Rat){1, 1}, mono_new(s, &f, 1), -1);
}

static const Nat *negative(Nats *s, const Nat *a) { return nat_scale(s, a, (Rat){-1, 1}, s->unit, 1); }

/* a, which has the term t = k*b*q, q = x / b: k*b*q + k*(x % b) = k*x, and k*b*q - k*x = -k*(x % b). */
static const Nat *join_div(Nats *s, const Nat *a, const NatTerm *t, const NatAtom *q)
{
    const Nat *term = nat_of_term(s, t), *k = q->b->term_count == 1 ? nat_exact(s, cofactor(s, t, q), q->b) : NULL;
    const Nat *part = nat_times(s, k, nat_mod(s, q->a, q->b, NULL)), *whole = nat_times(s, k, q->a);
    const Nat *minus = negative(s, whole);
    if (!part || !part->term_count || !minus) return NULL;
    if (contains(a, part)) return replace(s, a, part, term, whole);
    return contains(a, minus) ? replace(s, a, minus, term, negative(s, part)) : NULL;
}

static const Nat *join_atom(Nats *s, const Nat *a, const NatTerm *t, const NatFactor *f)
{
    if (f->exp != 1) return NULL;
    /* a, which has the term t = k*m, m = x % b: k*b*(x/b) + k*m = k*x, and k*m - k*x = -k*b*(x/b). */
    if (f->atom->kind == ATOM_MOD) {
        const Nat *term = nat_of_term(s, t), *k = cofactor(s, t, f->atom);
        const Nat *part = nat_times(s, nat_times(s, k, f->atom->b), nat_div(s, f->atom->a, f->atom->b, NULL));
        const Nat *minus = negative(s, nat_times(s, k, f->atom->a));
        if (!part || !part->term_count || !minus) return NULL;
        if (contains(a, part)) return replace(s, a, part, term, nat_times(s, k, f->atom->a));
        if (contains(a, minus)) return replace(s, a, minus, term, negative(s, part));
        return join_digit(s, a, term, k, f->atom, nat_div(s, f->atom->a, f->atom->b, NULL));
    }
    return f->atom->kind == ATOM_DIV ? join_div(s, a, t, f->atom) : NULL;
}

static const Nat *join_once(Nats *s, const Nat *a)
{
    /* Variables (as in masks) that stand in several terms. Those of a quotient or remainder must, for it to join
     * another term. */
    uint64_t seen = 0, shared = 0;
    for (int i = 0; i < a->term_count; i++) {
        shared |= seen & mono_of(&a->terms[i])->mask;
        seen |= mono_of(&a->terms[i])->mask;
    }
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        bool may = (mono_of(t)->has_mod || mono_of(t)->has_div) && mono_of(t)->mask & shared;
        for (int j = 0; may && j < t->factor_count; j++) {
            const Nat *r = join_atom(s, a, t, &t->factors[j]);
            if (r) return r;
        }
    }
    return NULL;
}

const Nat *nat_rejoin_terms(Nats *s, const Nat *a)
{
    NatNode *n = (NatNode *)(void *)(uintptr_t)a;
    n->joined = a;
    vec_push(&s->joined, n);
    for (int i = 0; i < 64; i++) {
        const Nat *r = join_once(s, a);
        if (!r) break;
        a = r;
    }
    n->joined = a;
    return a;
}

/* Interval analysis of Nats: constant bounds, and proofs that a polynomial is positive.
 *
 * A proof replaces one atom after another by an extreme value, latest atom first, until all terms are positive by
 * themselves. That is sound in any order: with everything else held fixed at its true value, a polynomial linear in v
 * is smallest at an end of v's interval. All reasoning is over the rationals; only nat_less and its like use that the
 * difference of two Nats is an integer. */
#include "nat_private.h"

#include <stdlib.h>

enum { PROOF_STEPS = 64, MAX_BOUNDS = 3 };

/* ---- signs of atoms ---- */

static bool bound_sign(Nats *s, const NatAtom *a, bool strict)
{
    switch (a->kind) {
    case ATOM_VAR:
        return a->lo && nat_prove(s, a->lo, strict);
    case ATOM_MOD:
        return !strict;
    case ATOM_DIV:
        return strict ? nat_less_eq(s, a->b, a->a) : nat_is_nonneg(s, a->a);
    case ATOM_MIN:
        return nat_prove(s, a->a, strict) && nat_prove(s, a->b, strict);
    case ATOM_MAX:
        return nat_prove(s, a->a, strict) || nat_prove(s, a->b, strict);
    }
    return false;
}

bool atom_is_nonneg(Nats *s, const NatAtom *a)
{
    AtomNode *n = (AtomNode *)(void *)(uintptr_t)a;
    if (!n->nonneg) n->nonneg = bound_sign(s, a, false) ? 1 : -1;
    return n->nonneg > 0;
}

bool atom_is_positive(Nats *s, const NatAtom *a)
{
    AtomNode *n = (AtomNode *)(void *)(uintptr_t)a;
    if (!n->positive) n->positive = bound_sign(s, a, true) ? 1 : -1;
    return n->positive > 0;
}

/* ---- sums of variables with numbers as bounds ---- */

/* The smallest and the largest value that a takes, where it is a sum of few variables of their own, each with a whole
 * coefficient and between numbers; both ends are met, so nothing better can be found. False: another form. */
static bool exact_range(const Nat *a, int64_t *lo, int64_t *hi)
{
    int64_t least = 0, most = 0;
    if (a->term_count > 8) return false;
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        int64_t at_lo = t->num, at_hi = t->num;
        if (t->den != 1) return false;
        if (t->factor_count) {
            const NatAtom *v = t->factors->atom;
            if (t->factor_count > 1 || t->factors->exp != 1 || v->kind != ATOM_VAR || !v->lo || !v->hi) return false;
            if (!v->lo->is_const || !v->hi->is_const || v->lo->value >= v->hi->value) return false;
            if (!mul_ok(t->num, v->lo->value, &at_lo) || !mul_ok(t->num, v->hi->value - 1, &at_hi)) return false;
        }
        if (!add_ok(least, t->num < 0 ? at_hi : at_lo, &least) || !add_ok(most, t->num < 0 ? at_lo : at_hi, &most)) return false;
    }
    *lo = least;
    *hi = most;
    return true;
}

/* ---- proofs ---- */

typedef struct Proof {
    Nats *s;
    int steps;                       /* left */
} Proof;

static bool prove(Proof *p, const Nat *a, bool strict);

/* Every term is >= 0 by itself (and one > 0 when strict). */
static bool plainly_positive(Nats *s, const Nat *a, bool strict)
{
    bool found = !strict;
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        if (t->num < 0) return false;
        bool positive = true;
        for (int j = 0; j < t->factor_count; j++) {
            const NatFactor *f = &t->factors[j];
            bool even = f->exp % 2 == 0;
            if (!even && !atom_is_nonneg(s, f->atom)) return false;
            positive = positive && !found && (f->exp < 0 || atom_is_positive(s, f->atom));
        }
        found = found || positive;
    }
    return found;
}

/* a times the positive denominators of its terms; NULL when one of them may be negative. */
static const Nat *clear_denominators(Nats *s, const Nat *a)
{
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            NatFactor f = a->terms[i].factors[j];
            if (f.exp >= 0) continue;
            if (f.exp % 2 && !atom_is_nonneg(s, f.atom)) return NULL;
            a = nat_scale(s, a, (Rat){1, 1}, mono_new(s, &f, 1), -1);
            if (!a) return NULL;
            i = -1;
            break;
        }
    }
    return a;
}

/* The latest atom before `before` among the factors of a. */
static const NatAtom *latest_atom(const Nat *a, const NatAtom *before)
{
    const NatAtom *best = NULL;
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        for (int j = t->factor_count - 1; j >= 0; j--) {
            const NatAtom *x = t->factors[j].atom;
            if (before && x->id >= before->id) continue;
            if (!best || x->id > best->id) best = x;
            break;
        }
    }
    return best;
}

/* The part of a with v^exp, divided by v^exp. */
static const Nat *part_of(Nats *s, const Nat *a, const NatAtom *v, int exp)
{
    Terms t;
    terms_init(&t);
    NatFactor f = {v, exp};
    const Mono *power = exp ? mono_new(s, &f, 1) : s->unit;
    for (int i = 0; i < a->term_count; i++) {
        const Mono *m = mono_of(&a->terms[i]);
        if (mono_exp(m, v) == exp) terms_push(&t, term_coef(&a->terms[i]), mono_mul(s, m, power, -1));
    }
    return terms_done(s, &t);
}

static int degree_in(const Nat *a, const NatAtom *v)
{
    int most = 0;
    for (int i = 0; i < a->term_count; i++) {
        int e = mono_exp(mono_of(&a->terms[i]), v);
        if (e > most) most = e;
    }
    return most;
}

/* Bounds of an atom, each v >= num/den (lower) or v <= num/den (upper), den > 0; any one of them may be used. */
typedef struct Bounds {
    const Nat *num[MAX_BOUNDS], *den[MAX_BOUNDS];
    int n;
} Bounds;

static void add_bound(Bounds *b, const Nat *num, const Nat *den)
{
    if (!num || !den) return;
    b->num[b->n] = num;
    b->den[b->n++] = den;
}

static void lower_bounds(Nats *s, const NatAtom *v, Bounds *out)
{
    const Nat *one = s->one;
    if (v->kind == ATOM_VAR) add_bound(out, v->lo, one);
    if (v->kind == ATOM_MOD) add_bound(out, s->zero, one);
    if (v->kind != ATOM_DIV) return;
    add_bound(out, nat_plus(s, nat_plus(s, v->a, v->b, -1), one, 1), v->b);
    if (atom_is_positive(s, v)) add_bound(out, one, one);
    else if (atom_is_nonneg(s, v)) add_bound(out, s->zero, one);
}

static void upper_bounds(Nats *s, const NatAtom *v, Bounds *out)
{
    const Nat *one = s->one;
    if (v->kind == ATOM_VAR && v->hi) add_bound(out, nat_plus(s, v->hi, one, -1), one);
    if (v->kind == ATOM_DIV) add_bound(out, v->a, v->b);
    if (v->kind != ATOM_MOD) return;
    add_bound(out, nat_plus(s, v->b, one, -1), one);
    if (nat_is_nonneg(s, v->a)) add_bound(out, v->a, one);
}

/* c*v + r > 0, given that v is at the bound num/den: c*num + r*den > 0. */
static bool prove_at(Proof *p, const Nat *c, const Nat *r, const Nat *num, const Nat *den, bool strict)
{
    return prove(p, nat_plus(p->s, nat_times(p->s, c, num), nat_times(p->s, r, den), 1), strict);
}

static bool prove_at_any(Proof *p, const Nat *c, const Nat *r, const Bounds *b, bool strict)
{
    for (int i = 0; i < b->n; i++)
        if (prove_at(p, c, r, b->num[i], b->den[i], strict)) return true;
    return false;
}

/* The part c * v^exp of a at its smallest for lo <= v <= hi, 0 <= lo; NULL: not known. */
static const Nat *smallest_part(Proof *p, const Nat *c, const Nat *lo, const Nat *hi, int exp)
{
    if (prove(p, c, false)) return nat_times(p->s, c, nat_pow(p->s, lo, exp));
    if (!hi || !prove(p, nat_scale(p->s, c, (Rat){-1, 1}, p->s->unit, 1), false)) return NULL;
    return nat_times(p->s, c, nat_pow(p->s, hi, exp));
}

static bool prove_without(Proof *p, const Nat *a, const NatAtom *v, bool strict)
{
    /* v with higher powers: term by term. */
    if (degree_in(a, v) > 1) {
        if (v->kind != ATOM_VAR || !atom_is_nonneg(p->s, v) || degree_in(a, v) > 8) return false;
        const Nat *sum = part_of(p->s, a, v, 0), *hi = v->hi ? nat_plus(p->s, v->hi, p->s->one, -1) : NULL;
        for (int e = degree_in(a, v); e > 0 && sum; e--) {
            const Nat *c = part_of(p->s, a, v, e);
            const Nat *least = !c ? NULL : !c->term_count ? c : smallest_part(p, c, v->lo, hi, e);
            sum = nat_plus(p->s, sum, least, 1);
        }
        return sum && prove(p, sum, strict);
    }
    const Nat *c = part_of(p->s, a, v, 1);
    const Nat *r = part_of(p->s, a, v, 0);
    if (!c || !r) return false;
    /* c*v + r for v = min(x, y) or max(x, y), which is one of the two. */
    if (v->kind == ATOM_MIN || v->kind == ATOM_MAX) {
        const Nat *one = p->s->one;
        bool is_min = v->kind == ATOM_MIN;
        if (prove(p, is_min ? nat_scale(p->s, c, (Rat){-1, 1}, p->s->unit, 1) : c, false))
            return prove_at(p, c, r, v->a, one, strict) || prove_at(p, c, r, v->b, one, strict);
        return prove_at(p, c, r, v->a, one, strict) && prove_at(p, c, r, v->b, one, strict);
    }
    Bounds lower = {.n = 0}, upper = {.n = 0};
    lower_bounds(p->s, v, &lower);
    upper_bounds(p->s, v, &upper);
    if (prove(p, c, false)) return prove_at_any(p, c, r, &lower, strict);
    if (prove(p, nat_scale(p->s, c, (Rat){-1, 1}, p->s->unit, 1), false)) return prove_at_any(p, c, r, &upper, strict);
    return prove_at_any(p, c, r, &lower, strict) && prove_at_any(p, c, r, &upper, strict);
}

static bool prove(Proof *p, const Nat *a, bool strict)
{
    if (!a || a->term_count > 64 || p->steps-- <= 0) return false;
    if (!a->term_count) return !strict;
    if (!node_of(a)->mask) return a->term_count == 1 && !a->terms[0].factor_count && a->terms[0].num > 0;
    if (plainly_positive(p->s, a, strict)) return true;
    a = clear_denominators(p->s, a);
    if (!a) return false;
    int tries = 0;
    for (const NatAtom *v = latest_atom(a, NULL); v && tries < 3; v = latest_atom(a, v), tries++)
        if (prove_without(p, a, v, strict)) return true;
    return false;
}

/* ---- refuting by example ---- */

enum { POINT_VARS = 12, FAR = 1 << 12 };

/* Values of variables within their bounds, chosen when they are asked for. */
typedef struct Point {
    const NatAtom *var[POINT_VARS];
    int64_t at[POINT_VARS];
    int n;
    bool high;                       /* where nothing else is said: at the upper end */
} Point;

static bool point_value(void *data, const NatAtom *v, int64_t *out);

static bool choose(Point *p, const NatAtom *v, bool high, int64_t *out)
{
    int64_t lo, hi, at;
    if (p->n == POINT_VARS || !v->lo || !nat_eval(v->lo, point_value, p, &lo)) return false;
    if (!v->hi && !add_ok(lo, FAR, &hi)) return false;
    if (v->hi && !nat_eval(v->hi, point_value, p, &hi)) return false;
    if (lo >= hi || p->n == POINT_VARS) return false;
    at = high ? hi - 1 : lo;
    p->var[p->n] = v;
    p->at[p->n++] = at;
    *out = at;
    return true;
}

static bool point_value(void *data, const NatAtom *v, int64_t *out)
{
    Point *p = data;
    for (int i = 0; i < p->n; i++)
        if (p->var[i] == v) return *out = p->at[i], true;
    return choose(p, v, p->high, out);
}

/* Is every divisor in a positive wherever its variables are? */
static bool divisors_are_plain(const Nat *a)
{
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            if (x->kind == ATOM_VAR) continue;
            bool divides = x->kind == ATOM_DIV || x->kind == ATOM_MOD;
            if (divides && (x->b->term_count != 1 || x->b->terms->num < 0)) return false;
            if (!divisors_are_plain(x->a) || !divisors_are_plain(x->b)) return false;
        }
    }
    return true;
}

/* Is a <= 0 (strict) or a < 0 at a corner of its variables' ranges? Then no proof needs to be looked for. */
static bool refuted_at(const Nat *a, bool strict, bool high)
{
    Point p = {.n = 0, .high = high};
    int64_t value;
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        if (t->factor_count != 1 || t->factors->exp != 1 || t->factors->atom->kind != ATOM_VAR) continue;
        p.high = t->num < 0;
        if (!point_value(&p, t->factors->atom, &value)) return false;
    }
    p.high = high;
    return nat_eval(a, point_value, &p, &value) && value < strict;
}

typedef struct ProofEntry {
    const Nat *a;
    bool strict, proved;
} ProofEntry;

static bool same_proof(const void *key, const void *item)
{
    const ProofEntry *x = key, *y = item;
    return x->a == y->a && x->strict == y->strict;
}

bool nat_prove(Nats *s, const Nat *a, bool strict)
{
    if (!a) return false;
    if (a->is_const) return a->value >= strict;
    int64_t lo, hi;
    if (exact_range(a, &lo, &hi)) return lo >= strict;
    ProofEntry key = {a, strict, false};
    uint64_t hash = hash_mix(a->id, strict);
    const ProofEntry *old = ptr_table_find(&s->proofs, hash, same_proof, &key);
    if (old) return old->proved;
    bool refuted = divisors_are_plain(a) && (refuted_at(a, strict, false) || refuted_at(a, strict, true));
    key.proved = !refuted && prove(&(Proof){s, PROOF_STEPS}, a, strict);
    ProofEntry *e = NEW(s->arena, ProofEntry);
    *e = key;
    ptr_table_add(&s->proofs, hash, e);
    return e->proved;
}

/* Integers: a >= 0 when a + 1 > 0. */
bool nat_is_nonneg(Nats *s, const Nat *a) { return nat_prove(s, nat_plus(s, a, s->one, 1), true); }
bool nat_less(Nats *s, const Nat *a, const Nat *b) { return nat_prove(s, nat_plus(s, b, a, -1), true); }
bool nat_less_eq(Nats *s, const Nat *a, const Nat *b)
{
    return a && b && (a == b || nat_is_nonneg(s, nat_plus(s, b, a, -1)));
}

/* ---- constant bounds ---- */

typedef struct Interval {
    bool has_lo, has_hi;
    Rat lo, hi;
} Interval;

static Interval interval_of(Nats *s, const Nat *a, int depth);

static Interval point(Rat r) { return (Interval){true, true, r, r}; }

static bool interval_nonneg(const Interval *x) { return x->has_lo && x->lo.num >= 0; }

static Interval interval_scale(Interval a, Rat c)
{
    Interval r = {0};
    if (c.num < 0) {
        Interval flipped = {a.has_hi, a.has_lo, a.hi, a.lo};
        a = flipped;
    }
    r.has_lo = a.has_lo && rat_mul(a.lo, c, &r.lo);
    r.has_hi = a.has_hi && rat_mul(a.hi, c, &r.hi);
    return r;
}

static Interval interval_mul(Interval a, Interval b)
{
    Interval r = {0};
    if (interval_nonneg(&a) && interval_nonneg(&b)) {
        r.has_lo = rat_mul(a.lo, b.lo, &r.lo);
        r.has_hi = a.has_hi && b.has_hi && rat_mul(a.hi, b.hi, &r.hi);
        return r;
    }
    if (!a.has_lo || !a.has_hi || !b.has_lo || !b.has_hi) return r;
    Rat x[4];
    if (!rat_mul(a.lo, b.lo, &x[0]) || !rat_mul(a.lo, b.hi, &x[1]) || !rat_mul(a.hi, b.lo, &x[2]) ||
        !rat_mul(a.hi, b.hi, &x[3]))
        return r;
    r = point(x[0]);
    for (int i = 1; i < 4; i++) {
        if (rat_compare(x[i], r.lo) < 0) r.lo = x[i];
        if (rat_compare(x[i], r.hi) > 0) r.hi = x[i];
    }
    return r;
}

/* 1/x for an integer x > 0. */
static Interval interval_inverse(Interval x)
{
    Interval r = {true, false, {0, 1}, {0, 1}};
    if (!interval_nonneg(&x)) return (Interval){0};
    if (x.has_hi && x.hi.num > 0) rat_div((Rat){1, 1}, x.hi, &r.lo);
    Rat least = x.lo.num > 0 ? x.lo : (Rat){1, 1};
    r.has_hi = rat_div((Rat){1, 1}, least, &r.hi);
    return r;
}

static Rat rat_floor(Rat r) { return (Rat){floor_div(r.num, r.den), 1}; }

static Interval floor_interval(Interval x)
{
    x.lo = rat_floor(x.lo.den ? x.lo : (Rat){0, 1});
    x.hi = rat_floor(x.hi.den ? x.hi : (Rat){0, 1});
    return x;
}

static Interval interval_mod(Interval a, Interval b)
{
    Interval r = {true, false, {0, 1}, {0, 1}};
    r.has_hi = b.has_hi && rat_add(b.hi, (Rat){-1, 1}, &r.hi);
    if (!interval_nonneg(&a) || !a.has_hi) return r;
    if (!r.has_hi || rat_compare(a.hi, r.hi) < 0) r.hi = a.hi;
    r.has_hi = true;
    return r;
}

static Interval interval_min(Interval a, Interval b)
{
    Interval r = {a.has_lo && b.has_lo, a.has_hi || b.has_hi, a.lo, a.hi};
    if (r.has_lo && rat_compare(b.lo, a.lo) < 0) r.lo = b.lo;
    if (b.has_hi && (!a.has_hi || rat_compare(b.hi, a.hi) < 0)) r.hi = b.hi;
    return r;
}

static Interval atom_interval(Nats *s, const NatAtom *x, int depth)
{
    if (x->kind == ATOM_VAR) {
        Interval r = {0};
        if (x->lo) {
            Interval lo = interval_of(s, x->lo, depth - 1);
            r.has_lo = lo.has_lo;
            r.lo = lo.lo;
        }
        if (x->hi) {
            Interval hi = interval_of(s, x->hi, depth - 1);
            r.has_hi = hi.has_hi && rat_add(hi.hi, (Rat){-1, 1}, &r.hi);
        }
        return r;
    }
    Interval a = interval_of(s, x->a, depth - 1), b = interval_of(s, x->b, depth - 1);
    switch (x->kind) {
    case ATOM_DIV: return floor_interval(interval_mul(a, interval_inverse(b)));
    case ATOM_MOD: return interval_mod(a, b);
    case ATOM_MIN: return interval_min(a, b);
    case ATOM_MAX: {
        Rat minus = {-1, 1};
        return interval_scale(interval_min(interval_scale(a, minus), interval_scale(b, minus)), minus);
    }
    case ATOM_VAR: break;
    }
    return (Interval){0};
}

static Interval term_interval(Nats *s, const NatTerm *t, int depth)
{
    Interval r = point((Rat){1, 1});
    for (int i = 0; i < t->factor_count; i++) {
        Interval x = atom_interval(s, t->factors[i].atom, depth);
        int exp = t->factors[i].exp;
        if (exp < 0) x = interval_inverse(x);
        for (int e = 0; e < abs(exp) && (r.has_lo || r.has_hi) && e < 64; e++) r = interval_mul(r, x);
        if (abs(exp) > 64) return (Interval){0};
    }
    return interval_scale(r, term_coef(t));
}

/* Term by term; terms that share variables make it wider than the truth. */
static Interval plain_interval(Nats *s, const Nat *a, int depth)
{
    Interval r = point((Rat){0, 1});
    for (int i = 0; i < a->term_count && (r.has_lo || r.has_hi); i++) {
        Interval b = term_interval(s, &a->terms[i], depth);
        Interval q = {0};
        q.has_lo = r.has_lo && b.has_lo && rat_add(r.lo, b.lo, &q.lo);
        q.has_hi = r.has_hi && b.has_hi && rat_add(r.hi, b.hi, &q.hi);
        r = q;
    }
    return r;
}

static bool has_factor(const Nat *a, const NatAtom *v)
{
    for (int i = 0; i < a->term_count; i++)
        if (mono_exp(mono_of(&a->terms[i]), v)) return true;
    return false;
}

/* A polynomial <= a, with one atom replaced by its extreme; NULL when none can be. */
static const Nat *step_down(Nats *s, const Nat *a)
{
    for (const NatAtom *v = latest_atom(a, NULL); v; v = latest_atom(a, v)) {
        if (v->kind != ATOM_VAR && v->kind != ATOM_MOD) continue;
        const Nat *c = part_of(s, a, v, 1), *r = nat_plus(s, a, nat_times(s, c, atom_node(v)->self), -1);
        if (!r || has_factor(r, v)) continue;
        Bounds b = {.n = 0};
        if (nat_prove(s, c, false)) lower_bounds(s, v, &b);
        else if (nat_prove(s, nat_scale(s, c, (Rat){-1, 1}, s->unit, 1), false)) upper_bounds(s, v, &b);
        if (b.n && b.den[0] == s->one) return nat_plus(s, nat_times(s, c, b.num[0]), r, 1);
    }
    return NULL;
}

/* The best constant lower bound found while stepping down. */
static Interval lower_interval(Nats *s, const Nat *a, int depth)
{
    Interval r = plain_interval(s, a, depth);
    for (int i = 0; i < 12 && a && a->term_count > 1 && a->term_count < 32; i++) {
        a = step_down(s, a);
        if (!a) break;
        Interval x = plain_interval(s, a, depth);
        if (x.has_lo) {
            Rat lo = x.lo;
            if (!r.has_lo || rat_compare(lo, r.lo) > 0) r.lo = lo;
            r.has_lo = true;
        }
    }
    return r;
}

static Interval interval_of(Nats *s, const Nat *a, int depth)
{
    if (a->is_const) return point((Rat){a->value, 1});
    if (depth <= 0) return (Interval){0};
    return plain_interval(s, a, depth);
}

bool nat_lower(Nats *s, const Nat *a, int64_t *out)
{
    int64_t most;
    if (!a) return false;
    if (exact_range(a, out, &most)) return true;
    Interval r = a->is_const ? point((Rat){a->value, 1}) : lower_interval(s, a, 12);
    if (r.has_lo) *out = -floor_div(-r.lo.num, r.lo.den);
    return r.has_lo;
}

bool nat_upper(Nats *s, const Nat *a, int64_t *out)
{
    int64_t lower;
    if (a && exact_range(a, &lower, out)) return true;
    if (!a || !nat_lower(s, nat_scale(s, a, (Rat){-1, 1}, s->unit, 1), &lower) || lower == INT64_MIN) return false;
    *out = -lower;
    return true;
}

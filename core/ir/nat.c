/* nat: sizes as polynomials in normal form, in reading order: rational numbers, products of powers of atoms; the store and the ring;
 * variables, substitution, evaluation and order; bounds and proofs; quotients and remainders. Together, for sums are brought to normal
 * form by dividing and comparing sums. */
#include "nat_private.h"

#include <stdlib.h>
#include <string.h>

/* WEIGHT: shared parts count each time, for whoever walks a size walks a tree. */
enum { MAX_EXP = 1 << 20, MAX_WEIGHT = 4096 };

/* ---- rational numbers ---- */

static bool rat_make(__int128 num, __int128 den, Rat *out)
{
    if (num == (int64_t)num && den == (int64_t)den && num > INT64_MIN) {
        int64_t g = den == 1 ? 1 : gcd64((int64_t)num, (int64_t)den);
        *out = (Rat){(int64_t)num / g, (int64_t)den / g};
        return true;
    }
    if (den != 1) {
        __int128 a = num, b = den;
        if (a < 0) a = -a;
        while (b) {
            __int128 t = a % b;
            a = b;
            b = t;
        }
        __int128 g = a;
        num /= g;
        den /= g;
    }
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX) return false;
    *out = (Rat){(int64_t)num, (int64_t)den};
    return true;
}

static bool rat_mul(Rat a, Rat b, Rat *out)
{
    int64_t v;
    if (a.den == 1 && b.den == 1 && mul_ok(a.num, b.num, &v) && v >= -INT64_MAX) return *out = (Rat){v, 1}, true;
    return rat_make((__int128)a.num * b.num, (__int128)a.den * b.den, out);
}

static bool rat_add(Rat a, Rat b, Rat *out)
{
    __int128 x, y;
    int64_t v;
    if (a.den == 1 && b.den == 1 && add_ok(a.num, b.num, &v) && v >= -INT64_MAX) return *out = (Rat){v, 1}, true;
    if (a.den == b.den) return rat_make((__int128)a.num + b.num, a.den, out);
    if (__builtin_mul_overflow((__int128)a.num, (__int128)b.den, &x)) return false;
    if (__builtin_mul_overflow((__int128)b.num, (__int128)a.den, &y)) return false;
    if (__builtin_add_overflow(x, y, &x)) return false;
    return rat_make(x, (__int128)a.den * b.den, out);
}

/* False also for b = 0. */
static bool rat_div(Rat a, Rat b, Rat *out)
{
    if (!b.num) return false;
    int sign = b.num < 0 ? -1 : 1;
    return rat_mul(a, (Rat){sign * b.den, sign * b.num}, out);
}

static int rat_compare(Rat a, Rat b)
{
    __int128 x = (__int128)a.num * b.den, y = (__int128)b.num * a.den;
    return (x > y) - (x < y);
}

/* ---- products of atoms ---- */

typedef struct MonoKey { const NatFactor *f; int n; } MonoKey;

static bool mono_equal(const void *key, const void *item)
{
    const MonoKey *k = key;
    const Mono *m = item;
    if (k->n != m->count) return false;
    return ALL(i, k->n, k->f[i].atom == m->f[i].atom && k->f[i].exp == m->f[i].exp);
}

const Mono *mono_new(Nats *s, const NatFactor *f, int n)
{
    uint64_t key = 0;
    for (int i = 0; i < n; i++) key = hash_mix(key, (uint64_t)f[i].atom->id << 32 | (uint32_t)f[i].exp);
    const Mono *old = ptr_table_find(&s->monos, key, mono_equal, &(MonoKey){f, n});
    if (old) return old;
    Mono *m = arena_alloc(s->arena, sizeof *m + sizeof *f * (size_t)(n ? n : 1));
    m->key = key;
    m->count = n;
    for (int i = 0; i < n; i++) {
        const AtomNode *a = atom_node(f[i].atom);
        m->f[i] = f[i];
        m->degree += f[i].exp;
        m->mask |= a->mask;
        m->deep |= a->deep;
        m->has_mod |= a->atom.kind == ATOM_MOD;
        m->has_div |= a->atom.kind == ATOM_DIV;
    }
    ptr_table_add(&s->monos, key, m);
    return m;
}

const Mono *mono_mul(Nats *s, const Mono *a, const Mono *b, int sign)
{
    if (!b->count) return a;
    if (!a->count && sign > 0) return b;
    NatFactor local[32], *out = local;
    int most = a->count + b->count, n = 0;
    bool ok = true;
    if (most > COUNT(local)) out = mem_alloc((size_t)most * sizeof *out);
    for (int i = 0, j = 0; ok && (i < a->count || j < b->count);) {
        NatFactor f;
        if (j == b->count || (i < a->count && a->f[i].atom->id < b->f[j].atom->id)) f = a->f[i++];
        else if (i == a->count || b->f[j].atom->id < a->f[i].atom->id) f = b->f[j++], f.exp *= sign;
        else f = a->f[i++], f.exp += sign * b->f[j++].exp;
        ok = f.exp <= MAX_EXP && f.exp >= -MAX_EXP;
        if (f.exp) out[n++] = f;
    }
    const Mono *m = ok ? mono_new(s, out, n) : NULL;
    if (out != local) free(out);
    return m;
}

int mono_exp(const Mono *m, const NatAtom *a)
{
    for (int i = 0; i < m->count; i++)
        if (m->f[i].atom == a) return m->f[i].exp;
    return 0;
}

/* No negative exponent? */
static bool mono_is_whole(const Mono *m) { return ALL(i, m->count, m->f[i].exp >= 0); }

/* By atoms. */
static int mono_lex(const Mono *a, const Mono *b)
{
    for (int i = 0;; i++) {
        if (i == a->count && i == b->count) return 0;
        if (i == a->count) return b->f[i].exp;
        if (i == b->count) return -a->f[i].exp;
        const NatFactor *x = &a->f[i], *y = &b->f[i];
        if (x->atom != y->atom) return x->atom->id < y->atom->id ? -x->exp : y->exp;
        if (x->exp != y->exp) return y->exp - x->exp;
    }
}

/* Of the terms of a polynomial: high degree first, the constant last. */
static int mono_order(const Mono *a, const Mono *b)
{
    if (a == b) return 0;
    if (!a->count || !b->count) return a->count ? -1 : 1;
    if (a->degree != b->degree) return b->degree - a->degree;
    return mono_lex(a, b);
}

/* ---- building polynomials ---- */

void terms_grow(Terms *t)
{
    size_t old = (size_t)t->cap * sizeof *t->v;
    t->cap *= 2;
    if (t->v == t->local) t->v = memcpy(mem_alloc(2 * old), t->local, old);
    else t->v = mem_grow(t->v, 2 * old);
}

static int compare_terms(const void *a, const void *b) { return mono_order(mono_of(a), mono_of(b)); }

static void sort_terms(Terms *t)
{
    if (t->n > 24) {
        qsort(t->v, (size_t)t->n, sizeof *t->v, compare_terms);
        return;
    }
    for (int i = 1; i < t->n; i++) {
        NatTerm x = t->v[i];
        int j = i;
        for (; j > 0 && compare_terms(&t->v[j - 1], &x) > 0; j--) t->v[j] = t->v[j - 1];
        t->v[j] = x;
    }
}

static bool same_nat(const void *key, const void *item)
{
    const Terms *t = key;
    const Nat *n = item;
    return t->n == n->term_count && ALL(i, t->n, t->v[i].factors == n->terms[i].factors && t->v[i].num == n->terms[i].num
                                                 && t->v[i].den == n->terms[i].den);
}

/* What a term adds to the key of a sum. */
static uint64_t nat_term_key(const NatTerm *t) { return hash_mix(mono_of(t)->key, (uint64_t)t->num * 31 + (uint64_t)t->den); }

static const Nat *nat_intern(Nats *s, const Terms *t)
{
    uint64_t key = 0;
    for (int i = 0; i < t->n; i++) key += nat_term_key(&t->v[i]);
    const Nat *old = ptr_table_find(&s->nats, key, same_nat, t);
    s->conses.calls++;
    s->conses.hits += old != NULL;
    if (old) return old;
    NatNode *n = NEW(s->arena, NatNode);
    n->nat.id = (uint32_t)s->nats.used;
    n->nat.term_count = t->n;
    n->nat.terms = arena_copy(s->arena, t->v, (size_t)t->n * sizeof *t->v);
    n->nat.is_const = t->n == 0 || (t->n == 1 && !t->v[0].factor_count && t->v[0].den == 1);
    n->nat.value = n->nat.is_const && t->n ? t->v[0].num : 0;
    n->key = key;
    for (int i = 0; i < t->n; i++) {
        const Mono *m = mono_of(&t->v[i]);
        n->mask |= m->mask;
        n->deep |= m->deep;
        n->has_mod |= m->has_mod;
        n->has_div |= m->has_div;
        for (int k = 0; k < m->count; k++) n->weight += atom_node(m->f[k].atom)->weight;
    }
    ptr_table_add(&s->nats, key, n);
    return &n->nat;
}

/* Interns terms that are sorted and merged already. */
static const Nat *terms_sorted(Nats *s, Terms *t)
{
    const Nat *n = t->bad || t->n > NAT_TERMS_MAX ? NULL : nat_intern(s, t);
    if (t->v != t->local) free(t->v);
    return n;
}

const Nat *terms_done(Nats *s, Terms *t)
{
    sort_terms(t);
    int n = 0;
    for (int i = 0; i < t->n;) {
        Rat sum = term_coef(&t->v[i]);
        NatTerm first = t->v[i];
        for (i++; i < t->n && t->v[i].factors == first.factors; i++)
            if (!rat_add(sum, term_coef(&t->v[i]), &sum)) t->bad = true;
        if (!sum.num) continue;
        first.num = sum.num;
        first.den = sum.den;
        t->v[n++] = first;
    }
    t->n = n;
    return terms_sorted(s, t);
}

const Nat *nat_term(Nats *s, Rat coef, const Mono *m)
{
    Terms t;
    terms_init(&t);
    terms_push(&t, coef, m);
    return terms_sorted(s, &t);
}

const Nat *nat_of_term(Nats *s, const NatTerm *t) { return nat_term(s, term_coef(t), mono_of(t)); }

/* ---- the store ---- */

ConsCount nats_conses(const Nats *s) { return s->conses; }

Nats *nats_new(void)
{
    Nats *s = mem_alloc(sizeof *s);
    s->arena = arena_new();
    s->memo = mem_alloc(sizeof *s->memo << MEMO_BITS);
    s->epoch = 1;
    s->names = interns_new();
    s->next_serial = 1;
    s->unit = mono_new(s, NULL, 0);
    s->zero = nat_const(s, 0);
    s->one = nat_const(s, 1);
    return s;
}

void nats_free(Nats *s)
{
    if (!s) return;
    ptr_table_free(&s->atoms);
    ptr_table_free(&s->monos);
    ptr_table_free(&s->nats);
    free(s->joined.v);
    free(s->memo);
    interns_free(s->names);
    arena_free(s->arena);
    free(s);
}

NatsMark nats_mark(Nats *s)
{
    for (int v = SMALL_MIN; v < SMALL_MAX && !s->all_small; v++) nat_const(s, v);
    s->all_small = true;
    return (NatsMark){arena_mark(s->arena), s->atoms.used, s->monos.used, s->nats.used, s->next_serial, s->joined.n};
}

void nats_release(Nats *s, const NatsMark *m)
{
    while (s->joined.n > m->joined) s->joined.v[--s->joined.n]->joined = NULL;
    s->epoch++;
    ptr_table_cut(&s->atoms, m->atoms);
    ptr_table_cut(&s->monos, m->monos);
    ptr_table_cut(&s->nats, m->nats);
    s->next_serial = m->next_serial;
    arena_release(s->arena, m->arena);
}

const Nat *nat_const(Nats *s, int64_t v)
{
    if (v < -INT64_MAX) return NULL;
    if (v < SMALL_MIN || v >= SMALL_MAX) return nat_term(s, (Rat){v, 1}, s->unit);
    const Nat **slot = &s->small[v - SMALL_MIN];
    return *slot ? *slot : (*slot = nat_term(s, (Rat){v, 1}, s->unit));
}

/* ---- atoms ---- */

static uint64_t nat_id(const Nat *a) { return a ? a->id + 1u : 0; }

static bool atom_equal(const void *key, const void *item)
{
    const AtomNode *x = key, *y = item;
    return x->atom.kind == y->atom.kind && x->atom.a == y->atom.a && x->atom.b == y->atom.b &&
           x->atom.name == y->atom.name && x->atom.var == y->atom.var && x->atom.lo == y->atom.lo &&
           x->atom.hi == y->atom.hi && x->serial == y->serial;
}

static uint64_t deep_of(const Nat *a) { return a ? node_of(a)->deep : 0; }
static uint64_t mask_of(const Nat *a) { return a ? node_of(a)->mask : 0; }
static int64_t weight_of(const Nat *a) { return a ? node_of(a)->weight : 0; }

/* the one atom that is like it */
static const Nat *nat_of_atom_node(Nats *s, const AtomNode *key)
{
    uint64_t h = hash_mix((uint64_t)key->atom.kind * 8 + (uint64_t)key->atom.var, key->serial);
    h = hash_mix(h, nat_id(key->atom.a) << 32 | nat_id(key->atom.b));
    h = hash_mix(h, nat_id(key->atom.lo) << 32 | nat_id(key->atom.hi));
    uint64_t hash = hash_mix(h, (uint64_t)(uintptr_t)key->atom.name);
    const AtomNode *old = ptr_table_find(&s->atoms, hash, atom_equal, key);
    if (old) return old->self;
    AtomNode *n = NEW(s->arena, AtomNode);
    *n = *key;
    n->atom.id = (uint32_t)s->atoms.used;
    const NatAtom *a = &n->atom;
    uint64_t bit = a->kind == ATOM_VAR ? (uint64_t)1 << (a->id & 63) : 0;
    n->mask = bit | mask_of(a->a) | mask_of(a->b);
    n->deep = bit | deep_of(a->a) | deep_of(a->b) | deep_of(a->lo) | deep_of(a->hi);
    n->weight = 1 + weight_of(a->a) + weight_of(a->b);
    ptr_table_add(&s->atoms, hash, n);
    NatFactor f = {&n->atom, 1};
    n->self = nat_term(s, (Rat){1, 1}, mono_new(s, &f, 1));
    return n->self;
}

static const Nat *nat_of_atom(Nats *s, AtomKind kind, const Nat *a, const Nat *b)
{
    AtomNode key = {.atom = {.kind = kind, .a = a, .b = b}};
    return a && b && weight_of(a) + weight_of(b) < MAX_WEIGHT ? nat_of_atom_node(s, &key) : NULL;
}

const Nat *nat_var(Nats *s, const char *name, VarKind kind, const Nat *lo, const Nat *hi)
{
    AtomNode key = {.atom = {.kind = ATOM_VAR, .name = intern(s->names, name), .var = kind, .lo = lo, .hi = hi}};
    if (kind == VAR_PARAM || (kind == VAR_SIZE && !lo)) key.atom.lo = s->one;
    if (kind != VAR_INDEX) key.atom.hi = NULL;
    return nat_of_atom_node(s, &key);
}

const Nat *nat_fresh_between(Nats *s, const char *name, const Nat *lo, const Nat *hi)
{
    if (!lo || !hi) return NULL;
    AtomNode key = {.atom = {.kind = ATOM_VAR, .name = intern(s->names, name), .var = VAR_INDEX, .lo = lo, .hi = hi}, .serial = s->next_serial++};
    return nat_of_atom_node(s, &key);
}

const Nat *nat_fresh_index(Nats *s, const char *name, const Nat *extent) { return nat_fresh_between(s, name, s->zero, extent); }

/* ---- ring operations ---- */

static void push_product(Terms *t, Rat a, Rat b, const Mono *m)
{
    if (!rat_mul(a, b, &a)) t->bad = true;
    terms_push(t, a, m);
}

/* Where the result of an operation stands, or goes. */
static Memo *memo_at(Nats *s, MemoOp op, const Nat *a, const Nat *b)
{
    uint64_t h = ((uint64_t)a->id << 32 | b->id) * 0x9e3779b97f4a7c15u + op * 0xbf58476d1ce4e5b9u;
    return &s->memo[h >> (64 - MEMO_BITS)];
}

static bool memo_has(const Nats *s, const Memo *e, MemoOp op, const Nat *a, const Nat *b)
{
    return e->a == a && e->b == b && e->op == op && e->epoch == s->epoch;
}

static const Nat *sum_of(Nats *s, const Nat *a, const Nat *b, int sign)
{
    Terms t;
    terms_init(&t);
    for (int i = 0, j = 0; i < a->term_count || j < b->term_count;) {
        const NatTerm *x = i < a->term_count ? &a->terms[i] : NULL, *y = j < b->term_count ? &b->terms[j] : NULL;
        int order = !x ? 1 : !y ? -1 : x->factors == y->factors ? 0 : compare_terms(x, y);
        Rat sum = order <= 0 ? term_coef(x) : (Rat){sign * y->num, y->den};
        if (!order && !rat_add(sum, (Rat){sign * y->num, y->den}, &sum)) t.bad = true;
        terms_push(&t, sum, mono_of(order <= 0 ? x : y));
        i += order <= 0;
        j += order >= 0;
    }
    return terms_sorted(s, &t);
}

const Nat *nat_plus(Nats *s, const Nat *a, const Nat *b, int sign)
{
    if (!a || !b) return NULL;
    if (!b->term_count) return a;
    if (!a->term_count && sign > 0) return b;
    int64_t sum;
    if (a->is_const && b->is_const && add_ok(a->value, sign * b->value, &sum)) return nat_const(s, sum);
    MemoOp op = sign > 0 ? MEMO_PLUS : MEMO_MINUS;
    Memo *e = memo_at(s, op, a, b);
    if (memo_has(s, e, op, a, b)) return e->result;
    const Nat *r = sum_of(s, a, b, sign);
    *e = (Memo){a, b, r, NULL, op, s->epoch};
    return r;
}

/* By a number other than 0: the terms stay where they are. */
const Nat *nat_scale(Nats *s, const Nat *a, Rat coef, const Mono *m, int sign)
{
    if (!a || !m) return NULL;
    Terms t;
    terms_init(&t);
    for (int i = 0; i < a->term_count; i++)
        push_product(&t, term_coef(&a->terms[i]), coef, mono_mul(s, mono_of(&a->terms[i]), m, sign));
    return m->count ? terms_done(s, &t) : terms_sorted(s, &t);
}

static const Nat *negative(Nats *s, const Nat *a) { return nat_scale(s, a, (Rat){-1, 1}, s->unit, 1); }

static const Nat *multiply(Nats *s, const Nat *a, const Nat *b)
{
    if (b->term_count == 1) return nat_scale(s, a, term_coef(b->terms), mono_of(b->terms), 1);
    if (a->is_const) return nat_scale(s, b, term_coef(a->terms), s->unit, 1);
    if ((int64_t)a->term_count * b->term_count > 16 * NAT_TERMS_MAX) return NULL;
    Terms t;
    terms_init(&t);
    for (int i = 0; i < a->term_count; i++)
        for (int j = 0; j < b->term_count; j++) {
            const NatTerm *x = &a->terms[i], *y = &b->terms[j];
            push_product(&t, term_coef(x), term_coef(y), mono_mul(s, mono_of(x), mono_of(y), 1));
        }
    return terms_done(s, &t);
}

/* a * b, not rejoined */
static const Nat *nat_times(Nats *s, const Nat *a, const Nat *b)
{
    if (!a || !b) return NULL;
    if (a == s->one) return b;
    if (b == s->one) return a;
    if (!a->term_count || !b->term_count) return s->zero;
    int64_t product;
    if (a->is_const && b->is_const && mul_ok(a->value, b->value, &product)) return nat_const(s, product);
    Memo *e = memo_at(s, MEMO_TIMES, a, b);
    if (memo_has(s, e, MEMO_TIMES, a, b)) return e->result;
    const Nat *r = multiply(s, a, b);
    *e = (Memo){a, b, r, NULL, MEMO_TIMES, s->epoch};
    return r;
}

const Nat *nat_add(Nats *s, const Nat *a, const Nat *b) { return nat_rejoin(s, nat_plus(s, a, b, 1)); }
const Nat *nat_sub(Nats *s, const Nat *a, const Nat *b) { return nat_rejoin(s, nat_plus(s, a, b, -1)); }
const Nat *nat_mul(Nats *s, const Nat *a, const Nat *b) { return nat_rejoin(s, nat_times(s, a, b)); }

const Nat *nat_pow(Nats *s, const Nat *a, int exponent)
{
    if (!a || exponent < 0) return NULL;
    if (a->term_count == 0 || a == s->one) return exponent ? a : s->one;
    const Nat *r = s->one;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) r = nat_mul(s, r, a);
        if (exponent > 1) a = nat_mul(s, a, a);
        if (!r || !a) return NULL;
    }
    return r;
}

static bool term_is_whole(const NatTerm *t) { return t->den == 1 && mono_is_whole(mono_of(t)); }

bool nat_is_whole(const Nat *a) { return ALL(i, a->term_count, term_is_whole(&a->terms[i])); }

/* a cannot be an integer: all but the constant term are whole and the constant is a fraction. */
static bool nat_is_fraction(const Nat *a)
{
    int last = a->term_count - 1;
    if (last < 0 || a->terms[last].factor_count || a->terms[last].den == 1) return false;
    return ALL(i, last, term_is_whole(&a->terms[i]));
}

/* ---- exact division ---- */

/* The lexicographically first (or last) term: leading (trailing) for the division of polynomials. */
static const NatTerm *extreme_term(const Nat *a, int sign)
{
    const NatTerm *best = &a->terms[0];
    for (int i = 1; i < a->term_count; i++)
        if (mono_lex(mono_of(&a->terms[i]), mono_of(best)) * sign < 0) best = &a->terms[i];
    return best;
}

static const Nat *term_ratio(Nats *s, const NatTerm *a, const NatTerm *b)
{
    Rat c;
    const Mono *m = mono_mul(s, mono_of(a), mono_of(b), -1);
    return m && rat_div(term_coef(a), term_coef(b), &c) ? nat_term(s, c, m) : NULL;
}

/* a / b for polynomials when it comes out even, else NULL. */
static const Nat *exact_poly(Nats *s, const Nat *a, const Nat *b)
{
    const NatTerm *lead = extreme_term(b, 1);
    const Nat *quotient = s->zero, *last = term_ratio(s, extreme_term(a, -1), extreme_term(b, -1));
    for (int steps = 0; last && a && a->term_count; steps++) {
        const Nat *q = term_ratio(s, extreme_term(a, 1), lead);
        if (!q || steps > 512 || mono_lex(mono_of(q->terms), mono_of(last->terms)) > 0) return NULL;
        quotient = nat_plus(s, quotient, q, 1);
        a = nat_plus(s, a, nat_times(s, q, b), -1);
    }
    return last && a ? quotient : NULL;
}

const Nat *nat_exact(Nats *s, const Nat *a, const Nat *b)
{
    if (!a || !b || !b->term_count) return NULL;
    if (!a->term_count) return a;
    if (a->is_const && b->is_const) return a->value % b->value ? NULL : nat_const(s, a->value / b->value);
    const Nat *q;
    if (b->term_count == 1) {
        Rat c;
        if (!rat_div((Rat){1, 1}, term_coef(b->terms), &c)) return NULL;
        q = nat_scale(s, a, c, mono_of(b->terms), -1);
    } else {
        q = exact_poly(s, a, b);
    }
    return !q || nat_is_fraction(q) ? NULL : nat_rejoin(s, q);
}

/* ---- min and max ---- */

static const Nat *extreme(Nats *s, AtomKind kind, const Nat *a, const Nat *b)
{
    bool is_min = kind == ATOM_MIN;
    if (!a || !b) return NULL;
    if (a == b || nat_less_eq(s, a, b)) return is_min ? a : b;
    if (nat_less_eq(s, b, a)) return is_min ? b : a;
    if (nat_compare(a, b) > 0) return nat_of_atom(s, kind, b, a);
    return nat_of_atom(s, kind, a, b);
}

const Nat *nat_min(Nats *s, const Nat *a, const Nat *b) { return extreme(s, ATOM_MIN, a, b); }
const Nat *nat_max(Nats *s, const Nat *a, const Nat *b) { return extreme(s, ATOM_MAX, a, b); }

/* ---- variables ---- */

const Nat *nat_self(const NatAtom *x) { return atom_node(x)->self; }

const NatAtom *nat_atom(const Nat *a)
{
    if (a->term_count != 1 || a->terms->factor_count != 1) return NULL;
    if (a->terms->num != 1 || a->terms->den != 1 || a->terms->factors->exp != 1) return NULL;
    return a->terms->factors->atom;
}

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

bool nat_bends(const Nat *a, const NatAtom *var)
{
    for (int i = 0; nat_mentions(a, var) && i < a->term_count; i++)
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            if (nat_mentions(x->a, var) || nat_mentions(x->b, var)) return true;
        }
    return false;
}

/* Behind those up to `from`, by id, each once. */
static void collect_vars(const Nat *a, int from, NatAtomVec *out)
{
    for (int i = 0; a && i < a->term_count; i++) {
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            int at = x->kind == ATOM_VAR ? from : out->n;
            while (at < out->n && out->v[at]->id < x->id) at++;
            if (x->kind == ATOM_VAR && (at == out->n || out->v[at] != x)) {
                vec_push(out, x);
                for (int k = out->n - 1; k > at; k--) out->v[k] = out->v[k - 1];
                out->v[at] = x;
            }
            collect_vars(x->a, from, out);
            collect_vars(x->b, from, out);
        }
    }
}

void nat_vars(const Nat *a, NatAtomVec *out) { collect_vars(a, out->n, out); }

void nat_vars_of(const Nat *n, VarKind kind, NatAtomVec *out)
{
    LOCAL(drop) NatAtomVec all = {0};
    if (!n->is_const) nat_vars(n, &all);
    for (int i = 0; i < all.n; i++)
        if (all.v[i]->var == kind && !ANY(k, out->n, out->v[k] == all.v[i])) vec_push(out, all.v[i]);
}

NatAtomVec nat_vars_in(const Nat *n)
{
    NatAtomVec vars = {0};
    if (n) nat_vars(n, &vars);
    return vars;
}

NatAtomVec nat_kind_in(const Nat *n, VarKind kind)
{
    NatAtomVec vars = {0};
    if (n) nat_vars_of(n, kind, &vars);
    return vars;
}

const NatAtom *nat_var_of(const Nat *a, VarKind kind, const char *name)
{
    const NatAtom *found = NULL;
    for (int i = 0; a && i < a->term_count; i++)
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatAtom *x = a->terms[i].factors[j].atom;
            const NatAtom *in[] = {x->kind == ATOM_VAR && x->var == kind && (!name || !strcmp(x->name, name)) ? x : NULL,
                                   nat_var_of(x->a, kind, name), nat_var_of(x->b, kind, name)};
            for (int k = 0; k < COUNT(in); k++)
                if (in[k] && (!found || in[k]->id > found->id)) found = in[k];
        }
    return found;
}

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
static const Nat *subst_atom(Subst *u, const NatAtom *x)
{
    if (!(atom_node(x)->deep & u->mask)) return atom_node(x)->self;
    for (int i = 0; i < u->count; i++)
        if (u->map[i].var == x) return u->map[i].value;
    for (int i = 0; i < u->done.n; i++)
        if (u->done.v[i].var == x) return u->done.v[i].value;
    bool variable = x->kind == ATOM_VAR;                       /* in its bounds */
    const Nat *from = variable ? x->lo : x->a, *to = variable ? x->hi : x->b, *r = NULL;
    const Nat *a = from ? subst_nat(u, from) : NULL, *b = to ? subst_nat(u, to) : NULL;
    switch (x->kind) {
    case ATOM_DIV: r = nat_div(u->s, a, b, u->facts); break;
    case ATOM_MOD: r = nat_mod(u->s, a, b, u->facts); break;
    case ATOM_MIN: r = nat_min(u->s, a, b); break;
    case ATOM_MAX: r = nat_max(u->s, a, b); break;
    case ATOM_VAR: {
        AtomNode key = {.atom = *x, .serial = atom_node(x)->serial};
        key.atom.id = 0;
        key.atom.lo = a;
        key.atom.hi = b;
        if (!from == !a && !to == !b) r = nat_of_atom_node(u->s, &key);
    }
    }
    vec_push(&u->done, ((NatBinding){x, r}));
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

static void find_extremes(const Nat *n, NatAtomVec *out)
{
    for (int i = 0; n && i < n->term_count; i++)
        for (int k = 0; k < n->terms[i].factor_count; k++) {
            const NatAtom *a = n->terms[i].factors[k].atom;
            if (a->kind == ATOM_VAR) continue;
            if (a->kind == ATOM_MIN || a->kind == ATOM_MAX) vec_push(out, a);
            find_extremes(a->a, out);
            find_extremes(a->b, out);
        }
}

const Nat *nat_given(Nats *s, const Nat *n, const Nat *known)
{
    NatAtomVec found = {0};
    find_extremes(n, &found);
    const Nat *r = n;
    for (int i = 0; i < found.n; i++) {
        const NatAtom *x = found.v[i];
        const Nat *more = nat_sub(s, nat_sub(s, x->b, x->a), known), *less = nat_sub(s, nat_sub(s, x->a, x->b), known);
        bool up = more && nat_is_nonneg(s, more), down = less && nat_is_nonneg(s, less);       /* a <= b, b <= a */
        NatBinding to = {x, up == (x->kind == ATOM_MIN) ? x->a : x->b};
        const Nat *made = up || down ? nat_subst(s, r, &to, 1, NULL) : NULL;
        if (made) r = made;
    }
    free(found.v);
    return r;
}

/* ---- evaluation ---- */

static bool eval_atom(const NatAtom *x, NatValue *value, void *data, int64_t *out)
{
    int64_t a, b;
    if (x->kind == ATOM_VAR) return value(data, x, out);
    if (!nat_eval(x->a, value, data, &a) || !nat_eval(x->b, value, data, &b)) return false;
    AtomKind kind = x->kind;
    if (kind == ATOM_MIN) return *out = a < b ? a : b, true;
    if (kind == ATOM_MAX) return *out = a > b ? a : b, true;
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    *out = kind == ATOM_DIV ? floor_div(a, b) : floor_mod(a, b);
    return true;
}

bool nat_eval(const Nat *a, NatValue *value, void *data, int64_t *out)
{
    Rat sum = {0, 1};
    if (!a) return false;
    for (int i = 0; i < a->term_count; i++) {
        Rat r = term_coef(&a->terms[i]);
        for (int j = 0; j < a->terms[i].factor_count; j++) {
            const NatFactor *f = &a->terms[i].factors[j];
            int64_t x;
            if (!eval_atom(f->atom, value, data, &x) || x < -INT64_MAX) return false;
            for (int e = 0; e < abs(f->exp); e++) {
                if (f->exp > 0 ? !rat_mul(r, (Rat){x, 1}, &r) : !rat_div(r, (Rat){x, 1}, &r)) return false;
                if ((x == 1 || r.num == 0) && f->exp > 0) break;
            }
        }
        if (!rat_add(sum, r, &sum)) return false;
    }
    if (sum.den != 1) return false;
    *out = sum.num;
    return true;
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

/* ---- order of the content ---- */

uint64_t nat_rest_key(const Nat *a, int64_t number)
{
    return node_of(a)->key - (number ? nat_term_key(&a->terms[a->term_count - 1]) : 0);
}

/* By their atoms: kind, name, what is in them, and which fresh one it is; then by exponent. */
int nat_factor_compare(const void *x, const void *y)
{
    const NatFactor *f = x, *g = y;
    const NatAtom *a = f->atom, *b = g->atom;
    if (a == b) return g->exp - f->exp;
    if (a->kind != b->kind) return (int)a->kind - (int)b->kind;
    int order = a->name ? strcmp(a->name, b->name) : 0;
    if (!order) order = (int)a->var - (int)b->var;
    const Nat *const in_a[] = {a->a, a->b, a->lo, a->hi}, *const in_b[] = {b->a, b->b, b->lo, b->hi};
    for (int i = 0; !order && i < COUNT(in_a); i++)
        order = in_a[i] && in_b[i] ? nat_compare(in_a[i], in_b[i]) : (in_a[i] != NULL) - (in_b[i] != NULL);
    uint64_t serial = atom_node(a)->serial, other = atom_node(b)->serial;
    return order ? order : serial != other ? (serial > other) - (serial < other) : g->exp - f->exp;
}

void *nat_sorted(const void *items, int n, size_t size, int (*compare)(const void *, const void *))
{
    void *v = mem_alloc((size_t)(n + 1) * size);
    if (n) memcpy(v, items, (size_t)n * size);
    qsort(v, (size_t)n, size, compare);
    return v;
}

int nat_term_compare(const void *x, const void *y)
{
    const NatTerm *a = x, *b = y;
    if (!a->factor_count != !b->factor_count) return a->factor_count ? -1 : 1;
    int order = mono_of(b)->degree - mono_of(a)->degree;
    if (!order && a->factor_count == 1 && b->factor_count == 1) {
        order = nat_factor_compare(a->factors, b->factors);
    } else if (!order && a->factors != b->factors) {
        LOCAL(drop) NatFactor *f = nat_sorted(a->factors, a->factor_count, sizeof *f, nat_factor_compare);
        LOCAL(drop) NatFactor *g = nat_sorted(b->factors, b->factor_count, sizeof *g, nat_factor_compare);
        for (int i = 0; !order && i < a->factor_count && i < b->factor_count; i++) order = nat_factor_compare(&f[i], &g[i]);
        if (!order) order = a->factor_count - b->factor_count;
    }
    return order ? order : rat_compare(term_coef(a), term_coef(b));
}

int nat_compare(const Nat *a, const Nat *b)
{
    if (a == b) return 0;
    if (a->is_const != b->is_const) return a->is_const ? -1 : 1;
    if (a->is_const) return (a->value > b->value) - (a->value < b->value);
    if (a->term_count != b->term_count) return a->term_count - b->term_count;
    LOCAL(drop) NatTerm *x = nat_sorted(a->terms, a->term_count, sizeof *x, nat_term_compare);
    LOCAL(drop) NatTerm *y = nat_sorted(b->terms, b->term_count, sizeof *y, nat_term_compare);
    int order = 0;
    for (int i = 0; !order && i < a->term_count; i++) order = nat_term_compare(&x[i], &y[i]);
    return order;
}

/* Interval analysis of Nats: constant bounds, and proofs that a polynomial is positive.
 *
 * A proof replaces one atom after another by an extreme value, latest atom first, until all terms are positive by
 * themselves. That is sound in any order: with everything else held fixed at its true value, a polynomial linear in v
 * is smallest at an end of v's interval. All reasoning is over the rationals; only nat_less and its like use that the
 * difference of two Nats is an integer. */

enum { PROOF_STEPS = 64, MAX_BOUNDS = 3 };

/* ---- signs of atoms ---- */

static bool nat_prove(Nats *s, const Nat *a, bool strict);

static bool atom_prove(Nats *s, const NatAtom *a, bool strict)
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
            if (!even && !atom_prove(s, f->atom, false)) return false;
            positive = positive && !found && (f->exp < 0 || atom_prove(s, f->atom, true));
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
            if (f.exp % 2 && !atom_prove(s, f.atom, false)) return NULL;
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
    if (atom_prove(s, v, true)) add_bound(out, one, one);
    else if (atom_prove(s, v, false)) add_bound(out, s->zero, one);
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
    if (!hi || !prove(p, negative(p->s, c), false)) return NULL;
    return nat_times(p->s, c, nat_pow(p->s, hi, exp));
}

static bool prove_without(Proof *p, const Nat *a, const NatAtom *v, bool strict)
{
    /* v with higher powers: term by term. */
    if (degree_in(a, v) > 1) {
        if (v->kind != ATOM_VAR || !atom_prove(p->s, v, false) || degree_in(a, v) > 8) return false;
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
        if (prove(p, is_min ? negative(p->s, c) : c, false))
            return prove_at(p, c, r, v->a, one, strict) || prove_at(p, c, r, v->b, one, strict);
        return prove_at(p, c, r, v->a, one, strict) && prove_at(p, c, r, v->b, one, strict);
    }
    Bounds lower = {.n = 0}, upper = {.n = 0};
    lower_bounds(p->s, v, &lower);
    upper_bounds(p->s, v, &upper);
    if (prove(p, c, false)) return prove_at_any(p, c, r, &lower, strict);
    if (prove(p, negative(p->s, c), false)) return prove_at_any(p, c, r, &upper, strict);
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

enum { FAR = 1 << 12 };                  /* of a variable without an upper bound */

/* Of the variables of a: those that a term is a multiple of lie where it is smallest, others at their upper or lower ends. */
typedef struct Corner { const Nat *a; bool high; } Corner;

static bool corner_value(void *data, const NatAtom *v, int64_t *out)
{
    const Corner *c = data;
    int64_t lo, hi;
    bool high = c->high;
    for (int i = 0; i < c->a->term_count; i++) {
        const NatTerm *t = &c->a->terms[i];
        if (t->factor_count == 1 && t->factors->exp == 1 && t->factors->atom == v) high = t->num < 0;
    }
    if (!v->lo || !nat_eval(v->lo, corner_value, data, &lo)) return false;
    if (v->hi ? !nat_eval(v->hi, corner_value, data, &hi) || lo >= hi : !add_ok(lo, FAR, &hi)) return false;
    return *out = high ? hi - 1 : lo, true;
}

/* Is a < strict at a corner of its variables' ranges? Then no proof need be looked for, which takes long where there is none. */
static bool refuted(const Nat *a, bool strict)
{
    int64_t low, high;
    return (nat_eval(a, corner_value, &(Corner){a, false}, &low) && low < strict) ||
           (nat_eval(a, corner_value, &(Corner){a, true}, &high) && high < strict);
}

/* a > 0 (strict) or a >= 0 over the rationals: proved. */
static bool nat_prove(Nats *s, const Nat *a, bool strict)
{
    if (!a) return false;
    if (a->is_const) return a->value >= strict;
    int64_t lo, hi;
    if (exact_range(a, &lo, &hi)) return lo >= strict;
    const Nat *least = strict ? s->one : s->zero;
    Memo *e = memo_at(s, MEMO_PROVE, a, least);
    if (memo_has(s, e, MEMO_PROVE, a, least)) return e->result != NULL;
    bool proved = !refuted(a, strict) && prove(&(Proof){s, PROOF_STEPS}, a, strict);
    *e = (Memo){a, least, proved ? a : NULL, NULL, MEMO_PROVE, s->epoch};
    return proved;
}

/* Integers: a >= 0 when a + 1 > 0. */
bool nat_is_nonneg(Nats *s, const Nat *a) { return nat_prove(s, nat_plus(s, a, s->one, 1), true); }
bool nat_less(Nats *s, const Nat *a, const Nat *b) { return nat_prove(s, nat_plus(s, b, a, -1), true); }
bool nat_less_eq(Nats *s, const Nat *a, const Nat *b) { return a && b && (a == b || nat_is_nonneg(s, nat_plus(s, b, a, -1))); }

/* ---- constant bounds ---- */

/* den 0: no bound is known, */
typedef struct Interval { Rat lo, hi; } Interval;

static const Interval unknown = {{0, 0}, {0, 0}};

static Interval interval_of(Nats *s, const Nat *a, int depth);

/* as of what is too large. */
static Rat bound_sum(Rat a, Rat b) { return a.den && b.den && rat_add(a, b, &a) ? a : unknown.lo; }
static Rat bound_product(Rat a, Rat b) { return a.den && b.den && rat_mul(a, b, &a) ? a : unknown.lo; }
static Rat bound_floor(Rat r) { return r.den ? (Rat){floor_div(r.num, r.den), 1} : r; }
static Rat lesser(Rat a, Rat b) { return rat_compare(a, b) <= 0 ? a : b; }
static bool interval_nonneg(const Interval *x) { return x->lo.den && x->lo.num >= 0; }

static Interval interval_scale(Interval a, Rat c)
{
    Rat lo = bound_product(a.lo, c), hi = bound_product(a.hi, c);
    return c.num < 0 ? (Interval){hi, lo} : (Interval){lo, hi};
}

static Interval interval_mul(Interval a, Interval b)
{
    if (interval_nonneg(&a) && interval_nonneg(&b)) return (Interval){bound_product(a.lo, b.lo), bound_product(a.hi, b.hi)};
    Rat x[4] = {bound_product(a.lo, b.lo), bound_product(a.lo, b.hi), bound_product(a.hi, b.lo), bound_product(a.hi, b.hi)};
    if (ANY(i, COUNT(x), !x[i].den)) return unknown;
    Interval r = {x[0], x[0]};
    for (int i = 1; i < COUNT(x); i++) {
        if (rat_compare(x[i], r.lo) < 0) r.lo = x[i];
        if (rat_compare(x[i], r.hi) > 0) r.hi = x[i];
    }
    return r;
}

/* 1/x for an integer x > 0. */
static Interval interval_inverse(Interval x)
{
    Rat one = {1, 1};
    Interval r = {{0, 1}, one};
    if (!interval_nonneg(&x)) return unknown;
    if (x.hi.den && x.hi.num > 0) rat_div(one, x.hi, &r.lo);
    if (x.lo.num > 0) rat_div(one, x.lo, &r.hi);
    return r;
}

static Interval interval_min(Interval a, Interval b)
{
    Rat hi = !a.hi.den ? b.hi : !b.hi.den ? a.hi : lesser(a.hi, b.hi);
    return (Interval){a.lo.den && b.lo.den ? lesser(a.lo, b.lo) : unknown.lo, hi};
}

static Interval atom_interval(Nats *s, const NatAtom *x, int depth)
{
    Rat minus = {-1, 1};
    const Nat *from = x->kind == ATOM_VAR ? x->lo : x->a, *to = x->kind == ATOM_VAR ? x->hi : x->b;
    Interval a = from ? interval_of(s, from, depth - 1) : unknown, b = to ? interval_of(s, to, depth - 1) : unknown, r;
    switch (x->kind) {
    case ATOM_VAR: return (Interval){a.lo, bound_sum(b.hi, minus)};
    case ATOM_DIV:
        r = interval_mul(a, interval_inverse(b));
        return (Interval){bound_floor(r.lo), bound_floor(r.hi)};
    case ATOM_MOD:
        r = (Interval){{0, 1}, bound_sum(b.hi, minus)};
        if (interval_nonneg(&a) && a.hi.den && (!r.hi.den || rat_compare(a.hi, r.hi) < 0)) r.hi = a.hi;
        return r;
    case ATOM_MIN: return interval_min(a, b);
    default: return interval_scale(interval_min(interval_scale(a, minus), interval_scale(b, minus)), minus);
    }
}

/* Term by term; terms that share variables make it wider than the truth. */
static Interval interval_of(Nats *s, const Nat *a, int depth)
{
    Interval sum = {{0, 1}, {0, 1}};
    if (depth <= 0 && !a->is_const) return unknown;
    for (int i = 0; i < a->term_count && (sum.lo.den || sum.hi.den); i++) {
        const NatTerm *t = &a->terms[i];
        Interval r = {{1, 1}, {1, 1}};
        for (int j = 0; j < t->factor_count; j++) {
            int exp = t->factors[j].exp;
            Interval x = atom_interval(s, t->factors[j].atom, depth);
            if (exp < 0) x = interval_inverse(x);
            if (abs(exp) > 64) r = unknown;
            else for (int e = 0; e < abs(exp) && (r.lo.den || r.hi.den); e++) r = interval_mul(r, x);
        }
        r = interval_scale(r, term_coef(t));
        sum = (Interval){bound_sum(sum.lo, r.lo), bound_sum(sum.hi, r.hi)};
    }
    return sum;
}

/* A polynomial <= a, with one atom replaced by its extreme; NULL when none can be. */
static const Nat *step_down(Nats *s, const Nat *a)
{
    for (const NatAtom *v = latest_atom(a, NULL); v; v = latest_atom(a, v)) {
        if (v->kind != ATOM_VAR && v->kind != ATOM_MOD) continue;
        const Nat *c = part_of(s, a, v, 1), *r = nat_plus(s, a, nat_times(s, c, atom_node(v)->self), -1);
        if (!r || ANY(i, r->term_count, mono_exp(mono_of(&r->terms[i]), v))) continue;
        Bounds b = {.n = 0};
        if (nat_prove(s, c, false)) lower_bounds(s, v, &b);
        else if (nat_prove(s, negative(s, c), false)) upper_bounds(s, v, &b);
        if (b.n && b.den[0] == s->one) return nat_plus(s, nat_times(s, c, b.num[0]), r, 1);
    }
    return NULL;
}

/* The best lower bound found while stepping down. */
bool nat_lower(Nats *s, const Nat *a, int64_t *out)
{
    enum { DEPTH = 12, STEPS = 12 };
    int64_t most;
    if (!a) return false;
    if (exact_range(a, out, &most)) return true;
    Rat best = interval_of(s, a, DEPTH).lo;
    for (int i = 0; i < STEPS && a->term_count > 1 && a->term_count < 32 && (a = step_down(s, a)); i++) {
        Rat lo = interval_of(s, a, DEPTH).lo;
        if (lo.den && (!best.den || rat_compare(lo, best) > 0)) best = lo;
    }
    if (best.den) *out = -floor_div(-best.num, best.den);
    return best.den != 0;
}

bool nat_upper(Nats *s, const Nat *a, int64_t *out)
{
    int64_t lower;
    if (a && exact_range(a, &lower, out)) return true;
    if (!a || !nat_lower(s, negative(s, a), &lower) || lower == INT64_MIN) return false;
    *out = -lower;
    return true;
}

/* Floor quotient and remainder of Nats, and the recombination of the two.
 *
 * Quotient and remainder are always found together, as a pair with p = d*q + r, 0 <= r < d; each step rewrites the
 * pair by an identity of floor division, so soundness is local. What cannot be simplified becomes a DIV and a MOD. */

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

/* Each coefficient, which is whole, by a number d > 0: rounded down, or towards 0. */
static Pair divide_terms(Nats *s, const Nat *a, int64_t d, bool down)
{
    Terms q, r;
    terms_init(&q);
    terms_init(&r);
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        int64_t times = down ? floor_div(t->num, d) : t->num / d;
        terms_push(&q, (Rat){times, 1}, mono_of(t));
        terms_push(&r, (Rat){t->num - times * d, 1}, mono_of(t));
    }
    return (Pair){terms_done(s, &q), terms_done(s, &r)};
}

bool nat_split(Nats *s, const Nat *a, int64_t d, const Nat **q, const Nat **r)
{
    if (ANY(i, a->term_count, a->terms[i].den != 1)) return false;
    Pair x = divide_terms(s, a, d, true);
    *q = x.q;
    *r = x.r;
    return x.q && x.r;
}

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
        if (!m || !rat_div(term_coef(t), term_coef(lead), &c)) continue;
        /* The integer multiple of a known integer nearest below |c*m|. */
        Rat u = unit_of(k, m, UNIT_DEPTH), times;
        if (!u.num || !rat_div(c, u, &times) || !(times.num / times.den) || !rat_mul((Rat){times.num / times.den, 1}, u, &c)) continue;
        if (shift(k->s, x, nat_term(k->s, c, m), d)) return true;
    }
    return false;
}

static Pair poly_divide(const Known *k, const Nat *p, const Nat *d, const NatTerm *lead)
{
    /* By a number, where no monomial but the whole ones is known to be an integer: all steps at once, term by term. */
    if (!k->n && d->is_const && d->value > 0 && p->term_count <= 16 && nat_is_whole(p)) return divide_terms(k->s, p, d->value, false);
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

/* Is the remainder, moved by at most one d, proved to be in [0, d)? */
static bool settle(Nats *s, Pair *x, const Nat *d)
{
    int64_t lo, hi;
    if (!x->r->term_count) return true;
    if (d->is_const && nat_lower(s, x->r, &lo) && nat_upper(s, x->r, &hi) && floor_div(lo, d->value) == floor_div(hi, d->value)
        && shift(s, x, nat_const(s, floor_div(lo, d->value)), d))
        return true;
    if (within(s, x->r, d)) return true;
    const Nat *up = nat_plus(s, x->r, d, 1), *down = nat_plus(s, x->r, d, -1);
    if (up && within(s, up, d)) return shift(s, x, nat_const(s, -1), d);
    return down && within(s, down, d) && shift(s, x, s->one, d);
}

/* ---- nested quotients and remainders ---- */

static bool nested(Known *k, const Nat *r, const Nat *d, Pair *out)
{
    Nats *s = k->s;
    Pair inner, outer;
    const NatAtom *x = nat_atom(r);
    if (!x || (x->kind != ATOM_DIV && x->kind != ATOM_MOD)) return false;
    if (x->kind == ATOM_MOD) {
        /* (a % (d*c)) / d = (a / d) % c and (a % (d*c)) % d = a % d. */
        const Nat *c = nat_exact(s, x->b, d);
        if (!c || !is_integer(k, c) || !divide_pair(k, x->a, d, &inner) || !divide_pair(k, inner.q, c, &outer)) return false;
        *out = (Pair){outer.r, inner.r};
        return true;
    }
    /* (a / b) / d = a / (b*d). */
    const Nat *bd = nat_times(s, x->b, d);
    if (!bd || !divide_pair(k, x->a, bd, &inner)) return false;
    const NatAtom *q = nat_atom(inner.q);
    bool plain = q && q->kind == ATOM_DIV && q->a == x->a && q->b == bd;
    out->q = inner.q;
    out->r = plain ? nat_of_atom(s, ATOM_MOD, r, d) : nat_rejoin(s, nat_plus(s, r, nat_times(s, d, inner.q), -1));
    return out->r != NULL;
}

/* t / atom. */
static const Nat *cofactor(Nats *s, const NatTerm *t, const NatAtom *x)
{
    NatFactor f = {x, 1};
    return nat_scale(s, nat_of_term(s, t), (Rat){1, 1}, mono_new(s, &f, 1), -1);
}

/* (k*(a % n) + rest) % d = (k*a + rest) % d for d | k*n; the quotients differ by (k*n/d) * (a / n). t = k*(a % n), m = a % n. */
static bool unwrap_with(Known *k, const Nat *r, const Nat *d, const NatTerm *t, const NatAtom *m, Pair *out)
{
    Pair inner, extra;
    Nats *s = k->s;
    if (m->kind != ATOM_MOD || mono_exp(mono_of(t), m) != 1) return false;
    const Nat *by = cofactor(s, t, m), *times = nat_exact(s, nat_times(s, by, m->b), d);
    if (!times || !is_integer(k, times) || !is_integer(k, by)) return false;
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
        if (!x || x == s->one || ANY(j, n, g[j] == x)) continue;
        int at = n++;
        for (; at > 0; at--) {
            int more = mono_of(x->terms)->degree - mono_of(g[at - 1]->terms)->degree;
            if (more < 0 || (more == 0 && rat_compare(term_coef(x->terms), term_coef(g[at - 1]->terms)) <= 0)) break;
            g[at] = g[at - 1];
        }
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
    if (!first.q) return false;
    Pair y = {NULL, NULL};
    if (settle(k->s, out, d)) return true;
    /* The constant term into [0, d): (x - 1)/4 is (x + 3)/4 - 1. */
    Nats *s = k->s;
    int last = out->r->term_count - 1;
    if (d->is_const && last >= 0 && !out->r->terms[last].factor_count && out->r->terms[last].den == 1) {
        int64_t q = floor_div(out->r->terms[last].num, d->value);
        if (q) shift(s, out, nat_const(s, q), d);
    }
    bool deeper = k->depth < MAX_DEPTH;
    if (deeper && (nested(k, out->r, d, &y) || unwrap(k, out->r, d, &y) || partial_split(k, out->r, d, &y))) {
        out->q = nat_plus(k->s, out->q, y.q, 1);
        out->r = y.r;
        return out->q != NULL;
    }
    const Nat *q = nat_of_atom(k->s, ATOM_DIV, out->r, d), *r = nat_of_atom(k->s, ATOM_MOD, out->r, d);
    out->q = nat_plus(k->s, out->q, q, 1);
    out->r = r;
    return out->q && r;
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
    Memo *e = memo_at(s, MEMO_DIVIDE, p, d);
    if (memo_has(s, e, MEMO_DIVIDE, p, d)) return (Pair){e->result, e->rest};
    Pair x = divide_now(s, p, d, NULL);
    *e = (Memo){p, d, x.q, x.r, MEMO_DIVIDE, s->epoch};
    return x;
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

bool nat_divides(Nats *s, const Nat *d, const Nat *n, const NatFacts *facts) { return divide(s, n, d, facts).r == s->zero; }

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

/* k*b*((q + e) % c) + k*m = k*((m.a + b*e) % (b*c)), q being m.a / b, for a digit (q + e) % c among the terms of a: whole parts of a
 * quotient are taken out of it, as of (8*n) / 3 = 2*n + 2*n/3. */
static const Nat *join_digit(Nats *s, const Nat *a, const Nat *term, const Nat *k, const NatAtom *m, const Nat *q)
{
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; mono_of(&a->terms[i])->has_mod && j < a->terms[i].factor_count; j++) {
            const NatAtom *digit = a->terms[i].factors[j].atom;
            if (digit->kind != ATOM_MOD || digit == m || !contains(digit->a, q)) continue;
            const Nat *part = nat_times(s, nat_times(s, k, m->b), atom_node(digit)->self);
            if (!part || !contains(a, part)) continue;
            const Nat *more = nat_times(s, m->b, nat_plus(s, digit->a, q, -1));
            const Nat *whole = nat_mod(s, nat_plus(s, m->a, more, 1), nat_times(s, m->b, digit->b), NULL);
            return replace(s, a, part, term, nat_times(s, k, whole));
        }
    }
    return NULL;
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
    if (f->atom->kind != ATOM_DIV) return NULL;
    /* a, which has the term t = k*b*q, q = x / b: k*b*q + k*(x % b) = k*x, and k*b*q - k*x = -k*(x % b). */
    const NatAtom *q = f->atom;
    const Nat *term = nat_of_term(s, t), *k = q->b->term_count == 1 ? nat_exact(s, cofactor(s, t, q), q->b) : NULL;
    const Nat *part = nat_times(s, k, nat_mod(s, q->a, q->b, NULL)), *whole = nat_times(s, k, q->a);
    const Nat *minus = negative(s, whole);
    if (!part || !part->term_count || !minus) return NULL;
    if (contains(a, part)) return replace(s, a, part, term, whole);
    return contains(a, minus) ? replace(s, a, minus, term, negative(s, part)) : NULL;
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

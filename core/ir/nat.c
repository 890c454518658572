/* nat: the store of sizes and the ring operations: polynomials over atoms in one normal form. */
#include "nat_private.h"

#include <stdlib.h>
#include <string.h>

/* WEIGHT: shared parts count each time, for whoever walks a size walks a tree. */
enum { MAX_TERMS = 4096, MAX_WEIGHT = 4096 };

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

static bool same_terms(const NatTerm *x, const NatTerm *y, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i].factors != y[i].factors || x[i].num != y[i].num || x[i].den != y[i].den) return false;
    return true;
}

static bool nat_equal(const void *key, const void *item)
{
    const Terms *t = key;
    const Nat *n = item;
    return t->n == n->term_count && same_terms(t->v, n->terms, t->n);
}

/* What a term adds to the key and to the hash of a sum. */
uint64_t nat_term_key(const NatTerm *t)
{
    return hash_mix(mono_of(t)->key, (uint64_t)t->num * 31 + (uint64_t)t->den);
}

static uint64_t term_hash(const NatTerm *t)
{
    return hash_mix(hash_mix(mono_of(t)->hash, (uint64_t)t->num), (uint64_t)t->den);
}

static const Nat *nat_known(Nats *s, uint64_t key, PtrEqual *equal, const void *data)
{
    const Nat *old = ptr_table_find(&s->nats, key, equal, data);
    s->conses.calls++;
    s->conses.hits += old != NULL;
    return old;
}

static NatNode *nat_new(Nats *s, uint64_t key, const NatTerm *terms, int count)
{
    NatNode *n = NEW(s->arena, NatNode);
    n->nat.id = s->next_nat++;
    n->nat.term_count = count;
    n->nat.terms = terms;
    n->key = key;
    ptr_table_add(&s->nats, key, n);
    return n;
}

static const Nat *nat_intern(Nats *s, const Terms *t)
{
    uint64_t key = 0;
    for (int i = 0; i < t->n; i++) key += nat_term_key(&t->v[i]);
    const Nat *old = nat_known(s, key, nat_equal, t);
    if (old) return old;
    NatTerm *terms = arena_raw(s->arena, (size_t)t->n * sizeof *terms);
    if (t->n) memcpy(terms, t->v, (size_t)t->n * sizeof *terms);
    NatNode *n = nat_new(s, key, terms, t->n);
    n->hash = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < t->n; i++) {
        const Mono *m = mono_of(&t->v[i]);
        n->hash += term_hash(&t->v[i]);
        n->mask |= m->mask;
        n->deep |= m->deep;
        n->has_mod |= m->has_mod;
        n->has_div |= m->has_div;
        for (int k = 0; k < m->count; k++) n->weight += atom_node(m->f[k].atom)->weight;
    }
    n->nat.is_const = t->n == 0 || (t->n == 1 && !t->v[0].factor_count && t->v[0].den == 1);
    n->nat.value = n->nat.is_const && t->n ? t->v[0].num : 0;
    return &n->nat;
}

/* Interns terms that are sorted and merged already. */
static const Nat *terms_sorted(Nats *s, Terms *t)
{
    const Nat *n = t->bad || t->n > MAX_TERMS ? NULL : nat_intern(s, t);
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
    ptr_table_free(&s->divs);
    ptr_table_free(&s->proofs);
    free(s->joined.v);
    free(s->memo);
    interns_free(s->names);
    arena_free(s->arena);
    free(s);
}

size_t nats_bytes(const Nats *s)
{
    return arena_bytes(s->arena) + ptr_table_bytes(&s->atoms) + ptr_table_bytes(&s->monos) + ptr_table_bytes(&s->nats) +
           ptr_table_bytes(&s->divs) + ptr_table_bytes(&s->proofs);
}

NatsMark nats_mark(Nats *s)
{
    for (int v = SMALL_MIN; v < SMALL_MAX && !s->all_small; v++) nat_const(s, v);
    s->all_small = true;
    return (NatsMark){arena_mark(s->arena), s->atoms.used, s->monos.used, s->nats.used, s->divs.used, s->proofs.used,
                      s->next_atom, s->next_nat, s->next_serial, s->joined.n};
}

void nats_release(Nats *s, const NatsMark *m)
{
    while (s->joined.n > m->joined) s->joined.v[--s->joined.n]->joined = NULL;
    s->epoch++;
    ptr_table_cut(&s->atoms, m->atoms);
    ptr_table_cut(&s->monos, m->monos);
    ptr_table_cut(&s->nats, m->nats);
    ptr_table_cut(&s->divs, m->divs);
    ptr_table_cut(&s->proofs, m->proofs);
    s->next_atom = m->next_atom;
    s->next_nat = m->next_nat;
    s->next_serial = m->next_serial;
    arena_release(s->arena, m->arena);
}

const Nat *nat_const(Nats *s, int64_t v)
{
    if (v < SMALL_MIN || v >= SMALL_MAX) {
        size_t at = (uint64_t)v * 0x9e3779b97f4a7c15u >> (64 - LARGE_BITS);
        const Nat *n = s->large[at].n;
        if (n && s->large[at].epoch == s->epoch && n->value == v) return n;
        if (v < -INT64_MAX) return NULL;
        s->large[at].epoch = s->epoch;
        return s->large[at].n = nat_term(s, (Rat){v, 1}, s->unit);
    }
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

static uint64_t content(const Nat *a) { return a ? node_of(a)->hash : 0; }
static uint64_t deep_of(const Nat *a) { return a ? node_of(a)->deep : 0; }
static uint64_t mask_of(const Nat *a) { return a ? node_of(a)->mask : 0; }
static int64_t weight_of(const Nat *a) { return a ? node_of(a)->weight : 0; }

const Nat *nat_of_atom_node(Nats *s, const AtomNode *key)
{
    uint64_t h = hash_mix((uint64_t)key->atom.kind * 8 + (uint64_t)key->atom.var, key->serial);
    h = hash_mix(h, nat_id(key->atom.a) << 32 | nat_id(key->atom.b));
    h = hash_mix(h, nat_id(key->atom.lo) << 32 | nat_id(key->atom.hi));
    uint64_t hash = hash_mix(h, (uint64_t)(uintptr_t)key->atom.name);
    const AtomNode *old = ptr_table_find(&s->atoms, hash, atom_equal, key);
    if (old) return old->self;
    AtomNode *n = NEW(s->arena, AtomNode);
    *n = *key;
    n->atom.id = s->next_atom++;
    const NatAtom *a = &n->atom;
    uint64_t g = hash_mix((uint64_t)a->kind * 8 + (uint64_t)a->var, content(a->a));
    g = hash_mix(hash_mix(hash_mix(g, content(a->b)), content(a->lo)), content(a->hi));
    n->hash = a->name ? hash_bytes(g, a->name, strlen(a->name)) : g;
    uint64_t bit = a->kind == ATOM_VAR ? (uint64_t)1 << (a->id & 63) : 0;
    n->mask = bit | mask_of(a->a) | mask_of(a->b);
    n->deep = bit | deep_of(a->a) | deep_of(a->b) | deep_of(a->lo) | deep_of(a->hi);
    n->weight = 1 + weight_of(a->a) + weight_of(a->b);
    ptr_table_add(&s->atoms, hash, n);
    NatFactor f = {&n->atom, 1};
    n->self = nat_term(s, (Rat){1, 1}, mono_new(s, &f, 1));
    return n->self;
}

const Nat *nat_of_atom(Nats *s, AtomKind kind, const Nat *a, const Nat *b)
{
    AtomNode key = {.atom = {.kind = kind, .a = a, .b = b}};
    return a && b && weight_of(a) + weight_of(b) < MAX_WEIGHT ? nat_of_atom_node(s, &key) : NULL;
}

const Nat *nat_var(Nats *s, const char *name, VarKind kind, const Nat *lo, const Nat *hi)
{
    AtomNode key = {.atom = {.kind = ATOM_VAR, .name = intern(s->names, name), .var = kind, .lo = lo, .hi = hi}};
    if (kind != VAR_INDEX) {
        key.atom.lo = s->one;
        key.atom.hi = NULL;
    }
    return nat_of_atom_node(s, &key);
}

const Nat *nat_fresh_index(Nats *s, const char *name, const Nat *extent)
{
    if (!extent) return NULL;
    AtomNode key = {.atom = {.kind = ATOM_VAR, .name = intern(s->names, name), .var = VAR_INDEX, .hi = extent}};
    key.atom.lo = s->zero;
    key.serial = s->next_serial++;
    return nat_of_atom_node(s, &key);
}

/* ---- ring operations ---- */

static void push_signed(Terms *t, const NatTerm *x, int sign)
{
    terms_push(t, (Rat){sign * x->num, x->den}, mono_of(x));
}

static void push_sum(Terms *t, const NatTerm *x, const NatTerm *y, int sign)
{
    Rat sum = {0, 1};
    if (!rat_add(term_coef(x), (Rat){sign * y->num, y->den}, &sum)) t->bad = true;
    terms_push(t, sum, mono_of(x));
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

static const Nat *merge_sums(Nats *s, const Nat *a, const Nat *b, int sign)
{
    Terms t;
    terms_init(&t);
    int i = 0, j = 0;
    while (i < a->term_count && j < b->term_count) {
        const NatTerm *x = &a->terms[i], *y = &b->terms[j];
        int order = x->factors == y->factors ? 0 : compare_terms(x, y);
        if (order < 0) push_signed(&t, x, 1), i++;
        else if (order > 0) push_signed(&t, y, sign), j++;
        else push_sum(&t, x, y, sign), i++, j++;
    }
    while (i < a->term_count) push_signed(&t, &a->terms[i++], 1);
    while (j < b->term_count) push_signed(&t, &b->terms[j++], sign);
    return terms_sorted(s, &t);
}

/* The terms of `from` but its number, and a number beside them. */
typedef struct Numbered {
    const Nat *from;
    int count;                           /* terms of `from` that are no number */
    NatTerm number;                      /* num 0: there is none */
} Numbered;

static bool numbered_equal(const void *key, const void *item)
{
    const Numbered *x = key;
    const Nat *n = item;
    bool ends = x->number.num != 0;
    return n->term_count == x->count + ends && same_terms(x->from->terms, n->terms, x->count) &&
           same_terms(&x->number, n->terms + x->count, ends);
}

static const Nat *numbered_new(Nats *s, uint64_t key, const Numbered *x)
{
    const NatNode *from = node_of(x->from);
    const NatTerm *last = &x->from->terms[x->from->term_count - 1];
    NatTerm *terms = arena_raw(s->arena, (size_t)(x->count + 1) * sizeof *terms);
    NatNode *n = nat_new(s, key, terms, x->count + (x->number.num != 0));
    memcpy(terms, x->from->terms, (size_t)x->count * sizeof *terms);
    terms[x->count] = x->number;
    n->hash = from->hash - (last->factor_count ? 0 : term_hash(last)) + (x->number.num ? term_hash(&x->number) : 0);
    n->mask = from->mask;
    n->deep = from->deep;
    n->weight = from->weight;
    n->has_mod = from->has_mod;
    n->has_div = from->has_div;
    return &n->nat;
}

/* a plus k, of which neither is constant 0 and a no number: all but the number is what it was. */
static const Nat *plus_number(Nats *s, const Nat *a, int64_t k)
{
    const NatTerm *last = &a->terms[a->term_count - 1];
    bool had = !last->factor_count;
    Rat sum = {k, 1};
    if (had && !rat_add(term_coef(last), sum, &sum)) return NULL;
    Numbered x = {a, a->term_count - had, {sum.num, sum.den, 0, s->unit->f}};
    if (x.count + (sum.num != 0) > MAX_TERMS) return NULL;
    uint64_t key = node_of(a)->key - (had ? nat_term_key(last) : 0) + (sum.num ? nat_term_key(&x.number) : 0);
    const Nat *old = nat_known(s, key, numbered_equal, &x);
    return old ? old : numbered_new(s, key, &x);
}

static const Nat *sum_of(Nats *s, const Nat *a, const Nat *b, int sign)
{
    if (b->is_const && b->value > -INT64_MAX) return plus_number(s, a, sign * b->value);
    return a->is_const && sign > 0 ? plus_number(s, b, a->value) : merge_sums(s, a, b, sign);
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
    *e = (Memo){a, b, r, op, s->epoch};
    return r;
}

/* By a number other than 0: the terms stay where they are. */
static const Nat *scale_terms(Nats *s, const Nat *a, Rat coef)
{
    Terms t;
    terms_init(&t);
    for (int i = 0; i < a->term_count; i++) {
        Rat c = {0, 1};
        if (!rat_mul(term_coef(&a->terms[i]), coef, &c)) t.bad = true;
        terms_push(&t, c, mono_of(&a->terms[i]));
    }
    return terms_sorted(s, &t);
}

const Nat *nat_scale(Nats *s, const Nat *a, Rat coef, const Mono *m, int sign)
{
    if (!a || !m) return NULL;
    if (!m->count && coef.num) return scale_terms(s, a, coef);
    Terms t;
    terms_init(&t);
    for (int i = 0; i < a->term_count; i++) {
        Rat c = {0, 1};
        if (!rat_mul(term_coef(&a->terms[i]), coef, &c)) t.bad = true;
        terms_push(&t, c, mono_mul(s, mono_of(&a->terms[i]), m, sign));
    }
    return terms_done(s, &t);
}

static const Nat *multiply(Nats *s, const Nat *a, const Nat *b)
{
    if (b->term_count == 1) return nat_scale(s, a, term_coef(b->terms), mono_of(b->terms), 1);
    if (a->is_const) return scale_terms(s, b, term_coef(a->terms));
    if ((int64_t)a->term_count * b->term_count > 16 * MAX_TERMS) return NULL;
    Terms t;
    terms_init(&t);
    for (int i = 0; i < a->term_count; i++) {
        for (int j = 0; j < b->term_count; j++) {
            Rat c = {0, 1};
            if (!rat_mul(term_coef(&a->terms[i]), term_coef(&b->terms[j]), &c)) t.bad = true;
            terms_push(&t, c, mono_mul(s, mono_of(&a->terms[i]), mono_of(&b->terms[j]), 1));
        }
    }
    return terms_done(s, &t);
}

const Nat *nat_times(Nats *s, const Nat *a, const Nat *b)
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
    *e = (Memo){a, b, r, MEMO_TIMES, s->epoch};
    return r;
}

const Nat *nat_add(Nats *s, const Nat *a, const Nat *b) { return nat_rejoin(s, nat_plus(s, a, b, 1)); }
bool nat_split(Nats *s, const Nat *a, int64_t d, const Nat **q, const Nat **r)
{
    Terms whole, rest;
    terms_init(&whole);
    terms_init(&rest);
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        if (t->den != 1) return false;
        if (floor_div(t->num, d)) terms_push(&whole, (Rat){floor_div(t->num, d), 1}, mono_of(t));
        if (floor_mod(t->num, d)) terms_push(&rest, (Rat){floor_mod(t->num, d), 1}, mono_of(t));
    }
    *q = terms_done(s, &whole);
    *r = terms_done(s, &rest);
    return *q && *r;
}

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

bool nat_is_whole(const Nat *a)
{
    for (int i = 0; i < a->term_count; i++)
        if (a->terms[i].den != 1 || !mono_is_whole(mono_of(&a->terms[i]))) return false;
    return true;
}

bool nat_is_fraction(const Nat *a)
{
    int last = a->term_count - 1;
    if (last < 0 || a->terms[last].factor_count || a->terms[last].den == 1) return false;
    for (int i = 0; i < last; i++)
        if (a->terms[i].den != 1 || !mono_is_whole(mono_of(&a->terms[i]))) return false;
    return true;
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

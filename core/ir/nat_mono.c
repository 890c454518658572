/* nat_mono: rational numbers, and monomials: products of powers of atoms. */
#include "nat_private.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EXP = 1 << 20 };

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

bool rat_mul(Rat a, Rat b, Rat *out)
{
    int64_t v;
    if (a.den == 1 && b.den == 1 && mul_ok(a.num, b.num, &v) && v >= -INT64_MAX) return *out = (Rat){v, 1}, true;
    return rat_make((__int128)a.num * b.num, (__int128)a.den * b.den, out);
}

bool rat_add(Rat a, Rat b, Rat *out)
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

bool rat_div(Rat a, Rat b, Rat *out)
{
    if (!b.num) return false;
    int sign = b.num < 0 ? -1 : 1;
    return rat_mul(a, (Rat){sign * b.den, sign * b.num}, out);
}

int rat_compare(Rat a, Rat b)
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

/* The merged factors of a * b^sign into out; -1 on overflow. */
static int merge_factors(const Mono *a, const Mono *b, int sign, NatFactor *out)
{
    int i = 0, j = 0, n = 0;
    while (i < a->count || j < b->count) {
        NatFactor f;
        if (j == b->count || (i < a->count && a->f[i].atom->id < b->f[j].atom->id)) f = a->f[i++];
        else if (i == a->count || b->f[j].atom->id < a->f[i].atom->id) f = b->f[j++], f.exp *= sign;
        else f = a->f[i++], f.exp += sign * b->f[j++].exp;
        if (f.exp > MAX_EXP || f.exp < -MAX_EXP) return -1;
        if (f.exp) out[n++] = f;
    }
    return n;
}

const Mono *mono_mul(Nats *s, const Mono *a, const Mono *b, int sign)
{
    if (!b->count) return a;
    if (!a->count && sign > 0) return b;
    NatFactor local[32], *f = local;
    int most = a->count + b->count;
    if (most > COUNT(local)) f = mem_alloc((size_t)most * sizeof *f);
    int n = merge_factors(a, b, sign, f);
    const Mono *m = n < 0 ? NULL : mono_new(s, f, n);
    if (f != local) free(f);
    return m;
}

int mono_exp(const Mono *m, const NatAtom *a)
{
    for (int i = 0; i < m->count; i++)
        if (m->f[i].atom == a) return m->f[i].exp;
    return 0;
}

bool mono_is_whole(const Mono *m) { return ALL(i, m->count, m->f[i].exp >= 0); }

int mono_lex(const Mono *a, const Mono *b)
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

int mono_order(const Mono *a, const Mono *b)
{
    if (a == b) return 0;
    if (!a->count || !b->count) return a->count ? -1 : 1;
    if (a->degree != b->degree) return b->degree - a->degree;
    return mono_lex(a, b);
}

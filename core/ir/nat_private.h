/* nat_private: what nat.c and nat_print.c share. Not for anybody else. */
#ifndef NAT_PRIVATE_H
#define NAT_PRIVATE_H

#include "nat.h"

/* A hash-consed product of atoms; NatTerm.factors points at f, so equal products have the same factors pointer. */
typedef struct Mono {
    uint64_t key;                    /* for the table: of atoms' ids */
    uint64_t mask, deep;             /* bloom sets of variables: in the product; also in the bounds of variables */
    int degree, count;
    bool has_mod, has_div;           /* a MOD or DIV atom as a factor */
    NatFactor f[];
} Mono;

typedef struct AtomNode {
    NatAtom atom;                    /* first */
    uint64_t mask, deep;
    int64_t weight;                  /* atoms, written out as a tree */
    uint64_t serial;                 /* fresh index variables: which; else 0 */
    const Nat *self;
} AtomNode;

typedef struct NatNode {
    Nat nat;                         /* first */
    uint64_t key, mask, deep;
    int64_t weight;                  /* of its atoms together */
    bool has_mod, has_div;
    const Nat *joined;               /* after nat_rejoin; NULL: not asked yet */
} NatNode;

typedef struct Rat { int64_t num, den; } Rat;

/* What an operation gave, for the same operands again. */
typedef enum MemoOp { MEMO_PLUS, MEMO_MINUS, MEMO_TIMES, MEMO_DIVIDE, MEMO_PROVE } MemoOp;
typedef struct Memo {
    const Nat *a, *b, *result, *rest;    /* DIVIDE: quotient and remainder; PROVE: a, where it is proved to be at least b */
    MemoOp op;
    uint32_t epoch;                  /* of the store; another one: empty */
} Memo;
enum { MEMO_BITS = 12, SMALL_MIN = -16, SMALL_MAX = 1024 };

struct Nats {
    Arena *arena;
    Interns *names;
    PtrTable atoms, monos, nats;
    ConsCount conses;
    uint64_t next_serial;
    const Mono *unit;
    const Nat *zero, *one;
    Memo *memo;                      /* 1 << MEMO_BITS of them */
    uint32_t epoch;                  /* a release starts the next one */
    const Nat *small[SMALL_MAX - SMALL_MIN];     /* constants, when they have been asked for; all of them before the first mark */
    bool all_small;
    VEC(NatNode *) joined;           /* those that know their joined form, in the order they learnt it */
};

/* Terms under construction: any order, repeats allowed, until terms_done sorts, merges and interns them. */
typedef struct Terms {
    NatTerm *v;
    int n, cap;
    bool bad;                        /* overflow */
    NatTerm local[16];
} Terms;

static inline const Mono *mono_of(const NatTerm *t)
{
    return (const Mono *)(const void *)((const char *)t->factors - offsetof(Mono, f));
}
static inline const NatNode *node_of(const Nat *a) { return (const NatNode *)(const void *)a; }
static inline const AtomNode *atom_node(const NatAtom *a) { return (const AtomNode *)(const void *)a; }
static inline Rat term_coef(const NatTerm *t) { return (Rat){t->num, t->den}; }

static inline void terms_init(Terms *t)
{
    t->v = t->local;
    t->n = 0;
    t->cap = COUNT(t->local);
    t->bad = false;
}
void terms_grow(Terms *t);
static inline void terms_push(Terms *t, Rat coef, const Mono *m)
{
    if (!m || t->bad) {
        t->bad = true;
        return;
    }
    if (!coef.num) return;
    if (t->n == t->cap) terms_grow(t);
    t->v[t->n++] = (NatTerm){coef.num, coef.den, m->count, m->f};
}
const Nat *terms_done(Nats *s, Terms *t);

const Mono *mono_mul(Nats *s, const Mono *a, const Mono *b, int sign);      /* a * b^sign; NULL: overflow */
const Mono *mono_new(Nats *s, const NatFactor *f, int n);                   /* sorted, exponents not 0 */
int mono_exp(const Mono *m, const NatAtom *a);

const Nat *nat_term(Nats *s, Rat coef, const Mono *m);
const Nat *nat_scale(Nats *s, const Nat *a, Rat coef, const Mono *m, int sign);    /* a * coef * m^sign, not rejoined */
const Nat *nat_plus(Nats *s, const Nat *a, const Nat *b, int sign);                /* a + sign * b, not rejoined */
/* b*(a/b) + a%b = a and its relatives, wherever they are hidden in a sum. */
const Nat *nat_rejoin_terms(Nats *s, const Nat *a);
static inline const Nat *nat_rejoin(Nats *s, const Nat *a)
{
    if (!a || a->term_count < 2 || !(node_of(a)->has_mod || node_of(a)->has_div)) return a;
    return node_of(a)->joined ? node_of(a)->joined : nat_rejoin_terms(s, a);
}
/* The order of terms in nat_compare and in print: by content, high degree first, the constant last. */
int nat_term_compare(const void *a, const void *b);
void *nat_sorted(const void *items, int n, size_t size, int (*compare)(const void *, const void *));      /* in a new array */
int nat_factor_compare(const void *x, const void *y);     /* of two NatFactors, for qsort */
/* Is t, a term of `of`, known to be an integer by itself (through the extents of index variables)? */
bool nat_term_is_integer(Nats *s, const Nat *of, const NatTerm *t);

#endif

/* barrier: what barrier.c, barrier_meet.c and barrier_step.c share. Not for anybody else. */
#ifndef BARRIER_H
#define BARRIER_H

#include "kernel.h"

typedef struct Loops { const NatAtom *var; const struct Loops *up; } Loops;

static inline bool is_loop_of(const Loops *l, const NatAtom *var)
{
    for (; l; l = l->up)
        if (l->var == var) return true;
    return false;
}

/* ---- addresses ---- */

typedef struct Linear Linear;
typedef struct Spot { const Form *form; int64_t at; int width; } Spot;    /* an address range: rest + at, so many scalars */

typedef struct DependenceTests {         /* dependence tests of one kernel, memoised */
    Build *b;
    Kernel *k;
    PtrTable pairs;
    struct Pair *last;                   /* pair asked for */
    const Linear *recent[16];            /* addresses of pairs */
} DependenceTests;
void dependence_tests_start(DependenceTests *m, Build *b, Kernel *k);        /* m is zero; all of it goes with the build */

/* ---- what differs between two accesses ---- */

typedef struct Scope {
    DependenceTests *m;
    const Loops *fixed;                  /* loops whose variables are the same for both accesses */
    unsigned moving;                     /* id kinds that differ, as bits */
    unsigned required;                   /* id kinds that must come out equal */
    bool step;                           /* within one step of a fold: only the loops `inside` differ */
    const Loops *inside;
    unsigned aside;                      /* ids that may differ and do not decide: bit 3 * kind + dim */
    const NatAtom *carried;              /* the second access is in the next round of that loop; NULL: in the same round of `fixed` */
} Scope;

typedef struct Term1 { const Nat *coef, *extent; const VarInfo *var; } Term1;
enum { MOVING_MAX = 24 };
struct Linear {                          /* affine: at = base + sum of coef * var over what may differ between two accesses */
    const Nat *at;                       /* of which address, where it is kept; in which scope */
    const Loops *fixed;
    unsigned moving;
    bool ok;                             /* false: not linear in what moves, or what moves is unknown */
    const Nat *base;
    int n;
    Term1 terms[MOVING_MAX];
};
void linearise(const Scope *s, const Nat *at, Linear *out);

/* ---- do two accesses meet: 0 = shift + sum of coef * d with lo <= d <= hi ----
 *
 * A dependence test: a linear Diophantine equation with bounds, solved as a number in mixed radix. A digit is what one
 * variable of either access contributes, or the difference of a variable that both have. `key` digits are differences that
 * decide: accesses that meet only where these are 0 come from the same owner (or iteration). */

typedef enum Dependence { DEPENDENCE_NEVER, DEPENDENCE_SAME, DEPENDENCE_APART } Dependence;    /* APART: some key differs, or nothing is known */

typedef struct Digit { const Nat *coef, *lo, *hi; bool key; } Digit;
enum { DIGIT_MAX = 3 * MOVING_MAX };
typedef struct Digits {
    Nats *n;
    const NatFacts *facts;
    const Nat *shift;
    bool loose;                          /* some key is free: any solution is a clash */
    int count;
    Digit d[DIGIT_MAX];
} Digits;
void digits_start(Digits *q, Nats *n, const NatFacts *facts);
/* The difference of a key variable; NULL: one access does not have it. Each digit runs to its own extent. */
void digits_key(Digits *q, Term1 *x, Term1 *y);
/* Keys are in q; the remaining variables move by themselves. */
void digits_rest(Digits *q, const Linear *x, const Linear *y);
Dependence digits_meet(const Digits *q, int64_t number, int x_width, int y_width);

/* May two work-items touch one cell with these? single: ids that both accesses' guards pin to 0, bit 3 * kind + dim. */
bool spots_meet(const Scope *s, const Spot *x, const Spot *y, unsigned single);

#endif

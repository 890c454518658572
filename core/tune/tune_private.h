/* tune_private: constraints made ready to be asked many times; what constraint.c and space.c share. Not for anybody else. */
#ifndef TUNE_PRIVATE_H
#define TUNE_PRIVATE_H

#include "tune.h"

/* A size over the parameters of a space, by their indices. */
typedef struct Poly Poly;
typedef struct PolyFactor {
    int var;                             /* -1: a compound */
    AtomKind kind;                       /* of the compound: DIV MOD MIN MAX of a and b */
    const Poly *a, *b;
    int exp;
} PolyFactor;
typedef struct PolyTerm {
    int64_t num, den;
    int factor_count;
    const PolyFactor *factors;
} PolyTerm;
struct Poly {
    int term_count;
    const PolyTerm *terms;
};

typedef struct Range { double lo, hi; } Range;       /* lo <= v <= hi */

typedef struct Test {                    /* a constraint */
    Constraint con;
    const Poly *a, *b;                   /* NULL: CALL */
    int var_count, last;                 /* last: the largest of vars, -1: none */
    const int *vars;                     /* ascending, each once; CALL asks con.vars */
} Test;

/* False: it is no whole number, or it overflows. */
bool poly_value(const Poly *p, const int64_t *values, int64_t *out);

/* False + E34 when the constraint reads what is no parameter of the space. */
bool test_make(Arena *arena, const TuneSpec *spec, const Constraint *con, Test *out, Diag *diag);
/* Values of its vars suffice. What cannot be computed (a division that does not come out even, overflow) does not hold. */
bool test_holds(const Test *t, const int64_t *values);
/* False: no values within these ranges meet it (proved; a CALL may always be met). */
bool test_possible(const Test *t, const Range *ranges);

/* Must a parameter, for any values of the others, divide t's b, which reads parameters before it only? */
bool test_divides_earlier(const Test *t, int var);

/* What each parameter may be at all, ascending: the user's values, else the divisors of a number where
 * the tests give one, else 1 .. limit. values[i] and counts[i] are set; in the arena. False + E08: a
 * number has too many divisors. */
bool tests_candidates(Arena *arena, const TuneSpec *spec, const Test *tests, const int64_t **values,
                      int *counts, Diag *diag);

#endif

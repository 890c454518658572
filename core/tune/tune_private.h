/* tune_private: constraints made ready to be asked many times; what constraint.c and space.c share. Not for anybody else. */
#ifndef TUNE_PRIVATE_H
#define TUNE_PRIVATE_H

#include "tune.h"

typedef struct Range { double lo, hi; } Range;       /* lo <= v <= hi */

typedef struct Read { const NatAtom *atom; int var; } Read;          /* the parameter that a variable is */
typedef struct Test {                    /* a constraint */
    Constraint con;
    const Read *reads;                   /* all variables of a and b */
    int var_count, last;                 /* last: the largest of vars, -1: none */
    const int *vars;                     /* ascending, each once; CALL asks con.vars */
} Test;

/* Of its a or b. False: it is no whole number, or it overflows. */
bool test_value(const Test *t, const Nat *n, const int64_t *values, int64_t *out);

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

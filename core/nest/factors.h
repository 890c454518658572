/* factors: what the elements of a sum depend on. */
#ifndef FACTORS_H
#define FACTORS_H

#include "ir.h"

enum { FACTORS_MAX = 8, GUARDS_MAX = 16, FACTOR_OWN = 63 };
typedef struct Factor {
    uint64_t set;                        /* the numbers it depends on, a bit each: those of every `generate` around it, from the outermost on, and FACTOR_OWN */
    uint64_t near;                       /* those in the last index of what it reads: neighbours of theirs are neighbours in memory */
} Factor;
typedef struct Guard {
    uint64_t set;
    bool split;                          /* the first of the two sides of an &&, of which the second is the next one */
} Guard;
typedef struct Factors {
    Factor each[FACTORS_MAX];            /* the arguments of the operation that makes an element */
    int count;
    Guard guards[GUARDS_MAX];            /* the numbers that each choice around them asks, the outermost first; of an && for each side where no factor has them all */
    int guard_count;
    uint64_t near;                       /* those in the last indices of all that an element reads */
} Factors;
/* What makes an element of the reduction at those slots of the root, whose number is FACTOR_OWN; names and choices `if c then .. else z` are looked through.
 * False: the place is no reduction of a `generate`, or too many choices are around its element. */
bool nest_factors(const Term *root, const uint8_t *slots, int length, Factors *out);

#endif

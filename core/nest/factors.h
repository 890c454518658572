/* factors: what the elements of a sum depend on. */
#ifndef FACTORS_H
#define FACTORS_H

#include "ir.h"

enum { FACTORS_MAX = 8, FACTOR_OWN = 63 };
typedef struct Factor {
    uint64_t set;                        /* the numbers it depends on, a bit each: those of every `generate` around it, from the outermost on, and FACTOR_OWN */
    uint64_t near;                       /* those in the last index of what it reads: neighbours of theirs are neighbours in memory */
} Factor;
/* The arguments of the operation that makes an element of the reduction at those slots of the root, whose number is FACTOR_OWN; names and a choice
 * `if c then .. else z` are looked through. *guard: the numbers that a choice asks; *near: those in the last indices of all that an element reads. Returns how many; 0: the place is no reduction of a `generate`. */
int nest_factors(const Term *root, const uint8_t *slots, int length, Factor out[FACTORS_MAX], uint64_t *guard, uint64_t *near);

#endif

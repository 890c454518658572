/* elements: a program in element form, where how it was spelt is gone (Halide's and TVM's tensor expressions).
 *
 * In element form an array is generate n1 (\i -> generate n2 (\j -> ... e)), e a scalar or a tuple of scalars made of the numbers i, j, ... ,
 * elements of arrays read at numbers, and reductions of generate n (\k -> e). map, zip, layouts and borders are gone: each is what it says
 * about which element is read. What would be computed more than once is an array of its own, named by a `let` outside of all others
 * (loop distribution): a reduction that does not depend on the innermost number around it, and what holds reductions and is read
 * several times or in windows. So has a scan of scalars with what maps make of its elements: a row, map g (scan f z (generate n e)), for all that it
 * depends on; where there are scans, what is dear and read again has one, too. Such an array has the numbers that it depends on as its own dimensions, no others, so that what is the
 * same for all of a loop stands outside of it. Choices are kept: what is in one arm is not made for the other. Of a sum whose elements a choice makes its start but where a number
 * has one rest of a division, these alone are counted. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "ir.h"

/* The closed term t in element form, equal to it but for the order of nothing. NULL + E52, with the name of what has no element form: scans and
 * loops over arrays, reductions by index, slices, vectors, lowered forms. */
const Term *elements_of(Ctx *c, const Term *t);

/* The same where every array of computed elements that is read again, in windows that overlap or by a name, is an array of its own, whatever it takes to make;
 * so are sums in sums that are the same wherever two numbers add up to the same, as those of rows in windows are. */
const Term *elements_kept(Ctx *c, const Term *t);

/* The same for an array of that many dimensions as a nest of fewer numbers, each for several dimensions, in another order, and layouts that put it back:
 * code 29134 (decimal digits) is generate [2] (\i -> generate [1][3][4] (\j -> ...)). steps: of each group (1 where there is none): it counts as many as
 * its step divides, the last element again and again, and what is too much is not taken. NULL + E22: the code is not for such an array. */
const Term *elements_grouped(Ctx *c, const Term *t, int64_t code, const int64_t *steps, int step_count);

/* The same for an array whose elements ask for parts of some of their numbers, j // k or j % k, with two numbers for each such, the part and the one in
 * it, and layouts that put it back: dimensions that together are a choice of phases, groups or channels are apart then. k: a literal of at most 16,
 * or what divides the length; what is beyond the length is z of a fold from z, or 0. Where they ask for none it is elements_of. Sums whose elements
 * ask so are sums of sums, and a product with a factor that a choice makes 0 is left out: the other factor is taken to be finite. */
const Term *elements_in_parts(Ctx *c, const Term *t);

/* The same with sums over the same numbers in one pass, as one of tuples: where they read the same elements; and a mean and the sum of squares about it
 * (Chan, Golub and LeVeque 1979: equal up to rounding). Where there are none it is elements_of. */
const Term *elements_together(Ctx *c, const Term *t);

/* A reduction by index from z, as reduceByIndex f (generate n (\i -> z)) (pairs), as what each element takes: for all other numbers of the pairs, the pair
 * whose numbers of the code make up the element's own. Numbers are counted from 1 on, as joins have them one behind the other; code 24 (decimal digits): the
 * second, in whose steps the index counts, and the fourth, at most 16 times which it is with others. f is taken to be associative and commutative, and to
 * restart from z. NULL + E52: the index is none such. */
const Term *elements_gathered(Ctx *c, const Term *t, int64_t k);

/* A scanSeq or reduceSeq whose step is linear in its state, a scalar, as a scan or reduction of its steps: of a * state + b, and of floats max (state + a) b and
 * min (state + a) b; where a is 1 (0) of sums, largest, least. Exact for integers; for finite floats up to rounding, while no product of a's overflows. NULL + E52:
 * it is none such. */
const Term *recurrence_of(Ctx *c, const Term *t);

#endif

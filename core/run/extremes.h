/* extremes: folds that choose one of their elements, and inputs that show what such a fold leaves out (extremes.c). */
#ifndef EXTREMES_H
#define EXTREMES_H

#include "eval.h"

/* Of the folds of a bound term whose step chooses (min, max, if), those that stand there with the fewest different elements: how many times
 * they do, a fold for each of 64 rows 64 times. 0: no fold chooses. */
double extremes_folds(const Term *t);
/* Does the step of a fold multiply? A part of such a product, made in another order, may overflow where a 0 elsewhere makes the whole 0. */
bool fold_multiplies(const Term *t);
/* Is the step of a fold its state times something, or by it? The product of a long array of random numbers is 0 or inf, whatever was left out. */
bool fold_is_product(const Term *t);
/* Numbers from -1 to 1 become such beside the centre, for 1 also beside -1, that one of them is seen in a product, which is neither 0 nor inf
 * if one of the centre alone is not. */
void products_stay(Data *d, double centre);
/* The greatest and the least of each array's numbers go elsewhere, alone: the turn says where. Which is left out shows there. exact: they
 * are whole floats, and may be further apart by one; else those that are equal to them step back to the next that there is. */
enum { EXTREMES_TURNS = 64 };            /* so many turns have different places, and a few more */
void extremes_move(Data *d, int turn, bool exact);
/* The part that a fold may leave out without a difference, where what it chooses was so many times at another place: nineteen
 * times in twenty a larger one would have been seen. */
double extremes_unseen(double places);

#endif

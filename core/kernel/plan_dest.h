/* plan_dest: where in the result its named values are made. For plan_top.c.
 *
 * A destination is one view a component of a type (type_components): a place of the result that its elements fill, written and read, of that type
 * without the other components (type_component). NULL where there is none. */
#ifndef PLAN_DEST_H
#define PLAN_DEST_H

#include "translate_view.h"

View **dest_new(Build *b, const Type *t);                            /* all NULL */
bool dest_is_wanted(View *const *dests, const Type *t);              /* is there one for some component? */
View **dest_components(Build *b, View *v);                           /* each by itself; NULL: it is no global memory, or seen by no pure layout */
/* Of argument i of e, where e is written to `to`; NULL: in no component of it. */
View **dest_of_argument(Build *b, const Term *e, int i, View **to);
/* Of the value that let binds, where its body is written to `to`; of two components that are one value the first has it. state: in the step
 * of a loop (else NULL), with so many variables bound since the state's. */
View **dest_of_let(Build *b, const Term *let, View **to, const Type *state, int below);
bool dest_is_component(const Term *e);                               /* variables, put together, taken apart by component, or laid out */
Buffer *dest_memory(Build *b, View *component);                      /* the one in which it lies; NULL: there is none */
Buffer *dest_buffer(Build *b, View *component);                      /* the one that it fills from end to end; NULL: none */

#endif

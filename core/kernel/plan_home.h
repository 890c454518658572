/* plan_home: which buffers of a result its named values are made in. For plan_top.c.
 *
 * A home is one buffer a component of a type (type_components), NULL where there is none; or the part of one that an argument of
 * concat has (Buffer.part_of). */
#ifndef PLAN_HOME_H
#define PLAN_HOME_H

#include "translate_view.h"

Buffer **home_new(Build *b, const Type *t);                          /* all NULL */
bool home_is_wanted(Buffer *const *home, const Type *t);             /* is there one for some component? */
/* Of the value that let binds, where its body is written to `to`; of two components that are one value the first has it. state: in the step
 * of a loop (else NULL), with so many variables bound since the state's. */
Buffer **home_of_let(Build *b, const Term *let, Buffer **to, const Type *state, int below);
/* Of the tuple of which a component is projected, and of the array of whose elements components are mapped. */
Buffer **home_of_whole(Build *b, const Term *proj, Buffer **to);
Buffer **home_of_part(Build *b, const Term *concat, int i, Buffer *const *to);       /* of its argument i */
Buffer **home_of_mapped(Build *b, const Term *map, Buffer **to);
bool home_is_component(const Term *e);                               /* variables, put together or taken apart by component */
Buffer **home_cells(Build *b, const View *v);                        /* the buffers that its components fill from end to end */

#endif

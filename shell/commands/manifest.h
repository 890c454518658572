/* manifest: what a program passes that calls kernels, and plans as JSON for it (help kernels). */
#ifndef MANIFEST_H
#define MANIFEST_H

#include "shell.h"

enum { DIMS_MOST = 16 };
typedef struct Port {                    /* what a caller passes: a component of an input or of the result */
    const char *name;                    /* a word of C */
    Scalar scalar;
    int input, part;                     /* which input, -1: the result; which component of it */
    bool value;                          /* passed by value */
    int rank;
    const Nat *dims[DIMS_MOST], *count;
} Port;

/* What a caller of the program passes, in the scratch arena: inputs in declared order, then the result; what its sizes are called in C. */
int ports_find(Shell *sh, const Program *p, const char ***sizes, Port **out);
const char *c_word(Arena *a, const char *text);                       /* as a name in C */
json_t *port_json(const Port *p);        /* new references, all of these */
json_t *size_tree(const Nat *n);         /* 64, "N", {"op": "*", "args": [...]} */
json_t *version_manifest(Shell *sh, const Plan *plan);

#endif

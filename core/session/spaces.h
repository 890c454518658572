/* spaces: the points that the tuning parameters of a version may have (values.c, tune.h). */
#ifndef SPACES_H
#define SPACES_H

#include "values.h"

/* What the user asks of the parameters besides. */
typedef struct AskedConstraint {
    Constraint con;                      /* a CALL; vars: indices of the names given */
    const char *missing;                 /* holds is NULL: not about this version, which has no such parameter; else NULL */
} AskedConstraint;
/* Those on v's parameters of these names, in the arena, their data until the next call; how many, -1: an error in
 * the diag. What they are asked later may end with an error in the diag, too: they do not hold from then on. */
typedef int AskedCall(void *data, const Version *v, const char *const *names, int n, Arena *arena, AskedConstraint **out);
void session_ask(Session *s, AskedCall *call, void *data);            /* NULL: nothing is asked; data must outlive s */
int session_asked(const Session *s, const Version *v, const char *const *names, int n, Arena *arena, AskedConstraint **out);

typedef struct SpaceOptions {
    bool bound;        /* parameters that are bound are part of the space, too; else they keep their values */
    bool asked;                          /* what session_ask knows holds, too */
    const TuneLimits *limits;            /* NULL: only the facts */
    const TuneVar *values;               /* candidates for some parameters, by name */
    int value_count;
    const Constraint *constraints;       /* in addition, behind the others; vars are indices of session_space_names */
    int constraint_count;
    int64_t limit;                       /* as in TuneSpec */
    int edges;
    const volatile int *stop;            /* besides the context's */
} SpaceOptions;
/* The parameters in use of which a space consists: s0 s1 ... s10. In the arena; returns how many. */
int session_space_names(const Version *v, bool bound, Arena *arena, const char ***out);
/* The points of a version for the current sizes, which are put into *at (defaults where none are set; in the
 * arena). NULL: E36, as tune_space, or what an asked constraint says. Release with tune_free. */
TuneSpace *session_space(const Session *s, const Version *v, const SpaceOptions *o, Arena *arena, Values *at);
/* Its constraints, of the *at that it left. In the arena; returns how many, -1: E36. */
int session_constraints(const Session *s, const Values *at, const SpaceOptions *o, Arena *arena, Constraint **out);

#endif

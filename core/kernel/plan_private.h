/* plan_private: what plans are made of: terms before, places in them, launches and the top level. */
#ifndef PLAN_PRIVATE_H
#define PLAN_PRIVATE_H

#include "kernel.h"

/* ---- what must hold before (lowered.c) ---- */

bool lowered_bound(Ctx *c, const Term *t);                           /* E35 */
bool lowered_nested(Ctx *c, const Term *t);                          /* E53 */
/* Facts are those of t, and afterwards those of the result. NULL: failed. */
const Term *lowered_substitute(Ctx *c, Arena *arena, const Term *t, PlanFact **facts, int *count, SizeSubst *out);

/* t with what mma means in its place, listed in Build.units (units.c). NULL: failed. */
const Term *units_spelt_out(Build *b, const Term *t);
bool units_in(Build *b, const Term *root);                           /* does the kernel of root have one? */

/* ---- a plan's parts (plan_shape.c, plan_width.c) ---- */

/* A kernel that is still to be made: e written to dst, where the arm is taken. */
struct Launch {
    const Term *e;
    View *dst;
    Env *env;
    const Arm *arm;
    bool copies, stream;                 /* as Build's */
    int placed;                          /* what was placed then */
    const char *copied;                  /* Kernel.copies */
    int local[3];                        /* of its one group */
};

/* The parallel maps of a kernel. */
typedef struct Extents {
    const Nat *most[ID_KINDS][3];        /* NULL: there are none */
    const Nat *usual[3];                 /* the length most mapLocals have: a group's work-items; NULL: there are none */
} Extents;
/* What was placed before is no part of the kernel. Kernels that are made have work-items by lengths that are numbers only. */
void plan_extents(Build *b, const Term *root, Extents *out);
bool plan_is_placed(const Build *b, const Term *e);                  /* did an earlier kernel make it? */
/* How the current kernel, of so many launches, is launched: extents and ids, the size of its groups, all work-items. E53: too large a group was asked for. */
void plan_shape(Build *b, const Launch *launches, int count);
bool plan_is_one_group(Build *b, Launch *l);                         /* would its kernel have one group, whatever the sizes, or hardly more? Then l->local is known */
bool plan_fit(const Build *b, const Launch *launches, int n);          /* is there room for all their work-items in one group? */
const char *plan_looped(Build *b, const Kernel *k);                  /* PlanKernel.loops */
/* May an index reach 2^31? Otherwise the products of sizes that must stay below it are added to the facts of p. */
bool plan_needs_long(Build *b, Plan *p);
void plan_share(Build *b, Plan *p);                                  /* temporaries that share a buffer become one of it (plan_share.c) */
void plan_measure(Build *b, const Term *root);                       /* what its kernel needs, to Build.resources (resources.c) */

/* ---- the top level: outside every kernel (plan_top.c) ---- */

/* Kernels that compute e into dst, appended to those of the build. */
void top_write(Build *b, const Term *e, View *dst, Env *env);
void top_write_or_copy(Build *b, const Term *e, View *dst, Env *env);            /* what has no code of its own is copied */
/* By one kernel. Kernels of one group that follow each other become one, with barriers between what was theirs: it has what one of them has
 * made for the next one in the caches, and starts once. copied: as Kernel.copies, or NULL. */
void top_kernel(Build *b, const Term *e, View *dst, Env *env, const char *copied);
int top_kernels(Build *b);                                           /* how many there are: none that follows joins the last one */
View *top_read(Build *b, const Term *e, Env *env);                   /* its value, with the kernels that make what it needs */
Env *top_bind(Build *b, const Term *let, Env *env, View **dests);    /* what the let names, made there (plan_dest.h), which may be NULL */
void top_copy(Build *b, View *v, View *dst);                         /* cells that are in their place already stay */
void top_copy_value(Build *b, const Type *type, View *v, View *dst); /* an array, by a kernel */
bool top_works(const Term *e);                                       /* is there more to e than reading? */
/* New buffers for a value of that type, one a component, named base (with several base_0, base_1 ...). */
View *top_buffers(Build *b, PlanBufferKind kind, int input, const char *base, const Type *t);
const char *loop_name(const Build *b, const Term *step, const char *role);       /* of a loop's state, or of memory that plays that role for it */

/* A loop of launches (plan_loop.c). there: what it starts from is in dst already. */
void top_loop(Build *b, const Term *e, View *dst, Env *env, bool there);

#endif

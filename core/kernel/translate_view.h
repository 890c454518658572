/* translate_view: how a value lies in memory, and what of it is computed on the way (kernel.h has what others see).
 * translate_view.c makes them and takes them apart. */
#ifndef LATHE_TRANSLATE_VIEW_H
#define LATHE_TRANSLATE_VIEW_H

#include "view.h"

typedef enum ViewKind {
    V_EXPR, V_PLACE, V_TUPLE, V_LANES, V_DELAYED, V_LAZY, V_POISON,
    V_MEMORY, V_SPLIT, V_JOIN, V_PART, V_TRANSPOSE, V_COLUMN, V_ANTIDIAGONALS, V_ANTIDIAGONAL, V_ZIP, V_FIELD,
    V_SLIDE, V_PAD, V_PAD_CONST, V_CONCAT, V_REORDER, V_GATHER, V_GENERATE, V_MAP, V_UNMAP, V_AS_VECTOR,
    V_AS_SCALAR, V_CHOICE, V_TAG, V_UPDATES, V_UPDATE, V_GROUPS, V_TAKEN, V_GUARDED,
} ViewKind;

struct View {
    ViewKind kind;
    const Type *type;
    const Expr *expr;                    /* EXPR; PLACE: its value, once asked for; CHOICE, GUARDED: the condition */
    View *x, *y;                         /* what it is a view of */
    View *const *parts;                  /* TUPLE LANES ZIP */
    const Nat *n, *m;                    /* sizes, offsets, columns; UPDATES: how many parallel maps are around it */
    View **elements;                     /* fixed, short: those asked for by number */
    const Term *term;                    /* MAP UNMAP GENERATE DELAYED LAZY REORDER UPDATES UPDATE GROUPS (a lambda or a term) */
    Env *env;
    int8_t value_total, build_total, fixed; /* 0 unknown, 1 yes, 2 no */
    int k;                               /* FIELD, REORDER kind, PAD mode, TAG, LANES count, UPDATES order */
    int mark;
    union {
        Place place;                     /* PLACE */
        struct {                         /* MEMORY */
            Buffer *const *bufs;
            const Nat *const *idx;
            int rank;
        };
        struct {                         /* LAZY */
            View *value;                 /* as evaluated in `block` */
            const char *hint;            /* name of the value, or NULL */
            int block, lanes;
        };
    };
};

/* New buffers for a value, one a component; set are space, kind, input, name, and by view_in_buffers the rest. */
typedef struct Parts {
    Build *b;
    Space space;
    PlanBufferKind kind;                 /* in global memory */
    int input;
    const char *name, *base;             /* as they would be called, and are (in global memory, once there is one) */
    const Term *at;                      /* for messages, and its padding; NULL: outside of kernels */
    Buffer *const *dests;                /* those of components that have one already; NULL: of none */
    int part, total;
    const Nat *dims[RANK_MAX];           /* leading ones, `lead` indexes them; then those of the type */
    int rank, inner;                     /* inner: Buffer's */
    VEC(Buffer *) made;
} Parts;
View *view_in_buffers(Build *b, Parts p, const Type *t, const Nat *const *lead);

static inline View *view_copy(Build *b, const View *v) { return arena_copy(b->arena, v, sizeof *v); }
#define VIEW(b, ...) MAKE((b)->arena, View, __VA_ARGS__)           /* of that kind and type, and more by name */
bool view_is_pure(const View *v);                    /* does indexing emit no code and reach a place? */
int view_part_count(const View *v);                  /* of View.parts */

#endif

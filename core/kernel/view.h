/* view: values while kernels are translated, and the translation of terms inside a kernel. */
#ifndef VIEW_H
#define VIEW_H

#include "kernel.h"

/* ---- views: readable and writable values (translate_view.c) ----
 * A view of an array is a function from an index to a view; the leaves are places or expressions. */

struct Env { View *v; Env *up; };

View *view_expr(Build *b, const Type *type, const Expr *e);
View *view_tuple(Build *b, const Type *type, View *const *parts);
/* The same, part i being that view. */
#define VIEW_TUPLE(b, type, i, part) \
    __extension__({ \
        View *parts_##i[ARG_MAX]; \
        for (int i = 0; i < (type)->count; i++) parts_##i[i] = (part); \
        view_tuple((b), (type), parts_##i); \
    })
/* The value of that type held in buffers parts[0...], one a component, each with `lead` leading dimensions already indexed. */
View *view_memory(Build *b, const Type *type, Buffer *const *parts, const Nat *const *lead, int lead_count);
/* The value of e, evaluated now when nothing can go wrong, else at each first use (once a block, lanes as now). */
View *view_suspend(Build *b, const Term *e, Env *env);
View *view_named(Build *b, View *v, const char *hint);               /* a scalar or vector held in a named value */
View *view_at(Build *b, View *v, const Nat *i);
View *view_vector(Build *b, View *array, const Nat *first, const Type *vector);      /* elements from first on, as one vector */
View *view_field(Build *b, View *v, int k);
const Type *view_type(const View *v);
const Expr *view_value(Build *b, View *v);                           /* of a scalar or vector */
const Expr *view_index(Build *b, View *v);                           /* the same, for those who ask build_is_round, or take an index for what it is */
bool view_place(const View *v, Place *out);                          /* is it one place? */
View *view_tagged(Build *b, View *v, int tag);
int view_tag(const View *v);                                         /* of a place in it; 0: it has none */
bool view_same(Build *b, View *a, View *d);                          /* the very same cells */
bool view_in_space(const View *v, Space s);                          /* some leaf that is a place lies in s */
bool view_is_private(const View *v);                                 /* some does, and none lies elsewhere */
const char *term_source(Build *b, const Term *e, const Env *env);     /* the only global buffer that e reads; NULL */
bool term_reads(Build *b, const Term *e, const Env *env, const View *cells);
bool term_reads_registers(Build *b, const Term *e, const Env *env);         /* a private array, whose elements have to be known by their numbers */

/* The view of a layout primitive's value from those of its data arguments. */
View *view_layout(Build *b, const Term *e, View *const *args, Env *env);
View *view_map(Build *b, const Term *e, View *in, Env *env);
View *view_generate(Build *b, const Term *e, Env *env);
/* The destination of the argument, given that of e; NULL: not invertible. Single-argument layouts and maps of such; of take, where what it
 * takes from is stored only: elements that are not taken are not. */
View *view_inverse(Build *b, const Term *e, View *dst, Env *env);
View *view_fields(Build *b, View *array, int k);                     /* component k of every element */
View *view_part(Build *b, View *array, const Nat *base, const Nat *count);
View *view_slice(Build *b, View *array, const Nat *base, const Nat *count, const Nat *step);     /* every step-th element */
View *view_scatter(Build *b, View *index, View *dst);
/* The destination of the pairs of e, a reduction by index whose elements are cells: what is written there updates them. */
View *view_updates(Build *b, const Term *e, View *cells, Env *env);
const Term *view_updated(const View *dst);                           /* the e of such a destination, or of a part of it; NULL: it is none */
bool view_is_update(const View *dst);                                /* is it the place of one pair? */
View *view_zip(Build *b, const Type *type, View *const *parts);
View *view_image_written(Build *b, const Term *e, View *dst);        /* dst, written by whole texels of an image */
/* How a matrix unit writes the mma of these to dst; NULL: none can. */
Unit *unit_of(Build *b, View *const args[3], View *dst);
void views_free(Build *b);                           /* what all views of the build share */
View *view_poison(Build *b, const Type *type);                       /* after a failure */
View *view_force(Build *b, View *v);

/* ---- translation inside a kernel (translate.c) ---- */

View *translate_read(Build *b, const Term *e, Env *env);
View *read_placed(const Build *b, const Term *e, const Env *env);    /* made by an earlier kernel; NULL: no */
void translate_write(Build *b, const Term *e, View *dst, Env *env);
View *translate_apply(Build *b, const Term *lambda, View *arg, Env *env);        /* reading the result */
Env *translate_bind(Build *b, Env *env, const Term *lambda, View *arg);
const Nat *translate_index(Build *b, View *v, const Nat *extent);    /* a loaded index as a Nat */
static inline bool term_is_mapped(const Term *e) { return e->kind == T_PRIM && prim_is_mapped((PrimId)e->prim); }
bool term_contains(const Term *e, PrimId p, int dim);                /* dim -1: any; mapWarp and mapLane are mapLocals */
View *translate_alloc(Build *b, const Type *type, Space space, const Term *at);
enum { ITERATE_MAX = 256 };              /* steps of an iterate */
const Term *iterate_step(Build *b, const Term *e, const Nat *length);    /* the step's lambda at that length */

/* Pipeline a loop over 0 <= i < limit that is the current block's last statement and stands behind `before` (NULL: first): what its body
 * copies to local memory allocated since `locals` is loaded a round ahead and stored into the other half of a buffer twice as large
 * (pipeline.c). The loop stays as it is, with a warning, when there are no such copies or they cannot be made early. */
enum { LOCAL_UNROLL_MAX = 64 };          /* rounds of a mapLocal that become straight-line code */
void pipeline_loop(Build *b, const Term *e, Stmt *before, Stmt *loop, int locals);

#endif

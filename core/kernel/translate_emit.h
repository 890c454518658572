/* emit: control flow, guards, stores and allocation in the current kernel (translate_view.c), for those that translate. */
#ifndef TRANSLATE_EMIT_H
#define TRANSLATE_EMIT_H

#include "view.h"

static inline PrimId prim_of(const Term *e) { return e->kind == T_PRIM ? (PrimId)e->prim : PRIM_COUNT; }
static inline bool is_space(const Term *e) { return e->kind == T_PRIM && prim((PrimId)e->prim)->family == FAM_MEMORY; }
/* The elements of room behind each row of a local array that e makes; NULL: none. */
static inline const Nat *row_padding(const Term *e) { return e->kind == T_PRIM && e->prim == PRIM_TO_LOCAL_PADDED ? e->statics[0] : NULL; }
static inline const Term *without_space(const Term *z) { return is_space(z) ? z->args[0] : z; }
bool emit_is_small(const Type *t);                       /* no arrays inside: scalars, vectors, tuples of such */
Space emit_space(const Term *e);                         /* of a toX */
/* The start of a fold of one round in memory, where its step stores all that it makes: a view, without the copies that would
 * put it there. NULL: e is no such fold. */
const Term *emit_unstored_start(const Term *e);

/* ---- control flow ---- */

typedef void EmitBody(Build *b, void *data, const Nat *i);
typedef struct EmitScope { Block *block; int depth; unsigned bound[ID_KINDS]; } EmitScope;
EmitScope emit_enter(Build *b, Block *inner);
void emit_leave(Build *b, EmitScope s);
typedef struct EmitRange { const Nat *from, *limit, *step, *extent; bool uniform; VarInfo info; } EmitRange;
void emit_for(Build *b, EmitRange r, EmitBody *body, void *data);
/* n times: straight-line when unrolled or once, else a loop. */
void emit_times(Build *b, const Term *e, const Nat *n, bool unroll, EmitBody *body, void *data);
const Expr *emit_compare(Build *b, PrimId op, const Nat *x, const Nat *y);
/* pinned: ids that the condition fixes at 0 (bit 3 * kind + dim). */
void emit_guarded(Build *b, const Expr *cond, bool uniform, unsigned pinned, EmitBody *body, void *data, const Nat *i);
bool emit_is_uniform(const Build *b, const Expr *e);     /* the same for every work-item of a group */

/* ---- storing ---- */

/* Open an `if` that lets one work-item through of those whose ids run but are not bound here, nor by e (NULL: by nothing). False: all
 * may write to dst. */
bool emit_alone(Build *b, const View *dst, const Term *e, EmitScope *scope);
typedef struct Leaf { View *dst; const Expr *value; } Leaf;
typedef VEC(Leaf) Leaves;
/* Store every component of v; all are computed before the first is stored, as far as it matters. */
void emit_assign(Build *b, const Term *e, View *dst, View *v);

/* ---- choices ---- */

View *read_if(Build *b, const Term *e, Env *env);
View *read_truth(Build *b, const Term *e, Env *env);      /* && and || */

/* ---- reading (translate.c) ---- */

const char *read_hint(const Term *lambda);               /* the first name in its parameter */
View *read_memory(Build *b, const Term *e, Env *env);    /* materialise a toX */

#endif

/* infer_private: what the modules that type a rule share, bottom first: infer_type.c (types and sizes with
 * variables, solved), infer_expr.c (metavariables, sizes, patterns, calls of primitives, expressions), infer.c (conditions,
 * a whole rule), infer_facts.c (values of sizes, facts that are missing). Not for anybody else.
 *
 * Everything lives in Infer.arena. NULL or false: infer_bad has reported (Infer.failed), or what was drawn
 * fits no instance (Infer.bad_draw); then all that follows returns NULL too. */
#ifndef INFER_PRIVATE_H
#define INFER_PRIVATE_H

#include "check_private.h"

/* ---- types and sizes with variables (infer_type.c) ---- */

IType *itype_fresh(Infer *in, IClass cls);
IType *itype_scalar(Infer *in, Scalar s);
IType *itype_sized(Infer *in, IKind kind, const Nat *size, IType *elem);         /* array, vector */
IType *itype_pair(Infer *in, IKind kind, IType *a, IType *b);
IType *itype_tuple(Infer *in, IType *const *parts, int n);                       /* of one: itself */
bool itype_restrict(Infer *in, IType *t, IClass cls);
/* Unifies, or says that who needs the one and was given the other. */
bool itype_need(Infer *in, Span span, const char *who, IType *want, IType *found);
const char *itype_text(Infer *in, IType *t);
IType *itype_subst(Infer *in, IType *t, const NatBinding *b);                    /* a size variable replaced; open types are shared */

bool infer_bad(Infer *in, Span span, const char *fmt, ...) PRINTF_LIKE(3, 4);    /* E30, the first one; false */
void *infer_wrong_draw(Infer *in);                                               /* NULL */

const Nat *size_const(Infer *in, int64_t v);
const NatAtom *size_atom(const Nat *var);
const Nat *size_fresh(Infer *in);
void size_solve(Infer *in, const NatAtom *v, const Nat *value);
/* What is undecided waits in Infer.later; false: it cannot be. */
bool size_unify(Infer *in, const Nat *a, const Nat *b);
bool size_unify_later(Infer *in);                                /* what waits, again, until nothing moves */

/* ---- expressions and what they hold (infer_expr.c) ---- */

typedef struct IEnv IEnv;
Meta *meta_find(Infer *in, const char *name);
const Nat *infer_size(Infer *in, const IEnv *env, const Ast *a);
void infer_cond(Infer *in, char op, const Nat *a, const Nat *b, bool negated, const char *who);  /* as SizeCond */
IType *infer_expr(Infer *in, const IEnv *env, const Ast *a);

/* ---- a rule (infer.c) ---- */

/* The first draw that types, to be freed with infer_free; empty when none does and none fails.
 * False: the first error, E30. */
bool infer_some(Infer *in, Ctx *c, Arena *arena, const Rule *r);

#endif

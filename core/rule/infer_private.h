/* infer_private: what the modules that type a rule share, bottom first: infer_type.c (types and sizes with
 * variables, solved), infer_size.c (metavariables, sizes as they are written), infer_bind.c (patterns and
 * arguments), infer_prim.c (calls of primitives), infer_expr.c (application, expressions), infer.c
 * (conditions, a whole rule), infer_facts.c (values of sizes, facts that are missing). Not for anybody else.
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

/* ---- names, metavariables, and sizes as they are written (infer_size.c) ---- */

typedef struct IEnv IEnv;
struct IEnv {
    const char *name;
    IType *type;               /* a value; NULL: a list, or syntax read where it was written */
    int count;
    IType **list;
    const Ast *ast;
    const IEnv *env;
    const IEnv *next;
};

typedef struct IArg {
    const Ast *ast;
    const IEnv *env;
    IType *type;               /* when there is no ast */
} IArg;

const IEnv *ienv_find(const IEnv *env, const char *name);
IEnv *ienv_bind(Infer *in, const IEnv *next, const char *name);
Meta *meta_find(Infer *in, const char *name);
Meta *meta_new(Infer *in, const char *name, MetaKind kind);
/* The metavariable of that kind; NULL: it is another kind, or a name that the right side may not introduce. */
Meta *meta_of(Infer *in, const Ast *a, MetaKind kind);
Meta *meta_static(Infer *in, const char *name, StaticKind kind);  /* a parameter, drawn where types leave it open */
const RuleParam *infer_param(const Infer *in, const char *name);      /* of the rule; NULL: none of that name */
const Nat *infer_size(Infer *in, const IEnv *env, const Ast *a);
/* A count that must be a number while types are found: every variable in it is drawn. */
const Nat *infer_count(Infer *in, const IEnv *env, const Ast *a);
const Nat *infer_length(Infer *in, const IArg *x, Span span);
const Nat *size_quotient(Infer *in, const Nat *x, const Nat *y);  /* exact: a variable where it does not show */
void infer_cond(Infer *in, char op, const Nat *a, const Nat *b, bool negated, const char *who);  /* as SizeCond */
/* The permutation of a reorder; a stride must divide the length. A permutation that the call gives
 * is legal where it is used. */
bool infer_permutation(Infer *in, const IEnv *env, const Ast *a, const Nat *length);

/* ---- patterns and arguments (infer_bind.c) ---- */

const IEnv *ienv_bind_arg(Infer *in, const IEnv *env, const AstPat *p, const IArg *a);
IType *infer_arg(Infer *in, const IArg *a);
/* Arguments with their spreads repeated; how many, -1 after an error. out holds ARG_MAX. */
int infer_args(Infer *in, const IArg *args, int n, IType **out);

/* ---- primitives (infer_prim.c) ---- */

IType *infer_prim(Infer *in, PrimId id, const IArg *args, int n, Span call);

/* ---- application and expressions (infer_expr.c; the modules before it call it back) ---- */

IType *infer_apply(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call);
IType *infer_expr(Infer *in, const IEnv *env, const Ast *a);

/* ---- a rule (infer.c) ---- */

/* The first draw that types, to be freed with infer_free; empty when none does and none fails.
 * False: the first error, E30. */
bool infer_some(Infer *in, Ctx *c, Arena *arena, const Rule *r);

#endif

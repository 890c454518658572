/* elab_private: what the modules that make terms share, bottom first: elab_type.c (scopes, sizes and types as
 * they are written), elab_bind.c (patterns, arguments, what syntax is), elab_prim.c (calls of primitives),
 * elab.c (application, expressions, functions). Not for anybody else. NULL or false: an error has been
 * reported, with its place. */
#ifndef ELAB_PRIVATE_H
#define ELAB_PRIVATE_H

#include <string.h>

#include "elab.h"

/* One argument of an application: syntax still to be read in its own scope, or a term already made. */
typedef struct Arg {
    const Ast *ast;
    Scope scope;
    const Term *term;          /* lives at .scope.depth */
} Arg;

#define FAIL(e, s, span, id, ...) (diag_error_at(&(e)->c->diag, (id), (s).source, (span), __VA_ARGS__), NULL)

/* ---- terms and their places; types that are written (elab_type.c) ---- */

/* Makers know no text: gives their error the place, if it has none. */
void elab_locate(Elab *e, Scope s, Span span);
const Term *elab_at(Elab *e, Scope s, Span span, const Term *t);                 /* t; NULL: as elab_locate */
static inline const Term *elab_shift(Elab *e, const Term *t, int from, int to)
{
    return term_shift(e->c, t, to - from, 0);
}
const Term *arg_term(Elab *e, const Arg *a, int depth, const Type *want);        /* at that depth */
/* Check a value's type against an annotation, binding upper-case size names that are not bound yet. */
bool annotation_match(Elab *e, Scope *s, const AstType *t, const Type *found);
/* The type of an annotation when all its names are bound; NULL without an error otherwise. */
const Type *annotation_known(Elab *e, Scope s, const AstType *t);

/* ---- what syntax is, without making terms of it (elab_bind.c) ---- */

static inline bool ast_is_compose(const Ast *a) { return a->kind == AST_BINARY && strcmp(a->name, ".") == 0; }
bool ast_has_untyped_literal(const Ast *a);
bool arg_is_flexible(const Arg *a);                              /* leaves its scalar type to the context */
PrimId elab_named_prim(const char *name);                        /* PRIM_COUNT: none that a program can call */
/* How many arguments the text f takes before it is a value; 0 for data; large for zip. */
int elab_arity(const Elab *e, const Env *env, const Ast *f);
/* A padding mode by its name, or by that of a parameter which stands for one; NULL: it is none. */
const Nat *elab_mode_named(Elab *e, const Env *env, const Ast *a);

/* ---- patterns and arguments (elab_bind.c) ---- */

/* Binders made while arguments are bound; wrapped round the body afterwards, the last first. */
typedef struct Binder {
    const Term *value;         /* lives outside the binder */
    const char *const *hints;
    struct Binder *outer;
} Binder;
/* Bind one parameter of a function to its argument. *s is the callee's scope. */
bool binders_bind_arg(Elab *e, Scope *s, const AstPat *p, const Arg *a, Binder **binders);
const Term *binders_wrap(Elab *e, Binder *b, const Term *body);
/* Names for a binder of type t, as T_LAM keeps them; NULL where the pattern gives none. */
const char *const *pattern_hints_of(Elab *e, Scope s, const AstPat *p, const Type *t);
/* Arguments with spreads replaced by what they stand for; the count, or -1 after an error. out holds ARG_MAX. */
int args_expand(Elab *e, const Arg *args, int n, Arg *out);
static inline int tuple_count(const Type *t) { return t->kind == TY_TUPLE ? t->count : 1; }

/* ---- primitives (elab_prim.c) ---- */

/* name: as it was written, for zip3, zip4 and messages. PRIM_COUNT is an error. */
const Term *elab_prim(Elab *e, Scope s, PrimId id, const char *name, const Arg *args, int n, const Type *want,
                      Span call);

/* ---- application (elab.c) ---- */

const Term *elab_apply(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call);

#endif

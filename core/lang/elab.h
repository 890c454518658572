/* elab: from syntax trees to terms. Private to layers 2 and 4 (defs.c, elab.c; apply.c and match.c
 * build right sides with it).
 *
 * An environment is a chain of bindings. Every bound term remembers the depth (number of indices) it
 * lives at and is shifted to where it is used. Functions are bound as closures and inlined where they are
 * applied; a Term has no calls. */
#ifndef ELAB_H
#define ELAB_H

#include "lang.h"

typedef enum BindKind {
    BIND_TERM,                 /* a value */
    BIND_FUN,                  /* a lambda term; arity arguments are taken as one tuple (rules' metavariables) */
    BIND_CLOSURE,              /* syntax with its environment: helpers, local functions, partial applications */
    BIND_LITERAL,              /* an untyped literal: takes its type at each use */
    BIND_SIZE,                 /* a size expression */
    BIND_LIST,                 /* a list of values (xs..) */
    BIND_PERM,                 /* a permutation: perm, nat, or two lambdas */
    BIND_MODE,                 /* a padding mode: nat */
} BindKind;

typedef struct Env Env;
struct Env {
    const char *name;
    BindKind kind;
    int depth;                 /* of term, terms, fwd, inv */
    union {
        const Term *term;
        struct IType *type;    /* of a value, while a rule is typed (infer.c) */
    };
    const Ast *ast;            /* CLOSURE, LITERAL; of a TERM: its text, if a size may be meant */
    union {
        struct { const Env *env; const Source *source; };      /* where ast is read */
        struct { const Term *fwd, *inv; };                     /* PERM */
        const Term *const *terms;                              /* LIST */
        struct IType *const *types;
    };
    const Nat *nat;
    union {
        int arity;             /* FUN */
        int count;             /* LIST */
        PermKind perm;
    };
    const Env *next;
};

/* A name that a rule's left side bound, and the names its user gave: right-side binders of that name keep them. */
typedef struct UserHint {
    const char *name;
    int index;                 /* position within a list binder, else 0 */
    const Type *type;
    const char *const *hints;
    const struct UserHint *next;
} UserHint;

/* Sizes that a program's text names and no parameter does. */
typedef struct OpenSizes {
    const Env *sizes;          /* those that stand where a size is needed, the latest first */
    const Env *values;         /* those that stand as values */
    bool settled;              /* all sizes are known: other names that stand as values are errors */
    bool refused;              /* one is: what is wrong with it has been said */
} OpenSizes;

typedef struct Elab {
    Ctx *c;
    Arena *arena;
    const Defs *defs;          /* NULL: the prelude only */
    const UserHint *hints;
    const Env *outer;          /* that of the whole text: helpers see its sizes */
    OpenSizes *open;           /* NULL: upper-case names that nothing defines are errors */
    int fuel, nesting;
    const Ast *whole;          /* the text that is elaborated: it may name parts of records */
    const char *called;        /* whose arguments are read: the latest */
    const Source *blamed_in;   /* where the latest call is that an error's notes show */
    Span blamed;
    uint64_t path;             /* of the text that is read, through the calls: a literal's is its key from round to round */
    PtrTable decided;          /* literals whose type earlier rounds found */
    const char *undecided;     /* those that nothing decides: "0 is i32"; NULL: none */
    bool lone;                 /* vectors of one are their scalars: asVector 1 x and asScalar x are x, mapVec f x is f x */
    bool as_written;           /* lets that are used once stay (term_let_written) */
    const char **inlined;      /* unless NULL: names of lets that are used once, "x, y"; NULL there: none yet */
} Elab;

/* Where syntax is read: names, number of indices in scope, and the text for carets. */
typedef struct Scope {
    const Env *env;
    int depth;
    const Source *source;
} Scope;

/* One argument of an application: syntax still to be read in its own scope, or a term already made. */
typedef struct Arg {
    const Ast *ast;
    Scope scope;
    union {
        const Term *term;      /* lives at .scope.depth */
        struct IType *type;    /* while a rule is typed */
    };
} Arg;
Arg *args_of(Arena *arena, Scope s, Ast *const *kids, int n, const Arg *more, int more_count);     /* syntax of s, and more behind it */

Elab elab_start(Ctx *c, Arena *arena, const Defs *defs);
const Env *elab_params(Elab *e, const Defs *d);        /* the tuning parameters of these definitions (NULL: none), as sizes */
/* A whole text, in rounds. In the first a literal whose type the text around it leaves open has a variable as its type; what the round
 * made is thrown away, and the next gives these literals the types that their use decided, else i32 and f32, until none is open. */
const Term *elab_whole(Elab *e, Scope s, const Ast *a, const Type *want);
const Term *elab_expr(Elab *e, Scope s, const Ast *a, const Type *want);
/* A function of one argument of type param, as a lambda term at s.depth; want: type of its result or NULL. */
const Term *elab_function(Elab *e, Scope s, const Ast *f, const Type *param, const Type *want);
const Nat *elab_size(Elab *e, Scope s, const Ast *a);
void elab_bind_size(Elab *e, const char *name, const Env **sizes);      /* a size variable of that name, unless there is one */
/* A type; upper-case names not in scope are an error unless sizes is given: then they become size variables, bound in
 * *sizes (prepended) in order of appearance. */
const Type *elab_type(Elab *e, Scope s, const AstType *t, const Env **sizes);
/* In front of *env, that name bound to what the fields of an Env behind the kind say. */
#define BIND(arena, env, called, as, ...) \
    (*(env) = MAKE((arena), Env, .name = (called), .kind = (as), .next = *(env), __VA_ARGS__))
const Env *env_find(const Env *env, const char *name);
const Nat *env_size(Ctx *c, const Env *b);             /* the size that is bound, or whose number is; NULL: it is none */
const Env *env_with_names(Arena *arena, const AstPat *p, const Env *env);      /* those of a pattern, bound to nothing */
bool ast_is_float_name(const char *name);                                /* pi, inf, nan */
bool pattern_binds(const AstPat *p, const char *name);                   /* interned */
bool ast_mentions(const Ast *a, const char *name);                       /* interned; does it stand somewhere in a, where a does not bind it? */
Scalar suffix_scalar(int suffix);                                         /* of a literal with that suffix */

/* ---- defs.c: the table of definitions; program.c fills it ---- */

typedef struct Refuted {       /* properties that do not hold over values of a type */
    const Type *value;
    unsigned kinds;
    const char *why;
    const struct Refuted *next;
} Refuted;
typedef struct Def {
    const char *name;
    const Source *source;
    const AstDecl *decl;
    const Env *env;            /* of what the prelude's name: they mean the prelude, whatever the user defines; else NULL */
    const Program *program;    /* NULL: a helper */
    bool tested;               /* its declared properties are */
    const struct Refuted *refuted;     /* the latest first */
} Def;
typedef struct DefVec { Def *v; int n, cap; PtrTable by_name; } DefVec;      /* by_name: 1 + their numbers */
void defs_push(DefVec *v, Def d);
void defs_cut(DefVec *v, int n);                        /* the latest leave until n are left */
struct Defs {
    Ctx *c;
    Arena *arena;              /* sources, trees, programs: as long as the Defs */
    DefVec defs;
    VEC(const char *) params;
    DefsTyped *typed;          /* NULL: nobody is told */
    void *typed_data;
    VEC(const char *) shadowed;    /* of the prelude: names that texts define anew */
};
const Defs *prelude(const Ctx *c);
const Def *defs_find(const Ctx *c, const Defs *d, const char *name);      /* prelude included */
bool prelude_has(const Ctx *c, const char *name);       /* a helper of that name, which no text has defined anew */
/* iota, slide2, pad3 ...: helpers that patterns and printed terms have as names for what they mean, no parameter of which stands
 * under a binder; interned. NULL: it is none. */
const AstDecl *prelude_derived(const Ctx *c, const char *name);
const char *ranked(Arena *arena, const char *name, int rank);      /* map2; of rank 1 map */
void prelude_shadow(Ctx *c, const char *name);          /* a text defines it; interned */
const Def *def_in(const DefVec *v, const char *name);                     /* the latest of that name, NULL: none */

/* Are two values, scalars or tuples of them, the same by the laws of a semiring in each component: + and *; of floats max and +, min and +; max and min;
 * || and &&? False: it is not known. Floats may differ by rounding. */
bool semiring_same(Ctx *c, const Term *a, const Term *b);

#endif

/* check_private: typing of rules by unification, and what an instance of a rule is made of. Private to infer.c,
 * reach.c, instance.c, precise.c and check.c. */
#ifndef CHECK_PRIVATE_H
#define CHECK_PRIVATE_H

#include "check.h"
#include "double_double.h"
#include "elab.h"
#include "match.h"

/* ---- types with variables ---- */

typedef enum IKind { I_VAR, I_SCALAR, I_VECTOR, I_ARRAY, I_TUPLE, I_FUN } IKind;
/* Each class holds the ones after it, but no float is an integer. */
typedef enum IClass { IC_DATA, IC_SCALARS, IC_SCALAR, IC_NUMERIC, IC_FLOAT, IC_INT } IClass;

typedef struct IType IType;              /* a type with unification variables */
struct IType {
    IKind kind;
    IType *link;               /* VAR: what it stands for, NULL while free */
    IClass cls;                /* VAR */
    int id;                    /* VAR: for printing */
    Scalar scalar;
    const Nat *size;           /* ARRAY: length; VECTOR: width */
    int count;
    IType **kids;              /* ARRAY, VECTOR 1; TUPLE; FUN 2 */
    const Type *made;          /* VAR: the type an instance gave it */
};

/* ---- metavariables ---- */

typedef enum MetaKind { META_DATA, META_FUN, META_LIST, META_STATIC } MetaKind;

/* Functions and a value of which `rescales e f g w` is demanded, or `rescales e f`: then there are no g, w. */
typedef struct Meta Meta;
typedef struct Rescaled { Meta *e, *f, *g, *w; } Rescaled;

struct Meta {
    const char *name;
    MetaKind kind;
    IType *type;               /* DATA; FUN: an I_FUN from the tuple of its arguments */
    int arity;                 /* FUN */
    const Nat *length;         /* FUN of iterate: type is of arrays of this length, and it takes any that shrink divides */
    const Nat *shrink;
    int count;                 /* LIST */
    IType **list;
    StaticKind skind;          /* STATIC */
    const Nat *nat;
    PermKind perm;
    const Nat *perm_length;
    bool given;                /* a parameter that the call must give */
    unsigned props;            /* FUN: PropKind bits demanded by `when` */
    const Meta *same_as;       /* DATA: it is drawn as that one (`shares`) */
    bool indexes;              /* DATA: it is drawn as a small number (`indexes`) */
    const Meta *neutral_of;    /* DATA: it is the neutral element of that function */
    const Meta *neutral_for;   /* FUN: what it makes of zeros, or of that one's neutral element (from_neutral), is neutral for that function */
    bool from_neutral;
    int wants_computes, wants_layout;  /* FUN: 1 yes, -1 no, 0 do not care */
    PrimId wants_prim;         /* FUN: a reduction, or toGlobal, that it contains; 0: it may have none */
    const Rescaled *rescaled;  /* it is one of these */
};

/* A condition on sizes, or a fact of a primitive. equal: that both are the same number, in place of the fact. */
typedef struct SizeCond {
    Fact fact;
    bool negated, equal;
} SizeCond;

typedef struct Place { PrimId prim; const Nat *dim; } Place;      /* `under prim dim`; dim NULL: any */

typedef VEC(SizeCond) SizeConds;
typedef VEC(NatBinding) NatBindings;
typedef struct SizeEquation { const Nat *a, *b; } SizeEquation;

/* One way to choose what is drawn else, and the way to the next one: all of them in turn, from {0} on. */
typedef struct Choices {
    int count, at;
    int64_t chosen[16], of[16];
} Choices;
bool choices_next(Choices *all);                 /* false: that was the last */

/* Both sides of a rule typed together. What types cannot leave open (list lengths, widths, dimensions, modes,
 * permutations, counts of iterate) is drawn from rng where it is first met. */
typedef struct Infer {
    Ctx *c;
    Arena *arena;
    const Source *source;
    const Rule *rule;
    Rng *rng;
    Choices *choices;          /* in place of rng: lists of none, one and two, all dimensions, modes, widths, kinds of permutations */
    bool right;                /* the right side is being typed: no new metavariables */
    bool bad_draw;             /* what was drawn fits no instance: draw again */
    bool failed;
    const char *unsupported;   /* a condition that no generator can meet */
    bool counted;              /* an iterate goes round so often as was drawn */
    bool asks;                 /* a condition is a function from elsewhere */
    VEC(Meta *) metas;
    VEC(const NatAtom *) open; /* size variables that equations may solve */
    int left_open;             /* the first of them: of the left side */
    NatBindings solved;
    uint64_t left_known, left;  /* of the first 64 of them, once all types are inferred: which were looked at, which are of the left side */
    int64_t far;               /* besides small numbers, counts are this one; 0: they are small */
    VEC(SizeEquation) later;
    SizeConds conds;           /* of the left side and of `when` */
    SizeConds needs;           /* of the right side */
    VEC(Place) places;
    IType *left_type, *right_type;
    PtrTable named;            /* Named by binding */
    int next_var, next_size, fuel;
} Infer;

/* Type a rule. False: bad_draw, or an error in c->diag (E30, E04). The arena holds everything. infer_free releases the
 * vectors. */
bool infer_rule(Infer *in, Ctx *c, Arena *arena, const Rule *rule, int64_t far, Rng *rng);
bool infer_chosen(Infer *in, Ctx *c, Arena *arena, const Rule *rule, Choices *choices);
void infer_free(Infer *in);
IType *itype_now(Infer *in, IType *t);           /* links followed at the top; vectors pushed into tuples */
bool itype_unify(Infer *in, IType *a, IType *b);
IType *itype_of(Infer *in, const Type *t);
const Nat *size_now(Infer *in, const Nat *n);    /* solved variables replaced */

/* Values of the size variables that types leave open. */
enum { VALUATION_MAX = 32 };
typedef struct Valuation {
    Infer *in;
    int count;
    const NatAtom *atoms[VALUATION_MAX];
    int64_t values[VALUATION_MAX];
    bool rigid;
} Valuation;
void valuation_start(Valuation *v, Infer *in);
void valuation_draw(Valuation *v, Rng *rng, int largest);        /* 1..largest each */
bool valuation_legal(Valuation *v);              /* all equations and conditions of the left side and of `when` hold */

/* ---- sizes that numbers ask for (reach.c) ---- */

enum { REACH_MAX = 96, SAME_MAX = 4 };
typedef struct Reach {
    int count, same_count;
    int64_t v[REACH_MAX], same[SAME_MAX];        /* same: what sizes are compared with, which may be asked for together */
} Reach;
void reach_rule(Reach *r, const Rule *rule);
void reach_terms(Reach *r, const Term *a, const Term *b);
/* Which of them the n-th draw is about; 0: none. */
int64_t reach_draw(const Reach *r, int draw);
int64_t reach_next(const Reach *r, int64_t size);        /* the smallest larger one; 0: there is none */
/* The value of that number (modulo how many there are) becomes that size, if it is one; after several attempts others become such
 * sizes, too, or multiples of them. */
void reach_place(const Reach *r, int64_t size, uint64_t which, int attempt, Rng *rng, int64_t *values, int count);

/* ---- instances (instance.c) ---- */

enum { INPUTS_MAX = 24 };
typedef struct Generator {
    Ctx *c;
    Arena *arena;
    Rng rng;
    int level;                 /* 0 plain .. 3 wild: types, functions, data; what shrinking lowers */
    bool computes;             /* values compute something more often than not: a let of what does not is inlined */
    int input_count;
    Input inputs[INPUTS_MAX];  /* made so far */
} Generator;

const Type *type_of_text(Ctx *c, const Defs *d, const char *text);
const char *property_declarations(void);           /* text of functions that declare properties */

/* Terms that rescale (lang_rescales) at a random row of a list: which is for f, and the type of keys and sums; factor: what e is without g and w. */
typedef struct Rescaling { const char *f, *key, *sum, *e, *g, *w, *factor; } Rescaling;

typedef struct Instance {
    Generator g;
    Infer infer;
    Valuation sizes;
    int64_t largest;           /* so many elements a value has at most */
    NatBindings numbers;       /* every size variable as a number */
    const Defs *defs;          /* declared functions with properties */
    const Rescaling *rescaling;          /* what was drawn where `rescales` is demanded */
    int solved;                          /* the numbers of pairs that a reduction by index is solved for: 1, 2, or 12 */
    const Env *env;            /* what the metavariables stand for at the place */
    RuleArg args[6];
    int declared_count;
    const char *declared[4];   /* declarations of the functions with properties in it */
    const Term *root;          /* the left side in its context */
    Path at;
    const char *problem;       /* why none could be made */
} Instance;

/* What an instance is drawn from: size variables are 1..largest, but for one that is `far` (0: none) and others that have to follow it.
 * bare: in no context but one that the rule demands. */
typedef struct Draw {
    uint64_t seed;
    int level, largest;
    int64_t far;
    int special;               /* on how many special inputs it is tried besides the plain ones */
    bool bare;
} Draw;

/* A random instance of the rule. False: this draw gives none, problem says why. Always instance_free. */
bool instance_make(Instance *i, Ctx *c, Arena *arena, const Defs *defs, const Rule *rule, const Reach *reach, const Draw *draw);
void instance_free(Instance *i);

/* ---- values in double-double (precise.c) ---- */

/* Why a value may be moved: each operation there rounds, or literals were rounded. */
typedef enum Cause { ROUNDING, LITERALS_MOVE, CAUSES } Cause;
enum { PRECISE_DRAWS = 3 };
typedef struct Precise {
    Ctx *c;
    const Term *term;
    const EvalInput *inputs;
    int input_count;
    int64_t steps;             /* of each evaluation at most */
    const volatile int *stop;
    bool approximate;          /* casts to narrower floats are roundings */
    Eval *plain, *drawn[CAUSES][PRECISE_DRAWS];        /* as far as they were asked */
} Precise;
bool precise_value(Precise *p, int part, int64_t i, DoubleDouble *out);         /* of a float; false: it has none */
double precise_spread(Precise *p, Cause cause, int part, int64_t i);             /* how far draws move it */
void precise_free(Precise *p);
bool facts_hold(Ctx *c, const Term *t);          /* those of sizes that are numbers */

#endif

/* ir: hash-consed terms and their types (types.md, primitives.md; language.md: Terms).
 *
 * Everything made here is immutable and lives as long as its Ctx. Equal types are one pointer, equal terms are one
 * pointer (binder names are hints and take no part in equality; the first hints win). Makers check: a node that does
 * not type cannot exist. A maker that fails returns NULL with E04 (or E08) in ctx->diag; NULL arguments pass through
 * as NULL without a new error, so code is written for success and checks once. */
#ifndef IR_H
#define IR_H

#include "diag.h"
#include "nat.h"
#include "prim.h"
#include "type.h"

typedef struct Term Term;

/* ---- terms ---- */

typedef enum TermKind { T_VAR, T_INPUT, T_LIT, T_SIZE, T_LAM, T_PRIM } TermKind;

/* What occurs somewhere in a term. */
enum {
    TF_COMPUTES = 1,               /* a scalar operation */
    TF_MEMORY = 2,                 /* toGlobal toLocal toPrivate */
    TF_REDUCES = 4,                /* reduce..., scan..., iterate, scatter */
    TF_MAPPED = 8,                 /* a mapped form */
    TF_SLICES = 16,                /* a slice */
};

typedef union LitValue { int64_t i; double f; } LitValue;      /* f for floats (rounded to their type), i else (u64: bits) */

struct Term {
    uint32_t id;                   /* creation order */
    uint8_t kind, flags;
    uint16_t prim;                 /* T_PRIM */
    uint16_t arg_count;            /* T_LAM: 1, the body; let: value, lambda */
    uint16_t static_count;
    uint32_t size, depth;          /* nodes (saturating), height */
    int free_limit;                /* 1 + the largest free de Bruijn index, 0 when closed */
    const Type *type;              /* T_LAM: a function type */
    union {
        int index;                 /* T_VAR: de Bruijn index of a leaf; the last leaf of the innermost lambda is 0 */
        const char *name;          /* T_INPUT: interned */
        LitValue lit;              /* T_LIT */
        const Nat *nat;            /* T_SIZE: an integer given by a size expression, of type i32 (or any numeric) */
        const char *const *hints;  /* T_LAM: names for the parameter's type tree in preorder (hint_count); NULL entries allowed */
        int proj;                  /* T_PRIM PROJ */
    } u;
    const Nat *const *statics;     /* T_PRIM */
    const Term *const *args;
};

enum { TERM_DEPTH_MAX = 2000 };

Ctx *ctx_new(void);
void ctx_free(Ctx *c);
struct Ctx {
    Arena *arena;
    Arena *scratch;                /* of work that may nest: who takes of it marks it before, and releases it to the mark */
    Interns *names;
    Nats *nats;
    Diag diag;
    struct IrTables *tables;       /* private to type.c, prim.c, term.c */
    void *lang;                    /* private to defs.c: the prelude; freed through lang_free */
    void (*lang_free)(void *);
    struct LiteralVec *literals;   /* literal.h; NULL: all types are decided */
    const char *assumed;           /* a property that was believed though tests refute it, "associative f"; set by lang_property, cleared by who asks */
    bool empty;                    /* arrays of length 0 may be made: of slices of no element (slice_function) */
    const volatile int *stop;      /* raised where somebody wants an end: what takes long gives up with E25; may be NULL */
};
/* Reports an error in c->diag; NULL, which is false, too. Notes follow its message, each behind NOTE of its label. */
void *ctx_error_at(Ctx *c, ErrorId id, const Source *s, Span span, const char *fmt, ...) PRINTF_LIKE(5, 6);
#define ctx_error(c, id, ...) ctx_error_at(c, id, NULL, (Span){0, 0}, __VA_ARGS__)
#define NOTE(label) "\f" label "\f"
static inline bool ctx_stopped(const Ctx *c) { return c->stop && *c->stop; }
ConsCount ctx_conses(const Ctx *c);      /* of terms */
/* Taking back: CtxMark m = ctx_mark(c); ... ctx_release(c, &m) forgets every term, type and size made in between, and the
 * context is as it was, so what follows is the same whatever went before. No pointer made since the mark may survive in
 * what outlives the release (versions, definitions, caches); text in arenas of one's own, the diag and interned names may.
 * A term made again is a new one. Marks nest; releasing one releases those taken after it. Between the two neither load
 * a program nor define anything. */
typedef struct CtxMark {
    ArenaMark arena;
    NatsMark nats;
    size_t types, terms;
    int hinted;
} CtxMark;
CtxMark ctx_mark(Ctx *c);
void ctx_release(Ctx *c, const CtxMark *m);

const Term *term_var(Ctx *c, int index, const Type *type);
const Term *term_input(Ctx *c, const char *name, const Type *type);
const Term *term_int(Ctx *c, const Type *scalar, int64_t v);     /* the number v; also for float types */
const Term *term_integer(Ctx *c, const Type *scalar, int64_t kept);      /* as it is kept, of an integer type that holds it */
const Term *term_float(Ctx *c, const Type *scalar, double v);
const Term *term_size(Ctx *c, const Type *scalar, const Nat *n); /* a constant becomes a literal */
/* A lambda over a value of type param; the body sees param->leaf_count new indices. hints: hint_count(param) names in
 * preorder of the type tree (a tuple before its components), or NULL. */
const Term *term_lam(Ctx *c, const Type *param, const Term *body, const char *const *hints);
int hint_count(const Type *param);
/* A hint behind '%' is no name: it says what the function was written with, "%map" in map2, "%loop" in loop. The name; NULL: none. */
static inline const char *hint_name(const char *hint) { return hint && *hint != '%' ? hint : NULL; }
static inline bool written_with(const Term *lambda, const char *mark) { return lambda->u.hints && lambda->u.hints[0] && !strcmp(lambda->u.hints[0], mark); }
/* A primitive. statics in the order typed; for reorder: statics[0] = PermKind, statics[1] = k or s (a zero constant when
 * unused), and for PERM_FUN args = fwd, inv, in. Functions are T_LAM. Normalises: tuple of all projections of one term is that term;
 * projection of a tuple is the component; zip and tuple of one argument are the argument; join, let: see term_let. */
const Term *term_prim(Ctx *c, PrimId id, const Nat *const *statics, int static_count,
                      const Term *const *args, int arg_count);
const Term *term_prim1(Ctx *c, PrimId id, const Term *a);
const Term *term_prim2(Ctx *c, PrimId id, const Term *a, const Term *b);
const Term *term_proj(Ctx *c, const Term *t, int i);
const Term *term_tuple(Ctx *c, const Term *const *parts, int n);
/* let value in lambda: inlined when the variable is used at most once outside every lambda, or the value is an atom or pure layout. */
const Term *term_let(Ctx *c, const Term *value, const Term *lambda);
/* A let that stays one though its variable is used once, in a term as it was written; term_with_args and substitution keep it. */
const Term *term_let_written(Ctx *c, const Term *value, const Term *lambda);
bool term_let_is_written(const Term *t);
/* The value of a lambda applied to an argument: substitution, with a let where the argument computes and would be duplicated. */
const Term *term_beta(Ctx *c, const Term *lambda, const Term *arg);
/* The same without a let: the argument is computed wherever it is used. */
const Term *term_inline(Ctx *c, const Term *lambda, const Term *arg);
/* The same node with other arguments (types recomputed). */
const Term *term_with_args(Ctx *c, const Term *t, const Term *const *args);
/* The same with `arg` for argument i. */
#define TERM_MAP(c, t, i, arg) \
    __extension__({ \
        const Term *args_##i[ARG_MAX]; \
        for (int i = 0; i < (t)->arg_count; i++) args_##i[i] = (arg); \
        term_with_args((c), (t), args_##i); \
    })
/* Add `by` to every free index >= cutoff (by may be negative: NULL without an error if an index in between occurs free). */
const Term *term_shift(Ctx *c, const Term *t, int by, int cutoff);
/* Does any of the indices [from, from + n) occur free? */
bool term_mentions(const Term *t, int from, int n);
/* Every size or parameter variable of a term or type, each once, in pre-order of first appearance. */
void term_vars(const Term *t, VarKind kind, NatAtomVec *out);
void type_vars(const Type *t, VarKind kind, NatAtomVec *out);
NatAtomVec term_vars_in(const Term *t, VarKind kind);                /* as a list of its own, to be dropped */
/* The first of t and the terms below it, in reading order, that it is; each is asked once, wherever it stands. NULL: none is. */
const Term *term_find(const Term *t, bool (*is)(void *data, const Term *t), void *data);
/* The dimension of a parallel map. */
static inline int term_map_dim(const Term *t) { return t->prim == PRIM_MAP_LANE ? 0 : t->prim == PRIM_MAP_WARP ? 1 : (int)t->statics[0]->value; }
bool term_is_approximate(const Term *t);                 /* does it round what it means, `tf32 x` being x? */
/* What a node stands for whose meaning is a term: mma, in the forms that kernels are made of. NULL: not typed, with an error. */
const Term *term_meaning(Ctx *c, const Term *t);
/* The length of the array that it indexes by values, which are i32; NULL: it indexes none. */
const Nat *term_indexed_length(const Term *t);
/* Replace free index i (0 <= i < n) by values[i] (which live outside the n binders) and lower the others by n. */
const Term *term_subst(Ctx *c, const Term *t, const Term *const *values, int n);
/* The value of a parameter of that type as a term at depth 0 of its lambda: a variable, or the tuple tree of them. base: index of the last leaf. */
const Term *term_param(Ctx *c, const Type *param, int base);
/* Substitute size variables and tuning parameters everywhere; NULL + E36/E34 text in diag when a fact breaks. */
const Term *term_subst_nats(Ctx *c, const Term *t, const NatBinding *map, int count);
/* Replace a T_INPUT by a closed-or-open term of the same type (used when a program is instantiated). */
const Term *term_subst_input(Ctx *c, const Term *t, const char *name, const Term *value);
bool term_is_layout(const Term *t);                       /* no scalar operation, toX, reduction or mapped form */
bool term_is_param(const Term *t, const Type *type, int base);         /* is it what term_param makes? */
bool term_is_atom(const Term *t);                         /* variable, input, literal, size, or projection of such */
/* Number of occurrences of the free indices [from, from+n); under a lambda (a let's apart) each counts as many (2). */
int term_uses(const Term *t, int from, int n);
/* Parameter type that function argument i must have, given the other (data) arguments in args (NULL at function slots). */
const Type *prim_param_type(Ctx *c, PrimId id, const Nat *const *statics, const Term *const *args, int arg_count, int i);
/* Slices: slice s f from to in. f is typed at a length of its own, a VAR_INDEX n of the bounds 0 <= n <= (length in) / s rounded
 * up, which is a number only when a program runs; may be 0. The result has no n in it, and nothing in f may ask anything of n
 * (a fact): E04 otherwise. So that equal slices are one term, term_prim names n by how deep slices nest in f (n, n1, ...),
 * and renames it where a size from outside has that name: a slice may be put inside of another as it stands. */
const NatAtom *slice_length(const Term *slice);          /* its n */
/* f for a slice of that many elements: a number, 0 among them, or the index variable of a kernel. */
const Term *slice_function(Ctx *c, const Term *slice, const Nat *length);
/* The length of arrays of type t if it is what an iterate or a slice made for its function, to stand for any; sizes of programs
 * have upper-case names, this one has not. NULL: it is none. */
const NatAtom *type_any_length(const Type *t);

/* The lengths of an iterate's array before its steps, each once; with a count that is not known, before the first. So many; 0: its
 * function is for one length alone. */
enum { ITERATE_LENGTHS = 256 };
int iterate_lengths(Ctx *c, const Term *iterate, const Nat *out[ITERATE_LENGTHS]);

static inline bool term_is(const Term *t, PrimId id) { return t->kind == T_PRIM && t->prim == id; }

/* Slots (places.md). A child of a term is an argument, or the body of a T_LAM; let's body slot is the lambda's body. */
static inline int term_slot_count(const Term *t) { return t->arg_count; }
const char *term_slot_name(Ctx *c, const Term *t, int i); /* "f" "in" "body" "0" ... */
static inline const Term *term_slot(const Term *t, int i)
{
    return i == 1 && term_is(t, PRIM_LET) ? t->args[1]->args[0] : t->args[i];
}
/* How many indices are bound on the way into a slot. */
static inline int term_slot_binds(const Term *t, int i)
{
    const Term *f = t->kind == T_LAM ? t : i == 1 && term_is(t, PRIM_LET) ? t->args[1] : NULL;
    return f ? f->type->elems[0]->leaf_count : 0;
}
/* Is the i-th slot of t, if at all, only computed where another says so? What it reads may be nowhere else. */
static inline bool term_guards(const Term *t, int i) { return i > 0 && t->kind == T_PRIM && prim_is_lazy((PrimId)t->prim); }
/* What the variables bound around a place count, as choices on the way there have it; in c->scratch. */
typedef struct Counters Counters;
const Counters *counters_at(Ctx *c, const Term *root, const uint8_t *slots, int length);
/* A value in i32 there as a number, which new variables of c->nats may be in; NULL: it is none that counters and sizes make. */
const Nat *counters_value(Ctx *c, const Term *t, const Counters *around);
/* Is the value there one of the numbers below length, as is proved by what the variables count and choices say? */
bool counters_index(Ctx *c, const Term *t, const Nat *length, const Counters *around);
/* May part, as it stands in what the slots lead to, fail where nobody asks for it? An index may be out of range, or a divisor 0. "May": not proved
 * that it cannot. */
bool term_part_may_fail(Ctx *c, const Term *root, const uint8_t *slots, int length, const Term *part);
const Term *term_with_slots(Ctx *c, const Term *t, const Term *const *children);     /* one a slot; NULL: it stays */

/* The facts of one node, instantiated: k divides n, k <= n, k < n. Trivially true ones are left out. */
typedef enum FactKind { FACT_DIVIDES, FACT_LE, FACT_LT } FactKind;
typedef struct Fact { FactKind kind; const Nat *a, *b; } Fact;
static inline bool fact_equal(const Fact *x, const Fact *y) { return x->kind == y->kind && x->a == y->a && x->b == y->b; }
bool fact_holds(FactKind kind, int64_t a, int64_t b);           /* of numbers; 0 divides none */
/* For all sizes, given what is known (NULL: nothing), or for none: each is "proved", so false means "not known". */
bool fact_is_certain(Nats *n, const Fact *f, const NatFacts *known);
bool fact_is_impossible(Nats *n, const Fact *f);
const char *fact_word(FactKind kind);                           /* "divides", "<=", "<" */
void fact_print(const Fact *f, Buf *out);                       /* "s0 divides N", "k <= n" */
const char *fact_text(const Fact *f, Arena *arena);
int term_own_facts(Ctx *c, const Term *t, Fact out[8]);
extern const char *const fact_verbs[FACT_LT + 1];               /* "divide" "be at most" "be less than" */

/* A content hash independent of names and creation order: SHA-256 over a canonical serialisation (first 64 bits are shown). */
void term_digest(Ctx *c, const Term *t, uint8_t out[32]);

#endif

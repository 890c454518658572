/* inputs: how inputs are filled (fill.c), and what sizes and parameters are bound to (bindings.c; decisions.md: Sizes). */
#ifndef INPUTS_H
#define INPUTS_H

#include "eval.h"
#include "plan.h"

/* ---- inputs ---- */

typedef enum FillKind {
    FILL_DEFAULT,                       /* floats random(1,-1,1), integers random(1,-8,8), bool random */
    FILL_RANDOM, FILL_IOTA, FILL_CONST, FILL_FILE, FILL_ADVERSARIAL, FILL_OFFSETS,
    FILL_STOCHASTIC,                    /* rows of random numbers from 0 on that sum to 1 */
    FILL_VALUES,                        /* written out: [1, 2, 3] */
    FILL_DATA,                          /* the caller's values */
} FillKind;
typedef struct FillSpec {
    FillKind kind;
    uint64_t seed;                       /* RANDOM, ADVERSARIAL, STOCHASTIC, OFFSETS (0: evenly) */
    double lo, hi;                       /* RANDOM; OFFSETS: from 0 to hi, in order */
    double value;                        /* CONST; ADVERSARIAL: the largest magnitude, 0: 1e15 (decisions.md) */
    const char *lo_text, *hi_text, *value_text;      /* what lo, hi and value are calculated from (fill_bind); NULL: numbers */
    const char *path;                    /* FILE; VALUES: their text, as data_read_text takes it */
    const Data *data;                    /* DATA: of the bound type; the caller's */
} FillSpec;

/* "random(1,-1,1)" "iota" "const(2.5)" "file("x.bin")" "adversarial(1)" "offsets(1,256)" "[1, 2]" "data". */
static inline bool fill_is_given(const FillSpec *spec) { return spec->kind == FILL_VALUES || spec->kind == FILL_FILE; }
void fill_print(const FillSpec *spec, Buf *out);
#define FILL_NEEDS "random(seed,lo,hi), iota, const(v), file(\"x.bin\"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], " \
    "or a number: 0.1/(N-1)"
/* What text says, "0.1/((N-1)*(M-1))": numbers, + - * / // %, names, of which `of` gives the numbers, and functions of numbers, all in
 * double. E02: a name that `of` does not know; E05: it is no such text. */
typedef bool FillNumber(void *data, const char *name, double *out);
bool fill_calculate(Ctx *c, const char *text, FillNumber *of, void *data, double *out, Diag *diag);
/* How the values of a component come about, for a program that makes them itself: constant lo; its index; or
 * lo + (hi - lo)*u, of integers those from lo to hi, of bool both, u from rng_next on `state`. */
typedef struct FillFormula {
    enum { FORMULA_RANDOM, FORMULA_IOTA, FORMULA_CONST } kind;
    uint64_t state;
    double lo, hi;
} FillFormula;
/* false: no formula gives them */
bool fill_formula(const FillSpec *spec, int position, int part, Scalar scalar, FillFormula *out);
/* The values of an input of that type (sizes bound). position: which input of the program it is, from 0; unset inputs get
 * random(1 + position, ..), so that no two are alike. variant 0 is the specification itself; others vary the seed of random
 * and adversarial data and of offsets and change nothing else. NULL + E06, E08, E35, E37 in diag. Free with data_free. */
Data *fill_data(Ctx *c, const Type *type, const FillSpec *spec, int position, int variant, Diag *diag);

/* ---- sizes ---- */

/* A size variable or tuning parameter with its value. set: false means unset (value is then ignored). */
typedef struct Binding {
    const char *name;
    VarKind kind;                        /* VAR_SIZE or VAR_PARAM */
    bool set;
    int64_t value;
} Binding;

/* Numbers in place of the texts of a specification, over sizes and other scalar inputs, which may have texts, too. E02 E05 E37. */
struct RunInput;
typedef struct FillNames { Ctx *c; const Binding *b; int count; const struct RunInput *inputs; int input_count, depth; } FillNames;
bool fill_is_sound(const FillSpec *s);               /* are its numbers, as far as they are known, those of such a specification? */
bool fill_bind(const FillNames *names, FillSpec *spec, Diag *diag);

/* Those of that kind that are set, as results keep them: "N=1024 K=64". In the arena. */
const char *bindings_text(const Binding *b, int count, VarKind kind, Arena *arena);
/* Those that are set, of sizes only if asked for, as a substitution (malloc); a term and a type with it. NULL: as term_subst_nats. */
NatBinding *bindings_map(Ctx *c, const Binding *b, int count, bool sizes, int *n);
const Term *bindings_term(Ctx *c, const Term *t, const Binding *b, int count, bool sizes);
const Type *bindings_type(Ctx *c, const Type *t, const Binding *b, int count, bool sizes);
typedef struct Valuation { const Binding *b; int count; } Valuation;
bool valuation_value(void *valuation, const NatAtom *var, int64_t *out);        /* a NatValue over a Valuation; false: unset */
bool valuation_breaks(const Valuation *v, const Fact *fact);             /* all that it reads is set, and it does not hold */
/* Does every fact of the term hold? A fact with an unset variable is passed over. False + E36, or E34 when parameters alone
 * take part: "N = 1000 under split 32 at /in: 32 must divide N", with a note "near" naming legal values. */
bool bindings_check(Ctx *c, const Term *t, const Binding *b, int count, Diag *diag);
/* As bindings_check, of given facts: those of a plan are more. */
bool bindings_check_facts(const PlanFact *facts, int fact_count, const Binding *b, int count, Diag *diag);
void fact_demand(const Fact *f, Buf *out);                               /* "s0 must divide N" */
/* Is everything set? False + E35 for a parameter, or E37 for a size. */
bool bindings_complete(const Binding *b, int count, Diag *diag);
/* Give every unset size the smallest value >= at_least that makes all facts hold together with the others (the first
 * variable smallest, then the second ...); parameters are set. False + E36 when there is none in reach. */
bool bindings_fill(Ctx *c, const Term *t, Binding *b, int count, int64_t at_least, Diag *diag);

#endif

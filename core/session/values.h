/* values: the facts of a version, values of its sizes and parameters, and its term, kernels and data with them. */
#ifndef VALUES_H
#define VALUES_H

#include "session.h"

/* ---- parameters, facts and sizes ---- */

/* All facts of a version: those of its nodes, then those of `when`, then those of the program that it comes from, each once. In the arena. Returns the number. */
int session_facts(const Session *s, const Version *v, Arena *arena, PlanFact **out);

int session_unbound(const Version *v);        /* index of the first unbound parameter in use, -1 none */

enum { SIZE_DEFAULT = 256 };             /* smallest value of a size that is not set (decisions.md: Sizes) */

/* Values of the sizes (by Program.sizes), then of the version's parameters, while something is evaluated. In the arena. */
typedef struct Values {
    const Derivation *derivation;
    const Version *version;
    int count;
    Binding *b;
    bool *chosen;                        /* by size: it is a default, not the user's */
    const char **from_input;              /* by size: the input whose file or values say it; NULL: none */
    PlanFact *facts;                     /* of the version, once values_collect has found them */
    int fact_count;
} Values;
/* Sizes the user gave, those that inputs' files and values say where he gave none, parameters that are bound; others unset. */
void session_given_values(const Session *s, const Version *v, Arena *arena, Values *out);
/* Everything has a value: sizes the user's, or the smallest legal ones >= 256 (decisions.md: Sizes). E35 with legal values
 * for a parameter in use that is not bound, E36 with the fact that fails. */
bool session_values(const Session *s, const Version *v, Arena *arena, Values *out);
/* Find the facts of the version now, before session_legal is asked about many of its parameters: each
 * would have to find them. */
void values_collect(const Session *s, Arena *arena, Values *values);
/* For listing legal values: as session_values, unbound parameters staying unset. False, without an error: no such sizes, and *out is
 * as session_given_values has it. */
bool session_trial_values(const Session *s, const Version *v, Arena *arena, Values *out);
/* The same; sizes for which there are none that are legal are 256. */
void session_space_values(const Session *s, const Version *v, Arena *arena, Values *out);
bool values_nat(const Values *values, const Nat *n, int64_t *out);   /* false: unknown, or not an integer */
/* NatValue over a Values. */
bool values_of(void *values, const NatAtom *var, int64_t *out);
/* "N=256 (default; data N = ...)  K=64  s0=32" */
void values_print(const Values *values, Buf *out);

bool values_break(const Values *values, const Fact *f);      /* all that it reads has a value, and it does not hold */
/* The first fact of the version that fails; NULL: none does. */
const PlanFact *session_violated(const Session *s, const Values *values, Arena *arena);

/* What one parameter may be. */
typedef struct LegalRejection {  /* candidates that one constraint rejects, with the values of the other parameters */
    const char *text;                    /* "s0 divides 1024" */
    const char *from;                    /* as Constraint.from */
    int count;
    const int64_t *values;               /* ascending */
} LegalRejection;
typedef struct LegalValues {
    const char *constraint;              /* "1 <= s0 <= N, s0 divides N" */
    bool known;                          /* false: sizes are missing; the constraint says it all */
    bool all_listed;                     /* false: more than count are legal */
    int count;
    int64_t *values;                     /* ascending */
    const char *at;                      /* "N = 4096": the sizes it was computed for; "" when none is involved */
    int rejection_count;
    const LegalRejection *rejections;
} LegalValues;
/* The device whose limits legal values keep, NULL: none's. A program's parameters may be bound to
 * others before it is chosen. */
void session_set_limits(Session *s, const char *device, const TuneLimits *limits);
const TuneLimits *session_limits(const Session *s, const char **device);         /* NULL: none; device may be NULL */
bool session_legal(const Session *s, const Values *values, const char *param, Arena *arena, LegalValues *out);      /* E02 */
/* May those parameters have these values together (0: unbound)? E02, E34 with the constraint and the nearest
 * legal values. deep: also what the limits of the device say, and whether the parameters that stay open can
 * have values then (some milliseconds). */
bool session_params_check(const Session *s, const Version *v, const TuneParam *b, int n, bool deep, Arena *arena);
/* Bind (value > 0, checked) or unbind (0) parameters of the current version: one new version. */
const Version *session_params(Session *s, const TuneParam *b, int n);
/* Read "s0 = 32, s1 = ?" (?: 0). In the arena; returns how many, -1: it has another form, or a number is beyond 64 bits. */
int bindings_read(const char *text, Arena *arena, TuneParam **out);

/* ---- terms, plans and data of a version, with values (values.c, inputs.c) ---- */

/* The term with its parameters, and with sizes when asked for, replaced by their values; NULL + E34/E36. */
const Term *session_bound_term(const Session *s, const Values *values, bool sizes);
const Type *session_bound_type(const Session *s, const Values *values, const Type *t);
/* The kernels of the version of values, made as `how` says, whose inputs are set here, and whose program where none is; sizes replaced by their
 * values when asked for, else arguments. In the arena; NULL + what session_bound_term and plan_make say. */
Plan *session_plan(const Session *s, const Values *values, bool sizes, Arena *arena, PlanOptions how);

const char *size_name(const Program *p, int i);                       /* of its i-th size */
typedef enum Datum { DATUM_NONE, DATUM_SIZE, DATUM_INPUT } Datum;
Datum derivation_datum(const Derivation *d, const char *name);       /* what of its program is called so */
bool session_set_size(Session *s, const char *name, int64_t value);  /* 0: unset. E02 */
bool session_set_input(Session *s, const char *name, const FillSpec *spec);      /* E02 */
/* Does the file of input i hold what the input is, with the sizes as session_given_values has them? E06 E37. */
bool session_file_fits(const Session *s, const Values *given, int i);
/* The specification of an input with its texts calculated. E02 E05 E37. */
bool session_bound_spec(const Session *s, const Values *values, int i, FillSpec *out);
bool input_spec_parse(Ctx *c, const char *text, FillSpec *out);      /* "random(1,-1,1)"; E05. Texts in the diag arena */
/* The data of input i; free with data_free. NULL + E06 E08 E35. */
Data *session_input_data(const Session *s, const Values *values, int i);
/* The settings of a run, from the session's. */
RunSettings session_run_settings(const Session *s);

/* ---- spaces: the points that the parameters of a version may have (tune.h) ---- */

/* What the user asks of the parameters besides. */
typedef struct AskedConstraint {
    Constraint con;                      /* a CALL; vars: indices of the names given */
    const char *missing;                 /* holds is NULL: not about this version, which has no such parameter; else NULL */
} AskedConstraint;
/* Those on v's parameters of these names, in the arena, their data until the next call; how many, -1: an error in
 * the diag. What they are asked later may end with an error in the diag, too: they do not hold from then on. */
typedef int AskedCall(void *data, const Version *v, const char *const *names, int n, Arena *arena, AskedConstraint **out);
void session_ask(Session *s, AskedCall *call, void *data);            /* NULL: nothing is asked; data must outlive s */
int session_asked(const Session *s, const Version *v, const char *const *names, int n, Arena *arena, AskedConstraint **out);

typedef struct SpaceOptions {
    bool bound;        /* parameters that are bound are part of the space, too; else they keep their values */
    bool asked;                          /* what session_ask knows holds, too */
    const TuneLimits *limits;            /* NULL: only the facts */
    const TuneVar *values;               /* candidates for some parameters, by name */
    int value_count;
    const Constraint *constraints;       /* in addition, behind the others; vars are indices of session_space_names */
    int constraint_count;
    int64_t limit;                       /* as in TuneSpec */
    int edges;
    const volatile int *stop;            /* besides the context's */
} SpaceOptions;
/* The parameters in use of which a space consists: s0 s1 ... s10. In the arena; returns how many. */
int session_space_names(const Version *v, bool bound, Arena *arena, const char ***out);
/* The points of a version for these values, which are put into *at, but for parameters that are part of the space. NULL: E36,
 * as tune_space, or what an asked constraint says. Release with tune_free. */
TuneSpace *session_space(const Session *s, const Version *v, const SpaceOptions *o, Arena *arena, Values *at);
/* Its constraints, of the *at that it left. In the arena; returns how many, -1: E36. */
int session_constraints(const Session *s, const Values *at, const SpaceOptions *o, Arena *arena, Constraint **out);

#endif

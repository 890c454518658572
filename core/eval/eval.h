/* eval: values as the kernels store them, and the reference interpreter, the oracle (primitives.md, types.md;
 * decisions.md: Verification).
 *
 * The interpreter works on terms whose sizes and parameters are all bound to constants (term_subst_nats
 * first). Evaluation is pure and lazy: arrays are functions of their index, so one element can be asked for
 * alone and an error in an element that is not asked for is not reported. */
#ifndef EVAL_H
#define EVAL_H

#include "contents.h"
#include "ir.h"

/* The lengths around one component of a value, outermost first; lanes of a vector last. */
enum { SHAPE_RANK = 31 };
typedef struct PartShape {
    Scalar scalar;
    int rank;
    int64_t dims[SHAPE_RANK];
} PartShape;
/* Of component `part` of a type. False: a length is no constant, or there are SHAPE_RANK of them and more. */
bool type_part(const Type *t, int part, PartShape *out);

/* A value of a data type with constant sizes, one dense row-major buffer a component: [N](f32, i32) and
 * ([N]f32, [N]i32) both have two. Vectors are `width` consecutive scalars. bool is one byte, 0 or 1. A scalar
 * is a component of one element. */
typedef struct DataPart {
    Scalar scalar;
    int64_t count;                       /* scalars in the buffer */
    void *values;                        /* count * scalar_bytes(scalar) bytes, malloc but for those of a map */
    void *map;                           /* of a file, which stays as it is whatever is written here; NULL: none */
    size_t map_bytes;
    ContentKey key;                      /* data_seal */
} DataPart;
typedef struct Data {
    const Type *type;
    int part_count;
    DataPart *parts;
    const volatile int *stop;            /* the context's: fillers give up when it is raised */
} Data;

/* NULL + E08/E35 when a size is not constant or the whole exceeds 2^40 bytes. Zeroed. Free with data_free. */
Data *data_new(Ctx *c, const Type *t);
void data_free(Data *d);
void data_seal(Data *d);                                       /* finds the keys; its values stay as they are from now on */
size_t data_bytes(const Data *d);
double data_get(const Data *d, int part, int64_t i);           /* any scalar as a double (i64 rounded) */
int64_t data_get_int(const Data *d, int part, int64_t i);
void data_set(Data *d, int part, int64_t i, double v);         /* rounded / converted to the scalar */
void data_set_int(Data *d, int part, int64_t i, int64_t v);
/* The first scalar of a component, from that on, all of whose bytes are this one; its count: there is none. */
int64_t data_find_filled(const Data *d, int part, int64_t from, uint8_t byte);
/* Fillers, on all cores: what an element becomes depends on the seed and its place, not on how many there are. Integers take the
 * integers in [lo, hi]; bool takes both. */
void data_fill_random(Data *d, uint64_t seed, double lo, double hi);
void data_fill_exact(Data *d, uint64_t seed, int magnitude);   /* small integers in [-m, m] in every type */
/* The same, without 0, or in [1, m]; all are 0 but one in so many. */
typedef enum FillSign { SIGN_ANY, SIGN_NOT_ZERO, SIGN_POSITIVE } FillSign;
void data_fill_thinned(Data *d, uint64_t seed, int magnitude, FillSign sign, int one_in);
uint64_t data_seed(uint64_t seed, int part);                   /* what the random numbers of a component start from */
/* For fillers: every component in blocks of at most DATA_BLOCK scalars, [at, at + n), each by one call. r: where the numbers of
 * the whole component stand there when each scalar takes so many draws; 0 draws: unknown, so each block has its own. */
enum { DATA_BLOCK = 1024 };
typedef void DataBlock(const void *how, const DataPart *p, int64_t at, int n, Rng r);
void data_each_block(Data *d, uint64_t seed, int draws, DataBlock *block, const void *how);
void data_fill_iota(Data *d);
/* From 0 to n, in order: at random, or evenly for the seed 0. */
void data_fill_offsets(Data *d, uint64_t seed, int64_t n);
/* Random numbers from 0 on, whose rows, along the last dimension, sum to 1; of integers 0 and one 1. */
void data_fill_stochastic(Data *d, uint64_t seed);
void data_fill_const(Data *d, double v);
void data_mix_extremes(Data *d, uint64_t seed);                /* every other integer is 0, 1, -1, or next to where its type wraps */
void data_fill_adversarial(Data *d, uint64_t seed, double largest);   /* +-0, tiny, huge up to largest, mixed */
/* As data_print_head writes it, whole: "[1, 2.5]", "[[1, 2], [3, 4]]", "(1, [true])", "<1, 2>", "5". False +
 * E37 naming what does not fit the type. */
bool data_read_text(Data *d, const char *text, Diag *diag);
void data_hash(const Data *d, uint8_t out[32]);
/* First elements in language-like text: [1, 2, 3, ...]; nested; at most limit scalars. */
void data_print_head(const Data *d, int limit, Buf *out);
void data_print_at(const Data *d, int part, int64_t at, Buf *out);        /* one element */

typedef struct EvalInput {
    const char *name;
    const Data *data;
    bool given;                /* its values are the user's own, written out or in a file: no advice is to replace them */
} EvalInput;

/* A term with its inputs, ready for elements to be asked for. Keeps pointers to term and inputs. */
typedef struct Eval Eval;
typedef enum EvalMode {
    EVAL_EXACT,                          /* every operation rounds to its own type: the language's meaning */
    EVAL_REFERENCE,                      /* floats in f64 throughout, and the shadow: the same term over magnitudes */
    EVAL_WIDE,                           /* floats in double-double throughout, some 100 bits */
    /* Of a draw (eval_draw), a function of it and of values alone: the same computation rounds the same way wherever it stands.
     * Monte Carlo arithmetic: Parker 1997. */
    EVAL_MOVED,                          /* as EVAL_EXACT, but what OpenCL lets a device round is moved by as many ulp */
    EVAL_ANY_ORDER,                      /* besides, every operation rounds up or down: for sums whose order a device chooses */
    EVAL_RANDOM,                         /* every operation rounds up or down in its own type, those functions by as many ulp; what is exact stays so */
    EVAL_RANDOM_F64,                     /* floats in f64 throughout, every operation rounds up or down */
    EVAL_RANDOM_WIDE,                    /* the same of double-double */
} EvalMode;
Eval *eval_new(Ctx *c, const Term *t, const EvalInput *inputs, int input_count, EvalMode mode);
void eval_free(Eval *e);

typedef struct EvalScalar {
    double f;                            /* floats */
    int64_t i;                           /* integers and bool (exact) */
    /* EVAL_REFERENCE, floats: value of the same term over magnitudes (every + - a sum of
     * magnitudes, * / of magnitudes, ...) */
    double shadow;
    double low;                          /* EVAL_WIDE and EVAL_RANDOM_WIDE: what is left of it; else 0 */
} EvalScalar;

/* Which draw the next questions are of, from 1; before the first one. */
void eval_draw(Eval *e, uint64_t draw);
/* Draws move literals by up to an ulp of their type, too, but for those of few bits; before the first question. */
void eval_draw_literals(Eval *e);
/* A float that a wider one is made, an f16 of an f32, is a rounding like others: what is computed in wider floats goes without it. Before the first question. */
void eval_round_casts(Eval *e);
bool eval_literal_is_long(const Term *t);        /* of more bits than a few: it may be another's way to write the same number */
/* Element `flat` (row-major, as in Data) of component `part` of the result. False + E38 (defined errors, with
 * the place in the message: index out of range, division by zero, duplicate scatter index, perm no bijection,
 * cast out of range), E25 (fuel) or E08 (memory). */
bool eval_at(Eval *e, int part, int64_t flat, EvalScalar *out, Diag *diag);
/* From now on with the help of all cores, for as long as no other limit than a stop is set. Elements of
 * an array that all questions share are made ahead while they are asked for one after the other; eval_steps counts those as the
 * last one that was asked for, so that it is the same on any machine. */
void eval_on_all_cores(Eval *e);
/* Few elements are asked for, mostly of different tiles: one of a fold over an array is made by itself where it can be. Before the first
 * question. */
void eval_by_cells(Eval *e);
/* Many elements: x of each, in any order but for those that go on with what the one before them began, say with its row. late:
 * has the time run out? From then on no more is begun, but for the first one. Returns how many are answered without a gap;
 * when one fails, those before it, and its error is in diag. */
typedef struct EvalAsk { int part; bool goes_on; int64_t flat; EvalScalar x; } EvalAsk;
int64_t eval_many(Eval *e, EvalAsk *asks, int64_t n, bool (*late)(const void *whose), const void *whose, Diag *diag);
/* All of it, into out (of the term's type). In EVAL_REFERENCE floats are rounded on storing. */
bool eval_full(Eval *e, Data *out, Diag *diag);
/* All elements of a component in reference mode. want[i], shadow[i], i < count. */
bool eval_reference(Eval *e, int part, double *want, double *shadow, int64_t count, Diag *diag);
/* Limit scalar steps (0: none); reaching it is E25. Used by check and by interrupts: stop may be
 * set from a signal handler. */
void eval_limit(Eval *e, int64_t steps, const volatile int *stop);
/* From then on (clock_exact_ms; 0: never) whatever is asked ends with E25, inside an element, too. */
void eval_deadline(Eval *e, double ms);
int64_t eval_steps(const Eval *e);       /* spent since eval_new or eval_limit */
typedef struct EvalWork {
    double steps;                        /* of the interpreter, estimated, for all elements; saturating */
    /* operations on floats that the term asks for, every element computed once; fma counts two, comparisons, choices and casts
     * none; of an `if` the side with more. 0: none, or not known: it iterates, a length is no number, or a loop may end early */
    double flops;
    double depth;                        /* of the steps, at most so many one after another on the way to an element */
} EvalWork;
/* Sizes bound. rounds: that its one loop that may end early made, outside of every other; NaN: not known, or there is none. */
EvalWork eval_work(const Term *t, double rounds);
/* Does the program consist of + - * min max abs select if (and layout, casts between exact types) on numbers
 * only, so that small integers give exact results? */
bool eval_is_exact_program(const Term *t);
/* Has it operations on floats that OpenCL does not ask to be rounded correctly? */
bool eval_has_functions(const Term *t);
/* Does it compute with integers and bools alone, and is it defined whatever they are: is none an index, a divisor or narrowed? */
bool eval_takes_any_integer(const Term *t);
/* Does it choose elements by numbers that it computes or is given? */
bool eval_has_indices(const Term *t);

/* ---- literals (literals.c) ---- */

typedef struct Number { double f; int64_t i; } Number;         /* as a float and as an integer */
typedef struct Literals {
    Number v[24];
    int count;
    uint32_t decisive;                   /* those that values are compared with, as bits */
    bool decides;                        /* something is compared (min and max do) or rounded to integers */
} Literals;
/* Those of a term besides, while there is room; a half and 0 where it rounds. */
void literals_collect(Literals *l, const Term *t);
void literals_collect_lengths(Literals *l, const Type *t);     /* of the arrays in it, one less, and 0: the ends of an index */
/* A literal, or what meets one after a step of arithmetic with another. There is one at least. */
Number literals_near(const Literals *l, Rng *r, Scalar s);
/* A single number becomes a literal, a decisive one if there is one; every fourth of several does, or such a value; where
 * that lies in [lo, hi], which may bound only the floats. */
typedef enum MixIntegers { INTEGERS_STAY, INTEGERS_IN_RANGE, INTEGERS_ANY } MixIntegers;
void data_mix_literals(Data *d, uint64_t seed, const Literals *l, double lo, double hi, MixIntegers integers);

#endif

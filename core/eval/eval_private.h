/* eval_private: the machine behind eval.h: what code is, and running it. Shared by eval_ops.c (scalar operations),
 * eval_run.c (running code), eval_wide.c (running it many elements at a time) and the modules of eval_compile.h (terms to code) only.
 *
 * A term is compiled once into a graph of Code nodes, one a scalar; arrays never exist as such: asking for an element
 * compiles the code of that element at a symbolic Index. Equal questions are one node. A node that is asked for from
 * several places, or from inside a loop that it does not depend on, keeps its value until a loop it depends on takes a
 * step (Loop.tick). What must exist as a whole (accumulators, scans, shared arrays) lives in a Buffer that a Unit fills
 * on demand. So nothing is allocated while code runs, apart from each buffer once. */
#ifndef EVAL_PRIVATE_H
#define EVAL_PRIVATE_H

#include "eval.h"

typedef struct Code Code;
typedef struct Index Index;
typedef struct Stmt Stmt;
typedef struct Unit Unit;
typedef struct Memo Memo;
typedef struct Slices Slices;
typedef struct Run Run;
typedef struct Wide Wide;
typedef struct WideStores WideStores;
typedef struct WideFold WideFold;
typedef struct WideRuns WideRuns;

/* A float with its shadow in EVAL_REFERENCE, the sum of magnitudes that bounds its rounding error; in EVAL_WIDE and EVAL_RANDOM_WIDE with its low part instead, at most half an ulp of v; else with 0. */
typedef struct Flt { double v, shadow; } Flt;
typedef Flt FltFn(const Code *k, Run *m);
typedef int64_t IntFn(const Code *k, Run *m);
typedef union Fn { FltFn *f; IntFn *i; } Fn;         /* which one: Code.scalar */
/* NAME_int and NAME_flt: the value of the code that OF(k, m) gives, which may fail. */
#define THROUGH(NAME, OF) \
    static int64_t NAME##_int(const Code *k, Run *m) \
    { \
        const Code *code = OF(k, m); \
        return m->failed ? 0 : code->run.i(code, m); \
    } \
    static Flt NAME##_flt(const Code *k, Run *m) \
    { \
        const Code *code = OF(k, m); \
        return m->failed ? (Flt){0, 0} : code->run.f(code, m); \
    }
static inline bool mode_is_wide(EvalMode mode) { return mode == EVAL_WIDE || mode == EVAL_RANDOM_WIDE; }
static inline Fn fn_of(Scalar s, IntFn *i, FltFn *f) { return scalar_is_float(s) ? (Fn){.f = f} : (Fn){.i = i}; }

/* Values of one code at consecutive values of a loop variable: floats in v and shadow, integers in i. */
typedef struct Strip {
    double *v, *shadow;
    int64_t *i;
} Strip;
/* The operation of k on n values of each kid. `to` may be a strip of `of`, one element further on: then it folds. */
typedef void WideFn(const Code *k, const Strip *of, const Strip *to, int n, Run *m);

static inline bool strip_folds(const Strip *of, const Strip *to) { return of->v ? of->v + 1 == to->v : of->i + 1 == to->i; }
static inline Flt strip_flt(const Strip *s, int64_t j) { return (Flt){s->v[j], s->shadow[j]}; }
static inline int64_t strip_num(const Strip *s, int64_t j) { return s->i[j]; }
static inline void strip_put_flt(const Strip *s, int64_t j, Flt x) { s->v[j] = x.v, s->shadow[j] = x.shadow; }
static inline void strip_put_num(const Strip *s, int64_t j, int64_t x) { s->i[j] = x; }

/* The loops that something depends on (it is invariant in all others), without those that step only together with another
 * one of them (Loop.above). More than the room: never kept. mask: the depths of all of them, for estimates. */
typedef struct Loop Loop;
enum { DEPS_ROOM = 4 };
typedef struct Deps {
    int n;
    Loop *loops[DEPS_ROOM];
    uint64_t mask;
} Deps;

/* One loop variable, or some that step together. tick: the clock at its last step. Whenever a loop in above steps, this
 * one steps before anything that depends on it is asked for. The ground (depth 0, tick 1) is below everything. */
struct Loop {
    uint64_t tick;
    int depth;
    Deps above;
    uint64_t chain;                      /* depths of itself and all above, as Deps.mask */
    bool asked;                          /* it stands still while one element of the result is made, or steps for that one alone */
};

typedef struct Failure {
    enum {
        FAIL_NONE, FAIL_INDEX, FAIL_DIVISION, FAIL_TWICE, FAIL_SLICE, FAIL_PERM, FAIL_CAST, FAIL_FUEL, FAIL_STOP, FAIL_LATE, FAIL_REFUSED, FAIL_MEMORY
    } kind;
    const Term *term;
    int64_t a, b;
    double d;
} Failure;

/* count cells; memory comes with the first use, and is its Run's, or that of another Eval. An element whose evaluation failed is bad: reading it fails again. */
typedef struct Buffer {
    int64_t count;
    bool is_float;
    double *v, *shadow;                  /* of floats */
    int64_t *i;
    uint8_t *bad;
    Failure why;
} Buffer;

/* c + sum coef * atom, lo <= value <= hi; atoms are integer codes. */
typedef struct IndexTerm { int64_t coef; const Code *atom; } IndexTerm;
struct Index {
    uint32_t id;
    int n;
    int64_t c, lo, hi;
    Deps deps;
    uint32_t depth;
    const IndexTerm *terms;
};

struct Code {
    Fn run;                              /* what a user calls */
    Fn impl;                             /* the evaluation itself, when run keeps its value */
    const struct Code *kids[3];
    Scalar scalar;
    bool heavy, cached;                  /* heavy: worth keeping */
    bool exact;                          /* an input or a literal: no operation has rounded it */
    uint32_t id, depth, weight;          /* weight: scalar steps of one evaluation */
    Deps deps;
    const Term *term;                    /* for failures */
    const Index *index;
    const Index *as_index;               /* an integer that is this index, if known */
    int64_t n, lo, hi;                   /* divisor, length ...; bounds of an integer */
    const void *base;                    /* input values */
    Buffer *buffer;
    Unit *unit;
    Memo *memo;
    Slices *slices;
    int part;
    Loop *loop;
    const struct Code *reg;
    uint64_t stamp;
    int64_t i;                           /* value: register, literal, kept value */
    Flt f;
};

/* Statements fill buffers. A list runs in order. */
typedef void StmtFn(const Stmt *s, Run *m);
struct Stmt {
    StmtFn *run;
    Stmt *next, *body, *other;
    const Code *code;                    /* stored value; condition */
    const Index *index;
    Buffer *buffer;
    Loop *loop;
    Code *reg;
    int64_t n;
    uint32_t weight;
    bool tried;                          /* a loop: wide is found out, NULL: nothing is gained by strips */
    WideStores *wide;
};

/* What is computed as a whole, when first read after a step in deps. */
enum { SCALARS_MAX = 8 };                /* pairs of a fold over scalars */
typedef struct Pair { Buffer *now, *next, *record; } Pair;       /* of an accumulator; record: all steps (scan) */
struct Unit {
    void (*fill)(Unit *u, Run *m);
    Deps deps;
    uint64_t stamp;
    uint32_t depth;
    Stmt *init, *step;                   /* step: once per value of reg, 0 <= reg < n */
    Loop *loop;
    Code *reg;
    int64_t n;
    bool scalars;                        /* a fold whose step stores one scalar a pair, in their order, and keeps none */
    bool may_rest;                       /* a fold whose step looks at its state alone: once it stays as it was, it does so for ever */
    int pair_count;
    Pair *pairs;
    const Code *forth, *back;            /* perm: at reg, and at arg; by index: the index of the pair at reg */
    Code *arg;                           /* by index: that index */
    bool tried;                          /* as Stmt.tried, of folds */
    WideFold *wide;
    const Term *term;
    int number;                          /* which of an Eval's */
};

/* An array whose elements are computed when first asked for and kept. Parts as in Data. */
typedef struct MemoPart {
    Buffer *values;
    uint32_t *stamps, now;
    uint64_t seen;
    const Code *body;
    int rank;
    Code **regs;                         /* outermost first, each with a loop of its own inside the one before */
    int64_t *sizes;
    bool apart;                          /* one element of a row is as dear as the next */
    bool tried;                          /* as Stmt.tried, of a row; strip: which is the values' */
    int strip;
    Wide *wide;
    int64_t expected, window;            /* Run.ahead: where the next element is looked for; how many were looked ahead */
} MemoPart;
struct Memo {
    int number;                          /* which of an Eval's */
    Deps deps;
    int part_count;
    MemoPart *parts;
};

struct Run {
    bool failed;
    bool hard;                           /* fuel, stop or memory: not a property of one element */
    Failure why;
    const Failure *doomed;               /* under a condition that failed: everything stored is bad, for this reason */
    uint64_t clock;
    int64_t steps, limit;                /* limit 0: none */
    const volatile int *stop;
    double deadline;                     /* eval_deadline; and the steps since somebody looked at the clock */
    uint32_t unseen;
    /* Told of n elements that were made of what depends on no loop, and of the steps that they took; NULL: nobody is. */
    void (*ahead)(Run *m, Memo *memo, int part, int64_t at, int64_t n, int64_t steps);
    /* As wide_strips at 0, with the help of others; NULL: there are none. */
    bool (*together)(Run *m, Unit *u, int64_t from, int64_t n, const Strip *out);
    EvalMode mode;
    uint64_t draw;                       /* of the modes that have one, */
    double lean[PRIM_COUNT];             /* and where all results of a function are moved to in every other one: from -1 to 1 */
    bool draws_literals, rounds_casts;
    const WideRuns *wide;                /* strips, NULL: there are none */
    Arena *arena;                        /* the Eval's, for plans of strips */
    VEC(void *) memory;                  /* of buffers, memos and strips: as long as the Eval */
    VEC(Strip) strips;                   /* a stack of those in use, and others */
    int strip_used;
};

/* ---- scalar operations (eval_ops.c) ---- */
void run_fail(Run *m, int kind, const Term *t, int64_t a, int64_t b);
void run_draw(Run *m, uint64_t draw);
Fn op_function(PrimId op, Scalar operand, EvalMode mode);
WideFn *op_wide(Fn run);                 /* the same operation of strips; NULL: there is none, or it is no operation */
WideFn *op_wide_choice(Scalar s);        /* the second where the first is true, else the third */

/* ---- running (eval_run.c) ---- */
int64_t index_value(const Index *x, Run *m);
void loop_step(Loop *l, Run *m);
void loop_enter(Loop *l, Code *reg, int64_t value, Run *m);      /* a step only if the value or a loop above changed */
bool buffer_open(Buffer *b, Run *m);     /* memory for all of it; false: there is not so much, m has failed */
bool spend(Run *m, uint32_t weight);     /* false: no more is to be done */
bool unit_ready(Unit *u, Run *m);        /* false: failed */
void memo_open(MemoPart *p, const Memo *memo, Run *m);
bool memo_has(const MemoPart *p, int64_t at);
void memo_enter(MemoPart *p, int64_t at, Run *m);               /* the loops of its body step to that element */
void memo_put(MemoPart *p, int64_t at, const Strip *values, int n);
void memo_get(const MemoPart *p, int64_t at, const Strip *to, int64_t j);     /* of an element that it has */
bool memo_make(MemoPart *p, int64_t at, Run *m);                /* one more element; false: failed */
/* What a row's elements have in common was computed for that one, in so many steps: the others while they cost far less, in no more
 * steps than a few times as many. One that fails does so when it is asked for. */
void memo_row(MemoPart *p, int64_t at, int64_t steps, Run *m);
int64_t memo_some(MemoPart *p, int64_t at, int64_t most, Run *m);             /* that many from `at` on at once, there or not; 0: none */
void code_keep(const Code *k);           /* from now on the node keeps its value */

IntFn run_reg, run_int, run_index, run_div, run_mod, run_clamp, run_mirror, run_check, run_in_range, run_perm;
FltFn run_flt, run_literal;
Fn run_if(Scalar s), run_enter(Scalar s);
Fn run_load(Scalar s, EvalMode mode), run_load_buffer(Scalar s), run_load_unit(Scalar s), run_load_memo(Scalar s);
StmtFn stmt_store, stmt_loop, stmt_if;
/* What run_div ... make of the value of their index or kid; NULL: another function. */
typedef int64_t AtomFn(const Code *k, int64_t value, Run *m);
AtomFn *index_atom(IntFn *run);
void fold_step(Unit *u, int64_t i, Run *m);      /* of a fold, by index too, its loop being there */
void stmt_steps(const Stmt *loop, int64_t from, int64_t to, Run *m);         /* some steps of a stmt_loop */
void fill_once(Unit *u, Run *m), fill_fold(Unit *u, Run *m), fill_perm(Unit *u, Run *m), fill_scatter(Unit *u, Run *m);

/* ---- many elements at once (eval_wide.c): how many were done so, 0: none; those are left to the caller ---- */

enum { STRIP = 256 };                    /* most */
struct WideRuns {
    int64_t (*stores)(const Stmt *loop, int64_t from, int64_t to, Run *m);    /* steps of a stmt_loop */
    int64_t (*fold)(Unit *u, int64_t i, Run *m);                /* steps from i on of fill_fold */
    int64_t (*memo)(MemoPart *p, int64_t at, int64_t most, Run *m);           /* elements, there or not, of one row */
};
extern const WideRuns wide_runs;
/* What a fold reads at its steps from + at ... from + at + n, which depends on nothing that it folds, to out + at, one strip of out
 * for each that it has. False: some failed. */
bool wide_strips(Unit *u, int64_t from, int64_t at, int64_t n, const Strip *out, Run *m);

#endif

/* eval_compile: from terms to the code of eval_private.h. Shared by the modules that do it, bottom first:
 * eval_index.c (loops, codes, index arithmetic), eval_compile.c (the code of what lies at a place in a term's value) and
 * eval.c (an Eval and its questions).
 *
 * Everything is interned in the Eval, so that equal questions get one answer, and lives as long as it. What
 * cannot be compiled is reported once in Eval.diag (eval_refuse) and harmless code stands in its place, so
 * nothing here returns NULL. */
#ifndef EVAL_COMPILE_H
#define EVAL_COMPILE_H

#include "eval_private.h"

enum { PATH_MAX_STEPS = 32, NEST_MAX = 12000, CODE_DEPTH_MAX = 24000, CODE_MAX = 4000000 };

/* The loops over the result and the code of its parts. */
typedef struct RootDim {
    struct RootDim *next;
    Loop *loop;
    Code *reg;
    int64_t n;
} RootDim;

typedef struct RootPart {
    const Code *code;
    int rank;
    RootDim **dims;
} RootPart;

struct Eval {
    Ctx *ctx;
    const Term *term;
    const EvalInput *inputs;
    int input_count;
    EvalMode mode;
    Arena *arena;
    PtrTable values, envs, paths, indices, atoms;
    uint32_t ids, codes, nest, deepest, in_cells;
    Loop ground;
    Diag diag;                           /* of compilation */
    Run run;
    RootDim *dims;
    RootPart *parts;
    int part_count;
    bool rooted;                         /* code of all parts is there, */
    bool rooted_first;                   /* and was made before that of the whole */
    Unit *whole;
    bool on_all_cores;
    bool by_cells;                       /* eval_by_cells */
    VEC(Unit *) units;
    VEC(Memo *) memos;
    VEC(Eval *) others;                  /* like this one, for other threads */
};

/* ---- code (eval_compile.c) ---- */

void eval_root(Eval *e);                 /* of all parts, one element at a time */
void eval_whole(Eval *e);                /* of all of the result */

/* ---- loops and dependencies (eval_index.c) ---- */

static inline Deps deps_none(Eval *e) { return (Deps){.n = 1, .loops = {&e->ground}}; }
static inline bool deps_only_ground(const Deps *d) { return d->loops[0]->depth == 0; }
Deps deps_join(Deps a, Deps b);
bool deps_on(const Deps *d, const Loop *l);      /* is it one of them, or what one of them is below of? */
uint64_t deps_chain(const Deps *d);      /* depths of all loops and of what they are below of, as Deps.mask */
Loop *loop_new(Eval *e, Deps above);
Deps loop_deps(Loop *l);

/* ---- codes (eval_index.c) ---- */

/* A node that waits for its run, kids and index; then code_done, after which parts of it that change less
 * often keep their values. */
Code *code_blank(Eval *e, Scalar s);
void code_use_index(Code *k, const Index *x);
const Code *code_done(Eval *e, Code *k);
const Code *code_kids(Eval *e, Scalar s, Fn run, const Code *a, const Code *b, const Code *c, const Term *t);
const Code *code_literal(Eval *e, Scalar s, LitValue v);
Code *code_reg(Eval *e, Loop *l, int64_t n);                     /* the variable of a loop: 0 <= v < n */
/* An integer over an index or a code, one each: div, mod, clamp, check ... 0 <= it < n unless the caller
 * knows better. */
const Code *code_atom(Eval *e, IntFn *run, const Index *x, const Code *kid, int64_t n, const Term *t);
const Code *code_index(Eval *e, const Index *x, Scalar s);

/* ---- indices (eval_index.c): equal ones are one ---- */

const Index *index_const(Eval *e, int64_t c);
const Index *index_of_code(Eval *e, const Code *k);
const Index *index_sum(Eval *e, const Index *a, const Index *b, int64_t scale);          /* a + scale * b */
const Index *index_add(Eval *e, const Index *a, const Index *b);
const Index *index_shift(Eval *e, const Index *a, int64_t c);                            /* a + c */
const Index *index_scale(Eval *e, const Index *a, int64_t k);
const Index *index_pair(Eval *e, const Index *a, int64_t k, const Index *b);             /* a * k + b */
const Index *index_div(Eval *e, const Index *x, int64_t k);                              /* rounded down */
const Index *index_mod(Eval *e, const Index *x, int64_t k);
bool index_is_atomic(const Index *x);                            /* of nothing but variables of loops */
/* Do different values of the loop variables give different values? Only what the form shows: mixed radix. */
bool index_is_injective(const Index *x);

#endif

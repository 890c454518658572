/* kernel: kernels while they are made, which plan, view, translate, barrier and printer share: what is known of them (Build),
 * and makers of what imperative.h has. */
#ifndef KERNEL_H
#define KERNEL_H

#include "imperative.h"
#include "plan.h"

/* ---- the translation as a whole ---- */

/* Sizes that facts divide, as multiples of fresh sizes: N = 8*(N/8) (a change of variables, which turns divisibility into
 * form). Inside a plan every index is over the fresh ones. */
enum { SIZE_SUBST_MAX = 16 };
typedef struct SizeSubst {
    int count;
    NatBinding to[SIZE_SUBST_MAX], back[SIZE_SUBST_MAX];
    const Nat *factor[SIZE_SUBST_MAX];
} SizeSubst;

typedef struct View View;
typedef struct Env Env;

/* A data argument whose value the plan has placed (materialised) before the kernel that reads it. */
typedef struct Placed { const Term *e; const Env *env; View *v; } Placed;

/* Where in a kernel its translation is; a kernel starts with one lane and nothing else. */
typedef struct Inside {
    unsigned bound[ID_KINDS];            /* dimensions bound by an enclosing map (or guard), as bits */
    int lanes;                           /* width of the enclosing mapVec, 1 outside */
    bool risky;                          /* a choice of its lanes would evaluate what may go wrong, or statements */
    bool prefetched;                     /* in a step that is pipelined: copies to local memory are straight-line code */
    bool copies;                         /* directly under a toX: what is no code of its own (an input, a layout) is copied to its place */
    bool apart;                          /* what is scattered is all made before any of it goes to its place */
    const char *hint;                    /* name for the next buffer */
    const Term *reader;                  /* innermost mapped or reducing node */
    const Nat *par[RANK_MAX];            /* indices and extents of the enclosing parallel maps */
    const Nat *par_extent[RANK_MAX];
    bool par_local[RANK_MAX];            /* it is a mapLocal */
    bool par_lane[RANK_MAX];             /* its neighbours are neighbours in a warp: dimension 0 */
    int par_count;
    unsigned mapped[ID_KINDS];           /* dimensions of these, as bits */
    const Stmt *closed;                  /* a guard that takes no further statements */
} Inside;

typedef struct Spelt { const Term *meaning, *mma; } Spelt;

/* What stands in one arm of a choice outside of kernels is done where that arm is taken. */
typedef struct Arm {
    View *cond;
    bool otherwise;                      /* where it does not hold */
    const struct Arm *around;
} Arm;

/* Where in a program planning is, outside of kernels (plan_top.c, plan_loop.c). */
typedef struct Outside {
    bool copies;                         /* as Inside.copies */
    const Term *named, *namer;           /* the value of a let, and the let's function, whose hints name buffers for it */
    const Arm *arm;                      /* that the kernels which are made next stand in; NULL: they run in any case */
    int loop;                            /* the one that is being planned, from 1; 0: none */
} Outside;

typedef struct Launch Launch;            /* plan_private.h */
typedef VEC(PlanResources) ResourceVec;
/* What the text of a program asks of its language and has to define, as translation and printing find out. */
typedef struct Needs {
    bool uses_f64, uses_f16, uses_atomics64, reads_images;
    bool image_lanes[SC_COUNT];          /* images are read at a lane that is computed, by scalar */
    unsigned helpers;                    /* that the source defines, as bits; those of a dialect from HELPER_COUNT on */
    uint16_t lanewise[PRIM_COUNT];       /* operators on vectors or halves, by the scalars they are on, as bits */
    bool made[SC_COUNT];                 /* some expression or buffer is of that scalar, used or not */
    VEC(const char *) definitions;       /* texts that the source defines, of a dialect's own, in that order */
    unsigned streams[SC_COUNT];          /* widths of streaming stores, as bits */
    unsigned rounded[PRIM_COUNT];        /* widths of roundings that no language has a function for (printer_rounding), as bits */
    unsigned halves[2];                  /* likewise of floats, and of doubles, that are rounded to halves in registers */
    bool uses_swizzle;                   /* some local array has its elements elsewhere than at their offsets */
    bool uses_copies;                    /* copies that need not have ended */
    bool uses_warps;                     /* barriers of warps */
    unsigned float_sums[SPACE_GLOBAL + 1];       /* sums of floats (1), of doubles (2) as one step, by space */
    unsigned shuffles;                   /* scalars of arrays in the registers of lanes, as bits */
    unsigned uses_units;                 /* scalars that matrix units of kernels take, as bits */
} Needs;

typedef struct Build {
    Ctx *c;
    Nats *n;
    Arena *arena;
    const PlanOptions *options;
    const Dialect *dialect;
    const NatFacts *facts;
    const SizeSubst *subst;
    const Term *root;
    View *(*read)(struct Build *b, const Term *e, Env *env);     /* translate_read, for views of terms that are read later */
    void (*write_loop)(struct Build *b, const Term *e, View *dst, Env *env, bool there);     /* top_loop, for loops within what is outside kernels */
    VEC(Buffer *) globals;               /* one a PlanBuffer, same order */
    VEC(PlanBuffer) plan_buffers;
    VEC(Kernel *) kernels;
    VEC(Launch) launches;                /* kernels of one group that the next ones may join */
    VEC(const char *) warnings;
    NatAtomVec sizes;                    /* in order of first appearance; rounds of loops with them */
    VEC(const char *) size_names;        /* what each is called in kernels */
    VEC(PlanLoop) loops;
    VEC(const NatAtom *) rounds;         /* one a loop: what counts its rounds; NULL: there is one round */
    VEC(const Term *) indexed;           /* what indexes an array that may have 2^31 elements and more */
    PtrTable names;                      /* NameUse by name: of what several kernels see, which each keeps free */
    int value_count;                     /* inputs passed by value, as PlanArgs */
    PlanArg *values;
    ResourceVec *resources;              /* kernels are measured (plan_measure) where they would be made; NULL: they are made */
    View **inputs;                       /* by option index */
    VEC(Placed) placed;
    struct Views *views;                 /* scratch of translate_view.c */
    int buffer_ids, block_ids, expr_ids, translated;
    struct Said { const Kernel *by; const char *text; size_t len; } *said;   /* by expression: loads that were printed, in which kernel, for many are read again */
    int said_count;
    VEC(char) tags;                      /* of accumulations: was anything read through it? */
    bool failed, long_index;
    int any_round;                       /* 1 + the first expression of an unrolled body that is translated once for all rounds (unroll_rounds); 0: there is none */
    Needs needs;
    VEC(Spelt) units;                    /* what each mma means, where it stood (units.c) */
    bool stream;                         /* under toGlobalStream */
    const Term *origin;                  /* the innermost term that is being translated; NULL: none */
    Kernel *k;                           /* that is being made; NULL: none */
    Block *block;
    Inside in;
    Outside out;
} Build;

/* What is made next tells the rounds of an unrolled body apart: if it is translated for any round, give up. True: it was given up. */
static inline bool build_one_round(Build *b) { return b->any_round && (b->failed = true); }
/* Is it an index as a value, made there and maybe another from round to round? */
static inline bool build_is_round(const Build *b, const Expr *e)
{
    return b->any_round && e->kind == X_NAT && !e->nat->is_const && e->id >= b->any_round - 1;
}
/* The first failure is kept; returns false. at: the node, its path is put in front. */
bool build_fail(Build *b, ErrorId id, const Term *at, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* E53: an array whose size is to be a number, with the size that this lacks. count: NULL where it is too large. type: NULL: not known. */
bool build_needs_constant(Build *b, const Term *at, const char *what, const Nat *count, const Type *type);
/* Asked at every node that is translated. False: the build has failed, now perhaps: E25 where it was interrupted, E54 where the
 * program to print would be too large for any use. */
bool build_goes_on(Build *b, const Term *at);
const Nat *build_plain(Build *b, const Nat *n);                      /* over the sizes of the program */
/* The same, but x*(N/8) stays what it is: N*x/8 would need more bits. */
const Nat *build_printable(Build *b, const Nat *n);
void build_warn(Build *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "/in/f/body" of the first place where node stands in the whole term; "inside" forms when it was made by substitution. */
const char *build_path(Build *b, const Term *node);

/* kernel.c */
Kernel *kernel_new(Build *b, const Term *root);
void kernel_drop(Kernel *k);                                         /* what of it is not in the arena */
/* What a parallel map is over in the kernel that is being made. */
IdKind kernel_id_of_map(const Build *b, const Term *e);
extern const char *const kernel_ids[ID_KINDS][3];                    /* the names of ids: "gid0" */
/* Names in generated text: fresh, no word of any dialect, like the hint where that is possible. Of what several kernels see; of one of
 * `total` components of what has that name by now (a single one has it itself); in the current kernel. */
const char *plan_name(Build *b, const char *hint);
const char *plan_part_name(Build *b, const char *name, int part, int total);
const char *kernel_name(Build *b, const char *hint);
const char *kernel_numbered(Arena *a, const char *name, const char *gap, int number);    /* NAME GAP NUMBER, in one word */
bool kernel_loop_name(Build *b, const char *name);                   /* may a loop have that name? Then no value will */
const VarInfo *kernel_var(const Kernel *k, const NatAtom *atom);     /* NULL: a size */
bool kernel_any_var(const Kernel *k, const Nat *n, bool (*is)(const VarInfo *v));      /* of those in n; v NULL: a size */
bool index_is_loaded(const Kernel *k, const Nat *n);                   /* does it mention a loaded index (VAR_OPAQUE)? */
bool atom_mentions(const NatAtom *a, const NatAtom *var);
/* The number c where c*var is a term of n and var stands nowhere else; 0: otherwise. */
int64_t index_step(const Nat *n, const NatAtom *var);
const Nat *kernel_index(Build *b, VarInfo info, const char *name, const Nat *extent);   /* extent 1 gives 0 */
/* The largest that a length which is known only in the kernel may be; others as they are. NULL: it has no bound that is proved. */
const Nat *kernel_upper_bound(Build *b, const Nat *n);
Buffer *buffer_new(Build *b, Space space, Scalar scalar, int width, const char *name);
const Expr *expr_lit(Build *b, Scalar s, LitValue v);
const Expr *expr_value(Build *b, Scalar s, const char *name);        /* a parameter passed by value */
const Expr *expr_nat(Build *b, Scalar s, const Nat *n);
const Expr *expr_index(Build *b, Scalar s, const Nat *n);            /* the same, for those alone who ask build_is_round */
const Expr *expr_load(Build *b, const Place *p);
const Expr *expr_op(Build *b, PrimId op, Scalar s, const Expr *const *args, int n);
const Expr *expr_binary(Build *b, PrimId op, Scalar s, const Expr *x, const Expr *y);
const Expr *expr_vec(Build *b, Scalar s, const Expr *const *lanes, int n);
const Expr *expr_lane(Build *b, const Expr *v, int lane);
Expr *expr_copy(Build *b, const Expr *e);                            /* with arguments of its own, to be changed */
const Nat *expr_counts_from(const Build *b, const Expr *e);           /* the first lane of n, n+1, n+2 ...; NULL: e is no such vector */
bool expr_is_atom(const Expr *e);                                    /* costs nothing to repeat */
bool expr_is_total(Build *b, const Expr *e);                         /* proved: no read out of range, no division by zero */
bool block_is_total(Build *b, const Block *blk);                     /* nor in what its statements make, nor a store out of range, nor anything but plain stores */
/* Of integers, both included: of all of a type; of an expression, and of the exact value of + - * and negation (false: it may be out of the
 * type's bounds). */
typedef __int128 Wide;
typedef struct Bounds { Wide lo, hi; } Bounds;
Bounds scalar_bounds(Scalar s);
Bounds expr_bounds(Build *b, const Expr *e);
bool expr_exact_bounds(Build *b, const Expr *e, Bounds *out);
static inline bool expr_is_ring_op(PrimId op) { return op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_NEG; }
void block_open(Build *b, Block *blk);                               /* further statements go there */
bool block_is_open(const Build *b, int id);                          /* is it the current block or one around it? */
Stmt *stmt_new(Build *b, StmtKind kind);                             /* appended to the current block */
void stmt_assign(Build *b, const Place *p, const Expr *value);
Buffer *stmt_value(Build *b, const char *hint, const Expr *value);   /* a named value, used through place_of */
const Expr *expr_named(Build *b, const char *hint, const Expr *value);           /* the value of such a one */
Buffer *stmt_declare(Build *b, const char *hint, Scalar s, int width, bool once);      /* a variable; once: its value is stored next, and no other */
static inline Place place_of(Buffer *variable) { return (Place){.buf = variable, .width = variable->width}; }
Element *element_of(Build *b, const Buffer *buf, const Nat *const *idx);      /* of a private array, in the current kernel */
bool place_same(const Place *a, const Place *b);
bool expr_same(const Expr *a, const Expr *b);                        /* "false": not known to be */
/* Of a comparison of two integers by < > <= >=: a number that is below 0 where it holds (*below), or is not; NULL: e is none. */
const Nat *expr_gap(Build *b, const Expr *e, bool *below);
const Nat *expr_integer(Build *b, const Expr *e);    /* the integer that e is, as an index; NULL: it is none */
Place place_moved(Build *b, const Place *p, const Nat *by);          /* of memory: so many scalars further on */
/* Decide the form of private buffers: spread dimensions, one variable an element. False: E53. */
bool kernel_finish(Build *b, Kernel *k);
/* Of local memory the order of independent statements needs the least (kernel_order.c), before arrays share it. */
void kernel_order(Build *b, Kernel *k);
/* Let local arrays share memory (kernel_share.c): before barriers are inserted. */
void kernel_share(Build *b, Kernel *k);
int64_t kernel_local_bytes(const Kernel *k, bool shared);            /* of all local arrays; shared: as they lie */
const OwnIndex *kernel_own(Build *b, Kernel *k, const Nat *index);
/* Of a private place, its index in a dimension and its offset among the elements that its work-item holds. */
const Nat *kernel_own_rest(Build *b, Kernel *k, const Place *p, int d);
const Nat *kernel_own_index(Build *b, Kernel *k, const Place *p);
/* Every place of a block, or of a statement, that lies in one of these spaces, as bits, in program order, up to one for which visit is
 * true; then it is. inside: those in its bodies too. */
enum { EVERY_SPACE = ~0 };
typedef bool PlaceVisit(void *data, const Place *p, bool write);
bool block_places(const Block *blk, int spaces, PlaceVisit *visit, void *data);
bool stmt_places(const Stmt *s, int spaces, bool inside, PlaceVisit *visit, void *data);
bool stmt_mentions(const Stmt *s, const Buffer *buf);                /* in its bodies too */
bool expr_reads(const Expr *e, const Buffer *buf);
/* The side of the `if` at the end of a loop's body that changes nothing, so that all rounds behind it are as it; NULL: there is none. (rests.c) */
const Block *loop_rests(const Kernel *k, const Stmt *loop);
/* The condition without which a round changes nothing, nor do those behind it: of a vector, where no lane has it; NULL: there is none. */
const Expr *loop_while(const Kernel *k, const Stmt *loop);

/* ---- registers of a warp's lanes (warps.c) ---- */

/* Decide which arrays of toLanes lie there (Buffer.lane): before kernel_finish. */
void warps_find(Build *b, Kernel *k);
bool lane_is_own(const Place *p);                                    /* of such an array: the element of the lane that runs */

/* ---- matrix units (units.c) ---- */

enum { UNIT_ITEMS0 = 4, UNIT_ITEMS1 = 8 };                           /* the lanes of a warp */
bool plan_has_units(const Build *b);                                 /* is it for a device with matrix units and asynchronous copies? */
const Term *unit_mma(const Build *b, const Term *meaning);           /* the mma that stood where that is; NULL: none did */

/* ---- where statements come from (origin.c) ---- */

/* A place of the term that is that node, the first inside `within` if there is one (NULL: anywhere); in the arena of the plan. NULL: the
 * node was made on the way. */
const struct Path *origin_place(Build *b, const Term *node, const struct Path *within);
typedef struct OriginMark { size_t offset; const struct Path *at; } OriginMark;   /* from there on in the text; at NULL: from nowhere */
void origin_lines(Build *b, const char *text, const OriginMark *marks, int n, PlanKernel *out);

/* ---- the rest ---- */

bool barrier_insert(Build *b, Kernel *k);
/* May the step in [from, to) update the accumulator `tag` in place? NULL: yes; else the offending read. */
const Place *barrier_in_place(Build *b, const Stmt *from, int tag);

void features_kernel(Build *b, Kernel *k, PlanKernel *out);          /* after printer_kernel */

/* Numbers of bf16 as what every language has (bf16.c): after all else, before features and text. */
void kernels_without_bf16(Build *b);

/* ---- text (printer.c) ---- */

void printer_kernel(Build *b, Kernel *k, PlanKernel *out);           /* its body and its arguments */
const char *printer_program(Build *b, const Plan *plan);

#endif

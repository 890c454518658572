/* kernel: the imperative form between terms and text, and what plan, view, translate, barrier and printer share. Layer 5.
 *
 * A kernel is a block of statements over buffers. Indices are Nats; loop variables and ids are index variables of
 * nat.h that are fresh per kernel. Everything lives in the arena of the plan. */
#ifndef KERNEL_H
#define KERNEL_H

#include "form.h"
#include "plan.h"

/* ---- buffers and places ---- */

typedef enum Space { SPACE_PRIVATE, SPACE_LOCAL, SPACE_GLOBAL } Space;
const char *space_name(Space s);

enum { RANK_MAX = 16 };
typedef struct Buffer {
    int id;                              /* within the program */
    const char *name;
    Space space;
    Scalar scalar;
    int width;                           /* private: of one element; in memory vectors are consecutive scalars and this is 1 */
    int rank;
    const Nat *dims[RANK_MAX];           /* in elements of `width` scalars */
    const Nat *padding;                  /* local: elements behind each row, which the last of dims counts, too; NULL: none */
    const Nat *count;                    /* scalars, all of it */
    int plan;                            /* global: index into Plan.buffers; -1 */
    struct Buffer *image_of;             /* an image: of which buffer, from end to end; NULL: it is none */
    const Nat *row;                      /* an image: scalars in a row, of `texel` each (ir.h: type_image_row) */
    int texel;
    bool read_only;                      /* an input, or an image */
    struct Buffer *room;                 /* local: the array in whose memory it lies, at least as large; NULL: it has its own */
    const NatAtom *turn;                 /* local, double-buffered: the loop whose rounds take the halves in turn; NULL: it is not */
    bool written;
    bool once;                           /* private scalar with a single assignment: a named value */
    const Nat *as_index;                 /* such a value, used as an index */
    /* private, after kernel_finish */
    bool split;                          /* every index is constant: one variable an element */
    int spread[RANK_MAX];                /* dimension lies over the work-items of this local dimension, -1: it does not */
    const Nat *own[RANK_MAX];            /* extent per work-item */
    int64_t own_count;                   /* elements per work-item */
    const char **elements;               /* split: their names */
} Buffer;

/* An element of a private array (a memory cell). Equal ones are the same pointer within a kernel (element_of). */
typedef struct Element {
    const Buffer *buf;
    int id;                              /* within the kernel, for what passes know of it: later ones have larger ids */
    const Nat *idx[];                    /* one a dimension */
} Element;

typedef struct Place {                   /* width scalars of a buffer (an lvalue) */
    Buffer *buf;
    Element *element;                    /* private arrays */
    const Nat *lane;                     /* private vectors: one lane of the element; NULL: the element */
    const Nat *at;                       /* memory: offset in scalars */
    const Nat *line;                     /* an image: in which of its rows all of it lies; NULL: `at` alone says that */
    const Nat *packed;                   /* where it would lie were its buffer not padded; NULL: it is not */
    int width;
    int tag;                             /* reads only: the accumulation through which it is seen; 0: none */
    bool once;                           /* of a destination: each cell of it is stored once, and none is read in the kernel */
} Place;

/* ---- expressions ---- */

typedef enum ExprKind { X_LIT, X_NAT, X_VALUE, X_LOAD, X_OP, X_VEC, X_LANE } ExprKind;
typedef struct Expr Expr;
struct Expr {                            /* what passes look at in all of them stands first: there are many */
    ExprKind kind;
    Scalar scalar;
    int width;                           /* 1: a scalar. A vector of bool is a mask of ints, 0 or -1 */
    PrimId op;                           /* OP: of FAM_SCALAR; IF is the lazy choice of scalars; VDOT */
    const Expr **args;
    int arg_count;
    int id;                              /* within the plan, for what passes know of it: later ones have larger ids */
    union {
        LitValue lit;                    /* LIT */
        const Nat *nat;                  /* NAT: an index expression, exact */
        const char *name;                /* VALUE: a parameter passed by value */
        Place place;                     /* LOAD */
        int lane;                        /* LANE */
    };
};

/* ---- statements ---- */

typedef enum StmtKind { S_STORE, S_ALLOC, S_FOR, S_IF, S_BARRIER, S_ATOMIC, S_LOOK_BACK } StmtKind;
typedef struct Stmt Stmt;
typedef struct Block Block;
struct Block {
    Stmt *first, *last;
    Block *up;                           /* while it is being filled: the one around */
    int id;                              /* 0: not filled yet */
};

/* An update of a scalar that no other one comes between: by a function of the dialect, or in rounds that end when the scalar is still
 * what the new value was made of. Those with one turn may come in any order. */
typedef struct Atomic {
    PrimId op;                           /* place = op(place, value); PRIM_COUNT: place = value, which the body makes of */
    int turn;
    Buffer *old;                         /* this, the value seen (private) */
    const char *held, *next, *seen;      /* names: its bits, those of the new value, and those found there meanwhile */
} Atomic;

/* A group makes its sum known and combines those of the groups before it, from near to far, until one knows all before itself (decoupled
 * look-back). Each scalar of a group is a word of 64 bits in `told`, or two where it has more than 32 itself: 32 bits of it and the state
 * above them: 0 nothing is known, 1 the group's own sum, 2 that of all up to it. All work-items of the group come here, and wait for each
 * other. */
typedef struct LookBack {
    Buffer *told;                        /* global: `words` a group */
    const Nat *group;
    int count, words, width;             /* scalars of a sum; words of them; groups that are looked at together */
    Buffer **own, **before, **seen, **all;       /* private, by scalar: the group's; what is before it; what a group has told; both together */
} LookBack;

static inline int look_words(Scalar s) { return scalar_bytes(s) > 4 ? 2 : 1; }

struct Stmt {
    StmtKind kind;
    Stmt *next;
    Place place;                         /* STORE, ATOMIC: where; LOOK_BACK: the local array in which words are looked at */
    const Expr *value;                   /* STORE, ATOMIC: what; IF: condition */
    Atomic *atomic;                      /* ATOMIC */
    LookBack *look;                      /* LOOK_BACK; body: before = f(seen, before); other: all = f(before, own) */
    bool stream;                         /* STORE: past the caches */
    Buffer *buf;                         /* ALLOC: private buffer starts to live */
    const Nat *var, *from, *limit, *step;    /* FOR: var = from; var < limit; var += step */
    bool uniform;                        /* FOR, IF: every work-item of a group goes the same way */
    bool single;                         /* IF: lets one work-item of the group through in the dimensions not mapped here */
    Block body, other;                   /* FOR, IF; ATOMIC: what its value needs */
    bool local_fence, global_fence;      /* BARRIER */
    const Term *origin;                  /* what it was made for; NULL: unknown */
    int first_access, end_access;        /* barrier.c: what it touches of shared memory */
    const struct Loops *loops;           /* FOR, barrier.c: itself and those around */
};

static inline bool stmt_has_bodies(const Stmt *s) { return s->kind == S_FOR || s->kind == S_IF || s->kind == S_ATOMIC || s->kind == S_LOOK_BACK; }

/* ---- kernels ---- */

typedef enum IdKind { ID_GLOBAL, ID_GROUP, ID_LOCAL, ID_KINDS } IdKind;
typedef enum VarPart { PART_WHOLE, PART_HIGH, PART_LOW } VarPart;
typedef struct VarInfo {                 /* of an index variable */
    const NatAtom *atom;
    enum { VAR_ID, VAR_LOOP, VAR_STRIDED, VAR_OPAQUE } kind;  /* STRIDED: l + L*j of an uneven mapLocal; OPAQUE: a loaded value */
    IdKind id;
    int dim;
    VarPart part;                        /* of an id taken apart while addresses are compared */
    bool rounds;                         /* LOOP: over the elements that one work-item takes of a mapLocal of dim */
    bool shared;                         /* OPAQUE: the same for all work-items of a group */
    const Nat *whole, *among;            /* OPAQUE, of a slice's elements: those of so many in all that one of so many has; or NULL */
    Buffer *value;                       /* OPAQUE: the variable that holds it */
    Place place;                         /* OPAQUE: its place */
} VarInfo;

/* A local id as size*high + low (delinearised). */
typedef struct IdSplit { const NatAtom *var; int64_t size; const Nat *digits; } IdSplit;

/* An index of a private array, or of an array of the work-items together: l + L*rest with l a local id (a cyclic
 * distribution: the owner and the index within its share). */
typedef struct OwnIndex {
    const Nat *index, *rest;
    int dim;                             /* of l; -1: there is none; -2: it is not of that form */
    bool by_group;                       /* it depends on a global or group id */
} OwnIndex;

typedef struct NameUse { const char *name, *c; int count; bool loop; } NameUse;    /* c: as c_name gives it, once asked */

typedef struct Kernel {
    const char *name, *copies;           /* copies: as PlanKernel's */
    const Term *root;
    Block body;
    VEC(Buffer *) locals;
    PtrTable vars;                       /* VarInfo by atom */
    PtrTable names;                      /* NameUse by name */
    PtrTable elements;                   /* of private arrays, those of code that was undone too */
    int element_count;
    VEC(IdSplit) splits;
    PtrTable own;                        /* OwnIndex by index */
    const OwnIndex *recent[256];
    Forms forms;                         /* of its indices */
    const Buffer *divided;               /* a private array that the work-groups share out; NULL: there is none */
    int local[3];
    const Nat *global[3];                /* work-items, multiples of local */
    const Nat *extent[ID_KINDS][3];      /* largest extent any map of that kind has; NULL: none */
    const Nat *id[ID_KINDS][3];          /* the full-range variable, or 0 when the range is one */
    int barriers;
    bool ids_used[ID_KINDS][3];
    int loop_depth;
} Kernel;

/* ---- the translation as a whole ---- */

/* Sizes that facts divide, as multiples of fresh sizes: N = 8*(N/8) (a change of variables, which turns divisibility into
 * form). Inside a plan every index is over the fresh ones. */
enum { LIFT_MAX = 16 };
typedef struct Lift {
    int count;
    NatBinding to[LIFT_MAX], back[LIFT_MAX];
    const Nat *factor[LIFT_MAX];
} Lift;

typedef struct View View;
typedef struct Env Env;

/* A data argument whose value the plan has placed (materialised) before the kernel that reads it. */
typedef struct Placed { const Term *e; const Env *env; View *v; } Placed;

/* Where in a kernel its translation is; a kernel starts with one lane and nothing else. */
typedef struct Inside {
    unsigned bound[ID_KINDS];            /* dimensions bound by an enclosing map (or guard), as bits */
    int lanes;                           /* width of the enclosing mapVec, 1 outside */
    bool risky;                          /* a choice of its lanes would evaluate what may go wrong, or statements */
    bool ahead;                          /* in a step that is pipelined: copies to local memory are straight-line code */
    const char *hint;                    /* name for the next buffer */
    const Term *reader;                  /* innermost mapped or reducing node */
    const Nat *par[RANK_MAX];            /* indices and extents of the enclosing parallel maps */
    const Nat *par_extent[RANK_MAX];
    bool par_local[RANK_MAX];            /* it is a mapLocal */
    int par_count;
    const Stmt *seal;                    /* a guard that takes no further statements */
} Inside;

typedef VEC(PlanResources) ResourceVec;
typedef struct Build {
    Ctx *c;
    Nats *n;
    Arena *arena;
    const PlanOptions *options;
    const Dialect *dialect;
    const NatFacts *facts;
    const Lift *lift;
    const Term *root;
    View *(*read)(struct Build *b, const Term *e, Env *env);     /* translate_read, for views of terms that are read later */
    VEC(Buffer *) globals;               /* one a PlanBuffer, same order */
    VEC(PlanBuffer) plan_buffers;
    VEC(Kernel *) kernels;
    VEC(const char *) warnings;
    VEC(const NatAtom *) sizes;          /* in order of first appearance; rounds of loops with them */
    VEC(PlanLoop) loops;
    VEC(const NatAtom *) rounds;         /* one a loop: what counts its rounds; NULL: there is one round */
    int loop;                            /* the one that is being planned, from 1; 0: none */
    const char **reserved;               /* NULL-terminated; parameter names, which every kernel keeps free */
    int value_count;                     /* inputs passed by value, as PlanArgs */
    PlanArg *values;
    ResourceVec *resources;              /* kernels are measured (plan_measure) where they would be made; NULL: they are made */
    View **inputs;                       /* by option index */
    VEC(Placed) placed;
    struct Views *views;                 /* scratch of translate_view.c */
    int buffer_ids, block_ids, expr_ids, translated;
    VEC(char) tags;                      /* of accumulations: was anything read through it? */
    bool failed, long_index;
    bool any_round;                      /* an unrolled body is translated for whatever round (unroll_rounds) */
    bool uses_f64, uses_f16, uses_atomics64, reads_images;
    bool image_lanes[SC_COUNT];          /* images are read at a lane that is computed, by scalar */
    unsigned helpers;                    /* that the source defines, as bits; those of a dialect from HELPER_COUNT on */
    uint16_t lanewise[PRIM_COUNT];       /* operators on vectors or halves, by the scalars they are on, as bits */
    bool made[SC_COUNT];                 /* some expression or buffer is of that scalar, used or not */
    unsigned streams[SC_COUNT];          /* widths of streaming stores, as bits */
    unsigned halves[2];                  /* likewise of floats, and of doubles, that are rounded to halves in registers */
    bool stream;                         /* under toGlobalStream */
    const Term *origin;                  /* the innermost term that is being translated; NULL: none */
    Kernel *k;                           /* that is being made; NULL: none */
    Block *block;
    Inside in;
} Build;

/* What is made next tells the rounds of an unrolled body apart: if it is translated for any round, give up. True: it was given up. */
static inline bool build_one_round(Build *b) { return b->any_round && (b->failed = true); }
/* The first failure is kept; returns false. at: the node, its path is put in front. */
bool build_fail(Build *b, ErrorId id, const Term *at, const char *fmt, ...) PRINTF_LIKE(4, 5);
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
const char *kernel_name(Build *b, const char *hint);                 /* a fresh C name in the current kernel */
const char *kernel_numbered(Arena *a, const char *name, const char *gap, int number);    /* NAME GAP NUMBER, in one word */
bool kernel_name_is_taken(Build *b, const char *name);               /* by what all kernels see, or in the current one */
const char *kernel_temp_name(Build *b);                              /* a fresh name of a buffer between or in kernels */
bool kernel_loop_name(Build *b, const char *name);                   /* may a loop have that name? Then no value will */
const char *c_name(const Build *b, const char *name);                /* no word of C or of the dialect */
const VarInfo *kernel_var(const Kernel *k, const NatAtom *atom);     /* NULL: a size */
bool kernel_any_var(const Kernel *k, const Nat *n, bool (*is)(const VarInfo *v));      /* of those in n; v NULL: a size */
bool index_is_loaded(Build *b, const Nat *n);                          /* does it mention a loaded index (VAR_OPAQUE)? */
const Nat *kernel_index(Build *b, VarInfo info, const char *name, const Nat *extent);   /* extent 1 gives 0 */
/* The largest that a length which is known only in the kernel may be; others as they are. NULL: it has no bound that is proved. */
const Nat *kernel_room(Build *b, const Nat *n);
Buffer *buffer_new(Build *b, Space space, Scalar scalar, int width, const char *name);
const Expr *expr_lit(Build *b, Scalar s, LitValue v);
const Expr *expr_value(Build *b, Scalar s, const char *name);        /* a parameter passed by value */
const Expr *expr_int(Build *b, int64_t v);
const Expr *expr_nat(Build *b, Scalar s, const Nat *n);
const Expr *expr_load(Build *b, const Place *p);
const Expr *expr_op(Build *b, PrimId op, Scalar s, const Expr *const *args, int n);
const Expr *expr_vec(Build *b, Scalar s, const Expr *const *lanes, int n);
const Expr *expr_lane(Build *b, const Expr *v, int lane);
Expr *expr_copy(Build *b, const Expr *e);                            /* with arguments of its own, to be changed */
const Nat *expr_counts_from(const Build *b, const Expr *e);           /* the first lane of n, n+1, n+2 ...; NULL: e is no such vector */
bool expr_is_atom(const Expr *e);                                    /* costs nothing to repeat */
bool expr_is_total(Build *b, const Expr *e);                         /* proved: no read out of range, no division by zero */
void block_open(Build *b, Block *blk);                               /* further statements go there */
bool block_is_open(const Build *b, int id);                          /* is it the current block or one around it? */
Stmt *stmt_new(Build *b, StmtKind kind);                             /* appended to the current block */
void stmt_assign(Build *b, const Place *p, const Expr *value);
Buffer *stmt_value(Build *b, const char *hint, const Expr *value);   /* a named value, used through place_of */
Buffer *stmt_declare_value(Build *b, const char *hint, Scalar s, int width);     /* one whose value is stored next */
Place place_of(Build *b, Buffer *scalar);
Element *element_of(Build *b, const Buffer *buf, const Nat *const *idx);      /* of a private array, in the current kernel */
bool place_same(const Place *a, const Place *b);
Place place_moved(Build *b, const Place *p, const Nat *by);          /* of memory: so many scalars further on */
/* Decide the form of private buffers: spread dimensions, one variable an element. False: E53. */
bool kernel_finish(Build *b, Kernel *k);
/* Let local arrays share memory (kernel_share.c): before barriers are inserted. */
void kernel_share(Build *b, Kernel *k);
int64_t kernel_local_bytes(const Kernel *k, bool shared);            /* of all local arrays; shared: as they lie */
const OwnIndex *kernel_own(Build *b, Kernel *k, const Nat *index);
/* The offset of a private place among the elements that its work-item holds. */
const Nat *kernel_own_index(Build *b, Kernel *k, const Place *p);
/* Every expression and place of a block, in program order. */
typedef void PlaceVisit(void *data, const Place *p, bool write, const Stmt *s);
void block_places(const Block *blk, PlaceVisit *visit, void *data);
bool stmt_mentions(const Stmt *s, const Buffer *buf);                /* in its bodies too */
void stmt_places(const Stmt *s, PlaceVisit *visit, void *data);      /* not into bodies */

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

/* ---- text (printer.c) ---- */

void printer_kernel(Build *b, Kernel *k, PlanKernel *out);           /* its body and its arguments */
const char *printer_program(Build *b, const Plan *plan);

#endif

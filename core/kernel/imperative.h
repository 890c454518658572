/* imperative: the form between terms and text: buffers, places, expressions, statements, kernels.
 *
 * A kernel is a block of statements over buffers. Indices are Nats; loop variables and ids are index variables of
 * nat.h that are fresh per kernel. Everything lives in the arena of the plan. */
#ifndef IMPERATIVE_H
#define IMPERATIVE_H

#include "form.h"
#include "ir.h"

/* ---- buffers and places ---- */

typedef enum Space { SPACE_PRIVATE, SPACE_LOCAL, SPACE_GLOBAL } Space;
const char *space_name(Space s);

enum { RANK_MAX = 16 };
/* Pieces of 2^piece elements are permuted within groups of mask + 1: the element at i lies at i ^ (i >> over & mask) << piece. mask + 1 and what
 * `over` takes away are powers of two, the first no larger than the second in pieces, so that it is a permutation, its own inverse. */
typedef struct Swizzle { int piece, over, mask; } Swizzle;
typedef struct Buffer {
    int id;                              /* within the program */
    const char *name;
    Space space;
    Scalar scalar;
    int width;                           /* private: of one element; in memory vectors are consecutive scalars and this is 1 */
    int rank;
    const Nat *dims[RANK_MAX];           /* in elements of `width` scalars */
    int inner;                           /* global: 1 + the index that the last dimension is of, the others in their order; 0: all are in it */
    const Nat *padding;                  /* local: elements behind each row, which the last of dims counts, too; NULL: none */
    Swizzle swizzle;                     /* local: where an element lies; piece 0: at its offset */
    bool to_lanes;                       /* local: it is made by toLanes, */
    const Nat *lane;                     /* and lies in registers: the offset of the lane's own element; NULL: in memory */
    const Nat *count;                    /* scalars, all of it */
    int plan;                            /* global: index into Plan.buffers; -1 */
    struct Buffer *image_of;             /* an image: of which buffer, from end to end; NULL: it is none */
    const Nat *row;                      /* an image: scalars in a row, of `texel` each (ir.h: type_image_row) */
    int texel;
    bool read_only;                      /* an input, or an image */
    bool apart;                          /* global, made in a kernel: each work-item has cells of its own, which no other one touches */
    struct Buffer *storage;              /* local: the array in whose memory it lies, at least as large; NULL: it has its own */
    const NatAtom *phase;                /* local, double-buffered: the loop whose rounds take the halves in turn; NULL: it is not */
    bool written;
    bool once;                           /* private scalar with a single assignment: a named value */
    const Nat *as_index;                 /* such a value, used as an index */
    /* private, after kernel_finish */
    bool split;                          /* every index is constant: one variable an element */
    bool unrolled;                       /* every index is, once short loops are unrolled (Stmt.unrolled): registers as well */
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
    bool once;                           /* of a destination: each cell of it is stored once, unless it is read in the kernel */
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

typedef enum StmtKind { S_STORE, S_ALLOC, S_BARRIER, S_WAIT, S_FOR, S_IF, S_ATOMIC, S_LOOK_BACK, S_UNIT } StmtKind;        /* from FOR on: with bodies */
typedef struct Stmt Stmt;
typedef struct Block Block;
struct Block {
    Stmt *first, *last;
    Block *up;                           /* while it is being filled: the one around */
    int id;                              /* 0: not filled yet */
};

/* An update of a scalar that no other one comes between: by a function of the dialect, or in rounds that end when the scalar is still
 * what the new value was made of. Those of one number here may come in any order. */
typedef struct Atomic {
    PrimId op;                           /* place = op(place, value); PRIM_COUNT: place = value, which the body makes of */
    int order;
    Buffer *old;                         /* this, the value seen (private) */
    const char *held, *next, *seen;      /* names: its bits, those of the new value, and those found there meanwhile */
} Atomic;

/* A group makes its sum known and combines those of the groups before it, from near to far, until one knows all before itself (decoupled
 * look-back). Each scalar of a group is a word of 64 bits in `status`, or two where it has more than 32 itself: 32 bits of it and the state
 * above them: 0 nothing is known, 1 the group's own sum, 2 that of all up to it. All work-items of the group come here, and wait for each
 * other. */
typedef struct LookBack {
    Buffer *status;                      /* global: `words` a group */
    const Nat *group;
    int count, words, width;             /* scalars of a sum; words of them; groups that are looked at together */
    Buffer **own, **before, **seen, **all;       /* private, by scalar: the group's; what is before it; what a group has told; both together */
    const char *item, *near, *more, *back, **word;       /* names, of as many words as a group has */
} LookBack;

/* A tile of a product by the matrix unit of a warp, whose lanes are the work-items 4 by 8 of dimensions 0 and 1: for each step of the sum the
 * fragments of both operands are loaded once, and each pair of them is multiplied. */
typedef enum FragmentLoad {
    LOAD_ROWS, LOAD_COLUMNS,             /* 8 by 8 words of 16 bits together, whose rows lie in one piece; the same of the turned tile */
    LOAD_EACH,                           /* an element at a time */
} FragmentLoad;
typedef struct Fragments {               /* of one operand, by step and then by its tiles of 16 rows, or of 8 columns */
    FragmentLoad load;
    int count;
    Place *at;                           /* where each lane begins; LOAD_EACH: of every element, in their order */
    bool *rest;                          /* floats that are rounded to TF32, by element: what rounding leaves is taken, and rounded; NULL: no such floats */
} Fragments;
typedef struct Unit {
    Scalar scalar;                       /* of the operands */
    int rows, columns, steps;            /* in tiles of 16, of 8, and of 32 bytes */
    Fragments a, b;
    Place *sums;                         /* by tile: the four that a lane has */
} Unit;

static inline int unit_sums(const Unit *u) { return 4 * u->rows * u->columns; }
static inline int look_words(Scalar s) { return scalar_bytes(s) > 4 ? 2 : 1; }

struct Stmt {
    StmtKind kind;
    Stmt *next;
    Place place;                         /* STORE, ATOMIC: where; LOOK_BACK: the local array in which words are looked at */
    const Expr *value;                   /* STORE, ATOMIC: what; IF: condition */
    Atomic *atomic;                      /* ATOMIC */
    Unit *unit;                          /* UNIT; body: what it means, for devices that have none */
    LookBack *look;                      /* LOOK_BACK; body: before = f(seen, before); other: all = f(before, own) */
    bool stream;                         /* STORE: past the caches */
    bool async;                          /* STORE: a copy that need not have ended before a WAIT */
    int pending;                         /* WAIT: so many groups of copies may be under way, a group being those between two of these; -1: all */
    Buffer *buf;                         /* ALLOC: private buffer starts to live */
    const Nat *var, *from, *limit, *step;    /* FOR: var = from; var < limit; var += step */
    const char *counter;                 /* FOR: the name of var; what there is of it where var is a number */
    bool uniform;                        /* FOR, IF: every work-item of a group goes the same way */
    bool unrolled;                       /* FOR: the compiler is asked to write its rounds out, for private arrays that they index */
    bool single;                         /* IF: lets one work-item of the group through in the dimensions not mapped here */
    Block body, other;                   /* FOR, IF; ATOMIC: what its value needs */
    bool local_fence, global_fence;      /* BARRIER */
    bool warp, lanes;                    /* of the lanes of a warp alone; and for what they read in each other's registers, if that is in memory */
    int kept;                            /* no code: cells keep what that accumulation found there, which its step must not have written; 0: code */
    const Term *origin;                  /* what it was made for; NULL: unknown */
    int first_access, end_access;        /* barrier.c: of its trace, what this touches of shared memory */
    const struct Loops *loops;           /* FOR, barrier.c: itself and those around */
};

static inline bool stmt_writes(const Stmt *s) { return s->kind == S_STORE || s->kind == S_ATOMIC || s->kind == S_LOOK_BACK; }       /* place */
static inline bool stmt_has_bodies(const Stmt *s) { return s->kind >= S_FOR; }

/* ---- kernels ---- */

typedef enum IdKind { ID_GLOBAL, ID_GROUP, ID_LOCAL, ID_KINDS } IdKind;
static inline IdKind id_of_map(const Term *e) { return e->prim == PRIM_MAP_GLOBAL ? ID_GLOBAL : e->prim == PRIM_MAP_WORKGROUP ? ID_GROUP : ID_LOCAL; }
typedef struct VarInfo {                 /* of an index variable */
    const NatAtom *atom;
    enum { VAR_ID, VAR_LOOP, VAR_STRIDED, VAR_OPAQUE } kind;  /* STRIDED: l + L*j of an uneven mapLocal; OPAQUE: a loaded value */
    IdKind id;
    int dim;
    int part;                            /* of an id taken apart while addresses are compared: which of its digits, the highest 1; 0: it is whole */
    bool rounds;                         /* LOOP: over the elements that one work-item takes of a mapLocal of dim */
    bool shared;                         /* OPAQUE: the same for all work-items of a group */
    const struct Expr *loaded;           /* OPAQUE: what it holds; NULL: that may be another value each time */
    const Nat *whole, *among;            /* OPAQUE, of a slice's elements: those of so many in all that one of so many has; or NULL */
} VarInfo;

/* The numbers that an id is divided by, each of which divides the next; n < 0: they do not. */
enum { RADIX_MAX = 7 };
typedef struct Radix { int64_t size[RADIX_MAX]; int n; } Radix;
/* An id as the sum of its digits (delinearised). */
typedef struct IdSplit { const NatAtom *var; Radix radix; const Nat *digits; } IdSplit;

/* An index of a private array, or of an array of the work-items together: l + L*rest with l a local id (a cyclic
 * distribution: the owner and the index within its share). */
typedef struct OwnIndex {
    const Nat *index, *rest;
    int dim;                             /* of l; -1: there is none; -2: it is not of that form */
    bool by_group;                       /* it depends on a global or group id */
} OwnIndex;

typedef struct NameUse { const char *name, *c; int count; bool loop; } NameUse;    /* c: what it becomes if it is a word, once asked */

typedef struct Kernel {
    const char *name, *copies;           /* copies: as PlanKernel's */
    const Term *root;
    bool joined;                         /* of several kernels of one group (plan_private.h): mapGlobal divides among its work-items, as mapLocal does */
    bool warps;                          /* mapWarp stands in it, and a row of work-items is a warp of the device */
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

#endif

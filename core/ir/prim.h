/* prim: the table of primitives (primitives.md; prims.def). */
#ifndef PRIM_H
#define PRIM_H

#include "nat.h"
#include "scalars.h"

typedef struct Ctx Ctx;

typedef enum PrimFamily {
    FAM_MAP,          /* map and its mapped forms */
    FAM_REDUCE,       /* reduce reduceSeq reduceSeqUnroll reduceSeqPrefetch reduceSeqPipe reduceHost reducePart reduceByIndex and its forms */
    FAM_SCAN,         /* scan scanSeq */
    FAM_LAYOUT,       /* moves or groups elements, or says how they are read; computes nothing */
    FAM_ACCESS,       /* at gather scatter generate iterate */
    FAM_MEMORY,       /* toGlobal toLocal toPrivate */
    FAM_VECTOR,       /* asVector asScalar mapVec vec */
    FAM_BIND,         /* let, tuple, projection */
    FAM_SCALAR,       /* operators and scalar functions */
} PrimFamily;

typedef enum PrimId {
#define PRIM(id, ...) PRIM_##id,
#define OP PRIM
#include "prims.def"
    PRIM_COUNT
} PrimId;

typedef enum PrimWrite {           /* how a kernel stores what it makes */
    WRITE_VALUE,                   /* element by element, as it is read */
    WRITE_LAYOUT,                  /* likewise, whether by its argument's elements or by its own */
    WRITE_INVERSE,                 /* a layout through its inverse; map: where its function has one */
    WRITE_MAPPED, WRITE_REDUCE, WRITE_SCAN, WRITE_ITERATE, WRITE_LET, WRITE_IF, WRITE_TUPLE, WRITE_ZIP, WRITE_CONCAT,
    WRITE_SCATTER, WRITE_BY_INDEX, WRITE_SLICE,
    WRITE_GLOBAL, WRITE_LOCAL, WRITE_PRIVATE,                /* to memory of its own there */
} PrimWrite;

typedef enum PrimDims {            /* what a layout makes of the dimensions of its argument */
    DIMS_NONE,                     /* it is no layout */
    DIMS_KEPT,                     /* they stay; of the first it may have a part, or more, or another order */
    DIMS_SPLIT, DIMS_JOINED,       /* the first becomes two, the first two become one */
    DIMS_SWAPPED,                  /* the first two change places */
    DIMS_MIXED,                    /* none of these */
} PrimDims;

enum {                             /* traits */
    PT_PURE = 1,                   /* its elements are elements of what it is made of, at indices that need no code */
    PT_UNROLLED = 2,               /* a loop as straight-line code */
    PT_INDEXED = 4,                /* elements at indices that are values, which there may be none at */
    PT_DIVIDES = 8,                /* integers: an error where the second is 0 */
    PT_EXACT = 16,                 /* floats: whole numbers of small ones */
    PT_CHOOSES = 32,               /* floats: an operand, or its negation: nothing is rounded */
};

typedef enum PrimWork { WORK_NONE, WORK_CHEAP, WORK_SUM, WORK_PRODUCT, WORK_FMA, WORK_QUOTIENT, WORK_SPECIAL } PrimWork;

typedef enum StaticKind { STATIC_SIZE, STATIC_DIM, STATIC_WIDTH, STATIC_MODE, STATIC_PERM } StaticKind;
enum { STATIC_MAX = 3, ARG_MAX = 32 };

typedef struct Prim {
    PrimId id;
    const char *name;              /* as typed; operators: "+" */
    PrimFamily family;
    const char *scheme;            /* type text as documented in prims.def */
    const char *slots;             /* "f in", "#": 0 1 2 ... */
    PrimWrite write;
    PrimDims dims;
    int traits;                    /* PT_... */
    PrimWork work;                 /* of scalar functions, on floats; else NONE */
    const char *function;          /* OP: what OpenCL C calls it, "" where it is no function; NULL otherwise */
    const char *help;
} Prim;

extern const Prim prim_table[];         /* by id */
static inline const Prim *prim(PrimId id) { return &prim_table[id]; }
static inline bool prim_computes(PrimId id) { return prim(id)->family == FAM_SCALAR || id == PRIM_VDOT || id == PRIM_MMA; }
bool prim_rounds(PrimId id);                             /* does it compute with floats so that the result may be rounded, no cast? */
static inline PrimId prim_cast(Scalar s) { return (PrimId)(PRIM_TO_BOOL + (int)s); }      /* to that scalar */
static inline bool prim_is_cast(PrimId id) { return id >= PRIM_TO_BOOL && id < PRIM_TO_BOOL + SC_COUNT; }
static inline Scalar prim_cast_to(PrimId id) { return (Scalar)((int)id - PRIM_TO_BOOL); }
/* The primitive or scalar function of that name, PRIM_COUNT if none. Operators by their text. */
PrimId prim_from_name(const char *name);
const char *prim_choices(PrimId id);                     /* what rules must make of it before a kernel is made; NULL: nothing */
const char *prim_memory(PrimId id);                      /* global, local, private: of a toX; NULL: it is none */
int prim_flops(PrimId id);                               /* of a scalar function on floats; casts, choices, comparisons: 0 */
int prim_static_count(Ctx *c, PrimId id);                /* as typed: statics come first */
StaticKind prim_static_kind(Ctx *c, PrimId id, int i);
const char *prim_static_name(Ctx *c, PrimId id, int i);  /* "k", "d" ... of the scheme */
/* Number of arguments (functions and data), -1 for zip, tuple and vec (any number). */
int prim_arg_count(Ctx *c, PrimId id);
bool prim_arg_is_function(Ctx *c, PrimId id, int i);
/* map mapSeq mapSeqUnroll mapGlobal mapWorkgroup mapLocal mapWarp mapLane; mapped: the same without map */
static inline bool prim_is_map(PrimId id) { return prim(id)->family == FAM_MAP; }
static inline bool prim_is_mapped(PrimId id) { return prim_is_map(id) && id != PRIM_MAP; }
/* reduce reduceSeq and its forms, and those by index */
static inline bool prim_is_reduce(PrimId id) { return prim(id)->family == FAM_REDUCE && id != PRIM_REDUCE_PART; }
/* the forms of scanSeq */
static inline bool prim_is_scan_seq(PrimId id) { return prim(id)->family == FAM_SCAN && id != PRIM_SCAN; }
/* in order, from an init: the forms of reduceSeq, scanSeq */
static inline bool prim_is_fold(PrimId id) { return prim_is_scan_seq(id) || (prim_is_reduce(id) && id != PRIM_REDUCE); }
/* its function takes what it gave for the elements before */
static inline bool prim_repeats(PrimId id) { return prim(id)->family == FAM_REDUCE || prim(id)->family == FAM_SCAN || id == PRIM_ITERATE; }
/* reduceByIndex and its forms */
static inline bool prim_is_by_index(PrimId id)
{
    return id == PRIM_REDUCE_BY_INDEX || id == PRIM_REDUCE_BY_INDEX_SEQ || id == PRIM_REDUCE_BY_INDEX_ATOMIC;
}
/* they copy ahead to local memory */
static inline bool prim_is_ahead(PrimId id) { return id == PRIM_REDUCE_SEQ_PREFETCH || id == PRIM_REDUCE_SEQ_PIPE; }
/* In groups with warps a row of work-items, those of dimension 0, is one. */
static inline bool prim_is_of_warps(PrimId id) { return id == PRIM_MAP_WARP || id == PRIM_MAP_LANE; }
static inline bool prim_is_map_local(PrimId id) { return id == PRIM_MAP_LOCAL || prim_is_of_warps(id); }
/* of integers: one decides with it; < <= > >=; the left one has an upper limit, else it has a lower one; equal ones are not meant */
static inline bool prim_compares(PrimId id) { return id >= PRIM_EQ && id <= PRIM_GE; }
static inline bool prim_orders(PrimId id) { return id >= PRIM_LT && id <= PRIM_GE; }
static inline bool prim_is_upper(PrimId id) { return id == PRIM_LT || id == PRIM_LE; }
static inline bool prim_is_strict(PrimId id) { return id == PRIM_LT || id == PRIM_GT; }
/* one of two values; what it does not need of its arguments but the first is not evaluated */
static inline bool prim_chooses(PrimId id) { return id == PRIM_IF || id == PRIM_SELECT; }
static inline bool prim_is_lazy(PrimId id) { return id == PRIM_IF || id == PRIM_AND || id == PRIM_OR; }
static inline bool prim_is_parallel(PrimId id) { return id == PRIM_MAP_GLOBAL || id == PRIM_MAP_WORKGROUP || prim_is_map_local(id); }

/* Values of STATIC_MODE and of the first static of reorder, kept as constant Nats. */
typedef enum PadMode { PAD_CLAMP, PAD_MIRROR, PAD_WRAP, PAD_MODES } PadMode;
typedef enum PermKind { PERM_REVERSE, PERM_ROTATE, PERM_STRIDE, PERM_FUN, PERM_KINDS } PermKind;
int static_kind_from_name(const char *name);             /* of "size", "dim" ... (prim.c); -1: there is none of that name */
const char *pad_mode_name(PadMode m);
const char *perm_kind_name(PermKind k);
PadMode pad_mode_from_name(const char *name);            /* PAD_MODES: there is none of that name */
PermKind perm_kind_from_name(const char *name);          /* PERM_KINDS: likewise */
/* Which element of an array of that length stands at j of it with a border, j < 0 in front of it; and at i of it reordered (k or s as in
 * term_prim; no PERM_FUN). NULL arguments pass through. */
const Nat *pad_index(Nats *n, PadMode mode, const Nat *length, const Nat *j, const NatFacts *facts);
const Nat *perm_index(Nats *n, PermKind kind, const Nat *k, const Nat *length, const Nat *i, const NatFacts *facts);
/* What an operator makes of two integers, as numbers that do not wrap; NULL: no number. A divisor is above 0, and what quot and rem divide is not below 0. */
const Nat *prim_calculate(Nats *n, PrimId op, const Nat *a, const Nat *b, const NatFacts *facts);
int prim_decide(Nats *n, PrimId op, const Nat *a, const Nat *b);     /* what a comparison says of them: 1, 0; -1: it is not known, or is none */

#endif

/* printer: kernels as C, in a dialect (dialect.h). All append to Printer.out. */
#ifndef PRINTER_H
#define PRINTER_H

#include "dialect.h"

/* Binding strengths of C, tightest last. */
enum { P_TOP = 0, P_CHOICE = 3, P_OR, P_AND, P_BOR, P_BXOR, P_BAND, P_EQ, P_LESS, P_SHIFT, P_SUM, P_PRODUCT, P_UNARY, P_ATOM };

struct Printer {
    Build *b;
    const Dialect *d;
    Kernel *k;
    Buf *out;
    int indent;
    const Block *rest;                   /* of the loop around: loop_rests */
    bool half_stored;                    /* Dialect.stores_half, and the kernel computes with no halves */
    bool *buffers;                       /* used, by plan index */
    bool *written, *read;
    bool *values;
    bool *sizes;
    PtrTable rows;                       /* Rows by form */
    VEC(struct FormText *) forms;        /* by form, once asked for */
    bool **undeclared;                   /* by buffer: elements that their first store declares; NULL: none */
    struct OwnElement { int64_t number; const char *name; size_t len; } *own;      /* by element, once asked: which of its work-item's, -1: no
                                                                                     * number says so */
    const char *function;                /* what the last function printed is called, and its operator and type: unrolled code has one over and over */
    size_t function_len;
    PrimId function_op;
    Scalar function_scalar;
    VEC(OriginMark) origins;             /* while asked for */
    const struct Path *within;           /* of the statement around; NULL: there is none */
};

/* ---- words ---- */

void printer_put(Buf *out, const char *const *texts);                /* one behind the other, up to NULL */
static inline Scalar printer_value(const Printer *p, Scalar s) { return s == SC_F16 && p->half_stored ? SC_F32 : s; }   /* what it is in C */
const char *printer_memory(const Dialect *d, Scalar s);              /* in memory: a bool is a byte */
static inline const char *printer_word(const Dialect *d, Scalar s) { return d->scalars[scalar_bytes(s) == 8 ? SC_U64 : SC_U32]; }      /* its bits */
static inline bool printer_keeps_half(const Printer *p, const Buffer *buf)      /* a buffer that values are converted for */
{
    return buf->scalar == SC_F16 && p->half_stored && buf->space != SPACE_PRIVATE;
}

/* ---- indices ---- */

void printer_nat(Printer *p, const Nat *n, int prec);
void printer_address(Printer *p, const Place *q);    /* "buffer + i" */
void printer_place(Printer *p, const Place *q);      /* "buffer[i]", a private variable */

/* The operator is applied to vectors, or to halves: the program needs its helper where the language has no such operator. */
static inline void printer_lanewise(Printer *p, PrimId op, Scalar s, int width)
{
    if (width > 1 || s == SC_F16) p->b->needs.lanewise[op] |= (uint16_t)(1u << s);
}

/* ---- updates that nothing does in one step ---- */

/* Rounds of compare and exchange of the word `at`, until it is what the new value was made of, or has that value: begin declares the three names, the code
 * between makes `next` of `held`. */
typedef struct Rounds { const char *word, *function, *at, *held, *next, *seen; } Rounds;
void printer_rounds_begin(Buf *out, int indent, const Rounds *r);
void printer_rounds_end(Buf *out, int indent, const Rounds *r);

/* ---- expressions; prec: what is printed binds at least so tightly ---- */

void printer_as(Printer *p, const Expr *e, int width, int prec);     /* a scalar as a vector of that width */
const char *printer_infix(Arena *arena, PrimId op);                  /* "+"; NULL: it does not stand between operands */
static inline bool printer_decides(PrimId op) { return prim_compares(op) || op == PRIM_AND || op == PRIM_OR; }
const char *printer_function(const Dialect *d, Arena *arena, PrimId op, Scalar s);   /* what the dialect calls it; NULL: no function */
void printer_argument(Printer *p, const Expr *e, int width);         /* the same, of the type that it has in the language */
void printer_arguments(Printer *p, const Expr *e, int width);        /* "(x, y)" */
void printer_sides(Printer *p, const Expr *e);       /* ", x, y)": of a choice by lanes, behind its condition */
void printer_mask(Printer *p, const Expr *e, int width, int bits, int prec);     /* a mask with lanes of that many bits */

/* A float rounded to fewer bits, of which a program defines what each dialect has no function for: name(x) is (u + up) & mask of the bits u,
 * and a NaN is a quiet one. */
typedef struct Rounding { PrimId op; const char *name, *up, *mask; } Rounding;
extern const Rounding roundings[2];

/* ---- statements ---- */

void ptx_helpers(const Build *b, const PtxWords *w, Buf *out);       /* those that the kernels use (ptx.c) */
void printer_stored(Printer *p, const Expr *e, const Place *q);      /* a value as it is stored there */

#endif

/* opencl: kernels as OpenCL C. Parts: opencl_type.c (words, literals), opencl_index.c (indices, offsets, places), opencl_expr.c,
 * opencl_stmt.c, opencl.c (the kernel around its body, the program). All append to Printer.out. */
#ifndef LATHE_OPENCL_PRIVATE_H
#define LATHE_OPENCL_PRIVATE_H

#include "form.h"
#include "kernel.h"

/* Binding strengths of C, tightest last. */
enum { P_TOP = 0, P_CHOICE = 3, P_OR, P_AND, P_BOR, P_BXOR, P_BAND, P_EQ, P_LESS, P_SHIFT, P_SUM, P_PRODUCT, P_UNARY, P_ATOM };

typedef struct Printer {
    Build *b;
    Kernel *k;
    Buf *out;
    int indent;
    bool *buffers;                       /* used, by plan index */
    bool *written, *read;
    bool *values;
    bool *sizes;
    int barriers;
    int64_t private_scalars;
    PtrTable offsets, nats;              /* Text by place, by number: what unrolled code says again and again */
    PtrTable rows;                       /* Rows by form */
    VEC(OriginMark) origins;             /* while asked for */
    const struct Path *within;           /* of the statement around; NULL: there is none */
} Printer;

/* ---- words ---- */

void opencl_spaces(Buf *out, size_t n);
void opencl_put(Buf *out, const char *const *texts);                 /* one behind the other, up to NULL */
const char *opencl_scalar(Scalar s);                                 /* "float" */
const char *opencl_element(Scalar s, int width);                     /* the same; of a mask, which is a vector of bool, "int" */
const char *opencl_memory(Scalar s);                                 /* in memory: a bool is a "uchar" */
void opencl_print_type(Printer *p, Scalar s, int width);             /* "float4" */
void opencl_vector_head(Printer *p, Scalar s, int width);            /* "(float4)(" */
void opencl_literal(Printer *p, const Expr *e, int prec);

/* ---- indices ---- */

void opencl_nat(Printer *p, const Nat *n, int prec);
int64_t opencl_own(Printer *p, const Place *q);      /* which of a work-item's private elements; -1: no number says so */
void opencl_base(Printer *p, const Place *q);        /* "i, buffer" of vload and vstore */
void opencl_use(Printer *p, const Buffer *buf, bool write);          /* the kernel takes it as an argument */
void opencl_place(Printer *p, const Place *q);       /* "buffer[i]", a private variable */

/* ---- expressions; prec: what is printed binds at least so tightly ---- */

void opencl_new_expr(Printer *p, const Expr *e, int prec);
static inline void opencl_expr(Printer *p, const Expr *e, int prec)
{
    if (e->text) buf_write(p->out, e->text, e->text_len);
    else opencl_new_expr(p, e, prec);
}
void opencl_as(Printer *p, const Expr *e, int width, int prec);      /* a scalar as a vector of that width */
void opencl_mask(Printer *p, const Expr *e, int width, int bits, int prec);      /* a mask with lanes of that many bits */
void opencl_unsigned(Printer *p, const Expr *e, int prec);           /* a signed integer modulo 2^32 or 2^64 */
bool opencl_may_wrap(Printer *p, const Expr *e);                     /* + - * or negation of signed integers, maybe out of range */

/* ---- statements ---- */

#define STREAM "lathe_stream_"           /* and type and width: a store past the caches */
void opencl_block(Printer *p, const Block *blk);

#endif

/* dialect: what differs between the languages that kernels are printed in (opencl.c, cuda.c, c.c).
 *
 * The printer (printer*.c) walks a kernel and writes what all of them share: C. It asks the dialect for the spelling of a word,
 * and for each piece of text that has another shape in another language. A new dialect is a file with one such table, named
 * in DIALECTS (plan.h). */
#ifndef DIALECT_H
#define DIALECT_H

#include "kernel.h"

typedef struct Printer Printer;

/* The words of helpers that are PTX (ptx.c), which is the same in each language. */
typedef struct PtxWords {
    const char *condition;               /* of a preprocessor: that it is compiled for what has matrix units and asynchronous copies */
    const char *function;                /* in front of a helper function's type */
    const char *local, *global;          /* of pointers: a space, or "" */
    const char *in_local;                /* in front of the type of a local array */
    const char *barrier[2];              /* one for arrays of a warp's lanes, and what it is where these are in local memory */
    const char *piece, *word;            /* types of 16 bytes; of 32 bits without a sign */
    const char *address[2], *wide[2];    /* around a pointer to local memory: its 32 bits there; around one to global memory: its 64 */
    const char *to_float;                /* the function that takes 32 bits as a float */
} PtxWords;

struct Dialect {
    const char *name;                    /* as it is asked for: "opencl" */
    const char *title;                   /* as it is spoken of: "OpenCL C" */
    int max_group;                       /* it runs on GPUs alone, which take so many work-items a group; 1: on processors alone; 0: on whatever device */
    int64_t max_local[3];                /* and so many in one dimension */

    /* words */
    const char *scalars[SC_COUNT];       /* "float" */
    const char *long_suffix;             /* of literals with 64 bits */
    const char *half[2];                 /* around a literal of a half, whose text is that of a double */
    const char *special[SC_COUNT];       /* in front of INFINITY and NAN as that float */
    const char *function;                /* in front of a helper function's type */
    const char *single;                  /* behind the name of a function of floats that are not doubles: "f", where C's names are it */
    const char *global, *restricted;     /* in a parameter: space before its type, and behind its `*` */
    bool stores_half;                    /* halves that are only kept, cast and chosen are floats between load and store */
    const char *any;                     /* is it so in any lane of a vector: a function; NULL: there is none */
    const char *lanes[2];                /* around the number of a lane; "" behind it: it is a hexadecimal digit, as in v.s3 */
    bool ids_given;                      /* the numbers of groups and items are parameters, not declared */
    const char *image;                   /* in a parameter: the type of an image, and a space; "": there are none */

    /* types and vectors; element: a word from above */
    void (*type)(Printer *p, const char *element, int width);            /* width 1: the element */
    void (*vector)(Printer *p, const char *element, int width, bool all);        /* "(float4)(", with its lanes and ")" to follow; all: one that all have */
    void (*convert)(Printer *p, const char *element, int width);         /* lane by lane: "convert_float4(" */
    void (*same_bits)(Printer *p, const char *element, int width);       /* the bits of a value as that type: "as_float4(" */
    void (*reinterpret)(Printer *p, const char *element, int width);     /* integers as those of the other sign: "as_uint4(" */
    void (*load)(Printer *p, const Place *q);                            /* a vector, or a half that is stored, from memory; what an image holds */
    void (*store)(Printer *p, const Stmt *s, bool stream);               /* such to memory, as a statement without its ";" */

    /* operations. function_name: of an operator that is a call, where it is not that of prims.def with `single` behind it; else
     * NULL; NULL itself: all are. operation: prints e where the dialect has a way of its own; false: nothing is printed, and C's way will do. NULL:
     * none has. */
    const char *(*function_name)(PrimId op, Scalar s);
    bool (*operation)(Printer *p, const Expr *e, int prec);
    const char *(*call)(Printer *p, PrimId op, Scalar s, int width);     /* what function is called for so many lanes; NULL: that of one */
    const char *(*atomic)(PrimId op, Scalar s, Space space);             /* that does place = op(place, x) at once; PRIM_COUNT: that
                                                                          * compares and exchanges. NULL: there is none */
    void (*bits)(Printer *p, Scalar s, bool back);                       /* a value as an unsigned number of its size, up to the "("; and back */
    void (*word)(Printer *p, const Place *q);                            /* a pointer to a scalar in memory as one to such a number */

    const PtxWords *ptx;                 /* how PTX is written where it may be; NULL: it never may, and there are no matrix units */
    const char *word_16;                 /* before an address in local memory: its 16 bits, as a number: "*(local ushort *)(" */

    /* kernels and programs */
    void (*kernel)(Printer *p, const char *name);                        /* up to the "(" of its parameters */
    void (*locals)(Printer *p, PlanKernel *k);                           /* local memory; k->local_bytes are known */
    void (*id)(Printer *p, IdKind kind, int dim);                        /* its value */
    void (*barrier)(Printer *p, const Stmt *s);
    void (*head)(Build *b, Buf *out);                                    /* in front of the division functions */
    void (*helpers)(Build *b, const Plan *plan, Buf *out);               /* behind them: what the kernels use */
};

#define DIALECT(id) extern const Dialect dialect_##id;
#define NOTHING()
DIALECTS(DIALECT, NOTHING)
#undef DIALECT
#undef NOTHING

#endif

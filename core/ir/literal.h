/* literal: numbers whose types are not decided are variables while a text is elaborated (elab_whole); terms with such types are
 * thrown away. */
#ifndef LITERAL_H
#define LITERAL_H

#include "ir.h"

typedef enum TypeClass { CLASS_DATA, CLASS_SCALAR, CLASS_NUMERIC, CLASS_FLOAT, CLASS_INT, CLASS_W32, CLASS_W64 } TypeClass;
bool type_in_class(Ctx *c, TypeClass cls, const Type *t);        /* decides those in t that may yet be */

typedef struct Literal {
    TypeClass fits;                /* NUMERIC; FLOAT and INT by its text, or where it is used */
    int same;                      /* 1 + the number of another whose type it has; 0: its own */
    bool decided;
    Scalar scalar;                 /* DECIDED, else what it is by default */
    bool cast;                     /* its default is the type that a cast around it makes */
    const Source *source;
    Span span;
    uint64_t key;                  /* elab.c: which it is */
} Literal;
typedef struct LiteralVec { Literal *v; int n, cap; } LiteralVec;
const Type *type_of_literal(Ctx *c, Literal l);
void type_suggest(Ctx *c, const Type *t, Scalar s);      /* a cast of it makes s: an undecided float has all the digits of f64 then */
Literal *literal_root(Ctx *c, int i);                    /* the one of those of one type that knows it */

#endif

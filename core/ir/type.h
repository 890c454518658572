/* type: the types of terms (types.md). Made and kept as ir.h says. */
#ifndef TYPE_H
#define TYPE_H

#include "nat.h"
#include "scalars.h"

typedef struct Type Type;

typedef enum TypeKind { TY_SCALAR, TY_VECTOR, TY_ARRAY, TY_TUPLE, TY_FUN } TypeKind;

struct Type {
    uint32_t id;
    TypeKind kind;
    Scalar scalar;                 /* SCALAR, VECTOR */
    int width;                     /* VECTOR: 2 3 4 8 16 */
    int literal;                   /* SCALAR, VECTOR: 1 + the number of a literal whose type is not decided, scalar a guess; 0: of none */
    const Nat *size;               /* ARRAY */
    int count;                     /* ARRAY 1, TUPLE n >= 2, FUN 2 */
    const Type *const *elems;      /* ARRAY: element; TUPLE: components; FUN: argument, result */
    int leaf_count;                /* tuples taken apart, nested ones too; everything else is one leaf */
    int rank;                      /* dimensions of the largest array in it */
};

const Type *type_scalar(Ctx *c, Scalar s);
const Type *type_vector(Ctx *c, int width, const Type *elem);   /* distributes over tuples; elem scalar or tuple of scalars */
const Type *type_array(Ctx *c, const Nat *size, const Type *elem);
const Type *type_tuple(Ctx *c, const Type *const *elems, int n); /* n = 1 gives the element */
const Type *type_fun(Ctx *c, const Type *arg, const Type *result);
/* Equal, or made so by deciding literals (literal.h). False: they differ; reported (E04) where the literal stands if one cannot be
 * what is needed. */
bool type_same(Ctx *c, const Type *a, const Type *b);

bool type_is_data(const Type *t);                        /* no function inside */
/* The scalars in a row of t as an image, which is its last dimension; its other dimensions together are the rows. *texel: how many
 * of them a texel of 16 bytes holds. NULL: no image holds such elements, but numbers of 4 or 8 bytes and vectors of them. */
const Nat *type_image_row(Ctx *c, const Type *t, int *texel);
bool type_is_scalar_like(const Type *t);                 /* a scalar or a (nested) tuple of scalars */
/* Leaf i (0-based, left to right) of a type whose tuples are taken apart. */
const Type *type_leaf(const Type *t, int i);
int type_components(const Type *t);                      /* tuples taken apart, in arrays too: buffers of a value */
/* Language text, parseable: [N/s0][s0]f32, <4>f32, (a, b), a -> b. */
void type_print(const Type *t, Buf *out);
const char *type_text(Ctx *c, const Type *t);            /* same, in the diag arena: for messages */
const Type *type_subst(Ctx *c, const Type *t, const NatBinding *map, int count);

#endif

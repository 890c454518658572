/* ir_private: the tables behind a Ctx, shared by the modules of ir only. */
#ifndef IR_PRIVATE_H
#define IR_PRIVATE_H

#include "ir.h"
#include "scheme.h"

struct IrTables {
    PtrTable types, terms;
    ConsCount conses;                      /* of terms */
    const Type *scalars[SC_COUNT];
    const Scheme *schemes[PRIM_COUNT];     /* parsed on first use */
    VEC(Term *) hinted;                    /* lambdas whose hints came after them, in that order */
};

/* The type of a primitive node that is not made yet, or NULL with E04. All arguments are given and typed. */
const Type *prim_type(Ctx *c, const Term *n);
const Type *type_lane(Ctx *c, const Type *vector);
bool prim_fits_any_size(Ctx *c, PrimId id);             /* where it is typed, it is with all sizes given values, but for its statics */
bool type_mentions(const Type *t, const NatAtom *v);    /* in the length of an array */
/* Of a slice: its f's length as a variable (NULL: f is no such function), and that variable's upper end, exclusive. */
const NatAtom *slice_variable(const Term *n);
const Nat *slice_extent(Ctx *c, const Term *n);

/* With NAT_TERMS_MAX: why there is no Nat. */
#define SIZE_REFUSED "a size does not divide evenly, or is too large: numbers in it stay below 2^63, and it has at most %d terms"

#endif

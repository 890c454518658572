/* scheme: the parsed type of a primitive, for typing (prim_type.c, elab.c) and for the inference of rules. */
#ifndef SCHEME_H
#define SCHEME_H

#include "literal.h"

typedef enum SchemeKind { SCH_VAR, SCH_SCALAR, SCH_VECTOR, SCH_ARRAY, SCH_TUPLE, SCH_FUN } SchemeKind;
typedef struct SchemeNat {         /* size expression of a scheme: op "" = variable, "c" = constant, else of nat_operator */
    char op[2];
    int var;
    int64_t value;
    const struct SchemeNat *a, *b;
} SchemeNat;
typedef struct SchemeType {
    SchemeKind kind;
    int var;                       /* VAR: type variable */
    Scalar scalar;                 /* SCALAR */
    const SchemeNat *size;         /* ARRAY: length; VECTOR: width (always a variable or a constant) */
    int count;
    const struct SchemeType *kids[4];
} SchemeType;
typedef struct SchemeFact { FactKind kind; const SchemeNat *a, *b; } SchemeFact;
enum { SCHEME_TYPE_VARS = 6, SCHEME_NAT_VARS = 8 };
typedef struct Scheme {
    int static_count;
    struct { StaticKind kind; int nat_var; char name[8]; } statics[STATIC_MAX];
    int arg_count;
    const SchemeType *args[4];
    const SchemeType *result;
    int fact_count;
    SchemeFact facts[4];
    int type_var_count, nat_var_count;
    TypeClass classes[SCHEME_TYPE_VARS];
    char nat_names[SCHEME_NAT_VARS];
} Scheme;
/* NULL for the primitives that no scheme can type: zip unzip tuple proj vec let iterate slice reorder. */
const Scheme *prim_scheme(Ctx *c, PrimId id);

#endif

/* meaning: what primitives stand for whose meaning is a term. */
#include "ir_private.h"

/* form (\(e, f) -> body) (zip x y): body sees f as variable 0 and e above it. form: a mapped form, mapLocal of dimension dim. */
static const Term *map_beside(Ctx *c, PrimId form, int dim, const Term *x, const Term *y, const Term *body)
{
    const Nat *d = nat_const(c->nats, dim);
    const Term *zip = body ? term_prim2(c, PRIM_ZIP, x, y) : NULL;
    const Term *f = zip ? term_lam(c, zip->type->elems[0], body, NULL) : NULL;
    return f ? term_prim(c, form, &d, form == PRIM_MAP_LOCAL, (const Term *[]){f, zip}, 2) : NULL;
}

/* reduceSeq (\(acc, (x, y)) -> mapLocal 1 (\(cr, p) -> mapLocal 0 (\(cp, q) -> mapSeqUnroll (\(s, d) -> s + f32 p * f32 d)
 * (zip cp q)) (zip cr (split w y))) (zip acc x)) acc (zip (transpose a) (transpose (join b))) */
static const Term *meaning_of_mma(Ctx *c, const Term *t)
{
    const Term *a = t->args[0], *b = t->args[1], *acc = t->args[2];
    const Term *turned = term_prim1(c, PRIM_TRANSPOSE, a), *joined = term_prim1(c, PRIM_JOIN, b);
    const Term *steps = term_prim2(c, PRIM_ZIP, turned, term_prim1(c, PRIM_TRANSPOSE, joined));
    const Type *step = steps ? steps->type->elems[0] : NULL, *sums = acc->type->elems[0], *from = a->type->elems[0]->elems[0];
    if (!step) return NULL;
    /* Variables from the innermost out: d s, q cp, p cr, y x acc. */
    const Nat *width = b->type->elems[0]->size;
    const Term *column = term_var(c, 2, step->elems[1]), *parts = term_prim(c, PRIM_SPLIT, &width, 1, &column, 1);
    const Term *p = term_prim1(c, PRIM_TO_F32, term_var(c, 4, from)), *d = term_prim1(c, PRIM_TO_F32, term_var(c, 0, from));
    const Term *sum = term_prim2(c, PRIM_ADD, term_var(c, 1, sums->elems[0]->elems[0]), term_prim2(c, PRIM_MUL, p, d));
    const Term *part = map_beside(c, PRIM_MAP_SEQ_UNROLL, 0, term_var(c, 1, sums->elems[0]), term_var(c, 0, type_array(c, width, from)), sum);
    const Term *row = parts ? map_beside(c, PRIM_MAP_LOCAL, 0, term_var(c, 1, sums), parts, part) : NULL;
    const Term *all = map_beside(c, PRIM_MAP_LOCAL, 1, term_var(c, 2, acc->type), term_var(c, 1, step->elems[0]), row);
    const Term *f = all ? term_lam(c, type_tuple(c, (const Type *[]){acc->type, step}, 2), all, NULL) : NULL;
    return f ? term_prim(c, PRIM_REDUCE_SEQ, NULL, 0, (const Term *[]){f, acc, steps}, 3) : NULL;
}

static bool is_rounding(void *unused, const Term *t)
{
    (void)unused;
    return term_is(t, PRIM_TF32);
}

bool term_is_approximate(const Term *t) { return term_find(t, is_rounding, NULL); }

const Term *term_meaning(Ctx *c, const Term *t) { return meaning_of_mma(c, t); }

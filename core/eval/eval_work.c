/* eval_work: an estimate of how many scalar steps the interpreter needs for a term. */
#include "eval.h"

typedef struct Work {
    const NatAtom *length;               /* inside an iterate: its length variable, */
    int64_t at;                          /* and a bound of it */
} Work;

static bool length_value(void *data, const NatAtom *var, int64_t *out)
{
    const Work *w = data;
    *out = var == w->length ? w->at : 1;
    return true;
}

static double work_size(Work *w, const Nat *n)
{
    int64_t v;
    return nat_eval(n, length_value, w, &v) ? (double)v : 1;
}

static double work_length(Work *w, const Type *t) { return t->kind == TY_ARRAY ? work_size(w, t->size) : 1; }

static double work_of(Work *w, const Term *t);

/* At most as much as all steps at the first length. */
static double work_iterate(Work *w, const Term *t)
{
    const Nat *p = t->args[0]->type->elems[0]->size;
    Work inner = *w;
    if (!p->is_const) {
        inner.at = (int64_t)work_length(w, t->args[1]->type);
        inner.length = p->terms[0].factors[0].atom;
    }
    return work_size(w, t->statics[0]) * work_of(&inner, t->args[0]->args[0]);
}

static double work_data(const Type *t, Work *w)
{
    double n = 0;
    if (t->kind == TY_ARRAY) return work_length(w, t) * work_data(t->elems[0], w);
    if (t->kind != TY_TUPLE) return t->kind == TY_VECTOR ? t->width : 1;
    for (int i = 0; i < t->count; i++) n += work_data(t->elems[i], w);
    return n;
}

static double work_args(Work *w, const Term *t)
{
    double n = 0;
    for (int i = 0; i < t->arg_count; i++)
        if (t->args[i]->kind != T_LAM) n += work_of(w, t->args[i]);
    return n;
}

static double work_prim(Work *w, const Term *t)
{
    const Term *f = t->arg_count && t->args[0]->kind == T_LAM ? t->args[0]->args[0] : NULL;
    PrimId p = (PrimId)t->prim;
    switch (prim(p)->family) {
    case FAM_SCALAR: return 1 + work_args(w, t);
    case FAM_MAP: return work_args(w, t) + work_length(w, t->type) * work_of(w, f);
    case FAM_REDUCE: case FAM_SCAN: {
        double step = work_of(w, f), acc = work_data(t->args[1]->type, w);
        return work_args(w, t) + work_length(w, t->args[2]->type) * (step > acc ? step : acc);
    }
    default: break;
    }
    if (p == PRIM_LET) return work_of(w, t->args[0]) + work_of(w, t->args[1]->args[0]);
    if (p == PRIM_ITERATE) return work_args(w, t) + work_iterate(w, t);
    if (p == PRIM_GENERATE) return work_length(w, t->type) * work_of(w, f);
    if (p == PRIM_MAP_VEC) return work_args(w, t) + type_leaf(t->type, 0)->width * work_of(w, f);
    if (p == PRIM_VDOT) return work_args(w, t) + 2 * t->args[0]->type->width;
    if (p == PRIM_REORDER && f)
        return work_of(w, t->args[2]) + work_length(w, t->type) * (work_of(w, f) + work_of(w, t->args[1]->args[0]));
    return work_args(w, t);
}

static double work_of(Work *w, const Term *t)
{
    double n = t->kind == T_PRIM ? work_prim(w, t) : t->kind == T_LAM ? work_of(w, t->args[0]) : 0;
    return n < 1e300 ? n : 1e300;
}

double eval_work(Ctx *c, const Term *t)
{
    (void)c;
    Work w = {NULL, 1};
    if (!t) return 0;
    double n = work_of(&w, t), all = work_data(t->type, &w);
    return n > all ? n : all;
}

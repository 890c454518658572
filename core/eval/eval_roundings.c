/* eval_roundings: how often floats are rounded, one time after another, in the loops on the way to an element. */
#include "eval.h"

#include <math.h>
#include <stdlib.h>

typedef struct Walk {
    VEC(double) vars;                    /* roundings of each variable bound, the innermost last */
    double most;                         /* of one reduction */
    int loops;                           /* around */
} Walk;

static double roundings(Walk *w, const Term *t);

/* The last leaves of the parameter have `last`, those before `first`. */
static double apply(Walk *w, const Term *f, double first, int leaves, double last)
{
    int before = w->vars.n, all = f->type->elems[0]->leaf_count;
    for (int i = 0; i < all; i++) vec_push(&w->vars, i < leaves ? first : last);
    double r = roundings(w, f->args[0]);
    w->vars.n = before;
    return r;
}

static double apply_to(Walk *w, const Term *f, double given) { return apply(w, f, given, 0, given); }

/* The shadow of a product is that of the factors multiplied, so what is rounded in both counts; that of a sum is their sum. */
static double of_scalar(Walk *w, const Term *t)
{
    enum { OF_FUNCTION = 16 };           /* the most ulps OpenCL allows one */
    double sum = 0, most = 0, r[ARG_MAX] = {0};
    PrimId p = (PrimId)t->prim;
    const Type *leaf = type_leaf(t->type, 0);
    for (int i = p == PRIM_IF || p == PRIM_SELECT; i < t->arg_count; i++) {
        r[i] = roundings(w, t->args[i]);
        sum += r[i];
        most = fmax(most, r[i]);
    }
    if (t->type->kind != TY_ARRAY && t->type->kind != TY_TUPLE && !scalar_is_float(leaf->scalar)) return isnan(sum) ? NAN : 0;
    if (isnan(sum)) return NAN;
    int once = w->loops > 0;
    if (prim(p)->traits & PT_CHOOSES) return most;
    if (p == PRIM_ADD || p == PRIM_SUB) return most + once;
    if (p == PRIM_FMA) return fmax(r[0] + r[1], r[2]) + once;
    if (p == PRIM_MUL || p == PRIM_DIV) return sum + once;
    return p == PRIM_SQRT || prim(p)->traits & PT_EXACT || t->arg_count == 1 ? most + once * OF_FUNCTION : sum + once * OF_FUNCTION;
}

static bool has_floats(const Type *t)
{
    for (int i = 0; i < t->leaf_count; i++) {
        const Type *leaf = type_leaf(t, i);
        while (leaf->kind == TY_ARRAY) leaf = leaf->elems[0];
        if (leaf->kind == TY_TUPLE ? has_floats(leaf) : scalar_is_float(leaf->scalar)) return true;
    }
    return false;
}

/* n steps of f on a state that was rounded so often: what a step adds must be the same at the first one and the last, and since it
 * is convex in what was there, being a maximum of sums of it, it is no more in between. */
static double steps(Walk *w, const Term *f, double state, int leaves, double given, double n)
{
    double step = apply(w, f, state, leaves, given) - state;
    if (!(step > 0)) return isnan(step) ? NAN : state;
    double last = state + n * step;
    return apply(w, f, last, leaves, given) - last <= step ? last : NAN;
}

static bool is_rounded(Scalar s, double literal) { return (s == SC_F16 || s == SC_F32) && scalar_rounded(s, literal) != literal; }

static double roundings(Walk *w, const Term *t)
{
    if (t->kind == T_VAR) return w->vars.v[w->vars.n - 1 - t->u.index];
    if (t->kind == T_PRIM) {
        PrimId p = (PrimId)t->prim;
        PrimFamily family = prim(p)->family;
        if (family == FAM_SCALAR) return of_scalar(w, t);
        if (family == FAM_REDUCE || family == FAM_SCAN) {
            /* Folds over floats are reductions: what one of them loses is the tolerance's to say, whatever its order; those over numbers of
             * steps are loops. */
            const Term *f = t->args[0];
            const Type *elem = t->args[2]->type->elems[0], *state = prim_is_by_index((PrimId)t->prim) ? t->args[1]->type->elems[0] : t->args[1]->type;
            double z = roundings(w, t->args[1]), x = roundings(w, t->args[2]);
            bool reduction = has_floats(elem) || !t->args[2]->type->size->is_const;
            double n = t->args[2]->type->size->is_const ? (double)t->args[2]->type->size->value : INFINITY;
            w->loops += !reduction;
            double all = steps(w, f, reduction ? fmax(z, x) : z, state->leaf_count, x, reduction ? 1 : n);
            w->loops -= !reduction;
            if (!reduction) return all;
            double step = all - fmax(z, x);
            return fmax(z, x) + (step > 0 ? fmin(n * step, w->most) : step);
        }
        if (p == PRIM_ITERATE) {
            if (!t->statics[0]->is_const) return NAN;
            int leaves = t->args[0]->type->elems[0]->leaf_count;
            double from = roundings(w, t->args[1]);
            w->loops++;
            double r = steps(w, t->args[0], from, leaves, 0, (double)t->statics[0]->value);
            w->loops--;
            return r;
        }
        if (p == PRIM_LET) return apply_to(w, t->args[1], roundings(w, t->args[0]));
        double most = 0;
        for (int i = 0; i < t->arg_count; i++) {
            double r = t->args[i]->kind == T_LAM ? 0 : roundings(w, t->args[i]);
            if (isnan(r)) return NAN;
            most = fmax(most, r);
        }
        if (p == PRIM_VDOT) return 2 * most + (w->loops > 0) * t->args[0]->type->width;
        bool applies = family == FAM_MAP || p == PRIM_GENERATE || p == PRIM_SLICE || p == PRIM_MAP_VEC;
        return applies ? apply_to(w, t->args[0], most) : most;
    }
    return t->kind == T_LIT && w->loops && is_rounded(type_leaf(t->type, 0)->scalar, t->u.lit.f);
}

double eval_roundings(const Term *t, double most)
{
    Walk w = {.most = most};
    double r = roundings(&w, t);
    free(w.vars.v);
    return isnan(r) ? 0 : r;
}

/* work: how many floating-point operations a program asks for. */
#include "run.h"

/* A length as a number; false: it is not constant. */
static bool length_of(const Term *array, double *out)
{
    int64_t n;
    if (array->type->kind != TY_ARRAY || !nat_eval(array->type->size, NULL, NULL, &n)) return false;
    *out = (double)n;
    return true;
}

static bool add(const Term *t, double times, double *sum);

/* The function's body, so many times; the other arguments once. */
static bool add_applied(const Term *t, double times, double applied, double *sum)
{
    for (int i = 0; i < t->arg_count; i++)
        if (!add(t->args[i], i == 0 ? times * applied : times, sum)) return false;
    return true;
}

static bool is_float(const Type *t) { return (t->kind == TY_SCALAR || t->kind == TY_VECTOR) && scalar_is_float(t->scalar); }

/* The side of an `if` that works most. */
static bool add_choice(const Term *t, double times, double *sum)
{
    double sides[2] = {0, 0};
    bool ok = add(t->args[0], times, sum) && add(t->args[1], times, &sides[0]) && add(t->args[2], times, &sides[1]);
    *sum += sides[0] > sides[1] ? sides[0] : sides[1];
    return ok;
}

static bool add_prim(const Term *t, double times, double *sum)
{
    double n = 1;
    switch ((PrimId)t->prim) {
    case PRIM_IF: return add_choice(t, times, sum);
    case PRIM_ITERATE: return false;     /* its lengths change from round to round */
    case PRIM_GENERATE: return length_of(t, &n) && add_applied(t, times, n, sum);
    case PRIM_MAP_VEC: return add_applied(t, times, t->type->kind == TY_VECTOR ? t->type->width : 1, sum);
    case PRIM_VDOT:
        if (is_float(t->type)) *sum += times * (2 * t->args[0]->type->width - 1);
        return add_applied(t, times, 1, sum);
    default: break;
    }
    PrimFamily family = prim((PrimId)t->prim)->family;
    bool loops = family == FAM_MAP || family == FAM_REDUCE || family == FAM_SCAN;
    if (loops && !length_of(t->args[t->arg_count - 1], &n)) return false;
    if (is_float(t->type)) *sum += times * prim_flops((PrimId)t->prim);
    return add_applied(t, times, n, sum);
}

static bool add(const Term *t, double times, double *sum)
{
    if (t->kind == T_LAM) return add(t->args[0], times, sum);
    return t->kind != T_PRIM || !(t->flags & TF_COMPUTES) || times == 0 || add_prim(t, times, sum);
}

double term_flops(const Term *bound)
{
    double sum = 0;
    return add(bound, 1, &sum) ? sum : 0;
}

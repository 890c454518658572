/* eval_work: how much a term works: scalar steps of the interpreter, estimated, and operations on floats, counted. */
#include "eval.h"

#include <math.h>

typedef struct Early {                   /* a fold whose step may end it, outside of every other loop */
    double rounds;                       /* that it made; NaN: not known */
    int met;
} Early;

typedef struct Work {
    const NatAtom *length;               /* inside an iterate or a slice: its length variable, */
    int64_t at;                          /* and a bound of it, or what it is on average */
    const struct Work *up;               /* what is around that; NULL: nothing */
    double times;                        /* how often the function around applies what it is given */
    Early *early;                        /* NULL: inside a loop */
} Work;

static bool length_value(void *data, const NatAtom *var, int64_t *out)
{
    const Work *w = data;
    while (w && var != w->length) w = w->up;
    *out = w ? w->at : 1;
    return true;
}

static double work_size(Work *w, const Nat *n)
{
    int64_t v;
    return nat_eval(n, length_value, w, &v) ? (double)v : 1;
}

static double work_length(Work *w, const Type *t) { return t->kind == TY_ARRAY ? work_size(w, t->size) : 1; }

static double work_data(const Type *t, Work *w)
{
    double n = 0;
    if (t->kind == TY_ARRAY) return work_length(w, t) * work_data(t->elems[0], w);
    if (t->kind != TY_TUPLE) return t->kind == TY_VECTOR ? t->width : 1;
    for (int i = 0; i < t->count; i++) n += work_data(t->elems[i], w);
    return n;
}

static bool is_float(const Type *t) { return (t->kind == TY_SCALAR || t->kind == TY_VECTOR) && scalar_is_float(t->scalar); }

static EvalWork work_of(Work *w, const Term *t);

/* Does the step of a fold say `if c then e else s`, s being the state as it came, which ends the fold where c is false? */
static bool ends_early(const Term *f)
{
    if (f->type->elems[0]->kind != TY_TUPLE) return false;
    const Term *e = f->args[0];
    int below = f->type->elems[0]->elems[1]->leaf_count;
    for (; term_is(e, PRIM_LET) && e->args[1]->kind == T_LAM; e = e->args[1]->args[0]) below += e->args[1]->type->elems[0]->leaf_count;
    return term_is(e, PRIM_IF) && term_is_param(e->args[2], f->type->elems[1], below);
}

/* Of a function that is applied to each of an array's elements, one after another if more > 0: steps at least. */
static void add_each(Work *w, const Type *array, const Term *f, double more, EvalWork *sum)
{
    double n = work_length(w, array), rounds = n;
    Work inner = {NULL, 1, w, n, NULL};
    EvalWork each = work_of(&inner, f);
    if (array->kind == TY_ARRAY && !array->size->is_const) rounds = NAN;
    if (more > 0 && f->kind == T_LAM && ends_early(f)) rounds = w->early && !w->early->met++ ? w->early->rounds : NAN;
    sum->steps += n * fmax(each.steps, more);
    sum->depth += (more > 0 ? n : 1) * each.depth;
    sum->flops += each.flops == 0 ? 0 : rounds * each.flops;
}

static EvalWork work_of(Work *w, const Term *t)
{
    if (t->kind != T_PRIM) return t->kind == T_LAM ? work_of(w, t->args[0]) : (EvalWork){0, 0, 0};
    const Term *f = t->arg_count && t->args[0]->kind == T_LAM ? t->args[0] : NULL;
    PrimId p = (PrimId)t->prim;
    PrimFamily family = prim(p)->family;
    EvalWork sum = {0, 0, 0}, part;
    double width, least = INFINITY;
    for (int i = 0; i < t->arg_count; i++) {
        if (t->args[i]->kind == T_LAM) continue;
        part = work_of(w, t->args[i]);
        sum.steps += part.steps;
        sum.flops += part.flops;
        sum.depth = fmax(sum.depth, part.depth);
        if (i > 0) least = fmin(least, part.flops);
    }
    if (family == FAM_SCALAR) sum.steps++, sum.depth++;
    if (is_float(t->type)) sum.flops += prim_flops(p);
    if (p == PRIM_IF) sum.flops -= least;        /* the side that works most */
    else if (family == FAM_MAP || p == PRIM_GENERATE) add_each(w, t->type, f, 0, &sum);
    else if (prim_is_by_index(p)) add_each(w, t->args[2]->type, f, work_data(t->type->elems[0], w), &sum);
    else if (family == FAM_REDUCE || family == FAM_SCAN) add_each(w, t->args[2]->type, f, work_data(t->args[1]->type, w), &sum);
    else if (p == PRIM_SCAN_GROUPS) add_each(w, t->type, t->args[2], 0, &sum);
    else if (p == PRIM_ITERATE) {                /* at most as many steps as all rounds at the first length take */
        const Nat *length = t->args[0]->type->elems[0]->size;
        Work inner = {NULL, 1, w, w->times, NULL};
        if (!length->is_const) {
            inner.at = (int64_t)work_length(w, t->args[1]->type);
            inner.length = nat_atom(length);
        }
        EvalWork each = work_of(&inner, t->args[0]);
        double rounds = work_size(w, t->statics[0]);
        sum.steps += rounds * each.steps;
        sum.depth += rounds * each.depth;
        sum.flops = NAN;
    } else if (p == PRIM_SLICE) {
        /* Slices are taken to share an array among those that the function around makes. */
        double most = work_length(w, t->args[3]->type) / work_size(w, t->statics[0]);
        Work inner = {slice_length(t), (int64_t)ceil(fmin(most, work_length(w, t->args[3]->type) / fmax(1, w->times))), w, w->times, NULL};
        EvalWork each = work_of(&inner, t->args[0]);
        sum.steps += each.steps + 1;
        sum.depth += each.depth;
        sum.flops = each.flops == 0 ? sum.flops : NAN;
    } else if (p == PRIM_LET || p == PRIM_MAP_VEC) {
        part = work_of(w, t->args[p == PRIM_LET]);
        width = p == PRIM_LET ? 1 : type_leaf(t->type, 0)->width;
        sum.steps += width * part.steps;
        sum.flops += width * part.flops;
        sum.depth += part.depth;
    } else if (p == PRIM_MMA) {
        double products = work_data(t->type, w) * work_length(w, t->args[0]->type->elems[0]);
        sum.steps += products;
        sum.flops += 2 * products;
        sum.depth += work_length(w, t->args[0]->type->elems[0]);
    } else if (p == PRIM_VDOT) {
        sum.steps += 2 * t->args[0]->type->width;
        sum.depth += t->args[0]->type->width;
        if (is_float(t->type)) sum.flops += 2 * t->args[0]->type->width - 1;
    } else if (p == PRIM_REORDER && f) {
        add_each(w, t->type, f, 0, &sum);
        add_each(w, t->type, t->args[1], 0, &sum);
    }
    if (!(t->flags & TF_COMPUTES)) sum.flops = 0;
    if (!(sum.steps < 1e300)) sum.steps = 1e300;
    sum.depth = fmin(sum.depth, sum.steps);
    return sum;
}

EvalWork eval_work(const Term *t, double rounds)
{
    Early early = {rounds, 0};
    Work w = {NULL, 1, NULL, 1, &early};
    if (!t) return (EvalWork){0, 0, 0};
    EvalWork work = work_of(&w, t);
    work.steps = fmax(work.steps, work_data(t->type, &w));
    if (isnan(work.flops)) work.flops = 0;
    return work;
}

/* precise: a term in a precision well above any program's, in reading order: its literals as they were written, its elements in
 * double-double, and how far rounding there may have moved them. */
#include "check_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- literals ---- */

/* So many digits of a number come back from a type; powers of ten up to that one are exact in it. */
static const struct { int digits, power; } decimal[SC_COUNT] = {[SC_F16] = {3, 4}, [SC_F32] = {FLT_DIG, 10}, [SC_F64] = {DBL_DIG, 22}};

/* The number that scalar_text wrote: m times a power of ten. Returns how many digits m has. */
static int read_decimal(const char *text, double *m, int *power)
{
    int digits = 0, after = 0;
    bool point = false;
    *m = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.') point = true;
        if (*text < '0' || *text > '9') continue;
        *m = *m * 10 + (*text - '0');
        digits += *m > 0;
        after += point;
    }
    *power = (*text ? atoi(text + 1) : 0) - after;
    return digits;
}

/* From -1 to 1. */
static double drawn(uint64_t draw, uint64_t of) { return (double)(hash_mix(draw, of) >> 11) * 0x1p-52 - 1; }

/* 0.1 is 1 / 10, which no type of floats holds: rounding it is no difference between two terms. A literal with all the digits that
 * its type has stands for a number like pi, which lies within its last one: where it does is drawn. */
static const Term *literal_written(Ctx *c, const Term *t, uint64_t draw)
{
    enum { SHORT = 1024 };
    Scalar s = t->type->scalar;
    double v = t->u.lit.f, m, exact = float_ranges[s].exact;
    char room[32];
    int power;
    bool whole = v * SHORT == rint(v * SHORT) && fabs(v * SHORT) <= exact;
    if (whole || !(fabs(v) < 1e250 && fabs(v) > 1e-250)) return t;
    if (read_decimal(scalar_text(s, v, room), &m, &power) > decimal[s].digits) {
        uint64_t bits;
        memcpy(&bits, &v, sizeof bits);
        return draw ? term_prim2(c, PRIM_ADD, t, term_float(c, t->type, drawn(draw, bits) * v / exact)) : t;
    }
    const Term *x = term_float(c, t->type, copysign(m, v));
    while (power) {
        int step = power > 0 ? power : -power;
        if (step > decimal[s].power) step = decimal[s].power;
        x = term_prim2(c, power > 0 ? PRIM_MUL : PRIM_DIV, x, term_float(c, t->type, pow(10, step)));
        power -= power > 0 ? step : -step;
    }
    return x;
}

/* Functions round also where what they make is short, as exp 1e-40, which is 1. Each place by itself. */
static const Term *function_moved(Ctx *c, const Term *t, uint64_t draw, uint64_t place)
{
    const Term *by = term_float(c, t->type, drawn(draw, place) * 0x1p-100);
    return term_prim2(c, PRIM_MUL, t, term_prim2(c, PRIM_ADD, term_float(c, t->type, 1), by));
}

typedef struct Writing {
    Ctx *c;
    uint64_t draw;
    const Term **made;                   /* by the ids of what they were made of */
} Writing;

static const Term *written(Writing *w, const Term *t)
{
    if (w->made[t->id]) return w->made[t->id];
    const Term *args[ARG_MAX], *r = t;
    bool changed = false;
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = written(w, t->args[i]);
        if (!args[i]) return NULL;
        changed |= args[i] != t->args[i];
    }
    bool is_float = t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar);
    if (changed) r = term_with_args(w->c, t, args);
    if (t->kind == T_LIT && is_float) r = literal_written(w->c, t, w->draw);
    else if (w->draw && is_float && t->kind == T_PRIM && prim((PrimId)t->prim)->work == WORK_SPECIAL) r = function_moved(w->c, r, w->draw, t->id);
    return w->made[t->id] = r;
}

/* ---- elements ---- */

static Eval *evaluation(Precise *p, int draw)
{
    Writing w = {p->c, (uint64_t)draw, mem_alloc(((size_t)p->term->id + 1) * sizeof *w.made)};
    const Term *t = written(&w, p->term);
    free(w.made);
    Eval *e = t ? eval_new(p->c, t, p->inputs, p->input_count, draw ? EVAL_RANDOM_WIDE : EVAL_WIDE) : NULL;
    if (!e) return NULL;
    eval_limit(e, p->steps, p->stop);
    if (draw) eval_draw(e, (uint64_t)draw);
    return e;
}

static bool element(Precise *p, int draw, int part, int64_t i, DoubleDouble *out)
{
    EvalScalar x;
    if (!p->evals[draw]) p->evals[draw] = evaluation(p, draw);
    bool ok = p->evals[draw] && eval_at(p->evals[draw], part, i, &x, &p->c->diag);
    diag_clear(&p->c->diag);
    if (ok) *out = (DoubleDouble){x.f, x.low};
    return ok;
}

bool precise_value(Precise *p, int part, int64_t i, DoubleDouble *out) { return element(p, 0, part, i, out); }

double precise_spread(Precise *p, int part, int64_t i)
{
    DoubleDouble v, w;
    double most = 0;
    if (!element(p, 0, part, i, &v)) return INFINITY;
    for (int draw = 1; draw <= PRECISE_DRAWS; draw++) {
        double apart = element(p, draw, part, i, &w) ? fabs(dd_add(w, dd_neg(v)).hi) : INFINITY;
        if (!(apart <= most)) most = isnan(apart) ? INFINITY : apart;
    }
    return most;
}

void precise_free(Precise *p)
{
    for (int i = 0; i < COUNT(p->evals); i++) eval_free(p->evals[i]);
}

/* precise: a term in a precision well above any program's, in reading order: its literals moved as rounding may have moved
 * them, its elements in double-double, and how far they move. */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is moved ---- */

/* From -1 to 1. */
static double drawn(uint64_t draw, uint64_t of) { return (double)(hash_mix(draw, of) >> 11) * 0x1p-52 - 1; }

/* A literal stands for any number that is rounded to it, as 0.1 and pi are, unless it is exact in half the bits, or whole. */
static const Term *literal_moved(Ctx *c, const Term *t, uint64_t draw)
{
    double v = t->u.lit.f, exact = float_ranges[t->type->scalar].exact;
    int power, half = ilogb(exact) / 2;
    double bits = ldexp(frexp(v, &power), half);
    if (!isfinite(v) || bits == rint(bits) || (v == rint(v) && fabs(v) <= exact)) return t;
    uint64_t place;
    memcpy(&place, &v, sizeof place);
    return term_prim2(c, PRIM_ADD, t, term_float(c, t->type, drawn(draw, place) * v / exact));
}

typedef struct Moving {
    Ctx *c;
    uint64_t draw;
    const Term **made;                   /* by the ids of what they were made of */
} Moving;

static const Term *moved(Moving *w, const Term *t)
{
    if (w->made[t->id]) return w->made[t->id];
    const Term *args[ARG_MAX], *r = t;
    bool changed = false;
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = moved(w, t->args[i]);
        if (!args[i]) return NULL;
        changed |= args[i] != t->args[i];
    }
    bool is_float = t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar);
    if (changed) r = term_with_args(w->c, t, args);
    if (is_float && t->kind == T_LIT) r = literal_moved(w->c, t, w->draw);
    return w->made[t->id] = r;
}

/* ---- elements ---- */

/* 0, or a draw of that cause. */
static Eval *evaluation(const Precise *p, Cause cause, int draw)
{
    const Term *t = p->term;
    if (draw && cause == LITERALS_MOVE) {
        Moving w = {p->c, (uint64_t)draw, mem_alloc(((size_t)t->id + 1) * sizeof *w.made)};
        t = moved(&w, t);
        free(w.made);
    }
    bool rounds = draw && cause == ROUNDING;
    Eval *e = t ? eval_new(p->c, t, p->inputs, p->input_count, rounds ? EVAL_RANDOM_WIDE : EVAL_WIDE) : NULL;
    if (!e) return NULL;
    eval_limit(e, p->steps, p->stop);
    if (p->approximate) eval_round_casts(e);
    if (rounds) eval_draw(e, (uint64_t)draw);
    return e;
}

static bool element(const Precise *p, Eval **e, Cause cause, int draw, int part, int64_t i, DoubleDouble *out)
{
    EvalScalar x;
    if (!*e) *e = evaluation(p, cause, draw);
    bool ok = *e && eval_at(*e, part, i, &x, &p->c->diag);
    diag_clear(&p->c->diag);
    if (ok) *out = (DoubleDouble){x.f, x.low};
    return ok;
}

bool precise_value(Precise *p, int part, int64_t i, DoubleDouble *out) { return element(p, &p->plain, ROUNDING, 0, part, i, out); }

double precise_spread(Precise *p, Cause cause, int part, int64_t i)
{
    DoubleDouble v, w;
    double most = 0;
    if (!precise_value(p, part, i, &v)) return INFINITY;
    for (int draw = 1; draw <= PRECISE_DRAWS; draw++) {
        bool ok = element(p, &p->drawn[cause][draw - 1], cause, draw, part, i, &w);
        double apart = ok ? fabs(dd_add(w, dd_neg(v)).hi) : INFINITY;
        if (!(apart <= most)) most = isnan(apart) ? INFINITY : apart;
    }
    return most;
}

void precise_free(Precise *p)
{
    eval_free(p->plain);
    for (Cause c = 0; c < CAUSES; c++)
        for (int i = 0; i < PRECISE_DRAWS; i++) eval_free(p->drawn[c][i]);
}

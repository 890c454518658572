/* cost: what single elements of a result cost the interpreter, and how many of them can be afforded. */
#include "run_private.h"

#include <math.h>

enum {
    ELEMENTS_LEAST = 16,                 /* verified however dear each is */
    SHARES = 4,                          /* inner dimensions: a step there is so much cheaper than a fresh element */
};

typedef struct Probe {
    Eval *e;
    const int *parts;
    int part_count;
    const Shape *s;
    int64_t at[SHAPE_RANK];
    Diag *diag;
} Probe;

/* Between one third and two of each of these dimensions, so that a coordinate differs from what it was. */
static double step(Probe *p, unsigned dims, bool *ok)
{
    for (int i = 0; i < p->s->rank; i++) {
        int64_t n = p->s->dims[i], third = n / 3;
        if (dims >> i & 1) p->at[i] = p->at[i] == third ? 2 * n / 3 : third;
    }
    EvalScalar x;
    int64_t before = eval_steps(p->e);
    for (int i = 0; *ok && i < p->part_count; i++)
        *ok = eval_at(p->e, p->parts[i], shape_flat(p->s, p->at), &x, p->diag);
    return (double)(eval_steps(p->e) - before);
}

bool cost_measure(Eval *e, const int *parts, int part_count, const Shape *s, ElementCost *out, Diag *diag)
{
    Probe p = {.e = e, .parts = parts, .part_count = part_count, .s = s, .diag = diag};
    double each[SHAPE_RANK], least = INFINITY;
    unsigned every = (1u << s->rank) - 1, cheapest = 0;
    bool ok = true;
    double first = step(&p, every, &ok);
    *out = (ElementCost){.fresh = fmax(1, step(&p, every, &ok))};
    out->shared = fmax(0, first - out->fresh);
    out->next = out->fresh;
    for (int i = 0; i < s->rank && s->rank > 1; i++) {
        if (s->dims[i] < 2) continue;
        each[i] = step(&p, 1u << i, &ok);
        if (each[i] > out->fresh / SHARES) continue;
        out->inner |= 1u << i;
        if (each[i] < least) least = each[i], cheapest = 1u << i;
    }
    if (!out->inner) return ok;
    out->next = fmax(1, step(&p, out->inner, &ok));
    if (out->next > out->fresh / SHARES) out->inner = cheapest, out->next = fmax(1, least);
    return ok;
}

int64_t cost_afford(const ElementCost *c, const Shape *s, double work, int64_t most, Grouping *out)
{
    double steps = fmax(work - c->shared, work / 2);
    *out = (Grouping){.inner = c->inner};
    if (most < 1) most = 1;
    if (!c->inner) return (int64_t)fmin(fmax(ELEMENTS_LEAST, steps / c->fresh), (double)most);
    int64_t outer = 1, inside = 1, corners = 1, length = 0;
    for (int i = 0; i < s->rank; i++) {
        bool in = c->inner >> i & 1;
        *(in ? &inside : &outer) *= s->dims[i];
        if (!in) corners *= 2;
    }
    if (corners < ELEMENTS_LEAST) corners = ELEMENTS_LEAST;
    do {                                 /* as many groups as give that many elements */
        length++;
        double groups = fmin(steps / (c->fresh + (double)(length - 1) * c->next), (double)most);
        out->groups = groups < (double)corners ? corners : (int64_t)ceil(groups);
        if (out->groups > outer) out->groups = outer;
    } while (length < inside && out->groups * length < most);
    return out->groups * length < most ? out->groups * length : most;
}

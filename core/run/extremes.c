/* extremes: a maximum that leaves out some of its elements is right wherever the greatest is another one. */
#include "extremes.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- folds that choose ---- */

/* Does the value of a step come from a choice? */
static bool chooses(const Term *t)
{
    while (t->kind == T_LAM || term_is(t, PRIM_LET)) t = t->kind == T_LAM ? t->args[0] : t->args[1];
    if (t->kind != T_PRIM) return false;
    switch ((PrimId)t->prim) {
    case PRIM_MIN: case PRIM_MAX: case PRIM_SELECT: case PRIM_IF: return true;
    case PRIM_TUPLE: return ANY(i, t->arg_count, chooses(t->args[i]));
    default: return prim_is_map((PrimId)t->prim) && chooses(t->args[0]);
    }
}

typedef struct Scope {                   /* a lambda around, and how often it is applied, each time to something else */
    const struct Scope *up;
    int leaves;
    double times;
} Scope;

static double length(const Type *t) { return t->kind == TY_ARRAY && t->size->is_const ? (double)t->size->value : 1; }
static double scalars(const Type *t) { return t->kind == TY_ARRAY ? length(t) * scalars(t->elems[0]) : 1; }

static double times_of(const Term *t, const Scope *s)
{
    double times = 1;
    for (int below = 0; s; below += s->leaves, s = s->up)
        if (term_mentions(t, below, s->leaves)) times *= s->times;
    return times;
}

static void look(const Term *t, const Scope *s, uint8_t *seen, double *fewest)
{
    if (t->kind != T_PRIM || seen[t->id]) return;
    seen[t->id] = 1;
    PrimId p = (PrimId)t->prim;
    bool folds = prim(p)->family == FAM_REDUCE || prim(p)->family == FAM_SCAN;
    if (folds && chooses(t->args[0]) && length(t->args[2]->type) > 1) {
        double times = times_of(t, s) * scalars(t->args[1]->type);
        *fewest = *fewest > 0 ? fmin(*fewest, times) : times;
    }
    bool each = prim_is_map(p) || p == PRIM_GENERATE;
    for (int i = 0; i < t->arg_count; i++) {
        const Term *f = t->args[i];
        if (f->kind == T_LAM) look(f->args[0], &(Scope){s, f->type->elems[0]->leaf_count, each ? length(t->type) : 1}, seen, fewest);
        else look(f, s, seen, fewest);
    }
}

double extremes_folds(const Term *t)
{
    LOCAL(drop) uint8_t *seen = mem_alloc((size_t)t->id + 1);
    double fewest = 0;
    look(t, NULL, seen, &fewest);
    return fewest;
}

static bool is_product(void *unused, const Term *t) { return (void)unused, term_is(t, PRIM_MUL); }

static bool is_fold(const Term *t)
{
    int family = t->kind == T_PRIM && t->arg_count ? prim((PrimId)t->prim)->family : FAM_MAP;
    return family == FAM_REDUCE || family == FAM_SCAN;
}

static bool is_multiplying(void *unused, const Term *t) { return is_fold(t) && term_find(t->args[0], is_product, unused); }

/* Is it that parameter times something, or divided by it? */
static bool multiplies(const Term *t, const Type *type, int below)
{
    if (term_is_param(t, type, below)) return true;
    bool product = term_is(t, PRIM_MUL);
    return ((product || term_is(t, PRIM_DIV)) && multiplies(t->args[0], type, below)) || (product && multiplies(t->args[1], type, below));
}

static bool is_of_product(void *unused, const Term *t)
{
    (void)unused;
    const Term *f = is_fold(t) && t->args[0]->kind == T_LAM ? t->args[0] : NULL;
    const Type *both = f ? f->type->elems[0] : NULL;
    int below = f && both->kind == TY_TUPLE ? both->elems[1]->leaf_count : 0;
    return f && both->kind == TY_TUPLE && !term_is_param(f->args[0], both->elems[0], below) && multiplies(f->args[0], both->elems[0], below);
}

bool fold_is_product(const Term *t) { return term_find(t, is_of_product, NULL) != NULL; }

void products_stay(Data *d, double centre)
{
    double scale = centre == 0 ? 1 : fabs(centre);
    for (int p = 0; p < d->part_count; p++) {
        int64_t n = d->parts[p].count;
        double apart = fmin(1, 8 / sqrt((double)n));
        if (!scalar_is_float(d->parts[p].scalar)) continue;
        for (int64_t i = 0; i < n && !(d->stop && *d->stop); i++) {
            double x = data_get(d, p, i);
            double beside = (fabs(x) - 0.5) * apart;
            data_set(d, p, i, centre == 1 ? copysign(1 + beside, x) : centre + scale * beside);
        }
    }
}

bool fold_multiplies(const Term *t) { return term_find(t, is_multiplying, NULL) != NULL; }

double extremes_unseen(double places) { return 1 - pow(1.0 / 20, 1 / places); }

/* ---- inputs ---- */

enum {
    MOST = 1 << 25,                      /* of more elements none is moved */
    UP = 2, DOWN = 3,                    /* turns that put all in order, for scans; the first two move to the ends, */
    APART = 4,                           /* those from there on elsewhere */
};

typedef struct Cells { Data one; char *bytes; size_t size; int64_t n; } Cells;

static double value(const Cells *c, int64_t i) { return data_get(&c->one, 0, i); }
static void copy(const Cells *c, int64_t to, int64_t from) { memcpy(c->bytes + (size_t)to * c->size, c->bytes + (size_t)from * c->size, c->size); }

static void swap(const Cells *c, int64_t a, int64_t b)
{
    char kept[16];
    memcpy(kept, c->bytes + (size_t)a * c->size, c->size);
    copy(c, a, b);
    memcpy(c->bytes + (size_t)b * c->size, kept, c->size);
}

/* What is the extreme one, upwards or downwards, goes to `to`; those that are as far step back. */
static void move(Cells *c, bool up, int64_t to, bool exact)
{
    int64_t most = 0, next = -1;
    double sign = up ? 1 : -1;
    for (int64_t i = 1; i < c->n; i++)
        if (sign * value(c, i) > sign * value(c, most)) most = i;
    swap(c, most, to);
    double top = value(c, to), further = top + sign;
    if (exact && (up || further != 0)) {                /* positive ones stay so */
        data_set(&c->one, 0, to, further);
        return;
    }
    for (int64_t i = 0; i < c->n; i++)
        if (sign * value(c, i) < sign * top && (next < 0 || sign * value(c, i) > sign * value(c, next))) next = i;
    for (int64_t i = 0; i < c->n && next >= 0; i++)
        if (i != to && value(c, i) == top) copy(c, i, next);
}

/* In a block and a lane of its own for each of EXTREMES_TURNS turns: what is left out is a part of the array, or every so many-th element. */
static int64_t apart(int64_t block, int64_t lane, int64_t n)
{
    enum { ALL = EXTREMES_TURNS };
    block %= ALL, lane %= ALL;
    int64_t from = block * (n / ALL) + block * (n % ALL) / ALL, at = from + (lane - from % ALL + ALL) % ALL;
    return at < n ? at : lane % n;
}

static void put_in_order(Cells *c, bool up)
{
    LOCAL(drop) double *v = mem_alloc(sizeof *v * (size_t)c->n);
    for (int64_t i = 0; i < c->n; i++) v[i] = value(c, i);
    stats_sort(v, (int)c->n);
    for (int64_t i = 0; i < c->n; i++) data_set(&c->one, 0, up ? i : c->n - 1 - i, v[i]);
}

void extremes_move(Data *d, int turn, bool exact)
{
    for (int p = 0; p < d->part_count; p++) {
        DataPart *part = &d->parts[p];
        Cells c = {{d->type, 1, part, d->stop}, part->values, (size_t)scalar_bytes(part->scalar), part->count};
        bool real = scalar_is_float(part->scalar);
        if (c.n < 2 || c.n > MOST || part->scalar == SC_BOOL) continue;
        if ((turn == UP || turn == DOWN) && (real || c.size < 8)) {       /* wider integers are no doubles */
            put_in_order(&c, turn == UP);
            continue;
        }
        int64_t greatest = turn ? 0 : c.n - 1, least = c.n - 1 - greatest, k = turn - APART + EXTREMES_TURNS;
        if (turn > 1) greatest = apart(k, 37 * k + 11, c.n), least = apart(27 * k + 5, 21 * k, c.n);        /* odd: none twice */
        move(&c, true, greatest, exact && real);
        if (least != greatest) move(&c, false, least, exact && real);
    }
}

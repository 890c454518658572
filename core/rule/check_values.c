/* check_values: the inputs that a rule is tried on: small, random, and those on which rules fail: the literals of both sides
 * and what lies near them, halves, signed zeros, infinities, NaN, the ends of each type, equal, constant and sorted
 * values. */
#include "check_private.h"

#include <math.h>
#include <string.h>

/* ---- plain inputs ---- */

/* Numbers that are indices now and then: all small, or each once. */
static bool fill_indices(Data *d, Rng *r, uint64_t seed)
{
    if (d->part_count != 1 || d->parts[0].scalar != SC_I32 || rng_below(r, 3)) return false;
    if (rng_below(r, 3) == 0) data_fill_iota(d);
    else data_fill_random(d, seed, 0, (double)rng_below(r, 3));
    return true;
}

void trial_fill(Data *d, Rng *r, int level)
{
    uint64_t seed = rng_next(r);
    if (fill_indices(d, r, seed)) return;
    switch (level < 1 ? 0 : rng_below(r, level < 2 ? 3 : 5)) {
    case 2: data_fill_random(d, seed, -4, 4); break;
    case 3: data_fill_adversarial(d, seed, 1e15); break;
    case 4: data_fill_adversarial(d, seed, 100); break;
    default: data_fill_exact(d, seed, 8); break;
    }
}

/* ---- inputs of one trial ---- */

/* Halves, or small and larger integers. Mixed: each value of any other theme. */
typedef enum Theme { LITERALS, HALVES, SPECIAL, MIXED, THEMES } Theme;

static double value_float(Rng *r, Scalar s, Theme theme, const Literals *l)
{
    if (theme == LITERALS) return literals_near(l, r, s).f;
    if (theme != SPECIAL) return (double)(rng_below(r, 25) - 12) / 2;
    static const double ends[SC_COUNT][4] = {      /* least, least normal, largest, where integers are no longer exact */
        [SC_F16] = {0x1p-24, 0x1p-14, 65504, 0x1p11},
        [SC_F32] = {0x1p-149, 0x1p-126, 0x1.fffffep127, 0x1p24},
        [SC_F64] = {0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1p53},
    };
    double sign = rng_below(r, 2) ? -1 : 1;
    switch (rng_below(r, 8)) {
    case 0: return sign * INFINITY;
    case 1: case 2: return NAN;
    case 3: return sign * 0.0;
    case 4: return sign * ends[s][rng_below(r, 2)];
    case 5: return sign * ends[s][2];
    case 6: return sign * (ends[s][3] + (double)rng_below(r, 3) - 1);
    default: return sign;
    }
}

static int64_t value_int(Rng *r, Scalar s, Theme theme, const Literals *l)
{
    if (theme == LITERALS) return literals_near(l, r, s).i;
    int64_t n = rng_below(r, rng_below(r, 2) ? 20 : 200);
    if (theme != SPECIAL) return scalar_is_unsigned(s) || rng_below(r, 2) ? n : -n;
    int bits = 8 * scalar_bytes(s);
    int64_t least = scalar_least(s), most = scalar_most(s), half = (int64_t)((uint64_t)most / 2);
    switch (rng_below(r, 10)) {
    case 0: return least;
    case 1: return most;
    case 2: return least + 1;
    case 3: return most - 1;
    case 4: return (int64_t)((uint64_t)half + (uint64_t)rng_below(r, 2));
    case 5: return scalar_is_unsigned(s) ? (int64_t)((uint64_t)half + 1) : -1;
    case 6: return bits - 1 + rng_below(r, 2);
    case 7: return (bits == 64 ? (int64_t)1 << 53 : 1 << 24) + rng_below(r, 2);
    default: return (int64_t)rng_next(r);
    }
}

static void set_value(Data *d, int part, int64_t at, Rng *r, Theme theme, const Literals *l)
{
    Scalar s = d->parts[part].scalar;
    if (theme == MIXED) theme = (Theme)rng_below(r, MIXED);
    if (theme == LITERALS && !l->count) theme = HALVES;
    if (s == SC_BOOL) data_set_int(d, part, at, rng_below(r, 2));
    else if (scalar_is_float(s)) data_set(d, part, at, value_float(r, s, theme, l));
    else data_set_int(d, part, at, value_int(r, s, theme, l));
}

static int order(const Data *d, int part, int64_t i, int64_t k)
{
    if (!scalar_is_float(d->parts[part].scalar)) {
        int64_t a = data_get_int(d, part, i), b = data_get_int(d, part, k);
        return scalar_order(d->parts[part].scalar, a, b);
    }
    double a = data_get(d, part, i), b = data_get(d, part, k);
    return (a > b) - (a < b);
}

static void swap(Data *d, int part, int64_t i, int64_t k)
{
    size_t n = scalar_bytes(d->parts[part].scalar);
    char *v = d->parts[part].values, saved[16];
    memcpy(saved, v + (size_t)i * n, n);
    memcpy(v + (size_t)i * n, v + (size_t)k * n, n);
    memcpy(v + (size_t)k * n, saved, n);
}

/* Every element so, one among small ones, all the same, or in order. */
static void fill_one(Data *d, Rng *r, Theme theme, const Literals *l)
{
    enum { EACH, SOME, SAME_ALL, SORTED, SHAPES } shape = (int)rng_below(r, SHAPES);
    if (shape == SOME) data_fill_exact(d, rng_next(r), 8);
    for (int p = 0; p < d->part_count; p++) {
        int64_t n = d->parts[p].count, one = rng_below(r, n);
        if (shape == SOME) {
            set_value(d, p, one, r, theme, l);
            continue;
        }
        for (int64_t i = 0; i < n; i++) {
            if (shape == SAME_ALL && i)
                memcpy((char *)d->parts[p].values + (size_t)i * scalar_bytes(d->parts[p].scalar), d->parts[p].values,
                       scalar_bytes(d->parts[p].scalar));
            else set_value(d, p, i, r, theme, l);
        }
        if (shape == SORTED) {
            /* By insertion; long arrays with gaps first (Shell). */
            enum { LONG = 256 };
            int64_t m = d->parts[p].count;
            for (int64_t gap = m > LONG ? m / 2 : 1; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
                for (int64_t i = gap; i < m; i++)
                    for (int64_t k = i; k >= gap && order(d, p, k - gap, k) > 0; k -= gap) swap(d, p, k - gap, k);
        }
    }
}

void trial_fill_special(Data *const *data, int count, Rng *r, const Literals *l)
{
    Theme theme = (Theme)rng_below(r, THEMES);
    bool equal = rng_below(r, 3) == 0;
    for (int i = 0; i < count; i++) {
        const Data *like = NULL;
        for (int k = 0; k < i && equal; k++)
            if (data[k]->type == data[i]->type) like = data[k];
        if (like) {
            for (int p = 0; p < data[i]->part_count; p++)
                memcpy(data[i]->parts[p].values, like->parts[p].values,
                       (size_t)data[i]->parts[p].count * scalar_bytes(data[i]->parts[p].scalar));
        } else if (!fill_indices(data[i], r, rng_next(r))) fill_one(data[i], r, theme, l);
    }
}

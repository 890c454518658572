#include "check_private.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS_MAX = 400000 };
static const double reference_tolerance = 1e-9;

/* ---- are two terms equal on these inputs? ---- */

static Data *whole_value(const Comparison *k, const Term *t, Diag *diag)
{
    Eval *e = eval_new(k->c, t, k->inputs, k->input_count, EVAL_EXACT);
    Data *d = e ? data_new(k->c, t->type) : NULL;
    if (e) eval_limit(e, STEPS_MAX, k->stop);
    if (d && !eval_full(e, d, diag)) {
        data_free(d);
        d = NULL;
    }
    if (e) eval_free(e);
    return d;
}

static bool same_element(const Data *a, const Data *b, int part, int64_t i)
{
    if (!scalar_is_float(a->parts[part].scalar)) return data_get_int(a, part, i) == data_get_int(b, part, i);
    double x = data_get(a, part, i), y = data_get(b, part, i);
    return x == y || (isnan(x) && isnan(y));
}

static const char *element_text(Arena *arena, const Data *d, int part, int64_t i)
{
    if (!scalar_is_float(d->parts[part].scalar))
        return arena_printf(arena, "%lld", (long long)data_get_int(d, part, i));
    return arena_printf(arena, "%.9g", data_get(d, part, i));
}

static bool reference(const Comparison *k, const Term *t, int part, double *want, double *shadow, int64_t n)
{
    Diag none;
    diag_init(&none);
    Eval *e = eval_new(k->c, t, k->inputs, k->input_count, EVAL_REFERENCE);
    bool ok = e != NULL;
    if (e) eval_limit(e, STEPS_MAX, k->stop);
    ok = ok && eval_reference(e, part, want, shadow, n, &none);
    if (e) eval_free(e);
    diag_free(&none);
    return ok;
}

static Outcome different(Comparison *k, const Data *a, const Data *b, int part, int64_t i)
{
    k->part = part;
    k->index = i;
    k->left_text = element_text(k->arena, a, part, i);
    k->right_text = element_text(k->arena, b, part, i);
    return DIFFERENT;
}

static Outcome worse(Outcome a, Outcome b) { return a > b ? a : b; }

/* Floats that differ in a bit: equal up to rounding, in f64 and against the magnitudes of the inputs? */
static Outcome compare_rounded(Comparison *k, const Data *a, const Data *b, int part)
{
    int64_t n = a->parts[part].count;
    double *v = mem_alloc(sizeof *v * (size_t)n * 4), *shadow = v + n, *w = v + 2 * n, *other = v + 3 * n;
    bool known = reference(k, k->left, part, v, shadow, n) && reference(k, k->right, part, w, other, n);
    Outcome out = known ? SAME : NO_VALUE;
    for (int64_t i = 0; i < n && out < NO_VALUE; i++) {
        double scale = fmax(fmax(fabs(v[i]), fabs(shadow[i])), fabs(other[i]));
        if (same_element(a, b, part, i)) continue;
        if (!isfinite(scale) || !isfinite(w[i])) out = worse(out, INCOMPARABLE);
        else if (fabs(v[i] - w[i]) <= reference_tolerance * scale) out = worse(out, ROUNDED);
        else out = different(k, a, b, part, i);
    }
    free(v);
    return out;
}

static Outcome compare_part(Comparison *k, const Data *a, const Data *b, int part)
{
    for (int64_t i = 0; i < a->parts[part].count; i++) {
        if (same_element(a, b, part, i)) continue;
        return scalar_is_float(a->parts[part].scalar) ? compare_rounded(k, a, b, part) : different(k, a, b, part, i);
    }
    return SAME;
}

static Outcome compare_values(Comparison *k, const Data *a, const Data *b)
{
    Outcome out = SAME;
    for (int p = 0; p < a->part_count && out < DIFFERENT; p++) out = worse(out, compare_part(k, a, b, p));
    return out;
}

Outcome comparison_run(Comparison *k)
{
    Diag first, second;
    diag_init(&first);
    diag_init(&second);
    Outcome out = NO_VALUE;
    Data *a = whole_value(k, k->left, &first), *b = a ? whole_value(k, k->right, &second) : NULL;
    if (a && b) out = compare_values(k, a, b);
    else if (a && second.id != E25) {
        out = DIFFERENT;
        const char *why = second.message ? second.message : k->c->diag.message;
        k->error = arena_strdup(k->arena, why ? why : "it is too large");
    }
    diag_clear(&k->c->diag);
    data_free(a);
    data_free(b);
    diag_free(&first);
    diag_free(&second);
    return out;
}

/* ---- inputs ---- */

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

/* Row-major index as [i][j]. */
static void print_index(const Type *t, int64_t flat, Buf *out)
{
    int64_t inner = 1;
    if (t->kind != TY_ARRAY || !t->size->is_const) return;
    for (const Type *e = t->elems[0]; e->kind == TY_ARRAY && e->size->is_const; e = e->elems[0])
        inner *= e->size->value;
    buf_printf(out, "[%lld]", (long long)(flat / inner));
    print_index(t->elems[0], flat % inner, out);
}

void comparison_print(const Comparison *k, Buf *out)
{
    if (k->error) {
        buf_printf(out, "the left side has a value, the right side has none: %s", k->error);
        return;
    }
    bool array = k->left->type->kind == TY_ARRAY;
    buf_puts(out, array ? "element " : "the result");
    print_index(k->left->type, k->index, out);
    if (k->part) buf_printf(out, "%s component %d", array ? " of" : ",", k->part);
    buf_printf(out, " is %s on the left, %s on the right", k->left_text, k->right_text);
}

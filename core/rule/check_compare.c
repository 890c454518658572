/* check_compare: are two terms equal on given inputs? */
#include "check_private.h"

#include <fenv.h>
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
    if (d->parts[part].scalar == SC_BOOL) return data_get_int(d, part, i) ? "true" : "false";
    if (scalar_is_float(d->parts[part].scalar) && isnan(data_get(d, part, i))) return "nan";
    if (d->parts[part].scalar == SC_U64) return arena_printf(arena, "%llu", (unsigned long long)data_get_int(d, part, i));
    if (!scalar_is_float(d->parts[part].scalar)) return arena_printf(arena, "%lld", (long long)data_get_int(d, part, i));
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

/* What computing that element raises: IEEE flags. */
static int exceptions(const Comparison *k, const Term *t, int part, int64_t i)
{
    Diag none;
    EvalScalar value;
    diag_init(&none);
    Eval *e = eval_new(k->c, t, k->inputs, k->input_count, EVAL_EXACT);
    feclearexcept(FE_ALL_EXCEPT);
    if (e) {
        eval_limit(e, STEPS_MAX, k->stop);
        eval_at(e, part, i, &value, &none);
    }
    int raised = fetestexcept(FE_ALL_EXCEPT);
    if (e) eval_free(e);
    diag_free(&none);
    return raised;
}

static bool has_infinite_input(const Comparison *k)
{
    for (int i = 0; i < k->input_count; i++) {
        const Data *d = k->inputs[i].data;
        for (int p = 0; p < d->part_count; p++)
            for (int64_t n = 0; scalar_is_float(d->parts[p].scalar) && n < d->parts[p].count; n++)
                if (isinf(data_get(d, p, n))) return true;
    }
    return false;
}

/* Has it sums or products, whose order may have changed? */
static bool has_arithmetic(const Term *t)
{
    static const PrimId ids[] = {PRIM_ADD, PRIM_SUB, PRIM_MUL, PRIM_DIV, PRIM_FMA, PRIM_VDOT};
    if (t->kind == T_PRIM && ANY(i, COUNT(ids), t->prim == ids[i])) return true;
    return ANY(i, t->arg_count, has_arithmetic(t->args[i]));
}

/* An element that differs, x on the left and y on the right, and as v and w in f64 throughout, at that scale.
 * Rounded: the difference is gone, or small, in f64. Incomparable: rounding cannot be told from a difference, since an
 * operation on numbers left the range of its type, or there are magnitudes without bound; or one side is inf and the other
 * NaN that arithmetic made of infinities, as a sum in another order does. */
static Outcome compare_element(const Comparison *k, double x, double y, double v, double w, double scale, int part,
                               int64_t i)
{
    bool numbers = isfinite(v) && isfinite(w);
    if (v == w || (isnan(v) && isnan(w))) return ROUNDED;
    if (numbers && fabs(v - w) <= reference_tolerance * scale) return ROUNDED;
    if (numbers && !isfinite(scale)) return INCOMPARABLE;
    int raised = exceptions(k, k->left, part, i) | exceptions(k, k->right, part, i);
    if (raised & (FE_OVERFLOW | FE_UNDERFLOW)) return INCOMPARABLE;
    bool infinite = !isfinite(x) && !isfinite(y) && isnan(x) != isnan(y);
    bool made = raised & FE_INVALID && (raised & FE_DIVBYZERO || has_infinite_input(k)) && has_arithmetic(k->left);
    return infinite && made ? INCOMPARABLE : DIFFERENT;
}

static Outcome compare_part(Comparison *k, const Data *a, const Data *b, int part)
{
    for (int64_t i = 0; i < a->parts[part].count; i++) {
        if (same_element(a, b, part, i)) continue;
        if (!scalar_is_float(a->parts[part].scalar)) return different(k, a, b, part, i);
        /* Floats that differ in a bit: equal up to rounding, in f64 and against the magnitudes of the inputs? */
        int64_t n = a->parts[part].count;
        double *v = mem_alloc(sizeof *v * (size_t)n * 4), *shadow = v + n, *w = v + 2 * n, *other = v + 3 * n;
        bool known = reference(k, k->left, part, v, shadow, n) && reference(k, k->right, part, w, other, n);
        Outcome out = known ? SAME : NO_VALUE;
        for (int64_t j = 0; j < n && out < NO_VALUE; j++) {
            if (same_element(a, b, part, j)) continue;
            bool bounded = isfinite(shadow[j]) && isfinite(other[j]);
            double scale = bounded ? fmax(fmax(fabs(v[j]), shadow[j]), other[j]) : INFINITY;
            Outcome o = compare_element(k, data_get(a, part, j), data_get(b, part, j), v[j], w[j], scale, part, j);
            out = o == DIFFERENT ? different(k, a, b, part, j) : worse(out, o);
        }
        free(v);
        return out;
    }
    return SAME;
}

static bool has_value(const Comparison *k, const Term *t)
{
    if (t->kind == T_LAM) return true;
    if (!ALL(i, t->arg_count, has_value(k, t->args[i]))) return false;
    Diag why;
    diag_init(&why);
    Data *d = whole_value(k, t, &why);
    data_free(d);
    diag_free(&why);
    diag_clear(&k->c->diag);
    return d != NULL;
}

bool comparison_defined(const Comparison *k) { return has_value(k, k->parts ? k->parts : k->left); }

Outcome comparison_run(Comparison *k)
{
    Diag first, second;
    diag_init(&first);
    diag_init(&second);
    Outcome out = NO_VALUE;
    k->error = NULL;
    Data *a = whole_value(k, k->left, &first), *b = a ? whole_value(k, k->right, &second) : NULL;
    if (a && b) {
        out = SAME;
        for (int p = 0; p < a->part_count && out < DIFFERENT; p++) out = worse(out, compare_part(k, a, b, p));
    } else if (a && second.id != E25 && comparison_defined(k)) {
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

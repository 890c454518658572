/* fill: values of program inputs. Layer 8. */
#include "run.h"
#include "data_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

void fill_print(const FillSpec *s, Buf *out)
{
    char a[32], b[32];
    switch (s->kind) {
    case FILL_DEFAULT: buf_puts(out, "random(1,-1,1)"); break;
    case FILL_RANDOM:
        buf_printf(out, "random(%llu,%s,%s)", (unsigned long long)s->seed, scalar_text(SC_F64, s->lo, a), scalar_text(SC_F64, s->hi, b));
        break;
    case FILL_IOTA: buf_puts(out, "iota"); break;
    case FILL_CONST: buf_printf(out, "const(%s)", scalar_text(SC_F64, s->value, a)); break;
    case FILL_FILE:
        buf_puts(out, "file(\"");
        buf_escaped(out, s->path);
        buf_puts(out, "\")");
        break;
    case FILL_ADVERSARIAL: buf_printf(out, "adversarial(%llu)", (unsigned long long)s->seed); break;
    case FILL_OFFSETS: buf_printf(out, "offsets(%llu,%.0f)", (unsigned long long)s->seed, s->hi); break;
    case FILL_VALUES: buf_puts(out, s->path); break;
    case FILL_DATA: buf_puts(out, "data"); break;
    }
}

/* ---- values ---- */

static uint64_t vary(uint64_t seed, int variant) { return seed + (uint64_t)variant * 1000003u; }

/* Is there such a number in the type, towards zero if it is no integer? */
static bool is_value(Scalar s, double value)
{
    if (scalar_is_float(s) || s == SC_BOOL) return scalar_is_float(s) || isfinite(value);
    double past = ldexp(1, 8 * scalar_bytes(s) - scalar_is_signed(s));
    return trunc(value) >= (double)scalar_least(s) && trunc(value) < past;
}

static bool fill(Data *d, const FillSpec *s, int position, int variant, Diag *diag)
{
    switch (s->kind) {
    case FILL_DEFAULT:                       /* every component in the range of its scalar */
        for (int p = 0; p < d->part_count; p++) {
            Data one = {d->type, 1, &d->parts[p], d->stop};
            double most = scalar_is_int(d->parts[p].scalar) ? 8 : 1;
            data_fill_random(&one, vary((uint64_t)position + 1, variant) + 7919u * (uint64_t)p, -most, most);
        }
        return true;
    case FILL_RANDOM: data_fill_random(d, vary(s->seed, variant), s->lo, s->hi); return true;
    case FILL_IOTA: data_fill_iota(d); return true;
    case FILL_CONST:
        for (int p = 0; p < d->part_count; p++)
            if (!is_value(d->parts[p].scalar, s->value)) {
                if (diag_error(diag, E37, "const(%g) is no value of type %s", s->value,
                               scalar_name(d->parts[p].scalar)))
                    diag_note(diag, "needs", "%s", scalar_range(d->parts[p].scalar, diag->arena));
                return false;
            }
        data_fill_const(d, s->value);
        return true;
    case FILL_FILE: return data_read_file(d, s->path, diag);
    case FILL_ADVERSARIAL: data_fill_adversarial(d, vary(s->seed, variant), s->value > 0 ? s->value : 1e15); return true;
    case FILL_OFFSETS: data_fill_offsets(d, s->seed ? vary(s->seed, variant) : 0, (int64_t)s->hi); return true;
    case FILL_VALUES: return data_read_text(d, s->path, diag);
    case FILL_DATA:
        if (d->type != s->data->type)
            return diag_error(diag, E37, "the data given for an input have another type"), false;
        for (int p = 0; p < d->part_count; p++) {
            const DataPart *x = &d->parts[p];
            memcpy(x->values, s->data->parts[p].values, (size_t)x->count * (size_t)scalar_bytes(x->scalar));
        }
        return true;
    }
    return false;
}

bool fill_formula(const FillSpec *s, int position, int part, Scalar scalar, FillFormula *out)
{
    bool integers = scalar_is_int(scalar);
    *out = (FillFormula){.kind = FORMULA_RANDOM, .lo = s->lo, .hi = s->hi};
    switch (s->kind) {
    case FILL_DEFAULT:
        out->state = data_seed((uint64_t)position + 1 + 7919u * (uint64_t)part, 0);
        out->hi = integers ? 8 : 1;
        out->lo = -out->hi;
        break;
    case FILL_RANDOM: out->state = data_seed(s->seed, part); break;
    case FILL_IOTA: out->kind = FORMULA_IOTA; return true;
    case FILL_CONST:
        *out = (FillFormula){.kind = FORMULA_CONST, .lo = s->value};
        return is_value(scalar, s->value);             /* else integers are what C does not convert to */
    default: return false;
    }
    if (integers) out->lo = fmax(out->lo, (double)scalar_least(scalar)), out->hi = fmin(out->hi, scalar_number(scalar, scalar_most(scalar)));
    if (integers) out->lo = ceil(out->lo), out->hi = floor(out->hi);
    if (integers && out->hi < out->lo) out->hi = out->lo;
    return !integers || out->hi - out->lo < 0x1p62;
}

Data *fill_data(Ctx *c, const Type *type, const FillSpec *spec, int position, int variant, Diag *diag)
{
    Data *d = data_new(c, type);
    if (!d && diag != &c->diag) {
        diag_copy(diag, &c->diag);
        diag_clear(&c->diag);
    }
    if (!d) return NULL;
    bool ok = fill(d, spec, position, variant, diag);
    if (ok && ctx_stopped(c)) ok = (diag_error(diag, E25, "interrupted while inputs were made"), false);
    if (ok) return d;
    data_free(d);
    return NULL;
}

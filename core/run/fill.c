/* fill: values of program inputs. */
#include "run.h"
#include "data_file.h"
#include "syntax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

void fill_print(const FillSpec *s, Buf *out)
{
    char a[32], b[32];
    const char *lo = s->lo_text ? s->lo_text : scalar_text(SC_F64, s->lo, a), *hi = s->hi_text ? s->hi_text : scalar_text(SC_F64, s->hi, b);
    switch (s->kind) {
    case FILL_DEFAULT: buf_puts(out, "random(1,-1,1)"); break;
    case FILL_RANDOM:
        buf_printf(out, "random(%llu,%s,%s)", (unsigned long long)s->seed, lo, hi);
        break;
    case FILL_IOTA: buf_puts(out, "iota"); break;
    case FILL_CONST: buf_printf(out, "const(%s)", s->value_text ? s->value_text : scalar_text(SC_F64, s->value, a)); break;
    case FILL_FILE:
        buf_puts(out, "file(\"");
        buf_escaped(out, s->path);
        buf_puts(out, "\")");
        break;
    case FILL_ADVERSARIAL: buf_printf(out, "adversarial(%llu)", (unsigned long long)s->seed); break;
    case FILL_OFFSETS: buf_printf(out, "offsets(%llu,%s)", (unsigned long long)s->seed, hi); break;
    case FILL_STOCHASTIC: buf_printf(out, "stochastic(%llu)", (unsigned long long)s->seed); break;
    case FILL_VALUES: buf_puts(out, s->path); break;
    case FILL_DATA: buf_puts(out, "data"); break;
    }
}

/* ---- numbers that are calculated ---- */

typedef struct Calculation { Diag *diag; const Source *source; FillNumber *of; void *data; } Calculation;

static bool no_number(const Calculation *x, const Ast *a)
{
    if (diag_error_at(x->diag, E05, x->source, a->span, "this is no number"))
        diag_note(x->diag, "needs", "numbers, sizes, scalar inputs, + - * / // %%, and sqrt exp log sin cos abs floor ceil round pow min max of them");
    return false;
}

static double divided(double x, double y) { return floor(x / y); }
static double rest(double x, double y) { return x - y * floor(x / y); }
static double sum(double x, double y) { return x + y; }
static double difference(double x, double y) { return x - y; }
static double times(double x, double y) { return x * y; }
static double quotient(double x, double y) { return x / y; }

static const struct { const char *name; double (*one)(double), (*two)(double, double); } calculated[] = {
    {"+", NULL, sum}, {"-", NULL, difference}, {"*", NULL, times}, {"/", NULL, quotient}, {"//", NULL, divided}, {"%", NULL, rest},
    {"sqrt", sqrt, NULL}, {"exp", exp, NULL}, {"log", log, NULL}, {"sin", sin, NULL}, {"cos", cos, NULL}, {"abs", fabs, NULL},
    {"floor", floor, NULL}, {"ceil", ceil, NULL}, {"round", rint, NULL}, {"pow", NULL, pow}, {"min", NULL, fmin}, {"max", NULL, fmax},
};

static bool calculate(const Calculation *x, const Ast *a, double *out)
{
    double v[2];
    bool call = a->kind == AST_APP && a->kids[0]->kind == AST_NAME, tupled = call && a->kid_count == 2 && a->kids[1]->kind == AST_TUPLE;
    const char *name = call ? a->kids[0]->name : a->name;
    Ast *const *args = tupled ? a->kids[1]->kids : a->kids + call;
    int n = tupled ? a->kids[1]->kid_count : a->kid_count - call;
    switch (a->kind) {
    case AST_INT: return *out = (double)a->ival, true;
    case AST_FLOAT: return *out = a->fval, true;
    case AST_NAME:
        if (!strcmp(name, "pi")) return *out = 3.14159265358979323846, true;
        if (x->of(x->data, name, out)) return true;
        if (!diag_failed(x->diag) && diag_error_at(x->diag, E02, x->source, a->span, "no size and no scalar input called \"%s\"", name))
            diag_note(x->diag, "needs", FILL_NEEDS);
        return false;
    case AST_UNARY:
        if (*a->name != '-' || !calculate(x, a->kids[0], out)) return *a->name == '-' ? false : no_number(x, a);
        return *out = -*out, true;
    case AST_BINARY: case AST_APP:
        for (int i = 0; i < COUNT(calculated) && (call || a->kind == AST_BINARY); i++) {
            if (strcmp(calculated[i].name, name) || n != (calculated[i].one ? 1 : 2)) continue;
            if (!calculate(x, args[0], &v[0]) || (n == 2 && !calculate(x, args[1], &v[1]))) return false;
            return *out = n == 1 ? calculated[i].one(v[0]) : calculated[i].two(v[0], v[1]), true;
        }
        return no_number(x, a);
    default: return no_number(x, a);
    }
}

bool fill_calculate(Ctx *c, const char *text, FillNumber *of, void *data, double *out, Diag *diag)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    const Source *source = MAKE(diag->arena, Source, "data", arena_strdup(diag->arena, text), strlen(text));
    Parser parser = {.arena = arena, .names = c->names, .diag = diag};
    const Ast *a = parse_expr(&parser, source);
    return a && calculate(&(Calculation){diag, source, of, data}, a, out);
}

enum { CALCULATIONS = 16 };              /* of each other */
typedef struct BoundNames { const FillNames *names; Diag *diag; } BoundNames;

static bool bound_number(void *data, const char *name, double *out)
{
    const BoundNames *x = data;
    FillNames names = *x->names;
    for (int i = 0; i < names.count; i++)
        if (names.b[i].set && !strcmp(names.b[i].name, name)) return *out = (double)names.b[i].value, true;
    const RunInput *in = FIND(names.inputs, names.input_count, name, name);
    if (!in || in->type->kind != TY_SCALAR) return false;
    if (names.depth == CALCULATIONS) return diag_fail(x->diag, E37, "%s is calculated from itself\ntry data %s = 1", name, name);
    FillSpec spec = in->spec;
    names.depth++;
    char *end = NULL;
    if (!fill_bind(&names, &spec, x->diag)) return false;
    if (spec.kind == FILL_CONST) return *out = spec.value, true;
    if (spec.kind == FILL_VALUES) *out = strtod(spec.path, &end);
    return (end && !*end)
        || diag_fail(x->diag, E37, "%s has no number of its own\ntry data %s = 1", name, name);
}

bool fill_bind(const FillNames *names, FillSpec *spec, Diag *diag)
{
    struct { const char **text; double *number; } parts[] = {
        {&spec->lo_text, &spec->lo}, {&spec->hi_text, &spec->hi}, {&spec->value_text, &spec->value}};
    for (int i = 0; i < COUNT(parts); i++) {
        if (!*parts[i].text) continue;
        if (!fill_calculate(names->c, *parts[i].text, bound_number, &(BoundNames){names, diag}, parts[i].number, diag)) return false;
        *parts[i].text = NULL;
    }
    if (fill_is_sound(spec)) return true;
    if (spec->kind == FILL_RANDOM) return diag_fail(diag, E37, "there are no numbers from %g to %g", spec->lo, spec->hi);
    return diag_fail(diag, E37, "offsets go up to a whole number\nfound %g", spec->hi);
}

bool fill_is_sound(const FillSpec *s)
{
    if (s->lo_text || s->hi_text) return true;
    if (s->kind == FILL_RANDOM) return isfinite(s->hi - s->lo) && s->lo <= s->hi;
    return s->kind != FILL_OFFSETS || (s->hi >= 0 && s->hi <= INT32_MAX && floor(s->hi) == s->hi);
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
    case FILL_STOCHASTIC: data_fill_stochastic(d, vary(s->seed, variant)); return true;
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

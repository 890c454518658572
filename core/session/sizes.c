/* sizes: values of sizes and parameters by name, and what the files and values of inputs say of sizes. */
#include "session_private.h"
#include "data_file.h"

#include <stdlib.h>
#include <string.h>

bool values_of(void *data, const NatAtom *var, int64_t *out)
{
    const Values *v = data;
    return valuation_value(&(Valuation){v->b, v->count}, var, out);
}

bool values_nat(const Values *values, const Nat *n, int64_t *out)
{
    return nat_eval(n, values_of, (void *)values, out);
}

/* ---- what files say of sizes ---- */

/* What a length of an array, or of a whole raw file, is for some sizes. */
typedef struct Measure {
    Values *values;
    const Nat *length;                   /* NULL: the bytes of a value of ... */
    const Type *type;
} Measure;

static bool type_bytes(const Values *v, const Type *t, int64_t *out)
{
    int64_t n = t->width;
    if (t->kind == TY_SCALAR) return *out = scalar_bytes(t->scalar), true;
    if (t->kind == TY_VECTOR) return mul_ok(n, scalar_bytes(t->scalar), out);
    if (t->kind == TY_ARRAY) return values_nat(v, t->size, &n) && type_bytes(v, t->elems[0], out) && mul_ok(n, *out, out);
    *out = 0;
    return ALL(i, t->count, type_bytes(v, t->elems[i], &n) && add_ok(*out, n, out));
}

static bool measure(const Measure *m, int64_t *out)
{
    return m->length ? values_nat(m->values, m->length, out) : type_bytes(m->values, m->type, out);
}

/* The only size that it hangs on and that is not known; NULL: none, or several. */
static Binding *only_unknown(const Measure *m)
{
    Binding *found = NULL;
    NatAtomVec vars = {0};
    bool several = false;
    if (m->length) nat_vars(m->length, &vars);
    else type_vars(m->type, VAR_SIZE, &vars);
    for (int i = 0; i < vars.n; i++)
        for (int k = 0; k < m->values->count; k++) {
            Binding *b = &m->values->b[k];
            if (b->set || b->kind != vars.v[i]->var || strcmp(b->name, vars.v[i]->name)) continue;
            several |= found && found != b;
            found = b;
        }
    free(vars.v);
    return several ? NULL : found;
}

/* Set the size with which it is `want`, where it grows evenly with one size. */
static Binding *solve(const Measure *m, int64_t want)
{
    int64_t one, two, is;
    Binding *b = only_unknown(m);
    if (!b) return NULL;
    b->set = true;
    b->value = 1;
    bool known = measure(m, &one);
    b->value = 2;
    known = known && measure(m, &two) && two > one && (want - one) % (two - one) == 0;
    if (known) b->value = 1 + (want - one) / (two - one);
    b->set = known && b->value >= 1 && measure(m, &is) && is == want;
    return b->set ? b : NULL;
}

/* One more size that the values of an input say that are written out, "[[1, 2], [3, 4]]", each length by the first list of its depth;
 * NULL: none. */
static Binding *size_of_values(Values *v, const RunInput *in)
{
    Binding *found = NULL;
    const char *text = in->spec.path;
    for (const Type *t = in->type; t->kind == TY_ARRAY && !found; t = t->elems[0], text++) {
        int64_t n = 1;                   /* elements of that list: "[1, (2, 3)]" 2 */
        int depth = 0;
        text += strspn(text, " \t\n");
        if (*text != '[') return NULL;
        for (const char *p = text; *p && (depth += strchr("[(<", *p) != NULL) > 0; p++) {
            n += depth == 1 && *p == ',';
            depth -= strchr("])>", *p) != NULL;
        }
        found = solve(&(Measure){v, t->size, NULL}, n);
    }
    return found;
}

void sizes_from_inputs(const Derivation *d, Values *out)
{
    for (int i = 0; i < d->program->input_count; i++) {
        FileArray a;
        TypeShape shape;
        Binding *b;
        const RunInput *in = &d->inputs[i];
        bool file = in->spec.kind == FILL_FILE && file_look(in->spec.path, &a, NULL), values = in->spec.kind == FILL_VALUES;
        bool fits = file && a.kind != FILE_RAW && type_shape(in->type, &shape) && shape.rank + (shape.width > 0) == a.rank;
        do {
            b = values ? size_of_values(out, in) : file && a.kind == FILE_RAW ? solve(&(Measure){.values = out, .type = in->type}, a.count) : NULL;
            for (int k = 0; fits && k < shape.rank && !b; k++) b = solve(&(Measure){out, shape.dims[k], NULL}, a.dims[k]);
            if (b) out->from_input[b - out->b] = in->name;
        } while (b);
    }
}

/* The sizes of an input's type that itself does not say: " with N = 480, M = 3"; or those the user gave, unset: " N = ?,". */
static void sizes_print(const Values *v, const RunInput *in, bool unset, Buf *out)
{
    NatAtomVec vars = {0};
    bool any = false;
    type_vars(in->type, VAR_SIZE, &vars);
    for (int k = 0; k < v->derivation->program->size_count; k++)
        for (int i = 0; i < vars.n && v->b[k].set; i++) {
            if (v->from_input[k] == in->name || (unset && v->from_input[k]) || strcmp(vars.v[i]->name, v->b[k].name)) continue;
            if (unset) buf_printf(out, " %s = ?,", v->b[k].name);
            else buf_printf(out, "%s%s = %lld", any ? ", " : " with ", v->b[k].name, (long long)v->b[k].value);
            any = true;
            break;
        }
    free(vars.v);
}

/* E37: what the file holds is not what is needed. lengths: other sizes could help. */
static bool misfit(Diag *diag, const Values *v, const RunInput *in, const FileArray *a, bool lengths)
{
    TypeShape shape;
    int64_t bytes;
    Buf needs = {0}, unset = {0};
    type_print(in->type, &needs);
    sizes_print(v, in, false, &needs);
    if (lengths) sizes_print(v, in, true, &unset);
    if (a->kind != FILE_RAW && type_shape(in->type, &shape)) {
        file_misfit(in->spec.path, a, buf_text(&needs), shape.scalar, diag);
    } else if (a->kind != FILE_RAW) {
        diag_error(diag, E37, "%s holds one array, and %s has %d components", in->spec.path, buf_text(&needs),
                   type_components(in->type));
        diag_note(diag, "hint", "raw bytes, component after component, in a file called x.bin");
    } else if (type_bytes(v, in->type, &bytes)) {
        diag_error(diag, E37, "%s holds %lld bytes, and %s is %lld", in->spec.path, (long long)a->count, buf_text(&needs),
                   (long long)bytes);
    } else {
        const Binding *open = only_unknown(&(Measure){.values = (Values *)v, .type = in->type});
        diag_error(diag, E37, "%s holds %lld bytes, which %s has for no %s", in->spec.path, (long long)a->count, buf_text(&needs),
                   open->name);
    }
    if (unset.len) diag_note(diag, "try", "data%s %s = file(\"%s\")", buf_text(&unset), in->name, in->spec.path);
    buf_free(&needs);
    buf_free(&unset);
    return false;
}

bool session_file_fits(const Session *s, const Values *given, int i)
{
    FileArray a;
    TypeShape shape;
    int64_t bytes, n;
    const RunInput *in = &given->derivation->inputs[i];
    Diag *diag = &s->ctx->diag;
    if (!file_look(in->spec.path, &a, diag)) return false;
    bool single = type_shape(in->type, &shape), element = single && file_element_fits(&a, shape.scalar), ok;
    if (a.kind != FILE_RAW)              /* its lengths are those of the type, as far as sizes are known */
        ok = element && shape.rank + (shape.width > 0) == a.rank && (!shape.width || a.dims[shape.rank] == shape.width)
             && ALL(k, shape.rank, a.dims[k] >= 1 && (!values_nat(given, shape.dims[k], &n) || n == a.dims[k]));
    else if (type_bytes(given, in->type, &bytes)) ok = bytes == a.count;
    else ok = only_unknown(&(Measure){.values = (Values *)given, .type = in->type}) == NULL;   /* else a value would have been found */
    return ok || misfit(diag, given, in, &a, element || a.kind == FILE_RAW);
}

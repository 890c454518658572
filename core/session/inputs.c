/* inputs: sizes and inputs of the current program: as they are set, as text, and what inputs say of sizes. */
#include "data_file.h"
#include "session_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- sizes and inputs of the current program ---- */

const char *size_name(const Program *p, int i) { return nat_atom(p->sizes[i])->name; }

static bool no_name(Session *s, const char *what, const char *name)
{
    const Program *p = s->current->program;
    LOCAL(buf_free) Buf b = {0};
    for (int i = 0; i < p->size_count; i++) buf_printf(&b, " %s", size_name(p, i));
    for (int i = 0; i < p->input_count; i++) buf_printf(&b, " %s", p->inputs[i].name);
    diag_fail(diag(s), E02, "%s has no %s \"%s\"\nhas %s", s->current->name, what, name, b.len ? buf_text(&b) + 1 : "no inputs and no sizes");
    return false;
}

Datum derivation_datum(const Derivation *d, const char *name)
{
    if (ANY(i, d->program->size_count, !strcmp(size_name(d->program, i), name))) return DATUM_SIZE;
    return FIND(d->inputs, d->program->input_count, name, name) ? DATUM_INPUT : DATUM_NONE;
}

bool session_set_size(Session *s, const char *name, int64_t value)
{
    const Program *p = s->current->program;
    for (int i = 0; i < p->size_count; i++)
        if (!strcmp(size_name(p, i), name)) return s->current->sizes[i] = value, true;
    return no_name(s, "size", name);
}

/* Is that name one of a number that inputs may be calculated from? */
static bool is_number(void *derivation, const char *name, double *out)
{
    const Derivation *d = derivation;
    const RunInput *in = FIND(d->inputs, d->program->input_count, name, name);
    *out = 1;
    return in ? in->type->kind == TY_SCALAR : derivation_datum(d, name) == DATUM_SIZE;
}

static bool spec_error(Ctx *c, const char *text)
{
    static const struct { const char *word, *here; } meant[] = {        /* what others call it, or without what belongs to it */
        {"zeros", "const(0)"}, {"ones", "const(1)"}, {"const", "const(1)"}, {"uniform", "random(1,0,1)"}, {"rand", "random(1,0,1)"},
        {"random", "random(1,-1,1)"}, {"normal", "random(1,-1,1)"}, {"randn", "random(1,-1,1)"}, {"softmax", "stochastic(1)"}, {"range", "iota"},
        {"arange", "iota"}, {"iota", "iota"}, {"eye", "[[1, 0], [0, 1]]"}, {"identity", "[[1, 0], [0, 1]]"},
    };
    diag_fail(&c->diag, E05, "\"%s\" describes no input\nneeds " FILL_NEEDS, text);
    const size_t n = strcspn(text, " \t(");
    for (int i = 0; i < COUNT(meant); i++)
        if (strlen(meant[i].word) == n && !strncmp(meant[i].word, text, n)) diag_note(&c->diag, "hint", "%s", meant[i].here);
    if (*text == '"') diag_note(&c->diag, "hint", "file(%s)", text);
    if (!strncmp(text, "file(", 5)) diag_note(&c->diag, "hint", "file(\"%.*s\")", (int)strcspn(text + 5, ")"), text + 5);
    return false;
}

bool session_set_input(Session *s, const char *name, const FillSpec *spec)
{
    RunInput *in = FIND(s->current->inputs, s->current->program->input_count, name, name);
    if (!in) return no_name(s, "input", name);
    const char *texts[] = {spec->lo_text, spec->hi_text, spec->value_text};
    for (int i = 0; i < COUNT(texts); i++) {
        double any;
        if (texts[i]) texts[i] = arena_strdup(s->arena, texts[i]);
        bool put_back = diag_failed(diag(s));                /* as it was before an error */
        if (texts[i] && !put_back && !fill_calculate(s->ctx, texts[i], is_number, s->current, &any, diag(s))) {
            if (diag(s)->id != E02 || spec->kind != FILL_CONST || strpbrk(texts[i], "+-*/%(")) return false;
            diag_clear(diag(s));
            return spec_error(s->ctx, texts[i]);             /* a lone word */
        }
    }
    in->spec = *spec;
    in->spec.lo_text = texts[0], in->spec.hi_text = texts[1], in->spec.value_text = texts[2];
    if (spec->path) in->spec.path = arena_strdup(s->arena, spec->path);
    return true;
}

bool session_bound_spec(const Session *s, const Values *values, int i, FillSpec *out)
{
    const Derivation *d = values->derivation;
    *out = d->inputs[i].spec;
    return fill_bind(&(FillNames){s->ctx, values->b, values->count, d->inputs, d->program->input_count, 0}, out, diag(s));
}

Data *session_input_data(const Session *s, const Values *values, int i)
{
    const RunInput *in = &values->derivation->inputs[i];
    const Type *t = bindings_type(s->ctx, in->type, values->b, values->count, true);
    bool failed = diag_failed(diag(s));
    FillSpec spec;
    Data *d = t && session_bound_spec(s, values, i, &spec) ? fill_data(s->ctx, t, &spec, i, 0, diag(s)) : NULL;
    if (d || !t || failed) return d;
    diag_note(diag(s), "input", "%s", in->name);
    for (int k = 0; k < values->derivation->program->size_count && in->spec.kind == FILL_FILE && !access(in->spec.path, R_OK); k++)
        if (values->chosen[k]) diag_note(diag(s), "hint", "%s is not given: data %s = ...", values->b[k].name, values->b[k].name);
    return NULL;
}

RunSettings session_run_settings(const Session *s)
{
    RunSettings r = run_settings();
    r.verify = session_setting_is(s, SET_VERIFY, "on");
    r.seeds = (int)session_setting_int(s, SET_SEEDS);
    r.repeats = (int)session_setting_int(s, SET_REPEATS);
    r.tol_f32 = session_setting_real(s, SET_TOL);
    r.oracle_work = session_setting_real(s, SET_ORACLE_WORK);
    r.trials = (int)session_setting_int(s, SET_TRIALS);
    r.warmup = (int)session_setting_int(s, SET_WARMUP);
    r.build_ms = 1000 * (int)session_setting_int(s, SET_BUILD_TIMEOUT);
    r.run_ms = 1000 * (int)session_setting_int(s, SET_RUN_TIMEOUT);
    r.paranoid = session_setting_is(s, SET_SYNC, "paranoid");
    r.seed = (uint64_t)session_setting_int(s, SET_SEED);
    return r;
}

/* ---- specifications as text ---- */

static const char *const kinds[] = {
    [FILL_RANDOM] = "random", [FILL_IOTA] = "iota", [FILL_CONST] = "const",
    [FILL_FILE] = "file", [FILL_ADVERSARIAL] = "adversarial",
    [FILL_OFFSETS] = "offsets", [FILL_STOCHASTIC] = "stochastic",
};

static bool any_number(void *data, const char *name, double *out) { return (void)data, (void)name, *out = 1, true; }

/* Is it a number that is calculated, whatever its names are? */
static bool is_calculated(Ctx *c, const char *text)
{
    double any;
    LOCAL(diag_free) Diag none = diag_new();
    return fill_calculate(c, text, any_number, NULL, &any, &none);
}

static bool plain_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end;
}

/* Up to three arguments in "(1, -1, N-1)", numbers or what they are calculated from; -1: malformed. */
typedef struct Argument { double number; const char *text; } Argument;
static int arguments(Ctx *c, const char *text, Argument out[3])
{
    int n = 0, depth = 0;
    if (!*text) return 0;
    size_t len = strlen(text);
    if (*text != '(' || text[len - 1] != ')') return -1;
    const char *end = text + len - 1;
    for (const char *from = text + 1, *p = from; p <= end; p++) {
        depth += p < end && *p == '(' ? 1 : p < end && *p == ')' ? -1 : 0;
        if (p < end && (*p != ',' || depth)) continue;
        if (n == 3) return -1;
        const char *one = arena_trimmed(c->diag.arena, from, p);
        if (!strcmp(one, "true") || !strcmp(one, "false")) out[n].number = *one == 't';
        else if (!plain_number(one, &out[n].number)) {
            if (!is_calculated(c, one)) return -1;
            out[n].text = one;
        }
        n++;
        from = p + 1;
    }
    return n;
}

static bool spec_arguments(FillSpec *out, int n, const Argument v[3])
{
    if (n > 0 && out->kind != FILL_CONST) {
        if (v[0].text || !(v[0].number >= 0 && v[0].number < 1e15)) return false;
        out->seed = (uint64_t)v[0].number;
    }
    switch (out->kind) {
    case FILL_RANDOM:
        if (n == 3) out->lo = v[1].number, out->hi = v[2].number, out->lo_text = v[1].text, out->hi_text = v[2].text;
        return (n <= 1 || n == 3) && fill_is_sound(out);
    case FILL_ADVERSARIAL: case FILL_STOCHASTIC: return n <= 1;
    case FILL_OFFSETS: return out->hi = v[1].number, out->hi_text = v[1].text, n == 2 && fill_is_sound(out);
    case FILL_CONST: return out->value = v[0].number, out->value_text = v[0].text, n == 1;
    default: return n == 0;
    }
}

bool input_spec_parse(Ctx *c, const char *text, FillSpec *out)
{
    static const char *const words[] = {"true", "false", "inf", "nan"};          /* values that are written out begin so, or ... */
    Argument v[3] = {{0}};
    double plain;
    bool written = text_index(words, COUNT(words), text) >= 0 || (*text && strchr("[(<-.0123456789", *text));
    size_t len = strcspn(text, "( \t");
    int kind = FILL_RANDOM;
    while (kind < COUNT(kinds) && (strlen(kinds[kind]) != len || strncmp(kinds[kind], text, len))) kind++;
    if (kind == COUNT(kinds) && !plain_number(text, &plain) && (!written || !strchr("[<", *text)) && text_index(words, COUNT(words), text) < 0
        && is_calculated(c, text)) {
        *out = (FillSpec){.kind = FILL_CONST, .value_text = arena_strdup(c->diag.arena, text)};
        return true;
    }
    if (written && (!strchr("-.0123456789", *text) || plain_number(text, &plain))) {
        *out = (FillSpec){.kind = FILL_VALUES, .path = arena_strdup(c->diag.arena, text)};
        return true;
    }
    *out = (FillSpec){.seed = 1, .lo = -1, .hi = 1};
    if (kind == COUNT(kinds)) return spec_error(c, text);
    out->kind = (FillKind)kind;
    const char *rest = text + len + strspn(text + len, " \t");
    if (out->kind == FILL_FILE) {
        const char *open = strchr(rest, '"'), *close = open ? strrchr(rest, '"') : NULL;
        if (*rest != '(' || !open || close == open || strcmp(close, "\")")) return spec_error(c, text);
        char *path = arena_strndup(c->diag.arena, open + 1, (size_t)(close - open - 1)), *to = path;
        for (const char *p = path; *p; p++) {              /* as fill_print writes it */
            if (*p == '\\' && (p[1] == '"' || p[1] == '\\')) p++;
            *to++ = *p;
        }
        *to = 0;
        out->path = path;
        return true;
    }
    int n = arguments(c, rest, v);
    return (n >= 0 && spec_arguments(out, n, v)) || spec_error(c, text);
}

/* ---- what files and values of inputs say of sizes ---- */

bool values_of(void *data, const NatAtom *var, int64_t *out)
{
    const Values *v = data;
    return valuation_value(&(Valuation){v->b, v->count}, var, out);
}

bool values_nat(const Values *values, const Nat *n, int64_t *out) { return nat_eval(n, values_of, (void *)values, out); }

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
    LOCAL(drop) NatAtomVec vars = {0};
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

/* Sizes that are not set are what the files and values of inputs say of them. */
static void sizes_from_inputs(const Derivation *d, Values *out)
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

void values_with_sizes(const Derivation *d, const Version *v, const int64_t *sizes, Arena *arena, Values *out)
{
    int n = d->program->size_count;
    *out = (Values){.derivation = d, .version = v, .count = n + v->param_count};
    out->b = NEW_ARRAY(arena, Binding, out->count);
    out->chosen = NEW_ARRAY(arena, bool, n);
    out->from_input = NEW_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++) out->b[i] = (Binding){size_name(d->program, i), VAR_SIZE, sizes[i] > 0, sizes[i]};
    for (int i = 0; i < v->param_count; i++)
        out->b[n + i] = (Binding){v->params[i].name, VAR_PARAM, v->params[i].value > 0, v->params[i].value};
}

void session_given_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    values_with_sizes(s->current, v, s->current->sizes, arena, out);
    sizes_from_inputs(s->current, out);
}

/* The sizes of an input's type that itself does not say: " with N = 480, M = 3"; or those the user gave, unset: " N = ?,". */
static void sizes_print(const Values *v, const RunInput *in, bool unset, Buf *out)
{
    LOCAL(drop) NatAtomVec vars = {0};
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
}

/* E37: what the file holds is not what is needed. lengths: other sizes could help. */
static bool misfit(Diag *diag, const Values *v, const RunInput *in, const FileArray *a, bool lengths)
{
    TypeShape shape;
    int64_t bytes;
    LOCAL(buf_free) Buf needs = {0}, unset = {0};
    type_print(in->type, &needs);
    sizes_print(v, in, false, &needs);
    if (lengths) sizes_print(v, in, true, &unset);
    if (a->kind != FILE_RAW && type_shape(in->type, &shape)) file_misfit(in->spec.path, a, buf_text(&needs), shape.scalar, diag);
    else if (a->kind != FILE_RAW)
        diag_fail(diag, E37, "%s holds one array, and %s has %d components\n"
                  "hint raw bytes, component after component, in a file called x.bin", in->spec.path, buf_text(&needs), type_components(in->type));
    else if (type_bytes(v, in->type, &bytes))
        diag_fail(diag, E37, "%s holds %lld bytes, and %s is %lld", in->spec.path, (long long)a->count, buf_text(&needs), (long long)bytes);
    else
        diag_fail(diag, E37, "%s holds %lld bytes, which %s has for no %s", in->spec.path, (long long)a->count, buf_text(&needs),
                  only_unknown(&(Measure){.values = (Values *)v, .type = in->type})->name);
    if (unset.len) diag_note(diag, "try", "data%s %s = file(\"%s\")", buf_text(&unset), in->name, in->spec.path);
    return false;
}

bool session_file_fits(const Session *s, const Values *given, int i)
{
    FileArray a;
    TypeShape shape;
    int64_t bytes, n;
    const RunInput *in = &given->derivation->inputs[i];
    if (!file_look(in->spec.path, &a, diag(s))) return false;
    bool single = type_shape(in->type, &shape), element = single && file_element_fits(&a, shape.scalar), ok;
    if (a.kind != FILE_RAW)              /* its lengths are those of the type, as far as sizes are known */
        ok = element && shape.rank + (shape.width > 0) == a.rank && (!shape.width || a.dims[shape.rank] == shape.width)
             && ALL(k, shape.rank, a.dims[k] >= 1 && (!values_nat(given, shape.dims[k], &n) || n == a.dims[k]));
    else if (type_bytes(given, in->type, &bytes)) ok = bytes == a.count;
    else ok = only_unknown(&(Measure){.values = (Values *)given, .type = in->type}) == NULL;   /* else a value would have been found */
    return ok || misfit(diag(s), given, in, &a, element || a.kind == FILE_RAW);
}

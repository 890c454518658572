/* inputs: sizes and inputs of the current program, and how inputs are specified. */
#include "session_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- sizes and inputs of the current program ---- */

static bool no_name(Session *s, const char *what, const char *name)
{
    const Program *p = s->current->program;
    Buf b = {0};
    for (int i = 0; i < p->size_count; i++) buf_printf(&b, " %s", size_name(p, i));
    for (int i = 0; i < p->input_count; i++) buf_printf(&b, " %s", p->inputs[i].name);
    diag_error(&s->ctx->diag, E02, "%s has no %s \"%s\"", s->current->name, what, name);
    diag_note(&s->ctx->diag, "has", "%s", b.len ? buf_text(&b) + 1 : "no inputs and no sizes");
    buf_free(&b);
    return false;
}

Datum derivation_datum(const Derivation *d, const char *name)
{
    if (ANY(i, d->program->size_count, !strcmp(size_name(d->program, i), name))) return DATUM_SIZE;
    if (ANY(i, d->program->input_count, !strcmp(d->inputs[i].name, name))) return DATUM_INPUT;
    return DATUM_NONE;
}

bool session_set_size(Session *s, const char *name, int64_t value)
{
    const Program *p = s->current->program;
    for (int i = 0; i < p->size_count; i++) {
        if (strcmp(size_name(p, i), name)) continue;
        s->current->sizes[i] = value;
        return true;
    }
    return no_name(s, "size", name);
}

bool session_set_input(Session *s, const char *name, const FillSpec *spec)
{
    const Program *p = s->current->program;
    for (int i = 0; i < p->input_count; i++) {
        if (strcmp(p->inputs[i].name, name)) continue;
        s->current->inputs[i].spec = *spec;
        if (spec->path) s->current->inputs[i].spec.path = arena_strdup(s->arena, spec->path);
        return true;
    }
    return no_name(s, "input", name);
}

Data *session_input_data(const Session *s, const Values *values, int i)
{
    const RunInput *in = &values->derivation->inputs[i];
    const Type *t = session_bound_type(s, values, in->type);
    Diag *diag = &s->ctx->diag;
    bool failed = diag_failed(diag);
    Data *d = t ? fill_data(s->ctx, t, &in->spec, i, 0, diag) : NULL;
    if (d || !t || failed) return d;
    diag_note(diag, "input", "%s", in->name);
    for (int k = 0; k < values->derivation->program->size_count && in->spec.kind == FILL_FILE && !access(in->spec.path, R_OK); k++)
        if (values->chosen[k]) diag_note(diag, "hint", "%s is not given: data %s = ...", values->b[k].name, values->b[k].name);
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
    [FILL_OFFSETS] = "offsets",
};

static bool spec_error(Ctx *c, const char *text)
{
    diag_error(&c->diag, E05, "\"%s\" describes no input", text);
    diag_note(&c->diag, "needs",
              "random(seed,lo,hi), iota, const(v), file(\"x.bin\"), adversarial(seed), offsets(seed,n) or values: [1, 2, 3]");
    return false;
}

/* Up to three numbers in "(1, -1, 1)"; -1: malformed. */
static int numbers(const char *text, double out[3])
{
    int n = 0;
    if (!*text) return 0;
    if (*text++ != '(') return -1;
    while (n < 3) {
        char *end;
        out[n++] = strtod(text, &end);
        if (end == text) return -1;
        text = end + strspn(end, " \t");
        if (*text == ')') return text[1 + strspn(text + 1, " \t")] ? -1 : n;
        if (*text++ != ',') return -1;
    }
    return -1;
}

static bool spec_arguments(FillSpec *out, int n, const double v[3])
{
    if (n > 0 && out->kind != FILL_CONST) {
        if (!(v[0] >= 0 && v[0] < 1e15)) return false;
        out->seed = (uint64_t)v[0];
    }
    switch (out->kind) {
    case FILL_RANDOM:
        if (n == 3) out->lo = v[1], out->hi = v[2];
        return (n <= 1 || n == 3) && isfinite(out->hi - out->lo) && out->lo <= out->hi;
    case FILL_ADVERSARIAL: return n <= 1;
    case FILL_OFFSETS: return out->hi = v[1], n == 2 && v[1] >= 0 && v[1] <= INT32_MAX && floor(v[1]) == v[1];
    case FILL_CONST: return out->value = v[0], n == 1;
    default: return n == 0;
    }
}

bool input_spec_parse(Ctx *c, const char *text, FillSpec *out)
{
    static const char *const words[] = {"true", "false", "inf", "nan"};          /* values that are written out begin so, or ... */
    double v[3] = {0};
    if (text_index(words, COUNT(words), text) >= 0 || (*text && strchr("[(<-.0123456789", *text))) {
        *out = (FillSpec){.kind = FILL_VALUES, .path = arena_strdup(c->diag.arena, text)};
        return true;
    }
    size_t len = strcspn(text, "( \t");
    *out = (FillSpec){.seed = 1, .lo = -1, .hi = 1};
    int kind = FILL_RANDOM;
    while (kind < COUNT(kinds) && (strlen(kinds[kind]) != len || strncmp(kinds[kind], text, len))) kind++;
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
    int n = numbers(rest, v);
    return (n >= 0 && spec_arguments(out, n, v)) || spec_error(c, text);
}

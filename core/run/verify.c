/* verify: inputs, references and comparison of results (decisions.md 1-3). Layer 8. */
#include "run_private.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MAX = 256,
    SAMPLES_LEAST = 16,                  /* elements verified however dear each is */
    PROBES = 32,                         /* elements whose shadow decides how far exact inputs are thinned */
    EXPLAINED_MAX = 4096,                /* differences that are given a second look */
};

typedef struct Part {                    /* one component of the result */
    Scalar scalar;
    Shape shape;
    int64_t count;                       /* elements it has */
    int64_t n, known;                    /* elements to look at, and how many of those have a reference */
    int64_t *at;                         /* NULL: element i is number i */
    double *want, *shadow;               /* n each */
    int64_t *whole;                      /* integers wider than a double, else NULL */
    bool *bad;                           /* in the comparison under way */
} Part;

struct Verifier {
    Ctx *c;
    const Term *t, *version;             /* the reference; the term that was run */
    const RunInput *inputs;
    int input_count;
    RunSettings s;
    const volatile int *stop;
    Arena *arena;
    bool all, exact_program;             /* level a; exact comparison is possible */
    int set_count, set;                  /* input sets; the current one, -1 none */
    bool set_exact;                      /* the current set is the exact one */
    int64_t tiles[TILES_MAX];
    int tile_count, part_count;
    Part *parts;
    EvalInput *values;
    References *shared;                  /* may be NULL */
    ReferenceSet *known;                 /* of the current set; NULL: nothing is shared */
    Eval *reference, *literal;           /* of the current set, made when needed */
    Data *first;                         /* result of the first repeat */
    double deadline;
    const char *cut;                     /* what the time limit left out */
};

static bool is_late(const Verifier *v)
{
    return (v->stop && *v->stop) || (v->deadline > 0 && clock_exact_ms() > v->deadline);
}

static int64_t element(const Part *p, int64_t i) { return p->at ? p->at[i] : i; }

/* ---- precision of scalars ---- */

static const struct { int digits; double most, least; } precisions[SC_COUNT] = {
    [SC_F16] = {11, 65504, 6.103515625e-5}, [SC_F32] = {24, FLT_MAX, FLT_MIN}, [SC_F64] = {53, DBL_MAX, DBL_MIN},
};

static double tolerance(const RunSettings *s, Scalar k)
{
    return k == SC_F16 ? s->tol_f16 : k == SC_F32 ? s->tol_f32 : k == SC_F64 ? s->tol_f64 : 0;
}

static double round_to(Scalar k, double v) { return k == SC_F32 ? (double)(float)v : v; }

/* Distance in units of the last place of `want`. */
static double ulps(Scalar k, double got, double want)
{
    int exponent;
    if (got == want) return 0;
    frexp(fmax(fabs(want), precisions[k].least), &exponent);
    return fabs(got - want) / ldexp(1, exponent - precisions[k].digits);
}

/* ---- the elements to look at ---- */

/* Of each component. All of them may be computed together: each sample costs as much as an element of the longest. */
static int64_t sample_limit(const Verifier *v, double work, int64_t longest)
{
    double affordable = v->s.oracle_work / (work / (double)longest) / v->part_count;
    int64_t most = v->s.samples / v->part_count;
    if (affordable < SAMPLES_LEAST) affordable = SAMPLES_LEAST;
    if (affordable < (double)most) return (int64_t)affordable;
    return most < 1 ? 1 : most;
}

static void choose_elements(Verifier *v, Part *p, int64_t limit, uint64_t seed)
{
    p->n = v->all || p->count <= limit ? p->count : limit;
    if (p->n < p->count) {
        p->at = NEW_ARRAY(v->arena, int64_t, p->n);
        p->n = samples_choose(&p->shape, v->tiles, v->tile_count, seed, p->at, p->n);
    }
    p->want = NEW_ARRAY(v->arena, double, p->n);
    p->shadow = NEW_ARRAY(v->arena, double, p->n);
    if (p->scalar == SC_I64) p->whole = NEW_ARRAY(v->arena, int64_t, p->n);
    p->bad = NEW_ARRAY(v->arena, bool, p->n);
}

static void open_parts(Verifier *v)
{
    Shape shapes[PARTS_MAX];
    v->part_count = shapes_of(v->t->type, shapes, PARTS_MAX);
    v->parts = NEW_ARRAY(v->arena, Part, v->part_count);
    int64_t longest = 1;
    for (int i = 0; i < v->part_count; i++)
        if (shape_count(&shapes[i]) > longest) longest = shape_count(&shapes[i]);
    double work = eval_work(v->c, v->t);
    v->all = work <= v->s.oracle_work;
    int64_t limit = sample_limit(v, work, longest);
    for (int i = 0; i < v->part_count; i++) {
        Part *p = &v->parts[i];
        p->shape = shapes[i];
        p->count = shape_count(&shapes[i]);
        p->scalar = shapes[i].scalar;
        choose_elements(v, p, limit, hash_mix(v->s.seed, (uint64_t)i));
    }
}

/* ---- making and releasing ---- */

static bool fill_varies(const FillSpec *s)
{
    return s->kind == FILL_DEFAULT || s->kind == FILL_RANDOM || s->kind == FILL_ADVERSARIAL;
}

/* The exact set, the specification, and variants of it when there is anything to vary. */
static int count_sets(const Verifier *v)
{
    bool varies = false;
    for (int i = 0; i < v->input_count; i++) varies = varies || fill_varies(&v->inputs[i].spec);
    int most = v->s.seeds < 1 ? 1 : v->s.seeds;
    return varies || most < 2 ? most : 2;
}

Verifier *verifier_new(Ctx *c, const Term *version, const Term *source, const RunInput *inputs, int input_count,
                       const RunSettings *settings, const volatile int *stop, Diag *diag)
{
    const Term *t = source ? source : version;
    if (t->type != version->type) {
        diag_error(diag, E70, "a version and its source have different types");
        return NULL;
    }
    if (shapes_of(t->type, NULL, 0) > PARTS_MAX) {
        diag_error(diag, E08, "the result has more than %d components", PARTS_MAX);
        return NULL;
    }
    Verifier *v = mem_alloc(sizeof *v);
    *v = (Verifier){.c = c, .t = t, .version = version, .inputs = inputs, .input_count = input_count,
                    .s = *settings, .stop = stop, .arena = arena_new(), .set = -1,
                    .exact_program = eval_is_exact_program(t) && eval_is_exact_program(version)};
    v->values = NEW_ARRAY(v->arena, EvalInput, input_count);
    v->tile_count = tiles_of(version, v->tiles);
    v->set_count = count_sets(v);
    open_parts(v);
    return v;
}

static void forget_values(Verifier *v)
{
    bool own = !v->known || !reference_values(v->known);
    for (int i = 0; i < v->input_count; i++) {
        if (own && v->values[i].data) data_free((Data *)v->values[i].data);
        v->values[i].data = NULL;
    }
    v->known = NULL;
}

static void forget_evals(Verifier *v)
{
    if (v->reference) eval_free(v->reference);
    if (v->literal) eval_free(v->literal);
    if (v->first) data_free(v->first);
    v->reference = v->literal = NULL;
    v->first = NULL;
}

void verifier_free(Verifier *v)
{
    if (!v) return;
    forget_evals(v);
    forget_values(v);
    arena_free(v->arena);
    free(v);
}

void verifier_share(Verifier *v, References *r) { v->shared = r; }

int verifier_input_count(const Verifier *v) { return v->set_count; }

/* ---- inputs ---- */

typedef struct Thinning { int magnitude, one_in; } Thinning;   /* integers up to magnitude; one in so many not zero */
static const Thinning thinnings[] = {
    {8, 1}, {2, 1}, {1, 1}, {1, 4}, {1, 16}, {1, 64}, {1, 256}, {1, 1024}, {1, 1 << 14}, {1, 1 << 18},
};

static void thin(Data *one, uint64_t seed, int one_in)
{
    Rng r = {seed};
    for (int64_t i = 0; i < one->parts[0].count; i++)
        if (rng_below(&r, one_in)) data_set(one, 0, i, 0);
}

/* Programs that divide or take logarithms say more on positive numbers. */
static void make_positive(Data *one)
{
    for (int64_t i = 0; i < one->parts[0].count; i++) {
        double x = fabs(data_get(one, 0, i));
        data_set(one, 0, i, x < 1 ? 1 : x);
    }
}

/* Small integers into the floats of an input; its integers stay as they are, for they may be indices. */
static void make_exact(const Verifier *v, Data *d, int position, Thinning how)
{
    for (int p = 0; p < d->part_count; p++) {
        if (!scalar_is_float(d->parts[p].scalar)) continue;
        Data one = {d->type, 1, &d->parts[p]};
        uint64_t seed = hash_mix(hash_mix(v->s.seed, (uint64_t)position), (uint64_t)p);
        data_fill_exact(&one, seed, how.magnitude);
        if (!v->exact_program) make_positive(&one);
        else if (how.one_in > 1) thin(&one, seed + 1, how.one_in);
    }
}

static bool make_values(Verifier *v, int variant, Diag *diag)
{
    for (int i = 0; i < v->input_count; i++) {
        const RunInput *in = &v->inputs[i];
        v->values[i] = (EvalInput){in->name, fill_data(v->c, in->type, &in->spec, i, variant, diag)};
        if (!v->values[i].data) return false;
    }
    return true;
}

static bool open_reference(Verifier *v)
{
    v->reference = eval_new(v->c, v->t, v->values, v->input_count, EVAL_REFERENCE);
    if (v->reference) eval_limit(v->reference, 0, v->stop);
    return v->reference != NULL;
}

/* Do the shadows of a few elements leave every sum exact? */
static bool probe_part(Verifier *v, int part, bool *exact, Diag *diag)
{
    const Part *p = &v->parts[part];
    EvalScalar x;
    if (!scalar_is_float(p->scalar)) return true;
    double most = ldexp(1, precisions[p->scalar].digits);
    for (int64_t i = 0; i < PROBES && i < p->n && *exact && !is_late(v); i++) {
        if (!eval_at(v->reference, part, element(p, i * (p->n / PROBES ? p->n / PROBES : 1)), &x, diag)) return false;
        *exact = x.shadow < most;
    }
    return true;
}

static bool probe(Verifier *v, bool *exact, Diag *diag)
{
    *exact = true;
    for (int i = 0; i < v->part_count; i++)
        if (!probe_part(v, i, exact, diag)) return false;
    return true;
}

/* Small integers, fewer and smaller until sums are exact. */
static bool make_exact_set(Verifier *v, Diag *diag)
{
    bool exact = false;
    if (!make_values(v, 0, diag)) return false;
    for (int step = 0; step < COUNT(thinnings) && !exact; step++) {
        forget_evals(v);
        for (int i = 0; i < v->input_count; i++) make_exact(v, (Data *)v->values[i].data, i, thinnings[step]);
        if (!open_reference(v)) return false;
        if (!v->exact_program) return true;
        if (!probe(v, &exact, diag)) return false;
    }
    return true;
}

static bool make_set(Verifier *v, int k, Diag *diag)
{
    bool exact = k == 0 && v->exact_program;
    v->known = v->shared ? references_set(v->shared, v->c, v->t, v->inputs, v->input_count, &v->s, k, exact) : NULL;
    const EvalInput *made = v->known ? reference_values(v->known) : NULL;
    if (made) {
        memcpy(v->values, made, (size_t)v->input_count * sizeof *made);
        return true;
    }
    if (!(k == 0 ? make_exact_set(v, diag) : make_values(v, k - 1, diag) && open_reference(v))) return false;
    if (v->known) reference_keep_values(v->known, v->values);
    return true;
}

/* ---- references ---- */

static bool ask_reference(Verifier *v, int part, int64_t flat, EvalScalar *x, Diag *diag)
{
    if (v->known && reference_element(v->known, part, flat, x)) return true;
    if (!v->reference && !open_reference(v)) return false;
    if (!eval_at(v->reference, part, flat, x, diag)) return false;
    if (v->known) reference_keep_element(v->known, part, flat, *x);
    return true;
}

static bool ask_all(Verifier *v, int part, Diag *diag)
{
    Part *p = &v->parts[part];
    if (v->known && reference_part_values(v->known, part, p->want, p->shadow, p->n)) return true;
    if (!v->reference && !open_reference(v)) return false;
    if (!eval_reference(v->reference, part, p->want, p->shadow, p->n, diag)) return false;
    if (v->known) reference_keep_part(v->known, part, p->want, p->shadow, p->n);
    return true;
}

static bool reference_at(Verifier *v, int part, int64_t i, Diag *diag)
{
    Part *p = &v->parts[part];
    EvalScalar x;
    if (!ask_reference(v, part, element(p, i), &x, diag)) return false;
    bool is_float = scalar_is_float(p->scalar);
    p->want[i] = is_float ? x.f : (double)x.i;
    p->shadow[i] = is_float ? x.shadow : 0;
    if (p->whole) p->whole[i] = x.i;
    p->known = i + 1;
    return true;
}

static bool reference_part(Verifier *v, int part, Diag *diag)
{
    Part *p = &v->parts[part];
    p->known = 0;
    if (v->all && !p->whole) {
        p->known = p->n;
        return ask_all(v, part, diag);
    }
    for (int64_t i = 0; i < p->n && !(i && is_late(v)); i++)
        if (!reference_at(v, part, i, diag)) return false;
    return true;
}

static void note_cut(Verifier *v)
{
    int64_t n = 0, known = 0;
    for (int i = 0; i < v->part_count; i++) {
        n += v->parts[i].n;
        known += v->parts[i].known;
    }
    if (known < n && !v->cut)
        v->cut = arena_printf(v->arena, "%lld of %lld elements of input %d", (long long)(n - known), (long long)n,
                              v->set + 1);
}

static bool make_references(Verifier *v, Diag *diag)
{
    for (int i = 0; i < v->part_count; i++)
        if (!reference_part(v, i, diag)) return false;
    note_cut(v);
    return true;
}

void run_take_error(Ctx *c, Diag *to)
{
    if (to == &c->diag || !diag_failed(&c->diag)) return;
    if (!diag_failed(to)) diag_copy(to, &c->diag);
    diag_clear(&c->diag);
}

const EvalInput *verifier_input(Verifier *v, int k, double deadline_ms, Diag *diag)
{
    forget_evals(v);
    forget_values(v);
    v->set = k;
    v->deadline = deadline_ms;
    bool ok = make_set(v, k, diag) && make_references(v, diag);
    v->set_exact = k == 0 && v->exact_program;
    run_take_error(v->c, diag);
    return ok ? v->values : NULL;
}

/* ---- comparison ---- */

typedef struct Check {                   /* of one result */
    Verifier *v;
    const Data *got;
    int part;
    const Part *p;
    int sentinel;
    int looks;                           /* differences that were looked at twice */
    bool confirmed;                      /* one of them is wrong by the language's own rounding too */
    bool exact;                          /* every float so far was compared exactly */
    VerifyOutcome *out;
} Check;

static bool holds_sentinel(const Check *k, int64_t flat)
{
    if (k->sentinel < 0) return false;
    int bytes = scalar_bytes(k->p->scalar);
    const uint8_t *x = (const uint8_t *)k->got->parts[k->part].values + flat * bytes;
    for (int i = 0; i < bytes; i++)
        if (x[i] != k->sentinel) return false;
    return true;
}

static bool is_close(const Check *k, double got, double want, double shadow)
{
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
    if (got == want) return true;
    double scale = fmax(fabs(want), shadow);
    return fabs(got - want) <= tolerance(&k->v->s, k->p->scalar) * scale + precisions[k->p->scalar].least;
}

/* The kernel may have done just what the language says in its own rounding, which a long serial sum shows. */
static bool is_literal(Check *k, int64_t flat, double got, double shadow)
{
    Verifier *v = k->v;
    EvalScalar x;
    Diag diag;
    if (k->confirmed || k->looks++ == EXPLAINED_MAX || is_late(v)) return false;
    if (!v->literal) v->literal = eval_new(v->c, v->version, v->values, v->input_count, EVAL_EXACT);
    if (!v->literal) return false;
    diag_init(&diag);
    bool same = eval_at(v->literal, k->part, flat, &x, &diag);
    if (same && scalar_is_float(k->p->scalar)) same = is_close(k, got, x.f, shadow);
    else if (same) same = data_get_int(k->got, k->part, flat) == x.i;
    diag_free(&diag);
    k->confirmed = !same;
    return same;
}

static void add_distance(Check *k, double got, double want, double shadow)
{
    double scale = fmax(fabs(want), shadow), distance = fabs(got - want);
    double rel = distance > 0 ? distance / scale : 0, ulp = ulps(k->p->scalar, got, round_to(k->p->scalar, want));
    if (rel > k->out->max_rel) k->out->max_rel = rel;
    if (ulp > k->out->max_ulp) k->out->max_ulp = ulp;
}

typedef enum { ELEMENT_OK, ELEMENT_WRONG, ELEMENT_NOT_COMPARABLE } ElementVerdict;

/* A sum of huge magnitudes may overflow in one order and not in another. */
static bool is_comparable(Scalar k, double want, double shadow)
{
    double most = precisions[k].most;
    return shadow <= most && (isnan(want) || fabs(want) <= most);
}

static ElementVerdict check_float(Check *k, int64_t i, int64_t flat)
{
    const Part *p = k->p;
    double got = data_get(k->got, k->part, flat), want = p->want[i], shadow = p->shadow[i];
    if (!is_comparable(p->scalar, want, shadow))
        return holds_sentinel(k, flat) ? ELEMENT_WRONG : ELEMENT_NOT_COMPARABLE;
    bool exact = k->v->set_exact && shadow < ldexp(1, precisions[p->scalar].digits);
    k->exact = k->exact && exact;
    bool same = exact ? got == want : is_close(k, got, want, shadow) && !holds_sentinel(k, flat);
    if (!same && !exact) same = is_literal(k, flat, got, shadow);
    if (same && isfinite(got) && isfinite(want)) add_distance(k, got, want, shadow);
    return same ? ELEMENT_OK : ELEMENT_WRONG;
}

static ElementVerdict check_whole(Check *k, int64_t i, int64_t flat)
{
    int64_t want = k->p->whole ? k->p->whole[i] : (int64_t)k->p->want[i];
    if (data_get_int(k->got, k->part, flat) == want) return ELEMENT_OK;
    return !k->v->set_exact && is_literal(k, flat, 0, 0) ? ELEMENT_OK : ELEMENT_WRONG;
}

static ElementVerdict check_element(Check *k, int64_t i, int64_t flat)
{
    return scalar_is_float(k->p->scalar) ? check_float(k, i, flat) : check_whole(k, i, flat);
}

static void print_scalar(Buf *out, const Data *d, int part, int64_t flat)
{
    Scalar s = d->parts[part].scalar;
    if (s == SC_BOOL) buf_puts(out, ((const uint8_t *)d->parts[part].values)[flat] ? "true" : "false");
    else if (scalar_is_int(s)) buf_printf(out, "%lld", (long long)data_get_int(d, part, flat));
    else buf_printf(out, "%.*g", s == SC_F64 ? 17 : 9, data_get(d, part, flat));
}

static const char *got_text(Arena *arena, const Check *k, int64_t flat)
{
    Buf b = {0};
    print_scalar(&b, k->got, k->part, flat);
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

static const char *want_text(Arena *arena, const Part *p, int64_t i)
{
    if (p->scalar == SC_BOOL) return p->want[i] != 0 ? "true" : "false";
    if (p->whole) return arena_printf(arena, "%lld", (long long)p->whole[i]);
    if (scalar_is_int(p->scalar)) return arena_printf(arena, "%lld", (long long)p->want[i]);
    return arena_printf(arena, "%.*g", p->scalar == SC_F64 ? 17 : 9, round_to(p->scalar, p->want[i]));
}

static const char *where_text(Arena *arena, const Check *k, int64_t flat)
{
    Buf b = {0};
    if (k->v->part_count > 1) buf_printf(&b, ".%d", k->part);
    shape_print_index(&k->p->shape, flat, &b);
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

static const char *set_text(const Verifier *v, Arena *arena)
{
    Buf b = {0};
    if (v->set == 0) return v->exact_program ? "small integers, compared exactly" : "small integers";
    for (int i = 0; i < v->input_count; i++) {
        buf_printf(&b, "%s%s = ", i ? ", " : "", v->inputs[i].name);
        fill_print(&v->inputs[i].spec, &b);
    }
    if (v->set > 1) buf_printf(&b, ", seeds varied (%d)", v->set - 1);
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

/* The first wrong element of the first wrong result. */
static void keep_wrong(Check *k, Arena *arena, int64_t flat, int repeat, const char *want)
{
    VerifyOutcome *out = k->out;
    out->status = VERIFY_WRONG;
    out->wrong_input = k->v->set + 1;
    out->wrong_repeat = repeat + 1;
    out->wrong_what = set_text(k->v, arena);
    out->first_flat = flat;
    out->first_where = where_text(arena, k, flat);
    out->got = got_text(arena, k, flat);
    out->want = want;
    out->relative = 1;
}

/* i: its place among those looked at. */
static void keep_first(Check *k, Arena *arena, int64_t i, int repeat)
{
    int64_t flat = element(k->p, i);
    keep_wrong(k, arena, flat, repeat, want_text(arena, k->p, i));
    double scale = fmax(fabs(k->p->want[i]), k->p->shadow[i]);
    double distance = fabs(data_get(k->got, k->part, flat) - k->p->want[i]);
    k->out->relative = scale > 0 ? distance / scale : distance;
}

/* ---- patterns ---- */

typedef struct Looked { int64_t at; bool bad; } Looked;

static int by_place(const void *a, const void *b)
{
    int64_t x = ((const Looked *)a)->at, y = ((const Looked *)b)->at;
    return (x > y) - (x < y);
}

static const char *pattern_of(const Verifier *v, const Part *p, Arena *arena)
{
    if (!p->at) {
        int64_t *all = mem_alloc(sizeof *all * (size_t)(p->known + 1));
        for (int64_t i = 0; i < p->known; i++) all[i] = i;
        const char *found = samples_pattern(arena, &p->shape, v->tiles, v->tile_count, all, p->bad, p->known);
        free(all);
        return found;
    }
    Looked *l = mem_alloc(sizeof *l * (size_t)(p->known + 1));
    int64_t *at = mem_alloc(sizeof *at * (size_t)(p->known + 1));
    bool *bad = mem_alloc((size_t)p->known + 1);
    for (int64_t i = 0; i < p->known; i++) l[i] = (Looked){p->at[i], p->bad[i]};
    qsort(l, (size_t)p->known, sizeof *l, by_place);
    for (int64_t i = 0; i < p->known; i++) at[i] = l[i].at, bad[i] = l[i].bad;
    const char *found = samples_pattern(arena, &p->shape, v->tiles, v->tile_count, at, bad, p->known);
    free(l);
    free(at);
    free(bad);
    return found;
}

/* ---- a whole result ---- */

typedef struct Tally { int64_t wrong, compared, unwritten, not_comparable; int64_t first; } Tally;

static Tally check_part(Check *k)
{
    Tally t = {.first = -1};
    for (int64_t i = 0; i < k->p->known; i++) {
        int64_t flat = element(k->p, i);
        ElementVerdict verdict = check_element(k, i, flat);
        k->p->bad[i] = verdict == ELEMENT_WRONG;
        t.compared++;
        t.not_comparable += verdict == ELEMENT_NOT_COMPARABLE;
        if (verdict != ELEMENT_WRONG) continue;
        if (t.first < 0 || flat < element(k->p, t.first)) t.first = i;
        t.wrong++;
        t.unwritten += holds_sentinel(k, flat);
    }
    return t;
}

/* Elements that were not looked at but still hold the sentinel. */
static int64_t count_unwritten(Check *k, int64_t *first)
{
    int64_t n = 0;
    bool *looked = mem_alloc((size_t)k->p->count);
    for (int64_t i = 0; i < k->p->known; i++) looked[element(k->p, i)] = true;
    for (int64_t f = 0; f < k->p->count; f++)
        if (!looked[f] && holds_sentinel(k, f) && !n++) *first = f;
    free(looked);
    return n;
}

/* If the first of them should hold that very value, all may. */
static bool is_unwritten(Check *k, int64_t flat)
{
    EvalScalar x;
    Diag diag;
    diag_init(&diag);
    bool known = ask_reference(k->v, k->part, flat, &x, &diag);
    diag_free(&diag);
    if (!known) return true;
    double got = data_get(k->got, k->part, flat);
    return scalar_is_float(k->p->scalar) ? !is_close(k, got, x.f, 0) : data_get_int(k->got, k->part, flat) != x.i;
}

/* Everything about one component; false: something is wrong. */
static bool compare_part(Check *k, Arena *arena, int repeat)
{
    VerifyOutcome *out = k->out;
    bool was_wrong = out->status == VERIFY_WRONG;
    Tally t = check_part(k);
    int64_t first = -1, unwritten = k->p->known < k->p->count ? count_unwritten(k, &first) : 0;
    if (unwritten && !is_unwritten(k, first)) unwritten = 0;
    out->not_comparable += t.not_comparable;
    if (t.wrong && !was_wrong) keep_first(k, arena, t.first, repeat);
    else if (unwritten && !was_wrong) keep_wrong(k, arena, first, repeat, "a value (never written)");
    if (t.wrong && !was_wrong) out->pattern = pattern_of(k->v, k->p, arena);
    out->wrong += t.wrong + unwritten;
    out->wrong_of += unwritten ? k->p->count : t.compared;
    out->unwritten += t.unwritten + unwritten;
    return !t.wrong && !unwritten;
}

static void add_result(Check *k, Arena *arena, int repeat)
{
    VerifyOutcome before = *k->out;
    bool ok = true;
    k->out->wrong = k->out->wrong_of = k->out->unwritten = 0;
    for (k->part = 0; k->part < k->v->part_count; k->part++) {
        k->p = &k->v->parts[k->part];
        ok = compare_part(k, arena, repeat) && ok;
    }
    if (ok || before.status == VERIFY_WRONG) {                 /* counts are those of the first bad result */
        k->out->wrong = before.wrong;
        k->out->wrong_of = before.wrong_of;
        k->out->unwritten = before.unwritten;
    }
}

static int64_t count_differences(const Data *a, const Data *b)
{
    int64_t n = 0;
    for (int p = 0; p < a->part_count; p++) {
        size_t bytes = (size_t)scalar_bytes(a->parts[p].scalar), all = bytes * (size_t)a->parts[p].count;
        const char *x = a->parts[p].values, *y = b->parts[p].values;
        if (!memcmp(x, y, all)) continue;
        for (size_t at = 0; at < all; at += bytes) n += memcmp(x + at, y + at, bytes) != 0;
    }
    return n;
}

static void keep_copy(Verifier *v, const Data *got)
{
    v->first = data_new(v->c, got->type);
    for (int p = 0; v->first && p < got->part_count; p++)
        memcpy(v->first->parts[p].values, got->parts[p].values,
               (size_t)got->parts[p].count * (size_t)scalar_bytes(got->parts[p].scalar));
}

static void count_done(Check *k, int repeat)
{
    VerifyOutcome *out = k->out;
    if (out->inputs < k->v->set + 1) out->inputs = k->v->set + 1;
    if (out->repeats < repeat + 1) out->repeats = repeat + 1;
    if (k->v->set == 0 && repeat == 0) out->exact_first = k->v->exact_program && k->exact;
}

bool verifier_compare(Verifier *v, const Data *got, int sentinel, int repeat, Arena *arena, VerifyOutcome *out)
{
    Check k = {.v = v, .got = got, .sentinel = sentinel, .exact = true, .out = out};
    bool was_ok = out->status != VERIFY_WRONG;
    int64_t differs = v->first ? count_differences(v->first, got) : 0;
    if (was_ok) out->status = VERIFY_OK;
    if (differs > out->repeat_differs) out->repeat_differs = differs;
    if (!v->first || differs) add_result(&k, arena, repeat);   /* the same bits have the same verdict */
    count_done(&k, repeat);
    if (!v->first) keep_copy(v, got);
    return out->status != VERIFY_WRONG;
}

/* ---- the report ---- */

static double worst_tolerance(const Verifier *v)
{
    double worst = 0;
    for (int i = 0; i < v->part_count; i++) worst = fmax(worst, tolerance(&v->s, v->parts[i].scalar));
    return worst;
}

void verifier_finish(const Verifier *v, Arena *arena, VerifyOutcome *out)
{
    out->total = out->compared = 0;
    for (int i = 0; i < v->part_count; i++) {
        out->total += v->parts[i].count;
        out->compared += v->parts[i].n;
    }
    bool all = out->compared == out->total;
    if (!out->level) out->level = all ? 'a' : 'b';
    out->level_text = all ? "every element"
        : arena_printf(arena, "%lld of %lld elements (corners, tile edges, random); no element unwritten",
                       (long long)out->compared, (long long)out->total);
    out->tol = worst_tolerance(v);
    if (v->cut && !out->left_out) out->left_out = arena_strdup(arena, v->cut);
}

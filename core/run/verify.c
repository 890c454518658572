/* verify: inputs, references and comparison of results (decisions.md: Verification). Layer 8. */
#include "run_private.h"
#include "statistics.h"
#include "team.h"
#include "verifier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MAX = 256,
    PROBES = 32,                         /* elements whose shadow decides how far exact inputs are thinned */
    LOOKS_MAX = 256,                     /* second looks when one has shown something wrong */
    OWN_PROBES = 64, OWN_LEAST = 8,      /* elements by which the source's own spread is known, */
    OWN_DRAWS = 3, OWN_AGAIN = 24,       /* and draws of each; of what seems far less accurate */
    RULES_MOST = 256,                    /* elements at which the version's meaning is compared with its source's */
    BOUND_DRAWS = 8,
};

/* Scalar steps for the questions that are asked of some elements in any case, as shares of oracle_work. */
#define KERNEL_SHARE 0.05
#define RULES_SHARE 0.03
#define OWN_SHARE 0.05
#define NEARLY_SHARE 0.1                 /* for looks at what is no further away than others */
#define WITHIN 8                         /* a value so many times the source's median spread away is looked at */
#define FAR 40                           /* so many times the source's own is inaccurate */
#define POWER_LEAST 1e-3                 /* a check that sees no smaller change is none */

typedef struct Part {                    /* one component of the result */
    Scalar scalar;
    Shape shape;
    int64_t count;                       /* elements it has */
    int64_t n, known;                    /* elements to look at, and how many of those have a reference */
    int64_t *at;                         /* NULL: element i is number i; parts of one shape have the same */
    unsigned inner;                      /* dimensions, as Grouping.inner */
    bool chosen;                         /* n, at and what follows are there */
    double shared, fresh;                /* scalar steps of the source: what all elements share, and each takes */
    double *want, *shadow;               /* n each, of the current set; whole ones may be those that are shared */
    int64_t *whole;                      /* integers wider than a double, else NULL */
    bool *bad;                           /* in the comparison under way */
    OwnSpread own;                       /* of the source, on the current set */
    /* Elements of which is known what the version says in its own types: all when term_at is NULL, else those among the n; for sampled
     * ones whole numbers, too. */
    int64_t term_n, *term_at;
    double *term;
    EvalScalar *terms;
    /* Elements at which the version's meaning was compared with the source's. */
    int64_t rules_n, *rules_at;
    Suspect *rules;
    double rules_tol;                    /* what differences were pooled to; 0: there were none */
} Part;

struct Verifier {
    Ctx *c;
    const Term *t, *version;             /* the reference; the term that was run */
    const RunInput *inputs;
    int input_count;
    RunSettings s;
    const volatile int *stop;
    Device *device;                      /* told of what takes a while; NULL: none is */
    Arena *arena;
    bool all, exact_program;             /* level a; exact comparison is possible */
    bool any_integer;                    /* unset integers may be anything */
    Literals literals;                   /* of both terms; among the values of varied inputs */
    uint64_t mixed;                      /* 0: they are not among those of the current set; else which */
    double steps;                        /* scalar steps to one element of the longest component, on the average, */
    bool terms_dear;
    double term_shared, term_fresh;      /* steps of the version, as of a part: at most */
    double tol[SC_COUNT];                /* an error up to that is never called inaccurate */
    bool any_order;
    int set_count, set;                  /* input sets; the current one, -1 none */
    bool set_exact;                      /* the current set is the exact one */
    int64_t tiles[TILES_MAX];
    int tile_count, part_count;
    Part *parts;
    EvalInput *values;
    References *shared;                  /* may be NULL */
    ReferenceSet *known;                 /* of the current set; NULL: nothing is shared */
    Eval *reference;                     /* of the current set, made when needed; look too */
    Judge *judge;
    double deadline;
    const char *cut;                     /* what the time limit left out */
    int64_t special;                     /* references that are inf or NaN, of all inputs so far */
};

static bool is_late(const void *whose)
{
    const Verifier *v = whose;
    return (v->stop && *v->stop) || (v->deadline > 0 && clock_exact_ms() > v->deadline);
}

static int64_t element(const Part *p, int64_t i) { return p->at ? p->at[i] : i; }

/* ---- tolerances ---- */

static double tolerance(const RunSettings *s, Scalar k)
{
    return k == SC_F16 ? s->tol_f16 : k == SC_F32 ? s->tol_f32 : k == SC_F64 ? s->tol_f64 : 0;
}

/* The type of floats that it computes, and rounds, in, as a bit. */
static bool note_float(void *floats, const Term *t)
{
    if (t->kind != T_PRIM || t->type->kind != TY_SCALAR || !scalar_is_float(t->type->scalar)) return false;
    const Type *from = t->arg_count ? t->args[0]->type : NULL;
    bool widens = from && from->kind == TY_SCALAR && scalar_is_float(from->scalar) && from->scalar < t->type->scalar;
    bool computes = prim((PrimId)t->prim)->family == FAM_SCALAR || t->prim == PRIM_VDOT;
    *(unsigned *)floats |= (unsigned)(computes && !widens) << t->type->scalar;
    return false;
}

static Scalar coarsest_float(const Term *t)
{
    unsigned floats = 1u << SC_F64;
    term_find(t, note_float, &floats);
    return floats & 1u << SC_F16 ? SC_F16 : floats & 1u << SC_F32 ? SC_F32 : SC_F64;
}

/* ---- the elements to look at ---- */

static void open_part(Verifier *v, Part *p, int64_t n, int64_t *at)
{
    p->n = n;
    p->at = at;
    if (scalar_is_int(p->scalar) && scalar_bytes(p->scalar) == 8) p->whole = NEW_ARRAY(v->arena, int64_t, p->n);
    p->bad = NEW_ARRAY(v->arena, bool, p->n);
    p->chosen = true;
}

/* ---- making and releasing ---- */

const char *verify_status_name(VerifyStatus s)
{
    static const char *const names[] = {[VERIFY_OFF] = "off", [VERIFY_OK] = "ok", [VERIFY_INACCURATE] = "inaccurate",
                                        [VERIFY_ILL_CONDITIONED] = "ill-conditioned", [VERIFY_WRONG] = "wrong"};
    return names[s];
}

Verifier *verifier_new(Ctx *c, const Term *version, const Term *source, const RunInput *inputs, int input_count,
                       const RunSettings *settings, const volatile int *stop, Diag *diag)
{
    const Term *t = source ? source : version;
    if (t->type != version->type) return diag_error(diag, E70, "a version and its source have different types"), NULL;
    if (shapes_of(t->type, NULL, 0) > PARTS_MAX)
        return diag_error(diag, E08, "the result has more than %d components", PARTS_MAX), NULL;
    Verifier *v = mem_alloc(sizeof *v);
    *v = (Verifier){.c = c, .t = t, .version = version, .inputs = inputs, .input_count = input_count,
                    .s = *settings, .stop = stop, .arena = arena_new(), .set = -1,
                    .exact_program = eval_is_exact_program(t) && eval_is_exact_program(version),
                    .any_integer = eval_takes_any_integer(t)};
    v->values = NEW_ARRAY(v->arena, EvalInput, input_count);
    v->tile_count = tiles_of(version, v->tiles);
    literals_collect(&v->literals, t);
    literals_collect(&v->literals, version);
    /* The exact set, the specification, and variants of it when there is anything to vary. */
    int most = v->s.seeds < 1 ? 1 : v->s.seeds;
    v->set_count = most < 2 ? most : 2;
    for (int i = 0; i < input_count; i++) {
        const FillSpec *s = &inputs[i].spec;
        bool varies = s->kind == FILL_DEFAULT || s->kind == FILL_RANDOM || s->kind == FILL_ADVERSARIAL || s->kind == FILL_STOCHASTIC
                      || (s->kind == FILL_OFFSETS && s->seed);
        if (varies) v->set_count = most;
    }
    Shape shapes[PARTS_MAX];
    v->part_count = shapes_of(v->t->type, shapes, PARTS_MAX);
    v->parts = NEW_ARRAY(v->arena, Part, v->part_count);
    int64_t longest = 1;
    for (int i = 0; i < v->part_count; i++)
        if (shape_count(&shapes[i]) > longest) longest = shape_count(&shapes[i]);
    EvalWork work = eval_work(v->t, NAN);
    v->steps = work.steps / (double)longest;
    EvalWork of_version = eval_work(version, NAN);
    v->term_fresh = of_version.steps / (double)longest;
    v->term_shared = fmax(0, of_version.depth - v->term_fresh);
    v->all = work.steps <= v->s.oracle_work;
    for (int i = 0; i < v->part_count; i++) {
        Part *p = &v->parts[i];
        p->shape = shapes[i];
        p->count = shape_count(&shapes[i]);
        p->scalar = shapes[i].scalar;
        p->fresh = v->steps;
        p->shared = fmax(0, work.depth - v->steps);
        if (v->all || p->count == 1) open_part(v, p, p->count, NULL);
    }
    /* A result is no better than the floats on its source's way. */
    Scalar coarsest = coarsest_float(v->t);
    for (Scalar k = SC_F16; k < SC_COUNT; k++) v->tol[k] = fmax(tolerance(&v->s, k), tolerance(&v->s, k < coarsest ? k : coarsest));
    return v;
}

static void forget_values(Verifier *v)
{
    bool own = !v->known || !reference_values(v->known);
    for (int i = 0; i < v->input_count; i++) {
        if (own && v->values[i].data) data_free((Data *)v->values[i].data);
        v->values[i].data = NULL;
    }
    reference_hold(v->known, false);
    v->known = NULL;
}

static void forget_evals(Verifier *v)
{
    if (v->reference) eval_free(v->reference);
    judge_close(v->judge);
    v->reference = NULL;
    v->judge = NULL;
}

void verifier_free(Verifier *v)
{
    if (!v) return;
    forget_evals(v);
    forget_values(v);
    arena_free(v->arena);
    free(v);
}

void verifier_aside(Verifier *v, Device *d) { v->device = d; }

void verifier_any_order(Verifier *v) { v->any_order = true; }

void verifier_share(Verifier *v, References *r) { v->shared = r; }

int verifier_input_count(const Verifier *v) { return v->set_count; }

/* ---- inputs ---- */

typedef struct Thinning { int magnitude, one_in; } Thinning;   /* integers up to magnitude; one in so many not zero */
static const Thinning thinnings[] = {
    {8, 1}, {2, 1}, {1, 1}, {1, 4}, {1, 16}, {1, 64}, {1, 256}, {1, 1024}, {1, 1 << 14}, {1, 1 << 18},
};

static bool make_values(Verifier *v, int variant, Diag *diag)
{
    enum { MOST = 1000000, MOST_F16 = 100 };             /* few sums and products of those leave the range of a type */
    for (int i = 0; i < v->input_count; i++) {
        const RunInput *in = &v->inputs[i];
        Data *d = fill_data(v->c, in->type, &in->spec, i, variant, diag);
        v->values[i] = (EvalInput){in->name, d};
        if (!d) return false;
        bool chosen = in->spec.kind == FILL_RANDOM;
        if (!v->mixed || (!chosen && in->spec.kind != FILL_DEFAULT)) continue;
        /* Where a rule decides otherwise than it should, values that random ones never meet must show it. */
        double most = coarsest_float(v->t) == SC_F16 ? MOST_F16 : MOST;
        MixIntegers integers = eval_has_indices(v->t) ? INTEGERS_STAY : chosen ? INTEGERS_IN_RANGE : INTEGERS_ANY;
        data_mix_literals(d, hash_mix(v->mixed, (uint64_t)i), &v->literals, chosen ? in->spec.lo : -most, chosen ? in->spec.hi : most, integers);
    }
    return true;
}

static bool open_reference(Verifier *v)
{
    v->reference = eval_new(v->c, v->t, v->values, v->input_count, EVAL_REFERENCE);
    if (!v->reference) return false;
    eval_limit(v->reference, 0, v->stop);
    eval_on_all_cores(v->reference);
    return true;
}

static bool same_dims(const Shape *a, const Shape *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

/* What elements of some components cost; those that cannot be computed cost what an average one does. */
static ElementCost cost_of(Verifier *v, const int *parts, int n, double average)
{
    ElementCost cost;
    Diag diag;
    if (v->known && reference_cost(v->shared, parts[0], &cost)) return cost;
    diag_init(&diag);
    bool measured = average <= v->s.oracle_work && (v->reference || open_reference(v))
        && cost_measure(v->reference, parts, n, &v->parts[parts[0]].shape, &cost, &diag);
    if (!measured) cost = (ElementCost){.fresh = average, .next = average};
    diag_free(&diag);
    if (measured && v->known) reference_keep_cost(v->shared, parts[0], cost);
    return cost;
}

/* Components of one shape share their elements' places, for they often share what these are computed from. */
static void choose_elements(Verifier *v)
{
    int64_t most = v->s.samples / v->part_count;
    for (int i = 0; i < v->part_count; i++) {
        Part *p = &v->parts[i];
        int same[PARTS_MAX], n = 0;
        if (p->chosen) continue;
        for (int k = i; k < v->part_count; k++)
            if (same_dims(&p->shape, &v->parts[k].shape)) same[n++] = k;
        double share = (double)n / v->part_count;
        ElementCost cost = cost_of(v, same, n, v->steps * share);
        Grouping grouping;
        int64_t count = cost_afford(&cost, &p->shape, v->s.oracle_work * share, most, &grouping), *at = NULL;
        if (count < p->count) {
            at = NEW_ARRAY(v->arena, int64_t, count);
            uint64_t seed = hash_mix(v->s.seed, (uint64_t)i);
            count = samples_choose(&p->shape, v->tiles, v->tile_count, seed, &grouping, at, count);
        }
        for (int k = 0; k < n; k++) {
            v->parts[same[k]].inner = grouping.inner;
            v->parts[same[k]].shared = cost.shared / n;
            v->parts[same[k]].fresh = cost.fresh / n;
            open_part(v, &v->parts[same[k]], count < p->count ? count : p->count, at);
        }
    }
}

/* Do the shadows of a few elements leave every sum exact? */
static bool probe_part(Verifier *v, int part, bool *exact, Diag *diag)
{
    const Part *p = &v->parts[part];
    EvalScalar x;
    if (!scalar_is_float(p->scalar)) return true;
    double most = float_ranges[p->scalar].exact;
    for (int64_t i = 0; i < PROBES && i < p->n && *exact && !is_late(v); i++) {
        if (!eval_at(v->reference, part, element(p, i * (p->n / PROBES ? p->n / PROBES : 1)), &x, diag)) return false;
        *exact = x.shadow < most;
    }
    return true;
}

/* Small integers into floats, fewer and smaller until sums are exact; positive ones for programs that divide or take logarithms.
 * Integers stay as they are, for they may be indices; if not, and nobody chose them, the extreme ones are among them. */
static bool make_exact_set(Verifier *v, Diag *diag)
{
    bool exact = false;
    if (!make_values(v, 0, diag)) return false;
    for (int step = 0; step < COUNT(thinnings) && !exact; step++) {
        forget_evals(v);
        for (int i = 0; i < v->input_count; i++) {
            Data *d = (Data *)v->values[i].data;
            uint64_t seed = hash_mix(v->s.seed, (uint64_t)i);
            if (v->any_integer && v->inputs[i].spec.kind == FILL_DEFAULT) data_mix_extremes(d, seed);
            for (int p = 0; p < d->part_count; p++) {
                Data one = {d->type, 1, &d->parts[p], d->stop};
                if (scalar_is_float(d->parts[p].scalar))
                    data_fill_thinned(&one, hash_mix(seed, (uint64_t)p), thinnings[step].magnitude, !v->exact_program, thinnings[step].one_in);
            }
        }
        if (ctx_stopped(v->c)) return diag_error(diag, E25, "interrupted while inputs were made"), false;
        if (!open_reference(v)) return false;
        if (!v->exact_program) return true;
        exact = true;
        choose_elements(v);
        if (!ALL(i, v->part_count, probe_part(v, i, &exact, diag))) return false;
    }
    return true;
}

static bool make_set(Verifier *v, int k, Diag *diag)
{
    bool exact = k == 0 && v->exact_program;
    forget_evals(v);
    forget_values(v);
    v->known = v->shared ? references_set(v->shared, v->c, v->t, v->inputs, v->input_count, &v->s, k, v->mixed, exact) : NULL;
    reference_hold(v->known, true);
    const EvalInput *made = v->known ? reference_values(v->known) : NULL;
    if (made) {
        memcpy(v->values, made, (size_t)v->input_count * sizeof *made);
        return true;
    }
    if (!(k == 0 ? make_exact_set(v, diag) : make_values(v, k - 1, diag) && open_reference(v))) return false;
    for (int i = 0; i < v->input_count; i++) data_seal((Data *)v->values[i].data);
    if (v->known) reference_keep_values(v->known, v->values);
    return true;
}

/* ---- references ---- */

static void open_references(Verifier *v, Part *p)
{
    p->want = NEW_ARRAY(v->arena, double, p->n);
    p->shadow = NEW_ARRAY(v->arena, double, p->n);
}

static void keep_reference(Part *p, int64_t i, EvalScalar x)
{
    bool is_float = scalar_is_float(p->scalar);
    p->want[i] = is_float ? x.f : scalar_number(p->scalar, x.i);
    p->shadow[i] = is_float ? x.shadow : 0;
    if (p->whole) p->whole[i] = x.i;
}

/* Does element i share its outer dimensions with the one before? Where there are none, what is dear is kept for all. */
static bool goes_on(const Part *p, int64_t i)
{
    if (!i || !p->inner || p->inner == (1u << p->shape.rank) - 1) return false;
    return shape_group(&p->shape, p->inner, element(p, i)) == shape_group(&p->shape, p->inner, element(p, i - 1));
}

typedef struct Asked { Part *p; int64_t i; } Asked;

/* Samples [from, to) of parts that have them at the same places, together. False: an error; fewer are known: it is late. */
static bool reference_samples(Verifier *v, Part *const *parts, int n, int64_t from, int64_t to, Diag *diag)
{
    LOCAL(drop) VEC(EvalAsk) asks = {0};
    LOCAL(drop) VEC(Asked) asked = {0};
    for (int k = 0; k < n; k++)
        if (!parts[k]->want) open_references(v, parts[k]);
    for (int64_t i = from; i < to; i++)
        for (int k = 0; k < n; k++) {
            EvalAsk a = {.part = (int)(parts[k] - v->parts), .goes_on = k || goes_on(parts[k], i), .flat = element(parts[k], i)};
            if (v->known && reference_element(v->known, a.part, a.flat, &a.x)) {
                keep_reference(parts[k], i, a.x);
                continue;
            }
            vec_push(&asks, a);
            vec_push(&asked, ((Asked){parts[k], i}));
        }
    bool ok = !asks.n || v->reference || open_reference(v);
    device_aside(v->device, true);
    int64_t done = ok && asks.n ? eval_many(v->reference, asks.v, asks.n, is_late, v, diag) : 0;
    device_aside(v->device, false);
    for (int64_t i = 0; i < done; i++) {
        keep_reference(asked.v[i].p, asked.v[i].i, asks.v[i].x);
        if (v->known) reference_keep_element(v->known, asks.v[i].part, asks.v[i].flat, asks.v[i].x);
    }
    int64_t known = done < asks.n ? asked.v[done].i : to;
    for (int k = 0; k < n; k++) parts[k]->known = known;
    return ok && !diag_failed(diag);
}

/* One component whole, or the samples of all that have them at the same places. */
static bool reference_parts(Verifier *v, int part, Diag *diag)
{
    enum { AT_ONCE = 1 << 16 };
    Part *p = &v->parts[part], *together[PARTS_MAX] = {p};
    int n = 1;
    if (v->all && !p->whole) {
        p->known = p->n;
        if (v->known && reference_part_values(v->known, part, &p->want, &p->shadow)) return true;
        if (!v->reference && !open_reference(v)) return false;
        open_references(v, p);
        device_aside(v->device, true);
        bool ok = eval_reference(v->reference, part, p->want, p->shadow, p->n, diag);
        device_aside(v->device, false);
        if (ok && v->known) reference_keep_part(v->known, part, p->want, p->shadow, p->n);
        return ok;
    }
    for (int k = part + 1; k < v->part_count; k++)
        if (!v->all && same_dims(&p->shape, &v->parts[k].shape)) together[n++] = &v->parts[k];
    for (int64_t i = 0; i < p->n && i == p->known; i += AT_ONCE)
        if (!reference_samples(v, together, n, i, i + AT_ONCE < p->n ? i + AT_ONCE : p->n, diag)) return false;
    return true;
}

static bool make_references(Verifier *v, Diag *diag)
{
    choose_elements(v);
    for (int i = 0; i < v->part_count; i++) v->parts[i].known = 0;
    if (ANY(i, v->part_count, !v->parts[i].known && !reference_parts(v, i, diag))) return false;
    int64_t n = 0, known = 0;
    for (int i = 0; i < v->part_count; i++) {
        n += v->parts[i].n;
        known += v->parts[i].known;
    }
    if (known < n && !v->cut)
        v->cut = arena_printf(v->arena, "%lld of %lld elements of input %d", (long long)(n - known), (long long)n,
                              v->set + 1);
    for (int k = 0; k < v->part_count; k++) {
        const Part *p = &v->parts[k];
        for (int64_t i = 0; scalar_is_float(p->scalar) && i < p->known; i++) v->special += !isfinite(p->want[i]);
    }
    return true;
}

/* ---- what is asked in any case ---- */

static Judge *judge_of(Verifier *v)
{
    JudgeTerms of = {v->c, v->device, v->t, v->version, v->values, v->input_count, v->any_order, v->set == 0 && !v->exact_program, v->stop};
    if (!v->judge) v->judge = judge_new(v->arena, &of);
    return v->judge;
}

static double share(const Verifier *v, double of) { return of * v->s.oracle_work / v->part_count; }

/* How many elements are to be had for that work, where all share so many steps and each takes some; `most` at most. */
static int64_t affordable(double shared, double fresh, double work, int64_t most)
{
    double n = (work - shared) / fmax(1, fresh);
    return n >= (double)most ? most : n >= 1 ? (int64_t)n : 0;
}

/* What the errors of an element are measured by. */
static double magnitude(double want, double shadow) { return fmax(fabs(want), isfinite(shadow) ? shadow : 0); }

/* So many of those that have a reference, as numbers among them: NULL: all. */
static int64_t *choose_some(Verifier *v, const Part *p, bool tiles, int64_t n)
{
    if (n >= p->known) return NULL;
    int64_t *at = NEW_ARRAY(v->arena, int64_t, n);
    if (p->at) for (int64_t i = 0; i < n; i++) at[i] = (int64_t)((double)i * (double)p->known / (double)n);
    else samples_choose(&p->shape, v->tiles, tiles ? v->tile_count : 0, v->s.seed, NULL, at, n);
    return at;
}

static Suspect suspect_of(const Verifier *v, const Part *p, int64_t i)
{
    return (Suspect){.part = (int)(p - v->parts), .scalar = p->scalar, .flat = element(p, i)};
}

static double quantile(double *values, int n, double q)
{
    stats_sort(values, n);
    return n ? stats_quantile(values, n, q) : 0;
}

/* Of those that are: a result may be 0 in most places, without any rounding. */
static double median_above_0(double *values, int n)
{
    stats_sort(values, n);
    int zeros = 0;
    while (zeros < n && values[zeros] <= 0) zeros++;
    return quantile(values + zeros, n - zeros, 0.5);
}

/* How far the source is from the truth when each of its operations rounds at random. */
static void measure_own(Verifier *v, Part *p)
{
    double relative[OWN_PROBES], of_shadow[OWN_PROBES];
    int n = 0;
    p->own = (OwnSpread){0};
    if (!scalar_is_float(p->scalar) || (v->set == 0 && v->exact_program)) return;          /* equality is asked for */
    if (v->known) p->own = reference_own(v->known, (int)(p - v->parts));
    if (p->own.asked) return;
    int64_t most = p->known < OWN_PROBES ? p->known : OWN_PROBES, least = most < OWN_LEAST ? most : OWN_LEAST;
    int64_t probes = affordable(p->shared, p->fresh, share(v, OWN_SHARE) / OWN_DRAWS, most);
    /* What it is by itself at few elements, where draws are too dear; that costs as much as the reference of one set of inputs. */
    int draws = probes < least ? 0 : OWN_DRAWS;
    if (!draws) probes = v->set < 2 ? least : 0;
    int64_t *at = choose_some(v, p, false, probes);
    Suspect *s = NEW_ARRAY(v->arena, Suspect, probes);
    for (int64_t i = 0; i < probes; i++) {
        int64_t e = at ? at[i] : i;
        s[i] = suspect_of(v, p, e);
        s[i].got.f = s[i].truth.f = p->want[e];
    }
    judge_bounded(judge_of(v), draws > 0);
    if (probes) judge_accuracy(judge_of(v), s, probes, draws, draws ? v->s.oracle_work : INFINITY);
    judge_bounded(judge_of(v), true);
    for (int64_t i = 0; i < probes; i++) {
        double want = fabs(s[i].truth.f), own = s[i].own;
        if (!isfinite(own) || !isfinite(want)) continue;
        bool none = own == 0 || want < float_ranges[p->scalar].least;
        of_shadow[n] = none ? 0 : own / magnitude(want, p->shadow[at ? at[i] : i]);
        relative[n++] = none ? 0 : own / want;
    }
    p->own = (OwnSpread){true, n > 0 && n >= probes / 2, median_above_0(relative, n), quantile(relative, n, 0.9), median_above_0(of_shadow, n)};
    if (!draws) {                        /* that says little: no more than the settings allow, and nothing of accuracy */
        p->own.of_shadow = fmin(p->own.of_shadow, v->tol[p->scalar] / WITHIN);
        p->own.most = NAN;
    }
    if (v->known) reference_keep_own(v->known, (int)(p - v->parts), p->own);
}

/* What the version says in its own types, of as many elements as are cheap; of all where rounding says too much for another comparison. */
static void make_terms(Verifier *v, Part *p)
{
    bool vague = p->own.known && WITHIN * p->own.median > POWER_LEAST / 10;
    double work = share(v, vague ? 1 : KERNEL_SHARE);
    int64_t n = affordable(v->term_shared, v->term_fresh, work, p->known);
    p->term = NULL, p->terms = NULL, p->term_at = NULL, p->term_n = 0;
    if (!n || v->terms_dear) return;
    if (n == p->known && v->all && !p->whole) {
        p->term = NEW_ARRAY(v->arena, double, n);
        p->term_n = judge_term(judge_of(v), (int)(p - v->parts), p->term, n) ? n : 0;
        if (p->term_n) return;
    }
    if (n > v->s.samples) n = v->s.samples;
    p->term_at = choose_some(v, p, true, n);
    p->terms = NEW_ARRAY(v->arena, EvalScalar, n);
    Suspect *s = mem_alloc(sizeof *s * (size_t)n);
    if (!p->term_at) {
        p->term_at = NEW_ARRAY(v->arena, int64_t, n);
        for (int64_t i = 0; i < n; i++) p->term_at[i] = i;
    }
    for (int64_t i = 0; i < n; i++) s[i] = suspect_of(v, p, p->term_at[i]);
    int64_t had = judge_terms(judge_of(v), s, n, work);
    v->terms_dear = !had;                /* each takes more than was thought: the next sets do not try */
    n = had;
    for (int64_t i = 0, k = 0; k < n; i++) {
        if (!s[i].has_term) continue;
        p->terms[k] = s[i].term;
        p->term_at[k++] = p->term_at[i];
    }
    p->term_n = n;
    free(s);
}

/* Does the version mean what the source means? */
static void ask_rules(Verifier *v, Part *p)
{
    bool same = v->t == v->version;
    double work = share(v, RULES_SHARE);
    double shared = p->shared + (same ? 0 : v->term_shared), fresh = p->fresh + (same ? 0 : v->term_fresh);
    p->rules_n = affordable(shared, fresh, work, p->known < RULES_MOST ? p->known : RULES_MOST);
    p->rules_at = choose_some(v, p, true, p->rules_n);
    p->rules = NEW_ARRAY(v->arena, Suspect, p->rules_n);
    if (v->terms_dear && !same) p->rules_n = 0;
    for (int64_t i = 0; i < p->rules_n; i++) p->rules[i] = suspect_of(v, p, p->rules_at ? p->rules_at[i] : i);
    p->rules_tol = p->rules_n ? judge_rules(judge_of(v), p->rules, p->rules_n, work) : 0;
}

static void ask_questions(Verifier *v)
{
    device_aside(v->device, true);
    for (Part *p = v->parts; p < v->parts + v->part_count; p++) {
        judge_bounded(judge_of(v), true);
        if (p->known) measure_own(v, p), make_terms(v, p), ask_rules(v, p);
        else p->own = (OwnSpread){0}, p->term_n = p->rules_n = 0;
    }
    judge_bounded(judge_of(v), false);
    device_aside(v->device, false);
}

void run_take_error(Ctx *c, Diag *to)
{
    if (to == &c->diag || !diag_failed(&c->diag)) return;
    if (!diag_failed(to)) diag_copy(to, &c->diag);
    diag_clear(&c->diag);
}

const EvalInput *verifier_input(Verifier *v, int k, double deadline_ms, Diag *diag)
{
    v->set = k;
    v->deadline = deadline_ms;
    const Literals *l = &v->literals;
    v->mixed = k > 1 && l->decides && l->count ? hash_bytes(0, l->v, (size_t)l->count * sizeof *l->v) | 1 : 0;
    bool ok = make_set(v, k, diag) && make_references(v, diag);
    if (!ok && v->mixed && diag->id == E38) {                          /* no values for this program */
        diag_clear(diag);
        v->mixed = 0;
        ok = make_set(v, k, diag) && make_references(v, diag);
    }
    v->set_exact = k == 0 && v->exact_program;
    if (ok) ask_questions(v);
    run_take_error(v->c, diag);
    return ok ? v->values : NULL;
}

/* ---- comparison ---- */

typedef struct Doubt {                   /* an element that is given a second look */
    int64_t i;                           /* its place among those looked at */
    double distance;                     /* from the reference, relative to it */
    bool within;                         /* no further away than others are */
} Doubt;

typedef struct Check {                   /* of one result */
    Verifier *v;
    const Data *got;
    int part;
    const Part *p;
    int sentinel;
    bool exact;                          /* every float so far was compared exactly */
    VerifyOutcome *out;
} Check;

typedef struct Tally {                   /* of some elements of a component */
    int64_t wrong, unwritten, first;     /* first: a wrong one, -1: there is none */
    int culprit;                         /* of that one */
    double max_ulp;
    bool inexact;                        /* some float was not compared exactly */
    VEC(Doubt) doubts;
} Tally;

static bool holds_sentinel(const Check *k, int64_t flat)
{
    if (k->sentinel < 0) return false;
    int bytes = scalar_bytes(k->p->scalar);
    const uint8_t *x = (const uint8_t *)k->got->parts[k->part].values + flat * bytes;
    return ALL(i, bytes, x[i] == k->sentinel);
}

static int64_t whole_want(const Part *p, int64_t i) { return p->whole ? p->whole[i] : (int64_t)p->want[i]; }

/* How far a float of a component may be from its reference without a second look: as the source's own are, or, where these are not known,
 * by the tolerance of the settings and the magnitudes behind it. */
static double slack(const Verifier *v, const Part *p, double want, double shadow)
{
    return (p->own.known ? WITHIN * p->own.of_shadow : v->tol[p->scalar]) * magnitude(want, shadow);
}

/* False: it is wrong. True: it is not, or a second look at it will tell. */
static bool check_element(const Check *k, Tally *t, int64_t i, int64_t flat)
{
    const Part *p = k->p;
    if (!scalar_is_float(p->scalar)) {
        if (data_get_int(k->got, k->part, flat) != whole_want(p, i)) vec_push(&t->doubts, ((Doubt){i, INFINITY, false}));
        return true;
    }
    double got = data_get(k->got, k->part, flat), want = p->want[i], off = fabs(got - want), rounded = scalar_rounded(p->scalar, want);
    bool exact = k->v->set_exact && p->shadow[i] < float_ranges[p->scalar].exact;
    t->inexact |= !exact;
    if (isfinite(got) && isfinite(rounded)) t->max_ulp = fmax(t->max_ulp, scalar_ulps(p->scalar, got, rounded));
    if (float_is_same(p->scalar, got, want) || (!exact && got == rounded)) return true;
    if (holds_sentinel(k, flat)) return false;
    double most = slack(k->v, p, want, p->shadow[i]) + float_ranges[p->scalar].least;
    if (!exact && isfinite(off) && off <= most) return true;
    bool within = !exact && p->own.known && off <= WITHIN * most;
    vec_push(&t->doubts, ((Doubt){i, float_distance(got, want), within}));
    return true;
}

/* f: of a float, else i. */
static const char *value_text(Arena *arena, Scalar s, double f, int64_t i)
{
    Buf b = {0};
    if (s == SC_BOOL) buf_puts(&b, i ? "true" : "false");
    else if (scalar_is_int(s)) scalar_print(s, i, &b);
    else buf_printf(&b, "%.*g", s == SC_F64 ? 17 : 9, f);
    return buf_take(&b, arena);
}

static const char *got_text(Arena *arena, const Check *k, int64_t flat)
{
    return value_text(arena, k->p->scalar, data_get(k->got, k->part, flat), data_get_int(k->got, k->part, flat));
}

static const char *want_text(Arena *arena, const Part *p, int64_t i)
{
    bool is_float = scalar_is_float(p->scalar);
    return value_text(arena, p->scalar, is_float ? scalar_rounded(p->scalar, p->want[i]) : 0, is_float ? 0 : whole_want(p, i));
}

static const char *where_text(Arena *arena, const Check *k, int64_t flat)
{
    Buf b = {0};
    if (k->v->part_count > 1) buf_printf(&b, ".%d", k->part);
    shape_print_index(&k->p->shape, flat, &b);
    return buf_take(&b, arena);
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
    if (v->mixed) buf_puts(&b, ", literals of the program among them");
    return buf_take(&b, arena);
}

static Difference difference(const Check *k, Arena *arena, int64_t flat, const char *want, double relative)
{
    return (Difference){where_text(arena, k, flat), set_text(k->v, arena), got_text(arena, k, flat), want, relative};
}

static double relative_of(const Check *k, int64_t i)
{
    return float_distance(data_get(k->got, k->part, element(k->p, i)), k->p->want[i]);
}

static const char *pattern_of(const Verifier *v, const Part *p, Arena *arena)
{
    Looked *l = mem_alloc(sizeof *l * (size_t)(p->known + 1));
    for (int64_t i = 0; i < p->known; i++) l[i] = (Looked){element(p, i), p->bad[i]};
    const char *found = samples_pattern(arena, &p->shape, v->tiles, v->tile_count, l, p->known);
    free(l);
    return found;
}

/* ---- second looks ---- */

static void count_wrong(const Check *k, Tally *t, int64_t i, int culprit)
{
    int64_t flat = element(k->p, i);
    if (k->p->bad[i]) return;
    k->p->bad[i] = true;
    bool first = t->first < 0 || flat < element(k->p, t->first);
    if (culprit ? first || !t->culprit : first && !t->culprit) t->first = i, t->culprit = culprit;
    t->wrong++;
    t->unwritten += holds_sentinel(k, flat);
}

static EvalScalar got_of(const Check *k, int64_t flat)
{
    return (EvalScalar){.f = data_get(k->got, k->part, flat), .i = data_get_int(k->got, k->part, flat)};
}

/* It is right, and a decision that rounding makes is why it is not what the term says. */
static bool hangs(const Suspect *s)
{
    return s->kernel == FOUND_AMONG && (!scalar_is_float(s->scalar) || !(fabs(s->got.f - s->term.f) <= POWER_LEAST * fabs(s->term.f)));
}

/* Where the version says something else, in its own types, than the kernel: is that what a device may do? Returns the pooled tolerance; NAN: not
 * all of it was found out. */
static double look_at_terms(Check *k, Tally *t)
{
    const Part *p = k->p;
    VEC(Suspect) s = {0};
    VEC(int64_t) at = {0};
    for (int64_t j = 0; j < p->term_n; j++) {
        int64_t i = p->term_at ? p->term_at[j] : j;
        Suspect x = suspect_of(k->v, p, i);
        x.got = got_of(k, x.flat);
        x.term = p->terms ? p->terms[j] : (EvalScalar){.f = p->term[j], .i = scalar_is_float(p->scalar) ? 0 : (int64_t)p->term[j]};
        x.has_term = true;
        bool same = scalar_is_float(p->scalar) ? float_is_same(p->scalar, x.got.f, x.term.f) : x.got.i == x.term.i;
        if (same || p->bad[i]) continue;
        vec_push(&s, x);
        vec_push(&at, i);
    }
    double tol = s.n ? judge_kernel(judge_of(k->v), s.v, s.n, share(k->v, 1)) : 0;
    for (int64_t j = 0; j < s.n; j++) {
        if (s.v[j].kernel == FOUND_OTHER) count_wrong(k, t, at.v[j], CULPRIT_KERNEL);
        k->out->hanging += hangs(&s.v[j]);
        if (s.v[j].kernel == FOUND_UNKNOWN) tol = NAN;
    }
    free(s.v), free(at.v);
    return tol;
}

static int farthest_first(const void *a, const void *b)
{
    const Doubt *x = a, *y = b;
    if (x->within != y->within) return x->within ? 1 : -1;
    if (x->distance != y->distance) return x->distance < y->distance ? 1 : -1;
    return (x->i > y->i) - (x->i < y->i);
}

/* Is a right element further from the truth than what the settings allow, and much further than the source's own? Where the inputs are
 * nobody's choice, a type too narrow for them is no fault. */
static bool is_inaccurate(const Verifier *v, const Suspect *s)
{
    double most = fmax(v->tol[s->scalar] * fabs(s->truth.f), FAR * s->own);
    return !v->mixed && scalar_is_float(s->scalar) && isfinite(s->truth.f) && s->error > most;
}

static void note_inaccurate(Check *k, Arena *arena, const Suspect *s, int64_t i)
{
    if (!is_inaccurate(k->v, s) || k->out->inaccurate++) return;
    k->out->lost = difference(k, arena, s->flat, arena_printf(arena, "%.12g", s->truth.f), relative_of(k, i));
}

/* The three questions of some of the doubts. */
static void look_at_doubts(Check *k, Arena *arena, Tally *t, const Doubt *d, int64_t n, double work)
{
    Judge *j = judge_of(k->v);
    Suspect *s = mem_alloc(sizeof *s * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) {
        s[i] = suspect_of(k->v, k->p, d[i].i);
        s[i].got = got_of(k, s[i].flat);
    }
    judge_kernel(j, s, n, work);
    judge_rules(j, s, n, work);
    int64_t right = 0;
    for (int64_t i = 0; i < n; i++) {
        if (s[i].kernel == FOUND_OTHER || s[i].rules == FOUND_OTHER)
            count_wrong(k, t, d[i].i, s[i].kernel == FOUND_OTHER ? CULPRIT_KERNEL : CULPRIT_RULES);
        else if (s[i].kernel == FOUND_UNKNOWN || s[i].rules == FOUND_UNKNOWN) k->out->undecided += !d[i].within;
        else {
            k->out->hanging += hangs(&s[i]) && !k->p->term_n;          /* else it was counted */
            s[i].error = (double)d[i].i;                               /* its place, until the error is known */
            s[right++] = s[i];
        }
    }
    int64_t *at = mem_alloc(sizeof *at * (size_t)(right + 1));
    for (int64_t i = 0; i < right; i++) at[i] = (int64_t)s[i].error;
    judge_accuracy(j, s, right, OWN_DRAWS, work);
    int64_t far = 0;                     /* chosen for being far: few draws say little of those */
    for (int64_t i = 0; i < right; i++)
        if (is_inaccurate(k->v, &s[i])) s[far] = s[i], at[far++] = at[i];
        else k->out->overflown += isfinite(s[i].truth.f) && !isfinite(s[i].got.f);
    judge_accuracy(j, s, far, OWN_AGAIN, work);
    for (int64_t i = 0; i < far; i++) note_inaccurate(k, arena, &s[i], at[i]);
    free(at), free(s);
}

/* What is no further away than others is looked at while that costs little. What is: the farthest first, until the time is over, or some are
 * wrong; then all that are as far away are. */
static void look_again(Check *k, Arena *arena, Tally *t)
{
    Verifier *v = k->v;
    int64_t beyond = 0, at = 0, n = t->doubts.n;
    if (n) qsort(t->doubts.v, (size_t)n, sizeof *t->doubts.v, farthest_first);
    while (beyond < n && !t->doubts.v[beyond].within) beyond++;
    for (; at < beyond && !(at && (t->wrong || is_late(v))); at += LOOKS_MAX)
        look_at_doubts(k, arena, t, t->doubts.v + at, beyond - at < LOOKS_MAX ? beyond - at : LOOKS_MAX, v->s.oracle_work);
    for (; at < beyond; at++)
        if (t->wrong) count_wrong(k, t, t->doubts.v[at].i, CULPRIT_UNKNOWN);
        else k->out->undecided++;
    if (n > beyond && !t->wrong && !is_late(v) && !v->terms_dear) {
        judge_bounded(judge_of(v), true);
        look_at_doubts(k, arena, t, t->doubts.v + beyond, n - beyond < LOOKS_MAX ? n - beyond : LOOKS_MAX, NEARLY_SHARE * v->s.oracle_work);
        judge_bounded(judge_of(v), false);
    }
    free(t->doubts.v);
}

/* ---- what a host program of others compares with ---- */

const VerifierBound *verifier_bounds(Verifier *v, int part, int64_t most, Arena *arena, int64_t *n)
{
    const Part *p = &v->parts[part];
    bool real = scalar_is_float(p->scalar);
    *n = p->known < most ? p->known : most;
    VerifierBound *b = NEW_ARRAY(arena, VerifierBound, *n);
    Suspect *s = mem_alloc(sizeof *s * (size_t)(*n + 1));
    for (int64_t j = 0; j < *n; j++) {
        int64_t i = (int64_t)((double)j * (double)p->known / (double)*n);
        s[j] = suspect_of(v, p, i);
        s[j].got = s[j].truth = (EvalScalar){.f = p->want[i], .i = real ? 0 : whole_want(p, i)};
        b[j] = (VerifierBound){.at = s[j].flat, .whole = s[j].truth.i};
    }
    judge_accuracy(judge_of(v), s, *n, BOUND_DRAWS, v->s.oracle_work);
    for (int64_t j = 0; j < *n; j++) {
        double want = s[j].truth.f, off = fmax(v->tol[p->scalar] * fabs(want), WITHIN * s[j].own) + float_ranges[p->scalar].least;
        if (isinf(off)) off = slack(v, p, want, p->shadow[(int64_t)((double)j * (double)p->known / (double)*n)]);
        if (!real) b[j].hi = s[j].own > 0 ? INFINITY : 0, b[j].lo = -b[j].hi;
        else if (isnan(want)) b[j].lo = b[j].hi = NAN;
        else b[j].lo = fmin(want - off, scalar_rounded(p->scalar, want)), b[j].hi = fmax(want + off, scalar_rounded(p->scalar, want));
    }
    free(s);
    return b;
}

/* ---- a whole result ---- */

/* Elements from `task` * PIECE on. */
enum { PIECE = 1 << 15 };
typedef struct Pieces { const Check *k; Tally *tallies; } Pieces;

static void check_piece(void *pieces, int64_t task, int member)
{
    (void)member;
    const Check *k = ((Pieces *)pieces)->k;
    Tally *t = ((Pieces *)pieces)->tallies + task;
    int64_t from = task * PIECE, to = from + PIECE < k->p->known ? from + PIECE : k->p->known;
    t->first = -1;
    for (int64_t i = from; i < to; i++) {
        k->p->bad[i] = false;
        if (!check_element(k, t, i, element(k->p, i))) count_wrong(k, t, i, CULPRIT_KERNEL);
    }
}

/* Error, the source's own, and what the check would have seen, where the inputs are those that were asked for. */
static void note_accuracy(Check *k, double kernel_tol)
{
    Verifier *v = k->v;
    const Part *p = k->p;
    VerifyOutcome *out = k->out;
    double errors[RULES_MOST];
    int n = 0;
    if (!scalar_is_float(p->scalar) || v->set != (v->set_count > 1)) return;
    for (int64_t i = 0; i < p->rules_n; i++) {
        double got = data_get(k->got, k->part, p->rules[i].flat), truth = p->rules[i].truth.f, off = fabs(got - truth - p->rules[i].truth.low);
        if (p->rules[i].has_truth && isfinite(off)) errors[n++] = float_is_same(p->scalar, got, truth) ? 0 : off / fabs(truth);
    }
    for (int64_t i = 0; !p->rules_n && i < p->known && n < RULES_MOST; i++) {
        double off = fabs(data_get(k->got, k->part, element(p, i)) - p->want[i]);
        if (isfinite(off)) errors[n++] = off == 0 ? 0 : off / fabs(p->want[i]);
    }
    double unit = 1 / float_ranges[p->scalar].exact, error = quantile(errors, n, 0.9), loose;
    double seen[PROBES];
    int some = 0;
    for (int64_t i = 0; i < p->known && some < PROBES; i += 1 + p->known / PROBES) {
        double by = slack(v, p, p->want[i], p->shadow[i]) / fabs(p->want[i]);
        if (isfinite(by)) seen[some++] = by;
    }
    loose = fmax(unit, quantile(seen, some, 0.5));
    double kernel = 2 * p->term_n >= p->known && !isnan(kernel_tol) ? fmax(unit, kernel_tol) : loose;
    double rules = v->t == v->version ? 0 : p->rules_n ? p->rules_tol : loose;
    if (v->set_exact && k->exact) kernel = unit, rules = 0;        /* compared by equality, with the source */
    out->error = fmax(out->error, error);
    out->own = p->own.known && !isnan(out->own + p->own.most) ? fmax(out->own, p->own.most) : NAN;
    out->power = fmax(out->power, fmax(kernel, rules));
    out->vague = out->vague || (p->own.known && p->own.median > 1.0 / 2);
}

static Tally check_part(Check *k, Arena *arena)
{
    Tally all = {.first = -1};
    int64_t n = (k->p->known + PIECE - 1) / PIECE;
    Pieces pieces = {k, mem_alloc((size_t)n * sizeof *pieces.tallies)};
    device_aside(k->v->device, true);
    team_run(0, n, check_piece, &pieces);
    for (const Tally *t = pieces.tallies; t < pieces.tallies + n; t++) {
        k->exact = k->exact && !t->inexact;
        k->out->max_ulp = fmax(k->out->max_ulp, t->max_ulp);
        for (int j = 0; j < t->doubts.n; j++) vec_push(&all.doubts, t->doubts.v[j]);
        free(t->doubts.v);
        if (t->wrong && (all.first < 0 || element(k->p, t->first) < element(k->p, all.first))) all.first = t->first, all.culprit = t->culprit;
        all.wrong += t->wrong;
        all.unwritten += t->unwritten;
    }
    free(pieces.tallies);
    double tol = look_at_terms(k, &all);
    for (int64_t i = 0; i < k->p->rules_n; i++)
        if (k->p->rules[i].rules == FOUND_OTHER) count_wrong(k, &all, k->p->rules_at ? k->p->rules_at[i] : i, CULPRIT_RULES);
    look_again(k, arena, &all);
    note_accuracy(k, tol);
    device_aside(k->v->device, false);
    return all;
}

enum { ASKED = 16 };                     /* elements that may rightly hold the sentinel, as one byte in 256 does */

/* Elements that were not looked at but still hold the sentinel; some of them, the first is one. */
static int64_t count_unwritten(Check *k, int64_t some[ASKED])
{
    int64_t n = 0, most = scalar_bytes(k->p->scalar) < 4 ? ASKED : 1;
    Rng r = {k->v->s.seed};
    if (k->sentinel < 0) return 0;
    bool *looked = mem_alloc((size_t)k->p->count);
    for (int64_t i = 0; i < k->p->known; i++) looked[element(k->p, i)] = true;
    for (int64_t f = -1; (f = data_find_filled(k->got, k->part, f + 1, (uint8_t)k->sentinel)) < k->p->count;) {
        if (looked[f]) continue;
        int64_t at = n < most ? n : most > 1 ? 1 + rng_below(&r, n) : most;
        if (at < most) some[at] = f;
        n++;
    }
    free(looked);
    return n;
}

/* It should hold another value. */
static bool is_unwritten(Check *k, int64_t flat)
{
    Verifier *v = k->v;
    EvalScalar x;
    Diag diag;
    diag_init(&diag);
    bool known = v->known && reference_element(v->known, k->part, flat, &x);
    if (!known) {
        known = (v->reference || open_reference(v)) && eval_at(v->reference, k->part, flat, &x, &diag);
        if (known && v->known) reference_keep_element(v->known, k->part, flat, x);
    }
    diag_free(&diag);
    if (!known) return true;
    double got = data_get(k->got, k->part, flat);
    if (!scalar_is_float(k->p->scalar)) return data_get_int(k->got, k->part, flat) != x.i;
    return !float_is_same(k->p->scalar, got, x.f) && !(fabs(got - x.f) <= slack(v, k->p, x.f, x.shadow));
}

/* Everything about one component; false: something is wrong. */
static bool compare_part(Check *k, Arena *arena, int repeat)
{
    VerifyOutcome *out = k->out;
    bool was_wrong = out->status == VERIFY_WRONG;
    Tally t = check_part(k, arena);
    int64_t some[ASKED] = {0}, unwritten = k->p->known < k->p->count ? count_unwritten(k, some) : 0, first = -1;
    for (int i = 0; i < ASKED && i < unwritten && first < 0 && (!i || some[i]); i++)
        if (is_unwritten(k, some[i])) first = some[i];
    if (first < 0) unwritten = 0;        /* if those should hold that very value, all may */
    out->inaccurate_of += k->p->known;
    if ((t.wrong || unwritten) && !was_wrong) {          /* the first wrong element of the first wrong result */
        out->status = VERIFY_WRONG;
        out->wrong_input = k->v->set + 1;
        out->wrong_repeat = repeat + 1;
        out->first = t.wrong ? difference(k, arena, element(k->p, t.first), want_text(arena, k->p, t.first), relative_of(k, t.first))
                             : difference(k, arena, first, "a value (never written)", 1);
        out->culprit = t.wrong ? t.culprit : CULPRIT_KERNEL;
        if (t.wrong) out->pattern = pattern_of(k->v, k->p, arena);
    }
    out->wrong += t.wrong + unwritten;
    out->wrong_of += unwritten ? k->p->count : k->p->known;
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

bool verifier_compare(Verifier *v, const Data *got, const Data *first, int sentinel, int repeat, Arena *arena, VerifyOutcome *out)
{
    Check k = {.v = v, .got = got, .sentinel = sentinel, .exact = true, .out = out};
    bool was_ok = out->status != VERIFY_WRONG;
    int64_t differs = 0;
    device_aside(v->device, true);
    for (int p = 0; first && p < got->part_count; p++) {
        size_t bytes = (size_t)scalar_bytes(got->parts[p].scalar), all = bytes * (size_t)got->parts[p].count;
        const char *x = first->parts[p].values, *y = got->parts[p].values;
        if (!memcmp(x, y, all)) continue;
        for (size_t at = 0; at < all; at += bytes) differs += memcmp(x + at, y + at, bytes) != 0;
    }
    device_aside(v->device, false);
    if (was_ok) out->status = VERIFY_OK;
    if (differs > out->repeat_differs) out->repeat_differs = differs;
    if (!first || differs) add_result(&k, arena, repeat);   /* the same bits have the same verdict */
    if (v->set == 0 && repeat == 0) out->exact_first = v->exact_program && k.exact;
    /* what is exact on small integers was seen to the last digit there */
    if (((out->power > POWER_LEAST && !out->exact_first) || out->vague) && out->status == VERIFY_OK) out->status = VERIFY_ILL_CONDITIONED;
    bool lost = out->error > POWER_LEAST && !(out->error <= FAR * out->own);
    if ((out->inaccurate || out->undecided || lost) && out->status == VERIFY_OK) out->status = VERIFY_INACCURATE;
    if (out->inputs < v->set + 1) out->inputs = v->set + 1;
    if (out->repeats < repeat + 1) out->repeats = repeat + 1;
    return out->status != VERIFY_WRONG;
}

/* ---- the report ---- */

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
    out->special = v->special;
    if (v->cut && !out->left_out) out->left_out = arena_strdup(arena, v->cut);
}

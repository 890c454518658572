/* verify: inputs, references, and what is asked of some elements in any case (decisions.md: Verification). */
#include "extremes.h"
#include "statistics.h"
#include "verifier_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MAX = 256,
    OWN_PROBES = 64, OWN_LEAST = 8,      /* elements by which the source's own spread is known */
};

/* Scalar steps for the questions that are asked of some elements in any case, as shares of oracle_work. */
#define KERNEL_SHARE 0.05
#define RULES_SHARE 0.03
#define VAGUE_SHARE 0.2
#define OWN_SHARE 0.05
#define MORE_SHARE 0.1                   /* of all that more inputs cost, where a fold chooses */

bool verifier_is_late(const void *whose)
{
    const Verifier *v = whose;
    return (v->stop && *v->stop) || (v->deadline > 0 && clock_exact_ms() > v->deadline);
}

void verifier_set_deadline(Verifier *v, double ms)
{
    v->deadline = ms;
    v->last = ms > 0 ? fmax(ms, clock_exact_ms() + v->s.run_ms) : 0;
    if (v->reference) eval_deadline(v->reference, v->last);
}

/* Has what was begun not come to its end, and is that all that is wrong? Then nothing is. */
static bool was_late(Verifier *v, Diag *diag)
{
    bool stopped = v->stop && *v->stop, late = diag->id == E25 && !stopped && v->last > 0 && clock_exact_ms() > v->last;
    if (late) diag_clear(diag);
    return late;
}

/* ---- tolerances ---- */

static double tolerance(const RunSettings *s, Scalar k)
{
    return k == SC_BF16 ? s->tol_bf16 : k == SC_F16 ? s->tol_f16 : k == SC_F32 ? s->tol_f32 : k == SC_F64 ? s->tol_f64 : 0;
}

/* The type of floats that it computes, and rounds, in, as a bit. */
static bool note_float(void *floats, const Term *t)
{
    if (t->kind != T_PRIM || t->type->kind != TY_SCALAR || !scalar_is_float(t->type->scalar)) return false;
    const Type *from = t->arg_count ? t->args[0]->type : NULL;
    bool widens = from && from->kind == TY_SCALAR && scalar_is_float(from->scalar) && !scalar_narrows(from->scalar, t->type->scalar);
    *(unsigned *)floats |= (unsigned)(prim_computes((PrimId)t->prim) && !widens) << t->type->scalar;
    return false;
}

static unsigned floats_of(const Term *t)
{
    unsigned floats = 1u << SC_F64;
    term_find(t, note_float, &floats);
    return floats;
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

/* Where a fold chooses, an input shows one place; so there are more, with what it chooses elsewhere, if they cost little. */
static void count_more_sets(Verifier *v, double steps)
{
    enum { FEW = 3, PLACES = 4 * EXTREMES_TURNS };       /* those of several folds are where random ones are */
    v->folds = extremes_folds(v->t);
    v->multiplies = fold_multiplies(v->t);
    v->is_product = fold_is_product(v->t);
    v->centre = NAN;
    v->more_from = v->set_count;
    if (v->folds == 0 || !v->varies || v->set_count < FEW) return;
    double needed = fmin(EXTREMES_TURNS, ceil(PLACES / v->folds)) - v->set_count, afforded = floor(v->s.oracle_work * MORE_SHARE / fmax(1, steps));
    v->set_count += (int)fmax(0, fmin(needed, afforded));
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
                    .any_integer = eval_takes_any_integer(t), .approximate = term_is_approximate(version)};
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
        v->varies = v->varies || varies;
    }
    if (v->varies) v->set_count = most;
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
    count_more_sets(v, work.steps);
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
    Scalar coarsest = (Scalar)__builtin_ctz(floats_of(v->t));
    for (Scalar k = SC_BF16; k < SC_COUNT; k++) v->tol[k] = fmax(tolerance(&v->s, k), tolerance(&v->s, k < coarsest ? k : coarsest));
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

void verifier_approximate(Verifier *v) { v->approximate = true; }
void verifier_any_order(Verifier *v) { v->any_order = true; }

void verifier_share(Verifier *v, References *r) { v->shared = r; }

int verifier_input_count(const Verifier *v) { return v->set_count; }

void verifier_no_more(Verifier *v) { v->set_count = v->more_from; }

bool verifier_repeats(const Verifier *v) { return v->set < v->more_from; }

/* ---- inputs ---- */

typedef struct Thinning { int magnitude, one_in; } Thinning;   /* integers up to magnitude; one in so many not zero */
static const Thinning thinnings[] = {
    {8, 1}, {2, 1}, {1, 1}, {1, 4}, {1, 16}, {1, 64}, {1, 256}, {1, 1024}, {1, 1 << 14}, {1, 1 << 18},
};

/* Is the last element of the first floats 0 or nearly (-1), inf or nearly (1), or neither, where all floats that nobody chose are x? */
static int side_of(Verifier *v, EvalInput *values, double x, double steps)
{
    int part = 0, side = 0;
    while (!scalar_is_float(v->parts[part].scalar)) part++;
    for (int i = 0; i < v->input_count; i++) {
        Data *d = (Data *)values[i].data;
        for (int p = 0; v->inputs[i].spec.kind == FILL_DEFAULT && p < d->part_count; p++)
            if (scalar_is_float(d->parts[p].scalar)) data_fill_const(&(Data){d->type, 1, &d->parts[p], d->stop}, x);
    }
    EvalScalar found;
    Diag diag = diag_new();
    Eval *e = eval_new(v->c, v->t, values, v->input_count, EVAL_EXACT);
    if (e) eval_limit(e, (int64_t)steps, v->stop);
    if (e && eval_at(e, part, v->parts[part].count - 1, &found, &diag)) {
        double most = pow(float_ranges[v->parts[part].scalar].most, 0.25);
        side = !(fabs(found.f) <= most) ? 1 : fabs(found.f) < 1 / most ? -1 : 0;
    }
    diag_free(&diag);
    if (e) eval_free(e);
    return side;
}

/* Numbers whose products are neither 0 nor inf: that of 3 + x is not with x = -2, and of x / 2 with x = 2. */
static double product_centre(Verifier *v)
{
    enum { MOST = 1 << 20, TRIES = 40 };
    static const double first[] = {1, 2, 0.5, -1, -2, 4, 0.25, -4, -0.5, 0, 8, 0.125};
    EvalInput values[PARTS_MAX];
    int64_t scalars = 0, made = 0;
    double steps = eval_work(v->t, NAN).steps, left = floor(v->s.oracle_work * MORE_SHARE / fmax(1, steps)), low = NAN, high = NAN, centre = NAN;
    bool usable = v->input_count <= PARTS_MAX && left >= 2 && ANY(i, v->part_count, scalar_is_float(v->parts[i].scalar));
    for (Diag diag; usable && made < v->input_count; made++) {
        diag = diag_new();
        Data *d = fill_data(v->c, v->inputs[made].type, &v->inputs[made].spec, (int)made, 1, &diag);
        diag_free(&diag);
        values[made] = (EvalInput){v->inputs[made].name, d, false};
        for (int p = 0; d && p < d->part_count; p++) scalars += d->parts[p].count;
        if (!d) break;
        usable = scalars <= MOST;
    }
    usable = usable && made == v->input_count;
    for (int k = 0; usable && k < TRIES && k < left && isnan(centre); k++) {
        bool between = !isnan(low) && !isnan(high);
        if (!between && k >= COUNT(first)) break;
        double x = between ? (low + high) / 2 : first[k];
        int side = side_of(v, values, x, 4 * steps);
        if (side == 0) centre = x;
        else *(side < 0 ? &low : &high) = x;
    }
    for (int i = 0; i < made; i++) data_free((Data *)values[i].data);
    return isnan(centre) ? 1 : centre;
}

static bool make_values(Verifier *v, int variant, Diag *diag)
{
    enum { MOST = 1000000, MOST_F16 = 100 };             /* few sums and products of those leave the range of a type */
    for (int i = 0; i < v->input_count; i++) {
        const RunInput *in = &v->inputs[i];
        Data *d = fill_data(v->c, in->type, &in->spec, i, variant, diag);
        v->values[i] = (EvalInput){in->name, d, fill_is_given(&in->spec)};
        if (!d) return false;
        bool chosen = in->spec.kind == FILL_RANDOM;
        if (!chosen && in->spec.kind != FILL_DEFAULT) continue;
        /* Where a rule decides otherwise than it should, values that random ones never meet must show it. */
        double most = floats_of(v->t) & 1u << SC_F16 ? MOST_F16 : MOST;
        MixIntegers integers = eval_has_indices(v->t) ? INTEGERS_STAY : chosen ? INTEGERS_IN_RANGE : INTEGERS_ANY;
        if (v->mixed) data_mix_literals(d, hash_mix(v->mixed, (uint64_t)i), &v->literals, chosen ? in->spec.lo : -most, chosen ? in->spec.hi : most, integers);
        if (v->is_product && variant > 0 && isnan(v->centre)) v->centre = product_centre(v);
        if (v->is_product && variant > 0 && !chosen) products_stay(d, v->centre);
        if (v->folds > 0 && variant > 0) extremes_move(d, variant, false);
    }
    return true;
}

bool verifier_open_reference(Verifier *v)
{
    v->reference = eval_new(v->c, v->t, v->values, v->input_count, EVAL_REFERENCE);
    if (!v->reference) return false;
    eval_limit(v->reference, 0, v->stop);
    eval_deadline(v->reference, v->last);
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
    if (v->known && reference_cost(v->shared, parts[0], &cost)) return cost;
    Diag diag = diag_new();
    bool measured = average <= v->s.oracle_work && (v->reference || verifier_open_reference(v))
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
    int64_t probes = p->n < PROBES ? p->n : PROBES;
    for (int64_t i = 0; i < probes && *exact && !verifier_is_late(v); i++) {
        if (!eval_at(v->reference, part, element(p, evenly(i, probes, p->n)), &x, diag)) return false;
        *exact = x.shadow < most;
    }
    return true;
}

/* Small integers into floats, fewer and smaller until sums and products are exact; positive ones for programs that divide or take logarithms.
 * Integers stay as they are, for they may be indices; if not, and nobody chose them, the extreme ones are among them. */
static bool make_exact_set(Verifier *v, Diag *diag)
{
    bool exact = false;
    FillSign sign = !v->exact_program ? SIGN_POSITIVE : v->multiplies ? SIGN_NOT_ZERO : SIGN_ANY;
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
                    data_fill_thinned(&one, hash_mix(seed, (uint64_t)p), thinnings[step].magnitude, sign, thinnings[step].one_in);
                if (scalar_is_float(d->parts[p].scalar) && v->folds > 0) extremes_move(&one, 0, true);
            }
        }
        if (ctx_stopped(v->c)) return diag_error(diag, E25, "interrupted while inputs were made"), false;
        if (!verifier_open_reference(v)) return false;
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
    if (!(k == 0 ? make_exact_set(v, diag) : make_values(v, k - 1, diag) && verifier_open_reference(v))) return false;
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
    bool ok = !asks.n || v->reference || verifier_open_reference(v);
    device_aside(v->device, true);
    int64_t done = ok && asks.n ? eval_many(v->reference, asks.v, asks.n, verifier_is_late, v, diag) : 0;
    device_aside(v->device, false);
    for (int64_t i = 0; i < done; i++) {
        keep_reference(asked.v[i].p, asked.v[i].i, asks.v[i].x);
        if (v->known) reference_keep_element(v->known, asks.v[i].part, asks.v[i].flat, asks.v[i].x);
    }
    int64_t known = done < asks.n ? asked.v[done].i : to;
    for (int k = 0; k < n; k++) parts[k]->known = known;
    return ok && (!diag_failed(diag) || was_late(v, diag));
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
        if (!v->reference && !verifier_open_reference(v)) return false;
        open_references(v, p);
        device_aside(v->device, true);
        bool ok = eval_reference(v->reference, part, p->want, p->shadow, p->n, diag);
        device_aside(v->device, false);
        if (!ok && was_late(v, diag)) return p->known = 0, true;
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
        for (int64_t i = 0; i < p->known; i++) {
            bool real = scalar_is_float(p->scalar), finite = !real || isfinite(p->want[i]);
            v->special += !finite;
            v->told = v->told || !real || (finite && scalar_rounded(p->scalar, p->want[i]) != 0);
        }
    }
    return true;
}

/* ---- what is asked in any case ---- */

Judge *verifier_judge(Verifier *v)
{
    JudgeTerms of = {v->c, v->device, v->t, v->version, v->values, v->input_count, v->any_order, v->approximate, v->set == 0 && !v->exact_program, v->stop};
    if (!v->judge) v->judge = judge_new(v->arena, &of);
    return v->judge;
}

/* Is it a number, and not 0? */
static bool is_rounded(const Part *p, int64_t i) { return isfinite(p->want[i]) && fabs(p->want[i]) >= float_ranges[p->scalar].least; }

/* How many elements are to be had for that work, where all share so many steps and each takes some; `most` at most. */
static int64_t affordable(double shared, double fresh, double work, int64_t most)
{
    double n = (work - shared) / fmax(1, fresh);
    return n >= (double)most ? most : n >= 1 ? (int64_t)n : 0;
}

/* So many of those that have a reference, as numbers among them: NULL: all. */
static int64_t *choose_some(Verifier *v, const Part *p, int64_t n)
{
    if (n >= p->known) return NULL;
    int64_t *at = NEW_ARRAY(v->arena, int64_t, n);
    if (p->at) for (int64_t i = 0; i < n; i++) at[i] = evenly(i, n, p->known);
    else samples_choose(&p->shape, v->tiles, v->tile_count, v->s.seed, NULL, at, n);
    return at;
}

Suspect verifier_suspect(const Verifier *v, const Part *p, int64_t i)
{
    return (Suspect){.part = (int)(p - v->parts), .scalar = p->scalar, .flat = element(p, i), .at = i};
}

/* Of those that are: a result may be 0 in most places, without any rounding. */
static double median_above_0(double *values, int n)
{
    stats_sort(values, n);
    int zeros = 0;
    while (zeros < n && values[zeros] <= 0) zeros++;
    return stats_quantile_of(values + zeros, n - zeros, 0.5);
}

/* n of those that rounding can change at all, evenly chosen, as numbers among those that have a reference; all of these if there are fewer. */
static int64_t *choose_rounded(Verifier *v, const Part *p, int64_t *n)
{
    int64_t of = 0, some = 0, met = 0;
    for (int64_t i = 0; i < p->known; i++) of += is_rounded(p, i);
    bool any = of > 0;
    if (!any) of = p->known;
    if (*n > of) *n = of;
    int64_t *at = NEW_ARRAY(v->arena, int64_t, *n);
    for (int64_t i = 0; i < p->known && some < *n; i++)
        if ((!any || is_rounded(p, i)) && met++ == evenly(some, *n, of)) at[some++] = i;
    return at;
}

/* How far the source is from the truth when each of its operations rounds at random. */
static void measure_own(Verifier *v, Part *p)
{
    double relative[OWN_PROBES], of_shadow[OWN_PROBES];
    int n = 0;
    p->own = (OwnSpread){0};
    if (!scalar_is_float(p->scalar) || (v->set == 0 && v->exact_program)) return;          /* equality is asked for */
    if (v->known && !v->approximate) p->own = reference_own(v->known, (int)(p - v->parts));
    if (p->own.asked) return;
    int64_t most = p->known < OWN_PROBES ? p->known : OWN_PROBES, least = most < OWN_LEAST ? most : OWN_LEAST;
    int64_t probes = affordable(p->shared, p->fresh, share(v, OWN_SHARE) / OWN_DRAWS, most);
    /* What it is by itself at few elements, where draws are too dear; that costs as much as the reference of one set of inputs. */
    int draws = probes < least ? 0 : OWN_DRAWS;
    if (!draws) probes = v->set < 2 ? least : 0;
    int64_t *at = choose_rounded(v, p, &probes);
    Suspect *s = NEW_ARRAY(v->arena, Suspect, probes);
    for (int64_t i = 0; i < probes; i++) {
        s[i] = verifier_suspect(v, p, at[i]);
        s[i].got.f = s[i].truth.f = p->want[at[i]];
    }
    if (probes) judge_accuracy(verifier_judge(v), s, probes, draws, draws ? effort(v, v->s.oracle_work, true) : effort(v, INFINITY, false));
    for (int64_t i = 0; i < probes; i++) {
        double want = fabs(s[i].truth.f), own = s[i].own;
        if (!isfinite(own) || !isfinite(want)) continue;
        bool none = own == 0 || !is_rounded(p, at[i]);
        of_shadow[n] = none ? 0 : own / magnitude(want, p->shadow[at[i]]);
        relative[n++] = none ? 0 : own / want;
    }
    double half = median_above_0(relative, n), most_of_them = stats_quantile_of(relative, n, 0.9);
    p->own = (OwnSpread){true, n > 0 && n >= probes / 2, half, most_of_them, median_above_0(of_shadow, n)};
    if (!draws) {                        /* that says little: no more than the settings allow, and nothing of accuracy */
        p->own.of_shadow = fmin(p->own.of_shadow, v->tol[p->scalar] / WITHIN);
        p->own.most = NAN;
    }
    if (v->known && !v->approximate && !verifier_is_late(v)) reference_keep_own(v->known, (int)(p - v->parts), p->own);
}

/* What the version says in its own types, of as many elements as are cheap; of all where rounding says too much for another comparison. */
static void make_terms(Verifier *v, Part *p)
{
    double work = share(v, verifier_is_vague(p) ? 1 : KERNEL_SHARE);
    int64_t n = affordable(v->term_shared, v->term_fresh, work, p->known);
    p->term = NULL, p->terms = NULL, p->term_at = NULL, p->term_n = 0;
    if (!n || v->terms_dear) return;
    if (n == p->known && v->all && !p->whole) {
        p->term = NEW_ARRAY(v->arena, double, n);
        p->term_n = judge_term(verifier_judge(v), (int)(p - v->parts), p->term, n, v->last) ? n : 0;
        if (p->term_n) return;
    }
    if (n > v->s.samples) n = v->s.samples;
    p->term_at = choose_some(v, p, n);
    p->terms = NEW_ARRAY(v->arena, EvalScalar, n);
    Suspect *s = mem_alloc(sizeof *s * (size_t)n);
    if (!p->term_at) {
        p->term_at = NEW_ARRAY(v->arena, int64_t, n);
        for (int64_t i = 0; i < n; i++) p->term_at[i] = i;
    }
    for (int64_t i = 0; i < n; i++) s[i] = verifier_suspect(v, p, p->term_at[i]);
    int64_t had = judge_terms(verifier_judge(v), s, n, effort(v, work, true));
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
    double work = share(v, verifier_is_vague(p) ? VAGUE_SHARE : RULES_SHARE);
    double shared = p->shared + (same ? 0 : v->term_shared), fresh = p->fresh + (same ? 0 : v->term_fresh);
    p->rules_n = affordable(shared, fresh, work, p->known < RULES_MOST ? p->known : RULES_MOST);
    int64_t *at = choose_some(v, p, p->rules_n);
    p->rules = NEW_ARRAY(v->arena, Suspect, p->rules_n);
    if (v->terms_dear && !same) p->rules_n = 0;
    for (int64_t i = 0; i < p->rules_n; i++) p->rules[i] = verifier_suspect(v, p, at ? at[i] : i);
    p->rules_tol = p->rules_n ? judge_rules(verifier_judge(v), p->rules, p->rules_n, effort(v, work, true)) : 0;
}

static void ask_questions(Verifier *v)
{
    device_aside(v->device, true);
    for (Part *p = v->parts; p < v->parts + v->part_count; p++) measure_own(v, p), make_terms(v, p), ask_rules(v, p);
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
    verifier_set_deadline(v, deadline_ms);
    const Literals *l = &v->literals;
    v->mixed = k > 1 && k < v->more_from && l->decides && l->count ? hash_bytes(0, l->v, (size_t)l->count * sizeof *l->v) | 1 : 0;
    bool ok = make_set(v, k, diag) && make_references(v, diag);
    if (!ok && v->mixed && diag->id == E38) {                          /* no values for this program */
        diag_clear(diag);
        v->mixed = 0;
        ok = make_set(v, k, diag) && make_references(v, diag);
    }
    v->set_exact = k == 0 && v->exact_program;
    if (ok ? ANY(i, v->part_count, v->parts[i].n && !v->parts[i].known) : was_late(v, diag)) {
        ok = false;
        diag_error(diag, E25, "verification ran out of time before the interpreter had a single element");
        diag_note(diag, "hint", "it takes 5 times `run_timeout` at most; smaller sizes (`data`) take less, and `set verify off` leaves it out");
    }
    if (ok) ask_questions(v);
    run_take_error(v->c, diag);
    return ok ? v->values : NULL;
}


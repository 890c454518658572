/* judge: what an element that a kernel computed says of the kernel, of the rules, and of its accuracy (decisions.md: Verification).
 *
 * Three questions, each with a precision and a tolerance of its own. Does the kernel compute what the version's term says? In the
 * term's types and order they agree bit for bit, but for functions that OpenCL lets a device round, and sums whose order the device
 * chooses. Does that term mean what the source means? In a precision well above the program's they agree to what that precision
 * itself rounds. How accurate is it, beside the source with every operation rounded at random? What is no equality is decided by
 * draws (eval.h): a value belongs to a term if it lies among what the draws of the term give, or no further beside than they spread. */
#include "run_private.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRAWS_FEW = 4, DRAWS_MOST = 32,      /* of an element; a rounding error that 32 draws do not reach is none */
    RULES_FEW = 8,                       /* elements of which the version was asked that speak for others */
    POOL = 256,                          /* elements with draws of their own that speak for others */
    ONE_OF = 64,                         /* of so many that are decided one may be as far from its draws as STRAYS */
};
#define POOL_FACTOR 8                    /* a value so many times the median spread away has draws of its own, */
#define POOLED_MOST 1e-3                 /* and all have where that says nothing */
#define BESIDE 0.5                       /* of how far draws spread, 4 standard deviations where there are 32: within 4 of their mean; */
#define STRAYS 1.5                       /* within 8: of thousands of elements some are beyond 4 by chance, all together, since errors go together */

/* ---- numbers ---- */

double scalar_ulps(Scalar k, double got, double want)
{
    int exponent;
    if (got == want) return 0;
    frexp(fmax(fabs(want), float_ranges[k].least), &exponent);
    return fabs(got - want) / ldexp(1 / float_ranges[k].exact, exponent);
}

double float_distance(double got, double want)
{
    if (got == want || (isnan(got) && isnan(want))) return 0;
    return isfinite(got) && isfinite(want) ? fabs(got - want) / fabs(want) : INFINITY;
}

/* Below full precision a device may have nothing but 0. */
static bool is_tiny(Scalar k, double v) { return fabs(v) < float_ranges[k].least; }

bool float_is_same(Scalar k, double a, double b) { return a == b || (isnan(a) && isnan(b)) || (is_tiny(k, a) && is_tiny(k, b)); }

static bool is_same(Scalar k, EvalScalar a, EvalScalar b)
{
    if (!scalar_is_float(k)) return a.i == b.i;
    return float_is_same(k, a.f, b.f) && (a.low == b.low || is_tiny(k, a.f));
}

/* a - b; NAN: no number says it */
static double offset(Scalar k, EvalScalar a, EvalScalar b)
{
    if (is_same(k, a, b)) return 0;
    if (!scalar_is_float(k)) return scalar_number(k, a.i) - scalar_number(k, b.i);
    return isfinite(a.f) && isfinite(b.f) ? (a.f - b.f) + (a.low - b.low) : NAN;
}

/* ---- terms that are asked ---- */

typedef enum Who { KERNEL, KERNEL_DRAWN, VERSION, VERSION_DRAWN, SOURCE, SOURCE_DRAWN, OWN, OWN_DRAWN, WHO_COUNT } Who;

struct Judge {
    JudgeTerms of;
    bool has_draws;                      /* a right kernel may differ from the version's term */
    bool wide;                           /* the precision above the program's is double-double, else f64 */
    bool foreign;                        /* the version has literals that the source has not: perhaps rounded to the program's types */
    bool same;                           /* the version is the source */
    Eval *evals[WHO_COUNT];
    Effort left;                         /* for the question under way */
};

static EvalMode mode_of(const Judge *j, Who who)
{
    switch (who) {
    case KERNEL: case OWN: return EVAL_EXACT;
    case KERNEL_DRAWN: return j->of.any_order ? EVAL_ANY_ORDER : EVAL_MOVED;
    case VERSION_DRAWN: case SOURCE_DRAWN: return j->wide ? EVAL_RANDOM_WIDE : EVAL_RANDOM_F64;
    case OWN_DRAWN: return EVAL_RANDOM;
    default: return j->wide ? EVAL_WIDE : EVAL_REFERENCE;
    }
}

static bool has_f64(void *unused, const Term *t)
{
    (void)unused;
    return t->kind != T_INPUT && t->type->kind == TY_SCALAR && t->type->scalar == SC_F64;
}

/* Literals with more bits than a few, which other ways to write a number may round otherwise. */
typedef struct Long { double v[64]; int n; bool all; } Long;

static bool note_long(void *of, const Term *t)
{
    Long *l = of;
    if (!eval_literal_is_long(t)) return false;
    l->all = l->all || l->n == COUNT(l->v);
    if (!l->all) l->v[l->n++] = t->u.lit.f;
    return false;
}

static bool is_foreign(void *of, const Term *t)
{
    const Long *l = of;
    return eval_literal_is_long(t) && ALL(i, l->n, l->v[i] != t->u.lit.f);
}

Judge *judge_new(Arena *arena, const JudgeTerms *of)
{
    Judge *j = NEW(arena, Judge);
    Long known = {{0}, 0, false};
    *j = (Judge){.of = *of, .has_draws = of->any_order || eval_has_functions(of->version), .same = of->version == of->source};
    j->wide = term_find(of->source, has_f64, NULL) || term_find(of->version, has_f64, NULL);
    term_find(of->source, note_long, &known);
    j->foreign = !j->same && term_find(of->version, is_foreign, &known);
    return j;
}

void judge_close(Judge *j)
{
    for (int i = 0; j && i < WHO_COUNT; i++) eval_free(j->evals[i]);
}

static Eval *eval_of(Judge *j, Who who)
{
    if (!j->evals[who]) {
        device_aside(j->of.device, false);
        bool version = who <= VERSION_DRAWN || (who >= OWN && j->of.approximate);
        const Term *t = version ? j->of.version : j->of.source;
        j->evals[who] = eval_new(j->of.c, t, j->of.values, j->of.value_count, mode_of(j, who));
        if (!j->evals[who]) diag_clear(&j->of.c->diag);
        else eval_on_all_cores(j->evals[who]);
        /* Draws of it are asked for, which tell its own roundings. */
        if (j->evals[who] && j->of.approximate) eval_by_cells(j->evals[who]), eval_round_casts(j->evals[who]);
        if (j->evals[who] && who == VERSION_DRAWN && j->foreign) eval_draw_literals(j->evals[who]);
        device_aside(j->of.device, true);
    }
    return j->evals[who];
}

typedef struct Asking { Judge *j; Eval *e; double *first; } Asking;      /* what the first element took; 0: not known yet */

static bool is_late(const Judge *j)
{
    return (j->of.stop && *j->of.stop) || (j->left.deadline > 0 && clock_exact_ms() > j->left.deadline);
}

/* What elements share is computed with the first one, whatever it takes; the others are worth as much again. */
static bool is_over(const void *asking)
{
    const Asking *a = asking;
    double steps = (double)eval_steps(a->e), most = a->j->left.work;
    if (*a->first == 0) *a->first = steps;
    return is_late(a->j) || steps > (a->j->left.strict ? most : fmax(most, 2 * *a->first));
}

typedef struct Asked { int part; int64_t flat, i; } Asked;

/* Those that share a row, or whatever else the term computes for several, follow each other, so that it is computed once. */
static int in_place(const void *a, const void *b)
{
    const Asked *x = a, *y = b;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return x->flat != y->flat ? (x->flat < y->flat ? -1 : 1) : 0;
}

/* What a term gives at suspect which[i] for out[i], where known[i]: it has a value there, and steps were left. Returns how many. */
static int64_t answers(Judge *j, Who who, uint64_t draw, const Suspect *s, const int64_t *which, int64_t n, EvalScalar *out, bool *known)
{
    Eval *e = eval_of(j, who);
    double first = 0;
    Asking asking = {j, e, &first};
    int64_t answered = 0, at = 0;
    for (int64_t i = 0; i < n; i++) known[i] = false;
    if (!e || (j->left.strict && j->left.work <= 0)) return 0;
    EvalAsk *asks = mem_alloc(sizeof *asks * (size_t)(n + 1));
    Asked *asked = mem_alloc(sizeof *asked * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) asked[i] = (Asked){s[which[i]].part, s[which[i]].flat, i};
    qsort(asked, (size_t)n, sizeof *asked, in_place);
    for (int64_t i = 0; i < n; i++) asks[i] = (EvalAsk){.part = asked[i].part, .flat = asked[i].flat};
    eval_limit(e, j->left.strict ? (int64_t)fmin(j->left.work, 0x1p62) + 1 : 0, j->of.stop);
    eval_deadline(e, j->left.deadline);
    if (draw) eval_draw(e, draw);
    while (at < n && (!at || !is_over(&asking))) {
        Diag none = diag_new();
        int64_t done = eval_many(e, asks + at, n - at, is_over, &asking, &none);
        bool failed = diag_failed(&none);
        diag_free(&none);
        for (int64_t i = at; i < at + done; i++) out[asked[i].i] = asks[i].x, known[asked[i].i] = true;
        answered += done;
        at += done;
        if (!failed || is_over(&asking)) break;          /* else that one has no value */
        at++;
    }
    j->left.work -= (double)eval_steps(e);
    free(asks), free(asked);
    return answered;
}

bool judge_term(Judge *j, int part, double *values, int64_t n, double deadline)
{
    Eval *e = eval_of(j, KERNEL);
    LOCAL(drop) double *unused = mem_alloc(sizeof *unused * (size_t)n);
    if (!e) return false;
    Diag none = diag_new();
    eval_limit(e, 0, j->of.stop);
    eval_deadline(e, deadline);
    bool ok = eval_reference(e, part, values, unused, n, &none);
    diag_free(&none);
    return ok;
}

/* ---- draws ---- */

/* Of draws, as offsets from the value in question, where both are finite; met: one is it. */
typedef struct Spread { double lo, hi; int draws, finite; bool met; } Spread;

static void add_draw(Spread *r, Scalar k, EvalScalar drawn, EvalScalar value)
{
    double off = offset(k, drawn, value);
    r->met = r->met || off == 0;
    r->draws++;
    if (isnan(off)) return;
    r->lo = r->finite ? fmin(r->lo, off) : off;
    r->hi = r->finite ? fmax(r->hi, off) : off;
    r->finite++;
}

/* Is the value among the draws, or beside them by no more than a part of how far they spread? */
static bool is_beside(const Spread *r, double part)
{
    double by = part * (r->hi - r->lo);
    return r->met || (r->finite && r->lo - by <= 0 && r->hi + by >= 0);
}

static bool is_among(const Spread *r) { return is_beside(r, BESIDE); }

/* Draws from .. to - 1 of those elements; false: no steps were left for some. */
static bool draw(Judge *j, Who who, const Suspect *s, const EvalScalar *value, const int64_t *which, int64_t n, int from, int to, Spread *spreads)
{
    EvalScalar *x = mem_alloc(sizeof *x * (size_t)(n + 1));
    bool *known = mem_alloc((size_t)n + 1), ok = true;
    for (int d = from; d < to && ok; d++) {
        answers(j, who, (uint64_t)d, s, which, n, x, known);
        ok = j->left.work > 0 || d < 1 + DRAWS_FEW;
        for (int64_t i = 0; i < n; i++)
            if (known[i]) add_draw(&spreads[which[i]], s[which[i]].scalar, x[i], value[which[i]]);
    }
    free(x);
    free(known);
    return ok && j->left.work > 0;
}

/* Does value belong to the term that gives `plain` without draws? Those that are not the same, which `which` names, are decided by
 * draws: some for themselves, and for those that are as near as these usually are. Returns the pooled tolerance, relative to the value;
 * 0: there was nothing to decide. */
static double settle(Judge *j, Who who, const Suspect *s, const EvalScalar *value, const EvalScalar *plain, int64_t *which, int64_t n,
                     int64_t count, Found *found)
{
    Spread *spreads = mem_alloc(sizeof *spreads * (size_t)(count + 1));
    double pooled[POOL], tol = 0;
    int64_t own = n < POOL ? n : POOL, left = 0;
    int pool = 0;
    if (!n) return free(spreads), 0;
    memset(spreads, 0, sizeof *spreads * (size_t)count);
    /* The first ones, and others evenly chosen, which come to the front. */
    for (int64_t i = own / 2; i < own && n > own; i++) {
        int64_t from = own / 2 + evenly(i - own / 2, own - own / 2, n - own / 2), t = which[i];
        which[i] = which[from], which[from] = t;
    }
    for (int64_t i = 0; i < n; i++) add_draw(&spreads[which[i]], s[which[i]].scalar, plain[which[i]], value[which[i]]);
    bool drawn = draw(j, who, s, value, which, own, 1, 1 + DRAWS_FEW, spreads);
    for (int64_t i = 0; i < own; i++) {
        const Spread *r = &spreads[which[i]];
        double size = scalar_is_float(s[which[i]].scalar) ? fabs(plain[which[i]].f) : 0;
        if (size > 0 && isfinite(size) && r->finite > 1) pooled[pool++] = (r->hi - r->lo) / size;
    }
    tol = stats_quantile_of(pooled, pool, 0.5);
    for (int64_t i = 0; i < n; i++) {
        int64_t w = which[i];
        double near = POOL_FACTOR * tol > POOLED_MOST ? 0 : POOL_FACTOR * tol * fabs(plain[w].f), off = fabs(offset(s[w].scalar, value[w], plain[w]));
        if ((scalar_is_float(s[w].scalar) && off <= near) || (i < own && is_among(&spreads[w]))) found[w] = FOUND_AMONG;
        else which[left++] = w;
    }
    for (int from = 1, to = 1 + DRAWS_FEW; left && drawn && to <= 1 + DRAWS_MOST; from = to, to = 2 * to - 1) {
        int64_t still = 0;
        drawn = draw(j, who, s, value, which, left, from, to < 1 + DRAWS_MOST ? to : 1 + DRAWS_MOST, spreads);
        for (int64_t i = 0; i < left; i++)
            if (is_among(&spreads[which[i]])) found[which[i]] = FOUND_AMONG;
            else which[still++] = which[i];
        left = still;
    }
    double part = left * ONE_OF <= n ? STRAYS : BESIDE;  /* of many, some stray further than the draws of each reach */
    for (int64_t i = 0; i < left; i++) {                 /* where steps ran out, few draws say no more than they do */
        const Spread *r = &spreads[which[i]];
        if (r->draws > DRAWS_MOST && is_beside(r, part)) found[which[i]] = FOUND_AMONG;
        else found[which[i]] = r->draws > DRAWS_MOST || (r->draws > 2 && !is_beside(r, POOL_FACTOR)) ? FOUND_OTHER : FOUND_UNKNOWN;
    }
    free(spreads);
    return POOL_FACTOR * tol;
}

/* ---- the questions ---- */

int64_t judge_terms(Judge *j, Suspect *s, int64_t n, Effort effort)
{
    int64_t *which = mem_alloc(sizeof *which * (size_t)(n + 1)), asked = 0;
    EvalScalar *x = mem_alloc(sizeof *x * (size_t)(n + 1));
    bool *known = mem_alloc((size_t)n + 1);
    j->left = effort;
    for (int64_t i = 0; i < n; i++)
        if (!s[i].has_term) which[asked++] = i;
    int64_t answered = answers(j, KERNEL, 0, s, which, asked, x, known);
    for (int64_t k = 0; k < asked; k++)
        if (known[k]) s[which[k]].term = x[k], s[which[k]].has_term = true;
    free(which), free(x), free(known);
    return answered;
}

double judge_kernel(Judge *j, Suspect *s, int64_t n, Effort effort)
{
    int64_t *which = mem_alloc(sizeof *which * (size_t)(n + 1)), other = 0;
    EvalScalar *plain = mem_alloc(sizeof *plain * (size_t)(n + 1)), *got = mem_alloc(sizeof *got * (size_t)(n + 1));
    Found *found = mem_alloc(sizeof *found * (size_t)(n + 1));
    double tol = 0;
    judge_terms(j, s, n, effort);
    for (int64_t i = 0; i < n; i++) {
        got[i] = s[i].got, plain[i] = s[i].term;
        found[i] = !s[i].has_term ? FOUND_UNKNOWN : is_same(s[i].scalar, got[i], plain[i]) ? FOUND_SAME : FOUND_OTHER;
        if (found[i] == FOUND_OTHER) which[other++] = i;
    }
    if (j->has_draws && other) tol = settle(j, KERNEL_DRAWN, s, got, plain, which, other, n, found);
    for (int64_t i = 0; i < n; i++) s[i].kernel = found[i], tol = found[i] == FOUND_UNKNOWN ? NAN : tol;
    free(which), free(plain), free(got), free(found);
    return tol;
}

double judge_rules(Judge *j, Suspect *s, int64_t n, Effort effort)
{
    double tol = 0;
    bool *has = mem_alloc((size_t)n + 1), *known = mem_alloc((size_t)n + 1);
    int64_t *which = mem_alloc(sizeof *which * (size_t)(n + 1)), other = 0;
    Found *found = mem_alloc(sizeof *found * (size_t)(n + 1));
    EvalScalar *truth = mem_alloc(sizeof *truth * (size_t)(n + 1)), *version = mem_alloc(sizeof *version * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) which[i] = i, found[i] = FOUND_UNKNOWN;
    j->left = effort;
    answers(j, SOURCE, 0, s, which, n, truth, has);
    if (!j->same) answers(j, VERSION, 0, s, which, n, version, known);
    for (int64_t i = 0; i < n; i++) {
        s[i].truth = truth[i];
        s[i].has_truth = has[i];
        if (!has[i] || !(j->same || known[i])) continue;
        found[i] = j->same || is_same(s[i].scalar, version[i], truth[i]) ? FOUND_SAME : FOUND_OTHER;
        bool real = scalar_is_float(s[i].scalar), pole = real && !(isfinite(truth[i].f) && (j->same || isfinite(version[i].f)));
        if (pole && j->of.has_poles && found[i] == FOUND_OTHER) found[i] = FOUND_AMONG;
        if (found[i] == FOUND_OTHER) which[other++] = i;
    }
    bool most_equal = 2 * other <= n;    /* in these any change would have been seen */
    if (!effort.strict) j->left = effort;        /* the terms may have taken all of it */
    if (other) tol = settle(j, SOURCE_DRAWN, s, version, truth, which, other, n, found);
    /* What the source's rounding does not explain, the version's may. */
    other = 0;
    for (int64_t i = 0; i < n; i++)
        if (found[i] == FOUND_OTHER) which[other++] = i;
    double by_version = settle(j, VERSION_DRAWN, s, truth, version, which, other, n, found);
    if (2 * other > n) tol = fmax(tol, by_version);      /* of few, as of what is 0 but for rounding, it says nothing of the others */
    if (most_equal) tol = 0;
    int64_t evaluated = 0;
    for (int64_t i = 0; i < n; i++) {
        bool both = has[i] && (j->same || known[i]);
        s[i].rules = found[i];
        evaluated += both;
        if (both && found[i] == FOUND_UNKNOWN) tol = NAN;
    }
    if (evaluated < n && evaluated < RULES_FEW) tol = NAN;
    free(version), free(truth), free(which), free(found), free(has), free(known);
    return tol;
}

void judge_accuracy(Judge *j, Suspect *s, int64_t n, int draws, Effort effort)
{
    Spread *spreads = mem_alloc(sizeof *spreads * (size_t)(n + 1));
    EvalScalar *truth = mem_alloc(sizeof *truth * (size_t)(n + 1));
    int64_t *which = mem_alloc(sizeof *which * (size_t)(n + 1));
    memset(spreads, 0, sizeof *spreads * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) which[i] = i, truth[i] = s[i].truth;
    j->left = effort;
    if (draws) draw(j, OWN_DRAWN, s, truth, which, n, 1, 1 + draws, spreads);
    else draw(j, OWN, s, truth, which, n, 0, 1, spreads);
    for (int64_t i = 0; i < n; i++) {
        double off = offset(s[i].scalar, s[i].got, s[i].truth);
        s[i].error = isnan(off) ? INFINITY : fabs(off);
        s[i].own = !spreads[i].finite || spreads[i].finite < spreads[i].draws ? INFINITY : fmax(fabs(spreads[i].lo), fabs(spreads[i].hi));
    }
    free(spreads), free(truth), free(which);
}

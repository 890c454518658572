/* verify_compare: results compared with their references, and what the comparison found (decisions.md: Verification). */
#include "extremes.h"
#include "statistics.h"
#include "team.h"
#include "verifier_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOKS_FIRST = 256,                   /* elements that are given a second look at once, then twice as many; less is no sample */
    OWN_AGAIN = 24,                      /* draws of the source where a value seems far less accurate */
    BOUND_DRAWS = 8,
};
#define NEARLY_SHARE 0.1                 /* for looks at what is no further away than others: of oracle_work */
#define FAR 40                           /* so many times the source's own is inaccurate */

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
    if (!p->own.known) return v->tol[p->scalar] * magnitude(want, shadow);
    /* Where shadows grow along a recurrence what is usual for them says nothing of its beginning. */
    double by_value = verifier_is_vague(p) ? 0 : p->own.median * fabs(want);
    return WITHIN * fmax(p->own.of_shadow * magnitude(want, shadow), by_value);
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
    else if (isnan(f)) buf_puts(&b, "nan");              /* its sign is the machine's */
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

/* A check that sees no smaller change is none: as many digits as that, fewer of a version that was asked for fewer, or the last one of the type. */
static double power_least(const Verifier *v, Scalar s)
{
    return fmax(v->approximate ? POWER_APPROXIMATE : POWER_LEAST, 2 / float_ranges[s].exact);
}

/* It is right, and a decision that rounding makes is why it is not what the term says. */
static bool hangs(const Verifier *v, const Suspect *s)
{
    return s->kernel == FOUND_AMONG && (!scalar_is_float(s->scalar) || !(fabs(s->got.f - s->term.f) <= power_least(v, s->scalar) * fabs(s->term.f)));
}

/* Where the version says something else, in its own types, than the kernel: is that what a device may do? Returns the pooled tolerance; NAN: not
 * all of it was found out. */
static double look_at_terms(Check *k, Tally *t)
{
    const Part *p = k->p;
    VEC(Suspect) s = {0};
    for (int64_t j = 0; j < p->term_n; j++) {
        int64_t i = p->term_at ? p->term_at[j] : j;
        Suspect x = verifier_suspect(k->v, p, i);
        x.got = got_of(k, x.flat);
        x.term = p->terms ? p->terms[j] : (EvalScalar){.f = p->term[j], .i = scalar_is_float(p->scalar) ? 0 : (int64_t)p->term[j]};
        x.has_term = true;
        bool same = scalar_is_float(p->scalar) ? float_is_same(p->scalar, x.got.f, x.term.f) : x.got.i == x.term.i;
        if (same || p->bad[i]) continue;
        vec_push(&s, x);
    }
    double tol = s.n ? judge_kernel(verifier_judge(k->v), s.v, s.n, effort(k->v, share(k->v, 1), false)) : 0;
    if (2 * s.n <= p->term_n && !isnan(tol)) tol = 0;          /* most are the same, where any change would have been seen */
    for (int64_t j = 0; j < s.n; j++) {
        if (s.v[j].kernel == FOUND_OTHER) count_wrong(k, t, s.v[j].at, CULPRIT_KERNEL);
        k->out->hanging += hangs(k->v, &s.v[j]);
    }
    free(s.v);
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

static void note_inaccurate(Check *k, Arena *arena, const Suspect *s)
{
    if (!is_inaccurate(k->v, s) || k->out->inaccurate++) return;
    k->out->lost = difference(k, arena, s->flat, arena_printf(arena, "%.12g", s->truth.f), relative_of(k, s->at));
}

/* Are the inputs under way those that were asked for? */
static bool is_asked_for(const Verifier *v) { return v->set == (v->set_count > 1); }

/* Doubts that remain where what the version says is dear: an element that the source's own rounding, measured at that element, explains is none,
 * as long as that leaves some digits. The rest comes to the front. */
static int64_t leave_unexplained(Check *k, Doubt *d, int64_t n, Effort most)
{
    Suspect *s = mem_alloc(sizeof *s * (size_t)(n + 1));
    int64_t left = 0;
    for (int64_t i = 0; i < n; i++) {
        s[i] = verifier_suspect(k->v, k->p, d[i].i);
        s[i].got = got_of(k, s[i].flat);
        s[i].truth.f = k->p->want[d[i].i];
    }
    judge_accuracy(verifier_judge(k->v), s, n, OWN_AGAIN, most);
    for (int64_t i = 0; i < n; i++) {
        double by = WITHIN * s[i].own / fabs(s[i].truth.f);
        if (!(by <= power_least(k->v, k->p->scalar)) || s[i].error > WITHIN * s[i].own) d[left++] = d[i];
        else if (is_asked_for(k->v)) k->out->power = fmax(k->out->power, by);
    }
    free(s);
    return left;
}

/* The three questions of some of the doubts. Returns how many of them are not answered. */
static int64_t look_at_doubts(Check *k, Arena *arena, Tally *t, Doubt *d, int64_t n, Effort most)
{
    Judge *j = verifier_judge(k->v);
    if (!k->p->term_n && scalar_is_float(k->p->scalar) && !k->v->set_exact) n = leave_unexplained(k, d, n, most);
    Suspect *s = mem_alloc(sizeof *s * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) {
        s[i] = verifier_suspect(k->v, k->p, d[i].i);
        s[i].got = got_of(k, s[i].flat);
    }
    judge_kernel(j, s, n, most);
    judge_rules(j, s, n, most);
    int64_t right = 0, unknown = 0;
    for (int64_t i = 0; i < n; i++) {
        if (s[i].kernel == FOUND_OTHER || s[i].rules == FOUND_OTHER)
            count_wrong(k, t, d[i].i, s[i].kernel == FOUND_OTHER ? CULPRIT_KERNEL : CULPRIT_RULES);
        else if (s[i].kernel == FOUND_UNKNOWN || s[i].rules == FOUND_UNKNOWN) unknown += !d[i].within;
        else {
            k->out->hanging += hangs(k->v, &s[i]) && !k->p->term_n;          /* else it was counted */
            s[right++] = s[i];
        }
    }
    judge_accuracy(j, s, right, OWN_DRAWS, most);
    int64_t far = 0;                     /* chosen for being far: few draws say little of those */
    for (int64_t i = 0; i < right; i++)
        if (is_inaccurate(k->v, &s[i])) s[far++] = s[i];
        else k->out->overflown += isfinite(s[i].truth.f) && !isfinite(s[i].got.f);
    judge_accuracy(j, s, far, OWN_AGAIN, most);
    for (int64_t i = 0; i < far; i++) note_inaccurate(k, arena, &s[i]);
    free(s);
    return unknown;
}

/* What is no further away than others is looked at while that costs little. What is: the farthest and others at random, then more and more of
 * them, until the time is over, or some are wrong; then all that are as far away are. What the time leaves out is as right as those that speak
 * for it. */
static void look_again(Check *k, Arena *arena, Tally *t)
{
    Verifier *v = k->v;
    Doubt *d = t->doubts.v;
    int64_t beyond = 0, at = 0, unknown = 0, n = t->doubts.n;
    Rng random = {v->s.seed};
    bool speaks = false;                 /* the first of them are all answered */
    if (n) qsort(d, (size_t)n, sizeof *d, farthest_first);
    while (beyond < n && !d[beyond].within) beyond++;
    for (int64_t i = LOOKS_FIRST / 2; i < beyond; i++) {
        int64_t with = i + rng_below(&random, beyond - i);
        Doubt x = d[i];
        d[i] = d[with], d[with] = x;
    }
    for (int64_t most = LOOKS_FIRST, some; at < beyond && !(at && (t->wrong || verifier_is_late(v))); at += some, most *= 2) {
        some = beyond - at < most ? beyond - at : most;
        unknown += look_at_doubts(k, arena, t, d + at, some, effort(v, v->s.oracle_work * (double)most / LOOKS_FIRST, false));
        speaks = speaks || (!at && some == LOOKS_FIRST && !unknown);
    }
    for (int64_t i = at; i < beyond && t->wrong; i++) count_wrong(k, t, d[i].i, CULPRIT_UNKNOWN);
    if (!t->wrong) unknown += beyond - at;
    if (!speaks) k->out->undecided += unknown;
    else k->out->unlooked += unknown, k->out->looked += beyond - unknown;
    if (n > beyond && !t->wrong && !verifier_is_late(v) && !v->terms_dear)
        look_at_doubts(k, arena, t, d + beyond, n - beyond < LOOKS_FIRST ? n - beyond : LOOKS_FIRST,
                       effort(v, NEARLY_SHARE * v->s.oracle_work, true));
    free(d);
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
        int64_t i = evenly(j, *n, p->known);
        s[j] = verifier_suspect(v, p, i);
        s[j].got = s[j].truth = (EvalScalar){.f = p->want[i], .i = real ? 0 : whole_want(p, i)};
        b[j] = (VerifierBound){.at = s[j].flat, .whole = s[j].truth.i};
    }
    judge_accuracy(verifier_judge(v), s, *n, BOUND_DRAWS, effort(v, v->s.oracle_work, false));
    for (int64_t j = 0; j < *n; j++) {
        double want = s[j].truth.f, off = fmax(v->tol[p->scalar] * fabs(want), WITHIN * s[j].own) + float_ranges[p->scalar].least;
        if (isinf(off)) off = slack(v, p, want, p->shadow[s[j].at]);
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

/* Elements that speak for all, with what is known of the truth there. Returns how many. */
static int accuracy_probes(Check *k, Suspect s[RULES_MOST])
{
    const Part *p = k->p;
    int64_t most = p->rules_n ? p->rules_n : p->known < RULES_MOST ? p->known : RULES_MOST;
    int n = 0;
    for (int64_t j = 0; j < most; j++) {
        Suspect x = p->rules_n ? p->rules[j] : verifier_suspect(k->v, p, evenly(j, most, p->known));
        if (!p->rules_n) x.truth.f = p->want[x.at], x.has_truth = true;
        x.got = got_of(k, x.flat);
        x.error = float_is_same(p->scalar, x.got.f, x.truth.f) ? 0 : fabs(x.got.f - x.truth.f - x.truth.low);
        if (x.has_truth && isfinite(x.error)) s[n++] = x;
    }
    return n;
}

/* Are more than a tenth of those that far from the truth, and the source is not there? Of a result that is 0 but for rounding at some elements,
 * what is usual at others says nothing. *own: relative to the values, what half of them have of the source's. */
static bool is_coarse(Check *k, Suspect *s, int n, double least, double *own)
{
    double there[RULES_MOST];
    int far = 0, lost = 0;
    for (int i = 0; i < n; i++)
        if (s[i].error > least * fabs(s[i].truth.f)) s[far++] = s[i];
    judge_accuracy(verifier_judge(k->v), s, far, OWN_DRAWS, effort(k->v, k->v->s.oracle_work, false));
    for (int i = 0; i < far; i++) {
        lost += s[i].error > FAR * s[i].own;
        there[i] = s[i].own / fabs(s[i].truth.f);
    }
    *own = stats_quantile_of(there, far, 0.5);
    return 10 * lost > n;
}

/* Error, the source's own, and what the check would have seen, where the inputs are those that were asked for. */
static void note_accuracy(Check *k, double kernel_tol)
{
    Verifier *v = k->v;
    const Part *p = k->p;
    VerifyOutcome *out = k->out;
    if (!scalar_is_float(p->scalar) || !is_asked_for(v)) return;
    Suspect s[RULES_MOST];
    double errors[RULES_MOST], least = power_least(v, p->scalar);
    int n = accuracy_probes(k, s);
    for (int i = 0; i < n; i++) errors[i] = s[i].error == 0 ? 0 : s[i].error / fabs(s[i].truth.f);
    double unit = 1 / float_ranges[p->scalar].exact, error = stats_quantile_of(errors, n, 0.9), loose;
    double seen[PROBES];
    int some = 0;
    int64_t probes = p->known < PROBES ? p->known : PROBES;
    for (int64_t j = 0; j < probes; j++) {
        int64_t i = evenly(j, probes, p->known);
        double by = slack(v, p, p->want[i], p->shadow[i]) / fabs(p->want[i]);
        if (isfinite(by)) seen[some++] = by;
    }
    loose = fmax(unit, stats_quantile_of(seen, some, 0.5));
    double kernel = 2 * p->term_n >= p->known && !isnan(kernel_tol) ? fmax(unit, kernel_tol) : loose;
    double rules = v->t == v->version ? 0 : p->rules_n && !isnan(p->rules_tol) ? p->rules_tol : loose;
    if (v->set_exact && k->exact) kernel = unit, rules = 0;        /* compared by equality, with the source */
    out->error = fmax(out->error, error);
    double own = p->own.known ? p->own.most : NAN;
    if (error > least && error > FAR * own) out->coarse = is_coarse(k, s, n, least, &own) || out->coarse;
    else out->coarse = out->coarse || (error > least && !(error <= FAR * p->own.most));
    out->own = isnan(out->own + own) ? NAN : fmax(out->own, own);
    out->power = fmax(out->power, fmax(kernel, rules));
    out->blind = out->blind || fmax(kernel, rules) > least;
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
        if (k->p->rules[i].rules == FOUND_OTHER) count_wrong(k, &all, k->p->rules[i].at, CULPRIT_RULES);
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
    Diag diag = diag_new();
    bool known = v->known && reference_element(v->known, k->part, flat, &x);
    if (!known) {
        known = (v->reference || verifier_open_reference(v)) && eval_at(v->reference, k->part, flat, &x, &diag);
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
    verifier_set_deadline(v, v->deadline);
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
    if (((out->blind && !out->exact_first) || out->vague) && out->status == VERIFY_OK) out->status = VERIFY_ILL_CONDITIONED;
    if ((out->inaccurate || out->undecided || out->coarse) && out->status == VERIFY_OK) out->status = VERIFY_INACCURATE;
    if (out->inputs < v->set + 1) out->inputs = v->set + 1;
    out->once = out->inputs > v->more_from ? out->inputs - v->more_from : 0;
    if (v->folds > 0) out->unseen = extremes_unseen(v->folds * out->inputs);
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
        : arena_printf(arena, "%lld of %lld elements (corners, tile edges, random), all written",
                       (long long)out->compared, (long long)out->total);
    out->special = v->special;
    out->mute = v->part_count && !v->told;
    out->approximate = v->approximate;
    if (v->cut && !out->left_out) out->left_out = arena_strdup(arena, v->cut);
}

/* check: rules tried on random instances against the interpreter, in reading order: the inputs, which are small, random, and those on
 * which rules fail: the literals of both sides and what lies near them, halves, signed zeros, infinities, NaN, the ends of each type,
 * equal, constant and sorted values; whether two terms are equal on given inputs; one trial; counterexamples, shrunk; checking a rule;
 * two versions of a program compared; properties that a function declares (associative, commutative, neutral), tried like rules:
 * both sides of the law on random finite values, at every type of a list that the function takes. */
#include "check_private.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plain inputs ---- */

/* Numbers that are indices now and then: all small, each once, or any of so many. */
static bool fill_indices(Data *d, Rng *r, uint64_t seed, int64_t places)
{
    if (d->part_count != 1 || d->parts[0].scalar != SC_I32 || rng_below(r, 3)) return false;
    switch (rng_below(r, 3)) {
    case 0: data_fill_iota(d); break;
    case 1: data_fill_random(d, seed, 0, (double)(places - 1)); break;
    default: data_fill_random(d, seed, 0, (double)rng_below(r, 3));
    }
    return true;
}

/* Plain values; level: as Generator. */
static void trial_fill(Data *d, Rng *r, int level)
{
    uint64_t seed = rng_next(r);
    if (fill_indices(d, r, seed, 1)) return;
    switch (level < 1 ? 0 : rng_below(r, level < 2 ? 3 : 5)) {
    case 2: data_fill_random(d, seed, -4, 4); break;
    case 3: data_fill_adversarial(d, seed, 1e15); break;
    case 4: data_fill_adversarial(d, seed, 100); break;
    default: data_fill_exact(d, seed, 8); break;
    }
}

/* ---- inputs of one trial ---- */

/* Halves, or small and larger integers. Mixed: each value of any other theme. */
typedef enum Theme { LITERALS, HALVES, SPECIAL, MIXED, THEMES } Theme;

/* Now and then what a square of is v. */
static double root_of(Rng *r, double v) { return v > 0 && rng_below(r, 16) == 0 ? sqrt(v) : v; }

static double value_float(Rng *r, Scalar s, Theme theme, const Literals *l)
{
    if (theme == LITERALS) return root_of(r, literals_near(l, r, s).f);
    if (theme != SPECIAL) return (double)(rng_below(r, 25) - 12) / 2;
    const FloatRange *f = &float_ranges[s];
    double sign = rng_below(r, 2) ? -1 : 1;
    switch (rng_below(r, 8)) {
    case 0: return sign * INFINITY;
    case 1: case 2: return NAN;
    case 3: return sign * 0.0;
    case 4: return sign * (rng_below(r, 2) ? f->least : f->smallest);
    case 5: return sign * f->most;
    case 6: return sign * (f->exact + (double)rng_below(r, 3) - 1);
    default: return sign;
    }
}

static int64_t value_int(Rng *r, Scalar s, Theme theme, const Literals *l)
{
    if (theme == LITERALS) {
        int64_t n = literals_near(l, r, s).i;
        double root = n > 0 ? root_of(r, (double)n) : 0;
        return root > 0 && root * root == (double)n ? (int64_t)root : n;
    }
    int64_t n = rng_below(r, rng_below(r, 2) ? 20 : 200);
    if (theme != SPECIAL) return scalar_is_unsigned(s) || rng_below(r, 2) ? n : -n;
    int bits = 8 * scalar_bytes(s);
    int64_t least = scalar_least(s), most = scalar_most(s), half = (int64_t)((uint64_t)most / 2);
    switch (rng_below(r, 10)) {
    case 0: return least;
    case 1: return most;
    case 2: return least + 1;
    case 3: return most - 1;
    case 4: return (int64_t)((uint64_t)half + (uint64_t)rng_below(r, 2));
    case 5: return scalar_is_unsigned(s) ? (int64_t)((uint64_t)half + 1) : -1;
    case 6: return bits - 1 + rng_below(r, 2);
    case 7: return (bits == 64 ? (int64_t)1 << 53 : 1 << 24) + rng_below(r, 2);
    default: return (int64_t)rng_next(r);
    }
}

static void set_value(Data *d, int part, int64_t at, Rng *r, Theme theme, const Literals *l)
{
    Scalar s = d->parts[part].scalar;
    if (theme == MIXED) theme = (Theme)rng_below(r, MIXED);
    if (theme == LITERALS && !l->count) theme = HALVES;
    if (s == SC_BOOL) data_set_int(d, part, at, rng_below(r, 2));
    else if (scalar_is_float(s)) data_set(d, part, at, value_float(r, s, theme, l));
    else data_set_int(d, part, at, value_int(r, s, theme, l));
}

static int order(const Data *d, int part, int64_t i, int64_t k)
{
    if (!scalar_is_float(d->parts[part].scalar)) {
        int64_t a = data_get_int(d, part, i), b = data_get_int(d, part, k);
        return scalar_order(d->parts[part].scalar, a, b);
    }
    double a = data_get(d, part, i), b = data_get(d, part, k);
    return (a > b) - (a < b);
}

static void swap(Data *d, int part, int64_t i, int64_t k)
{
    size_t n = scalar_bytes(d->parts[part].scalar);
    char *v = d->parts[part].values, saved[16];
    memcpy(saved, v + (size_t)i * n, n);
    memcpy(v + (size_t)i * n, v + (size_t)k * n, n);
    memcpy(v + (size_t)k * n, saved, n);
}

static void fill_each(Data *d, Rng *r, Theme theme, const Literals *l)
{
    for (int p = 0; p < d->part_count; p++)
        for (int64_t i = 0; i < d->parts[p].count; i++) set_value(d, p, i, r, theme, l);
}

/* Every element so, one among small ones, all the same, or in order. */
static void fill_one(Data *d, Rng *r, Theme theme, const Literals *l)
{
    enum { EACH, SOME, SAME_ALL, SORTED, SHAPES } shape = (int)rng_below(r, SHAPES);
    if (shape == SOME) data_fill_exact(d, rng_next(r), 8);
    for (int p = 0; p < d->part_count; p++) {
        int64_t n = d->parts[p].count, one = rng_below(r, n);
        if (shape == SOME) {
            set_value(d, p, one, r, theme, l);
            continue;
        }
        for (int64_t i = 0; i < n; i++) {
            if (shape == SAME_ALL && i)
                memcpy((char *)d->parts[p].values + (size_t)i * scalar_bytes(d->parts[p].scalar), d->parts[p].values,
                       scalar_bytes(d->parts[p].scalar));
            else set_value(d, p, i, r, theme, l);
        }
        if (shape == SORTED) {
            /* By insertion; long arrays with gaps first (Shell). */
            enum { LONG = 256 };
            int64_t m = d->parts[p].count;
            for (int64_t gap = m > LONG ? m / 2 : 1; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
                for (int64_t i = gap; i < m; i++)
                    for (int64_t k = i; k >= gap && order(d, p, k - gap, k) > 0; k -= gap) swap(d, p, k - gap, k);
        }
    }
}

/* All inputs of a trial, with values that rules fail on. own: what each is compared with; now and then all of them meet that. */
static void trial_fill_special(Data *const *data, int count, Rng *r, const Literals *all, const Literals *own)
{
    Theme theme = (Theme)rng_below(r, THEMES);
    bool equal = rng_below(r, 3) == 0, meet = !equal && rng_below(r, 3) == 0;
    int64_t longest = 1;
    for (int i = 0; i < count; i++)
        if (data[i]->type->kind == TY_ARRAY && data[i]->type->size->value > longest) longest = data[i]->type->size->value;
    for (int i = 0; i < count; i++) {
        const Data *like = NULL;
        for (int k = 0; k < i && equal; k++)
            if (data[k]->type == data[i]->type) like = data[k];
        if (like) {
            for (int p = 0; p < data[i]->part_count; p++)
                memcpy(data[i]->parts[p].values, like->parts[p].values,
                       (size_t)data[i]->parts[p].count * scalar_bytes(data[i]->parts[p].scalar));
        } else if (meet && own[i].count) fill_each(data[i], r, LITERALS, &own[i]);
        else if (!fill_indices(data[i], r, rng_next(r), longest)) fill_one(data[i], r, theme, all);
    }
}

enum { STEPS_MAX = 400000 };

/* ---- are two terms equal on these inputs? ---- */

typedef enum Outcome { SAME, ROUNDED, INCOMPARABLE, NO_VALUE, DIFFERENT } Outcome;

typedef struct Comparison {
    Ctx *c;
    Arena *arena;                            /* of the texts below */
    const Term *left, *right;
    const EvalInput *inputs;
    int input_count;
    const volatile int *stop;
    bool approximate;                        /* of a rule that says so */
    /* DIFFERENT: */
    int part;
    int64_t index;
    const char *left_text, *right_text;      /* the two values */
    const char *error;                       /* the right side has no value; or NULL */
} Comparison;

static Eval *evaluation(const Comparison *k, const Term *t, EvalMode mode)
{
    Eval *e = eval_new(k->c, t, k->inputs, k->input_count, mode);
    if (e) eval_limit(e, STEPS_MAX, k->stop);
    return e;
}

/* NULL: it has none, and diag may say why. */
static Data *whole_value(const Comparison *k, const Term *t, Diag *diag)
{
    Eval *e = evaluation(k, t, EVAL_EXACT);
    Data *d = e ? data_new(k->c, t->type) : NULL;
    bool ok = d && eval_full(e, d, diag);
    eval_free(e);
    if (ok) return d;
    data_free(d);
    return NULL;
}

static bool has_value(const Comparison *k, const Term *t)
{
    Data *d = whole_value(k, t, &k->c->diag);
    data_free(d);
    diag_clear(&k->c->diag);
    return d != NULL;
}

static bool same_element(const Data *a, const Data *b, int part, int64_t i)
{
    if (!scalar_is_float(a->parts[part].scalar)) return data_get_int(a, part, i) == data_get_int(b, part, i);
    double x = data_get(a, part, i), y = data_get(b, part, i);
    return x == y || (isnan(x) && isnan(y));
}

static const char *element_text(Arena *arena, const Data *d, int part, int64_t i)
{
    return TEXT_OF(arena, b, data_print_at(d, part, i, &b));
}

static Outcome different(Comparison *k, const Data *a, const Data *b, int part, int64_t i)
{
    k->part = part;
    k->index = i;
    k->left_text = element_text(k->arena, a, part, i);
    k->right_text = element_text(k->arena, b, part, i);
    return DIFFERENT;
}

static Outcome worse(Outcome a, Outcome b) { return a > b ? a : b; }

/* What computing that element raises: IEEE flags; in the wider precision, too, which has the range of f64. */
static int exceptions(const Comparison *k, const Term *t, int part, int64_t i)
{
    static const EvalMode modes[] = {EVAL_EXACT, EVAL_WIDE};
    feclearexcept(FE_ALL_EXCEPT);
    for (int m = 0; m < COUNT(modes); m++) {
        EvalScalar value;
        Eval *e = evaluation(k, t, modes[m]);
        if (e) eval_at(e, part, i, &value, &k->c->diag);
        eval_free(e);
    }
    diag_clear(&k->c->diag);
    return fetestexcept(FE_ALL_EXCEPT);
}

static bool has_infinite_input(const Comparison *k)
{
    for (int i = 0; i < k->input_count; i++) {
        const Data *d = k->inputs[i].data;
        for (int p = 0; p < d->part_count; p++)
            for (int64_t n = 0; scalar_is_float(d->parts[p].scalar) && n < d->parts[p].count; n++)
                if (isinf(data_get(d, p, n))) return true;
    }
    return false;
}

/* Has it sums or products, whose order may have changed? */
static bool has_arithmetic(const Term *t)
{
    static const PrimId ids[] = {PRIM_ADD, PRIM_SUB, PRIM_MUL, PRIM_DIV, PRIM_FMA, PRIM_VDOT};
    if (t->kind == T_PRIM && ANY(i, COUNT(ids), t->prim == ids[i])) return true;
    return ANY(i, t->arg_count, has_arithmetic(t->args[i]));
}

/* Is the difference between the sides no more than rounding in that precision explains, or that of literals? What is wrong is off by
 * far more than the first factor; the second makes up for the few draws. Numbers near the least one have fewer digits. */
static bool is_rounding(Precise sides[2], DoubleDouble v, DoubleDouble w, int part, int64_t i)
{
    static const double unit = 0x1p-96, least = DBL_MIN, factor[CAUSES] = {[ROUNDING] = 0x1p20, [LITERALS_MOVE] = 16};
    double apart = fabs(dd_add(v, dd_neg(w)).hi), explained = unit * fmax(fabs(v.hi), fabs(w.hi)) + least;
    for (Cause c = 0; c < CAUSES && apart > explained; c++)
        explained += factor[c] * (precise_spread(&sides[0], c, part, i) + precise_spread(&sides[1], c, part, i));
    return apart <= explained;
}

/* An element that differs, x on the left and y on the right. Rounded: the difference is gone in a wider precision, or as small as
 * rounding there makes it. Incomparable: rounding cannot be told from a difference, since an operation on numbers left the range of
 * its type; or one side is inf and the other NaN that arithmetic made of infinities, as a sum in another order does. */
static Outcome compare_element(const Comparison *k, Precise sides[2], double x, double y, int part, int64_t i)
{
    DoubleDouble v, w;
    if (!precise_value(&sides[0], part, i, &v) || !precise_value(&sides[1], part, i, &w)) return NO_VALUE;
    bool same = (v.hi == w.hi && v.lo == w.lo) || (isnan(v.hi) && isnan(w.hi));
    bool rounded = same || (isfinite(v.hi) && isfinite(w.hi) && is_rounding(sides, v, w, part, i));
    if (rounded && isfinite(x) == isfinite(y)) return ROUNDED;
    int raised = exceptions(k, k->left, part, i) | exceptions(k, k->right, part, i);
    if (rounded && !(raised & FE_OVERFLOW)) return ROUNDED;
    if (raised & (FE_OVERFLOW | FE_UNDERFLOW)) return INCOMPARABLE;
    bool infinite = !isfinite(x) && !isfinite(y) && isnan(x) != isnan(y);
    bool made = raised & FE_INVALID && (raised & FE_DIVBYZERO || has_infinite_input(k)) && has_arithmetic(k->left);
    return infinite && made ? INCOMPARABLE : DIFFERENT;
}

static Precise precise(const Comparison *k, const Term *t)
{
    return (Precise){.c = k->c, .term = t, .inputs = k->inputs, .input_count = k->input_count, .steps = STEPS_MAX, .stop = k->stop, .approximate = k->approximate};
}

static Outcome compare_part(Comparison *k, const Data *a, const Data *b, int part)
{
    bool is_float = scalar_is_float(a->parts[part].scalar);
    Precise sides[2] = {precise(k, k->left), precise(k, k->right)};
    Outcome out = SAME;
    for (int64_t i = 0; i < a->parts[part].count && out < NO_VALUE; i++) {
        if (same_element(a, b, part, i)) continue;
        Outcome o = is_float ? compare_element(k, sides, data_get(a, part, i), data_get(b, part, i), part, i) : DIFFERENT;
        out = o == DIFFERENT ? different(k, a, b, part, i) : worse(out, o);
    }
    precise_free(&sides[0]);
    precise_free(&sides[1]);
    return out;
}

/* Texts only where it is DIFFERENT. No value: the left side has none, or there was no time for the right one. */
static Outcome comparison_run(Comparison *k)
{
    LOCAL(diag_free) Diag failure = diag_new();
    Outcome out = NO_VALUE;
    k->error = NULL;
    Data *a = whole_value(k, k->left, &k->c->diag), *b = a ? whole_value(k, k->right, &failure) : NULL;
    if (a && b) {
        out = SAME;
        for (int p = 0; p < a->part_count && out < DIFFERENT; p++) out = worse(out, compare_part(k, a, b, p));
    } else if (a && failure.id != E25) {
        out = DIFFERENT;
        const char *why = failure.message ? failure.message : k->c->diag.message;
        k->error = arena_strdup(k->arena, why ? why : "it is too large");
    }
    diag_clear(&k->c->diag);
    data_free(a);
    data_free(b);
    return out;
}

/* Row-major index as [i][j]. */
static void print_index(const Type *t, int64_t flat, Buf *out)
{
    int64_t inner = 1;
    if (t->kind != TY_ARRAY || !t->size->is_const) return;
    for (const Type *e = t->elems[0]; e->kind == TY_ARRAY && e->size->is_const; e = e->elems[0])
        inner *= e->size->value;
    buf_printf(out, "[%lld]", (long long)(flat / inner));
    print_index(t->elems[0], flat % inner, out);
}

/* "element [2] is 1 on the left, 2 on the right" */
static void comparison_print(const Comparison *k, Buf *out)
{
    if (k->error) {
        buf_printf(out, "the left side has a value, the right side has none: %s", k->error);
        return;
    }
    bool array = k->left->type->kind == TY_ARRAY;
    buf_puts(out, array ? "element " : "the result");
    print_index(k->left->type, k->index, out);
    if (k->part) buf_printf(out, "%s component %d", array ? " of" : ",", k->part);
    buf_printf(out, " is %s on the left, %s on the right", k->left_text, k->right_text);
}

enum { CONTEXT_TRIALS = 250, SKIPS_PER_TRIAL = 40, SHRINK_SEEDS = 24, SHRINK_SEEDS_FAR = 4, SPECIAL_FILLS = 3 };

/* ---- one trial of a rule ---- */

typedef struct Trial {
    Arena *arena;
    Instance instance;
    bool made;
    Data *data[INPUTS_MAX];
    EvalInput inputs[INPUTS_MAX];
    int input_count;
    RuleResult result;
    bool applied;                            /* the rule by itself; else its right side was made of the same values */
    Comparison comparison;
    Outcome outcome;
    const char *failure;                     /* why there is no right side; or NULL */
    const char *needs, *found;               /* of that, or NULL */
} Trial;

/* A context of its own with the rule read again, so that a long check leaves nothing behind. */
typedef struct Bench {
    Ctx *c;
    Rules *rules;
    Defs *defs;
    Rule *rule;
    Reach reach;
    const CheckOracle *oracle;               /* NULL: nobody answers */
    const volatile int *stop;
    bool swept[SC_COUNT];                    /* trial_sweep has been at inputs of these */
} Bench;

static bool bench_open(Bench *b, const Rule *r)
{
    b->c = ctx_new();
    b->rules = rules_alone(b->c, r);
    b->defs = defs_new(b->c);
    const char *text = property_declarations();
    Source s = {"properties", text, strlen(text)};
    const Program *none;
    if (!defs_load(b->c, b->defs, &s, &none)) return false;
    b->rule = rules_find(b->rules, r->name);
    if (b->rule) reach_rule(&b->reach, b->rule);
    if (b->oracle) b->oracle->begin(b->oracle->data, b->c);
    return b->rule != NULL;
}

static void bench_close(Bench *b)
{
    if (b->oracle) b->oracle->begin(b->oracle->data, NULL);
    rules_free(b->rules);
    defs_free(b->defs);
    ctx_free(b->c);
}

static bool mentions_input(const Term *t, const char *name)
{
    if (t->kind == T_INPUT) return t->u.name == name;
    return ANY(i, t->arg_count, mentions_input(t->args[i], name));
}

/* The right side of the instance: what the rule makes of the left one. Elaborated, a left side may have another form than
 * the rule's (beta, projections, a let that was inlined): then the right side is made of the same values. */
static bool right_side(Trial *t, Bench *b)
{
    Instance *i = &t->instance;
    RewriteEnv env = {.c = b->c, .defs = b->defs};
    if (b->oracle) env.call = b->oracle->call, env.call_data = b->oracle->data;
    t->applied = rule_apply(&env, b->rule, i->args, i->root, &i->at, false, &t->result);
    diag_clear(&b->c->diag);
    if (t->applied || rule_instantiate(&env, b->rule, i->env, i->root, &i->at, true, &t->result)) {
        if (t->result.after->type != t->result.before->type) t->failure = "the type of the result differs";
        else if (!facts_hold(b->c, t->result.root)) t->failure = "the right side breaks a fact that `when` does not state";
        return !t->failure;
    }
    Diag *d = &b->c->diag;
    for (int k = 0; k < d->note_count; k++) {
        const char *text = arena_strdup(t->arena, d->notes[k].text);
        if (strcmp(d->notes[k].label, "needs") == 0) t->needs = text;
        else if (strcmp(d->notes[k].label, "found") == 0) t->found = text;
    }
    t->failure = arena_printf(t->arena, "the rule does not apply%s%s%s%s", t->needs ? ": it needs " : "",
                              t->needs ? t->needs : "", t->found ? ", found " : "", t->found ? t->found : "");
    diag_clear(d);
    return false;
}

/* Those that something of the input is compared with, and the ends of arrays where it is an index. */
static void literals_of_input(Literals *l, const Term *t, const char *name)
{
    if (!mentions_input(t, name)) return;
    bool compares = t->kind == T_PRIM && prim_compares((PrimId)t->prim) && ANY(i, t->arg_count, t->args[i]->kind == T_LIT);
    bool indexes = t->kind == T_PRIM && prim((PrimId)t->prim)->traits & PT_INDEXED;
    if (compares) literals_collect(l, t);
    for (int i = 0; i < t->arg_count; i++) {
        if (indexes) literals_collect_lengths(l, t->args[i]->type);
        literals_of_input(l, t->args[i], name);
    }
}

/* Of a trial compared on several inputs: it differs on one, else some are compared, else none. */
static void compare_again(Trial *t)
{
    static const int weight[] = {[NO_VALUE] = 0, [INCOMPARABLE] = 1, [SAME] = 2, [ROUNDED] = 3, [DIFFERENT] = 4};
    Outcome b = comparison_run(&t->comparison);
    t->outcome = weight[t->outcome] > weight[b] ? t->outcome : b;
}

static bool is_whole(const Data *d) { return d->type->kind == TY_SCALAR && scalar_is_int(d->type->scalar); }

/* Each whole number by itself is what it is compared with, in turn, and the ends of what it is an index of; the others are 0, and
 * elements of arrays differ. */
static void trial_meet(Trial *t, Rng *r, const Literals *own)
{
    for (int i = 0; i < t->input_count; i++)
        for (int k = 0; is_whole(t->data[i]) && k < own[i].count && t->outcome != DIFFERENT; k++) {
            for (int other = 0; other < t->input_count; other++) {
                if (is_whole(t->data[other])) data_set_int(t->data[other], 0, 0, other == i ? own[i].v[k].i : 0);
                if (t->data[other]->type->kind == TY_ARRAY) data_fill_random(t->data[other], rng_next(r), -1000, 1000);
            }
            compare_again(t);
        }
}

enum { SWEEP = 1000, CORNERS = 256 };

/* Whole numbers of a type of 8 bits by what they are worth: its ends, where a sum wraps, literals, what meets these after a step with
 * another of them; then all others. */
static int corners_of(Scalar s, const Literals *l, int64_t out[CORNERS])
{
    int64_t least = scalar_least(s), most = scalar_most(s), half = (int64_t)((uint64_t)most / 2);
    int64_t first[32] = {0, -1, least, most, -half - 1, half + 1, 1};
    int n = 7, found = 0;
    bool has[CORNERS] = {false};
    for (int i = 0; i < l->count && n < COUNT(first); i++) first[n++] = l->v[i].i;
    for (int64_t k = 0; k < n + 2 * n * n + CORNERS; k++) {
        int64_t j = k - n, a = first[k < n ? k : j / 2 / n % n], b = k < n ? 0 : first[j / 2 % n];
        uint8_t v = j < 2 * n * n ? (uint8_t)((uint64_t)a + (j & 1 ? -(uint64_t)b : (uint64_t)b)) : (uint8_t)j;
        if (has[v]) continue;
        has[v] = true;
        out[found++] = scalar_wrapped(s, v);
    }
    return found;
}

/* Every such value of an input of 8 bits, every pair of the first ones of two, and so on; arrays have consecutive ones. */
static void trial_sweep(Trial *t, bool *swept, const Literals *l)
{
    int64_t corners[SC_COUNT][CORNERS];
    int each[SC_COUNT] = {0}, dims = 0, most = CORNERS, combinations = 1;
    bool fresh = false;
    for (int i = 0; i < t->input_count; i++)
        for (const DataPart *p = t->data[i]->parts; p < t->data[i]->parts + t->data[i]->part_count; p++) {
            Scalar s = p->scalar;
            if (!scalar_is_int(s) || scalar_bytes(s) > 1) continue;
            dims++;
            fresh |= !swept[s];
            swept[s] = true;
            if (!each[s]) each[s] = corners_of(s, l, corners[s]);
        }
    while (dims > 1 && pow(most, dims) > SWEEP) most--;
    for (int d = 0; d < dims; d++) combinations *= most;
    for (int k = 0; fresh && k < combinations && t->outcome != DIFFERENT; k++) {
        int left = k;
        for (int i = 0; i < t->input_count; i++)
            for (int q = 0; q < t->data[i]->part_count; q++) {
                const DataPart *p = &t->data[i]->parts[q];
                if (!each[p->scalar]) continue;
                for (int64_t at = 0; at < p->count; at++) data_set_int(t->data[i], q, at, corners[p->scalar][(left % most + at) % each[p->scalar]]);
                left /= most;
            }
        compare_again(t);
    }
}

/* Compare both sides of t->comparison on the inputs as they are, then on `special` special ones while they are equal; swept: NULL, or
 * Bench.swept. */
static void trial_try(Trial *t, Rng *r, int special, bool *swept)
{
    Literals literals = {.count = 0}, own[INPUTS_MAX];
    t->outcome = comparison_run(&t->comparison);
    if (!special || !t->input_count || t->outcome == DIFFERENT) return;
    literals_collect(&literals, t->comparison.left);
    literals_collect(&literals, t->comparison.right);
    for (int i = 0; i < t->input_count; i++) {
        literals_collect_lengths(&literals, t->inputs[i].data->type);
        own[i].count = 0;
        literals_of_input(&own[i], t->comparison.left, t->inputs[i].name);
        literals_of_input(&own[i], t->comparison.right, t->inputs[i].name);
    }
    trial_meet(t, r, own);
    for (int k = 0; k < special && t->outcome != DIFFERENT; k++) {
        trial_fill_special(t->data, t->input_count, r, &literals, own);
        compare_again(t);
    }
    if (swept) trial_sweep(t, swept, &literals);
}

/* One more input of the trial, with plain values. False: it is too large. */
static bool trial_input(Trial *t, Ctx *c, const char *name, const Type *type, Rng *r, int level)
{
    Data *d = t->input_count < INPUTS_MAX ? data_new(c, type) : NULL;
    if (!d) return false;
    trial_fill(d, r, level);
    t->data[t->input_count] = d;
    t->inputs[t->input_count++] = (EvalInput){name, d, false};
    return true;
}

static void trial_run(Trial *t, Bench *b, Draw d)
{
    memset(t, 0, sizeof *t);
    t->arena = arena_new();
    t->made = instance_make(&t->instance, b->c, t->arena, b->defs, b->rule, &b->reach, &d);
    t->outcome = NO_VALUE;
    if (t->made && t->instance.infer.asks && !b->oracle)
        t->made = false, t->instance.problem = "a condition is a Lua function";
    if (!t->made) return;
    bool ok = right_side(t, b);
    Generator *g = &t->instance.g;
    const Term *left = t->instance.root, *right = t->result.root;
    for (int i = 0; i < g->input_count; i++) {
        const Input *in = &g->inputs[i];
        bool used = mentions_input(left, in->name) || (right && mentions_input(right, in->name));
        if (used) trial_input(t, g->c, in->name, in->type, &g->rng, d.level);
    }
    t->comparison = (Comparison){.c = b->c, .arena = t->arena, .left = t->instance.root, .right = t->result.root,
                                 .inputs = t->inputs, .input_count = t->input_count, .stop = b->stop, .approximate = rule_is_approximate(b->rule)};
    if (ok) trial_try(t, &t->instance.g.rng, d.special, b->swept);
    else if (ANY(i, t->result.cond_count, t->result.conds[i].verdict < 1)) {      /* then the draw was no instance */
        t->made = false;
        t->instance.problem = arena_printf(t->arena, "%s does not hold on what was drawn: %s",
                                           t->needs ? t->needs : "a condition", t->found ? t->found : "it is false");
    } else if (has_value(&t->comparison, t->comparison.left)) t->outcome = DIFFERENT;
}

static void trial_free(Trial *t)
{
    for (int i = 0; i < t->input_count; i++) data_free(t->data[i]);
    instance_free(&t->instance);
    arena_free(t->arena);
}

/* ---- text of a counterexample ---- */

enum { VALUES_MAX = 100000 };            /* scalars of an input that are written out: all */

/* "data x = [1, 2]" for every input */
static void trial_print_inputs(const Trial *t, Buf *out)
{
    for (int i = 0; i < t->input_count; i++) {
        buf_printf(out, "data %s = ", t->inputs[i].name);
        data_print_head(t->inputs[i].data, VALUES_MAX, out);
        buf_putc(out, '\n');
    }
}

/* "let name (x: [2]f32) = ..." */
static void print_program(const Trial *t, const char *name, const Term *body, Buf *out)
{
    buf_printf(out, "let %s", name);
    for (int i = 0; i < t->input_count; i++) {
        buf_printf(out, " (%s: ", t->inputs[i].name);
        type_print(t->inputs[i].data->type, out);
        buf_putc(out, ')');
    }
    buf_puts(out, " = ");
    lang_print(t->instance.g.c, body, &(PrintOptions){.width = 0}, out);
    buf_putc(out, '\n');
}

static const char *trial_difference(const Trial *t, Arena *arena)
{
    Buf b = {0};
    if (t->failure) buf_puts(&b, t->failure);
    else comparison_print(&t->comparison, &b);
    return buf_take(&b, arena);
}

/* The left side as a program, its values, the application: what to type to see the difference. */
static const char *replay_text(const Trial *t, const Rule *r, Arena *arena)
{
    Buf b = {0};
    const Instance *i = &t->instance;
    Ctx *c = i->g.c;
    for (int k = 0; k < i->declared_count; k++) buf_printf(&b, "%s\n", i->declared[k]);
    print_program(t, "counterexample", i->root, &b);
    trial_print_inputs(t, &b);
    buf_puts(&b, "eval\n");
    if (t->applied || t->failure)
        buf_printf(&b, "apply %s at %s\n", rule_call_text(c, r, i->args), path_text(c, i->root, &i->at));
    else {
        buf_puts(&b, "# the right side with the same values: the rule itself does not apply to this form\n");
        print_program(t, "right", t->result.root, &b);
        trial_print_inputs(t, &b);
    }
    if (t->result.root) buf_puts(&b, "eval\n");
    return buf_take(&b, arena);
}

/* ---- shrinking ---- */

/* That element 0, else 1, else 2, as long as the sides differ; how many were tried. */
static int shrink_element(Trial *t, Data *d, int part, int64_t i)
{
    bool whole = !scalar_is_float(d->parts[part].scalar);
    double f = whole ? 0 : data_get(d, part, i);
    int64_t n = whole ? data_get_int(d, part, i) : 0;
    int v = 0;
    for (; v < 3 && !(whole ? n == v : f == v && !signbit(f)); v++) {
        Comparison saved = t->comparison;
        data_set_int(d, part, i, v);
        if (comparison_run(&t->comparison) == DIFFERENT) return v + 1;
        t->comparison = saved;
    }
    if (whole) data_set_int(d, part, i, n);
    else data_set(d, part, i, f);
    return v;
}

/* Every element of a part 0, as long as the sides differ. */
static void shrink_part(Trial *t, DataPart *p)
{
    size_t n = (size_t)p->count * scalar_bytes(p->scalar);
    Comparison saved = t->comparison;
    LOCAL(drop) char *were = mem_alloc(n);
    memcpy(were, p->values, n);
    memset(p->values, 0, n);
    if (comparison_run(&t->comparison) == DIFFERENT) return;
    memcpy(p->values, were, n);
    t->comparison = saved;
}

/* Plain values, 0 to 2, in place of those of a trial that differs, as long as it does. */
static void trial_shrink_data(Trial *t)
{
    int budget = 200;
    for (int i = 0; i < t->input_count && !t->failure; i++)
        for (int p = 0; p < t->data[i]->part_count; p++) {
            DataPart *part = &t->data[i]->parts[p];
            if (part->count > 1) shrink_part(t, part);
            for (int64_t k = 0; k < part->count && budget > 0; k++) budget -= shrink_element(t, t->data[i], p, k);
        }
}

/* A refuted instance of such a draw, if one of a few seeds makes one: *t and its seed are replaced. */
static bool shrink_to(Trial *t, Bench *b, Draw d, uint64_t *seed)
{
    int seeds = d.far ? SHRINK_SEEDS_FAR : SHRINK_SEEDS;
    memset(b->swept, 0, sizeof b->swept);
    for (int k = 0; k < seeds; k++) {
        Trial other;
        Draw one = d;
        one.seed = hash_mix(d.seed, (uint64_t)k);
        trial_run(&other, b, one);
        bool refutes = other.made && other.outcome == DIFFERENT && other.applied >= t->applied;
        trial_free(refutes ? t : &other);
        if (!refutes) continue;
        *t = other;
        t->comparison.inputs = t->inputs;
        *seed = one.seed;
        return true;
    }
    return false;
}

static bool shrink_sizes(Trial *t, Bench *b, Draw d, uint64_t *seed)
{
    d.bare = true;
    for (int l = 0, level = d.level, special = 4 * d.special; l <= level; l++) {
        d.level = l;
        d.special = 0;
        if (shrink_to(t, b, d, seed)) return true;
        d.special = special;
        if (shrink_to(t, b, d, seed)) return true;
    }
    return false;
}

/* The simplest instance that is refuted too: smallest sizes first, then plainest functions, then plain inputs. */
static void shrink(Trial *t, Bench *b, Draw d, uint64_t *seed)
{
    static const int sizes[] = {1, 2, 3, 4, 6, 9, 12};
    Draw one = d;
    one.far = 0;
    for (int s = 0; s < COUNT(sizes) && sizes[s] <= d.largest; s++) {
        one.largest = sizes[s];
        if (shrink_sizes(t, b, one, seed)) return;
    }
    if (!d.far) return;
    one.largest = 3;
    while ((one.far = reach_next(&b->reach, one.far)) && one.far <= d.far)
        if (shrink_sizes(t, b, one, seed)) return;
}

/* ---- checking a rule ---- */

typedef struct Check {
    Ctx *c;                                  /* the caller's: for texts */
    int trials;
    uint64_t seed;
    CheckResult result;
    char reason[200];                        /* why the latest draw gave no instance */
} Check;

static void check_count(CheckResult *r, Outcome o)
{
    r->passed += o <= INCOMPARABLE;
    r->rounded += o == ROUNDED;
    r->incomparable += o == INCOMPARABLE;
    r->skipped += o == NO_VALUE;
}

/* Draw n more; false: decided. */
static bool check_some(Check *k, Bench *b, int n)
{
    static const int sizes[] = {4, 12, 6, 3, 12, 8};
    for (int i = 0; i < n && k->result.passed < k->trials; i++) {
        int draw = k->result.passed + k->result.skipped;
        Draw d = {.seed = hash_mix(k->seed, (uint64_t)draw), .level = draw % 4, .largest = sizes[draw % COUNT(sizes)],
                  .far = reach_draw(&b->reach, draw), .special = SPECIAL_FILLS};
        if (b->stop && *b->stop) return snprintf(k->reason, sizeof k->reason, "interrupted"), false;
        if (rule_takes_finite(b->rule)) d.special = 0;
        LOCAL(trial_free) Trial t;
        trial_run(&t, b, d);
        if (!t.made) snprintf(k->reason, sizeof k->reason, "%s", t.instance.problem);
        if (t.outcome == DIFFERENT) {
            k->result.verdict = CHECK_REFUTED;
            k->result.seed = d.seed;
            shrink(&t, b, d, &k->result.seed);
            trial_shrink_data(&t);
            k->result.difference = trial_difference(&t, k->c->diag.arena);
            k->result.replay = replay_text(&t, b->rule, k->c->diag.arena);
        } else check_count(&k->result, t.outcome);
        k->result.applied += t.applied && t.outcome <= INCOMPARABLE;
        if (k->result.verdict == CHECK_REFUTED || k->result.skipped > SKIPS_PER_TRIAL * (k->result.passed + 10))
            return false;
    }
    return k->result.passed < k->trials;
}

CheckResult rule_check(Ctx *c, Rule *r, const CheckResult *passed, int trials, const CheckOracle *oracle, const volatile int *stop)
{
    Check k = {.c = c, .trials = trials, .seed = passed->seed, .result = *passed};
    for (bool more = true; more;) {
        LOCAL(bench_close) Bench b = {.oracle = oracle, .stop = stop};
        more = bench_open(&b, r) && check_some(&k, &b, CONTEXT_TRIALS);
        if (!b.rule) snprintf(k.reason, sizeof k.reason, "the rule cannot be read again");
    }
    CheckResult *out = &k.result;
    if (out->verdict == CHECK_REFUTED) {
        r->refuted = true;
        r->check_seed = k.seed;
        r->check_count = 0;
        if (rule_is_user(r)) r->trust = TRUST_ASSUMED;
        return *out;
    }
    if (out->passed < k.trials) {
        out->verdict = CHECK_IMPOSSIBLE;
        const char *why = *k.reason ? k.reason : "the left side has no value on most inputs";
        out->reason = arena_strdup(k.c->diag.arena, why);
        return *out;
    }
    if (r->trust == TRUST_ASSUMED) r->trust = TRUST_CHECKED;
    r->refuted = false;
    r->check_seed = k.seed;
    r->check_count = k.trials;
    return *out;
}

/* ---- a worked example ---- */

static const char *example_text(const Trial *t, Arena *arena)
{
    Buf b = {0};
    PrintOptions plain = {0};
    const Instance *i = &t->instance;
    Ctx *c = i->g.c;
    lang_print_at(c, i->root, i->at.slots, i->at.length, &plain, &b);
    buf_puts(&b, "  =>  ");
    lang_print_at(c, t->result.root, i->at.slots, i->at.length, &plain, &b);
    for (int k = 0; k < t->input_count; k++) {
        buf_printf(&b, "%s%s: ", k ? ", " : "      ", t->inputs[k].name);
        type_print(t->inputs[k].data->type, &b);
    }
    return buf_take(&b, arena);
}

/* Identities, constants, and sizes of one show little. */
static int dullness(const Term *t)
{
    int n = t->kind == T_LAM && (t->args[0]->kind == T_VAR || t->args[0]->kind == T_LIT);
    for (int i = 0; i < t->static_count; i++) n += t->statics[i]->is_const && t->statics[i]->value == 1;
    for (int i = 0; i < t->arg_count; i++) n += dullness(t->args[i]);
    if (t->kind == T_INPUT)
        for (const Type *type = t->type; type->kind == TY_ARRAY; type = type->elems[0])
            n += type->size->is_const && type->size->value < 2;
    return n;
}

const char *rule_example(Ctx *c, const Rule *r)
{
    enum { SEEDS = 150, LARGEST = 6 };
    LOCAL(bench_close) Bench b = {0};
    const char *best = NULL;
    uint32_t size = UINT32_MAX;
    bool open = bench_open(&b, r);
    for (int i = 0; open && i < SEEDS; i++) {
        LOCAL(trial_free) Trial t;
        trial_run(&t, &b, (Draw){.seed = hash_mix(1, (uint64_t)i), .largest = LARGEST, .bare = true});
        bool good = t.made && t.applied && t.outcome <= ROUNDED && t.result.root != t.instance.root;
        uint32_t cost = good ? t.instance.root->size + 20 * (uint32_t)dullness(t.instance.root) : 0;
        for (int k = 0; k < r->param_count; k++)
            if (good && t.instance.args[k].size && t.instance.args[k].size->is_const && t.instance.args[k].size->value < 2)
                cost += 20;
        if (good && cost < size) best = example_text(&t, c->diag.arena), size = cost;
    }
    return best;
}

/* ---- two terms ---- */

typedef struct Sizes {
    Ctx *c;
    NatAtomVec vars;
    VEC(Fact) facts;
    VEC(int64_t) units;                  /* constants that facts name: chunks of 64 need multiples of 64 */
    int factors;                         /* how many of them a size is a multiple of, as far as is known at most */
    Reach reach;
    int64_t values[VALUATION_MAX];
} Sizes;

static void add_vars(Sizes *s, const Nat *n, const NatAtom *bound)
{
    LOCAL(drop) NatAtomVec all = nat_vars_in(n);
    for (int i = 0; i < all.n; i++) {
        if (all.v[i] != bound && !ANY(k, s->vars.n, s->vars.v[k] == all.v[i])) vec_push(&s->vars, all.v[i]);
    }
}

static void add_type(Sizes *s, const Type *t)
{
    if (t->kind == TY_ARRAY) add_vars(s, t->size, NULL);
    for (int i = 0; i < t->count; i++) add_type(s, t->elems[i]);
}

/* Variables and facts of a term; bound is the length inside an iterate, which has no value of its own. */
static void add_term(Sizes *s, const Term *t, const NatAtom *bound)
{
    Fact facts[8];
    int n = term_own_facts(s->c, t, facts);
    for (int i = 0; i < n; i++)
        if (!bound || !(nat_mentions(facts[i].a, bound) || nat_mentions(facts[i].b, bound)))
            vec_push(&s->facts, facts[i]);
    if (t->kind == T_SIZE) add_vars(s, t->u.nat, bound);
    for (int i = 0; i < t->static_count; i++) add_vars(s, t->statics[i], bound);
    for (int i = 0; i < t->arg_count; i++) {
        bool iterate = term_is(t, PRIM_ITERATE) && i == 0;
        const Nat *p = iterate ? t->args[0]->type->elems[0]->size : NULL;
        add_term(s, t->args[i], p && !p->is_const ? nat_atom(p) : bound);
    }
}

static bool size_value(void *data, const NatAtom *v, int64_t *out)
{
    const Sizes *s = data;
    for (int i = 0; i < s->vars.n && i < VALUATION_MAX; i++)
        if (s->vars.v[i] == v) return *out = s->values[i], true;
    return false;
}

static bool sizes_meet_facts(Sizes *s)
{
    for (int i = 0; i < s->facts.n; i++) {
        const Fact *f = &s->facts.v[i];
        int64_t a, b;
        if (!nat_eval(f->a, size_value, s, &a) || !nat_eval(f->b, size_value, s, &b)) return false;
        if (!fact_holds(f->kind, a, b)) return false;
    }
    return true;
}

enum { FACTORS_MAX = 2, FAR_TRIALS = 400, UNIT_MAX = 4096, MULTIPLE_MAX = 1 << 16, WORK_MAX = 1 << 20 };

/* largest 0: as they come, powers of two preferred. With factors: a small multiple of some of the units, or a small number. */
static int64_t draw_size(const Sizes *s, Rng *r, int largest)
{
    static const int even[] = {1, 2, 2, 4, 4, 6, 8, 8, 12, 16, 24};
    if (!s->factors && largest) return 1 + rng_below(r, largest);
    if (!s->factors) return rng_below(r, 2) ? even[rng_below(r, COUNT(even))] : 1 + rng_below(r, 12);
    int64_t size = 1 + rng_below(r, 4);
    for (int i = 0; i < s->factors; i++) {
        int64_t unit = s->units.v[rng_below(r, s->units.n)];
        if (rng_below(r, 4) && size * unit <= MULTIPLE_MAX) size *= unit;
    }
    return size;
}

/* How many; -1: none that meet the facts were drawn. far: as of Draw. */
static int draw_sizes(Sizes *s, Rng *r, int largest, int64_t far, NatBinding *map)
{
    uint64_t which = far ? rng_next(r) : 0;
    int n = s->vars.n < VALUATION_MAX ? s->vars.n : VALUATION_MAX, trials = largest ? 300 : 4000;
    for (int trial = 0;; trial++) {
        if (trial == (far ? FAR_TRIALS : trials)) {
            if (far) far = 0;
            else if (largest || !s->units.n || s->factors == FACTORS_MAX) return -1;
            else s->factors++;
            trial = 0;
        }
        int64_t work = 1;                        /* as far as sizes tell: could the interpreter do that many times? */
        for (int i = 0; i < n; i++) s->values[i] = draw_size(s, r, largest);
        if (far) reach_place(&s->reach, far, which, trial, r, s->values, n);
        for (int i = 0; i < n && work <= WORK_MAX; i++) work *= s->values[i];
        if (sizes_meet_facts(s) && ((!s->factors && !far) || work <= WORK_MAX)) break;
    }
    for (int i = 0; i < n; i++) map[i] = (NatBinding){s->vars.v[i], nat_const(s->c->nats, s->values[i])};
    return n;
}

typedef struct Pair {
    Arena *arena;
    Sizes sizes;
    const Input *inputs;
    int input_count;
    const Term *left, *right;
    const volatile int *stop;
    bool approximate;
} Pair;

enum { PAIR_FILLS = 2 };

static Outcome pair_trial(Pair *p, Rng *r, int level, int largest, int64_t far, CheckResult *result)
{
    Ctx *c = p->sizes.c;
    NatBinding map[VALUATION_MAX];
    LOCAL(trial_free) Trial t = {.outcome = NO_VALUE};
    int n = draw_sizes(&p->sizes, r, largest, far, map);
    if (n < 0 && !largest) result->reason = "no small sizes meet the facts of both";
    if (n < 0) return NO_VALUE;
    const Term *a = term_subst_nats(c, p->left, map, n), *b = a ? term_subst_nats(c, p->right, map, n) : NULL;
    diag_clear(&c->diag);
    bool ready = b != NULL;
    for (int i = 0; ready && i < p->input_count; i++)
        ready = trial_input(&t, c, p->inputs[i].name, type_subst(c, p->inputs[i].type, map, n), r, level);
    t.comparison = (Comparison){.c = c, .arena = p->arena, .left = a, .right = b, .inputs = t.inputs,
                                .input_count = t.input_count, .stop = p->stop, .approximate = p->approximate};
    if (ready) trial_try(&t, r, PAIR_FILLS, NULL);
    if (t.outcome == DIFFERENT) {
        LOCAL(buf_free) Buf text = {0};
        trial_shrink_data(&t);
        for (int i = 0; i < n; i++)
            buf_printf(&text, "%s %s = %lld\n", map[i].var->var == VAR_PARAM ? "param" : "data", map[i].var->name,
                       (long long)map[i].value->value);
        trial_print_inputs(&t, &text);
        result->difference = trial_difference(&t, c->diag.arena);
        result->replay = arena_strdup(c->diag.arena, buf_text(&text));
    }
    return t.outcome;
}

/* Also for smaller sizes and plainer inputs? The texts are those of the smallest found. */
static void pair_shrink(Pair *p, uint64_t seed, int64_t far, CheckResult *r)
{
    enum { SEEDS = 4 };
    static const int smaller[] = {1, 2, 3, 4, 6, 8, 12};
    int count = far ? COUNT(smaller) + REACH_MAX : COUNT(smaller);
    int64_t size = 0;
    for (int k = 0; k < count; k++) {
        if (k >= COUNT(smaller) && (!(size = reach_next(&p->sizes.reach, size)) || size > far)) return;
        for (int j = 0; j < SEEDS; j++) {
            Rng rng = {hash_mix(seed, 0x5eed + (uint64_t)(k * SEEDS + j))};
            if (pair_trial(p, &rng, 0, size ? smaller[0] : smaller[k], size, r) == DIFFERENT) return;
        }
    }
}

CheckResult terms_check(Ctx *c, const Input *inputs, int input_count, const Term *a, const Term *b, const Fact *facts,
                        int fact_count, bool approximate, int trials, uint64_t seed, const volatile int *stop)
{
    Pair p = {.arena = arena_new(), .sizes = {.c = c}, .inputs = inputs, .input_count = input_count, .left = a, .right = b, .approximate = approximate, .stop = stop};
    CheckResult r = {.seed = seed};
    for (int i = 0; i < input_count; i++) add_type(&p.sizes, inputs[i].type);
    add_term(&p.sizes, a, NULL);
    add_term(&p.sizes, b, NULL);
    reach_terms(&p.sizes.reach, a, b);
    /* Facts given besides: their variables too. */
    for (int i = 0; i < fact_count; i++) {
        vec_push(&p.sizes.facts, facts[i]);
        add_vars(&p.sizes, facts[i].a, NULL);
        add_vars(&p.sizes, facts[i].b, NULL);
    }
    for (int i = 0; i < p.sizes.facts.n; i++) {
        const Nat *n = p.sizes.facts.v[i].a;
        if (n->is_const && n->value >= 2 && n->value <= UNIT_MAX && !ANY(k, p.sizes.units.n, p.sizes.units.v[k] == n->value))
            vec_push(&p.sizes.units, n->value);
    }
    for (int i = 0; r.passed < trials && r.skipped <= 4 * trials && r.verdict == CHECK_PASSED && !r.reason; i++) {
        if (stop && *stop) {
            r.reason = "interrupted";
            break;
        }
        Rng rng = {hash_mix(seed, (uint64_t)i)};
        int64_t far = reach_draw(&p.sizes.reach, i);
        Outcome o = pair_trial(&p, &rng, i % 4, 0, far, &r);
        check_count(&r, o);
        if (o != DIFFERENT) continue;
        r.verdict = CHECK_REFUTED;
        pair_shrink(&p, seed, far, &r);
    }
    if (r.verdict == CHECK_PASSED && r.passed < trials) {
        r.verdict = CHECK_IMPOSSIBLE;
        if (!r.reason) r.reason = "the left side has no value on most inputs";
    }
    arena_free(p.arena);
    free(p.sizes.vars.v);
    free(p.sizes.facts.v);
    free(p.sizes.units.v);
    return r;
}

enum { TRIALS = 40, LITERALS_TO = 1000 };

/* Values of such functions. */
static const char *const types[] = {
    "f32", "i32", "bool", "u32", "i64", "f64", "i8", "u8", "i16", "u16", "u64",
    "(f32, f32)", "(i32, i32)", "(f32, i32)", "(i32, f32)", "(bool, f32)", "(bool, i32)",
    "(f32, f32, f32)", "(i32, i32, i32)", "(f32, f32, i32)", "(bool, f32, i32)",
    "(f32, f32, f32, f32)", "(i32, i32, i32, i32)",
    "((f32, f32), f32)", "(f32, (f32, f32))", "[3]f32", "[3]i32", "[3](f32, i32)", "[2][2]f32", "[2][2]i32",
    "(f32, [3]f32)", "(f32, f32, [3]f32)", "<4>f32",
};

typedef struct Law {
    const char *name;
    PropKind kind;
    const Term *left, *right;
} Law;

static const Term *apply(Ctx *c, const Term *f, const Term *a, const Term *b)
{
    const Term *both[2] = {a, b};
    return a && b ? term_beta(c, f, term_tuple(c, both, 2)) : NULL;
}

static int laws_of(Ctx *c, unsigned props, const Term *f, const Term *z, const Term *const v[3], Law out[4])
{
    int n = 0;
    if (props & PROP_ASSOCIATIVE)
        out[n++] = (Law){"associative", PROP_ASSOCIATIVE, apply(c, f, apply(c, f, v[0], v[1]), v[2]),
                         apply(c, f, v[0], apply(c, f, v[1], v[2]))};
    if (props & PROP_COMMUTATIVE)
        out[n++] = (Law){"commutative", PROP_COMMUTATIVE, apply(c, f, v[0], v[1]), apply(c, f, v[1], v[0])};
    if ((props & PROP_NEUTRAL) && z) {
        out[n++] = (Law){"neutral", PROP_NEUTRAL, apply(c, f, z, v[0]), v[0]};
        out[n++] = (Law){"neutral", PROP_NEUTRAL, apply(c, f, v[0], z), v[0]};
    }
    return n;
}

typedef struct Trying {
    Ctx *c;
    Arena *arena;
    const Type *type;
    const Term *v[3];
    Literals literals;
    const volatile int *stop;
} Trying;

static const char *const names[3] = {"a", "b", "c"};

static Outcome try_once(Trying *t, const Law *law, Rng *r, int level, const char **why)
{
    LOCAL(trial_free) Trial trial = {0};
    int count = law->kind == PROP_ASSOCIATIVE ? 3 : law->kind == PROP_COMMUTATIVE ? 2 : 1;
    for (int i = 0; i < count; i++) {
        trial_input(&trial, t->c, t->v[i]->u.name, t->type, r, level);
        if (level % 2 && rng_below(r, 2))
            data_mix_literals(trial.data[i], rng_next(r), &t->literals, -LITERALS_TO, LITERALS_TO, INTEGERS_ANY);
    }
    Comparison k = {.c = t->c, .arena = t->arena, .left = law->left, .right = law->right, .inputs = trial.inputs,
                    .input_count = count, .stop = t->stop};
    Outcome o = comparison_run(&k);
    if (o == DIFFERENT) {
        Buf b = {0};
        for (int i = 0; i < count; i++) {
            buf_printf(&b, "%s%s = ", i ? ", " : "", names[i]);
            data_print_head(trial.data[i], 16, &b);
        }
        buf_puts(&b, ": ");
        comparison_print(&k, &b);
        *why = buf_take(&b, t->arena);
    }
    return o;
}

static void try_type(Trying *t, Defs *d, int def, const char *text)
{
    Ctx *c = t->c;
    t->type = type_of_text(c, d, text);
    const Type *both[2] = {t->type, t->type};
    const Term *z = NULL, *f = t->type ? defs_function(c, d, def, type_tuple(c, both, 2), t->type, &z) : NULL;
    unsigned props = defs_properties(d, def);
    if (!f || ((props & PROP_NEUTRAL) && !z)) return;
    Law laws[4];
    bool tried = false;
    t->literals = (Literals){.count = 0};
    literals_collect(&t->literals, f);
    for (int i = 0; i < 3; i++) t->v[i] = term_input(c, intern(c->names, names[i]), t->type);
    for (int i = 0, n = laws_of(c, props, f, z, t->v, laws); i < n; i++) {
        const Law *law = &laws[i];
        const char *why = NULL;
        Rng r = {hash_mix(0, (uint64_t)law->kind)};
        for (int k = 0; law->left && law->right && k < TRIALS && !why && !(t->stop && *t->stop); k++) {
            Outcome o = try_once(t, law, &r, k % 4, &why);
            tried |= o == SAME || o == ROUNDED || o == DIFFERENT;
        }
        if (why) defs_refute(d, def, t->type, law->kind, arena_printf(t->arena, "%s at %s: %s", law->name, text, why));
    }
    if (tried) defs_tested(d, def);
}

void properties_check(Ctx *c, Defs *d, int i, const volatile int *stop)
{
    if (!defs_properties(d, i)) return;
    Diag saved = diag_aside(&c->diag);                /* errors here mean that a type does not suit */
    LOCAL(drop_arena) Arena *arena = arena_new();
    Trying t = {.c = c, .arena = arena, .stop = stop};
    for (int k = 0; k < COUNT(types) && !(stop && *stop); k++) {
        try_type(&t, d, i, types[k]);
        diag_clear(&c->diag);
    }
    diag_back(&c->diag, saved);
}

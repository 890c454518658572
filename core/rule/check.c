#include "check_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 400000, CONTEXT_TRIALS = 64, SKIPS_PER_TRIAL = 40, SHRINK_SEEDS = 24 };
static const double reference_tolerance = 1e-9;

/* ---- are two terms equal on these inputs? ---- */

typedef enum Outcome { SAME, ROUNDED, INCOMPARABLE, NO_VALUE, DIFFERENT } Outcome;

typedef struct Comparison {
    Ctx *c;
    Arena *arena;                            /* of the texts below */
    const Term *left, *right;
    const EvalInput *inputs;
    int input_count;
    const volatile int *stop;
    /* DIFFERENT: */
    int part;
    int64_t index;
    const char *left_text, *right_text;      /* the two values */
    const char *error;                       /* the right side has no value; or NULL */
} Comparison;

static Data *whole_value(const Comparison *k, const Term *t, Diag *diag)
{
    Eval *e = eval_new(k->c, t, k->inputs, k->input_count, EVAL_EXACT);
    Data *d = e ? data_new(k->c, t->type) : NULL;
    if (e) eval_limit(e, STEPS_MAX, k->stop);
    if (d && !eval_full(e, d, diag)) {
        data_free(d);
        d = NULL;
    }
    if (e) eval_free(e);
    return d;
}

static bool same_element(const Data *a, const Data *b, int part, int64_t i)
{
    if (!scalar_is_float(a->parts[part].scalar)) return data_get_int(a, part, i) == data_get_int(b, part, i);
    double x = data_get(a, part, i), y = data_get(b, part, i);
    return x == y || (isnan(x) && isnan(y));
}

static const char *element_text(Arena *arena, const Data *d, int part, int64_t i)
{
    if (!scalar_is_float(d->parts[part].scalar))
        return arena_printf(arena, "%lld", (long long)data_get_int(d, part, i));
    return arena_printf(arena, "%.9g", data_get(d, part, i));
}

static bool reference(const Comparison *k, const Term *t, int part, double *want, double *shadow, int64_t n)
{
    Diag none;
    diag_init(&none);
    Eval *e = eval_new(k->c, t, k->inputs, k->input_count, EVAL_REFERENCE);
    bool ok = e != NULL;
    if (e) eval_limit(e, STEPS_MAX, k->stop);
    ok = ok && eval_reference(e, part, want, shadow, n, &none);
    if (e) eval_free(e);
    diag_free(&none);
    return ok;
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

/* Floats that differ in a bit: equal up to rounding, in f64 and against the magnitudes of the inputs? */
static Outcome compare_rounded(Comparison *k, const Data *a, const Data *b, int part)
{
    int64_t n = a->parts[part].count;
    double *v = mem_alloc(sizeof *v * (size_t)n * 4), *shadow = v + n, *w = v + 2 * n, *other = v + 3 * n;
    bool known = reference(k, k->left, part, v, shadow, n) && reference(k, k->right, part, w, other, n);
    Outcome out = known ? SAME : NO_VALUE;
    for (int64_t i = 0; i < n && out < NO_VALUE; i++) {
        double scale = fmax(fmax(fabs(v[i]), fabs(shadow[i])), fabs(other[i]));
        if (same_element(a, b, part, i)) continue;
        if (!isfinite(scale) || !isfinite(w[i])) out = worse(out, INCOMPARABLE);
        else if (fabs(v[i] - w[i]) <= reference_tolerance * scale) out = worse(out, ROUNDED);
        else out = different(k, a, b, part, i);
    }
    free(v);
    return out;
}

static Outcome compare_part(Comparison *k, const Data *a, const Data *b, int part)
{
    for (int64_t i = 0; i < a->parts[part].count; i++) {
        if (same_element(a, b, part, i)) continue;
        return scalar_is_float(a->parts[part].scalar) ? compare_rounded(k, a, b, part) : different(k, a, b, part, i);
    }
    return SAME;
}

static Outcome compare_values(Comparison *k, const Data *a, const Data *b)
{
    Outcome out = SAME;
    for (int p = 0; p < a->part_count && out < DIFFERENT; p++) out = worse(out, compare_part(k, a, b, p));
    return out;
}

static Outcome compare(Comparison *k)
{
    Diag first, second;
    diag_init(&first);
    diag_init(&second);
    Outcome out = NO_VALUE;
    Data *a = whole_value(k, k->left, &first), *b = a ? whole_value(k, k->right, &second) : NULL;
    if (a && b) out = compare_values(k, a, b);
    else if (a && second.id != E25) {
        out = DIFFERENT;
        const char *why = second.message ? second.message : k->c->diag.message;
        k->error = arena_strdup(k->arena, why ? why : "it is too large");
    }
    diag_clear(&k->c->diag);
    data_free(a);
    data_free(b);
    diag_free(&first);
    diag_free(&second);
    return out;
}

/* ---- inputs ---- */

/* Numbers that are indices now and then: all small, or each once. */
static bool fill_indices(Data *d, Rng *r, uint64_t seed)
{
    if (d->part_count != 1 || d->parts[0].scalar != SC_I32 || rng_below(r, 3)) return false;
    if (rng_below(r, 3) == 0) data_fill_iota(d);
    else data_fill_random(d, seed, 0, (double)rng_below(r, 3));
    return true;
}

static void fill(Data *d, Rng *r, int level)
{
    uint64_t seed = rng_next(r);
    if (fill_indices(d, r, seed)) return;
    switch (level < 1 ? 0 : rng_below(r, level < 2 ? 3 : 5)) {
    case 2: data_fill_random(d, seed, -4, 4); break;
    case 3: data_fill_adversarial(d, seed, 1e15); break;
    case 4: data_fill_adversarial(d, seed, 100); break;
    default: data_fill_exact(d, seed, 8); break;
    }
}

static bool mentions_input(const Term *t, const char *name)
{
    if (t->kind == T_INPUT) return t->u.name == name;
    for (int i = 0; i < t->arg_count; i++)
        if (mentions_input(t->args[i], name)) return true;
    return false;
}

/* ---- one trial of a rule ---- */

/* A context of its own with the rule read again, so that a long check leaves nothing behind. */
typedef struct Bench {
    Ctx *c;
    Rules *rules;
    Defs *defs;
    Rule *rule;
    const CheckOracle *oracle;               /* NULL: nobody answers */
    const volatile int *stop;
} Bench;

static bool bench_open(Bench *b, const Rule *r)
{
    b->c = ctx_new();
    b->rules = rules_new(b->c);
    b->defs = defs_new(b->c);
    const char *text = property_declarations();
    Source s = {"properties", text, strlen(text)};
    const Program *none;
    Rule *back;
    if (!defs_load(b->c, b->defs, &s, &none)) return false;
    if (r->trust != TRUST_BUILTIN && !rules_define(b->c, b->rules, r->ast->source, &back)) return false;
    b->rule = rules_find(b->rules, r->name);
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

typedef struct Trial {
    Arena *arena;
    Instance instance;
    bool made;
    Data *data[INPUTS_MAX];
    EvalInput inputs[INPUTS_MAX];
    int input_count;
    RuleResult result;
    Comparison comparison;
    Outcome outcome;
    const char *failure;                     /* why the rule does not even apply; or NULL */
    const char *needs, *found;               /* of that, or NULL */
} Trial;

static void trial_inputs(Trial *t, int level)
{
    Generator *g = &t->instance.g;
    for (int i = 0; i < g->input_count; i++) {
        const Input *in = &g->inputs[i];
        Data *d = mentions_input(t->instance.root, in->name) ? data_new(g->c, in->type) : NULL;
        if (!d) continue;
        fill(d, &g->rng, level);
        t->data[t->input_count] = d;
        t->inputs[t->input_count++] = (EvalInput){in->name, d};
    }
}

static void no_application(Trial *t, Ctx *c)
{
    for (int i = 0; i < c->diag.note_count; i++) {
        const char *text = arena_strdup(t->arena, c->diag.notes[i].text);
        if (strcmp(c->diag.notes[i].label, "needs") == 0) t->needs = text;
        else if (strcmp(c->diag.notes[i].label, "found") == 0) t->found = text;
    }
    t->failure = arena_printf(t->arena, "the rule does not apply%s%s%s%s", t->needs ? ": it needs " : "", t->needs ? t->needs : "",
                              t->found ? ", found " : "", t->found ? t->found : "");
    diag_clear(&c->diag);
}

static bool broken_fact(Ctx *c, const Term *t)
{
    Fact facts[8];
    int n = term_own_facts(c, t, facts);
    for (int i = 0; i < n; i++)
        if (facts[i].a->is_const && facts[i].b->is_const) return true;
    for (int i = 0; i < t->arg_count; i++)
        if (broken_fact(c, t->args[i])) return true;
    return false;
}

static bool granted(void *data, const char *name, const ConditionArg *args, int n, const char **why)
{
    (void)data, (void)name, (void)args, (void)n;
    *why = NULL;
    return true;
}

/* Would the rule apply if only the functions among its conditions said so? */
static bool only_refused(const Trial *t, Bench *b)
{
    RuleResult none;
    const Instance *i = &t->instance;
    RewriteEnv env = {.c = b->c, .defs = b->defs, .call = granted};
    return i->infer.asks && rule_apply(&env, b->rule, i->args, i->root, &i->at, false, &none);
}

static bool apply(Trial *t, Bench *b)
{
    const Instance *i = &t->instance;
    RewriteEnv env = {.c = b->c, .defs = b->defs};
    if (b->oracle) env.call = b->oracle->call, env.call_data = b->oracle->data;
    if (!rule_apply(&env, b->rule, i->args, i->root, &i->at, true, &t->result)) return no_application(t, b->c), false;
    if (t->result.after->type != t->result.before->type) t->failure = "the type of the result differs";
    else if (broken_fact(b->c, t->result.root)) t->failure = "the right side breaks a fact that `when` does not state";
    return !t->failure;
}

static void trial_compare(Trial *t, Bench *b)
{
    t->comparison = (Comparison){.c = b->c, .arena = t->arena, .left = t->instance.root, .right = t->result.root,
                                 .inputs = t->inputs, .input_count = t->input_count, .stop = b->stop};
    t->outcome = compare(&t->comparison);
}

static void refused(Trial *t)
{
    t->made = false;
    t->instance.problem = arena_printf(t->arena, "%s does not hold on what was drawn: %s", t->needs ? t->needs : "a condition",
                                       t->found ? t->found : "it is false");
}

static void trial_run(Trial *t, Bench *b, uint64_t seed, int level, int largest)
{
    memset(t, 0, sizeof *t);
    t->arena = arena_new();
    t->made = instance_make(&t->instance, b->c, t->arena, b->defs, b->rule, seed, level, largest);
    t->outcome = NO_VALUE;
    if (t->made && t->instance.infer.asks && !b->oracle) t->made = false, t->instance.problem = "a condition is a Lua function";
    if (!t->made) return;
    trial_inputs(t, level);
    if (apply(t, b)) trial_compare(t, b);
    else if (!only_refused(t, b)) t->outcome = DIFFERENT;
    else refused(t);
}

static void trial_free(Trial *t)
{
    for (int i = 0; i < t->input_count; i++) data_free(t->data[i]);
    instance_free(&t->instance);
    arena_free(t->arena);
}

/* ---- text of a counterexample ---- */

static void print_term(Ctx *c, const Term *t, Buf *out)
{
    PrintOptions o = {.width = 0};
    lang_print(c, t, &o, out);
    buf_putc(out, '\n');
}

enum { VALUES_MAX = 100000 };            /* scalars of an input that are written out: all */

/* "data x = [1, 2]" for every input. */
static void print_inputs(const Trial *t, Buf *out)
{
    for (int i = 0; i < t->input_count; i++) {
        buf_printf(out, "data %s = ", t->inputs[i].name);
        data_print_head(t->inputs[i].data, VALUES_MAX, out);
        buf_putc(out, '\n');
    }
}

static void print_head(const Trial *t, const char *name, Buf *out)
{
    buf_printf(out, "let %s", name);
    for (int i = 0; i < t->input_count; i++) {
        buf_printf(out, " (%s: ", t->inputs[i].name);
        type_print(t->inputs[i].data->type, out);
        buf_putc(out, ')');
    }
    buf_puts(out, " = ");
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

static void print_difference(const Comparison *k, Buf *out)
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

static const char *difference_text(const Trial *t, Arena *arena)
{
    Buf b = {0};
    if (t->failure) buf_puts(&b, t->failure);
    else print_difference(&t->comparison, &b);
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

/* The left side as a program, its values, the application: what to type to see the difference. */
static const char *replay_text(const Trial *t, const Rule *r, Arena *arena)
{
    Buf b = {0};
    const Instance *i = &t->instance;
    for (int k = 0; k < i->declared_count; k++) buf_printf(&b, "%s\n", i->declared[k]);
    print_head(t, "counterexample", &b);
    print_term(i->g.c, i->root, &b);
    print_inputs(t, &b);
    buf_printf(&b, "eval\napply %s at %s\n", rule_call_text(i->g.c, r, i->args), path_text(i->g.c, i->root, &i->at));
    if (t->result.root) buf_puts(&b, "eval\n");
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

static void print_counterexample(const Trial *t, const Rule *r, uint64_t seed, Buf *out)
{
    const Instance *i = &t->instance;
    Ctx *c = i->g.c;
    buf_printf(out, "# %s: %s\n# refuted, seed %llu\n", r->name, r->text, (unsigned long long)seed);
    print_head(t, "left", out);
    print_term(c, i->root, out);
    for (int k = 0; k < t->input_count; k++) {
        buf_printf(out, "# %s = ", t->inputs[k].name);
        data_print_head(t->inputs[k].data, 64, out);
        buf_putc(out, '\n');
    }
    buf_printf(out, "# apply %s at %s\n", rule_call_text(c, r, i->args), path_text(c, i->root, &i->at));
    if (t->result.root) {
        print_head(t, "right", out);
        print_term(c, t->result.root, out);
    }
    buf_printf(out, "# %s\n", difference_text(t, t->arena));
}

/* ---- shrinking ---- */

static bool still_differs(Trial *t, Bench *b)
{
    Trial saved = *t;
    trial_compare(t, b);
    if (t->outcome == DIFFERENT) return true;
    *t = saved;
    return false;
}

/* Every element 0, else 1, else a small integer, as long as the sides differ. */
static void shrink_element(Trial *t, Bench *b, Data *d, int part, int64_t i)
{
    bool whole = !scalar_is_float(d->parts[part].scalar);
    double f = whole ? 0 : data_get(d, part, i);
    int64_t n = whole ? data_get_int(d, part, i) : 0;
    for (int v = 0; v < 3; v++) {
        if (whole ? n == v : f == v) return;
        data_set_int(d, part, i, v);
        if (still_differs(t, b)) return;
    }
    if (whole) data_set_int(d, part, i, n);
    else data_set(d, part, i, f);
}

static void shrink_data(Trial *t, Bench *b)
{
    int budget = 200;
    for (int i = 0; i < t->input_count && !t->failure; i++)
        for (int p = 0; p < t->data[i]->part_count; p++)
            for (int64_t k = 0; k < t->data[i]->parts[p].count && budget-- > 0; k++)
                shrink_element(t, b, t->data[i], p, k);
}

/* A refuted instance of that level and these sizes, if one of a few seeds makes one: *t is replaced. */
static bool shrink_to(Trial *t, Bench *b, uint64_t *seed, int level, int largest)
{
    for (int k = 0; k < SHRINK_SEEDS; k++) {
        Trial other;
        uint64_t at = hash_mix(*seed, (uint64_t)k);
        trial_run(&other, b, at, level, largest);
        bool refutes = other.made && other.outcome == DIFFERENT;
        trial_free(refutes ? t : &other);
        if (!refutes) continue;
        *t = other;
        *seed = at;
        return true;
    }
    return false;
}

/* The simplest instance that is refuted too: smallest sizes first, then plainest functions. */
static void shrink(Trial *t, Bench *b, uint64_t *seed, int level, int largest)
{
    static const int sizes[] = {1, 2, 3, 4, 6, 9, 12};
    for (int s = 0; s < COUNT(sizes) && sizes[s] <= largest; s++)
        for (int l = 0; l <= level; l++)
            if (shrink_to(t, b, seed, l, sizes[s])) return;
}

/* ---- checking a rule ---- */

typedef struct Check {
    Ctx *c;                                  /* the caller's: for texts */
    const Rule *rule;
    int trials;
    uint64_t seed;
    CheckResult result;
    char reason[200];                        /* why the latest draw gave no instance */
} Check;

static void refuted(Check *k, Trial *t, Bench *b, uint64_t seed, int level, int largest)
{
    Buf text = {0};
    shrink(t, b, &seed, level, largest);
    shrink_data(t, b);
    print_counterexample(t, b->rule, seed, &text);
    k->result.verdict = CHECK_REFUTED;
    k->result.seed = seed;
    k->result.counterexample = arena_strdup(k->c->diag.arena, buf_text(&text));
    k->result.difference = difference_text(t, k->c->diag.arena);
    k->result.replay = replay_text(t, b->rule, k->c->diag.arena);
    buf_free(&text);
}

static void count(CheckResult *r, Outcome o)
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
        int draw = k->result.passed + k->result.skipped, level = draw % 4, largest = sizes[draw % COUNT(sizes)];
        uint64_t seed = hash_mix(k->seed, (uint64_t)draw);
        Trial t;
        if (b->stop && *b->stop) return snprintf(k->reason, sizeof k->reason, "interrupted"), false;
        trial_run(&t, b, seed, level, largest);
        if (!t.made) snprintf(k->reason, sizeof k->reason, "%s", t.instance.problem);
        if (t.outcome == DIFFERENT) refuted(k, &t, b, seed, level, largest);
        else count(&k->result, t.outcome);
        trial_free(&t);
        if (k->result.verdict == CHECK_REFUTED || k->result.skipped > SKIPS_PER_TRIAL * (k->result.passed + 10))
            return false;
    }
    return k->result.passed < k->trials;
}

static CheckResult conclude(Check *k, Rule *r)
{
    CheckResult *out = &k->result;
    if (out->verdict == CHECK_REFUTED) {
        r->refuted = true;
        r->check_seed = k->seed;
        r->check_count = 0;
        if (r->trust == TRUST_CHECKED) r->trust = TRUST_ASSUMED;
        return *out;
    }
    if (out->passed < k->trials) {
        out->verdict = CHECK_IMPOSSIBLE;
        const char *why = *k->reason ? k->reason : "the left side has no value on most inputs";
        out->reason = arena_strdup(k->c->diag.arena, why);
        return *out;
    }
    if (r->trust == TRUST_ASSUMED) r->trust = TRUST_CHECKED;
    r->refuted = false;
    r->check_seed = k->seed;
    r->check_count = k->trials;
    return *out;
}

CheckResult rule_check(Ctx *c, Rule *r, int trials, uint64_t seed, const volatile int *stop)
{
    return rule_check_asking(c, r, trials, seed, NULL, stop);
}

CheckResult rule_check_asking(Ctx *c, Rule *r, int trials, uint64_t seed, const CheckOracle *oracle, const volatile int *stop)
{
    Check k = {.c = c, .rule = r, .trials = trials, .seed = seed, .result = {.seed = seed}};
    for (bool more = r->ast != NULL; more;) {
        Bench b = {.oracle = oracle, .stop = stop};
        more = bench_open(&b, r) && check_some(&k, &b, CONTEXT_TRIALS);
        if (!b.rule) snprintf(k.reason, sizeof k.reason, "the rule cannot be read again");
        bench_close(&b);
    }
    if (!r->ast) snprintf(k.reason, sizeof k.reason, "the rule is a C function");
    return conclude(&k, r);
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
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
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
    Bench b = {0};
    const char *best = NULL;
    uint32_t size = UINT32_MAX;
    bool open = bench_open(&b, r);
    for (int i = 0; open && i < SEEDS; i++) {
        Trial t;
        trial_run(&t, &b, hash_mix(1, (uint64_t)i), 0, LARGEST);
        bool good = t.made && t.outcome <= ROUNDED && t.result.root != t.instance.root;
        uint32_t cost = good ? t.instance.root->size + 20 * (uint32_t)dullness(t.instance.root) : 0;
        for (int k = 0; k < r->param_count; k++)
            if (good && t.instance.args[k].size && t.instance.args[k].size->is_const && t.instance.args[k].size->value < 2) cost += 20;
        if (good && cost < size) best = example_text(&t, c->diag.arena), size = cost;
        trial_free(&t);
    }
    bench_close(&b);
    return best;
}

/* ---- two terms ---- */

typedef struct Sizes {
    Ctx *c;
    NatAtomVec vars;
    VEC(Fact) facts;
    int64_t values[VALUATION_MAX];
} Sizes;

static void add_vars(Sizes *s, const Nat *n, const NatAtom *bound)
{
    NatAtomVec all = {0};
    nat_vars(n, &all);
    for (int i = 0; i < all.n; i++) {
        bool known = all.v[i] == bound;
        for (int k = 0; k < s->vars.n; k++) known |= s->vars.v[k] == all.v[i];
        if (!known) vec_push(&s->vars, all.v[i]);
    }
    free(all.v);
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
        bool iterate = t->kind == T_PRIM && t->prim == PRIM_ITERATE && i == 0;
        const Nat *p = iterate ? t->args[0]->type->elems[0]->size : NULL;
        add_term(s, t->args[i], p && !p->is_const ? p->terms[0].factors[0].atom : bound);
    }
}

static bool size_value(void *data, const NatAtom *v, int64_t *out)
{
    const Sizes *s = data;
    for (int i = 0; i < s->vars.n && i < VALUATION_MAX; i++)
        if (s->vars.v[i] == v) {
            *out = s->values[i];
            return true;
        }
    return false;
}

static bool facts_hold(Sizes *s)
{
    for (int i = 0; i < s->facts.n; i++) {
        const Fact *f = &s->facts.v[i];
        int64_t a, b;
        if (!nat_eval(f->a, size_value, s, &a) || !nat_eval(f->b, size_value, s, &b)) return false;
        if (f->kind == FACT_DIVIDES ? a < 1 || b % a : f->kind == FACT_LE ? a > b : a >= b) return false;
    }
    return true;
}

/* largest 0: as they come, powers of two preferred. */
static int64_t draw_size(Rng *r, int largest)
{
    static const int even[] = {1, 2, 2, 4, 4, 6, 8, 8, 12, 16, 24};
    if (largest) return 1 + rng_below(r, largest);
    return rng_below(r, 2) ? even[rng_below(r, COUNT(even))] : 1 + rng_below(r, 12);
}

static int draw_sizes(Sizes *s, Rng *r, int largest, NatBinding *map)
{
    int n = s->vars.n < VALUATION_MAX ? s->vars.n : VALUATION_MAX;
    for (int trial = 0; trial < (largest ? 300 : 4000); trial++) {
        for (int i = 0; i < n; i++) s->values[i] = draw_size(r, largest);
        if (!facts_hold(s)) continue;
        for (int i = 0; i < n; i++) map[i] = (NatBinding){s->vars.v[i], nat_const(s->c->nats, s->values[i])};
        return n;
    }
    return -1;
}

typedef struct Pair {
    Arena *arena;
    Sizes sizes;
    const Input *inputs;
    int input_count;
    const Term *left, *right;
    const volatile int *stop;
} Pair;

static void print_pair(const Trial *t, const NatBinding *map, int n, Buf *out)
{
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s %s = %lld\n", map[i].var->var == VAR_PARAM ? "param" : "data", map[i].var->name,
                   (long long)map[i].value->value);
    print_inputs(t, out);
}

static bool pair_inputs(const Pair *p, Trial *t, Rng *r, int level, const NatBinding *map, int n)
{
    Ctx *c = p->sizes.c;
    for (int i = 0; i < p->input_count && i < INPUTS_MAX; i++) {
        Data *d = data_new(c, type_subst(c, p->inputs[i].type, map, n));
        if (!d) return false;
        fill(d, r, level);
        t->data[t->input_count] = d;
        t->inputs[t->input_count++] = (EvalInput){p->inputs[i].name, d};
    }
    return true;
}

static Outcome pair_trial(Pair *p, Rng *r, int level, int largest, CheckResult *result)
{
    Ctx *c = p->sizes.c;
    NatBinding map[VALUATION_MAX];
    Trial t = {.outcome = NO_VALUE};
    int n = draw_sizes(&p->sizes, r, largest, map);
    if (n < 0 && !largest) result->reason = "no small sizes meet the facts of both";
    if (n < 0) return NO_VALUE;
    const Term *a = term_subst_nats(c, p->left, map, n), *b = a ? term_subst_nats(c, p->right, map, n) : NULL;
    diag_clear(&c->diag);
    bool ready = b && pair_inputs(p, &t, r, level, map, n);
    t.comparison = (Comparison){c, p->arena, a, b, t.inputs, t.input_count, p->stop, 0, 0, NULL, NULL, NULL};
    if (ready) t.outcome = compare(&t.comparison);
    if (t.outcome == DIFFERENT) {
        Buf text = {0};
        print_pair(&t, map, n, &text);
        result->difference = difference_text(&t, c->diag.arena);
        result->replay = arena_strdup(c->diag.arena, buf_text(&text));
        result->counterexample = arena_printf(c->diag.arena, "%s# %s\n", result->replay, result->difference);
        buf_free(&text);
    }
    for (int i = 0; i < t.input_count; i++) data_free(t.data[i]);
    return t.outcome;
}

/* Facts given besides: their variables too. */
static void add_facts(Sizes *s, const Fact *facts, int n)
{
    for (int i = 0; i < n; i++) {
        vec_push(&s->facts, facts[i]);
        add_vars(s, facts[i].a, NULL);
        add_vars(s, facts[i].b, NULL);
    }
}

/* They differ: also for smaller sizes and plainer inputs? The texts are those of the smallest found. */
static void pair_shrink(Pair *p, uint64_t seed, CheckResult *result)
{
    static const int sizes[] = {1, 2, 3, 4, 6, 8, 12};
    for (int i = 0; i < COUNT(sizes) * 4; i++) {
        Rng rng = {hash_mix(seed, 0x5eed + (uint64_t)i)};
        if (pair_trial(p, &rng, 0, sizes[i / 4], result) == DIFFERENT) return;
    }
}

CheckResult terms_check(Ctx *c, const Input *inputs, int input_count, const Term *a, const Term *b, const Fact *facts,
                        int fact_count, int trials, uint64_t seed, const volatile int *stop)
{
    Pair p = {.arena = arena_new(),
              .sizes = {.c = c},
              .inputs = inputs,
              .input_count = input_count,
              .left = a,
              .right = b,
              .stop = stop};
    CheckResult r = {.seed = seed};
    for (int i = 0; i < input_count; i++) add_type(&p.sizes, inputs[i].type);
    add_term(&p.sizes, a, NULL);
    add_term(&p.sizes, b, NULL);
    add_facts(&p.sizes, facts, fact_count);
    for (int i = 0; r.passed < trials && r.skipped <= 4 * trials && r.verdict == CHECK_PASSED && !r.reason; i++) {
        if (stop && *stop) {
            r.reason = "interrupted";
            break;
        }
        Rng rng = {hash_mix(seed, (uint64_t)i)};
        Outcome o = pair_trial(&p, &rng, i % 4, 0, &r);
        count(&r, o);
        if (o != DIFFERENT) continue;
        r.verdict = CHECK_REFUTED;
        pair_shrink(&p, seed, &r);
    }
    if (r.verdict == CHECK_PASSED && r.passed < trials) {
        r.verdict = CHECK_IMPOSSIBLE;
        if (!r.reason) r.reason = "the left side has no value on most inputs";
    }
    arena_free(p.arena);
    free(p.sizes.vars.v);
    free(p.sizes.facts.v);
    return r;
}

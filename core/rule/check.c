#include "check_private.h"

#include <stdio.h>
#include <string.h>

enum { CONTEXT_TRIALS = 64, SKIPS_PER_TRIAL = 40, SHRINK_SEEDS = 24 };

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

static bool mentions_input(const Term *t, const char *name)
{
    if (t->kind == T_INPUT) return t->u.name == name;
    for (int i = 0; i < t->arg_count; i++)
        if (mentions_input(t->args[i], name)) return true;
    return false;
}

static void trial_inputs(Trial *t, int level)
{
    Generator *g = &t->instance.g;
    for (int i = 0; i < g->input_count; i++) {
        const Input *in = &g->inputs[i];
        Data *d = mentions_input(t->instance.root, in->name) ? data_new(g->c, in->type) : NULL;
        if (!d) continue;
        trial_fill(d, &g->rng, level);
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
    t->failure = arena_printf(t->arena, "the rule does not apply%s%s%s%s", t->needs ? ": it needs " : "",
                              t->needs ? t->needs : "", t->found ? ", found " : "", t->found ? t->found : "");
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
    t->outcome = comparison_run(&t->comparison);
}

static void refused(Trial *t)
{
    t->made = false;
    t->instance.problem = arena_printf(t->arena, "%s does not hold on what was drawn: %s",
                                       t->needs ? t->needs : "a condition", t->found ? t->found : "it is false");
}

static void trial_run(Trial *t, Bench *b, uint64_t seed, int level, int largest)
{
    memset(t, 0, sizeof *t);
    t->arena = arena_new();
    t->made = instance_make(&t->instance, b->c, t->arena, b->defs, b->rule, seed, level, largest);
    t->outcome = NO_VALUE;
    if (t->made && t->instance.infer.asks && !b->oracle)
        t->made = false, t->instance.problem = "a condition is a Lua function";
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

void trial_print_inputs(const Trial *t, Buf *out)
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

const char *trial_difference(const Trial *t, Arena *arena)
{
    Buf b = {0};
    if (t->failure) buf_puts(&b, t->failure);
    else comparison_print(&t->comparison, &b);
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
    trial_print_inputs(t, &b);
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
    buf_printf(out, "# %s\n", trial_difference(t, t->arena));
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
    k->result.difference = trial_difference(t, k->c->diag.arena);
    k->result.replay = replay_text(t, b->rule, k->c->diag.arena);
    buf_free(&text);
}

void check_count(CheckResult *r, Outcome o)
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
        else check_count(&k->result, t.outcome);
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

CheckResult rule_check_asking(Ctx *c, Rule *r, int trials, uint64_t seed, const CheckOracle *oracle,
                              const volatile int *stop)
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
            if (good && t.instance.args[k].size && t.instance.args[k].size->is_const && t.instance.args[k].size->value < 2)
                cost += 20;
        if (good && cost < size) best = example_text(&t, c->diag.arena), size = cost;
        trial_free(&t);
    }
    bench_close(&b);
    return best;
}

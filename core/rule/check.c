/* check: a rule tried on random instances, counterexamples shrunk. */
#include "check_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONTEXT_TRIALS = 250, SKIPS_PER_TRIAL = 40, SHRINK_SEEDS = 24, SPECIAL_FILLS = 3 };

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
    b->rules = rules_alone(b->c, r);
    b->defs = defs_new(b->c);
    const char *text = property_declarations();
    Source s = {"properties", text, strlen(text)};
    const Program *none;
    if (!defs_load(b->c, b->defs, &s, &none)) return false;
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

void trial_try(Trial *t, Rng *r, int special)
{
    Literals literals = {.count = 0};
    t->outcome = comparison_run(&t->comparison);
    if (!special || !t->input_count) return;
    literals_collect(&literals, t->comparison.left);
    literals_collect(&literals, t->comparison.right);
    for (int k = 0; k < special && t->outcome != DIFFERENT; k++) {
        trial_fill_special(t->data, t->input_count, r, &literals);
        /* Of a trial compared on several inputs: it differs on one, else some are compared, else none. */
        Outcome b = comparison_run(&t->comparison);
        static const int weight[] = {[NO_VALUE] = 0, [INCOMPARABLE] = 1, [SAME] = 2, [ROUNDED] = 3, [DIFFERENT] = 4};
        t->outcome = weight[t->outcome] > weight[b] ? t->outcome : b;
    }
}

/* What a trial is drawn from. special: on how many special inputs it is tried besides the plain ones. */
typedef struct Draw {
    uint64_t seed;
    int level, largest, special;
    bool bare;                               /* as for instance_make */
} Draw;

static void trial_run(Trial *t, Bench *b, Draw d)
{
    memset(t, 0, sizeof *t);
    t->arena = arena_new();
    t->made = instance_make(&t->instance, b->c, t->arena, b->defs, b->rule, d.seed, d.level, d.largest, d.bare);
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
        Data *e = used ? data_new(g->c, in->type) : NULL;
        if (!e) continue;
        trial_fill(e, &g->rng, d.level);
        t->data[t->input_count] = e;
        t->inputs[t->input_count++] = (EvalInput){in->name, e};
    }
    t->comparison = (Comparison){.c = b->c, .arena = t->arena, .left = t->instance.root, .right = t->result.root,
                                 .parts = t->instance.parts, .inputs = t->inputs, .input_count = t->input_count,
                                 .stop = b->stop};
    if (ok) trial_try(t, &t->instance.g.rng, d.special);
    else if (ANY(i, t->result.cond_count, t->result.conds[i].verdict < 1)) {      /* then the draw was no instance */
        t->made = false;
        t->instance.problem = arena_printf(t->arena, "%s does not hold on what was drawn: %s",
                                           t->needs ? t->needs : "a condition", t->found ? t->found : "it is false");
    } else if (comparison_defined(&t->comparison)) t->outcome = DIFFERENT;
}

static void trial_free(Trial *t)
{
    for (int i = 0; i < t->input_count; i++) data_free(t->data[i]);
    instance_free(&t->instance);
    arena_free(t->arena);
}

/* ---- text of a counterexample ---- */

enum { VALUES_MAX = 100000 };            /* scalars of an input that are written out: all */

void trial_print_inputs(const Trial *t, Buf *out)
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

const char *trial_difference(const Trial *t, Arena *arena)
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

/* Every element 0, else 1, else 2, as long as the sides differ. */
static void shrink_element(Trial *t, Data *d, int part, int64_t i)
{
    bool whole = !scalar_is_float(d->parts[part].scalar);
    double f = whole ? 0 : data_get(d, part, i);
    int64_t n = whole ? data_get_int(d, part, i) : 0;
    for (int v = 0; v < 3 && !(whole ? n == v : f == v && !signbit(f)); v++) {
        Comparison saved = t->comparison;
        data_set_int(d, part, i, v);
        if (comparison_run(&t->comparison) == DIFFERENT) return;
        t->comparison = saved;
    }
    if (whole) data_set_int(d, part, i, n);
    else data_set(d, part, i, f);
}

void trial_shrink_data(Trial *t)
{
    int budget = 200;
    for (int i = 0; i < t->input_count && !t->failure; i++)
        for (int p = 0; p < t->data[i]->part_count; p++)
            for (int64_t k = 0; k < t->data[i]->parts[p].count && budget-- > 0; k++)
                shrink_element(t, t->data[i], p, k);
}

/* A refuted instance of such a draw, if one of a few seeds makes one: *t and its seed are replaced. */
static bool shrink_to(Trial *t, Bench *b, Draw d, uint64_t *seed)
{
    for (int k = 0; k < SHRINK_SEEDS; k++) {
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

/* The simplest instance that is refuted too: smallest sizes first, then plainest functions, then plain inputs. */
static void shrink(Trial *t, Bench *b, Draw d, uint64_t *seed)
{
    static const int sizes[] = {1, 2, 3, 4, 6, 9, 12};
    for (int s = 0; s < COUNT(sizes) && sizes[s] <= d.largest; s++)
        for (int l = 0; l <= d.level; l++)
            if (shrink_to(t, b, (Draw){d.seed, l, sizes[s], 0, true}, seed) ||
                shrink_to(t, b, (Draw){d.seed, l, sizes[s], 4 * d.special, true}, seed))
                return;
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
        int draw = k->result.passed + k->result.skipped;
        Draw d = {hash_mix(k->seed, (uint64_t)draw), draw % 4, sizes[draw % COUNT(sizes)], SPECIAL_FILLS, false};
        Trial t;
        if (b->stop && *b->stop) return snprintf(k->reason, sizeof k->reason, "interrupted"), false;
        trial_run(&t, b, d);
        if (!t.made) snprintf(k->reason, sizeof k->reason, "%s", t.instance.problem);
        if (t.outcome == DIFFERENT) {
            Buf text = {0};
            uint64_t seed = d.seed;
            shrink(&t, b, d, &seed);
            trial_shrink_data(&t);
            const Instance *j = &t.instance;
            Ctx *c = j->g.c;
            buf_printf(&text, "# %s: %s\n# refuted, seed %llu\n", b->rule->name, b->rule->text,
                       (unsigned long long)seed);
            print_program(&t, "left", j->root, &text);
            for (int m = 0; m < t.input_count; m++) {
                buf_printf(&text, "# %s = ", t.inputs[m].name);
                data_print_head(t.inputs[m].data, 64, &text);
                buf_putc(&text, '\n');
            }
            buf_printf(&text, "# apply %s at %s\n", rule_call_text(c, b->rule, j->args), path_text(c, j->root, &j->at));
            if (t.result.root) print_program(&t, "right", t.result.root, &text);
            buf_printf(&text, "# %s\n", trial_difference(&t, t.arena));
            k->result.verdict = CHECK_REFUTED;
            k->result.seed = seed;
            k->result.counterexample = arena_strdup(k->c->diag.arena, buf_text(&text));
            k->result.difference = trial_difference(&t, k->c->diag.arena);
            k->result.replay = replay_text(&t, b->rule, k->c->diag.arena);
            buf_free(&text);
        } else check_count(&k->result, t.outcome);
        k->result.applied += t.applied && t.outcome <= INCOMPARABLE;
        trial_free(&t);
        if (k->result.verdict == CHECK_REFUTED || k->result.skipped > SKIPS_PER_TRIAL * (k->result.passed + 10))
            return false;
    }
    return k->result.passed < k->trials;
}

CheckResult rule_check(Ctx *c, Rule *r, int trials, uint64_t seed, const volatile int *stop)
{
    return rule_check_asking(c, r, trials, seed, NULL, stop);
}

CheckResult rule_check_asking(Ctx *c, Rule *r, int trials, uint64_t seed, const CheckOracle *oracle,
                              const volatile int *stop)
{
    return rule_check_on(c, r, &(CheckResult){.seed = seed}, trials, oracle, stop);
}

CheckResult rule_check_on(Ctx *c, Rule *r, const CheckResult *passed, int trials, const CheckOracle *oracle,
                          const volatile int *stop)
{
    Check k = {.c = c, .rule = r, .trials = trials, .seed = passed->seed, .result = *passed};
    for (bool more = r->ast != NULL; more;) {
        Bench b = {.oracle = oracle, .stop = stop};
        more = bench_open(&b, r) && check_some(&k, &b, CONTEXT_TRIALS);
        if (!b.rule) snprintf(k.reason, sizeof k.reason, "the rule cannot be read again");
        bench_close(&b);
    }
    if (!r->ast) snprintf(k.reason, sizeof k.reason, "the rule is a C function");
    CheckResult *out = &k.result;
    if (out->verdict == CHECK_REFUTED) {
        r->refuted = true;
        r->check_seed = k.seed;
        r->check_count = 0;
        if (r->trust == TRUST_CHECKED) r->trust = TRUST_ASSUMED;
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
    Bench b = {0};
    const char *best = NULL;
    uint32_t size = UINT32_MAX;
    bool open = bench_open(&b, r);
    for (int i = 0; open && i < SEEDS; i++) {
        Trial t;
        trial_run(&t, &b, (Draw){hash_mix(1, (uint64_t)i), 0, LARGEST, 0, true});
        bool good = t.made && t.applied && t.outcome <= ROUNDED && t.result.root != t.instance.root;
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

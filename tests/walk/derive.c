/* derive: programs, and random rules at random places of them. */
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 60, RECIPE_MAX = 7 };

static const char *const files[PROGRAMS] = {
    "tests/programs/scal.fun", "tests/programs/asum.fun", "tests/programs/dot.fun", "tests/programs/gemv.fun",
    "tests/programs/mm.fun", "tests/programs/mm_nt.fun", "tests/programs/mm_tn.fun", "tests/programs/mm_tt.fun",
    "tests/programs/floyd.fun", "tests/programs/heat.fun", "tests/programs/life.fun", "tests/unit/loops.fun",
    "tests/programs/spmv.fun", "tests/programs/raggedsum.fun", "tests/programs/segscan.fun",
    "tests/programs/dot_i8.fun", "tests/programs/dot_f16.fun", "tests/programs/axpy_f16.fun", "tests/programs/mix_u64.fun",
    "tests/programs/histogram.fun", "tests/programs/weighted.fun", "tests/programs/scatter_add.fun",
};

/* Mapping needs several rules in the right order, which chance alone seldom finds. */
static const char *const recipes[][RECIPE_MAX] = {
    {0}, {0}, {0},
    {"mapWorkgroup", "mapLocal"},
    {"splitJoin", "mapWorkgroup", "mapLocal"},
    {"splitJoin", "mapWorkgroup", "mapWorkgroup", "mapLocal", "mapLocal"},
    {"splitJoin", "mapWorkgroup", "copySeq", "toLocal"},
    {"reduceSeq", "splitReduce", "mapWorkgroup", "copySeq", "toLocal"},
    {"mapVectorise", "mapWorkgroup", "mapLocal"},
    {"vectorise", "splitJoin", "mapWorkgroup", "mapLocal"},
    {"mapWorkgroup", "mapLocal", "mapLocalToLocal"},
    {"reduceFission", "mapWorkgroup", "mapLocal", "mapLocal"},
    {"reduceSplit", "mapWorkgroup", "mapLocal", "mapLocalToLocal"},
    {"mapWorkgroup", "reduceFission", "mapLocal", "mapInterchangeInner", "mapLocal"},
    {"splitJoin", "mapGlobal", "mapGlobal"},
    {"reduceByIndexParts", "splitMap", "mapWorkgroup", "reduceByIndexAtomic", "copyLocal", "mapLocal"},
    {"reduceByIndexTwice", "splitMap", "mapWorkgroup", "reduceByIndexPairs", "reduceByIndexAtomic", "copyLocal", "mapLocal"},
    {"reduceByIndexPairs", "reduceByIndexAtomic", "copyGlobal", "mapGlobal"},
    {"splitJoin", "mapInterchange", "mapReduceInterchange", "reduceSeq", "accPrivate"},
};

/* How often rules of a kind are chosen. Memory and simplify rules apply nearly everywhere or undo what others did. */
static const struct { const char *kind; int weight; } kinds[] = {
    {"fusion", 3}, {"fission", 3}, {"split", 4}, {"reduce", 3}, {"interchange", 5}, {"simplify", 2}, {"layout", 3},
    {"vector", 2}, {"memory", 1}, {"lower", 3},
};

const char *program_file(int program) { return files[program]; }

/* ---- the world ---- */

static void die(Ctx *c, const char *what)
{
    Buf b = {0};
    diag_render(&c->diag, &b);
    fprintf(stderr, "walk: %s: %s\n", what, buf_text(&b));
    exit(2);
}

static char *read_file(const char *name)
{
    FILE *f = fopen(name, "r");
    Buf b = {0};
    int c;
    if (!f) {
        fprintf(stderr, "walk: cannot read %s\n", name);
        exit(2);
    }
    while ((c = fgetc(f)) != EOF) buf_putc(&b, (char)c);
    fclose(f);
    return b.data;
}

void world_open(World *w)
{
    *w = (World){.c = ctx_new()};
    w->rules = rules_new(w->c);
    for (int i = 0; i < PROGRAMS; i++) {
        char *text = read_file(files[i]);
        Source s = {files[i], text, strlen(text)};
        w->programs[i].defs = defs_new(w->c);
        if (!defs_load(w->c, w->programs[i].defs, &s, &w->programs[i].program)) die(w->c, files[i]);
        w->programs[i].strategies = strategies_new(w->c, w->rules, w->programs[i].defs);
        if (!w->programs[i].strategies) die(w->c, "strategies");
        free(text);
    }
}

static Device *open_device(World *w, const char *name)
{
    const DeviceInfo *info = devices_find(w->devices, name, NULL);
    return info ? device_open(info) : NULL;
}

bool world_devices(World *w, const char *device)
{
    w->devices = devices_new();
    w->device = open_device(w, device);
    w->checker = open_device(w, "oclgrind");
    return w->device != NULL;
}

void world_close(World *w)
{
    if (w->device) device_close(w->device);
    if (w->checker) device_close(w->checker);
    if (w->devices) devices_free(w->devices);
    for (int i = 0; i < PROGRAMS; i++) {
        strategies_free(w->programs[i].strategies);
        defs_free(w->programs[i].defs);
    }
    rules_free(w->rules);
    ctx_free(w->c);
}

/* ---- one derivation ---- */

void walk_choose(Walk *walk, uint64_t seed, int number)
{
    Rng r = {hash_mix(hash_mix(0, seed), (uint64_t)number)};
    static const int at_least[] = {1, 1, 2, 5, 8, 16, 33};
    memset(walk, 0, sizeof *walk);
    walk->program = number % PROGRAMS;
    walk->length = 3 + (int)rng_below(&r, 10);
    walk->recipe = (int)rng_below(&r, COUNT(recipes));
    walk->checker = number % 10 == 9;
    walk->sizes_known = rng_below(&r, 2);
    walk->sizes_as_arguments = !rng_below(&r, 4);
    walk->local_sizes = true;
    walk->at_least = walk->checker ? 1 : at_least[rng_below(&r, COUNT(at_least))];
    walk->seed = rng_next(&r);
}

Derived *derived_new(World *w, Walk *walk, Finding *out)
{
    Derived *d = mem_alloc(sizeof *d);
    *d = (Derived){.w = w, .walk = walk, .out = out, .arena = arena_new()};
    d->program = w->programs[walk->program].program;
    d->walked = d->program->body;
    memset(out, 0, sizeof *out);
    derived_note(d, "load %s", files[walk->program]);
    return d;
}

void derived_free(Derived *d)
{
    free(d->facts.v);
    arena_free(d->arena);
    free(d);
}

void derived_note(Derived *d, const char *format, ...)
{
    char *at = d->out->script;
    size_t used = strlen(at);
    va_list ap;
    va_start(ap, format);
    vsnprintf(at + used, TEXT_MAX - used, format, ap);
    va_end(ap);
    used = strlen(at);
    if (used + 1 < TEXT_MAX) memcpy(at + used, "\n", 2);
}

void derived_scope(const Derived *d, LangScope *scope, RewriteEnv *env)
{
    const Defs *defs = d->w->programs[d->walk->program].defs;
    *scope = (LangScope){.defs = defs, .program = d->program, .params = d->params, .param_count = d->param_count};
    *env = (RewriteEnv){.c = d->w->c, .defs = defs, .scope = scope, .next_param = d->next_param};
}

static void rule_args(const Derived *d, const Step *step, RuleArg args[RULE_ARGS])
{
    memset(args, 0, sizeof *args * RULE_ARGS);
    for (int i = 0; i < RULE_ARGS; i++) {
        if (!step->args[i].set) continue;
        args[i] = (RuleArg){.set = true, .size = nat_const(d->w->c->nats, step->args[i].value),
                            .perm = (PermKind)step->args[i].perm};
    }
}

static void take_facts(Derived *d, const RuleResult *r)
{
    for (int i = 0; i < r->fact_count; i++) vec_push(&d->facts, ((PlanFact){.fact = r->facts[i], .who = "a rule"}));
    for (int i = 0; i < r->new_param_count; i++) d->params[d->param_count++] = r->new_params[i];
}

/* The step as it would be typed: sizes left open become fresh parameters of the same names. */
static void note_step(Derived *d, const Rule *rule, const RuleArg *args, const Path *at)
{
    derived_note(d, "apply %s at %s", rule_call_text(d->w->c, rule, args), path_text(d->w->c, d->walked, at));
}

/* Take one step; false: it does not apply, or leads to a term that is too large. */
static bool take(Derived *d, const Step *step)
{
    LangScope scope;
    RewriteEnv env;
    RuleArg args[RULE_ARGS];
    RuleResult *r = NEW(d->arena, RuleResult);
    const Rule *rule = rules_get(d->w->rules, step->rule);
    if (!path_term(d->walked, &step->at)) return false;
    derived_scope(d, &scope, &env);
    rule_args(d, step, args);
    bool ok = rule_apply(&env, rule, args, d->walked, &step->at, false, r);
    if (!ok && d->w->c->diag.id == E70) return walk_fail(d, WALK_FAILED, E70, "%s", d->w->c->diag.message);
    diag_clear(&d->w->c->diag);
    if (!ok || r->root->size > NODES_MAX || d->param_count + r->new_param_count > PARAMS_MAX) return false;
    note_step(d, rule, args, &step->at);
    d->walked = r->root;
    d->next_param = env.next_param;
    take_facts(d, r);
    return true;
}

/* ---- random steps ---- */

static StepArg random_arg(StaticKind kind, Rng *r)
{
    static const int widths[] = {2, 4, 8, 16}, sizes[] = {1, 2, 2, 3, 4, 4, 5, 8};
    switch (kind) {
    case STATIC_DIM: return (StepArg){.set = true, .value = rng_below(r, 4) ? rng_below(r, 2) : 2};
    case STATIC_WIDTH: return (StepArg){.set = true, .value = widths[rng_below(r, COUNT(widths))]};
    case STATIC_MODE: return (StepArg){.set = true, .value = rng_below(r, PAD_MODES)};
    case STATIC_PERM:
        return (StepArg){.set = true, .value = sizes[rng_below(r, COUNT(sizes))], .perm = (int)rng_below(r, PERM_FUN)};
    case STATIC_SIZE: return (StepArg){.set = rng_below(r, 2), .value = sizes[rng_below(r, COUNT(sizes))]};
    }
    return (StepArg){0};
}

static int random_kind(Rng *r)
{
    int all = 0, k = 0;
    for (int i = 0; i < COUNT(kinds); i++) all += kinds[i].weight;
    for (int64_t left = rng_below(r, all); left >= kinds[k].weight; k++) left -= kinds[k].weight;
    return k;
}

static int random_rule(const World *w, Rng *r)
{
    const char *kind = kinds[random_kind(r)].kind;
    int found = -1, n = 0;
    for (int i = 0; i < rules_count(w->rules); i++)
        if (!strcmp(rules_get(w->rules, i)->kind, kind) && !rng_below(r, ++n)) found = i;
    return found;
}

static bool is_named(const Rule *rule, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(rule->name, *names)) return true;
    return false;
}

/* Where chance alone would mostly make what is refused: parallel maps deep inside, memory for what is there already. */
static bool is_unlikely(const Rule *rule, const Term *at, bool first)
{
    static const char *const outer[] = {"mapGlobal", "mapWorkgroup", NULL};
    static const char *const memory[] = {"toGlobal", "toLocal", "toPrivate", NULL};
    if (is_named(rule, outer)) return !first;
    return is_named(rule, memory) && !(at->kind == T_PRIM && prim_is_mapped((PrimId)at->prim));
}

/* One of the places where the rule applies, mostly a likely one; false: there is none. */
static bool random_place(Derived *d, const Rule *rule, Rng *r, Path *out)
{
    LangScope scope;
    RewriteEnv env;
    Path p = {0};
    int n = 0, unlikely = 0;
    derived_scope(d, &scope, &env);
    do {
        if (!rule_applies(&env, rule, NULL, d->walked, &p)) continue;
        bool skip = is_unlikely(rule, path_term(d->walked, &p), !n && !unlikely) && rng_below(r, 8);
        unlikely += skip;
        if (!skip && !rng_below(r, ++n)) *out = p;
    } while (path_next(d->walked, &p));
    return n > 0;
}

static bool random_step(Derived *d, int number, Rng *r)
{
    Walk *walk = d->walk;
    Step *step = &walk->steps[walk->step_count];
    const Rule *rule = rules_get(d->w->rules, number);
    *step = (Step){.rule = number};
    if (!random_place(d, rule, r, &step->at)) return false;
    for (int i = 0; i < rule->param_count; i++)
        if (rule->params[i].given) step->args[i] = random_arg(rule->params[i].kind, r);
    walk->step_count++;
    if (take(d, step)) return true;
    walk->step_count--;
    return false;
}

static int rule_number(const World *w, const char *name)
{
    for (int i = 0; i < rules_count(w->rules); i++)
        if (!strcmp(rules_get(w->rules, i)->name, name)) return i;
    return -1;
}

static void follow_recipe(Derived *d, Rng *r)
{
    const char *const *recipe = recipes[d->walk->recipe];
    for (int i = 0; i < RECIPE_MAX && recipe[i]; i++) {
        int rule = rule_number(d->w, recipe[i]), tries = rule < 0 ? 0 : 4;
        while (tries-- > 0 && d->walk->step_count < STEPS_MAX && !random_step(d, rule, r)) continue;
    }
}

void derive(Derived *d)
{
    Rng r = {d->walk->seed};
    for (int i = 0; i < TRIES && d->walk->step_count < d->walk->length && d->out->verdict == WALK_OK; i++) {
        int rule = random_rule(d->w, &r);
        if (rule >= 0) random_step(d, rule, &r);
    }
    if (d->out->verdict == WALK_OK) follow_recipe(d, &r);
}

void derive_again(Derived *d)
{
    Walk *walk = d->walk;
    int kept = 0;
    for (int i = 0; i < walk->step_count; i++)
        if (take(d, &walk->steps[i])) walk->steps[kept++] = walk->steps[i];
    walk->step_count = kept;
}

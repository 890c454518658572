/* check: is a derived version right? Printed, bound, interpreted, lowered, interpreted again and planned. */
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_private.h"

enum { BIND_TRIES = 16, EXACT = 3, WORK_MAX = 300000, FUEL = 50000000, PARAM_VALUES = 7, GROUP_MAX = 64 };

const char *const stage_names[STAGES] = {
    [STAGE_DERIVE] = "derive", [STAGE_BIND] = "bind", [STAGE_PRINT] = "print", [STAGE_RULES] = "interpret",
    [STAGE_LOWER] = "lower", [STAGE_LOWERED] = "interpret lowered", [STAGE_PLAN] = "plan", [STAGE_RUN] = "run",
};

bool walk_fail(Derived *d, Verdict verdict, ErrorId id, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(d->out->text, TEXT_MAX, format, ap);
    va_end(ap);
    d->out->verdict = verdict;
    d->out->error = (int)id;
    diag_clear(&d->w->c->diag);
    return false;
}

/* Refusing is a result for E51 to E54 alone, and only where terms become kernels; on a GPU also for what is
 * beyond its limits (E65). */
static bool fail_with(Derived *d, const Diag *diag)
{
    bool run = d->out->stage == STAGE_RUN, kernels = d->out->stage == STAGE_LOWER || d->out->stage == STAGE_PLAN || run;
    bool refused = (kernels && diag->id >= E51 && diag->id <= E54) || (run && diag->id == E65 && device_info(d->w->device)->is_gpu);
    Buf b = {0};
    diag_render(diag, &b);
    walk_fail(d, refused ? WALK_REFUSED : WALK_FAILED, diag->id, "%s", buf_text(&b));
    buf_free(&b);
    return false;
}

/* ---- values of sizes and parameters ---- */

static void unset_bindings(Derived *d)
{
    const Program *p = d->program;
    d->binding_count = p->size_count + d->param_count;
    for (int i = 0; i < p->size_count; i++)
        d->bindings[i] = (Binding){p->sizes[i]->terms[0].factors[0].atom->name, VAR_SIZE, false, 0};
    for (int i = 0; i < d->param_count; i++)
        d->bindings[p->size_count + i] = (Binding){d->params[i], VAR_PARAM, false, 0};
}

/* Parameters at random, the later the try the smaller, then the smallest sizes. */
static bool try_bindings(Derived *d, const Term *t, Rng *r, int try, int64_t at_least, Diag *diag)
{
    static const int values[PARAM_VALUES] = {1, 2, 4, 3, 8, 5, 16};
    int choices = PARAM_VALUES - try * PARAM_VALUES / BIND_TRIES;
    unset_bindings(d);
    for (int i = d->program->size_count; i < d->binding_count; i++) {
        d->bindings[i].set = true;
        d->bindings[i].value = values[rng_below(r, choices)];
    }
    return bindings_check(d->w->c, t, d->bindings, d->binding_count, diag)
        && bindings_fill(d->w->c, t, d->bindings, d->binding_count, at_least, diag)
        && bindings_check_facts(d->facts.v, d->facts.n, d->bindings, d->binding_count, diag);
}

static NatBinding *substitution(const Derived *d)
{
    NatBinding *map = NEW_ARRAY(d->arena, NatBinding, d->binding_count);
    for (int i = 0; i < d->binding_count; i++) {
        const Nat *var = nat_var(d->w->c->nats, d->bindings[i].name, d->bindings[i].kind, NULL, NULL);
        map[i] = (NatBinding){var->terms[0].factors[0].atom, nat_const(d->w->c->nats, d->bindings[i].value)};
    }
    return map;
}

static const Term *bound(const Derived *d, const Term *t)
{
    return term_subst_nats(d->w->c, t, substitution(d), d->binding_count);
}

static bool is_small(Derived *d)
{
    const Term *source = bound(d, d->program->body);
    return source && eval_work(source, 0).steps <= WORK_MAX;
}

/* Small values for everything that is free in t. */
static bool choose_bindings(Derived *d, const Term *t, int64_t at_least)
{
    Rng r = {d->walk->seed ^ 0x5eed};
    Diag diag = diag_new();
    bool ok = false;
    for (int i = 0; i < BIND_TRIES && !ok; i++) {
        diag_clear(&diag);
        ok = try_bindings(d, t, &r, i, i < BIND_TRIES / 2 ? at_least : 1, &diag) && is_small(d);
        diag_clear(&d->w->c->diag);
    }
    diag_free(&diag);
    return ok || walk_fail(d, WALK_NO_SIZES, E_NONE, "no small sizes");
}

static void note_bindings(Derived *d)
{
    for (int i = d->binding_count - 1; i >= 0; i--) {
        const Binding *b = &d->bindings[i];
        derived_note(d, "%s %s = %lld", b->kind == VAR_PARAM ? "param" : "data", b->name, (long long)b->value);
    }
}

/* ---- printing ---- */

static bool reads_back(Derived *d, const Term *t)
{
    LangScope scope;
    RewriteEnv env;
    Buf b = {0};
    derived_scope(d, &scope, &env);
    lang_print(d->w->c, t, &(PrintOptions){.width = 80}, &b);
    Source s = {"printed", buf_text(&b), b.len};
    const Term *back = lang_expr(d->w->c, &scope, &s, t->type);
    bool ok = back == t || (back ? walk_fail(d, WALK_FAILED, E_NONE, "reads back as another term:\n%s", buf_text(&b))
                                 : fail_with(d, &d->w->c->diag));
    buf_free(&b);
    return ok;
}

/* ---- interpreting ---- */

static const Type *input_type(const Derived *d, const NatBinding *map, int i)
{
    return type_subst(d->w->c, d->program->inputs[i].type, map, d->binding_count);
}

/* Integers are offsets into the next input (o), or indices of the last one. */
static FillSpec input_spec(const Derived *d, const NatBinding *map, int i)
{
    const Type *t = input_type(d, map, i);
    bool integers = t->kind == TY_ARRAY && t->elems[0] == type_scalar(d->w->c, SC_I32);
    bool offsets = !strcmp(d->program->inputs[i].name, "o");
    if (!integers) return (FillSpec){.kind = FILL_DEFAULT};
    int64_t n = input_type(d, map, offsets ? i + 1 : d->program->input_count - 1)->size->value;
    return (FillSpec){.kind = offsets ? FILL_OFFSETS : FILL_RANDOM, .seed = 1 + d->walk->seed % 1000, .hi = (double)(offsets ? n : n - 1)};
}

static bool make_inputs(Derived *d, EvalInput *out)
{
    NatBinding *map = substitution(d);
    for (int i = 0; i < d->program->input_count; i++) {
        const Input *in = &d->program->inputs[i];
        FillSpec spec = input_spec(d, map, i);
        Data *data = fill_data(d->w->c, input_type(d, map, i), &spec, i, 0, &d->w->c->diag);
        if (!data) return fail_with(d, &d->w->c->diag);
        if (spec.kind == FILL_DEFAULT) data_fill_exact(data, d->walk->seed + (uint64_t)i, EXACT);
        out[i] = (EvalInput){in->name, data, false};
    }
    return true;
}

/* NULL: it failed, and said so. */
static Data *interpret(Derived *d, const Term *t, const EvalInput *inputs)
{
    Diag diag = diag_new();
    Eval *e = eval_new(d->w->c, t, inputs, d->program->input_count, EVAL_EXACT);
    Data *out = data_new(d->w->c, t->type);
    eval_limit(e, FUEL, NULL);
    bool ok = eval_full(e, out, &diag);
    eval_free(e);
    if (!ok && diag.id == E25) walk_fail(d, WALK_LONG, E25, "%s", diag.message);
    else if (!ok) fail_with(d, &diag);
    diag_free(&diag);
    if (ok) return out;
    data_free(out);
    return NULL;
}

static bool same_values(Derived *d, const Data *got, const Data *want)
{
    if (got->part_count != want->part_count) return walk_fail(d, WALK_FAILED, E63, "another shape");
    for (int p = 0; p < got->part_count; p++) {
        for (int64_t i = 0; i < want->parts[p].count; i++) {
            double g = data_get(got, p, i), w = data_get(want, p, i);
            if (g == w) continue;
            return walk_fail(d, WALK_FAILED, E63, "element %lld is %g, not %g as in the source", (long long)i, g, w);
        }
    }
    return true;
}

static bool compare(Derived *d, const Term *t, const EvalInput *inputs)
{
    const Term *source = bound(d, d->program->body), *term = bound(d, t);
    if (!source || !term) return fail_with(d, &d->w->c->diag);
    Data *want = interpret(d, source, inputs), *got = want ? interpret(d, term, inputs) : NULL;
    bool ok = got && same_values(d, got, want);
    if (got) data_free(got);
    if (want) data_free(want);
    return ok;
}

/* Does t mean the same as the program? */
static bool means_the_same(Derived *d, const Term *t)
{
    EvalInput inputs[SIZES_MAX] = {{0}};
    bool ok = make_inputs(d, inputs) && compare(d, t, inputs);
    for (int i = 0; i < d->program->input_count; i++)
        if (inputs[i].data) data_free((Data *)inputs[i].data);
    return ok;
}

/* ---- lowering ---- */

static void take_lowered(Derived *d, const StrategyResult *r)
{
    d->lowered = r->root;
    for (int i = 0; i < r->fact_count; i++) vec_push(&d->facts, ((PlanFact){.fact = r->facts[i], .who = "lower"}));
    for (int i = 0; i < r->new_param_count && d->param_count < PARAMS_MAX; i++)
        d->params[d->param_count++] = r->new_params[i];
}

static bool lower(Derived *d)
{
    LangScope scope;
    RewriteEnv env;
    StrategyResult r = {0};
    Valuation known = {d->bindings, d->binding_count};
    LowerHints hints = {.value = d->walk->sizes_known ? valuation_value : NULL, .value_data = &known};
    derived_scope(d, &scope, &env);
    derived_note(d, "lower");
    if (!strategy_lower(d->w->programs[d->walk->program].strategies, &env, d->arena, NULL, &hints, d->walked, &r))
        return fail_with(d, &d->w->c->diag);
    take_lowered(d, &r);
    return true;
}

/* Sizes for the lowered term, unless it was made for known ones. */
static bool bind_lowered(Derived *d)
{
    if (d->walk->sizes_known && d->binding_count == d->program->size_count + d->param_count) return true;
    bool ok = choose_bindings(d, d->lowered, d->walk->at_least);
    if (ok) note_bindings(d);
    return ok;
}

/* The longest mapLocal of each dimension; 0: none. Lengths are constants. */
static void local_lengths(const Term *t, int64_t out[3])
{
    if (t->kind == T_PRIM && t->prim == PRIM_MAP_LOCAL && t->statics[0]->value < 3 && t->type->size->is_const) {
        int64_t *longest = &out[t->statics[0]->value];
        if (t->type->size->value > *longest) *longest = t->type->size->value;
    }
    for (int i = 0; i < t->arg_count; i++) local_lengths(t->args[i], out);
}

/* Local sizes that fit, that do not, or the generator's choice, which on a CPU is 1. */
static void choose_local(const Derived *d, int out[3])
{
    static const int sizes[] = {2, 3, 4, 8};
    Rng r = {d->walk->seed ^ 0x10ca1};
    int64_t lengths[3] = {0}, all = 1;
    const Term *t = bound(d, d->lowered);
    if (!t || !rng_below(&r, 4)) return;
    local_lengths(t, lengths);
    for (int k = 0; k < 3; k++) {
        bool fits = lengths[k] > 0 && rng_below(&r, 2);
        int64_t size = fits ? lengths[k] : lengths[k] || !rng_below(&r, 4) ? sizes[rng_below(&r, COUNT(sizes))] : 1;
        if (all * size > GROUP_MAX) size = 1;
        all *= out[k] = (int)size;
    }
    if (all == 1) out[0] = out[1] = out[2] = 0;
}

static void describe(Derived *d, RunSpec *spec)
{
    const Program *p = d->program;
    RunInput *inputs = NEW_ARRAY(d->arena, RunInput, p->input_count);
    const NatBinding *map = substitution(d);
    for (int i = 0; i < p->input_count; i++)
        inputs[i] = (RunInput){.name = p->inputs[i].name, .type = p->inputs[i].type, .spec = input_spec(d, map, i)};
    *spec = (RunSpec){
        .name = p->name, .term = d->lowered, .reference = p->body, .bindings = d->bindings,
        .binding_count = d->binding_count, .sizes_as_arguments = d->walk->sizes_as_arguments, .inputs = inputs,
        .input_count = p->input_count, .settings = run_settings(),
    };
    if (d->walk->local_sizes) choose_local(d, spec->local);
    spec->settings.trials = 0;
    spec->settings.warmup = 0;
    spec->settings.seeds = d->walk->checker ? 1 : 2;
    spec->settings.repeats = d->walk->checker ? 1 : 2;
}

/* ---- all of it ---- */

enum { KERNELS_MOST = 50 };              /* to build more takes longer than a run may: a loop of 100 steps whose maps a walk has put somewhere is 100 kernels */

static bool prepare_walked(Derived *d)
{
    d->out->stage = STAGE_PRINT;
    if (!reads_back(d, d->walked)) return false;
    d->out->stage = STAGE_BIND;
    if (!choose_bindings(d, d->walked, d->walk->sizes_known ? d->walk->at_least : 1)) return false;
    if (d->walk->sizes_known) note_bindings(d);
    d->out->stage = STAGE_RULES;
    return means_the_same(d, d->walked);
}

static bool prepare_lowered(Derived *d)
{
    d->out->stage = STAGE_LOWER;
    if (!lower(d)) return false;
    d->out->stage = STAGE_PRINT;
    if (!reads_back(d, d->lowered)) return false;
    d->out->stage = STAGE_BIND;
    if (!bind_lowered(d)) return false;
    d->out->stage = STAGE_LOWERED;
    return means_the_same(d, d->lowered);
}

static bool plan(Derived *d, const RunSpec *spec)
{
    d->out->stage = STAGE_PLAN;
    NatBinding *map = substitution(d);
    PlanInput *in = NEW_ARRAY(d->arena, PlanInput, spec->input_count);
    for (int i = 0; i < spec->input_count; i++)
        in[i] = (PlanInput){spec->inputs[i].name, type_subst(d->w->c, spec->inputs[i].type, map, d->binding_count)};
    const Term *t = bound(d, d->lowered);
    PlanOptions o = {.program = spec->name, .inputs = in, .input_count = spec->input_count};
    memcpy(o.local, spec->local, sizeof o.local);
    const Plan *p = t ? plan_make(d->w->c, d->arena, t, &o) : NULL;
    if (p && p->kernel_count > KERNELS_MOST) return walk_fail(d, WALK_LONG, E_NONE, "%d kernels", p->kernel_count);
    return p || fail_with(d, &d->w->c->diag);
}

bool walk_prepare(Derived *d, RunSpec *spec)
{
    if (d->out->verdict != WALK_OK || !prepare_walked(d) || !prepare_lowered(d)) return false;
    if (d->walk->sizes_as_arguments) derived_note(d, "set sizes argument");
    if (d->walk->checker) derived_note(d, "device oclgrind");
    describe(d, spec);
    if (spec->local[0]) derived_note(d, "# local sizes %d %d %d", spec->local[0], spec->local[1], spec->local[2]);
    derived_note(d, "run");
    return plan(d, spec);
}

void walk_take(Derived *d, const RunOutcome *o)
{
    d->out->stage = STAGE_RUN;
    d->out->kernels = o->kernel_count;
    for (int i = 0; i < o->kernel_count; i++) {
        int64_t all = o->kernels[i].local[0] * o->kernels[i].local[1] * o->kernels[i].local[2];
        if (all > d->out->group) d->out->group = (int)all;
    }
    if (o->state != STATE_OK) fail_with(d, &o->diag);
}

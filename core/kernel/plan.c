/* plan: a lowered term as a plan: inputs and the result, the kernels between them (plan_top.c), preconditions, the text. */
#include "dialect.h"
#include "plan_private.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* ---- the languages that kernels are printed in; the first is taken where nobody says more ---- */

#define DIALECT(id) &dialect_##id
#define COMMA() ,
static const Dialect *const dialects[] = {DIALECTS(DIALECT, COMMA)};

const Dialect *dialect_find(const char *name)
{
    for (int i = 0; i < COUNT(dialects); i++)
        if (!name || strcmp(dialects[i]->name, name) == 0) return dialects[i];
    return NULL;
}

void dialect_plan(const Dialect *d, PlanOptions *o)
{
    bool gpu = d->max_group > 1;
    o->dialect = d;
    if (!d->max_group || (gpu && o->on_gpu)) return;
    o->on_gpu = gpu;
    o->prefer_single = !gpu;
    o->max_group = d->max_group;
    memcpy(o->max_local, d->max_local, sizeof o->max_local);
}

const char *dialect_name(const Dialect *d) { return d->name; }
const char *dialect_title(const Dialect *d) { return d->title; }

/* ---- inputs and outputs ---- */

/* part: how many scalars of the input there were before. */
static View *by_value(Build *b, int input, const char *base, int *part, const Type *t)
{
    const PlanInput *in = &b->options->inputs[input];
    if (t->kind == TY_TUPLE) return VIEW_TUPLE(b, t, i, by_value(b, input, base, part, t->elems[i]));
    const char *name = plan_part_name(b, base, *part, in->type->leaf_count);
    b->values[b->value_count++] = (PlanArg){.kind = PLAN_ARG_SCALAR, .name = name, .input = input, .part = (*part)++, .scalar = t->scalar};
    return view_expr(b, t, expr_value(b, t->scalar, name));
}

/* ---- the plan ---- */

/* Does it combine floats in the order in which work-items or groups come to it? The least and the greatest are the same in any. */
static bool in_any_order(const Stmt *s)
{
    if (s->kind == S_ATOMIC) return scalar_is_float(s->place.buf->scalar) && s->atomic->op != PRIM_MIN && s->atomic->op != PRIM_MAX;
    for (int i = 0; s->kind == S_LOOK_BACK && i < s->look->count; i++)
        if (scalar_is_float(s->look->own[i]->scalar)) return true;
    return false;
}

/* What a work-item declares and where it waits. */
static void count_block(const Block *blk, PlanKernel *out, Plan *p)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        out->barriers += s->kind == S_BARRIER;
        p->any_order |= in_any_order(s) || (s->kind == S_UNIT && s->unit);
        if (s->kind == S_ALLOC) {
            int64_t scalars = s->buf->own_count * s->buf->width, bytes;
            out->private_scalars += scalars;
            if (!mul_ok(scalars, scalar_bytes(s->buf->scalar), &bytes)) bytes = INT64_MAX;
            if (!s->buf->elements && bytes > out->private_array) out->private_array = bytes;
        }
        if (stmt_has_bodies(s)) count_block(&s->body, out, p);
        if (stmt_has_bodies(s)) count_block(&s->other, out, p);
    }
}

static void finish_plan(Build *b, Plan *p)
{
    p->kernel_count = b->kernels.n;
    p->kernels = NEW_ARRAY(b->arena, PlanKernel, b->kernels.n);
    kernels_without_bf16(b);
    p->long_index = b->long_index = plan_needs_long(b, p);
    for (int i = 0; i < b->kernels.n; i++) {
        Kernel *k = b->k = b->kernels.v[i];
        PlanKernel *out = &p->kernels[i];
        out->name = k->name;
        out->copies = k->copies;
        out->joined = k->joined;
        out->loops = plan_looped(b, k);
        for (int d = 0; d < 3; d++) {
            out->global[d] = build_plain(b, k->global[d]);
            out->local[d] = k->local[d];
        }
        out->local_bytes = kernel_local_bytes(k, true);
        out->local_apart = kernel_local_bytes(k, false);
        count_block(&k->body, out, p);
        printer_kernel(b, k, out);
        if (b->options->features) features_kernel(b, k, out);
    }
    p->loop_count = b->loops.n;
    p->loops = NEW_ARRAY(b->arena, PlanLoop, b->loops.n);
    for (int i = 0; i < b->loops.n; i++) {
        p->loops[i] = b->loops.v[i];
        p->loops[i].rounds = build_plain(b, p->loops[i].rounds);
    }
    p->buffer_count = b->plan_buffers.n;
    p->buffers = NEW_ARRAY(b->arena, PlanBuffer, b->plan_buffers.n);
    for (int i = 0; i < b->plan_buffers.n; i++) {
        p->buffers[i] = b->plan_buffers.v[i];
        PlanBuffer *pb = &p->buffers[i];
        pb->count = build_plain(b, pb->count);
        if (pb->kind == PLAN_IMAGE) pb->width = build_plain(b, pb->width), pb->height = build_plain(b, pb->height);
    }
    plan_share(b, p);
    p->warning_count = b->warnings.n;
    if (b->warnings.n) p->warnings = arena_copy(b->arena, b->warnings.v, sizeof *p->warnings * (size_t)b->warnings.n);
    p->source = printer_program(b, p);
    p->atomics64 = b->needs.uses_atomics64;
}

static void build_free(Build *b)
{
    for (int i = 0; i < b->kernels.n; i++) kernel_drop(b->kernels.v[i]);
    free(b->globals.v);
    free(b->plan_buffers.v);
    free(b->kernels.v);
    free(b->launches.v);
    free(b->warnings.v);
    free(b->sizes.v);
    free(b->size_names.v);
    free(b->loops.v);
    free(b->rounds.v);
    free(b->placed.v);
    free(b->indexed.v);
    free(b->units.v);
    views_free(b);
    free(b->tags.v);
    free(b->needs.definitions.v);
}

/* The time since *from goes to one stage, and the next one begins. */
static void stage(const PlanOptions *o, double *from, double *to)
{
    double now = o->times ? clock_cpu_ms() : 0;
    if (to) *to += now - *from;
    *from = now;
}

static void make_kernels(Build *b)
{
    const PlanOptions *o = b->options;
    int values = 0;
    b->names.arena = b->arena;
    b->inputs = NEW_ARRAY(b->arena, View *, o->input_count);
    for (int i = 0; i < o->input_count; i++) values += o->inputs[i].type->leaf_count;
    b->values = NEW_ARRAY(b->arena, PlanArg, values);
    for (int kind = 0; kind < ID_KINDS; kind++)
        for (int d = 0; d < 3; d++) plan_name(b, kernel_ids[kind][d]);
    for (int i = 0; i < o->input_count; i++) {
        const PlanInput *in = &o->inputs[i];
        int part = 0;
        b->inputs[i] = type_is_scalar_like(in->type) ? by_value(b, i, plan_name(b, in->name), &part, in->type)
                                                     : top_buffers(b, PLAN_INPUT, i, in->name, in->type);
    }
    View *out = top_buffers(b, PLAN_OUTPUT, -1, "out", b->root->type);
    for (int i = 0; i < b->sizes.n; i++) vec_push(&b->size_names, plan_name(b, b->sizes.v[i]->name));
    top_write(b, b->root, out, NULL);
    top_kernels(b);
}

Plan *plan_make(Ctx *c, Arena *arena, const Term *t, const PlanOptions *options)
{
    PlanTimes none = {0}, *times = options->times ? options->times : &none;
    double from;
    stage(options, &from, NULL);
    if (!lowered_bound(c, t) || !plan_is_lowered(c, t) || !lowered_nested(c, t)) return NULL;
    SizeSubst subst;
    PlanFact *facts, *lifted_facts;
    int count = plan_facts(c, arena, t, &facts), lifted_count = count;
    lifted_facts = facts;
    const Term *root = lowered_substitute(c, arena, t, &lifted_facts, &lifted_count, &subst);
    if (!root) return NULL;
    /* The declared inputs, over the sizes that are substituted. */
    PlanOptions lifted = *options;
    PlanInput *inputs = NEW_ARRAY(arena, PlanInput, options->input_count);
    for (int i = 0; i < options->input_count; i++) {
        inputs[i] = options->inputs[i];
        if (subst.count) inputs[i].type = type_subst(c, inputs[i].type, subst.to, subst.count);
    }
    lifted.inputs = inputs;
    const Dialect *dialect = options->dialect ? options->dialect : dialect_find(NULL);
    Build b = {.c = c, .n = c->nats, .arena = arena, .options = &lifted, .subst = &subst, .root = root,
               .read = translate_read, .write_loop = top_loop, .in = {.lanes = 1}, .dialect = dialect};
    Plan *p = MAKE(arena, Plan, .facts = facts, .fact_count = count);
    for (int i = 0; i < options->input_count; i++) type_vars(options->inputs[i].type, VAR_SIZE, &b.sizes);
    term_vars(t, VAR_SIZE, &b.sizes);       /* a part of a program has them elsewhere, too */
    stage(options, &from, &times->check);
    const NatFacts *chain = NULL;
    for (int i = lifted_count - 1; i >= 0; i--) {
        if (lifted_facts[i].fact.kind != FACT_DIVIDES) continue;
        chain = MAKE(b.arena, NatFacts, lifted_facts[i].fact.a, lifted_facts[i].fact.b, chain);
    }
    b.facts = chain;
    b.root = units_spelt_out(&b, root);
    if (b.root) make_kernels(&b);
    stage(options, &from, &times->translate);
    if (b.root && !b.failed) finish_plan(&b, p);              /* may fail */
    stage(options, &from, &times->emit);
    bool ok = b.root && !b.failed;
    build_free(&b);
    return ok ? p : NULL;
}

/* The same run, with parameters that are free and kernels that are measured. What is not lowered yet counts as one kernel. */
int plan_resources(Ctx *c, Arena *arena, const Term *lowered, bool on_gpu, PlanResources **out)
{
    PlanOptions options = {.on_gpu = on_gpu};
    SizeSubst none = {0};
    ResourceVec made = {0};
    bool failed = diag_failed(&c->diag);
    Build b = {.c = c, .n = c->nats, .arena = arena, .options = &options, .subst = &none, .root = lowered,
               .read = translate_read, .write_loop = top_loop, .in = {.lanes = 1}, .dialect = dialect_find(NULL), .resources = &made};
    b.root = units_spelt_out(&b, lowered);
    if (plan_is_lowered(c, lowered) && b.root) make_kernels(&b);
    if (made.n == 0) plan_measure(&b, b.root ? b.root : lowered);
    if (!failed) diag_clear(&c->diag);
    build_free(&b);
    *out = vec_take(&made, arena);
    return made.n;
}

int plan_loop_at(const PlanLoop *loops, int count, int around, int kernel)
{
    return FIRST_NUMBER(i, count, loops[i].around == around && loops[i].first == kernel);
}

/* plan: a lowered term cut into kernels, and the buffers, launches and preconditions around them. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* ---- inputs and outputs ---- */

typedef struct Parts {
    Build *b;
    PlanBufferKind kind;
    int input;
    const char *base;
    int part;
    int total;
    const Nat *dims[RANK_MAX];
    int rank;
    bool by_value;
    VEC(Buffer *) made;
} Parts;

static const char *part_name(const Parts *p)
{
    Arena *a = p->b->arena;
    return p->total == 1 ? c_name(p->b, p->base) : arena_printf(a, "%s_%d", p->base, p->part);
}

static void make_buffer(Parts *p, const Type *t)
{
    Build *b = p->b;
    int width = t->kind == TY_VECTOR ? t->width : 1;
    Buffer *buf = buffer_new(b, SPACE_GLOBAL, t->scalar, 1, part_name(p));
    buf->count = nat_const(b->n, width);
    buf->rank = p->rank;
    for (int d = 0; d < p->rank; d++) {
        buf->dims[d] = p->dims[d];
        buf->count = nat_mul(b->n, buf->count, p->dims[d]);
    }
    buf->plan = b->plan_buffers.n;
    buf->read_only = p->kind == PLAN_INPUT;
    PlanBuffer pb = {p->kind, buf->name, p->input, p->part++, buf->scalar, buf->count};
    vec_push(&b->plan_buffers, pb);
    vec_push(&b->globals, buf);
    vec_push(&p->made, buf);
    if (!buf->count) build_fail(b, E54, NULL, "the buffer %s is too large", buf->name);
}

static void make_buffers(Parts *p, const Type *t)
{
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) make_buffers(p, t->elems[i]);
    if (t->kind == TY_TUPLE) return;
    if (t->kind != TY_ARRAY) {
        make_buffer(p, t);
    } else if (p->rank == RANK_MAX) {
        build_fail(p->b, E54, NULL, "an array has more than %d dimensions", RANK_MAX);
    } else {
        p->dims[p->rank++] = t->size;
        make_buffers(p, t->elems[0]);
        p->rank--;
    }
}

static int count_parts(const Type *t)
{
    int n = t->kind != TY_TUPLE && t->kind != TY_ARRAY;
    for (int i = 0; (t->kind == TY_TUPLE || t->kind == TY_ARRAY) && i < t->count; i++) n += count_parts(t->elems[i]);
    return n;
}

static View *in_buffers(Build *b, PlanBufferKind kind, int input, const char *base, const Type *t)
{
    Parts p = {.b = b, .kind = kind, .input = input, .base = base, .total = count_parts(t)};
    make_buffers(&p, t);
    Buffer **bufs = NEW_ARRAY(b->arena, Buffer *, p.made.n);
    for (int i = 0; i < p.made.n; i++) bufs[i] = p.made.v[i];
    free(p.made.v);
    return b->failed ? view_poison(b, t) : view_memory(b, t, bufs, NULL, 0);
}

static View *by_value(Build *b, Parts *p, const Type *t)
{
    View *fields[ARG_MAX];
    if (t->kind == TY_TUPLE) {
        for (int i = 0; i < t->count; i++) fields[i] = by_value(b, p, t->elems[i]);
        return view_tuple(b, t, fields);
    }
    PlanArg *a = &b->values[b->value_count++];
    *a = (PlanArg){.kind = PLAN_ARG_SCALAR, .name = part_name(p), .input = p->input, .scalar = t->scalar};
    a->part = p->part++;
    return view_expr(b, t, expr_value(b, t->scalar, a->name));
}

static void make_inputs(Build *b)
{
    const PlanOptions *o = b->options;
    int values = 0;
    b->inputs = NEW_ARRAY(b->arena, View *, o->input_count);
    for (int i = 0; i < o->input_count; i++) values += o->inputs[i].type->leaf_count;
    b->values = NEW_ARRAY(b->arena, PlanArg, values);
    for (int i = 0; i < o->input_count; i++) {
        const PlanInput *in = &o->inputs[i];
        Parts p = {.b = b, .input = i, .base = in->name, .total = in->type->leaf_count};
        b->inputs[i] = type_is_scalar_like(in->type) ? by_value(b, &p, in->type)
                                                     : in_buffers(b, PLAN_INPUT, i, in->name, in->type);
    }
}

static void note_sizes(Build *b, const Nat *n)
{
    NatAtomVec vars = {0};
    nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++) {
        bool known = vars.v[i]->var != VAR_SIZE;
        for (int k = 0; k < b->sizes.n; k++) known |= b->sizes.v[k] == vars.v[i];
        if (!known) vec_push(&b->sizes, vars.v[i]);
    }
    free(vars.v);
}

static void note_type_sizes(Build *b, const Type *t)
{
    if (t->kind == TY_ARRAY) note_sizes(b, t->size);
    for (int i = 0; i < t->count; i++) note_type_sizes(b, t->elems[i]);
}

/* Names that no kernel may give to a variable: parameters of any kind. */
static void reserve_names(Build *b)
{
    int n = b->plan_buffers.n + b->value_count + b->sizes.n;
    const char **names = NEW_ARRAY(b->arena, const char *, n + 1);
    int k = 0;
    for (int i = 0; i < b->plan_buffers.n; i++) names[k++] = b->plan_buffers.v[i].name;
    for (int i = 0; i < b->value_count; i++) names[k++] = b->values[i].name;
    for (int i = 0; i < b->sizes.n; i++) names[k++] = b->sizes.v[i]->name;
    b->reserved = names;
}

/* ---- kernels ---- */

static void run_kernel(Build *b, const Term *e, View *dst, Env *env)
{
    if (b->failed) return;
    if (b->resources) {
        plan_measure(b, e);
        return;
    }
    Kernel *k = kernel_new(b, e);
    const char *program = b->options->program ? b->options->program : "program";
    k->name = c_name(b, arena_printf(b->arena, "%s_k%d", program, b->kernels.n));
    plan_shape(b, e);
    b->in = (Inside){.lanes = 1};
    if (!b->failed) translate_write(b, e, dst, env);
    if (!b->failed && kernel_finish(b, k)) barrier_insert(b, k);
    vec_push(&b->kernels, k);
    b->k = NULL;
    b->block = NULL;
    b->in = (Inside){.lanes = 1};
}

/* ---- the top level: outside every kernel ---- */

static bool has_parallel(const Term *e)
{
    return term_contains(e, PRIM_MAP_GLOBAL, -1) || term_contains(e, PRIM_MAP_WORKGROUP, -1);
}

static bool works(const Term *e) { return (e->flags & (TF_REDUCES | TF_MAPPED | TF_MEMORY)) != 0; }

static void top_write(Build *b, const Term *e, View *dst, Env *env);
static View *top_read(Build *b, const Term *e, Env *env);

static void place(Build *b, const Term *e, Env *env, View *v)
{
    Placed p = {e, env, v};
    vec_push(&b->placed, p);
}

/* The data arguments of e that do work of their own get their value before e's kernel. One that is to be computed where it is
 * read has only its own arguments placed: in its own place it would stand for itself. */
static void place_args(Build *b, const Term *e, Env *env)
{
    for (int i = 0; i < e->arg_count && !b->failed; i++) {
        const Term *x = e->args[i];
        if (x->kind == T_LAM || !works(x) || read_placed(b, x, env)) continue;
        View *v = top_read(b, x, env);
        if (!view_is_delayed(v, x, env)) place(b, x, env, v);
    }
}

static View *top_temp(Build *b, const Term *e, Env *env)
{
    View *v = read_placed(b, e, env);
    if (v) return v;
    v = in_buffers(b, PLAN_TEMP, -1, kernel_temp_name(b), e->type);
    top_write(b, e, v, env);
    place(b, e, env, v);
    return v;
}

static bool is_array_work(const Term *e)
{
    return e->type->kind == TY_ARRAY && (term_is_mapped(e) || prim_is_reduce((PrimId)e->prim) || prim_is_scan_seq((PrimId)e->prim));
}

/* Does the fold make its array in global memory by itself? */
static bool in_global(const Term *e)
{
    return prim_is_reduce((PrimId)e->prim) && e->args[1]->kind == T_PRIM && e->args[1]->prim == PRIM_TO_GLOBAL;
}

static View *top_parts(Build *b, const Term *e, Env *env)
{
    View *args[ARG_MAX] = {0};
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM) args[i] = top_read(b, e->args[i], env);
    if (e->prim == PRIM_TUPLE) return view_tuple(b, e->type, args);
    if (e->prim == PRIM_PROJ) return view_field(b, args[0], e->u.proj);
    if (e->prim == PRIM_MAP) return view_map(b, e, args[1], env);
    return view_layout(b, e, args, env);
}

static View *top_read_prim(Build *b, const Term *e, Env *env)
{
    switch (e->prim) {
    case PRIM_LET: {
        View *v = top_read(b, e->args[0], env);
        return top_read(b, e->args[1]->args[0], translate_bind(b, env, e->args[1], v));
    }
    case PRIM_TUPLE: case PRIM_PROJ: case PRIM_MAP: case PRIM_GATHER: case PRIM_AS_VECTOR: case PRIM_AS_SCALAR:
        return top_parts(b, e, env);
    case PRIM_GENERATE: return view_generate(b, e, env);
    case PRIM_TO_GLOBAL: case PRIM_TO_GLOBAL_STREAM: return top_temp(b, e, env);
    case PRIM_TO_PRIVATE: return top_read(b, e->args[0], env);
    case PRIM_ITERATE: return term_is_layout(e->args[0]) ? translate_read(b, e, env) : top_temp(b, e, env);
    default: break;
    }
    if (prim((PrimId)e->prim)->family == FAM_LAYOUT) return top_parts(b, e, env);
    if (is_array_work(e) && !has_parallel(e) && !in_global(e)) {
        build_fail(b, E52, e, "%s makes an array outside every parallel map that another kernel reads: it needs toGlobal",
                   prim((PrimId)e->prim)->name);
        return view_poison(b, e->type);
    }
    if (prim((PrimId)e->prim)->family == FAM_SCALAR || e->prim == PRIM_AT || e->prim == PRIM_MAP_VEC) {
        if (e->type->kind == TY_ARRAY) return top_temp(b, e, env);
        place_args(b, e, env);
        return view_delayed(b, e, env);
    }
    return top_temp(b, e, env);
}

/* A view of e that kernels made afterwards may use. */
static View *top_read(Build *b, const Term *e, Env *env)
{
    if (b->failed) return view_poison(b, e->type);
    if (e->kind == T_VAR) {
        Env *v = env;
        for (int i = e->u.index; v && i > 0; i--) v = v->up;
        return v ? v->v : view_poison(b, e->type);
    }
    if (e->kind != T_PRIM) return translate_read(b, e, env);
    return works(e) || e->type->kind != TY_SCALAR ? top_read_prim(b, e, env) : view_delayed(b, e, env);
}

static void top_write_iterate(Build *b, const Term *e, View *dst, Env *env)
{
    const Nat *k = e->statics[0], *length = e->args[1]->type->size;
    if (!k->is_const || k->value > 256) {
        build_fail(b, E53, e, "iterate over kernels needs a constant count of at most 256");
        return;
    }
    View *v = top_read(b, e->args[1], env);
    for (int64_t i = 0; i < k->value && !b->failed; i++) {
        const Term *f = iterate_step(b, e, length);
        if (!f) return;
        const Type *t = f->type->elems[1];
        View *to = i + 1 == k->value ? dst
                 : in_buffers(b, PLAN_TEMP, -1, kernel_temp_name(b), t);
        top_write(b, f->args[0], to, translate_bind(b, env, f, v));
        length = t->size;
        v = to;
    }
}

/* t with every array in it copied by mapSeq. */
static const Term *copy_term(Ctx *c, const Term *t)
{
    const Type *type = t->type;
    const Term *parts[ARG_MAX];
    if (type->kind == TY_TUPLE) {
        for (int i = 0; i < type->count; i++) parts[i] = copy_term(c, term_proj(c, t, i));
        return term_tuple(c, parts, type->count);
    }
    if (type->kind != TY_ARRAY) return t;
    const Type *elem = type->elems[0];
    const Term *body = copy_term(c, term_param(c, elem, 0));
    return term_prim2(c, PRIM_MAP_SEQ, term_lam(c, elem, body, NULL), t);
}

/* A kernel of its own that copies v to dst. */
static void copy_kernel(Build *b, const Type *type, View *v, View *dst)
{
    Ctx *c = b->c;
    const Type *elem = type->elems[0];
    const Nat *dim = nat_const(b->n, 0);
    const Term *body = copy_term(c, term_param(c, elem, 0));
    const Term *args[2] = {term_lam(c, elem, body, NULL), term_var(c, 0, type)};
    const Term *copy = term_prim(c, PRIM_MAP_GLOBAL, &dim, 1, args, 2);
    Env *env = NEW(b->arena, Env);
    *env = (Env){v, NULL};
    if (copy) run_kernel(b, copy, dst, env);
    else b->failed = true;
}

/* What a layout without an inverse takes from is made first and then copied. */
static void top_write_layout(Build *b, const Term *e, View *dst, Env *env)
{
    View *in = view_inverse(b, e, dst, env);
    if (in) {
        top_write(b, e->args[e->arg_count - 1], in, env);
        return;
    }
    View *v = top_read(b, e, env);
    if (!b->failed) copy_kernel(b, e->type, v, dst);
}

/* The start of a fold in dst made by a kernel of its own. */
static void top_write_start(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *z = e->args[1];
    if (e->type->kind != TY_ARRAY || z->prim != PRIM_TO_GLOBAL || z->kind != T_PRIM || !has_parallel(z)) return;
    top_write(b, z->args[0], dst, env);
    place(b, z, env, dst);
}

static bool is_space_node(const Term *e)
{
    return e->kind == T_PRIM && (e->prim == PRIM_TO_GLOBAL || e->prim == PRIM_TO_LOCAL || e->prim == PRIM_TO_PRIVATE);
}

static void top_write_nest(Build *b, const Term *e, View *dst, Env *env)
{
    bool fold = e->kind == T_PRIM && prim_is_reduce((PrimId)e->prim);
    if (fold && !has_parallel(e->args[0])) top_write_start(b, e, dst, env);
    bool within = fold && is_space_node(e->args[1]) && !has_parallel(e->args[1]);      /* a start that one work-item makes */
    if (fold && (has_parallel(e->args[0]) || within)) {    /* the accumulator is made by the same work-items that update it */
        if (works(e->args[2])) place(b, e->args[2], env, top_read(b, e->args[2], env));
    } else {
        place_args(b, e, env);
    }
    run_kernel(b, e, dst, env);
}

/* Kernels that compute e into dst. */
static void top_write(Build *b, const Term *e, View *dst, Env *env)
{
    const Nat *n;
    View *v;
    bool stream = b->stream;
    if (b->failed) return;
    if (e->kind != T_PRIM || !has_parallel(e)) {
        run_kernel(b, e, dst, env);
        return;
    }
    if (prim((PrimId)e->prim)->write == WRITE_LAYOUT) {
        top_write_layout(b, e, dst, env);
        return;
    }
    switch (e->prim) {
    case PRIM_LET:
        v = top_read(b, e->args[0], env);
        top_write(b, e->args[1]->args[0], dst, translate_bind(b, env, e->args[1], v));
        return;
    case PRIM_TUPLE:
        for (int i = 0; i < e->arg_count; i++) top_write(b, e->args[i], view_field(b, dst, i), env);
        return;
    case PRIM_ZIP:
        if (view_updated(dst)) {
            copy_kernel(b, e->type, top_read(b, e, env), dst);
            return;
        }
        for (int i = 0; i < e->arg_count; i++) top_write(b, e->args[i], view_fields(b, dst, i), env);
        return;
    case PRIM_CONCAT:
        n = e->args[0]->type->size;
        top_write(b, e->args[0], view_part(b, dst, nat_const(b->n, 0), n), env);
        top_write(b, e->args[1], view_part(b, dst, n, e->args[1]->type->size), env);
        return;
    case PRIM_SCATTER:
        top_write(b, e->args[0], dst, env);
        top_write(b, e->args[2], view_scatter(b, top_read(b, e->args[1], env), dst), env);
        return;
    case PRIM_REDUCE_BY_INDEX_SEQ: case PRIM_REDUCE_BY_INDEX_ATOMIC:
        top_write(b, in_global(e) ? e->args[1]->args[0] : e->args[1], dst, env);
        top_write(b, e->args[2], view_updates(b, e, dst, env), env);
        return;
    case PRIM_TO_GLOBAL: top_write(b, e->args[0], dst, env); return;
    case PRIM_TO_GLOBAL_STREAM:
        b->stream = true;
        top_write(b, e->args[0], dst, env);
        b->stream = stream;
        return;
    case PRIM_ITERATE: top_write_iterate(b, e, dst, env); return;
    default: top_write_nest(b, e, dst, env); return;
    }
}

/* ---- the plan ---- */

static const NatFacts *divisibility(Build *b, const PlanFact *facts, int count)
{
    const NatFacts *chain = NULL;
    for (int i = count - 1; i >= 0; i--) {
        if (facts[i].fact.kind != FACT_DIVIDES) continue;
        NatFacts *f = NEW(b->arena, NatFacts);
        *f = (NatFacts){facts[i].fact.a, facts[i].fact.b, chain};
        chain = f;
    }
    return chain;
}

/* What a work-item declares and where it waits. */
static void count_block(const Block *blk, PlanKernel *out)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        out->barriers += s->kind == S_BARRIER;
        if (s->kind == S_ALLOC) out->private_scalars += s->buf->own_count * s->buf->width;
        if (stmt_has_bodies(s)) count_block(&s->body, out);
        if (stmt_has_bodies(s)) count_block(&s->other, out);
    }
}

static void finish_plan(Build *b, Plan *p)
{
    p->kernel_count = b->kernels.n;
    p->kernels = NEW_ARRAY(b->arena, PlanKernel, b->kernels.n);
    p->long_index = b->long_index = plan_needs_long(b, p);
    for (int i = 0; i < b->kernels.n; i++) {
        Kernel *k = b->k = b->kernels.v[i];
        PlanKernel *out = &p->kernels[i];
        out->name = k->name;
        for (int d = 0; d < 3; d++) {
            out->global[d] = build_plain(b, k->global[d]);
            out->local[d] = k->local[d];
        }
        for (int j = 0; j < k->locals.n; j++)
            out->local_bytes += k->locals.v[j]->count->value * scalar_bytes(k->locals.v[j]->scalar);
        count_block(&k->body, out);
        printer_kernel(b, k, out);
        if (b->options->features) features_kernel(b, k, out);
    }
    p->buffer_count = b->plan_buffers.n;
    p->buffers = NEW_ARRAY(b->arena, PlanBuffer, b->plan_buffers.n);
    for (int i = 0; i < b->plan_buffers.n; i++) {
        p->buffers[i] = b->plan_buffers.v[i];
        p->buffers[i].count = build_plain(b, p->buffers[i].count);
    }
    p->warning_count = b->warnings.n;
    p->warnings = NEW_ARRAY(b->arena, const char *, b->warnings.n);
    if (b->warnings.n) memcpy(p->warnings, b->warnings.v, sizeof *p->warnings * (size_t)b->warnings.n);
    p->source = printer_program(b, p);
    p->atomics64 = b->uses_atomics64;
}

static void build_free(Build *b)
{
    for (int i = 0; i < b->kernels.n; i++) {
        free(b->kernels.v[i]->locals.v);
        free(b->kernels.v[i]->splits.v);
    }
    free(b->globals.v);
    free(b->plan_buffers.v);
    free(b->kernels.v);
    free(b->warnings.v);
    free(b->sizes.v);
    free(b->placed.v);
    free(b->indices.v);
    free(b->tags.v);
}

/* The declared inputs, over the sizes of the lift. */
static PlanOptions lifted_options(Ctx *c, Arena *arena, const PlanOptions *o, const Lift *l)
{
    PlanOptions r = *o;
    PlanInput *inputs = NEW_ARRAY(arena, PlanInput, o->input_count);
    for (int i = 0; i < o->input_count; i++) {
        inputs[i] = o->inputs[i];
        if (l->count) inputs[i].type = type_subst(c, inputs[i].type, l->to, l->count);
    }
    r.inputs = inputs;
    return r;
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
    make_inputs(b);
    View *out = in_buffers(b, PLAN_OUTPUT, -1, "out", b->root->type);
    reserve_names(b);
    top_write(b, b->root, out, NULL);
}

Plan *plan_make(Ctx *c, Arena *arena, const Term *t, const PlanOptions *options)
{
    PlanTimes none = {0}, *times = options->times ? options->times : &none;
    double from;
    stage(options, &from, NULL);
    if (!lowered_bound(c, t) || !plan_is_lowered(c, t) || !lowered_nested(c, t)) return NULL;
    Lift lift;
    PlanFact *facts, *lifted_facts;
    int count = plan_facts(c, arena, t, &facts), lifted_count = count;
    lifted_facts = facts;
    const Term *root = lowered_lift(c, arena, t, &lifted_facts, &lifted_count, &lift);
    if (!root) return NULL;
    PlanOptions lifted = lifted_options(c, arena, options, &lift);
    Build b = {.c = c, .n = c->nats, .arena = arena, .options = &lifted, .lift = &lift, .root = root, .in = {.lanes = 1},
               .dialect = options->dialect ? options->dialect : dialect_find(NULL)};
    Plan *p = NEW(arena, Plan);
    p->facts = facts;
    p->fact_count = count;
    for (int i = 0; i < options->input_count; i++) note_type_sizes(&b, options->inputs[i].type);
    note_type_sizes(&b, t->type);
    stage(options, &from, &times->check);
    b.facts = divisibility(&b, lifted_facts, lifted_count);
    make_kernels(&b);
    stage(options, &from, &times->translate);
    if (!b.failed) finish_plan(&b, p);
    stage(options, &from, &times->emit);
    bool ok = !b.failed;
    build_free(&b);
    return ok ? p : NULL;
}

/* The same run, with parameters that are free and kernels that are measured. What is not lowered yet counts as one kernel. */
int plan_resources(Ctx *c, Arena *arena, const Term *lowered, bool on_gpu, PlanResources **out)
{
    PlanOptions options = {.on_gpu = on_gpu};
    Lift none = {0};
    ResourceVec made = {0};
    bool failed = diag_failed(&c->diag);
    Build b = {.c = c, .n = c->nats, .arena = arena, .options = &options, .lift = &none, .root = lowered, .in = {.lanes = 1},
               .dialect = dialect_find(NULL), .resources = &made};
    if (plan_is_lowered(c, lowered)) make_kernels(&b);
    if (made.n == 0) plan_measure(&b, lowered);
    if (!failed) diag_clear(&c->diag);
    build_free(&b);
    int n = made.n;
    *out = NEW_ARRAY(arena, PlanResources, n);
    memcpy(*out, made.v, sizeof **out * (size_t)n);
    free(made.v);
    return n;
}

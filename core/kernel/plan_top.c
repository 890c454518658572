/* plan_top: what stands outside every kernel: a term cut into kernels, and the buffers between them. */
#include "plan_dest.h"
#include "plan_private.h"
#include "translate_emit.h"

#include <stdlib.h>

/* ---- buffers ---- */

View *top_buffers(Build *b, PlanBufferKind kind, int input, const char *base, const Type *t)
{
    return view_in_buffers(b, (Parts){.space = SPACE_GLOBAL, .kind = kind, .input = input, .name = base}, t, NULL);
}

/* ---- kernels ---- */

/* What p says, by the kernel that is being made, where all guards hold; those up to `open` are seen to. */
static void write_guarded(Build *b, const Arm *open, const Launch *p)
{
    const Arm *g = p->arm;
    if (g == open) {
        translate_write(b, p->e, p->dst, p->env);
        return;
    }
    while (g->around != open) g = g->around;
    const Term *cond = term_var(b->c, 0, view_type(g->cond));
    const Expr *holds = view_value(b, translate_read(b, cond, MAKE(b->arena, Env, g->cond, NULL)));
    Stmt *s = stmt_new(b, S_IF);
    s->value = g->otherwise ? expr_op(b, PRIM_NOT, SC_BOOL, &holds, 1) : holds;
    s->uniform = true;                   /* no kernel changes what its guard reads */
    EmitScope scope = emit_enter(b, &s->body);
    write_guarded(b, g, p);
    emit_leave(b, scope);
}

/* One kernel of n launches. False: they stay apart, as together they fail or take more local memory than a group may have. */
static bool make_kernel(Build *b, const Launch *launches, int n)
{
    Kernel *k = kernel_new(b, launches[0].e);
    const char *program = b->options->program ? b->options->program : "program";
    bool stream = b->stream;
    int placed = b->placed.n;
    k->name = kernel_numbered(b->arena, program, "_k", b->kernels.n);
    k->joined = n > 1;
    plan_shape(b, launches, n);
    for (int i = 0; i < n && !b->failed; i++) {
        b->in = (Inside){.lanes = 1, .copies = launches[i].copies};
        b->stream = launches[i].stream;
        b->placed.n = launches[i].placed;
        write_guarded(b, NULL, &launches[i]);
        if (launches[i].copied) k->copies = k->copies ? arena_printf(b->arena, "%s, %s", k->copies, launches[i].copied) : launches[i].copied;
    }
    b->stream = stream;
    b->placed.n = placed;
    if (!b->failed) warps_find(b, k);
    bool ok = !b->failed && kernel_finish(b, k);
    if (ok && !b->options->paranoid) kernel_order(b, k), kernel_share(b, k);
    if (ok) barrier_insert(b, k);
    TargetKind kind = b->options->on_gpu ? TARGET_GPU : TARGET_CPU;
    bool fits = n == 1 || (!b->failed && kernel_local_bytes(k, true) <= (int64_t)target_number(b->options->target, kind, TARGET_GROUP_LOCAL));
    if (b->failed && !fits) diag_clear(&b->c->diag), b->failed = false;
    if (fits && (!ok || k->body.first)) vec_push(&b->kernels, k);       /* what is made where it is to be needs no kernel */
    else kernel_drop(k);
    b->k = NULL;
    b->block = NULL;
    b->in = (Inside){.lanes = 1};
    return fits;
}

int top_kernels(Build *b)
{
    int n = b->launches.n;
    if (n && !b->failed && !make_kernel(b, b->launches.v, n))
        for (int i = 0; i < n && !b->failed; i++) make_kernel(b, &b->launches.v[i], 1);
    b->launches.n = 0;
    return b->kernels.n;
}

void top_kernel(Build *b, const Term *e, View *dst, Env *env, const char *copied)
{
    if (b->failed) return;
    if (b->resources) {
        plan_measure(b, e);
        return;
    }
    Launch p = {e, dst, env, b->out.arm, b->out.copies, b->stream, b->placed.n, copied, {1, 1, 1}};
    bool one = plan_is_one_group(b, &p);
    if (!one) top_kernels(b);
    vec_push(&b->launches, p);
    if (!one) {
        top_kernels(b);
    } else if (!plan_fit(b, b->launches.v, b->launches.n)) {
        b->launches.n--;
        top_kernels(b);
        vec_push(&b->launches, p);
    }
}

/* ---- the top level: outside every kernel ---- */

static View *top_read_to(Build *b, const Term *e, Env *env, View **dests);
static void copy_kernel(Build *b, const Term *e, View *dst, Env *env, const char *copied);

static bool has_parallel(const Term *e)
{
    return term_contains(e, PRIM_MAP_GLOBAL, -1) || term_contains(e, PRIM_MAP_WORKGROUP, -1) || term_contains(e, PRIM_REDUCE_HOST, -1);
}

bool top_works(const Term *e) { return (e->flags & (TF_REDUCES | TF_MAPPED | TF_MEMORY)) != 0; }

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
        if (x->kind == T_LAM || !top_works(x) || read_placed(b, x, env)) continue;
        View *v = top_read(b, x, env);
        if (v->kind != V_DELAYED || v->term != x || v->env != env) place(b, x, env, v);
    }
}

/* As top_write; what has no code of its own is copied. */
void top_write_or_copy(Build *b, const Term *e, View *dst, Env *env)
{
    bool outer = b->out.copies;
    b->out.copies = true;
    top_write(b, e, dst, env);
    b->out.copies = outer;
}

/* What the let around says that e is, which it names or which is a component of that; NULL: nothing. */
static const char *name_by_let(const Build *b, const Term *e)
{
    if (b->out.named == e) return read_hint(b->out.namer);
    const char *const *h = b->out.named && term_is(b->out.named, PRIM_TUPLE) ? b->out.namer->u.hints : NULL;
    if (h) h++;
    for (int i = 0; h && i < b->out.named->arg_count; h += hint_count(b->out.named->args[i++]->type))
        if (b->out.named->args[i] == e) return hint_name(*h);
    return NULL;
}

const char *loop_name(const Build *b, const Term *step, const char *role)
{
    const char *name = read_hint(step);
    if (!name) name = "state";
    return role ? arena_printf(b->arena, "%s_%s", name, role) : name;
}

/* Of memory for the value of e: where no name says what it is, a loop's is the end of its state. */
static const char *temp_name(const Build *b, const Term *e)
{
    const char *name = name_by_let(b, e);
    return name ? name : term_is(e, PRIM_REDUCE_HOST) ? loop_name(b, e->args[0], "end") : "tmp";
}

static View *top_temp(Build *b, const Term *e, Env *env)
{
    View *v = read_placed(b, e, env);
    if (v) return v;
    v = top_buffers(b, PLAN_TEMP, -1, temp_name(b, e), e->type);
    top_write_or_copy(b, e, v, env);
    place(b, e, env, v);
    return v;
}

/* Does the fold make its array in global memory by itself? */
static bool in_global(const Term *e)
{
    return prim_is_reduce((PrimId)e->prim) && e->args[1]->kind == T_PRIM && e->args[1]->prim == PRIM_TO_GLOBAL;
}

static View *of_parts(Build *b, const Term *e, View *const *args, Env *env)
{
    if (e->prim == PRIM_TUPLE) return view_tuple(b, e->type, args);
    if (e->prim == PRIM_PROJ) return view_field(b, args[0], e->u.proj);
    if (e->prim == PRIM_MAP) return view_map(b, e, args[1], env);
    return view_layout(b, e, args, env);
}

static View *top_parts(Build *b, const Term *e, Env *env)
{
    View *args[ARG_MAX] = {0};
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM) args[i] = top_read(b, e->args[i], env);
    return of_parts(b, e, args, env);
}

static int count_words(const Type *t)
{
    int n = t->kind == TY_SCALAR ? look_words(t->scalar) : 0;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) n += count_words(t->elems[i]);
    return n;
}

/* What the groups tell each other is cleared by a kernel before theirs, which does not join it: no barrier stands before they look. */
static View *top_groups(Build *b, const Term *e, Env *env)
{
    Ctx *c = b->c;
    const Type *word = type_scalar(c, SC_U64), *index = type_scalar(c, SC_I32);
    const Nat *n = nat_mul(b->n, e->type->size, nat_const(b->n, count_words(e->type->elems[0]->elems[0])));
    const Term *zero = term_lam(c, index, term_int(c, word, 0), NULL), *zeros = term_prim(c, PRIM_GENERATE, &n, 1, &zero, 1);
    View *v = read_placed(b, e, env), *xs = v ? NULL : top_read(b, e->args[3], env);
    if (v || b->failed || !zeros) return v ? v : view_poison(b, e->type);
    View *status = top_buffers(b, PLAN_TEMP, -1, "tmp", zeros->type);
    copy_kernel(b, zeros, status, env, NULL);
    top_kernels(b);
    v = VIEW(b, V_GROUPS, e->type, .x = xs, .y = status, .term = e, .env = env);      /* status: a word of 64 bits for each scalar of each group */
    place(b, e, env, v);
    return v;
}

View *top_read(Build *b, const Term *e, Env *env)
{
    if (b->failed) return view_poison(b, e->type);
    if (e->kind == T_VAR) {
        Env *v = env;
        for (int i = e->u.index; v && i > 0; i--) v = v->up;
        return v ? v->v : view_poison(b, e->type);
    }
    if (e->kind != T_PRIM) return translate_read(b, e, env);
    if (!top_works(e) && e->type->kind == TY_SCALAR) return VIEW(b, V_DELAYED, e->type, .term = e, .env = env);
    switch (e->prim) {
    case PRIM_LET: {
        View *v = top_read(b, e->args[0], env);
        return top_read(b, e->args[1]->args[0], translate_bind(b, env, e->args[1], v));
    }
    case PRIM_TUPLE: case PRIM_PROJ: case PRIM_MAP: return top_parts(b, e, env);
    case PRIM_GENERATE: return view_generate(b, e, env);
    case PRIM_SCAN_GROUPS: return top_groups(b, e, env);
    case PRIM_TO_PRIVATE: return top_read(b, e->args[0], env);
    case PRIM_ITERATE: return term_is_layout(e->args[0]) ? translate_read(b, e, env) : top_temp(b, e, env);
    default: break;
    }
    if (prim((PrimId)e->prim)->dims != DIMS_NONE) return top_parts(b, e, env);
    if (prim((PrimId)e->prim)->write == WRITE_GLOBAL) return top_temp(b, e, env);
    bool array_work = e->type->kind == TY_ARRAY && (term_is_mapped(e) || prim_is_reduce((PrimId)e->prim) || prim_is_scan_seq((PrimId)e->prim));
    if (array_work && !has_parallel(e) && !in_global(e)) {
        build_fail(b, E52, e, "%s makes an array outside every parallel map that another kernel reads: it needs toGlobal",
                   prim((PrimId)e->prim)->name);
        diag_note(&b->c->diag, "try", "lower");
        return view_poison(b, e->type);
    }
    if (prim((PrimId)e->prim)->family == FAM_SCALAR || e->prim == PRIM_AT || e->prim == PRIM_MAP_VEC) {
        if (e->type->kind == TY_ARRAY) return top_temp(b, e, env);
        place_args(b, e, env);
        return VIEW(b, V_DELAYED, e->type, .term = e, .env = env);
    }
    return top_temp(b, e, env);
}

/* ---- copy elision: values made in buffers of the result that they are components of (plan_dest.h) ---- */

/* The buffers of those places that fill one in its own shape, one a component of t; NULL: one of them is no whole buffer. */
static Buffer **own_buffers(Build *b, const Type *t, View *const *dests)
{
    Buffer **bufs = NEW_ARRAY(b->arena, Buffer *, type_components(t));
    for (int k = 0; k < type_components(t); k++) {
        const View *v = dests[k];
        if (v && (v->kind == V_MEMORY ? v->rank > 0 : v->kind != V_PLACE || v->place.buf->rank > 0)) return NULL;
        bufs[k] = !v ? NULL : v->kind == V_MEMORY ? v->bufs[0] : v->place.buf;
    }
    return bufs;
}

/* The innermost arrays of tuples in e as tuples of arrays. */
static const Term *unzipped(Ctx *c, const Term *e)
{
    const Type *elem = e->type->elems[0];
    if (elem->kind != TY_ARRAY) return term_prim(c, PRIM_UNZIP, NULL, 0, &e, 1);
    const Term *args[2] = {term_lam(c, elem, unzipped(c, term_param(c, elem, 0)), NULL), e};
    return term_prim(c, PRIM_MAP, NULL, 0, args, 2);
}

/* A value of type t, its components there or in buffers of their own. */
static View *at_dests(Build *b, const Type *t, View *const *dests, const char *name)
{
    Buffer **bufs = own_buffers(b, t, dests);
    const Type *elem = t->kind == TY_ARRAY ? t->elems[0] : t;
    View *parts[ARG_MAX];
    if (bufs) return view_in_buffers(b, (Parts){.space = SPACE_GLOBAL, .kind = PLAN_TEMP, .input = -1, .name = name, .dests = bufs}, t, NULL);
    if (type_components(t) == 1) return *dests;
    if (elem->kind == TY_ARRAY) {
        const Term *apart = term_lam(b->c, elem, unzipped(b->c, term_param(b->c, elem, 0)), NULL);
        View *v = at_dests(b, type_array(b->c, t->size, apart->type->elems[1]), dests, name);
        return VIEW(b, V_UNMAP, t, .x = v, .term = apart);
    }
    for (int i = 0; i < elem->count; dests += type_components(elem->elems[i++])) {
        const Type *part = t->kind == TY_ARRAY ? type_array(b->c, t->size, elem->elems[i]) : elem->elems[i];
        parts[i] = at_dests(b, part, dests, kernel_numbered(b->arena, name, "_", i));
    }
    return t->kind == TY_ARRAY ? view_zip(b, t, parts) : view_tuple(b, t, parts);
}

Env *top_bind(Build *b, const Term *e, Env *env, View **dests)
{
    const Term *value = e->args[0];
    for (bool layout = true; layout;) {
        layout = value->kind == T_PRIM && value->arg_count == 1 && prim((PrimId)value->prim)->family == FAM_LAYOUT;
        if (layout) value = value->args[0];
        else if ((layout = term_is(value, PRIM_LET))) value = value->args[1]->args[0];
    }
    Outside around = b->out;
    b->out.named = value;
    b->out.namer = e->args[1];
    View *v = top_read_to(b, e->args[0], env, dests);
    b->out = around;
    return translate_bind(b, env, e->args[1], v);
}

/* As top_read; what kernels make of it is made in dests. */
static View *top_read_to(Build *b, const Term *e, Env *env, View **dests)
{
    View *args[ARG_MAX] = {0};
    if (b->failed || e->kind != T_PRIM || !top_works(e) || !dest_is_wanted(dests, e->type)) return top_read(b, e, env);
    switch (e->prim) {
    case PRIM_LET: return top_read_to(b, e->args[1]->args[0], top_bind(b, e, env, dest_of_let(b, e, dests, NULL, 0)), dests);
    case PRIM_TUPLE: case PRIM_ZIP: case PRIM_UNZIP: case PRIM_PROJ: case PRIM_MAP:
        for (int i = 0; i < e->arg_count; i++)
            if (e->args[i]->kind != T_LAM) args[i] = top_read_to(b, e->args[i], env, dest_of_argument(b, e, i, dests));
        return of_parts(b, e, args, env);
    default: {
        bool made = has_parallel(e) || e->prim == PRIM_TO_GLOBAL || e->type->kind == TY_SCALAR || e->type->kind == TY_VECTOR;
        if (!made || read_placed(b, e, env)) return top_read(b, e, env);
        View *v = at_dests(b, e->type, dests, temp_name(b, e));
        top_write(b, e, v, env);
        place(b, e, env, v);
        return v;
    }
    }
}

static void top_write_iterate(Build *b, const Term *e, View *dst, Env *env)
{
    const Nat *k = e->statics[0], *length = e->args[1]->type->size;
    bool known = k->is_const && k->value <= ITERATE_MAX;
    if (!known) build_fail(b, E53, e, "iterate over kernels needs a constant count of at most %d", ITERATE_MAX);
    View *v = top_read(b, e->args[1], env);
    for (int64_t i = 0; known && i < k->value && !b->failed; i++) {
        const Term *f = iterate_step(b, e, length);
        if (!f) return;
        const Type *t = f->type->elems[1];
        View *to = i + 1 == k->value ? dst
                 : top_buffers(b, PLAN_TEMP, -1, "tmp", t);
        top_write(b, f->args[0], to, translate_bind(b, env, f, v));
        length = t->size;
        v = to;
    }
}

/* t with every array in it copied: its outermost dimensions by mapGlobal, as many as `items`, the others by mapSeq. */
static const Term *copy_term(Ctx *c, const Term *t, int items)
{
    const Type *type = t->type;
    const Term *parts[ARG_MAX];
    if (type->kind == TY_TUPLE) {
        for (int i = 0; i < type->count; i++) parts[i] = copy_term(c, term_proj(c, t, i), items);
        return term_tuple(c, parts, type->count);
    }
    if (type->kind != TY_ARRAY) return t;
    const Nat *dim = nat_const(c->nats, items - 1);
    const Term *body = copy_term(c, term_param(c, type->elems[0], 0), items ? items - 1 : 0);
    const Term *args[2] = {term_lam(c, type->elems[0], body, NULL), t};
    return term_prim(c, items ? PRIM_MAP_GLOBAL : PRIM_MAP_SEQ, &dim, items > 0, args, 2);
}

/* A kernel of its own that writes the array e to dst, element by element; one for each component of elements that have arrays among theirs, whose
 * elements would be those of one work-item. */
static void copy_kernel(Build *b, const Term *e, View *dst, Env *env, const char *copied)
{
    const Type *elem = e->type->elems[0];
    int items = 0;
    if (elem->kind == TY_TUPLE && ANY(i, elem->count, elem->elems[i]->kind == TY_ARRAY)) {
        const Term *apart = term_prim(b->c, PRIM_UNZIP, NULL, 0, &e, 1);
        for (int i = 0; i < elem->count && !b->failed; i++) copy_kernel(b, term_proj(b->c, apart, i), view_fields(b, dst, i), env, copied);
        return;
    }
    for (const Type *t = e->type; t->kind == TY_ARRAY && items < 3; t = t->elems[0]) items++;
    const Term *copy = copy_term(b->c, e, items);
    if (copy) top_kernel(b, copy, dst, env, copied);
    else b->failed = true;
}

/* The same of a value that is there. */
void top_copy_value(Build *b, const Type *type, View *v, View *dst)
{
    const Buffer *from = dest_memory(b, *dest_components(b, v)), *to = dest_memory(b, *dest_components(b, dst));
    const char *text = !from || !to ? NULL : from == to ? arena_printf(b->arena, "within %s", to->name) : arena_printf(b->arena, "%s to %s", from->name, to->name);
    copy_kernel(b, term_var(b->c, 0, type), dst, MAKE(b->arena, Env, v, NULL), text);
}

/* Cells that are in their place already stay. */
void top_copy(Build *b, View *v, View *dst)
{
    const Type *type = view_type(dst), *elem = type->kind == TY_ARRAY ? type->elems[0] : type;
    View **from = dest_components(b, v), **to = dest_components(b, dst);
    int same = 0, n = type_components(type);
    for (int k = 0; k < n; k++) same += from[k] && to[k] && view_same(b, from[k], to[k]);
    if (same == n) return;
    if (type->kind == TY_TUPLE) {
        for (int i = 0; i < type->count; i++) top_copy(b, view_field(b, v, i), view_field(b, dst, i));
    } else if (same && elem->kind == TY_TUPLE) {
        for (int i = 0; i < elem->count; i++) top_copy(b, view_fields(b, v, i), view_fields(b, dst, i));
    } else if (type->kind == TY_ARRAY) {
        top_copy_value(b, type, v, dst);
    } else {
        top_kernel(b, term_var(b->c, 0, type), dst, MAKE(b->arena, Env, v, NULL), NULL);
    }
}

/* The components that nobody reads have a place of their own. */
static void top_write_field(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *whole = e->args[0];
    View *fields[ARG_MAX], *made = read_placed(b, whole, env);
    if (made) {
        top_copy(b, view_field(b, made, e->u.proj), dst);
        return;
    }
    for (int i = 0; i < whole->type->count; i++)
        fields[i] = i == e->u.proj ? dst : top_buffers(b, PLAN_TEMP, -1, "tmp", whole->type->elems[i]);
    top_write(b, whole, view_tuple(b, whole->type, fields), env);
}

static void top_write_nest(Build *b, const Term *e, View *dst, Env *env)
{
    bool fold = e->kind == T_PRIM && prim_is_reduce((PrimId)e->prim), together = fold && has_parallel(e->args[0]);
    const Term *z = fold ? e->args[1] : NULL;
    PrimId space = z ? prim_of(z) : PRIM_COUNT;
    if (space == PRIM_TO_GLOBAL && !together && e->type->kind == TY_ARRAY && has_parallel(z)) {
        /* The start of a fold in dst made by a kernel of its own. */
        top_write(b, z->args[0], dst, env);
        place(b, z, env, dst);
    }
    bool within = (space == PRIM_TO_GLOBAL || space == PRIM_TO_LOCAL || space == PRIM_TO_PRIVATE) && !has_parallel(z);      /* a start that one work-item makes */
    if (together || within) {    /* the accumulator is made by the same work-items that update it */
        if (top_works(e->args[2])) place(b, e->args[2], env, top_read(b, e->args[2], env));
    } else {
        place_args(b, e, env);
    }
    top_kernel(b, e, dst, env, NULL);
}

/* The element of an array that has no other is the array. */
static void top_write_element(Build *b, const Term *e, View *dst, Env *env)
{
    const Type *type = e->args[1]->type;
    Buffer **bufs = own_buffers(b, e->type, dest_components(b, dst));
    bool whole = bufs && type->size->is_const && type->size->value == 1 && has_parallel(e->args[1]);
    for (int k = 0; k < type_components(e->type); k++) whole = whole && bufs[k] && bufs[k]->rank == 0;
    if (whole) top_write(b, e->args[1], view_memory(b, type, bufs, NULL, 0), env);
    else top_write_nest(b, e, dst, env);
}

/* Both arms by kernels of their own, for the work-items of one need not be those of the other. */
static void write_choice(Build *b, const Term *e, View *dst, Env *env)
{
    Arm g = {.cond = top_read(b, e->args[0], env), .around = b->out.arm};
    int placed = b->placed.n;
    for (int i = 0; i < 2; i++) {
        g.otherwise = i == 1;
        b->out.arm = &g;
        top_write(b, e->args[1 + i], dst, env);
        b->out.arm = g.around;
        top_kernels(b);
        b->placed.n = placed;            /* what one arm made is not there in the other, nor behind both */
    }
}

void top_write(Build *b, const Term *e, View *dst, Env *env)
{
    View *v;
    bool stream = b->stream, concat = prim_of(e) == PRIM_CONCAT;
    if (b->failed) return;
    if (dest_is_component(e) && !view_updated(dst)) {
        /* A value that is there already stays where it was made, or is copied. */
        v = top_read(b, e, env);
        if (!b->failed) top_copy(b, v, dst);
        return;
    }
    bool named = concat && (dest_is_component(e->args[0]) || dest_is_component(e->args[1]));
    if (concat && (has_parallel(e) || (named && !view_updated(dst)))) {
        const Nat *n = e->args[0]->type->size;
        top_write(b, e->args[0], view_part(b, dst, nat_const(b->n, 0), n), env);
        top_write(b, e->args[1], view_part(b, dst, n, e->args[1]->type->size), env);
        return;
    }
    if (b->out.copies && e->type->kind == TY_ARRAY && !top_works(e)) {
        copy_kernel(b, e, dst, env, NULL);
        return;
    }
    if (e->kind == T_PRIM && e->prim == PRIM_TO_GLOBAL && e->type->kind == TY_ARRAY && !top_works(e->args[0])) {
        copy_kernel(b, e->args[0], dst, env, NULL);
        return;
    }
    if (e->kind != T_PRIM || !has_parallel(e)) {
        top_kernel(b, e, dst, env, NULL);
        return;
    }
    if (prim((PrimId)e->prim)->write == WRITE_LAYOUT || prim((PrimId)e->prim)->write == WRITE_INVERSE) {
        /* What a layout without an inverse takes from is made first and then copied. */
        View *in = view_inverse(b, e, dst, env);
        v = in ? NULL : top_read(b, e, env);
        if (in) top_write(b, e->args[e->arg_count - 1], in, env);
        else if (!b->failed) top_copy_value(b, e->type, v, dst);
        return;
    }
    switch (e->prim) {
    case PRIM_LET:
        env = top_bind(b, e, env, dest_of_let(b, e, dest_components(b, dst), NULL, 0));
        top_write(b, e->args[1]->args[0], dst, env);
        return;
    case PRIM_TUPLE:
        for (int i = 0; i < e->arg_count; i++) top_write(b, e->args[i], view_field(b, dst, i), env);
        return;
    case PRIM_ZIP:
        if (view_updated(dst)) {
            top_copy_value(b, e->type, top_read(b, e, env), dst);
            return;
        }
        for (int i = 0; i < e->arg_count; i++) top_write(b, e->args[i], view_fields(b, dst, i), env);
        return;
    case PRIM_SCATTER:
        top_write(b, e->args[0], dst, env);
        top_write(b, e->args[2], view_scatter(b, top_read(b, e->args[1], env), dst), env);
        return;
    case PRIM_REDUCE_BY_INDEX_SEQ: case PRIM_REDUCE_BY_INDEX_ATOMIC:
        top_write(b, in_global(e) ? e->args[1]->args[0] : e->args[1], dst, env);
        top_write(b, e->args[2], view_updates(b, e, dst, env), env);
        return;
    case PRIM_TO_GLOBAL: case PRIM_TO_GLOBAL_INTERLEAVED: top_write_or_copy(b, e->args[0], dst, env); return;
    case PRIM_TO_GLOBAL_IMAGE: top_write(b, e->args[0], view_image_written(b, e, dst), env); return;
    case PRIM_TO_GLOBAL_STREAM:
        b->stream = true;
        top_write(b, e->args[0], dst, env);
        b->stream = stream;
        return;
    case PRIM_ITERATE: top_write_iterate(b, e, dst, env); return;
    case PRIM_IF: write_choice(b, e, dst, env); return;
    case PRIM_AT: top_write_element(b, e, dst, env); return;
    case PRIM_REDUCE_HOST: b->write_loop(b, e, dst, env, false); return;
    case PRIM_PROJ:
        if (e->type->kind == TY_SCALAR || e->type->kind == TY_VECTOR) top_write_nest(b, e, dst, env);
        else top_write_field(b, e, dst, env);
        return;
    default: top_write_nest(b, e, dst, env); return;
    }
}

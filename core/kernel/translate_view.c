/* translate_view: views: how values lie in memory, or how they are computed where they are read. */
#include "translate_view.h"

#include <string.h>

const Type *view_type(const View *v) { return v->type; }

View *view_poison(Build *b, const Type *type)
{
    if (type->kind != TY_TUPLE) return VIEW(b, V_POISON, type, .x = NULL);
    View *parts[ARG_MAX];
    for (int i = 0; i < type->count; i++) parts[i] = view_poison(b, type->elems[i]);
    return view_tuple(b, type, parts);
}

View *view_expr(Build *b, const Type *type, const Expr *e) { return VIEW(b, V_EXPR, type, .expr = e); }

static View *of_parts(Build *b, ViewKind kind, const Type *type, View *const *parts, int n)
{
    View **copy = NEW_ARRAY(b->arena, View *, n);
    memcpy(copy, parts, sizeof *copy * (size_t)n);
    return VIEW(b, kind, type, .parts = copy);
}

View *view_tuple(Build *b, const Type *type, View *const *parts) { return of_parts(b, V_TUPLE, type, parts, type->count); }

View *view_zip(Build *b, const Type *type, View *const *parts) { return of_parts(b, V_ZIP, type, parts, type->elems[0]->count); }

View *view_updates(Build *b, const Term *e, View *cells, Env *env)
{
    return VIEW(b, V_UPDATES, e->args[2]->type, .x = cells, .term = e, .env = env, .k = ++b->updates,
                .n = nat_const(b->n, b->in.par_count));
}

const Term *view_updated(const View *dst)
{
    while (dst && dst->kind != V_UPDATES && dst->kind != V_UPDATE) dst = dst->x;
    return dst ? dst->term : NULL;
}

bool view_is_update(const View *dst) { return dst->kind == V_UPDATE; }

View *view_delayed(Build *b, const Term *e, Env *env) { return VIEW(b, V_DELAYED, e->type, .term = e, .env = env); }

bool view_is_delayed(const View *v, const Term *e, const Env *env) { return v->kind == V_DELAYED && v->term == e && v->env == env; }

/* ---- what may go wrong is evaluated only where it is asked for ---- */

bool view_is_lazy(const View *v) { return v->kind == V_LAZY; }

View *view_lazy_new(Build *b, const Type *type, View *x)
{
    build_one_round(b);
    return VIEW(b, V_LAZY, type, .x = x, .k = -1, .lanes = b->in.lanes);
}

View *view_lazy(Build *b, View *x, const char *hint)
{
    View *v = view_lazy_new(b, x->type, x);
    v->hint = hint;
    return v;
}

View *view_named(Build *b, View *v, const char *hint)
{
    const Type *t = v->type;
    if (t->kind == TY_ARRAY || t->kind == TY_TUPLE || v->kind == V_POISON) return v;
    const Expr *e = view_value(b, v);
    if (expr_is_atom(e) || expr_counts_from(b, e)) return v;
    Place p = place_of(b, stmt_value(b, hint, e));
    return view_expr(b, t, expr_load(b, &p));
}

static bool is_total(Build *b, View *v);

static bool env_is_total(Build *b, const Term *e, const Env *env)
{
    int i = 0;
    for (; env && i < e->free_limit; env = env->up, i++)
        if (term_mentions(e, i, 1) && !is_total(b, env->v)) return false;
    return true;
}

View *view_suspend(Build *b, const Term *e, Env *env)
{
    if (e->kind == T_PRIM && e->prim == PRIM_TUPLE) {
        View *parts[ARG_MAX];
        for (int i = 0; i < e->arg_count; i++) parts[i] = view_suspend(b, e->args[i], env);
        return view_tuple(b, e->type, parts);
    }
    bool now = !b->k || (e->flags & (TF_MEMORY | TF_MAPPED)) || (term_is_total(e) && env_is_total(b, e, env));
    if (now) return translate_read(b, e, env);
    View *v = view_lazy_new(b, e->type, NULL);
    v->term = e;
    v->env = env;
    return v;
}

static View *evaluate(Build *b, View *v)
{
    if (v->term) return translate_read(b, v->term, v->env);
    if (v->n) return view_at_now(b, v->x, v->n);
    return v->k >= 0 ? view_field(b, v->x, v->k) : v->x;
}

View *view_force(Build *b, View *v)
{
    if (v->kind != V_LAZY && v->kind != V_DELAYED) return v;
    if (v->kind != V_LAZY) return translate_read(b, v->term, v->env);
    if (v->value && block_is_open(b, v->block)) return v->value;
    if (build_one_round(b)) return view_poison(b, v->type);
    int lanes = b->in.lanes;
    b->in.lanes = v->lanes;
    View *r = view_force(b, evaluate(b, v));
    if (v->hint && b->k) r = view_named(b, r, v->hint);
    b->in.lanes = lanes;
    v->value = b->k ? r : NULL;
    v->block = b->k ? b->block->id : 0;
    return r;
}

int view_part_count(const View *v)
{
    if (v->kind == V_TUPLE) return v->type->count;
    if (v->kind == V_ZIP) return v->type->elems[0]->count;
    return v->kind == V_LANES ? v->k : 0;
}

static bool find_total(Build *b, View *v)
{
    switch (v->kind) {
    case V_GATHER: case V_SCATTER: return false;
    case V_EXPR: return !b->k || expr_is_total(b, v->expr);
    case V_PLACE: return !b->k || expr_is_total(b, &(Expr){.kind = X_LOAD, .place = v->place});
    default: break;
    }
    if (v->term && !(term_is_total(v->term) && env_is_total(b, v->term, v->env))) return false;
    for (int i = 0; i < view_part_count(v); i++)
        if (!is_total(b, v->parts[i])) return false;
    return (!v->x || is_total(b, v->x)) && (!v->y || is_total(b, v->y));
}

/* Can every element be read, asked for or not? */
static bool is_total(Build *b, View *v)
{
    if (!v->value_total) v->value_total = find_total(b, v) ? 1 : 2;
    return v->value_total == 1;
}

static bool find_build_total(Build *b, View *v);

bool view_builds(Build *b, View *v)
{
    if (!v->build_total) v->build_total = find_build_total(b, v) ? 1 : 2;
    return v->build_total == 1;
}

static bool find_build_total(Build *b, View *v)
{
    switch (v->kind) {
    case V_MEMORY: case V_PLACE: case V_EXPR: return true;
    case V_GATHER: case V_SCATTER: return is_total(b, v->y) && view_builds(b, v->x);
    case V_MAP: case V_GENERATE: case V_CHOICE: case V_CONCAT: case V_PAD_CONST: return is_total(b, v);
    case V_ZIP:
        for (int i = 0; i < v->type->elems[0]->count; i++)
            if (!view_builds(b, v->parts[i])) return false;
        return true;
    case V_REORDER: return (!v->term || is_total(b, v)) && view_builds(b, v->x);
    default: return !v->x || view_builds(b, v->x);
    }
}

/* ---- memory ---- */

int view_components(const Type *t)
{
    if (t->kind == TY_ARRAY) return view_components(t->elems[0]);
    int n = t->kind != TY_TUPLE;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) n += view_components(t->elems[i]);
    return n;
}

View *view_memory(Build *b, const Type *type, Buffer *const *parts, const Nat *const *lead, int lead_count)
{
    if (type->kind == TY_SCALAR || type->kind == TY_VECTOR) {
        Buffer *buf = parts[0];
        int width = type->kind == TY_VECTOR ? type->width : 1;
        Place p = {.buf = buf, .width = width};
        if (buf->space == SPACE_PRIVATE) {
            p.element = lead_count ? element_of(b, buf, lead) : NULL;
            p.width = buf->width;
            return VIEW(b, V_PLACE, type, .place = p);
        }
        const Nat *zero = nat_const(b->n, 0), *line = zero, *at = nat_add(b->n, zero, lead_count ? lead[0] : zero);
        for (int d = 1; d < lead_count; d++) line = at, at = nat_add(b->n, nat_mul(b->n, at, buf->dims[d]), lead[d]);
        const Nat *w = nat_const(b->n, width);
        if (buf->image_of) p.line = line;
        if (buf->padding) p.packed = nat_mul(b->n, nat_sub(b->n, at, nat_mul(b->n, line, buf->padding)), w);
        p.at = nat_mul(b->n, at, w);
        if (!p.at) build_fail(b, E54, b->in.reader, "an index of %s is too large", buf->name);
        return VIEW(b, V_PLACE, type, .place = p);
    }
    if (type->kind == TY_ARRAY) return VIEW(b, V_MEMORY, type, .bufs = parts, .idx = lead, .rank = lead_count);
    View *fields[ARG_MAX];
    for (int i = 0, first = 0; i < type->count; i++) {
        fields[i] = view_memory(b, type->elems[i], parts + first, lead, lead_count);
        first += view_components(type->elems[i]);
    }
    return view_tuple(b, type, fields);
}

View *view_memory_at(Build *b, View *v, const Nat *i)
{
    const Nat **idx = NEW_ARRAY(b->arena, const Nat *, v->rank + 1);
    if (v->rank) memcpy(idx, v->idx, sizeof *idx * (size_t)v->rank);
    idx[v->rank] = i;
    return view_memory(b, v->type->elems[0], v->bufs, idx, v->rank + 1);
}

/* ---- images ---- */

/* The global buffer whose elements v has, all of them and in their order; NULL: there is none. */
static Buffer *whole_buffer(Build *b, View *v)
{
    v = view_force(b, v);
    while (v->kind == V_SPLIT || v->kind == V_JOIN || v->kind == V_AS_VECTOR || v->kind == V_AS_SCALAR) v = view_force(b, v->x);
    bool whole = v->kind == V_MEMORY && v->rank == 0 && view_components(v->type) == 1;
    return whole && v->bufs[0]->plan >= 0 && !v->bufs[0]->image_of ? v->bufs[0] : NULL;
}

/* The buffer of the plan for it: images with the same rows are one. */
static void place_image(Build *b, Buffer *image)
{
    for (int i = 0; i < b->images.n; i++) {
        const Buffer *other = b->images.v[i];
        if (other->image_of != image->image_of || other->row != image->row) continue;
        image->plan = other->plan;
        image->name = other->name;
        return;
    }
    const Nat *texel = nat_const(b->n, image->texel);
    image->plan = b->plan_buffers.n;
    const Buffer *of = image->image_of;
    const char *name = arena_printf(b->arena, "%s_image", of->name), *free_name = name;
    for (int i = 2; kernel_name_is_taken(b, free_name); i++) free_name = kernel_numbered(b->arena, name, "_", i);
    image->name = b->k ? kernel_name(b, free_name) : free_name;
    PlanBuffer pb = {.kind = PLAN_IMAGE, .name = image->name, .input = -1, .scalar = image->scalar, .count = image->count, .of = image->image_of->plan};
    pb.width = nat_div(b->n, image->row, texel, b->facts);
    pb.height = nat_exact(b->n, image->count, image->row);
    vec_push(&b->plan_buffers, pb);
    vec_push(&b->globals, image);
}

static bool same_image(const Buffer *a, const Buffer *b)
{
    bool same = a->image_of == b->image_of && a->row == b->row && a->rank == b->rank && a->read_only == b->read_only;
    for (int d = 0; same && d < a->rank; d++) same = a->dims[d] == b->dims[d];
    return same;
}

/* An image that is seen so, the one there is if there is one. */
static Buffer **keep_image(Build *b, Buffer *image)
{
    Buffer **kept = NEW(b->arena, Buffer *);
    for (int i = 0; i < b->images.n; i++)
        if (same_image(b->images.v[i], image)) *kept = b->images.v[i];
    if (*kept) return kept;
    place_image(b, image);
    vec_push(&b->images, image);
    *kept = image;
    b->reads_images |= image->read_only;
    return kept;
}

/* The image of that buffer, as an array of e's type. */
static View *image_of(Build *b, const Term *e, Buffer *of, bool read_only)
{
    const Type *t = e->type;
    Buffer *image = buffer_new(b, SPACE_GLOBAL, of->scalar, 1, of->name);
    image->image_of = of;
    image->read_only = read_only;
    image->count = of->count;
    image->row = type_image_row(b->c, t, &image->texel);
    for (; t->kind == TY_ARRAY && image->rank < RANK_MAX; t = t->elems[0]) image->dims[image->rank++] = t->size;
    if (t->kind == TY_ARRAY) build_fail(b, E54, e, "an array has more than %d dimensions", RANK_MAX);
    return b->failed ? view_poison(b, e->type) : view_memory(b, e->type, keep_image(b, image), NULL, 0);
}

View *view_image(Build *b, const Term *e, View *x)
{
    Buffer *of = b->failed ? NULL : whole_buffer(b, x);
    if (!of && !b->failed) build_fail(b, E53, e, "toImage takes a whole input, or what toGlobal makes: copy what is to be read, toGlobal (mapGlobal ...)");
    return b->failed ? view_poison(b, e->type) : image_of(b, e, of, true);
}

View *view_image_written(Build *b, const Term *e, View *dst)
{
    Buffer *of = b->failed ? NULL : whole_buffer(b, dst);
    PlanBufferKind kind = of ? b->plan_buffers.v[of->plan].kind : PLAN_INPUT;
    if (!b->failed && kind != PLAN_OUTPUT && kind != PLAN_TEMP)
        build_fail(b, E53, e, "toGlobalImage takes all of a result, or of what another kernel reads: it stands outside of every parallel map "
                   "and of every loop of launches");
    return b->failed ? view_poison(b, e->type) : image_of(b, e, of, false);
}

/* ---- making views of layouts ---- */

View *view_fields(Build *b, View *array, int k)
{
    return VIEW(b, V_FIELD, type_array(b->c, array->type->size, array->type->elems[0]->elems[k]), .x = array, .k = k);
}

View *view_part(Build *b, View *array, const Nat *base, const Nat *count)
{
    return VIEW(b, V_PART, type_array(b->c, count, array->type->elems[0]), .x = array, .n = base);
}

View *view_slice(Build *b, View *array, const Nat *base, const Nat *count, const Nat *step)
{
    bool empty = b->c->empty;
    b->c->empty = true;
    View *v = view_part(b, array, base, count);
    b->c->empty = empty;
    v->m = step;
    return v;
}

View *view_scatter(Build *b, View *index, View *dst)
{
    return VIEW(b, V_SCATTER, type_array(b->c, index->type->size, dst->type->elems[0]), .x = dst, .y = index);
}

View *view_map(Build *b, const Term *e, View *in, Env *env) { return VIEW(b, V_MAP, e->type, .x = in, .term = e->args[0], .env = env); }

View *view_generate(Build *b, const Term *e, Env *env) { return VIEW(b, V_GENERATE, e->type, .term = e->args[0], .env = env); }

View *view_reordered(Build *b, const Type *type, PermKind kind, const Nat *k, const Term *f, View *in, Env *env)
{
    return VIEW(b, V_REORDER, type, .x = in, .k = (int)kind, .n = k, .term = f, .env = env);
}

View *view_sized(Build *b, ViewKind kind, const Type *type, View *in, const Nat *n) { return VIEW(b, kind, type, .x = in, .n = n); }

View *view_layout(Build *b, const Term *e, View *const *args, Env *env)
{
    const Nat *k = e->static_count ? e->statics[0] : NULL;
    View *in = args[e->arg_count - 1];
    switch (e->prim) {
    case PRIM_ZIP: return view_zip(b, e->type, args);
    case PRIM_UNZIP: {
        View *parts[ARG_MAX];
        for (int i = 0; i < e->type->count; i++) parts[i] = view_fields(b, in, i);
        return view_tuple(b, e->type, parts);
    }
    case PRIM_SPLIT: return view_sized(b, V_SPLIT, e->type, in, k);
    case PRIM_JOIN: return view_sized(b, V_JOIN, e->type, in, in->type->elems[0]->size);
    case PRIM_TRANSPOSE: return VIEW(b, V_TRANSPOSE, e->type, .x = in);
    case PRIM_SLIDE: return VIEW(b, V_SLIDE, e->type, .x = in, .n = e->statics[1], .m = k);
    case PRIM_PAD: return VIEW(b, V_PAD, e->type, .x = in, .n = k, .m = in->type->size, .k = (int)e->statics[2]->value);
    case PRIM_PAD_CONST: return VIEW(b, V_PAD_CONST, e->type, .x = args[1], .y = args[0], .n = k, .m = args[1]->type->size);
    case PRIM_TAKE: return view_part(b, in, nat_const(b->n, 0), k);
    case PRIM_DROP: return view_part(b, in, k, e->type->size);
    case PRIM_CONCAT:
        return VIEW(b, V_CONCAT, e->type, .x = args[0], .y = args[1], .n = args[0]->type->size);
    case PRIM_REORDER:
        return view_reordered(b, e->type, (PermKind)k->value, e->statics[1], e->arg_count == 3 ? e->args[0] : NULL, in, env);
    case PRIM_GATHER: return VIEW(b, V_GATHER, e->type, .x = in, .y = args[0]);
    case PRIM_TO_IMAGE: return view_image(b, e, in);
    case PRIM_AS_VECTOR: return view_sized(b, V_AS_VECTOR, e->type, in, k);
    case PRIM_AS_SCALAR: {
        const Type *t = in->type->elems[0];
        while (t->kind == TY_TUPLE) t = t->elems[0];
        return view_sized(b, V_AS_SCALAR, e->type, in, nat_const(b->n, t->width));
    }
    default:
        build_fail(b, E54, e, "%s is not a layout", prim((PrimId)e->prim)->name);
        return view_poison(b, e->type);
    }
}

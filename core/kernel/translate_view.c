/* translate_view: what translated terms are: views, pull arrays that say how values lie in memory or how they are computed
 * where they are read, and push where they are written; and the statements that views take: loops, guards, choices, stores. */
#include "translate_emit.h"
#include "translate_view.h"

#include <stdlib.h>
#include <string.h>

/* An element of an input that was loaded as an index, and the block that holds it. */
typedef struct IndexUse { Place place; int block; Buffer *value; } IndexUse;

/* How the body of a lambda uses one of its variables (occurrence analysis). */
typedef struct VarUse { const Term *body; int index, uses; bool needed; } VarUse;
enum { VAR_USES = 256 };

struct Views {
    VEC(Buffer *) images;                /* as their dimensions are seen: several may be one PlanBuffer */
    VEC(IndexUse) indices;
    VarUse uses[VAR_USES];               /* the last ones asked for */
    const Nat *lane_vars[17];            /* 0 <= j < w, for recognising vectors by address */
    int epoch, updates;                  /* of walks over views; reductions by index so far */
};

static View *view_unmap_at(Build *b, View *v, const Nat *i);
static View *view_at_now(Build *b, View *v, const Nat *i);
static bool unroll_rounds(Build *b, const Nat *n, EmitBody *body, void *data);

static struct Views *views(Build *b)
{
    if (!b->views) b->views = NEW(b->arena, struct Views);
    return b->views;
}

void views_free(Build *b)
{
    free(views(b)->images.v);
    free(views(b)->indices.v);
}

/* ---- what evaluating a term needs ---- */

/* A number that is known where the term stands, `bound` variables within env; NULL: it is not. */
static const Nat *known_number(Build *b, const Term *e, const Env *env, int bound)
{
    if (e->kind == T_SIZE) return e->u.nat;
    if (e->kind == T_LIT && !scalar_is_float(e->type->scalar)) return nat_const(b->n, e->u.lit.i);
    if (e->kind == T_VAR && e->u.index >= bound) {
        for (int i = e->u.index - bound; env && i > 0; i--) env = env->up;
        const View *v = env ? env->v : NULL;
        return v && v->kind == V_EXPR && v->expr->kind == X_NAT && !index_is_loaded(b->k, v->expr->nat) ? v->expr->nat : NULL;
    }
    if (e->kind != T_PRIM || (e->prim != PRIM_ADD && e->prim != PRIM_SUB)) return NULL;
    const Nat *x = known_number(b, e->args[0], env, bound), *y = known_number(b, e->args[1], env, bound);
    return !x || !y ? NULL : e->prim == PRIM_ADD ? nat_add(b->n, x, y) : nat_sub(b->n, x, y);
}

static bool index_is_known(Build *b, const Term *e, const Env *env, int bound)
{
    const Nat *i = e->prim == PRIM_AT && b->k ? known_number(b, e->args[0], env, bound) : NULL;
    return i && nat_is_nonneg(b->n, i) && nat_less(b->n, i, e->args[1]->type->size);
}

/* No division or index in it can go wrong, `bound` variables within env. What kernels of their own make has been made. */
static bool term_is_total(Build *b, const Term *e, const Env *env, int bound)
{
    if (e->kind == T_PRIM && (e->prim == PRIM_MAP_GLOBAL || e->prim == PRIM_MAP_WORKGROUP)) return true;
    if (e->kind == T_LAM) bound += e->type->elems[0]->leaf_count;
    int traits = e->kind == T_PRIM ? prim((PrimId)e->prim)->traits : 0;
    if (traits & PT_INDEXED && !index_is_known(b, e, env, bound)) return false;
    if ((traits & PT_DIVIDES) && (e->type->kind == TY_VECTOR || !scalar_is_float(e->type->scalar))) {
        const Term *y = e->args[1];
        if (y->kind != T_SIZE && (y->kind != T_LIT || y->u.lit.i == 0)) return false;
    }
    return ALL(i, e->arg_count, term_is_total(b, e->args[i], env, bound));
}

/* Evaluating e evaluates one of these indices. */
static bool term_demands(const Term *e, int from, int n)
{
    if (e->free_limit <= from) return false;
    if (e->kind == T_VAR) return e->u.index >= from && e->u.index < from + n;
    switch (prim_of(e)) {
    case PRIM_IF:
        if (term_demands(e->args[0], from, n)) return true;
        return term_demands(e->args[1], from, n) && term_demands(e->args[2], from, n);
    case PRIM_AND: case PRIM_OR: return term_demands(e->args[0], from, n);
    case PRIM_LET: {
        const Term *f = e->args[1];
        int leaves = f->type->elems[0]->leaf_count;
        bool made = e->args[0]->kind == T_PRIM && prim(prim_of(e->args[0]))->family == FAM_MEMORY;         /* in any case */
        return term_demands(f->args[0], from + leaves, n) ||
               (term_demands(e->args[0], from, n) && (made || term_demands(f->args[0], 0, leaves)));
    }
    default: break;
    }
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM && term_demands(e->args[i], from, n)) return true;
    if (e->kind != T_PRIM) return false;
    /* Under the function that e applies to an element at least. */
    PrimId p = prim_of(e);
    if ((!prim_is_mapped(p) && !prim_is_reduce(p) && !prim_is_scan_seq(p)) || prim_is_by_index(p)) return false;
    return term_demands(e->args[0]->args[0], from + e->args[0]->type->elems[0]->leaf_count, n);
}

bool term_contains(const Term *e, PrimId p, int dim)
{
    if (!(e->flags & TF_MAPPED) && prim_is_mapped(p)) return false;
    bool is = e->kind == T_PRIM && (e->prim == p || (p == PRIM_MAP_LOCAL && prim_is_of_warps((PrimId)e->prim)));
    if (is && (dim < 0 || term_map_dim(e) == dim)) return true;
    return ANY(i, e->arg_count, term_contains(e->args[i], p, dim));
}

/* ---- making views ---- */

const Type *view_type(const View *v) { return v->type; }

View *view_poison(Build *b, const Type *type)
{
    if (type->kind != TY_TUPLE) return VIEW(b, V_POISON, type, .x = NULL);
    return VIEW_TUPLE(b, type, i, view_poison(b, type->elems[i]));
}

View *view_expr(Build *b, const Type *type, const Expr *e) { return VIEW(b, V_EXPR, type, .expr = e); }

static View *of_parts(Build *b, ViewKind kind, const Type *type, View *const *parts, int n)
{
    View **copy = NEW_ARRAY(b->arena, View *, n);
    memcpy(copy, parts, sizeof *copy * (size_t)n);
    return VIEW(b, kind, type, .parts = copy);
}

View *view_tuple(Build *b, const Type *type, View *const *parts) { return of_parts(b, V_TUPLE, type, parts, type->count); }

View *view_zip(Build *b, const Type *type, View *const *parts)
{
    return of_parts(b, V_ZIP, type, parts, type->elems[0]->count);
}

View *view_updates(Build *b, const Term *e, View *cells, Env *env)
{
    return VIEW(b, V_UPDATES, e->args[2]->type, .x = cells, .term = e, .env = env, .k = ++views(b)->updates,
                .n = nat_const(b->n, b->in.par_count));
}

const Term *view_updated(const View *dst)
{
    while (dst && dst->kind != V_UPDATES && dst->kind != V_UPDATE) dst = dst->x;
    return dst ? dst->term : NULL;
}

bool view_is_update(const View *dst) { return dst->kind == V_UPDATE; }

/* ---- what may go wrong is evaluated only where it is asked for ---- */

static bool view_is_lazy(const View *v) { return v->kind == V_LAZY; }

/* Evaluated where it is asked for, in today's lanes. */
static View *view_lazy_new(Build *b, const Type *type, View *x)
{
    build_one_round(b);
    return VIEW(b, V_LAZY, type, .x = x, .k = -1, .lanes = b->in.lanes);
}

/* Named hint where it is first used; NULL: no name. */
static View *view_lazy(Build *b, View *x, const char *hint)
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
    return view_expr(b, t, expr_named(b, hint, e));
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
    if (e->kind == T_PRIM && e->prim == PRIM_TUPLE) return VIEW_TUPLE(b, e->type, i, view_suspend(b, e->args[i], env));
    bool now = !b->k || (e->flags & (TF_MEMORY | TF_MAPPED)) || (term_is_total(b, e, env, 0) && env_is_total(b, e, env));
    if (now) return b->read(b, e, env);
    View *v = view_lazy_new(b, e->type, NULL);
    v->term = e;
    v->env = env;
    return v;
}

View *view_force(Build *b, View *v)
{
    if (v->kind != V_LAZY && v->kind != V_DELAYED) return v;
    if (v->kind != V_LAZY) return b->read(b, v->term, v->env);
    if (v->value && block_is_open(b, v->block)) return v->value;
    if (build_one_round(b)) return view_poison(b, v->type);
    int lanes = b->in.lanes;
    b->in.lanes = v->lanes;
    View *r = v->term ? b->read(b, v->term, v->env) : v->n ? view_at_now(b, v->x, v->n) : v->k >= 0 ? view_field(b, v->x, v->k) : v->x;
    r = view_force(b, r);
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
    case V_GATHER: return false;
    case V_EXPR: return !b->k || expr_is_total(b, v->expr);
    case V_PLACE: return !b->k || expr_is_total(b, &(Expr){.kind = X_LOAD, .place = v->place});
    default: break;
    }
    if (v->term && !(term_is_total(b, v->term, v->env, 0) && env_is_total(b, v->term, v->env))) return false;
    return ALL(i, view_part_count(v), is_total(b, v->parts[i])) && (!v->x || is_total(b, v->x)) && (!v->y || is_total(b, v->y));
}

/* Can every element be read, asked for or not? */
static bool is_total(Build *b, View *v)
{
    if (!v->value_total) v->value_total = find_total(b, v) ? 1 : 2;
    return v->value_total == 1;
}

static bool find_build_total(Build *b, View *v);

/* Can the view of every element be made, asked for or not?. */
static bool view_builds(Build *b, View *v)
{
    if (!v->build_total) v->build_total = find_build_total(b, v) ? 1 : 2;
    return v->build_total == 1;
}

static bool find_build_total(Build *b, View *v)
{
    switch (v->kind) {
    case V_MEMORY: case V_PLACE: case V_EXPR: case V_GROUPS: return true;
    case V_GATHER: return is_total(b, v->y) && view_builds(b, v->x);
    case V_MAP: case V_GENERATE: case V_CHOICE: case V_CONCAT: case V_PAD_CONST: return is_total(b, v);
    case V_ZIP: return ALL(i, view_part_count(v), view_builds(b, v->parts[i]));
    case V_REORDER: return (!v->term || is_total(b, v)) && view_builds(b, v->x);
    default: return !v->x || view_builds(b, v->x);
    }
}

/* ---- memory ---- */

/* The index of dimension d of a buffer, of its view's. */
static const Nat *index_in(const Buffer *buf, const Nat *const *lead, int d)
{
    if (!buf->inner || d + 1 < buf->inner) return lead[d];
    return lead[d + 1 < buf->rank ? d + 1 : buf->inner - 1];
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
        const Nat *zero = nat_const(b->n, 0), *line = zero, *at = nat_add(b->n, zero, lead_count ? index_in(buf, lead, 0) : zero);
        for (int d = 1; d < lead_count; d++) line = at, at = nat_add(b->n, nat_mul(b->n, at, buf->dims[d]), index_in(buf, lead, d));
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
        first += type_components(type->elems[i]);
    }
    return view_tuple(b, type, fields);
}

/* ---- images ---- */

/* The global buffer whose elements v has, all of them and in their order; NULL: there is none. */
static Buffer *whole_buffer(Build *b, View *v)
{
    v = view_force(b, v);
    while (v->kind == V_SPLIT || v->kind == V_JOIN || v->kind == V_AS_VECTOR || v->kind == V_AS_SCALAR) v = view_force(b, v->x);
    bool whole = v->kind == V_MEMORY && v->rank == 0 && type_components(v->type) == 1;
    return whole && v->bufs[0]->plan >= 0 && !v->bufs[0]->image_of ? v->bufs[0] : NULL;
}

/* The buffer of the plan for it: images with the same rows are one. */
static void place_image(Build *b, Buffer *image)
{
    const struct Views *known = views(b);
    for (int i = 0; i < known->images.n; i++) {
        const Buffer *other = known->images.v[i];
        if (other->image_of != image->image_of || other->row != image->row) continue;
        image->plan = other->plan;
        image->name = other->name;
        return;
    }
    const Nat *texel = nat_const(b->n, image->texel);
    image->plan = b->plan_buffers.n;
    const Buffer *of = image->image_of;
    image->name = plan_name(b, arena_printf(b->arena, "%s_image", of->name));
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

/* The image of that buffer, as an array of e's type: the one that is seen so if there is one. */
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
    if (b->failed) return view_poison(b, e->type);
    Buffer **kept = NEW(b->arena, Buffer *);
    for (int i = 0; i < views(b)->images.n; i++)
        if (same_image(views(b)->images.v[i], image)) *kept = views(b)->images.v[i];
    if (!*kept) {
        place_image(b, image);
        vec_push(&views(b)->images, image);
        *kept = image;
        b->needs.reads_images |= image->read_only;
    }
    return view_memory(b, e->type, kept, NULL, 0);
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
    return VIEW(b, V_GATHER, type_array(b->c, index->type->size, dst->type->elems[0]), .x = dst, .y = index);
}

View *view_map(Build *b, const Term *e, View *in, Env *env)
{
    return VIEW(b, V_MAP, e->type, .x = in, .term = e->args[0], .env = env);
}

View *view_generate(Build *b, const Term *e, Env *env)
{
    return VIEW(b, V_GENERATE, e->type, .term = e->args[0], .env = env);
}

static View *view_sized(Build *b, ViewKind kind, const Type *type, View *in, const Nat *n)
{
    return VIEW(b, kind, type, .x = in, .n = n);
}

typedef enum Layout {
#define LAYOUT(id, ...) LAYOUT_##id = PRIM_##id,
#include "prims.def"
} Layout;

/* A row of prims.def without a case in one of its two switches does not compile. */
View *view_layout(Build *b, const Term *e, View *const *args, Env *env)
{
    const Nat *k = e->static_count ? e->statics[0] : NULL;
    View *in = args[e->arg_count - 1];
    switch ((Layout)e->prim) {
    case LAYOUT_ZIP: return view_zip(b, e->type, args);
    case LAYOUT_UNZIP: return VIEW_TUPLE(b, e->type, i, view_fields(b, in, i));
    case LAYOUT_SPLIT: return view_sized(b, V_SPLIT, e->type, in, k);
    case LAYOUT_JOIN: return view_sized(b, V_JOIN, e->type, in, in->type->elems[0]->size);
    case LAYOUT_TRANSPOSE: return VIEW(b, V_TRANSPOSE, e->type, .x = in);
    case LAYOUT_ANTIDIAGONALS: return VIEW(b, V_ANTIDIAGONALS, e->type, .x = in);
    case LAYOUT_SLIDE: return VIEW(b, V_SLIDE, e->type, .x = in, .n = e->statics[1], .m = k);
    case LAYOUT_PAD: return VIEW(b, V_PAD, e->type, .x = in, .n = k, .m = in->type->size, .k = (int)e->statics[2]->value);
    case LAYOUT_PAD_CONST: return VIEW(b, V_PAD_CONST, e->type, .x = args[1], .y = args[0], .n = k, .m = args[1]->type->size);
    case LAYOUT_TAKE: return view_part(b, in, nat_const(b->n, 0), k);
    case LAYOUT_DROP: return view_part(b, in, k, e->type->size);
    case LAYOUT_CONCAT:
        return VIEW(b, V_CONCAT, e->type, .x = args[0], .y = args[1], .n = args[0]->type->size);
    case LAYOUT_REORDER:
        return VIEW(b, V_REORDER, e->type, .x = in, .k = (int)k->value, .n = e->statics[1], .term = e->arg_count == 3 ? e->args[0] : NULL, .env = env);
    case LAYOUT_GATHER: return VIEW(b, V_GATHER, e->type, .x = in, .y = args[0]);
    case LAYOUT_TO_IMAGE: {
        /* The same elements of x, which fill one global buffer, read through an image. Failed: E53. */
        Buffer *of = b->failed ? NULL : whole_buffer(b, in);
        if (!of && !b->failed) build_fail(b, E53, e, "toImage takes a whole input, or what toGlobal makes: copy what is to be read, toGlobal (mapGlobal ...)");
        return b->failed ? view_poison(b, e->type) : image_of(b, e, of, true);
    }
    case LAYOUT_AS_VECTOR: return view_sized(b, V_AS_VECTOR, e->type, in, k);
    case LAYOUT_AS_SCALAR: return view_sized(b, V_AS_SCALAR, e->type, in, nat_const(b->n, type_leaf(in->type->elems[0], 0)->width));
    }
    return view_poison(b, e->type);
}

/* ---- binding ---- */

typedef struct Binder {
    Build *b;
    const Term *body;
    const char *const *hint;             /* next in preorder; NULL: none */
    const char *outer;                   /* the name of the tuple around */
    int index;                           /* de Bruijn index of the next leaf, counting down */
} Binder;

/* Unrolled bodies are bound again and again. */
static const VarUse *var_use(Build *b, const Term *body, int index)
{
    VarUse *u = &views(b)->uses[(body->id * 5 + (unsigned)index) % VAR_USES];
    if (u->body == body && u->index == index) return u;
    int uses = term_uses(body, index, 1);
    *u = (VarUse){body, index, uses, uses && term_demands(body, index, 1)};
    return u;
}

enum { INDEX_TERMS = 4 };                /* of a sum that numbers an element: a longer one has a name, of which less is known than of its parts */

/* A value used more than once gets a name, unless repeating it costs nothing. What may go wrong is evaluated here only
 * if the body needs it in any case. */
static View *bind_leaf(Binder *k, View *v, const char *hint)
{
    Build *b = k->b;
    if (!b->k) return v;
    const VarUse *u = var_use(b, k->body, k->index);
    bool lazy = view_is_lazy(v), named = u->uses > 1 && view_type(v)->kind != TY_ARRAY, needed = u->needed;
    if (!u->uses || (!lazy && !named) || (v->kind == V_EXPR && v->expr->kind == X_NAT && v->expr->nat->term_count <= INDEX_TERMS)) return v;
    if (lazy && !needed) return named ? view_lazy(b, v, hint) : v;
    v = view_force(b, v);
    if (!named) return v;
    return needed || expr_is_total(b, view_value(b, v)) ? view_named(b, v, hint) : view_lazy(b, v, hint);
}

static const char *next_hint(Binder *k)
{
    const char *hint = k->hint ? hint_name(*k->hint++) : NULL;
    return hint ? hint : k->outer;
}

static Env *bind_leaves(Binder *k, Env *env, const Type *type, View *v)
{
    const char *hint = next_hint(k);
    if (type->kind == TY_TUPLE) {
        const char *outer = k->outer;
        k->outer = hint;
        int first = k->index - type->leaf_count + 1;
        if (view_is_lazy(v) && term_demands(k->body, first, type->leaf_count)) v = view_force(k->b, v);
        for (int i = 0; i < type->count; i++) {
            View *field = view_is_lazy(v) ? view_lazy_new(k->b, type->elems[i], v) : view_field(k->b, v, i);
            if (view_is_lazy(v)) field->k = i;
            env = bind_leaves(k, env, type->elems[i], field);
        }
        k->outer = outer;
        return env;
    }
    Env *r = MAKE(k->b->arena, Env, bind_leaf(k, v, hint), env);
    k->index--;
    return r;
}

Env *translate_bind(Build *b, Env *env, const Term *lambda, View *arg)
{
    const Type *param = lambda->type->elems[0];
    Binder k = {b, lambda->args[0], lambda->u.hints, NULL, param->leaf_count - 1};
    return bind_leaves(&k, env, param, arg);
}

/* The first name in a lambda's parameter. */
const char *read_hint(const Term *lambda)
{
    const Type *t = lambda->type->elems[0];
    const char *const *h = lambda->u.hints;
    for (; h; h++, t = t->elems[0]) {
        if (hint_name(*h)) return *h;
        if (t->kind != TY_TUPLE) return NULL;
    }
    return NULL;
}

View *translate_apply(Build *b, const Term *lambda, View *arg, Env *env)
{
    return b->read(b, lambda->args[0], translate_bind(b, env, lambda, arg));
}

/* A variable that holds the loaded index; elements of inputs are loaded once a block. */
static Buffer *index_value(Build *b, const Expr *e)
{
    if (e->kind == X_LOAD && e->place.buf->once && !e->place.lane) return e->place.buf;
    bool input = e->kind == X_LOAD && e->place.buf->read_only;
    for (int i = 0; i < views(b)->indices.n && input; i++) {
        const IndexUse *u = &views(b)->indices.v[i];
        if (place_same(&u->place, &e->place) && block_is_open(b, u->block)) return u->value;
    }
    IndexUse made = {e->place, b->block->id, stmt_value(b, "at", e)};
    if (input) vec_push(&views(b)->indices, made);
    return made.value;
}

const Nat *translate_index(Build *b, View *v, const Nat *extent)
{
    const Expr *e = view_index(b, v);
    if (e->kind == X_NAT) return e->nat;
    if (e->kind == X_LIT) return nat_const(b->n, e->lit.i);
    if (e->width > 1) {
        build_fail(b, E54, b->in.reader, "an index differs from lane to lane of a vector");
        return nat_const(b->n, 0);
    }
    if (build_one_round(b)) return nat_const(b->n, 0);
    Buffer *buf = index_value(b, e);
    if (!buf->as_index) buf->as_index = kernel_index(b, (VarInfo){.kind = VAR_OPAQUE, .loaded = e}, buf->name, extent);
    return buf->as_index;
}

/* ==== statements ==== */

bool emit_is_small(const Type *t)
{
    return t->kind != TY_ARRAY && (t->kind != TY_TUPLE || ALL(i, t->count, emit_is_small(t->elems[i])));
}

/* ---- control flow ---- */

/* Loops side by side share names, and so does what else opens a block; neither takes the name of a value, nor a value theirs. */
static const char *block_name(Build *b, const char *name) { return kernel_loop_name(b, name) ? name : kernel_name(b, name); }

static const char *loop_name(Build *b, int depth)
{
    static const char *const names[] = {"i", "j", "k", "m", "n", "p", "q", "r", "s", "t", "u", "v"};
    for (int i = depth; i < COUNT(names); i++) {
        if (!kernel_loop_name(b, names[i])) continue;
        b->k->loop_depth += i - depth;
        return names[i];
    }
    return kernel_name(b, "i");
}

EmitScope emit_enter(Build *b, Block *inner)
{
    EmitScope s = {b->block, b->k->loop_depth, {0}};
    memcpy(s.bound, b->in.bound, sizeof s.bound);
    block_open(b, inner);
    return s;
}

void emit_leave(Build *b, EmitScope s)
{
    b->block = s.block;
    b->k->loop_depth = s.depth;
    memcpy(b->in.bound, s.bound, sizeof s.bound);
}

void emit_for(Build *b, EmitRange r, EmitBody *body, void *data)
{
    if (build_one_round(b)) return;
    Stmt *s = stmt_new(b, S_FOR);
    EmitScope scope = emit_enter(b, &s->body);
    s->counter = loop_name(b, b->k->loop_depth);
    s->var = kernel_index(b, r.info, s->counter, r.extent);
    b->k->loop_depth++;
    s->from = r.from;
    s->limit = r.limit;
    s->step = r.step;
    s->uniform = r.uniform;
    body(b, data, s->var);
    emit_leave(b, scope);
}

static bool differs_in_group(const VarInfo *v) { return v && v->kind != VAR_LOOP && !(v->kind == VAR_ID && v->id == ID_GROUP); }

static bool nat_is_uniform(const Build *b, const Nat *n) { return !kernel_any_var(b->k, n, differs_in_group); }

enum { UNROLL_MAX = 4096, ROUNDS_MIN = 3 };          /* rounds that are worth translating the body for any of them */

void emit_times(Build *b, const Term *e, const Nat *n, bool unroll, EmitBody *body, void *data)
{
    if (unroll && (!n->is_const || n->value > UNROLL_MAX)) {
        build_fail(b, E53, e, "%s needs a constant length of at most %d", prim(prim_of(e))->name, UNROLL_MAX);
    } else if (n->is_const && !n->value) {
        return;
    } else if (n->is_const && (unroll || n->value == 1)) {
        bool plain = e->kind == T_PRIM && !(e->args[0]->flags & (TF_MEMORY | TF_REDUCES));
        if (n->value >= ROUNDS_MIN && plain && unroll_rounds(b, n, body, data)) return;
        for (int64_t i = 0; i < n->value && !b->failed; i++) body(b, data, nat_const(b->n, i));
    } else {
        bool uniform = nat_is_uniform(b, n);
        emit_for(b, (EmitRange){nat_const(b->n, 0), n, nat_const(b->n, 1), n, uniform, {.kind = VAR_LOOP}}, body, data);
    }
}

const Expr *emit_compare(Build *b, PrimId op, const Nat *x, const Nat *y)
{
    const Expr *left = expr_nat(b, SC_I32, x);
    return expr_binary(b, op, SC_BOOL, left, expr_nat(b, SC_I32, y));
}

void emit_guarded(Build *b, const Expr *cond, bool uniform, unsigned pinned, EmitBody *body, void *data, const Nat *i)
{
    Stmt *s = stmt_new(b, S_IF);
    s->single = pinned != 0;
    s->limit = nat_const(b->n, pinned);
    s->value = cond;
    s->uniform = uniform;
    EmitScope scope = emit_enter(b, &s->body);
    body(b, data, i);
    emit_leave(b, scope);
}

/* Does every work-item of a group see the same value? */
bool emit_is_uniform(const Build *b, const Expr *e)
{
    if (e->kind == X_NAT) return nat_is_uniform(b, e->nat);
    if (e->kind == X_LOAD && !(e->place.buf->read_only && nat_is_uniform(b, e->place.at))) return false;
    return ALL(i, e->arg_count, emit_is_uniform(b, e->args[i]));
}

/* ---- storing ---- */

/* Is there a map over ids of that kind in dimension d (-1: in any)? */
static bool maps_over(const Build *b, const Term *e, IdKind kind, int d)
{
    static const PrimId prims[ID_KINDS] = {PRIM_MAP_GLOBAL, PRIM_MAP_WORKGROUP, PRIM_MAP_LOCAL};
    return term_contains(e, prims[kind], d) || (kind == ID_LOCAL && b->k->joined && term_contains(e, PRIM_MAP_GLOBAL, d));
}

/* Without a guard every work-item of a dimension that is not bound would store. Adjacent guards of the same ids are one. */
bool emit_alone(Build *b, const View *dst, const Term *e, EmitScope *scope)
{
    unsigned loose[ID_KINDS] = {0};
    const Expr *cond = NULL;
    if (view_is_private(dst)) return false;
    for (int kind = 0; kind < ID_KINDS; kind++)
        for (int d = 0; d < 3; d++) {
            bool runs = !(b->in.bound[kind] & 1u << d) && !b->k->id[kind][d]->is_const;
            if (!runs || (e && maps_over(b, e, (IdKind)kind, d))) continue;
            if (e && (e->flags & TF_MEMORY) && maps_over(b, e, ID_LOCAL, -1)) return false;       /* it has phases */
            loose[kind] |= 1u << d;
            const Expr *one = emit_compare(b, PRIM_EQ, b->k->id[kind][d], nat_const(b->n, 0));
            cond = cond ? expr_binary(b, PRIM_AND, SC_BOOL, cond, one) : one;
        }
    if (!cond) return false;
    Stmt *last = b->block->last;
    const Nat *dims = nat_const(b->n, (int64_t)(loose[0] | loose[1] << 3 | loose[2] << 6));
    if (!last || last == b->in.closed || last->kind != S_IF || !last->single || last->limit != dims) {
        last = stmt_new(b, S_IF);
        last->value = cond;
        last->single = true;
        last->uniform = !loose[ID_LOCAL] && !loose[ID_GLOBAL];
        last->limit = dims;
    }
    *scope = emit_enter(b, &last->body);
    for (int kind = 0; kind < ID_KINDS; kind++) b->in.bound[kind] |= loose[kind];
    return true;
}

enum { LANES_MOST = 16 };

/* Do w places (NULL: none) lie side by side in memory, the first one first (step 1), or the last one (-1)? All of them as one. */
static bool side_by_side(Build *b, const Place *const *lanes, int w, int step, Place *out)
{
    const Place *first = lanes[0];
    if (w < 2 || !first || first->width != 1 || first->buf->space == SPACE_PRIVATE || first->buf->image_of || first->packed || first->line)
        return false;
    for (int i = 1; i < w; i++) {
        const Place *p = lanes[i];
        if (!p || p->buf != first->buf || p->tag != first->tag || p->at != nat_add(b->n, first->at, nat_const(b->n, step * i))) return false;
    }
    *out = *lanes[step > 0 ? 0 : w - 1];
    out->width = w;
    return true;
}

/* Do the lanes of a vector lie so, the last one first? */
static bool view_is_backward(Build *b, const View *v, Place *out)
{
    const Place *lanes[LANES_MOST];
    for (int i = 0; i < v->k; i++) lanes[i] = v->parts[i]->kind == V_PLACE ? &v->parts[i]->place : NULL;
    return side_by_side(b, lanes, v->k, -1, out);
}

/* Lanes as one value: read at once where they lie side by side. */
static const Expr *lanes_value(Build *b, Scalar s, const Expr *const *lanes, int w)
{
    const Place *loads[LANES_MOST];
    Place p;
    for (int i = 0; i < w; i++) loads[i] = lanes[i]->kind == X_LOAD ? &lanes[i]->place : NULL;
    return side_by_side(b, loads, w, 1, &p) ? expr_load(b, &p) : expr_vec(b, s, lanes, w);
}

static const Expr *turned_round(Build *b, const Expr *value)
{
    const Expr *lanes[LANES_MOST];
    for (int i = 0; i < value->width; i++) lanes[i] = expr_lane(b, value, value->width - 1 - i);
    return expr_vec(b, value->scalar, lanes, value->width);
}

/* e where `known` is not negative: an index that would stay inside of an array without that is what it was made of. */
static const Expr *expr_given(Build *b, const Expr *e, const Nat *known)
{
    const Expr *args[ARG_MAX];
    const Nat *n = e->kind == X_NAT ? e->nat : e->kind == X_LOAD && e->place.buf->space == SPACE_GLOBAL && !e->place.line && !e->place.packed ? e->place.at : NULL;
    const Nat *given = n ? nat_given(b->n, n, known) : NULL;
    bool same = given == n;
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = expr_given(b, e->args[i], known);
        same = same && args[i] == e->args[i];
    }
    if (same) return e;
    Expr *x = expr_copy(b, e);
    for (int i = 0; i < e->arg_count; i++) x->args[i] = args[i];
    if (e->kind == X_NAT) x->nat = given;
    if (e->kind == X_LOAD) x->place.at = given;
    return x;
}

/* The same where cond holds. */
static const Expr *expr_where(Build *b, const Expr *e, const Expr *cond)
{
    if (cond->kind != X_OP) return e;
    if (cond->op == PRIM_AND) return expr_where(b, expr_where(b, e, cond->args[0]), cond->args[1]);
    bool below;
    const Nat *gap = expr_gap(b, cond, &below);
    return gap ? expr_given(b, e, below ? nat_sub(b->n, nat_const(b->n, -1), gap) : gap) : e;
}

static void assign(Build *b, const Term *e, View *dst, const Expr *value)
{
    Place p;
    if (dst->kind == V_GUARDED) {
        if (build_one_round(b)) return;
        value = expr_where(b, value, dst->expr);
        Stmt *s = stmt_new(b, S_IF);
        s->value = dst->expr;
        s->uniform = emit_is_uniform(b, dst->expr);
        EmitScope scope = emit_enter(b, &s->body);
        assign(b, e, dst->x, value);
        emit_leave(b, scope);
    } else if (view_place(dst, &p)) {
        EmitScope scope;
        bool there = value->kind == X_LOAD && place_same(&value->place, &p), open = !there && emit_alone(b, dst, NULL, &scope);
        stmt_assign(b, &p, value);
        if (open) emit_leave(b, scope);
    } else if (dst->kind == V_LANES) {   /* a vector that lies in scattered places */
        if (value->kind != X_VEC && !expr_is_atom(value)) value = expr_named(b, "v", value);
        if (view_is_backward(b, dst, &p)) assign(b, e, VIEW(b, V_PLACE, dst->type, .place = p), turned_round(b, value));
        else for (int i = 0; i < dst->k; i++) assign(b, e, dst->parts[i], expr_lane(b, value, i));
    } else if (!b->failed) {
        build_fail(b, E53, e, "this value cannot be written where it has to go");
    }
}

static void collect_leaves(Build *b, View *dst, View *v, Leaves *out)
{
    const Type *t = view_type(dst);
    if (t->kind == TY_TUPLE) {
        v = view_force(b, v);
        for (int i = 0; i < t->count; i++) collect_leaves(b, view_field(b, dst, i), view_field(b, v, i), out);
        return;
    }
    Leaf leaf = {dst, view_value(b, v)};
    vec_push(out, leaf);
}

static bool reads_place(const Expr *e, const View *dst)
{
    Place p;
    return !view_place(dst, &p) || expr_reads(e, p.buf);
}

/* All components are computed before the first is stored, as far as it matters. */
void emit_assign(Build *b, const Term *e, View *dst, View *v)
{
    dst = view_force(b, dst);            /* where a scatter puts it */
    if (view_type(dst)->kind != TY_TUPLE) {
        assign(b, e, dst, view_value(b, v));
        return;
    }
    Leaves l = {0};
    collect_leaves(b, dst, v, &l);
    for (int i = 1; i < l.n; i++) {
        bool hazard = false;
        for (int j = 0; j < i; j++) hazard |= reads_place(l.v[i].value, l.v[j].dst);
        if (!hazard || build_one_round(b)) continue;
        Place p;
        const Expr *value = l.v[i].value;
        if (view_place(l.v[i].dst, &p) && value->kind == X_LOAD && place_same(&p, &value->place)) continue;
        l.v[i].value = expr_named(b, "next", value);
    }
    for (int i = 0; i < l.n; i++) assign(b, e, l.v[i].dst, l.v[i].value);
    free(l.v);
}

/* ---- memory ---- */

static int power_of_two(const Nat *n) { return n && n->is_const && n->value > 0 && !(n->value & (n->value - 1)) ? __builtin_ctzll((uint64_t)n->value) : -1; }

/* Of rows of that length, by what e asks for: all banks have 8 = 2^3 pieces together, of 16 bytes. */
static Swizzle swizzle_of(Build *b, const Term *e, const Nat *row)
{
    if (!e || e->kind != T_PRIM || e->prim != PRIM_TO_LOCAL_SWIZZLED) return (Swizzle){0};
    int piece = power_of_two(e->statics[0]), pieces = power_of_two(nat_exact(b->n, row, e->statics[0]));
    if (piece < 1 || pieces < 0) {
        build_fail(b, E53, e, "toLocalSwizzled takes rows of a power of two of pieces, and pieces of a power of two of elements, at least 2: toLocalPadded takes any");
        return (Swizzle){0};
    }
    int most = pieces < 3 ? pieces : 3, over = pieces > 3 ? pieces : 3;
    return (Swizzle){piece, over + piece, (1 << most) - 1};
}

static void make_buffer(Parts *p, const Type *t)
{
    Build *b = p->b;
    bool private = p->space == SPACE_PRIVATE;
    int width = t->kind == TY_VECTOR ? t->width : private ? b->in.lanes : 1;
    Buffer *buf = p->dests ? p->dests[p->part] : NULL;
    if (!buf) {
        buf = buffer_new(b, p->space, t->scalar, private ? width : 1, p->name);
        buf->rank = p->rank;
        buf->padding = p->at ? row_padding(p->at) : NULL;
        buf->inner = p->inner;
        for (int d = 0; d < p->rank; d++) {
            const Nat *size = index_in(buf, p->dims, d);
            buf->dims[d] = d + 1 == p->rank && buf->padding ? nat_add(b->n, size, buf->padding) : size;
        }
        buf->to_lanes = p->at && term_is(p->at, PRIM_TO_LANES);
        if (p->rank) buf->swizzle = swizzle_of(b, p->at, p->dims[p->rank - 1]);
        buf->count = nat_const(b->n, width);
        for (int d = 0; d < p->rank; d++) buf->count = nat_mul(b->n, buf->count, buf->dims[d]);
        if (p->space == SPACE_GLOBAL) {
            if (!p->base || b->k) p->base = plan_name(b, p->name);
            buf->name = b->k ? p->base : plan_part_name(b, p->base, p->part, p->total);
            buf->plan = b->plan_buffers.n;
            buf->read_only = p->kind == PLAN_INPUT;
            PlanBuffer pb = {.kind = p->kind, .name = buf->name, .input = p->input, .part = p->part, .scalar = buf->scalar, .count = buf->count};
            vec_push(&b->plan_buffers, pb);
            vec_push(&b->globals, buf);
            if (!buf->count) build_fail(b, E54, p->at, "the buffer %s is too large", buf->name);
        } else {
            buf->name = kernel_name(b, p->name);
            if (private) stmt_new(b, S_ALLOC)->buf = buf;
            else vec_push(&b->k->locals, buf);
            if (!private && (!buf->count || !buf->count->is_const)) build_needs_constant(b, p->at, "a local array", buf->count, p->at->type);
        }
    }
    p->part++;
    vec_push(&p->made, buf);
}

static void make_buffers(Parts *p, const Type *t)
{
    const Nat *room = t->kind == TY_ARRAY ? kernel_upper_bound(p->b, t->size) : NULL;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) make_buffers(p, t->elems[i]);
    if (t->kind == TY_TUPLE) return;
    if (t->kind != TY_ARRAY) {
        make_buffer(p, t);
    } else if (p->rank == RANK_MAX) {
        build_fail(p->b, E54, p->at, "an array has more than %d dimensions", RANK_MAX);
    } else {
        if (!room) build_fail(p->b, E53, p->at, "how many elements of %s there are is known only when it runs: they need no memory "
                              "if what computes them is fused with what reads them", type_text(p->b->c, p->at ? p->at->type : t));
        p->dims[p->rank++] = room;
        make_buffers(p, t->elems[0]);
        p->rank--;
    }
}

View *view_in_buffers(Build *b, Parts p, const Type *t, const Nat *const *lead)
{
    int rank = p.rank;
    p.b = b;
    p.total = type_components(t);
    make_buffers(&p, t);
    Buffer **bufs = vec_take(&p.made, b->arena);
    return b->failed ? view_poison(b, t) : view_memory(b, t, bufs, lead, rank);
}

View *translate_alloc(Build *b, const Type *type, Space space, const Term *at)
{
    static const char *const names[] = {"r", "tile", "tmp"};
    Parts p = {.at = at, .space = space, .name = b->in.hint ? b->in.hint : names[space], .kind = PLAN_TEMP, .input = -1};
    b->in.hint = NULL;
    if (build_one_round(b)) return view_poison(b, type);
    /* Where maps around it share out all that runs, no two work-items have the same instance. */
    int made = b->globals.n;
    bool apart = b->k != NULL;
    for (int kind = 0; apart && kind < ID_KINDS; kind++)
        for (int d = 0; d < 3; d++) apart = apart && (b->k->id[kind][d]->is_const || b->in.mapped[kind] & 1u << d);
    /* one for each instance of the parallel maps around: in global memory of all, in local memory of those in a group */
    const Nat **lead = NEW_ARRAY(b->arena, const Nat *, b->in.par_count);
    for (int i = 0; space != SPACE_PRIVATE && i < b->in.par_count; i++) {
        if (space == SPACE_LOCAL && !b->in.par_local[i]) continue;
        if (at && at->kind == T_PRIM && at->prim == PRIM_TO_GLOBAL_INTERLEAVED && b->in.par_lane[i]) p.inner = p.rank + 1;
        lead[p.rank] = b->in.par[i];
        p.dims[p.rank++] = kernel_upper_bound(b, b->in.par_extent[i]);
    }
    View *v = view_in_buffers(b, p, type, lead);
    for (int i = made; i < b->globals.n; i++) b->globals.v[i]->apart = apart;
    return v;
}

Space emit_space(const Term *e)
{
    PrimWrite write = prim((PrimId)e->prim)->write;
    return write == WRITE_GLOBAL ? SPACE_GLOBAL : write == WRITE_LOCAL ? SPACE_LOCAL : SPACE_PRIVATE;
}

/* ---- folds of one round ---- */

/* \x -> x, or a map of that, at any depth. */
static bool is_copy(const Term *f)
{
    const Term *body = f->args[0];
    if (body->kind == T_VAR) return body->u.index == 0;
    return term_is_mapped(body) && is_copy(body->args[0]) && body->args[1]->kind == T_VAR && body->args[1]->u.index == 0;
}

static const Term *without_copies(const Term *z)
{
    for (;;) {
        if (is_space(z)) z = z->args[0];
        else if (term_is_mapped(z) && is_copy(z->args[0])) z = z->args[1];
        else return z;
    }
}

/* Does e store every element of its value, wherever it is written? Not so where it hands on an array that it was given. */
static bool stores_all(const Term *e)
{
    if (emit_is_small(e->type)) return true;
    if (e->kind != T_PRIM) return false;
    if (term_is_mapped(e)) return stores_all(e->args[0]->args[0]);
    if (prim_is_reduce((PrimId)e->prim)) return is_space(e->args[1]);
    if (e->prim == PRIM_LET) return stores_all(e->args[1]->args[0]);
    if (e->prim != PRIM_MAP && prim((PrimId)e->prim)->family != FAM_LAYOUT) return false;
    return ALL(i, e->arg_count, e->args[i]->kind == T_LAM || stores_all(e->args[i]));
}

const Term *emit_unstored_start(const Term *e)
{
    const Nat *n = e->args[2]->type->size;
    const Term *z = without_copies(e->args[1]);
    bool one = n->is_const && n->value == 1 && is_space(e->args[1]) && term_is_layout(z);
    return one && stores_all(e->args[0]->args[0]) ? z : NULL;
}

/* ---- choices ---- */

typedef struct Side { View *v; Block block; Leaves leaves; bool plain; } Side;

static bool are_total(Build *b, const Leaves *l) { return ALL(i, l->n, expr_is_total(b, l->v[i].value)); }

static View *leaf_tree(Build *b, const Type *type, const Expr *const *values, int *next)
{
    if (type->kind != TY_TUPLE) return view_expr(b, type, values[(*next)++]);
    return VIEW_TUPLE(b, type, i, leaf_tree(b, type->elems[i], values, next));
}

static View *choose_array(Build *b, const Expr *cond, View *x, View *y)
{
    const Type *t = view_type(x);
    /* An array that is x when cond holds and y otherwise; made by translate_choice. */
    if (t->kind == TY_ARRAY) return VIEW(b, V_CHOICE, x->type, .x = x, .y = y, .expr = cond);
    if (t->kind != TY_TUPLE) {
        const Expr *args[3] = {cond, view_value(b, x), view_value(b, y)};
        return view_expr(b, t, expr_op(b, PRIM_IF, t->scalar, args, 3));
    }
    return VIEW_TUPLE(b, t, i, choose_array(b, cond, view_field(b, x, i), view_field(b, y, i)));
}

/* One of two sides; V_DELAYED: made where it is asked for, element n of x or a term. */
static View *side_now(Build *b, View *side)
{
    if (side->kind != V_DELAYED) return side;
    if (!side->term) return view_at(b, side->x, side->n);
    return emit_is_small(side->type) ? b->read(b, side->term, side->env) : view_suspend(b, side->term, side->env);
}

static void open_side(Build *b, Side *s, View *side)
{
    EmitScope scope = emit_enter(b, &s->block);
    View *v = side_now(b, side);
    collect_leaves(b, v, v, &s->leaves);
    s->plain = ALL(i, s->leaves.n, s->leaves.v[i].value->kind == X_LOAD || expr_is_atom(s->leaves.v[i].value));
    emit_leave(b, scope);
}

static View *translate_choice(Build *b, const Expr *cond, View *const side[2], const Type *type)
{
    if (cond->kind == X_LIT) return side_now(b, side[cond->lit.i ? 0 : 1]);
    if (build_one_round(b)) return view_poison(b, type);
    if (!emit_is_small(type)) {
        View *x = side_now(b, side[0]);
        return choose_array(b, cond, x, side_now(b, side[1]));
    }
    Side s[2] = {0};
    for (int i = 0; i < 2; i++) open_side(b, &s[i], side[i]);
    int n = s[0].leaves.n;
    const Expr **values = NEW_ARRAY(b->arena, const Expr *, n);
    bool empty = !s[0].block.first && !s[1].block.first;
    if (cond->width > 1 && !(empty && are_total(b, &s[0].leaves) && are_total(b, &s[1].leaves))) b->in.risky = true;
    if (empty && (n == 1 || cond->width > 1 || (s[0].plain && s[1].plain))) {
        for (int i = 0; i < n; i++) {
            const Expr *args[3] = {cond, s[0].leaves.v[i].value, s[1].leaves.v[i].value};
            values[i] = expr_op(b, cond->width > 1 ? PRIM_SELECT : PRIM_IF, args[1]->scalar, args, 3);
        }
    } else {
        /* Both sides as statements of an if, into fresh variables. */
        Buffer **vars = NEW_ARRAY(b->arena, Buffer *, n);
        for (int i = 0; i < n; i++) {
            const Expr *x = s[0].leaves.v[i].value, *y = s[1].leaves.v[i].value;
            vars[i] = stmt_declare(b, "t", x->scalar, x->width > y->width ? x->width : y->width, false);
        }
        Stmt *branch = stmt_new(b, S_IF);
        branch->value = cond;
        branch->uniform = emit_is_uniform(b, cond);
        for (int which = 0; which < 2; which++) {
            *(which ? &branch->other : &branch->body) = s[which].block;
            EmitScope scope = emit_enter(b, which ? &branch->other : &branch->body);
            for (int i = 0; i < n; i++) {
                Place p = place_of(vars[i]);
                stmt_assign(b, &p, s[which].leaves.v[i].value);
            }
            emit_leave(b, scope);
        }
        for (int i = 0; i < n; i++) {
            Place p = place_of(vars[i]);
            values[i] = expr_load(b, &p);
        }
    }
    free(s[0].leaves.v);
    free(s[1].leaves.v);
    int next = 0;
    return leaf_tree(b, type, values, &next);
}

static View *delayed(Build *b, const Term *e, Env *env) { return VIEW(b, V_DELAYED, e->type, .term = e, .env = env); }

/* && and ||: statements that the right side needs stand under an if, unless a group makes it together while the left side may let some of its work-items
 * through alone: then they stand before it, where nothing in them goes wrong. */
View *read_truth(Build *b, const Term *e, Env *env)
{
    const Expr *args[2] = {view_value(b, b->read(b, e->args[0], env))};
    View *side[2], *right = delayed(b, e->args[1], env);
    int which = e->prim == PRIM_AND ? 0 : 1;         /* the side that is the right one */
    Side s = {0};
    side[which] = right;
    side[!which] = view_expr(b, e->type, expr_lit(b, SC_BOOL, (LitValue){.i = which}));
    if (args[0]->kind == X_LIT) return side_now(b, side[args[0]->lit.i ? 0 : 1]);
    if (build_one_round(b)) return view_poison(b, e->type);
    open_side(b, &s, right);
    args[1] = s.leaves.v[0].value;
    free(s.leaves.v);
    bool wide = args[0]->width > 1 || args[1]->width > 1;
    if (wide && (s.block.first || !expr_is_total(b, args[1]))) b->in.risky = true;
    bool together = s.block.first && !wide && maps_over(b, e->args[1], ID_LOCAL, -1) && !emit_is_uniform(b, args[0]);
    if (!s.block.first || wide || (together && block_is_total(b, &s.block) && expr_is_total(b, args[1]))) {
        const Block *blk = &s.block;
        if (blk->first) {
            if (b->block->last) b->block->last->next = blk->first;
            else b->block->first = blk->first;
            b->block->last = blk->last;
        }
        return view_expr(b, e->type, expr_op(b, prim_of(e), SC_BOOL, args, 2));
    }
    return translate_choice(b, args[0], side, e->type);
}

View *read_if(Build *b, const Term *e, Env *env)
{
    View *side[2] = {delayed(b, e->args[1], env), delayed(b, e->args[2], env)};
    return translate_choice(b, view_value(b, b->read(b, e->args[0], env)), side, e->type);
}

/* ==== views taken apart ==== */

/* ---- indexing ---- */

static const Nat *permuted(Build *b, const View *v, const Nat *i)
{
    if (v->k != PERM_FUN) return perm_index(b->n, (PermKind)v->k, v->n, v->type->size, i, b->facts);
    View *arg = view_expr(b, v->term->type->elems[0], expr_index(b, SC_I32, i));
    return translate_index(b, translate_apply(b, v->term, arg, v->env), v->type->size);
}

/* ---- vectors ---- */

/* Does its element lie where one of x does, the same whenever it is asked for? */
static bool is_layout(ViewKind kind)
{
    switch (kind) {
    case V_SPLIT: case V_JOIN: case V_PART: case V_TRANSPOSE: case V_COLUMN: case V_ANTIDIAGONALS: case V_ANTIDIAGONAL: case V_FIELD:
    case V_SLIDE: case V_AS_VECTOR: case V_AS_SCALAR: case V_TAG: return true;
    default: return false;
    }
}

/* Does indexing emit no code and reach a place? Then an index variable may stand for any element. */
static bool pure_term(const Term *e)
{
    if (e->kind == T_VAR) return true;
    if (e->kind == T_LAM) return pure_term(e->args[0]);
    if (e->kind != T_PRIM) return false;
    if (!(prim((PrimId)e->prim)->traits & PT_PURE) || (e->prim == PRIM_REORDER && e->statics[0]->value == PERM_FUN)) return false;
    return ALL(i, e->arg_count, pure_term(e->args[i]));
}

/* A scalar that is used again would be named. */
static bool names_none(const Term *f)
{
    const Type *param = f->type->elems[0];
    return ALL(i, param->leaf_count, type_leaf(param, i)->kind == TY_ARRAY || term_uses(f->args[0], param->leaf_count - 1 - i, 1) < 2);
}

bool view_is_pure(const View *v)
{
    switch (v->kind) {
    case V_PLACE: case V_MEMORY: return true;
    case V_PAD: return view_is_pure(v->x);
    case V_REORDER: return v->k != PERM_FUN && view_is_pure(v->x);
    case V_UNMAP: return pure_term(v->term) && view_is_pure(v->x);
    case V_MAP: return v->term->free_limit == 0 && pure_term(v->term) && names_none(v->term) && view_is_pure(v->x);
    case V_ZIP: case V_TUPLE: return ALL(i, view_part_count(v), view_is_pure(v->parts[i]));
    default: return is_layout(v->kind) && view_is_pure(v->x);
    }
}

/* The place of w consecutive elements from first on, when they lie side by side. */
static bool consecutive(Build *b, View *x, const Nat *first, int w, Place *out)
{
    if (!view_is_pure(x)) return false;
    const Nat **lane = &views(b)->lane_vars[w], *j = *lane ? *lane : nat_fresh_index(b->n, "lane", nat_const(b->n, w));
    *lane = j;
    View *a = view_at(b, x, first), *e = view_at(b, x, nat_add(b->n, first, j));
    if (a->kind != V_PLACE || e->kind != V_PLACE || a->place.buf != e->place.buf) return false;
    Place p = a->place, q = e->place;
    if (p.buf->space != SPACE_PRIVATE) {
        if (nat_add(b->n, p.at, j) != q.at) return false;
        if (p.packed && nat_add(b->n, p.packed, j) != q.packed) return false;
        if (p.line != q.line) p.line = NULL;
    } else {
        if (p.buf->width != w || !p.lane || !p.lane->is_const || p.lane->value != 0 || q.lane != j) return false;
        if (p.element != q.element) return false;
        p.lane = NULL;
    }
    p.width = w;
    *out = p;
    return true;
}

/* Private scalars, which never make up a vector. */
static bool are_scalars(View *const *lanes, int w)
{
    for (int i = 0; i < w; i++) {
        const Place *p = &lanes[i]->place;
        if (lanes[i]->kind != V_PLACE || p->buf->space != SPACE_PRIVATE || p->buf->width > 1) return false;
    }
    return true;
}

View *view_vector(Build *b, View *array, const Nat *first, const Type *t)
{
    int w = t->width;
    Place p;
    if (consecutive(b, array, first, w, &p)) return VIEW(b, V_PLACE, t, .place = p);
    View **lanes = MAKE_LIST(b->arena, View *, j, w, view_at(b, array, nat_add(b->n, first, nat_const(b->n, j))));
    if (!first->is_const && !are_scalars(lanes, w)) build_one_round(b);    /* in another round they may lie side by side */
    return VIEW(b, V_LANES, t, .parts = lanes, .k = w);
}

View *view_tagged(Build *b, View *v, int tag)
{
    if (v->kind == V_TUPLE) return VIEW_TUPLE(b, v->type, i, view_tagged(b, v->parts[i], tag));
    if (v->kind != V_PLACE) return VIEW(b, V_TAG, v->type, .x = v, .k = tag);
    View *r = view_copy(b, v);
    r->place.tag = tag;
    r->expr = NULL;
    return r;
}

int view_tag(const View *v)
{
    int tag = v->kind == V_TAG ? v->k : v->kind == V_PLACE ? v->place.tag : 0;
    for (int i = 0; !tag && i < view_part_count(v); i++) tag = view_tag(v->parts[i]);
    return tag || !v->x ? tag : view_tag(v->x);
}

/* ---- the walk ---- */

/* Is the view of an element the same whenever it is made: memory, seen through layouts? */
static bool is_fixed(View *v)
{
    if (!v->fixed) v->fixed = v->kind == V_MEMORY || (is_layout(v->kind) && is_fixed(v->x)) ? 1 : 2;
    return v->fixed == 1;
}

enum { KEPT_ELEMENTS = 128 };

/* Where element i of v is kept; NULL: it is not. */
static View **element_slot(Build *b, View *v, const Nat *i)
{
    const Nat *n = v->type->size;
    if (!i->is_const || !n->is_const || n->value > KEPT_ELEMENTS || i->value < 0 || i->value >= n->value) return NULL;
    if (!is_fixed(v)) return NULL;
    if (!v->elements) v->elements = NEW_ARRAY(b->arena, View *, n->value);
    return &v->elements[i->value];
}

View *view_at(Build *b, View *v, const Nat *i)
{
    v = view_force(b, v);
    if (!i) {
        build_fail(b, E54, b->in.reader, "an index is too large or does not divide evenly");
        return view_poison(b, v->type->elems[0]);
    }
    if (!b->k || v->kind == V_POISON || v->kind == V_ZIP || view_builds(b, v)) {
        View **slot = b->failed ? NULL : element_slot(b, v, i);
        if (!slot) return view_at_now(b, v, i);
        View *made = *slot ? *slot : view_at_now(b, v, i);
        if (!b->failed) *slot = made;
        return made;
    }
    View *r = view_lazy_new(b, v->type->elems[0], v);
    r->n = i;
    return r;
}

/* ---- what groups tell each other ---- */

/* The private variables of a value of scalars, in order. */
static void scalars_of(Build *b, const Term *e, View *v, Buffer **out, int *n)
{
    const Type *t = view_type(v);
    Place at;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) scalars_of(b, e, view_field(b, v, i), out, n);
    if (t->kind == TY_TUPLE || b->failed) return;
    bool scalar = view_place(v, &at) && at.width == 1 && t->scalar != SC_F16 && t->scalar != SC_BF16;
    if (scalar && *n < ARG_MAX) out[(*n)++] = at.buf;
    else build_fail(b, E53, e, "groups tell each other %d scalars at most, and none of f16 or bf16: not %s", ARG_MAX, type_text(b->c, t));
}

/* dst = f (x, y) */
static void combine(Build *b, const Term *e, Env *env, View *x, View *y, View *dst)
{
    const Term *f = e->args[0];
    View *both[2] = {x, y};
    emit_assign(b, e, dst, b->read(b, f->args[0], translate_bind(b, env, f, view_tuple(b, f->type->elems[0], both))));
}

/* Element i of scanGroups, where group i reads it. */
static View *look_back(Build *b, const View *groups, const Nat *i)
{
    enum { WIDTH = 32 };
    const Term *e = groups->term;
    const Type *t = e->type->elems[0]->elems[0];
    Env *env = groups->env;
    static const char *const names[4] = {"own", "before", "seen", "all"};
    View *v[4], *result = view_poison(b, e->type->elems[0]);
    LookBack *k = NEW(b->arena, LookBack);
    Buffer ***scalars[4] = {&k->own, &k->before, &k->seen, &k->all};
    Place at;
    if (i != b->k->id[ID_GROUP][0] || b->k->extent[ID_GROUP][0] != e->type->size || b->k->extent[ID_GROUP][1] || b->k->extent[ID_GROUP][2]) {
        build_fail(b, E53, e, "scanGroups is read by mapWorkgroup 0, element by element, and no other dimension has groups");
        return result;
    }
    View *made = translate_apply(b, e->args[2], view_at(b, groups->x, i), env);
    for (int j = 0; j < 4; j++) {
        b->in.hint = names[j];
        v[j] = translate_alloc(b, t, SPACE_PRIVATE, e);
        b->in.hint = NULL;
        int n = 0;
        *scalars[j] = NEW_ARRAY(b->arena, Buffer *, ARG_MAX);
        scalars_of(b, e, v[j], *scalars[j], &n);
        k->count = n;
    }
    if (b->failed) return result;
    for (int j = 0; j < k->count; j++) k->words += look_words(k->own[j]->scalar);
    k->item = block_name(b, "item"), k->near = block_name(b, "near"), k->more = block_name(b, "more"), k->back = block_name(b, "back");
    k->word = NEW_ARRAY(b->arena, const char *, k->words);
    for (int j = 0; j < k->words; j++) k->word[j] = block_name(b, kernel_numbered(b->arena, "word", "", j));
    emit_assign(b, e, v[0], view_field(b, made, 0));
    emit_assign(b, e, v[1], b->read(b, e->args[1], env));
    k->group = i;
    k->width = b->k->local[0] < WIDTH ? b->k->local[0] : WIDTH;
    const Type *word = type_scalar(b->c, SC_U64);
    b->in.hint = "told";
    View *window = translate_alloc(b, type_array(b->c, nat_const(b->n, k->width * k->words), word), SPACE_LOCAL, e);
    b->in.hint = NULL;
    if (!view_place(view_at(b, groups->y, nat_const(b->n, 0)), &at)) return result;
    k->status = at.buf;
    k->status->written = true;
    if (!view_place(view_at(b, window, nat_const(b->n, 0)), &at)) return result;
    Stmt *s = stmt_new(b, S_LOOK_BACK);
    s->look = k;
    s->place = at;
    s->uniform = true;
    at.buf->written = true;
    b->needs.uses_atomics64 = true;
    EmitScope scope = emit_enter(b, &s->body);
    combine(b, e, env, v[2], v[1], v[1]);
    emit_leave(b, scope);
    scope = emit_enter(b, &s->other);
    combine(b, e, env, v[1], v[0], v[3]);
    emit_leave(b, scope);
    return view_tuple(b, e->type->elems[0], (View *[]){v[1], view_field(b, made, 1)});
}

/* Written where the condition holds only. */
static View *guarded(Build *b, View *v, const Expr *cond)
{
    if (cond->kind == X_LIT && cond->lit.i) return v;
    if (v->kind == V_PLACE && !v->place.once) {
        v = arena_copy(b->arena, v, sizeof *v);
        v->place.once = true;
    }
    if (v->type->kind != TY_TUPLE) return VIEW(b, V_GUARDED, v->type, .x = v, .expr = cond);
    return VIEW_TUPLE(b, v->type, i, guarded(b, view_field(b, v, i), cond));
}

/* As view_at, whatever it takes. */
static View *view_at_now(Build *b, View *v, const Nat *i)
{
    Nats *n = b->n;
    const Type *elem = v->type->elems[0];
    switch (v->kind) {
    case V_MEMORY: {
        const Nat **idx = NEW_ARRAY(b->arena, const Nat *, v->rank + 1);
        if (v->rank) memcpy(idx, v->idx, sizeof *idx * (size_t)v->rank);
        idx[v->rank] = i;
        return view_memory(b, v->type->elems[0], v->bufs, idx, v->rank + 1);
    }
    case V_SPLIT: return view_part(b, v->x, nat_mul(n, i, v->n), v->n);
    case V_JOIN: return view_at(b, view_at(b, v->x, nat_div(n, i, v->n, b->facts)), nat_mod(n, i, v->n, b->facts));
    case V_PART: return view_at(b, v->x, nat_add(n, v->n, v->m ? nat_mul(n, i, v->m) : i));
    case V_TRANSPOSE: return view_sized(b, V_COLUMN, elem, v->x, i);
    case V_COLUMN: return view_at(b, view_at(b, v->x, i), v->n);
    case V_ANTIDIAGONALS: return view_sized(b, V_ANTIDIAGONAL, elem, v->x, i);
    case V_ANTIDIAGONAL: {
        const Nat *size = v->type->size, *from_last = nat_mod(n, nat_add(n, v->n, i), size, b->facts);
        return view_at(b, view_at(b, v->x, nat_sub(n, nat_sub(n, size, nat_const(n, 1)), from_last)), i);
    }
    case V_ZIP: return VIEW_TUPLE(b, elem, k, view_at(b, v->parts[k], i));
    case V_FIELD: return view_field(b, view_at(b, v->x, i), v->k);
    case V_SLIDE: return view_part(b, v->x, nat_mul(n, i, v->n), v->m);
    case V_PAD: return view_at(b, v->x, pad_index(n, (PadMode)v->k, v->m, nat_sub(n, i, v->n), b->facts));
    case V_PAD_CONST: case V_CONCAT: case V_CHOICE: {
        /* Element i of one of two sides: of what is padded or the padding, of the first array or the second, of either. */
        const Expr *cond = v->expr;
        const Nat *behind = v->kind == V_CHOICE ? i : nat_sub(n, i, v->n);
        View *x = VIEW(b, V_DELAYED, elem, .x = v->x, .n = v->kind == V_PAD_CONST ? behind : i);
        View *y = VIEW(b, V_DELAYED, elem, .x = v->y, .n = behind);
        if (v->kind == V_CONCAT) {
            cond = emit_compare(b, PRIM_LT, i, v->n);
        } else if (v->kind == V_PAD_CONST) {
            cond = emit_compare(b, PRIM_GE, i, v->n);
            cond = expr_binary(b, PRIM_AND, SC_BOOL, cond, emit_compare(b, PRIM_LT, i, nat_add(n, v->n, v->m)));
            y = v->y;
        }
        return translate_choice(b, cond, (View *[]){x, y}, elem);
    }
    case V_REORDER: return view_at(b, v->x, permuted(b, v, i));
    case V_GATHER: return view_at(b, v->x, translate_index(b, view_at(b, v->y, i), v->x->type->size));
    case V_GROUPS: return look_back(b, v, i);
    case V_GENERATE:
        return translate_apply(b, v->term, view_expr(b, v->term->type->elems[0], expr_index(b, SC_I32, i)), v->env);
    case V_MAP: return translate_apply(b, v->term, view_at(b, v->x, i), v->env);
    case V_UNMAP: return view_unmap_at(b, v, i);
    case V_AS_VECTOR: case V_AS_SCALAR:
        if (elem->kind == TY_TUPLE)
            return VIEW_TUPLE(b, elem, k, view_at(b, view_sized(b, v->kind, type_array(b->c, v->type->size, elem->elems[k]),
                                                                view_fields(b, v->x, k), v->n), i));
        if (v->kind == V_AS_VECTOR) return view_vector(b, v->x, nat_mul(n, i, v->n), elem);
        View *x = view_at(b, v->x, nat_div(n, i, v->n, b->facts));
        const Nat *lane = nat_mod(n, i, v->n, b->facts);
        x = view_force(b, x);
        if (x->kind == V_POISON) return view_poison(b, elem);
        if (x->kind == V_LANES && lane->is_const) return x->parts[lane->value];
        if (x->kind == V_PLACE) {
            bool private = x->place.buf->space == SPACE_PRIVATE;
            Place p = private ? x->place : place_moved(b, &x->place, lane);
            p.width = 1;
            if (private) p.lane = lane;
            return VIEW(b, V_PLACE, elem, .place = p);
        }
        const Expr *e = view_value(b, x);
        if (lane->is_const || e->width == 1) return view_expr(b, elem, expr_lane(b, e, (int)lane->value));
        if (build_one_round(b)) return view_poison(b, elem);
        Place p = place_of(stmt_value(b, "v", e));
        p.lane = lane;
        p.width = 1;
        return VIEW(b, V_PLACE, elem, .place = p);
    case V_TAG: return view_tagged(b, view_at(b, v->x, i), v->k);
    case V_TAKEN: return guarded(b, view_at(b, v->x, i), emit_compare(b, PRIM_LT, i, v->n));
    case V_GUARDED: return guarded(b, view_at(b, v->x, i), v->expr);
    case V_UPDATES: return VIEW(b, V_UPDATE, elem, .x = v->x, .term = v->term, .env = v->env, .k = v->k, .n = v->n);
    default:
        if (v->kind != V_POISON) build_fail(b, E54, b->in.reader, "a value of %s is indexed", type_text(b->c, v->type));
        return view_poison(b, elem);
    }
}

View *view_field(Build *b, View *v, int k)
{
    if (!b->k && v->kind == V_DELAYED) return delayed(b, term_proj(b->c, v->term, k), v->env);        /* no kernel computes it yet */
    v = view_force(b, v);
    return v->kind == V_TUPLE ? v->parts[k] : view_poison(b, v->type->elems[k]);
}

const Expr *view_value(Build *b, View *v)
{
    const Expr *e = view_index(b, v);
    if (build_is_round(b, e)) build_one_round(b);
    return e;
}

const Expr *view_index(Build *b, View *v)
{
    v = view_force(b, v);
    const Expr *lanes[LANES_MOST];
    Place p;
    switch (v->kind) {
    case V_EXPR: return v->expr;
    case V_PLACE: return v->expr ? v->expr : (v->expr = expr_load(b, &v->place));
    case V_LANES:
        if (view_is_backward(b, v, &p)) return turned_round(b, expr_named(b, "back", expr_load(b, &p)));
        for (int i = 0; i < v->k; i++) lanes[i] = view_value(b, v->parts[i]);
        return lanes_value(b, v->type->scalar, lanes, v->k);
    default:
        if (v->kind != V_POISON)
            build_fail(b, E54, b->in.reader, "a value of %s is used as a scalar", type_text(b->c, v->type));
        return expr_lit(b, v->type->scalar, (LitValue){0});
    }
}

bool view_place(const View *v, Place *out)
{
    if (v->kind != V_PLACE) return false;
    *out = v->place;
    return true;
}

bool view_same(Build *b, View *a, View *d)
{
    if (a->type != d->type || !view_is_pure(a) || !view_is_pure(d)) return false;
    if (a->kind == V_PLACE && d->kind == V_PLACE) return place_same(&a->place, &d->place);
    if (a->type->kind == TY_TUPLE) return ALL(i, a->type->count, view_same(b, view_field(b, a, i), view_field(b, d, i)));
    if (a->type->kind != TY_ARRAY) return false;
    const Nat *i = nat_fresh_index(b->n, "any", a->type->size);
    return view_same(b, view_at(b, a, i), view_at(b, d, i));
}

/* ---- destinations through layout: where the argument of join, split, reorder ... is written ---- */

static bool invertible_map(const Term *lambda, bool stored);

bool plan_invertible(const Term *e, bool stored)
{
    if (e->prim == PRIM_MAP) return invertible_map(e->args[0], stored);
    return prim((PrimId)e->prim)->write == WRITE_INVERSE || (stored && e->prim == PRIM_TAKE);
}

static bool has_one_array(const Term *e) { return e->prim == PRIM_MAP || e->arg_count == 1; }

static bool invertible_body(const Term *e, int leaves, int *seen, bool stored)
{
    if (e->kind == T_VAR) return e->u.index < leaves && !seen[e->u.index]++;
    if (e->kind != T_PRIM) return false;
    if (e->prim == PRIM_TUPLE || e->prim == PRIM_ZIP) {
        return ALL(i, e->arg_count, invertible_body(e->args[i], leaves, seen, stored));
    }
    return has_one_array(e) && plan_invertible(e, stored) && invertible_body(e->args[e->arg_count - 1], leaves, seen, stored);
}

/* Every component of what is mapped is some part of the result, once. */
static bool invertible_map(const Term *lambda, bool stored)
{
    int seen[ARG_MAX * 4] = {0}, n = lambda->type->elems[0]->leaf_count;
    if (n > COUNT(seen) || lambda->free_limit || !invertible_body(lambda->args[0], n, seen, stored)) return false;
    return ALL(i, n, seen[i]);
}

bool plan_only_stores(const Term *e)
{
    if (e->kind != T_PRIM) return false;
    if (term_is_mapped(e)) {
        const Term *body = e->args[0]->args[0];
        while (body->kind == T_PRIM && body->prim == PRIM_LET) body = body->args[1]->args[0];
        return emit_is_small(body->type) || plan_only_stores(body);
    }
    return has_one_array(e) && plan_invertible(e, true) && plan_only_stores(e->args[e->arg_count - 1]);
}

typedef enum Inverse {
#define INVERSE_OF_INVERSE(id) INVERSE_##id = PRIM_##id,
#define INVERSE_OF_LAYOUT(id)
#define INVERSE_OF_ZIP(id)
#define INVERSE_OF_CONCAT(id)
#define LAYOUT(id, name, family, scheme, slots, meaning, write, ...) INVERSE_OF_##write(id)
#include "prims.def"
} Inverse;

static View *inverse(Build *b, const Term *e, View *dst, Env *env, bool stored)
{
    const Type *in = e->arg_count ? e->args[e->arg_count - 1]->type : NULL;
    if (!plan_invertible(e, stored)) return NULL;
    if (e->prim == PRIM_MAP) return VIEW(b, V_UNMAP, in, .x = dst, .term = e->args[0], .env = env);
    if (e->prim == PRIM_TAKE) return view_sized(b, V_TAKEN, in, dst, e->type->size);
    switch ((Inverse)e->prim) {
    case INVERSE_JOIN: return view_sized(b, V_SPLIT, in, dst, in->elems[0]->size);
    case INVERSE_SPLIT: return view_sized(b, V_JOIN, in, dst, e->statics[0]);
    case INVERSE_TRANSPOSE: return VIEW(b, V_TRANSPOSE, in, .x = dst);
    case INVERSE_ANTIDIAGONALS: return VIEW(b, V_ANTIDIAGONALS, in, .x = dst);
    case INVERSE_AS_SCALAR: return view_sized(b, V_AS_VECTOR, in, dst, nat_const(b->n, type_leaf(in->elems[0], 0)->width));
    case INVERSE_AS_VECTOR: return view_sized(b, V_AS_SCALAR, in, dst, e->statics[0]);
    case INVERSE_REORDER: {
        PermKind kind = (PermKind)e->statics[0]->value;
        const Nat *k = e->statics[1], *size = e->type->size;
        if (kind == PERM_ROTATE) k = nat_sub(b->n, size, k);
        if (kind == PERM_STRIDE) k = nat_exact(b->n, size, k);
        return VIEW(b, V_REORDER, e->type, .x = dst, .k = (int)kind, .n = k, .term = kind == PERM_FUN ? e->args[1] : NULL, .env = env);
    }
    case INVERSE_UNZIP: {
        View *parts[ARG_MAX];
        for (int i = 0; i < e->type->count; i++) parts[i] = view_field(b, dst, i);
        return view_zip(b, in, parts);
    }
    }
    return NULL;
}

View *view_inverse(Build *b, const Term *e, View *dst, Env *env)
{
    return inverse(b, e, dst, env, e->arg_count && plan_only_stores(e->args[e->arg_count - 1]));
}

/* Spread dst over the variables of an invertible body. */
static void unapply(Build *b, const Term *e, View *dst, Env *env, View **leaves)
{
    if (e->kind == T_VAR) {
        leaves[e->u.index] = dst;
    } else if (e->prim == PRIM_TUPLE) {
        for (int i = 0; i < e->arg_count; i++) unapply(b, e->args[i], view_field(b, dst, i), env, leaves);
    } else if (e->prim == PRIM_ZIP) {
        for (int i = 0; i < e->arg_count; i++) unapply(b, e->args[i], view_fields(b, dst, i), env, leaves);
    } else {
        unapply(b, e->args[e->arg_count - 1], inverse(b, e, dst, env, true), env, leaves);
    }
}

static View *tuple_tree(Build *b, const Type *type, View *const *leaves, int base)
{
    if (type->kind != TY_TUPLE) return leaves[base];
    View *parts[ARG_MAX];
    int below = base + type->leaf_count;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        parts[i] = tuple_tree(b, type->elems[i], leaves, below);
    }
    return view_tuple(b, type, parts);
}

static View *view_unmap_at(Build *b, View *v, const Nat *i)
{
    View *leaves[ARG_MAX * 4] = {0};
    unapply(b, v->term->args[0], view_at(b, v->x, i), v->env, leaves);
    return tuple_tree(b, v->term->type->elems[0], leaves, 0);
}

/* ---- which buffers a view or a term may read ---- */

typedef struct Touched { Build *b; VEC(const Buffer *) found; } Touched;      /* each once */

static void touch(Touched *t, const Buffer *buf)
{
    if (!ANY(i, t->found.n, t->found.v[i] == buf)) vec_push(&t->found, buf);
}

static void touch_view(Touched *t, View *v);

static void touch_env(Touched *t, const Term *e, const Env *env)
{
    for (int i = 0; env && i < e->free_limit; env = env->up, i++)
        if (term_mentions(e, i, 1)) touch_view(t, env->v);
}

static void touch_expr(Touched *t, const Expr *e)
{
    if (e->kind == X_LOAD) touch(t, e->place.buf);
    for (int i = 0; i < e->arg_count; i++) touch_expr(t, e->args[i]);
}

static void touch_view(Touched *t, View *v)
{
    if (v->mark == views(t->b)->epoch) return;
    v->mark = views(t->b)->epoch;
    if (v->kind == V_PLACE) touch(t, v->place.buf);
    for (int i = 0; v->kind == V_MEMORY && i < type_components(v->type); i++) touch(t, v->bufs[i]);
    if (v->expr) touch_expr(t, v->expr);
    if (v->x) touch_view(t, v->x);
    if (v->y) touch_view(t, v->y);
    for (int i = 0; i < view_part_count(v); i++) touch_view(t, v->parts[i]);
    if (v->term) touch_env(t, v->term, v->env);
}

bool view_in_space(const View *v, Space s)
{
    if (v->kind == V_PLACE) return v->place.buf->space == s;
    if (v->kind == V_MEMORY) return v->bufs[0]->space == s;
    return ANY(i, view_part_count(v), view_in_space(v->parts[i], s)) || (v->x && view_in_space(v->x, s));
}

bool view_is_private(const View *v)
{
    if (v->kind == V_PLACE) return v->place.buf->space == SPACE_PRIVATE;
    return view_in_space(v, SPACE_PRIVATE) && !view_in_space(v, SPACE_LOCAL) && !view_in_space(v, SPACE_GLOBAL);
}

bool term_reads(Build *b, const Term *e, const Env *env, const View *cells)
{
    Touched t = {.b = b}, of = {.b = b};
    views(b)->epoch++;
    touch_view(&of, (View *)cells);
    views(b)->epoch++;
    touch_env(&t, e, env);
    bool hit = ANY(i, t.found.n, ANY(k, of.found.n, t.found.v[i] == of.found.v[k]));
    free(t.found.v);
    free(of.found.v);
    return hit;
}

bool term_reads_registers(Build *b, const Term *e, const Env *env)
{
    Touched t = {.b = b};
    views(b)->epoch++;
    touch_env(&t, e, env);
    bool hit = ANY(i, t.found.n, t.found.v[i]->space == SPACE_PRIVATE && t.found.v[i]->rank);
    free(t.found.v);
    return hit;
}

const char *term_source(Build *b, const Term *e, const Env *env)
{
    Touched t = {.b = b};
    const Buffer *only = NULL;
    int n = 0;
    views(b)->epoch++;
    touch_env(&t, e, env);
    for (int i = 0; i < t.found.n; i++)
        if (t.found.v[i]->space == SPACE_GLOBAL) only = t.found.v[i], n++;
    free(t.found.v);
    return n != 1 ? NULL : only->image_of ? only->image_of->name : only->name;
}

/* ==== rounds of unrolled loops ==== */

/* Unrolled maps and folds. Their body is translated once, for a round that is a variable, and what comes of it is written
 * down again for every round: the same text as from translating the body each time, at a fraction of the work. That is so
 * where the rounds differ in their indices alone and these are linear in the round; all others are translated one by one. */

/* An index, in round i: first + i*step. */
typedef struct Step {
    const Nat *index, *first;
    int64_t step, number;                /* number: beside the form, of the first */
    const Form *form;                    /* of all of them; NULL: not known */
} Step;

typedef struct Varying { const Expr *e, *made; } Varying;            /* an expression that differs, and as the round at hand has it */
typedef struct Moving { const Element *e; Element *made; } Moving;   /* likewise an element of a private array */
typedef struct Seen { const Nat *index; int step; } Seen;

/* What is known of the expressions, or elements, that the body made: those from an id on. What is older is the same in every round. */
typedef struct Marks { int first, count, *at; } Marks;               /* at: 1 + its place among those that differ; 0: it does not */

typedef struct Unroll {
    Build *b;
    const Nat *var;                      /* the round */
    const Stmt *body;
    VEC(Step) steps;
    const Nat **at;                      /* of them, in the round at hand */
    VEC(Varying) varying;                /* arguments first */
    VEC(Moving) moving;
    Marks exprs, elements;
    int first_buffer;                    /* buffers from that id on are the body's own */
    Buffer **own;                        /* those of the round at hand, by id */
    Seen seen[64];                       /* the last indices asked for; step -1: the same in every round */
    bool uneven;                         /* some index is not linear */
} Unroll;

/* ---- what differs from round to round ---- */

static int find_step(Unroll *u, const Nat *n)
{
    Nats *s = u->b->n;
    const NatAtom *var = nat_atom(u->var);
    if (!nat_mentions(n, var)) return -1;
    for (int i = u->steps.n - 1; i >= 0; i--)
        if (u->steps.v[i].index == n) return i;
    Step x = {.index = n, .step = index_step(n, var)};
    u->uneven = u->uneven || !x.step;
    x.first = nat_sub(s, n, nat_mul(s, nat_const(s, x.step), u->var));
    if (x.first) x.form = form_of(&u->b->k->forms, x.first, &x.number);
    const Nat *rest = x.form ? x.form->rest : NULL;
    if (rest && rest->term_count && !rest->terms[rest->term_count - 1].factor_count) x.form = NULL;       /* a number too large for it */
    u->uneven = u->uneven || !x.first;
    vec_push(&u->steps, x);
    return u->steps.n - 1;
}

/* Which step has the index? -1: it is the same in every round. */
static inline int step_of(Unroll *u, const Nat *n)
{
    if (!n || n->is_const) return -1;
    Seen *s = &u->seen[n->id % COUNT(u->seen)];
    if (s->index != n) *s = (Seen){n, find_step(u, n)};
    return s->step;
}

static bool is_own(const Unroll *u, const Buffer *buf) { return buf->id >= u->first_buffer; }

static void marks_end(const Unroll *u, Marks *m, int end)
{
    m->count = end - m->first;
    m->at = NEW_ARRAY(u->b->arena, int, m->count);
}

/* NULL: it is older. */
static int *mark_of(const Marks *m, int id)
{
    unsigned at = (unsigned)(id - m->first);           /* an older one is as one beyond the last */
    return at < (unsigned)m->count ? &m->at[at] : NULL;
}

static bool note_element(Unroll *u, const Element *e)
{
    bool moves = false;
    int *mark = e ? mark_of(&u->elements, e->id) : NULL;
    if (!mark || *mark) return mark != NULL;
    for (int d = 0; d < e->buf->rank; d++) moves |= step_of(u, e->idx[d]) >= 0;
    if (!moves) return false;
    vec_push(&u->moving, ((Moving){e, NULL}));
    *mark = u->moving.n;
    return true;
}

static bool note_place(Unroll *u, const Place *p)
{
    bool moves = note_element(u, p->element), lane = step_of(u, p->lane) >= 0, at = step_of(u, p->at) >= 0, line = step_of(u, p->line) >= 0,
         packed = step_of(u, p->packed) >= 0;
    return moves || lane || at || line || packed || is_own(u, p->buf);
}

static const Varying *varying_of(const Unroll *u, const Expr *e)
{
    const int *mark = mark_of(&u->exprs, e->id);
    return mark && *mark ? &u->varying.v[*mark - 1] : NULL;
}

static bool note_expr(Unroll *u, const Expr *e)
{
    int *mark = mark_of(&u->exprs, e->id);
    if (!mark || *mark) return mark != NULL;
    bool varies = e->kind == X_LOAD && note_place(u, &e->place);
    for (int i = 0; i < e->arg_count; i++) varies |= note_expr(u, e->args[i]);
    if (!varies) return false;
    vec_push(&u->varying, ((Varying){e, NULL}));
    *mark = u->varying.n;
    return true;
}

/* ---- a round ---- */

static const Nat *index_again(Unroll *u, const Nat *n)
{
    int step = step_of(u, n);
    return step < 0 ? n : u->at[step];
}

static void place_again(Unroll *u, Place *p)
{
    const int *mark = p->element ? mark_of(&u->elements, p->element->id) : NULL;
    if (is_own(u, p->buf)) p->buf = u->own[p->buf->id - u->first_buffer];
    if (mark && *mark) p->element = u->moving.v[*mark - 1].made;
    if (p->lane) p->lane = index_again(u, p->lane);
    if (!p->at) return;
    p->at = index_again(u, p->at);
    p->line = index_again(u, p->line);
    p->packed = index_again(u, p->packed);
}

static const Expr *expr_again(Unroll *u, const Expr *e)
{
    const Varying *v = varying_of(u, e);
    return v ? v->made : e;
}

/* The varying expressions from `from` on, up to those that s needs. Returns where the next ones begin. */
static int make_varying(Unroll *u, int from, const Stmt *s)
{
    const Varying *last = varying_of(u, s->value);
    for (; last && &u->varying.v[from] <= last; from++) {
        Varying *v = &u->varying.v[from];
        Expr *e = expr_copy(u->b, v->e);
        if (e->kind == X_LOAD) place_again(u, &e->place);
        for (int i = 0; i < e->arg_count; i++) e->args[i] = expr_again(u, e->args[i]);
        v->made = e;
    }
    return from;
}

static void write_round(Unroll *u, int64_t i)
{
    Build *b = u->b;
    const Term *origin = b->origin;
    int next = 0;
    for (int k = 0; k < u->steps.n; k++) {
        const Step *x = &u->steps.v[k];
        int64_t more, number;
        const Nat *at = mul_ok(x->step, i, &more) ? nat_add(b->n, x->first, nat_const(b->n, more)) : NULL;
        bool small = at && x->form && add_ok(x->number, more, &number) && number <= INT32_MAX && number >= -INT32_MAX;
        if (small) forms_note(&b->k->forms, at, x->form, number);
        u->at[k] = at;
        if (!u->at[k]) build_fail(b, E54, b->in.reader, "an index is too large");
    }
    for (int k = 0; k < u->moving.n && !b->failed; k++) {
        const Element *e = u->moving.v[k].e;
        const Nat *idx[RANK_MAX];
        for (int d = 0; d < e->buf->rank; d++) idx[d] = index_again(u, e->idx[d]);
        u->moving.v[k].made = element_of(u->b, e->buf, idx);
    }
    for (const Stmt *s = u->body; s && !b->failed; s = s->next) {
        b->origin = s->origin;
        if (s->kind == S_ALLOC) {
            u->own[s->buf->id - u->first_buffer] = stmt_declare(b, s->buf->name, s->buf->scalar, s->buf->width, true);
        } else {
            next = make_varying(u, next, s);
            Place p = s->place;
            place_again(u, &p);
            const Stmt *last = u->b->block->last;
            stmt_assign(u->b, &p, expr_again(u, s->value));
            if (u->b->block->last != last) u->b->block->last->stream = s->stream;
        }
    }
    b->origin = origin;
}

/* ---- all rounds ---- */

/* The body for a round that is a variable, in a block of its own. False: it has to be translated round by round. */
static bool translate_round(Unroll *u, const Nat *n, EmitBody *body, void *data, Block *scratch)
{
    Build *b = u->b;
    int outer = b->any_round;
    u->var = nat_fresh_index(b->n, "round", n);
    u->first_buffer = b->buffer_ids;
    u->exprs.first = b->expr_ids;
    u->elements.first = b->k->element_count;
    EmitScope scope = emit_enter(b, scratch);
    b->any_round = outer ? outer : 1 + b->expr_ids;
    body(b, data, u->var);
    b->any_round = outer;
    emit_leave(b, scope);
    u->body = scratch->first;
    marks_end(u, &u->exprs, b->expr_ids);
    marks_end(u, &u->elements, b->k->element_count);
    /* Is the body a row of stores and named values, and all that differs linear? */
    if (!b->failed) {
        for (const Stmt *s = u->body; s && !u->uneven; s = s->next) {
            if (s->kind != S_STORE && !(s->kind == S_ALLOC && s->buf->once)) return false;
            if (s->kind == S_STORE) note_expr(u, s->value), note_place(u, &s->place);
        }
        return !u->uneven;
    }
    b->failed = false;
    diag_clear(&b->c->diag);
    return false;
}

/* All rounds of an unrolled body with the work of one. False: nothing is written, since they differ in more than what
 * indices are linear in; who writes them one by one gets the same text either way. */
static bool unroll_rounds(Build *b, const Nat *n, EmitBody *body, void *data)
{
    Block scratch = {0};
    Unroll u = {.b = b};
    if (b->failed) return false;                       /* what failed before this is not ours to take back */
    bool same = translate_round(&u, n, body, data, &scratch);
    if (same) {
        u.at = NEW_ARRAY(b->arena, const Nat *, u.steps.n);
        u.own = NEW_ARRAY(b->arena, Buffer *, b->buffer_ids - u.first_buffer);
        for (int64_t i = 0; i < n->value && !b->failed; i++) write_round(&u, i);
    }
    free(u.steps.v);
    free(u.varying.v);
    free(u.moving.v);
    return same;
}

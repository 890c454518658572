/* translate_at: an element, a component or a short vector of a view. */
#include "translate_emit.h"
#include "translate_view.h"

/* ---- indexing ---- */

static const Nat *pad_index(Build *b, const View *v, const Nat *i)
{
    Nats *n = b->n;
    const Nat *j = nat_sub(n, i, v->n), *one = nat_const(n, 1), *t;
    switch (v->k) {
    case PAD_CLAMP:
        return nat_min(n, nat_max(n, j, nat_const(n, 0)), nat_sub(n, v->m, one));
    case PAD_MIRROR:
        t = nat_max(n, j, nat_sub(n, nat_const(n, -1), j));
        return nat_min(n, t, nat_sub(n, nat_sub(n, nat_add(n, v->m, v->m), one), t));
    default:
        return nat_mod(n, nat_add(n, j, v->m), v->m, b->facts);
    }
}

static const Nat *perm_index(Build *b, const View *v, const Nat *i)
{
    Nats *n = b->n;
    const Nat *size = v->type->size, *chunk;
    switch (v->k) {
    case PERM_REVERSE: return nat_sub(n, nat_sub(n, size, nat_const(n, 1)), i);
    case PERM_ROTATE: return nat_mod(n, nat_add(n, i, v->n), size, b->facts);
    case PERM_STRIDE:
        chunk = nat_exact(n, size, v->n);
        return nat_add(n, nat_div(n, i, chunk, b->facts), nat_mul(n, v->n, nat_mod(n, i, chunk, b->facts)));
    default: {
        View *arg = view_expr(b, v->term->type->elems[0], expr_nat(b, SC_I32, i));
        return translate_index(b, translate_apply(b, v->term, arg, v->env), size);
    }
    }
}

typedef struct Sides { View *side[2]; const Nat *i[2]; bool whole[2]; } Sides;

static View *side_of(Build *b, void *data, int which)
{
    Sides *s = data;
    return s->whole[which] ? s->side[which] : view_at(b, s->side[which], s->i[which]);
}

/* An array that is x when cond holds and y otherwise; made by translate_choice. */
View *view_choice(Build *b, const Expr *cond, View *x, View *y)
{
    return VIEW(b, V_CHOICE, x->type, .x = x, .y = y, .expr = cond);
}

/* ---- vectors ---- */

/* Does indexing emit no code and reach a place? Then an index variable may stand for any element. */
static bool pure_term(const Term *e)
{
    if (e->kind == T_VAR) return true;
    if (e->kind == T_LAM) return pure_term(e->args[0]);
    if (e->kind != T_PRIM) return false;
    if (!(prim((PrimId)e->prim)->traits & PT_PURE) || (e->prim == PRIM_REORDER && e->statics[0]->value == PERM_FUN)) return false;
    for (int i = 0; i < e->arg_count; i++)
        if (!pure_term(e->args[i])) return false;
    return true;
}

bool view_is_pure(const View *v)
{
    switch (v->kind) {
    case V_PLACE: case V_MEMORY: return true;
    case V_SPLIT: case V_JOIN: case V_PART: case V_TRANSPOSE: case V_COLUMN: case V_FIELD: case V_SLIDE: case V_AS_VECTOR:
    case V_AS_SCALAR: case V_TAG: case V_PAD: return view_is_pure(v->x);
    case V_REORDER: return v->k != PERM_FUN && view_is_pure(v->x);
    case V_UNMAP: return pure_term(v->term) && view_is_pure(v->x);
    case V_MAP: return v->term->free_limit == 0 && pure_term(v->term) && view_is_pure(v->x);
    case V_ZIP: case V_TUPLE: {
        const Type *t = v->kind == V_ZIP ? v->type->elems[0] : v->type;
        for (int i = 0; i < t->count; i++)
            if (!view_is_pure(v->parts[i])) return false;
        return true;
    }
    default: return false;
    }
}

/* The place of w consecutive elements from first on, when they lie side by side. */
static bool consecutive(Build *b, View *x, const Nat *first, int w, Place *out)
{
    if (!view_is_pure(x)) return false;
    if (!b->lane_vars[w]) b->lane_vars[w] = nat_fresh_index(b->n, "lane", nat_const(b->n, w));
    const Nat *j = b->lane_vars[w];
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

static View *vectors_at(Build *b, View *v, const Nat *i)
{
    const Type *t = v->type->elems[0];
    View *parts[ARG_MAX];
    for (int k = 0; k < t->count; k++) {
        const Type *column_type = type_array(b->c, v->type->size, t->elems[k]);
        parts[k] = view_at(b, view_sized(b, v->kind, column_type, view_fields(b, v->x, k), v->n), i);
    }
    return view_tuple(b, t, parts);
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
    View **lanes = NEW_ARRAY(b->arena, View *, w);
    for (int j = 0; j < w; j++) lanes[j] = view_at(b, array, nat_add(b->n, first, nat_const(b->n, j)));
    if (!first->is_const && !are_scalars(lanes, w)) build_one_round(b);    /* in another round they may lie side by side */
    return VIEW(b, V_LANES, t, .parts = lanes, .k = w);
}

static View *lane_of(Build *b, View *v, const Nat *lane, const Type *type)
{
    v = view_force(b, v);
    if (v->kind == V_POISON) return view_poison(b, type);
    if (v->kind == V_LANES && lane->is_const) return v->parts[lane->value];
    if (v->kind == V_PLACE) {
        bool private = v->place.buf->space == SPACE_PRIVATE;
        Place p = private ? v->place : place_moved(b, &v->place, lane);
        p.width = 1;
        if (private) p.lane = lane;
        return VIEW(b, V_PLACE, type, .place = p);
    }
    const Expr *e = view_value(b, v);
    if (lane->is_const || e->width == 1) return view_expr(b, type, expr_lane(b, e, (int)lane->value));
    if (build_one_round(b)) return view_poison(b, type);
    Place p = place_of(b, stmt_value(b, "v", e));
    p.lane = lane;
    p.width = 1;
    return VIEW(b, V_PLACE, type, .place = p);
}

View *view_tagged(Build *b, View *v, int tag)
{
    if (v->kind == V_TUPLE) {
        View *parts[ARG_MAX];
        for (int i = 0; i < v->type->count; i++) parts[i] = view_tagged(b, v->parts[i], tag);
        return view_tuple(b, v->type, parts);
    }
    if (v->kind != V_PLACE) return VIEW(b, V_TAG, v->type, .x = v, .k = tag);
    View *r = view_copy(b, v);
    r->place.tag = tag;
    r->expr = NULL;
    return r;
}

/* ---- the walk ---- */

View *const *view_zipped(const View *v) { return v->kind == V_ZIP ? v->parts : NULL; }

/* Is the view of an element the same whenever it is made: memory, seen through layouts? */
static bool is_fixed(View *v)
{
    if (v->fixed) return v->fixed == 1;
    bool yes = false;
    switch (v->kind) {
    case V_MEMORY: yes = true; break;
    case V_SPLIT: case V_JOIN: case V_PART: case V_TRANSPOSE: case V_COLUMN: case V_FIELD: case V_SLIDE: case V_AS_VECTOR:
    case V_AS_SCALAR: case V_TAG:
        yes = is_fixed(v->x);
        break;
    default: break;
    }
    v->fixed = yes ? 1 : 2;
    return yes;
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

View *view_at_now(Build *b, View *v, const Nat *i)
{
    Nats *n = b->n;
    const Type *elem = v->type->elems[0];
    View *parts[ARG_MAX];
    switch (v->kind) {
    case V_MEMORY: return view_memory_at(b, v, i);
    case V_SPLIT: return view_part(b, v->x, nat_mul(n, i, v->n), v->n);
    case V_JOIN: return view_at(b, view_at(b, v->x, nat_div(n, i, v->n, b->facts)), nat_mod(n, i, v->n, b->facts));
    case V_PART: return view_at(b, v->x, nat_add(n, v->n, v->m ? nat_mul(n, i, v->m) : i));
    case V_TRANSPOSE: return view_sized(b, V_COLUMN, elem, v->x, i);
    case V_COLUMN: return view_at(b, view_at(b, v->x, i), v->n);
    case V_ZIP:
        for (int k = 0; k < elem->count; k++) parts[k] = view_at(b, v->parts[k], i);
        return view_tuple(b, elem, parts);
    case V_FIELD: return view_field(b, view_at(b, v->x, i), v->k);
    case V_SLIDE: return view_part(b, v->x, nat_mul(n, i, v->n), v->m);
    case V_PAD: return view_at(b, v->x, pad_index(b, v, i));
    case V_PAD_CONST: case V_CONCAT: case V_CHOICE: {
        /* Element i of one of two sides: of what is padded or the padding, of the first array or the second, of either. */
        const Expr *cond = v->expr, *both[2];
        Sides s = {{v->x, v->y}, {i, i}, {false, v->kind == V_PAD_CONST}};
        if (v->kind == V_CONCAT) {
            cond = emit_compare(b, PRIM_LT, i, v->n);
            s.i[1] = nat_sub(b->n, i, v->n);
        } else if (v->kind == V_PAD_CONST) {
            both[0] = emit_compare(b, PRIM_GE, i, v->n);
            both[1] = emit_compare(b, PRIM_LT, i, nat_add(b->n, v->n, v->m));
            cond = expr_op(b, PRIM_AND, SC_BOOL, both, 2);
            s.i[0] = nat_sub(b->n, i, v->n);
        }
        return translate_choice(b, cond, side_of, &s, v->type->elems[0]);
    }
    case V_REORDER: return view_at(b, v->x, perm_index(b, v, i));
    case V_GATHER: case V_SCATTER: return view_at(b, v->x, translate_index(b, view_at(b, v->y, i), v->x->type->size));
    case V_GENERATE:
        return translate_apply(b, v->term, view_expr(b, v->term->type->elems[0], expr_nat(b, SC_I32, i)), v->env);
    case V_MAP: return translate_apply(b, v->term, view_at(b, v->x, i), v->env);
    case V_UNMAP: return view_unmap_at(b, v, i);
    case V_AS_VECTOR: case V_AS_SCALAR:
        if (elem->kind == TY_TUPLE) return vectors_at(b, v, i);
        if (v->kind == V_AS_VECTOR) return view_vector(b, v->x, nat_mul(n, i, v->n), elem);
        return lane_of(b, view_at(b, v->x, nat_div(n, i, v->n, b->facts)), nat_mod(n, i, v->n, b->facts), elem);
    case V_TAG: return view_tagged(b, view_at(b, v->x, i), v->k);
    case V_UPDATES: return VIEW(b, V_UPDATE, elem, .x = v->x, .term = v->term, .env = v->env, .k = v->k, .n = v->n);
    default:
        if (v->kind != V_POISON) build_fail(b, E54, b->in.reader, "a value of %s is indexed", type_text(b->c, v->type));
        return view_poison(b, elem);
    }
}

View *view_field(Build *b, View *v, int k)
{
    v = view_force(b, v);
    return v->kind == V_TUPLE ? v->parts[k] : view_poison(b, v->type->elems[k]);
}

const Expr *view_value(Build *b, View *v)
{
    v = view_force(b, v);
    const Expr *lanes[16];
    switch (v->kind) {
    case V_EXPR: return v->expr;
    case V_PLACE: return v->expr ? v->expr : (v->expr = expr_load(b, &v->place));
    case V_LANES:
        for (int i = 0; i < v->k; i++) lanes[i] = view_value(b, v->parts[i]);
        return expr_vec(b, v->type->scalar, lanes, v->k);
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

bool view_lanes(const View *v, View *const **lanes, int *n)
{
    if (v->kind != V_LANES) return false;
    *lanes = v->parts;
    *n = v->k;
    return true;
}

bool view_same(Build *b, View *a, View *d)
{
    if (a->type != d->type || !view_is_pure(a) || !view_is_pure(d)) return false;
    if (a->kind == V_PLACE && d->kind == V_PLACE) return place_same(&a->place, &d->place);
    if (a->type->kind == TY_TUPLE) {
        for (int i = 0; i < a->type->count; i++)
            if (!view_same(b, view_field(b, a, i), view_field(b, d, i))) return false;
        return true;
    }
    if (a->type->kind != TY_ARRAY) return false;
    const Nat *i = nat_fresh_index(b->n, "any", a->type->size);
    return view_same(b, view_at(b, a, i), view_at(b, d, i));
}

/* Component k of a tuple that is not evaluated yet. */
View *view_lazy_field(Build *b, View *v, int k)
{
    if (v->kind != V_LAZY) return view_field(b, v, k);
    View *r = view_lazy_new(b, v->type->elems[k], v);
    r->k = k;
    return r;
}

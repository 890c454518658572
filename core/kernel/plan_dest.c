/* plan_dest: where named values are made: one that is a component of what its let writes has that component's place for its own. */
#include "plan_dest.h"

#include <stdlib.h>

/* Whichever arrays and tuples a value consists of: zip, unzip, tuples, projections and maps of such only say which component is where, and
 * are passed; layouts say where the elements of each component lie, and become views of its place (view_inverse). */

/* What is known of the variables bound on the way, outermost first. */
typedef struct Var { const Type *type; View **cells; } Var;
typedef struct Walk {
    Build *b;
    VEC(Var) vars;
    bool elements;                       /* in what is mapped: of elements, whose arrays have the destinations */
    const Type *state;                   /* in the step of a loop: of its state; else NULL */
    int below;                           /* variables bound since the state's */
} Walk;

View **dest_new(Build *b, const Type *t) { return NEW_ARRAY(b->arena, View *, type_components(t)); }

bool dest_is_wanted(View *const *dests, const Type *t) { return dests && ANY(k, type_components(t), dests[k]); }

/* The component of a tuple's type that component k of it is in, and which one it is there. */
static int part_with(const Type *tuple, int *k)
{
    int i = 0;
    for (; *k >= type_components(tuple->elems[i]); i++) *k -= type_components(tuple->elems[i]);
    return i;
}

static const Type *type_component(Ctx *c, const Type *t, int k)
{
    if (t->kind == TY_ARRAY) return type_array(c, t->size, type_component(c, t->elems[0], k));
    if (t->kind != TY_TUPLE) return t;
    int i = part_with(t, &k);
    return type_component(c, t->elems[i], k);
}

/* ---- the components of a view ---- */

/* Some element of a pure view: its place, its number in v, and how many there are; false: it is in no memory. */
static bool any_place(Build *b, View *v, Place *out, const Nat **at, const Nat **count)
{
    Nats *n = b->n;
    *at = nat_const(n, 0), *count = nat_const(n, 1);
    while (v->type->kind == TY_ARRAY) {
        const Nat *size = v->type->size, *i = nat_fresh_index(n, "any", size);
        *at = nat_add(n, nat_mul(n, *at, size), i);
        *count = nat_mul(n, *count, size);
        v = view_at(b, v, i);
    }
    return view_place(v, out);
}

Buffer *dest_memory(Build *b, View *v)
{
    const Nat *at, *count;
    Place p;
    return v && any_place(b, v, &p, &at, &count) ? p.buf : NULL;
}

Buffer *dest_buffer(Build *b, View *v)
{
    const Nat *at, *count;
    Place p;
    if (!v || !any_place(b, v, &p, &at, &count)) return NULL;
    const Nat *width = nat_const(b->n, p.width);
    return p.at == nat_mul(b->n, at, width) && p.buf->count == nat_mul(b->n, count, width) ? p.buf : NULL;
}

static bool is_global(Build *b, View *v)
{
    const Buffer *buf = view_is_pure(v) ? dest_memory(b, v) : NULL;
    return buf && buf->space == SPACE_GLOBAL && !buf->image_of;
}

static View *component(Build *b, View *v, int k)
{
    const Type *t = v->type, *elem = t->kind == TY_ARRAY ? t->elems[0] : t, *type = type_component(b->c, t, k);
    if (type == t) return is_global(b, v) ? v : NULL;
    if (v->kind == V_MEMORY) return component(b, view_memory(b, type, v->bufs + k, v->idx, v->rank), 0);
    if (elem->kind == TY_TUPLE) {
        int i = part_with(elem, &k);
        View *part = v->kind == V_ZIP ? v->parts[i] : t == elem ? view_field(b, v, i) : view_fields(b, v, i);
        return component(b, part, k);
    }
    if (v->kind != V_SPLIT && v->kind != V_JOIN && v->kind != V_PART && v->kind != V_TRANSPOSE) return NULL;
    View *in = component(b, v->x, k), *made = in ? view_copy(b, v) : NULL;
    if (made) made->x = in, made->type = type;
    return made;
}

View **dest_components(Build *b, View *v)
{
    View **dests = dest_new(b, v->type);
    for (int k = 0; k < type_components(v->type); k++) dests[k] = component(b, v, k);
    return dests;
}

/* ---- the way from a result to its values ---- */

static void push_leaves(Walk *w, const Type *t)
{
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) push_leaves(w, t->elems[i]);
    if (t->kind == TY_TUPLE) return;
    Var v = {t, dest_new(w->b, t)};
    vec_push(&w->vars, v);
}

static void walk(Walk *w, const Term *e, View **to);

/* What the body of a lambda that writes to `to` wants of its parameter. */
static View **walk_lambda(Walk *w, const Term *lambda, View **to)
{
    const Type *param = lambda->type->elems[0];
    View **dests = dest_new(w->b, param), **next = dests;
    int first = w->vars.n;
    push_leaves(w, param);
    w->below += param->leaf_count;
    walk(w, lambda->args[0], to);
    w->below -= param->leaf_count;
    for (int i = first; i < w->vars.n; i++)
        for (int k = 0; k < type_components(w->vars.v[i].type); k++) *next++ = w->vars.v[i].cells[k];
    w->vars.n = first;
    return dests;
}

View **dest_of_let(Build *b, const Term *let, View **to, const Type *state, int below)
{
    Walk w = {.b = b, .state = state, .below = below};
    View **dests = walk_lambda(&w, let->args[1], to);
    free(w.vars.v);
    return dests;
}

/* Of the array of whose elements components are mapped. */
static View **of_mapped(Build *b, const Term *map, View **to)
{
    Walk w = {.b = b, .elements = true}; /* what is of no element has no place in an array of them */
    View **dests = walk_lambda(&w, map->args[0], to);
    free(w.vars.v);
    return dests;
}

/* Of what is laid out: every component where the layout finds it. */
static View **laid_out(Build *b, const Term *e, const Type *in, View **to)
{
    View **dests = dest_new(b, in);
    for (int k = 0; k < type_components(in); k++) {
        dests[k] = to[k] ? view_inverse(b, e, to[k], NULL) : NULL;
        if (dests[k]) dests[k]->type = type_component(b->c, in, k);
    }
    return dests;
}

View **dest_of_argument(Build *b, const Term *e, int i, View **to)
{
    const Type *in = e->args[i]->type;
    View **dests;
    switch (e->prim) {
    case PRIM_TUPLE: case PRIM_ZIP:
        for (int j = 0; j < i; j++) to += type_components(e->args[j]->type);
        return to;
    case PRIM_UNZIP: case PRIM_TO_GLOBAL: return to;
    case PRIM_PROJ:
        dests = dest_new(b, in);
        for (int j = 0, at = 0; j <= e->u.proj; at += type_components(in->elems[j++]))
            for (int k = 0; j == e->u.proj && k < type_components(e->type); k++) dests[at + k] = to[k];
        return dests;
    case PRIM_CONCAT:
        dests = dest_new(b, in);
        for (int k = 0; k < type_components(in); k++)
            if (to[k]) dests[k] = view_part(b, to[k], i ? e->args[0]->type->size : nat_const(b->n, 0), in->size);
        return dests;
    case PRIM_MAP:
        dests = i == 1 ? of_mapped(b, e, to) : NULL;
        if (dest_is_wanted(dests, in) || i != 1 || type_components(in) != 1) return dests;
        return laid_out(b, e, in, to);
    default: return e->arg_count == 1 && prim((PrimId)e->prim)->write == WRITE_INVERSE ? laid_out(b, e, in, to) : NULL;
    }
}

/* Does e say of elements only which of their components are where? */
static bool is_of_components(const Term *e)
{
    return e->prim == PRIM_TUPLE || e->prim == PRIM_ZIP || e->prim == PRIM_UNZIP || e->prim == PRIM_PROJ;
}

static void walk(Walk *w, const Term *e, View **to)
{
    if (e->kind == T_VAR && e->u.index < w->vars.n) {
        Var *v = &w->vars.v[w->vars.n - 1 - e->u.index];
        for (int k = 0; k < type_components(v->type); k++)
            if (!v->cells[k]) v->cells[k] = to[k];
    }
    if (e->kind != T_PRIM) return;
    if (e->prim == PRIM_LET) {
        walk(w, e->args[0], walk_lambda(w, e->args[1], to));
    } else if (e->prim == PRIM_IF) {     /* the end of a loop (plan_top.c: write_step) */
        if (w->state && term_is_param(e->args[2], w->state, w->below)) walk(w, e->args[1], to);
    } else if (e->prim == PRIM_MAP && w->elements) {
        walk(w, e->args[1], of_mapped(w->b, e, to));
    } else if (!w->elements || is_of_components(e)) {
        for (int i = 0; i < e->arg_count; i++) {
            View **dests = dest_of_argument(w->b, e, i, to);
            if (dest_is_wanted(dests, e->args[i]->type)) walk(w, e->args[i], dests);
        }
    }
}

bool dest_is_component(const Term *e)
{
    if (e->kind == T_VAR) return true;
    if (e->kind != T_PRIM) return false;
    if (e->prim == PRIM_MAP) return dest_is_component(e->args[0]->args[0]) && dest_is_component(e->args[1]);
    bool ok = is_of_components(e) || (e->arg_count == 1 && prim((PrimId)e->prim)->write == WRITE_INVERSE);
    for (int i = 0; i < e->arg_count; i++) ok = ok && dest_is_component(e->args[i]);
    return ok;
}

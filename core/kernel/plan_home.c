/* plan_home: where named values are made: one that is a component of what its let writes has that component's buffer for its own. */
#include "plan_home.h"

#include <stdlib.h>

/* A value is one buffer a component, whichever arrays and tuples it consists of: zip, unzip, tuples, projections and maps of such only
 * say which component is where, and join and split leave the elements of each as they lie. What lies behind another in one array is a part
 * of its buffers. */

/* What is known of the variables bound on the way, outermost first. */
typedef struct Var { const Type *type; Buffer **cells; } Var;
typedef struct Walk {
    Build *b;
    VEC(Var) vars;
    const Type *state;                   /* in the step of a loop: of its state; else NULL */
    int below;                           /* variables bound since the state's */
} Walk;

Buffer **home_new(Build *b, const Type *t) { return NEW_ARRAY(b->arena, Buffer *, type_components(t)); }

/* The elements of buf, whose outermost dimension is n long, from `first` of these on, so many; NULL: it has other dimensions. */
static Buffer *part_of(Build *b, Buffer *buf, const Nat *n, const Nat *first, const Nat *count)
{
    if (!buf || buf->rank == 0 || buf->dims[0] != n) return NULL;
    for (int d = 1; d < buf->rank; d++) first = nat_mul(b->n, first, buf->dims[d]);
    if (buf->part_of) first = nat_add(b->n, buf->first, first);
    Buffer *whole = buf->part_of ? buf->part_of : buf;
    for (int i = 0; i < b->parts.n; i++) {
        Buffer *p = b->parts.v[i];
        if (p->part_of == whole && p->first == first && p->dims[0] == count && p->rank == buf->rank) return p;
    }
    Buffer *part = NEW(b->arena, Buffer);
    *part = *buf;
    part->part_of = whole;
    part->first = first;
    part->dims[0] = count;
    vec_push(&b->parts, part);
    return part;
}

/* The same of every component. */
static Buffer **parts_of(Build *b, Buffer *const *of, const Type *array, const Nat *first, const Nat *count)
{
    Buffer **parts = home_new(b, array);
    for (int k = 0; k < type_components(array); k++) parts[k] = part_of(b, of[k], array->size, first, count);
    return parts;
}

Buffer **home_of_part(Build *b, const Term *concat, int i, Buffer *const *to)
{
    const Nat *first = i ? concat->args[0]->type->size : nat_const(b->n, 0);
    return parts_of(b, to, concat->type, first, concat->args[i]->type->size);
}

static void push_leaves(Walk *w, const Type *t)
{
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) push_leaves(w, t->elems[i]);
    if (t->kind == TY_TUPLE) return;
    Var v = {t, home_new(w->b, t)};
    vec_push(&w->vars, v);
}

static void walk(Walk *w, const Term *e, Buffer **to);

/* What the body of a lambda that writes to `to` wants of its parameter. */
static Buffer **walk_lambda(Walk *w, const Term *lambda, Buffer **to)
{
    const Type *param = lambda->type->elems[0];
    Buffer **home = home_new(w->b, param), **next = home;
    int first = w->vars.n;
    push_leaves(w, param);
    w->below += param->leaf_count;
    walk(w, lambda->args[0], to);
    w->below -= param->leaf_count;
    for (int i = first; i < w->vars.n; i++)
        for (int k = 0; k < type_components(w->vars.v[i].type); k++) *next++ = w->vars.v[i].cells[k];
    w->vars.n = first;
    return home;
}

Buffer **home_of_whole(Build *b, const Term *proj, Buffer **to)
{
    const Type *t = proj->args[0]->type;
    Buffer **whole = home_new(b, t);
    int at = 0;
    for (int i = 0; i < proj->u.proj; i++) at += type_components(t->elems[i]);
    for (int k = 0; k < type_components(proj->type); k++) whole[at + k] = to[k];
    return whole;
}

Buffer **home_of_mapped(Build *b, const Term *map, Buffer **to)
{
    Walk w = {.b = b};                   /* what is of no element has no place in an array of them */
    Buffer **home = walk_lambda(&w, map->args[0], to);
    free(w.vars.v);
    return home;
}

static void walk(Walk *w, const Term *e, Buffer **to)
{
    if (e->kind == T_VAR) {
        if (e->u.index < w->vars.n) {
            Var *v = &w->vars.v[w->vars.n - 1 - e->u.index];
            for (int k = 0; k < type_components(v->type); k++)
                if (!v->cells[k]) v->cells[k] = to[k];
        }
    }
    if (e->kind != T_PRIM) return;
    switch (e->prim) {
    case PRIM_TUPLE: case PRIM_ZIP:
        for (int i = 0; i < e->arg_count; to += type_components(e->args[i++]->type)) walk(w, e->args[i], to);
        return;
    case PRIM_CONCAT:
        for (int i = 0; i < e->arg_count; i++) walk(w, e->args[i], home_of_part(w->b, e, i, to));
        return;
    case PRIM_UNZIP: case PRIM_JOIN: case PRIM_SPLIT: case PRIM_TO_GLOBAL: walk(w, e->args[0], to); return;
    case PRIM_PROJ: walk(w, e->args[0], home_of_whole(w->b, e, to)); return;
    case PRIM_MAP: walk(w, e->args[1], home_of_mapped(w->b, e, to)); return;
    case PRIM_LET: walk(w, e->args[0], walk_lambda(w, e->args[1], to)); return;
    case PRIM_IF:                        /* the end of a loop (plan_top.c: write_step) */
        if (w->state && term_is_param(e->args[2], w->state, w->below)) walk(w, e->args[1], to);
        return;
    default: return;
    }
}

Buffer **home_of_let(Build *b, const Term *let, Buffer **to, const Type *state, int below)
{
    Walk w = {.b = b, .state = state, .below = below};
    Buffer **home = walk_lambda(&w, let->args[1], to);
    free(w.vars.v);
    return home;
}

/* Do all components of e lie as those of its arguments, one after the other? */
static bool lies_as_arguments(const Term *e)
{
    return e->prim == PRIM_TUPLE || e->prim == PRIM_ZIP || e->prim == PRIM_UNZIP || e->prim == PRIM_JOIN || e->prim == PRIM_SPLIT;
}

bool home_is_component(const Term *e)
{
    if (e->kind == T_VAR) return true;
    if (e->kind != T_PRIM) return false;
    if (e->prim == PRIM_MAP) return home_is_component(e->args[0]->args[0]) && home_is_component(e->args[1]);
    bool ok = lies_as_arguments(e) || e->prim == PRIM_PROJ;
    for (int i = 0; i < e->arg_count; i++) ok = ok && home_is_component(e->args[i]);
    return ok;
}

/* ---- views ---- */

static void find_mapped(Build *b, const Term *lambda, Buffer **in, Buffer **out);

/* Where the components of e are, given those of the variables. */
static void find(Walk *w, const Term *e, Buffer **out)
{
    if (e->kind == T_VAR && e->u.index < w->vars.n) {
        const Var *v = &w->vars.v[w->vars.n - 1 - e->u.index];
        for (int k = 0; k < type_components(v->type); k++) out[k] = v->cells[k];
    } else if (e->kind == T_PRIM && lies_as_arguments(e)) {
        for (int i = 0; i < e->arg_count; out += type_components(e->args[i++]->type)) find(w, e->args[i], out);
    } else if (e->kind == T_PRIM && e->prim == PRIM_PROJ) {
        Buffer **whole = home_new(w->b, e->args[0]->type);
        find(w, e->args[0], whole);
        for (int i = 0; i < e->u.proj; i++) whole += type_components(e->args[0]->type->elems[i]);
        for (int k = 0; k < type_components(e->type); k++) out[k] = whole[k];
    } else if (e->kind == T_PRIM && e->prim == PRIM_MAP) {
        Buffer **in = home_new(w->b, e->args[1]->type);
        find(w, e->args[1], in);
        find_mapped(w->b, e->args[0], in, out);
    }
}

static void find_mapped(Build *b, const Term *lambda, Buffer **in, Buffer **out)
{
    Walk w = {.b = b};
    push_leaves(&w, lambda->type->elems[0]);
    for (int i = 0; i < w.vars.n; in += type_components(w.vars.v[i++].type)) w.vars.v[i].cells = in;
    find(&w, lambda->args[0], out);
    free(w.vars.v);
}

Buffer **home_cells(Build *b, const View *v)
{
    Buffer **home = home_new(b, v->type), **at = home, **in;
    int n = type_components(v->type);
    switch (v->kind) {
    case V_TUPLE: case V_ZIP:
        for (int i = 0; i < view_part_count(v); i++) {
            in = home_cells(b, v->parts[i]);
            for (int k = 0; k < type_components(v->parts[i]->type); k++) *at++ = in[k];
        }
        break;
    case V_MEMORY:
        for (int i = 0; i < n; i++) home[i] = v->rank == 0 && v->bufs[i]->space == SPACE_GLOBAL && !v->bufs[i]->image_of ? v->bufs[i] : NULL;
        break;
    case V_PLACE: *home = v->place.buf->space == SPACE_GLOBAL && v->place.buf->rank == 0 ? v->place.buf : NULL; break;
    case V_FIELD:
        home = home_cells(b, v->x);
        for (int i = 0; i < v->k; i++) home += type_components(v->x->type->elems[0]->elems[i]);
        break;
    case V_SPLIT: case V_JOIN: return home_cells(b, v->x);
    case V_PART: return v->m ? home : parts_of(b, home_cells(b, v->x), v->x->type, v->n, v->type->size);
    case V_MAP: find_mapped(b, v->term, home_cells(b, v->x), home); break;
    default: break;
    }
    return home;
}

bool home_is_wanted(Buffer *const *home, const Type *t)
{
    for (int k = 0; home && k < type_components(t); k++)
        if (home[k]) return true;
    return false;
}

/* translate_inverse: destinations through layout: where the argument of join, split, reorder ... is written. */
#include "translate_view.h"

static bool invertible_map(const Term *lambda);

static bool invertible_body(const Term *e, int leaves, int *seen)
{
    if (e->kind == T_VAR) return e->u.index < leaves && !seen[e->u.index]++;
    if (e->kind != T_PRIM) return false;
    if (e->prim == PRIM_TUPLE || e->prim == PRIM_ZIP) {
        for (int i = 0; i < e->arg_count; i++)
            if (!invertible_body(e->args[i], leaves, seen)) return false;
        return true;
    }
    bool fits = e->prim == PRIM_MAP ? invertible_map(e->args[0]) : e->arg_count == 1;
    return fits && (prim((PrimId)e->prim)->traits & PT_INVERSE) && invertible_body(e->args[e->arg_count - 1], leaves, seen);
}

/* Every component of what is mapped is some part of the result, once. */
static bool invertible_map(const Term *lambda)
{
    int seen[ARG_MAX * 4] = {0}, n = lambda->type->elems[0]->leaf_count;
    if (n > COUNT(seen) || lambda->free_limit || !invertible_body(lambda->args[0], n, seen)) return false;
    for (int i = 0; i < n; i++)
        if (!seen[i]) return false;
    return true;
}

View *view_inverse(Build *b, const Term *e, View *dst, Env *env)
{
    const Type *in = e->arg_count ? e->args[e->arg_count - 1]->type : NULL;
    View *parts[ARG_MAX];
    if (!(prim((PrimId)e->prim)->traits & PT_INVERSE)) return NULL;
    switch (e->prim) {
    case PRIM_JOIN: return view_sized(b, V_SPLIT, in, dst, in->elems[0]->size);
    case PRIM_SPLIT: return view_sized(b, V_JOIN, in, dst, e->statics[0]);
    case PRIM_TRANSPOSE: return VIEW(b, V_TRANSPOSE, in, .x = dst);
    case PRIM_AS_SCALAR: {
        const Type *t = in->elems[0];
        while (t->kind == TY_TUPLE) t = t->elems[0];
        return view_sized(b, V_AS_VECTOR, in, dst, nat_const(b->n, t->width));
    }
    case PRIM_AS_VECTOR: return view_sized(b, V_AS_SCALAR, in, dst, e->statics[0]);
    case PRIM_REORDER: {
        PermKind kind = (PermKind)e->statics[0]->value;
        const Nat *k = e->statics[1], *size = e->type->size;
        if (kind == PERM_ROTATE) k = nat_sub(b->n, size, k);
        if (kind == PERM_STRIDE) k = nat_exact(b->n, size, k);
        return view_reordered(b, e->type, kind, k, kind == PERM_FUN ? e->args[1] : NULL, dst, env);
    }
    case PRIM_UNZIP:
        for (int i = 0; i < e->type->count; i++) parts[i] = view_field(b, dst, i);
        return view_zip(b, in, parts);
    case PRIM_MAP: return invertible_map(e->args[0]) ? VIEW(b, V_UNMAP, in, .x = dst, .term = e->args[0], .env = env) : NULL;
    default:
        build_fail(b, E54, e, "%s has no inverse", prim((PrimId)e->prim)->name);
        return NULL;
    }
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
        unapply(b, e->args[e->arg_count - 1], view_inverse(b, e, dst, env), env, leaves);
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

View *view_unmap_at(Build *b, View *v, const Nat *i)
{
    View *leaves[ARG_MAX * 4] = {0};
    unapply(b, v->term->args[0], view_at(b, v->x, i), v->env, leaves);
    return tuple_tree(b, v->term->type->elems[0], leaves, 0);
}

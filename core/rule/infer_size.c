/* infer_size: metavariables, and sizes as they are written in rules. */
#include "infer_private.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_DRAWS = 3 };

const IEnv *ienv_find(const IEnv *env, const char *name)
{
    while (env && env->name != name) env = env->next;
    return env;
}

IEnv *ienv_bind(Infer *in, const IEnv *next, const char *name)
{
    IEnv *b = NEW(in->arena, IEnv);
    b->name = name;
    b->next = next;
    return b;
}

Meta *meta_find(Infer *in, const char *name)
{
    for (int i = 0; i < in->metas.n; i++)
        if (in->metas.v[i]->name == name) return in->metas.v[i];
    return NULL;
}

const RuleParam *infer_param(const Infer *in, const char *name)
{
    for (int i = 0; i < in->rule->param_count; i++)
        if (strcmp(in->rule->params[i].name, name) == 0) return &in->rule->params[i];
    return NULL;
}

Meta *meta_new(Infer *in, const char *name, MetaKind kind)
{
    Meta *m = NEW(in->arena, Meta);
    m->name = name;
    m->kind = kind;
    vec_push(&in->metas, m);
    return m;
}

Meta *meta_of(Infer *in, const Ast *a, MetaKind kind)
{
    Meta *m = meta_find(in, a->name);
    if (m && m->kind == kind) return m;
    if (m) infer_bad(in, a->span, "\"%s\" is used as two different things", a->name);
    else if (in->right) infer_bad(in, a->span, "the left side does not bind \"%s\"", a->name);
    else return meta_new(in, a->name, kind);
    return NULL;
}

/* ---- parameters and what stands in their places ---- */

static const Nat *draw_static(Infer *in, StaticKind kind)
{
    static const int widths[] = {2, 2, 2, 4, 4, 8};
    switch (kind) {
    case STATIC_DIM: return size_const(in, rng_below(in->rng, 3));
    case STATIC_WIDTH: return size_const(in, widths[rng_below(in->rng, COUNT(widths))]);
    case STATIC_MODE: return size_const(in, rng_below(in->rng, PAD_MODES));
    default: return NULL;
    }
}

Meta *meta_static(Infer *in, const char *name, StaticKind kind)
{
    Meta *m = meta_find(in, name);
    if (m) return m;
    const RuleParam *p = infer_param(in, name);
    m = meta_new(in, name, META_STATIC);
    m->skind = p ? p->kind : kind;
    m->given = p && p->given;
    if (m->skind == STATIC_SIZE) {
        m->nat = nat_var(in->c->nats, name, VAR_PARAM, NULL, NULL);
        vec_push(&in->open, size_atom(m->nat));
    } else if (m->skind == STATIC_PERM) {
        m->perm = (PermKind)rng_below(in->rng, PERM_KINDS);
        m->nat = m->perm == PERM_ROTATE || m->perm == PERM_STRIDE ? size_fresh(in) : size_const(in, 0);
    } else {
        m->nat = draw_static(in, m->skind);
    }
    return m;
}

const Nat *size_quotient(Infer *in, const Nat *x, const Nat *y)
{
    const Nat *q = nat_exact(in->c->nats, size_now(in, x), size_now(in, y));
    if (q) return q;
    if (x->is_const && y->is_const) return infer_wrong_draw(in);
    q = size_fresh(in);
    return size_unify(in, nat_mul(in->c->nats, q, y), x) ? q : infer_wrong_draw(in);
}

static const Nat *size_binary(Infer *in, const IEnv *env, const Ast *a)
{
    const Nat *x = infer_size(in, env, a->kids[0]), *y = x ? infer_size(in, env, a->kids[1]) : NULL;
    Nats *n = in->c->nats;
    if (!y) return NULL;
    if (strcmp(a->name, "+") == 0) return nat_add(n, x, y);
    if (strcmp(a->name, "-") == 0) return nat_sub(n, x, y);
    if (strcmp(a->name, "*") == 0) return nat_mul(n, x, y);
    if (strcmp(a->name, "/") == 0) return size_quotient(in, x, y);
    if (strcmp(a->name, "//") == 0) return nat_div(n, x, y, NULL);
    if (strcmp(a->name, "%") == 0) return nat_mod(n, x, y, NULL);
    infer_bad(in, a->span, "\"%s\" is no operator of sizes", a->name);
    return NULL;
}

const Nat *infer_length(Infer *in, const IArg *x, Span span)
{
    IType *t = x->ast ? infer_expr(in, x->env, x->ast) : x->type;
    if (!t) return NULL;
    const Nat *n = size_fresh(in);
    return itype_need(in, span, "length", itype_sized(in, I_ARRAY, n, itype_fresh(in, IC_DATA)), t)
            ? size_now(in, n) : NULL;
}

static const Nat *size_length(Infer *in, const IEnv *env, const Ast *x)
{
    IArg a = {.ast = x, .env = env};
    return infer_length(in, &a, x->span);
}

const Nat *infer_size(Infer *in, const IEnv *env, const Ast *a)
{
    if (a->kind == AST_INT) return size_const(in, a->ival);
    if (a->kind == AST_BINARY) return size_binary(in, env, a);
    if (a->kind == AST_NAME) {
        const IEnv *b = ienv_find(env, a->name);
        if (b && b->ast) return infer_size(in, b->env, b->ast);
        Meta *m = b ? NULL : meta_static(in, a->name, STATIC_SIZE);
        if (m && m->nat) return m->nat;
    }
    const char *head = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0]->name : "";
    if (a->kid_count == 2 && strcmp(head, "length") == 0) return size_length(in, env, a->kids[1]);
    if (a->kid_count == 3 && (strcmp(head, "min") == 0 || strcmp(head, "max") == 0)) {
        const Nat *x = infer_size(in, env, a->kids[1]), *y = x ? infer_size(in, env, a->kids[2]) : NULL;
        return !y ? NULL : head[1] == 'i' ? nat_min(in->c->nats, x, y) : nat_max(in->c->nats, x, y);
    }
    infer_bad(in, a->span, "a size is needed here");
    return NULL;
}

const Nat *infer_count(Infer *in, const IEnv *env, const Ast *a)
{
    const Nat *n = size_now(in, infer_size(in, env, a));
    NatAtomVec vars = {0};
    if (n) nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++)
        size_solve(in, vars.v[i], size_const(in, 1 + rng_below(in->rng, COUNT_DRAWS)));
    free(vars.v);
    n = size_now(in, n);
    return n && n->is_const && n->value >= 1 ? n : in->failed ? NULL : infer_wrong_draw(in);
}

void infer_cond(Infer *in, char op, const Nat *a, const Nat *b, bool negated, const char *who)
{
    SizeCond k = {op, negated, a, b, who};
    if (!a || !b) return;
    if (in->right && who) vec_push(&in->needs, k);
    else vec_push(&in->conds, k);
}

static bool permutation_meta(Infer *in, const Ast *a, const Nat *length)
{
    Meta *m = meta_static(in, a->name, STATIC_PERM);
    if (m->kind != META_STATIC || m->skind != STATIC_PERM)
        return infer_bad(in, a->span, "\"%s\" is no permutation", a->name);
    if (m->perm == PERM_FUN && m->perm_length && size_now(in, m->perm_length) != size_now(in, length))
        return infer_wrong_draw(in) != NULL;
    m->perm_length = length;
    SizeCond k = {'|', false, m->nat, length, "reorder"};
    if (m->perm == PERM_STRIDE) vec_push(&in->conds, k);
    return true;
}

bool infer_permutation(Infer *in, const IEnv *env, const Ast *a, const Nat *length)
{
    const Ast *head = a->kind == AST_APP ? a->kids[0] : a;
    PermKind kind = PERM_KINDS;
    for (int i = 0; head->kind == AST_NAME && i < PERM_KINDS; i++)
        if (strcmp(head->name, perm_kind_name((PermKind)i)) == 0) kind = (PermKind)i;
    if (kind == PERM_KINDS && a->kind != AST_NAME)
        return infer_bad(in, a->span, "a permutation is reverse, (rotate k), (stride s) or a parameter");
    if (kind == PERM_KINDS) return permutation_meta(in, head, length);
    if (kind == PERM_REVERSE) return true;
    if (a->kind != AST_APP || a->kid_count != (kind == PERM_FUN ? 3 : 2))
        return infer_bad(in, a->span, "%s lacks its argument", head->name);
    const Nat *k = kind == PERM_FUN ? length : infer_size(in, env, a->kids[1]);
    if (k && kind == PERM_STRIDE) infer_cond(in, '|', k, length, false, "reorder");
    return k != NULL;
}

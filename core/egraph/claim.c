/* claim: a rule as an equation of two terms. Each metavariable is an input of its own: data as they are, a function as a table of unknown
 * entries, at the numbers that it is applied to. Elements of no given type are numbers then. That is as general as the rule: what holds
 * for all tables of all numbers holds for values of any type that numbers stand for (parametricity; Wadler, "Theorems for free!", 1989).
 * Conditions that are not understood are left out, which claims more. */
#include "egraph_private.h"
#include "check_private.h"

#include <stdlib.h>

typedef struct Making {
    Ctx *c;
    Arena *arena;
    Infer in;
    const Env *env;
    Claim *claim;
} Making;

static bool refuse(Making *m, const char *why)
{
    if (!m->claim->why_not) m->claim->why_not = why;
    return false;
}

/* ---- types: each variable is the widest of its class that is exact ---- */

static bool give_types(Making *m, IType *t)
{
    t = itype_now(&m->in, t);
    if (t->kind != I_VAR) return ALL(k, t->count, give_types(m, t->kids[k]));
    bool number = t->cls == IC_NUMERIC || t->cls == IC_FLOAT;
    return itype_unify(&m->in, t, itype_of(&m->in, type_scalar(m->c, number ? SC_F32 : SC_I32)));
}

static const Type *type_of(Making *m, IType *t)
{
    const Type *kids[ARG_MAX];
    t = itype_now(&m->in, t);
    for (int k = 0; k < t->count; k++)
        if (!(kids[k] = type_of(m, t->kids[k]))) return NULL;
    const Nat *n = t->size ? size_now(&m->in, t->size) : NULL;
    switch (t->kind) {
    case I_SCALAR: return type_scalar(m->c, t->scalar);
    case I_ARRAY: return type_array(m->c, n, kids[0]);
    case I_TUPLE: return type_tuple(m->c, kids, t->count);
    case I_FUN: return type_fun(m->c, kids[0], kids[1]);
    default: return NULL;                /* widths of vectors were drawn */
    }
}

/* ---- metavariables ---- */

/* \(i, j) -> F[i][j], with F an input of that name. */
static const Term *table(Making *m, const char *name, const Type *from, const Type *to)
{
    const Type *number = type_scalar(m->c, SC_I32), *type = to;
    for (int i = from->leaf_count - 1; i >= 0; i--) {
        if (type_leaf(from, i) != number) return refuse(m, arena_printf(m->arena, "%s takes a value that is no element", name)), NULL;
        type = type_array(m->c, nat_var(m->c->nats, intern(m->c->names, arena_printf(m->arena, "%s_%d", name, i)), VAR_SIZE, NULL, NULL), type);
    }
    const Term *body = term_input(m->c, name, type);
    for (int i = 0; i < from->leaf_count; i++) body = term_prim2(m->c, PRIM_AT, term_var(m->c, from->leaf_count - 1 - i, number), body);
    return term_lam(m->c, from, body, NULL);
}

static bool bind_meta(Making *m, const Meta *meta)
{
    const Type *t = meta->kind == META_DATA || meta->kind == META_FUN ? type_of(m, meta->type) : NULL;
    if (meta->kind == META_LIST) return refuse(m, arena_printf(m->arena, "%s.. stands for any number of values", meta->name));
    if (meta->kind == META_STATIC) {
        const Nat *n = meta->skind == STATIC_SIZE ? size_now(&m->in, meta->nat) : NULL;
        if (!n) return refuse(m, arena_printf(m->arena, "%s is no size", meta->name));
        BIND(m->arena, &m->env, meta->name, BIND_SIZE, .nat = n);
        return true;
    }
    if (!t) return refuse(m, arena_printf(m->arena, "%s has a type of vectors", meta->name));
    const Term *x = meta->kind == META_DATA ? term_input(m->c, meta->name, t) : table(m, meta->name, t->elems[0], t->elems[1]);
    if (meta->kind == META_DATA) BIND(m->arena, &m->env, meta->name, BIND_TERM, .term = x);
    else BIND(m->arena, &m->env, meta->name, BIND_FUN, .term = x, .arity = meta->arity);
    return x || refuse(m, "a metavariable has no type of its own");
}

/* ---- what `when` says ---- */

static void assume(Making *m, const AstCond *k, const Rule *rule)
{
    bool of_value = k->prop == PROP_NEUTRAL || k->prop == PROP_RESTARTS;
    const Ast *name = k->args[of_value];
    const Env *b = name->kind == AST_NAME ? env_find(m->env, name->name) : NULL;
    if (k->negated || !b || b->kind != BIND_FUN) return;
    Elab e = elab_start(m->c, m->arena, NULL);
    const Term *value = of_value ? elab_expr(&e, (Scope){m->env, 0, rule->ast->source}, k->args[0], b->term->type->elems[1]) : NULL;
    diag_clear(&m->c->diag);
    if (of_value && !value) return;
    vec_push(&m->claim->assumed, ((Assumed){k->prop, b->term, value}));
}

static void know(Making *m, Fact f)
{
    if (!f.a || !f.b) return;
    vec_push(&m->claim->known, f);
    if (f.kind == FACT_DIVIDES) m->claim->divides = MAKE(m->arena, NatFacts, f.a, f.b, m->claim->divides);
}

static void know_own(Making *m, const Term *t)
{
    Fact facts[8];
    int n = term_own_facts(m->c, t, facts);
    for (int i = 0; i < n; i++) know(m, facts[i]);
    for (int i = 0; i < t->arg_count; i++) know_own(m, t->args[i]);
}

static const Term *side(Making *m, const Rule *rule, bool right, const Type *type)
{
    Elab e = elab_start(m->c, m->arena, NULL);
    const Term *t = elab_expr(&e, (Scope){m->env, 0, rule->ast->source}, rule_side(rule, right), type);
    diag_clear(&m->c->diag);
    return t && (!type || t->type == type) ? t : (refuse(m, right ? "its right side needs sizes to be numbers" : "its left side needs sizes to be numbers"), NULL);
}

static bool make(Making *m, const Rule *rule)
{
    Rng rng = {1};
    if (!infer_rule(&m->in, m->c, m->arena, rule, 0, &rng)) return refuse(m, "lists, counts and widths are drawn, not any");
    for (int i = 0; i < m->in.metas.n; i++) {
        const Meta *meta = m->in.metas.v[i];
        if (meta->type && !give_types(m, meta->type)) return refuse(m, "its types are not numbers'");
    }
    for (int i = 0; i < m->in.metas.n; i++)
        if (!bind_meta(m, m->in.metas.v[i])) return false;
    for (int i = 0; i < rule->param_count; i++)
        if (rule->params[i].kind != STATIC_SIZE || rule->params[i].list) return refuse(m, "its parameters are no sizes");
    m->claim->left = side(m, rule, false, NULL);
    m->claim->right = m->claim->left ? side(m, rule, true, m->claim->left->type) : NULL;
    if (!m->claim->right) return false;
    for (int i = 0; i < rule->ast->cond_count; i++) {
        const AstCond *k = rule->ast->conds[i];
        if (k->kind >= COND_ASSOCIATIVE && k->kind <= COND_RESTARTS) assume(m, k, rule);
    }
    for (int i = 0; i < m->in.conds.n; i++) {
        const SizeCond *k = &m->in.conds.v[i];
        if (!k->negated && !k->equal) know(m, (Fact){k->fact.kind, size_now(&m->in, k->fact.a), size_now(&m->in, k->fact.b)});
    }
    know_own(m, m->claim->left);
    return true;
}

bool claim_of_rule(Ctx *c, Arena *arena, const Rule *rule, Claim *out)
{
    Making m = {.c = c, .arena = arena, .claim = out};
    *out = (Claim){.except = rule};
    bool ok = make(&m, rule);
    diag_clear(&c->diag);
    infer_free(&m.in);
    return ok;
}

void claim_free(Claim *k)
{
    free(k->known.v);
    free(k->assumed.v);
}

bool claim_knows(const Claim *k, Nats *n, const Fact *f)
{
    return ANY(i, k->known.n, fact_equal(&k->known.v[i], f)) || fact_is_certain(n, f, k->divides);
}

bool claim_assumes(void *claim, PropKind kind, const Term *f, const Term *e)
{
    const Claim *k = claim;
    for (int i = 0; i < k->assumed.n; i++) {
        const Assumed *a = &k->assumed.v[i];
        bool enough = a->kind == kind || (kind == PROP_RESTARTS && a->kind == PROP_NEUTRAL);
        if (enough && a->f == f && (!a->e || a->e == e)) return true;
    }
    return false;
}

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
    int tables;                          /* of the function that is made */
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
    bool number = t->cls == IC_NUMERIC || t->cls == IC_FLOAT;        /* f64: literals that differ are not rounded to one */
    return itype_unify(&m->in, t, itype_of(&m->in, type_scalar(m->c, number ? SC_F64 : SC_I32)));
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

/* A table of that name and so many indices: NAME, NAME_1, ... */
static const Term *table(Making *m, const char *name, int indices, const Type *entry)
{
    int k = m->tables++;
    for (int i = indices - 1; i >= 0; i--) {
        const char *size = intern(m->c->names, arena_printf(m->arena, "%s_%d_%d", name, k, i));
        entry = type_array(m->c, nat_var(m->c->nats, size, VAR_SIZE, NULL, NULL), entry);
    }
    return term_input(m->c, k ? arena_printf(m->arena, "%s_%d", name, k) : name, entry);
}

static const Term *look_up(Making *m, const char *name, const Type *type, const Type *entry);

/* The value as a number, which is as much as to know it: an element is one, an array is what its elements lead to, from 0, through the states
 * of an automaton. */
static const Term *number_of(Making *m, const char *name, const Term *x)
{
    const Type *number = type_scalar(m->c, SC_I32);
    if (x->type == number) return x;
    if (x->type->kind != TY_ARRAY) return refuse(m, arena_printf(m->arena, "%s takes a value of type %s", name, type_text(m->c, x->type))), NULL;
    const Type *parts[2] = {number, x->type->elems[0]}, *step = type_tuple(m->c, parts, 2);
    const Term *args[3] = {term_lam(m->c, step, look_up(m, name, step, number), NULL), term_int(m->c, number, 0), x};
    return term_prim(m->c, PRIM_REDUCE_SEQ, NULL, 0, args, 3);
}

/* \(i, j) -> F[i][j]: the body. */
static const Term *look_up(Making *m, const char *name, const Type *type, const Type *entry)
{
    const Term *x = table(m, name, type->leaf_count, entry);
    for (int i = 0; i < type->leaf_count; i++) {
        const Term *n = number_of(m, name, term_var(m->c, type->leaf_count - 1 - i, type_leaf(type, i)));
        x = n ? term_prim2(m->c, PRIM_AT, n, x) : NULL;
    }
    return x;
}

static const Term *unknown_function(Making *m, const char *name, const Type *from, const Type *to)
{
    m->tables = 0;
    return term_lam(m->c, from, look_up(m, name, from, to), NULL);
}

static bool bind_meta(Making *m, const Meta *meta)
{
    const Type *t = meta->kind == META_DATA || meta->kind == META_FUN ? type_of(m, meta->type) : NULL;
    if (meta->kind == META_LIST) return refuse(m, arena_printf(m->arena, "%s.. stands for any number of values", meta->name));
    if (meta->kind == META_STATIC) {
        const Nat *n = meta->skind == STATIC_SIZE ? size_now(&m->in, meta->nat) : NULL;
        if (!n || n->is_const) return refuse(m, arena_printf(m->arena, "%s is no size, of which all can be meant", meta->name));
        BIND(m->arena, &m->env, meta->name, BIND_SIZE, .nat = n);
        return true;
    }
    if (!t) return refuse(m, arena_printf(m->arena, "%s has a type of vectors", meta->name));
    const Term *x = meta->kind == META_DATA ? term_input(m->c, meta->name, t) : unknown_function(m, meta->name, t->elems[0], t->elems[1]);
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
    const Term *value = of_value ? elab_whole(&e, (Scope){m->env, 0, rule->ast->source}, k->args[0], b->term->type->elems[1]) : NULL;
    diag_clear(&m->c->diag);
    if (of_value && !value) return;
    vec_push(&m->claim->assumed, ((Assumed){k->prop, b->term, value}));
}

static void know(Arena *arena, Claim *k, Fact f)
{
    if (!f.a || !f.b) return;
    vec_push(&k->known, f);
    if (f.kind == FACT_DIVIDES) k->divides = MAKE(arena, NatFacts, f.a, f.b, k->divides);
}

/* What stands in a term is well formed: its own facts hold. */
static void know_own(Ctx *c, Arena *arena, Claim *k, const Term *t)
{
    Fact facts[8];
    int n = term_own_facts(c, t, facts);
    for (int i = 0; i < n; i++) know(arena, k, facts[i]);
    for (int i = 0; i < t->arg_count; i++) know_own(c, arena, k, t->args[i]);
}

static bool knows_own(Ctx *c, const Claim *k, const Term *t)
{
    Fact facts[8];
    int n = term_own_facts(c, t, facts);
    return ALL(i, n, claim_knows(k, c->nats, &facts[i])) && ALL(i, t->arg_count, knows_own(c, k, t->args[i]));
}

static bool holds_iterate(void *data, const Term *t)
{
    (void)data;
    return term_is(t, PRIM_ITERATE) || term_is(t, PRIM_SLICE);
}

static const Term *side(Making *m, const Rule *rule, bool right, const Type *type)
{
    Elab e = elab_start(m->c, m->arena, NULL);
    const Term *t = elab_whole(&e, (Scope){m->env, 0, rule->ast->source}, rule_side(rule, right), type);
    diag_clear(&m->c->diag);
    return t && (!type || t->type == type) ? t : (refuse(m, right ? "its right side needs sizes to be numbers" : "its left side needs sizes to be numbers"), NULL);
}

static bool make(Making *m, const Rule *rule)
{
    Rng rng = {1};
    if (rule->ast->elements) return refuse(m, "its right side is computed");
    if (!infer_rule(&m->in, m->c, m->arena, rule, 0, &rng)) return refuse(m, "lists, counts and widths are drawn, not any");
    for (int i = 0; i < m->in.metas.n; i++) {
        const Meta *meta = m->in.metas.v[i];
        if (meta->type && !give_types(m, meta->type)) return refuse(m, "its types are not numbers'");
    }
    for (int i = 0; i < m->in.metas.n; i++)
        if (m->in.metas.v[i]->length) return refuse(m, "how often iterate goes round was drawn, not any");
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
        if (!k->negated && !k->equal) know(m->arena, m->claim, (Fact){k->fact.kind, size_now(&m->in, k->fact.a), size_now(&m->in, k->fact.b)});
    }
    know_own(m->c, m->arena, m->claim, m->claim->left);
    if (!knows_own(m->c, m->claim, m->claim->right)) return refuse(m, "its right side asks of sizes what is not known to follow");
    if (term_find(m->claim->left, holds_iterate, NULL) || term_find(m->claim->right, holds_iterate, NULL))
        return refuse(m, "it has lengths that only a run knows");
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

void claim_of_terms(Ctx *c, Arena *arena, const Term *a, const Term *b, const Fact *facts, int n, Claim *out)
{
    *out = (Claim){.left = a, .right = b};
    for (int i = 0; i < n; i++) know(arena, out, facts[i]);
    know_own(c, arena, out, a);
    know_own(c, arena, out, b);
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

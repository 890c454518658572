/* claim: a rule as an equation of two terms. Each metavariable is an input of its own: data as they are, a function as a table of unknown
 * entries, at the numbers that it is applied to. Elements of no given type are numbers then. That is as general as the rule: what holds
 * for all tables of all numbers holds for values of any type that numbers stand for (parametricity; Wadler, "Theorems for free!", 1989).
 * Conditions that are not understood are left out, which claims more. */
#include "egraph_private.h"

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
    case I_VECTOR: return n && n->is_const ? type_vector(m->c, (int)n->value, kids[0]) : NULL;
    default: return NULL;
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
    const Term *t = term_input(m->c, k ? intern(m->c->names, arena_printf(m->arena, "%s_%d", name, k)) : name, entry);
    vec_push(&m->claim->tables, t);
    return t;
}

static const Term *look_up(Making *m, const char *name, const Type *type, const Type *entry);

/* A vector as an array. */
static const Term *lanes_of(Ctx *c, const Term *x)
{
    const Nat *one = nat_const(c->nats, 1);
    const Term *moved = term_shift(c, x, 1, 0), *f = moved ? term_lam(c, type_scalar(c, SC_I32), moved, NULL) : NULL;
    return f ? term_prim1(c, PRIM_AS_SCALAR, term_prim(c, PRIM_GENERATE, &one, 1, &f, 1)) : NULL;
}

/* The value as a number, which is as much as to know it: an element is one, an array is what its elements lead to, from 0, through the states
 * of an automaton; of a number that is none of 32 bits some function of its bits, of which no rule knows anything. */
static const Term *number_of(Making *m, const char *name, const Term *x)
{
    Ctx *c = m->c;
    const Type *number = type_scalar(c, SC_I32), *t = x->type;
    if (t == number) return x;
    if (t->kind == TY_SCALAR) {
        bool bits32 = t->scalar == SC_F32 || t->scalar == SC_U32, bits64 = t->scalar == SC_F64 || t->scalar == SC_U64;
        return bits32 ? term_prim1(c, PRIM_AS_I32, x) : term_prim1(c, PRIM_TO_I32, bits64 ? term_prim1(c, PRIM_AS_I64, x) : x);
    }
    if (t->kind == TY_VECTOR) x = lanes_of(c, x), t = x ? x->type : NULL;
    if (!t || t->kind != TY_ARRAY) return refuse(m, arena_printf(m->arena, "%s takes a value of type %s", name, type_text(c, t ? t : number))), NULL;
    const Type *parts[2] = {number, t->elems[0]}, *step = type_tuple(c, parts, 2);
    const Term *args[3] = {term_lam(c, step, look_up(m, name, step, number), NULL), term_int(c, number, 0), x};
    return term_prim(c, PRIM_REDUCE_SEQ, NULL, 0, args, 3);
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

static bool bind_list(Making *m, const Meta *meta)
{
    const Term **terms = NEW_ARRAY(m->arena, const Term *, meta->count);
    for (int i = 0; i < meta->count; i++) {
        const Type *t = type_of(m, meta->list[i]);
        if (!t) return refuse(m, arena_printf(m->arena, "%s has no type of its own", meta->name));
        terms[i] = term_input(m->c, intern(m->c->names, arena_printf(m->arena, "%s_%d", meta->name, i)), t);
    }
    BIND(m->arena, &m->env, meta->name, BIND_LIST, .terms = terms, .count = meta->count);
    return true;
}

/* Unknown functions that are inverse to each other. */
static bool any_permutation(Making *m, const Meta *meta, RuleArg *out)
{
    const Type *number = type_scalar(m->c, SC_I32);
    m->tables = 0;
    for (int i = 0; i < 2; i++) {
        const Term *x = look_up(m, meta->name, number, number), *f = x ? term_lam(m->c, number, x, NULL) : NULL;
        if (!f) return refuse(m, "a permutation");
        vec_push(&m->claim->ways, m->claim->tables.v[m->claim->tables.n - 1]);
        *(i ? &out->inv : &out->fwd) = f;
    }
    return true;
}

static bool bind_static(Making *m, const Meta *meta)
{
    RuleArg a = {.set = true, .size = size_now(&m->in, meta->nat), .perm = meta->perm};
    bool permutes = meta->skind == STATIC_PERM;
    if (!a.size && !permutes) return refuse(m, arena_printf(m->arena, "%s has no size", meta->name));
    if (permutes && a.perm == PERM_FUN && !any_permutation(m, meta, &a)) return false;
    if (permutes && a.perm != PERM_FUN && !a.size) return refuse(m, "a permutation");
    rule_bind_arg(m->c, m->arena, &m->env, &(RuleParam){.name = meta->name, .kind = meta->skind}, &a);
    return true;
}

static bool bind_meta(Making *m, const Meta *meta)
{
    const Type *t = meta->kind == META_DATA || meta->kind == META_FUN ? type_of(m, meta->type) : NULL;
    if (meta->kind == META_LIST) return bind_list(m, meta);
    if (meta->kind == META_STATIC) return bind_static(m, meta);
    if (!t) return refuse(m, arena_printf(m->arena, "%s has no type of its own", meta->name));
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

static void assume_index(Making *m, const AstCond *k, const Rule *rule)
{
    const Env *i = k->args[0]->kind == AST_NAME ? env_find(m->env, k->args[0]->name) : NULL;
    Elab e = elab_start(m->c, m->arena, NULL);
    const Term *x = i && i->kind == BIND_TERM ? elab_whole(&e, (Scope){m->env, 0, rule->ast->source}, k->args[1], NULL) : NULL;
    diag_clear(&m->c->diag);
    if (!x || x->type->kind != TY_ARRAY || k->negated) return;
    vec_push(&m->claim->indexes, ((Indexes){i->term, x->type->size}));
    vec_push(&m->claim->known, ((Fact){FACT_LT, nat_const(m->c->nats, 0), x->type->size}));
}

static void know(Arena *arena, Claim *k, Fact f)
{
    if (!f.a || !f.b) return;
    vec_push(&k->known, f);
    if (f.kind == FACT_DIVIDES) k->divides = MAKE(arena, NatFacts, f.a, f.b, k->divides);
}

/* A length N/s is whole. */
static void know_whole(Ctx *c, Arena *arena, Claim *k, const Nat *n)
{
    Nats *s = c->nats;
    const Nat *divisor = nat_const(s, 1);
    for (int i = 0; n->term_count == 1 && i < n->terms[0].factor_count; i++) {
        const NatFactor *f = &n->terms[0].factors[i];
        if (f->exp < 0 && f->atom->kind != ATOM_VAR) return;
        if (f->exp < 0) divisor = nat_mul(s, divisor, nat_pow(s, nat_var(s, f->atom->name, f->atom->var, f->atom->lo, f->atom->hi), -f->exp));
    }
    if (divisor && !divisor->is_const) know(arena, k, (Fact){FACT_DIVIDES, divisor, nat_mul(s, n, divisor)});
}

/* What stands in a term is well formed: its own facts hold. */
static void know_own(Ctx *c, Arena *arena, Claim *k, const Term *t)
{
    Fact facts[8];
    if (t->type->kind == TY_ARRAY) know_whole(c, arena, k, t->type->size);
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
    for (int i = 0; i < m->in.metas.n; i++) {
        const Meta *meta = m->in.metas.v[i];
        if (meta->type && !give_types(m, meta->type)) return refuse(m, "its types are not numbers'");
        for (int k = 0; k < meta->count; k++)
            if (!give_types(m, meta->list[k])) return refuse(m, "its types are not numbers'");
    }
    for (int i = 0; i < m->in.metas.n; i++)
        if (!bind_meta(m, m->in.metas.v[i])) return false;
    m->claim->left = side(m, rule, false, NULL);
    m->claim->right = m->claim->left ? side(m, rule, true, m->claim->left->type) : NULL;
    if (!m->claim->right) return false;
    for (int i = 0; i < rule->ast->cond_count; i++) {
        const AstCond *k = rule->ast->conds[i];
        if (k->kind >= COND_ASSOCIATIVE && k->kind <= COND_RESTARTS) assume(m, k, rule);
        if (k->kind == COND_INDEXES) assume_index(m, k, rule);
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

ClaimEnd claim_of_rule(Ctx *c, Arena *arena, const Rule *rule, Choices *choices, Claim *out)
{
    Making m = {.c = c, .arena = arena, .claim = out};
    *out = (Claim){.except = rule, .solver = solver_new()};
    bool types = !rule->ast->elements && infer_chosen(&m.in, c, arena, rule, choices);
    ClaimEnd end = types && make(&m, rule) ? CLAIM_MADE : types ? CLAIM_REFUSED : CLAIM_NONE;
    const char *not_any = rule->ast->elements ? "its right side is computed" : m.in.counted ? "how often iterate goes round was chosen, not any" : NULL;
    if (not_any) out->why_not = not_any, end = CLAIM_REFUSED;
    for (int i = 0; i < m.in.metas.n; i++) {
        const Meta *meta = m.in.metas.v[i];
        if (meta->kind == META_LIST && meta->count < LIST_PROVED) out->short_lists = true;
    }
    diag_clear(&c->diag);
    infer_free(&m.in);
    return end;
}

void claim_of_terms(Ctx *c, Arena *arena, const Term *a, const Term *b, const Fact *facts, int n, Claim *out)
{
    *out = (Claim){.left = a, .right = b, .solver = solver_new()};
    for (int i = 0; i < n; i++) know(arena, out, facts[i]);
    know_own(c, arena, out, a);
    know_own(c, arena, out, b);
}

void claim_free(Claim *k)
{
    solver_free(k->solver);
    free(k->known.v);
    free(k->assumed.v);
    free(k->indexes.v);
    free(k->tables.v);
    free(k->ways.v);
}

/* Does f follow from k, as sums? Of whole numbers a < b is a + 1 <= b. */
static bool follows(Nats *n, const Fact *f, const Fact *k)
{
    if (f->kind == FACT_DIVIDES || k->kind == FACT_DIVIDES) return false;
    const Nat *more = nat_sub(n, nat_sub(n, f->b, f->a), nat_sub(n, k->b, k->a));
    return more && nat_is_nonneg(n, nat_add(n, more, nat_const(n, (k->kind == FACT_LT) - (f->kind == FACT_LT))));
}

bool claim_says(const Claim *k, Nats *n, const Fact *f)
{
    return ANY(i, k->known.n, fact_equal(&k->known.v[i], f) || follows(n, f, &k->known.v[i])) || fact_is_certain(n, f, k->divides);
}

bool claim_knows(const Claim *k, Nats *n, const Fact *f)
{
    if (claim_says(k, n, f)) return true;
    return !fact_is_impossible(n, f) && solver_follows(k->solver, k->known.v, k->known.n, f);
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

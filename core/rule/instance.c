/* instance: random well-typed instances of a rule. */
#include "check_private.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE_DRAWS = 3000, ELEMENTS_MAX = 300, FUNCTION_DRAWS = 200 };

static bool fail(Instance *i, const char *problem)
{
    if (!i->problem) i->problem = problem;
    return false;
}

/* ---- types: every variable gets a type, every size a number ---- */

static const Nat *number(Instance *i, const Nat *n)
{
    const Nat *v = size_now(&i->infer, n);
    return v ? nat_subst(i->g.c->nats, v, i->numbers.v, i->numbers.n, NULL) : NULL;
}

static bool give_types(Instance *i, IType *t)
{
    t = itype_now(&i->infer, t);
    if (t->kind == I_VAR) return itype_unify(&i->infer, t, itype_of(&i->infer, generate_type(&i->g, t->cls)));
    return ALL(k, t->count, give_types(i, t->kids[k]));
}

static const Type *concrete(Instance *i, IType *t)
{
    Ctx *c = i->g.c;
    const Type *kids[ARG_MAX];
    t = itype_now(&i->infer, t);
    for (int k = 0; k < t->count; k++)
        if (!(kids[k] = concrete(i, t->kids[k]))) return NULL;
    const Nat *n = t->size ? number(i, t->size) : NULL;
    if (n && n->is_const && n->value < 1) return NULL;
    switch (t->kind) {
    case I_SCALAR: return type_scalar(c, t->scalar);
    case I_ARRAY: return type_array(c, n, kids[0]);
    case I_VECTOR: return n && n->is_const && n->value <= 16 ? type_vector(c, (int)n->value, kids[0]) : NULL;
    case I_TUPLE: return type_tuple(c, kids, t->count);
    case I_FUN: return type_fun(c, kids[0], kids[1]);
    default: return NULL;
    }
}

/* rigid: the length inside an iterate counts as one element, else a type that mentions it as too many */
static int64_t elements(const Type *t, bool rigid)
{
    int64_t n = t->kind != TY_ARRAY ? 1 : t->size->is_const ? t->size->value : rigid ? 1 : ELEMENTS_MAX + 1, sum = 0;
    for (int k = 0; k < t->count; k++) sum += elements(t->elems[k], rigid);
    return t->kind == TY_SCALAR ? 1 : n * (sum ? sum : 1);
}

/* ---- functions whose properties are demanded ---- */

typedef struct Chosen { const Meta *meta; const Property *property; } Chosen;

/* A function over a pair of values of the type that it gives. */
static bool over_pairs(Instance *i, const Meta *m, IType *t)
{
    Infer *in = &i->infer;
    if (m->arity != 1 || !itype_unify(in, itype_now(in, m->type->kids[1]), t))
        return fail(i, "no function with these properties has the type of the rule's");
    IType *both = MAKE(i->g.arena, IType, .kind = I_TUPLE, .count = 2, .kids = NEW_ARRAY(i->g.arena, IType *, 2));
    both->kids[0] = both->kids[1] = t;
    return itype_unify(in, m->type->kids[0], both) || fail(i, "properties are of functions over a pair");
}

static IType *type_of_text(Instance *i, const char *text)
{
    Source s = {"type", text, strlen(text)};
    LangScope scope = {.defs = i->defs};
    return itype_of(&i->infer, lang_type(i->g.c, &scope, &s));
}

/* ---- sizes ---- */

static bool choose_sizes(Instance *i, int largest)
{
    Valuation *v = &i->sizes;
    valuation_start(v, &i->infer);
    for (int k = 0; k < SIZE_DRAWS; k++) {
        valuation_draw(v, &i->g.rng, k < SIZE_DRAWS / 2 || largest < 12 ? largest : 16);
        if (!valuation_legal(v)) continue;
        for (int j = 0; j < v->count; j++) {
            NatBinding b = {v->atoms[j], nat_const(i->g.c->nats, v->values[j])};
            vec_push(&i->numbers, b);
        }
        return true;
    }
    return fail(i, "no small sizes meet the facts of the left side and of `when`");
}

/* ---- metavariables ---- */

static const Term *value(Instance *i, const char *name, IType *t)
{
    const Type *type = concrete(i, t);
    if (!type || !type_is_data(type) || elements(type, false) > ELEMENTS_MAX) return NULL;
    return generate_value(&i->g, name, type);
}

static bool bind_data(Instance *i, const Meta *m, const Chosen *chosen, int n)
{
    const Env *same = m->same_as ? env_find(i->env, m->same_as->name) : NULL;
    const Property *p = NULL;
    for (int k = n - 1; k >= 0; k--)
        if (m->neutral_of && chosen[k].meta == m->neutral_of) p = chosen[k].property;
    const Type *t = m->rescaled || p ? concrete(i, m->type) : NULL;
    const Term *x = m->rescaled ? rescaling_term(i->g.c, i->g.arena, i->rescaling->w, NULL, t)
                  : p ? t ? property_neutral(i->g.c, i->defs, p, t) : NULL : same ? same->term : value(i, m->name, m->type);
    BIND(i->g.arena, &i->env, m->name, BIND_TERM, .term = x);
    return x != NULL;
}

static bool bind_list(Instance *i, const Meta *m)
{
    const Term **terms = NEW_ARRAY(i->g.arena, const Term *, m->count);
    for (int k = 0; k < m->count; k++)
        if (!(terms[k] = value(i, m->name, m->list[k]))) return false;
    BIND(i->g.arena, &i->env, m->name, BIND_LIST, .terms = terms, .count = m->count);
    return true;
}

/* Does what e makes of zeros, or of neutral elements, change nothing for the function that was chosen for its fold? */
static bool makes_neutral(Instance *i, const Meta *m, const Term *e, const Chosen *chosen, int n)
{
    Ctx *c = i->g.c;
    const Type *from = e->type->elems[0], *to = e->type->elems[1];
    const Property *p = NULL;
    for (int k = 0; k < n; k++)
        if (chosen[k].meta == m->neutral_for) p = chosen[k].property;
    const Term *args[ARG_MAX], *f = p ? property_function(c, i->g.arena, i->defs, p, to) : NULL;
    for (int k = 0; f && k < m->arity; k++) {
        const Type *t = m->arity == 1 ? from : from->elems[k];
        args[k] = m->from_neutral ? property_neutral(c, i->defs, p, t) : value_of_text(c, i->defs, "0", t);
        if (!args[k]) return false;
    }
    return f && lang_property(c, i->defs, PROP_NEUTRAL, f, term_beta(c, e, m->arity == 1 ? args[0] : term_tuple(c, args, m->arity)), NULL);
}

static bool bind_function(Instance *i, const Meta *m, const Chosen *chosen, int n)
{
    const Type *t = concrete(i, m->type);
    const Term *f = NULL;
    if (!t || elements(t->elems[0], true) > ELEMENTS_MAX || elements(t->elems[1], true) > ELEMENTS_MAX) return false;
    if (m->rescaled) {
        const char *text = m == m->rescaled->e ? i->rescaling->e : m == m->rescaled->g ? i->rescaling->g : i->rescaling->f;
        f = rescaling_term(i->g.c, i->g.arena, text, t->elems[0], t->elems[1]);
    }
    for (int k = 0; k < n && !f; k++) {
        if (chosen[k].meta != m) continue;
        const char *declared = property_declaration(i->g.arena, chosen[k].property);
        f = property_function(i->g.c, i->g.arena, i->defs, chosen[k].property, t->elems[1]);
        if (declared && i->declared_count < COUNT(i->declared)) i->declared[i->declared_count++] = declared;
    }
    int computes = m->wants_layout > 0 || m->wants_computes < 0 ? -1 : m->wants_layout < 0 || m->wants_computes > 0;
    if (!f && m->wants_fold) f = generate_folding(&i->g, t->elems[0], t->elems[1], m->wants_fold);
    for (int tries = m->neutral_for ? FUNCTION_DRAWS : 1; tries > 0 && !f; tries--) {
        f = generate_function(&i->g, t->elems[0], t->elems[1], computes);
        if (m->neutral_for && f && !makes_neutral(i, m, f, chosen, n)) f = NULL;
    }
    BIND(i->g.arena, &i->env, m->name, BIND_FUN, .term = f, .arity = m->arity);
    return f && f->type == t;
}

/* Index functions inverse to each other on 0..n-1: turned round, or turned by k. */
static void index_functions(Instance *i, const Nat *n, RuleArg *out)
{
    Ctx *c = i->g.c;
    const Type *t = type_scalar(c, SC_I32);
    const Term *v = term_var(c, 0, t), *length = term_size(c, t, n);
    int64_t k = rng_below(&i->g.rng, n->value);
    if (rng_below(&i->g.rng, 2)) {
        const Term *last = term_int(c, t, n->value - 1);
        out->fwd = out->inv = term_lam(c, t, term_prim2(c, PRIM_SUB, last, v), NULL);
        return;
    }
    out->fwd = term_lam(c, t, term_prim2(c, PRIM_MOD, term_prim2(c, PRIM_ADD, v, term_int(c, t, k)), length), NULL);
    out->inv = term_lam(c, t, term_prim2(c, PRIM_MOD, term_prim2(c, PRIM_ADD, v, term_int(c, t, n->value - k)), length),
                        NULL);
}

static bool bind_static(Instance *i, const Meta *m)
{
    const Rule *r = i->infer.rule;
    RuleArg a = {.set = true, .size = number(i, m->nat), .perm = m->perm};
    if (!a.size || !a.size->is_const) return false;
    if (m->skind == STATIC_PERM && m->perm == PERM_FUN) {
        const Nat *n = m->perm_length ? number(i, m->perm_length) : NULL;
        if (!n || !n->is_const) return false;
        index_functions(i, n, &a);
        if (!a.fwd || !a.inv) return false;
    }
    for (int k = 0; k < r->param_count; k++)
        if (strcmp(r->params[k].name, m->name) == 0 && r->params[k].given) i->args[k] = a;
    BIND(i->g.arena, &i->env, m->name, m->skind == STATIC_PERM ? BIND_PERM : m->skind == STATIC_MODE ? BIND_MODE : BIND_SIZE,
         .nat = a.size, .perm = a.perm, .fwd = a.fwd, .inv = a.inv);
    return true;
}

static bool bind_metas(Instance *i, int largest)
{
    Infer *in = &i->infer;
    Chosen chosen[8];
    int n = 0;
    for (int k = 0; k < in->metas.n; k++) {
        /* The row for functions that rescale; types of e follow from those of f and g. */
        const Meta *m = in->metas.v[k];
        const Rescaled *r = m->rescaled && m == m->rescaled->e ? m->rescaled : NULL;
        if (!r) continue;
        i->rescaling = rescaling_draw(&i->g.rng);
        IType *sum = type_of_text(i, i->rescaling->sum);
        if (!over_pairs(i, r->f, type_of_text(i, i->rescaling->key)) || !over_pairs(i, r->g, sum)) return false;
        if (!itype_unify(in, r->w->type, sum)) return fail(i, "the start of the sums has another type");
    }
    for (int k = 0; k < in->metas.n && n < COUNT(chosen); k++) {
        const Meta *m = in->metas.v[k];
        if (m->kind != META_FUN || !m->props) continue;
        bool key = m->rescaled && m == m->rescaled->f;
        const Property *p;
        do p = property_draw(&i->g.rng, m->props);
        while (key && !property_is(p, i->rescaling->f));
        chosen[n++] = (Chosen){m, p};
        if (!key && !over_pairs(i, m, itype_of(in, property_type(&i->g, p)))) return false;
    }
    for (int k = 0; k < in->metas.n; k++) {
        const Meta *m = in->metas.v[k];
        if (!ALL(j, m->count, give_types(i, m->list[j]))) return fail(i, "the types do not fit");
        if (m->type && !give_types(i, m->type)) return fail(i, "the types do not fit");
    }
    if (!choose_sizes(i, largest)) return false;
    for (int k = 0; k < in->metas.n; k++) {
        const Meta *m = in->metas.v[k];
        switch (m->kind) {
        case META_DATA: if (!bind_data(i, m, chosen, n)) return fail(i, "a value is too large or cannot be made"); break;
        case META_LIST: if (!bind_list(i, m)) return fail(i, "a value is too large or cannot be made"); break;
        case META_FUN: if (!bind_function(i, m, chosen, n)) return fail(i, "no function of the type demanded"); break;
        case META_STATIC: if (!bind_static(i, m)) return fail(i, "an argument is no number"); break;
        }
    }
    return true;
}

/* ---- the left side in its context ---- */

bool facts_hold(Ctx *c, const Term *t)
{
    Fact facts[8];
    int n = term_own_facts(c, t, facts);                                  /* what holds is not listed */
    return !ANY(k, n, facts[k].a->is_const && facts[k].b->is_const) && ALL(k, t->arg_count, facts_hold(c, t->args[k]));
}

static const Ast *left_of(const Rule *r) { return r->reversed ? r->ast->rhs : r->ast->lhs; }

static const Term *left_side(Instance *i)
{
    const Rule *r = i->infer.rule;
    Ctx *c = i->g.c;
    Elab e = elab_start(c, i->g.arena, NULL);
    const Term *t = elab_expr(&e, (Scope){i->env, 0, r->ast->source}, left_of(r), NULL);
    if (!t) fail(i, arena_printf(i->g.arena, "the left side does not type: %s", c->diag.message));
    else if (!facts_hold(c, t)) fail(i, "the left side breaks a fact");
    diag_clear(&c->diag);
    return i->problem ? NULL : t;
}

/* t under a binder: what it captured as u1 is the element. */
static const Term *under_binder(Ctx *c, const Term *t)
{
    const Type *elem = type_scalar(c, SC_I32);
    return term_subst_input(c, term_shift(c, t, 1, 0), "u1", term_var(c, 0, elem));
}

/* What the metavariables stand for, under a binder. */
static const Env *values_under_binder(Instance *i, const Env *env)
{
    if (!env) return NULL;
    Ctx *c = i->g.c;
    Env *b = arena_copy(i->g.arena, env, sizeof *env);
    b->next = values_under_binder(i, env->next);
    b->term = under_binder(c, env->term);
    b->fwd = under_binder(c, env->fwd);
    b->inv = under_binder(c, env->inv);
    const Term **terms = NEW_ARRAY(i->g.arena, const Term *, env->count);
    for (int k = 0; k < env->count; k++) terms[k] = under_binder(c, env->terms[k]);
    b->terms = terms;
    return b;
}

/* prim dim (\u -> t) us; the parts for each element of us */
static const Term *embed(Instance *i, const Term *t, PrimId id, const Nat *dim)
{
    Ctx *c = i->g.c;
    int n = (int)(1 + rng_below(&i->g.rng, 2));
    const Type *elem = type_scalar(c, SC_I32);
    const Term *us = generate_input(&i->g, "us", type_array(c, nat_const(c->nats, n), elem)), *each[2];
    const Term *args[2] = {term_lam(c, elem, under_binder(c, t), NULL), us};
    i->env = values_under_binder(i, i->env);
    for (int k = 0; k < n; k++) each[k] = term_subst_input(c, i->parts, "u1", term_prim2(c, PRIM_AT, term_int(c, elem, k), us));
    i->parts = term_tuple(c, each, n);
    memmove(i->at.slots + 2, i->at.slots, i->at.length);
    i->at.slots[0] = i->at.slots[1] = 0;
    i->at.length += 2;
    return term_prim(c, id, &dim, prim_static_count(c, id), args, 2);
}

static bool has_let(const Ast *a) { return a->kind == AST_LET || ANY(k, a->kid_count, has_let(a->kids[k])); }

bool instance_make(Instance *i, Ctx *c, Arena *arena, const Defs *defs, const Rule *rule, uint64_t seed, int level,
                   int largest, bool bare)
{
    *i = (Instance){.g = {.c = c, .arena = arena, .rng = {seed}, .level = level}, .defs = defs};
    bool typed = infer_rule(&i->infer, c, arena, rule, &i->g.rng);
    if (i->infer.failed) fail(i, arena_strdup(arena, c->diag.message));
    else if (!typed) fail(i, "the lists, counts and widths drawn do not fit");
    diag_clear(&c->diag);
    if (!typed) return false;
    if (i->infer.unsupported) return fail(i, i->infer.unsupported);
    i->g.computes = has_let(left_of(rule));
    generate_input(&i->g, "u0", type_scalar(c, SC_F32));
    generate_input(&i->g, "u1", type_scalar(c, SC_I32));
    if (!bind_metas(i, largest)) return false;
    /* A parameter that occurs in no place that fixes it (only in a condition, say) is some small number. */
    const Rule *r = i->infer.rule;
    for (int k = 0; k < r->param_count; k++) {
        const RuleParam *p = &r->params[k];
        if (!p->given || i->args[k].set || p->kind == STATIC_PERM || p->list) continue;
        i->args[k] = (RuleArg){.set = true, .size = nat_const(i->g.c->nats, p->kind == STATIC_DIM ? 0 : 2)};
        BIND(arena, &i->env, intern(c->names, p->name), p->kind == STATIC_MODE ? BIND_MODE : BIND_SIZE, .nat = i->args[k].size);
    }
    const Term *left = left_side(i);
    if (!left) return false;
    const Term *t = i->parts = left;
    for (int k = i->infer.places.n - 1; k >= 0 && t; k--) {
        const Place *p = &i->infer.places.v[k];
        const Nat *d = p->dim ? number(i, p->dim) : NULL;
        t = embed(i, t, i->infer.places.v[k].prim, d ? d : nat_const(i->g.c->nats, rng_below(&i->g.rng, 3)));
    }
    if (t && !bare && i->g.level >= 1 && rng_below(&i->g.rng, 4) == 0) t = embed(i, t, PRIM_MAP, NULL);
    i->root = t;
    return t || fail(i, "the left side does not fit its context");
}

void instance_free(Instance *i)
{
    infer_free(&i->infer);
    free(i->numbers.v);
}

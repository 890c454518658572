/* elab_prim: calls of primitives to terms. */
#include "elab_private.h"

#include <string.h>

/* ---- primitives ---- */

static bool elab_perm(Elab *e, Scope s, const Ast *a, const Nat **statics, const Term **fwd, const Term **inv)
{
    const Ast *head = a->kind == AST_APP ? a->kids[0] : a;
    const Env *b = head->kind == AST_NAME ? env_find(s.env, head->name) : NULL;
    PermKind kind = PERM_KINDS;
    const Nat *k = nat_const(e->c->nats, 0);
    if (b && b->kind == BIND_PERM) {
        kind = b->perm;
        k = b->nat;
        if (b->fwd)
            *fwd = elab_shift(e, b->fwd, b->depth, s.depth), *inv = elab_shift(e, b->inv, b->depth, s.depth);
    } else if (head->kind == AST_NAME) {
        for (int i = 0; i < PERM_KINDS; i++)
            if (strcmp(head->name, perm_kind_name((PermKind)i)) == 0) kind = (PermKind)i;
        int need = kind == PERM_REVERSE ? 1 : kind == PERM_FUN ? 3 : 2;
        if (kind != PERM_KINDS && (a->kind == AST_APP ? a->kid_count : 1) != need) kind = PERM_KINDS;
        if (kind == PERM_ROTATE || kind == PERM_STRIDE) k = elab_size(e, s, a->kids[1]);
        if (kind == PERM_FUN) {
            const Type *i32 = type_scalar(e->c, SC_I32);
            *fwd = elab_function(e, s, a->kids[1], i32, i32);
            *inv = *fwd ? elab_function(e, s, a->kids[2], i32, i32) : NULL;
            if (!*inv) return false;
        }
    }
    if (kind == PERM_KINDS) {
        diag_error_at(&e->c->diag, E04, s.source, a->span,
                      "a permutation is reverse, (rotate k), (stride s) or (perm f g)");
        return false;
    }
    statics[0] = nat_const(e->c->nats, kind);
    statics[1] = k;
    return k != NULL;
}

static const Nat *elab_mode(Elab *e, Scope s, const Ast *a)
{
    const Nat *mode = elab_mode_named(e, s.env, a);
    if (!mode) return FAIL(e, s, a->span, E04, "a padding mode is clamp, mirror or wrap");
    return mode;
}

/* The arguments of a primitive while it is elaborated. */
typedef struct PrimCall {
    PrimId id;
    const Nat *statics[STATIC_MAX];
    int static_count;
    const Arg *args;
    int n;
    const Term *terms[ARG_MAX];
    const Type *want;
    Span call;
} PrimCall;

static bool call_statics(Elab *e, Scope s, PrimCall *p, const Term **fwd, const Term **inv)
{
    int count = prim_static_count(e->c, p->id);
    for (int i = 0; i < count; i++) {
        const Arg *a = &p->args[i];
        Scope as = {a->scope.env, s.depth, a->scope.source};
        if (i >= p->n || !a->ast) {
            diag_error_at(&e->c->diag, E04, s.source, p->call, "%s needs its static argument %s first",
                          prim(p->id)->name,
                          prim_static_name(e->c, p->id, i));
            return false;
        }
        StaticKind kind = prim_static_kind(e->c, p->id, i);
        if (kind == STATIC_PERM) {
            if (!elab_perm(e, as, a->ast, p->statics, fwd, inv)) return false;
            p->static_count = 2;
            continue;
        }
        p->statics[p->static_count] = kind == STATIC_MODE ? elab_mode(e, as, a->ast) : elab_size(e, as, a->ast);
        if (!p->statics[p->static_count++]) {
            elab_locate(e, as, a->ast->span);
            return false;
        }
    }
    p->args += count;
    p->n -= count;
    return true;
}

/* Arguments that must have one type: the first that is not flexible gives it to the others. */
static bool elab_uniform(Elab *e, Scope s, PrimCall *p, const bool *member, const Type *want)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n; i++) {
            if (!member[i] || p->terms[i] || arg_is_flexible(&p->args[i]) != (pass == 1)) continue;
            p->terms[i] = arg_term(e, &p->args[i], s.depth, want);
            if (!p->terms[i]) return false;
            if (!want || want->kind != TY_SCALAR || pass == 0) want = p->terms[i]->type;
        }
    }
    return true;
}

/* Data arguments: arrays and fixed scalars first, then bare type variables at the types found so far. */
static bool call_data(Elab *e, Scope s, PrimCall *p, const Scheme *sc)
{
    bool member[ARG_MAX] = {false};
    const Type *vector = NULL;                                 /* vdot: the second vector is like the first */
    for (int i = 0; i < sc->arg_count; i++) {
        const SchemeType *t = sc->args[i];
        if (t->kind == SCH_FUN) continue;
        if (t->kind == SCH_VAR) {
            member[i] = true;
            continue;
        }
        const Type *want = t->kind == SCH_SCALAR ? type_scalar(e->c, t->scalar) : t->kind == SCH_VECTOR
            ? vector : NULL;
        p->terms[i] = arg_term(e, &p->args[i], s.depth, want);
        if (!p->terms[i]) return false;
        if (t->kind == SCH_VECTOR) vector = p->terms[i]->type;
    }
    const Type *want = NULL;
    bool result_is_var = sc->result->kind == SCH_VAR;
    PrimFamily family = prim(p->id)->family;
    if (result_is_var) want = p->want;
    if (p->id == PRIM_REDUCE || p->id == PRIM_REDUCE_PART || p->id == PRIM_SCAN || p->id == PRIM_PAD_CONST) {
        const Term *x = p->terms[sc->arg_count - 1];
        if (x->type->kind == TY_ARRAY) want = x->type->elems[0];
    } else if (prim_is_scan_seq(p->id)) {
        want = p->want && p->want->kind == TY_ARRAY ? p->want->elems[0] : NULL;
    } else if (family == FAM_SCALAR && !result_is_var) {
        want = NULL;
    }
    return elab_uniform(e, s, p, member, want);
}

static const Type *result_want(const PrimCall *p, const Scheme *sc, int i)
{
    if (prim(p->id)->family == FAM_REDUCE || prim(p->id)->family == FAM_SCAN) return p->terms[1]->type;
    if (sc->args[i]->kids[1]->kind != SCH_VAR || !p->want) return NULL;
    return p->want->kind == TY_ARRAY ? p->want->elems[0] : NULL;
}

static bool call_functions(Elab *e, Scope s, PrimCall *p, const Scheme *sc)
{
    for (int i = 0; i < sc->arg_count; i++) {
        if (sc->args[i]->kind != SCH_FUN) continue;
        const Type *param = prim_param_type(e->c, p->id, p->statics, p->terms, sc->arg_count, i);
        const Arg *a = &p->args[i];
        if (!param) {
            elab_locate(e, s, p->call);
            return false;
        }
        if (a->term || !a->ast) {
            diag_error_at(&e->c->diag, E04, s.source, p->call, "%s needs a function as its %s argument",
                          prim(p->id)->name,
                          i == 0 ? "first" : "next");
            return false;
        }
        Scope as = {a->scope.env, s.depth, a->scope.source};
        if (elab_arity(e, as.env, a->ast) == 0 && a->ast->kind != AST_LET) {
            const Env *b = a->ast->kind == AST_NAME ? env_find(as.env, a->ast->name) : NULL;
            if (a->ast->kind != AST_NAME || b || defs_find(e->c, e->defs, a->ast->name)) {
                diag_error_at(&e->c->diag, E04, as.source, a->ast->span, "%s needs a function here",
                              prim(p->id)->name);
                return false;
            }
        }
        p->terms[i] = elab_function(e, as, a->ast, param, result_want(p, sc, i));
        if (!p->terms[i]) return false;
    }
    return true;
}

static const Term *finish_call(Elab *e, Scope s, PrimCall *p)
{
    return elab_at(e, s, p->call, term_prim(e->c, p->id, p->statics, p->static_count, p->terms, p->n));
}

static const Term *call_by_scheme(Elab *e, Scope s, PrimCall p)
{
    const Scheme *sc = prim_scheme(e->c, p.id);
    if (!call_data(e, s, &p, sc) || !call_functions(e, s, &p, sc)) return NULL;
    return finish_call(e, s, &p);
}

/* A left fold's initial literal gets its type from nowhere: i32 and f32 first, then the scalar of the elements. */
static const Term *call_fold(Elab *e, Scope s, PrimCall p)
{
    const Ast *init = p.args[1].ast;
    if (diag_failed(&e->c->diag)) return NULL;
    const Term *t = call_by_scheme(e, s, p);
    if (t || !init || !ast_has_untyped_literal(init)) return t;
    Diag first;
    diag_init(&first);
    diag_copy(&first, &e->c->diag);
    diag_clear(&e->c->diag);
    const Term *x = arg_term(e, &p.args[2], s.depth, NULL);
    const Type *leaf = x && x->type->kind == TY_ARRAY ? type_leaf(x->type->elems[0], 0) : NULL;
    while (leaf && leaf->kind == TY_ARRAY) leaf = type_leaf(leaf->elems[0], 0);
    if (leaf && scalar_is_numeric(leaf->scalar)) {
        Elab retry = *e;
        retry.int_default = leaf->scalar;
        if (scalar_is_float(leaf->scalar)) retry.float_default = leaf->scalar;
        t = call_by_scheme(&retry, s, p);
        e->fuel = retry.fuel;
    }
    if (!t && diag_failed(&first)) diag_copy(&e->c->diag, &first);
    diag_free(&first);
    return t;
}

static const Term *call_iterate(Elab *e, Scope s, PrimCall p)
{
    p.terms[1] = arg_term(e, &p.args[1], s.depth, NULL);
    if (!p.terms[1]) return NULL;
    const Type *param = prim_param_type(e->c, PRIM_ITERATE, p.statics, p.terms, 2, 0);
    if (!param || !p.args[0].ast) return elab_at(e, s, p.call, NULL);
    p.terms[0] = elab_function(e, (Scope){p.args[0].scope.env, s.depth, p.args[0].scope.source},
                               p.args[0].ast, param, NULL);
    return p.terms[0] ? finish_call(e, s, &p) : NULL;
}

static bool has_spread(const Arg *args, int n)
{
    for (int i = 0; i < n; i++)
        if (args[i].ast && args[i].ast->kind == AST_SPREAD) return true;
    return false;
}

static const Term *call_zip(Elab *e, Scope s, PrimCall p, const char *name)
{
    int need = strcmp(name, "zip3") == 0 ? 3 : strcmp(name, "zip4") == 0 ? 4 : 0;
    if (need ? p.n != need : p.n < 2 && !has_spread(p.args, p.n))
        return FAIL(e, s, p.call, E04, "%s takes %d arrays, it is given %d", name, need ? need : 2, p.n);
    Arg *all = NEW_ARRAY(e->arena, Arg, ARG_MAX);
    p.n = args_expand(e, p.args, p.n, all);
    for (int i = 0; i < p.n; i++) {
        const Type *w = p.want && p.want->kind == TY_ARRAY && tuple_count(p.want->elems[0]) == p.n && p.n > 1
                            ? type_array(e->c, p.want->size, p.want->elems[0]->elems[i]) : NULL;
        p.terms[i] = arg_term(e, &all[i], s.depth, w);
        if (!p.terms[i]) return NULL;
    }
    return p.n < 1 ? NULL : finish_call(e, s, &p);
}

static const Term *call_vec(Elab *e, Scope s, PrimCall p)
{
    if (p.n == 1 && p.args[0].ast && p.args[0].ast->kind == AST_TUPLE) {
        const Ast *t = p.args[0].ast;
        Arg *all = NEW_ARRAY(e->arena, Arg, t->kid_count);
        for (int i = 0; i < t->kid_count; i++) all[i] = (Arg){.ast = t->kids[i], .scope = p.args[0].scope};
        p.args = all;
        p.n = t->kid_count;
    }
    bool member[ARG_MAX];
    memset(member, true, sizeof member);
    if (p.n > 16) return FAIL(e, s, p.call, E04, "a vector width is 2, 3, 4, 8 or 16, not %d", p.n);
    const Type *w = p.want && p.want->kind == TY_VECTOR ? type_scalar(e->c, p.want->scalar) : NULL;
    return elab_uniform(e, s, &p, member, w) ? finish_call(e, s, &p) : NULL;
}

/* f (a, b) for an operator or scalar function of k arguments: the tuple is taken apart. */
static bool untuple(Elab *e, Scope s, PrimCall *p, int need)
{
    const Arg *a = &p->args[0];
    Arg *all = NEW_ARRAY(e->arena, Arg, need);
    if (a->ast && a->ast->kind == AST_TUPLE && a->ast->kid_count == need) {
        for (int i = 0; i < need; i++) all[i] = (Arg){.ast = a->ast->kids[i], .scope = a->scope};
    } else {
        const Term *t = arg_term(e, a, s.depth, NULL);
        if (!t) return false;
        if (t->type->kind != TY_TUPLE || t->type->count != need) {
            diag_error_at(&e->c->diag, E04, s.source, p->call,
                          "%s takes %d arguments, or one tuple of %d; found %s",
                          prim(p->id)->name, need, need, type_text(e->c, t->type));
            return false;
        }
        for (int i = 0; i < need; i++) all[i] = (Arg){.term = term_proj(e->c, t, i), .scope = s};
    }
    p->args = all;
    p->n = need;
    return true;
}

static const Term *wrong_count(Elab *e, Scope s, const PrimCall *p, int need)
{
    Diag *d = &e->c->diag;
    const Prim *q = prim(p->id);
    if (!diag_error_at(d, E04, s.source, p->call, "%s takes %d argument%s, it is given %d", q->name, need,
                       need == 1 ? "" : "s", p->n))
        return NULL;
    if (*q->scheme) diag_note(d, "needs", "%s : %s", q->name, q->scheme);
    if (p->n == 1 && p->args[0].ast && p->args[0].ast->kind == AST_TUPLE)
        diag_note(d, "hint", "arguments are written one after another: %s a b, not %s(a, b)", q->name, q->name);
    return NULL;
}

const Term *elab_prim(Elab *e, Scope s, PrimId id, const char *name, const Arg *args, int n, const Type *want,
                      Span call)
{
    PrimCall p = {.id = id, .args = args, .n = n, .want = want, .call = call};
    const Term *fwd = NULL, *inv = NULL;
    if (id == PRIM_COUNT) return FAIL(e, s, call, E04, "\"%s\" cannot be used as a function", name);
    if (!call_statics(e, s, &p, &fwd, &inv)) return NULL;
    if (id == PRIM_ZIP) return call_zip(e, s, p, name);
    if (id == PRIM_VEC) return call_vec(e, s, p);
    int need = prim_arg_count(e->c, id);
    if (p.n == 1 && need > 1 && prim(id)->family == FAM_SCALAR && !untuple(e, s, &p, need)) return NULL;
    if (p.n != need) return wrong_count(e, s, &p, need);
    if (prim_is_fold(id)) return call_fold(e, s, p);
    if (id == PRIM_ITERATE) return call_iterate(e, s, p);
    if (*prim(id)->scheme) return call_by_scheme(e, s, p);
    const Term *in = arg_term(e, &p.args[0], s.depth, NULL);       /* unzip, reorder */
    if (!in) return NULL;
    p.n = fwd ? 3 : 1;
    p.terms[0] = fwd;
    p.terms[1] = inv;
    p.terms[p.n - 1] = in;
    return finish_call(e, s, &p);
}

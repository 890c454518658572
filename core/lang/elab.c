/* elab: expressions and applications to terms, definitions inlined (elaboration). */
#include "elab_private.h"

#include <math.h>
#include <string.h>

enum { ELAB_NESTING = 700 };

/* ---- application ---- */

static Span arg_span(const Arg *a, Span otherwise) { return a->ast ? a->ast->span : otherwise; }

/* Apply syntax with parameters (a lambda or a definition): bind as many as there are arguments, then the rest goes
 * to the body. */
static const Term *apply_params(Elab *e, Scope callee, AstPat *const *pats, int pat_count, const Ast *body,
                                const AstType *result, const Arg *args, int n, const Type *want, Scope caller,
                                Span call)
{
    if (n < pat_count) {
        bool first = diag_error_at(&e->c->diag, E04, caller.source, call,
                                   "this function takes %d arguments one by one, it is given %d", pat_count, n);
        if (first && n == 1)
            diag_note(&e->c->diag, "hint",
                      "a function argument takes one value: write it as a tuple, \\(a, b) -> ...");
        return NULL;
    }
    Binder *binders = NULL;
    for (int i = 0; i < pat_count; i++)
        if (!binders_bind_arg(e, &callee, pats[i], &args[i], &binders)) {
            elab_locate(e, caller, arg_span(&args[i], call));
            return NULL;
        }
    const Type *known = annotation_known(e, callee, result);
    const Term *t;
    if (n > pat_count) {
        Arg *rest = NEW_ARRAY(e->arena, Arg, n - pat_count);
        memcpy(rest, args + pat_count, sizeof *rest * (size_t)(n - pat_count));
        for (int i = 0; i < n - pat_count; i++)
            if (rest[i].term) {
                rest[i].term = elab_shift(e, rest[i].term, rest[i].scope.depth, callee.depth);
                rest[i].scope.depth = callee.depth;
            }
        t = elab_apply(e, callee, body, rest, n - pat_count, want, call);
    } else {
        t = elab_expr(e, callee, body, known ? known : want);
    }
    if (t && result && !annotation_match(e, &callee, result, t->type)) return NULL;
    return binders_wrap(e, binders, t);
}

/* A function that iterate applies is of arrays of any length, which has a name of its own: here it is that of the argument. */
static const Term *at_length(Elab *e, const Term *f, const Type *arg)
{
    const Type *param = f->type->elems[0];
    const NatAtom *any = type_any_length(param);
    if (!any || param == arg || arg->kind != TY_ARRAY) return f;
    return term_subst_nats(e->c, f, &(NatBinding){any, arg->size}, 1);
}

static const Term *apply_metavariable(Elab *e, Scope s, const Env *b, const Arg *args, int n, Span call)
{
    const Term *parts[ARG_MAX];
    Arg *all = NEW_ARRAY(e->arena, Arg, ARG_MAX);
    int k = args_expand(e, args, n, all);
    if (k < 0) return NULL;
    for (int i = 0; i < k; i++) {
        parts[i] = arg_term(e, &all[i], s.depth, NULL);
        if (!parts[i]) return NULL;
    }
    if (k != b->arity && !(b->arity == 1 && k >= 1))
        return FAIL(e, s, call, E04, "%s takes %d arguments, it is given %d", b->name, b->arity, k);
    const Term *arg = k ? term_tuple(e->c, parts, k) : NULL, *f = elab_shift(e, b->term, b->depth, s.depth);
    return elab_at(e, s, call, term_beta(e->c, arg ? at_length(e, f, arg->type) : f, arg));
}

static const Term *unknown_name(Elab *e, Scope s, const Ast *f)
{
    Diag *d = &e->c->diag;
    if (!diag_error_at(d, E02, s.source, f->span, "no definition, primitive or variable called \"%s\"", f->name))
        return NULL;
    const char *near = defs_suggest(e->c, e->defs, f->name);
    for (const Env *b = s.env; b && !near; b = b->next)
        if (b->name && edit_distance(b->name, f->name) == 1 && strlen(f->name) > 1) near = b->name;
    if (near) diag_note(d, "hint", "did you mean %s?", near);
    return NULL;
}

/* Of a size that stands as a value. */
static const Type *size_type(Elab *e, const Type *want)
{
    bool numeric = want && want->kind == TY_SCALAR && scalar_is_numeric(want->scalar);
    return numeric ? want : type_scalar(e->c, e->int_default);
}

static const Term *apply_length(Elab *e, Scope s, const Arg *a, int n, const Type *want, Span call)
{
    if (n != 1) return FAIL(e, s, call, E04, "length takes one array");
    const Term *x = arg_term(e, a, s.depth, NULL);
    if (!x) return NULL;
    if (x->type->kind != TY_ARRAY)
        return FAIL(e, s, call, E04, "length of %s, which is no array", type_text(e->c, x->type));
    return term_size(e->c, size_type(e, want), x->type->size);
}

static const Term *apply_name(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call)
{
    const Env *b = env_find(s.env, f->name);
    if (b && b->kind == BIND_FUN) return apply_metavariable(e, s, b, args, n, call);
    if (b && b->kind == BIND_CLOSURE)
        return elab_apply(e, (Scope){b->env, s.depth, b->source}, b->ast, args, n, want, call);
    if (b && b->kind == BIND_TERM && b->term->type->kind == TY_FUN)
        return apply_metavariable(e, s, b, args, n, call);
    if (b) {
        bool first = diag_error_at(&e->c->diag, E04, s.source, call,
                                   "\"%s\" is a value, it cannot be applied", f->name);
        if (first && b->kind == BIND_TERM)
            diag_note(&e->c->diag, "found", "%s : %s", f->name, type_text(e->c, b->term->type));
        return NULL;
    }
    const Def *d = defs_find(e->c, e->defs, f->name);
    if (d) {
        Scope callee = {NULL, s.depth, d->source};
        return apply_params(e, callee, d->decl->params, d->decl->param_count, d->decl->body, d->decl->result,
                            args, n, want, s, call);
    }
    if (strcmp(f->name, "length") == 0) return apply_length(e, s, args, n, want, call);
    PrimId id = elab_named_prim(f->name);
    if (id != PRIM_COUNT) return elab_prim(e, s, id, f->name, args, n, want, call);
    return unknown_name(e, s, f);
}

/* `.` composes; the primitive of that name is the projection x.0. */
static PrimId operator_prim(const char *name) { return strcmp(name, ".") ? prim_from_name(name) : PRIM_COUNT; }

static const Term *apply_section(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want,
                                 Span call)
{
    Arg side = {.ast = f->kids[0], .scope = s};
    Arg both[2] = {f->kind == AST_SECTION_LEFT ? side : args[0], f->kind == AST_SECTION_LEFT ? args[0] : side};
    if (n != 1) return FAIL(e, s, call, E04, "a section takes one argument");
    return elab_prim(e, s, operator_prim(f->name), f->name, both, 2, want, call);
}

/* (let ... in f) x: elaborate the let with the application inside. */
static const Term *apply_let(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call)
{
    Binder *binders = NULL;
    Arg value = {.ast = f->kids[0], .scope = s};
    Scope in = s;
    if (!binders_bind_arg(e, &in, f->pats[0], &value, &binders)) return NULL;
    return binders_wrap(e, binders, elab_apply(e, in, f->kids[1], args, n, want, call));
}

const Term *elab_apply(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call)
{
    if (e->nesting >= ELAB_NESTING || e->fuel-- <= 0)
        return FAIL(e, s, f->span, E08, "the program is too large or nested too deep");
    e->nesting++;
    const Term *t = NULL;
    if (f->kind == AST_APP) {
        int have = f->kid_count - 1;
        Arg *all = NEW_ARRAY(e->arena, Arg, have + n);
        for (int i = 0; i < have; i++) all[i] = (Arg){.ast = f->kids[i + 1], .scope = s};
        memcpy(all + have, args, sizeof *all * (size_t)n);
        t = elab_apply(e, s, f->kids[0], all, have + n, want, call);
    } else if (ast_is_compose(f)) {
        Arg *rest = NEW_ARRAY(e->arena, Arg, n);
        memcpy(rest, args, sizeof *rest * (size_t)n);
        rest[0] = (Arg){.term = elab_apply(e, s, f->kids[1], args, 1, NULL, call), .scope = s};
        t = rest[0].term ? elab_apply(e, s, f->kids[0], rest, n, want, call) : NULL;
    } else if (f->kind == AST_BINARY && strcmp(f->name, "$") == 0) {
        Arg *all = NEW_ARRAY(e->arena, Arg, n + 1);
        all[0] = (Arg){.ast = f->kids[1], .scope = s};
        memcpy(all + 1, args, sizeof *all * (size_t)n);
        t = elab_apply(e, s, f->kids[0], all, n + 1, want, call);
    } else if (f->kind == AST_LAMBDA) {
        t = apply_params(e, s, f->pats, f->pat_count, f->kids[0], NULL, args, n, want, s, call);
    } else if (f->kind == AST_NAME) {
        t = apply_name(e, s, f, args, n, want, call);
    } else if (f->kind == AST_OP) {
        t = elab_prim(e, s, operator_prim(f->name), f->name, args, n, want, call);
    } else if (f->kind == AST_SECTION_LEFT || f->kind == AST_SECTION_RIGHT) {
        t = apply_section(e, s, f, args, n, want, call);
    } else if (f->kind == AST_LET) {
        t = apply_let(e, s, f, args, n, want, call);
    } else if (f->kind == AST_ANNOT) {
        t = elab_apply(e, s, f->kids[0], args, n, want, call);
    } else {
        diag_error_at(&e->c->diag, E04, s.source, f->span, "this is not a function, it cannot be applied");
    }
    e->nesting--;
    return t;
}

/* ---- expressions ---- */

static const Type *literal_type(Elab *e, const Ast *a, const Type *want)
{
    if (a->suffix != SUFFIX_NONE) return type_scalar(e->c, suffix_scalar(a->suffix));
    bool is_float = a->kind != AST_INT;
    bool fits = want && want->kind == TY_SCALAR
        && (is_float ? scalar_is_float(want->scalar) : scalar_is_numeric(want->scalar));
    return fits ? want : type_scalar(e->c, is_float ? e->float_default : e->int_default);
}

static const Term *elab_number(Elab *e, Scope s, const Ast *a, const Type *want, bool negative)
{
    const Type *t = literal_type(e, a, want);
    if (a->kind == AST_INT && !scalar_is_float(t->scalar)) return term_int(e->c, t, negative ? -a->ival : a->ival);
    double v = a->kind == AST_INT ? (double)a->ival : a->fval;
    const Term *r = term_float(e->c, t, negative ? -v : v);
    if (r && isinf(r->u.lit.f) && !isinf(v))
        return FAIL(e, s, a->span, E04, "%g is out of range for %s", v, scalar_name(t->scalar));
    return r;
}

/* -5 and -inf are numbers, -(5) an operation on one: so both read back as they print. */
static const Term *elab_unary(Elab *e, Scope s, const Ast *a, const Type *want)
{
    const Ast *k = a->kids[0];
    if (*a->name == '-' && !a->ival && (k->kind == AST_INT || k->kind == AST_FLOAT))
        return elab_at(e, s, a->span, elab_number(e, s, k, want, true));
    const Term *t = elab_expr(e, s, k, want);
    if (!t) return NULL;
    bool named = *a->name == '-' && !a->ival && k->kind == AST_NAME && t->kind == T_LIT
        && scalar_is_float(t->type->scalar);
    if (named) return elab_at(e, s, a->span, term_float(e->c, t->type, -t->u.lit.f));
    return elab_at(e, s, a->span, term_prim1(e->c, *a->name == '-' ? PRIM_NEG : PRIM_NOT, t));
}

static const Term *float_constant(Elab *e, const Ast *a, const Type *want)
{
    const Type *t = want && want->kind == TY_SCALAR && scalar_is_float(want->scalar)
        ? want : type_scalar(e->c, e->float_default);
    double v = *a->name == 'p' ? 3.14159265358979323846 : *a->name == 'i' ? (double)INFINITY : (double)NAN;
    return term_float(e->c, t, v);
}

static const Term *elab_name(Elab *e, Scope s, const Ast *a, const Type *want)
{
    const Env *b = env_find(s.env, a->name);
    if (!b) {
        const Def *d = defs_find(e->c, e->defs, a->name);
        if (d && d->decl->param_count == 0) return elab_apply(e, s, a, NULL, 0, want, a->span);
        if (!d && ast_is_float_name(a->name)) return float_constant(e, a, want);
        if (d || elab_named_prim(a->name) != PRIM_COUNT || strcmp(a->name, "length") == 0)
            return FAIL(e, s, a->span, E04, "\"%s\" is a function; a value is needed here", a->name);
        return unknown_name(e, s, a);
    }
    switch (b->kind) {
    case BIND_TERM:
        return elab_shift(e, b->term, b->depth, s.depth);
    case BIND_LITERAL:
        return elab_expr(e, (Scope){b->env, s.depth, b->source}, b->ast, want);
    case BIND_SIZE:
        return elab_at(e, s, a->span, term_size(e->c, size_type(e, want), b->nat));
    case BIND_LIST:
        return FAIL(e, s, a->span, E04, "\"%s\" stands for a list: write %s..", a->name, a->name);
    case BIND_FUN:
        if (b->arity == 0) return elab_shift(e, b->term, b->depth, s.depth);
        return FAIL(e, s, a->span, E04, "\"%s\" is a function; a value is needed here", a->name);
    default:
        return FAIL(e, s, a->span, E04, "\"%s\" is a function; a value is needed here", a->name);
    }
}

static const Term *elab_binary(Elab *e, Scope s, const Ast *a, const Type *want)
{
    if (ast_is_compose(a))
        return FAIL(e, s, a->span, E04, "a composition is a function; apply it with $ or in brackets");
    if (strcmp(a->name, "$") == 0 || strcmp(a->name, "|>") == 0) {
        bool pipe = *a->name == '|';
        Arg x = {.ast = a->kids[pipe ? 0 : 1], .scope = s};
        return elab_apply(e, s, a->kids[pipe ? 1 : 0], &x, 1, want, a->span);
    }
    Arg both[2] = {{.ast = a->kids[0], .scope = s}, {.ast = a->kids[1], .scope = s}};
    return elab_prim(e, s, prim_from_name(a->name), a->name, both, 2, want, a->span);
}

static const Term *elab_if(Elab *e, Scope s, const Ast *a, const Type *want)
{
    Arg args[3];
    for (int i = 0; i < 3; i++) args[i] = (Arg){.ast = a->kids[i], .scope = s};
    return elab_prim(e, s, PRIM_IF, "if", args, 3, want, a->span);
}

static const Term *elab_tuple(Elab *e, Scope s, const Ast *a, const Type *want)
{
    const Term *parts[ARG_MAX];
    Arg *args = NEW_ARRAY(e->arena, Arg, a->kid_count), *all = NEW_ARRAY(e->arena, Arg, ARG_MAX);
    for (int i = 0; i < a->kid_count; i++) args[i] = (Arg){.ast = a->kids[i], .scope = s};
    int n = args_expand(e, args, a->kid_count, all);
    if (n < 1) return n ? NULL : FAIL(e, s, a->span, E04, "an empty tuple");
    for (int i = 0; i < n; i++) {
        const Type *w = n == 1 ? want : want && want->kind == TY_TUPLE && want->count == n ? want->elems[i] : NULL;
        parts[i] = arg_term(e, &all[i], s.depth, w);
        if (!parts[i]) return NULL;
    }
    return elab_at(e, s, a->span, term_tuple(e->c, parts, n));
}

static const Term *elab_index(Elab *e, Scope s, const Ast *a)
{
    const Term *x = elab_expr(e, s, a->kids[0], NULL);
    if (!x) return NULL;
    if (x->type->kind == TY_VECTOR) {
        const Nat *lane = elab_size(e, s, a->kids[1]);
        if (!lane) return NULL;
        if (!lane->is_const || lane->value < 0 || lane->value >= x->type->width)
            return FAIL(e, s, a->kids[1]->span, E04, "a lane of %s is a number from 0 to %d",
                        type_text(e->c, x->type), x->type->width - 1);
        return elab_at(e, s, a->span, term_prim(e->c, PRIM_LANE, &lane, 1, &x, 1));
    }
    const Term *i = elab_expr(e, s, a->kids[1], type_scalar(e->c, SC_I32));
    return i ? elab_at(e, s, a->span, term_prim2(e->c, PRIM_AT, i, x)) : NULL;
}

static const Term *elab_annotation(Elab *e, Scope s, const Ast *a, const Type *want)
{
    if (a->annot->kind == ASTTYPE_SIZE) {                      /* (N/4 : size), a size expression as a value */
        const Nat *n = elab_size(e, s, a->kids[0]);
        return n ? elab_at(e, s, a->span, term_size(e->c, size_type(e, want), n)) : NULL;
    }
    const Type *known = annotation_known(e, s, a->annot);
    const Term *t = elab_expr(e, s, a->kids[0], known);
    return t && annotation_match(e, &s, a->annot, t->type) ? t : NULL;
}

static const Term *elab_let(Elab *e, Scope s, const Ast *a, const Type *want)
{
    Binder *binders = NULL;
    Arg value = {.ast = a->kids[0], .scope = s};
    Scope in = s;
    if (a->annot) {
        const Term *t = elab_expr(e, s, a->kids[0], annotation_known(e, s, a->annot));
        if (!t || !annotation_match(e, &in, a->annot, t->type)) return NULL;
        value = (Arg){.term = t, .scope = s};
    }
    if (!binders_bind_arg(e, &in, a->pats[0], &value, &binders)) return NULL;
    return binders_wrap(e, binders, elab_expr(e, in, a->kids[1], want));
}

static const Term *elab_in(Elab *e, Scope s, const Ast *a, const Type *want)
{
    switch (a->kind) {
    case AST_NAME: return elab_name(e, s, a, want);
    case AST_INT: case AST_FLOAT: return elab_at(e, s, a->span, elab_number(e, s, a, want, false));
    case AST_BOOL: return term_int(e->c, type_scalar(e->c, SC_BOOL), a->ival);
    case AST_APP: {
        Arg *args = NEW_ARRAY(e->arena, Arg, a->kid_count);
        for (int i = 1; i < a->kid_count; i++) args[i - 1] = (Arg){.ast = a->kids[i], .scope = s};
        return elab_apply(e, s, a->kids[0], args, a->kid_count - 1, want, a->span);
    }
    case AST_LET: return elab_let(e, s, a, want);
    case AST_IF: return elab_if(e, s, a, want);
    case AST_TUPLE: return elab_tuple(e, s, a, want);
    case AST_PROJ: {
        const Term *t = elab_expr(e, s, a->kids[0], NULL);
        return t ? elab_at(e, s, a->span, term_proj(e->c, t, (int)a->ival)) : NULL;
    }
    case AST_AT: return elab_index(e, s, a);
    case AST_BINARY: return elab_binary(e, s, a, want);
    case AST_UNARY: return elab_unary(e, s, a, want);
    case AST_ANNOT: return elab_annotation(e, s, a, want);
    case AST_SPREAD:
        return FAIL(e, s, a->span, E04, "a list can only stand among the arguments of zip or of a tuple");
    default: return FAIL(e, s, a->span, E04, "a function stands where a value is needed");
    }
}

const Term *elab_expr(Elab *e, Scope s, const Ast *a, const Type *want)
{
    if (e->nesting >= ELAB_NESTING || e->fuel-- <= 0)
        return FAIL(e, s, a->span, E08, "the program is too large or nested too deep");
    e->nesting++;
    const Term *t = elab_in(e, s, a, want);
    e->nesting--;
    return t;
}

/* ---- functions ---- */

/* The pattern that will take the next argument of f, for names of binders. */
static const AstPat *next_pattern(const Elab *e, const Env *env, const Ast *f, int given)
{
    if (f->kind == AST_LAMBDA) return given < f->pat_count ? f->pats[given] : NULL;
    if (f->kind == AST_APP) return next_pattern(e, env, f->kids[0], given + f->kid_count - 1);
    if (f->kind == AST_ANNOT) return next_pattern(e, env, f->kids[0], given);
    if (f->kind != AST_NAME) return NULL;
    const Env *b = env_find(env, f->name);
    if (b) return b->kind == BIND_CLOSURE ? next_pattern(e, b->env, b->ast, given) : NULL;
    const Def *d = defs_find(e->c, e->defs, f->name);
    return d && given < d->decl->param_count ? d->decl->params[given] : NULL;
}

/* Names for the parameter of f: of its pattern, or of the lambda that a metavariable stands for. */
static const char *const *function_hints(Elab *e, Scope s, const Ast *f, const Type *param)
{
    while (ast_is_compose(f)) f = f->kids[1];
    const Env *b = f->kind == AST_NAME ? env_find(s.env, f->name) : NULL;
    if (b && b->kind == BIND_FUN) return b->term->type->elems[0] == param ? b->term->u.hints : NULL;
    const AstPat *p = next_pattern(e, s.env, f, 0);
    return p ? pattern_hints_of(e, s, p, param) : NULL;
}

const Term *elab_function(Elab *e, Scope s, const Ast *f, const Type *param, const Type *want)
{
    const Env *b = f->kind == AST_NAME ? env_find(s.env, f->name) : NULL;
    if (b && b->kind == BIND_FUN && b->term->type->elems[0] == param)
        return elab_shift(e, b->term, b->depth, s.depth);
    const char *const *hints = function_hints(e, s, f, param);
    Scope in = s;
    in.depth += param->leaf_count;
    Arg arg = {.term = term_param(e->c, param, 0), .scope = in};
    const Term *body = elab_apply(e, in, f, &arg, 1, want, f->span);
    return body ? elab_at(e, s, f->span, term_lam(e->c, param, body, hints)) : NULL;
}

/* infer_expr: types of expressions and applications. */
#include "infer_private.h"

#include <string.h>

/* ---- application ---- */

/* The type of a function of iterate where it is applied to an array of its own length. */
static IType *at_any_length(Infer *in, Meta *m)
{
    NatBinding b = {size_atom(m->length), size_fresh(in)};
    infer_cond(in, '|', m->shrink, b.value, false, "iterate");
    return itype_subst(in, m->type, &b);
}

static IType *apply_meta(Infer *in, const Ast *f, const IArg *args, int n, Span call)
{
    IType *types[ARG_MAX];
    int k = infer_args(in, args, n, types);
    if (k <= 0) return k ? NULL : infer_wrong_draw(in);
    Meta *m = meta_of(in, f, META_FUN);
    if (!m) return NULL;
    if (!m->type) {
        m->arity = k;
        m->type = itype_pair(in, I_FUN, itype_tuple(in, types, k), itype_fresh(in, IC_DATA));
    }
    if (k != m->arity && m->arity != 1) {
        infer_bad(in, call, "%s takes %d arguments, it is given %d", f->name, m->arity, k);
        return NULL;
    }
    IType *type = m->length ? at_any_length(in, m) : m->type;
    return itype_need(in, call, f->name, type->kids[0], itype_tuple(in, types, k)) ? type->kids[1] : NULL;
}

static IType *apply_lambda(Infer *in, const IEnv *env, AstPat *const *pats, int pat_count, const Ast *body,
                           const IArg *args, int n, Span call)
{
    if (n < pat_count)
        return infer_bad(in, call, "this function takes %d arguments, it is given %d", pat_count, n), NULL;
    IEnv *start = ienv_bind(in, env, NULL);
    env = start;
    for (int i = 0; i < pat_count && env; i++) env = ienv_bind_arg(in, env, pats[i], &args[i]);
    if (!env) return NULL;
    return n > pat_count ? infer_apply(in, env, body, args + pat_count, n - pat_count, call)
                         : infer_expr(in, env, body);
}

static IType *apply_name(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    const IEnv *b = ienv_find(env, f->name);
    if (b && b->ast) return infer_apply(in, b->env, b->ast, args, n, call);
    if (b) return infer_bad(in, call, "\"%s\" is a value, it cannot be applied", f->name), NULL;
    if (meta_find(in, f->name)) return apply_meta(in, f, args, n, call);
    PrimId id = pattern_prim(f->name);
    if (id != PRIM_COUNT) return infer_prim(in, id, args, n, call);
    if (strcmp(f->name, "length") == 0 && n == 1)
        return infer_length(in, &args[0], call) ? itype_fresh(in, IC_NUMERIC) : NULL;
    const Def *d = in->right || strcmp(f->name, "id") == 0 ? defs_find(in->c, NULL, f->name) : NULL;
    if (d) return apply_lambda(in, NULL, d->decl->params, d->decl->param_count, d->decl->body, args, n, call);
    return apply_meta(in, f, args, n, call);
}

static IType *apply_more(Infer *in, const IEnv *env, const Ast *f, const IArg *first, int have,
                         const IArg *args, int n, Span call)
{
    IArg *all = NEW_ARRAY(in->arena, IArg, have + n);
    for (int i = 0; i < have + n; i++) all[i] = i < have ? first[i] : args[i - have];
    return infer_apply(in, env, f, all, have + n, call);
}

static IType *apply_operator(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    PrimId id = prim_from_name(f->name);
    if (f->kind == AST_OP || n != 1) return infer_prim(in, id, args, n, call);
    IArg side = {.ast = f->kids[0], .env = env};
    IArg both[2] = {f->kind == AST_SECTION_LEFT ? side : args[0], f->kind == AST_SECTION_LEFT ? args[0] : side};
    return infer_prim(in, id, both, 2, call);
}

static IType *apply_compose(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    IArg inner = {.type = infer_apply(in, env, f->kids[1], args, 1, call)};
    return inner.type ? apply_more(in, env, f->kids[0], &inner, 1, args + 1, n - 1, call) : NULL;
}

IType *infer_apply(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return infer_bad(in, call, "the rule is too large to type"), NULL;
    switch (f->kind) {
    case AST_APP: {
        IArg *have = NEW_ARRAY(in->arena, IArg, f->kid_count);
        for (int i = 1; i < f->kid_count; i++) have[i - 1] = (IArg){.ast = f->kids[i], .env = env};
        return apply_more(in, env, f->kids[0], have, f->kid_count - 1, args, n, call);
    }
    case AST_LAMBDA: return apply_lambda(in, env, f->pats, f->pat_count, f->kids[0], args, n, call);
    case AST_NAME: return apply_name(in, env, f, args, n, call);
    case AST_OP: case AST_SECTION_LEFT: case AST_SECTION_RIGHT:
        return apply_operator(in, env, f, args, n, call);
    case AST_ANNOT: return infer_apply(in, env, f->kids[0], args, n, call);
    case AST_BINARY:
        if (strcmp(f->name, ".") == 0) return apply_compose(in, env, f, args, n, call);
        if (strcmp(f->name, "$") == 0) {
            IArg first = {.ast = f->kids[1], .env = env};
            return apply_more(in, env, f->kids[0], &first, 1, args, n, call);
        }
        break;
    default: break;
    }
    infer_bad(in, f->span, "this is not a function, it cannot be applied");
    return NULL;
}

/* ---- expressions ---- */

static IType *literal(Infer *in, const Ast *a)
{
    if (a->suffix != SUFFIX_NONE) return itype_scalar(in, suffix_scalar(a->suffix));
    return itype_fresh(in, a->kind == AST_INT ? IC_NUMERIC : IC_FLOAT);
}

static IType *name_expr(Infer *in, const IEnv *env, const Ast *a)
{
    if (strcmp(a->name, "_") == 0) return itype_fresh(in, IC_DATA);
    const IEnv *b = ienv_find(env, a->name);
    if (b && b->ast) return infer_expr(in, b->env, b->ast);
    if (b && b->type) return b->type;
    if (b) return infer_bad(in, a->span, "\"%s\" stands for a list: write %s..", a->name, a->name), NULL;
    Meta *m = meta_find(in, a->name);
    if ((m && m->kind == META_STATIC) || (!m && infer_param(in, a->name))) {
        meta_static(in, a->name, STATIC_SIZE);
        return itype_fresh(in, IC_NUMERIC);
    }
    if (!m && ast_is_float_name(a->name)) return itype_fresh(in, IC_FLOAT);
    m = meta_of(in, a, META_DATA);
    if (m && !m->type) m->type = itype_fresh(in, IC_DATA);
    return m ? m->type : NULL;
}

static IType *at_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IType *x = infer_expr(in, env, a->kids[0]);
    if (!x) return NULL;
    IType *now = itype_now(in, x);
    if (now->kind == I_VECTOR) return now->kids[0];
    IType *i = infer_expr(in, env, a->kids[1]), *elem = itype_fresh(in, IC_DATA);
    if (!i || !itype_need(in, a->kids[1]->span, "an index", itype_scalar(in, SC_I32), i)) return NULL;
    return itype_need(in, a->span, "indexing", itype_sized(in, I_ARRAY, size_fresh(in), elem), x) ? elem : NULL;
}

static IType *proj_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IType *x = infer_expr(in, env, a->kids[0]);
    if (!x) return NULL;
    x = itype_now(in, x);
    if (x->kind == I_TUPLE && a->ival < x->count) return x->kids[a->ival];
    infer_bad(in, a->span, "there is no component .%d in %s", (int)a->ival, itype_text(in, x));
    return NULL;
}

static IType *tuple_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IType *types[ARG_MAX];
    IArg *args = NEW_ARRAY(in->arena, IArg, a->kid_count);
    for (int i = 0; i < a->kid_count; i++) args[i] = (IArg){.ast = a->kids[i], .env = env};
    int n = infer_args(in, args, a->kid_count, types);
    if (n == 0 || (n == 1 && !in->right)) return infer_wrong_draw(in);
    return n < 0 ? NULL : itype_tuple(in, types, n);
}

static IType *prim_expr(Infer *in, const IEnv *env, const Ast *a, PrimId id)
{
    IArg args[3];
    for (int i = 0; i < a->kid_count && i < 3; i++) args[i] = (IArg){.ast = a->kids[i], .env = env};
    return infer_prim(in, id, args, a->kid_count, a->span);
}

static IType *binary_expr(Infer *in, const IEnv *env, const Ast *a)
{
    bool pipe = strcmp(a->name, "|>") == 0;
    if (!pipe && strcmp(a->name, "$") != 0) return prim_expr(in, env, a, prim_from_name(a->name));
    IArg x = {.ast = a->kids[pipe ? 0 : 1], .env = env};
    return infer_apply(in, env, a->kids[pipe ? 1 : 0], &x, 1, a->span);
}

static IType *let_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IArg value = {.ast = a->kids[0], .env = env};
    return apply_lambda(in, env, a->pats, 1, a->kids[1], &value, 1, a->span);
}

IType *infer_expr(Infer *in, const IEnv *env, const Ast *a)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return infer_bad(in, a->span, "the rule is too large to type"), NULL;
    switch (a->kind) {
    case AST_NAME: return name_expr(in, env, a);
    case AST_INT: case AST_FLOAT: return literal(in, a);
    case AST_BOOL: return itype_scalar(in, SC_BOOL);
    case AST_APP: return infer_apply(in, env, a, NULL, 0, a->span);
    case AST_LET: return let_expr(in, env, a);
    case AST_IF: return prim_expr(in, env, a, PRIM_IF);
    case AST_TUPLE: return tuple_expr(in, env, a);
    case AST_PROJ: return proj_expr(in, env, a);
    case AST_AT: return at_expr(in, env, a);
    case AST_BINARY: return binary_expr(in, env, a);
    case AST_UNARY: return prim_expr(in, env, a, *a->name == '-' ? PRIM_NEG : PRIM_NOT);
    case AST_ANNOT: return infer_expr(in, env, a->kids[0]);
    default: infer_bad(in, a->span, "a function stands where a value is needed"); return NULL;
    }
}

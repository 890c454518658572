/* infer_bind: types of binding patterns and arguments. */
#include "infer_private.h"

#include <string.h>

/* ---- binding patterns ---- */

static int draw_list(Infer *in, const char *name)
{
    Meta *m = meta_find(in, name);
    if (m && m->kind == META_LIST) return m->count;
    m = meta_new(in, name, META_LIST);
    m->count = (int)rng_below(in->rng, 3);
    m->list = NEW_ARRAY(in->arena, IType *, m->count);
    for (int i = 0; i < m->count; i++) m->list[i] = itype_fresh(in, IC_DATA);
    return m->count;
}

static int list_count(Infer *in, const IEnv *env, const AstPat *p, IType *t, int fixed, int spreads)
{
    t = itype_now(in, t);
    if (spreads == 1 && (t->kind == I_TUPLE || (t->kind != I_VAR && fixed == 0)))
        return (t->kind == I_TUPLE ? t->count : 1) - fixed;
    const IEnv *b = ienv_find(env, p->name);
    if (b && b->list) return b->count;
    const Meta *m = meta_find(in, p->name);
    return m && m->kind == META_LIST ? m->count : in->right ? -1 : (int)rng_below(in->rng, 3);
}

static const IEnv *bind_pattern(Infer *in, const IEnv *env, const AstPat *p, IType *t);

static const IEnv *bind_parts(Infer *in, const IEnv *env, const AstPat *p, IType *t)
{
    int spreads = 0, n = 0, counts[ARG_MAX];
    IType *parts[ARG_MAX];
    for (int i = 0; i < p->kid_count; i++) spreads += p->kids[i]->spread;
    for (int i = 0; i < p->kid_count && i < ARG_MAX; i++) {
        counts[i] = p->kids[i]->spread ? list_count(in, env, p->kids[i], t, p->kid_count - 1, spreads) : 1;
        if (counts[i] < 0 || n + counts[i] > ARG_MAX) return infer_wrong_draw(in);
        for (int j = 0; j < counts[i]; j++) parts[n++] = itype_fresh(in, IC_DATA);
    }
    if (n == 0) return infer_wrong_draw(in);
    if (!itype_need(in, p->span, "this pattern", itype_tuple(in, parts, n), t)) return NULL;
    for (int i = 0, k = 0; i < p->kid_count && env; k += counts[i++]) {
        if (!p->kids[i]->spread) {
            IEnv *none = ienv_bind(in, env, NULL);
            env = bind_pattern(in, none, p->kids[i], parts[k]);
            continue;
        }
        IEnv *b = ienv_bind(in, env, p->kids[i]->name);
        b->count = counts[i];
        b->list = NEW_ARRAY(in->arena, IType *, counts[i]);
        memcpy(b->list, parts + k, sizeof *parts * (size_t)counts[i]);
        env = b;
    }
    return env;
}

/* env never NULL on success: a nameless binding stands for the empty one. */
static const IEnv *bind_pattern(Infer *in, const IEnv *env, const AstPat *p, IType *t)
{
    if (!t) return NULL;
    if (!p->name) return bind_parts(in, env, p, t);
    IEnv *b = ienv_bind(in, env, strcmp(p->name, "_") == 0 ? NULL : p->name);
    b->type = t;
    return b;
}

const IEnv *ienv_bind_arg(Infer *in, const IEnv *env, const AstPat *p, const IArg *a)
{
    if (!a->ast) return bind_pattern(in, env, p, a->type);
    if (!p->name) return bind_pattern(in, env, p, infer_expr(in, a->env, a->ast));
    IEnv *b = ienv_bind(in, env, p->name);
    b->ast = a->ast;
    b->env = a->env;
    return b;
}

IType *infer_arg(Infer *in, const IArg *a) { return a->ast ? infer_expr(in, a->env, a->ast) : a->type; }

/* The list that a spread repeats over. */
static const IEnv *spread_list(Infer *in, const IEnv *env, const Ast *a)
{
    const IEnv *b = a->kind == AST_NAME ? ienv_find(env, a->name) : NULL;
    if (b && b->list) return b;
    const Meta *m = a->kind == AST_NAME && !b ? meta_find(in, a->name) : NULL;
    if (m && m->kind == META_LIST) {
        IEnv *l = ienv_bind(in, NULL, a->name);
        l->count = m->count;
        l->list = m->list;
        return l;
    }
    for (int i = 0; i < a->kid_count; i++)
        if ((b = spread_list(in, env, a->kids[i]))) return b;
    return NULL;
}

static const IEnv *select_element(Infer *in, const IEnv *env, const Ast *a, int i)
{
    const IEnv *l = a->kind == AST_NAME ? spread_list(in, env, a) : NULL;
    if (l) {
        IEnv *b = ienv_bind(in, env, a->name);
        b->type = i < l->count ? l->list[i] : NULL;
        return b->type ? b : env;
    }
    for (int k = 0; k < a->kid_count; k++) env = select_element(in, env, a->kids[k], i);
    return env;
}

/* Arguments with their spreads repeated; -1 after an error. out holds ARG_MAX. */
static int expand(Infer *in, const IArg *args, int n, IArg *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        const Ast *a = args[i].ast;
        if (!a || a->kind != AST_SPREAD) {
            if (k == ARG_MAX) return -1;
            out[k++] = args[i];
            continue;
        }
        const Ast *inner = a->kids[0];
        if (inner->kind == AST_NAME && !in->right && !spread_list(in, args[i].env, inner))
            draw_list(in, inner->name);
        const IEnv *l = spread_list(in, args[i].env, inner);
        if (!l) return infer_bad(in, a->span, "no list stands in this spread"), -1;
        for (int j = 0; j < l->count; j++) {
            if (k == ARG_MAX) return -1;
            out[k++] = (IArg){.ast = inner, .env = select_element(in, args[i].env, inner, j)};
        }
    }
    return k;
}

int infer_args(Infer *in, const IArg *args, int n, IType **out)
{
    IArg *all = NEW_ARRAY(in->arena, IArg, ARG_MAX);
    int k = expand(in, args, n, all);
    for (int i = 0; i < k; i++)
        if (!(out[i] = infer_arg(in, &all[i]))) return -1;
    return k;
}

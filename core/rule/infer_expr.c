/* infer_expr: the types of what a rule is written with, in reading order: names, metavariables and sizes; patterns and
 * arguments; calls of primitives; application and expressions. */
#include "infer_private.h"
#include "scheme.h"

#include <stdlib.h>
#include <string.h>

struct IEnv {
    const char *name;
    IType *type;               /* a value; NULL: a list, or syntax read where it was written */
    int count;
    IType **list;
    const Ast *ast;
    const IEnv *env;
    const IEnv *next;
};

typedef struct IArg {
    const Ast *ast;
    const IEnv *env;
    IType *type;               /* when there is no ast */
} IArg;

static IType *infer_apply(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call);

enum { COUNT_DRAWS = 3 };

static const IEnv *ienv_find(const IEnv *env, const char *name)
{
    while (env && env->name != name) env = env->next;
    return env;
}

Meta *meta_find(Infer *in, const char *name)
{
    for (int i = 0; i < in->metas.n; i++)
        if (in->metas.v[i]->name == name) return in->metas.v[i];
    return NULL;
}

/* Of the rule; NULL: none of that name. */
static const RuleParam *infer_param(const Infer *in, const char *name)
{
    return FIND(in->rule->params, in->rule->param_count, name, name);
}

static Meta *meta_new(Infer *in, const char *name, MetaKind kind)
{
    Meta *m = MAKE(in->arena, Meta, .name = name, .kind = kind);
    vec_push(&in->metas, m);
    return m;
}

/* The metavariable of that kind; NULL: it is another kind, or a name that the right side may not introduce. */
static Meta *meta_of(Infer *in, const Ast *a, MetaKind kind)
{
    Meta *m = meta_find(in, a->name);
    if (m && m->kind == kind) return m;
    if (m) infer_bad(in, a->span, "\"%s\" is used as two different things", a->name);
    else if (in->right) infer_bad(in, a->span, "the left side does not bind \"%s\"", a->name);
    else return meta_new(in, a->name, kind);
    return NULL;
}

/* ---- parameters and what stands in their places ---- */

/* A parameter, drawn where types leave it open. */
static Meta *meta_static(Infer *in, const char *name, StaticKind kind)
{
    Meta *m = meta_find(in, name);
    if (m) return m;
    const RuleParam *p = infer_param(in, name);
    m = meta_new(in, name, META_STATIC);
    m->skind = p ? p->kind : kind;
    m->given = p && p->given;
    static const int widths[] = {2, 2, 2, 4, 4, 8};
    switch (m->skind) {
    case STATIC_SIZE:
        m->nat = nat_var(in->c->nats, name, VAR_PARAM, NULL, NULL);
        vec_push(&in->open, size_atom(m->nat));
        break;
    case STATIC_PERM:
        m->perm = (PermKind)rng_below(in->rng, PERM_KINDS);
        m->nat = m->perm == PERM_ROTATE || m->perm == PERM_STRIDE ? size_fresh(in) : size_const(in, 0);
        break;
    case STATIC_DIM: m->nat = size_const(in, rng_below(in->rng, 3)); break;
    case STATIC_WIDTH: m->nat = size_const(in, widths[rng_below(in->rng, COUNT(widths))]); break;
    default: m->nat = size_const(in, rng_below(in->rng, PAD_MODES)); break;
    }
    return m;
}

static const Nat *size_operator(Infer *in, const char *op, const Nat *x, const Nat *y)
{
    if (strcmp(op, "/") != 0) return nat_operator(in->c->nats, op, x, y);
    /* Exact: a variable where it does not show. */
    const Nat *q = nat_exact(in->c->nats, size_now(in, x), size_now(in, y));
    if (q) return q;
    if (x->is_const && y->is_const) return infer_wrong_draw(in);
    q = size_fresh(in);
    return size_unify(in, nat_mul(in->c->nats, q, y), x) ? q : infer_wrong_draw(in);
}

static const Nat *infer_length(Infer *in, const IArg *x, Span span)
{
    IType *t = x->ast ? infer_expr(in, x->env, x->ast) : x->type;
    if (!t) return NULL;
    const Nat *n = size_fresh(in);
    return itype_need(in, span, "length", itype_sized(in, I_ARRAY, n, itype_fresh(in, IC_DATA)), t)
            ? size_now(in, n) : NULL;
}

const Nat *infer_size(Infer *in, const IEnv *env, const Ast *a)
{
    if (a->kind == AST_INT) return size_const(in, a->ival);
    if (a->kind == AST_BINARY) {
        const Nat *x = infer_size(in, env, a->kids[0]), *y = x ? infer_size(in, env, a->kids[1]) : NULL;
        if (!y) return NULL;
        if (nat_is_operator(a->name)) return size_operator(in, a->name, x, y);
        return infer_bad(in, a->span, "\"%s\" is no operator of sizes", a->name), NULL;
    }
    if (a->kind == AST_NAME) {
        const IEnv *b = ienv_find(env, a->name);
        if (b && b->ast) return infer_size(in, b->env, b->ast);
        Meta *m = b ? NULL : meta_static(in, a->name, STATIC_SIZE);
        if (m && m->nat) return m->nat;
    }
    const char *head = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0]->name : "";
    if (a->kid_count == 2 && strcmp(head, "length") == 0)
        return infer_length(in, &(IArg){.ast = a->kids[1], .env = env}, a->kids[1]->span);
    if (a->kid_count == 3 && (strcmp(head, "min") == 0 || strcmp(head, "max") == 0)) {
        const Nat *x = infer_size(in, env, a->kids[1]), *y = x ? infer_size(in, env, a->kids[2]) : NULL;
        return !y ? NULL : head[1] == 'i' ? nat_min(in->c->nats, x, y) : nat_max(in->c->nats, x, y);
    }
    return infer_bad(in, a->span, "a size is needed here"), NULL;
}

/* A count that must be a number while types are found: every variable in it is drawn. */
static const Nat *infer_count(Infer *in, const IEnv *env, const Ast *a)
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

/* The permutation of a reorder; a stride must divide the length. A permutation that the call gives
 * is legal where it is used. */
static bool infer_permutation(Infer *in, const IEnv *env, const Ast *a, const Nat *length)
{
    const Ast *head = a->kind == AST_APP ? a->kids[0] : a;
    PermKind kind = head->kind == AST_NAME ? perm_kind_from_name(head->name) : PERM_KINDS;
    if (kind == PERM_KINDS && a->kind != AST_NAME)
        return infer_bad(in, a->span, "a permutation is reverse, (rotate k), (stride s) or a parameter");
    if (kind == PERM_KINDS) {
        Meta *m = meta_static(in, head->name, STATIC_PERM);
        if (m->kind != META_STATIC || m->skind != STATIC_PERM)
            return infer_bad(in, head->span, "\"%s\" is no permutation", head->name);
        if (m->perm == PERM_FUN && m->perm_length && size_now(in, m->perm_length) != size_now(in, length))
            return infer_wrong_draw(in) != NULL;
        m->perm_length = length;
        SizeCond k = {'|', false, m->nat, length, "reorder"};
        if (m->perm == PERM_STRIDE) vec_push(&in->conds, k);
        return true;
    }
    if (kind == PERM_REVERSE) return true;
    if (a->kind != AST_APP || a->kid_count != (kind == PERM_FUN ? 3 : 2))
        return infer_bad(in, a->span, "%s lacks its argument", head->name);
    const Nat *k = kind == PERM_FUN ? length : infer_size(in, env, a->kids[1]);
    if (k && kind == PERM_STRIDE) infer_cond(in, '|', k, length, false, "reorder");
    return k != NULL;
}

/* ---- binding patterns ---- */

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

/* env never NULL on success: a nameless binding stands for the empty one. */
static const IEnv *bind_pattern(Infer *in, const IEnv *env, const AstPat *p, IType *t)
{
    if (!t) return NULL;
    if (!p->name) {
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
            if (p->kids[i]->spread)
                env = MAKE(in->arena, IEnv, .name = p->kids[i]->name, .count = counts[i],
                           .list = arena_copy(in->arena, parts + k, sizeof *parts * (size_t)counts[i]), .next = env);
            else env = bind_pattern(in, MAKE(in->arena, IEnv, .next = env), p->kids[i], parts[k]);
        }
        return env;
    }
    return MAKE(in->arena, IEnv, .name = strcmp(p->name, "_") == 0 ? NULL : p->name, .type = t, .next = env);
}

static IType *infer_arg(Infer *in, const IArg *a) { return a->ast ? infer_expr(in, a->env, a->ast) : a->type; }

/* The list that a spread repeats over. */
static const IEnv *spread_list(Infer *in, const IEnv *env, const Ast *a)
{
    const IEnv *b = a->kind == AST_NAME ? ienv_find(env, a->name) : NULL;
    if (b && b->list) return b;
    const Meta *m = a->kind == AST_NAME && !b ? meta_find(in, a->name) : NULL;
    if (m && m->kind == META_LIST) return MAKE(in->arena, IEnv, .name = a->name, .count = m->count, .list = m->list);
    for (int i = 0; i < a->kid_count; i++)
        if ((b = spread_list(in, env, a->kids[i]))) return b;
    return NULL;
}

static const IEnv *select_element(Infer *in, const IEnv *env, const Ast *a, int i)
{
    const IEnv *l = a->kind == AST_NAME ? spread_list(in, env, a) : NULL;
    if (l) return i < l->count ? MAKE(in->arena, IEnv, .name = a->name, .type = l->list[i], .next = env) : env;
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
        const Ast *inner = a->kids[0], *named = inner->kind == AST_APP ? inner->kids[inner->kid_count - 1] : inner;
        const IEnv *l = spread_list(in, args[i].env, inner);
        const Meta *known = l || named->kind != AST_NAME ? NULL : meta_find(in, named->name);
        if (!l && named->kind == AST_NAME && !in->right && !(known && known->kind == META_LIST)) {
            Meta *m = meta_new(in, named->name, META_LIST);
            m->count = (int)rng_below(in->rng, 3);
            m->list = NEW_ARRAY(in->arena, IType *, m->count);
            for (int j = 0; j < m->count; j++) m->list[j] = itype_fresh(in, IC_DATA);
            l = spread_list(in, args[i].env, inner);
        }
        if (!l) return infer_bad(in, a->span, "no list stands in this spread"), -1;
        for (int j = 0; j < l->count; j++) {
            if (k == ARG_MAX) return -1;
            out[k++] = (IArg){.ast = inner, .env = select_element(in, args[i].env, inner, j)};
        }
    }
    return k;
}

/* Arguments with their spreads repeated; how many, -1 after an error. out holds ARG_MAX. */
static int infer_args(Infer *in, const IArg *args, int n, IType **out)
{
    IArg *all = NEW_ARRAY(in->arena, IArg, ARG_MAX);
    int k = expand(in, args, n, all);
    for (int i = 0; i < k; i++)
        if (!(out[i] = infer_arg(in, &all[i]))) return -1;
    return k;
}

/* One instance of a scheme: fresh types and sizes for its letters. */
typedef struct Instantiation {
    const Scheme *scheme;
    IType *types[SCHEME_TYPE_VARS];
    const Nat *nats[SCHEME_NAT_VARS];
} Instantiation;

static const Nat *scheme_size(Infer *in, Instantiation *k, const SchemeNat *s)
{
    if (*s->op == 'c') return size_const(in, s->value);
    if (!*s->op) {
        if (!k->nats[s->var]) k->nats[s->var] = size_fresh(in);
        return k->nats[s->var];
    }
    const Nat *a = scheme_size(in, k, s->a), *b = scheme_size(in, k, s->b);
    return a && b ? size_operator(in, s->op, a, b) : NULL;
}

static IType *scheme_type(Infer *in, Instantiation *k, const SchemeType *s)
{
    if (s->kind == SCH_VAR) {
        static const IClass classes[] = {
            [CLASS_DATA] = IC_DATA, [CLASS_SCALAR] = IC_SCALAR, [CLASS_NUMERIC] = IC_NUMERIC, [CLASS_FLOAT] = IC_FLOAT,
            [CLASS_INT] = IC_INT};
        if (!k->types[s->var]) k->types[s->var] = itype_fresh(in, classes[k->scheme->classes[s->var]]);
        return k->types[s->var];
    }
    if (s->kind == SCH_SCALAR) return itype_scalar(in, s->scalar);
    IType *kids[4];
    for (int i = 0; i < s->count; i++)
        if (!(kids[i] = scheme_type(in, k, s->kids[i]))) return NULL;
    if (s->kind == SCH_TUPLE) return itype_tuple(in, kids, s->count);
    if (s->kind == SCH_FUN) return itype_pair(in, I_FUN, kids[0], kids[1]);
    const Nat *size = scheme_size(in, k, s->size);
    if (!size || (s->kind == SCH_VECTOR && !itype_restrict(in, kids[0], IC_SCALARS)))
        return infer_wrong_draw(in);
    return itype_sized(in, s->kind == SCH_ARRAY ? I_ARRAY : I_VECTOR, size, kids[0]);
}

static const Nat *static_value(Infer *in, StaticKind kind, const IEnv *env, const Ast *a)
{
    const IEnv *b = a->kind == AST_NAME ? ienv_find(env, a->name) : NULL;
    if (b && b->ast) return static_value(in, kind, b->env, b->ast);
    if (kind == STATIC_SIZE) return infer_size(in, env, a);
    if (a->kind == AST_INT) return size_const(in, a->ival);
    if (a->kind != AST_NAME) return NULL;
    PadMode mode = kind == STATIC_MODE ? pad_mode_from_name(a->name) : PAD_MODES;
    return mode == PAD_MODES ? meta_static(in, a->name, kind)->nat : size_const(in, mode);
}

static IType *call_scheme(Infer *in, PrimId id, const IArg *args, int n, Span call)
{
    Instantiation k = {.scheme = prim_scheme(in->c, id)};
    int statics = k.scheme->static_count, need = k.scheme->arg_count;
    for (int i = 0; i < statics && n > statics; i++) {
        const Nat *v = args[i].ast ? static_value(in, k.scheme->statics[i].kind, args[i].env, args[i].ast) : NULL;
        if (!v) return NULL;
        k.nats[k.scheme->statics[i].nat_var] = v;
    }
    args += statics;
    n -= statics;
    if (n == 1 && need > 1 && prim(id)->family == FAM_SCALAR && (!args->ast || args->ast->kind != AST_SPREAD)) {
        IArg *out = NEW_ARRAY(in->arena, IArg, need);
        IType *t = infer_arg(in, args), *parts[4];
        for (int i = 0; i < need; i++) parts[i] = out[i].type = itype_fresh(in, IC_DATA);
        args = t && itype_need(in, call, prim(id)->name, itype_tuple(in, parts, need), t) ? out : NULL;
        n = args ? need : 0;
    }
    if (n != need) return infer_bad(in, call, "%s takes %d arguments", prim(id)->name, statics + need), NULL;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < k.scheme->arg_count; i++) {
            const SchemeType *s = k.scheme->args[i];
            if ((s->kind == SCH_FUN) != (pass == 1)) continue;
            IType *want = scheme_type(in, &k, s), *found;
            if (!want) return NULL;
            if (pass == 0) found = infer_arg(in, &args[i]);
            else {
                IArg one = {.type = want->kids[0]};
                found = args[i].ast ? infer_apply(in, args[i].env, args[i].ast, &one, 1, args[i].ast->span) : NULL;
                want = want->kids[1];
            }
            if (!found || !itype_need(in, args[i].ast ? args[i].ast->span : call, prim(id)->name, want, found))
                return NULL;
        }
    static const char ops[] = {[FACT_DIVIDES] = '|', [FACT_LE] = 'l', [FACT_LT] = '<'};
    for (int i = 0; i < k.scheme->fact_count; i++) {
        const SchemeFact *f = &k.scheme->facts[i];
        infer_cond(in, ops[f->kind], scheme_size(in, &k, f->a), scheme_size(in, &k, f->b), false, prim(id)->name);
    }
    return scheme_type(in, &k, k.scheme->result);
}

/* f takes [p]a to [p/c]a for every p; c is found from a function that is written out, drawn for a metavariable. */
static IType *call_iterate(Infer *in, const IArg *args, Span call)
{
    Nats *n = in->c->nats;
    const Nat *k = args[0].ast ? infer_count(in, args[0].env, args[0].ast) : NULL;
    IType *x = k ? infer_arg(in, &args[2]) : NULL, *elem = itype_fresh(in, IC_DATA);
    const Nat *length = size_fresh(in), *p = nat_var(n, "p", VAR_SIZE, NULL, NULL), *after = size_fresh(in);
    if (!x || !itype_need(in, call, "iterate", itype_sized(in, I_ARRAY, length, elem), x)) return NULL;
    IArg one = {.type = itype_sized(in, I_ARRAY, p, elem)};
    IType *r = args[1].ast ? infer_apply(in, args[1].env, args[1].ast, &one, 1, call) : NULL;
    if (!r || !itype_need(in, call, "iterate", itype_sized(in, I_ARRAY, after, elem), r)) return NULL;
    after = size_now(in, after);
    if (!nat_mentions(after, size_atom(p))) {
        after = nat_exact(n, p, size_const(in, 1 + rng_below(in->rng, 2)));
        if (!itype_need(in, call, "iterate", itype_sized(in, I_ARRAY, after, elem), r)) return NULL;
    }
    const Nat *c = nat_exact(n, p, after);
    if (!c || nat_mentions(c, size_atom(p)))
        return infer_bad(in, call, "iterate needs a function from [p]a to [p/c]a"), NULL;
    Meta *f = args[1].ast->kind == AST_NAME ? meta_find(in, args[1].ast->name) : NULL;
    if (f && f->kind == META_FUN) f->length = p, f->shrink = c;
    const Nat *all = nat_pow(n, c, (int)k->value);
    infer_cond(in, '|', all, length, false, "iterate");
    return itype_sized(in, I_ARRAY, nat_exact(n, size_now(in, length), all), elem);
}

static IType *infer_prim(Infer *in, PrimId id, const IArg *args, int n, Span call)
{
    int need = prim_static_count(in->c, id) + prim_arg_count(in->c, id);
    if (id == PRIM_ZIP) {
        IType *types[ARG_MAX], *elems[ARG_MAX];
        int k = infer_args(in, args, n, types);
        if (k < 0) return NULL;
        if (k == 0 || (k == 1 && !in->right)) return infer_wrong_draw(in);
        const Nat *length = size_fresh(in);
        for (int i = 0; i < k; i++) {
            elems[i] = itype_fresh(in, IC_DATA);
            if (!itype_need(in, call, "zip", itype_sized(in, I_ARRAY, length, elems[i]), types[i])) return NULL;
        }
        return itype_sized(in, I_ARRAY, length, itype_tuple(in, elems, k));
    }
    if (id == PRIM_VEC) {
        IType *types[ARG_MAX], *elem = itype_fresh(in, IC_SCALAR);
        int k = infer_args(in, args, n, types);
        if (k == 1) {
            IType *t = itype_now(in, types[0]);
            if (t->kind == I_TUPLE) memcpy(types, t->kids, sizeof *types * (size_t)(k = t->count));
        }
        if (!ALL(i, k, itype_need(in, call, "vec", elem, types[i]))) return NULL;
        return k < 1 ? NULL : itype_sized(in, I_VECTOR, size_const(in, k), elem);
    }
    if (prim_scheme(in->c, id)) return call_scheme(in, id, args, n, call);
    if (n != need) return infer_bad(in, call, "%s takes %d arguments", prim(id)->name, need), NULL;
    if (id == PRIM_UNZIP) {
        IType *t = infer_arg(in, args), *parts[ARG_MAX], *elem = itype_fresh(in, IC_DATA);
        const Nat *length = size_fresh(in);
        if (!t || !itype_need(in, call, "unzip", itype_sized(in, I_ARRAY, length, elem), t)) return NULL;
        /* Nothing says what the elements are: pairs. (A match has given their type before.) */
        if (itype_now(in, elem)->kind == I_VAR) {
            IType *pair[] = {itype_fresh(in, IC_DATA), itype_fresh(in, IC_DATA)};
            if (!itype_need(in, call, "unzip", elem, itype_tuple(in, pair, 2))) return NULL;
        }
        elem = itype_now(in, elem);
        if (elem->kind != I_TUPLE)
            return infer_bad(in, call, "unzip needs an array of tuples, found %s", itype_text(in, t)), NULL;
        for (int i = 0; i < elem->count; i++) parts[i] = itype_sized(in, I_ARRAY, length, elem->kids[i]);
        return itype_tuple(in, parts, elem->count);
    }
    if (id == PRIM_ITERATE) return call_iterate(in, args, call);
    if (id == PRIM_SLICE) {
        /* f takes [n]a for every n, and n is no part of its result. */
        const Nat *step = args[0].ast ? infer_size(in, args[0].env, args[0].ast) : NULL, *length = size_fresh(in);
        IType *elem = itype_fresh(in, IC_DATA), *i32 = itype_scalar(in, SC_I32);
        for (int i = 2; i < 5 && step; i++) {
            IType *t = infer_arg(in, &args[i]);
            if (!t || !itype_need(in, call, "slice", i < 4 ? i32 : itype_sized(in, I_ARRAY, length, elem), t))
                return NULL;
        }
        const Nat *m = nat_fresh_index(in->c->nats, "n", nat_add(in->c->nats, length, size_const(in, 1)));
        IArg part = {.type = itype_sized(in, I_ARRAY, m, elem)};
        IType *r = step && args[1].ast ? infer_apply(in, args[1].env, args[1].ast, &part, 1, call) : NULL;
        Meta *f = r && args[1].ast->kind == AST_NAME ? meta_find(in, args[1].ast->name) : NULL;
        if (f && f->kind == META_FUN && !f->length) f->length = m, f->shrink = size_const(in, 1);
        return r;
    }
    if (id == PRIM_REORDER) {
        IType *t = infer_arg(in, &args[1]);
        const Nat *length = size_fresh(in);
        if (!t || !itype_need(in, call, "reorder", itype_sized(in, I_ARRAY, length, itype_fresh(in, IC_DATA)), t))
            return NULL;
        return args[0].ast && infer_permutation(in, args[0].env, args[0].ast, size_now(in, length)) ? t : NULL;
    }
    return infer_bad(in, call, "%s cannot be used here", prim(id)->name), NULL;
}

/* ---- application ---- */

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
    if (k != m->arity && m->arity != 1)
        return infer_bad(in, call, "%s takes %d arguments, it is given %d", f->name, m->arity, k), NULL;
    IType *type = m->type;
    if (m->length) {                                           /* a function of iterate, applied to an array of its own length */
        NatBinding b = {size_atom(m->length), size_fresh(in)};
        infer_cond(in, '|', m->shrink, b.value, false, "iterate");
        type = itype_subst(in, m->type, &b);
    }
    return itype_need(in, call, f->name, type->kids[0], itype_tuple(in, types, k)) ? type->kids[1] : NULL;
}

static IType *apply_lambda(Infer *in, const IEnv *env, AstPat *const *pats, int pat_count, const Ast *body,
                           const IArg *args, int n, Span call)
{
    if (n < pat_count)
        return infer_bad(in, call, "this function takes %d arguments, it is given %d", pat_count, n), NULL;
    env = MAKE(in->arena, IEnv, .next = env);
    for (int i = 0; i < pat_count && env; i++) {
        const IArg *a = &args[i];
        if (a->ast && pats[i]->name) env = MAKE(in->arena, IEnv, .name = pats[i]->name, .ast = a->ast, .env = a->env, .next = env);
        else env = bind_pattern(in, env, pats[i], infer_arg(in, a));
    }
    if (!env) return NULL;
    return n > pat_count ? infer_apply(in, env, body, args + pat_count, n - pat_count, call)
                         : infer_expr(in, env, body);
}

/* Syntax read in env as arguments, and more behind it. */
static IArg *args_of(Infer *in, const IEnv *env, Ast *const *kids, int n, const IArg *more, int more_count)
{
    IArg *out = NEW_ARRAY(in->arena, IArg, n + more_count);
    for (int i = 0; i < n; i++) out[i] = (IArg){.ast = kids[i], .env = env};
    for (int i = 0; i < more_count; i++) out[n + i] = more[i];
    return out;
}

static IType *infer_apply(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return infer_bad(in, call, "the rule is too large to type"), NULL;
    switch (f->kind) {
    case AST_LAMBDA: return apply_lambda(in, env, f->pats, f->pat_count, f->kids[0], args, n, call);
    case AST_NAME: {
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
    case AST_OP: case AST_SECTION_LEFT: case AST_SECTION_RIGHT:
        PrimId id = prim_from_name(f->name);
        if (f->kind == AST_OP || n != 1) return infer_prim(in, id, args, n, call);
        IArg side = {.ast = f->kids[0], .env = env};
        IArg both[2] = {f->kind == AST_SECTION_LEFT ? side : args[0], f->kind == AST_SECTION_LEFT ? args[0] : side};
        return infer_prim(in, id, both, 2, call);
    case AST_ANNOT: return infer_apply(in, env, f->kids[0], args, n, call);
    case AST_APP: case AST_BINARY: {
        if (f->kind == AST_BINARY && strcmp(f->name, ".") == 0) {
            IArg *all = args_of(in, env, NULL, 0, args, n);
            all[0] = (IArg){.type = infer_apply(in, env, f->kids[1], args, 1, call)};
            return all[0].type ? infer_apply(in, env, f->kids[0], all, n, call) : NULL;
        }
        if (f->kind == AST_BINARY && strcmp(f->name, "$") != 0) break;
        int had = f->kid_count - 1;
        return infer_apply(in, env, f->kids[0], args_of(in, env, f->kids + 1, had, args, n), had + n, call);
    }
    default: break;
    }
    return infer_bad(in, f->span, "this is not a function, it cannot be applied"), NULL;
}

/* ---- expressions ---- */

static IType *prim_expr(Infer *in, const IEnv *env, const Ast *a, PrimId id)
{
    return infer_prim(in, id, args_of(in, env, a->kids, a->kid_count, NULL, 0), a->kid_count, a->span);
}

IType *infer_expr(Infer *in, const IEnv *env, const Ast *a)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return infer_bad(in, a->span, "the rule is too large to type"), NULL;
    switch (a->kind) {
    case AST_NAME: {
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
    case AST_INT: case AST_FLOAT:
        if (a->suffix != SUFFIX_NONE) return itype_scalar(in, suffix_scalar(a->suffix));
        return itype_fresh(in, a->kind == AST_INT ? IC_NUMERIC : IC_FLOAT);
    case AST_BOOL: return itype_scalar(in, SC_BOOL);
    case AST_APP: return infer_apply(in, env, a, NULL, 0, a->span);
    case AST_LET: return apply_lambda(in, env, a->pats, 1, a->kids[1], &(IArg){.ast = a->kids[0], .env = env}, 1, a->span);
    case AST_IF: return prim_expr(in, env, a, PRIM_IF);
    case AST_TUPLE: {
        IType *types[ARG_MAX];
        int n = infer_args(in, args_of(in, env, a->kids, a->kid_count, NULL, 0), a->kid_count, types);
        if (n == 0 || (n == 1 && !in->right)) return infer_wrong_draw(in);
        return n < 0 ? NULL : itype_tuple(in, types, n);
    }
    case AST_PROJ: {
        IType *x = infer_expr(in, env, a->kids[0]), *parts[ARG_MAX];
        if (!x) return NULL;
        x = itype_now(in, x);
        if (x->kind == I_VAR) {
            /* Nothing says how many components it has: as few as can be, or one more. */
            int n = (a->ival < 1 ? 2 : (int)a->ival + 1) + (int)rng_below(in->rng, 2);
            for (int k = 0; k < n && n <= ARG_MAX; k++) parts[k] = itype_fresh(in, IC_DATA);
            itype_unify(in, x, n > ARG_MAX ? itype_fresh(in, IC_SCALARS) : itype_tuple(in, parts, n));
        }
        x = itype_now(in, x);
        if (x->kind == I_TUPLE && a->ival < x->count) return x->kids[a->ival];
        return infer_bad(in, a->span, "there is no component .%d in %s", (int)a->ival, itype_text(in, x)), NULL;
    }
    case AST_AT: {
        IType *x = infer_expr(in, env, a->kids[0]);
        if (!x) return NULL;
        IType *now = itype_now(in, x);
        if (now->kind == I_VECTOR) return now->kids[0];
        IType *i = infer_expr(in, env, a->kids[1]), *elem = itype_fresh(in, IC_DATA);
        if (!i || !itype_need(in, a->kids[1]->span, "an index", itype_scalar(in, SC_I32), i)) return NULL;
        return itype_need(in, a->span, "indexing", itype_sized(in, I_ARRAY, size_fresh(in), elem), x) ? elem : NULL;
    }
    case AST_BINARY: {
        bool pipe = strcmp(a->name, "|>") == 0;
        if (!pipe && strcmp(a->name, "$") != 0) return prim_expr(in, env, a, prim_from_name(a->name));
        IArg x = {.ast = a->kids[pipe ? 0 : 1], .env = env};
        return infer_apply(in, env, a->kids[pipe ? 1 : 0], &x, 1, a->span);
    }
    case AST_UNARY: return prim_expr(in, env, a, *a->name == '-' ? PRIM_NEG : PRIM_NOT);
    case AST_ANNOT: return infer_expr(in, env, a->kids[0]);
    default: return infer_bad(in, a->span, "a function stands where a value is needed"), NULL;
    }
}

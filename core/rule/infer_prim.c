/* infer_prim: types of calls of primitives: instances of their schemes. */
#include "infer_private.h"

#include <string.h>

/* One instance of a scheme: fresh types and sizes for its letters. */
typedef struct Instantiation {
    const Scheme *scheme;
    IType *types[SCHEME_TYPE_VARS];
    const Nat *nats[SCHEME_NAT_VARS];
} Instantiation;

static const Nat *scheme_size(Infer *in, Instantiation *k, const SchemeNat *s)
{
    if (s->op == 'c') return size_const(in, s->value);
    if (s->op == 0) {
        if (!k->nats[s->var]) k->nats[s->var] = size_fresh(in);
        return k->nats[s->var];
    }
    const Nat *a = scheme_size(in, k, s->a), *b = scheme_size(in, k, s->b);
    Nats *n = in->c->nats;
    if (!a || !b) return NULL;
    if (s->op == '/') return size_quotient(in, a, b);
    return s->op == '+' ? nat_add(n, a, b) : s->op == '-' ? nat_sub(n, a, b) : nat_mul(n, a, b);
}

static IType *scheme_var(Infer *in, Instantiation *k, int var)
{
    static const IClass classes[] = {
        [CLASS_DATA] = IC_DATA, [CLASS_SCALAR] = IC_SCALAR, [CLASS_NUMERIC] = IC_NUMERIC, [CLASS_FLOAT] = IC_FLOAT,
        [CLASS_INT] = IC_INT};
    if (!k->types[var]) k->types[var] = itype_fresh(in, classes[k->scheme->classes[var]]);
    return k->types[var];
}

static IType *scheme_type(Infer *in, Instantiation *k, const SchemeType *s)
{
    if (s->kind == SCH_VAR) return scheme_var(in, k, s->var);
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

static void scheme_facts(Infer *in, Instantiation *k, PrimId id)
{
    static const char ops[] = {[FACT_DIVIDES] = '|', [FACT_LE] = 'l', [FACT_LT] = '<'};
    for (int i = 0; i < k->scheme->fact_count; i++) {
        const SchemeFact *f = &k->scheme->facts[i];
        infer_cond(in, ops[f->kind], scheme_size(in, k, f->a), scheme_size(in, k, f->b), false, prim(id)->name);
    }
}

static const Nat *static_value(Infer *in, StaticKind kind, const IEnv *env, const Ast *a)
{
    const IEnv *b = a->kind == AST_NAME ? ienv_find(env, a->name) : NULL;
    if (b && b->ast) return static_value(in, kind, b->env, b->ast);
    if (kind == STATIC_SIZE) return infer_size(in, env, a);
    if (a->kind == AST_INT) return size_const(in, a->ival);
    for (int m = 0; kind == STATIC_MODE && m < PAD_MODES; m++)
        if (a->kind == AST_NAME && strcmp(a->name, pad_mode_name((PadMode)m)) == 0) return size_const(in, m);
    return a->kind == AST_NAME ? meta_static(in, a->name, kind)->nat : NULL;
}

static bool scheme_statics(Infer *in, Instantiation *k, const IArg *args)
{
    for (int i = 0; i < k->scheme->static_count; i++) {
        const Nat *v = args[i].ast ? static_value(in, k->scheme->statics[i].kind, args[i].env, args[i].ast)
                                   : NULL;
        if (!v) return false;
        k->nats[k->scheme->statics[i].nat_var] = v;
    }
    return true;
}

static bool scheme_args(Infer *in, Instantiation *k, PrimId id, const IArg *args, Span call)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < k->scheme->arg_count; i++) {
            const SchemeType *s = k->scheme->args[i];
            if ((s->kind == SCH_FUN) != (pass == 1)) continue;
            IType *want = scheme_type(in, k, s), *found;
            if (!want) return false;
            if (pass == 0) found = infer_arg(in, &args[i]);
            else {
                IArg one = {.type = want->kids[0]};
                found = args[i].ast ? infer_apply(in, args[i].env, args[i].ast, &one, 1, args[i].ast->span)
                                    : NULL;
                want = want->kids[1];
            }
            if (!found || !itype_need(in, args[i].ast ? args[i].ast->span : call, prim(id)->name, want, found))
                return false;
        }
    return true;
}

static const IArg *untuple(Infer *in, const IArg *a, int need, Span call, PrimId id)
{
    IArg *out = NEW_ARRAY(in->arena, IArg, need);
    IType *t = infer_arg(in, a), *parts[4];
    for (int i = 0; i < need; i++) parts[i] = out[i].type = itype_fresh(in, IC_DATA);
    return t && itype_need(in, call, prim(id)->name, itype_tuple(in, parts, need), t) ? out : NULL;
}

static IType *call_scheme(Infer *in, PrimId id, const IArg *args, int n, Span call)
{
    Instantiation k = {.scheme = prim_scheme(in->c, id)};
    int statics = k.scheme->static_count, need = k.scheme->arg_count;
    if (n > statics && !scheme_statics(in, &k, args)) return NULL;
    args += statics;
    n -= statics;
    if (n == 1 && need > 1 && prim(id)->family == FAM_SCALAR && (!args->ast || args->ast->kind != AST_SPREAD)) {
        args = untuple(in, args, need, call, id);
        n = args ? need : 0;
    }
    if (n != need) {
        infer_bad(in, call, "%s takes %d arguments", prim(id)->name, statics + need);
        return NULL;
    }
    if (!scheme_args(in, &k, id, args, call)) return NULL;
    scheme_facts(in, &k, id);
    return scheme_type(in, &k, k.scheme->result);
}

static IType *call_zip(Infer *in, const IArg *args, int n, Span call)
{
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

static IType *call_unzip(Infer *in, const IArg *args, Span call)
{
    IType *t = infer_arg(in, args), *parts[ARG_MAX], *elem = itype_fresh(in, IC_DATA);
    const Nat *length = size_fresh(in);
    if (!t || !itype_need(in, call, "unzip", itype_sized(in, I_ARRAY, length, elem), t)) return NULL;
    elem = itype_now(in, elem);
    if (elem->kind != I_TUPLE)
        return infer_bad(in, call, "unzip needs an array of tuples, found %s", itype_text(in, t)), NULL;
    for (int i = 0; i < elem->count; i++) parts[i] = itype_sized(in, I_ARRAY, length, elem->kids[i]);
    return itype_tuple(in, parts, elem->count);
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

static IType *call_reorder(Infer *in, const IArg *args, Span call)
{
    IType *t = infer_arg(in, &args[1]);
    const Nat *length = size_fresh(in);
    if (!t || !itype_need(in, call, "reorder", itype_sized(in, I_ARRAY, length, itype_fresh(in, IC_DATA)), t))
        return NULL;
    return args[0].ast && infer_permutation(in, args[0].env, args[0].ast, size_now(in, length)) ? t : NULL;
}

static IType *call_vec(Infer *in, const IArg *args, int n, Span call)
{
    IType *types[ARG_MAX], *elem = itype_fresh(in, IC_SCALAR);
    int k = infer_args(in, args, n, types);
    if (k == 1) {
        IType *t = itype_now(in, types[0]);
        if (t->kind == I_TUPLE) memcpy(types, t->kids, sizeof *types * (size_t)(k = t->count));
    }
    for (int i = 0; i < k; i++)
        if (!itype_need(in, call, "vec", elem, types[i])) return NULL;
    return k < 1 ? NULL : itype_sized(in, I_VECTOR, size_const(in, k), elem);
}

IType *infer_prim(Infer *in, PrimId id, const IArg *args, int n, Span call)
{
    int need = prim_static_count(in->c, id) + prim_arg_count(in->c, id);
    if (id == PRIM_ZIP) return call_zip(in, args, n, call);
    if (id == PRIM_VEC) return call_vec(in, args, n, call);
    if (prim_scheme(in->c, id)) return call_scheme(in, id, args, n, call);
    if (n != need) return infer_bad(in, call, "%s takes %d arguments", prim(id)->name, need), NULL;
    if (id == PRIM_UNZIP) return call_unzip(in, args, call);
    if (id == PRIM_ITERATE) return call_iterate(in, args, call);
    if (id == PRIM_REORDER) return call_reorder(in, args, call);
    infer_bad(in, call, "%s cannot be used here", prim(id)->name);
    return NULL;
}

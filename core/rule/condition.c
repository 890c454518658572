/* condition: what stands behind `when`, tried on a match; each verdict with its reason. */
#include "rule_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct CondCheck {
    Attempt *a;
    const Env *env;
    const AstCond *cond;
    const char *why;
    int inside;                          /* so many steps of the path from the root may lead into an iterate that is asked */
} CondCheck;

static Elab elab_of(Attempt *a) { return elab_start(a->c, a->arena, NULL); }
static Scope scope_of(const Attempt *a, const Env *env) { return (Scope){env, 0, a->code->source}; }

static const Nat *cond_size(CondCheck *k, int i)
{
    Elab e = elab_of(k->a);
    return elab_size(&e, scope_of(k->a, k->env), k->cond->args[i]);
}

static const char *nat_words(CondCheck *k, const Nat *n)
{
    Buf b = {0};
    nat_print(n, 0, &b);
    return buf_take(&b, k->a->arena);
}

enum { NO = 0, YES = 1, UNKNOWN = -1, ASSUME = 2 };      /* ASSUME: becomes a fact of the version */

static const char *remainder_text(CondCheck *k, int64_t n, int64_t d)
{
    return arena_printf(k->a->arena, "%lld mod %lld = %lld", (long long)n, (long long)d, (long long)(n % d));
}

/* "s0 divides N", with what it comes to for the present sizes. */
static const char *fact_why(CondCheck *k, FactKind kind, const Nat *x, const Nat *y)
{
    const RewriteEnv *env = k->a->env;
    int64_t a, b;
    bool known = env->value && nat_eval(x, env->value, env->value_data, &a) &&
                 nat_eval(y, env->value, env->value_data, &b) && a > 0;
    const char *op = kind == FACT_DIVIDES ? "divides" : kind == FACT_LE ? "<=" : "<";
    const char *fact = arena_printf(k->a->arena, "%s %s %s", nat_words(k, x), op, nat_words(k, y));
    if (!known) return arena_printf(k->a->arena, "%s is a fact from now on", fact);
    bool holds = kind == FACT_DIVIDES ? b % a == 0 : kind == FACT_LE ? a <= b : a < b;
    const char *now = kind == FACT_DIVIDES ? remainder_text(k, b, a)
                                           : arena_printf(k->a->arena, "%lld %s %lld", (long long)a, op, (long long)b);
    const char *broken = holds ? "" : "it does not hold: ";
    return arena_printf(k->a->arena, "%s is a fact from now on; at present %s%s", fact, broken, now);
}

/* Does it hang on how many elements a slice has? */
static bool is_sliced(const Nat *n) { return nat_var_of(n, VAR_INDEX, NULL) != NULL; }

/* The innermost iterate among those whose step's length they hang on, and how far from the root; NULL: there is none. */
static const Term *iterate_of(const CondCheck *k, const Nat *x, const Nat *y, int *depth)
{
    const Term *t = k->a->root, *found = NULL;
    for (int i = 0; i < k->inside; t = term_slot(t, k->a->at->slots[i++])) {
        bool step = t->kind == T_PRIM && t->prim == PRIM_ITERATE && k->a->at->slots[i] == 0;
        const NatAtom *v = step ? type_any_length(t->args[0]->type->elems[0]) : NULL;
        if (v && (nat_mentions(x, v) || nat_mentions(y, v))) found = t, *depth = i;
    }
    return found;
}

static int settle(CondCheck *k, FactKind kind, const Nat *x, const Nat *y);

static int add_fact(CondCheck *k, FactKind kind, const Nat *x, const Nat *y)
{
    RuleResult *r = k->a->out;
    if (k->cond->negated) return UNKNOWN;
    if (is_sliced(x) || is_sliced(y)) {
        k->why = arena_printf(k->a->arena, "it cannot be a fact: a slice may have any number of elements, 0 among them");
        return NO;
    }
    int depth;
    const Term *iterate = iterate_of(k, x, y, &depth);
    if (iterate) {
        /* What is asked of the length in an iterate's step is asked of each of its lengths; these hang on the iterates
         * around it only, even where a length of one inside has the same name. */
        const Nat *lengths[ITERATE_LENGTHS];
        int n = iterate_lengths(k->a->c, iterate, lengths), all = YES, inside = k->inside;
        k->inside = depth;
        for (int i = 0; i < n && all != NO; i++) {
            NatBinding at = {type_any_length(iterate->args[0]->type->elems[0]), lengths[i]};
            const Nat *a = nat_subst(k->a->c->nats, x, &at, 1, NULL), *b = nat_subst(k->a->c->nats, y, &at, 1, NULL);
            int one = a && b ? settle(k, kind, a, b) : NO;
            if (one != YES) all = one;
        }
        k->inside = inside;
        return all;
    }
    if (r->fact_count < COUNT(r->facts)) r->facts[r->fact_count++] = (Fact){kind, x, y};
    k->why = fact_why(k, kind, x, y);
    return ASSUME;
}

/* Is it so for all sizes, for none, or a fact from now on? */
static int settle(CondCheck *k, FactKind kind, const Nat *x, const Nat *y)
{
    Nats *n = k->a->c->nats;
    switch (kind) {
    case FACT_DIVIDES: return nat_divides(n, x, y, NULL) ? YES : nat_refuted_divides(n, x, y) ? NO : add_fact(k, kind, x, y);
    case FACT_LT: return nat_less(n, x, y) ? YES : nat_less_eq(n, y, x) ? NO : add_fact(k, kind, x, y);
    default: return nat_less_eq(n, x, y) ? YES : nat_less(n, y, x) ? NO : add_fact(k, kind, x, y);
    }
}

/* The function an argument of a condition names: a metavariable's lambda, or an operator at that lambda's type. */
static const Term *cond_function(CondCheck *k, int i)
{
    const Ast *a = k->cond->args[i];
    const Env *b = a->kind == AST_NAME ? env_find(k->env, a->name) : NULL;
    return b && b->kind == BIND_FUN ? b->term : NULL;
}

static int check_property(CondCheck *k, PropKind kind)
{
    Attempt *a = k->a;
    bool of_value = kind == PROP_NEUTRAL || kind == PROP_RESTARTS;
    int at = of_value ? 1 : 0;
    const Term *f = cond_function(k, at), *e = NULL;
    if (!f) return UNKNOWN;
    if (of_value) {
        Elab el = elab_of(a);
        e = elab_expr(&el, scope_of(a, k->env), k->cond->args[0], f->type->elems[1]);
        if (!e) return NO;
    }
    bool yes = lang_property(a->c, a->env->defs, kind, f, e, &k->why);
    k->why = arena_strdup(a->arena, k->why);
    return yes ? YES : UNKNOWN;
}

static int check_rescales(CondCheck *k)
{
    Attempt *a = k->a;
    const Term *e = cond_function(k, 0), *f = cond_function(k, 1), *g = cond_function(k, 2);
    if (!e || !f || !g) return UNKNOWN;
    Elab el = elab_of(a);
    const Term *w = elab_expr(&el, scope_of(a, k->env), k->cond->args[3], g->type->elems[1]);
    if (!w) return NO;
    bool yes = lang_rescales(a->c, a->env->defs, e, f, g, w, &k->why);
    k->why = arena_strdup(a->arena, k->why);
    return yes ? YES : UNKNOWN;
}

/* The value that an argument of a condition is; NULL: it does not type. */
static const Term *cond_value(CondCheck *k, int i)
{
    Elab e = elab_of(k->a);
    return elab_expr(&e, scope_of(k->a, k->env), k->cond->args[i], NULL);
}

/* The arrays that *x is, or that are zipped in it. */
static int zipped(const Term *const *x, const Term *const **out)
{
    bool zip = (*x)->kind == T_PRIM && (*x)->prim == PRIM_ZIP;
    *out = zip ? (*x)->args : x;
    return zip ? (*x)->arg_count : 1;
}

/* A layout that keeps elements in their order: what lies from end to end does so after it. */
static bool keeps_order(const Term *t)
{
    return t->kind == T_PRIM && (t->prim == PRIM_SPLIT || t->prim == PRIM_JOIN || t->prim == PRIM_AS_VECTOR || t->prim == PRIM_AS_SCALAR);
}

static bool is_written_image(const Term *t) { return t->kind == T_PRIM && t->prim == PRIM_TO_GLOBAL_IMAGE; }

static bool is_whole(const Term *t)
{
    while (keeps_order(t)) t = t->args[0];
    return t->kind == T_INPUT || (t->kind == T_PRIM && (t->prim == PRIM_TO_GLOBAL || is_written_image(t)));
}

static bool is_image(const Term *t) { return t->kind == T_PRIM && t->prim == PRIM_TO_IMAGE; }

static bool has_texels(const CondCheck *k, const Term *x)
{
    int texel;
    return type_image_row(k->a->c, x->type, &texel) != NULL;
}

/* Are the rows of the value whole texels? */
static int check_texels(CondCheck *k)
{
    int texel;
    const Term *x = cond_value(k, 0);
    const Nat *row = x ? type_image_row(k->a->c, x->type, &texel) : NULL;
    if (!x) return NO;
    if (!row) k->why = arena_printf(k->a->arena, "its type is %s: images hold arrays of numbers of 4 or 8 bytes", type_text(k->a->c, x->type));
    if (!row) return NO;
    const Nat *d = nat_const(k->a->c->nats, texel);
    int is = settle(k, FACT_DIVIDES, d, row);
    if (is == NO && !k->why) k->why = arena_printf(k->a->arena, "a texel holds %d elements, and a row %s", texel, nat_words(k, row));
    return is;
}

static int check_image(CondCheck *k)
{
    const Term *x = cond_value(k, 0);
    /* Is the value at the place read as an image: is it one, or does one stand around it, at most with such layouts
     * between? */
    const Term *t = k->a->root;
    bool in = false;
    for (int i = 0; i < k->a->at->length; t = term_slot(t, k->a->at->slots[i++]))
        in = is_image(t) || (in && keeps_order(t));
    while (keeps_order(t)) t = t->args[0];
    if (in || is_image(t)) k->why = "it is read as an image already";
    else if (x && has_texels(k, x) && !is_whole(x)) k->why = "it is neither an input, whole, nor under toGlobal";
    return k->why ? NO : check_texels(k);
}

/* May what makes it write it to an image? */
static int check_image_out(CondCheck *k)
{
    const Attempt *a = k->a;
    const Term *x = cond_value(k, 0), *t = a->root, *up = NULL;
    for (int i = 0; i < a->at->length; t = term_slot(t, a->at->slots[i++])) up = t;
    if (x && (is_written_image(x) || (up && is_written_image(up)))) k->why = "it is written to an image already";
    return k->why ? NO : check_texels(k);
}

static bool is_dim(const Term *t, PrimId id, const Nat *dim)
{
    return t->kind == T_PRIM && t->prim == id && (!dim || t->statics[0] == dim);
}

static int check_under(CondCheck *k)
{
    Attempt *a = k->a;
    PrimId id = pattern_prim(k->cond->name);
    const Nat *dim = k->cond->arg_count ? cond_size(k, 0) : NULL;
    const Term *t = a->root;
    for (int i = 0; i < a->at->length; i++) {
        /* under the function, not beside it; those of scanGroups are the work of the groups that read it */
        bool inside = t->kind == T_PRIM && t->args[a->at->slots[i]]->kind == T_LAM;
        bool groups = inside && t->prim == PRIM_SCAN_GROUPS && id == PRIM_MAP_WORKGROUP && (!dim || (dim->is_const && !dim->value));
        if (inside && (groups || is_dim(t, id, dim))) {
            k->why = arena_printf(a->arena, "under %s%s%s", k->cond->name, dim ? " " : "", dim ? nat_words(k, dim) : "");
            return YES;
        }
        t = term_slot(t, a->at->slots[i]);
    }
    k->why = arena_printf(a->arena, "not under %s%s%s", k->cond->name, dim ? " " : "", dim ? nat_words(k, dim) : "");
    return NO;
}

static bool contains(const Term *t, PrimId id, const Nat *dim)
{
    if (is_dim(t, id, dim)) return true;
    return ANY(i, t->arg_count, contains(t->args[i], id, dim));
}

static int check_contains(CondCheck *k)
{
    PrimId id = pattern_prim(k->cond->name);
    int last = k->cond->arg_count - 1;
    const Ast *of = k->cond->args[last];
    const Env *b = of->kind == AST_NAME ? env_find(k->env, of->name) : NULL;
    const Nat *dim = last > 0 ? cond_size(k, 0) : NULL;
    if (!b || !b->term) return UNKNOWN;
    bool yes = contains(b->term, id, dim);
    k->why = arena_printf(k->a->arena, "%s %s%s%s", yes ? "it contains" : "it does not contain", k->cond->name,
                          dim ? " " : "", dim ? nat_words(k, dim) : "");
    return yes ? YES : NO;
}

/* What an argument of a Lua condition stands for. */
static bool call_argument(CondCheck *k, int i, ConditionArg *out)
{
    const Ast *a = k->cond->args[i];
    const Env *b = a->kind == AST_NAME ? env_find(k->env, a->name) : NULL;
    *out = (ConditionArg){.term = b ? b->term : NULL};
    if (!out->term) out->size = b && b->kind == BIND_SIZE ? b->nat : cond_size(k, i);
    if (out->term || out->size) return true;
    k->why = arena_printf(k->a->arena, "argument %d of %s is neither a size nor bound on the left", i + 1, k->cond->name);
    return false;
}

static int check_call(CondCheck *k)
{
    RewriteEnv *env = k->a->env;
    ConditionArg args[8];
    int n = 0;
    k->why = "Lua functions are not at hand here";
    if (!env->call) return UNKNOWN;
    k->why = NULL;
    for (; n < k->cond->arg_count && n < COUNT(args); n++)
        if (!call_argument(k, n, &args[n])) return UNKNOWN;
    bool yes = env->call(env->call_data, k->cond->name, args, n, &k->why);
    if (k->why) k->why = arena_strdup(k->a->arena, k->why);
    return yes ? YES : NO;
}

static int check_one(CondCheck *k)
{
    const Term *f;
    switch (k->cond->kind) {
    case COND_DIVIDES: {
        const Nat *d = cond_size(k, 0), *x = d ? cond_size(k, 1) : NULL;
        if (!x) return NO;
        bool numbers = d->is_const && x->is_const && d->value > 0;
        int is = settle(k, FACT_DIVIDES, d, x);
        if (is == YES || (is == NO && !k->why))
            k->why = numbers ? remainder_text(k, x->value, d->value)
                             : arena_printf(k->a->arena, "%s %s %s", nat_words(k, d),
                                            is == YES ? "divides" : "does not divide", nat_words(k, x));
        return is;
    }
    case COND_COMPARE: {
        Nats *n = k->a->c->nats;
        const Nat *x = cond_size(k, 0), *y = x ? cond_size(k, 1) : NULL;
        const char *op = k->cond->name;
        if (!y) return NO;
        k->why = arena_printf(k->a->arena, "they are %s and %s", nat_words(k, x), nat_words(k, y));
        if (strcmp(op, "==") == 0) return x == y ? YES : NO;
        if (strcmp(op, "!=") == 0) return x == y ? NO : nat_less(n, x, y) || nat_less(n, y, x) ? YES : UNKNOWN;
        FactKind kind = op[1] ? FACT_LE : FACT_LT;
        return *op == '>' ? settle(k, kind, y, x) : settle(k, kind, x, y);
    }
    case COND_CONSTANT: {
        const Nat *n = cond_size(k, 0);
        /* Numbers and parameters only: a kernel is generated after the parameters have got their numbers. */
        bool fixed = n && !nat_var_of(n, VAR_SIZE, NULL) && !nat_var_of(n, VAR_INDEX, NULL);
        k->why = n ? arena_printf(k->a->arena, fixed ? "it is %s" : "it is %s, no number", nat_words(k, n)) : NULL;
        return fixed ? YES : NO;
    }
    case COND_ASSOCIATIVE: return check_property(k, PROP_ASSOCIATIVE);
    case COND_COMMUTATIVE: return check_property(k, PROP_COMMUTATIVE);
    case COND_NEUTRAL: return check_property(k, PROP_NEUTRAL);
    case COND_RESTARTS: return check_property(k, PROP_RESTARTS);
    case COND_RESCALES: return check_rescales(k);
    case COND_ATOMIC: {
        const Term *g = cond_function(k, 0);
        return !g ? UNKNOWN : lang_atomic(g, &k->why) ? YES : NO;
    }
    case COND_COMPUTES: return (f = cond_function(k, 0)) ? (f->flags & TF_COMPUTES) != 0 : UNKNOWN;
    case COND_LAYOUT: return (f = cond_function(k, 0)) ? term_is_layout(f) : UNKNOWN;
    case COND_IDENTITY:
        return (f = cond_function(k, 0)) ? term_is_param(f->args[0], f->type->elems[0], 0) : UNKNOWN;
    case COND_REPEATS:
        return (f = cond_function(k, 0)) ? term_uses(f->args[0], 0, f->type->elems[0]->leaf_count) > 1 : UNKNOWN;
    case COND_SHARES: {
        const Term *x = cond_value(k, 0), *y = cond_value(k, 1), *const *xs, *const *ys;
        if (!x || !y) return NO;
        int n = zipped(&x, &xs), m = zipped(&y, &ys);
        for (int i = 0; i < n; i++)
            if (ANY(j, m, xs[i] == ys[j])) return YES;
        return NO;
    }
    case COND_SCALAR: {
        const Ast *a = k->cond->args[0], *h = a->kind == AST_APP ? a->kids[0] : a;
        const Env *b = h->kind == AST_NAME ? env_find(k->env, h->name) : NULL;
        const Type *t = NULL;
        if (b && b->kind == BIND_FUN) {                            /* f _: the result of a function */
            t = b->term->type->elems[1];
        } else {
            const Term *x = cond_value(k, 0);
            if (!x) return NO;
            t = x->type;
        }
        k->why = arena_printf(k->a->arena, "its type is %s", type_text(k->a->c, t));
        return type_is_scalar_like(t) ? YES : NO;
    }
    case COND_IMAGE: return check_image(k);
    case COND_IMAGE_OUT: return check_image_out(k);
    case COND_UNDER: return check_under(k);
    case COND_CONTAINS: return check_contains(k);
    default: return check_call(k);
    }
}

static const char *cond_text(const Attempt *a, const AstCond *c)
{
    return source_part(a->arena, a->code->source, c->span.from, c->span.to);
}

/* All conditions; the first that does not hold stops, unless all are to be reported. */
bool condition_all(Attempt *a, const Env *env, bool all)
{
    bool ok = true;
    for (int i = 0; i < a->code->cond_count && (ok || all); i++) {
        CondCheck k = {.a = a, .env = env, .cond = a->code->conds[i], .inside = a->at->length};
        int v = check_one(&k);
        if (k.cond->negated && v != UNKNOWN) v = v == NO ? YES : NO;
        bool holds = v == YES || v == ASSUME;
        RuleResult *r = a->out;
        if (all && r->cond_count < COUNT(r->conds)) {
            r->conds[r->cond_count].text = cond_text(a, k.cond);
            r->conds[r->cond_count].verdict = v == ASSUME ? 2 : holds ? 1 : v == UNKNOWN ? -1 : 0;
            r->conds[r->cond_count++].why = k.why ? k.why : "";
        }
        if (!holds && ok) a->needs = cond_text(a, k.cond);
        if (!holds && ok && v == UNKNOWN) a->why = k.why ? arena_printf(a->arena, "unknown, %s", k.why) : "unknown";
        else if (!holds && ok) a->why = k.why ? k.why : "it does not hold";
        ok &= holds;
    }
    return ok;
}

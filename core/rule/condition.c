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

static const Nat *cond_size(CondCheck *k, int i)
{
    Elab e = elab_start(k->a->c, k->a->arena, NULL);
    return elab_size(&e, (Scope){k->env, 0, k->a->code->source}, k->cond->args[i]);
}

/* The value that an argument is; NULL: it does not type. */
static const Term *cond_value(CondCheck *k, int i, const Type *want)
{
    Elab e = elab_start(k->a->c, k->a->arena, NULL);
    return elab_expr(&e, (Scope){k->env, 0, k->a->code->source}, k->cond->args[i], want);
}

static const Env *cond_env(const CondCheck *k, const Ast *a) { return a->kind == AST_NAME ? env_find(k->env, a->name) : NULL; }

/* The function an argument names: a metavariable's lambda. */
static const Term *cond_function(CondCheck *k, int i)
{
    const Env *b = cond_env(k, k->cond->args[i]);
    return b && b->kind == BIND_FUN ? b->term : NULL;
}

static const char *nat_words(CondCheck *k, const Nat *n) { return nat_text(n, 0, k->a->arena); }

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
    if (nat_var_of(x, VAR_INDEX, NULL) || nat_var_of(y, VAR_INDEX, NULL)) {      /* how many elements a slice has */
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

static int check_property(CondCheck *k, PropKind kind)
{
    bool of_value = kind == PROP_NEUTRAL || kind == PROP_RESTARTS;
    const Term *f = cond_function(k, of_value), *e = f && of_value ? cond_value(k, 0, f->type->elems[1]) : NULL;
    if (!f) return UNKNOWN;
    if (of_value && !e) return NO;
    bool yes = lang_property(k->a->c, k->a->env->defs, kind, f, e, &k->why);
    k->why = arena_strdup(k->a->arena, k->why);
    return yes ? YES : UNKNOWN;
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

static bool is_image(const Term *t) { return t->kind == T_PRIM && t->prim == PRIM_TO_IMAGE; }

/* Are the rows of the value whole texels? NULL: there is none. */
static int check_texels(CondCheck *k, const Term *x)
{
    int texel;
    const Nat *row = x ? type_image_row(k->a->c, x->type, &texel) : NULL;
    if (!x || k->why) return NO;
    if (!row) {
        k->why = arena_printf(k->a->arena, "its type is %s: images hold arrays of numbers of 4 or 8 bytes", type_text(k->a->c, x->type));
        return NO;
    }
    int is = settle(k, FACT_DIVIDES, nat_const(k->a->c->nats, texel), row);
    if (is == NO && !k->why) k->why = arena_printf(k->a->arena, "a texel holds %d elements, and a row %s", texel, nat_words(k, row));
    return is;
}

static int check_image(CondCheck *k)
{
    const Term *x = cond_value(k, 0, NULL), *t = k->a->root, *from = x;
    int texel;
    /* Is the value at the place read as an image: is it one, or does one stand around it, at most with such layouts
     * between? */
    bool in = false;
    for (int i = 0; i < k->a->at->length; t = term_slot(t, k->a->at->slots[i++]))
        in = is_image(t) || (in && keeps_order(t));
    while (keeps_order(t)) t = t->args[0];
    while (from && keeps_order(from)) from = from->args[0];
    bool whole = from && (from->kind == T_INPUT || (from->kind == T_PRIM && (from->prim == PRIM_TO_GLOBAL || is_written_image(from))));
    if (in || is_image(t)) k->why = "it is read as an image already";
    else if (x && !whole && type_image_row(k->a->c, x->type, &texel)) k->why = "it is neither an input, whole, nor under toGlobal";
    return check_texels(k, x);
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
    bool under = false;
    for (int i = 0; i < a->at->length && !under; t = term_slot(t, a->at->slots[i++])) {
        /* under the function, not beside it; those of scanGroups are the work of the groups that read it */
        bool inside = t->kind == T_PRIM && t->args[a->at->slots[i]]->kind == T_LAM;
        bool groups = inside && t->prim == PRIM_SCAN_GROUPS && id == PRIM_MAP_WORKGROUP && (!dim || (dim->is_const && !dim->value));
        under = inside && (groups || is_dim(t, id, dim));
    }
    k->why = arena_printf(a->arena, "%s %s%s%s", under ? "under" : "not under", k->cond->name, dim ? " " : "", dim ? nat_words(k, dim) : "");
    return under ? YES : NO;
}

static bool contains(const Term *t, PrimId id, const Nat *dim)
{
    if (is_dim(t, id, dim)) return true;
    return ANY(i, t->arg_count, contains(t->args[i], id, dim));
}

/* A Lua condition. */
static int check_call(CondCheck *k)
{
    RewriteEnv *env = k->a->env;
    ConditionArg args[8];
    int n = 0;
    k->why = "Lua functions are not at hand here";
    if (!env->call) return UNKNOWN;
    k->why = NULL;
    for (; n < k->cond->arg_count && n < COUNT(args); n++) {
        const Env *b = cond_env(k, k->cond->args[n]);
        args[n] = (ConditionArg){.term = b ? b->term : NULL};
        if (args[n].term) continue;
        args[n].size = b && b->kind == BIND_SIZE ? b->nat : cond_size(k, n);
        if (args[n].size) continue;
        k->why = arena_printf(k->a->arena, "argument %d of %s is neither a size nor bound on the left", n + 1, k->cond->name);
        return UNKNOWN;
    }
    bool yes = env->call(env->call_data, k->cond->name, args, n, &k->why);
    if (k->why) k->why = arena_strdup(k->a->arena, k->why);
    return yes ? YES : NO;
}

static int check_one(CondCheck *k)
{
    Attempt *a = k->a;
    const Term *f, *x;
    switch (k->cond->kind) {
    case COND_DIVIDES: {
        const Nat *d = cond_size(k, 0), *n = d ? cond_size(k, 1) : NULL;
        if (!n) return NO;
        bool numbers = d->is_const && n->is_const && d->value > 0;
        int is = settle(k, FACT_DIVIDES, d, n);
        if (is == YES || (is == NO && !k->why))
            k->why = numbers ? remainder_text(k, n->value, d->value)
                             : arena_printf(a->arena, "%s %s %s", nat_words(k, d), is == YES ? "divides" : "does not divide",
                                            nat_words(k, n));
        return is;
    }
    case COND_COMPARE: {
        Nats *nats = a->c->nats;
        const Nat *m = cond_size(k, 0), *n = m ? cond_size(k, 1) : NULL;
        const char *op = k->cond->name;
        if (!n) return NO;
        k->why = arena_printf(a->arena, "they are %s and %s", nat_words(k, m), nat_words(k, n));
        if (strcmp(op, "==") == 0) return m == n ? YES : NO;
        if (strcmp(op, "!=") == 0) return m == n ? NO : nat_less(nats, m, n) || nat_less(nats, n, m) ? YES : UNKNOWN;
        FactKind kind = op[1] ? FACT_LE : FACT_LT;
        return *op == '>' ? settle(k, kind, n, m) : settle(k, kind, m, n);
    }
    case COND_CONSTANT: {
        const Nat *n = cond_size(k, 0);
        /* Numbers and parameters only: a kernel is generated after the parameters have got their numbers. */
        bool fixed = n && !nat_var_of(n, VAR_SIZE, NULL) && !nat_var_of(n, VAR_INDEX, NULL);
        k->why = n ? arena_printf(a->arena, fixed ? "it is %s" : "it is %s, no number", nat_words(k, n)) : NULL;
        return fixed ? YES : NO;
    }
    case COND_ASSOCIATIVE: return check_property(k, PROP_ASSOCIATIVE);
    case COND_COMMUTATIVE: return check_property(k, PROP_COMMUTATIVE);
    case COND_NEUTRAL: return check_property(k, PROP_NEUTRAL);
    case COND_RESTARTS: return check_property(k, PROP_RESTARTS);
    case COND_RESCALES: {
        const Term *e = cond_function(k, 0), *g = cond_function(k, 2);
        f = cond_function(k, 1);
        if (!e || !f || !g) return UNKNOWN;
        x = cond_value(k, 3, g->type->elems[1]);
        if (!x) return NO;
        bool yes = lang_rescales(a->c, a->env->defs, e, f, g, x, &k->why);
        k->why = arena_strdup(a->arena, k->why);
        return yes ? YES : UNKNOWN;
    }
    case COND_ATOMIC: return (f = cond_function(k, 0)) ? lang_atomic(f, &k->why) : UNKNOWN;
    case COND_COMPUTES: return (f = cond_function(k, 0)) ? (f->flags & TF_COMPUTES) != 0 : UNKNOWN;
    case COND_LAYOUT: return (f = cond_function(k, 0)) ? term_is_layout(f) : UNKNOWN;
    case COND_IDENTITY:
        return (f = cond_function(k, 0)) ? term_is_param(f->args[0], f->type->elems[0], 0) : UNKNOWN;
    case COND_REPEATS:
        return (f = cond_function(k, 0)) ? term_uses(f->args[0], 0, f->type->elems[0]->leaf_count) > 1 : UNKNOWN;
    case COND_SHARES: {
        const Term *y = cond_value(k, 1, NULL), *const *xs, *const *ys;
        x = cond_value(k, 0, NULL);
        if (!x || !y) return NO;
        int n = zipped(&x, &xs), m = zipped(&y, &ys);
        for (int i = 0; i < n; i++)
            if (ANY(j, m, xs[i] == ys[j])) return YES;
        return NO;
    }
    case COND_SCALAR: {
        const Ast *arg = k->cond->args[0];
        const Env *b = cond_env(k, arg->kind == AST_APP ? arg->kids[0] : arg);
        bool function = b && b->kind == BIND_FUN;                  /* f _: the result of a function */
        x = function ? NULL : cond_value(k, 0, NULL);
        if (!x && !function) return NO;
        const Type *t = function ? b->term->type->elems[1] : x->type;
        k->why = arena_printf(a->arena, "its type is %s", type_text(a->c, t));
        return type_is_scalar_like(t) ? YES : NO;
    }
    case COND_IMAGE: return check_image(k);
    case COND_IMAGE_OUT: {
        const Term *t = a->root, *up = NULL;
        x = cond_value(k, 0, NULL);
        for (int i = 0; i < a->at->length; t = term_slot(t, a->at->slots[i++])) up = t;
        if (x && (is_written_image(x) || (up && is_written_image(up)))) k->why = "it is written to an image already";
        return check_texels(k, x);
    }
    case COND_UNDER: return check_under(k);
    case COND_CONTAINS: {
        int last = k->cond->arg_count - 1;
        const Env *b = cond_env(k, k->cond->args[last]);
        const Nat *dim = last > 0 ? cond_size(k, 0) : NULL;
        if (!b || !b->term) return UNKNOWN;
        bool yes = contains(b->term, pattern_prim(k->cond->name), dim);
        k->why = arena_printf(a->arena, "%s %s%s%s", yes ? "it contains" : "it does not contain", k->cond->name,
                              dim ? " " : "", dim ? nat_words(k, dim) : "");
        return yes ? YES : NO;
    }
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
    a->failed = NULL;
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
        if (!holds && ok) a->needs = cond_text(a, k.cond), a->failed = k.cond;
        if (!holds && ok && v == UNKNOWN) a->why = k.why ? arena_printf(a->arena, "unknown, %s", k.why) : "unknown";
        else if (!holds && ok) a->why = k.why ? k.why : "it does not hold";
        ok &= holds;
    }
    return ok;
}

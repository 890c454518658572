/* apply: one attempt to apply a rule, in reading order: what stands behind `when`, tried on a match, each verdict with its reason;
 * arguments, match, right side; what is said when it fails. */
#include "elements.h"
#include "match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Attempt {
    RewriteEnv *env;
    Ctx *c;
    Arena *arena;                            /* of the attempt: scratch of the context from `mark` on */
    ArenaMark mark;
    const Rule *rule;
    const Term *root, *place;
    const Path *at;
    bool quiet;                              /* no messages: rule_applies */
    RuleArg args[6];
    int next_param;
    RuleResult *out;
    const Term *after;
    const AstCond *failed;                   /* the condition that did not hold last; NULL: all held */
    unsigned matters;                        /* of which parameters failures so far hang: a bit each */
    const char *needs, *why;  /* a match was not taken: the condition and what is known; NULL: there was none */
    Matcher matcher;
    const MatchState *match;                 /* NULL: all that there are */
} Attempt;

/* ---- conditions ---- */

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
    const Nat *n = elab_size(&e, (Scope){k->env, 0, k->a->rule->ast->source}, k->cond->args[i]);
    if (!n && !k->why) k->why = "there is no such size here";
    return n;
}

/* The value that an argument is; NULL: it does not type. */
static const Term *cond_value(CondCheck *k, int i, const Type *want)
{
    Elab e = elab_start(k->a->c, k->a->arena, NULL);
    return elab_whole(&e, (Scope){k->env, 0, k->a->rule->ast->source}, k->cond->args[i], want);
}

static const Env *cond_env(const CondCheck *k, const Ast *a) { return a->kind == AST_NAME ? env_find(k->env, a->name) : NULL; }

/* The function an argument names: a metavariable's lambda. */
static const Term *cond_function(CondCheck *k, int i)
{
    const Env *b = cond_env(k, k->cond->args[i]);
    return b && b->kind == BIND_FUN ? b->term : NULL;
}

/* Does nobody read why a condition does not hold? */
static bool is_silent(const Attempt *a) { return a->quiet && !a->matcher.explain; }

static const char *nat_words(CondCheck *k, const Nat *n) { return is_silent(k->a) ? "" : nat_text(n, 0, k->a->arena); }

enum { NO = 0, YES = 1, UNKNOWN = -1, ASSUME = 2 };      /* ASSUME: becomes a fact of the version */

static const char *remainder_text(CondCheck *k, int64_t n, int64_t d)
{
    return arena_printf(k->a->arena, "%lld mod %lld = %lld", (long long)n, (long long)d, (long long)(n % d));
}

/* "s0 divides N", with what it comes to for the present sizes. */
static const char *fact_why(CondCheck *k, const Fact *f)
{
    const RewriteEnv *env = k->a->env;
    int64_t a, b;
    if (is_silent(k->a)) return "";
    bool known = env->value && nat_eval(f->a, env->value, env->value_data, &a) &&
                 nat_eval(f->b, env->value, env->value_data, &b) && a > 0;
    const char *fact = fact_text(f, k->a->arena);
    if (!known) return arena_printf(k->a->arena, "%s is a fact from now on", fact);
    const char *now = f->kind == FACT_DIVIDES ? remainder_text(k, b, a)
                    : arena_printf(k->a->arena, "%lld %s %lld", (long long)a, fact_word(f->kind), (long long)b);
    const char *broken = fact_holds(f->kind, a, b) ? "" : "it does not hold: ";
    return arena_printf(k->a->arena, "%s is a fact from now on; at present %s%s", fact, broken, now);
}

/* The innermost iterate among those whose step's length they hang on, and how far from the root; NULL: there is none. */
static const Term *iterate_of(const CondCheck *k, const Nat *x, const Nat *y, int *depth)
{
    const Term *t = k->a->root, *found = NULL;
    for (int i = 0; i < k->inside; t = term_slot(t, k->a->at->slots[i++])) {
        bool step = term_is(t, PRIM_ITERATE) && k->a->at->slots[i] == 0;
        const NatAtom *v = step ? type_any_length(t->args[0]->type->elems[0]) : NULL;
        if (v && (nat_mentions(x, v) || nat_mentions(y, v))) found = t, *depth = i;
    }
    return found;
}

static int settle(CondCheck *k, Fact f);

static int add_fact(CondCheck *k, Fact f)
{
    RuleResult *r = k->a->out;
    if (k->cond->negated) return UNKNOWN;
    if (nat_var_of(f.a, VAR_INDEX, NULL) || nat_var_of(f.b, VAR_INDEX, NULL)) {      /* how many elements a slice has */
        k->why = arena_printf(k->a->arena, "it cannot be a fact: a slice may have any number of elements, 0 among them");
        return NO;
    }
    int depth;
    const Term *iterate = iterate_of(k, f.a, f.b, &depth);
    if (iterate) {
        /* What is asked of the length in an iterate's step is asked of each of its lengths; these hang on the iterates
         * around it only, even where a length of one inside has the same name. */
        const Nat *lengths[ITERATE_LENGTHS];
        int n = iterate_lengths(k->a->c, iterate, lengths), all = YES, inside = k->inside;
        k->inside = depth;
        for (int i = 0; i < n && all != NO; i++) {
            NatBinding at = {type_any_length(iterate->args[0]->type->elems[0]), lengths[i]};
            const Nat *a = nat_subst(k->a->c->nats, f.a, &at, 1, NULL), *b = nat_subst(k->a->c->nats, f.b, &at, 1, NULL);
            int one = a && b ? settle(k, (Fact){f.kind, a, b}) : NO;
            if (one != YES) all = one;
        }
        k->inside = inside;
        return all;
    }
    if (r->fact_count < COUNT(r->facts)) r->facts[r->fact_count++] = f;
    k->why = fact_why(k, &f);
    return ASSUME;
}

/* Is it so for all sizes, for none, or a fact from now on? */
static int settle(CondCheck *k, Fact f)
{
    Nats *n = k->a->c->nats;
    return fact_is_certain(n, &f, NULL) ? YES : fact_is_impossible(n, &f) ? NO : add_fact(k, f);
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
    int is = settle(k, (Fact){FACT_DIVIDES, nat_const(k->a->c->nats, texel), row});
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
        in = term_is(t, PRIM_TO_IMAGE) || (in && keeps_order(t));
    while (keeps_order(t)) t = t->args[0];
    while (from && keeps_order(from)) from = from->args[0];
    bool whole = from && (from->kind == T_INPUT || (from->kind == T_PRIM && (from->prim == PRIM_TO_GLOBAL || term_is(from, PRIM_TO_GLOBAL_IMAGE))));
    if (in || term_is(t, PRIM_TO_IMAGE)) k->why = "it is read as an image already";
    else if (x && !whole && type_image_row(k->a->c, x->type, &texel)) k->why = "it is neither an input, whole, nor under toGlobal";
    return check_texels(k, x);
}

/* mapWarp and mapLane are mapLocals, too. */
static bool is_dim(const Term *t, PrimId id, const Nat *dim)
{
    if (t->kind != T_PRIM) return false;
    if (id == PRIM_MAP_LOCAL && prim_is_of_warps((PrimId)t->prim)) return !dim || (dim->is_const && dim->value == term_map_dim(t));
    return t->prim == id && (!dim || t->statics[0] == dim);
}

static int check_under(CondCheck *k)
{
    Attempt *a = k->a;
    PrimId id = named_prim(k->cond->name);
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

/* Is the value at the place one of the numbers of an array's elements, by what the loops around it count and choices say of that? */
static int check_indexes(CondCheck *k)
{
    Attempt *a = k->a;
    Ctx *c = a->c;
    const Term *e = cond_value(k, 0, type_scalar(c, SC_I32)), *x = cond_value(k, 1, NULL);
    if (!e || !x || x->type->kind != TY_ARRAY) return UNKNOWN;
    NatsMark nats = nats_mark(c->nats);
    const Counters *around = counters_at(c, a->root, a->at->slots, a->at->length);
    const Nat *n = counters_value(c, e, around), *length = x->type->size;
    bool yes = counters_index(c, e, length, around);
    k->why = !n ? yes ? "a choice says so" : "which numbers it may be is not known" : arena_printf(a->arena, "%s %s below %s", nat_words(k, n), yes ? "is" : "is not known to be",
                                                                  nat_words(k, length));
    nats_release(c->nats, &nats);
    return yes ? YES : NO;
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
        int is = settle(k, (Fact){FACT_DIVIDES, d, n});
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
        return settle(k, *op == '>' ? (Fact){kind, n, m} : (Fact){kind, m, n});
    }
    case COND_CONSTANT: {
        const Nat *n = cond_size(k, 0);
        /* Numbers and parameters only: a kernel is generated after the parameters have got their numbers. */
        bool fixed = n && !nat_var_of(n, VAR_SIZE, NULL) && !nat_var_of(n, VAR_INDEX, NULL);
        k->why = n ? arena_printf(a->arena, fixed ? "it is %s" : "it is %s, no number", nat_words(k, n)) : NULL;
        return fixed ? YES : NO;
    }
    case COND_ASSOCIATIVE: case COND_COMMUTATIVE: case COND_NEUTRAL: case COND_RESTARTS: {
        bool of_value = k->cond->prop == PROP_NEUTRAL || k->cond->prop == PROP_RESTARTS;
        f = cond_function(k, of_value);
        if (!f) return UNKNOWN;
        x = of_value ? cond_value(k, 0, f->type->elems[1]) : NULL;
        if (of_value && !x) return NO;
        if (a->env->assumes && a->env->assumes(a->env->assumes_data, k->cond->prop, f, x)) return YES;
        a->c->assumed = NULL;
        bool yes = lang_property(a->c, a->env->defs, k->cond->prop, f, x, &k->why);
        if (yes && a->c->assumed) a->out->assumes = a->c->assumed;
        k->why = arena_strdup(a->arena, k->why);
        return yes ? YES : UNKNOWN;
    }
    case COND_RESCALES: {
        bool sums = k->cond->arg_count > 2;
        const Term *e = cond_function(k, 0), *g = sums ? cond_function(k, 2) : NULL;
        f = cond_function(k, 1);
        if (!e || !f || (sums && !g)) return UNKNOWN;
        x = sums ? cond_value(k, 3, g->type->elems[1]) : NULL;
        if (sums && !x) return NO;
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
    case COND_FINITE:
        k->why = "taken for granted: verify compares what the program does with your data";
        return YES;
    case COND_INDEXES: return check_indexes(k);
    case COND_IMAGE: return check_image(k);
    case COND_IMAGE_OUT: {
        const Term *t = a->root, *up = NULL;
        x = cond_value(k, 0, NULL);
        for (int i = 0; i < a->at->length; t = term_slot(t, a->at->slots[i++])) up = t;
        if (x && (term_is(x, PRIM_TO_GLOBAL_IMAGE) || (up && term_is(up, PRIM_TO_GLOBAL_IMAGE)))) k->why = "it is written to an image already";
        return check_texels(k, x);
    }
    case COND_UNDER: return check_under(k);
    case COND_CONTAINS: {
        int last = k->cond->arg_count - 1;
        const Env *b = cond_env(k, k->cond->args[last]);
        const Nat *dim = last > 0 ? cond_size(k, 0) : NULL;
        if (!b || !b->term) return UNKNOWN;
        bool yes = contains(b->term, named_prim(k->cond->name), dim);
        k->why = arena_printf(a->arena, "%s %s%s%s", yes ? "it contains" : "it does not contain", k->cond->name,
                              dim ? " " : "", dim ? nat_words(k, dim) : "");
        return yes ? YES : NO;
    }
    default: return check_call(k);
    }
}

/* Do the conditions of the rule hold in the environment of a match? The first that does not is in needs and why; the facts that are to be
 * assumed are in out. all: every one is tried and reported in out. */
static bool condition_all(Attempt *a, const Env *env, bool all)
{
    bool ok = true;
    a->failed = NULL;
    for (int i = 0; i < a->rule->ast->cond_count && (ok || all); i++) {
        CondCheck k = {.a = a, .env = env, .cond = a->rule->ast->conds[i], .inside = a->at->length};
        int v = k.cond->kind == COND_UNDER && a->env->anywhere ? (k.cond->negated ? NO : YES) : check_one(&k);
        if (k.cond->negated && v != UNKNOWN) v = v == NO ? YES : NO;
        bool holds = v == YES || v == ASSUME;
        RuleResult *r = a->out;
        const char *text = all || !holds ? source_part(a->arena, a->rule->ast->source, k.cond->span) : NULL;
        if (all && r->cond_count < COUNT(r->conds)) {
            r->conds[r->cond_count].text = text;
            r->conds[r->cond_count].verdict = v == ASSUME ? 2 : holds ? 1 : v == UNKNOWN ? -1 : 0;
            r->conds[r->cond_count++].why = k.why ? k.why : "";
        }
        if (!holds && ok) a->needs = text, a->failed = k.cond;
        if (!holds && ok && v == UNKNOWN) a->why = k.why ? arena_printf(a->arena, "unknown, %s", k.why) : "unknown";
        else if (!holds && ok) a->why = k.why ? k.why : "it does not hold";
        ok &= holds;
    }
    return ok;
}

/* ---- arguments ---- */

void rule_bind_arg(Ctx *c, Arena *arena, const Env **env, const RuleParam *p, const RuleArg *arg)
{
    BIND(arena, env, intern(c->names, p->name), p->kind == STATIC_PERM ? BIND_PERM : p->kind == STATIC_MODE ? BIND_MODE : BIND_SIZE,
         .nat = p->kind == STATIC_PERM && !arg->size ? nat_const(c->nats, 0) : arg->size, .perm = arg->perm, .fwd = arg->fwd,
         .inv = arg->inv);
}

static const Env *bind_args(Ctx *c, Arena *arena, const Rule *rule, const RuleArg *args, const Env *env)
{
    for (int i = 0; args && i < rule->param_count; i++)
        if (args[i].set) rule_bind_arg(c, arena, &env, &rule->params[i], &args[i]);
    return env;
}

static const Nat *fresh_param(Attempt *a, const char **name)
{
    const LangScope *ls = a->env->scope;
    for (;; a->next_param++) {
        char text[16];
        snprintf(text, sizeof text, "s%d", a->next_param);
        bool used = a->env->defs && defs_is_param(a->env->defs, text);
        for (int i = 0; ls && i < ls->param_count; i++) used |= strcmp(ls->params[i], text) == 0;
        if (used) continue;
        a->next_param++;
        *name = intern(a->c->names, text);
        return nat_var(a->c->nats, *name, VAR_PARAM, NULL, NULL);
    }
}

/* Parameters that neither the call nor the left side gave: sizes become fresh tuning parameters. */
static const Env *complete_args(Attempt *a, const Env *env, RuleResult *r)
{
    for (int i = 0; i < a->rule->param_count; i++) {
        const RuleParam *p = &a->rule->params[i];
        RuleArg *arg = &a->args[i];
        const Env *b = env_find(env, intern(a->c->names, p->name));
        const Nat *size = b ? env_size(a->c, b) : NULL;            /* of a number on the left, too: x[i * 2] for x[i * s] */
        *arg = b && (size || b->kind != BIND_TERM) ? (RuleArg){true, size ? size : b->nat, b->perm, b->fwd, b->inv} : (RuleArg){0};
        if (b || p->list) continue;
        *arg = (RuleArg){.set = true};
        arg->size = fresh_param(a, &r->new_params[r->new_param_count]);
        if (r->new_param_count < COUNT(r->new_params) - 1) r->new_param_count++;
        rule_bind_arg(a->c, a->arena, &env, p, arg);
    }
    return env;
}

/* ---- a match was found: conditions, right side ---- */

/* Does the match divide its lists as was asked for? */
static bool is_asked_part(Attempt *a, const Env *env)
{
    int i = rule_part_param(a->rule);
    if (i < 0) return true;
    const Env *asked = env_find(env, intern(a->c->names, PART_PARAM)), *list = env_find(env, a->rule->params[i].list);
    if (!asked || !list || (asked->nat->is_const && asked->nat->value == list->count)) return true;
    bool more = a->needs && a->why && !strncmp(a->needs, PART_PARAM, strlen(PART_PARAM));
    a->why = arena_printf(a->arena, more ? "%s, part %d" : "%sit matches at part %d", more ? a->why : "", list->count);
    a->needs = PART_PARAM " as asked";
    return false;
}

/* The right side that the engine makes of x; parameters are groups and the steps of these. */
static const Term *in_elements(Ctx *c, const Rule *rule, const Env *env, const Term *x)
{
    int64_t values[RULE_ARGS];
    for (int i = 0; i < rule->param_count; i++) {
        const Env *b = env_find(env, intern(c->names, rule->params[i].name));
        if (!b || !b->nat || !b->nat->is_const) return ctx_error(c, E22, "groups and steps are numbers");
        values[i] = b->nat->value;
    }
    if (rule->ast->elements == ELEMENTS_IN_PARTS) return elements_in_parts(c, x);
    if (rule->ast->elements == ELEMENTS_KEPT) return elements_kept(c, x);
    if (rule->ast->elements == ELEMENTS_TOGETHER) return elements_together(c, x);
    if (rule->ast->elements == ELEMENTS_GATHERED) return elements_gathered(c, x, values[0]);
    if (rule->ast->elements == ELEMENTS_RECURRENCE) return recurrence_of(c, x);
    return rule->param_count ? elements_grouped(c, x, values[0], values + 1, rule->param_count - 1) : elements_of(c, x);
}

static const Term *build(Ctx *c, Arena *arena, const Rule *rule, const Env *env, const UserHint *hints, const Type *type)
{
    Elab e = elab_start(c, arena, NULL);
    e.hints = hints;
    for (int i = 0; i < rule->param_count && !e.lone; i++) {                 /* is one of its widths 1? */
        const Env *b = rule->params[i].kind == STATIC_WIDTH ? env_find(env, intern(c->names, rule->params[i].name)) : NULL;
        e.lone = b && b->nat && b->nat->is_const && b->nat->value == 1;
    }
    const Term *t = elab_whole(&e, (Scope){env, 0, rule->ast->source}, rule_side(rule, true), type);
    return rule->ast->elements ? in_elements(c, rule, env, t) : t;
}

/* The parameters that the condition mentions, a bit each; NULL: all. */
static unsigned params_in(const Attempt *a, const AstCond *cond)
{
    unsigned bits = cond ? 0 : ~0u;
    for (int i = 0; cond && i < a->rule->param_count; i++) {
        const char *name = intern(a->c->names, a->rule->params[i].name);
        if (ANY(k, cond->arg_count, ast_mentions(cond->args[k], name))) bits |= 1u << i;
    }
    return bits;
}

static bool found(void *data, const MatchState *s)
{
    Attempt *a = data;
    RuleResult fresh = {0};
    if (!is_asked_part(a, s->env)) return false;
    *a->out = fresh;
    a->next_param = a->env->next_param;
    const Env *env = complete_args(a, s->env, a->out);
    bool report = !a->quiet && a->matcher.explain;
    if (report) {
        RuleResult *r = a->out;
        for (const Env *b = env; b && r->binding_count < BINDINGS_MAX; b = b->next) {
            const char *text = b->kind == BIND_SIZE && b->nat ? nat_text(b->nat, 0, a->c->diag.arena)
                             : b->term ? lang_text_of(a->c, a->root, a->at->slots, a->at->length, b->term, 70) : NULL;
            if (!text) continue;
            r->bindings[r->binding_count].name = b->name;
            r->bindings[r->binding_count++].text = text;
        }
    }
    Diag saved = diag_aside(&a->c->diag);                 /* what goes wrong here is a reason, not an error of its own */
    bool ok = condition_all(a, env, report);
    const Term *t = ok ? build(a->c, a->arena, a->rule, env, s->hints, a->place->type) : NULL;
    const char *problem = NULL;
    if (!ok) problem = a->why;
    else if (!t) problem = a->c->diag.message ? a->c->diag.message : "it does not type";
    else if (t->type != a->place->type) problem = is_silent(a) ? "" : arena_printf(a->arena, "its type would be %s", type_text(a->c, t->type));
    const Term *root = problem ? NULL : path_replace(a->c, a->root, a->at, t);
    if (!problem && !root) problem = a->c->diag.message ? a->c->diag.message : "the whole term would not type";
    if (problem && ok) {
        a->needs = "a right side that fits";
        a->why = arena_strdup(a->arena, problem);
    }
    diag_back(&a->c->diag, saved);
    if (problem) return a->matters |= params_in(a, a->failed), false;
    a->after = t;
    a->out->root = root;
    return true;
}

static bool attempt(Attempt *a, const RuleArg *args)
{
    a->matcher = (Matcher){.c = a->c, .arena = a->arena, .source = a->rule->ast->source, .found = found, .data = a,
                           .explain = a->matcher.explain, .root = a->root, .at = a->at};
    const Env *env = bind_args(a->c, a->arena, a->rule, args, a->match ? a->match->env : NULL);
    if (a->match) return found(a, &(MatchState){.env = env, .hints = a->match->hints});
    return match_term(&a->matcher, a->rule->pattern, a->place, env);
}

/* ---- legal values of parameters that must be given ---- */

static const char *legal_text(StaticKind kind)
{
    switch (kind) {
    case STATIC_DIM: return "0, 1 or 2";
    case STATIC_WIDTH: return "1 (scalars), 2, 3, 4, 8 or 16";
    case STATIC_MODE: return "\"clamp\", \"mirror\" or \"wrap\"";
    default: return "reverse, rotate(k) or stride(s)";
    }
}

/* A parameter that is neither given nor found on the left, and cannot be a fresh tuning parameter; -1: none. */
static int missing_param(const Rule *r, const RuleArg *args)
{
    return FIRST_NUMBER(i, r->param_count, r->params[i].given && r->params[i].kind != STATIC_SIZE && !(args && args[i].set));
}

/* Try every legal value of the missing parameters in turn, as long as what fails hangs on them. */
static bool attempt_any(Attempt *a, RuleArg *args)
{
    int i = missing_param(a->rule, args);
    if (i < 0) return attempt(a, args);
    static const int64_t widths[] = {4, 2, 8, 16};
    StaticKind kind = a->rule->params[i].kind;
    int n = kind == STATIC_DIM ? 3 : kind == STATIC_WIDTH ? COUNT(widths) : kind == STATIC_MODE ? PAD_MODES : 1;
    unsigned outer = a->matters;
    bool ok = false;
    a->matters = 0;
    args[i].set = true;
    if (kind == STATIC_PERM) args[i].perm = PERM_REVERSE;
    for (int k = 0; k < n && !ok && (k == 0 || a->matters & 1u << i); k++) {
        args[i].size = nat_const(a->c->nats, kind == STATIC_WIDTH ? widths[k] : k);
        ok = attempt_any(a, args);
    }
    args[i].set = ok;
    a->matters |= outer;
    return ok;
}

/* ---- failures ---- */

static bool head_differs(const Rule *r, const Term *place)
{
    return r->head != PRIM_COUNT && (place->kind != T_PRIM || place->prim != r->head);
}

/* "(map g x)" without its brackets, in the diag arena. */
static const char *bare_text(Ctx *c, const char *s)
{
    size_t n = strlen(s);
    int depth = 0;
    bool whole = n > 2 && s[0] == '(' && s[n - 1] == ')';
    for (size_t i = 0; i + 1 < n && whole; i++) {
        depth += s[i] == '(' ? 1 : s[i] == ')' ? -1 : s[i] == ',' && depth == 1 ? 1000 : 0;
        whole = depth > 0 && depth < 1000;
    }
    return whole ? arena_strndup(c->diag.arena, s + 1, n - 2) : arena_strdup(c->diag.arena, s);
}

/* brief: how far it got, without texts. */
static void misfit_of(Attempt *a, bool brief, RuleMisfit *m)
{
    const Mismatch *x = &a->matcher.mismatch;
    Arena *arena = a->c->diag.arena;
    *m = (RuleMisfit){.matched = a->needs != NULL, .progress = a->needs ? 1 << 20 : x->progress, .at = *a->at};
    if (brief) return;
    if (m->matched) {
        m->needs = arena_strdup(arena, a->needs);
        m->found = arena_strdup(arena, a->why);
        return;
    }
    for (int i = 0; i < x->path_length && m->at.length < PATH_MAX_LENGTH; i++) m->at.slots[m->at.length++] = x->path[i];
    m->needs = x->needs ? bare_text(a->c, x->needs) : "the left side";
    m->found = lang_text(a->c, a->root, m->at.slots, m->at.length, 70);
    m->because = x->detail ? arena_strdup(arena, x->detail) : NULL;
}

const char *cond_report(Ctx *c, const RuleResult *r, int i)
{
    static const char *const verdicts[] = {"unknown", "no", "yes", "yes"};
    const char *why = r->conds[i].why;
    return arena_printf(c->diag.arena, "%s: %s%s%s", r->conds[i].text, verdicts[r->conds[i].verdict + 1],
                        *why ? ", " : "", why);
}

static void report_failure(Attempt *a)
{
    Diag *d = &a->c->diag;
    RuleMisfit m;
    if (!diag_error(d, E21, "%s does not apply at %s", a->rule->name, path_text(a->c, a->root, a->at))) return;
    if (!a->matcher.explain) return;
    enum { LONG = 100 };                 /* conditions that do not matter where the form does not fit */
    misfit_of(a, false, &m);
    const char *text = a->rule->text, *when = strstr(text, "  when ");
    if (when && strlen(when) > LONG && !m.matched)
        diag_note(d, "rule", "%.*s  when ...        help %s", (int)(when - text), text, a->rule->name);
    else diag_note(d, "rule", "%s", text);
    if (m.at.length == a->at->length) diag_note(d, "needs", "%s", m.needs);
    else diag_note(d, "needs", "%s at %s", m.needs, path_text(a->c, a->root, &m.at));
    diag_note(d, "found", "%s", m.found);
    if (m.because) diag_note(d, "because", "%s", m.because);
    for (int i = 0; m.matched && a->out->cond_count > 1 && i < a->out->cond_count; i++)
        diag_note(d, "when", "%s", cond_report(a->c, a->out, i));
}

/* Until attempt_end. */
static Attempt attempt_at(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleResult *out)
{
    return (Attempt){.env = env, .c = env->c, .arena = env->c->scratch, .mark = arena_mark(env->c->scratch), .rule = rule,
                     .root = root, .at = at, .out = out, .place = path_term(root, at)};
}

static void attempt_end(Attempt *a) { arena_release(a->arena, a->mark); }

/* The end of an attempt that reports: what came of it, or why not. */
static bool conclude(Attempt *a, bool ok)
{
    if (ok) {
        a->out->before = a->place;
        a->out->after = a->after;
        memcpy(a->out->args, a->args, sizeof a->out->args);
        a->env->next_param = a->next_param;
    } else {
        report_failure(a);
    }
    /* The texts of conditions live longer than the attempt. */
    for (int i = 0; i < a->out->cond_count; i++) {
        a->out->conds[i].text = arena_strdup(a->c->diag.arena, a->out->conds[i].text);
        a->out->conds[i].why = arena_strdup(a->c->diag.arena, a->out->conds[i].why);
    }
    return ok;
}

static bool is_place(const Term *t) { return t && t->kind != T_LAM; }

bool rule_may_apply(const Rule *rule, const Term *place) { return is_place(place) && !head_differs(rule, place); }

bool rule_apply(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                bool explain, RuleResult *out)
{
    LOCAL(attempt_end) Attempt a = attempt_at(env, rule, root, at, out);
    memset(out, 0, sizeof *out);
    if (!a.place) return ctx_error(a.c, E11, "%s leaves the term" NOTE("hint") "`show --as tree` has its places", path_text(a.c, root, at));
    if (!is_place(a.place)) {
        const char *place = path_text(a.c, root, at);
        return ctx_error(a.c, E11, "rules apply to values; %s is a function" NOTE("hint") "did you mean %s/body?", place, place);
    }
    int missing = missing_param(rule, args);
    if (missing >= 0) {
        const RuleParam *p = &a.rule->params[missing];
        const char *some = p->kind == STATIC_DIM ? "0" : p->kind == STATIC_WIDTH ? "4" : p->kind == STATIC_MODE ? "\"clamp\"" : "stride(32)";
        return ctx_error(a.c, E22, "%s needs its argument %s: %s" NOTE("try") "apply %s(%s)%s%s", rule->name, p->name, legal_text(p->kind),
                         rule->name, some, at->length ? " at " : "", at->length ? path_text(a.c, root, at) : "");
    }
    for (int i = 0; args && i < rule->param_count; i++) {                      /* is there one that no place could take? */
        const RuleParam *p = &rule->params[i];
        int64_t n, most;
        if (!args[i].set || (p->kind != STATIC_DIM && p->kind != STATIC_WIDTH)) continue;
        if (!nat_lower(a.c->nats, args[i].size, &n) || !nat_upper(a.c->nats, args[i].size, &most) || n != most) continue;
        if (p->kind == STATIC_DIM ? n < 0 || n > 2 : n < 1 || n > 16 || (n != 3 && (n & (n - 1))))
            return ctx_error(a.c, E22, "the argument %s of %s is %s", p->name, rule->name, legal_text(p->kind));
    }
    a.matcher.explain = explain;
    return conclude(&a, (explain || !head_differs(rule, a.place)) && attempt(&a, args));
}

bool rule_instantiate(RewriteEnv *env, const Rule *rule, const Env *metas, const Term *root, const Path *at, bool explain,
                      RuleResult *out)
{
    LOCAL(attempt_end) Attempt a = attempt_at(env, rule, root, at, out);
    a.matcher.explain = explain;
    return conclude(&a, found(&a, &(MatchState){.env = metas}));
}

bool rule_breaks_sizes(const RewriteEnv *env, const RuleResult *r)
{
    for (int i = 0; env->value && i < r->fact_count; i++) {
        int64_t a, b;
        const Fact *f = &r->facts[i];
        if (nat_eval(f->a, env->value, env->value_data, &a) && nat_eval(f->b, env->value, env->value_data, &b) && !fact_holds(f->kind, a, b)) return true;
    }
    return false;
}

bool rule_apply_match(RewriteEnv *env, const Rule *rule, const MatchState *match, const Term *root, const Path *at, RuleArg args[RULE_ARGS],
                      RuleResult *out)
{
    if (!rule_may_apply(rule, path_term(root, at))) return false;
    RewriteEnv copy = *env;
    LOCAL(attempt_end) Attempt a = attempt_at(&copy, rule, root, at, out);
    a.quiet = true;
    a.match = match;
    if (!attempt_any(&a, args)) return false;
    out->before = a.place;
    out->after = a.after;
    memcpy(out->args, a.args, sizeof out->args);
    return true;
}

bool rule_apply_open(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleArg args[RULE_ARGS], RuleResult *out)
{
    return rule_apply_match(env, rule, NULL, root, at, args, out);
}

bool rule_applies(RewriteEnv *env, const Rule *rule, const RuleArg *given, const Term *root, const Path *at)
{
    RuleResult r;
    RuleArg args[RULE_ARGS] = {{0}};
    if (given) memcpy(args, given, sizeof *args * (size_t)rule->param_count);
    return rule_apply_open(env, rule, root, at, args, &r);
}

bool rule_applies_now(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at)
{
    RuleResult r;
    RuleArg args[RULE_ARGS] = {{0}};
    return rule_apply_open(env, rule, root, at, args, &r) && !rule_breaks_sizes(env, &r);
}

bool rule_misfit(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at, bool brief,
                 RuleMisfit *out)
{
    RewriteEnv copy = *env;
    RuleResult r;
    LOCAL(attempt_end) Attempt a = attempt_at(&copy, rule, root, at, &r);
    a.quiet = true;
    a.matcher.explain = true;
    if (is_place(a.place) && attempt(&a, args)) return false;
    misfit_of(&a, brief, out);
    return true;
}

/* ---- the two halves of a step, for tracing it ---- */

bool rule_each_match(Ctx *c, Arena *arena, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                     MatchEach *each, void *data)
{
    Matcher m = {.c = c, .arena = arena, .source = rule->ast->source, .trace = true, .found = each, .data = data, .root = root, .at = at};
    return match_term(&m, rule->pattern, path_term(root, at), bind_args(c, arena, rule, args, NULL));
}

const Term *rule_right_side(Ctx *c, Arena *arena, const Rule *rule, const Env *env, const UserHint *hints, const Type *type)
{
    Diag saved = diag_aside(&c->diag);
    const Term *t = build(c, arena, rule, env, hints, type);
    diag_back(&c->diag, saved);
    return t;
}

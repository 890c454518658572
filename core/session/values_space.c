/* values_space: the parameter space of a version for the current sizes, and what it says of one parameter. */
#include "session_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* s2 before s10 */
static int compare_names(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    for (; *x && *x == *y && !isdigit((unsigned char)*x); x++, y++) continue;
    if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
        long m = strtol(x, NULL, 10), n = strtol(y, NULL, 10);
        if (m != n) return (m > n) - (m < n);
    }
    return strcmp(x, y);
}

int session_space_names(const Version *v, bool bound, Arena *arena, const char ***out)
{
    NatAtomVec used = {0};
    int n = 0;
    term_vars(v->root, VAR_PARAM, &used);
    *out = NEW_ARRAY(arena, const char *, used.n);
    for (int i = 0; i < used.n; i++)
        if (bound || !version_param(v, used.v[i]->name)) (*out)[n++] = used.v[i]->name;
    free(used.v);
    qsort(*out, (size_t)n, sizeof **out, compare_names);
    return n;
}

static NatBinding *value_map(const Session *s, const Values *values, Arena *arena, int *n)
{
    NatBinding *map = NEW_ARRAY(arena, NatBinding, values->count);
    *n = 0;
    for (int i = 0; i < values->count; i++) {
        const Binding *b = &values->b[i];
        if (!b->set) continue;
        const Nat *var = nat_var(s->ctx->nats, b->name, b->kind, NULL, NULL);
        map[(*n)++] = (NatBinding){var->terms[0].factors[0].atom, nat_const(s->ctx->nats, b->value)};
    }
    return map;
}

static bool holds_always(Nats *n, const Fact *f)
{
    if (f->kind == FACT_DIVIDES) return nat_divides(n, f->a, f->b, NULL);
    return f->kind == FACT_LE ? nat_less_eq(n, f->a, f->b) : nat_less(n, f->a, f->b);
}

static TuneVar variable(const char *name, const SpaceOptions *o)
{
    for (int i = 0; i < o->value_count; i++)
        if (!strcmp(o->values[i].name, name)) return o->values[i];
    return (TuneVar){.name = name};
}

/* ---- what the user asks besides ---- */

void session_ask(Session *s, AskedCall *call, void *data)
{
    s->asked = call;
    s->asked_data = data;
}

int session_asked(const Session *s, const Version *v, const char *const *names, int n, Arena *arena, AskedConstraint **out)
{
    return s->asked ? s->asked(s->asked_data, v, names, n, arena, out) : 0;
}

/* Those that are about the version, as constraints of its space; -1: an error. */
static int asked_constraints(const Session *s, const Version *v, bool bound, Arena *arena, Constraint **out)
{
    const char **names;
    AskedConstraint *list;
    int n = session_space_names(v, bound, arena, &names), kept = 0;
    n = session_asked(s, v, names, n, arena, &list);
    *out = NEW_ARRAY(arena, Constraint, n > 0 ? n : 0);
    for (int i = 0; i < n; i++)
        if (!list[i].missing) (*out)[kept++] = list[i].con;
    return n < 0 ? -1 : kept;
}

/* Is a fact broken whatever the parameters are? A term whose sizes break one does not type with them put in. */
static bool none_legal(Nats *n, const PlanFact *facts, int count)
{
    for (int i = 0; i < count; i++) {
        const Fact *f = &facts[i].fact;
        bool numbers = f->a->is_const && f->b->is_const;
        if (numbers && !holds_always(n, f)) return true;
    }
    return false;
}

int session_constraints(const Session *s, const Values *values, const SpaceOptions *o, Arena *arena, Constraint **out)
{
    PlanFact *facts;
    Constraint *own, *asked;
    Diag *diag = &s->ctx->diag;
    bool failed = diag_failed(diag);
    int n = session_facts(s, values->version, arena, &facts);
    /* A fact with values put in; one that has become no size at all (1024 / 3) cannot hold. */
    Nats *nats = s->ctx->nats;
    int count, kept = 0;
    NatBinding *map = value_map(s, values, arena, &count);
    for (int i = 0; i < n; i++) {
        Fact *f = &facts[i].fact;
        f->a = nat_subst(nats, f->a, map, count, NULL);
        f->b = nat_subst(nats, f->b, map, count, NULL);
        if (!f->a || !f->b) *f = (Fact){FACT_LE, nat_const(nats, 1), nat_const(nats, 0)};
        if (!holds_always(nats, f)) facts[kept++] = facts[i];
    }
    n = kept;
    const Term *t = o->limits ? session_bound_term(s, values, true) : values->version->root;
    bool none = !t && none_legal(s->ctx->nats, facts, n);
    if (!t && !none) return -1;
    if (none && !failed) diag_clear(diag);
    n = tune_constraints(s->ctx, arena, t, facts, n, none ? NULL : o->limits, &own);
    int more = o->asked ? asked_constraints(s, values->version, o->bound, arena, &asked) : 0;
    if (more < 0) return -1;
    *out = NEW_ARRAY(arena, Constraint, n + more + o->constraint_count);
    if (n) memcpy(*out, own, sizeof **out * (size_t)n);
    if (more) memcpy(*out + n, asked, sizeof **out * (size_t)more);
    n += more;
    if (o->constraint_count) memcpy(*out + n, o->constraints, sizeof **out * (size_t)o->constraint_count);
    return n + o->constraint_count;
}

TuneSpace *session_space(const Session *s, const Version *v, const SpaceOptions *o, Arena *arena, Values *at)
{
    const char **names;
    Constraint *all;
    Diag *diag = &s->ctx->diag;
    bool failed = diag_failed(diag);
    /* The values that are put in before: sizes, and parameters that are bound unless they are part of the space.
     * Sizes that are not set are the smallest legal ones for parameters of 1, or, where there are none, 256. */
    bool sized = true;
    session_given_values(s, v, arena, at);
    for (int i = 0; i < at->derivation->program->size_count; i++) sized = sized && at->b[i].set;
    if (!sized && !session_trial_values(s, v, arena, at)) {
        session_given_values(s, v, arena, at);
        for (int i = 0; i < at->derivation->program->size_count; i++) {
            if (at->b[i].set) continue;
            at->b[i].set = at->chosen[i] = true;
            at->b[i].value = SIZE_DEFAULT;
        }
    }
    for (int i = 0; o->bound && i < at->count; i++)
        if (at->b[i].kind == VAR_PARAM) at->b[i].set = false;
    int n = session_space_names(v, o->bound, arena, &names), count = session_constraints(s, at, o, arena, &all);
    if (count < 0) return NULL;
    TuneVar *vars = NEW_ARRAY(arena, TuneVar, n);
    for (int i = 0; i < n; i++) vars[i] = variable(names[i], o);
    TuneSpec spec = {.vars = vars, .var_count = n, .constraints = all, .constraint_count = count, .limit = o->limit,
                     .edges = o->edges, .stop = o->stop, .interrupt = s->ctx->stop};
    TuneSpace *space = tune_space(&spec, diag);
    if (!space || failed || !diag_failed(diag)) return space;
    tune_free(space);                    /* a constraint could not be asked */
    return NULL;
}

/* ---- limits ---- */

void session_set_limits(Session *s, const char *device, const TuneLimits *limits)
{
    s->limits = device ? *limits : (TuneLimits){0};
    snprintf(s->device, sizeof s->device, "%s", device ? device : "");
}

const TuneLimits *session_limits(const Session *s, const char **device)
{
    if (device) *device = *s->device ? s->device : NULL;
    return *s->device ? &s->limits : NULL;
}

/* ---- legal values ---- */

enum { LEGAL_EDGES = 1 << 18, LEGAL_MAX = 4096, LEGAL_PARAMS = 128 };      /* beyond: each parameter for itself */

static bool nat_reads(const Nat *n, VarKind kind, const char *name)
{
    NatAtomVec vars = {0};
    bool found = false;
    nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++) found = found || (vars.v[i]->var == kind && !strcmp(vars.v[i]->name, name));
    free(vars.v);
    return found;
}

static bool fact_reads(const Fact *f, VarKind kind, const char *name)
{
    return nat_reads(f->a, kind, name) || nat_reads(f->b, kind, name);
}

/* "N = 4096, K = 64": the sizes in facts that bear on a parameter. NULL: no fact does. */
static const char *sizes_of(const Session *s, const Values *at, const char *param, Arena *arena)
{
    PlanFact *facts;
    Buf b = {0};
    int n = session_facts(s, at->version, arena, &facts);
    bool *marks = NEW_ARRAY(arena, bool, n);
    /* The facts that bear on a parameter, also through others: marks[i]. */
    bool *reached = mem_alloc((size_t)at->version->param_count + 1), changed = true, any = false;
    for (int k = 0; k < at->version->param_count; k++) reached[k] = !strcmp(at->version->params[k].name, param);
    while (changed) {
        changed = false;
        for (int i = 0; i < n; i++) {
            bool bears = false;
            for (int k = 0; k < at->version->param_count; k++)
                bears = bears || (reached[k] && fact_reads(&facts[i].fact, VAR_PARAM, at->version->params[k].name));
            if (!bears || marks[i]) continue;
            marks[i] = changed = any = true;
            for (int k = 0; k < at->version->param_count; k++)
                reached[k] = reached[k]
                          || (!at->version->params[k].value
                              && fact_reads(&facts[i].fact, VAR_PARAM, at->version->params[k].name));
        }
    }
    free(reached);
    if (!any) return NULL;
    for (int k = 0; k < at->count; k++) {
        bool read = false;
        if (at->b[k].kind != VAR_SIZE || !at->b[k].set) continue;
        for (int i = 0; i < n && !read; i++) read = marks[i] && fact_reads(&facts[i].fact, VAR_SIZE, at->b[k].name);
        if (read) buf_printf(&b, "%s%s = %lld", b.len ? ", " : "", at->b[k].name, (long long)at->b[k].value);
    }
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

typedef struct Legality {                /* of one parameter, the others having the values of fixed, 0: open */
    const Session *s;
    const Version *version;
    const TuneSpace *space;
    int var;
    int64_t *fixed;
    Arena *arena;
    bool asked;                          /* with[] is made */
    int asked_count;
    /* legal values with the first ones that are asked; con: the last of those */
    struct With { const Constraint *con; int count; int64_t *values; } *with;
} Legality;

static SpaceOptions legal_options(const Session *s)
{
    return (SpaceOptions){.bound = true, .asked = true, .limits = session_limits(s, NULL), .edges = LEGAL_EDGES};
}

/* What is legal with none, one, two ... of the asked constraints. */
static void find_asked(Legality *l)
{
    Values at;
    SpaceOptions o = legal_options(l->s);
    l->asked = true;
    int n = 0, all = tune_constraint_count(l->space);
    Constraint *asked;
    if (asked_constraints(l->s, l->version, true, l->arena, &asked) < 0) return;
    o.asked = false;
    o.constraints = asked;
    for (int i = 0; i < all; i++) n += tune_constraint(l->space, i)->from != NULL;
    l->with = NEW_ARRAY(l->arena, struct With, n + 1);
    for (; o.constraint_count <= n; o.constraint_count++) {
        TuneSpace *space = session_space(l->s, l->version, &o, l->arena, &at);
        if (!space) return;
        struct With *w = &l->with[l->asked_count++];
        w->con = o.constraint_count ? &asked[o.constraint_count - 1] : NULL;
        w->count = tune_values(space, l->var, l->fixed, l->arena, &w->values);
        tune_free(space);
    }
}

static bool is_among(int64_t value, const int64_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == value) return true;
    return false;
}

/* The asked constraint with which the value stops being legal, for any values of the open parameters. */
static const Constraint *asked_against(Legality *l, int64_t value)
{
    bool any = false;
    for (int i = 0; i < tune_constraint_count(l->space); i++) any = any || tune_constraint(l->space, i)->from;
    if (any && !l->asked) find_asked(l);
    for (int i = 0; i < l->asked_count; i++)
        if (!is_among(value, l->with[i].values, l->with[i].count)) return l->with[i].con;
    return NULL;
}

/* Why a candidate is not legal, without a count. */
static LegalRejection why_not(Legality *l, int64_t value)
{
    int64_t before = l->fixed[l->var];
    l->fixed[l->var] = value;
    const Constraint *c = tune_violated(l->space, l->fixed);
    l->fixed[l->var] = before;
    if (c) return (LegalRejection){arena_strdup(l->arena, c->text), c->from ? arena_strdup(l->arena, c->from) : NULL, 0, NULL};
    c = asked_against(l, value);
    const char *none = "no values of the other parameters go with it";
    return (LegalRejection){.text = c ? arena_printf(l->arena, "%s: %s", c->text, none) : none, .from = c ? c->from : NULL};
}

static void add_rejection(LegalRejection *list, int *n, LegalRejection why, int64_t value, int most, Arena *arena)
{
    int i = 0;
    while (i < *n && strcmp(list[i].text, why.text)) i++;
    if (i == *n) {
        why.values = NEW_ARRAY(arena, int64_t, most);
        list[(*n)++] = why;
    }
    ((int64_t *)(uintptr_t)list[i].values)[list[i].count++] = value;
}

static bool legal_of(const Session *s, const TuneSpace *space, const Values *values, const char *param, Arena *arena,
                     LegalValues *out)
{
    Legality l = {.s = s, .version = values->version, .space = space, .var = tune_find(space, param), .arena = arena};
    if (l.var < 0) return false;
    int64_t *fixed = NEW_ARRAY(arena, int64_t, tune_var_count(space));
    for (int i = 0; i < values->count; i++) {
        const Binding *b = &values->b[i];
        int var = b->kind == VAR_PARAM && b->set ? tune_find(space, b->name) : -1;
        if (var >= 0 && strcmp(b->name, param)) fixed[var] = b->value;
    }
    l.fixed = fixed;
    out->count = tune_values(space, l.var, l.fixed, arena, &out->values);
    if (out->count == 0 && tune_violated(space, l.fixed)) return false;
    const int64_t *all;
    int n = tune_candidates(l.space, l.var, &all);
    LegalRejection *list = NEW_ARRAY(l.arena, LegalRejection, 2 * tune_constraint_count(l.space) + 1);
    for (int i = 0, k = 0; i < n; i++) {
        if (k < out->count && out->values[k] == all[i]) k++;
        else add_rejection(list, &out->rejection_count, why_not(&l, all[i]), all[i], n, l.arena);
    }
    out->rejections = list;
    out->known = true;
    out->all_listed = out->count < LEGAL_MAX;
    return true;
}

/* Is anything asked of the parameter? */
static bool is_asked_of(const TuneSpace *space, const char *param)
{
    int var = tune_find(space, param);
    for (int i = 0; i < tune_constraint_count(space); i++) {
        const Constraint *c = tune_constraint(space, i);
        for (int k = 0; c->from && k < c->var_count; k++)
            if (c->vars[k] == var) return true;
    }
    return false;
}

bool legal_in_space(const Session *s, const Values *values, const char *param, Arena *arena, LegalValues *out)
{
    Values at;
    if (values->version->param_count > LEGAL_PARAMS) return false;
    Diag *diag = &s->ctx->diag;
    bool failed = diag_failed(diag);
    SpaceOptions o = legal_options(s);
    TuneSpace *space = session_space(s, values->version, &o, arena, &at);
    const char *sizes = space ? sizes_of(s, &at, param, arena) : NULL;
    if (space && !sizes && is_asked_of(space, param)) sizes = "";
    bool ok = sizes && legal_of(s, space, values, param, arena, out);
    if (ok) out->at = sizes;
    tune_free(space);
    bool unasked = diag_failed(diag) && (diag->id == E24 || diag->id == E25);
    if (!failed && !unasked) diag_clear(diag);
    return ok && !unasked;
}

/* values: values of sizes and parameters: given, by default, legal; the facts that they must meet; the space of a version's
 * parameters for the current sizes, and what it says of one of them. */
#include "session_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEGAL_EDGES = 1 << 18, LEGAL_PARAMS = 128,     /* beyond: each parameter for itself */
    LEGAL_MAX = 4096,                              /* legal values kept */
    LEGAL_SHOWN = 24,                              /* ... and shown in an error */
    LEGAL_RANGE = 65536,                           /* largest candidate when no fact says "divides" */
};

int session_space_names(const Version *v, bool bound, Arena *arena, const char ***out)
{
    int n = 0;
    LOCAL(drop) NatAtomVec used = term_vars_in(v->root, VAR_PARAM);
    *out = NEW_ARRAY(arena, const char *, used.n);
    for (int i = 0; i < used.n; i++)
        if (bound || !version_param(v, used.v[i]->name)) (*out)[n++] = used.v[i]->name;
    qsort(*out, (size_t)n, sizeof **out, compare_numbered);
    return n;
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

int session_constraints(const Session *s, const Values *values, const SpaceOptions *o, Arena *arena, Constraint **out)
{
    PlanFact *facts;
    Constraint *own, *asked;
    bool failed = diag_failed(diag(s));
    int n = session_facts(s, values->version, arena, &facts);
    /* A fact with values put in; one that has become no size at all (1024 / 3) cannot hold. */
    Nats *nats = s->ctx->nats;
    int count, kept = 0;
    LOCAL(drop) NatBinding *map = bindings_map(s->ctx, values->b, values->count, true, &count);
    for (int i = 0; i < n; i++) {
        Fact *f = &facts[i].fact;
        f->a = nat_subst(nats, f->a, map, count, NULL);
        f->b = nat_subst(nats, f->b, map, count, NULL);
        if (!f->a || !f->b) *f = (Fact){FACT_LE, nat_const(nats, 1), nat_const(nats, 0)};
        if (!fact_is_certain(nats, f, NULL)) facts[kept++] = facts[i];
    }
    n = kept;
    const Term *t = o->limits ? session_bound_term(s, values, true) : values->version->root;
    /* Is a fact broken whatever the parameters are? A term whose sizes break one does not type with them put in. */
    bool none = !t && ANY(i, n, facts[i].fact.a->is_const && facts[i].fact.b->is_const);
    if (!t && !none) return -1;
    if (none && !failed) diag_clear(diag(s));
    n = tune_constraints(s->ctx, arena, t, facts, n, none ? NULL : o->limits, &own);
    int more = o->asked ? asked_constraints(s, values->version, o->bound, arena, &asked) : 0;
    VEC(Constraint) all = {0};
    for (int i = 0; i < n; i++) vec_push(&all, own[i]);
    for (int i = 0; i < more; i++) vec_push(&all, asked[i]);
    for (int i = 0; i < o->constraint_count; i++) vec_push(&all, o->constraints[i]);
    *out = vec_take(&all, arena);
    return more < 0 ? -1 : all.n;
}

TuneSpace *session_space(const Session *s, const Version *v, const SpaceOptions *o, Arena *arena, Values *at)
{
    const char **names;
    Constraint *all;
    bool failed = diag_failed(diag(s));
    /* The values that are put in before: sizes, and parameters that are bound unless they are part of the space. */
    session_space_values(s, v, arena, at);
    for (int i = 0; o->bound && i < at->count; i++)
        if (at->b[i].kind == VAR_PARAM) at->b[i].set = false;
    int n = session_space_names(v, o->bound, arena, &names), count = session_constraints(s, at, o, arena, &all);
    if (count < 0) return NULL;
    TuneVar *vars = NEW_ARRAY(arena, TuneVar, n);
    for (int i = 0; i < n; i++) {
        const TuneVar *given = FIND(o->values, o->value_count, name, names[i]);
        vars[i] = given ? *given : (TuneVar){.name = names[i]};
    }
    TuneSpec spec = {.vars = vars, .var_count = n, .constraints = all, .constraint_count = count, .limit = o->limit,
                     .edges = o->edges, .stop = o->stop, .interrupt = s->ctx->stop};
    TuneSpace *space = tune_space(&spec, diag(s));
    if (!space || failed || !diag_failed(diag(s))) return space;
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

static bool fact_reads(const Fact *f, VarKind kind, const char *name)
{
    return nat_var_of(f->a, kind, name) || nat_var_of(f->b, kind, name);
}

/* "N = 4096, K = 64": the sizes in facts that bear on a parameter. NULL: no fact does. */
static const char *sizes_of(const Session *s, const Values *at, const char *param, Arena *arena)
{
    PlanFact *facts;
    Buf b = {0};
    int n = session_facts(s, at->version, arena, &facts);
    /* The facts that bear on a parameter, also through others that are open: bears[i]. */
    const TuneParam *params = at->version->params;
    int count = at->version->param_count;
    bool *bears = NEW_ARRAY(arena, bool, n), *reached = NEW_ARRAY(arena, bool, count), changed = true;
    for (int k = 0; k < count; k++) reached[k] = !strcmp(params[k].name, param);
    while (changed) {
        changed = false;
        for (int i = 0; i < n; i++) {
            const Fact *f = &facts[i].fact;
            if (bears[i] || !ANY(k, count, reached[k] && fact_reads(f, VAR_PARAM, params[k].name))) continue;
            bears[i] = changed = true;
            for (int k = 0; k < count; k++) reached[k] = reached[k] || (!params[k].value && fact_reads(f, VAR_PARAM, params[k].name));
        }
    }
    if (!ANY(i, n, bears[i])) return NULL;
    for (const Binding *size = at->b; size < at->b + at->count; size++)
        if (size->kind == VAR_SIZE && size->set && ANY(i, n, bears[i] && fact_reads(&facts[i].fact, VAR_SIZE, size->name)))
            buf_printf(&b, "%s%s = %lld", b.len ? ", " : "", size->name, (long long)size->value);
    return buf_take(&b, arena);
}

static Binding *bindings_copy(const Values *v, Arena *arena)
{
    return v->count ? arena_copy(arena, v->b, sizeof *v->b * (size_t)v->count) : NULL;
}

static Binding *binding_of(const Values *v, const char *param)
{
    for (Binding *b = v->b; b < v->b + v->count; b++)
        if (b->kind == VAR_PARAM && !strcmp(b->name, param)) return b;
    return NULL;
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

/* Why a candidate is not legal, without a count. */
static LegalRejection why_not(Legality *l, int64_t value)
{
    int64_t before = l->fixed[l->var];
    l->fixed[l->var] = value;
    const Constraint *c = tune_violated(l->space, l->fixed);
    l->fixed[l->var] = before;
    if (c) return (LegalRejection){arena_strdup(l->arena, c->text), c->from ? arena_strdup(l->arena, c->from) : NULL, 0, NULL};
    /* The asked constraint with which it stops being legal, for any values of the open parameters. */
    int i = 0;
    if (!l->asked && ANY(k, tune_constraint_count(l->space), tune_constraint(l->space, k)->from)) find_asked(l);
    while (i < l->asked_count && ANY(k, l->with[i].count, l->with[i].values[k] == value)) i++;
    c = i < l->asked_count ? l->with[i].con : NULL;
    const char *none = "no values of the other parameters go with it";
    return (LegalRejection){.text = c ? arena_printf(l->arena, "%s: %s", c->text, none) : none, .from = c ? c->from : NULL};
}

static bool legal_of(const Session *s, const TuneSpace *space, const Values *values, const char *param, Arena *arena,
                     LegalValues *out)
{
    Legality l = {.s = s, .version = values->version, .space = space, .var = tune_find(space, param), .arena = arena};
    if (l.var < 0) return false;
    l.fixed = NEW_ARRAY(arena, int64_t, tune_var_count(space));
    for (int i = 0; i < values->count; i++) {
        const Binding *b = &values->b[i];
        int var = b->kind == VAR_PARAM && b->set ? tune_find(space, b->name) : -1;
        if (var >= 0 && strcmp(b->name, param)) l.fixed[var] = b->value;
    }
    out->count = tune_values(space, l.var, l.fixed, arena, &out->values);
    if (out->count == 0 && tune_violated(space, l.fixed)) return false;
    const int64_t *all;
    int n = tune_candidates(space, l.var, &all);
    LegalRejection *list = NEW_ARRAY(arena, LegalRejection, 2 * tune_constraint_count(space) + 1);
    for (int i = 0, k = 0; i < n; i++) {
        if (k < out->count && out->values[k] == all[i]) {
            k++;
            continue;
        }
        LegalRejection why = why_not(&l, all[i]);
        int r = 0;
        while (r < out->rejection_count && strcmp(list[r].text, why.text)) r++;
        if (r == out->rejection_count) {
            why.values = NEW_ARRAY(arena, int64_t, n);
            list[out->rejection_count++] = why;
        }
        ((int64_t *)(uintptr_t)list[r].values)[list[r].count++] = all[i];
    }
    out->rejections = list;
    out->known = true;
    out->all_listed = out->count < LEGAL_MAX;
    return true;
}

/* Legal values of a parameter in the points of the space where the others are as they are.
 * False, without an error: there is no such space, or the others allow no point at all. False with one: an asked
 * constraint failed. */
static bool legal_in_space(const Session *s, const Values *values, const char *param, Arena *arena, LegalValues *out)
{
    Values at;
    if (values->version->param_count > LEGAL_PARAMS) return false;
    bool failed = diag_failed(diag(s));
    SpaceOptions o = legal_options(s);
    TuneSpace *space = session_space(s, values->version, &o, arena, &at);
    const char *sizes = space ? sizes_of(s, &at, param, arena) : NULL;
    for (int i = 0; space && !sizes && i < tune_constraint_count(space); i++) {     /* something is asked of the parameter */
        const Constraint *c = tune_constraint(space, i);
        if (c->from && ANY(k, c->var_count, c->vars[k] == tune_find(space, param))) sizes = "";
    }
    bool ok = sizes && legal_of(s, space, values, param, arena, out);
    if (ok) out->at = sizes;
    tune_free(space);
    bool unasked = diag_failed(diag(s)) && (diag(s)->id == E24 || diag(s)->id == E25);
    if (!failed && !unasked) diag_clear(diag(s));
    return ok && !unasked;
}

static bool require_bound(const Session *s, const Version *v, Arena *arena);

/* ---- facts ---- */

int session_facts(const Session *s, const Version *v, Arena *arena, PlanFact **out)
{
    PlanFact *own = NULL, *first = NULL;
    const Version *source = v;
    while (source->from) source = source->from;
    int n = 0, own_count = plan_facts(s->ctx, arena, v->root, &own), made = own_count + v->fact_count;
    int count = made + (source != v ? plan_facts(s->ctx, arena, source->root, &first) : 0);
    PlanFact *all = *out = NEW_ARRAY(arena, PlanFact, count);
    for (int i = 0; i < count; i++) {
        const PlanFact fact = i < own_count ? own[i] : i < made ? (PlanFact){.fact = v->facts[i - own_count]} : first[i - made];
        if (!ANY(k, n, fact_equal(&all[k].fact, &fact.fact))) all[n++] = fact;
    }
    return n;
}

/* ---- values ---- */

void values_collect(const Session *s, Arena *arena, Values *values)
{
    values->fact_count = session_facts(s, values->version, arena, &values->facts);
}

static int facts_of(const Session *s, const Values *values, Arena *arena, PlanFact **out)
{
    if (!values->facts) return session_facts(s, values->version, arena, out);
    *out = values->facts;
    return values->fact_count;
}

bool values_break(const Values *values, const Fact *f) { return valuation_breaks(&(Valuation){values->b, values->count}, f); }

static PlanFact *violated(const Session *s, const Values *values, Arena *arena)
{
    PlanFact *facts;
    int n = facts_of(s, values, arena, &facts);
    return FIRST(i, facts, n, values_break(values, &facts[i].fact));
}

/* The oldest version on the way to v that has that fact, and what asks for it there, as f->who. */
static const Version *maker_of(const Session *s, const Version *v, PlanFact *f, Arena *arena)
{
    for (PlanFact *facts; v->from; v = v->from) {
        int n = session_facts(s, v->from, arena, &facts), i = 0;
        while (i < n && !fact_equal(&facts[i].fact, &f->fact)) i++;
        if (i == n) break;
        if (facts[i].who) f->who = facts[i].who;
    }
    return v;
}

const PlanFact *session_violated(const Session *s, const Values *values, Arena *arena)
{
    PlanFact *bad = violated(s, values, arena);
    if (bad) maker_of(s, values->version, bad, arena);
    return bad;
}

/* "@1 splitJoin(32)"; a version that is not kept has no number. */
static const char *step_text(const Version *v, Arena *arena)
{
    return v->number >= 0 ? arena_printf(arena, "@%d %s", v->number, v->call) : v->call;
}

/* The nearest value of one of the sizes that were set with which all facts hold. */
static bool suggest_size(const Session *s, const Values *values, Arena *arena)
{
    enum { FARTHEST = 4096 };
    Values other = *values;
    int sizes = values->derivation->program->size_count;
    values_collect(s, arena, &other);
    other.b = bindings_copy(values, arena);
    for (int64_t far = 1; far <= FARTHEST; far++)
        for (int i = 0; i < 2 * sizes; i++) {
            Binding *b = &other.b[i / 2];
            int64_t before = b->value, value = i % 2 ? before - far : before + far;
            if (!b->set || values->from_input[i / 2] || value < 1) continue;
            b->value = value;
            bool fits = !violated(s, &other, arena);
            b->value = before;
            if (!fits) continue;
            diag_note(diag(s), "try", "data %s = %lld", b->name, (long long)value);
            return true;
        }
    return false;
}

static bool violated_error(const Session *s, const Values *values, PlanFact *f, Arena *arena)
{
    LOCAL(buf_free) Buf b = {0}, v = {0};
    fact_print(&f->fact, &b);
    values_print(values, &v);
    diag_error(diag(s), E36, "%s does not hold%s%s", buf_text(&b), v.len ? " for " : "", buf_text(&v));
    const Version *maker = maker_of(s, values->version, f, arena);
    if (f->who) diag_note(diag(s), "from", "%s", f->who);
    diag_note(diag(s), "rule", "%s", maker->from ? step_text(maker, arena) : "the program itself");
    if (!suggest_size(s, values, arena)) diag_note(diag(s), "try", "data        shows and sets the sizes, param the parameters");
    return false;
}

/* Sizes that are not set get the smallest legal values. Unbound parameters count as 1 meanwhile. */
static bool fill_sizes(const Session *s, Values *v, Arena *arena)
{
    Binding *b = bindings_copy(v, arena);
    for (int i = 0; i < v->count; i++)
        if (!b[i].set && b[i].kind == VAR_PARAM) b[i].set = true, b[i].value = 1;
    if (!bindings_fill(s->ctx, v->version->root, b, v->count, SIZE_DEFAULT, diag(s))) return false;
    for (int i = 0; i < v->derivation->program->size_count; i++) {
        v->chosen[i] = !v->b[i].set;
        v->b[i] = b[i];
    }
    return true;
}

bool session_trial_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    session_given_values(s, v, arena, out);
    bool failed = diag_failed(diag(s)), ok = fill_sizes(s, out, arena);
    if (!ok && !failed) diag_clear(diag(s));
    return ok;
}

void session_space_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    int sizes = s->current->program->size_count;
    session_given_values(s, v, arena, out);
    if (ALL(i, sizes, out->b[i].set) || session_trial_values(s, v, arena, out)) return;
    for (int i = 0; i < sizes; i++) {
        if (out->b[i].set) continue;
        out->b[i].set = out->chosen[i] = true;
        out->b[i].value = SIZE_DEFAULT;
    }
}

bool session_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    if (!require_bound(s, v, arena)) return false;
    session_given_values(s, v, arena, out);
    PlanFact *bad = violated(s, out, arena);
    if (!bad && !fill_sizes(s, out, arena)) return false;
    if (!bad) bad = violated(s, out, arena);
    return !bad || violated_error(s, out, bad, arena);
}

void values_print(const Values *values, Buf *out)
{
    const char *gap = "";
    for (int i = 0; i < values->count; i++) {
        const Binding *b = &values->b[i];
        if (!b->set) continue;
        buf_printf(out, "%s%s=%lld", gap, b->name, (long long)b->value);
        if (b->kind == VAR_SIZE && values->chosen[i]) buf_printf(out, " (default; data %s = ...)", b->name);
        gap = "  ";
    }
}

/* ---- parameters ---- */

int session_unbound(const Version *v)
{
    int i = 0;
    LOCAL(drop) NatAtomVec used = term_vars_in(v->root, VAR_PARAM);
    while (i < v->param_count && (v->params[i].value || !ANY(k, used.n, !strcmp(v->params[i].name, used.v[k]->name)))) i++;
    return i < v->param_count ? i : -1;
}

static bool no_param(const Session *s, const Version *v, const char *name)
{
    LOCAL(buf_free) Buf b = {0};
    for (int i = 0; i < v->param_count; i++) buf_printf(&b, " %s", v->params[i].name);
    diag_fail(diag(s), E02, "@%d has no tuning parameter \"%s\"\nhas %s", v->number, name,
              b.len ? buf_text(&b) + 1 : "none: a rule whose size is left out makes one, as splitJoin");
    return false;
}

/* Does it say that a number is not negative, and another of the facts, or `alone <= divided`, say more? */
static bool is_implied(Nats *nats, const PlanFact *facts, int n, const Fact *f, const Nat *alone, const Nat *divided)
{
    if (f->kind != FACT_LE) return false;
    const Nat *over = nat_sub(nats, f->b, f->a);
    if (divided && over == nat_sub(nats, divided, alone)) return true;
    return ANY(i, n, facts[i].fact.kind == FACT_LT && nat_sub(nats, facts[i].fact.b, facts[i].fact.a) == over);
}

/* "1 <= s0 <= N, s0 divides N" */
static const char *constraint_text(const Session *s, const Values *values, const char *param, Arena *arena)
{
    PlanFact *facts;
    int n = facts_of(s, values, arena, &facts);
    const Nat *alone = nat_var(s->ctx->nats, param, VAR_PARAM, NULL, NULL), *divided = NULL;
    Buf b = {0};
    buf_printf(&b, "1 <= %s", param);
    for (int i = 0; i < n && !divided; i++)
        if (facts[i].fact.kind == FACT_DIVIDES && facts[i].fact.a == alone) divided = facts[i].fact.b;
    if (divided) buf_puts(&b, " <= "), nat_print(divided, 0, &b);
    for (int i = 0; i < n; i++) {
        if (!fact_reads(&facts[i].fact, VAR_PARAM, param) || is_implied(s->ctx->nats, facts, n, &facts[i].fact, alone, divided)) continue;
        buf_puts(&b, ", ");
        fact_print(&facts[i].fact, &b);
    }
    return buf_take(&b, arena);
}

/* By the facts that only this parameter leaves open: where the space is too large, or the others allow no point of it. Nothing
 * is known where there are none, or one hangs on a size without a value. */
static void legal_alone(const Session *s, const Values *values, const char *param, Arena *arena, LegalValues *out)
{
    Constraint *all;
    Values at = *values;
    at.b = bindings_copy(values, arena);
    binding_of(&at, param)->set = false;
    int n = session_constraints(s, &at, &(SpaceOptions){0}, arena, &all), count = 0;
    bool sized = true;
    for (int i = 0; i < n; i++) {
        LOCAL(drop) NatAtomVec vars = nat_vars_in(all[i].a);
        nat_vars(all[i].b, &vars);
        bool own = ANY(k, vars.n, !strcmp(vars.v[k]->name, param));
        sized = sized && !(own && ANY(k, vars.n, vars.v[k]->var == VAR_SIZE));
        if (own && ALL(k, vars.n, !strcmp(vars.v[k]->name, param))) all[count++] = all[i];
    }
    const TuneVar var = {.name = param};
    const TuneSpec spec = {.vars = &var, .var_count = 1, .constraints = all, .constraint_count = count, .limit = LEGAL_RANGE};
    TuneSpace *space = sized && count ? tune_space(&spec, diag(s)) : NULL;
    out->known = space != NULL;
    if (space) out->count = tune_values(space, 0, NULL, arena, &out->values);
    out->all_listed = out->count < LEGAL_MAX;
    const char *sizes = sizes_of(s, &at, param, arena);
    out->at = sizes ? sizes : "";
    tune_free(space);
}

bool session_legal(const Session *s, const Values *values, const char *param, Arena *arena, LegalValues *out)
{
    *out = (LegalValues){.all_listed = true};
    if (!binding_of(values, param)) return no_param(s, values->version, param);
    bool failed = diag_failed(diag(s));
    out->constraint = constraint_text(s, values, param, arena);
    if (legal_in_space(s, values, param, arena, out)) return true;
    if (!failed && diag_failed(diag(s))) return false;
    legal_alone(s, values, param, arena, out);
    return true;
}

/* from: where the constraint is set; NULL: in the step that made the parameter. */
static bool not_legal(const Session *s, const Values *values, const TuneParam *b, const char *why, const char *from,
                      Arena *arena)
{
    LegalValues legal;
    const Version *v = values->version;
    int64_t value = b->value == PARAM_ZERO ? 0 : b->value;
    while (v->from && version_has_param(v->from, b->name)) v = v->from;
    diag_error(diag(s), E34, "%s = %lld is not legal: %s (constraint from %s)", b->name, (long long)value, why,
               from ? from : step_text(v, arena));
    if (session_legal(s, values, b->name, arena, &legal) && legal.known) {
        int above = 0;
        LOCAL(buf_free) Buf a = {0};
        while (above < legal.count && legal.values[above] < value) above++;
        if (above > 0) buf_printf(&a, "%lld", (long long)legal.values[above - 1]);
        if (above < legal.count) buf_printf(&a, "%s%lld", a.len ? ", " : "", (long long)legal.values[above]);
        if (a.len) diag_note(diag(s), "nearest", "legal: %s        all: param %s", buf_text(&a), b->name);
    }
    return false;
}

/* What facts with other parameters, or the limits of a device, say against a binding. */
static bool fits_space(const Session *s, const Values *values, const TuneParam *b, int n, Arena *arena)
{
    for (int k = 0; k < n; k++) {
        LegalValues legal = {0};
        if (!b[k].value) continue;
        if (!legal_in_space(s, values, b[k].name, arena, &legal)) {
            if (diag_failed(diag(s))) return false;
            continue;
        }
        for (int i = 0; i < legal.rejection_count; i++)
            for (int j = 0; j < legal.rejections[i].count; j++)
                if (legal.rejections[i].values[j] == b[k].value)
                    return not_legal(s, values, &b[k], legal.rejections[i].text, legal.rejections[i].from, arena);
    }
    return true;
}

bool session_params_check(const Session *s, const Version *v, const TuneParam *b, int n, bool deep, Arena *arena)
{
    Values values;
    PlanFact *facts, *broken = NULL;
    int who = 0;                         /* the binding that breaks it */
    session_given_values(s, v, arena, &values);
    for (int k = 0; k < n; k++) {
        Binding *at = binding_of(&values, b[k].name);
        if (!at) return no_param(s, v, b[k].name);
        if (b[k].value < 0) return not_legal(s, &values, &b[k], "it must be at least 1", NULL, arena);
        at->set = b[k].value > 0;
        at->value = b[k].value;
    }
    int count = session_facts(s, v, arena, &facts);
    for (int i = 0; i < count && !broken; i++)
        for (int k = 0; k < n && !broken; k++)
            if (b[k].value && fact_reads(&facts[i].fact, VAR_PARAM, b[k].name) && values_break(&values, &facts[i].fact))
                broken = &facts[i], who = k;
    if (!broken) return !deep || fits_space(s, &values, b, n, arena);
    LOCAL(buf_free) Buf why = {0};
    /* "s0 must divide N = 4096" */
    int64_t value;
    fact_demand(&broken->fact, &why);
    if (!broken->fact.b->is_const && values_nat(&values, broken->fact.b, &value)) buf_printf(&why, " = %lld", (long long)value);
    const Version *maker = maker_of(s, v, broken, arena);
    return not_legal(s, &values, &b[who], buf_text(&why), maker->from ? step_text(maker, arena) : "the program itself", arena);
}

/* A legal value to begin with: what a version that was made last has, else one from their middle. */
static int64_t value_to_try(const Derivation *d, const char *name, const LegalValues *legal)
{
    for (int i = d->versions.n - 1; i >= 0; i--)
        for (const TuneParam *p = d->versions.v[i]->params; p < d->versions.v[i]->params + d->versions.v[i]->param_count; p++)
            if (p->value && !strcmp(p->name, name) && ANY(j, legal->count, legal->values[j] == p->value)) return p->value;
    return legal->values[legal->count / 2];
}

/* E35 for the first parameter in use that has no value. */
static bool require_bound(const Session *s, const Version *v, Arena *arena)
{
    int i = session_unbound(v);
    if (i < 0) return true;
    Values values;
    LegalValues legal = {0};
    const char *name = v->params[i].name;
    bool sized = session_trial_values(s, v, arena, &values), here = v == session_version(s);
    LOCAL(buf_free) Buf who = {0}, b = {0};
    version_print(v, &who);
    const char *there = here || v->number < 0 ? "" : arena_printf(arena, "goto %s ; ", buf_text(&who));
    diag_error(diag(s), E35, "parameter %s of %s is not bound", name, buf_text(&who));
    if (!sized || !session_legal(s, &values, name, arena, &legal) || !legal.known) {
        if (legal.constraint) diag_note(diag(s), "needs", "%s", legal.constraint);
        diag_note(diag(s), "try", "%sparam %s        lists its legal values", there, name);
        return false;
    }
    for (int j = 0; j < legal.count && j < LEGAL_SHOWN; j++)
        buf_printf(&b, "%s%lld", j ? ", " : "", (long long)legal.values[j]);
    if (legal.count > LEGAL_SHOWN || !legal.all_listed) buf_puts(&b, ", ...");
    diag_note(diag(s), "legal", "%s%s%s", buf_text(&b), *legal.at ? "        for " : "", legal.at);
    if (legal.count) diag_note(diag(s), "try", "%sparam %s = %lld", there, name, (long long)value_to_try(s->current, name, &legal));
    return false;
}

/* ---- terms with values put in ---- */

const Term *session_bound_term(const Session *s, const Values *values, bool sizes)
{
    return bindings_term(s->ctx, values->version->root, values->b, values->count, sizes);
}

const Type *session_bound_type(const Session *s, const Values *values, const Type *t)
{
    return bindings_type(s->ctx, t, values->b, values->count, true);
}

Plan *session_plan_of(const Session *s, const Program *p, const Values *values, bool sizes, Arena *arena, PlanOptions how)
{
    const Term *t = session_bound_term(s, values, sizes);
    if (!t) return NULL;
    PlanInput *inputs = NEW_ARRAY(arena, PlanInput, p->input_count);
    for (int i = 0; i < p->input_count; i++) {
        const Type *type = p->inputs[i].type;
        inputs[i] = (PlanInput){p->inputs[i].name, sizes ? session_bound_type(s, values, type) : type};
    }
    if (!how.program) how.program = p->name;
    how.inputs = inputs;
    how.input_count = p->input_count;
    return plan_make(s->ctx, arena, t, &how);
}

Plan *session_plan(const Session *s, const Values *values, bool sizes, Arena *arena, PlanOptions how)
{
    return session_plan_of(s, s->current->program, values, sizes, arena, how);
}

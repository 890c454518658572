/* tuning: the parameter space of a version for the current sizes. */
#include "session_private.h"

#include <ctype.h>
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

static int64_t value_of_param(const Version *v, const char *name)
{
    for (int i = 0; i < v->param_count; i++)
        if (!strcmp(v->params[i].name, name)) return v->params[i].value;
    return 0;
}

int session_space_names(const Version *v, bool bound, Arena *arena, const char ***out)
{
    NatAtomVec used = {0};
    int n = 0;
    term_vars(v->root, VAR_PARAM, &used);
    *out = NEW_ARRAY(arena, const char *, used.n);
    for (int i = 0; i < used.n; i++)
        if (bound || !value_of_param(v, used.v[i]->name)) (*out)[n++] = used.v[i]->name;
    free(used.v);
    qsort(*out, (size_t)n, sizeof **out, compare_names);
    return n;
}

/* The values that are put in before: sizes, and parameters that are bound unless they are part of the space. Sizes that are not set are the
 * smallest legal ones for parameters of 1, or, where there are none, 256. */
static void fixed_values(const Session *s, const Version *v, bool bound, Arena *arena, Values *out)
{
    bool sized = true;
    session_given_values(s, v, arena, out);
    for (int i = 0; i < out->derivation->program->size_count; i++) sized = sized && out->b[i].set;
    if (!sized && !session_trial_values(s, v, arena, out)) {
        session_given_values(s, v, arena, out);
        for (int i = 0; i < out->derivation->program->size_count; i++) {
            if (out->b[i].set) continue;
            out->b[i].set = out->chosen[i] = true;
            out->b[i].value = SIZE_DEFAULT;
        }
    }
    for (int i = 0; bound && i < out->count; i++)
        if (out->b[i].kind == VAR_PARAM) out->b[i].set = false;
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

/* A fact with values put in; one that has become no size at all (1024 / 3) cannot hold. */
static int put_values(const Session *s, const Values *values, PlanFact *facts, int n, Arena *arena)
{
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
    return kept;
}

static TuneVar variable(const char *name, const SpaceOptions *o)
{
    for (int i = 0; i < o->value_count; i++)
        if (!strcmp(o->values[i].name, name)) return o->values[i];
    return (TuneVar){.name = name};
}

int session_constraints(const Session *s, const Values *values, const SpaceOptions *o, Arena *arena, Constraint **out)
{
    PlanFact *facts;
    Constraint *own;
    const Term *t = o->limits ? session_bound_term(s, values, true) : values->version->root;
    if (!t) return -1;
    int n = session_facts(s, values->version, arena, &facts);
    n = put_values(s, values, facts, n, arena);
    n = tune_constraints(s->ctx, arena, t, facts, n, o->limits, &own);
    *out = NEW_ARRAY(arena, Constraint, n + o->constraint_count);
    if (n) memcpy(*out, own, sizeof **out * (size_t)n);
    if (o->constraint_count) memcpy(*out + n, o->constraints, sizeof **out * (size_t)o->constraint_count);
    return n + o->constraint_count;
}

TuneSpace *session_space(const Session *s, const Version *v, const SpaceOptions *o, Arena *arena, Values *at)
{
    const char **names;
    Constraint *all;
    Diag *diag = &s->ctx->diag;
    fixed_values(s, v, o->bound, arena, at);
    int n = session_space_names(v, o->bound, arena, &names), count = session_constraints(s, at, o, arena, &all);
    if (count < 0) return NULL;
    TuneVar *vars = NEW_ARRAY(arena, TuneVar, n);
    for (int i = 0; i < n; i++) vars[i] = variable(names[i], o);
    TuneSpec spec = {.vars = vars, .var_count = n, .constraints = all, .constraint_count = count, .limit = o->limit,
                     .edges = o->edges, .stop = o->stop};
    return tune_space(&spec, diag);
}

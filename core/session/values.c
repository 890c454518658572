/* values: values of sizes and parameters: given, by default, legal; the facts that they must meet. */
#include "session_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEGAL_MAX = 4096,                    /* legal values kept */
    LEGAL_SHOWN = 24,                    /* ... and shown in an error */
    LEGAL_RANGE = 65536,                 /* largest candidate when no fact says "divides" */
};

static bool require_bound(const Session *s, const Version *v, Arena *arena);

/* ---- facts ---- */

static int add_fact(PlanFact *all, int n, PlanFact fact)
{
    for (int i = 0; i < n; i++)
        if (fact_equal(&all[i].fact, &fact.fact)) return n;
    all[n] = fact;
    return n + 1;
}

int session_facts(const Session *s, const Version *v, Arena *arena, PlanFact **out)
{
    PlanFact *own = NULL;
    int own_count = plan_facts(s->ctx, arena, v->root, &own), n = 0;
    PlanFact *all = NEW_ARRAY(arena, PlanFact, own_count + v->fact_count);
    for (int i = 0; i < own_count; i++) n = add_fact(all, n, own[i]);
    for (int i = 0; i < v->fact_count; i++) n = add_fact(all, n, (PlanFact){.fact = v->facts[i]});
    *out = all;
    return n;
}

static bool fact_mentions(const Fact *f, const char *param)
{
    NatAtomVec vars = {0};
    nat_vars(f->a, &vars);
    nat_vars(f->b, &vars);
    bool found = false;
    for (int i = 0; i < vars.n; i++) found = found || (vars.v[i]->var == VAR_PARAM && !strcmp(vars.v[i]->name, param));
    free(vars.v);
    return found;
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

/* Is every variable of that kind known? */
static bool known(const Values *values, const Nat *n, VarKind kind)
{
    NatAtomVec vars = {0};
    nat_vars(n, &vars);
    bool all = true;
    for (int i = 0; i < vars.n; i++) {
        int64_t v;
        if (vars.v[i]->var == kind) all = all && values_of((void *)values, vars.v[i], &v);
    }
    free(vars.v);
    return all;
}

static bool fact_known(const Values *values, const Fact *f, VarKind kind)
{
    return known(values, f->a, kind) && known(values, f->b, kind);
}

FactVerdict values_check(const Values *values, const Fact *f)
{
    int64_t a, b;
    if (!fact_known(values, f, VAR_SIZE) || !fact_known(values, f, VAR_PARAM)) return FACT_UNKNOWN;
    if (!fact_known(values, f, VAR_INDEX)) return FACT_UNKNOWN;
    if (!values_nat(values, f->a, &a) || !values_nat(values, f->b, &b)) return FACT_FALSE;
    bool holds = f->kind == FACT_DIVIDES ? a > 0 && b % a == 0 : f->kind == FACT_LE ? a <= b : a < b;
    return holds ? FACT_TRUE : FACT_FALSE;
}

const PlanFact *session_violated(const Session *s, const Values *values, Arena *arena)
{
    PlanFact *facts;
    int n = session_facts(s, values->version, arena, &facts);
    for (int i = 0; i < n; i++)
        if (values_check(values, &facts[i].fact) == FACT_FALSE) return &facts[i];
    return NULL;
}

const char *size_name(const Program *p, int i) { return p->sizes[i]->terms[0].factors[0].atom->name; }

void session_given_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    const Derivation *d = s->current;
    int n = d->program->size_count;
    *out = (Values){.derivation = d, .version = v, .count = n + v->param_count};
    out->b = NEW_ARRAY(arena, Binding, out->count);
    out->chosen = NEW_ARRAY(arena, bool, n);
    out->from_input = NEW_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++)
        out->b[i] = (Binding){size_name(d->program, i), VAR_SIZE, d->sizes[i] > 0, d->sizes[i]};
    for (int i = 0; i < v->param_count; i++)
        out->b[n + i] = (Binding){v->params[i].name, VAR_PARAM, v->params[i].value > 0, v->params[i].value};
    sizes_from_inputs(d, out);
}

static bool has_fact(const Session *s, const Version *v, const Fact *f, Arena *arena)
{
    PlanFact *facts;
    int n = session_facts(s, v, arena, &facts);
    for (int i = 0; i < n; i++)
        if (facts[i].fact.kind == f->kind && facts[i].fact.a == f->a && facts[i].fact.b == f->b) return true;
    return false;
}

/* "@1 splitJoin(32)"; a version that is not kept has no number. */
static const char *step_text(const Version *v, Arena *arena)
{
    return v->number >= 0 ? arena_printf(arena, "@%d %s", v->number, v->call) : v->call;
}

/* The step that made a fact: the oldest version on the way to v that has it. */
static const char *fact_maker(const Session *s, const Version *v, const Fact *f, Arena *arena)
{
    for (; v->from; v = v->from)
        if (!has_fact(s, v->from, f, arena)) return step_text(v, arena);
    return "the program itself";
}

static bool all_hold(const Values *values, const PlanFact *facts, int n)
{
    for (int i = 0; i < n; i++)
        if (values_check(values, &facts[i].fact) == FACT_FALSE) return false;
    return true;
}

/* The nearest value of one of the sizes that were set with which all facts hold. */
static bool suggest_size(const Session *s, const Values *values, Arena *arena)
{
    enum { FARTHEST = 4096 };
    Values other = *values;
    PlanFact *facts;
    int n = session_facts(s, values->version, arena, &facts), sizes = values->derivation->program->size_count;
    other.b = NEW_ARRAY(arena, Binding, values->count);
    memcpy(other.b, values->b, sizeof *other.b * (size_t)values->count);
    for (int64_t far = 1; far <= FARTHEST; far++)
        for (int i = 0; i < 2 * sizes; i++) {
            Binding *b = &other.b[i / 2];
            int64_t before = b->value, value = i % 2 ? before - far : before + far;
            if (!b->set || values->from_input[i / 2] || value < 1) continue;
            b->value = value;
            bool fits = all_hold(&other, facts, n);
            b->value = before;
            if (!fits) continue;
            diag_note(&s->ctx->diag, "try", "data %s = %lld", b->name, (long long)value);
            return true;
        }
    return false;
}

static bool violated_error(const Session *s, const Values *values, const PlanFact *f, Arena *arena)
{
    Buf b = {0}, v = {0};
    fact_print(&f->fact, &b);
    values_print(values, &v);
    diag_error(&s->ctx->diag, E36, "%s does not hold%s%s", buf_text(&b), v.len ? " for " : "", buf_text(&v));
    if (f->who) diag_note(&s->ctx->diag, "from", "%s", f->who);
    diag_note(&s->ctx->diag, "rule", "%s", fact_maker(s, values->version, &f->fact, arena));
    if (!suggest_size(s, values, arena)) diag_note(&s->ctx->diag, "try", "data        shows and sets the sizes, param the parameters");
    buf_free(&b);
    buf_free(&v);
    return false;
}

/* Sizes that are not set get the smallest legal values. Unbound parameters count as 1 meanwhile. */
static bool fill_sizes(const Session *s, Values *v, Arena *arena)
{
    Binding *b = NEW_ARRAY(arena, Binding, v->count);
    for (int i = 0; i < v->count; i++) {
        b[i] = v->b[i];
        if (b[i].set || b[i].kind != VAR_PARAM) continue;
        b[i].set = true;
        b[i].value = 1;
    }
    if (!bindings_fill(s->ctx, v->version->root, b, v->count, SIZE_DEFAULT, &s->ctx->diag)) return false;
    for (int i = 0; i < v->derivation->program->size_count; i++) {
        v->chosen[i] = !v->b[i].set;
        v->b[i] = b[i];
    }
    return true;
}

bool session_trial_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    session_given_values(s, v, arena, out);
    bool failed_before = diag_failed(&s->ctx->diag);
    bool ok = fill_sizes(s, out, arena);
    if (!ok && !failed_before) diag_clear(&s->ctx->diag);
    return ok;
}

bool session_values(const Session *s, const Version *v, Arena *arena, Values *out)
{
    if (!require_bound(s, v, arena)) return false;
    session_given_values(s, v, arena, out);
    const PlanFact *bad = session_violated(s, out, arena);
    if (bad) return violated_error(s, out, bad, arena);
    if (!fill_sizes(s, out, arena)) return false;
    bad = session_violated(s, out, arena);
    return bad ? violated_error(s, out, bad, arena) : true;
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
    NatAtomVec used = {0};
    term_vars(v->root, VAR_PARAM, &used);
    int found = -1;
    for (int i = v->param_count - 1; i >= 0; i--)
        for (int k = 0; k < used.n; k++)
            if (!v->params[i].value && !strcmp(v->params[i].name, used.v[k]->name)) found = i;
    free(used.v);
    return found;
}

/* One parameter under examination, with the facts about it that only it leaves open. */
typedef struct Trial {
    Values values;                       /* a copy: the parameter's binding is tried out */
    Binding *param;
    PlanFact *facts;
    int fact_count;
    bool sizes_missing;
} Trial;

static bool is_param(const Nat *n, const char *name)
{
    if (n->term_count != 1 || n->terms[0].factor_count != 1 || n->terms[0].num != 1 || n->terms[0].den != 1) return false;
    const NatFactor *f = &n->terms[0].factors[0];
    return f->exp == 1 && f->atom->kind == ATOM_VAR && f->atom->var == VAR_PARAM && !strcmp(f->atom->name, name);
}

static bool no_param(const Session *s, const Version *v, const char *name)
{
    Buf b = {0};
    for (int i = 0; i < v->param_count; i++) buf_printf(&b, " %s", v->params[i].name);
    diag_error(&s->ctx->diag, E02, "@%d has no tuning parameter \"%s\"", v->number, name);
    diag_note(&s->ctx->diag, "has", "%s",
              b.len ? buf_text(&b) + 1 : "none: a rule whose size is left out makes one, as splitJoin");
    buf_free(&b);
    return false;
}

static bool trial_begin(const Session *s, const Values *values, const char *param, Arena *arena, Trial *t)
{
    const Version *v = values->version;
    *t = (Trial){.values = *values};
    t->values.b = NEW_ARRAY(arena, Binding, values->count);
    for (int i = 0; i < values->count; i++) {
        t->values.b[i] = values->b[i];
        if (values->b[i].kind == VAR_PARAM && !strcmp(values->b[i].name, param)) t->param = &t->values.b[i];
    }
    if (!t->param) return no_param(s, v, param);
    PlanFact *all;
    int n = facts_of(s, values, arena, &all);
    t->facts = NEW_ARRAY(arena, PlanFact, n);
    t->param->set = true;
    t->param->value = 1;
    for (int i = 0; i < n; i++) {
        if (!fact_mentions(&all[i].fact, t->param->name)) continue;
        if (!fact_known(&t->values, &all[i].fact, VAR_SIZE)) t->sizes_missing = true;
        else if (fact_known(&t->values, &all[i].fact, VAR_PARAM)) t->facts[t->fact_count++] = all[i];
    }
    return true;
}

/* The fact that a value breaks; NULL: legal. */
static const PlanFact *trial_broken(Trial *t, int64_t value)
{
    t->param->value = value;
    for (int i = 0; i < t->fact_count; i++)
        if (values_check(&t->values, &t->facts[i].fact) == FACT_FALSE) return &t->facts[i];
    return NULL;
}

/* Without such a number: candidates go up to the largest side of a fact, within reason. */
static int64_t largest_candidate(Trial *t)
{
    int64_t most = SIZE_DEFAULT, v;
    t->param->value = 1;
    for (int i = 0; i < t->fact_count; i++) {
        if (values_nat(&t->values, t->facts[i].fact.a, &v) && v > most) most = v;
        if (values_nat(&t->values, t->facts[i].fact.b, &v) && v > most) most = v;
    }
    return most < LEGAL_RANGE ? most : LEGAL_RANGE;
}

static void legal_add(Trial *t, int64_t value, LegalValues *out)
{
    if (trial_broken(t, value)) return;
    if (out->count == LEGAL_MAX) out->all_listed = false;
    else out->values[out->count++] = value;
}

/* "1 <= s0 <= N, s0 divides N" */
static const char *constraint_text(const Session *s, const Values *values, const char *param, Arena *arena)
{
    PlanFact *facts;
    int n = facts_of(s, values, arena, &facts);
    Buf b = {0};
    buf_printf(&b, "1 <= %s", param);
    for (int i = 0; i < n; i++) {
        if (facts[i].fact.kind != FACT_DIVIDES || !is_param(facts[i].fact.a, param)) continue;
        buf_puts(&b, " <= ");
        nat_print(facts[i].fact.b, 0, &b);
        break;
    }
    for (int i = 0; i < n; i++) {
        if (!fact_mentions(&facts[i].fact, param)) continue;
        buf_puts(&b, ", ");
        fact_print(&facts[i].fact, &b);
    }
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

/* "N = 4096, K = 64": the sizes that the constraints of a parameter mention. */
static const char *sizes_text(Trial *t, Arena *arena)
{
    Buf b = {0};
    NatAtomVec vars = {0};
    for (int i = 0; i < t->fact_count; i++) {
        nat_vars(t->facts[i].fact.a, &vars);
        nat_vars(t->facts[i].fact.b, &vars);
    }
    for (int i = 0; i < vars.n; i++) {
        int64_t value;
        bool seen = vars.v[i]->var != VAR_SIZE;
        for (int k = 0; k < i; k++) seen = seen || vars.v[k] == vars.v[i];
        if (seen || !values_of(&t->values, vars.v[i], &value)) continue;
        buf_printf(&b, "%s%s = %lld", b.len ? ", " : "", vars.v[i]->name, (long long)value);
    }
    const char *text = arena_strdup(arena, buf_text(&b));
    free(vars.v);
    buf_free(&b);
    return text;
}

bool session_legal(const Session *s, const Values *values, const char *param, Arena *arena, LegalValues *out)
{
    Trial t;
    *out = (LegalValues){.all_listed = true};
    if (!trial_begin(s, values, param, arena, &t)) return false;
    bool failed = diag_failed(&s->ctx->diag);
    out->constraint = constraint_text(s, values, param, arena);
    if (legal_in_space(s, values, param, arena, out)) return true;
    if (!failed && diag_failed(&s->ctx->diag)) return false;
    out->at = sizes_text(&t, arena);
    out->known = !t.sizes_missing && t.fact_count > 0;
    if (!out->known) return true;
    out->values = NEW_ARRAY(arena, int64_t, LEGAL_MAX);
    /* The number every legal value divides; 0: no fact says so. */
    int64_t g = 0, b;
    const char *name = t.param->name;
    for (int i = 0; i < t.fact_count; i++) {
        const Fact *f = &t.facts[i].fact;
        if (f->kind != FACT_DIVIDES || !is_param(f->a, name) || !values_nat(&t.values, f->b, &b)) continue;
        NatAtomVec vars = {0};
        nat_vars(f->b, &vars);
        bool mentions = false;
        for (int k = 0; k < vars.n; k++) mentions = mentions || !strcmp(vars.v[k]->name, name);
        free(vars.v);
        if (!mentions) g = gcd64(g, b);
    }
    int64_t n = g, last = n > 0 ? 0 : largest_candidate(&t);
    if (n > 0) {
        for (int64_t v = 1; v <= n / v; v++) {
            if (n % v) continue;
            legal_add(&t, v, out);
            if (v != n / v) legal_add(&t, n / v, out);
        }
        qsort(out->values, (size_t)out->count, sizeof *out->values, compare_int64);
    }
    for (int64_t i = 1; i <= last; i++) legal_add(&t, i, out);
    return true;
}

/* The version of the path whose step made a parameter. */
static const Version *param_origin(const Version *v, const char *name)
{
    while (v->from && version_has_param(v->from, name)) v = v->from;
    return v;
}

/* from: where the constraint is set; NULL: the step that made the parameter. */
static bool not_legal(const Session *s, const Values *values, const TuneParam *b, const char *why, const char *from,
                      Arena *arena)
{
    LegalValues legal;
    const Version *v = values->version;
    int64_t value = b->value == PARAM_ZERO ? 0 : b->value;
    diag_error(&s->ctx->diag, E34, "%s = %lld is not legal: %s (constraint from %s)", b->name, (long long)value, why,
               from ? from : step_text(param_origin(v, b->name), arena));
    if (session_legal(s, values, b->name, arena, &legal) && legal.known) {
        int above = 0;
        Buf a = {0};
        while (above < legal.count && legal.values[above] < value) above++;
        if (above > 0) buf_printf(&a, "%lld", (long long)legal.values[above - 1]);
        if (above < legal.count) buf_printf(&a, "%s%lld", a.len ? ", " : "", (long long)legal.values[above]);
        if (a.len) diag_note(&s->ctx->diag, "nearest", "legal: %s        all: param %s", buf_text(&a), b->name);
        buf_free(&a);
    }
    return false;
}

/* Set what is bound; false + E02, E34: there is no such parameter, or a value is no number to bind. */
static bool set_values(const Session *s, Values *values, const TuneParam *b, int n, Arena *arena)
{
    for (int k = 0; k < n; k++) {
        Binding *at = NULL;
        for (int i = 0; i < values->count; i++)
            if (values->b[i].kind == VAR_PARAM && !strcmp(values->b[i].name, b[k].name)) at = &values->b[i];
        if (!at) return no_param(s, values->version, b[k].name);
        if (b[k].value < 0) return not_legal(s, values, &b[k], "it must be at least 1", NULL, arena);
        at->set = b[k].value > 0;
        at->value = b[k].value;
    }
    return true;
}

/* A fact that one of the bindings breaks, with the others; *who: that binding. */
static const PlanFact *broken_by(const Session *s, const Values *values, const TuneParam *b, int n, Arena *arena, int *who)
{
    PlanFact *facts;
    int count = session_facts(s, values->version, arena, &facts);
    for (int i = 0; i < count; i++)
        for (*who = 0; *who < n; ++*who)
            if (b[*who].value && fact_mentions(&facts[i].fact, b[*who].name)
                && values_check(values, &facts[i].fact) == FACT_FALSE)
                return &facts[i];
    return NULL;
}

/* What facts with other parameters, or the limits of a device, say against a binding. */
static bool fits_space(const Session *s, const Values *values, const TuneParam *b, int n, Arena *arena)
{
    for (int k = 0; k < n; k++) {
        LegalValues legal = {0};
        if (!b[k].value) continue;
        if (!legal_in_space(s, values, b[k].name, arena, &legal)) {
            if (diag_failed(&s->ctx->diag)) return false;
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
    int who;
    session_given_values(s, v, arena, &values);
    if (!set_values(s, &values, b, n, arena)) return false;
    const PlanFact *broken = broken_by(s, &values, b, n, arena, &who);
    if (!broken) return !deep || fits_space(s, &values, b, n, arena);
    Buf why = {0};
    /* "s0 must divide N = 4096" */
    int64_t value;
    bool divides = broken->fact.kind == FACT_DIVIDES;
    nat_print(broken->fact.a, 0, &why);
    buf_puts(&why, divides                        ? " must divide "
                   : broken->fact.kind == FACT_LE ? " must be at most "
                                                  : " must be less than ");
    nat_print(broken->fact.b, 0, &why);
    if (!broken->fact.b->is_const && values_nat(&values, broken->fact.b, &value))
        buf_printf(&why, " = %lld", (long long)value);
    not_legal(s, &values, &b[who], buf_text(&why), NULL, arena);
    buf_free(&why);
    return false;
}

void legal_print(const LegalValues *legal, int most, Buf *out)
{
    for (int i = 0; i < legal->count && i < most; i++) buf_printf(out, "%s%lld", i ? ", " : "", (long long)legal->values[i]);
    if (legal->count > most || !legal->all_listed) buf_puts(out, ", ...");
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
    Diag *diag = &s->ctx->diag;
    Buf who = {0};
    version_print(v, &who);
    const char *there = here || v->number < 0 ? "" : arena_printf(arena, "goto %s ; ", buf_text(&who));
    diag_error(diag, E35, "parameter %s of %s is not bound", name, buf_text(&who));
    buf_free(&who);
    if (!sized || !session_legal(s, &values, name, arena, &legal) || !legal.known) {
        if (legal.constraint) diag_note(diag, "needs", "%s", legal.constraint);
        diag_note(diag, "try", "%sparam %s        lists its legal values", there, name);
        return false;
    }
    Buf b = {0};
    legal_print(&legal, LEGAL_SHOWN, &b);
    diag_note(diag, "legal", "%s%s%s", buf_text(&b), *legal.at ? "        for " : "", legal.at);
    if (legal.count) diag_note(diag, "try", "%sparam %s = %lld", there, name, (long long)legal.values[legal.count / 2]);
    buf_free(&b);
    return false;
}

/* ---- terms with values put in ---- */

static NatBinding *bindings(const Session *s, const Values *values, bool sizes, int *n)
{
    NatBinding *map = mem_alloc(sizeof *map * (size_t)(values->count + 1));
    *n = 0;
    for (int i = 0; i < values->count; i++) {
        const Binding *b = &values->b[i];
        if (!b->set || (b->kind == VAR_SIZE && !sizes)) continue;
        const Nat *var = nat_var(s->ctx->nats, b->name, b->kind, NULL, NULL);
        map[(*n)++] = (NatBinding){var->terms[0].factors[0].atom, nat_const(s->ctx->nats, b->value)};
    }
    return map;
}

const Term *session_bound_term(const Session *s, const Values *values, bool sizes)
{
    int n;
    NatBinding *map = bindings(s, values, sizes, &n);
    const Term *t = n ? term_subst_nats(s->ctx, values->version->root, map, n) : values->version->root;
    free(map);
    return t;
}

const Type *session_bound_type(const Session *s, const Values *values, const Type *t)
{
    int n;
    NatBinding *map = bindings(s, values, true, &n);
    t = n ? type_subst(s->ctx, t, map, n) : t;
    free(map);
    return t;
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
    how.program = p->name;
    how.inputs = inputs;
    how.input_count = p->input_count;
    return plan_make(s->ctx, arena, t, &how);
}

Plan *session_plan(const Session *s, const Values *values, bool sizes, Arena *arena, PlanOptions how)
{
    return session_plan_of(s, s->current->program, values, sizes, arena, how);
}

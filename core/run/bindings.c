/* bindings: values of size variables and tuning parameters: do the facts hold, which values are legal. */
#include "run_private.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_REACH = 1 << 16, CANDIDATES = 4096, PERIOD_MAX = 1 << 20 };

const char *bindings_text(const Binding *b, int count, VarKind kind, Arena *arena)
{
    Buf text = {0};
    for (int i = 0; i < count; i++)
        if (b[i].kind == kind && b[i].set) buf_printf(&text, "%s%s=%lld", text.len ? " " : "", b[i].name, (long long)b[i].value);
    return buf_take(&text, arena);
}

NatBinding *bindings_map(Ctx *c, const Binding *b, int count, bool sizes, int *n)
{
    NatBinding *map = mem_alloc(sizeof *map * (size_t)(count + 1));
    *n = 0;
    for (int i = 0; i < count; i++) {
        if (!b[i].set || (b[i].kind == VAR_SIZE && !sizes)) continue;
        const Nat *var = nat_var(c->nats, b[i].name, b[i].kind, NULL, NULL);
        map[(*n)++] = (NatBinding){nat_atom(var), nat_const(c->nats, b[i].value)};
    }
    return map;
}

const Term *bindings_term(Ctx *c, const Term *t, const Binding *b, int count, bool sizes)
{
    int n;
    LOCAL(drop) NatBinding *map = bindings_map(c, b, count, sizes, &n);
    return term_subst_nats(c, t, map, n);
}

const Type *bindings_type(Ctx *c, const Type *t, const Binding *b, int count, bool sizes)
{
    int n;
    LOCAL(drop) NatBinding *map = bindings_map(c, b, count, sizes, &n);
    return type_subst(c, t, map, n);
}

/* ---- facts ---- */

typedef struct Facts {
    Valuation at;
    const PlanFact *v;
    int count;
} Facts;

static const Binding *find(const Valuation *v, const NatAtom *var)
{
    return FIRST(i, v->b, v->count, v->b[i].kind == var->var && !strcmp(v->b[i].name, var->name));
}

bool valuation_value(void *valuation, const NatAtom *var, int64_t *out)
{
    const Binding *b = find(valuation, var);
    if (!b || !b->set) return false;
    *out = b->value;
    return true;
}

/* Variables of both sides, each once. */
static NatAtomVec fact_vars(const Fact *f)
{
    NatAtomVec vars = {0};
    nat_vars(f->a, &vars);
    nat_vars(f->b, &vars);
    return vars;
}

static bool is_decided(const Valuation *v, const Fact *fact)
{
    NatAtomVec vars = fact_vars(fact);
    int64_t value;
    bool decided = ALL(i, vars.n, valuation_value((void *)v, vars.v[i], &value));
    free(vars.v);
    return decided;
}

/* All variables are set. */
static bool holds(const Valuation *v, const Fact *fact)
{
    int64_t a, b;
    if (!nat_eval(fact->a, valuation_value, (void *)v, &a) || !nat_eval(fact->b, valuation_value, (void *)v, &b)) return false;
    return fact_holds(fact->kind, a, b);
}

bool valuation_breaks(const Valuation *v, const Fact *fact) { return is_decided(v, fact) && !holds(v, fact); }

/* The first fact that is decided and does not hold, NULL if none. */
static const PlanFact *violated(const Facts *f) { return FIRST(i, f->v, f->count, valuation_breaks(&f->at, &f->v[i].fact)); }

/* ---- saying what is wrong ---- */

void fact_demand(const Fact *f, Buf *out)
{
    nat_print(f->a, 0, out);
    buf_printf(out, " must %s ", fact_verbs[f->kind]);
    nat_print(f->b, 0, out);
}

/* The nearest value of b, one of f's, on that side with which all decided facts hold; 0: none. */
static int64_t legal_towards(const Facts *f, Binding *b, int step)
{
    int64_t before = b->value, found = 0;
    for (int i = 0; !found && i < NEAR_REACH && (b->value += step) >= 1; i++)
        if (!violated(f)) found = b->value;
    b->value = before;
    return found;
}

static void note_near(const Facts *f, const Fact *fact, Diag *diag)
{
    /* The variable of the fact that a user would change first: a size, else anything. */
    NatAtomVec vars = fact_vars(fact);
    const Binding *which = NULL;
    for (int i = 0; i < vars.n; i++) {
        const Binding *b = find(&f->at, vars.v[i]);
        if (b && (!which || (b->kind == VAR_SIZE && which->kind != VAR_SIZE))) which = b;
    }
    free(vars.v);
    if (!which) return;
    Binding *copy = mem_alloc(sizeof *copy * (size_t)f->at.count), *at = copy + (which - f->at.b);
    memcpy(copy, f->at.b, sizeof *copy * (size_t)f->at.count);
    const Facts with = {{copy, f->at.count}, f->v, f->count};
    long long below = legal_towards(&with, at, -1), above = legal_towards(&with, at, 1);
    if (below && above) diag_note(diag, "near", "%s = %lld, %s = %lld", at->name, below, at->name, above);
    else if (below || above) diag_note(diag, "near", "%s = %lld", at->name, below ? below : above);
    if (below || above) diag_note(diag, "try", "%s %s = %lld", at->kind == VAR_SIZE ? "data" : "param", at->name, below ? below : above);
    free(copy);
}

static void report_fact(const Facts *f, const PlanFact *fact, Diag *diag)
{
    LOCAL(buf_free) Buf values = {0}, text = {0};
    NatAtomVec vars = fact_vars(&fact->fact);
    const char *seen = NULL;
    bool size = false, param = false;
    for (int i = 0; i < vars.n; i++) {
        const Binding *b = find(&f->at, vars.v[i]);
        size |= vars.v[i]->var == VAR_SIZE;
        param |= vars.v[i]->var == VAR_PARAM;
        if (!b || (seen && !strcmp(seen, b->name))) continue;
        buf_printf(&values, "%s%s = %lld", values.len ? ", " : "", b->name, (long long)b->value);
        seen = b->name;
    }
    free(vars.v);
    fact_demand(&fact->fact, &text);
    bool under = fact->who && *fact->who;
    /* When only parameters take part no choice of sizes can help. */
    if (diag_error(diag, param && !size ? E34 : E36, "%s%s%s: %s", buf_text(&values), under ? " under " : "",
                   under ? fact->who : "", buf_text(&text)))
        note_near(f, &fact->fact, diag);
}

/* ---- checking ---- */

bool bindings_check_facts(const PlanFact *facts, int fact_count, const Binding *b, int count, Diag *diag)
{
    const Facts f = {{b, count}, facts, fact_count};
    const PlanFact *bad = violated(&f);
    if (bad) report_fact(&f, bad, diag);
    return !bad;
}

bool bindings_check(Ctx *c, const Term *t, const Binding *b, int count, Diag *diag)
{
    PlanFact *facts;
    LOCAL(drop_arena) Arena *arena = arena_new();
    int n = plan_facts(c, arena, t, &facts);
    return bindings_check_facts(facts, n, b, count, diag);
}

bool bindings_complete(const Binding *b, int count, Diag *diag)
{
    int i = 0;
    while (i < count && b[i].set) i++;
    return i == count || (diag_error(diag, b[i].kind == VAR_PARAM ? E35 : E37, "%s is not set", b[i].name), false);
}

/* ---- the smallest legal sizes ---- */

typedef struct Search {
    Facts f;
    Binding *b;                          /* f.at.b, to be written */
    int64_t at_least;
    int64_t fuel;                        /* values still to be tried */
} Search;

typedef struct Steps { int64_t first, step; } Steps;      /* first, first + step, ... */

/* Is n of the form sum c * v^0..1 over variables alone (no floors, no v below the line)? */
static bool is_linear(const Nat *n, const char *v)
{
    for (int t = 0; t < n->term_count; t++)
        for (int i = 0; i < n->terms[t].factor_count; i++) {
            const NatFactor *x = &n->terms[t].factors[i];
            if (x->atom->kind != ATOM_VAR) return false;
            if (!strcmp(x->atom->name, v) && x->exp != 1) return false;
        }
    return true;
}

static bool mentions(const Nat *n, const char *v)
{
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    return ANY(i, vars.n, !strcmp(vars.v[i]->name, v));
}

/* A common denominator of the terms of n under the valuation; 0: too large. */
static int64_t denominator(const Facts *f, const Nat *n)
{
    int64_t all = 1;
    for (int t = 0; t < n->term_count; t++) {
        int64_t den = n->terms[t].den;
        for (int i = 0; i < n->terms[t].factor_count; i++) {
            const NatFactor *x = &n->terms[t].factors[i];
            int64_t value;
            for (int e = x->exp; e < 0; e++)
                if (!valuation_value((void *)&f->at, x->atom, &value) || !mul_ok(den, value, &den)) return 0;
        }
        if (!mul_ok(all, den / gcd64(all, den), &all)) return 0;
    }
    return all;
}

/* The first of at most `tries` values of the progression at which the fact holds; false: none. */
static bool next_holding(Search *s, int which, const Fact *fact, Steps p, int64_t tries, int64_t *out)
{
    for (int64_t i = 0; i < tries && s->fuel > 0; i++) {
        s->fuel--;
        s->b[which].value = *out = p.first + i * p.step;
        if (holds(&s->f.at, fact)) return true;
    }
    return false;
}

/* Narrow the progression to where `fact` holds: d | c*v + r, whose solutions are one residue class. False: nowhere. */
static bool narrow(Search *s, int which, const Fact *fact, Steps *p)
{
    const char *v = s->b[which].name;
    int64_t d, period, first, second;
    if (fact->kind != FACT_DIVIDES || mentions(fact->a, v) || !is_linear(fact->b, v)) return true;
    if (!nat_eval(fact->a, valuation_value, &s->f.at, &d) || d < 1) return false;
    int64_t below = denominator(&s->f, fact->b);
    if (!below || !mul_ok(d, below, &period) || period > PERIOD_MAX) return true;
    if (!next_holding(s, which, fact, *p, period, &first)) return false;
    Steps rest = {first + p->step, p->step};
    if (!next_holding(s, which, fact, rest, period, &second)) return false;
    *p = (Steps){first, second - first};
    return true;
}

/* Set b[which] and all unset ones after it. */
static bool solve(Search *s, int which)
{
    while (which < s->f.at.count && s->b[which].set) which++;
    if (which == s->f.at.count) return !violated(&s->f);
    Binding *b = &s->b[which];
    Steps p = {s->at_least, 1};
    bool any = true;
    b->set = true;
    for (int i = 0; any && i < s->f.count; i++) {
        const Fact *fact = &s->f.v[i].fact;
        bool concerned = mentions(fact->a, b->name) || mentions(fact->b, b->name);
        any = !concerned || !is_decided(&s->f.at, fact) || narrow(s, which, fact, &p);
    }
    for (int i = 0; any && i < CANDIDATES && s->fuel > 0; i++) {
        s->fuel--;
        b->value = p.first + i * p.step;
        if (!violated(&s->f) && solve(s, which + 1)) return true;
    }
    b->set = false;
    return false;
}

bool bindings_fill(Ctx *c, const Term *t, Binding *b, int count, int64_t at_least, Diag *diag)
{
    PlanFact *facts;
    LOCAL(drop_arena) Arena *arena = arena_new();
    Search s = {.f = {.at = {b, count}, .count = plan_facts(c, arena, t, &facts)}, .b = b, .at_least = at_least < 1 ? 1 : at_least, .fuel = 1 << 22};
    s.f.v = facts;
    bool ok = solve(&s, 0), known = ok || bindings_check_facts(facts, s.f.count, b, count, diag);
    if (ok || !known || !diag_error(diag, E36, "no sizes >= %lld in reach satisfy all facts; set them with data", (long long)at_least)) return ok;
    for (int i = 0; i < s.f.count; i++) diag_note(diag, "fact", "%s", fact_text(&facts[i].fact, arena));
    for (int i = 0; i < count; i++)
        if (!b[i].set) diag_note(diag, "needs", "a size %s: data %s = ...", b[i].name, b[i].name);
    return false;
}

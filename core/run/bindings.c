/* bindings: values of size variables and tuning parameters: do the facts hold, which values are legal. Layer 8. */
#include "run_private.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_REACH = 1 << 16, CANDIDATES = 4096, PERIOD_MAX = 1 << 20, LISTED = 16 };

const char *bindings_text(const Binding *b, int count, VarKind kind, Arena *arena)
{
    Buf text = {0};
    for (int i = 0; i < count; i++)
        if (b[i].kind == kind && b[i].set) buf_printf(&text, "%s%s=%lld", text.len ? " " : "", b[i].name, (long long)b[i].value);
    return buf_take(&text, arena);
}

typedef struct Facts {
    Ctx *c;
    Arena *arena;
    Valuation at;
    PlanFact *v;
    int count;
} Facts;

static const Binding *find(const Valuation *v, const NatAtom *var)
{
    for (int i = 0; i < v->count; i++)
        if (v->b[i].kind == var->var && !strcmp(v->b[i].name, var->name)) return &v->b[i];
    return NULL;
}

bool valuation_value(void *valuation, const NatAtom *var, int64_t *out)
{
    const Binding *b = find(valuation, var);
    if (!b || !b->set) return false;
    *out = b->value;
    return true;
}

static Facts facts_open(Ctx *c, const Term *t, const Binding *b, int count)
{
    Facts f = {.c = c, .arena = arena_new(), .at = {b, count}};
    f.count = plan_facts(c, f.arena, t, &f.v);
    if (f.count < 0) f.count = 0;
    return f;
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
    switch (fact->kind) {
    case FACT_DIVIDES: return a > 0 && b % a == 0;
    case FACT_LE: return a <= b;
    case FACT_LT: return a < b;
    }
    return false;
}

bool valuation_breaks(const Valuation *v, const Fact *fact) { return is_decided(v, fact) && !holds(v, fact); }

/* The first fact that is decided and does not hold, NULL if none. */
static const PlanFact *violated(const Facts *f)
{
    for (int i = 0; i < f->count; i++)
        if (valuation_breaks(&f->at, &f->v[i].fact)) return &f->v[i];
    return NULL;
}

/* ---- saying what is wrong ---- */

static const char *const relations[] = {
    [FACT_DIVIDES] = "must divide", [FACT_LE] = "must be at most", [FACT_LT] = "must be less than",
};

/* Do all decided facts hold when b[which] has that value? */
static bool legal_at(const Facts *f, Binding *copy, int which, int64_t value)
{
    copy[which].set = true;
    copy[which].value = value;
    Facts g = *f;
    g.at.b = copy;
    return !violated(&g);
}

static int64_t legal_towards(const Facts *f, Binding *copy, int which, int64_t from, int step)
{
    for (int64_t v = from + step, i = 0; v >= 1 && i < NEAR_REACH; v += step, i++)
        if (legal_at(f, copy, which, v)) return v;
    return 0;
}

static Binding *copy_bindings(const Facts *f)
{
    Binding *copy = NEW_ARRAY(f->arena, Binding, f->at.count);
    for (int i = 0; i < f->at.count; i++) copy[i] = f->at.b[i];
    return copy;
}

static void note_near(const Facts *f, const Fact *fact, Diag *diag)
{
    /* Index of the variable of the fact that a user would change first: a size, else anything. */
    NatAtomVec vars = fact_vars(fact);
    int which = -1;
    for (int i = 0; i < vars.n; i++) {
        const Binding *b = find(&f->at, vars.v[i]);
        if (b && (which < 0 || (b->kind == VAR_SIZE && f->at.b[which].kind != VAR_SIZE))) which = (int)(b - f->at.b);
    }
    free(vars.v);
    if (which < 0) return;
    const char *name = f->at.b[which].name;
    Binding *copy = copy_bindings(f);
    long long below = legal_towards(f, copy, which, f->at.b[which].value, -1);
    long long above = legal_towards(f, copy, which, f->at.b[which].value, 1);
    if (below && above) diag_note(diag, "near", "%s = %lld, %s = %lld", name, below, name, above);
    else if (below || above) diag_note(diag, "near", "%s = %lld", name, below ? below : above);
}

static void report_fact(const Facts *f, const PlanFact *fact, Diag *diag)
{
    Buf values = {0}, text = {0};
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
    nat_print(fact->fact.a, 0, &text);
    buf_printf(&text, " %s ", relations[fact->fact.kind]);
    nat_print(fact->fact.b, 0, &text);
    bool under = fact->who && *fact->who;
    /* When only parameters take part no choice of sizes can help. */
    if (diag_error(diag, param && !size ? E34 : E36, "%s%s%s: %s", buf_text(&values), under ? " under " : "",
                   under ? fact->who : "", buf_text(&text)))
        note_near(f, &fact->fact, diag);
    buf_free(&values);
    buf_free(&text);
}

static void report_unset(const Facts *f, int which, Diag *diag)
{
    const Binding *b = &f->at.b[which];
    if (b->kind != VAR_PARAM) {
        diag_error(diag, E37, "size %s is not set", b->name);
        return;
    }
    if (!diag_error(diag, E35, "parameter %s is not bound", b->name)) return;
    /* Values up to the largest that something has. */
    int64_t most = 1, values[LISTED];
    for (int i = 0; i < f->at.count; i++)
        if (f->at.b[i].set && f->at.b[i].value > most) most = f->at.b[i].value;
    Binding *copy = copy_bindings(f);
    Buf text = {0};
    int n = 0;
    for (int64_t v = 1; v <= most && v <= NEAR_REACH && n <= LISTED; v++) {
        if (!legal_at(f, copy, which, v)) continue;
        if (n < LISTED) buf_printf(&text, "%s%lld", n ? ", " : "", (long long)(values[n] = v));
        n++;
    }
    diag_note(diag, "legal", "%s%s", buf_text(&text), n > LISTED ? ", ..." : "");
    diag_note(diag, "try", "param %s = %lld", b->name, n ? (long long)values[(n < LISTED ? n : LISTED) / 2] : 1);
    buf_free(&text);
}

/* ---- checking ---- */

static bool check(const Facts *f, Diag *diag)
{
    const PlanFact *bad = violated(f);
    if (bad) report_fact(f, bad, diag);
    return !bad;
}

bool bindings_check(Ctx *c, const Term *t, const Binding *b, int count, Diag *diag)
{
    Facts f = facts_open(c, t, b, count);
    bool ok = check(&f, diag);
    arena_free(f.arena);
    return ok;
}

bool bindings_check_facts(Ctx *c, const PlanFact *facts, int fact_count, const Binding *b, int count, Diag *diag)
{
    Facts f = {.c = c, .arena = arena_new(), .at = {b, count}, .v = (PlanFact *)facts, .count = fact_count};
    bool ok = check(&f, diag);
    arena_free(f.arena);
    return ok;
}

bool bindings_complete(Ctx *c, const Term *t, const Binding *b, int count, Diag *diag)
{
    for (int i = 0; i < count; i++) {
        if (b[i].set) continue;
        Facts f = facts_open(c, t, b, count);
        report_unset(&f, i, diag);
        arena_free(f.arena);
        return false;
    }
    return true;
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
    NatAtomVec vars = {0};
    nat_vars(n, &vars);
    bool found = ANY(i, vars.n, !strcmp(vars.v[i]->name, v));
    free(vars.v);
    return found;
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
    Search s = {.f = facts_open(c, t, b, count), .b = b, .at_least = at_least < 1 ? 1 : at_least, .fuel = 1 << 22};
    int param = 0;
    while (param < count && (b[param].set || b[param].kind != VAR_PARAM)) param++;
    bool ok = param == count && solve(&s, 0);
    const PlanFact *bad = ok ? NULL : violated(&s.f);
    if (param < count) report_unset(&s.f, param, diag);
    else if (bad) report_fact(&s.f, bad, diag);
    else if (!ok) diag_error(diag, E36, "no sizes >= %lld in reach satisfy all facts; set them with data", (long long)at_least);
    arena_free(s.f.arena);
    return ok;
}

/* infer_facts: legal values of a rule's sizes, and facts that nothing implies. */
#include "infer_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- facts that nothing implies ---- */

static bool implied(Infer *in, const SizeCond *need, const NatFacts *facts)
{
    Nats *n = in->c->nats;
    const Nat *a = size_now(in, need->a), *b = size_now(in, need->b);
    if (!a || !b) return true;
    for (int i = 0; i < in->conds.n; i++) {
        const SizeCond *k = &in->conds.v[i];
        if (k->op == need->op && !k->negated && size_now(in, k->a) == a && size_now(in, k->b) == b) return true;
    }
    if (need->op == '|') return nat_divides(n, a, b, facts);
    return need->op == 'l' ? nat_less_eq(n, a, b) : nat_less(n, a, b);
}

void valuation_start(Valuation *v, Infer *in)
{
    *v = (Valuation){.in = in};
    for (int i = 0; i < in->open.n; i++) {
        bool solved = ANY(k, in->solved.n, in->solved.v[k].var == in->open.v[i]);
        if (!solved && v->count < VALUATION_MAX) v->atoms[v->count++] = in->open.v[i];
    }
}

static bool value_of(void *data, const NatAtom *a, int64_t *out)
{
    Valuation *v = data;
    for (int i = 0; i < v->count; i++)
        if (v->atoms[i] == a) return *out = v->values[i], true;
    v->rigid = true;                         /* the length inside an iterate */
    return false;
}

/* 1 has that value, 0 has none, -1 speaks of the length inside an iterate. */
static int evaluate(Infer *in, Valuation *v, const Nat *n, int64_t *out)
{
    v->rigid = false;
    bool ok = nat_eval(size_now(in, n), value_of, v, out);
    return ok ? 1 : v->rigid ? -1 : 0;
}

static bool cond_holds(Infer *in, const SizeCond *k, Valuation *v)
{
    int64_t a = 0, b = 0;
    int x = evaluate(in, v, k->a, &a), y = evaluate(in, v, k->b, &b);
    if (x < 0 || y < 0) return true;
    if (!x || !y) return false;
    bool yes = k->op == '|' ? a > 0 && b % a == 0 : k->op == '=' ? a == b : k->op == '<' ? a < b : a <= b;
    return yes != k->negated;
}

bool valuation_legal(Valuation *v)
{
    Infer *in = v->in;
    int64_t x = 1, y = 1;
    for (int i = 0; i < in->solved.n; i++) {
        /* Sizes that only the right side has may be no integers: then it needs a fact that is missing. */
        if (!ANY(k, in->left_open, in->open.v[k] == in->solved.v[i].var)) continue;
        int ok = evaluate(in, v, in->solved.v[i].value, &x);
        if (ok == 0 || (ok > 0 && x < 1)) return false;
    }
    for (int i = 0; i < in->later.n; i++)
        if (evaluate(in, v, in->later.v[i].a, &x) != 1 || evaluate(in, v, in->later.v[i].b, &y) != 1 || x != y)
            return false;
    return ALL(i, in->conds.n, cond_holds(in, &in->conds.v[i], v));
}

/* Sizes that divide each other often. */
void valuation_draw(Valuation *v, Rng *rng, int largest)
{
    static const int even[] = {1, 2, 2, 3, 4, 4, 6, 8, 12};
    for (int i = 0; i < v->count; i++) {
        v->values[i] = 1 + rng_below(rng, largest);
        int k = even[rng_below(rng, COUNT(even))];
        if (k <= largest && rng_below(rng, 2)) v->values[i] = k;
    }
}

/* Sizes that meet everything demanded and break the fact: it is missing for certain. */
static bool breakable(Infer *in, const SizeCond *need, Rng *rng)
{
    Valuation v;
    valuation_start(&v, in);
    for (int trial = 0; trial < 4000; trial++) {
        valuation_draw(&v, rng, trial % 2 ? 12 : 5);
        if (valuation_legal(&v) && !cond_holds(in, need, &v)) return true;
    }
    return false;
}

/* Lengths of data metavariables are said as such. */
static const Nat *in_words(Infer *in, const Nat *n)
{
    NatBinding map[16];
    int count = 0;
    for (int i = 0; i < in->metas.n && count < COUNT(map); i++) {
        const Meta *m = in->metas.v[i];
        IType *t = m->kind == META_DATA ? itype_now(in, m->type) : NULL;
        const Nat *size = t && t->kind == I_ARRAY ? size_now(in, t->size) : NULL;
        if (!size || size->term_count != 1 || size->terms[0].factor_count != 1) continue;
        const NatTerm *term = &size->terms[0];
        if (term->num != 1 || term->den != 1 || term->factors[0].exp != 1
            || term->factors[0].atom->var == VAR_PARAM)
            continue;
        const char *name = arena_printf(in->arena, "(length %s)", m->name);
        map[count++] = (NatBinding){term->factors[0].atom, nat_var(in->c->nats, name, VAR_SIZE, NULL, NULL)};
    }
    return nat_subst(in->c->nats, size_now(in, n), map, count, NULL);
}

int rule_missing_facts(Ctx *c, const Rule *r, const char **out, int max)
{
    if (!r->ast) return 0;
    Arena *arena = arena_new();
    Infer in;
    Rng rng = {7};
    int n = 0;
    if (infer_some(&in, c, arena, r)) {
        NatFacts *facts = NULL;
        for (int i = 0; i < in.conds.n; i++) {
            const SizeCond *k = &in.conds.v[i];
            if (k->op != '|' || k->negated) continue;
            NatFacts *f = MAKE(in.arena, NatFacts, size_now(&in, k->a), size_now(&in, k->b), facts);
            if (f->divisor && f->number) facts = f;
        }
        for (int i = 0; i < in.needs.n && n < max; i++) {
            const SizeCond *need = &in.needs.v[i];
            if (implied(&in, need, facts) || !breakable(&in, need, &rng)) continue;
            int prec = need->op == '|' ? 9 : 0;
            const char *text = arena_printf(c->diag.arena, "%s %s %s", nat_text(in_words(&in, need->a), prec, arena),
                                            need->op == '|' ? "divides" : need->op == 'l' ? "<=" : "<",
                                            nat_text(in_words(&in, need->b), prec, arena));
            if (!ANY(k, n, !strcmp(out[k], text))) out[n++] = text;
        }
        infer_free(&in);
    }
    arena_free(arena);
    return n;
}

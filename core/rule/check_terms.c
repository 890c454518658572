/* check_terms: two versions of a program compared on random sizes and inputs. */
#include "check_private.h"

#include <stdlib.h>

/* ---- two terms ---- */

typedef struct Sizes {
    Ctx *c;
    NatAtomVec vars;
    VEC(Fact) facts;
    VEC(int64_t) units;                  /* constants that facts name: chunks of 64 need multiples of 64 */
    int factors;                         /* how many of them a size is a multiple of, as far as is known at most */
    int64_t values[VALUATION_MAX];
} Sizes;

static void add_vars(Sizes *s, const Nat *n, const NatAtom *bound)
{
    NatAtomVec all = {0};
    nat_vars(n, &all);
    for (int i = 0; i < all.n; i++) {
        if (all.v[i] != bound && !ANY(k, s->vars.n, s->vars.v[k] == all.v[i])) vec_push(&s->vars, all.v[i]);
    }
    free(all.v);
}

static void add_type(Sizes *s, const Type *t)
{
    if (t->kind == TY_ARRAY) add_vars(s, t->size, NULL);
    for (int i = 0; i < t->count; i++) add_type(s, t->elems[i]);
}

/* Variables and facts of a term; bound is the length inside an iterate, which has no value of its own. */
static void add_term(Sizes *s, const Term *t, const NatAtom *bound)
{
    Fact facts[8];
    int n = term_own_facts(s->c, t, facts);
    for (int i = 0; i < n; i++)
        if (!bound || !(nat_mentions(facts[i].a, bound) || nat_mentions(facts[i].b, bound)))
            vec_push(&s->facts, facts[i]);
    if (t->kind == T_SIZE) add_vars(s, t->u.nat, bound);
    for (int i = 0; i < t->static_count; i++) add_vars(s, t->statics[i], bound);
    for (int i = 0; i < t->arg_count; i++) {
        bool iterate = t->kind == T_PRIM && t->prim == PRIM_ITERATE && i == 0;
        const Nat *p = iterate ? t->args[0]->type->elems[0]->size : NULL;
        add_term(s, t->args[i], p && !p->is_const ? p->terms[0].factors[0].atom : bound);
    }
}

static bool size_value(void *data, const NatAtom *v, int64_t *out)
{
    const Sizes *s = data;
    for (int i = 0; i < s->vars.n && i < VALUATION_MAX; i++)
        if (s->vars.v[i] == v) return *out = s->values[i], true;
    return false;
}

static bool sizes_meet_facts(Sizes *s)
{
    for (int i = 0; i < s->facts.n; i++) {
        const Fact *f = &s->facts.v[i];
        int64_t a, b;
        if (!nat_eval(f->a, size_value, s, &a) || !nat_eval(f->b, size_value, s, &b)) return false;
        if (f->kind == FACT_DIVIDES ? a < 1 || b % a : f->kind == FACT_LE ? a > b : a >= b) return false;
    }
    return true;
}

enum { FACTORS_MAX = 2, UNIT_MAX = 4096, MULTIPLE_MAX = 1 << 16, WORK_MAX = 1 << 20 };

/* largest 0: as they come, powers of two preferred. With factors: a small multiple of some of the units, or a small number. */
static int64_t draw_size(const Sizes *s, Rng *r, int largest)
{
    static const int even[] = {1, 2, 2, 4, 4, 6, 8, 8, 12, 16, 24};
    if (!s->factors && largest) return 1 + rng_below(r, largest);
    if (!s->factors) return rng_below(r, 2) ? even[rng_below(r, COUNT(even))] : 1 + rng_below(r, 12);
    int64_t size = 1 + rng_below(r, 4);
    for (int i = 0; i < s->factors; i++) {
        int64_t unit = s->units.v[rng_below(r, s->units.n)];
        if (rng_below(r, 4) && size * unit <= MULTIPLE_MAX) size *= unit;
    }
    return size;
}

/* How many; -1: none that meet the facts were drawn. */
static int draw_sizes(Sizes *s, Rng *r, int largest, NatBinding *map)
{
    int n = s->vars.n < VALUATION_MAX ? s->vars.n : VALUATION_MAX, trials = largest ? 300 : 4000;
    for (int trial = 0;; trial++) {
        if (trial == trials) {
            if (largest || !s->units.n || s->factors == FACTORS_MAX) return -1;
            s->factors++;
            trial = 0;
        }
        int64_t work = 1;                        /* as far as sizes tell: could the interpreter do that many times? */
        for (int i = 0; i < n; i++) {
            s->values[i] = draw_size(s, r, largest);
            if (work <= WORK_MAX) work *= s->values[i];
        }
        if (sizes_meet_facts(s) && (!s->factors || work <= WORK_MAX)) break;
    }
    for (int i = 0; i < n; i++) map[i] = (NatBinding){s->vars.v[i], nat_const(s->c->nats, s->values[i])};
    return n;
}

typedef struct Pair {
    Arena *arena;
    Sizes sizes;
    const Input *inputs;
    int input_count;
    const Term *left, *right;
    const volatile int *stop;
} Pair;

enum { SPECIAL_FILLS = 2 };

static Outcome pair_trial(Pair *p, Rng *r, int level, int largest, CheckResult *result)
{
    Ctx *c = p->sizes.c;
    NatBinding map[VALUATION_MAX];
    Trial t = {.outcome = NO_VALUE};
    int n = draw_sizes(&p->sizes, r, largest, map);
    if (n < 0 && !largest) result->reason = "no small sizes meet the facts of both";
    if (n < 0) return NO_VALUE;
    const Term *a = term_subst_nats(c, p->left, map, n), *b = a ? term_subst_nats(c, p->right, map, n) : NULL;
    diag_clear(&c->diag);
    bool ready = b != NULL;
    for (int i = 0; ready && i < p->input_count && i < INPUTS_MAX; i++) {
        Data *d = data_new(c, type_subst(c, p->inputs[i].type, map, n));
        ready = d != NULL;
        if (!d) break;
        trial_fill(d, r, level);
        t.data[t.input_count] = d;
        t.inputs[t.input_count++] = (EvalInput){p->inputs[i].name, d};
    }
    t.comparison = (Comparison){.c = c, .arena = p->arena, .left = a, .right = b, .inputs = t.inputs,
                                .input_count = t.input_count, .stop = p->stop};
    if (ready) trial_try(&t, r, SPECIAL_FILLS);
    if (t.outcome == DIFFERENT) {
        Buf text = {0};
        trial_shrink_data(&t);
        for (int i = 0; i < n; i++)
            buf_printf(&text, "%s %s = %lld\n", map[i].var->var == VAR_PARAM ? "param" : "data", map[i].var->name,
                       (long long)map[i].value->value);
        trial_print_inputs(&t, &text);
        result->difference = trial_difference(&t, c->diag.arena);
        result->replay = arena_strdup(c->diag.arena, buf_text(&text));
        result->counterexample = arena_printf(c->diag.arena, "%s# %s\n", result->replay, result->difference);
        buf_free(&text);
    }
    for (int i = 0; i < t.input_count; i++) data_free(t.data[i]);
    return t.outcome;
}

CheckResult terms_check(Ctx *c, const Input *inputs, int input_count, const Term *a, const Term *b, const Fact *facts,
                        int fact_count, int trials, uint64_t seed, const volatile int *stop)
{
    static const int smaller[] = {1, 2, 3, 4, 6, 8, 12};
    Pair p = {.arena = arena_new(), .sizes = {.c = c}, .inputs = inputs, .input_count = input_count, .left = a, .right = b, .stop = stop};
    CheckResult r = {.seed = seed};
    for (int i = 0; i < input_count; i++) add_type(&p.sizes, inputs[i].type);
    add_term(&p.sizes, a, NULL);
    add_term(&p.sizes, b, NULL);
    /* Facts given besides: their variables too. */
    for (int i = 0; i < fact_count; i++) {
        vec_push(&p.sizes.facts, facts[i]);
        add_vars(&p.sizes, facts[i].a, NULL);
        add_vars(&p.sizes, facts[i].b, NULL);
    }
    for (int i = 0; i < p.sizes.facts.n; i++) {
        const Nat *n = p.sizes.facts.v[i].a;
        if (n->is_const && n->value >= 2 && n->value <= UNIT_MAX && !ANY(k, p.sizes.units.n, p.sizes.units.v[k] == n->value))
            vec_push(&p.sizes.units, n->value);
    }
    for (int i = 0; r.passed < trials && r.skipped <= 4 * trials && r.verdict == CHECK_PASSED && !r.reason; i++) {
        if (stop && *stop) {
            r.reason = "interrupted";
            break;
        }
        Rng rng = {hash_mix(seed, (uint64_t)i)};
        Outcome o = pair_trial(&p, &rng, i % 4, 0, &r);
        check_count(&r, o);
        if (o != DIFFERENT) continue;
        r.verdict = CHECK_REFUTED;
        /* Also for smaller sizes and plainer inputs? The texts are those of the smallest found. */
        for (int k = 0; k < COUNT(smaller) * 4 && (k == 0 || o != DIFFERENT); k++) {
            rng = (Rng){hash_mix(seed, 0x5eed + (uint64_t)k)};
            o = pair_trial(&p, &rng, 0, smaller[k / 4], &r);
        }
    }
    if (r.verdict == CHECK_PASSED && r.passed < trials) {
        r.verdict = CHECK_IMPOSSIBLE;
        if (!r.reason) r.reason = "the left side has no value on most inputs";
    }
    arena_free(p.arena);
    free(p.sizes.vars.v);
    free(p.sizes.facts.v);
    free(p.sizes.units.v);
    return r;
}

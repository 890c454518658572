/* factors: what the elements of a sum depend on. */
#include "factors.h"

typedef struct Bound { uint64_t set; const struct Bound *up; } Bound;      /* of a leaf that is bound, the innermost first */

static const Bound *bind(Bound *leaves, int n, uint64_t set, const Bound *up)
{
    for (int i = 0; i < n; i++) {
        leaves[i] = (Bound){set, up};
        up = &leaves[i];
    }
    return up;
}

enum { LEAVES_MAX = 64 };

static uint64_t set_of(const Term *t, const Bound *env)
{
    uint64_t set = 0;
    if (t->kind == T_VAR) {
        for (int i = t->u.index; env; i--, env = env->up)
            if (!i) return env->set;
        return 0;
    }
    if (!t->free_limit) return 0;
    if (term_is(t, PRIM_LET)) {
        Bound leaves[LEAVES_MAX];
        int n = t->args[0]->type->leaf_count;
        return n > LEAVES_MAX ? ~(uint64_t)0 : set_of(t->args[1]->args[0], bind(leaves, n, set_of(t->args[0], env), env));
    }
    if (t->kind == T_LAM) {
        Bound leaves[LEAVES_MAX];
        int n = t->type->elems[0]->leaf_count;
        return n > LEAVES_MAX ? ~(uint64_t)0 : set_of(t->args[0], bind(leaves, n, 0, env));
    }
    for (int i = 0; i < t->arg_count; i++) set |= set_of(t->args[i], env);
    return set;
}

/* The numbers in the last indices of what t reads. */
static uint64_t near_of(const Term *t, const Bound *env)
{
    uint64_t set = 0;
    if (!t->free_limit || t->kind == T_VAR) return 0;
    if (term_is(t, PRIM_AT)) return set_of(t->args[0], env);
    Bound leaves[LEAVES_MAX];
    const Term *f = t->kind == T_LAM ? t : term_is(t, PRIM_LET) ? t->args[1] : NULL;
    int n = f ? f->type->elems[0]->leaf_count : 0;
    if (n > LEAVES_MAX) return 0;
    if (term_is(t, PRIM_LET)) return near_of(t->args[0], env) | near_of(f->args[0], bind(leaves, n, near_of(t->args[0], env), env));
    if (f) return near_of(f->args[0], bind(leaves, n, 0, env));
    for (int i = 0; i < t->arg_count; i++) set |= near_of(t->args[i], env);
    return set;
}

static bool add_guards(const Term *cond, const Bound *env, bool split, Factors *out)
{
    if (term_is(cond, PRIM_AND)) return add_guards(cond->args[0], env, true, out) && add_guards(cond->args[1], env, split, out);
    if (out->guard_count == GUARDS_MAX) return false;
    out->guards[out->guard_count++] = (Guard){set_of(cond, env), split};
    return true;
}

/* The sides of a condition are one guard again where a factor has all its numbers. */
static void join_guards(Factors *out)
{
    int n = 0;
    for (int i = 0, last; i < out->guard_count; i = last + 1) {
        uint64_t all = out->guards[i].set;
        for (last = i; out->guards[last].split; all |= out->guards[++last].set) {}
        bool one = ANY(k, out->count, !(all & ~out->each[k].set));
        if (one) out->guards[n++] = (Guard){all, false};
        for (int k = i; k <= last && !one; k++) out->guards[n++] = out->guards[k];
    }
    out->guard_count = n;
}

static int factors_of(const Term *t, const Bound *env, Factors *out)
{
    if (term_is(t, PRIM_LET)) {
        Bound leaves[LEAVES_MAX];
        int n = t->args[0]->type->leaf_count;
        return n > LEAVES_MAX ? 0 : factors_of(t->args[1]->args[0], bind(leaves, n, set_of(t->args[0], env), env), out);
    }
    if (term_is(t, PRIM_IF)) return add_guards(t->args[0], env, false, out) ? factors_of(t->args[1], env, out) : 0;
    if (t->kind != T_PRIM || t->arg_count < 1 || t->arg_count > FACTORS_MAX || prim((PrimId)t->prim)->family != FAM_SCALAR) {
        out->each[0] = (Factor){set_of(t, env), near_of(t, env)};
        return out->count = 1;
    }
    for (int i = 0; i < t->arg_count; i++) out->each[i] = (Factor){set_of(t->args[i], env), near_of(t->args[i], env)};
    return out->count = t->arg_count;
}

static int at_reduction(const Term *t, const uint8_t *slots, int length, int depth, const Bound *env, Factors *out)
{
    Bound leaves[LEAVES_MAX];
    if (!length) {
        bool of_numbers = (term_is(t, PRIM_REDUCE) || term_is(t, PRIM_REDUCE_SEQ)) && term_is(t->args[2], PRIM_GENERATE);
        if (!of_numbers) return 0;
        const Term *element = t->args[2]->args[0]->args[0];
        const Bound *at = bind(leaves, 1, (uint64_t)1 << FACTOR_OWN, env);
        out->near = near_of(element, at);
        return factors_of(element, at, out);
    }
    int slot = slots[0], n = term_slot_binds(t, slot);
    if (n > LEAVES_MAX || depth >= FACTOR_OWN) return 0;
    uint64_t set = term_is(t, PRIM_LET) && slot == 1 ? set_of(t->args[0], env) : 0;
    bool counts = term_is(t, PRIM_GENERATE) && length > 1;
    const Term *down = term_slot(t, slot);
    if (counts) return at_reduction(down->args[0], slots + 2, length - 2, depth + 1, bind(leaves, 1, (uint64_t)1 << depth, env), out);
    return at_reduction(down, slots + 1, length - 1, depth, bind(leaves, n, set, env), out);
}

bool nest_factors(const Term *root, const uint8_t *slots, int length, Factors *out)
{
    *out = (Factors){0};
    if (!at_reduction(root, slots, length, 0, NULL, out)) return false;
    join_guards(out);
    return true;
}

/* guard: what the variables around a place count, and, by that, may a term fail where nobody asks for it? What a choice guards must stay
 * behind it, unless its reads are proved to be in range. */
#include "ir_private.h"

/* The number that a variable bound around a term counts, the innermost first; NULL: who knows. */
struct Counters { const Nat *number; const struct Counters *up; };

enum { COUNTERS_MOST = 64 };              /* variables inside of one that a choice compares */

static const Nat *counted(const Counters *around, int index)
{
    while (around && index-- > 0) around = around->up;
    return around ? around->number : NULL;
}

const Nat *counters_value(Ctx *c, const Term *t, const Counters *around)
{
    Nats *s = c->nats;
    if (t->kind == T_SIZE) return t->u.nat;
    if (t->kind == T_VAR) return counted(around, t->u.index);
    if (t->kind == T_LIT) return scalar_is_int(t->type->scalar) ? nat_const(s, t->u.lit.i) : NULL;
    if (t->kind != T_PRIM || t->arg_count != 2) return NULL;
    const Nat *b = counters_value(c, t->args[1], around);
    if (!b) return NULL;
    const Nat *a = counters_value(c, t->args[0], around);
    if (term_is(t, PRIM_MOD) && nat_less(s, nat_const(s, 0), b)) return a && nat_is_nonneg(s, a) ? nat_mod(s, a, b, NULL) : nat_fresh_index(s, "rest", b);
    if (!a) return NULL;
    switch ((PrimId)t->prim) {
    case PRIM_ADD: return nat_add(s, a, b);
    case PRIM_SUB: return nat_sub(s, a, b);
    case PRIM_MUL: return nat_mul(s, a, b);
    case PRIM_MIN: return nat_min(s, a, b);
    case PRIM_MAX: return nat_max(s, a, b);
    case PRIM_DIV: case PRIM_FLOOR_DIV: return nat_less(s, nat_const(s, 0), b) && nat_is_nonneg(s, a) ? nat_div(s, a, b, NULL) : NULL;
    default: return NULL;
    }
}

/* The leaves of an element of x, behind those before: what iota and zips of it count. */
static const Counters *elements_of_array(Ctx *c, const Term *x, const Counters *up)
{
    if (term_is(x, PRIM_ZIP)) {
        for (int i = 0; i < x->arg_count; i++) up = elements_of_array(c, x->args[i], up);
        return up;
    }
    int leaves = x->type->elems[0]->leaf_count;
    bool counts = term_is(x, PRIM_GENERATE) && x->args[0]->args[0]->kind == T_VAR && x->args[0]->args[0]->u.index == 0;
    for (int i = 0; i < leaves; i++)
        up = MAKE(c->scratch, Counters, counts ? nat_fresh_index(c->nats, "i", x->type->size) : NULL, up);
    return up;
}

/* Those inside a slot of t; a function's are those of its body. */
static const Counters *counters_in(Ctx *c, const Term *t, int slot, const Counters *up)
{
    bool is_let = term_is(t, PRIM_LET);
    const Term *f = is_let && slot == 1 ? t->args[1] : t->kind == T_PRIM && t->args[slot]->kind == T_LAM ? t->args[slot] : NULL;
    if (!f) return up;
    int leaves = f->type->elems[0]->leaf_count;
    const Term *x = t->args[t->arg_count - 1];
    if (is_let && leaves == 1) return MAKE(c->scratch, Counters, counters_value(c, t->args[0], up), up);
    if (term_is(t, PRIM_GENERATE)) return MAKE(c->scratch, Counters, nat_fresh_index(c->nats, "i", t->type->size), up);
    int element = !is_let && (prim_is_map(t->prim) || prim_is_fold(t->prim)) ? x->type->elems[0]->leaf_count : 0;
    if (element > leaves) element = 0;
    for (int i = element; i < leaves; i++) up = MAKE(c->scratch, Counters, NULL, up);
    return element ? elements_of_array(c, x, up) : up;
}

/* As they are where the condition holds, or does not: a counter that it compares has narrower bounds there. */
static const Counters *narrowed(Ctx *c, const Term *cond, bool holds, const Counters *around)
{
    Nats *s = c->nats;
    if (term_is(cond, holds ? PRIM_AND : PRIM_OR)) return narrowed(c, cond->args[1], holds, narrowed(c, cond->args[0], holds, around));
    const Term *v = cond->kind == T_PRIM && cond->arg_count == 2 && cond->args[0]->kind == T_VAR ? cond->args[0] : NULL;
    const Nat *old = v ? counted(around, v->u.index) : NULL, *n = old ? counters_value(c, cond->args[1], around) : NULL;
    const NatAtom *number = n ? nat_atom(old) : NULL;
    bool upper = term_is(cond, PRIM_LT) || term_is(cond, PRIM_LE), strict = term_is(cond, PRIM_LT) || term_is(cond, PRIM_GT);
    if (!number || number->kind != ATOM_VAR || number->var != VAR_INDEX || !(upper || term_is(cond, PRIM_GT) || term_is(cond, PRIM_GE))) return around;
    const Nat *bound = upper == strict ? n : nat_add(s, n, nat_const(s, 1));             /* below it, or from it on */
    const Nat *lo = upper == holds ? number->lo : nat_max(s, number->lo, bound), *hi = upper == holds ? nat_min(s, number->hi, bound) : number->hi;
    const Counters *inner[COUNTERS_MOST], *up = around;
    int n_inner = 0;
    for (; n_inner < v->u.index && n_inner < COUNTERS_MOST; up = up->up) inner[n_inner++] = up;
    if (n_inner < v->u.index) return around;
    up = MAKE(c->scratch, Counters, nat_fresh_between(s, "i", lo, hi), up->up);
    while (n_inner > 0) up = MAKE(c->scratch, Counters, inner[--n_inner]->number, up);
    return up;
}

/* Those inside a slot of t, where a choice leads there. */
static const Counters *counters_beyond(Ctx *c, const Term *t, int slot, const Counters *up)
{
    if (term_guards(t, slot)) up = narrowed(c, t->args[0], term_is(t, PRIM_IF) ? slot == 1 : term_is(t, PRIM_AND), up);
    return counters_in(c, t, slot, up);
}

const Counters *counters_at(Ctx *c, const Term *root, const uint8_t *slots, int length)
{
    const Counters *around = NULL;
    for (int i = 0; i < length; root = term_slot(root, slots[i++])) around = counters_beyond(c, root, slots[i], around);
    return around;
}

static bool is_integer_quotient(const Term *t)
{
    switch (t->kind == T_PRIM ? (PrimId)t->prim : PRIM_COUNT) {
    case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_MOD: case PRIM_QUOT: case PRIM_REM: return t->type->kind == TY_SCALAR && scalar_is_int(t->type->scalar);
    default: return false;
    }
}

static bool fails_itself(Ctx *c, const Term *t, const Counters *around)
{
    const Nat *zero = nat_const(c->nats, 0), *n;
    if (is_integer_quotient(t)) {
        n = counters_value(c, t->args[1], around);
        return !n || !(nat_less(c->nats, zero, n) || nat_less(c->nats, n, zero));
    }
    if (term_is(t, PRIM_GATHER) || term_is(t, PRIM_SCATTER)) return true;
    if (!term_is(t, PRIM_AT)) return false;
    n = counters_value(c, t->args[0], around);
    return !n || !nat_is_nonneg(c->nats, n) || !nat_less(c->nats, n, term_indexed_length(t));
}

static bool may_fail(Ctx *c, const Term *t, const Counters *around)
{
    if (fails_itself(c, t, around)) return true;
    return ANY(i, term_slot_count(t), may_fail(c, term_slot(t, i), counters_beyond(c, t, i, around)));
}

/* What a choice on the way to the part says of counters holds no more where the part comes out of it. */
static bool occurrence_may_fail(Ctx *c, const Term *t, const Term *part, const Counters *around)
{
    if (t == part) return may_fail(c, t, around);
    return t->size > part->size && ANY(i, term_slot_count(t), occurrence_may_fail(c, term_slot(t, i), part, counters_in(c, t, i, around)));
}

bool term_part_may_fail(Ctx *c, const Term *root, const uint8_t *slots, int length, const Term *part)
{
    ArenaMark mark = arena_mark(c->scratch);
    NatsMark nats = nats_mark(c->nats);
    const Counters *around = counters_at(c, root, slots, length);
    for (int i = 0; i < length; i++) root = term_slot(root, slots[i]);
    bool fails = occurrence_may_fail(c, root, part, around);
    nats_release(c->nats, &nats);
    arena_release(c->scratch, mark);
    return fails;
}

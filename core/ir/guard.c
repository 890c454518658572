/* guard: what the variables around a place count, and, by that, may a term fail where nobody asks for it? What a choice guards must stay
 * behind it, unless its reads are proved to be in range. */
#include "ir_private.h"

/* The number that a variable bound around a term counts, the innermost first; NULL: who knows. Between them, what a choice that leads there compares, whether
 * that is so, and by that a number that is not negative (NULL: not known). */
struct Counters { const Nat *number; const Term *cond; bool is_so; const Nat *holds; const struct Counters *up; };

enum { COUNTERS_MOST = 64 };              /* variables inside of one that a choice compares */

static const Nat *counted(const Counters *around, int index)
{
    for (; around; around = around->up)
        if (!around->cond && index-- == 0) return around->number;
    return NULL;
}

/* The least and the largest that x // b may be are (x - b + 1) / b and x / b: b times as much as n, with one of these in place of a quotient in it. NULL: there
 * is none by a number, or only in a product. by: b. */
static const Nat *without_quotient(Ctx *c, const Nat *n, const Nat **by)
{
    Nats *s = c->nats;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *m = &n->terms[i];
        const NatAtom *q = m->factor_count == 1 && m->factors[0].exp == 1 && m->den == 1 ? m->factors[0].atom : NULL;
        if (!q || q->kind != ATOM_DIV || !q->b->is_const) continue;
        *by = q->b;
        const Nat *most = m->num < 0 ? q->a : nat_sub(s, q->a, nat_sub(s, q->b, nat_const(s, 1)));
        return nat_add(s, nat_mul(s, q->b, nat_sub(s, n, nat_of_term(s, m))), nat_mul(s, nat_const(s, m->num), most));
    }
    return NULL;
}

/* Is n, an integer, not negative: by itself, since something that choices say is not, or whatever a quotient in it may be? */
static bool is_nonneg(Ctx *c, const Nat *n, const Counters *around)
{
    const Nat *by;
    if (nat_is_nonneg(c->nats, n)) return true;
    for (const Counters *k = around; k; k = k->up)
        if (k->holds && nat_is_nonneg(c->nats, nat_sub(c->nats, n, k->holds))) return true;
    const Nat *rest = without_quotient(c, n, &by);           /* n >= 0 where n > -1 */
    return rest && is_nonneg(c, nat_add(c->nats, rest, nat_sub(c->nats, by, nat_const(c->nats, 1))), around);
}

/* What t, a quotient or a rest, makes of a and b, which may be 0 or less: the same number wherever it is made of these, who knows which. */
static const Nat *made_of(Ctx *c, const Term *t, const Nat *a, const Nat *b)
{
    const char *name = arena_printf(c->scratch, "%llu %s %llu", (unsigned long long)a->id, prim((PrimId)t->prim)->name, (unsigned long long)b->id);
    const char *less = arena_printf(c->scratch, "- %s", name);
    return nat_sub(c->nats, nat_var(c->nats, name, VAR_SIZE, NULL, NULL), nat_var(c->nats, less, VAR_SIZE, NULL, NULL));
}

const Nat *counters_value(Ctx *c, const Term *t, const Counters *around)
{
    Nats *s = c->nats;
    if (t->type->kind != TY_SCALAR || !scalar_is_int(t->type->scalar)) return NULL;
    if (t->kind == T_SIZE) return t->u.nat;
    if (t->kind == T_VAR) return counted(around, t->u.index);
    if (t->kind == T_LIT) return nat_const(s, t->u.lit.i);
    if (t->kind != T_PRIM || t->arg_count != 2) return NULL;
    const Nat *b = counters_value(c, t->args[1], around);
    if (!b) return NULL;
    const Nat *a = counters_value(c, t->args[0], around);
    bool positive = nat_less(s, nat_const(s, 0), b);
    if (!a) return term_is(t, PRIM_MOD) && positive ? nat_fresh_index(s, "rest", b) : NULL;
    if (term_is(t, PRIM_QUOT) || term_is(t, PRIM_REM)) return NULL;
    bool divides = prim((PrimId)t->prim)->traits & PT_DIVIDES;
    return divides && !positive ? made_of(c, t, a, b) : prim_calculate(s, (PrimId)t->prim, a, b, NULL);
}

static const Counters *variable(Ctx *c, const Nat *number, const Counters *up) { return MAKE(c->scratch, Counters, .number = number, .up = up); }

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
        up = variable(c, counts ? nat_fresh_index(c->nats, "i", x->type->size) : NULL, up);
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
    if (is_let && leaves == 1) return variable(c, counters_value(c, t->args[0], up), up);
    if (term_is(t, PRIM_GENERATE)) return variable(c, nat_fresh_index(c->nats, "i", t->type->size), up);
    int element = !is_let && (prim_is_map(t->prim) || prim_is_fold(t->prim)) ? x->type->elems[0]->leaf_count : 0;
    if (element > leaves) element = 0;
    for (int i = element; i < leaves; i++) up = variable(c, NULL, up);
    return element ? elements_of_array(c, x, up) : up;
}

/* With what a comparison of numbers says where it is so, or is not. */
static const Counters *compared(Ctx *c, const Term *cond, bool is_so, const Counters *around)
{
    Nats *s = c->nats;
    if (cond->kind != T_PRIM || cond->arg_count != 2) return around;
    PrimId op = (PrimId)cond->prim;
    bool equal = op == (is_so ? PRIM_EQ : PRIM_NE), strict = prim_is_strict(op) == is_so;
    if (!(prim_orders(op) || equal)) return around;
    const Nat *a = counters_value(c, cond->args[0], around), *b = a ? counters_value(c, cond->args[1], around) : NULL;
    const Nat *above = b ? nat_sub(s, a, b) : NULL, *below = b ? nat_sub(s, b, a) : NULL, *more = equal || prim_is_upper(op) != is_so ? above : below;
    if (b && strict && !equal) more = nat_sub(s, more, nat_const(s, 1));
    around = MAKE(c->scratch, Counters, .cond = cond, .is_so = is_so, .holds = more, .up = around);
    return b && equal ? MAKE(c->scratch, Counters, .cond = cond, .is_so = is_so, .holds = below, .up = around) : around;
}

/* Does a choice say that this very value, of which nothing else is known, is at least 0 (NULL), or below n? Where a variable is bound in between, it is
 * another term. */
static bool is_said(Ctx *c, const Term *t, const Nat *n, const Counters *around)
{
    for (; around && around->cond; around = around->up) {
        PrimId op = (PrimId)around->cond->prim;
        bool asked = around->cond->args[0] == t && prim_orders(op) && (prim_is_upper(op) == around->is_so) == (n != NULL);
        const Nat *bound = asked ? counters_value(c, around->cond->args[1], around->up) : NULL;
        if (!bound) continue;
        if (prim_is_strict(op) != around->is_so && n) bound = nat_add(c->nats, bound, nat_const(c->nats, 1));
        if (n ? nat_less_eq(c->nats, bound, n) : nat_is_nonneg(c->nats, bound)) return true;
    }
    return false;
}

/* As they are where the condition holds, or does not: a counter that it compares has narrower bounds there. */
static const Counters *narrowed(Ctx *c, const Term *cond, bool holds, const Counters *around)
{
    Nats *s = c->nats;
    if (term_is(cond, holds ? PRIM_AND : PRIM_OR)) return narrowed(c, cond->args[1], holds, narrowed(c, cond->args[0], holds, around));
    const Term *v = cond->kind == T_PRIM && cond->arg_count == 2 && cond->args[0]->kind == T_VAR ? cond->args[0] : NULL;
    const Nat *old = v ? counted(around, v->u.index) : NULL, *n = old ? counters_value(c, cond->args[1], around) : NULL;
    const NatAtom *number = n ? nat_atom(old) : NULL;
    if (!number || number->kind != ATOM_VAR || number->var != VAR_INDEX || !prim_orders((PrimId)cond->prim)) return compared(c, cond, holds, around);
    bool upper = prim_is_upper((PrimId)cond->prim), strict = prim_is_strict((PrimId)cond->prim);
    const Nat *bound = upper == strict ? n : nat_add(s, n, nat_const(s, 1));             /* below it, or from it on */
    const Nat *lo = upper == holds ? number->lo : nat_max(s, number->lo, bound), *hi = upper == holds ? nat_min(s, number->hi, bound) : number->hi;
    const Counters *inner[COUNTERS_MOST], *up = around;
    int n_inner = 0;
    for (int left = v->u.index; (left > 0 || up->cond) && n_inner < COUNTERS_MOST; up = up->up) left -= !up->cond, inner[n_inner++] = up;
    if (n_inner == COUNTERS_MOST) return around;
    up = variable(c, nat_fresh_between(s, "i", lo, hi), up->up);
    while (n_inner-- > 0) {
        Counters *same = NEW(c->scratch, Counters);
        *same = *inner[n_inner];
        same->up = up;
        up = same;
    }
    return up;
}

bool counters_index(Ctx *c, const Term *t, const Nat *length, const Counters *around)
{
    const Nat *n = counters_value(c, t, around);
    bool from = (n && is_nonneg(c, n, around)) || is_said(c, t, NULL, around);
    bool below = n && (nat_less(c->nats, n, length) || is_nonneg(c, nat_sub(c->nats, length, nat_add(c->nats, n, nat_const(c->nats, 1))), around));
    return from && (below || is_said(c, t, length, around));
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
    return t->kind == T_PRIM && (prim((PrimId)t->prim)->traits & PT_DIVIDES) && t->type->kind == TY_SCALAR && scalar_is_int(t->type->scalar);
}

/* Is n not 0: proved, or since a length around is a multiple of it, of whose numbers one is there? */
static bool is_nonzero(Ctx *c, const Nat *n, const Counters *around)
{
    const Nat *zero = nat_const(c->nats, 0);
    if (nat_less(c->nats, zero, n) || nat_less(c->nats, n, zero)) return true;
    for (; around; around = around->up) {
        const NatAtom *number = around->number ? nat_atom(around->number) : NULL;
        bool counts = number && number->kind == ATOM_VAR && number->var == VAR_INDEX && nat_is_nonneg(c->nats, number->lo);
        if (counts && nat_divides(c->nats, n, number->hi, NULL)) return true;
    }
    return false;
}

static bool fails_itself(Ctx *c, const Term *t, const Counters *around)
{
    if (is_integer_quotient(t)) {
        const Nat *n = counters_value(c, t->args[1], around);
        return !n || !is_nonzero(c, n, around);
    }
    if (term_is(t, PRIM_GATHER) || term_is(t, PRIM_SCATTER)) return true;
    if (!term_is(t, PRIM_AT)) return false;
    return !counters_index(c, t->args[0], term_indexed_length(t), around);
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

/* meaning: what a closed term is, in a normal form that equal terms share: an array is what its elements are, as functions of their
 * numbers (index functions), a fold its step and its start, an unknown function a table; the numbers have normal forms (nat.h). It is
 * found by evaluation, call by name; what is made at a depth of so many open numbers names its own by that depth.
 *
 * Of folds it knows, without more:
 *   a fold whose step is a fold from there on            is one over both numbers
 *   a fold that begins with what a fold makes            is one over both, behind one another
 *   components, and elements, that no others reach       are folds of their own
 *   a fold of one element                                is its step
 *   scan                                                 is a fold over the first elements for each
 * and of an operation that is associative, from what it restarts with, that f (a, fold f z x) is fold f a x; where it is commutative,
 * too, that a one-to-one function of the number does not count.
 *
 * A normal form is a term, but one where numbers and states that are bound by it stand as names: an index variable, or an input that starts
 * with $, of the depth. It is compared, never run. */
#include "egraph_private.h"

#include <stdlib.h>

enum { DEPTH_MOST = 24, FUEL = 200000, TEXT_MOST = 2000 };

typedef struct Value Value;
typedef struct Frame { Value *v; struct Frame *up; } Frame;      /* the innermost leaf first */

typedef enum ValueKind {
    MEANS_TERM,                          /* a scalar, in normal form */
    MEANS_TUPLE,                         /* parts */
    MEANS_READ,                          /* an array: term, which is read */
    MEANS_LAYOUT,                        /* what the node says of x, or x and y */
    MEANS_ZIP,                           /* parts */
    MEANS_FIELD,                         /* component k of every element of x */
    MEANS_PART, MEANS_COLUMN, MEANS_ANTIDIAGONAL,      /* of x, at */
    MEANS_SAME,                          /* every element is x */
    MEANS_CHOICE,                        /* an array: x or y, as `cond` says */
    MEANS_FOLD,                          /* what a fold makes; an array: of states that are no arrays of their own */
    MEANS_FOLDS,                         /* an array of folds, by elements */
    MEANS_PREFIXES,                      /* a scan: element i is the fold of the first i + 1 */
    MEANS_LATER,                         /* term in frame, or component k of x: not evaluated yet */
} ValueKind;

typedef struct Op { PrimId prim; const char *table; } Op;        /* an operation of two operands: a primitive, or a table of one that is unknown */

typedef enum StepKind {
    STEP_CALL,                           /* f (state, element of x) */
    STEP_NESTED,                         /* a step of `of` is a fold of so many (by) steps */
    STEP_CONCAT,                         /* those of `of`, so many (by), then those of `then` */
    STEP_COMPONENT, STEP_ELEMENT,        /* of `of`: component k, element at */
    STEP_TURNED,                         /* of `of`, by another number: at, of number `number` */
    STEP_PERMUTED,                       /* the same by the table called name */
} StepKind;

typedef struct Fold {
    StepKind kind;
    const Type *type;                    /* of the state */
    const Nat *length, *by, *at;
    Value *start, *x;
    const Term *f;
    Frame *frame;
    const struct Fold *of, *then;
    int k;
    const NatAtom *number;
    const char *name;
    bool known, restarts;                /* each step is op (state, ..); and the state is what op made, from what it restarts with */
    Op op;
} Fold;

struct Value {
    ValueKind kind;
    const Type *type;
    const Term *term;
    Frame *frame;
    Value *x, *y, *cond, *const *parts;
    const Nat *at;
    int k;
    const Fold *fold;
    Value *now;                          /* LATER: at that depth */
    int depth;
};

typedef struct Unknown { const NatAtom *number; const Term *term; } Unknown;      /* an index that is computed */

typedef struct Folded { const Term *term; int depth; } Folded;   /* a fold in normal form, and where it was found */

typedef struct Meaning {
    Ctx *c;
    Arena *arena;
    const Claim *claim;
    VEC(const Nat *) lengths;            /* of arrays that there are */
    VEC(Unknown) unknown;
    VEC(Folded) folds;
    const Fold *state[DEPTH_MOST];       /* whose state the name of that depth is */
    int depth, fuel;
    bool strict;                         /* what it says has a value only where the term has one; else maybe more often */
    bool failed;
} Meaning;

static Value *eval(Meaning *m, const Term *t, Frame *frame);
static Value *element(Meaning *m, Value *v, const Nat *i);
static const Term *written(Meaning *m, Value *v);
static Value *fold_value(Meaning *m, Fold f);

#define VALUE(m, k, t, ...) MAKE((m)->arena, Value, .kind = (k), .type = (t), __VA_ARGS__)

static const NatFacts *facts(const Meaning *m) { return m->claim->divides; }
static const Type *i32(const Meaning *m) { return type_scalar(m->c, SC_I32); }
static Value *of_term(Meaning *m, const Term *t) { return VALUE(m, MEANS_TERM, t->type, .term = t); }

/* What it is has no normal form, or one that is too large. */
static Value *fail(Meaning *m, const Type *type)
{
    m->failed = true;
    return VALUE(m, MEANS_READ, type, .term = term_input(m->c, "$", type));
}

/* ---- types: a vector is an array ---- */

static const Type *without_vectors(Ctx *c, const Type *t)
{
    const Type *elems[ARG_MAX];
    switch (t->kind) {
    case TY_VECTOR: return type_array(c, nat_const(c->nats, t->width), type_scalar(c, t->scalar));
    case TY_ARRAY: return type_array(c, t->size, without_vectors(c, t->elems[0]));
    case TY_TUPLE:
        for (int i = 0; i < t->count; i++) elems[i] = without_vectors(c, t->elems[i]);
        return type_tuple(c, elems, t->count);
    default: return t;
    }
}

/* ---- numbers ---- */

static const char *number_name(Meaning *m, int depth)
{
    static const char *const names[] = {"i", "j", "k", "l", "p", "q"};
    return intern(m->c->names, depth < COUNT(names) ? names[depth] : arena_printf(m->arena, "i%d", depth));
}

static const Nat *open_number(Meaning *m, const Nat *extent)
{
    if (m->depth + 1 >= DEPTH_MOST) fail(m, i32(m));
    if (extent->is_const && extent->value == 1) return nat_const(m->c->nats, 0);
    return nat_var(m->c->nats, number_name(m, m->depth), VAR_INDEX, nat_const(m->c->nats, 0), extent);
}

static const Term *unknown_of(const Meaning *m, const NatAtom *a)
{
    for (int i = 0; i < m->unknown.n; i++)
        if (m->unknown.v[i].number == a) return m->unknown.v[i].term;
    return NULL;
}

static const Term *of_nat(const Meaning *m, const Nat *n)
{
    const NatAtom *a = nat_atom(n);
    const Term *unknown = a && a->kind == ATOM_VAR && a->var == VAR_INDEX ? unknown_of(m, a) : NULL;
    return unknown ? unknown : term_size(m->c, i32(m), n);
}

static bool is_at_most(const Meaning *m, const Nat *a, const Nat *b) { return claim_says(m->claim, m->c->nats, &(Fact){FACT_LE, a, b}); }

/* Is it no more than the length of an array that there is, so that arithmetic of 32 bits is exact? */
static bool is_exact(const Meaning *m, const Nat *n)
{
    Nats *s = m->c->nats;
    const NatAtom *a = nat_atom(n);
    if (n->is_const) return n->value >= INT32_MIN && n->value <= INT32_MAX;
    if (a && a->kind == ATOM_VAR) return true;
    return ANY(i, m->lengths.n, is_at_most(m, n, m->lengths.v[i])) && ANY(i, m->lengths.n, is_at_most(m, nat_const(s, 0), nat_add(s, n, m->lengths.v[i])));
}

/* What an expression in i32 is as a number; NULL: it is none that is counted. */
static const Nat *nat_of(const Meaning *m, const Term *t)
{
    if (t->type != i32(m)) return NULL;
    if (t->kind == T_SIZE) return t->u.nat;
    return t->kind == T_LIT ? nat_const(m->c->nats, t->u.lit.i) : NULL;
}

/* The same; one of its own for what is computed, between the bounds that are known of it. */
static const Nat *number_of(Meaning *m, const Term *t)
{
    Nats *s = m->c->nats;
    const Nat *n = t ? nat_of(m, t) : NULL, *length = NULL;
    if (n || !t) return n;
    for (int i = 0; i < m->claim->indexes.n; i++)
        if (m->claim->indexes.v[i].index == t) length = m->claim->indexes.v[i].length;
    n = nat_var(s, arena_printf(m->arena, "#%u", t->id), VAR_INDEX, length ? nat_const(s, 0) : NULL, length);
    if (!unknown_of(m, nat_atom(n))) vec_push(&m->unknown, ((Unknown){nat_atom(n), t}));
    return n;
}

static bool is_table(const Meaning *m, const Term *t)
{
    return term_is(t, PRIM_AT) ? is_table(m, t->args[1]) : ANY(i, m->claim->tables.n, m->claim->tables.v[i] == t);
}

static bool is_positive(const Meaning *m, const Nat *n)
{
    return claim_knows(m->claim, m->c->nats, &(Fact){FACT_LT, nat_const(m->c->nats, 0), n});
}

/* Is it an operation that has a value wherever its operands have one? A float of a rule stands for integers, too. */
static bool keeps_value(const Meaning *m, const Term *t)
{
    Nats *s = m->c->nats;
    switch ((PrimId)t->prim) {
    case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_MOD: case PRIM_QUOT: case PRIM_REM: {
        const Nat *by = nat_of(m, t->args[1]);
        return (scalar_is_float(t->type->scalar) && !m->claim->except) || (by && is_positive(m, by));
    }
    case PRIM_AT: {
        const Nat *i = nat_of(m, t->args[0]);
        return is_table(m, t->args[1]) || (i && nat_is_nonneg(s, i) && nat_less(s, i, t->args[1]->type->size));
    }
    case PRIM_REORDER: return t->statics[0]->value != PERM_FUN;
    case PRIM_SCATTER: case PRIM_GATHER: case PRIM_SLICE: return false;
    default: return !prim_is_cast((PrimId)t->prim) || !scalar_is_int(t->type->scalar) || t->args[0]->type == t->type;
    }
}

static bool is_index(const Meaning *m, const Term *t) { return ANY(i, m->claim->indexes.n, m->claim->indexes.v[i].index == t); }

/* Has it a value whatever is in it? What a metavariable stands for may have none. */
static bool is_total(const Meaning *m, const Term *t)
{
    const Claim *k = m->claim;
    switch (t->kind) {
    case T_SIZE: {
        LOCAL(drop) NatAtomVec vars = nat_kind_in(t->u.nat, VAR_INDEX);
        return ALL(i, vars.n, !unknown_of(m, vars.v[i]) || is_total(m, unknown_of(m, vars.v[i])));
    }
    case T_INPUT: return !k->except || ANY(i, k->ways.n, k->ways.v[i] == t) || is_index(m, t);
    case T_VAR: return k->total;
    default: return (t->kind != T_PRIM || keeps_value(m, t)) && ALL(i, t->arg_count, is_total(m, t->args[i]));
    }
}

bool meaning_is_total(Ctx *c, const Claim *k, const Term *t) { return is_total(&(Meaning){.c = c, .claim = k}, t); }

static bool is_strict(const Term *t)
{
    return t->kind == T_PRIM && prim((PrimId)t->prim)->family == FAM_SCALAR && !prim_is_lazy((PrimId)t->prim);
}

/* Is x certainly evaluated where t is? */
static bool evaluates(const Term *t, const Term *x) { return t == x || (is_strict(t) && ANY(i, t->arg_count, evaluates(t->args[i], x))); }

static bool needs_no_more(const Meaning *m, const Term *t, const Term *than)
{
    bool scalar = t->kind == T_PRIM && prim((PrimId)t->prim)->family == FAM_SCALAR && keeps_value(m, t);
    return is_total(m, t) || evaluates(than, t) || (scalar && ALL(i, t->arg_count, needs_no_more(m, t->args[i], than)));
}

bool meaning_needs_no_more(Ctx *c, const Claim *k, const Term *t, const Term *than) { return needs_no_more(&(Meaning){.c = c, .claim = k}, t, than); }

/* What is an index of 32 bits as this sum, is it that sum? One or two numbers, 1 more or less, with no more than one taken away: the sum is less
 * than 2^32, and where it is 2^31 or more it is below 0 in 32 bits, and no index. */
static bool is_read_as_it_is(const Meaning *m, const Nat *i)
{
    Nats *s = m->c->nats;
    LOCAL(drop) NatAtomVec vars = {0};
    for (int k = VAR_SIZE; k <= VAR_INDEX; k++) nat_vars_of(i, (VarKind)k, &vars);
    if (vars.n < 1 || vars.n > 2) return i->is_const;
    for (int less = -1; less < vars.n; less++) {             /* which of them is taken away */
        const Nat *rest = i;
        for (int k = 0; k < vars.n; k++) rest = (k == less ? nat_add : nat_sub)(s, rest, nat_self(vars.v[k]));
        if (rest->is_const && rest->value >= -1 && rest->value <= 1) return true;
    }
    return false;
}

static void know_reads(Meaning *m, Claim *k, const Term *t)
{
    bool read = term_is(t, PRIM_AT) && !is_table(m, t->args[1]);      /* a function may not ask for what it is applied to */
    const Nat *i = read ? number_of(m, t->args[0]) : NULL;
    if (i && is_read_as_it_is(m, i)) {
        vec_push(&k->known, ((Fact){FACT_LE, nat_const(m->c->nats, 0), i}));
        vec_push(&k->known, ((Fact){FACT_LT, i, t->args[1]->type->size}));
    }
    if (read || is_strict(t))
        for (int a = 0; a < t->arg_count; a++) know_reads(m, k, t->args[a]);
}

void meaning_know_reads(Ctx *c, Claim *k, const Term *t)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    Meaning m = {.c = c, .arena = arena, .claim = k};
    know_reads(&m, k, t);
    free(m.unknown.v);
}

/* Sums and products modulo 2^32 are those of numbers; quotients and what compares need exact ones. NULL: it stays an operation. */
static const Nat *calculated(const Meaning *m, PrimId op, const Nat *a, const Nat *b)
{
    bool wraps = op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL, divides = prim(op)->traits & PT_DIVIDES;
    if (!wraps && !(is_exact(m, a) && is_exact(m, b))) return NULL;
    if (divides && !(nat_is_nonneg(m->c->nats, a) && is_positive(m, b))) return NULL;
    return prim_calculate(m->c->nats, op, a, b, facts(m));
}

/* Is it certainly an index of an array of that length? */
static bool is_within(const Meaning *m, const Nat *i, const Nat *length)
{
    Nats *s = m->c->nats;
    return is_at_most(m, nat_const(s, 0), i) && claim_says(m->claim, s, &(Fact){FACT_LT, i, length});
}

/* May it stand for a value of any type, a NaN among them? */
static bool is_unknown(const Meaning *m, const Nat *n)
{
    LOCAL(drop) NatAtomVec vars = nat_kind_in(n, VAR_INDEX);
    return ANY(i, vars.n, unknown_of(m, vars.v[i]) && !is_index(m, unknown_of(m, vars.v[i])));
}

/* -1: it is not known. */
static int compared(const Meaning *m, PrimId op, const Nat *a, const Nat *b)
{
    bool known = is_exact(m, a) && is_exact(m, b) && (prim_orders(op) || !(is_unknown(m, a) || is_unknown(m, b)));
    return known ? prim_decide(m->c->nats, op, a, b) : -1;
}

/* ---- names that are bound ---- */

static const char *state_name(Meaning *m) { return intern(m->c->names, arena_printf(m->arena, "$%d", m->depth)); }
static const char *component_name(Meaning *m, int k) { return intern(m->c->names, arena_printf(m->arena, "$%d.%d", m->depth, k)); }
static bool is_bound(const Term *t) { return t->kind == T_INPUT && t->u.name[0] == '$'; }

/* F[state], of f (state, x). */
static bool is_state_table(const Term *row) { return term_is(row, PRIM_AT) && is_bound(row->args[0]) && row->args[1]->kind == T_INPUT; }

static bool is_named(const Term *t, const char *name) { return t->kind == T_INPUT && t->u.name == name; }

/* Does t mention what has the name, elsewhere than as its element at `but`? */
static bool mentions(const Meaning *m, const Term *t, const char *name, const Nat *but)
{
    if (is_named(t, name)) return true;
    if (but && term_is(t, PRIM_AT) && is_named(t->args[1], name) && nat_of(m, t->args[0]) == but) return false;
    if (t->kind == T_SIZE) {
        LOCAL(drop) NatAtomVec vars = nat_kind_in(t->u.nat, VAR_INDEX);
        for (int i = 0; i < vars.n; i++) {
            const Term *x = unknown_of(m, vars.v[i]);
            if (x && mentions(m, x, name, but)) return true;
        }
    }
    return ANY(i, t->arg_count, mentions(m, t->args[i], name, but));
}

/* ---- values ---- */

static Value *read_value(Meaning *m, const Term *t)
{
    if (!t) return fail(m, i32(m));
    if (t->type->kind == TY_ARRAY) return VALUE(m, MEANS_READ, t->type, .term = t);
    if (t->type->kind != TY_TUPLE) return of_term(m, t);
    return VALUE(m, MEANS_TUPLE, t->type, .parts = MAKE_LIST(m->arena, Value *, i, t->type->count, read_value(m, term_proj(m->c, t, i))));
}

static Value *later(Meaning *m, const Term *t, Frame *frame)
{
    return VALUE(m, MEANS_LATER, without_vectors(m->c, t->type), .term = t, .frame = frame, .depth = -1);
}

static Value *field(Meaning *m, Value *v, int k);

static Value *now(Meaning *m, Value *v)
{
    while (v->kind == MEANS_LATER) {
        if (v->depth != m->depth) v->now = v->x ? field(m, now(m, v->x), v->k) : eval(m, v->term, v->frame), v->depth = m->depth;
        v = v->now;
    }
    return v;
}

static Value *field(Meaning *m, Value *v, int k)
{
    if (m->failed) return fail(m, i32(m));
    if (v->kind == MEANS_TUPLE) return v->parts[k];
    if (v->kind == MEANS_LATER) return VALUE(m, MEANS_LATER, v->type->elems[k], .x = v, .k = k, .depth = -1);
    const Term *t = written(m, v);
    return t ? read_value(m, term_proj(m->c, t, k)) : fail(m, v->type->elems[k]);
}

/* The leaves of a parameter, the last one innermost. */
static Frame *bind(Meaning *m, Frame *frame, const Type *type, Value *v)
{
    if (type->kind != TY_TUPLE) return MAKE(m->arena, Frame, .v = v, .up = frame);
    for (int i = 0; i < type->count; i++) frame = bind(m, frame, type->elems[i], field(m, v, i));
    return frame;
}

static Value *call(Meaning *m, const Term *f, Frame *frame, Value *arg)
{
    return eval(m, f->args[0], bind(m, frame, f->type->elems[0], arg));
}

/* Does a hold only where b does: i < n and i < m, with n at most m? */
static bool implies(Meaning *m, const Term *a, const Term *b)
{
    if (a == b) return true;
    if (!term_is(a, PRIM_LT) || !term_is(b, PRIM_LT)) return false;
    Nats *s = m->c->nats;
    const Nat *below = number_of(m, a->args[0]), *bound = number_of(m, a->args[1]), *i = number_of(m, b->args[0]), *n = number_of(m, b->args[1]);
    return below && bound && i && n && is_at_most(m, nat_add(s, i, bound), nat_add(s, n, below));
}

/* The choice, nested ones by one number in its order. */
static const Term *chosen(Meaning *m, const Term *cond, const Term *x, const Term *y)
{
    if (!x || !y || m->fuel-- <= 0) return NULL;
    if (term_is(x, PRIM_IF) && implies(m, cond, x->args[0])) x = x->args[1];
    if (term_is(y, PRIM_IF) && implies(m, y->args[0], cond)) y = y->args[2];
    if (term_is(x, PRIM_IF) && implies(m, x->args[0], cond))
        return chosen(m, x->args[0], x->args[1], chosen(m, cond, x->args[2], y));
    return x == y && (!m->strict || is_total(m, cond)) ? x : term_prim(m->c, PRIM_IF, NULL, 0, (const Term *[]){cond, x, y}, 3);
}

/* Is it 0 times 0? */
static bool is_zero_squared(PrimId id, const Term *const *args, int n)
{
    const Term *x = args[0];
    if (id != PRIM_MUL || n != 2 || x != args[1] || x->kind != T_LIT) return false;
    return scalar_is_float(x->type->scalar) ? x->u.lit.f == 0 : x->u.lit.i == 0;
}

/* The operation; of a choice, the choice of two, but for what is an operation on a state. */
static const Term *outwards(Meaning *m, PrimId id, const Nat *const *statics, int static_count, const Term *const *args, int n)
{
    const Term *side[ARG_MAX], *both[2];
    int k = 0;
    if (m->fuel-- <= 0) return NULL;
    if (is_zero_squared(id, args, n)) return args[0];
    while (k < n && !term_is(args[k], PRIM_IF)) k++;
    bool lifts = k < n && args[k]->type->kind == TY_SCALAR && !(n == 2 && is_bound(args[1 - k])) && !(id == PRIM_AT && is_state_table(args[1]));
    if (!lifts) return term_prim(m->c, id, statics, static_count, args, n);
    for (int i = 0; i < 2; i++) {
        memcpy(side, args, sizeof *side * (size_t)n);
        side[k] = args[k]->args[1 + i];
        both[i] = outwards(m, id, statics, static_count, side, n);
    }
    return chosen(m, args[k]->args[0], both[0], both[1]);
}

/* Is it n < 1, and y a fold of so many elements, or a multiple, from x on? */
static bool goes_on(Meaning *m, const Term *cond, const Value *x, const Value *y)
{
    const Nat *n = term_is(cond, PRIM_LT) ? nat_of(m, cond->args[0]) : NULL, *one = n ? nat_of(m, cond->args[1]) : NULL;
    if (!one || !one->is_const || one->value != 1 || y->kind != MEANS_FOLD || !nat_is_nonneg(m->c->nats, n)) return false;
    const Nat *times = nat_exact(m->c->nats, y->fold->length, n);
    return times && nat_is_whole(times) && x->kind == MEANS_TERM && written(m, y->fold->start) == x->term;
}

/* x or y. */
static Value *choice(Meaning *m, Value *cond, Value *x, Value *y)
{
    const Type *type = x->type;
    const Term *c = written(m, cond);
    if (m->failed) return fail(m, type);
    if (c->kind == T_LIT) return now(m, c->u.lit.i ? x : y);
    if (term_is(c, PRIM_IF)) return choice(m, of_term(m, c->args[0]), choice(m, of_term(m, c->args[1]), x, y), choice(m, of_term(m, c->args[2]), x, y));
    if (goes_on(m, c, now(m, x), now(m, y))) return now(m, y);
    if (type->kind == TY_ARRAY) return VALUE(m, MEANS_CHOICE, type, .cond = cond, .x = x, .y = y);
    if (type->kind == TY_TUPLE) {
        return VALUE(m, MEANS_TUPLE, type, .parts = MAKE_LIST(m->arena, Value *, i, type->count, choice(m, cond, field(m, x, i), field(m, y, i))));
    }
    const Term *a = written(m, x), *b = written(m, y);
    if (m->failed) return fail(m, type);
    if (type->scalar == SC_BOOL && a->kind == T_LIT && b->kind == T_LIT && a->u.lit.i && !b->u.lit.i) return of_term(m, c);
    bool of_state = a != b && a->kind == T_PRIM && b->kind == T_PRIM && a->prim == b->prim && a->arg_count == 2 && b->arg_count == 2;
    for (int i = 0; i < 2 && of_state; i++) {                /* op (state, x) or op (state, y): the state is not chosen */
        bool same = a->args[i] == b->args[i] && a->args[1 - i]->type == b->args[1 - i]->type;
        if (!same || !(is_bound(a->args[i]) || (a->prim == PRIM_AT && i == 1 && is_state_table(a->args[1])))) continue;
        const Term *args[2] = {a->args[i], a->args[i]};
        args[1 - i] = chosen(m, c, a->args[1 - i], b->args[1 - i]);
        return read_value(m, args[1 - i] ? term_prim(m->c, (PrimId)a->prim, NULL, 0, args, 2) : NULL);
    }
    return read_value(m, chosen(m, c, a, b));
}

/* What is taken away on one side is added on the other: i - n < k and i < n + k are one. */
static void without_minus(Nats *s, const Nat **a, const Nat **b)
{
    const Nat *d = nat_sub(s, *a, *b);
    *a = *b = nat_const(s, 0);
    for (int i = 0; i < d->term_count; i++) {
        const Nat *t = nat_of_term(s, &d->terms[i]);
        if (d->terms[i].num > 0) *a = nat_add(s, *a, t);
        else *b = nat_sub(s, *b, t);
    }
}

/* Is the loop's number, or where there is none the first size, on the greater side? Of two spellings, a < b and !(b < a + 1), one is kept. */
static bool is_turned(Nats *s, const Nat *a, const Nat *b)
{
    const Nat *d = nat_sub(s, a, b);
    for (int i = 0; i < d->term_count; i++) {
        LOCAL(drop) NatAtomVec vars = nat_kind_in(nat_of_term(s, &d->terms[i]), VAR_INDEX);
        if (vars.n > 0) return d->terms[i].num < 0;
    }
    return d->term_count > 0 && !nat_of_term(s, &d->terms[0])->is_const && d->terms[0].num < 0;
}

static Value *truth(Meaning *m, bool is) { return of_term(m, term_integer(m->c, type_scalar(m->c, SC_BOOL), is)); }
static Value *negated(Meaning *m, Value *v) { return choice(m, v, truth(m, false), truth(m, true)); }

static Value *is_below(Meaning *m, const Nat *a, const Nat *b)
{
    int is = compared(m, PRIM_LT, a, b);
    if (is >= 0) return truth(m, is);
    without_minus(m->c->nats, &a, &b);
    if (!is_unknown(m, a) && !is_unknown(m, b) && is_turned(m->c->nats, a, b))
        return negated(m, is_below(m, b, nat_add(m->c->nats, a, nat_const(m->c->nats, 1))));
    return read_value(m, term_prim2(m->c, PRIM_LT, of_nat(m, a), of_nat(m, b)));
}

/* One of two exact numbers beside the other, by what is below what; NULL: that does not say it. */
static Value *comparison(Meaning *m, PrimId op, const Nat *a, const Nat *b)
{
    bool whole = !is_unknown(m, a) && !is_unknown(m, b);
    switch (op) {
    case PRIM_LT: return is_below(m, a, b);
    case PRIM_GT: return is_below(m, b, a);
    case PRIM_LE: return whole ? negated(m, is_below(m, b, a)) : NULL;
    case PRIM_GE: return whole ? negated(m, is_below(m, a, b)) : NULL;
    case PRIM_EQ:
        if (whole && is_at_most(m, a, b)) return negated(m, is_below(m, a, b));
        return whole && is_at_most(m, b, a) ? negated(m, is_below(m, b, a)) : NULL;
    case PRIM_NE: {
        Value *same = comparison(m, PRIM_EQ, a, b);
        return same ? negated(m, same) : NULL;
    }
    default: return NULL;
    }
}

/* ---- operations that folds know ---- */

static bool same_op(Op a, Op b) { return a.prim == b.prim && a.table == b.table; }

static const Type *operand_type(const Term *f) { return f->type->elems[1]; }

/* The table of f, if it is that of an unknown operation. */
static const char *table_of(const Term *f)
{
    const Term *b = f->args[0], *row = term_is(b, PRIM_AT) ? b->args[1] : NULL;
    bool is = row && b->args[0]->kind == T_VAR && b->args[0]->u.index == 0 && term_is(row, PRIM_AT) && row->args[0]->kind == T_VAR
           && row->args[0]->u.index == 1 && row->args[1]->kind == T_INPUT;
    return is ? row->args[1]->u.name : NULL;
}

/* Is the operation said to be so, from z on? z: in normal form, NULL: of no value. */
static bool has_property(Meaning *m, Op op, const Type *type, PropKind kind, const Term *z)
{
    if (!op.table) {
        const Type *both[2] = {type, type};
        const Term *f = term_lam(m->c, type_tuple(m->c, both, 2), term_prim2(m->c, op.prim, term_var(m->c, 1, type), term_var(m->c, 0, type)), NULL);
        return f && operand_type(f) == type && lang_property(m->c, NULL, kind, f, z, NULL);
    }
    for (int i = 0; i < m->claim->assumed.n; i++) {
        const Assumed *a = &m->claim->assumed.v[i];
        if (a->kind != kind && !(kind == PROP_RESTARTS && a->kind == PROP_NEUTRAL)) continue;
        const char *table = table_of(a->f);
        if (!table || table != op.table) continue;
        if (!z || written(m, eval(m, a->e, NULL)) == z) return true;
    }
    return false;
}

static const Term *applied(Meaning *m, Op op, const Type *entry, const Term *a, const Term *b)
{
    bool turn = has_property(m, op, entry, PROP_COMMUTATIVE, NULL) && !is_bound(a) && (is_bound(b) || b->id < a->id);
    const Term *x = turn ? b : a, *y = turn ? a : b;
    if (!op.table) return outwards(m, op.prim, NULL, 0, (const Term *[]){x, y}, 2);
    for (int i = 0; i < m->claim->tables.n; i++)
        if (m->claim->tables.v[i]->u.name == op.table) {
            const Term *row = outwards(m, PRIM_AT, NULL, 0, (const Term *[]){x, m->claim->tables.v[i]}, 2);
            return row ? outwards(m, PRIM_AT, NULL, 0, (const Term *[]){y, row}, 2) : NULL;
        }
    return NULL;
}

/* Does the value come from op, from z on? */
static bool begins_with(Meaning *m, Value *v, Op op, const Term *z)
{
    if (v->kind == MEANS_FOLD) {
        if (!v->fold->known || !same_op(v->fold->op, op)) return false;
        Value *start = now(m, v->fold->start);
        return written(m, start) == z || begins_with(m, start, op, z);
    }
    if (v->kind != MEANS_TERM) return false;
    if (v->term == z) return true;
    for (int d = 0; d < m->depth; d++) {
        const Fold *f = m->state[d];
        if (!f || !f->restarts || v->term->kind != T_INPUT || v->term->u.name != intern(m->c->names, arena_printf(m->arena, "$%d", d))) continue;
        return same_op(f->op, op) && begins_with(m, VALUE(m, MEANS_FOLD, f->type, .fold = f), op, z);
    }
    return false;
}

/* op (a, b): where b is a fold by it from what op restarts with, the fold goes on from a. */
static Value *operation(Meaning *m, Op op, const Type *type, Value *a, Value *b)
{
    a = now(m, a), b = now(m, b);
    bool folds = !m->failed && b->kind == MEANS_FOLD && b->fold->known && same_op(b->fold->op, op) && has_property(m, op, type, PROP_ASSOCIATIVE, NULL);
    const Term *z = folds ? written(m, b->fold->start) : NULL;
    if (z && has_property(m, op, type, PROP_RESTARTS, z) && (has_property(m, op, type, PROP_NEUTRAL, z) || begins_with(m, a, op, z))) {
        Fold on = *b->fold;
        on.start = a;
        return fold_value(m, on);
    }
    const Term *x = written(m, a), *y = written(m, b);
    return m->failed ? fail(m, type) : read_value(m, applied(m, op, type, x, y));
}

/* ---- folds ---- */

static Value *step(Meaning *m, const Fold *f, Value *state, const Nat *i)
{
    Nats *n = m->c->nats;
    if (!i || m->failed) return fail(m, f->type);
    switch (f->kind) {
    case STEP_CALL: {
        const Type *from = f->f->type->elems[0];
        Frame *frame = bind(m, bind(m, f->frame, from->elems[0], state), from->elems[1], element(m, f->x, i));
        return eval(m, f->f->args[0], frame);
    }
    case STEP_NESTED: {
        Value *inner = now(m, step(m, f->of, state, nat_div(n, i, f->by, facts(m))));
        if (inner->kind != MEANS_FOLD) return fail(m, f->type);
        return step(m, inner->fold, state, nat_mod(n, i, f->by, facts(m)));
    }
    case STEP_CONCAT: {
        Value *first = is_below(m, i, f->by);
        return choice(m, first, step(m, f->of, state, i), step(m, f->then, state, nat_sub(n, i, f->by)));
    }
    case STEP_COMPONENT: {
        Value **parts = NEW_ARRAY(m->arena, Value *, f->of->type->count);
        for (int k = 0; k < f->of->type->count; k++)
            parts[k] = k == f->k ? state : read_value(m, term_input(m->c, "$none", f->of->type->elems[k]));
        return field(m, now(m, step(m, f->of, VALUE(m, MEANS_TUPLE, f->of->type, .parts = parts), i)), f->k);
    }
    case STEP_ELEMENT: return element(m, step(m, f->of, VALUE(m, MEANS_SAME, f->of->type, .x = state), i), f->at);
    case STEP_TURNED: {
        NatBinding to = {f->number, i};
        return step(m, f->of, state, nat_subst(n, f->at, &to, 1, facts(m)));
    }
    default: {
        const Term *at = NULL;
        for (int k = 0; k < m->claim->tables.n; k++)
            if (m->claim->tables.v[k]->u.name == f->name) at = term_prim2(m->c, PRIM_AT, of_nat(m, i), m->claim->tables.v[k]);
        return step(m, f->of, state, number_of(m, at));
    }
    }
}

/* A step at names: of the state, of the number. The depth is one more while it is asked. */
typedef struct Probe { Value *state, *result; const Nat *number; } Probe;

static Probe open_step(Meaning *m, const Fold *f)
{
    Probe p = {.number = open_number(m, f->length)};
    const char *name = state_name(m);
    if (m->depth + 1 >= DEPTH_MOST) {
        p.state = p.result = fail(m, f->type);
        m->depth++;
        return p;
    }
    if (f->type->kind == TY_TUPLE) {
        Value **parts = MAKE_LIST(m->arena, Value *, k, f->type->count, read_value(m, term_input(m->c, component_name(m, k), f->type->elems[k])));
        p.state = VALUE(m, MEANS_TUPLE, f->type, .parts = parts);
    } else p.state = read_value(m, term_input(m->c, name, f->type));
    m->state[m->depth++] = f;
    p.result = now(m, step(m, f, p.state, p.number));
    return p;
}

static void close_step(Meaning *m) { m->state[--m->depth] = NULL; }

static const Term *fold_written(Meaning *m, const Fold *f)
{
    Ctx *c = m->c;
    const Term *start = written(m, f->start);
    Probe p = open_step(m, f);
    const Term *body = written(m, p.result);
    close_step(m);
    if (m->failed || !start || !body) return NULL;
    const Type *parts[2] = {f->type, i32(m)};
    const Term *numbers = term_prim(c, PRIM_GENERATE, &f->length, 1, (const Term *[]){term_lam(c, i32(m), term_var(c, 0, i32(m)), NULL)}, 1);
    const Term *args[3] = {term_lam(c, type_tuple(c, parts, 2), body, NULL), start, numbers};
    const Term *t = term_prim(c, PRIM_REDUCE_SEQ, NULL, 0, args, 3);
    if (t) vec_push(&m->folds, ((Folded){t, m->depth}));
    return t ? t : (fail(m, f->type), NULL);
}

/* Do the components not reach each other? */
static bool components_apart(Meaning *m, const Fold *f)
{
    const char *names[ARG_MAX];
    for (int k = 0; k < f->type->count; k++) names[k] = component_name(m, k);
    Probe p = open_step(m, f);
    bool apart = true;
    for (int k = 0; k < f->type->count && apart; k++) {
        const Term *t = written(m, field(m, p.result, k));
        apart = t && ALL(j, f->type->count, j == k || !mentions(m, t, names[j], NULL));
    }
    close_step(m);
    return apart && !m->failed;
}

static bool elements_apart(Meaning *m, const Fold *f)
{
    const char *name = state_name(m);
    Probe p = open_step(m, f);
    const Nat *e = open_number(m, f->type->size);
    m->depth++;
    const Term *t = m->failed ? NULL : written(m, element(m, p.result, e));
    m->depth--;
    close_step(m);
    return t && !mentions(m, t, name, e);
}

/* The operation that the result of a step is, of the state and something else. */
static bool op_of(const Term *t, const Term *state, Op *op)
{
    *op = (Op){PRIM_COUNT, NULL};
    if (t->kind != T_PRIM || t->arg_count != 2) return false;
    const Term *row = t->args[1];
    if (term_is(t, PRIM_AT)) {
        bool is = term_is(row, PRIM_AT) && row->args[0] == state && row->args[1]->kind == T_INPUT;
        op->table = is ? row->args[1]->u.name : NULL;
        return is;
    }
    op->prim = (PrimId)t->prim;
    return t->args[0] == state && prim(op->prim)->family == FAM_SCALAR;
}

/* ---- the order of what is commutative ---- */

static const Term *other_way(const Meaning *m, const char *table)
{
    for (int i = 0; i < m->claim->ways.n; i++)
        if (m->claim->ways.v[i]->u.name == table) return m->claim->ways.v[i ^ 1];
    return NULL;
}

/* Where an element of an array of several dimensions stands among all; NULL: an index is no number. */
static const Nat *flat_index(const Meaning *m, const Term *at)
{
    Nats *s = m->c->nats;
    const Nat *i = nat_of(m, at->args[0]), *rows = i && term_is(at->args[1], PRIM_AT) ? flat_index(m, at->args[1]) : NULL;
    return term_is(at->args[1], PRIM_AT) ? nat_add(s, nat_mul(s, rows, at->args[1]->type->size), i) : i;
}

/* The first element in t that is read where it depends on the number: `at` itself, or by the table of a permutation. */
static const Term *first_read(const Meaning *m, const Term *t, const NatAtom *number)
{
    if (term_is(t, PRIM_AT)) {
        const Term *i = t->args[0];
        const Nat *flat = flat_index(m, t), *within = term_is(i, PRIM_AT) && i->args[1]->kind == T_INPUT ? nat_of(m, i->args[0]) : NULL;
        if ((flat && nat_mentions(flat, number)) || (within && nat_atom(within) == number && other_way(m, i->args[1]->u.name))) return t;
    }
    for (int i = 0; i < t->arg_count; i++) {
        const Term *found = first_read(m, t->args[i], number);
        if (found) return found;
    }
    return NULL;
}

/* The function of the number that the index i is the inverse of; NULL: none is known. */
static const Nat *inverse_of(const Meaning *m, const Nat *index, const Nat *i, const Nat *length)
{
    Nats *n = m->c->nats;
    const NatAtom *number = nat_atom(i);
    LOCAL(drop) NatAtomVec vars = {0};
    const Nat *tries[4] = {nat_sub(n, nat_sub(n, length, nat_const(n, 1)), i)};
    int count = 1;
    for (int k = 0; k < index->term_count && count < COUNT(tries); k++)
        for (int j = 0; j < index->terms[k].factor_count && count < COUNT(tries); j++) {
            const NatAtom *a = index->terms[k].factors[j].atom;
            if (a->kind != ATOM_MOD) continue;
            const Nat *rows = a->b, *columns = a->a == i ? nat_exact(n, length, rows) : NULL;
            if (columns && nat_divides(n, rows, length, facts(m)))           /* i % rows * columns + i // rows */
                tries[count++] = nat_add(n, nat_mul(n, nat_mod(n, i, columns, facts(m)), rows), nat_div(n, i, columns, facts(m)));
            else if (rows == length)                                         /* (i + k) % length */
                tries[count++] = nat_mod(n, nat_add(n, i, nat_sub(n, length, nat_sub(n, a->a, i))), length, facts(m));
        }
    for (int k = 0; k < count; k++) {
        NatBinding to = {number, tries[k]};
        const Nat *back = tries[k] ? nat_subst(n, index, &to, 1, facts(m)) : NULL;
        if (back && back == i && nat_is_nonneg(n, tries[k]) && nat_less(n, tries[k], length)) return tries[k];
    }
    return NULL;
}

/* Where an element is read that depends on the number in a way that can be turned round, and the order does not count: so that it is
 * that of the number. */
static bool turn(Meaning *m, const Fold *f, const Term *body, const Nat *i, Fold *out)
{
    const NatAtom *number = nat_atom(i);
    const Term *z = number ? written(m, f->start) : NULL;
    const Term *read = z ? first_read(m, body, number) : NULL;
    if (!read || !has_property(m, f->op, f->type, PROP_ASSOCIATIVE, NULL) || !has_property(m, f->op, f->type, PROP_COMMUTATIVE, NULL)) return false;
    *out = *f;
    out->of = arena_copy(m->arena, f, sizeof *f);
    const Nat *index = flat_index(m, read);
    if (!index) {
        out->kind = STEP_PERMUTED;
        out->name = other_way(m, read->args[0]->args[1]->u.name)->u.name;
        return true;
    }
    out->kind = STEP_TURNED;
    out->number = number;
    out->at = index == i ? NULL : inverse_of(m, index, i, f->length);
    return out->at != NULL;
}

/* Do the first number, or all from some number on, leave the state as it is? Then without them. */
static bool leave_out(Meaning *m, const Fold *f, const Term *body, const Nat *i, Fold *out)
{
    Nats *n = m->c->nats;
    const NatAtom *number = nat_atom(i);
    const Term *x = f->op.table ? body->args[0] : body->args[1], *cond = term_is(x, PRIM_IF) ? x->args[0] : NULL;
    if (!cond || !number || !term_is(cond, PRIM_LT) || nat_of(m, cond->args[0]) != i || !nat_of(m, cond->args[1])) return false;
    const Nat *end = nat_of(m, cond->args[1]);
    bool first = end->is_const && end->value == 1 && nat_less(n, nat_const(n, 0), f->length);
    const Term *idle = x->args[first ? 1 : 2], *z = written(m, f->start);
    if (nat_mentions(end, number) || !(f->restarts && idle == z) ) {
        bool neutral = !nat_mentions(end, number) && !idle->arg_count && has_property(m, f->op, f->type, PROP_NEUTRAL, idle);
        if (!neutral) return false;
    }
    *out = *f;
    if (!first) {
        out->length = end;
        return nat_is_nonneg(n, end) && nat_less_eq(n, end, f->length);
    }
    out->of = arena_copy(m->arena, f, sizeof *f);
    out->kind = STEP_TURNED;
    out->number = number;
    out->at = nat_add(n, i, nat_const(n, 1));
    out->length = nat_sub(n, f->length, nat_const(n, 1));
    return out->at && out->length;
}

static Value *scalar_fold(Meaning *m, Fold f)
{
    Nats *n = m->c->nats;
    const Term *z = written(m, f.start);
    for (int again = 0; again < 2; again++) {
        Probe p = open_step(m, &f);
        const Term *state = written(m, p.state);
        bool nested = !m->failed && p.result->kind == MEANS_FOLD && written(m, p.result->fold->start) == state;
        const Nat *by = nested ? p.result->fold->length : NULL;
        const NatAtom *number = nat_atom(p.number);
        const Term *body = nested || m->failed ? NULL : written(m, p.result);
        close_step(m);
        if (nested && !(number && nat_mentions(by, number)) && nat_less(n, nat_const(n, 0), by)) {
            Fold both = {.kind = STEP_NESTED, .type = f.type, .length = nat_mul(n, f.length, by), .by = by, .start = f.start,
                         .of = arena_copy(m->arena, &f, sizeof f), .known = f.known, .restarts = f.restarts, .op = f.op};
            return both.length ? fold_value(m, both) : fail(m, f.type);
        }
        if (!body || m->failed || f.known || !op_of(body, state, &f.op)) {
            Fold turned;
            Op op;
            if (body && f.known && op_of(body, state, &op) && same_op(op, f.op) && leave_out(m, &f, body, p.number, &turned)) return fold_value(m, turned);
            if (body && f.known && f.kind != STEP_TURNED && f.kind != STEP_PERMUTED && turn(m, &f, body, p.number, &turned)) return fold_value(m, turned);
            break;
        }
        f.known = true;
        f.restarts = has_property(m, f.op, f.type, PROP_ASSOCIATIVE, NULL) && has_property(m, f.op, f.type, PROP_RESTARTS, z);
    }
    return VALUE(m, MEANS_FOLD, f.type, .fold = arena_copy(m->arena, &f, sizeof f));
}

static Value *fold_value(Meaning *m, Fold f)
{
    Nats *n = m->c->nats;
    if (m->failed) return fail(m, f.type);
    if (f.length->is_const && f.length->value == 0) return now(m, f.start);
    Value *start = now(m, f.start);
    if (start->kind == MEANS_FOLD) {
        const Fold *before = start->fold;
        Fold both = {.kind = STEP_CONCAT, .type = f.type, .length = nat_add(n, before->length, f.length), .by = before->length, .start = before->start,
                     .of = before, .then = arena_copy(m->arena, &f, sizeof f), .op = f.op,
                     .known = f.known && before->known && same_op(f.op, before->op), .restarts = f.restarts && before->restarts};
        return both.length ? fold_value(m, both) : fail(m, f.type);
    }
    if (f.length->is_const && f.length->value == 1) return now(m, step(m, &f, start, nat_const(n, 0)));
    if (f.type->kind == TY_ARRAY && elements_apart(m, &f)) return VALUE(m, MEANS_FOLDS, f.type, .fold = arena_copy(m->arena, &f, sizeof f));
    if (f.type->kind == TY_TUPLE && components_apart(m, &f)) {
        const Fold *of = arena_copy(m->arena, &f, sizeof f);
        Value **parts = NEW_ARRAY(m->arena, Value *, f.type->count);
        for (int k = 0; k < f.type->count; k++)
            parts[k] = fold_value(m, (Fold){.kind = STEP_COMPONENT, .type = f.type->elems[k], .length = f.length, .start = field(m, start, k), .of = of, .k = k});
        return VALUE(m, MEANS_TUPLE, f.type, .parts = parts);
    }
    if (f.type->kind == TY_SCALAR) return scalar_fold(m, f);
    return VALUE(m, MEANS_FOLD, f.type, .fold = arena_copy(m->arena, &f, sizeof f));
}

static Fold fold_of(Meaning *m, const Term *t, Frame *frame, Value *x)
{
    const Term *f = t->args[0];
    return (Fold){.kind = STEP_CALL, .type = without_vectors(m->c, f->type->elems[1]), .length = x->type->size,
                  .start = later(m, t->args[1], frame), .x = x, .f = f, .frame = frame};
}

/* ---- elements ---- */

static Value *part(Meaning *m, Value *x, const Nat *from, const Type *type) { return VALUE(m, MEANS_PART, type, .x = x, .at = from); }

static Value *reordered(Meaning *m, Value *v, const Nat *i)
{
    PermKind kind = (PermKind)v->term->statics[0]->value;
    const Nat *size = v->type->size;
    if (kind != PERM_FUN) return element(m, v->x, perm_index(m->c->nats, kind, v->term->statics[1], size, i, facts(m)));
    return element(m, v->x, number_of(m, written(m, call(m, v->term->args[0], v->frame, of_term(m, of_nat(m, i))))));
}

/* One of the values of a vector that is written out. */
static Value *lane(Meaning *m, Value *v, const Nat *i)
{
    const Term *t = v->term;
    if (i->is_const) return now(m, later(m, t->args[i->value], v->frame));
    Value *x = later(m, t->args[t->arg_count - 1], v->frame);
    for (int k = t->arg_count - 2; k >= 0; k--) x = choice(m, is_below(m, i, nat_const(m->c->nats, k + 1)), later(m, t->args[k], v->frame), x);
    return x;
}

static Value *scalar_operation(Meaning *m, const Term *t, Value *const *args);

/* The element at what is computed: if it is not known to be one, no other element may stand for it where no value may be lost. */
static Value *element_within(Meaning *m, Value *v, const Nat *i)
{
    Nats *n = m->c->nats;
    v = now(m, v);
    Fact from = {FACT_LE, nat_const(n, 0), i}, to = {FACT_LT, i, v->type->size};
    if (!i || !m->strict || v->kind == MEANS_READ || (claim_knows(m->claim, n, &from) && claim_knows(m->claim, n, &to))) return element(m, v, i);
    const Term *x = written(m, v);
    return x ? read_value(m, term_prim2(m->c, PRIM_AT, of_nat(m, i), x)) : fail(m, v->type->elems[0]);
}

static Value *layout_element(Meaning *m, Value *v, const Nat *i)
{
    Nats *n = m->c->nats;
    const Term *t = v->term;
    const Type *type = v->type->elems[0];
    const Nat *const *s = t->statics;
    if (prim_is_map((PrimId)t->prim)) return call(m, t->args[0], v->frame, element(m, v->x, i));
    if (prim((PrimId)t->prim)->family == FAM_SCALAR) {
        Value *args[4];
        for (int k = 0; k < t->arg_count; k++) args[k] = v->parts[k]->type->kind == TY_ARRAY ? element(m, v->parts[k], i) : v->parts[k];
        return scalar_operation(m, t, args);
    }
    switch ((PrimId)t->prim) {
    case PRIM_MAP_VEC: return call(m, t->args[0], v->frame, element(m, v->x, i));
    case PRIM_GENERATE: return call(m, t->args[0], v->frame, of_term(m, of_nat(m, i)));
    case PRIM_SPLIT: case PRIM_AS_VECTOR: return part(m, v->x, nat_mul(n, i, s[0]), type);
    case PRIM_JOIN: case PRIM_AS_SCALAR: {
        const Nat *k = v->x->type->elems[0]->size;
        return element(m, element(m, v->x, nat_div(n, i, k, facts(m))), nat_mod(n, i, k, facts(m)));
    }
    case PRIM_TRANSPOSE: return VALUE(m, MEANS_COLUMN, type, .x = v->x, .at = i);
    case PRIM_ANTIDIAGONALS: return VALUE(m, MEANS_ANTIDIAGONAL, type, .x = v->x, .at = i);
    case PRIM_SLIDE: return part(m, v->x, nat_mul(n, i, s[1]), type);
    case PRIM_PAD: {
        const Nat *j = nat_sub(n, i, s[0]), *size = v->x->type->size;
        return element(m, v->x, is_within(m, j, size) ? j : pad_index(n, (PadMode)s[2]->value, size, j, facts(m)));
    }
    case PRIM_TAKE: return element(m, v->x, i);
    case PRIM_DROP: return element(m, v->x, nat_add(n, i, s[0]));
    case PRIM_REORDER: return reordered(m, v, i);
    case PRIM_GATHER: return element_within(m, v->x, number_of(m, written(m, element(m, v->y, i))));
    case PRIM_PAD_CONST: {
        const Nat *size = v->x->type->size, *at = size->is_const && size->value == 1 ? nat_const(n, 0) : nat_sub(n, i, s[0]);
        Value *value = later(m, t->args[0], v->frame), *x = part(m, v->x, at, v->x->type);
        Value *inner = choice(m, is_below(m, i, nat_add(n, s[0], size)), element(m, x, nat_const(n, 0)), value);
        return choice(m, is_below(m, i, s[0]), value, inner);
    }
    case PRIM_CONCAT: {
        const Nat *size = v->x->type->size;
        Value *first = is_below(m, i, size);
        if (first->term->kind == T_LIT) return first->term->u.lit.i ? element(m, v->x, i) : element(m, v->y, nat_sub(n, i, size));
        return choice(m, first, element(m, v->x, i), element(m, v->y, nat_sub(n, i, size)));
    }
    case PRIM_REDUCE_PART: {
        const Nat *size = nat_exact(n, v->x->type->size, s[0]);
        Value *x = size ? part(m, v->x, nat_mul(n, i, size), type_array(m->c, size, v->x->type->elems[0])) : NULL;
        return x ? fold_value(m, fold_of(m, t, v->frame, x)) : fail(m, type);
    }
    case PRIM_VEC: return lane(m, v, i);
    case PRIM_SCAN_GROUPS: {             /* what the sums before make, and the other value */
        Value **parts = NEW_ARRAY(m->arena, Value *, 2), *sums = VALUE(m, MEANS_FIELD, type_array(m->c, v->type->size, type->elems[0]), .x = v->x, .k = 0);
        Fold before = fold_of(m, t, v->frame, sums);
        before.length = i;
        parts[0] = fold_value(m, before);
        parts[1] = field(m, element(m, v->x, i), 1);
        return VALUE(m, MEANS_TUPLE, type, .parts = parts);
    }
    default: return fail(m, type);
    }
}

/* An element that is read; the one table at what the other says is the number. */
static Value *read_element(Meaning *m, const Term *array, const Nat *i)
{
    const Term *index = of_nat(m, i), *back = array->kind == T_INPUT ? other_way(m, array->u.name) : NULL;
    if (back && term_is(index, PRIM_AT) && index->args[1] == back) return of_term(m, index->args[0]);
    return read_value(m, outwards(m, PRIM_AT, NULL, 0, (const Term *[]){index, array}, 2));
}

static Value *element(Meaning *m, Value *v, const Nat *i)
{
    Nats *n = m->c->nats;
    v = now(m, v);
    const Type *type = v->type->kind == TY_ARRAY ? v->type->elems[0] : i32(m);
    if (!i || m->failed || m->fuel-- <= 0) return fail(m, type);
    switch (v->kind) {
    case MEANS_READ: return read_element(m, v->term, i);
    case MEANS_ZIP: {
        return VALUE(m, MEANS_TUPLE, type, .parts = MAKE_LIST(m->arena, Value *, k, type->count, element(m, v->parts[k], i)));
    }
    case MEANS_FIELD: return now(m, field(m, element(m, v->x, i), v->k));
    case MEANS_PART: return element(m, v->x, nat_add(n, v->at, i));
    case MEANS_COLUMN: return element(m, element(m, v->x, i), v->at);
    case MEANS_ANTIDIAGONAL: {
        const Nat *size = v->type->size, *from_last = nat_mod(n, nat_add(n, v->at, i), size, facts(m));
        return element(m, element(m, v->x, nat_sub(n, nat_sub(n, size, nat_const(n, 1)), from_last)), i);
    }
    case MEANS_SAME: return now(m, v->x);
    case MEANS_CHOICE: return choice(m, v->cond, element(m, v->x, i), element(m, v->y, i));
    case MEANS_FOLD: {
        const Term *t = fold_written(m, v->fold);
        return t ? read_element(m, t, i) : fail(m, type);
    }
    case MEANS_FOLDS:
        return fold_value(m, (Fold){.kind = STEP_ELEMENT, .type = type, .length = v->fold->length, .start = element(m, v->fold->start, i), .of = v->fold, .at = i});
    case MEANS_PREFIXES: {
        Fold first = *v->fold;
        first.length = nat_add(n, i, nat_const(n, 1));
        return fold_value(m, first);
    }
    case MEANS_LAYOUT: return layout_element(m, v, i);
    default: return fail(m, type);
    }
}

/* ---- evaluation ---- */

/* Is what a is computed of, which may have no value, in n, too? */
static bool keeps_unknown(const Meaning *m, const Nat *a, const Nat *n)
{
    LOCAL(drop) NatAtomVec in_a = {0}, in_n = {0};
    nat_vars_of(a, VAR_INDEX, &in_a);
    nat_vars_of(n, VAR_INDEX, &in_n);
    return ALL(i, in_a.n, !unknown_of(m, in_a.v[i]) || ANY(k, in_n.n, in_n.v[k] == in_a.v[i]));
}

static Value *scalar_operation(Meaning *m, const Term *t, Value *const *args)
{
    const Type *type = t->type->kind == TY_VECTOR ? type_scalar(m->c, t->type->scalar) : t->type;
    const Term *terms[4] = {0};
    Op op = {(PrimId)t->prim, NULL};
    if (t->arg_count == 2 && args[1]->type == type && args[0]->type == type && now(m, args[1])->kind == MEANS_FOLD) return operation(m, op, type, args[0], args[1]);
    for (int i = 0; i < t->arg_count; i++)
        if (!(terms[i] = written(m, args[i]))) return fail(m, type);
    bool numbers = t->arg_count == 2 && ALL(i, 2, terms[i]->type == i32(m)), total = numbers && ALL(i, 2, is_total(m, terms[i]));
    const Nat *a = numbers ? number_of(m, terms[0]) : NULL, *b = numbers ? number_of(m, terms[1]) : NULL;
    int is = total ? compared(m, op.prim, a, b) : -1;
    if (is >= 0) return of_term(m, term_integer(m->c, type, is));
    Value *compares = total && is_exact(m, a) && is_exact(m, b) ? comparison(m, op.prim, a, b) : NULL;
    if (compares) return compares;
    const Term *turned[2] = {terms[1], terms[0]};
    switch (op.prim) {
    case PRIM_GT: return read_value(m, outwards(m, PRIM_LT, NULL, 0, turned, 2));
    case PRIM_GE: return read_value(m, outwards(m, PRIM_LE, NULL, 0, turned, 2));
    case PRIM_EQ: case PRIM_NE: {
        Value *same = read_value(m, outwards(m, PRIM_EQ, NULL, 0, terms[1]->id < terms[0]->id ? turned : terms, 2));
        return op.prim == PRIM_EQ ? same : negated(m, same);
    }
    default: break;
    }
    const Nat *n = b && type == i32(m) ? calculated(m, op.prim, a, b) : NULL;
    if (n && (total || (keeps_unknown(m, a, n) && keeps_unknown(m, b, n)))) return of_term(m, of_nat(m, n));
    for (int i = 0; i < 2 && op.prim == PRIM_MUL; i++)      /* no other keeps each float: min of a NaN and inf, -0 + 0 */
        if (has_property(m, op, type, PROP_NEUTRAL, terms[1 - i])) return of_term(m, terms[i]);
    bool commutes = op.prim == PRIM_ADD || op.prim == PRIM_MUL || op.prim == PRIM_MIN || op.prim == PRIM_MAX;
    if (commutes) return read_value(m, applied(m, op, type, terms[0], terms[1]));
    PrimId as = op.prim == PRIM_DIV && scalar_is_int(type->scalar) ? PRIM_FLOOR_DIV : op.prim;
    return read_value(m, outwards(m, as, t->statics, t->static_count, terms, t->arg_count));
}

static Value *layout(Meaning *m, const Term *t, const Term *x, const Term *y, Frame *frame)
{
    return VALUE(m, MEANS_LAYOUT, without_vectors(m->c, t->type), .term = t, .x = x ? later(m, x, frame) : NULL, .y = y ? later(m, y, frame) : NULL, .frame = frame);
}

static Value *const *args_later(Meaning *m, const Term *t, Frame *frame)
{
    return MAKE_LIST(m->arena, Value *, i, t->arg_count, later(m, t->args[i], frame));
}

/* An operation that is not looked into: of its arguments in normal form. Functions are what they make of a name. */
static Value *closed_operation(Meaning *m, const Term *t, Frame *frame)
{
    const Term *args[ARG_MAX];
    const Type *type = without_vectors(m->c, t->type);
    for (int i = 0; i < t->arg_count; i++) {
        const Term *f = t->args[i];
        if (f->kind != T_LAM) {
            args[i] = written(m, later(m, f, frame));
        } else if (m->depth + 1 < DEPTH_MOST) {
            const Type *from = without_vectors(m->c, f->type->elems[0]);
            Value *name = read_value(m, term_input(m->c, state_name(m), from));
            m->depth++;
            const Term *body = written(m, call(m, f, frame, name));
            m->depth--;
            args[i] = body ? term_lam(m->c, from, body, NULL) : NULL;
        } else return fail(m, type);
        if (!args[i]) return fail(m, type);
    }
    PrimId id = t->prim == PRIM_REDUCE_BY_INDEX_SEQ ? PRIM_REDUCE_BY_INDEX : (PrimId)t->prim;
    return read_value(m, term_prim(m->c, id, t->statics, t->static_count, args, t->arg_count));
}

/* Is it f (a, b) of an unknown operation with properties? */
static bool is_unknown_operation(const Meaning *m, const Term *t, Op *op)
{
    const Term *row = t->args[1];
    if (!term_is(row, PRIM_AT) || row->args[1]->kind != T_INPUT) return false;
    *op = (Op){PRIM_COUNT, row->args[1]->u.name};
    for (int i = 0; i < m->claim->assumed.n; i++) {
        const char *table = table_of(m->claim->assumed.v[i].f);
        if (table && table == op->table) return true;
    }
    return false;
}

static Value *eval_prim(Meaning *m, const Term *t, Frame *frame)
{
    PrimId id = (PrimId)t->prim;
    const Prim *p = prim(id);
    Op op;
    if (p->family == FAM_MEMORY || id == PRIM_TO_IMAGE) return eval(m, t->args[0], frame);
    if (prim_is_map(id) || id == PRIM_MAP_VEC) return layout(m, t, t->args[1], NULL, frame);
    if (prim_is_reduce(id) && !prim_is_by_index(id) && id != PRIM_REDUCE_BY_INDEX) return fold_value(m, fold_of(m, t, frame, later(m, t->args[2], frame)));
    if (id == PRIM_SCAN_GROUPS) return layout(m, t, term_prim2(m->c, PRIM_MAP, t->args[2], t->args[3]), NULL, frame);
    if (p->family == FAM_SCAN) {
        Fold f = fold_of(m, t, frame, later(m, t->args[2], frame));
        return VALUE(m, MEANS_PREFIXES, type_array(m->c, f.length, f.type), .fold = arena_copy(m->arena, &f, sizeof f));
    }
    switch (id) {
    case PRIM_LET: return call(m, t->args[1], frame, later(m, t->args[0], frame));
    case PRIM_TUPLE: return VALUE(m, MEANS_TUPLE, without_vectors(m->c, t->type), .parts = args_later(m, t, frame));
    case PRIM_PROJ: return now(m, field(m, eval(m, t->args[0], frame), t->u.proj));
    case PRIM_IF: return choice(m, later(m, t->args[0], frame), later(m, t->args[1], frame), later(m, t->args[2], frame));
    case PRIM_AND: return choice(m, later(m, t->args[0], frame), later(m, t->args[1], frame), truth(m, false));
    case PRIM_OR: return choice(m, later(m, t->args[0], frame), truth(m, true), later(m, t->args[1], frame));
    case PRIM_NOT: return negated(m, later(m, t->args[0], frame));
    case PRIM_ZIP: return VALUE(m, MEANS_ZIP, without_vectors(m->c, t->type), .parts = args_later(m, t, frame));
    case PRIM_UNZIP: {
        const Type *type = without_vectors(m->c, t->type);
        Value *x = later(m, t->args[0], frame), **parts = NEW_ARRAY(m->arena, Value *, type->count);
        for (int i = 0; i < type->count; i++) parts[i] = VALUE(m, MEANS_FIELD, type->elems[i], .x = x, .k = i);
        return VALUE(m, MEANS_TUPLE, type, .parts = parts);
    }
    case PRIM_GENERATE: return layout(m, t, NULL, NULL, frame);
    case PRIM_CONCAT: return layout(m, t, t->args[0], t->args[1], frame);
    case PRIM_GATHER: return layout(m, t, t->args[1], t->args[0], frame);
    case PRIM_REDUCE_PART: return layout(m, t, t->args[2], NULL, frame);
    case PRIM_VEC: return layout(m, t, NULL, NULL, frame);
    case PRIM_LANE: return element(m, later(m, t->args[0], frame), t->statics[0]);
    case PRIM_AT: {
        if (is_unknown_operation(m, t, &op)) return operation(m, op, without_vectors(m->c, t->type), later(m, t->args[1]->args[0], frame), later(m, t->args[0], frame));
        Value *x = later(m, t->args[1], frame);
        return element_within(m, x, number_of(m, written(m, later(m, t->args[0], frame))));
    }
    case PRIM_ITERATE: case PRIM_SLICE: case PRIM_VDOT: return fail(m, without_vectors(m->c, t->type));
    default:
        if (p->dims != DIMS_NONE) return layout(m, t, t->args[t->arg_count - 1], NULL, frame);
        if (p->family != FAM_SCALAR) return closed_operation(m, t, frame);
        if (t->arg_count > 4) return fail(m, t->type);
        if (t->type->kind != TY_VECTOR) return scalar_operation(m, t, args_later(m, t, frame));
        return VALUE(m, MEANS_LAYOUT, without_vectors(m->c, t->type), .term = t, .frame = frame, .parts = args_later(m, t, frame));
    }
}

static Value *eval(Meaning *m, const Term *t, Frame *frame)
{
    const Type *type = without_vectors(m->c, t->type);
    if (m->failed || m->fuel-- <= 0 || ctx_stopped(m->c)) return fail(m, type);
    switch (t->kind) {
    case T_VAR:
        for (int i = t->u.index; frame; i--, frame = frame->up)
            if (!i) return now(m, frame->v);
        return fail(m, type);
    case T_INPUT: return read_value(m, term_input(m->c, t->u.name, type));
    case T_LIT: case T_SIZE: return of_term(m, t);
    case T_PRIM: return eval_prim(m, t, frame);
    default: return fail(m, type);
    }
}

static const Term *written(Meaning *m, Value *v)
{
    v = now(m, v);
    if (m->failed) return NULL;
    if (v->kind == MEANS_TERM) return v->term;
    if (v->type->kind == TY_TUPLE) {
        if (v->kind == MEANS_FOLD) return fold_written(m, v->fold);
        return term_tuple(m->c, MAKE_LIST(m->arena, const Term *, i, v->type->count, written(m, field(m, v, i))), v->type->count);
    }
    if (v->type->kind != TY_ARRAY) return v->kind == MEANS_FOLD ? fold_written(m, v->fold) : (fail(m, v->type), NULL);
    const Nat *i = open_number(m, v->type->size);
    m->depth++;
    const Term *body = m->failed ? NULL : written(m, element(m, v, i));
    m->depth--;
    const Term *f = body ? term_lam(m->c, i32(m), body, NULL) : NULL;
    return f ? term_prim(m->c, PRIM_GENERATE, &v->type->size, 1, &f, 1) : NULL;
}

/* ---- as text ---- */

static const Term *readable(Meaning *m, const Term *t);
static const char *text_of(Meaning *m, const Term *t) { return lang_text(m->c, readable(m, t), NULL, 0, TEXT_MOST); }
static const Term *as_text(Meaning *m, const Type *type, const char *text) { return term_input(m->c, intern(m->c->names, text), type); }

/* A number, with what is computed in it. */
static const char *number_text(Meaning *m, const Nat *n)
{
    Buf b = {0};
    for (const char *text = nat_text(n, nat_atom(n) || n->is_const ? 0 : 9, m->arena); *text;) {
        char *rest = NULL;
        uint32_t id = *text == '#' ? (uint32_t)strtoul(text + 1, &rest, 10) : 0;
        for (int i = 0; id && i < m->unknown.n; i++)
            if (m->unknown.v[i].term->id == id) buf_puts(&b, text_of(m, m->unknown.v[i].term));
        if (!id) buf_putc(&b, *text);
        text = id ? rest : text + 1;
    }
    return buf_take(&b, m->arena);
}

/* As a term of the language as far as there is one: a fold is what is done with the state s from where on. */
static const Term *readable(Meaning *m, const Term *t)
{
    static const char *const states[] = {"s", "t", "u", "v", "w"};
    const Term *args[ARG_MAX];
    if (is_bound(t)) {
        char *rest;
        long depth = strtol(t->u.name + 1, &rest, 10);
        return as_text(m, t->type, arena_printf(m->arena, "%s%s", states[depth % COUNT(states)], rest));
    }
    if (t->kind == T_SIZE) return as_text(m, t->type, number_text(m, t->u.nat));
    for (int i = 0; i < m->folds.n; i++) {
        if (m->folds.v[i].term != t) continue;
        int depth = m->folds.v[i].depth;
        const Nat *length = t->args[2]->statics[0];
        return as_text(m, t->type, arena_printf(m->arena, "(fold %s = %s over %s < %s: %s)", states[depth % COUNT(states)], text_of(m, t->args[1]),
                                                number_name(m, depth), nat_text(length, 0, m->arena), text_of(m, t->args[0]->args[0])));
    }
    bool same = true;
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = readable(m, t->args[i]);
        same = same && args[i] == t->args[i];
    }
    if (same) return t;
    if (t->kind == T_LAM) return term_lam(m->c, t->type->elems[0], args[0], NULL);
    const Term *made = term_with_args(m->c, t, args);
    return made ? made : t;
}

/* "element [i][j] is x[j][i]". */
static const char *meaning_text(Meaning *m, Arena *arena, const Term *t)
{
    Buf b = {0};
    for (int depth = 0; term_is(t, PRIM_GENERATE); t = t->args[0]->args[0], depth++)
        buf_printf(&b, "%s[%s]", depth ? "" : "element ", number_name(m, depth));
    buf_printf(&b, "%s%s", b.len ? " is " : "", text_of(m, t));
    return buf_take(&b, arena);
}

/* ---- the normal form ---- */

static void lengths_in(Meaning *m, const Type *t)
{
    if (t->kind == TY_ARRAY && !ANY(i, m->lengths.n, m->lengths.v[i] == t->size)) vec_push(&m->lengths, t->size);
    for (int i = 0; i < t->count; i++) lengths_in(m, t->elems[i]);
}

static void lengths_of(Meaning *m, const Term *t)
{
    lengths_in(m, t->type);
    for (int i = 0; i < t->arg_count; i++) lengths_of(m, t->args[i]);
}

const Term *meaning_of(Ctx *c, const Claim *k, const Term *t, bool strict, Arena *texts, const char **text)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    Meaning m = {.c = c, .arena = arena, .claim = k, .fuel = FUEL, .strict = strict};
    lengths_of(&m, k->left);
    lengths_of(&m, k->right);
    for (int i = 0; i < k->indexes.n; i++) vec_push(&m.lengths, k->indexes.v[i].length);
    Diag saved = diag_aside(&c->diag);
    const Term *out = written(&m, eval(&m, t, NULL));
    if (out && !m.failed && texts) *text = meaning_text(&m, texts, out);
    diag_back(&c->diag, saved);
    free(m.lengths.v);
    free(m.unknown.v);
    free(m.folds.v);
    return m.failed ? NULL : out;
}

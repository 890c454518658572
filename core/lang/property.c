/* property: what is known of functions over a pair (associative, commutative, neutral element): of operators, of what is made of
 * them component by component, of choosing the largest, and by declaration; and of factors that bring sums from one
 * key to another. */
#include "elab.h"

#include <string.h>

/* Those that are associative and commutative; idempotent: a op a = a. */
static const struct Operator { PrimId id; bool idempotent; } operators[] = {
    {PRIM_ADD, false}, {PRIM_MUL, false}, {PRIM_BXOR, false}, {PRIM_MIN, true}, {PRIM_MAX, true},
    {PRIM_AND, true},  {PRIM_OR, true},   {PRIM_BAND, true},  {PRIM_BOR, true},
};

static bool literal_is(const Term *e, double f, int64_t i)
{
    return e->kind == T_LIT && (scalar_is_float(e->type->scalar) ? e->u.lit.f == f : e->u.lit.i == i);
}

static bool is_neutral(PrimId op, const Term *e)
{
    Scalar s = e->type->kind == TY_SCALAR ? e->type->scalar : SC_BOOL;
    switch (op) {
    case PRIM_ADD: case PRIM_BOR: case PRIM_BXOR: case PRIM_OR: return literal_is(e, 0, 0);
    case PRIM_MUL: case PRIM_AND: return literal_is(e, 1, 1);
    case PRIM_MIN: return literal_is(e, __builtin_inf(), scalar_most(s));
    case PRIM_MAX: return literal_is(e, -__builtin_inf(), scalar_least(s));
    case PRIM_BAND: return literal_is(e, 0, scalar_wrapped(s, -1));
    default: return false;
    }
}

/* ---- by its structure ---- */

/* A function of two values of one type, or the same component of each: variables of their first leaves, counted down from there. */
typedef struct Operands { int first, second; } Operands;

static bool is_variable(const Term *t, int index) { return t->kind == T_VAR && t->u.index == index; }

static bool is_choice(const Term *t) { return t->kind == T_PRIM && prim_chooses((PrimId)t->prim); }

/* Is it that operand as it came? */
static bool is_operand(const Term *t, int leaf)
{
    if (!term_is(t, PRIM_TUPLE)) return is_variable(t, leaf);
    for (int i = 0; i < t->arg_count; leaf -= t->args[i]->type->leaf_count, i++)
        if (!is_operand(t->args[i], leaf)) return false;
    return true;
}

/* The operator, of the two in either order; NULL: it is none of those. */
static const struct Operator *plain_operator(const Term *b, Operands o)
{
    if (b->kind != T_PRIM || b->arg_count != 2) return NULL;
    bool straight = is_variable(b->args[0], o.first) && is_variable(b->args[1], o.second);
    if (!straight && !(is_variable(b->args[0], o.second) && is_variable(b->args[1], o.first))) return NULL;
    return FIRST(i, operators, COUNT(operators), b->prim == operators[i].id);
}

/* Which component of both it compares, by that primitive; -1: none. */
static int compared_key(const Term *t, PrimId op, Operands o)
{
    if (t->kind != T_PRIM || t->prim != op || t->args[0]->kind != T_VAR || t->args[1]->kind != T_VAR) return -1;
    int x = t->args[0]->u.index, y = t->args[1]->u.index, leaves = o.first - o.second, key = o.second - (x < y ? x : y);
    return (x - y == leaves || y - x == leaves) && key >= 0 && key < leaves ? key : -1;
}

static int compared_by(const Term *t, PrimId op, PrimId other, Operands o)
{
    int key = compared_key(t, op, o);
    return key >= 0 ? key : compared_key(t, other, o);
}

/* By which components, as bits, the second is better than the first: by one, or where that is equal by the next ones; 0: it is no such choice. *ties: or
 * where all of them are equal. */
static uint64_t keys_of_better(const Term *t, Operands o, bool *ties)
{
    int key = compared_by(t, PRIM_GT, PRIM_LT, o);
    if (key < 0) *ties = (key = compared_by(t, PRIM_GE, PRIM_LE, o)) >= 0;
    if (key >= 0) return key < 64 ? (uint64_t)1 << key : 0;
    if (!term_is(t, PRIM_OR) || !term_is(t->args[1], PRIM_AND)) return 0;
    const Term *const *tie = t->args[1]->args;
    bool shared = false;
    uint64_t first = keys_of_better(t->args[0], o, &shared), then = keys_of_better(tie[1], o, ties);
    key = compared_key(tie[0], PRIM_EQ, o);
    return !shared && then && key >= 0 && key < 64 && first == (uint64_t)1 << key ? first | then : 0;
}

/* `if key y > key x then y else x`, the key a component, or several, each where the ones before it are equal: the first of those with the
 * largest (or smallest) key, the last by >=. It is associative and commutative where every component is a key; z x z = z x there, and where the first is
 * chosen. A key that is NaN is never chosen, so the comparison must choose x where it is false. */
static bool chooses_best(const Term *b, PropKind kind, Operands o)
{
    if (!is_choice(b) || !is_operand(b->args[1], o.second) || !is_operand(b->args[2], o.first)) return false;
    bool ties = false;
    uint64_t keys = keys_of_better(b->args[0], o, &ties);
    int leaves = o.first - o.second;
    bool all = leaves < 64 && keys == ((uint64_t)1 << leaves) - 1;
    return keys && (kind == PROP_ASSOCIATIVE || (kind == PROP_RESTARTS && (all || !ties)) || (kind == PROP_COMMUTATIVE && all));
}

static bool structural(Ctx *c, const Defs *d, PropKind kind, const Term *b, Operands o, const Term *e);

/* (a || b, if b then w else f (v, w)) of (a, v) and (b, w): f in segments, of which a flag marks the first element (Blelloch 1990). It
 * is associative where f is, and its neutral element is that of f, without a flag. */
static bool is_segmented(Ctx *c, const Defs *d, PropKind kind, const Term *b, Operands o, const Term *e)
{
    if (b->arg_count != 2 || kind == PROP_COMMUTATIVE || kind == PROP_SUMS) return false;
    const Term *flag = b->args[0], *choice = b->args[1];
    int k = choice->type->leaf_count;
    if (!is_choice(choice) || o.second != k || o.first != 2 * k + 1) return false;
    const struct Operator *op = plain_operator(flag, o);
    if (!op || op->id != PRIM_OR || !is_variable(choice->args[0], o.second) || !is_operand(choice->args[1], k - 1)) return false;
    if (term_mentions(choice->args[2], k, 1) || term_mentions(choice->args[2], o.first, 1)) return false;
    if (e && !(term_is(e, PRIM_TUPLE) && literal_is(e->args[0], 0, 0))) return false;
    const Type *both[2] = {choice->type, choice->type};
    const Term *f = term_lam(c, type_tuple(c, both, 2), term_shift(c, choice->args[2], -1, k), NULL);
    return f && lang_property(c, d, kind, f, e ? e->args[1] : NULL, NULL);
}

/* (a || b, if b then if a then f (v, w) else w else v) of (a, v) and (b, w): f of what there is, which a flag tells. It is associative where f is, and
 * begins again from anything without a flag. */
static bool is_flagged(Ctx *c, const Defs *d, PropKind kind, const Term *b, Operands o, const Term *e)
{
    if (b->arg_count != 2 || (kind != PROP_ASSOCIATIVE && kind != PROP_RESTARTS)) return false;
    const Term *there = b->args[1], *both = is_choice(there) ? there->args[1] : NULL;
    int k = there->type->leaf_count;
    if (!both || !is_choice(both) || o.second != k || o.first != 2 * k + 1) return false;
    const struct Operator *op = plain_operator(b->args[0], o);
    if (!op || op->id != PRIM_OR || !is_variable(there->args[0], o.second) || !is_variable(both->args[0], o.first)) return false;
    if (!is_operand(there->args[2], o.first - 1) || !is_operand(both->args[2], o.second - 1)) return false;
    if (kind == PROP_RESTARTS) return term_is(e, PRIM_TUPLE) && literal_is(e->args[0], 0, 0);
    if (term_mentions(both->args[1], k, 1) || term_mentions(both->args[1], o.first, 1)) return false;
    const Type *pair[2] = {there->type, there->type};
    const Term *f = term_lam(c, type_tuple(c, pair, 2), term_shift(c, both->args[1], -1, k), NULL);
    return f && lang_property(c, d, kind, f, NULL, NULL);
}

static bool structural(Ctx *c, const Defs *d, PropKind kind, const Term *b, Operands o, const Term *e)
{
    if (term_is(b, PRIM_TUPLE) && (is_segmented(c, d, kind, b, o, e) || is_flagged(c, d, kind, b, o, e))) return true;
    if (term_is(b, PRIM_TUPLE)) {
        if (e && !(term_is(e, PRIM_TUPLE) && e->arg_count == b->arg_count)) return false;
        for (int i = 0; i < b->arg_count; i++) {
            int leaves = b->args[i]->type->leaf_count;
            if (!structural(c, d, kind, b->args[i], o, e ? e->args[i] : NULL)) return false;
            o.first -= leaves;
            o.second -= leaves;
        }
        return true;
    }
    /* map f (zip x y): element by element. */
    if (term_is(b, PRIM_MAP)) {
        const Term *f = b->args[0], *in = b->args[1];
        if (f->free_limit || !term_is(in, PRIM_ZIP) || in->arg_count != 2) return false;
        if (!is_variable(in->args[0], o.first) || !is_variable(in->args[1], o.second)) return false;
        if (e && !(term_is(e, PRIM_GENERATE) && !e->args[0]->free_limit)) return false;
        const Term *value = e ? e->args[0]->args[0] : NULL;
        return (!value || value->free_limit == 0) && lang_property(c, d, kind, f, value, NULL);
    }
    if (chooses_best(b, kind, o)) return true;
    const struct Operator *op = plain_operator(b, o);
    if (kind == PROP_SUMS && op && op->id != PRIM_ADD) return false;
    return op && (!e || (kind == PROP_RESTARTS && op->idempotent) || is_neutral(op->id, e));
}

/* ---- neutral elements, by calculation ---- */

/* What nothing changes: the least of min, the largest of max, 0 of * and the infinities of + (for finite numbers), false of &&, true of ||. */
static bool is_absorbing(PrimId op, const Term *e)
{
    switch (op) {
    case PRIM_MUL: case PRIM_AND: return literal_is(e, 0, 0);
    case PRIM_OR: return literal_is(e, 1, 1);
    case PRIM_ADD:
        return type_is_scalar_like(e->type) && e->kind == T_LIT && scalar_is_float(e->type->scalar) && __builtin_isinf(e->u.lit.f);
    case PRIM_MIN: return is_neutral(PRIM_MAX, e);
    case PRIM_MAX: return is_neutral(PRIM_MIN, e);
    default: return false;
    }
}

/* t without the operations of which a literal says what they give. */
static const Term *calculated(Ctx *c, const Term *t)
{
    if (t->kind != T_PRIM || t->type->kind == TY_ARRAY || t->arg_count > ARG_MAX) return t;
    const Term *args[ARG_MAX];
    for (int i = 0; i < t->arg_count; i++) args[i] = calculated(c, t->args[i]);
    PrimId op = (PrimId)t->prim;
    if (prim_chooses(op) && args[1] == args[2]) return args[1];
    if (op == PRIM_SUB && literal_is(args[1], 0, 0)) return args[0];
    bool keeps_zero = op == PRIM_NEG || op == PRIM_ABS || op == PRIM_SQRT || op == PRIM_SIN || op == PRIM_TAN || op == PRIM_TANH
                   || op == PRIM_ERF || op == PRIM_EXPM1 || op == PRIM_LOG1P;
    if (keeps_zero && literal_is(args[0], 0, 0)) return args[0];
    if (prim_is_cast(op) && t->type->scalar != SC_BOOL && literal_is(args[0], 0, 0)) return term_int(c, t->type, 0);
    for (int i = 0; i < 2 && t->arg_count == 2; i++) {
        if (is_absorbing(op, args[i])) return args[i];
        if (is_neutral(op, args[i])) return args[1 - i];
    }
    return term_with_args(c, t, args);
}

/* Is f (e, x) = x, and f (x, e) = x? */
static bool gives_back(Ctx *c, const Term *f, const Term *e)
{
    const Type *t = f->type->elems[1];
    if (!type_is_scalar_like(t) || e->free_limit) return false;
    for (int i = 0; i < 2; i++) {
        const Term *parts[2] = {e, e};
        parts[1 - i] = term_param(c, t, 0);
        if (!is_operand(calculated(c, term_beta(c, f, term_tuple(c, parts, 2))), t->leaf_count - 1)) return false;
    }
    return true;
}

/* Is f (z, z) = z? Where f is associative and commutative, f (f (z, x), z) = f (f (z, z), x) = f (z, x) then. */
static bool begins_again(Ctx *c, const Term *f, const Term *z)
{
    const Term *both[2] = {z, z};
    return !z->free_limit && calculated(c, term_beta(c, f, term_tuple(c, both, 2))) == z;
}

/* ---- associative and commutative, by calculation ---- */

static const Term *applied(Ctx *c, const Term *f, const Term *a, const Term *b)
{
    const Term *both[2] = {a, b};
    return term_inline(c, f, term_tuple(c, both, 2));
}

/* Do the laws of a semiring say so? Such are compositions of x * a + b, and of max (x + a) b, products of small matrices, the best two of several. */
static bool calculated_so(Ctx *c, PropKind kind, const Term *f)
{
    enum { LEAVES = 16, NODES = 400 };
    const Type *t = f->type->elems[1], *both[2] = {t, t};
    if (f->type->elems[0] != type_tuple(c, both, 2)) return false;          /* elements of another type than the sum */
    if ((kind != PROP_ASSOCIATIVE && kind != PROP_COMMUTATIVE) || f->free_limit || f->size > NODES || !type_is_scalar_like(t) || t->leaf_count > LEAVES) return false;
    const Term *v[3];
    ArenaMark mark = arena_mark(c->scratch);
    for (int i = 0; i < 3; i++) v[i] = term_param(c, t, i * t->leaf_count);
    bool so = kind == PROP_COMMUTATIVE ? semiring_same(c, applied(c, f, v[0], v[1]), applied(c, f, v[1], v[0]))
              : semiring_same(c, applied(c, f, applied(c, f, v[0], v[1]), v[2]), applied(c, f, v[0], applied(c, f, v[1], v[2])));
    arena_release(c->scratch, mark);
    return so;
}

/* ---- by declaration ---- */

const Term *defs_function(Ctx *c, const Defs *d, int i, const Type *from, const Type *to, const Term **neutral)
{
    const Def *def = &d->defs.v[i];
    LOCAL(drop_arena) Arena *scratch = arena_new();
    Diag saved = diag_aside(&c->diag);
    Elab e = elab_start(c, scratch, d);
    Scope s = {elab_params(&e, d), 0, def->source};
    Ast name = {.kind = AST_NAME, .name = def->name, .span = def->decl->name_span};
    const Term *g = elab_function(&e, s, &name, from, to);
    *neutral = g && def->decl->neutral ? elab_expr(&e, s, def->decl->neutral, to) : NULL;
    diag_back(&c->diag, saved);
    return g;
}

const Term *prelude_function(Ctx *c, const char *name, const Type *from, const Type *to)
{
    const Defs *own = prelude(c);
    const Def *def = def_in(&own->defs, intern(c->names, name));
    const Term *neutral;
    return def ? defs_function(c, own, (int)(def - own->defs.v), from, to, &neutral) : NULL;
}

static const char *property_word(unsigned kind)
{
    return kind == PROP_ASSOCIATIVE ? "associative" : kind == PROP_COMMUTATIVE ? "commutative" : "neutral";
}

static bool declared_property(Ctx *c, const Defs *d, PropKind kind, const Term *f, const Term *e, const char **reason)
{
    const Defs *own = prelude(c);
    int count = d ? d->defs.n : 0;
    for (int i = count + own->defs.n - 1; i >= 0; i--) {          /* the latest of a name; the prelude is the first */
        const Defs *in = i < own->defs.n ? own : d;
        const Def *def = &in->defs.v[in == own ? i : i - own->defs.n];
        const Term *neutral = NULL;
        if (!def->decl->props || defs_function(c, in, (int)(def - in->defs.v), f->type->elems[0], f->type->elems[1], &neutral) != f) continue;
        bool of_value = kind == PROP_NEUTRAL || kind == PROP_RESTARTS;
        unsigned declared = of_value ? PROP_NEUTRAL : kind;
        bool yes = (def->decl->props & declared) && (!of_value || neutral == e);
        const Refuted *r = yes ? def->refuted : NULL;
        while (r && !(r->value == f->type->elems[1] && (r->kinds & declared))) r = r->next;
        bool assumed = r && (def->decl->assumed & declared);
        if (assumed) c->assumed = intern(c->names, arena_printf(c->scratch, "%s %s", property_word(declared), def->name));
        if (r) *reason = arena_printf(c->diag.arena, assumed ? "%s assumes it, though it does not hold (%s)" : "%s declares it, but it does not hold (%s)",
                                      def->name, r->why);
        else *reason = arena_printf(c->diag.arena, "%s declares %s", def->name, yes ? "it" : "other properties");
        return yes && (!r || assumed);
    }
    *reason = arena_printf(c->diag.arena, "+ declares it, this function does not (let f (a, b) = ... with %s%s)", property_word(kind),
                           kind == PROP_ASSOCIATIVE || kind == PROP_COMMUTATIVE ? "" : " ...");
    return false;
}

unsigned defs_properties(const Defs *d, int i) { return d->defs.v[i].decl->props; }
void defs_tested(Defs *d, int i) { d->defs.v[i].tested = true; }
bool defs_is_tested(const Defs *d, int i) { return d->defs.v[i].tested; }

void defs_refute(Defs *d, int i, const Type *value, unsigned kinds, const char *why)
{
    const Refuted **all = &d->defs.v[i].refuted;
    *all = MAKE(d->arena, Refuted, value, kinds, arena_strdup(d->arena, why), *all);
}

const char *defs_refuted(const Defs *d, int i, bool assumed)
{
    const char *why = NULL;
    for (const Refuted *r = d->defs.v[i].refuted; r; r = r->next)
        if (((r->kinds & d->defs.v[i].decl->assumed) != 0) == assumed) why = r->why;
    return why;
}

const char *defs_declares(const Defs *d, int i)
{
    unsigned props = d->defs.v[i].decl->props;
    if (!props) return NULL;
    return arena_printf(d->c->diag.arena, "%s%s%s", props & PROP_ASSOCIATIVE ? ", associative" : "",
                        props & PROP_COMMUTATIVE ? ", commutative" : "", props & PROP_NEUTRAL ? ", neutral" : "") + 2;
}

bool lang_property(Ctx *c, const Defs *d, PropKind kind, const Term *f, const Term *e, const char **reason)
{
    const char *none;
    if (!reason) reason = &none;
    if (e) e = calculated(c, e);
    int leaves = f->type->elems[1]->leaf_count;
    Operands o = {2 * leaves - 1, leaves - 1};
    if (f->type->elems[0]->leaf_count != 2 * leaves) return declared_property(c, d, kind, f, e, reason);
    const struct Operator *op = plain_operator(f->args[0], o);
    *reason = op ? arena_printf(c->diag.arena, "known of %s", prim(op->id)->name) : "known by its form";
    if (structural(c, d, kind, f->args[0], o, e)) return true;
    if (!op && e && kind != PROP_SUMS && !f->free_limit && gives_back(c, f, e)) return *reason = "known by calculation", true;
    if (!op && calculated_so(c, kind, f)) return *reason = "known by calculation", true;
    if (!op && kind == PROP_RESTARTS && !f->free_limit && begins_again(c, f, e) && lang_property(c, d, PROP_ASSOCIATIVE, f, NULL, NULL)
        && lang_property(c, d, PROP_COMMUTATIVE, f, NULL, NULL))
        return *reason = "f (z, z) = z, and the order does not count", true;
    if (!op) return declared_property(c, d, kind, f, e, reason);
    *reason = arena_printf(c->diag.arena, "it is not the neutral element of %s", prim(op->id)->name);
    return false;
}

/* ---- updates of one scalar at a time ---- */

/* A part of what f makes: the leaves of a that are its own, `leaves` variables from `last` on. */
typedef struct Own { int last, leaves; } Own;

static bool updates_apart(const Term *b, Own own, const char **reason)
{
    const Type *t = b->type;
    if (t->kind == TY_TUPLE) {
        /* Each component of its own ones. */
        int end = own.last + own.leaves;
        *reason = "a component is made of several";
        if (!term_is(b, PRIM_TUPLE)) return false;
        for (int i = 0, last = end; i < b->arg_count; i++) {
            const Term *part = b->args[i];
            Own o = {last - part->type->leaf_count, part->type->leaf_count};
            if (term_mentions(part, last, end - last) || term_mentions(part, own.last, o.last - own.last)) return false;
            if (!updates_apart(part, o, reason)) return false;
            last = o.last;
        }
        return true;
    }
    if (t->kind == TY_ARRAY) {
        /* map f (zip a b): each element of the same one. */
        *reason = "an array is not made element by element, by map f (zip a b)";
        const Term *zip = b->kind == T_PRIM && prim_is_map((PrimId)b->prim) ? b->args[1] : NULL;
        if (!zip || !term_is(zip, PRIM_ZIP) || term_mentions(b->args[0], own.last, 1)) return false;
        Own inner = {0, 0};
        for (int i = 0; i < zip->arg_count; i++) {
            int leaves = zip->args[i]->type->elems[0]->leaf_count;
            bool here = is_variable(zip->args[i], own.last);
            if (here && inner.leaves) return false;
            if (!here && term_mentions(zip->args[i], own.last, 1)) return false;
            if (here) inner = (Own){0, leaves};
            else if (inner.leaves) inner.last += leaves;
        }
        return inner.leaves && updates_apart(b->args[0]->args[0], inner, reason);
    }
    Scalar s = t->scalar;
    bool atomic = t->kind == TY_SCALAR && (s == SC_I32 || s == SC_U32 || s == SC_I64 || s == SC_F32 || s == SC_F64);
    *reason = atomic ? "each scalar by itself" : "i32, u32, i64, f32 and f64 alone have atomic operations";
    return atomic;
}

bool lang_atomic(const Term *f, const char **reason)
{
    int leaves = f->type->elems[1]->leaf_count;
    *reason = "it is no function over a pair";
    return f->type->elems[0]->leaf_count == 2 * leaves && updates_apart(f->args[0], (Own){leaves, leaves}, reason);
}

/* ---- sums that are brought from one key to another ---- */

/* Variables of e k s m: the keys, and the first leaf of the sum; and one that stands for the factor, or -1. */
typedef struct Keyed { int from, sum, to, factor; } Keyed;

static bool positive(const Term *e)
{
    Scalar s = e->type->scalar;
    if (e->kind != T_LIT) return false;
    return scalar_is_float(s) ? e->u.lit.f > 0 && e->u.lit.f < __builtin_inf() : scalar_order(s, e->u.lit.i, 0) > 0;
}

/* Does the difference of the keys, times a positive number perhaps, grow with k (1), with m (-1)? 0: it is no such. */
static int grows_with(const Term *d, Keyed v)
{
    if (d->kind != T_PRIM) return 0;
    if (d->prim == PRIM_NEG) return -grows_with(d->args[0], v);
    if (d->prim == PRIM_SUB && is_variable(d->args[0], v.from) && is_variable(d->args[1], v.to)) return 1;
    if (d->prim == PRIM_SUB && is_variable(d->args[0], v.to) && is_variable(d->args[1], v.from)) return -1;
    if (d->prim == PRIM_MUL && positive(d->args[0])) return grows_with(d->args[1], v);
    if ((d->prim == PRIM_MUL || d->prim == PRIM_DIV) && positive(d->args[1])) return grows_with(d->args[0], v);
    return 0;
}

/* An exponential of the difference, which grows with k (way 1) or m (-1)? */
static bool is_factor(const Term *b, Keyed v, int way)
{
    if (b->kind != T_PRIM) return is_variable(b, v.factor);
    return (b->prim == PRIM_EXP || b->prim == PRIM_EXP2) && grows_with(b->args[0], v) == way;
}

/* The variables under so many more. */
static Keyed under(Keyed v, int leaves)
{
    return (Keyed){v.from + leaves, v.sum + leaves, v.to + leaves, v.factor < 0 ? -1 : v.factor + leaves};
}

/* Is every scalar of the sum multiplied by such a factor? */
static bool scales(const Term *b, Keyed v, int way)
{
    if (term_is(b, PRIM_TUPLE)) {
        for (int i = 0; i < b->arg_count; v.sum -= b->args[i]->type->leaf_count, i++)
            if (!scales(b->args[i], v, way)) return false;
        return true;
    }
    if (b->kind != T_PRIM || b->arg_count != 2) return false;
    if (b->prim == PRIM_LET && b->args[0]->kind == T_PRIM && is_factor(b->args[0], v, way)) {
        v = under(v, 1);
        v.factor = 0;
        return scales(b->args[1]->args[0], v, way);
    }
    if (b->prim == PRIM_MAP && is_variable(b->args[1], v.sum)) {
        int leaves = b->args[0]->type->elems[0]->leaf_count;
        v = under(v, leaves);
        v.sum = leaves - 1;
        return scales(b->args[0]->args[0], v, way);
    }
    bool second = is_variable(b->args[1], v.sum);
    return b->prim == PRIM_MUL && (second || is_variable(b->args[0], v.sum)) && is_factor(b->args[second ? 0 : 1], v, way);
}

bool lang_rescales(Ctx *c, const Defs *d, const Term *e, const Term *f, const Term *g, const Term *w, const char **reason)
{
    const struct Operator *op = f->type->elems[1]->leaf_count == 1 ? plain_operator(f->args[0], (Operands){1, 0}) : NULL;
    int way = op && op->id == PRIM_MAX ? 1 : op && op->id == PRIM_MIN ? -1 : 0;
    int leaves = e->type->elems[1]->leaf_count;
    *reason = "the keys are neither for max nor for min";
    if (!way || e->type->elems[0]->leaf_count != (g ? leaves + 2 : 2)) return false;
    *reason = "it is not exp or exp2 of the difference of the keys";
    if (!g && !is_factor(e->args[0], (Keyed){1, -1, 0, -1}, way)) return false;
    *reason = "what is summed is not added to a start of zeros";
    if (g && !lang_property(c, d, PROP_SUMS, g, w, NULL)) return false;
    *reason = arena_printf(c->diag.arena, "not every part is times exp or exp2 of %s", way > 0 ? "k - m" : "m - k");
    if (g && !scales(e->args[0], (Keyed){leaves + 1, leaves, 0, -1}, way)) return false;
    *reason = "by its form";
    return true;
}

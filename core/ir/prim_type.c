/* prim_type: types of nodes and the facts that they need. */
#include "ir_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- typing a node by its scheme: one-way matching, data arguments first ---- */

typedef struct Match {
    const Type *types[SCHEME_TYPE_VARS];
    const Nat *nats[SCHEME_NAT_VARS];
} Match;

static bool bind_nat(Match *m, const SchemeNat *p, const Nat *n)
{
    if (m->nats[p->var]) return m->nats[p->var] == n;
    m->nats[p->var] = n;
    return true;
}

/* <w>t with every leaf a vector of one width: t and w; NULL otherwise. */
static const Type *without_width(Ctx *c, const Type *t, int *width)
{
    if (t->kind == TY_VECTOR) {
        if (*width && *width != t->width) return NULL;
        *width = t->width;
        return type_lane(c, t);
    }
    if (t->kind != TY_TUPLE) return NULL;
    const Type *parts[ARG_MAX];
    for (int i = 0; i < t->count; i++) {
        parts[i] = without_width(c, t->elems[i], width);
        if (!parts[i]) return NULL;
    }
    return type_tuple(c, parts, t->count);
}

static bool match_type(Ctx *c, const Scheme *s, const SchemeType *p, const Type *t, Match *m)
{
    switch (p->kind) {
    case SCH_VAR:
        if (m->types[p->var]) return type_same(c, m->types[p->var], t);
        if (!type_in_class(c, s->classes[p->var], t)) return false;
        m->types[p->var] = t;
        return true;
    case SCH_SCALAR:
        return type_same(c, type_scalar(c, p->scalar), t);
    case SCH_VECTOR:
        int width = 0;
        const Type *elem = without_width(c, t, &width);
        return elem && bind_nat(m, p->size, nat_const(c->nats, width)) && match_type(c, s, p->kids[0], elem, m);
    case SCH_ARRAY:
        return t->kind == TY_ARRAY && bind_nat(m, p->size, t->size) && match_type(c, s, p->kids[0], t->elems[0], m);
    default:
        if (t->kind != (p->kind == SCH_FUN ? TY_FUN : TY_TUPLE) || t->count != p->count) return false;
        return ALL(i, p->count, match_type(c, s, p->kids[i], t->elems[i], m));
    }
}

static const Nat *eval_nat(Ctx *c, const SchemeNat *n, const Match *m)
{
    if (!*n->op) return m->nats[n->var];
    if (*n->op == 'c') return nat_const(c->nats, n->value);
    return nat_operator(c->nats, n->op, eval_nat(c, n->a, m), eval_nat(c, n->b, m));
}

static const Type *build_type(Ctx *c, const SchemeType *p, const Match *m)
{
    const Type *kids[4];
    if (p->kind == SCH_VAR) return m->types[p->var];
    if (p->kind == SCH_SCALAR) return type_scalar(c, p->scalar);
    for (int i = 0; i < p->count; i++) {
        kids[i] = build_type(c, p->kids[i], m);
        if (!kids[i]) return NULL;
    }
    if (p->kind == SCH_TUPLE) return type_tuple(c, kids, p->count);
    if (p->kind == SCH_FUN) return type_fun(c, kids[0], kids[1]);
    const Nat *size = eval_nat(c, p->size, m);
    if (p->kind == SCH_ARRAY) return type_array(c, size, kids[0]);
    return size && size->is_const ? type_vector(c, (int)size->value, kids[0]) : NULL;
}

/* ---- messages: what a scheme wants, with what is known filled in ---- */

/* Of an argument: all its sizes are variables. */
static void print_scheme(const SchemeType *p, const Scheme *s, const Match *m, Buf *out)
{
    static const char *const class_names[] = {"a", "a scalar", "a number", "a float", "an integer",
                                              "a scalar of 32 bits", "a scalar of 64 bits"};
    switch (p->kind) {
    case SCH_VAR:
        if (m->types[p->var]) type_print(m->types[p->var], out);
        else if (s->classes[p->var] != CLASS_DATA) buf_puts(out, class_names[s->classes[p->var]]);
        else buf_putc(out, (char)('a' + p->var));
        break;
    case SCH_SCALAR:
        buf_puts(out, scalar_name(p->scalar));
        break;
    case SCH_ARRAY: case SCH_VECTOR:
        buf_putc(out, p->kind == SCH_ARRAY ? '[' : '<');
        if (m->nats[p->size->var]) nat_print(m->nats[p->size->var], 0, out);
        else buf_putc(out, s->nat_names[p->size->var]);
        buf_putc(out, p->kind == SCH_ARRAY ? ']' : '>');
        print_scheme(p->kids[0], s, m, out);
        break;
    default:
        for (int i = 0; i < p->count; i++) {
            if (p->kind == SCH_TUPLE) buf_puts(out, i ? ", " : "(");
            else if (i) buf_puts(out, " -> ");
            print_scheme(p->kids[i], s, m, out);
        }
        if (p->kind == SCH_TUPLE) buf_putc(out, ')');
    }
}

/* ---- facts ---- */

bool fact_holds(FactKind kind, int64_t a, int64_t b)
{
    return kind == FACT_DIVIDES ? a > 0 && b % a == 0 : kind == FACT_LE ? a <= b : a < b;
}

bool fact_is_certain(Nats *n, const Fact *f, const NatFacts *known)
{
    if (f->kind == FACT_DIVIDES) return nat_less(n, nat_const(n, 0), f->a) && nat_divides(n, f->a, f->b, known);
    return f->kind == FACT_LE ? nat_less_eq(n, f->a, f->b) : nat_less(n, f->a, f->b);
}

bool fact_is_impossible(Nats *n, const Fact *f)
{
    if (f->kind == FACT_DIVIDES) return (f->a->is_const && f->a->value <= 0) || nat_refuted_divides(n, f->a, f->b);
    return f->kind == FACT_LE ? nat_less(n, f->b, f->a) : nat_less_eq(n, f->b, f->a);
}

const char *const fact_verbs[] = {[FACT_DIVIDES] = "divide", [FACT_LE] = "be at most", [FACT_LT] = "be less than"};
const char *fact_word(FactKind kind) { return kind == FACT_DIVIDES ? "divides" : kind == FACT_LE ? "<=" : "<"; }

void fact_print(const Fact *f, Buf *out)
{
    nat_print(f->a, 0, out);
    buf_printf(out, " %s ", fact_word(f->kind));
    nat_print(f->b, 0, out);
}

const char *fact_text(const Fact *f, Arena *arena) { return TEXT_OF(arena, b, fact_print(f, &b)); }

/* False, with an error: it holds for no sizes. what: the argument that it is about, for what says nothing but that it is too small. */
static bool fact_possible(Ctx *c, const char *who, const char *what, FactKind kind, const Nat *a, const Nat *b)
{
    if (!a || !b || !fact_is_impossible(c->nats, &(Fact){kind, a, b})) return true;
    const char *left = nat_text(a, 0, c->diag.arena), *right = nat_text(b, 0, c->diag.arena);
    if (kind == FACT_LE && a->is_const) return ctx_error(c, E04, "%s: %s must be at least %s, not %s", who, what, left, right);
    if (kind == FACT_DIVIDES && a->is_const && a->value <= 0) return ctx_error(c, E04, "%s: %s must be at least 1, not %s", who, what, left);
    return ctx_error(c, E04, "%s: %s must %s %s", who, left, fact_verbs[kind], right);
}

static bool match_statics(Ctx *c, const Scheme *s, const Term *n, Match *m)
{
    for (int i = 0; i < s->static_count; i++) {
        const Nat *v = n->statics[i];
        if (!v)
            return ctx_error(c, E08, "%s: " SIZE_REFUSED, prim((PrimId)n->prim)->name, NAT_TERMS_MAX);
        if (s->statics[i].kind == STATIC_DIM && !(v->is_const && v->value >= 0 && v->value <= 2))
            return ctx_error(c, E04, "%s: the dimension must be 0, 1 or 2", prim((PrimId)n->prim)->name);
        if (s->statics[i].kind == STATIC_WIDTH && !v->is_const)
            return ctx_error(c, E04, "%s: the width must be a number: 2, 4, 8 or 16", prim((PrimId)n->prim)->name);
        m->nats[s->statics[i].nat_var] = v;
    }
    return true;
}

/* Those that are functions, or those that are not: these come first, as they say what functions are given. */
/* Of two types that meet, the one that the other goes to without losing its fractions or its ends. */
static Scalar wider(Scalar a, Scalar b)
{
    const bool floats = scalar_is_float(b);
    if (scalar_is_float(a) != floats) return floats ? b : a;
    return scalar_bytes(b) > scalar_bytes(a) ? b : a;
}

static bool match_args(Ctx *c, const Scheme *s, const Term *n, bool functions, Match *m)
{
    for (int i = 0; i < s->arg_count; i++) {
        if ((s->args[i]->kind == SCH_FUN) != functions) continue;
        Match before = *m;
        if (match_type(c, s, s->args[i], n->args[i]->type, m)) continue;
        const Prim *p = prim((PrimId)n->prim);
        const Type *found = n->args[i]->type;
        Diag *d = &c->diag;
        Buf b = {0};
        print_scheme(s->args[i], s, &before, &b);
        const char *want = buf_take(&b, d->arena), *slot = p->slots;
        for (int k = i; k > 0 && *slot != '#'; k--) slot = strchr(slot, ' ') + 1;
        const char *which = *slot == '#' ? arena_printf(d->arena, "argument %d", i + 1)
                                         : arena_printf(d->arena, "\"%.*s\"", (int)strcspn(slot, " "), slot);
        const Type *one = found->kind == TY_ARRAY && i == s->arg_count - 1 && (p->family == FAM_REDUCE || p->family == FAM_SCAN) ? found->elems[0] : NULL;
        const char *over = one && one->kind == TY_ARRAY ? "of each row: map f x; along axis 0: overAxis 0 f x; of all: f (join x)"
            : one && one->kind == TY_TUPLE && n->prim == PRIM_SCAN ? "scan combines elements with one another; a state of another type takes one after the other: scanSeq f z x"
            : one && one->kind == TY_TUPLE && n->prim == PRIM_REDUCE
                ? "reduce combines elements with one another; a state of another type takes one after the other: reduceSeq f z x" : NULL;
        if (diag_failed(d)) {              /* of a literal */
            diag_note(d, "for", "%s: %s must be %s, found %s", p->name, which, want, type_text(c, found));
            if (over) diag_note(d, "hint", "%s", over);
            return false;
        }
        Scalar to;
        const char *hint = over ? arena_printf(d->arena, NOTE("hint") "%s", over)
            : n->prim == PRIM_SCATTER && i == 0 && found->kind == TY_SCALAR ? NOTE("hint") "two elements: (x with [i] = a) with [j] = b"
            : n->prim == PRIM_AT && found->kind == TY_TUPLE ? NOTE("hint") "a part of a tuple is t.0, t.1 ..."
            : p->family != FAM_SCALAR && found->kind == TY_SCALAR && scalar_from_name(want, &to)
                ? arena_printf(d->arena, NOTE("hint") "no value changes its type by itself: %s x is x as %s", want, want)
            : p->family != FAM_SCALAR ? ""
            : found->kind == TY_ARRAY ? NOTE("hint") "map: scalar operations do not lift to arrays"
            : found->kind == TY_VECTOR ? NOTE("hint") "mapVec: scalar operations do not lift to vectors"
            : found->kind == TY_TUPLE && found->count == 2
                ? arena_printf(d->arena, NOTE("hint") "%spairs as complex numbers: cadd, csub, cmul, cdiv, cabs ... (help prelude)",
                               n->arg_count < 2 ? "" : isalpha((unsigned char)*p->name)
                                   ? arena_printf(d->arena, "part by part: \\((a, b), (c, d)) -> (%s a c, %s b d); ", p->name, p->name)
                                   : arena_printf(d->arena, "part by part: \\((a, b), (c, d)) -> (a %s c, b %s d); ", p->name, p->name))
            : found->kind != TY_SCALAR ? ""
            : n->prim == PRIM_POW && scalar_is_int(found->scalar) && !strcmp(want, "a float")
                ? NOTE("hint") "of integers: x * x is a square, shl 1 k a power of 2, bxor a b the exclusive or"
            : !strcmp(want, "a float") && scalar_is_int(found->scalar) ? NOTE("hint") "f32 x makes a float of it"
            : (n->prim == PRIM_MOD || n->prim == PRIM_FLOOR_DIV) && scalar_is_float(found->scalar)
                ? NOTE("hint") "of floats: floor (x / y), and x - y * floor (x / y), or fmod x y towards zero"
            : !strcmp(want, "bool") ? NOTE("hint") "x != 0 is a bool"
            : scalar_from_name(want, &to)
                ? arena_printf(d->arena, NOTE("hint") "no value changes its type by itself: %s x is x as %s", scalar_name(wider(to, found->scalar)),
                               scalar_name(wider(to, found->scalar)))
            : !strcmp(want, "an integer") && scalar_is_float(found->scalar) ? NOTE("hint") "i32 x makes an integer of it, towards zero" : "";
        return ctx_error(c, E04, "%s: %s must be %s, found %s" NOTE("needs") "%s" NOTE("found") "%s%s", p->name, which, want,
                         type_text(c, found), want, type_text(c, found), hint);
    }
    return true;
}

static bool is_of_image(PrimId id) { return id == PRIM_TO_IMAGE || id == PRIM_TO_GLOBAL_IMAGE; }

bool prim_fits_any_size(Ctx *c, PrimId id)
{
    const Scheme *s = prim_scheme(c, id);
    return s && !s->fact_count && !is_of_image(id);
}

/* What a scheme cannot say of toImage and toGlobalImage. */
static bool fits_image(Ctx *c, PrimId id, const Type *t)
{
    int texel;
    const Nat *row = type_image_row(c, t, &texel);
    if (row) return fact_possible(c, prim(id)->name, "a row", FACT_DIVIDES, nat_const(c->nats, texel), row);
    return ctx_error(c, E04, "%s: no image holds elements of %s" NOTE("needs") "numbers of 4 or 8 bytes, or vectors of them; of tuples, "
                     "an image for each component", prim(id)->name, type_text(c, t));
}

/* ---- primitives typed by hand ---- */

static const Type *type_reorder(Ctx *c, const Term *n)
{
    const Type *t = n->args[n->arg_count - 1]->type;
    if (t->kind != TY_ARRAY)
        return ctx_error(c, E04, "reorder: \"in\" must be an array, found %s", type_text(c, t));
    const Type *i32 = type_scalar(c, SC_I32);
    for (int i = 0; i + 1 < n->arg_count; i++) {
        const Type *found = n->args[i]->type;
        if (type_same(c, type_fun(c, i32, i32), found)) continue;
        return ctx_error(c, E04, "reorder: a permutation function is i32 -> i32, found %s", type_text(c, found));
    }
    bool stride = n->statics[0]->value == PERM_STRIDE;
    return stride && !fact_possible(c, "reorder", "the stride", FACT_DIVIDES, n->statics[1], t->size) ? NULL : t;
}

const NatAtom *type_any_length(const Type *t)
{
    const NatAtom *v = t->kind == TY_ARRAY ? nat_atom(t->size) : NULL;
    if (!v || v->kind != ATOM_VAR) return NULL;
    return v->var == VAR_INDEX || (v->var == VAR_SIZE && islower((unsigned char)*v->name)) ? v : NULL;
}

int iterate_lengths(Ctx *c, const Term *iterate, const Nat *out[ITERATE_LENGTHS])
{
    const Type *step = iterate->args[0]->type;
    const Nat *p = step->elems[0]->size, *count = iterate->statics[0], *n = iterate->args[1]->type->size;
    int found = 0;
    if (p->is_const) return 0;
    for (int64_t i = 0; i < (count->is_const ? count->value : 1) && found < ITERATE_LENGTHS && n; i++) {
        NatBinding at = {nat_atom(p), n};
        out[found++] = n;
        n = nat_subst(c->nats, step->elems[1]->size, &at, 1, NULL);
        if (n == out[found - 1]) break;
    }
    return found;
}

/* How much shorter one step of an iterate makes its array: p / result length; NULL when that is not constant in p. */
static const Nat *shrink_factor(Ctx *c, const Type *f)
{
    const Nat *q = nat_exact(c->nats, f->elems[0]->size, f->elems[1]->size);
    const Nat *p = f->elems[0]->size;
    if (!q || q->is_const) return q;
    const NatAtom *variable = nat_atom(p);
    return variable && !nat_mentions(q, variable) ? q : NULL;
}

static const Type *type_iterate(Ctx *c, const Term *n)
{
    const Type *f = n->args[0]->type, *x = n->args[1]->type;
    const char *problem = NULL;
    const Nat *k = n->statics[0], *shrink = NULL;
    if (k && !fact_possible(c, "iterate", "k", FACT_LE, nat_const(c->nats, 1), k)) return NULL;
    if (x->kind != TY_ARRAY) problem = "\"in\" must be an array";
    else if (f->elems[1]->kind != TY_ARRAY || !type_same(c, f->elems[1]->elems[0], x->elems[0])) problem = "f must give an array of the same elements";
    else if (!(shrink = shrink_factor(c, f))) problem = "f must take [p]a to [p/c]a with c constant in p";
    else if (shrink->is_const && shrink->value == 1) return x;
    else if (!k || !k->is_const) problem = "k must be a number when f changes the length";
    else if (k->value > 64) problem = "k is too large";
    if (problem)
        return ctx_error(c, E04, "iterate: %s, found f %s on %s", problem, type_text(c, f), type_text(c, x));
    const Nat *all = nat_pow(c->nats, shrink, (int)k->value);
    if (!fact_possible(c, "iterate", "k", FACT_DIVIDES, all, x->size)) return NULL;
    return type_array(c, nat_exact(c->nats, x->size, all), x->elems[0]);
}

/* ---- slices ---- */

const Nat *slice_extent(Ctx *c, const Term *n)
{
    const Type *x = n->args[n->arg_count - 1]->type;
    const Nat *s = n->statics[0], *one = nat_const(c->nats, 1);
    if (x->kind != TY_ARRAY) return NULL;
    return nat_add(c->nats, nat_div(c->nats, nat_add(c->nats, x->size, nat_sub(c->nats, s, one)), s, NULL), one);
}

/* False, with an error: it is no step. */
static bool slice_steps(Ctx *c, const Nat *s) { return !s || fact_possible(c, "slice", "the step", FACT_LE, nat_const(c->nats, 1), s); }

const NatAtom *slice_variable(const Term *n)
{
    const Term *f = n->args[0];
    const NatAtom *v = f->kind == T_LAM ? type_any_length(f->type->elems[0]) : NULL;
    return v && v->var == VAR_INDEX ? v : NULL;
}

/* A length in t that hangs on v and may be negative; NULL: there is none. */
static const Nat *negative_length(Ctx *c, const Type *t, const NatAtom *v)
{
    const Nat *found = t->kind == TY_ARRAY && nat_mentions(t->size, v) && !nat_is_nonneg(c->nats, t->size) ? t->size : NULL;
    for (int i = 0; i < t->count && !found; i++) found = negative_length(c, t->elems[i], v);
    return found;
}

/* What t asks of v, which nobody can promise: the node, or NULL. */
static const Term *asks_of(Ctx *c, const Term *t, const NatAtom *v, const char **what)
{
    Fact own[8];
    for (int i = 0, n = term_own_facts(c, t, own); i < n; i++) {
        if (!nat_mentions(own[i].a, v) && !nat_mentions(own[i].b, v)) continue;
        *what = fact_text(&own[i], c->diag.arena);
        return t;
    }
    if (term_is(t, PRIM_PAD) && nat_mentions(t->args[0]->type->size, v)) {
        *what = "one element at least";
        return t;
    }
    for (int i = 0; i < t->arg_count; i++) {
        const Term *found = asks_of(c, t->args[i], v, what);
        if (found) return found;
    }
    const Nat *negative = t->kind == T_PRIM ? negative_length(c, t->type, v) : NULL;
    if (!negative) return NULL;
    *what = arena_printf(c->diag.arena, "0 <= %s", nat_text(negative, 5, c->diag.arena));
    return t;
}

static const Type *type_slice(Ctx *c, const Term *n)
{
    const Type *f = n->args[0]->type, *x = n->args[3]->type, *i32 = type_scalar(c, SC_I32);
    const NatAtom *v = slice_variable(n);
    const char *what = NULL;
    if (x->kind != TY_ARRAY || !type_same(c, i32, n->args[1]->type) || !type_same(c, i32, n->args[2]->type))
        return ctx_error(c, E04, "slice: takes i32 from, i32 to and an array, found %s, %s and %s" NOTE("hint") "bounds are i32: i32 n is n as one", type_text(c, n->args[1]->type),
                   type_text(c, n->args[2]->type), type_text(c, x));
    if (!slice_steps(c, n->statics[0])) return NULL;
    if (!v || !type_same(c, f->elems[0]->elems[0], x->elems[0]))
        return ctx_error(c, E04, "slice: f must take an array of %s of any length, found %s", type_text(c, x->elems[0]), type_text(c, f));
    if (type_mentions(f->elems[1], v))
        return ctx_error(c, E04, "slice: f gives %s, of a length known only when it runs" NOTE("needs") "a result without %s in its type: "
                         "reductions, known lengths", type_text(c, f->elems[1]), v->name);
    const Term *asks = asks_of(c, n->args[0], v, &what);
    if (asks)
        return ctx_error(c, E04, "slice: %s needs %s, and %s may be any number of elements, 0 among them" NOTE("hint") "map, zip, reduce, "
                         "scan, gather, at, transpose and slice take arrays of any length", prim((PrimId)asks->prim)->name, what, v->name);
    return f->elems[1];
}

const Type *prim_type(Ctx *c, const Term *n)
{
    switch (n->prim) {
    case PRIM_ZIP: {
        const Type *elems[ARG_MAX];
        for (int i = 0; i < n->arg_count; i++) {
            const Type *t = n->args[i]->type;
            if (t->kind != TY_ARRAY)
                return ctx_error(c, E04, "zip: argument %d must be an array, found %s", i + 1, type_text(c, t));
            if (t->size != n->args[0]->type->size) {
                const char *first = type_text(c, n->args[0]->type), *other = type_text(c, t);
                return ctx_error(c, E04, "zip: the lengths differ: %s and %s" NOTE("needs") "%s", first, other,
                                 strcmp(first, other) ? "equal lengths, as polynomials" : "one length: each slice has its own");
            }
            elems[i] = t->elems[0];
        }
        return type_array(c, n->args[0]->type->size, type_tuple(c, elems, n->arg_count));
    }
    case PRIM_UNZIP: {
        const Type *t = n->args[0]->type, *parts[ARG_MAX];
        if (t->kind != TY_ARRAY || t->elems[0]->kind != TY_TUPLE)
            return ctx_error(c, E04, "unzip: \"in\" must be an array of tuples, found %s", type_text(c, t));
        for (int i = 0; i < t->elems[0]->count; i++) parts[i] = type_array(c, t->size, t->elems[0]->elems[i]);
        return type_tuple(c, parts, t->elems[0]->count);
    }
    case PRIM_TUPLE: {
        const Type *parts[ARG_MAX];
        for (int i = 0; i < n->arg_count; i++) parts[i] = n->args[i]->type;
        return type_tuple(c, parts, n->arg_count);
    }
    case PRIM_PROJ: {
        const Type *t = n->args[0]->type;
        if (t->kind != TY_TUPLE || n->u.proj < 0 || n->u.proj >= t->count)
            return ctx_error(c, E04, "there is no component .%d in %s%s", n->u.proj, type_text(c, t),
                             t->kind == TY_TUPLE ? arena_printf(c->diag.arena, NOTE("hint") "the first is .0, the last .%d", t->count - 1) : "");
        return t->elems[n->u.proj];
    }
    case PRIM_VEC:
        for (int i = 0; i < n->arg_count; i++) {
            const Type *one = n->args[0]->type, *other = n->args[i]->type;
            if (type_same(c, one, other)) continue;
            return ctx_error(c, E04, "vec: all lanes must have one type, found %s and %s", type_text(c, one), type_text(c, other));
        }
        return type_vector(c, n->arg_count, n->args[0]->type);
    case PRIM_REORDER: return type_reorder(c, n);
    case PRIM_ITERATE: return type_iterate(c, n);
    case PRIM_SLICE: return type_slice(c, n);
    default: {
        const Scheme *s = prim_scheme(c, (PrimId)n->prim);
        Match m = {0};
        if (n->arg_count != s->arg_count)
            return ctx_error(c, E04, "%s takes %d arguments, not %d", prim((PrimId)n->prim)->name, s->arg_count, n->arg_count);
        if (!match_statics(c, s, n, &m) || !match_args(c, s, n, false, &m) || !match_args(c, s, n, true, &m))
            return NULL;
        for (int i = 0; i < s->fact_count; i++) {
            const SchemeFact *f = &s->facts[i];
            const Nat *a = eval_nat(c, f->a, &m), *b = eval_nat(c, f->b, &m);
            const char what[] = {s->nat_names[(*f->a->op ? f->b : f->a)->var], 0};
            if (!fact_possible(c, prim((PrimId)n->prim)->name, what, f->kind, a, b)) return NULL;
        }
        if (is_of_image((PrimId)n->prim) && !fits_image(c, (PrimId)n->prim, n->args[0]->type)) return NULL;
        return build_type(c, s->result, &m);
    }
    }
}

/* ---- the parameter type of a function argument ---- */

const Type *prim_param_type(Ctx *c, PrimId id, const Nat *const *statics, const Term *const *args, int arg_count, int i)
{
    const Scheme *s = prim_scheme(c, id);
    Term n = {.prim = id, .statics = statics, .args = args, .arg_count = (uint16_t)arg_count};
    Match m = {0};
    if (id == PRIM_REORDER) return type_scalar(c, SC_I32);
    if (s) return match_statics(c, s, &n, &m) && match_args(c, s, &n, false, &m) ? build_type(c, s->args[i]->kids[0], &m) : NULL;
    const Type *x = args[arg_count - 1]->type;
    if (id == PRIM_SLICE && !slice_steps(c, statics[0])) return NULL;
    if (x->kind == TY_ARRAY && id == PRIM_SLICE) return type_array(c, nat_fresh_index(c->nats, "n", slice_extent(c, &n)), x->elems[0]);
    if (x->kind == TY_ARRAY) {
        LOCAL(drop) NatAtomVec vars = {0};
        for (const Type *t = x; t->kind == TY_ARRAY; t = t->elems[0]) nat_vars(t->size, &vars);
        char name[16] = "p";
        for (int k = 0, clash = 1; clash; k++) {
            if (k) snprintf(name, sizeof name, "p%d", k);
            clash = 0;
            for (int j = 0; j < vars.n; j++) clash |= strcmp(vars.v[j]->name, name) == 0;
        }
        return type_array(c, nat_var(c->nats, name, VAR_SIZE, NULL, NULL), x->elems[0]);
    }
    return ctx_error(c, E04, "%s: \"in\" must be an array, found %s", prim(id)->name, type_text(c, x));
}

const Nat *term_indexed_length(const Term *t)
{
    if (t->kind != T_PRIM) return NULL;
    switch (t->prim) {
    case PRIM_GENERATE: case PRIM_REDUCE_BY_INDEX: case PRIM_REDUCE_BY_INDEX_SEQ: case PRIM_REDUCE_BY_INDEX_ATOMIC: return t->type->size;
    case PRIM_AT: case PRIM_GATHER: case PRIM_SLICE: return t->args[t->arg_count - 1]->type->size;
    case PRIM_SCATTER: return t->args[0]->type->size;
    case PRIM_REORDER: return t->statics[0]->value == PERM_FUN ? t->type->size : NULL;
    default: return NULL;
    }
}

/* ---- the facts of a node ---- */

static int add_fact(Ctx *c, Fact *out, int n, FactKind kind, const Nat *a, const Nat *b)
{
    Fact f = {kind, a, b};
    if (a && b && !fact_is_certain(c->nats, &f, NULL)) out[n++] = f;
    return n;
}

/* A size given by exact divisions, N/m, is whole only if m divides N. */
static int fact_of_static(Ctx *c, const Nat *n, Fact *out, int k)
{
    Nats *s = c->nats;
    if (!n || n->is_const) return k;
    int64_t den = 1;
    const Nat *d = nat_const(s, 1);
    for (int i = 0; i < n->term_count; i++) den = den / gcd64(den, n->terms[i].den) * n->terms[i].den;
    for (int i = 0; i < n->term_count; i++)
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            const NatFactor *x = &n->terms[i].factors[f];
            if (x->exp >= 0 || x->atom->kind != ATOM_VAR) continue;
            const Nat *v = nat_var(s, x->atom->name, x->atom->var, x->atom->lo, x->atom->hi);
            if (x->atom->var != VAR_INDEX && !nat_mentions(d, x->atom)) d = nat_mul(s, d, nat_pow(s, v, -x->exp));
        }
    d = nat_mul(s, d, nat_const(s, den));
    if (d == nat_const(s, 1)) return k;
    return add_fact(c, out, k, FACT_DIVIDES, d, nat_mul(s, d, n));
}

int term_own_facts(Ctx *c, const Term *n, Fact out[8])
{
    if (n->kind != T_PRIM) return 0;
    const Scheme *s = prim_scheme(c, (PrimId)n->prim);
    const Type *in = n->arg_count ? n->args[n->arg_count - 1]->type : NULL;
    Match m = {0};
    int k = 0;
    if (n->prim == PRIM_REORDER && n->statics[0]->value == PERM_STRIDE) {
        k = add_fact(c, out, 0, FACT_DIVIDES, n->statics[1], in->size);
    } else if (n->prim == PRIM_ITERATE && n->statics[0]->is_const) {
        const Nat *all = nat_pow(c->nats, shrink_factor(c, n->args[0]->type), (int)n->statics[0]->value);
        k = add_fact(c, out, 0, FACT_DIVIDES, all, in->size);
    } else if (n->prim == PRIM_ITERATE || n->prim == PRIM_SLICE) {
        k = add_fact(c, out, 0, FACT_LE, nat_const(c->nats, 1), n->statics[0]);
    } else if (is_of_image((PrimId)n->prim)) {
        int texel = 1;
        const Nat *row = type_image_row(c, in, &texel);
        k = add_fact(c, out, 0, FACT_DIVIDES, nat_const(c->nats, texel), row);
    } else if (s && (s->fact_count || n->prim == PRIM_PAD) && match_statics(c, s, n, &m) && match_args(c, s, n, false, &m)) {
        for (int i = 0; i < s->fact_count; i++)
            k = add_fact(c, out, k, s->facts[i].kind, eval_nat(c, s->facts[i].a, &m), eval_nat(c, s->facts[i].b, &m));
        for (int i = 0; i < 2 && n->prim == PRIM_PAD && n->statics[2]->value != PAD_CLAMP; i++)
            k = add_fact(c, out, k, FACT_LE, n->statics[i], in->size);
    }
    for (int i = 0; i < n->static_count && k < 8; i++)
        if (n->prim != PRIM_REORDER || i == 1) k = fact_of_static(c, n->statics[i], out, k);
    return k;
}

/* barrier_meet: may two accesses touch one cell (a dependence test over mixed-radix addresses)? */
#include "barrier.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Whatever cannot be proved is taken to clash. */

void dependence_tests_start(DependenceTests *m, Build *b, Kernel *k)
{
    *m = (DependenceTests){.b = b, .k = k, .pairs.arena = b->arena};
}

/* ---- an address over what moves ---- */

static bool is_moving(const Scope *s, const NatAtom *atom, const VarInfo *v)
{
    if (!v) return atom->var == VAR_INDEX;
    if (s->step) return v->kind == VAR_OPAQUE || is_loop_of(s->inside, atom);
    if (v->kind == VAR_ID) return s->moving >> v->id & 1u;
    if (v->kind == VAR_STRIDED && s->moving >> ID_LOCAL & 1u) return true;       /* l + L*j: the same round is not the same l */
    return v->kind == VAR_OPAQUE || !is_loop_of(s->fixed, atom);
}

static const Nat *at_value(Build *b, const Nat *n, const NatAtom *var, int64_t v)
{
    NatBinding to = {var, nat_const(b->n, v)};
    return nat_subst(b->n, n, &to, 1, b->facts);
}

/* Take coef * var out of *base. */
static bool take_out(Build *b, const Nat **base, const NatAtom *var, const Nat **coef)
{
    Nats *n = b->n;
    const Nat *rest = at_value(b, *base, var, 0), *self = nat_sub(n, *base, rest);
    const Nat *twice = nat_sub(n, at_value(b, *base, var, 2), rest);
    *coef = nat_sub(n, at_value(b, *base, var, 1), rest);
    *base = rest;
    if (!*coef || !self || twice != nat_mul(n, *coef, nat_const(n, 2))) return false;
    if (nat_mentions(*coef, var) || nat_mentions(rest, var)) return false;
    /* Is every term of n that has the variable some number times its first power? min 32 x is x at 0, 1 and 2. */
    for (int k = 0; k < self->term_count; k++) {
        for (int f = 0; f < self->terms[k].factor_count; f++) {
            const NatAtom *a = self->terms[k].factors[f].atom;
            if (a == var ? self->terms[k].factors[f].exp != 1 : a->kind != ATOM_VAR && (nat_mentions(a->a, var) || nat_mentions(a->b, var))) return false;
        }
    }
    return true;
}

static void find_linear(const Scope *s, const Nat *at, Linear *out)
{
    Build *b = s->m->b;
    LOCAL(drop) NatAtomVec vars = {0};
    NatBinding lone[MOVING_MAX];
    int lones = 0;
    out->ok = true;
    out->base = at;
    out->n = 0;
    nat_vars(at, &vars);
    for (int i = 0; i < vars.n && out->ok; i++) {
        const VarInfo *v = kernel_var(s->m->k, vars.v[i]);
        if (!is_moving(s, vars.v[i], v)) continue;
        out->ok = v && out->n < MOVING_MAX && vars.v[i]->hi;         /* a loaded index: anything in its range */
        if (!out->ok) break;
        int64_t c = index_step(at, vars.v[i]);
        const Nat *coef = c ? nat_const(b->n, c) : NULL;
        if (c) lone[lones++] = (NatBinding){vars.v[i], nat_const(b->n, 0)};
        else out->ok = take_out(b, &out->base, vars.v[i], &coef);
        const Nat *most = kernel_upper_bound(b, vars.v[i]->hi);       /* more rounds than there are touch what those do, and more */
        out->ok = out->ok && most;
        out->terms[out->n++] = (Term1){coef, most, v};
    }
    if (lones && out->ok) out->base = nat_subst(b->n, out->base, lone, lones, b->facts);
}

/* How many values from *least on the part of an address may have; NULL: unknown, or it may be negative. */
static const Nat *part_extent(Nats *n, const NatAtom *part, const Nat *value, int64_t *least)
{
    int64_t hi;
    *least = 0;
    if (part->kind == ATOM_MOD) return part->b;
    return nat_lower(n, value, least) && *least >= 0 && nat_upper(n, value, &hi) && hi < INT32_MAX ? nat_const(n, hi + 1 - *least) : NULL;
}

/* The address with a variable for each remainder, quotient, minimum or maximum in it that what moves decides; NULL: some term of it has more
 * such parts, or one without bounds. */
static const Nat *without_parts(const Scope *s, const Nat *at)
{
    Build *b = s->m->b;
    const Nat *made = at;
    for (int i = 0; i < at->term_count; i++) {
        const NatTerm *t = &at->terms[i];
        const NatAtom *part = NULL;
        const Nat *coef = nat_const(b->n, t->num);
        for (int f = 0; f < t->factor_count; f++) {
            const NatAtom *a = t->factors[f].atom;
            bool constant = a->kind == ATOM_VAR && a->var == VAR_SIZE && t->factors[f].exp > 0;
            if (constant) coef = nat_mul(b->n, coef, nat_pow(b->n, nat_self(a), t->factors[f].exp));
            else if (part || t->factors[f].exp != 1) return NULL;
            else part = a;
        }
        if (!part || part->kind == ATOM_VAR) continue;
        int64_t least;
        const Nat *value = nat_self(part), *extent = t->den == 1 ? part_extent(b->n, part, value, &least) : NULL;
        if (!extent) return NULL;
        const Nat *any = nat_add(b->n, nat_const(b->n, least), kernel_index(b, (VarInfo){.kind = VAR_OPAQUE}, "part", extent));
        made = nat_add(b->n, nat_sub(b->n, made, nat_mul(b->n, coef, value)), nat_mul(b->n, coef, any));
    }
    return made;
}

void linearise(const Scope *s, const Nat *at, Linear *out)
{
    find_linear(s, at, out);
    const Nat *whole = out->ok ? NULL : without_parts(s, at);
    if (whole) find_linear(s, whole, out);
}

/* As linearise, of which the last answers are known. */
static const Linear *linear_of(const Scope *s, const Nat *at)
{
    const Linear **recent = &s->m->recent[at->id % COUNT(s->m->recent)];
    if (*recent && (*recent)->at == at && (*recent)->fixed == s->fixed && (*recent)->moving == s->moving) return *recent;
    Linear *l = arena_raw(s->m->b->arena, sizeof *l);
    linearise(s, at, l);
    l->at = at, l->fixed = s->fixed, l->moving = s->moving;
    return *recent = l;
}

static void linear_copy(const Linear *from, Linear *to) { memcpy(to, from, offsetof(Linear, terms) + sizeof *to->terms * (size_t)from->n); }

static Term1 *term_of_id(Linear *l, IdKind id, int dim, int part)
{
    for (int i = 0; i < l->n; i++) {
        const VarInfo *v = l->terms[i].var;
        bool of_id = v && ((v->kind == VAR_ID && v->id == id) || (v->kind == VAR_STRIDED && id == ID_LOCAL));
        if (of_id && v->dim == dim && v->part == part) return &l->terms[i];
    }
    return NULL;
}

/* ---- digits ---- */

void digits_start(Digits *q, Nats *n, const NatFacts *facts)
{
    q->n = n;
    q->facts = facts;
    q->shift = NULL;
    q->loose = false;
    q->count = 0;
}

/* All numbers constant: solved digit by digit, the largest first. */
typedef struct Number { int64_t coef, lo, hi; bool key; } Number;
typedef struct Numbers {
    int n, budget;
    Number d[DIGIT_MAX];
    int64_t reach_lo[DIGIT_MAX + 1], reach_hi[DIGIT_MAX + 1];     /* of the digits from i on */
    bool keys[DIGIT_MAX + 1];            /* is one of them a key? */
} Numbers;

static void add_number(Numbers *q, int64_t coef, int64_t lo, int64_t hi, bool key)
{
    Number d = coef < 0 ? (Number){-coef, -hi, -lo, key} : (Number){coef, lo, hi, key};
    if (coef == 0 || (lo == 0 && hi == 0)) return;
    for (int i = 0; i < q->n && !key; i++) {
        if (q->d[i].coef != d.coef || q->d[i].key) continue;
        q->d[i].lo += d.lo;
        q->d[i].hi += d.hi;
        return;
    }
    int at = q->n++;
    for (; at > 0 && q->d[at - 1].coef < d.coef; at--) q->d[at] = q->d[at - 1];
    q->d[at] = d;
}

/* Is there a solution, with a key that differs where `apart` asks for one? */
static bool solve(Numbers *q, int i, int64_t rest, bool apart)
{
    if (i == q->n) return rest == 0 && !apart;
    if (apart && !q->keys[i]) return false;
    if (rest + q->reach_lo[i] > 0 || rest + q->reach_hi[i] < 0) return false;
    const Number *d = &q->d[i];
    int64_t lo = -floor_div(rest + q->reach_hi[i + 1], d->coef), hi = floor_div(-rest - q->reach_lo[i + 1], d->coef);
    if (lo < d->lo) lo = d->lo;
    if (hi > d->hi) hi = d->hi;
    for (int64_t v = lo; v <= hi; v++) {
        if (--q->budget < 0) return true;
        if (solve(q, i + 1, rest + d->coef * v, apart && !(d->key && v != 0))) return true;
    }
    return false;
}

static bool is_number(const Nat *n) { return n->is_const && n->value <= INT32_MAX && n->value >= -INT32_MAX; }

static bool all_numbers(const Digits *q) { return is_number(q->shift) && ALL(i, q->count, is_number(q->d[i].coef)); }

/* A bound that is not a constant is as good as none: indices are below 2^31. */
static int64_t bound(const Nat *n, int64_t otherwise) { return is_number(n) ? n->value : otherwise; }

static void add_numbers(Numbers *q, const Digits *s)
{
    q->n = 0;
    for (int i = 0; i < s->count; i++)
        add_number(q, s->d[i].coef->value, bound(s->d[i].lo, -INT32_MAX), bound(s->d[i].hi, INT32_MAX), s->d[i].key);
}

/* How far the digits reach, when all are there. */
static void find_reach(Numbers *q)
{
    q->reach_lo[q->n] = q->reach_hi[q->n] = 0;
    q->keys[q->n] = false;
    for (int i = q->n - 1; i >= 0; i--) {
        q->reach_lo[i] = q->reach_lo[i + 1] + q->d[i].coef * q->d[i].lo;
        q->reach_hi[i] = q->reach_hi[i + 1] + q->d[i].coef * q->d[i].hi;
        q->keys[i] = q->keys[i + 1] || q->d[i].key;
    }
}

static bool has_solution(Numbers *q, int64_t shift, bool apart)
{
    q->budget = 4000;
    return solve(q, 0, shift, apart);
}

/* Digits of one sign of coefficient: lowest and highest value of their sum; false: a sign is unknown. */
static bool reach(Nats *n, const Digits *q, const Nat **lo, const Nat **hi)
{
    *lo = *hi = q->shift;
    for (int i = 0; i < q->count; i++) {
        const Digit *d = &q->d[i];
        bool up = nat_is_nonneg(n, d->coef);
        if (!up && !nat_is_nonneg(n, nat_sub(n, nat_const(n, 0), d->coef))) return false;
        *lo = nat_add(n, *lo, nat_mul(n, d->coef, up ? d->lo : d->hi));
        *hi = nat_add(n, *hi, nat_mul(n, d->coef, up ? d->hi : d->lo));
    }
    return *lo && *hi;
}

/* Is |low| < s for all its values? */
static bool stays_below(const Digits *low, const Nat *s)
{
    Nats *n = low->n;
    const Nat *lo, *hi;
    if (!low->shift || !reach(n, low, &lo, &hi)) return false;
    return nat_less(n, hi, s) && nat_less(n, nat_sub(n, nat_const(n, 0), s), lo);
}

static int64_t constant_part(const Nat *n)
{
    for (int i = 0; n && i < n->term_count; i++)
        if (!n->terms[i].factor_count && n->terms[i].den == 1) return n->terms[i].num;
    return 0;
}

/* q = s * high + low with |low| < s, which is above 0 then unless nothing moves: both must be 0. */
static bool divide(const Digits *q, const Nat *s, Digits *high, Digits *low)
{
    Nats *n = q->n;
    digits_start(high, q->n, q->facts);
    digits_start(low, q->n, q->facts);
    for (int i = 0; i < q->count; i++) {
        bool whole = nat_divides(n, s, q->d[i].coef, q->facts);
        Digits *to = whole ? high : low;
        to->d[to->count] = q->d[i];
        if (whole) to->d[to->count].coef = nat_exact(n, q->d[i].coef, s);
        if (!to->d[to->count++].coef) return false;
    }
    /* None of it; what s divides but for a number, which stays, for 1/s of a size s that may be 1 is neither 0 nor 1; the remainder that is
     * not negative; the one below. */
    const Nat *number = nat_const(n, nat_divides(n, s, q->shift, q->facts) ? 0 : constant_part(q->shift));
    const Nat *quotient = nat_div(n, q->shift, s, q->facts);
    const Nat *tried[] = {nat_const(n, 0), nat_div(n, nat_sub(n, q->shift, number), s, q->facts), quotient, nat_add(n, quotient, nat_const(n, 1))};
    for (int i = 0; i < COUNT(tried); i++) {
        high->shift = tried[i];
        low->shift = nat_sub(n, q->shift, nat_mul(n, tried[i], s));
        if (stays_below(low, s)) return true;
    }
    return false;
}

static const Nat *size_of(const Digits *q, int i)
{
    const Nat *s = q->d[i].coef;
    if (!s->is_const && !nat_is_nonneg(q->n, s)) s = nat_sub(q->n, nat_const(q->n, 0), s);
    return s && !s->is_const ? s : NULL;
}

static int64_t content(const Nat *n)
{
    int64_t g = 0;
    for (int i = 0; n && i < n->term_count; i++) g = n->terms[i].den == 1 ? gcd64(g, n->terms[i].num) : 1;
    return g;
}

/* What all sizes have in common, 2*M of 250*M and 8*M; NULL: no size. */
static const Nat *common_size(const Digits *q)
{
    Nats *n = q->n;
    const Nat *common = NULL, *s;
    for (int i = 0; i < q->count; i++) {
        if (!(s = size_of(q, i)) || (common && nat_divides(n, common, s, q->facts))) continue;
        const Nat *unit = common ? nat_exact(n, common, nat_const(n, content(common))) : NULL;
        const Nat *times = unit && nat_divides(n, unit, s, q->facts) ? nat_exact(n, s, unit) : NULL;
        if (common && !times) return NULL;
        common = common ? nat_mul(n, unit, nat_const(n, gcd64(content(common), content(times)))) : s;
    }
    return common;
}

static Dependence meet(const Digits *q)
{
    const Nat *lo, *hi, *zero = nat_const(q->n, 0);
    if (all_numbers(q)) {
        Numbers p;
        add_numbers(&p, q);
        find_reach(&p);
        if (has_solution(&p, q->shift->value, true)) return DEPENDENCE_APART;
        return has_solution(&p, q->shift->value, false) ? DEPENDENCE_SAME : DEPENDENCE_NEVER;
    }
    if (reach(q->n, q, &lo, &hi) && (nat_less(q->n, zero, lo) || nat_less(q->n, hi, zero))) return DEPENDENCE_NEVER;
    for (int i = 0; i <= q->count; i++) {
        Digits high, low;
        const Nat *s = i < q->count ? size_of(q, i) : common_size(q);
        if (s && divide(q, s, &high, &low)) {
            Dependence h = meet(&high), l = meet(&low);
            if (h == DEPENDENCE_NEVER || l == DEPENDENCE_NEVER) return DEPENDENCE_NEVER;
            return h == DEPENDENCE_APART || l == DEPENDENCE_APART ? DEPENDENCE_APART : DEPENDENCE_SAME;
        }
    }
    return ANY(i, q->count, q->d[i].key) ? DEPENDENCE_APART : DEPENDENCE_SAME;      /* without a key nothing differs */
}

static void add_digit(Digits *q, const Nat *coef, const Nat *lo, const Nat *hi, bool key)
{
    bool unknown = !lo || !hi || !coef || q->count == DIGIT_MAX;
    if (unknown) q->loose = true;
    else if (!(lo->is_const && hi->is_const && lo->value == 0 && hi->value == 0))
        q->d[q->count++] = (Digit){coef, lo, hi, key};
}

void digits_key(Digits *q, Term1 *x, Term1 *y)
{
    const Nat *one = nat_const(q->n, 1);
    if (!x || !y || x->coef != y->coef || x->var->kind != y->var->kind) {
        q->loose = true;
        return;
    }
    add_digit(q, y->coef, nat_sub(q->n, one, x->extent), nat_sub(q->n, y->extent, one), true);
    x->extent = y->extent = one;
}

/* How many digits of an id the addresses have; 0: they have it whole, or not. */
static int digit_count(const Linear *x, const Linear *y, IdKind id, int d)
{
    int most = 0;
    for (int i = 0; i < x->n + y->n; i++) {
        const VarInfo *v = i < x->n ? x->terms[i].var : y->terms[i - x->n].var;
        if (v && v->kind == VAR_ID && v->id == id && v->dim == d && v->part > most) most = v->part;
    }
    return most;
}

/* An id as a whole, or by its digits. */
static void add_id(Digits *q, Linear *x, Linear *y, IdKind id, int d)
{
    int parts = digit_count(x, y, id, d);
    for (int part = parts > 0; part <= parts; part++) digits_key(q, term_of_id(x, id, d, part), term_of_id(y, id, d, part));
}

void digits_rest(Digits *q, const Linear *x, const Linear *y)
{
    const Nat *zero = nat_const(q->n, 0), *one = nat_const(q->n, 1);
    q->shift = nat_sub(q->n, y->base, x->base);
    for (int i = 0; i < y->n; i++) add_digit(q, y->terms[i].coef, zero, nat_sub(q->n, y->terms[i].extent, one), false);
    for (int i = 0; i < x->n; i++) add_digit(q, x->terms[i].coef, nat_sub(q->n, one, x->terms[i].extent), zero, false);
}

Dependence digits_meet(const Digits *from, int64_t number, int x_width, int y_width)
{
    Digits q = *from;
    Nats *n = from->n;
    if (number) q.shift = nat_add(n, q.shift, nat_const(n, number));
    if (!q.shift) return DEPENDENCE_APART;
    add_digit(&q, nat_const(n, 1), nat_const(n, 1 - x_width), nat_const(n, y_width - 1), false);
    Dependence m = meet(&q);
    return m == DEPENDENCE_SAME && q.loose ? DEPENDENCE_APART : m;
}

/* ---- ids by their digits: l/12, l/4%3 and l%4 in an address are three variables, l is 12*high + 4*middle + low ---- */

static void add_size(Radix *r, int64_t size)
{
    int at = 0;
    while (at < r->n && r->size[at] < size) at++;
    if (r->n < 0 || size < 2 || (at < r->n && r->size[at] == size)) return;
    bool fits = r->n < RADIX_MAX && (!at || size % r->size[at - 1] == 0) && (at == r->n || r->size[at] % size == 0);
    if (!fits) {
        r->n = -1;
        return;
    }
    memmove(r->size + at + 1, r->size + at, sizeof *r->size * (size_t)(r->n++ - at));
    r->size[at] = size;
}

static bool is_id(const Scope *s, const Nat *n, IdKind id, int d)
{
    const NatAtom *v = nat_atom(n);
    const VarInfo *info = v && v->kind == ATOM_VAR ? kernel_var(s->m->k, v) : NULL;
    return info && info->kind == VAR_ID && info->id == id && info->dim == d && !info->part;
}

/* The constants by which the address divides the id of that kind and dimension. */
static void digit_sizes(const Scope *s, const Nat *at, IdKind id, int d, Radix *out)
{
    for (int i = 0; i < at->term_count; i++) {
        for (int f = 0; f < at->terms[i].factor_count; f++) {
            const NatAtom *a = at->terms[i].factors[f].atom;
            if (a->kind == ATOM_VAR) continue;
            const NatAtom *of = a->kind == ATOM_MOD ? nat_atom(a->a) : NULL;
            bool divides = (a->kind == ATOM_DIV || a->kind == ATOM_MOD) && a->b->is_const;
            if (divides && is_id(s, a->a, id, d)) add_size(out, a->b->value);
            else if (divides && of && of->kind == ATOM_DIV && of->b->is_const && is_id(s, of->a, id, d)) {
                add_size(out, of->b->value);
                add_size(out, of->b->value * a->b->value);
            } else digit_sizes(s, a->a, id, d, out);
        }
    }
}

/* The variable as the sum of its digits; NULL: its range does not divide so. */
static const Nat *in_digits(const Scope *s, const NatAtom *var, const VarInfo *info, const Radix *r)
{
    Nats *n = s->m->b->n;
    for (int i = 0; i < s->m->k->splits.n; i++) {
        const IdSplit *made = &s->m->k->splits.v[i];
        if (made->var == var && made->radix.n == r->n && ALL(k, r->n, made->radix.size[k] == r->size[k])) return made->digits;
    }
    int64_t above = var->hi && var->hi->is_const ? var->hi->value : 0;
    if (!above || above % r->size[r->n - 1]) return NULL;
    IdSplit made = {var, *r, nat_const(n, 0)};
    for (int i = r->n - 1; i >= -1; i--) {
        VarInfo digit = *info;
        digit.part = r->n - i;
        int64_t size = i < 0 ? 1 : r->size[i];
        made.digits = nat_add(n, made.digits, nat_mul(n, kernel_index(s->m->b, digit, "digit", nat_const(n, above / size)), nat_const(n, size)));
        above = size;
    }
    vec_push(&s->m->k->splits, made);
    return made.digits;
}

static const Nat *in_digits_of(const Scope *s, const Nat *at, IdKind id, int d, const Radix *r)
{
    LOCAL(drop) NatAtomVec vars = nat_vars_in(at);
    for (int i = 0; i < vars.n && at; i++) {
        const VarInfo *v = kernel_var(s->m->k, vars.v[i]);
        if (!v || v->kind != VAR_ID || v->id != id || v->dim != d || v->part) continue;
        NatBinding to = {vars.v[i], in_digits(s, vars.v[i], v, r)};
        at = to.value ? nat_subst(s->m->b->n, at, &to, 1, s->m->b->facts) : NULL;
    }
    return at;
}

/* Both addresses by digits, where one of them takes an id apart. */
static void split_ids(const Scope *s, const Nat **x, const Nat **y)
{
    for (int i = 0; i < 3 * ID_KINDS; i++) {
        IdKind id = (IdKind)(i / 3);
        int d = i % 3;
        if (s->m->k->id[id][d]->is_const) continue;
        Radix r = {.n = 0};
        digit_sizes(s, *x, id, d, &r);
        digit_sizes(s, *y, id, d, &r);
        const Nat *a = r.n > 0 ? in_digits_of(s, *x, id, d, &r) : NULL, *b = a ? in_digits_of(s, *y, id, d, &r) : NULL;
        if (!a || !b) continue;
        *x = a;
        *y = b;
    }
}

/* ---- pairs ---- */

/* Is there a cell that both touch, for such widths where the numbers differ by so much? width 0: it was not asked. */
typedef struct Answer {
    int64_t number;
    int x_width, y_width;
    bool meet;
} Answer;

/* Two forms in a scope. */
typedef struct PairKey {
    const Form *x, *y;
    const Loops *fixed;
    unsigned moving, required, single;
} PairKey;

typedef struct Pair {                    /* what decides whether they meet at numbers that differ by so much */
    PairKey in;
    bool pinned;                         /* no id decides: one owner */
    bool known;                          /* both are linear: digits say who owns a cell */
    bool asked;                          /* for `gap` */
    int64_t least, most;                 /* gap is known to be within these; no proof was found of a least from */
    int64_t least_open, most_open;       /* least_open on, nor of a most up to most_open */
    const Nat *gap;                      /* y - x when all that may differ does; NULL: unknown */
    const Digits *digits;                /* where known */
    struct Ready *ready;                 /* the same for the widths asked for last; NULL: not asked, or not all are numbers */
    Answer recent[32];                   /* given last */
} Pair;

static bool needs_id(const Scope *s, unsigned single, IdKind id, int d)
{
    return (s->required >> id & 1u) && !s->m->k->id[id][d]->is_const && !(single & 1u << (3 * id + d));
}

/* The only factor in which the variable occurs; NULL: there is none, or several. */
static const NatAtom *only_factor(const Nat *at, const NatAtom *var)
{
    const NatAtom *only = NULL;
    for (int i = 0; i < at->term_count; i++)
        for (int f = 0; f < at->terms[i].factor_count; f++) {
            const NatAtom *a = at->terms[i].factors[f].atom;
            if (a == only || !atom_mentions(a, var)) continue;
            if (only) return NULL;
            only = a;
        }
    return only;
}

/* Is it made of ids alone, all of which must come out equal? */
static bool of_keys(const Scope *s, const Nat *n, unsigned single)
{
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    bool yes = true;
    for (int i = 0; i < vars.n && yes; i++) {
        const VarInfo *v = kernel_var(s->m->k, vars.v[i]);
        yes = v && v->kind == VAR_ID && !v->part && needs_id(s, single, v->id, v->dim);
    }
    return yes;
}

/* The variable, an id, in `at`, which has it as (var + rest) % extent alone; NULL: it does not. */
static const Nat *wrapped_rest(const Scope *s, const Nat *at, const NatAtom *var, unsigned single)
{
    const NatAtom *a = only_factor(at, var);
    if (!a || a->kind != ATOM_MOD || a->b != var->hi || index_step(a->a, var) != 1) return NULL;
    const Nat *rest = at_value(s->m->b, a->a, var, 0);
    return rest && of_keys(s, rest, single) ? rest : NULL;
}

/* An id that an address has as (id + rest) % extent, rest of other ids, goes round: where those are equal, ids are equal where these
 * numbers are. They are its digits, then. */
static void unwrap_ids(const Scope *s, const Nat **x, const Nat **y, unsigned single)
{
    Build *b = s->m->b;
    for (int i = 0; i < 3 * ID_KINDS && !s->step; i++) {
        IdKind id = (IdKind)(i / 3);
        const Nat *self = s->m->k->id[id][i % 3];
        if (!(s->moving >> id & 1u) || !needs_id(s, single, id, i % 3)) continue;
        const NatAtom *var = nat_atom(self);
        const Nat *rest = wrapped_rest(s, *x, var, single);
        if (!rest || rest != wrapped_rest(s, *y, var, single)) continue;
        const Nat *round = kernel_index(b, *kernel_var(s->m->k, var), "round", var->hi);
        NatBinding to = {var, nat_sub(b->n, round, rest)};
        const Nat *p = to.value ? nat_subst(b->n, *x, &to, 1, b->facts) : NULL, *q = p ? nat_subst(b->n, *y, &to, 1, b->facts) : NULL;
        if (p && q) *x = p, *y = q;
    }
}

static void fill_pair(const Scope *s, Pair *p)
{
    Linear a, b;
    p->pinned = true;
    for (int id = 0; id < ID_KINDS; id++)
        for (int d = 0; d < 3; d++) p->pinned = p->pinned && !needs_id(s, p->in.single, (IdKind)id, d);
    if (p->pinned || !p->in.x->rest || !p->in.y->rest) return;
    const Nat *x = p->in.x->rest, *y = p->in.y->rest;
    split_ids(s, &x, &y);
    unwrap_ids(s, &x, &y, p->in.single);
    linear_copy(linear_of(s, x), &a);
    linear_copy(linear_of(s, y), &b);
    p->known = a.ok && b.ok;
    if (!p->known) return;
    Digits *q = arena_raw(s->m->b->arena, sizeof *q);
    digits_start(q, s->m->b->n, s->m->b->facts);
    for (int id = 0; id < ID_KINDS; id++)
        for (int d = 0; d < 3; d++)
            if (needs_id(s, p->in.single, (IdKind)id, d)) add_id(q, &a, &b, (IdKind)id, d);
    digits_rest(q, &a, &b);
    p->digits = q;
}

static bool same_pair(const void *key, const void *item)
{
    const PairKey *p = key, *q = &((const Pair *)item)->in;
    return p->x == q->x && p->y == q->y && p->fixed == q->fixed && p->moving == q->moving && p->required == q->required &&
           p->single == q->single;
}

static Pair *pair_of(const Scope *s, const Form *x, const Form *y, unsigned single)
{
    DependenceTests *m = s->m;
    PairKey key = {x, y, s->fixed, s->moving, s->required, single};
    if (m->last && same_pair(&key, m->last)) return m->last;
    uint64_t h = hash_mix((uint64_t)x->id << 32 | (uint64_t)y->id, (uint64_t)s->moving << 16 | single);
    h = hash_mix(h, s->fixed ? s->fixed->var->id : 0);
    Pair *p = ptr_table_find(&m->pairs, h, same_pair, &key);
    if (!p) {
        p = MAKE(m->b->arena, Pair, .in = key, .least = INT64_MIN, .most = INT64_MAX, .least_open = INT64_MAX, .most_open = INT64_MIN);
        fill_pair(s, p);
        ptr_table_add(&m->pairs, h, p);
    }
    return m->last = p;
}

/* An address with everything that may differ renamed. */
static const Nat *renamed(const Scope *s, const Nat *at)
{
    Build *b = s->m->b;
    NatBinding map[MOVING_MAX];
    int n = 0;
    LOCAL(drop) NatAtomVec vars = nat_vars_in(at);
    for (int i = 0; i < vars.n && n < MOVING_MAX; i++) {
        if (!is_moving(s, vars.v[i], kernel_var(s->m->k, vars.v[i])) || !vars.v[i]->hi) continue;
        const Nat *most = kernel_upper_bound(b, vars.v[i]->hi);       /* not what bounds it here: that may differ as well */
        map[n].var = vars.v[i];
        map[n++].value = nat_fresh_index(b->n, "other", most ? most : nat_const(b->n, INT32_MAX));
    }
    return n ? nat_subst(b->n, at, map, n, b->facts) : at;
}

/* The bounds of a sum of numbers times variables of their own; false: it is another sum. */
static bool bounds_of(const Nat *n, int64_t *lo, int64_t *hi)
{
    *lo = *hi = 0;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        const NatAtom *a = t->factor_count == 1 && t->factors[0].exp == 1 ? t->factors[0].atom : NULL;
        int64_t most;
        if (t->den != 1 || (t->factor_count && !a)) return false;
        if (a && (a->kind != ATOM_VAR || a->var != VAR_INDEX || !a->hi || !is_number(a->hi))) return false;
        if (!mul_ok(t->num, a ? a->hi->value - 1 : 1, &most)) return false;
        if (!add_ok(t->num < 0 || !a ? *lo : *hi, most, t->num < 0 || !a ? lo : hi)) return false;
        if (!a) *hi += most;
    }
    return true;
}

/* Is no cell of the one ever one of the other's, by the bounds of their difference? */
static bool out_of_reach(const Pair *p, int64_t number, int x_width, int y_width)
{
    return x_width - number <= p->least || p->most <= -number - y_width;
}

/* Is no cell of the one ever one of the other's? number: y's less x's. */
static bool disjoint(const Scope *s, Pair *p, int64_t number, int x_width, int y_width)
{
    Nats *n = s->m->b->n;
    int64_t least = x_width - number, most = -number - y_width, lo, hi;
    if (!p->asked && p->in.x->rest && p->in.y->rest) p->gap = nat_sub(n, renamed(s, p->in.y->rest), p->in.x->rest);
    if (!p->asked && p->gap && bounds_of(p->gap, &lo, &hi)) p->least = lo, p->least_open = lo + 1, p->most = hi, p->most_open = hi - 1;
    p->asked = true;
    if (p->gap && least > p->least && least < p->least_open) *(nat_less_eq(n, nat_const(n, least), p->gap) ? &p->least : &p->least_open) = least;
    if (p->gap && most < p->most && most > p->most_open) *(nat_less_eq(n, p->gap, nat_const(n, most)) ? &p->most : &p->most_open) = most;
    return out_of_reach(p, number, x_width, y_width);
}

/* The digits of a pair as numbers, for accesses of those widths. */
typedef struct Ready {
    int x_width, y_width;
    bool exact;                          /* a solution is a cell that both touch: nothing can say that there is none */
    Numbers numbers;
} Ready;

static Ready *ready_numbers(const Scope *s, Pair *p, int x_width, int y_width)
{
    Ready *r = p->ready;
    if (r && r->x_width == x_width && r->y_width == y_width) return r;
    if (!p->digits->shift || p->digits->count == DIGIT_MAX || !all_numbers(p->digits)) return NULL;
    if (!r) r = p->ready = arena_raw(s->m->b->arena, sizeof *r);
    r->x_width = x_width;
    r->y_width = y_width;
    r->exact = !p->digits->loose && ALL(i, p->digits->count, is_number(p->digits->d[i].lo) && is_number(p->digits->d[i].hi));
    add_numbers(&r->numbers, p->digits);
    add_number(&r->numbers, 1, 1 - x_width, y_width - 1, false);
    find_reach(&r->numbers);
    return r;
}

/* As digits_meet says, for all that is asked of one pair. sure: nothing else need be asked. */
static bool may_be_apart(const Scope *s, Pair *p, const Answer *a, bool *sure)
{
    Ready *r = ready_numbers(s, p, a->x_width, a->y_width);
    int64_t shift = r ? p->digits->shift->value + a->number : 0;
    if (!r || shift > INT32_MAX || shift < -INT32_MAX)
        return digits_meet(p->digits, a->number, a->x_width, a->y_width) == DEPENDENCE_APART;
    if (has_solution(&r->numbers, shift, true)) return *sure = r->exact && r->numbers.budget >= 0, true;
    return p->digits->loose && has_solution(&r->numbers, shift, false);
}

bool spots_meet(const Scope *s, const Spot *x, const Spot *y, unsigned single)
{
    Pair *p = pair_of(s, x->form, y->form, single);
    int64_t number = y->at - x->at;
    if (p->pinned || out_of_reach(p, number, x->width, y->width)) return false;
    Answer *a = &p->recent[(uint64_t)number * 0x9e3779b97f4a7c15u >> 59];
    if (a->number != number || a->x_width != x->width || a->y_width != y->width) {
        bool sure = false;
        *a = (Answer){number, x->width, y->width, false};
        if (!p->known || may_be_apart(s, p, a, &sure)) a->meet = sure || !disjoint(s, p, number, x->width, y->width);
    }
    return a->meet;
}

#include "kernel.h"

#include <stdlib.h>

/* Which work-item touches which cell, and where that needs a barrier. Whatever cannot be proved is taken to clash. */

typedef struct Loops { const NatAtom *var; struct Loops *up; } Loops;

typedef struct Linear Linear;
typedef struct Access {
    const Place *p;
    bool write;
    unsigned single;                     /* ids that a guard pins to 0: bit 3 * kind + dim */
    int position;                        /* statement, in program order */
    const Loops *loops;
    const Linear *linear;                /* for `linear_for`: NULL when its address is not linear */
    const void *linear_for;
} Access;
typedef VEC(Access) Accesses;

typedef struct Walk {
    Build *b;
    Kernel *k;
    Loops *loops;
    unsigned single;
    int position;
    Accesses *out;
    bool all;                            /* private buffers too */
    int tag;                             /* only reads through that accumulation, and writes; 0: everything */
} Walk;

static const NatAtom *atom_of(const Nat *var) { return var->term_count ? var->terms[0].factors[0].atom : NULL; }

/* ---- collecting ---- */

static bool is_shared(const Buffer *buf)
{
    return buf->space == SPACE_LOCAL || (buf->space == SPACE_GLOBAL && !buf->read_only);
}

static bool is_known(const Walk *w, const Access *a)
{
    for (int i = w->out->n - 1; i >= 0 && i >= w->out->n - 64; i--) {
        const Access *o = &w->out->v[i];
        bool same_cells = o->p->buf == a->p->buf && o->p->at == a->p->at && o->p->width == a->p->width;
        if (same_cells && o->write == a->write && o->single == a->single) return true;
    }
    return false;
}

static void see(void *data, const Place *p, bool write, const Stmt *s)
{
    Walk *w = data;
    (void)s;
    if (w->tag && !write && p->tag != w->tag) return;
    Access a = {.p = p, .write = write, .single = w->single, .position = w->position, .loops = w->loops};
    if (!w->all && (!is_shared(p->buf) || is_known(w, &a))) return;
    vec_push(w->out, a);
}

static void collect_block(Walk *w, const Stmt *s, const Stmt *end);

static void collect_stmt(Walk *w, const Stmt *s)
{
    Loops here = {s->kind == S_FOR ? atom_of(s->var) : NULL, w->loops};
    unsigned single = w->single;
    w->position++;
    stmt_places(s, see, w);
    if (s->kind == S_IF && s->single) w->single |= (unsigned)s->limit->value;
    if (here.var) {
        Loops *kept = NEW(w->b->arena, Loops);
        *kept = here;
        w->loops = kept;
    }
    collect_block(w, s->body.first, NULL);
    collect_block(w, s->other.first, NULL);
    w->loops = here.up;
    w->single = single;
}

static void collect_block(Walk *w, const Stmt *s, const Stmt *end)
{
    for (; s != end; s = s->next) collect_stmt(w, s);
}

/* ---- who owns a cell ---- */

typedef struct Term1 { const Nat *coef, *extent; const VarInfo *var; } Term1;
enum { MOVING_MAX = 24 };
struct Linear {                          /* at = base + sum of coef * var over what may differ between two accesses */
    const Nat *base;
    int n;
    Term1 terms[MOVING_MAX];
};

typedef struct Scope {
    Build *b;
    Kernel *k;
    const Loops *fixed;                  /* loops whose variables are the same for both accesses */
    unsigned moving;                     /* id kinds that differ, as bits */
    unsigned required;                   /* id kinds that must come out equal */
    bool step;                           /* within one step of a fold: only the loops `inside` differ */
    const Loops *inside;
    const NatAtom *carried;              /* the second access is in the next round of that loop; NULL: in the same round of `fixed` */
} Scope;

static bool is_loop_of(const Loops *l, const NatAtom *var)
{
    for (; l; l = l->up)
        if (l->var == var) return true;
    return false;
}

static bool is_moving(const Scope *s, const NatAtom *atom, const VarInfo *v)
{
    if (!v) return atom->var == VAR_INDEX;
    if (s->step) return v->kind == VAR_OPAQUE || is_loop_of(s->inside, atom);
    if (v->kind == VAR_ID) return s->moving >> v->id & 1u;
    if (v->kind == VAR_STRIDED && s->moving >> ID_LOCAL & 1u) return true;       /* l + L*j: the same round is not the same l */
    return v->kind == VAR_OPAQUE || !is_loop_of(s->fixed, atom);
}

/* Is every term of n that has the variable some number times its first power? */
static bool is_first_power(const Nat *n, const NatAtom *var)
{
    for (int k = 0; k < n->term_count; k++) {
        for (int f = 0; f < n->terms[k].factor_count; f++) {
            const NatAtom *a = n->terms[k].factors[f].atom;
            if (a->kind != ATOM_VAR && nat_mentions(a->a, var)) return false;
        }
    }
    return true;
}

static const Nat *at_value(const Scope *s, const Nat *n, const NatAtom *var, int64_t v)
{
    NatBinding to = {var, nat_const(s->b->n, v)};
    return nat_subst(s->b->n, n, &to, 1, s->b->facts);
}

/* Take coef * var out of *base. */
static bool take_out(const Scope *s, const Nat **base, const NatAtom *var, const Nat **coef)
{
    Nats *n = s->b->n;
    const Nat *rest = at_value(s, *base, var, 0), *self = nat_sub(n, *base, rest);
    const Nat *twice = nat_sub(n, at_value(s, *base, var, 2), rest);
    *coef = nat_sub(n, at_value(s, *base, var, 1), rest);
    *base = rest;
    if (!*coef || !self || twice != nat_mul(n, *coef, nat_const(n, 2))) return false;
    return !nat_mentions(*coef, var) && !nat_mentions(rest, var) && is_first_power(self, var);
}

/* False: not linear in what moves, or what moves is unknown. */
static bool linearise(const Scope *s, const Nat *at, Linear *out)
{
    NatAtomVec vars = {0};
    bool ok = true;
    out->base = at;
    out->n = 0;
    nat_vars(at, &vars);
    for (int i = 0; i < vars.n && ok; i++) {
        const VarInfo *v = kernel_var(s->k, vars.v[i]);
        if (!is_moving(s, vars.v[i], v)) continue;
        ok = v && v->kind != VAR_OPAQUE && out->n < MOVING_MAX && vars.v[i]->hi;
        if (!ok) break;
        const Nat *coef;
        ok = take_out(s, &out->base, vars.v[i], &coef);
        out->terms[out->n++] = (Term1){coef, vars.v[i]->hi, v};
    }
    free(vars.v);
    return ok;
}

static void copy_linear(Linear *to, const Linear *from)
{
    to->base = from->base;
    to->n = from->n;
    for (int i = 0; i < from->n; i++) to->terms[i] = from->terms[i];
}

static const Linear *keep_linear(Build *b, const Linear *from)
{
    Linear *kept = NEW(b->arena, Linear);
    copy_linear(kept, from);
    return kept;
}

/* The same, kept with the access as long as the scope lasts. */
static bool linear_of(const Scope *s, Access *a, Linear *out)
{
    const void *key = s->fixed ? (const void *)s->fixed : (const void *)s->k;
    if (a->linear_for != key) {
        a->linear_for = key;
        a->linear = linearise(s, a->p->at, out) ? keep_linear(s->b, out) : NULL;
    }
    if (a->linear) copy_linear(out, a->linear);
    return a->linear != NULL;
}

static Term1 *term_of_id(Linear *l, IdKind id, int dim, VarPart part)
{
    for (int i = 0; i < l->n; i++) {
        const VarInfo *v = l->terms[i].var;
        bool of_id = v && ((v->kind == VAR_ID && v->id == id) || (v->kind == VAR_STRIDED && id == ID_LOCAL));
        if (of_id && v->dim == dim && v->part == part) return &l->terms[i];
    }
    return NULL;
}

static bool is_pinned(const Access *x, const Access *y, IdKind id, int d)
{
    return x->single & y->single & 1u << (3 * id + d);
}

/* ---- do two accesses meet: 0 = shift + sum of coef * d with lo <= d <= hi ----
 *
 * A digit is what one variable of either access contributes, or the difference of a variable that both have. `key`
 * digits are differences that decide: accesses that meet only where these are 0 come from the same owner (or iteration). */

typedef enum Meet { MEET_NEVER, MEET_SAME, MEET_APART } Meet;    /* APART: some key differs, or nothing is known */

typedef struct Digit { const Nat *coef, *lo, *hi; bool key; } Digit;
enum { DIGIT_MAX = 3 * MOVING_MAX };
typedef struct Digits {
    Nats *n;
    const NatFacts *facts;
    const Nat *shift;
    bool loose;                          /* some key is free: any solution is a clash */
    int count;
    Digit d[DIGIT_MAX];
} Digits;

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

static bool all_numbers(const Digits *q)
{
    bool ok = is_number(q->shift);
    for (int i = 0; i < q->count; i++) ok = ok && is_number(q->d[i].coef);
    return ok;
}

/* A bound that is not a constant is as good as none: indices are below 2^31. */
static int64_t bound(const Nat *n, int64_t otherwise) { return is_number(n) ? n->value : otherwise; }

static Meet meet_numbers(const Digits *s)
{
    Numbers q = {.budget = 4000};
    for (int i = 0; i < s->count; i++)
        add_number(&q, s->d[i].coef->value, bound(s->d[i].lo, -INT32_MAX), bound(s->d[i].hi, INT32_MAX), s->d[i].key);
    for (int i = q.n - 1; i >= 0; i--) {
        q.reach_lo[i] = q.reach_lo[i + 1] + q.d[i].coef * q.d[i].lo;
        q.reach_hi[i] = q.reach_hi[i + 1] + q.d[i].coef * q.d[i].hi;
        q.keys[i] = q.keys[i + 1] || q.d[i].key;
    }
    if (solve(&q, 0, s->shift->value, true)) return MEET_APART;
    q.budget = 4000;
    return solve(&q, 0, s->shift->value, false) ? MEET_SAME : MEET_NEVER;
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

/* q = s * high + low with |low| < s: both must be 0. */
static bool divide(const Digits *q, const Nat *s, Digits *high, Digits *low)
{
    Nats *n = q->n;
    *high = *low = (Digits){.n = n, .facts = q->facts};
    for (int i = 0; i < q->count; i++) {
        bool whole = nat_divides(n, s, q->d[i].coef, q->facts);
        Digits *to = whole ? high : low;
        to->d[to->count] = q->d[i];
        if (whole) to->d[to->count].coef = nat_exact(n, q->d[i].coef, s);
        if (!to->d[to->count++].coef) return false;
    }
    high->shift = nat_div(n, q->shift, s, q->facts);
    low->shift = nat_sub(n, q->shift, nat_mul(n, high->shift, s));
    if (stays_below(low, s)) return true;
    high->shift = nat_add(n, high->shift, nat_const(n, 1));         /* the remainder nearer to 0 from below */
    low->shift = nat_sub(n, low->shift, s);
    return stays_below(low, s);
}

static Meet meet(const Digits *q);

static Meet meet_parts(const Digits *high, const Digits *low)
{
    Meet h = meet(high), l = meet(low);
    if (h == MEET_NEVER || l == MEET_NEVER) return MEET_NEVER;
    return h == MEET_APART || l == MEET_APART ? MEET_APART : MEET_SAME;
}

static Meet meet(const Digits *q)
{
    const Nat *lo, *hi, *zero = nat_const(q->n, 0);
    if (all_numbers(q)) return meet_numbers(q);
    if (reach(q->n, q, &lo, &hi) && (nat_less(q->n, zero, lo) || nat_less(q->n, hi, zero))) return MEET_NEVER;
    for (int i = 0; i < q->count; i++) {
        Digits high, low;
        const Nat *s = q->d[i].coef;
        if (s->is_const) continue;
        if (!nat_is_nonneg(q->n, s)) s = nat_sub(q->n, zero, s);
        if (s && nat_less(q->n, zero, s) && divide(q, s, &high, &low)) return meet_parts(&high, &low);
    }
    return MEET_APART;
}

static void add_digit(Digits *q, const Nat *coef, const Nat *lo, const Nat *hi, bool key)
{
    bool unknown = !lo || !hi || !coef || q->count == DIGIT_MAX;
    if (unknown) q->loose = true;
    else if (!(lo->is_const && hi->is_const && lo->value == 0 && hi->value == 0))
        q->d[q->count++] = (Digit){coef, lo, hi, key};
}

/* The difference of a key variable; NULL: one access does not have it. Each digit runs to its own extent. */
static void add_key(Digits *q, Term1 *x, Term1 *y)
{
    const Nat *one = nat_const(q->n, 1);
    if (!x || !y || x->coef != y->coef || x->var->kind != y->var->kind) {
        q->loose = true;
        return;
    }
    add_digit(q, y->coef, nat_sub(q->n, one, x->extent), nat_sub(q->n, y->extent, one), true);
    x->extent = y->extent = one;
}

/* An id as a whole, or by its digits. */
static void add_id(Digits *q, Linear *x, Linear *y, IdKind id, int d)
{
    bool parts = false;
    for (int part = PART_HIGH; part <= PART_LOW; part++) {
        Term1 *a = term_of_id(x, id, d, (VarPart)part), *b = term_of_id(y, id, d, (VarPart)part);
        parts = parts || a || b;
    }
    for (int part = parts ? PART_HIGH : PART_WHOLE; part <= (parts ? PART_LOW : PART_WHOLE); part++)
        add_key(q, term_of_id(x, id, d, (VarPart)part), term_of_id(y, id, d, (VarPart)part));
}

static void add_rest(Digits *q, const Linear *l, bool minus)
{
    const Nat *zero = nat_const(q->n, 0);
    for (int i = 0; i < l->n; i++) {
        const Nat *most = nat_sub(q->n, l->terms[i].extent, nat_const(q->n, 1)), *least = nat_sub(q->n, zero, most);
        add_digit(q, l->terms[i].coef, minus ? least : zero, minus ? zero : most, false);
    }
}

/* Keys are in q; the remaining variables move by themselves. */
static Meet meet_accesses(Digits *q, const Linear *x, const Linear *y, int x_width, int y_width)
{
    q->shift = nat_sub(q->n, y->base, x->base);
    if (!q->shift) return MEET_APART;
    add_rest(q, y, false);
    add_rest(q, x, true);
    add_digit(q, nat_const(q->n, 1), nat_const(q->n, 1 - x_width), nat_const(q->n, y_width - 1), false);
    Meet m = meet(q);
    return m == MEET_SAME && q->loose ? MEET_APART : m;
}

static bool needs_id(const Scope *s, const Access *x, const Access *y, IdKind id, int d)
{
    return (s->required >> id & 1u) && !s->k->id[id][d]->is_const && !is_pinned(x, y, id, d);
}

/* ---- ids by their digits: l/4 and l%4 in an address are two variables, l is 4*high + low ---- */

/* The constant by which the address divides the local id of dimension d: 0 none, -1 several. */
static int64_t digit_size(const Scope *s, const Nat *at, int d, int64_t size)
{
    for (int i = 0; i < at->term_count; i++) {
        for (int f = 0; f < at->terms[i].factor_count; f++) {
            const NatAtom *a = at->terms[i].factors[f].atom;
            if (a->kind == ATOM_VAR) continue;
            const NatAtom *v = atom_of(a->a);
            const VarInfo *info = v && v->kind == ATOM_VAR ? kernel_var(s->k, v) : NULL;
            bool digit = (a->kind == ATOM_DIV || a->kind == ATOM_MOD) && a->b->is_const && info && info->kind == VAR_ID &&
                         info->id == ID_LOCAL && info->dim == d && !info->part && a->a->term_count == 1 &&
                         a->a->terms[0].factor_count == 1 && a->a->terms[0].num == 1;
            if (digit) size = size == 0 || size == a->b->value ? a->b->value : -1;
            else size = digit_size(s, a->a, d, size);
        }
    }
    return size;
}

/* The variable as size*high + low; NULL: its range does not divide so. */
static const Nat *in_digits(const Scope *s, const NatAtom *var, const VarInfo *info, int64_t size)
{
    Nats *n = s->b->n;
    for (int i = 0; i < s->k->splits.n; i++)
        if (s->k->splits.v[i].var == var && s->k->splits.v[i].size == size) return s->k->splits.v[i].digits;
    if (!var->hi || !var->hi->is_const || var->hi->value % size) return NULL;
    VarInfo high = *info, low = *info;
    high.part = PART_HIGH;
    low.part = PART_LOW;
    const Nat *h = kernel_index(s->b, high, "high", nat_const(n, var->hi->value / size));
    const Nat *l = kernel_index(s->b, low, "low", nat_const(n, size));
    IdSplit made = {var, size, nat_add(n, nat_mul(n, h, nat_const(n, size)), l)};
    vec_push(&s->k->splits, made);
    return made.digits;
}

static bool rewrite_digits(const Scope *s, Access *a, int d, int64_t size)
{
    NatAtomVec vars = {0};
    Place *p = NEW(s->b->arena, Place);
    bool ok = true;
    *p = *a->p;
    nat_vars(a->p->at, &vars);
    for (int i = 0; i < vars.n && ok; i++) {
        const VarInfo *v = kernel_var(s->k, vars.v[i]);
        if (!v || v->kind != VAR_ID || v->id != ID_LOCAL || v->dim != d || v->part) continue;
        NatBinding to = {vars.v[i], in_digits(s, vars.v[i], v, size)};
        p->at = to.value ? nat_subst(s->b->n, p->at, &to, 1, s->b->facts) : NULL;
        ok = p->at != NULL;
    }
    free(vars.v);
    a->p = p;
    a->linear_for = NULL;
    return ok;
}

/* Both addresses by digits, where one of them takes an id apart. */
static void split_ids(const Scope *s, Access **x, Access **y, Access made[2])
{
    for (int d = 0; d < 3; d++) {
        int64_t size = digit_size(s, (*y)->p->at, d, digit_size(s, (*x)->p->at, d, 0));
        Access a = **x, b = **y;
        if (size <= 1 || !rewrite_digits(s, &a, d, size) || !rewrite_digits(s, &b, d, size)) continue;
        made[0] = a;
        made[1] = b;
        *x = &made[0];
        *y = &made[1];
    }
}

/* Do two accesses to one cell always come from the same ids? */
static bool same_owner(const Scope *s, Access *x, Access *y)
{
    Linear a, b;
    Access made[2];
    Digits q = {.n = s->b->n, .facts = s->b->facts};
    bool pinned = true;
    for (int id = 0; id < ID_KINDS; id++)
        for (int d = 0; d < 3; d++) pinned = pinned && !needs_id(s, x, y, (IdKind)id, d);
    if (pinned) return true;
    split_ids(s, &x, &y, made);
    if (!linear_of(s, x, &a) || !linear_of(s, y, &b)) return false;
    for (int id = 0; id < ID_KINDS; id++)
        for (int d = 0; d < 3; d++)
            if (needs_id(s, x, y, (IdKind)id, d)) add_id(&q, &a, &b, (IdKind)id, d);
    return meet_accesses(&q, &a, &b, x->p->width, y->p->width) != MEET_APART;
}

/* y's address with everything that may differ renamed. */
static const Nat *renamed(const Scope *s, const Nat *at)
{
    NatAtomVec vars = {0};
    NatBinding map[MOVING_MAX];
    int n = 0;
    nat_vars(at, &vars);
    for (int i = 0; i < vars.n && n < MOVING_MAX; i++) {
        if (!is_moving(s, vars.v[i], kernel_var(s->k, vars.v[i])) || !vars.v[i]->hi) continue;
        map[n].var = vars.v[i];
        map[n++].value = nat_fresh_index(s->b->n, "other", vars.v[i]->hi);
    }
    free(vars.v);
    return n ? nat_subst(s->b->n, at, map, n, s->b->facts) : at;
}

static bool disjoint(const Scope *s, const Access *x, const Access *y)
{
    Nats *n = s->b->n;
    const Nat *a = x->p->at, *b = renamed(s, y->p->at);
    const Nat *a_end = nat_add(n, a, nat_const(n, x->p->width)), *b_end = nat_add(n, b, nat_const(n, y->p->width));
    return (b && nat_less_eq(n, a_end, b)) || (b_end && nat_less_eq(n, b_end, a));
}

static bool may_meet(const Scope *s, Access *x, Access *y) { return !same_owner(s, x, y) && !disjoint(s, x, y); }

/* The access in a round of that parity. */
static Access in_round(const Scope *s, const Access *a, const NatAtom *var, int64_t parity)
{
    Place *p = NEW(s->b->arena, Place);
    Access r = *a;
    *p = *a->p;
    p->at = at_value(s, a->p->at, var, parity);
    r.p = p;
    r.linear_for = NULL;
    return r;
}

/* Two halves of a buffer taken in turn: whatever the parity, in the same round or from one round to the next. */
static bool meet_in_turn(const Scope *s, const Access *x, const Access *y, const NatAtom *var)
{
    for (int parity = 0; parity < 2; parity++) {
        Access a = in_round(s, x, var, parity), b = in_round(s, y, var, parity + (s->carried == var));
        if (may_meet(s, &a, &b)) return true;
    }
    return false;
}

static bool clash(const Scope *s, Access *x, Access *y)
{
    if (x->p->buf != y->p->buf || (!x->write && !y->write)) return false;
    const NatAtom *turn = x->p->buf->turn;
    bool known = turn && is_loop_of(x->loops, turn) && is_loop_of(y->loops, turn);
    if (known && (s->carried == turn || is_loop_of(s->fixed, turn))) return meet_in_turn(s, x, y, turn);
    return may_meet(s, x, y);
}

/* ---- inserting ---- */

typedef struct Insert {
    Build *b;
    Kernel *k;
    Walk walk;
    bool fence_local, fence_global;      /* what work-items share: every barrier orders it, since it ends all that came before */
    bool failed;
} Insert;

/* What a block leaves behind: accesses before its first and after its last barrier (the same ones when it has none). */
typedef struct Ends { Accesses head, tail; bool barrier; } Ends;

static Accesses accesses_of(Insert *in, const Stmt *s, const Stmt *end)
{
    Accesses a = {0};
    in->walk.out = &a;
    for (; s != end; s = s->next) collect_stmt(&in->walk, s);
    in->walk.out = NULL;
    return a;
}

static Scope scope_at(Insert *in, const Loops *fixed)
{
    return (Scope){.b = in->b, .k = in->k, .fixed = fixed, .moving = 1u << ID_LOCAL, .required = 1u << ID_LOCAL};
}

static const Access *find_clash(const Scope *s, const Accesses *x, const Accesses *y)
{
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n; j++)
            if (clash(s, &x->v[i], &y->v[j])) return &x->v[i];
    return NULL;
}

static void append(Accesses *to, const Accesses *from)
{
    for (int i = 0; i < from->n; i++) vec_push(to, from->v[i]);
}

static void put_barrier(Insert *in, Block *blk, Stmt *before, const Buffer *buf)
{
    Stmt *s = NEW(in->b->arena, Stmt);
    s->kind = S_BARRIER;
    s->local_fence = in->fence_local || buf->space == SPACE_LOCAL;
    s->global_fence = in->fence_global || buf->space == SPACE_GLOBAL;
    s->next = before;
    in->k->barriers++;
    if (blk->first == before) {
        blk->first = s;
        return;
    }
    Stmt *prev = blk->first, *ahead = NULL;
    for (; prev->next != before; prev = prev->next) ahead = prev;
    if (prev->kind == S_ALLOC && prev->buf == before->place.buf) {     /* keep a declaration with its value */
        s->next = prev;
        if (ahead) ahead->next = s;
        else blk->first = s;
        return;
    }
    prev->next = s;
}

static void need(Insert *in, Block *blk, Stmt *before, bool uniform, const Accesses *x, const Accesses *y,
                 const Scope *s)
{
    const Access *a = find_clash(s, x, y);
    if (!uniform) {
        in->failed = true;
        build_fail(in->b, E53, in->k->root, "%s %s is shared by work-items that do not all come this way: a barrier "
                   "would stand in non-uniform control flow", space_name(a->p->buf->space), a->p->buf->name);
        return;
    }
    put_barrier(in, blk, before, a->p->buf);
}

/* One statement may not read what another work-item writes in it. */
static void check_store(Insert *in, const Stmt *st, Accesses *a, const Loops *fixed)
{
    Scope s = scope_at(in, fixed);
    Access *w = NULL;
    if (st->kind != S_STORE) return;
    for (int i = 0; i < a->n; i++)
        if (a->v[i].write) w = &a->v[i];
    for (int i = 0; w && i < a->n; i++) {
        if (a->v[i].write || !clash(&s, &a->v[i], w)) continue;
        in->failed = true;
        build_fail(in->b, E53, in->k->root, "%s is read by one work-item while another writes it; write the new values to "
                   "a second array", w->p->buf->name);
    }
}

static Ends insert_block(Insert *in, Block *blk, bool uniform);

static Ends insert_inner(Insert *in, Stmt *s, bool uniform)
{
    Loops *outer = in->walk.loops;
    unsigned single = in->walk.single;
    if (s->kind == S_FOR && atom_of(s->var)) {
        Loops *l = NEW(in->b->arena, Loops);
        *l = (Loops){atom_of(s->var), outer};
        in->walk.loops = l;
    }
    if (s->single) in->walk.single |= (unsigned)s->limit->value;
    Ends e = insert_block(in, &s->body, uniform && s->uniform);
    if (s->other.first) {
        Ends o = insert_block(in, &s->other, uniform && s->uniform);
        append(&e.head, &o.head);
        append(&e.tail, &o.tail);
        e.barrier |= o.barrier;
        free(o.head.v);
        free(o.tail.v);
    }
    in->walk.loops = outer;
    in->walk.single = single;
    return e;
}

/* From one iteration to the next: before the first statement of the body that clashes with its end. */
static void insert_carried(Insert *in, Stmt *loop, Ends *e, bool uniform)
{
    Scope s = scope_at(in, in->walk.loops);
    if (e->barrier) s.carried = atom_of(loop->var);            /* without one, any two rounds follow each other directly */
    if (!find_clash(&s, &e->tail, &e->head)) return;
    Loops l = {atom_of(loop->var), in->walk.loops};
    for (Stmt *st = loop->body.first; st; st = st->next) {
        if (st->kind == S_BARRIER) break;
        in->walk.loops = &l;
        Accesses a = accesses_of(in, st, st->next);
        in->walk.loops = l.up;
        bool here = find_clash(&s, &e->tail, &a) != NULL;
        if (here) need(in, &loop->body, st, uniform && loop->uniform, &e->tail, &a, &s);
        free(a.v);
        if (here) break;
    }
    e->barrier = true;
}

/* A barrier before st: what came before it no longer matters to what follows. */
static void close_tail(Insert *in, Block *blk, Stmt *st, bool uniform, const Accesses *a, Ends *e)
{
    Scope s = scope_at(in, in->walk.loops);
    need(in, blk, st, uniform, &e->tail, a, &s);
    if (!e->barrier) {
        free(e->head.v);
        e->head = e->tail;
        e->tail = (Accesses){0};
    }
    e->tail.n = 0;
    e->barrier = true;
}

static void append_inner(Insert *in, Stmt *st, bool uniform, Ends *e)
{
    Ends inner = insert_inner(in, st, uniform);
    if (st->kind == S_FOR && !in->failed) insert_carried(in, st, &inner, uniform);
    if (inner.barrier && !e->barrier) {
        append(&e->head, &e->tail);
        append(&e->head, &inner.head);
    }
    if (inner.barrier && st->kind == S_FOR) e->tail.n = 0;
    append(&e->tail, &inner.tail);
    e->barrier |= inner.barrier;
    free(inner.head.v);
    free(inner.tail.v);
}

static Ends insert_block(Insert *in, Block *blk, bool uniform)
{
    Ends e = {0};
    Scope s = scope_at(in, in->walk.loops);
    for (Stmt *st = blk->first; st && !in->failed; st = st->next) {
        Accesses a = accesses_of(in, st, st->next);
        check_store(in, st, &a, in->walk.loops);
        if (!in->failed && find_clash(&s, &e.tail, &a)) close_tail(in, blk, st, uniform, &a, &e);
        if (st->kind == S_FOR || st->kind == S_IF) append_inner(in, st, uniform, &e);
        else append(&e.tail, &a);
        free(a.v);
    }
    if (!e.barrier) append(&e.head, &e.tail);
    return e;
}

/* ---- between work-groups ---- */

/* No barrier reaches another work-group: global cells that a kernel writes and touches again must stay with one. */
static void check_groups(Insert *in)
{
    unsigned groups = 1u << ID_GLOBAL | 1u << ID_GROUP;
    Scope s = {.b = in->b, .k = in->k, .moving = groups | 1u << ID_LOCAL, .required = groups};
    Accesses a = accesses_of(in, in->k->body.first, NULL);
    for (int i = 0; i < a.n && !in->failed; i++) {
        for (int j = 0; j < i && !in->failed; j++) {
            if (a.v[i].p->buf->space != SPACE_GLOBAL || !clash(&s, &a.v[j], &a.v[i])) continue;
            in->failed = true;
            build_fail(in->b, E53, in->k->root, "%s is written by one work-group and used by another in the same kernel; "
                       "make the value a parallel nest of its own (toGlobal at the top) so that it gets its own kernel",
                       a.v[i].p->buf->name);
        }
    }
    free(a.v);
}

static bool varies_by_group(const Kernel *k, const Nat *index)
{
    NatAtomVec vars = {0};
    nat_vars(index, &vars);
    bool found = false;
    for (int i = 0; i < vars.n; i++) {
        const VarInfo *v = kernel_var(k, vars.v[i]);
        found = found || (v && v->kind == VAR_ID && v->id != ID_LOCAL);
    }
    free(vars.v);
    return found;
}

static bool is_divided(const Kernel *k, const Place *p)
{
    if (p->buf->space == SPACE_LOCAL) return varies_by_group(k, p->at);
    for (int d = 0; p->buf->space == SPACE_PRIVATE && d < p->buf->rank; d++)
        if (varies_by_group(k, p->idx[d])) return true;
    return false;
}

/* Every work-group has its own local and private memory: several cannot fill one array there together. */
static void check_own(Insert *in)
{
    in->walk.all = true;
    Accesses a = accesses_of(in, in->k->body.first, NULL);
    in->walk.all = false;
    for (int i = 0; i < a.n && !in->failed; i++) {
        const Buffer *buf = a.v[i].p->buf;
        if (!is_divided(in->k, a.v[i].p)) continue;
        in->failed = true;
        build_fail(in->b, E53, in->k->root, "%s is in %s memory, which every work-group has for itself, but mapGlobal or "
                   "mapWorkgroup divides it among several: use toGlobal, or mapLocal or mapSeq in it", buf->name,
                   space_name(buf->space));
    }
    free(a.v);
}

static bool has_ids(const Kernel *k, IdKind kind)
{
    return !k->id[kind][0]->is_const || !k->id[kind][1]->is_const || !k->id[kind][2]->is_const;
}

/* Do work-items of a group exchange anything through that space, in whatever order? */
static bool is_exchanged(Insert *in, Space space)
{
    Scope s = scope_at(in, NULL);
    Accesses a = accesses_of(in, in->k->body.first, NULL);
    bool found = false;
    for (int i = 0; i < a.n && !found; i++)
        for (int j = 0; j <= i && !found; j++) found = a.v[i].p->buf->space == space && clash(&s, &a.v[j], &a.v[i]);
    free(a.v);
    return found;
}

bool barrier_insert(Build *b, Kernel *k)
{
    Insert in = {.b = b, .k = k, .walk = {.b = b, .k = k}};
    if (has_ids(k, ID_GLOBAL) || has_ids(k, ID_GROUP)) check_own(&in);
    if (!in.failed && (has_ids(k, ID_GLOBAL) || has_ids(k, ID_GROUP))) check_groups(&in);
    if (in.failed || !has_ids(k, ID_LOCAL)) return !in.failed;
    in.fence_local = is_exchanged(&in, SPACE_LOCAL);
    in.fence_global = is_exchanged(&in, SPACE_GLOBAL);
    Ends e = insert_block(&in, &k->body, true);
    free(e.head.v);
    free(e.tail.v);
    return !in.failed;
}

/* ---- accumulators updated in place ---- */

/* Reads of the accumulator in one cell and the same loops, of which the last decides; or writes, of which the first does. */
typedef struct Touch {
    Access a;
    int64_t cell;                        /* the scalar, where the place is a constant one; -1 */
    bool asked;                          /* for `linear` */
    const Linear *linear;                /* the place over a's loops; NULL: it is not linear */
} Touch;

typedef struct Step {
    Build *b;
    VEC(Touch *) reads, writes;
    PtrTable seen;
} Step;

/* The cell of a private or memory place as one number of scalars. */
static const Nat *cell(Nats *n, const Place *p)
{
    const Nat *at = nat_const(n, 0);
    if (p->buf->space != SPACE_PRIVATE) return p->at;
    for (int d = 0; d < p->buf->rank; d++) at = nat_add(n, nat_mul(n, at, p->buf->dims[d]), p->idx[d]);
    at = nat_mul(n, at, nat_const(n, p->buf->width));
    return p->lane ? nat_add(n, at, p->lane) : at;
}

static bool is_small(const Nat *n) { return n && n->is_const && n->value >= 0 && n->value <= INT16_MAX; }

/* The same, where it is a small number; -1 otherwise. */
static int64_t small_cell(const Place *p)
{
    int64_t at = 0;
    if (p->buf->space != SPACE_PRIVATE) return is_small(p->at) ? p->at->value : -1;
    for (int d = 0; d < p->buf->rank; d++) {
        if (!is_small(p->idx[d]) || !is_small(p->buf->dims[d]) || at > INT16_MAX) return -1;
        at = at * p->buf->dims[d]->value + p->idx[d]->value;
    }
    if (p->lane && !is_small(p->lane)) return -1;
    return at > INT16_MAX ? -1 : at * p->buf->width + (p->lane ? p->lane->value : 0);
}

static int cell_width(const Place *p) { return p->buf->space == SPACE_PRIVATE && p->lane ? 1 : p->width; }

static Term1 *term_of_loop(const Scope *s, Linear *l, const NatAtom *var)
{
    for (int i = 0; i < l->n; i++)
        if (l->terms[i].var == kernel_var(s->k, var)) return &l->terms[i];
    return NULL;
}

static Scope scope_of_step(Build *b, const Touch *t)
{
    return (Scope){.b = b, .k = b->k, .inside = t->a.loops, .step = true};
}

static bool linear_touch(Build *b, Touch *t, Linear *out)
{
    if (!t->asked) {
        Scope s = scope_of_step(b, t);
        const Nat *at = cell(b->n, t->a.p);
        t->asked = true;
        if (at && linearise(&s, at, out)) t->linear = keep_linear(b, out);
    }
    if (t->linear) copy_linear(out, t->linear);
    return t->linear != NULL;
}

/* Where do a read and a write of a step meet: never, in one iteration of their common loops, or in several? */
static Meet meet_in_step(Build *b, Touch *r, Touch *w)
{
    Scope s = scope_of_step(b, r);
    Digits q = {.n = b->n, .facts = b->facts};
    Linear x, y;
    if (!linear_touch(b, r, &x) || !linear_touch(b, w, &y)) return MEET_APART;
    for (const Loops *l = r->a.loops; l; l = l->up)
        if (is_loop_of(w->a.loops, l->var)) add_key(&q, term_of_loop(&s, &x, l->var), term_of_loop(&s, &y, l->var));
    return meet_accesses(&q, &x, &y, cell_width(r->a.p), cell_width(w->a.p));
}

static bool common_loop(const Access *x, const Access *y)
{
    for (const Loops *l = x->loops; l; l = l->up)
        if (is_loop_of(y->loops, l->var)) return true;
    return false;
}

static bool is_apart(const Touch *x, const Touch *y)
{
    return x->cell + cell_width(x->a.p) <= y->cell || y->cell + cell_width(y->a.p) <= x->cell;
}

/* Does the read come before the write whenever both touch one cell? */
static bool reads_first(Build *b, Touch *r, Touch *w)
{
    bool ahead = r->a.position <= w->a.position;
    if (ahead && !common_loop(&r->a, &w->a)) return true;
    if (r->cell >= 0 && w->cell >= 0) return is_apart(r, w);
    Meet m = meet_in_step(b, r, w);
    return m == MEET_NEVER || (m == MEET_SAME && ahead);
}

static bool same_touch(const void *key, const void *item)
{
    const Touch *x = key, *y = item;
    if (x->a.p->buf != y->a.p->buf || x->a.write != y->a.write || x->a.loops != y->a.loops || x->cell != y->cell) return false;
    return x->cell >= 0 ? cell_width(x->a.p) == cell_width(y->a.p) : place_same(x->a.p, y->a.p);
}

static uint64_t hash_touch(const Touch *t)
{
    const Place *p = t->a.p;
    uint64_t h = hash_mix((uint64_t)p->buf->id * 2 + t->a.write, (uint64_t)t->cell);
    for (int d = 0; t->cell < 0 && p->buf->space == SPACE_PRIVATE && d < p->buf->rank; d++) h = hash_mix(h, p->idx[d]->id);
    return p->buf->space == SPACE_PRIVATE || !p->at ? h : hash_mix(h, p->at->id);
}

static void see_touch(Step *s, const Access *a)
{
    Touch key = {.a = *a, .cell = small_cell(a->p)};
    uint64_t h = hash_touch(&key);
    Touch *t = ptr_table_find(&s->seen, h, same_touch, &key);
    if (t && !a->write) t->a.position = a->position;
    if (t) return;
    t = NEW(s->b->arena, Touch);
    *t = key;
    ptr_table_add(&s->seen, h, t);
    if (a->write) vec_push(&s->writes, t);
    else vec_push(&s->reads, t);
}

/* Constant cells in order, the others behind them. */
static int by_cell(const void *x, const void *y)
{
    const Touch *a = *(Touch *const *)x, *b = *(Touch *const *)y;
    uint64_t i = (uint64_t)a->cell, j = (uint64_t)b->cell;
    return i != j ? (i < j ? -1 : 1) : (a->a.position > b->a.position) - (a->a.position < b->a.position);
}

/* Where in the writes, sorted, a look for those that may meet r begins. */
static int first_near(const Step *s, const Touch *r)
{
    int lo = 0, hi = s->writes.n;
    while (r->cell >= 0 && lo < hi) {
        int mid = (lo + hi) / 2;
        if ((uint64_t)s->writes.v[mid]->cell + 16 < (uint64_t)r->cell) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static int first_unknown(const Step *s)
{
    int n = s->writes.n;
    while (n > 0 && s->writes.v[n - 1]->cell < 0) n--;
    return n;
}

static bool is_safe(const Step *s, Touch *r, int unknown)
{
    for (int i = first_near(s, r); i < s->writes.n; i++) {
        Touch *w = s->writes.v[i];
        if (r->cell >= 0 && w->cell > r->cell + 16) i = unknown - 1;
        else if (w->a.p->buf == r->a.p->buf && !reads_first(s->b, r, w)) return false;
    }
    return true;
}

const Place *barrier_in_place(Build *b, const Stmt *from, int tag)
{
    Accesses a = {0};
    Walk walk = {.b = b, .k = b->k, .out = &a, .all = true, .tag = tag};
    Step s = {.b = b};
    const Place *bad = NULL;
    collect_block(&walk, from, NULL);
    for (int i = 0; i < a.n; i++) see_touch(&s, &a.v[i]);
    if (s.writes.n) qsort(s.writes.v, (size_t)s.writes.n, sizeof *s.writes.v, by_cell);
    for (int i = 0, unknown = first_unknown(&s); i < s.reads.n && !bad; i++)
        if (!is_safe(&s, s.reads.v[i], unknown)) bad = s.reads.v[i]->a.p;
    free(a.v);
    free(s.reads.v);
    free(s.writes.v);
    ptr_table_free(&s.seen);
    return bad;
}

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
} Walk;

static const NatAtom *atom_of(const Nat *var) { return var->term_count ? var->terms[0].factors[0].atom : NULL; }

/* ---- collecting ---- */

static bool is_shared(const Buffer *buf) { return buf->space == SPACE_LOCAL || (buf->space == SPACE_GLOBAL && !buf->read_only); }

static bool is_known(const Walk *w, const Access *a)
{
    for (int i = w->out->n - 1; i >= 0 && i >= w->out->n - 64; i--) {
        const Access *o = &w->out->v[i];
        if (o->p->buf == a->p->buf && o->p->at == a->p->at && o->p->width == a->p->width && o->write == a->write && o->single == a->single)
            return true;
    }
    return false;
}

static void see(void *data, const Place *p, bool write, const Stmt *s)
{
    Walk *w = data;
    (void)s;
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
} Scope;

static bool is_fixed_loop(const Scope *s, const NatAtom *var)
{
    for (const Loops *l = s->fixed; l; l = l->up)
        if (l->var == var) return true;
    return false;
}

static bool is_moving(const Scope *s, const NatAtom *atom, const VarInfo *v)
{
    if (!v) return atom->var == VAR_INDEX;
    if (v->kind == VAR_ID) return s->moving >> v->id & 1u;
    return v->kind == VAR_OPAQUE || !is_fixed_loop(s, atom);
}

/* False: not linear in what moves, or what moves is unknown. */
static bool linearise(const Scope *s, const Nat *at, Linear *out)
{
    Nats *n = s->b->n;
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
        NatBinding zero = {vars.v[i], nat_const(n, 0)}, one = {vars.v[i], nat_const(n, 1)};
        const Nat *rest = nat_subst(n, out->base, &zero, 1, s->b->facts);
        const Nat *coef = nat_sub(n, nat_subst(n, out->base, &one, 1, s->b->facts), rest);
        const Nat *self = nat_sub(n, out->base, rest);
        NatBinding two = {vars.v[i], nat_const(n, 2)};
        const Nat *twice = nat_sub(n, nat_subst(n, out->base, &two, 1, s->b->facts), rest);
        ok = coef && self && twice == nat_mul(n, coef, nat_const(n, 2)) && !nat_mentions(coef, vars.v[i]) && !nat_mentions(rest, vars.v[i]);
        for (int k = 0; k < self->term_count && ok; k++)      /* every term is the variable times something, to the first power */
            for (int f = 0; f < self->terms[k].factor_count; f++)
                ok = ok && (self->terms[k].factors[f].atom->kind == ATOM_VAR || !nat_mentions(self->terms[k].factors[f].atom->a, vars.v[i]));
        out->base = rest;
        out->terms[out->n++] = (Term1){coef, vars.v[i]->hi, v};
    }
    free(vars.v);
    return ok;
}

/* The same, kept with the access as long as the scope lasts. */
static bool linear_of(const Scope *s, Access *a, Linear *out)
{
    const void *key = s->fixed ? (const void *)s->fixed : (const void *)s->k;
    if (a->linear_for != key) {
        a->linear_for = key;
        a->linear = NULL;
        if (linearise(s, a->p->at, out)) {
            Linear *kept = NEW(s->b->arena, Linear);
            *kept = *out;
            a->linear = kept;
        }
    }
    if (!a->linear) return false;
    out->base = a->linear->base;
    out->n = a->linear->n;
    for (int i = 0; i < out->n; i++) out->terms[i] = a->linear->terms[i];
    return true;
}

static const Term1 *term_of_id(const Linear *l, IdKind id, int dim)
{
    for (int i = 0; i < l->n; i++) {
        const VarInfo *v = l->terms[i].var;
        if (v && ((v->kind == VAR_ID && v->id == id) || (v->kind == VAR_STRIDED && id == ID_LOCAL)) && v->dim == dim) return &l->terms[i];
    }
    return NULL;
}

/* Can the value of term t be read off the address? Lower terms stay below its coefficient, higher ones are multiples. */
static bool decodes(const Scope *s, const Linear *l, const Term1 *t, const Nat *extent, const Nat *low)
{
    Nats *n = s->b->n;
    const Nat *one = nat_const(n, 1), *period = nat_mul(n, t->coef, extent);
    for (int i = 0; i < l->n; i++) {
        const Term1 *o = &l->terms[i];
        if (o == t) continue;
        if (nat_less_eq(n, o->coef, t->coef) && nat_is_nonneg(n, o->coef))
            low = nat_add(n, low, nat_mul(n, o->coef, nat_sub(n, o->extent, one)));
        else if (o->coef->is_const && t->coef->is_const && extent->is_const) {
            int64_t c = t->coef->value;
            if (c == 0 || o->coef->value % c != 0 || o->coef->value / c < extent->value) return false;
        } else if (!nat_divides(n, period, o->coef, s->b->facts))
            return false;
    }
    return low && nat_less(n, low, t->coef);
}

/* All higher coefficients in both, divided by c, must have one modulus that is not less than the extent. */
static bool same_modulus(const Linear *a, const Linear *b, const Term1 *ta, const Term1 *tb, int64_t extent)
{
    int64_t g = 0, c = ta->coef->value;
    const Linear *both[2] = {a, b};
    const Term1 *skip[2] = {ta, tb};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < both[k]->n; i++)
            if (&both[k]->terms[i] != skip[k] && both[k]->terms[i].coef->is_const && both[k]->terms[i].coef->value > c)
                g = gcd64(g, both[k]->terms[i].coef->value / c);
    return g == 0 || g >= extent;
}

static bool same_id(const Scope *s, const Linear *a, const Linear *b, IdKind id, int d, const Nat *low[2])
{
    const Term1 *ta = term_of_id(a, id, d), *tb = term_of_id(b, id, d);
    if (!ta || !tb || ta->coef != tb->coef || ta->var->kind != tb->var->kind) return false;
    const Nat *extent = nat_less_eq(s->b->n, ta->extent, tb->extent) ? tb->extent : ta->extent;
    if (!decodes(s, a, ta, extent, low[0]) || !decodes(s, b, tb, extent, low[1])) return false;
    return !ta->coef->is_const || !extent->is_const || same_modulus(a, b, ta, tb, extent->value);
}

static bool is_pinned(const Access *x, const Access *y, IdKind id, int d) { return x->single & y->single & 1u << (3 * id + d); }

/* ---- constant addresses: 0 = shift + sum of coef * d, lo <= d <= hi, solved digit by digit ---- */

typedef struct Digit { int64_t coef, lo, hi; bool id; } Digit;
typedef struct Digits {
    int n, budget;
    bool loose;                          /* some id is free: any solution is a clash */
    Digit d[3 * MOVING_MAX];
    int64_t reach_lo[3 * MOVING_MAX + 1], reach_hi[3 * MOVING_MAX + 1];     /* of the digits from i on */
} Digits;

static void add_digit(Digits *q, int64_t coef, int64_t lo, int64_t hi, bool id)
{
    Digit d = coef < 0 ? (Digit){-coef, -hi, -lo, id} : (Digit){coef, lo, hi, id};
    if (coef == 0 || (lo == 0 && hi == 0)) return;
    for (int i = 0; i < q->n && !id; i++) {
        if (q->d[i].coef != d.coef || q->d[i].id) continue;
        q->d[i].lo += d.lo;
        q->d[i].hi += d.hi;
        return;
    }
    int at = q->n++;
    for (; at > 0 && q->d[at - 1].coef < d.coef; at--) q->d[at] = q->d[at - 1];
    q->d[at] = d;
}

/* Is there a solution in which an id differs? */
static bool has_clash(Digits *q, int i, int64_t rest, bool differs)
{
    if (i == q->n) return rest == 0 && (differs || q->loose);
    if (rest + q->reach_lo[i] > 0 || rest + q->reach_hi[i] < 0) return false;
    const Digit *d = &q->d[i];
    int64_t lo = -floor_div(rest + q->reach_hi[i + 1], d->coef), hi = floor_div(-rest - q->reach_lo[i + 1], d->coef);
    if (lo < d->lo) lo = d->lo;
    if (hi > d->hi) hi = d->hi;
    for (int64_t v = lo; v <= hi; v++) {
        if (--q->budget < 0) return true;
        if (has_clash(q, i + 1, rest + d->coef * v, differs || (d->id && v != 0))) return true;
    }
    return false;
}

static bool all_const(const Linear *l)
{
    for (int i = 0; i < l->n; i++) {
        const Term1 *t = &l->terms[i];
        if (!t->coef->is_const || !t->extent->is_const || t->extent->value > INT32_MAX) return false;
        if (t->coef->value > INT32_MAX || t->coef->value < -INT32_MAX) return false;
    }
    return true;
}

static void add_ids(Digits *q, const Scope *s, Linear *a, Linear *b, const Access *x, const Access *y)
{
    for (int id = 0; id < ID_KINDS; id++) {
        for (int d = 0; d < 3; d++) {
            if (!(s->required >> id & 1u) || s->k->id[id][d]->is_const || is_pinned(x, y, (IdKind)id, d)) continue;
            Term1 *ta = (Term1 *)term_of_id(a, (IdKind)id, d), *tb = (Term1 *)term_of_id(b, (IdKind)id, d);
            if (!ta || !tb || ta->coef != tb->coef || ta->var->kind != tb->var->kind) {
                q->loose = true;
                continue;
            }
            add_digit(q, ta->coef->value, 1 - tb->extent->value, ta->extent->value - 1, true);
            ta->extent = tb->extent = nat_const(s->b->n, 1);
        }
    }
}

static bool const_clash(const Scope *s, Linear *a, Linear *b, int64_t shift, const Access *x, const Access *y)
{
    Digits q = {.budget = 4000};
    add_ids(&q, s, a, b, x, y);
    for (int i = 0; i < a->n; i++) add_digit(&q, a->terms[i].coef->value, 0, a->terms[i].extent->value - 1, false);
    for (int i = 0; i < b->n; i++) add_digit(&q, b->terms[i].coef->value, 1 - b->terms[i].extent->value, 0, false);
    add_digit(&q, 1, 1 - y->p->width, x->p->width - 1, false);
    for (int i = q.n - 1; i >= 0; i--) {
        q.reach_lo[i] = q.reach_lo[i + 1] + q.d[i].coef * q.d[i].lo;
        q.reach_hi[i] = q.reach_hi[i + 1] + q.d[i].coef * q.d[i].hi;
    }
    return has_clash(&q, 0, -shift, false);
}

/* Do two accesses to one cell always come from the same ids? */
static bool same_owner(const Scope *s, Access *x, Access *y)
{
    Linear a, b;
    bool pinned = true;
    for (int id = 0; id < ID_KINDS; id++)
        for (int d = 0; d < 3; d++)
            if (s->required >> id & 1u && !s->k->id[id][d]->is_const && !is_pinned(x, y, (IdKind)id, d)) pinned = false;
    if (pinned) return true;
    if (!linear_of(s, x, &a) || !linear_of(s, y, &b)) return false;
    const Nat *shift = nat_sub(s->b->n, b.base, a.base);
    if (!shift || !shift->is_const) return false;
    if (all_const(&a) && all_const(&b)) return !const_clash(s, &a, &b, shift->value, x, y);
    int64_t by = shift->value;
    const Nat *low[2] = {nat_const(s->b->n, x->p->width - 1 + (by < 0 ? -by : 0)), nat_const(s->b->n, y->p->width - 1 + (by > 0 ? by : 0))};
    for (int id = 0; id < ID_KINDS; id++)
        for (int d = 0; d < 3; d++)
            if (s->required >> id & 1u && !s->k->id[id][d]->is_const && !is_pinned(x, y, (IdKind)id, d) &&
                !same_id(s, &a, &b, (IdKind)id, d, low))
                return false;
    return true;
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

static bool clash(const Scope *s, Access *x, Access *y)
{
    if (x->p->buf != y->p->buf || (!x->write && !y->write)) return false;
    return !same_owner(s, x, y) && !disjoint(s, x, y);
}

/* ---- inserting ---- */

typedef struct Insert {
    Build *b;
    Kernel *k;
    Walk walk;
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
    return (Scope){in->b, in->k, fixed, 1u << ID_LOCAL, 1u << ID_LOCAL};
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
    s->local_fence = buf->space == SPACE_LOCAL;
    s->global_fence = buf->space == SPACE_GLOBAL;
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

static void need(Insert *in, Block *blk, Stmt *before, bool uniform, const Accesses *x, const Accesses *y, const Scope *s)
{
    const Access *a = find_clash(s, x, y);
    if (!uniform) {
        in->failed = true;
        build_fail(in->b, E53, in->k->root, "%s %s is shared by work-items that do not all come this way: a barrier would stand in "
                   "non-uniform control flow", space_name(a->p->buf->space), a->p->buf->name);
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
        build_fail(in->b, E53, in->k->root, "%s is read by one work-item while another writes it; write the new values to a second array",
                   w->p->buf->name);
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

static Ends insert_block(Insert *in, Block *blk, bool uniform)
{
    Ends e = {0};
    Scope s = scope_at(in, in->walk.loops);
    for (Stmt *st = blk->first; st && !in->failed; st = st->next) {
        Accesses a = accesses_of(in, st, st->next);
        check_store(in, st, &a, in->walk.loops);
        if (!in->failed && find_clash(&s, &e.tail, &a)) {
            need(in, blk, st, uniform, &e.tail, &a, &s);
            if (!e.barrier) {
                free(e.head.v);
                e.head = e.tail;
                e.tail = (Accesses){0};
            }
            e.tail.n = 0;
            e.barrier = true;
        }
        if (st->kind == S_FOR || st->kind == S_IF) {
            Ends inner = insert_inner(in, st, uniform);
            if (st->kind == S_FOR && !in->failed) insert_carried(in, st, &inner, uniform);
            if (inner.barrier && !e.barrier) {
                append(&e.head, &e.tail);
                append(&e.head, &inner.head);
            }
            if (inner.barrier && st->kind == S_FOR) e.tail.n = 0;
            append(&e.tail, &inner.tail);
            e.barrier |= inner.barrier;
            free(inner.head.v);
            free(inner.tail.v);
        } else {
            append(&e.tail, &a);
        }
        free(a.v);
    }
    if (!e.barrier) append(&e.head, &e.tail);
    return e;
}

/* ---- between work-groups ---- */

/* No barrier reaches another work-group: global cells that a kernel writes and touches again must stay with one group. */
static void check_groups(Insert *in)
{
    Scope s = {in->b, in->k, NULL, 1u << ID_GLOBAL | 1u << ID_GROUP | 1u << ID_LOCAL, 1u << ID_GLOBAL | 1u << ID_GROUP};
    Accesses a = accesses_of(in, in->k->body.first, NULL);
    for (int i = 0; i < a.n && !in->failed; i++) {
        for (int j = 0; j < i && !in->failed; j++) {
            if (a.v[i].p->buf->space != SPACE_GLOBAL || !clash(&s, &a.v[j], &a.v[i])) continue;
            in->failed = true;
            build_fail(in->b, E53, in->k->root, "%s is written by one work-group and used by another in the same kernel; make the value "
                       "a parallel nest of its own (toGlobal at the top) so that it gets its own kernel", a.v[i].p->buf->name);
        }
    }
    free(a.v);
}

static bool has_ids(const Kernel *k, IdKind kind)
{
    return !k->id[kind][0]->is_const || !k->id[kind][1]->is_const || !k->id[kind][2]->is_const;
}

bool barrier_insert(Build *b, Kernel *k)
{
    Insert in = {.b = b, .k = k, .walk = {.b = b, .k = k}};
    if (has_ids(k, ID_GLOBAL) || has_ids(k, ID_GROUP)) check_groups(&in);
    if (in.failed || !has_ids(k, ID_LOCAL)) return !in.failed;
    Ends e = insert_block(&in, &k->body, true);
    free(e.head.v);
    free(e.tail.v);
    return !in.failed;
}

/* ---- accumulators updated in place ---- */

static bool same_cell(const Place *a, const Place *b)
{
    if (a->at != b->at || a->lane != b->lane) return false;
    for (int d = 0; a->buf->space == SPACE_PRIVATE && d < a->buf->rank; d++)
        if (a->idx[d] != b->idx[d]) return false;
    return true;
}

static bool differ(Build *b, const Nat *x, const Nat *y)
{
    const Nat *d = x && y ? nat_sub(b->n, x, y) : NULL;
    return d && d->is_const && d->value != 0;
}

static bool never_same(Build *b, const Place *x, const Place *y)
{
    if (x->buf->space != SPACE_PRIVATE) {
        const Nat *d = nat_sub(b->n, x->at, y->at);
        return d && d->is_const && (d->value >= y->width || -d->value >= x->width);
    }
    bool apart = differ(b, x->lane, y->lane);
    for (int d = 0; d < x->buf->rank; d++) apart = apart || differ(b, x->idx[d], y->idx[d]);
    return apart;
}

static bool common_loop(const Access *x, const Access *y)
{
    for (const Loops *l = x->loops; l; l = l->up)
        for (const Loops *m = y->loops; m; m = m->up)
            if (l->var == m->var) return true;
    return false;
}

const Place *barrier_in_place(Build *b, const Stmt *from, int tag)
{
    Accesses a = {0};
    Walk w = {.b = b, .k = b->k, .out = &a, .all = true};
    const Place *bad = NULL;
    collect_block(&w, from, NULL);
    for (int i = 0; i < a.n && !bad; i++) {
        const Access *r = &a.v[i];
        if (r->write || r->p->tag != tag) continue;
        for (int j = 0; j < a.n && !bad; j++) {
            const Access *x = &a.v[j];
            if (!x->write || x->p->buf != r->p->buf) continue;
            bool first = r->position <= x->position;
            if (same_cell(r->p, x->p) ? first : never_same(b, r->p, x->p) || (first && r->position < x->position && !common_loop(r, x)))
                continue;
            bad = r->p;
        }
    }
    free(a.v);
    return bad;
}

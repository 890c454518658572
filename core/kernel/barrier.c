/* barrier: which accesses of different work-items clash, and the barriers between them (dependence analysis). */
#include "barrier.h"

#include <stdlib.h>

/* Accesses that clash with the same ones (an equivalence class of references): each is there once, however often the kernel
 * has it. */
typedef struct Site {
    int id;
    struct Shared *of;
    struct Bundle *bundle;
    const Place *p;
    Spot spot;
    bool write;
    bool in_phase_loop;                  /* in the loop that takes the buffer's halves in turn */
    int atomic;                          /* the order of an update at once, which clashes with none of its own; 0: it is none */
    unsigned single;                     /* ids that a guard pins to 0: bit 3 * kind + dim */
    Spot *round;                         /* with the round of p's buffer's phase 0, 1, 2; form NULL: not asked yet */
    int seen;                            /* mark of the last walk over a range */
} Site;

typedef VEC(Site *) Sites;

/* Sites of unrolled code: they differ by a number, and what holds for a stretch of cells with all of theirs holds for each. */
typedef struct Bundle {
    Site all;                            /* as one access; p NULL: not asked for yet */
    int count;
    int64_t lo, hi;                      /* lo <= number of a cell < hi */
    struct Apart { const struct Bundle *from; Scope in; bool apart; } asked[8];
} Bundle;

/* What work-items may do together in one buffer. */
typedef struct Shared {
    const Buffer *buf;
    Sites sites;
    PtrTable bundles;
    bool exchanged;                      /* two of a group touch one cell, in whatever order */
    bool waits;                          /* so they do, but shuffles order them: barriers for it come last */
} Shared;

/* Where a choice is made by the variable of a loop, what is read on a side of it: from `least` on, below `limit`. */
typedef struct Guard {
    const NatAtom *var;
    const Nat *value;                    /* least + a variable of that range */
    bool alone;                          /* no other loop's variable is in it */
    const struct Guard *up;
} Guard;

typedef struct Insert {
    Build *b;
    Kernel *k;
    DependenceTests meets;
    PtrTable table;                      /* sites */
    int site_count;
    VEC(Shared *) shared;
    Site *recent[256];                   /* the last ones asked for */
    Sites trace;                         /* accesses in program order; a statement has those from first_access on */
    const Loops *loops;                  /* around the current statement */
    const Guard *guards;                 /* around the current expression */
    unsigned single;
    int mark;
    unsigned lanes;                      /* ids that say which of a warp it is, while barriers between warps are put; else 0 */
    bool in_warps;                       /* those within warps are, */
    bool any_waits, in_registers;        /* and last those for registers of lanes, which devices without shuffles have in memory */
    bool by_groups;                      /* the kernel has several work-groups */
    const Buffer *divided;               /* first private or local buffer that the work-groups share out */
    bool fence_local, fence_global;      /* what work-items share: every barrier orders it, since it ends all that came before */
} Insert;

/* ---- collecting ---- */

static bool varies_by_group(const VarInfo *v) { return v && v->kind == VAR_ID && v->id != ID_LOCAL; }

static bool same_kind(const Site *x, const Site *y)
{
    return x->write == y->write && x->single == y->single && x->in_phase_loop == y->in_phase_loop && x->atomic == y->atomic;
}

static bool same_site(const void *key, const void *item)
{
    const Site *x = key, *y = item;
    return x->p->buf == y->p->buf && x->p->at == y->p->at && x->p->width == y->p->width && same_kind(x, y);
}

static bool same_bundle(const void *key, const void *item)
{
    const Site *x = key, *y = &((const Bundle *)item)->all;
    return x->spot.form == y->spot.form && same_kind(x, y);
}

static Shared *shared_of(Insert *in, const Buffer *buf)
{
    if (buf->storage) buf = buf->storage;
    for (int i = 0; i < in->shared.n; i++)
        if (in->shared.v[i]->buf == buf) return in->shared.v[i];
    Shared *h = MAKE(in->b->arena, Shared, .buf = buf, .bundles.arena = in->b->arena);
    vec_push(&in->shared, h);
    return h;
}

static Site *site_new(Insert *in, const Site *key, uint64_t hash)
{
    const Place *p = key->p;
    Site *s = MAKE(in->b->arena, Site, .id = in->site_count++, .of = shared_of(in, p->buf), .p = p, .spot.width = p->width, .write = key->write,
                   .in_phase_loop = key->in_phase_loop, .atomic = key->atomic, .single = key->single);
    s->spot.form = form_of(&in->k->forms, p->at, &s->spot.at);
    uint64_t h = hash_mix((uint64_t)s->spot.form->id, s->write);
    Bundle *b = s->of->sites.n ? s->of->sites.v[s->of->sites.n - 1]->bundle : NULL;      /* the last one's, as often as not */
    if (!b || !same_bundle(s, b)) b = ptr_table_find(&s->of->bundles, h, same_bundle, s);
    int64_t end = s->spot.at + s->spot.width;
    if (!b) {
        b = MAKE(in->b->arena, Bundle, .all = *s, .lo = s->spot.at, .hi = end);
        b->all.p = NULL;
        ptr_table_add(&s->of->bundles, h, b);
        bool local = s->p->buf->space == SPACE_LOCAL && in->by_groups;
        if (local && !in->divided && kernel_any_var(in->k, s->p->at, varies_by_group)) in->divided = s->p->buf;
    }
    b->count++;
    if (s->spot.at < b->lo) b->lo = s->spot.at;
    if (end > b->hi) b->hi = end;
    s->bundle = b;
    ptr_table_add(&in->table, hash, s);
    vec_push(&s->of->sites, s);
    return s;
}

static Site *site_of(Insert *in, const Place *p, bool write, int atomic)
{
    Site key;                            /* most of it is not asked for */
    key.p = p, key.write = write, key.single = in->single, key.atomic = atomic;
    key.in_phase_loop = p->buf->phase && is_loop_of(in->loops, p->buf->phase);
    Site **recent = &in->recent[p->at ? p->at->id % COUNT(in->recent) : 0];
    if (*recent && same_site(&key, *recent)) return *recent;
    uint64_t h = hash_mix((uint64_t)p->buf->id * 2 + write, p->at ? p->at->id : 0);
    Site *s = ptr_table_find(&in->table, h, same_site, &key);
    return *recent = s ? s : site_new(in, &key, h);
}

static int index_count(const Kernel *k, const Nat *n)
{
    int count = 0;
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n; i++) count += kernel_var(k, vars.v[i]) != NULL;
    return count;
}

/* The address where the guard holds. A guard that begins at another loop's variable forgets what bounds the sum of both: it is taken
 * where that variable leaves the address by it. */
static const Nat *behind_guard(Insert *in, const Nat *at, const Guard *g)
{
    NatBinding to = {g->var, g->value};
    if (!nat_mentions(at, g->var)) return at;
    const Nat *made = nat_subst(in->b->n, at, &to, 1, in->b->facts);
    return g->alone || index_count(in->k, made) < index_count(in->k, at) ? made : at;
}

static void trace(Insert *in, const Place *p, bool write, int atomic)
{
    /* Padding moves elements apart, none to where another is: asked is where they would lie without it, and where the guards hold: in the
     * cells of all groups, between which nothing else is known to be apart. */
    const Nat *at = p->packed ? p->packed : p->at;
    for (const Guard *g = p->buf->space == SPACE_GLOBAL ? in->guards : NULL; g && at; g = g->up) at = behind_guard(in, at, g);
    if (at != p->at) {
        Place *asked = arena_copy(in->b->arena, p, sizeof *p);
        asked->at = at;
        p = asked;
    }
    vec_push(&in->trace, site_of(in, p, write, atomic));
}

static inline void see(Insert *in, const Place *p, bool write, int atomic)
{
    if (p->buf->space == SPACE_LOCAL || (p->buf->space == SPACE_GLOBAL && !p->buf->read_only && !p->buf->apart)) trace(in, p, write, atomic);
}

/* From now on the condition holds, or does not: one guard more where it bounds the variable of a loop by itself, above or below, whatever its factor. */
static void guard_by(Insert *in, const Expr *cond, bool holds)
{
    Build *b = in->b;
    if (cond->kind != X_OP) return;
    if (cond->op == (holds ? PRIM_AND : PRIM_OR)) guard_by(in, cond->args[0], holds), guard_by(in, cond->args[1], holds);
    bool less;
    const Nat *gap = expr_gap(b, cond, &less), *zero = nat_const(b->n, 0);
    for (int i = 0; gap && i < gap->term_count; i++) {
        const NatTerm *t = &gap->terms[i];
        const NatAtom *var = t->factor_count == 1 && t->factors[0].exp == 1 && t->den == 1 ? t->factors[0].atom : NULL;
        const VarInfo *v = var && var->kind == ATOM_VAR ? kernel_var(in->k, var) : NULL;
        if (!v || v->kind != VAR_LOOP || !var->hi) continue;
        const Nat *rest = nat_sub(b->n, gap, nat_mul(b->n, nat_const(b->n, t->num), nat_self(var))), *factor = nat_const(b->n, llabs(t->num));
        if (!rest || nat_mentions(rest, var)) continue;
        const Nat *from = t->num > 0 ? nat_sub(b->n, nat_const(b->n, t->num - 1), rest) : nat_add(b->n, rest, factor);
        const Nat *at = from ? nat_div(b->n, from, factor, b->facts) : NULL;       /* the first number at which the gap is, or is no longer, below 0 */
        bool below = (less == holds) == (t->num > 0);
        const Nat *least = below ? zero : at, *limit = below ? at : var->hi, *extent = at ? nat_sub(b->n, limit, least) : NULL;
        if (!extent || !nat_less_eq(b->n, zero, least) || !nat_less_eq(b->n, extent, var->hi) ||
            !nat_less_eq(b->n, zero, extent))        /* 0: it never holds */
            continue;
        const Nat *value = nat_add(b->n, least, kernel_index(b, *v, "guarded", extent));
        in->guards = MAKE(b->arena, Guard, var, value, index_count(in->k, value) == 1, in->guards);
        return;
    }
}

static void see_loads(Insert *in, const Expr *e)
{
    if (e->kind == X_LOAD) see(in, &e->place, false, 0);
    if (e->kind == X_OP && e->op == PRIM_IF) {
        /* What is chosen if the condition holds is read there alone, and what if it does not. */
        const Guard *outer = in->guards;
        see_loads(in, e->args[0]);
        for (int k = 1; k <= 2; k++) {
            guard_by(in, e->args[0], k == 1);
            see_loads(in, e->args[k]);
            in->guards = outer;
        }
    } else
        for (int i = 0; i < e->arg_count; i++)
            if (e->args[i]->kind == X_LOAD) see(in, &e->args[i]->place, false, 0);
            else if (e->args[i]->arg_count) see_loads(in, e->args[i]);
}

static bool loads(void *buf, const Place *p, bool write) { return !write && p->buf == buf; }
static bool is_loaded(const Insert *in, Buffer *buf) { return block_places(&in->k->body, EVERY_SPACE, loads, buf); }

static void collect_block(Insert *in, const Block *blk)
{
    for (Stmt *s = blk->first; s; s = s->next) {
        const Loops *outer = in->loops;
        unsigned single = in->single;
        s->first_access = in->trace.n;
        if (s->value) see_loads(in, s->value);
        if (s->kind == S_STORE && !(s->place.once && !in->k->joined && !is_loaded(in, s->place.buf))) see(in, &s->place, true, 0);
        if (s->kind == S_IF && s->single) in->single |= (unsigned)s->limit->value;
        if (s->kind == S_FOR && nat_atom(s->var)) in->loops = s->loops = MAKE(in->b->arena, Loops, nat_atom(s->var), outer);
        if (stmt_has_bodies(s)) {
            const Guard *outside = in->guards;
            if (s->kind == S_IF) guard_by(in, s->value, true);
            collect_block(in, &s->body);
            in->guards = outside;
            if (s->kind == S_IF) guard_by(in, s->value, false);
            collect_block(in, &s->other);
            in->guards = outside;
        }
        if (s->kind == S_ATOMIC) see(in, &s->place, true, s->atomic->order);
        if (s->kind == S_LOOK_BACK) see(in, &s->place, true, 0);
        in->loops = outer;
        in->single = single;
        s->end_access = in->trace.n;
    }
}

/* ---- clashes ---- */

/* The access in round 0, 1 or 2. */
static Spot in_round(const Scope *s, Site *a, int round)
{
    Build *b = s->m->b;
    if (!a->round) a->round = NEW_ARRAY(b->arena, Spot, 3);
    Spot *r = &a->round[round];
    NatBinding to = {a->p->buf->phase, nat_const(b->n, round)};
    r->width = a->p->width;
    if (!r->form) r->form = form_of(&s->m->k->forms, nat_subst(b->n, a->p->at, &to, 1, b->facts), &r->at);
    return *r;
}

/* Of one buffer, or of two in one storage. */
static bool clash_in(const Scope *s, Site *x, Site *y)
{
    const NatAtom *phase = x->p->buf->phase;
    bool known = phase && phase == y->p->buf->phase && x->in_phase_loop && y->in_phase_loop;
    /* Two halves of a buffer, one a phase: whatever the parity, in the same round or from one round to the next. */
    if (known && (s->carried == phase || is_loop_of(s->fixed, phase))) {
        for (int parity = 0; parity < 2; parity++) {
            Spot a = in_round(s, x, parity), b = in_round(s, y, parity + (s->carried == phase));
            if (spots_meet(s, &a, &b, (x->single & y->single) | s->aside)) return true;
        }
        return false;
    }
    return spots_meet(s, &x->spot, &y->spot, (x->single & y->single) | s->aside);
}

/* All sites of a bundle as one; false: that is no access. */
static bool is_one_access(const Scope *s, Bundle *b)
{
    const Nat *rest = b->all.spot.form->rest;
    Nats *n = s->m->b->n;
    if (!rest || b->hi - b->lo > INT32_MAX / 4) return false;
    if (b->all.p) return true;
    Place *p = MAKE(s->m->b->arena, Place, .buf = (Buffer *)b->all.of->buf, .at = nat_add(n, rest, nat_const(n, b->lo)),
                    .width = (int)(b->hi - b->lo));
    b->all.spot.at = b->lo, b->all.spot.width = p->width;
    b->all.p = p;
    return true;
}

/* Can no site of x clash with one of y? Asked for many of each, so each answer is kept for a while. */
static bool are_apart(const Scope *s, Bundle *x, Bundle *y)
{
    struct Apart *a = &x->asked[(unsigned)y->all.id % COUNT(x->asked)];
    if (a->from == y && a->in.fixed == s->fixed && a->in.carried == s->carried && a->in.moving == s->moving
        && a->in.required == s->required && a->in.aside == s->aside)
        return a->apart;
    a->from = y, a->in = *s;
    a->apart = x->count + y->count > 2 && is_one_access(s, x) && is_one_access(s, y) && !clash_in(s, &x->all, &y->all);
    return a->apart;
}

static inline bool clash(const Scope *s, Site *x, Site *y)
{
    bool at_once = x->atomic && x->atomic == y->atomic;
    return x->of == y->of && (x->write || y->write) && !at_once && !are_apart(s, x->bundle, y->bundle) && clash_in(s, x, y);
}

/* ---- sets of accesses ---- */

typedef struct Accesses {                /* each site once */
    Sites reads, writes;
    uint64_t *bits;                      /* of the sites in it; NULL: empty */
} Accesses;

typedef struct Range { Site *const *v; int n; } Range;

static Range range_of(const Insert *in, const Stmt *s)
{
    return (Range){in->trace.v + s->first_access, s->end_access - s->first_access};
}

static void add(Insert *in, Accesses *to, Site *s)
{
    if (!s->of->exchanged) return;
    if (!to->bits) to->bits = mem_alloc(((size_t)in->site_count / 64 + 1) * sizeof *to->bits);
    uint64_t *word = &to->bits[s->id / 64], bit = (uint64_t)1 << (s->id % 64);
    if (*word & bit) return;
    *word |= bit;
    if (s->write) vec_push(&to->writes, s);
    else vec_push(&to->reads, s);
}

static void add_all(Insert *in, Accesses *to, const Accesses *from)
{
    for (int i = 0; i < from->writes.n; i++) add(in, to, from->writes.v[i]);
    for (int i = 0; i < from->reads.n; i++) add(in, to, from->reads.v[i]);
}

static void release(Accesses *a)
{
    free(a->reads.v);
    free(a->writes.v);
    free(a->bits);
    *a = (Accesses){0};
}

static const Site *clash_among(const Scope *s, const Sites *x, Site *y)
{
    for (int i = 0; i < x->n; i++)
        if (clash(s, x->v[i], y)) return x->v[i];
    return NULL;
}

/* One of x that clashes with y. */
static const Site *clash_with(const Scope *s, const Accesses *x, Site *y)
{
    const Site *found = clash_among(s, &x->writes, y);
    return found || !y->write ? found : clash_among(s, &x->reads, y);
}

static const Site *find_clash(Insert *in, const Scope *s, const Accesses *x, Range y)
{
    const Site *found = NULL;
    int mark = ++in->mark;
    for (int i = 0; i < y.n && !found; i++) {
        if (y.v[i]->seen == mark || !y.v[i]->of->exchanged || (!x->writes.n && !y.v[i]->write)) continue;
        y.v[i]->seen = mark;
        found = clash_with(s, x, y.v[i]);
    }
    return found;
}

static Scope scope_at(Insert *in, const Loops *fixed)
{
    return (Scope){.m = &in->meets, .fixed = fixed, .moving = 1u << ID_LOCAL, .required = 1u << ID_LOCAL, .aside = in->lanes};
}

/* ---- inserting ---- */

/* What a block leaves behind: accesses before its first and after its last barrier (the same ones when it has none). */
typedef struct Ends { Accesses head, tail; bool barrier; } Ends;

/* What came before it no longer matters to what follows. */
static void pass_barrier(Ends *e)
{
    if (!e->barrier) {
        release(&e->head);
        e->head = e->tail;
        e->tail = (Accesses){0};
    }
    release(&e->tail);
    e->barrier = true;
}

static void put_barrier(Insert *in, Block *blk, Stmt *before, const Buffer *buf)
{
    Stmt *s = MAKE(in->b->arena, Stmt, .kind = S_BARRIER, .local_fence = in->fence_local || buf->space == SPACE_LOCAL,
                   .global_fence = in->fence_global || buf->space == SPACE_GLOBAL, .warp = in->in_warps, .lanes = in->in_registers, .next = before);
    in->b->needs.uses_warps |= in->in_warps && !in->in_registers;
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
    if (!before) blk->last = s;
}

static void need(Insert *in, Block *blk, Stmt *before, bool uniform, const Site *a)
{
    if (uniform) put_barrier(in, blk, before, a->p->buf);
    else build_fail(in->b, E53, in->k->root, "%s %s is shared by work-items that do not all come this way: a barrier "
                    "would stand in non-uniform control flow", space_name(a->p->buf->space), a->p->buf->name);
}

/* One statement may not read what another work-item writes in it. */
static void check_store(Insert *in, const Stmt *st)
{
    Range a = range_of(in, st);
    Site *w = a.n > 1 ? a.v[a.n - 1] : NULL;       /* a store comes behind the loads of its value */
    if (st->kind != S_STORE || !w || !w->write || !w->of->exchanged) return;
    Scope s = scope_at(in, in->loops);
    for (int i = 0; i < a.n; i++) {
        if (a.v[i]->write || !clash(&s, a.v[i], w)) continue;
        build_fail(in->b, E53, in->k->root, "%s is read by one work-item while another writes it; write the new values to "
                   "a second array", w->p->buf->name);
    }
}

/* From one iteration to the next: before the first statement of the body that clashes with its end. */
static void insert_carried(Insert *in, Stmt *loop, Ends *e, bool uniform)
{
    Scope s = scope_at(in, in->loops);
    if (e->barrier) s.carried = nat_atom(loop->var);            /* without one, any two rounds follow each other directly */
    const Site *found = NULL;
    for (int i = 0; i < e->head.writes.n && !found; i++) found = clash_with(&s, &e->tail, e->head.writes.v[i]);
    for (int i = 0; i < e->head.reads.n && !found; i++) found = clash_with(&s, &e->tail, e->head.reads.v[i]);
    if (!found) return;
    for (Stmt *st = loop->body.first; st && st->kind != S_BARRIER; st = st->next) {
        const Site *here = find_clash(in, &s, &e->tail, range_of(in, st));
        if (!here) continue;
        need(in, &loop->body, st, uniform && loop->uniform, here);
        break;
    }
    e->barrier = true;
}

static Ends insert_block(Insert *in, Block *blk, bool uniform)
{
    Ends e = {0};
    Scope s = scope_at(in, in->loops);
    for (Stmt *st = blk->first; st && !in->b->failed; st = st->next) {
        if (st->kind == S_BARRIER) {                 /* between warps */
            pass_barrier(&e);
            continue;
        }
        Range a = range_of(in, st);
        check_store(in, st);
        const Site *found = in->b->failed ? NULL : find_clash(in, &s, &e.tail, a);
        /* A barrier before st: what came before it no longer matters to what follows. */
        if (found) {
            need(in, blk, st, uniform, found);
            pass_barrier(&e);
        }
        if (st->kind == S_FOR || st->kind == S_IF || st->kind == S_UNIT) {
            const Loops *outer = in->loops;
            if (st->kind == S_FOR && nat_atom(st->var)) in->loops = st->loops;
            Ends inner = insert_block(in, &st->body, uniform && st->uniform);
            if (st->other.first) {
                Ends o = insert_block(in, &st->other, uniform && st->uniform);
                add_all(in, &inner.head, &o.head);
                add_all(in, &inner.tail, &o.tail);
                inner.barrier |= o.barrier;
                release(&o.head);
                release(&o.tail);
            }
            in->loops = outer;
            if (st->kind == S_FOR && !in->b->failed) insert_carried(in, st, &inner, uniform);
            if (inner.barrier && !e.barrier) {
                add_all(in, &e.head, &e.tail);
                add_all(in, &e.head, &inner.head);
            }
            if (inner.barrier && st->kind == S_FOR) release(&e.tail);
            add_all(in, &e.tail, &inner.tail);
            e.barrier |= inner.barrier;
            release(&inner.head);
            release(&inner.tail);
        } else
            for (int i = 0; i < a.n; i++) add(in, &e.tail, a.v[i]);
    }
    if (!e.barrier) add_all(in, &e.head, &e.tail);
    return e;
}

/* ---- all that may stand ---- */

static bool ends_with_barrier(const Stmt *s)
{
    const Stmt *last = s->kind == S_FOR ? s->body.first : NULL;
    while (last && last->next) last = last->next;
    return last && last->kind == S_BARRIER;
}

/* Behind every statement that touches what work-items share, where all of a group come: none is left out for what is known
 * of the accesses. top: nothing follows the block. */
static void keep_all(Insert *in, Block *blk, bool top)
{
    for (Stmt *st = blk->first; st; st = st->next) {
        Range a = range_of(in, st);
        if (a.n == 0) continue;
        if (st->kind != S_ATOMIC && stmt_has_bodies(st) && st->uniform) {
            keep_all(in, &st->body, false);
            keep_all(in, &st->other, false);
        }
        bool there = st->next ? st->next->kind == S_BARRIER : top;
        if (!there && !ends_with_barrier(st)) put_barrier(in, blk, st->next, a.v[0]->p->buf);
    }
}

/* ---- between work-items and work-groups ---- */

enum { LOCAL = 1u << ID_LOCAL, GROUPS = 1u << ID_GLOBAL | 1u << ID_GROUP, EVERY = LOCAL | GROUPS };

/* Does one write a cell of the buffer that another touches, where ids of these kinds differ (moving), and some of these do
 * (required)? again: also by the same access. */
static bool is_met(Insert *in, const Shared *h, unsigned moving, unsigned required, bool again)
{
    Scope s = {.m = &in->meets, .moving = moving, .required = required};
    for (int i = 0; i < h->sites.n; i++)
        for (int k = 0; k < i + again; k++)
            if (clash(&s, h->sites.v[k], h->sites.v[i])) return true;
    return false;
}

static bool has_ids(const Kernel *k, IdKind kind)
{
    return !k->id[kind][0]->is_const || !k->id[kind][1]->is_const || !k->id[kind][2]->is_const;
}

/* Of groups that have warps, and those of matrix units, whose first work-items, 4 by 8, are one: what only its lanes exchange needs no
 * barrier of the group. */
static unsigned lanes_of(const Build *b, const Kernel *k)
{
    if (k->warps) return 1u << 3 * ID_LOCAL;
    bool warps = b->needs.uses_units && k->local[0] == UNIT_ITEMS0 && k->local[1] == UNIT_ITEMS1 && k->local[2] > 1;
    return warps ? 1u << 3 * ID_LOCAL | 1u << (3 * ID_LOCAL + 1) : 0;
}

static void insert_all(Insert *in)
{
    Ends e = insert_block(in, &in->k->body, true);
    release(&e.head);
    release(&e.tail);
}

bool barrier_insert(Build *b, Kernel *k)
{
    Insert in = {.b = b, .k = k, .divided = k->divided, .table.arena = b->arena};
    bool keep = b->options->paranoid;
    dependence_tests_start(&in.meets, b, k);
    ptr_table_reserve(&in.table, 256);
    in.by_groups = has_ids(k, ID_GLOBAL) || has_ids(k, ID_GROUP);
    if (in.by_groups || has_ids(k, ID_LOCAL)) collect_block(&in, &k->body);
    if (in.by_groups && in.divided)      /* several cannot fill one array there together */
        build_fail(b, E53, k->root, "%s is in %s memory, which every work-group has for itself, but mapGlobal or "
                   "mapWorkgroup divides it among several: use toGlobal, or mapLocal or mapSeq in it", in.divided->name,
                   space_name(in.divided->space));
    for (int i = 0; i < in.shared.n && !b->failed; i++) {
        /* Do work-items of a group exchange anything through the buffer? keep: where they touch it at all. */
        Shared *h = in.shared.v[i];
        bool by_groups = in.by_groups && h->buf->space == SPACE_GLOBAL;
        if (by_groups && !keep && !is_met(&in, h, EVERY, EVERY, true)) continue;        /* each cell has one work-item of all */
        /* No barrier reaches another work-group: global cells that a kernel writes and touches again must stay with one. */
        if (by_groups && is_met(&in, h, EVERY, GROUPS, false))
            build_fail(b, E53, k->root, "%s is written by one work-group and used by another in the same kernel; "
                       "make the value a parallel nest of its own (toGlobal at the top) so that it gets its own kernel", h->buf->name);
        else h->exchanged = has_ids(k, ID_LOCAL) && (keep || is_met(&in, h, LOCAL, LOCAL, true));
        in.fence_local |= h->exchanged && h->buf->space == SPACE_LOCAL;
        in.fence_global |= h->exchanged && h->buf->space == SPACE_GLOBAL;
        h->waits = h->exchanged && h->buf->lane;
        in.any_waits |= h->waits;
        h->exchanged &= !h->waits;
    }
    if (!b->failed && (in.fence_local || in.fence_global)) {
        in.lanes = keep ? 0 : lanes_of(b, k);
        if (in.lanes) insert_all(&in);
        in.in_warps = in.lanes != 0, in.lanes = 0;
        insert_all(&in);
        if (in.any_waits) {
            in.in_registers = true;
            for (int i = 0; i < in.shared.n; i++) in.shared.v[i]->exchanged |= in.shared.v[i]->waits;
            insert_all(&in);
        }
        if (keep && !b->failed) keep_all(&in, &k->body, true);
    }
    for (int i = 0; i < in.shared.n; i++) free(in.shared.v[i]->sites.v);
    free(in.shared.v);
    free(in.trace.v);
    return !b->failed;
}

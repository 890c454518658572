/* pipeline: loops that copy the next tile while they work on one (software pipelining, double buffering). */
#include "translate_emit.h"

#include <stdlib.h>

/* Software pipelining with two buffers, or more: then the copies go there past the registers, rounds ahead. A loop
 *
 *     for i: tile = f(i); step(tile)        becomes        tile[0] = f(0)
 *                                                          for i: v = f(i + 1); step(tile[i % 2]); tile[(i + 1) % 2] = v
 *
 * so that loads are under way while the step computes, and one barrier a round is enough. */

typedef struct Renamed { const Buffer *from; Buffer *to; } Renamed;

typedef struct Pipeline {
    Build *b;
    Stmt *loop;
    VEC(Stmt *) body;
    char *part;                          /* of each statement of the body, as bits */
    char *readers, *writers;             /* of each buffer, by id: parts of the statements that read it, or write it, as bits */
    VEC(Buffer *) tiles;                 /* local memory that is filled a round ahead */
    const Nat **size;                    /* of one of their parts */
    int rounds;                          /* parts: rounds that they have in sight */
} Pipeline;

enum { PART_COPY = 1, PART_FETCH = 2, PART_STEP = 4 };      /* stores into tiles; values they need; the rest */

/* ---- which statement belongs where ---- */

static int tile_index(const Pipeline *p, const Buffer *buf) { return FIRST_NUMBER(i, p->tiles.n, p->tiles.v[i] == buf); }

/* May it be read a round early? Inputs, values, and whatever the loop does not write; at no index that was loaded. */
static bool place_early(const Pipeline *p, const Place *q)
{
    if (!q->buf->once && !q->buf->read_only && p->writers[q->buf->id]) return false;
    if (q->buf->space != SPACE_PRIVATE) return !index_is_loaded(p->b->k, q->at);
    return !ANY(d, q->buf->rank, index_is_loaded(p->b->k, q->element->idx[d]));
}

static bool expr_early(const Pipeline *p, const Expr *e)
{
    if (e->kind == X_NAT && index_is_loaded(p->b->k, e->nat)) return false;
    if (e->kind == X_LOAD && !place_early(p, &e->place)) return false;
    return ALL(i, e->arg_count, expr_early(p, e->args[i]));
}

typedef struct Uses { char *of, part; bool write; } Uses;

static bool note_use(void *data, const Place *place, bool write)
{
    const Uses *u = data;
    if (write == u->write) u->of[place->buf->id] |= u->part;
    return false;
}

static const Buffer *value_of(const Stmt *s)
{
    Buffer *buf = s->kind == S_ALLOC ? s->buf : s->kind == S_STORE ? s->place.buf : NULL;
    return buf && buf->once ? buf : NULL;
}

/* Mark the statements that give values to those marked PART_COPY or PART_FETCH behind them. False: one may not come early. */
static bool find_values(Pipeline *p)
{
    p->readers = NEW_ARRAY(p->b->arena, char, p->b->buffer_ids);
    for (int i = p->body.n - 1; i >= 0; i--) {
        const Stmt *s = p->body.v[i];
        int readers = value_of(s) ? p->readers[value_of(s)->id] : 0;
        bool early = p->part[i] == PART_COPY || readers & (PART_COPY | PART_FETCH);
        if (early && p->part[i] != PART_COPY) p->part[i] = (char)(PART_FETCH | (readers & PART_STEP));
        stmt_places(s, EVERY_SPACE, true, note_use, &(Uses){p->readers, p->part[i], false});
        if (!early || s->kind != S_STORE) continue;
        if (!expr_early(p, s->value) || (s->place.at && index_is_loaded(p->b->k, s->place.at))) return false;
    }
    return true;
}

/* Which statements fill the tiles, and what these need. False: some store into them is none that can come early, or there is none. */
static bool mark_copies(Pipeline *p)
{
    bool any = false;
    memset(p->writers, 0, (size_t)p->b->buffer_ids);
    for (int i = 0; i < p->body.n; i++) {
        const Stmt *s = p->body.v[i];
        bool fills = s->kind == S_STORE && tile_index(p, s->place.buf) >= 0;
        p->part[i] = fills ? PART_COPY : PART_STEP;
        any |= fills;
        stmt_places(s, EVERY_SPACE, true, note_use, &(Uses){p->writers, p->part[i], true});
    }
    return any && find_values(p) && ALL(k, p->tiles.n, p->writers[p->tiles.v[k]->id] == PART_COPY);
}

/* ---- statements for another round ---- */

typedef struct Recast {
    Pipeline *p;
    const Nat *round;                    /* in place of the loop's variable; NULL: stays */
    const Nat *half;                     /* of the tiles */
    VEC(Renamed) values;
} Recast;

static const Nat *recast_nat(Recast *r, const Nat *n)
{
    if (!n || !r->round) return n;
    NatBinding to = {nat_atom(r->p->loop->var), r->round};
    return nat_subst(r->p->b->n, n, &to, 1, r->p->b->facts);
}

static Place recast_place(Recast *r, const Place *from)
{
    Build *b = r->p->b;
    Place p = *from;
    for (int i = 0; i < r->values.n; i++)
        if (r->values.v[i].from == p.buf) p.buf = r->values.v[i].to;
    int tile = tile_index(r->p, p.buf);
    p.at = recast_nat(r, p.at);
    p.line = recast_nat(r, p.line);
    p.packed = recast_nat(r, p.packed);
    p.lane = recast_nat(r, p.lane);
    if (tile >= 0) p = place_moved(b, &p, nat_mul(b->n, r->p->size[tile], r->half));
    if (!p.element) return p;
    const Nat *idx[RANK_MAX];
    for (int d = 0; d < p.buf->rank; d++) idx[d] = recast_nat(r, p.element->idx[d]);
    p.element = element_of(b, p.buf, idx);
    return p;
}

/* e itself, where nothing in it moves. */
static const Expr *recast_expr(Recast *r, const Expr *e)
{
    if (!e || e->kind == X_LIT || e->kind == X_VALUE || (e->kind == X_NAT && !r->round)) return e;
    if (e->kind == X_LOAD && !r->round && !r->values.n && tile_index(r->p, e->place.buf) < 0) return e;
    const Expr *args[ARG_MAX];
    bool same = e->kind != X_NAT && e->kind != X_LOAD;
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = recast_expr(r, e->args[i]);
        same = same && args[i] == e->args[i];
    }
    if (same) return e;
    Expr *x = expr_copy(r->p->b, e);
    for (int i = 0; i < e->arg_count; i++) x->args[i] = args[i];
    if (e->kind == X_NAT) x->nat = recast_nat(r, e->nat);
    if (e->kind == X_LOAD) x->place = recast_place(r, &e->place);
    return x;
}

static void recast_unit(Recast *r, Unit *u)
{
    for (int i = 0; i < u->a.count; i++) u->a.at[i] = recast_place(r, &u->a.at[i]);
    for (int i = 0; i < u->b.count; i++) u->b.at[i] = recast_place(r, &u->b.at[i]);
    for (int i = 0; i < unit_sums(u); i++) u->sums[i] = recast_place(r, &u->sums[i]);
}

/* In place: statements belong to one block only. */
static void recast(Recast *r, Stmt *s)
{
    for (; s; s = s->next) {
        s->value = recast_expr(r, s->value);
        if (s->kind == S_STORE) s->place = recast_place(r, &s->place);
        if (s->kind == S_UNIT && s->unit) recast_unit(r, s->unit);
        recast(r, s->body.first);
        recast(r, s->other.first);
    }
}

/* ---- the new loop ---- */

static void wait(Build *b, int pending) { stmt_new(b, S_WAIT)->pending = pending; }


/* The values that the copies need, computed for r->round under names of their own. */
static void fetch(Recast *r)
{
    Pipeline *p = r->p;
    for (int i = 0; i < p->body.n; i++) {
        const Stmt *s = p->body.v[i];
        if (!(p->part[i] & PART_FETCH) || s->kind != S_STORE) continue;
        Buffer *made = stmt_value(p->b, "ahead", recast_expr(r, s->value));
        vec_push(&r->values, ((Renamed){s->place.buf, made}));
    }
}

/* The copies' values held in variables; NULL at other statements. */
static const Expr **load(Recast *r)
{
    Pipeline *p = r->p;
    const Expr **held = NEW_ARRAY(p->b->arena, const Expr *, p->body.n);
    for (int i = 0; i < p->body.n; i++) {
        if (!(p->part[i] & PART_COPY)) continue;
        held[i] = recast_expr(r, p->body.v[i]->value);
        if (!expr_is_atom(held[i]) && held[i]->kind != X_LANE) held[i] = expr_named(p->b, "ahead", held[i]);
    }
    return held;
}

static void store(Recast *r, const Expr *const *held, bool async)
{
    Pipeline *p = r->p;
    for (int i = 0; i < p->body.n; i++) {
        if (!(p->part[i] & PART_COPY)) continue;
        Place to = recast_place(r, &p->body.v[i]->place);
        stmt_assign(p->b, &to, held ? held[i] : recast_expr(r, p->body.v[i]->value));
        p->b->block->last->async = async;
    }
}

/* What the body does beside copies. */
static void take_step(Recast *now)
{
    Pipeline *p = now->p;
    for (int k = 0; k < p->body.n; k++) {
        if (!(p->part[k] & PART_STEP)) continue;
        Stmt *s = p->body.v[k];
        s->next = NULL;
        recast(now, s);
        if (p->loop->body.last) p->loop->body.last->next = s;
        else p->loop->body.first = s;
        p->loop->body.last = s;
    }
}

static void later_rounds(Pipeline *p)
{
    Build *b = p->b;
    const Nat *two = nat_const(b->n, 2), *i = p->loop->var, *next = nat_add(b->n, i, nat_const(b->n, 1));
    p->loop->body.first = p->loop->body.last = NULL;
    /* The next round, or in the last one that again, in a variable. */
    const Nat *one = nat_const(b->n, 1), *last = nat_sub(b->n, p->loop->limit, one);
    Buffer *v = stmt_value(b, "next", expr_nat(b, SC_I32, nat_min(b->n, nat_add(b->n, p->loop->var, one), last)));
    Recast ahead = {
        .p = p,
        .round = kernel_index(b, (VarInfo){.kind = VAR_OPAQUE, .shared = true}, v->name, p->loop->limit),
        .half = nat_mod(b->n, next, two, b->facts)};
    Recast now = {.p = p, .half = nat_mod(b->n, i, two, b->facts)};
    fetch(&ahead);
    const Expr **held = load(&ahead);
    take_step(&now);
    store(&ahead, held, false);
    free(ahead.values.v);
}

/* The copies of that round, if there is one, into its part of the tiles. False: there is none. */
static bool copy_round(Pipeline *p, const Nat *round)
{
    Build *b = p->b;
    const Expr *within = emit_compare(b, PRIM_LT, round, p->loop->limit);
    if (within->kind == X_LIT && !within->lit.i) return false;
    Recast r = {.p = p, .round = round, .half = nat_mod(b->n, round, nat_const(b->n, p->rounds), b->facts)};
    EmitScope scope = {0};
    if (within->kind != X_LIT) {
        Stmt *s = stmt_new(b, S_IF);
        s->value = within;
        s->uniform = true;
        scope = emit_enter(b, &s->body);
    }
    fetch(&r);
    store(&r, NULL, true);
    free(r.values.v);
    if (within->kind != X_LIT) emit_leave(b, scope);
    return true;
}

/* A round: the copies of the one that is last in sight, the step, and the wait for the next one's. Whoever waited has the others wait at the
 * barrier between two rounds, which the copies need anyway; where all are there before the loop, that waits for all. */
static void piped_rounds(Pipeline *p)
{
    Build *b = p->b;
    const Nat *i = p->loop->var;
    p->loop->body.first = p->loop->body.last = NULL;
    bool more = copy_round(p, nat_add(b->n, i, nat_const(b->n, p->rounds - 1)));
    Recast now = {.p = p, .half = nat_mod(b->n, i, nat_const(b->n, p->rounds), b->facts)};
    take_step(&now);
    if (more) wait(b, p->rounds - 2);
}

void pipeline_loop(Build *b, const Term *e, Stmt *before, Stmt *loop, int locals)
{
    bool piped = e->prim == PRIM_REDUCE_SEQ_PIPE;
    Pipeline p = {.b = b, .loop = loop, .rounds = 2};
    if (piped && !e->statics[0]->is_const) return;
    if (piped) p.rounds = (int)e->statics[0]->value;
    for (Stmt *s = loop->body.first; s; s = s->next) vec_push(&p.body, s);
    p.part = NEW_ARRAY(b->arena, char, p.body.n + 1);
    p.writers = NEW_ARRAY(b->arena, char, b->buffer_ids);
    VEC(Buffer *) early = {0};
    for (int k = locals; k < b->k->locals.n; k++) {
        p.tiles.n = 0;
        vec_push(&p.tiles, b->k->locals.v[k]);
        if (mark_copies(&p)) vec_push(&early, b->k->locals.v[k]);
    }
    p.tiles.n = 0;
    for (int k = 0; k < early.n; k++) vec_push(&p.tiles, early.v[k]);
    free(early.v);
    bool ok = p.tiles.n > 0 && mark_copies(&p);
    if (ok) {
        Block *outer = b->block, head = {0};
        p.size = NEW_ARRAY(b->arena, const Nat *, p.tiles.n);
        for (int i = 0; i < p.tiles.n; i++) p.size[i] = p.tiles.v[i]->count;
        block_open(b, &head);
        Recast r = {.p = &p, .round = nat_const(b->n, 0), .half = nat_const(b->n, 0)};
        for (int i = 0; piped && i < p.rounds - 1; i++) {
            copy_round(&p, nat_const(b->n, i));
            wait(b, i < p.rounds - 2 ? -1 : nat_less(b->n, nat_const(b->n, i + 1), loop->limit) || !loop->limit->is_const ? i : 0);
        }
        if (!piped) {
            fetch(&r);
            store(&r, NULL, false);
        }
        free(r.values.v);
        b->block = &p.loop->body;
        if (piped) piped_rounds(&p);
        else later_rounds(&p);
        b->block = outer;
        for (int i = 0; i < p.tiles.n; i++) {
            p.tiles.v[i]->count = nat_mul(b->n, p.size[i], nat_const(b->n, p.rounds));
            p.tiles.v[i]->phase = nat_atom(p.loop->var);
        }
        head.last->next = p.loop;
        if (before) before->next = head.first;
        else outer->first = head.first;
    }
    free(p.body.v);
    free(p.tiles.v);
    if (ok) return;
    build_warn(b, "%s at %s fetches nothing ahead: its step must copy (parts of) the element to local memory, from where the loop does "
               "not write, in at most %d whole rounds of the work-items", prim(prim_of(e))->name, build_path(b, e), LOCAL_UNROLL_MAX);
}

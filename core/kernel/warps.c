/* warps: arrays that lie in the registers of a warp's lanes (toLanes), and are read by shuffles. */
#include "dialect.h"

#include <stdlib.h>

/* Each lane holds the element that it stores. What another one holds it reads by a shuffle, to which all lanes of the warp have to come: for
 * statements to which some do not, and for choices, the shuffle is made before, under a name. An array is in registers where all that is
 * done with it is of that kind; else it stays in local memory, as it does on devices that have no shuffles. */

enum { LANES = 32, INNER_MOST = 16 };

typedef struct Lanes {
    Build *b;
    const Stmt *apart;                   /* the outermost statement around to whose bodies not all lanes come; NULL: they come to all */
    const Nat *inner[INNER_MOST];        /* variables of the loops from there on */
    int inner_count;
    Block held;                          /* the shuffles that are made before a statement */
    VEC(const Expr *) made, names;       /* what they read, and what holds that */
} Lanes;

static bool has_shuffles(const Build *b, const Kernel *k)
{
    const PlanOptions *o = b->options;
    return b->dialect->ptx && k->warps && k->local[0] == LANES && !o->paranoid;
}

/* Those that a shuffle moves. */
static bool is_word(const Buffer *buf) { return buf->scalar == SC_F32 || buf->scalar == SC_I32 || buf->scalar == SC_U32; }

static const Nat *row_of(Build *b, const Nat *at) { return nat_div(b->n, at, nat_const(b->n, LANES), b->facts); }

bool lane_is_own(const Place *p) { return p->at == p->buf->lane; }

/* ---- which arrays ---- */

/* A store to the lane's element of a row says which is its own. */
static bool find_own(void *data, const Place *p, bool write)
{
    Build *b = data;
    Buffer *buf = p->buf;
    const Nat *l0 = b->k->id[ID_LOCAL][0];
    if (!write || !buf->to_lanes || buf->lane || !is_word(buf)) return false;
    const Nat *row = row_of(b, p->at);
    if (nat_add(b->n, nat_mul(b->n, row, nat_const(b->n, LANES)), l0) == p->at && !nat_mentions(row, nat_atom(l0))) buf->lane = p->at;
    return false;
}

static bool leave_in_memory(void *unused, const Place *p, bool write)
{
    (void)unused, (void)write;
    p->buf->lane = NULL;
    return false;
}

/* Do some lanes not come to all of its bodies, or less often? */
static bool divides_lanes(const Build *b, const Stmt *s)
{
    return !s->uniform || (s->kind == S_FOR && (loop_rests(b->k, s) || loop_while(b->k, s)));
}

static bool is_chosen(const Expr *e, int arg)
{
    return e->kind == X_OP && arg > 0 && (prim_is_lazy(e->op) || prim_chooses(e->op));
}

/* May another lane's element be read there by a shuffle, or before w->apart? */
static bool may_shuffle(const Lanes *w, const Place *p)
{
    if (p->width != 1 || index_is_loaded(w->b->k, p->at) || row_of(w->b, p->at) != row_of(w->b, p->buf->lane)) return false;
    return w->inner_count < INNER_MOST && !ANY(i, w->inner_count, nat_mentions(p->at, nat_atom(w->inner[i])));
}

static void see_expr(const Lanes *w, const Expr *e)
{
    const Place *p = e->kind == X_LOAD ? &e->place : NULL;
    if (p && p->buf->lane && !lane_is_own(p) && !may_shuffle(w, p)) leave_in_memory(NULL, p, false);
    for (int i = 0; i < e->arg_count; i++) see_expr(w, e->args[i]);
}

static void see_block(Lanes *w, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        Lanes outer = *w;
        bool bodies = s->kind == S_FOR || s->kind == S_IF;
        if (s->kind == S_STORE && s->place.buf->lane && (w->apart || s->async || s->place.width != 1 || !lane_is_own(&s->place)))
            leave_in_memory(NULL, &s->place, true);
        if (stmt_has_bodies(s) && !bodies) {
            stmt_places(s, 1 << SPACE_LOCAL, true, leave_in_memory, NULL);
            continue;
        }
        if (s->value) see_expr(w, s->value);
        if (!bodies) continue;
        if (!w->apart && divides_lanes(w->b, s)) w->apart = s;
        if (w->apart && s->kind == S_FOR && nat_atom(s->var) && w->inner_count < INNER_MOST) w->inner[w->inner_count++] = s->var;
        see_block(w, &s->body);
        see_block(w, &s->other);
        *w = outer;
    }
}

/* ---- shuffles that are made before ---- */

static const Expr *held(Lanes *w, const Expr *e)
{
    for (int i = 0; i < w->made.n; i++)
        if (place_same(&w->made.v[i]->place, &e->place)) return w->names.v[i];
    Block *outer = w->b->block;
    w->b->block = &w->held;
    vec_push(&w->made, e);
    vec_push(&w->names, expr_named(w->b, "lane", e));
    w->b->block = outer;
    return w->names.v[w->names.n - 1];
}

/* e itself, where nothing in it is held. apart: not all lanes compute it. */
static const Expr *with_held(Lanes *w, const Expr *e, bool apart)
{
    const Expr *args[ARG_MAX];
    bool same = true;
    if (e->kind == X_LOAD) return apart && e->place.buf->lane && !lane_is_own(&e->place) ? held(w, e) : e;
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = with_held(w, e->args[i], apart || is_chosen(e, i));
        same = same && args[i] == e->args[i];
    }
    if (same) return e;
    Expr *x = expr_copy(w->b, e);
    for (int i = 0; i < e->arg_count; i++) x->args[i] = args[i];
    return x;
}

static void hold_bodies(Lanes *w, Stmt *s)
{
    for (int other = 0; other < 2; other++)
        for (Stmt *in = other ? s->other.first : s->body.first; in; in = in->next) {
            if (in->value) in->value = with_held(w, in->value, true);
            hold_bodies(w, in);
        }
}

static void hold_block(Lanes *w, Block *blk)
{
    Stmt **before = &blk->first;         /* where what is held goes: in front of a declaration, which its value follows */
    for (Stmt *s = blk->first; s; s = s->next) {
        bool bodies = s->kind == S_FOR || s->kind == S_IF, apart = bodies && divides_lanes(w->b, s);
        w->made.n = w->names.n = 0;
        w->held = (Block){.id = blk->id};
        if (s->value) s->value = with_held(w, s->value, false);
        if (apart) hold_bodies(w, s);
        if (w->held.first) w->held.last->next = *before, *before = w->held.first;
        if (s->kind != S_ALLOC) before = &s->next;
        if (bodies && !apart) hold_block(w, &s->body), hold_block(w, &s->other);
    }
}

void warps_find(Build *b, Kernel *k)
{
    Lanes w = {.b = b};
    if (!has_shuffles(b, k)) return;
    block_places(&k->body, 1 << SPACE_LOCAL, find_own, b);
    see_block(&w, &k->body);
    hold_block(&w, &k->body);
    for (int i = 0; i < k->locals.n; i++)
        if (k->locals.v[i]->lane) b->needs.shuffles |= 1u << k->locals.v[i]->scalar;
    free(w.made.v);
    free(w.names.v);
}

/* rests: loops that may end early. `if (c) { ... }` at the end of a round, where c hangs on what is left as it is when c is false: then it is
 * false in all rounds that follow. The same where all that outlives a round is `c ? new : old`, lane by lane of vectors. Other work-items
 * change nothing meanwhile, for there is no barrier. */
#include "kernel.h"

typedef struct Rests {
    const Kernel *k;
    const Stmt *loop;
    const NatAtom *var;                  /* of the loop */
} Rests;

/* The same in each round, as far as its numbers go? One that was loaded may hide the number of the round. */
static bool nat_stays(const Rests *r, const Nat *n) { return !n || (!nat_mentions(n, r->var) && !index_is_loaded(r->k, n)); }

static bool place_stays(const Rests *r, const Place *p)
{
    bool stays = nat_stays(r, p->at) && nat_stays(r, p->lane) && nat_stays(r, p->line) && nat_stays(r, p->packed);
    for (int d = 0; p->element && d < p->buf->rank; d++) stays = stays && nat_stays(r, p->element->idx[d]);
    return stays;
}

static bool expr_stays(const Rests *r, const Expr *e)
{
    if (e->kind == X_NAT && !nat_stays(r, e->nat)) return false;
    if (e->kind == X_LOAD && !place_stays(r, &e->place)) return false;
    return ALL(i, e->arg_count, expr_stays(r, e->args[i]));
}

/* Does the buffer begin to live there? */
static bool begins(const Block *blk, const Buffer *buf)
{
    for (const Stmt *s = blk->first; s; s = s->next)
        if ((s->kind == S_ALLOC && s->buf == buf) || (stmt_has_bodies(s) && (begins(&s->body, buf) || begins(&s->other, buf)))) return true;
    return false;
}

/* Does it change nothing but what is new in each round, and that in the same way? */
static bool only_computes(const Rests *r, const Stmt *s)
{
    switch (s->kind) {
    case S_ALLOC: return true;
    case S_STORE: return !s->async && begins(&r->loop->body, s->place.buf) && place_stays(r, &s->place) && expr_stays(r, s->value);
    case S_FOR: case S_IF: break;
    default: return false;
    }
    bool stays = s->kind == S_IF ? expr_stays(r, s->value) : nat_stays(r, s->from) && nat_stays(r, s->limit) && nat_stays(r, s->step);
    const Block *bodies[] = {&s->body, &s->other};
    for (int i = 0; i < COUNT(bodies); i++)
        for (const Stmt *in = bodies[i]->first; in && stays; in = in->next) stays = only_computes(r, in);
    return stays;
}

/* What was read from where, into a variable that the round begins with: that variable is stored there again. */
static bool stores_what_was_there(const Rests *r, const Stmt *end, const Stmt *s)
{
    if (s->kind != S_STORE || s->async || s->value->kind != X_LOAD || s->value->place.buf->rank || s->value->place.lane) return false;
    const Buffer *held = s->value->place.buf;
    const Stmt *from = NULL;
    for (const Stmt *in = r->loop->body.first; in != end; in = in->next) {
        if (!stmt_mentions(in, held) || in->kind == S_ALLOC) continue;
        bool read = in->kind == S_STORE && in->place.buf == held && in->value->kind == X_LOAD && place_same(&in->value->place, &s->place);
        if (!read || from) return false;
        from = in;
    }
    return from && begins(&r->loop->body, held);
}

static bool waits(const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->kind != S_STORE && s->kind != S_ALLOC && s->kind != S_FOR && s->kind != S_IF) return true;
        if (stmt_has_bodies(s) && (waits(&s->body) || waits(&s->other))) return true;
    }
    return false;
}

static bool changes_nothing(const Rests *r, const Stmt *end, const Block *side)
{
    for (const Stmt *s = side->first; s; s = s->next)
        if (!stores_what_was_there(r, end, s)) return false;
    return true;
}

const Block *loop_rests(const Kernel *k, const Stmt *loop)
{
    const Stmt *end = loop->body.last;
    Rests r = {k, loop, loop->var->term_count == 1 ? loop->var->terms[0].factors[0].atom : NULL};
    if (!r.var || !end || end->kind != S_IF || end->single || waits(&loop->body) || !expr_stays(&r, end->value)) return NULL;
    for (const Stmt *s = loop->body.first; s != end; s = s->next)
        if (!only_computes(&r, s)) return NULL;
    return changes_nothing(&r, end, &end->other) ? &end->other : changes_nothing(&r, end, &end->body) ? &end->body : NULL;
}

/* ---- choices ---- */

/* Rounds that are run as soon as they are asked for. */
enum { FEW_ROUNDS = 64 };

static bool reads_begun(const Rests *r, const Expr *e)
{
    return (e->kind == X_LOAD && begins(&r->loop->body, e->place.buf)) || ANY(i, e->arg_count, reads_begun(r, e->args[i]));
}

/* The only value that a variable of the round has; NULL: there is none. */
static const Expr *only_value(const Rests *r, const Buffer *held)
{
    const Expr *only = NULL;
    for (const Stmt *s = r->loop->body.first; s; s = s->next) {
        if (s->kind == S_STORE ? s->place.buf != held : !stmt_has_bodies(s) || !stmt_mentions(s, held)) continue;
        if (s->kind != S_STORE || only) return NULL;
        only = s->value;
    }
    return only;
}

/* The condition without which the store leaves its place as it was; NULL: there is none. */
static const Expr *changes_if(const Rests *r, const Stmt *s)
{
    const Expr *e = s->value;
    if (e->kind == X_LOAD && begins(&r->loop->body, e->place.buf)) e = only_value(r, e->place.buf);
    bool chooses = e && e->kind == X_OP && prim_chooses(e->op) && !s->async;
    return chooses && e->args[2]->kind == X_LOAD && place_same(&e->args[2]->place, &s->place) ? e->args[0] : NULL;
}

const Expr *loop_while(const Kernel *k, const Stmt *loop)
{
    Rests r = {k, loop, loop->var->term_count == 1 ? loop->var->terms[0].factors[0].atom : NULL};
    const Nat *rounds = loop->limit;
    const Expr *cond = NULL;
    if (!r.var || loop->unrolled || (rounds->is_const && rounds->value <= FEW_ROUNDS) || waits(&loop->body)) return NULL;
    for (const Stmt *s = loop->body.first; s; s = s->next) {
        bool outlives = s->kind == S_STORE && !begins(&loop->body, s->place.buf);
        const Expr *only = outlives ? changes_if(&r, s) : NULL;
        if (outlives ? !only || (cond && !expr_same(cond, only)) : !only_computes(&r, s)) return NULL;
        if (outlives) cond = only;
    }
    return cond && expr_stays(&r, cond) && !reads_begun(&r, cond) ? cond : NULL;
}

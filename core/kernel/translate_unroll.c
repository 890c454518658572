/* translate_unroll: unrolled maps and folds: translated once, written down for every round. */
#include "translate_emit.h"

#include <stdlib.h>

/* Unrolled maps and folds. Their body is translated once, for a round that is a variable, and what comes of it is written
 * down again for every round: the same text as from translating the body each time, at a fraction of the work. That is so
 * where the rounds differ in their indices alone and these are linear in the round; all others are translated one by one. */

/* An index, in round i: first + i*step. */
typedef struct Step {
    const Nat *index, *first;
    int64_t step, number;                /* number: beside the form, of the first */
    const Form *form;                    /* of all of them; NULL: not known */
} Step;

typedef struct Varying { const Expr *e, *made; } Varying;            /* an expression that differs, and as the round at hand has it */
typedef struct Moving { const Element *e; Element *made; } Moving;   /* likewise an element of a private array */
typedef struct Seen { const Nat *index; int step; } Seen;

/* What is known of the expressions, or elements, that the body made: those from an id on. What is older is the same in every round. */
typedef struct Marks { int first, count, *at; } Marks;               /* at: 1 + its place among those that differ; 0: it does not */

typedef struct Unroll {
    Build *b;
    const Nat *var;                      /* the round */
    const Stmt *body;
    VEC(Step) steps;
    const Nat **at;                      /* of them, in the round at hand */
    VEC(Varying) varying;                /* arguments first */
    VEC(Moving) moving;
    Marks exprs, elements;
    int first_buffer;                    /* buffers from that id on are the body's own */
    Buffer **own;                        /* those of the round at hand, by id */
    Seen seen[64];                       /* the last indices asked for; step -1: the same in every round */
    bool uneven;                         /* some index is not linear */
} Unroll;

/* ---- what differs from round to round ---- */

/* The number c where n = first + c*var; false: there is none. */
static bool step_in(const Nat *n, const NatAtom *var, int64_t *c)
{
    *c = 0;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        for (int f = 0; f < t->factor_count; f++) {
            const NatFactor *x = &t->factors[f];
            if (x->atom != var && (nat_mentions(x->atom->a, var) || nat_mentions(x->atom->b, var))) return false;
            if (x->atom == var && (x->exp != 1 || t->factor_count > 1 || t->den != 1)) return false;
            if (x->atom == var) *c = t->num;
        }
    }
    return true;
}

static int find_step(Unroll *u, const Nat *n)
{
    if (!nat_mentions(n, u->var->terms[0].factors[0].atom)) return -1;
    for (int i = u->steps.n - 1; i >= 0; i--)
        if (u->steps.v[i].index == n) return i;
    /* A new one. */
    Nats *s = u->b->n;
    const NatAtom *var = u->var->terms[0].factors[0].atom;
    Step x = {.index = n};
    u->uneven = u->uneven || !step_in(n, var, &x.step);
    x.first = nat_sub(s, n, nat_mul(s, nat_const(s, x.step), u->var));
    if (x.first) x.form = form_of(&u->b->k->forms, x.first, &x.number);
    const Nat *rest = x.form ? x.form->rest : NULL;
    if (rest && rest->term_count && !rest->terms[rest->term_count - 1].factor_count) x.form = NULL;       /* a number too large for it */
    u->uneven = u->uneven || !x.first;
    vec_push(&u->steps, x);
    return u->steps.n - 1;
}

/* Which step has the index? -1: it is the same in every round. */
static inline int step_of(Unroll *u, const Nat *n)
{
    if (!n || n->is_const) return -1;
    Seen *s = &u->seen[n->id % COUNT(u->seen)];
    if (s->index != n) *s = (Seen){n, find_step(u, n)};
    return s->step;
}

static bool is_own(const Unroll *u, const Buffer *buf) { return buf->id >= u->first_buffer; }

static void marks_end(const Unroll *u, Marks *m, int end)
{
    m->count = end - m->first;
    m->at = NEW_ARRAY(u->b->arena, int, m->count);
}

/* NULL: it is older. */
static int *mark_of(const Marks *m, int id) { return id >= m->first && id - m->first < m->count ? &m->at[id - m->first] : NULL; }

static bool note_element(Unroll *u, const Element *e)
{
    bool moves = false;
    int *mark = e ? mark_of(&u->elements, e->id) : NULL;
    if (!mark || *mark) return mark != NULL;
    for (int d = 0; d < e->buf->rank; d++) moves |= step_of(u, e->idx[d]) >= 0;
    if (!moves) return false;
    vec_push(&u->moving, ((Moving){e, NULL}));
    *mark = u->moving.n;
    return true;
}

static bool note_place(Unroll *u, const Place *p)
{
    bool moves = note_element(u, p->element), lane = step_of(u, p->lane) >= 0, at = step_of(u, p->at) >= 0, line = step_of(u, p->line) >= 0,
         packed = step_of(u, p->packed) >= 0;
    return moves || lane || at || line || packed || is_own(u, p->buf);
}

static const Varying *varying_of(const Unroll *u, const Expr *e)
{
    const int *mark = mark_of(&u->exprs, e->id);
    return mark && *mark ? &u->varying.v[*mark - 1] : NULL;
}

static bool note_expr(Unroll *u, const Expr *e)
{
    int *mark = mark_of(&u->exprs, e->id);
    if (!mark || *mark) return mark != NULL;
    bool varies = e->kind == X_LOAD && note_place(u, &e->place);
    for (int i = 0; i < e->arg_count; i++) varies |= note_expr(u, e->args[i]);
    if (!varies) return false;
    vec_push(&u->varying, ((Varying){e, NULL}));
    *mark = u->varying.n;
    return true;
}

/* ---- a round ---- */

static const Nat *index_again(Unroll *u, const Nat *n)
{
    int step = step_of(u, n);
    return step < 0 ? n : u->at[step];
}

static Place place_again(Unroll *u, const Place *from)
{
    Place p = *from;
    const int *mark = p.element ? mark_of(&u->elements, p.element->id) : NULL;
    if (is_own(u, p.buf)) p.buf = u->own[p.buf->id - u->first_buffer];
    if (mark && *mark) p.element = u->moving.v[*mark - 1].made;
    p.at = index_again(u, p.at);
    p.line = index_again(u, p.line);
    p.packed = index_again(u, p.packed);
    p.lane = index_again(u, p.lane);
    return p;
}

static const Expr *expr_again(Unroll *u, const Expr *e)
{
    const Varying *v = varying_of(u, e);
    return v ? v->made : e;
}

/* The varying expressions from `from` on, up to those that s needs. Returns where the next ones begin. */
static int make_varying(Unroll *u, int from, const Stmt *s)
{
    const Varying *last = varying_of(u, s->value);
    for (; last && &u->varying.v[from] <= last; from++) {
        Varying *v = &u->varying.v[from];
        Expr *e = expr_copy(u->b, v->e);
        if (e->kind == X_LOAD) e->place = place_again(u, &e->place);
        for (int i = 0; i < e->arg_count; i++) e->args[i] = expr_again(u, e->args[i]);
        v->made = e;
    }
    return from;
}

static void write_round(Unroll *u, int64_t i)
{
    Build *b = u->b;
    const Term *origin = b->origin;
    int next = 0;
    for (int k = 0; k < u->steps.n; k++) {
        const Step *x = &u->steps.v[k];
        int64_t more, number;
        const Nat *at = mul_ok(x->step, i, &more) ? nat_add(b->n, x->first, nat_const(b->n, more)) : NULL;
        bool small = at && x->form && add_ok(x->number, more, &number) && number <= INT32_MAX && number >= -INT32_MAX;
        if (small) forms_note(&b->k->forms, at, x->form, number);
        u->at[k] = at;
        if (!u->at[k]) build_fail(b, E54, b->in.reader, "an index is too large");
    }
    for (int k = 0; k < u->moving.n && !b->failed; k++) {
        const Element *e = u->moving.v[k].e;
        const Nat *idx[RANK_MAX];
        for (int d = 0; d < e->buf->rank; d++) idx[d] = index_again(u, e->idx[d]);
        u->moving.v[k].made = element_of(u->b, e->buf, idx);
    }
    for (const Stmt *s = u->body; s && !b->failed; s = s->next) {
        b->origin = s->origin;
        if (s->kind == S_ALLOC) {
            u->own[s->buf->id - u->first_buffer] = stmt_declare_value(b, s->buf->name, s->buf->scalar, s->buf->width);
        } else {
            next = make_varying(u, next, s);
            Place p = place_again(u, &s->place);
            const Stmt *last = u->b->block->last;
            stmt_assign(u->b, &p, expr_again(u, s->value));
            if (u->b->block->last != last) u->b->block->last->stream = s->stream;
        }
    }
    b->origin = origin;
}

/* ---- all rounds ---- */

/* The body for a round that is a variable, in a block of its own. False: it has to be translated round by round. */
static bool translate_round(Unroll *u, const Nat *n, EmitBody *body, void *data, Block *scratch)
{
    Build *b = u->b;
    bool outer = b->any_round;
    u->var = nat_fresh_index(b->n, "round", n);
    u->first_buffer = b->buffer_ids;
    u->exprs.first = b->expr_ids;
    u->elements.first = b->k->element_count;
    EmitScope scope = emit_enter(b, scratch);
    b->any_round = true;
    body(b, data, u->var);
    b->any_round = outer;
    emit_leave(b, scope);
    u->body = scratch->first;
    marks_end(u, &u->exprs, b->expr_ids);
    marks_end(u, &u->elements, b->k->element_count);
    /* Is the body a row of stores and named values, and all that differs linear? */
    if (!b->failed) {
        for (const Stmt *s = u->body; s && !u->uneven; s = s->next) {
            if (s->kind != S_STORE && !(s->kind == S_ALLOC && s->buf->once)) return false;
            if (s->kind == S_STORE) note_expr(u, s->value), note_place(u, &s->place);
        }
        return !u->uneven;
    }
    b->failed = false;
    diag_clear(&b->c->diag);
    return false;
}

bool unroll_rounds(Build *b, const Nat *n, EmitBody *body, void *data)
{
    Block scratch = {0};
    Unroll u = {.b = b};
    if (b->failed) return false;                       /* what failed before this is not ours to take back */
    bool same = translate_round(&u, n, body, data, &scratch);
    if (same) {
        u.at = NEW_ARRAY(b->arena, const Nat *, u.steps.n);
        u.own = NEW_ARRAY(b->arena, Buffer *, b->buffer_ids - u.first_buffer);
        for (int64_t i = 0; i < n->value && !b->failed; i++) write_round(&u, i);
    }
    free(u.steps.v);
    free(u.varying.v);
    free(u.moving.v);
    return same;
}

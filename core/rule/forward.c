/* forward: where a place is after a rewrite.
 *
 * A place inside the redex is followed by doing the step once more with a mark around the subterm there: the left side is
 * matched, the mark is put into what the metavariable above the place stands for, and the right side is built. Without its
 * marks that must be the very term the step gave, so what is found is never wrong, whatever beta-reduction did. */
#include "match.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(Path) Paths;

/* ---- marks: at %here (padConst 0 0 t %here), of t's type and no more costly than t ---- */

static const char mark_name[] = "%here";     /* no name that a text can give */

static const Term *mark(Ctx *c, const Term *t)
{
    const Nat *statics[2] = {nat_const(c->nats, 0), nat_const(c->nats, 0)};
    const Type *one = type_array(c, nat_const(c->nats, 1), t->type);
    const Term *args[2] = {t, term_input(c, mark_name, one)};
    return term_prim2(c, PRIM_AT, term_input(c, mark_name, type_scalar(c, SC_I32)),
                      term_prim(c, PRIM_PAD_CONST, statics, 2, args, 2));
}

static const Term *marked(const Term *t)     /* what the mark is around, NULL: no mark */
{
    bool is = term_is(t, PRIM_AT) && t->args[0]->kind == T_INPUT
        && !strcmp(t->args[0]->u.name, mark_name);
    return is ? t->args[1]->args[0] : NULL;
}

typedef struct Stripped { const Term *from, *to; } Stripped;

typedef struct Strip {
    Ctx *c;
    PtrTable done;
} Strip;

static bool same_from(const void *key, const void *item) { return ((const Stripped *)item)->from == key; }

/* t without its marks. */
static const Term *strip(Strip *s, const Term *t)
{
    const Stripped *old = ptr_table_find(&s->done, t->id, same_from, t);
    if (old) return old->to;
    const Term *inner = marked(t), *r = inner ? strip(s, inner) : t, *args[ARG_MAX];
    for (int i = 0; !inner && i < t->arg_count; i++) {
        args[i] = strip(s, t->args[i]);
        if (args[i] != t->args[i]) r = NULL;
    }
    if (!r && !inner) r = term_with_args(s->c, t, args);
    Stripped *d = MAKE(s->c->scratch, Stripped, t, r);
    ptr_table_add(&s->done, t->id, d);
    return r;
}

/* ---- one step, open for tracing ---- */

typedef struct Trace {
    Ctx *c;
    ArenaMark mark;                          /* of the context's scratch */
    const Rewrite *r;
    int spine;                               /* slots on the way to the redex whose nodes differ in that slot alone */
    const Term *before, *after;              /* at the end of the spine */
    bool matched;                            /* state holds how the left side matched */
    MatchState state;
    Paths all;                               /* where the last place is now */
    Diag outer;                              /* of the caller: what goes wrong here is no error */
} Trace;

static void add(Paths *all, const Path *p)
{
    if (ANY(i, all->n, path_equal(&all->v[i], p))) return;
    vec_push(all, *p);
}

static bool differs_only_in(const Term *a, const Term *b, int slot)
{
    if (a->kind != b->kind || a->prim != b->prim || a->arg_count != b->arg_count || a->static_count != b->static_count)
        return false;
    if (term_is(a, PRIM_PROJ) && a->u.proj != b->u.proj) return false;
    if (ANY(i, a->static_count, a->statics[i] != b->statics[i])) return false;
    return !ANY(i, a->arg_count, i != slot && a->args[i] != b->args[i]);
}

static bool take_match(void *data, const MatchState *s)
{
    Trace *t = data;
    if (rule_right_side(t->c, t->c->scratch, t->r->rule, s->env, s->hints, t->before->type) != t->after) return false;
    t->state = *s;
    return true;
}

static void trace_open(Trace *t, Ctx *c, const Rewrite *r)
{
    *t = (Trace){.c = c, .mark = arena_mark(c->scratch), .r = r, .before = r->before, .after = r->after, .outer = c->diag};
    c->diag = diag_new();
    for (; t->spine < r->at.length; t->spine++) {
        int slot = r->at.slots[t->spine];
        if (slot >= term_slot_count(t->before) || !differs_only_in(t->before, t->after, slot)) break;
        t->before = term_slot(t->before, slot);
        t->after = term_slot(t->after, slot);
    }
    if (r->rule && t->spine == r->at.length && t->before->kind != T_LAM)
        t->matched = rule_each_match(c, t->c->scratch, r->rule, r->args, r->before, &r->at, take_match, t);
}

static void trace_close(Trace *t)
{
    arena_release(t->c->scratch, t->mark);
    free(t->all.v);
    diag_free(&t->c->diag);
    t->c->diag = t->outer;
}

/* ---- equal subterms ---- */

/* Every place under p that holds the very term `want`, or with levels >= 0 what it is when seen from outside: levels
 * indices are bound around the place so far. */
static void find_equal(Trace *t, const Term *at, Path *p, int levels, const Term *want)
{
    if (levels >= 0 ? term_shift(t->c, at, -levels, 0) == want : at == want) add(&t->all, p);
    if (at->size < want->size || p->length == PATH_MAX_LENGTH) return;
    for (int i = 0; i < term_slot_count(at); i++) {
        Path under = *p;
        under.slots[under.length++] = (uint8_t)i;
        find_equal(t, term_slot(at, i), &under, levels < 0 ? levels : path_binders(t->after, &under), want);
    }
}

/* ---- through the rule ---- */

static const Env *with_mark(Trace *t, const MetaPlace *m, const Path *p)
{
    const Env *old = env_find(t->state.env, m->name);
    Path inside = {0};
    if (!old) return NULL;
    if (m->applied) inside.slots[inside.length++] = 0;
    if (inside.length + p->length - m->length > PATH_MAX_LENGTH) return NULL;
    memcpy(inside.slots + inside.length, p->slots + m->length, (size_t)(p->length - m->length));
    inside.length = (uint8_t)(inside.length + p->length - m->length);
    const Term *whole = old->kind == BIND_LIST ? old->terms[m->index] : old->term;
    const Term *part = path_term(whole, &inside);
    const Term *made = part && part->kind != T_LAM ? path_replace(t->c, whole, &inside, mark(t->c, part)) : NULL;
    if (!made) return NULL;
    Env *b = arena_copy(t->c->scratch, old, sizeof *old);
    b->next = t->state.env;
    b->term = made;
    if (old->kind != BIND_LIST) return b;
    const Term **terms = arena_copy(t->c->scratch, old->terms, sizeof *terms * (size_t)old->count);
    terms[m->index] = made;
    b->terms = terms;
    return b;
}

/* The marks in a term with marks at p, p counted without them; only where the term without marks agrees. */
static void find_marks(Trace *t, Strip *s, const Term *at, Path *p)
{
    const Term *inner = marked(at);
    if (strip(s, at) == at) return;
    if (inner && path_term(t->after, p) == strip(s, inner)) add(&t->all, p);
    if (inner) {
        find_marks(t, s, inner, p);
        return;
    }
    for (int i = 0; i < term_slot_count(at) && p->length < PATH_MAX_LENGTH; i++) {
        Path under = *p;
        under.slots[under.length++] = (uint8_t)i;
        find_marks(t, s, term_slot(at, i), &under);
    }
}

/* ---- places ---- */

static bool is_below(const Path *p, const Path *top, int length)
{
    return p->length > length && !memcmp(p->slots, top->slots, (size_t)length);
}

static bool is_lambda(const Term *root, const Path *p)
{
    const Term *t = path_term(root, p);
    return t && t->kind == T_LAM;
}

/* Everywhere that p is now, as whole paths, into t->all. False: it is gone. */
static bool follow(Trace *t, const Path *p)
{
    const Path *at = &t->r->at;
    t->all.n = 0;
    if (t->r->before == t->r->after || !is_below(p, at, t->spine)) {
        add(&t->all, p);
        return path_term(t->r->after, p) != NULL;
    }
    Path inside = {.length = (uint8_t)(p->length - t->spine)};
    memcpy(inside.slots, p->slots + t->spine, inside.length);
    bool lambda = is_lambda(t->before, &inside);
    if (lambda && inside.length < PATH_MAX_LENGTH) inside.slots[inside.length++] = 0;
    if (t->matched) {
        /* The lowest one at or above p: what is in the hole of a context is below it. */
        const MetaPlace *m = NULL;
        for (const MetaPlace *x = t->state.metas; x; x = x->next)
            if (x->length <= inside.length && (!m || x->length > m->length) &&
                !memcmp(x->slots, inside.slots, (size_t)x->length)) m = x;
        const Env *env = m ? with_mark(t, m, &inside) : NULL;
        if (env) {
            const Term *right = rule_right_side(t->c, t->c->scratch, t->r->rule, env, t->state.hints, t->before->type);
            Strip s = {.c = t->c, .done.arena = t->c->scratch};
            Path root = {0};
            if (right && strip(&s, right) == t->after) find_marks(t, &s, right, &root);
        }
    }
    if (t->all.n == 0) {
        /* The only subterm equal to what was at p, as seen from the end of the spine; failing that, index by index. So
         * what a rule writes on both sides is found, too. */
        const Term *old = path_term(t->before, &inside);
        const Term *outside = term_shift(t->c, old, -path_binders(t->before, &inside), 0);
        Path root = {0};
        if (outside) find_equal(t, t->after, &root, 0, outside);
        else find_equal(t, t->after, &root, -1, old);
        if (t->all.n > 1) t->all.n = 0;
    }
    /* A lambda is where its body is directly under one. */
    for (int i = 0; lambda && i < t->all.n; i++) {
        Path up = t->all.v[i];
        if (up.length == 0) continue;
        up.length--;
        if (is_lambda(t->after, &up)) t->all.v[i] = up;
    }
    for (int i = 0; i < t->all.n; i++) {
        Path *q = &t->all.v[i], whole = {.length = (uint8_t)t->spine};
        memcpy(whole.slots, at->slots, whole.length);
        if (t->spine + q->length > PATH_MAX_LENGTH) return false;
        memcpy(whole.slots + whole.length, q->slots, q->length);
        whole.length = (uint8_t)(whole.length + q->length);
        *q = whole;
    }
    return t->all.n > 0;
}

int place_forward(Ctx *c, const Rewrite *r, const Path *p, Path *out)
{
    Trace t;
    Path at = *p;
    trace_open(&t, c, r);
    int n = follow(&t, &at) ? t.all.n : 0;
    while (at.length > 0 && t.all.n == 0) {
        at.length--;
        if (!follow(&t, &at)) t.all.n = 0;
    }
    *out = t.all.n ? t.all.v[0] : (Path){0};
    trace_close(&t);
    return n;
}

/* The first place at or under `from` that goes to p. */
static bool find_source(Trace *t, const Path *from, const Path *p, Path *out)
{
    const Term *here = path_term(t->r->before, from);
    *out = *from;
    if ((here->kind == T_LAM) == is_lambda(t->r->after, p) && follow(t, from) && ANY(i, t->all.n, path_equal(&t->all.v[i], p)))
        return true;
    for (int i = 0; i < term_slot_count(here) && from->length < PATH_MAX_LENGTH; i++) {
        Path under = *from;
        under.slots[under.length++] = (uint8_t)i;
        if (find_source(t, &under, p, out)) return true;
    }
    return false;
}

bool place_backward(Ctx *c, const Rewrite *r, const Path *p, Path *out)
{
    Trace t;
    Path at = *p, top = r->at;
    trace_open(&t, c, r);
    top.length = (uint8_t)t.spine;
    for (;; at.length--) {
        *out = at;
        if (r->before == r->after || !is_below(&at, &r->at, t.spine)) break;
        if (find_source(&t, &top, &at, out)) break;
    }
    trace_close(&t);
    return at.length == p->length;
}

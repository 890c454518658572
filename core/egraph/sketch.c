/* sketch: the smallest term of a class that a sketch describes, and what of a sketch is there. */
#include "egraph_private.h"

#include <stdlib.h>

struct Holding {                         /* of one pattern: for each class the smallest term with a match of it somewhere */
    const Ast *pattern;
    const Term **best;                   /* by root of the class; malloc */
};

typedef struct Smallest {
    Egraph *g;
    const Term *at, *best;
} Smallest;

static bool smaller(const Term *a, const Term *b) { return !b || a->size < b->size || (a->size == b->size && a->id < b->id); }

static bool found(void *data, const MatchState *state)
{
    Smallest *s = data;
    const Term *t = egraph_chosen(s->g, s->at, state->choices);
    if (t && smaller(t, s->best)) s->best = t;
    return false;
}

static const Term *containing(void *data, const Ast *p, const Term *t);
static const Term *next_equal(void *data, const Term *t, PrimId head, int *i)
{
    Sketch *s = data;
    MatchEqual of = egraph_equal(s->g);
    return of.next(of.data, t, head, i);
}

/* The smallest term of a class that matches the pattern itself; NULL: none. */
static const Term *matching(Sketch *s, const Ast *p, int root)
{
    Egraph *g = s->g;
    Smallest best = {g, g->nodes.v[g->nodes.v[root].best].term, NULL};
    if (best.at->kind == T_LAM) return NULL;
    MatchEqual equal = {s, next_equal, containing};
    ArenaMark mark = arena_mark(g->c->scratch);
    Matcher m = {.c = g->c, .arena = g->c->scratch, .source = s->source, .found = found, .data = &best, .equal = &equal};
    match_term(&m, p, best.at, s->names);
    arena_release(g->c->scratch, mark);
    return best.best;
}

/* Of the terms that hold a match and are direct parts of an e-node, the e-node with that part in place of its own. */
static const struct Holding *holding(Sketch *s, const Ast *p)
{
    Egraph *g = s->g;
    for (int i = 0; i < s->holdings.n; i++)
        if (s->holdings.v[i].pattern == p) return &s->holdings.v[i];
    const Term **best = mem_alloc(sizeof *best * (size_t)g->nodes.n);
    int nodes = g->nodes.n;
    PrimId head = pattern_begins(p);
    Ints queue = {0};
    for (int i = 0; i < nodes; i++) {
        const Node *c = &g->nodes.v[i];
        if (c->up != i) continue;
        bool may = head == PRIM_COUNT || ANY(k, c->members.n, term_is(g->nodes.v[c->members.v[k]].term, head));
        best[i] = may ? matching(s, p, i) : NULL;
        if (best[i]) vec_push(&queue, i);
    }
    for (int at = 0; at < queue.n && !(g->stop && *g->stop); at++) {
        int child = queue.v[at];
        const Ints *parents = &g->nodes.v[child].parents;
        for (int k = 0; k < parents->n; k++) {
            const Node *parent = &g->nodes.v[parents->v[k]];
            int root = egraph_find(g, parents->v[k]);
            if (parent->stale) continue;
            for (int i = 0; i < parent->term->arg_count; i++) {
                const Term *args[ARG_MAX];
                int arg = egraph_node(g, parent->term->args[i]);
                if (arg < 0 || egraph_find(g, arg) != child) continue;
                memcpy(args, parent->term->args, sizeof *args * parent->term->arg_count);
                args[i] = best[child];
                if (best[root] && best[root]->size <= parent->term->size - parent->term->args[i]->size + args[i]->size) continue;
                const Term *t = egraph_with_args(g, parent->term, args);
                if (!t || !smaller(t, best[root])) continue;
                best[root] = t;
                vec_push(&queue, root);
            }
        }
    }
    free(queue.v);
    vec_push(&s->holdings, ((struct Holding){p, best}));
    return &s->holdings.v[s->holdings.n - 1];
}

static const Term *containing(void *data, const Ast *p, const Term *t)
{
    Sketch *s = data;
    int n = egraph_node(s->g, t);
    return n < 0 ? NULL : holding(s, p)->best[egraph_find(s->g, n)];
}

static void forget(Sketch *s)
{
    for (int i = 0; i < s->holdings.n; i++) free((void *)s->holdings.v[i].best);
    free(s->holdings.v);
    s->holdings.v = NULL;
    s->holdings.n = s->holdings.cap = 0;
}

const Term *sketch_best(Sketch *s, int root)
{
    const Term *best = matching(s, s->ast, egraph_find(s->g, root));
    forget(s);
    return best;
}

/* ---- what is there and what is not ---- */

static const char *text_of(Sketch *s, const Ast *p, Arena *arena)
{
    return source_part(arena, s->source, p->span);
}

/* Primitives with what they are applied to, the inner ones first: whether some term of the root's class has them. */
static void parts(Sketch *s, const Ast *p, int root, Arena *arena, ReachResult *out)
{
    for (int i = 0; i < p->kid_count; i++) parts(s, p->kids[i], root, arena, out);
    if (p == s->ast || p->kind != AST_APP || pattern_begins(p) == PRIM_COUNT || p->span.to <= p->span.from) return;
    const char *text = text_of(s, p, arena);
    bool held = holding(s, p)->best[root] != NULL;
    int *n = held ? &out->held_count : &out->missing_count;
    const char **list = held ? out->held : out->missing;
    if (*n < COUNT(out->held) && text_index(list, *n, text) < 0) list[(*n)++] = text;
}

void sketch_parts(Sketch *s, int root, Arena *arena, ReachResult *out)
{
    parts(s, s->ast, egraph_find(s->g, root), arena, out);
    forget(s);
}

/* sketch: the smallest term of a class that a sketch describes, and what of a sketch is there. */
#include "egraph_private.h"

#include <stdlib.h>

struct Holding {                         /* of one pattern: for each class the smallest term with a match of it somewhere */
    const Ast *pattern;
    const Term **best;                   /* by root of the class; malloc */
};

enum { FUEL = 1 << 24, MATCHES_MOST = 1000 };

typedef struct Known { uint64_t key; const Term *smallest; } Known;

typedef struct Smallest {
    Egraph *g;
    const Term *at, *best;
    int count;
} Smallest;

static bool smaller(const Term *a, const Term *b) { return !b || a->size < b->size; }      /* of equal ones the first: ids know what was before */

/* Names of open sizes stand for different ones: what is reached then is what was asked for in general. */
static bool opens_apart(const Env *env)
{
    for (const Env *a = env; a; a = a->next) {
        const NatAtom *open = a->kind == BIND_SIZE ? nat_atom(a->nat) : NULL;
        if (!open || open->var != VAR_PARAM || strncmp(open->name, REACH_PARAM, strlen(REACH_PARAM))) continue;
        for (const Env *b = a->next; b; b = b->next)
            if (b->kind == BIND_SIZE && b->nat == a->nat) return false;
    }
    return true;
}

static bool found(void *data, const MatchState *state)
{
    Smallest *s = data;
    const Term *t = egraph_chosen(s->g, s->at, state->choices);
    if (!t || !opens_apart(state->env)) return false;
    if (smaller(t, s->best)) s->best = t;
    return ++s->count == MATCHES_MOST;
}

static const Term *containing(void *data, const Ast *p, const Term *t);
static const EqualTerm *all_equal(void *data, const Term *t, PrimId head, int *n)
{
    MatchEqual of = egraph_equal(((Sketch *)data)->g);
    return of.all(of.data, t, head, n);
}

static uint64_t heads_of(void *data, const Term *t)
{
    MatchEqual of = egraph_equal(((Sketch *)data)->g);
    return of.heads(of.data, t);
}

/* ---- parts without metavariables ---- */

typedef struct Part { const Ast *pattern; bool apart; } Part;

static bool same_part(const void *pattern, const void *part) { return pattern == ((const Part *)part)->pattern; }

/* Asked of the same few parts in each class. */
static bool is_apart(void *data, const Ast *p)
{
    Sketch *s = data;
    uint64_t hash = hash_mix(0, (uint64_t)(uintptr_t)p);
    const Part *known = ptr_table_find(&s->parts, hash, same_part, p);
    if (known) return known->apart;
    const char *name = p->name;
    bool apart = p->kind != AST_NAME ? ALL(i, p->kid_count, is_apart(s, p->kids[i]))
               : !strcmp(name, "_") || name[0] == '%' || ast_prim(p) != PRIM_COUNT || env_find(s->names, name) || pattern_binds_name(s->ast, name);
    ptr_table_add(&s->parts, hash, MAKE(s->g->arena, Part, p, apart));
    return apart;
}

static bool same_key(const void *key, const void *item) { return *(const uint64_t *)key == ((const Known *)item)->key; }

static bool known(void *data, uint64_t key, const Term **smallest)
{
    Sketch *s = data;
    const Known *k = ptr_table_find(&s->smallest, key, same_key, &key);
    if (k) *smallest = k->smallest;
    return k != NULL;
}

static void remember(void *data, uint64_t key, const Term *smallest)
{
    Sketch *s = data;
    ptr_table_add(&s->smallest, key, MAKE(s->g->arena, Known, key, smallest));
}

static const Term *with_choices(void *data, const Term *t, const Choice *choices) { return egraph_chosen(((Sketch *)data)->g, t, choices); }

/* The smallest term of a class that matches the pattern itself; NULL: none. */
static const Term *matching(Sketch *s, const Ast *p, int root)
{
    Egraph *g = s->g;
    Smallest best = {.g = g, .at = g->nodes.v[g->nodes.v[root].best].term};
    if (best.at->kind == T_LAM) return NULL;
    MatchEqual equal = {s, all_equal, heads_of, containing, is_apart, known, remember, with_choices};
    ArenaMark mark = arena_mark(g->c->scratch);
    Matcher m = {.c = g->c, .arena = g->c->scratch, .source = s->source, .found = found, .data = &best, .equal = &equal, .fuel = FUEL};
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
        bool may = head == PRIM_COUNT || ANY(k, c->members.n, c->members.v[k].head == (int)head);
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
    ptr_table_free(&s->smallest);
    ptr_table_free(&s->parts);
    s->smallest = s->parts = (PtrTable){0};
    s->holdings.v = NULL;
    s->holdings.n = s->holdings.cap = 0;
}

const Term *sketch_best(Sketch *s, int root)
{
    const Term *best = matching(s, s->ast, egraph_find(s->g, root));
    forget(s);
    return best;
}

static bool found_any(void *data, const MatchState *state)
{
    (void)data;
    return opens_apart(state->env);
}

bool sketch_describes(void *sketch, const Term *t)
{
    const Sketch *s = sketch;
    Ctx *c = s->g->c;
    ArenaMark mark = arena_mark(c->scratch);
    Matcher m = {.c = c, .arena = c->scratch, .source = s->source, .found = found_any};
    bool is = match_term(&m, s->ast, t, s->names);
    arena_release(c->scratch, mark);
    return is;
}

/* ---- what is there and what is not ---- */

/* Of its parts, which some term of the root's class has. */
void sketch_parts(Sketch *s, const SearchPattern *sketch, int root, Arena *arena, ReachResult *out)
{
    const SearchPattern **parts;
    const Source *source;
    int n = pattern_parts(sketch, s->g->arena, &parts);
    for (int i = 0; i < n; i++) {
        bool held = holding(s, pattern_ast(parts[i], &source))->best[egraph_find(s->g, root)] != NULL;
        int *count = held ? &out->held_count : &out->missing_count;
        if (*count < COUNT(out->held)) (held ? out->held : out->missing)[(*count)++] = pattern_text(parts[i], arena);
    }
    forget(s);
}

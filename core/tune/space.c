/* space: all legal points of a parameter space as a multi-valued decision diagram. */
#include "tune_private.h"

#include <stdlib.h>
#include <string.h>

/* STEPS_AN_EDGE: a diagram with few edges may still take many candidates to find them. */
enum { EDGES_MAX = 1 << 23, STEPS_AN_EDGE = 8, TERMINAL = -1, DEAD = -2, STOP_EVERY = 1024 };

/* ---- the diagram ----
 * A node stands for a parameter and all that the constraints on later ones still have to know of earlier ones. */

typedef struct Edge {
    int64_t value, before;               /* before: points of the node with a smaller value */
    int child;                           /* TERMINAL: the point is complete */
} Edge;
typedef struct Node {
    int depth, edge_count;
    size_t first;
    int64_t points;
} Node;
typedef struct Diagram {
    VEC(Node) nodes;
    VEC(Edge) edges;
    int root;
    int64_t count;                       /* -1: too many */
} Diagram;

struct TuneSpace {
    Arena *arena;
    int var_count, test_count;
    const char **names;
    const int64_t **candidates;
    int *candidate_counts;
    Test *tests;
    int edges_max;
    const volatile int *stop, *interrupt;
    Diagram diagram;
};

static Range candidate_range(const TuneSpace *s, int var)
{
    int n = s->candidate_counts[var];
    return n ? (Range){(double)s->candidates[var][0], (double)s->candidates[var][n - 1]} : (Range){1, 1};
}

static void diagram_free(Diagram *d)
{
    free(d->nodes.v);
    free(d->edges.v);
}

/* ---- building ---- */

typedef struct Level {                   /* of one parameter */
    VEC(int) live;                       /* earlier parameters that tests on this or later ones read */
    VEC(const Test *) whole, part;       /* tests whose last parameter it is; those that read it and later ones */
    VEC(const Test *) multiples;         /* those whose b is a multiple of it, and reads earlier parameters only */
    PtrTable nodes;
} Level;

typedef struct Seen { int node; const int64_t *key; } Seen;

typedef struct Builder {
    const TuneSpace *s;
    Diagram *d;
    Arena *arena;                        /* of keys */
    Level *levels;
    int64_t *values;
    Range *ranges;
    int steps, held;                     /* held: edges of the nodes under way */
    ErrorId failed;
    bool too_many;
} Builder;

typedef struct Key { const int64_t *v; size_t bytes; } Key;

static bool same_key(const void *key, const void *item)
{
    const Key *k = key;
    const Seen *seen = item;
    return !memcmp(k->v, seen->key, k->bytes);
}

static bool is_raised(const volatile int *stop) { return stop && *stop; }

static bool may_go_on(Builder *b)
{
    if (b->failed) return false;
    if (++b->steps % STOP_EVERY == 0 && (is_raised(b->s->stop) || is_raised(b->s->interrupt))) b->failed = E25;
    else if (b->d->edges.n + b->held >= b->s->edges_max || b->steps / STEPS_AN_EDGE >= b->s->edges_max) b->failed = E08;
    return !b->failed;
}

static int new_node(Builder *b, int depth, const Edge *edges, int n)
{
    Node node = {.depth = depth, .edge_count = n, .first = (size_t)b->d->edges.n};
    if (n == 0) return DEAD;
    for (int i = 0; i < n; i++) {
        Edge e = {edges[i].value, node.points, edges[i].child};
        vec_push(&b->d->edges, e);
        if (!add_ok(node.points, e.child == TERMINAL ? 1 : b->d->nodes.v[e.child].points, &node.points)) b->too_many = true;
    }
    vec_push(&b->d->nodes, node);
    return b->d->nodes.n - 1;
}

typedef struct Numbers { const int64_t *v; int n; int64_t *own; } Numbers;

/* Candidates for a parameter: all, or those that divide what they have to, where that are fewer to try. */
static Numbers worth_trying(Builder *b, int depth)
{
    const Level *l = &b->levels[depth];
    int count = b->s->candidate_counts[depth];
    int64_t n = 0, v;
    for (int i = 0; i < l->multiples.n; i++)
        if (test_value(l->multiples.v[i], l->multiples.v[i]->con.b, b->values, &v)) n = gcd64(n, v);
    if (n == 0 || count == 0 || n / count >= count) return (Numbers){.v = b->s->candidates[depth], .n = count};
    /* The candidates that divide n, ascending; 0 < n. */
    const int64_t *candidates = b->s->candidates[depth];
    VEC(int64_t) found = {0};
    for (int64_t i = 1; i <= n / i && may_go_on(b); i++) {
        if (n % i) continue;
        int64_t pair[2] = {i, n / i};
        for (int k = 0; k < 2 - (i == n / i); k++)
            if (bsearch(&pair[k], candidates, (size_t)count, sizeof *candidates, compare_int64))
                vec_push(&found, pair[k]);
    }
    if (found.n) qsort(found.v, (size_t)found.n, sizeof *found.v, compare_int64);
    return (Numbers){found.v, found.n, found.v};
}

/* The node for what is known of the parameters before this one. */
static int build(Builder *b, int depth)
{
    if (depth == b->s->var_count) return TERMINAL;
    Level *l = &b->levels[depth];
    int64_t *key = MAKE_LIST(b->arena, int64_t, i, l->live.n, b->values[l->live.v[i]]);
    Key k = {key, sizeof *key * (size_t)l->live.n};
    uint64_t hash = hash_bytes(0, key, k.bytes);
    const Seen *seen = ptr_table_find(&l->nodes, hash, same_key, &k);
    if (seen) return seen->node;
    Seen *made = NEW(b->arena, Seen);
    Range all = b->ranges[depth];
    VEC(Edge) edges = {0};
    Numbers tried = worth_trying(b, depth);
    for (int i = 0; i < tried.n && may_go_on(b); i++) {
        int64_t v = tried.v[i];
        b->values[depth] = v;
        b->ranges[depth] = (Range){(double)v, (double)v};
        if (!ALL(t, l->whole.n, test_holds(l->whole.v[t], b->values)) || !ALL(t, l->part.n, test_possible(l->part.v[t], b->ranges))) continue;
        int child = build(b, depth + 1);
        if (child == DEAD) continue;
        Edge e = {.value = v, .child = child};
        vec_push(&edges, e);
        b->held++;
    }
    b->ranges[depth] = all;
    b->held -= edges.n;
    int node = b->failed ? DEAD : new_node(b, depth, edges.v, edges.n);
    free(edges.v);
    free(tried.own);
    *made = (Seen){node, key};
    if (!b->failed) ptr_table_add(&l->nodes, hash, made);
    return made->node;
}

/* The diagram of the points that meet the first `tests` tests. */
static ErrorId make_diagram(const TuneSpace *s, int tests, Diagram *out)
{
    size_t n = (size_t)s->var_count + 1;
    Builder b = {.s = s, .d = out, .arena = arena_new(), .levels = mem_alloc(sizeof *b.levels * n)};
    b.values = mem_alloc(sizeof *b.values * n);
    b.ranges = mem_alloc(sizeof *b.ranges * n);
    int *last = mem_alloc(sizeof *last * n);         /* of each parameter, which is live until the last test that reads it has been made */
    bool never = false;                              /* a constraint that reads no parameter does not hold */
    *out = (Diagram){0};
    for (const Test *t = s->tests; t < s->tests + tests; t++) {
        for (int i = 0; i < t->var_count; i++) {
            if (t->last > last[t->vars[i]]) last[t->vars[i]] = t->last;
            if (t->vars[i] < t->last) vec_push(&b.levels[t->vars[i]].part, t);
        }
        if (t->last >= 0) vec_push(&b.levels[t->last].whole, t);
        else never = never || !test_holds(t, NULL);
        for (int d = 0; d <= t->last; d++)
            if (test_divides_earlier(t, d)) vec_push(&b.levels[d].multiples, t);
    }
    for (int i = 0; i < s->var_count; i++) {
        b.ranges[i] = candidate_range(s, i);
        for (int d = i + 1; d <= last[i]; d++) vec_push(&b.levels[d].live, i);
    }
    out->root = never ? DEAD : build(&b, 0);
    out->count = b.too_many ? -1 : out->root == TERMINAL ? 1 : out->root == DEAD ? 0 : out->nodes.v[out->root].points;
    ErrorId failed = b.failed;
    for (int i = 0; i < b.s->var_count; i++) {
        Level *l = &b.levels[i];
        free(l->live.v);
        free(l->whole.v);
        free(l->part.v);
        free(l->multiples.v);
        ptr_table_free(&l->nodes);
    }
    free(b.levels);
    free(b.values);
    free(b.ranges);
    arena_free(b.arena);
    free(last);
    return failed;
}

static void space_error(ErrorId id, Diag *diag)
{
    if (id == E25) diag_error(diag, E25, "interrupted while the points of a parameter space were counted");
    else if (diag_error(diag, E08, "the parameter space is too large to be counted"))
        diag_note(diag, "hint", "give some parameters a value, or a list of values");
}

TuneSpace *tune_space(const TuneSpec *spec, Diag *diag)
{
    Arena *arena = arena_new();
    TuneSpace *s = NEW(arena, TuneSpace);
    *s = (TuneSpace){.arena = arena, .var_count = spec->var_count, .test_count = spec->constraint_count, .stop = spec->stop,
                     .interrupt = spec->interrupt};
    s->edges_max = spec->edges > 0 && spec->edges < EDGES_MAX ? spec->edges : EDGES_MAX;
    s->names = NEW_ARRAY(arena, const char *, spec->var_count);
    s->candidates = NEW_ARRAY(arena, const int64_t *, spec->var_count);
    s->candidate_counts = NEW_ARRAY(arena, int, spec->var_count);
    s->tests = NEW_ARRAY(arena, Test, spec->constraint_count);
    for (int i = 0; i < spec->var_count; i++) s->names[i] = arena_strdup(arena, spec->vars[i].name);
    bool ok = ALL(i, s->test_count, test_make(arena, spec, &spec->constraints[i], &s->tests[i], diag))
        && tests_candidates(arena, spec, s->tests, s->candidates, s->candidate_counts, diag);
    ErrorId failed = ok ? make_diagram(s, s->test_count, &s->diagram) : E_NONE;
    if (ok && !failed && s->diagram.count < 0) failed = E08;
    if (ok && !failed) return s;
    if (failed) space_error(failed, diag);
    tune_free(s);
    return NULL;
}

void tune_free(TuneSpace *s)
{
    if (!s) return;
    diagram_free(&s->diagram);
    arena_free(s->arena);
}

/* ---- points ---- */

int tune_var_count(const TuneSpace *s) { return s->var_count; }
const char *tune_name(const TuneSpace *s, int var) { return s->names[var]; }
int64_t tune_count(const TuneSpace *s) { return s->diagram.count; }
int tune_nodes(const TuneSpace *s) { return s->diagram.nodes.n; }
int tune_constraint_count(const TuneSpace *s) { return s->test_count; }
const Constraint *tune_constraint(const TuneSpace *s, int i) { return &s->tests[i].con; }

int tune_find(const TuneSpace *s, const char *name) { return text_index(s->names, s->var_count, name); }

int tune_candidates(const TuneSpace *s, int var, const int64_t **out)
{
    *out = s->candidates[var];
    return s->candidate_counts[var];
}

static const Edge *edges_of(const TuneSpace *s, int node, int *n)
{
    const Node *d = &s->diagram.nodes.v[node];
    *n = d->edge_count;
    return &s->diagram.edges.v[d->first];
}

/* The last edge of the node that begins at most at x: by values, or by numbers of configurations before it. */
static const Edge *edge_at(const TuneSpace *s, int node, int64_t x, bool by_value)
{
    int n;
    const Edge *e = edges_of(s, node, &n);
    while (n > 1) {
        int half = n / 2;
        if ((by_value ? e[half].value : e[half].before) <= x) e += half, n -= half;
        else n = half;
    }
    return e;
}

bool tune_at(const TuneSpace *s, int64_t k, int64_t *values)
{
    if (k < 0 || k >= s->diagram.count) return false;
    for (int node = s->diagram.root, d = 0; node >= 0; d++) {
        const Edge *e = edge_at(s, node, k, false);
        values[d] = e->value;
        k -= e->before;
        node = e->child;
    }
    return true;
}

int64_t tune_index(const TuneSpace *s, const int64_t *values)
{
    int64_t k = 0;
    if (s->diagram.count == 0) return -1;
    for (int node = s->diagram.root, d = 0; node >= 0; d++) {
        const Edge *e = edge_at(s, node, values[d], true);
        if (e->value != values[d]) return -1;
        k += e->before;
        node = e->child;
    }
    return k;
}

/* ---- values ---- */

/* Children have smaller numbers than their nodes, so one pass upwards tells from which nodes a point can be completed. */
static bool *completable(const TuneSpace *s, const int64_t *fixed, int skip)
{
    bool *ok = mem_alloc((size_t)s->diagram.nodes.n + 1);
    for (int i = 0; i < s->diagram.nodes.n; i++) {
        int n, d = s->diagram.nodes.v[i].depth;
        const Edge *e = edges_of(s, i, &n);
        bool any = d == skip || !fixed || fixed[d] <= 0;
        for (int k = 0; k < n && !ok[i]; k++)
            ok[i] = (any || e[k].value == fixed[d]) && (e[k].child == TERMINAL || ok[e[k].child]);
    }
    return ok;
}

/* Bit 1 of found[i]: candidate i of var leads to a complete point. */
static void find_values(const TuneSpace *s, int var, const int64_t *fixed, bool *found)
{
    bool *ok = completable(s, fixed, var), *reached = mem_alloc((size_t)s->diagram.nodes.n + 1);
    if (s->diagram.root >= 0) reached[s->diagram.root] = true;
    for (int i = s->diagram.nodes.n - 1; i >= 0; i--) {
        int n, d = s->diagram.nodes.v[i].depth, at = 0;
        if (!reached[i] || !ok[i] || d > var) continue;
        const Edge *e = edges_of(s, i, &n);
        for (int k = 0; k < n; k++) {
            if (d < var && fixed && fixed[d] > 0 && e[k].value != fixed[d]) continue;
            if (e[k].child >= 0 && !ok[e[k].child]) continue;
            if (d < var) {
                reached[e[k].child] = true;
            } else {
                while (s->candidates[var][at] != e[k].value) at++;
                found[at] = true;
            }
        }
    }
    free(ok);
    free(reached);
}

int tune_values(const TuneSpace *s, int var, const int64_t *fixed, Arena *arena, int64_t **out)
{
    bool *found = mem_alloc((size_t)s->candidate_counts[var] + 1);
    int n = 0;
    find_values(s, var, fixed, found);
    *out = NEW_ARRAY(arena, int64_t, s->candidate_counts[var]);
    for (int i = 0; i < s->candidate_counts[var]; i++)
        if (found[i]) (*out)[n++] = s->candidates[var][i];
    free(found);
    return n;
}

/* ---- what is violated ---- */

static bool is_open(const Test *t, const int64_t *values) { return ANY(i, t->var_count, values[t->vars[i]] <= 0); }

const Constraint *tune_violated(const TuneSpace *s, const int64_t *values)
{
    Range *ranges = mem_alloc(sizeof *ranges * (size_t)(s->var_count + 1));
    const Constraint *found = NULL;
    for (int i = 0; i < s->var_count; i++) {
        ranges[i] = values[i] > 0 ? (Range){(double)values[i], (double)values[i]} : candidate_range(s, i);
    }
    for (int i = 0; i < s->test_count && !found; i++)
        if (!is_open(&s->tests[i], values) && !test_holds(&s->tests[i], values)) found = &s->tests[i].con;
    for (int i = 0; i < s->test_count && !found; i++)
        if (is_open(&s->tests[i], values) && !test_possible(&s->tests[i], ranges)) found = &s->tests[i].con;
    free(ranges);
    return found;
}

/* ---- neighbours ---- */

enum { CHANGE_COST = 1 << 24 };          /* of a parameter that changes, besides the steps it takes */

static int rank_of(const TuneSpace *s, int var, int64_t value)
{
    int i = 0;
    while (i < s->candidate_counts[var] && s->candidates[var][i] < value) i++;
    return i;
}

typedef struct Repair {
    const TuneSpace *s;
    int *ranks;                          /* of the values asked for */
    int var;
    int64_t value;                       /* that var must have */
    int64_t *cost;                       /* by node: of the cheapest way to a complete point, -1: none */
    int *choice;                         /* by node: its edge */
} Repair;

/* The next value of var below (step -1) or above (1) the one it has, of those that are legal; false: there is none. */
static bool next_value(const TuneSpace *s, const bool *legal, int var, int64_t value, int step, int64_t *out)
{
    int i = rank_of(s, var, value), n = s->candidate_counts[var];
    if (step > 0 && i < n && s->candidates[var][i] == value) i++;
    if (step < 0) i--;
    for (; i >= 0 && i < n; i += step)
        if (legal[i]) return *out = s->candidates[var][i], true;
    return false;
}

static bool neighbour(Repair *r, const int64_t *values, const bool *alone, const bool *all, int step, int64_t *out)
{
    memcpy(out, values, sizeof *out * (size_t)r->s->var_count);
    if (next_value(r->s, alone, r->var, values[r->var], step, &out[r->var])) return true;
    if (!next_value(r->s, all, r->var, values[r->var], step, &r->value)) return false;
    /* The point with that value of var that is nearest; false: no point has it. */
    const TuneSpace *s = r->s;
    for (int i = 0; i < s->diagram.nodes.n; i++) {
        int n, d = s->diagram.nodes.v[i].depth;
        const Edge *e = edges_of(s, i, &n);
        r->cost[i] = -1;
        for (int k = 0; k < n; k++) {
            int64_t cost = e[k].child == TERMINAL ? 0 : r->cost[e[k].child];
            if (cost < 0 || (d == r->var && e[k].value != r->value)) continue;
            if (d != r->var && s->candidates[d][r->ranks[d]] != e[k].value) cost += CHANGE_COST + abs(rank_of(s, d, e[k].value) - r->ranks[d]);
            if (r->cost[i] >= 0 && cost >= r->cost[i]) continue;
            r->cost[i] = cost;
            r->choice[i] = k;
        }
    }
    int node = s->diagram.root;
    if (node < 0 || r->cost[node] < 0) return false;
    for (int d = 0; node >= 0; d++) {
        int n;
        const Edge *e = edges_of(s, node, &n) + r->choice[node];
        out[d] = e->value;
        node = e->child;
    }
    return true;
}

int tune_near(const TuneSpace *s, const int64_t *values, Arena *arena, int64_t ***out)
{
    size_t nodes = (size_t)s->diagram.nodes.n + 1, vars = (size_t)s->var_count + 1;
    Repair r = {.s = s, .cost = mem_alloc(sizeof *r.cost * nodes), .choice = mem_alloc(sizeof *r.choice * nodes)};
    int64_t *point = mem_alloc(sizeof *point * vars);
    int n = 0;
    r.ranks = mem_alloc(sizeof *r.ranks * vars);
    *out = NEW_ARRAY(arena, int64_t *, 2 * s->var_count);
    for (int i = 0; i < s->var_count; i++) {
        r.ranks[i] = rank_of(s, i, values[i]);
        if (r.ranks[i] == s->candidate_counts[i] && r.ranks[i] > 0) r.ranks[i]--;
    }
    for (r.var = 0; r.var < s->var_count; r.var++) {
        bool *alone = mem_alloc((size_t)s->candidate_counts[r.var] + 1),
            *all = mem_alloc((size_t)s->candidate_counts[r.var] + 1);
        find_values(s, r.var, values, alone);
        find_values(s, r.var, NULL, all);
        for (int step = -1; step <= 1; step += 2) {
            size_t bytes = sizeof *point * (size_t)s->var_count;
            if (neighbour(&r, values, alone, all, step, point) && !ANY(i, n, !memcmp((*out)[i], point, bytes)))
                (*out)[n++] = arena_copy(arena, point, bytes);
        }
        free(alone);
        free(all);
    }
    free(r.cost);
    free(r.choice);
    free(r.ranks);
    free(point);
    return n;
}

/* ---- the funnel ---- */

int tune_funnel(const TuneSpace *s, Arena *arena, const Rejection **out, Diag *diag)
{
    Rejection *list = NEW_ARRAY(arena, Rejection, s->test_count);
    int64_t before = 1;
    int n = 0;
    if (!ALL(i, s->var_count, mul_ok(before, s->candidate_counts[i], &before))) before = -1;
    for (int i = 0, k; i < s->test_count; i = k) {
        const char *reason = s->tests[i].con.reason;
        for (k = i + 1; k < s->test_count && !strcmp(s->tests[k].con.reason, reason);) k++;
        int64_t after = s->diagram.count;
        if (k < s->test_count) {
            Diagram d;
            ErrorId failed = make_diagram(s, k, &d);
            after = failed ? -1 : d.count;
            diagram_free(&d);
            if (failed == E25) return space_error(E25, diag), -1;
        }
        list[n++] = (Rejection){reason, i, k, before, after};
        before = after;
    }
    *out = list;
    return n;
}

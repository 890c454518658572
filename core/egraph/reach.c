/* reach: a goal from its sketch to its derivation: which rules, which sizes, rounds until the sketch is met. */
#include "egraph_private.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- which rules ---- */

/* What is asked about the place has no answer where a term stands for itself; nor, but for a derivation, what is around it. */
static bool asks_of_place(const Rule *r, bool around)
{
    for (int i = 0; i < r->ast->cond_count; i++) {
        CondKind kind = r->ast->conds[i]->kind;
        if ((around && kind == COND_UNDER) || kind == COND_INDEXES || kind == COND_IMAGE || kind == COND_IMAGE_OUT || kind == COND_CALL) return true;
    }
    return false;
}

void egraph_mark_pattern(Ctx *c, const Ast *a, bool *prims)
{
    PrimId id = a->kind == AST_LET ? PRIM_LET : a->kind == AST_IF ? PRIM_IF : a->kind == AST_AT ? PRIM_AT : ast_prim(a);
    if (a->kind == AST_SECTION_LEFT || a->kind == AST_SECTION_RIGHT) id = prim_from_name(a->name);
    if (id != PRIM_COUNT) prims[id] = true;
    PrimId called = a->kind == AST_APP ? pattern_begins(a) : PRIM_COUNT;
    int statics = called == PRIM_COUNT ? 0 : prim_static_count(c, called);   /* what is computed of sizes is no term */
    for (int i = 0; i < a->kid_count; i++)
        if (i == 0 || i > statics) egraph_mark_pattern(c, a->kids[i], prims);
}

void egraph_mark_term(const Term *t, bool *prims)
{
    if (t->kind == T_PRIM) prims[t->prim] = true;
    for (int i = 0; i < t->arg_count; i++) egraph_mark_term(t->args[i], prims);
}

/* Does it match anything, or in any place around a part, or is it several steps in one? Such rules are asked for by name. */
static bool is_wild(const Rule *r)
{
    int sizes = 0;
    for (int i = 0; i < r->param_count; i++) sizes += r->params[i].given && r->params[i].kind == STATIC_SIZE && !r->params[i].list;
    return rule_is_asked_for(r) || r->head == PRIM_COUNT || sizes > 1;
}

static const PrimId movers[] = {PRIM_MAP, PRIM_SPLIT, PRIM_JOIN, PRIM_TRANSPOSE, PRIM_ZIP, PRIM_TUPLE, PRIM_PROJ, PRIM_GENERATE};

bool egraph_wants_rule(Ctx *c, const Rule *r, bool around, const bool *prims)
{
    bool left[PRIM_COUNT + 1] = {0}, right[PRIM_COUNT + 1] = {0};
    if (is_wild(r) || asks_of_place(r, around)) return false;
    for (int i = 0; i < COUNT(movers); i++) left[movers[i]] = true;
    egraph_mark_pattern(c, rule_side(r, false), left);
    egraph_mark_pattern(c, rule_side(r, true), right);
    return ALL(i, PRIM_COUNT, !right[i] || left[i] || prims[i]);
}

/* Choices, names and reads are moved to and fro nearly everywhere: a shape is reached by such rules where they are named. */
static bool moves_scalars(const Rule *r) { return r->head == PRIM_IF || r->head == PRIM_LET || r->head == PRIM_AT; }

/* x => toLocal x, or a name for what stands twice: anything matches, but there is one more term for each, and it is the shape that asks
 * for it. */
static bool puts_in_memory(const Rule *r, const bool *asked)
{
    PrimId id = pattern_begins(rule_side(r, true));
    bool names = id == PRIM_LET && ANY(i, r->ast->cond_count, r->ast->conds[i]->kind == COND_REPEATS);
    return r->head == PRIM_COUNT && id != PRIM_COUNT && (names || prim(id)->family == FAM_MEMORY) && asked[id];
}

static bool may_use(const ReachGoal *goal, const Rule *r) { return !r->refuted && (!goal->may || goal->may(goal->may_data, r->name)); }

static bool choose_rules(Egraph *g, const Rules *rules, const ReachGoal *goal)
{
    bool wanted[PRIM_COUNT + 1] = {0}, asked[PRIM_COUNT + 1] = {0};
    const Source *source;
    if (goal->sketch) egraph_mark_pattern(g->c, pattern_ast(goal->sketch, &source), asked);
    memcpy(wanted, asked, sizeof wanted);
    egraph_mark_term(goal->from, wanted);
    if (wanted[PRIM_AS_VECTOR]) wanted[PRIM_AS_SCALAR] = wanted[PRIM_MAP_VEC] = true;
    if (wanted[PRIM_PAD]) wanted[PRIM_TAKE] = true;                          /* what was added is dropped */
    for (int k = 0; k < goal->rule_count; k++) {
        bool known = false;
        for (int i = 0; i < rules_count(rules); i++) {
            Rule *r = rules_get(rules, i);
            bool named = !strcmp(r->name, goal->rules[k]), of_kind = !strcmp(r->kind, goal->rules[k]);
            known = known || named || of_kind;
            if (!(named || (of_kind && !is_wild(r) && !moves_scalars(r))) || !may_use(goal, r) || ANY(j, g->rules.n, g->rules.v[j] == r)) continue;
            if (!asks_of_place(r, false)) vec_push(&g->rules, r);
            else if (named)
                return ctx_error(g->c, E22, "%s asks more of its place than a graph of terms knows", r->name);
        }
        if (!known) return ctx_error(g->c, E02, "no rule and no kind of rules \"%.60s\"" NOTE("try") "list rules", goal->rules[k]);
    }
    for (int i = 0; i < rules_count(rules) && !goal->rule_count; i++) {
        Rule *r = rules_get(rules, i);
        bool fits = (egraph_wants_rule(g->c, r, false, wanted) && (!moves_scalars(r) || wanted[r->head])) || (puts_in_memory(r, asked) && !asks_of_place(r, false));
        if (fits && may_use(goal, r) && r->trust != TRUST_ASSUMED) vec_push(&g->rules, r);
    }
    return true;
}

const char *egraph_reach_first(Ctx *c, const SearchPattern *sketch, const Term *from)
{
    bool asked[PRIM_COUNT + 1] = {0}, there[PRIM_COUNT + 1] = {0};
    const Source *source;
    egraph_mark_pattern(c, pattern_ast(sketch, &source), asked);
    egraph_mark_term(from, there);
    bool in_group = asked[PRIM_MAP_LOCAL] || asked[PRIM_TO_LOCAL];
    return in_group && !asked[PRIM_MAP_WORKGROUP] && !there[PRIM_MAP_WORKGROUP] ? "contains (mapWorkgroup 0 _)" : NULL;
}

/* ---- what `contains` may say ---- */

/* A name of a binder around a `contains` that stands in it: what is looked for anywhere in a class has no binders around. NULL: none. */
static const char *bound_within(Arena *arena, const Ast *a, const Env *bound, bool contained)
{
    const Ast *h = a->kind == AST_APP ? a->kids[0] : a;
    const char *found = NULL;
    if (a->kind == AST_NAME && contained && env_find(bound, a->name)) return a->name;
    if (h->kind == AST_NAME && (!strcmp(h->name, "%contains") || !strcmp(h->name, "%not contains"))) contained = true;
    for (int i = 0; i < a->pat_count && !contained; i++) bound = env_with_names(arena, a->pats[i], bound);
    for (int i = 0; i < a->kid_count && !found; i++) found = bound_within(arena, a->kids[i], bound, contained);
    return found;
}

static bool may_contain(Egraph *g, const ReachGoal *goal)
{
    const Source *source;
    const char *name = bound_within(g->arena, pattern_ast(goal->sketch, &source), NULL, false);
    return !name || ctx_error(g->c, E05, "\"%.60s\" is bound around `contains`, which looks for what stands anywhere" NOTE("hint") "_ in its place, or the "
                              "whole way down to it", name);
}

/* ---- which sizes ---- */

static bool divides(PrimId id) { return id == PRIM_SPLIT || id == PRIM_AS_VECTOR || id == PRIM_REDUCE_PART || id == PRIM_SLIDE; }

/* How often arrays are divided in the sketch, and in the term. */
static int divided_in_sketch(const Ast *a)
{
    int n = a->kind == AST_APP && divides(pattern_begins(a));
    for (int i = 0; i < a->kid_count; i++) n += divided_in_sketch(a->kids[i]);
    return n;
}

static int divided_in_term(const Term *t)
{
    int n = t->kind == T_PRIM && divides((PrimId)t->prim);
    for (int i = 0; i < t->arg_count; i++) n += divided_in_term(t->args[i]);
    return n;
}

/* So many more dimensions arrays may get: those that the sketch divides anew, but for all of which one or two levels do. */
static int more_ranks(const ReachGoal *goal, const Ast *sketch)
{
    int n = divided_in_sketch(sketch) - divided_in_term(goal->from);
    return n < 0 ? 0 : n > 2 ? 2 : n;
}

typedef struct Sizes {
    Egraph *g;
    const Source *source;
    const Env *names;
    int open;
    Chosen sizes, widths, dims;
    const char *open_names[COUNT(((Chosen *)0)->v)];
} Sizes;

static void choose(Chosen *list, const Nat *n)
{
    if (n && list->count < COUNT(list->v) && !ANY(i, list->count, list->v[i] == n)) list->v[list->count++] = n;
}

/* A name or a hole where a size stands is a parameter; another one for each name. */
static void open_size(Sizes *s, const char *name)
{
    if (s->open == COUNT(s->open_names) || ANY(i, s->open, s->open_names[i] == name)) return;
    s->open_names[s->open++] = name;
}

/* The number that is there; of a name any of the usual ones. */
static void choose_number(Sizes *s, Chosen *list, const Ast *a, const int *usual, int n)
{
    for (int i = 0; i < n; i++) choose(list, nat_const(s->g->c->nats, a->kind == AST_INT ? a->ival : usual[i]));
}

static void sizes_in(Sizes *s, const Ast *a)
{
    PrimId id = a->kind == AST_APP ? pattern_begins(a) : PRIM_COUNT;
    int statics = id == PRIM_COUNT ? 0 : prim_static_count(s->g->c, id);
    for (int i = 0; i < a->kid_count; i++) {
        const Ast *k = a->kids[i];
        bool is_static = i > 0 && i <= statics;
        StaticKind kind = is_static ? prim_static_kind(s->g->c, id, i - 1) : STATIC_SIZE;
        if (!is_static) sizes_in(s, k);
        static const int usual_widths[] = {2, 4, 8}, usual_dims[] = {0, 1};
        if (kind == STATIC_WIDTH) choose_number(s, &s->widths, k, usual_widths, COUNT(usual_widths));
        if (kind == STATIC_DIM) choose_number(s, &s->dims, k, usual_dims, COUNT(usual_dims));
        if (!is_static || kind != STATIC_SIZE) continue;
        if (k->kind == AST_NAME && !env_find(s->names, k->name)) {
            open_size(s, k->name);
            continue;
        }
        Diag saved = diag_aside(&s->g->c->diag);
        Elab e = elab_start(s->g->c, s->g->arena, NULL);
        choose(&s->sizes, elab_size(&e, (Scope){s->names, 0, s->source}, k));
        diag_back(&s->g->c->diag, saved);
    }
}

static bool is_taken(const Egraph *g, const char *name)
{
    const LangScope *scope = g->env.scope;
    return (g->env.defs && defs_is_param(g->env.defs, name)) || (scope && ANY(i, scope->param_count, !strcmp(scope->params[i], name)));
}

static void choose_sizes(Sizes *s, const Ast *sketch)
{
    sizes_in(s, sketch);
    if (!s->sizes.count && !s->open) open_size(s, "");
    for (int i = 0, k = 0; i < s->open; k++) {
        const char *name = arena_printf(s->g->arena, REACH_PARAM "%d", k);
        if (is_taken(s->g, name)) continue;
        choose(&s->sizes, nat_var(s->g->c->nats, intern(s->g->c->names, name), VAR_PARAM, NULL, NULL));
        i++;
    }
}

/* ---- the goal ---- */

static const Env *names_of(Ctx *c, Arena *arena, const Program *p)
{
    const Env *names = NULL;
    for (int i = 0; p && i < p->size_count; i++)
        BIND(arena, &names, intern(c->names, nat_atom(p->sizes[i])->name), BIND_SIZE, .nat = p->sizes[i]);
    for (int i = 0; p && i < p->input_count; i++)
        BIND(arena, &names, intern(c->names, p->inputs[i].name), BIND_TERM, .term = term_input(c, p->inputs[i].name, p->inputs[i].type));
    return names;
}

static void saturate(Egraph *g, const Rules *rules, const ReachGoal *goal, Arena *arena, ReachResult *out)
{
    Sketch sketch = {.g = g, .names = names_of(g->c, g->arena, goal->program)};
    sketch.ast = pattern_ast(goal->sketch, &sketch.source);
    Sizes sizes = {.g = g, .source = sketch.source, .names = sketch.names};
    choose_sizes(&sizes, sketch.ast);
    struct Schedule *schedule = NEW_ARRAY(g->arena, struct Schedule, g->rules.n);
    Saturation s = {.g = g, .sizes = sizes.sizes, .widths = sizes.widths, .dims = sizes.dims, .schedule = schedule};
    int root = egraph_add(g, goal->from);
    g->ranks = egraph_rank(g, goal->from) + more_ranks(goal, sketch.ast);
    egraph_rebuild(g);
    const Term *underivable = NULL;
    for (int most_ranks = g->ranks + 2, more = true;;) {
        const Term *best = sketch_best(&sketch, root);
        Derivable of = {goal->from, best, rules, sketch_describes, &sketch};
        bool derived = best && best != underivable && derive(g, &of, arena, out);
        if (best && !derived) underivable = best;                /* more rounds may find a way, or another term */
        out->end = derived ? REACH_FOUND : g->stop && *g->stop ? REACH_STOPPED : best ? REACH_NO_PATH
                 : !more ? REACH_SATURATED : g->live > g->most ? REACH_NODES : REACH_TIME;
        if (derived || !more || egraph_over(g)) break;
        more = saturate_round(&s);
        if (!more && g->held_back && g->ranks < most_ranks) saturate_widen(&s), more = true;
    }
    g->stop = NULL;                      /* what is said of its graph is so, interrupted or not */
    if (out->end != REACH_FOUND) sketch_parts(&sketch, goal->sketch, root, arena, out);
    out->rounds = s.round;
    for (int i = 0; i < g->rules.n; i++) {
        if (schedule[i].made <= out->busiest_count) continue;
        out->busiest = arena_strdup(arena, g->rules.v[i]->name);
        out->busiest_count = schedule[i].made;
    }
    free(s.seen);
}

static bool is_as_small(void *size, const Term *t) { return t->size <= *(uint32_t *)size; }

/* Round after round, the smallest that has a derivation. No rule makes an open size of its own here, nor one more dimension. */
static void simplify(Egraph *g, const Rules *rules, const ReachGoal *goal, Arena *arena, ReachResult *out)
{
    struct Schedule *schedule = NEW_ARRAY(g->arena, struct Schedule, g->rules.n);
    Saturation s = {.g = g, .schedule = schedule};
    const Term *smallest = goal->from, *underivable = NULL;
    int root = egraph_add(g, goal->from);
    g->ranks = egraph_rank(g, goal->from);
    for (bool more = true; more && !egraph_over(g);) {
        more = saturate_round(&s);
        const Term **all = egraph_smallest(g), *best = all[egraph_find(g, root)];
        free((void *)all);
        if (!best || best->size >= smallest->size || best == underivable) continue;
        uint32_t size = best->size;
        Derivable of = {goal->from, best, rules, is_as_small, &size};
        if (derive(g, &of, arena, out)) smallest = best;
        else underivable = best;
    }
    out->end = g->stop && *g->stop ? REACH_STOPPED : REACH_FOUND;
    out->rounds = s.round;
    free(s.seen);
}

/* ---- variants ---- */

typedef struct Drawing {
    Egraph *g;
    const Term **smallest;               /* by root of a class */
    int nodes;                           /* that there were when these were found */
    uint64_t seed;
    int wide;                            /* nodes that are left over the smallest */
} Drawing;

/* How much larger than the smallest of its class the e-node is with the smallest children; -1: it has none. */
static int larger(const Drawing *d, int n)
{
    const Term *t = d->g->nodes.v[n].term;
    int size = 1;
    if (n >= d->nodes || d->g->nodes.v[n].stale) return -1;
    for (int i = 0; i < t->arg_count; i++) {
        const Term *child = d->smallest[egraph_find(d->g, egraph_node(d->g, t->args[i]))];
        if (!child) return -1;
        size += (int)child->size;
    }
    return size - (int)d->smallest[egraph_find(d->g, n)]->size;
}

/* A term of the class at random. What an e-node is larger goes from what is left, so that it ends where a class has itself below. */
static const Term *drawn(Drawing *d, int class)
{
    const Members *members = &d->g->nodes.v[class].members;
    const Term *args[ARG_MAX];
    int fit = 0, chosen = -1, more = 0;
    for (int i = 0; i < members->n; i++) {
        int by = larger(d, members->v[i].node);
        if (by < 0 || by > d->wide) continue;
        d->seed = hash_mix(d->seed, (uint64_t)i);
        if (d->seed % (uint64_t)++fit == 0) chosen = members->v[i].node, more = by;
    }
    if (chosen < 0) return d->smallest[class];
    d->wide -= more;
    const Term *t = d->g->nodes.v[chosen].term;
    for (int i = 0; i < t->arg_count; i++) args[i] = drawn(d, egraph_find(d->g, egraph_node(d->g, t->args[i])));
    const Term *made = t->arg_count ? egraph_with_args(d->g, t, args) : t;
    return made ? made : d->smallest[class];
}

static uint64_t primitives_of(const Term *t)         /* the same for the same ones, wherever they stand */
{
    uint64_t sum = t->kind == T_PRIM ? hash_mix(1, t->prim) : 0;
    for (int i = 0; i < t->arg_count; i++) sum += primitives_of(t->args[i]);
    return sum;
}

static bool is_term(void *wanted, const Term *t) { return t == wanted; }

enum { DRAWS = 20 };                     /* for each variant that is wanted */

static int variants(Egraph *g, const Rules *rules, const ReachGoal *goal, int most, int wide, Arena *arena, Variant *out)
{
    struct Schedule *schedule = NEW_ARRAY(g->arena, struct Schedule, g->rules.n);
    const char *open = intern(g->c->names, REACH_PARAM "0");
    Saturation s = {.g = g, .schedule = schedule};
    if (!is_taken(g, open)) choose(&s.sizes, nat_var(g->c->nats, open, VAR_PARAM, NULL, NULL));
    int root = egraph_add(g, goal->from), found = 0, kept = 0;
    g->ranks = egraph_rank(g, goal->from) + 1;
    while (saturate_round(&s) && !egraph_over(g));
    Drawing d = {.g = g, .smallest = egraph_smallest(g), .nodes = g->nodes.n, .seed = 1};
    const Term **terms = NEW_ARRAY(g->arena, const Term *, most * DRAWS);
    uint64_t *seen = NEW_ARRAY(g->arena, uint64_t, most * DRAWS + 1);
    seen[0] = primitives_of(goal->from);
    for (int i = 0; i < most * DRAWS; i++) {
        d.wide = wide;
        const Term *t = drawn(&d, egraph_find(g, root));
        uint64_t key = primitives_of(t);
        if (ANY(k, found + 1, seen[k] == key)) continue;
        terms[found++] = t;
        seen[found] = key;
    }
    free((void *)d.smallest);
    for (int i = 0; i < found && kept < most && !(g->stop && *g->stop); i++) {
        ReachResult way = {0};
        Derivable of = {goal->from, terms[i], rules, is_term, (void *)terms[i]};
        if (derive(g, &of, arena, &way)) out[kept++] = (Variant){way.step_count, way.steps};
    }
    free(s.seen);
    return kept;
}

int egraph_variants(RewriteEnv *env, const Rules *rules, const ReachGoal *goal, int most, int wide, Arena *arena, Variant *out)
{
    Ctx *c = env->c;
    Egraph g = {.c = c, .env = *env, .arena = arena_new(), .deadline = clock_cpu_ms() + goal->seconds * 1e3, .most = goal->nodes, .stop = c->stop};
    int n = -1;
    if (choose_rules(&g, rules, goal)) {
        CtxMark mark = ctx_mark(c);
        n = variants(&g, rules, goal, most, wide, arena, out);
        diag_clear(&c->diag);
        ctx_release(c, &mark);
    }
    egraph_free(&g);
    return n;
}

bool egraph_reach(RewriteEnv *env, const Rules *rules, const ReachGoal *goal, Arena *arena, ReachResult *out)
{
    Ctx *c = env->c;
    double start = clock_cpu_ms();
    Egraph g = {.c = c, .env = *env, .arena = arena_new(), .deadline = start + goal->seconds * 1e3, .most = goal->nodes, .stop = c->stop};
    *out = (ReachResult){0};
    bool ok = (!goal->sketch || may_contain(&g, goal)) && choose_rules(&g, rules, goal);                     /* reads all rules, which outlive what follows */
    if (ok) {
        CtxMark mark = ctx_mark(c);
        if (goal->sketch) saturate(&g, rules, goal, arena, out);
        else simplify(&g, rules, goal, arena, out);
        diag_clear(&c->diag);            /* of terms that did not type */
        ctx_release(c, &mark);
        out->nodes = g.live;
        out->rules = g.rules.n;
        for (int i = 0; i < g.nodes.n; i++) out->classes += g.nodes.v[i].up == i;
        out->seconds = (clock_cpu_ms() - start) / 1e3;
    }
    egraph_free(&g);
    return ok;
}

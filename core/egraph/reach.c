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

static const PrimId movers[] = {PRIM_MAP, PRIM_SPLIT, PRIM_JOIN, PRIM_PROJ, PRIM_TRANSPOSE, PRIM_ZIP, PRIM_TUPLE, PRIM_GENERATE};
enum { CHUNKS = 4 };                     /* the first of these */

bool egraph_wants_rule(Ctx *c, const Rule *r, bool around, bool narrow, const bool *prims)
{
    bool left[PRIM_COUNT + 1] = {0}, right[PRIM_COUNT + 1] = {0};
    if (is_wild(r) || asks_of_place(r, around)) return false;
    for (int i = 0; i < (narrow ? CHUNKS : COUNT(movers)); i++) left[movers[i]] = true;
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

static bool choose_rules(Egraph *g, const Rules *rules, const ReachGoal *goal, bool narrow)
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
        bool fits = (egraph_wants_rule(g->c, r, false, narrow, wanted) && (!moves_scalars(r) || wanted[r->head])) || (puts_in_memory(r, asked) && !asks_of_place(r, false));
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
    bool in_group = asked[PRIM_MAP_LOCAL] || asked[PRIM_MAP_WARP] || asked[PRIM_TO_LOCAL];
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

static bool reorders(PrimId id) { return id == PRIM_REORDER; }

/* How many such primitives the sketch has, and the term. */
static int count_in_sketch(const Ast *a, bool (*counts)(PrimId id))
{
    int n = a->kind == AST_APP && counts(pattern_begins(a));
    for (int i = 0; i < a->kid_count; i++) n += count_in_sketch(a->kids[i], counts);
    return n;
}

static int count_in_term(const Term *t, bool (*counts)(PrimId id))
{
    int n = t->kind == T_PRIM && counts((PrimId)t->prim);
    for (int i = 0; i < t->arg_count; i++) n += count_in_term(t->args[i], counts);
    return n;
}

/* So many are new, but for all of which one or two levels do. */
static int levels(const ReachGoal *goal, const Ast *sketch, bool (*counts)(PrimId id))
{
    int n = count_in_sketch(sketch, counts) - count_in_term(goal->from, counts);
    return n < 0 ? 0 : n > 2 ? 2 : n;
}

typedef struct Sizes {
    Egraph *g;
    const Source *source;
    const Env *names;
    Chosen *chosen;                      /* by StaticKind */
    int open;
    const char *open_names[COUNT(((Chosen *)0)->v)];
} Sizes;

/* A name or a hole where a size stands is a parameter; another one for each name. */
static void open_size(Sizes *s, const char *name)
{
    if (s->open == COUNT(s->open_names) || ANY(i, s->open, s->open_names[i] == name)) return;
    s->open_names[s->open++] = name;
}

static bool is_open_name(const Sizes *s, const Ast *a) { return a->kind == AST_NAME && !env_find(s->names, a->name); }

static const Nat *number(Sizes *s, int64_t n) { return nat_const(s->g->c->nats, n); }

static const Nat *size_of(Sizes *s, const Ast *a)        /* NULL: it is none */
{
    Diag saved = diag_aside(&s->g->c->diag);
    Elab e = elab_start(s->g->c, s->g->arena, NULL);
    const Nat *n = elab_size(&e, (Scope){s->names, 0, s->source}, a);
    diag_back(&s->g->c->diag, saved);
    return n;
}

static void choose_size(Sizes *s, const Ast *a)
{
    if (is_open_name(s, a)) open_size(s, a->name);
    else chosen_add(&s->chosen[STATIC_SIZE], (RuleArg){.set = true, .size = size_of(s, a)});
}

/* The one that is there, where its number is; of a name, that which turns round. */
static void choose_perm(Sizes *s, const Ast *a)
{
    const Ast *h = a->kind == AST_APP ? a->kids[0] : a, *by = a->kind == AST_APP && a->kid_count == 2 ? a->kids[1] : NULL;
    PermKind kind = h->kind == AST_NAME ? perm_kind_from_name(h->name) : PERM_KINDS;
    bool known = kind != PERM_FUN && !(by && is_open_name(s, by));
    if (known) chosen_add(&s->chosen[STATIC_PERM], (RuleArg){.set = true, .perm = by ? kind : PERM_REVERSE, .size = by ? size_of(s, by) : number(s, 0)});
}

/* What is there; of a name any of the usual ones. */
static void choose_number(Sizes *s, StaticKind kind, const Ast *a)
{
    static const struct Usual { int n, v[3]; } usual[] = {[STATIC_WIDTH] = {3, {2, 4, 8}}, [STATIC_DIM] = {2, {0, 1}},
                                                          [STATIC_MODE] = {PAD_MODES, {PAD_CLAMP, PAD_MIRROR, PAD_WRAP}}};
    PadMode mode = a->kind == AST_NAME ? pad_mode_from_name(a->name) : PAD_MODES;
    bool certain = a->kind == AST_INT || mode != PAD_MODES;
    for (int i = 0; i < (certain ? 1 : usual[kind].n); i++)
        chosen_add(&s->chosen[kind], (RuleArg){.set = true, .size = number(s, a->kind == AST_INT ? a->ival : certain ? (int)mode : usual[kind].v[i])});
}

static void sizes_in(Sizes *s, const Ast *a)
{
    PrimId id = a->kind == AST_APP ? pattern_begins(a) : PRIM_COUNT;
    int statics = id == PRIM_COUNT ? 0 : prim_static_count(s->g->c, id);
    for (int i = 0; i < a->kid_count; i++) {
        StaticKind kind = i > 0 && i <= statics ? prim_static_kind(s->g->c, id, i - 1) : STATIC_SIZE;
        if (i == 0 || i > statics) sizes_in(s, a->kids[i]);
        else if (kind == STATIC_SIZE) choose_size(s, a->kids[i]);
        else if (kind == STATIC_PERM) choose_perm(s, a->kids[i]);
        else choose_number(s, kind, a->kids[i]);
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
    if (!s->chosen[STATIC_SIZE].count && !s->open) open_size(s, "");
    for (int i = 0, k = 0; i < s->open; k++) {
        const char *name = arena_printf(s->g->arena, REACH_PARAM "%d", k);
        if (is_taken(s->g, name)) continue;
        chosen_add(&s->chosen[STATIC_SIZE], (RuleArg){.set = true, .size = nat_var(s->g->c->nats, intern(s->g->c->names, name), VAR_PARAM, NULL, NULL)});
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
    struct Schedule *schedule = NEW_ARRAY(g->arena, struct Schedule, g->rules.n);
    Saturation s = {.g = g, .schedule = schedule};
    Sizes sizes = {.g = g, .source = sketch.source, .names = sketch.names, .chosen = s.chosen};
    choose_sizes(&sizes, sketch.ast);
    g->largest_cut = saturate_largest_cut(&s);
    int root = egraph_add(g, goal->from);
    int deeper = levels(goal, sketch.ast, divides);
    g->widest = egraph_extent(g, goal->from);
    g->widest.rank += deeper, g->widest.cuts += deeper + !deeper, g->widest.reordered += levels(goal, sketch.ast, reorders);
    egraph_rebuild(g);
    const Term *underivable = NULL;
    int tried = 0;                       /* reasons that there were then */
    for (int wider = 2, more = true;;) {
        const Term *best = sketch_best(&sketch, root);
        Derivable of = {goal->from, best, rules, sketch_describes, &sketch};
        bool again = best != underivable || g->reasons.n / 2 > tried, derived = best && again && derive(g, &of, arena, out);
        if (best && again && !derived) underivable = best, tried = g->reasons.n;      /* more rounds may find a way, or another term */
        out->end = derived ? REACH_FOUND : g->stop && *g->stop ? REACH_STOPPED : best ? REACH_NO_PATH
                 : !more ? REACH_SATURATED : g->live > g->most ? REACH_NODES : REACH_TIME;
        if (derived || !more || egraph_over(g)) break;
        more = saturate_round(&s);
        if (!more && g->held_back && wider-- > 0) saturate_widen(&s), more = true;
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
    g->largest_cut = saturate_largest_cut(&s);
    int root = egraph_add(g, goal->from);
    g->widest = egraph_extent(g, goal->from);
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
    if (!is_taken(g, open)) chosen_add(&s.chosen[STATIC_SIZE], (RuleArg){.set = true, .size = nat_var(g->c->nats, open, VAR_PARAM, NULL, NULL)});
    g->largest_cut = saturate_largest_cut(&s);
    int root = egraph_add(g, goal->from), found = 0, kept = 0;
    g->widest = egraph_extent(g, goal->from);
    g->widest.rank++, g->widest.cuts++, g->widest.reordered++;
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
    if (choose_rules(&g, rules, goal, false)) {
        CtxMark mark = ctx_mark(c);
        n = variants(&g, rules, goal, most, wide, arena, out);
        diag_clear(&c->diag);
        ctx_release(c, &mark);
    }
    egraph_free(&g);
    return n;
}

typedef struct Attempt { bool narrow; int part; } Attempt;      /* by rules that bring in no layout but chunks; of the e-nodes one in so many */

/* False + E02, E05, E22. */
static bool attempt(RewriteEnv *env, const Rules *rules, const ReachGoal *goal, const Attempt *a, double deadline, Arena *arena, ReachResult *out)
{
    Ctx *c = env->c;
    Egraph g = {.c = c, .env = *env, .arena = arena_new(),
                .deadline = deadline, .most = goal->nodes / a->part, .stop = c->stop};
    *out = (ReachResult){0};
    bool ok = (!goal->sketch || may_contain(&g, goal)) && choose_rules(&g, rules, goal, a->narrow);          /* reads all rules, which outlive what follows */
    if (ok) {
        CtxMark mark = ctx_mark(c);
        if (goal->sketch) saturate(&g, rules, goal, arena, out);
        else simplify(&g, rules, goal, arena, out);
        diag_clear(&c->diag);            /* of terms that did not type */
        ctx_release(c, &mark);
        out->nodes = g.live;
        out->rules = g.rules.n;
        for (int i = 0; i < g.nodes.n; i++) out->classes += g.nodes.v[i].up == i;
    }
    egraph_free(&g);
    return ok;
}

/* Neither the shape nor the term pairs arrays or turns them round. */
static bool has_but_chunks(Ctx *c, const ReachGoal *goal)
{
    bool there[PRIM_COUNT + 1] = {0};
    const Source *source;
    egraph_mark_pattern(c, pattern_ast(goal->sketch, &source), there);
    egraph_mark_term(goal->from, there);
    return !there[PRIM_ZIP] && !there[PRIM_TRANSPOSE];
}

/* Where there are but chunks, most of a large graph is what the shape does without: if a small one has it not, few rules are tried first. */
bool egraph_reach(RewriteEnv *env, const Rules *rules, const ReachGoal *goal, Arena *arena, ReachResult *out)
{
    static const Attempt attempts[] = {{false, 10}, {true, 10}, {false, 1}};
    double start = clock_cpu_ms(), deadline = start + goal->seconds * 1e3;
    bool chunks = goal->sketch && !goal->rule_count && has_but_chunks(env->c, goal), more = true;
    for (int i = chunks ? 0 : COUNT(attempts) - 1; i < COUNT(attempts) && more; i++) {
        if (!attempt(env, rules, goal, &attempts[i], deadline, arena, out)) return false;
        more = out->end == REACH_NODES || out->end == REACH_SATURATED || out->end == REACH_NO_PATH;
    }
    out->seconds = (clock_cpu_ms() - start) / 1e3;
    return true;
}

/* reach: `reach SKETCH`: a derivation to a term of a given shape, by equality saturation. */
#include "cmdline.h"
#include "commands.h"
#include "egraph.h"
#include "guide.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 200000, NODES_SIMPLIFIED = 20000 };
static const double seconds = 10;

typedef struct Wanted {                   /* sketches in the order in which they are reached; texts as they were typed */
    VEC(const char *) sketches;
    VEC(const char *) rules;
    double seconds;
    int nodes;
    const char *typed;                    /* behind the command's name */
} Wanted;

static bool read_budget(Shell *sh, const Args *a, Wanted *asked)
{
    const char *text = arg_flag(a, "budget");
    asked->seconds = seconds;
    if (!text) return true;
    char *end;
    int64_t nodes = asked->nodes;
    const char *example = nodes == NODES ? "reach --budget 10s,200000 SKETCH" : "simplify --budget 10s,20000";
    asked->seconds = strtod(text, &end);
    end += *end == 's';
    bool ok = end > text && asked->seconds > 0 && (!*end || (*end == ',' && whole_number(end + 1, &nodes) && nodes > 0 && nodes <= INT32_MAX));
    asked->nodes = (int)nodes;
    return ok || shell_error(sh, E05, "\"%.60s\" is no budget: seconds, and e-nodes behind a comma\ntry %s", text, example);
}

/* Without its quotes. */
static const char *unquoted(Shell *sh, const char *word)
{
    size_t n = strlen(word);
    return n > 1 && *word == '\'' && word[n - 1] == '\'' ? arena_strndup(sh->scratch, word + 1, n - 2) : word;
}

static bool not_quoted(Shell *sh, const Args *a)
{
    const char *sketch = "";
    bool quoted = ANY(i, a->count, strchr(a->words[i], '\'') != NULL);
    for (int i = 0; i < a->count; i++) sketch = arena_printf(sh->scratch, "%s%s%s", sketch, i ? " " : "", a->words[i]);
    if (quoted || strstr(sketch, " through ") || strstr(sketch, " using "))
        return arg_error(sh, a, "a sketch stands in quotes, '..'; `through` or `using` is expected behind it");
    return shell_error(sh, E05, "a sketch of several words stands in quotes\ntry reach '%s'", sketch);
}

/* "SKETCH through SKETCH ... using RULES": the first is the goal; without shapes the goal is the smallest term. */
static bool read_asked(Shell *sh, const Args *a, bool shapes, Wanted *asked)
{
    const char *goal = shapes ? arg(a, 0) : NULL;
    asked->typed = a->rest;
    bool using = false;
    if (shapes && !goal) return shell_error(sh, E05, "which shape is wanted?\nform %s", a->command->form);
    asked->nodes = shapes ? NODES : NODES_SIMPLIFIED;
    for (int i = shapes; i < a->count; i++) {
        bool through = shapes && !strcmp(a->words[i], "through");
        if (!using && !strcmp(a->words[i], "using")) using = true;
        else if (using) {
            for (char *part, *rest = a->words[i]; (part = strtok_r(rest, ",", &rest));) vec_push(&asked->rules, part);
        } else if (through && i + 1 < a->count) vec_push(&asked->sketches, unquoted(sh, a->words[++i]));
        else return shapes ? not_quoted(sh, a) : arg_error(sh, a, "`using` is expected");
    }
    if (using && !asked->rules.n) return arg_error(sh, a, "which rules? `using` is followed by names or kinds of rules");
    vec_push(&asked->sketches, goal ? unquoted(sh, goal) : NULL);
    return read_budget(sh, a, asked);
}

/* ---- what came of it ---- */

static const char *size_text(Shell *sh, const ReachResult *r)
{
    return arena_printf(sh->scratch, "%d e-nodes in %d classes after %d round%s of %d rule%s", r->nodes, r->classes, r->rounds, plural(r->rounds),
                        r->rules, plural(r->rules));
}

/* before: what has the sketch before it; NULL: the version that it was asked of has, or there is none. back: a version before that one, from
 * which it is reached; NULL. */
static bool not_reached(Shell *sh, const Wanted *asked, int i, const ReachResult *r, const Version *before, const Version *back, json_t *steps)
{
    static const struct End { const char *name, *text; } ends[] = {
        [REACH_SATURATED] = {"saturated", "no rule has more to add"}, [REACH_NODES] = {"nodes", "the budget of e-nodes is used up"},
        [REACH_TIME] = {"time", "the time is used up"}, [REACH_STOPPED] = {"interrupted", "interrupted"},
        [REACH_NO_PATH] = {"no path", "a term of that shape is equal, but no rules lead to it forwards"},
    };
    const char *sketch = asked->sketches.v[i];
    Diag *d = diag(sh);
    diag_clear(d);
    if (sketch) diag_error(d, r->end == REACH_STOPPED ? E25 : E28, "'%.100s' was not reached: %s", sketch, ends[r->end].text);
    else diag_error(d, E25, "interrupted");
    diag_note(d, "graph", "%s", size_text(sh, r));
    for (int k = 0; k < r->held_count; k++) diag_note(d, "held", "%s", r->held[k]);
    for (int k = 0; k < r->missing_count; k++) diag_note(d, "missing", "%s", r->missing[k]);
    if (r->busiest) diag_note(d, "most", "%s, %d rewrites", r->busiest, r->busiest_count);
    if (i && before) diag_note(d, "reached", "'%s', the sketch before it: @%d", asked->sketches.v[i - 1], before->number);
    else if (i) diag_note(d, "reached", "'%s', the sketch before it", asked->sketches.v[i - 1]);
    if (r->end == REACH_NODES || r->end == REACH_TIME)
        diag_note(d, "hint", "a sketch between (through '..'), fewer rules (using ..), or a larger --budget");
    else if (r->end == REACH_SATURATED && !back) diag_note(d, "hint", "other rules: using .. names some, or kinds of them");
    if (back) diag_note(d, "try", "goto @%d ; reach %s", back->number, asked->typed);
    else if (before) diag_note(d, "try", "goto @%d", before->number);
    shell_report(sh, "{sketch:s? end:s classes:i rounds:i rules:i held:o missing:o busiest:s? rewrites:i steps:o nodes:i seconds:o}", sketch, ends[r->end].name,
                 r->classes, r->rounds, r->rules, JSON_LIST(k, r->held_count, json_string(r->held[k])), JSON_LIST(k, r->missing_count, json_string(r->missing[k])),
                 r->busiest, r->busiest_count, steps,
                 r->nodes, show_seconds(sh, r->seconds));
    return false;
}

typedef VEC(NatBinding) Bindings;        /* open sizes of a derivation, and the parameters that they are in its versions */

/* The arguments in terms of the version's parameters; an open size that has none yet is left out, which makes one. */
static void rename_sizes(Shell *sh, const Rule *rule, RuleArg *args, const Bindings *opened)
{
    for (int i = 0; i < rule->param_count; i++) {
        if (!args[i].set || !args[i].size) continue;
        const NatAtom *atom = nat_atom(args[i].size);
        bool open = atom && !strncmp(atom->name ? atom->name : "", REACH_PARAM, strlen(REACH_PARAM));
        if (open && !ANY(k, opened->n, opened->v[k].var == atom)) args[i] = (RuleArg){0};
        else args[i].size = nat_subst(sh->c->nats, args[i].size, opened->v, opened->n, NULL);
    }
}

/* A step as a version beside the tree; NULL: it does not repeat. */
static Version *follow_step(Shell *sh, const Version *v, const ReachStep *step, Bindings *opened)
{
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    RuleArg asked[RULE_ARGS], args[RULE_ARGS];
    RuleResult r;
    shell_env_now(sh, v, &scope, &env);
    const Rule *rule = rule_call_parse(sh->c, session_rules(sh->session), &scope.lang, step->call, asked);
    memcpy(args, asked, sizeof args);
    if (rule) rename_sizes(sh, rule, args, opened);
    if (!rule || !rule_apply(&env, rule, args, v->root, &step->at, false, &r)) {
        diag_clear(diag(sh));
        return shell_error(sh, E70, "a derivation did not repeat: %s at %s", step->call, path_text(sh->c, v->root, &step->at)), NULL;
    }
    for (int i = 0; i < rule->param_count; i++)
        if (asked[i].set && !args[i].set) vec_push(opened, ((NatBinding){nat_atom(asked[i].size), r.args[i].size}));
    const char *call = arena_strdup(sh->scratch, rule_call_text(sh->c, rule, r.args));
    SubStep sub = {.call = call, .at = place_ref(sh->scratch, &step->at), .root = r.root, .rule = rule, .args = r.args, .trust = rule->trust,
                   .fact_count = r.fact_count, .next_param = env.next_param};
    StrategyResult one = {.root = r.root, .step_count = 1, .steps = &sub, .call_text = call, .trust = rule->trust};
    if (!trust_allows(sh, &one)) return NULL;
    trust_warn(sh, &one);
    return session_make(sh->session, v, &(NewStep){.kind = STEP_RULE, .root = r.root, .call = call, .at = &step->at, .trust = rule->trust,
                                                   .next_param = env.next_param, .fact_count = r.fact_count, .facts = r.facts, .sub_count = 1,
                                                   .subs = &sub});
}

/* The first of the versions from start to v that is the same term: what a shape on the way asked for and the next one has undone is left out. */
static const Version *first_same(const Version *start, const Version *v)
{
    for (const Version *w = v; w != start;) {
        w = w->from;
        if (w->root == v->root) return w;
    }
    return v;
}

/* The last of the versions that the steps make of v, which is start or was made of it; NULL: one does not repeat. */
static const Version *follow(Shell *sh, const Version *start, const Version *v, const ReachResult *r)
{
    LOCAL(drop) Bindings opened = {0};
    for (int i = 0; i < r->step_count && v; i++) {
        const Version *made = follow_step(sh, v, &r->steps[i], &opened);
        v = made ? first_same(start, made) : NULL;
    }
    return v;
}

/* Beside the tree, v with its loops over what they read by their numbers, which no rewrite of one value makes; NULL: there are none, or that
 * is no smaller. */
static Version *over_elements(Shell *sh, const Version *v)
{
    StrategyResult r;
    NewStep step;
    int next_param;
    const Path at = {0};
    bool smaller = call_result(sh, v, by_elements, &at, &r, &next_param) && r.root->size < v->root->size;
    if (!smaller || r.fact_count || !trust_allows(sh, &r)) return diag_clear(diag(sh)), NULL;
    strategy_new_step(&r, false, &at, next_param, sh->scratch, &step);
    return session_make(sh->session, v, &step);
}

/* Before the first sketch what it is reached through, where nothing says by which rules. */
static void add_first(Shell *sh, Wanted *asked, const Version *v)
{
    const char *text = asked->sketches.v[0];
    SearchPattern *p = text && !asked->rules.n ? pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "sketch", text, strlen(text))) : NULL;
    const char *first = p ? egraph_reach_first(sh->c, p, v->root) : NULL;
    diag_clear(diag(sh));                /* it is read again */
    if (!first) return;
    vec_push(&asked->sketches, NULL);
    memmove(asked->sketches.v + 1, asked->sketches.v, sizeof *asked->sketches.v * (size_t)(asked->sketches.n - 1));
    asked->sketches.v[0] = first;
}

typedef VEC(Version *) Versions;

/* They are the session's from then on, and printed. */
static json_t *keep(Shell *sh, const Versions *made)
{
    json_t *steps = json_array();
    for (int i = 0; i < made->n; i++) {
        const Version *w = made->v[i];
        session_keep(sh->session, made->v[i]);
        const char *place = step_place(sh->c, w->from, w);
        print(sh, "@%d" AT(6) "%s  at %s\n", w->number, w->call, place);
        json_add(steps, "{version:i call:s place:s}", w->number, w->call, place);
    }
    return steps;
}

static bool try_sketch(Shell *sh, const Wanted *asked, int i, const Version *from, double time, int nodes, ReachResult *r)
{
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    const char *text = asked->sketches.v[i];
    SearchPattern *p = text ? pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "sketch", text, strlen(text))) : NULL;
    shell_env_now(sh, from, &scope, &env);
    ReachGoal goal = {from->root, p, session_current(sh->session)->program, asked->rules.v, asked->rules.n, time, nodes, guide_may_advise, sh};
    return (p || !text) && egraph_reach(&env, session_rules(sh->session), &goal, sh->scratch, r);
}

/* A step too early is seen only where it leads nowhere: the nearest version before v from which the goal is reached within a part of the budget. */
static const Version *further_back(Shell *sh, const Wanted *asked, const Version *v)
{
    enum { PART = 8, BACK = 8 };
    const int goal = asked->sketches.n - 1;
    const Version *from = v->from;
    for (int i = 0; from && i < BACK && !*sh->stop; i++, from = from->from) {
        ReachResult r;
        if (try_sketch(sh, asked, goal, from, asked->seconds / PART, asked->nodes / PART, &r) && r.end == REACH_FOUND) return from;
        diag_clear(diag(sh));
    }
    return NULL;
}

/* What a sketch on the way was reached by is kept, though the next one is not reached: it goes on from there. */
static bool reach(Shell *sh, const Wanted *asked, const Version *v)
{
    LOCAL(drop) Versions made = {0};
    int nodes = 0;
    double took = 0;
    bool ok = true;
    Version *elements = asked->sketches.v[0] || asked->rules.n ? NULL : over_elements(sh, v);
    const Version *from = elements ? elements : v;
    for (int i = 0; i < asked->sketches.n && ok; i++) {
        ReachResult r;
        ok = try_sketch(sh, asked, i, from, asked->seconds, asked->nodes, &r);
        if (ok && r.end != REACH_FOUND) {
            bool nowhere = !made.n && (r.end == REACH_SATURATED || r.end == REACH_NO_PATH) && asked->sketches.v[0];
            return not_reached(sh, asked, i, &r, made.n ? from : NULL, nowhere ? further_back(sh, asked, v) : NULL, keep(sh, &made));
        }
        if (!ok) break;
        nodes += r.nodes, took += r.seconds;
        from = follow(sh, v, from, &r);
        ok = from != NULL;
        made.n = 0;
        for (const Version *w = from; ok && w != v; w = w->from) vec_push(&made, (Version *)(uintptr_t)w);
        for (int a = 0, b = made.n - 1; a < b; a++, b--) {
            Version *w = made.v[a];
            made.v[a] = made.v[b];
            made.v[b] = w;
        }
    }
    json_t *steps = ok ? keep(sh, &made) : NULL;
    if (ok && made.n) session_goto(sh->session, made.v[made.n - 1]->number);
    else if (ok && !asked->sketches.v[0]) print(sh, "@%d is the smallest: there is no smaller one among %d e-nodes\n", v->number, nodes);
    else if (ok) print(sh, "@%d has that shape already\n", v->number);
    if (ok && made.n && !asked->sketches.v[0]) {
        int size = (int)made.v[made.n - 1]->root->size;
        print(sh, "%d node%s, %u before\n", size, plural(size), v->root->size);
    }
    if (ok) shell_report(sh, "{version:i steps:o nodes:i seconds:o}", session_version(sh->session)->number, steps, nodes,
                         show_seconds(sh, took));
    return ok;
}

static bool reach_asked(Shell *sh, const Args *a, bool shapes)
{
    Wanted asked = {0};
    const Version *v = shell_version(sh);
    bool ok = v && session_may_step(sh->session, v) && read_asked(sh, a, shapes, &asked);
    if (ok) add_first(sh, &asked, v);
    ok = ok && reach(sh, &asked, v);
    free(asked.sketches.v);
    free(asked.rules.v);
    return ok;
}

bool cmd_reach(Shell *sh, Args *a) { return reach_asked(sh, a, true); }
bool cmd_simplify(Shell *sh, Args *a) { return reach_asked(sh, a, false); }

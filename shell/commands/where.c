/* where: the places at which a rule or a macro applies. */
#include "commands.h"
#include "guide.h"
#include "show.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 8 };                 /* places that an error lists */

/* The name that "tile(4, 8)" or "splitJoin{n=4}" begins with; in scratch. NULL: it is not one call alone. */
static const char *called_name(Shell *sh, const char *call)
{
    return call_is_single(call) ? arena_strndup(sh->scratch, call, strcspn(call, "({")) : NULL;
}

bool is_named_alone(Shell *sh, const char *strategy)
{
    const char *name = called_name(sh, strategy);
    const StrategyName *n = name ? strategies_find(shell_strategies(sh), name) : NULL;
    return name && (rules_find(session_rules(sh->session), name) || (n && n->kind == NAME_MACRO));
}

bool call_result(Shell *sh, const Version *v, const char *call, const Path *at, StrategyResult *r, int *next_param)
{
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    LowerHints hints;
    const char *name = called_name(sh, call);
    *r = (StrategyResult){0};
    const Rule *rule = name ? rules_find(session_rules(sh->session), name) : NULL;        /* a * b has no name */
    if (!guide_allows(sh, rule ? NAMED_RULE : NAMED_MACRO, name ? name : call)) return false;
    present_env(sh, v, &scope, &env);
    env.advise = false;
    lower_hints(sh, v, sh->scratch, &hints);
    Strategies *s = shell_strategies(sh);
    bool ok = s && strategy_run(s, &env, sh->scratch, call, &hints, v->root, at, r);
    diag_clear(diag(sh));
    *next_param = env.next_param;
    return ok && r->root != v->root;
}

const Term *result_of(Shell *sh, const Version *v, const char *call, const Path *at)
{
    StrategyResult r;
    int next_param;
    return call_result(sh, v, call, at, &r, &next_param) ? r.root : NULL;
}

const char by_elements[] = "indicesToElements";

static bool is_prim(void *data, const Term *t) { return term_is(t, *(const PrimId *)data); }
static bool holds(const Term *t, PrimId p) { return term_find(t, is_prim, &p); }

static int columns(Shell *sh, const Term *t) { return text_width(show_full(sh, t, &(Path){0}, 0)); }

const Term *shorter_form(Shell *sh, const Version *v, const Path *at, bool *shorter)
{
    const Term *t = path_term(v->root, at);
    const Term *root = holds(t, PRIM_GENERATE) && holds(t, PRIM_AT) ? result_of(sh, v, by_elements, at) : NULL;
    int saved = root ? (int)v->root->size - (int)root->size : -1;
    *shorter = saved > 0 || (root && columns(sh, root) < columns(sh, v->root));
    return saved == 0 || *shorter ? root : NULL;
}

/* Does the call change the term there? Leaves no error and takes no parameters. */
static bool applies(Shell *sh, const Version *v, const RewriteEnv *env, const char *call, const Path *at)
{
    LowerHints hints;
    StrategyResult r = {0};
    RewriteEnv own = *env;
    own.advise = false;
    lower_hints(sh, v, sh->scratch, &hints);
    bool ok = strategy_run(sh->strategies, &own, sh->scratch, call, &hints, v->root, at, &r);
    if (!ok) diag_clear(diag(sh));
    return ok && r.root != v->root;
}

typedef struct Places {
    Paths all;
    int near;                            /* of a rule: places that begin with its outermost primitive, and do not fit */
} Places;

/* Every place from top on where it applies. rule: what is called, NULL for a macro, of which little is spent on one place.
 * given: with its arguments, which a rule alone may leave open. */
static void find_places(Shell *sh, const Version *v, RewriteEnv *env, const Rule *rule, const char *call, bool given,
                        const Path *top, Places *out) {
    PrimId head = rule ? rule->head : PRIM_COUNT;
    Path p = *top;
    strategies_trace(shell_strategies(sh), NULL, NULL, NULL);
    if (!rule)
        strategies_limit(sh->strategies, &(StrategyLimits){.stop = sh->stop, .attempts = 2000, .steps = 200,
                                                           .instructions = 1000000});
    do {
        const Term *t = path_term(v->root, &p);
        if (t->kind == T_LAM) continue;
        bool fits = rule ? rule_fits(env, rule, v->root, &p) && (!given || applies(sh, v, env, call, &p))
                         : applies(sh, v, env, call, &p);
        if (fits) vec_push(&out->all, p);
        else out->near += t->kind == T_PRIM && t->prim == head;
    } while (!*sh->stop && path_next(v->root, &p) && place_is_below(&p, top));
    shell_strategy_limits(sh);
}

bool place_below(Shell *sh, const Version *v, const RewriteEnv *env, Request *q)
{
    Places found = {0};
    RewriteEnv own = *env;
    const char *name = called_name(sh, q->strategy);
    strategies_serve_conditions(shell_strategies(sh), &own);
    find_places(sh, v, &own, rules_find(session_rules(sh->session), name), q->strategy, true, &q->at, &found);
    const Paths *all = &found.all;
    if (all->n == 1) q->at = all->v[0];
    if (all->n > 1) {
        int shown = all->n < NAMED_MOST ? all->n : NAMED_MOST;
        char *call = arena_strdup(sh->scratch, q->strategy);
        for (char *p = call; *p; p++) *p = *p == '\n' ? ' ' : *p;
        diag_error(diag(sh), E12, "%s applies at %d places below %s, not there", call, all->n, path_text(sh->c, v->root, &q->at));
        labels_begin(sh, v);
        for (int i = 0; i < all->n; i++) labels_add(sh, &all->v[i]);
        note_places(sh, v, all->v, shown, true);
        if (all->n > shown) diag_note(diag(sh), "...", "%d more        where %s", all->n - shown, call);
        diag_note(diag(sh), "try", "apply %s at :1", call);
    }
    bool several = all->n > 1;
    free(found.all.v);
    return !several;
}

bool cmd_where(Shell *sh, Args *a)
{
    Path top = {0};
    const Version *v = shell_version(sh);
    if (!v || !shell_strategies(sh)) return false;
    if (!a->count) return arg_error(sh, a, "which rule?");
    if (a->count > 1 && ((strcmp(a->words[1], "in") && strcmp(a->words[1], "at")) || a->count != 3))
        return arg_error(sh, a, "a place is given with: in PLACE");
    if (a->count == 3 && !shell_place(sh, a->words[2], &top)) return false;
    const char *call = a->words[0], *name = called_name(sh, call);
    const StrategyName *other = name ? strategies_find(shell_strategies(sh), name) : NULL;
    if (!name || (other && other->kind != NAME_MACRO))
        return shell_error(sh, E05, "where takes one rule or macro, not \"%.60s\"\n"
                           "try %s %.60s", call, *call == '\'' ? "find" : "why", call);
    if (other ? !guide_may_name(sh, NAMED_MACRO, name) : !rule_named(sh, name)) return false;
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    Places found = {0};
    json_t *items = json_array();
    const Rule *rule = rules_find(session_rules(sh->session), name);
    shell_env(sh, v, &scope, &env);
    find_places(sh, v, &env, rule, call, strpbrk(call, "({") != NULL, &top, &found);
    labels_begin(sh, v);
    for (int i = 0; i < found.all.n; i++) {
        label_row(sh, v, &found.all.v[i], items);
        json_object_set_new(json_array_get(items, (size_t)i), "rule", json_string(call));
    }
    print(sh, "%d place%s", found.all.n, plural(found.all.n));
    if (rule) print(sh, ", %d near miss%s", found.near, found.near == 1 ? "" : "es");
    buf_putc(&sh->out, '\n');
    free(found.all.v);
    return shell_report(sh, "{items:o}", items);
}

/* rewrite: apply, try, lower, moves, param: steps, and what could be one. */
#include "cmdline.h"
#include "commands.h"
#include "compare.h"
#include "guide.h"
#include "show.h"
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- applying ---- */

/* A result that is there, as a version or, with `try`, to look at. asked: the place that was asked for. */
static void finish(Shell *sh, const Version *v, bool lowering, const StrategyResult *r, const Path *asked,
                   int next_param, bool kept) {
    NewStep step;
    Path focus;
    strategy_new_step(r, lowering, asked, next_param, sh->scratch, &step);
    session_focus(sh->session, &focus);
    const Version *made = kept ? session_add(sh->session, &step) : NULL;
    if (kept) trust_warn(sh, r);
    if (!sh->quiet || !kept) show_step(sh, v, r, step.at, made, &focus);
    json_term(sh, kept ? made : v, r->root, step.at && path_term(r->root, step.at) ? step.at : &(Path){0}, true);
    if (sh->data) json_object_set_new(sh->data, "trust", json_string(trust_name(r->trust > v->trust ? r->trust : v->trust)));
}

/* ---- --trace: how the run of a strategy went ---- */

enum { TRACE_DEPTH = 4 };

typedef bool Run(Shell *sh, const Args *a, const Version *v, Request *q);

/* With --trace or --depth the tree of its run goes behind what it printed; an error is shown after it. */
static bool run_traced(Shell *sh, const Args *a, Run *run, const Version *v, Request *q)
{
    int64_t depth = TRACE_DEPTH;
    json_t *trace = NULL;
    const char *given = arg_flag(a, "depth");
    if (given && !arg_int(sh, "--depth", given, 0, 1000, &depth)) return false;
    Strategies *s = given || arg_flag(a, "trace") ? shell_strategies(sh) : NULL;
    if (s) strategies_record(s, true);
    bool ok = run(sh, a, v, q);
    if (!s) return ok;
    strategies_recorded(s, (int)depth, shell_unicode(sh), &sh->out, sh->json ? &trace : NULL);
    strategies_record(s, false);
    if (trace && !sh->data) sh->data = json_object();
    if (trace) json_object_set_new(sh->data, "trace", trace);
    return ok;
}

/* E36: what the step asks of sizes is not so for those that are set, as `param` refuses a value. */
static bool sizes_allow(Shell *sh, const Version *v, const StrategyResult *r)
{
    Values values;
    session_given_values(sh->session, v, sh->scratch, &values);
    for (int i = 0; i < r->fact_count; i++) {
        if (!values_break(&values, &r->facts[i])) continue;
        LOCAL(buf_free) Buf sizes = {0};
        const SubStep *step = &r->steps[0];
        const Rule *rule = step->rule;
        values_print(&values, &sizes);
        /* a size among what the rule is given becomes a parameter when it is left out */
        bool opens = r->step_count == 1
            && ANY(k, rule->param_count, rule->params[k].given && rule->params[k].kind == STATIC_SIZE && !rule->params[k].list);
        shell_error(sh, E36, "%s does not hold for %s\nfrom %s\ntry %s", fact_text(&r->facts[i], sh->scratch), buf_text(&sizes), r->call_text,
                    opens ? arena_printf(sh->scratch, "apply %s at %s        leaves it open, and says what is legal", rule->name,
                                         place_text(sh->c, v->root, step->at)) : "data        shows and sets the sizes");
        return false;
    }
    return true;
}

/* `apply`, or `try`, of which no version is kept. */
static bool rewrite(Shell *sh, const Args *a, const Version *v, Request *q)
{
    bool kept = strcmp(a->command->name, "try") != 0;
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    LowerHints hints;
    StrategyResult r = {0};
    Strategies *s = shell_strategies(sh);
    if (!s || !session_may_step(sh->session, v)) return false;
    present_env(sh, v, &scope, &env);
    lower_hints(sh, v, sh->scratch, &hints);
    trace_start(sh);
    /* Where it goes: the place asked for; where none was and it does not apply at the focus, the only one below. */
    bool elsewhere = !q->placed && is_named_alone(sh, q->strategy);
    env.advise = !elsewhere;
    bool ok = strategy_run(s, &env, sh->scratch, q->strategy, &hints, v->root, &q->at, &r);
    if (!ok && elsewhere
        && (diag(sh)->id == E21 || diag(sh)->id == E23 || path_term(v->root, &q->at)->kind == T_LAM)) {
        diag_clear(diag(sh));
        if (place_below(sh, v, &env, q)) {
            env.advise = true;
            strategies_trace(s, NULL, NULL, NULL);
            ok = strategy_run(s, &env, sh->scratch, q->strategy, &hints, v->root, &q->at, &r);
        }
    }
    if (!ok) return note_fitting(sh, v, q->strategy, &q->at), false;
    if (r.root == v->root) {             /* a result that changed nothing makes no version */
        print(sh, "%s changed nothing; still @%d\n", r.call_text, v->number);
        const Rule *rule = rules_called(session_rules(sh->session), r.call_text);
        if (rule && !strncmp(rule->text, "let ", 4) && !strstr(rule->text, "inline "))
            print(sh, "  hint    what is used several times has a name again in `b e`; `b (inline e)` computes it wherever b uses it\n");
        json_term(sh, v, v->root, &(Path){0}, true);
        return true;
    }
    if (!sizes_allow(sh, v, &r)) return note_fitting(sh, v, q->strategy, &q->at), false;
    if (!trust_allows(sh, &r)) return false;
    finish(sh, v, false, &r, &q->at, env.next_param, kept);
    return true;
}

bool cmd_apply(Shell *sh, Args *a)
{
    Request q = {0};
    const Version *v = shell_version(sh);
    if (!v || !parse_request(sh, a, true, &q) || !parse_move(sh, v, &q)) return false;
    if (q.tag && !session_tag_check(sh->session, -1, q.tag)) return false;
    int before = v->number;
    if (!run_traced(sh, a, rewrite, v, &q)) return false;
    v = session_version(sh->session);
    if (q.tag && v->number != before) session_tag(sh->session, v->number, q.tag);
    return true;
}

bool cmd_try(Shell *sh, Args *a)
{
    Request q = {0};
    const Version *v = shell_version(sh);
    return v && parse_request(sh, a, false, &q) && parse_move(sh, v, &q) && run_traced(sh, a, rewrite, v, &q);
}

/* ---- lower ---- */

static bool lower(Shell *sh, const Version *v, const char *strategy, StrategyResult *r, int *next_param)
{
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    LowerHints hints;
    Strategies *strategies = shell_strategies(sh);
    if (!strategies) return false;
    shell_env(sh, v, &scope, &env);
    lower_hints(sh, v, sh->scratch, &hints);
    trace_start(sh);
    bool ok = strategy_lower(strategies, &env, sh->scratch, strategy, &hints, v->root, r);
    *next_param = env.next_param;
    return ok;
}

/* By the tactic for a device, in the name of `lower`, or the strategy that is asked for (NULL: none is). All or nothing
 * (decisions.md): false where what it makes gives no kernels. */
static bool lower_whole(Shell *sh, const Version *v, const char *strategy, StrategyResult *r, int *next_param)
{
    /* What one way makes may take no memory where it needs some, so that there are no kernels of it: the next one is safer. */
    static const char *const ways[] = {NULL, "lowerSure", "lowerPlain", "lowerTotal"};
    for (int i = 0; i < (strategy ? 1 : COUNT(ways)); i++) {
        diag_clear(diag(sh));
        bool ok = lower(sh, v, strategy ? strategy : ways[i], r, next_param);
        if (ok && (r->new_param_count || shell_plannable(sh, v, r->root))) return true;
        if (diag(sh)->id == E25) break;
    }
    return false;
}

bool lower_works(Shell *sh, const Version *v)
{
    StrategyResult r = {0};
    int next_param;
    Diag kept = diag_aside(diag(sh));
    bool works = lower_whole(sh, v, NULL, &r, &next_param);
    diag_back(diag(sh), kept);
    return works;
}

static bool lower_current(Shell *sh, const Args *a, const Version *v, Request *q)
{
    StrategyResult r = {0};
    int next_param = 0;
    (void)q;
    const char *strategy = *a->rest ? a->rest : NULL;
    if (strategy && *strategy == '@')
        return shell_error(sh, E05, "lower goes on from the current version\nform %s\ntry goto %s ; lower", a->command->form, strategy);
    if (!v || !session_may_step(sh->session, v) || !lower_whole(sh, v, strategy, &r, &next_param)) return false;
    if (r.root == v->root) {
        print(sh, "@%d is in lowered form already\n", v->number);
        json_term(sh, v, v->root, &(Path){0}, true);
        return true;
    }
    if (!sizes_allow(sh, v, &r)) return note_fitting(sh, v, strategy ? strategy : "lower", &(Path){0}), false;
    if (!trust_allows(sh, &r)) return false;
    finish(sh, v, true, &r, NULL, next_param, true);
    return true;
}

/* --explain [at PLACE]: what lower, or `apply lower at PLACE`, would choose; it fails where that would. */
static bool lower_explained(Shell *sh, const Args *a, const Version *v)
{
    Path at;
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    LowerHints hints;
    StrategyResult r = {0};
    const char *place = NULL, *rest = a->rest + strspn(a->rest, " ");
    Strategies *s = v ? shell_strategies(sh) : NULL;
    if (!s || !session_may_step(sh->session, v)) return false;
    if (*rest && strncmp(rest, "at ", 3)) return arg_error(sh, a, "`at PLACE` is expected there");
    if (*rest && !shell_place(sh, place = rest + 3, &at)) return false;
    json_auto_t *spec = json_object();
    if (place) json_object_set_new(spec, "place", json_string(path_text(sh->c, v->root, &at)));
    if (!strategies_command(s, "explain", spec, &sh->out, sh->json ? &sh->data : NULL)) return false;
    if (!place) return lower_whole(sh, v, NULL, &r, &(int){0});
    shell_env(sh, v, &scope, &env);
    lower_hints(sh, v, sh->scratch, &hints);
    return strategy_run(s, &env, sh->scratch, "lower", &hints, v->root, &at, &r);
}

bool cmd_lower(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    return arg_flag(a, "explain") ? lower_explained(sh, a, v) : run_traced(sh, a, lower_current, v, NULL);
}

/* ---- moves ---- */

#define SAME_COST 1e-3                   /* costs that differ by less are one */
enum { MOVES_MOST = 1000, SCREEN = 20 }; /* listed at once, or a few more; listed one by one */

typedef struct Row {                     /* a move as it is listed */
    Move move;
    const Term *after;
    double ns;                           /* --cost: predicted; 0: nothing runnable comes of it */
    int n;                               /* as it was found */
    int group;                           /* the first that is the same move, there or elsewhere */
} Row;

typedef struct Listing {
    Shell *sh;
    const Version *v;
    RewriteEnv env;
    Arena *arena;                        /* of the moves */
    VEC(Row) rows;
    bool deep, cost;                     /* places, costs are shown */
    int same, worse;                     /* --cost: left out, for they change nothing, or are behind a screen of better ones */
    double now;                          /* --cost: expected without any; 0: it is not known */
    bool grouped;                        /* a line a rule, with its places */
} Listing;

static void add_row(Listing *l, const Rule *rule, const Path *at, const RuleArg *args, const RuleResult *r)
{
    Shell *sh = l->sh;
    const char *call = ANY(i, rule->param_count, args[i].set) ? rule_call_text(sh->c, rule, args) : rule->name;
    Row row = {.move = {arena_strdup(l->arena, call), place_ref(l->arena, at)}, .after = r->root, .n = l->rows.n};
    while (strcmp(row.group < l->rows.n ? l->rows.v[row.group].move.text : call, call)) row.group++;
    vec_push(&l->rows, row);
}

/* The term that a row leads to, as far as it goes on the line. */
static const char *row_result(const Listing *l, const Row *row)
{
    Path at, shown;
    place_path(row->move.at, &at);
    term_step_place(l->v->root, row->after, &at, &shown);
    enum { LONGEST = 2000 };
    const char *before = show_short(l->sh, l->v->root, &shown, LONGEST), *after = show_short(l->sh, row->after, &shown, LONGEST);
    return l->sh->json ? after : change_after(l->sh, before, after, show_left(l->sh, (l->deep ? 46 : 28) + (l->cost ? 10 : 0)));
}

static const char *cost_text(Shell *sh, double ns)
{
    bool small = ns < 1e6;
    return ns <= 0 ? "-" : arena_printf(sh->scratch, small ? "%.3g us" : "%.4g ms", ns / (small ? 1e3 : 1e6));
}

static void list_row(Listing *l, int n, const Row *row, json_t *items)
{
    Shell *sh = l->sh;
    if (l->grouped && !sh->json) return;
    const char *place = place_text(sh->c, l->v->root, row->move.at), *result = row_result(l, row);
    json_add(items, "{n:i rule:s place:s result:s cost_ns?:n}", n, row->move.text, place, result, l->cost && row->ns > 0 ? row->ns : 0.0);
    if (l->grouped) return;
    int indent = l->cost ? 10 : 0;
    print(sh, "%3d  %-*s%s", n, indent, l->cost ? cost_text(sh, row->ns) : "", row->move.text);
    if (l->deep) print(sh, AT(%d) "%s", 28 + indent, place);
    print(sh, AT(%d) "%s\n", (l->deep ? 46 : 28) + indent, result);
    show_equations(sh, "     ", row->move.text);
    show_gap(sh);
}

/* "mapSeq   4 /   5 /in": all rows from i on that do the same, on one line. Returns the row behind them. */
static int print_group(Listing *l, int i)
{
    enum { MORE = 10 };
    Shell *sh = l->sh;
    const char *text = l->rows.v[i].move.text;
    int from = i, shown = i, width = show_width(sh);
    size_t start = sh->out.len;
    print(sh, "  %s" AT(26), text);
    for (; i < l->rows.n && !strcmp(l->rows.v[i].move.text, text); i++) {
        const char *place = place_text(sh->c, l->v->root, l->rows.v[i].move.at);
        const char *one = arena_printf(sh->scratch, "%s%d %s", i > from ? "   " : "", i + 1, place);
        if (i > from && (shown < i || sh->out.len - start + strlen(one) + MORE > (size_t)width)) continue;
        buf_puts(&sh->out, one);
        shown = i + 1;
    }
    print(sh, shown < i ? "   to %d\n" : "\n", i);
    show_equations(sh, "     ", text);
    show_gap(sh);
    return i;
}

static int by_cost(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    if ((x->ns > 0) != (y->ns > 0)) return x->ns > 0 ? -1 : 1;
    return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns) : x->n - y->n;
}

/* What the cost model expects of each, the best first. Unless all are wanted those that change nothing are left out, and of a deep list
 * what a screen does not show. */
static void rank(Listing *l, bool full)
{
    Shell *sh = l->sh;
    Strategies *s = l->rows.n ? shell_strategies(sh) : NULL;
    if (!s) return;
    double now = strategies_estimate(s, l->v, "id", &(Path){0});
    for (int i = 0; i < l->rows.n && !*sh->stop; i++) {
        Path place;
        place_path(l->rows.v[i].move.at, &place);
        l->rows.v[i].ns = strategies_estimate(s, l->v, l->rows.v[i].move.text, &place);
    }
    qsort(l->rows.v, (size_t)l->rows.n, sizeof *l->rows.v, by_cost);
    if (full) return;
    int n = l->rows.n, kept = 0;
    for (int i = 0; i < n; i++)
        if (now <= 0 || fabs(l->rows.v[i].ns - now) > now * SAME_COST) l->rows.v[kept++] = l->rows.v[i];
    l->same = n - kept;
    l->now = now;
    l->rows.n = l->deep && kept > SCREEN ? SCREEN : kept;
    l->worse = kept - l->rows.n;
}

/* What does the same stands together, in the order in which each is first found. */
static int by_group(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    return x->group != y->group ? x->group - y->group : x->n - y->n;
}

static void moves_at(Listing *l, const Path *at, const char *kind)
{
    Rules *rules = session_rules(l->sh->session);
    const Term *place = path_term(l->v->root, at);
    for (int i = 0; i < rules_count(rules); i++) {
        const Rule *rule = rules_get(rules, i);
        if (rule_may_apply(rule, place) && !rule_is_computed(rule) && (!kind || !strcmp(rule->kind, kind)) && guide_allows(l->sh, NAMED_RULE, rule->name)) {
            RuleArg args[RULE_ARGS] = {{0}};
            RuleResult r = {0};
            if (!rule_apply_open(&l->env, rule, l->v->root, at, args, &r) || rule_breaks_sizes(&l->env, &r)) continue;
            int ways = 0, param = rule_part_param(rule);
            for (int pass = 0; pass < 2 && param >= 0 && (pass == 0 || ways > 1); pass++)
                for (int part = 0; part < ARG_MAX; part++) {
                    RuleArg with[RULE_ARGS] = {{0}};
                    RuleResult other = {0};
                    with[param] = (RuleArg){.set = true, .size = nat_const(l->sh->c->nats, part)};
                    if (!rule_apply_open(&l->env, rule, l->v->root, at, with, &other) || rule_breaks_sizes(&l->env, &other)) continue;
                    ways++;
                    if (pass) add_row(l, rule, at, with, &other);
                }
            if (ways < 2) add_row(l, rule, at, args, &r);
        }
    }
}

/* None applies at a place: the next places below where some do, with labels. */
static void list_next(Listing *l, const Path *at, const char *kind)
{
    enum { SHOWN = 5 };
    Shell *sh = l->sh;
    Rules *rules = session_rules(sh->session);
    Path p = *at;
    labels_begin(sh, l->v);
    for (int shown = 0; shown < SHOWN && !*sh->stop && path_next(l->v->root, &p) && place_is_below(&p, at);) {
        int n = 0;
        for (int i = 0; i < rules_count(rules); i++) {
            const Rule *rule = rules_get(rules, i);
            n += (!kind || !strcmp(rule->kind, kind)) && guide_allows(sh, NAMED_RULE, rule->name)
                && rule_fits(&l->env, rule, l->v->root, &p);
        }
        if (n == 0) continue;
        shown++;
        print(sh, "  :%-4d %3d move%s at %s\n", labels_add(sh, &p), n, n == 1 ? " " : "s", path_text(sh->c, l->v->root, &p));
    }
    if (labels_count(sh)) print(sh, "  moves :1 lists them\n");
}

bool cmd_moves(Shell *sh, Args *a)
{
    Path at;
    const Version *v = shell_version(sh);
    if (!v || !arg_limit(sh, a, 1) || !session_may_step(sh->session, v) || !shell_place(sh, arg(a, 0), &at)) return false;
    LOCAL(scope_free) Scope scope = {0};
    const char *kind = arg_flag(a, "kind");
    bool deep = arg_flag(a, "deep") != NULL;
    Listing l = {.sh = sh, .v = v, .arena = arena_new(), .deep = deep, .cost = arg_flag(a, "cost") != NULL};
    shell_env_now(sh, v, &scope, &l.env);
    moves_at(&l, &at, kind);
    Path p = at;
    bool more = deep;
    while (more && l.rows.n < MOVES_MOST && !*sh->stop && (more = path_next(v->root, &p) && place_is_below(&p, &at)))
        moves_at(&l, &p, kind);
    if (l.rows.n == 0)
        print(sh, "no %s%srule applies at %s%s\n", kind ? kind : "", kind ? " " : "", deep ? "or below " : "",
              path_text(sh->c, v->root, &at));
    if (l.rows.n == 0 && !deep) list_next(&l, &at, kind);
    if (l.cost) rank(&l, arg_flag(a, "full") != NULL);
    l.grouped = l.rows.n > SCREEN && deep && !l.cost && !arg_flag(a, "full");
    if (l.grouped) qsort(l.rows.v, (size_t)l.rows.n, sizeof *l.rows.v, by_group);
    json_t *items = json_array();
    for (int i = 0; i < l.rows.n; i++) list_row(&l, i + 1, &l.rows.v[i], items);
    for (int i = 0; l.grouped && i < l.rows.n;) i = print_group(&l, i);
    if (l.grouped) print(sh, "%d moves        moves --deep --full prints each with its result\n", l.rows.n);
    const char *deeper = deep ? " --deep" : "";
    if (l.worse) print(sh, "%d more are worse        moves%s --cost --full\n", l.worse, deeper);
    if (l.same)
        print(sh, "%d more change%s nothing: %s is expected without %s, too        moves%s --cost --full\n", l.same, l.same == 1 ? "s" : "",
              cost_text(sh, l.now), l.same == 1 ? "it" : "them", deeper);
    if (more) print(sh, "... and more from %s on        moves PLACE --deep\n", path_text(sh->c, v->root, &p));
    shell_report(sh, "{items:o}", items);
    Path focus;
    session_focus(sh->session, &focus);
    arena_free(sh->moves.arena);
    sh->moves.arena = l.arena;
    sh->moves.derivation = session_current(sh->session);
    sh->moves.version = v->number;
    sh->moves.focus = place_ref(l.arena, &focus);
    sh->moves.count = l.rows.n;
    sh->moves.moves = NEW_ARRAY(l.arena, Move, l.rows.n);
    for (int i = 0; i < l.rows.n; i++) sh->moves.moves[i] = l.rows.v[i].move;
    free(l.rows.v);
    return true;
}

/* ---- param ---- */

/* "  legal  1, 2, 4, ...        for N = 4096": the first of n values, in as many lines as they take, and what is said
 * of them. */
static void put_values(Shell *sh, const char *label, const int64_t *values, int n, const char *more, const char *suffix)
{
    enum { INDENT = 9 };
    int width = show_width(sh);
    const char *blank = arena_printf(sh->scratch, "%*s", INDENT, "");
    LOCAL(buf_free) Buf b = {0};
    for (int i = 0; i < n; i++) buf_printf(&b, "%s%lld", i ? ", " : "", (long long)values[i]);
    buf_puts(&b, more);
    show_wrapped(sh, arena_printf(sh->scratch, "  %-*s", INDENT - 2, label), blank, buf_text(&b));
    if (!*suffix) return;
    size_t start = --sh->out.len;
    while (start > 0 && sh->out.data[start - 1] != '\n') start--;
    bool fits = sh->out.len - start + 8 + strlen(suffix) <= (size_t)width;
    print(sh, "%s%s%s\n", fits ? "" : "\n", fits ? "        " : blank, suffix);
}

/* Whose limits legal values keep. */
static void show_limits(Shell *sh)
{
    const char *device;
    const TuneLimits *l = session_limits(sh->session, &device);
    if (!l) return;
    print(sh, "  on     %s: groups of at most %lld work-items, ", device, (long long)l->max_group);
    for (int d = 0; d < 3; d++)
        if (l->max_local[d] > 0 && l->max_local[d] < l->max_group) print(sh, "%lld in dimension %d, ", (long long)l->max_local[d], d);
    print(sh, "%lld bytes of local memory\n", (long long)l->local_bytes);
}

/* What the user asks of the parameters besides: of one, or of all. */
static int find_asked(Shell *sh, const Version *v, const char *only, AskedConstraint **out, const char ***names)
{
    AskedConstraint *all;
    int count = session_space_names(v, true, sh->scratch, names), kept = 0;
    int n = session_asked(sh->session, v, *names, count, sh->scratch, &all);
    *out = all;
    for (int i = 0; i < n; i++)
        if (!only || (!all[i].missing && ANY(k, all[i].con.var_count, !strcmp((*names)[all[i].con.vars[k]], only))))
            all[kept++] = all[i];
    return n < 0 ? -1 : kept;
}

/* The points of the whole space; NULL: there is nothing to count, or it is too large. */
static TuneSpace *whole_space(Shell *sh, const Version *v, Values *at)
{
    enum { EDGES = 1 << 20 };
    SpaceOptions o = {.bound = true, .asked = true, .limits = session_limits(sh->session, NULL), .edges = EDGES};
    bool failed = diag_failed(diag(sh));
    TuneSpace *space = v->param_count ? session_space(sh->session, v, &o, sh->scratch, at) : NULL;
    if (!space && !failed && diag(sh)->id != E24) diag_clear(diag(sh));
    return space;
}

/* The parameters of v with what is asked of them: of one its legal values, else how many points they make. */
static bool report_params(Shell *sh, const Version *v, const char *only, bool all)
{
    enum { SHOWN = 64, REJECTED = 12 };
    Values values, at;
    LegalValues legal = {0};
    AskedConstraint *list;
    const char **names, *device;
    param_values(sh, v, &values);
    if (only && !session_legal(sh->session, &values, only, sh->scratch, &legal)) return false;
    json_t *params = json_array(), *asked = json_array();
    for (int i = 0; i < v->param_count && !*sh->stop; i++)
        if (!only || !strcmp(v->params[i].name, only)) show_param(sh, &values, &v->params[i], "  ", params);
    if (!only && v->param_count == 0)
        print(sh, "@%d has no tuning parameters: a rule whose size is left out makes one\n", v->number);
    int n = v->param_count ? find_asked(sh, v, only, &list, &names) : 0;
    for (int i = 0; i < n; i++) {
        const AskedConstraint *c = &list[i];
        int64_t *bound = NEW_ARRAY(sh->scratch, int64_t, c->con.var_count);
        print(sh, "  asked  %s        %s", c->con.text, c->con.from);
        if (c->missing) print(sh, ": not about @%d, which has no %s\n", v->number, c->missing);
        if (c->missing) continue;
        for (int k = 0; k < c->con.var_count; k++) bound[k] = version_param(v, names[c->con.vars[k]]);
        bool broken = ALL(k, c->con.var_count, bound[k] > 0) && !c->con.holds(c->con.data, bound);
        print(sh, broken ? ": does not hold\n" : "\n");
        json_t *of = JSON_LIST(k, c->con.var_count, json_string(names[c->con.vars[k]]));
        json_add(asked, "{text:s reason:s from:s params:o}", c->con.text, c->con.reason, c->con.from, of);
    }
    if (n < 0 || diag_failed(diag(sh))) return json_decref(params), json_decref(asked), false;
    TuneSpace *space = only && !sh->json ? NULL : whole_space(sh, v, &at);
    if (only && legal.known) {
        int shown = all || legal.count <= SHOWN ? legal.count : SHOWN;
        bool cut = shown < legal.count || !legal.all_listed;
        put_values(sh, "legal", legal.values, shown, cut ? ", ..." : legal.count ? "" : "none",
                   *legal.at ? arena_printf(sh->scratch, "for %s", legal.at) : "");
        if (shown < legal.count && legal.all_listed)
            print(sh, "         and %d more, up to %lld        param %s --all\n", legal.count - shown,
                  (long long)legal.values[legal.count - 1], only);
        else if (shown < legal.count) print(sh, "         and many more        param %s --all\n", only);
        for (int i = 0; i < legal.rejection_count; i++) {
            const LegalRejection *r = &legal.rejections[i];
            bool some = !all && r->count > REJECTED;
            put_values(sh, "not", r->values, some ? REJECTED : r->count,
                       some ? arena_printf(sh->scratch, ", ... (%d)", r->count) : "",
                       r->from ? arena_printf(sh->scratch, "%s        %s", r->text, r->from) : r->text);
        }
    } else if (space && !only) {
        LOCAL(buf_free) Buf b = {0};
        for (int i = 0; i < at.count; i++)
            if (at.b[i].kind == VAR_SIZE)
                buf_printf(&b, "%s%s = %lld", b.len ? ", " : "        for ", at.b[i].name, (long long)at.b[i].value);
        long long points = tune_count(space);
        print(sh, "  %lld point%s in all%s\n", points, plural(points), buf_text(&b));
    }
    if (legal.known || (space && !only)) show_limits(sh);
    session_limits(sh->session, &device);
    shell_report(sh, "{version:i params:o asked:o points:o device:s?}", v->number, params, asked,
                 space ? json_integer(tune_count(space)) : json_null(), device);
    tune_free(space);
    return !diag_failed(diag(sh));
}

bool cmd_param(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    if (!v) return false;
    if (sh->strategies) shell_strategy_limits(sh);       /* what is asked of parameters is in Lua */
    shell_note_limits(sh);
    if (!*a->rest) return report_params(sh, v, NULL, false);
    if (!strchr(a->rest, '=')) {
        const char *name = arg(a, 0);
        if (!name) return arg_error(sh, a, "--all lists the legal values of one parameter: which?");
        return arg_limit(sh, a, 1) && report_params(sh, v, name, arg_flag(a, "all"));
    }
    if (arg_flag(a, "all")) return arg_error(sh, a, "--all lists legal values: it binds none");
    /* "s0 = 32, s1 = ?" */
    int n = 0;
    TuneParam *b = NEW_ARRAY(sh->scratch, TuneParam, (int)strlen(a->rest) + 1);
    for (const char *rest = a->rest; *rest; n++) {
        char *name, *value;
        if (!arg_assignment(sh, &rest, &name, &value)) return arg_error(sh, a, "param takes NAME = VALUE");
        b[n] = (TuneParam){.name = name};
        if (strcmp(value, "?")) {
            if (!arg_int(sh, name, value, INT64_MIN, INT64_MAX, &b[n].value)) return false;
            if (b[n].value == 0) b[n].value = PARAM_ZERO;
        }
        if (ANY(i, n, !strcmp(b[i].name, name))) return arg_error(sh, a, arena_printf(sh->scratch, "%s is there twice", name));
    }
    if (!session_may_step(sh->session, v) || !session_params_check(sh->session, v, b, n, true, sh->scratch)) return false;
    const Version *made = session_params(sh->session, b, n), *same = session_same(sh->session, made);
    if (!sh->quiet) print(sh, "@%d  %s        from @%d\n", made->number, made->call, v->number);
    if (same && !sh->quiet) print(sh, "  same   as @%d        goto @%d\n", same->number, same->number);
    size_t printed = sh->out.len;
    if (sh->json) report_params(sh, made, n == 1 ? b->name : NULL, false);       /* for programs alone */
    print_taken(sh, printed);
    return true;
}

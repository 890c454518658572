/* rewrite: apply, try, lower, param: steps. */
#include "cmdline.h"
#include "commands.h"
#include "guide.h"
#include "show.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* ---- applying ---- */

/* A result that is there, as a version or, with `try`, to look at. asked: the place that was asked for. */
static void finish(Shell *sh, const Version *v, bool lowering, const StrategyResult *r, const Path *asked,
                   int next_param, bool kept) {
    NewStep step;
    strategy_new_step(r, lowering, asked, next_param, sh->scratch, &step);
    Path focus = session_focus(sh->session);
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

const Fact *sizes_broken(Shell *sh, const Version *v, const StrategyResult *r, Values *values)
{
    session_given_values(sh->session, v, sh->scratch, values);
    return FIRST(i, r->facts, r->fact_count, values_break(values, &r->facts[i]));
}

const char *sizes_remedy(Shell *sh, const Version *v, const StrategyResult *r)
{
    const Rule *rule = r->steps[0].rule;
    bool opens = r->step_count == 1
        && ANY(k, rule->param_count, rule->params[k].given && rule->params[k].kind == STATIC_SIZE && !rule->params[k].list);
    if (!opens) return "data        shows and sets the sizes";
    return arena_printf(sh->scratch, "apply %s at %s        leaves it open, and says what is legal", rule->name,
                        place_text(sh->c, v->root, r->steps[0].at));
}

bool sizes_allow(Shell *sh, const Version *v, const StrategyResult *r)
{
    Values values;
    LOCAL(buf_free) Buf sizes = {0};
    const Fact *f = sizes_broken(sh, v, r, &values);
    if (!f) return true;
    values_print(&values, &sizes);
    return shell_error(sh, E36, "%s does not hold for %s\nfrom %s\ntry %s", fact_text(f, sh->scratch), buf_text(&sizes), r->call_text,
                       sizes_remedy(sh, v, r));
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

/* What makes a version, which gets the tag that was asked for. */
static bool run_tagged(Shell *sh, const Args *a, Run *run, const Version *v, Request *q)
{
    if (q->tag && !session_tag_check(sh->session, -1, q->tag)) return false;
    int before = v->number;
    if (!run_traced(sh, a, run, v, q)) return false;
    v = session_version(sh->session);
    if (q->tag && v->number != before) session_tag(sh->session, v->number, q->tag);
    return true;
}

bool cmd_apply(Shell *sh, Args *a)
{
    Request q = {0};
    const Version *v = shell_version(sh);
    return v && parse_request(sh, a, true, &q) && parse_move(sh, v, &q) && run_tagged(sh, a, rewrite, v, &q);
}

bool cmd_try(Shell *sh, Args *a)
{
    Request q = {0};
    const Version *v = shell_version(sh);
    return v && parse_request(sh, a, false, &q) && parse_move(sh, v, &q) && run_traced(sh, a, rewrite, v, &q);
}

/* ---- lower ---- */

/* By the tactic for a device, in the name of `lower`, or the strategy that is asked for (NULL: none is). All or nothing
 * (decisions.md): false where what it makes gives no kernels. */
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
    return ok && (r->new_param_count || shell_plannable(sh, v, r->root));
}

bool lower_works(Shell *sh, const Version *v)
{
    StrategyResult r = {0};
    int next_param;
    Diag kept = diag_aside(diag(sh));
    bool works = lower(sh, v, NULL, &r, &next_param);
    diag_back(diag(sh), kept);
    return works;
}

static bool lower_current(Shell *sh, const Args *a, const Version *v, Request *q)
{
    StrategyResult r = {0};
    int next_param = 0;
    const char *strategy = *q->strategy ? q->strategy : NULL;
    if (strategy && *strategy == '@')
        return shell_error(sh, E05, "lower goes on from the current version\nform %s\ntry goto %s ; lower", a->command->form, strategy);
    if (!session_may_step(sh->session, v) || !lower(sh, v, strategy, &r, &next_param)) return false;
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
    if (!place) return lower(sh, v, NULL, &r, &(int){0});
    shell_env(sh, v, &scope, &env);
    lower_hints(sh, v, sh->scratch, &hints);
    return strategy_run(s, &env, sh->scratch, "lower", &hints, v->root, &at, &r);
}

bool cmd_lower(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    if (arg_flag(a, "explain")) return lower_explained(sh, a, v);
    Request q = {0};
    q.strategy = take_tagged(sh, a->rest, &q.tag);
    return v && run_tagged(sh, a, lower_current, v, &q);
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

/* moves: `moves` and `next`: what could be a step, and which of that the cost model expects to gain. */
#include "cmdline.h"
#include "commands.h"
#include "compare.h"
#include "guide.h"
#include "show.h"
#include "text.h"
#include "values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define SAME_COST 1e-3                   /* costs that differ by less are one */
enum { MOVES_MOST = 1000, SCREEN = 20 }; /* listed at once, or a few more; listed one by one */

typedef struct Row {                     /* a move as it is listed */
    Move move;
    const Term *after;
    double ns;                           /* --cost: predicted; 0: nothing runnable comes of it */
    int n;                               /* as it was found */
    int group;                           /* the first that is the same move, there or elsewhere */
} Row;

typedef struct Filter {                  /* which rules are listed; NULL: all */
    const char *kind;
    const char *from;                    /* a source, as --from has it */
} Filter;

typedef struct Listing {
    Shell *sh;
    const Version *v;
    Scope scope;
    RewriteEnv env;
    Filter only;
    Arena *arena;                        /* of the moves */
    VEC(Row) rows;
    bool deep, cost;                     /* places, costs are shown */
    int same, worse;                     /* --cost: left out, for they change nothing, or are behind a screen of better ones */
    double now;                          /* --cost: expected without any; 0: it is not known */
    bool grouped;                        /* a line a rule, with its places */
} Listing;

static void drop_listing(Listing *l) { scope_free(&l->scope), free(l->rows.v); }

static void add_row(Listing *l, const char *call, const Path *at, const Term *after)
{
    Row row = {.move = {arena_strdup(l->arena, call), place_ref(l->arena, at)}, .after = after, .n = l->rows.n};
    while (strcmp(row.group < l->rows.n ? l->rows.v[row.group].move.text : call, call)) row.group++;
    vec_push(&l->rows, row);
}

/* Columns of a line, which longer calls and places move on. */
enum { NUMBER = 5, COSTS = 10, CALLS = 23, PLACES = 18, GAP = 2 };

static int column(int wanted, int used) { return used + GAP > wanted ? used + GAP : wanted; }

/* The term that a row leads to, as far as it goes on the line from column `from` on. */
static const char *row_result(const Listing *l, const Row *row, int from)
{
    Path at, shown;
    at = place_path(row->move.at);
    term_step_place(l->v->root, row->after, &at, &shown);
    enum { LONGEST = 2000, LEAST = 12 };
    const char *before = show_short(l->sh, l->v->root, &shown, LONGEST), *after = show_short(l->sh, row->after, &shown, LONGEST);
    int room = show_width(l->sh) - from;
    return l->sh->json ? after : change_after(l->sh, before, after, room < LEAST ? LEAST : room);
}

static void add_rule(Listing *l, const Rule *rule, const Path *at, const RuleArg *args, const RuleResult *r)
{
    add_row(l, ANY(i, rule->param_count, args[i].set) ? rule_call_text(l->sh->c, rule, args) : rule->name, at, r->root);
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
    const char *place = place_text(sh->c, l->v->root, row->move.at);
    int call_at = NUMBER + (l->cost ? COSTS : 0);
    int place_at = column(CALLS + call_at, call_at + text_width(row->move.text));
    int result_at = l->deep ? column(CALLS + call_at + PLACES, place_at + text_width(place)) : place_at;
    const char *result = row_result(l, row, result_at);
    json_add(items, "{n:i rule:s place:s result:s cost_ns?:n}", n, row->move.text, place, result, l->cost && row->ns > 0 ? row->ns : 0.0);
    if (l->grouped) return;
    print(sh, "%3d  %-*s%s", n, l->cost ? COSTS : 0, l->cost ? cost_text(sh, row->ns) : "", row->move.text);
    if (l->deep) print(sh, AT(%d) "%s", place_at, place);
    print(sh, AT(%d) "%s\n", result_at, result);
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
        Path place = place_path(l->rows.v[i].move.at);
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

/* ---- of which rules ---- */

static const char mine[] = "mine";

/* Is the letters and digits of `word` in those of text? "icfp15" is in "after ICFP'15 fig. 6f". */
static bool mentions(const char *text, const char *word)
{
    for (; *text; text++) {
        const char *t = text, *w = word;
        while (*w && *t) {
            if (!isalnum((unsigned char)*t)) t++;
            else if (tolower((unsigned char)*t) != tolower((unsigned char)*w)) break;
            else t++, w++;
        }
        if (!*w) return isalnum((unsigned char)*text);
    }
    return false;
}

static bool is_from(const Rule *r, const char *source) { return strcmp(source, mine) ? mentions(r->origin, source) : rule_is_user(r); }

/* Of the command's flags. E05: no rule comes from there. */
static bool read_filter(Shell *sh, const Args *a, Filter *out)
{
    const Rules *rules = session_rules(sh->session);
    *out = (Filter){arg_flag(a, "kind"), arg_flag(a, "from")};
    if (!out->from || !strcmp(out->from, mine) || ANY(i, rules_count(rules), is_from(rules_get(rules, i), out->from))) return true;
    return shell_error(sh, E05, "no rule comes from \"%.60s\"\nhint icfp15, gpgpu16, lift, mine, or any word of where rules come from\ntry list rules -v", out->from);
}

static bool is_listed(const Listing *l, const Rule *rule)
{
    const Filter *f = &l->only;
    return (!f->kind || !strcmp(rule->kind, f->kind)) && (!f->from || is_from(rule, f->from)) && guide_allows(l->sh, NAMED_RULE, rule->name);
}

/* ---- the list ---- */

static void moves_at(Listing *l, const Path *at)
{
    Rules *rules = session_rules(l->sh->session);
    const Term *place = path_term(l->v->root, at);
    for (int i = 0; i < rules_count(rules); i++) {
        const Rule *rule = rules_get(rules, i);
        if (rule_may_apply(rule, place) && !rule_is_asked_for(rule) && is_listed(l, rule)) {
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
                    if (pass) add_rule(l, rule, at, with, &other);
                }
            if (ways < 2) add_rule(l, rule, at, args, &r);
        }
    }
}

/* None applies at a place: the next places below where some do, with labels. */
static void list_next(Listing *l, const Path *at)
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
            n += !rule_is_asked_for(rule) && is_listed(l, rule) && rule_fits(&l->env, rule, l->v->root, &p);
        }
        if (n == 0) continue;
        shown++;
        print(sh, "  :%-4d %3d move%s at %s\n", labels_add(sh, &p), n, n == 1 ? " " : "s", path_text(sh->c, l->v->root, &p));
    }
    if (labels_count(sh)) print(sh, "  moves :1 lists them\n");
}

/* The moves at a place, and, with deep, below it. Returns whether there are more than are listed, from *last on. */
static bool list_moves(Listing *l, const Path *at, bool deep, Path *last)
{
    bool more = deep;
    shell_env_now(l->sh, l->v, &l->scope, &l->env);
    moves_at(l, at);
    *last = *at;
    while (more && l->rows.n < MOVES_MOST && !*l->sh->stop && (more = path_next(l->v->root, last) && place_is_below(last, at)))
        moves_at(l, last);
    return more;
}

/* `apply K` takes the K-th of these, while version and focus are the present ones. They live in the arena, which the shell takes. */
static void keep_moves(Shell *sh, const Version *v, Arena *arena, Move *moves, int count)
{
    Path focus = session_focus(sh->session);
    arena_free(sh->moves.arena);
    sh->moves = (MoveList){session_current(sh->session), v->number, count, place_ref(arena, &focus), moves, arena};
}

bool cmd_moves(Shell *sh, Args *a)
{
    Path at, last;
    const Version *v = shell_version(sh);
    if (!v || !arg_limit(sh, a, 1) || !session_may_step(sh->session, v) || !shell_place(sh, arg(a, 0), &at)) return false;
    LOCAL(drop_listing) Listing l = {.sh = sh, .v = v, .deep = arg_flag(a, "deep") != NULL, .cost = arg_flag(a, "cost") != NULL};
    if (!read_filter(sh, a, &l.only)) return false;
    l.arena = arena_new();
    bool shorter;
    const Term *elements = l.only.kind || l.only.from ? NULL : shorter_form(sh, v, &at, &shorter);
    if (elements) add_row(&l, by_elements, &at, elements);
    bool more = list_moves(&l, &at, l.deep, &last), full = arg_flag(a, "full") != NULL;
    const char *kind = l.only.kind, *from = l.only.from;
    if (l.rows.n == 0)
        print(sh, "no %s%srule%s%s applies at %s%s\n", kind ? kind : "", kind ? " " : "", !from ? "" : strcmp(from, mine) ? " from " : " of your own",
              from && strcmp(from, mine) ? from : "", l.deep ? "or below " : "", path_text(sh->c, v->root, &at));
    if (l.rows.n == 0 && !l.deep) list_next(&l, &at);
    if (l.cost) rank(&l, full);
    l.grouped = l.rows.n > SCREEN && l.deep && !l.cost && !full;
    if (l.grouped) qsort(l.rows.v, (size_t)l.rows.n, sizeof *l.rows.v, by_group);
    json_t *items = json_array();
    for (int i = 0; i < l.rows.n; i++) list_row(&l, i + 1, &l.rows.v[i], items);
    for (int i = 0; l.grouped && i < l.rows.n;) i = print_group(&l, i);
    if (l.grouped) print(sh, "%d moves        moves --deep --full prints each with its result\n", l.rows.n);
    const char *deeper = l.deep ? " --deep" : "";
    if (l.worse) print(sh, "%d more are worse        moves%s --cost --full\n", l.worse, deeper);
    if (l.same)
        print(sh, "%d more change%s nothing: %s is expected without %s, too        moves%s --cost --full\n", l.same, l.same == 1 ? "s" : "",
              cost_text(sh, l.now), l.same == 1 ? "it" : "them", deeper);
    if (more) print(sh, "... and more from %s on        moves PLACE --deep\n", path_text(sh->c, v->root, &last));
    shell_report(sh, "{items:o}", items);
    Move *moves = MAKE_LIST(l.arena, Move, i, l.rows.n, l.rows.v[i].move);
    keep_moves(sh, v, l.arena, moves, l.rows.n);
    return true;
}

/* ---- next ---- */

/* What Lua proposes, as moves that `apply K` takes; Enter alone takes the first suggestion. */
static void keep_proposed(Shell *sh, const Version *v, const json_t *report)
{
    const json_t *items = json_object_get(report, "items");
    size_t n = json_array_size(items);
    Arena *arena = arena_new();
    Move *moves = NEW_ARRAY(arena, Move, (int)n);
    for (size_t i = 0; i < n; i++) {
        Path at;
        const json_t *one = json_array_get(items, i);
        const char *place = json_string_value(json_object_get(one, "place"));
        if (!shell_place(sh, place, &at)) at = (Path){0};
        moves[i] = (Move){arena_strdup(arena, json_string_value(json_object_get(one, "call"))), place_ref(arena, &at)};
    }
    diag_clear(diag(sh));
    keep_moves(sh, v, arena, moves, (int)n);
    const char *try = json_string_value(json_object_get(report, "try"));
    if (try) shell_offer_enter(sh, try);
}

bool cmd_next(Shell *sh, Args *a)
{
    enum { SECONDS = 10, SECONDS_MOST = 3600 };
    Path at, last;
    int64_t budget = SECONDS;
    const Version *v = shell_version(sh);
    const char *given = arg_flag(a, "budget");
    Strategies *s = v ? shell_strategies(sh) : NULL;
    if (!s || !arg_limit(sh, a, 1) || !session_may_step(sh->session, v)) return false;
    if (arg(a, 0) ? !shell_place(sh, arg(a, 0), &at) : (at = (Path){0}, false)) return false;
    if (given && given[strlen(given) - 1] == 's') given = arena_strndup(sh->scratch, given, strlen(given) - 1);
    if (given && !arg_int(sh, "--budget, in seconds,", given, 1, SECONDS_MOST, &budget)) return false;
    LOCAL(drop_listing) Listing l = {.sh = sh, .v = v, .arena = arena_new()};
    if (!read_filter(sh, a, &l.only)) return arena_free(l.arena), false;
    list_moves(&l, &at, true, &last);
    Rules *rules = session_rules(sh->session);
    json_auto_t *moves = json_array(), *report = NULL;
    for (int i = 0; i < l.rows.n; i++) {
        const Row *row = &l.rows.v[i];
        const Rule *rule = rules_called(rules, row->move.text);
        bool open = rule && ANY(k, rule->param_count, rule->params[k].given && rule->params[k].kind == STATIC_SIZE);
        json_add(moves, "{rule:s place:s kind:s open:b}", row->move.text, place_text(sh->c, v->root, row->move.at), rule ? rule->kind : "", open);
    }
    const RunNote *run = v->run;
    bool timed = run && run->state == STATE_OK && run->best_ns > 0 && show_times(sh), lowered = plan_is_lowered(sh->c, v->root);
    diag_clear(diag(sh));
    json_auto_t *spec = json_of("{moves:o place:s seconds:i lowered:b open:b ran:b enter:b measured?:n}", json_incref(moves), path_text(sh->c, v->root, &at),
                                (int)budget, lowered, session_unbound(v) >= 0, run != NULL, shell_offers_enter(sh), timed ? run->best_ns : 0.0);
    json_t *only = l.only.kind || l.only.from ? json_object() : NULL;
    for (int i = 0; only && i < rules_count(rules); i++)
        if (is_listed(&l, rules_get(rules, i))) json_object_set_new(only, rules_get(rules, i)->name, json_true());
    if (only) json_object_set_new(spec, "rules", only);
    arena_free(l.arena);
    bool ok = strategies_command(s, "advice", spec, &sh->out, &report);
    if (sh->json) sh->data = json_incref(report);
    if (ok) keep_proposed(sh, v, report);
    return ok;
}

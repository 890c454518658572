/* rules: rules and macros at the prompt; why they apply or do not. */
#include "commands.h"
#include "compare.h"
#include "guide.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <string.h>

#include "check.h"
#include "trust.h"

enum { MISSING_MAX = 4, KEPT_MAX = 1000 };

static Rules *rules_of(Shell *sh) { return session_rules(sh->session); }

/* ---- what is said about a rule ---- */

const char *rule_param_word(const RuleParam *p)
{
    static const char *const words[] = {"a size", "a dimension 0, 1 or 2", "a width 2, 4, 8 or 16", "clamp, mirror or wrap",
                                        "a permutation"};
    return words[p->kind];
}

const char *rule_param_more(const RuleParam *p)
{
    return !p->given ? ", found by matching" : p->list ? "; which of several, from 0; left out: the first"
           : p->kind == STATIC_SIZE ? "; left out: a fresh parameter" : "";
}

void show_rule(Shell *sh, const Rule *r)
{
    Buf *out = &sh->out;
    buf_printf(out, "rule %s", r->name);
    for (int i = 0; i < r->param_count; i++) buf_printf(out, "%s%s", i ? ", " : "(", r->params[i].name);
    if (r->param_count) buf_putc(out, ')');
    buf_printf(out, "\n  %s\n", r->text);
    if (*r->doc) buf_printf(out, "  %s\n", r->doc);
    for (int i = 0; i < r->param_count; i++) {
        const RuleParam *p = &r->params[i];
        buf_printf(out, "  %s: %s%s\n", p->name, rule_param_word(p), rule_param_more(p));
    }
    buf_printf(out, "  %s; ", r->kind);
    trust_text(r, out);
    if (*r->origin) buf_printf(out, "; from %s", r->origin);
    buf_putc(out, '\n');
}

void show_example(Shell *sh, const Rule *r)
{
    const char *text = rule_example(sh->c, r);
    if (text) print(sh, "  for example  %s\n", text);
}

static json_t *rule_json(const Rule *r)
{
    return json_of("{name:s rule:s kind:s params:o trust:s checked:i refuted:b}", r->name, r->text, r->kind,
                   JSON_LIST(i, r->param_count, json_string(r->params[i].name)), trust_name(r->trust), r->check_count, r->refuted);
}

/* ---- rule ---- */

static bool show_one(Shell *sh, const char *name)
{
    const Rule *r = rule_named(sh, name);
    if (!r && diag(sh)->id == E02) diag_note(diag(sh), "form", "rule NAME[(PARAMS)]: LHS => RHS [when COND]");
    if (!r) return false;
    show_rule(sh, r);
    return shell_report(sh, "o", rule_json(r));
}

static void copy_trust(Rule *to, const Rule *from)
{
    to->trust = from->trust;
    to->check_seed = from->check_seed;
    to->check_count = from->check_count;
    to->asked = from->asked;
    to->refuted = from->refuted;
    to->warned = from->warned;
}

/* What versions were made with stays, under another name, so that their history can be followed and replayed. */
static bool keep_old(Shell *sh, const Rule *old)
{
    LOCAL(buf_free) Buf versions = {0};
    if (session_made_with(sh->session, old->name, &versions) == 0) return true;
    const char *kept = old->name;        /* a free name: half_1, half_2 ... */
    for (int i = 1; rules_find(rules_of(sh), kept) || strategies_name_taken(shell_strategies(sh), kept, true); i++) {
        if (i == KEPT_MAX) return shell_error(sh, E27, "%s has been replaced too often", old->name);
        kept = arena_printf(sh->scratch, "%s_%d", old->name, i);
    }
    const Rule *old_back = rules_find(rules_of(sh), arena_printf(sh->scratch, "%s.rev", old->name));
    const char *text = arena_printf(sh->scratch, "%s%s", kept, rule_definition(old) + strlen(old->name));
    Source source = {"rule", text, strlen(text)};
    Rule *reverse, *copy = rules_define(sh->c, rules_of(sh), &source, &reverse);
    if (copy) {
        copy_trust(copy, old);
        if (reverse && old_back) copy_trust(reverse, old_back);
        session_rename_rule(sh->session, old->name, kept);
        print(sh, "%s is replaced; %s rest%s on the old one, which is kept as %s\n", old->name,
              buf_text(&versions), strchr(buf_text(&versions), ',') ? "" : "s", kept);
    }
    return copy != NULL;
}

static void warn_missing(Shell *sh, const Rule *r)
{
    const char *missing[MISSING_MAX];
    int n = rule_missing_facts(sh->c, r, missing, MISSING_MAX);
    const char *text = rule_definition(r), **given;
    bool typed = !strpbrk(text, "\n#");  /* with one more condition it can be: on one line, without a comment */
    for (int i = 0; i < n; i++) {
        const char *joint = rule_conditions(r, sh->scratch, &given) ? "and" : "when";
        shell_warn(sh, W07, typed ? arena_printf(sh->scratch, "rule %s %s %s", text, joint, missing[i]) : NULL,
                   "the right side of %s needs %s", r->name, missing[i]);
    }
}

static bool is_name(const char *text)
{
    size_t n = 0;
    while (is_name_char(text[n]) || text[n] == '.') n++;
    return n > 0 && !text[n];
}

static bool delete_rule(Shell *sh, const char *name)
{
    Buf b = {0};
    const Rule *r = rules_find(rules_of(sh), name);
    if (!r) return rule_unknown(sh, name);
    if (!rule_is_user(r)) return shell_error(sh, E27, "%s is a built-in rule", name);
    if (r->reversed)
        return shell_error(sh, E27, "%s is the other direction of a rule and goes with it\ntry rule -d %.*s", name,
                           (int)(strlen(name) - strlen(".rev")), name);
    bool used = session_made_with(sh->session, name, &b) > 0;
    const char *versions = buf_take(&b, sh->scratch);
    if (used)
        return shell_error(sh, E27, "%s is needed: %s %s made with it\ntry drop %.*s", name, versions,
                           strchr(versions, ',') ? "were" : "was", (int)strcspn(versions, ","), versions);
    rules_remove(rules_of(sh), name);
    if (!sh->quiet) print(sh, "rule %s is gone\n", name);
    return true;
}

bool cmd_rule(Shell *sh, Args *a)
{
    const char *gone = arg_deleted(sh, a);
    if (!*a->rest) {
        json_t *all = json_array();
        const Rule *r;
        for (int i = 0; (r = rules_user(rules_of(sh), i)); i++) {
            if (r->reversed) continue;
            print(sh, "rule %s\n  ", rule_definition(r));
            trust_text(r, &sh->out);
            buf_putc(&sh->out, '\n');
            json_array_append_new(all, rule_json(r));
        }
        if (json_array_size(all) == 0) print(sh, "no rules of your own; rule NAME: LHS => RHS defines one, list rules shows all\n");
        return shell_report(sh, "{rules:o}", all);
    }
    if (gone && !is_name(gone)) return arg_error(sh, a, "which rule is to go?");
    if (gone) return delete_rule(sh, gone);
    if (is_name(a->rest)) return show_one(sh, a->rest);
    const char *text = a->rest;
    Rule *back;
    Source source = {"rule", text, strlen(text)};
    Rule *r = rules_read(sh->c, rules_of(sh), &source, &back);
    Strategies *s = r ? shell_strategies(sh) : NULL;
    if (!s) return false;
    const char *taken = strategies_name_taken(s, r->name, true);
    if (taken)
        return shell_error(sh, E30, "%s cannot be the name of a rule: it is %s\nhint another name, such as %s2", r->name,
                           rules_find(rules_of(sh), r->name) ? "a built-in one" : taken, r->name);
    if (!rule_typecheck(sh->c, r) || (back && !rule_typecheck(sh->c, back))) return false;
    const Rule *old = rules_find(rules_of(sh), r->name);
    if (old && !strcmp(rule_definition(old), rule_definition(r))) {
        print(sh, "%s is that rule already\n", r->name);
        return show_one(sh, r->name);
    }
    if (old && !keep_old(sh, old)) return false;
    rules_put(rules_of(sh), r, back);
    if (!sh->quiet) show_rule(sh, r);
    if (!sh->quiet && back) show_rule(sh, back);
    warn_missing(sh, r);
    if (back) warn_missing(sh, back);
    return shell_report(sh, "o", rule_json(r));
}

/* ---- macro ---- */

static json_t *macro_json(const StrategyName *n)
{
    return json_of("{name:s params:s doc:s user:b text?:s}", n->name, n->params ? n->params : "", n->doc ? n->doc : "", n->user, n->text);
}

void show_macro(Shell *sh, const StrategyName *n)
{
    print(sh, "%s%s\n", n->name, n->params ? n->params : "");
    if (n->doc && *n->doc) print(sh, "  %s\n", n->doc);
    if (n->text) print(sh, "  macro %s\n", n->text);
}

static bool is_macro(const StrategyName *n) { return n && (n->kind == NAME_MACRO || n->kind == NAME_LOWERING); }

static bool no_macro(Shell *sh, const char *name)
{
    NearName near = {.typed = name};
    Strategies *s = shell_strategies(sh);
    const StrategyName *n = strategies_find(s, name);
    for (int i = 0; i < strategies_name_count(s); i++)
        if (is_macro(strategies_name(s, i)) && guide_allows_name(sh, strategies_name(s, i)))
            near_try(&near, strategies_name(s, i)->name);
    if (n) return shell_error(sh, E02, "%s is no macro; help %s\ntry list macros", name, name);
    return shell_error(sh, E02, "no macro called \"%s\"%s\ntry list macros", name, near_text(sh->scratch, near.name));
}

bool cmd_macro(Shell *sh, Args *a)
{
    Strategies *s = shell_strategies(sh);
    const char *gone = arg_deleted(sh, a);
    if (!s) return false;
    if (!*a->rest) {
        json_t *all = json_array();
        for (int i = 0; i < strategies_name_count(s); i++) {
            const StrategyName *n = strategies_name(s, i);
            if (!n->user) continue;
            show_macro(sh, n);
            json_array_append_new(all, macro_json(n));
        }
        if (json_array_size(all) == 0) print(sh, "no macros of your own; macro NAME = STRATEGY defines one, list macros shows all\n");
        return shell_report(sh, "{macros:o}", all);
    }
    if (gone && !is_name(gone)) return arg_error(sh, a, "which macro is to go?");
    if (gone) {
        const StrategyName *n = strategies_find(s, gone);
        if (!is_macro(n)) return no_macro(sh, gone);
        if (!n->user) return shell_error(sh, E27, "%s is a built-in macro", gone);
        if (!strategies_remove(s, gone)) return false;
        if (!sh->quiet) print(sh, "macro %s is gone\n", gone);
        return true;
    }
    if (is_name(a->rest)) {
        const char *name = a->rest;
        const StrategyName *n = strategies_find(s, name);
        if (!is_macro(n)) {
            no_macro(sh, name);
            diag_note(diag(sh), "form", "macro NAME[(P, ...)] = STRATEGY");
            return false;
        }
        if (!guide_may_name(sh, NAMED_MACRO, name)) return false;
        show_macro(sh, n);
        return shell_report(sh, "o", macro_json(n));
    }
    const char *text = a->rest;
    size_t from = strspn(text, " \t\n"), n = name_length(text + from);
    if (!strategies_define(s, text)) return false;
    const StrategyName *made = strategies_find(s, arena_strndup(sh->scratch, text + from, n));
    if (made && !sh->quiet) show_macro(sh, made);
    if (made && sh->json) sh->data = macro_json(made);
    return true;
}

/* ---- why ---- */

typedef struct Why {
    Shell *sh;
    const Version *v;
    Request q;
    Scope scope;
    RewriteEnv env;
} Why;

static json_t *why_json(const Why *w, bool applies)
{
    const char *place = path_text(w->sh->c, w->v->root, &w->q.at);
    return json_of("{applies:b strategy:s place:s}", applies, w->q.strategy, place);
}

static void why_result(Why *w, const Term *root, const char *call, const char *remedy, json_t *o)
{
    Shell *sh = w->sh;
    const char *at = path_text(sh->c, w->v->root, &w->q.at);
    Path p;
    term_step_place(w->v->root, root, &w->q.at, &p);
    const char *result = show_typed(sh, root, &p, show_width(sh) - 10);
    if (!remedy) remedy = arena_printf(sh->scratch, "apply %s at %s", call, at);
    print(sh, "  gives   %s\n  try     %s\n", result, remedy);
    json_object_set_new(o, "result", json_string(result));
    json_note(o, "try", remedy);
}

/* Does it hold, being of what must not stand around the place or in it? */
static bool is_absence(const RuleResult *r, int i)
{
    return r->conds[i].verdict == 1 && (!strncmp(r->conds[i].text, "not under ", 10) || !strncmp(r->conds[i].text, "not contains ", 13));
}

static void why_trust(Shell *sh, const Rule *rule, json_t *o)
{
    LOCAL(buf_free) Buf trust = {0};
    trust_text(rule, &trust);
    print(sh, "  trust   %s        check %s\n", buf_text(&trust), rule->name);
    json_note(o, "trust", buf_text(&trust));
}

static bool why_rule(Why *w, const SubStep *step, const char *remedy)
{
    Shell *sh = w->sh;
    RuleResult r;
    Path at = place_path(step->at);
    strategies_serve_conditions(shell_strategies(sh), &w->env);
    if (!rule_apply(&w->env, step->rule, step->args, w->v->root, &at, true, &r)) return false;
    print(sh, "%s applies at %s%s\n", step->rule->name, place_text(sh->c, w->v->root, step->at), remedy ? " with other sizes" : "");
    print(sh, "  rule    %s\n", step->rule->text);
    json_t *o = why_json(w, !remedy), *bindings = json_object();
    json_object_set_new(o, "rule", json_string(step->rule->text));
    json_object_set_new(o, "bindings", bindings);
    for (int i = r.binding_count - 1, first = 1; i >= 0; i--) {
        if (*r.bindings[i].name == '%') continue;
        print(sh, "  %-7s %s = %s\n", first ? "where" : "", r.bindings[i].name, r.bindings[i].text);
        json_object_set_new(bindings, r.bindings[i].name, json_string(r.bindings[i].text));
        first = 0;
    }
    enum { MANY = 3 };                   /* that say no more than the rule itself does */
    int absent = 0;
    for (int i = 0; i < r.cond_count; i++) absent += is_absence(&r, i);
    for (int i = 0; i < r.cond_count; i++) {
        const char *text = cond_report(sh->c, &r, i);
        if (absent < MANY || !is_absence(&r, i)) print(sh, "  %-7s %s\n", "when", text);
        json_note(o, "when", text);
    }
    if (absent >= MANY) print(sh, "  %-7s all %d conditions on what is around it and in it hold\n", "when", absent);
    if (step->rule->trust == TRUST_ASSUMED) why_trust(sh, step->rule, o);
    why_result(w, r.root, w->q.strategy, remedy, o);
    return shell_report(sh, "o", o);
}

/* "mapGlobal" without its dimension: with the first that applies, else the first there is. NULL: the text is no rule. */
static const char *with_arguments(Why *w)
{
    RuleArg args[6] = {{0}};
    RuleResult r;
    Shell *sh = w->sh;
    const Rule *rule = rules_find(rules_of(sh), w->q.strategy);
    if (!rule) return NULL;
    diag_clear(diag(sh));
    strategies_serve_conditions(shell_strategies(sh), &w->env);
    bool ok = rule_apply_open(&w->env, rule, w->v->root, &w->q.at, args, &r);
    for (int i = 0; i < rule->param_count && !ok; i++) {
        if (!rule->params[i].given || rule->params[i].kind == STATIC_SIZE) continue;
        int64_t first = rule->params[i].kind == STATIC_WIDTH ? 4 : 0;
        args[i] = (RuleArg){.set = true, .size = nat_const(sh->c->nats, first), .perm = PERM_REVERSE};
    }
    return arena_strdup(sh->scratch, rule_typed_text(sh->c, rule, args));
}

static bool why_of(Why *w, bool again)
{
    StrategyResult r = {0};
    LowerHints hints;
    Shell *sh = w->sh;
    lower_hints(sh, w->v, sh->scratch, &hints);
    if (strategy_run(shell_strategies(sh), &w->env, sh->scratch, w->q.strategy, &hints, w->v->root, &w->q.at, &r)) {
        bool rule = r.step_count == 1 && r.call_text == r.steps[0].call;
        Values values;
        const char *remedy = sizes_broken(sh, w->v, &r, &values) ? sizes_remedy(sh, w->v, &r) : NULL;
        w->env.next_param = w->v->next_param;
        if (rule) return why_rule(w, &r.steps[0], remedy);
        json_t *o = why_json(w, !remedy), *steps = json_array();
        const Term *before = w->v->root;
        const char *place = path_text(sh->c, w->v->root, &w->q.at);
        print(sh, "%s applies at %s%s: %d step%s\n", r.call_text, place, remedy ? " with other sizes" : "", r.step_count, plural(r.step_count));
        for (int i = 0; i < r.step_count; i++) {
            const SubStep *s = &r.steps[i];
            const char *at = place_text(sh->c, before, s->at);
            print(sh, "  %5d   %s at %s\n", i + 1, s->call, at);
            show_equations(sh, "          ", s->call);
            json_add(steps, "{rule:s place:s}", s->call, at);
            before = s->root;
        }
        json_object_set_new(o, "steps", steps);
        if (r.root == w->v->root) print(sh, "  changes nothing\n");
        else why_result(w, r.root, w->q.strategy, remedy, o);
        return shell_report(sh, "o", o);
    }
    ErrorId id = diag(sh)->id;
    const char *text = id == E22 && !again ? with_arguments(w) : NULL;
    if (text) {
        w->q.strategy = text;
        return why_of(w, true);
    }
    if (id != E21 && id != E22 && id != E23) return false;
    /* The error is the answer. */
    const Diag *d = diag(sh);
    json_t *o = why_json(w, false);
    print(sh, "%s\n", d->message);
    json_object_set_new(o, "message", json_string(d->message));
    for (int i = 0; i < d->note_count; i++) {
        print(sh, "  %-7s %s\n", d->notes[i].label, d->notes[i].text);
        json_note(o, d->notes[i].label, d->notes[i].text);
    }
    const Rule *rule = rules_find(rules_of(sh), w->q.strategy);
    if (rule && rule->refuted) why_trust(sh, rule, o);
    diag_clear(diag(sh));
    return shell_report(sh, "o", o);
}

/* Of a pattern in quotes: has the place that shape, what differs first, and which of its parts are there. */
static bool why_shape(Why *w)
{
    Shell *sh = w->sh;
    const Term *root = w->v->root;
    size_t n = strlen(w->q.strategy);
    const char *quoted = w->q.strategy, *text = arena_strndup(sh->scratch, quoted + 1, n > 1 ? n - 2 : 0);
    if (n < 2 || quoted[n - 1] != '\'') return shell_error(sh, E03, "the pattern %s has no closing quote", quoted);
    const SearchPattern *p = pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "pattern", text, strlen(text))), **parts;
    if (!w->q.placed) w->q.at = (Path){0};
    if (!p) return false;
    PatternMiss miss;
    bool has = pattern_matches(sh->c, p, root, &w->q.at), differs = !has && pattern_mismatch(sh->c, p, root, &w->q.at, &miss);
    json_t *o = why_json(w, has);
    print(sh, "%s %s the shape %s\n", path_text(sh->c, root, &w->q.at), has ? "has" : "has not", quoted);
    if (differs) {
        const char *where = path_text(sh->c, root, &miss.where), *found = lang_text(sh->c, root, miss.where.slots, miss.where.length, 60);
        print(sh, "  needs   %s at %s\n  found   %s\n", miss.needs, where, found);
        json_note(o, "needs", arena_printf(sh->scratch, "%s at %s", miss.needs, where));
        json_note(o, "found", found);
    }
    for (int i = 0, count = has ? 0 : pattern_parts(p, sh->scratch, &parts); i < count; i++) {
        Path at = {0};
        bool held = pattern_matches(sh->c, parts[i], root, &at);
        while (!held && path_next(root, &at)) held = pattern_matches(sh->c, parts[i], root, &at);
        const char *part = pattern_text(parts[i], sh->scratch);
        if (held) part = arena_printf(sh->scratch, "%s at %s", part, path_text(sh->c, root, &at));
        print(sh, "  %-7s %s\n", held ? "held" : "missing", part);
        json_note(o, held ? "held" : "missing", part);
    }
    if (!has && !w->q.at.length) {
        print(sh, "  try     reach %s\n", quoted);
        json_note(o, "try", arena_printf(sh->scratch, "reach %s", quoted));
    }
    return shell_report(sh, "o", o);
}

bool cmd_why(Shell *sh, Args *a)
{
    Why w = {.sh = sh, .v = shell_version(sh)};
    if (!w.v || !shell_strategies(sh) || !parse_request(sh, a, false, &w.q) || !parse_move(sh, w.v, &w.q)) return false;
    if (*w.q.strategy == '\'') return why_shape(&w);
    present_env(sh, w.v, &w.scope, &w.env);
    trace_start(sh);
    bool ok = why_of(&w, false);
    scope_free(&w.scope);
    return ok;
}

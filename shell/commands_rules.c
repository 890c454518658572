/* commands_rules: rules and macros at the prompt, and how far a rule is trusted. */
#include "shell.h"

#include <ctype.h>
#include <string.h>

#include "check.h"

enum { MISSING_MAX = 4, KEPT_MAX = 1000 };

static Diag *diag(Shell *sh) { return &sh->c->diag; }
static Rules *rules_of(Shell *sh) { return session_rules(sh->session); }

/* ---- what is said about a rule ---- */

static const char *static_word(StaticKind kind)
{
    static const char *const words[] = {"a size", "a dimension 0, 1 or 2", "a width 2, 4, 8 or 16", "clamp, mirror or wrap", "a permutation"};
    return words[kind];
}

void trust_text(const Rule *r, Buf *out)
{
    buf_puts(out, trust_name(r->trust));
    if (r->refuted) buf_printf(out, "; refuted by check, seed %llu", (unsigned long long)r->check_seed);
    else if (r->check_count)
        buf_printf(out, "%s by %d instances, seed %llu", r->trust == TRUST_CHECKED ? "" : "; checked", r->check_count,
                   (unsigned long long)r->check_seed);
}

void show_rule(Shell *sh, const Rule *r)
{
    Buf *out = &sh->out;
    buf_printf(out, "rule %s", r->name);
    for (int i = 0; i < r->param_count; i++) buf_printf(out, "%s%s%s", i ? ", " : "(", r->params[i].name, i + 1 == r->param_count ? ")" : "");
    buf_printf(out, "\n  %s\n", r->text);
    if (*r->doc) buf_printf(out, "  %s\n", r->doc);
    for (int i = 0; i < r->param_count; i++)
        buf_printf(out, "  %s: %s%s\n", r->params[i].name, static_word(r->params[i].kind),
                   !r->params[i].given ? ", found by matching" : r->params[i].kind == STATIC_SIZE ? "; left out: a fresh parameter" : "");
    buf_printf(out, "  %s; ", r->kind);
    trust_text(r, out);
    if (*r->origin) buf_printf(out, "; from %s", r->origin);
    buf_putc(out, '\n');
}

void show_example(Shell *sh, const Rule *r)
{
    const char *text = rule_example(sh->c, r);
    if (text) buf_printf(&sh->out, "  for example  %s\n", text);
}

static json_t *rule_json(const Rule *r)
{
    json_t *params = json_array();
    for (int i = 0; i < r->param_count; i++) json_array_append_new(params, json_string(r->params[i].name));
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:i, s:b}", "name", r->name, "rule", r->text, "kind", r->kind, "params", params,
                     "trust", trust_name(r->trust), "checked", r->check_count, "refuted", r->refuted);
}

/* ---- rule ---- */

bool no_rule(Shell *sh, const char *name)
{
    const char *near = rules_suggest(sh->c, rules_of(sh), name);
    if (near) diag_error(diag(sh), E02, "no rule called \"%s\"; did you mean %s?", name, near);
    else diag_error(diag(sh), E02, "no rule called \"%s\"", name);
    diag_note(diag(sh), "try", "list rules");
    return false;
}

static bool list_own_rules(Shell *sh)
{
    json_t *all = json_array();
    for (int i = 0; i < rules_count(rules_of(sh)); i++) {
        const Rule *r = rules_get(rules_of(sh), i);
        if (!rule_is_user(r) || r->reversed) continue;
        buf_printf(&sh->out, "rule %s\n  ", rule_definition(r));
        trust_text(r, &sh->out);
        buf_putc(&sh->out, '\n');
        json_array_append_new(all, rule_json(r));
    }
    if (json_array_size(all) == 0) buf_puts(&sh->out, "no rules of your own; rule NAME: LHS => RHS defines one, list rules shows all\n");
    if (sh->json) sh->data = json_pack("{s:O}", "rules", all);
    json_decref(all);
    return true;
}

static bool show_one(Shell *sh, const char *name)
{
    const Rule *r = rules_find(rules_of(sh), name);
    if (!r) {
        no_rule(sh, name);
        diag_note(diag(sh), "form", "rule NAME[(PARAMS)]: LHS => RHS [when COND]");
        return false;
    }
    show_rule(sh, r);
    if (sh->json) sh->data = rule_json(r);
    return true;
}

static bool delete_rule(Shell *sh, const char *name)
{
    Buf versions = {0};
    const Rule *r = rules_find(rules_of(sh), name);
    if (!r) return no_rule(sh, name);
    bool used = rule_is_user(r) && session_made_with(sh->session, name, &versions) > 0;
    if (!rule_is_user(r)) {
        diag_error(diag(sh), E27, "%s is a built-in rule", name);
    } else if (r->reversed) {
        diag_error(diag(sh), E27, "%s is the other direction of a rule and goes with it", name);
        diag_note(diag(sh), "try", "rule -d %.*s", (int)(strlen(name) - strlen(".rev")), name);
    } else if (used) {
        diag_error(diag(sh), E27, "%s is needed: %s %s made with it", name, buf_text(&versions),
                   strchr(buf_text(&versions), ',') ? "were" : "was");
        diag_note(diag(sh), "try", "drop %.*s", (int)strcspn(buf_text(&versions), ","), buf_text(&versions));
    } else {
        rules_remove(rules_of(sh), name);
        if (!sh->quiet) buf_printf(&sh->out, "rule %s is gone\n", name);
    }
    buf_free(&versions);
    return !diag_failed(diag(sh));
}

/* A free name for a rule that is replaced while versions rest on it: half_1, half_2 ... */
static const char *kept_name(Shell *sh, const char *name)
{
    for (int i = 1; i < KEPT_MAX; i++) {
        const char *kept = arena_printf(sh->scratch, "%s_%d", name, i);
        if (!rules_find(rules_of(sh), kept) && !strategies_name_taken(shell_strategies(sh), kept, true)) return kept;
    }
    return NULL;
}

static void copy_trust(Rule *to, const Rule *from)
{
    to->trust = from->trust;
    to->check_seed = from->check_seed;
    to->check_count = from->check_count;
    to->refuted = from->refuted;
    to->warned = from->warned;
}

/* What versions were made with stays, under another name, so that their history can be followed and replayed. */
static bool keep_old(Shell *sh, const Rule *old)
{
    Buf versions = {0};
    if (session_made_with(sh->session, old->name, &versions) == 0) return true;
    const char *kept = kept_name(sh, old->name), *back = arena_printf(sh->scratch, "%s.rev", old->name);
    const Rule *old_back = rules_find(rules_of(sh), back);
    if (!kept) return diag_error(diag(sh), E27, "%s has been replaced too often", old->name), false;
    const char *text = arena_printf(sh->scratch, "%s%s", kept, rule_definition(old) + strlen(old->name));
    Source source = {"rule", text, strlen(text)};
    Rule *reverse, *copy = rules_define(sh->c, rules_of(sh), &source, &reverse);
    if (copy) {
        copy_trust(copy, old);
        if (reverse && old_back) copy_trust(reverse, old_back);
        session_rename_rule(sh->session, old->name, kept);
        buf_printf(&sh->out, "%s is replaced; %s rest%s on the old one, which is kept as %s\n", old->name, buf_text(&versions),
                   strchr(buf_text(&versions), ',') ? "" : "s", kept);
    }
    buf_free(&versions);
    return copy != NULL;
}

static void warn_missing(Shell *sh, const Rule *r)
{
    const char *missing[MISSING_MAX];
    int n = rule_missing_facts(sh->c, r, missing, MISSING_MAX);
    for (int i = 0; i < n; i++)
        shell_warn(sh, W07, arena_printf(sh->scratch, "say so: when %s", missing[i]), "the right side of %s needs %s", r->name, missing[i]);
}

static bool name_free(Shell *sh, const char *name)
{
    Strategies *s = shell_strategies(sh);
    const char *taken = s ? strategies_name_taken(s, name, true) : NULL;
    if (!taken) return s != NULL;
    bool builtin = rules_find(rules_of(sh), name) != NULL;
    diag_error(diag(sh), E30, "%s cannot be the name of a rule: it is %s", name, builtin ? "a built-in one" : taken);
    diag_note(diag(sh), "try", "another name, such as %s2", name);
    return false;
}

static bool define_rule(Shell *sh, const char *text)
{
    Rule *back;
    Source source = {"rule", text, strlen(text)};
    Rule *r = rules_read(sh->c, rules_of(sh), &source, &back);
    if (!r || !name_free(sh, r->name) || !rule_typecheck(sh->c, r) || (back && !rule_typecheck(sh->c, back))) return false;
    const Rule *old = rules_find(rules_of(sh), r->name);
    if (old && !strcmp(rule_definition(old), rule_definition(r))) {
        buf_printf(&sh->out, "%s is that rule already\n", r->name);
        return show_one(sh, r->name);
    }
    if (old && !keep_old(sh, old)) return false;
    rules_put(rules_of(sh), r, back);
    if (!sh->quiet) show_rule(sh, r);
    if (!sh->quiet && back) show_rule(sh, back);
    warn_missing(sh, r);
    if (back) warn_missing(sh, back);
    if (sh->json) sh->data = rule_json(r);
    return true;
}

/* The word behind -d; NULL: another form. "" when it is missing. */
static const char *deleted_name(Shell *sh, const char *text)
{
    if (strncmp(text, "-d", 2) || (text[2] && !isspace((unsigned char)text[2]))) return NULL;
    return arena_strdup(sh->scratch, text + 2 + strspn(text + 2, " \t\n"));
}

static bool is_name(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.') n++;
    return n > 0 && !text[n];
}

static bool form_error(Shell *sh, const Args *a, const char *what)
{
    diag_error(diag(sh), E05, "%s", what);
    diag_note(diag(sh), "form", "%s", a->command->form);
    return false;
}

bool cmd_rule(Shell *sh, Args *a)
{
    const char *gone = deleted_name(sh, a->rest);
    if (!*a->rest) return list_own_rules(sh);
    if (gone) return is_name(gone) ? delete_rule(sh, gone) : form_error(sh, a, "which rule is to go?");
    return is_name(a->rest) ? show_one(sh, a->rest) : define_rule(sh, a->rest);
}

/* ---- macro ---- */

static json_t *macro_json(const StrategyName *n)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:b}", "name", n->name, "params", n->params ? n->params : "", "doc", n->doc ? n->doc : "",
                          "user", n->user);
    if (n->text) json_object_set_new(o, "text", json_string(n->text));
    return o;
}

void show_macro(Shell *sh, const StrategyName *n)
{
    buf_printf(&sh->out, "%s%s\n", n->name, n->params ? n->params : "");
    if (n->doc && *n->doc) buf_printf(&sh->out, "  %s\n", n->doc);
    if (n->text) buf_printf(&sh->out, "  macro %s\n", n->text);
}

static bool is_macro(const StrategyName *n) { return n && (n->kind == NAME_MACRO || n->kind == NAME_LOWERING); }

static bool no_macro(Shell *sh, const char *name)
{
    const char *near = strategies_suggest(shell_strategies(sh), name);
    const StrategyName *n = strategies_find(shell_strategies(sh), name);
    if (n) diag_error(diag(sh), E02, "%s is no macro; help %s", name, name);
    else if (near) diag_error(diag(sh), E02, "no macro called \"%s\"; did you mean %s?", name, near);
    else diag_error(diag(sh), E02, "no macro called \"%s\"", name);
    diag_note(diag(sh), "try", "list macros");
    return false;
}

static bool list_own_macros(Shell *sh, Strategies *s)
{
    json_t *all = json_array();
    for (int i = 0; i < strategies_name_count(s); i++) {
        const StrategyName *n = strategies_name(s, i);
        if (!n->user) continue;
        show_macro(sh, n);
        json_array_append_new(all, macro_json(n));
    }
    if (json_array_size(all) == 0) buf_puts(&sh->out, "no macros of your own; macro NAME = STRATEGY defines one, list macros shows all\n");
    if (sh->json) sh->data = json_pack("{s:O}", "macros", all);
    json_decref(all);
    return true;
}

static bool show_one_macro(Shell *sh, Strategies *s, const char *name)
{
    const StrategyName *n = strategies_find(s, name);
    if (!is_macro(n)) {
        no_macro(sh, name);
        diag_note(diag(sh), "form", "macro NAME[(P, ...)] = STRATEGY");
        return false;
    }
    show_macro(sh, n);
    if (sh->json) sh->data = macro_json(n);
    return true;
}

static bool delete_macro(Shell *sh, Strategies *s, const char *name)
{
    const StrategyName *n = strategies_find(s, name);
    if (!is_macro(n)) return no_macro(sh, name);
    if (!n->user) return diag_error(diag(sh), E27, "%s is a built-in macro", name), false;
    if (!strategies_remove(s, name)) return false;
    if (!sh->quiet) buf_printf(&sh->out, "macro %s is gone\n", name);
    return true;
}

static bool define_macro(Shell *sh, Strategies *s, const char *text)
{
    size_t from = strspn(text, " \t\n"), n = 0;
    while (isalnum((unsigned char)text[from + n]) || text[from + n] == '_') n++;
    if (!strategies_define(s, text)) return false;
    const StrategyName *made = strategies_find(s, arena_strndup(sh->scratch, text + from, n));
    if (made && !sh->quiet) show_macro(sh, made);
    if (made && sh->json) sh->data = macro_json(made);
    return true;
}

bool cmd_macro(Shell *sh, Args *a)
{
    Strategies *s = shell_strategies(sh);
    const char *gone = deleted_name(sh, a->rest);
    if (!s) return false;
    if (!*a->rest) return list_own_macros(sh, s);
    if (gone) return is_name(gone) ? delete_macro(sh, s, gone) : form_error(sh, a, "which macro is to go?");
    return is_name(a->rest) ? show_one_macro(sh, s, a->rest) : define_macro(sh, s, a->rest);
}

/* ---- why ---- */

typedef struct Why {
    Shell *sh;
    const Version *v;
    Request q;
    Scope scope;
    RewriteEnv env;
} Why;

static void json_note(json_t *o, const char *label, const char *text)
{
    json_t *list = json_object_get(o, label);
    if (!list) json_object_set_new(o, label, list = json_array());
    json_array_append_new(list, json_string(text));
}

static json_t *why_json(const Why *w, bool applies)
{
    return json_pack("{s:b, s:s, s:s}", "applies", applies, "strategy", w->q.strategy, "place", path_text(w->sh->c, w->v->root, &w->q.at));
}

/* The error is the answer. */
static bool why_not(Why *w)
{
    Shell *sh = w->sh;
    const Diag *d = diag(sh);
    json_t *o = sh->json ? why_json(w, false) : NULL;
    buf_printf(&sh->out, "%s\n", d->message);
    if (o) json_object_set_new(o, "message", json_string(d->message));
    for (int i = 0; i < d->note_count; i++) {
        buf_printf(&sh->out, "  %-7s %s\n", d->notes[i].label, d->notes[i].text);
        if (o) json_note(o, d->notes[i].label, d->notes[i].text);
    }
    sh->data = o;
    diag_clear(diag(sh));
    return true;
}

static void why_bindings(Shell *sh, const RuleResult *r, json_t *o)
{
    json_t *bindings = json_object();
    for (int i = r->binding_count - 1, first = 1; i >= 0; i--) {
        if (*r->bindings[i].name == '%') continue;
        buf_printf(&sh->out, "  %-7s %s = %s\n", first ? "where" : "", r->bindings[i].name, r->bindings[i].text);
        json_object_set_new(bindings, r->bindings[i].name, json_string(r->bindings[i].text));
        first = 0;
    }
    if (o) json_object_set(o, "bindings", bindings);
    json_decref(bindings);
}

static void why_conditions(Shell *sh, const RuleResult *r, json_t *o)
{
    for (int i = 0; i < r->cond_count; i++) {
        const char *text = cond_report(sh->c, r, i);
        buf_printf(&sh->out, "  %-7s %s\n", "when", text);
        if (o) json_note(o, "when", text);
    }
}

static void why_result(Why *w, const Term *root, const char *call, json_t *o)
{
    Shell *sh = w->sh;
    const char *at = path_text(sh->c, w->v->root, &w->q.at);
    const Path *p = path_term(root, &w->q.at) ? &w->q.at : &(Path){0};
    const char *result = show_short(sh, root, p, (int)session_setting_int(sh->session, SET_WIDTH) - 10);
    buf_printf(&sh->out, "  gives   %s\n  try     apply %s at %s\n", result, call, at);
    if (o) json_object_set_new(o, "result", json_string(result));
    if (o) json_note(o, "try", arena_printf(sh->scratch, "apply %s at %s", call, at));
}

static bool why_rule(Why *w, const StrategyStep *step)
{
    Shell *sh = w->sh;
    RuleResult r;
    json_t *o = sh->json ? why_json(w, true) : NULL;
    strategies_serve_conditions(shell_strategies(sh), &w->env);
    if (!rule_apply(&w->env, step->rule, step->args, w->v->root, &step->at, true, &r)) {
        json_decref(o);
        return false;
    }
    buf_printf(&sh->out, "%s applies at %s\n  rule    %s\n", step->rule->name, path_text(sh->c, w->v->root, &step->at), step->rule->text);
    if (o) json_object_set_new(o, "rule", json_string(step->rule->text));
    why_bindings(sh, &r, o);
    why_conditions(sh, &r, o);
    if (step->rule->trust == TRUST_ASSUMED) buf_printf(&sh->out, "  trust   assumed        check %s\n", step->rule->name);
    why_result(w, r.root, w->q.strategy, o);
    sh->data = o;
    return true;
}

static bool why_macro(Why *w, const StrategyResult *r)
{
    Shell *sh = w->sh;
    json_t *o = sh->json ? why_json(w, true) : NULL, *steps = json_array();
    const Term *before = w->v->root;
    buf_printf(&sh->out, "%s applies at %s: %d step%s\n", r->call_text, path_text(sh->c, w->v->root, &w->q.at), r->step_count, r->step_count == 1 ? "" : "s");
    for (int i = 0; i < r->step_count; i++) {
        const StrategyStep *s = &r->steps[i];
        const char *at = path_text(sh->c, before, &s->at);
        buf_printf(&sh->out, "  %5d   %s at %s\n", i + 1, s->call_text, at);
        json_array_append_new(steps, json_pack("{s:s, s:s}", "rule", s->call_text, "place", at));
        before = s->root;
    }
    if (o) json_object_set(o, "steps", steps);
    json_decref(steps);
    if (r->root == w->v->root) buf_puts(&sh->out, "  changes nothing\n");
    else why_result(w, r->root, w->q.strategy, o);
    sh->data = o;
    return true;
}

/* "mapGlobal" without its dimension: the first that applies, else the first there is. NULL: the text is no rule that lacks one. */
static const char *with_arguments(Why *w)
{
    RuleArg args[6] = {{0}};
    RuleResult r;
    Shell *sh = w->sh;
    const Rule *rule = rules_find(rules_of(sh), w->q.strategy);
    if (!rule) return NULL;
    diag_clear(diag(sh));
    strategies_serve_conditions(shell_strategies(sh), &w->env);
    bool ok = rule_apply_default(&w->env, rule, w->v->root, &w->q.at, args, &r);
    for (int i = 0; i < rule->param_count && !ok; i++) {
        if (!rule->params[i].given || rule->params[i].kind == STATIC_SIZE) continue;
        args[i] = (RuleArg){.set = true, .size = nat_const(sh->c->nats, rule->params[i].kind == STATIC_WIDTH ? 4 : 0), .perm = PERM_REVERSE};
    }
    return arena_strdup(sh->scratch, rule_typed_text(sh->c, rule, args));
}

static bool why_of(Why *w, bool again)
{
    StrategyResult r = {0};
    Shell *sh = w->sh;
    if (strategy_run(shell_strategies(sh), &w->env, sh->scratch, w->q.strategy, w->v->root, &w->q.at, &r)) {
        bool rule = r.step_count == 1 && r.call_text == r.steps[0].call_text;
        w->env.next_param = w->v->next_param;
        return rule ? why_rule(w, &r.steps[0]) : why_macro(w, &r);
    }
    ErrorId id = diag(sh)->id;
    const char *text = id == E22 && !again ? with_arguments(w) : NULL;
    if (text) {
        w->q.strategy = text;
        return why_of(w, true);
    }
    return (id == E21 || id == E22 || id == E23) && why_not(w);
}

bool cmd_why(Shell *sh, Args *a)
{
    Why w = {.sh = sh, .v = shell_version(sh)};
    if (!w.v || !shell_strategies(sh) || !parse_request(sh, a, false, &w.q) || !parse_move(sh, w.v, &w.q)) return false;
    session_scope(sh->session, w.v, &w.scope);
    present_env(sh, w.v, &w.scope, &w.env);
    trace_start(sh);
    bool ok = why_of(&w, false);
    scope_free(&w.scope);
    return ok;
}

/* ---- trust ---- */

bool trust_allows(Shell *sh, const StrategyResult *r)
{
    if (r->trust != TRUST_ASSUMED || !session_setting_is(sh->session, SET_STRICT, "on")) return true;
    const Rule *first = NULL;
    for (int i = 0; i < r->step_count && !first; i++)
        if (r->steps[i].rule->trust == TRUST_ASSUMED) first = r->steps[i].rule;
    diag_error(diag(sh), E26, "%s is only assumed, and strict is on", first ? first->name : r->call_text);
    if (first) diag_note(diag(sh), "rule", "%s", first->text);
    if (first) diag_note(diag(sh), "try", "check %s", first->name);
    diag_note(diag(sh), "try", "set strict off");
    return false;
}

void trust_warn(Shell *sh, const StrategyResult *r)
{
    for (int i = 0; i < r->step_count; i++) {
        Rule *rule = rules_find(rules_of(sh), r->steps[i].rule->name);
        if (!rule || rule->trust != TRUST_ASSUMED || rule->warned) continue;
        rule->warned = true;
        const char *hint = arena_printf(sh->scratch, "check %s", rule->name);
        if (rule->refuted) shell_warn(sh, W08, hint, "rule %s was refuted by a counterexample: versions built with it are marked ?", rule->name);
        else shell_warn(sh, W08, hint, "rule %s is \"assumed\": versions built with it are marked ?", rule->name);
    }
}

/* ---- check ---- */

enum { TRIALS = 500, TRIALS_MAX = 1000000 };

typedef struct CheckRequest { int trials; uint64_t seed; } CheckRequest;

static bool check_request(Shell *sh, const Args *a, int64_t trials, CheckRequest *q)
{
    int64_t seed = session_setting_int(sh->session, SET_SEED);
    const char *n = arg_flag(a, "trials"), *s = arg_flag(a, "seed");
    if (n && !arg_int(sh, "--trials", n, 1, TRIALS_MAX, &trials)) return false;
    if (s && !arg_int(sh, "--seed", s, 0, INT64_MAX, &seed)) return false;
    *q = (CheckRequest){(int)trials, (uint64_t)seed};
    return true;
}

/* "500 instances, seed 1; 12 of them up to rounding". */
static const char *passed_text(Shell *sh, const CheckResult *k, const char *what)
{
    Buf b = {0};
    buf_printf(&b, "%d %s%s, seed %llu", k->passed, what, k->passed == 1 ? "" : "s", (unsigned long long)k->seed);
    if (k->rounded) buf_printf(&b, "; %d of them up to rounding (help W09)", k->rounded);
    if (k->incomparable) buf_printf(&b, "; %d with elements too large to compare", k->incomparable);
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

static json_t *lines_json(const char *text)
{
    json_t *list = json_array();
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        json_array_append_new(list, json_stringn(text, strcspn(text, "\n")));
    return list;
}

static json_t *check_json(const char *what, const CheckResult *k)
{
    static const char *const verdicts[] = {"passed", "refuted", "none"};
    json_t *o = json_pack("{s:s, s:s, s:i, s:i, s:i, s:I}", "what", what, "verdict", verdicts[k->verdict], "instances", k->passed,
                          "rounded", k->rounded, "skipped", k->skipped, "seed", (json_int_t)k->seed);
    if (k->difference) json_object_set_new(o, "difference", json_string(k->difference));
    if (k->replay) json_object_set_new(o, "replay", lines_json(k->replay));
    if (k->reason) json_object_set_new(o, "reason", json_string(k->reason));
    return o;
}

static bool no_verdict(Shell *sh, const char *what, const CheckResult *k)
{
    const char *reason = arena_strdup(sh->scratch, k->reason ? k->reason : "");
    diag_error(diag(sh), E32, "no verdict on %s after %d instances: %s", what, k->passed, reason);
    if (k->skipped) diag_note(diag(sh), "skipped", "%d draws gave no instance", k->skipped);
    return false;
}

/* Neither the interpreter nor a check sees what a rule about memory and work-items promises (decisions.md 64). */
static bool only_kernels_tell(const Rule *r) { return !rule_is_user(r) && (!strcmp(r->kind, "memory") || !strcmp(r->kind, "lower")); }

static void rule_passed(Shell *sh, Rule *r, Trust before, const CheckResult *k)
{
    Buf versions = {0};
    buf_printf(&sh->out, "%s holds on %s\n", r->name, passed_text(sh, k, "instance"));
    if (only_kernels_tell(r))
        buf_puts(&sh->out, "  its sides are one to the interpreter; what it says about work-items and memory shows when kernels run\n");
    if (before == TRUST_ASSUMED) buf_printf(&sh->out, "  %s is checked now; it was assumed\n", r->name);
    int n = rule_is_user(r) ? session_rerate(sh->session, r->name, r->trust, &versions) : 0;
    if (n) buf_printf(&sh->out, "  so %s %s rest on an assumed rule any more: %s\n", n == 1 ? "this version does" : "these versions do", "not", buf_text(&versions));
    buf_free(&versions);
}

/* What is printed is a script: the rule, an instance of its left side as a program, values, and both sides evaluated. */
static bool rule_refuted(Shell *sh, Rule *r, const CheckResult *k)
{
    Buf versions = {0};
    const char *difference = arena_strdup(sh->scratch, k->difference);
    r->warned = false;
    buf_printf(&sh->out, "# a counterexample to %s, of seed %llu\n", r->name, (unsigned long long)r->check_seed);
    if (rule_is_user(r)) buf_printf(&sh->out, "rule %s\n", rule_definition(r));
    buf_puts(&sh->out, k->replay);
    diag_error(diag(sh), E31, "%s does not hold", r->name);
    diag_note(diag(sh), "rule", "%s", r->text);
    diag_note(diag(sh), "found", "%s", difference);
    diag_note(diag(sh), "try", "the commands above: check %s > FILE.lathe ; source FILE.lathe", r->name);
    if (session_rerate(sh->session, r->name, r->trust, &versions)) diag_note(diag(sh), "trust", "resting on an assumed rule again: %s", buf_text(&versions));
    buf_free(&versions);
    return false;
}

static bool check_one(Shell *sh, Rule *r, const CheckRequest *q)
{
    Trust before = r->trust;
    CheckResult k = rule_check(sh->c, r, q->trials, q->seed, sh->stop);
    if (sh->json) {
        json_decref(sh->data);
        sh->data = check_json(r->name, &k);
    }
    if (k.verdict == CHECK_IMPOSSIBLE) return no_verdict(sh, r->name, &k);
    if (k.verdict == CHECK_REFUTED) return rule_refuted(sh, r, &k);
    rule_passed(sh, r, before, &k);
    return true;
}

/* A rule written with <=> is checked in both directions. */
static bool check_rule(Shell *sh, const char *name, const CheckRequest *q)
{
    size_t n = strlen(name);
    bool back = n > 4 && !strcmp(name + n - 4, ".rev");
    Rule *r = rules_find(rules_of(sh), back ? arena_strndup(sh->scratch, name, n - 4) : name);
    if (!r) return no_rule(sh, name);
    Rule *reverse = rules_find(rules_of(sh), arena_printf(sh->scratch, "%s.rev", r->name));
    return check_one(sh, r, q) && (!reverse || check_one(sh, reverse, q));
}

/* Lines of a replay that start with a word. */
static void replay_lines(const char *replay, const char *word, Buf *out)
{
    for (; *replay; replay += strcspn(replay, "\n") + 1)
        if (!strncmp(replay, word, strlen(word))) buf_printf(out, "%.*s\n", (int)strcspn(replay, "\n"), replay);
}

/* The values of a version's parameters are bound in a version of their own. */
static void replay_version(const Version *v, const char *replay, Buf *out)
{
    if (v->param_count == 0) {
        buf_printf(out, "eval @%d\n", v->number);
        return;
    }
    buf_printf(out, "goto @%d\n", v->number);
    for (int i = 0; i < v->param_count; i++) {
        Buf name = {0};
        buf_printf(&name, "param %s =", v->params[i].name);
        replay_lines(replay, buf_text(&name), out);
        buf_free(&name);
    }
    buf_puts(out, "eval\n");
}

static bool versions_refuted(Shell *sh, const Version *a, const Version *b, CheckResult *k)
{
    Buf script = {0};
    buf_printf(&script, "use %s\n", session_current(sh->session)->name);
    replay_lines(k->replay, "data ", &script);
    replay_version(a, k->replay, &script);
    replay_version(b, k->replay, &script);
    k->replay = arena_strdup(sh->scratch, buf_text(&script));
    k->difference = arena_strdup(sh->scratch, k->difference);
    buf_printf(&sh->out, "# where @%d and @%d differ\n%s", a->number, b->number, k->replay);
    buf_free(&script);
    diag_error(diag(sh), E31, "@%d differs from @%d", b->number, a->number);
    diag_note(diag(sh), "found", "%s; left is @%d, right is @%d", k->difference, a->number, b->number);
    diag_note(diag(sh), "try", "the commands above");
    return false;
}

static CheckResult compare_versions(Shell *sh, const Version *a, const Version *b, const CheckRequest *q)
{
    const Program *p = session_current(sh->session)->program;
    Fact *facts = NEW_ARRAY(sh->scratch, Fact, a->fact_count + b->fact_count);
    for (int i = 0; i < a->fact_count; i++) facts[i] = a->facts[i];
    for (int i = 0; i < b->fact_count; i++) facts[a->fact_count + i] = b->facts[i];
    return terms_check(sh->c, p->inputs, p->input_count, a->root, b->root, facts, a->fact_count + b->fact_count, q->trials, q->seed,
                       sh->stop);
}

static bool check_versions(Shell *sh, const char *first, const char *second, const CheckRequest *q)
{
    if (!shell_version(sh)) return false;
    const Version *b = session_ref(sh->session, second ? second : first), *a = b ? session_ref(sh->session, second ? first : "@0") : NULL;
    if (!a) return false;
    CheckResult k = compare_versions(sh, a, b, q);
    const char *what = arena_printf(sh->scratch, "@%d = @%d", a->number, b->number);
    bool ok = k.verdict == CHECK_PASSED;
    if (ok) buf_printf(&sh->out, "@%d equals @%d on %s\n", b->number, a->number, passed_text(sh, &k, "trial"));
    else if (k.verdict == CHECK_REFUTED) versions_refuted(sh, a, b, &k);
    else no_verdict(sh, what, &k);
    if (sh->json) sh->data = check_json(what, &k);
    return ok;
}

enum { VERSION_TRIALS = 100 };           /* whole programs take longer than instances of rules */

bool cmd_check(Shell *sh, Args *a)
{
    CheckRequest q;
    const char *what = arg(a, 0);
    if (!what) return form_error(sh, a, "which rule or version is to be checked?");
    bool versions = *what == '@';
    if (!arg_limit(sh, a, versions ? 2 : 1) || !check_request(sh, a, versions ? VERSION_TRIALS : TRIALS, &q)) return false;
    return versions ? check_versions(sh, what, arg(a, 1), &q) : check_rule(sh, what, &q);
}

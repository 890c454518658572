/* complete_rules: rules, macros and their arguments: what applies at the focus comes first. */
#include "complete_private.h"
#include "guide.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_TRIED = 200, BRACKETS = 32 };

/* A version, its scope and the place that is asked about. */
typedef struct Here {
    const Version *v;                    /* NULL: no program is loaded */
    Scope scope;
    RewriteEnv env;
    Path at;
} Here;

static Here here_open(Completer *f)
{
    Here h = {.v = session_version(f->sh->session)};
    if (!h.v) return h;
    shell_env(f->sh, h.v, &h.scope, &h.env);
    h.at = session_focus(f->sh->session);
    return h;
}

static void here_close(Here *h) { scope_free(&h->scope); }

/* ---- names ---- */

static bool begins(const Completer *f, const char *name) { return !strncmp(name, f->word, strlen(f->word)); }

/* What there is beside rules of the names in strategies: with its opening bracket, when it cannot do without arguments. */
static void offer_call(Completer *f, const StrategyName *n, bool fits)
{
    bool open = *n->params == '(' && n->params[1] != '[';
    const char *gloss = *n->params ? arena_printf(f->arena, "%s  %s", n->params, n->doc ? n->doc : "") : n->doc;
    Candidate *c = offer(f, open ? arena_printf(f->arena, "%s(", n->name) : n->name, gloss);
    if (!c) return;
    c->fits = fits;
    c->more = open;
}

static void offer_combinators(Completer *f)
{
    Strategies *s = shell_strategies(f->sh);
    for (int i = 0; s && i < strategies_name_count(s); i++)
        if (strategies_name(s, i)->kind > NAME_LOWERING) offer_call(f, strategies_name(s, i), true);
}

/* Where the rule applies: at the focus, or else at the first place of the term. */
static bool find_place(Here *h, const Rule *rule)
{
    if (!h->v || rule_fits(&h->env, rule, h->v->root, &h->at)) return h->v != NULL;
    h->at = (Path){0};
    do {
        if (rule_fits(&h->env, rule, h->v->root, &h->at)) return true;
    } while (path_next(h->v->root, &h->at));
    return false;
}

/* With its opening bracket, when it cannot do without arguments: where it is applied, what is no size has to be said. */
static Candidate *offer_named(Completer *f, const Rule *r, bool applied, const char *gloss)
{
    bool open = applied && ANY(i, r->param_count, r->params[i].kind != STATIC_SIZE);
    Candidate *c = offer(f, open ? arena_printf(f->arena, "%s(", r->name) : r->name, gloss);
    if (c) c->more = open;
    return c;
}

static const char *rule_gloss(const Rule *r) { return r->text ? r->text : r->doc; }

/* Rules, then macros; those that apply here first, then rules that apply elsewhere. Without the time to try it, a name counts as one that does; macros that need
 * arguments are not tried. */
static void offer_names(Completer *f, Here *h, bool combinators)
{
    LOCAL(drop) VEC(const Rule *) rules = {0};       /* that do not apply at the focus, as macros */
    LOCAL(drop) VEC(const StrategyName *) macros = {0};
    bool here = h->v && !f->any;
    Rules *all = session_rules(f->sh->session);
    Strategies *s = shell_strategies(f->sh);
    for (int i = 0; i < rules_count(all); i++) {
        const Rule *r = rules_get(all, i);
        if (!begins(f, r->name) || !guide_allows(f->sh, NAMED_RULE, r->name)) continue;
        if (here && clock_exact_ms() < f->deadline && !rule_fits(&h->env, r, h->v->root, &h->at)) vec_push(&rules, r);
        else offer_named(f, r, combinators, rule_gloss(r));
    }
    for (int i = 0; s && i < strategies_name_count(s); i++) {
        const StrategyName *n = strategies_name(s, i);
        StrategyResult r = {0};
        int next = h->env.next_param;
        if (n->kind > NAME_LOWERING || !begins(f, n->name) || !guide_allows(f->sh, NAMED_MACRO, n->name)) continue;
        bool asked = here && !*n->params && clock_exact_ms() < f->deadline;
        if (!asked || (strategy_run(s, &h->env, f->arena, n->name, NULL, h->v->root, &h->at, &r) && r.root != h->v->root))
            offer_call(f, n, true);
        else vec_push(&macros, n);
        h->env.next_param = next;
        if (asked) diag_clear(diag(f->sh));
    }
    bool elsewhere = f->rest || f->out->items.n <= 1;
    int nowhere = 0;
    for (int i = 0; elsewhere && i < rules.n; i++) {
        const Rule *r = rules.v[i];
        Here there = *h;
        if (clock_exact_ms() >= f->deadline || !find_place(&there, r)) rules.v[nowhere++] = r;
        else offer_named(f, r, combinators, arena_printf(f->arena, "at %s  %s", path_text(f->sh->c, h->v->root, &there.at), rule_gloss(r)));
    }
    bool rest = f->rest || f->out->items.n == 0;
    if (combinators && *f->word && rest) offer_combinators(f);
    for (int i = 0; rest && i < nowhere; i++) {
        Candidate *c = offer_named(f, rules.v[i], combinators, rule_gloss(rules.v[i]));
        if (c) c->fits = false;
    }
    for (int i = 0; rest && i < macros.n; i++) offer_call(f, macros.v[i], false);
    if (combinators && rest) offer_combinators(f);
}

/* ---- places where a rule or macro applies ---- */

static bool applies(Completer *f, Here *h, const Rule *rule, const char *call)
{
    StrategyResult r = {0};
    Strategies *s = shell_strategies(f->sh);
    if (rule) return rule_fits(&h->env, rule, h->v->root, &h->at);
    int next = h->env.next_param;
    bool ok = s && path_term(h->v->root, &h->at)->kind != T_LAM && strategy_run(s, &h->env, f->arena, call, NULL, h->v->root, &h->at, &r);
    h->env.next_param = next;
    diag_clear(diag(f->sh));
    return ok && r.root != h->v->root;
}

void offer_where(Completer *f, const char *call)
{
    LOCAL(here_close) Here h = here_open(f);
    const char *name = arena_strndup(f->arena, call, name_length(call));
    Rules *rules = session_rules(f->sh->session);
    const Rule *rule = rules_called(rules, call);
    Strategies *s = shell_strategies(f->sh);
    bool known = rule || (s && strategies_find(s, name) && call_is_single(call));
    if (!h.v || !known) return;
    h.at = (Path){0};
    do {
        if (!applies(f, &h, rule, call)) continue;
        const char *path = arena_strdup(f->arena, path_text(f->sh->c, h.v->root, &h.at));
        offer(f, path, show_short(f->sh, h.v->root, &h.at, 44));
    } while (!complete_late(f) && path_next(h.v->root, &h.at));
}

/* ---- arguments ---- */

/* The lengths of all arrays in a type. */
static void collect_lengths(const Type *t, const Values *values, int64_t *out, int *n, int most)
{
    int64_t length;
    if (t->kind == TY_ARRAY && *n < most && values_nat(values, t->size, &length)) out[(*n)++] = length;
    for (int i = 0; t->kind != TY_SCALAR && t->kind != TY_VECTOR && i < t->count; i++)
        collect_lengths(t->elems[i], values, out, n, most);
}

static const char permutations[] = "reverse rotate( stride( perm(";

static void offer_rule_value(Completer *f, const Rule *rule, int param)
{
    static const char *const words[] = {[STATIC_DIM] = "0 1 2", [STATIC_WIDTH] = "2 4 8 16",
                                        [STATIC_MODE] = "\"clamp\" \"mirror\" \"wrap\"",
                                        [STATIC_PERM] = permutations};
    LOCAL(here_close) Here h = here_open(f);
    StaticKind kind = rule->params[param].kind;
    if (kind != STATIC_SIZE) offer_words(f, words[kind]);
    else if (find_place(&h, rule)) {
        /* A size argument: the divisors of the lengths there with which the rule applies and its facts hold. */
        enum { LENGTHS = 16 };
        Values values;
        int64_t lengths[LENGTHS];
        int n = 0, tried = 0;
        int64_t most = 0;
        session_trial_values(f->sh->session, h.v, f->arena, &values);
        const Term *t = path_term(h.v->root, &h.at);
        collect_lengths(t->type, &values, lengths, &n, LENGTHS);
        for (int i = 0; i < term_slot_count(t); i++) collect_lengths(term_slot(t, i)->type, &values, lengths, &n, LENGTHS);
        for (int i = 0; !n && i < values.count && i < LENGTHS; i++)       /* they hang on open parameters: what divides a size may divide those */
            if (values.b[i].kind == VAR_SIZE && values.b[i].set) lengths[n++] = values.b[i].value;
        for (int i = 0; i < n; i++) most = lengths[i] > most ? lengths[i] : most;
        for (int64_t k = 1; k <= most && tried < VALUES_TRIED && !complete_late(f); k++) {
            RuleArg args[RULE_ARGS] = {0};
            RuleResult r = {0};
            if (!ANY(i, n, lengths[i] % k == 0)) continue;
            args[param] = (RuleArg){.set = true, .size = nat_const(f->sh->c->nats, k)};
            tried++;
            int next = h.env.next_param;
            bool ok = rule_apply(&h.env, rule, args, h.v->root, &h.at, false, &r);
            h.env.next_param = next;
            diag_clear(&h.env.c->diag);
            if (ok && !ANY(i, r.fact_count, values_break(&values, &r.facts[i])))
                offer(f, arena_printf(f->arena, "%lld", (long long)k), rule->params[param].name);
        }
    }
}

static void offer_param_name(Completer *f, const char *name, const char *gloss)
{
    Candidate *c = offer(f, arena_printf(f->arena, "%s=", name), gloss);
    if (c) c->more = true;
}

/* ---- where in a strategy the cursor is ---- */

typedef struct Call {                    /* an open bracket */
    char bracket;
    const char *from;                    /* where it begins, with what is called */
    const char *name;                    /* what is called; "" for plain brackets */
    const char *key;                     /* behind `key =`; NULL: by position */
    int position;
} Call;

typedef struct StrategyText {
    Call calls[BRACKETS];
    int depth;
    const char *word;                    /* the name or number under construction */
    const char *quote;                   /* an open quote; NULL: none */
    bool operand;                        /* a strategy may stand here */
} StrategyText;

static bool is_name(char c) { return is_name_char(c) || c == '.'; }

static void take_sign(StrategyText *t, Completer *f, const char *p, const char *name, size_t n)
{
    Call *top = t->depth ? &t->calls[t->depth - 1] : NULL;
    t->operand = true;
    if (*p == '(' || *p == '{') {
        if (t->depth >= BRACKETS) return;
        t->calls[t->depth++] = (Call){.bracket = *p, .from = n ? name : p, .name = arena_strndup(f->arena, name, n)};
    } else if (*p == ')' || *p == '}') t->depth -= t->depth > 0, t->operand = false;
    else if (*p == ',' && top) top->position++, top->key = NULL;
    else if (*p == '=' && top) top->key = arena_strndup(f->arena, name, n);
    else if (*p == '^') t->operand = false;
}

static StrategyText read_text(Completer *f)
{
    StrategyText t = {.operand = true};
    const char *name = "";
    size_t n = 0;
    for (const char *p = f->text; *p;) {
        if (*p == ' ' || *p == '\t') {
            p++;
        } else if (is_name(*p)) {
            name = p;
            for (n = 0; is_name(p[n]); n++) {}
            p += n;
            if (*p) t.operand = false;
        } else if (*p == '"' || *p == '\'') {
            const char *end = strchr(p + 1, *p);
            if (!end) return t.quote = p, t;
            p = end + 1;
            t.operand = false;
        } else {
            take_sign(&t, f, p++, name, n);
            n = 0;
        }
    }
    size_t end = strlen(f->text);
    while (end && is_name(f->text[end - 1])) end--;
    t.word = f->text + end;
    return t;
}

static int param_index(const Rule *r, const Call *c)
{
    return FIRST_NUMBER(i, r->param_count, c->key ? !strcmp(r->params[i].name, c->key) : i == c->position && c->bracket == '(');
}

/* The call that the text ends in, from its name, with a value for the word and all brackets closed. */
static const char *call_with(Completer *f, const StrategyText *t, const Call *call, const char *value)
{
    Buf b = {0};
    buf_printf(&b, "%.*s%s", (int)(t->word - call->from), call->from, value);
    for (const Call *c = &t->calls[t->depth - 1]; c >= call; c--) buf_putc(&b, c->bracket == '(' ? ')' : '}');
    return buf_take(&b, f->arena);
}

/* A number of a macro, at the focus, with the others as they are typed or as the macro has them: with which no more of what it asks of the sizes
 * breaks than does in any case. By name it is left open, and its values are tried; in order the macro is called with each. */
static void offer_macro_value(Completer *f, const StrategyText *t, const Call *call, const char *key)
{
    LOCAL(here_close) Here h = here_open(f);
    Strategies *s = shell_strategies(f->sh);
    Values values;
    if (!h.v || !s || !session_trial_values(f->sh->session, h.v, f->arena, &values)) return;
    Binding *all = NEW_ARRAY(f->arena, Binding, values.count + 1), *one = &all[values.count];
    int64_t most = 1;
    for (int i = 0; i < values.count; i++) {
        all[i] = values.b[i];
        if (all[i].kind == VAR_SIZE && all[i].set && all[i].value > most) most = all[i].value;
    }
    *one = (Binding){.name = key ? key : "", .kind = VAR_PARAM};
    Values with = values;
    with.b = all, with.count++;
    strategies_limit(s, &(StrategyLimits){.stop = f->sh->stop, .attempts = 20000, .steps = 2000, .instructions = 2000000});
    StrategyResult r = {0};
    int next = h.env.next_param, tried = 0;
    bool open = key && strategy_run(s, &h.env, f->arena, call_with(f, t, call, key), NULL, h.v->root, &h.at, &r);
    for (int64_t k = 1; k <= most && tried < VALUES_TRIED && !complete_late(f); k++) {
        const char *value = arena_printf(f->arena, "%lld", (long long)k);
        bool whole = ANY(i, values.count, all[i].kind == VAR_SIZE && all[i].set && all[i].value % k == 0), fits = whole;
        tried += whole;
        if (whole && !open) fits = strategy_run(s, &h.env, f->arena, call_with(f, t, call, value), NULL, h.v->root, &h.at, &r);
        for (int i = 0; fits && i < r.fact_count; i++) {
            const Fact *fact = &r.facts[i];
            one->set = false;
            bool anyway = open ? values_break(&with, fact) : !fact->a->is_const || fact->a->value != k;
            one->set = open, one->value = k;
            fits = anyway || !values_break(&with, fact);
        }
        if (fits) offer(f, value, NULL);
    }
    h.env.next_param = next;
    shell_strategy_limits(f->sh);
    diag_clear(diag(f->sh));
}

/* Inside the brackets of a rule or macro with named parameters. False: something else may stand there. */
static bool offer_call_argument(Completer *f, const StrategyText *t)
{
    const Call *c = t->depth ? &t->calls[t->depth - 1] : NULL;
    const char *name = c && !*c->name && t->depth > 1 ? t->calls[t->depth - 2].name : c ? c->name : "";
    const Rule *r = rules_find(session_rules(f->sh->session), name);
    Strategies *s = shell_strategies(f->sh);
    const StrategyName *n = s && *name ? strategies_find(s, name) : NULL;
    if (r && param_index(r, c) >= 0) return offer_rule_value(f, r, param_index(r, c)), true;
    for (int i = 0; r && !c->key && i < r->param_count; i++) offer_param_name(f, r->params[i].name, NULL);
    if (r) return true;
    if (!n || n->kind > NAME_LOWERING) return false;
    if (c->key || (c->bracket == '(' && *n->params == '(')) offer_macro_value(f, t, *c->name ? c : c - 1, c->key);
    else if (c->bracket == '{') {
        /* The names in "{mb=256, nb=32}" or "(m, n)". */
        for (const char *p = n->params; *p; p += strcspn(p, ","), p += *p == ',') {
            p += strspn(p, " ({");
            size_t len = strcspn(p, "=, )}"), value = strcspn(p, ",)}");
            bool known = p[len] == '=';
            offer_param_name(f, arena_strndup(f->arena, p, len), known ? arena_strndup(f->arena, p + len, value - len) : NULL);
        }
    }
    return true;
}

static void offer_text(Completer *f, bool combinators)
{
    StrategyText t = read_text(f);
    if (t.quote) {
        complete_from(f, t.quote);
        offer_pattern(f);
        return;
    }
    complete_from(f, t.word);
    if (offer_call_argument(f, &t)) return;
    if (t.operand) {
        /* Little is spent on one macro: many are tried while somebody waits. */
        LOCAL(here_close) Here h = here_open(f);
        Strategies *s = shell_strategies(f->sh);
        if (s)
            strategies_limit(s, &(StrategyLimits){.stop = f->sh->stop, .attempts = 2000, .steps = 200, .instructions = 200000});
        offer_names(f, &h, combinators);
        if (s) shell_strategy_limits(f->sh);
    } else if (t.depth == 0 && f->command) offer_keywords(f, f->command);
}

void offer_strategy(Completer *f) { offer_text(f, true); }

/* detail any: wherever they apply, macros too; only: no macros either. */
void offer_rule(Completer *f)
{
    f->any = *f->detail != 0;
    if (!strcmp(f->detail, "only")) offer_rules(f, false);
    else offer_text(f, false);
}

/* ---- declarations ---- */

static void offer_own(Completer *f, bool rules, bool macros)
{
    Strategies *s = shell_strategies(f->sh);
    const Rule *r;
    for (int i = 0; rules && (r = rules_user(session_rules(f->sh->session), i)); i++)
        if (!r->reversed) offer(f, r->name, r->text);
    for (int i = 0; macros && s && i < strategies_name_count(s); i++) {
        const StrategyName *n = strategies_name(s, i);
        if (n->kind <= NAME_LOWERING && n->user) offer(f, n->name, n->doc);
    }
}

/* Of a rule, behind `when` and `and`: what a condition begins with. */
static void offer_conditions(Completer *f, const char *sides, const char *word)
{
    const char *when = strstr(sides, " when "), *name, *takes;
    const char *before = arena_trimmed(f->arena, sides, word);
    size_t n = strlen(before);
    bool begins_one = (n > 5 && !strcmp(before + n - 5, " when")) || (n > 4 && !strcmp(before + n - 4, " and")) || (n > 4 && !strcmp(before + n - 4, " not"));
    for (int i = 0; when && when < word && begins_one && (name = parse_condition_word(i, &takes)); i++) offer(f, name, takes);
}

/* detail: rule, macro or let. Behind the : or = what it stands for, before it names that are there. */
void offer_declaration(Completer *f)
{
    bool rule = !strcmp(f->detail, "rule"), macro = !strcmp(f->detail, "macro");
    const char *sign = strchr(f->text, rule ? ':' : '=');
    f->any = true;
    if (sign && macro) {
        f->offset += (int)(sign + 1 - f->text);
        f->text = sign + 1;
        offer_text(f, true);
    } else if (sign) {
        /* A word of the language: the user's definitions, then primitives. */
        const char *word = f->text + strlen(f->text), *text;
        const Defs *defs = session_defs(f->sh->session);
        while (word > f->text && is_name(word[-1])) word--;
        complete_from(f, word);
        if (rule) offer_conditions(f, sign + 1, word);
        if (f->out->items.n) return;
        for (int i = defs_count(defs) - 1; *word && i >= 0; i--) {
            const char *name = defs_name(defs, i, &text, NULL);
            offer(f, name, arena_strndup(f->arena, text, strcspn(text, "\n")));
        }
        for (int i = 0; *word && i < PRIM_COUNT; i++)
            if (isalpha((unsigned char)*prim((PrimId)i)->name)) offer(f, prim((PrimId)i)->name, prim((PrimId)i)->help);
        if (*word) offer_words(f, permutations);
    } else if (!strncmp(f->text, "-d ", 3)) complete_from(f, f->text + 3), offer_own(f, rule, macro);
    else offer_own(f, rule, macro);
}

void offer_param_values(Completer *f, const char *name)
{
    Values values;
    LegalValues legal;
    Session *s = f->sh->session;
    const Version *v = session_version(s);
    if (!v) return;
    param_values(f->sh, v, &values);
    Strategies *asked = f->sh->strategies;       /* what search.constraints asks is in Lua */
    if (asked) strategies_limit(asked, &(StrategyLimits){.stop = f->sh->stop, .instructions = 1000000});
    bool known = session_legal(s, &values, name, f->arena, &legal) && legal.known;
    if (asked) shell_strategy_limits(f->sh);
    if (!known) return;
    for (int i = 0; i < legal.count && i < VALUES_TRIED; i++)
        offer(f, arena_printf(f->arena, "%lld", (long long)legal.values[i]), *legal.at ? legal.at : NULL);
}

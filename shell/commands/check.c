/* check: how far a rule is trusted: assumed, checked, refuted; and versions against each other. */
#include "shell.h"

#include <string.h>

#include "check.h"

static Diag *diag(Shell *sh) { return &sh->c->diag; }
static Rules *rules_of(Shell *sh) { return session_rules(sh->session); }

static bool form_error(Shell *sh, const Args *a, const char *what)
{
    diag_error(diag(sh), E05, "%s", what);
    diag_note(diag(sh), "form", "%s", a->command->form);
    return false;
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

bool trust_allows_code(Shell *sh)
{
    if (!session_setting_is(sh->session, SET_STRICT, "on")) return true;
    diag_error(diag(sh), E26, "kernels edited by hand are only assumed to be right, and strict is on");
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
        const char *state = rule->refuted ? "was refuted by a counterexample" : "is \"assumed\"";
        shell_warn(sh, W08, hint, "rule %s %s: versions built with it are marked ?", rule->name, state);
    }
}

static void unchecked(Rule *r)
{
    r->trust = TRUST_ASSUMED;
    r->check_seed = 0;
    r->check_count = 0;
    r->asked = 0;
}

static const char *unseen_text(Shell *sh, const char *unseen)
{
    return arena_printf(sh->scratch, "the Lua that its `when` asks reads %s, which can change unseen", unseen);
}

/* unseen: what its conditions read that can change without a trace; NULL: something that they read has changed. */
static void fall_back(Shell *sh, Rule *r, const char *unseen)
{
    Buf versions = {0};
    unchecked(r);
    r->warned = false;
    session_rerate(sh->session, r->name, r->trust, &versions);
    const char *why = unseen ? unseen_text(sh, unseen) : "the Lua that its `when` asks has changed since it was checked";
    shell_warn(sh, W12, arena_printf(sh->scratch, "check %s", r->name), "%s is assumed again: %s%s%s", r->name, why,
               versions.len ? "; resting on it: " : "", buf_text(&versions));
    buf_free(&versions);
}

/* What changes while no Lua of the user's runs was changed by the conditions themselves: a table of what they have worked
 * out, say. */
void trust_review(Shell *sh)
{
    Rules *rules = rules_of(sh);
    int chunks = sh->chunks;
    for (int i = 0; sh->strategies && i < rules_count(rules); i++) {
        Rule *r = rules_get(rules, i);
        if (!rule_is_user(r) || r->trust != TRUST_CHECKED || !rule_asks(r)) continue;
        Asked now = strategies_asked(sh->strategies, r, sh->scratch);
        chunks = now.chunks;
        if (now.unseen || (r->asked && r->asked != now.hash && chunks != sh->chunks)) fall_back(sh, r, now.unseen);
        else r->asked = now.hash;
    }
    if (!sh->captured) sh->chunks = chunks;      /* a text that called the shell goes on */
}

/* ---- check ---- */

enum { TRIALS = 500, TRIALS_MAX = 1000000 };

typedef struct CheckRequest { int trials; uint64_t seed; const char *command; } CheckRequest;

static bool check_request(Shell *sh, const Args *a, int64_t trials, CheckRequest *q)
{
    int64_t seed = session_setting_int(sh->session, SET_SEED);
    const char *n = arg_flag(a, "trials"), *s = arg_flag(a, "seed");
    if (n && !arg_int(sh, "--trials", n, 1, TRIALS_MAX, &trials)) return false;
    if (s && !arg_int(sh, "--seed", s, 0, INT64_MAX, &seed)) return false;
    *q = (CheckRequest){(int)trials, (uint64_t)seed, a->text};
    return true;
}

/* "500 instances, seed 1; 12 of them up to rounding". */
static const char *passed_text(Shell *sh, const CheckResult *k, const char *what)
{
    Buf b = {0};
    buf_printf(&b, "%d %s%s, seed %llu", k->passed, what, k->passed == 1 ? "" : "s", (unsigned long long)k->seed);
    if (k->applied && k->applied < k->passed) buf_printf(&b, "; it applied itself to %d of them", k->applied);
    if (k->rounded) buf_printf(&b, "; %d of them up to rounding (help W09)", k->rounded);
    if (k->incomparable) buf_printf(&b, "; %d with elements that cannot be compared (help trust)", k->incomparable);
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
    json_t *o = json_pack("{s:s, s:s, s:i, s:i, s:i, s:I}", "what", what, "verdict", verdicts[k->verdict],
                          "instances", k->passed,
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

/* Neither the interpreter nor a check sees what a rule about memory and work-items promises (decisions.md: Rules on trial).
 * */
static bool only_kernels_tell(const Rule *r)
{
    return !rule_is_user(r) && (!strcmp(r->kind, "memory") || !strcmp(r->kind, "lower"));
}

static void rule_passed(Shell *sh, Rule *r, Trust before, const CheckResult *k)
{
    Buf versions = {0};
    r->asked = 0;                        /* of what there is now */
    buf_printf(&sh->out, "%s holds on %s\n", r->name, passed_text(sh, k, "instance"));
    if (only_kernels_tell(r))
        buf_puts(&sh->out,
                 "  its sides are one to the interpreter;"
                 " what it says about work-items and memory shows when kernels run\n");
    if (!k->applied)
        shell_warn(sh, W15, arena_printf(sh->scratch, "rule %s", r->name),
                   "%s is true but applied to none of them itself: once read, none had the form of its left side", r->name);
    if (k->reason) buf_printf(&sh->out, "  it stays assumed: %s\n", k->reason);
    else if (before == TRUST_ASSUMED) buf_printf(&sh->out, "  %s is checked now; it was assumed\n", r->name);
    int n = rule_is_user(r) && !k->reason ? session_rerate(sh->session, r->name, r->trust, &versions) : 0;
    const char *these = n == 1 ? "this version does" : "these versions do";
    if (n) buf_printf(&sh->out, "  so %s not rest on an assumed rule any more: %s\n", these, buf_text(&versions));
    buf_free(&versions);
}

/* A counterexample is printed as a script: how to keep it and to run it. */
static void note_script(Shell *sh, const CheckRequest *q, const char *name)
{
    diag_note(diag(sh), "try", "%s > %s.lathe        keeps these commands", q->command, name);
    diag_note(diag(sh), "next", "source %s.lathe", name);
}

/* One direction of a rule with what was found of it. */
typedef struct Direction { Rule *rule; Trust before; CheckResult found; } Direction;

/* "rule half(n): map f x => ...": one direction of a rule written with <=> as a rule of that name, to be typed. */
static const char *one_way(Shell *sh, const Rule *named, const Rule *direction)
{
    const char *p = rule_definition(named);
    int depth = 0;
    Buf b = {0};
    buf_puts(&b, "rule ");
    for (; *p && (depth || *p != ':'); p++) {
        depth += (*p == '(') - (*p == ')');
        buf_putc(&b, *p);
    }
    buf_puts(&b, ": ");
    for (p = direction->text; *p; p++)
        if (*p != ' ' || p[1] != ' ') buf_putc(&b, *p);
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

/* What a rule written with <=> says in its other direction: does that stand, and how is it kept alone? */
static void note_other(Shell *sh, const Direction *bad, const Direction *other)
{
    const Rule *r = other->rule;
    const CheckResult *k = &other->found;
    Diag *d = diag(sh);
    if (k->verdict == CHECK_PASSED) {
        diag_note(d, "stands", "%s: %s        on %s", r->name, r->text, passed_text(sh, k, "instance"));
        if (rule_is_user(r))
            diag_note(d, "try", "%s        keeps only what stands", one_way(sh, r->reversed ? bad->rule : r, r));
    } else {
        const char *what = k->verdict == CHECK_REFUTED ? "refuted, too" : "no verdict";
        diag_note(d, "other", "%s: %s        %s", r->name, r->text, what);
    }
}

/* What is printed is a script: the rule, an instance of its left side as a program, values, and both sides evaluated.
 * other: the other direction, or NULL. */
static bool rule_refuted(Shell *sh, const Direction *bad, const Direction *other, const CheckRequest *q)
{
    Buf versions = {0};
    Rule *r = bad->rule;
    r->warned = false;
    buf_printf(&sh->out, "# a counterexample to %s, of seed %llu\n", r->name, (unsigned long long)r->check_seed);
    if (rule_asks(r)) put_lua(sh, r, &sh->out);
    if (rule_is_user(r)) buf_printf(&sh->out, "rule %s\n", rule_definition(r));
    buf_puts(&sh->out, bad->found.replay);
    diag_error(diag(sh), E31, "%s does not hold", r->name);
    diag_note(diag(sh), "rule", "%s", r->text);
    diag_note(diag(sh), "found", "%s", bad->found.difference);
    note_script(sh, q, r->name);
    if (other) note_other(sh, bad, other);
    if (other) session_rerate(sh->session, other->rule->name, other->rule->trust, NULL);
    if (session_rerate(sh->session, r->name, r->trust, &versions))
        diag_note(diag(sh), "trust", "resting on an assumed rule again: %s", buf_text(&versions));
    buf_free(&versions);
    return false;
}

/* Why a rule that has passed is not checked for all that: its conditions may answer otherwise tomorrow. NULL: it is. */
static const char *only_now(Shell *sh, Strategies *s, Rule *r)
{
    const char *unseen = strategies_asked(s, r, sh->scratch).unseen;
    if (!unseen) return NULL;
    unchecked(r);
    session_rerate(sh->session, r->name, r->trust, NULL);
    return unseen_text(sh, unseen);
}

static bool check_direction(Shell *sh, Rule *r, const CheckRequest *q, Direction *out)
{
    bool asks = rule_asks(r);
    Strategies *s = asks ? shell_strategies(sh) : NULL;
    if (asks && !s) return false;
    *out = (Direction){.rule = r, .before = r->trust};
    CheckResult k = rule_check_asking(sh->c, r, q->trials, q->seed, asks ? strategies_oracle(s) : NULL, sh->stop);
    if (k.verdict == CHECK_PASSED && asks) k.reason = only_now(sh, s, r);
    if (k.difference) k.difference = arena_strdup(sh->scratch, k.difference);
    if (k.replay) k.replay = arena_strdup(sh->scratch, k.replay);
    if (k.reason) k.reason = arena_strdup(sh->scratch, k.reason);
    out->found = k;
    return true;
}

/* What is said first, and decides: a direction that is refuted, else one without a verdict. */
static bool report_directions(Shell *sh, const Direction *all, int n, const CheckRequest *q)
{
    int first = 0;
    if (n == 2 && all[0].found.verdict != CHECK_REFUTED && all[1].found.verdict == CHECK_REFUTED) first = 1;
    const Direction *one = &all[first], *other = n == 2 ? &all[1 - first] : NULL;
    if (sh->json) {
        sh->data = check_json(one->rule->name, &one->found);
        if (other) json_object_set_new(sh->data, "other", check_json(other->rule->name, &other->found));
    }
    if (one->found.verdict == CHECK_REFUTED) return rule_refuted(sh, one, other, q);
    for (int i = 0; i < n; i++) {
        if (all[i].found.verdict == CHECK_IMPOSSIBLE) return no_verdict(sh, all[i].rule->name, &all[i].found);
        rule_passed(sh, all[i].rule, all[i].before, &all[i].found);
    }
    return true;
}

/* A rule written with <=> is checked in both directions. */
static bool check_rule(Shell *sh, const char *name, const CheckRequest *q)
{
    size_t n = strlen(name);
    bool back = n > 4 && !strcmp(name + n - 4, ".rev");
    Direction all[2];
    if (!rule_named(sh, name)) return false;
    Rule *r = rules_find(rules_of(sh), back ? arena_strndup(sh->scratch, name, n - 4) : name);
    Rule *reverse = rules_find(rules_of(sh), arena_printf(sh->scratch, "%s.rev", r->name));
    if (!check_direction(sh, r, q, &all[0]) || (reverse && !check_direction(sh, reverse, q, &all[1]))) return false;
    return report_directions(sh, all, reverse ? 2 : 1, q);
}

/* Checking again what a file calls checked, until a time; conditions in Lua may make each instance last. */
typedef struct Again {
    Shell *sh;
    const CheckOracle *oracle;           /* the session's; NULL: nothing is asked of Lua */
    int64_t until;                       /* clock_ms */
    volatile int stop;
} Again;

static bool out_of_time(Again *a)
{
    if (*a->sh->stop || clock_ms() >= a->until) a->stop = 1;
    return a->stop;
}

static bool ask_again(void *data, const char *name, const ConditionArg *args, int n, const char **why)
{
    Again *a = data;
    return !out_of_time(a) && a->oracle->call(a->oracle->data, name, args, n, why);
}

static void begin_again(void *data, Ctx *c)
{
    const Again *a = data;
    a->oracle->begin(a->oracle->data, c);
}

/* NULL: those instances pass; else why not. */
static const char *fails_again(Again *a, Rule *r, int64_t count, uint64_t seed)
{
    enum { SLICE = 50 };
    CheckOracle oracle = {ask_again, begin_again, a};
    for (int64_t done = 0; done < count; done += SLICE) {
        int n = (int)(count - done < SLICE ? count - done : SLICE);
        if (out_of_time(a)) return "no time was left to check it again";
        CheckResult k = rule_check_asking(a->sh->c, r, n, seed + (uint64_t)done, a->oracle ? &oracle : NULL, &a->stop);
        if (k.verdict == CHECK_REFUTED) return arena_printf(a->sh->scratch, "it does not hold: %s", k.difference);
        if (a->stop) return "no time was left to check it again";
        if (k.verdict != CHECK_PASSED) return arena_strdup(a->sh->scratch, k.reason ? k.reason : "it has no instances");
    }
    return a->oracle ? only_now(a->sh, a->sh->strategies, r) : NULL;
}

void trust_again(Shell *sh, const ReadReport *report)
{
    enum { ALL = 5000, INSTRUCTIONS = 200000 };          /* ms for all of them; of Lua for a condition */
    Again again = {.sh = sh, .until = clock_ms() + ALL};
    for (int i = 0; i < report->claims.n; i++) {
        const TrustClaim *claim = &report->claims.v[i];
        Rule *r = rules_find(rules_of(sh), claim->rule);
        int64_t count = claim->count > 0 && claim->count <= TRIALS ? claim->count : TRIALS;
        bool asks = rule_asks(r) && shell_strategies(sh);
        again.oracle = asks ? strategies_oracle(sh->strategies) : NULL;
        if (asks) strategies_limit(sh->strategies, &(StrategyLimits){.stop = sh->stop, .instructions = INSTRUCTIONS});
        const char *why = fails_again(&again, r, count, claim->seed);
        if (!why) why = fails_again(&again, r, TRIALS, 1);           /* who wrote the file chose the seed */
        if (asks) shell_strategy_limits(sh);
        r->check_seed = claim->seed;
        r->check_count = (int)count;
        if (why) unchecked(r), buf_printf(&sh->out, "  its rule %s is not checked any more, but assumed: %s\n", r->name, why);
        session_rerate(sh->session, r->name, r->trust, NULL);
        Buf doubted = {0};
        if (session_doubted(sh->session, r, &doubted))
            buf_printf(&sh->out, "  assumed, for the condition of %s does not hold where they were made: %s\n", r->name,
                       buf_text(&doubted));
        buf_free(&doubted);
        diag_clear(diag(sh));
    }
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

static bool versions_refuted(Shell *sh, const Version *a, const Version *b, const CheckRequest *q, CheckResult *k)
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
    note_script(sh, q, arena_printf(sh->scratch, "%s-%d", session_current(sh->session)->name, b->number));
    return false;
}

static CheckResult compare_versions(Shell *sh, const Version *a, const Version *b, const CheckRequest *q)
{
    const Program *p = session_current(sh->session)->program;
    Fact *facts = NEW_ARRAY(sh->scratch, Fact, a->fact_count + b->fact_count);
    for (int i = 0; i < a->fact_count; i++) facts[i] = a->facts[i];
    for (int i = 0; i < b->fact_count; i++) facts[a->fact_count + i] = b->facts[i];
    int n = a->fact_count + b->fact_count;
    return terms_check(sh->c, p->inputs, p->input_count, a->root, b->root, facts, n, q->trials, q->seed, sh->stop);
}

static bool check_versions(Shell *sh, const char *first, const char *second, const CheckRequest *q)
{
    if (!shell_version(sh)) return false;
    const Version *b = session_ref(sh->session, second ? second : first);
    const Version *a = b ? session_ref(sh->session, second ? first : "@0") : NULL;
    if (!a) return false;
    CheckResult k = compare_versions(sh, a, b, q);
    const char *what = arena_printf(sh->scratch, "@%d = @%d", a->number, b->number);
    bool ok = k.verdict == CHECK_PASSED;
    if (ok) buf_printf(&sh->out, "@%d equals @%d on %s\n", b->number, a->number, passed_text(sh, &k, "trial"));
    else if (k.verdict == CHECK_REFUTED) versions_refuted(sh, a, b, q, &k);
    else no_verdict(sh, what, &k);
    if (ok && (a->code || b->code))
        buf_puts(&sh->out, "  these are the terms; kernels that were edited by hand are tried by run\n");
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

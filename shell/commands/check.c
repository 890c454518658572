/* check: `check`: a rule on random instances, and versions against each other. */
#include "commands.h"
#include "keep.h"

#include <string.h>

#include "check.h"
#include "trust.h"

enum { TRIALS_MAX = 1000000 };

typedef struct CheckRequest { int trials; uint64_t seed; const char *command; } CheckRequest;

/* "500 instances, seed 1; 12 of them up to rounding". */
static const char *passed_text(Shell *sh, const CheckResult *k, const char *what)
{
    Buf b = {0};
    buf_printf(&b, "%d %s%s, seed %llu", k->passed, what, k->passed == 1 ? "" : "s", (unsigned long long)k->seed);
    if (k->applied && k->applied < k->passed) buf_printf(&b, "; it applied itself to %d of them", k->applied);
    if (k->rounded) buf_printf(&b, "; %d of them up to rounding (help trust)", k->rounded);
    if (k->incomparable) buf_printf(&b, "; %d with elements that cannot be compared (help trust)", k->incomparable);
    return buf_take(&b, sh->scratch);
}

static json_t *check_json(const char *what, const CheckResult *k)
{
    static const char *const verdicts[] = {"passed", "refuted", "none"};
    json_t *replay = k->replay ? json_array() : NULL;
    for (const char *text = replay ? k->replay : ""; *text; text += strcspn(text, "\n"), text += *text == '\n')
        json_array_append_new(replay, json_stringn(text, strcspn(text, "\n")));
    return json_of("{what:s verdict:s instances:i rounded:i skipped:i seed:l difference?:s replay?:o reason?:s}", what,
                   verdicts[k->verdict], k->passed, k->rounded, k->skipped, k->seed, k->difference, replay, k->reason);
}

static bool no_verdict(Shell *sh, const char *what, const CheckResult *k)
{
    const char *reason = arena_strdup(sh->scratch, k->reason ? k->reason : "");
    diag_error(diag(sh), E32, "no verdict on %s after %d instances: %s", what, k->passed, reason);
    if (k->skipped) diag_note(diag(sh), "skipped", "%d draws gave no instance", k->skipped);
    return false;
}

static void rule_passed(Shell *sh, Rule *r, Trust before, const CheckResult *k)
{
    LOCAL(buf_free) Buf versions = {0};
    r->asked = 0;                        /* of what there is now */
    print(sh, "%s holds on %s\n", r->name, passed_text(sh, k, "instance"));
    /* Neither the interpreter nor a check sees what a rule about memory and work-items promises (decisions.md: Rules
     * on trial). */
    if (!rule_is_user(r) && (!strcmp(r->kind, "memory") || !strcmp(r->kind, "lower")))
        print(sh, "  its sides are one to the interpreter; what it says about work-items and memory shows when kernels run\n");
    if (!k->applied)
        shell_warn(sh, W15, arena_printf(sh->scratch, "rule %s", r->name),
                   "%s is true but applied to none of them itself: once read, none had the form of its left side", r->name);
    if (k->reason) print(sh, "  it stays assumed: %s\n", k->reason);
    else if (before == TRUST_ASSUMED) print(sh, "  %s is checked now; it was assumed\n", r->name);
    int n = rule_is_user(r) && !k->reason ? session_rerate(sh->session, r->name, r->trust, &versions) : 0;
    const char *these = n == 1 ? "this version does" : "these versions do";
    if (n) print(sh, "  so %s not rest on an assumed rule any more: %s\n", these, buf_text(&versions));
}

/* A counterexample is printed as a script: how to keep it and to run it. */
static void note_script(Shell *sh, const CheckRequest *q, const char *name)
{
    diag_note(diag(sh), "try", "%s > %s.lathe        keeps these commands", q->command, name);
    diag_note(diag(sh), "next", "source %s.lathe", name);
}

/* One direction of a rule with what was found of it. */
typedef struct Direction { Rule *rule; Trust before; CheckResult found; } Direction;

/* What a rule written with <=> says in its other direction: does that stand, and how is it kept alone? */
static void note_other(Shell *sh, const Direction *bad, const Direction *other)
{
    const Rule *r = other->rule;
    const CheckResult *k = &other->found;
    Diag *d = diag(sh);
    if (k->verdict == CHECK_PASSED) {
        diag_note(d, "stands", "%s: %s        on %s", r->name, r->text, passed_text(sh, k, "instance"));
        if (rule_is_user(r)) {
            const char *p = rule_definition(r->reversed ? bad->rule : r);
            int depth = 0;
            LOCAL(buf_free) Buf equation = {0};
            size_t head = 0;
            for (; p[head] && (depth || p[head] != ':'); head++) depth += (p[head] == '(') - (p[head] == ')');
            for (const char *q = r->text; *q; q++)
                if (*q != ' ' || q[1] != ' ') buf_putc(&equation, *q);
            diag_note(d, "try", "rule %.*s: %s        keeps only what stands", (int)head, p, buf_text(&equation));
        }
    } else {
        const char *what = k->verdict == CHECK_REFUTED ? "refuted, too" : "no verdict";
        diag_note(d, "other", "%s: %s        %s", r->name, r->text, what);
    }
}

static bool check_direction(Shell *sh, Rule *r, const CheckRequest *q, Direction *out)
{
    bool asks = rule_asks(r);
    Strategies *s = asks ? shell_strategies(sh) : NULL;
    if (asks && !s) return false;
    *out = (Direction){.rule = r, .before = r->trust};
    CheckResult k = rule_check(sh->c, r, &(CheckResult){.seed = q->seed}, q->trials, asks ? strategies_oracle(s) : NULL, sh->stop);
    if (k.verdict == CHECK_PASSED && asks) k.reason = trust_only_now(sh, s, r);
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
    json_t *data = check_json(one->rule->name, &one->found);
    if (other) json_object_set_new(data, "other", check_json(other->rule->name, &other->found));
    shell_report(sh, "o", data);
    if (one->found.verdict == CHECK_REFUTED) {
        /* What is printed is a script: the rule, an instance of its left side as a program, values, and both sides
         * evaluated. other: the other direction, or NULL. */
        LOCAL(buf_free) Buf versions = {0};
        Rule *r = one->rule;
        r->warned = false;
        print(sh, "# a counterexample to %s, of seed %llu\n", r->name, (unsigned long long)r->check_seed);
        if (rule_asks(r)) put_lua(sh, r, &sh->out);
        if (rule_is_user(r)) print(sh, "rule %s\n", rule_definition(r));
        buf_puts(&sh->out, one->found.replay);
        diag_error(diag(sh), E31, "%s does not hold", r->name);
        diag_note(diag(sh), "rule", "%s", r->text);
        diag_note(diag(sh), "found", "%s", one->found.difference);
        note_script(sh, q, r->name);
        if (other) note_other(sh, one, other);
        if (other) session_rerate(sh->session, other->rule->name, other->rule->trust, NULL);
        if (session_rerate(sh->session, r->name, r->trust, &versions))
            diag_note(diag(sh), "trust", "resting on an assumed rule again: %s", buf_text(&versions));
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (all[i].found.verdict == CHECK_IMPOSSIBLE) return no_verdict(sh, all[i].rule->name, &all[i].found);
        rule_passed(sh, all[i].rule, all[i].before, &all[i].found);
    }
    return true;
}

/* Lines of a replay that start with a word. */
static void replay_lines(const char *replay, const char *word, Buf *out)
{
    for (; *replay; replay += strcspn(replay, "\n") + 1)
        if (!strncmp(replay, word, strlen(word))) buf_printf(out, "%.*s\n", (int)strcspn(replay, "\n"), replay);
}

/* The values of a version's parameters are bound in a version of their own. */
static void replay_version(Shell *sh, const Version *v, const char *replay, Buf *out)
{
    buf_printf(out, v->param_count ? "goto @%d\n" : "eval @%d\n", v->number);
    for (int i = 0; i < v->param_count; i++) replay_lines(replay, arena_printf(sh->scratch, "param %s =", v->params[i].name), out);
    if (v->param_count) buf_puts(out, "eval\n");
}

static bool check_versions(Shell *sh, const char *first, const char *second, const CheckRequest *q)
{
    if (!shell_version(sh)) return false;
    const Version *b = session_ref(sh->session, second ? second : first);
    const Version *a = b ? session_ref(sh->session, second ? first : "@0") : NULL;
    if (!a) return false;
    const Program *p = session_current(sh->session)->program;
    Fact *facts = NEW_ARRAY(sh->scratch, Fact, a->fact_count + b->fact_count);
    for (int i = 0; i < a->fact_count; i++) facts[i] = a->facts[i];
    for (int i = 0; i < b->fact_count; i++) facts[a->fact_count + i] = b->facts[i];
    int n = a->fact_count + b->fact_count;
    CheckResult k = terms_check(sh->c, p->inputs, p->input_count, a->root, b->root, facts, n, version_is_approximate(a) || version_is_approximate(b), q->trials, q->seed, sh->stop);
    const char *what = arena_printf(sh->scratch, "@%d = @%d", a->number, b->number);
    bool ok = k.verdict == CHECK_PASSED;
    if (ok) print(sh, "@%d equals @%d on %s\n", b->number, a->number, passed_text(sh, &k, "trial"));
    else if (k.verdict == CHECK_REFUTED) {
        LOCAL(buf_free) Buf script = {0};
        buf_printf(&script, "use %s\n", session_current(sh->session)->name);
        replay_lines(k.replay, "data ", &script);
        replay_version(sh, a, k.replay, &script);
        replay_version(sh, b, k.replay, &script);
        k.replay = arena_strdup(sh->scratch, buf_text(&script));
        k.difference = arena_strdup(sh->scratch, k.difference);
        print(sh, "# where @%d and @%d differ\n%s", a->number, b->number, k.replay);
        diag_error(diag(sh), E31, "@%d differs from @%d", b->number, a->number);
        diag_note(diag(sh), "found", "%s; left is @%d, right is @%d", k.difference, a->number, b->number);
        note_script(sh, q, arena_printf(sh->scratch, "%s-%d", session_current(sh->session)->name, b->number));
    } else no_verdict(sh, what, &k);
    if (ok && (a->code || b->code)) print(sh, "  these are the terms; kernels that were edited by hand are tried by run\n");
    shell_report(sh, "o", check_json(what, &k));
    return ok;
}

enum { VERSION_TRIALS = 100 };           /* whole programs take longer than instances of rules */

bool cmd_check(Shell *sh, Args *a)
{
    const char *what = arg(a, 0);
    if (!what) return arg_error(sh, a, "which rule or version is to be checked?");
    bool versions = *what == '@';
    if (strstr(a->rest, "=>")) return shell_error(sh, E05, "check takes a rule by its name\ntry rule mine: %s\nhint then `check mine`", a->rest);
    if (!arg_limit(sh, a, versions ? 2 : 1)) return false;
    int64_t seed = session_setting_int(sh->session, SET_SEED), trials = versions ? VERSION_TRIALS : TRUST_TRIALS;
    if (arg_flag(a, "trials") && !arg_int(sh, "--trials", arg_flag(a, "trials"), 1, TRIALS_MAX, &trials)) return false;
    if (arg_flag(a, "seed") && !arg_int(sh, "--seed", arg_flag(a, "seed"), 0, INT64_MAX, &seed)) return false;
    const CheckRequest q = {(int)trials, (uint64_t)seed, a->text};
    if (versions) return check_versions(sh, what, arg(a, 1), &q);
    /* A rule written with <=> is checked in both directions. */
    size_t n = strlen(what);
    bool back = n > 4 && !strcmp(what + n - 4, ".rev");
    Direction all[2];
    if (!rule_named(sh, what)) return false;
    Rule *r = rules_find(session_rules(sh->session), back ? arena_strndup(sh->scratch, what, n - 4) : what);
    Rule *reverse = rules_find(session_rules(sh->session), arena_printf(sh->scratch, "%s.rev", r->name));
    if (!check_direction(sh, r, &q, &all[0]) || (reverse && !check_direction(sh, reverse, &q, &all[1]))) return false;
    return report_directions(sh, all, reverse ? 2 : 1, &q);
}

/* trust: how far a rule is trusted: assumed, checked, refuted; what rests on it, and when it is asked again. */
#include "commands.h"
#include "store.h"

#include <string.h>

#include "check.h"
#include "trust.h"

void trust_text(const Rule *r, Buf *out)
{
    buf_puts(out, trust_name(r->trust));
    if (r->refuted) buf_printf(out, "; refuted by check, seed %llu", (unsigned long long)r->check_seed);
    else if (r->check_count)
        buf_printf(out, "%s by %d instances, seed %llu", r->trust == TRUST_CHECKED ? "" : "; checked", r->check_count,
                   (unsigned long long)r->check_seed);
}

CheckResult source_check(Shell *sh, const Version *v, int trials, uint64_t seed)
{
    const Derivation *d = session_current(sh->session);
    return terms_check(sh->c, d->program->inputs, d->program->input_count, d->versions.v[0]->root, v->root, v->facts, v->fact_count, version_is_approximate(v), trials,
                       seed, sh->stop);
}

bool trust_allows(Shell *sh, const StrategyResult *r)
{
    if (!session_setting_is(sh->session, SET_STRICT, "on")) return true;
    for (int i = 0; i < r->step_count; i++) {
        const Rule *rule = r->steps[i].rule;
        if (rule_is_approximate(rule))
            return shell_error(sh, E26, "%s is approximate, and strict is on\nrule %s\nfound %s\ntry set strict off", rule->name, rule->text, rule->doc);
    }
    if (r->trust != TRUST_ASSUMED) return true;
    const Rule *first = NULL;
    const char *assumes = NULL;
    for (int i = 0; i < r->step_count && !first && !assumes; i++)
        if (r->steps[i].rule->trust == TRUST_ASSUMED) first = r->steps[i].rule;
        else assumes = r->steps[i].assumes;
    if (assumes) return shell_error(sh, E26, "%s is only assumed, and strict is on\ntry set strict off", assumes);
    diag_error(diag(sh), E26, "%s %s, and strict is on", first ? first->name : r->call_text,
               first && first->refuted ? "was refuted" : "is only assumed");
    if (first) diag_note(diag(sh), "rule", "%s", first->text);
    if (first) diag_note(diag(sh), "try", "check %s", first->name);
    diag_note(diag(sh), "try", "set strict off");
    return false;
}

bool trust_allows_code(Shell *sh)
{
    if (!session_setting_is(sh->session, SET_STRICT, "on")) return true;
    return shell_error(sh, E26, "kernels edited by hand are only assumed to be right, and strict is on\ntry set strict off");
}

void trust_warn(Shell *sh, const StrategyResult *r)
{
    for (int i = 0; i < r->step_count; i++) {
        Rule *rule = rules_find(session_rules(sh->session), r->steps[i].rule->name);
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

/* What changes while no Lua of the user's runs was changed by the conditions themselves: a table of what they have worked
 * out, say. */
void trust_review(Shell *sh)
{
    Rules *rules = session_rules(sh->session);
    int chunks = sh->chunks;
    Rule *r;
    for (int i = 0; sh->strategies && (r = rules_user(rules, i)); i++) {
        if (r->trust != TRUST_CHECKED || !rule_asks(r)) continue;
        Asked now = strategies_asked(sh->strategies, r, sh->scratch);
        chunks = now.chunks;
        if (now.unseen || (r->asked && r->asked != now.hash && chunks != sh->chunks)) {
            /* unseen: what its conditions read that can change without a trace; NULL: something that they read has
             * changed. */
            LOCAL(buf_free) Buf versions = {0};
            unchecked(r);
            r->warned = false;
            session_rerate(sh->session, r->name, r->trust, &versions);
            const char *why = now.unseen ? unseen_text(sh, now.unseen)
                                         : "the Lua that its `when` asks has changed since it was checked";
            shell_warn(sh, W12, arena_printf(sh->scratch, "check %s", r->name), "%s is assumed again: %s%s%s", r->name,
                       why, versions.len ? "; resting on it: " : "", buf_text(&versions));
        } else r->asked = now.hash;
    }
    if (!sh->captured) sh->chunks = chunks;      /* a text that called the shell goes on */
}

const char *trust_only_now(Shell *sh, Strategies *s, Rule *r)
{
    const char *unseen = strategies_asked(s, r, sh->scratch).unseen;
    if (!unseen) return NULL;
    unchecked(r);
    session_rerate(sh->session, r->name, r->trust, NULL);
    return unseen_text(sh, unseen);
}

/* ---- what a file calls checked ---- */

/* Checking again what a file calls checked, until a time; conditions in Lua may make each instance last. */
typedef struct Again {
    Shell *sh;
    const CheckOracle *oracle;           /* the session's; NULL: nothing is asked of Lua */
    double until;                        /* clock_cpu_ms: other programs take none of it */
    volatile int stop;
} Again;

static bool out_of_time(Again *a)
{
    if (*a->sh->stop || clock_cpu_ms() >= a->until) a->stop = 1;
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
    CheckResult k = {.seed = seed};
    while (k.passed < count) {
        int n = (int)(count - k.passed < SLICE ? count : k.passed + SLICE);
        if (out_of_time(a)) return "no time was left to check it again";
        k = rule_check(a->sh->c, r, &k, n, a->oracle ? &oracle : NULL, &a->stop);
        if (k.verdict == CHECK_REFUTED) return arena_printf(a->sh->scratch, "it does not hold: %s", k.difference);
        if (a->stop) return "no time was left to check it again";
        if (k.verdict != CHECK_PASSED) return arena_strdup(a->sh->scratch, k.reason ? k.reason : "it has no instances");
    }
    return a->oracle ? trust_only_now(a->sh, a->sh->strategies, r) : NULL;
}

void trust_again(Shell *sh, const ReadReport *report)
{
    enum { ALL = 30000, INSTRUCTIONS = 200000 };         /* ms of processor time for all of them; of Lua for a condition */
    Again again = {.sh = sh, .until = clock_cpu_ms() + ALL};
    for (int i = 0; i < report->claims.n; i++) {
        const TrustClaim *claim = &report->claims.v[i];
        Rule *r = rules_find(session_rules(sh->session), claim->rule);
        int64_t count = claim->count > 0 && claim->count <= TRUST_TRIALS ? claim->count : TRUST_TRIALS;
        bool asks = rule_asks(r) && shell_strategies(sh);
        again.oracle = asks ? strategies_oracle(sh->strategies) : NULL;
        if (asks) strategies_limit(sh->strategies, &(StrategyLimits){.stop = sh->stop, .instructions = INSTRUCTIONS});
        const char *why = fails_again(&again, r, count, claim->seed);
        if (!why) why = fails_again(&again, r, TRUST_TRIALS, 1);           /* who wrote the file chose the seed */
        if (asks) shell_strategy_limits(sh);
        uint64_t seed = why ? r->check_seed : claim->seed;
        if (why) unchecked(r), print(sh, "  its rule %s is not checked any more, but assumed: %s\n", r->name, why);
        else r->check_count = (int)count;
        if (!why || r->refuted) r->check_seed = seed;
        session_rerate(sh->session, r->name, r->trust, NULL);
        LOCAL(buf_free) Buf doubted = {0};
        if (session_doubted(sh->session, r, &doubted))
            print(sh, "  assumed, for the condition of %s does not hold where they were made: %s\n", r->name, buf_text(&doubted));
        diag_clear(diag(sh));
    }
}

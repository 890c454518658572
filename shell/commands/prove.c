/* prove: that a rule holds, or that two versions are equal, by rewrites that rules make in both directions. */
#include "commands.h"
#include "egraph.h"
#include "show.h"
#include "trust.h"

#include <string.h>

enum { PROOF_NODES = 20000, FIRST_TRIALS = 60 };
static const double seconds = 10;

static void show_solver(Shell *sh, const ProofResult *p)
{
    if (p->by_solver) print(sh, "  sizes   Z3 is sure of what is not plain\n");
}

/* What was proved; the way, a rewrite a line with the term that it leads to, or what both sides are. */
static void show_proof(Shell *sh, const char *what, const ProofResult *p)
{
    if (!p->steps) {
        print(sh, "%s: both sides are the same elements", what);
        if (p->equations > 1) print(sh, ", in each of %d cases", p->equations);
        print(sh, "\n      %s\n", p->meaning);
        return;
    }
    print(sh, "%s, by %d rewrite%s\n      %s\n", what, p->step_count, plural(p->step_count), p->left);
    for (const ProofStep *s = p->steps; s < p->steps + p->step_count; s++)
        print(sh, "  %s  %s\n      %s" AT(6) "at %s\n", s->back ? "<=" : "=>", s->term, s->call, s->place);
}

static bool report(Shell *sh, const char *what, const ProofResult *p)
{
    json_t *steps = json_array();
    for (const ProofStep *s = p->steps; s < p->steps + p->step_count; s++)
        json_add(steps, "{direction:s call:s place:s term:s}", s->back ? "<=" : "=>", s->call, s->place, s->term);
    show_solver(sh, p);
    return shell_report(sh, "{what:s steps:o elements:s? solver:b nodes:i seconds:o}", what, steps, p->meaning, p->by_solver, p->nodes, show_seconds(sh, p->seconds));
}

static bool not_proved(Shell *sh, const char *what, const ProofResult *p, const char *try)
{
    static const char *const ends[] = {
        [REACH_SATURATED] = "the rules have no more to add", [REACH_NODES] = "the budget of e-nodes is used up",
        [REACH_TIME] = "the time is used up", [REACH_STOPPED] = "interrupted", [REACH_NO_PATH] = "the sides are equal by more than can be retraced",
    };
    const char *why = p->why_not ? p->why_not : ends[p->end];
    Diag *d = diag(sh);
    diag_clear(d);
    diag_error(d, p->end == REACH_STOPPED ? E25 : E33, "%s is not proved: %s", what, why);
    if (!p->why_not) diag_note(d, "graph", "%d e-nodes after %d round%s of %d rules", p->nodes, p->rounds, plural(p->rounds), p->rules);
    diag_note(d, "note", "that says nothing against it");
    if (try) diag_note(d, "try", "%s", try);
    shell_report(sh, "{what:s why:s nodes:i rounds:i rules:i seconds:o}", what, why, p->nodes, p->rounds, p->rules, show_seconds(sh, p->seconds));
    return false;
}

/* E31 where an instance refutes it: a counterexample ends a vain search. */
static bool stands(Shell *sh, Rule *r, const char *name, bool defined)
{
    CheckResult k = rule_check(sh->c, r, &(CheckResult){.seed = (uint64_t)session_setting_int(sh->session, SET_SEED)}, FIRST_TRIALS,
                               strategies_oracle(shell_strategies(sh)), sh->stop);
    if (k.verdict != CHECK_REFUTED) return true;
    if (defined) print(sh, "%s", k.replay);
    diag_error(diag(sh), E31, "%s does not hold", name);
    diag_note(diag(sh), "found", "%s", k.difference);
    if (!defined) {
        diag_note(diag(sh), "try", "rule %s", rule_definition(r));
        diag_note(diag(sh), "next", "check %s", r->name);
    }
    return false;
}

static bool prove_rule(Shell *sh, Rule *r, const char *name, bool defined)
{
    RewriteEnv env = {.c = sh->c, .defs = session_defs(sh->session)};
    ProofResult p;
    Trust before = r->trust;
    if (!stands(sh, r, name, defined)) return false;
    r->trust = before;                   /* so few instances make no rule checked */
    egraph_prove(&env, session_rules(sh->session), r, seconds, PROOF_NODES, sh->scratch, &p);
    if (!p.proved) return not_proved(sh, name, &p, defined ? arena_printf(sh->scratch, "check %s", name) : NULL);
    show_proof(sh, arena_printf(sh->scratch, "%s is proved", name), &p);
    if (defined && rule_is_user(r)) {
        LOCAL(buf_free) Buf versions = {0};
        r->trust = TRUST_PROVED;
        if (before == TRUST_ASSUMED) print(sh, "  it was assumed\n");
        session_rerate(sh->session, r->name, r->trust, &versions);
    }
    return report(sh, name, &p);
}

static bool prove_versions(Shell *sh, const Args *a)
{
    const char *equals = strchr(a->rest, '=');
    if (!equals || !shell_version(sh)) return equals ? false : arg_error(sh, a, "two versions stand on the sides of =");
    const Version *x = session_ref(sh->session, arena_trimmed(sh->scratch, a->rest, equals));
    const Version *y = x ? session_ref(sh->session, arena_trimmed(sh->scratch, equals + 1, a->rest + strlen(a->rest))) : NULL;
    if (!y) return false;
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    ProofResult p;
    shell_env(sh, x, &scope, &env);
    Fact *facts = NEW_ARRAY(sh->scratch, Fact, x->fact_count + y->fact_count);
    for (int i = 0; i < x->fact_count; i++) facts[i] = x->facts[i];
    for (int i = 0; i < y->fact_count; i++) facts[x->fact_count + i] = y->facts[i];
    egraph_prove_equal(&env, session_rules(sh->session), x->root, y->root, facts, x->fact_count + y->fact_count, seconds, PROOF_NODES, sh->scratch, &p);
    const char *what = arena_printf(sh->scratch, "@%d = @%d", x->number, y->number);
    if (!p.proved) return not_proved(sh, what, &p, arena_printf(sh->scratch, "check @%d @%d", x->number, y->number));
    show_proof(sh, what, &p);
    return report(sh, what, &p);
}

bool cmd_prove(Shell *sh, Args *a)
{
    if (!*a->rest) return arg_error(sh, a, "which rule, equation or versions?");
    if (*a->rest == '@') return prove_versions(sh, a);
    if (!strstr(a->rest, "=>")) {
        Rule *r = rule_named(sh, a->rest);
        return r && prove_rule(sh, r, r->name, true);
    }
    const char *text = arena_printf(sh->scratch, "this: %s", a->rest);
    Rule *reverse, *r = rules_read(sh->c, session_rules(sh->session), MAKE(sh->scratch, Source, "claim", text, strlen(text)), &reverse);
    return r && prove_rule(sh, r, "this", false);
}

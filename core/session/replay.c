/* replay: recorded steps repeated. */
#include "session_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- exactly as recorded ---- */

/* A condition that was a Lua function held when the step was made; the hash proves the rest. */
static bool held(void *data, const char *name, const Term *const *args, int n, const char **why)
{
    (void)data, (void)name, (void)args, (void)n;
    *why = NULL;
    return true;
}

/* "splitJoin{n=s0} at /in" cut in two; NULL: it has not that form. */
static const char *split_line(Arena *arena, const char *line, const char **place)
{
    const char *at = NULL;
    for (const char *p = line; (p = strstr(p, " at /")); p++) at = p;
    if (!at) return NULL;
    *place = at + 4;
    return arena_strndup(arena, line, (size_t)(at - line));
}

static bool repeat(Session *s, RewriteEnv *env, const char *line, const Term *root, Arena *arena, SubStep *out, RuleResult *r)
{
    Path at;
    const char *place, *call = split_line(arena, line, &place);
    if (!call) return diag_error(&s->ctx->diag, E03, "\"%.60s\" is no recorded step", line), false;
    const Rule *rule = rule_call_parse(s->ctx, s->rules, env->scope, call, out->args);
    if (!rule || !path_parse(s->ctx, root, NULL, place, &at)) return false;
    if (!rule_apply(env, rule, out->args, root, &at, false, r)) return false;
    PlaceRef *ref = arena_alloc(arena, sizeof *ref + at.length);
    ref->length = at.length;
    memcpy(ref->slots, at.slots, at.length);
    out->call = call;
    out->at = ref;
    out->trust = rule->trust;
    out->root = r->root;
    out->rule = rule;
    memcpy(out->args, r->args, sizeof out->args);
    return true;
}

/* The number of the next fresh parameter once those that the arguments name are there. */
static int next_after(const SubStep *sub, int next)
{
    NatAtomVec vars = {0};
    for (int i = 0; i < sub->rule->param_count; i++)
        if (sub->args[i].set && sub->args[i].size) nat_vars(sub->args[i].size, &vars);
    for (int i = 0; i < vars.n; i++) {
        char *end;
        long n = vars.v[i]->var == VAR_PARAM && vars.v[i]->name[0] == 's' ? strtol(vars.v[i]->name + 1, &end, 10) : -1;
        if (n >= next && n < INT32_MAX && !*end) next = (int)n + 1;
    }
    free(vars.v);
    return next;
}

static void add_facts(Repeated *out, const RuleResult *r, Arena *arena)
{
    if (r->fact_count == 0) return;
    Fact *all = NEW_ARRAY(arena, Fact, out->fact_count + r->fact_count);
    for (int i = 0; i < out->fact_count; i++) all[i] = out->facts[i];
    for (int i = 0; i < r->fact_count; i++) all[out->fact_count++] = r->facts[i];
    out->facts = all;
}

bool steps_repeat(Session *s, const Version *parent, const char *const *lines, int count, Arena *arena, Repeated *out, int *failed)
{
    Scope scope;
    RewriteEnv env;
    *out = (Repeated){.root = parent->root, .next_param = parent->next_param, .subs = NEW_ARRAY(arena, SubStep, count)};
    session_scope(s, parent, &scope);
    session_env(s, parent, &scope, &env);
    env.call = held;
    for (*failed = 0; *failed < count; ++*failed) {
        RuleResult r;
        SubStep *sub = &out->subs[*failed];
        if (!repeat(s, &env, lines[*failed], out->root, arena, sub, &r)) break;
        out->root = r.root;
        out->sub_count++;
        if (sub->trust > out->trust) out->trust = sub->trust;
        add_facts(out, &r, arena);
        out->next_param = next_after(sub, out->next_param);
        sub->fact_count = out->fact_count;
        sub->next_param = out->next_param;
    }
    scope_free(&scope);
    return *failed == count;
}

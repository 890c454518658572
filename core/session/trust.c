/* trust: which versions rest on which rules, and how far those are trusted. */
#include "session_private.h"
#include "trust.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED = 8 };                      /* versions named in a message */

/* Is the call "splitJoin{n=s0}" one of that rule, or of its reverse? */
static bool is_call_of(const char *call, const char *rule)
{
    size_t n = strlen(rule);
    if (strncmp(call, rule, n)) return false;
    if (!strncmp(call + n, ".rev", 4)) n += 4;
    return !call[n] || call[n] == '(' || call[n] == '{';
}

static bool made_with(const Version *v, const char *rule) { return ANY(i, v->sub_count, is_call_of(v->subs[i].call, rule)); }

/* The next version of all programs behind v, which is of program *i; parents come first. NULL: there is none. */
static Version *next_of_all(const Session *s, int *i, const Version *v)
{
    for (; *i < s->derivations.n; ++*i, v = NULL)
        if ((v = derivation_next(s->derivations.v[*i], v))) return (Version *)v;
    return NULL;
}

/* One more version of a list, of program i. */
static void name_version(const Session *s, int i, const Version *v, int n, Buf *out)
{
    const Derivation *d = s->derivations.v[i];
    if (!out || n > NAMED) return;
    if (n == NAMED) buf_puts(out, ", ...");
    else buf_printf(out, "%s%s@%d", n ? ", " : "", d == s->current ? "" : d->name, v->number);
}

int session_made_with(const Session *s, const char *rule, Buf *out)
{
    int n = 0, i = 0;
    for (const Version *v = NULL; (v = next_of_all(s, &i, v));)
        if (made_with(v, rule)) name_version(s, i, v, n++, out);
    return n;
}

static bool is_named(const char *list, const char *name, size_t n)
{
    for (const char *p = list; *p; p += strspn(p, ", ")) {
        size_t length = strcspn(p, ",");
        if (length == n && !strncmp(p, name, n)) return true;
        p += length;
    }
    return false;
}

int session_takes_finite(const Version *v, Buf *out)
{
    size_t start = out->len;
    int n = 0;
    for (; v; v = v->from)
        for (int i = 0; i < v->sub_count; i++) {
            const Rule *r = v->subs[i].rule;
            bool other = !r || !rule_takes_finite(r);
            if (!other && !(n && is_named(out->data + start, r->name, strlen(r->name)))) buf_printf(out, "%s%s", n++ ? ", " : "", r->name);
        }
    return n;
}

int session_assumed(const Version *v, bool properties, Buf *out)
{
    size_t start = out->len;
    int n = 0;
    for (; v; v = v->from) {
        for (int i = 0; i < v->sub_count; i++) {
            const SubStep *sub = &v->subs[i];
            const char *name = sub->assumes ? sub->assumes : sub->call;
            size_t length = sub->assumes ? strlen(name) : strcspn(name, "({");
            bool other = sub->trust != TRUST_ASSUMED || !sub->assumes == properties;
            if (!other && !(n && is_named(out->data + start, name, length))) buf_printf(out, "%s%.*s", n++ ? ", " : "", (int)length, name);
        }
    }
    return n;
}

void session_rename_rule(Session *s, const char *rule, const char *name)
{
    int i = 0;
    for (Version *v = NULL; (v = next_of_all(s, &i, v));)
        for (int j = -1; j < v->sub_count; j++) {              /* the step's own call, then those of its rewrites */
            SubStep *sub = j < 0 ? NULL : (SubStep *)&v->subs[j];
            const char **call = sub ? &sub->call : &v->call;
            if ((!sub && v->kind != STEP_RULE) || !is_call_of(*call, rule)) continue;
            *call = intern(s->ctx->names, arena_printf(s->arena, "%s%s", name, *call + strlen(rule)));
            if (sub) sub->rule = rules_called(s->rules, *call);
            if (sub && !sub->rule) sub->args = NULL;
        }
}

/* Does the rule still apply there? Its conditions may be functions in Lua, which answered otherwise when it was made, or
 * were never asked: a step in a session file is repeated without them. */
static bool holds_now(Session *s, const Version *v, int i)
{
    Path at;
    Scope scope;
    RewriteEnv env;
    const SubStep *sub = &v->subs[i];
    const Term *before = i ? v->subs[i - 1].root : v->from->root;
    if (!sub->rule || !rule_asks(sub->rule)) return true;
    at = place_path(sub->at);
    session_env(s, v->from, &scope, &env);
    bool holds = env.call && rule_applies(&env, sub->rule, sub->args, before, &at);
    scope_free(&scope);
    return holds;
}

int session_rerate(Session *s, const char *rule, Trust trust, Buf *out)
{
    int n = 0, i = 0;
    for (Version *v = NULL; (v = next_of_all(s, &i, v));) {
        Trust before = v->trust, above = v->from ? v->from->trust : TRUST_BUILTIN;
        bool made = made_with(v, rule);
        if (made) v->own = TRUST_BUILTIN;        /* the weakest of its rules; steps without rules keep what they have */
        for (int j = 0; made && j < v->sub_count; j++) {
            SubStep *sub = (SubStep *)&v->subs[j];
            char behind = is_call_of(sub->call, rule) ? sub->call[strlen(rule)] : '.';
            if (behind != '.') sub->trust = trust < TRUST_ASSUMED && !sub->assumes && holds_now(s, v, j) ? trust : TRUST_ASSUMED;      /* one of that rule alone */
            if (sub->trust > v->own) v->own = sub->trust;
        }
        v->trust = v->own > above ? v->own : above;
        if (v->trust != before) name_version(s, i, v, n++, out);
    }
    return n;
}

int session_doubted(const Session *s, const Rule *rule, Buf *out)
{
    int n = 0, i = 0;
    for (const Version *v = NULL; rule->trust != TRUST_ASSUMED && (v = next_of_all(s, &i, v));)
        if (ANY(j, v->sub_count, v->subs[j].rule == rule && v->subs[j].trust == TRUST_ASSUMED)) name_version(s, i, v, n++, out);
    return n;
}

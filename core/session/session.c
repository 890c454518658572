/* session: programs loaded and chosen; text read in the context of a version. */
#include "check.h"
#include "session_private.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

Session *session_new(void)
{
    Session *s = mem_alloc(sizeof *s);
    s->ctx = ctx_new();
    s->defs = defs_new(s->ctx);
    s->rules = rules_new(s->ctx);
    s->arena = arena_new();
    settings_init(s);
    return s;
}

void session_free(Session *s)
{
    if (!s) return;
    for (int i = 0; i < s->derivations.n; i++) derivation_free(s->derivations.v[i]);
    free(s->derivations.v);
    free(s->loads.v);
    rules_free(s->rules);
    defs_free(s->defs);
    ctx_free(s->ctx);
    arena_free(s->arena);
    free(s);
}

Ctx *session_ctx(const Session *s) { return s->ctx; }
Defs *session_defs(const Session *s) { return s->defs; }
Rules *session_rules(const Session *s) { return s->rules; }
int session_count(const Session *s) { return s->derivations.n; }
const Derivation *session_get(const Session *s, int i) { return s->derivations.v[i]; }
const Derivation *session_current(const Session *s) { return s->current; }

Derivation *derivation_called(const Session *s, const char *name)
{
    for (int i = 0; i < s->derivations.n; i++)
        if (!strcmp(s->derivations.v[i]->name, name)) return s->derivations.v[i];
    return NULL;
}

/* ---- loading ---- */

/* Put a program under a name. The same text again keeps its derivation; a changed one starts afresh, and the old one
 * stays under another name when there is work in it. */
static Derivation *put(Session *s, const char *name, const Program *program, Loaded *out)
{
    Derivation *old = derivation_called(s, name);
    bool same = old && old->program->body == program->body && old->program->input_count == program->input_count;
    if (same && old->properties == properties_known(s, program)) {
        old->program = program;
        return old;
    }
    Derivation *made = derivation_new(s, name, program);
    if (old && old->versions.n == 1) {
        for (int i = 0; i < s->derivations.n; i++)
            if (s->derivations.v[i] == old) s->derivations.v[i] = made;
        if (s->current == old) s->current = made;
        derivation_free(old);
        return made;
    }
    for (int i = 1; old && derivation_called(s, name) == old; i++) {     /* a free name for it: mm.1, mm.2 ... */
        const char *kept = arena_printf(s->arena, "%s.%d", name, i);
        if (!derivation_called(s, kept)) old->name = out->kept = kept;
    }
    vec_push(&s->derivations, made);
    return made;
}

bool session_load_text(Session *s, const Source *text, bool declaration, const Program **first)
{
    Load load = {text->name, text->text, declaration, defs_count(s->defs), 0};
    *first = NULL;
    bool ok = declaration ? defs_define(s->ctx, s->defs, text, first) : defs_load(s->ctx, s->defs, text, first);
    load.to = defs_count(s->defs);
    for (int i = load.from; i < load.to && ok; i++) properties_check(s->ctx, s->defs, i, s->ctx->stop);
    if (ok) vec_push(&s->loads, load);
    return ok;
}

/* Which programs are new is told by those that there were: definitions may be replaced in their place. */
static bool load_programs(Session *s, const Source *text, bool declaration, const char *as, Loaded *out)
{
    int count = defs_count(s->defs);
    const Program *first, *program;
    LOCAL(drop) const Program **before = mem_alloc(sizeof *before * (size_t)(count + 1));
    for (int i = 0; i < count; i++) defs_name(s->defs, i, NULL, &before[i]);
    bool ok = session_load_text(s, text, declaration, &first);
    for (int i = 0; ok && i < defs_count(s->defs); i++) {
        defs_name(s->defs, i, NULL, &program);
        if (!program || ANY(k, count, before[k] == program)) continue;
        Derivation *d = put(s, program == first && as ? as : program->name, program, out);
        if (program == first) out->first = s->current = d;
        out->count++;
    }
    return ok;
}

bool session_load(Session *s, const char *file, const char *as, Loaded *out)
{
    *out = (Loaded){.defs = defs_count(s->defs)};
    Ctx *c = s->ctx;
    size_t len, name = as ? name_length(as) : 1;
    if (!name || (as && (as[name] || isdigit((unsigned char)*as)))) return diag_fail(&c->diag, E05, "\"%s\" is not a name for a program", as);
    char *text = text_read(&c->diag, s->arena, file, c->stop, &len);
    if (!text) return false;
    return load_programs(s, &(Source){arena_strdup(s->arena, file), text, len}, false, as, out);
}

bool session_define(Session *s, const Source *text, Loaded *out)
{
    *out = (Loaded){.defs = defs_count(s->defs)};
    Source source = {arena_strdup(s->arena, text->name), arena_strndup(s->arena, text->text, text->len), text->len};
    return load_programs(s, &source, true, NULL, out);
}

/* ---- choosing a program ---- */

bool session_use(Session *s, const char *name)
{
    Derivation *d = derivation_called(s, name);
    NearName near = {.typed = name};
    for (int i = 0; i < s->derivations.n; i++) near_try(&near, s->derivations.v[i]->name);
    if (!d && !s->derivations.n) return diag_fail(diag(s), E10, NO_PROGRAM);
    if (!d) return diag_fail(diag(s), E02, "no program \"%s\"%s\ntry list programs", name, near_text(diag(s)->arena, near.name));
    s->current = d;
    return true;
}

/* ---- reading text in a version's context ---- */

void scope_free(Scope *scope)
{
    free(scope->names);
    *scope = (Scope){0};
}

void session_env(const Session *s, const Version *v, Scope *scope, RewriteEnv *out)
{
    *out = (RewriteEnv){.c = s->ctx, .defs = s->defs, .scope = scope ? &scope->lang : NULL, .next_param = v->next_param,
                        .call = s->call, .call_data = s->call_data};
    if (!scope) return;
    scope->names = mem_alloc(sizeof *scope->names * (size_t)(v->param_count + 1));
    for (int i = 0; i < v->param_count; i++) scope->names[i] = v->params[i].name;
    scope->lang = (LangScope){s->defs, s->current->program, scope->names, v->param_count};
}

void session_serve(Session *s, ConditionCall *call, void *data)
{
    s->call = call;
    s->call_data = data;
}

/* place: marks, and where a place of one version is in another. */
#include "session_private.h"

#include <string.h>

static Diag *diag(Session *s) { return &s->ctx->diag; }

/* ---- marks ---- */

static Mark *find(const Derivation *d, const char *name)
{
    for (int i = 0; d && i < d->marks.n; i++)
        if (!strcmp(d->marks.v[i].name, name)) return &d->marks.v[i];
    return NULL;
}

const Mark *session_mark_find(const Session *s, const char *name) { return find(s->current, name); }

static bool name_ok(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return n > 0 && !name[n];
}

bool session_mark_set(Session *s, const char *name, int version, const Path *p)
{
    Derivation *d = s->current;
    if (!d) return diag_error(diag(s), E10, "no program is loaded"), false;
    if (!name_ok(name)) return diag_error(diag(s), E05, "\"%.60s\" is not a mark: letters, digits and _", name), false;
    const Version *v = derivation_version(d, version);
    if (!v || !path_term(v->root, p)) return diag_error(diag(s), E13, "%s has no version @%d with that place", d->name, version), false;
    Mark made = {arena_strdup(s->arena, name), version, session_place(s, p)}, *old = find(d, name);
    if (old) *old = made;
    else vec_push(&d->marks, made);
    return true;
}

static bool no_mark(Session *s, const char *name)
{
    const Derivation *d = s->current;
    const char *near = NULL;
    int best = strlen(name) < 3 ? (int)strlen(name) : 3;
    for (int i = 0; d && i < d->marks.n; i++) {
        int n = edit_distance(name, d->marks.v[i].name);
        if (n < best) best = n, near = d->marks.v[i].name;
    }
    if (near) diag_error(diag(s), E02, "no mark \"%.60s\"; did you mean %s?", name, near);
    else diag_error(diag(s), E02, "no mark \"%.60s\"", name);
    diag_note(diag(s), "try", d && d->marks.n ? "list marks" : "mark %.60s PLACE", name);
    return false;
}

bool session_mark_remove(Session *s, const char *name)
{
    Mark *m = find(s->current, name);
    if (!m) return no_mark(s, name);
    Derivation *d = s->current;
    memmove(m, m + 1, sizeof *m * (size_t)(d->marks.v + d->marks.n - m - 1));
    d->marks.n--;
    return true;
}

/* place: marks, and where a place of one version is in another. */
#include "mark.h"
#include "session_private.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

PlaceRef *place_ref(Arena *arena, const Path *p)
{
    PlaceRef *r = arena_alloc(arena, sizeof *r + p->length);
    r->length = p->length;
    memcpy(r->slots, p->slots, p->length);
    return r;
}

const PlaceRef *session_place(Session *s, const Path *p)
{
    return (const PlaceRef *)intern_n(s->ctx->names, (const char *)p, sizeof(PlaceRef) + p->length);
}

Path place_path(const PlaceRef *ref)
{
    Path p;
    p.length = ref ? ref->length : 0;
    if (ref) memcpy(p.slots, ref->slots, ref->length);
    return p;
}

const char *place_text(Ctx *c, const Term *root, const PlaceRef *ref)
{
    Path at = place_path(ref);
    return path_text(c, root, &at);
}

const char *step_place(Ctx *c, const Version *parent, const Version *v)
{
    Path at = place_path(v->at);
    return path_text(c, path_term(parent->root, &at) ? parent->root : v->root, &at);
}

/* ---- through steps ---- */

typedef struct Made { Rewrite rewrite; const char *call; } Made;        /* an elementary rewrite on the way from a version's parent to it */

/* Those of v in order. What its inner steps do not account for is one whose rule is not known. */
static int rewrites_of(Session *s, const Version *parent, const Version *v, Arena *arena, Made **out)
{
    int n = 0;
    const Term *before = parent->root;
    Made *all = *out = NEW_ARRAY(arena, Made, v->sub_count + 1);
    for (const SubStep *sub = v->subs; sub < v->subs + v->sub_count && sub->root; before = sub++->root) {
        const Rule *rule = sub->rule ? sub->rule : rules_called(s->rules, sub->call);
        Rewrite r = {.rule = rule, .args = sub->args, .before = before, .after = sub->root};
        r.at = place_path(sub->at);
        if (!path_term(before, &r.at)) r = (Rewrite){.before = before, .after = sub->root};
        all[n++] = (Made){r, sub->call};
    }
    if (before == v->root) return n;
    Rewrite r = {.before = before, .after = v->root};
    if (before == parent->root) r.at = place_path(v->at);
    if (!path_term(before, &r.at)) r.at.length = 0;
    all[n++] = (Made){r, v->call};
    return n;
}

/* Through v's step, or back. */
static void follow(Session *s, const Version *parent, const Version *v, bool back, PlaceNow *now)
{
    Made *all;
    LOCAL(drop_arena) Arena *arena = arena_new();
    int count = rewrites_of(s, parent, v, arena, &all);
    for (int i = 0; i < count; i++) {
        const Made *m = &all[back ? count - 1 - i : i];
        Path p = now->at;
        int n = back ? place_backward(s->ctx, &m->rewrite, &p, &now->at) : place_forward(s->ctx, &m->rewrite, &p, &now->at);
        if (n > 1 && now->copies < 1000) now->copies *= n;
        if (n || now->fate != PLACE_HERE) continue;
        *now = (PlaceNow){back ? PLACE_LATER : PLACE_GONE, now->at, now->copies, v, m->call, m->rewrite.before, m->rewrite.at};
    }
}

static int depth(const Version *v)
{
    int n = 0;
    for (; v->from; v = v->from) n++;
    return n;
}

const Version *session_ancestor(const Version *a, const Version *b)
{
    int da = depth(a), db = depth(b);
    for (; da > db; da--) a = a->from;
    for (; db > da; db--) b = b->from;
    for (; a != b; b = b->from) a = a->from;
    return a;
}

void session_forward(Session *s, const Version *from, const Path *p, const Version *to, PlaceNow *out)
{
    LOCAL(drop) VEC(const Version *) way = {0};
    const Version *top = session_ancestor(from, to);
    *out = (PlaceNow){.at = *p, .copies = 1};
    for (; from != top; from = from->from) follow(s, from->from, from, true, out);
    for (; to != top; to = to->from) vec_push(&way, to);
    for (int i = way.n - 1; i >= 0; i--) follow(s, way.v[i]->from, way.v[i], false, out);
}

const PlaceRef *forward_focus(Session *s, const Version *parent, const Version *v)
{
    PlaceNow now = {.copies = 1};
    now.at = place_path(parent->focus);
    if (now.at.length) follow(s, parent, v, false, &now);
    return session_place(s, &now.at);
}

/* ---- marks ---- */

static Mark *find(const Derivation *d, const char *name) { return d ? FIND(d->marks.v, d->marks.n, name, name) : NULL; }

const Mark *session_mark_find(const Session *s, const char *name) { return find(s->current, name); }

PlaceNow session_mark_now(Session *s, const Mark *m, const Version *to)
{
    Path p = place_path(m->at);
    PlaceNow now;
    session_forward(s, s->current->versions.v[m->version], &p, to, &now);
    return now;
}

bool session_mark_set(Session *s, const char *name, int version, const Path *p)
{
    Derivation *d = s->current;
    if (!d) return diag_fail(diag(s), E10, "no program is loaded");
    size_t n = name_length(name);
    if (n == 0 || name[n]) return diag_fail(diag(s), E05, "\"%.60s\" is not a mark: letters, digits and _", name);
    const Version *v = version >= 0 && version < d->versions.n ? d->versions.v[version] : NULL;
    if (!v || !path_term(v->root, p)) return diag_fail(diag(s), E13, "%s has no version @%d with that place", d->name, version);
    Mark made = {arena_strdup(s->arena, name), version, session_place(s, p)}, *old = find(d, name);
    if (old) *old = made;
    else vec_push(&d->marks, made);
    return true;
}

bool session_no_mark(Session *s, const char *name)
{
    const Derivation *d = s->current;
    int n = d ? d->marks.n : 0;
    NearName near = {.typed = name};
    for (int i = 0; i < n; i++) near_try(&near, d->marks.v[i].name);
    return diag_fail(diag(s), E02, "no mark \"%.60s\"%s\ntry %s", name, near_text(diag(s)->arena, near.name), n ? "list marks" : "help mark");
}

bool session_mark_remove(Session *s, const char *name)
{
    Mark *m = find(s->current, name);
    if (!m) return false;
    Derivation *d = s->current;
    memmove(m, m + 1, sizeof *m * (size_t)(d->marks.v + d->marks.n - m - 1));
    d->marks.n--;
    return true;
}

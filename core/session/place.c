/* place: marks, and where a place of one version is in another. */
#include "mark.h"
#include "session_private.h"

#include <stdlib.h>
#include <string.h>

static Diag *diag(Session *s) { return &s->ctx->diag; }

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

void place_path(const PlaceRef *ref, Path *out)
{
    out->length = ref ? ref->length : 0;
    if (ref) memcpy(out->slots, ref->slots, ref->length);
}

const char *place_text(Ctx *c, const Term *root, const PlaceRef *ref)
{
    Path at;
    place_path(ref, &at);
    return path_text(c, root, &at);
}

const char *step_place(Ctx *c, const Version *parent, const Version *v)
{
    Path at;
    place_path(v->at, &at);
    return path_text(c, path_term(parent->root, &at) ? parent->root : v->root, &at);
}

/* ---- through steps ---- */

typedef struct Steps {                   /* the elementary rewrites that led from a version's parent to it */
    int count;
    Rewrite *rewrites;
    const char **calls;
} Steps;

static void add_rewrite(Steps *steps, const Rewrite *r, const char *call)
{
    steps->rewrites[steps->count] = *r;
    steps->calls[steps->count++] = call;
}

/* What the inner steps do not account for is one rewrite whose rule is not known. */
static Steps steps_of(Session *s, const Version *parent, const Version *v, Arena *arena)
{
    Steps steps = {0, NEW_ARRAY(arena, Rewrite, v->sub_count + 1), NEW_ARRAY(arena, const char *, v->sub_count + 1)};
    const Term *before = parent->root;
    Rewrite r = {0};
    for (int i = 0; i < v->sub_count && v->subs[i].root; i++) {
        const SubStep *sub = &v->subs[i];
        const Rule *rule = sub->rule ? sub->rule : rules_called(s->rules, sub->call);
        r = (Rewrite){.rule = rule, .args = sub->args, .before = before, .after = sub->root};
        place_path(sub->at, &r.at);
        if (!path_term(before, &r.at)) r = (Rewrite){.before = before, .after = r.after};
        add_rewrite(&steps, &r, sub->call);
        before = v->subs[i].root;
    }
    if (before == v->root) return steps;
    r = (Rewrite){.before = before, .after = v->root};
    if (before == parent->root) place_path(v->at, &r.at);
    if (!path_term(before, &r.at)) r.at.length = 0;
    add_rewrite(&steps, &r, v->call);
    return steps;
}

static void lost(PlaceNow *now, PlaceFate fate, const Version *v, const Steps *steps, int i)
{
    if (now->fate != PLACE_HERE) return;
    now->fate = fate;
    now->version = v;
    now->call = steps->calls[i];
    now->root = steps->rewrites[i].before;
    now->where = steps->rewrites[i].at;
}

static void forward(Session *s, const Version *parent, const Version *v, PlaceNow *now)
{
    Arena *arena = arena_new();
    Steps steps = steps_of(s, parent, v, arena);
    for (int i = 0; i < steps.count; i++) {
        Path p = now->at;
        int n = place_forward(s->ctx, &steps.rewrites[i], &p, &now->at);
        if (n == 0) lost(now, PLACE_GONE, v, &steps, i);
        else if (n > 1 && now->copies < 1000) now->copies *= n;
    }
    arena_free(arena);
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
    VEC(const Version *) way = {0};
    const Version *top = session_ancestor(from, to);
    *out = (PlaceNow){.at = *p, .copies = 1};
    for (; from != top; from = from->from) {
        Arena *arena = arena_new();
        Steps steps = steps_of(s, from->from, from, arena);
        for (int i = steps.count - 1; i >= 0; i--) {
            Path q = out->at;
            if (!place_backward(s->ctx, &steps.rewrites[i], &q, &out->at)) lost(out, PLACE_LATER, from, &steps, i);
        }
        arena_free(arena);
    }
    for (; to != top; to = to->from) vec_push(&way, to);
    for (int i = way.n - 1; i >= 0; i--) forward(s, way.v[i]->from, way.v[i], out);
    free(way.v);
}

const PlaceRef *forward_focus(Session *s, const Version *parent, const Version *v)
{
    PlaceNow now = {.copies = 1};
    place_path(parent->focus, &now.at);
    if (now.at.length) forward(s, parent, v, &now);
    return session_place(s, &now.at);
}

/* ---- marks ---- */

static Mark *find(const Derivation *d, const char *name)
{
    return d ? FIND(d->marks.v, d->marks.n, name, name) : NULL;
}

const Mark *session_mark_find(const Session *s, const char *name) { return find(s->current, name); }

void session_mark_now(Session *s, const Mark *m, const Version *to, PlaceNow *out)
{
    Path p;
    place_path(m->at, &p);
    session_forward(s, s->current->versions.v[m->version], &p, to, out);
}

bool session_mark_set(Session *s, const char *name, int version, const Path *p)
{
    Derivation *d = s->current;
    if (!d) return diag_error(diag(s), E10, "no program is loaded"), false;
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (n == 0 || name[n])
        return diag_error(diag(s), E05, "\"%.60s\" is not a mark: letters, digits and _", name), false;
    const Version *v = version >= 0 && version < d->versions.n ? d->versions.v[version] : NULL;
    if (!v || !path_term(v->root, p))
        return diag_error(diag(s), E13, "%s has no version @%d with that place", d->name, version), false;
    Mark made = {arena_strdup(s->arena, name), version, session_place(s, p)}, *old = find(d, name);
    if (old) *old = made;
    else vec_push(&d->marks, made);
    return true;
}

bool session_no_mark(Session *s, const char *name)
{
    const Derivation *d = s->current;
    NearName near = {.typed = name};
    for (int i = 0; d && i < d->marks.n; i++) near_try(&near, d->marks.v[i].name);
    if (near.name) diag_error(diag(s), E02, "no mark \"%.60s\"; did you mean %s?", name, near.name);
    else diag_error(diag(s), E02, "no mark \"%.60s\"", name);
    diag_note(diag(s), "try", d && d->marks.n ? "list marks" : "help mark");
    return false;
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

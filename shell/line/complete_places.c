/* complete_places: places, patterns, marks and versions, from the live tree. */
#include "complete_private.h"
#include "mark.h"
#include "pattern.h"
#include "show.h"

#include <ctype.h>
#include <string.h>

enum { RECENT_VERSIONS = 10, GLOSS = 44 };

void offer_place(Completer *f)
{
    const Version *v = session_version(f->sh->session);
    const char *slash = strrchr(f->word, '/');
    Path base, focus;
    if (!v) return;
    session_focus(f->sh->session, &focus);
    base = focus;
    size_t folder = slash ? slash == f->word ? 1 : (size_t)(slash - f->word) : 0;
    if (slash && !path_parse(f->sh->c, v->root, &focus, arena_strndup(f->arena, f->word, folder), &base)) return;
    if (slash) complete_from(f, slash + 1);
    const Term *t = path_term(v->root, &base);
    for (int i = 0; i < term_slot_count(t) && base.length < PATH_MAX_LENGTH; i++) {
        const char *name = term_slot_name(f->sh->c, t, i);
        bool leaf = term_slot_count(term_slot(t, i)) == 0;
        base.slots[base.length++] = (uint8_t)i;
        const char *gloss = arena_printf(f->arena, "%s  %s", show_short(f->sh, v->root, &base, GLOSS),
                                         type_text(f->sh->c, term_slot(t, i)->type));
        Candidate *c = offer(f, leaf ? name : arena_printf(f->arena, "%s/", name), gloss);
        if (c) c->more = !leaf;
        base.length--;
    }
    if (!slash && focus.length) offer(f, "..", "up");
    if (!slash && !*f->word) offer(f, "/", "the root");
    for (int i = 0; i < f->out->items.n; i++) f->out->items.v[i].more |= !strcmp(f->out->items.v[i].text, "/");
    if (!slash) offer_mark(f);
}

/* ---- patterns ---- */

static bool occurs(const Term *t, PrimId id)
{
    Path p = {0};
    do {
        const Term *at = path_term(t, &p);
        if (at->kind == T_PRIM && (PrimId)at->prim == id) return true;
    } while (path_next(t, &p));
    return false;
}

/* The pattern as it stands, when it is one that ends with a constructor or a hole: its quote
 * closed, with how often it matches. */
static void offer_whole(Completer *f, const Term *root, const char *last)
{
    size_t n = strlen(last);
    if (n == 0 || (last[n - 1] != ')' && strcmp(last, "_") && prim_from_name(last) == PRIM_COUNT)) return;
    Source s = {"pattern", f->word + 1, strlen(f->word + 1)};
    SearchPattern *p = pattern_parse(f->sh->c, f->arena, &s);
    Path at = {0};
    int matches = 0;
    diag_clear(diag(f->sh));
    if (!p) return;
    do matches += pattern_matches(f->sh->c, p, root, &at);
    while (!complete_late(f) && path_next(root, &at));
    if (f->late || matches == 0) return;
    Candidate *c = offer(f, arena_printf(f->arena, "%s%c", f->word, *f->word),
                         arena_printf(f->arena, "%d match%s", matches, matches == 1 ? "" : "es"));
    if (c) c->more = true;
}

static void offer_constructors(Completer *f, const Term *root, size_t before, bool here)
{
    for (int i = 0; i < PRIM_COUNT; i++) {
        const Prim *p = prim((PrimId)i);
        if (!isalpha((unsigned char)*p->name) || occurs(root, (PrimId)i) != here) continue;
        Candidate *c = offer(f, arena_printf(f->arena, "%.*s%s", (int)before, f->word, p->name), p->help);
        if (!c) continue;
        c->shown = p->name;
        c->fits = here;
        c->more = true;
    }
}

void offer_pattern(Completer *f)
{
    const Version *v = session_version(f->sh->session);
    size_t n = strlen(f->word);
    if (!v || n == 0) return;
    while (n > 1 && !strchr(" (", f->word[n - 1])) n--;
    offer_whole(f, v->root, f->word + n);
    offer_constructors(f, v->root, n, true);
    if (f->rest || f->out->items.n == 0) offer_constructors(f, v->root, n, false);
    Candidate *any = offer(f, arena_printf(f->arena, "%.*s_", (int)n, f->word), "anything");
    if (any) any->shown = "_", any->more = true;
}

/* ---- versions and marks ---- */

void offer_version(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    int last = d ? d->versions.n - 1 : -1, shown = 0;
    bool all = f->word[0] && f->word[1];
    for (int i = 0; i <= last; i++) {
        const Version *v = derivation_version(d, i);
        if (v && v->tag) offer(f, arena_printf(f->arena, "@%s", v->tag), arena_printf(f->arena, "@%d  %s", i, v->call));
    }
    for (int i = last; i >= 0 && (all || shown < RECENT_VERSIONS); i--) {
        const Version *v = derivation_version(d, i);
        if (v) shown += offer(f, arena_printf(f->arena, "@%d", i), v->call) != NULL;
    }
}

/* Marks with where each is now; those that are nowhere in this version come with a second Tab. */
void offer_mark(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    const Version *v = session_version(f->sh->session);
    for (int i = 0; d && i < d->marks.n; i++) {
        PlaceNow now;
        const Mark *m = &d->marks.v[i];
        session_mark_now(f->sh->session, m, v, &now);
        bool here = now.fate == PLACE_HERE;
        if (!here && !f->rest) continue;
        Candidate *c = offer(f, arena_printf(f->arena, "$%s", m->name),
                             here ? path_text(f->sh->c, v->root, &now.at) : "not in this version");
        if (c) c->fits = here;
    }
}

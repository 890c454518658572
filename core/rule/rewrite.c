/* rewrite: paths to subterms, as text too, and terms rebuilt with one of them replaced. */
#include "rule.h"

#include <stdlib.h>
#include <string.h>

const Term *path_term(const Term *root, const Path *p)
{
    for (int i = 0; i < p->length; i++) {
        if (p->slots[i] >= term_slot_count(root)) return NULL;
        root = term_slot(root, p->slots[i]);
    }
    return root;
}

bool path_equal(const Path *a, const Path *b) { return a->length == b->length && memcmp(a->slots, b->slots, a->length) == 0; }

bool path_is_below(const Path *p, const Path *top)
{
    return p->length >= top->length && memcmp(p->slots, top->slots, top->length) == 0;
}

void path_print(Ctx *c, const Term *root, const Path *p, Buf *out)
{
    if (p->length == 0) buf_putc(out, '/');
    for (int i = 0; i < p->length; i++) {
        bool inside = root && p->slots[i] < term_slot_count(root);
        if (inside) buf_printf(out, "/%s", term_slot_name(c, root, p->slots[i]));
        else buf_printf(out, "/%d", p->slots[i]);
        root = inside ? term_slot(root, p->slots[i]) : NULL;
    }
}

const char *path_text(Ctx *c, const Term *root, const Path *p) { return TEXT_OF(c->diag.arena, b, path_print(c, root, p, &b)); }

static bool step_into(Ctx *c, const Term *root, Path *at, const char *name)
{
    const Term *t = path_term(root, at);
    if (strcmp(name, "..") == 0) {
        if (at->length) at->length--;
        return true;
    }
    if (strcmp(name, ".") == 0) return true;
    if (at->length == PATH_MAX_LENGTH)
        return ctx_error(c, E08, "a path has at most %d steps", PATH_MAX_LENGTH);
    for (int i = 0; i < term_slot_count(t); i++) {
        if (strcmp(term_slot_name(c, t, i), name) != 0) continue;
        at->slots[at->length++] = (uint8_t)i;
        return true;
    }
    LOCAL(buf_free) Buf slots = {0};
    for (int i = 0; i < term_slot_count(t); i++) buf_printf(&slots, "%s%s", i ? ", " : NOTE("slots"), term_slot_name(c, t, i));
    if (!slots.len) buf_printf(&slots, NOTE("found") "a leaf: %s", lang_text(c, root, at->slots, at->length, 60));
    return ctx_error(c, E11, "there is no slot \"%s\" at %s%s", name, path_text(c, root, at), buf_text(&slots));
}

bool path_parse(Ctx *c, const Term *root, const Path *from, const char *text, Path *out)
{
    Path at = *text == '/' || !from ? (Path){0} : *from;
    while (*text) {
        size_t n = strcspn(text, "/");
        if (n) {
            char name[64];
            if (n >= sizeof name) return ctx_error(c, E11, "there is no slot \"%.20s...\"", text);
            memcpy(name, text, n);
            name[n] = '\0';
            if (!step_into(c, root, &at, name)) return false;
        }
        text += n;
        if (*text) text++;
    }
    *out = at;
    return true;
}

void path_walk(PathWalk *w, const Term *root, const Path *at)
{
    w->at = *at;
    w->terms[0] = root;
    for (int i = 0; i < at->length; i++) w->terms[i + 1] = term_slot(w->terms[i], at->slots[i]);
}

/* Into that slot, and through lambdas to a data-typed place. */
static const Term *into(PathWalk *w, int slot)
{
    Path *p = &w->at;
    const Term *t = w->terms[p->length];
    do {
        t = term_slot(t, slot);
        p->slots[p->length++] = (uint8_t)slot;
        w->terms[p->length] = t;
        slot = 0;
    } while (t->kind == T_LAM && p->length < PATH_MAX_LENGTH);
    return t;
}

const Term *path_walk_next(PathWalk *w)
{
    Path *p = &w->at;
    if (term_slot_count(w->terms[p->length]) > 0 && p->length < PATH_MAX_LENGTH - 1) return into(w, 0);
    while (p->length > 0) {
        int slot = p->slots[--p->length] + 1;
        if (slot < term_slot_count(w->terms[p->length])) return into(w, slot);
    }
    return NULL;
}

bool path_next(const Term *root, Path *p)
{
    PathWalk w;
    path_walk(&w, root, p);
    bool found = path_walk_next(&w);
    *p = w.at;
    return found;
}

static bool are_named_alike(const Term *a, const Term *b)
{
    const char *const *x = a->args[1]->u.hints, *const *y = b->args[1]->u.hints;
    return x && y && *x && *y && !strcmp(*x, *y);
}

/* Does the let `was`, where `now` stands, stand there no more? Of several whose values have one type it may be the next one that does: by its name, or
 * since its value or its body is still the same. */
static bool let_is_gone(const Term *was, const Term *now)
{
    if (!term_is(now, PRIM_LET) || now->args[0]->type != was->args[0]->type) return true;
    const Term *next = was->args[1]->args[0];
    if (!term_is(next, PRIM_LET) || are_named_alike(was, now) || now->args[0] == was->args[0]) return false;
    return are_named_alike(next, now) || next->args[0] == now->args[0] || next->args[1] == now->args[1];
}

bool path_carried(const Term *was, const Path *p, const Term *now, Path *out, Buf *gone)
{
    Path at = {0};
    for (int i = 0; i < p->length && now; i++) {
        int slot = p->slots[i];
        bool dropped = term_is(was, PRIM_LET) && slot == 1 && let_is_gone(was, now);
        const char *const *name = dropped ? was->args[1]->u.hints : NULL;
        was = term_slot(was, slot);
        if (dropped && gone) buf_printf(gone, "%s%s", gone->len ? ", " : "", name && *name ? *name : "_");
        if (dropped) continue;
        now = slot < term_slot_count(now) ? term_slot(now, slot) : NULL;
        if (now) at.slots[at.length++] = (uint8_t)slot;
    }
    bool found = now && now->kind != T_LAM;
    if (now && !found && at.length) at.length--;
    *out = at;
    return found;
}

/* Of the node t, which the first `above` slots of all n places lead to. */
static const Term *replace(Ctx *c, const Term *t, int above, const Path *p, int n, const Term *const *with)
{
    const Term *children[ARG_MAX] = {0};
    if (p->length == above) return *with;
    for (int i = 0, same; i < n; i += same) {
        int slot = p[i].slots[above];
        for (same = 1; i + same < n && p[i + same].slots[above] == slot;) same++;
        children[slot] = replace(c, term_slot(t, slot), above + 1, p + i, same, with + i);
        if (!children[slot]) return NULL;
    }
    return term_with_slots(c, t, children);
}

const Term *path_replace_all(Ctx *c, const Term *root, const Path *p, int n, const Term *const *with)
{
    return n ? replace(c, root, 0, p, n, with) : root;
}

const Term *path_replace(Ctx *c, const Term *root, const Path *p, const Term *with)
{
    return path_replace_all(c, root, p, 1, &with);
}

int path_binders(const Term *root, const Path *p)
{
    int n = 0;
    for (int i = 0; i < p->length; i++) {
        n += term_slot_binds(root, p->slots[i]);
        root = term_slot(root, p->slots[i]);
    }
    return n;
}

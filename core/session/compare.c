/* compare: how two terms, two versions or two texts differ. */
#include "session_private.h"
#include "compare.h"

#include <stdlib.h>
#include <string.h>

/* ---- terms ---- */

/* Do a and b differ, if at all, only in their slots, each of the same type? */
static bool same_head(const Term *a, const Term *b)
{
    if (a->kind != b->kind || a->arg_count != b->arg_count || a->static_count != b->static_count ||
        a->arg_count == 0) return false;
    if (a->kind == T_PRIM && (a->prim != b->prim || (a->prim == PRIM_PROJ && a->u.proj != b->u.proj))) return false;
    if (a->kind == T_LAM && a->type->elems[0] != b->type->elems[0]) return false;
    if (ANY(i, a->static_count, a->statics[i] != b->statics[i])) return false;
    return ALL(i, term_slot_count(a), term_slot(a, i)->type == term_slot(b, i)->type);
}

typedef struct Comparing {
    Path at;
    VEC(Change) found;
} Comparing;

/* place: of the nearest value at or above cmp->at, where a change is reported. */
static void compare(Comparing *cmp, const Term *a, const Term *b, int place, const Term *above_a, const Term *above_b)
{
    if (a == b) return;
    if (a->kind != T_LAM) place = cmp->at.length, above_a = a, above_b = b;
    bool deeper = same_head(a, b) && cmp->at.length < PATH_MAX_LENGTH, binds = a->kind == T_PRIM && a->prim == PRIM_LET;
    int differ = 0;
    for (int i = 0; deeper && i < term_slot_count(a); i++) {
        differ += term_slot(a, i) != term_slot(b, i);
        binds = binds || term_slot(a, i)->kind == T_LAM;
    }
    if (binds && differ > 1) deeper = false;         /* more than what happens in its function: the meaning of its variables changed */
    for (int i = 0; deeper && i < term_slot_count(a); i++) {
        cmp->at.slots[cmp->at.length++] = (uint8_t)i;
        compare(cmp, term_slot(a, i), term_slot(b, i), place, above_a, above_b);
        cmp->at.length--;
    }
    if (deeper) return;
    Change change = {cmp->at, above_a, above_b};
    change.at.length = (uint8_t)place;
    if (cmp->found.n == 0 || !path_equal(&cmp->found.v[cmp->found.n - 1].at, &change.at)) vec_push(&cmp->found, change);
}

int term_changes(const Term *a, const Term *b, Arena *arena, Change **out)
{
    Comparing cmp = {0};
    compare(&cmp, a, b, 0, a, b);
    *out = vec_take(&cmp.found, arena);
    return cmp.found.n;
}

void term_changed_place(const Term *a, const Term *b, Path *out)
{
    Path p = {0};
    *out = p;
    while (a != b && same_head(a, b) && p.length < PATH_MAX_LENGTH) {
        int slot = -1, differ = 0;
        for (int i = 0; i < term_slot_count(a); i++)
            if (term_slot(a, i) != term_slot(b, i)) slot = i, differ++;
        if (differ != 1) return;
        p.slots[p.length++] = (uint8_t)slot;
        a = term_slot(a, slot);
        b = term_slot(b, slot);
        if (a->kind != T_LAM) *out = p;
    }
}

void term_step_place(const Term *a, const Term *b, const Path *at, Path *out)
{
    const Term *x = a, *y = b;
    bool same = true;
    for (int i = 0; same && i < at->length; i++) {
        int slot = at->slots[i];
        same = x->kind == y->kind && (x->kind != T_PRIM || x->prim == y->prim) && slot < term_slot_count(x) && slot < term_slot_count(y);
        if (same) x = term_slot(x, slot), y = term_slot(y, slot);
    }
    if (same && x->kind != T_LAM && y->kind != T_LAM) *out = *at;
    else term_changed_place(a, b, out);
}

/* ---- what two terms have in common ---- */

enum { SHARE_NODES = 6, SHARE_TERM_MAX = 20000 };     /* smaller subterms stay; larger terms are left alone */

/* term: as it is outside the binders below the place compared */
typedef struct Part { const Term *term; Path at; } Part;
typedef VEC(Part) Parts;

typedef struct Sharing {
    Ctx *c;
    Path at;
    int depth;                           /* indices bound between the place compared and here */
    Parts *parts;
    const Parts *among;                  /* keep only what is among these, and nothing inside it; NULL: all */
} Sharing;

static bool among(const Parts *parts, const Term *t) { return ANY(i, parts->n, parts->v[i].term == t); }

/* The subterms of t that can stand outside the binders, as they are there; functions of one variable too (of a tuple of
 * variables the names would go with the body). */
static void collect_parts(Sharing *s, const Term *t)
{
    bool whole = t->kind != T_LAM || t->type->elems[0]->leaf_count == 1;
    bool free = whole && t->size >= SHARE_NODES && !term_mentions(t, 0, s->depth);
    const Term *outside = free ? term_shift(s->c, t, -s->depth, 0) : NULL;
    if (outside && (!s->among || among(s->among, outside))) {
        Part part = {outside, s->at};
        vec_push(s->parts, part);
        if (s->among) return;
    }
    if (t->size < SHARE_NODES || s->at.length == PATH_MAX_LENGTH) return;
    int bound = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    for (int i = 0; i < term_slot_count(t); i++) {
        const Term *child = term_slot(t, i);
        bool let_body = t->kind == T_PRIM && t->prim == PRIM_LET && child != t->args[i];
        int inside = let_body ? t->args[i]->type->elems[0]->leaf_count : bound;
        s->at.slots[s->at.length++] = (uint8_t)i;
        s->depth += inside;
        collect_parts(s, child);
        s->depth -= inside;
        s->at.length--;
    }
}

static void parts_of(Ctx *c, const Term *root, const Path *at, const Parts *limit, Parts *out)
{
    Sharing s = {.c = c, .at = *at, .parts = out, .among = limit};
    collect_parts(&s, path_term(root, at));
}

/* Put an input of that name for the value at p, or for the body of the function there. NULL: the rest would change too. */
static const Term *put_name(Ctx *c, const Term *root, Path p, const char *name)
{
    const Term *t = path_term(root, &p);
    if (t && t->kind == T_LAM && p.length < PATH_MAX_LENGTH) {
        p.slots[p.length++] = 0;
        t = path_term(root, &p);
    }
    if (!t || t->kind == T_LAM) return NULL;
    const Term *input = term_input(c, name, t->type);
    bool failed = diag_failed(&c->diag);
    const Term *made = path_replace(c, root, &p, input);
    if (!made && !failed) diag_clear(&c->diag);
    return made && made->size == root->size - t->size + input->size && path_term(made, &p) == input ? made : NULL;
}

int terms_share(Ctx *c, Arena *arena, const Term **a, const Term **b, const Path *at, const char *const *names, int max,
                SharedTerm *out)
{
    const Term *roots[2] = {*a, *b}, *made[2] = {*a, *b};
    const Term **named = NEW_ARRAY(arena, const Term *, max);
    int count = 0;
    Parts all = {0}, found[2] = {{0}, {0}};
    if (path_term(*a, at)->size > SHARE_TERM_MAX || path_term(*b, at)->size > SHARE_TERM_MAX) return 0;
    parts_of(c, *a, at, NULL, &all);
    parts_of(c, *b, at, &all, &found[1]);
    parts_of(c, *a, at, &found[1], &found[0]);
    for (int side = 1; side >= 0; side--) {
        for (int i = 0; i < found[side].n && made[side]; i++) {
            const Part *part = &found[side].v[i];
            int k = 0;                       /* the number of its name */
            while (k < count && named[k] != part->term) k++;
            if (k == max) continue;
            made[side] = put_name(c, made[side], part->at, names[k]);
            if (k < count) continue;
            named[count++] = part->term;
            out[k] = (SharedTerm){names[k], roots[side], part->at};
            if (path_term(roots[side], &part->at)->kind == T_LAM) out[k].at.slots[out[k].at.length++] = 0;
        }
    }
    free(all.v);
    free(found[0].v);
    free(found[1].v);
    if (!made[0] || !made[1]) return 0;
    *a = made[0];
    *b = made[1];
    return count;
}

/* ---- the chain from one version to another ---- */

static ChainStep step_between(const Version *v, int from, int to, const Term *before)
{
    bool one = to == from + 1 && v->sub_count > 0;
    ChainStep step = {.version = v, .sub_from = from, .sub_to = to, .before = before,
                      .after = to ? v->subs[to - 1].root : v->root,
                      .call = one ? v->subs[from].call : v->call, .trust = one ? v->subs[from].trust : v->own};
    const PlaceRef *at = one ? v->subs[from].at : v->at;
    step.placed = at != NULL;
    step.at = place_path(at);
    if (v->sub_count == 0 || (from == 0 && to == v->sub_count)) step.call = v->call;
    return step;
}

typedef VEC(ChainStep) Chain;

static ChainStep turned(ChainStep step)
{
    const Term *before = step.before;
    step.before = step.after;
    step.after = before;
    step.reversed = !step.reversed;
    return step;
}

/* The steps that made v, first to last; elementary ones when asked for. Of a version of @0: from @0 back to what the source was before so
 * many of its names were inlined. */
static void add_steps(Chain *chain, const Session *s, const Version *v, bool inner)
{
    const Version *names = s->current->names;
    int k = v->inner == AS_WRITTEN ? 0 : v->inner, n = inner && v->sub_count > 1 ? v->sub_count : 0;
    for (int to = v->number == 0 ? names->sub_count : 0, from; to > k; to = from) {
        from = inner ? to - 1 : k;
        vec_push(chain, turned(step_between(names, from, to, from ? names->subs[from - 1].root : names->from->root)));
    }
    if (v->number == 0) return;
    const Term *before = v->from->root;
    for (int i = 0; i < n; before = v->subs[i++].root) vec_push(chain, step_between(v, i, i + 1, before));
    if (n == 0) vec_push(chain, step_between(v, 0, v->sub_count, before));
}

/* Those from top down to v. */
static void add_way(Chain *chain, const Session *s, const Version *top, const Version *v, bool inner)
{
    LOCAL(drop) VEC(const Version *) way = {0};
    for (; v != top; v = v->from) vec_push(&way, v);
    while (way.n) add_steps(chain, s, way.v[--way.n], inner);
}

int session_chain(const Session *s, const Version *a, const Version *b, bool inner, Arena *arena, ChainStep **out)
{
    const Version *top = session_ancestor(a, b);
    LOCAL(drop) Chain up = {0};
    Chain chain = {0};
    add_way(&up, s, top, a, inner);
    while (up.n) vec_push(&chain, turned(up.v[--up.n]));
    add_way(&chain, s, top, b, inner);
    *out = vec_take(&chain, arena);
    return chain.n;
}

/* ---- texts ---- */

/* entries of the table; beyond it everything between the equal ends counts as changed */
enum { TABLE_MAX = 32 << 20 };

int text_diff(Arena *arena, const char *const *a, int n, const char *const *b, int m, LineEdit **out)
{
    int head = 0, tail = 0, count = 0;
    while (head < n && head < m && !strcmp(a[head], b[head])) head++;
    while (tail < n - head && tail < m - head && !strcmp(a[n - 1 - tail], b[m - 1 - tail])) tail++;
    /* Lengths of the longest common subsequences of the ends of what is between: lengths[i * wide + j] is that of a[head + i..], b[head + j..]. */
    int tall = n - head - tail;
    size_t wide = (size_t)(m - head - tail) + 1;
    bool small = (tall + 1) * (int64_t)wide <= TABLE_MAX && tall <= UINT16_MAX && wide <= UINT16_MAX + 1;
    LOCAL(drop) uint16_t *lengths = small ? mem_alloc(sizeof *lengths * ((size_t)tall + 1) * wide) : NULL;
    for (int i = small ? tall - 1 : -1; i >= 0; i--)
        for (int j = (int)wide - 2; j >= 0; j--) {
            uint16_t *t = &lengths[(size_t)i * wide + (size_t)j];
            *t = !strcmp(a[head + i], b[head + j]) ? (uint16_t)(t[wide + 1] + 1) : t[wide] > t[1] ? t[wide] : t[1];
        }
    LineEdit *edits = *out = NEW_ARRAY(arena, LineEdit, n + m);
    for (int i = 0, j = 0; i < n || j < m;) {
        bool inside = i >= head && j >= head && (i < n - tail || j < m - tail), left = i < n - tail, right = j < m - tail;
        uint16_t *t = inside && small ? &lengths[(size_t)(i - head) * wide + (size_t)(j - head)] : NULL;
        if (!inside || (left && right && small && !strcmp(a[i], b[j]))) edits[count++] = (LineEdit){' ', i++, j++};
        else if (left && (!right || !t || t[wide] >= t[1])) edits[count++] = (LineEdit){'-', i++, j};
        else edits[count++] = (LineEdit){'+', i, j++};
    }
    return count;
}

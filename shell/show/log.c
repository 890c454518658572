/* log: the derivation tree as text. The way to the current version and on along the branch last visited is drawn straight
 * down; every other branch hangs off it before the line that follows its parent. */
#include "show.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES_MAX = 50,                      /* a tree of more versions is drawn with gaps */
    /* versions of the way down that are shown then: the first, and around the current one */
    HEAD = 3, BEFORE = 10, AFTER = 6,
    SIDES = 4,                           /* branches of one version that are shown then */
    CALL_LESS = 40,                      /* a call is cut to this less than the width, so that its place is in sight */
    INNER_MAX = 12,                      /* inner steps shown for each version */
};

typedef struct Log {
    Shell *sh;
    const Derivation *d;
    const LogOptions *o;
    bool gaps, unicode;
    bool *on_way;                        /* by number: it is the current version or above it */
    TreeShape shape;
} Log;

static const Version *version(const Log *l, int number) { return l->d->versions.v[number]; }

/* ---- one version ---- */

static void put_place(Log *l, const Term *before, const PlaceRef *at)
{
    if (at) print(l->sh, "  at %s", place_text(l->sh->c, before, at));
}

/* The names that a rewrite at that place left with one use. */
static void put_inlined(Log *l, const Term *before, const PlaceRef *at, const Term *after)
{
    Path p = place_path(at);
    const char *text = at ? step_inlined(l->sh, before, &p, after) : NULL;
    if (text) print(l->sh, "  inlined %s", text);
}

/* How many rewrites from i on are of that use. */
static int use_length(const Version *v, int i, const MacroUse *use)
{
    int n = i;
    while (n < v->sub_count && use_at(v->subs[n].within, use->depth) == use) n++;
    return n - i;
}

static void put_run(Log *l, const char *device, const char *state, double best_ns)
{
    Buf *out = &l->sh->out;
    buf_printf(out, "  %s %s", device, state);
    if (best_ns == 0) return;
    if (show_times(l->sh)) buf_printf(out, " %.4g ms", best_ns / 1e6);
    else buf_puts(out, " - ms");
}

static void put_version(Log *l, const Version *v, const char *head, const char *indent)
{
    Buf *out = &l->sh->out;
    bool here = v->number == l->d->current;
    const Version *same = session_same(l->sh->session, v);
    buf_printf(out, "%s %s", here ? "*" : " ", head);
    const char *mark = v->trust == TRUST_ASSUMED ? "?" : "";
    show_color(l->sh, here ? "1" : "0", arena_printf(l->sh->scratch, "@%d%s", v->number, mark));
    buf_printf(out, "  %s", show_cut(l->sh, v->call, show_left(l->sh, CALL_LESS)));
    const Term *before = v->parent >= 0 ? version(l, v->parent)->root : NULL;
    if (before && v->at && v->sub_count > 1) print(l->sh, "  at %s", steps_place(l->sh, before, v->subs, v->sub_count));
    else if (before) put_place(l, before, v->at);
    if (before && l->o->expand && v->sub_count <= 1) put_inlined(l, before, v->at, v->root);
    if (v->tag) buf_printf(out, "  [%s]", v->tag);
    if (v->trust != TRUST_BUILTIN) buf_printf(out, "  %s", trust_name(v->trust));
    if (!l->o->expand && v->sub_count > 1) buf_printf(out, "  (%d inner steps)", v->sub_count);
    if (same) buf_printf(out, "  = @%d", same->number);
    if (l->o->results) {
        /* What this session saw, else what the store knows. */
        Result stored;
        if (v->run) put_run(l, v->run->device, run_state_name(v->run->state), v->run->best_ns);
        else if (record_best(l->sh, v, &stored)) put_run(l, stored.key.device, result_state_name(stored.state), stored.ns);
    }
    if (here) {
        for (int i = 0, n = 0; i < v->param_count; i++)
            if (v->params[i].value) print(l->sh, "%s%s=%lld", n++ ? " " : "  ", v->params[i].name, (long long)v->params[i].value);
    }
    buf_putc(out, '\n');
    const char *margin = arena_printf(l->sh->scratch, "  %s    ", indent);
    if (v->note) show_wrapped(l->sh, arena_printf(l->sh->scratch, "%s# ", margin), arena_printf(l->sh->scratch, "%s  ", margin), v->note);
    show_equations(l->sh, margin, v->call);
    show_gap(l->sh);
    /* Inner steps as a tree of the macros that made them; below the depth asked for only the macros. */
    bool all = l->o->full || v->sub_count <= INNER_MAX || l->o->only == v, names = !before && l->d->names;
    if (names) v = l->d->names;
    if (names) before = v->from->root;
    int n = l->o->expand && (v->sub_count > 1 || names) ? v->sub_count : 0, lines = 0, i = 0;
    while (i < n && (all || lines < INNER_MAX)) {
        const MacroUse *within = v->subs[i].within, *use;
        int level = use_shared(i ? v->subs[i - 1].within : NULL, within);
        for (; (use = use_at(within, level)) && level <= l->o->depth; level++, lines++) {
            int m = use_length(v, i, use);
            bool folded = use->depth >= l->o->depth;
            print(l->sh, "  %s    %*s%s  at %s", indent, 3 * use->depth, "", use->call, steps_place(l->sh, before, v->subs + i, m));
            if (folded && m > 1) print(l->sh, "  (.%d to .%d)", i + 1, i + m);
            buf_puts(&l->sh->out, folded && m == 1 ? "  (1 step)\n" : "\n");
        }
        const MacroUse *folded = use_at(within, l->o->depth);
        int next = i + (folded ? use_length(v, i, folded) : 1);
        if (!folded) {
            print(l->sh, "  %s    %*s.%d  %s", indent, within ? 3 * within->depth + 3 : 0, "", i + 1, v->subs[i].call);
            put_place(l, before, v->subs[i].at);
            if (names) {                 /* "a, b": those of the let at that place */
                Buf b = {0};
                Path p = place_path(v->subs[i].at);
                const Term *lambda = path_term(before, &p)->args[1];
                for (int k = 0; lambda->u.hints && k < hint_count(lambda->type->elems[0]); k++)
                    if (hint_name(lambda->u.hints[k])) buf_printf(&b, b.len ? ", %s" : "%s", lambda->u.hints[k]);
                if (b.len) print(l->sh, "  inlined %s", b.data);
                buf_free(&b);
            } else put_inlined(l, before, v->subs[i].at, v->subs[i].root);
            buf_puts(&l->sh->out, v->subs[i].trust == TRUST_ASSUMED ? "  assumed\n" : "\n");
            show_equations(l->sh, arena_printf(l->sh->scratch, "  %s    %*s", indent,
                                               within ? 3 * within->depth + 7 : 4, ""), v->subs[i].call);
            lines++;
        }
        before = v->subs[next - 1].root;
        i = next;
    }
    if (i < n) print(l->sh, "  %s    ...  %d more        log @%d --expand\n", indent, n - i, v->number);
}

/* ---- the tree ---- */

int tree_next(const Derivation *d, const bool *on_way, const Version *v)
{
    for (int i = v->first_child; i >= 0; i = d->versions.v[i]->next_sibling)
        if (on_way[i]) return i;
    return v->visited_child >= 0 ? v->visited_child : v->last_child;
}

TreeShape tree_shape(Shell *sh, const Derivation *d)
{
    TreeShape t = {NEW_ARRAY(sh->scratch, int, d->versions.n), NEW_ARRAY(sh->scratch, bool, d->versions.n)};
    for (int i = d->versions.n - 1; i >= 0; i--) {           /* children have larger numbers */
        const Version *v = d->versions.v[i];
        if (v->dropped) continue;
        t.below[i]++;
        t.tagged[i] = t.tagged[i] || v->tag;
        if (v->parent >= 0) t.below[v->parent] += t.below[i], t.tagged[v->parent] = t.tagged[v->parent] || t.tagged[i];
    }
    return t;
}

static void put_tree(Log *l, int number, const char *head, const char *indent);

/* The branches of v that leave its line. With gaps, the first ones and those with a tag. */
static void put_sides(Log *l, const Version *v, int next, const char *indent)
{
    const char *head = arena_printf(l->sh->scratch, "%s%s", indent, l->unicode ? "├─ " : "|- ");
    const char *inside = arena_printf(l->sh->scratch, "%s%s", indent, l->unicode ? "│  " : "|  ");
    int shown = 0, left = 0;
    for (int i = v->first_child; i >= 0; i = version(l, i)->next_sibling) {
        if (i == next) continue;
        if (!l->gaps) put_tree(l, i, head, inside);
        else if (shown < SIDES || l->shape.tagged[i]) {        /* only its first version */
            const Version *first = version(l, i);
            put_version(l, first, head, inside);
            if (l->shape.below[i] > 1)
                print(l->sh, "  %s%s %d more%s        log @%d\n", inside, l->unicode ? "⋮" : ":", l->shape.below[i] - 1,
                      l->shape.tagged[i] && !first->tag ? ", tagged ones too" : "", i);
            shown++;
        } else left++;
    }
    if (left) print(l->sh, "  %s%d more branches of @%d        log @%d --full\n", head, left, v->number, v->number);
}

/* A version and its line down, with everything that leaves it. */
static void put_tree(Log *l, int number, const char *head, const char *indent)
{
    for (; number >= 0; head = indent) {
        const Version *v = version(l, number);
        put_version(l, v, head, indent);
        number = tree_next(l->d, l->on_way, v);
        put_sides(l, v, number, indent);
    }
}

/* ---- the tree with gaps ---- */

/* here: the index of the current version, 0 if it is elsewhere */
typedef struct Line { VEC(const Version *) v; int here; } Line;

static bool stands_out(const Log *l, const Line *line, int i)
{
    int next = i + 1 < line->v.n ? line->v.v[i + 1]->number : -1;
    for (int k = line->v.v[i]->first_child; k >= 0; k = version(l, k)->next_sibling)
        if (k != next && l->shape.tagged[k]) return true;
    return i < HEAD || i == line->v.n - 1 || line->v.v[i]->tag || (i >= line->here - BEFORE && i <= line->here + AFTER);
}

void show_log(Shell *sh, const LogOptions *o)
{
    Log l = {.sh = sh, .d = session_current(sh->session), .o = o, .unicode = shell_unicode(sh)};
    int top = o->only ? o->only->number : 0;
    l.shape = tree_shape(sh, l.d);
    l.on_way = NEW_ARRAY(sh->scratch, bool, l.d->versions.n);
    for (const Version *v = session_version(sh->session); v; v = derivation_version(l.d, v->parent)) l.on_way[v->number] = true;
    l.gaps = !o->full && l.shape.below[top] > LINES_MAX;
    if (o->path) {
        VEC(const Version *) path = {0};
        for (const Version *v = o->only ? o->only : session_version(sh->session); v; v = derivation_version(l.d, v->parent)) vec_push(&path, v);
        for (int i = path.n - 1; i >= 0; i--) put_version(&l, path.v[i], "", "");
        free(path.v);
    } else if (o->expand && o->only) put_version(&l, o->only, "", "");
    else if (l.gaps) {
        Line line = {0};
        for (int i = top; i >= 0; i = tree_next(l.d, l.on_way, version(&l, i))) {
            if (i == l.d->current) line.here = line.v.n;
            vec_push(&line.v, version(&l, i));
        }
        for (int i = 0; i < line.v.n;) {
            int to = i;
            while (to < line.v.n && !stands_out(&l, &line, to)) to++;
            if (to > i + 1) {
                const Version *first = line.v.v[i], *last = line.v.v[to - 1];
                int steps = to - i, below = l.shape.below[first->number] - (to < line.v.n ? l.shape.below[line.v.v[to]->number] : 0) - steps;
                print(l.sh, "  %s  @%d to @%d: %d step%s", l.unicode ? "⋮" : ":", first->number, last->number, steps, plural(steps));
                if (below > 0) print(l.sh, ", %d version%s on branches", below, plural(below));
                print(l.sh, "        log --full\n");
                i = to;
                continue;
            }
            const Version *v = line.v.v[i++];
            put_version(&l, v, "", "");
            put_sides(&l, v, i < line.v.n ? line.v.v[i]->number : -1, "");
        }
        free(line.v.v);
    } else put_tree(&l, top, "", "");
    if (o->expand && (o->path || !o->only)) {
        /* How many rewrites of one rule each the way to v is, macros taken apart. */
        const Version *v = o->only ? o->only : session_version(sh->session);
        int steps = 0, rewrites = 0;
        for (const Version *w = v; w->parent >= 0; w = version(&l, w->parent)) {
            steps++;
            rewrites += w->sub_count > 1 ? w->sub_count : 1;
        }
        if (steps) print(l.sh, "%d rewrite%s in %d step%s to @%d\n", rewrites, plural(rewrites), steps,
                         plural(steps), v->number);
    }
}

/* ---- as data ---- */

static const char *place_of(Shell *sh, const Term *before, const PlaceRef *at)
{
    return at && before ? place_text(sh->c, before, at) : NULL;
}

static json_t *inner_json(Shell *sh, const Version *v, const Term *before)
{
    json_t *list = json_array();
    const Version *names = before ? NULL : session_current(sh->session)->names;
    if (names) before = names->from->root;
    if (names) v = names;
    for (int i = 0; (v->sub_count > 1 || names) && i < v->sub_count; before = v->subs[i++].root) {
        /* The macros around a rewrite, the outermost first, each with the number of its first rewrite. */
        json_t *within = json_array();
        for (const MacroUse *use = v->subs[i].within; use; use = use->outer) {
            int first = i;
            while (first > 0 && use_at(v->subs[first - 1].within, use->depth) == use) first--;
            json_array_insert_new(within, 0, json_of("{call:s place:s first:i}", use->call, use->place, first + 1));
        }
        json_add(list, "{call:s place:s? trust:s within:o}", v->subs[i].call, place_of(sh, before, v->subs[i].at),
                 trust_name(v->subs[i].trust), within);
    }
    return list;
}

json_t *json_params(const Version *v)
{
    json_t *o = json_object();
    for (int i = 0; i < v->param_count; i++)
        json_object_set_new(o, v->params[i].name, v->params[i].value ? json_integer(v->params[i].value) : json_null());
    return o;
}

json_t *version_json(Shell *sh, const Version *v)
{
    const Derivation *d = session_current(sh->session);
    const Version *same = session_same(sh->session, v), *parent = v->parent >= 0 ? derivation_version(d, v->parent) : NULL;
    return json_of("{version:i parent:o? kind:s call:s place:s? trust:s hash:s tag:s? note:s? current:b same:o? params:o inner:o}", v->number,
                   parent ? json_integer(v->parent) : NULL, step_kind_name(v->kind), v->call,
                   place_of(sh, parent ? parent->root : NULL, v->at), trust_name(v->trust), hash_text(sh, v->hash), v->tag, v->note,
                   v->number == d->current, same ? json_integer(same->number) : NULL, json_params(v),
                   inner_json(sh, v, parent ? parent->root : NULL));
}

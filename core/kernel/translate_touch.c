/* translate_touch: which buffers a view or a term may read. */
#include "translate_view.h"

#include <stdlib.h>

typedef struct Touch {
    Build *b;
    bool (*hit)(struct Touch *t, const Buffer *buf);
    VEC(const Buffer *) found;
} Touch;

static bool touch_view(Touch *t, View *v);

static bool touch_env(Touch *t, const Term *e, const Env *env)
{
    int i = 0;
    for (; env && i < e->free_limit; env = env->up, i++)
        if (term_mentions(e, i, 1) && touch_view(t, env->v)) return true;
    return false;
}

static bool touch_expr(Touch *t, const Expr *e)
{
    if (e->kind == X_LOAD && t->hit(t, e->place.buf)) return true;
    for (int i = 0; i < e->arg_count; i++)
        if (touch_expr(t, e->args[i])) return true;
    return false;
}

static bool touch_view(Touch *t, View *v)
{
    if (v->mark == t->b->epoch) return false;
    v->mark = t->b->epoch;
    if (v->kind == V_PLACE && t->hit(t, v->place.buf)) return true;
    if (v->kind == V_MEMORY)
        for (int i = 0; i < view_components(v->type); i++)
            if (t->hit(t, v->bufs[i])) return true;
    if (v->expr && touch_expr(t, v->expr)) return true;
    if ((v->x && touch_view(t, v->x)) || (v->y && touch_view(t, v->y))) return true;
    for (int i = 0; i < view_part_count(v); i++)
        if (touch_view(t, v->parts[i])) return true;
    return v->term && touch_env(t, v->term, v->env);
}

bool view_in_space(const View *v, Space s)
{
    if (v->kind == V_PLACE) return v->place.buf->space == s;
    if (v->kind == V_MEMORY) return v->bufs[0]->space == s;
    for (int i = 0; i < view_part_count(v); i++)
        if (view_in_space(v->parts[i], s)) return true;
    return v->x && view_in_space(v->x, s);
}

bool view_is_private(const View *v)
{
    if (v->kind == V_PLACE) return v->place.buf->space == SPACE_PRIVATE;
    return view_in_space(v, SPACE_PRIVATE) && !view_in_space(v, SPACE_LOCAL) && !view_in_space(v, SPACE_GLOBAL);
}

static bool collect(Touch *t, const Buffer *buf)
{
    vec_push(&t->found, buf);
    return false;
}

static bool is_found(Touch *t, const Buffer *buf)
{
    for (int i = 0; i < t->found.n; i++)
        if (t->found.v[i] == buf) return true;
    return false;
}

bool term_reads(Build *b, const Term *e, const Env *env, const View *cells)
{
    Touch t = {.b = b, .hit = collect};
    b->epoch++;
    touch_view(&t, (View *)cells);
    t.hit = is_found;
    b->epoch++;
    bool hit = touch_env(&t, e, env);
    free(t.found.v);
    return hit;
}

static bool collect_global(Touch *t, const Buffer *buf)
{
    bool seen = is_found(t, buf);
    if (buf->space == SPACE_GLOBAL && !seen) vec_push(&t->found, buf);
    return false;
}

const char *term_source(Build *b, const Term *e, const Env *env)
{
    Touch t = {.b = b, .hit = collect_global};
    b->epoch++;
    touch_env(&t, e, env);
    const Buffer *only = t.found.n == 1 ? t.found.v[0] : NULL;
    const char *name = !only ? NULL : only->image_of ? only->image_of->name : only->name;
    free(t.found.v);
    return name;
}

/* results_group: results of one program at the same sizes on one device together: what can be compared. */
#include "results_private.h"
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t h, const char *s) { return hash_mix(hash_bytes(h, s, strlen(s)), 1); }

/* ---- groups ---- */

/* ---- kernels: a derivation with its parameters ---- */

static bool same_kernel(const void *key, const void *item)
{
    const Result *a = key, *b = *(const Result *const *)item;
    if (strcmp(a->derivation, b->derivation) || strcmp(a->key.params, b->key.params)) return false;
    return *a->derivation || a->key.version == b->key.version;
}

bool result_same_kernel(const Result *a, const Result *b) { return same_kernel(a, &b); }

static bool better(const Result *a, const Result *b)
{
    if ((a->state == RESULT_OK && a->ns > 0) != (b->state == RESULT_OK && b->ns > 0))
        return a->state == RESULT_OK && a->ns > 0;
    return a->state == RESULT_OK && a->ns > 0 && a->ns < b->ns;
}

static int by_id(const void *a, const void *b)
{
    const Result *x = *(const Result *const *)a, *y = *(const Result *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

static void finish_group(ResultGroup *g, const Result **all, int n, Arena *arena)
{
    qsort(all, (size_t)n, sizeof *all, by_id);
    /* Each kernel once, with its best result, in order of its first trial. */
    const Result ***out = &g->kernels;
    PtrTable table = {0};
    const Result **kept = NEW_ARRAY(arena, const Result *, n);
    int count = 0;
    for (int i = 0; i < n; i++) {
        uint64_t f = hash_text(hash_text(1, all[i]->derivation), all[i]->key.params);
        uint64_t h = *all[i]->derivation ? f : hash_mix(f, all[i]->key.version);
        const Result **seen = ptr_table_find(&table, h, same_kernel, all[i]);
        if (seen && better(all[i], *seen)) *seen = all[i];
        if (seen) continue;
        kept[count] = all[i];
        ptr_table_add(&table, h, &kept[count++]);
    }
    ptr_table_free(&table);
    *out = kept;
    g->count = count;
    g->performance = NEW_ARRAY(arena, double, g->count);
    for (int i = 0; i < g->count; i++) {
        const Result *r = g->kernels[i];
        if (r->state != RESULT_OK || r->ns <= 0) continue;
        if (!g->best || r->ns < g->best->ns) g->best = r;
        g->valid++;
    }
    for (int i = 0; g->best && i < g->count; i++) {
        const Result *r = g->kernels[i];
        g->performance[i] = r->state == RESULT_OK && r->ns > 0 ? g->best->ns / r->ns : 0;
    }
    g->ascending = NEW_ARRAY(arena, double, g->count);
    for (int i = 0; i < g->count; i++) g->ascending[i] = g->performance[i];
    stats_sort(g->ascending, g->count);
}

static int in_order(const void *a, const void *b)
{
    const ResultGroup *x = a, *y = b;
    int order = strcmp(x->program, y->program);
    if (order == 0) order = (x->origin > y->origin) - (x->origin < y->origin);
    if (order == 0) order = strcmp(x->device, y->device);
    return order ? order : strverscmp(x->sizes, y->sizes);
}

/* Programs of one name by their origins, too. */
static const char *told_apart(const ResultGroup *groups, int n, const ResultGroup *g, Arena *arena)
{
    for (int i = 0; i < n; i++)
        if (groups[i].origin != g->origin && !strcmp(groups[i].program, g->program))
            return arena_printf(arena, "%s#%08x", g->program, (unsigned)(g->origin >> 32));
    return g->program;
}

int results_group(const Result *list, int n, Arena *arena, ResultGroup **out)
{
    VEC(ResultGroup) groups = {0};
    int *of = NEW_ARRAY(arena, int, n);
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < groups.n
               && !(groups.v[k].origin == list[i].key.origin && !strcmp(groups.v[k].program, list[i].key.program)
                    && !strcmp(groups.v[k].sizes, list[i].key.sizes) && !strcmp(groups.v[k].device, list[i].key.device)))
            k++;
        ResultGroup fresh = {.program = list[i].key.program, .origin = list[i].key.origin, .sizes = list[i].key.sizes,
                             .device = list[i].key.device};
        if (k == groups.n) vec_push(&groups, fresh);
        bool ended = result_ended(list[i].state) && list[i].state != RESULT_STOPPED;
        of[i] = ended && !result_is_apart(&list[i]) ? k : -1;
    }
    *out = NEW_ARRAY(arena, ResultGroup, groups.n);
    for (int k = 0; k < groups.n; k++) {
        const Result **all = NEW_ARRAY(arena, const Result *, n);
        int count = 0;
        for (int i = 0; i < n; i++)
            if (of[i] == k) all[count++] = &list[i];
        (*out)[k] = groups.v[k];
        (*out)[k].program = told_apart(groups.v, groups.n, &groups.v[k], arena);
        finish_group(&(*out)[k], all, count, arena);
    }
    int n_groups = (int)groups.n;
    free(groups.v);
    qsort(*out, (size_t)n_groups, sizeof **out, in_order);
    return n_groups;
}

/* results_group: results of one program at the same sizes on one device together: what can be compared. */
#include "results_private.h"
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t h, const char *s) { return hash_mix(hash_bytes(h, s, strlen(s)), 1); }

/* ---- kernels: a derivation with its parameters ---- */

static bool same_kernel(const void *key, const void *item)
{
    const Result *a = key, *b = *(const Result *const *)item;
    if (strcmp(a->derivation, b->derivation) || strcmp(a->key.params, b->key.params)) return false;
    return *a->derivation || a->key.version == b->key.version;
}

bool result_same_kernel(const Result *a, const Result *b) { return same_kernel(a, &b); }

static int by_id(const void *a, const void *b)
{
    const Result *x = *(const Result *const *)a, *y = *(const Result *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

static void finish_group(ResultGroup *g, const Result **all, int n, Arena *arena)
{
    /* Each kernel once, with its best result, in order of its first trial. */
    PtrTable table = {0};
    qsort(all, (size_t)n, sizeof *all, by_id);
    g->kernels = NEW_ARRAY(arena, const Result *, n);
    for (int i = 0; i < n; i++) {
        uint64_t f = hash_text(hash_text(1, all[i]->derivation), all[i]->key.params);
        uint64_t h = *all[i]->derivation ? f : hash_mix(f, all[i]->key.version);
        const Result **seen = ptr_table_find(&table, h, same_kernel, all[i]);
        if (seen && result_is_timed(all[i]) && (!result_is_timed(*seen) || all[i]->ns < (*seen)->ns)) *seen = all[i];
        if (seen) continue;
        g->kernels[g->count] = all[i];
        ptr_table_add(&table, h, &g->kernels[g->count++]);
    }
    ptr_table_free(&table);
    g->performance = NEW_ARRAY(arena, double, g->count);
    g->ascending = NEW_ARRAY(arena, double, g->count);
    for (int i = 0; i < g->count; i++) {
        const Result *r = g->kernels[i];
        if (!result_is_timed(r)) continue;
        if (!g->best || r->ns < g->best->ns) g->best = r;
        g->valid++;
    }
    for (int i = 0; i < g->count; i++) {
        const Result *r = g->kernels[i];
        g->ascending[i] = g->performance[i] = result_is_timed(r) ? g->best->ns / r->ns : 0;
    }
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

int results_group(const Result *list, int n, Arena *arena, ResultGroup **out)
{
    LOCAL(drop) VEC(ResultGroup) groups = {0};
    int *of = NEW_ARRAY(arena, int, n);
    for (int i = 0; i < n; i++) {
        const ResultKey *key = &list[i].key;
        int k = 0;
        while (k < groups.n && !(groups.v[k].origin == key->origin && !strcmp(groups.v[k].program, key->program)
                                 && !strcmp(groups.v[k].sizes, key->sizes) && !strcmp(groups.v[k].device, key->device))) k++;
        ResultGroup fresh = {.program = key->program, .origin = key->origin, .sizes = key->sizes, .device = key->device};
        if (k == groups.n) vec_push(&groups, fresh);
        bool ended = result_ended(list[i].state) && list[i].state != RESULT_STOPPED;
        if (list[i].state == RESULT_REFUSED && !*list[i].search) ended = false;         /* of a run that made no kernel */
        of[i] = ended && !result_is_apart(&list[i]) ? k : -1;
    }
    *out = NEW_ARRAY(arena, ResultGroup, groups.n);
    for (int k = 0; k < groups.n; k++) {
        const ResultGroup *all = groups.v;
        ResultGroup *g = &(*out)[k];
        const Result **results = NEW_ARRAY(arena, const Result *, n);
        int count = 0;
        for (int i = 0; i < n; i++)
            if (of[i] == k) results[count++] = &list[i];
        *g = all[k];
        if (ANY(i, groups.n, all[i].origin != g->origin && !strcmp(all[i].program, g->program)))     /* programs of one name by their origins */
            g->program = arena_printf(arena, "%s#%08x", g->program, (unsigned)(g->origin >> 32));
        finish_group(g, results, count, arena);
    }
    qsort(*out, (size_t)groups.n, sizeof **out, in_order);
    return groups.n;
}

/* sample: which elements to verify when all are too many, and what wrong ones have in common. */
#include "run_private.h"

#include <stdlib.h>
#include <string.h>

enum { CORNER_DIMS = 8 };

/* ---- shapes ---- */

int shapes_of(const Type *t, Shape *out, int max)
{
    int n = type_components(t);
    for (int i = 0; i < n && i < max; i++) type_part(t, i, &out[i]);
    return n;
}

int64_t shape_count(const Shape *s)
{
    int64_t n = 1;
    for (int i = 0; i < s->rank; i++) n *= s->dims[i];
    return n;
}

static void split_index(const Shape *s, int64_t flat, int64_t at[SHAPE_RANK])
{
    for (int i = s->rank - 1; i >= 0; i--) {
        at[i] = flat % s->dims[i];
        flat /= s->dims[i];
    }
}

int64_t shape_flat(const Shape *s, const int64_t at[SHAPE_RANK])
{
    int64_t flat = 0;
    for (int i = 0; i < s->rank; i++) flat = flat * s->dims[i] + at[i];
    return flat;
}

int64_t shape_group(const Shape *s, unsigned inner, int64_t flat)
{
    int64_t at[SHAPE_RANK];
    split_index(s, flat, at);
    for (int i = 0; i < s->rank; i++)
        if (inner >> i & 1) at[i] = 0;
    return shape_flat(s, at);
}

void shape_print_index(const Shape *s, int64_t flat, Buf *out)
{
    int64_t at[SHAPE_RANK];
    split_index(s, flat, at);
    for (int i = 0; i < s->rank; i++) buf_printf(out, "[%lld]", (long long)at[i]);
}

/* ---- tiles ---- */

typedef struct Tiles { int64_t *v; int n; } Tiles;

static bool note_tiles(void *tiles, const Term *t)
{
    Tiles *s = tiles;
    for (int i = 0; i < t->static_count; i++) {
        const Nat *n = t->statics[i];
        if (n->is_const && n->value >= 2 && s->n < TILES_MAX && !ANY(k, s->n, s->v[k] == n->value)) s->v[s->n++] = n->value;
    }
    return false;
}

int tiles_of(const Term *t, int64_t out[TILES_MAX])
{
    Tiles s = {.v = out};
    term_find(t, note_tiles, &s);
    return s.n;
}

/* ---- samples ---- */

enum { DIVISORS_MAX = 64, NEIGHBOURS = 16 };

/* Flat indices that differ; in the set as numbers, plus 1. */
typedef struct FlatList {
    int64_t *v, n, most;
    PtrTable set;
} FlatList;

static bool same_flat(const void *key, const void *item) { return (uintptr_t)item == (uintptr_t)*(const int64_t *)key + 1; }
static bool list_has(const FlatList *l, int64_t flat) { return ptr_table_find(&l->set, hash_mix(0, (uint64_t)flat), same_flat, &flat); }

static void list_add(FlatList *l, int64_t flat)
{
    if (l->n == l->most || list_has(l, flat)) return;
    l->v[l->n++] = flat;
    ptr_table_add(&l->set, hash_mix(0, (uint64_t)flat), (void *)(uintptr_t)(flat + 1));
}

typedef struct Samples {
    const Shape *shape;
    const int64_t *tiles;
    int tile_count;
    uint64_t seed;
    int64_t divisors[SHAPE_RANK][DIVISORS_MAX];      /* of each dimension, but 1 and itself */
    int divisor_count[SHAPE_RANK];
    FlatList out;
    unsigned inner;                      /* grouped: see Grouping */
    FlatList groups;                     /* their first elements */
    int64_t base;                        /* so many of them do not depend on the tiles */
} Samples;

/* `at` in dimension dim; elsewhere random coordinates and edges alike, where the tile of some version ends: beside a multiple of a
 * divisor. They are the same ones whatever else is chosen. */
static void add_at(Samples *s, int dim, int64_t at)
{
    int64_t index[SHAPE_RANK];
    Rng rng = {hash_mix(hash_mix(s->seed, (uint64_t)dim), (uint64_t)at)};
    for (int i = 0; i < s->shape->rank; i++) {
        int64_t n = s->shape->dims[i];
        bool edge = rng_below(&rng, 2) && s->divisor_count[i];
        int64_t tile = edge ? s->divisors[i][rng_below(&rng, s->divisor_count[i])] : 0;
        index[i] = edge ? tile * (1 + rng_below(&rng, n / tile - 1)) : rng_below(&rng, n);
        if (edge) index[i] -= rng_below(&rng, 2);
    }
    index[dim] = at;
    list_add(&s->out, shape_flat(s->shape, index));
}

/* ---- groups ---- */

static int64_t group_of(const Samples *s, int64_t flat) { return shape_group(s->shape, s->inner, flat); }

/* What lies in no chosen group moves to one, at the same place inside, so that edges inside stay edges. */
static void add_grouped(Samples *s, int64_t flat)
{
    int64_t group = group_of(s, flat);
    if (!list_has(&s->groups, group)) flat += s->groups.v[hash_mix(s->seed, (uint64_t)flat) % (uint64_t)s->base] - group;
    list_add(&s->out, flat);
}

static void regroup(Samples *s, int64_t corners, int64_t total, int64_t most)
{
    int64_t n = s->out.n, *all = mem_alloc(sizeof *all * (size_t)(n + 1));
    memcpy(all, s->out.v, sizeof *all * (size_t)n);
    s->groups = (FlatList){.v = mem_alloc(sizeof *all * (size_t)most), .most = most};
    /* Those of the corners, random ones, and those of edges. */
    Rng random = {hash_mix(s->seed, (uint64_t)s->inner)};
    for (int64_t i = 0; i < corners; i++) list_add(&s->groups, group_of(s, all[i]));
    for (int64_t i = 0; s->groups.n < most / 2 && i < 4 * most; i++) list_add(&s->groups, group_of(s, rng_below(&random, total)));
    s->base = s->groups.n;
    for (int64_t i = corners; i < n; i++) list_add(&s->groups, group_of(s, all[i]));
    ptr_table_cut(&s->out.set, 0);
    s->out.n = 0;
    for (int64_t i = 0; i < n; i++) add_grouped(s, all[i]);
    Rng rng = {hash_mix(s->seed, (uint64_t)n)};
    for (int64_t i = 0; s->out.n < s->out.most && i < 4 * s->out.most; i++) add_grouped(s, rng_below(&rng, total));
    /* Group after group, elements in order, where random ones met too often. */
    int64_t inside = 1;
    for (int i = 0; i < s->shape->rank; i++)
        if (s->inner >> i & 1) inside *= s->shape->dims[i];
    for (int64_t k = 0; k < inside && s->out.n < s->out.most; k++) {
        int64_t at[SHAPE_RANK] = {0}, rest = k;
        for (int i = s->shape->rank - 1; i >= 0; i--) {
            if (!(s->inner >> i & 1)) continue;
            at[i] = rest % s->shape->dims[i];
            rest /= s->shape->dims[i];
        }
        for (int64_t g = 0; g < s->groups.n; g++) list_add(&s->out, s->groups.v[g] + shape_flat(s->shape, at));
    }
    free(all);
    free(s->groups.v);
    ptr_table_free(&s->groups.set);
}

/* ---- their order ---- */

typedef struct Placed { uint64_t group; int64_t last, flat; } Placed;

static int by_group(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->last != y->last) return x->last < y->last ? -1 : 1;
    return (x->flat > y->flat) - (x->flat < y->flat);
}

int64_t samples_choose(const Shape *shape, const int64_t *tiles, int tile_count, uint64_t seed, const Grouping *grouping,
                       int64_t *out, int64_t max)
{
    int64_t total = shape_count(shape);
    Samples s = {.shape = shape, .tiles = tiles, .tile_count = tile_count, .seed = seed, .out = {.v = out, .most = max}};
    if (grouping) s.inner = grouping->inner;
    if (total <= max) {
        for (int64_t i = 0; i < total; i++) out[i] = i;
        return total;
    }
    for (int i = 0; i < shape->rank; i++) {
        int64_t n = s.shape->dims[i];
        for (int64_t d = 2; d <= n / d && s.divisor_count[i] < DIVISORS_MAX - 1; d++) {
            if (n % d) continue;
            s.divisors[i][s.divisor_count[i]++] = d;
            if (d != n / d) s.divisors[i][s.divisor_count[i]++] = n / d;
        }
    }
    int rank = s.shape->rank < CORNER_DIMS ? s.shape->rank : CORNER_DIMS;
    for (int mask = 0; mask < 1 << rank; mask++) {
        int64_t at[SHAPE_RANK] = {0};
        for (int i = 0; i < rank; i++) at[i] = mask >> i & 1 ? s.shape->dims[i] - 1 : 0;
        list_add(&s.out, shape_flat(s.shape, at));
    }
    int64_t corners = s.out.n;
    int64_t kinds = (int64_t)s.shape->rank * s.tile_count;
    int64_t most = kinds ? max * 3 / 8 / kinds + 1 : 0;
    for (int inside = 0; inside < 2; inside++)         /* those between groups first, for not all groups are taken */
        for (int dim = 0; dim < s.shape->rank; dim++)
            for (int i = 0; i < s.tile_count; i++)
                if (inside == (int)(s.inner >> dim & 1) && s.tiles[i] < s.shape->dims[dim]) {
                    /* Both sides of every edge of that tile, or of evenly spread ones when there are too many. */
                    int64_t tile = s.tiles[i];
                    int64_t edges = (s.shape->dims[dim] - 1) / tile, step = 1;
                    while (edges / step > most) step *= 2;
                    for (int64_t e = 1; e <= edges; e += step) {
                        add_at(&s, dim, e * tile - 1);
                        add_at(&s, dim, e * tile);
                    }
                }
    Rng rng = {seed};
    for (int64_t i = 0; s.out.n < max && i < 4 * max; i++) list_add(&s.out, rng_below(&rng, total));
    if (s.inner) regroup(&s, corners, total, grouping->groups);
    /* Those of a group follow one another; where there are none, neighbours in the last dimension do, for they are often
     * computed from the same cache lines. Groups are shuffled, so that the first ones are from everywhere. */
    int64_t n = s.out.n - corners, length = s.shape->dims[s.shape->rank - 1];
    Placed *placed = mem_alloc(sizeof *placed * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) {
        int64_t flat = out[corners + i], last = flat % length;
        int64_t group = s.inner ? group_of(&s, flat) : last / NEIGHBOURS;
        placed[i] = (Placed){hash_mix(s.seed, (uint64_t)group), s.inner ? 0 : last, flat};
    }
    qsort(placed, (size_t)n, sizeof *placed, by_group);
    for (int64_t i = 0; i < n; i++) out[corners + i] = placed[i].flat;
    free(placed);
    ptr_table_free(&s.out.set);
    return s.out.n;
}

/* ---- patterns of wrong elements ---- */

typedef struct Bad {
    Arena *arena;
    const Shape *shape;
    const Looked *l;                     /* ascending */
    int64_t n;
    int64_t count, first, last;          /* of bad ones: how many, positions in l of the first and last */
} Bad;

static const char *index_text(const Bad *b, int64_t flat)
{
    return TEXT_OF(b->arena, text, shape_print_index(b->shape, flat, &text));
}

static const char *ordinal(int64_t n)
{
    if (n % 100 >= 11 && n % 100 <= 13) return "th";
    return n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

/* Bad ones are those at one remainder of a step. */
static const char *as_step(const Bad *b)
{
    int64_t step = 0;
    for (int64_t i = b->first + 1; i <= b->last; i++)
        if (b->l[i].bad) step = gcd64(step, b->l[i].at - b->l[b->first].at);
    if (step < 2) return NULL;
    int64_t rest = b->l[b->first].at % step;
    for (int64_t i = 0; i < b->n; i++)
        if (b->l[i].at % step == rest && !b->l[i].bad)
            return step < 4 ? NULL
                : arena_printf(b->arena, "only where the index %% %lld is %lld", (long long)step, (long long)rest);
    if (!rest) return arena_printf(b->arena, "every %lld%s element", (long long)step, ordinal(step));
    return arena_printf(b->arena, "every %lld%s element from %s", (long long)step, ordinal(step), index_text(b, rest));
}

/* Bad ones are those whose coordinate, modulo the period, lies in one range. */
static const char *as_part(const Bad *b, int64_t inner, int64_t period, const char *of)
{
    int64_t lo = period, hi = -1;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t r = b->l[i].at / inner % period;
        if (b->l[i].bad && r < lo) lo = r;
        if (b->l[i].bad && r > hi) hi = r;
    }
    if (hi - lo + 1 == period) return NULL;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t r = b->l[i].at / inner % period;
        if (!b->l[i].bad && r >= lo && r <= hi) return NULL;
    }
    if (lo == hi) return arena_printf(b->arena, "number %lld of every %s", (long long)lo, of);
    return arena_printf(b->arena, "numbers %lld to %lld of every %s", (long long)lo, (long long)hi, of);
}

static const char *part_name(const Bad *b, int64_t length, int dim)
{
    return arena_printf(b->arena, "%lld in dimension %d", (long long)length, dim);
}

/* In each dimension, the whole length and every tile are candidates. */
static const char *as_parts(const Bad *b, const int64_t *tiles, int tile_count)
{
    int64_t inner = 1;
    for (int dim = b->shape->rank - 1; dim >= 0; dim--) {
        int64_t n = b->shape->dims[dim];
        const char *found = n > 1 ? as_part(b, inner, n, part_name(b, n, dim)) : NULL;
        for (int i = 0; i < tile_count && !found; i++)
            if (tiles[i] < n)
                found = as_part(b, inner, tiles[i], part_name(b, tiles[i], dim));
        if (found) return found;
        inner *= n;
    }
    return NULL;
}

static int by_place(const void *a, const void *b)
{
    int64_t x = ((const Looked *)a)->at, y = ((const Looked *)b)->at;
    return (x > y) - (x < y);
}

const char *samples_pattern(Arena *arena, const Shape *s, const int64_t *tiles, int tile_count, Looked *l, int64_t n)
{
    Bad b = {.arena = arena, .shape = s, .l = l, .n = n, .first = -1};
    if (ANY(i, n - 1, l[i].at > l[i + 1].at)) qsort(l, (size_t)n, sizeof *l, by_place);
    for (int64_t i = 0; i < n; i++) {
        if (!l[i].bad) continue;
        if (b.first < 0) b.first = i;
        b.last = i;
        b.count++;
    }
    if (b.count < 1 || n < 2) return NULL;
    if (b.count == n) return "every element";
    if (b.count < 2) return NULL;
    if (b.last - b.first + 1 == b.count) {           /* without a good one in between */
        if (b.first == 0) return arena_printf(arena, "everything up to %s", index_text(&b, l[b.last].at));
        if (b.last == n - 1) return arena_printf(arena, "everything from %s on", index_text(&b, l[b.first].at));
        return arena_printf(arena, "from %s to %s", index_text(&b, l[b.first].at), index_text(&b, l[b.last].at));
    }
    const char *found = as_step(&b);
    return found ? found : as_parts(&b, tiles, tile_count);
}

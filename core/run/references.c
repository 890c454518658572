/* references: inputs and reference values that runs of one program's versions share. */
#include "run_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct KnownElement { int part; int64_t flat; EvalScalar x; } KnownElement;
typedef struct KnownPart { int part; double *want, *shadow; } KnownPart;
typedef struct KnownOwn { int part; OwnSpread own; } KnownOwn;
typedef struct KnownCost { int part; ElementCost cost; } KnownCost;

struct ReferenceSet {
    pthread_mutex_t *lock;               /* References' */
    Arena *arena;
    int input_count;
    EvalInput *values;                   /* NULL: not made yet */
    PtrTable elements;                   /* KnownElement */
    VEC(KnownPart) parts;
    VEC(KnownOwn) own;
    ReferenceSet *next;
    int k, held;
    uint64_t mixed;
    bool exact_program;
};

struct References {
    pthread_mutex_t lock;                /* what is known of a set, and the costs: several devices' verifications read and add them at once (device_aside) */
    uint8_t key[32];                     /* of what the sets are of */
    bool keyed;
    ReferenceSet *sets;
    VEC(KnownCost) costs;
};

References *references_new(void)
{
    References *r = mem_alloc(sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

static void free_set(ReferenceSet *s)
{
    for (int i = 0; s->values && i < s->input_count; i++) data_free((Data *)(uintptr_t)s->values[i].data);
    ptr_table_free(&s->elements);
    free(s->parts.v);
    free(s->own.v);
    arena_free(s->arena);
    free(s);
}

static void forget(References *r)
{
    for (ReferenceSet *s = r->sets, *next; s; s = next) {
        next = s->next;
        free_set(s);
    }
    r->sets = NULL;
    r->costs.n = 0;
}

void references_free(References *r)
{
    if (!r) return;
    forget(r);
    free(r->costs.v);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

ReferenceSet *references_set(References *r, Ctx *c, const Term *t, const RunInput *inputs, int count,
                             const RunSettings *s, int k, uint64_t mixed, bool exact_program)
{
    uint8_t key[32];
    /* Everything that decides about inputs and reference values. */
    Buf b = {0};
    uint8_t digest[32];
    term_digest(c, t, digest);
    buf_write(&b, (const char *)digest, sizeof digest);
    buf_printf(&b, "%llu %g", (unsigned long long)s->seed, s->oracle_work);
    for (int i = 0; i < count; i++) {
        buf_printf(&b, " %s=", inputs[i].name);
        type_print(inputs[i].type, &b);
        fill_print(&inputs[i].spec, &b);
        buf_printf(&b, "%p", (const void *)inputs[i].spec.data);
    }
    sha256(buf_text(&b), b.len, key);
    buf_free(&b);
    if (!r->keyed || memcmp(key, r->key, sizeof key)) forget(r);
    memcpy(r->key, key, sizeof key);
    r->keyed = true;
    for (ReferenceSet **at = &r->sets, *set; (set = *at) != NULL;) {
        if (set->k == k && set->mixed == mixed && set->exact_program == exact_program) return set;
        bool outlived = mixed && set->mixed && set->k == k && !set->held;
        if (outlived) *at = set->next, free_set(set);
        else at = &set->next;
    }
    ReferenceSet *set = mem_alloc(sizeof *set);
    *set = (ReferenceSet){.lock = &r->lock, .arena = arena_new(), .input_count = count, .next = r->sets, .k = k,
                          .mixed = mixed, .exact_program = exact_program};
    return r->sets = set;
}

void reference_hold(ReferenceSet *s, bool on)
{
    if (s) s->held += on ? 1 : -1;
}

const EvalInput *reference_values(const ReferenceSet *s) { return s->values; }

void reference_keep_values(ReferenceSet *s, const EvalInput *values)
{
    s->values = NEW_ARRAY(s->arena, EvalInput, s->input_count);
    memcpy(s->values, values, (size_t)s->input_count * sizeof *values);
}

static bool same_element(const void *key, const void *item)
{
    const KnownElement *a = key, *b = item;
    return a->part == b->part && a->flat == b->flat;
}

static const KnownElement *find_element(const ReferenceSet *s, int part, int64_t flat)
{
    KnownElement key = {.part = part, .flat = flat};
    return ptr_table_find(&s->elements, hash_mix((uint64_t)part, (uint64_t)flat), same_element, &key);
}

bool reference_element(const ReferenceSet *s, int part, int64_t flat, EvalScalar *out)
{
    pthread_mutex_lock(s->lock);
    const KnownElement *e = find_element(s, part, flat);
    if (e) *out = e->x;
    pthread_mutex_unlock(s->lock);
    return e != NULL;
}

void reference_keep_element(ReferenceSet *s, int part, int64_t flat, EvalScalar x)
{
    pthread_mutex_lock(s->lock);
    if (!find_element(s, part, flat)) {
        KnownElement *e = NEW(s->arena, KnownElement);
        *e = (KnownElement){part, flat, x};
        ptr_table_add(&s->elements, hash_mix((uint64_t)part, (uint64_t)flat), e);
    }
    pthread_mutex_unlock(s->lock);
}

static const KnownPart *find_part(const ReferenceSet *s, int part)
{
    for (const KnownPart *p = s->parts.v; p < s->parts.v + s->parts.n; p++)
        if (p->part == part) return p;
    return NULL;
}

bool reference_part_values(const ReferenceSet *s, int part, double **want, double **shadow)
{
    pthread_mutex_lock(s->lock);
    const KnownPart *p = find_part(s, part);
    if (p) *want = p->want, *shadow = p->shadow;
    pthread_mutex_unlock(s->lock);
    return p != NULL;
}

void reference_keep_part(ReferenceSet *s, int part, const double *want, const double *shadow, int64_t n)
{
    size_t bytes = (size_t)n * sizeof *want;
    pthread_mutex_lock(s->lock);
    if (!find_part(s, part)) vec_push(&s->parts, ((KnownPart){part, arena_copy(s->arena, want, bytes), arena_copy(s->arena, shadow, bytes)}));
    pthread_mutex_unlock(s->lock);
}

OwnSpread reference_own(const ReferenceSet *s, int part)
{
    OwnSpread own = {0};
    pthread_mutex_lock(s->lock);
    for (int i = 0; i < s->own.n; i++)
        if (s->own.v[i].part == part) own = s->own.v[i].own;
    pthread_mutex_unlock(s->lock);
    return own;
}

void reference_keep_own(ReferenceSet *s, int part, OwnSpread own)
{
    pthread_mutex_lock(s->lock);
    vec_push(&s->own, ((KnownOwn){part, own}));
    pthread_mutex_unlock(s->lock);
}

bool reference_cost(References *r, int part, ElementCost *out)
{
    bool known = false;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->costs.n && !known; i++)
        if (r->costs.v[i].part == part) *out = r->costs.v[i].cost, known = true;
    pthread_mutex_unlock(&r->lock);
    return known;
}

void reference_keep_cost(References *r, int part, ElementCost c)
{
    pthread_mutex_lock(&r->lock);
    vec_push(&r->costs, ((KnownCost){part, c}));
    pthread_mutex_unlock(&r->lock);
}

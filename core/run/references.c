/* references: inputs and reference values that runs of one program's versions share. Layer 8. */
#include "run_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct KnownElement { int part; int64_t flat; EvalScalar x; } KnownElement;
typedef struct KnownPart { int part; double *want, *shadow; } KnownPart;
typedef struct KnownOwn { int part; OwnSpread own; } KnownOwn;
typedef struct KnownCost { int part; ElementCost cost; } KnownCost;

struct ReferenceSet {
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
    uint8_t key[32];                     /* of what the sets are of */
    bool keyed;
    ReferenceSet *sets;
    VEC(KnownCost) costs;
};

References *references_new(void)
{
    return mem_alloc(sizeof(References));
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
    *set = (ReferenceSet){.arena = arena_new(), .input_count = count, .next = r->sets, .k = k,
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

bool reference_element(const ReferenceSet *s, int part, int64_t flat, EvalScalar *out)
{
    KnownElement key = {.part = part, .flat = flat};
    const KnownElement *e = ptr_table_find(&s->elements, hash_mix((uint64_t)part, (uint64_t)flat), same_element, &key);
    if (e) *out = e->x;
    return e != NULL;
}

void reference_keep_element(ReferenceSet *s, int part, int64_t flat, EvalScalar x)
{
    EvalScalar known;
    if (reference_element(s, part, flat, &known)) return;
    KnownElement *e = NEW(s->arena, KnownElement);
    *e = (KnownElement){part, flat, x};
    ptr_table_add(&s->elements, hash_mix((uint64_t)part, (uint64_t)flat), e);
}

bool reference_part_values(const ReferenceSet *s, int part, double **want, double **shadow)
{
    for (const KnownPart *p = s->parts.v; p < s->parts.v + s->parts.n; p++)
        if (p->part == part) return *want = p->want, *shadow = p->shadow, true;
    return false;
}

void reference_keep_part(ReferenceSet *s, int part, const double *want, const double *shadow, int64_t n)
{
    double *known;
    size_t bytes = (size_t)n * sizeof *want;
    if (reference_part_values(s, part, &known, &known)) return;
    vec_push(&s->parts, ((KnownPart){part, arena_copy(s->arena, want, bytes), arena_copy(s->arena, shadow, bytes)}));
}

OwnSpread reference_own(const ReferenceSet *s, int part)
{
    for (int i = 0; i < s->own.n; i++)
        if (s->own.v[i].part == part) return s->own.v[i].own;
    return (OwnSpread){0};
}

void reference_keep_own(ReferenceSet *s, int part, OwnSpread own) { vec_push(&s->own, ((KnownOwn){part, own})); }

bool reference_cost(const References *r, int part, ElementCost *out)
{
    for (int i = 0; i < r->costs.n; i++)
        if (r->costs.v[i].part == part) return *out = r->costs.v[i].cost, true;
    return false;
}

void reference_keep_cost(References *r, int part, ElementCost c) { vec_push(&r->costs, ((KnownCost){part, c})); }

/* reach: how far sizes have to go so that a rule's own numbers are met, as the length 65 is of `x[i % 64]`, in reading order: the numbers
 * that a rule or a term writes out, the sizes that ask for them, which of these the n-th draw takes. */
#include "check_private.h"

#include <stdlib.h>

/* Those below are met by small sizes anyway; LARGE ones cost time, and are drawn less often. */
enum { NUMBERS = 12, SMALLEST = 4, LARGEST = 1 << 16, LARGE = 256, EVERY = 5, TIMES_LARGE = 2, FEW = 3 };

typedef struct Numbers {
    int count;
    int64_t v[NUMBERS];
} Numbers;

static void add_number(Numbers *all, int64_t n)
{
    if (n < 2 || n > LARGEST || all->count == NUMBERS || ANY(i, all->count, all->v[i] == n)) return;
    all->v[all->count++] = n;
}

static void numbers_of_ast(Numbers *all, const Ast *a)
{
    if (!a) return;
    if (a->kind == AST_INT) add_number(all, a->ival);
    for (int i = 0; i < a->kid_count; i++) numbers_of_ast(all, a->kids[i]);
}

static void numbers_of_term(Numbers *all, const Term *t, uint8_t *seen)
{
    if (seen[t->id]) return;
    seen[t->id] = 1;
    if (t->kind == T_LIT && scalar_is_int(t->type->scalar)) add_number(all, t->u.lit.i);
    for (int i = 0; i < t->static_count; i++)
        if (t->statics[i]->is_const) add_number(all, t->statics[i]->value);
    for (int i = 0; i < t->arg_count; i++) numbers_of_term(all, t->args[i], seen);
}

static void add_size(Reach *r, int64_t n)
{
    if (n < SMALLEST || n > LARGEST + 2 || r->count == REACH_MAX || ANY(i, r->count, r->v[i] == n)) return;
    r->v[r->count++] = n;
}

/* One and two beyond each, it, and one below; then the same of what two of them make. */
static void reach_numbers(Reach *r, const Numbers *all)
{
    static const int beside[] = {1, 2, 0, -1};
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < COUNT(beside); k++) add_size(r, all->v[i] + beside[k]);
    for (int i = 0; i < all->count; i++)
        for (int j = 0; j < all->count; j++) {
            int64_t a = all->v[i], b = all->v[j];
            if (i <= j) {
                add_size(r, a * b + 1);
                add_size(r, a * b);
                add_size(r, a * b + a);  /* all whose quotient by the one is the other, and that rest of them */
                add_size(r, a * b + b);
                for (int k = 0; all->count <= FEW && k < all->count; k++) add_size(r, a * b + all->v[k] + 1);
                add_size(r, a + b + 1);
            }
            add_size(r, a / b);
            add_size(r, a / b + 1);
            add_size(r, a - b + 1);
        }
}

void reach_rule(Reach *r, const Rule *rule)
{
    const AstRule *a = rule->ast;
    Numbers all = {0};
    numbers_of_ast(&all, a->lhs);
    numbers_of_ast(&all, a->rhs);
    for (int i = 0; i < a->cond_count; i++)
        for (int k = 0; k < a->conds[i]->arg_count; k++) numbers_of_ast(&all, a->conds[i]->args[k]);
    reach_numbers(r, &all);
}

void reach_terms(Reach *r, const Term *a, const Term *b)
{
    Numbers all = {0};
    uint8_t *seen = mem_alloc((size_t)(a->id > b->id ? a->id : b->id) + 1);
    numbers_of_term(&all, a, seen);
    numbers_of_term(&all, b, seen);
    free(seen);
    reach_numbers(r, &all);
}

int64_t reach_draw(const Reach *r, int draw)
{
    if (!r->count || draw % EVERY != EVERY - 2) return 0;
    int n = draw / EVERY;
    int64_t size = r->v[n % r->count];
    return size <= LARGE || n / r->count < TIMES_LARGE ? size : 0;
}

int64_t reach_next(const Reach *r, int64_t size)
{
    int64_t next = 0;
    for (int i = 0; i < r->count; i++)
        if (r->v[i] > size && (!next || r->v[i] < next)) next = r->v[i];
    return next;
}

void reach_place(const Reach *r, int64_t size, uint64_t which, int attempt, Rng *rng, int64_t *values, int count)
{
    enum { ALONE = 20, LONG = 200 };         /* so often the others stay small: then they may have to be as large, or multiples; then it is another's */
    if (!r->count || !count) return;
    for (int i = 0; attempt >= ALONE && i < count; i++) {
        if (rng_below(rng, 2)) continue;
        int64_t of = size && rng_below(rng, 2) ? size : r->v[rng_below(rng, r->count)];
        values[i] = rng_below(rng, 2) ? of * (1 + rng_below(rng, 3)) : of + rng_below(rng, 3);
    }
    if (size) values[(which + (uint64_t)(attempt / LONG)) % (uint64_t)count] = size;
}

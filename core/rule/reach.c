/* reach: how far sizes have to go so that a rule's own numbers are met, as the length 65 is of `x[i % 64]`, in reading order: the numbers
 * that a rule or a term writes out, the sizes that ask for them, which of these the n-th draw takes. */
#include "check_private.h"

#include <stdlib.h>

/* Those below are met by small sizes anyway; LARGE ones cost time, and are drawn less often. */
enum { NUMBERS = 12, SMALLEST = 4, LARGEST = 1 << 16, LARGE = 256, EVERY = 5, TIMES_LARGE = 2, FEW = 3, SAME_EVERY = 3 };

typedef struct Numbers {
    int count;
    int64_t v[NUMBERS];
    int64_t period;              /* after so many the rests of all divisions come again; 0: there is none, or it is too long */
    int same_count;
    int64_t same[SAME_MAX];      /* what something is to be, neither more nor less */
} Numbers;

static void add_number(Numbers *all, int64_t n)
{
    if (n < 2 || n > LARGEST || all->count == NUMBERS || ANY(i, all->count, all->v[i] == n)) return;
    all->v[all->count++] = n;
}

/* What an operation meets beside the number itself: i % 3 == 2 && i % 5 == 4 first holds at 14, shr i 5 is 0 up to 31. */
static void number_under(Numbers *all, const char *operation, int64_t n)
{
    if ((!strcmp(operation, "shl") || !strcmp(operation, "shr")) && n > 0 && n < 32) add_number(all, (int64_t)1 << n);
    if (strcmp(operation, "%") || n < 2 || n > LARGEST) return;
    if (!all->period) all->period = n;
    else if (all->period > 0) all->period *= n / gcd64(all->period, n);
    if (all->period > LARGEST) all->period = -1;
}

/* The first number that a cast to that type does not keep. */
static void number_of_type(Numbers *all, Scalar s)
{
    if (scalar_is_float(s)) add_number(all, (int64_t)float_ranges[s].exact + 1);
    else if (s != SC_BOOL && scalar_bytes(s) < 4) add_number(all, scalar_most(s) + 1);
}

/* length x == 53 && length y == 3 holds at one pair of sizes only. */
static void number_compared(Numbers *all, const char *operation, int64_t n)
{
    if (strcmp(operation, "==") && strcmp(operation, "!=")) return;
    if (n > 0 && n <= LARGEST && all->same_count < SAME_MAX) all->same[all->same_count++] = n;
}

static void numbers_of_ast(Numbers *all, const Ast *a)
{
    if (!a) return;
    if (a->kind == AST_INT) add_number(all, a->ival);
    const Ast *operand = a->kid_count > 1 ? a->kids[a->kid_count - 1] : NULL;
    const char *operation = a->kind == AST_BINARY ? a->name : a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0]->name : NULL;
    Scalar to;
    for (int i = 0; operation && i < a->kid_count; i++)
        if (a->kids[i]->kind == AST_INT) number_compared(all, operation, a->kids[i]->ival);
    if (operation && operand && operand->kind == AST_INT) number_under(all, operation, operand->ival);
    else if (operation && scalar_from_name(operation, &to)) number_of_type(all, to);
    for (int i = 0; i < a->kid_count; i++) numbers_of_ast(all, a->kids[i]);
}

static void numbers_of_term(Numbers *all, const Term *t, uint8_t *seen)
{
    if (seen[t->id]) return;
    seen[t->id] = 1;
    if (t->kind == T_LIT && scalar_is_int(t->type->scalar)) add_number(all, t->u.lit.i);
    const Term *operand = t->kind == T_PRIM && t->arg_count ? t->args[t->arg_count - 1] : NULL;
    for (int i = 0; operand && i < t->arg_count; i++)
        if (t->args[i]->kind == T_LIT && scalar_is_int(t->args[i]->type->scalar)) number_compared(all, prim((PrimId)t->prim)->name, t->args[i]->u.lit.i);
    if (operand && operand->kind == T_LIT && scalar_is_int(operand->type->scalar)) number_under(all, prim((PrimId)t->prim)->name, operand->u.lit.i);
    else if (t->kind == T_PRIM && prim_is_cast((PrimId)t->prim)) number_of_type(all, t->type->scalar);
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
    r->same_count = all->same_count;
    memcpy(r->same, all->same, sizeof r->same);
    if (all->period > 0) add_size(r, all->period);
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
    /* At first others are often as large, as an array is that is read at every number below the size; then they stay small; from ALONE on they
     * may have to be as large, or multiples; and after LONG attempts it is another's. */
    enum { TOGETHER = 4, ALONE = 20, LONG = 200 };
    if (!r->count || !count) return;
    if (r->same_count > 1 && count > 1 && attempt < TOGETHER && size && rng_below(rng, SAME_EVERY) == 0) {
        uint64_t first = rng_next(rng);
        for (int i = 0; i < count; i++) values[i] = r->same[(first + (uint64_t)i) % (uint64_t)r->same_count];
        return;
    }
    for (int i = 0; size && attempt < TOGETHER && i < count; i++)
        if (rng_below(rng, 2)) values[i] = size + rng_below(rng, 2);
    for (int i = 0; attempt >= ALONE && i < count; i++) {
        if (rng_below(rng, 2)) continue;
        int64_t of = size && rng_below(rng, 2) ? size : r->v[rng_below(rng, r->count)];
        values[i] = rng_below(rng, 2) ? of * (1 + rng_below(rng, 3)) : of + rng_below(rng, 3);
    }
    if (size) values[(which + (uint64_t)(attempt / LONG)) % (uint64_t)count] = size;
}

/* Parameter spaces: counts, points, values, violations, neighbours and funnels against counting by hand over the product. */
#include <unistd.h>

#include "unit.h"
#include "strategy.h"
#include "tune.h"
#include "values.h"

enum { VARS = 4, CONS = 8, LIMIT = 24, SPECS = 600 };

typedef struct Case {
    Ctx *c;
    Arena *arena;
    Rng rng;
    const Nat *param[8];
    TuneVar vars[8];
    int var_count;
    Constraint cons[64];
    int con_count;
    int64_t lists[VARS][4];
    TuneSpec spec;
} Case;

static const char *const names[8] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};

static void begin(Case *k, int vars)
{
    k->arena = arena_new();
    k->var_count = vars;
    k->con_count = 0;
    for (int i = 0; i < vars; i++) {
        k->param[i] = nat_var(k->c->nats, names[i], VAR_PARAM, NULL, NULL);
        k->vars[i] = (TuneVar){.name = names[i]};
    }
}

static const Nat *num(Case *k, int64_t v) { return nat_const(k->c->nats, v); }

static void add(Case *k, ConstraintKind kind, const Nat *a, const Nat *b, const char *reason)
{
    assert_non_null(a);
    assert_non_null(b);
    k->cons[k->con_count++] = (Constraint){.kind = kind, .a = a, .b = b, .reason = reason, .text = reason};
}

static TuneSpace *make(Case *k, int64_t limit)
{
    k->spec = (TuneSpec){.vars = k->vars, .var_count = k->var_count, .constraints = k->cons, .constraint_count = k->con_count, .limit = limit};
    TuneSpace *s = tune_space(&k->spec, &k->c->diag);
    if (!s) print_message("%s\n", k->c->diag.message);
    assert_non_null(s);
    return s;
}

/* ---- random specs ---- */

static int64_t below(Case *k, int64_t n) { return rng_below(&k->rng, n); }
static const Nat *any_param(Case *k) { return k->param[below(k, k->var_count)]; }

static const Nat *any_size(Case *k)
{
    static const int64_t sizes[] = {12, 16, 18, 20, 24, 36, 64, 30};
    Nats *n = k->c->nats;
    const Nat *c = num(k, sizes[below(k, 8)]);
    switch (below(k, 5)) {
    case 0: return any_param(k);
    case 1: return nat_exact(n, c, any_param(k));
    case 2: return nat_add(n, c, any_param(k));
    case 3: return nat_exact(n, nat_mul(n, any_param(k), c), nat_mul(n, any_param(k), num(k, 1)));
    default: return c;
    }
}

static const Nat *any_divisor(Case *k)
{
    Nats *n = k->c->nats;
    switch (below(k, 5)) {
    case 0: return nat_mul(n, any_param(k), num(k, 2));
    case 1: return nat_exact(n, any_param(k), any_param(k));
    case 2: return nat_mul(n, any_param(k), any_param(k));
    default: return any_param(k);
    }
}

static const Nat *any_sum(Case *k)
{
    Nats *n = k->c->nats;
    const Nat *r = nat_mul(n, any_param(k), any_param(k));
    if (below(k, 2)) r = nat_add(n, r, nat_mul(n, num(k, 3), any_param(k)));
    if (below(k, 4) == 0) r = nat_max(n, r, nat_mul(n, any_param(k), num(k, 5)));
    if (below(k, 4) == 0) r = nat_div(n, r, nat_add(n, any_param(k), num(k, 1)), NULL);
    if (below(k, 6) == 0) r = nat_mod(n, r, num(k, 7), NULL);
    return r;
}

static bool odd_sum(void *data, const int64_t *v) { return (v[0] + v[1] + *(int *)data) % 3 != 0; }

static void add_call(Case *k)
{
    static int offset = 1;
    int *vars = NEW_ARRAY(k->arena, int, 2);
    vars[0] = (int)below(k, k->var_count);
    vars[1] = (int)below(k, k->var_count);
    k->cons[k->con_count++] = (Constraint){.kind = CON_CALL, .holds = odd_sum, .data = &offset, .var_count = 2, .vars = vars,
                                           .reason = "mine", .text = "a word of mine"};
}

static void random_spec(Case *k)
{
    begin(k, 1 + (int)below(k, VARS));
    for (int i = 0; i < k->var_count; i++) {
        if (below(k, 4)) continue;
        k->vars[i].value_count = 1 + (int)below(k, 4);
        for (int j = 0; j < k->vars[i].value_count; j++) k->lists[i][j] = 1 + below(k, LIMIT);
        k->vars[i].values = k->lists[i];
    }
    int n = (int)below(k, CONS);
    for (int i = 0; i < n; i++) {
        switch (below(k, 4)) {
        case 0: add(k, CON_LE, any_sum(k), below(k, 3) ? num(k, below(k, 200)) : any_sum(k), "memory"); break;
        case 1: below(k, 3) ? add(k, CON_LT, any_param(k), any_size(k), "fact") : add_call(k); break;
        default: add(k, CON_DIVIDES, any_divisor(k), any_size(k), "divides"); break;
        }
    }
}

/* ---- counting by hand ---- */

typedef struct Point { int64_t v[8]; } Point;
typedef struct Brute {
    VEC(Point) points;
    VEC(int) rejected;                   /* by constraint: of the candidates, those that it is the first to reject */
    int64_t all;
} Brute;

static bool value_of(void *data, const NatAtom *var, int64_t *out)
{
    *out = ((const int64_t *)data)[var->name[1] - '0'];
    return true;
}

static bool meets(const Constraint *c, const int64_t *v)
{
    int64_t a, b, own[2];
    if (c->kind == CON_CALL) {
        own[0] = v[c->vars[0]];
        own[1] = v[c->vars[1]];
        return c->holds(c->data, own);
    }
    if (!nat_eval(c->a, value_of, (void *)(uintptr_t)v, &a) || !nat_eval(c->b, value_of, (void *)(uintptr_t)v, &b)) return false;
    return c->kind == CON_DIVIDES ? a > 0 && b % a == 0 : c->kind == CON_LE ? a <= b : a < b;
}

static const Constraint *first_violated(const Case *k, const int64_t *v)
{
    for (int i = 0; i < k->con_count; i++)
        if (!meets(&k->cons[i], v)) return &k->cons[i];
    return NULL;
}

/* Walk the product of what each parameter may be at all. */
static void brute(const Case *k, const TuneSpace *s, Brute *out)
{
    const int64_t *cand[VARS];
    int count[VARS], at[VARS] = {0};
    *out = (Brute){.all = 1};
    for (int i = 0; i < k->con_count; i++) vec_push(&out->rejected, 0);
    for (int i = 0; i < k->var_count; i++) out->all *= count[i] = tune_candidates(s, i, &cand[i]);
    for (int64_t n = 0; n < out->all; n++) {
        Point p = {{0}};
        for (int i = 0; i < k->var_count; i++) p.v[i] = cand[i][at[i]];
        const Constraint *c = first_violated(k, p.v);
        if (c) out->rejected.v[c - k->cons]++;
        else vec_push(&out->points, p);
        for (int i = k->var_count - 1; i >= 0 && ++at[i] == count[i]; i--) at[i] = 0;
    }
}

static void brute_free(Brute *b)
{
    free(b->points.v);
    free(b->rejected.v);
}

/* No point has a value that is no candidate: neither of numbers up to what the specs mention (64 times a parameter), nor of the list. */
static void check_candidates(const Case *k, const TuneSpace *s)
{
    enum { MOST = 72 };
    if (k->var_count > 2) return;
    int64_t found = 0, v[VARS] = {0};
    bool beyond = false;
    for (int i = 0; i < k->var_count; i++) {
        const int64_t *cand;
        int n = tune_candidates(s, i, &cand);
        beyond |= n && cand[n - 1] > MOST;
    }
    for (int i = 0; i < MOST * (k->var_count == 2 ? MOST : 1); i++) {
        bool listed = true;
        v[0] = 1 + i % MOST;
        v[1] = 1 + i / MOST;
        for (int j = 0; j < k->var_count; j++) {
            bool in = k->vars[j].value_count == 0;
            for (int m = 0; m < k->vars[j].value_count; m++) in |= k->vars[j].values[m] == v[j];
            const int64_t *cand;
            bool numbers = tune_candidates(s, j, &cand) == LIMIT && cand[LIMIT - 1] == LIMIT;       /* nothing bounds it */
            listed &= in && !(numbers && v[j] > LIMIT);
        }
        found += listed && !first_violated(k, v);
    }
    if (!beyond) assert_int_equal(found, tune_count(s));
}

static void check_points(const Case *k, const TuneSpace *s, const Brute *b)
{
    int64_t v[VARS];
    assert_int_equal(tune_count(s), b->points.n);
    for (int i = 0; i < b->points.n; i++) {
        assert_true(tune_at(s, i, v));
        assert_memory_equal(v, b->points.v[i].v, sizeof *v * (size_t)k->var_count);
        assert_int_equal(tune_index(s, v), i);
        assert_null(tune_violated(s, v));
    }
    assert_false(tune_at(s, b->points.n, v));
    assert_false(tune_at(s, -1, v));
}

static bool agrees(const Case *k, const int64_t *p, const int64_t *fixed, int but)
{
    for (int i = 0; i < k->var_count; i++)
        if (i != but && fixed[i] > 0 && p[i] != fixed[i]) return false;
    return true;
}

static void check_values(Case *k, const TuneSpace *s, const Brute *b)
{
    for (int round = 0; round < 6; round++) {
        int64_t fixed[VARS] = {0}, *got;
        int var = (int)below(k, k->var_count), n = 0;
        bool near = b->points.n && below(k, 3);
        for (int i = 0; i < k->var_count; i++)
            if (below(k, 2)) fixed[i] = near ? b->points.v[below(k, b->points.n)].v[i] : 1 + below(k, 12);
        int count = tune_values(s, var, fixed, k->arena, &got);
        const int64_t *cand;
        int cands = tune_candidates(s, var, &cand);
        for (int i = 0; i < cands; i++) {
            bool is = false;
            for (int j = 0; j < b->points.n && !is; j++) is = b->points.v[j].v[var] == cand[i] && agrees(k, b->points.v[j].v, fixed, var);
            if (!is) continue;
            assert_true(n < count);
            assert_int_equal(got[n++], cand[i]);
        }
        assert_int_equal(n, count);
    }
}

static void check_violated(Case *k, const TuneSpace *s)
{
    for (int round = 0; round < 10; round++) {
        int64_t v[VARS] = {0};
        for (int i = 0; i < k->var_count; i++) {
            const int64_t *cand;
            int n = tune_candidates(s, i, &cand);
            v[i] = n && below(k, 3) ? cand[below(k, n)] : 1 + below(k, LIMIT);
        }
        const Constraint *want = first_violated(k, v), *got = tune_violated(s, v);
        assert_true(got == (want ? tune_constraint(s, (int)(want - k->cons)) : NULL));
        if (want) assert_int_equal(tune_index(s, v), -1);
    }
}

static void check_funnel(const Case *k, const TuneSpace *s, const Brute *b)
{
    const Rejection *r;
    int n = tune_funnel(s, k->arena, &r, &k->c->diag);
    int64_t left = b->all;
    for (int i = 0; i < n; i++) {
        assert_int_equal(r[i].before, left);
        for (int j = r[i].from; j < r[i].to; j++) left -= b->rejected.v[j];
        assert_int_equal(r[i].after, left);
    }
    if (n) assert_int_equal(left, tune_count(s));
}

static int changed(const Case *k, const int64_t *a, const int64_t *b)
{
    int n = 0;
    for (int i = 0; i < k->var_count; i++) n += a[i] != b[i];
    return n;
}

static int64_t legal_next(const Case *k, const Brute *b, const int64_t *from, int var, int step, bool alone)
{
    int64_t best = 0;
    for (int i = 0; i < b->points.n; i++) {
        const int64_t *p = b->points.v[i].v;
        if ((p[var] - from[var]) * step <= 0 || (alone && !agrees(k, p, from, var))) continue;
        if (!best || (p[var] - best) * step < 0) best = p[var];
    }
    return best;
}

/* The neighbour by its definition; false: there is none. */
static bool expect_near(const Case *k, const Brute *b, const int64_t *from, int var, int step, int64_t *value, int *changes)
{
    *changes = 1;
    if ((*value = legal_next(k, b, from, var, step, true))) return true;
    if (!(*value = legal_next(k, b, from, var, step, false))) return false;
    *changes = k->var_count + 1;
    for (int i = 0; i < b->points.n; i++) {
        const int64_t *p = b->points.v[i].v;
        if (p[var] == *value && changed(k, p, from) < *changes) *changes = changed(k, p, from);
    }
    return true;
}

static void check_near(Case *k, const TuneSpace *s, const Brute *b)
{
    if (b->points.n == 0) return;
    const int64_t *from = b->points.v[below(k, b->points.n)].v;
    int64_t **near, value;
    int n = tune_near(s, from, k->arena, &near), changes;
    for (int i = 0; i < n; i++) assert_true(tune_index(s, near[i]) >= 0 && changed(k, near[i], from) > 0);
    for (int var = 0; var < k->var_count; var++)
        for (int step = -1; step <= 1; step += 2) {
            if (!expect_near(k, b, from, var, step, &value, &changes)) continue;
            bool found = false;
            for (int i = 0; i < n; i++) found |= near[i][var] == value && changed(k, near[i], from) == changes;
            assert_true(found);
        }
}

static void by_hand(void **state)
{
    (void)state;
    Case k = {.c = ctx_new(), .rng = {7}};
    int empty = 0, large = 0;
    for (int i = 0; i < SPECS; i++) {
        Brute b;
        random_spec(&k);
        TuneSpace *s = make(&k, LIMIT);
        brute(&k, s, &b);
        check_points(&k, s, &b);
        check_candidates(&k, s);
        check_values(&k, s, &b);
        check_violated(&k, s);
        check_funnel(&k, s, &b);
        check_near(&k, s, &b);
        empty += b.points.n == 0;
        large += b.points.n > 100;
        brute_free(&b);
        tune_free(s);
        arena_free(k.arena);
    }
    assert_true(empty < SPECS / 2 && large > SPECS / 8);              /* the specs are of use */
    ctx_free(k.c);
}

/* ---- known spaces ---- */

/* Blocks of a matrix product: N = M = K = 1024 (size), items divide blocks, two tiles in local memory. */
static void matrix(Case *k, int64_t size, int64_t local)
{
    Nats *n = k->c->nats;
    const Nat **s = k->param;
    begin(k, 8);
    for (int i = 0; i < 8; i++) add(k, CON_DIVIDES, s[i], i < 2 || i == 4 ? num(k, size) : s[i == 5 || i == 7 ? 4 : i % 2], "divides");
    for (int i = 0; i < 2; i++) add(k, CON_DIVIDES, nat_exact(n, s[i], s[i + 2]), num(k, size), "fact");
    const Nat *tiles = nat_add(n, nat_mul(n, s[0], s[4]), nat_mul(n, s[1], s[4]));
    add(k, CON_LE, nat_mul(n, num(k, 4), tiles), num(k, local), "local memory");
    add(k, CON_LE, nat_exact(n, nat_mul(n, s[0], s[1]), nat_mul(n, s[2], s[3])), num(k, 1024), "group size");
    add(k, CON_LE, nat_mul(n, s[2], s[3]), num(k, 64), "private memory");
}

/* Powers of two: count with logarithms. */
static int64_t matrix_by_hand(int log, int64_t local)
{
    int64_t count = 0;
    for (int a = 0; a <= log; a++)
        for (int b = 0; b <= log; b++)
            for (int e = 0; e <= log; e++)
                for (int c = 0; c <= a; c++)
                    for (int d = 0; d <= b; d++) {
                        bool ok = 4 * ((1LL << (a + e)) + (1LL << (b + e))) <= local && a + b - c - d <= 10 && c + d <= 6;
                        if (ok) count += (int64_t)(e + 1) * (e + 1) * (a + 1);      /* s5, s7 divide s4; s6 divides s0 */
                    }
    return count;
}

static void blocks(void **state)
{
    (void)state;
    Case k = {.c = ctx_new()};
    for (int log = 10; log <= 12; log++) {
        matrix(&k, 1LL << log, 49152);
        double t = clock_exact_ms();
        TuneSpace *s = make(&k, 0);
        t = clock_exact_ms() - t;
        print_message("size %d: %lld points, %d nodes, %.2f ms\n", 1 << log, (long long)tune_count(s), tune_nodes(s), t);
        assert_int_equal(tune_count(s), matrix_by_hand(log, 49152));
        assert_true(tune_nodes(s) < 20000);
        int64_t v[8], step = tune_count(s) / 1000 + 1;
        for (int64_t i = 0; i < tune_count(s); i += step) {
            assert_true(tune_at(s, i, v));
            assert_int_equal(tune_index(s, v), i);
        }
        tune_free(s);
        arena_free(k.arena);
    }
    ctx_free(k.c);
}

/* 13^12 candidates, more than 10^13: chains s(i+1) divides s(i) divides 4096 are the multisets of 12 exponents in 0 .. 12. */
static void chain(void **state)
{
    (void)state;
    Ctx *c = ctx_new();
    Arena *arena = arena_new();
    enum { N = 12 };
    TuneVar vars[N];
    Constraint cons[N];
    const Nat *before = nat_const(c->nats, 4096);
    for (int i = 0; i < N; i++) {
        vars[i] = (TuneVar){.name = arena_printf(arena, "t%d", i)};
        const Nat *p = nat_var(c->nats, vars[i].name, VAR_PARAM, NULL, NULL);
        cons[i] = (Constraint){.kind = CON_DIVIDES, .a = p, .b = before, .reason = "divides", .text = ""};
        before = p;
    }
    TuneSpec spec = {.vars = vars, .var_count = N, .constraints = cons, .constraint_count = N};
    TuneSpace *s = tune_space(&spec, &c->diag);
    assert_non_null(s);
    assert_int_equal(tune_count(s), 2704156);                         /* 24 over 12 */
    assert_true(tune_nodes(s) <= N * 13);
    const Rejection *r;
    assert_int_equal(tune_funnel(s, arena, &r, &c->diag), 1);
    assert_int_equal(r[0].before, 23298085122481);                    /* 13^12 */
    assert_int_equal(r[0].after, 2704156);
    tune_free(s);
    arena_free(arena);
    ctx_free(c);
}

static bool never(void *data, const int64_t *v)
{
    (void)data;
    (void)v;
    return false;
}

static void edges(void **state)
{
    (void)state;
    Case k = {.c = ctx_new()};
    volatile int stop = 1;
    begin(&k, 0);
    TuneSpace *s = make(&k, 0);
    assert_int_equal(tune_count(s), 1);                               /* the one point without parameters */
    assert_int_equal(tune_index(s, NULL), 0);
    tune_free(s);
    add(&k, CON_LE, num(&k, 2), num(&k, 1), "fact");
    s = make(&k, 0);
    assert_int_equal(tune_count(s), 0);
    assert_int_equal(tune_index(s, NULL), -1);
    tune_free(s);
    arena_free(k.arena);
    begin(&k, 2);
    add(&k, CON_DIVIDES, k.param[0], nat_var(k.c->nats, "u", VAR_PARAM, NULL, NULL), "divides");
    k.spec = (TuneSpec){.vars = k.vars, .var_count = 2, .constraints = k.cons, .constraint_count = 1};
    assert_null(tune_space(&k.spec, &k.c->diag));
    assert_int_equal(k.c->diag.id, E34);
    diag_clear(&k.c->diag);
    int var = 0;
    k.cons[0] = (Constraint){.kind = CON_CALL, .holds = never, .var_count = 1, .vars = &var, .reason = "never", .text = "never"};
    s = make(&k, 0);
    assert_int_equal(tune_count(s), 0);
    int64_t v[2] = {1, 1}, *list;
    assert_string_equal(tune_violated(s, v)->reason, "never");
    assert_int_equal(tune_values(s, 1, NULL, k.arena, &list), 0);
    tune_free(s);
    k.spec = (TuneSpec){.vars = k.vars, .var_count = 2, .stop = &stop, .limit = 4096};
    assert_null(tune_space(&k.spec, &k.c->diag));
    assert_int_equal(k.c->diag.id, E25);
    arena_free(k.arena);
    ctx_free(k.c);
}

/* Open values: what no value of the others can mend is said at once. */
static void open_values(void **state)
{
    (void)state;
    Case k = {.c = ctx_new()};
    matrix(&k, 1024, 4096);
    TuneSpace *s = make(&k, 0);
    int64_t v[8] = {1024, 0, 0, 0, 1024};
    assert_string_equal(tune_violated(s, v)->reason, "local memory");
    v[0] = 1024, v[4] = 0;
    assert_string_equal(tune_violated(s, v)->reason, "local memory");            /* (1024 + s1)*4*s4 > 4096 */
    v[0] = 512;
    assert_null(tune_violated(s, v));
    v[0] = 48;
    assert_string_equal(tune_violated(s, v)->reason, "divides");
    tune_free(s);
    arena_free(k.arena);
    ctx_free(k.c);
}

/* ---- what a lowered term needs, against its plans ---- */

typedef struct Lowered {
    const char *program, *steps;         /* of ten.fun, strategies with ';' between them; NULL: steps is a lowered program */
    const char *private;                 /* bytes of private arrays; NULL: not said */
    int points;
    struct { const char *name; int64_t value; } sizes[5];
    TuneLimits limits;
} Lowered;

static const char mm_gpu[] =
    "fuseReduce; tile; blockFold; tileFold; foldOutOfMap; foldOutOfMap; wholeTiles(false, true); itemsOf;"
    "topdown(where(outerFold,tileLocalSecond{w=4})); topdown(where(outerFold,tileLocalFirst{w=4}));"
    "topdown(where(outerFold,accInItems4(4))); normalize(mulAdd)";

static const char mm_padded[] =
    "fuseReduce; tile; blockFold; tileFold; foldOutOfMap; foldOutOfMap; wholeTiles(false, true); itemsOf;"
    "topdown(where(outerFold,tileLocalSecond{w=4})); topdown(where(outerFold,tileLocalFirst{w=4}));"
    "topdown(where(outerFold,accInItems4(4))); normalize(mulAdd); normalize(padLocal(4))";

static const char mm_ahead[] =
    "fuseReduce; tile; blockFold; tileFold; foldOutOfMap; foldOutOfMap; wholeTiles(false, true); itemsOf;"
    "topdown(where(outerFold,tileLocalSecond{w=4})); topdown(where(outerFold,tileLocalFirst{w=4}));"
    "topdown(where(outerFold,accInItems4(4))); normalize(mulAdd); topdown(where(outerFold,prefetch))";

static const char mm_cpu[] =
    "fuseReduce; tile; blockFoldRows; tileFold; blockMapIntoReduce; vectoriseBlock(16); groupsOf; cpuMemory(16)";

static const char reversed[] =
    "param s0\n"
    "let p (x: [N]f32) = join $ mapWorkgroup 0 (\\r -> mapLocal 0 (\\v -> v * 2) (reorder reverse (toLocal (mapLocal 0 (\\v -> v + 1) r))))"
    " (split s0 x)";
static const char accumulated[] =
    "param s0\n"
    "let p (x: [N][M]f32) = mapWorkgroup 0 (\\r -> reduceSeq (\\(acc, v) -> mapLocal 0 (\\(a, b) -> a + b) (zip acc v))"
    " (toLocal (mapLocal 0 (\\i -> 0.0) (iota s0))) (split s0 r) |> mapLocal 0 (\\v -> v)) x";
static const char folded[] =
    "param s0, s1\n"
    "let p (x: [N]f32) = reduceSeq (+) 0 . toGlobal . join $ mapWorkgroup 0 (\\r -> mapLocal 0 (\\v -> reduceSeq (+) 0 v)"
    " (split s1 (toLocal (mapLocal 0 (\\c -> reduceSeqUnroll (+) 0 c) (split 4 r))))) (split s0 x)";
static const char halved[] =
    "param s0\n"
    "let p (xs: [N]f32) = reduceSeq (+) 0 . join $ mapWorkgroup 0 (\\c -> mapLocal 0 (\\x -> x) (toLocal (iterate 4"
    " (\\v -> mapLocal 0 (\\q -> reduceSeq (+) 0 q) (split 2 v)) c))) (split (16 * s0) xs)";

static const Lowered lowered[] = {
    {"mm", mm_gpu, "4*s2*s3", 60, {{"N", 256}, {"M", 512}, {"K", 128}}, {.max_group = 256, .local_bytes = 32768, .private_bytes = 512}},
    {"mm", mm_padded, "4*s2*s3", 40, {{"N", 256}, {"M", 512}, {"K", 128}}, {.max_group = 256, .local_bytes = 32768, .private_bytes = 512}},
    {"mm", mm_ahead, "4*s2*s3", 20, {{"N", 256}, {"M", 256}, {"K", 64}},
     {.max_group = 256, .local_bytes = 8192, .private_bytes = 256, .min_group = 16, .min_groups = 4, .unrolled = 4096}},
    {"mm", mm_gpu, "4*s2*s3", 60, {{"N", 256}, {"M", 512}, {"K", 128}}, {.max_group = 256, .max_local = {256, 8, 64}}},
    {"mm", mm_cpu, NULL, 20, {{"N", 128}, {"M", 256}, {"K", 64}}, {.max_group = 256, .private_bytes = 512}},
    {NULL, reversed, "0", 8, {{"N", 1024}}, {.max_group = 128}},
    {NULL, accumulated, "0", 8, {{"N", 16}, {"M", 1024}}, {.max_group = 256, .min_group = 8}},
    {NULL, folded, "0", 20, {{"N", 4096}}, {.max_group = 256, .min_items = 64}},
    {NULL, folded, "0", 20, {{"N", 4096}}, {.max_group = 256, .min_items = 64, .on_gpu = true}},
    {NULL, halved, "0", 6, {{"N", 2048}}, {.max_group = 256, .local_bytes = 1000}},
};

static void step(Session *s, Strategies *st, const char *text)
{
    Arena *arena = arena_new();
    Scope scope;
    RewriteEnv env;
    Path root = {0};
    StrategyResult r;
    NewStep made;
    const Version *v = session_version(s);
    session_env(s, v, &scope, &env);
    bool ok = strategy_run(st, &env, arena, text, NULL, v->root, &root, &r);
    if (!ok) print_message("%s: %s\n", text, session_ctx(s)->diag.message);
    assert_true(ok);
    strategy_new_step(&r, false, &root, env.next_param, arena, &made);
    session_add(s, &made);
    scope_free(&scope);
    arena_free(arena);
}

static void steps(Session *s, Strategies *st, const char *text)
{
    char *all = strdup(text), *rest = all, *one;
    while ((one = strsep(&rest, ";"))) {
        one += strspn(one, " ");
        step(s, st, one);
    }
    free(all);
}

typedef struct Tried {
    Session *s;
    const Lowered *l;
    Arena *arena;
    NatBinding map[40];
    int sizes;
    const Term *term;                    /* with numbers for sizes */
    PlanInput inputs[8];
    TuneSpace *space;
    PlanResources *r;
    int kernels;
} Tried;

static NatBinding binding(Ctx *c, const char *name, VarKind kind, int64_t value)
{
    return (NatBinding){nat_var(c->nats, name, kind, NULL, NULL)->terms[0].factors[0].atom, nat_const(c->nats, value)};
}

static void make_tried(Tried *t)
{
    Ctx *c = session_ctx(t->s);
    const Program *p = session_current(t->s)->program;
    const Version *v = session_version(t->s);
    TuneVar vars[32];
    PlanFact *facts;
    Constraint *cons;
    for (; t->sizes < 5 && t->l->sizes[t->sizes].name; t->sizes++)
        t->map[t->sizes] = binding(c, t->l->sizes[t->sizes].name, VAR_SIZE, t->l->sizes[t->sizes].value);
    t->term = term_subst_nats(c, v->root, t->map, t->sizes);
    assert_non_null(t->term);
    for (int i = 0; i < p->input_count; i++)
        t->inputs[i] = (PlanInput){p->inputs[i].name, type_subst(c, p->inputs[i].type, t->map, t->sizes)};
    int n = plan_facts(c, t->arena, t->term, &facts);
    n = tune_constraints(c, t->arena, t->term, facts, n, &t->l->limits, &cons);
    for (int i = 0; i < v->param_count; i++) vars[i] = (TuneVar){.name = v->params[i].name};
    TuneSpec spec = {.vars = vars, .var_count = v->param_count, .constraints = cons, .constraint_count = n};
    double ms = clock_exact_ms();
    t->space = tune_space(&spec, &c->diag);
    ms = clock_exact_ms() - ms;
    if (!t->space) print_message("%s\n", c->diag.message);
    assert_non_null(t->space);
    print_message("%d parameters, %lld points, %d nodes, %.2f ms\n", v->param_count, (long long)tune_count(t->space),
                  tune_nodes(t->space), ms);
    assert_true(tune_count(t->space) > 0);
    t->kernels = plan_resources(c, t->arena, t->term, t->l->limits.on_gpu, &t->r);
    Buf text = {0};
    nat_print(t->r[0].private_bytes, 0, &text);
    if (t->l->private) assert_string_equal(buf_text(&text), t->l->private);
    buf_free(&text);
}

static int64_t number(const Tried *t, const Nat *n, const int64_t *values)
{
    Ctx *c = session_ctx(t->s);
    NatBinding map[32];
    for (int i = 0; i < tune_var_count(t->space); i++) map[i] = binding(c, tune_name(t->space, i), VAR_PARAM, values[i]);
    assert_non_null(n);
    n = nat_subst(c->nats, n, map, tune_var_count(t->space), NULL);
    assert_true(n && n->is_const);
    return n->value;
}

static void check_kernel(const Tried *t, const PlanKernel *k, const PlanResources *r, const int64_t *values)
{
    int64_t local = number(t, r->local_bytes, values);
    if (t->l->steps == mm_ahead) assert_true(local >= k->local_bytes);          /* a copy in uneven rounds is not fetched ahead */
    else assert_int_equal(local, k->local_bytes);
    assert_true(number(t, r->private_bytes, values) <= 4 * k->private_scalars);      /* values with names are in it, too */
    assert_true(number(t, r->unrolled, values) >= 0);
    for (int d = 0; d < 3; d++) {
        if (r->global[d]) {
            assert_true(k->global[d]->value >= number(t, r->global[d], values));
        } else {
            assert_int_equal(k->local[d], number(t, r->items[d], values));
            assert_int_equal(k->global[d]->value, number(t, r->groups[d], values) * k->local[d]);
        }
    }
}

static void check_plan(Tried *t, const int64_t *values)
{
    Ctx *c = session_ctx(t->s);
    int n = t->sizes;
    for (int i = 0; i < tune_var_count(t->space); i++) t->map[n++] = binding(c, tune_name(t->space, i), VAR_PARAM, values[i]);
    const Term *term = term_subst_nats(c, session_version(t->s)->root, t->map, n);
    assert_non_null(term);
    PlanOptions o = {.program = "p", .inputs = t->inputs, .input_count = session_current(t->s)->program->input_count,
                     .max_group = (int)t->l->limits.max_group, .on_gpu = t->l->limits.on_gpu};
    Arena *arena = arena_new();
    Plan *p = plan_make(c, arena, term, &o);
    if (!p) print_message("%s\n", c->diag.message);
    assert_non_null(p);
    assert_int_equal(p->kernel_count, t->kernels);
    for (int i = 0; i < p->kernel_count; i++) check_kernel(t, &p->kernels[i], &t->r[i], values);
    arena_free(arena);
}

static void load_text(Session *s, const char *text)
{
    char file[] = "/tmp/test_tuneXXXXXX.fun";
    Loaded loaded;
    int fd = mkstemps(file, 4);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    bool ok = session_load(s, file, NULL, &loaded);
    unlink(file);
    if (!ok) print_message("%s\n", session_ctx(s)->diag.message);
    assert_true(ok);
}

static void plans(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lowered / sizeof *lowered; i++) {
        Tried t = {.s = session_new(), .l = &lowered[i], .arena = arena_new()};
        Ctx *c = session_ctx(t.s);
        Loaded loaded;
        Strategies *st = NULL;
        if (lowered[i].program) {
            assert_true(session_load(t.s, TEST_DIR "/ten.fun", NULL, &loaded));
            assert_true(session_use(t.s, lowered[i].program));
            st = strategies_new(c, session_rules(t.s), session_defs(t.s));
            steps(t.s, st, lowered[i].steps);
        } else {
            load_text(t.s, lowered[i].steps);
        }
        make_tried(&t);
        Rng rng = {i};
        int64_t values[32];
        for (int k = 0; k < lowered[i].points; k++) {
            assert_true(tune_at(t.space, rng_below(&rng, tune_count(t.space)), values));
            check_plan(&t, values);
        }
        tune_free(t.space);
        strategies_free(st);
        session_free(t.s);
        arena_free(t.arena);
    }
}

/* Legal values keep the limits of a device. */
static void device_limits(void **state)
{
    (void)state;
    Session *s = session_new();
    Ctx *c = session_ctx(s);
    Arena *arena = arena_new();
    Values values;
    LegalValues legal;
    TuneParam bind = {"s0", 256};
    load_text(s, reversed);
    const Version *v = session_version(s);
    assert_true(session_set_size(s, "N", 1024));
    assert_true(session_params_check(s, v, &bind, 1, true, arena));
    session_set_limits(s, "small", &(TuneLimits){.max_group = 128, .local_bytes = 256});
    session_given_values(s, v, arena, &values);
    assert_true(session_legal(s, &values, "s0", arena, &legal));
    assert_int_equal(legal.count, 7);                                 /* 1 .. 64: 4*s0 <= 256 bytes */
    assert_int_equal(legal.rejection_count, 2);
    assert_string_equal(legal.rejections[0].text, "4*s0 <= 256 bytes of local memory");
    assert_int_equal(legal.rejections[0].count, 1);
    assert_string_equal(legal.rejections[1].text, "s0 <= 128 work-items of a group");
    assert_false(session_params_check(s, v, &bind, 1, true, arena));
    assert_int_equal(c->diag.id, E34);
    assert_non_null(strstr(c->diag.message, "s0 <= 128 work-items of a group"));
    diag_clear(&c->diag);
    session_set_limits(s, NULL, NULL);
    assert_true(session_params_check(s, v, &bind, 1, true, arena));
    session_free(s);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand), cmocka_unit_test(blocks), cmocka_unit_test(chain), cmocka_unit_test(edges), cmocka_unit_test(open_values),
        cmocka_unit_test(plans), cmocka_unit_test(device_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_nat: sizes and indices. The heart is a differential test: random expressions, built with the store and evaluated
 * by brute force, must have the same value under every valuation that meets the intervals and the facts. */
#include <ctype.h>

#include "unit.h"
#include "nat_private.h"

/* ---- a store and short names ---- */

typedef struct Fixture {
    Nats *s;
    const Nat *M, *N, *K, *a, *b;    /* sizes and parameters */
} Fixture;

static int setup(void **state)
{
    Fixture *f = mem_alloc(sizeof *f);
    f->s = nats_new();
    f->M = nat_var(f->s, "M", VAR_SIZE, NULL, NULL);
    f->N = nat_var(f->s, "N", VAR_SIZE, NULL, NULL);
    f->K = nat_var(f->s, "K", VAR_SIZE, NULL, NULL);
    f->a = nat_var(f->s, "a", VAR_PARAM, NULL, NULL);
    f->b = nat_var(f->s, "b", VAR_PARAM, NULL, NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    nats_free(f->s);
    free(f);
    return 0;
}

#define SETUP Fixture *f = *state; Nats *s = f->s; const Nat *M = f->M, *N = f->N, *K = f->K; \
    (void)M; (void)N; (void)K
#define C(v) nat_const(s, v)
#define ADD(x, y) nat_add(s, x, y)
#define SUB(x, y) nat_sub(s, x, y)
#define MUL(x, y) nat_mul(s, x, y)
#define DIV(x, y) nat_div(s, x, y, NULL)
#define MOD(x, y) nat_mod(s, x, y, NULL)
#define OVER(x, y) nat_exact(s, x, y)
#define INDEX(name, extent) nat_var(s, name, VAR_INDEX, C(0), extent)
#define ANYWAY(name) nat_var(s, name, VAR_INDEX, NULL, NULL)

static const NatAtom *atom_of(const Nat *a) { return a->terms[0].factors[0].atom; }

static void name_of(void *data, const NatAtom *v, Buf *out)
{
    (void)data;
    buf_puts(out, v->name);
}

static void expect_text(const Nat *a, const char *want)
{
    Buf b = {0};
    nat_print(a, 0, &b);
    assert_string_equal(buf_text(&b), want);
    buf_free(&b);
}

static void expect_c(Nats *s, const Nat *a, const char *want)
{
    Buf b = {0};
    nat_print_c(s, a, 0, name_of, NULL, &b, NULL, NULL);
    assert_string_equal(buf_text(&b), want);
    buf_free(&b);
}

/* Equal Nats are the same pointer; says what was there instead. */
static void expect_same(const Nat *a, const Nat *b)
{
    if (a == b && a) return;
    Buf x = {0}, y = {0};
    nat_print(a, 0, &x);
    nat_print(b, 0, &y);
    fail_msg("%s is not %s", buf_text(&x), buf_text(&y));
}

/* ---- the ring ---- */

static const Nat *random_poly(Fixture *f, Rng *r)
{
    Nats *s = f->s;
    const Nat *vars[] = {f->M, f->N, f->K, f->a, f->b};
    const Nat *sum = C(rng_below(r, 7) - 3);
    for (int i = (int)rng_below(r, 4); i > 0; i--) {
        const Nat *t = C(rng_below(r, 9) - 4);
        for (int j = (int)rng_below(r, 3); j >= 0; j--) {
            const Nat *v = vars[rng_below(r, 5)];
            t = rng_below(r, 4) ? MUL(t, v) : OVER(t, v);
        }
        sum = ADD(sum, t);
    }
    return sum;
}

static void test_ring(void **state)
{
    SETUP;
    Rng r = {1};
    for (int i = 0; i < 500; i++) {
        const Nat *x = random_poly(f, &r), *y = random_poly(f, &r), *z = random_poly(f, &r);
        expect_same(ADD(x, y), ADD(y, x));
        expect_same(MUL(x, y), MUL(y, x));
        expect_same(ADD(ADD(x, y), z), ADD(x, ADD(y, z)));
        expect_same(MUL(MUL(x, y), z), MUL(x, MUL(y, z)));
        expect_same(MUL(x, ADD(y, z)), ADD(MUL(x, y), MUL(x, z)));
        expect_same(SUB(x, x), C(0));
        expect_same(ADD(SUB(x, y), y), x);
        expect_same(MUL(x, C(1)), x);
        expect_same(nat_pow(s, x, 3), MUL(x, MUL(x, x)));
        if (y != C(0)) expect_same(OVER(MUL(x, y), y), x);
    }
}

static void test_exact(void **state)
{
    SETUP;
    expect_same(MUL(OVER(N, f->a), f->a), N);
    expect_same(OVER(SUB(MUL(N, N), C(1)), ADD(N, C(1))), SUB(N, C(1)));
    expect_same(OVER(SUB(MUL(N, N), MUL(M, M)), SUB(N, M)), ADD(N, M));
    assert_null(OVER(N, ADD(M, C(1))));
    assert_null(OVER(C(7), C(2)));
    assert_null(OVER(N, C(0)));
    assert_null(OVER(NULL, N));
    expect_same(OVER(C(6), C(-2)), C(-3));
    const Nat *kmn = OVER(OVER(MUL(MUL(K, M), N), C(32)), C(4096));
    expect_same(MUL(kmn, C(131072)), MUL(MUL(K, M), N));
}

static void test_overflow(void **state)
{
    SETUP;
    const Nat *big = C(INT64_MAX);
    assert_null(ADD(big, C(1)));
    assert_null(MUL(big, C(2)));
    assert_null(SUB(C(-INT64_MAX), C(2)));
    assert_null(MUL(MUL(big, N), C(2)));
    assert_null(OVER(OVER(N, big), C(2)));
    assert_null(nat_pow(s, C(10), 19));
    assert_null(nat_pow(s, ADD(ADD(ADD(N, M), ADD(K, f->a)), f->b), 40));
    assert_null(ADD(NULL, N));
    assert_null(DIV(N, C(0)));
    assert_null(MOD(N, C(-2)));
    assert_null(nat_min(s, NULL, N));
    assert_false(nat_less(s, NULL, N));
    assert_false(nat_is_nonneg(s, NULL));
    expect_same(DIV(big, C(2)), C(INT64_MAX / 2));
}

static void test_variables(void **state)
{
    SETUP;
    expect_same(nat_var(s, "N", VAR_SIZE, C(1), C(9)), N);
    assert_true(nat_less(s, C(4), nat_var(s, "N", VAR_SIZE, C(5), C(9))) && !nat_less(s, C(4), N));
    assert_ptr_not_equal(nat_var(s, "N", VAR_PARAM, NULL, NULL), N);
    const Nat *i = INDEX("i", N), *x = nat_fresh_index(s, "i", N), *y = nat_fresh_index(s, "i", N);
    assert_ptr_not_equal(x, y);
    assert_ptr_not_equal(x, i);
    expect_same(INDEX("i", N), i);
    assert_true(nat_compare(x, y) != 0 && nat_compare(x, y) == -nat_compare(y, x));
    const Nat *e = ADD(DIV(MUL(i, M), C(7)), x);
    NatAtomVec v = {0};
    nat_vars(e, &v);
    assert_int_equal(v.n, 3);
    assert_ptr_equal(v.v[0], atom_of(M));
    assert_ptr_equal(v.v[1], atom_of(i));
    assert_ptr_equal(v.v[2], atom_of(x));
    free(v.v);
    assert_true(nat_mentions(e, atom_of(i)));
    assert_false(nat_mentions(e, atom_of(y)));
    assert_false(nat_mentions(e, atom_of(K)));
}

/* ---- the rules of simplification ---- */

static void test_acceptance(void **state)
{
    SETUP;
    const Nat *i = INDEX("i", ADD(M, C(2))), *j = ANYWAY("j");
    const Nat *e = ADD(ADD(i, MUL(C(2), j)), MUL(M, j));
    expect_same(MOD(e, ADD(C(2), M)), i);
    expect_same(DIV(e, ADD(C(2), M)), j);
    const Nat *v = INDEX("v", C(32));
    e = ADD(C(899), MUL(C(4), v));
    expect_same(MOD(e, C(128)), ADD(C(3), MUL(C(4), v)));
    expect_same(DIV(e, C(128)), C(7));
    const Nat *kmn = MUL(MUL(K, M), N);
    expect_same(MUL(MUL(OVER(OVER(kmn, C(32)), C(4096)), C(4096)), C(32)), kmn);
}

static void test_acceptance_tiles(void **state)
{
    SETUP;
    const Nat *wg = INDEX("wg", OVER(M, C(64))), *l = nat_var(s, "l", VAR_INDEX, C(0), NULL), *l1 = INDEX("l1", N);
    const Nat *e = ADD(wg, OVER(MUL(M, l), C(32)));
    expect_same(MOD(e, OVER(M, C(64))), wg);
    expect_same(DIV(e, OVER(M, C(64))), MUL(C(2), l));
    NatFacts four = {C(4), M, NULL};
    e = ADD(ADD(MOD(MUL(C(4), l), C(64)), MUL(MUL(C(2), M), l1)), MUL(M, DIV(l, C(16))));
    const Nat *want = ADD(MOD(l, C(16)), ADD(MUL(OVER(M, C(2)), l1), MUL(OVER(M, C(4)), DIV(l, C(16)))));
    expect_same(nat_div(s, e, C(4), &four), want);
    expect_same(nat_mod(s, e, C(4), &four), C(0));
    const Nat *n = INDEX("i", N);
    expect_same(MOD(ADD(MOD(n, N), N), N), n);
    const Nat *j = ANYWAY("j");
    expect_same(MOD(ADD(MOD(j, N), N), N), MOD(j, N));
}

/* The constant variants: M = 1024 from the start. */
static void test_acceptance_constants(void **state)
{
    SETUP;
    const Nat *wg = INDEX("wg", C(16)), *l = nat_var(s, "l", VAR_INDEX, C(0), NULL), *l1 = INDEX("l1", N);
    const Nat *e = ADD(wg, MUL(C(32), l));
    expect_same(MOD(e, C(16)), wg);
    e = ADD(ADD(MOD(MUL(C(4), l), C(64)), MUL(C(2048), l1)), MUL(C(1024), DIV(l, C(16))));
    const Nat *want = ADD(MOD(l, C(16)), ADD(MUL(C(512), l1), MUL(C(256), DIV(l, C(16)))));
    expect_same(DIV(e, C(4)), want);
    const Nat *i = INDEX("i", C(10)), *j = ANYWAY("j");
    expect_same(MOD(ADD(i, MUL(C(10), j)), C(10)), i);
    expect_same(DIV(ADD(i, MUL(C(10), j)), C(10)), j);
    expect_same(MOD(ADD(MOD(i, C(10)), C(10)), C(10)), i);
}

/* i -> i // s + (n/s) * (i % s) and back, s = n/8 or 8. */
static const Nat *stride(Nats *s, const Nat *i, const Nat *n, const Nat *step)
{
    return ADD(DIV(i, OVER(n, step)), MUL(step, MOD(i, OVER(n, step))));
}

static void test_layouts(void **state)
{
    SETUP;
    const Nat *i = INDEX("i", N), *n8 = OVER(N, C(8)), *na = OVER(N, f->a);
    expect_same(stride(s, stride(s, i, N, C(8)), N, n8), i);
    expect_same(stride(s, stride(s, i, N, n8), N, C(8)), i);
    expect_same(stride(s, stride(s, i, N, f->a), N, na), i);
    const Nat *k = INDEX("k", C(1024));
    expect_same(stride(s, stride(s, k, C(1024), C(8)), C(1024), C(128)), k);
    const Nat *x = INDEX("x", na), *y = INDEX("y", f->a), *flat = ADD(MUL(f->a, x), y);
    expect_same(DIV(flat, f->a), x);                                   /* split after join */
    expect_same(MOD(flat, f->a), y);
    expect_same(ADD(MUL(f->a, DIV(i, f->a)), MOD(i, f->a)), i);        /* join after split */
    const Nat *p = INDEX("p", M), *q = INDEX("q", N), *t = ADD(MUL(N, p), q), *u = ADD(MUL(M, MOD(t, N)), DIV(t, N));
    expect_same(u, ADD(MUL(M, q), p));                                 /* transpose */
    expect_same(ADD(MUL(N, MOD(u, M)), DIV(u, M)), t);
    const Nat *w = INDEX("w", OVER(SUB(N, C(2)), f->a)), *z = INDEX("z", ADD(f->a, C(2)));
    assert_true(nat_less(s, ADD(MUL(f->a, w), z), N));                 /* slide after tile */
}

static void test_rules(void **state)
{
    SETUP;
    const Nat *x = ANYWAY("x"), *i = INDEX("i", C(4)), *j = INDEX("j", N);
    expect_same(DIV(MUL(C(6), x), C(4)), DIV(MUL(C(3), x), C(2)));                        /* 5 */
    expect_same(MOD(MUL(C(6), x), C(4)), MUL(C(2), MOD(MUL(C(3), x), C(2))));
    expect_same(MOD(MUL(N, x), MUL(N, M)), MUL(N, MOD(x, M)));
    expect_same(DIV(DIV(x, C(4)), C(5)), DIV(x, C(20)));                                  /* 6 */
    expect_same(DIV(DIV(x, N), M), DIV(x, MUL(N, M)));
    expect_same(MOD(MOD(x, C(20)), C(4)), MOD(x, C(4)));
    expect_same(DIV(MOD(x, C(20)), C(4)), MOD(DIV(x, C(4)), C(5)));
    expect_same(DIV(MOD(x, MUL(N, M)), N), MOD(DIV(x, N), M));
    expect_same(ADD(MUL(MUL(K, N), DIV(x, N)), ADD(M, MUL(K, MOD(x, N)))), ADD(MUL(K, x), M));   /* 7 */
    expect_same(ADD(ADD(MUL(C(16), DIV(x, C(16))), MOD(x, C(4))), MUL(C(4), MOD(DIV(x, C(4)), C(4)))), x);
    expect_same(ADD(MUL(C(4), DIV(MOD(x, C(16)), C(4))), MOD(x, C(4))), MOD(x, C(16)));
    const Nat *v = ADD(MUL(C(4), x), i);
    expect_same(DIV(v, C(64)), DIV(x, C(16)));                                            /* 8 */
    expect_same(MOD(v, C(64)), ADD(MUL(C(4), MOD(x, C(16))), i));
    expect_same(DIV(ADD(MUL(N, x), j), MUL(N, M)), DIV(x, M));
    expect_same(MOD(ADD(MUL(N, x), j), MUL(N, M)), ADD(MUL(N, MOD(x, M)), j));
    expect_same(DIV(SUB(ADD(SUB(N, j), N), C(1)), N), C(1));                              /* 10 */
    expect_same(DIV(SUB(x, C(1)), C(4)), SUB(DIV(ADD(x, C(3)), C(4)), C(1)));
    expect_same(DIV(SUB(j, N), N), C(-1));
    expect_same(MOD(SUB(j, N), N), j);
}

static void test_rejoin(void **state)
{
    SETUP;
    const Nat *x = ANYWAY("x"), *i = INDEX("i", N), *j = INDEX("j", N);
    expect_same(SUB(x, MUL(C(4), DIV(x, C(4)))), MOD(x, C(4)));
    expect_same(SUB(x, MOD(x, N)), MUL(N, DIV(x, N)));
    expect_same(SUB(ADD(MUL(K, x), M), MUL(MUL(K, N), DIV(x, N))), ADD(MUL(K, MOD(x, N)), M));
    expect_same(MOD(ADD(MOD(x, C(4)), j), C(4)), MOD(ADD(x, j), C(4)));
    const Nat *turned = MOD(ADD(i, C(1)), N);                              /* rotate there and back */
    expect_same(MOD(SUB(ADD(turned, N), C(1)), N), i);
    expect_same(MOD(ADD(MOD(ADD(i, M), N), SUB(N, M)), N), i);
    const Nat *p = ADD(MOD(x, C(4)), j), *q = DIV(p, C(4));
    expect_same(ADD(MUL(C(4), q), MOD(p, C(4))), p);
}

static void test_facts(void **state)
{
    SETUP;
    NatFacts inner = {f->b, OVER(N, f->a), NULL}, facts = {f->a, N, &inner};
    NatFacts window = {f->a, SUB(N, M), &facts};
    expect_same(nat_div(s, N, f->a, &facts), OVER(N, f->a));
    expect_same(nat_mod(s, N, f->a, &facts), C(0));
    assert_true(nat_divides(s, f->a, N, &facts));
    assert_true(nat_divides(s, f->b, OVER(N, f->a), &facts));
    assert_true(nat_divides(s, MUL(f->a, f->b), MUL(K, N), &facts));
    assert_true(nat_divides(s, f->a, SUB(N, M), &window));
    assert_false(nat_divides(s, f->a, SUB(N, K), &window));
    assert_false(nat_divides(s, f->b, N, NULL));
    assert_false(nat_divides(s, f->a, M, &facts));
    NatFacts c = {C(64), M, NULL};
    assert_true(nat_divides(s, C(16), M, &c));
    assert_true(nat_divides(s, C(32), MUL(M, K), &c));
    assert_false(nat_divides(s, C(128), M, &c));
    assert_true(nat_divides(s, ADD(N, C(2)), MUL(K, ADD(N, C(2))), NULL));
    assert_true(nat_refuted_divides(s, C(3), C(7)));
    assert_false(nat_refuted_divides(s, C(3), C(9)));
    assert_false(nat_refuted_divides(s, C(3), N));
}

static void test_min_max(void **state)
{
    SETUP;
    const Nat *i = INDEX("i", N), *last = SUB(N, C(1)), *x = ANYWAY("x");
    expect_same(nat_min(s, i, last), i);
    expect_same(nat_max(s, i, C(0)), i);
    expect_same(nat_max(s, last, C(0)), last);
    expect_same(nat_min(s, ADD(i, C(1)), N), ADD(i, C(1)));
    expect_same(nat_min(s, x, N), nat_min(s, N, x));
    expect_same(nat_min(s, C(3), C(5)), C(3));
    const Nat *clamped = nat_max(s, nat_min(s, x, last), C(0));
    assert_true(nat_is_nonneg(s, clamped));
    assert_true(nat_less(s, clamped, N));
    expect_same(nat_min(s, nat_min(s, x, last), last), nat_min(s, x, last));
    expect_same(MOD(clamped, N), clamped);
    const Nat *below = SUB(last, x), *row = ADD(MUL(K, M), nat_min(s, x, last));
    expect_same(nat_given(s, row, below), ADD(MUL(K, M), x));                     /* x < N */
    expect_same(nat_given(s, row, SUB(x, N)), ADD(MUL(K, M), last));              /* x >= N */
    expect_same(nat_given(s, row, SUB(N, x)), row);                               /* x <= N: it may be N */
    expect_same(nat_given(s, nat_max(s, x, N), SUB(N, x)), N);
    expect_same(nat_given(s, DIV(clamped, C(4)), below), DIV(nat_max(s, x, C(0)), C(4)));
}

static void test_bounds(void **state)
{
    SETUP;
    const Nat *w = INDEX("w", N), *l = INDEX("l", C(4)), *x = ANYWAY("x");
    int64_t v = 77;
    assert_true(nat_less(s, ADD(l, MUL(C(4), w)), MUL(C(4), N)));
    assert_false(nat_less(s, ADD(l, MUL(C(4), w)), SUB(MUL(C(4), N), C(1))));
    const Nat *na = OVER(N, f->a), *t = INDEX("t", na), *u = INDEX("u", f->a);
    assert_true(nat_less(s, ADD(MUL(f->a, t), u), N));
    assert_true(nat_less_eq(s, C(1), na));
    assert_true(nat_less(s, C(0), na));
    assert_true(nat_less_eq(s, na, N));
    assert_true(nat_less(s, t, N));
    assert_true(nat_less(s, MOD(x, N), N));
    assert_true(nat_is_nonneg(s, MOD(x, N)));
    assert_false(nat_is_nonneg(s, x));
    assert_false(nat_is_nonneg(s, DIV(x, N)));
    assert_true(nat_less(s, MUL(f->a, DIV(w, f->a)), N));
    assert_true(nat_less_eq(s, ADD(w, MUL(N, l)), SUB(MUL(C(4), N), C(1))));
    assert_false(nat_less(s, w, SUB(N, C(1))));
    assert_true(nat_lower(s, ADD(l, C(3)), &v) && v == 3);
    assert_true(nat_upper(s, ADD(MUL(C(-2), l), C(3)), &v) && v == 3);
    assert_true(nat_lower(s, SUB(N, w), &v) && v == 1);
    v = 77;
    assert_false(nat_upper(s, SUB(N, w), &v));
    assert_false(nat_lower(s, x, &v));
    assert_int_equal(v, 77);
    assert_true(nat_upper(s, DIV(ADD(l, C(9)), C(4)), &v) && v == 3);
}

/* ---- substitution, solving, text ---- */

static const Nat *put(Nats *s, const Nat *a, const Nat *var, const Nat *value)
{
    return nat_subst(s, a, &(NatBinding){atom_of(var), value}, 1, NULL);
}

static void test_subst(void **state)
{
    SETUP;
    const Nat *i = INDEX("i", OVER(N, f->a)), *e = ADD(MUL(i, f->a), OVER(N, f->a));
    const Nat *got = put(s, e, f->a, C(4)), *want = INDEX("i", OVER(N, C(4)));
    expect_same(got, ADD(MUL(C(4), want), OVER(N, C(4))));
    assert_null(put(s, OVER(N, C(4)), N, C(6)));
    expect_same(put(s, OVER(N, C(4)), N, C(24)), C(6));
    expect_same(put(s, MOD(ANYWAY("x"), N), N, C(1)), C(0));
    NatBinding swap[] = {{atom_of(M), N}, {atom_of(N), M}};
    expect_same(nat_subst(s, SUB(MUL(C(2), M), N), swap, 2, NULL), SUB(MUL(C(2), N), M));
    const Nat *x = nat_fresh_index(s, "x", N), *y = nat_fresh_index(s, "x", N);
    expect_same(put(s, x, N, C(8)), put(s, x, N, C(8)));
    assert_ptr_not_equal(put(s, x, N, C(8)), put(s, y, N, C(8)));
    expect_same(put(s, ADD(x, y), y, C(3)), ADD(x, C(3)));
    expect_same(put(s, OVER(MUL(M, M), N), N, MUL(C(2), M)), OVER(M, C(2)));
    expect_same(put(s, DIV(ADD(x, C(5)), C(4)), x, C(3)), C(2));
}

static void test_solve(void **state)
{
    SETUP;
    expect_same(nat_solve(s, ADD(MUL(C(4), N), C(3)), atom_of(N), ADD(MUL(C(8), M), C(7))), ADD(MUL(C(2), M), C(1)));
    expect_same(nat_solve(s, MUL(f->a, N), atom_of(N), K), OVER(K, f->a));
    expect_same(nat_solve(s, ADD(N, C(1)), atom_of(N), C(9)), C(8));
    assert_null(nat_solve(s, MUL(N, N), atom_of(N), C(9)));
    assert_null(nat_solve(s, M, atom_of(N), C(9)));
    assert_null(nat_solve(s, MUL(C(2), N), atom_of(N), C(9)));
    assert_null(nat_solve(s, ADD(N, MOD(N, C(3))), atom_of(N), M));
}

static void test_print(void **state)
{
    SETUP;
    const Nat *x = ANYWAY("x"), *i = INDEX("i", N);
    Buf missing = {0};
    nat_print(NULL, 0, &missing);
    assert_string_equal(buf_text(&missing), "?");
    buf_free(&missing);
    expect_text(C(0), "0");
    expect_text(C(-4), "-4");
    expect_text(OVER(N, f->a), "N/a");
    expect_text(ADD(MUL(C(4), N), C(3)), "4*N + 3");
    expect_text(SUB(N, C(1)), "N - 1");
    expect_text(SUB(C(1), N), "1 - N");
    expect_text(ADD(OVER(SUB(N, K), f->a), C(1)), "(N - K)/a + 1");
    expect_text(OVER(N, MUL(C(4), f->a)), "N/(4*a)");
    expect_text(OVER(ADD(N, C(3)), C(2)), "(N + 3)/2");
    expect_text(OVER(SUB(N, MUL(C(3), f->a)), MUL(C(2), f->a)), "(N - 3*a)/(2*a)");
    expect_text(OVER(ADD(MUL(C(2), N), f->a), MUL(C(2), f->a)), "(2*N + a)/(2*a)");
    expect_text(ADD(OVER(N, MUL(f->a, f->a)), OVER(SUB(MUL(C(2), M), C(3)), C(6))), "(2*M - 3)/6 + N/(a*a)");
    expect_text(DIV(x, C(4)), "x // 4");
    expect_text(MUL(C(3), MOD(x, N)), "3*(x % N)");
    expect_text(SUB(C(0), DIV(x, N)), "-(x // N)");
    expect_text(nat_min(s, x, SUB(N, C(1))), "min x (N - 1)");
    expect_text(DIV(i, OVER(N, C(8))), "i // (N/8)");
    expect_text(MUL(N, N), "N*N");
    expect_text(ADD(OVER(MUL(M, i), C(32)), C(5)), "M*i/32 + 5");
}

static void test_print_prec(void **state)
{
    SETUP;
    Buf b = {0};
    nat_print(ADD(N, C(1)), 5, &b);
    buf_putc(&b, ' ');
    nat_print(ADD(N, C(1)), 6, &b);
    buf_putc(&b, ' ');
    nat_print(MUL(N, M), 6, &b);
    buf_putc(&b, ' ');
    nat_print(MUL(N, M), 9, &b);
    buf_putc(&b, ' ');
    nat_print(N, 9, &b);
    buf_putc(&b, ' ');
    nat_print(C(-2), 6, &b);
    assert_string_equal(buf_text(&b), "N + 1 (N + 1) M*N (M*N) N (-2)");
    buf_free(&b);
}

static void test_print_c(void **state)
{
    SETUP;
    const Nat *g = INDEX("g0", M), *h = INDEX("g1", M), *l = INDEX("l0", C(32)), *k = INDEX("k", N), *x = ANYWAY("x");
    expect_c(s, ADD(MUL(C(4), ADD(l, MUL(C(32), g))), C(3)), "4*(32*g0 + l0) + 3");
    expect_c(s, ADD(MUL(C(1024), h), k), "1024*g1 + k");
    expect_c(s, OVER(MUL(M, l), C(32)), "M*l0/32");
    expect_c(s, ADD(MUL(N, ADD(MUL(C(32), g), l)), k), "N*(32*g0 + l0) + k");
    expect_c(s, DIV(k, C(4)), "k/4");
    expect_c(s, MUL(C(4), MOD(DIV(k, C(4)), C(8))), "4*(k/4%8)");
    expect_c(s, nat_min(s, x, N), "min(N, x)");
    expect_c(s, nat_min(s, C(7), nat_max(s, C(0), nat_sub(s, x, C(1)))), "clamp(x - 1, 0, 7)");
    expect_c(s, ADD(MUL(C(6), g), MUL(C(4), h)), "6*g0 + 4*g1");
    expect_c(s, ADD(OVER(N, C(2)), OVER(M, C(4))), "(M + 2*N)/4");
    bool helpers = false;
    Buf b = {0};
    nat_print_c(s, DIV(x, C(4)), 0, name_of, NULL, &b, &helpers, NULL);
    assert_string_equal(buf_text(&b), "lathe_floor_div(x, 4)");
    assert_true(helpers);
    buf_free(&b);
}

/* Content order does not depend on what was made first. */
static void test_content(void **state)
{
    SETUP;
    Nats *other = nats_new();
    const Nat *m = NULL, *n = nat_var(other, "N", VAR_SIZE, NULL, NULL);
    m = nat_var(other, "M", VAR_SIZE, NULL, NULL);
    const Nat *x = ADD(MUL(M, N), MUL(C(3), N));
    const Nat *y = nat_add(other, nat_mul(other, nat_const(other, 3), n), nat_mul(other, n, m));
    assert_int_equal(nat_compare(x, y), 0);
    assert_true(nat_compare(M, N) < 0 && nat_compare(m, n) < 0 && nat_compare(n, m) > 0);
    nats_free(other);
}

/* ---- random expressions ---- */

enum { VARS = 11 };
typedef struct World {
    Nats *s;
    Rng rng;
    const Nat *var[VARS];            /* M N K a i j w u v t e: see world_vars */
    const Nat *quarter, *tile;       /* M/4, N/a */
    NatFacts facts[2];
    bool plain;                      /* no facts */
    int64_t value[VARS];
} World;
enum { vM, vN, vK, va, vi, vj, vw, vu, vv, vt, ve };

static void world_vars(World *w)
{
    Nats *s = w->s;
    const char *sizes[] = {"M", "N", "K"};
    for (int i = 0; i < 3; i++) w->var[i] = nat_var(s, sizes[i], VAR_SIZE, NULL, NULL);
    w->var[va] = nat_var(s, "a", VAR_PARAM, NULL, NULL);
    w->quarter = OVER(w->var[vM], C(4));
    w->tile = OVER(w->var[vN], w->var[va]);
    w->var[vi] = INDEX("i", w->var[vN]);
    w->var[vj] = INDEX("j", w->quarter);
    w->var[vw] = INDEX("w", C(4));
    w->var[vu] = nat_var(s, "u", VAR_INDEX, C(-5), C(7));
    w->var[vv] = nat_var(s, "v", VAR_INDEX, C(1), ADD(w->var[vN], C(2)));
    w->var[vt] = INDEX("t", w->tile);
    w->var[ve] = nat_var(s, "e", VAR_INDEX, NULL, NULL);
    w->facts[0] = (NatFacts){C(4), w->var[vM], &w->facts[1]};
    w->facts[1] = (NatFacts){w->var[va], w->var[vN], NULL};
}

static void world_pick(World *w)
{
    int64_t *x = w->value;
    x[va] = 1 + rng_below(&w->rng, 5);
    x[vM] = 4 * (1 + rng_below(&w->rng, 5));
    x[vN] = x[va] * (1 + rng_below(&w->rng, 5));
    x[vK] = 1 + rng_below(&w->rng, 9);
    x[vi] = rng_below(&w->rng, x[vN]);
    x[vj] = rng_below(&w->rng, x[vM] / 4);
    x[vw] = rng_below(&w->rng, 4);
    x[vu] = rng_below(&w->rng, 12) - 5;
    x[vv] = 1 + rng_below(&w->rng, x[vN] + 1);
    x[vt] = rng_below(&w->rng, x[vN] / x[va]);
    x[ve] = rng_below(&w->rng, 2001) - 1000;
}

static bool world_value(void *data, const NatAtom *var, int64_t *out)
{
    World *w = data;
    for (int i = 0; i < VARS; i++)
        if (atom_of(w->var[i]) == var) return *out = w->value[i], true;
    return false;
}

typedef struct Tree {
    char op;                         /* v c + - * / % < > q (M/4) t (N/a) */
    int64_t n;                       /* variable or constant */
    struct Tree *a, *b;
} Tree;

static Tree *tree_new(Arena *m, char op, int64_t n, Tree *a, Tree *b)
{
    Tree *t = NEW(m, Tree);
    *t = (Tree){op, n, a, b};
    return t;
}

static Tree *random_leaf(World *w, Arena *m)
{
    switch (rng_below(&w->rng, 5)) {
    case 0: return tree_new(m, 'c', rng_below(&w->rng, 21) - 6, NULL, NULL);
    case 1: return tree_new(m, rng_below(&w->rng, 2) ? 'q' : 't', 0, NULL, NULL);
    default: return tree_new(m, 'v', rng_below(&w->rng, VARS), NULL, NULL);
    }
}

static Tree *random_divisor(World *w, Arena *m)
{
    Tree *c = tree_new(m, 'c', 1 + rng_below(&w->rng, 16), NULL, NULL);
    Tree *v = tree_new(m, 'v', rng_below(&w->rng, 4), NULL, NULL);
    switch (rng_below(&w->rng, 7)) {
    case 0: return tree_new(m, 'q', 0, NULL, NULL);
    case 1: return tree_new(m, 't', 0, NULL, NULL);
    case 2: return v;
    case 3: return tree_new(m, '*', 0, c, v);
    case 4: return tree_new(m, '+', 0, c, v);
    default: return c;
    }
}

static Tree *random_tree(World *w, Arena *m, int depth)
{
    if (depth == 0 || rng_below(&w->rng, 8) == 0) return random_leaf(w, m);
    const char ops[] = "+++--**///%%%<>";
    char op = ops[rng_below(&w->rng, (int64_t)sizeof ops - 1)];
    bool divides = op == '/' || op == '%';
    Tree *b = divides ? random_divisor(w, m) : random_tree(w, m, op == '*' ? 1 : depth - 1);
    return tree_new(m, op, 0, random_tree(w, m, depth - 1), b);
}

static int64_t tree_value(const World *w, const Tree *t)
{
    int64_t a = t->a ? tree_value(w, t->a) : 0, b = t->b ? tree_value(w, t->b) : 0;
    switch (t->op) {
    case 'v': return w->value[t->n];
    case 'c': return t->n;
    case 'q': return w->value[vM] / 4;
    case 't': return w->value[vN] / w->value[va];
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return floor_div(a, b);
    case '%': return floor_mod(a, b);
    case '<': return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

static const Nat *tree_nat(World *w, const Tree *t)
{
    Nats *s = w->s;
    const NatFacts *facts = !w->plain && rng_below(&w->rng, 3) == 0 ? w->facts : NULL;
    const Nat *a = t->a ? tree_nat(w, t->a) : NULL, *b = t->b ? tree_nat(w, t->b) : NULL;
    switch (t->op) {
    case 'v': return w->var[t->n];
    case 'c': return C(t->n);
    case 'q': return w->quarter;
    case 't': return w->tile;
    case '+': return ADD(a, b);
    case '-': return SUB(a, b);
    case '*': return MUL(a, b);
    case '/': return nat_div(s, a, b, facts);
    case '%': return nat_mod(s, a, b, facts);
    case '<': return nat_min(s, a, b);
    default: return nat_max(s, a, b);
    }
}

static void tree_text(const Tree *t, Buf *out)
{
    const char *names[VARS] = {"M", "N", "K", "a", "i", "j", "w", "u", "v", "t", "e"};
    if (t->op == 'v') buf_puts(out, names[t->n]);
    else if (t->op == 'c') buf_printf(out, "%d", (int)t->n);
    else if (!t->a) buf_puts(out, t->op == 'q' ? "(M/4)" : "(N/a)");
    if (!t->a) return;
    buf_putc(out, '(');
    tree_text(t->a, out);
    buf_printf(out, " %c ", t->op);
    tree_text(t->b, out);
    buf_putc(out, ')');
}

static void world_values(const World *w, Buf *out)
{
    for (int i = 0; i < VARS; i++) buf_printf(out, " %s=%d", atom_of(w->var[i])->name, (int)w->value[i]);
}

static void wrong_value(const World *w, const Tree *t, const Nat *a, int64_t got)
{
    Buf x = {0}, y = {0}, z = {0};
    tree_text(t, &x);
    nat_print(a, 0, &y);
    world_values(w, &z);
    fail_msg("%s became %s = %lld, not %lld, at%s", buf_text(&x), buf_text(&y), (long long)got,
             (long long)tree_value(w, t), buf_text(&z));
}

static World world_new(uint64_t seed)
{
    World w = {.s = nats_new(), .rng = {seed}};
    world_vars(&w);
    return w;
}

static void check_values(World *w, const Tree *t, const Nat *a, int times)
{
    for (int i = 0; i < times; i++) {
        int64_t got = 0;
        world_pick(w);
        bool ok = nat_eval(a, world_value, w, &got);
        if (!ok || got != tree_value(w, t)) wrong_value(w, t, a, got);
    }
}

/* The chained facts point into w, so w must not have moved: link them again. */
static void world_link(World *w) { w->facts[0].next = &w->facts[1]; }

static void test_random_values(void **state)
{
    (void)state;
    World w = world_new(7);
    world_link(&w);
    Arena *m = arena_new();
    int missing = 0;
    for (int i = 0; i < 6000; i++) {
        Tree *t = random_tree(&w, m, 1 + (int)rng_below(&w.rng, 4));
        const Nat *a = tree_nat(&w, t);
        if (a) check_values(&w, t, a, 8);
        else missing++;
        arena_reset(m);
    }
    assert_true(missing < 60);
    arena_free(m);
    nats_free(w.s);
}

static void wrong_order(const World *w, const Tree *x, const Tree *y, const char *what)
{
    Buf a = {0}, b = {0}, z = {0};
    tree_text(x, &a);
    tree_text(y, &b);
    world_values(w, &z);
    fail_msg("%s: %s and %s at%s", what, buf_text(&a), buf_text(&b), buf_text(&z));
}

static void check_order(World *w, const Tree *x, const Tree *y, const Nat *a, const Nat *b)
{
    Nats *s = w->s;
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    bool less = nat_less(s, a, b), less_eq = nat_less_eq(s, a, b), nonneg = nat_is_nonneg(s, a);
    nat_lower(s, a, &lo);
    nat_upper(s, a, &hi);
    for (int i = 0; i < 12; i++) {
        world_pick(w);
        int64_t u = tree_value(w, x), v = tree_value(w, y);
        if ((less && u >= v) || (less_eq && u > v)) wrong_order(w, x, y, "less");
        if (nonneg && u < 0) wrong_order(w, x, y, "nonneg");
        if (u < lo || u > hi) wrong_order(w, x, y, "bounds");
    }
}

static void test_random_order(void **state)
{
    (void)state;
    World w = world_new(11);
    world_link(&w);
    Arena *m = arena_new();
    for (int i = 0; i < 3000; i++) {
        Tree *x = random_tree(&w, m, 1 + (int)rng_below(&w.rng, 3)), *y = random_tree(&w, m, 2);
        const Nat *a = tree_nat(&w, x), *b = tree_nat(&w, y);
        if (a && b) check_order(&w, x, y, a, b);
        arena_reset(m);
    }
    arena_free(m);
    nats_free(w.s);
}

/* Two variables replaced by terms that stay within their intervals. */
static void check_subst(World *w, const Tree *t, const Nat *a)
{
    Nats *s = w->s;
    const Nat *i = SUB(SUB(w->var[vN], C(1)), w->var[vi]), *e = ADD(MUL(C(3), w->var[vu]), w->var[vj]);
    NatBinding map[] = {{atom_of(w->var[vi]), i}, {atom_of(w->var[ve]), e}};
    const Nat *b = nat_subst(s, a, map, 2, w->facts);
    if (!b) return;
    for (int k = 0; k < 8; k++) {
        int64_t got = 0;
        world_pick(w);
        bool ok = nat_eval(b, world_value, w, &got);
        w->value[ve] = 3 * w->value[vu] + w->value[vj];
        w->value[vi] = w->value[vN] - 1 - w->value[vi];
        if (!ok || got != tree_value(w, t)) wrong_value(w, t, b, got);
    }
}

static void test_random_subst(void **state)
{
    (void)state;
    World w = world_new(13);
    world_link(&w);
    Arena *m = arena_new();
    for (int i = 0; i < 2000; i++) {
        Tree *t = random_tree(&w, m, 1 + (int)rng_below(&w.rng, 4));
        const Nat *a = tree_nat(&w, t);
        if (a) check_subst(&w, t, a);
        arena_reset(m);
    }
    arena_free(m);
    nats_free(w.s);
}

/* ---- reading printed text back ---- */

/* Recursive descent over both notations; each production yields a value (C) or a Nat (language). */
typedef struct Reader {
    const char *p;
    World *w;
    bool c;                          /* C: evaluate, else build a Nat */
    bool bad;                        /* C: an inexact or negative division, an unknown name */
} Reader;

typedef struct Result {
    int64_t v;
    const Nat *n;
} Result;

static Result read_sum(Reader *r);

static bool eat(Reader *r, const char *text)
{
    while (*r->p == ' ') r->p++;
    size_t n = strlen(text);
    if (strncmp(r->p, text, n) != 0) return false;
    r->p += n;
    return true;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* The rest of min(a, b), max(a, b), clamp(x, lo, hi). */
static Result read_call(Reader *r, char which)
{
    Result v[3] = {{0, NULL}};
    for (int i = 0; i < (which == 'c' ? 3 : 2); i++) {
        if (i && !eat(r, ",")) r->bad = true;
        v[i] = read_sum(r);
    }
    if (!eat(r, ")")) r->bad = true;
    if (which == 'c' && v[1].v > v[2].v) r->bad = true;
    if (which == 'c') return (Result){smaller(larger(v[0].v, v[1].v), v[2].v), NULL};
    return (Result){which == '<' ? smaller(v[0].v, v[1].v) : larger(v[0].v, v[1].v), NULL};
}

static Result read_helper(Reader *r, bool div)
{
    Result a = read_sum(r);
    if (!eat(r, ",")) r->bad = true;
    Result b = read_sum(r);
    if (!eat(r, ")") || b.v <= 0) r->bad = true;
    else a.v = div ? floor_div(a.v, b.v) : floor_mod(a.v, b.v);
    return a;
}

static Result read_name(Reader *r)
{
    for (int i = 0; i < VARS; i++)
        if (eat(r, atom_of(r->w->var[i])->name)) return (Result){r->w->value[i], r->w->var[i]};
    r->bad = true;
    return (Result){0, NULL};
}

static Result read_atom(Reader *r)
{
    if (eat(r, "(")) {
        Result x = read_sum(r);
        if (!eat(r, ")")) r->bad = true;
        return x;
    }
    if (r->c && eat(r, "min(")) return read_call(r, '<');
    if (r->c && eat(r, "max(")) return read_call(r, '>');
    if (r->c && eat(r, "clamp(")) return read_call(r, 'c');
    if (r->c && eat(r, NAT_C_DIV "(")) return read_helper(r, true);
    if (r->c && eat(r, NAT_C_MOD "(")) return read_helper(r, false);
    bool min = !r->c && eat(r, "min "), max = !r->c && !min && eat(r, "max ");
    if (min || max) {
        Result a = read_atom(r), b = read_atom(r);
        return (Result){0, min ? nat_min(r->w->s, a.n, b.n) : nat_max(r->w->s, a.n, b.n)};
    }
    while (*r->p == ' ') r->p++;
    if (!isdigit((unsigned char)*r->p)) return read_name(r);
    char *end;
    int64_t v = strtoll(r->p, &end, 10);
    r->p = end;
    return (Result){v, nat_const(r->w->s, v)};
}

static Result read_prefix(Reader *r)
{
    if (!eat(r, "-")) return read_atom(r);
    Result x = read_prefix(r);
    return (Result){-x.v, nat_sub(r->w->s, nat_const(r->w->s, 0), x.n)};
}

static Result apply(Reader *r, Result a, char op, Result b)
{
    Nats *s = r->w->s;
    if (!r->c) {
        if (op == '*') return (Result){0, MUL(a.n, b.n)};
        if (op == '/') return (Result){0, OVER(a.n, b.n)};
        return (Result){0, op == '%' ? nat_mod(s, a.n, b.n, NULL) : nat_div(s, a.n, b.n, NULL)};
    }
    if (op == '*') return (Result){a.v * b.v, NULL};
    if (b.v <= 0 || (a.v < 0 && a.v % b.v)) r->bad = true;
    if (b.v == 0) return a;
    return (Result){op == '%' ? a.v % b.v : a.v / b.v, NULL};
}

static Result read_product(Reader *r)
{
    Result x = read_prefix(r);
    for (;;) {
        char op = eat(r, "*") ? '*' : eat(r, "//") ? 'd' : eat(r, "/") ? '/' : eat(r, "%") ? '%' : 0;
        if (!op) return x;
        x = apply(r, x, op, read_prefix(r));
    }
}

static Result read_sum(Reader *r)
{
    Result x = read_product(r);
    for (;;) {
        bool plus = eat(r, "+"), minus = !plus && eat(r, "-");
        if (!plus && !minus) return x;
        Result y = read_product(r);
        x.v = plus ? x.v + y.v : x.v - y.v;
        x.n = plus ? nat_add(r->w->s, x.n, y.n) : nat_sub(r->w->s, x.n, y.n);
    }
}

static void check_texts(World *w, const Nat *a)
{
    Buf text = {0}, c = {0};
    nat_print(a, 0, &text);
    nat_print_c(w->s, a, 0, name_of, NULL, &c, NULL, NULL);
    Reader r = {buf_text(&text), w, false, false};
    const Nat *back = read_sum(&r).n;
    if (w->plain && back != a) fail_msg("%s reads back as another form", buf_text(&text));
    for (int i = 0; i < 6; i++) {
        int64_t want = 0, got = 0;
        world_pick(w);
        nat_eval(a, world_value, w, &want);
        if (!back || !nat_eval(back, world_value, w, &got) || got != want)
            fail_msg("%s reads back wrong", buf_text(&text));
        Reader rc = {buf_text(&c), w, true, false};
        got = read_sum(&rc).v;
        if (rc.bad || *rc.p || got != want) fail_msg("C: %s: %s is %d", buf_text(&text), buf_text(&c), (int)got);
    }
    buf_free(&text);
    buf_free(&c);
}

static void test_random_texts(void **state)
{
    (void)state;
    World w = world_new(17);
    world_link(&w);
    Arena *m = arena_new();
    for (int i = 0; i < 3000; i++) {
        w.plain = i % 2;
        const Nat *a = tree_nat(&w, random_tree(&w, m, 1 + (int)rng_below(&w.rng, 4)));
        if (a) check_texts(&w, a);
        arena_reset(m);
    }
    arena_free(m);
    nats_free(w.s);
}

/* ---- taking back ---- */

static const char *text_of(const Nat *a, Buf *out)
{
    buf_clear(out);
    nat_print(a, 0, out);
    return buf_text(out);
}

/* Enough to make every table grow, with divisions, proofs and rejoined sums among it. */
static uint64_t busy_work(Nats *s, int salt)
{
    uint64_t hash = 0;
    const Nat *n = nat_var(s, "N", VAR_SIZE, NULL, NULL);
    for (int i = 0; i < 400; i++) {
        const Nat *x = nat_fresh_index(s, "i", ADD(n, C(i + salt))), *y = INDEX("j", C(i + 2));
        const Nat *q = DIV(ADD(MUL(C(3), x), y), C(8)), *r = MOD(ADD(MUL(C(3), x), y), C(8));
        hash = hash_mix(hash, ADD(MUL(C(8), q), ADD(r, MUL(n, y)))->id);
        hash = hash_mix(hash, nat_less(s, x, n) + 2u * nat_is_nonneg(s, SUB(x, y)) + q->id);
    }
    return hash;
}

static size_t bytes_of(const Nats *s)
{
    return s->arena->total + (s->atoms.slot_count + s->monos.slot_count + s->nats.slot_count) * sizeof *s->nats.slots;
}

static void test_release(void **state)
{
    SETUP;
    Buf text = {0};
    const Nat *old = DIV(ADD(N, C(1)), K);
    NatsMark outer = nats_mark(s);
    uint64_t first = busy_work(s, 1);
    nats_release(s, &outer);
    size_t bytes = bytes_of(s);
    for (int round = 0; round < 3; round++) {
        outer = nats_mark(s);
        assert_true(busy_work(s, 1) == first);               /* as if nothing had gone before */
        NatsMark inner = nats_mark(s);
        const Nat *x = ADD(M, C(77));
        assert_string_equal(text_of(x, &text), "M + 77");
        (void)busy_work(s, 1000 + round);
        nats_release(s, &inner);
        assert_ptr_equal(DIV(ADD(N, C(1)), K), old);
        assert_string_equal(text_of(ADD(M, C(78)), &text), "M + 78");
        (void)busy_work(s, 2000 + round);
        assert_ptr_equal(MUL(ADD(M, C(1)), K), ADD(MUL(M, K), K));
        nats_release(s, &outer);
        if (round == 0) bytes = bytes_of(s);
    }
    assert_true(bytes_of(s) == bytes);                     /* released memory is used again */
    assert_ptr_equal(DIV(ADD(N, C(1)), K), old);
    assert_ptr_equal(nat_var(s, "N", VAR_SIZE, NULL, NULL), N);
    buf_free(&text);
}

/* A form that an older sum learnt since the mark is forgotten with what it is made of. */
static void test_release_joined(void **state)
{
    SETUP;
    Buf text = {0};
    const Nat *i = INDEX("i", N), *r = MOD(i, K), *q = DIV(i, K), *part = MUL(K, q);
    NatsMark m = nats_mark(s);
    for (int round = 0; round < 2; round++) {
        const Nat *x = ADD(MUL(C(5), part), ADD(MUL(C(5), r), MUL(C(round + 2), M)));
        char want[40];
        snprintf(want, sizeof want, "%d*M + 5*i", round + 2);
        assert_string_equal(text_of(x, &text), want);
        nats_release(s, &m);
    }
    assert_ptr_equal(ADD(part, r), i);
    buf_free(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_ring),          TEST(test_exact),           TEST(test_overflow),
        TEST(test_variables),     TEST(test_acceptance),      TEST(test_acceptance_tiles),
        TEST(test_acceptance_constants), TEST(test_layouts),  TEST(test_rules),
        TEST(test_rejoin),        TEST(test_release),         TEST(test_release_joined),
        TEST(test_facts),         TEST(test_min_max),         TEST(test_bounds),
        TEST(test_subst),         TEST(test_solve),           TEST(test_print),
        TEST(test_print_prec),    TEST(test_print_c),         TEST(test_content),
        TEST(test_random_values), TEST(test_random_order),    TEST(test_random_subst),
        TEST(test_random_texts),
    };
    return cmocka_run_group_tests_name("nat", tests, NULL, NULL);
}

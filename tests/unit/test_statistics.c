/* Statistics of random search against counting all draws. */
#include <math.h>

#include "unit.h"
#include "statistics.h"

/* ---- by counting every subset ---- */

enum { SPACE = 11 };

typedef struct Brute {
    double sum, maxima[1 << SPACE];
    int count;
} Brute;

static int ones(unsigned x) { return x ? (int)(x & 1) + ones(x >> 1) : 0; }

static void draw_all(const double *v, int n, int draws, Brute *out)
{
    out->sum = 0;
    out->count = 0;
    for (unsigned set = 0; set < 1u << n; set++) {
        if (ones(set) != draws) continue;
        double best = -1;
        for (int i = 0; i < n; i++)
            if (set >> i & 1 && v[i] > best) best = v[i];
        out->sum += best;
        out->maxima[out->count++] = best;
    }
    stats_sort(out->maxima, out->count);
}

/* The smallest value that at least that share of the draws does not exceed. */
static double share(const Brute *b, double q)
{
    for (int i = 0; i < b->count; i++)
        if (i + 1 >= q * b->count - 1e-9) return b->maxima[i];
    return b->maxima[b->count - 1];
}

/* The largest value that at least that share of the draws reaches. */
static double reached(const Brute *b, double q)
{
    for (int i = b->count - 1; i > 0; i--)
        if (b->count - i >= q * b->count - 1e-9) return b->maxima[i];
    return b->maxima[0];
}

static void best_of_draws(void **state)
{
    static const double spaces[][SPACE] = {
        {0, 0, 0, 1, 2, 3, 5, 8, 13, 21, 34},
        {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
        {0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.5, 0.5, 0.75, 0.9, 1},
    };
    static Brute b;
    (void)state;
    for (int s = 0; s < COUNT(spaces); s++)
        for (int n = 1; n <= SPACE; n++)
            for (int draws = 1; draws <= n; draws++) {
                BestOf best = stats_best_of(spaces[s], n, draws);
                draw_all(spaces[s], n, draws, &b);
                assert_true(fabs(best.expected - b.sum / b.count) < 1e-12 * (1 + best.expected));
                if (best.low != reached(&b, 0.95) || best.high != share(&b, 0.95))
                    fail_msg("space %d, %d of %d: %g to %g, not %g to %g", s, draws, n, best.low, best.high,
                             reached(&b, 0.95), share(&b, 0.95));
            }
}

static void draws_needed(void **state)
{
    static const double confidences[] = {0.05, 0.5, 0.9, 0.95, 0.999};
    (void)state;
    for (int n = 1; n <= SPACE; n++)
        for (int good = 1; good <= n; good++)
            for (int c = 0; c < COUNT(confidences); c++) {
                int draws = 1;
                for (;; draws++) {
                    int hits = 0, all = 0;
                    for (unsigned set = 0; set < 1u << n; set++) {
                        if (ones(set) != draws) continue;
                        all++;
                        hits += (set & ((1u << good) - 1)) != 0;
                    }
                    if (hits >= confidences[c] * all - 1e-9) break;
                }
                assert_int_equal(stats_draws_needed(n, good, confidences[c]), draws);
            }
    assert_int_equal(stats_draws_needed(100, 0, 0.95), 0);
    assert_int_equal(stats_draws_needed(46000, 1, 0.95), 43700);         /* one of all: 95 % of them */
    assert_int_equal(stats_draws_needed(1000000, 1000000, 0.95), 1);
}

static void a_large_space(void **state)
{
    enum { LARGE = 46000 };
    static double v[LARGE];
    (void)state;
    for (int i = 0; i < LARGE; i++) v[i] = i + 1;
    for (int draws = 1; draws <= LARGE; draws *= 7) {
        double exact = (double)draws * (LARGE + 1) / (draws + 1);        /* of 1 .. N */
        assert_true(fabs(stats_best_of(v, LARGE, draws).expected / exact - 1) < 1e-9);
    }
    assert_true(stats_best_of(v, LARGE, LARGE).low == LARGE);
}

static void quantiles_and_bins(void **state)
{
    static const double v[] = {0, 0.05, 0.1, 0.5, 1};
    int bins[20];
    (void)state;
    assert_true(stats_quantile(v, 5, 0.5) == 0.1);
    assert_true(stats_quantile(v, 5, 0) == 0 && stats_quantile(v, 5, 1) == 1);
    assert_true(fabs(stats_quantile(v, 4, 0.5) - 0.075) < 1e-15);
    assert_int_equal(stats_at_least(v, 5, 0.1), 3);
    assert_int_equal(stats_at_least(v, 5, 1.1), 0);
    stats_bins(v, 5, bins, 20);
    assert_int_equal(bins[0], 1);
    assert_int_equal(bins[1], 1);
    assert_int_equal(bins[2], 1);
    assert_int_equal(bins[10], 1);
    assert_int_equal(bins[19], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_of_draws),
        cmocka_unit_test(draws_needed),
        cmocka_unit_test(a_large_space),
        cmocka_unit_test(quantiles_and_bins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

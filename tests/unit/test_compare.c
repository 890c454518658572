/* Differences of texts and terms: that what is printed as a difference is one. */
#include "unit.h"
#include "session.h"
#include "compare.h"

enum { ROUNDS = 2000, LINES_MAX = 12 };

static const char *const words[] = {"a", "b", "c", "d"};

static int random_lines(Rng *r, const char **out)
{
    int n = (int)rng_below(r, LINES_MAX + 1);
    for (int i = 0; i < n; i++) out[i] = words[rng_below(r, COUNT(words))];
    return n;
}

/* Length of the longest common subsequence, by trying everything. */
static int longest(const char **a, int n, const char **b, int m)
{
    if (n == 0 || m == 0) return 0;
    if (!strcmp(a[0], b[0])) return 1 + longest(a + 1, n - 1, b + 1, m - 1);
    int left = longest(a + 1, n - 1, b, m), right = longest(a, n, b + 1, m - 1);
    return left > right ? left : right;
}

static void test_text_diff(void **state)
{
    (void)state;
    Rng r = {7};
    for (int round = 0; round < ROUNDS; round++) {
        const char *a[LINES_MAX], *b[LINES_MAX];
        LineEdit *e;
        Arena *arena = arena_new();
        int n = random_lines(&r, a), m = random_lines(&r, b), i = 0, j = 0, same = 0;
        int count = text_diff(arena, a, n, b, m, &e);
        for (int k = 0; k < count; k++) {
            assert_int_equal(e[k].a, i);
            assert_int_equal(e[k].b, j);
            if (e[k].op == ' ') assert_string_equal(a[i], b[j]), same++;
            i += e[k].op != '+';
            j += e[k].op != '-';
        }
        assert_int_equal(i, n);
        assert_int_equal(j, m);
        assert_int_equal(same, longest(a, n, b, m));
        arena_free(arena);
    }
}

static const Term *program(Session *s, const char *text)
{
    Loaded loaded;
    Source source = source_of(text);
    assert_true(session_define(s, &source, &loaded));
    return session_version(s)->root;
}

/* Putting what stands at each place of b there makes a into b, and at the place itself they differ. */
static void check_changes(Session *s, const Term *a, const Term *b, int want)
{
    Change *changes;
    Arena *arena = arena_new();
    int n = term_changes(a, b, arena, &changes);
    assert_int_equal(n, want);
    for (int i = 0; i < n; i++) {
        assert_ptr_equal(path_term(a, &changes[i].at), changes[i].before);
        assert_ptr_equal(path_term(b, &changes[i].at), changes[i].after);
        assert_ptr_not_equal(changes[i].before, changes[i].after);
        a = path_replace(session_ctx(s), a, &changes[i].at, changes[i].after);
        assert_non_null(a);
    }
    assert_ptr_equal(a, b);
    arena_free(arena);
}

static void test_term_changes(void **state)
{
    (void)state;
    Session *s = session_new();
    const Term *a = program(s, "f (xs: [N]f32) (ys: [N]f32) = zip (map (\\x -> x + 1) xs) (map (\\x -> x * 2) ys)");
    const Term *b = program(s, "g (xs: [N]f32) (ys: [N]f32) = zip (map (\\x -> x + 3) xs) (mapSeq (\\x -> x * 2) ys)");
    const Term *d = program(s, "h (xs: [N]f32) (ys: [N]f32) = zip (map (\\x -> x * x) (map sqrt xs)) (map (\\x -> x * 2) ys)");
    check_changes(s, a, a, 0);
    check_changes(s, a, b, 2);
    check_changes(s, a, d, 1);           /* function and data of one map: its variable means something else */
    check_changes(s, b, d, 2);
    session_free(s);
}

/* With the names put back for what they stand for, the terms are the old ones. */
static void test_share(void **state)
{
    (void)state;
    static const char *const names[] = {"P", "Q"};
    Session *s = session_new();
    Ctx *c = session_ctx(s);
    Arena *arena = arena_new();
    SharedTerm shared[2];
    const Term *a = program(s, "f (xs: [N]f32) = map (\\x -> x + 1) (map (\\y -> min y 2 * max y 3) xs)"), *old_a = a;
    const Term *b = program(s, "g (xs: [N]f32) = mapSeq (\\x -> x + 1) (toGlobal (map (\\y -> min y 2 * max y 3) xs))"), *old_b = b;
    int n = terms_share(c, arena, &a, &b, &(Path){0}, names, 2, shared);
    assert_int_equal(n, 1);
    assert_true(a->size < old_a->size && b->size < old_b->size);
    const Term *part = path_term(shared[0].root, &shared[0].at);
    assert_ptr_equal(term_subst_input(c, a, shared[0].name, part), old_a);
    assert_ptr_equal(term_subst_input(c, b, shared[0].name, part), old_b);
    a = old_a;
    const Term *other = program(s, "h (xs: [N]f32) = map (\\x -> x / 7) xs"), *kept = other;
    assert_int_equal(terms_share(c, arena, &a, &other, &(Path){0}, names, 2, shared), 0);
    assert_true(a == old_a && other == kept);
    arena_free(arena);
    session_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_diff), cmocka_unit_test(test_term_changes), cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

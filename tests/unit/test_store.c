/* Session files: what is saved comes back, equal to the last hash; journals; files that were cut or have flipped bits. */
#include <unistd.h>

#include "mark.h"
#include "unit.h"
#include "session.h"
#include "store.h"
#include "strategy.h"
#include "setting.h"
#include "values.h"

enum { FLIPS = 400, CUT_STEP = 5 };

typedef struct World {
    char folder[64], file[96];
    Arena *arena;
    Session *s;
    Strategies *strategies;
} World;

static int set_up(void **state)
{
    World *w = mem_alloc(sizeof *w);
    strcpy(w->folder, "/tmp/lathe-store-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    snprintf(w->file, sizeof w->file, "%s/a.session", w->folder);
    w->arena = arena_new();
    w->s = session_new();
    w->strategies = strategies_new(session_ctx(w->s), session_rules(w->s), session_defs(w->s));
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    World *w = *state;
    unlink(w->file);
    rmdir(w->folder);
    strategies_free(w->strategies);
    session_free(w->s);
    arena_free(w->arena);
    free(w);
    return 0;
}

static void check(Session *s, bool ok, const char *what)
{
    if (!ok) fail_with(&session_ctx(s)->diag, what);
}

static void load(World *w, const char *text)
{
    Loaded l;
    Source source = source_of(text);
    check(w->s, session_define(w->s, &source, &l), text);
}

static const Version *apply(World *w, const char *strategy, const char *place)
{
    const Version *v = session_version(w->s);
    Ctx *c = session_ctx(w->s);
    Scope scope;
    RewriteEnv env;
    Path at;
    StrategyResult r;
    diag_clear(&c->diag);
    session_env(w->s, v, &scope, &env);
    check(w->s, path_parse(c, v->root, NULL, place, &at), place);
    check(w->s, strategy_run(w->strategies, &env, w->arena, strategy, NULL, v->root, &at, &r), strategy);
    NewStep step = {.kind = r.step_count == 1 ? STEP_RULE : STEP_MACRO, .root = r.root, .call = r.call_text, .at = &at,
                    .trust = r.trust, .next_param = env.next_param, .fact_count = r.fact_count, .facts = r.facts,
                    .sub_count = r.step_count, .subs = r.steps};
    scope_free(&scope);
    return session_add(w->s, &step);
}

static Session *read_back(World *w, ReadReport *report)
{
    Diag diag = diag_new();
    Session *s = session_read(w->file, NULL, w->arena, &diag, report);
    if (!s) assert_int_equal(diag.id, E41);
    diag_free(&diag);
    return s;
}

static const Derivation *program_called(const Session *s, const char *name)
{
    for (int i = 0; i < session_count(s); i++)
        if (!strcmp(session_get(s, i)->name, name)) return session_get(s, i);
    return NULL;
}

static void same_places(const PlaceRef *a, const PlaceRef *b)
{
    Path x, y;
    x = place_path(a);
    y = place_path(b);
    assert_true(path_equal(&x, &y));
}

static void same_version(const Version *a, const Version *b)
{
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->dropped, b->dropped);
    if (a->dropped) return;
    assert_int_equal(a->parent, b->parent);
    assert_int_equal(a->first_child, b->first_child);
    assert_int_equal(a->last_child, b->last_child);
    assert_int_equal(a->next_sibling, b->next_sibling);
    assert_int_equal(a->hash, b->hash);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->trust, b->trust);
    assert_string_equal(a->call, b->call);
    same_places(a->at, b->at);
    assert_int_equal(a->next_param, b->next_param);
    assert_int_equal(a->fact_count, b->fact_count);
    assert_int_equal(a->param_count, b->param_count);
    for (int i = 0; i < a->param_count; i++) {
        assert_string_equal(a->params[i].name, b->params[i].name);
        assert_int_equal(a->params[i].value, b->params[i].value);
    }
    assert_int_equal(a->sub_count, b->sub_count);
    for (int i = 0; i < a->sub_count; i++) {
        assert_string_equal(a->subs[i].call, b->subs[i].call);
        same_places(a->subs[i].at, b->subs[i].at);
    }
    assert_int_equal(a->visited_child, b->visited_child);
    same_places(a->focus, b->focus);
    if (a->tag || b->tag) assert_string_equal(a->tag ? a->tag : "", b->tag ? b->tag : "");
}

static void same_session(const Session *a, const Session *b)
{
    assert_int_equal(session_count(a), session_count(b));
    for (int i = 0; i < session_count(a); i++) {
        const Derivation *x = session_get(a, i), *y = program_called(b, x->name);
        assert_non_null(y);
        assert_int_equal(x->versions.n, y->versions.n);
        assert_int_equal(x->live, y->live);
        assert_int_equal(x->current, y->current);
        assert_int_equal(x->previous, y->previous);
        for (int k = 0; k < x->versions.n; k++) same_version(x->versions.v[k], y->versions.v[k]);
        for (int k = 0; k < x->program->size_count; k++) assert_int_equal(x->sizes[k], y->sizes[k]);
        for (int k = 0; k < x->program->input_count; k++) assert_int_equal(x->inputs[k].spec.kind, y->inputs[k].spec.kind);
    }
    assert_string_equal(session_current(a)->name, session_current(b)->name);
    assert_int_equal(session_work(a, NULL, 0, true), session_work(b, NULL, 0, true));
}

static const char dot[] = "dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (*) (zip xs ys))";
static const char twice[] = "twice (x: [64]f32) = map (+ 1) (map (* 2) x)";
static const char mm[] = "mm (A: [N][K]f32) (B: [K][M]f32) = "
                         "map (\\row -> map (\\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A";

static void focus_on(World *w, const char *place)
{
    Path p;
    check(w->s, path_parse(session_ctx(w->s), session_version(w->s)->root, NULL, place, &p) && session_set_focus(w->s, &p), place);
}

/* A tree with branches, macros, parameters, permutations, facts, an assumed rule, tags, two programs. */
static void grow(World *w)
{
    Rule *reverse;
    Source rule = {"rule", "half(n): map f x => join (map (map f) (split n x)) when n divides (length x)", 0};
    FillSpec spec = {.kind = FILL_RANDOM, .seed = 7, .lo = -0.1, .hi = 3};
    rule.len = strlen(rule.text);
    check(w->s, rules_define(session_ctx(w->s), session_rules(w->s), &rule, &reverse) != NULL, "rule");
    load(w, twice);
    apply(w, "reducePartFull + mapStride(8)", "/");
    session_goto(w->s, 0);
    apply(w, "mapStride{s=8} * topdown(_ENV[\"mapReorder.rev\"])", "/in");
    session_goto(w->s, 0);
    apply(w, "padMap(7)", "/in");
    apply(w, "seq(mapSeq, rep(topdown(mapSeq)))", "/");
    load(w, dot);
    apply(w, "reduceReorder(perm([[\\i -> (i + 3) % 8]], [[\\i -> (i + 5) % 8]])) + splitJoin", "/in");
    check(w->s, session_tag(w->s, 1, "chunks"), "tag");
    focus_on(w, "/in/in");
    apply(w, "half('N/s0/2')", "/in/in");
    session_params(w->s, &(TuneParam){"s0", 4}, 1);
    session_undo(w->s, 2);
    apply(w, "reducePartIntro * topdown(reducePartToReduce)", "/");
    apply(w, "half * mapJoin^-1", "/in");
    focus_on(w, "/in");
    session_goto(w->s, 2);
    check(w->s, session_set_size(w->s, "N", 4096) && session_set_input(w->s, "xs", &spec), "data");
    check(w->s, session_set(w->s, "seeds", "2"), "set");
}

static void round_trip(void **state)
{
    World *w = *state;
    ReadReport report;
    grow(w);
    check(w->s, session_save(w->s, NULL, 0, w->file), "save");
    Session *s = read_back(w, &report);
    for (int i = 0; i < report.losses.n; i++) fail_msg("%s: %s", report.losses.v[i].what, report.losses.v[i].why);
    same_session(w->s, s);
    assert_string_equal(session_setting(s, SET_SEEDS), "2");
    report_free(&report);
    session_free(s);
}

/* The next fresh parameter has the same name before and after. */
static void fresh_names(void **state)
{
    World *w = *state;
    ReadReport report;
    grow(w);
    check(w->s, session_save(w->s, NULL, 0, w->file), "save");
    const Version *here = apply(w, "splitJoin", "/in/in/in");
    World other = *w;
    other.s = read_back(w, &report);
    other.strategies = strategies_new(session_ctx(other.s), session_rules(other.s), session_defs(other.s));
    const Version *there = apply(&other, "splitJoin", "/in/in/in");
    assert_string_equal(here->call, there->call);
    assert_int_equal(here->hash, there->hash);
    strategies_free(other.strategies);
    session_free(other.s);
    report_free(&report);
}

/* ---- calls ---- */

static void reads_as(World *w, const char *text, const char *again)
{
    Scope scope;
    RewriteEnv env;
    RuleArg args[RULE_ARGS];
    Ctx *c = session_ctx(w->s);
    session_env(w->s, session_version(w->s), &scope, &env);
    const Rule *rule = rule_call_parse(c, session_rules(w->s), &scope.lang, text, args);
    check(w->s, rule != NULL, text);
    assert_string_equal(rule_call_text(c, rule, args), again);
    scope_free(&scope);
}

static void fails(World *w, const char *text, ErrorId id)
{
    Scope scope;
    RewriteEnv env;
    RuleArg args[RULE_ARGS];
    Ctx *c = session_ctx(w->s);
    session_env(w->s, session_version(w->s), &scope, &env);
    assert_null(rule_call_parse(c, session_rules(w->s), &scope.lang, text, args));
    if (c->diag.id != id) fail_msg("%s: %s", text, c->diag.message);
    diag_clear(&c->diag);
    scope_free(&scope);
}

static void calls(void **state)
{
    World *w = *state;
    load(w, mm);
    reads_as(w, "mapFusion", "mapFusion");
    reads_as(w, "transposeMaps.rev", "transposeMaps.rev");
    reads_as(w, "splitJoin(4)", "splitJoin(4)");
    reads_as(w, "splitJoin{n=4}", "splitJoin(4)");
    reads_as(w, "splitJoin{n=s12}", "splitJoin{n=s12}");
    reads_as(w, "splitJoin{n=N/s0*s3}", "splitJoin{n=N*s3/s0}");
    reads_as(w, "splitJoin(N/2)", "splitJoin{n=N/2}");
    reads_as(w, "mapStrideChunks{s=8, w=s1}", "mapStrideChunks{s=8, w=s1}");
    reads_as(w, "mapStrideChunks(8, s1)", "mapStrideChunks{s=8, w=s1}");
    reads_as(w, "reduceReorder{p=stride(s0)}", "reduceReorder{p=stride(s0)}");
    reads_as(w, "reduceReorder{p=reverse}", "reduceReorder(reverse)");
    reads_as(w, "reduceReorder(reverse)", "reduceReorder(reverse)");
    reads_as(w, "reduceReorder{p=perm([[\\i -> 7 - i]], [[\\i -> 7 - i]])}", "reduceReorder(perm([[\\i -> 7 - i]], [[\\i -> 7 - i]]))");
    fails(w, "nosuch", E02);
    fails(w, "", E02);
    fails(w, "splitJoin(", E22);
    fails(w, "splitJoin{n}", E22);
    fails(w, "splitJoin{m=4}", E22);
    fails(w, "splitJoin(4, 4)", E22);
    fails(w, "splitJoin{n=Q}", E02);
    fails(w, "splitJoin{n=}", E03);
    fails(w, "reduceReorder{p=stride}", E22);
    fails(w, "reduceReorder{p=twist}", E22);
    fails(w, "reduceReorder{p=perm([[\\i -> 1]])}", E22);
}

/* ---- damage ---- */

static void write_file(const char *file, const char *text, size_t n)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static char *read_whole(World *w, size_t *n)
{
    FILE *f = fopen(w->file, "rb");
    char *text = arena_alloc(w->arena, 1 << 20);
    assert_non_null(f);
    *n = fread(text, 1, 1 << 20, f);
    fclose(f);
    return text;
}

/* The record of that version in the file: [*from, *to). */
static void record_of(const char *text, const char *program, int number, size_t *from, size_t *to)
{
    char head[64];
    snprintf(head, sizeof head, "\nstep %s @%d ", program, number);
    const char *at = strstr(text, head), *end = at ? at + 1 : NULL;
    assert_non_null(at);
    do end = strchr(end, '\n') + 1;
    while (*end == '|');
    *from = (size_t)(at + 1 - text);
    *to = (size_t)(end - text);
}

/* Every version is there unless its record, an ancestor's or what its program rests on lies in the damaged part; none is another. */
static void survived(const World *w, const Session *s, const char *text, size_t from, size_t to)
{
    size_t base = (size_t)(strstr(text, "\nstep ") - text);
    for (int i = 0; i < session_count(w->s); i++) {
        const Derivation *d = session_get(w->s, i), *read = s ? program_called(s, d->name) : NULL;
        for (int k = 1; k < d->versions.n; k++) {
            const Version *v = read ? derivation_version(read, k) : NULL;
            bool hit = from <= base;
            for (int a = k; a > 0; a = d->versions.v[a]->parent) {
                size_t begin, end;
                record_of(text, d->name, a, &begin, &end);
                hit = hit || (from < end && begin <= to);
            }
            if (v && v->dropped) v = NULL;
            if (v && v->hash != d->versions.v[k]->hash) fail_msg("%s@%d has another hash", d->name, k);
            if (!v && !hit) fail_msg("%s@%d is lost by damage at [%zu, %zu)", d->name, k, from, to);
        }
    }
}

static void cut(void **state)
{
    World *w = *state;
    size_t n;
    grow(w);
    check(w->s, session_save(w->s, NULL, 0, w->file), "save");
    char *text = read_whole(w, &n);
    for (size_t len = 0; len < n; len += CUT_STEP) {
        ReadReport report;
        write_file(w->file, text, len);
        Session *s = read_back(w, &report);
        if (s && report.losses.n == 0) fail_msg("cut at %zu is not noticed", len);
        survived(w, s, text, len, n);
        report_free(&report);
        session_free(s);
    }
}

static void flipped(void **state)
{
    World *w = *state;
    size_t n;
    Rng rng = {2026};
    grow(w);
    check(w->s, session_save(w->s, NULL, 0, w->file), "save");
    char *text = read_whole(w, &n), *copy = arena_strndup(w->arena, text, n);
    for (int i = 0; i < FLIPS; i++) {
        ReadReport report;
        size_t at = (size_t)rng_below(&rng, (int64_t)n);
        copy[at] ^= (char)(1 << rng_below(&rng, 8));
        write_file(w->file, copy, n);
        Session *s = read_back(w, &report);
        if (s && report.losses.n == 0) fail_msg("a flip at %zu is not noticed", at);
        survived(w, s, text, at, at + 1);
        copy[at] = text[at];
        report_free(&report);
        session_free(s);
    }
}

static void rubbish(void **state)
{
    World *w = *state;
    Rng rng = {1};
    char text[3000];
    for (int i = 0; i < 50; i++) {
        ReadReport report;
        size_t n = (size_t)rng_below(&rng, sizeof text);
        for (size_t k = 0; k < n; k++) text[k] = i % 2 ? (char)rng_next(&rng) : "step @|#= \n\"\\0a"[rng_below(&rng, 15)];
        write_file(w->file, text, n);
        assert_null(read_back(w, &report));
        report_free(&report);
    }
}

/* ---- journals ---- */

static void journal_is(World *w, Journal *j)
{
    ReadReport report;
    check(w->s, journal_write(j, w->s, NULL, 0), "journal");
    Session *s = read_back(w, &report);
    for (int i = 0; i < report.losses.n; i++) fail_msg("%s: %s", report.losses.v[i].what, report.losses.v[i].why);
    same_session(w->s, s);
    report_free(&report);
    session_free(s);
}

static void journal(void **state)
{
    World *w = *state;
    size_t before, after;
    Journal *j = journal_new(w->file);
    assert_null(journal_file(j));
    load(w, dot);
    journal_is(w, j);
    apply(w, "splitJoin", "/in");
    journal_is(w, j);
    focus_on(w, "/in");
    char *old = read_whole(w, &before);
    journal_is(w, j);
    char *new = read_whole(w, &after);
    assert_true(after > before);
    assert_memory_equal(old, new, before);               /* it only grew */
    journal_is(w, j);
    read_whole(w, &before);
    assert_int_equal(before, after);                     /* nothing new, nothing written */
    session_tag(w->s, 1, "one");
    session_params(w->s, &(TuneParam){"s0", 8}, 1);
    session_undo(w->s, 1);
    apply(w, "mapSeq", "/in/in");
    load(w, twice);
    apply(w, "mapFusion", "/");
    journal_is(w, j);
    session_undo(w->s, 1);
    session_use(w->s, "dot");
    session_goto(w->s, 2);
    journal_is(w, j);
    load(w, "dot (xs: [N]f32) (ys: [N]f32) = reduce (*) 1 (map (+) (zip xs ys))");      /* renames the old one */
    journal_is(w, j);
    grow(w);
    journal_is(w, j);
    Path p = {0};
    assert_true(session_mark_set(w->s, "m", 1, &p));
    journal_is(w, j);
    session_tag(w->s, 1, NULL);
    session_mark_remove(w->s, "m");
    journal_is(w, j);
    session_goto(w->s, 1);
    assert_int_equal(session_drop(w->s, 2, false), 2);
    journal_is(w, j);
    apply(w, "reduceSeq", "/");
    journal_is(w, j);
    journal_free(j, true);
    assert_int_equal(access(w->file, F_OK), 0);
    j = journal_new(w->file);
    check(w->s, journal_write(j, w->s, NULL, 0), "journal");
    journal_free(j, false);
    assert_int_not_equal(access(w->file, F_OK), 0);
}

static void bindings(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TuneParam *b;
    assert_int_equal(bindings_read("s0 = 32, s1 = ?", a, &b), 2);
    assert_string_equal(b[1].name, "s1");
    assert_int_equal(b[0].value, 32);
    assert_int_equal(b[1].value, 0);
    assert_int_equal(bindings_read("s0 = 9223372036854775807", a, &b), 1);
    assert_int_equal(bindings_read("s0 = 9223372036854775808", a, &b), -1);
    assert_int_equal(bindings_read("s0 = 99999999999999999999999", a, &b), -1);
    assert_int_equal(bindings_read("s0 = 4,", a, &b), -1);
    assert_int_equal(bindings_read("s0 = x", a, &b), -1);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fresh_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rubbish, set_up, tear_down),
        cmocka_unit_test_setup_teardown(journal, set_up, tear_down),
        cmocka_unit_test(bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

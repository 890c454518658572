/* Golden kernels and the errors of plan.h. BLESS=1 rewrites the golden files; look at the difference before you commit it. */
#include "unit.h"
#include "plan.h"

typedef struct Size { const char *name; int64_t value; } Size;

typedef struct Loaded {
    Ctx *c;
    Defs *defs;
    Arena *arena;
    const Program *program;
    const Term *term;
    PlanInput inputs[16];
    PlanOptions options;
} Loaded;

/* text: as golden_text takes it. */
static void load(Loaded *l, const char *text, const Size *sizes, int count)
{
    *l = (Loaded){.c = ctx_new(), .arena = arena_new()};
    l->defs = defs_new(l->c);
    l->program = program_loaded(l->c, l->defs, golden_text(l->c, text));
    NatBinding map[8];
    for (int i = 0; i < count; i++) {
        VarKind kind = sizes[i].name[0] >= 'a' ? VAR_PARAM : VAR_SIZE;
        map[i].var = nat_var(l->c->nats, sizes[i].name, kind, NULL, NULL)->terms[0].factors[0].atom;
        map[i].value = nat_const(l->c->nats, sizes[i].value);
    }
    l->term = term_subst_nats(l->c, l->program->body, map, count);
    assert_non_null(l->term);
    for (int i = 0; i < l->program->input_count; i++)
        l->inputs[i] = (PlanInput){l->program->inputs[i].name, type_subst(l->c, l->program->inputs[i].type, map, count)};
    l->options = (PlanOptions){.program = l->program->name, .inputs = l->inputs, .input_count = l->program->input_count};
}

static void unload(Loaded *l)
{
    arena_free(l->arena);
    defs_free(l->defs);
    ctx_free(l->c);
}

/* ---- golden kernels ---- */

typedef struct Golden { const char *name; Size sizes[4]; } Golden;
static const Golden goldens[] = {
    {"scal", {{"N", 1000}}},
    {"asum", {{"N", 4096}}},
    {"tree", {{"N", 1024}}},
    {"vector_scal", {{"N", 4096}}},
    {"blur", {{"N", 64}, {"M", 32}}},
    {"md", {{"N", 64}, {"J", 4}}},
    {"local_reverse", {{"N", 4}, {"M", 32}}},
    {"local_accumulator", {{"N", 4}, {"M", 32}}},
    {"mm_block", {{"N", 64}, {"M", 64}, {"K", 64}}},
    {"mm_tile", {{"N", 64}, {"M", 64}, {"K", 64}}},
    {"mm_local", {{"N", 32}, {"M", 32}, {"K", 16}}},
    {"mm_one_tile", {{"N", 32}, {"M", 8}, {"K", 16}}},
};

static void check_golden(const Golden *g, int sizes, const char *suffix)
{
    Loaded l;
    load(&l, g->name, g->sizes, sizes);
    Plan *p = plan_make(l.c, l.arena, l.term, &l.options);
    assert_non_null(p);
    const char *file = arena_printf(l.arena, "tests/golden/%s%s.cl", g->name, suffix);
    if (getenv("BLESS")) assert_true(file_write(&l.c->diag, file, p->source, strlen(p->source)));
    assert_string_equal(p->source, file_text(l.c, file));
    unload(&l);
}

static void golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        int n = 0;
        while (n < 4 && goldens[i].sizes[n].name) n++;
        check_golden(&goldens[i], n, "");
    }
}

static void sizes_as_arguments(void **state)
{
    (void)state;
    check_golden(&goldens[0], 0, ".args");
}

/* ---- errors ---- */

static void refuse(const char *text, ErrorId id, const char *in_message)
{
    Loaded l;
    load(&l, text, (Size[]){{"N", 64}}, 1);
    assert_null(plan_make(l.c, l.arena, l.term, &l.options));
    assert_int_equal(l.c->diag.id, id);
    Buf b = {0};
    diag_render(&l.c->diag, &b);
    if (!strstr(buf_text(&b), in_message)) print_error("%s\n", buf_text(&b));
    assert_non_null(strstr(buf_text(&b), in_message));
    buf_free(&b);
    unload(&l);
}

static void high_level(void **state)
{
    (void)state;
    refuse("let p (x: [N]f32) = reduce (+) 0 (map abs x)", E51, "2 nodes are still high-level");
    refuse("let p (x: [N]f32) = mapGlobal 0 (\\r -> reduce (+) 0 r) (split 4 x)", E51, "/f/body");
}

static void nesting(void **state)
{
    (void)state;
    refuse("let p (x: [N]f32) = mapLocal 0 (\\v -> v * 2) x", E53, "under mapWorkgroup");
    refuse("let p (x: [N]f32) = mapGlobal 0 (mapGlobal 0 (\\v -> v * 2)) (split 4 x)", E53, "same dimension");
    refuse("let p (x: [N]f32) = mapWorkgroup 0 (mapGlobal 1 (\\v -> v * 2)) (split 4 x)", E53, "never");
    refuse("let p (x: [N]f32) = mapGlobal 0 (\\r -> reduceSeq (+) 0 (toLocal (mapSeq (\\v -> v * 2) r))) (split 4 x)", E53,
           "outside mapWorkgroup");
}

static void memory(void **state)
{
    (void)state;
    refuse("let p (x: [N]f32) = mapGlobal 0 (\\r -> reduceSeq (+) 0 (mapSeq (\\v -> v * 2) r)) (split 4 x)", E52, "/f/body/in");
    refuse("let p (x: [N]f32) = mapWorkgroup 0 (\\r -> mapLocal 0 (\\v -> v) (reorder reverse (toPrivate (mapLocal 0 (\\v -> v * 2) r)))) "
           "(split 8 x)", E53, "private");
    refuse("let p (x: [N]f32) = join (mapWorkgroup 0 (\\r -> mapLocal 0 id (reduceSeq (\\(acc, v) -> mapLocal 0 (\\(a, b) -> a + b * v) "
           "(zip acc (reorder reverse acc))) (toLocal (mapLocal 0 id r)) r)) (split 8 x))", E53, "second array");
}

/* A group that is left open has no more work-items in dimension 2 than every device takes. */
static void last_dimension(void **state)
{
    (void)state;
    static const char text[] = "let p (x: [N][1][1]f32) = mapGlobal 2 (mapGlobal 1 (mapGlobal 0 (\\v -> v * 2))) x";
    Size sizes[] = {{"N", 65536}};
    Loaded l;
    load(&l, text, sizes, 1);
    l.options.on_gpu = true;
    Plan *p = plan_make(l.c, l.arena, l.term, &l.options);
    assert_non_null(p);
    assert_int_equal(p->kernels[0].local[2], 64);
    l.options.max_local[2] = 16;
    p = plan_make(l.c, l.arena, l.term, &l.options);
    assert_non_null(p);
    assert_int_equal(p->kernels[0].local[2], 16);
    l.options.local[2] = 128;
    assert_null(plan_make(l.c, l.arena, l.term, &l.options));
    assert_int_equal(l.c->diag.id, E53);
    assert_non_null(strstr(l.c->diag.message, "dimension 2"));
    unload(&l);
}

static void unbound(void **state)
{
    (void)state;
    refuse("param s\nlet p (x: [N]f32) = mapGlobal 0 (\\r -> reduceSeq (+) 0 r) (split s x)", E35, "param s");
}

/* ---- int or long indices ---- */

static Plan *plan_of(Loaded *l, const char *text, const Size *sizes, int count)
{
    load(l, text, sizes, count);
    Plan *p = plan_make(l->c, l->arena, l->term, &l->options);
    assert_non_null(p);
    return p;
}

static void wide_indices(void **state)
{
    (void)state;
    const char *text = "let p (x: [N][M]f32) = mapGlobal 0 (reduceSeq (+) 0) x";
    Loaded l;
    assert_false(plan_of(&l, text, (Size[]){{"N", 32767}, {"M", 65536}}, 2)->long_index);
    unload(&l);
    Plan *p = plan_of(&l, text, (Size[]){{"N", 32769}, {"M", 65536}}, 2);
    assert_true(p->long_index);
    assert_non_null(strstr(p->source, "long gid0"));
    unload(&l);
    p = plan_of(&l, text, NULL, 0);
    assert_false(p->long_index);
    assert_int_equal(p->fact_count, 1);
    assert_int_equal(p->facts[0].fact.kind, FACT_LE);
    assert_non_null(strstr(p->source, "< 2147483648  (int indices)"));
    unload(&l);
}

/* ---- taking back what a plan has made ---- */

static const char sized[] =
    "let p (x: [N]f32) = join (mapWorkgroup 0 (\\t -> mapLocal 0 (\\r -> reduceSeq (+) 0 r) (split 4 t)) (split 64 x))";

/* The source for that size, made between a mark and its release. */
static char *source_for(Loaded *l, int64_t size)
{
    Nats *n = l->c->nats;
    CtxMark m = ctx_mark(l->c);
    NatBinding map = {nat_var(n, "N", VAR_SIZE, NULL, NULL)->terms[0].factors[0].atom, nat_const(n, size)};
    const Term *t = term_subst_nats(l->c, l->term, &map, 1);
    Arena *arena = arena_new();
    Plan *p = t ? plan_make(l->c, arena, t, &l->options) : NULL;
    char *source = strdup(p ? p->source : "");
    arena_free(arena);
    ctx_release(l->c, &m);
    return source;
}

static void released_plans(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1024, 64, 4096, 65536, 1024, 128, 64, 4096};
    char *alone[COUNT(sizes)];
    Loaded l;
    for (int i = 0; i < COUNT(sizes); i++) {
        load(&l, sized, NULL, 0);
        alone[i] = source_for(&l, sizes[i]);
        assert_non_null(strstr(alone[i], "kernel"));
        unload(&l);
    }
    load(&l, sized, NULL, 0);
    size_t terms = terms_made(l.c);
    for (int i = 0; i < COUNT(sizes); i++) {
        char *here = source_for(&l, sizes[i]);
        assert_string_equal(here, alone[i]);                 /* whatever was made and released before */
        assert_int_equal(terms_made(l.c), terms);
        free(here);
        free(alone[i]);
    }
    unload(&l);
}

static void released_terms(void **state)
{
    (void)state;
    Ctx *c = ctx_new();
    const Type *f32 = type_scalar(c, SC_F32);
    const Term *x = term_input(c, "x", f32), *old = term_prim2(c, PRIM_ADD, x, x);
    const Term *bare = term_lam(c, f32, term_var(c, 0, f32), NULL);
    const char *hints[1] = {intern(c->names, "who")};
    CtxMark outer = ctx_mark(c);
    const Term *y = term_input(c, "y", type_scalar(c, SC_I64));
    uint32_t id = y->id;
    CtxMark inner = ctx_mark(c);
    assert_ptr_equal(term_lam(c, f32, term_var(c, 0, f32), hints), bare);
    assert_string_equal(bare->u.hints[0], "who");
    (void)term_prim2(c, PRIM_MUL, old, x);
    ctx_release(c, &inner);
    assert_null(bare->u.hints);
    assert_ptr_equal(term_input(c, "y", type_scalar(c, SC_I64)), y);     /* made before the inner mark */
    assert_ptr_equal(term_prim2(c, PRIM_ADD, x, x), old);
    for (int i = 0; i < 2000; i++) (void)term_int(c, type_scalar(c, SC_I32), i);
    ctx_release(c, &outer);
    assert_ptr_equal(term_prim2(c, PRIM_ADD, x, x), old);
    const Term *again = term_input(c, "y", type_vector(c, 4, f32));
    assert_int_equal(again->id, id);
    assert_string_equal(again->u.name, "y");
    assert_ptr_equal(type_scalar(c, SC_F32), f32);
    ctx_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),    cmocka_unit_test(sizes_as_arguments), cmocka_unit_test(high_level),
        cmocka_unit_test(nesting),   cmocka_unit_test(memory), cmocka_unit_test(last_dimension),             cmocka_unit_test(unbound),
        cmocka_unit_test(wide_indices), cmocka_unit_test(released_plans),   cmocka_unit_test(released_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

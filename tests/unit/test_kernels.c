/* Programs that the generator must get right: each runs against the interpreter on a device with constant sizes and with sizes as
 * arguments, and on the checking device. Skipped without OpenCL. LATHE_TEST_DEVICE names another device than pocl0;
 * LATHE_TEST_KERNEL runs one program and prints its kernels. */
#include "unit.h"
#include "run.h"

typedef struct Fixture {
    Devices *devices;
    Device *main, *checker;              /* NULL: there is none */
} Fixture;

static Device *open_device(Devices *devices, const char *name)
{
    const DeviceInfo *info = devices_find(devices, name, NULL);
    return info ? device_open(info) : NULL;
}

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    const char *name = getenv("LATHE_TEST_DEVICE");
    f->devices = devices_new();
    f->main = open_device(f->devices, name ? name : "pocl0");
#ifndef __SANITIZE_ADDRESS__             /* the checking device sees the same kernels in either build */
    f->checker = open_device(f->devices, "oclgrind");
#endif
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    if (f->main) device_close(f->main);
    if (f->checker) device_close(f->checker);
    devices_free(f->devices);
    free(f);
    return 0;
}

/* ---- the corpus ---- */

/* data: the fill of each input, in order; NULL ends them and means the default. */
typedef struct Case {
    const char *name, *text;
    int64_t sizes[4];                    /* in the order of the program's; 0 ends them */
    FillSpec data[4];
    bool constant_only;                  /* sizes decide unrolling, private or local extents */
} Case;

#define P(n, s, d, t) {.name = n, .text = t, .sizes = s, .data = d}
#define CONSTANT(n, s, t) {.name = n, .text = t, .sizes = s, .constant_only = true}
#define SIZES(...) {__VA_ARGS__}
#define DATA(...) {__VA_ARGS__}
#define UNSET {.kind = FILL_DEFAULT}
#define RANDOM(low, high) {.kind = FILL_RANDOM, .seed = 3, .lo = low, .hi = high}

static const Case cases[] = {
#include "kernels.inc"
};

/* The golden kernels of test_plan.c: text NULL means the file. */
static const Case goldens[] = {
    P("asum", SIZES(4096), DATA(UNSET), NULL),
    P("blur", SIZES(64, 32), DATA(UNSET), NULL),
    P("md", SIZES(64, 4), DATA(UNSET, RANDOM(0, 63)), NULL),
    P("mm_block", SIZES(64, 64, 64), DATA(UNSET), NULL),
    P("mm_tile", SIZES(64, 64, 64), DATA(UNSET), NULL),
    P("mm_local", SIZES(32, 16, 32), DATA(UNSET), NULL),
    P("mm_one_tile", SIZES(32, 16, 8), DATA(UNSET), NULL),
    P("scal", SIZES(1000), DATA(UNSET), NULL),
    P("tree", SIZES(1024), DATA(UNSET), NULL),
    P("vector_scal", SIZES(4096), DATA(UNSET), NULL),
    CONSTANT("local_reverse", SIZES(4, 32), NULL),
    P("local_accumulator", SIZES(4, 32), DATA(UNSET), NULL),
};

/* ---- running one ---- */

typedef enum Mode { CONSTANTS, ARGUMENTS, GROUPS } Mode;     /* GROUPS: constant sizes, work-groups of 4 x 2 */

typedef struct Prepared {
    Ctx *c;
    Defs *defs;
    RunSpec spec;
    RunInput inputs[8];
    Binding bindings[8];
} Prepared;

static void prepare(Prepared *p, const Case *k)
{
    *p = (Prepared){.c = ctx_new()};
    p->defs = defs_new(p->c);
    const Program *program = program_loaded(p->c, p->defs, golden_text(p->c, k->text ? k->text : k->name));
    p->spec = (RunSpec){.name = program->name, .term = program->body, .inputs = p->inputs, .input_count = program->input_count,
                        .bindings = p->bindings, .binding_count = program->size_count, .settings = run_settings()};
    for (int i = 0; i < program->input_count; i++)
        p->inputs[i] = (RunInput){program->inputs[i].name, program->inputs[i].type, i < 4 ? k->data[i] : (FillSpec){0}};
    for (int i = 0; i < program->size_count; i++)
        p->bindings[i] = (Binding){program->sizes[i]->terms[0].factors[0].atom->name, VAR_SIZE, true, k->sizes[i]};
    p->spec.settings.trials = 0;
    p->spec.settings.seeds = 2;
    p->spec.settings.repeats = 1;
}

static void release(Prepared *p)
{
    defs_free(p->defs);
    ctx_free(p->c);
}

/* Where local arrays share memory a term says that its kernels need as much as they do, or more. */
static int check_resources(const Case *k, const Prepared *p, const RunOutcome *o)
{
    NatBinding map[8];
    PlanResources *r;
    Arena *arena = arena_new();
    int bad = 0;
    for (int i = 0; i < p->spec.binding_count; i++) {
        const Nat *var = nat_var(p->c->nats, p->bindings[i].name, p->bindings[i].kind, NULL, NULL);
        map[i] = (NatBinding){var->terms[0].factors[0].atom, nat_const(p->c->nats, p->bindings[i].value)};
    }
    int n = plan_resources(p->c, arena, term_subst_nats(p->c, p->spec.term, map, p->spec.binding_count), false, &r);
    bool rooms = !strncmp(k->name, "rooms", 5);
    for (int i = 0; rooms && o->plan && n == o->plan->kernel_count && i < n; i++) {
        int64_t planned = o->plan->kernels[i].local_bytes;
        if (!r[i].local_bytes || !r[i].local_bytes->is_const || r[i].local_bytes->value >= planned) continue;
        print_error("%s: kernel %d takes %lld bytes of local memory, its term says %lld\n", k->name, i, (long long)planned, (long long)r[i].local_bytes->value);
        bad = 1;
    }
    arena_free(arena);
    return bad;
}

static int run_one(const Case *k, Device *d, Mode mode, bool print)
{
    Prepared p;
    prepare(&p, k);
    p.spec.sizes_as_arguments = mode == ARGUMENTS;
    if (mode == GROUPS) memcpy(p.spec.local, (int[3]){4, 2, 1}, sizeof p.spec.local);
    RunOutcome o;
    run_version(p.c, d, &p.spec, &o);
    if (print) print_message("%s\n", o.source ? o.source : "no source");
    int bad = o.state != STATE_OK;
    if (bad) {
        Buf b = {0};
        diag_render(&o.diag, &b);
        print_error("%s%s on %s: %s %s\n%s\n%s\n", k->name, mode == ARGUMENTS ? " (arguments)" : mode == GROUPS ? " (groups)" : "", o.device_id ? o.device_id : "-",
                    run_state_name(o.state), o.summary ? o.summary : "", buf_text(&b), o.source ? o.source : "");
        buf_free(&b);
    }
    if (mode == CONSTANTS) bad += check_resources(k, &p, &o);
    run_outcome_free(&o);
    release(&p);
    return bad;
}

static int run_list(const Case *list, size_t count, Device *d, Mode mode)
{
    const char *only = getenv("LATHE_TEST_KERNEL");
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        if ((only && strcmp(only, list[i].name)) || (mode == ARGUMENTS && list[i].constant_only)) continue;
        bad += run_one(&list[i], d, mode, only != NULL);
    }
    return bad;
}

static int run_all(Device *d, Mode mode)
{
    return run_list(cases, sizeof cases / sizeof *cases, d, mode) + run_list(goldens, sizeof goldens / sizeof *goldens, d, mode);
}

static void constants(void **state)
{
    Fixture *f = *state;
    if (!f->main) skip();
    assert_int_equal(run_all(f->main, CONSTANTS), 0);
}

static void arguments(void **state)
{
    Fixture *f = *state;
    if (!f->main) skip();
    assert_int_equal(run_all(f->main, ARGUMENTS), 0);
}

static void checked(void **state)
{
    Fixture *f = *state;
    if (!f->checker) skip();
    assert_int_equal(run_all(f->checker, CONSTANTS), 0);
}

static void checked_groups(void **state)
{
    Fixture *f = *state;
    if (!f->checker) skip();
    assert_int_equal(run_all(f->checker, GROUPS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants), cmocka_unit_test(arguments), cmocka_unit_test(checked),
                                       cmocka_unit_test(checked_groups)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

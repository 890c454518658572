/* How fast fully specialised kernels are made, without a device: a fixed derivation of mm whose sizes are parameters, then every
 * point of its space at n = 1024 (evenly spaced ones beyond GENERATE of them; environment, 46000): substituted, planned, printed;
 * and as many of what `search rules --generate` makes of mm. Times are the processor's. */
#include "bench.h"
#include "lua_host.h"
#include "plan.h"
#include "strategy.h"
#include "tune.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SIZE = 1024, VARS = 16, INPUTS = 4, GROUP = 1024, GROUP_MIN = 16, LOCAL_BYTES = 48 << 10, REGISTERS = 64, UNROLLED = 512 };

static const char *const steps[] = {
    "fuseReduce", "tile", "blockFold", "tileFold", "foldOutOfMap", "foldOutOfMap", "wholeTiles(false, true)", "itemsOf",
    "topdown(where(outerFold,tileLocalSecond{w=4}))", "topdown(where(outerFold,tileLocalFirst{w=4}))",
    "topdown(where(outerFold,accInItems4(4)))", "normalize(mulAdd)"};

typedef struct Generate {
    Session *s;
    Ctx *c;
    const Term *root;                    /* sizes are numbers, parameters are free */
    int input_count;
    PlanInput inputs[INPUTS];
    const char *names[VARS];
    const NatAtom *atoms[VARS];
    int var_count;
    TuneSpace *space;
    PlanTimes times;
    double derive, space_ms, substitute, total;      /* ms */
    int made, refused, distinct;
    double *bytes;
    uint64_t *hashes;
} Generate;

static int fail(Ctx *c, const char *what)
{
    fprintf(stderr, "generate: %s: %s\n", what, c->diag.message ? c->diag.message : "failed");
    return 1;
}

/* ---- the structure ---- */

static bool derive_step(Generate *g, Strategies *st, const char *text)
{
    Arena *a = arena_new();
    Scope scope;
    RewriteEnv env;
    Path root = {0};
    StrategyResult r;
    NewStep step;
    const Version *v = session_version(g->s);
    session_env(g->s, v, &scope, &env);
    bool ok = strategy_run(st, &env, a, text, NULL, v->root, &root, &r);
    if (ok) strategy_new_step(&r, false, &root, env.next_param, a, &step);
    ok = ok && session_add(g->s, &step);
    scope_free(&scope);
    arena_free(a);
    return ok;
}

static bool derive(Generate *g)
{
    Loaded loaded;
    g->s = session_new();
    g->c = session_ctx(g->s);
    double from = clock_cpu_ms();
    if (!session_load(g->s, "tests/programs/mm.fun", NULL, &loaded)) return false;
    Strategies *st = strategies_new(g->c, session_rules(g->s), session_defs(g->s));
    bool ok = st != NULL;
    for (int i = 0; ok && i < COUNT(steps); i++) ok = derive_step(g, st, steps[i]);
    g->derive = clock_cpu_ms() - from;
    strategies_free(st);
    return ok;
}

static bool bind_sizes(Generate *g)
{
    const Program *p = session_current(g->s)->program;
    NatBinding map[VARS];
    for (int i = 0; i < p->size_count && i < VARS; i++)
        map[i] = (NatBinding){p->sizes[i]->terms[0].factors[0].atom, nat_const(g->c->nats, SIZE)};
    g->root = term_subst_nats(g->c, session_version(g->s)->root, map, p->size_count);
    for (g->input_count = 0; g->input_count < p->input_count && g->input_count < INPUTS; g->input_count++) {
        const Type *t = type_subst(g->c, p->inputs[g->input_count].type, map, p->size_count);
        g->inputs[g->input_count] = (PlanInput){p->inputs[g->input_count].name, t};
    }
    return g->root != NULL;
}

/* ---- the space ---- */

/* Tile 0 by 1 of the result, 2 by 3 of it an item, 4 of the sum at a time; 5 and 6 say how the copies are shared out. */
static bool is_group(void *data, const int64_t *v)
{
    (void)data;
    int64_t items = v[0] / v[2] * (v[1] / v[3]);
    return items >= GROUP_MIN && items <= GROUP;
}

static bool fits_local(void *data, const int64_t *v)
{
    (void)data;
    return (v[0] + v[1]) * v[4] * 4 <= LOCAL_BYTES;
}

static bool fits_registers(void *data, const int64_t *v)
{
    (void)data;
    return v[2] * v[3] <= REGISTERS && v[2] * v[3] * v[4] <= UNROLLED;
}

static int by_name(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

static void list_vars(Generate *g, TuneVar *vars)
{
    const Version *v = session_version(g->s);
    g->var_count = v->param_count < VARS ? v->param_count : VARS;
    for (int i = 0; i < g->var_count; i++) g->names[i] = v->params[i].name;
    qsort(g->names, (size_t)g->var_count, sizeof *g->names, by_name);
    for (int i = 0; i < g->var_count; i++) {
        g->atoms[i] = nat_var(g->c->nats, g->names[i], VAR_PARAM, NULL, NULL)->terms[0].factors[0].atom;
        vars[i] = (TuneVar){.name = g->names[i]};
    }
}

static bool make_space(Generate *g, Arena *arena)
{
    static const int order[] = {0, 1, 2, 3, 4};
    double from = clock_cpu_ms();
    TuneVar vars[VARS];
    PlanFact *facts;
    int n = plan_facts(g->c, arena, g->root, &facts);
    Constraint *con = NEW_ARRAY(arena, Constraint, n + 3);
    list_vars(g, vars);
    for (int i = 0; i < n; i++) {
        Fact f = facts[i].fact;
        ConstraintKind kind = f.kind == FACT_DIVIDES ? CON_DIVIDES : f.kind == FACT_LE ? CON_LE : CON_LT;
        con[i] = (Constraint){.kind = kind, .a = f.a, .b = f.b, .reason = "fact", .text = facts[i].who};
    }
    con[n++] = (Constraint){.kind = CON_CALL, .holds = is_group, .var_count = 4, .vars = order, .reason = "group size"};
    con[n++] = (Constraint){.kind = CON_CALL, .holds = fits_local, .var_count = 5, .vars = order, .reason = "local memory"};
    con[n++] = (Constraint){.kind = CON_CALL, .holds = fits_registers, .var_count = 5, .vars = order, .reason = "registers"};
    TuneSpec spec = {.vars = vars, .var_count = g->var_count, .constraints = con, .constraint_count = n};
    g->space = tune_space(&spec, &g->c->diag);
    g->space_ms = clock_cpu_ms() - from;
    return g->space != NULL;
}

/* ---- kernels ---- */

/* By words: the time counts. */
static uint64_t hash_text(const char *text, size_t n)
{
    uint64_t h = n, word;
    for (; n >= sizeof word; n -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        h = hash_mix(h, word);
    }
    return hash_bytes(h, text, n);
}

static void generate(Generate *g, Arena *arena, const int64_t *values)
{
    NatBinding map[VARS];
    CtxMark mark = ctx_mark(g->c);
    double from = clock_cpu_ms();
    for (int i = 0; i < g->var_count; i++) map[i] = (NatBinding){g->atoms[i], nat_const(g->c->nats, values[i])};
    const Term *t = term_subst_nats(g->c, g->root, map, g->var_count);
    g->substitute += clock_cpu_ms() - from;
    PlanOptions o = {.program = "mm", .inputs = g->inputs, .input_count = g->input_count, .max_group = GROUP, .on_gpu = true,
                     .times = &g->times};
    Plan *p = t ? plan_make(g->c, arena, t, &o) : NULL;
    if (p) {
        size_t n = strlen(p->source);
        g->bytes[g->made] = (double)n;
        g->hashes[g->made++] = hash_text(p->source, n);
    } else {
        if (g->refused++ == 0) fail(g->c, "the first one refused");
        diag_clear(&g->c->diag);
    }
    arena_reset(arena);
    ctx_release(g->c, &mark);
}

static int by_hash(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static int count_distinct(const Generate *g)
{
    size_t bytes = (size_t)g->made * sizeof *g->hashes;
    uint64_t *sorted = malloc(bytes + 1);
    int n = 0;
    memcpy(sorted, g->hashes, bytes);
    qsort(sorted, (size_t)g->made, sizeof *sorted, by_hash);
    for (int i = 0; i < g->made; i++) n += i == 0 || sorted[i] != sorted[i - 1];
    free(sorted);
    return n;
}

/* Points spread evenly; then those between them, as many as kernels came out equal, until all wanted are distinct. */
static void generate_all(Generate *g)
{
    const char *most = getenv("GENERATE");
    int64_t count = tune_count(g->space), wanted = most ? atoll(most) : 46000, values[VARS], next = 0;
    int64_t n = count < wanted ? count : wanted, end = count < 2 * n ? count : 2 * n;
    Arena *arena = arena_new();
    g->bytes = calloc((size_t)end + 1, sizeof *g->bytes);
    g->hashes = calloc((size_t)end + 1, sizeof *g->hashes);
    for (int64_t more = n; more > 0 && next < end; more = n - g->distinct) {
        double from = clock_cpu_ms();
        for (; more > 0 && next < end; more--, next++) {
            double at = next < n ? (double)next : (double)(next - n) + 0.5;
            tune_at(g->space, (int64_t)(at * (double)count / (double)n), values);
            generate(g, arena, values);
            if (next % 4096 == 4095) fprintf(stderr, "generate: %lld of %lld\n", (long long)next + 1, (long long)n);
        }
        g->total += clock_cpu_ms() - from;
        g->distinct = count_distinct(g);
    }
    arena_free(arena);
}

/* ---- the report ---- */

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void line(const char *what, double v, const char *unit)
{
    bench_print(&(BenchLine){.bench = "generate", .device = "-", .what = what, .ours = v, .unit = unit});
}

static void against(const char *what, double v, double target, const char *unit, bool more)
{
    bench_print(&(BenchLine){.bench = "generate", .device = "-", .what = what, .rival = "target", .ours = v, .theirs = target,
                             .unit = unit, .more_is_better = more});
}

static double percent(ConsCount now, ConsCount then)
{
    uint64_t calls = now.calls - then.calls;
    return calls ? 100.0 * (double)(now.hits - then.hits) / (double)calls : 0;
}

static void report(Generate *g, ConsCount terms, ConsCount nats)
{
    struct rusage use;
    double n = g->made ? g->made : 1;
    ConsCount t = ctx_conses(g->c), k = nats_conses(g->c->nats);
    uint64_t digest = hash_bytes(0, g->hashes, (size_t)g->made * sizeof *g->hashes);
    fprintf(stderr, "generate: digest of all sources %016llx\n", (unsigned long long)digest);
    qsort(g->bytes, (size_t)g->made, sizeof *g->bytes, by_size);
    getrusage(RUSAGE_SELF, &use);
    line("derivation", g->derive, "ms");
    line("space", g->space_ms, "ms");
    line("points of the space", (double)tune_count(g->space), "points");
    line("kernels made", g->made, "kernels");
    line("points refused", g->refused, "points");
    line("distinct sources", g->distinct, "kernels");
    line("substitute a kernel", g->substitute / n, "ms");
    line("check a kernel", g->times.check / n, "ms");
    line("translate a kernel", g->times.translate / n, "ms");
    line("emit a kernel", g->times.emit / n, "ms");
    line("terms asked for a kernel", (double)(t.calls - terms.calls) / n, "calls");
    line("terms that existed", percent(t, terms), "%");
    line("sizes asked for a kernel", (double)(k.calls - nats.calls) / n, "calls");
    line("sizes that existed", percent(k, nats), "%");
    line("source, median", g->made ? g->bytes[g->made / 2] : 0, "bytes");
    line("source, 95 of 100", g->made ? g->bytes[(int)(n * 0.95)] : 0, "bytes");
    against("peak memory", (double)use.ru_maxrss / 1024, 1024, "MB", false);
    against("kernels a second", n / g->total * 1e3, 2000, "1/s", true);
}

/* ---- what a user gets: search rules --generate ---- */

static bool set_sizes(Session *s)
{
    const Program *p = session_current(s)->program;
    bool ok = true;
    for (int i = 0; i < p->size_count; i++) ok = ok && session_set_size(s, p->sizes[i]->terms[0].factors[0].atom->name, SIZE);
    return ok;
}

static void report_search(const json_t *made)
{
    double kernels = json_number_value(json_object_get(made, "generated"));
    double s = json_number_value(json_object_get(made, "seconds"));
    line("search: points of all structures", json_number_value(json_object_get(made, "points")), "points");
    line("search: kernels made", kernels, "kernels");
    line("search: distinct sources", json_number_value(json_object_get(made, "distinct")), "kernels");
    line("search: source, mean", json_number_value(json_object_get(made, "bytes")) / (kernels ? kernels : 1), "bytes");
    against("search: kernels a second", s > 0 ? kernels / s : 0, 2000, "1/s", true);
}

/* All structures of mm that the macro rules make for a GPU, evenly over their points. */
static int generate_search(void)
{
    Loaded loaded;
    Session *s = session_new();
    Ctx *c = session_ctx(s);
    const char *most = getenv("GENERATE");
    bool ok = session_load(s, "tests/programs/mm.fun", NULL, &loaded) && set_sizes(s);
    Strategies *st = ok ? strategies_new(c, session_rules(s), session_defs(s)) : NULL;
    json_t *spec = json_pack("{s:b, s:s, s:s}", "generate", 1, "set", "device=gpu", "budget", most ? most : "46000");
    json_t *report = NULL;
    Buf out = {0};
    if (st) strategies_host(st, &(StrategyHost){0}, s);
    ok = st && strategies_command(st, "command", spec, &out, &report);
    if (ok) report_search(json_object_get(report, "generated"));
    else fail(c, "the search");
    buf_free(&out);
    json_decref(spec);
    json_decref(report);
    strategies_free(st);
    session_free(s);
    return !ok;
}

int main(void)
{
    Generate g = {0};
    Arena *arena = arena_new();
    if (!derive(&g)) return fail(g.c, "the derivation");
    if (!bind_sizes(&g)) return fail(g.c, "the sizes");
    if (!make_space(&g, arena)) return fail(g.c, "the space");
    ConsCount terms = ctx_conses(g.c), nats = nats_conses(g.c->nats);
    generate_all(&g);
    report(&g, terms, nats);
    tune_free(g.space);
    arena_free(arena);
    session_free(g.s);
    free(g.bytes);
    free(g.hashes);
    return generate_search();
}

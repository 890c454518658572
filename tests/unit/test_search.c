/* A search in which kernels fail to build, fault, never return or compute something else: it finishes, names each kind, and loses
 * nothing. Usage: test_search [CANDIDATES], 24 unless given; a thousand take minutes and are tried by hand. */
#include <sys/stat.h>

#include "lua_host.h"
#include "unit.h"
#include "strategy.h"
#include "setting.h"
#include "values.h"

static int candidates = 24;

typedef struct World {
    Session *session;
    Strategies *strategies;
    Devices *devices;
    Device *device, *team[3];            /* team: the device first */
    int team_count;                      /* 0: the device alone */
    Results *results;
    Arena *arena;
    int events;
    bool killing;                        /* the first DEVICE_DEATHS versions die, whatever their points; all others are as they should be */
    uint64_t victims[DEVICE_DEATHS];
} World;

/* What becomes of a point, by its parameters. */
static const char *fate(int64_t s0, int64_t s1)
{
    switch ((s0 * 31 + s1 * 17) % 101) {
    case 3: case 13: case 40: return "build failed";
    case 7: case 60: return "died";
    case 11: return "timed out";
    case 17: case 20: case 30: case 95: return "wrong";
    default: return "ok";
    }
}

static int64_t value_of(const Version *v, const char *name)
{
    for (int i = 0; i < v->param_count; i++)
        if (!strcmp(v->params[i].name, name)) return v->params[i].value;
    return 0;
}

static bool is_victim(World *w, const Version *v)
{
    for (int i = 0; i < DEVICE_DEATHS; i++) {
        if (!w->victims[i]) w->victims[i] = v->hash;
        if (w->victims[i] == v->hash) return true;
    }
    return false;
}

/* Kernels that differ, so that none shares the result of another. */
static const char *source(void *data, const Version *v)
{
    World *w = data;
    int64_t s0 = value_of(v, "s0"), s1 = value_of(v, "s1");
    const char *f = w->killing ? is_victim(w, v) ? "died" : "ok" : fate(s0, s1), *body = "out[i] = alpha * xs[i];";
    if (!strcmp(f, "build failed")) body = "this is no C;";
    if (!strcmp(f, "died")) body = "((volatile global int *)8)[i & 1] = 1;";
    if (!strcmp(f, "timed out")) body = "volatile int go = 1; while (go) out[i] = alpha;";
    if (!strcmp(f, "wrong")) body = "out[i] = alpha * xs[i] + 1;";
    return arena_printf(w->arena,
                        "kernel void scal_k0(float alpha, const global float *restrict xs, global float *restrict out)\n{\n"
                        "    size_t i = get_global_linear_id();\n    if (alpha == %lld.5f) out[0] = %lld;\n    %s\n}\n",
                        (long long)s0 * 100000 + 77, (long long)s1, body);
}

static Device *device(void *data) { return ((World *)data)->device; }

static Device *const *devices(void *data, int *count)
{
    World *w = data;
    *count = w->team_count;
    return w->team;
}

static Results *results(void *data) { return ((World *)data)->results; }

static void event(void *data, json_t *e)
{
    ((World *)data)->events++;
    json_decref(e);
}

static void lua(World *w, const char *text)
{
    Buf out = {0};
    LuaChunk chunk = {.text = text, .name = "=test", .out = &out};
    if (!strategies_lua(w->strategies, &chunk)) fail_msg("%s: %s", text, session_ctx(w->session)->diag.message);
    buf_free(&out);
}

static World open_world(void)
{
    Loaded loaded;
    World w = {.session = session_new(), .devices = devices_new(), .arena = arena_new(), .results = results_open(NULL)};
    Ctx *c = session_ctx(w.session);
    const DeviceInfo *info = devices_find(w.devices, "cpu", &c->diag);
    if (!info) return w;
    w.device = device_open(info);
    assert_true(session_load(w.session, TEST_DIR "/../programs/scal.fun", NULL, &loaded));
    assert_true(session_set_size(w.session, "N", 55440));
    assert_true(session_set(w.session, "trials", "1") && session_set(w.session, "warmup", "0") && session_set(w.session, "seeds", "1"));
    assert_true(session_set(w.session, "repeats", "1") && session_set(w.session, "run_timeout", "8"));
    w.strategies = strategies_new(c, session_rules(w.session), session_defs(w.session));
    assert_non_null(w.strategies);
    return w;
}

static void close_world(World *w)
{
    strategies_free(w->strategies);
    session_free(w->session);
    for (int i = 1; i < w->team_count; i++) device_close(w->team[i]);
    device_close(w->device);
    devices_free(w->devices);
    results_close(w->results);
    arena_free(w->arena);
}

static json_t *run_search(World *w)
{
    char budget[20];
    json_t *report = NULL;
    Buf out = {0};
    snprintf(budget, sizeof budget, "%d", candidates);
    json_t *spec = json_pack("{s:s, s:s, s:s, s:i, s:s}", "what", "params", "using", "random", "budget", budget, "seed", 1, "label", "test");
    bool ok = strategies_command(w->strategies, "command", spec, &out, &report);
    print_message("%s", buf_text(&out));
    if (!ok) fail_msg("the search failed: %s", session_ctx(w->session)->diag.message);
    json_decref(spec);
    buf_free(&out);
    return report;
}

static int64_t param(const json_t *trial, const char *name)
{
    return json_integer_value(json_object_get(json_object_get(trial, "params"), name));
}

/* The result store's rows with that state. */
static int recorded(World *w, const char *filter)
{
    Result *rows;
    Diag diag = diag_new();
    int n = results_query(w->results, &(ResultQuery){.filters = &filter, .filter_count = 1}, w->arena, &rows, &diag);
    diag_free(&diag);
    return n;
}

/* A host for each that goes down when a worker dies there. */
static void take_weak_hosts(World *w, int count, const char *folder)
{
    char path[200], launcher[220], id[20];
    snprintf(path, sizeof path, "%s/start", folder);
    FILE *f = fopen(path, "w");
    fprintf(f, "#!/bin/sh\nhost=%s/$1\nshift\n[ ! -e $host ] || { echo it is down >&2; exit 255; }\n\"$@\" || { : >$host; exit 255; }\n", folder);
    fclose(f);
    chmod(path, 0700);
    snprintf(launcher, sizeof launcher, "%s %%h", path);
    devices_set_launcher(w->devices, launcher);
    device_close(w->device);
    for (int i = 0; i < count; i++) {
        Diag diag = diag_new();
        snprintf(id, sizeof id, "pocl0@%d", i);
        const DeviceInfo *info = devices_find(w->devices, id, &diag);
        if (!info) fail_msg("%s: %s", id, diag.message);
        w->team[i] = device_open(info);
        diag_free(&diag);
    }
    w->device = w->team[0];
}

static void find_bad_kernels(int team_count, const char *folder)
{
    World w = open_world();
    if (!w.device) skip();
    w.team[0] = w.device;
    w.team_count = team_count;
    if (folder) take_weak_hosts(&w, team_count, folder);
    else for (int i = 1; i < team_count; i++) w.team[i] = device_open(device_info(w.device));
    StrategyHost host = {.data = &w, .device = device, .devices = devices, .results = results, .event = event, .source = source};
    strategies_host(w.strategies, &host, w.session);
    lua(&w, "v = t.version():apply('splitJoin'):apply('splitJoin', {at = '/in/f/body'}):apply('topdown(mapGlobal(2)) * topdown(mapGlobal(1)) * topdown(mapGlobal(0))'):go()");
    json_t *report = run_search(&w), *trials = json_object_get(report, "trials"), *t;
    size_t i;
    int refused = 0;
    assert_int_equal(json_array_size(trials), candidates);
    json_array_foreach(trials, i, t) {
        const char *was = json_string_value(json_object_get(t, "state")), *want = fate(param(t, "s0"), param(t, "s1"));
        refused += !strcmp(was, "refused");
        if (strcmp(was, want) && strcmp(was, "refused")) fail_msg("trial %zu is %s, not %s", i + 1, was, want);
    }
    assert_true(refused < candidates / 4);
    int lost = (int)json_array_size(json_object_get(report, "lost"));
    assert_int_equal(lost, folder ? 2 : 0);
    assert_int_equal(w.events, candidates + lost);
    Result *rows;
    Diag diag = diag_new();
    const ResultQuery all = {0};
    int stopped = recorded(&w, "state=stopped");         /* where a host went down */
    assert_true(folder ? stopped > 0 : !stopped);
    assert_int_equal(results_query(w.results, &all, w.arena, &rows, &diag), candidates + stopped);
    for (int k = 0; k < candidates; k++) assert_true(result_ended(rows[k].state));
    diag_free(&diag);
    json_decref(report);
    close_world(&w);
}

static void bad_kernels(void **state)
{
    (void)state;
    find_bad_kernels(0, NULL);
}

/* A kernel that takes its worker with it is to blame, for another one can be started: no device is lost. */
static void bad_kernels_on_two_devices(void **state)
{
    (void)state;
    find_bad_kernels(2, NULL);
}

/* It takes its host with it, and the next one's: then it is to blame, and the third goes on. */
static void bad_kernels_on_weak_hosts(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_search.XXXXXX", command[60];
    assert_non_null(mkdtemp(folder));
    find_bad_kernels(3, folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void a_device_that_dies_thrice_is_paused(void **state)
{
    (void)state;
    World w = open_world();
    if (!w.device) skip();
    w.killing = true;
    StrategyHost host = {.data = &w, .device = device, .results = results, .event = event, .source = source};
    strategies_host(w.strategies, &host, w.session);
    lua(&w, "v = t.version():apply('splitJoin'):apply('splitJoin', {at = '/in/f/body'}):apply('topdown(mapGlobal(2)) * topdown(mapGlobal(1)) * topdown(mapGlobal(0))'):go()");
    json_t *spec = json_pack("{s:s, s:s, s:s, s:s}", "what", "params", "using", "random", "budget", "12", "label", "test"), *report = NULL;
    Ctx *c = session_ctx(w.session);
    Buf out = {0};
    assert_false(strategies_command(w.strategies, "command", spec, &out, &report));
    assert_int_equal(c->diag.id, E62);
    assert_non_null(strstr(c->diag.message, "is paused: its worker died 3 times in a row"));
    assert_non_null(strstr(buf_text(&out), "stopped: the device is paused"));
    assert_true(device_paused(w.device, NULL));
    assert_int_equal(recorded(&w, "state=died"), DEVICE_DEATHS);
    assert_int_equal(recorded(&w, "state=ok"), 0);
    assert_int_equal(json_integer_value(json_object_get(report, "evaluations")), DEVICE_DEATHS); /* what it did is reported */
    json_decref(report);
    report = NULL;
    assert_false(strategies_command(w.strategies, "command", spec, &out, &report));                          /* it stays so ... */
    json_decref(report);
    report = NULL;
    assert_int_equal(recorded(&w, "search=test"), DEVICE_DEATHS);
    device_set_paused(w.device, false);                                                          /* ... until it is taken up again */
    assert_true(strategies_command(w.strategies, "command", spec, &out, &report));
    assert_int_equal(json_integer_value(json_object_get(report, "evaluations")), 12);
    assert_int_equal(recorded(&w, "state=died"), DEVICE_DEATHS);                                 /* which were not tried again */
    assert_int_equal(recorded(&w, "search=test"), 12);
    buf_free(&out);
    json_decref(report);
    json_decref(spec);
    close_world(&w);
}

int main(int argc, char **argv)
{
    if (argc > 1) candidates = atoi(argv[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(bad_kernels), cmocka_unit_test(bad_kernels_on_two_devices),
                                       cmocka_unit_test(bad_kernels_on_weak_hosts), cmocka_unit_test(a_device_that_dies_thrice_is_paused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

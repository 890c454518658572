/* The result store: written ahead, shared by processes, honest after a crash, and asked by filters. */
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "results.h"

static char folder[64], file[96];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/lathe-results-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(file, sizeof file, "%s/sub/results.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static Results *open_store(void)
{
    Results *r = results_open(file);
    const char *problem = results_trouble(r);
    if (problem) print_error("%s\n", problem);
    assert_null(problem);
    return r;
}

static Result trial(uint64_t version, const char *params)
{
    Result r = {.key = {.program = "mm", .version = version, .params = params, .sizes = "N=64 K=32", .inputs = "A=default", .device = "pocl0",
                        .device_name = "A CPU", .driver = "3.1", .transfer = "none", .tool = "0.1"},
                .state = RESULT_BUILDING, .flops = 1e6, .bytes = 4e5};
    return r;
}

/* Begin and end a trial. */
static int64_t add(Results *r, uint64_t version, const char *params, ResultState state, double ns)
{
    Result t = trial(version, params);
    int64_t id = results_begin(r, &t);
    assert_true(id > 0);
    t.state = state;
    t.ns = ns;
    t.min_ns = ns * 0.9;
    t.trials = ns > 0 ? 20 : 0;
    t.message = state == RESULT_OK ? "" : "it went wrong";
    assert_true(results_end(r, id, &t));
    return id;
}

/* ---- keys ---- */

static void finds_by_key(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Results *r = open_store();
    Result t = trial(7, "s0=4"), found;
    assert_false(results_find(r, &t.key, arena, &found));
    add(r, 7, "s0=4", RESULT_OK, 500);
    add(r, 7, "s0=4", RESULT_WRONG, 0);
    add(r, 7, "s0=8", RESULT_OK, 400);
    add(r, 7, "s0=4", RESULT_STOPPED, 0);
    assert_true(results_find(r, &t.key, arena, &found));
    assert_int_equal(found.state, RESULT_WRONG);                 /* the newest; a stopped one is none */
    assert_string_equal(found.message, "it went wrong");
    assert_string_equal(found.key.sizes, "N=64 K=32");
    assert_true(found.when > 1700000000);
    t.key.program = "another name";
    assert_true(results_find(r, &t.key, arena, &found));
    ResultKey other = t.key;
    other.driver = "3.2";
    assert_false(results_find(r, &other, arena, &found));
    other = t.key;
    other.version = 8;
    assert_false(results_find(r, &other, arena, &found));
    results_close(r);
    arena_free(arena);
}

static void source_decides_when_both_know_it(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Results *r = results_open(NULL);
    Result t = trial(1, ""), found;
    t.key.source = 5;
    int64_t id = results_begin(r, &t);
    t.state = RESULT_OK;
    assert_true(results_end(r, id, &t));
    assert_true(results_find(r, &t.key, arena, &found));
    t.key.source = 0;
    assert_true(results_find(r, &t.key, arena, &found));
    assert_int_equal(found.key.source, 5);
    t.key.source = 6;
    assert_false(results_find(r, &t.key, arena, &found));
    results_close(r);
    arena_free(arena);
}

/* ---- crashes ---- */

static pid_t crash_after(ResultState last)
{
    pid_t pid = fork();
    if (pid) return pid;
    Results *r = results_open(file);
    Result t = trial(100 + last, "");
    int64_t id = results_begin(r, &t);
    if (last != RESULT_BUILDING) results_state(r, id, last);
    kill(getpid(), SIGKILL);
    _exit(1);
}

static Result only(Results *r, Arena *arena, const char *filter)
{
    Result *list;
    Diag diag = diag_new();
    assert_int_equal(results_query(r, &(ResultQuery){.filters = &filter, .filter_count = 1}, arena, &list, &diag), 1);
    diag_free(&diag);
    return list[0];
}

static void a_crash_leaves_the_culprit(void **state)
{
    (void)state;
    static const ResultState last[] = {RESULT_BUILDING, RESULT_BUILT, RESULT_RUNNING};
    Arena *arena = arena_new();
    pid_t pids[COUNT(last)];
    for (int i = 0; i < COUNT(last); i++) {
        siginfo_t how;
        pids[i] = crash_after(last[i]);
        assert_int_equal(waitid(P_PID, (id_t)pids[i], &how, i ? WEXITED | WNOWAIT : WEXITED), 0);       /* the others stay zombies */
        assert_int_equal(how.si_code, CLD_KILLED);
    }
    Results *r = open_store();
    Result mine = trial(5, "");
    int64_t id = results_begin(r, &mine);
    assert_int_equal(results_recover(r), 3);
    assert_int_equal(results_recover(r), 0);                     /* what this process has begun stays */
    Result built = only(r, arena, "state=stopped"), running = only(r, arena, "message~running"), building = only(r, arena, "message~building");
    assert_int_equal(built.key.version, 100 + RESULT_BUILT);
    assert_int_equal(running.state, RESULT_DIED);
    assert_int_equal(building.state, RESULT_DIED);
    ResultRecord record = {.store = r};
    assert_true(result_interrupted(&record, &running));          /* once more ... */
    assert_int_equal(record.planned.trials, 1);
    running.trials = record.planned.trials;
    assert_false(result_interrupted(&record, &running));         /* ... and not a second time */
    assert_int_equal(record.planned.trials, 2);
    assert_false(result_interrupted(&record, &built));
    building.when = 1;
    assert_false(result_interrupted(&record, &building));        /* the machine was started again since */
    assert_true(result_is_culprit(&running, 1e9));
    assert_false(result_is_culprit(&built, 1));
    running.state = RESULT_TIMED_OUT;
    running.limit_ms = 100;
    assert_true(result_is_culprit(&running, 100));
    assert_false(result_is_culprit(&running, 200));              /* more time than it had then */
    assert_int_equal(result_state_of(&(RunOutcome){.state = STATE_FAILED, .device_status = RUN_DIED}), RESULT_DIED);
    assert_int_equal(result_state_of(&(RunOutcome){.state = STATE_FAILED, .device_status = RUN_LOST}), RESULT_FAILED);
    RunOutcome fault = {.state = STATE_FAILED, .device_status = RUN_LOST, .opencl_code = -36};
    assert_int_equal(result_state_of(&fault), RESULT_DIED);
    assert_int_equal(result_state_of(&(RunOutcome){.state = STATE_FAILED, .device_status = RUN_BAD_LAUNCH}), RESULT_FAILED);
    assert_int_equal(only(r, arena, "state=building").id, id);
    for (int i = 1; i < COUNT(last); i++) waitpid(pids[i], NULL, 0);
    results_close(r);
    arena_free(arena);
}

/* ---- several processes ---- */

enum { WRITERS = 4, EACH = 50 };

static void processes_share_a_file(void **state)
{
    (void)state;
    pid_t pids[WRITERS];
    Arena *arena = arena_new();
    for (int w = 0; w < WRITERS; w++) {
        pids[w] = fork();
        if (pids[w]) continue;
        Results *r = open_store();                               /* all make the file at once */
        for (int i = 0; i < EACH; i++) add(r, (uint64_t)(w * 1000 + i), "", RESULT_OK, 100 + i);
        results_close(r);
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status;
        waitpid(pids[w], &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    Results *r = open_store();
    Result *list;
    Diag diag = diag_new();
    assert_int_equal(results_query(r, &(ResultQuery){.filters = NULL}, arena, &list, &diag), WRITERS * EACH);
    results_close(r);
    diag_free(&diag);
    arena_free(arena);
}

/* ---- files that are no store ---- */

static void falls_back_to_memory(const char *path, const char *why)
{
    Arena *arena = arena_new();
    Results *r = results_open(path);
    const char *problem = results_trouble(r);
    assert_non_null(problem);
    if (!strstr(problem, why)) fail_msg("%s", problem);
    assert_null(results_path(r));
    add(r, 1, "", RESULT_OK, 5);
    Result t = trial(1, ""), found;
    assert_true(results_find(r, &t.key, arena, &found));
    results_close(r);
    arena_free(arena);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static void other_files(void **state)
{
    (void)state;
    char path[160], command[256];
    falls_back_to_memory("/proc/nowhere/results.db", "unable to open");
    snprintf(path, sizeof path, "%s/text.db", folder);
    write_text(path, "This is a text that is long enough to be looked at, and it is no database at all, as anybody can see from it.\n");
    falls_back_to_memory(path, "not a database");
    snprintf(path, sizeof path, "%s/other.db", folder);
    snprintf(command, sizeof command, "sqlite3 %s 'CREATE TABLE mine (x)'", path);
    if (system(command) == 0) falls_back_to_memory(path, "no result store of lathe");
}

static void a_file_that_cannot_be_written_is_read(void **state)
{
    (void)state;
    Results *r = open_store();
    int status;
    add(r, 3, "s0=2", RESULT_OK, 50);
    results_close(r);
    char sub[96];
    snprintf(sub, sizeof sub, "%s/sub", folder);
    assert_int_equal(chmod(file, 0444) | chmod(sub, 0555) | chmod(folder, 0755), 0);
    pid_t pid = fork();
    if (!pid) {
        if (geteuid() == 0 && setuid(65534)) _exit(2);
        Arena *arena = arena_new();
        Result t = trial(3, "s0=2"), found;
        Results *copy = results_open(file);
        _exit(results_trouble(copy) && !results_path(copy) && results_find(copy, &t.key, arena, &found) && results_begin(copy, &t) > 0 ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- queries ---- */

static int count(Results *r, const char *filter)
{
    Arena *arena = arena_new();
    Result *list;
    Diag diag = diag_new();
    int n = results_query(r, &(ResultQuery){.filters = &filter, .filter_count = 1}, arena, &list, &diag);
    if (n < 0) assert_int_equal(diag.id, E05);
    diag_free(&diag);
    arena_free(arena);
    return n;
}

static void filters(void **state)
{
    (void)state;
    Results *r = results_open(NULL);
    add(r, 1, "s0=4 s10=2", RESULT_OK, 400);
    add(r, 2, "s0=32 s10=4", RESULT_OK, 200);
    add(r, 3, "s10=4", RESULT_WRONG, 0);
    add(r, 4, "", RESULT_TIMED_OUT, 0);
    const struct { const char *filter; int count; } table[] = {
        {"state=ok", 2}, {"state!=ok", 2}, {"state=timed-out", 1}, {"state=timed out", 1}, {"s0=4", 1}, {"s0>=4", 2}, {"s10=4", 2},
        {"N=64", 4}, {"K<32", 0}, {"ns>0", 2}, {"ns<0.3us", 3}, {"ms>=0.0004", 1}, {"ms>=0.4us", 1}, {"gflops>=4000", 1}, {"device~POCL", 4},
        {"device!~pocl", 0}, {"version=0000000000000003", 1}, {"timed", 1}, {"a cpu", 4}, {"nothing'; --", 0}, {"program==mm", 4},
        {"s3=4", -1}, {"colour=red", -1}, {"ns=quick", -1}, {"state=good", -1}, {"x'y=1", -1},
    };
    for (int i = 0; i < COUNT(table); i++) {
        int n = count(r, table[i].filter);
        if (n != table[i].count) fail_msg("%s: %d, not %d", table[i].filter, n, table[i].count);
    }
    results_close(r);
}

static void order_limit_and_forget(void **state)
{
    (void)state;
    Results *r = results_open(NULL);
    Arena *arena = arena_new();
    Result *list;
    const char *old = "s0<10";
    Diag diag = diag_new();
    add(r, 1, "s0=4", RESULT_OK, 400);
    add(r, 3, "s0=1", RESULT_WRONG, 0);
    add(r, 2, "s0=32", RESULT_OK, 200);
    assert_int_equal(results_query(r, &(ResultQuery){.limit = 2}, arena, &list, &diag), 2);
    assert_int_equal(list[0].key.version, 2);                    /* the fastest first, those without a time last */
    assert_int_equal(list[1].key.version, 1);
    assert_int_equal(results_query(r, &(ResultQuery){.sort = "-s0"}, arena, &list, &diag), 3);
    assert_int_equal(list[0].key.version, 2);
    assert_int_equal(list[2].key.version, 3);
    assert_int_equal(results_query(r, &(ResultQuery){.sort = "-gflops"}, arena, &list, &diag), 3);
    assert_int_equal(list[0].key.version, 2);
    assert_string_equal(result_text(&list[0], "s0", arena), "32");
    assert_string_equal(result_text(&list[0], "K", arena), "32");
    assert_string_equal(result_text(&list[0], "gflops", arena), "5000");
    assert_string_equal(result_text(&list[2], "ns", arena), "");
    Result odd = list[0];                /* as files may have it */
    odd.when = INT64_MAX, odd.ns = INFINITY;
    assert_string_equal(result_text(&odd, "when", arena), "");
    assert_string_equal(result_text(&odd, "ns", arena), "");
    assert_int_equal(results_forget(r, &(ResultQuery){.filters = &old, .filter_count = 1}, &diag), 2);
    assert_int_equal(results_query(r, &(ResultQuery){.limit = 0}, arena, &list, &diag), 1);
    diag_free(&diag);
    arena_free(arena);
    results_close(r);
}

/* ---- text ---- */

static void tsv_comes_back(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Result *list, *back;
    Buf b = {0}, again = {0};
    Results *r = results_open(NULL);
    Diag diag = diag_new();
    add(r, 0xfedcba9876543210, "s0=4 s1=2", RESULT_OK, 1234567.5);
    Result t = trial(5, "s2=1");
    t.state = RESULT_WRONG;
    t.message = "a \"quoted\", message\twith\nall\\kinds";
    t.features = "{\"x\": 1.5}";
    t.derivation = "splitJoin(4) at /in; lower";
    t.times = "1200.5 1180";
    t.verify_ms = 7.25;
    results_begin(r, &t);
    int n = results_query(r, &(ResultQuery){.sort = "id"}, arena, &list, &diag);
    results_write(list, n, FORMAT_TSV, true, &b);
    snprintf(file, sizeof file, "%s/all.tsv", folder);
    write_text(file, b.data);
    Results *copy = results_read(file, NULL, NULL, &diag);
    assert_non_null(copy);
    assert_int_equal(results_query(copy, &(ResultQuery){.sort = "id"}, arena, &back, &diag), n);
    results_write(back, n, FORMAT_TSV, true, &again);
    assert_string_equal(b.data, again.data);
    assert_string_equal(back[1].message, t.message);
    assert_true(back[0].ns == 1234567.5 && back[0].key.version == 0xfedcba9876543210);
    buf_clear(&b);
    results_write(&back[1], 1, FORMAT_CSV, true, &b);
    assert_non_null(strstr(b.data, ",\"a \"\"quoted\"\", message\twith\nall\\kinds\",\"{\"\"x\"\": 1.5}\","));
    assert_non_null(strstr(b.data, "\r\n"));
    buf_free(&b);
    buf_free(&again);
    results_close(r);
    results_close(copy);
    diag_free(&diag);
    arena_free(arena);
}

static void stores_merge(void **state)
{
    (void)state;
    Diag diag = diag_new();
    Results *here = results_open(NULL), *there = results_open(NULL);
    Arena *arena = arena_new();
    Result found, under_way = trial(9, "s0=8"), *list;
    int64_t known;
    volatile int stop = 1;
    add(here, 3, "s0=2", RESULT_OK, 50);
    add(there, 3, "s0=2", RESULT_OK, 40);
    add(there, 3, "s0=2", RESULT_OK, 40.5);          /* the same again is another trial */
    add(there, 4, "s0=4", RESULT_DIED, 0);
    under_way.state = RESULT_RUNNING;
    results_begin(there, &under_way);
    assert_int_equal(results_merge(here, there, &stop, &known, &diag), -1);
    assert_int_equal(diag.id, E25);
    assert_int_equal(count(here, "program=mm"), 1);
    assert_int_equal(results_merge(here, there, NULL, &known, &diag), 3);
    assert_int_equal(known, 0);
    assert_int_equal(results_merge(here, there, NULL, &known, &diag), 0);
    assert_int_equal(known, 3);
    assert_int_equal(count(here, "program=mm"), 4);
    assert_int_equal(count(here, "state=running"), 0);
    Result wanted = trial(4, "s0=4");
    assert_true(results_find(here, &wanted.key, arena, &found) && found.state == RESULT_DIED);
    assert_int_equal(results_query(here, &(ResultQuery){.sort = "id"}, arena, &list, &diag), 4);
    assert_string_equal(list[1].session, results_session(there));
    results_close(here);
    results_close(there);
    diag_free(&diag);
    arena_free(arena);
}

static void broken_tsv(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x\n", "state\tns\n", "state\tns\tparams\nok\t1\n", "state\tns\tparams\ngood\t1\t\n"};
    snprintf(file, sizeof file, "%s/broken.tsv", folder);
    for (int i = 0; i < COUNT(texts); i++) {
        Diag diag = diag_new();
        write_text(file, texts[i]);
        assert_null(results_read(file, NULL, NULL, &diag));
        assert_int_equal(diag.id, E03);
        diag_free(&diag);
    }
}

static void t4_names_what_was_wrong(void **state)
{
    (void)state;
    static const char *const names[RESULT_STATES] = {
        [RESULT_OK] = "correct", [RESULT_WRONG] = "correctness", [RESULT_REFUSED] = "constraints", [RESULT_BUILD_FAILED] = "compile",
        [RESULT_FAILED] = "runtime", [RESULT_TIMED_OUT] = "timeout", [RESULT_DIED] = "runtime",
    };
    for (int i = 0; i < RESULT_STATES; i++) {
        Result t = trial(1, "s0=4");
        Buf b = {0};
        t.state = (ResultState)i;
        t.features = "{}";
        t.derivation = t.message = t.search = t.session = "";
        t.key.options = "";
        results_write(&t, 1, FORMAT_T4, true, &b);
        json_t *j = json_loads(b.data, 0, NULL);
        json_t *one = json_array_get(json_object_get(j, "results"), 0);
        if (!names[i]) assert_null(one);
        else assert_string_equal(json_string_value(json_object_get(one, "invalidity")), names[i]);
        json_decref(j);
        buf_free(&b);
    }
}

/* The schema of T4 1.0.0, as far as lathe fills it: what every object must have, what it may have, and of which type. */
static void has(const json_t *o, const char *key, json_type type)
{
    const json_t *v = json_object_get(o, key);
    if (!v || (json_typeof(v) != type && !(type == JSON_REAL && json_is_number(v)))) fail_msg("%s is missing, or of another type", key);
}

static void may_have_number(const json_t *o, const char *key) { assert_true(!json_object_get(o, key) || json_is_number(json_object_get(o, key))); }

static json_t *written(const Result *list, int n, bool metadata)
{
    Buf b = {0};
    if (metadata) results_write_metadata(list, n, &b);
    else results_write(list, n, FORMAT_T4, true, &b);
    json_t *j = json_loads(b.data, 0, NULL);
    assert_non_null(j);
    assert_string_equal(json_string_value(json_object_get(j, "schema_version")), "1.0.0");
    buf_free(&b);
    return j;
}

static Result timed(const char *params, const char *times)
{
    Result t = trial(1, params);
    t.state = RESULT_OK;
    t.ns = 2000;
    t.min_ns = 1000;
    t.trials = 3;
    t.times = times;
    t.build_ms = 12;
    t.verify_ms = 34;
    t.features = "{}";
    t.derivation = t.message = t.session = "";
    t.search = "search params using random -o gbps --budget 5";
    return t;
}

static void t4_has_the_shape_of_its_schema(void **state)
{
    (void)state;
    const Result list[] = {timed("s0=4", "3000.5 1000 2000"), timed("s0=8", "")};
    json_t *j = written(list, 2, false), *results = json_object_get(j, "results"), *one, *m;
    size_t i, k;
    assert_int_equal(json_array_size(results), 2);
    json_array_foreach(results, i, one) {
        json_t *times = json_object_get(one, "times"), *runtimes = json_object_get(times, "runtimes"), *measurements = json_object_get(one, "measurements");
        has(one, "timestamp", JSON_STRING);
        has(one, "configuration", JSON_OBJECT);
        has(one, "objectives", JSON_ARRAY);
        has(one, "times", JSON_OBJECT);
        has(one, "invalidity", JSON_STRING);
        has(one, "correctness", JSON_REAL);
        has(one, "measurements", JSON_ARRAY);
        has(times, "runtimes", JSON_ARRAY);
        may_have_number(times, "framework");
        may_have_number(times, "search_algorithm");
        assert_true(json_number_value(json_object_get(times, "compilation_time")) == 12);
        assert_true(json_number_value(json_object_get(times, "validation")) == 34);
        assert_int_equal(json_array_size(runtimes), i == 0 ? 3 : 1);             /* without its own times: the median */
        if (i == 0) assert_true(fabs(json_number_value(json_array_get(runtimes, 0)) - 0.0030005) < 1e-12);
        json_array_foreach(measurements, k, m) {
            has(m, "name", JSON_STRING);
            has(m, "value", JSON_REAL);
            has(m, "unit", JSON_STRING);
        }
        const char *aim = json_string_value(json_array_get(json_object_get(one, "objectives"), 0));
        json_array_foreach(measurements, k, m)
            if (!strcmp(json_string_value(json_object_get(m, "name")), aim)) break;
        assert_true(!strcmp(aim, "GB/s") && k < json_array_size(measurements));  /* what a search was for is among what was measured */
    }
    json_decref(j);
    j = written(list, 2, true);
    json_t *metadata = json_object_get(j, "metadata"), *hardware = json_object_get(metadata, "hardware"), *environment = json_object_get(metadata, "environment");
    has(hardware, "hardware_description", JSON_ARRAY);
    has(hardware, "operating_system", JSON_STRING);
    has(environment, "device_query", JSON_OBJECT);
    has(environment, "requirements", JSON_ARRAY);
    assert_string_equal(json_string_value(json_object_get(json_object_get(json_object_get(environment, "device_query"), "pocl0"), "name")), "A CPU");
    json_decref(j);
}

/* What is written as T4 is read back as it was, as far as T4 says it. */
static void t4_is_read_back(void **state)
{
    (void)state;
    Result list[] = {timed("s0=4 s1=2", "3000.5 1000 2000"), timed("s0=8 s1=2", "2000"), timed("s0=16 s1=2", ""), timed("s0=32 s1=2", "")}, *read;
    list[1].trials = 1;
    list[1].min_ns = 2000;
    list[1].derivation = "splitJoin; lower";
    list[2].state = RESULT_BUILD_FAILED;
    list[3].state = RESULT_TIMED_OUT;
    for (int i = 0; i < COUNT(list); i++) list[i].when = 1700000000 + i;
    Buf b = {0};
    Arena *arena = arena_new();
    Diag diag = diag_new();
    results_write(list, COUNT(list), FORMAT_T4, true, &b);
    snprintf(file, sizeof file, "%s/back.json", folder);
    write_text(file, buf_text(&b));
    Results *r = results_read(file, NULL, NULL, &diag);
    if (!r) fail_msg("%s", diag.message);
    assert_int_equal(results_query(r, &(ResultQuery){.sort = "id"}, arena, &read, &diag), COUNT(list));
    for (int i = 0; i < COUNT(list); i++) {
        assert_int_equal(read[i].state, list[i].state);
        assert_string_equal(read[i].key.params, list[i].key.params);
        assert_string_equal(read[i].key.program, list[i].key.program);
        assert_string_equal(read[i].key.sizes, list[i].key.sizes);
        assert_string_equal(read[i].key.device, list[i].key.device);
        assert_string_equal(read[i].derivation, list[i].derivation);
        assert_int_equal(read[i].when, list[i].when);
        assert_true(fabs(read[i].build_ms - list[i].build_ms) < 1e-9 && fabs(read[i].verify_ms - list[i].verify_ms) < 1e-9);
        if (list[i].state != RESULT_OK) continue;
        assert_true(fabs(read[i].ns - list[i].ns) < 1e-6 && fabs(read[i].min_ns - list[i].min_ns) < 1e-6);
        assert_int_equal(read[i].trials, list[i].trials);
        assert_string_equal(read[i].times, list[i].times);
        assert_true(fabs(read[i].flops - list[i].flops) <= 1e-6 * list[i].flops);
    }
    results_close(r);
    static const char *const wrong[] = {"{", "{}", "{\"results\": {}}", "{\"results\": [{}]}", "{\"results\": [{\"configuration\": {}, \"invalidity\": \"odd\"}]}",
                                        "{\"results\": [{\"invalidity\": \"correct\"}]}", "{\"results\": [1]}", "{\"ConfigurationSpace\": {}}"};
    for (int i = 0; i < COUNT(wrong); i++) {
        diag_clear(&diag);
        write_text(file, wrong[i]);
        assert_null(results_read(file, NULL, NULL, &diag));
        assert_int_equal(diag.id, E03);
    }
    buf_free(&b);
    diag_free(&diag);
    arena_free(arena);
}

/* The first version of the store, as it was. */
#define FIRST_ROWS "identity,process,version,params,sizes,inputs,options,device,device_name,driver,transfer,tool,source,program,state,ns," \
    "min_ns,iqr_ns,limit_ms,trials,build_ms,flops,bytes,message,derivation,search,sequence,features,at,number,session"

/* Without times of single executions and without searches. */
static void older_stores_are_taken_on(void **state)
{
    (void)state;
    sqlite3 *db;
    Arena *arena = arena_new();
    Result t = trial(3, "s0=2"), found;
    Results *r = open_store();
    add(r, 3, "s0=2", RESULT_OK, 50);
    results_close(r);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE old (id INTEGER PRIMARY KEY," FIRST_ROWS ");"
                                      "INSERT INTO old (" FIRST_ROWS ") SELECT " FIRST_ROWS " FROM result; DROP TABLE result;"
                                      "ALTER TABLE old RENAME TO result; DROP TABLE search; PRAGMA user_version=1",
                                  NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    Diag diag = diag_new();
    Results *copy = results_read(file, NULL, NULL, &diag);
    assert_true(copy && results_find(copy, &t.key, arena, &found) && found.ns == 50);
    results_close(copy);
    r = open_store();
    assert_true(results_find(r, &t.key, arena, &found) && found.ns == 50 && !*found.times);
    add(r, 4, "s0=2", RESULT_OK, 60);
    results_close(r);
    r = open_store();
    assert_int_equal(count(r, "program=mm"), 2);
    results_close(r);
    diag_free(&diag);
    arena_free(arena);
}

/* ---- groups ---- */

static void a_kernel_counts_once(void **state)
{
    (void)state;
    Results *r = results_open(NULL);
    Arena *arena = arena_new();
    Result *list;
    ResultGroup *groups;
    Diag diag = diag_new();
    add(r, 1, "s0=1", RESULT_OK, 400);
    add(r, 2, "s0=2", RESULT_WRONG, 0);
    add(r, 1, "s0=1", RESULT_OK, 200);           /* again, faster */
    add(r, 3, "s0=3", RESULT_OK, 100);
    add(r, 4, "s0=4", RESULT_STOPPED, 0);        /* no result */
    int n = results_query(r, &(ResultQuery){.sort = "-ns"}, arena, &list, &diag);
    assert_int_equal(results_group(list, n, arena, &groups), 1);
    assert_int_equal(groups[0].count, 3);
    assert_int_equal(groups[0].valid, 2);
    assert_true(groups[0].best->ns == 100);
    assert_true(groups[0].performance[0] == 0.5 && groups[0].performance[1] == 0 && groups[0].performance[2] == 1);      /* in order of trials */
    assert_true(groups[0].ascending[0] == 0 && groups[0].ascending[2] == 1);
    diag_free(&diag);
    arena_free(arena);
    results_close(r);
}

static void rank_among_versions(void **state)
{
    (void)state;
    Results *r = results_open(NULL);
    Result t = trial(9, "");
    int place;
    assert_int_equal(results_rank(r, &t.key, 100, &place), 0);
    add(r, 1, "", RESULT_OK, 400);
    add(r, 1, "", RESULT_OK, 300);               /* a version counts once, by its best */
    add(r, 2, "", RESULT_OK, 200);
    add(r, 3, "", RESULT_WRONG, 0);
    assert_int_equal(results_rank(r, &t.key, 200, &place), 2);
    assert_int_equal(place, 1);
    results_rank(r, &t.key, 350, &place);
    assert_int_equal(place, 3);
    t = trial(1, "");
    results_rank(r, &t.key, 350, &place);        /* slower than it was before: still second of two */
    assert_int_equal(place, 2);
    t.key.sizes = "N=1";
    assert_int_equal(results_rank(r, &t.key, 200, &place), 0);
    results_close(r);
}

/* Two programs of one name, and runs timed with transfers, are not ranked or grouped with what they are not. */
static void what_is_not_compared(void **state)
{
    (void)state;
    Results *r = results_open(NULL);
    Arena *arena = arena_new();
    Result *list, t = trial(1, "s0=1");
    ResultGroup *groups;
    int place;
    Diag diag = diag_new();
    t.state = RESULT_OK;
    t.trials = 1;
    static const struct { uint64_t origin; const char *transfer; double ns; } runs[] = {
        {0x11111111aaaaaaaa, "none", 300}, {0x22222222aaaaaaaa, "none", 100}, {0x11111111aaaaaaaa, "both", 50}};
    for (int i = 0; i < 3; i++) {
        t.key.version = (uint64_t)i + 1;
        t.key.origin = runs[i].origin;
        t.key.transfer = runs[i].transfer;
        t.ns = runs[i].ns;
        assert_true(results_begin(r, &t) > 0);
    }
    t.key.origin = runs[0].origin;
    t.key.version = 1;
    assert_int_equal(results_rank(r, &t.key, 300, &place), 1);
    assert_int_equal(place, 1);
    int n = results_query(r, &(ResultQuery){.sort = "id"}, arena, &list, &diag);
    assert_int_equal(n, 3);
    assert_true(list[1].key.origin == runs[1].origin);
    assert_int_equal(results_group(list, n, arena, &groups), 2);
    assert_string_equal(groups[0].program, "mm#11111111");
    assert_string_equal(groups[1].program, "mm#22222222");
    assert_int_equal(groups[0].count, 1);
    assert_true(groups[0].best->ns == 300 && groups[1].best->ns == 100);
    diag_free(&diag);
    arena_free(arena);
    results_close(r);
}

static void every_column_is_there(void **state)
{
    (void)state;
    char filter[64];
    Results *r = results_open(NULL);
    add(r, 1, "s0=4", RESULT_OK, 400);
    for (int i = 0; i < result_column_count(); i++) {
        const ResultColumn *c = result_column(i);
        Arena *arena = arena_new();
        Result *list;
        Diag diag = diag_new();
        assert_int_equal(results_query(r, &(ResultQuery){.sort = c->name}, arena, &list, &diag), 1);
        snprintf(filter, sizeof filter, "%s~%s", c->name, c->kind == COLUMN_TEXT ? result_text(&list[0], c->name, arena) : "");
        if (count(r, filter) != 1) fail_msg("%s: what is shown is not what is stored", filter);
        diag_free(&diag);
        arena_free(arena);
    }
    results_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_by_key, make_folder, remove_folder),
        cmocka_unit_test(source_decides_when_both_know_it),
        cmocka_unit_test_setup_teardown(a_crash_leaves_the_culprit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(processes_share_a_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_written_is_read, make_folder, remove_folder),
        cmocka_unit_test(filters),
        cmocka_unit_test(order_limit_and_forget), cmocka_unit_test(rank_among_versions),
        cmocka_unit_test_setup_teardown(tsv_comes_back, make_folder, remove_folder),
        cmocka_unit_test(stores_merge), cmocka_unit_test_setup_teardown(broken_tsv, make_folder, remove_folder), cmocka_unit_test(t4_names_what_was_wrong),
        cmocka_unit_test(t4_has_the_shape_of_its_schema), 
        cmocka_unit_test_setup_teardown(t4_is_read_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(older_stores_are_taken_on, make_folder, remove_folder),
        cmocka_unit_test(a_kernel_counts_once),
        cmocka_unit_test(what_is_not_compared), cmocka_unit_test(every_column_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

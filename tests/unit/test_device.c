/* device, process, protocol and lathe-worker together. Needs PoCL; the checking device as well for its own tests.
 * LATHE_WORKER names the worker unless it lies beside this program; LATHE_TEST_DEVICE another device than pocl0. */
#include <dirent.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "device.h"
#include "protocol.h"

enum { N = 1024 };

typedef struct Fixture {
    Devices *devices;
    Device *main, *checker;
    Diag diag;
} Fixture;

static const char add_source[] =
    "kernel void add(global const float *a, global const float *b, global float *c)\n"
    "{ size_t i = get_global_id(0); c[i] = a[i] + b[i]; }\n"
    "kernel void scale(global float *c, float f) { c[get_global_id(0)] *= f; }\n"
    "kernel void shift(global const float *t, global float *c, local float *l)\n"
    "{ size_t i = get_local_id(0); l[i] = t[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  c[get_global_id(0)] = l[(i + 1) % get_local_size(0)]; }\n";

static const char trouble_source[] =
    "kernel void spin(global volatile int *o) { while (o[0] != 77) o[1] = 1; }\n"
    "kernel void wild(global int *o, long far) { o[far + get_global_id(0)] = 1; }\n"
    "kernel void over(global int *o, int n) { o[get_global_id(0) + n] = 3; }\n"
    "kernel void race(global int *o) { o[0] = get_global_id(0); }\n"
    "kernel void good(global int *o) { o[get_global_id(0)] = 5; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(global int *o) { o[get_global_id(0)] = 4; }\n";

static const char *add_kernels[] = {"add", "scale", "shift"};
static const char *trouble_kernels[] = {"spin", "wild", "over", "race", "good", "four"};
enum { SPIN, WILD, OVER, RACE, GOOD, FOUR };

/* ---- helpers ---- */

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->diag = diag_new();
    f->devices = devices_new();
    const char *name = getenv("LATHE_TEST_DEVICE");
    const DeviceInfo *found = devices_find(f->devices, name ? name : "pocl0", NULL);
    const DeviceInfo *checker = devices_find(f->devices, "oclgrind", NULL);
    if (found) f->main = device_open(found);
    else print_message("no such platform: most tests are skipped\n");
    if (checker) f->checker = device_open(checker);
    else print_message("no Oclgrind: its tests are skipped\n");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    device_close(f->main);
    device_close(f->checker);
    devices_free(f->devices);
    diag_free(&f->diag);
    free(f);
    return 0;
}

static Device *need(Fixture *f, bool checker)
{
    Device *d = checker ? f->checker : f->main;
    if (!d) skip();
    diag_clear(&f->diag);
    return d;
}

static void check_ok(Fixture *f, bool ok, const char *const *log)
{
    Buf b = {0};
    if (!ok) diag_render(&f->diag, &b);
    if (!ok) print_error("%s\n%s\n", buf_text(&b), *log);
    buf_free(&b);
    assert_true(ok);
    assert_false(diag_failed(&f->diag));
}

static int build(Fixture *f, Device *d, const char *source, const char **names, int n)
{
    int program = -1;
    BuildReport r;
    check_ok(f, device_build(d, source, names, n, &program, &r, &f->diag), &r.log);
    assert_int_equal(r.status, RUN_OK);
    assert_int_equal(r.kernel_count, n);
    for (int i = 0; i < n; i++) assert_true(r.kernels[i].max_group > 0);
    return program;
}

static LaunchArg value_arg(const void *v, size_t n)
{
    LaunchArg a = {.kind = ARG_VALUE, .bytes = n};
    memcpy(a.value, v, n);
    return a;
}

static LaunchArg buffer_arg(int i) { return (LaunchArg){.kind = ARG_BUFFER, .buffer = i}; }
static LaunchArg local_arg(size_t n) { return (LaunchArg){.kind = ARG_LOCAL, .bytes = n}; }

/* One kernel of trouble_source over 8 work-items of groups of local, with one output of 8 ints and an optional number. */
static RunReport run_trouble(Fixture *f, Device *d, int program, int kernel, const LaunchArg *extra, size_t local, int *out)
{
    RunReport r;
    LaunchArg args[2] = {buffer_arg(0)};
    if (extra) args[1] = *extra;
    Launch l = {.kernel = kernel, .arg_count = extra ? 2 : 1, .args = args,
                .global = {8, 1, 1}, .local = {local, local > 0, local > 0}};
    RunBuffer b = {.role = BUF_OUTPUT, .bytes = 8 * sizeof *out, .output = out};
    RunRequest q = {.program = program, .launch_count = 1, .launches = &l, .buffer_count = 1, .buffers = &b,
                    .trials = 1, .canaries = true, false};
    diag_clear(&f->diag);
    bool ok = device_run(d, &q, &r, &f->diag);
    assert_int_equal(ok, r.status == RUN_OK);
    assert_int_equal(diag_failed(&f->diag), r.status != RUN_OK);
    assert_non_null(r.log);
    return r;
}

static void expect(Fixture *f, RunReport r, RunStatus status, ErrorId id, const char *part)
{
    if (r.status != status || (part && !strstr(f->diag.message, part))) {
        Buf b = {0};
        diag_render(&f->diag, &b);
        print_error("status %d\n%s\n%s\n", (int)r.status, buf_text(&b), r.log);
        buf_free(&b);
    }
    assert_int_equal(r.status, status);
    assert_int_equal(f->diag.id, id);
    if (part) assert_non_null(strstr(f->diag.message, part));
}

static void expect_good(Fixture *f, Device *d, int program)
{
    int out[8] = {0};
    RunReport r = run_trouble(f, d, program, GOOD, NULL, 0, out);
    check_ok(f, r.status == RUN_OK, &r.log);
    for (int i = 0; i < 8; i++) assert_int_equal(out[i], 5);
}

static int count_entries(const char *folder, const char *prefix)
{
    int n = 0;
    DIR *dir = opendir(folder);
    struct dirent *e;
    while (dir && (e = readdir(dir)) != NULL) n += !strncmp(e->d_name, prefix, strlen(prefix));
    if (dir) closedir(dir);
    return n;
}

/* ---- building and running ---- */

static void run_add(Fixture *f, Device *d, int program, int trials)
{
    static float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = 1, c[i] = 0;
    float two = 2;
    LaunchArg first[] = {buffer_arg(0), buffer_arg(1), buffer_arg(2)}, second[] = {buffer_arg(2), value_arg(&two, 4)},
              third[] = {buffer_arg(2), buffer_arg(3), local_arg(8 * sizeof *a)};
    Launch l[] = {{0, 3, first, {N, 1, 1}, {0}, 0}, {1, 2, second, {N, 1, 1}, {16, 1, 1}, 0}, {2, 3, third, {N, 1, 1}, {8, 1, 1}, 0}};
    RunBuffer buffers[] = {{.role = BUF_INPUT, .bytes = sizeof a, .input = a}, {.role = BUF_INPUT, .bytes = sizeof b, .input = b},
                           {.role = BUF_TEMP, .bytes = sizeof c, .fill = 0xff},
                           {.role = BUF_OUTPUT, .bytes = sizeof c, .output = c, .fill = 0xff}};
    RunRequest q = {program, 3, l, 4, buffers, trials > 1 ? 2 : 0, trials, true, TRANSFER_NONE, true, trials > 1, false, 0, NULL};
    RunReport r;
    check_ok(f, device_run(d, &q, &r, &f->diag), &r.log);
    assert_int_equal(r.trial_count, trials);
    for (int i = 0; i < trials; i++) {
        double sum = r.kernels_ns[3 * i] + r.kernels_ns[3 * i + 1] + r.kernels_ns[3 * i + 2];
        assert_true(r.times_ns[i] > 0 && sum > 0.999 * r.times_ns[i] && sum < 1.001 * r.times_ns[i]);
    }
    for (int i = 0; i < N; i++) assert_true(c[i] == (float)(i % 8 == 7 ? i - 6 : i + 2) * 2);
}

static void test_add(void **state)
{
    Device *d = need(*state, false);
    int program = build(*state, d, add_source, add_kernels, 3);
    run_add(*state, d, program, 1);
    run_add(*state, d, program, 20);
    device_forget(d, program);
}

static void test_add_checked(void **state)
{
    Device *d = need(*state, true);
    int program = build(*state, d, add_source, add_kernels, 3);
    run_add(*state, d, program, 1);
    device_forget(d, program);
}

static void test_inputs_are_kept(void **state)
{
    Device *d = need(*state, false);
    int program = build(*state, d, add_source, add_kernels, 3);
    run_add(*state, d, program, 1);
    int64_t before = device_uploaded(d);
    run_add(*state, d, program, 3);
    assert_int_equal(device_uploaded(d), before);
    assert_int_equal(kill(device_worker_id(d), SIGKILL), 0);
    run_add(*state, d, program, 1);
    assert_int_equal(device_uploaded(d), before + 2 * N * (int64_t)sizeof(float));
    device_forget(d, program);
}

static void test_large_buffers(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    size_t n = (size_t)9 << 20;
    static const char *names[] = {"k"};
    int program = build(f, d, "kernel void k(global const int *a, global int *o)\n"
                              "{ o[get_global_id(0)] = a[get_global_id(0)] + 1; }", names, 1);
    int *a = malloc(n * sizeof *a), *o = calloc(n, sizeof *o);
    for (size_t i = 0; i < n; i++) a[i] = (int)i;
    LaunchArg args[] = {buffer_arg(0), buffer_arg(1)};
    Launch l = {0, 2, args, {n, 1, 1}, {0}, 0};
    RunBuffer buffers[] = {{.role = BUF_INPUT, .bytes = n * sizeof *a, .input = a}, {.role = BUF_OUTPUT, .bytes = n * sizeof *o, .output = o}};
    RunRequest q = {program, 1, &l, 2, buffers, 0, 1, true, TRANSFER_NONE, false, false, false, 0, NULL};
    RunReport r;
    check_ok(f, device_run(d, &q, &r, &f->diag), &r.log);
    for (size_t i = 0; i < n; i++)
        if (o[i] != (int)i + 1) fail_msg("o[%zu] = %d", i, o[i]);
    for (Transfer t = TRANSFER_TO; t <= TRANSFER_BOTH; t++) {      /* what is timed with it changes no result */
        memset(o, 0, n * sizeof *o);
        q.trials = 2;
        q.transfer = t;
        check_ok(f, device_run(d, &q, &r, &f->diag), &r.log);
        assert_int_equal(r.trial_count, 2);
        for (size_t i = 0; i < n; i++)
            if (o[i] != (int)i + 1) fail_msg("with transfers %s o[%zu] = %d", transfer_name(t), i, o[i]);
    }
    free(a);
    free(o);
    device_forget(d, program);
}

static void check_build_failure(Fixture *f, Device *d)
{
    const char *names[] = {"k"};
    int program = -1;
    BuildReport r;
    assert_false(device_build(d, "kernel void k(global int *o) { o[0] = missing_name; }", names, 1, &program, &r, &f->diag));
    assert_int_equal(r.status, RUN_BUILD_FAILED);
    assert_int_equal(r.opencl_code, -11);
    assert_non_null(strstr(r.log, "missing_name"));
    assert_int_equal(f->diag.id, E61);
    assert_non_null(strstr(f->diag.message, "kernel k does not build"));
    diag_clear(&f->diag);
    assert_false(device_build(d, "kernel void other(global int *o) { o[0] = 1; }", names, 1, &program, &r, &f->diag));
    assert_int_equal(r.status, RUN_BUILD_FAILED);
    assert_int_equal(f->diag.id, E61);
}

static void test_build_failure(void **state) { check_build_failure(*state, need(*state, false)); }
static void test_build_failure_checked(void **state) { check_build_failure(*state, need(*state, true)); }

/* ---- trouble ---- */

static void test_endless(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    int program = build(f, d, trouble_source, trouble_kernels, 6), out[8];
    expect_good(f, d, program);
    device_set_limits(d, (DeviceLimits){60000, 1000});
    int64_t start = clock_ms();
    expect(f, run_trouble(f, d, program, SPIN, NULL, 0, out), RUN_TIMED_OUT, E62, "kernel spin timed out after 1.0 s");
    assert_in_range(clock_ms() - start, 900, 4000);
    assert_int_equal(device_worker_id(d), 0);
    device_set_limits(d, (DeviceLimits){60000, 10000});
    expect_good(f, d, program);
    device_forget(d, program);
}

static void test_segfault(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    int program = build(f, d, trouble_source, trouble_kernels, 6), out[8];
    int64_t far = (int64_t)1 << 40;
    LaunchArg arg = value_arg(&far, sizeof far);
    RunReport r = run_trouble(f, d, program, WILD, &arg, 0, out);
    if (device_info(d)->is_gpu) expect(f, r, RUN_LOST, E62, "failed with kernel wild");
    else {
        assert_int_equal(r.signal, SIGSEGV);
        expect(f, r, RUN_DIED, E62, "signal 11");
    }
    expect_good(f, d, program);
    device_forget(d, program);
}

static void test_overrun(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    int program = build(f, d, trouble_source, trouble_kernels, 6), out[8], n = 1;
    LaunchArg arg = value_arg(&n, sizeof n);
    expect(f, run_trouble(f, d, program, OVER, &arg, 0, out), RUN_FINDING, E64, "past the end of output 0");
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 3);
    n = -2;
    arg = value_arg(&n, sizeof n);
    expect(f, run_trouble(f, d, program, OVER, &arg, 0, out), RUN_FINDING, E64, "before the start of output 0: 8 of 4096 guard bytes changed, first at byte -8");
    expect_good(f, d, program);
    device_forget(d, program);
}

static void test_checker(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, true);
    int program = build(f, d, trouble_source, trouble_kernels, 6), out[8], n = 1;
    LaunchArg arg = value_arg(&n, sizeof n);
    for (int i = 0; i < 2; i++) {
        expect(f, run_trouble(f, d, program, RACE, NULL, 0, out), RUN_FINDING, E64, "Write-write data race");
        expect_good(f, d, program);
        expect(f, run_trouble(f, d, program, OVER, &arg, 0, out), RUN_FINDING, E64, "Invalid write");
        expect_good(f, d, program);
    }
    device_forget(d, program);
}

static void check_bad_launches(Fixture *f, Device *d)
{
    int program = build(f, d, trouble_source, trouble_kernels, 6), out[8], n = 1;
    LaunchArg arg = value_arg(&n, sizeof n);
    expect(f, run_trouble(f, d, program, GOOD, NULL, 3, out), RUN_BAD_LAUNCH, E65, "no multiple of local size 3");
    expect(f, run_trouble(f, d, program, GOOD, NULL, (size_t)1 << 40, out), RUN_BAD_LAUNCH, E65, NULL);
    expect(f, run_trouble(f, d, program, GOOD, &arg, 0, out), RUN_BAD_LAUNCH, E65, "takes 1 arguments, 2 were given");
    expect(f, run_trouble(f, d, program, WILD, &arg, 0, out), RUN_BAD_LAUNCH, E65, "argument 1 does not fit");
    expect(f, run_trouble(f, d, program, FOUR, NULL, 2, out), RUN_BAD_LAUNCH, E65, "work-groups of 4x1x1, not 2x1x1");
    expect(f, run_trouble(f, d, program, 17, NULL, 0, out), RUN_BAD_LAUNCH, E65, "no kernel 17");
    expect(f, run_trouble(f, d, 4711, GOOD, NULL, 0, out), RUN_BAD_LAUNCH, E65, "no program 4711");
    arg = buffer_arg(3);
    expect(f, run_trouble(f, d, program, OVER, &arg, 0, out), RUN_BAD_LAUNCH, E65, "there is no buffer 3");
    Launch l = {.kernel = GOOD, .arg_count = 0, .global = {8, 0, 1}};
    RunRequest q = {.program = program, .launch_count = 1, .launches = &l, .trials = 1};
    RunReport r;
    diag_clear(&f->diag);
    assert_false(device_run(d, &q, &r, &f->diag));
    expect(f, r, RUN_BAD_LAUNCH, E65, "global size 1 is 0");
    expect_good(f, d, program);
    device_forget(d, program);
}

static void test_bad_launches(void **state) { check_bad_launches(*state, need(*state, false)); }

static void test_big_group(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    size_t most = (size_t)device_info(d)->max_group, n = most * 2;
    int program = build(f, d, trouble_source, trouble_kernels, 6);
    LaunchArg args[] = {buffer_arg(0)};
    Launch l = {.kernel = GOOD, .arg_count = 1, .args = args, .global = {n, 1, 1}, .local = {n, 1, 1}};
    RunBuffer b = {.role = BUF_TEMP, .bytes = n * sizeof(int)};
    RunRequest q = {.program = program, .launch_count = 1, .launches = &l, .buffer_count = 1, .buffers = &b, .trials = 1};
    RunReport r;
    assert_false(device_run(d, &q, &r, &f->diag));
    expect(f, r, RUN_BAD_LAUNCH, E65, "the device allows");
    device_forget(d, program);
}

static void test_killed_between(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    int program = build(f, d, trouble_source, trouble_kernels, 6);
    for (int i = 0; i < 3; i++) {
        expect_good(f, d, program);
        int pid = device_worker_id(d);
        assert_true(pid > 0);
        assert_int_equal(kill(pid, SIGKILL), 0);
        expect_good(f, d, program);
        assert_int_not_equal(device_worker_id(d), pid);
    }
    assert_int_equal(kill(device_worker_id(d), SIGINT), 0);      /* ^C is not for the worker */
    int pid = device_worker_id(d);
    expect_good(f, d, program);
    assert_int_equal(device_worker_id(d), pid);
    device_forget(d, program);
}

static volatile sig_atomic_t stop_flag;
static void raise_stop(int signal)
{
    (void)signal;
    stop_flag = 2;
}

static void test_interrupt(void **state)
{
    Fixture *f = *state;
    Device *d = need(f, false);
    int program = build(f, d, trouble_source, trouble_kernels, 6), out[8];
    signal(SIGALRM, raise_stop);
    device_set_stop(d, &stop_flag, NULL, NULL);
    alarm(1);
    RunReport r = run_trouble(f, d, program, SPIN, NULL, 0, out);
    assert_int_equal(r.signal, SIGINT);
    expect(f, r, RUN_DIED, E62, "interrupted");
    stop_flag = 0;
    device_set_stop(d, NULL, NULL, NULL);
    expect_good(f, d, program);
    device_forget(d, program);
}

/* ---- finding devices; workers that are none ---- */

static void test_find(void **state)
{
    Fixture *f = *state;
    need(f, false);
    const DeviceInfo *all;
    int n = devices_list(f->devices, &all);
    assert_true(n >= 1);
    assert_ptr_equal(devices_find(f->devices, NULL, &f->diag), devices_find(f->devices, "", &f->diag));
    assert_ptr_equal(devices_find(f->devices, "0", &f->diag), &all[0]);
    const DeviceInfo *info = device_info(f->main);
    assert_string_equal(devices_find(f->devices, info->id, &f->diag)->id, info->id);
    assert_int_equal(devices_find(f->devices, info->is_gpu ? "GPU" : "CPU", &f->diag)->is_gpu, info->is_gpu);
    assert_false(diag_failed(&f->diag));
    assert_null(devices_find(f->devices, "no such device", &f->diag));
    assert_int_equal(f->diag.id, E60);
    assert_true(f->diag.note_count >= 1);
    for (int i = 0; i < n; i++) assert_int_equal(all[i].is_checker, !strcmp(all[i].id, "oclgrind"));
}

/* With a shell script in the worker's place there are no devices, and a device known before is lost. */
static void try_impostor(Fixture *f, const char *script, const char *part)
{
    char path[] = "/tmp/test_device_XXXXXX";
    int fd = mkstemp(path), program;
    assert_true(write(fd, script, strlen(script)) > 0 && fchmod(fd, 0700) == 0 && close(fd) == 0);
    char *old = getenv("LATHE_WORKER") ? strdup(getenv("LATHE_WORKER")) : NULL;
    setenv("LATHE_WORKER", path, 1);
    Devices *list = devices_new();
    assert_int_equal(devices_list(list, NULL), 0);
    assert_null(devices_find(list, "pocl0", &f->diag));
    assert_non_null(strstr(f->diag.notes[0].text, part));
    diag_clear(&f->diag);
    devices_free(list);
    Device *d = device_open(device_info(f->main));
    BuildReport r;
    assert_false(device_build(d, add_source, add_kernels, 3, &program, &r, &f->diag));
    assert_int_equal(r.status, RUN_LOST);
    assert_int_equal(f->diag.id, E62);
    assert_non_null(strstr(f->diag.message, part));
    diag_clear(&f->diag);
    device_close(d);
    unlink(path);
    if (old) setenv("LATHE_WORKER", old, 1);
    else unsetenv("LATHE_WORKER");
    free(old);
}

static void test_impostors(void **state)
{
    Fixture *f = *state;
    need(f, false);
    try_impostor(f, "#!/bin/sh\nprintf 'GARBAGE GARBAGE GARBAGE' >&3\nsleep 20\n", "cannot be read");
    try_impostor(f, "#!/bin/sh\nprintf '\\030\\0\\0\\0\\024\\0\\0\\0{\"id\":9,\"blobs\":[] }' >&3\nsleep 20\n", "cannot be read");
    try_impostor(f, "#!/bin/sh\necho complaint >&2\nexit 7\n", "ended with code 7");
    try_impostor(f, "#!/bin/sh\nkill -ABRT $$\n", "ended with signal 6");
    try_impostor(f, "no program at all", "cannot start");
}

/* Nothing is left of the workers: descriptors, children, private folders. */
static void test_nothing_left(void **state)
{
    Fixture *f = *state;
    Device *first = need(f, true);
    DeviceInfo info = *device_info(first);
    const char *tmp = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    int fds = count_entries("/proc/self/fd", ""), folders = count_entries(tmp, "lathe-"), out[8];
    for (int i = 0; i < 3; i++) {
        Device *d = device_open(&info);
        int program = build(f, d, trouble_source, trouble_kernels, 6);
        expect_good(f, d, program);
        assert_int_equal(count_entries(tmp, "lathe-"), folders + 1);
        device_set_limits(d, (DeviceLimits){60000, 300});
        if (i) expect(f, run_trouble(f, d, program, SPIN, NULL, 0, out), RUN_TIMED_OUT, E62, NULL);
        diag_clear(&f->diag);
        int pid = device_worker_id(d);
        device_close(d);
        assert_true(!pid || kill(pid, 0) != 0);
        assert_int_equal(count_entries("/proc/self/fd", ""), fds);
        assert_int_equal(count_entries(tmp, "lathe-"), folders);
    }
}

/* ---- frames ---- */

static void test_frames(void **state)
{
    (void)state;
    int s[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
    char text[] = "some bytes";
    Blob blobs[2] = {{text, sizeof text}, {NULL, 0}};
    json_t *head = json_pack("{s:s}", "op", "x");
    assert_true(frame_send(s[0], head, blobs, 2));
    Frame f;
    assert_int_equal(frame_receive(s[1], 1000, &f), FRAME_OK);
    assert_int_equal(f.blob_count, 2);
    assert_memory_equal(f.blobs[0].data, text, sizeof text);
    assert_int_equal(f.blobs[1].bytes, 0);
    frame_free(&f);
    assert_int_equal(frame_receive(s[1], 20, &f), FRAME_TIMEOUT);
    close(s[0]);
    assert_int_equal(frame_receive(s[1], 20, &f), FRAME_CLOSED);
    assert_false(frame_send(s[1], head, blobs, 2));
    json_decref(head);
    close(s[1]);
}

static FrameStatus receive_bytes(const void *bytes, size_t n)
{
    int s[2];
    Frame f;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
    assert_int_equal(write(s[0], bytes, n), (ssize_t)n);
    close(s[0]);
    FrameStatus r = frame_receive(s[1], 1000, &f);
    if (r == FRAME_OK) frame_free(&f);
    close(s[1]);
    return r;
}

static FrameStatus receive_json(const char *text, uint32_t extra)
{
    uint8_t bytes[256] = {0};
    uint32_t n = (uint32_t)strlen(text), total = 4 + n + extra;
    memcpy(bytes, &total, 4);
    memcpy(bytes + 4, &n, 4);
    memcpy(bytes + 8, text, n);
    return receive_bytes(bytes, 8 + n + extra);
}

static void test_bad_frames(void **state)
{
    (void)state;
    assert_int_equal(receive_json("{\"blobs\":[3]}", 3), FRAME_OK);
    assert_int_equal(receive_json("{\"blobs\":[3]}", 4), FRAME_BAD);
    assert_int_equal(receive_json("{\"blobs\":[-1]}", 0), FRAME_BAD);
    assert_int_equal(receive_json("{\"blobs\":[9223372036854775807,4]}", 3), FRAME_BAD);
    assert_int_equal(receive_json("{\"blobs\":[\"3\"]}", 3), FRAME_BAD);
    assert_int_equal(receive_json("{}", 0), FRAME_BAD);
    assert_int_equal(receive_json("[]", 0), FRAME_BAD);
    assert_int_equal(receive_json("{", 0), FRAME_BAD);
    assert_int_equal(receive_bytes("\0\0\0\0\0\0\0\0", 8), FRAME_BAD);
    assert_int_equal(receive_bytes("\377\377\377\377\0\0\0\0", 8), FRAME_BAD);
    assert_int_equal(receive_bytes("\20\0\0\0\15\0\0\0", 8), FRAME_BAD);
    assert_int_equal(receive_bytes("\20\0\0\0\2\0\0\0{}", 6), FRAME_CLOSED);
    Rng rng = {42};
    for (int i = 0; i < 20000; i++) {
        uint64_t words[8];
        for (int k = 0; k < COUNT(words); k++) words[k] = rng_next(&rng);
        words[0] &= i % 2 ? ~(uint64_t)0 : 0x0000003f0000003fu;
        assert_int_not_equal(receive_bytes(words, (size_t)rng_below(&rng, sizeof words)), FRAME_TIMEOUT);
    }
}

/* Counting what is left behind needs a folder that nobody else uses. */
static char *private_folder(void)
{
    static char path[] = "/tmp/test_device_XXXXXX";
    char *made = mkdtemp(path);
    if (made) setenv("TMPDIR", made, 1);
    return made;
}

int main(void)
{
    char *folder = private_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),        cmocka_unit_test(test_bad_frames),
        cmocka_unit_test(test_find),          cmocka_unit_test(test_add),
        cmocka_unit_test(test_add_checked),   cmocka_unit_test(test_inputs_are_kept),
        cmocka_unit_test(test_large_buffers), cmocka_unit_test(test_build_failure),
        cmocka_unit_test(test_build_failure_checked), cmocka_unit_test(test_endless),
        cmocka_unit_test(test_segfault),      cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_checker),       cmocka_unit_test(test_bad_launches),
        cmocka_unit_test(test_big_group),     cmocka_unit_test(test_killed_between),
        cmocka_unit_test(test_interrupt),     cmocka_unit_test(test_impostors),
        cmocka_unit_test(test_nothing_left)};
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    if (folder) rmdir(folder);
    return failed;
}

/* lathe-worker: owns one OpenCL device and answers requests on a socket (protocol.h). Started by lathe only.
 *
 * The one program that calls a driver. It trusts nothing of a kernel to return, and leaves deadlines to the parent. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol.h"

enum { GUARD_BYTES = 256, FINDINGS_KEPT = 1 << 16, RUN_PARTS_MAX = 4096 };

typedef struct Program {
    int64_t id;
    cl_program program;
    int kernel_count;
    cl_kernel *kernels;
} Program;

typedef struct Input {
    char *key;
    cl_mem mem;
    size_t bytes, filled;
} Input;

typedef struct Argument {
    char kind;                  /* b: buffer, v: value, l: local */
    int buffer;
    size_t bytes;
    uint8_t value[16];
} Argument;

typedef struct Step {
    cl_kernel kernel;
    const char *name;
    int arg_count;
    Argument *args;
    size_t global[3], local[3];
    cl_uint dims;
    bool has_local;
} Step;

typedef struct Memory {
    cl_mem mem;
    size_t bytes;
    bool owned, is_output;      /* not owned: an input */
    uint8_t fill;
} Memory;

typedef struct Run {            /* the last `run`: what `again` and `read` are about */
    Arena *arena;
    int step_count, memory_count;
    Step *steps;
    Memory *memories;
    bool canaries;
} Run;

typedef struct Limits {
    size_t group, items[3];
    cl_ulong local, alloc;
} Limits;

typedef struct Worker {
    int fd;
    Frame request;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    Limits limits;
    bool checker;
    off_t findings_at;          /* how much of OCLGRIND_LOG was read */
    VEC(Program) programs;
    VEC(Input) inputs;
    Run run;
} Worker;

typedef struct Reply {
    const char *status;         /* NULL: ok */
    int code;
    Buf text;                   /* blob 0 */
    Blob data;                  /* blob 1, when data.data */
    json_t *head;
} Reply;

/* ---- small things ---- */

static const struct { int code; const char *name; } codes[] = {
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
    {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
};

static const char *code_name(int code)
{
    for (int i = 0; i < COUNT(codes); i++)
        if (codes[i].code == code) return codes[i].name;
    return "OpenCL error";
}

/* The first failure names the status; every text is kept. Returns false, so that callers may return it. */
PRINTF_LIKE(4, 5) static bool fail(Reply *r, const char *status, int code, const char *fmt, ...)
{
    if (!r->status) {
        r->status = status;
        r->code = code;
    }
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&r->text, fmt, ap);
    va_end(ap);
    if (code) buf_printf(&r->text, " (%s, %d)", code_name(code), code);
    buf_putc(&r->text, '\n');
    return false;
}

static bool malformed(Reply *r) { return fail(r, "bad_launch", 0, "the worker cannot read this request"); }

/* Whether the context still works: after a fault, some drivers answer every later call with an error. */
static bool is_sound(Worker *w)
{
    int code, word = 0;
    cl_mem m = clCreateBuffer(w->context, CL_MEM_READ_WRITE, sizeof word, NULL, &code);
    if (!m) return false;
    code = clEnqueueWriteBuffer(w->queue, m, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
    clReleaseMemObject(m);
    return code == CL_SUCCESS;
}

static const char *failed_or_lost(Worker *w, const char *failed) { return is_sound(w) ? failed : "device_lost"; }

static int64_t get_int(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }
static const char *get_text(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }

/* ---- hello ---- */

/* Drivers' texts may hold any byte; JSON wants UTF-8. */
static json_t *clean_text(char *s)
{
    for (char *c = s; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e) *c = '?';
    while (*s == ' ') s++;
    for (size_t n = strlen(s); n && s[n - 1] == ' '; n--) s[n - 1] = '\0';
    return json_string(s);
}

static json_t *device_text(cl_device_id d, cl_device_info what)
{
    char s[1024] = "";
    if (clGetDeviceInfo(d, what, sizeof s - 1, s, NULL)) s[0] = '\0';
    return clean_text(s);
}

static json_t *platform_text(cl_platform_id p, cl_platform_info what)
{
    char s[1024] = "";
    if (clGetPlatformInfo(p, what, sizeof s - 1, s, NULL)) s[0] = '\0';
    return clean_text(s);
}

/* A number of 4 or 8 bytes; the device tells which. */
static json_int_t device_number(cl_device_id d, cl_device_info what)
{
    uint64_t v = 0;
    if (clGetDeviceInfo(d, what, sizeof v, &v, NULL)) return 0;
    return v > INT64_MAX ? INT64_MAX : (json_int_t)v;
}

static bool has_extension(cl_device_id d, const char *name)
{
    char s[16384] = "";
    if (clGetDeviceInfo(d, CL_DEVICE_EXTENSIONS, sizeof s - 1, s, NULL)) return false;
    return strstr(s, name);
}

static void get_items(cl_device_id d, size_t items[3])
{
    size_t all[16] = {1, 1, 1};
    if (clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof all, all, NULL)) all[0] = all[1] = all[2] = 1;
    memcpy(items, all, 3 * sizeof *items);
}

static json_t *describe(cl_platform_id p, cl_device_id d, int platform, int device)
{
    json_t *o = json_object();
    size_t items[3];
    get_items(d, items);
    json_object_set_new(o, "name", device_text(d, CL_DEVICE_NAME));
    json_object_set_new(o, "vendor", device_text(d, CL_DEVICE_VENDOR));
    json_object_set_new(o, "platform", platform_text(p, CL_PLATFORM_NAME));
    json_object_set_new(o, "version", device_text(d, CL_DEVICE_VERSION));
    json_object_set_new(o, "driver", device_text(d, CL_DRIVER_VERSION));
    json_object_set_new(o, "gpu", json_boolean(device_number(d, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU));
    json_object_set_new(o, "f64", json_boolean(has_extension(d, "cl_khr_fp64")));
    json_object_set_new(o, "f16", json_boolean(has_extension(d, "cl_khr_fp16")));
    json_object_set_new(o, "units", json_integer(device_number(d, CL_DEVICE_MAX_COMPUTE_UNITS)));
    json_object_set_new(o, "group", json_integer(device_number(d, CL_DEVICE_MAX_WORK_GROUP_SIZE)));
    json_object_set_new(o, "items", json_pack("[I,I,I]", (json_int_t)items[0], (json_int_t)items[1], (json_int_t)items[2]));
    json_object_set_new(o, "local", json_integer(device_number(d, CL_DEVICE_LOCAL_MEM_SIZE)));
    json_object_set_new(o, "global", json_integer(device_number(d, CL_DEVICE_GLOBAL_MEM_SIZE)));
    json_object_set_new(o, "alloc", json_integer(device_number(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE)));
    json_object_set_new(o, "platform_index", json_integer(platform));
    json_object_set_new(o, "device_index", json_integer(device));
    return o;
}

enum { PLATFORMS = 32, DEVICES = 64 };

static int get_platforms(cl_platform_id *all)
{
    cl_uint n = 0;
    if (clGetPlatformIDs(PLATFORMS, all, &n)) return 0;
    return n < PLATFORMS ? (int)n : PLATFORMS;
}

static int get_devices(cl_platform_id p, cl_device_id *all)
{
    cl_uint n = 0;
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, DEVICES, all, &n)) return 0;
    return n < DEVICES ? (int)n : DEVICES;
}

static void op_hello(Worker *w, const json_t *q, Reply *r)
{
    (void)w;
    (void)q;
    cl_platform_id platforms[PLATFORMS];
    cl_device_id devices[DEVICES];
    json_t *list = json_array();
    int platform_count = get_platforms(platforms);
    for (int p = 0; p < platform_count; p++) {
        int n = get_devices(platforms[p], devices);
        for (int d = 0; d < n; d++) json_array_append_new(list, describe(platforms[p], devices[d], p, d));
    }
    json_object_set_new(r->head, "protocol", json_integer(PROTOCOL_VERSION));
    json_object_set_new(r->head, "devices", list);
}

/* ---- open ---- */

static bool select_device(Worker *w, int64_t platform, int64_t device)
{
    cl_platform_id platforms[PLATFORMS];
    cl_device_id devices[DEVICES];
    if (platform < 0 || platform >= get_platforms(platforms)) return false;
    if (device < 0 || device >= get_devices(platforms[platform], devices)) return false;
    w->device = devices[device];
    return true;
}

static void get_limits(Worker *w)
{
    w->limits.group = (size_t)device_number(w->device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    w->limits.local = (cl_ulong)device_number(w->device, CL_DEVICE_LOCAL_MEM_SIZE);
    w->limits.alloc = (cl_ulong)device_number(w->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    get_items(w->device, w->limits.items);
}

static void op_open(Worker *w, const json_t *q, Reply *r)
{
    int code = 0;
    if (w->context || !select_device(w, get_int(q, "platform"), get_int(q, "device"))) {
        fail(r, "device_lost", 0, "the device is not there any more");
        return;
    }
    get_limits(w);
    w->checker = json_is_true(json_object_get(q, "checker"));
    w->context = clCreateContext(NULL, 1, &w->device, NULL, NULL, &code);
    if (w->context) w->queue = clCreateCommandQueue(w->context, w->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (!w->queue) fail(r, "device_lost", code, "the device cannot be opened");
}

/* ---- build ---- */

static Program *find_program(Worker *w, int64_t id)
{
    for (int i = 0; i < w->programs.n; i++)
        if (w->programs.v[i].id == id) return &w->programs.v[i];
    return NULL;
}

static void program_release(Program *p)
{
    for (int i = 0; i < p->kernel_count; i++) clReleaseKernel(p->kernels[i]);
    free(p->kernels);
    if (p->program) clReleaseProgram(p->program);
}

static void add_build_log(Worker *w, cl_program p, Buf *out)
{
    size_t n = 0;
    if (clGetProgramBuildInfo(p, w->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) || n < 2) return;
    char *s = mem_alloc(n + 1);
    if (!clGetProgramBuildInfo(p, w->device, CL_PROGRAM_BUILD_LOG, n, s, NULL)) buf_puts(out, s);
    if (out->len && out->data[out->len - 1] != '\n') buf_putc(out, '\n');
    free(s);
}

static bool compile(Worker *w, Program *p, const char *options, Reply *r)
{
    int code;
    const char *source = w->request.blobs[0].data;
    size_t len = w->request.blobs[0].bytes;
    p->program = clCreateProgramWithSource(w->context, 1, &source, &len, &code);
    if (!p->program) return fail(r, failed_or_lost(w, "build_failed"), code, "the source was refused");
    code = clBuildProgram(p->program, 1, &w->device, options, NULL, NULL);
    add_build_log(w, p->program, &r->text);
    if (!code) return true;
    const char *status = code == CL_BUILD_PROGRAM_FAILURE ? "build_failed" : failed_or_lost(w, "build_failed");
    return fail(r, status, code, "the program does not build");
}

static json_int_t kernel_number(Worker *w, cl_kernel k, cl_kernel_work_group_info what)
{
    cl_ulong v = 0;
    if (clGetKernelWorkGroupInfo(k, w->device, what, sizeof v, &v, NULL)) return 0;
    return (json_int_t)v;
}

static bool make_kernels(Worker *w, Program *p, const json_t *names, Reply *r)
{
    json_t *list = json_array();
    json_object_set_new(r->head, "kernels", list);
    p->kernels = mem_alloc(sizeof *p->kernels * json_array_size(names));
    for (size_t i = 0; i < json_array_size(names); i++) {
        int code;
        const char *name = json_string_value(json_array_get(names, i));
        cl_kernel k = clCreateKernel(p->program, name ? name : "", &code);
        if (!k) return fail(r, failed_or_lost(w, "build_failed"), code, "the program has no kernel %s", name ? name : "");
        p->kernels[p->kernel_count++] = k;
        json_array_append_new(list, json_pack("[I,I,I]", kernel_number(w, k, CL_KERNEL_LOCAL_MEM_SIZE),
                                              kernel_number(w, k, CL_KERNEL_PRIVATE_MEM_SIZE),
                                              kernel_number(w, k, CL_KERNEL_WORK_GROUP_SIZE)));
    }
    return true;
}

static void op_build(Worker *w, const json_t *q, Reply *r)
{
    const char *options = get_text(q, "options");
    if (w->request.blob_count != 1 || find_program(w, get_int(q, "program"))) {
        malformed(r);
        return;
    }
    Program p = {.id = get_int(q, "program")};
    double start = clock_exact_ms();
    bool ok = compile(w, &p, options ? options : "", r) && make_kernels(w, &p, json_object_get(q, "kernels"), r);
    json_object_set_new(r->head, "ms", json_real(clock_exact_ms() - start));
    if (ok) vec_push(&w->programs, p);
    else program_release(&p);
}

/* ---- inputs ---- */

static void run_release(Run *run)
{
    for (int i = 0; i < run->memory_count; i++)
        if (run->memories[i].owned && run->memories[i].mem) clReleaseMemObject(run->memories[i].mem);
    arena_free(run->arena);
    *run = (Run){0};
}

/* A program that goes takes the current run along, whose steps may name its kernels. */
static void op_forget(Worker *w, const json_t *q, Reply *r)
{
    (void)r;
    Program *p = find_program(w, get_int(q, "program"));
    if (!p) return;
    run_release(&w->run);
    program_release(p);
    *p = w->programs.v[--w->programs.n];
}

static Input *find_input(Worker *w, const char *key)
{
    for (int i = 0; key && i < w->inputs.n; i++)
        if (!strcmp(w->inputs.v[i].key, key)) return &w->inputs.v[i];
    return NULL;
}

static void drop_input(Worker *w, Input *in)
{
    clReleaseMemObject(in->mem);
    free(in->key);
    *in = w->inputs.v[--w->inputs.n];
}

static Input *new_input(Worker *w, const char *key, size_t bytes, Reply *r)
{
    int code;
    cl_mem mem = clCreateBuffer(w->context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    if (!mem) {
        fail(r, failed_or_lost(w, "run_failed"), code, "no room on the device for an input of %zu bytes", bytes);
        return NULL;
    }
    Input in = {strcpy(mem_alloc(strlen(key) + 1), key), mem, bytes, 0};
    vec_push(&w->inputs, in);
    return &w->inputs.v[w->inputs.n - 1];
}

static void write_piece(Worker *w, Input *in, const Blob *piece, Reply *r)
{
    int code = clEnqueueWriteBuffer(w->queue, in->mem, CL_TRUE, in->filled, piece->bytes, piece->data, 0, NULL, NULL);
    in->filled += piece->bytes;
    if (!code) return;
    fail(r, failed_or_lost(w, "run_failed"), code, "an input of %zu bytes cannot be written to the device", in->bytes);
    drop_input(w, in);
}

static void op_upload(Worker *w, const json_t *q, Reply *r)
{
    const char *key = get_text(q, "key");
    const Blob *piece = w->request.blob_count == 1 ? &w->request.blobs[0] : NULL;
    int64_t offset = get_int(q, "offset"), total = get_int(q, "total");
    run_release(&w->run);
    if (!key || !piece || !piece->bytes || total < 1) {
        malformed(r);
        return;
    }
    Input *in = find_input(w, key);
    if (!in && offset == 0) in = new_input(w, key, (size_t)total, r);
    if (r->status) return;
    if (!in || in->filled != (size_t)offset || piece->bytes > in->bytes - in->filled) malformed(r);
    else write_piece(w, in, piece, r);
}

static void op_free(Worker *w, const json_t *q, Reply *r)
{
    (void)r;
    Input *in = find_input(w, get_text(q, "key"));
    if (!in) return;
    run_release(&w->run);
    drop_input(w, in);
}

/* ---- reading a run request ---- */

static bool read_hex(const char *s, Argument *a)
{
    a->bytes = s ? strlen(s) / 2 : 0;
    if (a->bytes < 1 || a->bytes > sizeof a->value) return false;
    for (size_t i = 0; i < a->bytes; i++)
        if (sscanf(s + 2 * i, "%2hhx", &a->value[i]) != 1) return false;
    return true;
}

static bool read_argument(const Worker *w, const json_t *j, Argument *a)
{
    const char *kind = json_string_value(json_array_get(j, 0));
    const json_t *v = json_array_get(j, 1);
    json_int_t n = json_integer_value(v);
    a->kind = kind ? kind[0] : '\0';
    if (a->kind == 'v') return read_hex(json_string_value(v), a);
    if (a->kind == 'l') a->bytes = n > 0 ? (size_t)n : 0;
    if (a->kind == 'b') a->buffer = (int)n;
    return a->kind == 'l' || (a->kind == 'b' && n >= 0 && n < w->run.memory_count);
}

static bool read_sizes(const json_t *j, size_t out[3])
{
    for (size_t i = 0; i < 3; i++) {
        json_int_t n = json_integer_value(json_array_get(j, i));
        if (n < 0) return false;
        out[i] = (size_t)n;
    }
    return true;
}

static bool read_arguments(Worker *w, const json_t *j, Step *s)
{
    if (json_array_size(j) > RUN_PARTS_MAX) return false;
    s->arg_count = (int)json_array_size(j);
    s->args = NEW_ARRAY(w->run.arena, Argument, s->arg_count);
    for (int i = 0; i < s->arg_count; i++)
        if (!read_argument(w, json_array_get(j, (size_t)i), &s->args[i])) return false;
    return true;
}

static const char *kernel_name(Arena *a, cl_kernel k)
{
    char s[256] = "";
    if (clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof s - 1, s, NULL)) s[0] = '\0';
    return arena_strdup(a, s);
}

static bool read_step(Worker *w, const Program *p, const json_t *j, Step *s)
{
    int64_t k = get_int(j, "kernel");
    if (k < 0 || k >= p->kernel_count) return false;
    s->kernel = p->kernels[k];
    s->name = kernel_name(w->run.arena, s->kernel);
    if (!read_sizes(json_object_get(j, "global"), s->global)) return false;
    if (!read_sizes(json_object_get(j, "local"), s->local)) return false;
    s->has_local = s->local[0] || s->local[1] || s->local[2];
    s->dims = 3;
    while (s->dims > 1 && s->global[s->dims - 1] == 1 && s->local[s->dims - 1] <= 1) s->dims--;
    return read_arguments(w, json_object_get(j, "args"), s);
}

static bool read_steps(Worker *w, const json_t *q)
{
    const json_t *list = json_object_get(q, "launches");
    const Program *p = find_program(w, get_int(q, "program"));
    size_t n = json_array_size(list);
    if (!p || n < 1 || n > RUN_PARTS_MAX) return false;
    w->run.steps = NEW_ARRAY(w->run.arena, Step, (int)n);
    for (; (size_t)w->run.step_count < n; w->run.step_count++) {
        const json_t *j = json_array_get(list, (size_t)w->run.step_count);
        if (!read_step(w, p, j, &w->run.steps[w->run.step_count])) return false;
    }
    return true;
}

/* ---- the memory of a run ---- */

static bool fill_memory(Worker *w, const Memory *m)
{
    uint8_t pattern[16];
    memset(pattern, m->fill, sizeof pattern);
    size_t even = m->bytes & ~(size_t)15;
    if (even && clEnqueueFillBuffer(w->queue, m->mem, pattern, 16, 0, even, 0, NULL, NULL)) return false;
    if (even == m->bytes) return true;
    return !clEnqueueFillBuffer(w->queue, m->mem, pattern, 1, even, m->bytes - even, 0, NULL, NULL);
}

/* Words that are NaN as float and, in pairs, as double, and that differ from their neighbours. */
static void make_guard(uint32_t words[GUARD_BYTES / 4])
{
    for (uint32_t i = 0; i < GUARD_BYTES / 4; i++) words[i] = 0x7ffc0000u | (0x5a5au ^ i * 0x0101u);
}

static bool write_guard(Worker *w, const Memory *m)
{
    uint32_t guard[GUARD_BYTES / 4];
    make_guard(guard);
    return !clEnqueueWriteBuffer(w->queue, m->mem, CL_TRUE, m->bytes, sizeof guard, guard, 0, NULL, NULL);
}

static bool take_input(Worker *w, const json_t *j, Memory *m, Reply *r)
{
    const Input *in = find_input(w, get_text(j, "key"));
    if (!in || in->filled != in->bytes || in->bytes != m->bytes) return malformed(r);
    m->mem = in->mem;
    return true;
}

static bool make_memory(Worker *w, int index, Memory *m, Reply *r)
{
    int code = 0;
    size_t bytes = m->bytes + (w->run.canaries ? GUARD_BYTES : 0);
    if (m->bytes > w->limits.alloc)
        return fail(r, "run_failed", 0, "buffer %d has %zu bytes; the device allows %llu in one buffer", index, m->bytes,
                    (unsigned long long)w->limits.alloc);
    m->owned = true;
    m->mem = clCreateBuffer(w->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    bool ok = m->mem && fill_memory(w, m) && (!w->run.canaries || write_guard(w, m));
    return ok || fail(r, failed_or_lost(w, "run_failed"), code, "no room on the device for buffer %d of %zu bytes", index,
                      m->bytes);
}

static bool read_memory(Worker *w, const json_t *j, int index, Reply *r)
{
    Memory *m = &w->run.memories[index];
    const char *role = get_text(j, "role");
    int64_t bytes = get_int(j, "bytes");
    if (!role || bytes < 0) return malformed(r);
    if (!bytes) return fail(r, "bad_launch", 0, "buffer %d has no bytes", index);
    m->bytes = (size_t)bytes;
    m->fill = (uint8_t)get_int(j, "fill");
    m->is_output = !strcmp(role, "output");
    return strcmp(role, "input") ? make_memory(w, index, m, r) : take_input(w, j, m, r);
}

static bool read_memories(Worker *w, const json_t *list, Reply *r)
{
    if (json_array_size(list) > RUN_PARTS_MAX) return malformed(r);
    w->run.memory_count = (int)json_array_size(list);
    w->run.memories = NEW_ARRAY(w->run.arena, Memory, w->run.memory_count);
    for (int i = 0; i < w->run.memory_count; i++)
        if (!read_memory(w, json_array_get(list, (size_t)i), i, r)) return false;
    return true;
}

/* ---- launching ---- */

static bool check_divides(const Step *s, Reply *r)
{
    for (int i = 0; i < 3; i++) {
        if (!s->global[i]) return fail(r, "bad_launch", 0, "kernel %s: global size %d is 0", s->name, i);
        if (!s->has_local) continue;
        if (!s->local[i]) return fail(r, "bad_launch", 0, "kernel %s: local size %d is 0", s->name, i);
        if (s->global[i] % s->local[i])
            return fail(r, "bad_launch", 0, "kernel %s: global size %zu of dimension %d is no multiple of local size %zu",
                        s->name, s->global[i], i, s->local[i]);
    }
    return true;
}

typedef enum Required { REQUIRED_NONE, REQUIRED_OTHER, REQUIRED_SAME } Required;

/* The size of groups that the kernel's source requires, beside that of the launch. */
static Required required(Worker *w, const Step *s, size_t want[3])
{
    if (clGetKernelWorkGroupInfo(s->kernel, w->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(size_t[3]), want, NULL)) return REQUIRED_NONE;
    return !want[0] ? REQUIRED_NONE : memcmp(want, s->local, sizeof s->local) ? REQUIRED_OTHER : REQUIRED_SAME;
}

/* What a device allows for a kernel says nothing of one compiled for a given size: NVIDIA says 256 where it
 * launches 1024. */
static size_t group_most(Worker *w, const Step *s, Required r)
{
    size_t most = r == REQUIRED_SAME ? 0 : (size_t)kernel_number(w, s->kernel, CL_KERNEL_WORK_GROUP_SIZE);
    return most && most < w->limits.group ? most : w->limits.group;
}

static bool check_group(Worker *w, const Step *s, Reply *r)
{
    size_t want[3] = {0}, all = 1;
    if (!s->has_local) return true;
    Required by_source = required(w, s, want);
    size_t most = group_most(w, s, by_source);
    for (int i = 0; i < 3; i++) {
        if (s->local[i] > w->limits.items[i])
            return fail(r, "bad_launch", 0, "kernel %s: local size %zu of dimension %d; the device allows %zu", s->name,
                        s->local[i], i, w->limits.items[i]);
        all *= s->local[i] > most ? most + 1 : s->local[i];
        if (all > most)
            return fail(r, "bad_launch", 0, "kernel %s: work-group of %zux%zux%zu; the device allows %zu work-items for it",
                        s->name, s->local[0], s->local[1], s->local[2], most);
    }
    return by_source != REQUIRED_OTHER ||
           fail(r, "bad_launch", 0, "kernel %s was compiled for work-groups of %zux%zux%zu, not %zux%zux%zu", s->name, want[0],
                want[1], want[2], s->local[0], s->local[1], s->local[2]);
}

static bool check_count(const Step *s, Reply *r)
{
    cl_uint n = 0;
    if (clGetKernelInfo(s->kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL) || (int)n == s->arg_count) return true;
    return fail(r, "bad_launch", 0, "kernel %s takes %u arguments, %d were given", s->name, n, s->arg_count);
}

/* Drivers count some bytes of their own as the kernel's (NVIDIA 64, though it launches 48 KiB and these):
 * there the launch decides. */
enum { DRIVER_LOCAL = 256 };

static bool check_local(Worker *w, const Step *s, Reply *r)
{
    cl_ulong asked = 0, whole = (cl_ulong)kernel_number(w, s->kernel, CL_KERNEL_LOCAL_MEM_SIZE);
    for (int i = 0; i < s->arg_count; i++)
        if (s->args[i].kind == 'l') asked += s->args[i].bytes;
    if (asked > whole) whole = asked;
    if (whole <= w->limits.local || (asked <= w->limits.local && whole <= w->limits.local + DRIVER_LOCAL)) return true;
    return fail(r, "bad_launch", 0, "kernel %s needs %llu bytes of local memory; the device has %llu", s->name,
                (unsigned long long)whole, (unsigned long long)w->limits.local);
}

static int set_argument(Worker *w, const Step *s, int i)
{
    const Argument *a = &s->args[i];
    if (a->kind == 'l') return clSetKernelArg(s->kernel, (cl_uint)i, a->bytes, NULL);
    if (a->kind == 'v') return clSetKernelArg(s->kernel, (cl_uint)i, a->bytes, a->value);
    return clSetKernelArg(s->kernel, (cl_uint)i, sizeof(cl_mem), &w->run.memories[a->buffer].mem);
}

static bool set_arguments(Worker *w, const Step *s, Reply *r)
{
    for (int i = 0; i < s->arg_count; i++) {
        const Argument *a = &s->args[i];
        if (a->kind == 'l' && !a->bytes)
            return fail(r, "bad_launch", 0, "kernel %s: argument %d is local memory of 0 bytes", s->name, i);
        int code = set_argument(w, s, i);
        if (code) return fail(r, failed_or_lost(w, "bad_launch"), code, "kernel %s: argument %d does not fit", s->name, i);
    }
    return true;
}

/* All that can be refused is refused before the first kernel starts. */
static bool check_steps(Worker *w, Reply *r)
{
    for (int i = 0; i < w->run.step_count; i++) {
        const Step *s = &w->run.steps[i];
        if (!check_divides(s, r) || !check_count(s, r) || !check_group(w, s, r)) return false;
        if (!set_arguments(w, s, r) || !check_local(w, s, r)) return false;
    }
    return true;
}

static bool is_out_of_memory(int code) { return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY; }

static bool enqueue(Worker *w, const Step *s, cl_event *event, Reply *r)
{
    if (!set_arguments(w, s, r)) return false;
    const size_t *local = s->has_local ? s->local : NULL;
    int code = clEnqueueNDRangeKernel(w->queue, s->kernel, s->dims, NULL, s->global, local, 0, NULL, event);
    if (!code) return true;
    const char *status = failed_or_lost(w, is_out_of_memory(code) ? "run_failed" : "bad_launch");
    return fail(r, status, code, "kernel %s: the launch was refused, global %zux%zux%zu local %zux%zux%zu", s->name,
                s->global[0], s->global[1], s->global[2], s->local[0], s->local[1], s->local[2]);
}

static bool finish(Worker *w, const char *what, const char *name, Reply *r)
{
    int code = clFinish(w->queue);
    return !code || fail(r, failed_or_lost(w, "run_failed"), code, "%s %s failed", what, name);
}

/* ---- findings ---- */

/* What Oclgrind wrote since the last call. It keeps its place in the file, so emptying the file leaves a hole before it. */
static void read_findings(Worker *w, Buf *out)
{
    const char *path = getenv("OCLGRIND_LOG");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat s;
    if (fd >= 0 && !fstat(fd, &s) && s.st_size > w->findings_at) {
        char *text = mem_alloc(FINDINGS_KEPT);
        ssize_t n = pread(fd, text, FINDINGS_KEPT, w->findings_at);
        if (n > 0) buf_write(out, text, (size_t)n);
        free(text);
        w->findings_at = s.st_size;
        if (ftruncate(fd, 0)) w->findings_at = s.st_size;     /* harmless: it only grows */
    }
    if (fd >= 0) close(fd);
}

static bool has_text(const char *s) { return s[strspn(s, " \t\r\n")]; }

/* After each launch on the checking device. */
static bool check_findings(Worker *w, const Step *s, Reply *r)
{
    Buf b = {0};
    if (!finish(w, "kernel", s->name, r)) return false;
    read_findings(w, &b);
    bool ok = !has_text(buf_text(&b));
    if (!ok) {
        const char *text = b.data + strspn(b.data, "\r\n");
        fail(r, "finding", 0, "%s", text);
    }
    buf_free(&b);
    return ok;
}

static int count_overrun(const uint8_t *got, const uint8_t *want, int *first)
{
    int n = 0;
    for (int i = GUARD_BYTES - 1; i >= 0; i--)
        if (got[i] != want[i]) {
            n++;
            *first = i;
        }
    return n;
}

static bool check_guard(Worker *w, int index, int output, Reply *r)
{
    const Memory *m = &w->run.memories[index];
    uint8_t got[GUARD_BYTES];
    uint32_t want[GUARD_BYTES / 4];
    int first = 0;
    make_guard(want);
    int code = clEnqueueReadBuffer(w->queue, m->mem, CL_TRUE, m->bytes, sizeof got, got, 0, NULL, NULL);
    if (code) return fail(r, failed_or_lost(w, "run_failed"), code, "the guard of buffer %d cannot be read", index);
    int n = count_overrun(got, (const uint8_t *)want, &first);
    if (!n) return true;
    Buf name = {0};
    if (m->is_output) buf_printf(&name, "output %d", output);
    else buf_printf(&name, "temporary buffer %d", index);
    fail(r, "finding", 0, "writes past the end of %s: %d of %d guard bytes changed, first at byte %zu of %zu", buf_text(&name),
         n, GUARD_BYTES, m->bytes + (size_t)first, m->bytes);
    buf_free(&name);
    return false;
}

static bool check_guards(Worker *w, Reply *r)
{
    bool ok = true;
    for (int i = 0, output = 0; w->run.canaries && i < w->run.memory_count; i++) {
        const Memory *m = &w->run.memories[i];
        if (m->owned) ok = check_guard(w, i, output, r) && ok;
        output += m->is_output;
    }
    return ok;
}

/* ---- running ---- */

static double event_ns(cl_event e)
{
    cl_ulong start = 0, end = 0;
    if (clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL)) return 0;
    if (clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL)) return 0;
    return end > start ? (double)(end - start) : 0;
}

static bool event_ok(cl_event e, const char *name, Reply *r)
{
    cl_int state = 0;
    if (clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) || state >= 0) return true;
    return fail(r, "run_failed", state, "kernel %s failed", name);
}

static bool start_steps(Worker *w, cl_event *events, int *started, Reply *r)
{
    for (; *started < w->run.step_count; (*started)++) {
        const Step *s = &w->run.steps[*started];
        if (!enqueue(w, s, &events[*started], r)) return false;
        if (w->checker && !check_findings(w, s, r)) return (*started)++, false;
    }
    return true;
}

/* The launches once, in order; *ns: the sum of their device times. */
static bool execute(Worker *w, double *ns, Reply *r)
{
    const Step *last = &w->run.steps[w->run.step_count - 1];
    cl_event *events = mem_alloc(sizeof *events * (size_t)w->run.step_count);
    int started = 0;
    *ns = 0;
    bool ok = start_steps(w, events, &started, r);
    ok = finish(w, "kernel", last->name, r) && ok;
    for (int i = 0; i < started; i++) {
        ok = ok && event_ok(events[i], w->run.steps[i].name, r);
        *ns += event_ns(events[i]);
        clReleaseEvent(events[i]);
    }
    free(events);
    return ok;
}

/* On the checking device there are no guards: they would hide reads and writes just past the end from it. */
static bool prepare(Worker *w, const json_t *q, Reply *r)
{
    run_release(&w->run);
    w->run.arena = arena_new();
    w->run.canaries = !w->checker && json_is_true(json_object_get(q, "canaries"));
    if (!read_memories(w, json_object_get(q, "buffers"), r)) return false;
    if (!read_steps(w, q)) return malformed(r);
    return check_steps(w, r) && finish(w, "filling", "the buffers", r);
}

static void op_run(Worker *w, const json_t *q, Reply *r)
{
    double ns = 0;
    Buf old = {0};
    if (w->checker) read_findings(w, &old);
    buf_free(&old);
    if (!prepare(w, q, r)) {
        run_release(&w->run);
        return;
    }
    if (execute(w, &ns, r)) check_guards(w, r);
    json_object_set_new(r->head, "ns", json_real(ns));
}

static void op_again(Worker *w, const json_t *q, Reply *r)
{
    json_t *times = json_array();
    json_object_set_new(r->head, "times_ns", times);
    if (!w->run.step_count) malformed(r);
    for (int64_t i = get_int(q, "count"); i > 0 && !r->status; i--) {
        double ns;
        if (execute(w, &ns, r)) json_array_append_new(times, json_real(ns));
    }
}

static void op_read(Worker *w, const json_t *q, Reply *r)
{
    int64_t index = get_int(q, "buffer"), offset = get_int(q, "offset"), bytes = get_int(q, "bytes");
    const Memory *m = index >= 0 && index < w->run.memory_count ? &w->run.memories[index] : NULL;
    if (!m || offset < 0 || bytes < 1 || bytes > PIECE_BYTES || offset > (int64_t)m->bytes - bytes) {
        malformed(r);
        return;
    }
    r->data = (Blob){mem_alloc((size_t)bytes), (size_t)bytes};
    int code = clEnqueueReadBuffer(w->queue, m->mem, CL_TRUE, (size_t)offset, (size_t)bytes, r->data.data, 0, NULL, NULL);
    if (code) fail(r, failed_or_lost(w, "run_failed"), code, "buffer %d cannot be read", (int)index);
}

/* ---- the loop ---- */

static void op_ping(Worker *w, const json_t *q, Reply *r)
{
    (void)w;
    (void)q;
    (void)r;
}

typedef void Op(Worker *w, const json_t *q, Reply *r);

static const struct { const char *name; Op *op; bool needs_device; } ops[] = {
    {"hello", op_hello, false}, {"open", op_open, false},   {"build", op_build, true},
    {"forget", op_forget, true}, {"upload", op_upload, true}, {"free", op_free, true},
    {"run", op_run, true},      {"again", op_again, true},  {"read", op_read, true},
    {"ping", op_ping, false},
};

static void dispatch(Worker *w, const json_t *q, Reply *r)
{
    const char *name = get_text(q, "op");
    for (int i = 0; name && i < COUNT(ops); i++)
        if (!strcmp(ops[i].name, name)) {
            if (ops[i].needs_device && !w->queue) fail(r, "device_lost", 0, "no device is open");
            else ops[i].op(w, q, r);
            return;
        }
    malformed(r);
}

static bool send_reply(Worker *w, Reply *r)
{
    Blob blobs[2] = {{r->text.data, r->text.len}, r->data};
    json_object_set_new(r->head, "id", json_integer(get_int(w->request.head, "id")));
    json_object_set_new(r->head, "status", json_string(r->status ? r->status : "ok"));
    json_object_set_new(r->head, "code", json_integer(r->code));
    return frame_send(w->fd, r->head, blobs, r->data.data ? 2 : 1);
}

static bool answer(Worker *w)
{
    Reply r = {.head = json_object()};
    dispatch(w, w->request.head, &r);
    bool ok = send_reply(w, &r);
    json_decref(r.head);
    buf_free(&r.text);
    free(r.data.data);
    return ok;
}

static bool is_quit(const json_t *q)
{
    const char *name = get_text(q, "op");
    return name && !strcmp(name, "quit");
}

static int serve(Worker *w)
{
    for (;;) {
        FrameStatus s = frame_receive(w->fd, -1, &w->request);
        if (s != FRAME_OK) return s == FRAME_CLOSED ? 0 : 3;
        bool go_on = !is_quit(w->request.head) && answer(w);
        frame_free(&w->request);
        if (!go_on) return 0;
    }
}

static void worker_release(Worker *w)
{
    run_release(&w->run);
    for (int i = 0; i < w->programs.n; i++) program_release(&w->programs.v[i]);
    while (w->inputs.n) drop_input(w, &w->inputs.v[0]);
    free(w->programs.v);
    free(w->inputs.v);
    if (w->queue) clReleaseCommandQueue(w->queue);
    if (w->context) clReleaseContext(w->context);
}

/* Die with the parent; leave ^C to it; write no core (1 also keeps the kernel from piping one to a handler); when memory
 * runs out, be the process that goes. */
static void settle(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    struct rlimit none = {1, 1};
    setrlimit(RLIMIT_CORE, &none);
    FILE *f = fopen("/proc/self/oom_score_adj", "we");
    if (f) fputs("500", f);
    if (f) fclose(f);
}

int main(int argc, char **argv)
{
    Worker w = {.fd = argc == 2 ? atoi(argv[1]) : 0};
    struct stat s;
    if (w.fd < 3 || fstat(w.fd, &s) || !S_ISSOCK(s.st_mode)) {
        fputs("lathe-worker is started by lathe; it has no use of its own\n", stderr);
        return 2;
    }
    settle();
    fcntl(w.fd, F_SETFD, FD_CLOEXEC);
    int code = serve(&w);
    worker_release(&w);
    return code;
}

/* driver_cuda: NVIDIA's devices by CUDA's driver (libcuda) and its compiler of kernels (NVRTC), for who has no OpenCL and for what OpenCL does not
 * reach: the units and the local memory of later architectures. Sources: the CUDA Driver API and NVRTC manuals; the declarations here are what
 * of them is used, since neither need be there to build. There are no images. */
#include "driver.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef int Code;                       /* CUresult; 0: success */
typedef unsigned long long Address;     /* CUdeviceptr */
typedef struct CUctx_st *Context;
typedef struct CUmod_st *Module;
typedef struct CUfunc_st *Function;
typedef struct CUevent_st *Event;
typedef struct CUstream_st *Stream;

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2 };          /* CUresult */
enum {                                   /* CUdevice_attribute */
    THREADS_PER_BLOCK = 1, BLOCK_X = 2, CLOCK_KHZ = 13, UNITS = 16, WARP = 10, MAJOR = 75, MINOR = 76, LOCAL_OPTIN = 97
};
enum { FUNCTION_THREADS = 0, FUNCTION_LOCAL = 1, FUNCTION_PRIVATE = 3, FUNCTION_GIVEN = 8 };     /* CUfunction_attribute */
enum { TIMED = 0 };                     /* flags of events */

/* libcuda's functions: name, its symbol, parameters. */
#define DRIVER_FUNCTIONS(F) \
    F(init, cuInit, (unsigned flags)) F(version, cuDriverGetVersion, (int *v)) F(count, cuDeviceGetCount, (int *n)) F(device, cuDeviceGet, (int *device, int i)) \
    F(name, cuDeviceGetName, (char *text, int bytes, int device)) F(attribute, cuDeviceGetAttribute, (int *v, int what, int device)) \
    F(total, cuDeviceTotalMem_v2, (size_t *bytes, int device)) F(retain, cuDevicePrimaryCtxRetain, (Context *c, int device)) \
    F(release, cuDevicePrimaryCtxRelease_v2, (int device)) F(current, cuCtxSetCurrent, (Context c)) F(synchronize, cuCtxSynchronize, (void)) \
    F(error_name, cuGetErrorName, (Code code, const char **name)) F(allocate, cuMemAlloc_v2, (Address *p, size_t bytes)) F(free, cuMemFree_v2, (Address p)) \
    F(to_device, cuMemcpyHtoDAsync_v2, (Address to, const void *from, size_t bytes, Stream s)) \
    F(from_device, cuMemcpyDtoHAsync_v2, (void *to, Address from, size_t bytes, Stream s)) \
    F(copy, cuMemcpyDtoDAsync_v2, (Address to, Address from, size_t bytes, Stream s)) F(set, cuMemsetD8Async, (Address p, unsigned char byte, size_t n, Stream s)) \
    F(load, cuModuleLoadData, (Module *m, const void *image)) F(unload, cuModuleUnload, (Module m)) \
    F(function, cuModuleGetFunction, (Function *f, Module m, const char *name)) F(get, cuFuncGetAttribute, (int *v, int what, Function f)) \
    F(put, cuFuncSetAttribute, (Function f, int what, int v)) \
    F(launch, cuLaunchKernel, (Function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned local_bytes, Stream s, \
                               void **arguments, void **extra)) \
    F(event, cuEventCreate, (Event *e, unsigned flags)) F(record, cuEventRecord, (Event e, Stream s)) F(wait, cuEventSynchronize, (Event e)) \
    F(elapsed, cuEventElapsedTime, (float *ms, Event from, Event to)) F(event_free, cuEventDestroy_v2, (Event e))
#define COMPILER_FUNCTIONS(F) \
    F(create, nvrtcCreateProgram, (void **p, const char *source, const char *name, int headers, const char *const *texts, const char *const *names)) \
    F(compile, nvrtcCompileProgram, (void *p, int count, const char *const *options)) F(log_bytes, nvrtcGetProgramLogSize, (void *p, size_t *bytes)) \
    F(log, nvrtcGetProgramLog, (void *p, char *text)) F(image_bytes, nvrtcGetCUBINSize, (void *p, size_t *bytes)) \
    F(image, nvrtcGetCUBIN, (void *p, char *image)) F(destroy, nvrtcDestroyProgram, (void **p))
#define PARAMETER_FUNCTIONS(F) F(parameter, cuFuncGetParamInfo, (Function f, size_t i, size_t *at, size_t *bytes))       /* since CUDA 12.4 */
#define MEMBER(name, symbol, parameters) Code (*name) parameters;
#define NAME(name, symbol, parameters) #symbol,
static const char *const driver_names[] = {DRIVER_FUNCTIONS(NAME) NULL}, *const compiler_names[] = {COMPILER_FUNCTIONS(NAME) NULL},
                  *const parameter_names[] = {PARAMETER_FUNCTIONS(NAME) NULL}, *const driver_libraries[] = {"libcuda.so.1", NULL};

struct DriverState {
    struct { DRIVER_FUNCTIONS(MEMBER) } cu;
    struct { COMPILER_FUNCTIONS(MEMBER) } rtc;
    struct { PARAMETER_FUNCTIONS(MEMBER) } later;
    int device;
    bool is_open, has_parameters;
    char arch[64];                       /* as an option of the compiler */
    char *include;                       /* the folder of its headers; malloc; NULL: it was not looked for */
};

struct DriverKernel {
    Function function;
    void *arguments[256];                /* what a launch points to: cells, in which a value stands */
    struct { _Alignas(16) uint8_t bytes[16]; } cells[256];
};

struct DriverEvent { Event from, to; };

/* ---- devices ---- */

static DriverState *load(void)
{
    DriverState *s = mem_alloc(sizeof *s);
    if (driver_load(driver_libraries, driver_names, (void **)&s->cu) && !s->cu.init(0)) return s;
    free(s);
    return NULL;
}

static int attribute(DriverState *s, int device, int what)
{
    int v = 0;
    return s->cu.attribute(&v, what, device) ? 0 : v;
}

static json_t *describe(DriverState *s, int device, int number)
{
    char name[1024] = "", version[64];
    int driver = 0;
    size_t total = 0;
    if (s->cu.name(name, sizeof name - 1, device)) name[0] = '\0';
    s->cu.version(&driver);
    s->cu.total(&total, device);
    snprintf(version, sizeof version, "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
    json_int_t memory = (json_int_t)total;
    return json_pack("{s:s,s:i,s:i,s:i,s:i,s:b,s:b,s:b,s:b,s:b,s:o,s:o,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:I,s:I,s:i,s:b}", "platform", "CUDA", "platform_index", 0,
                     "device_index", number, "image_width", 0, "image_height", 0, "gpu", true, "f64", true, "f16", true, "i64", true, "atomics64", true,
                     "items", JSON_LIST(i, 3, json_integer(attribute(s, device, BLOCK_X + (int)i))), "name", driver_text(name), "version", version, "driver", version,
                     "vector_f32", 1, "vector_f64", 1, "units", attribute(s, device, UNITS), "clock", attribute(s, device, CLOCK_KHZ) / 1000,
                     "group", attribute(s, device, THREADS_PER_BLOCK), "local", attribute(s, device, LOCAL_OPTIN), "global", memory, "alloc", memory,
                     "warp", attribute(s, device, WARP), "matrix", attribute(s, device, MAJOR) >= 8);
}

static void list(DriverState *s, json_t *devices)
{
    int n = 0, device;
    if (s->cu.count(&n)) return;
    for (int i = 0; i < n; i++)
        if (!s->cu.device(&device, i)) json_array_append_new(devices, describe(s, device, i));
}

static bool open_device(DriverState *s, int64_t platform, int64_t device, DriverLimits *limits, int *code)
{
    int n = 0, major;
    Context context;
    *code = -1;
    if (platform || s->cu.count(&n) || device < 0 || device >= n || s->cu.device(&s->device, (int)device)) return false;
    *code = s->cu.retain(&context, s->device);
    if (*code) return false;
    s->is_open = true;
    *code = s->cu.current(context);
    s->has_parameters = driver_load(driver_libraries, parameter_names, (void **)&s->later);
    major = attribute(s, s->device, MAJOR);
    /* From 9.0 on the name with an a has what only that architecture can do. */
    snprintf(s->arch, sizeof s->arch, "--gpu-architecture=sm_%d%d%s", major, attribute(s, s->device, MINOR), major >= 9 ? "a" : "");
    *limits = (DriverLimits){.group = (size_t)attribute(s, s->device, THREADS_PER_BLOCK), .local = (uint64_t)attribute(s, s->device, LOCAL_OPTIN), .guards = true};
    for (int i = 0; i < 3; i++) limits->items[i] = (size_t)attribute(s, s->device, BLOCK_X + i);
    size_t total = 0;
    s->cu.total(&total, s->device);
    limits->alloc = total;
    return !*code;
}

static void close_device(DriverState *s)
{
    if (s->is_open) s->cu.release(s->device);
    free(s->include);
    free(s);
}

static const char *error(DriverState *s, int code)
{
    const char *name = NULL;
    return !s->cu.error_name(code, &name) && name ? name : "CUDA error";
}

static bool no_room(int code) { return code == OUT_OF_MEMORY; }

/* ---- commands ---- */

static DriverEvent *event_new(DriverState *s)
{
    DriverEvent *e = mem_alloc(sizeof *e);
    if (!s->cu.event(&e->from, TIMED) && !s->cu.event(&e->to, TIMED)) return e;
    free(e);
    return NULL;
}

/* Before and after a command: an event around it where one is wanted. Without one, it is waited for. */
static int begin(DriverState *s, DriverEvent **event)
{
    if (!event) return 0;
    *event = event_new(s);
    return *event ? s->cu.record((*event)->from, NULL) : OUT_OF_MEMORY;
}

static int end(DriverState *s, DriverEvent *e, double *ns)
{
    float ms = 0;
    int code = s->cu.elapsed(&ms, e->from, e->to);
    *ns = (double)ms * 1e6;
    s->cu.event_free(e->from);
    s->cu.event_free(e->to);
    free(e);
    return code;
}

static int finish(DriverState *s) { return s->cu.synchronize(); }

static int ended(DriverState *s, int code, DriverEvent **event)
{
    double ns;
    if (!code) code = event ? s->cu.record((*event)->to, NULL) : finish(s);
    if (code && event && *event) {
        end(s, *event, &ns);
        *event = NULL;
    }
    return code;
}

static void wait(DriverState *s, DriverEvent *e) { s->cu.wait(e->to); }

/* ---- memory ---- */

static Address address(DriverMemory *m) { return (Address)(uintptr_t)m; }

/* All memory has room for guards: what is released does not say whether it is guarded. */
static DriverMemory *memory(DriverState *s, size_t bytes, bool read_only, bool guarded, int *code)
{
    Address p = 0;
    (void)read_only, (void)guarded;
    *code = s->cu.allocate(&p, bytes + 2 * DRIVER_GUARD);
    return *code ? NULL : (DriverMemory *)(uintptr_t)(p + DRIVER_GUARD);
}

static DriverMemory *image(DriverState *s, size_t width, size_t height, Texels texels, bool written, int *code)
{
    (void)s, (void)width, (void)height, (void)texels, (void)written;
    *code = INVALID_VALUE;
    return NULL;
}

static int copy_image(DriverState *s, DriverMemory *image, DriverMemory *buffer, bool to_image, size_t width, size_t height, DriverEvent **event)
{
    (void)s, (void)image, (void)buffer, (void)to_image, (void)width, (void)height, (void)event;
    return INVALID_VALUE;
}

static void memory_release(DriverState *s, DriverMemory *m) { s->cu.free(address(m) - DRIVER_GUARD); }

static int write_bytes(DriverState *s, DriverMemory *to, ptrdiff_t at, size_t bytes, const void *from, DriverEvent **event)
{
    int code = begin(s, event);
    return ended(s, code ? code : s->cu.to_device(address(to) + (Address)at, from, bytes, NULL), event);
}

static int read_bytes(DriverState *s, DriverMemory *from, ptrdiff_t at, size_t bytes, void *to, DriverEvent **event)
{
    int code = begin(s, event);
    return ended(s, code ? code : s->cu.from_device(to, address(from) + (Address)at, bytes, NULL), event);
}

static int fill(DriverState *s, DriverMemory *m, size_t bytes, uint8_t byte) { return s->cu.set(address(m), byte, bytes, NULL); }

static int copy(DriverState *s, DriverMemory *from, DriverMemory *to, size_t bytes, DriverEvent **event)
{
    int code = begin(s, event);
    return ended(s, code ? code : s->cu.copy(address(to), address(from), bytes, NULL), event);
}

/* ---- programs ---- */

/* NVRTC, where the loader of libraries finds it or where CUDA is installed. */
static bool find_compiler(DriverState *s)
{
    static const char *const versions[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    const char *const roots[] = {"", getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (int r = 0; !s->include && r < COUNT(roots); r++)
        for (int v = 0; !s->include && roots[r] && v < COUNT(versions); v++) {
            LOCAL(buf_free) Buf path = {0};
            Dl_info info;
            buf_printf(&path, "%s%s%s", roots[r], *roots[r] ? "/lib64/" : "", versions[v]);
            const char *const names[] = {buf_text(&path), NULL};
            if (!driver_load(names, compiler_names, (void **)&s->rtc) || !dladdr((void *)s->rtc.compile, &info)) continue;
            LOCAL(drop) char *found = realpath(info.dli_fname, NULL);
            buf_clear(&path);
            if (found) buf_printf(&path, "%.*s/../include", (int)(strrchr(found, '/') - found), found);
            s->include = mem_strdup(buf_text(&path));
        }
    return s->include;
}

static const char prelude[] = "#define INFINITY __int_as_float(0x7f800000)\n#define NAN __int_as_float(0x7fffffff)\n"
                              "typedef unsigned char uint8_t;\n#line 1\n";

/* The image of the program, malloc; NULL: the log says why. */
static char *compile(DriverState *s, const char *source, Buf *log)
{
    LOCAL(buf_free) Buf include = {0};
    buf_printf(&include, "--include-path=%s", s->include);               /* of cuda_fp16.h */
    const char *const options[] = {s->arch, "--std=c++17", "--fmad=false", "--prec-div=false", "--prec-sqrt=false", buf_text(&include)};
    void *p = NULL;
    char *image = NULL;
    size_t n = 0;
    if (s->rtc.create(&p, source, "kernels.cu", 0, NULL, NULL)) return NULL;
    int failed = s->rtc.compile(p, COUNT(options), options);
    if (!s->rtc.log_bytes(p, &n) && n > 1) {
        LOCAL(drop) char *text = mem_alloc(n + 1);
        if (!s->rtc.log(p, text)) buf_puts(log, text);
    }
    if (!failed && !s->rtc.image_bytes(p, &n) && n) {
        image = mem_alloc(n);
        if (s->rtc.image(p, image)) free(image), image = NULL;
    }
    s->rtc.destroy(&p);
    return image;
}

static DriverProgram *build(DriverState *s, const char *source, size_t bytes, Buf *log, int *code)
{
    LOCAL(buf_free) Buf text = {0};
    Module m = NULL;
    *code = 0;
    if (!find_compiler(s)) {
        buf_puts(log, "libnvrtc, CUDA's compiler of kernels, was not found: LD_LIBRARY_PATH or CUDA_HOME may name its place");
        return NULL;
    }
    buf_puts(&text, prelude);
    buf_write(&text, source, bytes);
    LOCAL(drop) char *image = compile(s, buf_text(&text), log);
    if (image) *code = s->cu.load(&m, image);
    return image && !*code ? (DriverProgram *)(void *)m : NULL;
}

static void program_release(DriverState *s, DriverProgram *p) { s->cu.unload((Module)(void *)p); }

static DriverKernel *kernel(DriverState *s, DriverProgram *p, const char *name, int *code)
{
    DriverKernel *k = mem_alloc(sizeof *k);
    *code = s->cu.function(&k->function, (Module)(void *)p, name);
    for (int i = 0; i < COUNT(k->cells); i++) k->arguments[i] = &k->cells[i];
    if (!*code) return k;
    free(k);
    return NULL;
}

static void kernel_release(DriverState *s, DriverKernel *k)
{
    (void)s;
    free(k);
}

static int kernel_number(DriverState *s, const DriverKernel *k, int what)
{
    int v = 0;
    return s->cu.get(&v, what, k->function) ? 0 : v;
}

static KernelFacts facts(DriverState *s, DriverKernel *k)
{
    KernelFacts f = {.local_bytes = kernel_number(s, k, FUNCTION_LOCAL), .private_bytes = kernel_number(s, k, FUNCTION_PRIVATE),
                     .max_group = (size_t)kernel_number(s, k, FUNCTION_THREADS), .arguments = s->has_parameters ? 0 : -1};
    size_t at, bytes;
    while (s->has_parameters && !s->later.parameter(k->function, (size_t)f.arguments, &at, &bytes)) f.arguments++;
    return f;
}

static int give(DriverState *s, DriverKernel *k, int i, size_t bytes, const void *value)
{
    (void)s;
    if (i >= COUNT(k->cells) || !value || bytes > sizeof k->cells[i].bytes) return INVALID_VALUE;
    memcpy(k->cells[i].bytes, value, bytes);
    return 0;
}

static int give_memory(DriverState *s, DriverKernel *k, int i, DriverMemory *m)
{
    Address p = address(m);
    return give(s, k, i, sizeof p, &p);
}

/* Where nobody says how large groups are: as large as go into the work-items of the first dimension. */
static int launch(DriverState *s, const DriverLaunch *l, DriverEvent **event)
{
    enum { LARGE = 256 };
    unsigned group[3] = {1, 1, 1}, groups[3];
    for (int d = 0; l->local && d < 3; d++) group[d] = (unsigned)l->local[d];
    while (!l->local && group[0] < LARGE && l->global[0] % (group[0] * 2) == 0) group[0] *= 2;
    for (int d = 0; d < 3; d++) groups[d] = (unsigned)(l->global[d] / group[d]);
    int code = l->local_bytes ? s->cu.put(l->kernel->function, FUNCTION_GIVEN, (int)l->local_bytes) : 0;
    if (!code) code = begin(s, event);
    if (!code)
        code = s->cu.launch(l->kernel->function, groups[0], groups[1], groups[2], group[0], group[1], group[2], (unsigned)l->local_bytes, NULL, l->kernel->arguments, NULL);
    return ended(s, code, event);
}

const Driver driver_cuda = {
    .api = "cuda", .load = load, .list = list, .open = open_device, .close = close_device, .error = error, .no_room = no_room,
    .memory = memory, .image = image, .memory_release = memory_release, .write = write_bytes, .read = read_bytes, .fill = fill, .copy = copy, .copy_image = copy_image,
    .build = build, .program_release = program_release, .kernel = kernel, .kernel_release = kernel_release, .facts = facts,
    .give = give, .give_memory = give_memory, .launch = launch, .finish = finish, .wait = wait, .end = end,
};

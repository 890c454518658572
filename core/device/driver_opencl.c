/* driver_opencl: devices by OpenCL 1.2, through whatever loader of its drivers the machine has. The only code that calls OpenCL. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "driver.h"

#include <stdlib.h>

#define FUNCTIONS(F) \
    F(clBuildProgram) F(clCreateBuffer) F(clCreateCommandQueue) F(clCreateContext) F(clCreateImage) F(clCreateKernel) F(clCreateProgramWithSource) \
    F(clCreateSubBuffer) F(clEnqueueCopyBuffer) F(clEnqueueCopyBufferToImage) F(clEnqueueCopyImageToBuffer) F(clEnqueueFillBuffer) \
    F(clEnqueueNDRangeKernel) F(clEnqueueReadBuffer) F(clEnqueueWriteBuffer) F(clFinish) F(clGetDeviceIDs) F(clGetDeviceInfo) F(clGetEventInfo) \
    F(clGetEventProfilingInfo) F(clGetKernelInfo) F(clGetKernelWorkGroupInfo) F(clGetMemObjectInfo) F(clGetPlatformIDs) F(clGetPlatformInfo) \
    F(clGetProgramBuildInfo) F(clGetSupportedImageFormats) F(clReleaseCommandQueue) F(clReleaseContext) F(clReleaseEvent) F(clReleaseKernel) \
    F(clReleaseMemObject) F(clReleaseProgram) F(clSetKernelArg) F(clWaitForEvents)
#define MEMBER(f) __typeof__(&f) f;
#define NAME(f) #f,
static const char *const names[] = {FUNCTIONS(NAME) NULL};

struct DriverState {
    struct { FUNCTIONS(MEMBER) } cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

struct DriverProgram {
    cl_program program;
    int kernels;                 /* that were made of it */
};

static DriverState *load(void)
{
    static const char *const libraries[] = {"libOpenCL.so.1", NULL};
    DriverState *s = mem_alloc(sizeof *s);
    if (driver_load(libraries, names, (void **)&s->cl)) return s;
    free(s);
    return NULL;
}

/* ---- devices ---- */

/* A number of 4 or 8 bytes; the device tells which. */
static json_int_t number(DriverState *s, cl_device_id d, cl_device_info what)
{
    uint64_t v = 0;
    if (s->cl.clGetDeviceInfo(d, what, sizeof v, &v, NULL)) return 0;
    return v > INT64_MAX ? INT64_MAX : (json_int_t)v;
}

static bool text_has(DriverState *s, cl_device_id d, cl_device_info what, const char *part)
{
    char text[16384] = "";
    return !s->cl.clGetDeviceInfo(d, what, sizeof text - 1, text, NULL) && strstr(text, part);
}

static void get_items(DriverState *s, cl_device_id d, size_t items[3])
{
    size_t all[16] = {1, 1, 1};
    if (s->cl.clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof all, all, NULL)) all[0] = all[1] = all[2] = 1;
    memcpy(items, all, 3 * sizeof *items);
}

static json_t *describe(DriverState *s, cl_platform_id p, cl_device_id d, int platform, int device)
{
    static const struct { const char *key; cl_device_info what; } texts[] = {
        {"name", CL_DEVICE_NAME}, {"version", CL_DEVICE_VERSION}, {"driver", CL_DRIVER_VERSION}};
    static const struct { const char *key; cl_device_info what; } numbers[] = {
        {"vector_f32", CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT}, {"vector_f64", CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE},
        {"units", CL_DEVICE_MAX_COMPUTE_UNITS}, {"clock", CL_DEVICE_MAX_CLOCK_FREQUENCY}, {"group", CL_DEVICE_MAX_WORK_GROUP_SIZE}, {"local", CL_DEVICE_LOCAL_MEM_SIZE},
        {"global", CL_DEVICE_GLOBAL_MEM_SIZE}, {"alloc", CL_DEVICE_MAX_MEM_ALLOC_SIZE}};
    enum { WARP_NVIDIA = 0x4003, CAPABILITY_NVIDIA = 0x4000, WAVEFRONT_AMD = 0x4043 };          /* of extensions; others do not know them */
    size_t items[3];
    char name[1024] = "";
    get_items(s, d, items);
    if (s->cl.clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof name - 1, name, NULL)) name[0] = '\0';
    bool images = number(s, d, CL_DEVICE_IMAGE_SUPPORT), full = text_has(s, d, CL_DEVICE_PROFILE, "FULL_PROFILE");
    json_t *o = json_pack("{s:o,s:i,s:i,s:I,s:I,s:b,s:b,s:b,s:b,s:b,s:o}", "platform", driver_text(name), "platform_index", platform, "device_index", device,
                          "image_width", images ? number(s, d, CL_DEVICE_IMAGE2D_MAX_WIDTH) : 0,
                          "image_height", images ? number(s, d, CL_DEVICE_IMAGE2D_MAX_HEIGHT) : 0,
                          "gpu", (int)(number(s, d, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU), "f64", text_has(s, d, CL_DEVICE_EXTENSIONS, "cl_khr_fp64"),
                          "f16", text_has(s, d, CL_DEVICE_EXTENSIONS, "cl_khr_fp16"), "i64", full || text_has(s, d, CL_DEVICE_EXTENSIONS, "cles_khr_int64"),
                          "atomics64", text_has(s, d, CL_DEVICE_EXTENSIONS, "cl_khr_int64_base_atomics"),
                          "items", JSON_LIST(i, 3, json_integer((json_int_t)items[i])));
    for (int i = 0; i < COUNT(texts); i++) {
        char text[1024] = "";
        if (s->cl.clGetDeviceInfo(d, texts[i].what, sizeof text - 1, text, NULL)) text[0] = '\0';
        json_object_set_new(o, texts[i].key, driver_text(text));
    }
    for (int i = 0; i < COUNT(numbers); i++) json_object_set_new(o, numbers[i].key, json_integer(number(s, d, numbers[i].what)));
    const char *claimed = json_is_true(json_object_get(o, "gpu")) ? NULL : getenv("LATHE_WORKER_DEVICE");
    json_t *claims = claimed ? json_loads(claimed, 0, NULL) : NULL;
    json_int_t warp = number(s, d, WARP_NVIDIA);
    json_object_set_new(o, "warp", json_integer(warp ? warp : number(s, d, WAVEFRONT_AMD)));
    json_object_set_new(o, "matrix", json_boolean(warp && number(s, d, CAPABILITY_NVIDIA) >= 8));
    json_object_update_existing(o, claims);
    json_decref(claims);
    return o;
}

enum { PLATFORMS = 32, DEVICES = 64 };

/* Of the platform of that number; -1: there is none. */
static int get_devices(DriverState *s, int64_t at, cl_platform_id *platform, cl_device_id *all)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint n = 0;
    if (s->cl.clGetPlatformIDs(PLATFORMS, platforms, &n) || at < 0 || at >= n || at >= PLATFORMS) return -1;
    *platform = platforms[at];
    if (s->cl.clGetDeviceIDs(*platform, CL_DEVICE_TYPE_ALL, DEVICES, all, &n)) return 0;
    return n < DEVICES ? (int)n : DEVICES;
}

static void list(DriverState *s, json_t *devices)
{
    cl_platform_id platform;
    cl_device_id all[DEVICES];
    for (int p = 0, n; (n = get_devices(s, p, &platform, all)) >= 0; p++)
        for (int d = 0; d < n; d++) json_array_append_new(devices, describe(s, platform, all[d], p, d));
}

static const cl_channel_type texel_kinds[] = {[TEXELS_FLOAT] = CL_FLOAT, [TEXELS_SIGNED] = CL_SIGNED_INT32, [TEXELS_UNSIGNED] = CL_UNSIGNED_INT32};

/* The kinds of texels that images for that use may have, as bits. */
static int texels_known(DriverState *s, cl_mem_flags use)
{
    enum { FORMATS = 1024 };
    cl_image_format formats[FORMATS];
    cl_uint n = 0;
    int kinds = 0;
    if (s->cl.clGetSupportedImageFormats(s->context, use, CL_MEM_OBJECT_IMAGE2D, FORMATS, formats, &n)) return 0;
    for (int k = 0; k < COUNT(texel_kinds); k++)
        for (cl_uint i = 0; i < n && i < FORMATS; i++)
            if (formats[i].image_channel_order == CL_RGBA && formats[i].image_channel_data_type == texel_kinds[k]) kinds |= 1 << k;
    return kinds;
}

static bool open_device(DriverState *s, int64_t platform, int64_t device, DriverLimits *limits, int *code)
{
    cl_platform_id of;
    cl_device_id all[DEVICES];
    *code = -1;
    if (device < 0 || device >= get_devices(s, platform, &of, all)) return false;
    s->device = all[device];
    s->context = s->cl.clCreateContext(NULL, 1, &s->device, NULL, NULL, code);
    if (s->context) s->queue = s->cl.clCreateCommandQueue(s->context, s->device, CL_QUEUE_PROFILING_ENABLE, code);
    if (!s->queue) return false;
    *limits = (DriverLimits){.group = (size_t)number(s, s->device, CL_DEVICE_MAX_WORK_GROUP_SIZE), .local = (uint64_t)number(s, s->device, CL_DEVICE_LOCAL_MEM_SIZE),
                             .alloc = (uint64_t)number(s, s->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
                             .guards = number(s, s->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) <= DRIVER_GUARD * 8,
                             .texels = {texels_known(s, CL_MEM_READ_ONLY), texels_known(s, CL_MEM_READ_WRITE)}};
    get_items(s, s->device, limits->items);
    return true;
}

static void close_device(DriverState *s)
{
    if (s->queue) s->cl.clReleaseCommandQueue(s->queue);
    if (s->context) s->cl.clReleaseContext(s->context);
    free(s);
}

/* ---- failures ---- */

static const char *error(DriverState *s, int code)
{
    (void)s;
#define C(name) {name, #name}
    static const struct { int code; const char *name; } codes[] = {
        C(CL_DEVICE_NOT_AVAILABLE), C(CL_MEM_OBJECT_ALLOCATION_FAILURE), C(CL_OUT_OF_RESOURCES), C(CL_OUT_OF_HOST_MEMORY),
        C(CL_BUILD_PROGRAM_FAILURE), C(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST), C(CL_INVALID_VALUE),
        C(CL_INVALID_COMMAND_QUEUE), C(CL_INVALID_MEM_OBJECT), C(CL_INVALID_BUILD_OPTIONS), C(CL_INVALID_KERNEL_NAME),
        C(CL_INVALID_ARG_INDEX), C(CL_INVALID_ARG_VALUE), C(CL_INVALID_ARG_SIZE), C(CL_INVALID_KERNEL_ARGS),
        C(CL_INVALID_WORK_GROUP_SIZE), C(CL_INVALID_WORK_ITEM_SIZE), C(CL_INVALID_BUFFER_SIZE),
        C(CL_INVALID_GLOBAL_WORK_SIZE), C(CL_INVALID_IMAGE_SIZE), C(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    };
#undef C
    for (int i = 0; i < COUNT(codes); i++)
        if (codes[i].code == code) return codes[i].name;
    return "OpenCL error";
}

static bool no_room(int code) { return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY; }

/* ---- memory ---- */

static cl_mem mem(DriverMemory *m) { return (cl_mem)(void *)m; }
static cl_event *event_of(DriverEvent **event) { return (cl_event *)(void *)event; }

/* What is guarded is a part of a buffer, which goes when its part does. */
static DriverMemory *memory(DriverState *s, size_t bytes, bool read_only, bool guarded, int *code)
{
    cl_mem_flags flags = read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    cl_buffer_region part = {DRIVER_GUARD, bytes};
    cl_mem m = s->cl.clCreateBuffer(s->context, flags, bytes + (guarded ? 2 * DRIVER_GUARD : 0), NULL, code), whole = m;
    if (!m || !guarded) return (DriverMemory *)(void *)m;
    m = s->cl.clCreateSubBuffer(whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, code);
    s->cl.clReleaseMemObject(whole);
    return (DriverMemory *)(void *)m;
}

/* The buffer with the guards, and at where *at is in it: not all drivers copy between images and parts of buffers. */
static cl_mem with_guards(DriverState *s, DriverMemory *m, ptrdiff_t *at)
{
    cl_mem whole = NULL;
    if (s->cl.clGetMemObjectInfo(mem(m), CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL) || !whole) return mem(m);
    *at += DRIVER_GUARD;
    return whole;
}

static DriverMemory *image(DriverState *s, size_t width, size_t height, Texels texels, bool written, int *code)
{
    cl_image_format format = {CL_RGBA, texel_kinds[texels]};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    return (DriverMemory *)(void *)s->cl.clCreateImage(s->context, written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, &format, &desc, NULL, code);
}

static void memory_release(DriverState *s, DriverMemory *m) { s->cl.clReleaseMemObject(mem(m)); }

static int write_bytes(DriverState *s, DriverMemory *to, ptrdiff_t at, size_t bytes, const void *from, DriverEvent **event)
{
    cl_mem m = with_guards(s, to, &at);
    return s->cl.clEnqueueWriteBuffer(s->queue, m, event ? CL_FALSE : CL_TRUE, (size_t)at, bytes, from, 0, NULL, event_of(event));
}

static int read_bytes(DriverState *s, DriverMemory *from, ptrdiff_t at, size_t bytes, void *to, DriverEvent **event)
{
    cl_mem m = with_guards(s, from, &at);
    return s->cl.clEnqueueReadBuffer(s->queue, m, event ? CL_FALSE : CL_TRUE, (size_t)at, bytes, to, 0, NULL, event_of(event));
}

static int fill(DriverState *s, DriverMemory *m, size_t bytes, uint8_t byte)
{
    uint8_t pattern[16];
    size_t even = bytes & ~(sizeof pattern - 1);
    memset(pattern, byte, sizeof pattern);
    int code = even ? s->cl.clEnqueueFillBuffer(s->queue, mem(m), pattern, sizeof pattern, 0, even, 0, NULL, NULL) : 0;
    return code || even == bytes ? code : s->cl.clEnqueueFillBuffer(s->queue, mem(m), pattern, 1, even, bytes - even, 0, NULL, NULL);
}

static int copy(DriverState *s, DriverMemory *from, DriverMemory *to, size_t bytes, DriverEvent **event)
{
    return s->cl.clEnqueueCopyBuffer(s->queue, mem(from), mem(to), 0, 0, bytes, 0, NULL, event_of(event));
}

static int copy_image(DriverState *s, DriverMemory *image, DriverMemory *buffer, bool to_image, size_t width, size_t height, DriverEvent **event)
{
    const size_t origin[3] = {0}, region[3] = {width, height, 1};
    ptrdiff_t at = 0;
    cl_mem m = with_guards(s, buffer, &at);
    return to_image ? s->cl.clEnqueueCopyBufferToImage(s->queue, m, mem(image), (size_t)at, origin, region, 0, NULL, event_of(event))
                    : s->cl.clEnqueueCopyImageToBuffer(s->queue, mem(image), m, origin, region, (size_t)at, 0, NULL, event_of(event));
}

/* ---- programs ---- */

static cl_kernel kernel_of(DriverKernel *k) { return (cl_kernel)(void *)k; }

static void program_release(DriverState *s, DriverProgram *p)
{
    if (p->program) s->cl.clReleaseProgram(p->program);
    free(p);
}

static DriverProgram *build(DriverState *s, const char *source, size_t bytes, Buf *log, int *code)
{
    DriverProgram *p = mem_alloc(sizeof *p);
    size_t n = 0;
    p->program = s->cl.clCreateProgramWithSource(s->context, 1, &source, &bytes, code);
    if (p->program) *code = s->cl.clBuildProgram(p->program, 1, &s->device, "", NULL, NULL);
    if (p->program && !s->cl.clGetProgramBuildInfo(p->program, s->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) && n >= 2) {
        LOCAL(drop) char *text = mem_alloc(n + 1);
        if (!s->cl.clGetProgramBuildInfo(p->program, s->device, CL_PROGRAM_BUILD_LOG, n, text, NULL)) buf_puts(log, text);
    }
    if (!*code) return p;
    program_release(s, p);
    return NULL;
}

/* Oclgrind's optimiser makes what its interpreter then lacks, rotations of bits for one: without it the kernel is there. */
static DriverKernel *kernel(DriverState *s, DriverProgram *p, const char *name, int *code)
{
    cl_kernel k = s->cl.clCreateKernel(p->program, name, code);
    if (!k && *code == CL_INVALID_KERNEL_NAME && !p->kernels && !s->cl.clBuildProgram(p->program, 1, &s->device, "-cl-opt-disable", NULL, NULL))
        k = s->cl.clCreateKernel(p->program, name, code);
    p->kernels += k != NULL;
    return (DriverKernel *)(void *)k;
}

static void kernel_release(DriverState *s, DriverKernel *k) { s->cl.clReleaseKernel(kernel_of(k)); }

static int64_t kernel_number(DriverState *s, DriverKernel *k, cl_kernel_work_group_info what)
{
    cl_ulong v = 0;
    return s->cl.clGetKernelWorkGroupInfo(kernel_of(k), s->device, what, sizeof v, &v, NULL) ? 0 : (int64_t)v;
}

static KernelFacts facts(DriverState *s, DriverKernel *k)
{
    KernelFacts f = {.local_bytes = kernel_number(s, k, CL_KERNEL_LOCAL_MEM_SIZE), .private_bytes = kernel_number(s, k, CL_KERNEL_PRIVATE_MEM_SIZE),
                     .max_group = (size_t)kernel_number(s, k, CL_KERNEL_WORK_GROUP_SIZE), .arguments = -1};
    cl_uint n = 0;
    if (s->cl.clGetKernelWorkGroupInfo(kernel_of(k), s->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof f.required, f.required, NULL)) f.required[0] = 0;
    if (!s->cl.clGetKernelInfo(kernel_of(k), CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL)) f.arguments = (int)n;
    return f;
}

static int give(DriverState *s, DriverKernel *k, int i, size_t bytes, const void *value) { return s->cl.clSetKernelArg(kernel_of(k), (cl_uint)i, bytes, value); }

static int give_memory(DriverState *s, DriverKernel *k, int i, DriverMemory *m) { return give(s, k, i, sizeof(cl_mem), &m); }

/* ---- commands ---- */

/* OpenCL takes local memory as an argument alone. */
static int launch(DriverState *s, const DriverLaunch *l, DriverEvent **event)
{
    if (l->local_bytes) return CL_INVALID_VALUE;
    return s->cl.clEnqueueNDRangeKernel(s->queue, kernel_of(l->kernel), (cl_uint)l->dims, NULL, l->global, l->local, 0, NULL, event_of(event));
}

static int finish(DriverState *s) { return s->cl.clFinish(s->queue); }

static void wait(DriverState *s, DriverEvent *e) { s->cl.clWaitForEvents(1, event_of(&e)); }

static int end(DriverState *s, DriverEvent *e, double *ns)
{
    cl_event event = *event_of(&e);
    cl_int state = 0;
    cl_ulong from = 0, to = 0;
    bool failed = !s->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) && state < 0;
    bool known = !s->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL)
                 && !s->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
    *ns = known && to > from ? (double)(to - from) : 0;
    s->cl.clReleaseEvent(event);
    return failed ? state : 0;
}

const Driver driver_opencl = {
    .api = "opencl", .load = load, .list = list, .open = open_device, .close = close_device, .error = error, .no_room = no_room,
    .memory = memory, .image = image, .memory_release = memory_release, .write = write_bytes, .read = read_bytes, .fill = fill, .copy = copy, .copy_image = copy_image,
    .build = build, .program_release = program_release, .kernel = kernel, .kernel_release = kernel_release, .facts = facts,
    .give = give, .give_memory = give_memory, .launch = launch, .finish = finish, .wait = wait, .end = end,
};

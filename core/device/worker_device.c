/* worker_device: the platforms and devices of OpenCL, one of them opened; failures as replies. */
#include "worker_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- small things ---- */

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

/* After a fault, some drivers answer every later call with an error. */
static bool is_lost(const Worker *w)
{
    int code, word = 0;
    cl_mem m = w->context ? clCreateBuffer(w->context, CL_MEM_READ_WRITE, sizeof word, NULL, &code) : NULL;
    if (m) code = clEnqueueWriteBuffer(w->queue, m, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
    if (m) clReleaseMemObject(m);
    return !m || code;
}

static bool fail(Reply *r, const char *status, int code, const char *fmt, va_list ap)
{
    if (!r->status) {
        r->status = code && is_lost(r->w) ? "device_lost" : status;
        r->code = code;
    }
    buf_vprintf(&r->text, fmt, ap);
    const char *name = "OpenCL error";
    for (int i = 0; i < COUNT(codes); i++)
        if (codes[i].code == code) name = codes[i].name;
    if (code) buf_printf(&r->text, " (%s, %d)", name, code);
    buf_putc(&r->text, '\n');
    return false;
}

bool reply_fail(Reply *r, const char *status, int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fail(r, status, code, fmt, ap);
    va_end(ap);
    return false;
}

bool reply_ok(Reply *r, int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (code) fail(r, "run_failed", code, fmt, ap);
    va_end(ap);
    return !code;
}

bool reply_malformed(Reply *r) { return reply_fail(r, "bad_launch", 0, "the worker cannot read this request"); }

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

/* A number of 4 or 8 bytes; the device tells which. */
static json_int_t device_number(cl_device_id d, cl_device_info what)
{
    uint64_t v = 0;
    if (clGetDeviceInfo(d, what, sizeof v, &v, NULL)) return 0;
    return v > INT64_MAX ? INT64_MAX : (json_int_t)v;
}

static bool text_has(cl_device_id d, cl_device_info what, const char *part)
{
    char s[16384] = "";
    return !clGetDeviceInfo(d, what, sizeof s - 1, s, NULL) && strstr(s, part);
}

static void get_items(cl_device_id d, size_t items[3])
{
    size_t all[16] = {1, 1, 1};
    if (clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof all, all, NULL)) all[0] = all[1] = all[2] = 1;
    memcpy(items, all, 3 * sizeof *items);
}

static json_t *describe(cl_platform_id p, cl_device_id d, int platform, int device)
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
    get_items(d, items);
    if (clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof name - 1, name, NULL)) name[0] = '\0';
    bool images = device_number(d, CL_DEVICE_IMAGE_SUPPORT), full = text_has(d, CL_DEVICE_PROFILE, "FULL_PROFILE");
    json_t *o = json_pack("{s:o,s:i,s:i,s:I,s:I,s:b,s:b,s:b,s:b,s:b,s:o}", "platform", clean_text(name), "platform_index", platform, "device_index", device,
                          "image_width", images ? device_number(d, CL_DEVICE_IMAGE2D_MAX_WIDTH) : 0,
                          "image_height", images ? device_number(d, CL_DEVICE_IMAGE2D_MAX_HEIGHT) : 0,
                          "gpu", (int)(device_number(d, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU), "f64", text_has(d, CL_DEVICE_EXTENSIONS, "cl_khr_fp64"),
                          "f16", text_has(d, CL_DEVICE_EXTENSIONS, "cl_khr_fp16"), "i64", full || text_has(d, CL_DEVICE_EXTENSIONS, "cles_khr_int64"),
                          "atomics64", text_has(d, CL_DEVICE_EXTENSIONS, "cl_khr_int64_base_atomics"),
                          "items", JSON_LIST(i, 3, json_integer((json_int_t)items[i])));
    for (int i = 0; i < COUNT(texts); i++) {
        char text[1024] = "";
        if (clGetDeviceInfo(d, texts[i].what, sizeof text - 1, text, NULL)) text[0] = '\0';
        json_object_set_new(o, texts[i].key, clean_text(text));
    }
    for (int i = 0; i < COUNT(numbers); i++) json_object_set_new(o, numbers[i].key, json_integer(device_number(d, numbers[i].what)));
    const char *claimed = json_is_true(json_object_get(o, "gpu")) ? NULL : getenv("LATHE_WORKER_DEVICE");
    json_t *claims = claimed ? json_loads(claimed, 0, NULL) : NULL;
    json_int_t warp = device_number(d, WARP_NVIDIA);
    json_object_set_new(o, "warp", json_integer(warp ? warp : device_number(d, WAVEFRONT_AMD)));
    json_object_set_new(o, "matrix", json_boolean(warp && device_number(d, CAPABILITY_NVIDIA) >= 8));
    json_object_update_existing(o, claims);
    json_decref(claims);
    return o;
}

enum { PLATFORMS = 32, DEVICES = 64 };

/* Of the platform of that number; -1: there is none. */
static int get_devices(int64_t number, cl_platform_id *platform, cl_device_id *all)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint n = 0;
    if (clGetPlatformIDs(PLATFORMS, platforms, &n) || number < 0 || number >= n || number >= PLATFORMS) return -1;
    *platform = platforms[number];
    if (clGetDeviceIDs(*platform, CL_DEVICE_TYPE_ALL, DEVICES, all, &n)) return 0;
    return n < DEVICES ? (int)n : DEVICES;
}

void op_hello(Worker *w, const json_t *q, Reply *r)
{
    (void)w, (void)q;
    cl_platform_id platform;
    cl_device_id devices[DEVICES];
    json_t *list = json_array();
    for (int p = 0, n; (n = get_devices(p, &platform, devices)) >= 0; p++)
        for (int d = 0; d < n; d++) json_array_append_new(list, describe(platform, devices[d], p, d));
    json_object_set_new(r->head, "protocol", json_integer(PROTOCOL_VERSION));
    json_object_set_new(r->head, "devices", list);
}

/* ---- open ---- */

const cl_channel_type texel_kinds[TEXEL_KINDS] = {CL_FLOAT, CL_SIGNED_INT32, CL_UNSIGNED_INT32};

/* The kinds of texels that images for that use may have, as bits. */
static int texels_known(const Worker *w, cl_mem_flags use)
{
    enum { FORMATS = 1024 };
    cl_image_format formats[FORMATS];
    cl_uint n = 0;
    int kinds = 0;
    if (clGetSupportedImageFormats(w->context, use, CL_MEM_OBJECT_IMAGE2D, FORMATS, formats, &n)) return 0;
    for (int k = 0; k < TEXEL_KINDS; k++)
        for (cl_uint i = 0; i < n && i < FORMATS; i++)
            if (formats[i].image_channel_order == CL_RGBA && formats[i].image_channel_data_type == texel_kinds[k]) kinds |= 1 << k;
    return kinds;
}

void op_open(Worker *w, const json_t *q, Reply *r)
{
    int code = 0;
    int64_t device = get_int(q, "device");
    cl_platform_id platform;
    cl_device_id devices[DEVICES];
    if (w->context || device < 0 || device >= get_devices(get_int(q, "platform"), &platform, devices))
        return (void)reply_fail(r, "device_lost", 0, "the device is not there any more");
    w->device = devices[device];
    w->limits.group = (size_t)device_number(w->device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    w->limits.local = (cl_ulong)device_number(w->device, CL_DEVICE_LOCAL_MEM_SIZE);
    w->limits.alloc = (cl_ulong)device_number(w->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    get_items(w->device, w->limits.items);
    w->checker = json_is_true(json_object_get(q, "checker"));
    w->context = clCreateContext(NULL, 1, &w->device, NULL, NULL, &code);
    if (w->context) w->queue = clCreateCommandQueue(w->context, w->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (!w->queue) return (void)reply_fail(r, "device_lost", code, "the device cannot be opened");
    json_object_set_new(r->head, "texels", json_pack("[i,i]", texels_known(w, CL_MEM_READ_ONLY), texels_known(w, CL_MEM_READ_WRITE)));
}

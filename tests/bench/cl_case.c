/* cl_case: kernels that lathe prints, run in the benchmark's own OpenCL context. */
#include "cl_case.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static bool contains(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) i++;
        if (i == n) return true;
    }
    return n == 0;
}

static bool pick(ClHost *h, cl_platform_id platform, const char *part)
{
    char vendor[128] = "";
    cl_device_id devices[8];
    cl_uint n = 0;
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof vendor, vendor, NULL);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &n) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < n && i < 8; i++) {
        cl_device_type type = 0;
        clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof h->name, h->name, NULL);
        if (!contains(vendor, part) && !contains(h->name, part)) continue;
        clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL);
        h->device = devices[i];
        h->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
        return true;
    }
    return false;
}

bool cl_host_open(ClHost *h, const char *part)
{
    cl_platform_id platforms[8];
    cl_uint n = 0;
    memset(h, 0, sizeof *h);
    if (clGetPlatformIDs(8, platforms, &n) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < n && i < 8 && !h->device; i++) pick(h, platforms[i], part);
    if (!h->device) return false;
    h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, NULL);
    h->queue = clCreateCommandQueue(h->context, h->device, 0, NULL);
    return h->context && h->queue;
}

void cl_host_close(ClHost *h)
{
    if (h->queue) clReleaseCommandQueue(h->queue);
    if (h->context) clReleaseContext(h->context);
}

/* ---- what lathe prints ---- */

static json_t *ask_lathe(const char *words)
{
    const char *lathe = getenv("LATHE") ? getenv("LATHE") : "build/lathe";
    size_t size = strlen(lathe) + strlen(words) + 64;
    char *command = malloc(size), *line = NULL;
    snprintf(command, size, "%s --json -q --no-init %s", lathe, words);
    FILE *f = popen(command, "r");
    json_t *last = NULL;
    size_t cap = 0;
    while (f && getline(&line, &cap, f) > 0) {
        json_t *j = json_loads(line, 0, NULL);
        if (!j) continue;
        json_decref(last);
        last = j;
    }
    int code = f ? pclose(f) : -1;
    if (code != 0 || !last || !json_object_get(json_object_get(last, "data"), "kernels")) {
        fprintf(stderr, "bench: this gave no kernel (code %d): %s\n", code, command);
        json_decref(last);
        last = NULL;
    }
    free(line);
    free(command);
    return last;
}

static ClBuffer *buffer(ClCase *c, json_t *arg, const ClInput *inputs)
{
    const char *name = json_string_value(json_object_get(arg, "name"));
    for (int i = 0; i < c->buffer_count; i++)
        if (strcmp(c->buffers[i].name, name) == 0) return &c->buffers[i];
    if (c->buffer_count == CASE_BUFFERS) return NULL;
    ClBuffer *b = &c->buffers[c->buffer_count++];
    const char *type = json_string_value(json_object_get(arg, "type"));
    size_t element = strcmp(type, "f64") == 0 || strcmp(type, "i64") == 0 ? 8 : strcmp(type, "bool") == 0 ? 1 : 4;
    snprintf(b->name, sizeof b->name, "%s", name);
    b->role = json_string_value(json_object_get(arg, "role"))[0];
    b->bytes = element * (size_t)strtoull(json_string_value(json_object_get(arg, "count")), NULL, 10);
    for (; b->role == 'i' && inputs->name; inputs++)
        if (strcmp(inputs->name, name) == 0) b->mem = inputs->mem, b->shared = true;
    if (!b->mem) b->mem = clCreateBuffer(c->host->context, CL_MEM_READ_WRITE, b->bytes, NULL, NULL);
    return b->mem ? b : NULL;
}

static bool set_arg(ClCase *c, cl_kernel k, cl_uint i, json_t *arg, const ClInput *inputs, const ClScalar *scalars)
{
    if (json_object_get(arg, "count")) {
        ClBuffer *b = buffer(c, arg, inputs);
        return b && clSetKernelArg(k, i, sizeof b->mem, &b->mem) == CL_SUCCESS;
    }
    const char *name = json_string_value(json_object_get(arg, "name"));
    for (; scalars->name; scalars++)
        if (strcmp(scalars->name, name) == 0) return clSetKernelArg(k, i, sizeof scalars->value, &scalars->value) == CL_SUCCESS;
    fprintf(stderr, "bench: no value for %s\n", name);
    return false;
}

static bool open_kernel(ClCase *c, json_t *j, const ClInput *inputs, const ClScalar *scalars)
{
    cl_int code;
    int at = c->kernel_count++;
    cl_kernel k = clCreateKernel(c->program, json_string_value(json_object_get(j, "name")), &code);
    c->kernels[at].kernel = k;
    if (code != CL_SUCCESS) return false;
    for (size_t d = 0; d < 3; d++) {
        c->kernels[at].global[d] = strtoull(json_string_value(json_array_get(json_object_get(j, "global"), d)), NULL, 10);
        c->kernels[at].local[d] = (size_t)json_integer_value(json_array_get(json_object_get(j, "local"), d));
    }
    size_t i;
    json_t *arg;
    json_array_foreach(json_object_get(j, "args"), i, arg)
        if (!set_arg(c, k, (cl_uint)i, arg, inputs, scalars)) return false;
    return true;
}

static bool build(ClCase *c)
{
    const char *source = c->source;
    c->program = clCreateProgramWithSource(c->host->context, 1, &source, NULL, NULL);
    if (clBuildProgram(c->program, 1, &c->host->device, "", NULL, NULL) == CL_SUCCESS) return true;
    char log[4096] = "";
    clGetProgramBuildInfo(c->program, c->host->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "bench: the program does not build:\n%s\n", log);
    return false;
}

bool cl_case_open(ClCase *c, ClHost *h, const char *words, const ClInput *inputs, const ClScalar *scalars)
{
    memset(c, 0, sizeof *c);
    c->host = h;
    json_t *all = ask_lathe(words);
    if (!all) return false;
    json_t *data = json_object_get(all, "data"), *kernels = json_object_get(data, "kernels");
    c->source = strdup(json_string_value(json_object_get(data, "source")));
    bool ok = build(c) && json_array_size(kernels) <= CASE_KERNELS;
    for (size_t i = 0; ok && i < json_array_size(kernels); i++) ok = open_kernel(c, json_array_get(kernels, i), inputs, scalars);
    if (!ok) fprintf(stderr, "bench: cannot prepare: %s\n", words);
    json_decref(all);
    return ok;
}

void cl_case_close(ClCase *c)
{
    for (int i = 0; i < c->kernel_count; i++)
        if (c->kernels[i].kernel) clReleaseKernel(c->kernels[i].kernel);
    for (int i = 0; i < c->buffer_count; i++)
        if (c->buffers[i].mem && !c->buffers[i].shared) clReleaseMemObject(c->buffers[i].mem);
    if (c->program) clReleaseProgram(c->program);
    free(c->source);
}

cl_mem cl_case_output(const ClCase *c, size_t *bytes)
{
    for (int i = 0; i < c->buffer_count; i++)
        if (c->buffers[i].role == 'o') {
            if (bytes) *bytes = c->buffers[i].bytes;
            return c->buffers[i].mem;
        }
    return NULL;
}

bool cl_case_run(ClCase *c, bool finish)
{
    bool ok = true;
    for (int i = 0; i < c->kernel_count; i++) {
        const size_t *local = c->kernels[i].local[0] ? c->kernels[i].local : NULL;
        ok &= clEnqueueNDRangeKernel(c->host->queue, c->kernels[i].kernel, 3, NULL, c->kernels[i].global, local, 0, NULL, NULL) == CL_SUCCESS;
    }
    return finish ? clFinish(c->host->queue) == CL_SUCCESS && ok : ok;
}

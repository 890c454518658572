/* worker_build: programs built with OpenCL, and the inputs that runs share. */
#include "worker_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- build ---- */

Program *program_find(Worker *w, int64_t id)
{
    for (int i = 0; i < w->programs.n; i++)
        if (w->programs.v[i].id == id) return &w->programs.v[i];
    return NULL;
}

void program_release(Program *p)
{
    for (int i = 0; i < p->kernel_count; i++) clReleaseKernel(p->kernels[i]);
    free(p->kernels);
    if (p->program) clReleaseProgram(p->program);
}

json_int_t kernel_number(Worker *w, cl_kernel k, cl_kernel_work_group_info what)
{
    cl_ulong v = 0;
    if (clGetKernelWorkGroupInfo(k, w->device, what, sizeof v, &v, NULL)) return 0;
    return (json_int_t)v;
}

/* Oclgrind's optimiser makes what its interpreter then lacks, rotations of bits for one: without it the kernel is there. */
static cl_kernel make_kernel(Worker *w, Program *p, const char *name, int *code)
{
    cl_kernel k = clCreateKernel(p->program, name, code);
    if (k || *code != CL_INVALID_KERNEL_NAME || p->kernel_count) return k;
    return clBuildProgram(p->program, 1, &w->device, "-cl-opt-disable", NULL, NULL) ? NULL : clCreateKernel(p->program, name, code);
}

static bool make_kernels(Worker *w, Program *p, const json_t *names, Reply *r)
{
    json_t *list = json_array();
    json_object_set_new(r->head, "kernels", list);
    p->kernels = mem_alloc(sizeof *p->kernels * json_array_size(names));
    for (size_t i = 0; i < json_array_size(names); i++) {
        int code;
        const char *name = json_string_value(json_array_get(names, i));
        cl_kernel k = make_kernel(w, p, name ? name : "", &code);
        if (!k)
            return reply_fail(r, "build_failed", code, "the program has no kernel %s", name ? name : "");
        p->kernels[p->kernel_count++] = k;
        json_array_append_new(list, json_pack("[I,I,I]", kernel_number(w, k, CL_KERNEL_LOCAL_MEM_SIZE),
                                              kernel_number(w, k, CL_KERNEL_PRIVATE_MEM_SIZE),
                                              kernel_number(w, k, CL_KERNEL_WORK_GROUP_SIZE)));
    }
    return true;
}

void op_build(Worker *w, const json_t *q, Reply *r)
{
    if (w->request.blob_count != 1 || program_find(w, get_int(q, "program"))) return (void)reply_malformed(r);
    Program p = {.id = get_int(q, "program")};
    const char *source = w->request.blobs[0].data;
    size_t len = w->request.blobs[0].bytes, n = 0;
    int code;
    double start = clock_exact_ms();
    p.program = clCreateProgramWithSource(w->context, 1, &source, &len, &code);
    bool ok = p.program || reply_fail(r, "build_failed", code, "the source was refused");
    if (ok) code = clBuildProgram(p.program, 1, &w->device, "", NULL, NULL);
    if (ok && !clGetProgramBuildInfo(p.program, w->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) && n >= 2) {
        LOCAL(drop) char *log = mem_alloc(n + 1);
        if (!clGetProgramBuildInfo(p.program, w->device, CL_PROGRAM_BUILD_LOG, n, log, NULL)) buf_puts(&r->text, log);
        if (r->text.len && r->text.data[r->text.len - 1] != '\n') buf_putc(&r->text, '\n');
    }
    if (ok && code) ok = reply_fail(r, "build_failed", code, "the program does not build");
    ok = ok && make_kernels(w, &p, json_object_get(q, "kernels"), r);
    json_object_set_new(r->head, "ms", json_real(clock_exact_ms() - start));
    if (ok) vec_push(&w->programs, p);
    else program_release(&p);
}

/* ---- inputs ---- */

void spares_drop(Worker *w)
{
    while (w->spares.n) clReleaseMemObject(w->spares.v[--w->spares.n].mem);
}

void run_release(Worker *w)
{
    enum { SHARE = 4 };                  /* of the largest buffer that the device allows */
    for (int i = 0; i < w->run.memory_count; i++) {
        const Memory *m = &w->run.memories[i];
        if (!m->owned || !m->mem) continue;
        if (m->is_image || m->held > w->limits.alloc / SHARE) clReleaseMemObject(m->mem);
        else vec_push(&w->spares, ((Spare){m->mem, m->held}));
    }
    arena_free(w->run.arena);
    w->run = (Run){0};
}

cl_mem buffer_make(Worker *w, cl_mem_flags flags, size_t bytes, int *code)
{
    *code = 0;
    for (int i = 0; flags == CL_MEM_READ_WRITE && i < w->spares.n; i++) {
        cl_mem spare = w->spares.v[i].mem;
        if (w->spares.v[i].bytes != bytes) continue;
        w->spares.v[i] = w->spares.v[--w->spares.n];
        return spare;
    }
    cl_mem mem = clCreateBuffer(w->context, flags, bytes, NULL, code);
    if (mem || !w->spares.n) return mem;
    spares_drop(w);
    return clCreateBuffer(w->context, flags, bytes, NULL, code);
}

/* A program that goes takes the current run along, whose steps may name its kernels. */
void op_forget(Worker *w, const json_t *q, Reply *r)
{
    (void)r;
    Program *p = program_find(w, get_int(q, "program"));
    if (!p) return;
    run_release(w);
    program_release(p);
    *p = w->programs.v[--w->programs.n];
}

Input *input_find(Worker *w, const char *key)
{
    for (int i = 0; key && i < w->inputs.n; i++)
        if (!strcmp(w->inputs.v[i].key, key)) return &w->inputs.v[i];
    return NULL;
}

void input_drop(Worker *w, Input *in)
{
    clReleaseMemObject(in->mem);
    free(in->key);
    *in = w->inputs.v[--w->inputs.n];
}

void op_upload(Worker *w, const json_t *q, Reply *r)
{
    const char *key = get_text(q, "key");
    int64_t offset = get_int(q, "offset"), bytes = get_int(q, "bytes"), total = get_int(q, "total");
    int code = 0;
    run_release(w);
    if (!key || bytes < 1 || bytes > WINDOW_BYTES || total < 1) return (void)reply_malformed(r);
    Input *in = input_find(w, key);
    if (!in && offset == 0) {
        cl_mem mem = buffer_make(w, CL_MEM_READ_ONLY, (size_t)total, &code);
        if (!reply_ok(r, code, "no room on the device for an input of %zu bytes", (size_t)total)) return;
        vec_push(&w->inputs, ((Input){mem_strdup(key), mem, (size_t)total, 0}));
        in = &w->inputs.v[w->inputs.n - 1];
    }
    if (!in || in->filled != (size_t)offset || (size_t)bytes > in->bytes - in->filled) return (void)reply_malformed(r);
    code = clEnqueueWriteBuffer(w->queue, in->mem, CL_TRUE, in->filled, (size_t)bytes, w->window, 0, NULL, NULL);
    in->filled += (size_t)bytes;
    if (!reply_ok(r, code, "an input of %zu bytes cannot be written to the device", in->bytes)) input_drop(w, in);
}

void op_free(Worker *w, const json_t *q, Reply *r)
{
    (void)r;
    Input *in = input_find(w, get_text(q, "key"));
    if (!in) return;
    run_release(w);
    input_drop(w, in);
}

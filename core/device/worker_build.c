/* worker_build: programs built, and the inputs that runs share. */
#include "worker_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- build ---- */

Program *program_find(Worker *w, int64_t id)
{
    return FIRST(i, w->programs.v, w->programs.n, w->programs.v[i].id == id);
}

void program_release(Worker *w, Program *p)
{
    for (int i = 0; i < p->kernel_count; i++) {
        w->driver->kernel_release(w->state, p->kernels[i]);
        free((char *)p->names[i]);
    }
    free(p->kernels);
    free(p->names);
    if (p->program) w->driver->program_release(w->state, p->program);
}

static bool make_kernels(Worker *w, Program *p, const json_t *names, Reply *r)
{
    json_t *list = json_array();
    json_object_set_new(r->head, "kernels", list);
    p->kernels = mem_alloc(sizeof *p->kernels * json_array_size(names));
    p->names = mem_alloc(sizeof *p->names * json_array_size(names));
    for (size_t i = 0; i < json_array_size(names); i++) {
        int code = 0;
        const char *name = json_string_value(json_array_get(names, i));
        DriverKernel *k = w->driver->kernel(w->state, p->program, name ? name : "", &code);
        if (!k)
            return reply_fail(r, "build_failed", code, "the program has no kernel %s", name ? name : "");
        KernelFacts f = w->driver->facts(w->state, k);
        p->names[p->kernel_count] = mem_strdup(name ? name : "");
        p->kernels[p->kernel_count++] = k;
        json_array_append_new(list, json_pack("[I,I,I]", (json_int_t)f.local_bytes, (json_int_t)f.private_bytes, (json_int_t)f.max_group));
    }
    return true;
}

void op_build(Worker *w, const json_t *q, Reply *r)
{
    if (w->request.blob_count != 1 || program_find(w, get_int(q, "program"))) return (void)reply_malformed(r);
    Program p = {.id = get_int(q, "program")};
    int code = 0;
    double start = clock_exact_ms();
    p.program = w->driver->build(w->state, w->request.blobs[0].data, w->request.blobs[0].bytes, &r->text, &code);
    if (r->text.len && r->text.data[r->text.len - 1] != '\n') buf_putc(&r->text, '\n');
    bool ok = p.program ? make_kernels(w, &p, json_object_get(q, "kernels"), r)
                        : reply_fail(r, "build_failed", code, "the program does not build");
    json_object_set_new(r->head, "ms", json_real(clock_exact_ms() - start));
    if (ok) vec_push(&w->programs, p);
    else program_release(w, &p);
}

/* ---- inputs ---- */

void spares_drop(Worker *w)
{
    while (w->spares.n) w->driver->memory_release(w->state, w->spares.v[--w->spares.n].mem);
}

void run_release(Worker *w)
{
    enum { SHARE = 4 };                  /* of the largest buffer that the device allows */
    for (int i = 0; i < w->run.memory_count; i++) {
        const Memory *m = &w->run.memories[i];
        if (!m->owned || !m->mem) continue;
        if (m->is_image || m->bytes > w->limits.alloc / SHARE) w->driver->memory_release(w->state, m->mem);
        else vec_push(&w->spares, ((Spare){m->mem, m->bytes}));
    }
    arena_free(w->run.arena);
    w->run = (Run){0};
}

/* On the checking device there are none: they would hide reads and writes just past the end from it. */
bool has_guards(const Worker *w, size_t bytes) { return !w->checker && w->limits.guards && bytes + 2 * DRIVER_GUARD <= w->limits.alloc; }

DriverMemory *buffer_make(Worker *w, bool read_only, size_t bytes, int *code)
{
    *code = 0;
    for (int i = 0; !read_only && i < w->spares.n; i++) {
        DriverMemory *spare = w->spares.v[i].mem;
        if (w->spares.v[i].bytes != bytes) continue;
        w->spares.v[i] = w->spares.v[--w->spares.n];
        return spare;
    }
    DriverMemory *mem = w->driver->memory(w->state, bytes, read_only, has_guards(w, bytes), code);
    if (mem || !w->spares.n) return mem;
    spares_drop(w);
    return w->driver->memory(w->state, bytes, read_only, has_guards(w, bytes), code);
}

/* A program that goes takes the current run along, whose steps may name its kernels. */
void op_forget(Worker *w, const json_t *q, Reply *r)
{
    (void)r;
    Program *p = program_find(w, get_int(q, "program"));
    if (!p) return;
    run_release(w);
    program_release(w, p);
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
    w->driver->memory_release(w->state, in->mem);
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
        DriverMemory *mem = buffer_make(w, true, (size_t)total, &code);
        if (!reply_ok(r, code, "no room on the device for an input of %zu bytes", (size_t)total)) return;
        vec_push(&w->inputs, ((Input){mem_strdup(key), mem, (size_t)total, 0}));
        in = &w->inputs.v[w->inputs.n - 1];
    }
    if (!in || in->filled != (size_t)offset || (size_t)bytes > in->bytes - in->filled) return (void)reply_malformed(r);
    code = w->driver->write(w->state, in->mem, (ptrdiff_t)in->filled, (size_t)bytes, w->window, NULL);
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

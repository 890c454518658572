/* worker_request: a run request read, and its memory allocated. */
#include "worker_private.h"

#include <stdio.h>
#include <string.h>

/* ---- reading a run request ---- */

static bool read_argument(const Worker *w, const json_t *j, Argument *a)
{
    const char *kind = json_string_value(json_array_get(j, 0));
    const json_t *v = json_array_get(j, 1);
    json_int_t n = json_integer_value(v);
    a->kind = kind ? kind[0] : '\0';
    a->written = a->kind == 'w';
    if (a->written) a->kind = 'b';
    if (a->kind == 'v') {
        const char *s = json_string_value(v);
        a->bytes = s ? strlen(s) / 2 : 0;
        if (a->bytes < 1 || a->bytes > sizeof a->value) return false;
        for (size_t i = 0; i < a->bytes; i++)
            if (sscanf(s + 2 * i, "%2hhx", &a->value[i]) != 1) return false;
        return true;
    }
    if (a->kind == 'l') a->bytes = n > 0 ? (size_t)n : 0;
    if (a->kind == 'b') a->buffer = (int)n;
    if (a->kind == 'r') {
        a->loop = (int)n;
        a->bytes = (size_t)json_integer_value(json_array_get(j, 2));
        return n >= 0 && n < w->run.loop_count && (a->bytes == sizeof(cl_int) || a->bytes == sizeof(cl_long));
    }
    return a->kind == 'l' || (a->kind == 'b' && n >= 0 && n < w->run.memory_count && (!a->written || w->run.memories[n].is_image));
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

static bool read_loops(Run *run, const json_t *list, int steps)
{
    size_t n = json_array_size(list);
    if (n > RUN_PARTS_MAX) return false;
    run->loops = NEW_ARRAY(run->arena, Loop, (int)n);
    for (; (size_t)run->loop_count < n; run->loop_count++) {
        /* Loops come in order: one begins within the one around, and behind the one before. */
        const json_t *j = json_array_get(list, (size_t)run->loop_count), *states = json_object_get(j, "states");
        Loop *l = &run->loops[run->loop_count];
        *l = (Loop){.around = (int)get_int(j, "around"), .first = (int)get_int(j, "first"), .step = (int)get_int(j, "step"),
                    .end = (int)get_int(j, "end"), .test = (int)get_int(j, "test"), .rounds = get_int(j, "rounds")};
        bool ok = l->around >= -1 && l->around < l - run->loops && l->first >= 0 && l->step >= l->first && l->end > l->first
                  && l->step <= l->end && l->end <= steps && l->rounds >= 1 && l->test >= -1 && l->test < run->memory_count;
        l->state_count = (int)json_array_size(states);
        if (!ok || l->state_count > RUN_PARTS_MAX) return false;
        l->states = NEW_ARRAY(run->arena, State, l->state_count);
        for (State *s = l->states; s < l->states + l->state_count; s++) {
            int *const parts[] = {&s->from, &s->to, &s->init, &s->out, &s->spare};
            for (int i = 0; i < COUNT(parts); i++) {
                json_int_t m = json_integer_value(json_array_get(json_array_get(states, (size_t)(s - l->states)), (size_t)i));
                if (m < 0 || m >= run->memory_count || (i >= 2 && run->memories[m].bytes != run->memories[s->from].bytes)) return false;
                *parts[i] = (int)m;
            }
        }
    }
    for (int i = 0; i < run->loop_count; i++) loop_begin_round(run, &run->loops[i], 0);
    return true;
}

bool run_read_steps(Worker *w, const json_t *q)
{
    const json_t *list = json_object_get(q, "launches");
    const Program *p = program_find(w, get_int(q, "program"));
    size_t n = json_array_size(list);
    if (!p || n < 1 || n > RUN_PARTS_MAX || !read_loops(&w->run, json_object_get(q, "loops"), (int)n)) return false;
    w->run.steps = NEW_ARRAY(w->run.arena, Step, (int)n);
    for (; (size_t)w->run.step_count < n; w->run.step_count++) {
        const json_t *j = json_array_get(list, (size_t)w->run.step_count);
        Step *s = &w->run.steps[w->run.step_count];
        char name[256] = "";
        int64_t k = get_int(j, "kernel");
        if (k < 0 || k >= p->kernel_count) return false;
        s->kernel = p->kernels[k];
        if (clGetKernelInfo(s->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL)) name[0] = '\0';
        s->name = arena_strdup(w->run.arena, name);
        if (!read_sizes(json_object_get(j, "global"), s->global)) return false;
        if (!read_sizes(json_object_get(j, "local"), s->local)) return false;
        s->has_local = s->local[0] || s->local[1] || s->local[2];
        s->dims = 3;
        while (s->dims > 1 && s->global[s->dims - 1] == 1 && s->local[s->dims - 1] <= 1) s->dims--;
        const json_t *args = json_object_get(j, "args");
        if (json_array_size(args) > RUN_PARTS_MAX) return false;
        s->arg_count = (int)json_array_size(args);
        s->args = NEW_ARRAY(w->run.arena, Argument, s->arg_count);
        if (!ALL(i, s->arg_count, read_argument(w, json_array_get(args, (size_t)i), &s->args[i]))) return false;
    }
    return true;
}

/* ---- the memory of a run ---- */

void guard_make(uint32_t words[GUARD_BYTES / 4])
{
    for (uint32_t i = 0; i < GUARD_BYTES / 4; i++) words[i] = 0x7ffc0000u | (0x5a5au ^ i * 0x0101u);
}

static bool make_memory(Worker *w, int index, Memory *m, Reply *r)
{
    int code = 0;
    uint32_t guard[GUARD_BYTES / 4];
    uint8_t pattern[16];
    size_t even = m->bytes & ~(size_t)15;
    m->held = m->bytes + (w->run.canaries ? sizeof guard : 0);
    if (m->bytes > w->limits.alloc)
        return reply_fail(r, "run_failed", 0, "buffer %d has %zu bytes; the device allows %llu in one buffer",
                          index, m->bytes, (unsigned long long)w->limits.alloc);
    m->owned = true;
    m->mem = buffer_make(w, CL_MEM_READ_WRITE, m->held, &code);
    guard_make(guard);
    memset(pattern, m->fill, sizeof pattern);
    bool ok = m->mem && !(even && clEnqueueFillBuffer(w->queue, m->mem, pattern, 16, 0, even, 0, NULL, NULL))
              && !(even < m->bytes && clEnqueueFillBuffer(w->queue, m->mem, pattern, 1, even, m->bytes - even, 0, NULL, NULL))
              && !(w->run.canaries && clEnqueueWriteBuffer(w->queue, m->mem, CL_TRUE, m->bytes, sizeof guard, guard, 0, NULL, NULL));
    return ok || reply_fail(r, failed_or_lost(w, "run_failed"), code, "no room on the device for buffer %d of %zu bytes", index,
                            m->bytes);
}

bool run_read_memories(Worker *w, const json_t *list, Reply *r)
{
    Run *run = &w->run;
    if (json_array_size(list) > RUN_PARTS_MAX) return reply_malformed(r);
    run->memory_count = (int)json_array_size(list);
    run->memories = NEW_ARRAY(run->arena, Memory, run->memory_count);
    for (int i = 0; i < run->memory_count; i++) {
        const json_t *j = json_array_get(list, (size_t)i);
        const char *role = get_text(j, "role");
        int64_t bytes = get_int(j, "bytes");
        Memory *m = &run->memories[i];
        if (!role || bytes < 0) return reply_malformed(r);
        if (!bytes) return reply_fail(r, "bad_launch", 0, "buffer %d has no bytes", i);
        *m = (Memory){.bytes = (size_t)bytes, .stands_for = i, .newer = -1, .fill = (uint8_t)get_int(j, "fill"),
                      .is_output = !strcmp(role, "output")};
        if (!strcmp(role, "state")) continue;
        if (!strcmp(role, "image")) {
            if (!image_make(w, j, i, m, r)) return false;
            continue;
        }
        if (!strcmp(role, "input")) {
            const Input *in = input_find(w, get_text(j, "key"));
            if (!in || in->filled != in->bytes || in->bytes != m->bytes) return reply_malformed(r);
            m->mem = in->mem;
        } else if (!make_memory(w, i, m, r)) return false;
        /* The host's side of a transfer that is timed. */
        bool to = run->to && !m->owned && m->mem, from = run->from && m->is_output;
        if (to || from) m->host = arena_alloc(run->arena, m->bytes);
        int code = to ? clEnqueueReadBuffer(w->queue, m->mem, CL_TRUE, 0, m->bytes, m->host, 0, NULL, NULL) : 0;
        if (code) return reply_fail(r, failed_or_lost(w, "run_failed"), code, "an input cannot be read back");
    }
    spares_drop(w);
    return true;
}

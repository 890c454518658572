/* worker_request: a run request read, and its memory allocated. */
#include "worker_private.h"

#include <stdio.h>
#include <string.h>

/* ---- reading a run request: as device.c writes it ---- */

static bool read_argument(const json_t *j, LaunchArg *a)
{
    const char *kind = json_string_value(json_array_get(j, 0)), *hex = json_string_value(json_array_get(j, 1));
    json_int_t n = json_integer_value(json_array_get(j, 1));
    switch (kind ? *kind : 0) {
    case 'b': case 'w': *a = (LaunchArg){.kind = ARG_BUFFER, .buffer = (int)n, .written = *kind == 'w'}; return true;
    case 'l': *a = (LaunchArg){.kind = ARG_LOCAL, .bytes = (size_t)n}; return true;
    case 'r': *a = (LaunchArg){.kind = ARG_ROUND, .loop = (int)n, .bytes = (size_t)json_integer_value(json_array_get(j, 2))}; return true;
    case 'v':
        for (a->kind = ARG_VALUE; hex && a->bytes < sizeof a->value && sscanf(hex, "%2hhx", &a->value[a->bytes]) == 1; hex += 2) a->bytes++;
        return true;
    default: return false;
    }
}

static bool read_sizes(const json_t *j, size_t out[3])
{
    for (size_t i = 0; i < 3; i++) out[i] = (size_t)json_integer_value(json_array_get(j, i));
    return json_array_size(j) == 3;
}

static bool read_loop(Run *run, const json_t *j, int number)
{
    LaunchLoop *l = &run->loops[number];
    const json_t *states;
    json_int_t rounds;
    if (json_unpack((json_t *)j, "{s:i,s:i,s:i,s:i,s:I,s:i,s:o}", "around", &l->around, "first", &l->first, "step", &l->step,
                    "end", &l->end, "rounds", &rounds, "test", &l->test, "states", &states)) return false;
    l->rounds = rounds;
    l->state_count = (int)json_array_size(states);
    l->states = NEW_ARRAY(run->arena, LaunchState, l->state_count);
    for (int i = 0; i < l->state_count; i++) {
        LaunchState *s = &l->states[i];
        if (json_unpack(json_array_get(states, (size_t)i), "[i,i,i,i,i]", &s->from, &s->to, &s->init, &s->out, &s->spare)) return false;
    }
    loop_begin_round(run, number, 0);
    return true;
}

static bool read_step(Run *run, const Program *p, const json_t *j, Step *s)
{
    char name[256] = "";
    int64_t k = get_int(j, "kernel");
    const json_t *args = json_object_get(j, "args");
    if (k < 0 || k >= p->kernel_count) return false;
    s->kernel = p->kernels[k];
    if (clGetKernelInfo(s->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL)) name[0] = '\0';
    s->name = arena_strdup(run->arena, name);
    if (!read_sizes(json_object_get(j, "global"), s->global) || !read_sizes(json_object_get(j, "local"), s->local)) return false;
    s->has_local = s->local[0] || s->local[1] || s->local[2];
    s->dims = 3;
    while (s->dims > 1 && s->global[s->dims - 1] == 1 && s->local[s->dims - 1] <= 1) s->dims--;
    s->arg_count = (int)json_array_size(args);
    s->args = NEW_ARRAY(run->arena, LaunchArg, s->arg_count);
    return ALL(i, s->arg_count, read_argument(json_array_get(args, (size_t)i), &s->args[i]));
}

bool run_read_steps(Worker *w, const json_t *q)
{
    const json_t *launches = json_object_get(q, "launches"), *loops = json_object_get(q, "loops");
    const Program *p = program_find(w, get_int(q, "program"));
    Run *run = &w->run;
    run->step_count = (int)json_array_size(launches);
    run->loop_count = (int)json_array_size(loops);
    run->steps = NEW_ARRAY(run->arena, Step, run->step_count);
    run->loops = NEW_ARRAY(run->arena, LaunchLoop, run->loop_count);
    run->round = NEW_ARRAY(run->arena, int64_t, run->loop_count);
    return p && ALL(i, run->loop_count, read_loop(run, json_array_get(loops, (size_t)i), i))
        && ALL(i, run->step_count, read_step(run, p, json_array_get(launches, (size_t)i), &run->steps[i]));
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
    if (!code && even) code = clEnqueueFillBuffer(w->queue, m->mem, pattern, 16, 0, even, 0, NULL, NULL);
    if (!code && even < m->bytes) code = clEnqueueFillBuffer(w->queue, m->mem, pattern, 1, even, m->bytes - even, 0, NULL, NULL);
    if (!code && w->run.canaries) code = clEnqueueWriteBuffer(w->queue, m->mem, CL_TRUE, m->bytes, sizeof guard, guard, 0, NULL, NULL);
    return reply_ok(r, code, "no room on the device for buffer %d of %zu bytes", index, m->bytes);
}

bool run_read_memories(Worker *w, const json_t *list, Reply *r)
{
    Run *run = &w->run;
    run->memory_count = (int)json_array_size(list);
    run->memories = NEW_ARRAY(run->arena, Memory, run->memory_count);
    for (int i = 0; i < run->memory_count; i++) {
        const json_t *j = json_array_get(list, (size_t)i);
        const char *role = get_text(j, "role");
        int64_t bytes = get_int(j, "bytes");
        Memory *m = &run->memories[i];
        if (!role) return reply_malformed(r);
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
        if (to && !reply_ok(r, memory_read(w, m, 0, m->bytes, m->host), "an input cannot be read back")) return false;
    }
    spares_drop(w);
    return true;
}

/* worker_run: a run request: read, its memories made, images among them, its launches checked and made, in loops and in time, and what
 * the checking device found. */
#include "worker_private.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS_MOST = 1024, FINDINGS_KEPT = 1 << 16 };

typedef struct Started { DriverEvent *event; const Step *step; } Started;      /* step: a kernel; NULL: a transfer */
typedef struct Events {         /* of one execution */
    VEC(Started) v;
    double ns, *steps_ns;       /* of those that are over and forgotten; of each step; steps_ns may be NULL */
    const Step *steps;
} Events;

static bool queue_finish(Worker *w, const char *what, const char *name, Reply *r)
{
    return reply_ok(r, w->driver->finish(w->state), "%s %s failed", what, name);
}

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

/* What its states stand for. */
static void loop_begin_round(Run *run, int loop, int64_t round)
{
    const LaunchLoop *l = &run->loops[loop];
    Memory *m = run->memories;
    run->round[loop] = round;
    for (const LaunchState *s = l->states; s < l->states + l->state_count; s++) {
        bool last = (l->rounds - 1 - round) % 2 == 0;
        m[s->from].stands_for = m[round == 0 ? s->init : last ? s->spare : s->out].stands_for;
        m[s->to].stands_for = m[last ? s->out : s->spare].stands_for;
    }
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
    int64_t k = get_int(j, "kernel");
    const json_t *args = json_object_get(j, "args");
    if (k < 0 || k >= p->kernel_count) return false;
    s->kernel = p->kernels[k];
    s->name = p->names[k];
    s->local_bytes = (size_t)get_int(j, "local_bytes");
    if (!read_sizes(json_object_get(j, "global"), s->global) || !read_sizes(json_object_get(j, "local"), s->local)) return false;
    s->has_local = s->local[0] || s->local[1] || s->local[2];
    s->dims = 3;
    while (s->dims > 1 && s->global[s->dims - 1] == 1 && s->local[s->dims - 1] <= 1) s->dims--;
    s->arg_count = (int)json_array_size(args);
    s->args = NEW_ARRAY(run->arena, LaunchArg, s->arg_count);
    return ALL(i, s->arg_count, read_argument(json_array_get(args, (size_t)i), &s->args[i]));
}

/* And loops. False: malformed, not reported. */
static bool read_steps(Worker *w, const json_t *q)
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

/* ---- images: other forms of the run's memories ---- */

/* The image from the buffer, or, back, to it. An event, or it waits. */
static int copy_image(Worker *w, const Memory *image, const Memory *buffer, bool to_image, Events *events)
{
    DriverEvent *event = NULL;
    int code = w->driver->copy_image(w->state, image->mem, buffer->mem, to_image, image->width, image->height, events ? &event : NULL);
    if (event) vec_push(&events->v, ((Started){.event = event}));
    return code;
}

static bool copy_back(Worker *w, int index, Events *events, Reply *r)
{
    Memory *all = w->run.memories, *m = &all[index];
    if (m->newer < 0) return true;
    const Memory *image = &all[m->newer];
    if (!reply_ok(r, copy_image(w, image, m, false, events), "image %d cannot be copied to buffer %d", m->newer, index)) return false;
    m->newer = -1;
    return true;
}

/* The memory has its content, before it is read: a buffer that of an image that was written, an image that of its buffer. Copies are
 * among the events, unless that is NULL. */
static bool memory_refresh(Worker *w, int index, Events *events, Reply *r)
{
    Memory *all = w->run.memories, *m = &all[index];
    if (!m->is_image) return copy_back(w, m->stands_for, events, r);
    int of = all[m->of].stands_for;
    if (m->copied_from == of) return true;
    if (!copy_back(w, of, events, r)) return false;
    if (!reply_ok(r, copy_image(w, m, &all[of], true, events), "buffer %d cannot be copied to image %d", of, index)) return false;
    m->copied_from = of;
    return true;
}

/* The content of that memory may be another now. */
static void images_forget(Worker *w, int index)
{
    Memory *all = w->run.memories;
    for (int i = 0; i < w->run.memory_count; i++)
        if (all[i].is_image && all[i].copied_from == all[index].stands_for) all[i].copied_from = -1;
}

/* By a kernel: what it is an image of is behind. */
static void image_was_written(Worker *w, int index)
{
    Memory *all = w->run.memories;
    int of = all[all[index].of].stands_for;
    images_forget(w, all[index].of);
    all[index].copied_from = of;
    all[of].newer = index;
}

static bool image_make(Worker *w, const json_t *j, int index, Memory *m, Reply *r)
{
    int code = 0;
    int64_t of = get_int(j, "of"), width = get_int(j, "width"), height = get_int(j, "height"), kind = get_int(j, "texels");
    if (of < 0 || of >= index || width < 1 || height < 1 || kind < 0 || kind > TEXELS_UNSIGNED) return reply_malformed(r);
    if (w->run.memories[of].bytes < (size_t)width * (size_t)height * 16) return reply_malformed(r);
    m->mem = w->driver->image(w->state, (size_t)width, (size_t)height, (Texels)kind, json_is_true(json_object_get(j, "written")), &code);
    m->is_image = m->owned = true;
    m->of = (int)of;
    m->copied_from = -1;
    m->width = (size_t)width;
    m->height = (size_t)height;
    bool input = !w->run.memories[of].owned && w->run.memories[of].mem;         /* its copy is no part of the time */
    return reply_ok(r, code, "no room on the device for image %d of %zu x %zu texels", index, m->width, m->height)
           && (!input || memory_refresh(w, index, NULL, r));
}

/* ---- the memory of a run ---- */

typedef struct Guard { uint32_t words[DRIVER_GUARD / 4]; } Guard;

/* What lies around an array: near the largest that a double, float or half can be (of a float's two halves the upper one is NaN), and integers
 * likewise, so that a sum, an extreme or an index that takes some in is seen. By the highest bit of what outputs are filled with, which repeats
 * take in turn, all are negative: a least element that is too much is seen then. Words differ from their neighbours, so that what is moved is seen. */
static void guard_make(Guard *g, uint8_t fill)
{
    uint32_t sign = fill & 0x80 ? 0x80008000u : 0;
    for (uint32_t i = 0; i < COUNT(g->words); i++) g->words[i] = sign | 0x7f7b7b00u | (i * 0x65 & 0xff);
}

/* Is that one of the arrays with guards in this run? */
static bool guarded(const Worker *w, const Memory *m)
{
    return w->run.canaries && m->mem && !m->is_image && has_guards(w, m->bytes);
}

static int guards_write(Worker *w, const Memory *m)
{
    Guard g;
    guard_make(&g, m->fill);
    int code = w->driver->write(w->state, m->mem, -DRIVER_GUARD, sizeof g, &g, NULL);
    return code ? code : w->driver->write(w->state, m->mem, (ptrdiff_t)m->bytes, sizeof g, &g, NULL);
}

static bool make_memory(Worker *w, int index, Memory *m, Reply *r)
{
    int code = 0;
    if (m->bytes > w->limits.alloc)
        return reply_fail(r, "run_failed", 0, "buffer %d has %zu bytes; the device allows %llu in one buffer",
                          index, m->bytes, (unsigned long long)w->limits.alloc);
    m->owned = true;
    m->mem = buffer_make(w, false, m->bytes, &code);
    if (!code) code = w->driver->fill(w->state, m->mem, m->bytes, m->fill);
    return reply_ok(r, code, "no room on the device for buffer %d of %zu bytes", index, m->bytes);
}

/* Allocated and filled; false: reported. */
static bool read_memories(Worker *w, const json_t *list, Reply *r)
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
        if (guarded(w, m) && !reply_ok(r, guards_write(w, m), "the guards of buffer %d cannot be written", i)) return false;
        /* The host's side of a transfer that is timed. */
        bool to = run->to && !m->owned && m->mem, from = run->from && m->is_output;
        if (to || from) m->host = arena_alloc(run->arena, m->bytes);
        if (to && !reply_ok(r, memory_read(w, m, 0, m->bytes, m->host), "an input cannot be read back")) return false;
    }
    spares_drop(w);
    return true;
}

/* ---- launching ---- */

static bool check_group(Worker *w, const Step *s, const KernelFacts *f, Reply *r)
{
    size_t all = 1;
    const size_t *local = s->local, *want = f->required;
    if (!s->has_local) return true;
    bool required = want[0], same = required && !memcmp(want, local, sizeof s->local);
    /* What a device allows for a kernel says nothing of one compiled for a given size: NVIDIA says 256 where it launches 1024. */
    size_t most = same ? 0 : f->max_group;
    if (!most || most > w->limits.group) most = w->limits.group;
    for (int i = 0; i < 3; i++) {
        if (local[i] > w->limits.items[i])
            return reply_fail(r, "bad_launch", 0, "kernel %s: local size %zu of dimension %d; the device allows %zu", s->name, local[i], i,
                              w->limits.items[i]);
        all *= local[i] > most ? most + 1 : local[i];
        if (all > most)
            return reply_fail(r, "bad_launch", 0, "kernel %s: work-group of %zux%zux%zu; the device allows %zu work-items for it", s->name,
                              local[0], local[1], local[2], most);
    }
    return !required || same ||
           reply_fail(r, "bad_launch", 0, "kernel %s was compiled for work-groups of %zux%zux%zu, not %zux%zux%zu", s->name, want[0],
                      want[1], want[2], local[0], local[1], local[2]);
}

static bool set_arguments(Worker *w, const Step *s, Reply *r)
{
    for (int i = 0; i < s->arg_count; i++) {
        const LaunchArg *a = &s->args[i];
        if (a->kind == ARG_LOCAL && !a->bytes)
            return reply_fail(r, "bad_launch", 0, "kernel %s: argument %d is local memory of 0 bytes", s->name, i);
        const void *value = a->kind == ARG_VALUE ? a->value : NULL;
        int64_t wide = a->kind == ARG_ROUND ? w->run.round[a->loop] : 0;
        int32_t narrow = (int32_t)wide;
        if (a->kind == ARG_ROUND) value = a->bytes == sizeof wide ? (const void *)&wide : (const void *)&narrow;
        int code = a->kind == ARG_BUFFER ? w->driver->give_memory(w->state, s->kernel, i, w->run.memories[w->run.memories[a->buffer].stands_for].mem)
                                         : w->driver->give(w->state, s->kernel, i, a->bytes, value);
        if (code)
            return reply_fail(r, "bad_launch", code, "kernel %s: argument %d does not fit", s->name, i);
    }
    return true;
}

/* All that can be refused is refused before the first kernel starts. Arguments are set. */
static bool check_steps(Worker *w, Reply *r)
{
    for (const Step *s = w->run.steps; s < w->run.steps + w->run.step_count; s++) {
        for (int i = 0; i < 3; i++) {
            if (!s->global[i]) return reply_fail(r, "bad_launch", 0, "kernel %s: global size %d is 0", s->name, i);
            if (!s->has_local) continue;
            if (!s->local[i]) return reply_fail(r, "bad_launch", 0, "kernel %s: local size %d is 0", s->name, i);
            if (s->global[i] % s->local[i])
                return reply_fail(r, "bad_launch", 0, "kernel %s: global size %zu of dimension %d is no multiple of local size %zu",
                                  s->name, s->global[i], i, s->local[i]);
        }
        KernelFacts f = w->driver->facts(w->state, s->kernel);
        if (f.arguments >= 0 && f.arguments != s->arg_count)
            return reply_fail(r, "bad_launch", 0, "kernel %s takes %d arguments, %d were given", s->name, f.arguments, s->arg_count);
        if (!check_group(w, s, &f, r) || !set_arguments(w, s, r)) return false;
        /* Drivers count some bytes of their own as the kernel's (NVIDIA 64, though it launches 48 KiB and these): there the launch decides. */
        enum { DRIVER_LOCAL = 256 };
        uint64_t asked = s->local_bytes, whole = (uint64_t)f.local_bytes + s->local_bytes, limit = w->limits.local;
        for (int i = 0; i < s->arg_count; i++)
            if (s->args[i].kind == ARG_LOCAL) asked += s->args[i].bytes;
        if (asked > whole) whole = asked;
        if (asked > limit || whole > limit + DRIVER_LOCAL)
            return reply_fail(r, "bad_launch", 0, "kernel %s needs %llu bytes of local memory; the device has %llu", s->name,
                              (unsigned long long)whole, (unsigned long long)limit);
    }
    return true;
}

static bool step_enqueue(Worker *w, const Step *s, DriverEvent **event, Reply *r)
{
    if (!set_arguments(w, s, r)) return false;
    int code = w->driver->launch(w->state, &(DriverLaunch){s->kernel, s->dims, s->global, s->has_local ? s->local : NULL, s->local_bytes}, event);
    if (!code) return true;
    return reply_fail(r, w->driver->no_room(code) ? "run_failed" : "bad_launch", code,
                      "kernel %s: the launch was refused, global %zux%zux%zu local %zux%zux%zu", s->name,
                      s->global[0], s->global[1], s->global[2], s->local[0], s->local[1], s->local[2]);
}

/* ---- findings ---- */

/* What Oclgrind wrote since the last call. It keeps its place in the file, so emptying the file
 * leaves a hole before it. */
static void findings_read(Worker *w, Buf *out)
{
    const char *path = getenv("OCLGRIND_LOG");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat s;
    if (fd >= 0 && !fstat(fd, &s) && s.st_size > w->findings_at) {
        LOCAL(drop) char *text = mem_alloc(FINDINGS_KEPT);
        ssize_t n = pread(fd, text, FINDINGS_KEPT, w->findings_at);
        if (n > 0) buf_write(out, text, (size_t)n);
        w->findings_at = s.st_size;
        if (ftruncate(fd, 0)) w->findings_at = s.st_size;     /* harmless: it only grows */
    }
    if (fd >= 0) close(fd);
}

/* After each launch on the checking device. */
static bool findings_check(Worker *w, const Step *s, Reply *r)
{
    LOCAL(buf_free) Buf b = {0};
    if (!queue_finish(w, "kernel", s->name, r)) return false;
    findings_read(w, &b);
    const char *text = buf_text(&b);
    return !text[strspn(text, " \t\r\n")] || reply_fail(r, "finding", 0, "%s", text + strspn(text, "\r\n"));
}

/* Is one side of an array as it was? */
static bool check_guard(Worker *w, const Memory *m, bool behind, const char *what, int number, Reply *r)
{
    Guard want, got;
    ptrdiff_t at = behind ? (ptrdiff_t)m->bytes : -DRIVER_GUARD;
    const uint8_t *a = (const uint8_t *)&got, *b = (const uint8_t *)&want;
    int wrong = 0, first = 0;
    guard_make(&want, m->fill);
    if (!reply_ok(r, memory_read(w, m, at, sizeof got, &got), "a guard of %s %d cannot be read", what, number)) return false;
    for (int i = 0; i < DRIVER_GUARD; i++)
        if (a[i] != b[i] && !wrong++) first = i;
    return !wrong || reply_fail(r, "finding", 0, "writes %s %s %d: %d of %d guard bytes changed, first at byte %td of %zu",
                                behind ? "past the end of" : "before the start of", what, number, wrong, DRIVER_GUARD, at + first, m->bytes);
}

static bool check_guards(Worker *w, Reply *r)
{
    bool ok = true;
    for (int i = 0, output = 0; i < w->run.memory_count; i++) {
        const Memory *m = &w->run.memories[i];
        int number = m->is_output ? output++ : i;
        const char *what = m->is_output ? "output" : m->owned ? "temporary buffer" : "input buffer";
        for (int behind = 1; guarded(w, m) && behind >= 0; behind--) ok = check_guard(w, m, behind, what, number, r) && ok;
    }
    return ok;
}

/* ---- running ---- */

/* Add up the first n, which are waited for, and forget them. */
static bool events_end(Worker *w, Events *events, int n, Reply *r)
{
    bool ok = true;
    if (n) w->driver->wait(w->state, events->v.v[n - 1].event);
    for (int i = 0; i < n; i++) {
        const Started *e = &events->v.v[i];
        double ns;
        int code = w->driver->end(w->state, e->event, &ns);
        if (ok && code) ok = e->step ? reply_fail(r, "run_failed", code, "kernel %s failed", e->step->name)
                                     : reply_fail(r, "run_failed", code, "a transfer failed");
        events->ns += ns;
        if (e->step && events->steps_ns) events->steps_ns[e->step - events->steps] += ns;
    }
    memmove(events->v.v, events->v.v + n, sizeof *events->v.v * (size_t)(events->v.n - n));
    events->v.n -= n;
    return ok;
}

static bool start_step(Worker *w, const Step *s, Events *events, Reply *r)
{
    const Memory *m = w->run.memories;
    Started e = {.step = s};
    /* What the step takes has its content: images and buffers are copies of each other. */
    if (ANY(i, s->arg_count, s->args[i].kind == ARG_BUFFER && !s->args[i].written && !memory_refresh(w, s->args[i].buffer, events, r)))
        return false;
    if (!step_enqueue(w, s, &e.event, r)) return false;
    w->run.steps[s - w->run.steps].launches++;
    for (int i = 0; i < s->arg_count; i++) {
        int at = s->args[i].kind == ARG_BUFFER ? m[s->args[i].buffer].stands_for : -1;
        if (s->args[i].written) image_was_written(w, at);
        else if (at >= 0 && m[at].owned && !m[at].is_image) images_forget(w, at);
    }
    vec_push(&events->v, e);
    if (w->checker && !findings_check(w, s, r)) return false;
    /* A driver may compile a kernel when it is first launched: of many each has the time of one. */
    bool first = w->run.step_count > 1 && w->run.steps[s - w->run.steps].launches == 1;
    if ((first || w->run.finish) && !queue_finish(w, "kernel", s->name, r)) return false;
    if (first) worker_goes_on(w);
    return events->v.n < EVENTS_MOST || events_end(w, events, EVENTS_MOST / 2, r);
}

/* ---- loops ---- */

/* The loop in `around` that begins with that step; -1: none does. */
static int loop_at(const Run *run, int around, int step)
{
    return FIRST_NUMBER(i, run->loop_count, run->loops[i].around == around && run->loops[i].first == step);
}

static bool start_steps(Worker *w, int around, int first, int end, Events *events, Reply *r);

static bool start_loop(Worker *w, int number, Events *events, Reply *r)
{
    const LaunchLoop *l = &w->run.loops[number];
    const Memory *m = w->run.memories;
    bool more = true;
    for (int64_t i = 0; i < l->rounds && more; i++) {
        loop_begin_round(&w->run, number, i);
        if (l->test >= 0) {                  /* a flag that the first steps make: does it go on? */
            uint8_t value[8] = {0};
            size_t bytes = m[l->test].bytes < sizeof value ? m[l->test].bytes : sizeof value;
            if (!start_steps(w, number, l->first, l->step, events, r)) return false;
            if (!reply_ok(r, memory_read(w, &m[l->test], 0, bytes, value), "the test of a loop cannot be read")) return false;
            more = ANY(k, COUNT(value), value[k]);
        }
        if (more && !start_steps(w, number, l->step, l->end, events, r)) return false;
    }
    for (int i = 0; !more && i < l->state_count; i++) {          /* the state as this round finds it is the result */
        int from = m[l->states[i].from].stands_for, to = m[l->states[i].out].stands_for;
        Started e = {0};
        if (from == to) continue;
        if (!memory_refresh(w, from, events, r)) return false;
        images_forget(w, to);
        int code = w->driver->copy(w->state, m[from].mem, m[to].mem, m[from].bytes, &e.event);
        if (!reply_ok(r, code, "buffer %d cannot be copied", from)) return false;
        vec_push(&events->v, e);
    }
    return true;
}

/* Steps [first, end), those of loops directly in `around` as often as they go round. */
static bool start_steps(Worker *w, int around, int first, int end, Events *events, Reply *r)
{
    for (int i = first; i < end;) {
        int loop = loop_at(&w->run, around, i);
        bool ok = loop >= 0 ? start_loop(w, loop, events, r) : start_step(w, &w->run.steps[i], events, r);
        if (!ok) return false;
        i = loop >= 0 ? w->run.loops[loop].end : i + 1;
    }
    return true;
}

/* The timed transfers of one direction: to: inputs, else outputs. */
static bool start_transfers(Worker *w, bool to, Events *events, Reply *r)
{
    for (int i = 0; i < w->run.memory_count; i++) {
        const Memory *m = &w->run.memories[i];
        Started e = {0};
        if (!m->host || to == m->is_output) continue;
        int code = to ? w->driver->write(w->state, m->mem, 0, m->bytes, m->host, &e.event) : w->driver->read(w->state, m->mem, 0, m->bytes, m->host, &e.event);
        if (!reply_ok(r, code, "buffer %d cannot be transferred", i)) return false;
        vec_push(&events->v, e);
        if (to) images_forget(w, i);
    }
    return true;
}

/* The launches once, in order, between the timed transfers; *ns: the sum of their device times, by_kernel: those of each. */
static bool execute(Worker *w, double *ns, json_t **by_kernel, Reply *r)
{
    Run *run = &w->run;
    Events events = {.steps = run->steps};
    if (run->by_kernel) events.steps_ns = mem_alloc(sizeof *events.steps_ns * (size_t)run->step_count);
    bool ok = start_transfers(w, true, &events, r) && start_steps(w, -1, 0, run->step_count, &events, r)
              && ALL(i, run->memory_count, !run->memories[i].is_output || memory_refresh(w, i, &events, r))     /* the result is in buffers */
              && start_transfers(w, false, &events, r);
    ok = queue_finish(w, "kernel", run->steps[run->step_count - 1].name, r) && ok;
    ok = events_end(w, &events, events.v.n, r) && ok;
    if (ok && w->wait_ms) poll(NULL, 0, w->wait_ms);
    *ns = events.ns + w->wait_ms * 1e6;
    *by_kernel = json_array();
    for (int i = 0; events.steps_ns && i < run->step_count; i++) json_array_append_new(*by_kernel, json_real(events.steps_ns[i]));
    free(events.steps_ns);
    free(events.v.v);
    return ok;
}

void op_run(Worker *w, const json_t *q, Reply *r)
{
    double ns = 0;
    json_t *by_kernel;
    LOCAL(buf_free) Buf old = {0};
    if (w->checker) findings_read(w, &old);
    run_release(w);
    w->run = (Run){
        .arena = arena_new(), .to = get_int(q, "transfer") & 1, .from = get_int(q, "transfer") & 2,
        .finish = json_is_true(json_object_get(q, "finish")), .by_kernel = json_is_true(json_object_get(q, "by_kernel")),
        .canaries = json_is_true(json_object_get(q, "canaries"))};
    bool ok = read_memories(w, json_object_get(q, "buffers"), r) && (read_steps(w, q) || reply_malformed(r))
              && check_steps(w, r) && queue_finish(w, "filling", "the buffers", r);
    if (!ok) {
        run_release(w);
        return;
    }
    if (execute(w, &ns, &by_kernel, r)) check_guards(w, r);
    json_object_set_new(r->head, "ns", json_real(ns));
    json_object_set_new(r->head, "kernels_ns", by_kernel);
    json_object_set_new(r->head, "launches", JSON_LIST(i, w->run.step_count, json_integer(w->run.steps[i].launches)));
}

void op_again(Worker *w, const json_t *q, Reply *r)
{
    json_t *times = json_array(), *kernels = json_array(), *by_kernel;
    json_object_set_new(r->head, "times_ns", times);
    json_object_set_new(r->head, "kernels_ns", kernels);
    if (!w->run.step_count) reply_malformed(r);
    for (int64_t i = get_int(q, "count"); i > 0 && !r->status; i--) {
        double ns;
        if (execute(w, &ns, &by_kernel, r)) json_array_append_new(times, json_real(ns));
        json_array_append_new(kernels, by_kernel);
    }
}

void op_read(Worker *w, const json_t *q, Reply *r)
{
    int64_t index = get_int(q, "buffer"), offset = get_int(q, "offset"), bytes = get_int(q, "bytes");
    const Memory *m = index >= 0 && index < w->run.memory_count ? &w->run.memories[index] : NULL;
    if (!m || m->is_image || offset < 0 || bytes < 1 || bytes > WINDOW_BYTES || offset > (int64_t)m->bytes - bytes)
        return (void)reply_malformed(r);
    reply_ok(r, memory_read(w, m, (ptrdiff_t)offset, (size_t)bytes, w->window), "buffer %d cannot be read", (int)index);
}

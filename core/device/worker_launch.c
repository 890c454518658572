/* worker_launch: the launches of a run, checked before they are made; what the checking device found. */
#include "worker_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FINDINGS_KEPT = 1 << 16 };

/* ---- launching ---- */

static bool check_group(Worker *w, const Step *s, Reply *r)
{
    size_t want[3] = {0}, all = 1;
    const size_t *local = s->local;
    if (!s->has_local) return true;
    bool required = !clGetKernelWorkGroupInfo(s->kernel, w->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof want, want, NULL) && want[0],
         same = required && !memcmp(want, local, sizeof s->local);
    /* What a device allows for a kernel says nothing of one compiled for a given size: NVIDIA says 256 where it launches 1024. */
    size_t most = same ? 0 : (size_t)kernel_number(w, s->kernel, CL_KERNEL_WORK_GROUP_SIZE);
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

int loop_at(const Run *run, int around, int step)
{
    for (int i = 0; i < run->loop_count; i++)
        if (run->loops[i].around == around && run->loops[i].first == step) return i;
    return -1;
}

void loop_begin_round(Run *run, int loop, int64_t round)
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

static bool set_arguments(Worker *w, const Step *s, Reply *r)
{
    for (int i = 0; i < s->arg_count; i++) {
        const LaunchArg *a = &s->args[i];
        if (a->kind == ARG_LOCAL && !a->bytes)
            return reply_fail(r, "bad_launch", 0, "kernel %s: argument %d is local memory of 0 bytes", s->name, i);
        bool buffer = a->kind == ARG_BUFFER;
        const void *value = buffer ? (const void *)&w->run.memories[w->run.memories[a->buffer].stands_for].mem
                            : a->kind == ARG_VALUE ? a->value : NULL;
        cl_long wide = a->kind == ARG_ROUND ? w->run.round[a->loop] : 0;
        cl_int narrow = (cl_int)wide;
        if (a->kind == ARG_ROUND) value = a->bytes == sizeof wide ? (const void *)&wide : (const void *)&narrow;
        int code = clSetKernelArg(s->kernel, (cl_uint)i, buffer ? sizeof(cl_mem) : a->bytes, value);
        if (code)
            return reply_fail(r, "bad_launch", code, "kernel %s: argument %d does not fit", s->name, i);
    }
    return true;
}

/* All that can be refused is refused before the first kernel starts. */
bool run_check_steps(Worker *w, Reply *r)
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
        cl_uint n = 0;
        if (!clGetKernelInfo(s->kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL) && (int)n != s->arg_count)
            return reply_fail(r, "bad_launch", 0, "kernel %s takes %u arguments, %d were given", s->name, n, s->arg_count);
        if (!check_group(w, s, r) || !set_arguments(w, s, r)) return false;
        /* Drivers count some bytes of their own as the kernel's (NVIDIA 64, though it launches 48 KiB and these): there the launch decides. */
        enum { DRIVER_LOCAL = 256 };
        cl_ulong asked = 0, whole = (cl_ulong)kernel_number(w, s->kernel, CL_KERNEL_LOCAL_MEM_SIZE), limit = w->limits.local;
        for (int i = 0; i < s->arg_count; i++)
            if (s->args[i].kind == ARG_LOCAL) asked += s->args[i].bytes;
        if (asked > whole) whole = asked;
        if (asked > limit || whole > limit + DRIVER_LOCAL)
            return reply_fail(r, "bad_launch", 0, "kernel %s needs %llu bytes of local memory; the device has %llu", s->name,
                              (unsigned long long)whole, (unsigned long long)limit);
    }
    return true;
}

bool step_enqueue(Worker *w, const Step *s, cl_event *event, Reply *r)
{
    if (!set_arguments(w, s, r)) return false;
    const size_t *local = s->has_local ? s->local : NULL;
    int code = clEnqueueNDRangeKernel(w->queue, s->kernel, s->dims, NULL, s->global, local, 0, NULL, event);
    if (!code) return true;
    bool no_room = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
    return reply_fail(r, no_room ? "run_failed" : "bad_launch", code,
                      "kernel %s: the launch was refused, global %zux%zux%zu local %zux%zux%zu", s->name,
                      s->global[0], s->global[1], s->global[2], s->local[0], s->local[1], s->local[2]);
}

bool queue_finish(Worker *w, const char *what, const char *name, Reply *r)
{
    return reply_ok(r, clFinish(w->queue), "%s %s failed", what, name);
}

/* ---- findings ---- */

/* What Oclgrind wrote since the last call. It keeps its place in the file, so emptying the file
 * leaves a hole before it. */
void findings_read(Worker *w, Buf *out)
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

bool findings_check(Worker *w, const Step *s, Reply *r)
{
    LOCAL(buf_free) Buf b = {0};
    if (!queue_finish(w, "kernel", s->name, r)) return false;
    findings_read(w, &b);
    const char *text = buf_text(&b);
    return !text[strspn(text, " \t\r\n")] || reply_fail(r, "finding", 0, "%s", text + strspn(text, "\r\n"));
}

bool run_check_guards(Worker *w, Reply *r)
{
    bool ok = true;
    uint32_t guard[GUARD_BYTES / 4];
    const uint8_t *want = (const uint8_t *)guard;
    guard_make(guard);
    for (int i = 0, output = 0; w->run.canaries && i < w->run.memory_count; i++) {
        const Memory *m = &w->run.memories[i];
        uint8_t got[GUARD_BYTES];
        int wrong = 0, first = 0, number = output;
        output += m->is_output;
        if (!m->owned || m->is_image) continue;
        if (!reply_ok(r, memory_read(w, m, m->bytes, sizeof got, got), "the guard of buffer %d cannot be read", i)) return false;
        for (int b = GUARD_BYTES - 1; b >= 0; b--)
            if (got[b] != want[b]) first = b, wrong++;
        if (wrong)
            ok = reply_fail(r, "finding", 0, "writes past the end of %s %d: %d of %d guard bytes changed, first at byte %zu of %zu",
                            m->is_output ? "output" : "temporary buffer", m->is_output ? number : i, wrong, GUARD_BYTES,
                            m->bytes + (size_t)first, m->bytes);
    }
    return ok;
}

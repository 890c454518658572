/* lathe-worker: owns one OpenCL device and answers requests on a socket, or on its standard streams (protocol.h). Started by lathe only.
 *
 * The one program that calls a driver. It trusts nothing of a kernel to return, and leaves
 * deadlines to the parent. */
#include "worker_private.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- running ---- */

enum { EVENTS_MOST = 1024 };

/* Add up the first n, which are waited for, and forget them. */
static bool events_end(Events *events, int n, Reply *r)
{
    bool ok = true;
    if (n) clWaitForEvents(1, &events->v.v[n - 1].event);
    for (int i = 0; i < n; i++) {
        const Started *e = &events->v.v[i];
        cl_int state = 0;
        cl_ulong start = 0, end = 0;
        bool failed = ok && !clGetEventInfo(e->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) && state < 0;
        if (failed) ok = e->step ? reply_fail(r, "run_failed", state, "kernel %s failed", e->step->name)
                                 : reply_fail(r, "run_failed", state, "a transfer failed");
        bool known = !clGetEventProfilingInfo(e->event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL)
                     && !clGetEventProfilingInfo(e->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        double ns = known && end > start ? (double)(end - start) : 0;
        events->ns += ns;
        if (e->step && events->steps_ns) events->steps_ns[e->step - events->steps] += ns;
        clReleaseEvent(e->event);
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
    for (int i = 0; i < s->arg_count; i++) {
        int at = s->args[i].kind == ARG_BUFFER ? m[s->args[i].buffer].stands_for : -1;
        if (s->args[i].written) image_was_written(w, at);
        else if (at >= 0 && m[at].owned && !m[at].is_image) images_forget(w, at);
    }
    vec_push(&events->v, e);
    if (w->checker && !findings_check(w, s, r)) return false;
    if (w->run.finish && !queue_finish(w, "kernel", s->name, r)) return false;
    return events->v.n < EVENTS_MOST || events_end(events, EVENTS_MOST / 2, r);
}

/* ---- loops ---- */

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
        int code = clEnqueueCopyBuffer(w->queue, m[from].mem, m[to].mem, 0, 0, m[from].bytes, 0, NULL, &e.event);
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
        int code = to ? clEnqueueWriteBuffer(w->queue, m->mem, CL_FALSE, 0, m->bytes, m->host, 0, NULL, &e.event)
                      : clEnqueueReadBuffer(w->queue, m->mem, CL_FALSE, 0, m->bytes, m->host, 0, NULL, &e.event);
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
    ok = events_end(&events, events.v.n, r) && ok;
    if (ok && w->wait_ms) poll(NULL, 0, w->wait_ms);
    *ns = events.ns + w->wait_ms * 1e6;
    *by_kernel = json_array();
    for (int i = 0; events.steps_ns && i < run->step_count; i++) json_array_append_new(*by_kernel, json_real(events.steps_ns[i]));
    free(events.steps_ns);
    free(events.v.v);
    return ok;
}

static void op_run(Worker *w, const json_t *q, Reply *r)
{
    double ns = 0;
    json_t *by_kernel;
    Buf old = {0};
    if (w->checker) findings_read(w, &old);
    buf_free(&old);
    run_release(w);
    w->run = (Run){
        .arena = arena_new(), .to = get_int(q, "transfer") & 1, .from = get_int(q, "transfer") & 2,
        .finish = json_is_true(json_object_get(q, "finish")), .by_kernel = json_is_true(json_object_get(q, "by_kernel")),
        /* On the checking device there are no guards: they would hide reads and writes just past the end from it. */
        .canaries = !w->checker && json_is_true(json_object_get(q, "canaries"))};
    bool ok = run_read_memories(w, json_object_get(q, "buffers"), r) && (run_read_steps(w, q) || reply_malformed(r))
              && run_check_steps(w, r) && queue_finish(w, "filling", "the buffers", r);
    if (!ok) {
        run_release(w);
        return;
    }
    if (execute(w, &ns, &by_kernel, r)) run_check_guards(w, r);
    json_object_set_new(r->head, "ns", json_real(ns));
    json_object_set_new(r->head, "kernels_ns", by_kernel);
}

static void op_again(Worker *w, const json_t *q, Reply *r)
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

static void op_read(Worker *w, const json_t *q, Reply *r)
{
    int64_t index = get_int(q, "buffer"), offset = get_int(q, "offset"), bytes = get_int(q, "bytes");
    const Memory *m = index >= 0 && index < w->run.memory_count ? &w->run.memories[index] : NULL;
    if (!m || m->is_image || offset < 0 || bytes < 1 || bytes > WINDOW_BYTES || offset > (int64_t)m->bytes - bytes)
        return (void)reply_malformed(r);
    reply_ok(r, memory_read(w, m, (size_t)offset, (size_t)bytes, w->window), "buffer %d cannot be read", (int)index);
}

/* ---- the loop ---- */

static const struct { const char *name; Op *op; bool needs_device; } ops[] = {
    {"hello", op_hello, false}, {"open", op_open, false},   {"build", op_build, true},
    {"forget", op_forget, true}, {"upload", op_upload, true}, {"free", op_free, true},
    {"run", op_run, true},      {"again", op_again, true},  {"read", op_read, true},
    {"ping", NULL, false},
};

static bool answer(Worker *w)
{
    const json_t *q = w->request.head;
    const char *name = get_text(q, "op");
    Reply r = {w, .head = json_object()};
    const Blob *piece = w->streams && name && !strcmp(name, "upload") && w->request.blob_count == 1 ? &w->request.blobs[0] : NULL;
    if (piece && piece->bytes <= WINDOW_BYTES) memcpy(w->window, piece->data, piece->bytes);
    int op = 0;
    while (op < COUNT(ops) && !(name && !strcmp(ops[op].name, name))) op++;
    if (op == COUNT(ops)) reply_malformed(&r);
    else if (ops[op].needs_device && !w->queue) reply_fail(&r, "device_lost", 0, "no device is open");
    else if (ops[op].op) ops[op].op(w, q, &r);
    bool reads = w->streams && !r.status && !strcmp(name, "read");                 /* then a piece goes with the reply */
    Blob parts[2] = {{r.text.data, r.text.len}, {w->window, reads ? (size_t)get_int(q, "bytes") : 0}};
    json_object_set_new(r.head, "id", json_integer(get_int(q, "id")));
    json_object_set_new(r.head, "status", json_string(r.status ? r.status : "ok"));
    json_object_set_new(r.head, "code", json_integer(r.code));
    bool ok = frame_send(w->out, r.head, parts, reads ? 2 : 1) && (!w->streams || write(w->out, "\n", 1) == 1);
    json_decref(r.head);
    buf_free(&r.text);
    return ok;
}

/* Whoever started it here cannot kill it when a kernel does not end, but for closing its input. */
static void *end_with_input(void *data)
{
    struct pollfd p = {.fd = *(const int *)data, .events = POLLRDHUP};
    while (poll(&p, 1, -1) <= 0) continue;
    sleep(1);                            /* for what is on its way to an end */
    _exit(3);
}

/* Frames come on standard input and go to standard output; what drivers print goes to standard error. */
static bool open_streams(Worker *w)
{
    pthread_t watch;
    w->streams = true;
    w->window = mem_alloc(WINDOW_BYTES);
    w->fd = fcntl(0, F_DUPFD_CLOEXEC, 16);
    w->out = fcntl(1, F_DUPFD_CLOEXEC, 16);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return w->fd >= 0 && w->out >= 0 && nothing >= 0 && dup2(nothing, 0) == 0 && dup2(2, 1) == 1
           && !pthread_create(&watch, NULL, end_with_input, &w->fd);
}

static bool open_socket(Worker *w, const char *socket, const char *window)
{
    struct stat s;
    int fd = atoi(window);
    w->fd = w->out = atoi(socket);
    if (w->fd < 3 || fstat(w->fd, &s) || !S_ISSOCK(s.st_mode) || fcntl(w->fd, F_SETFD, FD_CLOEXEC)) return false;
    if (fd < 3 || fstat(fd, &s) || s.st_size != WINDOW_BYTES) return false;
    w->window = mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return w->window != MAP_FAILED;
}

int main(int argc, char **argv)
{
    Worker w = {0};
    bool streams = argc == 2 && !strcmp(argv[1], "stream");
    if (streams ? !open_streams(&w) : !(argc == 3 && open_socket(&w, argv[1], argv[2]))) {
        fputs("lathe-worker is started by lathe; it has no use of its own\n", stderr);
        return 2;
    }
    /* Die with the parent; leave ^C to it; write no core (1 also keeps the kernel from piping one to a handler);
     * when memory runs out, be the process that goes. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    struct rlimit none = {1, 1};
    setrlimit(RLIMIT_CORE, &none);
    FILE *f = fopen("/proc/self/oom_score_adj", "we");
    if (f) fputs("500", f);
    if (f) fclose(f);
    const char *wait = getenv("LATHE_WORKER_WAIT");
    w.wait_ms = wait ? atoi(wait) : 0;
    bool go_on = true;
    FrameStatus s = FRAME_OK;
    while (go_on && (s = frame_receive(w.fd, -1, &w.request)) == FRAME_OK) {
        const char *op = get_text(w.request.head, "op");
        go_on = !(op && !strcmp(op, "quit")) && answer(&w);
        frame_free(&w.request);
    }
    run_release(&w);
    spares_drop(&w);
    free(w.spares.v);
    for (int i = 0; i < w.programs.n; i++) program_release(&w.programs.v[i]);
    while (w.inputs.n) input_drop(&w, &w.inputs.v[0]);
    free(w.programs.v);
    free(w.inputs.v);
    if (w.queue) clReleaseCommandQueue(w.queue);
    if (w.context) clReleaseContext(w.context);
    return s == FRAME_OK || s == FRAME_CLOSED ? 0 : 3;
}

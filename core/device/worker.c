/* lathe-worker: owns one device and answers requests on a socket, or on its standard streams (protocol.h). Started by lathe only.
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

/* ---- the loop ---- */

static const struct { const char *name; Op *op; bool needs_device; } ops[] = {
    {"hello", op_hello, false}, {"open", op_open, false},   {"build", op_build, true},
    {"forget", op_forget, true}, {"upload", op_upload, true}, {"free", op_free, true},
    {"run", op_run, true},      {"again", op_again, true},  {"read", op_read, true},
    {"ping", NULL, false},
};

static bool send_reply(Worker *w, json_t *head, const char *status, const Blob *parts, int count)
{
    json_object_set_new(head, "id", json_integer(get_int(w->request.head, "id")));
    json_object_set_new(head, "status", json_string(status));
    return frame_send(w->out, head, parts, count) && (!w->streams || write(w->out, "\n", 1) == 1);
}

bool worker_goes_on(Worker *w)
{
    json_t *head = json_object();
    bool ok = send_reply(w, head, GOES_ON, NULL, 0);
    json_decref(head);
    return ok;
}

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
    else if (ops[op].needs_device && !w->driver) reply_fail(&r, "device_lost", 0, "no device is open");
    else if (ops[op].op) ops[op].op(w, q, &r);
    bool reads = w->streams && !r.status && !strcmp(name, "read");                 /* then a piece goes with the reply */
    Blob parts[2] = {{r.text.data, r.text.len}, {w->window, reads ? (size_t)get_int(q, "bytes") : 0}};
    json_object_set_new(r.head, "code", json_integer(r.code));
    bool ok = send_reply(w, r.head, r.status ? r.status : "ok", parts, reads ? 2 : 1);
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
    if (w.driver) {
        spares_drop(&w);
        for (int i = 0; i < w.programs.n; i++) program_release(&w, &w.programs.v[i]);
        while (w.inputs.n) input_drop(&w, &w.inputs.v[0]);
        w.driver->close(w.state);
    }
    free(w.spares.v);
    free(w.programs.v);
    free(w.inputs.v);
    return s == FRAME_OK || s == FRAME_CLOSED ? 0 : 3;
}

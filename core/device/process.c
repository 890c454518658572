/* process: a worker as a child process: its environment, its private folder, its end. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"

enum { CHILD_SOCKET = 3, CHILD_WINDOW };            /* the worker's ends, named to it in argv */
enum { CHILD_ENDS = 3 };                            /* socket, output, window */
enum { OUTPUT_KEPT = 8192, SLICE_MS = 50, TELL_SLICES = 6, GRACE_MS = 1000, SEND_STALL_S = 10 };

struct Process {
    pid_t pid;                                      /* 0 once reaped */
    int status;                                     /* of waitpid, once reaped */
    int socket, output;                             /* parent's ends; -1 when closed */
    void *window;                                   /* NULL: none yet */
    Arena *arena;
    const char *launcher;                           /* "": none; else the window is ours alone, and pieces travel as blobs */
    Buf text;                                       /* what came out of output */
    const char *folder;                             /* private, or NULL */
    VEC(char *) environment;                        /* of the child; what is set here is in the arena */
    json_int_t request;
    bool line_end_due;                              /* of the reply before, from one elsewhere */
    const volatile sig_atomic_t *stop;
    void (*waits)(void *data);           /* NULL: nobody is to be told that the end of an exchange is waited for */
    void *waits_data;
    int slices;                          /* waited since *stop was raised; -1: that was told */
};

int process_id(const Process *p) { return p->pid; }
void *process_window(const Process *p) { return p->window; }
void process_set_stop(Process *p, const volatile sig_atomic_t *stop, void (*waits)(void *data), void *data)
{
    p->stop = stop;
    p->waits = waits;
    p->waits_data = data;
}
int process_signal(const Process *p) { return WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0; }

static void close_fd(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* ---- the private folder ---- */

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *f)
{
    (void)s, (void)type, (void)f;
    return remove(path) && errno != ENOENT ? -1 : 0;
}

static bool make_folder(Process *p)
{
    if (p->folder) return true;
    const char *base = getenv("TMPDIR");
    p->folder = mkdtemp(arena_printf(p->arena, "%s/lathe-XXXXXX", base && *base ? base : "/tmp"));
    return p->folder;
}

/* ---- the environment ---- */

/* "NAME=value", in place of what was there. */
PRINTF_LIKE(2, 3) static void environment_set(Process *p, const char *fmt, ...)
{
    char *text = FORMATTED(p->arena, fmt);
    int i = 0;
    while (i < p->environment.n && strncmp(p->environment.v[i], text, strcspn(text, "=") + 1)) i++;
    if (i < p->environment.n) p->environment.v[i] = text;
    else vec_push(&p->environment, text);
}

static bool starts(const char *s, const char *prefix) { return !strncmp(s, prefix, strlen(prefix)); }

/* Whether the folder can be written, or made under its nearest existing ancestor; tried, since permission bits do not tell all. */
static bool is_writable(const char *path)
{
    LOCAL(buf_free) Buf at = {0};
    if (!*path || strlen(path) >= PATH_MAX) return false;
    buf_puts(&at, path);
    while (at.len && access(at.data, F_OK) != 0) {
        char *slash = strrchr(at.data, '/');
        at.len = slash ? (size_t)(slash - at.data) : 0;
        at.data[at.len] = '\0';
        if (!slash) buf_puts(&at, ".");
    }
    buf_puts(&at, "/lathe-XXXXXX");
    return mkdtemp(at.data) && rmdir(at.data) == 0;
}

/* PoCL keeps what it compiled where the user says, or would by its own rules, if it can write there; else in the private folder. */
static bool add_cache(Process *p)
{
    const char *own = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    LOCAL(buf_free) Buf folder = {0};
    if (own && *own) buf_puts(&folder, own);
    else if (cache && *cache) buf_puts(&folder, cache);
    else if (home) buf_printf(&folder, "%s/.cache", home);
    if (is_writable(buf_text(&folder))) return true;
    if (!make_folder(p)) return false;
    environment_set(p, "POCL_CACHE_DIR=%s", p->folder);
    return true;
}

const char *process_checker_path(void)
{
    static const char *const places[] = {"/usr/lib/oclgrind/liboclgrind-rt-icd.so",
                                         "/usr/local/lib/oclgrind/liboclgrind-rt-icd.so"};
    const char *own = getenv("LATHE_OCLGRIND");
    if (own) return access(own, R_OK) == 0 ? own : NULL;
    for (int i = 0; i < COUNT(places); i++)
        if (access(places[i], R_OK) == 0) return places[i];
    return NULL;
}

/* Oclgrind's local memory is 32 KB unless told, less than kernels for GPUs use. */
static bool add_checker(Process *p)
{
    const char *library = process_checker_path();
    if (!library || !make_folder(p)) return false;
    FILE *f = fopen(arena_printf(p->arena, "%s/oclgrind.icd", p->folder), "we");
    bool ok = f && fprintf(f, "%s\n", library) > 0;
    if (f) ok = fclose(f) == 0 && ok;
    environment_set(p, "OCL_ICD_VENDORS=%s", p->folder);
    environment_set(p, "OCLGRIND_LOG=%s/findings", p->folder);
    environment_set(p, "OCLGRIND_DATA_RACES=1");
    environment_set(p, "OCLGRIND_LOCAL_MEM_SIZE=65536");
    return ok;
}

static bool make_environment(Process *p, Loader loader, Buf *problem)
{
    for (char **v = environ; v && *v; v++)               /* but for variables that the child must not get */
        if (!starts(*v, "OCLGRIND_") && (loader != LOADER_CHECKER || !starts(*v, "OCL_ICD_FILENAMES="))) vec_push(&p->environment, *v);
    /* Drivers leak by their nature, Oclgrind deletes an image as a buffer, and a fault must end the child by its signal. */
    const char *old = getenv("ASAN_OPTIONS");
    environment_set(p, "ASAN_OPTIONS=%s%sdetect_leaks=0:new_delete_type_mismatch=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"
                    ":handle_abort=0", old ? old : "", old && *old ? ":" : "");
    /* PoCL keeps each of its threads on a core of its own: where others work, too, they come to share one, and take twice as long. Not
     * where it has fewer threads than there are cores, which would all be on the first ones, nor where it may not use all cores. One
     * elsewhere is placed by its launcher. */
    cpu_set_t cores;
    if (!*p->launcher && !getenv("POCL_AFFINITY") && !getenv("POCL_MAX_PTHREAD_COUNT") && sched_getaffinity(0, sizeof cores, &cores) == 0
        && ALL(i, (int)sysconf(_SC_NPROCESSORS_ONLN), CPU_ISSET(i, &cores))) environment_set(p, "POCL_AFFINITY=1");
    bool ok = loader == LOADER_CHECKER ? add_checker(p) : add_cache(p);
    if (!ok) buf_printf(problem, "no private folder for the worker: %s", strerror(errno));
    vec_push(&p->environment, NULL);
    return ok;
}

/* ---- starting ---- */

/* Move a descriptor out of the way of those the child is given. */
static int move_up(int fd)
{
    int up = fcntl(fd, F_DUPFD_CLOEXEC, 16);
    close(fd);
    return up;
}

/* The parent's ends go into p, the child's into its (socket, output, window). The window is memory for both, its file the child's; for a
 * worker elsewhere it is ours, and pieces are sent from there. */
static bool open_channels(Process *p, int its[CHILD_ENDS])
{
    int s[2], o[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s)) return false;
    p->socket = s[0];
    its[0] = move_up(s[1]);
    if (pipe2(o, O_CLOEXEC)) return false;
    p->output = o[0];
    its[1] = move_up(o[1]);
    struct timeval stall = {.tv_sec = SEND_STALL_S};
    setsockopt(p->socket, SOL_SOCKET, SO_SNDTIMEO, &stall, sizeof stall);
    if (its[0] < 0 || its[1] < 0 || fcntl(p->output, F_SETFL, O_NONBLOCK)) return false;
    if (*p->launcher) {
        p->window = mem_alloc(WINDOW_BYTES);
        return true;
    }
    int fd = memfd_create("lathe-window", MFD_CLOEXEC);
    its[2] = fd < 0 ? -1 : move_up(fd);
    if (its[2] < 0 || ftruncate(its[2], WINDOW_BYTES)) return false;
    void *window = mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, its[2], 0);
    if (window != MAP_FAILED) p->window = window;
    return p->window;
}

/* Elsewhere the launcher gets the socket as its standard input and output. */
static int spawn(Process *p, const char *path, const int its[CHILD_ENDS])
{
    bool here = !*p->launcher;
    char socket[8], window[8];
    char *line = arena_printf(p->arena, "%s \"$0\" stream", p->launcher);
    snprintf(socket, sizeof socket, "%d", CHILD_SOCKET);
    snprintf(window, sizeof window, "%d", CHILD_WINDOW);
    char *worker[] = {(char *)path, socket, window, NULL}, *shell[] = {"/bin/sh", "-c", line, (char *)path, NULL};
    char **argv = here ? worker : shell;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (here) posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    else posix_spawn_file_actions_adddup2(&files, its[0], 0);
    posix_spawn_file_actions_adddup2(&files, here ? its[1] : its[0], 1);
    posix_spawn_file_actions_adddup2(&files, its[1], 2);
    if (here) posix_spawn_file_actions_adddup2(&files, its[0], CHILD_SOCKET);
    if (here) posix_spawn_file_actions_adddup2(&files, its[2], CHILD_WINDOW);
    posix_spawn_file_actions_addclosefrom_np(&files, here ? CHILD_WINDOW + 1 : 3);
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    int error = posix_spawn(&p->pid, argv[0], &files, &attributes, argv, p->environment.v);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) p->pid = 0;
    return error;
}

Process *process_start(Loader loader, const char *launcher, Buf *problem)
{
    int its[CHILD_ENDS] = {-1, -1, -1};
    const char *path = getenv("LATHE_WORKER");
    Process *p = mem_alloc(sizeof *p);
    p->arena = arena_new();
    p->launcher = arena_strdup(p->arena, launcher);
    p->socket = p->output = -1;
    if (!path || !*path) {                           /* beside this program, or where it is installed */
        const char *installed = file_of_program(p->arena, "../libexec/lathe/lathe-worker");
        path = file_of_program(p->arena, "lathe-worker");
        if (access(path, F_OK) && !access(installed, F_OK)) path = installed;
    }
    bool ok = open_channels(p, its);
    if (!ok) buf_printf(problem, "no channel to the worker: %s", strerror(errno));
    ok = ok && make_environment(p, loader, problem);
    int error = ok ? spawn(p, path, its) : 0;
    if (error) buf_printf(problem, "cannot start %s: %s", path, strerror(error));
    for (int i = 0; i < CHILD_ENDS; i++) close_fd(&its[i]);
    if (ok && !error) return p;
    process_stop(p);
    return NULL;
}

/* ---- ending ---- */

static void drain(Process *p)
{
    char piece[4096];
    for (;;) {
        ssize_t n = p->output >= 0 ? read(p->output, piece, sizeof piece) : 0;
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) close_fd(&p->output);
        if (n <= 0) return;
        buf_write(&p->text, piece, (size_t)n);
        if (p->text.len > 2 * OUTPUT_KEPT) {
            memmove(p->text.data, p->text.data + p->text.len - OUTPUT_KEPT, OUTPUT_KEPT + 1);
            p->text.len = OUTPUT_KEPT;
        }
    }
}

const char *process_output(Process *p) { return buf_text(&p->text); }

/* Whether the child has ended; it is not reaped yet, so that its group's number stays ours. */
static bool has_ended(const Process *p)
{
    siginfo_t info = {0};
    int r = waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return (r < 0 && errno != EINTR) || info.si_pid == p->pid;
}

static void wait_end(Process *p)
{
    int64_t until = clock_ms() + GRACE_MS;
    for (int pause = 1; !has_ended(p) && clock_ms() < until; pause = pause < 20 ? pause * 2 : pause) {
        drain(p);
        struct timespec t = {pause / 1000, (long)(pause % 1000) * 1000000};
        nanosleep(&t, NULL);
    }
}

/* Kill what is left of the group (a driver may have started compilers), reap the child. One that a driver holds in the
 * kernel against SIGKILL is left behind rather than waited for. */
static void bury(Process *p)
{
    if (!p->pid) return;
    kill(-p->pid, SIGKILL);
    kill(p->pid, SIGKILL);
    wait_end(p);
    p->status = SIGKILL;
    waitpid(p->pid, &p->status, WNOHANG);
    p->pid = 0;
    close_fd(&p->socket);
    drain(p);
}

bool process_alive(Process *p)
{
    if (p->pid && has_ended(p)) bury(p);
    return p->pid;
}

void process_stop(Process *p)
{
    if (!p) return;
    if (process_alive(p)) {
        json_t *head = json_pack("{s:s}", "op", "quit");
        frame_send(p->socket, head, NULL, 0);
        json_decref(head);
        shutdown(p->socket, SHUT_RDWR);
        wait_end(p);
    }
    bury(p);
    close_fd(&p->socket);
    close_fd(&p->output);
    if (*p->launcher) free(p->window);
    else if (p->window) munmap(p->window, WINDOW_BYTES);
    if (p->folder) nftw(p->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    free(p->environment.v);
    arena_free(p->arena);
    buf_free(&p->text);
    free(p);
}

/* ---- asking ---- */

static ExchangeStatus ended(Process *p, ExchangeStatus s)
{
    if (s == EXCHANGE_DIED) wait_end(p);
    bury(p);
    return s;
}

/* EXCHANGE_OK: the socket can be read (or is closed). */
static ExchangeStatus wait_reply(Process *p, int64_t until)
{
    for (;;) {
        struct pollfd fds[2] = {{.fd = p->socket, .events = POLLIN}, {.fd = p->output, .events = POLLIN}};
        int64_t left = until - clock_ms();
        int n = poll(fds, 2, left < 0 ? 0 : left > SLICE_MS ? SLICE_MS : (int)left);
        drain(p);
        bool readable = n > 0 && fds[0].revents;
        char c = 0;
        if (readable && !p->line_end_due) return EXCHANGE_OK;
        if (readable) {                      /* the end of line behind the reply before */
            if (recv(p->socket, &c, 1, MSG_DONTWAIT) == 1 && c != '\n') return EXCHANGE_NONSENSE;
            p->line_end_due = false;
        }
        bool begins = p->request == 1;       /* nothing is under way there, and what starts it may never answer */
        if (p->stop && *p->stop >= (begins ? 1 : 2)) return EXCHANGE_STOPPED;
        if (left <= 0) return EXCHANGE_TIMEOUT;
        /* Somebody wants to stop, and what is under way goes on. */
        if (!p->stop || *p->stop != 1) p->slices = 0;
        else if (p->slices >= 0 && ++p->slices > TELL_SLICES) {
            p->slices = -1;
            if (p->waits) p->waits(p->waits_data);
        }
    }
}

ExchangeStatus process_send(Process *p, json_t *head, const Blob *blob)
{
    if (!process_alive(p)) return EXCHANGE_DIED;
    drain(p);
    json_object_set_new(head, "id", json_integer(++p->request));
    /* To and from a worker elsewhere, what is in the window goes with the frames. */
    const char *op = get_text(head, "op");
    const Blob piece = {p->window, (size_t)get_int(head, "bytes")};
    if (*p->launcher && op && !strcmp(op, "upload")) blob = &piece;
    if (frame_send(p->socket, head, blob, blob ? 1 : 0)) return EXCHANGE_OK;
    return ended(p, errno == EAGAIN || errno == EWOULDBLOCK ? EXCHANGE_TIMEOUT : EXCHANGE_DIED);
}

ExchangeStatus process_receive(Process *p, int limit_ms, Frame *reply)
{
    static const ExchangeStatus came_to[] = {
        [FRAME_OK] = EXCHANGE_OK, [FRAME_CLOSED] = EXCHANGE_DIED, [FRAME_TIMEOUT] = EXCHANGE_TIMEOUT, [FRAME_BAD] = EXCHANGE_NONSENSE};
    ExchangeStatus s;
    *reply = (Frame){0};
    if (!p->pid) return EXCHANGE_DIED;
    for (bool goes_on = true; goes_on;) {
        frame_free(reply);
        int64_t until = clock_ms() + limit_ms;
        s = wait_reply(p, until);
        if (s == EXCHANGE_OK) {
            int64_t left = until - clock_ms();
            s = came_to[frame_receive(p->socket, left > 0 ? (int)left : 0, reply)];
            p->line_end_due = *p->launcher;
        }
        const char *status = s == EXCHANGE_OK ? get_text(reply->head, "status") : NULL;
        goes_on = status && !strcmp(status, GOES_ON);
    }
    if (s == EXCHANGE_OK && get_int(reply->head, "id") != p->request) {
        frame_free(reply);
        s = EXCHANGE_NONSENSE;
    }
    if (s != EXCHANGE_OK) return ended(p, s);
    const Blob *b = *p->launcher && reply->blob_count > 1 ? &reply->blobs[1] : NULL;
    if (b) memcpy(p->window, b->data, b->bytes < WINDOW_BYTES ? b->bytes : WINDOW_BYTES);
    return s;
}

ExchangeStatus process_exchange(Process *p, json_t *head, const Blob *blob, int limit_ms, Frame *reply)
{
    *reply = (Frame){0};
    ExchangeStatus s = process_send(p, head, blob);
    return s == EXCHANGE_OK ? process_receive(p, limit_ms, reply) : s;
}

void process_describe_end(const Process *p, ExchangeStatus s, Buf *out)
{
    int signal = process_signal(p), code = WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 0;
    const char *by = *p->launcher ? " by " : "", *launcher = p->launcher;
    if (s == EXCHANGE_TIMEOUT) buf_printf(out, "the worker%s%s does not answer", by, launcher);
    else if (s == EXCHANGE_STOPPED) buf_puts(out, "interrupted");
    else if (s == EXCHANGE_NONSENSE)
        buf_printf(out, "the answer of the worker%s%s cannot be read%s", by, launcher,
                   *launcher ? "; does something else print where it starts?" : "");
    else if (signal) buf_printf(out, "the worker%s%s ended with signal %d (%s)", by, launcher, signal, strsignal(signal));
    else buf_printf(out, "the worker%s%s ended with code %d", by, launcher, code);
}

/* child: another program, started with an argument vector, and waited for. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_MS = 50, PAUSE_MS = 20, INSIST_MS = 1000 };     /* between a signal and the next, which is harder to ignore */

Child child_start(const char *const *argv, int piped, int out, ChildStop *stop)
{
    int ends[2], its = piped == STDIN_FILENO ? 0 : 1;
    Child c = {.stop = stop, .ours = -1, .apart = !isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO)};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (piped >= 0 && pipe2(ends, O_CLOEXEC)) return c;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    if (c.apart) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (piped >= 0) posix_spawn_file_actions_adddup2(&files, ends[its], piped);
    if (piped == STDOUT_FILENO) posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    else if (out < 0) posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    else if (out != STDOUT_FILENO) posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (posix_spawnp(&c.pid, argv[0], &files, &attributes, (char **)argv, environ)) c.pid = 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (piped >= 0) close(ends[its]);
    if (piped >= 0 && !c.pid) close(ends[!its]);
    else if (piped >= 0) c.ours = ends[!its];
    return c;
}

/* Who stops us stops it, where no terminal does: it may end in its own way first. */
static void pass_on(Child *c)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    if (!c->apart || !*c->stop || c->told == COUNT(signals) || (c->told && clock_ms() < c->next)) return;
    kill(-c->pid, signals[c->told++]);
    c->next = clock_ms() + INSIST_MS;
}

int child_wait(Child *c)
{
    int status = 0, pause = 1;
    if (!c->pid) return CHILD_NOT_STARTED;
    for (pid_t done; (done = waitpid(c->pid, &status, WNOHANG)) != c->pid; pause = pause < PAUSE_MS ? 2 * pause : pause) {
        if (done < 0 && errno != EINTR) return CHILD_NOT_STARTED;
        pass_on(c);
        nanosleep(&(struct timespec){.tv_nsec = pause * 1000000L}, NULL);
    }
    if (c->told) kill(-c->pid, SIGKILL);         /* what it had started and left behind */
    return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_SIGNALLED + WTERMSIG(status);
}

int child_run(const char *const *argv, ChildStop *stop)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    Child c = child_start(argv, -1, STDOUT_FILENO, stop);          /* which has the signals as they are */
    if (!c.apart) sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    int code = child_wait(&c);
    if (!c.apart) sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return code;
}

/* Can our end be used now? False: not yet; it was seen to that it hears of a stop. */
static bool is_ready(Child *c, short events)
{
    struct pollfd p = {.fd = c->ours, .events = events};
    pass_on(c);
    return poll(&p, 1, SLICE_MS) > 0;
}

int child_feed(const char *const *argv, int out, const Buf *text, ChildStop *stop)
{
    Child c = child_start(argv, STDIN_FILENO, out, stop);
    if (!c.pid) return CHILD_NOT_STARTED;
    fcntl(c.ours, F_SETFL, O_NONBLOCK);
    for (size_t done = 0; done < text->len;) {
        ssize_t n = is_ready(&c, POLLOUT) ? write(c.ours, text->data + done, text->len - done) : 0;
        if (n < 0 && errno != EINTR && errno != EAGAIN) break;       /* it wants no more */
        if (n > 0) done += (size_t)n;
    }
    close(c.ours);
    return child_wait(&c);
}

int child_read(const char *const *argv, Buf *out, ChildStop *stop)
{
    char part[4096];
    Child c = child_start(argv, STDOUT_FILENO, STDOUT_FILENO, stop);
    if (!c.pid) return CHILD_NOT_STARTED;
    for (ssize_t n = 1; n;) {
        if (!is_ready(&c, POLLIN)) continue;
        n = read(c.ours, part, sizeof part);
        if (n > 0) buf_write(out, part, (size_t)n);
        else if (n < 0 && errno != EINTR) break;
    }
    close(c.ours);
    return child_wait(&c);
}

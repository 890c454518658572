/* child: another program, started with an argument vector, and waited for. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Our end of a pipe to its file `piped` is *ours (NULL: no pipe); its output goes to `out`. 0: it is not started. */
static pid_t start(const char *const *argv, int piped, int out, int *ours)
{
    int ends[2];
    pid_t pid;
    posix_spawn_file_actions_t files;
    if (ours && pipe2(ends, O_CLOEXEC)) return 0;
    int its = piped == STDIN_FILENO ? 0 : 1;
    posix_spawn_file_actions_init(&files);
    if (ours) posix_spawn_file_actions_adddup2(&files, ends[its], piped);
    if (out < 0) posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    else if (out != STDOUT_FILENO) posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    int error = posix_spawnp(&pid, argv[0], &files, NULL, (char **)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    if (ours) close(ends[its]);
    if (ours && error) close(ends[!its]);
    else if (ours) *ours = ends[!its];
    return error ? 0 : pid;
}

static int wait_for(pid_t pid)
{
    int status;
    if (!pid) return CHILD_NOT_STARTED;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return CHILD_NOT_STARTED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int child_run(const char *const *argv)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    pid_t pid = start(argv, 0, STDOUT_FILENO, NULL);         /* which has the signals as they are */
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    int code = wait_for(pid);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return code;
}

int child_feed(const char *const *argv, int out, const Buf *text)
{
    int to;
    pid_t pid = start(argv, STDIN_FILENO, out, &to);
    if (!pid) return CHILD_NOT_STARTED;
    for (size_t done = 0; done < text->len;) {
        ssize_t n = write(to, text->data + done, text->len - done);
        if (n < 0 && errno != EINTR) break;      /* it wants no more */
        if (n > 0) done += (size_t)n;
    }
    close(to);
    return wait_for(pid);
}

int child_read(const char *const *argv, Buf *out)
{
    int from;
    char part[4096];
    pid_t pid = start(argv, STDOUT_FILENO, STDOUT_FILENO, &from);
    if (!pid) return CHILD_NOT_STARTED;
    for (ssize_t n; (n = read(from, part, sizeof part)) != 0;) {
        if (n > 0) buf_write(out, part, (size_t)n);
        else if (errno != EINTR) break;
    }
    close(from);
    return wait_for(pid);
}

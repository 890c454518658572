/* Command lines, one after the other in one session: none may bring it down. Devices and files are left out. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "shell.h"

static volatile int stop;

/* As if somebody pressed Ctrl-C; SIGALRM is libFuzzer's. */
static void on_timer(int sig)
{
    (void)sig;
    stop = STOP_INTERRUPT;
}

static void run_line(Shell *sh, const char *line)
{
    const struct itimerval patience = {.it_value = {.tv_sec = 2}, .it_interval = {.tv_sec = 1}}, none = {0};
    int code;
    stop = STOP_NONE;
    setitimer(ITIMER_VIRTUAL, &patience, NULL);
    shell_line(sh, line, &code);
    setitimer(ITIMER_VIRTUAL, &none, NULL);
}

static bool is_left_out(const char *line)
{
    return strstr(line, "run") || strstr(line, "device") || strstr(line, "source") || strstr(line, "load") || *line == 'r';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sigaction action = {.sa_handler = on_timer};
    sigaction(SIGVTALRM, &action, NULL);
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    char *text = strndup((const char *)data, n);
    sh->restricted = true;
    sh->json = n % 2;
    run_line(sh, "let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (*) (zip xs ys))");
    for (char *line = strtok(text, "\n"); line && !sh->quit; line = strtok(NULL, "\n"))
        if (!is_left_out(line)) run_line(sh, line);
    free(text);
    shell_free(sh);
    return 0;
}

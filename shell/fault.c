/* fault: what becomes of a fault of lathe itself, and where SIGTERM is not obeyed in time: it says so, says where the work is, and
 * ends with code 70 or 143 (sessions.md). */
#include "shell.h"
#include "store.h"

#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { EXIT_INTERNAL = 70, EXIT_TERMINATED = 143, STACK = 1 << 16 };

static struct {
    const Shell *shell;                  /* whose autosave is named */
    bool terminal;                       /* standard input is one; it was like this */
    struct termios modes;
    char stack[STACK];                   /* the handler's: the fault may be that the other one is full */
} fault;

static void say(const char *text) { if (write(STDERR_FILENO, text, strlen(text)) < 0) return; }

/* This and its callee: only what may be called in a signal handler. */
static void on_end(int sig)
{
    const Journal *journal = fault.shell->keep.journal;
    const char *file = journal ? journal_file(journal) : NULL;
    char number[3] = {sig >= 10 ? (char)('0' + sig / 10) : (char)('0' + sig), sig >= 10 ? (char)('0' + sig % 10) : 0, 0};
    if (fault.terminal) tcsetattr(STDIN_FILENO, TCSANOW, &fault.modes);
    if (sig == SIGALRM) say("\nterminated; what was under way did not end by itself\n");
    else say("\nE70 an internal error: signal "), say(number), say("; please report what was typed before it\n");
    if (file) say("  kept    "), say(file), say("\n  try     lathe -e \"open "), say(file), say("\"\n");
    _exit(sig == SIGALRM ? EXIT_TERMINATED : EXIT_INTERNAL);
}

void fault_catch(const Shell *sh)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    fault.shell = sh;
    fault.terminal = tcgetattr(STDIN_FILENO, &fault.modes) == 0;
    stack_t stack = {.ss_sp = fault.stack, .ss_size = sizeof fault.stack};
    sigaltstack(&stack, NULL);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_end}, NULL);
    for (int i = 0; i < COUNT(signals); i++) {
        struct sigaction old, action = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
        /* else a sanitizer's, which says more */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) sigaction(signals[i], &action, NULL);
    }
}

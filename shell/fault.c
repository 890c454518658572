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

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/* This and its callers: only what may be called in a signal handler. */
static void say_kept(void)
{
    const Journal *journal = fault.shell->keep.journal;
    const char *file = journal ? journal_file(journal) : NULL;
    if (file) say("  kept    "), say(file), say("\n  try     lathe -e \"open "), say(file), say("\"\n");
}

static void on_fault(int sig)
{
    char number[3] = {sig >= 10 ? (char)('0' + sig / 10) : (char)('0' + sig), sig >= 10 ? (char)('0' + sig % 10) : 0, 0};
    if (fault.terminal) tcsetattr(STDIN_FILENO, TCSANOW, &fault.modes);
    say("\nE70 an internal error: signal ");
    say(number);
    say("; please report what was typed before it\n");
    say_kept();
    _exit(EXIT_INTERNAL);
}

static void on_alarm(int sig)
{
    (void)sig;
    if (fault.terminal) tcsetattr(STDIN_FILENO, TCSANOW, &fault.modes);
    say("\nterminated; what was under way did not end by itself\n");
    say_kept();
    _exit(EXIT_TERMINATED);
}

void fault_catch(const Shell *sh)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    fault.shell = sh;
    fault.terminal = tcgetattr(STDIN_FILENO, &fault.modes) == 0;
    stack_t stack = {.ss_sp = fault.stack, .ss_size = sizeof fault.stack};
    sigaltstack(&stack, NULL);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
    for (int i = 0; i < COUNT(signals); i++) {
        struct sigaction old, action = {.sa_handler = on_fault, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
        /* else a sanitizer's, which says more */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

/* child: another program, started with an argument vector, and waited for. */
#ifndef CHILD_H
#define CHILD_H

#include "base.h"

#include <sys/types.h>

enum { CHILD_NOT_STARTED = 127,          /* also what a shell says of a command that it does not find */
       CHILD_SIGNALLED = 128 };          /* this and the signal that ended it */

typedef const volatile int ChildStop;    /* raised: where no terminal tells it of Ctrl-C, it ends in two seconds, and what it started */

typedef struct Child {
    pid_t pid;                           /* 0: it is not started */
    int ours;                            /* our end of the pipe */
    bool apart;                          /* in a process group of its own: no terminal sends it our signals */
    ChildStop *stop;
    int told;                            /* signals that it got */
    int64_t next;                        /* when it gets another */
} Child;

/* argv ends with NULL; its first is looked for in PATH. A pipe goes to or from its file `piped` (-1: none); its output goes to
 * `out` (-1: nowhere). */
Child child_start(const char *const *argv, int piped, int out, ChildStop *stop);
int child_wait(Child *c);                /* the exit code, CHILD_SIGNALLED and more, or CHILD_NOT_STARTED */

/* Both in one. */
int child_run(const char *const *argv, ChildStop *stop);     /* on a terminal Ctrl-C is for it alone */
int child_feed(const char *const *argv, int out, const Buf *text, ChildStop *stop);  /* text is its input */
int child_read(const char *const *argv, Buf *out, ChildStop *stop);  /* its output is appended to out, it has no input */

#endif

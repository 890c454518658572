/* child: another program, started with an argument vector, and waited for. */
#ifndef CHILD_H
#define CHILD_H

#include "base.h"

enum { CHILD_NOT_STARTED = 127 };        /* also what a shell says of a command that it does not find */

typedef const volatile int ChildStop;    /* raised: where no terminal tells it of Ctrl-C, it ends in two seconds, and what it started */

/* argv ends with NULL; its first is looked for in PATH. All return the exit code, 128 and the signal that ended it, or
 * CHILD_NOT_STARTED. */
int child_run(const char *const *argv, ChildStop *stop);     /* on a terminal Ctrl-C is for it alone */
int child_feed(const char *const *argv, int out, const Buf *text, ChildStop *stop);  /* text is its input; out: its output's file, -1: nowhere */
int child_read(const char *const *argv, Buf *out, ChildStop *stop);  /* its output is appended to out, it has no input */

#endif

/* process: one `lathe-worker` child: how it is started, asked and ended.
 *
 * The child, or what launches it, runs in a process group of its own (a terminal's ^C does not reach it), with stdout and stderr on
 * a pipe that is drained here and the window of the protocol, and dies with the thread that started it. No call here waits
 * longer than its limit, the socket's stall limit of ten seconds for a child that does not read, and two seconds. */
#ifndef PROCESS_H
#define PROCESS_H

#include <signal.h>

#include "protocol.h"

/* Which OpenCL loader environment: the machine's own, or Oclgrind alone. */
typedef enum { LOADER_SYSTEM, LOADER_CHECKER } Loader;
/* The path of Oclgrind's ICD library (LATHE_OCLGRIND, or where Debian puts it); NULL when it is not there. */
const char *process_checker_path(void);

typedef struct Process Process;
/* NULL and a text into problem when the program cannot be started. launcher: a command line that starts the program named behind it
 * elsewhere and carries its standard streams, as "ssh host"; "": here. */
Process *process_start(Loader loader, const char *launcher, Buf *problem);
/* Ask it to quit, wait a moment, kill it, reap it, remove its files. NULL is fine. */
void process_stop(Process *p);

/* False once the child has ended (then it is reaped). */
bool process_alive(Process *p);
int process_id(const Process *p);                 /* 0 once ended */
void *process_window(const Process *p);           /* WINDOW_BYTES that the child sees too, until process_stop */
/* NULL, or a flag that a signal handler raises: at 2 an exchange under way ends as EXCHANGE_STOPPED, the first of a process at 1; when one goes on
 * for a moment at 1, waits (unless NULL) is called once. */
void process_set_stop(Process *p, const volatile sig_atomic_t *stop, void (*waits)(void *data), void *data);

typedef enum { EXCHANGE_OK, EXCHANGE_TIMEOUT, EXCHANGE_DIED, EXCHANGE_NONSENSE, EXCHANGE_STOPPED } ExchangeStatus;
/* One request (head is given an "id"; blob NULL: none), and the reply to it, within limit_ms of the wait for it, or of the last
 * GOES_ON before it. After anything but EXCHANGE_OK the child is dead and reaped; what it died of and wrote can still be asked until
 * process_stop. EXCHANGE_TIMEOUT etc.: killed here. */
ExchangeStatus process_send(Process *p, json_t *head, const Blob *blob);
ExchangeStatus process_receive(Process *p, int limit_ms, Frame *reply);
ExchangeStatus process_exchange(Process *p, json_t *head, const Blob *blob, int limit_ms, Frame *reply);         /* both */
int process_signal(const Process *p);             /* 0: did not end by a signal */
const char *process_output(Process *p);           /* the last part of stdout and stderr */
void process_describe_end(const Process *p, ExchangeStatus s, Buf *out);         /* why there was no reply */

#endif

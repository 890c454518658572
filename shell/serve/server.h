/* server: pages for browsers of this machine alone, over HTTP (libmicrohttpd): on the loopback address, below a token that
 * only who reads the URL knows, to be read and nothing else.
 *
 * A thread answers from the snapshot that was published last; it knows nothing of a shell. What it is asked for and the
 * snapshot has not is noted, and a descriptor becomes readable. All functions are for the thread that began it. */
#ifndef SERVER_H
#define SERVER_H

#include "diag.h"

/* A text that does not change, shared by snapshots and answers under way. */
typedef struct Shared Shared;
Shared *shared_text(const char *text, size_t n);             /* copied */
Shared *shared_keep(Shared *t);                              /* one user more */
void shared_drop(Shared *t);                                 /* one less; NULL is fine */

/* What there is to read at some moment: texts by name. */
typedef struct Snapshot Snapshot;
enum { PIECES_MAX = 8 };
Snapshot *snapshot_new(void);
/* Under that name (letters, digits, dots; "" is the page itself) the pieces one behind the other, which it keeps. */
void snapshot_add(Snapshot *s, const char *name, const char *type, Shared *const *pieces, int n);

typedef struct Server Server;
Server *server_start(int port, Diag *diag);                  /* port 0: one that is free. NULL: E05 */
void server_stop(Server *s);                                 /* all answers have ended, and the port is free */
void server_forget(Server *s);                               /* in a process forked from it: its descriptors are closed there */
const char *server_url(const Server *s);
int server_port(const Server *s);
void server_publish(Server *s, Snapshot *snapshot);          /* in place of the last; it belongs to the server now */

enum { WANTED_MAX = 24 };
/* Readable when something is wanted, or when a snapshot that is stale was asked for: until server_heard. */
int server_calls(const Server *s);
/* The name that was asked for last and was not there; false: none. */
bool server_heard(Server *s, char name[WANTED_MAX]);
void server_stale(Server *s);                                /* the snapshot is not what there is: call when one asks */
bool server_is_watched(Server *s);                           /* was anything asked for in the last seconds? */

#endif

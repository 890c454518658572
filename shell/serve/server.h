/* server: pages for browsers of this machine alone, over HTTP (libmicrohttpd): on the loopback address, below a token that
 * only who reads the URL knows, to be read and nothing else.
 *
 * A thread answers from what was published last; it knows nothing of a shell. What it is asked for and is not there is noted,
 * and a descriptor becomes readable. All functions are for the thread that began it. */
#ifndef SERVER_H
#define SERVER_H

#include "diag.h"

enum { WANTED_MAX = 24, PIECES_MAX = 8 };
/* What there is to read under that name (letters, digits, dots; "" is the page itself): the pieces one behind the other, up to
 * a NULL. */
typedef struct Served { char name[WANTED_MAX]; const char *type, *pieces[PIECES_MAX]; } Served;

typedef struct Server Server;
Server *server_start(int port, Diag *diag);                  /* port 0: one that is free. NULL: E05 */
void server_stop(Server *s);                                 /* all answers have ended, and the port is free */
void server_forget(Server *s);                               /* in a process forked from it: its descriptors are closed there */
const char *server_url(const Server *s);
int server_port(const Server *s);
void server_publish(Server *s, const Served *all, int n);    /* in place of what was; the texts stay as they are until the next */

/* Readable when something is wanted, or when what is stale was asked for: until server_heard. */
int server_calls(const Server *s);
/* The name that was asked for last and was not there; false: none. */
bool server_heard(Server *s, char name[WANTED_MAX]);
void server_stale(Server *s);                                /* what was published is not what there is: call when one asks */
bool server_is_watched(Server *s);                           /* was anything asked for in the last seconds? */

#endif

/* remote: what a program asks that drives lathe by lines of JSON (help json): {"id": 7, "cmd": "lower"}. */
#ifndef REMOTE_H
#define REMOTE_H

#include "shell.h"

typedef struct RemoteRequest {
    json_t *id;                          /* a new reference; a number or a text */
    char *cmd;                           /* malloc; NULL: it asks something else */
    json_t *data;                        /* the answer to that; a new reference */
} RemoteRequest;
static inline bool remote_begins(const char *line) { return *line == '{'; }
/* False + E05, E03: id may be known even then. inspect becomes the command `help WORD`. */
bool remote_read(Shell *sh, const char *line, RemoteRequest *out);

#endif

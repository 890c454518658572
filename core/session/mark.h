/* mark: where a place is in other versions of the current derivation, and places with names (place.c). */
#ifndef MARK_H
#define MARK_H

#include "session.h"

typedef enum PlaceFate { PLACE_HERE, PLACE_GONE, PLACE_LATER } PlaceFate;
typedef struct PlaceNow {
    PlaceFate fate;      /* GONE: a step removed it; LATER: a step that this version does not rest on made it */
    Path at;                             /* HERE: where it is; else the nearest ancestor that is there */
    int copies;                          /* HERE: how many places hold it by now; at is the first */
    const Version *version;              /* GONE, LATER: the version whose step it was */
    const char *call;                    /* the elementary rewrite ... */
    const Term *root;                    /* ... on this term ... */
    Path where;                          /* ... at this place of it */
} PlaceNow;
/* Where the place p of version `from` is in version `to` of the same program: back along the tree to their common ancestor,
 * then forward, through every elementary rewrite (place_forward). */
void session_forward(Session *s, const Version *from, const Path *p, const Version *to, PlaceNow *out);
/* The same for a mark. */
PlaceNow session_mark_now(Session *s, const Mark *m, const Version *to);

const Mark *session_mark_find(const Session *s, const char *name);   /* without the $; NULL: none */
/* Name the place p of that version, or move the mark that has the name. E05 for a bad name, E10, E13. */
bool session_mark_set(Session *s, const char *name, int version, const Path *p);
bool session_mark_remove(Session *s, const char *name);              /* false: there is none */
bool session_no_mark(Session *s, const char *name);                  /* E02 with near names; false */

#endif

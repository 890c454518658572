/* keep: the session as a document: its file, autosave; another session in its place for a while. */
#ifndef KEEP_H
#define KEEP_H

#include "guide.h"

/* A suspended session, while another one is in its place (shell_put_aside). */
typedef struct SuspendedSession {
    SessionState session;
    char *device_wanted;                 /* malloc or NULL */
    bool device;                         /* one was open */
} SuspendedSession;
/* An empty session takes the place of the present one, with the settings of its display, its aliases and the limits of
 * the device, and a store of results in memory; and back: what was aside is as it was, and the other session is freed by
 * shell_settle. */
void shell_put_aside(Shell *sh, SuspendedSession *out);
void shell_take_back(Shell *sh, SuspendedSession *from);

/* ---- what is kept of a session (keep.c) ---- */

/* Lua chunks, macros and aliases for a session file. */
int keep_items(Shell *sh, Arena *arena, StoreItem **out);
void put_lua(Shell *sh, const Rule *only, Buf *out);  /* the Lua chunks, or those that a rule needs, as commands */
/* Is there work that is not in the session's file? What was merely loaded is none as long as there is no such file. */
bool keep_unsaved(Shell *sh);
Unsaved keep_users_unsaved(Shell *sh);                       /* of the user's own session, which may wait behind a guide */
const char *keep_work_text(Shell *sh);                                   /* "3 versions" */
void keep_start(Shell *sh);                                              /* what is there now is no unsaved work */
void keep_settled(Shell *sh);                                            /* the same, unless all of it is unsaved */
/* The session is as in that file (fresh: which does not exist yet). */
void keep_file(Shell *sh, const char *file, bool fresh);
const char *keep_name(Shell *sh);                                        /* of the file there is, short where possible */
bool keep_may_write(Shell *sh, const char *file);                        /* without --force; E17 */
bool keep_save(Shell *sh, const char *file, bool terms);                 /* terms: as text, too. E06 */
bool shell_may_ask(const Shell *sh);                                     /* a user is there to answer */
bool shell_ask(const char *question, bool at_end);                       /* yes? at_end: the answer when input has ended */
void keep_autosave(Shell *sh);                                           /* before each prompt */
void keep_leave_journal(Shell *sh);
void keep_offer(Shell *sh);                                              /* print what sessions that are gone left behind, each once */
int keep_old(int number, bool dropped, Buf *out);                         /* that one, or all (0), listed or deleted: how many */
const char *keep_old_file(Arena *arena, int number);                     /* NULL: there are fewer */
bool keep_is_autosave(const char *file);
void keep_adopt(Shell *sh, const char *file);                            /* the session was read from an autosave */
int keep_end(Shell *sh);        /* save, or keep the autosave, as it was asked for. An exit code */

#endif

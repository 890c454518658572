/* guide: what is around the user's session: a lesson.
 *
 * A guide puts a session of its own in the place of the user's, decides what is there in it, and sees every command. The shell
 * knows it by these functions and by what it has on; host.c names it. All from `allows` on are called only while sh->guided is set. */
#ifndef GUIDE_H
#define GUIDE_H

#include "names.h"
#include "replay.h"
#include "shell.h"

typedef enum NamedKind { NAMED_RULE, NAMED_MACRO, NAMED_COMMAND } NamedKind;

typedef struct Unsaved {                 /* work of the user's that is in no file */
    bool any;
    bool lost;                           /* nor does autosave have it */
    bool always;                         /* it is saved at the end without a question */
    const char *work;                    /* "3 versions" */
} Unsaved;

struct Guided {                          /* what it has on */
    bool own;                            /* it is the guide itself that gives commands: nothing is forbidden */
    bool begins;                         /* and they begin a part: what they load is at its source, however far it was */
    const char *folder;                  /* whose files are found first */
    Unsaved waiting;                     /* of the user's own session */
};

struct Guide {
    const char *command;                 /* its own: "lesson" */
    const char *const *words;            /* that are commands of their own, too: `hint` is `lesson hint`; NULL at the end */
    /* Is p, which may be no command at all, meant for that, though it is written otherwise? What stands behind the command then, in
     * scratch; NULL: it is not. */
    const char *(*means)(Shell *sh, const Piece *p);
    /* Where something is asked: what may be answered, as `offer`. What cannot be listed is returned in words, "a number from 0 to 100"; else NULL. */
    const char *(*answers)(Shell *sh, Arena *arena, bool (*one)(void *to, const char *text, const char *gloss), void *to);
    const char *later;                   /* of what is not there: "in this lesson yet" */
    /* A session file that was read holds the progress of a lesson: the user's session is put aside for it. *what: which; NULL:
     * none. False: there is none, or the lesson is not found. */
    bool (*adopt)(Shell *sh, Session *read, const ReadReport *report, const char **what);
    /* What can be begun: how many; names, and what is said of each, in scratch. */
    int (*list)(Shell *sh, const char ***names, const char ***texts);
    /* Arguments of its command behind the word `previous`; `one` returns false when there is no time for more. */
    void (*offer)(Shell *sh, Arena *arena, const char *previous, bool (*one)(void *to, const char *text, const char *gloss),
                  void *to);
    bool (*allows)(const Shell *sh, NamedKind kind, const char *name);   /* is it there for the user? */
    /* The first rule, or macro, of a recorded step that is not there; NULL: all are. A macro answers for its inner steps. */
    const char *(*lacks)(Shell *sh, const PastStep *step);
    bool (*may)(Shell *sh, const Piece *p);                              /* E83: the command is not there yet */
    void (*after)(Shell *sh, const Piece *p, ErrorId id, int code);      /* a command has been shown */
    void (*prompt)(const Shell *sh, Buf *out);                           /* "lesson 3/7  " */
    int (*items)(const Shell *sh, Arena *arena, StoreItem **out);        /* progress, for a session file */
    void (*end)(Shell *sh);                                              /* the shell ends: the user's session is back */
};

/* Is that rule, macro or command there for who gives commands now? Without a guide everything is. */
bool guide_allows(const Shell *sh, NamedKind kind, const char *name);
bool guide_allows_name(const Shell *sh, const StrategyName *n);          /* the same; what is no macro is always there */
bool guide_may_name(Shell *sh, NamedKind kind, const char *name);        /* E83 */
bool guide_may_repeat(Shell *sh, const PastStep *step);                  /* E83 */
bool guide_may_advise(void *sh, const char *rule);                       /* a RuleFilter */
void guide_say_later(Shell *sh, int n);                                  /* of a list: so many are left out; 0: nothing */

#endif

/* command: the table of commands (commands.def), and the words of one that is typed. */
#ifndef COMMAND_H
#define COMMAND_H

#include "base.h"
#include "diag.h"

typedef struct Shell Shell;

typedef enum Tail {
    TAIL_WORDS,                          /* ; | > # are shell syntax outside quotes and brackets */
    TAIL_EXPRESSION,                     /* the same; only what begins with -- is a flag, and `rest` is what else there is */
    TAIL_STRATEGY,                       /* the same as words without # (Lua text) */
    TAIL_RAW,                            /* the rest of the line as it is */
    TAIL_DECLARATION,                    /* raw, and read on while its language wants more: let, rule, macro, lua */
} Tail;

typedef struct Command {
    const char *name;
    char letter;                         /* fixed one-letter form, 0: none */
    const char *group;
    const char *form;                    /* "show [PLACE] [--as ...]" */
    const char *args;                    /* kinds of arguments by position, for completion */
    const char *flags;                   /* "as=expr|tree depth= full": = takes a value */
    Tail tail;
    const char *help, *more;             /* one line; the rest */
    const char *report, *examples;       /* a type (schema.h); one a line */
} Command;

int command_count(void);
const Command *command_get(int i);
/* By name, one-letter form or unique prefix; with a guide a prefix means what is there for the user, if anything is.
 * NULL + E01 with candidates. sh NULL: without one; diag NULL: no error. */
const Command *command_find(const Shell *sh, const char *name, Diag *diag);

/* ---- one command line ---- */

enum { FLAG_MAX = 16 };
typedef struct Args {
    const Command *command;
    const char *text;                    /* as typed, blanks trimmed */
    const char *rest;                    /* behind the verb, trimmed */
    int count;
    char **words;                        /* the rest without flags, outer quotes taken off; NULL at the end */
    int flag_count;
    struct Flag { const char *name, *value; } flags[FLAG_MAX];    /* value "" for a plain flag */
} Args;
const char *arg(const Args *a, int i);                       /* NULL: not given */
const char *arg_flag(const Args *a, const char *name);       /* NULL: not given */
/* Where "as=expr|tree depth= full" has that flag, of n letters; NULL: nowhere. */
const char *flag_find(const char *flags, const char *name, size_t n);
const char *arg_deleted(Shell *sh, const Args *a);           /* of raw text: what -d names, "" for nothing; NULL: it is another form */
bool arg_limit(Shell *sh, const Args *a, int most);          /* E05 when there are more words */
bool arg_error(Shell *sh, const Args *a, const char *what);  /* E05 with the form of the command; false */
/* 4096, 4*1024, 2^12, 4Ki, 1e6: all of the text. */
bool whole_number(const char *text, int64_t *out);
/* Such a number in [lo, hi]; E05. */
bool arg_int(Shell *sh, const char *what, const char *text, int64_t lo, int64_t hi, int64_t *out);

#endif

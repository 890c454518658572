/* cmdline: command lines, cut into commands and words; aliases. */
#ifndef CMDLINE_H
#define CMDLINE_H

#include "shell.h"

/* The first "NAME = VALUE" of *text, taken apart; *text goes behind it and a comma. False: there is none. */
bool arg_assignment(Shell *sh, const char **text, char **name, char **value);
const char *assignment_last(const char *text);           /* where the last of several begins, complete or not */

typedef enum Redirect { TO_STDOUT, TO_FILE, TO_APPEND, TO_PIPE } Redirect;
struct Piece {                           /* one command of a line */
    const Command *command;              /* NULL: no such command */
    const char *verb, *text, *rest;      /* in the arena */
    Redirect redirect;
    const char *target;
    const char *open;                    /* the bracket or quote in the line that is not closed (E03); NULL: none */
};
/* The verb at `at` and its tail up to the next `;` or comment; *end is behind them. NULL: there is
 * no command. In the arena. */
const char *line_verb(Arena *arena, const char *line, size_t at, const char **tail, size_t *end);
/* The command at *at, which moves behind it and its `;`. False: nothing is left. What is wrong (E01, E03) is in diag. */
bool line_next(const Shell *sh, Arena *arena, const char *line, size_t *at, Piece *out, Diag *diag);
/* Does the text want another line: open brackets or quotes, or a declaration that ends too early? */
bool line_incomplete(Shell *sh, const char *text);
/* Does a line of a script begin a command, its name in full in the first column? It then ends whatever was left open. */
bool line_begins_command(const char *line);
/* Words outside brackets and quotes, with their positions. Returns the number; ends[i] is behind the word. */
int line_words(Arena *arena, const char *text, int **starts, int **ends);
/* Where the end of a text that is being typed is. */
typedef struct LineCursor {
    int rest;        /* start of what it belongs to: the verb, the arguments, or a redirection's target */
    const Command *command;              /* whose arguments; NULL: none */
    bool in_verb, lua;
    char redirect;                       /* > or | when it is behind one, else 0 */
} LineCursor;
void line_cursor(const char *text, LineCursor *out);
/* Outer double quotes taken off, \" and \\ in them read. */
char *line_word(Arena *arena, const char *text, int from, int to);

/* ---- what was meant (correct.c) ---- */

/* To the error of a command: with the name that was meant the line that `try` offers, with `data` before `N = 5`, and of a
 * file that is not there what else lies there. What a guide keeps for later is not suggested. */
void line_correct(Shell *sh, const Piece *p);

/* ---- aliases (alias.c) ---- */

Alias *alias_find(const Shell *sh, const char *name);                    /* NULL: none */
void alias_set(Shell *sh, const char *name, const char *line);           /* texts are copied */
bool alias_take(Shell *sh, const char *name, const char *line);          /* from a file; E05: it is a command, or no name */
/* Its line with $1 ... replaced by words of the tail; words that no $ takes follow. NULL + E05: words are missing. */
char *alias_expand(Shell *sh, Arena *arena, const Alias *a, const char *tail);

#endif

/* complete: what Tab offers, by the kinds of arguments in commands.def, one for each word, the last for all further ones;
 * "a|b" is one of two kinds:
 *   command topic kind setting value program data param device strategy searcher rule macro place pattern mark
 *   version tag lua lesson
 *   file:.fun,.lathe (no suffix: every file)      words:a|b|c (last, when there are several)
 * Words that begin with @ $ ' are versions, marks and patterns wherever they stand, and what follows `at` or `in` is
 * a place. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "shell.h"

typedef struct Candidate {
    const char *text, *shown, *gloss;    /* what replaces the word; as listed; what it is, or "" */
    bool fits;                           /* false: does not apply here */
    bool more;                           /* no space follows */
} Candidate;
typedef struct Completion {
    Arena *arena;
    int from;                            /* where the word under construction starts */
    VEC(Candidate) items;                /* as they are to be listed */
    const char *wanted;                  /* without any: what is to be typed, "a number from 0 to 100"; NULL */
} Completion;
enum { COMPLETION_MS = 50 };
/* What may stand at line[from..point). rest: also what does not apply here (a second Tab). Nothing after budget_ms; never
 * prints, runs anything on a device or leaves an error. Release with completion_free. */
void complete(Shell *sh, const char *line, int point, bool rest, double budget_ms, Completion *out);
void completion_free(Completion *c);
bool completion_knows(const char *kind);                                 /* is it a kind (with its detail)? */

#endif

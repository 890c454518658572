/* manual: the pages of help, options.def, and the manual page made of all tables. */
#ifndef MANUAL_H
#define MANUAL_H

#include "ir.h"

typedef struct Topic { const char *name, *title, *text; } Topic;         /* text: behind the line of the title */
bool topic_get(Arena *arena, int i, Topic *out);             /* false behind the last */
/* For bash, zsh or fish; false: it is none of these. */
bool completions_print(const char *shell, Buf *out);
void options_print(Buf *out);
void manual_print(const char *version, Buf *out);            /* roff, for man */
const char *prim_family_title(PrimFamily family);           /* "maps"; NULL behind the last */

#endif

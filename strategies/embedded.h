/* embedded: the Lua files of this folder as text in the binary; the definitions are written by scripts/embed. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

typedef struct EmbeddedLua {
    const char *name;                    /* "combinators.lua" */
    const char *text;
} EmbeddedLua;

extern const EmbeddedLua embedded_lua[];     /* in the order given to scripts/embed; ends with a NULL name */

#endif

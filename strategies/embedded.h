/* embedded: text files in the binary; the definitions are written by scripts/embed. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

typedef struct EmbeddedText {
    const char *name;                    /* "combinators", of combinators.lua; "page.css" */
    const char *text;
} EmbeddedText;

/* Each in the order given to scripts/embed; ends with a NULL name. */
extern const EmbeddedText embedded_lua[];         /* the Lua files of this folder */
extern const EmbeddedText embedded_page[];        /* styles and scripts of pages, of the shell */
extern const EmbeddedText embedded_help[];        /* shell/help */

#endif

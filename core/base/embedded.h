/* embedded: text files in the binary; the tables are written by CMakeLists.txt (embed), and of compiled Lua by lua_compile.c. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include <stddef.h>

typedef struct EmbeddedText {
    const char *name;                    /* "combinators", of combinators.lua; "page.css" */
    const char *text;
} EmbeddedText;

/* The bytes of a file, and a NUL. */
#define EMBEDDED(label, path) \
    __asm__(".section .rodata\n" #label ":\n.incbin \"" path "\"\n.byte 0\n.previous\n"); \
    extern const char label[];

/* Each in the order given to embed; ends with a NULL name. */
extern const EmbeddedText embedded_lua[];         /* the Lua files of strategies/ */
extern const EmbeddedText embedded_prelude[];     /* core/lang/prelude.fun */
extern const EmbeddedText embedded_page[];        /* styles and scripts of pages, of the shell */
extern const EmbeddedText embedded_parts[];       /* texts in parts: of host programs, of the manual page, of the shell */
extern const EmbeddedText embedded_editors[];     /* of shell/editors: the kernel for Jupyter, and templates for editors */
extern const EmbeddedText embedded_help[];        /* shell/help */
extern const EmbeddedText embedded_plots[];       /* scripts for gnuplot, of shell/results */

typedef struct EmbeddedCode {
    const char *bytes;
    size_t size;
} EmbeddedCode;

#define OUR_CHUNK "lathe/"               /* the library's files are chunks lathe/base.lua ... */
#define OUR_CHUNK_OF "=" OUR_CHUNK "%s.lua"      /* their names for luaL_loadbuffer */
extern const EmbeddedCode compiled_lua[];        /* of embedded_lua, in the same order */
extern const char compiled_lua_by[];             /* lua_ident of the liblua whose bytes they are */

/* What the library's files name, in the order in which library.lua reads them: of each a digit, its StrategyNameKind, and the name; its
 * parameters; what it does; the file ("combinators"). Four texts each, without addresses that every start would have to work out. Ends
 * with an empty text. */
extern const char library_names[];

#endif

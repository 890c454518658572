/* file: files that somebody named, read whole and within bounds. */
#ifndef FILE_H
#define FILE_H

#include "diag.h"

enum { FILE_BYTES_MAX = 64 << 20 };

/* All that a file holds but a byte order mark, with a NUL behind it; of a pipe, a terminal or a device what comes until it
 * ends. stop: raised while that is waited for, it is given up; NULL: only a file proper is read. In the arena; len may be NULL.
 * NULL + E06: it cannot be read, is a folder, or larger than FILE_BYTES_MAX; E25: *stop was raised. */
char *file_read(Diag *diag, Arena *arena, const char *file, const volatile int *stop, size_t *len);
/* The same of a text: NULL + E03 where it holds a NUL byte. */
char *text_read(Diag *diag, Arena *arena, const char *file, const volatile int *stop, size_t *len);
/* In place of what was there. False + E06. */
/* "../share/lathe" from where the running program is; in the arena. */
const char *file_of_program(Arena *a, const char *path);
bool file_write(Diag *diag, const char *file, const void *data, size_t size);
bool file_ends(const char *file, const char *ending);           /* "mm.fun" with ".fun" */

#endif

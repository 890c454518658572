/* text: how wide text is on a terminal, and the names in it. */
#ifndef TEXT_H
#define TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

/* Columns that UTF-8 takes, by its Unicode width: two for a wide character, none for one that combines or for an escape sequence
 * that sets a colour, one for another control character. */
int text_width(const char *text);
int text_width_of(const char *text, size_t n);                   /* of n bytes */
size_t text_fit(const char *text, int columns);                  /* bytes of the longest beginning that is no wider */
/* As UTF-8: a byte that belongs to none becomes \xhh. */
struct Buf;
void text_escape(const char *text, size_t n, struct Buf *out);
/* What names are made of: letters, digits and _. */
static inline bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }
size_t name_length(const char *text);                            /* of the name that it begins with; 0: none */

#endif

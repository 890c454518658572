/* text: how wide text is on a terminal, what of it may go there, and the names in it. */
#ifndef TEXT_H
#define TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#include "base.h"

/* Columns that UTF-8 takes, by its Unicode width: two for a wide character, none for one that combines or for an escape sequence
 * that sets a colour, one for another control character. */
int text_width(const char *text);
int text_width_of(const char *text, size_t n);                   /* of n bytes */
size_t text_fit(const char *text, int columns);                  /* bytes of the longest beginning that is no wider */
/* As UTF-8: a byte that belongs to none becomes \xhh. */
void text_escape(const char *text, size_t n, Buf *out);
/* Text that may come from anywhere, as a terminal may have it: ? for each character that would command it (control characters but tabs
 * and ends of lines; marks that turn the direction of writing) and for what is no UTF-8. Where it says ESC [ INK, from us alone, an
 * escape sequence stays, without INK. NULL: there are none. */
void text_shown(const char *text, const char *ink, Buf *out);
/* What names are made of: letters, digits and _. */
static inline bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }
size_t name_length(const char *text);                            /* of the name that it begins with; 0: none */

#endif

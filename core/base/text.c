/* text: how wide text is on a terminal, and the names in it. */
#include "text.h"

#include <ctype.h>
#include <string.h>
#include <unistr.h>
#include <uniwidth.h>

#include "base.h"

/* Bytes of the character, or the escape sequence, at s; *width: its columns. */
static size_t next(const char *s, size_t n, int *width)
{
    *width = 1;
    if ((unsigned char)*s < 0x80) {
        if (n < 2 || s[0] != '\033' || s[1] != '[') return 1;
        size_t length = 2;
        while (length < n && (s[length] == ';' || isdigit((unsigned char)s[length]))) length++;
        return *width = 0, length < n ? length + 1 : length;
    }
    ucs4_t c;
    int length = u8_mbtouc(&c, (const uint8_t *)s, n), columns = uc_width(c, "UTF-8");
    if (columns >= 0) *width = columns;
    return (size_t)length;
}

int text_width_of(const char *text, size_t n)
{
    int all = 0, width;
    for (size_t i = 0; i < n; all += width) i += next(text + i, n - i, &width);
    return all;
}

int text_width(const char *text) { return text_width_of(text, strlen(text)); }

size_t text_fit(const char *text, int columns)
{
    size_t i = 0, n = strlen(text);
    for (int width; i < n; columns -= width) {
        size_t length = next(text + i, n - i, &width);
        if (width > columns) break;
        i += length;
    }
    return i;
}

size_t name_length(const char *text)
{
    size_t n = 0;
    while (is_name_char(text[n])) n++;
    return n;
}

void text_escape(const char *text, size_t n, Buf *out)
{
    for (const uint8_t *s = (const uint8_t *)text, *end = s + n, *bad = s; bad; s = bad + 1) {
        bad = u8_check(s, (size_t)(end - s));
        buf_write(out, (const char *)s, (size_t)((bad ? bad : end) - s));
        if (bad) buf_printf(out, "\\x%02x", *bad);
    }
}

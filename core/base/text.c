/* text: how wide text is on a terminal, what of it may go there, and the names in it. */
#include "text.h"

#include <ctype.h>
#include <string.h>
#include <unistr.h>
#include <uniwidth.h>

/* Would it do something to a terminal, but for tabs and ends of lines? Controls, and marks of the direction of writing, which let one
 * text look as another. */
static bool is_command(ucs4_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Bytes of the character, or the escape sequence, at s; *width: its columns. */
static size_t next(const char *s, size_t n, int *width)
{
    *width = 1;
    if ((unsigned char)*s < 0x80) {
        if (n < 2 || s[0] != '\033' || s[1] != '[') return 1;
        size_t length = 2;
        while (length < n && (s[length] == ';' || isdigit((unsigned char)s[length]))) length++;
        if (length == n || s[length] != 'm') return 1;
        return *width = 0, length + 1;
    }
    ucs4_t c;
    int length = u8_mbtouc(&c, (const uint8_t *)s, n), columns = uc_width(c, "UTF-8");
    if (columns >= 0 && !is_command(c)) *width = columns;
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

void text_shown(const char *text, const char *ink, Buf *out)
{
    size_t left = strlen(text), mark = ink ? strlen(ink) : 0, plain = 0;
    for (const char *p = text; left;) {
        int length = 1;
        ucs4_t c = (unsigned char)*p;
        if (c >= 0x80) length = u8_mbtoucr(&c, (const uint8_t *)p, left);
        bool ours = c == 033 && mark && p[1] == '[' && !strncmp(p + 2, ink, mark), ends = c == '\r' && p[1] == '\n';
        if (length > 0 && !is_command(c)) plain += (size_t)length;
        else {
            buf_write(out, p - plain, plain);
            plain = 0;
            if (ours) buf_puts(out, "\033["), length = 2 + (int)mark;
            else if (!ends) buf_putc(out, '?');
            if (length < 1) length = 1;
        }
        p += length;
        left -= (size_t)length;
        if (!left) buf_write(out, p - plain, plain);
    }
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

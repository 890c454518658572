/* lesson_prose: text of a lesson as it is printed. */
#include "lesson.h"

#include <string.h>

static int characters(const char *text, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* Words from text on, in lines of at most width, the later ones indented. */
static void fill(Buf *out, const char *text, size_t n, int width, int indent)
{
    int column = 0;
    for (size_t i = 0; i < n;) {
        while (i < n && (text[i] == ' ' || text[i] == '\n')) i++;
        size_t word = i;
        while (i < n && text[i] != ' ' && text[i] != '\n') i++;
        int k = characters(text + word, i - word);
        if (!k) break;
        if (column && column + 1 + k > width) buf_printf(out, "\n%*s", indent, ""), column = indent;
        else if (column) buf_putc(out, ' '), column++;
        buf_write(out, text + word, i - word);
        column += k;
    }
    buf_putc(out, '\n');
}

static bool is_item(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    return !strncmp(line, "- ", 2) || !strncmp(line, "* ", 2) || (digits && !strncmp(line + digits, ". ", 2));
}

static bool is_plain(const char *line) { return *line && !strchr(" \t|#>\n", *line); }

const char *lesson_prose(Shell *sh, const char *text)
{
    Buf out = {0};
    int width = (int)session_setting_int(sh->session, SET_WIDTH);
    while (*text) {
        size_t n = 0;
        bool wide = false, item = is_item(text), plain = is_plain(text);
        do {                             /* a paragraph, or a line that stands for itself */
            size_t line = strcspn(text + n, "\n");
            wide = wide || characters(text + n, line) > width;
            n += line + (text[n + line] == '\n');
        } while (plain && is_plain(text + n) && !is_item(text + n));
        if (plain && wide) fill(&out, text, n, width, item ? 2 : 0);
        else buf_write(&out, text, n);
        text += n;
    }
    if (out.len && out.data[out.len - 1] != '\n') buf_putc(&out, '\n');
    const char *shown = arena_strdup(sh->scratch, buf_text(&out));
    buf_free(&out);
    return shown;
}

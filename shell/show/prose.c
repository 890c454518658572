/* prose: Markdown as it is printed: pages of help, and the text of lessons. */
#include "show.h"
#include "text.h"

#include <string.h>

/* ---- pieces ---- */

static bool is_item(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    return !strncmp(line, "- ", 2) || !strncmp(line, "* ", 2) || (digits && !strncmp(line + digits, ". ", 2));
}

static bool is_plain(const char *line) { return *line && !strchr(" \t|#>`\n", *line); }

/* A line of prose that begins with code in a sentence, and with no fence. */
static bool is_text(const char *line) { return is_plain(line) || (*line == '`' && strncmp(line, "```", 3)); }

/* Does a line go on with an item, by two blanks? Four begin what stands for itself. */
static bool is_more(const char *line) { return !strncmp(line, "  ", 2) && is_text(line + 2 + (line[2] == ' ')); }

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return p + (*p == '\n');
}

static Prose piece(ProseKind kind, const char *from, const char *to)
{
    while (to > from && to[-1] == '\n') to--;
    return (Prose){kind, from, (size_t)(to - from)};
}

bool prose_next(const char **text, Prose *out)
{
    const char *p = *text, *end = next_line(p);
    static const char mark[] = "<!-- ";
    if (!*p) return false;
    if (*p == '\n') {
        *out = (Prose){PROSE_GAP, p, 0};
    } else if (!strncmp(p, "```", 3)) {
        const char *from = end;
        while (*end && strncmp(end, "```", 3)) end = next_line(end);
        *out = piece(PROSE_CODE, from, end);
        end = next_line(end);
    } else if (*p == '#') {
        p += strspn(p, "#");
        *out = piece(PROSE_HEADING, p + strspn(p, " "), end);
    } else if (!strncmp(p, mark, sizeof mark - 1)) {
        p += sizeof mark - 1;
        *out = (Prose){PROSE_MARK, p, strcspn(p, " \n")};
    } else if (is_text(p)) {
        bool item = is_item(p);
        while ((is_text(end) && !is_item(end)) || (item && is_more(end))) end = next_line(end);
        *out = piece(item ? PROSE_ITEM : PROSE_PARAGRAPH, p, end);
    } else {
        *out = piece(PROSE_LINE, p, end);
    }
    *text = end;
    return true;
}

/* ---- as text ---- */

typedef struct Sheet {
    Buf *out;
    int width, indent;
    const char *code;                    /* the colour of code in sentences; NULL: it stays between its ` */
    bool in_code;
} Sheet;

/* The length of the first line of n characters. */
static size_t line_length(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    return end ? (size_t)(end - text) : n;
}

static void put_color(Sheet *s, bool on)
{
    if (on) buf_printf(s->out, "\033[%sm", s->code);
    else buf_puts(s->out, "\033[0m");
}

/* Some of a sentence; returns how many columns it takes. */
static int put_text(Sheet *s, const char *text, size_t n)
{
    int columns = text_width_of(text, n);
    if (s->in_code) put_color(s, true);
    for (size_t i = 0; i < n; i++) {
        if (s->code && text[i] == '`') put_color(s, s->in_code = !s->in_code), columns--;
        else buf_putc(s->out, text[i]);
    }
    if (s->in_code) put_color(s, false);
    return columns;
}

/* Lines as they are; what is typed in them in bold. */
static void put_lines(Sheet *s, const char *text, size_t n, int further)
{
    for (size_t i = 0, length; i <= n; i += length + 1) {
        length = line_length(text + i, n - i);
        if (length) buf_printf(s->out, "%*s", s->indent + further, "");
        bool typed = s->code && length && text[i] == '>';
        buf_printf(s->out, typed ? "\033[1m%.*s\033[0m\n" : "%.*s\n", (int)length, text + i);
    }
}

static bool is_wide(const Sheet *s, const Prose *piece)
{
    for (size_t i = 0, n; i <= piece->n; i += n + 1) {
        n = line_length(piece->text + i, piece->n - i);
        if (text_width_of(piece->text + i, n) + s->indent > s->width) return true;
    }
    return false;
}

void prose_put(Shell *sh, const Prose *piece, int indent, Buf *out)
{
    enum { CODE_INDENT = 2, ITEM_INDENT = 2 };
    const char *color = shell_lecture(sh) ? "1" : "36";
    Sheet s = {out, show_width(sh), indent, sh->color ? color : NULL, false};
    int further = piece->kind == PROSE_ITEM ? ITEM_INDENT : 0;
    switch (piece->kind) {
    case PROSE_GAP: buf_putc(out, '\n'); break;
    case PROSE_HEADING: buf_printf(out, s.code ? "\033[1m%.*s\033[0m\n" : "%.*s\n", (int)piece->n, piece->text); break;
    case PROSE_CODE: put_lines(&s, piece->text, piece->n, CODE_INDENT); break;
    case PROSE_LINE: put_lines(&s, piece->text, piece->n, 0); break;
    case PROSE_PARAGRAPH: case PROSE_ITEM:
        if (is_wide(&s, piece)) {
            /* The words in lines of at most the width, all but the first further in. */
            int column = s.indent, words = 0;
            buf_printf(s.out, "%*s", s.indent, "");
            for (size_t i = strspn(piece->text, " \n"); i < piece->n; i += strspn(piece->text + i, " \n")) {
                size_t word = strcspn(piece->text + i, " \n");
                if (i + word > piece->n) word = piece->n - i;
                if (words && column + 1 + text_width_of(piece->text + i, word) > s.width) {
                    column = s.indent + further, words = 0;
                    buf_printf(s.out, "\n%*s", column, "");
                }
                if (words++) buf_putc(s.out, ' '), column++;
                column += put_text(&s, piece->text + i, word);
                i += word;
            }
            buf_putc(s.out, '\n');
        } else {
            /* The lines of a text that is no wider than that, all but the first further in. */
            for (size_t i = 0, length; i <= piece->n; i += length + 1) {
                i += strspn(piece->text + i, " ");
                length = line_length(piece->text + i, piece->n - i);
                buf_printf(s.out, "%*s", s.indent + (i ? further : 0), "");
                put_text(&s, piece->text + i, length);
                buf_putc(s.out, '\n');
            }
        }
        break;
    case PROSE_MARK: break;
    }
}

const char *prose_shown(Shell *sh, const char *text)
{
    Buf out = {0};
    for (Prose piece; prose_next(&text, &piece);) prose_put(sh, &piece, 0, &out);
    return buf_take(&out, sh->scratch);
}

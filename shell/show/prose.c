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

/* Each line of a piece, as it is, further in; what is typed in them in bold. */
static void put_lines(Shell *sh, const char *text, int indent)
{
    for (size_t n;; text += n + 1) {
        n = strcspn(text, "\n");
        bool typed = *text == '>';
        if (n) print(sh, "%*s%s%.*s%s", indent, "", typed ? show_ink(sh, "1") : "", (int)n, text, typed ? show_ink(sh, "0") : "");
        buf_putc(&sh->out, '\n');
        if (!text[n]) break;
    }
}

/* Sentences, their lines from the second on further in: as they are, or filled anew where one is wider than the width. The colour of
 * code ends with each word: a pager takes every line for itself. */
static void put_sentences(Shell *sh, const char *text, int indent, int further)
{
    bool wide = false, code = false;
    for (const char *p = text; *p && !wide; p += strcspn(p, "\n"), p += *p == '\n')
        wide = text_width_of(p, strcspn(p, "\n")) + indent > show_width(sh);
    const char *color = show_ink(sh, shell_lecture(sh) ? "1" : "36"), *plain = show_ink(sh, "0");
    const char *before = arena_printf(sh->scratch, "%*s", indent, "");
    const char *below = arena_printf(sh->scratch, "%*s", indent + further, "");
    while (*text) {
        Buf line = {0};
        if (code) buf_puts(&line, color);
        for (text += strspn(text, " "); *text && (wide || *text != '\n'); text++) {
            if (wide && strchr(" \n", *text)) {
                text += strspn(text, " \n") - 1;
                if (text[1]) buf_printf(&line, "%s %s", code ? plain : "", code ? color : "");
            } else if (*color && *text == '`') buf_puts(&line, (code = !code) ? color : plain);
            else buf_putc(&line, *text);
        }
        if (code) buf_puts(&line, plain);
        text += *text == '\n';
        show_wrapped(sh, before, below, buf_take(&line, sh->scratch));
        before = below;
    }
}

void prose_put(Shell *sh, const Prose *piece, int indent)
{
    enum { CODE_INDENT = 2, ITEM_INDENT = 2 };
    const char *text = arena_strndup(sh->scratch, piece->text, piece->n);
    switch (piece->kind) {
    case PROSE_GAP: buf_putc(&sh->out, '\n'); break;
    case PROSE_HEADING: print(sh, "%s%s%s\n", show_ink(sh, "1"), text, show_ink(sh, "0")); break;
    case PROSE_CODE: put_lines(sh, text, indent + CODE_INDENT); break;
    case PROSE_LINE: put_lines(sh, text, indent); break;
    case PROSE_PARAGRAPH: put_sentences(sh, text, indent, 0); break;
    case PROSE_ITEM: put_sentences(sh, text, indent, ITEM_INDENT); break;
    case PROSE_MARK: break;
    }
}

void prose_all(Shell *sh, const char *text)
{
    for (Prose piece; prose_next(&text, &piece);) prose_put(sh, &piece, 0);
}

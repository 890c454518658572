/* line: where command lines come from: a terminal, a file, or a text. */
#include "line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Reader {
    FILE *file;
    bool terminal;
    const char *text;                    /* what is left of it; NULL: a file or terminal */
    const char *name;                    /* NULL: standard input */
    char *again;                         /* malloc; a line that was given back */
    int line;
    Shell *shell;
};

static Reader *reader_new(Reader r)
{
    Reader *made = mem_alloc(sizeof *made);
    *made = r;
    return made;
}

Reader *reader_stream(Shell *sh, FILE *f) { return reader_new((Reader){.file = f, .shell = sh}); }
Reader *reader_terminal(Shell *sh) { return reader_new((Reader){.terminal = true, .shell = sh}); }
Reader *reader_text(const char *text, const char *name, int line) { return reader_new((Reader){.text = text, .name = name, .line = line - 1}); }

void reader_free(Reader *r)
{
    free(r->again);
    free(r);
}

int reader_line_number(const Reader *r) { return r->line; }
const char *reader_name(const Reader *r) { return r->name; }
bool reader_is_terminal(const Reader *r) { return r->terminal; }
bool reader_is_from_outside(const Reader *r) { return r->shell; }

void reader_again(Reader *r, const Buf *line)
{
    r->line--;
    r->again = strdup(buf_text(line));
}

/* Ctrl-C that is for a command is for none while one is waited for. */
static int next_byte(Reader *r)
{
    int c;
    volatile int *stop = r->shell->stop;
    while ((c = getc(r->file)) == EOF && ferror(r->file) && errno == EINTR && r->shell->converses && *stop != STOP_TERMINATE) clearerr(r->file);
    if (r->shell->converses && *stop != STOP_TERMINATE) *stop = STOP_NONE;
    return c;
}

LineStatus reader_next(Reader *r, const char *prompt, Buf *line)
{
    r->line++;
    buf_putc(line, 0);
    buf_clear(line);
    if (r->again) {
        buf_puts(line, r->again);
        free(r->again);
        r->again = NULL;
        return LINE_READ;
    }
    if (r->text) {
        if (!*r->text) return LINE_END;
        size_t n = strcspn(r->text, "\n");
        buf_write(line, r->text, n);
        r->text += n + (r->text[n] == '\n');
        return LINE_READ;
    }
    if (r->terminal) return terminal_line(r->shell, prompt, line);
    static const char mark[] = "\xef\xbb\xbf";      /* a byte order mark */
    int c;
    while ((c = next_byte(r)) != EOF && c != '\n') {
        if (line->len == LINE_BYTES_MAX) return LINE_LONG;
        buf_putc(line, (char)c);
        if (r->line == 1 && line->len == sizeof mark - 1 && !memcmp(line->data, mark, line->len)) buf_clear(line);
    }
    return c == EOF && !line->len ? LINE_END : LINE_READ;
}

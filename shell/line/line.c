/* line: where command lines come from: a terminal, a file, or a text. */
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* ---- requests that come while one is answered: a thread reads all, so that {"interrupt": 7} is seen at once ---- */

typedef struct Forward { Shell *sh; int from, to; } Forward;

/* It is one for the request that is being answered: as Ctrl-C. */
static bool interrupts(Shell *sh, const char *line)
{
    if (*line != '{' || !strstr(line, "\"interrupt\"")) return false;
    json_t *o = json_loads(line, 0, NULL), *id = json_object_get(o, "interrupt");
    bool is = id != NULL;
    pthread_mutex_lock(&sh->asking);
    if (is && sh->request && json_equal(id, sh->request)) kill(getpid(), SIGINT);
    pthread_mutex_unlock(&sh->asking);
    json_decref(o);
    return is;
}

static bool write_all(int to, const char *data, size_t n)
{
    for (ssize_t done; n; data += done, n -= (size_t)done)
        if ((done = write(to, data, n)) < 0 && errno != EINTR) return false;
        else if (done < 0) done = 0;
    return true;
}

static void *forward(void *data)
{
    Forward f = *(Forward *)data;
    Buf line = {0};
    char more[4096];
    bool open = true;
    free(data);
    for (ssize_t n; open && (n = read(f.from, more, sizeof more)) != 0;) {
        if (n < 0 && errno != EINTR) break;
        for (ssize_t i = 0; open && i < n; i++) {
            buf_putc(&line, more[i]);
            if (more[i] != '\n' && line.len < LINE_BYTES_MAX) continue;
            open = memchr(line.data, 0, line.len) || !interrupts(f.sh, buf_text(&line)) ? write_all(f.to, line.data, line.len) : true;
            buf_clear(&line);
        }
    }
    write_all(f.to, line.data, line.len);
    buf_free(&line);
    close(f.to);
    return NULL;
}

Reader *reader_requests(Shell *sh)
{
    int ends[2];
    pthread_t thread;
    sigset_t all, before;
    if (pipe2(ends, O_CLOEXEC)) return reader_stream(sh, stdin);
    Forward *f = mem_alloc(sizeof *f);
    *f = (Forward){sh, STDIN_FILENO, ends[1]};
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);           /* signals are for the shell's own thread */
    bool runs = pthread_create(&thread, NULL, forward, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!runs) {
        free(f), close(ends[0]), close(ends[1]);
        return reader_stream(sh, stdin);
    }
    pthread_detach(thread);
    return reader_stream(sh, fdopen(ends[0], "r"));
}
Reader *reader_terminal(Shell *sh) { return reader_new((Reader){.terminal = true, .shell = sh}); }
Reader *reader_text(const char *text, const char *name, int line) { return reader_new((Reader){.text = text, .name = name, .line = line - 1}); }

void reader_free(Reader *r)
{
    free(r->again);
    free(r);
}

int reader_line_number(const Reader *r) { return r->line; }
const char *reader_name(const Reader *r) { return r->name; }
bool reader_goes_on(const Reader *r)
{
    if (r->terminal) return terminal_pasted_more();
    return r->text && r->text[strspn(r->text, " \t")] != '\n' && (*r->text == ' ' || *r->text == '\t');
}

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

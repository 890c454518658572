/* line: where command lines come from: a terminal through Readline, a file, or a text. */
#include "shell.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef NO_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

struct Reader {
    FILE *file;
    bool close, terminal;
    const char *text;                    /* what is left of it; NULL: a file or terminal */
    const char *name;                    /* NULL: standard input */
    int line;
    Shell *shell;
};

static Reader *reader_new(const char *name)
{
    Reader *r = mem_alloc(sizeof *r);
    r->name = name;
    return r;
}

Reader *reader_file(FILE *f, const char *name, bool close)
{
    Reader *r = reader_new(name);
    r->file = f;
    r->close = close;
    return r;
}

Reader *reader_text(const char *text, const char *name)
{
    Reader *r = reader_new(name);
    r->text = text;
    return r;
}

Reader *reader_terminal(Shell *sh)
{
    Reader *r = reader_new(NULL);
    r->file = stdin;
    r->terminal = true;
    r->shell = sh;
    return r;
}

void reader_free(Reader *r)
{
    if (r->close) fclose(r->file);
    free(r);
}

int reader_line_number(const Reader *r) { return r->line; }
const char *reader_name(const Reader *r) { return r->name; }
bool reader_is_terminal(const Reader *r) { return r->terminal; }

static bool next_of_text(Reader *r, Buf *line)
{
    if (!*r->text) return false;
    size_t n = strcspn(r->text, "\n");
    buf_write(line, r->text, n);
    r->text += n + (r->text[n] == '\n');
    return true;
}

static bool next_of_file(Reader *r, Buf *line)
{
    char *text = NULL;
    size_t cap = 0;
    ssize_t n = getline(&text, &cap, r->file);
    if (n > 0) buf_write(line, text, (size_t)n - (text[n - 1] == '\n'));
    free(text);
    return n >= 0;
}

#ifndef NO_READLINE

/* Readline's callbacks carry no data pointer: the one object behind them. */
static struct Terminal {
    Shell *shell;
    char *line;
    bool done;
} terminal;

static void got_line(char *line)
{
    terminal.line = line;
    terminal.done = true;
    rl_callback_handler_remove();
}

/* Ctrl-C: forget what was typed and start a fresh line. */
static void abandon(Reader *r, const char *prompt)
{
    *r->shell->stop = 0;
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_replace_line("", 0);
    rl_crlf();
    rl_callback_handler_remove();
    rl_callback_handler_install(prompt, got_line);
}

/* The prompt in bold, its non-printing sequences bracketed for Readline. */
static void prompt_text(Shell *sh, const char *prompt, Buf *out)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    bool color = sh->terminal && !session_setting_is(sh->session, SET_COLOR, "never") && !(no && *no) && term && strcmp(term, "dumb");
    if (color) buf_printf(out, "\001\033[1m\002%s\001\033[0m\002", prompt);
    else buf_puts(out, prompt);
}

/* SIGINT is let in only while waiting, so it cannot be missed between the test and the wait. */
static bool wait_for_input(void)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t none;
    sigemptyset(&none);
    return ppoll(&p, 1, NULL, &none) > 0;
}

/* The line in history, unless it starts with a space or repeats the last. */
static void remember(const char *line)
{
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (!*line || *line == ' ' || (last && !strcmp(last->line, line))) return;
    add_history(line);
}

static void read_terminal(Reader *r, const char *prompt)
{
    volatile int *stop = r->shell->stop;
    terminal.done = false;
    terminal.line = NULL;
    rl_callback_handler_install(prompt, got_line);
    while (!terminal.done) {
        if (*stop == STOP_TERMINATE) got_line(NULL);
        else if (*stop) abandon(r, prompt);
        else if (wait_for_input()) rl_callback_read_char();
    }
}

static bool next_of_terminal(Reader *r, const char *prompt, Buf *line)
{
    sigset_t block, old;
    Buf shown = {0};
    prompt_text(r->shell, prompt, &shown);
    sigemptyset(&block);
    sigaddset(&block, SIGINT);
    sigaddset(&block, SIGTERM);
    sigprocmask(SIG_BLOCK, &block, &old);
    read_terminal(r, buf_text(&shown));
    sigprocmask(SIG_SETMASK, &old, NULL);
    buf_free(&shown);
    if (!terminal.line) {
        putchar('\n');
        return false;
    }
    remember(terminal.line);
    buf_puts(line, terminal.line);
    free(terminal.line);
    return true;
}

/* ---- completion ---- */

static char **candidates(const char *text, int start, int end)
{
    (void)text;
    bool more = false;
    rl_attempted_completion_over = 1;
    char **all = complete(terminal.shell, rl_line_buffer, start, end, &more);
    if (more) rl_completion_suppress_append = 1;
    return all;
}

/* Words end at blanks alone: / : @ $ ' belong to places and versions. */
static char *word_break(void) { return (char *)" \t\n;|"; }

static void use_terminal(Shell *sh)
{
    terminal.shell = sh;
    rl_readline_name = "lathe";
    rl_catch_signals = 0;
    rl_attempted_completion_function = candidates;
    rl_completion_word_break_hook = word_break;
    rl_basic_quote_characters = "";
    rl_variable_bind("enable-bracketed-paste", "on");
}

/* ---- history ---- */

enum { HISTORY_LINES = 10000 };

/* $XDG_STATE_HOME/lathe/history, its folders made; NULL: there is no place for it. */
static char *history_file(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Buf b = {0};
    if (state && *state == '/') buf_puts(&b, state);
    else if (home && *home == '/') buf_printf(&b, "%s/.local/state", home);
    else return NULL;
    buf_puts(&b, "/lathe");
    for (char *p = b.data + 1; *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        mkdir(b.data, 0700);
        *p = '/';
    }
    mkdir(b.data, 0700);
    buf_puts(&b, "/history");
    return b.data;
}

void history_open(Shell *sh)
{
    use_terminal(sh);
    using_history();
    stifle_history(HISTORY_LINES);
    char *file = history_file();
    if (file) read_history(file);
    free(file);
}

void history_close(Shell *sh)
{
    char *file = history_file();
    if ((!file || write_history(file)) && !sh->quiet)
        fprintf(stderr, "lathe: the history of this session cannot be kept%s%s\n", file ? ": " : ": HOME is not set", file ? file : "");
    free(file);
}

#else

static bool next_of_terminal(Reader *r, const char *prompt, Buf *line)
{
    fputs(prompt, stdout);
    fflush(stdout);
    errno = 0;
    if (next_of_file(r, line)) return true;
    if (errno != EINTR) return false;
    clearerr(stdin);
    return true;
}

void history_open(Shell *sh) { (void)sh; }
void history_close(Shell *sh) { (void)sh; }

#endif

bool reader_next(Reader *r, const char *prompt, Buf *line)
{
    r->line++;
    buf_putc(line, 0);
    buf_clear(line);
    if (r->text) return next_of_text(r, line);
    return r->terminal ? next_of_terminal(r, prompt, line) : next_of_file(r, line);
}

/* terminal: lines from a person: Readline, their history, what Tab shows, resizing. */
#include "complete.h"
#include "line.h"
#include "show.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

/* Columns and rows of the terminal that stdout is; false: it is none, or does not tell. */
static bool screen_size(int *columns, int *rows)
{
    struct winsize w;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || w.ws_col == 0) return false;
    *columns = w.ws_col;
    *rows = w.ws_row;
    return true;
}

int terminal_rows(void)
{
    int columns, rows;
    return screen_size(&columns, &rows) ? rows : 0;
}

static void use_size(Shell *sh)
{
    int columns, rows;
    if (sh->terminal && screen_size(&columns, &rows)) session_set_columns(sh->session, columns);
}

bool terminal_color(const Shell *sh)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    if (session_setting_is(sh->session, SET_COLOR, "always")) return true;
    return sh->terminal && !session_setting_is(sh->session, SET_COLOR, "never") && !(no && *no) && term && strcmp(term, "dumb");
}

/* Readline's callbacks carry no data pointer: the one object behind them. */
static struct Terminal {
    Shell *shell;
    char *line;                          /* malloc; what was typed */
    char *pasted;                        /* malloc; further lines that came with it */
    bool several;                        /* there were */
    size_t pasted_at;
    bool done;
    Completion last;                     /* what Tab found */
    char *listed;                        /* malloc; the line of which a part of the candidates was shown last */
} terminal;

static volatile sig_atomic_t resized, resumed;
static void on_resize(int sig) { resized = sig; }
static void on_resume(int sig) { resumed = sig; }

/* ---- the lines typed, kept in $XDG_STATE_HOME/lathe/history as they are typed ---- */

enum { HISTORY_LINES = 10000 };

/* One process has one history; Readline's own is a global too. */
static struct { char *file; bool complain; } kept;       /* file NULL: there is no place for it */

/* An earlier entry of the same text goes: each line is there once, where it was last typed. */
static void add_once(const char *line)
{
    for (int i = history_length - 1; i >= 0; i--) {
        HIST_ENTRY *e = history_get(history_base + i);
        if (!e || strcmp(e->line, line)) continue;
        free_history_entry(remove_history(i));
        break;
    }
    add_history(line);
}

static void complain(void)
{
    if (kept.complain) fprintf(stderr, "lathe: the history of this session cannot be kept%s%s\n",
                               kept.file ? ": " : ": HOME is not set", kept.file ? kept.file : "");
    kept.complain = false;
}

static void history_open(const Shell *sh)
{
    using_history();
    stifle_history(HISTORY_LINES);
    kept.file = shell_state_path("history", true);
    kept.complain = !sh->quiet;
    FILE *f = kept.file ? fopen(kept.file, "r") : NULL;
    if (f) {
        LOCAL(drop) char *line = NULL;
        size_t cap = 0;
        int lines = 0;
        for (ssize_t n; (n = getline(&line, &cap, f)) >= 0; lines++) {
            if (n && line[n - 1] == '\n') line[n - 1] = 0;
            if (*line) add_once(line);
        }
        if (lines > history_length) {
            /* Rewrite the file without what is double or too old, whole or not at all. */
            LOCAL(buf_free) Buf name = {0};
            buf_printf(&name, "%s.%ld", kept.file, (long)getpid());
            if (write_history(name.data) || rename(name.data, kept.file)) unlink(name.data);
        }
    }
    if (f) fclose(f);
}

/* Kept at once; not one that begins with a space, unless it continues another. */
static void history_add(const char *line, bool first)
{
    if (!*line || (first && *line == ' ')) return;
    add_once(line);
    FILE *f = kept.file ? fopen(kept.file, "a") : NULL;
    if (f) chmod(kept.file, 0600);
    bool ok = f && fprintf(f, "%s\n", line) > 0;
    if (f) ok = fclose(f) == 0 && ok;
    if (!ok) complain();
}

void history_block(const char *text)
{
    LOCAL(drop) char *block = strdup(text);
    size_t n = strlen(text);
    while (n && block[n - 1] == '\n') block[--n] = 0;
    if (strchr(block, '\n')) add_once(block);
}

/* ---- completion ---- */

enum { GLOSSED_MOST = 40 };

/* What is typed as Readline sees it, from `start`, made of a candidate that replaces text from c->from. */
static char *replacement(const Completion *c, const char *text, int start)
{
    Buf b = {0};
    if (c->from >= start) buf_write(&b, rl_line_buffer + start, (size_t)(c->from - start));
    size_t skip = c->from < start ? (size_t)(start - c->from) : 0;
    if (skip <= strlen(text)) buf_puts(&b, text + skip);
    else buf_puts(&b, text);
    return b.data ? b.data : strdup("");
}

/* As Readline wants them: what all have in common first, unless there is one only. */
static char **candidates(const char *text, int start, int end)
{
    (void)text;
    Completion *c = &terminal.last;
    rl_attempted_completion_over = 1;
    completion_free(c);
    complete(terminal.shell, rl_line_buffer, end, rl_completion_type == '?', COMPLETION_MS, c);
    int n = c->items.n;
    if (n == 0 && c->wanted) {
        rl_crlf();
        fprintf(rl_outstream, "%s\n", c->wanted);
        rl_forced_update_display();
    }
    if (n == 0) return NULL;
    char **all = mem_alloc(sizeof *all * (size_t)(n + 2));
    const char *first = c->items.v[0].text;
    size_t common = strlen(first);
    for (int i = 1; i < n; i++) {
        size_t k = 0;
        while (k < common && first[k] == c->items.v[i].text[k]) k++;
        common = k;
    }
    LOCAL(drop) char *same = strndup(first, common);
    all[0] = replacement(c, same, start);
    for (int i = 0; n > 1 && i < n; i++) all[i + 1] = replacement(c, c->items.v[i].text, start);
    if (n == 1) rl_completion_suppress_append = c->items.v[0].more;
    return all;
}

/* As much of a text as takes `most` columns. Returns how many it takes. */
static int put_text(Buf *out, const char *s, int most)
{
    LOCAL(buf_free) Buf b = {0};
    text_shown(s, NULL, &b);
    size_t n = text_fit(buf_text(&b), most);
    for (size_t i = 0; i < n; i++) buf_putc(out, (unsigned char)b.data[i] < ' ' ? '?' : b.data[i]);
    return text_width_of(buf_text(&b), n);
}

static void show_candidates(char **matches, int count, int longest)
{
    (void)matches, (void)count, (void)longest;
    const Completion *c = &terminal.last;
    int rows = 0, width = 80, name = 0;  /* of the screen, of the longest name */
    bool marks = false, gloss = c->items.n <= GLOSSED_MOST;     /* some do not apply: all are indented by their mark; one a line */
    screen_size(&width, &rows);
    for (int i = 0; i < c->items.n; i++) {
        int n = text_width(c->items.v[i].shown);
        if (n > name) name = n;
        marks = marks || !c->items.v[i].fits;
    }
    int cell = name + 2 + 2 * marks, columns = gloss ? 1 : (width - 1) / cell;
    LOCAL(buf_free) Buf out = {0};
    if (columns < 1) columns = 1;
    /* What a screen does not hold comes with another Tab on the same line. */
    enum { BESIDE = 3 };                 /* rows for the line, what is said below, the prompt */
    bool again = terminal.listed && !strcmp(terminal.listed, rl_line_buffer);
    int most = rows > BESIDE + 1 && !again ? (rows - BESIDE) * columns : c->items.n, n = c->items.n < most ? c->items.n : most;
    free(terminal.listed);
    terminal.listed = n < c->items.n ? strdup(rl_line_buffer) : NULL;
    for (int i = 0; i < n; i++) {
        bool dim = !c->items.v[i].fits && terminal_color(terminal.shell);
        int left = width - 1, pad = 2;
        if (dim) buf_puts(&out, "\033[2m");
        if (marks) buf_puts(&out, c->items.v[i].fits ? "  " : shell_unicode(terminal.shell) ? "✗ " : "x "), left -= 2;
        int taken = put_text(&out, c->items.v[i].shown, left);
        if (!gloss) pad += name - taken;
        else if (*c->items.v[i].gloss && left > name + 2) {
            buf_printf(&out, "%*s", name - taken + 2, "");
            put_text(&out, c->items.v[i].gloss, left - name - 2);
        }
        if (!gloss) buf_printf(&out, "%*s", pad, "");
        if (dim) buf_puts(&out, "\033[0m");
        if ((i + 1) % columns == 0 || i + 1 == n) buf_putc(&out, '\n');
    }
    if (n < c->items.n) buf_printf(&out, "%d more        type a letter, or Tab again for all\n", c->items.n - n);
    rl_crlf();
    fputs(buf_text(&out), rl_outstream);
    fflush(rl_outstream);
    rl_forced_update_display();
}

/* Words end at blanks alone: / : @ $ ' belong to places and versions. */
static char *word_break(void) { return (char *)" \t\n;|"; }

/* Right, on an empty line: what the last `try` says, to be edited or run. */
static int take_suggestion(int count, int key)
{
    const char *text = terminal.shell->suggested;
    if (rl_end || !text) return rl_forward_char(count, key);
    rl_insert_text(text);
    return 0;
}

/* ---- reading ---- */

static void got_line(char *line)
{
    terminal.line = line;
    terminal.done = true;
    rl_callback_handler_remove();
}

/* Signals are let in only while waiting, so none can be missed between the test and the wait. */
static bool wait_for_input(Shell *sh)
{
    struct pollfd p[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = sh->watch_calls, .events = POLLIN}};
    sigset_t none;
    sigemptyset(&none);
    /* a Ctrl-C comes before what was typed behind it */
    if (ppoll(NULL, 0, &(struct timespec){0}, &none) < 0) return false;
    if (ppoll(p, COUNT(p), NULL, &none) <= 0) return false;
    if (!p[0].revents && p[1].revents) sh->watch->called(sh);        /* what is typed comes first */
    return p[0].revents;
}

static LineStatus read_line(Shell *sh, const char *prompt)
{
    bool abandoned = false;
    terminal.done = false;
    terminal.line = NULL;
    rl_callback_handler_install(prompt, got_line);
    while (!terminal.done) {
        if (*sh->stop == STOP_TERMINATE) got_line(NULL);
        else if (*sh->stop) {            /* Ctrl-C: forget what was typed */
            rl_free_line_state();
            rl_callback_sigcleanup();
            rl_replace_line("", 0);
            rl_crlf();
            got_line(NULL);
            abandoned = true;
        } else if (resized) {
            resized = 0;
            use_size(terminal.shell);
            rl_resize_terminal();
        } else if (resumed) {
            /* Back from Ctrl-Z: the terminal is as the system shell left it, and the line is out of sight. */
            resumed = 0;
            rl_deprep_term_function();
            rl_prep_term_function(1);
            use_size(terminal.shell);
            rl_resize_terminal();
            rl_forced_update_display();
        } else if (wait_for_input(sh)) rl_callback_read_char();
    }
    return terminal.line ? LINE_READ : abandoned ? LINE_ABANDONED : LINE_END;
}

/* Of a transcript that was pasted, what was typed: the lines that begin with "> ", without that. */
static void take_transcript(char *text)
{
    char *to = text;
    if (strncmp(text + strspn(text, " \t\n"), "> ", 2)) return;
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *line = p + strspn(p, " \t");
        size_t n = strcspn(line, "\n");
        if (*line != '>' || (n > 1 && line[1] != ' ')) continue;
        size_t mark = n > 1 ? 2 : 1;
        if (to != text) *to++ = '\n';
        memmove(to, line + mark, n - mark);
        to += n - mark;
    }
    *to = 0;
}

LineStatus terminal_line(Shell *sh, const char *prompt, Buf *line)
{
    sigset_t block, old;
    LOCAL(buf_free) Buf shown = {0};
    if (!terminal.pasted) {
        /* The prompt in bold, its non-printing sequences bracketed for Readline. */
        if (terminal_color(sh)) buf_printf(&shown, "\001\033[1m\002%s\001\033[0m\002", prompt);
        else buf_puts(&shown, prompt);
        sigemptyset(&block);
        sigaddset(&block, SIGINT);
        sigaddset(&block, SIGTERM);
        sigaddset(&block, SIGWINCH);
        sigaddset(&block, SIGCONT);
        sigprocmask(SIG_BLOCK, &block, &old);
        LineStatus got = read_line(sh, buf_text(&shown));
        sigprocmask(SIG_SETMASK, &old, NULL);
        if (got == LINE_END) putchar('\n');
        if (got != LINE_READ) return got;
        take_transcript(terminal.line);
        terminal.pasted = terminal.line;
        terminal.pasted_at = 0;
        terminal.several = strchr(terminal.line, '\n') != NULL;
    }
    /* A paste of several lines is edited as one text and then read line by line, each shown again before what it prints. */
    const char *rest = terminal.pasted + terminal.pasted_at;
    size_t n = strcspn(rest, "\n");
    buf_write(line, rest, n);
    if (terminal.several && (n || rest[n])) printf("%s%.*s\n", prompt, (int)n, rest), fflush(stdout);
    terminal.pasted_at += n + 1;
    if (!rest[n]) terminal_forget();
    history_add(buf_text(line), !sh->continued);
    return LINE_READ;
}

bool terminal_pasted_more(void)
{
    return terminal.pasted && strchr(" \t", terminal.pasted[terminal.pasted_at]) && terminal.pasted[terminal.pasted_at];
}

bool terminal_pasted_past_gap(bool anything)
{
    const char *rest = terminal.pasted ? terminal.pasted + terminal.pasted_at : "";
    for (; *rest; rest += strcspn(rest, "\n"), rest += *rest == '\n')
        if (rest[strspn(rest, " \t\r\n")] && rest[strspn(rest, " \t\r")] != '\n') return anything || strchr(" \t", *rest);
    return false;
}

void terminal_forget(void)
{
    free(terminal.pasted);
    terminal.pasted = NULL;
}

void terminal_open(Shell *sh)
{
    struct sigaction action = {.sa_handler = on_resize, .sa_flags = SA_RESTART};
    terminal.shell = sh;
    rl_readline_name = "lathe";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_attempted_completion_function = candidates;
    rl_completion_display_matches_hook = show_candidates;
    rl_completion_word_break_hook = word_break;
    rl_basic_quote_characters = "";
    rl_sort_completion_matches = 0;
    static const char *const keys[] = {"\\e[C", "\\eOC", "\\C-f"};
    rl_add_defun("take-suggestion", take_suggestion, -1);
    for (int i = 0; i < COUNT(keys); i++) rl_bind_keyseq(keys[i], take_suggestion);
    static const char *const on[] = {"enable-bracketed-paste", "show-all-if-ambiguous"};    /* unless an inputrc says otherwise */
    for (int i = 0; i < COUNT(on); i++) rl_variable_bind(on[i], "on");
    sigaction(SIGWINCH, &action, NULL);
    action.sa_handler = on_resume;
    sigaction(SIGCONT, &action, NULL);
    use_size(sh);
    history_open(sh);
}

void terminal_close(void)
{
    terminal_forget();
    free(terminal.listed);
    if (terminal.last.arena) completion_free(&terminal.last);
    free(kept.file);
    kept.file = NULL;
}

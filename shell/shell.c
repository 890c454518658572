/* shell: command lines carried out: arguments, redirection, the pager, scripts, the prompt. */
#include "child.h"
#include "cmdline.h"
#include "commands.h"
#include "export.h"
#include "keep.h"
#include "line.h"
#include "remote.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions of the commands, in the order of the table. */
static CommandFn *const functions[] = {
#define COMMAND(name, letter, group, form, args, flags, tail, help, more, report, examples) cmd_##name,
#include "commands.def"
#undef COMMAND
};

enum { SCRIPTS_MAX = 16, EXIT_INTERRUPTED = 130, EXIT_TERMINATED = 143 };

/* ---- arguments ---- */

/* The flag in "as=expr|tree depth= full" that name is short for when it stands alone; NULL: none, *several then lists those it
 * is short for ("" when there is none). */
static const char *flag_by_prefix(const char *flags, const char *name, size_t n, Buf *several)
{
    const char *found = NULL;
    int count = 0;
    for (const char *p = flags; n && *p; p += strcspn(p, " "), p += strspn(p, " ")) {
        size_t len = strcspn(p, "= ");
        if (len <= n || strncmp(p, name, n)) continue;
        buf_printf(several, "%s--%.*s", count++ ? " " : "", (int)len, p);
        found = p;
    }
    return count == 1 ? found : NULL;
}

/* Is the value one of "a|b|c "? Where there is none, a kind of file, or an empty one, any is. */
static bool one_of(const char *choices, const char *value)
{
    size_t n = strlen(value);
    size_t all = strcspn(choices, " ");
    if (*choices == '@' || !all || choices[all - 1] == '|') return true;
    for (const char *p = choices; *p && *p != ' '; p += strcspn(p, "| "), p += *p == '|')
        if (strcspn(p, "| ") == n && !strncmp(p, value, n)) return true;
    return false;
}

static bool take_flag(Shell *sh, Args *a, const char *word, const char *next, bool *used_next)
{
    const char *name = word + 1 + (word[1] == '-');
    size_t n = strcspn(name, "=");
    Buf several = {0};
    const char *flag = flag_find(a->command->flags, name, n);
    if (!flag && word[1] == '-') flag = flag_by_prefix(a->command->flags, name, n, &several);
    const char *names = buf_take(&several, sh->scratch), *form = a->command->form;
    if (!flag && *names)
        return shell_error(sh, E05, "\"%.60s\" is short for several flags of %s: %s\nform %s", word, a->command->name, names, form);
    if (!flag || a->flag_count == FLAG_MAX)
        return shell_error(sh, E05, "%s has no flag \"%.60s\"\nform %s", a->command->name, word, form);
    size_t length = strcspn(flag, "= ");
    bool valued = flag[length] == '=';
    const char *value = name[n] ? name + n + 1 : valued ? next : "";
    *used_next = valued && !name[n];
    int typed = (int)strcspn(word, "=");
    Buf listed = {0};
    for (const char *p = flag + length + valued; valued && *p && *p != ' ' && *p != '@'; p++) buf_printf(&listed, *p == '|' ? ", " : "%c", *p);
    const char *choices = buf_take(&listed, sh->scratch);
    if (!value && *choices) return shell_error(sh, E05, "%.*s needs a value: %s", typed, word, choices);
    if (!value || (!valued && name[n]))
        return shell_error(sh, E05, "%.*s %s\nform %s", typed, word, value ? "takes no value" : "needs a value", form);
    if (valued && !one_of(flag + length + 1, value))
        return shell_error(sh, E05, "%.*s is one of %s, not \"%.60s\"", typed, word, choices, value);
    a->flags[a->flag_count].name = arena_strndup(sh->scratch, flag, length);
    a->flags[a->flag_count++].value = value;
    return true;
}

/* Words and flags. Of a strategy, flags in front of it alone: behind it, -- begins a comment of Lua's. */
static bool parse_args(Shell *sh, const Piece *p, Args *a)
{
    int *starts, *ends;
    *a = (Args){.command = p->command, .text = p->text, .rest = p->rest};
    bool expression = p->command->tail == TAIL_EXPRESSION, strategy = p->command->tail == TAIL_STRATEGY;
    if (p->command->tail != TAIL_WORDS && !expression && !strategy) return true;
    LOCAL(buf_free) Buf rest = {0};
    int n = line_words(sh->scratch, p->rest, &starts, &ends);
    a->words = NEW_ARRAY(sh->scratch, char *, n + 1);
    for (int i = 0; i < n; i++) {
        char *word = line_word(sh->scratch, p->rest, starts[i], ends[i]);
        char *next = i + 1 < n ? line_word(sh->scratch, p->rest, starts[i + 1], ends[i + 1]) : NULL;
        bool used = false;
        /* a flag: "-" and a letter or another "-"; -inf is a number */
        bool flag = *word == '-' && strcmp(word, "-inf") && (word[1] == '-' || isalpha((unsigned char)word[1]));
        if (strategy && strncmp(p->rest + starts[i], "--", 2)) return a->rest = p->rest + starts[i], true;
        if (!flag || (expression && word[1] != '-')) {
            a->words[a->count++] = word;
            buf_printf(&rest, "%s%.*s", rest.len ? " " : "", ends[i] - starts[i], p->rest + starts[i]);
        } else if (!take_flag(sh, a, word, next, &used)) return false;
        i += used;
    }
    const char *unflagged = buf_take(&rest, sh->scratch);
    if (expression || strategy) a->rest = unflagged;
    return true;
}

/* ---- running one command ---- */

static void output_error(Shell *sh, const char *target)
{
    diag_error(diag(sh), E06, "cannot write %s: %s", target, strerror(errno));
}

/* A command line through the system's shell, fed with what was printed. False: it says with 126 or 127 that it could not. */
static bool pipe_to(Shell *sh, const char *line, int out, int *code)
{
    fflush(stdout);
    *code = child_feed((const char *const[]){"sh", "-c", line, NULL}, out, &sh->out, sh->stop);
    return *code != CHILD_NOT_STARTED && *code != CHILD_NOT_STARTED - 1;
}

/* ---- the pager ---- */

/* The command that shows long output; NULL: none is wanted, or the terminal can do no more than print lines. */
static const char *pager(const Shell *sh)
{
    const char *chosen = session_setting(sh->session, SET_PAGER), *own = getenv("PAGER"), *term = getenv("TERM");
    bool plain = !term || !strcmp(term, "dumb");
    if (!sh->interactive || !sh->terminal || !strcmp(chosen, "off") || (plain && !strcmp(chosen, "auto"))) return NULL;
    const char *line = sh->restricted ? "less" : strcmp(chosen, "auto") ? chosen : own && *own ? own : "less";
    /* A part of a lesson is read to its end (-E), and what is typed then is for the prompt; Space leaves the end of other texts (-e).
     * less runs no commands and writes no files, whoever names it; it says how to leave unless it was told what to say. */
    const char *end = line + strcspn(line, " "), *ours = strcmp(line, "less") ? "" : sh->guided ? " -EFKRX" : " -eFKRX";
    bool less = end - line >= 4 && !strncmp(end - 4, "less", 4) && (end - line == 4 || end[-5] == '/') && !strstr(line, "-P");
    return arena_printf(sh->scratch, "export LESSSECURE=1; %s%s%s", line, ours, less ? " '-Ps?e(end)  .q leaves, Space goes on'" : "");
}

/* The first "  try     COMMAND        WHY" of a text that is shown is what one key takes at the prompt. */
static void note_suggestion(Shell *sh, const char *text)
{
    static const char label[] = "  try ";
    for (; *text && !sh->suggested && sh->interactive; text += strcspn(text, "\n"), text += *text == '\n') {
        if (strncmp(text, label, strlen(label))) continue;
        const char *from = text + strlen(label) + strspn(text + strlen(label), " ");
        size_t n = strcspn(from, "\n");
        const char *gap = strstr(from, "   ");
        if (gap && gap < from + n) n = (size_t)(gap - from);
        sh->suggested = strndup(from, n);
    }
}

/* What is read here has nothing that would command a terminal, and what goes straight to one is no wider than that; text for other
 * programs stays as it is. */
static void fit_to_screen(const Shell *sh, Buf *text)
{
    if (!sh->streams || (sh->exact && !sh->terminal)) return;
    Buf broken = {0}, out = {0};
    for (size_t i = 0; i < text->len; i++)
        if (!text->data[i]) text->data[i] = '?';                 /* as other control characters; it ends no text */
    if (sh->terminal && !sh->exact) show_broken(sh, buf_text(text), &broken);
    else broken = *text, *text = (Buf){0};
    text_shown(buf_text(&broken), sh->ink, &out);
    buf_free(&broken);
    buf_free(text);
    *text = out;
}

static int lines_in(const Buf *b)
{
    int lines = 0;
    for (size_t i = 0; i < b->len; i++) lines += b->data[i] == '\n';
    return lines;
}

/* Send what a command printed where it belongs. */
static void emit_text(Shell *sh, const Piece *p)
{
    FILE *f = stdout;
    bool here = p->redirect == TO_STDOUT;
    if (sh->restricted && !here) return;
    if (here) show_gap(sh);
    if (here) note_suggestion(sh, buf_text(&sh->out));
    LOCAL(buf_free) Buf below = {0};       /* what is seen although the pager is left before its end */
    if (sh->below) {
        buf_puts(&below, buf_text(&sh->out) + sh->below);
        sh->out.data[sh->out.len = sh->below] = '\0';
        fit_to_screen(sh, &below);
    }
    fit_to_screen(sh, &sh->out);
    const char *command = here ? pager(sh) : NULL;
    int rows = command ? terminal_rows() : 0, code;
    bool apart = rows > 0 && lines_in(&sh->out) >= rows;
    if (!apart) buf_write(&sh->out, buf_text(&below), below.len);
    if (apart || (rows > 0 && lines_in(&sh->out) >= rows)) {
        bool shown = pipe_to(sh, command, STDOUT_FILENO, &code);       /* Ctrl-C in it is not for the shell */
        if (*sh->stop != STOP_TERMINATE) *sh->stop = STOP_NONE;
        if (shown) buf_clear(&sh->out);
    }
    if (apart) buf_write(&sh->out, buf_text(&below), below.len);
    if (p->redirect == TO_PIPE) {                                  /* standard output is for JSON */
        bool started = pipe_to(sh, p->target, sh->json ? STDERR_FILENO : STDOUT_FILENO, &code);
        if (!started) shell_error(sh, E06, "cannot start %s", p->target);
        else if (code && *sh->stop) shell_error(sh, E25, "%s was interrupted", p->target);
        return;
    }
    if (!here) f = fopen(p->target, p->redirect == TO_FILE ? "w" : "a");
    bool bad = !f || fwrite(buf_text(&sh->out), 1, sh->out.len, f) != sh->out.len;
    if (f) bad = (here ? fflush(f) : fclose(f)) != 0 || bad;
    if (bad && !here) output_error(sh, p->target);
}

static void print_warnings(const Shell *sh, Buf *out)
{
    for (int i = 0; i < sh->warnings.n; i++) {
        const Warning *w = &sh->warnings.v[i];
        const char *id = warning_name(w->id);
        buf_printf(out, "%s %s      (%s%ssilence: set silence %s)\n", id, w->message, w->hint ? w->hint : "",
                   w->hint ? "; " : "", id);
    }
}

static void put_errors(Shell *sh, Buf *b)
{
    if (sh->errors) buf_puts(sh->errors, buf_text(b));
    else shell_put(sh, stderr, buf_text(b));
    fflush(stderr);
    buf_free(b);
}

static void emit_error(Shell *sh)
{
    LOCAL(buf_free) Buf b = {0};
    print_warnings(sh, &b);
    size_t warned = b.len;
    diag_render(diag(sh), &b);
    if (b.len > warned && sh->reader && reader_name(sh->reader))
        buf_printf(&b, "  in      %s:%d\n", reader_name(sh->reader), sh->first_line);
    note_suggestion(sh, buf_text(&b));
    if (!sh->errors && sh->interactive && isatty(STDERR_FILENO)) {      /* no wider than the terminal, ids in colour */
        LOCAL(buf_free) Buf colored = {0};
        for (const char *p = buf_text(&b); *p;) {
            size_t n = strcspn(p, "\n"), id = n > 3 && (*p == 'E' || *p == 'W') && p[3] == ' ' ? 3 : 0;
            if (id && terminal_color(sh)) buf_printf(&colored, "\033[%s%dm%.3s\033[%s0m", sh->ink, *p == 'E' ? 31 : 33, p, sh->ink);
            else buf_write(&colored, p, id);
            n += p[n] != 0;
            buf_write(&colored, p + id, n - id);
            p += n;
        }
        buf_clear(&b);
        show_broken(sh, buf_text(&colored), &b);
    }
    put_errors(sh, &b);
}

static int result_code(const Shell *sh, bool ok)
{
    if (diag_failed(diag(sh))) return error_code(sh->c->diag.id);
    return sh->status ? sh->status : ok ? 0 : 1;
}

bool output_failed(FILE *f)
{
    struct pollfd p = {.fd = fileno(f), .events = POLLOUT};
    if (fflush(f) == 0 && !ferror(f)) return false;
    if (!errno) errno = EIO;
    clearerr(f);
    int error = errno;
    bool gone = error == EPIPE || (poll(&p, 1, 0) > 0 && p.revents & POLLERR);
    errno = error;
    return !gone;
}

/* Output that cannot be written is an error of the command too. */
static int emit(Shell *sh, const Piece *p, bool ok, double ms)
{
    /* A command of a script that Lua runs: only where it prints is different. */
    if (sh->captured) {
        if (p->redirect == TO_STDOUT) buf_write(sh->captured, buf_text(&sh->out), sh->out.len);
        else emit_text(sh, p);
        emit_error(sh);
        return result_code(sh, ok);
    }
    if (!sh->json || p->redirect != TO_STDOUT) emit_text(sh, p);
    if (sh->json) {
        json_t *line = json_line(sh, p->text,
                                 p->command ? p->command->name : strchr("!=", *p->verb) ? p->verb : NULL,
                                 ok && !result_code(sh, ok), result_code(sh, ok), ms);
        if (sh->request) {               /* as a person would have seen it */
            LOCAL(buf_free) Buf text = {0};
            if (p->redirect == TO_STDOUT) buf_write(&text, buf_text(&sh->out), sh->out.len);
            print_warnings(sh, &text);
            diag_render(diag(sh), &text);
            json_object_set_new(line, "text", json_text(buf_text(&text), text.len));
            if (sh->shown) json_object_set(line, "display", sh->shown);
        }
        json_answer(sh, line);
    }
    bool lost = output_failed(sh->objects);
    if (lost) output_error(sh, "standard output");
    if (lost || !sh->json) emit_error(sh);
    return result_code(sh, ok);
}

static bool run_piece(Shell *sh, const Piece *p)
{
    Args a;
    if (diag_failed(diag(sh))) return false;
    if (sh->restricted && p->redirect != TO_STDOUT) return shell_error(sh, E05, "> and | are switched off by --restricted");
    if (sh->guided && !sh->guide->may(sh, p)) return false;
    if (*p->verb == '!') {
        const char *line = p->rest;
        if (sh->restricted) return shell_error(sh, E05, "! is switched off by --restricted");
        fflush(stdout);
        const char *const argv[] = {"sh", "-c", line, NULL};
        int code = sh->json ? child_read(argv, &sh->out, sh->stop) : child_run(argv, sh->stop);    /* beside objects it would be no JSON Lines */
        if (code == 0) return true;
        return shell_error(sh, E05, "the system command failed with status %d", code);
    }
    if (*p->verb == '=') return script_expression(sh, p->rest);
    if (!parse_args(sh, p, &a)) return false;
    return functions[p->command - command_get(0)](sh, &a);
}

/* Around a nested command (source). */
static CommandState frame_open(Shell *sh)
{
    CommandState outer = sh->running;
    sh->running = (CommandState){.scratch = arena_new(), .color = outer.color, .streams = outer.streams};
    return outer;
}

static void frame_close(Shell *sh, const CommandState *outer)
{
    arena_free(sh->scratch);
    buf_free(&sh->out);
    json_decref(sh->data);
    json_decref(sh->shown);
    free(sh->warnings.v);
    sh->running = *outer;
}

void shell_printed(void *data)
{
    Shell *sh = data;
    if (!sh->streams) return;
    fit_to_screen(sh, &sh->out);
    fwrite(buf_text(&sh->out), 1, sh->out.len, stdout);
    fflush(stdout);
    buf_clear(&sh->out);
}

bool shell_call(Shell *sh, const Piece *p, Buf *out, json_t **report)
{
    CommandState outer = frame_open(sh);
    Buf *captured = sh->captured;
    bool json = sh->json;
    sh->captured = out;
    sh->json = true;                     /* commands make their reports */
    sh->color = sh->streams = false;
    bool ok = run_piece(sh, p) && result_code(sh, true) == 0;
    trust_review(sh);
    Buf b = {0};
    print_warnings(sh, &b);
    put_errors(sh, &b);
    sh->captured = captured;
    sh->json = json;
    buf_write(out, buf_text(&sh->out), sh->out.len);
    *report = json_incref(sh->data);
    frame_close(sh, &outer);
    return ok;
}

static int run_one(Shell *sh, const Piece *p)
{
    static const char flag[] = "--help";
    CommandState outer = frame_open(sh);
    Piece meant = *p;
    /* `run --help` is `help run`; the guide has a command that takes other words, too. */
    const char *means = sh->guide->means(sh, p);
    bool helps = p->command && !strncmp(p->rest, flag, sizeof flag - 1)
        && !p->rest[sizeof flag - 1 + strspn(p->rest + sizeof flag - 1, " \t\n")];
    if (means || helps) {
        diag_clear(diag(sh));            /* no command of that name */
        meant.rest = means ? means : p->command->name;
        meant.command = command_find(NULL, means ? sh->guide->command : "help", NULL);
        meant.verb = meant.command->name;
    }
    sh->seq++;
    if (sh->depth == 0) {
        free(sh->suggested);
        free(sh->enters);
        sh->suggested = sh->enters = NULL;
    }
    if (sh->interactive && sh->depth == 0) {
        /* What an empty line may repeat. */
        static const char *const names[] = {"show", "undo", "redo", "run"};
        free(sh->again);
        sh->again = NULL;
        if (meant.command && text_index(names, COUNT(names), meant.command->name) >= 0) sh->again = strdup(meant.text);
    }
    sh->color = meant.redirect == TO_STDOUT && !sh->json && !sh->errors && terminal_color(sh);
    sh->exact = false;
    sh->streams = meant.redirect == TO_STDOUT && !sh->json && !sh->captured;
    double begin = clock_exact_ms();
    const Version *before = session_version(sh->session);
    bool ok = run_piece(sh, &meant);
    if (ok && *sh->stop && sh->out.len && !sh->json && session_version(sh->session) == before)
        print(sh, "interrupted: this may not be all\n");
    trust_review(sh);
    suggest_whole(sh, &meant);
    line_correct(sh, &meant);
    if (ok && sh->display && sh->request && meant.redirect == TO_STDOUT) sh->shown = export_display(sh, &meant, before);
    int code = emit(sh, &meant, ok, clock_exact_ms() - begin);
    if (sh->guided && !sh->captured) sh->guide->after(sh, &meant, sh->c->diag.id, code);
    if (sh->watch) sh->watch->after(sh);
    frame_close(sh, &outer);
    return code;
}

typedef struct Active {                  /* aliases being expanded: within its own line an alias is no alias */
    const char *name;
    const struct Active *outer;
} Active;

static void run_pieces(Shell *sh, const char *line, const Active *active, int *code)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    for (size_t at = 0, end; !sh->quit && !*code;) {
        Piece p;
        diag_clear(diag(sh));
        if (*sh->stop) break;
        const char *tail, *verb = line_verb(arena, line, at, &tail, &end);
        const Alias *alias = verb ? alias_find(sh, verb) : NULL;
        const Active *loop = alias ? active : NULL;
        while (loop && strcmp(loop->name, verb)) loop = loop->outer;
        if (!alias || (loop && command_find(sh, verb, NULL))) {
            if (!line_next(sh, arena, line, &at, &p, diag(sh))) break;
            if (p.open && (strchr(line, '\n') || sh->cut)) {
                /* Where the bracket or quote is that was left open, when the text has several lines. */
                int n = sh->first_line;
                const char *from = line;
                for (const char *q = line; q < p.open; q++)
                    if (*q == '\n') n++, from = q + 1;
                diag_note(diag(sh), "opened", "line %d: %.*s", n, (int)strcspn(from, "\n"), from);
                if (sh->cut)
                    diag_note(diag(sh), "needs",
                              "to be closed before line %d, which begins with a command; indent lines that continue", sh->cut);
                else diag_note(diag(sh), "needs", "to be closed before the end");
            }
            *code = run_one(sh, &p);
            continue;
        }
        at = end;                        /* what an alias stands for is run in its place */
        const char *text = loop ? NULL : alias_expand(sh, arena, alias, tail), *way = verb;
        for (const Active *a = loop ? active : NULL; a; a = a == loop ? NULL : a->outer)         /* "a: b, then c, then a" */
            way = arena_printf(arena, "%s -> %s", a->name, way);
        if (loop) shell_error(sh, E05, "the alias %s stands for itself: %s\ntry alias %s", verb, way, verb);
        Piece failed = {.text = arena_printf(arena, "%s %s", verb, tail), .verb = "", .rest = ""};
        if (text) run_pieces(sh, text, &(Active){verb, active}, code);
        else *code = run_one(sh, &failed);
    }
}

bool shell_line(Shell *sh, const char *line, int *code)
{
    *code = 0;
    run_pieces(sh, line, NULL, code);
    diag_clear(diag(sh));
    return *code == 0;
}

/* ---- the prompt ---- */

static void shell_prompt(Shell *sh, Buf *out)
{
    if (sh->guided) sh->guide->prompt(sh, out);
    if (!session_version(sh->session)) {
        buf_puts(out, sh->guided ? "> " : "lathe> ");
        return;
    }
    for (const char *p = session_setting(sh->session, SET_PROMPT); *p; p++) {
        if (*p == '%' && p[1]) {
            char c = *++p;
            const Version *v = session_version(sh->session);
            Path focus = session_focus(sh->session);
            switch (c) {
            case 'p': buf_puts(out, session_current(sh->session)->name); break;
            case 'v': buf_printf(out, "%d", v->number); break;
            case 't': buf_puts(out, v->trust == TRUST_ASSUMED ? "?" : ""); break;
            case 'f': {                  /* one that would fill the line is shortened in the middle */
                enum { LONG = 30, ENDS = 13 };
                const char *path = path_text(sh->c, v->root, &focus);
                size_t n = strlen(path);
                if (n <= LONG) buf_puts(out, path);
                else buf_printf(out, "%.*s...%s", ENDS, path, path + n - ENDS);
                break;
            }
            case 's': buf_puts(out, !sh->guided && keep_unsaved(sh) ? "*" : ""); break;
            default: buf_putc(out, c); break;
            }
        } else buf_putc(out, *p);
    }
}

/* ---- reading lines ---- */

/* Append a line; a backslash at its end asks for another and goes. False: it holds a NUL byte. */
static bool append_line(Buf *text, const Buf *line, bool *more)
{
    size_t n = line->len;
    if (n && memchr(line->data, 0, n)) return false;
    while (n && (line->data[n - 1] == '\r')) n--;
    *more = n && line->data[n - 1] == '\\' && !(n > 1 && line->data[n - 2] == '\\');
    if (text->len) buf_putc(text, '\n');
    if (n) buf_write(text, line->data, n - *more);
    return true;
}

/* The command of a let, rule, macro or lua; NULL: it is none of these. */
static const Command *declaration(const Shell *sh, const char *text)
{
    char verb[8] = "";
    text += strspn(text, " \t");
    memcpy(verb, text, strcspn(text, " \t\n") < sizeof verb ? strcspn(text, " \t\n") : 0);
    const Command *c = *verb ? command_find(sh, verb, NULL) : NULL;
    return c && c->tail == TAIL_DECLARATION ? c : NULL;
}

typedef enum { READ_OK, READ_END, READ_BAD, READ_LONG, READ_ABANDONED } ReadStatus;

/* One command line with its continuations. In a script what is open ends where a line begins with a command; who waits for the answer to
 * one goes on with a declaration only. */
static ReadStatus read_lines(Shell *sh, Reader *r, Buf *text)
{
    LOCAL(buf_free) Buf line = {0};
    LineStatus got = LINE_READ;
    bool more = true, joined = false, good = true, terminal = reader_is_terminal(r);
    bool answers = sh->converses && !terminal && reader_is_from_outside(r);
    int lines = 0;
    sh->cut = 0;
    for (; more && good; lines++) {
        LOCAL(buf_free) Buf prompt = {0};
        if (lines) buf_puts(&prompt, "...> ");
        else shell_prompt(sh, &prompt);
        sh->continued = lines > 0;
        buf_clear(&line);
        got = reader_next(r, buf_text(&prompt), &line);
        if (got != LINE_READ) break;
        if (lines == 0) sh->first_line = reader_line_number(r);
        if (lines > 0 && !joined && !terminal && line_begins_command(buf_text(&line))) {
            sh->cut = reader_line_number(r);
            reader_again(r, &line);
            break;
        }
        if (sh->echo && !sh->json) fputs("+ ", stdout), shell_put(sh, stdout, buf_text(&line)), puts(""), fflush(stdout);
        good = append_line(text, &line, &joined);
        /* An empty line ends a declaration, and at the prompt whatever was begun; not where what was pasted goes on behind it: indented, or as Lua. One that was
         * pasted goes on with what is indented, even where it could end. */
        const char *so_far = buf_text(text);
        const Command *declared = declaration(sh, so_far);
        bool gap = lines > 0 && line.len == 0 && (declared || terminal), lua = declared && !strcmp(declared->name, "lua");
        if (gap && !(terminal && terminal_pasted_past_gap(lua) && line_incomplete(sh, so_far))) more = false;
        else more = joined || (good && ((line_incomplete(sh, so_far) && (declared || !answers)) || (declared && reader_goes_on(r))));
    }
    if (got == LINE_ABANDONED && lines) history_block(buf_text(text));
    if (got == LINE_ABANDONED) return READ_ABANDONED;
    if (got == LINE_LONG) return READ_LONG;
    return !good ? READ_BAD : lines ? READ_OK : READ_END;
}

static int bad_line(Shell *sh, ReadStatus got)
{
    Piece p = {.text = "", .verb = "", .rest = ""};
    CommandState outer = frame_open(sh);
    diag_clear(diag(sh));
    if (got == READ_LONG) diag_error(diag(sh), E08, "the line is longer than %d MiB; nothing is read on", LINE_BYTES_MAX >> 20);
    else diag_error(diag(sh), E03, "the line holds a NUL byte; nothing of it was run");
    sh->seq++;
    int code = emit(sh, &p, false, 0);
    frame_close(sh, &outer);
    return code;
}

/* A request: any number of objects with its id as `parent`, then one with it as `id`. */
static void answer(Shell *sh, const char *line)
{
    RemoteRequest r;
    int code = 0;
    CommandState outer = frame_open(sh);
    diag_clear(diag(sh));
    bool ok = remote_read(sh, line, &r);
    pthread_mutex_lock(&sh->asking);
    sh->request = r.id ? r.id : json_null();
    pthread_mutex_unlock(&sh->asking);
    if (r.data) sh->data = r.data;
    if (!ok || r.data) emit(sh, &(Piece){.text = line, .verb = "", .rest = ""}, ok, 0);
    frame_close(sh, &outer);
    if (r.cmd && strchr(r.cmd, '\n')) shell_text(sh, r.cmd, NULL, 1);
    else if (r.cmd) shell_line(sh, r.cmd, &code);
    json_answered(sh);
    free(r.cmd);
}

int shell_read(Shell *sh, Reader *r)
{
    Reader *outer = sh->reader;
    int worst = 0, line = sh->first_line;
    sh->reader = r;
    for (Buf text = {0}; !sh->quit; buf_free(&text)) {
        int code = 0;
        if (sh->depth == 0) shell_settle(sh);
        if (sh->depth == 0) keep_autosave(sh);
        if (sh->depth == 0 && sh->watch) sh->watch->waiting(sh);
        bool terminal = reader_is_terminal(r), from_outside = reader_is_from_outside(r);
        ReadStatus got = read_lines(sh, r, &text);
        const char *typed = buf_text(&text);
        bool request = sh->json && sh->converses && from_outside && sh->depth == 0;
        bool repeats = session_setting_is(sh->session, SET_REPEAT, "on");
        const char *empty = sh->enters ? sh->enters : repeats ? sh->again : NULL;      /* what an empty line at the prompt does */
        if (!typed[strspn(typed, " \t")] && empty && terminal) {
            buf_clear(&text);
            buf_puts(&text, empty);
        }
        if (got == READ_BAD || got == READ_LONG) code = bad_line(sh, got);
        else if (got == READ_OK && !*sh->stop && request && remote_begins(typed)) answer(sh, typed);
        else if (got == READ_OK && !*sh->stop) shell_line(sh, buf_text(&text), &code);
        /* Ctrl-C: where it is for a command it ends the line, the script or the rest of what was pasted only. */
        bool stopped = *sh->stop != STOP_NONE, forgiven = stopped && from_outside && sh->converses && *sh->stop != STOP_TERMINATE;
        if (forgiven) {
            *sh->stop = STOP_NONE;
            if (terminal) terminal_forget();
            stopped = false;
        }
        if (stopped) worst = *sh->stop == STOP_TERMINATE ? EXIT_TERMINATED : EXIT_INTERRUPTED;
        if (stopped && (!sh->converses || *sh->stop == STOP_TERMINATE)) sh->quit = true;
        if (code > worst) worst = code;
        bool give_up = stopped || (code && !sh->keep_going && !terminal && !forgiven);
        if (got != READ_END && got != READ_LONG && !give_up) continue;
        buf_free(&text);
        break;
    }
    sh->reader = outer;
    sh->first_line = line;
    return worst;
}

int shell_text(Shell *sh, const char *text, const char *name, int line)
{
    Reader *r = reader_text(text, name, line);
    int code = shell_read(sh, r);
    reader_free(r);
    return code;
}

bool cmd_source(Shell *sh, Args *a)
{
    const char *name = arg(a, 0), *outer = sh->script, *text = "";
    bool lua = name && file_ends(name, ".lua"), ok = true;
    if (!name) return shell_error(sh, E05, "which script? %s", a->command->form);
    if (sh->depth == SCRIPTS_MAX) return shell_error(sh, E08, "scripts are nested more than %d deep", SCRIPTS_MAX);
    if (!lua && !arg_limit(sh, a, 1)) return false;
    const char *file = shell_path(sh, name);
    LOCAL(drop) char *script = realpath(file, NULL);
    LOCAL(drop_arena) Arena *arena = arena_new();
    sh->script = script;                 /* files that it names are looked for beside it, too */
    sh->depth++;
    if (lua) ok = script_lua(sh, file, (const char *const *)a->words + 1);
    else if (!(text = text_read(diag(sh), arena, file, sh->stop, NULL))) ok = false;
    else {
        Reader *r = reader_text(text, name, 1);
        sh->status = shell_read(sh, r);
        if (sh->converses && *sh->stop == STOP_INTERRUPT)
            shell_error(sh, E25, "%s was interrupted\nafter line %d", name, reader_line_number(r));
        reader_free(r);
        shell_report(sh, "{file:s}", name);
        ok = sh->status == 0;
    }
    sh->depth--;
    sh->script = outer;
    return ok;
}

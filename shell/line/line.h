/* line: where command lines come from: a terminal, a file, a text. */
#ifndef LINE_H
#define LINE_H

#include "shell.h"

Reader *reader_terminal(Shell *sh);
Reader *reader_stream(Shell *sh, FILE *f);           /* standard input; it stays open */
Reader *reader_requests(Shell *sh);                  /* the same for a program that waits for answers: it may interrupt one (help json) */
Reader *reader_text(const char *text, const char *name, int line);      /* line: the number of its first */
void reader_free(Reader *r);
/* Abandoned: Ctrl-C at a prompt. Long: longer than LINE_BYTES_MAX, of which that much was read. */
typedef enum LineStatus { LINE_READ, LINE_END, LINE_ABANDONED, LINE_LONG } LineStatus;
enum { LINE_BYTES_MAX = 16 << 20 };
/* The next line without its end. prompt is for a terminal. */
LineStatus reader_next(Reader *r, const char *prompt, Buf *line);
void reader_again(Reader *r, const Buf *line);                           /* give the last line back: it is the next */
int reader_line_number(const Reader *r);
const char *reader_name(const Reader *r);
bool reader_goes_on(const Reader *r);     /* is the next line of a text, or of what was pasted with this one, indented? */
bool reader_is_terminal(const Reader *r);
bool reader_is_from_outside(const Reader *r);        /* the terminal, or standard input: no script */

/* The terminal (terminal.c): one a process. */
void terminal_open(Shell *sh);           /* before the first line: Readline, history, size */
void terminal_close(void);
LineStatus terminal_line(Shell *sh, const char *prompt, Buf *line);
bool terminal_pasted_more(void);          /* is the next line one that was pasted too, and indented? */
/* Behind empty lines, is there a line that is indented (anything: or any line)? */
bool terminal_pasted_past_gap(bool anything);
void terminal_forget(void);              /* lines that were pasted and not read yet */
int terminal_rows(void);                 /* 0: standard output is no terminal */
bool terminal_color(const Shell *sh);    /* may colours be used (setting, NO_COLOR, TERM, terminal)? */
void history_block(const char *text);     /* lines that were interrupted, to be recalled as one text; in this process only */

#endif

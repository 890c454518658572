/* gnuplot: pieces of scripts for gnuplot, and gnuplot run on one. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "shell.h"

/* Colours that those who see fewer of them can tell apart (Okabe and Ito). */
#define BLUE "#0072B2"
#define RED "#D55E00"
#define GREY "#777777"
#define SKY "#56B4E9"

void gnuplot_quoted(Buf *out, const char *text);                         /* 'text' */
void gnuplot_command(Buf *out, const char *command, const char *text);   /* command 'text' */
void gnuplot_x_axis(Buf *out, const char *what);         /* its name, with an empty line below it, as the legend would touch it */
void gnuplot_tics(Buf *out, const char *command, const char *const *names, int n);      /* command ('NAME' 0, ...) */
/* What a script begins with, by what the file's name ends in; E05: it is no picture. */
bool gnuplot_terminal(Shell *sh, const char *file, int width, int height, Buf *out);
/* gnuplot reads the script and writes the file; E06. */
bool gnuplot_draw(Shell *sh, const char *file, const Buf *script);

#endif

/* gnuplot: pieces of scripts for gnuplot, and gnuplot run on one. */
#include "figures.h"
#include "child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gnuplot_quoted(Buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'') buf_putc(out, '\'');
        buf_putc(out, *text == '\n' ? ' ' : *text);
    }
    buf_putc(out, '\'');
}

void gnuplot_command(Buf *out, const char *command, const char *text)
{
    buf_printf(out, "%s ", command);
    gnuplot_quoted(out, text);
    buf_putc(out, '\n');
}

void gnuplot_tics(Buf *out, const char *command, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        buf_printf(out, "%s", i ? ", " : command);
        gnuplot_quoted(out, names[i]);
        buf_printf(out, " %d", i);
    }
    buf_puts(out, ")\n");
}

void gnuplot_x_axis(Buf *out, const char *what)
{
    buf_puts(out, "set xlabel ");
    gnuplot_quoted(out, what);
    buf_puts(out, ".\"\\n \"\n");
}

bool gnuplot_terminal(Shell *sh, const char *file, int width, int height, Buf *out)
{
    const char *dot = strrchr(file, '.');
    const char *kind = dot ? dot + 1 : "";
    if (!strcmp(kind, "svg"))
        buf_printf(out,
                   "set terminal svg noenhanced size %d,%d font 'Helvetica,Arial,sans-serif,14' background rgb 'white'\n",
                   width, height);
    else if (!strcmp(kind, "png"))
        buf_printf(out, "set terminal pngcairo noenhanced size %d,%d font 'Sans,14' background rgb 'white'\n",
                   width * 3 / 2, height * 3 / 2);
    else if (!strcmp(kind, "pdf"))
        buf_printf(out, "set terminal pdfcairo noenhanced size %g,%g font 'Sans,10' background rgb 'white'\n",
                   width / 120.0, height / 120.0);
    else return shell_error(sh, E05, "a plot is written to a .svg, .png or .pdf file, not to %s", file);
    gnuplot_command(out, "set output", file);
    buf_puts(
        out,
        "set encoding utf8\nset border 3 lc rgb '#333333'\nset tics nomirror out\nset style textbox opaque noborder fillcolor rgb 'white' margins 0.2,0.2\nset grid ytics lw 0.5 lc rgb '#dddddd'\n");
    return true;
}

bool gnuplot_draw(Shell *sh, const char *file, const Buf *script)
{
    if (!file_write(diag(sh), file, "", 0)) return false;            /* gnuplot would go on to standard output */
    fflush(stdout);
    int code = child_feed((const char *const[]){"gnuplot", NULL}, -1, script);
    if (code == 0) return true;
    remove(file);
    bool missing = code == CHILD_NOT_STARTED;
    return shell_error(sh, E06, "%s was not drawn: gnuplot %s\ntry %s", file, missing ? "was not found" : "failed",
                       missing ? "install the package gnuplot-nox; results --histogram needs nothing" : "another file: -o FILE.svg");
}

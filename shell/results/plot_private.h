/* plot_private: what plot.c and series.c share: pieces of gnuplot scripts. */
#ifndef PLOT_PRIVATE_H
#define PLOT_PRIVATE_H

#include "figures.h"

/* Colours that those who see fewer of them can tell apart (Okabe and Ito). */
#define BLUE "#0072B2"
#define RED "#D55E00"
#define GREY "#777777"
#define SKY "#56B4E9"

void plot_quoted(Buf *out, const char *text);                            /* 'text' */
void plot_command(Buf *out, const char *command, const char *text);      /* command 'text' */
void plot_x_axis(Buf *out, const char *what);    /* its name, with an empty line below it, as the legend would touch it */

typedef struct SeriesSize { int width, height; } SeriesSize;
SeriesSize series_size(const Pivot *p);
void series_put(Shell *sh, const Pivot *p, const PlotAsked *asked, const Result *list, int n, Buf *out);

#endif

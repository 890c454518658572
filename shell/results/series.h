/* series: pictures of a pivot: bars in groups, and lines. */
#ifndef SERIES_H
#define SERIES_H

#include "figures.h"

typedef struct SeriesSize { int width, height; } SeriesSize;
SeriesSize series_size(const Pivot *p, const PlotAsked *asked);          /* of the picture */
void series_put(Shell *sh, const Pivot *p, const PlotAsked *asked, const Result *list, int n, Buf *out);

#endif

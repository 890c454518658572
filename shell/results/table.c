/* table: texts in columns as wide as their widest. */
#include "figures.h"
#include "show.h"
#include "text.h"

Table table_new(Shell *sh, const char *title, int rows, int columns)
{
    return (Table){title, rows, columns, NEW_ARRAY(sh->scratch, const char *, rows * columns), NEW_ARRAY(sh->scratch, bool, columns),
                   NEW_ARRAY(sh->scratch, int, columns)};
}

int table_measure(Table *t)
{
    int all = 2;
    for (int c = 0; c < t->columns; c++) {
        t->width[c] = 0;
        for (int r = 0; r < t->rows; r++) {
            int width = text_width(*table_cell(t, r, c));
            if (width > t->width[c]) t->width[c] = width;
        }
        all += t->width[c] + (c ? TABLE_GAP : 0);
    }
    return all;
}

void table_put(Shell *sh, const Table *t, int line, bool below, Buf *out)
{
    enum { LEAST = 20, FURTHER = 6 };    /* a last column that is wider, where there is less room, stands below its row */
    int from = 1;
    do {
        int until = from;
        for (int used = 2 + t->width[0]; until < t->columns; until++) {
            used += TABLE_GAP + t->width[until];
            if (below && until > from && used > line) break;
        }
        for (int r = 0; r < t->rows; r++) {
            int used = 2;
            const char *under = NULL;
            buf_puts(out, "  ");
            for (int c = 0; c < until || c == 0; c = c ? c + 1 : from) {
                bool last = !below && c == t->columns - 1;
                const char *text = *table_cell(t, r, c);
                if (last && line - used > LEAST) text = show_cut(sh, text, line - used);
                else if (last && t->width[c] > LEAST && t->width[c] > line - used) under = r ? text : NULL, text = "";
                int gap = t->width[c] - text_width(text);
                if (gap < 0) gap = 0;
                buf_printf(out, "%*s%*s%s%*s", c ? TABLE_GAP : 0, "", t->right[c] ? gap : 0, "", text, t->right[c] ? 0 : gap, "");
                used += t->width[c] + TABLE_GAP;
            }
            while (out->len && out->data[out->len - 1] == ' ') out->data[--out->len] = 0;
            if (under && *under) buf_printf(out, "\n%*s%s", FURTHER, "", show_cut(sh, under, line - FURTHER));
            buf_putc(out, '\n');
        }
        from = until;
    } while (from < t->columns);
}

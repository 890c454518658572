/* chart: how performance is distributed, in the terminal (GPGPU'16 figure 10). */
#include "figures.h"
#include "show.h"
#include "statistics.h"

#include <math.h>
#include <string.h>

enum { BINS = 20, LABEL = 16, BAR_LEAST = 8, BAR_MOST = 80 };

/* The valid kernels of a group in bins, and how hard the space is for random search: every kernel counts as an evaluation there,
 * the failed ones too. */
static void put_group(Shell *sh, const ResultGroup *g, json_t *all)
{
    int bins[BINS];
    const double *valid = g->ascending + (g->count - g->valid);
    double low = stats_quantile(valid, g->valid, 0.25), median = stats_quantile(valid, g->valid, 0.5),
           high = stats_quantile(valid, g->valid, 0.75);         /* shares of the best */
    stats_bins(valid, g->valid, bins, BINS);
    print(sh, "%s%s   %s%s%s\n", sh->out.len ? "\n" : "", g->program, g->sizes, *g->sizes ? "   " : "", g->device);
    show_wrapped(sh, "  ", "    ", arena_printf(sh->scratch, "kernels by their share of the best performance (%.4g ms)",
                                                g->best->ns / 1e6));
    int most = 1, width = show_width(sh) / 2, digits = 1;        /* half of the line, which leaves room for the numbers */
    width = width < BAR_LEAST ? BAR_LEAST : width > BAR_MOST ? BAR_MOST : width;
    for (int i = 0; i < BINS; i++)
        if (bins[i] > most) most = bins[i];
    for (int n = most; n >= 10; n /= 10) digits++;
    for (int i = BINS - 1; i >= 0; i--) {
        print(sh, "  %3d - %3d %%  ", i * 100 / BINS, (i + 1) * 100 / BINS);
        if (bins[i]) {
            /* A bar of that many eighths of a character; ASCII: whole characters. */
            bool unicode = shell_unicode(sh);
            static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
            int eighths = (int)ceil(((double)bins[i] / most) * width * 8 - 1e-9);
            for (int j = 0; j < (unicode ? eighths / 8 : (eighths + 7) / 8); j++) buf_puts(&sh->out, unicode ? "█" : "#");
            if (unicode) buf_puts(&sh->out, parts[eighths % 8]);
        }
        if (bins[i]) print(sh, AT(%d) "%*d", LABEL + width + 1, digits, bins[i]);
        show_line_end(sh);
    }
    show_wrapped(sh, "  ", "    ",
                 arena_printf(sh->scratch, "%d kernel%s, %d valid; median %.1f %%, quartiles %.1f %% and %.1f %%", g->count,
                              plural(g->count), g->valid, median * 100, low * 100, high * 100));
    print(sh, "  of the best  kernels    n50    n95\n");
    json_t *random = json_array(), *counts = JSON_LIST(i, BINS, json_integer(bins[i]));
    for (int percent = 10; percent >= 5; percent -= 5) {
        double share = stats_share_within(percent);
        int good = stats_at_least(g->ascending, g->count, share), n50 = stats_draws_needed(g->count, good, 0.5),
            n95 = stats_draws_needed(g->count, good, 0.95);
        print(sh, "  within %2d %%  %7d %6d %6d\n", percent, good, n50, n95);
        json_add(random, "{share:n good:i n50:i n95:i}", share, good, n50, n95);
    }
    show_wrapped(sh, "  ", "    ", "n50, n95: evaluations in which random search finds one with 50 %, 95 % confidence");
    json_add(all, "{program:s sizes:s device:s count:i valid:i best_ns:n quartiles:[n n n] bins:o random:o}", g->program, g->sizes,
             g->device, g->count, g->valid, g->best->ns, low, median, high, counts, random);
}

bool results_histogram(Shell *sh, const Result *list, int n)
{
    ResultGroup *groups;
    int count = results_group(list, n, sh->scratch, &groups), shown = 0;
    json_t *all = json_array();
    bool times = show_times(sh);
    for (int i = 0; i < count; i++) {
        if (!groups[i].best) continue;
        if (times) put_group(sh, &groups[i], all);
        else
            print(sh, "%s   %s%s%s   %d kernels, %d valid\n", groups[i].program, groups[i].sizes,
                  *groups[i].sizes ? "   " : "", groups[i].device, groups[i].count, groups[i].valid);
        shown++;
    }
    if (!shown) print(sh, "no result was timed\n");
    return shell_report(sh, "{groups:o}", all);
}

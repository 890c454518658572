/* html_tree: the derivation tree as nested lists of links. As in log, the way to the version that the page leads to goes
 * straight down, and so does every line on along the branch last visited; other branches hang off it. */
#include "html_private.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

enum { FOLDED = 8, CALL_MAX = 60 };     /* so many versions on branches of one version are folded */

static void put_entry(Page *page, const char *id, const char *name, const char *call, const Version *v)
{
    Buf *out = page->out;
    bool on = page->on_path[v->number];
    buf_printf(out, "<a href=\"#%s\"%s><span class=\"dot\">%s</span><span class=\"no\">%s</span> ", id,
               on ? " class=\"way\"" : "", on ? "●" : "○", name);
    html_text(out, show_cut(page->sh, call, CALL_MAX));
    buf_puts(out, "</a>");
}

static void put_line(Page *page, const Version *v)
{
    buf_puts(page->out, "<ol>\n");
    for (const Version *next; v && !*page->sh->stop; v = next) {
        next = derivation_version(page->d, tree_next(page->d, page->on_path, v));
        buf_puts(page->out, "<li>");
        Buf *out = page->out;
        const Result *best = NULL;       /* that is known of the version */
        for (int i = 0; i < page->result_count && !best; i++)
            if (page->results[i].key.version == v->hash && page->results[i].ns > 0) best = &page->results[i];
        const Version *same = session_same(page->sh->session, v);
        if (page->expand && page->on_path[v->number] && v->sub_count > 1) {
            buf_puts(page->out, "<ol>\n");
            for (int i = 1; i < v->sub_count; i++) {
                buf_puts(page->out, "<li>");
                put_entry(page, html_id(page, v, i), arena_printf(page->sh->scratch, "@%d.%d", v->number, i),
                          v->subs[i - 1].call, v);
                buf_puts(page->out, "</li>\n");
            }
            buf_puts(page->out, "</ol>\n");
        }
        put_entry(page, html_id(page, v, 0), version_marked(page->sh, v), v->call, v);
        if (v->tag) {
            buf_putc(out, ' ');
            html_element(out, "span class=\"tag\"", v->tag);
        }
        if (same) buf_printf(out, " <span class=\"twin\">= @%d</span>", same->number);
        if (best)
            buf_printf(out, " <span class=\"time\">%s ms</span>", show_times(page->sh) ? show_figure(page->sh, best->ns / 1e6) : "-");
        buf_putc(out, '\n');
        /* The branches of v that leave its line; next: the child on it. */
        int count = 0, branches = 0;
        for (int i = v->first_child; i >= 0; i = page->d->versions.v[i]->next_sibling) {
            if (page->d->versions.v[i] == next) continue;
            count += page->shape.below[i];
            branches++;
        }
        if (count > FOLDED)
            buf_printf(out, "<details open=\"\"><summary>%d versions on %d branch%s</summary>\n", count, branches,
                       branches == 1 ? "" : "es");
        for (int i = v->first_child; i >= 0 && !*page->sh->stop; i = page->d->versions.v[i]->next_sibling)
            if (page->d->versions.v[i] != next) put_line(page, page->d->versions.v[i]);
        if (count > FOLDED) buf_puts(out, "</details>\n");
        buf_puts(page->out, "</li>\n");
    }
    buf_puts(page->out, "</ol>\n");
}

void html_tree(Page *page)
{
    buf_puts(page->out, "<div class=\"tree\">\n");
    put_line(page, page->top);
    buf_puts(page->out, "</div>\n");
}

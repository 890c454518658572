/* html_code: generated kernels, each line with a link to the node of the term that it was made for. */
#include "html_private.h"
#include "commands.h"

#include <string.h>

static int label_of(const Labels *labels, const char *place)
{
    for (int i = 0; place && i < labels->v.n; i++)
        if (!strcmp(labels->v.v[i].place, place)) return i;
    return -1;
}

void html_places(const Plan *plan, Labels *labels)
{
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        for (int j = 0; j < k->origin_count; j++)
            if (k->origins[j].place && label_of(labels, k->origins[j].place) < 0)
                vec_push(&labels->v, ((Label){k->origins[j].place, false}));
    }
}

void html_kernels(Page *page, const Version *v, const Plan *plan, const Labels *labels)
{
    Buf *out = page->out;
    buf_printf(out, "<details class=\"kernels\" open=\"\"><summary>OpenCL of %s%s</summary>\n<ul>\n",
               version_name(page->sh, v), v->code ? ", edited by hand" : "");
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        buf_printf(out, "<li><code>%s</code> global (", k->name);
        html_text(out, kernel_global(page->sh, k));
        buf_printf(out, "), local (%s)", kernel_local(page->sh, k));
        if (k->local_bytes) buf_printf(out, ", %lld bytes of local memory", (long long)k->local_bytes);
        if (k->barriers) buf_printf(out, ", %d barrier%s", k->barriers, plural(k->barriers));
        buf_puts(out, "</li>\n");
    }
    for (int i = 0; i < plan->loop_count; i++) {
        const PlanLoop *l = &plan->loops[i];
        buf_printf(out, "<li><code>%s</code>", plan->kernels[l->first].name);
        if (l->end > l->first + 1) buf_printf(out, " to <code>%s</code>", plan->kernels[l->end - 1].name);
        buf_puts(out, " in a loop, rounds: ");
        html_text(out, nat_text(l->rounds, 0, page->sh->scratch));
        if (l->test >= 0) buf_printf(out, " at most, while <code>%s</code>", plan->buffers[l->test].name);
        buf_puts(out, "</li>\n");
    }
    buf_puts(out, "</ul>\n");
    buf_puts(out, labels->v.n ? "<pre class=\"code mapped\">" : "<pre class=\"code\">");
    for (CodeLine l = {.at = source_body(plan->source)}; code_line(plan, &l);) {
        int label = label_of(labels, l.place);
        if (labels->v.n && label < 0) buf_puts(out, "<i></i>");
        else if (label >= 0 && labels->v.v[label].shown) buf_printf(out, "<a href=\"#%s-%d\">%d</a>", labels->id, label + 1, label + 1);
        else if (label >= 0) {
            buf_puts(out, "<i title=\"");
            html_text(out, labels->v.v[label].place);
            buf_printf(out, "\">%d</i>", label + 1);
        }
        html_bytes(out, l.text, (size_t)l.n);
        buf_putc(out, '\n');
    }
    buf_puts(out, "</pre>\n</details>\n");
}

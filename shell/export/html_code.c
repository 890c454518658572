/* html_code: generated kernels, each line with a link to the node of the term that it was made for. */
#include "html_private.h"
#include "show.h"

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

/* Lines of a kernel, or of what stands between kernels (NULL). */
static void put_lines(Buf *out, const char *text, size_t length, const PlanKernel *k, const Labels *labels)
{
    const PlanOrigin *o = NULL;
    int line = 0, next = 0;
    for (const char *end = text + length; text < end; line++) {
        size_t n = strcspn(text, "\n");
        while (k && next < k->origin_count && k->origins[next].line <= line) o = &k->origins[next++];
        if (labels->v.n) {
            int label = o ? label_of(labels, o->place) : -1;
            if (label < 0) buf_puts(out, "<i></i>");
            else if (labels->v.v[label].shown)
                buf_printf(out, "<a href=\"#%s-%d\">%d</a>", labels->id, label + 1, label + 1);
            else {
                buf_puts(out, "<i title=\"");
                html_text(out, labels->v.v[label].place);
                buf_printf(out, "\">%d</i>", label + 1);
            }
        }
        html_bytes(out, text, n);
        buf_putc(out, '\n');
        text += n + (text[n] == '\n');
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
        for (int j = 0; j < 3; j++) {
            html_text(out, j ? ", " : "");
            html_text(out, k->global[j] ? nat_text(k->global[j], 0, page->sh->scratch) : "1");
        }
        buf_printf(out, "), local (%d, %d, %d)", k->local[0] ? k->local[0] : 1, k->local[1] ? k->local[1] : 1,
                   k->local[2] ? k->local[2] : 1);
        if (k->local_bytes) buf_printf(out, ", %lld bytes of local memory", (long long)k->local_bytes);
        if (k->barriers) buf_printf(out, ", %d barrier%s", k->barriers, k->barriers == 1 ? "" : "s");
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
    const char *at = source_body(plan->source);
    buf_puts(out, labels->v.n ? "<pre class=\"code mapped\">" : "<pre class=\"code\">");
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        const char *body = strstr(at, k->body);
        if (!body) continue;
        put_lines(out, at, (size_t)(body - at), NULL, labels);
        put_lines(out, body, strlen(k->body), k, labels);
        at = body + strlen(k->body);
    }
    put_lines(out, at, strlen(at), NULL, labels);
    buf_puts(out, "</pre>\n");
    buf_puts(out, "</details>\n");
}

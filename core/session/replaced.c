/* replaced: the kernels that ones edited by hand were made from, generated again, and where others differ from them. */
#include "session_private.h"

#include <stdlib.h>
#include <string.h>

/* "N=64 K=8" */
static int64_t size_in(const char *sizes, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = sizes; *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (!strncmp(p, name, n) && p[n] == '=') return strtoll(p + n + 1, NULL, 10);
    return 0;
}

const char *code_replaced_then(Session *s, const Derivation *d, const Version *v, Arena *arena)
{
    Values values;
    const EditedCode *code = v->code;
    PlanOptions how = {0};
    if (diag_failed(&s->ctx->diag)) return NULL;
    plan_as_edited(code, &how);
    /* Parameters as they are bound, sizes as they were when the kernels were edited. */
    Values *out = &values;
    int n = d->program->size_count;
    *out = (Values){.derivation = d, .version = v->from, .count = n + v->from->param_count};
    out->b = NEW_ARRAY(arena, Binding, out->count);
    for (int i = 0; i < n; i++) {
        int64_t size = size_in(code->sizes, size_name(d->program, i));
        out->b[i] = (Binding){size_name(d->program, i), VAR_SIZE, size > 0, size};
    }
    for (int i = 0; i < v->from->param_count; i++)
        out->b[n + i] = (Binding){v->from->params[i].name, VAR_PARAM, v->from->params[i].value > 0,
                                  v->from->params[i].value};
    Plan *plan = session_plan_of(s, d->program, &values, !code->arguments, arena, how);
    diag_clear(&s->ctx->diag);
    return plan && source_hash(plan->source) == code->replaces ? plan->source : NULL;
}

/* "twice_k0" of "kernel void twice_k0(const global float ..."; NULL: no kernel begins in that line. */
static const char *kernel_begun(Arena *arena, const char *line)
{
    static const char begin[] = "kernel void ";
    if (strncmp(line, begin, sizeof begin - 1)) return NULL;
    line += sizeof begin - 1;
    return arena_strndup(arena, line, strcspn(line, "(\n"));
}

/* Without the blanks before it; what is said where there is none. */
static const char *line_text(Arena *arena, const char *line)
{
    if (!*line) return "nothing: they end here";
    line += strspn(line, " \t");
    size_t n = strcspn(line, "\n");
    return n ? arena_strndup(arena, line, n) : "an empty line";
}

static const char *next_line(const char *p) { return p += strcspn(p, "\n"), *p ? p + 1 : p; }

void note_first_difference(Diag *diag, Arena *arena, const char *then, const char *now)
{
    const char *a = source_body(then), *b = source_body(now), *kernel = NULL;
    int line = 1;
    for (; *a && *b; a = next_line(a), b = next_line(b), line++) {
        size_t n = strcspn(a, "\n");
        const char *begun = kernel_begun(arena, a);
        if (begun) kernel = begun;
        if (n != strcspn(b, "\n") || strncmp(a, b, n)) break;
    }
    if (!*a && !*b) return;
    diag_note(diag, "differs", "first in line %d%s%s", line, kernel ? ", of " : "", kernel ? kernel : "");
    diag_note(diag, "needs", "%s", line_text(arena, a));
    diag_note(diag, "found", "%s", line_text(arena, b));
}

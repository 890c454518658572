/* replaced: the kernels that ones edited by hand were made from, generated again, and where others differ from them. */
#include "results.h"
#include "session_private.h"

#include <string.h>

const char *code_replaced_then(Session *s, const Derivation *d, const Version *v, Arena *arena)
{
    const EditedCode *code = v->code;
    const Version *from = v->from;
    PlanOptions how = {0};
    if (diag_failed(&s->ctx->diag)) return NULL;
    plan_as_edited(code, &how);
    /* Parameters as they are bound, sizes as they were when the kernels were edited. */
    int n = d->program->size_count;
    Values values = {.derivation = d, .version = from, .count = n + from->param_count};
    values.b = NEW_ARRAY(arena, Binding, values.count);
    for (int i = 0; i < n; i++) {
        const char *name = size_name(d->program, i);
        int64_t size = 0;
        bool set = result_binding(code->sizes, name, &size) && size > 0;
        values.b[i] = (Binding){name, VAR_SIZE, set, size};
    }
    for (int i = 0; i < from->param_count; i++)
        values.b[n + i] = (Binding){from->params[i].name, VAR_PARAM, from->params[i].value > 0, from->params[i].value};
    Plan *plan = session_plan_of(s, d->program, &values, !code->arguments, arena, how);
    diag_clear(&s->ctx->diag);
    return plan && source_hash(plan->source) == code->replaces ? plan->source : NULL;
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
    static const char begin[] = "kernel void ";
    const char *a = source_body(then), *b = source_body(now), *kernel = NULL;
    int line = 1;
    for (; *a && *b; a = next_line(a), b = next_line(b), line++) {
        size_t n = strcspn(a, "\n"), head = strlen(begin);
        if (!strncmp(a, begin, head)) kernel = arena_strndup(arena, a + head, strcspn(a + head, "(\n"));
        if (n != strcspn(b, "\n") || strncmp(a, b, n)) break;
    }
    if (!*a && !*b) return;
    diag_note(diag, "differs", "first in line %d%s%s", line, kernel ? ", of " : "", kernel ? kernel : "");
    diag_note(diag, "needs", "%s", line_text(arena, a));
    diag_note(diag, "found", "%s", line_text(arena, b));
}

/* origin: which place of the term the lines of a kernel were made for. */
#include "kernel.h"

#include <string.h>

#include "rule.h"

const Path *origin_place(Build *b, const Term *node, const Path *within)
{
    Path p = {0};
    const Path *first = NULL;
    do {
        if (path_term(b->root, &p) != node) continue;
        bool inside = !within || (p.length >= within->length && !memcmp(p.slots, within->slots, within->length));
        if (first && !inside) continue;
        Path *found = NEW(b->arena, Path);
        *found = p;
        first = found;
        if (inside) return first;
    } while (path_next(b->root, &p));
    return first;
}

void origin_lines(Build *b, const char *text, const OriginMark *marks, int n, PlanKernel *out)
{
    PlanOrigin *origins = NEW_ARRAY(b->arena, PlanOrigin, n);
    const char *end = text;
    int line = 0, count = 0;
    for (int i = 0; i < n; i++) {
        for (; end < text + marks[i].offset; end++) line += *end == '\n';
        if (count && origins[count - 1].line == line) count--;           /* nothing was printed in between */
        const char *place = marks[i].at ? arena_strdup(b->arena, path_text(b->c, b->root, marks[i].at)) : NULL;
        origins[count++] = (PlanOrigin){line, place};
    }
    out->origins = origins;
    out->origin_count = count;
}

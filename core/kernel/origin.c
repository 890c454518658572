/* origin: which place of the term the lines of a kernel were made for. */
#include "kernel.h"

#include <string.h>

#include "rule.h"

static bool is_inside(const Path *p, const Path *top)
{
    return p->length >= top->length && !memcmp(p->slots, top->slots, top->length);
}

const Path *origin_place(Build *b, const Term *node, const Path *within)
{
    Path p = {0};
    const Path *first = NULL;
    do {
        if (path_term(b->root, &p) != node) continue;
        bool inside = !within || is_inside(&p, within);
        if (first && !inside) continue;
        Path *found = NEW(b->arena, Path);
        *found = p;
        first = found;
        if (inside) return first;
    } while (path_next(b->root, &p));
    return first;
}

static const char *place_text(Build *b, const Path *at) { return at ? arena_strdup(b->arena, path_text(b->c, b->root, at)) : NULL; }

void origin_lines(Build *b, const char *text, const OriginMark *marks, int n, PlanKernel *out)
{
    PlanOrigin *origins = NEW_ARRAY(b->arena, PlanOrigin, n);
    const char *end = text;
    int line = 0, count = 0;
    for (int i = 0; i < n; i++) {
        for (; end < text + marks[i].offset; end++) line += *end == '\n';
        if (count && origins[count - 1].line == line) count--;           /* nothing was printed in between */
        origins[count++] = (PlanOrigin){line, place_text(b, marks[i].at)};
    }
    out->origins = origins;
    out->origin_count = count;
}

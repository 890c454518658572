/* origin: which place of the term the lines of a kernel were made for. */
#include "kernel.h"

#include <string.h>

#include "rule.h"

const Path *origin_place(Build *b, const Term *node, const Path *within)
{
    PathWalk w;
    const Path *first = NULL;
    path_walk(&w, b->root, &(Path){0});
    for (const Term *t = b->root; t; t = path_walk_next(&w)) {
        bool inside = !within || (w.at.length >= within->length && !memcmp(w.at.slots, within->slots, within->length));
        if (t != node || (first && !inside)) continue;
        first = arena_copy(b->arena, &w.at, sizeof w.at);
        if (inside) return first;
    }
    return first;
}

const char *build_path(Build *b, const Term *node)
{
    const Path *p = origin_place(b, node, NULL);
    return p ? path_text(b->c, b->root, p) : "a step of an iterate";
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

/* code_map: generated lines with the labels of the places that they were made for: `code --map`. */
#include "commands.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Map {
    Shell *sh;
    const Version *v;
    VEC(const char *) places;            /* that have a label, in the order of their numbers */
} Map;

/* The label of a place; 0: it is none of the version's term. */
static int label_of(Map *m, const char *place)
{
    Path p, top = {0};
    for (int i = 0; place && i < m->places.n; i++)
        if (!strcmp(m->places.v[i], place)) return i + 1;
    if (!place || !path_parse(m->sh->c, m->v->root, &top, place, &p)) return diag_clear(&m->sh->c->diag), 0;
    vec_push(&m->places, place);
    return labels_add(m->sh, &p);
}

/* Lines of a kernel, each behind the label of its place; what has none, such as barriers, stands behind blanks. */
static void put_lines(Map *m, const char *text, size_t length, const PlanKernel *k, json_t *lines)
{
    const PlanOrigin *o = NULL;
    int line = 0, next = 0;
    for (const char *end = text + length; text < end; line++) {
        size_t n = strcspn(text, "\n");
        while (k && next < k->origin_count && k->origins[next].line <= line) o = &k->origins[next++];
        int label = o ? label_of(m, o->place) : 0;
        char mark[16] = "";
        if (label) snprintf(mark, sizeof mark, ":%d", label);
        print(m->sh, n ? "%-5s %.*s\n" : "%s%.*s\n", mark, (int)n, text);
        if (lines && label)
            json_array_append_new(lines, json_pack("{s:i, s:s, s:s}", "line", line + 1, "label", mark, "place", o->place));
        text += n + (text[n] == '\n');
    }
}

json_t *code_map(Shell *sh, const Version *v, const Plan *plan)
{
    Map m = {.sh = sh, .v = v};
    const char *at = plan->source;
    json_t *maps = json_object();
    labels_begin(sh, v);
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        const char *body = strstr(at, k->body);
        json_t *lines = json_array();
        if (!body) continue;
        put_lines(&m, at, (size_t)(body - at), NULL, NULL);
        put_lines(&m, body, strlen(k->body), k, lines);
        json_object_set_new(maps, k->name, lines);
        at = body + strlen(k->body);
    }
    put_lines(&m, at, strlen(at), NULL, NULL);
    Path p, top = {0};
    print(sh, "\n");
    for (int i = 0; i < m.places.n; i++) {
        int left = show_width(sh) - 32;
        path_parse(sh->c, v->root, &top, m.places.v[i], &p);
        print(sh, ":%-4d %s" AT(32) "%s\n", i + 1, m.places.v[i], show_short(sh, v->root, &p, left < 30 ? 30 : left));
    }
    free(m.places.v);
    return maps;
}

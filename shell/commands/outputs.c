/* outputs: --save, --show, --full: results in files and on the screen. */
#include "commands.h"
#include "data_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "1=" "out=" "out_1=" in front of a file: *part is the component, -1 all of it. NULL: there is none. */
static const char *component(const char *text, int *part)
{
    const char *p = text;
    bool out = !strncmp(p, "out", 3);
    if (out) p += 3 + (p[3] == '_' || p[3] == '.');
    *part = -1;
    if (!isdigit((unsigned char)*p)) return out && *p == '=' && p == text + 3 ? p + 1 : NULL;
    char *end;
    long n = strtol(p, &end, 10);
    *part = n < INT32_MAX ? (int)n : INT32_MAX;
    return *end == '=' ? end + 1 : NULL;
}

bool outputs_read(Shell *sh, const Args *a, Outputs *out)
{
    *out = (Outputs){.full = arg_flag(a, "full") != NULL};
    out->shown = out->full || arg_flag(a, "show");
    for (int i = 0; i < a->flag_count; i++) {
        if (strcmp(a->flags[i].name, "save")) continue;
        if (sh->restricted) return shell_error(sh, E05, "--save is switched off by --restricted");
        if (!*a->flags[i].value) return arg_error(sh, a, "--save takes a file");
        /* Each of "0=a.npy,1=b.npy", or a file alone. */
        const char *text = a->flags[i].value;
        for (const char *end; *text; text = *end ? end + 1 : end) {
            if (out->count == COUNT(out->v)) return shell_error(sh, E08, "--save takes at most %d files", COUNT(out->v));
            int part;
            const char *file = component(text, &part);
            if (!file) file = text, part = -1;
            end = strchr(file, ',');     /* that before the next component, else the end */
            for (int next; end && !component(end + 1, &next);) end = strchr(end + 1, ',');
            if (!end) end = file + strlen(file);
            if (end == file) return shell_error(sh, E05, "--save needs a file behind %s", text);
            out->v[out->count].part = part;
            out->v[out->count++].file = arena_strndup(sh->scratch, file, (size_t)(end - file));
        }
    }
    return true;
}

const char *outputs_text(Shell *sh, const Outputs *o, const Data *d)
{
    enum { HEAD = 8, ALL = INT32_MAX };
    LOCAL(buf_free) Buf value = {0}, rows = {0};
    data_print_head(d, o->full ? ALL : HEAD, &value);
    for (const char *p = buf_text(&value); *p; p++) {
        buf_putc(&rows, *p);
        if (o->full && !strncmp(p, "], [", 4)) buf_puts(&rows, ",\n   "), p += 2;
    }
    return buf_take(&rows, sh->scratch);
}

bool outputs_fit(Shell *sh, const Outputs *o, const Type *t)
{
    for (int i = 0; i < o->count; i++) {
        int n = type_components(t);
        if (o->v[i].part >= n)
            return shell_error(sh, E05, "%s has no component %d\nhas %s", type_text(sh->c, t), o->v[i].part,
                               n > 1 ? arena_printf(sh->scratch, "0 to %d", n - 1) : "0");
        if (!file_can_hold(t, o->v[i].part, o->v[i].file, diag(sh))) return false;
    }
    return true;
}

bool outputs_write(Shell *sh, const Outputs *o, const Data *d, json_t *report)
{
    json_auto_t *files = json_array();
    bool ok = true;
    for (int i = 0; i < o->count && ok; i++) {
        FileArray a;
        ok = data_write_file(d, o->v[i].part, o->v[i].file, diag(sh)) && file_look(o->v[i].file, &a, diag(sh));
        if (!ok) break;
        print(sh, "  saved   %s    ", o->v[i].file);
        file_array_print(&a, &sh->out);
        buf_putc(&sh->out, '\n');
        json_add(files, "s", o->v[i].file);
    }
    if (report && json_array_size(files)) json_object_set(report, "saved", files);
    return ok;
}

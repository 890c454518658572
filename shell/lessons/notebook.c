/* notebook: a lesson as a notebook for Jupyter: its texts between cells for the commands of each part. */
#include "lesson.h"
#include "show.h"

#include <unistd.h>

static void put_cell(json_t *cells, const char *kind, const char *text)
{
    bool code = !strcmp(kind, "code");
    LOCAL(buf_free) Buf id = {0};
    buf_printf(&id, "cell-%zu", json_array_size(cells));
    json_t *cell = json_pack("{s:s, s:s, s:s, s:{}}", "id", buf_text(&id), "cell_type", kind, "source", text, "metadata");
    if (code) json_object_set_new(cell, "outputs", json_array()), json_object_set_new(cell, "execution_count", json_null());
    json_array_append_new(cells, cell);
}

static void put_text_cell(json_t *cells, const Buf *text) { put_cell(cells, "markdown", buf_text(text)); }

/* Lines as they stand, which Markdown would fill. */
static void put_exact(const Buf *lines, Buf *out)
{
    if (lines->len) buf_printf(out, "\n\n```\n%s```\n", buf_text(lines));
}

bool lesson_notebook(Shell *sh, const Args *a, const char *name)
{
    const char *dir = lesson_find(sh->c, sh->scratch, name);
    if (sh->restricted) return shell_error(sh, E05, "files are off with --restricted");
    Lesson *l = dir ? lesson_read(sh->c, dir) : NULL;
    if (!l) return false;
    const char *file = arena_printf(sh->scratch, "%s.ipynb", l->name);
    json_t *cells = json_array();
    LOCAL(buf_free) Buf text = {0}, all = {0};
    buf_printf(&text, "# %s\n\n%s\n\nA cell takes what is typed at lathe's prompt; `lesson hint` helps.", l->title, l->prose);
    put_text_cell(cells, &text);
    for (int i = 0; i < l->parts.n; i++) {
        const LessonPart *part = l->parts.v[i];
        LOCAL(buf_free) Buf lines = {0};
        buf_clear(&text);
        buf_printf(&text, "## %s\n\n%s", part->title, part->prose);
        lesson_put_goals(sh, part, &lines);
        if (part->ask) lesson_put_question(part->ask, &lines);
        put_exact(&lines, &text);
        put_text_cell(cells, &text);
        /* the same text is not shown again below */
        put_cell(cells, "code", i ? "lesson next >/dev/null" : arena_printf(sh->scratch, "lesson %s >/dev/null", name));
        put_cell(cells, "code", "");
        put_cell(cells, "code", part->ask ? "# lesson check ANSWER" : "lesson check");
    }
    int parts = l->parts.n;
    lesson_free(l);
    json_t *o = json_pack("{s:i, s:i, s:{s:{s:s, s:s, s:s}}, s:o}", "nbformat", 4, "nbformat_minor", 5, "metadata", "kernelspec", "name", "lathe",
                          "display_name", "lathe", "language", "lathe", "cells", cells);
    json_put(o, JSON_INDENT(1), &all);
    if (!arg_flag(a, "force") && !access(file, F_OK)) return shell_error(sh, E17, "%s exists\ntry %s --force", file, a->text);
    if (!file_write(diag(sh), file, buf_text(&all), all.len)) return false;
    print(sh, "%s written, of %d part%s        lathe --jupyter-install gives Jupyter the kernel\n", file, parts, plural(parts));
    return shell_report(sh, "{file:s lesson:s text:s}", file, name, buf_text(&sh->out));
}

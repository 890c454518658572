/* display: what a command showed, as HTML and SVG beside its text, for programs that show pictures: --display. */
#include "cmdline.h"
#include "commands.h"
#include "export.h"
#include "show.h"

#include <string.h>

enum { SVG_MAX = 1 << 20 };              /* larger pictures are in their files alone */

/* The version that the first word that begins with @ names, the current one without; *second: that of the next such word, or NULL. */
static const Version *named(Shell *sh, const char *text, const Version **second)
{
    const Version *v[2] = {session_version(sh->session), NULL};
    int *starts, *ends, found = 0;
    int n = line_words(sh->scratch, text, &starts, &ends);
    for (int i = 0; i < n && found < 2; i++) {
        const char *word = line_word(sh->scratch, text, starts[i], ends[i]);
        if (*word == '@') v[found++] = session_ref(sh->session, word);
    }
    *second = v[1];
    diag_clear(diag(sh));
    return v[0];
}

static const char *said(const Shell *sh, const char *key) { return json_string_value(json_object_get(sh->data, key)); }

/* What a command did or showed; false: its text says it all. */
static bool put_html(Shell *sh, const Piece *p, const Version *before, Buf *out)
{
    const char *verb = p->command->name;
    const Version *other, *v = named(sh, p->rest, &other), *now = session_version(sh->session);
    Path at = {0};
    bool plain = !strstr(p->rest, "--");
    if (!now || !v) return false;
    if (!strcmp(verb, "show") && plain)
        return said(sh, "place") && path_parse(sh->c, v->root, &at, said(sh, "place"), &at) && export_html_shown(sh, SHOWN_TERM, NULL, v, &at, out);
    if (!strcmp(verb, "code") && plain) return !v->code && export_html_shown(sh, SHOWN_KERNELS, NULL, v, &at, out);
    if (!strcmp(verb, "log") && plain) return export_html_shown(sh, SHOWN_TREE, NULL, now, &at, out);
    if (!strcmp(verb, "diff") && plain && said(sh, "from")) {
        const Version *from = session_ref(sh->session, said(sh, "from")), *to = from ? session_ref(sh->session, said(sh, "to")) : NULL;
        return to && export_html_shown(sh, SHOWN_CHANGE, from, to, &at, out);
    }
    return now != before && export_html_shown(sh, SHOWN_STEP, NULL, now, &at, out);
}

json_t *export_display(Shell *sh, const Piece *p, const Version *before)
{
    json_t *shown = json_object();
    const char *file = said(sh, "file");
    LOCAL(buf_free) Buf html = {0};
    if (sh->display & DISPLAY_HTML && p->command && put_html(sh, p, before, &html))
        json_object_set_new(shown, "text/html", json_text(buf_text(&html), html.len));
    diag_clear(diag(sh));
    if (sh->display & DISPLAY_SVG && file && file_ends(file, ".svg")) {
        const char *svg = text_read(diag(sh), sh->scratch, file, sh->stop, NULL);
        if (svg) svg = strstr(svg, "<svg");              /* as a part of a page: no declaration before it */
        if (svg && strlen(svg) <= SVG_MAX) json_object_set_new(shown, "image/svg+xml", json_text(svg, strlen(svg)));
        diag_clear(diag(sh));
    }
    if (json_object_size(shown)) return shown;
    json_decref(shown);
    return NULL;
}

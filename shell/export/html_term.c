/* html_term: printed terms with highlights and labels. The printer puts control characters round what changed and
 * in front of what has a label; they become tags here. */
#include "html_private.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { TERM_WIDTH = 78 };
enum { MARK = 1, MARK_END = 2, LABEL = 3, LABEL_END = 4 };

/* ---- text ---- */

void html_bytes(Buf *out, const char *text, size_t left)
{
    while (left) {
        ucs4_t c;
        int bytes = u8_mbtoucr(&c, (const unsigned char *)text, left);
        bool control = (c < ' ' && c != '\n' && c != '\t') || (c >= 0x80 && c < 0xa0) || c == 0xfffe || c == 0xffff;
        size_t n = bytes > 0 && !control ? (size_t)bytes : 0;
        if (n == 0) buf_puts(out, "\uFFFD");
        else if (*text == '<') buf_puts(out, "&lt;");
        else if (*text == '>') buf_puts(out, "&gt;");
        else if (*text == '&') buf_puts(out, "&amp;");
        else if (*text == '"') buf_puts(out, "&quot;");
        else buf_write(out, text, n);
        text += n ? n : 1;
        left -= n ? n : 1;
    }
}

void html_text(Buf *out, const char *text) { html_bytes(out, text, strlen(text)); }

void html_element(Buf *out, const char *tag, const char *text)
{
    buf_printf(out, "<%s>", tag);
    html_text(out, text);
    buf_printf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

const char *html_id(Page *page, const Version *v, int sub)
{
    Arena *arena = page->sh->scratch;
    bool inner = v->inner || (sub && sub < v->sub_count);
    return inner ? arena_printf(arena, "v%d.%d", v->number, sub ? sub : v->inner) : arena_printf(arena, "v%d", v->number);
}

/* ---- printing with marks ---- */

typedef struct Labelling {
    Page *page;
    const Term *root;
    Labels *labels;
} Labelling;

/* Labels that stand in front of a node; whole: also those of what is inside it. */
static const char *label_note(void *data, const uint8_t *path, int length, bool whole)
{
    Labelling *l = data;
    Shell *sh = l->page->sh;
    const char *text = NULL;
    Path p = {.length = (uint8_t)length};
    if (length > PATH_MAX_LENGTH) return NULL;
    memcpy(p.slots, path, (size_t)length);
    const char *here = path_text(sh->c, l->root, &p);
    size_t n = strlen(here);
    for (int i = 0; i < l->labels->v.n; i++) {
        Label *label = &l->labels->v.v[i];
        bool inside = whole && !strncmp(label->place, here, n) && label->place[n] == '/';
        if (label->shown || (strcmp(label->place, here) && !inside)) continue;
        label->shown = true;
        text = arena_printf(sh->scratch, "%s%c%d%c", text ? text : "", LABEL, i, LABEL_END);
    }
    return text;
}

static const char *printed(Page *page, const Term *root, const Path *mark, Labels *labels)
{
    static const char begin[] = {MARK, 0}, end[] = {MARK_END, 0};
    Labelling l = {page, root, labels};
    PrintOptions o = {.width = TERM_WIDTH, .unicode = shell_unicode(page->sh)};
    if (mark) o.path = mark->slots, o.path_length = mark->length, o.mark_before = begin, o.mark_after = end;
    if (labels) o.note = label_note, o.note_data = &l;
    return show_lines(page->sh, root, &(Path){0}, &o);
}

/* The words of what is marked; all where nothing is. */
static void words_of(const char *text, bool marked, Words *out)
{
    bool inside = !marked;
    for (const char *p = text; *p;) {
        if (*p == MARK || *p == MARK_END) inside = *p++ == MARK;
        else if (*p == LABEL) p = strchr(p, LABEL_END) + 1;
        else if (*p == ' ' || *p == '\n') p++;
        else {
            size_t n = word_length(p);
            if (inside) vec_push(&out->v, ((Word){p, n, false}));
            p += n;
        }
    }
}

/* ---- tags ---- */

static void put_printed(Buf *out, const char *text, const Words *words, const Labels *labels)
{
    const Word *w = words ? words->v.v : NULL, *end = words ? w + words->v.n : NULL;
    bool open = false, marked = false;
    for (const char *p = text; *p;) {
        if (*p == LABEL) {
            int i = (int)strtol(p + 1, NULL, 10);
            buf_printf(out, "<sup id=\"%s-%d\" title=\"", labels->id, i + 1);
            html_text(out, labels->v.v[i].place);
            buf_printf(out, "\">%d</sup>", i + 1);
            p = strchr(p, LABEL_END) + 1;
        } else if (*p == MARK || *p == MARK_END) {
            marked = *p++ == MARK;
            buf_puts(out, marked ? "<mark>" : "</mark>");
        } else if (*p == '\n') {
            /* Blanks at the beginning of a line are not highlighted. */
            size_t n = 1 + strspn(p + 1, " ");
            buf_puts(out, marked ? "</mark>" : "");
            buf_write(out, p, n);
            buf_puts(out, marked ? "<mark>" : "");
            p += n;
        } else if (w != end && p == w->at) {
            if (w->changed && !open) buf_puts(out, "<b>");
            html_bytes(out, w->at, w->n);
            p = w->at + w->n;
            /* With only blanks up to the next word two changed words are one stretch. */
            open = w->changed && w + 1 != end && w[1].changed && p + strspn(p, " ") >= w[1].at;
            if (w->changed && !open) buf_puts(out, "</b>");
            w++;
        } else {
            size_t n = *p == ' ' ? 1 : word_length(p);
            html_bytes(out, p, n);
            p += n;
        }
    }
}

static void put_pair(Page *page, const ChainView *view, const char *before, const char *after, bool marked, const Labels *labels)
{
    const char *texts[] = {before, after};
    Words words[2] = {{{0}}};
    for (int k = 0; k < 2; k++) words_of(texts[k], marked, &words[k]);
    words_compare(page->sh, &words[0], &words[1]);
    buf_puts(page->out, "<div class=\"change\">\n");
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "after" : "before";
        buf_printf(page->out, "<figure class=\"%s\"><figcaption><span class=\"sign\">%s</span> %s %s</figcaption><pre>", name,
                   k ? "+" : "−", name, k ? view->to : view->from);
        put_printed(page->out, texts[k], &words[k], k ? labels : NULL);
        buf_puts(page->out, "</pre></figure>\n");
        free(words[k].v.v);
    }
    buf_puts(page->out, "</div>\n");
}

/* ---- what a section shows ---- */

void html_term(Page *page, const Term *root, Labels *labels)
{
    buf_puts(page->out, "<pre class=\"same\">");
    put_printed(page->out, printed(page, root, NULL, labels), NULL, labels);
    buf_puts(page->out, "</pre>\n");
}

static ChangeText change_of(Page *page, const Term *before, const Term *after, const Path *at)
{
    ChangeText t;
    change_make(page->sh, before, after, at, TERM_WIDTH, &t);
    return t;
}

static void put_names(Page *page, const ChangeText *t)
{
    for (int i = 0; i < t->count; i++) {
        buf_puts(page->out, i ? "" : "<dl class=\"names\">");
        html_element(page->out, "dt", t->names[i]);
        buf_puts(page->out, "<dd>");
        html_element(page->out, "pre", t->texts[i]);
        buf_puts(page->out, "</dd>");
    }
    if (t->count) buf_puts(page->out, "</dl>\n");
}

void html_change(Page *page, const ChainStep *k, bool whole, Labels *labels)
{
    const ChainView view = chain_view(page->sh, k);
    if (k->before == k->after && whole) {
        html_term(page, k->after, labels);
    } else if (k->before == k->after) {
        const Version *from = k->version->from;
        buf_printf(page->out, "<p>The term is that of <a href=\"#%s\">@%d</a>.</p>\n", html_id(page, from, 0), from->number);
    } else if (whole) {
        const char *before = printed(page, k->before, &view.at, NULL), *after = printed(page, k->after, &view.at, labels);
        put_pair(page, &view, before, after, true, labels);
    } else {
        ChangeText t = change_of(page, k->before, k->after, &view.at);
        put_pair(page, &view, t.before, t.after, false, NULL);
        put_names(page, &t);
    }
}

void html_small_change(Page *page, const Term *before, const Term *after, const Path *at)
{
    ChangeText t = change_of(page, before, after, at);
    buf_puts(page->out, "<pre class=\"small\"><span class=\"sign\">\xe2\x88\x92</span>");
    html_text(page->out, t.before);
    buf_puts(page->out, "</pre><pre class=\"small\"><span class=\"sign\">+</span>");
    html_text(page->out, t.after);
    buf_puts(page->out, "</pre>\n");
    put_names(page, &t);
}

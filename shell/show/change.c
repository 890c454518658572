/* change: two forms of a term as text, with what they share under names; the steps between versions. */
#include "show.h"
#include "compare.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { NAMES = 9, TABLE_MAX = 4 << 20 };

static const char *const signs[] = {"①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨"};
static const char *const plain[] = {"<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>", "<8>", "<9>"};

/* ---- which words changed ---- */

size_t word_length(const char *text)
{
    ucs4_t c;
    size_t n = name_length(text);
    return n ? n : (size_t)u8_mbtouc(&c, (const uint8_t *)text, strlen(text));
}

static const char **word_texts(Shell *sh, const Words *w)
{
    const char **texts = NEW_ARRAY(sh->scratch, const char *, w->v.n);
    for (int i = 0; i < w->v.n; i++) texts[i] = arena_strndup(sh->scratch, w->v.v[i].at, w->v.v[i].n);
    return texts;
}

void words_compare(Shell *sh, Words *a, Words *b)
{
    LineEdit *edits;
    int n = a->v.n, m = b->v.n, same = 0;
    if ((int64_t)(n + 1) * (m + 1) > TABLE_MAX) return;
    int count = text_diff(sh->scratch, word_texts(sh, a), n, word_texts(sh, b), m, &edits);
    for (int i = 0; i < count; i++) same += edits[i].op == ' ';
    if (3 * same < n || 3 * same < m) return;
    for (int i = 0; i < count; i++) {
        if (edits[i].op == '-') a->v.v[edits[i].a].changed = true;
        if (edits[i].op == '+') b->v.v[edits[i].b].changed = true;
    }
}

/* ---- on a line ---- */

/* Where the first word that changed begins; the end: none did. */
static size_t first_change(const char *text, const Words *w)
{
    for (int i = 0; i < w->v.n; i++)
        if (w->v.v[i].changed) return (size_t)(w->v.v[i].at - text);
    return strlen(text);
}

/* The text from `from` on in at most `room` columns, what changed in bold where there are colours. */
static const char *line_part(Shell *sh, const char *text, const Words *w, size_t from, int room)
{
    Buf b = {0};
    bool bold = false;
    const char *p = text + from;
    if (from) buf_puts(&b, "...");
    for (int i = 0; i < w->v.n; i++) {
        const Word *one = &w->v.v[i];
        if (one->at < p) continue;
        if (bold && !one->changed) buf_puts(&b, show_ink(sh, "22;24")), bold = false;
        buf_write(&b, p, (size_t)(one->at - p));
        if (!bold && one->changed) buf_puts(&b, show_ink(sh, "1;4")), bold = true;
        buf_write(&b, one->at, one->n);
        p = one->at + one->n;
    }
    buf_puts(&b, p);
    return show_cut(sh, buf_take(&b, sh->scratch), room);
}

void change_lines(Shell *sh, const char *before, const char *after)
{
    enum { INDENT = 4, AHEAD = 20, SEEN = 28 };      /* what stands in front of a change, and how much of a line it takes */
    static const char *const marks[] = {"- ", "+ "}, *const colors[] = {"31", "32"};
    const char *texts[] = {before, after};
    Words words[2] = {{{0}}};
    int room = show_width(sh) - INDENT;
    for (int k = 0; k < 2; k++)
        for (const char *p = texts[k]; *p; p += word_length(p))
            if (*p != ' ') vec_push(&words[k].v, ((Word){p, word_length(p), false}));
    words_compare(sh, &words[0], &words[1]);
    size_t a = first_change(before, &words[0]), b = first_change(after, &words[1]), from = a < b ? a : b;
    bool fits = sh->json || (text_width(before) <= room && text_width(after) <= room);
    if (fits || !before[a] || !after[b] || text_width_of(before, from) + SEEN <= room) from = 0;
    while (from && (before[from] != ' ' || text_width_of(before + from, (a < b ? a : b) - from) < AHEAD)) from--;
    for (int k = 0; k < 2; k++) {
        print(sh, "  ");
        const char *part = line_part(sh, texts[k], &words[k], from, room);
        show_color(sh, colors[k], arena_printf(sh->scratch, "%s%s", marks[k], part));
        buf_putc(&sh->out, '\n');
        free(words[k].v.v);
    }
}

/* ---- under names ---- */

void change_make(Shell *sh, const Term *before, const Term *after, const Path *at, int width, ChangeText *out)
{
    *out = (ChangeText){show_full(sh, before, at, 0), show_full(sh, after, at, 0), 0, NULL, NULL};
    if (text_width(out->before) <= width && text_width(out->after) <= width) return;
    SharedTerm *shared = NEW_ARRAY(sh->scratch, SharedTerm, NAMES);
    out->count = terms_share(sh->c, sh->scratch, &before, &after, at, shell_unicode(sh) ? signs : plain, NAMES, shared);
    out->before = show_full(sh, before, at, width);
    out->after = show_full(sh, after, at, width);
    out->names = NEW_ARRAY(sh->scratch, const char *, out->count);
    out->texts = NEW_ARRAY(sh->scratch, const char *, out->count);
    for (int i = 0; i < out->count; i++) {
        out->names[i] = shared[i].name;
        out->texts[i] = show_full(sh, shared[i].root, &shared[i].at, width > 20 ? width - 12 : 8);
    }
}

void change_put(Shell *sh, const char *indent, const char *sign, const char *color, const char *text)
{
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, "\n");
        const char *line = arena_printf(sh->scratch, "%s%.*s", first ? sign : "  ", (int)n, text);
        buf_puts(&sh->out, indent);
        if (color) show_color(sh, color, line);
        else buf_puts(&sh->out, line);
        buf_putc(&sh->out, '\n');
        text += n + (text[n] != 0);
    }
}

void change_put_names(Shell *sh, const char *indent, const ChangeText *t)
{
    for (int i = 0; i < t->count; i++)
        change_put(sh, indent, arena_printf(sh->scratch, "  where %s = ", t->names[i]), NULL, t->texts[i]);
}

/* ---- steps of a chain ---- */

static const char *sub_name(Shell *sh, const Version *v, int sub)
{
    if (sub == 0) return version_name(sh, v->from);
    return sub == v->sub_count ? version_name(sh, v) : arena_printf(sh->scratch, "@%d.%d", v->number, sub);
}

ChainView chain_view(Shell *sh, const ChainStep *k)
{
    const char *a = sub_name(sh, k->version, k->sub_from);
    const char *b = k->sub_to ? sub_name(sh, k->version, k->sub_to) : version_name(sh, k->version);
    bool same = k->before == k->after;
    ChainView view = {k->reversed ? b : a, k->reversed ? a : b, same ? "=" : k->reversed ? "<=" : "=>", NULL, {0}};
    if (k->placed && k->sub_to - k->sub_from <= 1) term_step_place(k->before, k->after, &k->at, &view.at);
    else term_changed_place(k->before, k->after, &view.at);
    if (!same) view.place = arena_strdup(sh->scratch, path_text(sh->c, k->before, &view.at));
    return view;
}

const Rule *chain_rule(Shell *sh, const ChainStep *k)
{
    const SubStep *sub = k->sub_to - k->sub_from == 1 ? &k->version->subs[k->sub_from] : NULL;
    if (!sub) return NULL;
    return sub->rule ? sub->rule : rules_called(session_rules(sh->session), sub->call);
}

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
    return MAKE_LIST(sh->scratch, const char *, i, w->v.n, arena_strndup(sh->scratch, w->v.v[i].at, w->v.v[i].n));
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

static void read_words(Words *w, const char *text)
{
    for (const char *p = text; *p; p += word_length(p))
        if (*p != ' ') vec_push(&w->v, ((Word){.at = p, .n = word_length(p)}));
}

/* ".." stands for the words that are hidden, one for those that are in a row. */
enum { DOTS = 2 };                       /* its columns */

/* Columns of words i to j as they are shown now. */
static int columns(const Words *w, int i, int j)
{
    int n = 0;
    for (int k = i; k <= j; k++) {
        const Word *one = &w->v.v[k];
        const char *from = k > i ? one[-1].at + one[-1].n : one->at;
        if (one->as != WORD_GONE) n += (int)(one->at - from) + (one->as == WORD_DOTS ? DOTS : text_width_of(one->at, one->n));
    }
    return n;
}

static void hide(Words *w, int i, int j)
{
    int before = i - 1, after = j + 1;
    while (before >= 0 && w->v.v[before].as == WORD_GONE) before--;
    while (after < w->v.n && w->v.v[after].as == WORD_GONE) after++;
    for (int k = i; k <= j; k++) w->v.v[k].as = WORD_GONE;
    if (before < 0 || w->v.v[before].as == WORD_SHOWN) w->v.v[i].as = WORD_DOTS;
    if (after < w->v.n && w->v.v[after].as == WORD_DOTS) w->v.v[after].as = WORD_GONE;
}

/* 1: a bracket opens, -1: one closes, 0: neither. */
static int bracket(const Word *w) { return *w->at == '(' || *w->at == '[' ? 1 : *w->at == ')' || *w->at == ']' ? -1 : 0; }

/* Where the bracket at i closes; n: nowhere. */
static int closes(const Words *w, int i)
{
    for (int depth = 0; i < w->v.n; i++)
        if (!(depth += bracket(&w->v.v[i]))) return i;
    return w->v.n;
}

/* Is a gain of columns a better one than the best so far: the smallest that makes room enough, else the largest? */
static bool better(int gain, int best, int over)
{
    if (gain >= over) return best < over || gain < best;
    return gain > best;
}

/* Is the text of the words from i to j one that the other line has, too, once or more often? */
static bool occurs(Shell *sh, const Words *w, int i, int j, const char *other)
{
    const char *from = w->v.v[i].at, *to = w->v.v[j].at + w->v.v[j].n;
    return strstr(other, arena_strndup(sh->scratch, from, (size_t)(to - from))) != NULL;
}

/* Hide what is in brackets and stands in the other line. False: there is none. */
static bool hide_group(Shell *sh, Words *w, const char *other, int over)
{
    int first = 0, last = 0, most = 0;
    for (int i = 0; i < w->v.n; i++) {
        if (*w->v.v[i].at != '(' || w->v.v[i].as != WORD_SHOWN) continue;
        int j = closes(w, i);
        int gain = j < w->v.n && j > i + 1 ? columns(w, i + 1, j - 1) - DOTS : 0;
        if (gain > 0 && better(gain, most, over) && occurs(sh, w, i + 1, j - 1, other)) first = i + 1, last = j - 1, most = gain;
    }
    if (most) hide(w, first, last);
    return most > 0;
}

/* The end of words i to j, themselves outside, where what closes the brackets that they open stands in a row: what is in front of it is at
 * one level. Else in front of the first of these. */
static int within_level(const Words *w, int i, int j)
{
    for (int k = i, first = -1, close = 0; k < j; k++) {
        int there = bracket(&w->v.v[k]) > 0 ? closes(w, k) : 0;
        if (there < j) continue;
        if (first >= 0 && there != close - 1) return first;
        if (first < 0) first = k;
        close = there;
    }
    return j;
}

/* From i on: the last of the words in a row that did not change, none of which closes a bracket that is open in front of them. */
static int run_end(const Words *w, int i)
{
    int j = i;
    for (int depth = 0; j < w->v.n; j++)
        if (w->v.v[j].changed || (depth += bracket(&w->v.v[j])) < 0) break;
    j = within_level(w, i, j);
    while (--j > i && (bracket(&w->v.v[j]) > 0 || *w->v.v[j].at == '\\' || !strncmp(w->v.v[j].at, "λ", w->v.v[j].n))) {}
    return j;                            /* brackets and λ stay with what is behind them */
}

/* Hide such words, and with them what closes their brackets behind what did change; the first word stays where the other line begins with another. */
static bool hide_run(Words *w, const char *other, int over)
{
    enum { LEAST = 8 };                  /* columns that dots in the place of words are worth */
    int first = 0, last = 0, most = 0;
    for (int i = strncmp(w->v.v[0].at, other, w->v.v[0].n) != 0, j; i < w->v.n; i = (j < i ? i : j) + 1) {
        j = run_end(w, i);
        int gain = j > i ? columns(w, i, j) - DOTS : 0;
        if (gain >= LEAST && better(gain, most, over)) first = i, last = j, most = gain;
    }
    for (int k = first; most && k <= last; k++) {
        int close = bracket(&w->v.v[k]) > 0 ? closes(w, k) : last;
        if (close > last && close < w->v.n && w->v.v[close].as == WORD_SHOWN) w->v.v[close].as = WORD_GONE;
    }
    if (most) hide(w, first, last);
    return most > 0;
}

/* The first change is too far behind: .. stands for what is in front of it, but for some columns. */
static void hide_front(Words *w, int room)
{
    enum { AHEAD = 20, SEEN = 28 };      /* what stands in front of a change, and how much of a line it takes */
    int first = 0, from;
    while (first < w->v.n && !w->v.v[first].changed) first++;
    if (first == w->v.n || columns(w, 0, first) + SEEN <= room) return;
    for (from = first; from > 0 && (w->v.v[from].as != WORD_SHOWN || columns(w, from, first - 1) < AHEAD); from--) {}
    if (from > 1) hide(w, 0, from - 1);
}

/* Make a line of the words fit by what it has in common with the other: what stands in brackets in both, then any words where that lets all
 * that differs be seen. Else its end is cut. */
static void hide_common(Shell *sh, Words *w, const char *other, int room)
{
    enum { RUNS = 2 };                   /* with more dots than these a line is hard to read */
    int over, changed = 0, runs = 0;
    Word *kept = NEW_ARRAY(sh->scratch, Word, w->v.n);
    if (!w->v.n) return;
    while ((over = columns(w, 0, w->v.n - 1) - room) > 0 && hide_group(sh, w, other, over)) {}
    for (int i = 0; i < w->v.n; i++) changed += w->v.v[i].changed;
    if (over <= 0 || !changed) return;
    memcpy(kept, w->v.v, (size_t)w->v.n * sizeof *kept);
    while ((over = columns(w, 0, w->v.n - 1) - room) > 0 && runs++ < RUNS && hide_run(w, other, over)) {}
    if (over <= 0) return;
    memcpy(w->v.v, kept, (size_t)w->v.n * sizeof *kept);
    hide_front(w, room);
}

/* Its text in at most `room` columns, what changed in bold where there are colours. */
static const char *words_line(Shell *sh, const Words *w, bool bold, int room)
{
    Buf b = {0};
    bool on = false;
    for (int i = 0; i < w->v.n; i++) {
        const Word *one = &w->v.v[i], *before = i ? one - 1 : NULL;
        if (one->as == WORD_GONE) continue;
        if (bold && on && !one->changed) buf_puts(&b, show_ink(sh, "22;24")), on = false;
        if (before) buf_write(&b, before->at + before->n, (size_t)(one->at - before->at) - before->n);
        if (bold && !on && one->changed) buf_puts(&b, show_ink(sh, "1;4")), on = true;
        if (one->as == WORD_DOTS) buf_puts(&b, "..");
        else buf_write(&b, one->at, one->n);
    }
    return show_cut(sh, buf_take(&b, sh->scratch), room);
}

void change_lines(Shell *sh, const char *before, const char *after)
{
    enum { INDENT = 4 };
    static const char *const marks[] = {"- ", "+ "}, *const colors[] = {"31", "32"};
    const char *texts[] = {before, after};
    Words words[2] = {{{0}}};
    int room = show_width(sh) - INDENT;
    for (int k = 0; k < 2; k++) read_words(&words[k], texts[k]);
    words_compare(sh, &words[0], &words[1]);
    for (int k = 0; k < 2; k++) {
        if (!sh->json) hide_common(sh, &words[k], texts[!k], room);
        print(sh, "  ");
        show_color(sh, colors[k], arena_printf(sh->scratch, "%s%s", marks[k], words_line(sh, &words[k], sh->color, room)));
        buf_putc(&sh->out, '\n');
        free(words[k].v.v);
    }
}

const char *change_after(Shell *sh, const char *before, const char *after, int room)
{
    Words was = {{0}}, is = {{0}};
    read_words(&was, before);
    read_words(&is, after);
    words_compare(sh, &was, &is);
    hide_common(sh, &is, before, room);
    const char *line = words_line(sh, &is, false, room);
    free(was.v.v);
    free(is.v.v);
    return line;
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

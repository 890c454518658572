/* show: what all commands print in one way: names of versions, colours, columns, wrapped text. */
#include "embedded.h"
#include "names.h"
#include "show.h"
#include "compare.h"
#include "text.h"
#include "trust.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>

bool shell_unicode(const Shell *sh)
{
    const char *u = session_setting(sh->session, SET_UNICODE);
    return !strcmp(u, "on") || (!strcmp(u, "auto") && sh->utf8);
}

PrintOptions show_options(const Shell *sh)
{
    return (PrintOptions){
        .width = show_width(sh), .unicode = shell_unicode(sh), .max_depth = (int)session_setting_int(sh->session, SET_DEPTH),
        };
}

void put_part(const char *file, const char *name, Buf *out)
{
    static const char mark[] = "==== ";
    const EmbeddedText *e = embedded_parts;
    while (strcmp(e->name, file)) e++;
    const char *text = e->text;
    size_t n = strlen(name);
    while (strncmp(text + sizeof mark - 1, name, n) || text[sizeof mark - 1 + n] != '\n') text = strstr(text + 1, mark);
    text = strchr(text, '\n') + 1;
    const char *end = strstr(text, mark);
    buf_write(out, text, end ? (size_t)(end - text) : strlen(text));
}

bool shell_lecture(const Shell *sh) { return session_setting_is(sh->session, SET_VIEW, "lecture"); }

void show_color(Shell *sh, const char *code, const char *text)
{
    if (shell_lecture(sh)) code = !strcmp(code, "31") ? "38;5;166" : !strcmp(code, "32") ? "1;38;5;32" : code;
    print(sh, "%s%s%s", show_ink(sh, code), text, show_ink(sh, "0"));
}

const char *show_ink(const Shell *sh, const char *code)
{
    return sh->color ? arena_printf(sh->scratch, "\033[%s%sm", sh->ink, code) : "";
}

const char *version_name(Shell *sh, const Version *v) { return TEXT_OF(sh->scratch, b, version_print(v, &b)); }

const char *version_marked(Shell *sh, const Version *v)
{
    return arena_printf(sh->scratch, "%s%s", version_name(sh, v), v->trust == TRUST_ASSUMED ? "?" : "");
}

const char *version_assumed(Shell *sh, const Version *v)
{
    LOCAL(buf_free) Buf names = {0}, properties = {0};
    if (v->trust != TRUST_ASSUMED) return NULL;
    bool edited = v->kind == STEP_CODE;
    int n = session_assumed(v, false, &names), refuted = 0, declared = session_assumed(v, true, &properties);
    LOCAL(buf_free) Buf marked = {0};    /* where some of them were refuted and others were not */
    for (const char *p = buf_text(&names); *p; p += strspn(p, ", ")) {
        size_t length = strcspn(p, ",");
        const Rule *r = rules_find(session_rules(sh->session), arena_strndup(sh->scratch, p, length));
        bool false_one = r && r->refuted;
        buf_printf(&marked, "%s%.*s%s", marked.len ? ", " : "", (int)length, p, false_one ? " (refuted)" : "");
        refuted += false_one;
        p += length;
    }
    bool all = n && refuted == n;
    const char *rules = !n && (edited || declared) ? ""
        : arena_printf(sh->scratch, "%s rule%s%s%s", all ? "refuted" : "assumed", n == 1 ? "" : "s", n ? " " : "", buf_text(all ? &names : &marked));
    const char *more = declared ? arena_printf(sh->scratch, "%sassumed propert%s %s", *rules ? " and the " : "", declared == 1 ? "y" : "ies", buf_text(&properties)) : "";
    return arena_printf(sh->scratch, "%s%s%s", rules, more, !edited ? "" : n || declared ? " and the hand-edited kernel" : "hand-edited kernel");
}

void show_trust(Shell *sh, const Version *v)
{
    const char *why = version_assumed(sh, v);
    if (why) print(sh, "? %s rests on the %s\n", version_name(sh, v), why);
}

const char *hash_text(Shell *sh, uint64_t hash) { return arena_printf(sh->scratch, "%016llx", (unsigned long long)hash); }

/* ---- what a lecture sees differently ---- */

void show_hash(const Shell *sh, Buf *out, const char *before, uint64_t hash, const char *after)
{
    if (!shell_lecture(sh)) buf_printf(out, "%s%016llx%s", before, (unsigned long long)hash, after);
}

void show_gap(Shell *sh)
{
    const Buf *b = &sh->out;
    bool there = b->len < 2 || !memcmp(b->data + b->len - 2, "\n\n", 2);
    if (shell_lecture(sh) && !there) buf_putc(&sh->out, '\n');
}

const char *call_name(const char *p, size_t *n)
{
    while (*p) {
        const char *end = strchr("'\"", *p) ? strchr(p + 1, *p) : NULL;
        for (*n = 0; is_name_char(p[*n]) || (*n && p[*n] == '.' && isalpha((unsigned char)p[*n + 1]));) ++*n;
        if (*n && !isdigit((unsigned char)*p)) return p;
        p = end ? end + 1 : p + (*n ? *n : 1);
    }
    return NULL;
}

bool call_is_single(const char *call)
{
    size_t n;
    int depth = 0;
    const char *p = call_name(call, &n);
    if (p != call) return false;
    for (p += n; *p && (depth || strchr("({", *p)); p++) {
        depth += strchr("({", *p) != NULL;
        depth -= strchr(")}", *p) != NULL;
        if (depth == 0) return !p[1];
    }
    return !*p;
}

static bool named_before(const char *call, const char *name, size_t n)
{
    size_t m;
    for (const char *p = call; (p = call_name(p, &m)) < name; p += m)
        if (m == n && !strncmp(p, name, n)) return true;
    return false;
}

void show_wrapped(Shell *sh, const char *indent, const char *further, const char *text)
{
    int width = show_width(sh);
    size_t start = sh->out.len;
    buf_puts(&sh->out, indent);
    for (const char *p = text; *p;) {
        size_t n = strspn(p, " ") + strcspn(p + strspn(p, " "), " ");
        if (text_width_of(sh->out.data + start, sh->out.len - start) + text_width_of(p, n) > width && p > text) {
            start = sh->out.len + 1;
            print(sh, "\n%s", further);
            p += strspn(p, " ");
            n = strcspn(p, " ");
        }
        buf_write(&sh->out, p, n);
        p += n;
    }
    buf_putc(&sh->out, '\n');
}

/* The length of what stands at p up to a gap of two blanks or the end. */
static size_t cell_length(const char *p, const char *end)
{
    const char *at = p;
    while (at < end && strncmp(at, "  ", 2)) at++;
    return (size_t)(at - p);
}

/* Where a broken line goes on: below its last column, else its second, where that leaves half of the width; else a step
 * further in, or at the left where it is far in already: some columns have to be left. */
static int hanging_column(const char *line, const char *end, int width)
{
    enum { LABEL = 8 };                  /* of what errors and answers say, with its blank: "because one" */
    int lead = (int)strspn(line, " "), second = width, last = width, word = (int)strcspn(line + lead, " ");
    bool label = strspn(line + lead, "abcdefghijklmnopqrstuvwxyz") == (size_t)word;
    if (lead == 2 && label && word < LABEL && word + (int)strspn(line + lead + word, " ") == LABEL) return lead + LABEL;
    for (const char *p = line + lead; p < end;) {
        p += cell_length(p, end);
        while (p < end && *p == ' ') p++;
        if (p == end) break;
        last = text_width_of(line, (size_t)(p - line));
        if (second == width) second = last;
    }
    return last <= width / 2 ? last : second <= width / 2 ? second : lead + 4 <= width / 2 ? lead + 4 : 4;
}

/* One line that is too wide: cells, which two blanks part, stay whole where they fit into a line below; else words do. */
static void break_line(const char *line, const char *end, int width, Buf *out)
{
    int further = hanging_column(line, end, width), column = 0;
    for (const char *p = line; p < end;) {
        int gap = (int)strspn(p, " ");
        size_t cell = cell_length(p += gap, end);
        if (column == 0 && gap > width / 2) gap = further;
        int wide = text_width_of(p, cell);
        if (column + gap + wide > width && column > further && further + wide <= width) {
            buf_printf(out, "\n%*s", further, "");
            column = further, gap = 0;
        }
        for (const char *stop = p + cell; p < stop; gap = (int)strspn(p, " ")) {
            p += *p == ' ' ? gap : 0;
            size_t word = strcspn(p, " ");
            if (p + word > stop) word = (size_t)(stop - p);
            int w = text_width_of(p, word);
            if (w > width - further) {   /* a path of a hundred slots: somewhere */
                int room = width - column - gap;
                if (room < 2) room = width - further;
                word = text_fit(p, room) < word ? text_fit(p, room) : word;
                w = text_width_of(p, word);
            }
            if (column + gap + w > width && column > further) {
                buf_printf(out, "\n%*s", further, "");
                column = further, gap = 0;
            }
            buf_printf(out, "%*s%.*s", gap, "", (int)word, p);
            column += gap + w;
            p += word;
        }
    }
}

void show_broken(const Shell *sh, const char *text, Buf *out)
{
    int width = show_width(sh);
    for (; *text; text += *text == '\n') {
        const char *end = text + strcspn(text, "\n"), *below = *end ? end + 1 + strspn(end + 1, " |") : end;
        bool carets = end > text && strspn(text, " |^~") == (size_t)(end - text);
        bool source = *below == '^' || carets;       /* which stay below it */
        if (source || text_width_of(text, (size_t)(end - text)) <= width) buf_write(out, text, (size_t)(end - text));
        else break_line(text, end, width, out);
        if (*end) buf_putc(out, '\n');
        text = end;
    }
}

void show_equations(Shell *sh, const char *indent, const char *call)
{
    size_t n;
    bool single = call_is_single(call);
    const char *further = arena_printf(sh->scratch, "%s    ", indent);
    if (!shell_lecture(sh)) return;
    for (const char *p = call; (p = call_name(p, &n)); p += n) {
        const char *name = arena_strndup(sh->scratch, p, n);
        if (named_before(call, p, n)) continue;
        const Rule *rule = rules_find(session_rules(sh->session), name);
        Strategies *s = rule ? NULL : shell_strategies(sh);
        const StrategyName *macro = s ? strategies_find(s, name) : NULL;
        if (macro && (!macro->doc || (macro->kind != NAME_MACRO && macro->kind != NAME_LOWERING))) macro = NULL;
        const char *text = rule ? rule->text : macro ? macro->doc : "";
        if (*text) show_wrapped(sh, indent, further, single ? text : arena_printf(sh->scratch, "%s:  %s", name, text));
        if (single) return;
    }
}

void show_line_end(Shell *sh)
{
    while (sh->out.len && sh->out.data[sh->out.len - 1] == ' ') sh->out.len--;
    buf_putc(&sh->out, '\n');
}

/* ---- terms ---- */

const char *show_lines(Shell *sh, const Term *root, const Path *p, const PrintOptions *o)
{
    Buf b = {0};
    lang_print_at(sh->c, root, p->slots, p->length, o, &b);
    while (b.len && b.data[b.len - 1] == '\n') b.data[--b.len] = 0;
    return buf_take(&b, sh->scratch);
}

const char *show_full(Shell *sh, const Term *root, const Path *p, int width)
{
    PrintOptions o = show_options(sh);
    o.width = width;
    o.max_depth = 0;
    return show_lines(sh, root, p, &o);
}

/* Cut to `max` columns, marking the cut; for programs nothing is. */
static void elide(const Shell *sh, Buf *b, int max)
{
    if (sh->json || text_width(buf_text(b)) <= max) return;
    b->len = text_fit(b->data, max - 3);
    buf_puts(b, "...");
}

const char *show_cut(Shell *sh, const char *text, int max)
{
    Buf b = {0};
    buf_puts(&b, text);
    elide(sh, &b, max);
    return buf_take(&b, sh->scratch);
}

static const char *one_line(Shell *sh, const Term *root, const Path *p, int max, bool unicode)
{
    PrintOptions o = show_options(sh);
    o.width = 0;
    o.unicode = unicode;
    o.max_depth = sh->json ? 0 : max > 40 ? max : 40;   /* what is deeper would be cut off: every level prints something */
    Buf b = {0};
    lang_print_at(sh->c, root, p->slots, p->length, &o, &b);
    elide(sh, &b, max);
    return buf_take(&b, sh->scratch);
}

const char *show_short(Shell *sh, const Term *root, const Path *p, int max) { return one_line(sh, root, p, max, shell_unicode(sh)); }
const char *show_typed(Shell *sh, const Term *root, const Path *p, int max) { return one_line(sh, root, p, max, false); }

/* ---- how far what takes long is: lines on a terminal that are written over, and gone when it ends ---- */

bool shows_progress(const Shell *sh) { return sh->streams && isatty(STDERR_FILENO); }

void show_progress(Shell *sh, const char *text)
{
    if (!shows_progress(sh)) return;
    int width = show_width(sh);
    if (sh->progress_lines > 1) fprintf(stderr, "\033[%dA", sh->progress_lines - 1);
    fputs("\r\033[J", stderr);
    sh->progress_lines = 0;
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (sh->progress_lines++) putc('\n', stderr);
        shell_put(sh, stderr, show_cut(sh, arena_strndup(sh->scratch, text, n), width - 1));
    }
    fflush(stderr);
}

void show_beneath(Shell *sh, const char *line)
{
    fprintf(stderr, "\n%s\n", line);
    if (sh->progress_lines) sh->progress_lines += 2;
}

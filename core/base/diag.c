/* diag: the one error of a failing operation, with its place and notes; the tables of error and warning ids. */
#include "diag.h"
#include "text.h"

#include <string.h>
#include <strings.h>

static const struct { const char *name, *help; int code; } errors[] = {
    [E_NONE] = {"", "", 0},
#define ERROR(id, code, help) [id] = {#id, help, code},
#include "errors.def"
#undef ERROR
};

const char *error_name(ErrorId id) { return errors[id].name; }
int error_code(ErrorId id) { return errors[id].code; }
const char *error_help(ErrorId id) { return errors[id].help; }

static const struct { const char *name, *help; } warnings[] = {
#define WARNING(id, help) [id] = {#id, help},
#include "warnings.def"
#undef WARNING
};

const char *warning_name(WarningId id) { return warnings[id].name; }
const char *warning_help(WarningId id) { return warnings[id].help; }

WarningId warning_from_name(const char *name, size_t len)
{
    int i = 0;
    while (i < WARNING_COUNT && (strlen(warnings[i].name) != len || strncasecmp(warnings[i].name, name, len))) i++;
    return (WarningId)i;
}

Diag diag_new(void) { return (Diag){.arena = arena_new()}; }

void diag_free(Diag *d)
{
    arena_free(d->arena);
    *d = (Diag){0};
}

void diag_clear(Diag *d)
{
    Arena *arena = d->arena;
    arena_reset(arena);
    *d = (Diag){.arena = arena};
}

Diag diag_aside(Diag *d)
{
    Diag aside = *d;
    *d = diag_new();
    return aside;
}

void diag_back(Diag *d, Diag aside)
{
    diag_free(d);
    *d = aside;
}

bool diag_failed(const Diag *d) { return d && d->id != E_NONE; }

bool diag_error_at(Diag *d, ErrorId id, const Source *s, Span span, const char *fmt, ...)
{
    if (!d || d->id != E_NONE) return false;
    d->id = id;
    d->source = s;
    d->span = span;
    d->message = FORMATTED(d->arena, fmt);
    return true;
}

void diag_note(Diag *d, const char *label, const char *fmt, ...)
{
    if (!d || d->note_count == DIAG_NOTES) return;
    d->notes[d->note_count].label = arena_strdup(d->arena, label);
    d->notes[d->note_count++].text = FORMATTED(d->arena, fmt);
}

bool diag_fail(Diag *d, ErrorId id, const char *fmt, ...)
{
    enum { END = '\x1f' };               /* of a line, lest one in an argument be taken for it */
    if (!d || d->id != E_NONE) return false;
    char *line = arena_strdup(d->arena, fmt);
    for (char *p = line; (p = strchr(p, '\n'));) *p = END;
    WITH_ARGS(fmt, ap, line = arena_vprintf(d->arena, line, ap));
    d->id = id;
    d->message = line;
    while ((line = strchr(line, END))) {
        *line++ = 0;
        size_t label = strcspn(line, " ");
        diag_note(d, arena_strndup(d->arena, line, label), "%.*s", (int)strcspn(line + label + 1, "\x1f"), line + label + 1);
    }
    return false;
}

void diag_copy(Diag *to, const Diag *from)
{
    diag_clear(to);
    Arena *arena = to->arena;
    *to = *from;
    to->arena = arena;
    if (from->message) to->message = arena_strdup(arena, from->message);
    for (int i = 0; i < from->note_count; i++) {
        to->notes[i].label = arena_strdup(arena, from->notes[i].label);
        to->notes[i].text = arena_strdup(arena, from->notes[i].text);
    }
    if (!from->source) return;
    Source *s = MAKE(arena, Source, .name = arena_strdup(arena, from->source->name),
                     .text = arena_strndup(arena, from->source->text, from->source->len), .len = from->source->len);
    to->source = s;
}

void source_position(const Source *s, uint32_t offset, int *line, int *column)
{
    *line = *column = 1;
    for (uint32_t i = 0; i < offset && i < s->len; i++) {
        (*column)++;
        if (s->text[i] == '\n') {
            (*line)++;
            *column = 1;
        }
    }
}

enum { CARET_WIDTH = 100 };      /* longest part of a source line that is shown */

static void render_caret(const Diag *d, Buf *out)
{
    const Source *s = d->source;
    int line, column;
    source_position(s, d->span.from, &line, &column);
    buf_printf(out, "  %s:%d:%d\n", s->name, line, column);
    size_t at = d->span.from < s->len ? d->span.from : s->len;
    size_t from = at - (size_t)(column - 1), end = from;
    while (end < s->len && s->text[end] != '\n') end++;
    if (at - from > CARET_WIDTH / 2) from = at - CARET_WIDTH / 2;
    if (end - from > CARET_WIDTH) end = from + CARET_WIDTH;
    buf_printf(out, "  | %.*s\n  | ", (int)(end - from), s->text + from);
    for (size_t i = from; i < at;) {
        const char *tab = memchr(s->text + i, '\t', at - i);
        size_t n = tab ? (size_t)(tab - s->text) - i : at - i;
        buf_printf(out, "%*s%s", text_width_of(s->text + i, n), "", tab ? "\t" : "");
        i += n + (tab != NULL);
    }
    buf_putc(out, '^');
    size_t last = d->span.to < end ? d->span.to : end;
    for (int n = last > at ? text_width_of(s->text + at, last - at) : 0; n > 1; n--) buf_putc(out, '~');
    buf_putc(out, '\n');
}

void diag_render(const Diag *d, Buf *out)
{
    if (!diag_failed(d)) return;
    buf_printf(out, "%s %s\n", error_name(d->id), d->message);
    enum { LABEL = 7, MOST = 24 };        /* labels that are places stand above each other, unless one is very long */
    int column = LABEL;
    for (int i = 0; i < d->note_count; i++) {
        int n = (int)strlen(d->notes[i].label);
        if (*d->notes[i].label == '/' && n > column && n <= MOST) column = n;
    }
    if (d->source) render_caret(d, out);
    for (int i = 0; i < d->note_count; i++)
        buf_printf(out, "  %-*s %s\n", *d->notes[i].label == '/' ? column : LABEL, d->notes[i].label, d->notes[i].text);
}

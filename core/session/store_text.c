/* store_text: records of session files as text. */
#include "store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_DIGITS = 8, CHECK_LENGTH = CHECK_DIGITS + 3 };      /* "  #1a2b3c4d" */

/* ---- writing ---- */

static void put_value(Buf *b, const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@/+-:,*";
    if (*s && !s[strspn(s, plain)]) {
        buf_puts(b, s);
        return;
    }
    buf_putc(b, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') buf_printf(b, "\\%c", c);
        else if (c == '\n') buf_puts(b, "\\n");
        else if (c == '\t') buf_puts(b, "\\t");
        else if (c < ' ' || c == 127) buf_printf(b, "\\x%02x", c);
        else buf_putc(b, *s);
    }
    buf_putc(b, '"');
}

void record_begin(RecordText *r, const char *kind)
{
    buf_clear(&r->head);
    buf_clear(&r->lines);
    buf_puts(&r->head, kind);
}

void record_word(RecordText *r, const char *word)
{
    buf_putc(&r->head, ' ');
    put_value(&r->head, word);
}

void record_pair(RecordText *r, const char *key, const char *value)
{
    buf_printf(&r->head, " %s=", key);
    put_value(&r->head, value);
}

void record_printf(RecordText *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_putc(&r->head, ' ');
    buf_vprintf(&r->head, fmt, ap);
    va_end(ap);
}

void record_line(RecordText *r, const char *text, size_t n)
{
    buf_puts(&r->lines, n ? "| " : "|");
    buf_write(&r->lines, text, n);
    buf_putc(&r->lines, '\n');
}

void record_text(RecordText *r, const char *text)
{
    for (;;) {
        size_t n = strcspn(text, "\n");
        record_line(r, text, n);
        if (!text[n]) return;
        text += n + 1;
    }
}

static uint32_t checksum(const char *head, size_t head_len, const char *lines, size_t lines_len)
{
    return (uint32_t)hash_bytes(hash_bytes(STORE_FORMAT, head, head_len), lines, lines_len);
}

void record_end(RecordText *r, Buf *out)
{
    const char *lines = buf_text(&r->lines);
    buf_printf(out, "%s  #%08x\n%s", buf_text(&r->head), checksum(r->head.data, r->head.len, lines, r->lines.len), lines);
    buf_clear(&r->head);
    buf_clear(&r->lines);
}

void record_free(RecordText *r)
{
    buf_free(&r->head);
    buf_free(&r->lines);
}

/* ---- reading ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A value at *p, plain or quoted; *p moves behind it. NULL: a quote is not closed. */
static const char *take_value(Arena *arena, const char **p)
{
    const char *s = *p;
    if (*s != '"') {
        size_t n = strcspn(s, " ");
        *p = s + n;
        return arena_strndup(arena, s, n);
    }
    char *out = arena_strdup(arena, s), *to = out;
    for (s++; *s && *s != '"'; s++) {
        if (*s != '\\') {
            *to++ = *s;
            continue;
        }
        if (!*++s) return NULL;
        bool hex = *s == 'x' && hex_digit(s[1]) >= 0 && hex_digit(s[2]) >= 0;
        *to++ = *s == 'n' ? '\n' : *s == 't' ? '\t' : hex ? (char)(hex_digit(s[1]) << 4 | hex_digit(s[2])) : *s;
        s += hex ? 2 : 0;
    }
    *to = 0;
    if (!*s) return NULL;
    *p = s + 1;
    return out;
}

static bool split_head(Arena *arena, const char *head, Record *out)
{
    int most = 1;
    for (const char *p = head; *p; p++) most += *p == ' ';
    out->words = NEW_ARRAY(arena, const char *, most);
    out->keys = NEW_ARRAY(arena, const char *, most);
    out->values = NEW_ARRAY(arena, const char *, most);
    const char *p = head;
    out->kind = take_value(arena, &p);
    while (out->kind && *p) {
        if (*p++ != ' ') return false;
        /* Length of KEY in KEY=..., 0: it is a word. */
        size_t m = strspn(p, "abcdefghijklmnopqrstuvwxyz");
        size_t n = p[m] == '=' ? m : 0;
        const char *key = n ? arena_strndup(arena, p, n) : NULL;
        p += n ? n + 1 : 0;
        const char *value = take_value(arena, &p);
        if (!value) return false;
        if (key) out->keys[out->pair_count] = key, out->values[out->pair_count++] = value;
        else out->words[out->word_count++] = value;
    }
    return out->kind && *out->kind;
}

/* The end of the line at `at`, where its line break or the end of the text is. */
static size_t line_end(const RecordReader *r, size_t at)
{
    const char *end = memchr(r->text + at, '\n', r->len - at);
    return end ? (size_t)(end - r->text) : r->len;
}

/* Collect the continuation lines; returns the end of the record, behind its last line break. */
static size_t take_lines(RecordReader *r, size_t at, Record *out)
{
    int n = 0;
    size_t end = at;
    while (end < r->len && r->text[end] == '|') {
        end = line_end(r, end);
        end += end < r->len;
        n++;
    }
    out->lines = NEW_ARRAY(r->arena, const char *, n);
    for (size_t p = at; out->line_count < n;) {
        size_t stop = line_end(r, p), from = p + 1 + (p + 1 < stop && r->text[p + 1] == ' ');
        out->lines[out->line_count++] = arena_strndup(r->arena, r->text + from, stop > from ? stop - from : 0);
        p = stop + 1;
    }
    return end;
}

bool record_next(RecordReader *r, Record *out, const char **why)
{
    *out = (Record){.kind = "", .line = r->line + 1};
    *why = NULL;
    if (r->at >= r->len) return false;
    size_t to = line_end(r, r->at), body = to + (to < r->len), end = take_lines(r, body, out), n = to - r->at;
    const char *head = r->text + r->at;
    char check[CHECK_DIGITS + 1] = "";
    bool has_check = n > CHECK_LENGTH && !strncmp(head + n - CHECK_LENGTH, "  #", 3);
    if (has_check) snprintf(check, sizeof check, "%08x", checksum(head, n - CHECK_LENGTH, r->text + body, end - body));
    if (end == 0 || r->text[end - 1] != '\n') *why = "the file ends in the middle of it";
    else if (!has_check) *why = "it has no checksum";
    else if (memcmp(check, head + n - CHECK_DIGITS, CHECK_DIGITS)) *why = "its checksum does not fit";
    else if (memchr(head, 0, end - r->at)) *why = "it holds a NUL byte";
    else if (!split_head(r->arena, arena_strndup(r->arena, head, n - CHECK_LENGTH), out)) *why = "it is not well formed";
    if (*why) out->kind = "";
    r->at = end;
    r->line += 1 + out->line_count;
    return true;
}

const char *record_value(const Record *r, const char *key)
{
    int i = text_index(r->keys, r->pair_count, key);
    return i < 0 ? NULL : r->values[i];
}

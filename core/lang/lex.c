/* lex: one token at a time. The only context is the byte before a `.` or `[`: a projection or an index, or not. */
#include "scalars.h"
#include "syntax.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

typedef struct Lex {
    const Source *source;
    Interns *names;
    Diag *diag;             /* may be NULL */
    uint32_t from, at;      /* the token so far is [from, at) */
} Lex;

static const char *const keywords[] = {"let", "in", "if", "then", "else", "with", "param", "true", "false"};

/* Of those that begin alike the longest first: the first that fits is the token. */
static const char *const operators[] = {
    "(", ")", ",", "<=>", "..", "->", "=>", "|>", "//", "==", "!=", "<=", ">=", "&&", "||", "[", "]", "{", "}",
    ".", ":", "=", "\\", "$", "+",  "-",  "*",  "/",  "%",  "<",  ">",  "!",
};

static const struct { const char *text, *op; } spelt_otherwise[] = {
    {"\xce\xbb", "\\"}, {"\xe2\x88\x98", "."}, {"\xe2\x86\x92", "->"},      /* λ ∘ → */
    {"**", "pow"}, {"^", "pow"},
};

static bool digit(int c) { return c >= '0' && c <= '9'; }
static bool letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool word(int c) { return letter(c) || digit(c); }

/* The byte at an offset, or -1 behind the end (a NUL inside the text is a byte like any other). */
static int byte_at(const Source *s, uint32_t at) { return at < s->len ? (unsigned char)s->text[at] : -1; }
static int byte(const Lex *l) { return byte_at(l->source, l->at); }

static bool text_is(const char *text, size_t len, const char *what)
{
    return strlen(what) == len && memcmp(text, what, len) == 0;
}

static bool keyword(const char *text, size_t len)
{
    return ANY(i, COUNT(keywords), *text == *keywords[i] && text_is(text, len, keywords[i]));
}

const char *lex_keyword(int i) { return i < COUNT(keywords) ? keywords[i] : NULL; }

static bool looking_at(const Lex *l, const char *what)
{
    size_t n = strlen(what);
    return l->source->len - l->at >= n && memcmp(l->source->text + l->at, what, n) == 0;
}

static Token token(const Lex *l, TokenKind kind) { return (Token){.kind = kind, .span = {l->from, l->at}}; }

static Token token_text(Lex *l, TokenKind kind, const char *text, size_t len)
{
    Token t = token(l, kind);
    t.text = intern_n(l->names, text, len);
    return t;
}

/* A TOK_ERROR from l->from to l->at. */
static Token PRINTF_LIKE(4, 5) bad(Lex *l, ErrorId id, const char *needs, const char *fmt, ...)
{
    Token t = token(l, TOK_ERROR);
    if (!l->diag) return t;
    char message[160];
    WITH_ARGS(fmt, ap, vsnprintf(message, sizeof message, fmt, ap));
    if (diag_error_at(l->diag, id, l->source, t.span, "%s", message) && needs) diag_note(l->diag, "needs", "%s", needs);
    return t;
}

/* The start of the token for messages, cut to a width that fits into `bad`. */
static const char *shown(const Lex *l) { return l->source->text + l->from; }
static int width(const Lex *l) { return l->at - l->from < 40 ? (int)(l->at - l->from) : 40; }

static void skip_space(Lex *l)
{
    if (l->at == 0 && looking_at(l, "\xef\xbb\xbf")) l->at = 3;      /* a byte order mark */
    for (int c = byte(l); c != -1; c = byte(l)) {
        if (c == '#')
            while (byte(l) != -1 && byte(l) != '\n') l->at++;
        else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
            l->at++;
        else
            return;
    }
}

/* Does a name, `)`, `]` or projection end right before this offset? In `p.0.1` every point is a projection, in `1.5.2`
 * none is: runs of digits behind points are followed back to what they start with. */
static bool after_postfix(const Source *s, uint32_t at)
{
    for (;;) {
        int c = at > 0 ? byte_at(s, at - 1) : -1;
        if (c == ')' || c == ']' || c == '}') return true;
        uint32_t from = at;
        while (from > 0 && word(byte_at(s, from - 1))) from--;
        if (from == at) return false;
        if (letter(byte_at(s, from))) return !keyword(s->text + from, at - from);
        if (from == 0 || byte_at(s, from - 1) != '.') return false;
        at = from - 1;
    }
}

static Token name(Lex *l)
{
    while (word(byte(l))) l->at++;
    const char *text = shown(l);
    size_t len = l->at - l->from;
    if (text_is(text, len, "_")) return token_text(l, TOK_OP, text, len);
    return token_text(l, keyword(text, len) ? TOK_KEYWORD : TOK_NAME, text, len);
}

static void digits(Lex *l)
{
    while (digit(byte(l))) l->at++;
}

static unsigned digit_value(int c) { return (unsigned)(digit(c) ? c - '0' : (c | 0x20) - 'a' + 10); }

/* The digits from an offset to l->at as a number, of that base; false above most. */
static bool integer(const Lex *l, uint32_t from, unsigned base, uint64_t most, int64_t *out)
{
    uint64_t n = 0;
    for (uint32_t i = from; i < l->at; i++)
        if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, digit_value(byte_at(l->source, i)), &n)) return false;
    *out = (int64_t)n;
    return n <= most;
}

/* Text that runs on behind a number without being a suffix: 12abc, 1e. */
static Token runs_on(Lex *l)
{
    while (word(byte(l))) l->at++;
    const bool binary = *shown(l) == '0' && (byte_at(l->source, l->from + 1) | 0x20) == 'b', parted = memchr(shown(l), '_', l->at - l->from) != NULL;
    return bad(l, E03, binary ? "hexadecimal digits: 0b1010 is 0xA" : parted ? "its digits alone: 1000 for 1_000"
               : "a space behind the number, or a numeric type as a suffix: 3i64, 1.5f16",
               "`%.*s` is neither a number nor a name", width(l), shown(l));
}

/* [ "." digits ] [ "e" [ sign ] digits ]; false when there is neither. */
static bool fraction(Lex *l)
{
    uint32_t at = l->at;
    if (byte(l) == '.' && digit(byte_at(l->source, at + 1))) {
        l->at++;
        digits(l);
    }
    uint32_t e = l->at;
    if (byte(l) != 'e' && byte(l) != 'E') return l->at > at;
    int sign = byte_at(l->source, e + 1);
    uint32_t first = sign == '+' || sign == '-' ? e + 2 : e + 1;
    if (!digit(byte_at(l->source, first))) return l->at > at;
    l->at = first;
    digits(l);
    return true;
}

/* Sets t->suffix from the word at l->at; false when that word is no suffix or does not suit a float. */
static bool suffix(Lex *l, Token *t)
{
    uint32_t from = l->at;
    while (word(byte(l))) l->at++;
    for (Scalar s = 0; s < SC_COUNT; s++) {
        if (!scalar_is_numeric(s) || !text_is(l->source->text + from, l->at - from, scalar_name(s))) continue;
        t->suffix = 1 + (int)s;
        return t->kind == TOK_INT || scalar_is_float(s);
    }
    return l->at == from;
}

static Token number(Lex *l)
{
    bool hex = byte(l) == '0' && (byte_at(l->source, l->at + 1) | 0x20) == 'x' && isxdigit(byte_at(l->source, l->at + 2));
    if (hex) l->at += 2;
    while (hex ? isxdigit(byte(l)) : digit(byte(l))) l->at++;
    Token t = {.kind = TOK_INT}, wide = t;
    unsigned base = hex ? 16 : 10;
    uint32_t from = l->from + (hex ? 2 : 0);
    bool fits = integer(l, from, base, INT64_MAX, &t.ival), bits = !fits && integer(l, from, base, UINT64_MAX, &wide.ival);
    if (!hex && fraction(l)) {
        /* The point is a point in every locale. */
        const char *text = shown(l);
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        double value = strtod_l(text, NULL, c);
        freelocale(c);
        t = (Token){.kind = TOK_FLOAT, .fval = value};
        fits = isfinite(t.fval);
    }
    bool suits = suffix(l, &t);
    if (!suits && !t.suffix) return runs_on(l);
    if (!suits)
        return bad(l, E03, "bf16, f16, f32 or f64", "the float `%.*s` has an integer suffix", width(l), shown(l));
    if (bits && t.suffix == 1 + SC_U64) t.ival = wide.ival;
    else if (!fits) return bad(l, E08, bits && !t.suffix ? "the suffix u64 above 9223372036854775807" : NULL,
                               "the number `%.*s` is too large: the most is %s", width(l), shown(l), t.kind == TOK_FLOAT ? "1.8e308"
                               : t.suffix == 1 + SC_U64 ? "2^64 - 1" : "2^63 - 1");
    t.span = (Span){l->from, l->at};
    return t;
}

/* What somebody may have meant by a character that starts no token. */
static const char *meant(int c)
{
    switch (c) {
    case '&': return "`&&` (and), or `band a b` on integers";
    case '|': return "`||` (or), `|>` (pipe), or `bor a b` on integers; an element for each of xs is map (\\x -> e) xs";
    case '\'': return "names of letters, digits and `_`; a character is its number, 97 for a; primes quote patterns in the shell";
    case '`': return "the function in front of its arguments: max a b";
    case '"': return "no quotes: the language has no text values; bytes are numbers, [N]u8";
    case '~': return "`bxor a (-1)` has every bit of an integer the other way, `!a` negates a bool";
    case '@': return "`matmul A B` of matrices, `map (dot x) A` of a matrix and a vector";
    case '?': return "`if c then a else b`";
    case ';': return "nothing: declarations and rules have no mark at their end; a `let` in an expression ends with `in`";
    default: return NULL;
    }
}

static Token operator(Lex *l)
{
    if (looking_at(l, "<- ")) {               /* `x<-1` compares */
        l->at += 2;
        return bad(l, E03, "`x with [i] = v` for x with another element i, `let x = e in` for a name; x < -1 compares", "`<-` sets nothing");
    }
    for (int i = 0; i < COUNT(spelt_otherwise); i++) {
        const char *text = spelt_otherwise[i].text, *op = spelt_otherwise[i].op;
        if (*text != *shown(l) || !looking_at(l, text)) continue;
        l->at += (uint32_t)strlen(text);
        return token_text(l, TOK_OP, op, strlen(op));
    }
    for (int i = 0; i < COUNT(operators); i++) {
        if (*operators[i] != *shown(l) || !looking_at(l, operators[i])) continue;      /* most are not it: starting lathe reads some hundred rules */
        l->at += (uint32_t)strlen(operators[i]);
        return token_text(l, TOK_OP, operators[i], strlen(operators[i]));
    }
    int c = byte(l);
    ucs4_t point;
    int n = u8_mbtoucr(&point, (const uint8_t *)shown(l), l->source->len - l->at);
    l->at += n > 0 ? (uint32_t)n : 1;
    if (n < 1) return bad(l, E03, NULL, "the byte 0x%02x is not UTF-8 text", (unsigned)c);
    if (c == '\'' && word(byte_at(l->source, l->from - 1)))
        return bad(l, E03, "letters, digits and `_`: x2, x_next", "a name has no primes");
    if (c < 0x20 || c == 0x7f) return bad(l, E03, NULL, "there is a control character 0x%02x in the text", (unsigned)c);
    if (n > 1) return bad(l, E03, NULL, "`%.*s` (U+%04X) starts nothing in this language", width(l), shown(l), (unsigned)point);
    return bad(l, E03, meant(c), "`%c` starts nothing in this language", c);
}

static Token point(Lex *l)
{
    if (looking_at(l, "...")) {
        while (byte(l) == '.') l->at++;
        return bad(l, E03, "two: `xs..`", "a spread is not written with %u points", (unsigned)(l->at - l->from));
    }
    if (letter(byte_at(l->source, l->at + 1)) && after_postfix(l->source, l->at)) {
        l->at++;
        while (word(byte(l))) l->at++;
        return token_text(l, TOK_FIELD, shown(l) + 1, l->at - l->from - 1);
    }
    if (!digit(byte_at(l->source, l->at + 1))) return operator(l);
    if (!after_postfix(l->source, l->at)) {
        /* Points that are neither a projection nor a composition. */
        l->at++;
        digits(l);
        return bad(l, E03, "digits on both sides of a float's point, or a projection right behind its tuple: p.0, as a function \\p -> p.0",
                   "`%.*s` is neither a float nor a projection", width(l), shown(l));
    }
    /* ".3" at a place where it projects. */
    l->at++;
    digits(l);
    Token t = token(l, TOK_PROJ);
    if (!integer(l, l->from + 1, 10, INT64_MAX, &t.ival))
        return bad(l, E08, NULL, "the component number `%.*s` is too large: 2^63 - 1 at most", width(l), shown(l));
    return word(byte(l)) ? runs_on(l) : t;
}

Token lex_token(const Source *s, uint32_t *offset, Interns *names, Diag *diag)
{
    Lex l = {s, names, diag, 0, *offset};
    skip_space(&l);
    l.from = l.at;
    int c = byte(&l);
    Token t;
    if (c == -1) t = token(&l, TOK_END);
    else if (letter(c)) t = name(&l);
    else if (digit(c)) t = number(&l);
    else if (c == '.') t = point(&l);
    else t = operator(&l);
    if (c == '[' && after_postfix(s, l.from)) t.kind = TOK_INDEX;
    *offset = l.at;
    return t;
}

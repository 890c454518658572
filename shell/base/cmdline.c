/* cmdline: command lines: cutting them into commands and words. */
#include "cmdline.h"
#include "text.h"

#include <ctype.h>
#include <string.h>

enum { NEST_KNOWN = 64 };

/* What is open at a point of a text. */
typedef struct Nest {
    int depth;                           /* brackets */
    char quote;                          /* 0: none */
    const char *opened[NEST_KNOWN], *quoted;     /* where: the first brackets, the quote */
} Nest;

/* Take in the character at *s; returns how many characters that was: 2 for a backslash pair in quotes, all of a vector. */
static int nest_step(Nest *n, const char *s)
{
    char c = *s;
    if (n->quote) {
        if (c == '\\' && s[1]) return 2;
        if (c == n->quote) n->quote = 0;
    } else if (c == '"' || c == '\'') {
        n->quote = c;
        n->quoted = s;
    } else if (strchr("([{", c)) {
        if (n->depth < NEST_KNOWN) n->opened[n->depth] = s;
        n->depth++;
    } else if (strchr(")]}", c) && n->depth > 0) {
        n->depth--;
    } else if (c == '<') {
        /* The length of a short vector of values, "<0, 1>", that starts there; 0: none does. */
        int m = *s == '<' && s[1] != ' ';
        bool comma = false;
        for (; m && (isalnum((unsigned char)s[m]) || (s[m] && strchr("+-., ", s[m]))); m++) comma |= s[m] == ',';
        int vector = comma && s[m] == '>' ? m + 1 : 0;
        return vector ? vector : 1;
    }
    return 1;
}

static bool nest_open(const Nest *n) { return n->depth > 0 || n->quote; }

/* The end of the verb that starts at s. */
static size_t verb_length(const char *s)
{
    if (*s == '!' || *s == '=') return 1;
    size_t n = 0;
    Nest nest = {0};
    if (*s && strchr("'\"@/:$.", *s)) {        /* a place or a version, which is no command: all of it is named */
        while (s[n] && (nest_open(&nest) || (!is_blank(s[n]) && !strchr(";|>#", s[n])))) n += (size_t)nest_step(&nest, s + n);
        return n;
    }
    while (s[n] && !is_blank(s[n]) && !strchr(";|>#()[]{}\"'=/@", s[n])) n++;
    return n ? n : 1;
}

/* Cut a tail that is shell syntax: returns where it ends; *stop is ; | > # or 0. */
static size_t tail_end(const char *s, size_t at, bool comments, Nest *nest, char *stop)
{
    bool word_start = true;
    for (*stop = 0; s[at];) {
        if (!nest_open(nest)) {
            char c = s[at], next = s[at + 1];
            if ((c == '|' && (next == '|' || next == '>')) || (c == '-' && next == '>') || (c == '=' && next == '>') || (c == '>' && next == '=')) {
                word_start = false;      /* an operator of the language, not of the shell */
                at += 2;
                continue;
            }
            if (strchr(";|>", c) || (c == '#' && comments && word_start)) return *stop = c, at;
        }
        word_start = is_blank(s[at]);
        at += (size_t)nest_step(nest, s + at);
    }
    return at;
}

/* `> file`, `>> file` or `| prog` at *at. */
static void redirect(Arena *arena, const char *line, size_t *at, Piece *out, Diag *diag)
{
    out->redirect = line[*at] == '|' ? TO_PIPE : line[*at + 1] == '>' ? TO_APPEND : TO_FILE;
    size_t from = *at + (out->redirect == TO_APPEND ? 2 : 1), end = from;
    Nest nest = {0};
    while (line[end] && (nest_open(&nest) || line[end] != ';')) end += (size_t)nest_step(&nest, line + end);
    out->target = arena_trimmed(arena, line + from, line + end);
    if (out->redirect != TO_PIPE) out->target = line_word(arena, out->target, 0, (int)strlen(out->target));
    bool number = out->redirect != TO_PIPE && out->command && out->command->tail == TAIL_EXPRESSION
                  && *out->target && strspn(out->target, "0123456789. ") == strlen(out->target);
    if (number && diag_error(diag, E03, "a > in an expression stands in brackets: (x > %s)", out->target))
        diag_note(diag, "hint", "a file that is called so is ./%s", out->target);
    if (!*out->target)
        diag_error(diag, E03, out->redirect == TO_PIPE ? "a program is missing after |" : "a file name is missing after >");
    *at = end + (line[end] == ';');
}

static size_t skip_blanks(const char *s, size_t at)
{
    while (is_blank(s[at])) at++;
    return at;
}

typedef struct Cut {                     /* a command of a line */
    size_t verb, end;                    /* behind its verb, its tail */
    const Command *command;              /* NULL: no such command */
    Tail tail;
    char stop;                           /* what it ends with: ; | > # or 0 */
    Nest nest;                           /* what is open there */
} Cut;

static Cut cut(const Shell *sh, const char *line, size_t at, Diag *diag)
{
    char verb[64] = "";
    size_t n = line[at] ? verb_length(line + at) : 0;
    Cut c = {.verb = at + n};
    bool alone = line[at] == '!' || line[at] == '=';         /* whole commands of their own */
    memcpy(verb, line + at, n < sizeof verb ? n : sizeof verb - 1);
    /* Control bytes as ?, so that a message about a text never disturbs the terminal. */
    for (char *p = verb; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127) *p = '?';
    c.command = alone ? NULL : command_find(sh, verb, diag);
    c.tail = alone ? TAIL_RAW : c.command ? c.command->tail : TAIL_WORDS;
    c.end = c.tail >= TAIL_RAW ? strlen(line) : tail_end(line, c.verb, c.tail != TAIL_STRATEGY, &c.nest, &c.stop);
    return c;
}

const char *line_verb(Arena *arena, const char *line, size_t at, const char **tail, size_t *end)
{
    at = skip_blanks(line, at);
    while (line[at] == ';') at = skip_blanks(line, at + 1);
    if (!line[at] || line[at] == '#') return NULL;
    size_t verb = at + verb_length(line + at), stop = verb;
    Nest nest = {0};
    for (bool word_start = false; line[stop] && (nest_open(&nest) || line[stop] != ';');) {
        if (!nest_open(&nest) && word_start && line[stop] == '#') break;
        word_start = is_blank(line[stop]);
        stop += (size_t)nest_step(&nest, line + stop);
    }
    *tail = arena_trimmed(arena, line + verb, line + stop);
    *end = line[stop] == '#' ? strlen(line) : stop + (line[stop] == ';');
    return arena_strndup(arena, line + at, verb - at);
}

bool line_next(const Shell *sh, Arena *arena, const char *line, size_t *at, Piece *out, Diag *diag)
{
    *out = (Piece){0};
    size_t from = *at = skip_blanks(line, *at);
    while (line[from] == ';') from = skip_blanks(line, from + 1);
    if (!line[from] || line[from] == '#') return *at = strlen(line), false;
    const Cut c = cut(sh, line, from, diag);
    out->verb = arena_strndup(arena, line + from, c.verb - from);
    out->command = c.command;
    out->text = arena_trimmed(arena, line + from, line + c.end);
    out->rest = arena_trimmed(arena, line + c.verb, line + c.end);
    *at = c.stop == '#' ? strlen(line) : c.end + (c.stop == ';');
    if (nest_open(&c.nest)) {
        /* The quote or the innermost bracket that is open. */
        out->open = c.nest.quote ? c.nest.quoted : c.nest.opened[c.nest.depth <= NEST_KNOWN ? c.nest.depth - 1 : NEST_KNOWN - 1];
        diag_error(diag, E03, "the %s %c is not closed", c.nest.quote ? "quote" : "bracket", *out->open);
    }
    if (c.stop == '|' || c.stop == '>') redirect(arena, line, at, out, diag);
    return true;
}

/* Does the parser's first error stand at the end of the text? */
static bool parse_incomplete(const char *text, bool rule)
{
    Interns *names = interns_new();
    LOCAL(drop_arena) Arena *arena = arena_new();
    Diag diag = diag_new();
    Parser p = {arena, names, &diag, false};
    Source source = {rule ? "rule" : "let", text, strlen(text)};
    bool ok = rule ? parse_rule(&p, &source) != NULL : parse_decl(&p, &source) != NULL;
    diag_free(&diag);
    interns_free(names);
    return !ok && p.at_end;
}

static bool declaration_incomplete(Shell *sh, const Command *command, const char *text)
{
    bool rule = !strcmp(command->name, "rule");
    if (!strcmp(command->name, "let")) return parse_incomplete(text, false);
    Strategies *s = rule ? NULL : shell_strategies(sh);
    if (!strcmp(command->name, "lua") && s) return strategies_text_incomplete(s, text, false);
    /* `rule NAME` and `rule -d NAME` are complete: they show and take away. */
    text += strspn(text, " \t\n\r");
    size_t word = strcspn(text, " \t\n\r:(=");
    if (!*text || *text == '-' || !text[word + strspn(text + word, " \t\n\r")]) return false;
    if (rule) return parse_incomplete(text, true);
    /* macro NAME(P, ...) = STRAT, the strategy in Lua */
    const char *eq = strchr(text, '=');
    if (eq) return !eq[1 + strspn(eq + 1, " \t\n\r")] || (s && strategies_text_incomplete(s, eq + 1, true));
    Nest nest = {0};
    for (size_t at = 0; text[at];) at += (size_t)nest_step(&nest, text + at);
    return nest_open(&nest);
}

bool line_begins_command(const char *line)
{
    size_t n = isalpha((unsigned char)*line) ? verb_length(line) : 0;
    const char *next = line + skip_blanks(line, n);
    char verb[32] = "";
    if (n == 0 || n >= sizeof verb || (line[n] && !is_blank(line[n]) && line[n] != ';')) return false;
    memcpy(verb, line, n);
    const Command *c = command_find(NULL, verb, NULL);
    return c && !strcmp(c->name, verb) && (!*next || !strchr("=(,.:)*+^", *next));
}

bool line_incomplete(Shell *sh, const char *text)
{
    for (size_t at = skip_blanks(text, 0); text[at] && text[at] != '#';) {
        const Cut c = cut(NULL, text, at, NULL);
        if (c.tail == TAIL_DECLARATION) return declaration_incomplete(sh, c.command, text + c.verb);
        if (c.tail == TAIL_RAW) return false;
        if (!c.stop || c.stop == '#') return nest_open(&c.nest);
        at = skip_blanks(text, c.end + 1 + (text[c.end + 1] == '>'));
    }
    return false;
}

void line_cursor(const char *text, LineCursor *out)
{
    for (size_t at = skip_blanks(text, 0);;) {
        while (text[at] == ';') at = skip_blanks(text, at + 1);
        const Cut c = cut(NULL, text, at, NULL);
        size_t end = c.end;
        *out = (LineCursor){.rest = (int)at, .in_verb = true};
        if (!text[c.verb] && text[at] != '=' && text[at] != '!') return;
        *out = (LineCursor){.rest = (int)c.verb, .command = c.command, .lua = text[at] == '='};
        if (c.stop == '>' || c.stop == '|') {
            const char *next = strchr(text + end, ';');
            *out = (LineCursor){.rest = (int)skip_blanks(text, end + 1 + (text[end + 1] == '>')), .redirect = c.stop};
            if (!next) return;
            end = (size_t)(next - text);
        } else if (c.stop == '#') *out = (LineCursor){.rest = (int)strlen(text)};
        if (!c.stop || c.stop == '#') return;
        at = skip_blanks(text, end + 1);
    }
}

int line_words(Arena *arena, const char *text, int **starts, int **ends)
{
    int n = 0, most = (int)strlen(text) / 2 + 1;
    *starts = NEW_ARRAY(arena, int, most);
    *ends = NEW_ARRAY(arena, int, most);
    for (size_t at = skip_blanks(text, 0); text[at]; at = skip_blanks(text, at)) {
        Nest nest = {0};
        (*starts)[n] = (int)at;
        while (text[at] && (nest_open(&nest) || !is_blank(text[at]))) at += (size_t)nest_step(&nest, text + at);
        (*ends)[n++] = (int)at;
    }
    return n;
}

char *line_word(Arena *arena, const char *text, int from, int to)
{
    bool quoted = to - from >= 2 && text[from] == '"' && text[to - 1] == '"';
    char *word = arena_strndup(arena, text + from + quoted, (size_t)(to - from - 2 * quoted));
    char *end = word;
    for (const char *p = word; quoted && *p; *end++ = *p++)
        if (*p == '\\' && (p[1] == '"' || p[1] == '\\')) p++;
    if (quoted) *end = 0;
    return word;
}

/* ---- values by name ---- */

/* Where a value ends: at a comma or before the next "NAME =", outside brackets and quotes, or with the text. */
static const char *value_end(const char *text)
{
    const char *p = text;
    for (Nest nest = {0}; *p; p += nest_step(&nest, p)) {
        if (nest_open(&nest)) continue;
        size_t name = p > text && is_blank(p[-1]) ? name_length(p) : 0;
        if (*p == ',' || (name && p[name + strspn(p + name, " \t\n")] == '=')) break;
    }
    return p;
}

const char *assignment_last(const char *text)
{
    for (;;) {
        const char *eq = strchr(text, '='), *end = eq ? value_end(eq + 1) : "";
        if (!*end) return text;
        text = end + (*end == ',');
    }
}

bool arg_assignment(Shell *sh, const char **text, char **name, char **value)
{
    const char *eq = strchr(*text, '=');
    if (!eq) return false;
    const char *end = value_end(eq + 1);
    *name = arena_trimmed(sh->scratch, *text, eq);
    *value = arena_trimmed(sh->scratch, eq + 1, end);
    *text = *end == ',' ? end + 1 : end;
    bool more = **text || *end != ',';             /* a comma has something behind it */
    return more && **name && **value;
}

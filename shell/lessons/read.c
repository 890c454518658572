/* read: lesson.md as a Lesson: prose, and directives in fences.
 *
 * It is read in a copy of its text that lines and words are cut out of where they stand: a piece is a string, and where it is in the
 * source is where it is in the copy. */
#include "lesson.h"
#include "pattern.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n\v\f\r"

typedef struct Block {                   /* a fence of a directive: of its first line the directive, the rest; the lines between */
    char *word, *args, *body;
} Block;

typedef struct Reading {
    Ctx *c;
    Lesson *l;
    char *text;                          /* the copy */
    LessonPart *part;                    /* NULL before the first */
    Buf prose;                           /* of the part, or of the lesson */
    bool failed;
} Reading;

/* Of a piece of the copy. The source goes with the error: the lesson does not live as long. */
PRINTF_LIKE(3, 4) static bool fail(Reading *r, const char *piece, const char *fmt, ...)
{
    Diag *d = &r->c->diag;
    const Source *s = &r->l->source;
    uint32_t from = (uint32_t)(piece - r->text);
    if (r->failed) return false;
    const char *message = FORMATTED(r->l->arena, fmt);
    Source *copy = MAKE(d->arena, Source, arena_strdup(d->arena, s->name), arena_strndup(d->arena, s->text, s->len), s->len);
    diag_error_at(d, E80, copy, (Span){from, from + (uint32_t)strlen(piece)}, "%s", message);
    r->failed = true;
    return false;
}

/* ---- pieces ---- */

static int line_of(const Reading *r, const char *piece)
{
    int line, column;
    source_position(&r->l->source, (uint32_t)(piece - r->text), &line, &column);
    return line;
}

static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);) *--end = 0;
    return text;
}

/* What *rest begins with up to one of the characters; *rest moves behind that. */
static char *take(char **rest, const char *ends)
{
    char *piece = *rest, *end = piece + strcspn(piece, ends);
    *rest = end + (*end != 0);
    *end = 0;
    return piece;
}

/* The next word of *rest, which moves behind it and blanks; "": there is none. */
static char *take_word(char **rest)
{
    *rest = trim(*rest);
    char *word = take(rest, BLANKS);
    *rest += strspn(*rest, BLANKS);
    return word;
}

/* What stands behind that word, where the line begins with it; NULL: it does not. */
static char *behind(char *line, const char *word)
{
    size_t n = strlen(word);
    return strncmp(line, word, n) || !strchr(BLANKS, line[n]) ? NULL : line + n + strspn(line + n, BLANKS);
}

/* How many words there are, one more than `most` at most; those are put into out, as copies. */
static int words(const Reading *r, const char *text, const char **out, int most)
{
    int n = 0;
    for (size_t length; n <= most && (length = strcspn(text += strspn(text, BLANKS), BLANKS)) > 0; text += length, n++)
        if (n < most) out[n] = arena_strndup(r->l->arena, text, length);
    return n;
}

/* What stands behind the directive is its first line. Empty lines are left out; NULL: there is no more. */
static char *next_argument(Block *b)
{
    char *line = trim(b->args);
    b->args = line + strlen(line);
    while (!*line && *b->body) line = trim(take(&b->body, "\n"));
    return *line ? line : NULL;
}

/* The whole text of a block, with its argument as the first line. */
static LessonText block_text(const Reading *r, const Block *b)
{
    size_t n = strlen(b->body);
    while (n && isspace((unsigned char)b->body[n - 1])) n--;
    const char *text = arena_printf(r->l->arena, *b->args ? "%s\n%.*s" : "%s%.*s", b->args, (int)n, b->body);
    return (LessonText){text, line_of(r, *b->args ? b->args : b->body)};
}

static bool number(const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return end > text && !end[strspn(end, BLANKS)] && !errno && *out >= lo && *out <= hi;
}

static bool read_text(Reading *r, Block *b)
{
    LessonText text = block_text(r, b);
    bool hint = !strcmp(b->word, "hint");
    if (hint && !*text.text) return fail(r, b->word, "this hint is empty");
    if (hint) vec_push(&r->part->hints, text);
    else if (!strcmp(b->word, "lathe")) vec_push(&r->part->transcripts, text);
    else {                               /* several are one after the other */
        LessonText *all = !strcmp(b->word, "load") ? &r->part->load : &r->part->solution;
        if (!all->text) *all = text;
        else all->text = arena_printf(r->l->arena, "%s\n%s", all->text, text.text);
    }
    return true;
}

static bool read_entries(Reading *r, Block *b)
{
    bool allow = !strcmp(b->word, "allow");
    static const char *const kinds[] = {"rules", "macros", "commands"};
    LessonEntries *entries = r->part ? &r->part->entries : &r->l->entries;
    int any = 0;
    for (char *line; (line = next_argument(b));) {
        const char *word = take_word(&line);
        int kind = text_index(kinds, COUNT(kinds), word);
        if (kind < 0) return fail(r, word, "rules, macros or commands is wanted here");
        if (!*line) return fail(r, word, "which %s?", kinds[kind]);
        for (; *(word = take_word(&line)); any++) {
            if (kind == NAMED_COMMAND && !strchr(word, '*') && !command_find(NULL, word, NULL))
                return fail(r, word, "there is no command \"%s\"", word);
            vec_push(entries, ((LessonEntry){allow, (NamedKind)kind, word}));
        }
    }
    return any || fail(r, b->word, "%s what? rules, macros or commands, and their names", allow ? "allow" : "forbid");
}

/* ---- equiv, steps and rewrites, as directives and as goals ---- */

static bool take_count(Reading *r, const char *what, const char *text)
{
    int64_t n;
    if (!strcmp(what, "equiv")) {
        bool off = !strcmp(text, "off");
        if (!off && !number(text, 1, 100000, &n)) return fail(r, text, "equiv takes a number of trials, or off");
        return r->part->equiv = off ? 0 : (int)n, true;
    }
    bool sign = !strncmp(text, "<=", 2) && text[2];
    if (!number(text + 2 * sign, 1, 100000, &n)) return fail(r, text, "steps and rewrites take <= and a number");
    r->part->rewrites = r->part->rewrites || !strcmp(what, "rewrites");
    return r->part->steps = (int)n, true;
}

static bool read_count(Reading *r, Block *b)
{
    const char *line = next_argument(b);
    return take_count(r, b->word, line ? line : b->args);
}

/* A pattern, also in quotes; located where it does not parse. NULL: failed. */
static const char *take_pattern(Reading *r, char *text)
{
    size_t n = strlen(text);
    if (n > 1 && *text == '\'' && text[n - 1] == '\'') text[n - 1] = 0, text++, n -= 2;
    Source s = {"pattern", text, n};
    if (!n) return fail(r, text, "a pattern is missing"), NULL;
    if (pattern_parse(r->c, r->l->arena, &s)) return text;
    Diag *d = &r->c->diag;
    const char *message = arena_strdup(r->l->arena, d->message);
    if (d->source && d->span.to < n) text[d->span.to] = 0;
    if (d->source) text += d->span.from < n ? d->span.from : n;
    diag_clear(d);
    return fail(r, text, "%s", message), NULL;
}

/* ---- goals ---- */

/* "<= 0.5 x @naive"; the error is of `whole`. */
static bool take_time(Reading *r, LessonGoal *g, const char *whole, const char *text)
{
    const char *w[4];
    char *end = NULL;
    bool ok = words(r, text, w, 4) == 4 && !strcmp(w[0], "<=") && !strcmp(w[2], "x") && *w[3] == '@';
    if (ok) {
        g->factor = strtod(w[1], &end);
        g->name = w[3];
        ok = !*end && g->factor > 0;
    }
    return ok || fail(r, whole, "time takes <= FACTOR x @VERSION: time <= 0.5 x @0");
}

/* Par in time: as the goal, but it need not be reached. */
static bool read_time(Reading *r, Block *b)
{
    LessonGoal g = {0};
    const char *line = next_argument(b);
    if (!take_time(r, &g, b->word, line ? line : b->word)) return false;
    r->part->fast = g.factor;
    r->part->against = g.name;
    return true;
}

#define NAME(kind, name, words) name,
static const char *const goal_names[] = {GOALS(NAME)};
#undef NAME

/* What stands in a line behind the word of a goal. */
static bool take_goal_rest(Reading *r, LessonGoal *g, const char *line, char *rest)
{
    const char *w[2];
    char *eq = strchr(rest, '=');
    int n = words(r, rest, w, 2);
    size_t digits = strspn(rest, "0123456789abcdef");
    g->name = rest;
    switch (g->kind) {
    case GOAL_TERM: case GOAL_HAS: case GOAL_NO: return (g->name = take_pattern(r, rest)) != NULL;
    case GOAL_HASH:
        if (digits >= 4 && digits <= 16 && !rest[digits]) return true;
        return fail(r, rest, "a hash is 4 to 16 hexadecimal digits; info / prints that of a version");
    case GOAL_TRUST:
        g->value = !strcmp(rest, "builtin") ? TRUST_BUILTIN : TRUST_CHECKED;
        return g->value == TRUST_BUILTIN || !strcmp(rest, "checked") || fail(r, rest, "trust is builtin or checked");
    case GOAL_PARAM:                     /* "s0 = 4", "s0 bound", "bound" */
        if (eq) {
            *eq = 0;
            const char *value = trim(eq + 1);
            g->name = trim(rest);
            return (number(value, 1, INT64_MAX, &g->value) && *g->name) || fail(r, value, "a parameter is bound to a number from 1 on");
        }
        g->name = n == 2 ? w[0] : NULL;
        if ((n == 1 || n == 2) && !strcmp(w[n - 1], "bound")) return true;
        return fail(r, line, "param takes NAME = VALUE, NAME bound, or bound");
    case GOAL_LOWERED: case GOAL_RAN: case GOAL_ANSWER: return !n || fail(r, rest, "nothing follows here");
    case GOAL_TIME: return take_time(r, g, line, rest);
    case GOAL_CHECKED: case GOAL_REFUTED: return n == 1 || fail(r, line, "the name of one rule is wanted");
    case GOAL_EQUAL: return (*rest == '@' && rest[1]) || fail(r, rest, "a version is wanted: @0, @TAG");
    case GOAL_LUA:
        if (n != 2) return fail(r, line, "lua takes a file and the name of a function");
        g->name = w[0];
        g->function = w[1];
        return true;
    }
    return false;
}

static bool take_goal(Reading *r, char *line)
{
    LessonGoal g = {0};
    char *comment = strstr(line, " -- "), *rest = NULL;
    if (comment) {                       /* the author's words */
        g.words = trim(comment + 4);
        *comment = 0;
        line = trim(line);
    }
    g.text = arena_strdup(r->l->arena, line);
    const char *const counts[] = {"equiv", "steps"};
    for (int i = 0; i < COUNT(counts); i++)
        if ((rest = behind(line, counts[i]))) return take_count(r, counts[i], rest);
    int i = 0;
    while (i < COUNT(goal_names) && !(rest = behind(line, goal_names[i]))) i++;
    if (!rest) {
        const char *word = take_word(&line), *names = goal_names[0];
        for (i = 1; i < COUNT(goal_names); i++) names = arena_printf(r->l->arena, "%s, %s", names, goal_names[i]);
        return fail(r, word, "\"%s\" is no goal: %s", word, names);
    }
    g.kind = (GoalKind)i;
    if (!take_goal_rest(r, &g, line, rest)) return false;
    vec_push(&r->part->goals, g);
    return true;
}

static bool read_goal(Reading *r, Block *b)
{
    int n = 0;
    for (char *line; (line = next_argument(b)); n++)
        if (!take_goal(r, line)) return false;
    return n || fail(r, b->word, "this goal is empty");
}

/* ---- ask ---- */

static bool take_choices(Reading *r, LessonAsk *ask, const char *text)
{
    for (const char *from = text, *end = text; *end; from = end + 1) {
        end = from + strcspn(from, "|");
        const char *one = arena_trimmed(r->l->arena, from, end);
        if (!*one) return fail(r, text, "choices are separated by |, and none is empty");
        vec_push(&ask->choices, one);
    }
    return ask->choices.n > 1 || fail(r, text, "a choice has at least two");
}

static bool is_choice(const LessonAsk *ask, const char *text)
{
    return ANY(i, ask->choices.n, !strcasecmp(ask->choices.v[i], text));
}

/* The question, how it is answered, the answer, and what is said to it; what stands behind one of these goes on with it. */
static bool read_ask(Reading *r, Block *b)
{
    bool kind = false;                   /* how it is answered is known */
    if (r->part->ask) return fail(r, b->word, "a part asks one question");
    LessonAsk *ask = r->part->ask = NEW(r->l->arena, LessonAsk);
    const char **open = &ask->question;  /* the text that the next line may continue */
    char *answer = NULL;
    for (char *line, *rest; (line = next_argument(b));) {
        bool asked = ask->question && !kind;
        if (asked && (rest = behind(line, "choice"))) {
            if (!take_choices(r, ask, rest)) return false;
            kind = true;
        } else if (asked && (rest = behind(line, "number")) && *rest) {
            const char *dots = strstr(rest, ".."), *low = dots ? arena_strndup(r->l->arena, rest, (size_t)(dots - rest)) : NULL;
            bool ok = dots && number(low, INT64_MIN, INT64_MAX, &ask->low) && number(dots + 2, INT64_MIN, INT64_MAX, &ask->high)
                   && ask->low <= ask->high;
            if (!ok) return fail(r, rest, "number takes a range: number 0..100");
            kind = true, ask->kind = ASK_NUMBER;
        } else if (asked && !strcmp(line, "pattern")) kind = true, ask->kind = ASK_PATTERN;
        else if (kind && !answer && (rest = behind(line, "answer"))) {
            ask->answer = answer = rest;
            open = &ask->question;       /* nothing goes on with an answer */
        } else if (kind && (rest = behind(line, "because"))) ask->because = rest, open = &ask->because;
        else if (kind && (rest = behind(line, "not"))) {
            const char *colon = strstr(rest, ": ");
            if (!colon) return fail(r, rest, "not takes an answer, a colon, and what is said to it");
            vec_push(&ask->wrong, ((LessonWrong){arena_strndup(r->l->arena, rest, (size_t)(colon - rest)), colon + 2}));
            open = &ask->wrong.v[ask->wrong.n - 1].text;
        } else if (kind && open == &ask->question) return fail(r, take_word(&line), "answer, because or not is wanted here");
        else *open = *open ? arena_printf(r->l->arena, "%s\n%s", *open, line) : line;
    }
    if (!ask->question) return fail(r, b->word, "this question is empty");
    if (!kind) return fail(r, b->word, "how is it answered? choice A | B, number LO..HI, or pattern");
    if (!answer) return fail(r, b->word, "the right answer is missing: answer TEXT");
    int64_t n;
    if (ask->kind == ASK_PATTERN) return (ask->answer = take_pattern(r, answer)) != NULL;
    if (ask->kind == ASK_NUMBER) return number(answer, ask->low, ask->high, &n) || fail(r, answer, "the answer is not in the range");
    for (int i = 0; i < ask->wrong.n; i++)
        if (!is_choice(ask, ask->wrong.v[i].answer))
            return fail(r, b->word, "not %s: it is none of the choices", ask->wrong.v[i].answer);
    return is_choice(ask, answer) || fail(r, answer, "the answer is none of the choices");
}

static const char *const events[] = {[SAY_ASSUMED] = "assumed", [SAY_WRONG] = "wrong", [SAY_SAME] = "same",
                                     [SAY_STUCK] = "stuck", [SAY_REFUSED] = "refused"};

const char *lesson_event_name(LessonEvent event) { return events[event]; }

static bool read_say(Reading *r, Block *b)
{
    LessonSays *says = r->part ? &r->part->says : &r->l->says;
    const char *event = take_word(&b->args);
    int i = text_index(events, SAY_EVENTS, event);
    if (i < 0) return fail(r, *event ? event : b->word, "say-when takes assumed, wrong, same, stuck or refused");
    const char *text = block_text(r, b).text;
    if (!*text) return fail(r, b->word, "nothing is said");
    vec_push(says, ((LessonSay){(LessonEvent)i, text}));
    return true;
}

/* ---- the page ---- */

static const struct { const char *name; bool everywhere, shown; bool (*read)(Reading *r, Block *b); } directives[] = {
    {"load", .read = read_text}, {"allow", .everywhere = true, .read = read_entries},
    {"forbid", .everywhere = true, .read = read_entries}, {"goal", .read = read_goal}, {"equiv", .read = read_count},
    {"steps", .read = read_count}, {"rewrites", .read = read_count}, {"time", .read = read_time},
    {"hint", .read = read_text}, {"ask", .read = read_ask}, {"say-when", .everywhere = true, .read = read_say},
    {"solution", .read = read_text}, {"lathe", .shown = true, .read = read_text},
};

static bool is_fence(const char *line) { return !strncmp(line + strspn(line, " \t\v\f\r"), "```", 3); }

/* Whether figures are printed is for the test of a transcript; a reader's session prints them anyway. */
static void show_lines(Reading *r, const char *text)
{
    static const char times[] = "> set times ";
    for (size_t n; *text; text += n + (text[n] != 0)) {
        n = strcspn(text, "\n");
        size_t end = n;
        while (end && isspace((unsigned char)text[end - 1])) end--;
        if (!strncmp(text, times, sizeof times - 1)) continue;
        if (end) buf_printf(&r->prose, "    %.*s", (int)end, text);
        buf_putc(&r->prose, '\n');
    }
}

/* From the line of a fence to its end. One that is no directive is prose; one that looks like a misspelt directive is an error. */
static bool read_fence(Reading *r, char *open, char **rest)
{
    static const char *const languages[] = {"text", "c", "lua", "sh", "json"};
    open = trim(open);
    Block b = {.args = open + 3, .body = *rest};
    char *end = *rest;
    while (*end && !is_fence(end)) end += strcspn(end, "\n"), end += *end != 0;
    if (!*end) return fail(r, open, "this fence is not closed");
    *rest = end;
    take(rest, "\n");
    *end = 0;
    b.word = take_word(&b.args);
    int i = 0;
    while (i < COUNT(directives) && strcmp(b.word, directives[i].name)) i++;
    if (i == COUNT(directives)) {
        const char *near = NEAREST(b.word, k, COUNT(directives), directives[k].name);
        if (near) return fail(r, b.word, "no directive \"%s\"; did you mean %s?", b.word, near);
        /* What is shown as it is says so, or in which language it is; another word is for `lesson test` to refuse. */
        if (*b.word && text_index(languages, COUNT(languages), b.word) < 0)
            vec_push(&r->l->unknown, ((LessonText){b.word, line_of(r, b.word)}));
        return show_lines(r, b.body), true;
    }
    if (directives[i].shown) show_lines(r, b.body);
    if (r->part || (directives[i].everywhere && !directives[i].shown)) return directives[i].read(r, &b);
    return directives[i].shown || fail(r, b.word, "%s belongs to a part: it stands behind a line ## TITLE", directives[i].name);
}

/* Prose without empty lines at its ends, and no two in a row. */
static const char *prose_text(Reading *r)
{
    Buf out = {0};
    int empty = 0;
    for (const char *p = buf_text(&r->prose); *p; p += strcspn(p, "\n"), p += *p == '\n') {
        int n = (int)strcspn(p, "\n");
        if (n && empty && out.len) buf_putc(&out, '\n');
        empty = n ? 0 : empty + 1;
        if (n) buf_printf(&out, "%.*s\n", n, p);
    }
    const char *text = buf_take(&out, r->l->arena);
    buf_clear(&r->prose);
    return text;
}

static bool end_part(Reading *r)
{
    LessonPart *p = r->part;
    if (!p) return r->l->prose = prose_text(r), true;
    p->prose = prose_text(r);
    bool answer = ANY(i, p->goals.n, p->goals.v[i].kind == GOAL_ANSWER);
    if (answer && !p->ask) return fail(r, p->title, "its goal is an answer, and it asks nothing");
    if (p->ask && !answer) vec_push(&p->goals, ((LessonGoal){.kind = GOAL_ANSWER, .text = "answer"}));
    return p->goals.n || fail(r, p->title, "a part has a goal or asks something");
}

static bool read_line(Reading *r, char *line)
{
    if (!strncmp(line, "# ", 2) && !r->l->title) return r->l->title = trim(line + 2), true;
    if (!strncmp(line, "##", 2) && line[2] != '#') {
        const char *title = trim(line + 2);
        if (!r->l->title) return fail(r, title, "the lesson has no title: its first line is # TITLE");
        if (!end_part(r)) return false;
        r->part = MAKE(r->l->arena, LessonPart, .title = title, .line = line_of(r, line), .equiv = LESSON_TRIALS);
        vec_push(&r->l->parts, r->part);
        return *title || fail(r, title - 1, "this part has no title");
    }
    buf_printf(&r->prose, "%s\n", *trim(line) ? line : "");
    return true;
}

/* ---- the lesson ---- */

Lesson *lesson_read(Ctx *c, const char *dir)
{
    Arena *arena = arena_new();
    Lesson *l = NEW(arena, Lesson);
    Reading r = {.c = c, .l = l};
    l->arena = arena;
    l->dir = arena_strdup(arena, dir);
    l->name = strrchr(l->dir, '/') ? strrchr(l->dir, '/') + 1 : l->dir;
    l->source.name = arena_printf(arena, "%s/lesson.md", l->name);
    l->source.text = text_read(&c->diag, arena, arena_printf(arena, "%s/lesson.md", dir), c->stop, &l->source.len);
    bool ok = l->source.text;
    char *rest = r.text = arena_strndup(arena, ok ? l->source.text : "", ok ? l->source.len : 0);
    if (ok) l->hash = lesson_hash(arena, dir);
    while (ok && *rest) {
        char *line = take(&rest, "\n");
        ok = is_fence(line) ? read_fence(&r, line, &rest) : read_line(&r, line);
    }
    if (ok && !l->parts.n) *r.text = 0, ok = fail(&r, r.text, "a lesson has parts: lines ## TITLE");
    ok = ok && end_part(&r);
    buf_free(&r.prose);
    if (ok) return l;
    lesson_free(l);
    return NULL;
}

void lesson_free(Lesson *l)
{
    if (!l) return;
    for (int i = 0; i < l->parts.n; i++) {
        LessonPart *p = l->parts.v[i];
        if (p->ask) free(p->ask->choices.v), free(p->ask->wrong.v);
        free(p->goals.v), free(p->hints.v), free(p->transcripts.v), free(p->entries.v), free(p->says.v);
    }
    free(l->parts.v), free(l->unknown.v), free(l->entries.v), free(l->says.v);
    arena_free(l->arena);
}

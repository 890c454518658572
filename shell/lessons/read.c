/* read: lesson.md as a Lesson: prose, and directives in fences. */
#include "lesson.h"
#include "pattern.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {                   /* a fence of a directive */
    Span word, args, body;               /* of its first line: the directive, the rest; the lines between */
} Block;

typedef struct Reading {
    Ctx *c;
    Lesson *l;
    LessonPart *part;                    /* NULL before the first */
    Buf prose;                           /* of the part, or of the lesson */
    bool failed;
} Reading;

/* The source goes with the error: the lesson does not live as long. */
PRINTF_LIKE(3, 4) static bool fail(Reading *r, Span at, const char *fmt, ...)
{
    Diag *d = &r->c->diag;
    va_list ap;
    if (r->failed) return false;
    va_start(ap, fmt);
    const char *message = arena_vprintf(r->l->arena, fmt, ap);
    va_end(ap);
    Source *copy = NEW(d->arena, Source);
    *copy = (Source){arena_strdup(d->arena, r->l->source.name), arena_strndup(d->arena, r->l->source.text, r->l->source.len),
                     r->l->source.len};
    diag_error_at(d, E80, copy, at, "%s", message);
    r->failed = true;
    return false;
}

/* ---- pieces of the source ---- */

static const char *text_at(const Reading *r, Span at) { return r->l->source.text + at.from; }
static int length(Span at) { return (int)(at.to - at.from); }
static const char *copied(const Reading *r, Span at) { return arena_strndup(r->l->arena, text_at(r, at), at.to - at.from); }

static Span trimmed(const Reading *r, Span at)
{
    const char *text = r->l->source.text;
    while (at.from < at.to && isspace((unsigned char)text[at.from])) at.from++;
    while (at.to > at.from && isspace((unsigned char)text[at.to - 1])) at.to--;
    return at;
}

/* The next line of *rest, which moves behind it, without its end. */
static bool next_line(const Reading *r, Span *rest, Span *line)
{
    const char *text = r->l->source.text;
    if (rest->from >= rest->to) return false;
    uint32_t end = rest->from;
    while (end < rest->to && text[end] != '\n') end++;
    *line = (Span){rest->from, end};
    rest->from = end + 1;
    return true;
}

/* The next word of *rest, which moves behind it and blanks. */
static bool next_word(const Reading *r, Span *rest, Span *word)
{
    *rest = trimmed(r, *rest);
    word->from = word->to = rest->from;
    while (word->to < rest->to && !isspace((unsigned char)r->l->source.text[word->to])) word->to++;
    rest->from = word->to;
    *rest = trimmed(r, *rest);
    return word->to > word->from;
}

/* How many words there are, one more than `most` at most; those are put into out. */
static int words(const Reading *r, Span rest, Span *out, int most)
{
    Span more;
    int n = 0;
    while (n <= most && next_word(r, &rest, n < most ? &out[n] : &more)) n++;
    return n;
}

static bool is_word(const Reading *r, Span at, const char *word)
{
    return strlen(word) == (size_t)length(at) && !strncmp(text_at(r, at), word, strlen(word));
}

/* What stands behind the directive is its first line. Empty lines are left out. */
static bool next_argument(const Reading *r, Block *b, Span *line)
{
    Span one;
    *line = trimmed(r, b->args);
    b->args.from = b->args.to;
    if (length(*line)) return true;
    while (next_line(r, &b->body, &one))
        if (length(*line = trimmed(r, one))) return true;
    return false;
}

/* The whole text of a block, with its argument as the first line. */
static LessonText block_text(const Reading *r, const Block *b)
{
    Span args = trimmed(r, b->args), body = b->body;
    while (body.to > body.from && isspace((unsigned char)r->l->source.text[body.to - 1])) body.to--;
    const char *text = length(args) ? arena_printf(r->l->arena, "%.*s\n%.*s", length(args), text_at(r, args), length(body),
                                                   text_at(r, body)) : copied(r, body);
    uint32_t offset = length(args) ? args.from : body.from;
    int line, column;
    source_position(&r->l->source, offset, &line, &column);
    return (LessonText){text, line};
}

static bool number(const Reading *r, Span at, int64_t lo, int64_t hi, int64_t *out)
{
    char *end;
    const char *text = copied(r, trimmed(r, at));
    errno = 0;
    *out = strtoll(text, &end, 10);
    return *text && !*end && !errno && *out >= lo && *out <= hi;
}

static bool read_text(Reading *r, Block *b)
{
    LessonText text = block_text(r, b);
    bool hint = is_word(r, b->word, "hint");
    if (hint && !*text.text) return fail(r, b->word, "this hint is empty");
    if (hint) vec_push(&r->part->hints, text);
    else if (is_word(r, b->word, "lathe")) vec_push(&r->part->transcripts, text);
    else {                               /* several are one after the other */
        LessonText *all = is_word(r, b->word, "load") ? &r->part->load : &r->part->solution;
        if (!all->text) *all = text;
        else all->text = arena_printf(r->l->arena, "%s\n%s", all->text, text.text);
    }
    return true;
}

static bool read_entries(Reading *r, Block *b)
{
    bool allow = is_word(r, b->word, "allow");
    static const char *const kinds[] = {"rules", "macros", "commands"};
    LessonEntries *entries = r->part ? &r->part->entries : &r->l->entries;
    Span line, word;
    int any = 0;
    while (next_argument(r, b, &line)) {
        next_word(r, &line, &word);
        int kind = text_index(kinds, COUNT(kinds), copied(r, word));
        if (kind < 0) return fail(r, word, "rules, macros or commands is wanted here");
        if (!length(line)) return fail(r, word, "which %s?", kinds[kind]);
        while (next_word(r, &line, &word)) {
            if (kind == NAMED_COMMAND && !strchr(copied(r, word), '*') && !command_find(NULL, copied(r, word), NULL))
                return fail(r, word, "there is no command \"%s\"", copied(r, word));
            vec_push(entries, ((LessonEntry){allow, (NamedKind)kind, copied(r, word), word}));
            any++;
        }
    }
    return any || fail(r, b->word, "%s what? rules, macros or commands, and their names", allow ? "allow" : "forbid");
}

/* ---- equiv, steps and rewrites, as directives and as goals ---- */

static bool take_count(Reading *r, Span what, Span at)
{
    int64_t n;
    Span all = trimmed(r, at), rest = all;
    if (is_word(r, what, "equiv")) {
        bool off = is_word(r, all, "off");
        if (!off && !number(r, all, 1, 100000, &n)) return fail(r, all, "equiv takes a number of trials, or off");
        return r->part->equiv = off ? 0 : (int)n, true;
    }
    if (length(rest) > 2 && !strncmp(text_at(r, rest), "<=", 2)) rest.from += 2;
    if (!number(r, rest, 1, 100000, &n)) return fail(r, all, "steps and rewrites take <= and a number");
    r->part->rewrites = r->part->rewrites || is_word(r, what, "rewrites");
    return r->part->steps = (int)n, true;
}

static bool read_count(Reading *r, Block *b)
{
    Span line = b->word;
    next_argument(r, b, &line);
    return take_count(r, b->word, line);
}

/* A pattern, also in quotes; located where it does not parse. In the arena; NULL: failed. */
static const char *take_pattern(Reading *r, Span at)
{
    at = trimmed(r, at);
    const char *text = text_at(r, at);
    if (length(at) > 1 && text[0] == '\'' && text[length(at) - 1] == '\'') at.from++, at.to--;
    Source s = {"pattern", copied(r, at), (size_t)length(at)};
    if (!length(at)) return fail(r, at, "a pattern is missing"), NULL;
    if (pattern_parse(r->c, r->l->arena, &s)) return s.text;
    Diag *d = &r->c->diag;
    const char *message = arena_strdup(r->l->arena, d->message);
    Span where = d->source ? (Span){at.from + d->span.from, at.from + d->span.to} : at;
    if (where.to > at.to + 1) where.to = at.to + 1;
    diag_clear(d);
    return fail(r, where, "%s", message), NULL;
}

/* ---- goals ---- */

/* "<= 0.5 x @naive" */
static bool take_time(Reading *r, LessonGoal *g, Span rest)
{
    Span w[4];
    char *end = NULL;
    bool ok = words(r, rest, w, 4) == 4 && is_word(r, w[0], "<=") && is_word(r, w[2], "x") && *text_at(r, w[3]) == '@';
    if (ok) {
        const char *text = copied(r, w[1]);
        g->factor = strtod(text, &end);
        g->name = copied(r, w[3]);
        ok = *text && !*end && g->factor > 0;
    }
    return ok || fail(r, g->span, "time takes <= FACTOR x @VERSION: time <= 0.5 x @0");
}

/* Par in time: as the goal, but it need not be reached. */
static bool read_time(Reading *r, Block *b)
{
    LessonGoal g = {.span = b->word};
    Span line = b->word;
    next_argument(r, b, &line);
    if (!take_time(r, &g, line)) return false;
    r->part->fast = g.factor;
    r->part->against = g.name;
    return true;
}

#define NAME(kind, name, words) name,
static const char *const goal_names[] = {GOALS(NAME)};
#undef NAME

/* What stands behind the word of a goal. */
static bool take_goal_rest(Reading *r, LessonGoal *g, Span rest)
{
    Span w[2];
    int n = words(r, rest, w, 2);
    const char *text = copied(r, rest), *eq = memchr(text_at(r, rest), '=', (size_t)length(rest));
    size_t digits = strspn(text, "0123456789abcdef");
    g->name = text;
    switch (g->kind) {
    case GOAL_TERM: case GOAL_HAS: case GOAL_NO: return (g->name = take_pattern(r, rest)) != NULL;
    case GOAL_HASH:
        if (digits >= 4 && digits <= 16 && !text[digits]) return true;
        return fail(r, rest, "a hash is 4 to 16 hexadecimal digits; info / prints that of a version");
    case GOAL_TRUST:
        g->value = is_word(r, rest, "builtin") ? TRUST_BUILTIN : TRUST_CHECKED;
        return g->value == TRUST_BUILTIN || is_word(r, rest, "checked") || fail(r, rest, "trust is builtin or checked");
    case GOAL_PARAM:                     /* "s0 = 4", "s0 bound", "bound" */
        if (eq) {
            uint32_t at = (uint32_t)(eq - r->l->source.text);
            Span value = trimmed(r, (Span){at + 1, rest.to});
            g->name = copied(r, trimmed(r, (Span){rest.from, at}));
            return (number(r, value, 1, INT64_MAX, &g->value) && *g->name) || fail(r, value, "a parameter is bound to a number from 1 on");
        }
        g->name = n == 2 ? copied(r, w[0]) : NULL;
        if ((n == 1 || n == 2) && is_word(r, w[n - 1], "bound")) return true;
        return fail(r, g->span, "param takes NAME = VALUE, NAME bound, or bound");
    case GOAL_LOWERED: case GOAL_RAN: case GOAL_ANSWER: return !n || fail(r, rest, "nothing follows here");
    case GOAL_TIME: return take_time(r, g, rest);
    case GOAL_CHECKED: case GOAL_REFUTED: return n == 1 || fail(r, g->span, "the name of one rule is wanted");
    case GOAL_EQUAL: return (*text == '@' && text[1]) || fail(r, rest, "a version is wanted: @0, @TAG");
    case GOAL_LUA:
        if (n != 2) return fail(r, g->span, "lua takes a file and the name of a function");
        g->name = copied(r, w[0]);
        g->function = copied(r, w[1]);
        return true;
    }
    return false;
}

static bool take_goal(Reading *r, Span line)
{
    LessonGoal g = {0};
    Span word, rest;
    for (uint32_t at = line.from; at + 4 <= line.to; at++) {
        if (strncmp(r->l->source.text + at, " -- ", 4)) continue;
        Span words = trimmed(r, (Span){at + 4, line.to});        /* the author's */
        if (length(words)) g.words = copied(r, words);
        line = trimmed(r, (Span){line.from, at});
        break;
    }
    rest = g.span = line;
    g.text = copied(r, line);
    next_word(r, &rest, &word);
    if (is_word(r, word, "equiv") || is_word(r, word, "steps")) return take_count(r, word, rest);
    int i = text_index(goal_names, COUNT(goal_names), copied(r, word));
    if (i < 0) {
        const char *names = goal_names[0];
        for (i = 1; i < COUNT(goal_names); i++) names = arena_printf(r->l->arena, "%s, %s", names, goal_names[i]);
        return fail(r, word, "\"%s\" is no goal: %s", copied(r, word), names);
    }
    g.kind = (GoalKind)i;
    if (!take_goal_rest(r, &g, rest)) return false;
    vec_push(&r->part->goals, g);
    return true;
}

static bool read_goal(Reading *r, Block *b)
{
    Span line;
    int n = 0;
    for (; next_argument(r, b, &line); n++)
        if (!take_goal(r, line)) return false;
    return n || fail(r, b->word, "this goal is empty");
}

/* ---- ask ---- */

static bool take_choices(Reading *r, LessonAsk *ask, Span rest)
{
    for (uint32_t from = rest.from, i = from; i <= rest.to; i++) {
        if (i < rest.to && r->l->source.text[i] != '|') continue;
        Span one = trimmed(r, (Span){from, i});
        if (!length(one)) return fail(r, rest, "choices are separated by |, and none is empty");
        vec_push(&ask->choices, copied(r, one));
        from = i + 1;
    }
    return ask->choices.n > 1 || fail(r, rest, "a choice has at least two");
}

static bool is_choice(const LessonAsk *ask, const char *text)
{
    return ANY(i, ask->choices.n, !strcasecmp(ask->choices.v[i], text));
}

/* The question, how it is answered, the answer, and what is said to it; what stands behind one of these goes on with it. */
static bool read_ask(Reading *r, Block *b)
{
    Span line, word, answer = b->word;
    bool kind = false;                   /* how it is answered is known */
    if (r->part->ask) return fail(r, b->word, "a part asks one question");
    LessonAsk *ask = r->part->ask = NEW(r->l->arena, LessonAsk);
    const char **open = &ask->question;  /* the text that the next line may continue */
    ask->span = b->word;
    while (next_argument(r, b, &line)) {
        Span rest = line;
        next_word(r, &rest, &word);
        const char *text = copied(r, rest);
        bool asked = ask->question && !kind;
        if (asked && is_word(r, word, "choice")) {
            if (!take_choices(r, ask, rest)) return false;
            kind = true;
        } else if (asked && is_word(r, word, "number") && length(rest)) {
            const char *dots = strstr(text, "..");
            uint32_t at = rest.from + (uint32_t)(dots ? dots - text : 0);
            bool ok = dots && number(r, (Span){rest.from, at}, INT64_MIN, INT64_MAX, &ask->low)
                   && number(r, (Span){at + 2, rest.to}, INT64_MIN, INT64_MAX, &ask->high) && ask->low <= ask->high;
            if (!ok) return fail(r, rest, "number takes a range: number 0..100");
            kind = true, ask->kind = ASK_NUMBER;
        } else if (asked && is_word(r, word, "pattern") && !length(rest)) kind = true, ask->kind = ASK_PATTERN;
        else if (kind && !ask->answer && is_word(r, word, "answer")) {
            ask->answer = text, answer = rest;
            open = &ask->question;       /* nothing goes on with an answer */
        } else if (kind && is_word(r, word, "because")) ask->because = text, open = &ask->because;
        else if (kind && is_word(r, word, "not")) {
            const char *colon = strstr(text, ": ");
            if (!colon) return fail(r, rest, "not takes an answer, a colon, and what is said to it");
            vec_push(&ask->wrong, ((LessonWrong){arena_strndup(r->l->arena, text, (size_t)(colon - text)), colon + 2}));
            open = &ask->wrong.v[ask->wrong.n - 1].text;
        } else if (kind && open == &ask->question) return fail(r, word, "answer, because or not is wanted here");
        else *open = *open ? arena_printf(r->l->arena, "%s\n%.*s", *open, length(line), text_at(r, line)) : copied(r, line);
    }
    if (!ask->question) return fail(r, b->word, "this question is empty");
    if (!kind) return fail(r, b->word, "how is it answered? choice A | B, number LO..HI, or pattern");
    if (!ask->answer) return fail(r, b->word, "the right answer is missing: answer TEXT");
    int64_t n;
    if (ask->kind == ASK_PATTERN) return (ask->answer = take_pattern(r, answer)) != NULL;
    if (ask->kind == ASK_NUMBER)
        return number(r, answer, ask->low, ask->high, &n) || fail(r, answer, "the answer is not in the range");
    for (int i = 0; i < ask->wrong.n; i++)
        if (!is_choice(ask, ask->wrong.v[i].answer))
            return fail(r, ask->span, "not %s: it is none of the choices", ask->wrong.v[i].answer);
    return is_choice(ask, ask->answer) || fail(r, answer, "the answer is none of the choices");
}

static const char *const events[] = {[SAY_ASSUMED] = "assumed", [SAY_WRONG] = "wrong", [SAY_SAME] = "same",
                                     [SAY_STUCK] = "stuck", [SAY_REFUSED] = "refused"};

const char *lesson_event_name(LessonEvent event) { return events[event]; }

static bool read_say(Reading *r, Block *b)
{
    LessonSays *says = r->part ? &r->part->says : &r->l->says;
    Span event;
    next_word(r, &b->args, &event);
    int i = text_index(events, SAY_EVENTS, copied(r, event));
    if (i < 0) return fail(r, length(event) ? event : b->word, "say-when takes assumed, wrong, same, stuck or refused");
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

static bool is_fence(const Reading *r, Span line)
{
    line = trimmed(r, line);
    return length(line) >= 3 && !strncmp(text_at(r, line), "```", 3);
}

/* Whether figures are printed is for the test of a transcript; a reader's session prints them anyway. */
static void show_lines(Reading *r, Span body)
{
    static const char times[] = "> set times ";
    Span line;
    while (next_line(r, &body, &line)) {
        Span end = trimmed(r, line);
        if (!strncmp(text_at(r, line), times, sizeof times - 1)) continue;
        if (end.to > line.from) buf_printf(&r->prose, "    %.*s", (int)(end.to - line.from), text_at(r, line));
        buf_putc(&r->prose, '\n');
    }
}

/* From the line of a fence to its end. One that is no directive is prose; one that looks like a misspelt directive is an error. */
static bool read_fence(Reading *r, Span open, Span *rest)
{
    static const char *const languages[] = {"text", "c", "lua", "sh", "json"};
    Block b = {.args = trimmed(r, open)};
    Span line;
    bool closed = false;
    b.args.from += 3;
    next_word(r, &b.args, &b.word);
    b.body = (Span){rest->from, rest->from};
    while (!closed && next_line(r, rest, &line))
        if (!(closed = is_fence(r, line))) b.body.to = rest->from;
    if (!closed) return fail(r, trimmed(r, open), "this fence is not closed");
    int i = 0;
    while (i < COUNT(directives) && !is_word(r, b.word, directives[i].name)) i++;
    if (i == COUNT(directives)) {
        const char *typed = copied(r, b.word), *near = NEAREST(typed, k, COUNT(directives), directives[k].name);
        if (near) return fail(r, b.word, "no directive \"%s\"; did you mean %s?", typed, near);
        /* What is shown as it is says so, or in which language it is; another word is for `lesson test` to refuse. */
        int number, column;
        source_position(&r->l->source, b.word.from, &number, &column);
        if (length(b.word) && !ANY(k, COUNT(languages), is_word(r, b.word, languages[k])))
            vec_push(&r->l->unknown, ((LessonText){copied(r, b.word), number}));
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
    if (answer && !p->ask) return fail(r, p->span, "its goal is an answer, and it asks nothing");
    if (p->ask && !answer) vec_push(&p->goals, ((LessonGoal){.kind = GOAL_ANSWER, .text = "answer", .span = p->ask->span}));
    return p->goals.n || fail(r, p->span, "a part has a goal or asks something");
}

static bool read_line(Reading *r, Span line)
{
    const char *text = text_at(r, line);
    if (length(line) > 1 && !strncmp(text, "# ", 2) && !r->l->title)
        return r->l->title = copied(r, trimmed(r, (Span){line.from + 2, line.to})), true;
    if (length(line) > 1 && !strncmp(text, "##", 2) && text[2] != '#') {
        Span title = trimmed(r, (Span){line.from + 2, line.to});
        if (!r->l->title) return fail(r, title, "the lesson has no title: its first line is # TITLE");
        if (!end_part(r)) return false;
        r->part = NEW(r->l->arena, LessonPart);
        r->part->title = copied(r, title);
        r->part->span = title;
        r->part->equiv = LESSON_TRIALS;
        vec_push(&r->l->parts, r->part);
        return length(title) || fail(r, (Span){title.from - 1, title.from}, "this part has no title");
    }
    Span end = trimmed(r, line);
    buf_printf(&r->prose, "%.*s\n", end.to > line.from && length(end) ? (int)(end.to - line.from) : 0, text);
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
    l->hash = l->source.text ? lesson_hash(arena, dir) : NULL;
    bool ok = l->source.text;
    Span rest = {0, (uint32_t)l->source.len}, line;
    while (ok && next_line(&r, &rest, &line)) ok = is_fence(&r, line) ? read_fence(&r, line, &rest) : read_line(&r, line);
    if (ok && !l->parts.n) ok = fail(&r, (Span){0, 0}, "a lesson has parts: lines ## TITLE");
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

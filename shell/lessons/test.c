/* test: `lesson test`: is a lesson well made? For authors, and for the tests of lathe. */
#include "lesson.h"
#include "commands.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Testing {
    Shell *sh;
    Arena *arena;
    Texts reasons;                      /* what is wrong with the part */
    json_t *tests;
    int bad;                             /* parts */
    bool device;                         /* its goal takes one, and there is none */
} Testing;

PRINTF_LIKE(2, 3) static void wrong(Testing *t, const char *fmt, ...)
{
    vec_push(&t->reasons, FORMATTED(t->arena, fmt));
}

/* ---- transcripts: what is typed behind "> ", and what comes back ---- */

/* Do the words agree? A * in the pattern is any one word, ** the rest. */
static bool agree(const char *line, const char *pattern)
{
    for (;;) {
        line += strspn(line, " ");
        pattern += strspn(pattern, " ");
        size_t n = strcspn(line, " "), k = strcspn(pattern, " ");
        if (k == 2 && !strncmp(pattern, "**", 2)) return true;
        if (!n || !k) return n == k;
        bool any = k == 1 && *pattern == '*';
        if (!any && (n != k || strncmp(line, pattern, n))) return false;
        line += n;
        pattern += k;
    }
}

/* Where a focus line says how many moves there are, which a new rule changes everywhere; 0: it is none. */
static size_t moves_counted(const char *line)
{
    const char *moves = strncmp(line, "  focus ", 8) ? NULL : strstr(line, " move");
    while (moves && moves > line && isdigit((unsigned char)moves[-1])) moves--;
    return moves ? (size_t)(moves - line) : 0;
}

/* Behind a figure with its unit, if one begins there; "-" is one that is not shown. */
static const char *skip_figure(const char *p)
{
    static const char *const units[] = {" KiB", " MiB", " B"};
    const char *q = p + strspn(p, "-0123456789.");
    if (q > p && *q == 'e' && strspn(q + 1, "-+")) q += 2 + strspn(q + 2, "0123456789");
    for (int i = 0; q > p && i < COUNT(units); i++)
        if (!strncmp(q, units[i], strlen(units[i]))) return q + strlen(units[i]);
    return q;
}

/* But for figures, and the space around them. */
static bool same_words(const char *got, const char *want)
{
    for (;;) {
        const char *a = skip_figure(got), *b = skip_figure(want);
        bool figure = a > got && b > want, space = *got == ' ' && *want == ' ';
        if (!figure && *got != *want) return false;
        if (!figure && !*got) return true;
        got = figure ? a : got + (space ? strspn(got, " ") : 1);
        want = figure ? b : want + (space ? strspn(want, " ") : 1);
    }
}

static bool same_line(const char *got, const char *want)
{
    static const char *const measured[] = {"  build  ", "  time  ", "  verify  ", "          error", "          exact"};
    for (int i = 0; i < COUNT(measured); i++)
        if (!strncmp(want, measured[i], strlen(measured[i])) && same_words(got, want)) return true;
    size_t k = moves_counted(want);
    if (k && moves_counted(got) == k && !strncmp(got, want, k)) return true;
    return strchr(want, '*') ? agree(got, want) : !strcmp(got, want);
}

/* The next line of *text, which moves behind it; NULL at the end. */
static const char *take_line(Arena *arena, const char **text)
{
    if (!**text) return NULL;
    size_t n = strcspn(*text, "\n");
    const char *line = arena_strndup(arena, *text, n);
    *text += n + ((*text)[n] != 0);
    return line;
}

/* Run what is typed in a block; the first line that comes back otherwise is said. */
static bool run_block(Testing *t, const LessonText *block, Buf *why)
{
    const char *at = block->text, *line = take_line(t->arena, &at);
    for (int n = block->line; line;) {
        LOCAL(buf_free) Buf typed = {0}, out = {0};
        int first = n;
        do {
            bool command = !strncmp(line, "> ", 2) || !strcmp(line, ">");
            if (!command && !typed.len)
                return buf_printf(why, "line %d: a transcript begins with what is typed: > COMMAND", n), false;
            if (!command) break;
            buf_printf(&typed, "%s\n", line[1] ? line + 2 : "");
            bool more = line_incomplete(t->sh, buf_text(&typed));
            n++;
            line = take_line(t->arena, &at);
            if (!more) break;
        } while (line);
        lesson_run(t->sh, &(LessonText){buf_text(&typed), first}, NULL, true, true, &out);
        diag_clear(diag(t->sh));
        const char *rest = arena_strdup(t->arena, buf_text(&out)), *got;
        bool ok = true;
        while (ok && (got = take_line(t->arena, &rest))) {
            ok = line && same_line(got, line);
            if (!ok) buf_printf(why, "line %d: it prints \"%s\", not \"%s\"", n, got, line ? line : "");
            if (line) line = take_line(t->arena, &at), n++;
        }
        while (ok && line && !*line) line = take_line(t->arena, &at), n++;
        if (ok && line && strncmp(line, "> ", 2)) buf_printf(why, "line %d: it does not print \"%s\"", n, line), ok = false;
        if (!ok) return false;
    }
    return true;
}

/* The blocks of all parts, as one session, which is left behind with the lesson. By part what is wrong, NULL: all is well. */
static const char **test_transcripts(Testing *t, const Lesson *l)
{
    const char **reasons = NEW_ARRAY(t->arena, const char *, l->parts.n);
    for (int i = 0; i < l->parts.n; i++) {
        LOCAL(buf_free) Buf why = {0};
        const LessonPart *part = l->parts.v[i];
        bool ok = true;
        for (int k = 0; k < part->transcripts.n && ok; k++) ok = run_block(t, &part->transcripts.v[k], &why);
        reasons[i] = ok ? NULL : arena_strdup(t->arena, buf_text(&why));
    }
    t->sh->quit = false;
    return reasons;
}

/* ---- hints ---- */

static bool is_known(Shell *sh, const char *name)
{
    Strategies *s = shell_strategies(sh);
    if (rules_find(session_rules(sh->session), name) || (s && strategies_find(s, name))) return true;
    if (prim_from_name(name) != PRIM_COUNT || setting_from_name(name) != SETTING_COUNT) return true;
    return ANY(i, defs_count(session_defs(sh->session)), !strcmp(defs_name(session_defs(sh->session), i, NULL, NULL), name));
}

static bool is_mentioned(const LessonText *text, const char *name) { return text->text && strstr(text->text, name); }

/* A word with a capital inside is a name: of a rule, a macro, a primitive, or of something that the part makes itself. */
static void test_hint(Testing *t, const LessonPart *part, const LessonText *hint)
{
    for (const char *p = hint->text; *p;) {
        size_t n = 0;
        bool inside = false;
        while (is_name_char(p[n])) inside = inside || (n > 0 && isupper((unsigned char)p[n]) && islower((unsigned char)*p)), n++;
        const char *name = arena_strndup(t->arena, p, n);
        if (inside && !is_known(t->sh, name) && !is_mentioned(&part->solution, name) && !is_mentioned(&part->load, name))
            wrong(t, "line %d: the hint names %s, and there is no rule or macro of that name", hint->line, name);
        p += n ? n : 1;
    }
}

/* Rules and macros that are allowed or forbidden: those that there are, or that some part makes. */
static void test_entries(Testing *t, const Lesson *l, const LessonEntries *entries)
{
    for (int i = 0; i < entries->n; i++) {
        const LessonEntry *e = &entries->v[i];
        bool made = ANY(k, l->parts.n, is_mentioned(&l->parts.v[k]->load, e->name) || is_mentioned(&l->parts.v[k]->solution, e->name));
        if (e->kind == NAMED_COMMAND || strchr(e->name, '*') || made || is_known(t->sh, e->name)) continue;
        wrong(t, "there is no rule or macro %s, which it %s", e->name, e->allow ? "allows" : "forbids");
    }
}

/* ---- labels ---- */

/* A text that says `show :3` means a label of what the solution displayed last. */
static void test_labels(Testing *t, const char *line, int n)
{
    Path at;
    for (const char *p = line; (p = strstr(p, "`show :")); p++) {
        const char *label = arena_strndup(t->arena, p + 6, 1 + strspn(p + 7, "0123456789"));
        if (!shell_place(t->sh, label, &at)) wrong(t, "line %d: `show %s`: %s", n, label, diag(t->sh)->message);
        diag_clear(diag(t->sh));
    }
}

/* ---- a part ---- */

static void test_solution(Testing *t, const LessonPart *part)
{
    LOCAL(buf_free) Buf out = {0};
    Shell *sh = t->sh;
    LessonRun *run = lesson_on(sh);
    enum { NO_DEVICE = 6 };
    if (!part->solution.text) {
        wrong(t, "it has no solution");
        return;
    }
    int code = lesson_run(sh, &part->solution, run->lesson->source.name, false, true, &out);
    const char *text = arena_strdup(t->arena, buf_text(&out)), *error = "";      /* the first line of one; "" when there was none */
    for (const char *p = text, *line; !*error && (line = take_line(t->arena, &p));)
        if (*line == 'E' && isdigit((unsigned char)line[1]) && isdigit((unsigned char)line[2])) error = line;
    diag_clear(diag(sh));
    if (!strncmp(error, "E83", 3)) wrong(t, "the solution: %s", error);
    const PartProgress *p = lesson_now(sh);
    if (!lesson_reached(sh) && (code == NO_DEVICE || strstr(text, "\nE60"))) {
        t->device = true;
        return;
    }
    if (!lesson_reached(sh)) {
        const char *missing;
        const Version *v = lesson_version(sh, &missing);
        for (int i = 0; !missing && i < part->goals.n; i++) {
            GoalVerdict one = goal_judge(sh, &part->goals.v[i], v);
            if (!one.holds) missing = arena_printf(t->arena, "%s: %s", part->goals.v[i].text, one.missing);
        }
        if (!missing) missing = lesson_foreign(sh, v);
        if (!missing) goal_equal(sh, v, part->equiv, &missing);
        wrong(t, "the solution does not reach the goal: %s%s%s", missing ? missing : "it is not equal to @0",
              *error ? "; it says " : "", error);
        return;
    }
    lesson_note_reached(sh);
    if (part->steps && p->steps > part->steps)
        wrong(t, "the solution takes %s, and par is %d", lesson_steps_text(sh, part, p->steps), part->steps);
}

static void report_part(Testing *t, int i)
{
    LessonRun *run = lesson_on(t->sh);
    const LessonPart *part = run->lesson->parts.v[i];
    const PartProgress *p = &run->progress.parts[i];
    const char *verdict = t->reasons.n ? "BAD" : t->device ? "no device" : "ok";
    json_t *reasons = JSON_LIST(k, t->reasons.n, json_string(t->reasons.v[k]));
    print(t->sh, "  %-10s %s %d  %s" AT(60) "%s\n", verdict, run->lesson->name, i + 1, part->title,
          p->state == PART_DONE ? lesson_done_text(t->sh, part, p->steps) : "");
    for (int k = 0; k < t->reasons.n; k++) print(t->sh, "             %s\n", t->reasons.v[k]);
    json_add(t->tests, "{lesson:s part:i title:s ok:b reasons:o}", run->lesson->name, i + 1, part->title, t->reasons.n == 0, reasons);
    t->bad += t->reasons.n > 0;
}

static void test_part(Testing *t, int i, const char *transcript)
{
    Shell *sh = t->sh;
    LessonPart *part = lesson_on(sh)->lesson->parts.v[i];
    t->reasons.n = 0;
    t->device = false;
    /* What its author has left undone, from its heading to the next; the first part answers for what is above it. */
    const Lesson *l = lesson_on(sh)->lesson;
    int from = i ? part->line : 1, to = i + 1 < l->parts.n ? l->parts.v[i + 1]->line : INT_MAX;
    const char *at = l->source.text, *line;
    for (int n = 1; n < to && (line = take_line(t->arena, &at)); n++) {
        if (n < from) continue;
        if (strstr(line, "TODO")) wrong(t, "line %d: to be written: %s", n, line);
        for (int k = 0; k < l->unknown.n; k++)
            if (l->unknown.v[k].line == n)
                wrong(t, "line %d: no directive \"%s\"; ```text shows a block as it is", n, l->unknown.v[k].text);
    }
    if (lesson_begin(sh, i)) {
        if (lesson_reached(sh)) wrong(t, "the goal holds at the beginning");
        if (part->against && !session_ref(sh->session, part->against)) wrong(t, "par in time: there is no %s", part->against);
        diag_clear(diag(sh));
        if (part->ask) {
            const Version *v = session_version(sh->session);
            if (part->ask->kind == ASK_PATTERN && v && answer_right(sh, part->ask, "zip (zip _ _) (zip _ _)", v))
                wrong(t, "the pattern that is asked for matches nowhere");
        }
        test_entries(t, l, &part->entries);
        if (!i) test_entries(t, l, &l->entries);
        for (int k = 0; k < part->hints.n; k++) test_hint(t, part, &part->hints.v[k]);
        if (transcript) wrong(t, "transcript, %s", transcript);
        test_solution(t, part);
        at = l->source.text;
        for (int n = 1; n < to && (line = take_line(t->arena, &at)); n++)
            if (n >= from) test_labels(t, line, n);
    } else {
        wrong(t, "%s", diag(sh)->message);
        for (int k = 0; k < diag(sh)->note_count; k++) wrong(t, "  %s", diag(sh)->notes[k].text);
        diag_clear(diag(sh));
        lesson_now(sh)->begun = true;
    }
    report_part(t, i);
}

bool lesson_test(Shell *sh, const Args *a)
{
    const char **dirs, *one, *name = arg(a, 1);
    Testing t = {.sh = sh, .arena = sh->scratch, .tests = json_array()};
    int n = name ? (one = lesson_find(sh->c, sh->scratch, name)) != NULL : lesson_folders(sh->scratch, false, &dirs);
    bool ok = n > 0;
    if (name) dirs = &one;
    if (!n && !name) diag_error(diag(sh), E81, "no lessons were found");
    for (int i = 0; i < n && ok; i++) {
        const char **transcripts = NULL;
        for (int parts = 0; parts < 2 && ok; parts++) {      /* the transcripts, then the parts, of a lesson that nothing was done in */
            Lesson *l = lesson_read(sh->c, dirs[i]);
            ok = l != NULL;
            if (!l) break;
            lesson_open(sh, l);
            session_set(sh->session, "times", "off");
            session_set(sh->session, "width", "100");
            if (!parts) transcripts = test_transcripts(&t, l);
            for (int k = 0; parts && k < l->parts.n && !*sh->stop; k++) test_part(&t, k, transcripts[k]);
            lesson_close(sh);
        }
        if (sh->host.printed) sh->host.printed(sh);
    }
    free(t.reasons.v);
    if (ok) shell_report(sh, "{tests:o text:s}", json_incref(t.tests), buf_text(&sh->out));
    json_decref(t.tests);
    if (ok && t.bad) diag_error(diag(sh), E80, "%d part%s not well made", t.bad, t.bad == 1 ? " is" : "s are");
    return ok && !t.bad;
}

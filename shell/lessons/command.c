/* command: `lesson`, and what it prints. */
#include "lesson.h"
#include "commands.h"
#include "egraph.h"
#include "pattern.h"
#include "show.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where it is, when the command went well. */
static bool report(Shell *sh)
{
    const LessonRun *run = lesson_on(sh);
    if (!sh->json || !run) return true;
    const PartProgress *p = lesson_now(sh);
    const LessonPart *part = lesson_part(sh);
    const char *why;
    const Version *v = lesson_version(sh, &why);
    json_t *goals = json_array();
    Diag kept = diag_aside(diag(sh));
    for (int i = 0; i < part->goals.n; i++) {
        GoalVerdict one = why ? (GoalVerdict){.missing = why} : goal_judge(sh, &part->goals.v[i], v);
        json_add(goals, "{goal:s holds:b missing?:s}", part->goals.v[i].text, one.holds, one.missing);
    }
    diag_back(diag(sh), kept);
    return shell_report(sh, "{lesson:s title:s part:i parts:i state:s hash:s steps:i hints:i goals:o text:s par?:i par_time?:n time?:n}",
                        run->lesson->name, part->title, run->progress.part + 1, run->progress.count, part_state_name(p->state),
                        run->lesson->hash, p->steps, p->hints, goals, buf_text(&sh->out), part->steps, part->fast, p->ratio);
}

static bool show_part(Shell *sh)
{
    Buf *out = &sh->out;
    const char *why;
    const LessonRun *run = lesson_on(sh);
    const LessonPart *part = lesson_part(sh);
    const PartProgress *mine = lesson_now(sh);
    const Version *v = lesson_version(sh, &why);
    const LessonAsk *ask = mine->answer ? NULL : part->ask;
    show_color(sh, "1", arena_printf(sh->scratch, "part %d of %d: %s", run->progress.part + 1, run->progress.count, part->title));
    buf_putc(out, '\n');
    prose_all(sh, part->prose);
    sh->below = out->len;
    if (*part->prose) buf_putc(out, '\n');
    if (why) buf_printf(out, "  now     %s\n", why);
    else if (v)
        buf_printf(out, "  now     %s%s = %s\n", session_current(sh->session)->name, version_marked(sh, v),
                   show_short(sh, v->root, &(Path){0}, 2 * show_left(sh, 24)));     /* broken into lines as it is printed */
    lesson_put_goals(sh, part, out);
    if (mine->ratio > 0) buf_printf(out, "  best    @%d, %s\n", mine->fastest, lesson_times_text(sh, mine->ratio, part->against));
    if (ask) lesson_put_question(ask, out);
    int left = part->hints.n - mine->hints;
    if (mine->state == PART_DONE)
        buf_printf(out, "  done    in %s        %s\n", lesson_steps_text(sh, part, mine->steps), lesson_next_text(sh));
    else if (left > 0)
        buf_printf(out, "  help    lesson check: what is missing; lesson hint: %d of %d left\n", left, part->hints.n);
    else buf_puts(out, "  help    lesson check: what is missing; lesson skip: go on without it\n");
    return report(sh);
}

typedef struct LessonRow {               /* a lesson as it is listed; in scratch */
    const char *name;
    const char *text;                    /* "2 of 5    5 parts  1. Terms", or what is wrong with it */
    const char *title;                   /* NULL: it is not well formed */
    int parts, done;                     /* done: -1: it was not begun */
} LessonRow;

/* Of lesson_folders; how many. */
static int lesson_rows(Shell *sh, LessonRow **out)
{
    const char **folders;
    int n = lesson_folders(sh->scratch, true, &folders);
    *out = NEW_ARRAY(sh->scratch, LessonRow, n);
    for (int i = 0; i < n; i++) {
        LessonRow *row = &(*out)[i];
        Lesson *l = lesson_read(sh->c, folders[i]);
        diag_clear(diag(sh));
        *row = (LessonRow){.name = arena_strdup(sh->scratch, strrchr(folders[i], '/') + 1),
                           .text = "its lesson.md is not well formed: lesson test NAME"};
        if (!l) continue;
        row->title = arena_strdup(sh->scratch, l->title);
        row->parts = l->parts.n;
        row->done = lesson_parts_done(sh, l);
        row->text = arena_printf(sh->scratch, "%-8s %2d part%s  %s", lesson_progress_text(sh, l), row->parts,
                                 row->parts == 1 ? " " : "s", row->title);
        lesson_free(l);
    }
    return n;
}

/* ---- beginning one ---- */

/* Lua that runs has one session, and so has the solution of a lesson. */
static bool may_change_session(Shell *sh)
{
    if (!sh->captured) return true;
    return shell_error(sh, E05, "a lesson begins and ends at the prompt or in a command script; Lua stays in its session\n"
                       "hint t.lesson(\"check\"), t.lesson(\"hint\") and t.lesson(\"next\") work inside of a lesson");
}

static bool begin_lesson(Shell *sh, const char *name)
{
    if (!may_change_session(sh)) return false;
    const char *dir = lesson_find(sh->c, sh->scratch, name);
    if (dir && lesson_on(sh) && !strcmp(lesson_on(sh)->lesson->dir, dir)) return show_part(sh);
    Lesson *l = dir ? lesson_read(sh->c, dir) : NULL;
    if (!l) return false;
    lesson_take_settings(sh);
    lesson_close(sh);
    if (!lesson_enter(sh, l)) return lesson_free(l), false;
    const LessonRun *run = lesson_on(sh);
    bool again = lesson_now(sh)->begun;
    print(sh, "%s\n", run->lesson->title);
    if (!again) prose_all(sh, run->lesson->prose);
    if (!again && *run->lesson->prose) buf_putc(&sh->out, '\n');
    if (again) print(sh, "going on where it was left: %s\n", lesson_progress_text(sh, run->lesson));
    if (run->elsewhere) print(sh, "it was another one of that name, in %s\n", run->elsewhere);
    if (run->changed) print(sh, "the lesson has changed since        lesson reset begins this part anew\n");
    if (run->damaged) print(sh, "what was kept of it is not intact; it is now %s\n", run->damaged);
    if (!again && !lesson_begin(sh, run->progress.part)) {
        /* The lesson cannot go on: the error stays, in the user's session. */
        Diag kept = diag_aside(diag(sh));
        lesson_close(sh);
        diag_back(diag(sh), kept);
        return false;
    }
    return show_part(sh);
}

/* ---- next, skip, reset, leave ---- */

static bool go_on(Shell *sh)
{
    LessonRun *run = lesson_on(sh);
    int next = run->progress.part + 1;
    if (next == run->progress.count) {
        print(sh, "%s: %s\n", run->lesson->title, lesson_next_text(sh));
        return report(sh);
    }
    if (!run->progress.parts[next].begun) {
        if (!lesson_begin(sh, next)) return run->progress.part = next - 1, false;
    } else {
        run->progress.part = next;
        const PartProgress *p = lesson_now(sh);
        if (!lesson_goto(sh, p, p->end >= 0 ? p->end : p->begin)) return false;
    }
    return show_part(sh);
}

static bool do_next(Shell *sh, const Args *a)
{
    (void)a;
    LessonRun *run = lesson_on(sh);
    PartProgress *p = lesson_now(sh);
    if (p->state == PART_OPEN && lesson_reached(sh)) lesson_note_reached(sh);
    if (p->state != PART_OPEN) return go_on(sh);
    return shell_error(sh, E84, "part %d, %s, is not reached yet\ntry lesson check\nor lesson skip", run->progress.part + 1,
                       lesson_part(sh)->title);
}

static bool do_skip(Shell *sh, const Args *a)
{
    (void)a;
    PartProgress *p = lesson_now(sh);
    if (p->state != PART_DONE && !lesson_lead_on(sh)) return false;
    if (p->state != PART_DONE) p->state = PART_SKIPPED;
    return go_on(sh);
}

static bool do_reset(Shell *sh, const Args *a)
{
    LessonRun *run = lesson_on(sh);
    PartProgress *p = lesson_now(sh);
    bool all = arg(a, 1) && !strcmp(arg(a, 1), "all");
    if (all && !may_change_session(sh)) return false;
    if (arg(a, 1) && !all) return shell_error(sh, E05, "lesson reset takes nothing, or all");
    if (all) {
        const char *file = sh->keep.journal ? journal_file(sh->keep.journal) : NULL;
        char *name = file ? strdup(file) : NULL;
        memset(run->progress.parts, 0, sizeof *p * (size_t)run->progress.count);
        run->trials = 0;
        shell_take_session(sh, session_new(), NULL);
        if (sh->keep.kept) shell_clear_results(sh);
        journal_free(sh->keep.journal, true);
        sh->keep.journal = name ? journal_new(name) : NULL;
        free(name);
        if (!lesson_begin(sh, 0)) return false;
    } else {
        if (!lesson_goto(sh, p, p->begin)) return false;
        p->state = PART_OPEN;
        p->steps = 0;
        p->end = p->fastest = -1;
        p->ratio = 0;
        p->answer = NULL;
        p->ran = 0;
    }
    return show_part(sh);
}

static bool do_leave(Shell *sh, const Args *a)
{
    (void)a;
    if (!may_change_session(sh)) return false;
    const char *name = arena_strdup(sh->scratch, lesson_on(sh)->lesson->name);
    const char *progress = lesson_progress_text(sh, lesson_on(sh)->lesson);
    bool kept = sh->keep.kept;
    lesson_take_settings(sh);
    lesson_close(sh);
    const Version *v = session_version(sh->session);
    print(sh, "left %s: %s", name, progress);
    if (kept) print(sh, "        lesson %s goes on", name);
    buf_putc(&sh->out, '\n');
    if (v) print(sh, "back in your session: %s@%d\n", session_current(sh->session)->name, v->number);
    return shell_report(sh, "{left:s text:s}", name, buf_text(&sh->out));
}

/* ---- check ---- */

static int check_goals(Shell *sh, const Version *v)
{
    const LessonPart *part = lesson_part(sh);
    const char *difference;
    int missing = 0;
    for (int i = 0; i < part->goals.n; i++) {
        GoalVerdict one = goal_judge(sh, &part->goals.v[i], v);
        const char *holds = one.holds ? "yes" : one.judged ? "no" : "not yet";
        print(sh, "  %-7s %s\n", holds, goal_words(sh, &part->goals.v[i]));
        if (!one.holds && strcmp(one.missing, goal_words(sh, &part->goals.v[i]))) print(sh, "          %s\n", one.missing);
        if (!one.holds && part->goals.v[i].kind == GOAL_ANSWER) lesson_put_question(part->ask, &sh->out);
        missing += !one.holds;
    }
    const char *foreign = v ? lesson_foreign(sh, v) : NULL;
    if (foreign) print(sh, "  no      made of what is in this part\n          %s        goto @%d\n", foreign, lesson_now(sh)->begin);
    missing += foreign != NULL;
    if (!v || !part->equiv || v->number == 0) return missing;
    const char *doubt = goal_doubt(sh, v);
    bool equal = !doubt && goal_equal(sh, v, part->equiv, &difference);
    print(sh, "  %-7s equal to @0\n", equal ? "yes" : "no");
    if (doubt) print(sh, "          %s\n", doubt);
    else if (!equal) print(sh, "          %s        check %s\n", difference ? difference : "", version_name(sh, v));
    return missing + !equal;
}

/* answered: a right answer was just given, and what is missing besides is no failure of this command. */
static bool check_all(Shell *sh, bool answered)
{
    const char *why;
    LessonRun *run = lesson_on(sh);
    PartProgress *p = lesson_now(sh);
    const Version *v = lesson_version(sh, &why);
    if (why) print(sh, "  no      %s\n", why);
    int missing = why ? 1 : check_goals(sh, v);
    if (!missing) {
        const char *reached = lesson_note_reached(sh);
        if (reached) buf_puts(&sh->out, reached);
        else print(sh, "reached before, in %s        %s\n", lesson_steps_text(sh, lesson_part(sh), p->steps), lesson_next_text(sh));
        return report(sh);
    }
    report(sh);
    if (answered) return true;
    bool done = p->state == PART_DONE, hints = p->hints < lesson_part(sh)->hints.n;
    shell_error(sh, E84, "part %d is not reached%s: %d thing%s missing", run->progress.part + 1,
                done ? " by this version" : " yet", missing, missing == 1 ? " is" : "s are");
    if (done) diag_note(diag(sh), "note", "it was reached by @%d        %s", p->end, lesson_next_text(sh));
    else diag_note(diag(sh), hints ? "try" : "or", hints ? "lesson hint" : "lesson skip");
    return false;
}

/* May that be an answer at all? E05. */
static bool answer_form(Shell *sh, const LessonAsk *ask, const char *answer)
{
    int64_t n;
    if (ask->kind == ASK_NUMBER) return arg_int(sh, "the answer", answer, ask->low, ask->high, &n);
    if (ask->kind == ASK_CHOICE && text_index(ask->choices.v, ask->choices.n, answer) >= 0) return true;
    if (ask->kind == ASK_PATTERN) return pattern_parse(sh->c, sh->scratch, &(Source){"answer", answer, strlen(answer)}) != NULL;
    diag_error(diag(sh), E05, "\"%.60s\" is none of the choices", answer);
    for (int i = 0; i < ask->choices.n; i++)
        diag_note(diag(sh), arena_printf(diag(sh)->arena, "%d", i + 1), "%s", ask->choices.v[i]);
    return false;
}

static bool do_check(Shell *sh, const Args *a)
{
    if (!arg(a, 1)) return check_all(sh, false);
    const char *why, *text = a->rest + strspn(a->rest, " \t");
    text += strcspn(text, " \t\n");
    text += strspn(text, " \t\n");
    if (a->count == 2) text = arg(a, 1);
    LessonRun *run = lesson_on(sh);
    PartProgress *p = lesson_now(sh);
    const LessonAsk *ask = lesson_part(sh)->ask;
    if (!ask) return shell_error(sh, E05, "this part asks no question\ntry lesson check");
    Path at;
    const Version *v = lesson_version(sh, &why);
    bool paths = ask->kind == ASK_CHOICE && ask->choices.n && *ask->choices.v[0] == '/';
    bool label = paths && strchr(":$", *text) && shell_place(sh, text, &at);         /* of the last display */
    if (label) text = path_text(sh->c, v->root, &at);
    diag_clear(diag(sh));
    size_t n = strlen(text);
    const char *answer = answer_meant(
        sh->scratch, ask, n > 1 && *text == '\'' && text[n - 1] == '\'' ? arena_strndup(sh->scratch, text + 1, n - 2) : text);
    char *end;
    double x = strtod(answer, &end);
    if (ask->kind == ASK_NUMBER && end != answer && !*end && x != floor(x)) {      /* what is wrong with 95 is so with 94.8 */
        const char *rounded = arena_printf(sh->scratch, "%.0f", x);
        if (!answer_right(sh, ask, rounded, v)) answer = rounded;
    }
    if (!answer_form(sh, ask, answer)) return false;
    if (!answer_right(sh, ask, answer, v)) {
        p->wrong++;
        enum { TRIED = 200 };            /* bytes; what is tried after that says no more */
        const char *tried = p->tried ? arena_printf(sh->scratch, "%s | %.60s", p->tried, answer) : arena_printf(sh->scratch, "%.60s", answer);
        if (strlen(tried) < TRIED && !strchr(answer, '\n')) p->tried = arena_strdup(run->lesson->arena, tried);
        diag_error(diag(sh), E85, "%.60s: that is not it", answer);
        for (int i = 0; i < ask->wrong.n; i++)
            if (!strcasecmp(ask->wrong.v[i].answer, answer)) diag_note(diag(sh), "because", "%s", ask->wrong.v[i].text);
        diag_note(diag(sh), "try", p->hints < lesson_part(sh)->hints.n ? "lesson hint" : "lesson show");
        return false;
    }
    if (!p->answer) p->answer = arena_strdup(run->lesson->arena, answer);
    print(sh, "right\n");
    if (ask->because) prose_all(sh, ask->because);
    return check_all(sh, true);
}

/* ---- hint and show ---- */

/* The first step to a term of the form that a goal wants, from where the student is: false where none is found soon. */
static bool show_way(Shell *sh, const LessonPart *part)
{
    static const double seconds = 1;
    enum { NODES = 20000 };
    const char *why;
    const Version *v = lesson_version(sh, &why);
    bool shown = false;
    Diag kept = diag_aside(diag(sh));
    for (int i = 0; i < part->goals.n && v && !why && !shown; i++) {
        const LessonGoal *g = &part->goals.v[i];
        if ((g->kind != GOAL_TERM && g->kind != GOAL_HAS) || goal_judge(sh, g, v).holds) continue;
        const char *text = g->kind == GOAL_TERM ? g->name : arena_printf(sh->scratch, "contains (%s)", g->name);
        SearchPattern *p = pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "goal", text, strlen(text)));
        const char *first = p ? egraph_reach_first(sh->c, p, v->root) : NULL;
        if (first) p = pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "goal", first, strlen(first)));
        LOCAL(scope_free) Scope scope = {0};
        RewriteEnv env;
        ReachResult r;
        shell_env_now(sh, v, &scope, &env);
        ReachGoal goal = {.from = v->root, .sketch = p, .program = session_current(sh->session)->program, .seconds = seconds, .nodes = NODES,
                          .may = guide_may_advise, .may_data = sh};
        shown = p && egraph_reach(&env, session_rules(sh->session), &goal, sh->scratch, &r) && r.end == REACH_FOUND && r.step_count;
        if (!shown) continue;
        const char *call = r.steps[0].call;
        int length = strstr(call, REACH_PARAM) ? (int)strcspn(call, "{(") : (int)strlen(call);          /* an open size is left open */
        print(sh, "%d step%s from %s to %s: apply %.*s at %s\n", r.step_count, plural(r.step_count), version_name(sh, v),
              first ? "what the goal stands in" : "the goal", length, call,
              path_text(sh->c, v->root, &r.steps[0].at));
    }
    diag_back(diag(sh), kept);
    return shown;
}

/* The commands that a text consists of, a line each, to be taken as they stand; NULL: it is none of such. */
static const char *command_lines(Shell *sh, const char *text)
{
    Buf out = {0};
    bool all = true;
    for (const char *p = text; *p && all; p += strcspn(p, "\n"), p += *p == '\n') {
        all = command_find(sh, arena_strndup(sh->scratch, p, strcspn(p, " \n")), NULL) != NULL;
        for (const char *end = p + strcspn(p, "\n"), *next; p < end; p = next) {
            next = strstr(p, " ; ");
            next = next && next < end ? next + 3 : end;
            buf_printf(&out, "    %.*s\n", (int)(next - p - (next < end ? 3 : 0)), p);
        }
    }
    return all ? buf_take(&out, sh->scratch) : (buf_free(&out), NULL);
}

static bool do_hint(Shell *sh, const Args *a)
{
    (void)a;
    PartProgress *p = lesson_now(sh);
    const LessonPart *part = lesson_part(sh);
    bool more = p->hints < part->hints.n, way = !more && show_way(sh, part);
    if (more) p->hints++;
    else if (!part->hints.n && !way) print(sh, "this part has no hints        lesson check says what is missing\n");
    else if (!way) print(sh, "that was the last one        lesson skip goes on without it\n");
    const char *hint = p->hints ? part->hints.v[p->hints - 1].text : NULL;
    const char *lines = hint ? command_lines(sh, hint) : NULL;
    if (lines) print(sh, "hint %d of %d:\n%s", p->hints, part->hints.n, lines);
    else if (hint) prose_all(sh, arena_printf(sh->scratch, "hint %d of %d: %s", p->hints, part->hints.n, hint));
    return report(sh);
}

/* Personal bests: of each part that was done the fewest steps and the shortest time, beside par. */
static bool do_best(Shell *sh, const Args *a)
{
    (void)a;
    const LessonRun *run = lesson_on(sh);
    json_t *all = json_array();
    for (int i = 0; i < run->progress.count; i++) {
        const LessonPart *part = run->lesson->parts.v[i];
        const PartProgress *p = &run->progress.parts[i];
        print(sh, "%3d  %s" AT(28) "%s", i + 1, p->state == PART_DONE ? lesson_done_text(sh, part, p->steps) : part_state_name(p->state),
              p->ratio > 0 ? lesson_times_text(sh, p->ratio, part->against) : "");
        if (part->fast > 0) print(sh, " (par %g)", part->fast);
        print(sh, AT(%d) "%s\n", part->fast > 0 ? 62 : 28, part->title);
        json_add(all, "{part:i title:s state:s steps:i par?:i par_time?:n time?:n}", i + 1, part->title, part_state_name(p->state),
                 p->steps, part->steps, part->fast, p->ratio);
    }
    return shell_report(sh, "{lesson:s bests:o text:s}", run->lesson->name, all, buf_text(&sh->out));
}

static bool do_show(Shell *sh, const Args *a)
{
    const char *what = arg(a, 1);
    if (what && !strcmp(what, "solution")) {
        const LessonPart *part = lesson_part(sh);
        if (!session_setting_is(sh->session, SET_SPOILERS, "on"))
            return shell_error(sh, E83, "solutions are hidden\ntry lesson hint\nor set spoilers on");
        print(sh, "%s\n", part->solution.text ? part->solution.text : "the lesson has no solution for this part");
        return report(sh);
    }
    if (what) return shell_error(sh, E05, "lesson show takes nothing, or solution");
    return show_part(sh);
}

static bool do_grade(Shell *sh, const Args *a)
{
    struct stat st;
    const char *file = arg(a, 1);
    if (file && stat(file, &st) == 0 && S_ISDIR(st.st_mode)) return lesson_grade_class(sh, a);
    if (arg_flag(a, "csv") || arg_flag(a, "page") || arg_flag(a, "deadline") || arg_flag(a, "points"))
        return arg_error(sh, a, "--csv, --page, --deadline and --points are for a folder of submissions");
    return lesson_grade_file(sh, file, arg(a, 2));
}

static const struct {
    const char *name;
    bool inside;                         /* only in a lesson */
    int words;                           /* at most, its name among them */
    bool (*fn)(Shell *sh, const Args *a);
    const char *help;
} verbs[] = {
    {"next", true, 1, do_next, "the next part"},
    {"check", true, 100, do_check, "is the goal reached? what is missing"},
    {"hint", true, 1, do_hint, "the next hint"},
    {"show", true, 2, do_show, "the text and goal of this part again"},
    {"skip", true, 1, do_skip, "go on without it"},
    {"reset", true, 2, do_reset, "this part from its start"},
    {"best", true, 1, do_best, "your best steps and times, part by part"},
    {"leave", true, 1, do_leave, "back to your own session"},
    {"submit", true, 2, lesson_submit, "what was done, to a file to hand in"},
    {"grade", false, 3, do_grade, "do a submission again and judge it"},
    {"record", false, 2, lesson_record, "a lesson of this session"},
    {"test", false, 2, lesson_test, "for authors: are lessons well made?"},
};

bool cmd_lesson(Shell *sh, Args *a)
{
    const char *what = arg(a, 0);
    if (!what && !lesson_on(sh)) {
        LessonRow *rows;
        int n = lesson_rows(sh, &rows);
        json_t *all = json_array();
        for (int i = 0; i < n; i++) {
            const LessonRow *r = &rows[i];
            print(sh, "  %s" AT(18) "%s\n", r->name, r->text);
            if (!r->title) continue;
            json_add(all, "{name:s title:s parts:i done:i}", r->name, r->title, r->parts, r->done);
        }
        buf_puts(&sh->out, n ? "lesson NAME begins one, or goes on where it was left\n" : "no lessons were found\n");
        return shell_report(sh, "{lessons:o text:s}", all, buf_text(&sh->out));
    }
    if (!what) return show_part(sh);
    for (int i = 0; i < COUNT(verbs); i++) {
        if (strcmp(verbs[i].name, what)) continue;
        if (verbs[i].inside && !lesson_on(sh)) return shell_error(sh, E82, "no lesson is on\ntry list lessons");
        return arg_limit(sh, a, verbs[i].words) && verbs[i].fn(sh, a);
    }
    if (arg_flag(a, "notebook")) return arg_limit(sh, a, 1) && lesson_notebook(sh, a, what);
    if (!arg_limit(sh, a, 1) || begin_lesson(sh, what)) return !diag_failed(diag(sh));
    const char *near = NEAREST(what, i, COUNT(verbs), verbs[i].name);
    if (near && diag(sh)->id == E81 && !strstr(diag(sh)->message, "did you mean")) diag_note(diag(sh), "hint", "did you mean %s?", near);
    return false;
}

/* ---- what the shell knows of lessons ---- */

static void offer(Shell *sh, Arena *arena, const char *previous, bool (*one)(void *to, const char *text, const char *gloss),
                  void *to) {
    const char **folders;
    const LessonAsk *ask = lesson_on(sh) ? lesson_part(sh)->ask : NULL;
    if (!strcmp(previous, "check")) {
        for (int i = 0; ask && i < ask->choices.n; i++) one(to, ask->choices.v[i], "");
        return;
    }
    if (!strcmp(previous, "show") || !strcmp(previous, "reset")) {
        one(to, *previous == 's' ? "solution" : "all", NULL);
        return;
    }
    for (int i = 0; i < COUNT(verbs); i++)
        if (!*previous && (lesson_on(sh) || !verbs[i].inside)) one(to, verbs[i].name, verbs[i].help);
    if (*previous && strcmp(previous, "test")) return;
    int n = lesson_folders(arena, true, &folders);
    for (int i = 0; i < n; i++) {
        Lesson *l = lesson_read(sh->c, folders[i]);
        bool more = one(to, strrchr(folders[i], '/') + 1, l ? l->title : "");
        lesson_free(l);
        diag_clear(diag(sh));
        if (!more) return;
    }
}

static int list(Shell *sh, const char ***names, const char ***texts)
{
    LessonRow *rows;
    int n = lesson_rows(sh, &rows);
    *names = NEW_ARRAY(sh->scratch, const char *, n);
    *texts = NEW_ARRAY(sh->scratch, const char *, n);
    for (int i = 0; i < n; i++) (*names)[i] = rows[i].name, (*texts)[i] = rows[i].text;
    return n;
}

/* ---- what is typed without `lesson` ---- */

static const LessonAsk *asked_now(const Shell *sh) { return lesson_on(sh) && !lesson_now(sh)->answer ? lesson_part(sh)->ask : NULL; }

/* Does a line that is no command answer the question? A number, one of the choices, by its number or in words. */
static bool is_bare_answer(Shell *sh, const char *text)
{
    const LessonAsk *ask = lesson_on(sh) ? lesson_part(sh)->ask : NULL;
    const char *answer = ask ? answer_meant(sh->scratch, ask, text) : "";
    if (!ask || ask->kind == ASK_PATTERN) return false;
    if (ask->kind == ASK_CHOICE && text_index(ask->choices.v, ask->choices.n, answer) >= 0) return true;
    if (ask->kind == ASK_CHOICE && lesson_now(sh)->answer) return false;
    NearName near = {.typed = answer};   /* and so is what was meant to be one of them: the message lists them */
    for (int i = 0; i < ask->choices.n; i++) near_try(&near, ask->choices.v[i]);
    if (near.name) return true;
    char *end;           /* the number of none of them is one, too, while it is asked */
    strtod(answer, &end);
    return strchr("-0123456789", *text) && end > answer && !*end;
}

static const char *const words[] = {"hint", "next", "skip", "leave", NULL};
/* `hint` is `lesson hint`; in a lesson `check` is `lesson check`, and so is `check ANSWER` where something is asked, or the answer alone. */
static const char *means(Shell *sh, const Piece *p)
{
    const char *name = p->command ? p->command->name : "";
    bool abbreviated = p->command && strcmp(p->verb, name);          /* `no` is note, and `a barrier` apply, unless that is asked for */
    if (!p->command || (abbreviated && asked_now(sh) && is_bare_answer(sh, p->text))) {
        bool answers = *p->verb != '=' && *p->text && is_bare_answer(sh, p->text);
        return answers ? arena_printf(sh->scratch, "check %s", p->text) : NULL;
    }
    if (!strcmp(name, "lesson"))
        return text_index(words, COUNT(words) - 1, p->verb) < 0 ? NULL : arena_printf(sh->scratch, "%s %s", p->verb, p->rest);
    if (!lesson_on(sh) || strcmp(name, "check")) return NULL;
    const char *word = arena_strndup(sh->scratch, p->rest, strcspn(p->rest, " \t\n"));
    bool rule = *word == '@' || rules_find(session_rules(sh->session), word), asks = lesson_part(sh)->ask;
    bool ours = !*word || (!rule && (asks || !isalpha((unsigned char)*word)));         /* a name is a rule's where nothing is asked */
    return ours ? arena_printf(sh->scratch, "check %s", p->rest) : NULL;
}

static const char *answers(Shell *sh, Arena *arena, bool (*one)(void *to, const char *text, const char *gloss), void *to)
{
    const LessonAsk *ask = asked_now(sh);
    for (int i = 0; ask && i < ask->choices.n; i++) one(to, arena_printf(arena, "%d", i + 1), ask->choices.v[i]);
    if (!ask || ask->kind == ASK_CHOICE) return NULL;
    return ask->kind == ASK_PATTERN ? "a pattern" : arena_printf(arena, "a number from %lld to %lld", (long long)ask->low, (long long)ask->high);
}

const Guide lesson_guide = {
    .command = "lesson", .words = words, .means = means, .answers = answers, .later = "in this lesson yet", .adopt = lesson_adopt, .list = list, .offer = offer,
    .allows = lesson_has, .lacks = lesson_lacks, .may = lesson_may, .after = lesson_after, .prompt = lesson_prompt, .items = lesson_items,
    .end = lesson_end,
};

/* grade: `lesson submit` and `lesson grade`: what was handed in is done again from the lesson's own files. Of a
 * submission only steps, answers and definitions are taken, not its terms, verdicts and times. */
#include "lesson.h"
#include "commands.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool lesson_submit(Shell *sh, const Args *a)
{
    StoreItem *items;
    const char *file = arg(a, 1);
    const LessonRun *run = lesson_on(sh);
    if (sh->restricted) return shell_error(sh, E05, "files are off with --restricted");
    if (!file) return shell_error(sh, E05, "submit to which file?\ntry lesson submit %s.session", run->lesson->name);
    if (!arg_flag(a, "force") && access(file, F_OK) == 0)
        return shell_error(sh, E17, "%s is there already\ntry lesson submit %s --force", file, file);
    int n = keep_items(sh, sh->scratch, &items);
    if (!session_save(sh->session, items, n, file)) return false;
    const char *progress = lesson_progress_text(sh, run->lesson);
    print(sh, "submitted %s to %s: %s\n", run->lesson->name, file,
          !strcmp(progress, "done") ? "all parts are done" : arena_printf(sh->scratch, "%s parts are done", progress));
    return shell_report(sh, "{file:s lesson:s text:s}", file, run->lesson->name, buf_text(&sh->out));
}

/* ---- grading ---- */

typedef enum Verdict { DONE, NOT_REACHED, NOT_BEGUN, SKIPPED, WRONG, DIVERGED } Verdict;
static const char *const verdict_names[] = {
    [DONE] = "done", [NOT_REACHED] = "not reached", [NOT_BEGUN] = "not begun", [SKIPPED] = "skipped", [WRONG] = "wrong",
    [DIVERGED] = "diverged",
    };

typedef struct Grade {
    Shell *sh;
    const char *file;
    Session *sent;
    ReadReport report;
    Progress progress;                   /* as it was sent */
    uint64_t seed;
    json_t *parts, *damage;
    int counts[DIVERGED + 1];
    /* of the part that is judged */
    json_t *reasons;
    Verdict verdict;
    int steps;
    double ratio;                        /* of the fastest one, measured here; 0: it was not */
    const char *way;                     /* what was done, step by step; NULL: nothing */
} Grade;

PRINTF_LIKE(2, 3) static void reason(Grade *g, const char *fmt, ...)
{
    size_t k;
    json_t *known;
    const char *text = FORMATTED(g->sh->scratch, fmt);
    json_array_foreach(g->reasons, k, known) if (!strcmp(json_string_value(known), text)) return;
    json_add(g->reasons, "s", text);
}

static void judge(Grade *g, Verdict v) { if (v > g->verdict) g->verdict = v; }

/* Lines run as the lesson's own; what they print is thrown away. Returns the code of the first failure. */
static int quietly(Grade *g, const char *lines)
{
    LOCAL(buf_free) Buf out = {0};
    LessonText text = {lines, 1};
    int code = lesson_run(g->sh, &text, "grade", true, false, &out);
    diag_clear(diag(g->sh));
    return code;
}

/* Try a rule of the student's again. */
static const Rule *check_again(Grade *g, const char *name)
{
    Rules *rules = session_rules(g->sh->session);
    size_t n = strlen(name);
    if (n > 4 && !strcmp(name + n - 4, ".rev")) name = arena_strndup(g->sh->scratch, name, n - 4);
    const Rule *r = rules_find(rules, name);
    if (!r || !rule_is_user(r) || r->refuted || r->trust != TRUST_ASSUMED) return r;
    quietly(g, arena_printf(g->sh->scratch, "check %s --seed %llu", name, (unsigned long long)g->seed));
    return rules_find(rules, name);
}

/* ---- the steps again ---- */

static bool redo_step(Grade *g, Replay *replay, const PastStep *step)
{
    Shell *sh = g->sh;
    ReplayResult made;
    const char *sizes, *source, *lacks = lesson_lacks(sh, step);
    if (lacks) {                         /* only what the inventory of the part has */
        reason(g, "step @%d uses %s, which is not in this part", step->number, lacks);
        judge(g, NOT_REACHED);
    }
    for (int i = 0; i < step->count; i++) {
        const char *call = step->rewrites[i].call;
        const char *name = arena_strndup(g->sh->scratch, call, strcspn(call, "({ "));
        const Rule *r = check_again(g, name);
        if (r && rule_is_user(r) && r->refuted)
            reason(g, "step @%d rests on %s, which does not hold: %s", step->number, r->name, r->text);
    }
    diag_clear(diag(sh));
    bool ok = !step->code ? replay_step(replay, step, &made)
        : (source = code_replaced(sh, session_version(sh->session), step->code, &sizes),
           replay_code(replay, step, source, sizes, &made));
    const char *why = diag(sh)->message ? diag(sh)->message : "it does not apply";
    if (!ok) reason(g, "step @%d, %s: %s", step->number, step->call, why);
    else if (made.made->hash != step->hash) reason(g, "step @%d, %s, does not give what was sent", step->number, step->call);
    diag_clear(diag(sh));
    return ok && made.made->hash == step->hash;
}

/* A step to the parameter, behind those that h stands for. */
static uint64_t step_hash(const PastStep *s, uint64_t h)
{
    h = hash_bytes(h, s->call, strlen(s->call) + 1);
    if (s->place) h = hash_bytes(h, s->place, strlen(s->place) + 1);
    return s->code ? hash_bytes(h, s->code->source, strlen(s->code->source)) : h;
}

/* "3:0123456789abcdef:0123456789abcdef": how many steps there are, which these are, in what order. NULL: none. */
static const char *way_text(Shell *sh, const Past *past)
{
    uint64_t which = 0, order = 0;
    for (int i = 0; i < past->count; i++) which += step_hash(&past->steps[i], 0), order = step_hash(&past->steps[i], order);
    return past->count ? arena_printf(sh->scratch, "%d:%016llx:%016llx", past->count, (unsigned long long)which, (unsigned long long)order) : NULL;
}

/* The student's steps to his version `last` on the lesson's own program: the version that they lead to is current then. Of a part
 * whose goal was not reached that is where he stopped. */
static bool redo(Grade *g, const PartProgress *p, int last)
{
    Shell *sh = g->sh;
    const Derivation *d = NULL;
    for (int i = 0; p->program && !d && i < session_count(g->sent); i++) {
        const Derivation *one = session_get(g->sent, i);
        if (!strcmp(one->name, p->program) && one->versions.v[0]->hash == p->source) d = one;
    }
    if (p->state != PART_DONE && d) last = d->current;
    const Version *begin = d ? derivation_version(d, p->begin) : NULL, *end = d ? derivation_version(d, last) : NULL;
    const Version *here = session_version(sh->session);
    Past past;
    if (!begin || !end)
        return reason(g, "%s@%d is not in the file, or does not repeat", p->program, begin ? last : p->begin), false;
    if (!here || here->hash != begin->hash) return reason(g, "it does not begin where this part of the lesson does"), false;
    session_use(g->sent, d->name);
    /* Sizes are no steps, but what a parameter may be bound to depends on them. */
    const Program *to = session_current(sh->session)->program;
    for (int i = 0; i < to->size_count && i < d->program->size_count; i++)
        session_set_size(sh->session, size_name(to, i), d->sizes[i]);
    diag_clear(diag(sh));
    /* From the present version as far up as `top` is above `begin`. */
    const Version *top = session_ancestor(begin, end);
    for (const Version *v = begin; here && v != top; v = v->from) here = here->from;
    bool ok = here && here->hash == top->hash && session_goto(sh->session, here->number)
        && session_past(g->sent, top, end, sh->scratch, &past);
    if (!ok) return reason(g, "the way from @%d to @%d is not in the lesson", p->begin, last), false;
    g->way = way_text(sh, &past);
    Replay *replay = replay_new(sh->session, &past);
    bool rewrites = lesson_part(sh)->rewrites;
    g->steps = 0;
    for (int i = 0; i < past.count && ok; i++) {
        ok = redo_step(g, replay, &past.steps[i]);
        g->steps += rewrites && past.steps[i].count ? past.steps[i].count : 1;
    }
    replay_free(replay);
    return ok;
}

/* ---- goals ---- */

/* Run what goals of that part are about; false: there is nothing to run it on. */
static bool measure(Grade *g, const LessonPart *part, PartProgress *now)
{
    Shell *sh = g->sh;
    const char *ref = NULL;
    const Version *v = session_version(sh->session);
    bool wanted = v && v->code && part->equiv;       /* an edited kernel computes what a run says it does (goal_doubt) */
    for (int i = 0; i < part->goals.n; i++) {
        wanted = wanted || part->goals.v[i].kind == GOAL_RAN || part->goals.v[i].kind == GOAL_TIME;
        if (part->goals.v[i].kind == GOAL_TIME) ref = part->goals.v[i].name;
    }
    bool there = wanted && v && shell_device(sh);
    diag_clear(diag(sh));
    if (!there) return !wanted;
    int code = quietly(g, ref ? arena_printf(sh->scratch, "run %s @%d", ref, v->number) : "run");
    if (v->run && v->run->state == STATE_OK) now->ran = v->hash;
    if (code == 3 && v->run && v->run->state == STATE_WRONG) {
        reason(g, "its kernel computes something else than the program");
        judge(g, WRONG);
    }
    return code != 2;                    /* kernels edited by hand are not run with --restricted */
}

static void check_goal(Grade *g, const LessonGoal *goal, const Version *v, bool measured)
{
    bool figures = goal->kind == GOAL_RAN || goal->kind == GOAL_TIME;
    if (goal->kind == GOAL_CHECKED || goal->kind == GOAL_REFUTED) check_again(g, goal->name);
    GoalVerdict one = goal_judge(g->sh, goal, v);
    if (one.holds) return;
    if (figures && !measured) {
        reason(g, "not judged: %s", goal->text);
        return;
    }
    reason(g, "%s: %s", goal->text, one.missing);
    judge(g, NOT_REACHED);
}

static void check_equal(Grade *g, const LessonPart *part, const Version *v)
{
    const Derivation *d = session_current(g->sh->session);
    if (!v || !part->equiv || v->root == d->versions.v[0]->root) return;
    CheckResult k = source_check(g->sh, v, part->equiv, g->seed);
    if (k.verdict == CHECK_REFUTED) {
        reason(g, "it computes something else than the program: %s", k.difference);
        judge(g, WRONG);
    } else if (k.verdict == CHECK_IMPOSSIBLE) {
        reason(g, "not judged: equal to the program (%s)", k.reason ? k.reason : "");
        if (v->trust == TRUST_ASSUMED) judge(g, NOT_REACHED);            /* as goal_equal */
    }
    diag_clear(diag(g->sh));
}

/* It is done again as well, and measured in turns with what it is to be compared with, where there is a device. What the file
 * says of its time is not believed. */
static void judge_fastest(Grade *g, const LessonPart *part, const PartProgress *sent, PartProgress *now)
{
    Shell *sh = g->sh;
    int steps = g->steps;
    const char *way = g->way;
    if (part->fast <= 0 || sent->fastest < 0 || g->verdict != DONE || !session_goto(sh->session, now->begin)) return;
    bool ok = redo(g, sent, sent->fastest);
    const Version *v = session_version(sh->session);
    g->steps = steps;
    g->way = way;
    if (!ok) {
        judge(g, DIVERGED);
        return;
    }
    for (int i = 0; i < part->goals.n; i++)
        if (part->goals.v[i].kind != GOAL_RAN && part->goals.v[i].kind != GOAL_TIME) check_goal(g, &part->goals.v[i], v, false);
    bool there = g->verdict == DONE && shell_device(sh);
    diag_clear(diag(sh));
    if (!there) check_equal(g, part, v); /* else the run compares */
    int code = there ? quietly(g, arena_printf(sh->scratch, "run %s @%d", part->against, v->number)) : 0;
    if (code == 3) reason(g, "the kernel of @%d computes something else than the program", sent->fastest), judge(g, WRONG);
    g->ratio = there && code == 0 ? goal_ratio(sh, v, part->against) : 0;
    diag_clear(diag(sh));
}

/* ---- parts ---- */

static void judge_part(Grade *g, const LessonPart *part, const PartProgress *sent, PartProgress *now)
{
    bool begun = sent && sent->begun, skipped = begun && sent->state == PART_SKIPPED;
    if (!begun || skipped || (sent->program && !redo(g, sent, sent->end))) {
        judge(g, !begun ? NOT_BEGUN : skipped ? SKIPPED : DIVERGED);
        return;
    }
    const Version *v = session_version(g->sh->session);
    bool answered = part->ask && sent->answer;
    if (answered && answer_right(g->sh, part->ask, sent->answer, v))
        now->answer = arena_strdup(lesson_on(g->sh)->lesson->arena, sent->answer);
    else if (answered) reason(g, "the answer \"%.60s\" is wrong", sent->answer), judge(g, NOT_REACHED);
    diag_clear(diag(g->sh));
    bool measured = measure(g, part, now);
    for (int i = 0; i < part->goals.n; i++) check_goal(g, &part->goals.v[i], v, measured);
    check_equal(g, part, v);
    judge_fastest(g, part, sent, now);
    now->end = v && (g->verdict == DONE || sent->state == PART_DONE) ? v->number : -1;
}

static void grade_part(Grade *g, int i)
{
    Shell *sh = g->sh;
    LessonRun *run = lesson_on(sh);
    const LessonPart *part = run->lesson->parts.v[i];
    const PartProgress *sent = i < g->progress.count ? &g->progress.parts[i] : NULL;
    g->reasons = json_array();
    g->verdict = DONE;
    g->steps = 0;
    g->way = NULL;
    g->ratio = 0;
    /* What the lesson itself does is not a student's: --restricted does not hold for it. */
    bool restricted = sh->restricted;
    sh->restricted = false;
    bool ok = lesson_begin(sh, i);
    sh->restricted = restricted;
    if (ok) judge_part(g, part, sent, &run->progress.parts[i]);
    else {
        const Diag *d = diag(g->sh);
        reason(g, "the lesson itself: %s", d->message);
        for (int j = 0; j < d->note_count; j++) reason(g, "  %s", d->notes[j].text);
        judge(g, NOT_REACHED);
    }
    diag_clear(diag(sh));
    size_t printed = sh->out.len;
    if (run->progress.parts[i].end < 0 && !lesson_lead_on(sh)) diag_clear(diag(sh));
    print_taken(sh, printed);
    size_t k;
    json_t *why;
    bool counted = g->verdict == DONE && (part->steps || g->steps);
    print(sh, "%3d  %s" AT(18) "%s", i + 1, verdict_names[g->verdict], counted ? lesson_done_text(sh, part, g->steps) : "");
    show_column(sh, 36);
    if (sent && sent->hints) print(sh, "%d hint%s", sent->hints, plural(sent->hints));
    print(sh, AT(46) "%s\n", part->title);
    if (g->ratio > 0)
        print(sh, "       @%d here: %s (par %g)\n", sent->fastest, lesson_times_text(sh, g->ratio, part->against), part->fast);
    json_array_foreach(g->reasons, k, why) print(sh, "       %s\n", json_string_value(why));
    g->counts[g->verdict]++;
    json_add(g->parts, "{part:i title:s state:s steps:i par:i hints:i wrong_answers:i reasons:o par_time?:n time?:n way?:s tried?:s}", i + 1, part->title,
             verdict_names[g->verdict], g->steps, part->steps, sent ? sent->hints : 0, sent ? sent->wrong : 0, g->reasons, part->fast,
             g->ratio, g->way, sent ? sent->tried : NULL);
}

/* ---- the whole ---- */

static bool grade_all(Grade *g, Lesson *lesson)
{
    Shell *sh = g->sh;
    const char *name = arena_strdup(sh->scratch, lesson->name);
    int n = lesson->parts.n;
    bool same = !strcmp(lesson->hash, g->progress.hash);
    lesson_open(sh, lesson);
    sh->guided->own = true;
    Strategies *judging = shell_strategies(sh), *students = judging ? shell_define_items(sh, sh->session, &g->report, NULL) : NULL;
    if (students) {                      /* it answers what the student's rules ask; goals never see it */
        strategies_host(judging, &sh->host, sh->session);
        strategies_ask_other(judging, students);
    }
    /* Rules begin as assumed here, whatever the file says of them. */
    const Rule *r;
    for (int i = 0; (r = rules_user(session_rules(g->sent), i)); i++)
        if (!r->reversed) quietly(g, arena_printf(g->sh->scratch, "rule %s", rule_definition(r)));
    print(sh, "%s: %s\n", name, lesson->title);
    if (!same) print(sh, "     the lesson was another one when this was done\n");
    for (int i = 0; i < g->report.losses.n; i++) {
        const Loss *l = &g->report.losses.v[i];
        const char *where = l->line ? arena_printf(sh->scratch, "line %d of the file: ", l->line) : "";
        const char *text = arena_printf(sh->scratch, "%s%s%s%s", where, l->what, *l->what ? ": " : "", l->why);
        print(sh, "     %s\n", text);
        json_add(g->damage, "s", text);
    }
    for (int i = 0; i < n && !*sh->stop; i++) grade_part(g, i);
    if (students) strategies_ask_other(judging, NULL);
    lesson_close(sh);
    strategies_free(students);
    diag_clear(diag(sh));
    int done = g->counts[DONE], wrong = g->counts[WRONG], diverged = g->counts[DIVERGED];
    shell_report(sh, "{lesson:s file:s damage:o parts:o done:i ok:b}", name, g->file, json_incref(g->damage), json_incref(g->parts), done,
                 done == n && !g->report.losses.n);
    if (done == n && !g->report.losses.n) return true;
    if (!diverged && g->report.losses.n) return shell_error(sh, E89, "%s was changed by hand, or is damaged", g->file);
    if (diverged)
        return shell_error(sh, E89, "%d part%s of %s do%s not repeat", diverged, diverged == 1 ? "" : "s", name, diverged == 1 ? "es" : "");
    if (wrong)
        return shell_error(sh, E88, "%d part%s of %s compute%s something else", wrong, wrong == 1 ? "" : "s", name, wrong == 1 ? "s" : "");
    return shell_error(sh, E87, "%d of %d parts of %s are done", done, n, name);
}

/* The work under way, as it would be handed in. */
static const char *present_work(Shell *sh)
{
    StoreItem *items;
    const char *name = shell_temporary(sh, ".session", "");
    int n = keep_items(sh, sh->scratch, &items);
    if (!name || session_save(sh->session, items, n, name)) return name;
    unlink(name);
    return NULL;
}

const char **lesson_own_ways(Shell *sh, Lesson *lesson)
{
    int n = lesson->parts.n;
    const char **ways = NEW_ARRAY(sh->scratch, const char *, n);
    lesson_open(sh, lesson);
    for (int i = 0; i < n && !*sh->stop && lesson_begin(sh, i); i++) {
        LOCAL(buf_free) Buf out = {0};
        const LessonPart *part = lesson->parts.v[i];
        PartProgress *p = lesson_now(sh);
        Past past;
        if (part->solution.text) lesson_run(sh, &part->solution, lesson->source.name, true, true, &out);
        const Derivation *d = lesson_program(sh->session, p);
        const Version *begin = d ? derivation_version(d, p->begin) : NULL, *end = d ? derivation_version(d, d->current) : NULL;
        diag_clear(diag(sh));
        if (end) p->end = end->number;
        if (end && session_past(sh->session, session_ancestor(begin, end), end, sh->scratch, &past)) ways[i] = way_text(sh, &past);
        diag_clear(diag(sh));
    }
    lesson_close(sh);
    diag_clear(diag(sh));
    return ways;
}

bool lesson_grade_file(Shell *sh, const char *file, const char *where)
{
    Strategies *strategies = NULL;
    if (!file && !lesson_on(sh)) return shell_error(sh, E82, "no lesson is on: grade which file?\ntry lesson grade FILE");
    Grade g = {.sh = sh, .file = file ? file : present_work(sh), .parts = json_array(), .damage = json_array()};
    g.sent = g.file ? shell_read_session(sh, g.file, &g.report, &strategies, NULL) : NULL;
    if (g.sent) diag_clear(diag(sh));
    bool ok = g.sent && progress_read(g.report.items.v, g.report.items.n, sh->scratch, &g.progress);
    if (g.sent && !ok && g.report.losses.n) shell_error(sh, E89, "%s was changed by hand, or is damaged", g.file);
    else if (g.sent && !ok)
        shell_error(sh, E82, "%s is no work on a lesson\nhint lesson submit FILE writes it, while the lesson is on", g.file);
    /* The seed: another one for every submission, and the same each time that one is graded. */
    uint64_t seed = (uint64_t)session_setting_int(sh->session, SET_SEED);
    for (int i = 0; i < g.report.steps.n; i++) seed = hash_mix(seed, g.report.steps.v[i].hash);
    g.seed = seed % 1000000000;
    /* the lesson under way is where it is; one that was handed in is the grader's, wherever the file says it was */
    const char *dir = !ok ? NULL
        : where ? lesson_find(sh->c, sh->scratch, where) : lesson_find_again(sh->c, sh->scratch, g.progress.name, file ? NULL : g.progress.dir);
    if (ok && !dir && !where) diag_note(diag(sh), "or", "lesson grade %s FOLDER, which holds its lesson.md", file);
    Lesson *lesson = dir ? lesson_read(sh->c, dir) : NULL;
    if (lesson && strcmp(lesson->name, g.progress.name) && strcmp(lesson->hash, g.progress.hash)) {
        shell_error(sh, E81, "%s is work on the lesson %s, not on %s", file, g.progress.name, lesson->name);
        lesson_free(lesson);
        lesson = NULL;
    }
    ok = lesson && grade_all(&g, lesson);
    strategies_free(strategies);
    if (g.sent) session_free(g.sent);
    report_free(&g.report);
    json_decref(g.parts);
    json_decref(g.damage);
    if (!file && g.file) unlink(g.file);
    return ok;
}

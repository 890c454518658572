/* lesson: the lesson under way: its session beside the user's, its parts, what it says after a command. */
#include "lesson.h"
#include "commands.h"
#include "show.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- the session of a lesson ---- */

void lesson_open(Shell *sh, Lesson *lesson)
{
    LessonRun *run = NEW(lesson->arena, LessonRun);
    run->lesson = lesson;
    run->outer = lesson_on(sh);
    run->guided = (Guided){.folder = lesson->dir, .waiting = keep_users_unsaved(sh)};
    run->guided.waiting.work = arena_strdup(lesson->arena, run->guided.waiting.work);
    run->progress = (Progress){.name = lesson->name, .hash = lesson->hash, .dir = lesson->dir, .count = lesson->parts.n,
                               .parts = NEW_ARRAY(lesson->arena, PartProgress, lesson->parts.n)};
    keep_autosave(sh);
    shell_put_aside(sh, &run->aside);
    sh->guided = &run->guided;
}

/* What runs in it is recorded beside its progress from now on: lessons/NAME.db in the state folder, where there is one. */
static void keep_results(Shell *sh)
{
    const Lesson *l = lesson_on(sh)->lesson;
    LOCAL(drop) char *file = shell_state_path(arena_printf(sh->scratch, "lessons/%s.db", l->name), true);
    sh->results_fleeting = !file;
    sh->results_file = file ? arena_strdup(l->arena, file) : NULL;
}

/* The progress of an earlier time, as far as the lesson has such parts, with the session that it was made in. */
static void take_progress(Shell *sh, Session *s, const Progress *before)
{
    LessonRun *run = lesson_on(sh);
    Progress *p = &run->progress;
    /* What was read from files of the lesson's is read from them where they are now. */
    size_t n = before->dir ? strlen(before->dir) : 0;
    const Derivation *current = session_current(s);
    for (int i = 0; n && strcmp(before->dir, p->dir) && i < session_count(s); i++) {
        const Derivation *d = session_get(s, i);
        session_use(s, d->name);
        for (int k = 0; k < d->program->input_count; k++) {
            FillSpec spec = d->inputs[k].spec;
            if (spec.kind != FILL_FILE || strncmp(spec.path, before->dir, n) || spec.path[n] != '/') continue;
            spec.path = arena_printf(sh->scratch, "%s%s", p->dir, spec.path + n);
            session_set_input(s, d->inputs[k].name, &spec);
        }
    }
    if (current) session_use(s, current->name);
    bool other = before->dir && strcmp(before->dir, p->dir) && lesson_is_at(before->dir);
    run->elsewhere = other ? arena_strdup(run->lesson->arena, before->dir) : NULL;
    run->changed = strcmp(before->hash, p->hash) != 0;
    for (int i = 0; i < p->count && i < before->count; i++) {
        PartProgress *part = &p->parts[i];
        *part = before->parts[i];
        if (part->program) part->program = arena_strdup(run->lesson->arena, part->program);
        if (part->answer) part->answer = arena_strdup(run->lesson->arena, part->answer);
        if (part->tried) part->tried = arena_strdup(run->lesson->arena, part->tried);
        int hints = run->lesson->parts.v[i]->hints.n;                     /* some may be gone from the lesson */
        if (part->hints < 0 || part->hints > hints) part->hints = hints;
    }
    for (int i = 0; i < SETTING_COUNT; i++) {            /* as it was set in it, whatever the session that it is opened from has */
        if (!before->set[i]) continue;
        p->set[i] = arena_strdup(run->lesson->arena, before->set[i]);
        if (!session_set(sh->session, setting((SettingId)i)->name, p->set[i])) p->set[i] = NULL, diag_clear(diag(sh));
    }
    p->part = before->part < p->count ? before->part : p->count - 1;
}

bool lesson_adopt(Shell *sh, Session *read, const ReadReport *report, const char **what)
{
    Progress before;
    *what = NULL;
    if (!progress_read(report->items.v, report->items.n, sh->scratch, &before)) return false;
    const char *dir = lesson_find_again(sh->c, sh->scratch, before.name, sh->restricted ? NULL : before.dir);
    Lesson *l = dir ? lesson_read(sh->c, dir) : NULL;
    const char *was = before.dir ? arena_printf(sh->scratch, "was in %s, and is not there any more", before.dir)
                                 : "is not found here";
    *what = arena_printf(sh->scratch, "lesson %s, which %s; save would leave its progress out", before.name,
                         dir ? "is not well formed" : was);
    diag_clear(diag(sh));
    if (!l) return false;
    lesson_open(sh, l);
    keep_results(sh);
    take_progress(sh, read, &before);
    *what = arena_printf(sh->scratch, "lesson %s, part %d of %d%s", l->name, lesson_on(sh)->progress.part + 1, l->parts.n,
                         lesson_on(sh)->changed ? "; it has changed since" : "");
    return true;
}

/* With what was reached in it before, in its file in the state folder. */
bool lesson_enter(Shell *sh, Lesson *lesson)
{
    LOCAL(drop) char *file = shell_state_path(arena_printf(sh->scratch, "lessons/%s.session", lesson->name), true);
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;         /* does another process append to it? */
    if (fd >= 0) close(fd);
    if (locked)
        return shell_error(sh, E86, "%s is under way in another lathe\nhint go on there, or leave it there: lesson leave", lesson->name);
    lesson_open(sh, lesson);
    keep_results(sh);
    if (file) {
        /* What was left there goes on; a file that cannot be read stays beside the new one. */
        LOCAL(report_free) ReadReport report = {0};
        Strategies *strategies = NULL;
        Progress before;
        Session *s = access(file, F_OK) ? NULL : shell_read_session(sh, file, &report, &strategies, NULL);
        bool ok = s && progress_read(report.items.v, report.items.n, sh->scratch, &before);
        diag_clear(diag(sh));
        if (ok) {
            shell_announce(sh, s);
            shell_take_session(sh, s, strategies);
            trust_again(sh, &report);
            shell_take_aliases(sh, &report);
            take_progress(sh, s, &before);
        } else if (s) {
            strategies_free(strategies);
            session_free(s);
        }
        if (access(file, F_OK) == 0 && (!ok || report.losses.n)) {
            lesson_on(sh)->damaged = arena_printf(lesson_on(sh)->lesson->arena, "%s.damaged", file);
            rename(file, lesson_on(sh)->damaged);
        }
    }
    if (file) sh->keep.journal = journal_new(file);
    sh->keep.kept = file != NULL;
    keep_autosave(sh);
    return true;
}

void lesson_close(Shell *sh)
{
    LessonRun *run = lesson_on(sh);
    if (!run) return;
    if (sh->keep.kept || sh->keep.journal) keep_leave_journal(sh);
    free(sh->keep.file);
    sh->guided = run->outer ? &run->outer->guided : NULL;
    shell_take_back(sh, &run->aside);
    lesson_free(run->lesson);
}

void lesson_end(Shell *sh) { while (lesson_on(sh)) lesson_close(sh); }

int lesson_run(Shell *sh, const LessonText *lines, const char *name, bool own, bool keep_going, Buf *out)
{
    LessonRun *run = lesson_on(sh);
    Buf *captured = sh->captured, *errors = sh->errors;
    int seq = sh->seq;
    bool was = run->guided.own, echo = sh->echo, kept = sh->keep_going;
    run->guided.own = own;
    sh->captured = sh->errors = out;
    sh->echo = false;
    sh->keep_going = keep_going;
    sh->depth++;
    int code = sh->run_text(sh, lines->text, name, lines->line);
    sh->depth--;
    sh->seq = seq;
    sh->echo = echo;
    sh->keep_going = kept;
    sh->captured = captured;
    sh->errors = errors;
    run->guided.own = was;
    return code;
}

/* ---- parts ---- */

bool lesson_goto(Shell *sh, const PartProgress *p, int version)
{
    const Derivation *d = lesson_program(sh->session, p);
    if (!p->program) return true;
    if (!d || !derivation_version(d, version))
        return shell_error(sh, E80, "%s@%d, where the part begins, is not there any more\n"
                           "try lesson reset all", p->program, version);
    return session_use(sh->session, d->name) && session_goto(sh->session, version);
}

bool lesson_begin(Shell *sh, int i)
{
    LessonRun *run = lesson_on(sh);
    const PartProgress *before = i > 0 ? &run->progress.parts[i - 1] : NULL;
    bool go_on = !run->lesson->parts.v[i]->load.text && before && before->begun && before->end >= 0;
    run->progress.part = i;
    run->trials = 0;
    if (go_on && !lesson_goto(sh, before, before->end)) return false;
    const LessonPart *part = run->lesson->parts.v[i];
    LOCAL(buf_free) Buf out = {0};
    run->guided.begins = true;
    int code = part->load.text ? lesson_run(sh, &part->load, run->lesson->source.name, true, false, &out) : 0;
    run->guided.begins = false;
    if (code) {
        const char *text = arena_strdup(sh->scratch, buf_text(&out));
        diag_clear(diag(sh));
        diag_error(diag(sh), E80, "the load of part %d of %s fails", i + 1, run->lesson->name);
        for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
            diag_note(diag(sh), "", "%.*s", (int)strcspn(p, "\n"), p);
    }
    if (code) return false;
    const Derivation *d = session_current(sh->session);
    PartProgress *p = lesson_now(sh);
    *p = (PartProgress){.begun = true, .begin = -1, .end = -1, .fastest = -1, .hints = p->hints, .wrong = p->wrong, .tried = p->tried};
    if (!d) return true;
    p->program = arena_strdup(run->lesson->arena, d->name);
    p->source = d->versions.v[0]->hash;
    p->begin = d->current;
    return true;
}

bool lesson_lead_on(Shell *sh)
{
    LessonRun *run = lesson_on(sh);
    PartProgress *p = lesson_now(sh);
    const LessonPart *part = lesson_part(sh);
    bool wanted = run->progress.part + 1 < run->progress.count
        && !run->lesson->parts.v[run->progress.part + 1]->load.text && part->solution.text;
    if (!wanted || p->end >= 0) return true;
    if (!lesson_goto(sh, p, p->begin)) return false;
    LOCAL(buf_free) Buf out = {0};
    /* The lines of a text that are not `lesson ...`. */
    const LessonText *from = &part->solution;
    LOCAL(buf_free) Buf b = {0};
    for (const char *q = from->text; *q; q += strcspn(q, "\n"), q += *q == '\n')
        buf_printf(&b, "%.*s\n", strncmp(q, "lesson", 6) ? (int)strcspn(q, "\n") : 0, q);
    LessonText lines = {arena_strdup(sh->scratch, buf_text(&b)), from->line};
    int code = lesson_run(sh, &lines, run->lesson->source.name, true, true, &out);
    diag_clear(diag(sh));
    code = code && session_version(sh->session) && session_version(sh->session)->number == p->begin;
    if (code) diag_error(diag(sh), E80, "the solution of part %d of %s fails", run->progress.part + 1, run->lesson->name);
    else if (session_version(sh->session)) p->end = session_version(sh->session)->number;
    if (!code && p->end != p->begin) print(sh, "the lesson's own steps lead to @%d\n", p->end);
    return code == 0;
}

const char *lesson_steps_text(Shell *sh, const LessonPart *part, int n)
{
    return arena_printf(sh->scratch, "%d %s%s", n, part->rewrites ? "rewrite" : "step", plural(n));
}

const char *lesson_done_text(Shell *sh, const LessonPart *part, int n)
{
    const char *text = lesson_steps_text(sh, part, n);
    return part->steps ? arena_printf(sh->scratch, "%s (par %d)", text, part->steps) : text;
}

const char *lesson_times_text(Shell *sh, double ratio, const char *against)
{
    bool shown = show_times(sh);
    return arena_printf(sh->scratch, "%s x the time of %s", shown ? arena_printf(sh->scratch, "%.3g", ratio) : "-", against);
}

/* Versions on the way from where the current part began to v; or rewrites, where it counts them. */
static int lesson_steps(Shell *sh, const Version *v)
{
    const PartProgress *p = lesson_now(sh);
    const Derivation *d = lesson_program(sh->session, p);
    const Version *begin = d ? derivation_version(d, p->begin) : NULL;
    const Version *top = begin ? session_ancestor(begin, v) : NULL;
    int n = 0;
    bool rewrites = lesson_part(sh)->rewrites;
    for (const Version *at = v; at->from && at != top; at = at->from) n += rewrites && at->sub_count ? at->sub_count : 1;
    return n;
}

/* ---- what is allowed ---- */

typedef enum { UNSAID, ALLOWED, FORBIDDEN } Verdict;

/* *listed: names of that kind are allowed one by one. */
static Verdict verdict(const LessonEntries *all, NamedKind kind, const char *name, bool *listed)
{
    Verdict v = UNSAID;
    for (int i = 0; i < all->n; i++) {
        const LessonEntry *e = &all->v[i];
        if (e->kind != kind) continue;
        *listed = *listed || e->allow;
        size_t n = strlen(e->name);
        if (!(n && e->name[n - 1] == '*' ? !strncmp(e->name, name, n - 1) : !strcmp(e->name, name))) continue;
        if (!e->allow) return FORBIDDEN;
        v = ALLOWED;
    }
    return v;
}

bool lesson_has(const Shell *sh, NamedKind kind, const char *name)
{
    static const char *const always[] = {"lesson", "help", "quit", "undo", "goto", "log", "show", "serve"};
    const LessonRun *run = lesson_on(sh);
    bool listed = false;
    if (kind == NAMED_COMMAND && text_index(always, COUNT(always), name) >= 0) return true;
    const StrategyName *macro = kind == NAMED_MACRO && sh->strategies ? strategies_find(sh->strategies, name) : NULL;
    const Rule *rule = kind == NAMED_RULE ? rules_find(session_rules(sh->session), name) : NULL;
    Verdict part = verdict(&lesson_part(sh)->entries, kind, name, &listed);     /* its own lines come first */
    Verdict all = part == UNSAID ? verdict(&run->lesson->entries, kind, name, &listed) : part;
    if ((macro && macro->user) || (rule && rule_is_user(rule)))          /* of the user's only what is forbidden by its name */
        return all != FORBIDDEN && verdict(&run->lesson->entries, kind, name, &listed) != FORBIDDEN;
    return all == ALLOWED || (all == UNSAID && !listed);
}

bool lesson_may(Shell *sh, const Piece *p)
{
    const char *name = p->command ? p->command->name : *p->verb == '=' ? "lua" : NULL;
    if (!name) return true;
    if (!guide_may_name(sh, NAMED_COMMAND, name)) return false;
    if (strcmp(name, "open") || sh->guided->own) return true;
    return shell_error(sh, E83, "a lesson has its own session, and open would replace it\ntry lesson leave");
}

static const char *name_of(Shell *sh, const char *call) { return arena_strndup(sh->scratch, call, strcspn(call, "({ ")); }

static const char *unless_there(const Shell *sh, NamedKind kind, const char *name)
{
    return lesson_has(sh, kind, name) ? NULL : name;
}

const char *lesson_lacks(Shell *sh, const PastStep *step)
{
    const char *missing = NULL, *whole = name_of(sh, step->call);
    Strategies *s = step->kind == STEP_MACRO || step->kind == STEP_LOWER ? shell_strategies(sh) : NULL;
    if (step->kind == STEP_LOWER) missing = unless_there(sh, NAMED_COMMAND, "lower");
    if (missing || (step->kind == STEP_LOWER && !strcmp(whole, "lower"))) return missing;
    if (s && call_is_single(step->call) && strategies_find(s, whole)) return unless_there(sh, NAMED_MACRO, whole);
    for (int i = 0; i < step->count && !missing; i++) {
        const MacroUse *use = step->rewrites[i].within;
        while (use && use->outer) use = use->outer;
        missing = unless_there(sh, use ? NAMED_MACRO : NAMED_RULE, name_of(sh, use ? use->call : step->rewrites[i].call));
    }
    return missing;
}

const char *lesson_foreign(Shell *sh, const Version *v)
{
    const PartProgress *p = lesson_now(sh);
    const Derivation *d = lesson_program(sh->session, p);
    const Version *begin = d ? derivation_version(d, p->begin) : NULL;
    Past past = {0};
    if (!begin || !session_past(sh->session, session_ancestor(begin, v), v, sh->scratch, &past)) return NULL;
    for (int i = 0; i < past.count; i++) {
        const char *lacks = lesson_lacks(sh, &past.steps[i]);
        if (lacks) return arena_printf(sh->scratch, "@%d uses %s, which is not in this part", past.steps[i].number, lacks);
    }
    return NULL;
}

bool lesson_reached(Shell *sh)
{
    const char *why;
    const LessonPart *part = lesson_part(sh);
    const Version *v = lesson_version(sh, &why);
    if (why || !goals_hold(sh, v) || (part->ask && !lesson_now(sh)->answer)) return false;
    if (v && lesson_foreign(sh, v)) return false;
    return !v || !part->equiv || (!goal_doubt(sh, v) && goal_equal(sh, v, part->equiv, NULL));
}

/* ---- what is said after a command ---- */

/* A line to who reads it: the user, or a program as an event. */
static void tell(Shell *sh, const char *event, const char *when, const char *text, int steps)
{
    const LessonRun *run = lesson_on(sh);
    if (!sh->json) {
        LOCAL(buf_free) Buf out = {0};
        if (sh->terminal) show_broken(sh, text, &out);
        shell_put(sh, stdout, sh->terminal ? buf_text(&out) : text);
        fflush(stdout);
        return;
    }
    json_print(sh, json_of("{v:i event:s lesson:s part:i text:s when?:s steps?:o}", 1, event, run->lesson->name, run->progress.part + 1, text,
                       when, steps >= 0 ? json_integer(steps) : NULL));
}

/* The command that goes on behind this part. */
static const char *goes_on(Shell *sh)
{
    const LessonRun *run = lesson_on(sh);
    if (run->progress.part + 1 < run->progress.count) return "lesson next";
    const char *next = lesson_after_it(sh->scratch, run->lesson);
    return arena_printf(sh->scratch, "lesson %s", next ? next : "leave");
}

const char *lesson_next_text(Shell *sh)
{
    const Progress *p = &lesson_on(sh)->progress;
    const char *next = goes_on(sh);
    if (p->part + 1 < p->count) return next;
    return arena_printf(sh->scratch, "that was the last part: %d of %d done%s        %s", progress_count(p, PART_DONE), p->count,
                        progress_count(p, PART_SKIPPED) ? ", some skipped" : "", next);
}

const char *lesson_note_reached(Shell *sh)
{
    PartProgress *p = lesson_now(sh);
    const LessonPart *part = lesson_part(sh);
    const Version *v = session_version(sh->session);
    int steps = v ? lesson_steps(sh, v) : 0, before = p->steps;
    bool again = p->state == PART_DONE;
    if (again && steps >= before) return NULL;
    p->state = PART_DONE;
    p->steps = steps;
    p->end = v ? v->number : -1;
    bool count = v && (part->steps || steps);
    const char *in = count ? arena_printf(sh->scratch, " in %s", lesson_steps_text(sh, part, steps)) : "";
    const char *par = part->steps ? arena_printf(sh->scratch, " (par %d)", part->steps) : "";
    const char *was = again ? arena_printf(sh->scratch, ", %d before", before) : "";
    bool enter = shell_offers_enter(sh);
    if (enter) shell_offer_enter(sh, goes_on(sh));
    return arena_printf(sh->scratch, "goal reached%s%s%s        %s%s\n", in, par, was, lesson_next_text(sh), enter ? ", or Enter" : "");
}

/* What is to be said of an event, the part's before the lesson's; NULL: nothing, or it was said. */
static const LessonSay *unsaid(const Shell *sh, LessonEvent event)
{
    const LessonSays *all[] = {&lesson_part(sh)->says, &lesson_on(sh)->lesson->says};
    if (lesson_now(sh)->said & (1u << event)) return NULL;
    for (int k = 0; k < COUNT(all); k++)
        for (int i = 0; i < all[k]->n; i++)
            if (all[k]->v[i].event == event) return &all[k]->v[i];
    return NULL;
}

static void say(Shell *sh, LessonEvent event)
{
    const LessonSay *one = unsaid(sh, event);
    if (!one) return;
    lesson_now(sh)->said |= 1u << event;
    size_t start = sh->out.len;
    prose_all(sh, one->text);
    tell(sh, "say", lesson_event_name(event), print_taken(sh, start), -1);
}

/* No rule of the part applies anywhere, and more than an answer is missing. */
static bool is_stuck(Shell *sh, const Version *v)
{
    Path at = {0};
    if (v->code || goals_hold(sh, v)) return false;
    do {
        if (count_moves(sh, v, &at)) return false;
    } while (path_next(v->root, &at));
    return true;
}

/* A better time than before of a version that reaches the goal; in scratch, NULL: none. */
static const char *note_time(Shell *sh, PartProgress *p, const Version *v)
{
    const LessonPart *part = lesson_part(sh);
    double before = p->ratio, ratio = part->fast > 0 ? goal_ratio(sh, v, part->against) : 0;
    if (ratio == 0 || (before > 0 && ratio >= before) || !lesson_reached(sh)) return NULL;
    p->ratio = ratio;
    p->fastest = v->number;
    return arena_printf(sh->scratch, "your best: %s (par %g%s)%s\n", lesson_times_text(sh, ratio, part->against), part->fast,
                        ratio <= part->fast && show_times(sh) ? ", reached" : "",
                        before > 0 ? arena_printf(sh->scratch, ", before it %s", lesson_times_text(sh, before, part->against)) : "");
}

/* What a student sets of the display holds when he comes back, and where he goes from here. */
static void note_setting(Shell *sh, const Piece *p)
{
    LessonRun *run = lesson_on(sh);
    size_t n = strcspn(p->rest, " \t\n");
    SettingId id = setting_from_name(arena_strndup(sh->scratch, p->rest, n));
    if (id == SETTING_COUNT || setting(id)->kept || !p->rest[n + strspn(p->rest + n, " \t\n")]) return;
    run->progress.set[id] = arena_strdup(run->lesson->arena, session_setting(sh->session, id));
}

void lesson_take_settings(Shell *sh)
{
    const LessonRun *run = lesson_on(sh);
    Session *to = run ? run->aside.session.session : NULL;
    for (int i = 0; to && i < SETTING_COUNT; i++)
        if (run->progress.set[i]) session_set(to, setting((SettingId)i)->name, run->progress.set[i]);
}

/* An empty line goes on where the prompt says `done`. */
static void offer_next(Shell *sh)
{
    const PartProgress *now = lesson_now(sh);
    if (now->begun && now->state == PART_DONE && !sh->enters) shell_offer_enter(sh, goes_on(sh));
}

void lesson_after(Shell *sh, const Piece *p, ErrorId id, int code)
{
    LessonRun *run = lesson_on(sh);
    if (p->command && !strcmp(p->command->name, "set") && code == 0) note_setting(sh, p);
    PartProgress *now = lesson_now(sh);
    const char *name = p->command ? p->command->name : "", *why;
    if (!strcmp(name, "lesson") || !strcmp(name, "help") || sh->quit || !now->begun) return offer_next(sh);
    diag_clear(diag(sh));
    sh->streams = false;                 /* what it printed has been shown */
    const Version *v = lesson_version(sh, &why);
    if (v && v->run && v->run->verified) now->ran = v->hash;
    /* Of one command; a script's own code is that of a command in it, of which all was said. */
    enum { WRONG = 3 };
    bool fresh = v && (v->number != run->seen || session_current(sh->session) != run->seen_in);
    if (id == E21 || id == E23) say(sh, SAY_REFUSED);
    if (code == WRONG && strcmp(name, "source")) say(sh, SAY_WRONG);
    if (fresh && v->trust == TRUST_ASSUMED) say(sh, SAY_ASSUMED);
    if (fresh && session_same(sh->session, v)) say(sh, SAY_SAME);
    if (fresh && unsaid(sh, SAY_STUCK) && is_stuck(sh, v)) say(sh, SAY_STUCK);
    bool news = now->state != PART_DONE || (v && lesson_steps(sh, v) < now->steps);
    const char *reached = news && lesson_reached(sh) ? lesson_note_reached(sh) : NULL;
    if (reached) tell(sh, "goal", NULL, reached, now->steps);
    const char *faster = v && !strcmp(name, "run") && code == 0 ? note_time(sh, now, v) : NULL;
    if (faster) tell(sh, "time", NULL, faster, -1);
    offer_next(sh);
    run->seen = v ? v->number : -1;
    run->seen_in = session_current(sh->session);
    diag_clear(diag(sh));
}

void lesson_prompt(const Shell *sh, Buf *out)
{
    const LessonRun *run = lesson_on(sh);
    buf_printf(out, "lesson %d/%d%s  ", run->progress.part + 1, run->progress.count,
               lesson_now(sh)->state == PART_DONE && lesson_now(sh)->begun ? " done" : "");
}

/* ---- what is asked for ---- */

void lesson_put_goals(Shell *sh, const LessonPart *part, Buf *out)
{
    for (int i = 0, n = 0; i < part->goals.n; i++) {
        if (part->goals.v[i].kind == GOAL_ANSWER) continue;
        buf_printf(out, "  %-7s %s\n", n++ ? "and" : "goal", goal_words(sh, &part->goals.v[i]));
    }
    if (part->steps) buf_printf(out, "  par     %s\n", lesson_steps_text(sh, part, part->steps));
    if (part->fast > 0)
        buf_printf(out, "  %-7s at most %g x the time of %s        run %s @\n", part->steps ? "and" : "par", part->fast, part->against,
                   part->against);
}

void lesson_put_question(const LessonAsk *ask, Buf *out)
{
    for (const char *p = ask->question; *p; p += strcspn(p, "\n"), p += *p == '\n')
        buf_printf(out, "  %-7s %.*s\n", p == ask->question ? "asked" : "", (int)strcspn(p, "\n"), p);
    for (int i = 0; i < ask->choices.n; i++) buf_printf(out, "          %d  %s\n", i + 1, ask->choices.v[i]);
    if (ask->kind == ASK_CHOICE) buf_printf(out, "  answer  1 .. %d\n", ask->choices.n);
    else if (ask->kind == ASK_PATTERN) buf_puts(out, "  answer  lesson check PATTERN        as for find: map _ (zip _ _)\n");
    else buf_printf(out, "  answer  a number from %lld to %lld\n", (long long)ask->low, (long long)ask->high);
}

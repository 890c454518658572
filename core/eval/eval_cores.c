/* eval_cores: one Eval's questions answered on all cores.
 *
 * Code keeps values in its nodes, so each thread has an Eval of its own, of the same term and inputs, whose code was made in
 * the same order. What depends on no loop, and is dear for that, is one for all: the others borrow units that are filled, and
 * fill the same memos. Everything is pure, so nothing depends on who computes what. */
#include "eval_compile.h"
#include "team.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum {
    TASK_STEPS = 20000,                  /* scalar steps of a task, or one element */
    TEAM_STEPS = 400000,                 /* fewer are done alone: threads cost that */
    AHEAD_STEPS = 50000,                 /* looking ahead for less is not worth it */
    TASKS_MAX = 8 * TEAM_MAX,            /* of questions and steps whose costs are not known */
};

/* ---- Evals like one ---- */

static void borrow_buffer(Buffer *to, const Buffer *from)
{
    if (!to) return;
    Buffer *next = to->next;
    *to = *from;
    to->borrowed = true;
    to->next = next;
}

/* Was the same code made of both? */
static bool is_like(const Eval *a, const Eval *b) { return a->units.n == b->units.n && a->memos.n == b->memos.n; }

/* NULL: there is none. */
static Eval *eval_like(Eval *e)
{
    Eval *other = eval_new(e->ctx, e->term, e->inputs, e->input_count, e->mode);
    if (!other) return NULL;
    if (e->whole && !e->rooted_first) eval_whole(other);
    if (e->rooted) eval_root(other);
    if (e->whole) eval_whole(other);
    other->run.stop = e->run.stop;
    bool same = !diag_failed(&other->diag) && is_like(other, e);
    if (same) {
        for (int k = 0; k < e->memos.n; k++)
            for (int i = 0; deps_only_ground(&e->memos.v[k]->deps) && i < e->memos.v[k]->part_count; i++) {
                const Memo *a = e->memos.v[k];
                MemoPart *x = &a->parts[i], *y = &other->memos.v[k]->parts[i];
                memo_open(x, a, &e->run);
                borrow_buffer(y->values, x->values);
                y->stamps = x->stamps, y->now = x->now, y->seen = x->seen;
                y->borrowed = true;
            }
    } else eval_free(other);
    return same ? other : NULL;
}

/* Members for that many tasks of so many scalar steps in all, as far as they can be had. */
static int members_need(Eval *e, int64_t tasks, double steps)
{
    int want = team_size();
    if (want > tasks) want = (int)tasks;
    if (want > steps / TEAM_STEPS + 1) want = (int)(steps / TEAM_STEPS) + 1;
    while (ANY(i, e->other_count, !is_like(e->others[i], e))) eval_free(e->others[--e->other_count]);
    while (e->other_count + 1 < want) {
        Eval *other = eval_like(e);
        if (!other) break;
        e->others = mem_grow(e->others, (size_t)(e->other_count + 1) * sizeof(Eval *));
        e->others[e->other_count++] = other;
    }
    for (int i = 0; i < e->other_count; i++) {
        /* Those that are filled by now. */
        for (int u = 0; u < e->units.n; u++) {
            Unit *a = e->units.v[u], *b = e->others[i]->units.v[u];
            if (!a->stamp || b->stamp || !deps_only_ground(&a->deps)) continue;
            for (int k = 0; k < a->pair_count; k++) {
                borrow_buffer(b->pairs[k].now, a->pairs[k].now);
                borrow_buffer(b->pairs[k].record, a->pairs[k].record);
            }
            b->stamp = a->stamp;
        }
    }
    return e->other_count + 1 < want ? e->other_count + 1 : want;
}

static void look_ahead(Run *m, Memo *memo, int part, int64_t at, int64_t made, int64_t steps);
static bool make_together(Run *m, Unit *u, int64_t from, int64_t n, const Strip *out);

static void ask_for_help(Eval *e, bool on)
{
    e->run.ahead = on ? look_ahead : NULL;
    e->run.together = on ? make_together : NULL;
}

static Eval *eval_of(Run *m) { return (Eval *)(void *)((char *)m - offsetof(Eval, run)); }
static Eval *member_of(Eval *e, int member) { return member ? e->others[member - 1] : e; }

/* Everything by so many members; e is one of them, and asks for no help meanwhile. One that was stopped stops e. */
static void run_members(Eval *e, int members, int64_t tasks, TeamTask *task, void *data)
{
    ask_for_help(e, false);
    team_run(members, tasks, task, data);
    ask_for_help(e, true);
    for (int i = 1; i < members; i++) {
        Run *m = &member_of(e, i)->run;
        if (m->failed && m->hard) e->run.failed = e->run.hard = true, e->run.why = m->why;
        m->failed = m->hard = false;
    }
}

/* ---- looking ahead ---- */

typedef struct Ahead {
    Eval *e;
    int memo, part;
    int64_t from, to, each;
} Ahead;

static void make_elements(void *data, int64_t task, int member)
{
    const Ahead *a = data;
    Run *m = &member_of(a->e, member)->run;
    MemoPart *p = &member_of(a->e, member)->memos.v[a->memo]->parts[a->part];
    int64_t from = a->from + task * a->each, to = from + a->each < a->to ? from + a->each : a->to;
    for (int64_t at = from, n; at < to && !(m->failed && m->hard); at += n) {
        m->failed = false;               /* an element that fails does so when it is asked for */
        n = memo_has(p, at) ? 1 : memo_some(p, at, to - at, m);
        if (!n) n = 1, memo_make(p, at, m);
    }
    m->failed = m->failed && m->hard;
}

/* Whoever asks for one element after the other gets more and more of them at once. */
static void look_ahead(Run *m, Memo *memo, int part, int64_t at, int64_t made, int64_t steps)
{
    Eval *e = eval_of(m);
    MemoPart *p = &memo->parts[part];
    p->window = at != p->expected ? 0 : p->window < p->values->count ? 2 * p->window + made : p->window;
    p->expected = at + made;
    steps = (steps + made - 1) / made;
    int64_t left = p->values->count - p->expected, n = p->window < left ? p->window : left;
    if (m->limit || n < 1 || steps < 1 || n < AHEAD_STEPS / steps) return;
    Ahead a = {e, memo->number, part, .from = p->expected, .to = p->expected + n, .each = TASK_STEPS / steps + 1};
    int64_t before = m->steps, tasks = (n + a.each - 1) / a.each;
    run_members(e, members_need(e, tasks, (double)n * (double)steps), tasks, make_elements, &a);
    m->steps = before + n * steps;
    p->expected = a.to;
}

/* ---- what is folded, or scanned ---- */

typedef struct Together {
    Eval *e;
    int unit;
    int64_t from, to, each;
    const Strip *out;
    atomic_bool failed;
} Together;

static void make_strips(void *data, int64_t task, int member)
{
    Together *a = data;
    Eval *e = member_of(a->e, member);
    int64_t at = task * a->each, left = a->to - a->from - at;
    if (a->failed || wide_strips(e->units.v[a->unit], a->from, at, left < a->each ? left : a->each, a->out, &e->run)) return;
    a->failed = true;
}

/* Whoever folds goes through them in their order. */
static bool make_together(Run *m, Unit *u, int64_t from, int64_t n, const Strip *out)
{
    Eval *e = eval_of(m);
    int64_t before = m->steps;
    Together a = {e, u->number, .from = from, .to = from + n, .each = TASK_STEPS / (u->step->weight + 1) / STRIP * STRIP + STRIP, .out = out};
    int64_t tasks = (n + a.each - 1) / a.each;
    run_members(e, members_need(e, tasks, (double)n * u->step->weight), tasks, make_strips, &a);
    m->steps = before;
    return !a.failed && !m->failed;
}

/* ---- all of the result ---- */

typedef struct Steps {
    Eval *e;
    int statement;                       /* which of the whole's */
    int64_t from, to, each;
} Steps;

static const Stmt *statement(const Eval *e, int i)
{
    const Stmt *s = e->whole->init;
    while (i-- > 0) s = s->next;
    return s;
}

static void make_steps(void *data, int64_t task, int member)
{
    const Steps *a = data;
    Eval *e = member_of(a->e, member);
    int64_t from = a->from + task * a->each, to = from + a->each < a->to ? from + a->each : a->to;
    if (!e->run.failed) stmt_steps(statement(e, a->statement), from, to, &e->run);
}

/* The first step alone makes what all share. */
static void fill_loop(Eval *e, int number)
{
    const Stmt *s = statement(e, number);
    Steps a = {e, number, 1, s->n, s->n / TASKS_MAX + 1};
    int64_t before = e->run.steps, tasks = (s->n + a.each - 2) / a.each;
    stmt_steps(s, 0, 1, &e->run);
    if (e->run.failed) return;
    int members = members_need(e, tasks, (double)(e->run.steps - before) * (double)s->n);
    for (int i = 1; i < members; i++) {
        /* All write into e's memory, but keep marks of what failed for themselves. */
        Eval *to = member_of(e, i);
        for (int k = 0; k < e->part_count; k++) {
            Buffer *b = to->whole->pairs[k].now;
            uint8_t *marks = b->bad;
            borrow_buffer(b, e->whole->pairs[k].now);
            b->bad = marks;
        }
    }
    run_members(e, members, tasks, make_steps, &a);
}

static void fill_whole(Eval *e)
{
    for (int i = 0; i < e->part_count; i++) buffer_open(e->whole->pairs[i].now);
    int number = 0;
    for (const Stmt *s = e->whole->init; s && !e->run.failed; s = s->next, number++) {
        if (s->run == stmt_loop) fill_loop(e, number);
        else s->run(s, &e->run);
    }
    bool marks = false;                      /* of all members, which are taken away */
    for (int k = 0; k <= e->other_count; k++)
        for (int i = 0; member_of(e, k)->whole && i < e->part_count; i++) {
            Buffer *b = member_of(e, k)->whole->pairs[i].now;
            marks |= b->bad != NULL;
            free(b->bad);
            b->bad = NULL;
        }
    /* As somebody alone marks what fails, whose first mark is the first in order. */
    int64_t steps = e->run.steps;
    if (marks && !e->run.failed) fill_once(e->whole, &e->run);
    e->run.steps = steps;
}

void eval_on_all_cores(Eval *e)
{
    if (e->mode == EVAL_DECISIONS) return;
    ask_for_help(e, true);
    e->fill_whole = fill_whole;
}

/* ---- many questions ---- */

typedef struct Task {
    int64_t from, to, done;              /* asks; how many are answered */
    Failure why;                         /* the next one failed */
} Task;

typedef struct Many {
    Eval *e;
    EvalAsk *asks;
    bool (*late)(const void *);
    const void *whose;
    Task *tasks;
} Many;

static void answer(void *data, int64_t task, int member)
{
    const Many *q = data;
    Eval *e = member_of(q->e, member);
    Task *t = &q->tasks[task];
    for (EvalAsk *a = q->asks + t->from; a < q->asks + t->to && !q->late(q->whose); a++) {
        if (!eval_element(e, a->part, a->flat, &a->x)) {
            t->why = e->run.why;
            return;
        }
        t->done++;
    }
}

int64_t eval_many(Eval *e, EvalAsk *asks, int64_t n, bool (*late)(const void *whose), const void *whose, Diag *diag)
{
    int64_t done = 0, first = 0;
    for (; done < n; done++) {           /* alone, what all share with the first one, until it is seen to be long */
        if (done == 1) first = e->run.steps;
        if (done > 1 && e->run.ahead && !e->run.limit && e->run.steps - first > TEAM_STEPS) break;
        if (done && late(whose)) return done;
        if (!eval_at(e, asks[done].part, asks[done].flat, &asks[done].x, diag)) return done;
    }
    if (done == n) return n;
    Task tasks[TASKS_MAX + 1];
    Many q = {e, asks, late, whose, tasks};
    int64_t count = 0, each = (n - done) / TASKS_MAX + 1;
    for (int64_t from = done; from < n; from = tasks[count++].to) {          /* what goes on stays with what it goes on with */
        int64_t to = from + each < n ? from + each : n;
        while (to < n && asks[to].goes_on) to++;
        tasks[count] = (Task){.from = from, .to = to};
    }
    double steps = (double)(e->run.steps - first) / (double)(done - 1) * (double)(n - done);
    run_members(e, members_need(e, count, steps), count, answer, &q);
    /* Those that are answered without a gap; the one after them may have failed, and then e has. */
    eval_begin(e);
    for (const Task *t = tasks; t < tasks + count && done == t->from; t++) {
        done += t->done;
        e->run.failed = t->why.kind != FAIL_NONE;
        e->run.why = t->why;
    }
    eval_ended(e, diag);
    return done;
}

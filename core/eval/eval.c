/* eval: the interpreter's interface: whole results, one element of one, many of them, references with their shadows; alone, or with
 * the help of all cores. */
#include "eval_compile.h"
#include "team.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    TASK_STEPS = 20000,                  /* scalar steps of a task, or one element */
    TEAM_STEPS = 400000,                 /* fewer are done alone: threads cost that */
    AHEAD_STEPS = 50000,                 /* looking ahead for less is not worth it */
    TASKS_MAX = 8 * TEAM_MAX,            /* of questions and steps whose costs are not known */
};

/* ---- the interface ---- */

static bool check_inputs(Eval *e, Ctx *c, const Term *t)
{
    if (t->kind == T_INPUT) {
        for (int i = 0; i < e->input_count; i++) {
            const EvalInput *in = &e->inputs[i];
            if (strcmp(in->name, t->u.name) != 0) continue;
            if (in->data && in->data->type == t->type) return true;
            diag_error(&c->diag, E37, "the input %s is %s, the program needs %s", in->name,
                       in->data ? type_text(c, in->data->type) : "not given", type_text(c, t->type));
            return false;
        }
        diag_error(&c->diag, E37, "the input %s is not given", t->u.name);
        return false;
    }
    return ALL(i, t->arg_count, check_inputs(e, c, t->args[i]));
}

Eval *eval_new(Ctx *c, const Term *t, const EvalInput *inputs, int input_count, EvalMode mode)
{
    if (!t) return NULL;
    Eval *e = mem_alloc(sizeof *e);
    *e = (Eval){.ctx = c, .term = t, .inputs = inputs, .input_count = input_count, .mode = mode};
    e->arena = arena_new();
    e->diag = diag_new();
    e->run.mode = mode;
    e->run.wide = &wide_runs;
    e->run.arena = e->arena;
    e->ground.tick = e->run.clock = 1;
    e->part_count = type_components(t->type);
    e->parts = NEW_ARRAY(e->arena, RootPart, e->part_count);
    if (check_inputs(e, c, t)) return e;
    eval_free(e);
    return NULL;
}

void eval_free(Eval *e)
{
    if (!e) return;
    for (int i = 0; i < e->others.n; i++) eval_free(e->others.v[i]);
    free(e->others.v);
    free(e->memos.v);
    free(e->units.v);
    for (int i = 0; i < e->run.memory.n; i++) free(e->run.memory.v[i]);
    free(e->run.memory.v);
    free(e->run.strips.v);
    ptr_table_free(&e->values);
    ptr_table_free(&e->envs);
    ptr_table_free(&e->paths);
    ptr_table_free(&e->indices);
    ptr_table_free(&e->atoms);
    diag_free(&e->diag);
    arena_free(e->arena);
    free(e);
}

void eval_limit(Eval *e, int64_t steps, const volatile int *stop)
{
    e->run.limit = steps;
    e->run.steps = 0;
    e->run.stop = stop;
}

void eval_deadline(Eval *e, double ms) { e->run.deadline = ms; }

int64_t eval_steps(const Eval *e) { return e->run.steps; }

/* The path of slots to the first occurrence of a node, if it is in the program as given. */
static bool find_place(Ctx *c, const Term *t, const Term *want, Buf *out)
{
    if (t == want) return true;
    size_t before = out->len;
    for (int i = 0; t->kind != T_VAR && i < term_slot_count(t); i++) {
        buf_printf(out, "/%s", term_slot_name(c, t, i));
        if (find_place(c, term_slot(t, i), want, out)) return true;
        out->len = before;
        if (out->data) out->data[before] = '\0';
    }
    return false;
}

/* What may be replaced to mend an error, for what is right as it is must not be: the integer that is at fault; integers of which some are
 * not from 0 to most; offsets: which are not in order, else: which are, unless the culprit is among them. */
static bool is_wrong(const EvalInput *in, int64_t most, bool offsets, int64_t culprit)
{
    const Data *d = in->data;
    if (in->given || d->part_count != 1 || !scalar_is_int(d->parts[0].scalar)) return false;
    bool outside = false, ordered = true, held = false;
    int64_t last = INT64_MIN;
    for (int64_t i = 0; i < d->parts[0].count; i++) {
        int64_t v = data_get_int(d, 0, i);
        outside = outside || v < 0 || v > most;
        ordered = ordered && last <= v;
        held = held || v == culprit;
        last = v;
    }
    if (d->type->kind != TY_ARRAY) return !offsets && outside && held;
    return offsets ? outside || !ordered : outside && (held || !ordered);
}

static void report_failure(Eval *e, Diag *d)
{
    const Failure *f = &e->run.why;
    long long a = f->a, b = f->b, count;
    Scalar to;
    Buf number = {0}, place = {0};
    if (diag_failed(d)) return;
    /* The primitive and where it stands in the program: "gather in /f/body". */
    bool found = f->term && find_place(e->ctx, e->term, f->term, &place);
    const char *name = !f->term ? "" : f->term->prim == PRIM_AT ? "x[i]" : prim((PrimId)f->term->prim)->name;
    const char *who = arena_printf(d->arena, "%s%s%s", name, found ? " in " : "",
                                   !found ? "" : place.len ? place.data : "/");
    buf_free(&place);
    switch (f->kind) {
    case FAIL_INDEX:
        diag_fail(d, E38, "%s: index %lld is out of range\nneeds 0 <= index < %lld\nfound %lld", who, a, b, a);
        /* Whole numbers that were drawn at random seldom fit as indices. */
        for (int i = 0; i < e->input_count && b > 0; i++) {
            if (!is_wrong(&e->inputs[i], b - 1, false, a)) continue;
            diag_note(d, "try", "data %s = random(1, 0, %lld)", e->inputs[i].name, b - 1);
        }
        break;
    case FAIL_DIVISION:
        scalar_print(f->term->type->scalar, f->a, &number);
        diag_fail(d, E38, "%s: integer division of %s by zero\nneeds a divisor other than 0\nfound %s %s 0", who, buf_text(&number),
                  buf_text(&number), prim((PrimId)f->term->prim)->name);
        buf_free(&number);
        break;
    case FAIL_TWICE:
        diag_fail(d, E38, "%s: index %lld is written twice\nneeds indices that differ from each other\n"
                  "found %lld again, at position %lld", who, a, a, b);
        break;
    case FAIL_SLICE:
        count = f->term->args[3]->type->size->value;
        diag_fail(d, E38, "%s: elements %lld to %lld of an array of %lld\nneeds 0 <= from and to <= %lld, or from >= to, which are no elements",
                  who, a, b, count, count);
        /* Where slices begin and end is mostly in arrays of offsets. */
        for (int i = 0; i < e->input_count; i++) {
            const Data *data = e->inputs[i].data;
            bool row = data->type->kind == TY_ARRAY && data->type->elems[0]->kind == TY_SCALAR && data->parts[0].scalar == SC_I32;
            if (row && data->type->size->value != count && is_wrong(&e->inputs[i], count, true, a))      /* else it goes along with what is sliced */
                diag_note(d, "try", "data %s = offsets(1, %lld)", e->inputs[i].name, count);
        }
        break;
    case FAIL_PERM:
        diag_fail(d, E38, "%s: perm is no bijection with its inverse\nneeds functions on the indices of the array that undo each other\n"
                  "found %lld goes to %lld and does not come back", who, a, b);
        break;
    case FAIL_CAST:
        to = f->term->type->scalar;
        diag_fail(d, E38, "%s: %g is out of range\nneeds a value that %s can hold: %lld to %llu\nfound %.17g", who, f->d, scalar_name(to),
                  (long long)scalar_least(to), (unsigned long long)scalar_most(to), f->d);
        break;
    case FAIL_MEMORY:
        diag_fail(d, E08, "evaluation would keep %lld bytes, more memory than this machine has\ntry     data    for smaller sizes", a);
        break;
    case FAIL_STOP: diag_error(d, E25, "evaluation was interrupted"); break;
    case FAIL_LATE: diag_error(d, E25, "evaluation ran out of time"); break;
    default: diag_error(d, E25, "evaluation reached its limit of %lld steps", a);
    }
}

/* Clears what an earlier question left. */
static void eval_begin(Eval *e)
{
    e->run.failed = e->run.hard = false;
    e->run.doomed = NULL;
}

/* False: the question failed, and d says why. */
static bool eval_ended(Eval *e, Diag *d)
{
    if (diag_failed(&e->diag)) diag_copy(d, &e->diag);
    else if (e->run.failed) report_failure(e, d);
    else return true;
    return false;
}

/* As eval_at, the code being there; says nothing. */
static bool eval_element(Eval *e, int part, int64_t flat, EvalScalar *out)
{
    const RootPart *p = &e->parts[part];
    int64_t at[PATH_MAX_STEPS];
    eval_begin(e);
    for (int d = p->rank - 1; d >= 0; d--) {
        at[d] = flat % p->dims[d]->n;
        flat /= p->dims[d]->n;
    }
    for (int d = 0; d < p->rank; d++) loop_enter(p->dims[d]->loop, p->dims[d]->reg, at[d], &e->run);
    e->run.steps += p->code->weight;
    *out = (EvalScalar){0};
    if (scalar_is_float(p->code->scalar)) {
        Flt v = p->code->run.f(p->code, &e->run);
        *out = (EvalScalar){.f = v.v};
        if (mode_is_wide(e->mode)) out->low = v.shadow;
        else out->shadow = v.shadow;
    } else {
        out->i = p->code->run.i(p->code, &e->run);
        out->f = scalar_number(p->code->scalar, out->i);
    }
    return !e->run.failed;
}

bool eval_at(Eval *e, int part, int64_t flat, EvalScalar *out, Diag *diag)
{
    eval_begin(e);
    eval_root(e);
    return (!diag_failed(&e->diag) && eval_element(e, part, flat, out)) || eval_ended(e, diag);
}

void eval_draw(Eval *e, uint64_t draw)
{
    run_draw(&e->run, draw);
    loop_step(&e->ground, &e->run);
    while (e->others.n) eval_free(e->others.v[--e->others.n]);
    if (e->whole) e->whole->stamp = 0;
}

void eval_draw_literals(Eval *e) { e->run.draws_literals = true; }
void eval_round_casts(Eval *e) { e->run.rounds_casts = true; }

bool eval_literal_is_long(const Term *t)
{
    return t->kind == T_LIT && t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar) && t->u.lit.f != scalar_rounded(SC_F16, t->u.lit.f);
}

/* ---- on all cores: Evals like one ----
 *
 * Code keeps values in its nodes, so each thread has an Eval of its own, of the same term and inputs, whose code was made in
 * the same order. What depends on no loop, and is dear for that, is one for all: the others borrow units that are filled, and
 * fill the same memos. Everything is pure, so nothing depends on who computes what. */

/* Was the same code made of both? */
static bool is_like(const Eval *a, const Eval *b) { return a->units.n == b->units.n && a->memos.n == b->memos.n; }

/* NULL: there is none. */
static Eval *eval_like(Eval *e)
{
    Eval *other = eval_new(e->ctx, e->term, e->inputs, e->input_count, e->mode);
    if (!other) return NULL;
    other->by_cells = e->by_cells;
    if (e->whole && !e->rooted_first) eval_whole(other);
    if (e->rooted) eval_root(other);
    if (e->whole) eval_whole(other);
    other->run.stop = e->run.stop;
    other->run.draws_literals = e->run.draws_literals;
    other->run.rounds_casts = e->run.rounds_casts;
    if (e->run.draw) eval_draw(other, e->run.draw);
    bool same = !diag_failed(&other->diag) && is_like(other, e);
    if (same) {
        for (int k = 0; k < e->memos.n; k++)
            for (int i = 0; deps_only_ground(&e->memos.v[k]->deps) && i < e->memos.v[k]->part_count; i++) {
                const Memo *a = e->memos.v[k];
                MemoPart *x = &a->parts[i], *y = &other->memos.v[k]->parts[i];
                memo_open(x, a, &e->run);
                *y->values = *x->values;
                y->stamps = x->stamps, y->now = x->now, y->seen = x->seen;
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
    while (ANY(i, e->others.n, !is_like(e->others.v[i], e))) eval_free(e->others.v[--e->others.n]);
    while (e->others.n + 1 < want) {
        Eval *other = eval_like(e);
        if (!other) break;
        vec_push(&e->others, other);
    }
    for (int i = 0; i < e->others.n; i++) {
        /* Those that are filled by now. */
        for (int u = 0; u < e->units.n; u++) {
            Unit *a = e->units.v[u], *b = e->others.v[i]->units.v[u];
            if (!a->stamp || b->stamp || !deps_only_ground(&a->deps)) continue;
            for (int k = 0; k < a->pair_count; k++) {
                *b->pairs[k].now = *a->pairs[k].now;
                if (a->pairs[k].record) *b->pairs[k].record = *a->pairs[k].record;
            }
            b->stamp = a->stamp;
        }
    }
    return e->others.n + 1 < want ? e->others.n + 1 : want;
}

static void look_ahead(Run *m, Memo *memo, int part, int64_t at, int64_t made, int64_t steps);
static bool make_together(Run *m, Unit *u, int64_t from, int64_t n, const Strip *out);

static void ask_for_help(Eval *e, bool on)
{
    e->run.ahead = on ? look_ahead : NULL;
    e->run.together = on ? make_together : NULL;
}

static Eval *eval_of(Run *m) { return (Eval *)(void *)((char *)m - offsetof(Eval, run)); }
static Eval *member_of(Eval *e, int member) { return member ? e->others.v[member - 1] : e; }

/* Everything by so many members; e is one of them, and asks for no help meanwhile. One that was stopped stops e. */
static void run_members(Eval *e, int members, int64_t tasks, TeamTask *task, void *data)
{
    ask_for_help(e, false);
    for (int i = 1; i < members; i++) member_of(e, i)->run.deadline = e->run.deadline;
    team_run(members, tasks, task, data);
    ask_for_help(e, true);
    for (int i = 1; i < members; i++) {
        Run *m = &member_of(e, i)->run;
        if (m->failed && m->hard) e->run.failed = e->run.hard = true, e->run.why = m->why;
        m->failed = m->hard = false;
    }
}

/* Elements, steps or strips [from, to) of something that all members have; `each` a task. */
typedef struct Share {
    Eval *e;
    int64_t from, to, each;
    int number, part;                    /* of a memo; of a unit; of a statement of the whole */
    const Strip *out;
    atomic_bool failed;
} Share;

static int64_t share_from(const Share *s, int64_t task) { return s->from + task * s->each < s->to ? s->from + task * s->each : s->to; }
static int64_t share_tasks(const Share *s) { return (s->to - s->from + s->each - 1) / s->each; }

/* ---- looking ahead ---- */

static void make_elements(void *data, int64_t task, int member)
{
    const Share *a = data;
    Run *m = &member_of(a->e, member)->run;
    MemoPart *p = &member_of(a->e, member)->memos.v[a->number]->parts[a->part];
    int64_t to = share_from(a, task + 1);
    for (int64_t at = share_from(a, task), n; at < to && !(m->failed && m->hard); at += n) {
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
    Share a = {e, p->expected, p->expected + n, TASK_STEPS / steps + 1, .number = memo->number, .part = part};
    int64_t before = m->steps, tasks = share_tasks(&a);
    run_members(e, members_need(e, tasks, (double)n * (double)steps), tasks, make_elements, &a);
    m->steps = before + n * steps;
    p->expected = a.to;
}

/* ---- what is folded, or scanned ---- */

static void make_strips(void *data, int64_t task, int member)
{
    Share *a = data;
    Eval *e = member_of(a->e, member);
    int64_t at = share_from(a, task), n = share_from(a, task + 1) - at;
    if (!a->failed && !wide_strips(e->units.v[a->number], a->from, at - a->from, n, a->out, &e->run)) a->failed = true;
}

/* Whoever folds goes through them in their order. */
static bool make_together(Run *m, Unit *u, int64_t from, int64_t n, const Strip *out)
{
    Eval *e = eval_of(m);
    int64_t before = m->steps;
    Share a = {e, from, from + n, TASK_STEPS / (u->step->weight + 1) / STRIP * STRIP + STRIP, .number = u->number, .out = out};
    int64_t tasks = share_tasks(&a);
    run_members(e, members_need(e, tasks, (double)n * u->step->weight), tasks, make_strips, &a);
    m->steps = before;
    return !a.failed && !m->failed;
}

/* ---- all of the result ---- */

static const Stmt *statement(const Eval *e, int i)
{
    const Stmt *s = e->whole->init;
    while (i-- > 0) s = s->next;
    return s;
}

static void make_steps(void *data, int64_t task, int member)
{
    const Share *a = data;
    Eval *e = member_of(a->e, member);
    if (!e->run.failed) stmt_steps(statement(e, a->number), share_from(a, task), share_from(a, task + 1), &e->run);
}

/* The first step alone makes what all share. */
static void fill_loop(Eval *e, int number)
{
    const Stmt *s = statement(e, number);
    Share a = {e, 1, s->n, s->n / TASKS_MAX + 1, .number = number};
    int64_t before = e->run.steps, tasks = share_tasks(&a);
    stmt_steps(s, 0, 1, &e->run);
    if (e->run.failed) return;
    int members = members_need(e, tasks, (double)(e->run.steps - before) * (double)s->n);
    for (int i = 1; i < members; i++) {
        /* All write into e's memory, but keep marks of what failed for themselves. */
        Eval *to = member_of(e, i);
        for (int k = 0; k < e->part_count; k++) {
            Buffer *b = to->whole->pairs[k].now;
            uint8_t *marks = b->bad;
            *b = *e->whole->pairs[k].now;
            b->bad = marks;
        }
    }
    run_members(e, members, tasks, make_steps, &a);
}

static void fill_whole(Eval *e)
{
    for (int i = 0; i < e->part_count; i++)
        if (!buffer_open(e->whole->pairs[i].now, &e->run)) return;
    int number = 0;
    for (const Stmt *s = e->whole->init; s && !e->run.failed; s = s->next, number++) {
        if (s->run == stmt_loop) fill_loop(e, number);
        else s->run(s, &e->run);
    }
    bool marks = false;                      /* of all members, which are taken away */
    for (int k = 0; k <= e->others.n; k++)
        for (int i = 0; member_of(e, k)->whole && i < e->part_count; i++) {
            Buffer *b = member_of(e, k)->whole->pairs[i].now;
            marks |= b->bad != NULL;
            b->bad = NULL;
        }
    /* As somebody alone marks what fails, whose first mark is the first in order. */
    int64_t steps = e->run.steps;
    if (marks && !e->run.failed) fill_once(e->whole, &e->run);
    e->run.steps = steps;
}

void eval_on_all_cores(Eval *e)
{
    ask_for_help(e, true);
    e->on_all_cores = true;
}

void eval_by_cells(Eval *e) { e->by_cells = true; }

/* ---- all of the result, asked for ---- */

/* All of the result, in the buffers of e->whole. */
static bool evaluate(Eval *e, Diag *diag)
{
    eval_begin(e);
    eval_whole(e);
    if (diag_failed(&e->diag)) return eval_ended(e, diag);
    if (e->whole->stamp) return true;
    if (e->on_all_cores) fill_whole(e);
    else e->whole->fill(e->whole, &e->run);
    e->whole->stamp = !e->run.failed;
    return eval_ended(e, diag);
}

static bool part_good(Eval *e, const Buffer *b, int64_t count, Diag *diag)
{
    if (!b->bad || !memchr(b->bad, 1, (size_t)count)) return true;
    e->run.failed = true;
    e->run.why = b->why;
    return eval_ended(e, diag);
}

bool eval_full(Eval *e, Data *out, Diag *diag)
{
    if (!evaluate(e, diag)) return false;
    for (int p = 0; p < e->part_count; p++) {
        const Buffer *b = e->whole->pairs[p].now;
        if (!part_good(e, b, b->count, diag)) return false;
        for (int64_t i = 0; i < b->count; i++) {
            if (b->is_float) data_set(out, p, i, b->v[i]);
            else data_set_int(out, p, i, b->i[i]);
        }
    }
    return true;
}

bool eval_reference(Eval *e, int part, double *want, double *shadow, int64_t count, Diag *diag)
{
    if (!evaluate(e, diag)) return false;
    const Buffer *b = e->whole->pairs[part].now;
    if (count > b->count) count = b->count;
    if (!part_good(e, b, count, diag)) return false;
    for (int64_t i = 0; i < count; i++) {
        want[i] = b->is_float ? b->v[i] : (double)b->i[i];
        shadow[i] = b->is_float ? b->shadow[i] : fabs(want[i]);
    }
    return true;
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

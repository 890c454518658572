/* eval_wide: code run for many consecutive values of one loop variable at once, each operation a loop over strips of numbers.
 *
 * The same operations on the same values as one after another, bit for bit, and the same steps are counted. Only what knows
 * strips is done so: operations, reads, and what the loop does not change, which is run once a strip. A choice makes both
 * sides, so nothing that is dear stands in one. A strip in which an element fails is left to who runs them one after another,
 * and marks it. */
#include "eval_compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRIP_LEAST = 8,                     /* fewer are run one after another */
    STEPS_MAX = 250,                     /* of one Wide */
    FAILURES_MAX = 4,                    /* strips in vain, then it is not tried again */
    TOGETHER = 1 << 20,                  /* elements whose strips are made before they are folded, by several */
    TOGETHER_LEAST = 1 << 15,
};

typedef struct WideStep WideStep;
typedef void StepFn(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m);
struct WideStep {
    StepFn *run;                         /* NULL: the code has no strip */
    const Code *code;                    /* or */
    const Index *index;
    WideFn *op;
    AtomFn *atom;
    Code *reg;                           /* of what is run one after another */
    int of[3];                           /* strips that it reads */
    int64_t coef, start;
    bool bends;                          /* a read that nobody may ask for: its index may be out of range */
};

struct Wide {
    const Loop *loop;
    Code *reg;
    WideStep *steps;                     /* what step i makes is strip i */
    int n, failures;
    bool lonely;                         /* what has no strips is run one after another, else left to others */
    int guards;                          /* while it is made: choices around */
    const Unit *fold;                    /* NULL, or whose accumulators, which change, have no strips */
};

/* ---- memory: a stack of strips, for runs inside one another ---- */

static Strip strip_new(int64_t n)
{
    double *room = mem_alloc(2 * (size_t)n * sizeof *room);
    return (Strip){room, room + n, (int64_t *)(void *)room};
}

/* Copies of the next n, for the stack may move. To be given back in their order. */
static void strips_take(Run *m, int n, Strip *out)
{
    while (m->strips.n < m->strip_used + n) {
        Strip fresh = strip_new(STRIP + 1);
        vec_push(&m->strips, fresh);
        vec_push(&m->memory, fresh.v);
    }
    if (n) memcpy(out, m->strips.v + m->strip_used, (size_t)n * sizeof *out);
    m->strip_used += n;
}

static void strips_give(Run *m, int n) { m->strip_used -= n; }

static Strip strip_from(const Strip *s, int64_t at) { return (Strip){s->v + at, s->shadow + at, s->i + at}; }

static Strip buffer_strip(const Buffer *b, int64_t at)
{
    if (!b->is_float) return (Strip){.i = b->i + at};
    return (Strip){.v = b->v + at, .shadow = b->shadow + at};
}

static void strip_copy(const Strip *to, const Strip *from, bool is_float, int n)
{
    size_t bytes = (size_t)n * sizeof(double);
    if (!is_float) memcpy(to->i, from->i, bytes);
    else memcpy(to->v, from->v, bytes), memcpy(to->shadow, from->shadow, bytes);
}

/* ---- steps ---- */

static Fn own_run(const Code *k) { return k->cached ? k->impl : k->run; }

static void step_same(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    (void)strips;
    if (scalar_is_float(s->code->scalar)) {
        Flt x = s->code->run.f(s->code, m);
        for (int j = 0; j < n; j++) strip_put_flt(to, j, x);
    } else {
        int64_t x = s->code->run.i(s->code, m);
        for (int j = 0; j < n; j++) to->i[j] = x;
    }
}

/* One after another. */
static void step_lonely(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    (void)strips;
    Code *reg = s->reg;
    bool is_float = scalar_is_float(s->code->scalar);
    int64_t from = reg->i;
    for (int j = 0; j < n && !m->failed; j++) {
        reg->i = from + j;
        loop_step(reg->loop, m);
        if (is_float) strip_put_flt(to, j, s->code->run.f(s->code, m));
        else to->i[j] = s->code->run.i(s->code, m);
    }
    reg->i = from;
    loop_step(reg->loop, m);
}

/* Everything but the loop variable stays as it is: its coefficient is coef. */
static void step_line(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    (void)strips;
    int64_t first = s->index ? index_value(s->index, m) : s->code->i;
    for (int j = 0; j < n; j++) to->i[j] = first + s->coef * j;
}

static void step_term(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    (void)m;
    const int64_t *x = strips[s->of[0]].i;
    if (s->of[1] < 0) for (int j = 0; j < n; j++) to->i[j] = s->start + s->coef * x[j];
    else for (int j = 0; j < n; j++) to->i[j] = strips[s->of[1]].i[j] + s->coef * x[j];
}

static void step_atom(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    for (int j = 0; j < n; j++) to->i[j] = s->atom(s->code, strips[s->of[0]].i[j], m);
}

static void step_op(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    Strip of[3] = {{0}};
    for (int i = 0; i < COUNT(of); i++)
        if (s->of[i] >= 0) of[i] = strips[s->of[i]];
    s->op(s->code, of, to, n, m);
}

/* Where to read, in range. */
static const int64_t *places(const WideStep *s, const Strip *strips, int64_t count, int n, int64_t room[STRIP])
{
    const int64_t *at = strips[s->of[0]].i;
    if (!s->bends) return at;
    for (int j = 0; j < n; j++) room[j] = at[j] < 0 ? 0 : at[j] >= count ? count - 1 : at[j];
    return room;
}

static void step_load(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    int64_t room[STRIP];
    const Code *k = s->code;
    const int64_t *at = places(s, strips, k->n, n, room);
    bool shadows = m->mode == EVAL_REFERENCE;
#define STRIP_INT(A, id, name, class, key, T, ...) \
    case SC_##id: for (int j = 0; j < n; j++) to->i[j] = (int64_t)((const T *)k->base)[at[j]]; break;
#define STRIP_FLT(A, id, name, class, key, T, ...) \
    case SC_##id: for (int j = 0; j < n; j++) to->v[j] = FLOAT_VALUE(((const T *)k->base)[at[j]]), to->shadow[j] = shadows ? fabs(to->v[j]) : 0; break;
    switch (k->scalar) {
    SCALARS_BOOL(STRIP_INT, )
    SCALARS_INT(STRIP_INT, )
    SCALARS_FLOAT(STRIP_FLT, )
    default: break;
    }
}

static void step_buffer(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    int64_t room[STRIP];
    const Buffer *b = s->code->buffer;
    const int64_t *at = places(s, strips, b->count, n, room);
    m->failed = m->failed || b->bad;     /* one after another they see which ones are */
    if (m->failed) return;
    if (!b->is_float) for (int j = 0; j < n; j++) to->i[j] = b->i[at[j]];
    else for (int j = 0; j < n; j++) strip_put_flt(to, j, (Flt){b->v[at[j]], b->shadow[at[j]]});
}

static void step_unit(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    if (unit_ready(s->code->unit, m)) step_buffer(s, strips, to, n, m);
}

static StepFn step_memo;                 /* under "arrays kept element by element" */

/* ---- which steps a code takes ---- */

static bool changes(const Wide *w, const Deps *d) { return d->n > DEPS_ROOM || deps_on(d, w->loop); }

static int wide_code(Wide *w, const Code *k);

static int step_add(Wide *w, WideStep s)
{
    if (w->n == STEPS_MAX) return -1;
    w->steps[w->n] = s;
    return w->n++;
}

static int wide_index(Wide *w, const Index *x)
{
    int64_t coef = 0;
    int sum = -1;
    bool line = true;                    /* but for the loop variable it stays as it is */
    for (int i = 0; i < w->n; i++)
        if (w->steps[i].index == x) return i;
    for (int i = 0; i < x->n && line; i++) {
        const Code *atom = x->terms[i].atom;
        if (atom == w->reg) coef = x->terms[i].coef;
        else line = !changes(w, &atom->deps) && (!w->guards || atom->run.i == run_reg);
    }
    if (line) return step_add(w, (WideStep){.run = step_line, .index = x, .coef = coef});
    for (int i = 0; i < x->n; i++) {
        WideStep s = {.run = step_term, .coef = x->terms[i].coef, .start = x->c, .of = {wide_code(w, x->terms[i].atom), sum, -1}};
        if (i + 1 == x->n) s.index = x;
        if (s.of[0] < 0 || (sum = step_add(w, s)) < 0) return -1;
    }
    return sum;
}

static bool plan_read(Wide *w, const Code *k, StepFn *run, int64_t count, WideStep *s)
{
    s->run = run;
    s->bends = w->guards && (k->index->lo < 0 || k->index->hi >= count);
    s->of[0] = count ? wide_index(w, k->index) : -1;
    return s->of[0] >= 0;
}

/* Of what is kept as a whole, or element by element: not while the loop goes on, nor where perhaps nobody asks for it. */
static bool plan_kept(Wide *w, const Code *k, StepFn *run, const Deps *deps, WideStep *s)
{
    return !w->guards && !changes(w, deps) && plan_read(w, k, run, INT64_MAX, s);
}

static bool plan_op(Wide *w, const Code *k, WideFn *op, WideStep *s)
{
    if (!op) return false;               /* before its operands are planned, which nobody would read */
    s->run = step_op;
    s->op = op;
    for (int i = 0; i < COUNT(s->of); i++) {
        s->of[i] = k->kids[i] ? wide_code(w, k->kids[i]) : -1;
        if (k->kids[i] && s->of[i] < 0) return false;
    }
    return true;
}

static bool plan_step(Wide *w, const Code *k, WideStep *s)
{
    Fn run = own_run(k);
    Scalar t = k->scalar;
    bool same = !changes(w, &k->deps), constant = run.i == run_int || run.f == run_flt || run.f == run_literal || (run.i == run_reg && same);
    if (k == w->reg) return s->run = step_line, s->coef = 1, true;
    if (constant || (same && !w->guards)) return s->run = step_same, true;
    if (k->base) return plan_read(w, k, step_load, k->n, s);
    if (run.i == run_load_buffer(t).i) {
        bool own = w->fold && ANY(i, w->fold->pair_count, k->buffer == w->fold->pairs[i].now);
        return !own && plan_read(w, k, step_buffer, k->buffer->count, s);
    }
    if (run.i == run_load_unit(t).i) return plan_kept(w, k, step_unit, &k->unit->deps, s);
    if (run.i == run_load_memo(t).i) return plan_kept(w, k, step_memo, &k->memo->deps, s);
    if (run.i == run_if(t).i) {
        if (wide_code(w, k->kids[0]) < 0) return false;
        w->guards++;
        bool ok = plan_op(w, k, op_wide_choice(k->scalar), s);
        w->guards--;
        return ok;
    }
    s->atom = index_atom(run.i);
    if (s->atom) {
        s->run = step_atom;
        s->of[0] = k->index ? wide_index(w, k->index) : wide_code(w, k->kids[0]);
        return s->of[0] >= 0;
    }
    return plan_op(w, k, op_wide(run), s);
}

/* The strip of a code; -1: it has none. */
static int wide_code(Wide *w, const Code *k)
{
    for (int i = 0; i < w->n; i++)
        if (w->steps[i].code == k) return w->steps[i].run ? i : -1;
    if (w->n == STEPS_MAX) return -1;
    if (k->as_index) return wide_index(w, k->as_index);
    WideStep s = {.code = k, .of = {-1, -1, -1}, .reg = w->reg};
    bool ok = plan_step(w, k, &s);
    if (!ok) s.run = w->lonely && !w->guards ? step_lonely : NULL;
    int i = step_add(w, s);
    return s.run ? i : -1;
}

/* ---- making and running ---- */

/* For the loop of reg; what is planned goes into w->steps, room for STEPS_MAX, until wide_done. */
static Wide wide_begin(Code *reg, WideStep *room) { return (Wide){.loop = reg->loop, .reg = reg, .steps = room}; }

static Wide *wide_done(Wide w, Run *m)
{
    Wide *kept = NEW(m->arena, Wide);
    *kept = w;
    kept->steps = NEW_ARRAY(m->arena, WideStep, w.n);
    memcpy(kept->steps, w.steps, (size_t)w.n * sizeof *w.steps);
    return kept;
}

/* Is anything gained by that strip? */
static bool is_strip(const Wide *w, int i) { return i >= 0 && w->steps[i].run != step_lonely && w->steps[i].run != step_same; }

/* Strips of the values from, ... of the loop variable, n of them. False: something failed, and nothing is known. */
static bool wide_run(Wide *w, int64_t from, int n, Strip *strips, Run *m)
{
    w->reg->i = from;
    loop_step(w->reg->loop, m);
    for (int i = 0; i < w->n && !m->failed; i++)
        if (w->steps[i].run) w->steps[i].run(&w->steps[i], strips, &strips[i], n, m);
    if (!m->failed) return true;
    m->failed = m->hard;
    w->failures++;
    return false;
}

/* May n more be run so, each of that weight? */
static bool is_wide(const Wide *w, int64_t n, uint32_t weight, const Run *m)
{
    return w && w->failures < FAILURES_MAX && n >= STRIP_LEAST && !m->failed && !m->doomed
        && (!m->limit || m->steps + n * weight <= m->limit);
}

/* ---- loops that store ---- */

struct WideStores {
    Wide *w;
    int n;
    struct { const Stmt *store; int value, place; } *stores;
};

/* NULL: nothing is gained. */
static WideStores *plan_stores(const Stmt *loop, Run *m)
{
    WideStep room[STEPS_MAX];
    Wide w = wide_begin(loop->reg, room);
    WideStores *all = NEW(m->arena, WideStores);
    bool gains = false;
    w.lonely = true;
    for (const Stmt *s = loop->body; s; s = s->next) {
        if (s->run != stmt_store) return NULL;
        all->n++;
    }
    all->stores = NEW_ARRAY(m->arena, __typeof__(*all->stores), all->n);
    all->n = 0;
    for (const Stmt *s = loop->body; s; s = s->next) {
        int value = wide_code(&w, s->code), place = wide_index(&w, s->index);
        if (value < 0 || place < 0) return NULL;
        gains = gains || is_strip(&w, value);
        all->stores[all->n].store = s;
        all->stores[all->n].value = value;
        all->stores[all->n++].place = place;
    }
    all->w = wide_done(w, m);
    return gains ? all : NULL;
}

static int64_t wide_stores(const Stmt *loop, int64_t from, int64_t to, Run *m)
{
    int n = to - from < STRIP ? (int)(to - from) : STRIP;
    if (n < STRIP_LEAST) return 0;
    if (!loop->tried) {
        Stmt *s = (Stmt *)loop;
        s->tried = true;
        s->wide = plan_stores(loop, m);
    }
    const WideStores *all = loop->wide;
    if (!all || !is_wide(all->w, n, loop->weight, m)) return 0;
    Strip strips[STEPS_MAX];
    strips_take(m, all->w->n, strips);
    bool ok = wide_run(all->w, from, n, strips, m);
    for (int i = 0; ok && i < all->n; i++) {
        Buffer *b = all->stores[i].store->buffer;
        const Strip *value = &strips[all->stores[i].value];
        const int64_t *at = strips[all->stores[i].place].i;
        if (!b->is_float) for (int j = 0; j < n; j++) b->i[at[j]] = value->i[j];
        else for (int j = 0; j < n; j++) b->v[at[j]] = value->v[j], b->shadow[at[j]] = value->shadow[j];
        for (int j = 0; b->bad && j < n; j++) b->bad[at[j]] = 0;
    }
    strips_give(m, all->w->n);
    return ok && spend(m, (uint32_t)n * loop->weight) ? n : 0;
}

/* ---- folds ---- */

/* An accumulator that is one operation of what it was: the strips of the others, ACCUMULATOR for itself. */
enum { ACCUMULATOR = -2 };
typedef struct Direct { WideFn *op; const Code *code; int of[3]; } Direct;
typedef struct Fed { Code *code; int strip; } Fed;

struct WideFold {
    Wide *w;
    bool direct;                         /* all pairs are so; else what is fed keeps its value for the step */
    Direct pairs[SCALARS_MAX];
    int fed_count, place;                /* place: of by index, the strip of indices */
    Fed *fed;
    bool *read;                          /* for each strip: is it one that the fold reads? */
    /* Not direct: the accumulators as the next step would make them of what they are, NULL: they are seldom the same; their strips;
     * how often they were not, and how many strips that cost. */
    Wide *steady;
    int results[SCALARS_MAX];
    int64_t turns, runs;
};

/* What has a strip below a code that has none, which is kept in `seen` with strip -1. */
typedef struct Feeding { Wide *w; Fed seen[STEPS_MAX]; int n; } Feeding;

static void feed(Feeding *f, const Code *k)
{
    Wide *w = f->w;
    if (!k || !changes(w, &k->deps) || k == w->reg || f->n == STEPS_MAX) return;
    for (int i = 0; i < f->n; i++)
        if (f->seen[i].code == k) return;
    int strip = wide_code(w, k);
    f->seen[f->n++] = (Fed){(Code *)k, strip};
    if (strip >= 0 || own_run(k).i == run_enter(k->scalar).i) return;      /* below, it has a place that only k enters */
    bool chooses = own_run(k).i == run_if(k->scalar).i;
    for (int i = 0; i < COUNT(k->kids); i++) {
        w->guards += chooses && i == 1;
        feed(f, k->kids[i]);
    }
    w->guards -= chooses;
    for (int i = 0; k->index && i < k->index->n; i++) feed(f, k->index->terms[i].atom);
}

static bool plan_direct(Wide *w, const Unit *u, int pair, const Stmt *s, Direct *d)
{
    const Code *k = s->code;
    if (s->run != stmt_store || s->buffer != u->pairs[pair].next || s->buffer->count != 1 || !k->term) return false;
    int traits = prim((PrimId)k->term->prim)->traits, reads = 0;
    *d = (Direct){op_wide(own_run(k)), k, {-1, -1, -1}};
    if (!d->op || traits & PT_DIVIDES || prim_is_cast((PrimId)k->term->prim)) return false;
    for (int i = 0; i < COUNT(k->kids) && k->kids[i]; i++) {
        const Code *kid = k->kids[i];
        bool own = own_run(kid).i == run_load_buffer(kid->scalar).i && kid->buffer == u->pairs[pair].now;
        reads += own;
        d->of[i] = own ? ACCUMULATOR : wide_code(w, k->kids[i]);
        if (d->of[i] == -1) return false;
    }
    return reads > 0;
}

static Wide *plan_steady(const Unit *u, WideFold *f, Run *m)
{
    WideStep room[STEPS_MAX];
    Wide w = wide_begin(u->reg, room);
    int i = 0;
    for (const Stmt *s = u->step; s; s = s->next, i++) {
        f->results[i] = wide_code(&w, s->code);
        if (f->results[i] < 0 || u->pairs[i].record) return NULL;
    }
    return wide_done(w, m);
}

static WideFold *fold_of(Unit *u, Run *m)
{
    if (!u->tried && m->wide && (u->scalars || u->forth)) {
        /* NULL: nothing is gained. */
        WideStep room[STEPS_MAX];
        Wide w = wide_begin(u->reg, room);
        WideFold *f = NEW(m->arena, WideFold);
        w.fold = u;
        f->place = u->forth ? wide_code(&w, u->forth) : -1;
        f->direct = !u->forth || f->place >= 0;
        const Stmt *step = u->step;
        for (int i = 0; f->direct && i < u->pair_count; i++, step = step->next)
            f->direct = i < SCALARS_MAX && step && plan_direct(&w, u, i, step, &f->pairs[i]);
        f->direct = f->direct && !step;
        if (!f->direct) {
            Feeding feeding = {.w = &w};
            for (const Stmt *s = u->step; s; s = s->next)
                if (s->run == stmt_store) feed(&feeding, s->code);
            feed(&feeding, u->forth);
            f->fed = NEW_ARRAY(m->arena, Fed, feeding.n);
            for (int i = 0; i < feeding.n; i++)
                if (is_strip(&w, feeding.seen[i].strip)) f->fed[f->fed_count++] = feeding.seen[i];
            for (int i = 0; i < f->fed_count; i++) f->fed[i].code->heavy = true, code_keep(f->fed[i].code);
        }
        if (!f->direct && u->scalars && !u->forth) f->steady = plan_steady(u, f, m);
        f->w = wide_done(w, m);
        f->read = NEW_ARRAY(m->arena, bool, f->w->n);
        if (f->place >= 0) f->read[f->place] = true;
        for (int i = 0; i < f->fed_count; i++) f->read[f->fed[i].strip] = true;
        for (int p = 0; f->direct && p < u->pair_count; p++)
            for (int k = 0; k < COUNT(f->pairs[p].of); k++)
                if (f->pairs[p].of[k] >= 0) f->read[f->pairs[p].of[k]] = true;
        u->wide = f->direct || f->fed_count || f->steady ? f : NULL;
    }
    u->tried = true;
    return u->wide;
}

/* Each result is made from the one before it, one place on in the same strip. */
static bool fold_direct(const WideFold *f, const Unit *u, const Strip *strips, int64_t i, int n, Run *m)
{
    Strip sums[SCALARS_MAX];
    strips_take(m, u->pair_count, sums);
    for (int p = 0; p < u->pair_count; p++) {
        const Direct *d = &f->pairs[p];
        const Buffer *b = u->pairs[p].now;
        Strip of[3] = {{0}}, now = buffer_strip(b, 0), to = strip_from(&sums[p], 1);
        strip_copy(&sums[p], &now, b->is_float, 1);
        for (int k = 0; k < COUNT(of); k++)
            if (d->of[k] != -1) of[k] = d->of[k] == ACCUMULATOR ? sums[p] : strips[d->of[k]];
        d->op(d->code, of, &to, n, m);
    }
    for (int p = 0; p < u->pair_count && !m->failed; p++) {
        const Buffer *b = u->pairs[p].now, *record = u->pairs[p].record;
        Strip now = buffer_strip(b, 0), last = strip_from(&sums[p], n), all = strip_from(&sums[p], 1);
        strip_copy(&now, &last, b->is_float, 1);
        if (!record) continue;
        Strip to = buffer_strip(record, i);
        strip_copy(&to, &all, b->is_float, n);
    }
    strips_give(m, u->pair_count);
    return !m->failed;
}

static void by_index_direct(const WideFold *f, const Unit *u, const Strip *strips, int n, Run *m)
{
    for (int j = 0; j < n; j++) {
        int64_t at = strips[f->place].i[j];
        if (at < 0 || at > u->arg->hi) continue;
        for (int p = 0; p < u->pair_count; p++) {
            const Direct *d = &f->pairs[p];
            Strip of[3] = {{0}}, cell = buffer_strip(u->pairs[p].now, at);
            for (int k = 0; k < COUNT(of); k++)
                if (d->of[k] != -1) of[k] = d->of[k] == ACCUMULATOR ? cell : strip_from(&strips[d->of[k]], j);
            d->op(d->code, of, &cell, 1, m);
        }
    }
}

static bool has_bad(const Unit *u)
{
    return ANY(i, u->pair_count, u->pairs[i].now->bad || (u->pairs[i].record && u->pairs[i].record->bad));
}

/* Steps i .. i + n of the unit, whose strips are there. */
static bool fold_strips(WideFold *f, Unit *u, const Strip *strips, int64_t i, int n, Run *m)
{
    if (!f->direct) {
        /* The steps one after another, but for what has strips. */
        for (int j = 0; j < n && !m->failed; j++) {
            u->reg->i = i + j;
            loop_step(u->loop, m);
            for (const Fed *x = f->fed; x < f->fed + f->fed_count; x++) {
                if (scalar_is_float(x->code->scalar)) x->code->f = strip_flt(&strips[x->strip], j);
                else x->code->i = strips[x->strip].i[j];
                x->code->stamp = m->clock;
            }
            fold_step(u, i + j, m);
        }
    } else if (u->forth) by_index_direct(f, u, strips, n, m);
    else if (!fold_direct(f, u, strips, i, n, m)) return m->failed = m->hard, false;
    return spend(m, (uint32_t)n * u->step->weight);
}

/* The first of n results that is not what the accumulators are; n: there is none. */
static int first_turn(const WideFold *f, const Unit *u, const Strip *strips, int n)
{
    for (int p = 0; p < u->pair_count; p++) {
        const Buffer *b = u->pairs[p].now;
        Strip now = buffer_strip(b, 0), next = strips[f->results[p]];
        int j = 0;
        if (!b->is_float) while (j < n && next.i[j] == now.i[0]) j++;
        else while (j < n && !memcmp(&next.v[j], now.v, sizeof(double)) && !memcmp(&next.shadow[j], now.shadow, sizeof(double))) j++;
        n = j;
    }
    return n;
}

bool wide_strips(Unit *u, int64_t from, int64_t at, int64_t n, const Strip *out, Run *m)
{
    const WideFold *f = fold_of(u, m);
    Strip strips[STEPS_MAX];
    bool ok = f != NULL;
    for (int64_t i = at, end = at + n; ok && i < end; i += STRIP) {
        int some = end - i < STRIP ? (int)(end - i) : STRIP;
        strips_take(m, f->w->n, strips);
        ok = wide_run(f->w, from + i, some, strips, m);
        for (int k = 0; ok && k < f->w->n; k++) {
            if (!f->read[k]) continue;
            Strip to = strip_from(&out[k], i);
            strip_copy(&to, &strips[k], f->w->steps[k].code && scalar_is_float(f->w->steps[k].code->scalar), some);
        }
        strips_give(m, f->w->n);
    }
    return ok;
}

static int64_t wide_fold(Unit *u, int64_t i, Run *m)
{
    int64_t left = u->n - i, n = left < STRIP ? left : STRIP;
    WideFold *f = n < STRIP_LEAST ? NULL : fold_of(u, m);
    if (!f || !is_wide(f->w, n, u->step->weight, m) || (f->direct && has_bad(u))) return 0;
    if (f->steady && !has_bad(u)) {
        /* Most steps of a maximum, say, leave it as it is: those up to the first that does not are done at once. */
        int k = (int)n;
        enum { TURNS = 4 };                  /* a strip, that is worth it */
        Strip strips[STEPS_MAX];
        int done = 0;
        strips_take(m, f->steady->n, strips);
        while (done < k && wide_run(f->steady, i + done, k - done, strips, m)) {
            int j = first_turn(f, u, strips, k - done);
            done += j + 1;
            if (done > k) break;
            for (int p = 0; p < u->pair_count; p++) {
                Strip now = buffer_strip(u->pairs[p].now, 0), next = strip_from(&strips[f->results[p]], j);
                strip_copy(&now, &next, u->pairs[p].now->is_float, 1);
            }
            f->turns++;
        }
        strips_give(m, f->steady->n);
        if (done > k) done = k;
        bool seldom = f->turns <= TURNS * ++f->runs + STRIP, ok = f->steady->failures < FAILURES_MAX;
        if (!seldom || !ok) f->steady = NULL;
        return spend(m, (uint32_t)done * u->step->weight) ? done : 0;
    }
    if (!f->direct && !f->fed_count) return 0;
    bool many = i > 0 && left >= TOGETHER_LEAST && m->together && !m->limit && deps_only_ground(&u->deps);
    Strip strips[STEPS_MAX], some[STEPS_MAX];
    int64_t end, from = i;
    bool ok = true;
    if (!many) {
        strips_take(m, f->w->n, strips);
        ok = wide_run(f->w, i, (int)n, strips, m) && fold_strips(f, u, strips, i, (int)n, m);
        strips_give(m, f->w->n);
        return ok ? n : 0;
    }
    /* All that is left: some strips first, with the help of others, and then the fold of those, in its order. */
    for (int k = 0; k < f->w->n; k++) strips[k] = f->read[k] ? strip_new(TOGETHER) : (Strip){0};
    for (; ok && i < u->n; f->w->failures += !ok) {
        end = u->n - i < TOGETHER ? u->n : i + TOGETHER;
        ok = m->together(m, u, i, end - i, strips);
        for (int64_t first = i, d; ok && i < end; i += ok ? d : 0) {
            d = end - i < STRIP ? end - i : STRIP;
            for (int k = 0; k < f->w->n; k++)
                if (f->read[k]) some[k] = strip_from(&strips[k], i - first);
            ok = fold_strips(f, u, some, i, (int)d, m);
        }
    }
    for (int k = 0; k < f->w->n; k++) free(strips[k].v);
    return i - from;
}

/* ---- arrays kept element by element ---- */

static int64_t wide_memo(MemoPart *p, int64_t at, int64_t most, Run *m)
{
    if (!p->rank) return 0;
    int64_t length = p->sizes[p->rank - 1], left = length - at % length;
    int n = (int)(most < left ? most : left);
    if (n > STRIP) n = STRIP;
    if (n < STRIP_LEAST) return 0;
    if (!p->tried) {
        WideStep room[STEPS_MAX];
        Wide w = wide_begin(p->regs[p->rank - 1], room);
        w.lonely = true;
        p->strip = wide_code(&w, p->body);
        p->wide = is_strip(&w, p->strip) ? wide_done(w, m) : NULL;
        p->tried = true;
    }
    if (!is_wide(p->wide, n, p->body->weight, m)) return 0;
    Strip strips[STEPS_MAX];
    strips_take(m, p->wide->n, strips);
    memo_enter(p, at, m);
    bool ok = wide_run(p->wide, at % length, n, strips, m);
    if (ok) memo_put(p, at, &strips[p->strip], n);
    strips_give(m, p->wide->n);
    return ok && spend(m, (uint32_t)n * p->body->weight) ? n : 0;
}

/* Those from `at` on, as far as they lie in sequence and are missing; false: one failed. */
static bool make_missing(const Code *k, const int64_t *at, int n, Run *m)
{
    MemoPart *p = &k->memo->parts[k->part];
    int64_t missing = 1, before = m->steps;
    while (missing < n && at[missing] == at[0] + missing && !memo_has(p, at[missing])) missing++;
    int64_t made = wide_memo(p, at[0], missing, m);
    if (!made) {
        made = 1;
        if (!memo_make(p, at[0], m)) return false;
        memo_row(p, at[0], m->steps - before, m);
    }
    if (m->ahead && deps_only_ground(&k->memo->deps)) m->ahead(m, k->memo, k->part, at[0], made, m->steps - before);
    return !m->failed;
}

static void step_memo(const WideStep *s, const Strip *strips, const Strip *to, int n, Run *m)
{
    const Code *k = s->code;
    const int64_t *at = strips[s->of[0]].i;
    MemoPart *p = &k->memo->parts[k->part];
    memo_open(p, k->memo, m);
    for (int j = 0; j < n; j++) {
        if (!memo_has(p, at[j]) && !make_missing(k, at + j, n - j, m)) return;
        memo_get(p, at[j], to, j);
    }
}

const WideRuns wide_runs = {wide_stores, wide_fold, wide_memo};

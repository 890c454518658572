/* eval_run: compiled code evaluated: fuel, loops, control, kept values, reads. */
#include "eval_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fuel ---- */

/* The clock is looked at after so many steps, some milliseconds. */
static bool is_late(Run *m, uint32_t weight)
{
    enum { STEPS = 1 << 16 };
    m->unseen += weight;
    if (m->deadline <= 0 || m->unseen < STEPS) return false;
    m->unseen = 0;
    return clock_exact_ms() > m->deadline;
}

bool spend(Run *m, uint32_t weight)
{
    m->steps += weight;
    if (is_late(m, weight)) run_fail(m, FAIL_LATE, NULL, 0, 0);
    if (m->limit && m->steps > m->limit) run_fail(m, FAIL_FUEL, NULL, m->limit, 0);
    if (m->stop && *m->stop) run_fail(m, FAIL_STOP, NULL, 0, 0);
    return !(m->failed && m->hard);
}

/* ---- loops, indices ---- */

void loop_step(Loop *l, Run *m) { l->tick = ++m->clock; }

/* No step after that time; since 0: never made. */
static inline bool fresh(const Deps *d, uint64_t since)
{
    if (d->loops[0]->tick > since) return false;
    for (int i = 1; i < d->n; i++)
        if (i == DEPS_ROOM || d->loops[i]->tick > since) return false;
    return since != 0;
}

void loop_enter(Loop *l, Code *reg, int64_t value, Run *m)
{
    if (reg->i == value && fresh(&l->above, l->tick)) return;
    reg->i = value;
    loop_step(l, m);
}

static inline int64_t int_of(const Code *k, Run *m) { return k->run.i == run_reg ? k->i : k->run.i(k, m); }

static inline int64_t value_of(const Index *x, Run *m)
{
    int64_t v = x->c;
    for (int i = 0; i < x->n; i++) v += x->terms[i].coef * int_of(x->terms[i].atom, m);
    return v;
}

int64_t index_value(const Index *x, Run *m) { return value_of(x, m); }

int64_t run_reg(const Code *k, Run *m)
{
    (void)m;
    return k->i;
}

int64_t run_int(const Code *k, Run *m) { return run_reg(k, m); }

Flt run_flt(const Code *k, Run *m)
{
    (void)m;
    return k->f;
}

Flt run_literal(const Code *k, Run *m)
{
    uint64_t bits;
    memcpy(&bits, &k->f.v, sizeof bits);
    double u = (double)(hash_mix(m->draw, bits) >> 11) * 0x1p-52 - 1;
    return (Flt){k->f.v * (1 + 2 * u / float_ranges[k->scalar].exact), k->f.shadow};
}

int64_t run_index(const Code *k, Run *m) { return value_of(k->index, m); }

/* ---- atoms of indices: of an index, but for run_check, which is of a code ---- */

#define ATOM(NAME, VALUE, EXPR) \
    static int64_t NAME##_of(const Code *k, int64_t i, Run *m) \
    { \
        (void)m; \
        return EXPR; \
    } \
    int64_t run_##NAME(const Code *k, Run *m) \
    { \
        int64_t i = VALUE; \
        return m->failed ? 0 : NAME##_of(k, i, m); \
    }

static int64_t in_bounds(const Code *k, int64_t i, Run *m)
{
    if (0 <= i && i < k->n) return i;
    run_fail(m, FAIL_INDEX, k->term, i, k->n);
    return 0;
}

ATOM(div, value_of(k->index, m), floor_div(i, k->n))
ATOM(mod, value_of(k->index, m), floor_mod(i, k->n))
ATOM(clamp, value_of(k->index, m), i < 0 ? 0 : i >= k->n ? k->n - 1 : i)
ATOM(mirror, value_of(k->index, m), i < 0 ? -1 - i : i >= k->n ? 2 * k->n - 1 - i : i)
ATOM(in_range, value_of(k->index, m), k->lo <= i && i < k->n)
ATOM(check, k->kids[0]->run.i(k->kids[0], m), in_bounds(k, i, m))

AtomFn *index_atom(IntFn *run)
{
    static const struct { IntFn *run; AtomFn *of; } atoms[] = {{run_div, div_of}, {run_mod, mod_of}, {run_clamp, clamp_of},
        {run_mirror, mirror_of}, {run_in_range, in_range_of}, {run_check, check_of}};
    for (int i = 0; i < COUNT(atoms); i++)
        if (atoms[i].run == run) return atoms[i].of;
    return NULL;
}

/* ---- control ---- */

static const Code *branch(const Code *k, Run *m) { return k->kids[int_of(k->kids[0], m) ? 1 : 2]; }

static const Code *enter(const Code *k, Run *m)
{
    loop_enter(k->loop, (Code *)k->reg, value_of(k->index, m), m);
    return k->kids[0];
}

THROUGH(if, branch)
THROUGH(enter, enter)
Fn run_if(Scalar s) { return fn_of(s, if_int, if_flt); }
Fn run_enter(Scalar s) { return fn_of(s, enter_int, enter_flt); }

/* ---- kept values. Code is const to all but its own evaluation, which may write what it keeps. ---- */

#define KEPT(NAME, T, WHICH) \
    static T NAME(const Code *k, Run *m) \
    { \
        if (fresh(&k->deps, k->stamp)) return k->WHICH; \
        uint64_t now = m->clock; \
        T v = k->impl.WHICH(k, m); \
        if (!m->failed) ((Code *)k)->WHICH = v, ((Code *)k)->stamp = now; \
        return v; \
    }
KEPT(kept_int, int64_t, i)
KEPT(kept_flt, Flt, f)

void code_keep(const Code *k)
{
    if (k->cached || !k->heavy) return;
    Code *w = (Code *)k;
    w->cached = true;
    w->impl = k->run;
    w->run = fn_of(k->scalar, kept_int, kept_flt);
}

/* ---- reading inputs ---- */

#define LOAD_INT(A, id, name, class, key, T, ...) \
    static int64_t load_##id(const Code *k, Run *m) { return (int64_t)((const T *)k->base)[value_of(k->index, m)]; }
#define LOAD_FLT(A, id, name, class, key, T, ...) \
    static Flt load_##id(const Code *k, Run *m) \
    { \
        return (Flt){FLOAT_VALUE(((const T *)k->base)[value_of(k->index, m)]), 0}; \
    } \
    static Flt load_shadow_##id(const Code *k, Run *m) \
    { \
        double v = FLOAT_VALUE(((const T *)k->base)[value_of(k->index, m)]); \
        return (Flt){v, fabs(v)}; \
    }
SCALARS_BOOL(LOAD_INT, )
SCALARS_INT(LOAD_INT, )
SCALARS_FLOAT(LOAD_FLT, )

Fn run_load(Scalar s, EvalMode mode)
{
#define ROW(LOAD, member, id, ...) [SC_##id] = {member = LOAD##id},
#define INTEGERS(A, id, ...) ROW(load_, .i, id)
#define FLOATS(A, id, ...) ROW(A, .f, id)
    static const Fn loads[2][SC_COUNT] = {{SCALARS_BOOL(INTEGERS, ) SCALARS_INT(INTEGERS, ) SCALARS_FLOAT(FLOATS, load_)},
                                          {SCALARS_BOOL(INTEGERS, ) SCALARS_INT(INTEGERS, ) SCALARS_FLOAT(FLOATS, load_shadow_)}};
#undef ROW
    return loads[mode == EVAL_REFERENCE][s];
}

/* ---- buffers ---- */

static void *memory(Run *m, size_t bytes, void *(*get)(size_t))
{
    void *p = get(bytes);
    vec_push(&m->memory, p);
    return p;
}

static void buffer_get(Buffer *b, Run *m, void *(*get)(size_t))
{
    if (b->v || b->i) return;
    size_t bytes = (size_t)b->count * sizeof(double);
    if (!b->is_float) b->i = memory(m, bytes, get);
    else b->v = memory(m, bytes, get);
    if (b->is_float) b->shadow = memory(m, bytes, get);
}

bool buffer_open(Buffer *b, Run *m)
{
    if (mem_holds((double)b->count * sizeof(double))) return buffer_get(b, m, mem_alloc_large), true;
    run_fail(m, FAIL_MEMORY, NULL, b->count * (int64_t)sizeof(double), 0);
    return false;
}

static bool is_bad(const Buffer *b, int64_t at, Run *m)
{
    if (!b->bad || !b->bad[at]) return false;
    if (!m->failed) m->why = b->why;
    m->failed = true;
    return true;
}

/* The failure of one element stays with that element; the run goes on. */
static void mark_bad(Buffer *b, int64_t at, Run *m)
{
    if (!b->bad || b->count == 1) b->why = m->why;
    if (!b->bad) b->bad = memory(m, (size_t)b->count, mem_alloc);
    b->bad[at] = 1;
    m->failed = false;
}

/* NAME_int and NAME_flt: the element of BUFFER at AT, where it is READY. */
#define ELEMENT(NAME, READY, BUFFER, AT) \
    static int64_t NAME##_int(const Code *k, Run *m) \
    { \
        if (!(READY)) return 0; \
        const Buffer *b = BUFFER; \
        int64_t at = AT; \
        return is_bad(b, at, m) ? 0 : b->i[at]; \
    } \
    static Flt NAME##_flt(const Code *k, Run *m) \
    { \
        if (!(READY)) return (Flt){0, 0}; \
        const Buffer *b = BUFFER; \
        int64_t at = AT; \
        return is_bad(b, at, m) ? (Flt){0, 0} : (Flt){b->v[at], b->shadow[at]}; \
    }
ELEMENT(load_buffer, true, k->buffer, value_of(k->index, m))
ELEMENT(load_unit, unit_ready(k->unit, m), k->buffer, value_of(k->index, m))
Fn run_load_buffer(Scalar s) { return fn_of(s, load_buffer_int, load_buffer_flt); }
Fn run_load_unit(Scalar s) { return fn_of(s, load_unit_int, load_unit_flt); }

void stmt_store(const Stmt *s, Run *m)
{
    Buffer *b = s->buffer;
    int64_t at = value_of(s->index, m);
    if (m->doomed) {
        m->why = *m->doomed;
        mark_bad(b, at, m);
        return;
    }
    if (b->is_float) {
        Flt v = s->code->run.f(s->code, m);
        b->v[at] = v.v, b->shadow[at] = v.shadow;
    } else {
        b->i[at] = s->code->run.i(s->code, m);
    }
    if (m->failed && !m->hard) mark_bad(b, at, m);
    else if (b->bad) b->bad[at] = 0;
}

/* After `wide` steps at once; when there were none, up to which step they are done one after another until that is tried again. */
static int64_t strip_end(int64_t *i, int64_t n, int64_t wide)
{
    *i += wide;
    return wide ? *i : n - *i < STRIP ? n : *i + STRIP;
}

static void run_list(const Stmt *s, Run *m)
{
    for (; s && !m->hard; s = s->next) s->run(s, m);
}

void stmt_loop(const Stmt *s, Run *m) { stmt_steps(s, 0, s->n, m); }

void stmt_steps(const Stmt *s, int64_t from, int64_t to, Run *m)
{
    for (int64_t i = from; i < to;) {
        int64_t end = strip_end(&i, to, m->wide ? m->wide->stores(s, i, to, m) : 0);
        for (; i < end; i++) {
            s->reg->i = i;
            loop_step(s->loop, m);
            if (!spend(m, s->weight)) return;
            run_list(s->body, m);
        }
    }
}

/* Both sides store the same elements; when the condition fails, all of them are bad. */
void stmt_if(const Stmt *s, Run *m)
{
    bool yes = s->code->run.i(s->code, m) != 0, outermost = m->failed && !m->hard;
    Failure why = m->why;
    if (outermost) {
        m->doomed = &why;
        m->failed = false;
    }
    run_list(yes ? s->body : s->other, m);
    if (outermost) m->doomed = NULL;
}

/* ---- units ---- */

/* False: failed, or failing already, and then the buffers may not exist. */
bool unit_ready(Unit *u, Run *m)
{
    if (m->failed) return false;
    if (fresh(&u->deps, u->stamp)) return true;
    uint64_t now = m->clock;
    u->fill(u, m);
    if (!m->failed) u->stamp = now;
    return !m->failed;
}

/* Its loop at i; false: no more is to be done. */
static bool unit_step(Unit *u, int64_t i, uint32_t weight, Run *m)
{
    u->reg->i = i;
    loop_step(u->loop, m);
    return spend(m, weight);
}

void fill_once(Unit *u, Run *m)
{
    for (int i = 0; i < u->pair_count; i++) {
        if (!buffer_open(u->pairs[i].now, m)) return;
        if (u->pairs[i].next && !buffer_open(u->pairs[i].next, m)) return;
        if (u->pairs[i].record && !buffer_open(u->pairs[i].record, m)) return;
    }
    run_list(u->init, m);
}

/* The elements of `from` to those of `to` from `at` on. */
static void copy_elements(Buffer *to, int64_t at, const Buffer *from, Run *m)
{
    int64_t n = from->count;
    size_t bytes = (size_t)n * sizeof(double);
    if (from->is_float) memcpy(to->v + at, from->v, bytes), memcpy(to->shadow + at, from->shadow, bytes);
    else memcpy(to->i + at, from->i, bytes);
    if (to->bad) memset(to->bad + at, 0, (size_t)n);
    for (int64_t i = 0; from->bad && i < n; i++) {
        if (!from->bad[i]) continue;
        m->why = from->why;
        mark_bad(to, at + i, m);
    }
}

/* A step without the second buffers. False: something failed, and nothing was stored. */
static bool step_scalars(Unit *u, Run *m)
{
    Flt f[SCALARS_MAX];
    int64_t n[SCALARS_MAX];
    int count = 0;
    for (const Stmt *s = u->step; s; s = s->next, count++) {
        if (s->buffer->is_float) f[count] = s->code->run.f(s->code, m);
        else n[count] = s->code->run.i(s->code, m);
    }
    if (m->failed) {
        m->failed = m->hard;
        return m->hard;
    }
    for (int i = 0; i < count; i++) {
        Buffer *b = u->pairs[i].now;
        if (u->may_rest) copy_elements(u->pairs[i].next, 0, b, m);
        if (!b->is_float) b->i[0] = n[i];
        else b->v[0] = f[i].v, b->shadow[0] = f[i].shadow;
        if (b->bad) b->bad[0] = 0;
    }
    return true;
}

void fold_step(Unit *u, int64_t i, Run *m)
{
    if (u->forth) {                          /* by index: now[to] becomes next, which is one element */
        int64_t to = u->forth->run.i(u->forth, m);
        if (m->failed || to < 0 || to > u->arg->hi) return;
        u->arg->i = to;
        loop_step(u->loop, m);
        run_list(u->step, m);
        for (const Pair *p = u->pairs; p < u->pairs + u->pair_count; p++) copy_elements(p->now, to * p->next->count, p->next, m);
        return;
    }
    bool stored = u->scalars && step_scalars(u, m);
    if (!stored) run_list(u->step, m);
    for (int k = 0; k < u->pair_count; k++) {
        if (!stored) {
            Buffer *a = u->pairs[k].now, *b = u->pairs[k].next, t = *a;
            a->v = b->v, a->i = b->i, a->shadow = b->shadow, a->bad = b->bad, a->why = b->why;
            b->v = t.v, b->i = t.i, b->shadow = t.shadow, b->bad = t.bad, b->why = t.why;
        }
        const Pair *p = &u->pairs[k];
        if (p->record) copy_elements(p->record, i * p->now->count, p->now, m);
    }
}

static bool is_same(const Buffer *a, const Buffer *b)
{
    size_t bytes = (size_t)a->count * sizeof(double);
    if (a->bad || b->bad) return false;
    return a->is_float ? !memcmp(a->v, b->v, bytes) && !memcmp(a->shadow, b->shadow, bytes) : !memcmp(a->i, b->i, bytes);
}

/* By index: the elements of now, each from the pairs with its index, in their order; an index that fails fails all. */
void fill_fold(Unit *u, Run *m)
{
    fill_once(u, m);
    for (int64_t i = 0; i < u->n && !(u->forth && m->failed);) {
        int64_t end = strip_end(&i, u->n, m->wide ? m->wide->fold(u, i, m) : 0);
        for (; i < end && !(u->forth && m->failed); i++) {
            if (!unit_step(u, i, u->step->weight, m)) return;
            fold_step(u, i, m);
            if (u->may_rest && ALL(k, u->pair_count, is_same(u->pairs[k].now, u->pairs[k].next))) return;
        }
    }
}

/* Both ways for every index: out of range, or not coming back, is no bijection. */
void fill_perm(Unit *u, Run *m)
{
    for (int64_t i = 0; i < u->n; i++) {
        if (!unit_step(u, i, 2, m)) return;
        int64_t to = u->forth->run.i(u->forth, m), from = -1;
        if (!m->failed && 0 <= to && to < u->n) {
            u->arg->i = to;
            loop_step(u->loop, m);
            from = u->back->run.i(u->back, m);
        }
        if (!m->failed && from != i) run_fail(m, FAIL_PERM, u->term, i, to);
        if (m->failed) return;
    }
}

/* pairs[0]: for each place of the result, the source element written there, or -1. */
void fill_scatter(Unit *u, Run *m)
{
    Buffer *table = u->pairs[0].now;
    if (!buffer_open(table, m)) return;
    for (int64_t i = 0; i < table->count; i++) table->i[i] = -1;
    for (int64_t i = 0; i < u->n; i++) {
        if (!unit_step(u, i, 1, m)) return;
        int64_t to = u->forth->run.i(u->forth, m);
        if (!m->failed && (to < 0 || to >= table->count)) run_fail(m, FAIL_INDEX, u->term, to, table->count);
        if (!m->failed && table->i[to] >= 0) run_fail(m, FAIL_TWICE, u->term, to, i);
        if (m->failed) return;
        table->i[to] = i;
    }
}

int64_t run_perm(const Code *k, Run *m)
{
    if (!unit_ready(k->unit, m)) return 0;
    int64_t to = k->kids[0]->run.i(k->kids[0], m);
    return 0 <= to && to < k->n ? to : 0;
}

/* ---- arrays kept element by element ---- */

void memo_open(MemoPart *p, const Memo *memo, Run *m)
{
    if (!p->stamps) {
        buffer_get(p->values, m, mem_alloc);         /* perhaps a few elements of it */
        p->stamps = memory(m, (size_t)p->values->count * sizeof *p->stamps, mem_alloc);
    }
    if (fresh(&memo->deps, p->seen)) return;
    p->seen = m->clock;
    if (++p->now) return;
    memset(p->stamps, 0, (size_t)p->values->count * sizeof *p->stamps);
    p->now = 1;
}

void memo_enter(MemoPart *p, int64_t at, Run *m)
{
    int64_t below = p->values->count;
    for (int d = 0; d < p->rank; d++) {
        below /= p->sizes[d];
        loop_enter(p->regs[d]->loop, p->regs[d], at / below % p->sizes[d], m);
    }
}

/* Several Evals may fill one memo (eval.c): whoever sees the stamp sees the value, and all make the same one. */
bool memo_has(const MemoPart *p, int64_t at) { return __atomic_load_n(&p->stamps[at], __ATOMIC_ACQUIRE) == p->now; }
static void set_shared(double *to, double v) { __atomic_store(to, &v, __ATOMIC_RELAXED); }

static double get_shared(double *from)
{
    double v;
    __atomic_load(from, &v, __ATOMIC_RELAXED);
    return v;
}

void memo_put(MemoPart *p, int64_t at, const Strip *values, int n)
{
    Buffer *b = p->values;
    for (int j = 0; j < n; j++) {
        if (!b->is_float) __atomic_store_n(&b->i[at + j], values->i[j], __ATOMIC_RELAXED);
        else set_shared(&b->v[at + j], values->v[j]);
        if (b->is_float) set_shared(&b->shadow[at + j], values->shadow[j]);
        __atomic_store_n(&p->stamps[at + j], p->now, __ATOMIC_RELEASE);
    }
}

void memo_get(const MemoPart *p, int64_t at, const Strip *to, int64_t j)
{
    Buffer *b = p->values;
    if (!b->is_float) to->i[j] = __atomic_load_n(&b->i[at], __ATOMIC_RELAXED);
    else strip_put_flt(to, j, (Flt){get_shared(&b->v[at]), get_shared(&b->shadow[at])});
}

bool memo_make(MemoPart *p, int64_t at, Run *m)
{
    Flt f;
    int64_t i;
    Strip one = {&f.v, &f.shadow, &i};
    memo_enter(p, at, m);
    spend(m, p->body->weight);
    if (p->values->is_float) f = p->body->run.f(p->body, m);
    else i = p->body->run.i(p->body, m);
    if (!m->failed) memo_put(p, at, &one, 1);
    return !m->failed;
}

int64_t memo_some(MemoPart *p, int64_t at, int64_t most, Run *m) { return m->wide ? m->wide->memo(p, at, most, m) : 0; }

void memo_row(MemoPart *p, int64_t at, int64_t steps, Run *m)
{
    enum { DEAR = 64, TIMES = 4 };
    int64_t n = p->rank ? p->sizes[p->rank - 1] : 1, from = at - at % n, end = m->steps + TIMES * steps;
    if (steps < DEAR || p->apart || (m->limit && end > m->limit)) return;
    for (int64_t i = from; i < from + n && m->steps < end;) {
        int64_t before = m->steps, each = p->body->weight, wide = memo_has(p, i) ? 1 : memo_some(p, i, (end - before) / (each ? each : 1), m);
        if (!wide) memo_make(p, i, m);
        if (m->failed && m->hard) return;
        m->failed = false;
        i += wide ? wide : 1;
        p->apart = m->steps - before > (wide ? wide : 1) * (steps / TIMES);
        if (p->apart) return;
    }
}

/* Where the element lies, computed if it was not; -1 after a failure. */
static int64_t memo_at(const Code *k, Run *m)
{
    MemoPart *p = &k->memo->parts[k->part];
    memo_open(p, k->memo, m);
    int64_t at = value_of(k->index, m), before = m->steps;
    if (m->failed || memo_has(p, at)) return m->failed ? -1 : at;
    if (!memo_make(p, at, m)) return -1;
    int64_t steps = m->steps - before;
    memo_row(p, at, steps, m);
    if (m->ahead && k->memo->deps.loops[0]->depth == 0) m->ahead(m, k->memo, k->part, at, 1, steps);
    return m->failed ? -1 : at;
}

static int64_t load_memo_int(const Code *k, Run *m)
{
    int64_t at = memo_at(k, m);
    return at < 0 ? 0 : __atomic_load_n(&k->memo->parts[k->part].values->i[at], __ATOMIC_RELAXED);
}

static Flt load_memo_flt(const Code *k, Run *m)
{
    int64_t at = memo_at(k, m);
    if (at < 0) return (Flt){0, 0};
    Buffer *b = k->memo->parts[k->part].values;
    return (Flt){get_shared(&b->v[at]), get_shared(&b->shadow[at])};
}

Fn run_load_memo(Scalar s) { return fn_of(s, load_memo_int, load_memo_flt); }

/* eval: the interpreter's interface: whole results, one element of one, references with their shadows. */
#include "eval_compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    diag_init(&e->diag);
    e->run.reference = mode != EVAL_EXACT;
    e->run.wide = mode == EVAL_REFERENCE ? &wide_runs : NULL;
    e->run.arena = e->arena;
    e->run.turn = -1;
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
    for (int i = 0; i < e->other_count; i++) eval_free(e->others[i]);
    free(e->others);
    for (int i = 0; i < e->memos.n; i++)
        for (MemoPart *p = e->memos.v[i]->parts; p < e->memos.v[i]->parts + e->memos.v[i]->part_count; p++)
            if (!p->borrowed) free(p->stamps);
    free(e->memos.v);
    free(e->units.v);
    for (Buffer *b = e->buffers; b; b = b->next) {
        if (b->borrowed) continue;
        free(b->v);
        free(b->i);
        free(b->shadow);
        free(b->bad);
    }
    strips_free(&e->run);
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

static void report_failure(Eval *e, Diag *d)
{
    const Failure *f = &e->run.why;
    long long a = f->a, b = f->b, count;
    Scalar to;
    Buf number = {0}, place = {0};
    if (diag_failed(d)) return;
    /* The primitive and where it stands in the program: "gather in /f/body". */
    bool found = f->term && find_place(e->ctx, e->term, f->term, &place);
    const char *who = arena_printf(d->arena, "%s%s%s", f->term ? prim((PrimId)f->term->prim)->name : "", found ? " in " : "",
                                   !found ? "" : place.len ? place.data : "/");
    buf_free(&place);
    switch (f->kind) {
    case FAIL_INDEX:
        diag_fail(d, E38, "%s: index %lld is out of range\nneeds 0 <= index < %lld\nfound %lld", who, a, b, a);
        /* Whole numbers that were drawn at random seldom fit as indices. */
        for (int i = 0; i < e->input_count && b > 0; i++) {
            const Data *data = e->inputs[i].data;
            if (data->type->kind != TY_ARRAY || data->part_count != 1 || !scalar_is_int(data->parts[0].scalar)) continue;
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
            bool integers = data->type->kind == TY_ARRAY && data->type->elems[0]->kind == TY_SCALAR && data->parts[0].scalar == SC_I32;
            if (integers && data->type->size->value != count)      /* else it goes along with what is sliced */
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
    case FAIL_STOP: diag_error(d, E25, "evaluation was interrupted"); break;
    default: diag_error(d, E25, "evaluation reached its limit of %lld steps", a);
    }
}

void eval_begin(Eval *e)
{
    e->run.failed = e->run.hard = false;
    e->run.doomed = NULL;
}

bool eval_ended(Eval *e, Diag *d)
{
    if (diag_failed(&e->diag)) diag_copy(d, &e->diag);
    else if (e->run.failed) report_failure(e, d);
    else return true;
    return false;
}

bool eval_element(Eval *e, int part, int64_t flat, EvalScalar *out)
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
        *out = (EvalScalar){.f = v.v, .shadow = v.shadow};
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

int eval_decisions(Eval *e, int part, int64_t flat, const double slack[SC_COUNT], int turn, EvalScalar *out, Diag *diag)
{
    /* What was kept may rest on decisions made otherwise, and those on its way are counted again; where none was met, it stays. */
    if (e->run.decisions || memcmp(e->run.slack, slack, sizeof e->run.slack)) loop_step(&e->ground, &e->run);
    memcpy(e->run.slack, slack, sizeof e->run.slack);
    e->run.decisions = 0;
    e->run.turn = turn;
    bool ok = eval_at(e, part, flat, out, diag);
    out->shadow = fabs(out->shadow);
    return ok ? e->run.decisions : -1;
}

/* All of the result, in the buffers of e->whole. */
static bool evaluate(Eval *e, Diag *diag)
{
    eval_begin(e);
    eval_whole(e);
    if (diag_failed(&e->diag)) return eval_ended(e, diag);
    if (e->whole->stamp) return true;
    if (e->fill_whole) e->fill_whole(e);
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
        shadow[i] = b->shadow ? b->shadow[i] : fabs(want[i]);
    }
    return true;
}

/* launch: a plan, sizes and values as a request to a device (decisions.md: Kernels). */
#include "run_private.h"

#include <string.h>

typedef struct Marshal {
    Arena *arena;
    const Plan *plan;
    const Valuation *sizes;
    const EvalInput *inputs;
    Data *result;
    Diag *diag;
} Marshal;

Texels launch_texels(Scalar s) { return s == SC_F32 ? TEXELS_FLOAT : s == SC_I32 ? TEXELS_SIGNED : TEXELS_UNSIGNED; }

static bool eval(const Marshal *m, const Nat *n, int64_t *out)
{
    if (nat_eval(n, valuation_value, (void *)m->sizes, out) && *out >= 0) return true;
    diag_error(m->diag, E70, "the size %s of the plan has no value at launch", nat_text(n, 0, m->arena));
    return false;
}

static bool buffer(const Marshal *m, const PlanBuffer *b, RunBuffer *out)
{
    int64_t count;
    if (!eval(m, b->count, &count)) return false;
    if (b->kind == PLAN_TEMP && !count) count = 1;      /* of a slice of no elements; devices have no empty buffers */
    out->bytes = (size_t)count * (size_t)scalar_bytes(b->scalar);
    out->name = b->name;
    static const BufferRole roles[] = {[PLAN_INPUT] = BUF_INPUT, [PLAN_OUTPUT] = BUF_OUTPUT, [PLAN_TEMP] = BUF_TEMP, [PLAN_STATE] = BUF_STATE,
                                       [PLAN_IMAGE] = BUF_IMAGE};
    out->role = roles[b->kind];
    if (b->kind == PLAN_IMAGE) {
        int64_t width, height;
        if (!eval(m, b->width, &width) || !eval(m, b->height, &height)) return false;
        out->of = b->of;
        out->written = b->written;
        out->width = (size_t)width;
        out->height = (size_t)height;
        out->texels = launch_texels(b->scalar);
        return true;
    }
    if (b->kind == PLAN_TEMP || b->kind == PLAN_STATE) return true;
    const DataPart *p = b->kind == PLAN_INPUT ? &m->inputs[b->input].data->parts[b->part] : &m->result->parts[b->part];
    if (b->kind == PLAN_INPUT) out->input = p->values, out->key = p->key;
    else out->output = p->values;
    if ((size_t)p->count * (size_t)scalar_bytes(p->scalar) == out->bytes) return true;
    diag_error(m->diag, E70, "buffer %s has %zu bytes in the plan, its value has %zu", b->name, out->bytes,
               (size_t)p->count * (size_t)scalar_bytes(p->scalar));
    return false;
}

static bool argument(const Marshal *m, const PlanArg *a, LaunchArg *out)
{
    out->kind = a->kind == PLAN_ARG_BUFFER ? ARG_BUFFER : ARG_VALUE;
    if (a->kind == PLAN_ARG_SIZE) {
        int64_t wide;
        if (!eval(m, a->size, &wide)) return false;
        int32_t narrow = (int32_t)wide;
        out->bytes = m->plan->long_index ? sizeof wide : sizeof narrow;
        memcpy(out->value, m->plan->long_index ? (void *)&wide : (void *)&narrow, out->bytes);
        return true;
    }
    if (a->kind == PLAN_ARG_ROUND) {
        *out = (LaunchArg){.kind = ARG_ROUND, .loop = a->loop, .bytes = m->plan->long_index ? sizeof(int64_t) : sizeof(int32_t)};
        return true;
    }
    if (a->kind == PLAN_ARG_BUFFER) {
        out->buffer = a->buffer;
        out->written = a->written && m->plan->buffers[a->buffer].kind == PLAN_IMAGE;
        return true;
    }
    out->bytes = (size_t)scalar_bytes(a->scalar);
    memcpy(out->value, m->inputs[a->input].data->parts[a->part].values, out->bytes);
    return true;
}

static bool kernel(const Marshal *m, const PlanKernel *k, Launch *out)
{
    out->arg_count = k->arg_count;
    out->args = NEW_ARRAY(m->arena, LaunchArg, k->arg_count);
    if (!ALL(i, k->arg_count, argument(m, &k->args[i], &out->args[i]))) return false;
    for (int d = 0; d < 3; d++) {
        int64_t n = 1;
        if (k->global[d] && !eval(m, k->global[d], &n)) return false;
        out->global[d] = (size_t)n;
        out->local[d] = (size_t)k->local[d];
    }
    out->local_bytes = (size_t)k->launch_bytes;
    return true;
}

static bool loop(const Marshal *m, const PlanLoop *l, LaunchLoop *out)
{
    *out = (LaunchLoop){.around = l->around, .first = l->first, .step = l->step, .end = l->end, .test = l->test, .state_count = l->state_count};
    out->states = NEW_ARRAY(m->arena, LaunchState, l->state_count);
    for (int i = 0; i < l->state_count; i++) {
        const PlanState *s = &l->states[i];
        out->states[i] = (LaunchState){s->from, s->to, s->init, s->out, s->spare};
    }
    return eval(m, l->rounds, &out->rounds);
}

bool launch_make(Arena *arena, const Plan *plan, const Valuation *sizes, const EvalInput *inputs, Data *result,
                 int first_kernel, RunRequest *out, Diag *diag)
{
    Marshal m = {arena, plan, sizes, inputs, result, diag};
    *out = (RunRequest){.trials = 1, .launch_count = plan->kernel_count, .buffer_count = plan->buffer_count,
                         .loop_count = plan->loop_count};
    out->loops = NEW_ARRAY(arena, LaunchLoop, plan->loop_count);
    out->buffers = NEW_ARRAY(arena, RunBuffer, plan->buffer_count);
    out->launches = NEW_ARRAY(arena, Launch, plan->kernel_count);
    if (!ALL(i, plan->buffer_count, buffer(&m, &plan->buffers[i], &out->buffers[i]))) return false;
    if (!ALL(i, plan->loop_count, loop(&m, &plan->loops[i], &out->loops[i]))) return false;
    for (int i = 0; i < plan->kernel_count; i++) {
        if (!kernel(&m, &plan->kernels[i], &out->launches[i])) return false;
        out->launches[i].kernel = first_kernel + i;
    }
    return true;
}

void launch_fill(RunRequest *r, uint8_t sentinel)
{
    for (int i = 0; i < r->buffer_count; i++) r->buffers[i].fill = sentinel;
}

const char *source_padded(Arena *arena, const char *source)
{
    static const char head[] = "kernel void ";
    Buf b = {0};
    for (const char *p = source; *p;) {
        const char *at = strstr(p, head), *open = at ? strchr(at, '(') : NULL;
        size_t n = open ? (size_t)(open + 1 - p) : strlen(p);
        buf_printf(&b, "%.*s%s", (int)n, p, open ? "local uchar *lathe_pad, " : "");
        p += n;
    }
    return buf_take(&b, arena);
}

void launch_pad(Arena *arena, RunRequest *r, size_t bytes, bool given)
{
    enum { LEAST = 16 };                 /* no device takes none */
    for (int i = 0; i < r->launch_count; i++) {
        Launch *k = &r->launches[i];
        if (given) {
            k->local_bytes += bytes;
            continue;
        }
        LaunchArg *args = NEW_ARRAY(arena, LaunchArg, k->arg_count + 1);
        args[0] = (LaunchArg){.kind = ARG_LOCAL, .bytes = bytes < LEAST ? LEAST : bytes};
        memcpy(args + 1, k->args, sizeof *args * (size_t)k->arg_count);
        k->args = args;
        k->arg_count++;
    }
}

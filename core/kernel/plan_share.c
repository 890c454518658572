/* plan_share: temporaries between kernels that are never alive together share a buffer. */
#include "plan_private.h"

/* Kernels run one after another, so a temporary lives from the first that has it to the last: through all rounds of a loop that it was
 * made before. What one round makes it makes anew in the next, so that within a loop kernels count as they stand. */

typedef struct LiveRange {
    int from, to;                        /* kernels; to -1: none has it */
    bool own;                            /* it shares with nothing */
    int slot;                            /* the buffer whose memory it has, perhaps itself */
} LiveRange;

static void see_use(LiveRange *l, int kernel)
{
    if (l->to < 0) l->from = kernel;
    l->to = kernel;
}

/* Can buffer i have the memory of that one? */
static bool is_free(const Plan *p, const LiveRange *lives, int slot, int i)
{
    if (lives[slot].slot != slot || lives[slot].own || p->buffers[slot].scalar != p->buffers[i].scalar) return false;
    return !ANY(k, p->buffer_count, lives[k].slot == slot && lives[k].from <= lives[i].to && lives[i].from <= lives[k].to);
}

/* Of those that are free for i the first that is large enough, else one that can grow, else itself. */
static int find_slot(Nats *n, const Plan *p, const LiveRange *lives, int i)
{
    int grows = i;
    for (int r = 0; r < p->buffer_count; r++) {
        if (!is_free(p, lives, r, i)) continue;
        if (nat_less_eq(n, p->buffers[i].count, p->buffers[r].count)) return r;
        if (grows == i && nat_less_eq(n, p->buffers[r].count, p->buffers[i].count)) grows = r;
    }
    return grows;
}

/* Has it a name only because it needs one? */
static bool is_nameless(const PlanBuffer *b) { return !strncmp(b->name, "tmp", 3) && !b->name[3 + strspn(b->name + 3, "_0123456789")]; }

static const Nat *temp_bytes(Nats *n, const Plan *p)
{
    const Nat *sum = nat_const(n, 0);
    for (int i = 0; sum && i < p->buffer_count; i++)
        if (p->buffers[i].kind == PLAN_TEMP) sum = nat_add(n, sum, nat_mul(n, p->buffers[i].count, nat_const(n, scalar_bytes(p->buffers[i].scalar))));
    return sum;
}

void plan_share(Build *b, Plan *p)
{
    LiveRange *lives = NEW_ARRAY(b->arena, LiveRange, p->buffer_count);
    int *number = NEW_ARRAY(b->arena, int, p->buffer_count);
    p->temp_apart = temp_bytes(b->n, p);
    for (int i = 0; i < p->buffer_count; i++) lives[i] = (LiveRange){.to = -1, .slot = -1, .own = p->buffers[i].kind != PLAN_TEMP || b->options->paranoid};
    /* An image that no kernel reads goes; of what it is an image lives as long as it does. */
    for (int i = 0; i < p->kernel_count; i++)
        for (int k = 0; k < p->kernels[i].arg_count; k++) {
            const PlanArg *a = &p->kernels[i].args[k];
            if (a->kind != PLAN_ARG_BUFFER) continue;
            see_use(&lives[a->buffer], i);
            if (p->buffers[a->buffer].kind == PLAN_IMAGE) see_use(&lives[p->buffers[a->buffer].of], i);
        }
    /* Loops, from the inner ones: what was made before lives on, what a state stands for shares with nothing. */
    for (int i = p->loop_count - 1; i >= 0; i--) {
        const PlanLoop *l = &p->loops[i];
        for (int k = 0; k < p->buffer_count; k++)
            if (lives[k].from < l->first && lives[k].to >= l->first && lives[k].to < l->end) lives[k].to = l->end - 1;
        if (l->test >= 0) lives[l->test].own = true;
        for (int k = 0; k < l->state_count; k++) {
            const PlanState *s = &l->states[k];
            lives[s->init].own = lives[s->out].own = lives[s->spare].own = true;
        }
    }
    for (int i = 0; i < p->buffer_count; i++)
        if (lives[i].own && !(p->buffers[i].kind == PLAN_IMAGE && lives[i].to < 0)) lives[i].slot = i;
    for (int k = 0; k < p->kernel_count; k++)            /* in the order in which they begin to live */
        for (int i = 0; i < p->buffer_count; i++)
            if (lives[i].slot < 0 && lives[i].to >= 0 && lives[i].from == k) {
                int slot = find_slot(b->n, p, lives, i);
                lives[i].slot = slot;
                if (is_nameless(&p->buffers[slot]) && !is_nameless(&p->buffers[i])) p->buffers[slot].name = p->buffers[i].name;
                if (!nat_less_eq(b->n, p->buffers[i].count, p->buffers[slot].count)) p->buffers[slot].count = p->buffers[i].count;
            }
    int n = 0;
    for (int i = 0; i < p->buffer_count; i++) {
        number[i] = n;
        if (lives[i].slot == i) p->buffers[n++] = p->buffers[i];
    }
    p->buffer_count = n;
    for (int i = 0; i < p->kernel_count; i++)
        for (int k = 0; k < p->kernels[i].arg_count; k++)
            if (p->kernels[i].args[k].kind == PLAN_ARG_BUFFER) p->kernels[i].args[k].buffer = number[lives[p->kernels[i].args[k].buffer].slot];
    for (int i = 0; i < p->buffer_count; i++)
        if (p->buffers[i].kind == PLAN_IMAGE) p->buffers[i].of = number[lives[p->buffers[i].of].slot];
    for (int i = 0; i < p->loop_count; i++) {
        PlanLoop *l = &p->loops[i];
        if (l->test >= 0) l->test = number[l->test];
        for (int k = 0; k < l->state_count; k++) {
            PlanState *s = (PlanState *)&l->states[k];
            *s = (PlanState){number[s->from], number[s->to], number[s->init], number[s->out], number[s->spare]};
        }
    }
    p->temp_bytes = temp_bytes(b->n, p);
}

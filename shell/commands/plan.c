/* plan: the kernels of a version for the sizes that are set, as a run would generate them at present. */
#include "commands.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

const char *kernel_header(Shell *sh, const Version *v, const Values *values)
{
    const Derivation *d = session_current(sh->session);
    Buf b = {0};
    LOCAL(drop) VEC(const Version *) path = {0};
    buf_printf(&b, "%s%s", d->name, version_name(sh, v));
    show_hash(sh, &b, "  ", v->hash, "");
    buf_putc(&b, '\n');
    for (const Version *p = v; p->parent >= 0; p = derivation_version(d, p->parent)) vec_push(&path, p);
    for (int i = path.n - 1; i >= 0; i--) {
        const Version *parent = derivation_version(d, path.v[i]->parent);
        buf_printf(&b, "  %s %s", version_name(sh, path.v[i]), path.v[i]->call);
        if (path.v[i]->at) buf_printf(&b, " at %s", place_text(sh->c, parent->root, path.v[i]->at));
        buf_putc(&b, '\n');
    }
    bool paranoid = v->code ? v->code->paranoid : session_setting_is(sh->session, SET_SYNC, "paranoid");
    if (paranoid) buf_puts(&b, "sync paranoid: with every barrier that may stand, needed or not\n");
    if (version_assumed(sh, v)) buf_printf(&b, "? rests on the %s\n", version_assumed(sh, v));
    values_print(values, &b);
    return buf_take(&b, sh->scratch);
}

/* How a run would generate kernels at present; how they are made in another dialect, when that is not NULL. */
static EditedCode generated_now(Shell *sh, const Dialect *dialect)
{
    PlanOptions o = {0};
    plan_for_device(shell_run_device(sh), &o);
    if (dialect) dialect_plan(dialect, &o);
    EditedCode now = {.dialect = dialect_name(o.dialect ? o.dialect : dialect_find(NULL)), .single = o.prefer_single, .gpu = o.on_gpu, .max_group = o.max_group, .source = "", .sizes = "",
                      .arguments = !session_setting_is(sh->session, SET_SIZES, "constant"),
                      .paranoid = session_setting_is(sh->session, SET_SYNC, "paranoid")};
    memcpy(now.max_local, o.max_local, sizeof now.max_local);
    if (o.max_group != 1) session_local(sh->session, now.local);
    return now;
}

/* The values that were given for sizes and parameters, no others; false + error: they do not fit. */
static bool given_values(Shell *sh, const Version *v, Values *out)
{
    if (!session_values(sh->session, v, sh->scratch, out)) return false;
    session_given_values(sh->session, v, sh->scratch, out);
    return true;
}

static Plan *plan_with(Shell *sh, const Values *values, const EditedCode *how, PlanOptions options)
{
    plan_as_edited(how, &options);
    return session_plan(sh->session, values, !how->arguments, sh->scratch, options);
}

/* "N=64 M=32": the sizes that are set. *unset: is one not? */
static const char *sizes_text(Shell *sh, const Values *values, bool *unset)
{
    *unset = false;
    for (int i = 0; i < values->count; i++) *unset = *unset || (values->b[i].kind == VAR_SIZE && !values->b[i].set);
    return record_sizes(sh, values);
}

/* The plan with the edited source in the place of the generated one; NULL + E55 when that is another now. */
static Plan *put_edited(Shell *sh, const EditedCode *code, Plan *plan, const Values *values)
{
    bool unset;
    if (!edited_fits(code, plan->source, sizes_text(sh, values, &unset), diag(sh))) return NULL;
    int head = (int)(source_body(plan->source) - plan->source);
    plan->source = arena_printf(sh->scratch, "%.*s%s", head, plan->source, code->source);
    for (int i = 0; i < plan->kernel_count; i++) plan->kernels[i].body = code->source;
    return plan;
}

static Plan *plan_of(Shell *sh, const Version *v, bool origins, const Dialect *dialect)
{
    Values values;
    EditedCode now = generated_now(sh, dialect);
    if (v->code && dialect && strcmp(dialect_name(dialect), v->code->dialect))
        return shell_error(sh, E18, "the kernels of %s were edited by hand, in %s: there are none in %s\n"
                           "try code @%d --dialect %s        those that were edited", version_name(sh, v),
                           dialect_title(dialect_find(v->code->dialect)), dialect_title(dialect), v->parent, dialect_name(dialect)), NULL;
    if (!given_values(sh, v, &values)) return NULL;
    PlanOptions options = {.header = kernel_header(sh, v, &values), .origins = origins};
    Plan *plan = plan_with(sh, &values, v->code ? v->code : &now, options);
    return plan && v->code ? put_edited(sh, v->code, plan, &values) : plan;
}

Plan *shell_plan(Shell *sh, const Version *v) { return plan_of(sh, v, false, NULL); }
Plan *shell_plan_in(Shell *sh, const Version *v, const Dialect *dialect) { return plan_of(sh, v, false, dialect); }
Plan *shell_plan_mapped(Shell *sh, const Version *v) { return plan_of(sh, v, !v->code, NULL); }

const char *code_replaced(Shell *sh, const Version *v, const EditedCode *code, const char **sizes)
{
    Values values;
    bool unset;
    *sizes = "";
    if (!given_values(sh, v, &values)) return NULL;
    *sizes = sizes_text(sh, &values, &unset);
    Plan *plan = plan_with(sh, &values, code, (PlanOptions){0});
    return plan ? plan->source : NULL;
}

bool shell_plannable(Shell *sh, const Version *v, const Term *root)
{
    Values values;
    Version trial = *v;
    EditedCode how = generated_now(sh, NULL);
    trial.root = root;
    if (session_unbound(&trial) >= 0 || !session_trial_values(sh->session, &trial, sh->scratch, &values)) return true;
    return plan_with(sh, &values, &how, (PlanOptions){0}) != NULL;
}

void lower_hints(void *data, const Version *v, Arena *arena, LowerHints *out)
{
    Shell *sh = data;
    Values *values = NEW(arena, Values);
    session_given_values(sh->session, v, arena, values);
    *out = (LowerHints){.gpu = shell_on_gpu(sh), .constants = !session_setting_is(sh->session, SET_SIZES, "argument"),
                        .value = values_of, .value_data = values};
}

Plan *shell_plan_edit(Shell *sh, const Version *v, EditedCode *code)
{
    Values values;
    bool unset;
    if (!given_values(sh, v, &values)) return NULL;
    const char *sizes = sizes_text(sh, &values, &unset);
    *code = v->code ? *v->code : generated_now(sh, NULL);
    if (!v->code) {                      /* what its kernels will replace */
        code->arguments = code->arguments || !*sizes;
        if (!code->arguments && unset)
            return shell_error(sh, E55, "of the sizes only %s is set: kernels are edited for all sizes, or for sizes as arguments\n"
                               "try set sizes argument        or set the others: data NAME = VALUE", sizes), NULL;
        code->sizes = code->arguments ? "" : sizes;
    }
    Plan *plan = plan_with(sh, &values, code, (PlanOptions){.header = kernel_header(sh, v, &values)});
    if (plan && !v->code) code->replaces = source_hash(plan->source);
    return plan && v->code ? put_edited(sh, v->code, plan, &values) : plan;
}

/* ---- what is said of kernels ---- */

bool code_line(const Plan *plan, CodeLine *l)
{
    const PlanKernel *next = l->kernels < plan->kernel_count ? &plan->kernels[l->kernels] : NULL;
    if (l->kernel && l->at >= l->end) l->kernel = NULL;
    if (!*l->at) return false;
    if (!l->kernel && next && !strncmp(l->at, next->body, strlen(next->body))) {
        l->kernel = next;
        l->end = l->at + strlen(next->body);
        l->kernels++;
        l->number = l->origins = 0;
    }
    const PlanKernel *k = l->kernel;
    l->text = l->at;
    l->n = (int)strcspn(l->at, "\n");
    l->at += l->n + (l->at[l->n] == '\n');
    while (k && l->origins < k->origin_count && k->origins[l->origins].line <= l->number) l->origins++;
    l->place = k && l->origins ? k->origins[l->origins - 1].place : NULL;
    l->number++;
    return true;
}

const char *kernel_local(Shell *sh, const PlanKernel *k)
{
    const int *n = k->local;
    return arena_printf(sh->scratch, "%d, %d, %d", n[0] ? n[0] : 1, n[1] ? n[1] : 1, n[2] ? n[2] : 1);
}

const char *kernel_global(Shell *sh, const PlanKernel *k)
{
    const char *text[3];
    for (int d = 0; d < 3; d++) text[d] = k->global[d] ? nat_text(k->global[d], 0, sh->scratch) : "1";
    return arena_printf(sh->scratch, "%s, %s, %s", text[0], text[1], text[2]);
}

const char *buffer_role(PlanBufferKind kind)
{
    static const char *const roles[] = {[PLAN_INPUT] = "input", [PLAN_OUTPUT] = "output", [PLAN_TEMP] = "temporary", [PLAN_STATE] = "state",
                                        [PLAN_IMAGE] = "image"};
    return roles[kind];
}

/* ---- the command ---- */

static const char *size_text(Shell *sh, const Nat *n) { return n ? nat_text(n, 0, sh->scratch) : ""; }

/* limits: what the cost model says of it, lines; NULL: nothing. */
static void put_kernel(Shell *sh, const Plan *p, const PlanKernel *k, json_t *limits, json_t *kernels)
{
    Buf *out = &sh->out;
    int dims = 3;
    json_t *args = json_array();
    while (dims > 1 && k->local[dims - 1] <= 1 && (!k->global[dims - 1] || (k->global[dims - 1]->is_const && k->global[dims - 1]->value == 1))) dims--;
    buf_printf(out, "%s   ", k->name);
    for (int d = 0; d < dims; d++) buf_printf(out, "%s%s", d ? " x " : "", k->global[d] ? size_text(sh, k->global[d]) : "1");
    bool one = dims == 1 && k->global[0] && k->global[0]->is_const && k->global[0]->value == 1;
    buf_puts(out, one ? " work-item, groups of " : " work-items, groups of ");
    for (int d = 0; d < dims; d++) buf_printf(out, "%s%d", d ? "x" : "", k->local[d]);
    if (k->barriers) buf_printf(out, ", %d barrier%s", k->barriers, plural(k->barriers));
    buf_puts(out, "\n  ");
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        if (a->kind != PLAN_ARG_BUFFER) continue;
        const char *lies = p->buffers[a->buffer].name;
        json_add(args, "s", lies);
        if (strcmp(lies, a->name)) buf_printf(out, " %s (in %s)", a->name, lies);
        else buf_printf(out, " %s", a->name);
    }
    buf_putc(out, '\n');
    if (k->joined) buf_puts(out, "   joins launches that have one group each\n");
    if (k->copies) buf_printf(out, "   copies %s: one value in two places\n", k->copies);
    for (const char *line = k->loops ? k->loops : ""; *line; line += strcspn(line, "\n"), line += *line == '\n')
        buf_printf(out, "   %.*s\n", (int)strcspn(line, "\n"), line);
    if (k->local_bytes) buf_printf(out, "   local memory %lld bytes", (long long)k->local_bytes);
    if (k->local_apart > k->local_bytes) buf_printf(out, ", %lld apart", (long long)k->local_apart);
    if (k->local_bytes) buf_putc(out, '\n');
    size_t i;
    json_t *line;
    json_array_foreach(limits, i, line) show_wrapped(sh, "   ", "     ", json_string_value(line));
    json_add(kernels, "{name:s global:[s s s] local:[i i i] buffers:o barriers:i local_bytes:l local_apart:l copies:s? loops:s? limits?:o}", k->name,
             size_text(sh, k->global[0]), size_text(sh, k->global[1]), size_text(sh, k->global[2]), k->local[0], k->local[1], k->local[2],
             args, k->barriers, k->local_bytes, k->local_apart, k->copies, k->loops, json_incref(limits));
}

/* The kernels that write buffer i, or of the others those that read it: to out, and listed. */
static json_t *put_users(const Plan *p, int i, bool written, const char *word, Buf *out)
{
    json_t *names = json_array();
    for (int k = 0; k < p->kernel_count; k++)
        for (int j = 0; j < p->kernels[k].arg_count; j++) {
            const PlanArg *a = &p->kernels[k].args[j];
            if (a->kind != PLAN_ARG_BUFFER || a->buffer != i || a->written != written) continue;
            buf_printf(out, "%s %s", json_array_size(names) ? "" : word, p->kernels[k].name);
            json_add(names, "s", p->kernels[k].name);
        }
    return names;
}

/* The states that buffer i stands for in some round. */
static bool put_states(const Plan *p, int i, Buf *out)
{
    bool any = false;
    for (int k = 0; k < p->loop_count; k++)
        for (int j = 0; j < p->loops[k].state_count; j++) {
            const PlanState *s = &p->loops[k].states[j];
            if (i != s->init && i != s->out && i != s->spare) continue;
            buf_printf(out, "%s %s", any ? "" : ", stands for", p->buffers[s->from].name);
            any = true;
        }
    return any;
}

static const PlanKernel *kernel_named(const Plan *p, const char *name)
{
    int i = 0;
    while (strcmp(p->kernels[i].name, name)) i++;
    return &p->kernels[i];
}

/* What each work-item of the kernel has of so many bytes. */
static void put_share(Shell *sh, const PlanKernel *k, const Nat *bytes, Buf *out)
{
    const Nat *items = nat_const(sh->c->nats, 1);
    for (int d = 0; d < 3; d++)
        if (k->global[d]) items = nat_mul(sh->c->nats, items, k->global[d]);
    const Nat *each = nat_exact(sh->c->nats, bytes, items);
    if (each) buf_printf(out, ", %s bytes each", size_text(sh, each));
}

/* Why the buffer is there, and how much it takes. */
static void put_buffer(Shell *sh, const Plan *p, int i, json_t *buffers)
{
    const PlanBuffer *b = &p->buffers[i];
    const char *count = size_text(sh, b->count);
    const Nat *bytes = nat_mul(sh->c->nats, b->count, nat_const(sh->c->nats, scalar_bytes(b->scalar)));
    LOCAL(buf_free) Buf users = {0};
    json_t *made = put_users(p, i, true, ", made by", &users), *read = put_users(p, i, false, ", read by", &users);
    bool state = put_states(p, i, &users);
    bool image = ANY(k, p->buffer_count, p->buffers[k].kind == PLAN_IMAGE && p->buffers[k].of == i);
    const PlanKernel *one = json_array_size(made) == 1 && !json_array_size(read) ? kernel_named(p, json_string_value(json_array_get(made, 0))) : NULL;
    if (one && one->joined && b->kind == PLAN_TEMP && !state) {
        buf_puts(&users, ", which reads it, too");
    } else if (b->kind == PLAN_TEMP && !state && !image && json_array_size(made) && !json_array_size(read)) {
        buf_clear(&users);
        buf_puts(&users, " of the work-items of");
        json_t *name;
        size_t k;
        json_array_foreach(made, k, name) buf_printf(&users, " %s", json_string_value(name));
        if (one) put_share(sh, one, bytes, &users);
    }
    json_add(buffers, "{name:s role:s type:s count:s bytes:s made_by:o read_by:o}", b->name, buffer_role(b->kind), scalar_name(b->scalar), count,
             size_text(sh, bytes), made, read);
    if (b->kind == PLAN_STATE) return;
    print(sh, "%s" AT(12) " %s %s, %s", b->name, count, scalar_name(b->scalar), buffer_role(b->kind));
    if (b->kind == PLAN_TEMP) print(sh, "%s, %s bytes", buf_text(&users), size_text(sh, bytes));
    if (b->kind == PLAN_IMAGE)
        print(sh, " of %s, %s rows of %s texels", p->buffers[b->of].name, size_text(sh, b->height), size_text(sh, b->width));
    buf_putc(&sh->out, '\n');
}

bool cmd_plan(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    if (!v || !arg_limit(sh, a, 1) || (arg(a, 0) && !(v = session_ref(sh->session, arg(a, 0))))) return false;
    Plan *plan = shell_plan(sh, v);
    if (!plan) return false;
    json_t *kernels = json_array(), *buffers = json_array();
    Strategies *strategies = shell_strategies(sh);
    json_auto_t *spec = json_of("{version:s}", version_name(sh, v)), *report = NULL;
    if (strategies && !v->code && !strategies_command(strategies, "limits", spec, &sh->out, &report)) diag_clear(diag(sh));
    const json_t *limits = json_object_get(report, "kernels");
    if (json_array_size(limits) != (size_t)plan->kernel_count) limits = NULL;        /* at default sizes more launches have one group, and are joined */
    for (int i = 0; i < plan->kernel_count; i++) put_kernel(sh, plan, &plan->kernels[i], json_array_get(limits, (size_t)i), kernels);
    for (int i = 0; i < plan->loop_count; i++) {
        const PlanLoop *l = &plan->loops[i];
        print(sh, "loop: %s", plan->kernels[l->first].name);
        if (l->end > l->first + 1) print(sh, " to %s", plan->kernels[l->end - 1].name);
        print(sh, ", rounds: %s", size_text(sh, l->rounds));
        if (l->test >= 0) print(sh, " at most, while %s", plan->buffers[l->test].name);
        for (int j = 0; j < l->state_count; j++) {
            const PlanState *s = &l->states[j];
            const PlanBuffer *b = plan->buffers;
            print(sh, "\n   %s is %s first, then %s of the round before; %s is %s and %s in turn",
                  b[s->from].name, b[s->init].name, b[s->to].name, b[s->to].name, b[s->out].name, b[s->spare].name);
        }
        buf_putc(&sh->out, '\n');
    }
    for (int i = 0; i < plan->buffer_count; i++) put_buffer(sh, plan, i, buffers);
    const char *bytes = size_text(sh, plan->temp_bytes), *apart = size_text(sh, plan->temp_apart);
    bool more = strcmp(bytes, apart) != 0;
    if (*bytes && strcmp(bytes, "0"))
        print(sh, "temporaries %s bytes%s%s%s\n", bytes, more ? ", " : "", more ? apart : "", more ? " apart" : "");
    return shell_report(sh, "{kernels:o buffers:o temp_bytes:s? temp_apart:s?}", kernels, buffers, plan->temp_bytes ? bytes : NULL,
                        plan->temp_apart ? apart : NULL);
}

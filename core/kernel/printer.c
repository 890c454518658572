/* printer: words, a kernel around its body, and a whole program. */
#include "printer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

void printer_put(Buf *out, const char *const *texts)
{
    for (; *texts; texts++) buf_puts(out, *texts);
}

const char *printer_element(const Printer *p, Scalar s, int width)
{
    return p->d->scalars[s == SC_BOOL && width > 1 ? SC_I32 : printer_value(p, s)];
}

const char *printer_memory(const Dialect *d, Scalar s) { return d->scalars[s == SC_BOOL ? SC_U8 : s]; }

const char *printer_index_type(const Build *b) { return b->dialect->scalars[b->long_index ? SC_I64 : SC_I32]; }

void printer_type(Printer *p, Scalar s, int width) { p->d->type(p, printer_element(p, s, width), width); }

/* ---- the kernel around the body ---- */

static void print_ids(Printer *p)
{
    static const char *const names[ID_KINDS] = {"gid", "wg", "l"}, *const digits[3] = {"0", "1", "2"};
    for (int kind = 0; kind < ID_KINDS; kind++)
        for (int d = 2; d >= 0; d--) {
            if (!p->k->ids_used[kind][d]) continue;
            printer_put(p->out, (const char *[]){"    ", printer_index_type(p->b), " ", names[kind], digits[d], " = ", NULL});
            p->d->id(p, (IdKind)kind, d);
            buf_puts(p->out, ";\n");
        }
}

static void add_arg(PlanKernel *k, PlanArg arg) { k->args[k->arg_count++] = arg; }

static void add_buffers(Printer *p, PlanKernel *k, PlanBufferKind kind, int input)
{
    for (int i = 0; i < p->b->plan_buffers.n; i++) {
        const PlanBuffer *pb = &p->b->plan_buffers.v[i];
        if (!p->buffers[i] || pb->kind != kind || (input >= 0 && pb->input != input)) continue;
        PlanArg a = {.kind = PLAN_ARG_BUFFER, .name = pb->name, .buffer = i, .input = pb->input, .part = pb->part};
        a.scalar = pb->scalar;
        a.written = p->written[i];
        p->b->plan_buffers.v[i].written |= kind == PLAN_IMAGE && a.written;
        add_arg(k, a);
    }
}

static int loop_of(const Build *b, const NatAtom *round)
{
    int loop = 0;
    while (b->rounds.v[loop] != round) loop++;
    return loop;
}

static void list_args(Printer *p, PlanKernel *k)
{
    Build *b = p->b;
    k->args = NEW_ARRAY(b->arena, PlanArg, b->plan_buffers.n + b->value_count + b->sizes.n);
    for (int in = 0; in < b->options->input_count; in++) {
        add_buffers(p, k, PLAN_INPUT, in);
        for (int i = 0; i < b->value_count; i++)
            if (b->values[i].input == in && p->values[i]) add_arg(k, b->values[i]);
    }
    add_buffers(p, k, PLAN_OUTPUT, -1);
    add_buffers(p, k, PLAN_TEMP, -1);
    add_buffers(p, k, PLAN_STATE, -1);
    add_buffers(p, k, PLAN_IMAGE, -1);
    for (int i = 0; i < b->sizes.n; i++) {
        const NatAtom *var = b->sizes.v[i];
        if (!p->sizes[i]) continue;
        PlanArg a = {.kind = PLAN_ARG_SIZE, .name = c_name(b, var->name)};
        if (var->var == VAR_SIZE) a.size = nat_var(b->n, var->name, VAR_SIZE, NULL, NULL);
        else a.kind = PLAN_ARG_ROUND, a.loop = loop_of(b, var);
        add_arg(k, a);
    }
}

/* A temporary that a kernel stores and loads again. PoCL 3.1 (LLVM 15) moves such loads before the stores of a restrict pointer
 * when both are unrolled and in another order (tests/unit/test_run.c, test_shuffled_temporary). */
static bool is_reloaded(const Printer *p, int buffer)
{
    return p->b->plan_buffers.v[buffer].kind == PLAN_TEMP && p->written[buffer] && p->read[buffer];
}

static void print_args(Printer *p, const PlanKernel *k, size_t indent)
{
    size_t start = p->out->len - indent;
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        char text[200];
        if (a->kind == PLAN_ARG_BUFFER && p->b->plan_buffers.v[a->buffer].kind == PLAN_IMAGE)
            snprintf(text, sizeof text, "%s%s%s", a->written ? "write_only " : "read_only ", p->d->image, a->name);
        else if (a->kind == PLAN_ARG_BUFFER)
            snprintf(text, sizeof text, "%s%s%s *%s%s", p->written[a->buffer] ? "" : "const ", p->d->global,
                     printer_memory(p->d, a->scalar), is_reloaded(p, a->buffer) ? "" : p->d->restricted, a->name);
        else
            snprintf(text, sizeof text, "%s %s", a->kind >= PLAN_ARG_SIZE ? printer_index_type(p->b)
                     : printer_memory(p->d, a->scalar == SC_F16 && p->half_stored ? SC_U16 : a->scalar), a->name);
        if (i) buf_puts(p->out, ",");
        if (i && p->out->len - start + strlen(text) > 110) {
            buf_printf(p->out, "\n%*s", (int)indent, "");
            start = p->out->len - indent;
        } else if (i) {
            buf_putc(p->out, ' ');
        }
        buf_puts(p->out, text);
    }
}

/* The floats that a kernel has, and whether it computes with halves. */
typedef struct FloatUse { bool f64, f16, rounds_f16; } FloatUse;

static void note_scalar(FloatUse *use, Scalar s)
{
    use->f64 |= s == SC_F64;
    use->f16 |= s == SC_F16;
}

static void note_expr_scalars(FloatUse *use, const Expr *e)
{
    note_scalar(use, e->scalar);
    use->rounds_f16 |= e->kind == X_OP && e->scalar == SC_F16 && prim_rounds(e->op);
    for (int i = 0; i < e->arg_count; i++) note_expr_scalars(use, e->args[i]);
}

static void note_scalars(FloatUse *use, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->value) note_expr_scalars(use, s->value);
        if (s->buf) note_scalar(use, s->buf->scalar);
        if (s->kind == S_STORE || s->kind == S_ATOMIC) note_scalar(use, s->place.buf->scalar);
        if (!stmt_has_bodies(s)) continue;
        note_scalars(use, &s->body);
        note_scalars(use, &s->other);
    }
}

/* Has the kernel an image of buffer `of`, or that buffer, besides image i? */
static bool has_besides(const Printer *p, int i, int of)
{
    for (int k = 0; k < p->b->plan_buffers.n; k++)
        if (p->buffers[k] && k != i && (k == of || (p->b->plan_buffers.v[k].kind == PLAN_IMAGE && p->b->plan_buffers.v[k].of == of))) return true;
    return false;
}

/* An image has its content before the kernel starts, or all that the kernel writes of its buffer goes to it. */
static void check_images(Printer *p, const PlanKernel *k)
{
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        const PlanBuffer *all = p->b->plan_buffers.v, *image = a->kind == PLAN_ARG_BUFFER ? &all[a->buffer] : NULL;
        if (!image || image->kind != PLAN_IMAGE) continue;
        if (!*p->d->image)
            build_fail(p->b, E53, p->k->root, "%s has %s, and kernels in %s have no images: take toImage and toGlobalImage away", p->k->name, image->name, p->d->title);
        else if (p->written[a->buffer] && (p->read[a->buffer] || has_besides(p, a->buffer, image->of)))
            build_fail(p->b, E53, p->k->root, "%s writes %s and reads what it makes there: a kernel reads no image that it writes",
                       p->k->name, image->name);
        else if (p->written[image->of])
            build_fail(p->b, E53, p->k->root, "%s writes %s and reads its image: a kernel before has to make what is read, by toGlobal outside "
                       "of every parallel map", p->k->name, all[image->of].name);
    }
}

static Printer printer_new(Build *b, Kernel *k, Buf *out)
{
    Printer p = {.b = b, .d = b->dialect, .k = k, .out = out, .indent = 1};
    p.offsets.arena = p.nats.arena = p.rows.arena = b->arena;
    p.buffers = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.written = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.read = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.values = NEW_ARRAY(b->arena, bool, b->value_count);
    p.sizes = NEW_ARRAY(b->arena, bool, b->sizes.n);
    p.undeclared = NEW_ARRAY(b->arena, bool *, b->buffer_ids);
    p.own = NEW_ARRAY(b->arena, int64_t, k->element_count);
    return p;
}

static const char *joined(Arena *a, const Buf *head, const Buf *body)
{
    char *text = arena_raw(a, head->len + body->len + 1);
    memcpy(text, buf_text(head), head->len);
    memcpy(text + head->len, buf_text(body), body->len + 1);
    return text;
}

enum { ROOM = 16 << 10 };                /* bytes that many a kernel needs */

void printer_kernel(Build *b, Kernel *k, PlanKernel *out)
{
    Buf body = {0}, text = {0};
    Printer p = printer_new(b, k, &body);
    FloatUse use = {false, false, false};
    if (b->made[SC_F64] || b->made[SC_F16]) note_scalars(&use, &k->body);
    p.half_stored = b->dialect->stores_half && !use.rounds_f16;
    b->uses_f64 |= use.f64;
    b->uses_f16 |= use.f16 && !p.half_stored;
    buf_reserve(&body, ROOM);
    printer_block(&p, &k->body);
    buf_puts(&body, "}\n");
    list_args(&p, out);
    check_images(&p, out);
    p.out = &text;
    buf_reserve(&text, ROOM / 8);
    p.d->kernel(&p, out->name);
    size_t from = p.out->len;
    while (from && p.out->data[from - 1] != '\n') from--;
    print_args(&p, out, p.out->len - from);
    buf_puts(p.out, ")\n{\n");
    p.d->locals(&p, out);
    print_ids(&p);
    for (int i = 0; i < p.origins.n; i++) p.origins.v[i].offset += text.len;
    out->body = joined(b->arena, &text, &body);
    if (b->options->origins) origin_lines(b, out->body, p.origins.v, p.origins.n, out);
    free(p.origins.v);
    free(p.forms.v);
    buf_free(&body);
    buf_free(&text);
}

/* ---- the program ---- */

static void print_need(const PlanFact *f, bool limit, Buf *out)
{
    static const char *const words[] = {[FACT_DIVIDES] = "divides", [FACT_LE] = "<=", [FACT_LT] = "<"};
    nat_print(f->fact.a, limit ? 0 : 5, out);
    if (limit) return;
    buf_printf(out, " %s ", words[f->fact.kind]);
    nat_print(f->fact.b, 5, out);
    buf_printf(out, "  (%s)\n", f->who);
}

static void print_loop(const Plan *plan, const PlanLoop *l, Buf *out)
{
    buf_printf(out, " loop: %s", plan->kernels[l->first].name);
    if (l->end > l->first + 1) buf_printf(out, " to %s", plan->kernels[l->end - 1].name);
    buf_puts(out, ", rounds: ");
    nat_print(l->rounds, 0, out);
    if (l->test >= 0) buf_printf(out, " at most, while %s", plan->buffers[l->test].name);
    for (int i = 0; i < l->state_count; i++) {
        const PlanState *s = &l->states[i];
        buf_printf(out, "%s %s is %s first, then the last %s", i ? "," : ";", plan->buffers[s->from].name, plan->buffers[s->init].name,
                   plan->buffers[s->to].name);
    }
    buf_putc(out, '\n');
}

static void print_header(Build *b, const Plan *plan, Buf *out)
{
    const char *h = b->options->header;
    if (!h && !plan->fact_count && !plan->loop_count) return;
    buf_puts(out, "/*");
    for (const char *s = h; s && *s;) {
        size_t n = strcspn(s, "\n");
        buf_printf(out, " %.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
        if (*s) buf_puts(out, " *");
    }
    for (int i = 0; i < plan->loop_count; i++) {
        if (i || h) buf_puts(out, " *");
        print_loop(plan, &plan->loops[i], out);
    }
    int limits = 0;
    for (int i = 0; i < plan->fact_count; i++) {
        const PlanFact *f = &plan->facts[i];
        bool limit = f->fact.kind == FACT_LE && f->fact.b->is_const && f->fact.b->value == INT32_MAX;
        if (limit) buf_puts(out, limits++ ? ", " : i || h || plan->loop_count ? " * needs " : " needs ");
        else buf_puts(out, i || h || plan->loop_count ? " * needs " : " needs ");
        print_need(f, limit, out);
    }
    if (limits) buf_puts(out, " < 2147483648  (int indices)\n");
    buf_puts(out, " */\n");
}

const char *const plan_helpers[HELPER_COUNT] = {
    NAT_C_DIV, NAT_C_MOD, "lathe_div_int", "lathe_mod_int", "lathe_quot_int", "lathe_rem_int", "lathe_div_long", "lathe_mod_long",
    "lathe_quot_long", "lathe_rem_long",
};

/* Division of integers: of indices, whose divisors are positive, and of values, where the smallest number by -1 wraps. */
static void print_helpers(Buf *out, const Build *b)
{
    for (int i = 0; i < HELPER_COUNT; i++) {
        bool wide = i < HELPER_INT ? b->long_index : i >= HELPER_LONG, rest = i & 1;
        bool floors = i < HELPER_INT || (i - HELPER_INT) % 4 < 2;
        const char *type = b->dialect->scalars[wide ? SC_I64 : SC_I32];
        if (!(b->helpers & 1u << i)) continue;
        buf_printf(out, "%s%s %s(%s a, %s b)\n{\n", b->dialect->function, type, plan_helpers[i], type, type);
        if (i >= HELPER_INT && rest) buf_puts(out, "    if (b == -1) return 0;\n");
        else if (i >= HELPER_INT) buf_printf(out, "    if (b == -1) return (%s)-(%s)a;\n", type,
                                             b->dialect->scalars[wide ? SC_U64 : SC_U32]);
        if (!floors) buf_puts(out, rest ? "    return a % b;\n" : "    return a / b;\n");
        else if (rest) buf_printf(out, "    %s r = a %% b;\n    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n", type);
        else buf_printf(out, "    %s q = a / b;\n    return a %% b != 0 && (a < 0) != (b < 0) ? q - 1 : q;\n", type);
        buf_puts(out, "}\n\n");
    }
}

const char *printer_program(Build *b, const Plan *plan)
{
    Buf out = {0};
    print_header(b, plan, &out);
    if (out.len) buf_putc(&out, '\n');
    size_t head = out.len;
    b->dialect->head(b, &out);
    if (out.len > head) buf_putc(&out, '\n');
    print_helpers(&out, b);
    b->dialect->helpers(b, plan, &out);
    if (!out.len && plan->kernel_count == 1) return plan->kernels[0].body;
    size_t room = 0;
    for (int i = 0; i < plan->kernel_count; i++) room += strlen(plan->kernels[i].body) + 1;
    buf_reserve(&out, room);
    for (int i = 0; i < plan->kernel_count; i++) {
        if (i) buf_putc(&out, '\n');
        buf_puts(&out, plan->kernels[i].body);
    }
    const char *text = arena_strndup(b->arena, buf_text(&out), out.len);
    buf_free(&out);
    return text;
}

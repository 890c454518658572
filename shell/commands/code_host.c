/* code_host: a complete C program that runs the kernels of a version: `code --host`; parts that others share. */
#include "code_host.h"
#include "commands.h"
#include "data_file.h"
#include "show.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 8, LITERALS_MAX = 4096, COMPARED = 256 };  /* elements that the program prints; may contain; compares */

#define NAME(A, id, name, class, key, type, opencl, ...) [SC_##id] = "cl_" opencl,
static const char *const host_types[SC_COUNT] = {
    [SC_BOOL] = "cl_uchar", SCALARS_INT(NAME, ) [SC_BF16] = "cl_ushort", [SC_F16] = "_Float16", [SC_F32] = "cl_float", [SC_F64] = "cl_double",
    };
#undef NAME

int64_t host_number(const Host *h, const Nat *n)
{
    int64_t v = 1;
    if (n && !values_nat(h->values, n, &v)) v = 0;
    return v;
}

const char *host_size(const Host *h, const Nat *n)
{
    if (!h->size) return arena_printf(h->sh->scratch, "%lld", (long long)host_number(h, n));
    enum { ATOM = 9 };
    Buf out = {0};
    bool helpers = false;
    if (n) nat_print_c(h->sh->c->nats, n, ATOM, h->size, (void *)h->size_data, &out, &helpers, "LL");
    else buf_putc(&out, '1');
    return buf_take(&out, h->sh->scratch);
}

void host_put(const Host *h, const PlanBuffer *b, const char *fmt, ...)
{
    LOCAL(buf_free) Buf filled = {0};
    for (const char *p = fmt; *p; p++) {
        if (*p != '$') buf_putc(&filled, *p);
        else if (*++p == 'b') buf_puts(&filled, b->name);
        else if (*p == 'n') buf_printf(&filled, h->size ? "(size_t)%s" : "%s", host_size(h, b->count));
        else if (*p == 't') buf_puts(&filled, h->types[b->scalar]);
        else if (*p == 'c') buf_printf(&filled, b->scalar == SC_BF16 ? "bf16_bits" : "(%s)", h->types[b->scalar]);
        else if (*p == 'v') buf_puts(&filled, b->scalar == SC_BF16 ? "bf16_value(" : "(double)");
        else if (*p == 'w') buf_puts(&filled, b->scalar == SC_BF16 ? ")" : "");
        else buf_printf(&filled, "%*s", h->indent, "");
    }
    WITH_ARGS(fmt, ap, buf_vprintf(h->out, buf_text(&filled), ap));
}

static const RunInput *input_of(const Host *h, int i) { return &h->values->derivation->inputs[i]; }

static Data *data_of(Host *h, int i)
{
    if (!h->data[i]) h->data[i] = session_input_data(h->sh->session, h->values, i);
    return h->data[i];
}

/* ---- the fixed parts ---- */

void host_part(const char *name, Buf *out) { put_part("host.txt", name, out); }

void host_end(const Host *h, const char *helpers, Buf *out)
{
    static const char *const parts[][2] = {
        {" = image(", "images"}, {" drain(", "drain"}, {"Expected e_", "expecting"}, {"is_right(", "is_right"}, {"read_file(argv", "read_file"},
        {"next(&state)", "generator"}, {"bf16_bits(", "bf16_bits"}, {"bf16_value(", "bf16_value"}, {"print_time(ms)", "print_time"},
    };
    host_part("room", out);
    if (helpers) host_part(helpers, out);
    for (int i = 0; i < COUNT(parts); i++)
        if (strstr(buf_text(h->out), parts[i][0])) host_part(parts[i][1], out);
    buf_puts(out, buf_text(h->out));
}

/* ---- inputs ---- */

static void put_float(double v, const char *finite, Buf *out)
{
    if (isnan(v)) buf_puts(out, "NAN");
    else if (isinf(v)) buf_puts(out, v < 0 ? "-INFINITY" : "INFINITY");
    else buf_printf(out, finite, v);
}

static void put_literal(const Data *d, int part, int64_t i, Buf *out)
{
    Scalar s = d->parts[part].scalar;
    if (s == SC_BF16) buf_printf(out, "0x%04x", bf16_of_double(data_get(d, part, i)).bits);
    else if (scalar_is_float(s)) put_float(data_get(d, part, i), "%a", out);
    else if (s == SC_U64) buf_printf(out, "UINT64_C(%llu)", (unsigned long long)data_get_int(d, part, i));
    else buf_printf(out, s == SC_I64 ? "INT64_C(%lld)" : s == SC_U32 ? "%lldu" : "%lld", (long long)data_get_int(d, part, i));
}

/* False + E37: too many. */
static bool put_values(Host *h, const PlanBuffer *b, int64_t count)
{
    const char *name = input_of(h, b->input)->name;
    const Data *d = count <= LITERALS_MAX ? data_of(h, b->input) : NULL;
    if (count > LITERALS_MAX) {
        shell_error(h->sh, E37, "the %lld values of %s are given by no formula, and are too many to be written down",
                    (long long)count, name);
        if (input_of(h, b->input)->spec.kind == FILL_FILE)
            diag_note(diag(h->sh), "try", "eval %s --save %s.bin ; data %s = file(\"%s.bin\")", name, name, name, name);
        else diag_note(diag(h->sh), "hint", "data %s = file(\"FILE\"), random(seed,lo,hi), iota or const(v)", name);
    }
    if (!d) return false;
    host_put(h, b, "    static const $t of_$b[] = {");
    for (int64_t i = 0; i < count; i++) {
        buf_puts(h->out, i % 8 ? " " : "\n        ");
        put_literal(d, b->part, i, h->out);
        buf_putc(h->out, ',');
    }
    host_put(h, b, "\n    };\n    for (size_t i = 0; i < $n; i++) h_$b[i] = of_$b[i];\n");
    return true;
}

void host_memory(const Host *h, const PlanBuffer *b)
{
    host_put(h, b, h->cast ? "    $t *h_$b = ($t *)room($n * sizeof *h_$b);\n" : "    $t *h_$b = room($n * sizeof *h_$b);\n");
}

/* A component of an input, as in the session, or from the file that is the next argument of the program. */
static bool put_input(Host *h, int k, const PlanBuffer *b, bool *random)
{
    FillFormula f;
    FileArray array = {0};
    const RunInput *in = input_of(h, b->input);
    FillSpec bound;
    if (!session_bound_spec(h->sh->session, h->values, b->input, &bound)) return false;
    const FillSpec *spec = &bound;
    /* Do the bytes of its file, from some on, go into its only component as they are? */
    bool file = spec->kind == FILL_FILE && type_components(in->type) <= 1, plain = file && file_kind(spec->path) == FILE_RAW;
    bool raw = plain || (file && file_look(spec->path, &array, NULL) && file_is_values(&array, b->scalar));
    bool known = fill_formula(spec, b->input, b->part, b->scalar, &f), flag = b->scalar == SC_BOOL;
    host_memory(h, b);
    if (known && f.kind == FORMULA_RANDOM)
        host_put(h, b, "    %sstate = UINT64_C(%llu);\n", *random ? "" : "uint64_t ", (unsigned long long)f.state);
    if (known) host_put(h, b, "    for (size_t i = 0; i < $n; i++) h_$b[i] = ");
    if (known && f.kind == FORMULA_RANDOM) {
        *random = true;
        if (flag) host_put(h, b, "($t)(next(&state) & 1);\n");
        else if (scalar_is_int(b->scalar))
            host_put(h, b, "($t)(INT64_C(%lld) + (int64_t)(next(&state) %% %lluu));\n", (long long)f.lo,
                     (unsigned long long)(f.hi - f.lo) + 1);
        else host_put(h, b, "$c(%.17g + %.17g * ((double)(next(&state) >> 11) * 0x1p-53));\n", f.lo, f.hi - f.lo);
    } else if (known && f.kind == FORMULA_CONST) {
        host_put(h, b, "$c(");
        put_float(f.lo, "%.17g", h->out);
        buf_puts(h->out, ");\n");
    } else if (known) host_put(h, b, flag ? "($t)(i & 1);\n" : b->scalar == SC_BF16 ? "$c((double)i);\n" : "$ci;\n");
    else if (!raw && !put_values(h, b, host_number(h, b->count))) return false;
    host_put(h, b, "    if (argc > %d) read_file(argv[%d], 0, h_$b, $n * sizeof *h_$b);\n", k, k);
    if (raw) {
        buf_puts(h->out, "    else read_file(\"");
        buf_escaped(h->out, spec->path);
        host_put(h, b, "\", %zu, h_$b, $n * sizeof *h_$b);\n", plain ? 0 : array.at);
    }
    host_put(h, b, h->buffer, arena_printf(h->sh->scratch, "h_%s", b->name), "");
    buf_putc(h->out, '\n');
    return true;
}

bool host_inputs(Host *h, int *count)
{
    bool random = false;
    *count = 0;
    EACH_BUFFER(h->plan, b)
        if (b->kind == PLAN_INPUT && !put_input(h, ++*count, b, &random)) return false;
    if (!*count) buf_puts(h->out, "    (void)argc, (void)argv;\n\n");
    return true;
}

void host_buffers(const Host *h)
{
    EACH_BUFFER(h->plan, b)
        if (b->kind == PLAN_OUTPUT || b->kind == PLAN_TEMP)
            host_put(h, b, h->buffer, "NULL", b->kind == PLAN_TEMP ? "        /* between kernels */" : "");
}

void host_grid(Host *h, const PlanKernel *k, const char *const *groups, const char *stream)
{
    host_put(h, NULL, "$i%s<<<dim3(%s, %s, %s), dim3(%s), %lld%s>>>(", k->name, groups[0], groups[1], groups[2], kernel_local(h->sh, k),
             (long long)k->launch_bytes, stream);
}

bool host_value(Host *h, const PlanArg *a)
{
    if (a->kind == PLAN_ARG_ROUND) buf_printf(h->out, "round%d", a->loop);
    else if (a->kind == PLAN_ARG_SIZE) buf_puts(h->out, host_size(h, a->size));
    else if (h->size) buf_puts(h->out, a->name);
    else {
        const Data *d = data_of(h, a->input);
        if (!d) return false;
        put_literal(d, a->part, 0, h->out);
    }
    return true;
}

/* ---- launches ---- */

void host_image_copy(const Host *h, const PlanBuffer *image, bool back)
{
    host_put(h, &h->plan->buffers[image->of], back ? "$idrain(%sd_%s, d_$b, %s, %s);\n" : "$ifill(%sd_$b, d_%s, %s, %s);\n", h->queue,
             image->name, host_size(h, image->width), host_size(h, image->height));
}

void host_image(const Host *h, const PlanBuffer *b, const char *fmt)
{
    static const char *const kinds[] = {[TEXELS_FLOAT] = "CL_FLOAT", [TEXELS_SIGNED] = "CL_SIGNED_INT32", [TEXELS_UNSIGNED] = "CL_UNSIGNED_INT32"};
    host_put(h, b, fmt, kinds[launch_texels(b->scalar)], host_size(h, b->width), host_size(h, b->height));
}

bool host_kernel(Host *h, int n)
{
    const PlanKernel *k = &h->plan->kernels[n];
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        if (a->kind == PLAN_ARG_BUFFER) {
            const PlanBuffer *b = &h->plan->buffers[a->buffer];
            if (b->kind == PLAN_IMAGE && !a->written && h->plan->buffers[b->of].kind != PLAN_INPUT) host_image_copy(h, b, false);
            host_put(h, b, "$iargument(%sk%d, %d, sizeof d_$b, &d_$b);\n", h->self, n, i);
        } else {
            const char *type = a->kind == PLAN_ARG_SCALAR ? h->types[a->scalar] : h->plan->long_index ? "cl_long" : "cl_int";
            host_put(h, NULL, "$iargument(%sk%d, %d, sizeof(%s), &(%s){", h->self, n, i, type, type);
            if (!host_value(h, a)) return false;
            if (a->kind == PLAN_ARG_ROUND || h->size) buf_puts(h->out, "});\n");
            else buf_printf(h->out, "});        /* %s */\n", a->name);
        }
    }
    host_put(h, NULL, h->size ? "$ilaunch(%sk%d, (const size_t[3]){" : "$ilaunch(%sk%d, (size_t[3]){", h->queue, n);
    for (int d = 0; d < 3; d++) buf_printf(h->out, "%s%s%s", d ? ", " : "", h->size && k->global[d] && !k->global[d]->is_const ? "(size_t)" : "", host_size(h, k->global[d]));
    buf_printf(h->out, "}, (%ssize_t[3]){%s});\n", h->size ? "const " : "", kernel_local(h->sh, k));
    for (int i = 0; i < k->arg_count; i++) {
        const PlanBuffer *b = k->args[i].kind == PLAN_ARG_BUFFER ? &h->plan->buffers[k->args[i].buffer] : NULL;
        if (b && b->kind == PLAN_IMAGE && k->args[i].written) host_image_copy(h, b, true);
    }
    return true;
}

static bool put_launches(Host *h, int around, int first, int end);

static bool put_loop(Host *h, int number)
{
    const PlanLoop *l = &h->plan->loops[number];
    const PlanBuffer *b = h->plan->buffers;
    const char *rounds = host_size(h, l->rounds), *last = arena_printf(h->sh->scratch, "%d", (int)((host_number(h, l->rounds) - 1) % 2));
    if (h->size) last = arena_printf(h->sh->scratch, "(%s - 1) %% 2", rounds);
    host_put(h, NULL, "$ifor (long long round%d = 0; round%d < %s; round%d++) {\n", number, number, rounds, number);
    h->indent += 4;
    for (const PlanState *s = l->states; s < l->states + l->state_count; s++) {
        /* What a state stands for in a round: the rounds write `out` and `spare` in turn, the last one `out`. */
        host_put(h, &b[s->from], h->state);
        host_put(h, &b[s->from], "d_$b = round%d == 0 ? d_%s : round%d %% 2 == %s ? d_%s : d_%s;\n", number, b[s->init].name, number, last,
                 b[s->spare].name, b[s->out].name);
        host_put(h, &b[s->to], h->state);
        host_put(h, &b[s->to], "d_$b = round%d %% 2 == %s ? d_%s : d_%s;\n", number, last, b[s->out].name, b[s->spare].name);
    }
    bool ok = put_launches(h, number, l->first, l->step);
    if (l->test >= 0) {                  /* leave the loop where the flag is false, the state being the result */
        host_put(h, &b[l->test], h->test);
        host_put(h, NULL, "$iif (!goes_on) {\n");
        for (const PlanState *s = l->states; s < l->states + l->state_count; s++) {
            host_put(h, &b[s->from], "$i    if (d_$b != d_%s) ", b[s->out].name);
            host_put(h, &b[s->from], h->copy, b[s->out].name, h->size ? arena_printf(h->sh->scratch, "(size_t)%s * %d", host_size(h, b[s->out].count),
                     scalar_bytes(b[s->out].scalar)) : arena_printf(h->sh->scratch, "%lld",
                     (long long)host_number(h, b[s->out].count) * scalar_bytes(b[s->out].scalar)));
        }
        host_put(h, NULL, "$i    break;\n$i}\n");
    }
    ok = ok && put_launches(h, number, l->step, l->end);
    h->indent -= 4;
    host_put(h, NULL, "$i}\n");
    return ok;
}

static bool put_launches(Host *h, int around, int first, int end)
{
    for (int i = first; i < end;) {
        int loop = plan_loop_at(h->plan->loops, h->plan->loop_count, around, i);
        if (!(loop >= 0 ? put_loop(h, loop) : h->launch(h, i))) return false;
        i = loop >= 0 ? h->plan->loops[loop].end : i + 1;
    }
    return true;
}

bool host_launches(Host *h) { return put_launches(h, -1, 0, h->plan->kernel_count); }

void host_result(const Host *h, const PlanBuffer *b)
{
    long long count = host_number(h, b->count), shown = count < SHOWN ? count : SHOWN;
    bool real = scalar_is_float(b->scalar), bits = b->scalar == SC_U64;
    host_put(h, b, "    printf(\"$b:\");\n    for (size_t i = 0; i < %lld; i++) printf(\" %s\", %sh_$b[i]$w);\n    printf(\"%s\\n\");\n", shown,
             bits ? "%llu" : !real ? "%lld" : b->scalar == SC_F64 ? "%.17g" : "%.9g",
             b->scalar == SC_BF16 ? "bf16_value(" : real ? "(double)" : bits ? "(unsigned long long)" : "(long long)", count > shown ? " ..." : "");
}

Verifier *host_verifier(Host *h)
{
    Shell *sh = h->sh;
    const Program *p = h->values->derivation->program;
    RunSettings settings = session_run_settings(sh->session);
    RunInput *inputs = NEW_ARRAY(sh->scratch, RunInput, p->input_count);
    Version original = *h->v;
    Values of_source = *h->values;
    original.root = p->body;
    of_source.version = &original;
    for (int i = 0; i < p->input_count; i++) {
        inputs[i] = h->values->derivation->inputs[i];
        inputs[i].type = session_bound_type(sh->session, h->values, inputs[i].type);
        if (!inputs[i].type || !session_bound_spec(sh->session, h->values, i, &inputs[i].spec)) return NULL;
    }
    const Term *t = session_bound_term(sh->session, h->values, true), *source = session_bound_term(sh->session, &of_source, true);
    Verifier *v = t && source ? verifier_new(sh->c, t, source, inputs, p->input_count, &settings, sh->stop, diag(sh)) : NULL;
    if (v && verifier_input(v, 1, 0, diag(sh))) return v;
    verifier_free(v);
    return NULL;
}

/* What elements evenly chosen must be, and how many of h_NAME are not that; for other inputs than these nothing is known. */
void host_comparison(const Host *h, const PlanBuffer *b, Verifier *v)
{
    int64_t n;
    const VerifierBound *bounds = verifier_bounds(v, b->part, COMPARED, h->sh->scratch, &n);
    if (n == 0) return;
    host_put(h, b, "    static const Expected e_$b[] = {\n");
    for (int64_t i = 0; i < n; i++) {
        VerifierBound e = bounds[i];
        buf_printf(h->out, "        {%lld, %lld%s, ", (long long)e.at, (long long)(e.whole == INT64_MIN ? e.whole + 1 : e.whole),
                   e.whole == INT64_MIN ? " - 1" : "");
        put_float(e.lo, "%.17g", h->out);
        buf_puts(h->out, ", ");
        put_float(e.hi, "%.17g", h->out);
        buf_puts(h->out, "},\n");
    }
    host_put(h, b, "    };\n    long long wrong_$b = 0;\n    for (int i = 0; argc == 1 && i < %lld; i++)\n        wrong_$b += ", (long long)n);
    if (scalar_is_float(b->scalar)) host_put(h, b, "!is_right(&e_$b[i], $vh_$b[e_$b[i].at]$w);\n");
    else host_put(h, b, "(int64_t)h_$b[e_$b[i].at] != e_$b[i].whole && !(e_$b[i].lo < e_$b[i].hi);\n");
    host_put(h, b, "    if (argc == 1) printf(\"$b: %lld of $n elements compared, %%lld wrong\\n\", wrong_$b);\n    wrong += wrong_$b;\n",
             (long long)n);
}

static bool put_main(Host *h, int *inputs, Verifier *v)
{
    host_part("opencl-main", h->out);
    if (!host_inputs(h, inputs)) return false;
    host_buffers(h);
    EACH_BUFFER(h->plan, b)
        if (b->kind == PLAN_IMAGE)       /* not filled yet: copied when it is made, and where kernels write the buffer again before they read it */
            host_image(h, b, "    cl_mem d_$b = image(context, %s, %s, %s);\n");
    h->indent -= 4;
    EACH_BUFFER(h->plan, b)
        if (b->kind == PLAN_IMAGE && h->plan->buffers[b->of].kind == PLAN_INPUT) host_image_copy(h, b, false);
    h->indent += 4;
    for (int n = 0; n < h->plan->kernel_count; n++)
        buf_printf(h->out, "%s    cl_kernel k%d = find_kernel(program, \"%s\");\n", n ? "" : "\n", n,
                   h->plan->kernels[n].name);
    host_part("opencl-trials", h->out);
    if (!host_launches(h)) return false;
    host_part("opencl-timed", h->out);
    EACH_BUFFER(h->plan, b)
        if (b->kind == PLAN_OUTPUT) {
            buf_putc(h->out, '\n');
            host_memory(h, b);
            host_put(h, b, "    check(clEnqueueReadBuffer(queue, d_$b, CL_TRUE, 0, $n * sizeof *h_$b, h_$b, 0, NULL, NULL),"
                     " \"clEnqueueReadBuffer\");\n");
            host_result(h, b);
            if (v) host_comparison(h, b, v);
            host_put(h, b, "    free(h_$b);\n");
        }
    buf_puts(h->out, "    print_time(ms);\n\n");
    EACH_BUFFER(h->plan, b) {
        if (b->kind == PLAN_INPUT) host_put(h, b, "    free(h_$b);\n");
        if (b->kind != PLAN_STATE) host_put(h, b, "    clReleaseMemObject(d_$b);\n");
    }
    for (int i = 0; i < h->plan->kernel_count; i++) buf_printf(h->out, "    clReleaseKernel(k%d);\n", i);
    host_part("opencl-end", h->out);
    return true;
}

/* ---- the whole ---- */

void host_comment(const Host *h, Buf *out)
{
    int k = 0;
    EACH_BUFFER(h->plan, b) {
        if (b->kind != PLAN_INPUT) continue;
        buf_printf(out, " * FILE %d   %s, %lld %s, raw; without it ", ++k, b->name, (long long)host_number(h, b->count), scalar_name(b->scalar));
        LOCAL(buf_free) Buf fill = {0};
        fill_print(&input_of(h, b->input)->spec, &fill);
        buf_comment(out, buf_text(&fill), fill.len);
        buf_putc(out, '\n');
    }
}

bool host_open(Host *h, Shell *sh, const Version *v, const Plan *plan, Values *values, Buf *out)
{
    if (!session_values(sh->session, v, sh->scratch, values) ||
        !bindings_check_facts(plan->facts, plan->fact_count, values->b, values->count, diag(sh))) return false;
    *h = (Host){.sh = sh, .v = v, .plan = plan, .values = values, .out = out};
    h->data = NEW_ARRAY(sh->scratch, Data *, values->derivation->program->input_count);
    return true;
}

void host_close(Host *h)
{
    for (int i = 0; i < h->values->derivation->program->input_count; i++) data_free(h->data[i]);
}

void host_lines(const char *text, const char *before, const char *behind, Buf *out)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        LOCAL(buf_free) Buf line = {0};
        n = strcspn(text, "\n");
        buf_write(&line, text, n);
        buf_printf(out, "%s\"", before);
        buf_escaped(out, buf_text(&line));
        buf_printf(out, "\\n\"%s%s", behind, *behind ? "\n" : "");
    }
}

const char *code_host(Shell *sh, const Version *v, const Plan *plan)
{
    Host h;
    Values values;
    LOCAL(buf_free) Buf out = {0}, main_text = {0};
    int inputs = 0;
    const char *text = NULL;
    if (!host_open(&h, sh, v, plan, &values, &main_text)) return NULL;
    h.types = host_types;
    h.launch = host_kernel;
    h.self = "";
    h.queue = "queue, ";
    h.buffer = "    cl_mem d_$b = buffer(context, $n * sizeof($t), %s);%s\n";
    h.state = "$icl_mem ";
    h.test = "$icl_uchar goes_on;\n$icheck(clEnqueueReadBuffer(queue, d_$b, CL_TRUE, 0, 1, &goes_on, 0, NULL, NULL),"
             " \"clEnqueueReadBuffer\");\n";
    h.copy = "check(clEnqueueCopyBuffer(queue, d_$b, d_%s, 0, 0, %s, 0, NULL, NULL), \"clEnqueueCopyBuffer\");\n";
    h.indent = 8;
    Verifier *verifier = host_verifier(&h);
    if (!verifier && *sh->stop == STOP_NONE) diag_clear(diag(sh));         /* without what it would be compared with */
    if (!diag_failed(diag(sh)) && put_main(&h, &inputs, verifier)) {
        RunSettings settings = session_run_settings(sh->session);
        const char *name = plan->kernel_count ? session_current(sh->session)->name : "host";
        buf_printf(&out, "/* %s%s on OpenCL:    cc %s.c -lOpenCL -o %s ; ./%s%s\n", name, version_name(sh, v), name, name, name,
                   inputs ? " [FILE ...]" : "");
        host_part("opencl-about", &out);
        host_comment(&h, &out);
        buf_puts(&out, " */\n");
        host_part("opencl", &out);
        buf_printf(&out, "#ifndef TRIALS\n#define TRIALS %d\n#endif\n\n", settings.trials > 0 ? settings.trials : 1);
        buf_puts(&out, "static const char source[] =");
        host_lines(plan->source, "\n    ", "", &out);
        buf_puts(&out, ";\n\n");
        host_end(&h, "opencl-helpers", &out);
        text = arena_strdup(sh->scratch, buf_text(&out));
    }
    verifier_free(verifier);
    host_close(&h);
    return text;
}

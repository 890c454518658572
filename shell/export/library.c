/* library: versions as functions of C, for any sizes that their facts allow: `export library`. What is always the same stands in library.txt. */
#include "code_host.h"
#include "commands.h"
#include "export.h"
#include "library.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- targets ---- */

#define OF_CL(A, id, name, class, key, type, opencl, ...) [SC_##id] = "cl_" opencl,
#define OF_C(A, id, name, class, key, type, ...) [SC_##id] = #type,
#define OF_CUDA(A, id, name, class, key, type, opencl, cuda, ...) [SC_##id] = cuda,
static const char *const host_types[SC_COUNT] = {[SC_BOOL] = "uint8_t", SCALARS_INT(OF_C, ) [SC_BF16] = "uint16_t", [SC_F16] = "uint16_t",
    [SC_F32] = "float", [SC_F64] = "double"};
static const char *const cl_types[SC_COUNT] = {[SC_BOOL] = "cl_uchar", SCALARS_INT(OF_CL, ) [SC_BF16] = "cl_ushort", [SC_F16] = "cl_half",
    [SC_F32] = "cl_float", [SC_F64] = "cl_double"};
static const char *const c_types[SC_COUNT] = {[SC_BOOL] = "uint8_t", SCALARS_INT(OF_C, ) [SC_BF16] = "uint16_t", [SC_F16] = "lathe_half",
    [SC_F32] = "float", [SC_F64] = "double"};
static const char *const cuda_types[SC_COUNT] = {[SC_BOOL] = "unsigned char", SCALARS_INT(OF_CUDA, ) SCALARS_FLOAT(OF_CUDA, )};

static bool put_groups(Host *h, int n);
static bool put_grid(Host *h, int n);

static const struct LibraryTarget {
    const char *name, *dialect, *ending;
    const char *include;                 /* of the header */
    const char *const *types;            /* of values within the program */
    const char *memory;                  /* a buffer as a parameter, up to its name; %s: its type */
    const char *more[2];                 /* mm_run has besides: parameter, what is done with it at the end */
    const char *open;                    /* what mm_context_new gets besides, in the test */
    const char *temporary, *fields;      /* what is known of memory between kernels; what a context has */
    bool (*launch)(Host *h, int kernel);
    const char *state, *test, *copy;     /* as in Host */
    bool buffers;                        /* those of the device are not the host's */
} targets[] = {
    {"opencl", "opencl", ".c", "#ifndef CL_TARGET_OPENCL_VERSION\n#define CL_TARGET_OPENCL_VERSION 120\n#endif\n#include <CL/cl.h>\n", cl_types, "cl_mem ",
     {"cl_event *event", "    if (event && !c->status) check(c, clEnqueueMarkerWithWaitList(c->queue, 0, NULL, event), \"clEnqueueMarkerWithWaitList\");\n"},
     "NULL, NULL",
     "cl_mem memory; size_t bytes; cl_channel_type type; int64_t width, height;",
     "    cl_context opencl;\n    cl_command_queue queue;\n    cl_device_id device;\n    size_t most_items;                   /* of a work-group */\n"
     "    cl_ulong local_memory;\n    cl_bool images;\n    bool doubles, halves, atomics64;\n    cl_program programs[VERSIONS];\n    cl_kernel kernels[KERNELS];\n"
     "",
     host_kernel, "$icl_mem ", "$icl_uchar goes_on = 0;\n$iread_buffer(c, d_$b, 1, &goes_on);\n", "copy(c, d_$b, d_%s, %s);\n", true},
    {"cuda", "cuda", ".cu", "#include <cuda_runtime.h>\n", cuda_types, "%s *",
     {"cudaEvent_t event", "    if (event && !c->status) check(c, cudaEventRecord(event, c->stream), \"cudaEventRecord\");\n"}, "0",
     "void *memory; size_t bytes;", "    cudaStream_t stream;\n    size_t most_items, local_memory;\n",
     put_grid, "$i$t *", "$iunsigned char goes_on = 0;\n$iread_buffer(c, d_$b, 1, &goes_on);\n", "copy(c, d_$b, d_%s, %s);\n", true},
    {"c", "c", ".c", "", c_types, "%s *", {NULL, NULL}, "", "void *memory; size_t bytes;", "",
     put_groups, "$i$t *", "$ibool goes_on = *d_$b;\n", "copy(c, d_$b, d_%s, %s);\n", false},
};

/* ---- what a caller sees ---- */

static void put_size_name(void *data, const NatAtom *var, Buf *out)
{
    const Library *l = data;
    for (int i = 0; i < l->program->size_count; i++)
        if (!strcmp(size_name(l->program, i), var->name)) buf_puts(out, l->sizes[i]);
}

/* ---- versions ---- */

/* Its kernels for all sizes that are not among the bindings; NULL: an error. */
static Plan *make_plan(Library *l, LibraryVersion *v, bool constants)
{
    Shell *sh = l->sh;
    PlanOptions how = {.header = kernel_header(sh, v->version, &v->values)};
    plan_for_device(shell_run_device(sh), &how);
    dialect_plan(dialect_find(l->target->dialect), &how);
    if (how.max_group != 1) session_local(sh->session, how.local);
    if (how.dialect != dialect_find(NULL)) how.program = arena_printf(sh->scratch, "%s_v%d", l->name, v->number);
    return session_plan(sh->session, &v->values, constants, sh->scratch, how);
}

static bool add_version(Library *l, const Version *from, const TuneParam *sizes, int count)
{
    Shell *sh = l->sh;
    LibraryVersion v = {.version = from, .number = l->version_count + 1};
    if (from->code) {                    /* edited kernels are for the sizes that they are for */
        v.values = (Values){0};
        session_given_values(sh->session, from, sh->scratch, &v.values);
        v.constants = !from->code->arguments;
        if (l->target != targets || strcmp(from->code->dialect, l->target->dialect))
            return shell_error(sh, E18, "the kernels of %s were edited by hand, in %s: there are none in %s\ntry --target opencl", version_name(sh, from),
                               dialect_title(dialect_find(from->code->dialect)), dialect_title(dialect_find(l->target->dialect)));
        v.plan = shell_plan(sh, from);
    } else {
        session_given_values(sh->session, from, sh->scratch, &v.values);
        for (int i = 0; i < v.values.count; i++) {
            Binding *b = &v.values.b[i];
            if (b->kind != VAR_SIZE) continue;
            bool given = b->set;
            v.given += given;
            if (!count) continue;
            b->set = false;
            for (int k = 0; k < count; k++)
                if (!strcmp(sizes[k].name, b->name)) b->set = true, b->value = sizes[k].value;
        }
        v.constants = count > 0;
        v.plan = make_plan(l, &v, v.constants);
        if (!v.plan && !count && v.given && *sh->stop == STOP_NONE) {           /* some kernels are for known sizes alone */
            diag_clear(diag(sh));
            v.constants = true;
            v.plan = make_plan(l, &v, true);
            if (v.plan)
                shell_warn(sh, W18, arena_printf(sh->scratch, "set sizes argument        and lower once more, for any sizes"),
                           "version %d of the library, %s, is for %s alone", v.number, version_name(sh, from), record_sizes(sh, &v.values));
        }
    }
    if (!v.plan) return false;
    l->versions[l->version_count++] = v;
    return true;
}

static const char *text_of(Library *l, const Nat *n, int prec)
{
    Buf b = {0};
    bool helpers = false;
    nat_print_c(l->sh->c->nats, n, prec, put_size_name, l, &b, &helpers, "LL");
    return buf_take(&b, l->sh->scratch);
}

/* Is a condition on sizes about those, and not about numbers that are known to be fine? */
static bool is_trivial(const Fact *f) { return f->a->is_const && f->b->is_const && fact_holds(f->kind, f->a->value, f->b->value); }

/* "64 divides N, M*N <= 2147483647"; "" none */
const char *library_facts(const Library *l, const LibraryVersion *v)
{
    Buf b = {0};
    for (int i = 0; v->constants && i < v->values.count; i++)
        if (v->values.b[i].kind == VAR_SIZE && v->values.b[i].set)
            buf_printf(&b, "%s%s = %lld", b.len ? ", " : "", v->values.b[i].name, (long long)v->values.b[i].value);
    for (int i = 0; i < v->plan->fact_count; i++)
        if (!is_trivial(&v->plan->facts[i].fact)) buf_printf(&b, "%s%s", b.len ? ", " : "",
            fact_text(&v->plan->facts[i].fact, l->sh->scratch));
    return buf_take(&b, l->sh->scratch);
}

/* ---- pieces of text ---- */

/* A part of library.txt, where lib_ and LIB_ stand for the library's name. */
static void put_library_part(const Library *l, const char *part, Buf *out)
{
    LOCAL(buf_free) Buf text = {0};
    put_part("library.txt", part, &text);
    for (const char *p = buf_text(&text); *p; p++) {
        bool low = !strncmp(p, "lib_", 4), high = !strncmp(p, "LIB_", 4);
        if (low || high) buf_printf(out, "%s_", low ? l->name : l->upper), p += 3;
        else buf_putc(out, *p);
    }
}

#define EACH_PORT(l, p) for (const Port *p = (l)->ports; p < (l)->ports + (l)->port_count; p++)

static void put_value_parameter(const Port *p, Buf *out) { buf_printf(out, ", %s %s", host_types[p->scalar], p->name); }

/* The parameters of NAME_run, or of NAME_run_host. */
static void put_parameters(const Library *l, bool host, Buf *out)
{
    buf_puts(out, l->parameters);
    EACH_PORT(l, p) {
        if (p->value) put_value_parameter(p, out);
        else if (!host && l->target == targets) buf_printf(out, ", cl_mem %s", p->name);
        else buf_printf(out, ", %s%s *%s", p->input < 0 ? "" : "const ", host_types[p->scalar], p->name);
    }
    if (!host && l->target->more[0]) buf_printf(out, ", %s", l->target->more[0]);
}

/* Of a function's head, lines of at most so many columns. */
static void put_head(const char *text, Buf *out)
{
    enum { WIDTH = 118 };
    const char *open = strchr(text, '(');
    int indent = (int)(open + 1 - text), at = indent;
    buf_write(out, text, (size_t)indent);
    for (const char *p = open + 1; *p;) {
        const char *comma = strchr(p, ',');
        size_t n = comma ? (size_t)(comma - p) + 1 : strlen(p);
        if (at + (int)n > WIDTH && at > indent) {
            while (out->len && out->data[out->len - 1] == ' ') out->len--;
            buf_printf(out, "\n%*s", indent, "");
            at = indent;
        }
        buf_write(out, p, n);
        at += (int)n;
        p += n;
        if (*p == ' ' && at) buf_putc(out, ' '), p++, at++;
    }
}

/* What a function is declared by, or, without a `;`, what its definition begins with. */
static void PRINTF_LIKE(2, 3) put_function(Buf *out, const char *fmt, ...)
{
    LOCAL(buf_free) Buf text = {0};
    WITH_ARGS(fmt, ap, buf_vprintf(&text, fmt, ap));
    put_head(buf_text(&text), out);
    if (text.data[text.len - 1] != ';') buf_puts(out, "\n{\n");
}

static const char *parameters(const Library *l, bool host) { return TEXT_OF(l->sh->scratch, b, put_parameters(l, host, &b)); }

/* ---- launches ---- */

/* How many groups a kernel has in a dimension, as text; NULL: one. */
static const char *groups_of(const Host *h, const PlanKernel *k, int d)
{
    int local = k->local[d] ? k->local[d] : 1;
    if (!k->global[d] || (k->global[d]->is_const && k->global[d]->value == local)) return NULL;
    const char *items = host_size(h, k->global[d]);
    return local == 1 ? items : arena_printf(h->sh->scratch, "%s / %d", items, local);
}

static bool put_kernel_arguments(Host *h, const PlanKernel *k, const char *gap)
{
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        buf_puts(h->out, i ? ", " : gap);
        const char *index = h->plan->long_index ? h->types[SC_I64] : h->types[SC_I32];
        if (a->kind == PLAN_ARG_BUFFER) buf_printf(h->out, "d_%s", h->plan->buffers[a->buffer].name);
        else if (a->kind == PLAN_ARG_SCALAR && a->scalar == SC_F16)      /* it comes as its bits */
            buf_printf(h->out, h->types == cuda_types ? "*(const __half *)&%s" : "half_of(%s)", a->name);
        else {
            if (a->kind != PLAN_ARG_SCALAR) buf_printf(h->out, "(%s)", index);
            if (!host_value(h, a)) return false;
        }
    }
    return true;
}

/* C: a loop over the groups, which may be done by several threads. */
static bool put_groups(Host *h, int n)
{
    const PlanKernel *k = &h->plan->kernels[n];
    const char *groups[3], *all = NULL, *index = h->plan->long_index ? "int64_t" : "int32_t", *below = NULL;
    for (int d = 0; d < 3; d++)
        if ((groups[d] = groups_of(h, k, d))) all = all ? arena_printf(h->sh->scratch, "%s * %s", all, groups[d]) : groups[d];
    if (!all) host_put(h, NULL, "$i%s(", k->name);
    else host_put(h, NULL, "    EACH_GROUP\n$ifor (int64_t g = 0; g < %s; g++)\n$i    %s(", all, k->name);
    const char *gap = "";
    for (int d = 0; d < 3; d++) {
        if (!groups[d]) continue;
        const char *of = below ? arena_printf(h->sh->scratch, "g / (%s)", below) : "g";
        below = below ? arena_printf(h->sh->scratch, "%s * %s", below, groups[d]) : groups[d];
        bool last = !strcmp(below, all);
        if (last && *of == 'g' && !of[1]) buf_printf(h->out, "%s(%s)g", gap, index);
        else if (last) buf_printf(h->out, "%s(%s)(%s)", gap, index, of);
        else buf_printf(h->out, "%s(%s)(%s %% %s)", gap, index, of, groups[d]);
        gap = ", ";
    }
    if (!put_kernel_arguments(h, k, gap)) return false;
    buf_puts(h->out, ");\n");
    return true;
}

static bool put_grid(Host *h, int n)
{
    const PlanKernel *k = &h->plan->kernels[n];
    if (k->launch_bytes)
        host_put(h, NULL, "$icheck(c, cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %lld), \"%s\");\n", k->name,
                 (long long)k->launch_bytes, k->name);
    const char *all[3];
    for (int d = 0; d < 3; d++) {
        const char *groups = groups_of(h, k, d);
        all[d] = groups ? arena_printf(h->sh->scratch, "(unsigned)(%s)", groups) : "1";
    }
    host_grid(h, k, all, ", c->stream");
    if (!put_kernel_arguments(h, k, "")) return false;
    host_put(h, NULL, ");\n$icheck(c, cudaGetLastError(), \"%s\");\n", k->name);
    return true;
}

/* ---- a version as functions ---- */

static const PlanBuffer *buffer_of(const Plan *plan, const Port *p)
{
    EACH_BUFFER(plan, b)
        if ((p->input < 0 ? b->kind == PLAN_OUTPUT : b->kind == PLAN_INPUT && b->input == p->input) && b->part == p->part) return b;
    return NULL;
}

/* Is the word in the text? */
static bool mentions(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; (p = strstr(p, word)); p += n)
        if ((p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')) && !(isalnum((unsigned char)p[n]) || p[n] == '_')) return true;
    return false;
}

/* Of a function with that body: it needs no context, or not all sizes. */
static void put_unused(const Library *l, bool context, const Buf *body, Buf *out)
{
    if (context && !mentions(buf_text(body), "c")) buf_puts(out, "    (void)c;\n");
    for (int i = 0; i < l->program->size_count; i++)
        if (!mentions(buf_text(body), l->sizes[i])) buf_printf(out, "    (void)%s;\n", l->sizes[i]);
}

/* What a device must be, as conditions of C with what is said where they fail. */
static void put_device_needs(const Library *l, const LibraryVersion *v, Buf *out)
{
    int64_t bytes = 0, items = 1;
    const char *source = v->plan->source;
    bool image = false;
    if (!l->target->buffers) return;
    EACH_BUFFER(v->plan, b) image |= b->kind == PLAN_IMAGE;
    for (const PlanKernel *k = v->plan->kernels; k < v->plan->kernels + v->plan->kernel_count; k++) {
        int64_t here = 1;
        for (int d = 0; d < 3; d++) here *= k->local[d] ? k->local[d] : 1;
        if (here > items) items = here;
        if (k->local_bytes > bytes) bytes = k->local_bytes;
    }
    if (items > 1) buf_printf(out, "    if (c->most_items < %lld) return \"work-groups of %lld\";\n", (long long)items, (long long)items);
    if (bytes) buf_printf(out, "    if (c->local_memory < %lld) return \"%lld bytes of local memory\";\n", (long long)bytes,
        (long long)bytes);
    if (l->target != targets) return;
    if (image) buf_puts(out, "    if (!c->images) return \"images\";\n");
    if (strstr(source, "cl_khr_fp64")) buf_puts(out, "    if (!c->doubles) return \"cl_khr_fp64\";\n");
    if (strstr(source, "cl_khr_fp16")) buf_puts(out, "    if (!c->halves) return \"cl_khr_fp16\";\n");
    if (strstr(source, "cl_khr_int64_base_atomics")) buf_puts(out, "    if (!c->atomics64) return \"cl_khr_int64_base_atomics\";\n");
}

/* misfit_1: what the version needs that these sizes, or the device, are not. */
static void put_misfit(Library *l, const LibraryVersion *v, Buf *out)
{
    LOCAL(buf_free) Buf body = {0};
    for (int i = 0; v->constants && i < v->values.count; i++) {
        const Binding *b = &v->values.b[i];
        if (b->kind != VAR_SIZE || !b->set) continue;
        const char *name = c_word(l->sh->scratch, b->name);
        buf_printf(&body, "    if (%s != %lld) return \"%s = %lld\";\n", name, (long long)b->value, b->name, (long long)b->value);
    }
    for (int i = 0; i < v->plan->fact_count; i++) {
        const Fact *f = &v->plan->facts[i].fact;
        if (is_trivial(f)) continue;
        const char *a = text_of(l, f->a, 9), *b = text_of(l, f->b, 9), *says = fact_text(f, l->sh->scratch);
        if (f->kind == FACT_DIVIDES) buf_printf(&body, "    if (%s %% %s) return \"%s\";\n", b, a, says);
        else buf_printf(&body, "    if (%s %s %s) return \"%s\";\n", a, f->kind == FACT_LE ? ">" : ">=", b, says);
    }
    put_device_needs(l, v, &body);
    put_function(out, "static const char *misfit_%d(const %s_context *c%s)", v->number, l->name, l->parameters);
    put_unused(l, true, &body, out);
    buf_printf(out, "%s    return NULL;\n}\n\n", buf_text(&body));
}

static bool is_temporary(const PlanBuffer *b) { return b->kind == PLAN_TEMP || b->kind == PLAN_IMAGE; }

/* run_1, and what it allocates: workspace_1. */
static bool put_run(Library *l, const LibraryVersion *v, Buf *out)
{
    const struct LibraryTarget *t = l->target;
    Shell *sh = l->sh;
    LOCAL(buf_free) Buf body = {0}, head = {0}, bytes = {0};
    Host h = {.sh = sh, .v = v->version, .plan = v->plan, .values = &v->values, .types = t->types, .cast = true,
        .launch = t->launch, .state = t->state,
              .test = t->test, .copy = t->copy, .indent = 4, .out = &body, .size = put_size_name, .size_data = l,
                  .self = "c, ", .queue = "c, "};
    int slot = 0;
    EACH_BUFFER(v->plan, b) {
        if (!is_temporary(b)) continue;
        if (b->kind == PLAN_IMAGE) host_image(&h, b, arena_printf(sh->scratch, "    cl_mem d_$b = image(c, %d, %%s, %%s, %%s);\n", slot));
        else if (t == targets) host_put(&h, b, "    cl_mem d_$b = temporary(c, %d, $n * sizeof($t));\n", slot);
        else host_put(&h, b, "    $t *d_$b = ($t *)temporary(c, %d, $n * sizeof($t));\n", slot);
        if (b->kind == PLAN_IMAGE) buf_printf(&bytes, "%s(size_t)%s * (size_t)%s * 16", bytes.len ? " + " : "",
            host_size(&h, b->width), host_size(&h, b->height));
        else buf_printf(&bytes, "%s(size_t)%s * %d", bytes.len ? " + " : "", host_size(&h, b->count), scalar_bytes(b->scalar));
        slot++;
    }
    if (slot > l->temporaries) l->temporaries = slot;
    if (t == targets)
        for (int i = 0; i < v->plan->kernel_count; i++)
            buf_printf(&body, "    cl_kernel k%d = kernel(c, %d, source_%d, sizeof source_%d / sizeof *source_%d, %d, \"%s\");\n", i, v->number, v->number, v->number, v->number, l->kernels++, v->plan->kernels[i].name);
    if (slot || t == targets) buf_puts(&body, "    if (c->status) return;\n");
    EACH_BUFFER(v->plan, b)
        if (b->kind == PLAN_IMAGE && v->plan->buffers[b->of].kind == PLAN_INPUT) host_image_copy(&h, b, false);
    if (!host_launches(&h)) return false;
    const char *derivation = session_derivation(sh->session, v->version, sh->scratch);
    buf_printf(out, "/* %s%s   %s\n *", session_current(sh->session)->name, version_name(sh, v->version), derivation);
    const char *facts = library_facts(l, v);
    buf_printf(out, " %s%s */\n", *facts ? "where " : "for all sizes", facts);
    EACH_PORT(l, p) {
        const PlanBuffer *b = buffer_of(v->plan, p);
        if (p->value) put_value_parameter(p, &head);
        else if (t == targets) buf_printf(&head, ", cl_mem d_%s", b ? b->name : p->name);
        else buf_printf(&head, ", %s *d_%s", t->types[p->scalar], b ? b->name : p->name);
    }
    put_function(out, "static void run_%d(%s_context *c%s%s)", v->number, l->name, l->parameters, buf_text(&head));
    put_unused(l, true, &body, out);
    EACH_PORT(l, p) {
        const PlanBuffer *b = p->value ? NULL : buffer_of(v->plan, p);
        const char *name = p->value ? p->name : arena_printf(sh->scratch, "d_%s", b ? b->name : p->name);
        if (!mentions(buf_text(&body), name)) buf_printf(out, "    (void)%s;\n", name);
    }
    buf_printf(out, "%s}\n\n", buf_text(&body));
    put_function(out, "static size_t workspace_%d(%s)", v->number, *l->parameters ? l->parameters + 2 : "void");
    put_unused(l, false, &bytes, out);
    buf_printf(out, "    return %s;\n}\n\n", bytes.len ? buf_text(&bytes) : "0");
    return true;
}

/* ---- the functions of the library ---- */

static void put_choose(Library *l, Buf *out)
{
    buf_puts(out, "/* The first version that is for these sizes and this device; 0: none is, which is an error. */\n");
    put_function(out, "static int choose(%s_context *c%s)", l->name, l->parameters);
    buf_puts(out, "    const char *needs;\n");
    for (int i = 0; i < l->program->size_count; i++)
        buf_printf(out, "    if (%s < 1) fail(c, %s_BAD_ARGUMENT, \"%s is %%lld: sizes are 1 or more\", (long long)%s);\n", l->sizes[i], l->upper, l->sizes[i], l->sizes[i]);
    EACH_PORT(l, p) {
        const char *count = text_of(l, p->count, 0);
        if (p->value || p->count->is_const || strpbrk(count, "/%(")) continue;
        buf_printf(out, "    if (");
        for (const char *q = count; *q; q++) {           /* "(double)N*(double)M" */
            bool starts = (isalpha((unsigned char)*q) || *q == '_') && (q == count || !(isalnum((unsigned char)q[-1]) || q[-1] == '_'));
            buf_printf(out, starts ? "(double)%c" : "%c", *q);
        }
        buf_printf(out, " > 0x1p50) fail(c, %s_BAD_ARGUMENT, \"%s would be too large\");\n", l->upper, p->name);
    }
    buf_puts(out, "    if (c->status) return 0;\n");
    for (int i = 0; i < l->version_count; i++)
        buf_printf(out, "    if (!(needs = misfit_%d(c%s))) return %d;\n", i + 1, l->arguments, i + 1);
    buf_printf(out, "    fail(c, %s_NO_VERSION, \"no version is for these sizes on this device: the last needs %%s\", needs);\n    return 0;\n}\n\n", l->upper);
}

static const char *bytes_text(Library *l, const Port *p)
{
    return arena_printf(l->sh->scratch, "(size_t)%s * sizeof(%s)", text_of(l, p->count, 9), host_types[p->scalar]);
}

static void put_public(Library *l, Buf *out)
{
    const struct LibraryTarget *t = l->target;
    LOCAL(buf_free) Buf arguments = {0};
    EACH_PORT(l, p)
        if (p->value || t == targets) buf_printf(&arguments, ", %s", p->name);
        else buf_printf(&arguments, ", (%s *)%s", t->types[p->scalar], p->name);
    put_function(out, "int %s_run(%s_context *c%s)", l->name, l->name, parameters(l, false));
    buf_printf(out, "    begin(c);\n    const int version = choose(c%s);\n    if (!version) return c->status;\n", l->arguments);
    EACH_PORT(l, p)
        if (!p->value) buf_printf(out, "    check_buffer(c, \"%s\", %s, %s);\n", p->name, p->name, bytes_text(l, p));
    buf_puts(out, "    if (c->status) return c->status;\n");
    for (int i = 0; i < l->version_count; i++)
        buf_printf(out, "    if (version == %d) run_%d(c%s%s);\n", i + 1, i + 1, l->arguments, buf_text(&arguments));
    buf_printf(out, "%s    return c->status;\n}\n\n", t->more[1] ? t->more[1] : "");

    put_function(out, "int %s_run_host(%s_context *c%s)", l->name, l->name, parameters(l, true));
    if (t->buffers) {
        const char *made = t == targets ? "cl_mem " : "void *";
        buf_printf(out, "    begin(c);\n    if (!choose(c%s)) return c->status;\n", l->arguments);
        EACH_PORT(l, p)
            if (!p->value) buf_printf(out, "    if (!%s) fail(c, %s_BAD_ARGUMENT, \"%s is NULL\");\n", p->name, l->upper, p->name);
        EACH_PORT(l, p)
            if (!p->value) buf_printf(out, "    %sd_%s = buffer(c, %s, %s);\n", made, p->name, bytes_text(l, p),
                p->input < 0 ? "NULL" : p->name);
        buf_printf(out, "    if (!c->status) %s_run(c%s", l->name, l->arguments);
        EACH_PORT(l, p)
            if (p->value) buf_printf(out, ", %s", p->name);
            else if (t == targets) buf_printf(out, ", d_%s", p->name);
            else buf_printf(out, ", (%s%s *)d_%s", p->input < 0 ? "" : "const ", host_types[p->scalar], p->name);
        buf_puts(out, ", NULL);\n");
        EACH_PORT(l, p)
            if (p->input < 0) buf_printf(out, "    read_buffer(c, d_%s, %s, %s);\n", p->name, bytes_text(l, p), p->name);
        EACH_PORT(l, p)
            if (!p->value) buf_printf(out, t == targets ? "    if (d_%s) clReleaseMemObject(d_%s);\n"
                : "    if (d_%s) cudaFree(d_%s);\n", p->name, p->name);
        buf_puts(out, "    return c->status;\n}\n\n");
    } else {
        buf_printf(out, "    return %s_run(c%s", l->name, l->arguments);
        EACH_PORT(l, p) buf_printf(out, ", %s", p->name);
        buf_puts(out, ");\n}\n\n");
    }
    put_function(out, "int %s_version(%s_context *c%s)", l->name, l->name, l->parameters);
    buf_printf(out, "    begin(c);\n    return choose(c%s);\n}\n\n", l->arguments);
    put_function(out, "int %s_workspace(%s_context *c%s, size_t *bytes)", l->name, l->name, l->parameters);
    buf_printf(out, "    begin(c);\n    const int version = choose(c%s);\n    *bytes = 0;\n", l->arguments);
    for (int i = 0; i < l->version_count; i++)
        buf_printf(out, "    if (version == %d) *bytes = workspace_%d(%s);\n", i + 1, i + 1, *l->arguments ? l->arguments + 2 : "");
    buf_puts(out, "    return c->status;\n}\n");
}

/* ---- files ---- */

static void put_about(Library *l, const char *file, Buf *out)
{
    buf_printf(out, "/* %s: %s, made by lathe.\n *\n *     %s : %s\n *\n", file, l->name, l->program->name,
        program_type(l->sh, l->program));
    buf_puts(out, l->version_count > 1
        ? " * The first of these versions is run that is for the sizes, and for the device:\n" : " * It has one version:\n");
    for (int i = 0; i < l->version_count; i++) {
        const LibraryVersion *v = &l->versions[i];
        const char *facts = library_facts(l, v);
        buf_printf(out, " *   %d  %s%s%s\n", i + 1, version_name(l->sh, v->version), *facts ? "  where " : "  all sizes", facts);
    }
}

static void put_header(Library *l, Buf *out)
{
    const struct LibraryTarget *t = l->target;
    put_about(l, arena_printf(l->sh->scratch, "%s.h", l->name), out);
    buf_printf(out, " */\n#ifndef %s_H\n#define %s_H\n\n%s#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", l->upper, l->upper,
               t->include);
    put_library_part(l, "api", out);
    put_library_part(l, arena_printf(l->sh->scratch, "api-%s", t->name), out);
    buf_puts(out, "\n/* out is made of the inputs.");
    if (t->buffers) buf_puts(out, t == targets ? " It is enqueued, and may not have ended; *event (NULL: none is wanted) says when." :
                             " It is enqueued, and may not have ended; the event (NULL: none is wanted) is recorded behind it.");
    buf_puts(out, "\n");
    EACH_PORT(l, p) {
        if (p->value) continue;
        buf_printf(out, " *   %-10s ", p->name);
        for (int d = 0; d < p->rank; d++) buf_printf(out, "[%s]", nat_text(p->dims[d], 0, l->sh->scratch));
        buf_printf(out, "%s, row by row\n", scalar_name(p->scalar));
    }
    buf_puts(out, " */\n");
    put_function(out, "int %s_run(%s_context *context%s);", l->name, l->name, parameters(l, false));
    buf_puts(out, t->buffers ? "\n/* The same from and to memory of the host; it has ended. */\n"
        : "\n/* The same, as libraries for other targets call it. */\n");
    put_function(out, "int %s_run_host(%s_context *context%s);", l->name, l->name, parameters(l, true));
    buf_puts(out, "\n/* Bytes that the context keeps for a call with these sizes, between its kernels. */\n");
    put_function(out, "int %s_workspace(%s_context *context%s, size_t *bytes);", l->name, l->name, l->parameters);
    buf_puts(out, "\n/* The number of the version that is run for these sizes; 0: there is none, and the error says why. */\n");
    put_function(out, "int %s_version(%s_context *context%s);", l->name, l->name, l->parameters);
    buf_puts(out, "\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

/* What stands before a plan's first kernel, paragraph by paragraph, what other versions have, too, once; then the kernels. */
static void put_kernels(Library *l, const LibraryVersion *v, Buf *out)
{
    const Plan *plan = v->plan;
    const char *from = source_body(plan->source), *end = strstr(from, plan->kernels[0].body);
    if (l->target->dialect[1] == 'u') {  /* CUDA: a name space each */
        buf_printf(out, "namespace version_%d {\n", v->number);
        /* What is defined there of vectors stands beside what there is of numbers. */
        for (const char *p = from; (p = strstr(p, "\nLATHE_CALL_"));) {
            p += strcspn(p, "(") + 1;
            size_t n = strcspn(p, ")");
            if (strncmp(p, "lathe_", 6)) buf_printf(out, "using ::%.*s;\n", (int)n, p);
        }
    }
    while (from < end) {
        const char *gap = strstr(from, "\n\n");
        size_t n = gap && gap < end ? (size_t)(gap - from) + 2 : (size_t)(end - from);
        const char *paragraph = arena_strndup(l->sh->scratch, from, n);
        if (!strstr(buf_text(out), paragraph)) buf_puts(out, paragraph);
        from += n;
    }
    for (int i = 0; i < plan->kernel_count; i++) buf_printf(out, "%s%s", plan->kernels[i].body, i + 1 < plan->kernel_count ? "\n" : "");
    if (l->target->dialect[1] == 'u') buf_printf(out, "}\nusing namespace version_%d;\n", v->number);
    buf_putc(out, '\n');
}

static void put_source_text(const LibraryVersion *v, Buf *out)
{
    buf_printf(out, "static const char *const source_%d[] = {\n", v->number);
    host_lines(v->plan->source, "    ", ",", out);
    buf_puts(out, "};\n\n");
}

static bool put_source(Library *l, Buf *out)
{
    const struct LibraryTarget *t = l->target;
    LOCAL(buf_free) Buf runs = {0}, kernels = {0};
    for (int i = 0; i < l->version_count; i++) {
        put_misfit(l, &l->versions[i], &runs);
        if (!put_run(l, &l->versions[i], &runs)) return false;
        if (t == targets) put_source_text(&l->versions[i], &kernels);
        else put_kernels(l, &l->versions[i], &kernels);
    }
    put_choose(l, &runs);
    put_public(l, &runs);
    const char *text = buf_text(&runs);
    bool host_min = mentions(text, "min") || mentions(text, "max");
    put_about(l, arena_printf(l->sh->scratch, "%s%s", l->name, t->ending), out);
    buf_printf(out, " */\n#include \"%s.h\"\n\n#include <stdarg.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n", l->name);
    buf_puts(out, buf_text(&kernels));
    buf_printf(out, "enum { VERSIONS = %d, KERNELS = %d, TEMPORARIES = %d };\n\n", l->version_count, l->kernels ? l->kernels
        : 1, l->temporaries);
    buf_printf(out, "struct temporary { %s };\n\nstruct %s_context {\n    int status;                          /* of the last call */\n    char error[2048];\n%s"
               "    struct temporary temporaries[TEMPORARIES + 1];\n};\n\n", t->temporary, l->name, t->fields);
    put_library_part(l, "state", out);
    put_library_part(l, t->name, out);
    static const char *const uses[][2] = {{"read_buffer(", "read"}, {"temporary(", "temporary"}, {" copy(", "copy"},
        {"image(", "images"}, {"drain(", "drain"}, {"half_of(", "half"},
                                          {"EACH_GROUP", "parallel"}};
    for (int i = 0; i < COUNT(uses); i++)
        if (strstr(text, uses[i][0])) {
            if (i == 1 && t == targets && !strstr(text, "= temporary(")) continue;
            put_library_part(l, arena_printf(l->sh->scratch, "%s-%s", t->name, uses[i][1]), out);
        }
    if (host_min && t->dialect[1] != 'u') put_library_part(l, "size-min", out);
    if (strstr(text, NAT_C_DIV "(") || strstr(text, NAT_C_MOD "(")) put_library_part(l, "size-helpers", out);
    buf_puts(out, text);
    return true;
}

static void put_cmake(Library *l, Buf *out)
{
    const struct LibraryTarget *t = l->target;
    const char *n = l->name;
    buf_printf(out, "cmake_minimum_required(VERSION 3.18)\nproject(%s LANGUAGES C%s)\nif(NOT CMAKE_BUILD_TYPE)\n    set(CMAKE_BUILD_TYPE Release)\nendif()\n\n", n,
               t->dialect[1] == 'u' ? " CUDA" : "");
    buf_printf(out, "add_library(%s %s%s)\ntarget_include_directories(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n", n, n, t->ending, n);
    buf_printf(out, "set_target_properties(%s PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)\n", n);
    if (t == targets) buf_printf(out, "find_package(OpenCL REQUIRED)\ntarget_link_libraries(%s PUBLIC OpenCL::OpenCL)\n", n);
    else if (t->buffers)
        buf_printf(out, "find_package(CUDAToolkit REQUIRED)\ntarget_link_libraries(%s PUBLIC CUDA::cudart)\n"
                        "target_compile_options(%s PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -prec-div=false -prec-sqrt=false>)\n", n, n);
    else
        buf_printf(out, "option(NATIVE \"for the processor that it is built on, whose vectors it then uses\" ON)\nif(NATIVE)\n"
                        "    target_compile_options(%s PRIVATE -march=native)\nendif()\n"
                        "target_compile_options(%s PRIVATE -O3 -ffp-contract=off)\n"
                        "find_package(OpenMP COMPONENTS C)\nif(OpenMP_C_FOUND)\n    target_link_libraries(%s PUBLIC OpenMP::OpenMP_C)\nendif()\n"
                        "target_link_libraries(%s PUBLIC m)\n", n, n, n, n);
    /* for programs that are built without CMake: pkg-config --cflags --libs NAME */
    buf_printf(out, "\ninclude(GNUInstallDirs)\nfile(CONFIGURE OUTPUT %s.pc @ONLY CONTENT [[\nName: %s\nDescription: made by lathe\nVersion: 1\n"
                    "Cflags: -I@CMAKE_INSTALL_FULL_INCLUDEDIR@\nLibs: -L@CMAKE_INSTALL_FULL_LIBDIR@ -l%s %s\n]])\n"
                    "install(TARGETS %s DESTINATION ${CMAKE_INSTALL_LIBDIR})\ninstall(FILES %s.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})\n"
                    "install(FILES ${CMAKE_CURRENT_BINARY_DIR}/%s.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)\n", n, n, n,
               t == targets ? "-lOpenCL" : t->buffers ? "-lcudart -lstdc++" : "@OpenMP_C_FLAGS@ -lm", n, n, n);
    buf_printf(out, "\nenable_testing()\nadd_executable(%s_test %s_test.c)\nset_target_properties(%s_test PROPERTIES C_STANDARD 11)\n"
                    "target_link_libraries(%s_test %s m)\nadd_test(NAME %s_test COMMAND %s_test)\n", n, n, n, n, n, n, n);
}

/* A program that calls the library as the session would run a version, the first that is for the sizes of the session, compares and times it. */
static bool put_test(Library *l, const LibraryVersion *v, Buf *out)
{
    Shell *sh = l->sh;
    Host h;
    Values values;
    LOCAL(buf_free) Buf body = {0};
    int inputs = 0;
    const Program *p = l->program;
    if (!host_open(&h, sh, v->version, v->plan, &values, &body)) {
        if (v + 1 == l->versions + l->version_count) return false;
        diag_clear(diag(sh));
        return put_test(l, v + 1, out);
    }
    /* The sizes of the session; of a version that is for others alone, those. */
    for (int i = 0; v->constants && i < values.count; i++)
        if (values.b[i].kind == VAR_SIZE && v->values.b[i].set) values.b[i].set = true, values.b[i].value = v->values.b[i].value;
    h.types = c_types;
    h.buffer = "";
    h.indent = 4;
    Verifier *verifier = host_verifier(&h);
    bool ok = verifier != NULL;
    buf_printf(&body, "int main(int argc, char **argv)\n{\n    static double ms[TRIALS];\n    long long wrong = 0;\n    %s_context *context;\n"
                      "    int made = %s_context_new(&context%s%s);\n    must(context, made);\n", l->name, l->name,
                          *l->target->open ? ", " : "", l->target->open);
    ok = ok && host_inputs(&h, &inputs);
    EACH_BUFFER(v->plan, b)
        if (b->kind == PLAN_OUTPUT) host_memory(&h, b);
    buf_printf(&body, "    for (int trial = -1; trial < TRIALS; trial++) {            /* the first builds, and is not counted */\n        double from = now();\n"
                      "        must(context, %s_run_host(context", l->name);
    for (int i = 0; i < p->size_count; i++) buf_printf(&body, ", %s", host_size(&h, p->sizes[i]));
    EACH_PORT(l, port) {
        const PlanBuffer *b = buffer_of(v->plan, port);
        if (!ok) break;
        buf_puts(&body, ", ");
        bool half = port->scalar == SC_F16;
        if (port->value) {
            if (half) buf_puts(&body, "half_bits(");
            ok = host_value(&h, &(PlanArg){.kind = PLAN_ARG_SCALAR, .input = port->input, .part = port->part, .scalar = port->scalar});
            if (half) buf_putc(&body, ')');
        } else buf_printf(&body, half ? "(void *)h_%s" : "h_%s", b->name);
    }
    buf_puts(&body, "));\n        if (trial >= 0) ms[trial] = now() - from;\n    }\n");
    EACH_BUFFER(v->plan, b) {
        if (!ok || b->kind != PLAN_OUTPUT) continue;
        host_result(&h, b);
        host_comparison(&h, b, verifier);
        host_put(&h, b, "    free(h_$b);\n");
    }
    EACH_BUFFER(v->plan, b)
        if (b->kind == PLAN_INPUT) host_put(&h, b, "    free(h_$b);\n");
    buf_printf(&body, "    print_time(ms);\n    %s_context_free(context);\n    return wrong != 0;\n}\n", l->name);
    RunSettings settings = session_run_settings(sh->session);
    buf_printf(out, "/* %s_test.c: calls %s as the session ran it, compares elements with the interpreter's, and times the calls.\n", l->name, l->name);
    host_comment(&h, out);
    buf_printf(out, " */\n#include \"%s.h\"\n\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\n#ifndef TRIALS\n#define TRIALS %d\n#endif\n\n",
               l->name, settings.trials > 0 ? settings.trials : 1);
    if (ANY(i, l->port_count, l->ports[i].scalar == SC_F16)) buf_puts(out, "__extension__ typedef _Float16 lathe_half;\n\n");
    if (strstr(buf_text(&body), "half_bits(")) put_library_part(l, "test-half", out);
    put_library_part(l, "test-time", out);
    host_end(&h, NULL, out);
    verifier_free(verifier);
    host_close(&h);
    return ok;
}

/* ---- the manifest ---- */

json_t *library_manifest(const Library *l)
{
    Shell *sh = l->sh;
    json_t *inputs = json_array(), *results = json_array(), *versions = json_array();
    EACH_PORT(l, p) json_array_append_new(p->input < 0 ? results : inputs, port_json(p));
    for (const LibraryVersion *v = l->versions; v < l->versions + l->version_count; v++) {
        json_t *o = version_manifest(sh, v->plan);
        json_object_set_new(o, "version", json_string(version_name(sh, v->version)));
        json_object_set_new(o, "steps", json_string(session_derivation(sh->session, v->version, sh->scratch)));
        json_t *facts = json_object_get(o, "facts");
        for (int i = 0; v->constants && i < v->values.count; i++) {
            const Binding *b = &v->values.b[i];
            if (b->kind != VAR_SIZE || !b->set) continue;
            json_array_append_new(facts, json_of("{is:s a:s b:l text:s}", "=", b->name, b->value,
                                                 arena_printf(sh->scratch, "%s = %lld", b->name, (long long)b->value)));
        }
        json_array_append_new(versions, o);
    }
    return json_of("{name:s program:s type:s sizes:o inputs:o results:o versions:o}", l->name, l->program->name,
                   program_type(sh, l->program), JSON_LIST(i, l->program->size_count, json_string(size_name(l->program, i))), inputs,
                   results, versions);
}

/* ---- the command ---- */

static const struct LibraryTarget *find_target(Shell *sh, const char *name)
{
    for (int i = 0; i < COUNT(targets); i++)
        if (!name || !strcmp(targets[i].name, name)) return &targets[i];
    return shell_error(sh, E05, "--target is one of opencl, cuda, c, not \"%.60s\"", name), NULL;
}

/* "N=512,1024 K=64": every combination is a version; returns how many, -1: an error. */
enum { POINTS_MOST = 64 };
static int read_sizes(Shell *sh, const char *text, const Program *p, TuneParam **points, int *width)
{
    const char *names[16];
    VEC(int64_t) values[16] = {{0}};
    int n = 0, count = 1;
    bool ok = true;
    for (const char *q = text; ok && *(q += strspn(q, " ,;"));) {
        size_t len = name_length(q);
        const char *name = arena_strndup(sh->scratch, q, len);
        int which = 0;
        while (which < p->size_count && strcmp(size_name(p, which), name)) which++;
        ok = len && q[len] == '=' && n < 16 && which < p->size_count;
        if (!ok) break;
        names[n] = name;
        for (q += len + 1; ok; q++) {
            char *end;
            long long value = strtoll(q, &end, 10);
            if ((ok = end > q && value > 0)) vec_push(&values[n], value);
            q = end;
            if (*q != ',' || !isdigit((unsigned char)q[1])) break;
        }
        count *= values[n].n;
        n++;
        ok = ok && count <= POINTS_MOST;
    }
    if (!ok || !n) {
        shell_error(sh, E05, "--sizes is like \"N=512,1024 K=64\": sizes of the program with numbers, %d versions at most\nhint its sizes: info", POINTS_MOST);
        count = -1;
    }
    *width = n;
    *points = count > 0 ? NEW_ARRAY(sh->scratch, TuneParam, count * n) : NULL;
    for (int i = 0; i < count; i++)
        for (int k = 0, rest = i; k < n; rest /= values[k].n, k++)
            (*points)[i * n + k] = (TuneParam){.name = names[k], .value = values[k].v[rest % values[k].n]};
    for (int k = 0; k < n; k++) free(values[k].v);
    return count;
}

/* Where the last version is not for all sizes of the program. Limits of indices are not counted. */
static void warn_of_sizes(const Library *l)
{
    enum { TOLD = 3 };
    const LibraryVersion *last = &l->versions[l->version_count - 1];
    Buf needs = {0}, unset = {0};
    PlanFact *own;
    int n = 0;
    const Version *source = last->version;
    while (source->from) source = source->from;
    int own_count = plan_facts(l->sh->c, l->sh->scratch, source->root, &own);
    for (int i = 0; i < last->plan->fact_count; i++) {
        const Fact *f = &last->plan->facts[i].fact;
        bool asked = ANY(k, own_count, fact_equal(&own[k].fact, f));
        if (f->kind != FACT_DIVIDES || asked || is_trivial(f) || n++ >= TOLD) continue;
        buf_printf(&needs, "%s%s", needs.len ? ", " : "", fact_text(f, l->sh->scratch));
    }
    for (int i = 0; i < l->program->size_count; i++) buf_printf(&unset, "%s%s = ?", i ? ", " : "", size_name(l->program, i));
    const char *text = buf_take(&needs, l->sh->scratch), *sizes = buf_take(&unset, l->sh->scratch);
    if (n && !last->constants && !ANY(i, l->sh->warnings.n, l->sh->warnings.v[i].id == W19))      /* once for all targets */
        shell_warn(l->sh, W19,
                   arena_printf(l->sh->scratch, "goto @0 ; data %s ; lower        makes a version for all sizes, to be named last", sizes),
                   "the last version of %s, %s, is for sizes where %s%s", l->name, version_name(l->sh, last->version), text, n > TOLD ? " ..." : "");
}

bool library_open(Library *l, Shell *sh, const Args *a, const char *target, const char *name)
{
    const char *sizes = arg_flag(a, "sizes");
    TuneParam *points = NULL;
    int width = 0, point_count = 0;
    *l = (Library){.sh = sh, .program = session_current(sh->session)->program, .target = find_target(sh, target)};
    if (!l->target) return false;
    /* No word of C is in the way: it is what names begin with, before a `_`. */
    Buf plain = {0};
    for (const char *p = name ? name : l->program->name; *p; p++) buf_putc(&plain, isalnum((unsigned char)*p) ? *p : '_');
    l->name = buf_take(&plain, sh->scratch);
    if (name && (strcmp(l->name, name) || isdigit((unsigned char)*name))) return shell_error(sh, E05, "\"%.60s\" is no name in C", name);
    Buf upper = {0};
    for (const char *p = l->name; *p; p++) buf_putc(&upper, (char)toupper((unsigned char)*p));
    l->upper = buf_take(&upper, sh->scratch);
    if (sizes && (point_count = read_sizes(sh, sizes, l->program, &points, &width)) < 0) return false;
    l->port_count = ports_find(sh, l->program, &l->sizes, &l->ports);
    Buf parameters = {0}, arguments = {0};
    for (int i = 0; i < l->program->size_count; i++) {
        buf_printf(&parameters, ", int64_t %s", l->sizes[i]);
        buf_printf(&arguments, ", %s", l->sizes[i]);
    }
    l->parameters = buf_take(&parameters, sh->scratch);
    l->arguments = buf_take(&arguments, sh->scratch);
    int named = a->count > 2 ? a->count - 2 : 1;
    l->versions = NEW_ARRAY(sh->scratch, LibraryVersion, named * (point_count + 1));
    bool *has = NEW_ARRAY(sh->scratch, bool, point_count);
    for (int i = 0; i < named; i++) {
        const Version *v = a->count > 2 ? session_ref(sh->session, a->words[2 + i]) : session_version(sh->session);
        if (!v) return false;
        for (int k = 0; k < point_count; k++) {
            bool added = add_version(l, v, points + k * width, width), last = i == named - 1;
            if (!added && ((last && !has[k]) || *sh->stop != STOP_NONE)) return false;
            if (!added) diag_clear(diag(sh));        /* another version is for these sizes */
            has[k] = has[k] || added;
        }
        if (!add_version(l, v, NULL, 0)) return false;
    }
    warn_of_sizes(l);
    return true;
}

static bool write_in(Shell *sh, const Args *a, const char *dir, const char *name, const Buf *text, json_t *files)
{
    const char *file = arena_printf(sh->scratch, "%s/%s", dir, name);
    if (!arg_flag(a, "force") && !access(file, F_OK)) return shell_error(sh, E17, "%s exists\ntry %s --force", file, a->text);
    if (!file_write(diag(sh), file, buf_text(text), text->len)) return false;
    json_array_append_new(files, json_string(file));
    if (!sh->quiet) print(sh, "%s written\n", file);
    return true;
}

bool export_library(Shell *sh, Args *a)
{
    Library l;
    const char *dir = arg(a, 1);
    if (!dir) return arg_error(sh, a, "export a library to which folder?");
    if (sh->restricted) return shell_error(sh, E05, "files are off with --restricted");
    if (!library_open(&l, sh, a, arg_flag(a, "target"), arg_flag(a, "name"))) return false;
    LOCAL(buf_free) Buf header = {0}, source = {0}, cmake = {0}, test = {0}, manifest = {0};
    put_header(&l, &header);
    if (!put_source(&l, &source) || !put_test(&l, l.versions, &test)) return false;
    put_cmake(&l, &cmake);
    json_put(library_manifest(&l), JSON_INDENT(1), &manifest);
    buf_putc(&manifest, '\n');
    if (*sh->stop) return shell_error(sh, E25, "the export was interrupted: nothing is written");
    if (mkdir(dir, 0777) && errno != EEXIST) return shell_error(sh, E06, "the folder %s cannot be made: %s", dir, strerror(errno));
    json_t *files = json_array();
    const struct { const char *name; const Buf *text; } all[] = {
        {arena_printf(sh->scratch, "%s.h", l.name), &header}, {arena_printf(sh->scratch, "%s%s", l.name, l.target->ending), &source},
        {arena_printf(sh->scratch, "%s.json", l.name), &manifest}, {"CMakeLists.txt", &cmake},
            {arena_printf(sh->scratch, "%s_test.c", l.name), &test},
    };
    for (int i = 0; i < COUNT(all); i++)
        if (!write_in(sh, a, dir, all[i].name, all[i].text, files)) return json_decref(files), false;
    if (sh->json) return shell_report(sh, "{format:s file:s text:s? files:o versions:i}", "library", dir, NULL, files, l.version_count);
    json_decref(files);
    return true;
}

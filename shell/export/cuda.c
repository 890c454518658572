/* cuda: a complete CUDA C program that runs, checks and times the kernels of a version: `export cuda`. */
#include "code_host.h"
#include "commands.h"
#include "export.h"
#include "show.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BOUNDS_MOST = 1 << 16, GROUPS_MOST = 65535 };     /* elements of a component that are compared; groups in y or z */

#define NAME(A, id, name, class, key, type, opencl, cuda, ...) [SC_##id] = cuda,
static const char *const cuda_types[SC_COUNT] = {[SC_BOOL] = "unsigned char", SCALARS_INT(NAME, ) SCALARS_FLOAT(NAME, )};
#undef NAME

/* ---- launches ---- */

/* False + E53: a grid that no GPU takes. */
static bool put_launch(Host *h, int kernel)
{
    const PlanKernel *k = &h->plan->kernels[kernel];
    const char *all[3];
    for (int d = 0; d < 3; d++) {
        long long local = k->local[d] ? k->local[d] : 1, groups = host_number(h, k->global[d]) / local;
        if (groups > (d ? GROUPS_MOST : INT_MAX))
            return shell_error(h->sh, E53, "%s has %lld work-groups in dimension %d, and CUDA takes %d there\n"
                               "hint map what is long to dimension 0, which becomes x, or set local", k->name, groups, d,
                               d ? GROUPS_MOST : INT_MAX);
        all[d] = arena_printf(h->sh->scratch, "%lld", groups);
    }
    host_grid(h, k, all, "");
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        if (i) buf_puts(h->out, ", ");
        if (a->kind == PLAN_ARG_BUFFER) buf_printf(h->out, "d_%s", h->plan->buffers[a->buffer].name);
        else if (!host_value(h, a)) return false;
    }
    host_put(h, NULL, ");\n$icheck(cudaGetLastError(), \"%s\");\n", k->name);
    return true;
}

/* ---- the whole ---- */

/* beside: the file of what is expected. */
static bool put_main(Host *h, Verifier *verifier, Buf *beside, int *inputs)
{
    const Plan *plan = h->plan;
    buf_puts(h->out, "int main(int argc, char **argv)\n{\n    long long wrong = 0;\n");
    if (!host_inputs(h, inputs)) return false;
    host_buffers(h);
    for (int i = 0; i < plan->kernel_count; i++)
        if (plan->kernels[i].launch_bytes)
            buf_printf(h->out, "    check(cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %lld), \"%s\");\n",
                       plan->kernels[i].name, (long long)plan->kernels[i].launch_bytes, plan->kernels[i].name);
    buf_puts(h->out, "    auto launches = [&] {\n");
    if (!host_launches(h)) return false;
    host_part("cuda-launched", h->out);
    EACH_BUFFER(plan, b)
        if (b->kind == PLAN_OUTPUT) {
            int64_t n;
            const VerifierBound *bounds = verifier_bounds(verifier, b->part, BOUNDS_MOST, h->sh->scratch, &n);
            buf_write(beside, (const char *)bounds, sizeof *bounds * (size_t)n);
            buf_putc(h->out, '\n');
            host_memory(h, b);
            host_put(h, b, "    check(cudaMemcpy(h_$b, d_$b, $n * sizeof *h_$b, cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n");
            host_result(h, b);
            host_put(h, b, "    if (expected) wrong += compare(expected, \"$b\", h_$b, $n, %lld);\n    free(h_$b);\n", (long long)n);
        }
    buf_puts(h->out, "    if (expected) fclose(expected);\n    time_launches(launches);\n");
    EACH_BUFFER(plan, b) {
        if (b->kind == PLAN_INPUT) host_put(h, b, "    free(h_$b);\n");
        if (b->kind != PLAN_STATE) host_put(h, b, "    cudaFree(d_$b);\n");
    }
    buf_puts(h->out, "    return wrong != 0;\n}\n");
    return true;
}

static void put_program(Host *h, const RunSettings *settings, int inputs, const char *beside, Buf *out)
{
    const char *name = session_current(h->sh->session)->name;
    buf_printf(out, "/* %s%s on CUDA:    nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false %s.cu -o %s ; ./%s%s\n", name,
               version_name(h->sh, h->v), name, name, name, inputs ? " [FILE ...]" : "");
    buf_printf(out, " * It fills the inputs as lathe does, runs the kernels, compares what they make with the interpreter's results in\n"
               " * ");
    buf_comment(out, beside, strlen(beside));
    buf_printf(out, " (-DEXPECTED='\"...\"'), and times them (-DTRIALS=N). Exit code 1: something is wrong.\n"
               " * Sizes are those of the session; with a FILE nothing is compared.\n");
    host_comment(h, out);
    buf_puts(out, " */\n");
    host_part("cuda", out);
    buf_puts(out, "#ifndef EXPECTED\n#define EXPECTED \"");
    buf_escaped(out, beside);
    buf_printf(out, "\"\n#endif\n#ifndef TRIALS\n#define TRIALS %d\n#endif\n#define WARMUP %d\n\n", settings->trials > 0 ? settings->trials : 1,
               settings->warmup);
    buf_puts(out, h->plan->source);
    buf_putc(out, '\n');
    host_end(h, "cuda-helpers", out);
}

/* The device that is chosen is the one that `lower` asked. */
static void warn_of_cpu(Shell *sh, const Version *to)
{
    const Version *v = to;
    while (v && strncmp(v->call, "lower", 5)) v = v->from;
    if (v && !shell_on_gpu(sh))
        shell_warn(sh, W17, NULL, "%s was lowered for a CPU: with a GPU as the device (help device), goto @%d ; lower", version_name(sh, v), v->parent);
}

bool export_cuda(Shell *sh, const ExportRange *range, Buf *out)
{
    Host h;
    Values values;
    LOCAL(buf_free) Buf main_text = {0};
    int inputs = 0;
    RunSettings settings = session_run_settings(sh->session);
    const Plan *plan = shell_plan_in(sh, range->to, dialect_find("cuda"));
    if (!plan || !host_open(&h, sh, range->to, plan, &values, &main_text)) return false;
    h.types = cuda_types;
    h.cast = true;
    h.launch = put_launch;
    h.buffer = "    $t *d_$b = ($t *)buffer($n * sizeof($t), %s);%s\n";
    h.state = "$i$t *";
    h.test = "$ibool goes_on;\n$icheck(cudaMemcpy(&goes_on, d_$b, 1, cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n";
    h.copy = "check(cudaMemcpy(d_%s, d_$b, %s, cudaMemcpyDeviceToDevice), \"cudaMemcpy\");\n";
    h.indent = 8;
    Verifier *verifier = host_verifier(&h);
    bool ok = verifier && put_main(&h, verifier, range->beside, &inputs);
    if (ok) put_program(&h, &settings, inputs, range->beside_name, out);
    if (ok) warn_of_cpu(sh, range->to);
    verifier_free(verifier);
    host_close(&h);
    return ok;
}

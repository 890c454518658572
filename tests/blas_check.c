/* blas_check: results of the linear algebra programs against OpenBLAS, on the default device.
 * Usage: blas_check [FOLDER]      the folder of the program files, tests/programs if left out. 77: no device. */
#include <cblas.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang.h"
#include "run.h"

enum { INPUTS = 5, SIZES = 3 };

typedef struct Args {                    /* inputs in declared order, sizes in order of first appearance */
    const float *in[INPUTS];
    const Data *data[INPUTS];
    int n[SIZES];
} Args;
typedef void Blas(const Args *a, float *out);

static void blas_scal(const Args *a, float *out)
{
    memcpy(out, a->in[1], sizeof *out * (size_t)a->n[0]);
    cblas_sscal(a->n[0], a->in[0][0], out, 1);
}

/* In double: some of OpenBLAS's single precision sums are serial, and less exact than what they would be compared with. */
static void blas_asum(const Args *a, float *out)
{
    size_t n = (size_t)a->n[0];
    double *xs = malloc(sizeof *xs * n);
    for (size_t i = 0; i < n; i++) xs[i] = a->in[0][i];
    *out = (float)cblas_dasum(a->n[0], xs, 1);
    free(xs);
}

static void blas_dot(const Args *a, float *out) { *out = (float)cblas_dsdot(a->n[0], a->in[0], 1, a->in[1], 1); }

static void blas_gemv(const Args *a, float *out)
{
    memcpy(out, a->in[2], sizeof *out * (size_t)a->n[0]);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, a->n[0], a->n[1], a->in[3][0], a->in[0], a->n[1], a->in[1], 1, a->in[4][0], out, 1);
}

static void gemm(const Args *a, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int n, int m, int k, float *out)
{
    cblas_sgemm(CblasRowMajor, ta, tb, n, m, k, 1, a->in[0], ta == CblasTrans ? n : k, a->in[1], tb == CblasTrans ? k : m, 0, out, m);
}

static void blas_mm(const Args *a, float *out) { gemm(a, CblasNoTrans, CblasNoTrans, a->n[0], a->n[2], a->n[1], out); }
static void blas_mm_tn(const Args *a, float *out) { gemm(a, CblasTrans, CblasNoTrans, a->n[1], a->n[2], a->n[0], out); }
static void blas_mm_nt(const Args *a, float *out) { gemm(a, CblasNoTrans, CblasTrans, a->n[0], a->n[2], a->n[1], out); }
static void blas_mm_tt(const Args *a, float *out) { gemm(a, CblasTrans, CblasTrans, a->n[1], a->n[2], a->n[0], out); }

#define MAC "(\\(acc, (p, q)) -> acc + p * q)"
#define PARTS(f, x) "reduceSeq (+) 0 (toGlobal (mapGlobal 0 (\\c -> reduceSeq " f " 0 c) (split 128 (" x "))))"
#define MM(b, a) "mapGlobal 1 (\\row -> mapGlobal 0 (\\col -> reduceSeq " MAC " 0 (zip row col)) (" b ")) (" a ")"

static const struct { const char *name, *lowered; Blas *blas; int sizes[4][SIZES]; } programs[] = {
    {"scal", "scal1 (alpha: f32) (xs: [N]f32) = mapGlobal 0 (\\x -> alpha * x) xs", blas_scal,
     {{1}, {1000}, {4096}, {1 << 20}}},
    {"asum", "asum1 (xs: [N]f32) = " PARTS("(\\(acc, x) -> acc + abs x)", "xs"), blas_asum,
     {{128}, {1280}, {4096}, {1 << 20}}},
    {"dot", "dot1 (xs: [N]f32) (ys: [N]f32) = " PARTS(MAC, "zip xs ys"), blas_dot,
     {{128}, {1280}, {4096}, {1 << 20}}},
    {"gemv", "gemv1 (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) = "
     "mapGlobal 0 (\\(row, yi) -> alpha * reduceSeq " MAC " 0 (zip row x) + beta * yi) (zip A y)", blas_gemv,
     {{1, 1}, {17, 65}, {256, 256}, {1024, 2048}}},
    {"mm", "mm1 (A: [N][K]f32) (B: [K][M]f32) = " MM("transpose B", "A"), blas_mm,
     {{1, 1, 1}, {17, 33, 5}, {64, 128, 96}, {256, 512, 384}}},
    {"mm_tn", "mm_tn1 (At: [K][N]f32) (B: [K][M]f32) = " MM("transpose B", "transpose At"), blas_mm_tn,
     {{1, 1, 1}, {17, 33, 5}, {64, 128, 96}, {256, 512, 384}}},
    {"mm_nt", "mm_nt1 (A: [N][K]f32) (Bt: [M][K]f32) = " MM("Bt", "A"), blas_mm_nt,
     {{1, 1, 1}, {17, 33, 5}, {64, 128, 96}, {256, 512, 384}}},
    {"mm_tt", "mm_tt1 (At: [K][N]f32) (Bt: [M][K]f32) = " MM("Bt", "transpose At"), blas_mm_tt,
     {{1, 1, 1}, {17, 33, 5}, {64, 128, 96}, {256, 512, 384}}},
};

typedef struct Check {
    Ctx *c;
    Defs *defs;
    Device *device;
    const char *folder;
    int failed;
} Check;

static void print_diag(const Diag *d)
{
    Buf b = {0};
    diag_render(d, &b);
    fprintf(stderr, "%s\n", buf_text(&b));
    buf_free(&b);
}

static const Program *load(Check *k, const char *name)
{
    char path[1024];
    static char text[1 << 16];
    snprintf(path, sizeof path, "%s/%s.fun", k->folder, name);
    FILE *f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return NULL;
    }
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    const Program *p = NULL;
    Source s = {path, text, n};
    return defs_load(k->c, k->defs, &s, &p) ? p : NULL;
}

static const Program *define(Check *k, const char *text)
{
    const Program *p = NULL;
    Source s = {"lowered", text, strlen(text)};
    return defs_define(k->c, k->defs, &s, &p) ? p : NULL;
}

/* The values the run used, made again. */
static bool make_args(Check *k, const Program *p, const Binding *b, Args *a)
{
    NatBinding map[SIZES];
    for (int i = 0; i < p->size_count; i++) {
        map[i] = (NatBinding){p->sizes[i]->terms[0].factors[0].atom, nat_const(k->c->nats, b[i].value)};
        a->n[i] = (int)b[i].value;
    }
    for (int i = 0; i < p->input_count; i++) {
        const Type *t = type_subst(k->c, p->inputs[i].type, map, p->size_count);
        a->data[i] = t ? fill_data(k->c, t, &(FillSpec){.kind = FILL_DEFAULT}, i, 0, &k->c->diag) : NULL;
        if (!a->data[i]) return false;
        a->in[i] = a->data[i]->parts[0].values;
    }
    return true;
}

static int64_t longest(const Binding *b, int count)
{
    int64_t most = 1;
    for (int i = 0; i < count; i++) most = b[i].value > most ? b[i].value : most;
    return most;
}

/* Values lie in [-1, 1], so a sum of n products has a rounding error of some 1e-7 n at most. */
static bool compare(const Data *got, const float *want, int64_t n, double *worst)
{
    *worst = 0;
    for (int64_t i = 0; i < got->parts[0].count; i++) {
        double distance = fabs(data_get(got, 0, i) - (double)want[i]);
        if (!(distance <= *worst)) *worst = distance;              /* NaN too, and for good */
        if (isnan(distance)) return false;
    }
    return *worst <= 2e-7 * (double)n + 1e-6;
}

static void check_result(Check *k, const Program *p, Blas *blas, const RunOutcome *o, const Binding *b)
{
    Args a = {0};
    double worst = 0;
    float *want = calloc((size_t)o->result->parts[0].count, sizeof *want);
    bool ok = make_args(k, p, b, &a);
    if (ok) blas(&a, want);
    ok = ok && compare(o->result, want, longest(b, p->size_count), &worst);
    printf("%s %-6s %-20s largest difference %.3g   level %c\n", ok ? "ok  " : "FAIL", p->name, o->sizes, worst, o->verify.level);
    k->failed += !ok;
    for (int i = 0; i < p->input_count; i++) data_free((Data *)a.data[i]);
    free(want);
}

static void check_sizes(Check *k, const Program *source, const Program *p, Blas *blas, const int *sizes)
{
    Binding b[SIZES];
    RunInput in[INPUTS];
    RunOutcome o;
    for (int i = 0; i < p->size_count; i++) b[i] = (Binding){p->sizes[i]->terms[0].factors[0].atom->name, VAR_SIZE, true, sizes[i]};
    for (int i = 0; i < p->input_count; i++) in[i] = (RunInput){.name = p->inputs[i].name, .type = p->inputs[i].type};
    RunSpec spec = {.name = p->name, .term = p->body, .reference = source->body, .bindings = b, .binding_count = p->size_count,
                    .inputs = in, .input_count = p->input_count, .settings = run_settings()};
    spec.settings.trials = 0;
    spec.settings.keep_result = true;
    if (run_version(k->c, k->device, &spec, &o)) check_result(k, p, blas, &o, b);
    else {
        print_diag(&o.diag);
        k->failed++;
    }
    run_outcome_free(&o);
}

static void check_program(Check *k, int i)
{
    const Program *source = load(k, programs[i].name);
    const Program *p = source ? define(k, programs[i].lowered) : NULL;
    if (!p) {
        print_diag(&k->c->diag);
        k->failed++;
        diag_clear(&k->c->diag);
        return;
    }
    for (int s = 0; s < 4; s++) check_sizes(k, source, p, programs[i].blas, programs[i].sizes[s]);
}

int main(int argc, char **argv)
{
    Check k = {.c = ctx_new(), .folder = argc > 1 ? argv[1] : "tests/programs"};
    Devices *devices = devices_new();
    k.defs = defs_new(k.c);
    const DeviceInfo *info = devices_find(devices, NULL, &k.c->diag);
    k.device = info ? device_open(info) : NULL;
    if (!k.device) {
        print_diag(&k.c->diag);
        return 77;
    }
    for (int i = 0; i < COUNT(programs); i++) check_program(&k, i);
    device_close(k.device);
    devices_free(devices);
    defs_free(k.defs);
    ctx_free(k.c);
    return k.failed ? 1 : 0;
}

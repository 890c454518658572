/* driver: as much of libcuda and of NVRTC as lathe-worker asks for, on this processor, for who has no GPU: a program is compiled by the
 * C++ compiler, a kernel runs as cuda_runtime.h says. Both libraries are this one. LATHE_FAKE: the folder of the headers and of what is made. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <time.h>
#include <unistd.h>
#include <vector>

struct Size { unsigned x, y, z; };
typedef int (*Call)(void **arguments, Size groups, Size group, unsigned local_bytes);
typedef int (*Number)(void);
struct Function { Call call; Number arguments, threads; int given; };
struct Program { std::string source, log, library; };
struct Event { timespec at; };

static const int LOCAL = 100 << 10;

static std::string folder() { return getenv("LATHE_FAKE"); }

static bool put_file(const std::string &path, const std::string &text)
{
    FILE *f = fopen(path.c_str(), "w");
    return f && fwrite(text.data(), 1, text.size(), f) == text.size() && !fclose(f);
}

static std::string get_file(const std::string &path)
{
    std::string text;
    FILE *f = fopen(path.c_str(), "r");
    for (int c; f && (c = fgetc(f)) != EOF;) text += (char)c;
    if (f) fclose(f);
    return text;
}

/* The names of kernels: extern "C" __global__ ... void NAME( */
static std::vector<std::string> kernels_of(const std::string &source)
{
    std::vector<std::string> names;
    for (size_t at = 0; (at = source.find("extern \"C\" __global__", at)) != std::string::npos; at++) {
        size_t from = source.find("void ", at) + 5;
        names.push_back(source.substr(from, source.find('(', from) - from));
    }
    return names;
}

/* For each kernel what calls it with the arguments that a launch points to; its bound of work-items. */
static std::string with_calls(const std::string &source)
{
    std::string text = "#include <cuda_runtime.h>\n#undef __launch_bounds__\n#define __launch_bounds__(...)\n" + source +
                       "\ntemplate <class... A> static int lathe_count(void (*)(A...)) { return (int)sizeof...(A); }\n"
                       "template <class... A, size_t... I> static void lathe_apply(void (*f)(A...), void **a, std::index_sequence<I...>) { f(*(A *)a[I]...); }\n"
                       "template <class... A> static void lathe_call(void (*f)(A...), void **a) { lathe_apply(f, a, std::index_sequence_for<A...>()); }\n"
                       "struct lathe_size { unsigned x, y, z; };\n";
    for (const std::string &name : kernels_of(source)) {
        size_t at = source.find("void " + name + "("), bounds = source.rfind("__launch_bounds__(", at);
        std::string threads = std::to_string(atoi(source.c_str() + bounds + strlen("__launch_bounds__(")));
        text += "extern \"C\" int threads_" + name + "() { return " + threads + "; }\n"
                "extern \"C\" int count_" + name + "() { return lathe_count(" + name + "); }\n"
                "extern \"C\" int call_" + name + "(void **a, lathe_size g, lathe_size b, unsigned n)\n"
                "{ shared_allowed = 100 << 10; launch(dim3(g.x, g.y, g.z), dim3(b.x, b.y, b.z), n, [=] { lathe_call(" + name + ", a); }); return 0; }\n";
    }
    return "#include <utility>\n" + text;
}

extern "C" {

/* ---- NVRTC ---- */

int nvrtcCreateProgram(void **p, const char *source, const char *, int, const char *const *, const char *const *)
{
    return *p = new Program{source, "", ""}, 0;
}

int nvrtcCompileProgram(void *program, int count, const char *const *options)
{
    static int number;
    Program *p = (Program *)program;
    std::string base = folder() + "/built_" + std::to_string((long)getpid()) + "_" + std::to_string(number++);
    bool arch = false;
    for (int i = 0; i < count; i++) arch = arch || !strcmp(options[i], "--gpu-architecture=sm_75");
    std::string text = p->source;                /* memory that a launch gives is that of cuda_runtime.h */
    for (size_t at; (at = text.find("extern __shared__")) != std::string::npos;) text.erase(at, text.find(';', at) + 1 - at);
    for (size_t at; (at = text.find("__int_as_float")) != std::string::npos;) text.replace(at, strlen("__int_as_float"), "__uint_as_float");
    if (!arch || !put_file(base + ".cpp", with_calls(text))) return 1;
    std::string command = "g++ -std=c++17 -O1 -w -shared -fPIC -I" + folder() + " " + base + ".cpp -o " + base + ".so 2>" + base + ".log";
    bool failed = system(command.c_str());
    p->log = get_file(base + ".log");
    p->library = base + ".so";
    return failed;
}

int nvrtcGetProgramLogSize(void *p, size_t *bytes) { return *bytes = ((Program *)p)->log.size() + 1, 0; }
int nvrtcGetProgramLog(void *p, char *text) { return strcpy(text, ((Program *)p)->log.c_str()), 0; }
int nvrtcGetCUBINSize(void *p, size_t *bytes) { return *bytes = ((Program *)p)->library.size() + 1, 0; }
int nvrtcGetCUBIN(void *p, char *image) { return strcpy(image, ((Program *)p)->library.c_str()), 0; }
int nvrtcDestroyProgram(void **p) { return delete (Program *)*p, 0; }

/* ---- libcuda ---- */

int cuInit(unsigned) { return getenv("LATHE_FAKE") ? 0 : 100; }
int cuDriverGetVersion(int *v) { return *v = 12040, 0; }
int cuDeviceGetCount(int *n) { return *n = 1, 0; }
int cuDeviceGet(int *device, int i) { return *device = i, 0; }
int cuDeviceGetName(char *text, int bytes, int) { return snprintf(text, (size_t)bytes, "A processor"), 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int) { return *bytes = (size_t)1 << 30, 0; }
int cuDeviceGetAttribute(int *v, int what, int)
{
    switch (what) {
    case 1: case 2: case 3: *v = 1024; return 0;
    case 4: *v = 64; return 0;
    case 10: *v = 32; return 0;
    case 13: *v = 1000000; return 0;
    case 16: *v = 4; return 0;
    case 75: *v = 7; return 0;
    case 76: *v = 5; return 0;
    case 97: *v = LOCAL; return 0;
    default: return 1;
    }
}
int cuDevicePrimaryCtxRetain(void **context, int) { return *context = NULL, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize(void) { return 0; }
int cuGetErrorName(int code, const char **name) { return *name = code == 1 ? "CUDA_ERROR_INVALID_VALUE" : code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_NOT_FOUND", 0; }
int cuMemAlloc_v2(void **p, size_t bytes) { return (*p = bytes <= (size_t)1 << 30 ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL) ? 0 : 2; }
int cuMemFree_v2(void *p) { return free(p), 0; }
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *) { return memcpy(to, from, bytes), 0; }
int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, void *) { return memcpy(to, from, bytes), 0; }
int cuMemcpyDtoDAsync_v2(void *to, const void *from, size_t bytes, void *) { return memcpy(to, from, bytes), 0; }
int cuMemsetD8Async(void *p, unsigned char byte, size_t n, void *) { return memset(p, byte, n), 0; }
int cuModuleLoadData(void **m, const void *image) { return (*m = dlopen((const char *)image, RTLD_NOW | RTLD_LOCAL)) ? 0 : 1; }
int cuModuleUnload(void *m) { return dlclose(m), 0; }
int cuModuleGetFunction(Function **f, void *m, const char *name)
{
    Call call = (Call)dlsym(m, (std::string("call_") + name).c_str());
    Number count = (Number)dlsym(m, (std::string("count_") + name).c_str()), threads = (Number)dlsym(m, (std::string("threads_") + name).c_str());
    return call ? (*f = new Function{call, count, threads, 0}, 0) : 500;
}
int cuFuncGetAttribute(int *v, int what, Function *f) { return *v = what == 0 ? f->threads() : 0, 0; }
int cuFuncSetAttribute(Function *f, int what, int v) { return f->given = v, what == 8 && v <= LOCAL ? 0 : 1; }
int cuFuncGetParamInfo(Function *f, size_t i, size_t *at, size_t *bytes) { return *at = *bytes = 8, i < (size_t)f->arguments() ? 0 : 1; }
int cuLaunchKernel(Function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned bytes, void *, void **arguments, void **)
{
    if (gy > 65535 || gz > 65535 || bx * by * bz > (unsigned)f->threads() || (bytes > 48 << 10 && (int)bytes > f->given)) return 1;
    return f->call(arguments, Size{gx, gy, gz}, Size{bx, by, bz}, bytes);
}
int cuEventCreate(Event **e, unsigned) { return *e = new Event(), 0; }
int cuEventRecord(Event *e, void *) { return clock_gettime(CLOCK_MONOTONIC, &e->at), 0; }
int cuEventSynchronize(Event *) { return 0; }
int cuEventElapsedTime(float *ms, Event *a, Event *b)
{
    return *ms = (float)((double)(b->at.tv_sec - a->at.tv_sec) * 1e3 + (double)(b->at.tv_nsec - a->at.tv_nsec) * 1e-6), 0;
}
int cuEventDestroy_v2(Event *e) { return delete e, 0; }

}

/* cl_case: one version of a program, taken from `lathe --json ... code`, ready to be launched in this process and timed
 * beside a library. Only benchmarks use it: the product itself never calls a driver from its own process. */
#ifndef CL_CASE_H
#define CL_CASE_H

#include <stdbool.h>
#include <stddef.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

typedef struct ClHost {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char name[128];
    bool is_gpu;
} ClHost;

/* The device whose platform or device name contains `part` (case matters not; "" takes the first). False: none. */
bool cl_host_open(ClHost *h, const char *part);
void cl_host_close(ClHost *h);

enum { CASE_KERNELS = 8, CASE_BUFFERS = 16, CASE_ARGS = 16 };
typedef struct ClBuffer {
    char name[32];
    char role;                     /* i o t */
    size_t bytes;
    cl_mem mem;
    bool shared;                   /* belongs to somebody else */
} ClBuffer;
typedef struct ClCase {
    ClHost *host;
    cl_program program;
    int kernel_count, buffer_count;
    struct {
        cl_kernel kernel;
        size_t global[3], local[3];
    } kernels[CASE_KERNELS];
    ClBuffer buffers[CASE_BUFFERS];
    char *source;                  /* the program's text */
} ClCase;

/* A scalar argument by name; inputs that several cases share are given as buffers by name. */
typedef struct ClScalar { const char *name; float value; } ClScalar;
typedef struct ClInput { const char *name; cl_mem mem; } ClInput;

/* Run build/lathe with these words (a shell command line without the program name, ending with code), and build what it prints. NULL-terminated lists.
 * False: a message is on stderr. */
bool cl_case_open(ClCase *c, ClHost *h, const char *words, const ClInput *inputs, const ClScalar *scalars);
void cl_case_close(ClCase *c);
cl_mem cl_case_output(const ClCase *c, size_t *bytes);
/* Enqueue all kernels once; finish: wait for them. */
bool cl_case_run(ClCase *c, bool finish);

#endif

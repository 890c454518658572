/* worker_private: what the modules of lathe-worker share: worker_device.c (devices, failures), worker_build.c
 * (programs, inputs), worker_image.c (images), worker_request.c (reading a run request), worker_launch.c (launches checked and made,
 * findings) and worker.c (running, the loop). The only code that calls OpenCL. Not for anybody else. */
#ifndef WORKER_PRIVATE_H
#define WORKER_PRIVATE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <sys/types.h>

#include "device.h"
#include "protocol.h"

enum { GUARD_BYTES = 256 };

typedef struct Program {
    int64_t id;
    cl_program program;
    int kernel_count;
    cl_kernel *kernels;
} Program;

typedef struct Input {
    char *key;
    cl_mem mem;
    size_t bytes, filled;
} Input;

typedef struct Step {
    cl_kernel kernel;
    const char *name;
    int arg_count;
    LaunchArg *args;
    size_t global[3], local[3];
    cl_uint dims;
    bool has_local;
} Step;

typedef struct Memory {
    cl_mem mem;
    int stands_for;             /* a state: the memory that it is in the present round; else itself */
    size_t bytes, held;         /* held: with what guards it */
    bool owned, is_output;      /* not owned: an input, or a state */
    uint8_t fill;
    bool is_image;
    int of, copied_from;        /* an image: of which memory, and whose content it has; -1: nobody's */
    int newer;                  /* the image with what this is to have, which a kernel wrote; -1: this has it */
    size_t width, height;       /* in texels */
    void *host;                 /* the other end of a timed transfer: an input's contents, room for an output's; in the arena */
} Memory;

typedef struct Run {            /* the last `run`: what `again` and `read` are about */
    Arena *arena;
    int step_count, memory_count, loop_count;
    Step *steps;
    LaunchLoop *loops;
    int64_t *round;             /* of each loop: the present one */
    Memory *memories;
    bool canaries, finish, by_kernel;
    bool to, from;              /* inputs are written, outputs are read in every execution */
} Run;

typedef struct Spare { cl_mem mem; size_t bytes; } Spare;

typedef struct Limits {
    size_t group, items[3];
    cl_ulong local, alloc;
} Limits;

typedef struct Worker {
    int fd, out;                /* requests, replies */
    void *window;               /* WINDOW_BYTES that the parent sees too ... */
    bool streams;               /* ... but for one that was started elsewhere, to which pieces come as blobs */
    Frame request;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    Limits limits;
    bool checker;
    int wait_ms;                /* LATHE_WORKER_WAIT: every execution takes so much longer, as on a slower device */
    off_t findings_at;          /* how much of OCLGRIND_LOG was read */
    VEC(Program) programs;
    VEC(Input) inputs;
    Run run;
    VEC(Spare) spares;          /* of the run before, for the next one: fresh pages are dear */
} Worker;

typedef struct Reply {
    Worker *w;
    const char *status;         /* NULL: ok */
    int code;
    Buf text;                   /* blob 0 */
    json_t *head;
} Reply;

typedef void Op(Worker *w, const json_t *q, Reply *r);           /* answers one request of protocol.h */

typedef struct Started { cl_event event; const Step *step; } Started;      /* step: a kernel; NULL: a transfer */
typedef struct Events {         /* of one execution */
    VEC(Started) v;
    double ns, *steps_ns;       /* of those that are over and forgotten; of each step; steps_ns may be NULL */
    const Step *steps;
} Events;

/* ---- failures, devices (worker_device.c) ---- */

/* The first failure names the status, but for one with a code of OpenCL where the context does not work any more: "device_lost". Every
 * text is kept. Returns false, so that callers may return it. */
bool reply_fail(Reply *r, const char *status, int code, const char *fmt, ...) PRINTF_LIKE(4, 5);
bool reply_ok(Reply *r, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);       /* a code other than 0: "run_failed" */
bool reply_malformed(Reply *r);
int64_t get_int(const json_t *o, const char *key);
const char *get_text(const json_t *o, const char *key);
Op op_hello, op_open;

/* ---- programs and inputs (worker_build.c) ---- */

Program *program_find(Worker *w, int64_t id);
void program_release(Program *p);
json_int_t kernel_number(Worker *w, cl_kernel k, cl_kernel_work_group_info what);
Input *input_find(Worker *w, const char *key);
void input_drop(Worker *w, Input *in);
void run_release(Worker *w);                                     /* the run's buffers become spares, unless they are large */
/* A spare of that size, or a new one; *code as clCreateBuffer. */
cl_mem buffer_make(Worker *w, cl_mem_flags flags, size_t bytes, int *code);
void spares_drop(Worker *w);
Op op_build, op_forget, op_upload, op_free;

static inline int memory_read(const Worker *w, const Memory *m, size_t at, size_t bytes, void *to)
{
    return clEnqueueReadBuffer(w->queue, m->mem, CL_TRUE, at, bytes, to, 0, NULL, NULL);
}

/* ---- images (worker_image.c): other forms of the run's memories ---- */

bool image_make(Worker *w, const json_t *j, int index, Memory *m, Reply *r);
/* The memory has its content, before it is read: a buffer that of an image that was written, an image that of its buffer. Copies are
 * among the events, unless that is NULL. */
bool memory_refresh(Worker *w, int index, Events *events, Reply *r);
void images_forget(Worker *w, int index);                        /* the content of that memory may be another now */
void image_was_written(Worker *w, int index);                    /* by a kernel: what it is an image of is behind */
int texels_known(const Worker *w, cl_mem_flags use);             /* kinds of texels that images for that use may have, as bits */

/* ---- a run request (worker_request.c): into w->run ---- */

bool run_read_steps(Worker *w, const json_t *q);                 /* and loops; false: malformed, not reported */
bool run_read_memories(Worker *w, const json_t *list, Reply *r); /* allocated and filled; false: reported */
/* The words behind an output: NaN as float and, in pairs, as double, and different from their neighbours. */
void guard_make(uint32_t words[GUARD_BYTES / 4]);

/* ---- launches, findings (worker_launch.c) ---- */

bool run_check_steps(Worker *w, Reply *r);                       /* may the device launch them? Arguments are set */
int loop_at(const Run *run, int around, int step);               /* the loop in `around` that begins with that step; -1 */
void loop_begin_round(Run *run, int loop, int64_t round);        /* what its states stand for */
bool step_enqueue(Worker *w, const Step *s, cl_event *event, Reply *r);
bool queue_finish(Worker *w, const char *what, const char *name, Reply *r);
void findings_read(Worker *w, Buf *out);                         /* what Oclgrind wrote since the last call */
bool findings_check(Worker *w, const Step *s, Reply *r);         /* after each launch on the checking device */
bool run_check_guards(Worker *w, Reply *r);

#endif

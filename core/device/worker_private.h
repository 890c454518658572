/* worker_private: what the modules of lathe-worker share: worker_device.c (devices, failures), worker_build.c
 * (programs, inputs), worker_run.c (runs) and worker.c (the loop), all of which ask a driver (driver.h). Not for anybody else. */
#ifndef WORKER_PRIVATE_H
#define WORKER_PRIVATE_H

#include <sys/types.h>

#include "driver.h"
#include "protocol.h"

typedef struct Program {
    int64_t id;
    DriverProgram *program;
    int kernel_count;
    DriverKernel **kernels;
    const char **names;          /* of the kernels; malloc, as they are */
} Program;

typedef struct Input {
    char *key;
    DriverMemory *mem;
    size_t bytes, filled;
} Input;

typedef struct Step {
    DriverKernel *kernel;
    const char *name;
    int arg_count;
    LaunchArg *args;
    size_t global[3], local[3], local_bytes;       /* local_bytes: what the launch gives */
    int dims;
    bool has_local;
    int64_t launches;           /* so far */
} Step;

typedef struct Memory {
    DriverMemory *mem;
    int stands_for;             /* a state: the memory that it is in the present round; else itself */
    size_t bytes;
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

typedef struct Spare { DriverMemory *mem; size_t bytes; } Spare;

typedef struct Worker {
    int fd, out;                /* requests, replies */
    void *window;               /* WINDOW_BYTES that the parent sees too ... */
    bool streams;               /* ... but for one that was started elsewhere, to which pieces come as blobs */
    Frame request;
    const Driver *driver;       /* of the device that is open; NULL: none is */
    DriverState *state;
    DriverLimits limits;
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

/* ---- failures, devices (worker_device.c) ---- */

/* The first failure names the status, but for one with a code of the driver where the device does not work any more: "device_lost". Every
 * text is kept. Returns false, so that callers may return it. */
bool reply_fail(Reply *r, const char *status, int code, const char *fmt, ...) PRINTF_LIKE(4, 5);
bool reply_ok(Reply *r, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);       /* a code other than 0: "run_failed" */
bool reply_malformed(Reply *r);
bool worker_goes_on(Worker *w);                                  /* the parent hears GOES_ON (worker.c) */
Op op_hello, op_open;

/* ---- programs and inputs (worker_build.c) ---- */

Program *program_find(Worker *w, int64_t id);
void program_release(Worker *w, Program *p);
Input *input_find(Worker *w, const char *key);
void input_drop(Worker *w, Input *in);
void run_release(Worker *w);                                     /* the run's buffers become spares, unless they are large */
/* A spare of that size, or a new one; *code as the driver's. */
DriverMemory *buffer_make(Worker *w, bool read_only, size_t bytes, int *code);
bool has_guards(const Worker *w, size_t bytes);                  /* memory of that size */
void spares_drop(Worker *w);
Op op_build, op_forget, op_upload, op_free;

static inline int memory_read(const Worker *w, const Memory *m, ptrdiff_t at, size_t bytes, void *to)
{
    return w->driver->read(w->state, m->mem, at, bytes, to, NULL);
}

/* ---- runs (worker_run.c) ---- */

Op op_run, op_again, op_read;

#endif

/* device: devices of OpenCL and CUDA as seen by the shell: a worker process a device, spoken to over a socket pair.
 *
 * The parent never calls a driver: it lists devices, builds, launches and reads through `lathe-worker` (found beside
 * /proc/self/exe, or LATHE_WORKER). The parent owns the deadlines: a build or run over its limit, or a death, kills the
 * worker; the next call starts a fresh one. A handle stays valid through that, buffers and programs do not. */
#ifndef DEVICE_H
#define DEVICE_H

#include <signal.h>

#include "contents.h"
#include "diag.h"
#include "target.h"

typedef struct DeviceInfo {
    char *id;                  /* "pocl0", "nvidia0", "cuda0", "oclgrind": short, stable between runs of one machine */
    char *api;                 /* by which it is driven, and the dialect that it takes: "opencl", "cuda" */
    char *name, *platform, *version, *driver;
    bool is_gpu, is_checker;   /* is_checker: Oclgrind */
    bool has_f64, has_f16, has_i64;            /* computes with: halves are kept everywhere; 64-bit integers, but for embedded devices */
    bool has_matrix;           /* matrix units that take NVIDIA's mma */
    bool has_atomics64;        /* updates of numbers of 64 bits in one step */
    int64_t image_width, image_height;         /* most texels of a two-dimensional image; 0: it has none */
    int64_t vector_f32, vector_f64;            /* the vectors that it prefers, in elements; 1: scalars; 0: it does not say */
    int64_t clock, warp;       /* MHz; work-items that go together; 0: it does not say */
    int64_t compute_units, max_group, max_local[3], local_bytes, global_bytes, max_alloc;
    int64_t platform_index, device_index;      /* within its loader environment */
    const Target *target;      /* what is known of it: a record of its kind, with the limits that it says itself */
    bool is_record;            /* there is no such device: target is all there is (device_of_target) */
    char *launcher;            /* starts its worker elsewhere (devices_set_launcher); "": it is of this machine */
} DeviceInfo;

static inline bool device_by_cuda(const DeviceInfo *i) { return !strcmp(i->api, "cuda"); }         /* it takes CUDA C, in which a launch gives local memory */
DeviceInfo device_info_copy(Arena *arena, const DeviceInfo *i);      /* with its texts and its target */
DeviceInfo device_of_target(const Target *t);    /* as which kernels are made for it; t outlives it */

typedef struct Devices Devices;      /* all devices of this machine; no driver is asked before devices_list */
Devices *devices_new(void);
/* A flag that a signal handler raises, or NULL: listing ends then, and is done again when the list is asked for. */
void devices_set_stop(Devices *d, const volatile sig_atomic_t *stop);
bool devices_stopped(const Devices *d, Diag *diag);      /* so it was: E25 */
void devices_free(Devices *d);
/* A command line that starts a program, named behind it, on another machine, with its standard streams: "ssh host", "srun -n1". The
 * devices listed are those of there then; with %h in it those of this machine, and "pocl0@name" is the pocl0 of where %h is name.
 * NULL, "" or "none": no launcher. True: it is another one than before, and what was listed is forgotten. */
bool devices_set_launcher(Devices *d, const char *launcher);
/* The list, made once by short-lived workers; 0 when there is no platform (not an error). devices_find starts that of the checker only
 * when no other device is meant, and pointers into the list end then. Includes
 * "oclgrind" when Debian's liboclgrind-rt-icd.so is installed. The default device is the first that is not the checker. */
int devices_list(Devices *d, const DeviceInfo **out);
/* The folder in which records of devices are kept that were measured; NULL: none. Before devices are listed. */
void devices_set_records(Devices *d, const char *folder);
/* From now on that is known of it, and the file where it is kept, malloc: NULL: it is not. False + E06. */
bool devices_keep_record(Devices *d, const DeviceInfo *info, const Target *t, char **file, Diag *diag);
const char *devices_problem(Devices *d);              /* why none could be listed; "": there are none, or some */
const DeviceInfo *devices_default(Devices *d);    /* NULL: there is none */
/* By id, index in the list, "gpu", "cpu", or a unique part of the name; NULL or "" is the default device. NULL and E60
 * with the candidates. */
const DeviceInfo *devices_find(Devices *d, const char *text, Diag *diag);

typedef struct Device Device;        /* one worker on one device */
Device *device_open(const DeviceInfo *info);     /* copies info; starts nothing: who first asks something of it hears whether it opens */
void device_close(Device *d);
const DeviceInfo *device_info(const Device *d);

typedef struct DeviceLimits { int build_ms, run_ms; } DeviceLimits;     /* 60000, 10000 */
void device_set_limits(Device *d, DeviceLimits limits);
/* A flag a SIGINT handler raises, or NULL: at 1 a run ends after the trials under way, at 2 the worker is killed (RUN_DIED,
 * signal SIGINT, so that nothing is held against the kernel). It is never written here. waits (may be NULL) is called when
 * it is at 1 and a trial goes on for a moment. */
void device_set_stop(Device *d, const volatile sig_atomic_t *stop, void (*waits)(void *data), void *data);
/* Called before (on) and after somebody has to wait for the worker. In between nothing is touched but the worker's channel, so that
 * who uses several devices, each from a thread of its own, may let go of a lock there. NULL: nobody is told. */
void device_set_wait(Device *d, void (*wait)(void *data, bool on), void *data);
/* Tells them so of something else that takes a while and touches nothing that others have; what lies within is told once. NULL is fine. */
void device_aside(Device *d, bool on);
/* Start its worker, where there is none, without waiting for it: the next call does, and meets what went wrong. */
void device_begin(Device *d);
/* Does its worker answer, a new one where there is none or it has died? False: why goes to `why`, on one line. */
bool device_answers(Device *d, Buf *why);
/* Is what is timed on one what would be timed on the other: the same model, driver and number of compute units? */
bool devices_alike(const DeviceInfo *a, const DeviceInfo *b);
/* After so many deaths of the worker in a row, with no run between that ended otherwise (a time-out says
 * nothing), or losses of the device, it is paused: callers ask no more of it. True + E62 with what to do;
 * diag may be NULL. set: pause it, or take it up again. */
enum { DEVICE_DEATHS = 3 };
bool device_paused(const Device *d, Diag *diag);
void device_set_paused(Device *d, bool paused);
int device_worker_id(const Device *d);            /* process id of the worker; 0 when none is running */
int64_t device_uploaded(const Device *d);         /* bytes of inputs sent since device_open */

/* What OpenCL tells and what only measuring does (target.def: TOLD, TIMED) into *t, by kernels of our own, within some seconds; the rest of it
 * stays as it is. False + E60..E65. */
bool device_measure(Device *d, Target *t, Diag *diag);

/* The status of a request (decisions.md: The worker), from the reply or from how the worker ended. */
typedef enum {
    RUN_OK, RUN_BUILD_FAILED, RUN_BAD_LAUNCH, RUN_FAILED, RUN_TIMED_OUT, RUN_DIED, RUN_LOST, RUN_FINDING
} RunStatus;

typedef struct KernelReport { int64_t local_bytes, private_bytes, max_group; } KernelReport;

typedef struct BuildReport {
    RunStatus status;
    int opencl_code;           /* CL_BUILD_PROGRAM_FAILURE ...; 0 */
    int signal;                /* RUN_DIED */
    const char *log;           /* never NULL; it lives, as all of a report, until something else is built or run on the device */
    double ms;
    int kernel_count;
    KernelReport *kernels;     /* in the order of the names given */
} BuildReport;

/* Build source; kernels[i] are the names looked up. *program: a number for run requests, valid until the worker dies
 * (then run restarts and rebuilds by itself from the kept source). */
bool device_build(Device *d, const char *source, const char **kernels, int kernel_count, int *program,
                  BuildReport *report, Diag *diag);
void device_forget(Device *d, int program);

typedef enum { ARG_BUFFER, ARG_VALUE, ARG_LOCAL, ARG_ROUND } ArgKind;
typedef struct LaunchArg {
    ArgKind kind;
    int buffer;                /* index into the run's buffers */
    bool written;              /* ARG_BUFFER: an image that the kernel writes */
    uint8_t value[16];         /* ARG_VALUE: bytes as OpenCL wants them */
    size_t bytes;              /* ARG_VALUE: 1..16; ARG_LOCAL: size; ARG_ROUND: 4 or 8 */
    int loop;                  /* ARG_ROUND: of which loop the number of the round, from 0 */
} LaunchArg;

typedef struct Launch {
    int kernel;                /* index into the program's kernel names */
    int arg_count;
    LaunchArg *args;
    size_t global[3], local[3];      /* local all 0: the implementation chooses */
    size_t local_bytes;        /* of local memory that the launch has to give (CUDA C) */
} Launch;

/* Launches [first, end) again and again (plan.h: PlanLoop says what happens to the state). */
typedef struct LaunchState { int from, to, init, out, spare; } LaunchState;      /* buffers; from and to are BUF_STATE */
typedef struct LaunchLoop {
    int around;                /* the loop it stands in, of a smaller number; -1 */
    int first, step, end;
    int64_t rounds;            /* >= 1 */
    int test;                  /* buffer of the bool that launches [first, step) make; -1: there is none */
    int state_count;
    LaunchState *states;
} LaunchLoop;

typedef enum { BUF_INPUT, BUF_OUTPUT, BUF_TEMP, BUF_STATE, BUF_IMAGE } BufferRole;
/* What the four channels of a texel hold: 32 bits each. */
typedef enum { TEXELS_FLOAT, TEXELS_SIGNED, TEXELS_UNSIGNED } Texels;
/* Has the device images of such texels that kernels read, or, written, read and write? False: no, or, with an error, it does not say. */
bool device_has_texels(Device *d, Texels kind, bool written, Diag *diag);
typedef struct RunBuffer {
    BufferRole role;
    size_t bytes;              /* BUF_STATE has no memory of its own */
    const void *input;         /* BUF_INPUT: contents, which runs share: no kernel may change them (RunRequest.check_inputs) */
    void *output;              /* BUF_OUTPUT: where the result goes (caller's memory, bytes long); may be NULL */
    uint8_t fill;              /* byte pattern of outputs and temporaries before every verify run (the sentinel); its highest bit: that of guards */
    const char *name;          /* for messages; NULL: it has none */
    ContentKey key;            /* BUF_INPUT: of the contents, where it is known */
    int of;                    /* BUF_IMAGE: of which buffer, whose content it has whenever a kernel starts that reads it; and which has
                                  what kernels wrote to it, whenever something reads that */
    bool written;              /* BUF_IMAGE: some kernel writes it */
    size_t width, height;      /* BUF_IMAGE: in texels */
    Texels texels;
} RunBuffer;

/* What of the transfers between host and device is timed with the launches; bits. */
typedef enum Transfer { TRANSFER_NONE = 0, TRANSFER_TO = 1, TRANSFER_FROM = 2, TRANSFER_BOTH = 3 } Transfer;
const char *transfer_name(Transfer t);                 /* "none" "to" "from" "both" */
bool transfer_named(const char *name, Transfer *out);

typedef struct RunRequest {
    int program;
    int launch_count;          /* executed in order, as one run */
    Launch *launches;
    int buffer_count;
    RunBuffer *buffers;
    int warmup, trials;        /* trials >= 1; outputs are read after the first run, before any repetition */
    bool canaries;             /* guard bytes around each array: what reads them computes something else, and those that the first
                                  run has changed are a RUN_FINDING; on the checking device its own bounds checks serve instead */
    Transfer transfer;         /* TO: inputs are written, FROM: outputs are read in every execution */
    bool by_kernel;            /* RunReport.kernels_ns */
    bool finish;               /* wait for the end of each launch before the next one */
    bool check_inputs;         /* of kernels not generated: inputs that were written to are a RUN_FINDING, and sent anew */
    int loop_count;
    LaunchLoop *loops;
} RunRequest;

typedef struct RunReport {
    RunStatus status;
    int opencl_code, signal;
    const char *log;           /* findings of the checking device, messages; never NULL */
    int trial_count;
    double *times_ns;          /* per trial: sum over launches and timed transfers, from device timers */
    double *kernels_ns;        /* per trial, of each launch, all rounds of its loops together; NULL unless asked for */
    int64_t *launches;         /* how often each was made in one execution, which the test of a loop may end; with RUN_OK */
    double wall_ms;            /* of all executions as the caller sees them; no build, upload or reading back */
} RunReport;

/* With trials 1 and warmup 0 the first run is the timed one. A limit applies to each execution, not to all trials together.
 * After a finding the outputs are read, nothing is timed. True: RUN_OK. All of report is set always, and diag (E60..E65)
 * for every status but RUN_OK. */
bool device_run(Device *d, const RunRequest *r, RunReport *report, Diag *diag);

#endif

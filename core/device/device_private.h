/* device_private: what the modules behind device.h share, bottom first: device_list.c (the devices of the machine),
 * device_ask.c (one device, its worker and what that is asked), device_say.c (what is said of what came of it),
 * device_input.c (inputs that the worker holds) and device.c (building, running). Not for anybody else. */
#ifndef DEVICE_PRIVATE_H
#define DEVICE_PRIVATE_H

#include "device.h"
#include "process.h"

/* ---- device_list.c ---- */

char *device_text(const char *s);                 /* a copy, malloc; of NULL: "" */
int64_t device_number(const json_t *o, const char *key);
DeviceInfo device_info_copy(const DeviceInfo *i);
void device_info_free(DeviceInfo *i);
void device_describe_end(Process *p, ExchangeStatus s, Buf *out);        /* why there was no reply */

/* ---- one device (device_ask.c) ---- */

typedef struct Program {
    int id;
    bool built;                /* in the present worker */
    char *source, **kernels;
    int kernel_count;
} Program;
void program_free(Program *p);

typedef char Key[33];
typedef struct Cached {        /* an input the present worker holds */
    Key key;
    size_t bytes;
    int64_t used;              /* number of the request that used it last */
} Cached;

struct Device {
    DeviceInfo info;
    DeviceLimits limits;
    const volatile sig_atomic_t *stop;
    void (*waits)(void);
    Process *process;
    bool opening;              /* it was asked to open the device, and the reply has not been waited for */
    VEC(Program) programs;
    VEC(Cached) inputs;
    int next_program, deaths;
    int64_t requests, uploaded;
    void (*wait)(void *data, bool on);   /* NULL: nobody is told */
    void *wait_data;
    int asides;                /* device_aside(true) so many times more than (false) */
    int texels[2];             /* kinds of images that are read, and written, as bits, 1 << Texels; -1: it was not opened yet */
};

/* What a reply, or a missing one, comes to. */
typedef struct Outcome {
    RunStatus status;
    int code, signal;
    int limit_ms;              /* RUN_TIMED_OUT: which limit */
    bool is_building;          /* it happened in a build */
    Buf log;
} Outcome;

typedef enum { DO_OPEN, DO_PING, DO_BUILD, DO_MOVE, DO_RUN } Phase;

/* A worker that is alive and has the device open. */
bool worker_need(Device *d, Outcome *o);
/* One request; takes head. True: RUN_OK. The caller frees the reply always. */
bool worker_ask(Device *d, Phase phase, json_t *head, const Blob *blob, Frame *reply, Outcome *o);
/* A request whose reply holds nothing more; o NULL: what comes of it is no matter. */
bool worker_tell(Device *d, Phase phase, json_t *head, Outcome *o);
/* The exchange ended so: the outcome, and the worker is dropped. */
void worker_end(Device *d, ExchangeStatus s, Phase phase, Outcome *o);

/* ---- device_say.c ---- */

/* Reports every status but RUN_OK; subject: "kernel mm_k0". */
void outcome_explain(const Device *d, const Outcome *o, const char *subject, Diag *diag);
/* A build, or a run (ran), ended so: counts deaths in a row, of which that something was built shows nothing; explains; frees the
 * subject. The log, taken out of o; malloc. */
char *outcome_conclude(Device *d, Outcome *o, bool ran, Buf *subject, Diag *diag);
void kernels_name(char *const *names, int n, Buf *out);          /* "kernel A", or "kernels A, B ..." of all the names */

/* ---- device_input.c ---- */

/* The keys of the inputs, one a buffer, all marked as used now, so that making room spares them. malloc. */
Key *input_keys(Device *d, const RunRequest *r);
/* Sends what the worker does not hold. */
bool inputs_need(Device *d, const RunRequest *r, const Key *keys, Outcome *o);
/* The worker holds that one no more, if it lives. */
void input_forget(Device *d, const char *key);

#endif

/* driver: how lathe-worker drives a device: by OpenCL (driver_opencl.c) or by CUDA (driver_cuda.c). Not for anybody else.
 *
 * A driver is a table of functions over the one device that is open. Its libraries are loaded when it is asked for, so that a worker starts where
 * they are not. What returns int returns 0, or a code of the driver's own, which `error` names; so does *code. Sizes are bytes. */
#ifndef DRIVER_H
#define DRIVER_H

#include <jansson.h>

#include "device.h"

typedef struct DriverState DriverState;            /* its libraries, and the device that is open */
typedef struct DriverMemory DriverMemory;          /* a buffer or an image */
typedef struct DriverProgram DriverProgram;
typedef struct DriverKernel DriverKernel;
typedef struct DriverEvent DriverEvent;            /* a command that was given and may not have ended */

typedef struct DriverLimits {
    size_t group, items[3];
    uint64_t local, alloc;                         /* of a group; of one buffer */
    bool guards;                                   /* can memory have guards? */
    int texels[2];                                 /* Texels of device.h, 1 << kind, of images that kernels read; or read and write */
} DriverLimits;

enum { DRIVER_GUARD = 4096 };                      /* bytes of a guard: a row of a small matrix; a multiple of what any device aligns memory to */

typedef struct KernelFacts {
    int64_t local_bytes, private_bytes;
    size_t max_group, required[3];                 /* required: the group that it was compiled for; 0: any */
    int arguments;                                 /* -1: it does not say */
} KernelFacts;

typedef struct DriverLaunch {
    DriverKernel *kernel;
    int dims;
    const size_t *global, *local;                  /* work-items of all, and of a group; local NULL: the driver chooses */
    size_t local_bytes;                            /* of local memory that the launch has to give */
} DriverLaunch;

typedef struct Driver {
    const char *api;                               /* as requests name it: "opencl" */
    DriverState *(*load)(void);                    /* its libraries; NULL: they are not there */
    void (*list)(DriverState *s, json_t *devices);                 /* its devices, appended as `hello` tells of them */
    /* *code -1: there is no such device. */
    bool (*open)(DriverState *s, int64_t platform, int64_t device, DriverLimits *limits, int *code);
    void (*close)(DriverState *s);                 /* what is open, and the state */
    const char *(*error)(DriverState *s, int code);                /* "CL_OUT_OF_RESOURCES" */
    bool (*no_room)(int code);                     /* is it about the device's memory? */

    /* guarded: with a guard before it and one behind, which write and read reach, at -DRIVER_GUARD and at `bytes`. */
    DriverMemory *(*memory)(DriverState *s, size_t bytes, bool read_only, bool guarded, int *code);
    DriverMemory *(*image)(DriverState *s, size_t width, size_t height, Texels texels, bool written, int *code);
    void (*memory_release)(DriverState *s, DriverMemory *m);
    /* Commands come one after the other. event NULL: write and read wait for their end; else the other side stays as it is until the event is over. */
    int (*write)(DriverState *s, DriverMemory *to, ptrdiff_t at, size_t bytes, const void *from, DriverEvent **event);
    int (*read)(DriverState *s, DriverMemory *from, ptrdiff_t at, size_t bytes, void *to, DriverEvent **event);
    int (*fill)(DriverState *s, DriverMemory *m, size_t bytes, uint8_t byte);
    int (*copy)(DriverState *s, DriverMemory *from, DriverMemory *to, size_t bytes, DriverEvent **event);
    int (*copy_image)(DriverState *s, DriverMemory *image, DriverMemory *buffer, bool to_image, size_t width, size_t height, DriverEvent **event);

    DriverProgram *(*build)(DriverState *s, const char *source, size_t bytes, Buf *log, int *code);         /* NULL: log says why, where anything does */
    void (*program_release)(DriverState *s, DriverProgram *p);
    DriverKernel *(*kernel)(DriverState *s, DriverProgram *p, const char *name, int *code);
    void (*kernel_release)(DriverState *s, DriverKernel *k);
    KernelFacts (*facts)(DriverState *s, DriverKernel *k);
    /* Argument i for the launches to come: a buffer, or bytes at value (NULL: of local memory). */
    int (*give_memory)(DriverState *s, DriverKernel *k, int i, DriverMemory *m);
    int (*give)(DriverState *s, DriverKernel *k, int i, size_t bytes, const void *value);
    int (*launch)(DriverState *s, const DriverLaunch *l, DriverEvent **event);
    int (*finish)(DriverState *s);                           /* waits for all that was given */
    void (*wait)(DriverState *s, DriverEvent *e);
    int (*end)(DriverState *s, DriverEvent *e, double *ns);        /* of one that is over: what came of it, how long it took; it is gone then */
} Driver;

#define DRIVERS(D) D(opencl) D(cuda)
#define DRIVER(id) extern const Driver driver_##id;
DRIVERS(DRIVER)
#undef DRIVER

/* What drivers say of themselves, as JSON: they may hold any byte, and blanks around. In the driver's own text. */
json_t *driver_text(char *s);
/* A shared library by the first of these names that is found, names ending with NULL; its functions into table, in the order of functions, which
 * ends with NULL. False: there is none, or it lacks one. */
bool driver_load(const char *const *libraries, const char *const *functions, void **table);

#endif

/* code_host: programs around the kernels of a version: what their languages share. For code_host*.c. */
#ifndef CODE_HOST_H
#define CODE_HOST_H

#include "shell.h"
#include "verifier.h"

typedef struct Host Host;
struct Host {
    Shell *sh;
    const Version *v;
    const Plan *plan;
    const Values *values;
    Data **data;                         /* by input; NULL: not needed yet */
    const char *const *types;            /* by scalar: "cl_float" */
    bool cast;                           /* memory is cast to its type, as C++ wants it */
    NatName *size;                       /* prints what a size is called in the program; NULL: sizes are numbers there */
    const void *size_data;
    const char *self;                    /* what all helper functions get first, with a comma; "" */
    const char *queue;                   /* the same of those that enqueue */
    bool (*launch)(Host *h, int kernel);                                 /* prints it, indented */
    /* For host_put: a device's buffer, of what is in it and a comment; the type of one; goes_on with the content of a flag; a copy of a
     * buffer to the one of that name, so many bytes. */
    const char *buffer, *state, *test, *copy;
    int indent;                          /* spaces */
    Buf *out;
};

#define EACH_BUFFER(plan, b) for (const PlanBuffer *b = (plan)->buffers; b < (plan)->buffers + (plan)->buffer_count; b++)

/* A size of the plan in the program's C: a number, or an expression over what its sizes are called. In the scratch arena. */
const char *host_size(const Host *h, const Nat *n);
/* As buf_printf, with $b the buffer's name, $n how many elements it has, $t their type, $c what makes one of a number in brackets, $v ... $w a number of one, $i the indentation. */
void host_put(const Host *h, const PlanBuffer *b, const char *fmt, ...) PRINTF_LIKE(3, 4);
void host_part(const char *name, Buf *out);      /* what of a program is always the same: a part of host.txt */

/* The helper functions that the main program in h->out calls, then it. helpers: a part of them; NULL: none. */
void host_end(const Host *h, const char *helpers, Buf *out);

/* False + those of session_values. Closed with host_close. */
bool host_open(Host *h, Shell *sh, const Version *v, const Plan *plan, Values *values, Buf *out);
void host_close(Host *h);
int64_t host_number(const Host *h, const Nat *n);
void host_memory(const Host *h, const PlanBuffer *b);                     /* h_NAME, of the buffer's size */
/* h_NAME of each input, as in the session or from the file that is that argument of the program, and its buffer. *count: how
 * many there are. False + E37: there are too many values to be written down. */
bool host_inputs(Host *h, int *count);
/* Each line of the text as a string of C, between what stands before and behind it. */
void host_lines(const char *text, const char *before, const char *behind, Buf *out);
void host_buffers(const Host *h);        /* those of the device that are filled there: outputs, temporaries */
bool host_launches(Host *h);             /* all of the plan's, loops with what their states stand for */
bool host_kernel(Host *h, int kernel);   /* Host.launch in OpenCL */
void host_image(const Host *h, const PlanBuffer *b, const char *fmt);    /* the same as host_put, with its type and both its lengths for fmt */
void host_image_copy(const Host *h, const PlanBuffer *image, bool back); /* of the buffer's content to it, or back */
bool host_value(Host *h, const PlanArg *a);                              /* what is passed by value: false: an input cannot be filled */
/* Of a launch in CUDA what stands before its arguments; groups: of each dimension; stream: "" or ", NAME". */
void host_grid(Host *h, const PlanKernel *k, const char *const *groups, const char *stream);
void host_comparison(const Host *h, const PlanBuffer *b, Verifier *v);    /* counts how many of h_NAME are not what they must be */
void host_result(const Host *h, const PlanBuffer *b);                     /* prints the first elements of h_NAME */
/* The inputs as they are here, with the reference; NULL + error. */
Verifier *host_verifier(Host *h);
void host_comment(const Host *h, Buf *out);                              /* lines that say what each file is */

#endif

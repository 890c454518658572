/* library: versions of a program as one function for callers elsewhere: what they pass, and each version with its plan. For library.c and python.c. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "manifest.h"

typedef struct LibraryVersion {
    const Version *version;
    int number;                          /* from 1 on */
    Values values;
    bool constants;                      /* for sizes that are set in values alone */
    int given;                           /* sizes that the session has set */
    Plan *plan;
} LibraryVersion;

typedef struct Library {                 /* in the scratch arena */
    Shell *sh;
    const Program *program;
    const struct LibraryTarget *target;
    const char *name, *upper;
    const char **sizes;                  /* by size of the program: its name in C */
    const char *parameters, *arguments;  /* all of them: ", int64_t N, int64_t M"; ", N, M" */
    int port_count, version_count;
    Port *ports;                         /* inputs in declared order, then the result */
    LibraryVersion *versions;            /* the first that is for the sizes and the device is run */
    int kernels, temporaries;            /* while it is printed: of all versions; the most that one has */
} Library;

/* What `export library` and `export python` take in their third word and behind it: versions, each for the --sizes asked for, then for all.
 * target, name: NULL: opencl, the program's. False + error. */
bool library_open(Library *l, Shell *sh, const Args *a, const char *target, const char *name);
/* "64 divides N, M*N <= 2147483647": what a version needs of sizes; "": nothing. In scratch. */
const char *library_facts(const Library *l, const LibraryVersion *v);
/* What a caller needs to know, sizes as trees (help kernels). A new reference. */
json_t *library_manifest(const Library *l);

#endif

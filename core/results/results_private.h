/* results_private: what the parts of results share. */
#ifndef RESULTS_PRIVATE_H
#define RESULTS_PRIVATE_H

#include <sqlite3.h>
#include <stdio.h>

#include "results.h"

struct Results {
    sqlite3 *db;
    char *path;                          /* malloc; NULL: in memory */
    char *process, *session;             /* malloc; process: "BOOT PID START" */
    char *trouble;                       /* malloc; not yet told */
    char *told;                          /* malloc; given out by results_trouble */
    sqlite3_stmt *begin, *state, *end, *find, *best;
};

/* The columns of a Result in the order in which results_row_read takes them; identity, process and id are not among them. */
#define RESULT_STORED "version,params,sizes,inputs,options,device,device_name,driver,transfer,tool," \
    "source,program,state,ns,min_ns,iqr_ns,limit_ms,trials,build_ms,flops,bytes,message,derivation,search,sequence," \
    "features,at,number,session,times,verify_ms,fixed,origin"
#define COMPARED "instr(' '||options||' ',' " RESULT_PARANOID " ')=0 AND transfer='none'"      /* !result_is_apart */
void results_row_read(sqlite3_stmt *s, int first, Arena *arena, Result *out);
/* The text of that file, which is cut up. E03; E25: *stop was raised (NULL: never). */
bool results_read_tsv(Results *r, char *text, const char *file, const volatile int *stop, Diag *diag);
void results_failed(Results *r, const char *what);               /* remember sqlite's message as trouble */

#endif

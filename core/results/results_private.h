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

/* What is stored of a Result, in the order of columns.def; identity, process and id are not among it. */
enum {
#define KEY(value, field, ...) FIELD_##field,
#define FIELD KEY
#define HIDDEN KEY
#include "columns.def"
    RESULT_FIELDS
};
typedef enum ResultValue {
    VALUE_TEXT, VALUE_HASH, VALUE_STATE, VALUE_DATE, VALUE_LONG, VALUE_INT, VALUE_NUMBER, VALUE_TIME,
} ResultValue;
typedef struct ResultField {
    const char *stored;                  /* column of the table */
    ResultValue value;
    size_t at;                           /* in a Result */
    int since;                           /* the store's first version with it */
} ResultField;
extern const ResultField result_fields[RESULT_FIELDS];
const char *result_field_type(int field);        /* in SQL, with what older rows have */
const char *result_field_text(const Result *r, int field);       /* of a TEXT; NULL as it stands */
char *result_select_sql(const char *behind);     /* id and all fields; malloc */
json_t *number_json(double v);              /* whole without a fraction; NaN: null */
const char *result_invalidity(ResultState s);     /* T4's word for it; NULL: no result yet */
const char *result_objective(const Result *r);    /* T4's measurement that its search was for: the words behind `-o` of its label */
/* T4's results into the store. False + E03: it is none. */
bool results_t4_read(Results *r, const json_t *all, const char *file, Diag *diag);
void results_row_bind(sqlite3_stmt *s, const Result *r);         /* ?1 ... */
void results_row_read(sqlite3_stmt *s, Arena *arena, Result *out);      /* its columns after the first */
void result_column_sql(const ResultColumn *c, Buf *out);         /* an expression in parentheses */
/* The inverse of result_text; a text lives on in the result. Of a state that is none: RESULT_STATES. */
void result_field_parse(Result *out, const ResultColumn *c, const char *text);
/* Of Result.times: how many there are, their average, and their deviation from it as a sample (0 of one). */
typedef struct ResultSpread { int n; double mean, deviation; } ResultSpread;
ResultSpread result_spread(const char *times);
#define COMPARED "instr(' '||options||' ',' " RESULT_PARANOID " ')=0 AND transfer='none'"      /* !result_is_apart */
Results *results_memory(const char *copied);      /* a store in memory, of what that file holds; NULL: it is none */
int64_t result_identity(const ResultKey *k);       /* a hash of all that tells results apart but the source */
void results_failed(Results *r, const char *what);               /* remember sqlite's message as trouble */

#endif

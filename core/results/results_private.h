/* results_private: what the parts of results share. */
#ifndef RESULTS_PRIVATE_H
#define RESULTS_PRIVATE_H

#include <sqlite3.h>
#include <stdio.h>

#include "results.h"

struct Results {
    sqlite3 *db;
    Arena *arena;                        /* of ... */
    const char *path;                    /* NULL: in memory */
    const char *process, *session;       /* process: "BOOT PID START" */
    Buf trouble;
    bool troubled;                       /* it was not told yet */
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
void results_bind_text(sqlite3_stmt *s, int i, const char *text);        /* NULL: "" */
json_t *number_json(double v);              /* whole without a fraction; NaN: null */
void results_row_bind(sqlite3_stmt *s, const Result *r);         /* ?2 ... */
void results_row_read(sqlite3_stmt *s, Arena *arena, Result *out);      /* of the id and all fields */
void result_column_sql(const ResultColumn *c, Buf *out);         /* an expression in parentheses */
/* The inverse of result_text; a text lives on in the result. Of a state that is none: RESULT_STATES. */
void result_field_parse(Result *out, const ResultColumn *c, const char *text);
/* Of Result.times: how many there are, their average, and their deviation from it as a sample (0 of one). */
typedef struct ResultSpread { int n; double mean, deviation; } ResultSpread;
ResultSpread result_spread(const char *times);
Results *results_memory(const char *copied);      /* a store in memory, of what that file holds; NULL: it is none */

#endif

/* schema: what commands report: shapes of their JSON, and examples. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <jansson.h>

#include "base.h"

typedef struct Report {
    const char *command, *type;          /* type: see reports.def */
    const char *examples;                /* one a line */
} Report;
const Report *report_get(int i);                             /* NULL behind the last */
const Report *report_find(const char *command);              /* NULL: none */
json_t *schema_of(const char *type);                         /* a type text as JSON Schema; NULL: it does not parse */
json_t *schema_all(void);                                    /* of a line of --json */

#endif

/* schema: what commands report: types of their JSON, and values made by them.
 *
 * A type is a text: s string, i integer, n number, b boolean, any, time (a number; "-" under `set times off`), the name of another one
 * (schema.c), [type] a list, {key:type key?:type *:type} an object (key?: may be missing; *: any other key), type? may be null,
 * type|type either. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <jansson.h>

#include "base.h"

json_t *schema_of(const char *type);                         /* as JSON Schema; NULL: it does not parse */
json_t *schema_all(void);                                    /* of a line of --json */

/* A value of such a type, its parts in their order: s const char *, i int, l int64_t, n double, b bool, o json_t *, which it takes.
 * What is NULL is null as `t?`; as `name?:` it is left out, and so is the number 0. Else all is NULL. */
json_t *json_of(const char *type, ...);
json_t *json_of_args(const char *type, va_list *ap);
void json_add(json_t *list, const char *type, ...);          /* appended; to NULL: nothing */
json_t *json_text(const char *text, size_t n);               /* NUL and all; a byte that is no UTF-8 as \xhh */
json_t *json_parts(const char *text, const char *cut);       /* what stands between characters of `cut`, without blanks before it */

#endif

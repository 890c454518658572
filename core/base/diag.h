/* diag: sources, spans, and the one error a failing operation reports. */
#ifndef DIAG_H
#define DIAG_H

#include "base.h"

/* A text that was read; spans are byte offsets into it. Text is NUL-terminated and outlives its users. */
typedef struct Source {
    const char *name;
    const char *text;
    size_t len;
} Source;

typedef struct Span {
    uint32_t from, to;      /* [from, to) */
} Span;

/* Every error the tool reports has a row in errors.def: id, exit code (decisions.md: Exit codes), one line of help. */
typedef enum ErrorId {
    E_NONE,
#define ERROR(id, code, help) id,
#include "errors.def"
#undef ERROR
    ERROR_COUNT
} ErrorId;

const char *error_name(ErrorId id);      /* "E21" */
int error_code(ErrorId id);              /* process exit code, 0 for E_NONE */
const char *error_help(ErrorId id);

/* Warnings: things that went well but deserve a word; each can be silenced by its id. warnings.def declares them. */
typedef enum WarningId {
#define WARNING(id, help) id,
#include "warnings.def"
#undef WARNING
    WARNING_COUNT
} WarningId;

const char *warning_name(WarningId id);  /* "W08" */
const char *warning_help(WarningId id);
WarningId warning_from_name(const char *name, size_t len);      /* WARNING_COUNT: none */

enum { DIAG_NOTES = 12 };

/* The first error wins; later ones are dropped until diag_clear. Notes after the error belong to it. Where it is reported to NULL,
 * nobody wants to know why. */
typedef struct Diag {
    Arena *arena;
    ErrorId id;                          /* E_NONE: no error */
    const char *message;                 /* one line that stands alone */
    const Source *source;                /* NULL: no caret */
    Span span;
    int note_count;
    struct { const char *label, *text; } notes[DIAG_NOTES];   /* rule needs found near try ... */
} Diag;

Diag diag_new(void);
void diag_free(Diag *d);
void diag_clear(Diag *d);
bool diag_failed(const Diag *d);
/* What it holds, for which an empty one stands in its place until it is given back. */
Diag diag_aside(Diag *d);
void diag_back(Diag *d, Diag aside);

/* Both return true when this error was the first, so that its notes may follow. */
#define diag_error(d, id, ...) diag_error_at(d, id, NULL, (Span){0, 0}, __VA_ARGS__)
bool diag_error_at(Diag *d, ErrorId id, const Source *s, Span span, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The same with its notes, lines behind the first, each behind its label: "...\ntry load FILE". Always false. */
bool diag_fail(Diag *d, ErrorId id, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diag_note(Diag *d, const char *label, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Copy an error (texts included) so that it survives diag_clear of the original. */
void diag_copy(Diag *to, const Diag *from);

/* "E21 message", then "name:line:col" with the line and ^~~~, then the notes, each on a line. */
void diag_render(const Diag *d, Buf *out);

/* 1-based line and column (in bytes) of an offset. */
void source_position(const Source *s, uint32_t offset, int *line, int *column);

#endif

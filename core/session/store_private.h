/* store_private: session files as text and records, shared by store_*.c only.
 *
 * A file is a sequence of records. A record is a head line `KIND WORD... KEY=VALUE...  #CHECK` and continuation
 * lines that start with `|`. CHECK, 8 hex digits, covers head and continuation, so that a damaged or cut record is
 * known as such. What is not a plain word is "quoted" with \" \\ \n \t \xNN. */
#ifndef STORE_PRIVATE_H
#define STORE_PRIVATE_H

#include "session_private.h"
#include "store.h"

enum { STORE_FORMAT = 1, MACRO_DEPTH = 64 };         /* MACRO_DEPTH: nesting of macros that is recorded */

/* ---- writing records (store_text.c) ---- */

typedef struct RecordText {
    Buf head, lines;
} RecordText;
void record_begin(RecordText *r, const char *kind);
void record_word(RecordText *r, const char *word);                   /* quoted where needed */
void record_pair(RecordText *r, const char *key, const char *value);
void record_printf(RecordText *r, const char *fmt, ...) PRINTF_LIKE(2, 3);      /* one plain word */
void record_line(RecordText *r, const char *text, size_t n);         /* a continuation line, without line breaks */
void record_text(RecordText *r, const char *text);                   /* several */
void record_end(RecordText *r, Buf *out);                            /* appended to out; r is empty again */
void record_free(RecordText *r);

/* ---- reading records ---- */

typedef struct Record {
    int line;                            /* of its head, from 1 */
    const char *kind;
    int word_count, pair_count, line_count;
    const char **words, **keys, **values, **lines;
} Record;
typedef struct RecordReader {
    Arena *arena;                        /* of the records */
    const char *text;
    size_t len, at;
    int line;                            /* lines before at */
} RecordReader;
/* The next record. False at the end. why is set, and kind is "", for one that is damaged: it is passed over. */
bool record_next(RecordReader *r, Record *out, const char **why);
const char *record_value(const Record *r, const char *key);          /* NULL: not there */

/* ---- the records of a session (store_write.c) ---- */

/* What may happen to a record in a file that only grows. */
typedef enum RecordClass {
    RECORD_BASE,                         /* before all steps; does not change */
    RECORD_STATE,                        /* after them; a later one of its key replaces it */
    RECORD_PLACE,                        /* the same; where the user is, no work of his */
} RecordClass;
/* Takes the record's text away. */
typedef void RecordSink(void *data, RecordClass class, const char *key, RecordText *record);
void store_header(const char *kind, RecordText *r);
void store_base(const Session *s, RecordSink *sink, void *data);
void store_state(const Session *s, const StoreItem *items, int count, bool places, RecordSink *sink, void *data);
void store_step(const Session *s, const Derivation *d, const Version *v, RecordText *r);
/* The text of a file: header, base, steps, state. */
void store_whole(const Session *s, const StoreItem *items, int count, const char *kind, Buf *out);
/* Take away what is left of writing that file in a process that was killed. */
void store_sweep(const char *file);
/* Write a file beside the one of that name, sync it, and rename it over it. Its descriptor, which is locked,
 * is left in *keep unless NULL. False + E06. */
bool store_replace(Diag *diag, const char *file, const Buf *text, int *keep);

#endif

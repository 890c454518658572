/* target: what a kind of device is and how fast, as numbers: what OpenCL tells of one, and what only measuring does (target.def). All that chooses
 * kernels or predicts their times takes its numbers from here.
 *
 * A record as text has lines NAME = NUMBER, # begins a comment. "like = NAME" first takes all of another record; without it every number
 * of its kind stands there. "kind = gpu" or "kind = cpu". */
#ifndef TARGET_H
#define TARGET_H

#include "diag.h"

typedef enum TargetField {
#define TARGET(id, name, kind, source, unit, help) TARGET_##id,
#include "target.def"
#undef TARGET
    TARGET_FIELDS
} TargetField;

typedef enum TargetKind { TARGET_ANY, TARGET_GPU, TARGET_CPU } TargetKind;
typedef enum TargetSource { TARGET_TOLD, TARGET_TIMED, TARGET_FITTED, TARGET_KNOWN } TargetSource;
typedef struct TargetFieldInfo {
    const char *name;
    TargetKind kind;           /* ANY, or the only one that has it */
    TargetSource source;
    const char *unit, *help;
} TargetFieldInfo;
const TargetFieldInfo *target_field(TargetField f);
TargetField target_field_named(const char *name);       /* TARGET_FIELDS: none */
bool target_has(TargetField f, TargetKind kind);

typedef struct Target {
    const char *name;          /* "h200", or of what else it is the record */
    TargetKind kind;           /* GPU or CPU */
    double v[TARGET_FIELDS];   /* 0: its kind has it not */
} Target;

/* The records of this folder; the name of the last is NULL. By name: NULL where there is none. */
extern const Target target_records[];
const Target *target_named(const char *name);
/* What a device of that kind is taken for where nothing else is known of it: h200, pocl. */
const Target *target_of_kind(bool gpu);

/* A number that devices of that kind have: of t, or where it is NULL or of the other kind, of what such a device is taken for. */
double target_number(const Target *t, TargetKind kind, TargetField f);

/* From a text; file is its name in messages, name the record's. False + E03 or E05. */
bool target_read(const char *text, const char *file, const char *name, Arena *arena, Target *out, Diag *diag);
Target *target_copy(Arena *arena, const Target *t);      /* with its name */
void target_write(const Target *t, Buf *out);           /* as target_read reads it */

#endif

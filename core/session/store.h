/* store: session files: text, line oriented (sessions.md); store_write.c describes the format. */
#ifndef STORE_H
#define STORE_H

#include "session.h"

/* What a session file keeps for the shell: a chunk of Lua, a macro, an alias, the text of a term. kind and name have no blanks. */
struct StoreItem { const char *kind, *name, *text; };

/* Write the whole session into FILE, whose content is replaced at once or not at all, even when the power fails. E06. */
bool session_save(const Session *s, const StoreItem *items, int count, const char *file);
/* A number that changes with the user's work: versions, tags, marks, sizes, inputs, settings, rules, items,
 * definitions by `let`; with programs, with what was loaded too. Where he is takes no part. */
uint64_t session_work(const Session *s, const StoreItem *items, int count, bool programs);

/* A file that receives what is new in a session each time. */
Journal *journal_new(const char *file);                              /* writes nothing yet */
/* Append what is new, in one write, and sync it; nothing new costs no system call. The file is locked (flock)
 * while the process lives. E06: what was written before stays readable. */
bool journal_write(Journal *j, const Session *s, const StoreItem *items, int count);
const char *journal_file(const Journal *j);                          /* NULL: nothing was written */
void journal_free(Journal *j, bool keep);                            /* keep false: the file goes too. NULL is fine */

/* What reading a session file gave, in the arena given. */
typedef struct Loss {
    int line;                            /* 0: none in particular */
    const char *what, *why;              /* what may be "" */
} Loss;
typedef struct PastRewrite {             /* an elementary rewrite that was made once */
    const char *call, *place;            /* splitJoin{n=s0}, /in/f; of a line that is none: itself and "" */
    const MacroUse *within;              /* NULL: none */
    const char *head;                    /* what was there: "map"; "": not known */
    const char *shapes[2];  /* its redex as search patterns, three and two primitives deep; NULL: none or no other */
} PastRewrite;
typedef struct PastStep {                /* what made a version */
    const char *program;                 /* of a step in a file, and ... */
    int number, parent;                  /* parent: as well */
    StepKind kind;
    const char *call, *place;            /* place NULL: none */
    uint64_t hash, from_hash;            /* of the version and of its parent; 0: not known */
    int count;
    PastRewrite *rewrites;
    int param_count;
    const TuneParam *params;             /* that it binds; 0: unbinds */
    const EditedCode *code;              /* STEP_CODE: the kernels edited by hand; NULL: they could not be read */
    const char *replaced;                /* the source that these replace; NULL: not known any more */
} PastStep;
typedef struct TrustClaim {              /* "checked", a file says of a rule: by so many instances from that seed */
    const char *rule;                    /* the session's name of it */
    uint64_t seed;
    int64_t count;
} TrustClaim;
struct ReadReport {
    int programs, versions;              /* read; versions without the sources */
    const char *made_by;                 /* version of lathe */
    bool other_rules;                    /* its built-in rules were others */
    VEC(Loss) losses;                    /* malloc: free(losses.v) */
    VEC(StoreItem) items;                /* malloc */
    VEC(TrustClaim) claims;              /* malloc */
    VEC(PastStep) steps;                 /* malloc; as their records say, whether they could be repeated or not */
};
void report_free(ReadReport *r);         /* what is malloc */
/* Read a session file: all versions are rebuilt by repeating their elementary steps, and kept only if their
 * hash is the recorded one. Rules of users' are assumed, whatever it says of them. What is damaged or does not repeat is a
 * loss; the rest is kept. NULL + E06, or
 * E41 when it is no session file at all, or E25 when *stop was raised (NULL: never) on the way. */
Session *session_read(const char *file, const volatile int *stop, Arena *arena, Diag *diag, ReadReport *out);

#endif

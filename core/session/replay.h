/* replay: recorded steps done again elsewhere (versions.md). */
#ifndef REPLAY_H
#define REPLAY_H

#include "store.h"

typedef struct Past {                    /* all texts in the arena given, none in the session they come from */
    const char *program;
    int count;
    PastStep *steps;                     /* in order */
    int param_count;                     /* parameters there were before the first */
    const char **params;
} Past;
/* The steps that lead from a to b, which descends from it; else E13. */
bool session_past(Session *s, const Version *a, const Version *b, Arena *arena, Past *out);
/* The same from a file that was read into `read`; versions that could not be rebuilt are in it by
 * their records. E13 in diag. */
bool report_past(const ReadReport *r, Session *read, const char *program, int from, int to, Arena *arena,
                 Diag *diag, Past *out);

typedef enum ReplayLevel {               /* from strict to lenient */
    REPLAY_EXACT,                        /* on the recorded term, with the recorded result: proved by the hashes */
    REPLAY_PLACE,                        /* the same rule at the same path, in another term */
    REPLAY_FORWARDED,                    /* at the place that the recorded one has moved to */
    REPLAY_SHAPE,                        /* at the only place that looks like the recorded redex */
} ReplayLevel;
const char *replay_level_name(ReplayLevel level);
typedef struct Replay Replay;            /* names and places that differ from the recorded ones, from step to step */
Replay *replay_new(Session *s, const Past *past);                    /* onto the current version, which must be */
void replay_free(Replay *r);
typedef struct ReplayResult {
    const Version *made;
    ReplayLevel level;                   /* the most lenient of its rewrites */
    const char *how;      /* what was done elsewhere: "mapSeq at /in/f, was /in"; lives as long as the Replay */
} ReplayResult;
/* Do one step on the current version; what it makes is current then. False + E42, nothing changed: it says
 * where it diverged (notes "here": the places where the rule would apply). */
bool replay_step(Replay *r, const PastStep *step, ReplayResult *out);
/* The same for a step with `code`, on which replay_step fails: the kernels are taken over where those that
 * they replace are generated again. generated: what is generated as the code says for the current version
 * now; NULL: nothing, and why is in the diag. sizes: for which, as EditedCode.sizes. */
bool replay_code(Replay *r, const PastStep *step, const char *generated, const char *sizes, ReplayResult *out);

/* A rewrite of v as it is typed: splitJoin{n="s0"}; a parameter that it makes is left out, and gets the same name again. In the diag arena. */
const char *substep_typed(const Session *s, const Version *v, const SubStep *sub);
/* The step on that parent exactly as its rewrites say, ready to be made a version of; texts and places in the arena. False: what
 * went wrong is in the Ctx's diag, in rewrite *failed. */
bool step_repeat(Session *s, const Version *parent, const PastStep *step, Arena *arena, NewStep *out, int *failed);

#endif

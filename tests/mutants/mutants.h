/* mutants: faults put into generated kernels, and what a run says of them. mutate finds the edits of a kernel, judge runs it and measures
 * by itself how far its values are from those of the kernel as it was, mutants.c is the program. */
#ifndef MUTANTS_H
#define MUTANTS_H

#include "commands.h"

/* ---- edits of a source (mutate.c) ---- */

#define EDIT_KINDS(E) \
    E(CONSTANT, "constant")              /* a number is another one */ \
    E(OPERATOR, "operator")              /* of values */ \
    E(FUNCTION, "function")              /* another function, arguments of fma */ \
    E(INDEX, "index")                    /* where something is read or written */ \
    E(BOUND, "bound")                    /* from where to where a loop goes */ \
    E(CHOICE, "choice")                  /* a condition, or what is chosen by it */ \
    E(STORE, "store")                    /* an assignment left out, or of 0 */ \
    E(NAME, "name")                      /* another variable of the same type */ \
    E(SLIGHT, "slight")                  /* what is stored is off by 2e-4, or a float in place of a double */ \
    E(ONE, "one")                        /* one element of an array is another one */
typedef enum EditKind {
#define EDIT_ID(id, name) EDIT_##id,
    EDIT_KINDS(EDIT_ID)
    EDIT_KIND_COUNT
} EditKind;
extern const char *const edit_kind_names[EDIT_KIND_COUNT];

typedef struct Edit {                    /* of so many bytes from there on */
    EditKind kind;
    bool result;                         /* EDIT_STORE of 0 to an array */
    int at, length;
    const char *with;
} Edit;

/* All edits of the kernels in a source, in the order of the text; in the arena. Returns how many. */
int edits_find(Arena *arena, const char *source, Edit **out);
/* The same of a program's text: what a false rule would make of it. */
int edits_find_program(Arena *arena, const char *text, Edit **out);
const char *edit_apply(Arena *arena, const char *source, const Edit *e);
/* The line that an edit changes, from 1; as it was and as it is then, without blanks around. */
int edit_lines(Arena *arena, const char *source, const Edit *e, const char **before, const char **after);

/* ---- one program and its kernels (judge.c) ---- */

#define SEEN_KINDS(S) \
    S(OK, "OK") S(INACCURATE, "INACCURATE") S(ILL, "ILL-CONDITIONED") S(WRONG, "WRONG RESULT") S(NOT_BUILT, "not built") S(FINDING, "forbidden access") \
    S(DIED, "died") S(TIMED_OUT, "timed out") S(REFUSED, "refused")
typedef enum Seen {                      /* what a run says of a kernel */
#define SEEN_ID(id, name) SEEN_##id,
    SEEN_KINDS(SEEN_ID)
    SEEN_COUNT
} Seen;
extern const char *const seen_names[SEEN_COUNT];

/* Of inputs, on which values are measured: the specification, which verification has, too; two variants of it, of which it may have one;
 * small positive integers. */
enum { SETS = 4, SETS_VERIFIED = 1 };    /* as bits */
#define CHANGED 1e-4                     /* a value that is another one, relative to itself */

typedef struct Judged {
    Seen seen;
    char why[200];                       /* what a run says besides, on one line */
    char inputs[60];                     /* subject_again: which */
    double error, own, power;            /* as VerifyOutcome has them */
    int culprit;
    bool measured;                       /* what follows is known */
    double change;                       /* the largest relative change of an element, INFINITY: of a zero, or to what is not finite */
    double share, any;                   /* of the elements that change by more than CHANGED; that change at all */
    unsigned sets;                       /* in which some do by more than CHANGED, as bits */
} Judged;

typedef struct Subject {
    Shell *sh;
    Device *device;
    Arena *arena;
    Values values;
    RunSpec spec;
    RunOutcome plain;                    /* of the kernels as they are generated */
    EditedCode code;
    const char *source;                  /* they, without the comment at their head */
    const EvalInput *inputs[SETS];       /* NULL: this set cannot be made */
    Data *results[SETS];                 /* NULL: they have none */
    References *references;
} Subject;

/* The current version of a shell. gpu: as for a GPU. False: why goes to `why`; judged is what a run says of it. */
bool subject_open(Subject *s, Shell *sh, Judged *judged);
void subject_close(Subject *s);
/* What a run says of that source in the place of the generated one; measured where it does not say that it is wrong, or always. */
void subject_judge(Subject *s, const char *source, bool always, Judged *out);
/* What a run says of the shell's current version, of another program of that type, by the source of this one: as after false rules. */
void subject_judge_version(Subject *s, Judged *out);
/* What a run says of the version itself, with other inputs and another seed. False: there are no more of them. */
bool subject_again(Subject *s, int number, Judged *out);
void subject_restart(Subject *s);        /* a new worker */

#endif

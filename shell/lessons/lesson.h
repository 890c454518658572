/* lesson: lessons at the prompt (lessons.md): their text, what a part asks for, how far a student is.
 *
 * find.c finds them; read.c reads lesson.md; goal.c says whether a goal holds; lesson.c is the state of
 * the one under way, and what happens behind each command, and what is there for a student; progress.c how
 * far he is; command.c the command; test.c `lesson test`. */
#ifndef LESSON_H
#define LESSON_H

#include "cmdline.h"
#include "keep.h"
#include "setting.h"

/* ---- lessons as they are written: where they are (find.c), and lesson.md (read.c) ---- */

/* G(KIND, how it is written, in words, of the goal's name). The first three are of a pattern: the body, somewhere in it, nowhere. */
#define GOALS(G) \
    G(TERM, "term", "the whole term is of the form  %s") \
    G(HAS, "has", "somewhere in the term is  %s") \
    G(NO, "no", "nowhere in the term is  %s") \
    G(HASH, "hash", "the version with the hash %s") \
    G(TRUST, "trust", "it rests on no assumed rule") \
    G(PARAM, "param", "the parameter %s is bound") \
    G(LOWERED, "lowered", "every part of the term is an OpenCL primitive") \
    G(RAN, "ran", "it ran on a device, and its result was verified") \
    G(TIME, "time", "it takes at most %2$g of the time of %1$s") \
    G(CHECKED, "checked", "your rule %s has passed check") \
    G(REFUTED, "refuted", "check has found a counterexample to %s") \
    G(EQUAL, "equal", "the same term as %s") \
    G(ANSWER, "answer", "the question is answered") \
    G(LUA, "lua", "what the text asks for")
#define KIND(kind, name, words) GOAL_##kind,
typedef enum GoalKind { GOALS(KIND) } GoalKind;
#undef KIND

typedef struct LessonGoal {
    GoalKind kind;
    const char *text;                    /* the line as written, without its words */
    const char *words;                   /* behind " -- ": said instead of what is missing; NULL: none */
    const char *name;                    /* pattern, hash digits, parameter (NULL: all), rule, @REF, Lua file */
    const char *function;                /* LUA */
    int64_t value;                       /* PARAM: 0: bound to anything; TRUST: a Trust */
    double factor;                       /* TIME */
} LessonGoal;

typedef enum AskKind { ASK_CHOICE, ASK_NUMBER, ASK_PATTERN } AskKind;
typedef struct LessonWrong { const char *answer, *text; } LessonWrong;
typedef struct LessonAsk {
    AskKind kind;
    const char *question, *answer, *because;     /* because: NULL: nothing is said */
    int64_t low, high;                   /* NUMBER */
    Texts choices;                      /* CHOICE */
    VEC(LessonWrong) wrong;              /* what is said to a wrong answer */
} LessonAsk;

typedef struct LessonEntry {             /* one name of an allow or forbid */
    bool allow;
    NamedKind kind;
    const char *name;                    /* a * at its end: whatever begins so */
} LessonEntry;
typedef VEC(LessonEntry) LessonEntries;

typedef enum LessonEvent { SAY_ASSUMED, SAY_WRONG, SAY_SAME, SAY_STUCK, SAY_REFUSED, SAY_EVENTS } LessonEvent;
const char *lesson_event_name(LessonEvent event);
typedef struct LessonSay { LessonEvent event; const char *text; } LessonSay;
typedef VEC(LessonSay) LessonSays;

typedef struct LessonText { const char *text; int line; } LessonText;      /* a text and the line where it begins, from 1 */

enum { LESSON_TRIALS = 20 };             /* equiv, unless it says otherwise */

typedef struct LessonPart {
    const char *title, *prose;           /* prose: as it is shown; what is indented by four stays as it is */
    LessonText load, solution;           /* command lines; text NULL: none */
    VEC(LessonGoal) goals;               /* all must hold; GOAL_ANSWER is the last of a part with an ask */
    LessonAsk *ask;                      /* NULL: none */
    int steps;                           /* par; 0: none */
    bool rewrites;                       /* it counts elementary rewrites, however few versions they make */
    double fast;                         /* par in time, as a part of that of `against`; 0: none */
    const char *against;                 /* @REF */
    int equiv;                           /* trials against @0; 0: off */
    VEC(LessonText) hints;
    VEC(LessonText) transcripts;         /* blocks fenced with ```lathe */
    LessonEntries entries;
    LessonSays says;
    int line;                            /* of its heading, from 1 */
} LessonPart;

typedef struct Lesson {
    Arena *arena;
    const char *name, *dir;              /* the last word of its folder; the folder, absolute */
    const char *title, *prose;
    const char *hash;                    /* 16 digits, of all files in the folder */
    LessonEntries entries;               /* for all parts */
    LessonSays says;
    VEC(LessonPart *) parts;
    VEC(LessonText) unknown;             /* words of fences that are no directive and no language */
    Source source;                       /* lesson.md */
} Lesson;

/* The folder of a lesson: NAME itself when it is a path or a folder with a lesson.md, else in $LATHE_LESSONS, in lessons/
 * beside the program, in ../share/lathe/lessons, or where it was when it was begun; or the one whose title has that number.
 * In the arena; NULL + E81 with near names, or with where it was. */
const char *lesson_find(Ctx *c, Arena *arena, const char *name);
/* The same for the lesson of a record, which was in dir (NULL: not known): there first. */
const char *lesson_find_again(Ctx *c, Arena *arena, const char *name, const char *dir);
bool lesson_is_at(const char *dir);                                      /* does it hold a lesson.md? */
/* The folders of all lessons that a name alone finds, by the number that the title begins with, then by name; begun: with
 * those that were begun by a path. In the arena; returns how many. */
int lesson_folders(Arena *arena, bool begun, const char ***out);
/* 16 hexadecimal digits of the names and contents of the files in a folder. In the arena. */
const char *lesson_hash(Arena *arena, const char *dir);
/* NULL + E06, or E80 at the place where it is not well formed. */
Lesson *lesson_read(Ctx *c, const char *dir);
void lesson_free(Lesson *l);             /* NULL is fine */

/* ---- how far a student is: kept as StoreItems of kind "lesson" ---- */

typedef enum PartState { PART_OPEN, PART_DONE, PART_SKIPPED } PartState;
const char *part_state_name(PartState state);
typedef struct PartProgress {
    PartState state;
    bool begun;
    const char *program;                 /* that was current when it began; NULL: none was */
    uint64_t source;                     /* hash of its @0 */
    int begin, end;                      /* versions of it; end: where the goal was reached in the fewest steps; -1 */
    int steps;                           /* of that, or rewrites where the part counts them */
    int fastest;                         /* the version that reached the goal and took the least time; -1 */
    double ratio;                        /* that time, as a part of that of the part's `against`; 0: none was measured */
    int hints;                           /* shown */
    int wrong;                           /* wrong answers */
    const char *answer;                  /* the right one, as it was given; NULL: none yet */
    const char *tried;                   /* wrong ones, "a | b"; NULL: none */
    uint64_t ran;                        /* hash of the version that ran and was verified last; 0: none did */
    uint64_t said;                       /* events of which it was told, by bit */
} PartProgress;

typedef struct Progress {
    const char *name, *hash;             /* of the lesson as it was then */
    const char *dir;                     /* its folder then; NULL: not known */
    int part;                            /* the one under way, from 0 */
    const char *set[SETTING_COUNT];      /* what was set of the display in it, by SettingId; NULL: nothing */
    int count;
    PartProgress *parts;
} Progress;
/* Of the items of a session file; in the arena. False: there is none in it. */
bool progress_read(const StoreItem *items, int count, Arena *arena, Progress *out);
int progress_count(const Progress *p, PartState state);                  /* of its parts */

/* ---- the lesson under way (lesson.c): lesson_on ---- */

typedef struct LessonRun {
    Guided guided;                       /* the first: Shell.guided */
    Lesson *lesson;
    Progress progress;                   /* in the lesson's arena; part and parts of this lesson */
    SuspendedSession aside;                         /* the user's session */
    struct LessonRun *outer;                    /* the lesson it was opened in; NULL: none */
    bool changed;                        /* lesson.md, or a file beside it, is not what it was when progress was made */
    const char *elsewhere;               /* another lesson of that name, in which progress was made; NULL: none */
    const char *damaged;                 /* where the file is now that could not be read; NULL: all is well */
    int seen;                            /* the version after the last command ... */
    const Derivation *seen_in;           /* ... of that program */
    uint64_t asked;                      /* hash of the version whose equality to @0 is known ... */
    int trials;                          /* ... after so many trials; 0: nothing is known */
    bool equal;
} LessonRun;
static inline LessonRun *lesson_on(const Shell *sh) { return (LessonRun *)sh->guided; }       /* NULL: none is on */

LessonPart *lesson_part(const Shell *sh);                                /* the current one */
PartProgress *lesson_now(const Shell *sh);                               /* of the current one */
/* Put the user's session and results aside and begin with an empty one for this lesson, which is the run's then; nothing is
 * read from or kept in the state folder. With lesson_close they are given back as they were. */
void lesson_open(Shell *sh, Lesson *lesson);
void lesson_close(Shell *sh);                                            /* no lesson is on: nothing happens */
void lesson_take_settings(Shell *sh);    /* before that: what was set of the display in it holds in the user's session, too */
/* The same with what was reached before, kept from now on. False + E86 when another lathe has it. */
bool lesson_enter(Shell *sh, Lesson *lesson);
/* Begin part i: its `load` is run (a part without goes on where the last one ended). False: what failed is in the diag. */
bool lesson_begin(Shell *sh, int i);
/* Run command lines with lesson files found; what they print, errors included, is appended to out. own: as the lesson
 * itself. name: for messages. Returns the code of the first failure, which
 * ends it, or the worst. */
int lesson_run(Shell *sh, const LessonText *lines, const char *name, bool own, bool keep_going, Buf *out);
bool lesson_has(const Shell *sh, NamedKind kind, const char *name);      /* is that rule, macro or command there for a student? */
const Derivation *lesson_program(const Session *s, const PartProgress *p);       /* of a part: by name, or what it is called now */
/* Go to a version of the program of a part. False + E80: it is not there. */
bool lesson_goto(Shell *sh, const PartProgress *p, int version);
/* The goal of the current part is reached: note it, and how to say so; NULL: it was, in no more steps. In scratch. */
const char *lesson_note_reached(Shell *sh);
const char *lesson_next_text(Shell *sh);                                 /* what to do when it is */
/* The one behind it, by the numbers of their titles; in the arena. NULL: none. */
const char *lesson_after_it(Arena *arena, const Lesson *l);
const char *lesson_lacks(Shell *sh, const PastStep *step);
/* The first step on the way from where the part begins to v that is not there for a student: the competitor's `lower`, what another
 * part allowed; said in scratch. NULL: all are, as for who grades it. */
const char *lesson_foreign(Shell *sh, const Version *v);
/* All goals, what the version is made of, and equivalence, with the current version of the part. Leaves no error behind. */
bool lesson_reached(Shell *sh);
/* Where the next part goes on where this one ends, and no end is known: the lesson's own solution leads to one. False: it
 * fails, why is in the diag. */
bool lesson_lead_on(Shell *sh);
const char *lesson_steps_text(Shell *sh, const LessonPart *part, int n);        /* "1 step" "4 rewrites"; in scratch */
const char *lesson_done_text(Shell *sh, const LessonPart *part, int n);         /* the same, with par: "4 steps (par 3)" */
const char *lesson_times_text(Shell *sh, double ratio, const char *against);    /* "0.93 x the time of @lower"; in scratch */

/* ---- goals (goal.c) ---- */

typedef struct GoalVerdict {
    bool holds;
    bool judged;                         /* false: it takes a device, and there was no run */
    const char *missing;                 /* in scratch; NULL when it holds */
} GoalVerdict;
struct SearchPattern;
/* Is the term of that form, or, unless the kind is GOAL_TERM, a part of it, the one at *at? */
bool goal_matches(Ctx *c, GoalKind kind, const struct SearchPattern *p, const Term *root, Path *at);
GoalVerdict goal_judge(Shell *sh, const LessonGoal *g, const Version *v);        /* of version v of the current program, in this part */
/* Is v equal to the @0 of its program by that many trials? difference: in scratch, or NULL. */
bool goal_equal(Shell *sh, const Version *v, int trials, const char **difference);
/* The version of the part's program that counts now: NULL, with why, when the current program is another one. */
const Version *lesson_version(Shell *sh, const char **why);
/* The time of v as a part of that of another version where one `run` timed both in turns, the last that did so with either; 0: none
 * did. What each takes alone, at its best, is another measure: the machine was another one. */
double goal_ratio(Shell *sh, const Version *v, const char *ref);
/* Of version v of the current part: all but its answer. */
bool goals_hold(Shell *sh, const Version *v);
/* A run has shown that v computes something else, or its kernel was edited and did not run: why; NULL: neither. */
const char *goal_doubt(const Shell *sh, const Version *v);
/* What was answered: the whole text of a choice for its number or beginning, the digits of a number. In the arena. */
const char *answer_meant(Arena *arena, const LessonAsk *ask, const char *answer);
/* Is it the answer to the part's question? */
bool answer_right(Shell *sh, const LessonAsk *ask, const char *answer, const Version *v);

/* ---- for the shell (Guide) ---- */

extern const Guide lesson_guide;
bool lesson_may(Shell *sh, const Piece *p);
void lesson_after(Shell *sh, const Piece *p, ErrorId id, int code);
void lesson_prompt(const Shell *sh, Buf *out);
int lesson_items(const Shell *sh, Arena *arena, StoreItem **out);
void lesson_end(Shell *sh);
bool lesson_adopt(Shell *sh, Session *read, const ReadReport *report, const char **what);

/* ---- the command's own parts ---- */

const char *lesson_progress_text(Shell *sh, const Lesson *l);            /* "2 of 5" "done" "-"; in scratch */
int lesson_parts_done(const Shell *sh, const Lesson *l);                  /* -1: it was not begun */
/* Verbs of the command in files of their own. */
bool lesson_test(Shell *sh, const Args *a);                              /* test.c; without a name: all */
bool lesson_submit(Shell *sh, const Args *a);                            /* grade.c; E05 E06 E17 */
/* Do what is in a submission (file NULL: the lesson under way) again from the lesson's own files; where: its name or folder (NULL: the one
 * that the file names). False + E87: parts are not done, E88: some compute something else, E89: some do not repeat; or why it cannot be
 * judged. */
bool lesson_grade_file(Shell *sh, const char *file, const char *where);
/* A whole folder of submissions (class.c): a table, --csv and --page. E05 E06 */
bool lesson_grade_class(Shell *sh, const Args *a);
/* What the lesson's own solutions do in each part, as `way` of lesson_grade_file's report; in scratch. */
const char **lesson_own_ways(Shell *sh, Lesson *lesson);
/* What a part asks for, in lines behind labels: goals and par; a question with its choices. */
void lesson_put_goals(Shell *sh, const LessonPart *part, Buf *out);
void lesson_put_question(const LessonAsk *ask, Buf *out);
const char *goal_words(Shell *sh, const LessonGoal *g);      /* what it wants, as it is said to a student (goal.c); in scratch */
bool lesson_notebook(Shell *sh, const Args *a, const char *name);        /* notebook.c: NAME.ipynb; E05 E06 E17 E81 */
bool lesson_record(Shell *sh, const Args *a);                            /* record.c; E05 E06 E13 E17 E40 */

#endif

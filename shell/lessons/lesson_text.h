/* lesson_text: lessons as they are written: where they are (find.c), and lesson.md (read.c). */
#ifndef LESSON_TEXT_H
#define LESSON_TEXT_H

#include "shell.h"

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
    Span span;                           /* of the line, in the lesson's source */
} LessonGoal;

typedef enum AskKind { ASK_CHOICE, ASK_NUMBER, ASK_PATTERN } AskKind;
typedef struct LessonWrong { const char *answer, *text; } LessonWrong;
typedef struct LessonAsk {
    AskKind kind;
    const char *question, *answer, *because;     /* because: NULL: nothing is said */
    int64_t low, high;                   /* NUMBER */
    VEC(const char *) choices;           /* CHOICE */
    VEC(LessonWrong) wrong;              /* what is said to a wrong answer */
    Span span;
} LessonAsk;

typedef struct LessonEntry {             /* one name of an allow or forbid */
    bool allow;
    NamedKind kind;
    const char *name;                    /* a * at its end: whatever begins so */
    Span span;
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
    Span span;                           /* of its heading */
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

#endif

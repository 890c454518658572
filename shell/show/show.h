/* show: what all commands print in one way: terms, steps, columns, the tree of versions, Markdown, JSON. */
#ifndef SHOW_H
#define SHOW_H

#include "shell.h"

/* ---- printing (show.c) ---- */

static inline int show_width(const Shell *sh) { return (int)session_setting_int(sh->session, SET_WIDTH); }
/* Of a line behind that column, for what is cut to it: never so little that a name could not be read. */
static inline int show_left(const Shell *sh, int column)
{
    enum { LEAST = 24 };
    return show_width(sh) > column + LEAST ? show_width(sh) - column : LEAST;
}
static inline bool show_times(const Shell *sh) { return session_setting_is(sh->session, SET_TIMES, "on"); }
static inline json_t *show_seconds(const Shell *sh, double s) { return show_times(sh) ? json_real(s) : json_string("-"); }      /* in a report */
bool shell_unicode(const Shell *sh);
PrintOptions show_options(const Shell *sh);
/* Of a text that is part of the program, "host.txt", what stands below the line "==== NAME". */
void put_part(const char *file, const char *name, Buf *out);
/* Text in an ANSI colour when it is on. Red and green (31, 32: what is gone, what is new) are others in lectures. */
void show_color(Shell *sh, const char *code, const char *text);
const char *show_ink(const Shell *sh, const char *code);         /* the escape sequence alone; "": there are no colours. In scratch */
/* What was printed from start on, a term or a kernel, in colours where they are on (paint.c). */
void show_painted_term(Shell *sh, size_t start);
void show_painted_code(Shell *sh, size_t start);
/* What `set view lecture` changes; each does nothing otherwise. */
bool shell_lecture(const Shell *sh);
void show_gap(Shell *sh);                /* an empty line, but none behind another or at the beginning */
/* The equations of the rules that a step names, or what its macro does, on lines of their own. */
void show_equations(Shell *sh, const char *indent, const char *call);
/* The next name in the text of a step, places and patterns in quotes apart; *n: its length. NULL: there is none. */
const char *call_name(const char *p, size_t *n);
bool call_is_single(const char *call);   /* one name with its arguments, nothing beside it */
/* The hash behind a label, and a text to end it; nothing in lectures. */
void show_hash(const Shell *sh, Buf *out, const char *before, uint64_t hash, const char *after);
const char *hash_text(Shell *sh, uint64_t hash);                         /* 16 hex digits */
const char *version_name(Shell *sh, const Version *v);                   /* "@7", "@7.3"; in scratch */
const char *version_marked(Shell *sh, const Version *v);  /* the same, with ? when it rests on an assumed rule */
/* "assumed rules half, double" "hand-edited kernel"; NULL: none */
const char *version_assumed(Shell *sh, const Version *v);
void show_trust(Shell *sh, const Version *v);                            /* a line that says so, if it does */
const char *show_lines(Shell *sh, const Term *root, const Path *p, const PrintOptions *o);       /* in scratch, without a last line end */
const char *show_full(Shell *sh, const Term *root, const Path *p, int width);     /* the same, whole, in lines of that width; 0: in one */
const char *show_short(Shell *sh, const Term *root, const Path *p, int max);     /* one line, in scratch */
/* The same as it is typed, \x -> and not λx →: beside rules and in messages, which are. */
const char *show_typed(Shell *sh, const Term *root, const Path *p, int max);
const char *show_cut(Shell *sh, const char *text, int max);              /* a text cut to that many characters, in scratch */
void show_line_end(Shell *sh);           /* without blanks at it */
/* A text in lines of at most the width, cut at blanks; indent stands before the first, further before the others. */
void show_wrapped(Shell *sh, const char *indent, const char *further, const char *text);
/* A text as a terminal of the width shows it: lines that are too wide break at gaps, else at blanks, and go on below a
 * column. */
void show_broken(const Shell *sh, const char *text, Buf *out);
/* On a terminal: lines in place of those of before; "": none any more. */
bool shows_progress(const Shell *sh);
void show_progress(Shell *sh, const char *text);
/* A line below them that is gone with them; where there are none, one that stays. */
void show_beneath(Shell *sh, const char *line);
/* What a step from v did (step.c). at: NULL: it has no place; made: the version, NULL: it is not kept; focus: where it was before. */
void show_step(Shell *sh, const Version *v, const StrategyResult *r, const Path *at, const Version *made, const Path *focus);
/* Where n rewrites were made one after another, of which the first is of `before`: the lowest place above all of them. Of a macro that
 * is what is shown: it looks for its place from where it was asked for on. */
const char *steps_place(Shell *sh, const Term *before, const SubStep *steps, int n);
/* "x, y: used once (letDuplicate)": names whose values stand where they are used; names: "x, y". In scratch. */
const char *inlined_text(Shell *sh, const char *names);
/* The same of the names that a step at that place left with one use; NULL: of none. */
const char *step_inlined(Shell *sh, const Term *before, const Path *at, const Term *after);
void param_values(Shell *sh, const Version *v, Values *out);             /* with which legal values are listed */
/* A line of a parameter, of param_values; with its legal values as JSON, too, unless items is NULL. */
void show_param(Shell *sh, const Values *values, const TuneParam *p, const char *indent, json_t *items);
const char *step_params(Shell *sh, const Version *v, const char *indent);        /* such lines of those that its step made; in scratch */
int count_moves(Shell *sh, const Version *v, const Path *at);

/* Words of printed terms (change.c): names, and other characters each by itself. */
typedef enum { WORD_SHOWN, WORD_DOTS, WORD_GONE } WordAs;    /* .. stands for it and those behind it that are gone */
typedef struct Word { const char *at; size_t n; bool changed; WordAs as; } Word;
typedef struct Words { VEC(Word) v; } Words;
size_t word_length(const char *text);
/* Which only one of both has; none is marked where that would be most of them: then all is new. */
void words_compare(Shell *sh, Words *a, Words *b);
/* Two texts on a line each, - and +, in colours what differs in bold; where one is too long, .. stands for what both have. */
void change_lines(Shell *sh, const char *before, const char *after);
const char *change_after(Shell *sh, const char *before, const char *after, int room);        /* the second of them, in scratch */
/* Two forms of a subterm as text (change.c). Where a line would be too long, what both share has a name. In scratch. */
typedef struct ChangeText {
    const char *before, *after;          /* with lines of at most the width, as far as possible */
    int count;
    const char **names, **texts;         /* what the names stand for */
} ChangeText;
void change_make(Shell *sh, const Term *before, const Term *after, const Path *at, int width, ChangeText *out);
/* A text of one or several lines behind a sign; in a colour unless it is NULL. */
void change_put(Shell *sh, const char *indent, const char *sign, const char *color, const char *text);
void change_put_names(Shell *sh, const char *indent, const ChangeText *t);

/* A step of a chain (change.c): its ends as they are named; where it changed the term, which is the redex of an elementary
 * step; and which way the rule rewrote: => <= =. */
typedef struct ChainView { const char *from, *to, *arrow, *place; Path at; } ChainView;      /* place: as text; NULL: it changed nothing */
ChainView chain_view(Shell *sh, const ChainStep *k);
const Rule *chain_rule(Shell *sh, const ChainStep *k);       /* of an elementary step; NULL: it is none, or the rule is gone */

/* The derivation tree (log.c). */
typedef struct LogOptions {
    const Version *only;  /* its subtree, with path the way to it; NULL: everything, the way to the current version */
    int depth;                           /* levels of macros that are opened with expand */
    /* expand: inner steps too; full: without gaps; results: how runs ended, the best time */
    bool path, expand, full, results;
} LogOptions;
void show_log(Shell *sh, const LogOptions *o);
/* Of the versions by number: those in the subtree of each, itself too; is a tag there? Arrays in scratch. */
typedef struct TreeShape { int *below; bool *tagged; } TreeShape;
TreeShape tree_shape(Shell *sh, const Derivation *d);
/* The child with which the line that v is on goes on: one that is on the way, else that last visited; -1: none. */
int tree_next(const Derivation *d, const bool *on_way, const Version *v);
json_t *version_json(Shell *sh, const Version *v);

/* JSON (json.c) */
json_t *json_tree(Shell *sh, const Term *t);
/* Sets sh->data; tree: with its nodes, where they are not too many. */
void json_term(Shell *sh, const Version *v, const Term *root, const Path *p, bool tree);
/* Of the facts of a version (whole), or of those of t alone. */
json_t *json_facts(Shell *sh, const Version *v, const Term *t, bool whole);
json_t *json_params(const Version *v);       /* {name: value, or null} */
void json_note(json_t *o, const char *label, const char *text);          /* one more in the list of that name */
/* verb: the command's name in full, = or !; NULL when there is none. */
/* The text of j, which it takes, and the end of a line; flags: of json_dumps. print: on standard output, at once, in one line. */
void json_put(json_t *j, size_t flags, Buf *out);
/* What a command answers: at once, or, of a request, when it is known whether it is the last; json_answered: it is. They take j. */
void json_answer(Shell *sh, json_t *j);
void json_answered(Shell *sh);
void json_print(Shell *sh, json_t *j);
json_t *json_line(Shell *sh, const char *text, const char *verb, bool ok, int code, double ms);

/* ---- prose: Markdown as it is printed, in pages of help and in lessons (prose.c) ---- */

typedef enum ProseKind {
    PROSE_GAP, PROSE_HEADING, PROSE_PARAGRAPH, PROSE_ITEM, PROSE_CODE,
    PROSE_LINE,                          /* one that stands as it is: indented, or behind | or > */
    PROSE_MARK,                          /* <!-- WORD -->: a table that is made when the text is shown */
} ProseKind;
typedef struct Prose { ProseKind kind; const char *text; size_t n; } Prose;      /* a piece without its marks */
/* The next piece of *text, which moves behind it; false at the end. */
bool prose_next(const char **text, Prose *out);
/* Printed, indented; paragraphs and items that have a line wider than the width are filled anew. Code in sentences is in a colour
 * where there are any; a mark is nothing here. */
void prose_put(Shell *sh, const Prose *piece, int indent);
void prose_all(Shell *sh, const char *text);                  /* all of it, not indented */

/* ---- pictures for Graphviz (dot.c) ---- */

void dot_tree(Shell *sh, const Version *top, Buf *out);                  /* of the versions from top on */
bool dot_step(Shell *sh, const Version *v, Buf *out);                    /* what made v: before and after. E05: nothing did */
/* The subterm at a place; E08. */
bool dot_term(Shell *sh, const char *name, const Term *root, const Path *at, Buf *out);

#endif

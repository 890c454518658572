/* print_private: terms as text, shared by print_doc.c (text with places where a line may break, names in scope),
 * print_term.c (terms as such text) and print.c (whole terms, binders, trees). Not for anybody else. */
#ifndef PRINT_PRIVATE_H
#define PRINT_PRIVATE_H

#include "elab.h"

/* ---- documents: text with places where a line may break (Oppen, Wadler; print_doc.c) ---- */

/* DOC_LINE: a blank, or a line break. */
typedef enum DocKind { DOC_TEXT, DOC_LINE, DOC_CAT, DOC_NEST, DOC_GROUP } DocKind;
typedef struct Doc Doc;
struct Doc {
    DocKind kind;
    const char *text;
    int width;                             /* flat width, for TEXT and everything above */
    const Doc *a, *b;
};

/* The printer's state. Names of leaves in scope, innermost last (index 0 is names[count - 1]). */
enum { NAMES_MAX = 4096, NAME_BUCKETS = 512 };
typedef struct Printer {
    Ctx *c;
    Arena *arena;
    const PrintOptions *o;
    const char **names;
    const NatAtom **lengths;               /* of each name: the length that its array has by slice or iterate alone (type_any_length), or NULL */
    int name_count;
    int last[NAME_BUCKETS], *before;       /* the last name with that hash, and of each name the one before it; -1: none */
    bool long_inits;                       /* print literals in left folds' initial values with their type */
    int short_inits;                       /* how many were printed without */
    uint8_t path[256];                     /* where we are: path_length + links slots */
    int path_length, links;                /* links: of chains, which are no deeper than the first */
    bool on_path;
    const Term *open_end;   /* known not to be the start of a chain: it goes on from one whose end is no atom */
} Printer;

const Doc *doc_text(Printer *p, const char *s);
const Doc *doc_note(Printer *p, const char *s);                  /* takes no room */
const Doc *doc_format(Printer *p, const char *fmt, const char *s);
const Doc *doc_line(Printer *p);
const Doc *doc_cat(Printer *p, const Doc *a, const Doc *b);
const Doc *doc_cat3(Printer *p, const Doc *a, const Doc *b, const Doc *c);
const Doc *doc_nest(Printer *p, const Doc *a);                   /* two columns further in */
const Doc *doc_group(Printer *p, const Doc *a);                  /* on one line where that has room */
const Doc *doc_brackets(Printer *p, const Doc *d);
const Doc *doc_bracket_if(Printer *p, bool yes, const Doc *d);

typedef struct Layout {
    Buf *out;
    int width, column;                     /* width 0: never breaks a line */
} Layout;
void doc_layout(Layout *l, const Doc *d, int indent, bool flat);

/* ---- names in scope (print_doc.c) ---- */

bool name_taken(Printer *p, const char *name);                   /* in scope, or a word of the language */
const char *name_unused(Printer *p, const char *hint);           /* hint, hint1, hint2 ... */
const char *name_default(const Type *t);                         /* where neither source nor rule gave one */
void names_push(Printer *p, const char *name);
void names_pop(Printer *p, int count);                           /* until so many are left */

/* ---- terms (print_term.c) ---- */

/* Precedences of language.md, Grammar. */
enum { P_TOP = 0, P_PIPE = 1, P_OR = 2, P_AND = 3, P_CMP = 4, P_SUM = 5, P_PRODUCT = 6, P_PREFIX = 7,
      P_COMPOSE = 8, P_APP = 9, P_ATOM = 10 };

/* known: the context gives a literal its type, so that it needs no suffix. */
const Doc *print_term(Printer *p, const Term *t, int prec, bool known);
const Doc *print_statics(Printer *p, const Term *t, const Doc *d);           /* d followed by them */
/* A binding pattern for a parameter, whose leaf names are pushed, left to right. A tuple used only whole is one name: its
 * leaves are pushed as that name with a mark that tells a tuple of them to print it alone. */
const Doc *print_pattern(Printer *p, const Type *type, const char *const *hints, const Term *body, int base,
                         const char *fallback);
const char *print_fallback(const Term *t);       /* for names that a function under that primitive binds; may be NULL */

#endif

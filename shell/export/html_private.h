/* html: the parts of one self-contained page of a derivation. */
#ifndef HTML_PRIVATE_H
#define HTML_PRIVATE_H

#include "show.h"
#include "compare.h"

typedef VEC(const char *) Names;

typedef struct Page {
    Shell *sh;
    Buf *out;
    const Derivation *d;
    const Version *top;
    const ChainStep *steps;              /* the path that is stepped through */
    int step_count;
    bool expand;
    bool alone;                          /* sections stand by themselves: inner steps without their changes */
    bool *on_path;                       /* by number: its step is one of the path's; top is on it too */
    TreeShape shape;
    int plans_left;                      /* versions beside the path whose kernels may still be shown */
    Names names;                         /* rules and macros that are named; a card is made for each */
    int result_count;
    const Result *results;               /* of the program, the fastest first */
} Page;

/* Text between tags or in an attribute; what is no character of a page (control characters, broken UTF-8) is replaced. */
void html_text(Buf *out, const char *text);
void html_bytes(Buf *out, const char *text, size_t n);
void html_element(Buf *out, const char *tag, const char *text);         /* tag: with its attributes */

/* ---- terms (html_term.c) ---- */

typedef struct Label { const char *place; bool shown; } Label;
/* Places of one version that lines of its kernels were made for; label i is i + 1. */
typedef struct Labels {
    const char *id;                      /* of the section: label 3 of v7 is v7-3 */
    VEC(Label) v;
} Labels;

/* Terms before and after a step side by side, what changed between them highlighted; in one figure where nothing did.
 * whole: all of the terms, else the changed part with names for what both share. labels: shown in the term after; may be
 * NULL. */
void html_change(Page *page, const ChainStep *k, bool whole, Labels *labels);
/* The change of an elementary rewrite in few lines. */
void html_small_change(Page *page, const Term *before, const Term *after, const Path *at);
void html_term(Page *page, const Term *root, Labels *labels);

/* ---- kernels (html_code.c) ---- */

/* The places that the lines of the plan were made for. */
void html_places(const Plan *plan, Labels *labels);
/* After the term with the labels. */
void html_kernels(Page *page, const Version *v, const Plan *plan, const Labels *labels);

/* ---- the tree (html_tree.c) ---- */

const char *html_id(Page *page, const Version *v, int sub);          /* "v7", "v7.3": of the section of a step; in scratch */
void html_tree(Page *page);

#endif

/* compare: where terms differ, what they share, and how one version came from another. */
#ifndef COMPARE_H
#define COMPARE_H

#include "session.h"

typedef struct Change {                  /* the terms differ at this place, which both have */
    Path at;
    const Term *before, *after;          /* there */
} Change;
/* Where two terms differ: the deepest places above which everything that is not a slot is equal. None when they are equal.
 * In the arena; returns the number. */
int term_changes(const Term *a, const Term *b, Arena *arena, Change **out);
/* The one deepest place that holds everything that differs. */
void term_changed_place(const Term *a, const Term *b, Path *out);
/* The same for a rewrite of a into b at a place of a: that place where b still has it, below the same nodes. It has not where
 * normalisation took something away above it, say a let that is now used once. */
void term_step_place(const Term *a, const Term *b, const Path *at, Path *out);

typedef struct SharedTerm {                  /* what a name stands for: the subterm of root at a place */
    const char *name;
    const Term *root;
    Path at;
} SharedTerm;
/* Put names (as inputs) for the largest subterms that *a and *b have in common below a place; of a function
 * for its body. At most max of them, each a name of `names`; small ones stay. Returns how many names are
 * used; 0: *a and *b are as they were. */
int terms_share(Ctx *c, Arena *arena, const Term **a, const Term **b, const Path *at,
                const char *const *names, int max, SharedTerm *out);

struct ChainStep {
    const Version *version;              /* the one that this step made, or helped to make */
    bool reversed;                       /* it is read from its result */
    int sub_from, sub_to;                /* its inner steps in this one; sub_to 0: it has none */
    const Term *before, *after;          /* whole terms in the direction of the chain */
    const char *call;
    bool placed;
    Path at;                             /* in the term that the step rewrote; when placed */
    Trust trust;                         /* of this step */
};
/* The steps from a to b, up to their common ancestor and down. inner: elementary steps. In the arena; returns the number. */
int session_chain(const Session *s, const Version *a, const Version *b, bool inner, Arena *arena, ChainStep **out);

typedef struct LineEdit {
    char op;                             /* ' ' in both, '-' in a only, '+' in b only */
    int a, b;                            /* indices of the lines */
} LineEdit;
/* A shortest way from the lines a to the lines b (of very long texts only what is equal at both ends is
 * kept). Returns the number. */
int text_diff(Arena *arena, const char *const *a, int n, const char *const *b, int m, LineEdit **out);

#endif

/* pattern: search patterns, 'map _ (zip _ _)' (match.c).
 *
 * An expression in which `_` matches anything, a name of the term (an input, a size, a binder as it is printed)
 * matches itself, and any other name matches anything, the same each time. A binder that the pattern does not use
 * is matched by its name: 'map (\row -> _)'. For a function or an expression may stand `layout f`, `computes f`,
 * `scalar e`, `contains p`, each with `not`: 'map (not contains reduceSeq) _'; `p or q` is either. Arguments may be left out from the
 * right. */
#ifndef PATTERN_H
#define PATTERN_H

#include "rule.h"

typedef struct SearchPattern SearchPattern;
/* E03, E02 for a primitive that does not exist */
SearchPattern *pattern_parse(Ctx *c, Arena *arena, const Source *s);
bool pattern_matches(Ctx *c, const SearchPattern *p, const Term *root, const Path *at);
PrimId pattern_head(const SearchPattern *p);        /* the primitive it starts with; PRIM_COUNT: none */
/* Where and how the pattern fails to match there. Texts in the diag arena. Returns how far it got; 0: it
 * matches, or nothing can be said. */
typedef struct PatternMiss {
    const char *needs;                   /* text of the pattern */
    const char *because;                 /* or NULL */
    Path where;                          /* what differs */
} PatternMiss;
int pattern_mismatch(Ctx *c, const SearchPattern *p, const Term *root, const Path *at, PatternMiss *out);
/* Its parts that are primitives applied to something, inner ones first, and not itself; each once. Returns the number. */
int pattern_parts(const SearchPattern *p, Arena *arena, const SearchPattern ***out);
const char *pattern_text(const SearchPattern *p, Arena *arena);
/* The first name in it that is no name of the term and so matches anything; NULL: none. */
const char *pattern_free_name(Ctx *c, const SearchPattern *p, const Term *root);

#endif

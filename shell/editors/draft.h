/* draft: a text in an editor: what is wrong in it, of what type its expressions are, where its names come from. */
#ifndef DRAFT_H
#define DRAFT_H

#include "lang.h"

typedef struct Problem { Span span; const char *id, *text; } Problem;    /* text: with its notes, in lines */
typedef struct Symbol { const char *name, *about; Span span, whole; } Symbol;    /* about: its type, or how it is written */
typedef struct TypedSpan { Span span; const Type *type; } TypedSpan;

typedef struct Draft {              /* a program as it stands in the editor */
    Source source;
    Arena *arena;
    Ctx *c;
    VEC(Problem) problems;
    VEC(Symbol) symbols;
    VEC(TypedSpan) types;
    const AstFile *file;                 /* NULL: it cannot be parsed */
} Draft;

/* Of a text, which is copied. */
Draft *draft_check(const char *text);
void draft_free(Draft *t);         /* NULL is fine */
/* The type of the smallest expression or pattern around an offset, with its span; in the arena. NULL: none is known. */
const char *draft_type(Draft *t, uint32_t at, Span *span);
/* Where the name at an offset is bound. False: not in this text. */
bool draft_definition(const Draft *t, uint32_t at, Span *out);
/* The name at an offset, or just behind it; empty: there is none. */
Span draft_name(const char *text, uint32_t at);

#endif

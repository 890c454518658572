/* parse_private: recursive descent from tokens to trees, shared by parse_token.c (tokens, errors, nodes),
 * parse_expr.c (types, patterns, expressions), parse_rule.c (rules) and parse.c (declarations,
 * whole texts). Not for anybody else. read_X reads one X, whose production is that of language.md or rules.md.
 *
 * A function that fails has reported why and returns NULL or false; from then on the current token is TOK_END,
 * so every loop stops. Node makers pass NULL on. Recursion goes through parse_nest, which bounds the stack. */
#ifndef PARSE_PRIVATE_H
#define PARSE_PRIVATE_H

#include "syntax.h"

typedef struct Parse {
    Parser *out;
    const Source *source;
    Token tok;                      /* the current token */
    uint32_t offset;                /* behind it */
    uint32_t last;                  /* end of the token before */
    uint32_t operand;               /* start of the postfix expression read last */
    int depth, brackets;
    bool failed;
    bool spreads;                   /* `xs..` is allowed */
    bool open_end;                  /* the expression read last ends in an unbracketed lambda, let or if */
    const char *const *stops;       /* names that end an application here, NULL-terminated; none inside brackets */
} Parse;

/* ---- errors (parse_token.c): the first one stops the parse ---- */

bool parse_stop(Parse *p);                                       /* true: this was the first, notes may follow */
bool parse_wrong(Parse *p, Span span, const char *message);      /* the same, reported as E03 */
void parse_hint(Parse *p, const char *text);                      /* a note behind it */
/* The current token is not what stands in `what`. True when this was the first error. */
bool parse_unexpected(Parse *p, const char *what);
/* The same in or behind an expression, where a guess can be made of what was meant. */
bool parse_expected(Parse *p, const char *what);
bool parse_refuse(Parse *p, const char *what);                   /* the same for `return parse_refuse(...)`: false */
const char *parse_meant(const Parse *p);                         /* what to write instead of the token, or NULL */

/* ---- tokens (parse_token.c) ---- */

bool tok_is(const Parse *p, const char *text);                   /* an operator or a keyword */
bool tok_is_name(const Parse *p, const char *text);
void tok_next(Parse *p);
/* The token behind the current one, if *offset is p->offset; moves that on. TOK_ERROR is reported
 * when it becomes current. */
Token tok_peek(const Parse *p, uint32_t *offset);
bool tok_peek_is(const Parse *p, const char *op);                /* is it the one behind the current token? */
bool tok_accept(Parse *p, const char *op);
bool tok_expect(Parse *p, const char *op, const char *what);
const char *tok_expect_name(Parse *p, const char *what);         /* `what` says what it would be the name of */

/* Inside brackets no name ends an application. */
typedef struct Bracket { Span span; const char *const *stops; } Bracket;
Bracket bracket_open(Parse *p);
bool bracket_close(Parse *p, Bracket b, const char *close, const char *what);
bool parse_nest(Parse *p);                                       /* one level deeper; the caller takes it back */

/* ---- nodes (parse_token.c) ---- */

/* Lists double whenever their length is a power of two: adding is amortised constant, no capacity is stored,
 * and a list that was filled this way can be taken over and grown on. */
void *parse_grown(Parse *p, void *items, int n, size_t size);
#define ADD(p, list, n, item) ((list) = parse_grown((p), (list), (n), sizeof *(list)), (list)[(n)++] = (item))

/* Raises a height to stand above a child's. False, and reported, when it gets too high. */
bool parse_above(Parse *p, int *height, int child);
Ast *ast_named(Parse *p, AstKind kind, uint32_t from, const char *name);
Ast *ast_node(Parse *p, AstKind kind, uint32_t from);
Ast *ast_with(Parse *p, Ast *e, Ast *kid);                       /* the span drawn on to the last token read */
Ast *ast_with_pat(Parse *p, Ast *e, AstPat *pat);
Ast *ast_with_annot(Parse *p, Ast *e, AstType *annot);
Ast *ast_spanning(Ast *e, Span span);

/* ---- types and patterns (parse_expr.c) ---- */

AstType *read_type(Parse *p);
AstPat *read_param(Parse *p);
bool at_param(const Parse *p);

/* ---- expressions (parse_expr.c; sizes in types are expressions too) ---- */

typedef enum Assoc { ASSOC_LEFT, ASSOC_RIGHT, ASSOC_NONE } Assoc;
typedef struct Infix { const char *text; int level; Assoc assoc; } Infix;
enum { LEVEL_LOWEST = 0, LEVEL_SUM = 5, LEVEL_PREFIX = 7 };

const Infix *infix_here(const Parse *p);                         /* NULL: the current token is no infix operator */
bool at_atom(const Parse *p);
Ast *read_atom(Parse *p);
Ast *read_postfix(Parse *p);
/* Operands joined by operators that bind at least as tightly as `lowest`. An operator before `)` makes a section. */
Ast *read_level(Parse *p, int lowest);
Ast *read_expr(Parse *p);

/* ---- rules (parse_rule.c) ---- */

AstRule *read_rule(Parse *p, uint32_t from);                     /* behind the word `rule`, if it is there */

#endif

/* syntax: tokens and the syntax tree of the language (language.md, rules.md).
 *
 * One tree serves programs, rules and search patterns. Spans end here. All nodes live in the arena given to the
 * parser; names are interned in the given table, so they compare by pointer. Nesting is limited: no tree is higher
 * than AST_DEPTH nodes (patterns, types and sizes included) and no more brackets are open at once; deeper text is
 * error E08, so recursion over a tree needs no check. The span of a bracketed expression includes its brackets. */
#ifndef SYNTAX_H
#define SYNTAX_H

#include "diag.h"
#include "prim.h"

enum { AST_DEPTH = 256 };

typedef enum TokenKind {
    TOK_END, TOK_ERROR,
    TOK_NAME, TOK_INT, TOK_FLOAT,
    TOK_PROJ,                  /* ".3" directly after a name, `)`, `]` or projection: value in .ival */
    TOK_FIELD,                 /* ".name" directly after a name, `)`, `]` or projection */
    TOK_INDEX,                 /* "[" directly after a name, `)`, `]` or projection */
    TOK_OP,                    /* operator or punctuation, .text interned: ( ) [ ] { } , . .. -> => <=> : =
                                  \ $ |> + - * / // % == != < <= > >= && || ! _ */
    TOK_KEYWORD,               /* let in if then else with param true false; .text interned */
} TokenKind;

enum { SUFFIX_NONE = 0 };      /* of a number; else 1 + its Scalar */

typedef struct Token {
    TokenKind kind;
    Span span;
    const char *text;          /* NAME, FIELD, OP, KEYWORD: interned */
    int64_t ival;              /* INT, PROJ; above INT64_MAX only as a u64, by its bits */
    double fval;               /* FLOAT */
    int suffix;
} Token;

/* `rule`, `when`, `and`, `not`, `divides` ... are ordinary names outside rules. */

/* One structure for expressions, binding patterns and types: the name of the typedef says which it is. */
typedef struct Ast Ast, AstPat, AstType;

typedef enum AstKind {
    AST_NAME,                  /* name; `pi inf nan` are names too; `_` a hole (patterns only) */
    AST_INT, AST_FLOAT, AST_BOOL,
    AST_APP,                   /* kids[0] applied to kids[1..]: never nested, `f x y` is one node */
    AST_LAMBDA,                /* pats[0..pat_count): curried parameters; kids[0] body */
    AST_LET,                   /* pats[0]; kids[0] value, kids[1] body; annot may be set */
    AST_IF,                    /* kids: cond then else */
    AST_TUPLE,                 /* kids, 2 or more (1 when it holds a single spread); of a record with labels */
    AST_ARRAY,                 /* [e, e]: kids, 1 or more */
    AST_PROJ,                  /* kids[0], ival */
    AST_FIELD,                 /* kids[0], kids[1] a name: a part of a record; of functions, their composition */
    AST_AT,                    /* e[i]: kids[0] array or vector, kids[1] index */
    AST_BINARY,                /* name = operator text; kids[0], kids[1]; includes `.` `$` `|>` */
    AST_UNARY,                 /* name = "-" or "!"; kids[0] */
    AST_OP,                    /* (op) as a function; name */
    AST_SECTION_LEFT,          /* (e op): kids[0]; name */
    AST_SECTION_RIGHT,         /* (op e): kids[0]; name */
    AST_ANNOT,                 /* (e : type): kids[0]; annot */
    AST_SPREAD,                /* xs.. or (e).. : kids[0]; only as an argument or tuple part (rules) */
    AST_PATTERN,               /* name: "_" binds nothing; annot: `(x: type)`; or, name NULL, kids: a tuple pattern of 2 or more parts
                                  (with a spread: 1 or more) */
    ASTTYPE_SCALAR, ASTTYPE_VECTOR,      /* name: "f32" ... interned; VECTOR: width */
    ASTTYPE_ARRAY,             /* size, an expression with + - * / // % integers and names; kids[0] */
    ASTTYPE_TUPLE, ASTTYPE_FUN,          /* kids, TUPLE: perhaps labels; FUN 2: argument, result */
    ASTTYPE_SIZE,
} AstKind;

struct Ast {
    AstKind kind;
    Span span;
    const char *name;          /* interned */
    uint16_t prim;             /* what ast_prim says, + 1; 0: it has to look */
    uint16_t begins;           /* of a pattern in normal form (match.h): what all terms begin with that it matches, + 1; 0: not one primitive */
    union {
        int64_t ival;          /* INT, PROJ; BOOL 0/1; UNARY 1: a bracket follows, so -(5) is an operation and -5 a number */
        int64_t width;
    };
    double fval;
    int suffix;
    const char *mark;          /* of a function in the prelude: what lambdas made of it have as a hint (hint_name) */
    bool spread;               /* of a pattern: `as..` in a rule */
    bool inlined;              /* on the right side of a rule, what a metavariable is applied to: `inline e` */
    int height;                /* nodes on the longest way down, this one included */
    int kid_count, pat_count;
    Ast **kids;
    AstPat **pats;
    const char **labels;       /* of a record: the names of its kids; else NULL */
    AstType *annot;
    Ast *size;
};

typedef enum PropKind { PROP_ASSOCIATIVE = 1, PROP_COMMUTATIVE = 2, PROP_NEUTRAL = 4,
                        PROP_RESTARTS = 8, /* f (z, z) = z, f (f (z, x), z) = f (z, x): z may stand before each part of an array */
                        PROP_SUMS = 16     /* it adds, and z is zero */
} PropKind;

typedef struct AstDecl {       /* let name params [: type] = body [with props] */
    Span span, name_span;
    const char *name;
    int param_count;
    AstPat **params;
    AstType *result;
    Ast *body;
    unsigned props, assumed;   /* PropKind bits; assumed: those of them that hold whatever tests say */
    Ast *neutral;
    bool records;              /* one is written in it, as a type or as a value */
} AstDecl;

typedef struct AstFile {
    const Source *source;
    int decl_count;
    AstDecl **decls;
    int param_count;           /* `param a, b` lines, all of them */
    const char **params;
} AstFile;

typedef enum CondKind {
    COND_DIVIDES,              /* args: size, size */
    COND_COMPARE,              /* name = operator; args: size, size */
    COND_CONSTANT,             /* size */
    COND_ASSOCIATIVE, COND_COMMUTATIVE,   /* function */
    COND_NEUTRAL, COND_RESTARTS, /* value, function */
    COND_RESCALES,             /* functions e, f, g, value w; or e, f */
    COND_ATOMIC, COND_COMPUTES, COND_LAYOUT, COND_REPEATS, COND_IDENTITY,      /* function */
    COND_SHARES,               /* two arrays */
    COND_INDEXES,              /* expression, array */
    COND_SCALAR,               /* expression */
    COND_FINITE,               /* expression; taken for granted */
    COND_IMAGE,                /* expression: may it be read as an image? */
    COND_IMAGE_OUT,            /* expression: may it be written as one? */
    COND_UNDER,                /* name = primitive; arg: dim or none */
    COND_CONTAINS,             /* name = primitive; args: [dim,] function or value */
    COND_CALL,                 /* name(args): a Lua function */
} CondKind;

typedef struct AstCond {
    CondKind kind;
    PropKind prop;             /* ASSOCIATIVE COMMUTATIVE NEUTRAL RESTARTS: which it is */
    bool negated;
    Span span;
    const char *name;
    int arg_count;
    Ast **args;
} AstCond;

/* What the right side of a rule is where the engine makes it: `elements x`, x in element form; `elementParts x`, that with its numbers in parts;
 * `elementsKept x`, that with arrays for what is read again; `elementsTogether x`, that with sums in one pass; `elementGather x`, a reduction by index x by
 * what each element takes; `recurrence x`, a loop x by linear steps as a scan. */
typedef enum RuleElements { ELEMENTS_NONE, ELEMENTS_OF, ELEMENTS_IN_PARTS, ELEMENTS_KEPT, ELEMENTS_TOGETHER, ELEMENTS_GATHERED, ELEMENTS_RECURRENCE, ELEMENTS_COUNT } RuleElements;
static inline const char *elements_word(RuleElements e)
{
    static const char *const words[ELEMENTS_COUNT] = {"", "elements", "elementParts", "elementsKept", "elementsTogether", "elementGather", "recurrence"};
    return words[e];
}

typedef struct AstRule {       /* rule name(params): lhs => rhs when conds */
    const Source *source;
    Span span;
    const char *name;
    int param_count;
    const char **params;
    const char **kinds;        /* "size" "dim" "width" "perm" "mode", or NULL where left out */
    Ast *lhs, *rhs;
    bool both_ways;            /* <=> */
    RuleElements elements;
    bool cuts;                 /* the left side has `f . g`, a composition of any two functions */
    int cond_count;
    AstCond **conds;
    Span cond_text;            /* from the word `when` to the end, for printing the rule as defined; empty if none */
} AstRule;

/* Where a parse takes place: arena for nodes, names for interning, diag for the first error. */
typedef struct Parser {
    Arena *arena;
    Interns *names;
    Diag *diag;
    bool at_end;               /* out: the first error was "unexpected end of input" (shells read on) */
} Parser;

int zip_count(const char *name);           /* zip2, zip3 ...: how many arrays; 0: another name */
PrimId named_prim(const char *name);       /* that text can call: zip2 ... zip9 are zip; PRIM_COUNT: there is none, in a pattern a metavariable */
PrimId ast_prim(const Ast *a);             /* that a NAME, OP or BINARY calls where nothing is bound to its name; PRIM_COUNT: none */

/* How tightly things bind, loosest first. Infix operators: `$` at LEVEL_LOWEST to `.` at LEVEL_COMPOSE. */
enum { LEVEL_LOWEST = 0, LEVEL_SUM = 5, LEVEL_PREFIX = 7, LEVEL_COMPOSE = 8, LEVEL_APP = 9, LEVEL_ATOM = 10 };
typedef enum Assoc { ASSOC_LEFT, ASSOC_RIGHT, ASSOC_NONE } Assoc;
typedef struct Infix { const char *text; int level; Assoc assoc; } Infix;
const Infix *infix_of(const char *op);     /* NULL: it is no infix operator */

/* Each returns NULL after an error (in p->diag: E03 with caret, what was needed, what was found, a suggestion).
 * The whole source must be consumed. */
AstFile *parse_file(Parser *p, const Source *s);
AstDecl *parse_decl(Parser *p, const Source *s);        /* one `let` declaration; the word `let` itself is optional */
Ast *parse_expr(Parser *p, const Source *s);            /* also search patterns (`_` holes, spreads) */
AstRule *parse_rule(Parser *p, const Source *s);        /* the word `rule` is optional */
/* The i-th word that a condition of a rule begins with, and what stands behind it; NULL: there are no more. */
const char *parse_condition_word(int i, const char **takes);
AstType *parse_type(Parser *p, const Source *s);

/* The token at or after *offset, which moves behind it; TOK_END at the end of the text, TOK_ERROR for what is no token
 * (reported in diag; diag may be NULL). For the parser, completion and highlighting. */
const char *lex_keyword(int i);           /* the i-th; NULL: there are fewer */
Token lex_token(const Source *s, uint32_t *offset, Interns *names, Diag *diag);

/* What stands here for what others call so; NULL: nothing is known. */
const char *foreign_name(const char *name);

#endif

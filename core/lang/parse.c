/* parse: recursive descent from tokens to trees; productions are those of language.md 2 and 7.
 *
 * A function that fails has reported why and returns NULL; from then on the current token is TOK_END, so every loop
 * stops. Node makers pass NULL on. Recursion goes through `nest`, which bounds the stack. */
#include "syntax.h"

#include <string.h>

enum {
    NEST_MAX = 2 * AST_DEPTH,       /* every level is an open bracket or becomes a node */
    SOURCE_MAX = 1 << 30,           /* bytes; so that spans and counts fit */
};

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

typedef enum Assoc { ASSOC_LEFT, ASSOC_RIGHT, ASSOC_NONE } Assoc;
typedef struct Infix { const char *text; int level; Assoc assoc; } Infix;

enum { LEVEL_LOWEST = 0, LEVEL_SUM = 5, LEVEL_PREFIX = 7 };

static const Infix infixes[] = {
    {".", 8, ASSOC_RIGHT}, {"*", 6, ASSOC_LEFT},  {"/", 6, ASSOC_LEFT},  {"//", 6, ASSOC_LEFT},  {"%", 6, ASSOC_LEFT},
    {"+", 5, ASSOC_LEFT},  {"-", 5, ASSOC_LEFT},  {"==", 4, ASSOC_NONE}, {"!=", 4, ASSOC_NONE},  {"<", 4, ASSOC_NONE},
    {"<=", 4, ASSOC_NONE}, {">", 4, ASSOC_NONE},  {">=", 4, ASSOC_NONE}, {"&&", 3, ASSOC_RIGHT}, {"||", 2, ASSOC_RIGHT},
    {"|>", 1, ASSOC_LEFT}, {"$", 0, ASSOC_RIGHT},
};

static Ast *expr(Parse *p);
static AstType *type(Parse *p);
static AstPat *pattern(Parse *p);

/* ---- errors ---- */

/* The first error stops the parse. True when this one was it, so that notes may follow. */
static bool stop(Parse *p)
{
    if (p->failed) return false;
    p->failed = true;
    p->tok = (Token){.kind = TOK_END, .span = {p->last, p->last}};
    return true;
}

static void too_deep(Parse *p, Span span)
{
    if (stop(p))
        diag_error_at(p->out->diag, E08, p->source, span, "this is nested too deeply (more than %d levels)", AST_DEPTH);
}

static bool wrong(Parse *p, Span span, const char *message)
{
    return stop(p) && diag_error_at(p->out->diag, E03, p->source, span, "%s", message);
}

static void try(Parse *p, const char *text) { diag_note(p->out->diag, "try", "%s", text); }

/* "the name `x`", "`)`", "the end of the input" */
static const char *described(Parse *p, const Token *t)
{
    static const char *const kinds[] = {
        [TOK_NAME] = "the name ", [TOK_INT] = "the number ", [TOK_FLOAT] = "the number ",
        [TOK_PROJ] = "the projection ", [TOK_KEYWORD] = "the keyword ",
    };
    if (t->kind == TOK_END) return "the end of the input";
    const char *kind = (int)t->kind < COUNT(kinds) && kinds[t->kind] ? kinds[t->kind] : "";
    uint32_t len = t->span.to - t->span.from;
    return arena_printf(p->out->arena, "%s`%.*s%s`", kind, len < 40 ? (int)len : 37, p->source->text + t->span.from,
                        len < 40 ? "" : "...");
}

static bool is(const Parse *p, const char *op)
{
    return (p->tok.kind == TOK_OP || p->tok.kind == TOK_INDEX) && strcmp(p->tok.text, op) == 0;
}

static bool is_keyword(const Parse *p, const char *text)
{
    return p->tok.kind == TOK_KEYWORD && strcmp(p->tok.text, text) == 0;
}

static bool is_name(const Parse *p, const char *text)
{
    return p->tok.kind == TOK_NAME && strcmp(p->tok.text, text) == 0;
}

/* Was the token before a point right behind a digit, as in `1. + x`? */
static bool after_bare_point(const Parse *p)
{
    const char *text = p->source->text;
    return p->last > 1 && text[p->last - 1] == '.' && text[p->last - 2] >= '0' && text[p->last - 2] <= '9';
}

/* What to write instead of an unexpected token; NULL if nothing is known about it. */
static const char *meant(const Parse *p)
{
    if (after_bare_point(p)) return "digits on both sides of a float's point: 1.0";
    if (is(p, "=")) return "`==` compares; `let x = ... in ...` names a value";
    if (is(p, "->")) return "a lambda starts with a backslash: \\x -> ...";
    if (is(p, "=>") || is(p, "<=>")) return "a rule: rule NAME: LEFT => RIGHT";
    if (is(p, "..")) return "`..` stands behind one name or bracket, as an argument or inside a tuple";
    if (is(p, "[")) return "an index follows its array without a space: w[0]";
    if (is(p, "-")) return "brackets: (- x)";
    if (is(p, "!")) return "brackets: (! x)";
    if (is(p, "\\")) return "brackets: (\\x -> ...)";
    if (is_keyword(p, "let")) return "brackets: (let x = ... in ...)";
    if (is_keyword(p, "if")) return "brackets: (if ... then ... else ...)";
    return NULL;
}

/* The current token is not what stands in `what`. */
static bool unexpected(Parse *p, const char *what)
{
    Token t = p->tok;
    if (!stop(p)) return false;
    p->out->at_end = t.kind == TOK_END;
    Span span = t.kind == TOK_END ? (Span){p->last, p->last} : t.span;
    return diag_error_at(p->out->diag, E03, p->source, span, "expected %s, found %s", what, described(p, &t));
}

/* The same in or behind an expression, where a guess can be made. */
static bool expected(Parse *p, const char *what)
{
    const char *hint = meant(p);
    bool first = unexpected(p, what);
    if (first && hint) try(p, hint);
    return first;
}

/* For `return refuse(...)`: false. */
static bool refuse(Parse *p, const char *what)
{
    expected(p, what);
    return false;
}

/* ---- tokens ---- */

static void next(Parse *p)
{
    if (p->failed) return;
    p->last = p->tok.span.to;
    p->open_end = false;
    p->tok = lex_token(p->source, &p->offset, p->out->names, p->out->diag);
    if (p->tok.kind == TOK_ERROR) stop(p);
}

/* The token behind the current one; it may be TOK_ERROR, which is reported when it becomes current. */
static Token peek(const Parse *p, uint32_t *offset) { return lex_token(p->source, offset, p->out->names, NULL); }

static bool peek_is(const Parse *p, const char *op)
{
    uint32_t offset = p->offset;
    Token t = peek(p, &offset);
    return t.kind == TOK_OP && strcmp(t.text, op) == 0;
}

static bool accept(Parse *p, const char *op)
{
    if (!is(p, op)) return false;
    next(p);
    return true;
}

static bool expect(Parse *p, const char *op, const char *what)
{
    if (accept(p, op)) return true;
    expected(p, what);
    return false;
}

static bool expect_keyword(Parse *p, const char *text, const char *what)
{
    bool ok = is_keyword(p, text);
    if (ok) next(p);
    else expected(p, what);
    return ok;
}

/* The name is in p->tok before the call; `what` says what it would be the name of. */
static const char *expect_name(Parse *p, const char *what)
{
    Token t = p->tok;
    if (t.kind == TOK_NAME) {
        next(p);
        return t.text;
    }
    if (unexpected(p, what) && t.kind == TOK_KEYWORD)
        diag_note(p->out->diag, "needs", "another name: `%s` is a keyword", t.text);
    return NULL;
}

static bool nest(Parse *p)
{
    if (p->failed) return false;
    if (++p->depth > NEST_MAX) too_deep(p, p->tok.span);
    return !p->failed;
}

/* Inside brackets no name ends an application. */
typedef struct Bracket { Span span; const char *const *stops; } Bracket;

static Bracket bracket_open(Parse *p)
{
    Bracket b = {p->tok.span, p->stops};
    p->stops = NULL;
    if (++p->brackets > AST_DEPTH) too_deep(p, b.span);
    next(p);
    return b;
}

static bool bracket_close(Parse *p, Bracket b, const char *close, const char *what)
{
    p->stops = b.stops;
    p->brackets--;
    if (accept(p, close)) return true;
    if (!expected(p, what)) return false;
    int line, column;
    source_position(p->source, b.span.from, &line, &column);
    diag_note(p->out->diag, "opened", "`%c` at %s:%d:%d", p->source->text[b.span.from], p->source->name, line, column);
    return false;
}

/* ---- nodes ---- */

/* Lists double whenever their length is a power of two: adding is amortised constant, no capacity is stored, and a list
 * that was filled this way can be taken over and grown on. */
static void *grown(Parse *p, void *items, int n, size_t size)
{
    if (n & (n - 1)) return items;
    char *wider = arena_alloc(p->out->arena, size * (size_t)(n ? 2 * n : 1));
    if (n) memcpy(wider, items, size * (size_t)n);
    return wider;
}

#define ADD(p, list, n, item) ((list) = grown((p), (list), (n), sizeof *(list)), (list)[(n)++] = (item))

/* Raises a height to stand above a child's. False, and reported, when it gets too high. */
static bool above(Parse *p, int *height, int child)
{
    if (*height <= child) *height = child + 1;
    if (*height > AST_DEPTH) too_deep(p, p->tok.span);
    return !p->failed;
}

static Ast *node(Parse *p, AstKind kind, uint32_t from)
{
    if (p->failed) return NULL;
    Ast *e = NEW(p->out->arena, Ast);
    *e = (Ast){.kind = kind, .span = {from, p->last}, .height = 1};
    return e;
}

/* e with one more kid, its span drawn on to the last token read. */
static Ast *with(Parse *p, Ast *e, Ast *kid)
{
    if (!e || !kid || !above(p, &e->height, kid->height)) return NULL;
    ADD(p, e->kids, e->kid_count, kid);
    e->span.to = p->last;
    return e;
}

static Ast *with_pat(Parse *p, Ast *e, AstPat *pat)
{
    if (!e || !pat || !above(p, &e->height, pat->height)) return NULL;
    ADD(p, e->pats, e->pat_count, pat);
    return e;
}

static Ast *with_annot(Parse *p, Ast *e, AstType *annot)
{
    if (!e || !annot || !above(p, &e->height, annot->height)) return NULL;
    e->annot = annot;
    return e;
}

static Ast *spanning(Ast *e, Span span)
{
    if (e) e->span = span;
    return e;
}

/* ---- types: type = ptype [ "->" type ] ---- */

static AstType *type_node(Parse *p, AstTypeKind kind, uint32_t from)
{
    if (p->failed) return NULL;
    AstType *t = NEW(p->out->arena, AstType);
    *t = (AstType){.kind = kind, .span = {from, p->last}, .height = 1};
    return t;
}

static AstType *type_with(Parse *p, AstType *t, AstType *kid)
{
    if (!t || !kid || !above(p, &t->height, kid->height)) return NULL;
    ADD(p, t->kids, t->kid_count, kid);
    t->span.to = p->last;
    return t;
}

static const char *const scalars[] = {"f16", "f32", "f64", "i32", "i64", "u32", "bool"};

static bool at_scalar(const Parse *p)
{
    for (int i = 0; i < COUNT(scalars); i++)
        if (is_name(p, scalars[i])) return true;
    return false;
}

static void expected_type(Parse *p)
{
    static const struct { const char *text, *hint; } usual[] = {
        {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"int", "i32"}, {"long", "i64"}, {"uint", "u32"},
    };
    Token t = p->tok;
    if (!unexpected(p, "a type") || t.kind != TOK_NAME) return;
    diag_note(p->out->diag, "needs", "%s",
              "f16 f32 f64 i32 i64 u32 bool size, [N]type, <4>scalar, (type, type), type -> type");
    for (int i = 0; i < COUNT(usual); i++)
        if (strcmp(t.text, usual[i].text) == 0) try(p, usual[i].hint);
}

static AstType *scalar(Parse *p, AstTypeKind kind, uint32_t from)
{
    const char *name = p->tok.text;
    if (!at_scalar(p)) {
        expected_type(p);
        return NULL;
    }
    next(p);
    AstType *t = type_node(p, kind, from);
    if (t) t->name = name;
    return t;
}

/* "<" int ">" scalar */
static AstType *vector(Parse *p)
{
    uint32_t from = p->tok.span.from;
    next(p);
    int64_t width = p->tok.ival;
    if (p->tok.kind == TOK_INT && !p->tok.suffix) next(p);
    else unexpected(p, "a vector width: 2, 4, 8 or 16");
    if (!expect(p, ">", "`>` behind the vector width")) return NULL;
    AstType *t = scalar(p, ASTTYPE_VECTOR, from);
    if (t) t->width = width;
    return t;
}

static bool size_operator(const char *op)
{
    return strchr("+-*/%", *op) != NULL && (op[1] == '\0' || strcmp(op, "//") == 0);
}

/* True when e may be a size; reports the part that may not. */
static bool check_size(Parse *p, const Ast *e)
{
    bool ok = (e->kind == AST_INT && !e->suffix) || (e->kind == AST_NAME && strcmp(e->name, "_") != 0) ||
              (e->kind == AST_BINARY && size_operator(e->name));
    if (!ok && wrong(p, e->span, "this is no size"))
        diag_note(p->out->diag, "needs", "integers, names and + - * / // %% between brackets");
    for (int i = 0; ok && i < e->kid_count; i++) ok = check_size(p, e->kids[i]);
    return ok;
}

static AstType *ptype(Parse *p);

/* "[" size "]" ptype */
static AstType *array(Parse *p)
{
    if (!nest(p)) return NULL;
    AstType *t = type_node(p, ASTTYPE_ARRAY, p->tok.span.from);
    Bracket b = bracket_open(p);
    Ast *size = expr(p);
    if (!size || !check_size(p, size) || !bracket_close(p, b, "]", "`]`")) return NULL;
    if (!above(p, &t->height, size->height)) return NULL;
    t->size = size;
    t = type_with(p, t, ptype(p));
    p->depth--;
    return t;
}

/* "(" type { "," type } ")" */
static AstType *type_tuple(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Bracket b = bracket_open(p);
    AstType *t = type(p);
    if (t && is(p, ",")) t = type_with(p, type_node(p, ASTTYPE_TUPLE, from), t);
    while (t && accept(p, ",")) t = type_with(p, t, type(p));
    if (!t || !bracket_close(p, b, ")", "`,` or `)` in a tuple type")) return NULL;
    t->span = (Span){from, p->last};
    return t;
}

static AstType *ptype(Parse *p)
{
    uint32_t from = p->tok.span.from;
    if (is(p, "[")) return array(p);
    if (is(p, "<")) return vector(p);
    if (is(p, "(")) return type_tuple(p);
    if (!is_name(p, "size")) return scalar(p, ASTTYPE_SCALAR, from);
    next(p);
    return type_node(p, ASTTYPE_SIZE, from);
}

static AstType *type(Parse *p)
{
    if (!nest(p)) return NULL;
    AstType *t = ptype(p);
    if (t && accept(p, "->")) {
        AstType *f = type_with(p, type_node(p, ASTTYPE_FUN, t->span.from), t);
        t = type_with(p, f, type(p));
    }
    p->depth--;
    return t;
}

/* ---- patterns ---- */

static AstPat *pat_node(Parse *p, uint32_t from, const char *name)
{
    if (p->failed) return NULL;
    AstPat *a = NEW(p->out->arena, AstPat);
    *a = (AstPat){.span = {from, p->last}, .name = name, .height = 1};
    return a;
}

static AstPat *pat_with(Parse *p, AstPat *a, AstPat *kid)
{
    if (!a || !kid || !above(p, &a->height, kid->height)) return NULL;
    ADD(p, a->kids, a->kid_count, kid);
    return a;
}

static bool at_param(const Parse *p) { return p->tok.kind == TOK_NAME || is(p, "_") || is(p, "("); }

static AstPat *pat_name(Parse *p)
{
    uint32_t from = p->tok.span.from;
    const char *name = p->tok.text;
    if (is(p, "_")) next(p);
    else name = expect_name(p, "a name, `_` or a bracketed pattern");
    return pat_node(p, from, name);
}

static bool spread_allowed(Parse *p)
{
    if (p->spreads) return true;
    wrong(p, p->tok.span, "a spread `..` belongs to rules, not to programs");
    return false;
}

/* pattern, and in rules also name ".." */
static AstPat *pat_part(Parse *p)
{
    AstPat *a = pattern(p);
    if (!a || !a->name || !is(p, "..") || !spread_allowed(p)) return a;
    next(p);
    a->spread = true;
    a->span.to = p->last;
    return a;
}

/* name ":" type, inside the bracket of a parameter */
static AstPat *pat_typed(Parse *p)
{
    AstPat *a = pat_name(p);
    next(p);                                    /* the colon was seen by the caller */
    AstType *annot = type(p);
    if (!a || !annot || !above(p, &a->height, annot->height)) return NULL;
    a->annot = annot;
    return a;
}

/* pattern { "," pattern }; one alone is no tuple unless it is a spread */
static AstPat *pat_tuple(Parse *p, uint32_t from)
{
    AstPat *a = pat_part(p);
    if (a && (a->spread || is(p, ","))) a = pat_with(p, pat_node(p, from, NULL), a);
    while (a && accept(p, ",")) a = pat_with(p, a, pat_part(p));
    return a;
}

static AstPat *pat_bracket(Parse *p, bool typed)
{
    uint32_t from = p->tok.span.from;
    Bracket b = bracket_open(p);
    bool annotated = typed && p->tok.kind == TOK_NAME && peek_is(p, ":");
    AstPat *a = annotated ? pat_typed(p) : pat_tuple(p, from);
    if (!a || !bracket_close(p, b, ")", annotated ? "`)` behind the type" : "`,` or `)` in a pattern")) return NULL;
    a->span = (Span){from, p->last};
    return a;
}

static AstPat *pattern_or_param(Parse *p, bool typed)
{
    if (!nest(p)) return NULL;
    AstPat *a = is(p, "(") ? pat_bracket(p, typed) : pat_name(p);
    p->depth--;
    return a;
}

/* pattern = name | "_" | "(" pattern { "," pattern } ")" */
static AstPat *pattern(Parse *p) { return pattern_or_param(p, false); }

/* param = pattern | "(" name ":" type ")" */
static AstPat *param(Parse *p) { return pattern_or_param(p, true); }

/* ---- atoms ---- */

static const Infix *infix(const Parse *p)
{
    for (int i = 0; p->tok.kind == TOK_OP && i < COUNT(infixes); i++)
        if (strcmp(p->tok.text, infixes[i].text) == 0) return &infixes[i];
    return NULL;
}

static bool stops_here(const Parse *p)
{
    for (const char *const *s = p->stops; s && *s; s++)
        if (is_name(p, *s)) return true;
    return false;
}

static bool at_atom(const Parse *p)
{
    switch (p->tok.kind) {
    case TOK_INT: case TOK_FLOAT: return true;
    case TOK_NAME: return !stops_here(p);
    case TOK_KEYWORD: return is_keyword(p, "true") || is_keyword(p, "false");
    default: return is(p, "(") || is(p, "_");
    }
}

/* One token as a node. */
static Ast *leaf(Parse *p, AstKind kind)
{
    Token t = p->tok;
    next(p);
    Ast *e = node(p, kind, t.span.from);
    if (!e) return NULL;
    if (kind == AST_NAME || kind == AST_OP) e->name = t.text;
    e->ival = kind == AST_BOOL ? strcmp(t.text, "true") == 0 : t.ival;
    e->fval = t.fval;
    e->suffix = t.suffix;
    return e;
}

/* "(" op ")" and "(" op expr ")", behind the bracket */
static Ast *operator_first(Parse *p, uint32_t from)
{
    if (peek_is(p, ")")) return leaf(p, AST_OP);
    const char *name = p->tok.text;
    next(p);
    Ast *e = node(p, AST_SECTION_RIGHT, from);
    if (e) e->name = name;
    return with(p, e, expr(p));
}

/* "(" expr op ")", at the operator */
static Ast *section_left(Parse *p, Ast *left, uint32_t from)
{
    if (p->open_end && wrong(p, p->tok.span, "this operator has no right operand"))
        diag_note(p->out->diag, "needs", "%s",
                  "brackets around the lambda, let or if on its left, or it would belong to that");
    const char *name = p->tok.text;
    next(p);
    Ast *e = node(p, AST_SECTION_LEFT, from);
    if (e) e->name = name;
    return with(p, e, left);
}

static Ast *spread(Parse *p, Ast *e)
{
    if (!e || !spread_allowed(p)) return NULL;
    next(p);
    return with(p, node(p, AST_SPREAD, e->span.from), e);
}

/* expr, and in rules also a name or bracket with ".." */
static Ast *part(Parse *p)
{
    Ast *e = expr(p);
    if (!e || !is(p, "..")) return e;
    if (p->operand == e->span.from) return spread(p, e);
    expected(p, "`,` or `)`");
    return NULL;
}

static Ast *tuple(Parse *p, Ast *first, uint32_t from)
{
    Ast *e = with(p, node(p, AST_TUPLE, from), first);
    while (e && accept(p, ",")) e = with(p, e, part(p));
    return e;
}

/* What stands between round brackets. */
static Ast *bracketed(Parse *p, uint32_t from)
{
    bool prefix = is(p, "-") || is(p, "!");
    if ((infix(p) && !prefix) || (prefix && peek_is(p, ")"))) return operator_first(p, from);
    Ast *e = part(p);
    if (!e) return NULL;
    if (e->kind == AST_SPREAD || is(p, ",")) return tuple(p, e, from);
    if (accept(p, ":")) return with_annot(p, with(p, node(p, AST_ANNOT, from), e), type(p));
    if (infix(p) && peek_is(p, ")")) return section_left(p, e, from);
    return e;
}

static Ast *bracket(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Bracket b = bracket_open(p);
    if (is(p, ")")) wrong(p, (Span){from, p->tok.span.to}, "there is no empty tuple `()`");
    Ast *e = bracketed(p, from);
    if (!e || !bracket_close(p, b, ")", "an operator, `,` or `)`")) return NULL;
    return spanning(e, (Span){from, p->last});
}

static Ast *atom(Parse *p)
{
    if (!at_atom(p)) {
        expected(p, "an expression");
        return NULL;
    }
    switch (p->tok.kind) {
    case TOK_INT: return leaf(p, AST_INT);
    case TOK_FLOAT: return leaf(p, AST_FLOAT);
    case TOK_KEYWORD: return leaf(p, AST_BOOL);
    default: return is(p, "(") ? bracket(p) : leaf(p, AST_NAME);
    }
}

/* ---- expressions ---- */

/* "[" expr "]" behind an operand */
static Ast *indexed(Parse *p, Ast *e)
{
    Bracket b = bracket_open(p);
    Ast *at = with(p, with(p, node(p, AST_AT, e->span.from), e), expr(p));
    if (!at || !bracket_close(p, b, "]", "an operator or `]` behind the index")) return NULL;
    return spanning(at, (Span){e->span.from, p->last});
}

static Ast *project(Parse *p, Ast *e)
{
    int64_t component = p->tok.ival;
    next(p);
    Ast *projection = with(p, node(p, AST_PROJ, e->span.from), e);
    if (projection) projection->ival = component;
    return projection;
}

/* postfix = atom { "." int | "[" expr "]" } */
static Ast *postfix(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Ast *e = atom(p);
    while (e && (p->tok.kind == TOK_PROJ || p->tok.kind == TOK_INDEX))
        e = p->tok.kind == TOK_PROJ ? project(p, e) : indexed(p, e);
    p->operand = from;
    return e;
}

/* What follows an application but could only be meant as one more argument. */
static bool bad_argument(Parse *p)
{
    const char *what = is(p, "\\")           ? "a lambda as an argument needs brackets"
                       : is_keyword(p, "if") ? "an `if` as an argument needs brackets"
                       : is(p, "!")          ? "an argument that starts with `!` needs brackets"
                       : is(p, "[")          ? "an index follows its array without a space"
                                             : NULL;
    if (!what) return false;
    const char *hint = is(p, "[") ? "w[0]" : meant(p);
    if (wrong(p, p->tok.span, what)) try(p, hint);
    return true;
}

/* app = postfix { postfix }; in rules a spread is an argument too */
static Ast *application(Parse *p)
{
    Ast *e = postfix(p);
    if (e && e->kind != AST_APP && at_atom(p)) e = with(p, node(p, AST_APP, e->span.from), e);
    while (e && at_atom(p)) {
        Ast *argument = postfix(p);
        e = with(p, e, is(p, "..") ? spread(p, argument) : argument);
    }
    return e && !bad_argument(p) ? e : NULL;
}

static Ast *open_ended(Parse *p, Ast *e)
{
    p->open_end = true;
    return e;
}

/* "\" param { param } "->" expr */
static Ast *lambda(Parse *p)
{
    uint32_t from = p->tok.span.from;
    next(p);
    Ast *e = with_pat(p, node(p, AST_LAMBDA, from), param(p));
    while (e && at_param(p)) e = with_pat(p, e, param(p));
    if (!e || !expect(p, "->", "a parameter or `->`")) return NULL;
    return open_ended(p, with(p, e, expr(p)));
}

/* The binding of a let up to its "="; a local function is the usual mistake. */
static Ast *let_head(Parse *p)
{
    uint32_t from = p->tok.span.from;
    next(p);
    Ast *e = with_pat(p, node(p, AST_LET, from), pattern(p));
    if (e && accept(p, ":")) e = with_annot(p, e, type(p));
    if (!e || accept(p, "=")) return e;
    bool function = at_param(p);
    if (expected(p, "`=`") && function)
        diag_note(p->out->diag, "needs", "%s",
                  "a local let binds a pattern: let f = \\x -> ... ; is an `in` missing before?");
    return NULL;
}

/* "let" pattern [ ":" type ] "=" expr [ "in" ] expr */
static Ast *let(Parse *p)
{
    Ast *e = let_head(p);
    e = e ? with(p, e, expr(p)) : NULL;
    if (!e || (!is_keyword(p, "let") && !expect_keyword(p, "in", "an operator, `in` or the next `let`"))) return NULL;
    return open_ended(p, with(p, e, expr(p)));
}

/* "if" expr "then" expr "else" expr */
static Ast *conditional(Parse *p)
{
    uint32_t from = p->tok.span.from;
    next(p);
    Ast *e = with(p, node(p, AST_IF, from), expr(p));
    if (!e || !expect_keyword(p, "then", "an operator or `then`")) return NULL;
    e = with(p, e, expr(p));
    if (!e || !expect_keyword(p, "else", "an operator or `else`")) return NULL;
    return open_ended(p, with(p, e, expr(p)));
}

static Ast *level(Parse *p, int lowest);

static Ast *prefix(Parse *p)
{
    Token op = p->tok;
    next(p);
    Ast *e = node(p, AST_UNARY, op.span.from);
    if (e) e->name = op.text;
    if (e) e->ival = is(p, "(");
    return with(p, e, level(p, LEVEL_PREFIX));
}

/* What may stand beside an operator of the given level. */
static Ast *operand(Parse *p, int lowest)
{
    if (is(p, "\\")) return lambda(p);
    if (is_keyword(p, "let")) return let(p);
    if (is_keyword(p, "if")) return conditional(p);
    if (lowest <= LEVEL_PREFIX && (is(p, "-") || is(p, "!"))) return prefix(p);
    return application(p);
}

static Ast *binary(Parse *p, Ast *left, const Infix *op)
{
    const char *name = p->tok.text;
    next(p);
    Ast *right = level(p, op->assoc == ASSOC_RIGHT ? op->level : op->level + 1);
    Ast *e = right ? with(p, with(p, node(p, AST_BINARY, left->span.from), left), right) : NULL;
    if (e) e->name = name;
    const Infix *again = infix(p);
    bool chained = e && op->assoc == ASSOC_NONE && again && again->level == op->level;
    if (chained && wrong(p, p->tok.span, "comparisons do not chain")) try(p, "a < b && b < c");
    return p->failed ? NULL : e;
}

/* Operands joined by operators that bind at least as tightly as `lowest`. An operator before `)` makes a section. */
static Ast *level(Parse *p, int lowest)
{
    if (!nest(p)) return NULL;
    Ast *e = operand(p, lowest);
    const Infix *op;
    while (e && (op = infix(p)) && op->level >= lowest && !peek_is(p, ")")) e = binary(p, e, op);
    p->depth--;
    return e;
}

static Ast *expr(Parse *p) { return level(p, LEVEL_LOWEST); }

/* ---- declarations ---- */

typedef struct Prop { const char *text; PropKind kind; } Prop;

static const Prop props[] = {
    {"associative", PROP_ASSOCIATIVE}, {"commutative", PROP_COMMUTATIVE}, {"neutral", PROP_NEUTRAL},
};

static const Prop *prop_here(const Parse *p)
{
    for (int i = 0; i < COUNT(props); i++)
        if (is_name(p, props[i].text)) return &props[i];
    return NULL;
}

/* prop = "associative" | "commutative" | "neutral" atom */
static bool prop(Parse *p, AstDecl *d)
{
    const Prop *here = prop_here(p);
    if (!here) return refuse(p, "a property: associative, commutative or neutral VALUE");
    if ((d->props & here->kind) && wrong(p, p->tok.span, "this property was already given")) return false;
    d->props |= here->kind;
    next(p);
    if (here->kind == PROP_NEUTRAL) d->neutral = atom(p);
    return !p->failed;
}

/* "with" prop { prop } */
static bool with_props(Parse *p, AstDecl *d)
{
    next(p);
    bool ok = prop(p, d);
    while (ok && p->tok.kind == TOK_NAME) ok = prop(p, d);
    return ok;
}

static bool params(Parse *p, AstDecl *d)
{
    while (at_param(p)) {
        AstPat *a = param(p);
        if (!a) return false;
        ADD(p, d->params, d->param_count, a);
    }
    return !p->failed;
}

/* name { param } [ ":" type ] "=" expr [ "with" prop { prop } ], behind the "let" that starts at `from` */
static AstDecl *declaration(Parse *p, uint32_t from)
{
    AstDecl *d = NEW(p->out->arena, AstDecl);
    d->name_span = p->tok.span;
    d->name = expect_name(p, "the name of a declaration");
    if (!d->name || !params(p, d)) return NULL;
    if (accept(p, ":")) d->result = type(p);
    if (!expect(p, "=", d->result ? "`=` behind the type" : "a parameter, `:` or `=`")) return NULL;
    d->body = expr(p);
    if (!d->body || (is_keyword(p, "with") && !with_props(p, d))) return NULL;
    d->span = (Span){from, p->last};
    return d;
}

static AstDecl *let_declaration(Parse *p)
{
    uint32_t from = p->tok.span.from;
    next(p);
    return declaration(p, from);
}

/* "param" name { "," name } */
static bool tuning_params(Parse *p, AstFile *f)
{
    int spans = f->param_count;
    do {
        next(p);
        Span span = p->tok.span;
        const char *name = expect_name(p, "the name of a tuning parameter");
        if (!name) return false;
        ADD(p, f->param_spans, spans, span);
        ADD(p, f->params, f->param_count, name);
    } while (is(p, ","));
    return !p->failed;
}

/* One declaration into f. What follows a complete one and is no new one belongs to an expression that went wrong. */
static bool file_item(Parse *p, AstFile *f)
{
    if (is_keyword(p, "param")) return tuning_params(p, f);
    if (!is_keyword(p, "let"))
        return refuse(p, f->decl_count ? "an operator, `with`, `let` or `param`" : "`let` or `param`");
    AstDecl *d = let_declaration(p);
    if (d) ADD(p, f->decls, f->decl_count, d);
    return d != NULL;
}

/* ---- rules ---- */

static const char *const stop_when[] = {"when", NULL};
static const char *const stop_cond[] = {"and", "divides", NULL};
static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
static const char *const rule_kinds[] = {"size", "dim", "width", "perm", "mode"};

/* How the arguments behind a condition's word are read. */
typedef enum CondForm { FORM_VALUES, FORM_SIZE, FORM_PRIM } CondForm;

static const struct CondWord { const char *text; CondKind kind; CondForm form; int least, most; } cond_words[] = {
    {"constant", COND_CONSTANT, FORM_SIZE, 1, 1},       {"associative", COND_ASSOCIATIVE, FORM_VALUES, 1, 1},
    {"commutative", COND_COMMUTATIVE, FORM_VALUES, 1, 1}, {"neutral", COND_NEUTRAL, FORM_VALUES, 2, 2},
    {"computes", COND_COMPUTES, FORM_VALUES, 1, 1},     {"layout", COND_LAYOUT, FORM_VALUES, 1, 1},
    {"scalar", COND_SCALAR, FORM_VALUES, 1, 1},         {"under", COND_UNDER, FORM_PRIM, 0, 1},
    {"contains", COND_CONTAINS, FORM_PRIM, 1, 1},
};

typedef struct CondWord CondWord;

static bool cond_add(Parse *p, AstCond *c, Ast *argument)
{
    if (argument) ADD(p, c->args, c->arg_count, argument);
    return argument != NULL;
}

/* The word of a condition, unless it is a size of that name: `scalar divides n`. */
static const CondWord *cond_word(const Parse *p)
{
    for (int i = 0; i < COUNT(cond_words); i++) {
        if (!is_name(p, cond_words[i].text)) continue;
        Parse ahead = *p;
        ahead.tok = peek(p, &ahead.offset);
        return infix(&ahead) || is_name(&ahead, "divides") ? NULL : &cond_words[i];
    }
    return NULL;
}

static bool cond_args(Parse *p, AstCond *c, const CondWord *w)
{
    next(p);
    if (w->form == FORM_PRIM && !(c->name = expect_name(p, "the name of a primitive"))) return false;
    if (w->form == FORM_SIZE) return cond_add(p, c, level(p, LEVEL_SUM));
    while (c->arg_count < w->most && (c->arg_count < w->least || at_atom(p)))
        if (!cond_add(p, c, postfix(p))) return false;
    return true;
}

/* name "(" args ")" was read as the application of a name to a bracket: take it apart again. */
static bool cond_call(Parse *p, AstCond *c, const Ast *e)
{
    bool call = e->kind == AST_APP && e->kid_count == 2 && e->kids[0]->kind == AST_NAME &&
                p->source->text[e->kids[1]->span.from] == '(';
    if (!call) return refuse(p, "`divides`, a comparison or an operator");
    c->kind = COND_CALL;
    c->name = e->kids[0]->name;
    if (e->kids[1]->kind != AST_TUPLE) return cond_add(p, c, e->kids[1]);
    c->args = e->kids[1]->kids;
    c->arg_count = e->kids[1]->kid_count;
    return true;
}

static bool at_comparison(const Parse *p)
{
    for (int i = 0; i < COUNT(comparisons); i++)
        if (is(p, comparisons[i])) return true;
    return false;
}

/* name "(" ")" */
static bool empty_call(const Parse *p)
{
    uint32_t offset = p->offset;
    Token open = peek(p, &offset), close = peek(p, &offset);
    return p->tok.kind == TOK_NAME && open.kind == TOK_OP && close.kind == TOK_OP && strcmp(open.text, "(") == 0 &&
           strcmp(close.text, ")") == 0;
}

/* size "divides" size | size cmp size | name "(" args ")" */
static bool cond_sizes(Parse *p, AstCond *c)
{
    if (empty_call(p)) {
        c->kind = COND_CALL;
        c->name = p->tok.text;
        for (int i = 0; i < 3; i++) next(p);
        return true;
    }
    Ast *left = level(p, LEVEL_SUM);
    if (!left) return false;
    if (!is_name(p, "divides") && !at_comparison(p)) return cond_call(p, c, left);
    c->kind = is_name(p, "divides") ? COND_DIVIDES : COND_COMPARE;
    c->name = c->kind == COND_COMPARE ? p->tok.text : NULL;
    next(p);
    return cond_add(p, c, left) && cond_add(p, c, level(p, LEVEL_SUM));
}

/* cond = [ "not" ] ( ... ) */
static AstCond *cond(Parse *p)
{
    AstCond *c = NEW(p->out->arena, AstCond);
    c->span = p->tok.span;
    c->negated = is_name(p, "not");
    if (c->negated) next(p);
    const CondWord *w = cond_word(p);
    if (w) c->kind = w->kind;
    if (w ? !cond_args(p, c, w) : !cond_sizes(p, c)) return NULL;
    c->span.to = p->last;
    return c;
}

/* "when" cond { "and" cond } */
static bool when(Parse *p, AstRule *r)
{
    r->cond_text = p->tok.span;
    p->stops = stop_cond;
    do {
        next(p);
        AstCond *c = cond(p);
        if (!c) return false;
        ADD(p, r->conds, r->cond_count, c);
    } while (is_name(p, "and"));
    r->cond_text.to = p->last;
    return !p->failed;
}

static const char *rule_kind(Parse *p)
{
    for (int i = 0; i < COUNT(rule_kinds); i++) {
        const char *text = p->tok.text;
        if (!is_name(p, rule_kinds[i])) continue;
        next(p);
        return text;
    }
    unexpected(p, "a parameter kind: size, dim, width, perm or mode");
    return NULL;
}

/* name [ ":" kind ] */
static bool rule_param(Parse *p, AstRule *r)
{
    const char *name = expect_name(p, "the name of a rule parameter");
    const char *kind = name && accept(p, ":") ? rule_kind(p) : NULL;
    int kinds = r->param_count;
    ADD(p, r->kinds, kinds, kind);
    ADD(p, r->params, r->param_count, name);
    return !p->failed;
}

static bool rule_params(Parse *p, AstRule *r)
{
    if (!is(p, "(")) return !p->failed;
    Bracket b = bracket_open(p);
    bool ok = rule_param(p, r);
    while (ok && accept(p, ",")) ok = rule_param(p, r);
    return ok && bracket_close(p, b, ")", "`,` or `)` in the rule's parameters");
}

/* name [ params ] ":" expr ( "=>" | "<=>" ) expr [ "when" conds ] */
static AstRule *rule(Parse *p, uint32_t from)
{
    AstRule *r = NEW(p->out->arena, AstRule);
    r->source = p->source;
    r->name = expect_name(p, "the name of a rule");
    if (!r->name || !rule_params(p, r) || !expect(p, ":", "`:` behind the rule's name and parameters")) return NULL;
    p->stops = stop_when;
    r->lhs = expr(p);
    r->both_ways = is(p, "<=>");
    if (!r->lhs || !(accept(p, "<=>") || expect(p, "=>", "an operator, `=>` or `<=>`"))) return NULL;
    r->rhs = expr(p);
    if (!r->rhs || (is_name(p, "when") && !when(p, r))) return NULL;
    r->span = (Span){from, p->last};
    return r;
}

/* ---- entry points ---- */

static Parse start(Parser *out, const Source *s)
{
    Parse p = {.out = out, .source = s};
    out->at_end = false;
    if (s->len <= SOURCE_MAX) next(&p);
    else if (stop(&p)) diag_error(out->diag, E08, "%s is too long: more than %d bytes", s->name, SOURCE_MAX);
    p.last = p.tok.span.from;
    return p;
}

/* The whole text must be used up. */
static bool ended(Parse *p, const char *what)
{
    if (p->tok.kind != TOK_END) expected(p, what);
    return !p->failed;
}

AstFile *parse_file(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstFile *f = NEW(out->arena, AstFile);
    f->source = s;
    while (p.tok.kind != TOK_END)
        if (!file_item(&p, f)) return NULL;
    return p.failed ? NULL : f;
}

AstDecl *parse_decl(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstDecl *d = is_keyword(&p, "let") ? let_declaration(&p) : declaration(&p, p.tok.span.from);
    return d && ended(&p, "an operator, `with` or the end of the declaration") ? d : NULL;
}

Ast *parse_expr(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    p.spreads = true;
    Ast *e = expr(&p);
    return e && ended(&p, "an operator or the end of the expression") ? e : NULL;
}

AstRule *parse_rule(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    p.spreads = true;
    uint32_t offset = p.offset, from = p.tok.span.from;
    if (is_name(&p, "rule") && peek(&p, &offset).kind != TOK_OP) next(&p);
    AstRule *r = rule(&p, from);
    if (!r) return NULL;
    bool conds = r->cond_count > 0;
    return ended(&p, conds ? "`and` or the end of the rule" : "an operator, `when` or the end of the rule") ? r : NULL;
}

AstType *parse_type(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstType *t = type(&p);
    return t && ended(&p, "`->` or the end of the type") ? t : NULL;
}

/* parse_expr: expressions, by precedence. */
#include "parse_private.h"

#include <string.h>

static const Infix infixes[] = {
    {".", 8, ASSOC_RIGHT}, {"*", 6, ASSOC_LEFT},  {"/", 6, ASSOC_LEFT},  {"//", 6, ASSOC_LEFT},  {"%", 6, ASSOC_LEFT},
    {"+", 5, ASSOC_LEFT},  {"-", 5, ASSOC_LEFT},  {"==", 4, ASSOC_NONE}, {"!=", 4, ASSOC_NONE},  {"<", 4, ASSOC_NONE},
    {"<=", 4, ASSOC_NONE}, {">", 4, ASSOC_NONE},  {">=", 4, ASSOC_NONE}, {"&&", 3, ASSOC_RIGHT},
    {"||", 2, ASSOC_RIGHT}, {"|>", 1, ASSOC_LEFT}, {"$", 0, ASSOC_RIGHT},
};

/* ---- atoms ---- */

const Infix *infix_here(const Parse *p)
{
    for (int i = 0; p->tok.kind == TOK_OP && i < COUNT(infixes); i++)
        if (strcmp(p->tok.text, infixes[i].text) == 0) return &infixes[i];
    return NULL;
}

static bool stops_here(const Parse *p)
{
    for (const char *const *s = p->stops; s && *s; s++)
        if (tok_is_name(p, *s)) return true;
    return false;
}

bool at_atom(const Parse *p)
{
    switch (p->tok.kind) {
    case TOK_INT: case TOK_FLOAT: return true;
    case TOK_NAME: return !stops_here(p);
    case TOK_KEYWORD: return tok_is_keyword(p, "true") || tok_is_keyword(p, "false");
    default: return tok_is(p, "(") || tok_is(p, "_") || tok_is(p, "[");
    }
}

/* One token as a node. */
static Ast *leaf(Parse *p, AstKind kind)
{
    Token t = p->tok;
    tok_next(p);
    Ast *e = ast_node(p, kind, t.span.from);
    if (!e) return NULL;
    if (kind == AST_NAME || kind == AST_OP) e->name = t.text;
    e->ival = kind == AST_BOOL ? strcmp(t.text, "true") == 0 : t.ival;
    e->fval = t.fval;
    e->suffix = t.suffix;
    return e;
}

static Ast *spread(Parse *p, Ast *e)
{
    if (!e || !spread_allowed(p)) return NULL;
    tok_next(p);
    return ast_with(p, ast_node(p, AST_SPREAD, e->span.from), e);
}

/* expr, and in rules also a name or bracket with ".." */
static Ast *part(Parse *p)
{
    Ast *e = read_expr(p);
    if (!e || !tok_is(p, "..")) return e;
    if (p->operand == e->span.from) return spread(p, e);
    parse_expected(p, "`,` or `)`");
    return NULL;
}

static Ast *tuple(Parse *p, Ast *first, uint32_t from)
{
    Ast *e = ast_with(p, ast_node(p, AST_TUPLE, from), first);
    while (e && tok_accept(p, ",")) e = ast_with(p, e, part(p));
    return e;
}

/* What stands between round brackets. */
static Ast *bracketed(Parse *p, uint32_t from)
{
    bool prefix = tok_is(p, "-") || tok_is(p, "!");
    /* "(" op ")" and "(" op expr ")", behind the bracket */
    if ((infix_here(p) && !prefix) || (prefix && tok_peek_is(p, ")"))) {
        if (tok_peek_is(p, ")")) return leaf(p, AST_OP);
        const char *name = p->tok.text;
        tok_next(p);
        Ast *e = ast_node(p, AST_SECTION_RIGHT, from);
        if (e) e->name = name;
        return ast_with(p, e, read_expr(p));
    }
    Ast *e = part(p);
    if (!e) return NULL;
    if (e->kind == AST_SPREAD || tok_is(p, ",")) return tuple(p, e, from);
    if (tok_accept(p, ":")) return ast_with_annot(p, ast_with(p, ast_node(p, AST_ANNOT, from), e), read_type(p));
    if (infix_here(p) && tok_peek_is(p, ")")) {
        /* "(" expr op ")", at the operator */
        if (p->open_end && parse_wrong(p, p->tok.span, "this operator has no right operand"))
            diag_note(p->out->diag, "needs", "%s",
                      "brackets around the lambda, let or if on its left, or it would belong to that");
        const char *name = p->tok.text;
        tok_next(p);
        Ast *x = ast_node(p, AST_SECTION_LEFT, from);
        if (x) x->name = name;
        return ast_with(p, x, e);
    }
    return e;
}

static Ast *bracket(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Bracket b = bracket_open(p);
    if (tok_is(p, ")")) parse_wrong(p, (Span){from, p->tok.span.to}, "there is no empty tuple `()`");
    Ast *e = bracketed(p, from);
    if (!e || !bracket_close(p, b, ")", "an operator, `,` or `)`")) return NULL;
    return ast_spanning(e, (Span){from, p->last});
}

/* "[" expr { "," expr } "]" */
static Ast *array(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Bracket b = bracket_open(p);
    if (tok_is(p, "]")) parse_wrong(p, (Span){from, p->tok.span.to}, "an array has one element at least");
    Ast *e = ast_with(p, ast_node(p, AST_ARRAY, from), read_expr(p));
    while (e && tok_accept(p, ",")) e = ast_with(p, e, read_expr(p));
    if (!e || !bracket_close(p, b, "]", "an operator, `,` or `]`")) return NULL;
    return ast_spanning(e, (Span){from, p->last});
}

Ast *read_atom(Parse *p)
{
    if (!at_atom(p)) {
        parse_expected(p, "an expression");
        return NULL;
    }
    switch (p->tok.kind) {
    case TOK_INT: return leaf(p, AST_INT);
    case TOK_FLOAT: return leaf(p, AST_FLOAT);
    case TOK_KEYWORD: return leaf(p, AST_BOOL);
    default: return tok_is(p, "(") ? bracket(p) : tok_is(p, "[") ? array(p) : leaf(p, AST_NAME);
    }
}

/* ---- expressions ---- */

/* "[" expr "]" behind an operand */
static Ast *indexed(Parse *p, Ast *e)
{
    Bracket b = bracket_open(p);
    Ast *at = ast_with(p, ast_with(p, ast_node(p, AST_AT, e->span.from), e), read_expr(p));
    if (!at || !bracket_close(p, b, "]", "an operator or `]` behind the index")) return NULL;
    return ast_spanning(at, (Span){e->span.from, p->last});
}

static Ast *project(Parse *p, Ast *e)
{
    int64_t component = p->tok.ival;
    tok_next(p);
    Ast *projection = ast_with(p, ast_node(p, AST_PROJ, e->span.from), e);
    if (projection) projection->ival = component;
    return projection;
}

/* postfix = atom { "." int | "[" expr "]" } */
Ast *read_postfix(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Ast *e = read_atom(p);
    while (e && (p->tok.kind == TOK_PROJ || p->tok.kind == TOK_INDEX))
        e = p->tok.kind == TOK_PROJ ? project(p, e) : indexed(p, e);
    p->operand = from;
    return e;
}

/* What follows an application but could only be meant as one more argument. */
static bool bad_argument(Parse *p)
{
    const char *what = tok_is(p, "\\")           ? "a lambda as an argument needs brackets"
                       : tok_is_keyword(p, "if") ? "an `if` as an argument needs brackets"
                       : tok_is(p, "!")          ? "an argument that starts with `!` needs brackets"
                                             : NULL;
    if (!what) return false;
    const char *hint = parse_meant(p);
    if (parse_wrong(p, p->tok.span, what)) parse_hint(p, hint);
    return true;
}

static Ast *open_ended(Parse *p, Ast *e)
{
    p->open_end = true;
    return e;
}

/* The binding of a let up to its "="; a local function is the usual mistake. */
static Ast *let_head(Parse *p)
{
    uint32_t from = p->tok.span.from;
    tok_next(p);
    Ast *e = ast_with_pat(p, ast_node(p, AST_LET, from), read_pattern(p));
    if (e && tok_accept(p, ":")) e = ast_with_annot(p, e, read_type(p));
    if (!e || tok_accept(p, "=")) return e;
    bool function = at_param(p);
    if (parse_expected(p, "`=`") && function)
        diag_note(p->out->diag, "needs", "%s",
                  "a local let binds a pattern: let f = \\x -> ... ; is an `in` missing before?");
    return NULL;
}

static Ast *prefix(Parse *p)
{
    Token op = p->tok;
    tok_next(p);
    Ast *e = ast_node(p, AST_UNARY, op.span.from);
    if (e) e->name = op.text;
    if (e) e->ival = tok_is(p, "(");
    return ast_with(p, e, read_level(p, LEVEL_PREFIX));
}

/* What may stand beside an operator of the given level. */
static Ast *operand(Parse *p, int lowest)
{
    /* "\" param { param } "->" expr */
    if (tok_is(p, "\\")) {
        uint32_t from = p->tok.span.from;
        tok_next(p);
        Ast *e = ast_with_pat(p, ast_node(p, AST_LAMBDA, from), read_param(p));
        while (e && at_param(p)) e = ast_with_pat(p, e, read_param(p));
        if (!e || !tok_expect(p, "->", "a parameter or `->`")) return NULL;
        return open_ended(p, ast_with(p, e, read_expr(p)));
    }
    /* "let" pattern [ ":" type ] "=" expr [ "in" ] expr */
    if (tok_is_keyword(p, "let")) {
        Ast *e = let_head(p);
        e = e ? ast_with(p, e, read_expr(p)) : NULL;
        if (!e || (!tok_is_keyword(p, "let") && !tok_expect_keyword(p, "in", "an operator, `in` or the next `let`")))
            return NULL;
        return open_ended(p, ast_with(p, e, read_expr(p)));
    }
    /* "if" expr "then" expr "else" expr */
    if (tok_is_keyword(p, "if")) {
        uint32_t from = p->tok.span.from;
        tok_next(p);
        Ast *e = ast_with(p, ast_node(p, AST_IF, from), read_expr(p));
        if (!e || !tok_expect_keyword(p, "then", "an operator or `then`")) return NULL;
        e = ast_with(p, e, read_expr(p));
        if (!e || !tok_expect_keyword(p, "else", "an operator or `else`")) return NULL;
        return open_ended(p, ast_with(p, e, read_expr(p)));
    }
    if (lowest <= LEVEL_PREFIX && (tok_is(p, "-") || tok_is(p, "!"))) return prefix(p);
    /* app = postfix { postfix }; in rules a spread is an argument too */
    Ast *e = read_postfix(p);
    if (e && e->kind != AST_APP && at_atom(p)) e = ast_with(p, ast_node(p, AST_APP, e->span.from), e);
    while (e && at_atom(p)) {
        Ast *argument = read_postfix(p);
        e = ast_with(p, e, tok_is(p, "..") ? spread(p, argument) : argument);
    }
    return e && !bad_argument(p) ? e : NULL;
}

Ast *read_level(Parse *p, int lowest)
{
    if (!parse_nest(p)) return NULL;
    Ast *e = operand(p, lowest);
    const Infix *op;
    while (e && (op = infix_here(p)) && op->level >= lowest && !tok_peek_is(p, ")")) {
        const char *name = p->tok.text;
        tok_next(p);
        Ast *right = read_level(p, op->assoc == ASSOC_RIGHT ? op->level : op->level + 1);
        Ast *x = right ? ast_with(p, ast_with(p, ast_node(p, AST_BINARY, e->span.from), e), right) : NULL;
        if (x) x->name = name;
        const Infix *again = infix_here(p);
        bool chained = x && op->assoc == ASSOC_NONE && again && again->level == op->level;
        if (chained && parse_wrong(p, p->tok.span, "comparisons do not chain"))
            parse_hint(p, "a < b && b < c, or with ||");
        e = p->failed ? NULL : x;
    }
    p->depth--;
    return e;
}

Ast *read_expr(Parse *p) { return read_level(p, LEVEL_LOWEST); }

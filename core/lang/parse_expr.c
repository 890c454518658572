/* parse_expr: types, sizes and binding patterns, then expressions by precedence. Together, for sizes in types are expressions, and
 * expressions hold types. */
#include "nat.h"
#include "parse_private.h"
#include "scalars.h"

#include <string.h>

/* ---- types: type = ptype [ "->" type ] ---- */

static AstType *scalar(Parse *p, AstKind kind, uint32_t from)
{
    const char *name = p->tok.text;
    Scalar s;
    if (p->tok.kind != TOK_NAME || !scalar_from_name(p->tok.text, &s)) {
        static const struct { const char *text, *hint; } usual[] = {
            {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"char", "i8"}, {"short", "i16"}, {"int", "i32"}, {"long", "i64"},
            {"byte", "u8"}, {"uchar", "u8"}, {"ushort", "u16"}, {"uint", "u32"}, {"ulong", "u64"},
        };
        Token t = p->tok;
        if (parse_unexpected(p, "a type") && t.kind == TOK_NAME) {
            diag_note(p->out->diag, "needs", "%s size, [N]type, <4>scalar, (type, type), type -> type", scalar_names());
            for (int i = 0; i < COUNT(usual); i++)
                if (strcmp(t.text, usual[i].text) == 0) parse_hint(p, usual[i].hint);
        }
        return NULL;
    }
    tok_next(p);
    return ast_named(p, kind, from, name);
}

/* True when e may be a size; reports the part that may not. */
static bool check_size(Parse *p, const Ast *e)
{
    bool ok = (e->kind == AST_INT && !e->suffix) || (e->kind == AST_NAME && strcmp(e->name, "_") != 0) ||
              (e->kind == AST_BINARY && nat_is_operator(e->name));
    if (!ok && parse_wrong(p, e->span, "this is no size"))
        diag_note(p->out->diag, "needs", "integers, names and + - * / // %% between brackets");
    for (int i = 0; ok && i < e->kid_count; i++) ok = check_size(p, e->kids[i]);
    return ok;
}

static AstType *ptype(Parse *p)
{
    uint32_t from = p->tok.span.from;
    /* "[" size "]" ptype */
    if (tok_is(p, "[")) {
        if (!parse_nest(p)) return NULL;
        AstType *t = ast_node(p, ASTTYPE_ARRAY, from);
        Bracket b = bracket_open(p);
        Ast *size = read_expr(p);
        if (!size || !check_size(p, size) || !bracket_close(p, b, "]", "`]`")) return NULL;
        if (!parse_above(p, &t->height, size->height)) return NULL;
        t->size = size;
        t = ast_with(p, t, ptype(p));
        p->depth--;
        return t;
    }
    if (tok_is(p, "<")) {
        /* "<" int ">" scalar */
        tok_next(p);
        int64_t width = p->tok.ival;
        if (p->tok.kind == TOK_INT && !p->tok.suffix) tok_next(p);
        else parse_unexpected(p, "a vector width: 2, 4, 8 or 16");
        if (!tok_expect(p, ">", "`>` behind the vector width")) return NULL;
        AstType *t = scalar(p, ASTTYPE_VECTOR, from);
        if (t) t->width = width;
        return t;
    }
    if (tok_is(p, "(")) {
        /* "(" type { "," type } ")" */
        Bracket b = bracket_open(p);
        AstType *t = read_type(p);
        if (t && tok_is(p, ",")) t = ast_with(p, ast_node(p, ASTTYPE_TUPLE, from), t);
        while (t && tok_accept(p, ",")) t = ast_with(p, t, read_type(p));
        if (!t || !bracket_close(p, b, ")", "`,` or `)` in a tuple type")) return NULL;
        return ast_spanning(t, (Span){from, p->last});
    }
    if (!tok_is_name(p, "size")) return scalar(p, ASTTYPE_SCALAR, from);
    tok_next(p);
    return ast_node(p, ASTTYPE_SIZE, from);
}

AstType *read_type(Parse *p)
{
    if (!parse_nest(p)) return NULL;
    AstType *t = ptype(p);
    if (t && tok_accept(p, "->")) {
        AstType *f = ast_with(p, ast_node(p, ASTTYPE_FUN, t->span.from), t);
        t = ast_with(p, f, read_type(p));
    }
    p->depth--;
    return t;
}

/* ---- patterns ---- */

bool at_param(const Parse *p) { return p->tok.kind == TOK_NAME || tok_is(p, "_") || tok_is(p, "("); }

static AstPat *pat_name(Parse *p)
{
    uint32_t from = p->tok.span.from;
    const char *name = p->tok.text;
    if (tok_is(p, "_")) tok_next(p);
    else name = tok_expect_name(p, "a name, `_` or a bracketed pattern");
    return ast_named(p, AST_PATTERN, from, name);
}

static bool spread_allowed(Parse *p)
{
    if (p->spreads) return true;
    parse_wrong(p, p->tok.span, "a spread `..` belongs to rules, not to programs");
    return false;
}

static AstPat *read_pattern(Parse *p, bool typed);

/* pattern, and in rules also name ".." */
static AstPat *pat_part(Parse *p)
{
    AstPat *a = read_pattern(p, false);
    if (!a || !a->name || !tok_is(p, "..") || !spread_allowed(p)) return a;
    tok_next(p);
    a->spread = true;
    a->span.to = p->last;
    return a;
}

/* pattern = name | "_" | "(" pattern { "," pattern } ")"; typed: or "(" name ":" type ")" */
static AstPat *read_pattern(Parse *p, bool typed)
{
    uint32_t from = p->tok.span.from;
    if (!tok_is(p, "(")) return pat_name(p);
    if (!parse_nest(p)) return NULL;
    Bracket b = bracket_open(p);
    bool annotated = typed && p->tok.kind == TOK_NAME && tok_peek_is(p, ":");
    AstPat *a = annotated ? pat_name(p) : pat_part(p);
    if (annotated) {
        tok_next(p);
        a = ast_with_annot(p, a, read_type(p));
    } else if (a && (a->spread || tok_is(p, ","))) {           /* one alone is no tuple unless it is a spread */
        a = ast_with(p, ast_node(p, AST_PATTERN, from), a);
        while (a && tok_accept(p, ",")) a = ast_with(p, a, pat_part(p));
    }
    if (!a || !bracket_close(p, b, ")", annotated ? "`)` behind the type" : "`,` or `)` in a pattern")) return NULL;
    p->depth--;
    return ast_spanning(a, (Span){from, p->last});
}

AstPat *read_param(Parse *p) { return read_pattern(p, true); }

/* ---- atoms ---- */

static const Infix infixes[] = {
    {".", 8, ASSOC_RIGHT}, {"*", 6, ASSOC_LEFT},  {"/", 6, ASSOC_LEFT},  {"//", 6, ASSOC_LEFT},  {"%", 6, ASSOC_LEFT},
    {"+", 5, ASSOC_LEFT},  {"-", 5, ASSOC_LEFT},  {"==", 4, ASSOC_NONE}, {"!=", 4, ASSOC_NONE},  {"<", 4, ASSOC_NONE},
    {"<=", 4, ASSOC_NONE}, {">", 4, ASSOC_NONE},  {">=", 4, ASSOC_NONE}, {"&&", 3, ASSOC_RIGHT},
    {"||", 2, ASSOC_RIGHT}, {"|>", 1, ASSOC_LEFT}, {"$", 0, ASSOC_RIGHT},
};

const Infix *infix_here(const Parse *p)
{
    for (int i = 0; p->tok.kind == TOK_OP && i < COUNT(infixes); i++)
        if (*p->tok.text == *infixes[i].text && strcmp(p->tok.text, infixes[i].text) == 0) return &infixes[i];
    return NULL;
}

bool at_atom(const Parse *p)
{
    switch (p->tok.kind) {
    case TOK_INT: case TOK_FLOAT: return true;
    case TOK_NAME:
        for (const char *const *s = p->stops; s && *s; s++)
            if (tok_is_name(p, *s)) return false;
        return true;
    case TOK_KEYWORD: return tok_is(p, "true") || tok_is(p, "false");
    default: return tok_is(p, "(") || tok_is(p, "_") || tok_is(p, "[");
    }
}

/* One token as a node. */
static Ast *leaf(Parse *p, AstKind kind)
{
    Token t = p->tok;
    tok_next(p);
    Ast *e = ast_named(p, kind, t.span.from, kind == AST_NAME || kind == AST_OP ? t.text : NULL);
    if (!e) return NULL;
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

/* An operator between brackets with one operand, at the operator. */
static Ast *section(Parse *p, AstKind kind, uint32_t from)
{
    const char *name = p->tok.text;
    tok_next(p);
    return ast_named(p, kind, from, name);
}

/* What stands between round brackets. */
static Ast *bracketed(Parse *p, uint32_t from)
{
    bool prefix = tok_is(p, "-") || tok_is(p, "!");
    /* "(" op ")" and "(" op expr ")", behind the bracket */
    if ((infix_here(p) && !prefix) || (prefix && tok_peek_is(p, ")"))) {
        if (tok_peek_is(p, ")")) return leaf(p, AST_OP);
        Ast *e = section(p, AST_SECTION_RIGHT, from);
        return ast_with(p, e, read_expr(p));
    }
    Ast *e = part(p);
    if (!e) return NULL;
    if (e->kind == AST_SPREAD || tok_is(p, ",")) {
        e = ast_with(p, ast_node(p, AST_TUPLE, from), e);
        while (e && tok_accept(p, ",")) e = ast_with(p, e, part(p));
        return e;
    }
    if (tok_accept(p, ":")) return ast_with_annot(p, ast_with(p, ast_node(p, AST_ANNOT, from), e), read_type(p));
    if (infix_here(p) && tok_peek_is(p, ")")) {
        /* "(" expr op ")" */
        if (p->open_end && parse_wrong(p, p->tok.span, "this operator has no right operand"))
            diag_note(p->out->diag, "needs", "%s",
                      "brackets around the lambda, let or if on its left, or it would belong to that");
        return ast_with(p, section(p, AST_SECTION_LEFT, from), e);
    }
    return e;
}

Ast *read_atom(Parse *p)
{
    if (!at_atom(p)) return parse_expected(p, "an expression"), NULL;
    if (p->tok.kind == TOK_INT) return leaf(p, AST_INT);
    if (p->tok.kind == TOK_FLOAT) return leaf(p, AST_FLOAT);
    if (p->tok.kind == TOK_KEYWORD) return leaf(p, AST_BOOL);
    bool array = tok_is(p, "[");                               /* "[" expr { "," expr } "]" */
    if (!array && !tok_is(p, "(")) return leaf(p, AST_NAME);
    uint32_t from = p->tok.span.from;
    const char *close = array ? "]" : ")";
    Bracket b = bracket_open(p);
    if (tok_is(p, close))
        parse_wrong(p, (Span){from, p->tok.span.to}, array ? "an array has one element at least" : "there is no empty tuple `()`");
    Ast *e = array ? ast_with(p, ast_node(p, AST_ARRAY, from), read_expr(p)) : bracketed(p, from);
    while (array && e && tok_accept(p, ",")) e = ast_with(p, e, read_expr(p));
    if (!e || !bracket_close(p, b, close, array ? "an operator, `,` or `]`" : "an operator, `,` or `)`")) return NULL;
    return ast_spanning(e, (Span){from, p->last});
}

/* ---- expressions ---- */

/* postfix = atom { "." int | "[" expr "]" } */
Ast *read_postfix(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Ast *e = read_atom(p);
    while (e && (p->tok.kind == TOK_PROJ || p->tok.kind == TOK_INDEX)) {
        uint32_t start = e->span.from;
        if (p->tok.kind == TOK_PROJ) {
            int64_t component = p->tok.ival;
            tok_next(p);
            e = ast_with(p, ast_node(p, AST_PROJ, start), e);
            if (e) e->ival = component;
        } else {
            Bracket b = bracket_open(p);
            e = ast_with(p, ast_with(p, ast_node(p, AST_AT, start), e), read_expr(p));
            bool closed = e && bracket_close(p, b, "]", "an operator or `]` behind the index");
            e = closed ? ast_spanning(e, (Span){start, p->last}) : NULL;
        }
    }
    p->operand = from;
    return e;
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
    Ast *e = ast_with_pat(p, ast_node(p, AST_LET, from), read_pattern(p, false));
    if (e && tok_accept(p, ":")) e = ast_with_annot(p, e, read_type(p));
    if (!e || tok_accept(p, "=")) return e;
    bool function = at_param(p);
    if (parse_expected(p, "`=`") && function)
        diag_note(p->out->diag, "needs", "%s",
                  "a local let binds a pattern: let f = \\x -> ... ; is an `in` missing before?");
    return NULL;
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
    if (tok_is(p, "let")) {
        Ast *e = let_head(p);
        e = e ? ast_with(p, e, read_expr(p)) : NULL;
        if (!e || (!tok_is(p, "let") && !tok_expect(p, "in", "an operator, `in` or the next `let`")))
            return NULL;
        return open_ended(p, ast_with(p, e, read_expr(p)));
    }
    /* "if" expr "then" expr "else" expr */
    if (tok_is(p, "if")) {
        uint32_t from = p->tok.span.from;
        tok_next(p);
        Ast *e = ast_with(p, ast_node(p, AST_IF, from), read_expr(p));
        if (!e || !tok_expect(p, "then", "an operator or `then`")) return NULL;
        e = ast_with(p, e, read_expr(p));
        if (!e || !tok_expect(p, "else", "an operator or `else`")) return NULL;
        return open_ended(p, ast_with(p, e, read_expr(p)));
    }
    if (lowest <= LEVEL_PREFIX && (tok_is(p, "-") || tok_is(p, "!"))) {
        Token op = p->tok;
        tok_next(p);
        Ast *e = ast_named(p, AST_UNARY, op.span.from, op.text);
        if (e) e->ival = tok_is(p, "(");
        return ast_with(p, e, read_level(p, LEVEL_PREFIX));
    }
    /* app = postfix { postfix }; in rules a spread is an argument too */
    Ast *e = read_postfix(p);
    if (e && e->kind != AST_APP && at_atom(p)) e = ast_with(p, ast_node(p, AST_APP, e->span.from), e);
    while (e && at_atom(p)) {
        Ast *argument = read_postfix(p);
        e = ast_with(p, e, tok_is(p, "..") ? spread(p, argument) : argument);
    }
    /* What follows an application but could only be meant as one more argument. */
    const char *what = tok_is(p, "\\")         ? "a lambda as an argument needs brackets"
                     : tok_is(p, "if") ? "an `if` as an argument needs brackets"
                     : tok_is(p, "!")          ? "an argument that starts with `!` needs brackets" : NULL;
    if (!e || !what) return e;
    const char *hint = parse_meant(p);
    if (parse_wrong(p, p->tok.span, what)) parse_hint(p, hint);
    return NULL;
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
        Ast *x = right ? ast_with(p, ast_with(p, ast_named(p, AST_BINARY, e->span.from, name), e), right) : NULL;
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

/* parse_token: tokens ahead, syntax errors, nodes of trees. */
#include "parse_private.h"

#include <string.h>

enum { NEST_MAX = 2 * AST_DEPTH };     /* every level is an open bracket or becomes a node */

/* ---- errors ---- */

bool parse_stop(Parse *p)
{
    if (p->failed) return false;
    p->failed = true;
    p->tok = (Token){.kind = TOK_END, .span = {p->last, p->last}};
    return true;
}

static void parse_too_deep(Parse *p, Span span)
{
    if (parse_stop(p))
        diag_error_at(p->out->diag, E08, p->source, span, "this is nested too deeply (more than %d levels)",
                      AST_DEPTH);
}

bool parse_wrong(Parse *p, Span span, const char *message)
{
    return parse_stop(p) && diag_error_at(p->out->diag, E03, p->source, span, "%s", message);
}

void parse_hint(Parse *p, const char *text) { diag_note(p->out->diag, "hint", "%s", text); }

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

/* Most are not it: starting lathe reads some hundred rules. */
static bool same(const char *a, const char *b) { return *a == *b && strcmp(a, b) == 0; }

bool tok_is(const Parse *p, const char *text)
{
    bool fixed = p->tok.kind == TOK_OP || p->tok.kind == TOK_INDEX || p->tok.kind == TOK_KEYWORD;
    return fixed && same(p->tok.text, text);
}

bool tok_is_name(const Parse *p, const char *text)
{
    return p->tok.kind == TOK_NAME && strcmp(p->tok.text, text) == 0;
}

const char *parse_meant(const Parse *p)
{
    /* Was the token before a point right behind a digit, as in `1. + x`? */
    const char *text = p->source->text;
    if (p->last > 1 && text[p->last - 1] == '.' && text[p->last - 2] >= '0' && text[p->last - 2] <= '9')
        return "digits on both sides of a float's point: 1.0";
    bool rule = !strcmp(p->source->name, "rule");
    if (rule && (tok_is(p, "=") || tok_is(p, "->"))) return "=> stands between the sides of a rule";
    if (tok_is(p, "=")) return "`==` compares; `let x = ... in ...` names a value";
    if (tok_is(p, "->")) return "a lambda starts with a backslash: \\x -> ...";
    if (tok_is(p, "=>")) return "a lambda is \\x -> ..., a rule: rule NAME: LEFT => RIGHT";
    if (tok_is(p, "<=>")) return "a rule: rule NAME: LEFT <=> RIGHT";
    if (tok_is(p, ":") && !rule) return "a lambda is \\x -> ..., with a type \\(x: f32) -> ...";
    if (tok_is(p, "^")) return "`pow a b` on floats, `bxor a b` on integers";
    if (tok_is(p, "..")) return "`..` stands behind one name or bracket, as an argument or inside a tuple";
    if (tok_is(p, "[")) return "an index follows its array without a space: w[0]";
    bool operator = !strcmp(p->source->name, "pattern") && p->tok.kind == TOK_OP && p->tok.span.to == p->source->len;
    if (operator) return "an operator by itself stands in brackets, (*); a product is _ * _";
    if (tok_is(p, "*")) return "`pow a b` is a to the power of b";
    if (tok_is(p, "+")) return "`concat a b` is a, then b";
    const char *next = p->source->text + p->tok.span.to;
    bool comment = tok_is(p, "//") || (tok_is(p, "-") && *next == '-') || (tok_is(p, "/") && *next == '*');
    if (comment) return "a comment begins with #";
    if (tok_is(p, "-")) return "brackets: (- x)";
    if (tok_is(p, "!")) return "brackets: (! x)";
    if (tok_is(p, "\\")) return "brackets: (\\x -> ...)";
    if (tok_is(p, "let")) return "brackets: (let x = ... in ...)";
    if (tok_is(p, "if")) return "brackets: (if ... then ... else ...)";
    return NULL;
}

bool parse_unexpected(Parse *p, const char *what)
{
    Token t = p->tok;
    if (!parse_stop(p)) return false;
    p->out->at_end = t.kind == TOK_END;
    Span span = t.kind == TOK_END ? (Span){p->last, p->last} : t.span;
    return diag_error_at(p->out->diag, E03, p->source, span, "expected %s, found %s", what, described(p, &t));
}

bool parse_expected(Parse *p, const char *what)
{
    const char *hint = parse_meant(p);
    bool first = parse_unexpected(p, what);
    if (first && hint) parse_hint(p, hint);
    return first;
}

bool parse_refuse(Parse *p, const char *what)
{
    parse_expected(p, what);
    return false;
}

/* ---- tokens ---- */

void tok_next(Parse *p)
{
    if (p->failed) return;
    p->last = p->tok.span.to;
    p->open_end = false;
    p->tok = lex_token(p->source, &p->offset, p->out->names, p->out->diag);
    if (p->tok.kind == TOK_ERROR) parse_stop(p);
}

Token tok_peek(const Parse *p, uint32_t *offset) { return lex_token(p->source, offset, p->out->names, NULL); }

bool tok_peek_is(const Parse *p, const char *op)
{
    uint32_t offset = p->offset;
    Token t = tok_peek(p, &offset);
    return t.kind == TOK_OP && strcmp(t.text, op) == 0;
}

bool tok_accept(Parse *p, const char *op)
{
    if (!tok_is(p, op)) return false;
    tok_next(p);
    return true;
}

bool tok_expect(Parse *p, const char *op, const char *what)
{
    if (tok_accept(p, op)) return true;
    parse_expected(p, what);
    return false;
}

const char *tok_expect_name(Parse *p, const char *what)
{
    Token t = p->tok;
    if (t.kind == TOK_NAME) {
        tok_next(p);
        return t.text;
    }
    if (parse_unexpected(p, what) && t.kind == TOK_KEYWORD)
        diag_note(p->out->diag, "needs", "another name: `%s` is a keyword", t.text);
    return NULL;
}

bool parse_nest(Parse *p)
{
    if (p->failed) return false;
    if (++p->depth > NEST_MAX) parse_too_deep(p, p->tok.span);
    return !p->failed;
}

Bracket bracket_open(Parse *p)
{
    Bracket b = {p->tok.span, p->stops};
    p->stops = NULL;
    if (++p->brackets > AST_DEPTH) parse_too_deep(p, b.span);
    tok_next(p);
    return b;
}

bool bracket_close(Parse *p, Bracket b, const char *close, const char *what)
{
    p->stops = b.stops;
    p->brackets--;
    if (tok_accept(p, close)) return true;
    if (!parse_expected(p, what)) return false;
    int line, column;
    source_position(p->source, b.span.from, &line, &column);
    diag_note(p->out->diag, "opened", "`%c` at %s:%d:%d", p->source->text[b.span.from], p->source->name, line,
              column);
    return false;
}

/* ---- nodes ---- */

void *parse_grown(Parse *p, void *items, int n, size_t size)
{
    if (n & (n - 1)) return items;
    char *wider = arena_alloc(p->out->arena, size * (size_t)(n ? 2 * n : 1));
    if (n) memcpy(wider, items, size * (size_t)n);
    return wider;
}

bool parse_above(Parse *p, int *height, int child)
{
    if (*height <= child) *height = child + 1;
    if (*height > AST_DEPTH) parse_too_deep(p, p->tok.span);
    return !p->failed;
}

Ast *ast_named(Parse *p, AstKind kind, uint32_t from, const char *name)
{
    return p->failed ? NULL : MAKE(p->out->arena, Ast, .kind = kind, .span = {from, p->last}, .name = name, .height = 1);
}

Ast *ast_node(Parse *p, AstKind kind, uint32_t from) { return ast_named(p, kind, from, NULL); }

Ast *ast_with(Parse *p, Ast *e, Ast *kid)
{
    if (!e || !kid || !parse_above(p, &e->height, kid->height)) return NULL;
    ADD(p, e->kids, e->kid_count, kid);
    e->span.to = p->last;
    return e;
}

Ast *ast_with_pat(Parse *p, Ast *e, AstPat *pat)
{
    if (!e || !pat || !parse_above(p, &e->height, pat->height)) return NULL;
    ADD(p, e->pats, e->pat_count, pat);
    return e;
}

Ast *ast_with_annot(Parse *p, Ast *e, AstType *annot)
{
    if (!e || !annot || !parse_above(p, &e->height, annot->height)) return NULL;
    e->annot = annot;
    return e;
}

Ast *ast_spanning(Ast *e, Span span)
{
    if (e) e->span = span;
    return e;
}

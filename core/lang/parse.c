/* parse: declarations, and whole texts of each kind. */
#include "parse_private.h"

#include <string.h>

enum { SOURCE_MAX = 1 << 30 };      /* bytes; so that spans and counts fit */

/* ---- declarations ---- */

/* "with" prop { prop }, prop = "associative" | "commutative" | "neutral" atom */
static bool with_props(Parse *p, AstDecl *d)
{
    static const char *const words[] = {"associative", "commutative", "neutral"};
    static const PropKind kinds[] = {PROP_ASSOCIATIVE, PROP_COMMUTATIVE, PROP_NEUTRAL};
    tok_next(p);
    do {
        int i = p->tok.kind == TOK_NAME ? text_index(words, COUNT(words), p->tok.text) : -1;
        if (i < 0) return parse_refuse(p, "a property: associative, commutative or neutral VALUE");
        if ((d->props & kinds[i]) && parse_wrong(p, p->tok.span, "this property was already given")) return false;
        d->props |= kinds[i];
        tok_next(p);
        if (kinds[i] == PROP_NEUTRAL) d->neutral = read_atom(p);
    } while (!p->failed && p->tok.kind == TOK_NAME);
    return !p->failed;
}

/* name { param } [ ":" type ] "=" expr [ "with" prop { prop } ], behind the "let" that starts at `from` */
static AstDecl *declaration(Parse *p, uint32_t from)
{
    AstDecl *d = NEW(p->out->arena, AstDecl);
    d->name_span = p->tok.span;
    d->name = tok_expect_name(p, "the name of a declaration");
    while (d->name && at_param(p)) {
        AstPat *a = read_param(p);
        if (!a) return NULL;
        ADD(p, d->params, d->param_count, a);
    }
    if (p->failed) return NULL;
    if (tok_accept(p, ":")) d->result = read_type(p);
    else if (tok_is(p, "->")) {
        if (parse_unexpected(p, "a parameter, `:` or `=`"))
            parse_hint(p, "the type of a result stands behind a colon: f (x: f32): f32 = ...");
        return NULL;
    }
    if (!tok_expect(p, "=", d->result ? "`=` behind the type" : "a parameter, `:` or `=`")) return NULL;
    d->body = read_expr(p);
    if (!d->body || (tok_is(p, "with") && !with_props(p, d))) return NULL;
    d->span = (Span){from, p->last};
    return d;
}

static AstDecl *let_declaration(Parse *p)
{
    uint32_t from = p->tok.span.from;
    tok_next(p);
    return declaration(p, from);
}

/* One declaration into f. What follows a complete one and is no new one belongs to an expression that went wrong. */
static bool file_item(Parse *p, AstFile *f)
{
    /* "param" name { "," name } */
    if (tok_is(p, "param")) {
        int spans = f->param_count;
        do {
            tok_next(p);
            Span span = p->tok.span;
            const char *name = tok_expect_name(p, "the name of a tuning parameter");
            if (!name) return false;
            ADD(p, f->param_spans, spans, span);
            ADD(p, f->params, f->param_count, name);
        } while (tok_is(p, ","));
        return !p->failed;
    }
    if (!tok_is(p, "let"))
        return parse_refuse(p, f->decl_count ? "an operator, `with`, `let` or `param`" : "`let` or `param`");
    AstDecl *d = let_declaration(p);
    if (d) ADD(p, f->decls, f->decl_count, d);
    return d != NULL;
}

/* ---- entry points ---- */

static Parse start(Parser *out, const Source *s)
{
    Parse p = {.out = out, .source = s};
    out->at_end = false;
    if (s->len <= SOURCE_MAX) tok_next(&p);
    else if (parse_stop(&p)) diag_error(out->diag, E08, "%s is too long: more than %d bytes", s->name, SOURCE_MAX);
    p.last = p.tok.span.from;
    return p;
}

/* The whole text must be used up. */
static bool ended(Parse *p, const char *what)
{
    if (p->tok.kind != TOK_END) parse_expected(p, what);
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
    AstDecl *d = tok_is(&p, "let") ? let_declaration(&p) : declaration(&p, p.tok.span.from);
    return d && ended(&p, "an operator, `with` or the end of the declaration") ? d : NULL;
}

Ast *parse_expr(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    p.spreads = true;
    Ast *e = read_expr(&p);
    return e && ended(&p, "an operator or the end of the expression") ? e : NULL;
}

AstRule *parse_rule(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    p.spreads = true;
    uint32_t offset = p.offset, from = p.tok.span.from;
    if (tok_is_name(&p, "rule") && tok_peek(&p, &offset).kind != TOK_OP) tok_next(&p);
    AstRule *r = read_rule(&p, from);
    if (!r) return NULL;
    bool conds = r->cond_count > 0;
    return ended(&p, conds ? "`and` or the end of the rule" : "an operator, `when` or the end of the rule")
            ? r : NULL;
}

AstType *parse_type(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstType *t = read_type(&p);
    return t && ended(&p, "`->` or the end of the type") ? t : NULL;
}

/* parse_type: types, sizes and binding patterns. */
#include "nat.h"
#include "parse_private.h"
#include "scalars.h"

#include <string.h>

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
    if (!t || !kid || !parse_above(p, &t->height, kid->height)) return NULL;
    ADD(p, t->kids, t->kid_count, kid);
    t->span.to = p->last;
    return t;
}

static void expected_type(Parse *p)
{
    static const struct { const char *text, *hint; } usual[] = {
        {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"char", "i8"}, {"short", "i16"}, {"int", "i32"}, {"long", "i64"},
        {"byte", "u8"}, {"uchar", "u8"}, {"ushort", "u16"}, {"uint", "u32"}, {"ulong", "u64"},
    };
    Token t = p->tok;
    if (!parse_unexpected(p, "a type") || t.kind != TOK_NAME) return;
    diag_note(p->out->diag, "needs", "%s size, [N]type, <4>scalar, (type, type), type -> type", scalar_names());
    for (int i = 0; i < COUNT(usual); i++)
        if (strcmp(t.text, usual[i].text) == 0) parse_hint(p, usual[i].hint);
}

static AstType *scalar(Parse *p, AstTypeKind kind, uint32_t from)
{
    const char *name = p->tok.text;
    Scalar s;
    if (p->tok.kind != TOK_NAME || !scalar_from_name(p->tok.text, &s)) {
        expected_type(p);
        return NULL;
    }
    tok_next(p);
    AstType *t = type_node(p, kind, from);
    if (t) t->name = name;
    return t;
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

static AstType *ptype(Parse *p);

static AstType *ptype(Parse *p)
{
    uint32_t from = p->tok.span.from;
    /* "[" size "]" ptype */
    if (tok_is(p, "[")) {
        if (!parse_nest(p)) return NULL;
        AstType *t = type_node(p, ASTTYPE_ARRAY, p->tok.span.from);
        Bracket b = bracket_open(p);
        Ast *size = read_expr(p);
        if (!size || !check_size(p, size) || !bracket_close(p, b, "]", "`]`")) return NULL;
        if (!parse_above(p, &t->height, size->height)) return NULL;
        t->size = size;
        t = type_with(p, t, ptype(p));
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
        if (t && tok_is(p, ",")) t = type_with(p, type_node(p, ASTTYPE_TUPLE, from), t);
        while (t && tok_accept(p, ",")) t = type_with(p, t, read_type(p));
        if (!t || !bracket_close(p, b, ")", "`,` or `)` in a tuple type")) return NULL;
        t->span = (Span){from, p->last};
        return t;
    }
    if (!tok_is_name(p, "size")) return scalar(p, ASTTYPE_SCALAR, from);
    tok_next(p);
    return type_node(p, ASTTYPE_SIZE, from);
}

AstType *read_type(Parse *p)
{
    if (!parse_nest(p)) return NULL;
    AstType *t = ptype(p);
    if (t && tok_accept(p, "->")) {
        AstType *f = type_with(p, type_node(p, ASTTYPE_FUN, t->span.from), t);
        t = type_with(p, f, read_type(p));
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
    if (!a || !kid || !parse_above(p, &a->height, kid->height)) return NULL;
    ADD(p, a->kids, a->kid_count, kid);
    return a;
}

bool at_param(const Parse *p) { return p->tok.kind == TOK_NAME || tok_is(p, "_") || tok_is(p, "("); }

static AstPat *pat_name(Parse *p)
{
    uint32_t from = p->tok.span.from;
    const char *name = p->tok.text;
    if (tok_is(p, "_")) tok_next(p);
    else name = tok_expect_name(p, "a name, `_` or a bracketed pattern");
    return pat_node(p, from, name);
}

bool spread_allowed(Parse *p)
{
    if (p->spreads) return true;
    parse_wrong(p, p->tok.span, "a spread `..` belongs to rules, not to programs");
    return false;
}

/* pattern, and in rules also name ".." */
static AstPat *pat_part(Parse *p)
{
    AstPat *a = read_pattern(p);
    if (!a || !a->name || !tok_is(p, "..") || !spread_allowed(p)) return a;
    tok_next(p);
    a->spread = true;
    a->span.to = p->last;
    return a;
}

/* name ":" type, inside the bracket of a parameter */
static AstPat *pat_typed(Parse *p)
{
    AstPat *a = pat_name(p);
    tok_next(p);                                    /* the colon was seen by the caller */
    AstType *annot = read_type(p);
    if (!a || !annot || !parse_above(p, &a->height, annot->height)) return NULL;
    a->annot = annot;
    return a;
}

/* pattern { "," pattern }; one alone is no tuple unless it is a spread */
static AstPat *pat_tuple(Parse *p, uint32_t from)
{
    AstPat *a = pat_part(p);
    if (a && (a->spread || tok_is(p, ","))) a = pat_with(p, pat_node(p, from, NULL), a);
    while (a && tok_accept(p, ",")) a = pat_with(p, a, pat_part(p));
    return a;
}

static AstPat *pat_bracket(Parse *p, bool typed)
{
    uint32_t from = p->tok.span.from;
    Bracket b = bracket_open(p);
    bool annotated = typed && p->tok.kind == TOK_NAME && tok_peek_is(p, ":");
    AstPat *a = annotated ? pat_typed(p) : pat_tuple(p, from);
    if (!a || !bracket_close(p, b, ")", annotated ? "`)` behind the type" : "`,` or `)` in a pattern")) return NULL;
    a->span = (Span){from, p->last};
    return a;
}

static AstPat *pattern_or_param(Parse *p, bool typed)
{
    if (!parse_nest(p)) return NULL;
    AstPat *a = tok_is(p, "(") ? pat_bracket(p, typed) : pat_name(p);
    p->depth--;
    return a;
}

/* pattern = name | "_" | "(" pattern { "," pattern } ")" */
AstPat *read_pattern(Parse *p) { return pattern_or_param(p, false); }

/* param = pattern | "(" name ":" type ")" */
AstPat *read_param(Parse *p) { return pattern_or_param(p, true); }

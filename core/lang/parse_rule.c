/* parse_rule: rules and their conditions. */
#include "parse_private.h"
#include "prim.h"

#include <string.h>

/* ---- rules ---- */

static const char *const stop_when[] = {"when", NULL};
static const char *const stop_cond[] = {"and", "divides", NULL};
static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};

/* How the arguments behind a condition's word are read. */
typedef enum CondForm { FORM_VALUES, FORM_SIZE, FORM_PRIM } CondForm;

typedef struct CondWord { const char *text; CondKind kind; CondForm form; int least, most; } CondWord;

static const CondWord cond_words[] = {
    {"constant", COND_CONSTANT, FORM_SIZE, 1, 1},       {"associative", COND_ASSOCIATIVE, FORM_VALUES, 1, 1},
    {"commutative", COND_COMMUTATIVE, FORM_VALUES, 1, 1}, {"neutral", COND_NEUTRAL, FORM_VALUES, 2, 2},
    {"restarts", COND_RESTARTS, FORM_VALUES, 2, 2},     {"rescales", COND_RESCALES, FORM_VALUES, 4, 4},
    {"atomic", COND_ATOMIC, FORM_VALUES, 1, 1},
    {"computes", COND_COMPUTES, FORM_VALUES, 1, 1},     {"layout", COND_LAYOUT, FORM_VALUES, 1, 1},
    {"repeats", COND_REPEATS, FORM_VALUES, 1, 1},       {"identity", COND_IDENTITY, FORM_VALUES, 1, 1},
    {"shares", COND_SHARES, FORM_VALUES, 2, 2},         {"scalar", COND_SCALAR, FORM_VALUES, 1, 1},
    {"under", COND_UNDER, FORM_PRIM, 0, 1},             {"contains", COND_CONTAINS, FORM_PRIM, 1, 2},
    {"image", COND_IMAGE, FORM_VALUES, 1, 1},           {"imageOut", COND_IMAGE_OUT, FORM_VALUES, 1, 1},
};

static bool cond_add(Parse *p, AstCond *c, Ast *argument)
{
    if (argument) ADD(p, c->args, c->arg_count, argument);
    return argument != NULL;
}

/* The word of a condition, unless it is a size of that name: `scalar divides n`. */
static const CondWord *cond_word(const Parse *p)
{
    for (int i = 0; i < COUNT(cond_words); i++) {
        if (!tok_is_name(p, cond_words[i].text)) continue;
        Parse ahead = *p;
        ahead.tok = tok_peek(p, &ahead.offset);
        return infix_here(&ahead) || tok_is_name(&ahead, "divides") ? NULL : &cond_words[i];
    }
    return NULL;
}

/* size "divides" size | size cmp size | name "(" args ")" */
static bool cond_sizes(Parse *p, AstCond *c)
{
    /* name "(" ")" */
    uint32_t offset = p->offset;
    Token open = tok_peek(p, &offset), close = tok_peek(p, &offset);
    if (p->tok.kind == TOK_NAME && open.kind == TOK_OP && close.kind == TOK_OP && strcmp(open.text, "(") == 0
        && strcmp(close.text, ")") == 0) {
        c->kind = COND_CALL;
        c->name = p->tok.text;
        for (int i = 0; i < 3; i++) tok_next(p);
        return true;
    }
    Ast *left = read_level(p, LEVEL_SUM);
    if (!left) return false;
    if (!tok_is_name(p, "divides") && !ANY(i, COUNT(comparisons), tok_is(p, comparisons[i]))) {
        /* name "(" args ")" was read as the application of a name to a bracket: take it apart again. */
        const Ast *last = left->kind == AST_APP ? left->kids[left->kid_count - 1] : left;
        for (int i = 0; i < COUNT(cond_words); i++) {
            if (last->kind != AST_NAME || strcmp(last->name, cond_words[i].text)) continue;
            if (parse_wrong(p, left->span, "the word of a condition stands in front"))
                diag_note(p->out->diag, "hint", "%s %s", last->name, cond_words[i].form == FORM_PRIM ? "mapSeq" : "f");
            return false;
        }
        bool call = left->kind == AST_APP && left->kid_count == 2 && left->kids[0]->kind == AST_NAME
                 && p->source->text[left->kids[1]->span.from] == '(';
        if (!call && parse_expected(p, "`divides`, a comparison or an operator"))
            parse_hint(p, "a condition: n divides (length x), n < k, associative f, commutative f ... (help rules)");
        if (!call) return false;
        c->kind = COND_CALL;
        c->name = left->kids[0]->name;
        if (left->kids[1]->kind != AST_TUPLE) return cond_add(p, c, left->kids[1]);
        c->args = left->kids[1]->kids;
        c->arg_count = left->kids[1]->kid_count;
        return true;
    }
    c->kind = tok_is_name(p, "divides") ? COND_DIVIDES : COND_COMPARE;
    c->name = c->kind == COND_COMPARE ? p->tok.text : NULL;
    tok_next(p);
    return cond_add(p, c, left) && cond_add(p, c, read_level(p, LEVEL_SUM));
}

/* "when" cond { "and" cond } */
static bool when(Parse *p, AstRule *r)
{
    r->cond_text = p->tok.span;
    p->stops = stop_cond;
    do {
        tok_next(p);
        /* cond = [ "not" ] ( ... ) */
        AstCond *k = MAKE(p->out->arena, AstCond, .span = p->tok.span, .negated = tok_is_name(p, "not"));
        if (k->negated) tok_next(p);
        const CondWord *w = cond_word(p);
        if (w) {
            k->kind = w->kind;
            tok_next(p);
            if (w->form == FORM_PRIM && !(k->name = tok_expect_name(p, "the name of a primitive"))) return false;
        } else if (!cond_sizes(p, k)) {
            return false;
        }
        while (w && k->arg_count < w->most && (k->arg_count < w->least || at_atom(p)))
            if (!cond_add(p, k, w->form == FORM_SIZE ? read_level(p, LEVEL_SUM) : read_postfix(p))) return false;
        k->span.to = p->last;
        ADD(p, r->conds, r->cond_count, k);
    } while (tok_is_name(p, "and"));
    r->cond_text.to = p->last;
    return !p->failed;
}

/* [ "(" param { "," param } ")" ], param = name [ ":" kind ] */
static bool rule_params(Parse *p, AstRule *r)
{
    if (!tok_is(p, "(")) return !p->failed;
    Bracket b = bracket_open(p);
    do {
        const char *name = tok_expect_name(p, "the name of a rule parameter"), *kind = NULL;
        if (name && tok_accept(p, ":")) {
            kind = p->tok.text;
            if (p->tok.kind == TOK_NAME && static_kind_from_name(kind) >= 0) tok_next(p);
            else parse_unexpected(p, "a parameter kind: size, dim, width, perm or mode");
        }
        int kinds = r->param_count;
        ADD(p, r->kinds, kinds, kind);
        ADD(p, r->params, r->param_count, name);
    } while (tok_accept(p, ","));
    return !p->failed && bracket_close(p, b, ")", "`,` or `)` in the rule's parameters");
}

/* Below a, `inline e` as an argument becomes e, which is marked. */
static void take_inlined(Ast *a)
{
    for (int i = 0; i < a->kid_count; i++) {
        Ast *k = a->kids[i];
        bool inlined = i > 0 && a->kind == AST_APP && k->kind == AST_APP && k->kid_count == 2 && k->kids[0]->kind == AST_NAME
            && strcmp(k->kids[0]->name, "inline") == 0;
        if (inlined) {
            a->kids[i] = k->kids[1];
            a->kids[i]->inlined = true;
        }
        take_inlined(a->kids[i]);
    }
}

/* name [ params ] ":" expr ( "=>" | "<=>" ) expr [ "when" conds ] */
AstRule *read_rule(Parse *p, uint32_t from)
{
    AstRule *r = MAKE(p->out->arena, AstRule, .source = p->source, .name = tok_expect_name(p, "the name of a rule"));
    if (!r->name || !rule_params(p, r) || !tok_expect(p, ":", "`:` behind the rule's name and parameters"))
        return NULL;
    p->stops = stop_when;
    r->lhs = read_expr(p);
    r->both_ways = tok_is(p, "<=>");
    if (!r->lhs || !(tok_accept(p, "<=>") || tok_expect(p, "=>", "an operator, `=>` or `<=>`"))) return NULL;
    r->rhs = read_expr(p);
    if (r->rhs) take_inlined(r->rhs);
    if (!r->rhs || (tok_is_name(p, "when") && !when(p, r))) return NULL;
    r->span = (Span){from, p->last};
    return r;
}

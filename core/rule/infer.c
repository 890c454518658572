/* infer: the type of a whole rule, by unification, and its conditions. */
#include "infer_private.h"

#include <stdlib.h>
#include <string.h>

enum { INFER_FUEL = 20000 };

/* ---- conditions ---- */

static Meta *cond_function(Infer *in, const Ast *a)
{
    Meta *m = a->kind == AST_NAME ? meta_find(in, a->name) : NULL;
    return m && m->kind == META_FUN ? m : NULL;
}

static void cond_property(Infer *in, const AstCond *k)
{
    bool neutral = k->kind == COND_NEUTRAL || k->kind == COND_RESTARTS;
    Meta *f = cond_function(in, k->args[neutral ? 1 : 0]);
    if (!f || k->negated) return;
    static const PropKind kinds[] = {[COND_ASSOCIATIVE] = PROP_ASSOCIATIVE, [COND_COMMUTATIVE] = PROP_COMMUTATIVE,
                                     [COND_NEUTRAL] = PROP_NEUTRAL, [COND_RESTARTS] = PROP_RESTARTS};
    f->props |= kinds[k->kind];
    if (!neutral) return;
    const Ast *value = k->args[0];
    Meta *z = value->kind == AST_NAME ? meta_find(in, value->name) : NULL;
    Meta *e = value->kind == AST_APP ? cond_function(in, value->kids[0]) : NULL;
    if (e) {
        e->neutral_for = f;
        e->from_neutral = value->kids[1]->kind == AST_NAME;
        z = e->from_neutral ? meta_find(in, value->kids[1]->name) : NULL;
    }
    if (z && z->kind == META_DATA) z->neutral_of = f;
}

static void condition(Infer *in, const AstCond *k)
{
    Meta *f;
    IType *t;
    switch (k->kind) {
    case COND_DIVIDES: case COND_COMPARE: {
        const char *op = k->name ? k->name : "";
        const Nat *a = infer_size(in, NULL, k->args[0]), *b = a ? infer_size(in, NULL, k->args[1]) : NULL;
        if (!b) return;
        if (k->kind == COND_DIVIDES) infer_cond(in, '|', a, b, k->negated, NULL);
        else if (*op == '!' || (*op == '=' && k->negated)) infer_cond(in, '=', a, b, *op == '=' || !k->negated, NULL);
        else if (*op == '<') infer_cond(in, op[1] ? 'l' : '<', a, b, k->negated, NULL);
        else if (*op == '>') infer_cond(in, op[1] ? 'l' : '<', b, a, k->negated, NULL);
        else if (!size_unify(in, a, b)) infer_wrong_draw(in);
        return;
    }
    case COND_ASSOCIATIVE: case COND_COMMUTATIVE: case COND_NEUTRAL: case COND_RESTARTS: cond_property(in, k); return;
    case COND_RESCALES: {
        Rescaled *r = MAKE(in->arena, Rescaled, cond_function(in, k->args[0]), cond_function(in, k->args[1]), cond_function(in, k->args[2]),
                           k->args[3]->kind == AST_NAME ? meta_find(in, k->args[3]->name) : NULL);
        if (k->negated || !r->e || !r->f || !r->g || !r->w) in->unsupported = "only four names rescale";
        else r->e->rescaled = r->f->rescaled = r->g->rescaled = r->w->rescaled = r;
        return;
    }
    case COND_SCALAR:
        t = infer_expr(in, NULL, k->args[0]);
        if (t && !k->negated && !itype_restrict(in, t, IC_SCALARS))
            infer_bad(in, k->span, "this is no scalar but %s", itype_text(in, t));
        return;
    case COND_COMPUTES: case COND_LAYOUT:
        f = cond_function(in, k->args[0]);
        if (f) *(k->kind == COND_LAYOUT ? &f->wants_layout : &f->wants_computes) = k->negated ? -1 : 1;
        return;
    case COND_UNDER: {
        if (k->negated) return;
        Place p = {pattern_prim(k->name), k->arg_count ? infer_size(in, NULL, k->args[0]) : NULL};
        if (p.prim != PRIM_COUNT && prim_is_map(p.prim)) vec_push(&in->places, p);
        else in->unsupported = "no place under that primitive is generated";
        return;
    }
    case COND_CONTAINS: {
        f = cond_function(in, k->args[k->arg_count - 1]);
        PrimId fold = pattern_prim(k->name);
        if (k->negated) return;
        if (f && (fold == PRIM_REDUCE || fold == PRIM_REDUCE_SEQ)) f->wants_fold = fold;
        else in->unsupported = "no function that contains that primitive is generated";
        return;
    }
    case COND_CALL: in->asks = true; return;
    case COND_ATOMIC: case COND_CONSTANT: case COND_REPEATS: case COND_IDENTITY: case COND_IMAGE: case COND_IMAGE_OUT: return;
    case COND_SHARES: {
        Meta *a = meta_find(in, k->args[0]->name), *b = meta_find(in, k->args[1]->name);
        if (!k->negated && a && b && a->kind == META_DATA && b->kind == META_DATA) {
            if (!itype_unify(in, a->type, b->type)) in->bad_draw = true;
            b->same_as = a;
        }
        return;
    }
    }
}

/* ---- rules ---- */

static const Ast *side(const Rule *r, bool right) { return right != r->reversed ? r->ast->rhs : r->ast->lhs; }

bool infer_rule(Infer *in, Ctx *c, Arena *arena, const Rule *rule, Rng *rng)
{
    const Ast *left = side(rule, false), *right = side(rule, true);
    *in = (Infer){.c = c, .arena = arena, .rule = rule, .rng = rng, .source = rule->ast->source,
                  .fuel = INFER_FUEL};
    in->left_type = infer_expr(in, NULL, left);
    if (!in->left_type) return infer_bad(in, left->span, "the left side does not type");
    in->left_open = in->open.n;
    in->right = true;
    in->right_type = infer_expr(in, NULL, right);
    if (!in->right_type) return infer_bad(in, right->span, "the right side does not type");
    const char *left_text = itype_text(in, in->left_type), *right_text = itype_text(in, in->right_type);
    if (!(itype_unify(in, in->left_type, in->right_type) && size_unify_later(in)) && !in->bad_draw) {
        infer_bad(in, right->span, "the sides have different types: %s and %s", left_text, right_text);
        diag_note(&c->diag, "left", "%s", left_text);
        diag_note(&c->diag, "right", "%s", right_text);
    }
    for (int i = 0; i < rule->ast->cond_count && !in->failed && !in->bad_draw; i++)
        condition(in, rule->ast->conds[i]);
    if (!in->failed && !in->bad_draw && !size_unify_later(in)) in->bad_draw = true;
    return !in->failed && !in->bad_draw;
}

void infer_free(Infer *in)
{
    free(in->metas.v);
    free(in->open.v);
    free(in->solved.v);
    free(in->later.v);
    free(in->conds.v);
    free(in->needs.v);
    free(in->places.v);
}

/* What was drawn may not fit: the first draw that types decides, else the first error. */
enum { TYPE_DRAWS = 60 };

bool infer_some(Infer *in, Ctx *c, Arena *arena, const Rule *r)
{
    Diag first;
    diag_init(&first);
    bool ok = false;
    for (uint64_t seed = 1; seed <= TYPE_DRAWS && !ok; seed++) {
        Rng rng = {seed};
        ok = infer_rule(in, c, arena, r, &rng);
        if (ok) break;
        if (in->failed && !diag_failed(&first)) diag_copy(&first, &c->diag);
        diag_clear(&c->diag);
        infer_free(in);
        *in = (Infer){0};
    }
    bool failed = !ok && diag_failed(&first);
    if (failed) diag_copy(&c->diag, &first);
    diag_free(&first);
    return !failed;
}

bool rule_typecheck(Ctx *c, const Rule *r)
{
    if (!r->ast || diag_failed(&c->diag)) return !diag_failed(&c->diag);
    Arena *arena = arena_new();
    Infer in;
    bool ok = infer_some(&in, c, arena, r);
    if (ok) infer_free(&in);
    arena_free(arena);
    return ok;
}

/* match_normal: patterns in normal form; guards of search patterns. */
#include "match.h"

#include <string.h>

PrimId pattern_prim(const char *name)
{
    if (strcmp(name, "zip3") == 0 || strcmp(name, "zip4") == 0) return PRIM_ZIP;
    PrimId id = prim_from_name(name);
    return id == PRIM_TUPLE || id == PRIM_PROJ || id == PRIM_LET || id == PRIM_IF || id == PRIM_LANE ? PRIM_COUNT : id;
}

PrimId pattern_begins(const Ast *p)
{
    if (p->kind == AST_BINARY) return prim_from_name(p->name);
    return p->kind == AST_APP && p->kids[0]->kind == AST_NAME ? pattern_prim(p->kids[0]->name) : PRIM_COUNT;
}

/* ---- normal form of patterns ---- */

typedef struct Normaliser {
    Ctx *c;
    Arena *arena;
    const Source *source;
    bool search;
    int fresh;
} Normaliser;

static const Ast *normalise(Normaliser *n, const Ast *a);

static Ast *node(Normaliser *n, AstKind kind, const Ast *like, int kids)
{
    return MAKE(n->arena, Ast, .kind = kind, .span = like->span, .kid_count = kids,
                .kids = NEW_ARRAY(n->arena, Ast *, kids));
}

static Ast *name_node(Normaliser *n, const char *name, const Ast *like)
{
    Ast *a = node(n, AST_NAME, like, 0);
    a->name = name;
    return a;
}

/* f applied to one more argument, flattened. */
static Ast *apply_node(Normaliser *n, const Ast *f, const Ast *arg)
{
    int had = f->kind == AST_APP ? f->kid_count : 1;
    Ast *a = node(n, AST_APP, f, had + 1);
    for (int i = 0; i < had; i++) a->kids[i] = f->kind == AST_APP ? f->kids[i] : (Ast *)f;
    a->kids[had] = (Ast *)arg;
    if (f->kind == AST_BINARY && *f->name == '.') return apply_node(n, f->kids[0], apply_node(n, f->kids[1], arg));
    return a;
}

static AstPat *pattern_node(Normaliser *n, const char *name, int kids, Span span)
{
    return MAKE(n->arena, AstPat, .name = name, .span = span, .kid_count = kids,
                .kids = NEW_ARRAY(n->arena, AstPat *, kids));
}

static const char *fresh_name(Normaliser *n) { return intern(n->c->names, arena_printf(n->arena, "%%%d", n->fresh++)); }

static const Ast *lambda_node(Normaliser *n, AstPat *p, const Ast *body, const Ast *like)
{
    Ast *a = node(n, AST_LAMBDA, like, 1);
    a->kids[0] = (Ast *)body;
    a->pat_count = 1;
    a->pats = NEW_ARRAY(n->arena, AstPat *, 1);
    a->pats[0] = p;
    return a;
}

/* (op) and scalar functions given by name: \(a, b) -> a op b. */
static const Ast *operator_lambda(Normaliser *n, PrimId id, const Ast *like)
{
    int k = prim_arg_count(n->c, id);
    Ast *body = node(n, AST_APP, like, k + 1);
    AstPat *p = pattern_node(n, NULL, k, like->span);
    body->kids[0] = name_node(n, intern(n->c->names, prim(id)->name), like);
    for (int i = 0; i < k; i++) {
        const char *name = fresh_name(n);
        p->kids[i] = pattern_node(n, name, 0, like->span);
        body->kids[i + 1] = name_node(n, name, like);
    }
    return lambda_node(n, k == 1 ? p->kids[0] : p, body, like);
}

/* ---- guards of search patterns: what a function or an expression must be like ----
 * `not? WORD p` becomes an application of %WORD or %not WORD, which no text can name, to p. */

static const char *const guards[] = {"layout", "computes", "scalar", "contains"};

static bool is_guard_word(const char *name)
{
    return text_index(guards, COUNT(guards), name) >= 0;
}

bool pattern_is_guard(const char *name) { return is_guard_word(name) || !strcmp(name, "not"); }

static const Ast *head_name(const Ast *a)
{
    if (a->kind == AST_APP) a = a->kids[0];
    return a->kind == AST_NAME ? a : NULL;
}

static bool is_guard(const Normaliser *n, const Ast *a)
{
    const Ast *h = head_name(a);
    return n->search && h && pattern_is_guard(h->name);
}

/* What an application applies its head to: one thing, or an application of it. NULL: nothing. */
static const Ast *rest_of(Normaliser *n, const Ast *a)
{
    if (a->kind != AST_APP) return NULL;
    if (a->kid_count == 2) return a->kids[1];
    Ast *r = node(n, AST_APP, a, a->kid_count - 1);
    for (int i = 1; i < a->kid_count; i++) r->kids[i - 1] = a->kids[i];
    return r;
}

static const Ast *normalise_function(Normaliser *n, const Ast *a);

static const Ast *guard_error(Normaliser *n, const Ast *a, const char *word)
{
    return ctx_error_at(n->c, E03, n->source, a->span, "%s%s" NOTE("as in") "map (layout _) _, map (not contains reduceSeq) _", word,
                        strcmp(word, "not") ? " what?" : " goes with layout, computes, scalar or contains");
}

static const Ast *normalise_guard(Normaliser *n, const Ast *a, bool function)
{
    const char *word = head_name(a)->name;
    const Ast *what = rest_of(n, a);
    bool negated = !strcmp(word, "not");
    if (negated) {
        if (!what || !head_name(what) || !is_guard_word(head_name(what)->name)) return guard_error(n, a, word);
        a = what;
        word = head_name(a)->name;
        what = rest_of(n, a);
    }
    bool contains = !strcmp(word, "contains");
    if (contains && !what) return guard_error(n, a, word);
    Ast *g = node(n, AST_APP, a, what ? 2 : 1);
    g->kids[0] = name_node(n, intern(n->c->names, arena_printf(n->arena, "%%%s%s", negated ? "not " : "", word)), a);
    if (what) g->kids[1] = (Ast *)(function && !contains ? normalise_function(n, what) : normalise(n, what));
    return what && !g->kids[1] ? NULL : g;
}

static bool is_id(const Ast *a) { return a->kind == AST_NAME && strcmp(a->name, "id") == 0; }

/* A function position: a metavariable or hole stays, everything else becomes a lambda. */
static const Ast *normalise_function(Normaliser *n, const Ast *a)
{
    if (is_guard(n, a)) return normalise_guard(n, a, true);
    if (a->kind == AST_LAMBDA) return normalise(n, a);
    if (a->kind == AST_OP) return operator_lambda(n, prim_from_name(a->name), a);
    if (a->kind == AST_NAME && !is_id(a)) {
        PrimId id = pattern_prim(a->name);
        if (id == PRIM_COUNT) return a;
        if (prim(id)->family == FAM_SCALAR) return operator_lambda(n, id, a);
    }
    const char *x = fresh_name(n);
    Ast *arg = name_node(n, x, a);
    const Ast *body = is_id(a) ? arg : normalise(n, apply_node(n, a, arg));
    return body ? lambda_node(n, pattern_node(n, x, 0, a->span), body, a) : NULL;
}

static const Ast *normalise(Normaliser *n, const Ast *a)
{
    if (is_guard(n, a)) return normalise_guard(n, a, false);
    if (a->kind == AST_BINARY && strcmp(a->name, "$") == 0) return normalise(n, apply_node(n, a->kids[0], a->kids[1]));
    if (a->kind == AST_BINARY && strcmp(a->name, "|>") == 0) return normalise(n, apply_node(n, a->kids[1], a->kids[0]));
    if (a->kind == AST_APP && is_id(a->kids[0]) && a->kid_count == 2) return normalise(n, a->kids[1]);
    if (a->kind == AST_APP) {
        Ast *out = node(n, AST_APP, a, a->kid_count);
        const Ast *h = a->kids[0];
        PrimId id = h->kind == AST_NAME ? pattern_prim(h->name) : h->kind == AST_OP ? prim_from_name(h->name) : PRIM_COUNT;
        if (h->kind != AST_NAME && h->kind != AST_OP)
            return ctx_error_at(n->c, n->search ? E03 : E30, n->source, h->span,
                          "only a primitive or a metavariable can be applied in a pattern");
        out->kids[0] = (Ast *)h;
        int statics = id == PRIM_COUNT ? 0 : prim_static_count(n->c, id);
        for (int i = 1; i < a->kid_count; i++) {
            bool function = i > statics && id != PRIM_COUNT && prim_arg_is_function(n->c, id, i - 1 - statics);
            if (i <= statics) out->kids[i] = a->kids[i];
            else out->kids[i] = (Ast *)(function ? normalise_function(n, a->kids[i]) : normalise(n, a->kids[i]));
            if (!out->kids[i]) return NULL;
        }
        return out;
    }
    if (a->kid_count == 0) return a;
    Ast *out = node(n, a->kind, a, a->kid_count);
    Ast **kids = out->kids;
    *out = *a;
    out->kids = kids;
    for (int i = 0; i < a->kid_count; i++) {
        kids[i] = (Ast *)normalise(n, a->kids[i]);
        if (!kids[i]) return NULL;
    }
    return out;
}

const Ast *pattern_normalise(Ctx *c, Arena *arena, const Source *s, const Ast *a)
{
    return normalise(&(Normaliser){.c = c, .arena = arena, .source = s}, a);
}

const Ast *pattern_normalise_search(Ctx *c, Arena *arena, const Source *s, const Ast *a)
{
    return normalise(&(Normaliser){.c = c, .arena = arena, .source = s, .search = true}, a);
}

/* elab: from syntax trees to terms, in reading order: scopes, sizes and types as they are written; what syntax is, without
 * making terms of it; patterns and arguments; calls of primitives; application, expressions, functions. NULL or false: an
 * error has been reported, with its place. */
#include "elab.h"
#include "scheme.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NULL, or false, with an error. */
#define FAIL(e, s, span, id, ...) ctx_error_at((e)->c, (id), (s).source, (span), __VA_ARGS__)

/* Binders made while arguments are bound; wrapped round the body afterwards, the last first. */
typedef struct Binder {
    const Term *value;         /* lives outside the binder */
    const char *const *hints;
    struct Binder *outer;
} Binder;

static inline bool ast_is_compose(const Ast *a) { return a->kind == AST_FIELD || (a->kind == AST_BINARY && strcmp(a->name, ".") == 0); }
static inline int tuple_count(const Type *t) { return t->kind == TY_TUPLE ? t->count : 1; }
static inline const Term *elab_shift(Elab *e, const Term *t, int from, int to) { return term_shift(e->c, t, to - from, 0); }

static const Term *elab_apply(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call);
static const Term *unknown_name(Elab *e, Scope s, const Ast *f);
static void tell_type(const Elab *e, Scope s, Span span, const Type *t)
{
    if (e->defs && e->defs->typed) e->defs->typed(e->defs->typed_data, s.source, span, t);
}

enum { ELAB_FUEL = 2000000, ELAB_NESTING = 700 };

Elab elab_start(Ctx *c, Arena *arena, const Defs *defs)
{
    return (Elab){.c = c, .arena = arena, .defs = defs, .fuel = ELAB_FUEL, .decided.arena = arena};
}

const Env *env_find(const Env *env, const char *name)
{
    while (env && env->name != name) env = env->next;
    return env;
}

/* The size that a value is, where it is made of sizes and integers alone. */
static const Nat *size_made(Ctx *c, const Term *t)
{
    if (t->kind == T_SIZE) return t->u.nat;
    if (t->kind == T_LIT) return scalar_is_int(t->type->scalar) ? nat_const(c->nats, t->u.lit.i) : NULL;
    bool sum = term_is(t, PRIM_ADD) || term_is(t, PRIM_SUB) || term_is(t, PRIM_MUL);
    const Nat *a = sum ? size_made(c, t->args[0]) : NULL, *b = a ? size_made(c, t->args[1]) : NULL;
    if (!b) return NULL;
    return t->prim == PRIM_ADD ? nat_add(c->nats, a, b) : t->prim == PRIM_SUB ? nat_sub(c->nats, a, b) : nat_mul(c->nats, a, b);
}

const Nat *env_size(Ctx *c, const Env *b)
{
    return b->kind == BIND_SIZE ? b->nat : b->kind == BIND_TERM ? size_made(c, b->term) : NULL;
}

const Env *env_with_names(Arena *arena, const AstPat *p, const Env *env)
{
    if (p->name) env = MAKE(arena, Env, .name = p->name, .next = env);
    for (int i = 0; i < p->kid_count; i++) env = env_with_names(arena, p->kids[i], env);
    return env;
}

Scalar suffix_scalar(int suffix) { return suffix == SUFFIX_NONE ? SC_I32 : (Scalar)(suffix - 1); }

/* What was made; NULL: makers know no text, so their error is given the place here, unless it has one. */
static const void *elab_at(Elab *e, Scope s, Span span, const void *made)
{
    Diag *d = &e->c->diag;
    if (made || !diag_failed(d) || d->source) return made;
    d->source = s.source;
    d->span = span;
    return NULL;
}

/* The path goes into that part of a text; what it was before. */
static uint64_t path_into(Elab *e, Scope s, Span span)
{
    uint64_t outer = e->path;
    e->path = hash_mix(outer ^ (uint64_t)(uintptr_t)s.source, (uint64_t)span.from << 32 | span.to);
    return outer;
}

static Scope at_depth(Scope s, int depth)
{
    s.depth = depth;
    return s;
}

static const Term *arg_term(Elab *e, const Arg *a, int depth, const Type *want)
{
    if (a->term) return elab_shift(e, a->term, a->scope.depth, depth);
    return elab_expr(e, at_depth(a->scope, depth), a->ast, want);
}

/* ---- sizes ---- */

/* What is bound to a name; in a helper, what its user calls so if that is a size. */
static const Env *find_size(const Elab *e, const Env *env, const char *name)
{
    const Env *b = env_find(env, name), *outer = b ? NULL : env_find(e->outer, name);
    if (outer && outer->kind == BIND_SIZE) return outer;
    return !b && e->open ? env_find(e->open->sizes, name) : b;
}

/* The size that an upper-case name is where nothing defines it; NULL: it is none. Of a name that stands as a value this is only
 * known when all has been read: elab_whole reads it again if it is a size nowhere. */
static const Env *open_size(Elab *e, const char *name, bool as_value)
{
    if (!e->open || !isupper((unsigned char)*name) || (as_value && e->open->settled)) return NULL;
    const Env **known = as_value ? &e->open->values : &e->open->sizes;
    elab_bind_size(e, name, known);
    return env_find(*known, name);
}

static const Nat *length_of(Elab *e, Scope s, const Term *x, Span span)
{
    if (!x || x->type->kind == TY_ARRAY) return x ? x->type->size : NULL;
    return FAIL(e, s, span, E04, "length of %s, which is no array", type_text(e->c, x->type));
}

static int type_rank(const Type *t) { return t->kind == TY_ARRAY ? 1 + type_rank(t->elems[0]) : 0; }

/* The number of the axis d of x: as it is, from the end where it is negative, or that of length C, a size in upper case. */
static const Nat *axis_number(Elab *e, Scope s, const Arg *args, Span call)
{
    const Term *x = arg_term(e, &args[1], s.depth, NULL);
    const Arg *d = &args[0];
    if (!x) return NULL;
    const int rank = type_rank(x->type);
    const Ast *a = d->ast;
    Scope in = at_depth(d->scope, s.depth);
    for (const Env *b; a && a->kind == AST_NAME && (b = env_find(in.env, a->name)) && b->ast;) {
        a = b->ast;
        in = (Scope){b->env, s.depth, b->source};
    }
    e->called = "axis";
    const Nat *n = a ? elab_size(e, in, a) : nat_const(e->c->nats, 0);
    if (!n) return NULL;
    Arena *texts = e->c->diag.arena;
    const bool named = !n->is_const || (a->kind == AST_NAME && isupper((unsigned char)*a->name));
    int64_t found = named ? -1 : n->value < 0 ? n->value + rank : n->value;
    int times = 0, i = 0;
    for (const Type *t = x->type; named && t->kind == TY_ARRAY; t = t->elems[0], i++)
        if (t->size == n) found = i, times++;
    if (times > 1)
        return FAIL(e, s, call, E04, "%s is the length of %d axes of %s" NOTE("hint") "an axis has a number, too: 0 is the first, -1 the last",
                    nat_text(n, 0, texts), times, type_text(e->c, x->type));
    if (rank == 0) return FAIL(e, s, call, E04, "%s has no axes: it is no array", type_text(e->c, x->type));
    if (e->open && named && found < 0) e->open->refused = true;
    if (found < 0 || found >= rank)
        return FAIL(e, s, call, E04, "%s has no axis %s" NOTE("needs") "%s" NOTE("hint") "an axis is its number from 0, or from the end, -1, -2 ...; or "
                    "the name of its length, if no other has it", type_text(e->c, x->type), nat_text(n, 0, texts),
                    arena_printf(texts, "0 to %d", rank - 1));
    return nat_const(e->c->nats, found);
}

static int elab_arity(const Elab *e, const Env *env, const Ast *f);

/* The text of an argument, in brackets if it is not one word; NULL: it has none, or is long. */
static const char *arg_text(Elab *e, const Arg *a)
{
    enum { LONGEST = 40 };
    if (!a->ast) return NULL;
    const Span span = a->ast->span;
    const char *text = arena_strndup(e->c->diag.arena, a->scope.source->text + span.from, span.to - span.from);
    if (strlen(text) > LONGEST || strchr(text, '\n')) return NULL;
    return strchr("([", *text) || !text[strcspn(text, " +-*/%$<>=&|.")] ? text : arena_printf(e->c->diag.arena, "(%s)", text);
}

/* A note of what takes values where the function that is called takes sizes: the value `text`. */
static const char *value_hint(Elab *e, const char *text)
{
    static const struct { const char *called, *hint; } known[] = {
        {"iterate", "loopUpTo K %s (\\s i -> ...) x makes as many steps as the value says, K at most"},
        {"loop", "loopUpTo K %s f x makes as many steps as the value says, K at most"},
        {"loopWhile", "loopWhile K p f x goes on while p holds of the state, K steps at most"},
        {"take", "slice 1 f 0 %s xs is f of the first elements, as many as the value says"},
        {"axis", "the number of an axis is known when the program is read, as is the name of its length"},
        {"drop", "slice 1 f %s (length xs) xs is f of the elements from that one on"},
    };
    const char *hint = "make K of them, and take as many as the value says: slice 1 f 0 %s (iota K)";
    for (int i = 0; i < COUNT(known); i++)
        if (e->called && !strcmp(e->called, known[i].called)) hint = known[i].hint;
    const size_t n = strcspn(hint, "%");
    return arena_printf(e->c->diag.arena, NOTE("hint") "%.*s%s%s", (int)n, hint, hint[n] ? text : "", hint[n] ? hint + n + 2 : "");
}

static const Nat *refuse_value(Elab *e, Scope s, const Ast *a, const Env *b)
{
    bool number = b->kind == BIND_TERM && b->term->type->kind == TY_SCALAR;
    const char *name = b->kind == BIND_TERM && b->term->kind == T_INPUT ? b->term->u.name : a->name;
    const bool tuple = b->kind == BIND_TERM && b->term->type->kind == TY_TUPLE, axis = e->called && !strcmp(e->called, "axis");
    if (tuple)
        return FAIL(e, s, a->span, E04, "\"%s\" is a tuple, not a size" NOTE("hint") "%s", a->name, axis
                    ? "one axis after the other: overAxis C f (overAxis H f x)"
                    : "where dimensions differ, each has a function: windows2 (slideFloor 3 2) (slide 2 1) x, dims2 (pad 1 1 clamp) id x");
    return FAIL(e, s, a->span, E04, "\"%s\" is a value, not a size" NOTE("needs") "a number, a length in a type, or a size that the program is "
                "given: (K: size)%s", name, number ? value_hint(e, name) : "");
}

const Nat *elab_size(Elab *e, Scope s, const Ast *a)
{
    switch (a->kind) {
    case AST_INT: return nat_const(e->c->nats, a->ival);
    case AST_NAME: {
        const Env *b = find_size(e, s.env, a->name);
        const Nat *n = b ? env_size(e->c, b) : NULL;
        if (n) return n;
        if (b && b->ast && (b->kind == BIND_LITERAL || b->kind == BIND_TERM)) return elab_size(e, (Scope){b->env, s.depth, b->source}, b->ast);
        const Def *d = b ? NULL : defs_find(e->c, e->defs, a->name);
        if (d && d->decl->param_count == 0) return elab_size(e, (Scope){d->env, s.depth, d->source}, d->decl->body);
        if (b) return refuse_value(e, s, a, b);
        if ((b = open_size(e, a->name, false))) return b->nat;
        if (islower((unsigned char)*a->name))
            return FAIL(e, s, a->span, E02, "no size called \"%s\"" NOTE("hint") "sizes in types have upper-case names; "
                        "a tuning parameter is declared: param %s", a->name, a->name);
        return FAIL(e, s, a->span, E02, "no size called \"%s\"" NOTE("needs") "a size of the program at hand, a number or a parameter", a->name);
    }
    case AST_BINARY: {
        const Nat *x = elab_size(e, s, a->kids[0]), *y = x ? elab_size(e, s, a->kids[1]) : NULL;
        if (!y) return NULL;
        if (!nat_is_operator(a->name))
            return FAIL(e, s, a->span, E04, "\"%s\" is no operator of sizes; sizes have + - * / // %%%s", a->name,
                        ast_prim(a) == PRIM_POW ? NOTE("hint") "a power has a name: N, and data N = 2^12 sets it" : "");
        const Nat *r = nat_operator(e->c->nats, a->name, x, y);
        if (r) return r;
        if (strcmp(a->name, "/") == 0)
            return FAIL(e, s, a->span, E04, "this exact division of sizes does not come out even" NOTE("hint") "// for the floor quotient");
        return FAIL(e, s, a->span, E08, "this size is too large: numbers in it stay below 2^63, and it has at most %d terms", NAT_TERMS_MAX);
    }
    case AST_UNARY:
        if (*a->name == '-') return nat_sub(e->c->nats, nat_const(e->c->nats, 0), elab_size(e, s, a->kids[0]));
        break;
    case AST_APP:
        if (a->kids[0]->kind != AST_NAME) break;
        if (strcmp(a->kids[0]->name, "length") == 0 && a->kid_count == 2)
            return length_of(e, s, elab_expr(e, s, a->kids[1], NULL), a->span);
        if (strcmp(a->kids[0]->name, "rank") == 0 && a->kid_count == 2) {
            const Term *x = elab_expr(e, s, a->kids[1], NULL);
            return x ? nat_const(e->c->nats, type_rank(x->type)) : NULL;
        }
        if (strcmp(a->kids[0]->name, "axis") == 0 && a->kid_count == 3)
            return axis_number(e, s, args_of(e->arena, s, a->kids + 1, 2, NULL, 0), a->span);
        if ((strcmp(a->kids[0]->name, "min") == 0 || strcmp(a->kids[0]->name, "max") == 0) && a->kid_count == 3) {
            const Nat *x = elab_size(e, s, a->kids[1]), *y = x ? elab_size(e, s, a->kids[2]) : NULL;
            return !y ? NULL : a->kids[0]->name[1] == 'i' ? nat_min(e->c->nats, x, y) : nat_max(e->c->nats, x, y);
        }
        break;
    default: break;
    }
    Arg value = {.ast = a, .scope = s};
    const char *text = (a->kind == AST_APP || a->kind == AST_IF || a->kind == AST_AT) && elab_arity(e, s.env, a) == 0 ? arg_text(e, &value) : NULL;
    return FAIL(e, s, a->span, E04, "a size is needed here: numbers, size names, + - * / // %%, length x%s", text ? value_hint(e, text) : "");
}

/* ---- types ---- */

void elab_bind_size(Elab *e, const char *name, const Env **sizes)
{
    if (!env_find(*sizes, name)) BIND(e->arena, sizes, name, BIND_SIZE, .nat = nat_var(e->c->nats, name, VAR_SIZE, NULL, NULL));
}

/* Bind every unbound upper-case name of a size expression. */
static void bind_sizes(Elab *e, const Ast *a, const Env **sizes)
{
    if (a->kind == AST_NAME && isupper((unsigned char)*a->name)) elab_bind_size(e, a->name, sizes);
    for (int i = 0; i < a->kid_count; i++) bind_sizes(e, a->kids[i], sizes);
}

const Type *elab_type(Elab *e, Scope s, const AstType *t, const Env **sizes)
{
    Scalar scalar = SC_I32;
    const Type *r = NULL, *parts[ARG_MAX];
    if ((t->kind == ASTTYPE_SCALAR || t->kind == ASTTYPE_VECTOR) && !scalar_from_name(t->name, &scalar))
        return FAIL(e, s, t->span, E04, "no type called \"%s\"", t->name);
    switch (t->kind) {
    case ASTTYPE_SCALAR: r = type_scalar(e->c, scalar); break;
    case ASTTYPE_VECTOR: r = type_vector(e->c, t->width > 64 ? 0 : (int)t->width, type_scalar(e->c, scalar)); break;
    case ASTTYPE_TUPLE: case ASTTYPE_FUN:
        if (t->kid_count > ARG_MAX) return FAIL(e, s, t->span, E08, "a tuple has at most %d components", ARG_MAX);
        for (int i = 0; i < t->kid_count; i++) {
            parts[i] = elab_type(e, s, t->kids[i], sizes);
            if (!parts[i]) return NULL;
            if (sizes) s.env = *sizes;
        }
        r = t->kind == ASTTYPE_FUN ? type_fun(e->c, parts[0], parts[1]) : type_tuple(e->c, parts, t->kid_count);
        break;
    case ASTTYPE_ARRAY: {
        if (sizes) {
            bind_sizes(e, t->size, sizes);
            s.env = *sizes;
        }
        const Nat *n = elab_size(e, s, t->size);
        const Type *elem = n ? elab_type(e, s, t->kids[0], sizes) : NULL;
        r = elem ? type_array(e->c, n, elem) : NULL;
        break;
    }
    default: return FAIL(e, s, t->span, E04, "\"size\" is only the type of a helper's parameter");
    }
    return elab_at(e, s, t->span, r);
}

static bool is_open_size(const Env *env, const Ast *a)
{
    if (a->kind == AST_NAME) return isupper((unsigned char)*a->name) && !env_find(env, a->name);
    return ANY(i, a->kid_count, is_open_size(env, a->kids[i]));
}

static bool lacks_size(const Elab *e, const Env *env, const Ast *a)
{
    if (a->kind == AST_NAME) return isupper((unsigned char)*a->name) && !find_size(e, env, a->name);
    return ANY(i, a->kid_count, lacks_size(e, env, a->kids[i]));
}

/* The size that a names is n: binds the one open name in it, where that is one side of each operator. */
static void solve_size(Elab *e, Scope *s, const Ast *a, const Nat *n)
{
    Nats *nats = e->c->nats;
    if (n && a->kind == AST_NAME && is_open_size(s->env, a)) BIND(e->arena, &s->env, a->name, BIND_SIZE, .nat = n);
    if (!n || a->kind != AST_BINARY || !nat_is_operator(a->name) || a->name[1]) return;
    bool left = is_open_size(s->env, a->kids[0]), right = is_open_size(s->env, a->kids[1]);
    const Nat *known = left == right ? NULL : elab_size(e, *s, a->kids[left]);
    if (!known) return;
    switch (*a->name) {
    case '+': n = nat_sub(nats, n, known); break;
    case '-': n = left ? nat_add(nats, n, known) : nat_sub(nats, known, n); break;
    case '*': n = nat_exact(nats, n, known); break;
    case '/': n = left ? nat_mul(nats, n, known) : nat_exact(nats, known, n); break;
    default: return;
    }
    solve_size(e, s, a->kids[right], n);
}

/* Check a value's type against an annotation, binding upper-case size names that are not bound yet. */
static bool annotation_match(Elab *e, Scope *s, const AstType *t, const Type *found)
{
    bool shape = true;
    if (t->kind == ASTTYPE_ARRAY) {
        shape = found->kind == TY_ARRAY;
        if (shape) solve_size(e, s, t->size, found->size);
        if (shape && lacks_size(e, s->env, t->size))
            return FAIL(e, *s, t->size->span, E02, "the sizes in [%.*s] do not follow from [%s]" NOTE("needs") "one unknown size at a time, or a "
                        "program that has sizes of these names" NOTE("hint") "a helper takes others as parameters: f (k: size) (x: [k]f32)",
                        (int)(t->size->span.to - t->size->span.from), s->source->text + t->size->span.from,
                        nat_text(found->size, 0, e->c->diag.arena));
        if (shape) {
            const Nat *n = elab_size(e, *s, t->size);
            if (!n) return false;
            shape = n == found->size;
        }
        if (shape) return annotation_match(e, s, t->kids[0], found->elems[0]);
    } else if (t->kind == ASTTYPE_TUPLE && found->kind == TY_TUPLE && t->kid_count == found->count) {
        return ALL(i, t->kid_count, annotation_match(e, s, t->kids[i], found->elems[i]));
    } else {
        const Type *need = elab_type(e, *s, t, NULL);
        if (!need) return false;
        shape = type_same(e->c, need, found);
    }
    return shape || FAIL(e, *s, t->span, E04, "the value has type %s" NOTE("needs") "%.*s", type_text(e->c, found),
                         (int)(t->span.to - t->span.from), s->source->text + t->span.from);
}

/* The type of an annotation of a (or NULL) when all its names are bound; NULL without an error otherwise. The lengths of an array
 * written out are known. */
static const Type *annotation_known(Elab *e, Scope s, const AstType *t, const Ast *a)
{
    if (!t || t->kind == ASTTYPE_SIZE || t->kind == ASTTYPE_FUN || diag_failed(&e->c->diag)) return NULL;
    if (a && a->kind == AST_ARRAY && t->kind == ASTTYPE_ARRAY) {
        const Type *elem = annotation_known(e, s, t->kids[0], a->kids[0]);
        return elem ? type_array(e->c, nat_const(e->c->nats, a->kid_count), elem) : NULL;
    }
    const Env *outer = e->outer;
    OpenSizes *open = e->open;
    e->outer = NULL;                                           /* a size of its own is not yet bound */
    e->open = NULL;
    const Type *r = elab_type(e, s, t, NULL);
    e->outer = outer;
    e->open = open;
    if (!r) diag_clear(&e->c->diag);
    return r;
}

/* ---- questions about syntax ---- */

static bool ast_is_literal(const Ast *a)
{
    if (a->kind == AST_UNARY) return *a->name == '-' && ast_is_literal(a->kids[0]);
    return (a->kind == AST_INT || a->kind == AST_FLOAT) && a->suffix == SUFFIX_NONE;
}

/* The least and the most of whatever type is wanted. */
static bool ast_is_extreme(const char *name) { return strcmp(name, "lowest") == 0 || strcmp(name, "highest") == 0; }

/* What elaboration itself carries out, with its number of arguments; 0: another name. */
static int built_in(const char *name)
{
    if (!strchr("lran", *name)) return 0;                      /* asked of every name that is applied */
    return strcmp(name, "length") == 0 || strcmp(name, "rank") == 0 ? 1 : strcmp(name, "axis") == 0 ? 2 : strcmp(name, "nest") == 0 ? 3 : strcmp(name, "repeated") == 0 ? 4 : 0;
}

bool pattern_binds(const AstPat *p, const char *name)
{
    return p->name == name || ANY(i, p->kid_count, pattern_binds(p->kids[i], name));
}

bool ast_mentions(const Ast *a, const char *name)
{
    if (a->kind == AST_NAME) return a->name == name;
    if (a->kind == AST_FIELD) return ast_mentions(a->kids[0], name);       /* the part's name is none of these */
    bool shadowed = ANY(i, a->pat_count, pattern_binds(a->pats[i], name));
    int seen = !shadowed ? a->kid_count : a->kind == AST_LET ? 1 : 0;
    return ANY(i, seen, ast_mentions(a->kids[i], name));
}

/* Does the text leave its scalar type to the context? */
static bool is_flexible(const Env *env, const Ast *a)
{
    if (ast_is_literal(a)) return true;
    switch (a->kind) {
    case AST_UNARY: return *a->name == '-' && is_flexible(env, a->kids[0]);
    case AST_BINARY:
        return strchr("+-*/%", *a->name) && is_flexible(env, a->kids[0]) && is_flexible(env, a->kids[1]);
    case AST_NAME: {
        const Env *b = env_find(env, a->name);
        return b ? b->kind == BIND_LITERAL || b->kind == BIND_SIZE : ast_is_float_name(a->name) || ast_is_extreme(a->name);
    }
    case AST_APP: {
        int takes = a->kids[0]->kind == AST_NAME ? built_in(a->kids[0]->name) : 0;
        return takes == 1 || takes == 2;                       /* length, rank, axis */
    }
    default: return false;
    }
}

/* Names in the text that are bound to lists: what a spread repeats over. */
static const Env *find_list(const Env *env, const Ast *a)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b && b->kind == BIND_LIST) return b;
    for (int i = 0; i < a->kid_count; i++)
        if ((b = find_list(env, a->kids[i]))) return b;
    return NULL;
}

/* How many arguments the text f takes before it is a value; 0 for data; large for zip. */
static const AstPat *next_pattern(Elab *e, const Env *env, const Ast *f, int given);

static bool pattern_fits(const AstPat *p, const Type *t)
{
    if (p->name) return true;
    return t->kind == TY_TUPLE && t->count == p->kid_count && ALL(i, p->kid_count, pattern_fits(p->kids[i], t->elems[i]));
}

/* Is a, by its text or its type, no tuple that the pattern takes apart? */
static bool is_no_such_tuple(const Env *env, const Ast *a, const AstPat *p)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (p->name) return false;
    if (b) return b->kind == BIND_TERM && !pattern_fits(p, b->term->type);
    if (a->kind == AST_TUPLE) return a->kid_count != p->kid_count || ANY(i, p->kid_count, is_no_such_tuple(env, a->kids[i], p->kids[i]));
    return ast_is_literal(a);
}

/* How many parts the helper of one tuple in f x y lacks: of cmul z one. sure: only if its argument is not all of them. 0: it takes no tuple. */
static int parts_lacking(const Elab *e, const Env *env, const Ast *f, bool sure)
{
    if (f->kind != AST_APP || elab_arity(e, env, f->kids[0]) != 1) return 0;
    const AstPat *p = next_pattern((Elab *)e, env, f->kids[0], 0);
    int given = f->kid_count - 1, parts = p && !p->name ? p->kid_count : 0;
    bool apart = given > 1 || !sure || is_no_such_tuple(env, f->kids[1], p ? p : &(AstPat){.name = ""});
    return parts > given && apart ? parts - given : 0;
}

/* How many more arguments f takes where it has all its own, as twice has with twice f = f . f; 0: it gives data, or what a parameter is. */
static int arity_of_result(const Elab *e, const Env *env, const Ast *f)
{
    const Env *b = f->kind == AST_NAME ? env_find(env, f->name) : NULL;
    const Def *d = f->kind == AST_NAME && !b ? defs_find(e->c, e->defs, f->name) : NULL;
    if (b && b->kind == BIND_CLOSURE) return arity_of_result(e, b->env, b->ast);
    if (!d && f->kind != AST_LAMBDA) return 0;
    AstPat *const *params = d ? d->decl->params : f->pats;
    const int n = d ? d->decl->param_count : f->pat_count;
    const Ast *body = d ? d->decl->body : f->kids[0], *head = body;
    while (head->kind == AST_APP) head = head->kids[0];
    if (head->kind == AST_NAME && ANY(i, n, pattern_binds(params[i], head->name))) return 0;
    return elab_arity(e, d ? d->env : env, body);
}

static int elab_arity(const Elab *e, const Env *env, const Ast *f)
{
    switch (f->kind) {
    case AST_LAMBDA: return f->pat_count;
    case AST_OP: return 2;
    case AST_SECTION_LEFT: case AST_SECTION_RIGHT: return 1;
    case AST_BINARY:
        if (strcmp(f->name, "-") == 0) {                       /* f -1 x: see negated_argument */
            int left = f->kids[0]->kind == AST_BINARY ? 0 : elab_arity(e, env, f->kids[0]);
            int given = f->kids[1]->kind == AST_APP ? f->kids[1]->kid_count : 1;
            return left > given ? left - given : 0;
        }
        return *f->name == '.' || strcmp(f->name, "∘") == 0 ? 1 : 0;
    case AST_NAME: {
        const Env *b = env_find(env, f->name);
        if (b) {
            if (b->kind == BIND_FUN) return b->arity;
            return b->kind == BIND_CLOSURE ? elab_arity(e, b->env, b->ast) : 0;
        }
        const Def *d = defs_find(e->c, e->defs, f->name);
        if (d) return d->decl->param_count;
        if (built_in(f->name)) return built_in(f->name);
        PrimId id = ast_prim(f);
        if (id == PRIM_COUNT) return 0;
        int n = prim_arg_count(e->c, id);
        return id == PRIM_VEC ? 1 : n < 0 ? 2 : n + prim_static_count(e->c, id);        /* vec takes all lanes at once, too: vec (a, b) */
    }
    case AST_ANNOT: return elab_arity(e, env, f->kids[0]);
    case AST_FIELD: return elab_arity(e, env, f->kids[0]) > 0;
    case AST_APP: {
        int n = elab_arity(e, env, f->kids[0]);
        for (int i = 1; i < f->kid_count; i++) {
            const Env *list = f->kids[i]->kind == AST_SPREAD ? find_list(env, f->kids[i]->kids[0]) : NULL;
            n -= list ? list->count : 1;
        }
        if (n == 0) n = arity_of_result(e, env, f->kids[0]);
        if (n <= 0) return parts_lacking(e, env, f, true);
        return f->kids[0]->kind != AST_OP ? n : 0;
    }
    default: return 0;
    }
}

/* ---- binding patterns ---- */

static const UserHint *user_hint(const Elab *e, const char *name, int index)
{
    const UserHint *h = e->hints;
    while (h && (h->name != name || h->index != index)) h = h->next;
    return h;
}

/* Parts of a tuple pattern after its spreads are replaced by the lengths they stand for. */
typedef struct PatPart { const AstPat *pat; int index; } PatPart;      /* index within a spread */

/* Number of parts of pattern p against a tuple of `count` components, 1 of all of it; -1: does not fit. parts holds
 * ARG_MAX. */
static int pattern_parts(Scope s, const AstPat *p, int count, PatPart *parts)
{
    int spreads = 0, n = 0;
    for (int i = 0; i < p->kid_count; i++) spreads += p->kids[i]->spread;
    for (int i = 0; i < p->kid_count; i++) {
        const AstPat *k = p->kids[i];
        int times = 1;
        if (k->spread) {                                       /* the only one takes what the others leave */
            const Env *b = spreads > 1 ? env_find(s.env, k->name) : NULL;
            times = spreads == 1 ? count - (p->kid_count - 1) : b && b->kind == BIND_LIST ? b->count : -1;
        }
        if (times < 0 || n + times > ARG_MAX) return -1;
        for (int j = 0; j < times; j++) parts[n++] = (PatPart){k, j};
    }
    return n == count || (n == 1 && spreads) ? n : -1;
}

/* Names for a binder of that type, in preorder of the type tree; names NULL where the pattern gives
 * none. Returns the next slot. */
static int pattern_hints(Elab *e, Scope s, const AstPat *p, int index, const Type *t, const char **out)
{
    int used = hint_count(t);
    if (p->name) {
        const UserHint *h = user_hint(e, p->name, index);
        if (h && h->type == t && h->hints) memcpy(out, h->hints, sizeof *out * (size_t)used);
        else if ((*p->name != '_' || p->name[1]) && !isdigit((unsigned char)*p->name)) out[0] = h && h->hints ? h->hints[0] : p->name;
        return used;
    }
    PatPart parts[ARG_MAX];
    int n = pattern_parts(s, p, tuple_count(t), parts);
    if (n == 1) return pattern_hints(e, s, parts[0].pat, parts[0].index, t, out);
    if (n < 0 || t->kind != TY_TUPLE) return used;
    int k = 1;
    for (int i = 0; i < n; i++) {
        const AstPat *part = parts[i].pat;
        const UserHint *h = part->name ? user_hint(e, part->name, parts[i].index) : NULL;
        bool plural = p->kid_count == 1 && hint_count(t->elems[i]) == 1 && t->elems[i]->kind != TY_ARRAY;
        if (plural && !(h && h->hints)) k++;                   /* \(xs..) of scalars: none of them is xs */
        else k += pattern_hints(e, s, part, parts[i].index, t->elems[i], out + k);
    }
    return used;
}

/* Names for a binder of type t, as T_LAM keeps them; NULL where the pattern, which may be none, gives none. */
static const char *const *pattern_hints_of(Elab *e, Scope s, const AstPat *p, const Type *t)
{
    const char **out = NEW_ARRAY(e->arena, const char *, hint_count(t));
    if (p) pattern_hints(e, s, p, 0, t, out);
    return out;
}

/* Bind the names of a pattern to t and its components, without a binder. */
static bool bind_direct(Elab *e, Scope *s, const AstPat *p, const Term *t)
{
    if (!t) return false;
    if (p->annot && !annotation_match(e, s, p->annot, t->type)) return false;
    if (!p->name) {
        PatPart parts[ARG_MAX];
        int n = pattern_parts(*s, p, tuple_count(t->type), parts);
        if (n < 0)
            return FAIL(e, *s, p->span, E04, "a pattern of %d parts cannot take %s apart%s", p->kid_count, type_text(e->c, t->type),
                        t->type->kind == TY_TUPLE ? NOTE("hint") "t.0, t.1 ... are the parts of any tuple t" : "");
        for (int i = 0; i < n;) {
            const AstPat *k = parts[i].pat;
            if (!k->spread) {
                if (!bind_direct(e, s, k, n == 1 ? t : term_proj(e->c, t, i))) return false;
                i++;
                continue;
            }
            int from = i;
            const Term **list = NEW_ARRAY(e->arena, const Term *, n);
            for (; i < n && parts[i].pat == k; i++) list[i - from] = n == 1 ? t : term_proj(e->c, t, i);
            BIND(e->arena, &s->env, k->name, BIND_LIST, .terms = list, .count = i - from, .depth = s->depth);
        }
        for (int i = 0; i < p->kid_count; i++)                    /* spreads that stand for nothing */
            if (!ANY(j, n, parts[j].pat == p->kids[i])) BIND(e->arena, &s->env, p->kids[i]->name, BIND_LIST, .count = 0);
        return true;
    }
    if (*p->name != '_' || p->name[1]) BIND(e->arena, &s->env, p->name, BIND_TERM, .term = t, .depth = s->depth);
    tell_type(e, *s, p->span, t->type);
    return true;
}

/* Bind a pattern to the value t (at s->depth): atoms and layouts by themselves, what computes through a binder. */
static bool bind_value(Elab *e, Scope *s, const AstPat *p, const Term *t, Binder **binders)
{
    if (!t) return false;
    bool literal_tuple = term_is(t, PRIM_TUPLE);
    if (!p->name && !p->annot && literal_tuple && p->kid_count == t->arg_count && !ANY(i, p->kid_count, p->kids[i]->spread)) {
        int depth = s->depth;
        return ALL(i, p->kid_count, bind_value(e, s, p->kids[i], elab_shift(e, t->args[i], depth, s->depth), binders));
    }
    if (term_is_atom(t) || term_is_layout(t)) return bind_direct(e, s, p, t);
    Binder *b = MAKE(e->arena, Binder, t, pattern_hints_of(e, *s, p, t->type), *binders);
    *binders = b;
    s->depth += t->type->leaf_count;
    return bind_direct(e, s, p, term_param(e->c, t->type, 0));
}

static const Term *binders_wrap(Elab *e, Binder *b, const Term *body)
{
    for (; b && body; b = b->outer) body = term_let(e->c, b->value, term_lam(e->c, b->value->type, body, b->hints));
    return body;
}

/* A padding mode by its name, or by that of a parameter which stands for one; NULL: it is none. */
static const Nat *elab_mode_named(Elab *e, const Env *env, const Ast *a)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b) return b->kind == BIND_MODE ? b->nat : NULL;
    PadMode mode = a->kind == AST_NAME ? pad_mode_from_name(a->name) : PAD_MODES;
    return mode == PAD_MODES ? NULL : nat_const(e->c->nats, mode);
}

/* Bind one parameter of a function to its argument. *s is the callee's scope. */
static bool binders_bind_arg(Elab *e, Scope *s, const AstPat *p, const Arg *a, Binder **binders)
{
    const Env *there = a->scope.env;
    if (p->annot && p->annot->kind == ASTTYPE_SIZE && a->ast) {
        const Nat *n = elab_size(e, at_depth(a->scope, s->depth), a->ast);
        BIND(e->arena, &s->env, p->name, BIND_SIZE, .nat = n);
        return n != NULL;
    }
    if (a->ast && p->name) {
        bool untyped = !p->annot;
        const Nat *mode = untyped ? elab_mode_named(e, there, a->ast) : NULL;
        if (mode && (env_find(there, a->ast->name) || !defs_find(e->c, e->defs, a->ast->name)))
            return BIND(e->arena, &s->env, p->name, BIND_MODE, .nat = mode), true;
        const Env *named = a->ast->kind == AST_NAME ? env_find(there, a->ast->name) : NULL;
        if (untyped && named && named->kind == BIND_LITERAL) {
            BIND(e->arena, &s->env, p->name, BIND_LITERAL, .ast = named->ast, .env = named->env, .source = named->source);
            return true;
        }
        bool function = elab_arity(e, there, a->ast) > 0;
        if (function || (untyped && ast_is_literal(a->ast))) {
            BIND(e->arena, &s->env, p->name, function ? BIND_CLOSURE : BIND_LITERAL, .ast = a->ast, .env = there, .source = a->scope.source);
            return true;
        }
    }
    bool apart = !p->name && a->ast && a->ast->kind == AST_TUPLE && !a->ast->labels && p->kid_count == a->ast->kid_count;
    if (apart && ANY(i, p->kid_count, ast_is_literal(a->ast->kids[i])))          /* literals stay open */
        return ALL(i, p->kid_count, binders_bind_arg(e, s, p->kids[i], &(Arg){.ast = a->ast->kids[i], .scope = a->scope}, binders));
    if (!bind_value(e, s, p, arg_term(e, a, s->depth, annotation_known(e, *s, p->annot, a->ast)), binders)) return false;
    const Env *named = a->ast && a->ast->kind == AST_NAME ? env_find(there, a->ast->name) : NULL;
    bool again = named && named->kind == BIND_TERM && named->ast;
    if (a->ast && p->name && s->env && s->env->name == p->name && (again || is_flexible(there, a->ast))) {       /* N / 2 may be a size, too */
        Env *sized = arena_copy(e->arena, s->env, sizeof *sized);
        sized->ast = again ? named->ast : a->ast;
        sized->env = again ? named->env : there;
        sized->source = again ? named->source : a->scope.source;
        s->env = sized;
    }
    return true;
}

Arg *args_of(Arena *arena, Scope s, Ast *const *kids, int n, const Arg *more, int more_count)
{
    Arg *out = NEW_ARRAY(arena, Arg, n + more_count);
    for (int i = 0; i < n; i++) out[i] = (Arg){.ast = kids[i], .scope = s};
    if (more_count) memcpy(out + n, more, sizeof *out * (size_t)more_count);
    return out;
}

/* Every list named in a is bound to its i-th element. */
static const Env *select_element(Elab *e, const Env *env, const Ast *a, int i)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b && b->kind == BIND_LIST && i < b->count) return BIND(e->arena, &env, a->name, BIND_TERM, .term = b->terms[i], .depth = b->depth);
    for (int k = 0; k < a->kid_count; k++) env = select_element(e, env, a->kids[k], i);
    return env;
}

/* Arguments with spreads replaced by what they stand for; the count, or -1 after an error. out holds ARG_MAX. */
static int args_expand(Elab *e, const Arg *args, int n, Arg *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        const Ast *a = args[i].ast;
        bool spread = a && a->kind == AST_SPREAD;
        const Env *list = spread ? find_list(args[i].scope.env, a->kids[0]) : NULL;
        if (spread && !list)
            return FAIL(e, args[i].scope, a->span, E04, "nothing here stands for a list"), -1;
        int times = spread ? list->count : 1;
        for (int j = 0; j < times; j++, k++) {
            if (k == ARG_MAX)
                return FAIL(e, args[i].scope, a ? a->span : ((Span){0, 0}), E08, "more than %d arguments", ARG_MAX), -1;
            out[k] = args[i];
            if (!spread) continue;
            out[k].ast = a->kids[0];
            out[k].scope.env = select_element(e, args[i].scope.env, a->kids[0], j);
        }
    }
    return k;
}

/* ---- primitives ---- */

static bool elab_perm(Elab *e, Scope s, const Ast *a, const Nat **statics, const Term **fwd, const Term **inv)
{
    const Ast *head = a->kind == AST_APP ? a->kids[0] : a;
    const Env *b = head->kind == AST_NAME ? env_find(s.env, head->name) : NULL;
    PermKind kind = PERM_KINDS;
    const Nat *k = nat_const(e->c->nats, 0);
    if (b && b->kind == BIND_PERM) {
        kind = b->perm;
        k = b->nat;
        if (b->fwd)
            *fwd = elab_shift(e, b->fwd, b->depth, s.depth), *inv = elab_shift(e, b->inv, b->depth, s.depth);
    } else if (head->kind == AST_NAME) {
        kind = perm_kind_from_name(head->name);
        int need = kind == PERM_REVERSE ? 1 : kind == PERM_FUN ? 3 : 2;
        if (kind != PERM_KINDS && (a->kind == AST_APP ? a->kid_count : 1) != need) kind = PERM_KINDS;
        if (kind == PERM_ROTATE || kind == PERM_STRIDE) k = elab_size(e, s, a->kids[1]);
        if (kind == PERM_FUN) {
            const Type *i32 = type_scalar(e->c, SC_I32);
            *fwd = elab_function(e, s, a->kids[1], i32, i32);
            *inv = *fwd ? elab_function(e, s, a->kids[2], i32, i32) : NULL;
            if (!*inv) return false;
        }
    }
    if (kind == PERM_KINDS) return FAIL(e, s, a->span, E04, "a permutation is reverse, (rotate k), (stride s) or (perm f g)");
    statics[0] = nat_const(e->c->nats, kind);
    statics[1] = k;
    return k != NULL;
}

/* The arguments of a primitive while it is elaborated. */
typedef struct PrimCall {
    PrimId id;
    const Nat *statics[STATIC_MAX];
    int static_count;
    const Arg *args;
    int n;
    const Term *terms[ARG_MAX];
    const Type *want;
    Span call;
} PrimCall;

/* Arguments that must have one type: the first that is not flexible gives it to the others. */
static bool elab_uniform(Elab *e, Scope s, PrimCall *p, const bool *member, const Type *want)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n; i++) {
            const Arg *a = &p->args[i];
            bool flexible = a->ast && is_flexible(a->scope.env, a->ast);
            if (!member[i] || p->terms[i] || flexible != (pass == 1)) continue;
            p->terms[i] = arg_term(e, a, s.depth, want);
            if (!p->terms[i]) return false;
            if (!want || want->kind != TY_SCALAR || pass == 0) want = p->terms[i]->type;
        }
    }
    return true;
}

static const Type *wanted_element(const PrimCall *p) { return p->want && p->want->kind == TY_ARRAY ? p->want->elems[0] : NULL; }

/* Data arguments: arrays and fixed scalars first, then bare type variables at the types found so far. */
/* Is it made of sizes and integers alone? */
static bool is_count(const Env *env, const Ast *a)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (a->kind == AST_NAME) return b && b->kind == BIND_SIZE;
    bool number = a->kind == AST_INT && a->suffix == SUFFIX_NONE, made = a->kind == AST_UNARY || a->kind == AST_BINARY;
    return number || (made && strchr("+-*/%", *a->name) && ALL(i, a->kid_count, is_count(env, a->kids[i])));
}

/* What a cast decides of what it takes, where that has no type of its own: an integer is what the cast makes, sizes and what floats are made of
 * are i32. NULL: nothing. */
static const Type *decided_by_cast(Elab *e, const Arg *a, PrimId id)
{
    if (!a->ast || !prim_is_cast(id) || !is_count(a->scope.env, a->ast)) return NULL;
    const Scalar to = prim_cast_to(id);
    return type_scalar(e->c, scalar_is_int(to) && ast_is_literal(a->ast) ? to : SC_I32);
}

static bool call_data(Elab *e, Scope s, PrimCall *p, const Scheme *sc)
{
    bool member[ARG_MAX] = {false};
    const Type *vector = NULL;                                 /* vdot: the second vector is like the first */
    for (int i = 0; i < sc->arg_count; i++) {
        const SchemeType *t = sc->args[i];
        if (t->kind == SCH_FUN) continue;
        if (t->kind == SCH_VAR) {
            member[i] = true;
            continue;
        }
        const Type *want = t->kind == SCH_SCALAR ? type_scalar(e->c, t->scalar) : t->kind == SCH_VECTOR ? vector : NULL;
        p->terms[i] = arg_term(e, &p->args[i], s.depth, want);
        if (!p->terms[i]) return false;
        if (t->kind == SCH_VECTOR) vector = p->terms[i]->type;
    }
    const Type *want = NULL;
    if (sc->result->kind == SCH_VAR) want = p->want;
    if (p->id == PRIM_REDUCE || p->id == PRIM_REDUCE_PART || p->id == PRIM_SCAN || p->id == PRIM_PAD_CONST) {
        const Term *x = p->terms[sc->arg_count - 1];
        if (x->type->kind == TY_ARRAY) want = x->type->elems[0];
    } else if (prim_is_scan_seq(p->id)) {
        want = wanted_element(p);
    } else if (prim_is_cast(p->id)) {
        want = decided_by_cast(e, &p->args[0], p->id);
    }
    return elab_uniform(e, s, p, member, want);
}

static bool call_functions(Elab *e, Scope s, PrimCall *p, const Scheme *sc)
{
    PrimFamily family = prim(p->id)->family;
    for (int i = 0; i < sc->arg_count; i++) {
        if (sc->args[i]->kind != SCH_FUN) continue;
        const Type *param = prim_param_type(e->c, p->id, p->statics, p->terms, sc->arg_count, i);
        const Arg *a = &p->args[i];
        if (!param) return elab_at(e, s, p->call, NULL);
        if (a->term || !a->ast)
            return FAIL(e, s, p->call, E04, "%s needs a function as its %s argument", prim(p->id)->name, i == 0 ? "first" : "next");
        Scope as = at_depth(a->scope, s.depth);
        if (elab_arity(e, as.env, a->ast) == 0 && a->ast->kind != AST_LET && !parts_lacking(e, as.env, a->ast, false)) {
            const Env *b = a->ast->kind == AST_NAME ? env_find(as.env, a->ast->name) : NULL;
            const Ast *head = a->ast->kind == AST_APP && a->ast->kids[0]->kind == AST_NAME ? a->ast->kids[0] : NULL;
            if (head && !env_find(as.env, head->name) && !defs_find(e->c, e->defs, head->name) && !built_in(head->name) && ast_prim(head) == PRIM_COUNT)
                return unknown_name(e, as, head) != NULL;
            if (a->ast->kind != AST_NAME || b || defs_find(e->c, e->defs, a->ast->name))
                return FAIL(e, as, a->ast->span, E04, "%s needs a function here%s", prim(p->id)->name,
                            a->ast->kind == AST_UNARY && *a->ast->name == '-'
                                ? NOTE("hint") "(-1) is a number; (subtract 1) or (\\x -> x - 1) takes one away"
                                : a->ast->kind == AST_BINARY ? NOTE("hint") "a function of one argument is \\x -> ..., or (+ 1)" : "");
        }
        const Type *want = sc->args[i]->kids[1]->kind == SCH_VAR ? wanted_element(p) : NULL;
        if (prim_is_by_index(p->id)) want = p->terms[1]->type->elems[0];
        else if (family == FAM_REDUCE || family == FAM_SCAN) want = p->terms[1]->type;
        p->terms[i] = elab_function(e, as, a->ast, param, want);
        if (!p->terms[i]) return false;
    }
    return true;
}

/* What a primitive of vectors is on scalars (Elab.lone), with its functions to come; NULL: it is itself. */
static const Term *on_scalars(Elab *e, Scope s, const PrimCall *p)
{
    const Term *x = p->terms[p->id == PRIM_MAP_VEC];
    if (p->id == PRIM_AS_VECTOR) return p->statics[0]->is_const && p->statics[0]->value == 1 ? x : NULL;
    if (p->id == PRIM_AS_SCALAR) return x->type->kind == TY_ARRAY && x->type->elems[0]->kind != TY_VECTOR ? x : NULL;
    if (p->id != PRIM_MAP_VEC || x->type->kind == TY_VECTOR) return NULL;
    const Term *f = elab_function(e, at_depth(p->args[0].scope, s.depth), p->args[0].ast, x->type, NULL);
    return f ? term_beta(e->c, f, x) : NULL;
}

/* The scalar operation with arrays in it as a map, which is what its user means; NULL: there is no saying that in a line. */
static const char *lifted_text(Elab *e, const PrimCall *p)
{
    Arena *texts = e->c->diag.arena;
    const char *name = prim(p->id)->name, *arg[2] = {NULL, NULL};
    const bool word = isalpha((unsigned char)*name);
    int rank[2] = {0, 0};
    if (p->n > 2 || p->id == PRIM_NEG || p->id == PRIM_NOT) return NULL;
    for (int i = 0; i < p->n; i++) {
        arg[i] = arg_text(e, &p->args[i]);
        rank[i] = type_rank(p->terms[i]->type);
        if (!arg[i]) return NULL;
    }
    const char *map = ranked(texts, "map", rank[0] > rank[1] ? rank[0] : rank[1]);
    if (p->n == 1) return arena_printf(texts, "%s %s %s", map, name, arg[0]);
    const Type *left = p->terms[0]->type, *right = p->terms[1]->type;
    if (p->id == PRIM_MUL && rank[0] == 2 && rank[1] == 2 && left != right && left->elems[0]->size == right->size)
        return arena_printf(texts, "matmul %s %s", arg[0], arg[1]);
    if (rank[0] && rank[0] == rank[1]) {
        bool alike = true;
        for (; alike && left->kind == TY_ARRAY; left = left->elems[0], right = right->elems[0]) alike = left->size == right->size;
        const char *text = arena_printf(texts, word ? "%s %s %s %s" : "%s (%s) %s %s", rank[0] == 1 ? "zipWith" : map, name, arg[0], arg[1]);
        return alike ? text : arena_printf(texts, "%s, of arrays of one size", text);
    }
    if (rank[0] && rank[1]) {                                  /* a row or a column of what the other has more of */
        const int wide = rank[1] > rank[0], thin = !wide;
        const bool swaps = p->id == PRIM_ADD || p->id == PRIM_MUL || wide;
        int axis = rank[wide] - 1;
        const Type *t = p->terms[wide]->type;
        for (int i = 0; i < rank[wide]; i++, t = t->elems[0])
            if (t->size == p->terms[thin]->type->size) axis = i;
        if (rank[thin] > 1) return NULL;
        const char *f = word ? name : arena_printf(texts, "(%s)", name);
        if (!swaps) f = word ? arena_printf(texts, "(\\y x -> %s x y)", name) : arena_printf(texts, "(\\y x -> x %s y)", name);
        return arena_printf(texts, "zipAxis %d %s %s %s", axis, f, arg[thin], arg[wide]);
    }
    if (rank[1]) return arena_printf(texts, "%s (%s %s) %s", map, word ? name : arg[0], word ? arg[0] : name, arg[1]);
    if (p->id == PRIM_SUB) name = "subtract";
    return word ? arena_printf(texts, "%s (\\x -> %s x %s) %s", map, name, arg[1], arg[0]) : arena_printf(texts, "%s (%s %s) %s", map, name, arg[1], arg[0]);
}

static const Term *finish_call(Elab *e, Scope s, PrimCall *p)
{
    const char *lifted = prim(p->id)->family == FAM_SCALAR && !diag_failed(&e->c->diag) && p->id != PRIM_IF && p->id != PRIM_SELECT
                         && ANY(i, p->n, p->terms[i] && p->terms[i]->type->kind == TY_ARRAY) ? lifted_text(e, p) : NULL;
    if (lifted)
        return FAIL(e, s, p->call, E04, "%s is of numbers, and does not lift to arrays" NOTE("found") "%s%s%s" NOTE("hint") "%s", prim(p->id)->name,
                    type_text(e->c, p->terms[0]->type), p->n == 2 ? " and " : "", p->n == 2 ? type_text(e->c, p->terms[1]->type) : "", lifted);
    const Type *of = p->id == PRIM_TAKE && !strcmp(s.source->name, "prelude") && p->terms[0] ? p->terms[0]->type : NULL;
    if (of && of->kind == TY_ARRAY && of->size == p->statics[0]) return p->terms[0];      /* windows without a rest: take has all of it */
    return elab_at(e, s, p->call, term_prim(e->c, p->id, p->statics, p->static_count, p->terms, p->n));
}

static const Term *call_by_scheme(Elab *e, Scope s, PrimCall p)
{
    const Scheme *sc = prim_scheme(e->c, p.id);
    if (!call_data(e, s, &p, sc)) return NULL;
    if (prim_is_cast(p.id)) type_suggest(e->c, p.terms[0]->type, prim_cast_to(p.id));
    const Term *alone = e->lone ? on_scalars(e, s, &p) : NULL;
    if (alone) return alone;
    return call_functions(e, s, &p, sc) ? finish_call(e, s, &p) : NULL;
}

/* With its function as the first argument, of the type that the others demand. */
static const Term *call_with_function(Elab *e, Scope s, PrimCall *p, const Type *want)
{
    const Type *param = p->args[0].ast ? prim_param_type(e->c, p->id, p->statics, p->terms, p->n, 0) : NULL;
    if (!param) return elab_at(e, s, p->call, NULL);
    p->terms[0] = elab_function(e, at_depth(p->args[0].scope, s.depth), p->args[0].ast, param, want);
    return p->terms[0] ? finish_call(e, s, p) : NULL;
}

/* Of a state of any type, which f keeps: a left fold over the numbers of its steps. */
static const Term *iterate_state(Elab *e, Scope s, PrimCall p)
{
    Ctx *c = e->c;
    const Type *state = p.terms[1]->type, *i32 = type_scalar(c, SC_I32), *given[2] = {state, i32};
    const Term *f = elab_function(e, at_depth(p.args[0].scope, s.depth), p.args[0].ast, state, state);
    if (!f) return NULL;
    if (!type_same(c, f->type->elems[1], state))
        return FAIL(e, s, p.call, E04, "iterate: f must give what it takes, %s, and gives %s", type_text(c, state), type_text(c, f->type->elems[1]));
    int n = hint_count(state);
    const char **hints = NEW_ARRAY(e->arena, const char *, n + 2);      /* of (state, number) */
    if (f->u.hints) memcpy(hints + 1, f->u.hints, sizeof *hints * (size_t)n);
    hints[0] = intern(c->names, "%loop");
    const Term *same = term_lam(c, i32, term_var(c, 0, i32), NULL);
    const Term *args[3] = {term_lam(c, type_tuple(c, given, 2), term_shift(c, f->args[0], 1, 0), hints), p.terms[1],
                           term_prim(c, PRIM_GENERATE, p.statics, 1, &same, 1)};
    return elab_at(e, s, p.call, term_prim(c, PRIM_REDUCE_SEQ, NULL, 0, args, 3));
}

/* Where f takes arrays of any length it may make them shorter; else, as for states that are no arrays, it keeps the type. */
static const Term *call_iterate(Elab *e, Scope s, PrimCall p)
{
    Diag *diag = &e->c->diag;
    p.terms[0] = NULL;
    p.terms[1] = arg_term(e, &p.args[1], s.depth, NULL);
    if (!p.terms[1]) return NULL;
    if (!p.args[0].ast) return elab_at(e, s, p.call, NULL);
    if (p.terms[1]->type->kind != TY_ARRAY || diag_failed(diag)) return iterate_state(e, s, p);
    const Term *t = call_with_function(e, s, &p, NULL);
    if (t || e->fuel <= 0) return t;
    Diag first = diag_aside(diag);
    t = iterate_state(e, s, p);
    if (!t && p.terms[0] && diag_failed(&first)) diag_back(diag, first);
    else diag_free(&first);
    return t;
}

static const Term *call_slice(Elab *e, Scope s, PrimCall p)
{
    const Type *i32 = type_scalar(e->c, SC_I32);
    for (int i = 1; i < 4; i++) {
        p.terms[i] = arg_term(e, &p.args[i], s.depth, i < 3 ? i32 : NULL);
        if (!p.terms[i]) return NULL;
    }
    return call_with_function(e, s, &p, p.want);
}

/* The components of the one argument, a tuple of so many (0: of any number), as the arguments. False + E04: it is none; or an error. */
static bool take_apart(Elab *e, Scope s, PrimCall *p, int need, const char *name, const char *what)
{
    const Arg *a = &p->args[0];
    if (a->ast && a->ast->kind == AST_TUPLE && !a->ast->labels && (!need || a->ast->kid_count == need)) {
        p->args = args_of(e->arena, a->scope, a->ast->kids, a->ast->kid_count, NULL, 0);
        p->n = a->ast->kid_count;
        return true;
    }
    const Term *t = arg_term(e, a, s.depth, NULL);
    if (!t) return false;
    Arg *all = NEW_ARRAY(e->arena, Arg, ARG_MAX);
    p->args = all;
    if (p->id == PRIM_SUB && t->type->kind == TY_SCALAR) {      /* map (-) xs */
        *all = (Arg){.term = t, .scope = s};
        p->id = PRIM_NEG;
        return true;
    }
    if (t->type->kind != TY_TUPLE || (need && t->type->count != need) || t->type->count > ARG_MAX)
        return FAIL(e, s, p->call, E04, "%s takes %d %s, or one tuple of %d; found %s", name, need ? need : 2, what, need ? need : 2,
                    type_text(e->c, t->type));
    p->n = t->type->count;
    for (int i = 0; i < p->n; i++) all[i] = (Arg){.term = term_proj(e->c, t, i), .scope = s};
    return true;
}

/* The arrays behind the function of a map, several or a tuple of them, are one of tuples. */
static bool take_together(Elab *e, Scope s, PrimCall *p)
{
    PrimCall zip = {.id = PRIM_ZIP, .args = p->args + 1, .n = p->n - 1, .call = p->call};
    for (int i = 0; i < zip.n; i++) zip.terms[i] = arg_term(e, &zip.args[i], s.depth, NULL);
    for (int i = 0; i < zip.n; i++)
        if (!zip.terms[i]) return false;
    const Ast *f = p->args[0].ast;
    const char *own = f && f->kind == AST_NAME && elab_arity(e, p->args[0].scope.env, f) > 1 ? f->name : NULL;
    for (int i = 0; zip.n > 1 && i < zip.n; i++)
        if (zip.terms[i]->type->kind != TY_ARRAY)
            return FAIL(e, s, p->call, E04, "%s: argument %d must be an array, found %s" NOTE("needs") "an array, or several" NOTE("hint")
                        "%s", prim(p->id)->name, i + 2, type_text(e->c, zip.terms[i]->type),
                        own ? arena_printf(e->c->diag.arena, "what %s takes itself stands with it: map (%s ...) x", own, own)
                            : "one value for all: a function of it, as in map (+ 1) xs; the f of loop takes a state and a number, \\s i -> ...");
    const Term *in = zip.terms[0];
    if (zip.n == 1 && in->type->kind == TY_TUPLE && !ALL(i, in->type->count, in->type->elems[i]->kind == TY_ARRAY))
        return FAIL(e, s, p->call, E04, "%s: \"in\" must be an array, found %s" NOTE("needs") "an array, or several" NOTE("hint")
                    "arrays of rank one go together by zipWith f xs ys", prim(p->id)->name, type_text(e->c, in->type));
    if (zip.n == 1 && in->type->kind == TY_TUPLE)
        for (zip.n = 0; zip.n < in->type->count; zip.n++) zip.terms[zip.n] = term_proj(e->c, in, zip.n);
    Arg *args = args_of(e->arena, s, NULL, 0, p->args, 2);
    args[1] = (Arg){.term = finish_call(e, s, &zip), .scope = s};
    p->args = args;
    p->n = 2;
    return args[1].term != NULL;
}

static const Term *call_zip(Elab *e, Scope s, PrimCall p, const char *name)
{
    int need = zip_count(name);
    if (p.n == 1 && !(p.args[0].ast && p.args[0].ast->kind == AST_SPREAD) && !take_apart(e, s, &p, need, name, "arrays")) return NULL;
    if (need ? p.n != need : p.n < 2 && !ANY(i, p.n, p.args[i].ast && p.args[i].ast->kind == AST_SPREAD))
        return FAIL(e, s, p.call, E04, "%s takes %d arrays, it is given %d", name, need ? need : 2, p.n);
    Arg all[ARG_MAX];
    p.n = args_expand(e, p.args, p.n, all);
    for (int i = 0; i < p.n; i++) {
        const Type *w = p.want && p.want->kind == TY_ARRAY && tuple_count(p.want->elems[0]) == p.n && p.n > 1
                            ? type_array(e->c, p.want->size, p.want->elems[0]->elems[i]) : NULL;
        p.terms[i] = arg_term(e, &all[i], s.depth, w);
        if (!p.terms[i]) return NULL;
    }
    return p.n < 1 ? NULL : finish_call(e, s, &p);
}

static const Term *call_vec(Elab *e, Scope s, PrimCall p)
{
    if (p.n == 1 && p.args[0].ast && p.args[0].ast->kind == AST_TUPLE) {
        const Ast *t = p.args[0].ast;
        p.args = args_of(e->arena, p.args[0].scope, t->kids, t->kid_count, NULL, 0);
        p.n = t->kid_count;
    }
    bool member[ARG_MAX];
    memset(member, true, sizeof member);
    if (p.n > 16) return FAIL(e, s, p.call, E04, "a vector width is 2, 3, 4, 8 or 16, not %d", p.n);
    const Type *w = p.want && p.want->kind == TY_VECTOR && !p.want->literal ? type_scalar(e->c, p.want->scalar) : NULL;
    return elab_uniform(e, s, &p, member, w) ? finish_call(e, s, &p) : NULL;
}

/* A call of a primitive; name: as it was written, for zip3 and its like, and for messages. PRIM_COUNT is an error. */
static const Term *elab_prim(Elab *e, Scope s, PrimId id, const char *name, const Arg *args, int n, const Type *want,
                      Span call)
{
    PrimCall p = {.id = id, .args = args, .n = n, .want = want, .call = call};
    const Term *fwd = NULL, *inv = NULL;
    e->called = name;
    if (id == PRIM_COUNT) return FAIL(e, s, call, E04, "\"%s\" cannot be used as a function", name);
    int count = prim_static_count(e->c, p.id);
    for (int i = 0; i < count; i++) {
        const Arg *a = &p.args[i];
        Scope as = at_depth(a->scope, s.depth);
        if (i >= p.n || !a->ast)
            return FAIL(e, s, p.call, E04, "%s needs its static argument %s first" NOTE("for") "%s : %s", prim(p.id)->name,
                        prim_static_name(e->c, p.id, i), prim(p.id)->name, prim(p.id)->scheme);
        StaticKind kind = prim_static_kind(e->c, p.id, i);
        if (kind == STATIC_PERM) {
            if (!elab_perm(e, as, a->ast, p.statics, &fwd, &inv)) return NULL;
            p.static_count = 2;
            continue;
        }
        const Nat *found = kind == STATIC_MODE ? elab_mode_named(e, as.env, a->ast) : elab_size(e, as, a->ast);
        if (!found && kind == STATIC_MODE)
            return FAIL(e, as, a->ast->span, E04, "a padding mode is clamp, mirror or wrap" NOTE("hint") "a value of your own around the "
                        "array: padConst 1 1 0 xs");
        if (!found) {
            elab_at(e, as, a->ast->span, NULL);
            if (*prim(id)->scheme && n < count + prim_arg_count(e->c, id)) diag_note(&e->c->diag, "for", "%s : %s", prim(id)->name, prim(id)->scheme);
            return NULL;
        }
        p.statics[p.static_count++] = found;
    }
    p.args += count;
    p.n -= count;
    if (id == PRIM_ZIP) return call_zip(e, s, p, name);
    if (id == PRIM_VEC) return call_vec(e, s, p);
    int need = prim_arg_count(e->c, id);
    if (p.n == 1 && need > 1 && prim(id)->family == FAM_SCALAR && !take_apart(e, s, &p, need, prim(id)->name, "arguments")) return NULL;
    if (prim(id)->family == FAM_MAP && p.n >= 2 && !take_together(e, s, &p)) return NULL;
    need = prim_arg_count(e->c, id = p.id);
    if (p.n != need) {
        Arena *texts = e->c->diag.arena;
        const char *name_of = prim(p.id)->name, *scheme = prim(p.id)->scheme;
        bool tupled = p.n == 1 && p.args[0].ast && p.args[0].ast->kind == AST_TUPLE;
        return FAIL(e, s, p.call, E04, "%s takes %d argument%s, it is given %d%s%s", name_of, need, need == 1 ? "" : "s", p.n,
                    *scheme ? arena_printf(texts, NOTE("needs") "%s : %s", name_of, scheme) : "",
                    tupled ? arena_printf(texts, NOTE("hint") "arguments are written one after another: %s a b, not %s(a, b)", name_of, name_of)
                    : id == PRIM_CONCAT && p.n > 2 ? NOTE("hint") "concat a (concat b c)"
                    : p.n == 2 && (id == PRIM_SCAN || prim_is_reduce(id)) && need == 3
                        ? arena_printf(texts, NOTE("hint") "between the function and the array stands what it starts from: %s f z xs", name_of) : "");
    }
    if (id == PRIM_ITERATE) return call_iterate(e, s, p);
    if (id == PRIM_SLICE) return call_slice(e, s, p);
    if (*prim(id)->scheme) return call_by_scheme(e, s, p);
    const Term *in = arg_term(e, &p.args[0], s.depth, NULL);       /* unzip, reorder */
    if (!in) return NULL;
    p.n = fwd ? 3 : 1;
    p.terms[0] = fwd;
    p.terms[1] = inv;
    p.terms[p.n - 1] = in;
    return finish_call(e, s, &p);
}

/* ---- application ---- */

/* What a definition begins with: its name and parameters, as they are written. */
static const char *call_form(Elab *e, const AstDecl *d)
{
    Arena *texts = e->c->diag.arena;
    const char *form = arena_strdup(texts, d->name);
    for (int i = 0; i < d->param_count; i++)
        form = arena_printf(texts, "%s %s", form, d->params[i]->name ? d->params[i]->name : "(..)");
    return form;
}

/* The arguments with the last one, a tuple, taken apart to be as many as are needed. NULL, with an error: it is none of so many. */
static const Arg *args_with_last_apart(Elab *e, const Arg *args, int n, int need, Arg *out, Scope s, Span call, const AstDecl *of)
{
    const Arg *last = &args[n - 1];
    const Term *t = last->ast && elab_arity(e, last->scope.env, last->ast) > 0 ? NULL : arg_term(e, last, s.depth, NULL);
    if (!t || t->type->kind != TY_TUPLE || t->type->count != need - n + 1)
        return FAIL(e, s, call, E04, "%s takes %d arguments one by one, or the last as one tuple; it is given %d%s", of ? of->name
                    : "this function", need, n, of ? arena_printf(e->c->diag.arena, NOTE("needs") "%s", call_form(e, of)) : "");
    memcpy(out, args, sizeof *out * (size_t)(n - 1));
    for (int i = n - 1; i < need; i++) out[i] = (Arg){.term = term_proj(e->c, t, i - n + 1), .scope = s};
    return out;
}

/* Apply syntax with parameters (a lambda, or a definition `of`): bind as many as there are arguments, then the rest goes
 * to the body. */
static const Term *apply_params(Elab *e, Scope *callee, AstPat *const *pats, int pat_count, const Ast *body,
                                const AstDecl *of, const Arg *args, int n, const Type *want, Scope caller,
                                Span call)
{
    const AstType *result = of ? of->result : NULL;

    if (pat_count == 1 && n > 1 && n == pats[0]->kid_count && elab_arity(e, callee->env, body) == 0)      /* the parts of a tuple one by one */
        pat_count = n, pats = pats[0]->kids;
    Arg *all = NEW_ARRAY(e->arena, Arg, pat_count + n);
    if (n < pat_count) {
        args = args_with_last_apart(e, args, n, pat_count, all, caller, call, of);
        if (!args) return NULL;
        n = pat_count;
    }
    Binder *binders = NULL;
    for (int i = 0; i < pat_count; i++)
        if (!binders_bind_arg(e, callee, pats[i], &args[i], &binders))
            return elab_at(e, caller, args[i].ast ? args[i].ast->span : call, NULL);
    const Type *known = annotation_known(e, *callee, result, NULL);
    const Term *t;
    if (n > pat_count) {
        Arg *rest = args_of(e->arena, *callee, NULL, 0, args + pat_count, n - pat_count);
        for (int i = 0; i < n - pat_count; i++)
            if (rest[i].term) {
                rest[i].term = elab_shift(e, rest[i].term, rest[i].scope.depth, callee->depth);
                rest[i].scope.depth = callee->depth;
            }
        t = elab_apply(e, *callee, body, rest, n - pat_count, want, callee->source == caller.source ? call : body->span);
    } else {
        t = elab_expr(e, *callee, body, known ? known : want);
    }
    if (t && result && !annotation_match(e, callee, result, t->type)) return NULL;
    return binders_wrap(e, binders, t);
}

static const Term *apply_metavariable(Elab *e, Scope s, const Env *b, const Arg *args, int n, Span call)
{
    const Term *parts[ARG_MAX];
    Arg all[ARG_MAX];
    int k = args_expand(e, args, n, all);
    if (k < 0) return NULL;
    const Type *from = b->term->type->elems[0];
    for (int i = 0; i < k; i++) {
        const Type *want = k != b->arity ? NULL : k == 1 ? from : from->elems[i];
        parts[i] = arg_term(e, &all[i], s.depth, want && want->kind == TY_SCALAR ? want : NULL);
        if (!parts[i]) return NULL;
    }
    if (k != b->arity && !(b->arity == 1 && k >= 1))
        return FAIL(e, s, call, E04, "%s takes %d arguments, it is given %d", b->name, b->arity, k);
    const Term *arg = k ? term_tuple(e->c, parts, k) : NULL, *f = elab_shift(e, b->term, b->depth, s.depth);
    bool inlined = ANY(i, n, args[i].ast && args[i].ast->inlined);
    /* One that iterate or slice applies is of arrays of any length, which has a name of its own: here it is the argument's. */
    const NatAtom *any = arg && arg->type->kind == TY_ARRAY && arg->type != from ? type_any_length(from) : NULL;
    if (any) f = term_subst_nats(e->c, f, &(NatBinding){any, arg->type->size}, 1);
    return elab_at(e, s, call, inlined ? term_inline(e->c, f, arg) : term_beta(e->c, f, arg));
}

static const Term *unknown_name(Elab *e, Scope s, const Ast *f)
{
    Diag *d = &e->c->diag;
    if (!diag_error_at(d, E02, s.source, f->span, "no definition, primitive or variable called \"%s\"", f->name))
        return NULL;
    const char *line = s.source->text + f->span.from;
    while (line > s.source->text && line[-1] != '\n' && strncmp(line, "--", 2)) line--;
    if (!strncmp(line, "--", 2)) return diag_note(d, "hint", "a comment begins with #"), NULL;
    const char *here = foreign_name(f->name);
    if (here) return diag_note(d, "hint", "%s", here), NULL;
    NearName near = {.typed = f->name};
    defs_suggest(e->c, e->defs, &near);
    for (const Env *b = s.env; b && !near.name; b = b->next)
        if (b->name) near_try(&near, b->name);
    if (near.name) diag_note(d, "hint", "did you mean %s?", near.name);
    else if (isupper((unsigned char)*f->name)) diag_note(d, "hint", "a size that no input has is a parameter: (%s: size)", f->name);
    return NULL;
}

/* ---- numbers whose type is open ---- */

typedef struct Decided { uint64_t key; Scalar scalar; } Decided;

static bool same_key(const void *key, const void *item) { return *(const uint64_t *)key == ((const Decided *)item)->key; }

/* The type of a number that neither its text nor what is wanted decides. */
static const Type *open_type(Elab *e, Scope s, Span span, TypeClass fits)
{
    Ctx *c = e->c;
    const Decided *d = ptr_table_find(&e->decided, e->path, same_key, &e->path);
    if (d) return type_scalar(c, d->scalar);
    if (!c->literals) return type_scalar(c, fits == CLASS_FLOAT ? SC_F32 : SC_I32);
    return type_of_literal(c, (Literal){.fits = fits, .source = s.source, .span = span, .key = e->path});
}

/* One more of a list of names, in front or behind, unless it is there. */
static void add_name(Elab *e, const char **all, const char *name, bool front)
{
    if (!*all) *all = arena_strdup(e->arena, name);
    else if (!strstr(arena_printf(e->arena, ", %s, ", *all), arena_printf(e->arena, ", %s, ", name)))
        *all = arena_printf(e->arena, "%s, %s", front ? name : *all, front ? *all : name);
}

/* What this round found: the types that use decided, or the defaults of those that nothing decides. False: nothing new. */
static bool decide_literals(Elab *e, bool by_use)
{
    bool found = false;
    for (int i = 0; i < e->c->literals->n; i++) {
        const Literal *l = literal_root(e->c, i), *own = &e->c->literals->v[i];
        if (by_use && !l->decided) continue;
        if (ptr_table_find(&e->decided, own->key, same_key, &own->key)) continue;
        ptr_table_add(&e->decided, own->key, MAKE(e->arena, Decided, own->key, l->scalar));
        found = true;
        if (by_use || l->cast || !strcmp(own->source->name, "prelude")) continue;
        add_name(e, &e->undecided, arena_printf(e->arena, "%.*s is %s", (int)(own->span.to - own->span.from),
                                                own->source->text + own->span.from, scalar_name(l->scalar)), false);
    }
    return found;
}

/* Does what a calls take a size first? */
static bool takes_size(const Elab *e, const Ast *a)
{
    const PrimId id = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? ast_prim(a->kids[0]) : PRIM_COUNT;
    if (id != PRIM_COUNT) return prim_static_count(e->c, id) > 0 && prim_static_kind(e->c, id, 0) == STATIC_SIZE;
    const Def *d = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? defs_find(e->c, e->defs, a->kids[0]->name) : NULL;
    const AstType *first = d && d->decl->param_count > 0 ? d->decl->params[0]->annot : NULL;
    return first && first->kind == ASTTYPE_SIZE;
}

static bool stands_for_size(const Elab *e, const Ast *a, const char *name)
{
    return (takes_size(e, a) && ast_mentions(a->kids[1], name)) || ANY(i, a->kid_count, stands_for_size(e, a->kids[i], name));
}

/* Is an open name that stands as a value a size nowhere? Of a text that was not read to its end the calls are asked. */
static bool has_stray_value(const Elab *e, const Ast *whole, bool read)
{
    for (const Env *b = e->open ? e->open->values : NULL; b; b = b->next)
        if (!env_find(e->open->sizes, b->name) && (read || !stands_for_size(e, whole, b->name))) return true;
    return false;
}

const Term *elab_whole(Elab *e, Scope s, const Ast *a, const Type *want)
{
    Ctx *c = e->c;
    LiteralVec *outer = c->literals, open = {0};
    const Term *t;
    const char **inlined = e->inlined;
    if (diag_failed(&c->diag)) return NULL;
    c->literals = &open;
    e->outer = s.env;
    e->whole = a;
    for (bool again = true; again;) {
        open.n = 0;
        if (e->open) e->open->refused = false;
        e->fuel = ELAB_FUEL;
        if (inlined) *inlined = NULL;
        t = elab_expr(e, s, a, want);
        if (t && want) type_same(c, want, t->type);
        again = decide_literals(e, true);
        if (t) again |= decide_literals(e, false);
        again = again && c->diag.id != E08;                    /* what is too large stays so */
        if (!again && !(e->open && e->open->refused) && has_stray_value(e, a, t != NULL)) again = !e->open->settled, e->open->settled = true;
        if (again) diag_clear(&c->diag);
    }
    c->literals = outer;
    free(open.v);
    return diag_failed(&c->diag) ? NULL : t;
}

/* Of a size that stands as a value. */
static const Type *size_type(Elab *e, Scope s, Span span, const Type *want)
{
    bool numeric = want && want->kind == TY_SCALAR && scalar_is_numeric(want->scalar);
    return numeric ? want : open_type(e, s, span, CLASS_NUMERIC);
}

/* "x: [N]f32, f: a function": what the parameters of a call were bound to. */
static const char *bound_text(Elab *e, const Env *env, AstPat *const *pats, int n)
{
    const char *text = "";
    for (int i = 0; i < n; i++) {
        const Env *b = pats[i]->name ? env_find(env, pats[i]->name) : NULL;
        const char *one = b && b->kind == BIND_TERM ? type_text(e->c, b->term->type)
            : b && b->kind == BIND_SIZE ? nat_text(b->nat, 0, e->c->diag.arena) : b && b->kind == BIND_CLOSURE ? "a function" : NULL;
        if (one) text = arena_printf(e->c->diag.arena, "%s%s%s%s %s", text, *text ? ", " : "", b->name, b->kind == BIND_SIZE ? " =" : ":", one);
    }
    return text;
}

/* An error inside a helper says what called it; one in the prelude is one of the call, and the helper's line becomes a note. */
static void blame_call(Elab *e, Scope s, Span call, const Def *def, const Env *bound, int given)
{
    enum { CALLS = 3 };
    Diag *d = &e->c->diag;
    const Source *helper = def->source;
    const Span text = def->decl->span;
    if (strcmp(helper->name, "prelude")) {
        int line, column, calls = 0;
        for (int i = 0; i < d->note_count; i++) calls += !strcmp(d->notes[i].label, "call");
        const Source *in = calls ? e->blamed_in : d->source;              /* the error, or the call that it was made by */
        const Span at = calls ? e->blamed : d->span;
        if (in != helper || calls == CALLS || at.from < text.from || at.to > text.to) return;
        e->blamed_in = s.source;
        e->blamed = call;
        source_position(s.source, call.from, &line, &column);
        const char *with = bound_text(e, bound, def->decl->params, def->decl->param_count);
        diag_note(d, "call", "%s at %s:%d:%d%s%s", def->name, s.source->name, line, column, *with ? ", " : "", with);
        return;
    }
    if (d->source != helper || helper == s.source) return;
    const char *from = helper->text + d->span.from;
    while (from > helper->text && from[-1] != '\n') from--;
    from += strspn(from, " ");
    diag_note(d, "within", "%.*s", (int)strcspn(from, "\n"), from);
    const Ast *body = def->decl->body;
    PrimId made = body->kind == AST_APP ? ast_prim(body->kids[0]) : PRIM_COUNT;
    bool several = made != PRIM_COUNT && prim(made)->family == FAM_MAP && body->kids[body->kid_count - 1]->kind == AST_NAME;  /* map2 f A B C: of each */
    if (given > def->decl->param_count && !several) diag_note(d, "hint", "%s takes %d: %s", def->name, def->decl->param_count, call_form(e, def->decl));
    d->source = s.source;
    d->span = call;
}

/* nest d f x: f of what lies under d dimensions, map (map f) x for 2; repeated a b f x: f (b-1) (... (f (a+1) (f a x))). */
static const Term *apply_built_in(Elab *e, Scope s, const char *name, const Arg *args, int n, const Type *want, Span call)
{
    enum { DEPTH_MAX = 16 };
    int need = built_in(name);
    bool nests = need == 3;
    const Nat *bound[2] = {nat_const(e->c->nats, 0)};
    if (n != need)
        return FAIL(e, s, call, E04, "%s takes %d arguments, it is given %d" NOTE("needs") "%s", name, need, n,
                    nests ? "nest d f x: f under d dimensions of x" : "repeated a b f x: f (b-1) (... (f a x))");
    for (int i = 0; i < need - 2; i++) {
        const Nat *size = bound[nests ? 1 : i] = elab_size(e, at_depth(args[i].scope, s.depth), args[i].ast);
        if (!size) return NULL;
        if (!size->is_const || size->value < 0 || size->value > DEPTH_MAX)
            return FAIL(e, s, call, E04, "a number of dimensions is needed, from 0 to that of the array" NOTE("found") "%s",
                        nat_text(size, 0, e->c->diag.arena));
    }
    const Arg *function = &args[need - 2];
    Scope in = at_depth(function->scope, s.depth);
    Ast *f = (Ast *)function->ast;
    if (!f) return FAIL(e, s, call, E04, "%s needs a function before the array", name);
    Arg x = args[need - 1];
    if (bound[0]->value > bound[1]->value) return FAIL(e, s, call, E04, "the array has no dimension %d; the first is 0", (int)bound[0]->value);
    for (int64_t i = bound[0]->value; i < bound[1]->value; i++) {
        Ast *kids[2] = {NEW(e->arena, Ast), f};
        if (nests) {
            *kids[0] = (Ast){.kind = AST_NAME, .span = f->span, .name = intern(e->c->names, "map")};
            Ast *map = NEW(e->arena, Ast);
            *map = (Ast){.kind = AST_APP, .span = f->span, .kids = arena_copy(e->arena, kids, sizeof kids), .kid_count = 2,
                         .height = f->height + 1};
            f = map;
            continue;
        }
        *kids[0] = (Ast){.kind = AST_INT, .span = f->span, .ival = i, .suffix = SUFFIX_NONE};
        Arg both[2] = {{.ast = kids[0], .scope = in}, x};
        x = (Arg){.term = elab_apply(e, in, f, both, 2, NULL, call), .scope = s};
        if (!x.term) return NULL;
    }
    return nests ? elab_apply(e, in, f, &x, 1, want, call) : arg_term(e, &x, s.depth, want);
}

/* What is meant where a value stands as if it were a function: x [0], x mod 2. */
static const char *value_applied_hint(const Elab *e, Scope s, const char *name, const Arg *args, int n)
{
    Arena *texts = e->c->diag.arena;
    const Ast *first = args->ast;
    if (n == 1 && first && first->kind == AST_ARRAY) return arena_printf(texts, NOTE("hint") "an index follows its array without a space: %s[0]", name);
    if (n < 2 || !first || first->kind != AST_NAME || env_find(s.env, first->name)) return "";
    const char *here = foreign_name(first->name);
    if (here) return arena_printf(texts, NOTE("hint") "%s", here);
    bool function = ast_prim(first) != PRIM_COUNT || defs_find(e->c, e->defs, first->name);
    return function ? arena_printf(texts, NOTE("hint") "a function stands in front of what it takes: %s %s ...", first->name, name) : "";
}

/* Of map2 f xs ys, map3 f xs ys zs: the arrays, as many as the number says, each made once. *flat: one of them has no arrays as elements,
 * so that f can only be meant for elements that stand side by side. NULL: an error, or another call. */
static const Arg *side_by_side(Elab *e, Scope s, const char *name, const Arg *args, int n, bool *flat)
{
    if (strncmp(name, "map", 3) || name[3] < '2' || name[3] > '9' || name[4] || n != name[3] - '0' + 1) return NULL;
    if (ANY(i, n, args[i].ast && args[i].ast->kind == AST_SPREAD)) return NULL;
    Arg *made = args_of(e->arena, s, NULL, 0, args, n);
    for (int i = 1; i < n; i++) {
        const Term *x = arg_term(e, &args[i], s.depth, NULL);
        if (!x) return NULL;
        made[i] = (Arg){.term = x, .scope = s};
        *flat |= x->type->kind == TY_ARRAY && type_rank(x->type) == 1;
    }
    return made;
}

static const Term *apply_name(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call)
{
    const Env *b = env_find(s.env, f->name);
    if (b && (b->kind == BIND_FUN || (b->kind == BIND_TERM && b->term->type->kind == TY_FUN)))
        return apply_metavariable(e, s, b, args, n, call);
    if (b && b->kind == BIND_CLOSURE)
        return elab_apply(e, (Scope){b->env, s.depth, b->source}, b->ast, args, n, want, b->source == s.source ? call : b->ast->span);
    if (b) {
        Arena *texts = e->c->diag.arena;
        return FAIL(e, s, call, E04, "\"%s\" is a value, it cannot be applied%s%s", f->name,
                    b->kind == BIND_TERM ? arena_printf(texts, NOTE("found") "%s : %s", f->name, type_text(e->c, b->term->type)) : "",
                    value_applied_hint(e, s, f->name, args, n));
    }
    const Def *d = defs_find(e->c, e->defs, f->name), *more = NULL;
    const Type *rows = n == 2 && args[1].term ? args[1].term->type : NULL;
    const int arrays = rows && rows->kind == TY_TUPLE ? rows->count : n - 1;
    if (d && arrays > 2 && !strcmp(f->name, "zipWith") && !strcmp(d->source->name, "prelude"))              /* of more than two arrays */
        more = defs_find(e->c, e->defs, intern(e->c->names, arena_printf(e->arena, "zipWith%d", arrays)));
    if (more) d = more;
    if (d && !strcmp(d->source->name, "prelude")) {
        bool flat = false;
        const Arg *made = side_by_side(e, s, f->name, args, n, &flat);
        if (diag_failed(&e->c->diag)) return NULL;
        if (flat) return elab_prim(e, s, PRIM_MAP, "map", made, n, want, call);
        if (made) args = made;
    }
    if (d) {
        Scope callee = {d->env, s.depth, d->source};
        e->called = f->name;
        const Term *t = apply_params(e, &callee, d->decl->params, d->decl->param_count, d->decl->body, d->decl, args, n, want, s, call);
        if (!t) blame_call(e, s, call, d, callee.env, n);
        return t;
    }
    if (built_in(f->name) == 1) {
        if (n != 1) return FAIL(e, s, call, E04, "%s takes one array", f->name);
        const Term *x = arg_term(e, args, s.depth, NULL);
        const Nat *size = *f->name == 'l' ? length_of(e, s, x, call) : x ? nat_const(e->c->nats, type_rank(x->type)) : NULL;
        return size ? term_size(e->c, size_type(e, s, call, want), size) : NULL;
    }
    if (built_in(f->name) == 2) {
        const Nat *number = n == 2 ? axis_number(e, s, args, call) : FAIL(e, s, call, E04, "axis takes an axis and an array");
        return number ? term_size(e->c, size_type(e, s, call, want), number) : NULL;
    }
    if (built_in(f->name) > 2) return apply_built_in(e, s, f->name, args, n, want, call);
    PrimId id = ast_prim(f);
    if (id != PRIM_COUNT) return elab_prim(e, s, id, f->name, args, n, want, call);
    return unknown_name(e, s, f);
}

/* `.` composes; the primitive of that name is the projection x.0. */
static PrimId operator_prim(const char *name) { return strcmp(name, ".") ? prim_from_name(name) : PRIM_COUNT; }

/* `f -1 x` parses as f - (1 x). Where f lacks arguments it is f (-1) x, for no function is subtracted from; NULL: it is a
 * subtraction. */
static const Ast *negated_argument(Elab *e, Scope s, const Ast *a)
{
    if (a->kind != AST_BINARY || strcmp(a->name, "-")) return NULL;
    const Ast *f = a->kids[0], *x = a->kids[1];
    if (f->kind == AST_BINARY || elab_arity(e, s.env, f) == 0) return NULL;
    int before = f->kind == AST_APP ? f->kid_count : 1, n = x->kind == AST_APP ? x->kid_count : 1;
    Ast *minus = NEW(e->arena, Ast), *call = NEW(e->arena, Ast), **kids = NEW_ARRAY(e->arena, Ast *, before + n);
    *minus = (Ast){.kind = AST_UNARY, .span = x->span, .name = a->name, .kid_count = 1, .height = x->height};
    minus->kids = NEW_ARRAY(e->arena, Ast *, 1);
    minus->kids[0] = n > 1 ? x->kids[0] : a->kids[1];
    for (int i = 0; i < before; i++) kids[i] = f->kind == AST_APP ? f->kids[i] : a->kids[0];
    kids[before] = minus;
    for (int i = 1; i < n; i++) kids[before + i] = x->kids[i];
    *call = (Ast){.kind = AST_APP, .span = a->span, .kids = kids, .kid_count = before + n, .height = a->height};
    return call;
}

static const Term *elab_apply(Elab *e, Scope s, const Ast *f, const Arg *args, int n, const Type *want, Span call)
{
    const Ast *negated = negated_argument(e, s, f);
    if (negated) f = negated;
    if (e->nesting >= ELAB_NESTING || e->fuel-- <= 0)
        return FAIL(e, s, f->span, E08, "the program is too large, or nested more than %d deep: with its definitions inlined it has at most %d nodes", ELAB_NESTING, ELAB_FUEL);
    uint64_t outer = path_into(e, s, f->span);
    e->nesting++;
    const Term *t = NULL;
    const Env *outermost = ast_is_compose(f) && f->kids[0]->kind == AST_NAME ? env_find(s.env, f->kids[0]->name) : NULL;
    if (outermost && outermost->kind == BIND_TERM && outermost->term->type->kind != TY_FUN) {              /* xs.map(f) */
        const char *x = f->kids[0]->name;
        FAIL(e, s, f->span, E04, "a point composes functions, and \"%s\" is a value" NOTE("found") "%s : %s" NOTE("hint")
             "a function stands in front of what it takes: map f %s, or %s |> map f", x, x, type_text(e->c, outermost->term->type), x, x);
    } else if (f->kind == AST_APP || (f->kind == AST_BINARY && strcmp(f->name, "$") == 0)) {
        int had = f->kid_count - 1;
        t = elab_apply(e, s, f->kids[0], args_of(e->arena, s, f->kids + 1, had, args, n), had + n, want, call);
    } else if (ast_is_compose(f)) {
        Arg *rest = args_of(e->arena, s, NULL, 0, args, n);
        rest[0] = (Arg){.term = elab_apply(e, s, f->kids[1], args, 1, NULL, call), .scope = s};
        t = rest[0].term ? elab_apply(e, s, f->kids[0], rest, n, want, call) : NULL;
    } else if (f->kind == AST_LAMBDA) {
        t = apply_params(e, &(Scope){s.env, s.depth, s.source}, f->pats, f->pat_count, f->kids[0], NULL, args, n, want, s, call);
    } else if (f->kind == AST_NAME) {
        t = apply_name(e, s, f, args, n, want, call);
    } else if (f->kind == AST_OP) {
        t = elab_prim(e, s, operator_prim(f->name), f->name, args, n, want, call);
    } else if (f->kind == AST_SECTION_LEFT || f->kind == AST_SECTION_RIGHT) {
        bool left = f->kind == AST_SECTION_LEFT;
        Arg side = {.ast = f->kids[0], .scope = s}, both[2] = {left ? side : args[0], left ? args[0] : side};
        t = n == 1 ? elab_prim(e, s, operator_prim(f->name), f->name, both, 2, want, call)
                   : FAIL(e, s, call, E04, "a section takes one argument");
    } else if (f->kind == AST_LET) {
        /* (let ... in f) x: elaborate the let with the application inside. */
        Binder *binders = NULL;
        Arg value = {.ast = f->kids[0], .scope = s};
        Scope in = s;
        if (binders_bind_arg(e, &in, f->pats[0], &value, &binders))
            t = binders_wrap(e, binders, elab_apply(e, in, f->kids[1], args, n, want, call));
    } else if (f->kind == AST_ANNOT) {
        t = elab_apply(e, s, f->kids[0], args, n, want, call);
    } else {
        diag_error_at(&e->c->diag, E04, s.source, f->span, "this is not a function, it cannot be applied");
    }
    e->nesting--;
    e->path = outer;
    return t;
}

/* ---- expressions ---- */

static const Term *elab_number(Elab *e, Scope s, const Ast *a, const Type *want, bool negative)
{
    bool is_float = a->kind != AST_INT, scalar = want && want->kind == TY_SCALAR;
    bool fits = scalar && (is_float ? scalar_is_float(want->scalar) : scalar_is_numeric(want->scalar));
    const Type *t = a->suffix != SUFFIX_NONE ? type_scalar(e->c, suffix_scalar(a->suffix))
                  : fits ? want : open_type(e, s, a->span, is_float ? CLASS_FLOAT : CLASS_NUMERIC);
    if (t->literal) return is_float ? term_float(e->c, t, a->fval) : term_integer(e->c, t, negative ? -a->ival : a->ival);
    bool wide = a->kind == AST_INT && a->suffix == 1 + SC_U64;
    if (wide && !negative) return term_integer(e->c, t, a->ival);
    if (wide && a->ival)
        return FAIL(e, s, a->span, E04, "-%llu is out of range for u64" NOTE("needs") "%s", (unsigned long long)a->ival,
                    scalar_range(SC_U64, e->c->diag.arena));
    if (!is_float && !scalar_is_float(t->scalar)) return term_int(e->c, t, negative ? -a->ival : a->ival);
    double v = is_float ? a->fval : (double)a->ival;
    const Term *r = term_float(e->c, t, negative ? -v : v);
    if (r && isinf(r->u.lit.f) && !isinf(v))
        return FAIL(e, s, a->span, E04, "%g is out of range for %s", v, scalar_name(t->scalar));
    return r;
}

static const Term *elab_name(Elab *e, Scope s, const Ast *a, const Type *want)
{
    const Env *b = find_size(e, s.env, a->name);
    if (!b) {
        const Def *d = defs_find(e->c, e->defs, a->name);
        if (d && d->decl->param_count == 0) return elab_apply(e, s, a, NULL, 0, want, a->span);
        if (!d && ast_is_float_name(a->name)) {
            const Type *t = want && want->kind == TY_SCALAR && scalar_is_float(want->scalar)
                ? want : open_type(e, s, a->span, CLASS_FLOAT);
            double v = *a->name == 'p' ? 3.14159265358979323846 : *a->name == 'i' ? (double)INFINITY : (double)NAN;
            return term_float(e->c, t, v);
        }
        if (!d && ast_is_extreme(a->name)) {
            const Type *t = want && want->kind == TY_SCALAR && scalar_is_numeric(want->scalar) ? want : open_type(e, s, a->span, CLASS_NUMERIC);
            bool least = *a->name == 'l';
            if (scalar_is_float(t->scalar)) return term_float(e->c, t, least ? (double)-INFINITY : (double)INFINITY);
            return term_integer(e->c, t, least ? scalar_least(t->scalar) : scalar_most(t->scalar));
        }
        if (d || ast_prim(a) != PRIM_COUNT || built_in(a->name))
            return FAIL(e, s, a->span, E04, "\"%s\" is a function; a value is needed here", a->name);
        b = open_size(e, a->name, true);
        if (!b) return unknown_name(e, s, a);
    }
    switch (b->kind) {
    case BIND_TERM:
        return elab_shift(e, b->term, b->depth, s.depth);
    case BIND_LITERAL:
        return elab_expr(e, (Scope){b->env, s.depth, b->source}, b->ast, want);
    case BIND_SIZE:
        return elab_at(e, s, a->span, term_size(e->c, size_type(e, s, a->span, want), b->nat));
    case BIND_LIST:
        return FAIL(e, s, a->span, E04, "\"%s\" stands for a list: write %s..", a->name, a->name);
    default:
        if (b->kind == BIND_FUN && b->arity == 0) return elab_shift(e, b->term, b->depth, s.depth);
        if (b->kind == BIND_CLOSURE && b->ast->kind == AST_APP && b->ast->kids[0]->kind == AST_NAME && !ANY(i, b->ast->kid_count, b->ast->kids[i]->kind == AST_SPREAD)) {
            int given = b->ast->kid_count - 1, lacks = elab_arity(e, b->env, b->ast);
            return FAIL(e, ((Scope){b->env, s.depth, b->source}), b->ast->span, E04, "%s takes %d arguments, it is given %d; a value is needed "
                        "here", b->ast->kids[0]->name, given + lacks, given);
        }
        return FAIL(e, s, a->span, E04, "\"%s\" is a function; a value is needed here", a->name);
    }
}

static const Term *elab_binary(Elab *e, Scope s, const Ast *a, const Type *want)
{
    const Ast *negated = negated_argument(e, s, a);
    if (negated) return elab_expr(e, s, negated, want);
    if (ast_is_compose(a))
        return FAIL(e, s, a->span, E04, "a composition is a function; apply it with $ or in brackets%s",
                    elab_arity(e, s.env, a->kids[0]) ? "" : NOTE("hint") "parts of a tuple t are t.0, t.1 ...; others take it apart: let (a, b) = t in ...");
    if (strcmp(a->name, "$") == 0 || strcmp(a->name, "|>") == 0) {
        bool pipe = *a->name == '|';
        Arg x = {.ast = a->kids[pipe ? 0 : 1], .scope = s};
        return elab_apply(e, s, a->kids[pipe ? 1 : 0], &x, 1, want, a->span);
    }
    if (elab_arity(e, s.env, a->kids[0]) > 0)                   /* reduce + 0 xs */
        return FAIL(e, s, a->kids[0]->span, E04, "a function stands where a value is needed" NOTE("hint") "an operator that is an argument "
                    "stands in brackets: (%s)", a->name);
    Arg both[2] = {{.ast = a->kids[0], .scope = s}, {.ast = a->kids[1], .scope = s}};
    return elab_prim(e, s, ast_prim(a), a->name, both, 2, want, a->span);
}

/* ---- arrays written out: generate n (\i -> if i < 1 then a else if ...), halved at each test ---- */

enum { ARRAY_RANK = 8, ARRAY_ELEMENTS = 1024 };

typedef struct Written {
    Elab *e;
    Scope s;                             /* of the elements: inside the functions of all dimensions */
    int rank, dims[ARRAY_RANK], count;
    const Ast **asts;
    const Term **terms;
} Written;

static bool unlike(Written *w, const Ast *a, const char *what)
{
    return FAIL(w->e, w->s, a->span, E04, "the elements of an array have one type; %s", what);
}

/* Its elements, of arrays in it theirs. False: an error. */
static bool write_elements(Written *w, const Ast *a, int depth)
{
    int rank = depth + 1;
    if (rank > ARRAY_RANK)
        return FAIL(w->e, w->s, a->span, E08, "an array written out has at most %d dimensions", ARRAY_RANK);
    if (w->rank < rank && w->count == 0) w->dims[w->rank++] = a->kid_count;
    if (rank > w->rank) return unlike(w, a, "others here are none");
    if (w->dims[depth] != a->kid_count) return unlike(w, a, "this one has another length");
    for (int i = 0; i < a->kid_count; i++) {
        const Ast *k = a->kids[i];
        if (k->kind == AST_ARRAY) {
            if (!write_elements(w, k, rank)) return false;
            continue;
        }
        if (rank != w->rank) return unlike(w, k, "others here are arrays");
        if (w->count == ARRAY_ELEMENTS)
            return FAIL(w->e, w->s, k->span, E08, "an array written out has at most %d elements" NOTE("hint") "an input takes more: "
                        "data xs = [...], data xs = file(\"x.npy\")", ARRAY_ELEMENTS);
        w->asts[w->count++] = k;
    }
    return true;
}

/* All of one type: of the first whose text leaves it no choice, else the wanted. */
static bool type_elements(Written *w, const Type *want)
{
    bool first = true;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < w->count; i++) {
            if (w->terms[i] || is_flexible(w->s.env, w->asts[i]) != (pass == 1)) continue;
            const Term *t = w->terms[i] = elab_expr(w->e, w->s, w->asts[i], want);
            if (!t) return false;
            if (!first && !type_same(w->e->c, t->type, want))
                return FAIL(w->e, w->s, w->asts[i]->span, E04, "the elements of an array have one type; this is %s, others are %s",
                            type_text(w->e->c, t->type), type_text(w->e->c, want));
            want = t->type;
            first = false;
        }
    return true;
}

/* One of the elements [from, to) of dimension d, in that number `at` of what the outer dimensions make. */
static const Term *pick_element(const Written *w, int d, int at, int from, int to)
{
    if (d == w->rank) return w->terms[at];
    if (to - from == 1) return pick_element(w, d + 1, at * w->dims[d] + from, 0, d + 1 < w->rank ? w->dims[d + 1] : 1);
    const Type *i32 = type_scalar(w->e->c, SC_I32);
    int middle = (from + to) / 2;
    const Term *below = term_prim2(w->e->c, PRIM_LT, term_param(w->e->c, i32, w->rank - 1 - d), term_int(w->e->c, i32, middle));
    const Term *args[] = {below, pick_element(w, d, at, from, middle), pick_element(w, d, at, middle, to)};
    return term_prim(w->e->c, PRIM_IF, NULL, 0, args, 3);
}

static const Term *elab_array(Elab *e, Scope s, const Ast *a, const Type *want)
{
    Written w = {.e = e, .s = s};
    w.asts = NEW_ARRAY(e->arena, const Ast *, ARRAY_ELEMENTS);
    w.terms = NEW_ARRAY(e->arena, const Term *, ARRAY_ELEMENTS);
    if (!write_elements(&w, a, 0)) return NULL;
    w.s.depth += w.rank;
    for (int i = 0; i < w.rank && want; i++) want = want->kind == TY_ARRAY ? want->elems[0] : NULL;
    const Term *t = type_elements(&w, want) ? pick_element(&w, 0, 0, 0, w.dims[0]) : NULL;
    const Type *i32 = type_scalar(e->c, SC_I32);
    for (int d = w.rank; d-- > 0 && t;) {
        const Nat *n = nat_const(e->c->nats, w.dims[d]);
        const Term *f = term_lam(e->c, i32, t, NULL);
        t = f ? term_prim(e->c, PRIM_GENERATE, &n, 1, &f, 1) : NULL;
    }
    return elab_at(e, s, a->span, t);
}

/* ---- records: tuples whose parts have names, where definitions name them ---- */

/* What is looked for: a record with that label, as a type or as a value, whose parts have these types (NULL: any); or with all labels of one. */
typedef struct Seek {
    const char *label;
    const Type *type;
    const Ast *like, *found;
    AstKind kind;                        /* types come before values, which may have been written in another order */
    int at;
    const Ast *other;                    /* a record that has the label elsewhere */
} Seek;

static int label_at(const Ast *record, const char *label)
{
    return FIRST_NUMBER(i, record->kid_count, record->labels[i] == label);
}

static bool is_scalar_named(const Type *t, const char *name) { return t->kind == TY_SCALAR && (t->literal || !strcmp(name, scalar_name(t->scalar))); }

static bool record_fits(const Ast *r, const Seek *k)
{
    if (r->kind != k->kind) return false;
    if (k->like) return r->kid_count == k->like->kid_count && ALL(i, r->kid_count, label_at(k->like, r->labels[i]) >= 0);
    if (label_at(r, k->label) < 0 || (k->type && (k->type->kind != TY_TUPLE || k->type->count != r->kid_count))) return false;
    return !k->type || ALL(i, r->kid_count, r->kids[i]->kind != ASTTYPE_SCALAR || is_scalar_named(k->type->elems[i], r->kids[i]->name));
}

static void seek_record(const Ast *a, Seek *k)
{
    if (!a) return;
    if (a->labels && record_fits(a, k)) {
        const int at = label_at(a, k->label);
        if (k->found && k->at != at) k->other = a;
        if (!k->found) k->found = a, k->at = at;
    }
    for (int i = 0; i < a->kid_count; i++) seek_record(a->kids[i], k);
    for (int i = 0; i < a->pat_count; i++) seek_record(a->pats[i], k);
    seek_record(a->annot, k);
}

/* Of the definitions, those of one source alone unless it is NULL. */
static bool record_in(const Defs *d, const Source *source, AstKind kind, Seek *k)
{
    k->kind = kind;
    for (int i = d ? d->defs.n : 0; i-- > 0;) {
        const AstDecl *decl = d->defs.v[i].decl;
        if (!decl->records || (source && d->defs.v[i].source != source) || def_in(&d->defs, decl->name)->decl != decl) continue;      /* or defined anew */
        for (int p = 0; p < decl->param_count; p++) seek_record(decl->params[p], k);
        seek_record(decl->result, k);
        seek_record(decl->body, k);
    }
    return k->found;
}

static bool record_here(const Elab *e, Scope s, AstKind kind, Seek *k)
{
    k->kind = kind;
    seek_record(e->whole, k);
    return k->found || record_in(e->defs, s.source, kind, k);
}

/* In the text where it is asked for, else in all definitions, else in the prelude. */
static bool find_record(const Elab *e, Scope s, Seek *k)
{
    const AstKind kinds[] = {ASTTYPE_TUPLE, AST_TUPLE};
    return ANY(i, COUNT(kinds), record_here(e, s, kinds[i], k)) || ANY(i, COUNT(kinds), record_in(e->defs, NULL, kinds[i], k))
        || record_in(prelude(e->c), NULL, AST_TUPLE, k);
}

/* A record's parts in the order of the type that has their names, if one has; else as they are written. */
static Ast *const *record_parts(const Elab *e, Scope s, const Ast *a)
{
    Seek k = {.label = a->labels[0], .like = a};
    if (!record_here(e, s, ASTTYPE_TUPLE, &k) && !record_in(e->defs, NULL, ASTTYPE_TUPLE, &k)) return a->kids;
    Ast **kids = NEW_ARRAY(e->arena, Ast *, a->kid_count);
    for (int i = 0; i < a->kid_count; i++) kids[label_at(k.found, a->labels[i])] = a->kids[i];
    return kids;
}

static const Term *elab_field(Elab *e, Scope s, const Ast *a)
{
    const Term *t = elab_expr(e, s, a->kids[0], NULL);
    Seek k = {.label = a->name, .type = t ? t->type : NULL};
    if (!t) return NULL;
    if (find_record(e, s, &k) && !k.other) return elab_at(e, s, a->span, term_proj(e->c, t, k.at));
    const char *type = type_text(e->c, t->type);
    if (k.other) return FAIL(e, s, a->span, E04, "parts of several records are called \"%s\"" NOTE("hint") "parts of a tuple t are t.0, t.1 ... too", a->name);
    return FAIL(e, s, a->span, E04, "no part of %s is called \"%s\"" NOTE("hint") "%s", type, a->name, t->type->kind == TY_TUPLE
                ? "parts of a tuple t are t.0, t.1 ...; a type gives them names: {x: f32, y: f32}"
                : !strcmp(a->name, "T") ? "transpose A" : "a composition has blanks around its point: f . g");
}

/* What a let names and its body uses once stands there (letDuplicate): says which names these are, in the order of the text: a let
 * is noted after those in its body. */
static void note_inlined(Elab *e, const Binder *b, const Term *body)
{
    const char **all = e->inlined;
    for (int from = 0; all && body && b; from += b->value->type->leaf_count, b = b->outer) {
        if (term_uses(body, from, b->value->type->leaf_count) != 1) continue;
        for (int i = 0; b->hints && i < hint_count(b->value->type); i++) {
            if (b->hints[i]) add_name(e, all, b->hints[i], true);
        }
    }
}

static const Term *elab_let(Elab *e, Scope s, const Ast *a, const Type *want)
{
    Binder *binders = NULL;
    Arg value = {.ast = a->kids[0], .scope = s};
    Scope in = s;
    const char *name = a->kids[0]->kind == AST_LAMBDA ? a->pats[0]->name : NULL;
    if (name && !env_find(s.env, name) && !defs_find(e->c, e->defs, name) && ast_mentions(a->kids[0], name))
        return FAIL(e, s, a->pats[0]->span, E07, "recursion is not possible: %s uses %s" NOTE("hint") "loopWhile K p f x goes on while p "
                    "holds of the state, K steps at most", name, name);
    if (a->annot) {
        const Term *t = elab_expr(e, s, a->kids[0], annotation_known(e, s, a->annot, NULL));
        if (!t || !annotation_match(e, &in, a->annot, t->type)) return NULL;
        value = (Arg){.term = t, .scope = s};
    }
    if (!binders_bind_arg(e, &in, a->pats[0], &value, &binders)) return NULL;
    const Term *body = elab_expr(e, in, a->kids[1], want);
    note_inlined(e, binders, body);
    for (; e->as_written && body && binders; binders = binders->outer) {
        const Term *v = binders->value, *f = term_lam(e->c, v->type, body, binders->hints);
        bool once = term_uses(body, 0, v->type->leaf_count) == 1;
        body = once ? term_let_written(e->c, v, f) : term_let(e->c, v, f);
    }
    return binders_wrap(e, binders, body);
}

static const Term *elab_in(Elab *e, Scope s, const Ast *a, const Type *want)
{
    switch (a->kind) {
    case AST_NAME: return elab_name(e, s, a, want);
    case AST_INT: case AST_FLOAT: return elab_at(e, s, a->span, elab_number(e, s, a, want, false));
    case AST_BOOL: return term_int(e->c, type_scalar(e->c, SC_BOOL), a->ival);
    case AST_APP: {
        int n = a->kid_count - 1;
        return elab_apply(e, s, a->kids[0], args_of(e->arena, s, a->kids + 1, n, NULL, 0), n, want, a->span);
    }
    case AST_LET: return elab_let(e, s, a, want);
    case AST_IF: return elab_prim(e, s, PRIM_IF, "if", args_of(e->arena, s, a->kids, 3, NULL, 0), 3, want, a->span);
    case AST_TUPLE: {
        const Term *parts[ARG_MAX];
        Arg all[ARG_MAX];
        Ast *const *kids = a->labels ? record_parts(e, s, a) : a->kids;
        int n = args_expand(e, args_of(e->arena, s, kids, a->kid_count, NULL, 0), a->kid_count, all);
        if (n < 1) return n ? NULL : FAIL(e, s, a->span, E04, "an empty tuple");
        for (int i = 0; i < n; i++) {
            const Type *w = n == 1 ? want : want && want->kind == TY_TUPLE && want->count == n ? want->elems[i] : NULL;
            parts[i] = arg_term(e, &all[i], s.depth, w);
            if (!parts[i]) return NULL;
        }
        return elab_at(e, s, a->span, term_tuple(e->c, parts, n));
    }
    case AST_ARRAY: return elab_array(e, s, a, want);
    case AST_PROJ: {
        const Term *t = elab_expr(e, s, a->kids[0], NULL);
        return t ? elab_at(e, s, a->span, term_proj(e->c, t, (int)a->ival)) : NULL;
    }
    case AST_FIELD:
        if (elab_arity(e, s.env, a) > 0) return FAIL(e, s, a->span, E04, "a composition is a function; apply it with $ or in brackets");
        return elab_field(e, s, a);
    case AST_AT: {
        const Term *x = elab_expr(e, s, a->kids[0], NULL);
        if (!x) return NULL;
        if (x->type->kind != TY_VECTOR) {
            const Term *i = elab_expr(e, s, a->kids[1], type_scalar(e->c, SC_I32));
            return i ? elab_at(e, s, a->span, term_prim2(e->c, PRIM_AT, i, x)) : NULL;
        }
        const Nat *lane = elab_size(e, s, a->kids[1]);
        if (!lane) return NULL;
        if (!lane->is_const || lane->value < 0 || lane->value >= x->type->width)
            return FAIL(e, s, a->kids[1]->span, E04, "a lane of %s is a number from 0 to %d",
                        type_text(e->c, x->type), x->type->width - 1);
        return elab_at(e, s, a->span, term_prim(e->c, PRIM_LANE, &lane, 1, &x, 1));
    }
    case AST_BINARY: return elab_binary(e, s, a, want);
    case AST_UNARY: {
        /* -5 and -inf are numbers, -(5) an operation on one: so both read back as they print. */
        const Ast *k = a->kids[0];
        if (*a->name == '-' && !a->ival && (k->kind == AST_INT || k->kind == AST_FLOAT))
            return elab_at(e, s, a->span, elab_number(e, s, k, want, true));
        const Term *t = elab_expr(e, s, k, want);
        if (!t) return NULL;
        bool named = *a->name == '-' && !a->ival && k->kind == AST_NAME && t->kind == T_LIT
                  && scalar_is_float(t->type->scalar);
        if (named) return elab_at(e, s, a->span, term_float(e->c, t->type, -t->u.lit.f));
        return elab_at(e, s, a->span, term_prim1(e->c, *a->name == '-' ? PRIM_NEG : PRIM_NOT, t));
    }
    case AST_ANNOT: {
        if (a->annot->kind == ASTTYPE_SIZE) {                      /* (N/4 : size), a size expression as a value */
            const Nat *n = elab_size(e, s, a->kids[0]);
            return n ? elab_at(e, s, a->span, term_size(e->c, size_type(e, s, a->span, want), n)) : NULL;
        }
        const Term *t = elab_expr(e, s, a->kids[0], annotation_known(e, s, a->annot, NULL));
        return t && annotation_match(e, &s, a->annot, t->type) ? t : NULL;
    }
    case AST_SPREAD:
        return FAIL(e, s, a->span, E04, "a list can only stand among the arguments of zip or of a tuple");
    default: return FAIL(e, s, a->span, E04, "a function stands where a value is needed" NOTE("hint") "one with a name: let f x = ..., or let f (x: f32) = ...");
    }
}

const Term *elab_expr(Elab *e, Scope s, const Ast *a, const Type *want)
{
    if (e->nesting >= ELAB_NESTING || e->fuel-- <= 0)
        return FAIL(e, s, a->span, E08, "the program is too large, or nested more than %d deep: with its definitions inlined it has at most %d nodes", ELAB_NESTING, ELAB_FUEL);
    uint64_t outer = path_into(e, s, a->span);
    e->nesting++;
    const Term *t = elab_in(e, s, a, want);
    if (t) tell_type(e, s, a->span, t->type);
    e->nesting--;
    e->path = outer;
    return t;
}

/* ---- functions ---- */

/* The pattern that takes the next argument of a function of these parameters; of more than one, a tuple of so many. */
static const AstPat *pattern_of(Elab *e, AstPat **pats, int count)
{
    if (count <= 1) return count == 1 ? pats[0] : NULL;
    return MAKE(e->arena, AstPat, .kind = AST_PATTERN, .kid_count = count, .kids = pats);
}

/* The pattern that will take the next argument of f, for names of binders. */
static const AstPat *next_pattern(Elab *e, const Env *env, const Ast *f, int given)
{
    if (f->kind == AST_LAMBDA) return pattern_of(e, f->pats + given, f->pat_count - given);
    if (f->kind == AST_APP) return next_pattern(e, env, f->kids[0], given + f->kid_count - 1);
    if (f->kind == AST_ANNOT) return next_pattern(e, env, f->kids[0], given);
    if (f->kind != AST_NAME) return NULL;
    const Env *b = env_find(env, f->name);
    if (b) return b->kind == BIND_CLOSURE ? next_pattern(e, b->env, b->ast, given) : NULL;
    const Def *d = defs_find(e->c, e->defs, f->name);
    return d ? pattern_of(e, d->decl->params + given, d->decl->param_count - given) : NULL;
}

const Term *elab_function(Elab *e, Scope s, const Ast *f, const Type *param, const Type *want)
{
    const Ast *first = f;                                      /* what takes the argument */
    while (ast_is_compose(first)) first = first->kids[1];
    const Env *b = first->kind == AST_NAME ? env_find(s.env, first->name) : NULL;
    bool metavariable = b && b->kind == BIND_FUN, as_it_is = metavariable && b->term->type->elems[0] == param;
    if (as_it_is && first == f) return elab_shift(e, b->term, b->depth, s.depth);
    const AstPat *p = metavariable ? NULL : next_pattern(e, s.env, first, 0);
    if (f->mark && f->kind == AST_LAMBDA) {                    /* \(s, i) -> f s i, or -> if p s then f s else s: names of its user's f */
        const Ast *body = f->kids[0], *call = body->kind == AST_IF ? body->kids[1] : body;
        const AstPat *own = next_pattern(e, s.env, call->kids[0], 0);
        AstPat *both[2] = {(AstPat *)own, f->pats[0]->kids[1]};
        if (own) p = call == body ? own : pattern_of(e, arena_copy(e->arena, both, sizeof both), 2);
    }
    const char *const *hints = as_it_is ? b->term->u.hints : p || f->mark ? pattern_hints_of(e, s, p, param) : NULL;
    if (f->mark) ((const char **)hints)[0] = f->mark;
    Scope in = s;
    in.depth += param->leaf_count;
    Arg arg = {.term = term_param(e->c, param, 0), .scope = in};
    const Term *body = elab_apply(e, in, f, &arg, 1, want, f->span);
    return body ? elab_at(e, s, f->span, term_lam(e->c, param, body, hints)) : NULL;
}

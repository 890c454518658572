/* elab_type: scopes, and types and sizes as they are written. */
#include "elab_private.h"

#include <ctype.h>
#include <string.h>

enum { ELAB_FUEL = 2000000 };

Elab elab_start(Ctx *c, Arena *arena, const Defs *defs)
{
    return (Elab){.c = c, .arena = arena, .defs = defs, .int_default = SC_I32, .float_default = SC_F32,
                  .fuel = ELAB_FUEL};
}

Env *env_bind(Elab *e, const Env *next, const char *name, BindKind kind)
{
    Env *env = NEW(e->arena, Env);
    env->name = name;
    env->kind = kind;
    env->next = next;
    return env;
}

const Env *env_find(const Env *env, const char *name)
{
    while (env && env->name != name) env = env->next;
    return env;
}

Scalar suffix_scalar(Suffix s)
{
    static const Scalar scalars[] = {
        [SUFFIX_NONE] = SC_I32, [SUFFIX_F16] = SC_F16, [SUFFIX_F32] = SC_F32, [SUFFIX_F64] = SC_F64,
        [SUFFIX_I32] = SC_I32,  [SUFFIX_I64] = SC_I64, [SUFFIX_U32] = SC_U32};
    return scalars[s];
}

/* ---- errors: makers know no text, so the place is added here ---- */

void elab_locate(Elab *e, Scope s, Span span)
{
    Diag *d = &e->c->diag;
    if (!diag_failed(d) || d->source) return;
    d->source = s.source;
    d->span = span;
}

const Term *elab_at(Elab *e, Scope s, Span span, const Term *t)
{
    if (!t) elab_locate(e, s, span);
    return t;
}

const Term *arg_term(Elab *e, const Arg *a, int depth, const Type *want)
{
    if (a->term) return elab_shift(e, a->term, a->scope.depth, depth);
    Scope s = a->scope;
    s.depth = depth;
    return elab_expr(e, s, a->ast, want);
}
/* ---- sizes ---- */

static const Nat *size_of_name(Elab *e, Scope s, const Ast *a)
{
    const Env *b = env_find(s.env, a->name);
    if (b && b->kind == BIND_SIZE) return b->nat;
    if (b && b->kind == BIND_LITERAL) return elab_size(e, (Scope){b->env, s.depth, b->source}, b->ast);
    if (b && b->kind == BIND_TERM && b->term->kind == T_SIZE) return b->term->u.nat;
    if (b && b->kind == BIND_TERM && b->term->kind == T_LIT && scalar_is_int(b->term->type->scalar))
        return nat_const(e->c->nats, b->term->u.lit.i);
    const Def *d = b ? NULL : defs_find(e->c, e->defs, a->name);
    if (d && d->decl->param_count == 0) return elab_size(e, (Scope){NULL, s.depth, d->source}, d->decl->body);
    if (b) return FAIL(e, s, a->span, E04, "\"%s\" is a value, not a size", a->name);
    if (diag_error_at(&e->c->diag, E02, s.source, a->span, "no size called \"%s\"", a->name)) {
        if (islower((unsigned char)*a->name))
            diag_note(&e->c->diag, "hint", "declare a tuning parameter: param %s", a->name);
        else diag_note(&e->c->diag, "needs",
                       "a size variable of the program's parameter types, a number or a parameter");
    }
    return NULL;
}

static const Nat *size_length(Elab *e, Scope s, const Ast *a)
{
    const Term *x = elab_expr(e, s, a->kids[1], NULL);
    if (!x) return NULL;
    if (x->type->kind == TY_ARRAY) return x->type->size;
    return FAIL(e, s, a->span, E04, "length of %s, which is no array", type_text(e->c, x->type));
}

static const Nat *size_binary(Elab *e, Scope s, const Ast *a)
{
    const Nat *x = elab_size(e, s, a->kids[0]), *y = x ? elab_size(e, s, a->kids[1]) : NULL;
    if (!y) return NULL;
    Nats *n = e->c->nats;
    const Nat *r = NULL;
    if (strcmp(a->name, "+") == 0) r = nat_add(n, x, y);
    else if (strcmp(a->name, "-") == 0) r = nat_sub(n, x, y);
    else if (strcmp(a->name, "*") == 0) r = nat_mul(n, x, y);
    else if (strcmp(a->name, "/") == 0) r = nat_exact(n, x, y);
    else if (strcmp(a->name, "//") == 0) r = nat_div(n, x, y, NULL);
    else if (strcmp(a->name, "%") == 0) r = nat_mod(n, x, y, NULL);
    else return FAIL(e, s, a->span, E04, "\"%s\" is no operator of sizes; sizes have + - * / // %%", a->name);
    if (r) return r;
    if (strcmp(a->name, "/") == 0) {
        if (diag_error_at(&e->c->diag, E04, s.source, a->span,
                          "this exact division of sizes does not come out even"))
            diag_note(&e->c->diag, "hint", "// for the floor quotient");
        return NULL;
    }
    return FAIL(e, s, a->span, E08, "this size is too large");
}

const Nat *elab_size(Elab *e, Scope s, const Ast *a)
{
    switch (a->kind) {
    case AST_INT: return nat_const(e->c->nats, a->ival);
    case AST_NAME: return size_of_name(e, s, a);
    case AST_BINARY: return size_binary(e, s, a);
    case AST_UNARY:
        if (*a->name == '-') return nat_sub(e->c->nats, nat_const(e->c->nats, 0), elab_size(e, s, a->kids[0]));
        break;
    case AST_APP:
        if (a->kids[0]->kind != AST_NAME) break;
        if (strcmp(a->kids[0]->name, "length") == 0 && a->kid_count == 2) return size_length(e, s, a);
        if ((strcmp(a->kids[0]->name, "min") == 0 || strcmp(a->kids[0]->name, "max") == 0) && a->kid_count == 3) {
            const Nat *x = elab_size(e, s, a->kids[1]), *y = x ? elab_size(e, s, a->kids[2]) : NULL;
            return !y ? NULL : a->kids[0]->name[1] == 'i' ? nat_min(e->c->nats, x, y) : nat_max(e->c->nats, x, y);
        }
        break;
    default: break;
    }
    return FAIL(e, s, a->span, E04, "a size is needed here: numbers, size names, + - * / // %%, length x");
}

/* ---- types ---- */

static const Type *type_parts(Elab *e, Scope s, const AstType *t, const Env **sizes)
{
    const Type *parts[ARG_MAX];
    if (t->kid_count > ARG_MAX) return FAIL(e, s, t->span, E08, "a tuple has at most %d components", ARG_MAX);
    for (int i = 0; i < t->kid_count; i++) {
        parts[i] = elab_type(e, s, t->kids[i], sizes);
        if (!parts[i]) return NULL;
        if (sizes) s.env = *sizes;
    }
    return t->kind == ASTTYPE_FUN ? type_fun(e->c, parts[0], parts[1]) : type_tuple(e->c, parts, t->kid_count);
}

/* Bind every unbound upper-case name of a size expression. */
static void bind_sizes(Elab *e, const Ast *a, const Env **sizes)
{
    if (a->kind == AST_NAME && isupper((unsigned char)*a->name) && !env_find(*sizes, a->name)) {
        Env *b = env_bind(e, *sizes, a->name, BIND_SIZE);
        b->nat = nat_var(e->c->nats, a->name, VAR_SIZE, NULL, NULL);
        *sizes = b;
    }
    for (int i = 0; i < a->kid_count; i++) bind_sizes(e, a->kids[i], sizes);
}

const Type *elab_type(Elab *e, Scope s, const AstType *t, const Env **sizes)
{
    Scalar scalar = SC_I32;
    const Type *r = NULL;
    if ((t->kind == ASTTYPE_SCALAR || t->kind == ASTTYPE_VECTOR) && !scalar_from_name(t->name, &scalar))
        return FAIL(e, s, t->span, E04, "no type called \"%s\"", t->name);
    switch (t->kind) {
    case ASTTYPE_SCALAR: r = type_scalar(e->c, scalar); break;
    case ASTTYPE_VECTOR: r = type_vector(e->c, t->width > 64 ? 0 : (int)t->width, type_scalar(e->c, scalar)); break;
    case ASTTYPE_SIZE: return FAIL(e, s, t->span, E04, "\"size\" is only the type of a helper's parameter");
    case ASTTYPE_TUPLE: case ASTTYPE_FUN: r = type_parts(e, s, t, sizes); break;
    case ASTTYPE_ARRAY: {
        if (sizes) {
            bind_sizes(e, t->size, sizes);
            s.env = *sizes;
        }
        const Nat *n = elab_size(e, s, t->size);
        const Type *elem = n ? elab_type(e, s, t->kids[0], sizes) : NULL;
        r = elem ? type_array(e->c, n, elem) : NULL;
    }
    }
    if (!r) elab_locate(e, s, t->span);
    return r;
}

bool annotation_match(Elab *e, Scope *s, const AstType *t, const Type *found)
{
    bool shape = true;
    if (t->kind == ASTTYPE_ARRAY) {
        shape = found->kind == TY_ARRAY;
        if (shape && t->size->kind == AST_NAME && isupper((unsigned char)*t->size->name)
            && !env_find(s->env, t->size->name)) {
            Env *b = env_bind(e, s->env, t->size->name, BIND_SIZE);
            b->nat = found->size;
            s->env = b;
        }
        if (shape) {
            const Nat *n = elab_size(e, *s, t->size);
            if (!n) return false;
            shape = n == found->size;
        }
        if (shape) return annotation_match(e, s, t->kids[0], found->elems[0]);
    } else if (t->kind == ASTTYPE_TUPLE && found->kind == TY_TUPLE && t->kid_count == found->count) {
        for (int i = 0; i < t->kid_count; i++)
            if (!annotation_match(e, s, t->kids[i], found->elems[i])) return false;
        return true;
    } else {
        const Type *need = elab_type(e, *s, t, NULL);
        if (!need) return false;
        shape = need == found;
    }
    if (!shape
        && diag_error_at(&e->c->diag, E04, s->source, t->span, "the value has type %s", type_text(e->c, found)))
        diag_note(&e->c->diag, "needs", "%.*s", (int)(t->span.to - t->span.from), s->source->text + t->span.from);
    return shape;
}

const Type *annotation_known(Elab *e, Scope s, const AstType *t)
{
    if (!t || t->kind == ASTTYPE_SIZE || t->kind == ASTTYPE_FUN || diag_failed(&e->c->diag)) return NULL;
    const Type *r = elab_type(e, s, t, NULL);
    if (!r) diag_clear(&e->c->diag);
    return r;
}

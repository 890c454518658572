/* elab_bind: binding patterns, arguments, and questions about syntax. */
#include "elab_private.h"

#include <string.h>

/* ---- questions about syntax ---- */

static bool ast_is_literal(const Ast *a)
{
    if (a->kind == AST_UNARY) return *a->name == '-' && ast_is_literal(a->kids[0]);
    return (a->kind == AST_INT || a->kind == AST_FLOAT) && a->suffix == SUFFIX_NONE;
}

bool ast_is_float_name(const char *name)
{
    return strcmp(name, "pi") == 0 || strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0;
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
        return b ? b->kind == BIND_LITERAL || b->kind == BIND_SIZE : ast_is_float_name(a->name);
    }
    case AST_APP: return a->kids[0]->kind == AST_NAME && strcmp(a->kids[0]->name, "length") == 0;
    default: return false;
    }
}

bool arg_is_flexible(const Arg *a) { return a->ast && is_flexible(a->scope.env, a->ast); }

bool ast_has_untyped_literal(const Ast *a)
{
    if (ast_is_literal(a)) return true;
    for (int i = 0; i < a->kid_count; i++)
        if (ast_has_untyped_literal(a->kids[i])) return true;
    return false;
}

PrimId elab_named_prim(const char *name)
{
    if (strcmp(name, "zip3") == 0 || strcmp(name, "zip4") == 0) return PRIM_ZIP;
    PrimId id = prim_from_name(name);
    switch ((int)id) {
    case PRIM_LET: case PRIM_TUPLE: case PRIM_PROJ: case PRIM_IF: case PRIM_LANE: case PRIM_NEG: return PRIM_COUNT;
    default: return id;
    }
}

/* How many arguments the text f takes before it is a value; 0 for data; large for zip. */

static int named_arity(const Elab *e, const Env *env, const char *name)
{
    const Env *b = env_find(env, name);
    if (b) {
        if (b->kind == BIND_FUN) return b->arity;
        return b->kind == BIND_CLOSURE ? elab_arity(e, b->env, b->ast) : 0;
    }
    const Def *d = defs_find(e->c, e->defs, name);
    if (d) return d->decl->param_count;
    if (strcmp(name, "length") == 0) return 1;
    PrimId id = elab_named_prim(name);
    if (id == PRIM_COUNT) return 0;
    int n = prim_arg_count(e->c, id);
    return n < 0 ? 2 : n + prim_static_count(e->c, id);
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

int elab_arity(const Elab *e, const Env *env, const Ast *f)
{
    switch (f->kind) {
    case AST_LAMBDA: return f->pat_count;
    case AST_OP: return 2;
    case AST_SECTION_LEFT: case AST_SECTION_RIGHT: return 1;
    case AST_BINARY: return *f->name == '.' || strcmp(f->name, "∘") == 0 ? 1 : 0;
    case AST_NAME: return named_arity(e, env, f->name);
    case AST_ANNOT: return elab_arity(e, env, f->kids[0]);
    case AST_APP: {
        int n = elab_arity(e, env, f->kids[0]);
        for (int i = 1; i < f->kid_count; i++) {
            const Env *list = f->kids[i]->kind == AST_SPREAD ? find_list(env, f->kids[i]->kids[0]) : NULL;
            n -= list ? list->count : 1;
        }
        return n > 0 && f->kids[0]->kind != AST_OP ? n : 0;
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

static int spread_length(Scope s, const AstPat *p, int missing, int spreads)
{
    if (spreads == 1) return missing;
    const Env *b = env_find(s.env, p->name);
    return b && b->kind == BIND_LIST ? b->count : -1;
}

/* Number of parts of pattern p against a tuple of `count` components, 1 of all of it; -1: does not fit. parts holds
 * ARG_MAX. */
static int pattern_parts(Scope s, const AstPat *p, int count, PatPart *parts)
{
    int spreads = 0, n = 0;
    for (int i = 0; i < p->kid_count; i++) spreads += p->kids[i]->spread;
    for (int i = 0; i < p->kid_count; i++) {
        const AstPat *k = p->kids[i];
        int times = k->spread ? spread_length(s, k, count - (p->kid_count - 1), spreads) : 1;
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
        else if (*p->name != '_' || p->name[1]) out[0] = h && h->hints ? h->hints[0] : p->name;
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

const char *const *pattern_hints_of(Elab *e, Scope s, const AstPat *p, const Type *t)
{
    const char **out = NEW_ARRAY(e->arena, const char *, hint_count(t));
    pattern_hints(e, s, p, 0, t, out);
    return out;
}

static bool bind_direct(Elab *e, Scope *s, const AstPat *p, const Term *t);

static bool bind_parts(Elab *e, Scope *s, const AstPat *p, const Term *t)
{
    PatPart parts[ARG_MAX];
    int n = pattern_parts(*s, p, tuple_count(t->type), parts);
    if (n < 0) {
        diag_error_at(&e->c->diag, E04, s->source, p->span, "a pattern of %d parts cannot take %s apart",
                      p->kid_count,
                      type_text(e->c, t->type));
        return false;
    }
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
        Env *b = env_bind(e, s->env, k->name, BIND_LIST);
        b->terms = list;
        b->count = i - from;
        b->depth = s->depth;
        s->env = b;
    }
    for (int i = 0; i < p->kid_count; i++) {                  /* spreads that stand for nothing */
        bool present = false;
        for (int j = 0; j < n; j++) present |= parts[j].pat == p->kids[i];
        if (!present) s->env = env_bind(e, s->env, p->kids[i]->name, BIND_LIST);
    }
    return true;
}

/* Bind the names of a pattern to t and its components, without a binder. */
static bool bind_direct(Elab *e, Scope *s, const AstPat *p, const Term *t)
{
    if (!t) return false;
    if (p->annot && !annotation_match(e, s, p->annot, t->type)) return false;
    if (!p->name) return bind_parts(e, s, p, t);
    if (*p->name == '_' && !p->name[1]) return true;
    Env *b = env_bind(e, s->env, p->name, BIND_TERM);
    b->term = t;
    b->depth = s->depth;
    s->env = b;
    return true;
}

static bool bind_value(Elab *e, Scope *s, const AstPat *p, const Term *t, Binder **binders);

static bool bind_components(Elab *e, Scope *s, const AstPat *p, const Term *t, Binder **binders)
{
    int depth = s->depth;
    for (int i = 0; i < p->kid_count; i++)
        if (!bind_value(e, s, p->kids[i], elab_shift(e, t->args[i], depth, s->depth), binders)) return false;
    return true;
}

/* Bind a pattern to the value t (at s->depth): atoms and layouts by themselves, what computes through a binder. */
static bool bind_value(Elab *e, Scope *s, const AstPat *p, const Term *t, Binder **binders)
{
    if (!t) return false;
    bool literal_tuple = t->kind == T_PRIM && t->prim == PRIM_TUPLE;
    if (!p->name && !p->annot && literal_tuple && p->kid_count == t->arg_count) {
        bool spread = false;
        for (int i = 0; i < p->kid_count; i++) spread |= p->kids[i]->spread;
        if (!spread) return bind_components(e, s, p, t, binders);
    }
    if (term_is_atom(t) || term_is_layout(t)) return bind_direct(e, s, p, t);
    Binder *b = NEW(e->arena, Binder);
    *b = (Binder){t, pattern_hints_of(e, *s, p, t->type), *binders};
    *binders = b;
    s->depth += t->type->leaf_count;
    return bind_direct(e, s, p, term_param(e->c, t->type, 0));
}

const Term *binders_wrap(Elab *e, Binder *b, const Term *body)
{
    for (; b && body; b = b->outer) body = term_let(e->c, b->value, term_lam(e->c, b->value->type, body, b->hints));
    return body;
}

static void bind_syntax(Elab *e, Scope *s, const char *name, BindKind kind, const Arg *a)
{
    Env *b = env_bind(e, s->env, name, kind);
    b->ast = a->ast;
    b->env = a->scope.env;
    b->source = a->scope.source;
    s->env = b;
}

const Nat *elab_mode_named(Elab *e, const Env *env, const Ast *a)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b) return b->kind == BIND_MODE ? b->nat : NULL;
    for (int i = 0; a->kind == AST_NAME && i < PAD_MODES; i++)
        if (strcmp(a->name, pad_mode_name((PadMode)i)) == 0) return nat_const(e->c->nats, i);
    return NULL;
}

/* Is the argument of an untyped parameter a padding mode, and nothing else that has this name? */
static const Nat *mode_argument(Elab *e, const AstPat *p, const Arg *a)
{
    const Nat *mode = a->ast && p->name && !p->annot ? elab_mode_named(e, a->scope.env, a->ast) : NULL;
    bool defined = mode && !env_find(a->scope.env, a->ast->name) && defs_find(e->c, e->defs, a->ast->name);
    return defined ? NULL : mode;
}

bool binders_bind_arg(Elab *e, Scope *s, const AstPat *p, const Arg *a, Binder **binders)
{
    if (p->annot && p->annot->kind == ASTTYPE_SIZE && a->ast) {
        Env *b = env_bind(e, s->env, p->name, BIND_SIZE);
        b->nat = elab_size(e, (Scope){a->scope.env, s->depth, a->scope.source}, a->ast);
        s->env = b;
        return b->nat != NULL;
    }
    const Nat *mode = mode_argument(e, p, a);
    if (mode) {
        Env *b = env_bind(e, s->env, p->name, BIND_MODE);
        b->nat = mode;
        s->env = b;
        return true;
    }
    if (a->ast && p->name && elab_arity(e, a->scope.env, a->ast) > 0) {
        bind_syntax(e, s, p->name, BIND_CLOSURE, a);
        return true;
    }
    if (a->ast && p->name && !p->annot && ast_is_literal(a->ast)) {
        bind_syntax(e, s, p->name, BIND_LITERAL, a);
        return true;
    }
    return bind_value(e, s, p, arg_term(e, a, s->depth, annotation_known(e, *s, p->annot)), binders);
}

/* Every list named in a is bound to its i-th element. */
static const Env *select_element(Elab *e, const Env *env, const Ast *a, int i)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b && b->kind == BIND_LIST && i < b->count) {
        Env *one = env_bind(e, env, a->name, BIND_TERM);
        one->term = b->terms[i];
        one->depth = b->depth;
        return one;
    }
    const Env *out = env;
    for (int k = 0; k < a->kid_count; k++) out = select_element(e, out, a->kids[k], i);
    return out;
}

int args_expand(Elab *e, const Arg *args, int n, Arg *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        const Ast *a = args[i].ast;
        bool spread = a && a->kind == AST_SPREAD;
        const Env *list = spread ? find_list(args[i].scope.env, a->kids[0]) : NULL;
        if (spread && !list) {
            diag_error_at(&e->c->diag, E04, args[i].scope.source, a->span, "nothing here stands for a list");
            return -1;
        }
        int times = spread ? list->count : 1;
        for (int j = 0; j < times; j++, k++) {
            if (k == ARG_MAX) {
                diag_error_at(&e->c->diag, E08, args[i].scope.source, a ? a->span
                                                                        : (Span){0, 0}, "too many arguments");
                return -1;
            }
            out[k] = args[i];
            if (!spread) continue;
            out[k].ast = a->kids[0];
            out[k].scope.env = select_element(e, args[i].scope.env, a->kids[0], j);
        }
    }
    return k;
}

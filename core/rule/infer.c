/* infer: both sides of a rule typed together, by unification, in reading order: types and sizes with variables; names,
 * metavariables, sizes, patterns and arguments; calls of primitives; expressions; conditions, a whole rule; legal values of its
 * sizes, and facts that are missing.
 *
 * Everything lives in Infer.arena. NULL or false: infer_bad has reported (Infer.failed), or what was drawn
 * fits no instance (Infer.bad_draw); then all that follows returns NULL too. */
#include "check_private.h"
#include "scheme.h"

#include <stdlib.h>
#include <string.h>

enum { INFER_FUEL = 20000, COUNT_DRAWS = 3, COUNT_MOST = 300 };

static const int all_widths[] = {2, 3, 4, 8, 16};

/* One of n: drawn, or the next of all. */
static int64_t draw(Infer *in, int64_t n)
{
    Choices *all = in->choices;
    if (!all) return rng_below(in->rng, n);
    if (all->at == COUNT(all->chosen)) return in->bad_draw = true, 0;
    if (all->at == all->count) all->chosen[all->count] = 0, all->of[all->count++] = n;
    return all->chosen[all->at++];
}

bool choices_next(Choices *all)
{
    while (all->count && all->chosen[all->count - 1] + 1 == all->of[all->count - 1]) all->count--;
    all->at = 0;
    return all->count && ++all->chosen[all->count - 1];
}

/* ---- types ---- */

static IType *itype_new(Infer *in, IKind kind, int count)
{
    return MAKE(in->arena, IType, .kind = kind, .count = count, .kids = NEW_ARRAY(in->arena, IType *, count));
}

static IType *itype_fresh(Infer *in, IClass cls) { return MAKE(in->arena, IType, .kind = I_VAR, .cls = cls, .id = in->next_var++); }

static IType *itype_scalar(Infer *in, Scalar s) { return MAKE(in->arena, IType, .kind = I_SCALAR, .scalar = s); }

/* An array or a vector. */
static IType *itype_sized(Infer *in, IKind kind, const Nat *size, IType *elem)
{
    IType *t = itype_new(in, kind, 1);
    t->size = size;
    t->kids[0] = elem;
    return t;
}

static IType *itype_fun(Infer *in, IType *from, IType *to)
{
    IType *t = itype_new(in, I_FUN, 2);
    t->kids[0] = from;
    t->kids[1] = to;
    return t;
}

/* Of one: itself. */
static IType *itype_tuple(Infer *in, IType *const *parts, int n)
{
    if (n == 1) return parts[0];
    IType *t = itype_new(in, I_TUPLE, n);
    memcpy(t->kids, parts, sizeof *parts * (size_t)n);
    return t;
}

/* A size variable replaced; open types are shared. */
static IType *itype_subst(Infer *in, IType *t, const NatBinding *b)
{
    t = itype_now(in, t);
    if (t->kind == I_VAR) return t;
    IType *copy = itype_new(in, t->kind, t->count);
    copy->scalar = t->scalar;
    copy->size = t->size ? nat_subst(in->c->nats, size_now(in, t->size), b, 1, NULL) : NULL;
    for (int i = 0; i < t->count; i++) copy->kids[i] = itype_subst(in, t->kids[i], b);
    return copy;
}

/* A vector of tuples is a tuple of vectors. */
IType *itype_now(Infer *in, IType *t)
{
    while (t->kind == I_VAR && t->link) t = t->link;
    if (t->kind != I_VECTOR) return t;
    IType *e = itype_now(in, t->kids[0]);
    if (e->kind != I_TUPLE) return t;
    IType *parts[ARG_MAX];
    for (int i = 0; i < e->count; i++) parts[i] = itype_now(in, itype_sized(in, I_VECTOR, t->size, e->kids[i]));
    return itype_tuple(in, parts, e->count);
}

IType *itype_of(Infer *in, const Type *t)
{
    if (t->kind == TY_SCALAR) return itype_scalar(in, t->scalar);
    if (t->kind == TY_VECTOR) return itype_sized(in, I_VECTOR, nat_const(in->c->nats, t->width), itype_scalar(in, t->scalar));
    if (t->kind == TY_ARRAY) return itype_sized(in, I_ARRAY, t->size, itype_of(in, t->elems[0]));
    IType *out = itype_new(in, t->kind == TY_FUN ? I_FUN : I_TUPLE, t->count);
    for (int i = 0; i < t->count; i++) out->kids[i] = itype_of(in, t->elems[i]);
    return out;
}

static void print_itype(Infer *in, IType *t, Buf *out)
{
    if (out->len > 400) return;
    static const char *const classes[] = {"a", "s", "s", "num", "flt", "int"};
    t = itype_now(in, t);
    switch (t->kind) {
    case I_VAR: buf_printf(out, "%s%d", classes[t->cls], t->id); return;
    case I_SCALAR: buf_puts(out, scalar_name(t->scalar)); return;
    case I_ARRAY: case I_VECTOR:
        buf_putc(out, t->kind == I_ARRAY ? '[' : '<');
        nat_print(size_now(in, t->size), 0, out);
        buf_putc(out, t->kind == I_ARRAY ? ']' : '>');
        print_itype(in, t->kids[0], out);
        return;
    default:
        if (t->kind == I_TUPLE) buf_putc(out, '(');
        for (int i = 0; i < t->count; i++) {
            if (i) buf_puts(out, t->kind == I_TUPLE ? ", " : " -> ");
            print_itype(in, t->kids[i], out);
        }
        if (t->kind == I_TUPLE) buf_putc(out, ')');
    }
}

static const char *itype_text(Infer *in, IType *t) { return TEXT_OF(in->arena, b, print_itype(in, t, &b)); }

/* ---- errors ---- */

/* E30, the first one; false. */
static bool PRINTF_LIKE(3, 4) infer_bad(Infer *in, Span span, const char *fmt, ...)
{
    if (in->failed || in->bad_draw) return false;
    in->failed = true;
    diag_error_at(&in->c->diag, E30, in->source, span, "%s", FORMATTED(in->arena, fmt));
    return false;
}

/* NULL. */
static void *infer_wrong_draw(Infer *in)
{
    in->bad_draw = true;
    return NULL;
}

/* ---- sizes ---- */

static const Nat *size_const(Infer *in, int64_t v) { return nat_const(in->c->nats, v); }

const Nat *size_now(Infer *in, const Nat *n)
{
    if (!n || n->is_const) return n;
    return nat_subst(in->c->nats, n, in->solved.v, in->solved.n, NULL);
}

static const Nat *size_fresh(Infer *in)
{
    static const char letters[] = "NMKLRSTUVW";
    int k = in->next_size++, n = (int)sizeof letters - 1;
    const char *name = k < n ? arena_printf(in->arena, "%c", letters[k])
                             : arena_printf(in->arena, "%c%d", letters[k % n], k / n);
    const Nat *v = nat_var(in->c->nats, name, VAR_SIZE, NULL, NULL);
    vec_push(&in->open, nat_atom(v));
    return v;
}

static void size_solve(Infer *in, const NatAtom *v, const Nat *value)
{
    NatBinding b = {v, value};
    for (int i = 0; i < in->solved.n; i++) {
        NatBinding *old = &in->solved.v[i];
        old->value = nat_subst(in->c->nats, old->value, &b, 1, NULL);
        if (!old->value) in->bad_draw = true;
    }
    vec_push(&in->solved, b);
}

static bool itype_mentions(Infer *in, IType *t, const NatAtom *v)
{
    t = itype_now(in, t);
    return (t->size && nat_mentions(size_now(in, t->size), v)) || ANY(i, t->count, itype_mentions(in, t->kids[i], v));
}

/* Is it a size of the left side? Where that has an `x` of any type, it is the right side that says what sizes x has. */
static bool of_left(Infer *in, int open)
{
    return open < in->left_open || ANY(i, in->metas.n, in->metas.v[i]->kind == META_DATA && itype_mentions(in, in->metas.v[i]->type, in->open.v[open]));
}

/* The same once all types are inferred: each instance asks again. */
static bool known_of_left(Infer *in, int open)
{
    uint64_t bit = open < 64 ? (uint64_t)1 << open : 0;
    if (!bit) return of_left(in, open);
    if (!(in->left_known & bit) && of_left(in, open)) in->left |= bit;
    in->left_known |= bit;
    return in->left & bit;
}

/* Does it mention a size that only the right side has? */
static bool only_right(Infer *in, const Nat *n)
{
    for (int i = in->left_open; in->right && i < in->open.n; i++)
        if (in->open.v[i]->var != VAR_PARAM && nat_mentions(n, in->open.v[i]) && !of_left(in, i)) return true;
    return false;
}

/* Solve a = b for an open variable: unnamed sizes before the rule's parameters. 1 solved or equal, 0 cannot be,
 * -1 undecided. */
static int unify_once(Infer *in, const Nat *a, const Nat *b)
{
    Nats *n = in->c->nats;
    a = size_now(in, a);
    b = size_now(in, b);
    if (a == b) return a != NULL;
    const Nat *d = nat_sub(n, a, b);
    if (!d || d->is_const || (a->is_const && b->is_const)) return 0;
    bool mentioned = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = in->open.n - 1; i >= 0; i--) {
            const NatAtom *v = in->open.v[i];
            if ((v->var == VAR_PARAM) != (pass == 1) || !nat_mentions(d, v)) continue;
            mentioned = true;
            const Nat *value = nat_solve(n, d, v, size_const(in, 0));
            /* The left side has any size, not only multiples of what the right side cuts it into. */
            if (!value || (in->right && only_right(in, value) && of_left(in, i))) continue;
            if (value->is_const && value->value < 1) return 0;
            size_solve(in, v, value);
            return 1;
        }
    return mentioned ? -1 : 0;
}

/* What is undecided waits in Infer.later; false: it cannot be. */
static bool size_unify(Infer *in, const Nat *a, const Nat *b)
{
    int r = unify_once(in, a, b);
    if (r < 0) {
        SizeEquation e = {a, b};
        vec_push(&in->later, e);
    }
    return r != 0;
}

/* Postponed equations again, until none moves. */
static bool size_unify_later(Infer *in)
{
    for (bool moved = true; moved;) {
        moved = false;
        int n = in->later.n;
        in->later.n = 0;
        for (int i = 0; i < n; i++) {
            SizeEquation e = in->later.v[i];
            int r = unify_once(in, e.a, e.b);
            if (r == 0) return false;
            if (r < 0) in->later.v[in->later.n++] = e;
            else moved = true;
        }
    }
    return true;
}

/* ---- unification of types ---- */

static bool occurs(Infer *in, const IType *v, IType *t)
{
    t = itype_now(in, t);
    if (t == v || in->fuel-- <= 0) return true;
    return ANY(i, t->count, occurs(in, v, t->kids[i]));
}

static bool itype_restrict(Infer *in, IType *t, IClass cls)
{
    t = itype_now(in, t);
    if (cls == IC_DATA) return t->kind != I_FUN;
    if (t->kind == I_SCALAR) {
        if (cls == IC_INT) return scalar_is_int(t->scalar);
        if (cls == IC_FLOAT) return scalar_is_float(t->scalar);
        return cls != IC_NUMERIC || scalar_is_numeric(t->scalar);
    }
    if (t->kind == I_VAR) {
        if ((t->cls == IC_FLOAT && cls == IC_INT) || (t->cls == IC_INT && cls == IC_FLOAT)) return false;
        if (cls > t->cls) t->cls = cls;
        return true;
    }
    if (t->kind != I_TUPLE || cls != IC_SCALARS) return false;
    return ALL(i, t->count, itype_restrict(in, t->kids[i], cls));
}

static bool bind_var(Infer *in, IType *v, IType *t)
{
    if (occurs(in, v, t) || !itype_restrict(in, t, v->cls)) return false;
    v->link = t;
    return true;
}

/* A vector whose element is open against a tuple: the element is a tuple too. */
static bool unify_vector_tuple(Infer *in, IType *v, IType *t)
{
    IType *parts[ARG_MAX];
    for (int i = 0; i < t->count; i++) parts[i] = itype_fresh(in, IC_SCALARS);
    return itype_unify(in, v->kids[0], itype_tuple(in, parts, t->count)) && itype_unify(in, v, t);
}

bool itype_unify(Infer *in, IType *a, IType *b)
{
    a = itype_now(in, a);
    b = itype_now(in, b);
    if (a == b) return true;
    if (in->fuel-- <= 0) return false;
    if (a->kind == I_VAR) return bind_var(in, a, b);
    if (b->kind == I_VAR) return bind_var(in, b, a);
    if (a->kind == I_VECTOR && b->kind == I_TUPLE) return unify_vector_tuple(in, a, b);
    if (b->kind == I_VECTOR && a->kind == I_TUPLE) return unify_vector_tuple(in, b, a);
    if (a->kind != b->kind || a->count != b->count) return false;
    if (a->kind == I_SCALAR) return a->scalar == b->scalar;
    if (a->size && !size_unify(in, a->size, b->size)) return false;
    return ALL(i, a->count, itype_unify(in, a->kids[i], b->kids[i]));
}

/* Unifies, or says that who needs the one and was given the other. */
static bool itype_need(Infer *in, Span span, const char *who, IType *want, IType *found)
{
    if (itype_unify(in, want, found)) return true;
    bool first = !in->failed && !in->bad_draw;
    infer_bad(in, span, "%s needs %s, found %s", who, itype_text(in, want), itype_text(in, found));
    if (first && in->failed) {
        diag_note(&in->c->diag, "needs", "%s", itype_text(in, want));
        diag_note(&in->c->diag, "found", "%s", itype_text(in, found));
    }
    return false;
}

/* ---- names, metavariables ---- */

/* What is bound has a type (BIND_TERM), is a list of such, or syntax that is read where it was written (BIND_CLOSURE). An argument is
 * syntax, or has a type. */

static IType *infer_expr(Infer *in, const Env *env, const Ast *a);
static IType *infer_apply(Infer *in, const Env *env, const Ast *f, const Arg *args, int n, Span call);

static Meta *meta_find(Infer *in, const char *name)
{
    for (int i = 0; i < in->metas.n; i++)
        if (in->metas.v[i]->name == name) return in->metas.v[i];
    return NULL;
}

/* Of the rule; NULL: none of that name. */
static const RuleParam *infer_param(const Infer *in, const char *name)
{
    return FIND(in->rule->params, in->rule->param_count, name, name);
}

static Meta *meta_new(Infer *in, const char *name, MetaKind kind)
{
    Meta *m = MAKE(in->arena, Meta, .name = name, .kind = kind);
    vec_push(&in->metas, m);
    return m;
}

/* The metavariable of that kind; NULL: it is another kind, or a name that the right side may not introduce. */
static Meta *meta_of(Infer *in, const Ast *a, MetaKind kind)
{
    Meta *m = meta_find(in, a->name);
    if (m && m->kind == kind) return m;
    if (m) infer_bad(in, a->span, "\"%s\" is used as two different things", a->name);
    else if (in->right) infer_bad(in, a->span, "the left side does not bind \"%s\"", a->name);
    else return meta_new(in, a->name, kind);
    return NULL;
}

/* ---- parameters and what stands in their places ---- */

/* A parameter, drawn where types leave it open. */
static Meta *meta_static(Infer *in, const char *name, StaticKind kind)
{
    Meta *m = meta_find(in, name);
    if (m) return m;
    const RuleParam *p = infer_param(in, name);
    m = meta_new(in, name, META_STATIC);
    m->skind = p ? p->kind : kind;
    m->given = p && p->given;
    static const int widths[] = {2, 2, 2, 4, 4, 8};
    switch (m->skind) {
    case STATIC_SIZE:
        m->nat = nat_var(in->c->nats, name, VAR_PARAM, NULL, NULL);
        vec_push(&in->open, nat_atom(m->nat));
        break;
    case STATIC_PERM:
        m->perm = (PermKind)draw(in, PERM_KINDS);
        m->nat = m->perm == PERM_ROTATE || m->perm == PERM_STRIDE ? size_fresh(in) : size_const(in, 0);
        break;
    case STATIC_DIM: m->nat = size_const(in, draw(in, 3)); break;
    case STATIC_WIDTH:
        m->nat = size_const(in, in->choices ? all_widths[draw(in, COUNT(all_widths))] : widths[draw(in, COUNT(widths))]);
        break;
    default: m->nat = size_const(in, draw(in, PAD_MODES)); break;
    }
    return m;
}

static const Nat *size_operator(Infer *in, const char *op, const Nat *x, const Nat *y)
{
    if (strcmp(op, "/") != 0) return nat_operator(in->c->nats, op, x, y);
    /* Exact: a variable where it does not show. */
    const Nat *q = nat_exact(in->c->nats, size_now(in, x), size_now(in, y));
    if (q) return q;
    if (x->is_const && y->is_const) return infer_wrong_draw(in);
    q = size_fresh(in);
    return size_unify(in, nat_mul(in->c->nats, q, y), x) ? q : infer_wrong_draw(in);
}

static const Nat *infer_length(Infer *in, const Arg *x, Span span)
{
    IType *t = x->ast ? infer_expr(in, x->scope.env, x->ast) : x->type;
    if (!t) return NULL;
    const Nat *n = size_fresh(in);
    return itype_need(in, span, "length", itype_sized(in, I_ARRAY, n, itype_fresh(in, IC_DATA)), t)
            ? size_now(in, n) : NULL;
}

static const Nat *infer_size(Infer *in, const Env *env, const Ast *a)
{
    if (a->kind == AST_INT) return size_const(in, a->ival);
    if (a->kind == AST_BINARY) {
        const Nat *x = infer_size(in, env, a->kids[0]), *y = x ? infer_size(in, env, a->kids[1]) : NULL;
        if (!y) return NULL;
        if (nat_is_operator(a->name)) return size_operator(in, a->name, x, y);
        return infer_bad(in, a->span, "\"%s\" is no operator of sizes", a->name), NULL;
    }
    if (a->kind == AST_NAME) {
        const Env *b = env_find(env, a->name);
        if (b && b->ast) return infer_size(in, b->env, b->ast);
        Meta *m = b ? NULL : meta_static(in, a->name, STATIC_SIZE);
        if (m && m->nat) return m->nat;
    }
    const char *head = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0]->name : "";
    if (a->kid_count == 2 && strcmp(head, "length") == 0)
        return infer_length(in, &(Arg){.ast = a->kids[1], .scope.env = env}, a->kids[1]->span);
    if (a->kid_count == 3 && (strcmp(head, "min") == 0 || strcmp(head, "max") == 0)) {
        const Nat *x = infer_size(in, env, a->kids[1]), *y = x ? infer_size(in, env, a->kids[2]) : NULL;
        return !y ? NULL : head[1] == 'i' ? nat_min(in->c->nats, x, y) : nat_max(in->c->nats, x, y);
    }
    return infer_bad(in, a->span, "a size is needed here"), NULL;
}

/* A count that must be a number while types are found: every variable in it is drawn. */
static const Nat *infer_count(Infer *in, const Env *env, const Ast *a)
{
    const Nat *n = size_now(in, infer_size(in, env, a));
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n; i++) {
        bool far = in->far && in->far <= COUNT_MOST && draw(in, 2);
        in->counted = true;
        size_solve(in, vars.v[i], size_const(in, far ? in->far : 1 + draw(in, COUNT_DRAWS)));
    }
    n = size_now(in, n);
    return n && n->is_const && n->value >= 1 ? n : in->failed ? NULL : infer_wrong_draw(in);
}

/* A fact that a primitive demands. */
static void infer_fact(Infer *in, FactKind kind, const Nat *a, const Nat *b)
{
    SizeCond k = {.fact = {kind, a, b}};
    if (!a || !b) return;
    if (in->right) vec_push(&in->needs, k);
    else vec_push(&in->conds, k);
}

/* The permutation of a reorder; a stride must divide the length. A permutation that the call gives
 * is legal where it is used. */
static bool infer_permutation(Infer *in, const Env *env, const Ast *a, const Nat *length)
{
    const Ast *head = a->kind == AST_APP ? a->kids[0] : a;
    PermKind kind = head->kind == AST_NAME ? perm_kind_from_name(head->name) : PERM_KINDS;
    if (kind == PERM_KINDS && a->kind != AST_NAME)
        return infer_bad(in, a->span, "a permutation is reverse, (rotate k), (stride s) or a parameter");
    if (kind == PERM_KINDS) {
        Meta *m = meta_static(in, head->name, STATIC_PERM);
        if (m->kind != META_STATIC || m->skind != STATIC_PERM)
            return infer_bad(in, head->span, "\"%s\" is no permutation", head->name);
        if (m->perm == PERM_FUN && m->perm_length && size_now(in, m->perm_length) != size_now(in, length))
            return infer_wrong_draw(in) != NULL;
        m->perm_length = length;
        SizeCond k = {.fact = {FACT_DIVIDES, m->nat, length}};
        if (m->perm == PERM_STRIDE) vec_push(&in->conds, k);
        return true;
    }
    if (kind == PERM_REVERSE) return true;
    if (a->kind != AST_APP || a->kid_count != (kind == PERM_FUN ? 3 : 2))
        return infer_bad(in, a->span, "%s lacks its argument", head->name);
    const Nat *k = kind == PERM_FUN ? length : infer_size(in, env, a->kids[1]);
    if (k && kind == PERM_STRIDE) infer_fact(in, FACT_DIVIDES, k, length);
    return k != NULL;
}

/* ---- binding patterns ---- */

static int list_count(Infer *in, const Env *env, const AstPat *p, IType *t, int fixed, int spreads)
{
    t = itype_now(in, t);
    if (spreads == 1 && (t->kind == I_TUPLE || (t->kind != I_VAR && fixed == 0)))
        return (t->kind == I_TUPLE ? t->count : 1) - fixed;
    const Env *b = env_find(env, p->name);
    if (b && b->kind == BIND_LIST) return b->count;
    const Meta *m = meta_find(in, p->name);
    return m && m->kind == META_LIST ? m->count : in->right ? -1 : (int)draw(in, 3);
}

/* env never NULL on success: a nameless binding stands for the empty one. */
static const Env *bind_pattern(Infer *in, const Env *env, const AstPat *p, IType *t)
{
    if (!t) return NULL;
    if (!p->name) {
        int spreads = 0, n = 0, counts[ARG_MAX];
        IType *parts[ARG_MAX];
        for (int i = 0; i < p->kid_count; i++) spreads += p->kids[i]->spread;
        for (int i = 0; i < p->kid_count && i < ARG_MAX; i++) {
            counts[i] = p->kids[i]->spread ? list_count(in, env, p->kids[i], t, p->kid_count - 1, spreads) : 1;
            if (counts[i] < 0 || n + counts[i] > ARG_MAX) return infer_wrong_draw(in);
            for (int j = 0; j < counts[i]; j++) parts[n++] = itype_fresh(in, IC_DATA);
        }
        if (n == 0) return infer_wrong_draw(in);
        if (!itype_need(in, p->span, "this pattern", itype_tuple(in, parts, n), t)) return NULL;
        for (int i = 0, k = 0; i < p->kid_count && env; k += counts[i++]) {
            if (p->kids[i]->spread)
                BIND(in->arena, &env, p->kids[i]->name, BIND_LIST, .count = counts[i],
                     .types = arena_copy(in->arena, parts + k, sizeof *parts * (size_t)counts[i]));
            else env = bind_pattern(in, MAKE(in->arena, Env, .next = env), p->kids[i], parts[k]);
        }
        return env;
    }
    return BIND(in->arena, &env, strcmp(p->name, "_") == 0 ? NULL : p->name, BIND_TERM, .type = t);
}

static IType *infer_arg(Infer *in, const Arg *a) { return a->ast ? infer_expr(in, a->scope.env, a->ast) : a->type; }

/* The list that a spread repeats over. */
static const Env *spread_list(Infer *in, const Env *env, const Ast *a)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b && b->kind == BIND_LIST) return b;
    const Meta *m = a->kind == AST_NAME && !b ? meta_find(in, a->name) : NULL;
    if (m && m->kind == META_LIST) return MAKE(in->arena, Env, .name = a->name, .kind = BIND_LIST, .count = m->count, .types = m->list);
    for (int i = 0; i < a->kid_count; i++)
        if ((b = spread_list(in, env, a->kids[i]))) return b;
    return NULL;
}

static const Env *select_element(Infer *in, const Env *env, const Ast *a, int i)
{
    const Env *l = a->kind == AST_NAME ? spread_list(in, env, a) : NULL;
    if (l) return i < l->count ? BIND(in->arena, &env, a->name, BIND_TERM, .type = l->types[i]) : env;
    for (int k = 0; k < a->kid_count; k++) env = select_element(in, env, a->kids[k], i);
    return env;
}

/* Arguments with their spreads repeated; -1 after an error. out holds ARG_MAX. */
static int expand(Infer *in, const Arg *args, int n, Arg *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        const Ast *a = args[i].ast;
        if (!a || a->kind != AST_SPREAD) {
            if (k == ARG_MAX) return -1;
            out[k++] = args[i];
            continue;
        }
        const Ast *inner = a->kids[0], *named = inner->kind == AST_APP ? inner->kids[inner->kid_count - 1] : inner;
        const Env *l = spread_list(in, args[i].scope.env, inner);
        const Meta *known = l || named->kind != AST_NAME ? NULL : meta_find(in, named->name);
        if (!l && named->kind == AST_NAME && !in->right && !(known && known->kind == META_LIST)) {
            Meta *m = meta_new(in, named->name, META_LIST);
            m->count = (int)draw(in, 3);
            m->list = NEW_ARRAY(in->arena, IType *, m->count);
            for (int j = 0; j < m->count; j++) m->list[j] = itype_fresh(in, IC_DATA);
            l = spread_list(in, args[i].scope.env, inner);
        }
        if (!l) return infer_bad(in, a->span, "no list stands in this spread"), -1;
        for (int j = 0; j < l->count; j++) {
            if (k == ARG_MAX) return -1;
            out[k++] = (Arg){.ast = inner, .scope.env = select_element(in, args[i].scope.env, inner, j)};
        }
    }
    return k;
}

/* Arguments with their spreads repeated; how many, -1 after an error. out holds ARG_MAX. */
static int infer_args(Infer *in, const Arg *args, int n, IType **out)
{
    Arg *all = NEW_ARRAY(in->arena, Arg, ARG_MAX);
    int k = expand(in, args, n, all);
    for (int i = 0; i < k; i++)
        if (!(out[i] = infer_arg(in, &all[i]))) return -1;
    return k;
}

/* One instance of a scheme: fresh types and sizes for its letters. */
typedef struct Instantiation {
    const Scheme *scheme;
    IType *types[SCHEME_TYPE_VARS];
    const Nat *nats[SCHEME_NAT_VARS];
} Instantiation;

static const Nat *scheme_size(Infer *in, Instantiation *k, const SchemeNat *s)
{
    if (*s->op == 'c') return size_const(in, s->value);
    if (!*s->op) {
        if (!k->nats[s->var]) k->nats[s->var] = size_fresh(in);
        return k->nats[s->var];
    }
    const Nat *a = scheme_size(in, k, s->a), *b = scheme_size(in, k, s->b);
    return a && b ? size_operator(in, s->op, a, b) : NULL;
}

static IType *scheme_type(Infer *in, Instantiation *k, const SchemeType *s)
{
    if (s->kind == SCH_VAR) {
        static const IClass classes[] = {
            [CLASS_DATA] = IC_DATA, [CLASS_SCALAR] = IC_SCALAR, [CLASS_NUMERIC] = IC_NUMERIC, [CLASS_FLOAT] = IC_FLOAT,
            [CLASS_INT] = IC_INT, [CLASS_W32] = IC_SCALAR, [CLASS_W64] = IC_SCALAR};
        if (!k->types[s->var]) k->types[s->var] = itype_fresh(in, classes[k->scheme->classes[s->var]]);
        return k->types[s->var];
    }
    if (s->kind == SCH_SCALAR) return itype_scalar(in, s->scalar);
    IType *kids[4];
    for (int i = 0; i < s->count; i++)
        if (!(kids[i] = scheme_type(in, k, s->kids[i]))) return NULL;
    if (s->kind == SCH_TUPLE) return itype_tuple(in, kids, s->count);
    if (s->kind == SCH_FUN) return itype_fun(in, kids[0], kids[1]);
    const Nat *size = scheme_size(in, k, s->size);
    if (!size || (s->kind == SCH_VECTOR && !itype_restrict(in, kids[0], IC_SCALARS)))
        return infer_wrong_draw(in);
    return itype_sized(in, s->kind == SCH_ARRAY ? I_ARRAY : I_VECTOR, size, kids[0]);
}

static const Nat *static_value(Infer *in, StaticKind kind, const Env *env, const Ast *a)
{
    const Env *b = a->kind == AST_NAME ? env_find(env, a->name) : NULL;
    if (b && b->ast) return static_value(in, kind, b->env, b->ast);
    if (kind == STATIC_SIZE) return infer_size(in, env, a);
    if (a->kind == AST_INT) return size_const(in, a->ival);
    if (a->kind != AST_NAME) return NULL;
    PadMode mode = kind == STATIC_MODE ? pad_mode_from_name(a->name) : PAD_MODES;
    return mode == PAD_MODES ? meta_static(in, a->name, kind)->nat : size_const(in, mode);
}

static IType *call_scheme(Infer *in, PrimId id, const Arg *args, int n, Span call)
{
    Instantiation k = {.scheme = prim_scheme(in->c, id)};
    int statics = k.scheme->static_count, need = k.scheme->arg_count;
    for (int i = 0; i < statics && n > statics; i++) {
        const Nat *v = args[i].ast ? static_value(in, k.scheme->statics[i].kind, args[i].scope.env, args[i].ast) : NULL;
        if (!v) return NULL;
        k.nats[k.scheme->statics[i].nat_var] = v;
    }
    args += statics;
    n -= statics;
    if (n == 1 && need > 1 && prim(id)->family == FAM_SCALAR && (!args->ast || args->ast->kind != AST_SPREAD)) {
        Arg *out = NEW_ARRAY(in->arena, Arg, need);
        IType *t = infer_arg(in, args), *parts[4];
        for (int i = 0; i < need; i++) parts[i] = out[i].type = itype_fresh(in, IC_DATA);
        args = t && itype_need(in, call, prim(id)->name, itype_tuple(in, parts, need), t) ? out : NULL;
        n = args ? need : 0;
    }
    if (n != need) return infer_bad(in, call, "%s takes %d arguments", prim(id)->name, statics + need), NULL;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < k.scheme->arg_count; i++) {
            const SchemeType *s = k.scheme->args[i];
            if ((s->kind == SCH_FUN) != (pass == 1)) continue;
            IType *want = scheme_type(in, &k, s), *found;
            if (!want) return NULL;
            if (pass == 0) found = infer_arg(in, &args[i]);
            else {
                Arg one = {.type = want->kids[0]};
                found = args[i].ast ? infer_apply(in, args[i].scope.env, args[i].ast, &one, 1, args[i].ast->span) : NULL;
                want = want->kids[1];
            }
            if (!found || !itype_need(in, args[i].ast ? args[i].ast->span : call, prim(id)->name, want, found))
                return NULL;
        }
    for (int i = 0; i < k.scheme->fact_count; i++) {
        const SchemeFact *f = &k.scheme->facts[i];
        infer_fact(in, f->kind, scheme_size(in, &k, f->a), scheme_size(in, &k, f->b));
    }
    return scheme_type(in, &k, k.scheme->result);
}

/* f takes [p]a to [p/c]a for every p; c is found from a function that is written out, drawn for a metavariable. */
static IType *call_iterate(Infer *in, const Arg *args, Span call)
{
    Nats *n = in->c->nats;
    const Nat *k = args[0].ast ? infer_count(in, args[0].scope.env, args[0].ast) : NULL;
    IType *x = k ? infer_arg(in, &args[2]) : NULL, *elem = itype_fresh(in, IC_DATA);
    const Nat *length = size_fresh(in), *p = nat_var(n, "p", VAR_SIZE, NULL, NULL), *after = size_fresh(in);
    if (!x || !itype_need(in, call, "iterate", itype_sized(in, I_ARRAY, length, elem), x)) return NULL;
    Arg one = {.type = itype_sized(in, I_ARRAY, p, elem)};
    IType *r = args[1].ast ? infer_apply(in, args[1].scope.env, args[1].ast, &one, 1, call) : NULL;
    if (!r || !itype_need(in, call, "iterate", itype_sized(in, I_ARRAY, after, elem), r)) return NULL;
    after = size_now(in, after);
    in->counted = true;
    if (!nat_mentions(after, nat_atom(p))) {
        after = nat_exact(n, p, size_const(in, 1 + draw(in, 2)));
        if (!itype_need(in, call, "iterate", itype_sized(in, I_ARRAY, after, elem), r)) return NULL;
    }
    const Nat *c = nat_exact(n, p, after);
    if (!c || nat_mentions(c, nat_atom(p)))
        return infer_bad(in, call, "iterate needs a function from [p]a to [p/c]a"), NULL;
    Meta *f = args[1].ast->kind == AST_NAME ? meta_find(in, args[1].ast->name) : NULL;
    if (f && f->kind == META_FUN) f->length = p, f->shrink = c;
    const Nat *all = nat_pow(n, c, (int)k->value);
    if (!all) return infer_wrong_draw(in);
    infer_fact(in, FACT_DIVIDES, all, length);
    return itype_sized(in, I_ARRAY, nat_exact(n, size_now(in, length), all), elem);
}

static IType *infer_prim(Infer *in, PrimId id, const Arg *args, int n, Span call)
{
    int need = prim_static_count(in->c, id) + prim_arg_count(in->c, id);
    if (id == PRIM_ZIP) {
        IType *types[ARG_MAX], *elems[ARG_MAX];
        int k = infer_args(in, args, n, types);
        if (k < 0) return NULL;
        if (k == 0 || (k == 1 && !in->right)) return infer_wrong_draw(in);
        const Nat *length = size_fresh(in);
        for (int i = 0; i < k; i++) {
            elems[i] = itype_fresh(in, IC_DATA);
            if (!itype_need(in, call, "zip", itype_sized(in, I_ARRAY, length, elems[i]), types[i])) return NULL;
        }
        return itype_sized(in, I_ARRAY, length, itype_tuple(in, elems, k));
    }
    if (id == PRIM_VEC) {
        IType *types[ARG_MAX], *elem = itype_fresh(in, IC_SCALAR);
        int k = infer_args(in, args, n, types);
        if (k == 1) {
            IType *t = itype_now(in, types[0]);
            if (t->kind == I_TUPLE) memcpy(types, t->kids, sizeof *types * (size_t)(k = t->count));
        }
        if (!ALL(i, k, itype_need(in, call, "vec", elem, types[i]))) return NULL;
        return k < 1 ? NULL : itype_sized(in, I_VECTOR, size_const(in, k), elem);
    }
    if (prim_scheme(in->c, id)) return call_scheme(in, id, args, n, call);
    if (n != need) return infer_bad(in, call, "%s takes %d arguments", prim(id)->name, need), NULL;
    if (id == PRIM_UNZIP) {
        IType *t = infer_arg(in, args), *parts[ARG_MAX], *elem = itype_fresh(in, IC_DATA);
        const Nat *length = size_fresh(in);
        if (!t || !itype_need(in, call, "unzip", itype_sized(in, I_ARRAY, length, elem), t)) return NULL;
        /* Nothing says what the elements are: pairs. (A match has given their type before.) */
        if (itype_now(in, elem)->kind == I_VAR) {
            IType *pair[] = {itype_fresh(in, IC_DATA), itype_fresh(in, IC_DATA)};
            if (!itype_need(in, call, "unzip", elem, itype_tuple(in, pair, 2))) return NULL;
        }
        elem = itype_now(in, elem);
        if (elem->kind != I_TUPLE)
            return infer_bad(in, call, "unzip needs an array of tuples, found %s", itype_text(in, t)), NULL;
        for (int i = 0; i < elem->count; i++) parts[i] = itype_sized(in, I_ARRAY, length, elem->kids[i]);
        return itype_tuple(in, parts, elem->count);
    }
    if (id == PRIM_ITERATE) return call_iterate(in, args, call);
    if (id == PRIM_SLICE) {
        /* f takes [n]a for every n, and n is no part of its result. */
        const Nat *step = args[0].ast ? infer_size(in, args[0].scope.env, args[0].ast) : NULL, *length = size_fresh(in);
        IType *elem = itype_fresh(in, IC_DATA), *i32 = itype_scalar(in, SC_I32);
        if (step) infer_fact(in, FACT_LE, size_const(in, 1), step);
        for (int i = 2; i < 5 && step; i++) {
            IType *t = infer_arg(in, &args[i]);
            if (!t || !itype_need(in, call, "slice", i < 4 ? i32 : itype_sized(in, I_ARRAY, length, elem), t))
                return NULL;
        }
        const Nat *m = nat_fresh_index(in->c->nats, "n", nat_add(in->c->nats, length, size_const(in, 1)));
        Arg part = {.type = itype_sized(in, I_ARRAY, m, elem)};
        IType *r = step && args[1].ast ? infer_apply(in, args[1].scope.env, args[1].ast, &part, 1, call) : NULL;
        Meta *f = r && args[1].ast->kind == AST_NAME ? meta_find(in, args[1].ast->name) : NULL;
        if (f && f->kind == META_FUN && !f->length) f->length = m, f->shrink = size_const(in, 1);
        return r;
    }
    if (id == PRIM_REORDER) {
        IType *t = infer_arg(in, &args[1]);
        const Nat *length = size_fresh(in);
        if (!t || !itype_need(in, call, "reorder", itype_sized(in, I_ARRAY, length, itype_fresh(in, IC_DATA)), t))
            return NULL;
        return args[0].ast && infer_permutation(in, args[0].scope.env, args[0].ast, size_now(in, length)) ? t : NULL;
    }
    return infer_bad(in, call, "%s cannot be used here", prim(id)->name), NULL;
}

/* ---- application ---- */

static IType *apply_meta(Infer *in, const Ast *f, const Arg *args, int n, Span call)
{
    IType *types[ARG_MAX];
    int k = infer_args(in, args, n, types);
    if (k <= 0) return k ? NULL : infer_wrong_draw(in);
    Meta *m = meta_of(in, f, META_FUN);
    if (!m) return NULL;
    if (!m->type) {
        m->arity = k;
        m->type = itype_fun(in, itype_tuple(in, types, k), itype_fresh(in, IC_DATA));
    }
    if (k != m->arity && m->arity != 1)
        return infer_bad(in, call, "%s takes %d arguments, it is given %d", f->name, m->arity, k), NULL;
    IType *type = m->type;
    if (m->length) {                                           /* a function of iterate, applied to an array of its own length */
        NatBinding b = {nat_atom(m->length), size_fresh(in)};
        infer_fact(in, FACT_DIVIDES, m->shrink, b.value);
        type = itype_subst(in, m->type, &b);
    }
    return itype_need(in, call, f->name, type->kids[0], itype_tuple(in, types, k)) ? type->kids[1] : NULL;
}

static IType *apply_lambda(Infer *in, const Env *env, AstPat *const *pats, int pat_count, const Ast *body,
                           const Arg *args, int n, Span call)
{
    if (n < pat_count)
        return infer_bad(in, call, "this function takes %d arguments, it is given %d", pat_count, n), NULL;
    env = MAKE(in->arena, Env, .next = env);
    for (int i = 0; i < pat_count && env; i++) {
        const Arg *a = &args[i];
        if (a->ast && pats[i]->name) BIND(in->arena, &env, pats[i]->name, BIND_CLOSURE, .ast = a->ast, .env = a->scope.env);
        else env = bind_pattern(in, env, pats[i], infer_arg(in, a));
    }
    if (!env) return NULL;
    return n > pat_count ? infer_apply(in, env, body, args + pat_count, n - pat_count, call)
                         : infer_expr(in, env, body);
}

static IType *infer_apply(Infer *in, const Env *env, const Ast *f, const Arg *args, int n, Span call)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return infer_bad(in, call, "the rule is too large to type"), NULL;
    switch (f->kind) {
    case AST_LAMBDA: return apply_lambda(in, env, f->pats, f->pat_count, f->kids[0], args, n, call);
    case AST_NAME: {
        const Env *b = env_find(env, f->name);
        if (b && b->ast) return infer_apply(in, b->env, b->ast, args, n, call);
        if (b) return infer_bad(in, call, "\"%s\" is a value, it cannot be applied", f->name), NULL;
        if (meta_find(in, f->name)) return apply_meta(in, f, args, n, call);
        PrimId id = ast_prim(f);
        if (id != PRIM_COUNT) return infer_prim(in, id, args, n, call);
        if (strcmp(f->name, "length") == 0 && n == 1)
            return infer_length(in, &args[0], call) ? itype_fresh(in, IC_NUMERIC) : NULL;
        const Def *d = in->right || strcmp(f->name, "id") == 0 || prelude_derived(in->c, f->name) ? defs_find(in->c, NULL, f->name) : NULL;
        if (d) return apply_lambda(in, d->env, d->decl->params, d->decl->param_count, d->decl->body, args, n, call);
        if (prelude_has(in->c, f->name)) {       /* else it would stand for any function, which nobody means who knows it */
            infer_bad(in, f->span, "the left side of a rule knows primitives, not helpers; `%s` is one: write what it is made of", f->name);
            diag_note(&in->c->diag, "next", "help %s", f->name);
            return NULL;
        }
        return apply_meta(in, f, args, n, call);
    }
    case AST_OP: case AST_SECTION_LEFT: case AST_SECTION_RIGHT:
        PrimId id = prim_from_name(f->name);
        if (f->kind == AST_OP || n != 1) return infer_prim(in, id, args, n, call);
        Arg side = {.ast = f->kids[0], .scope.env = env};
        Arg both[2] = {f->kind == AST_SECTION_LEFT ? side : args[0], f->kind == AST_SECTION_LEFT ? args[0] : side};
        return infer_prim(in, id, both, 2, call);
    case AST_ANNOT: return infer_apply(in, env, f->kids[0], args, n, call);
    case AST_APP: case AST_BINARY: {
        if (f->kind == AST_BINARY && strcmp(f->name, ".") == 0) {
            Arg *all = args_of(in->arena, (Scope){.env = env}, NULL, 0, args, n);
            all[0] = (Arg){.type = infer_apply(in, env, f->kids[1], args, 1, call)};
            return all[0].type ? infer_apply(in, env, f->kids[0], all, n, call) : NULL;
        }
        if (f->kind == AST_BINARY && strcmp(f->name, "$") != 0) break;
        int had = f->kid_count - 1;
        return infer_apply(in, env, f->kids[0], args_of(in->arena, (Scope){.env = env}, f->kids + 1, had, args, n), had + n, call);
    }
    default: break;
    }
    return infer_bad(in, f->span, "this is not a function, it cannot be applied"), NULL;
}

/* ---- expressions ---- */

static IType *prim_expr(Infer *in, const Env *env, const Ast *a, PrimId id)
{
    return infer_prim(in, id, args_of(in->arena, (Scope){.env = env}, a->kids, a->kid_count, NULL, 0), a->kid_count, a->span);
}

/* What a name stands for has one type, found once, unless it is a literal, which has the type of each use. */
typedef struct Named { const Env *binding; IType *type; } Named;

static bool is_of_binding(const void *binding, const void *named) { return ((const Named *)named)->binding == binding; }

static IType *infer_named(Infer *in, const Env *b)
{
    uint64_t hash = hash_mix(1, (uint64_t)(uintptr_t)b);
    const Named *known = ptr_table_find(&in->named, hash, is_of_binding, b);
    if (known) return known->type;
    IType *t = infer_expr(in, b->env, b->ast);
    if (t && b->ast->kind == AST_APP) ptr_table_add(&in->named, hash, MAKE(in->arena, Named, b, t));
    return t;
}

static IType *infer_expr(Infer *in, const Env *env, const Ast *a)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return infer_bad(in, a->span, "the rule is too large to type"), NULL;
    switch (a->kind) {
    case AST_NAME: {
        if (strcmp(a->name, "_") == 0) return itype_fresh(in, IC_DATA);
        const Env *b = env_find(env, a->name);
        if (b && b->ast) return infer_named(in, b);
        if (b && b->kind == BIND_TERM) return b->type;
        if (b) return infer_bad(in, a->span, "\"%s\" stands for a list: write %s..", a->name, a->name), NULL;
        Meta *m = meta_find(in, a->name);
        if ((m && m->kind == META_STATIC) || (!m && infer_param(in, a->name))) {
            meta_static(in, a->name, STATIC_SIZE);
            return itype_fresh(in, IC_NUMERIC);
        }
        if (!m && ast_is_float_name(a->name)) return itype_fresh(in, IC_FLOAT);
        m = meta_of(in, a, META_DATA);
        if (m && !m->type) m->type = itype_fresh(in, IC_DATA);
        return m ? m->type : NULL;
    }
    case AST_INT: case AST_FLOAT:
        if (a->suffix != SUFFIX_NONE) return itype_scalar(in, suffix_scalar(a->suffix));
        return itype_fresh(in, a->kind == AST_INT ? IC_NUMERIC : IC_FLOAT);
    case AST_BOOL: return itype_scalar(in, SC_BOOL);
    case AST_APP: return infer_apply(in, env, a, NULL, 0, a->span);
    case AST_LET: return apply_lambda(in, env, a->pats, 1, a->kids[1], &(Arg){.ast = a->kids[0], .scope.env = env}, 1, a->span);
    case AST_IF: return prim_expr(in, env, a, PRIM_IF);
    case AST_TUPLE: {
        IType *types[ARG_MAX];
        int n = infer_args(in, args_of(in->arena, (Scope){.env = env}, a->kids, a->kid_count, NULL, 0), a->kid_count, types);
        if (n == 0 || (n == 1 && !in->right)) return infer_wrong_draw(in);
        return n < 0 ? NULL : itype_tuple(in, types, n);
    }
    case AST_PROJ: {
        IType *x = infer_expr(in, env, a->kids[0]), *parts[ARG_MAX];
        if (!x) return NULL;
        x = itype_now(in, x);
        if (x->kind == I_VAR) {
            /* Nothing says how many components it has: as few as can be, or one more. */
            int n = (a->ival < 1 ? 2 : (int)a->ival + 1) + (int)draw(in, 2);
            for (int k = 0; k < n && n <= ARG_MAX; k++) parts[k] = itype_fresh(in, IC_DATA);
            itype_unify(in, x, n > ARG_MAX ? itype_fresh(in, IC_SCALARS) : itype_tuple(in, parts, n));
        }
        x = itype_now(in, x);
        if (x->kind == I_TUPLE && a->ival < x->count) return x->kids[a->ival];
        return infer_bad(in, a->span, "there is no component .%d in %s", (int)a->ival, itype_text(in, x)), NULL;
    }
    case AST_AT: {
        IType *x = infer_expr(in, env, a->kids[0]);
        if (!x) return NULL;
        IType *now = itype_now(in, x);
        if (now->kind == I_VECTOR) return now->kids[0];
        IType *i = infer_expr(in, env, a->kids[1]), *elem = itype_fresh(in, IC_DATA);
        if (!i || !itype_need(in, a->kids[1]->span, "an index", itype_scalar(in, SC_I32), i)) return NULL;
        return itype_need(in, a->span, "indexing", itype_sized(in, I_ARRAY, size_fresh(in), elem), x) ? elem : NULL;
    }
    case AST_BINARY: {
        bool pipe = strcmp(a->name, "|>") == 0;
        if (!pipe && strcmp(a->name, "$") != 0) return prim_expr(in, env, a, ast_prim(a));
        Arg x = {.ast = a->kids[pipe ? 0 : 1], .scope.env = env};
        return infer_apply(in, env, a->kids[pipe ? 1 : 0], &x, 1, a->span);
    }
    case AST_UNARY: return prim_expr(in, env, a, *a->name == '-' ? PRIM_NEG : PRIM_NOT);
    case AST_ANNOT: return infer_expr(in, env, a->kids[0]);
    default: return infer_bad(in, a->span, "a function stands where a value is needed"), NULL;
    }
}

/* ---- conditions ---- */

static Meta *cond_function(Infer *in, const Ast *a)
{
    Meta *m = a->kind == AST_NAME ? meta_find(in, a->name) : NULL;
    return m && m->kind == META_FUN ? m : NULL;
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
        if (*op == '=' && !k->negated) {
            if (!size_unify(in, a, b)) infer_wrong_draw(in);
            return;
        }
        FactKind kind = k->kind == COND_DIVIDES ? FACT_DIVIDES : op[1] ? FACT_LE : FACT_LT;
        SizeCond cond = {.fact = *op == '>' ? (Fact){kind, b, a} : (Fact){kind, a, b}, .equal = *op == '=' || *op == '!',
                         .negated = *op == '!' ? !k->negated : k->negated};
        vec_push(&in->conds, cond);
        return;
    }
    case COND_ASSOCIATIVE: case COND_COMMUTATIVE: case COND_NEUTRAL: case COND_RESTARTS: {
        bool neutral = k->prop == PROP_NEUTRAL || k->prop == PROP_RESTARTS;
        const Ast *value = k->args[0];
        f = cond_function(in, k->args[neutral]);
        if (!f || k->negated) return;
        f->props |= k->prop;
        if (!neutral) return;
        Meta *z = value->kind == AST_NAME ? meta_find(in, value->name) : NULL;
        Meta *e = value->kind == AST_APP ? cond_function(in, value->kids[0]) : NULL;
        if (e) {
            e->neutral_for = f;
            e->from_neutral = value->kids[1]->kind == AST_NAME;
            z = e->from_neutral ? meta_find(in, value->kids[1]->name) : NULL;
        }
        if (z && z->kind == META_DATA) z->neutral_of = f;
        return;
    }
    case COND_RESCALES: {
        Rescaled *r = MAKE(in->arena, Rescaled, .e = cond_function(in, k->args[0]), .f = cond_function(in, k->args[1]));
        bool sums = k->arg_count == 4, names = !k->negated && r->e && r->f && k->arg_count != 3;
        if (names && sums) {
            r->g = cond_function(in, k->args[2]);
            r->w = k->args[3]->kind == AST_NAME ? meta_find(in, k->args[3]->name) : NULL;
        }
        if (!names || (sums && (!r->g || !r->w))) in->unsupported = "only two names rescale, or four";
        else {
            r->e->rescaled = r->f->rescaled = r;
            if (sums) r->g->rescaled = r->w->rescaled = r;
        }
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
        Place p = {named_prim(k->name), k->arg_count ? infer_size(in, NULL, k->args[0]) : NULL};
        if (p.prim != PRIM_COUNT && prim_is_map(p.prim)) vec_push(&in->places, p);
        else in->unsupported = "no place under that primitive is generated";
        return;
    }
    case COND_CONTAINS: {
        f = cond_function(in, k->args[k->arg_count - 1]);
        PrimId id = named_prim(k->name);
        if (k->negated) return;
        if (f && (id == PRIM_REDUCE || id == PRIM_REDUCE_SEQ || id == PRIM_TO_GLOBAL)) f->wants_prim = id;
        else in->unsupported = "no function that contains that primitive is generated";
        return;
    }
    case COND_CALL: in->asks = true; return;
    case COND_ATOMIC: case COND_FINITE: case COND_CONSTANT: case COND_REPEATS: case COND_IDENTITY: case COND_IMAGE: case COND_IMAGE_OUT: return;
    case COND_INDEXES: {
        Meta *i = k->args[0]->kind == AST_NAME ? meta_find(in, k->args[0]->name) : NULL;
        if (!infer_expr(in, NULL, k->args[1]) || !i || i->kind != META_DATA) return;
        if (!itype_unify(in, i->type, itype_of(in, type_scalar(in->c, SC_I32)))) in->bad_draw = true;
        i->indexes = true;
        return;
    }
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

static bool infer_sides(Infer *in)
{
    Ctx *c = in->c;
    const Rule *rule = in->rule;
    const Ast *left = rule_side(rule, false), *right = rule_side(rule, true);
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

bool infer_rule(Infer *in, Ctx *c, Arena *arena, const Rule *rule, int64_t far, Rng *rng)
{
    *in = (Infer){.c = c, .arena = arena, .rule = rule, .rng = rng, .far = far, .source = rule->ast->source, .fuel = INFER_FUEL, .named.arena = arena};
    return infer_sides(in);
}

/* Widths that nothing says. */
static void choose_widths(Infer *in, IType *t)
{
    t = itype_now(in, t);
    const NatAtom *open = t->kind == I_VECTOR ? nat_atom(size_now(in, t->size)) : NULL;
    if (open) size_solve(in, open, size_const(in, all_widths[draw(in, COUNT(all_widths))]));
    for (int i = 0; i < t->count; i++) choose_widths(in, t->kids[i]);
}

bool infer_chosen(Infer *in, Ctx *c, Arena *arena, const Rule *rule, Choices *choices)
{
    *in = (Infer){.c = c, .arena = arena, .rule = rule, .choices = choices, .source = rule->ast->source, .fuel = INFER_FUEL, .named.arena = arena};
    if (!infer_sides(in)) return false;
    for (int i = 0; i < in->metas.n; i++)
        if (in->metas.v[i]->type) choose_widths(in, in->metas.v[i]->type);
    return !in->bad_draw;
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

enum { TYPE_DRAWS = 60 };

/* The first draw that types, to be freed with infer_free; empty when none does and none fails.
 * False: the first error, E30. */
static bool infer_some(Infer *in, Ctx *c, Arena *arena, const Rule *r)
{
    LOCAL(diag_free) Diag first = diag_new();
    for (uint64_t seed = 1; seed <= TYPE_DRAWS; seed++) {
        Rng rng = {seed};
        if (infer_rule(in, c, arena, r, 0, &rng)) return true;
        if (in->failed && !diag_failed(&first)) diag_copy(&first, &c->diag);
        diag_clear(&c->diag);
        infer_free(in);
        *in = (Infer){0};
    }
    if (!diag_failed(&first)) return true;
    diag_copy(&c->diag, &first);
    return false;
}

bool rule_typecheck(Ctx *c, const Rule *r)
{
    if (diag_failed(&c->diag)) return false;
    LOCAL(drop_arena) Arena *arena = arena_new();
    LOCAL(infer_free) Infer in = {0};
    return infer_some(&in, c, arena, r);
}

/* ---- facts that nothing implies ---- */

static Fact fact_now(Infer *in, const Fact *f) { return (Fact){f->kind, size_now(in, f->a), size_now(in, f->b)}; }

static bool implied(Infer *in, const SizeCond *need, const NatFacts *facts)
{
    Fact f = fact_now(in, &need->fact);
    if (!f.a || !f.b) return true;
    for (int i = 0; i < in->conds.n; i++) {
        const SizeCond *k = &in->conds.v[i];
        Fact other = fact_now(in, &k->fact);
        if (!k->equal && !k->negated && fact_equal(&f, &other)) return true;
    }
    return fact_is_certain(in->c->nats, &f, facts);
}

void valuation_start(Valuation *v, Infer *in)
{
    *v = (Valuation){.in = in};
    for (int i = 0; i < in->open.n; i++) {
        bool solved = ANY(k, in->solved.n, in->solved.v[k].var == in->open.v[i]);
        if (!solved && v->count < VALUATION_MAX) v->atoms[v->count++] = in->open.v[i];
    }
}

static bool value_of(void *data, const NatAtom *a, int64_t *out)
{
    Valuation *v = data;
    for (int i = 0; i < v->count; i++)
        if (v->atoms[i] == a) return *out = v->values[i], true;
    v->rigid = true;                         /* the length inside an iterate */
    return false;
}

/* 1 has that value, 0 has none, -1 speaks of the length inside an iterate. */
static int evaluate(Infer *in, Valuation *v, const Nat *n, int64_t *out)
{
    v->rigid = false;
    bool ok = nat_eval(size_now(in, n), value_of, v, out);
    return ok ? 1 : v->rigid ? -1 : 0;
}

static bool cond_holds(Infer *in, const SizeCond *k, Valuation *v)
{
    int64_t a = 0, b = 0;
    int x = evaluate(in, v, k->fact.a, &a), y = evaluate(in, v, k->fact.b, &b);
    if (x < 0 || y < 0) return true;
    if (!x || !y) return false;
    return (k->equal ? a == b : fact_holds(k->fact.kind, a, b)) != k->negated;
}

bool valuation_legal(Valuation *v)
{
    Infer *in = v->in;
    int64_t x = 1, y = 1;
    for (int i = 0; i < in->solved.n; i++) {
        /* Sizes that only the right side has may be no integers: then it needs a fact that is missing. */
        if (!ANY(k, in->open.n, in->open.v[k] == in->solved.v[i].var && known_of_left(in, k))) continue;
        int ok = evaluate(in, v, in->solved.v[i].value, &x);
        if (ok == 0 || (ok > 0 && x < 1)) return false;
    }
    for (int i = 0; i < in->later.n; i++) {
        const SizeEquation *e = &in->later.v[i];
        if (only_right(in, size_now(in, e->a)) || only_right(in, size_now(in, e->b))) continue;
        if (evaluate(in, v, e->a, &x) != 1 || evaluate(in, v, e->b, &y) != 1 || x != y) return false;
    }
    return ALL(i, in->conds.n, cond_holds(in, &in->conds.v[i], v));
}

/* Sizes that divide each other often. */
void valuation_draw(Valuation *v, Rng *rng, int largest)
{
    static const int even[] = {1, 2, 2, 3, 4, 4, 6, 8, 12};
    for (int i = 0; i < v->count; i++) {
        v->values[i] = 1 + rng_below(rng, largest);
        int k = even[rng_below(rng, COUNT(even))];
        if (k <= largest && rng_below(rng, 2)) v->values[i] = k;
    }
}

/* Sizes that meet everything demanded and break the fact: it is missing for certain. */
static bool breakable(Infer *in, const SizeCond *need, Rng *rng)
{
    Valuation v;
    valuation_start(&v, in);
    for (int trial = 0; trial < 4000; trial++) {
        valuation_draw(&v, rng, trial % 2 ? 12 : 5);
        if (valuation_legal(&v) && !cond_holds(in, need, &v)) return true;
    }
    return false;
}

/* Lengths of data metavariables are said as such. */
static const Nat *in_words(Infer *in, const Nat *n)
{
    NatBinding map[16];
    int count = 0;
    for (int i = 0; i < in->metas.n && count < COUNT(map); i++) {
        const Meta *m = in->metas.v[i];
        IType *t = m->kind == META_DATA ? itype_now(in, m->type) : NULL;
        const Nat *size = t && t->kind == I_ARRAY ? size_now(in, t->size) : NULL;
        const NatAtom *v = size ? nat_atom(size) : NULL;
        if (!v || v->var == VAR_PARAM) continue;
        const char *name = arena_printf(in->arena, "(length %s)", m->name);
        map[count++] = (NatBinding){v, nat_var(in->c->nats, name, VAR_SIZE, NULL, NULL)};
    }
    return nat_subst(in->c->nats, size_now(in, n), map, count, NULL);
}

int rule_missing_facts(Ctx *c, const Rule *r, const char **out, int max)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    LOCAL(infer_free) Infer in = {0};
    NatFacts *facts = NULL;
    Rng rng = {7};
    int n = 0;
    if (!infer_some(&in, c, arena, r)) return 0;
    for (int i = 0; i < in.conds.n; i++) {
        const SizeCond *k = &in.conds.v[i];
        Fact f = fact_now(&in, &k->fact);
        if (f.kind == FACT_DIVIDES && !k->equal && !k->negated && f.a && f.b) facts = MAKE(in.arena, NatFacts, f.a, f.b, facts);
    }
    for (int i = 0; i < in.needs.n && n < max; i++) {
        const SizeCond *need = &in.needs.v[i];
        if (implied(&in, need, facts) || !breakable(&in, need, &rng)) continue;
        int prec = need->fact.kind == FACT_DIVIDES ? 9 : 0;
        const char *text = arena_printf(c->diag.arena, "%s %s %s", nat_text(in_words(&in, need->fact.a), prec, arena),
                                        fact_word(need->fact.kind), nat_text(in_words(&in, need->fact.b), prec, arena));
        if (!ANY(k, n, !strcmp(out[k], text))) out[n++] = text;
    }
    return n;
}

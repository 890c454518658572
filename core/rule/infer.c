#include "check_private.h"

#include <stdlib.h>
#include <string.h>

enum { INFER_FUEL = 20000, COUNT_DRAWS = 3 };

/* ---- types ---- */

static IType *itype_new(Infer *in, IKind kind, int count)
{
    IType *t = NEW(in->arena, IType);
    t->kind = kind;
    t->count = count;
    t->kids = NEW_ARRAY(in->arena, IType *, count);
    return t;
}

static IType *fresh(Infer *in, IClass cls)
{
    IType *t = itype_new(in, I_VAR, 0);
    t->cls = cls;
    t->id = in->next_var++;
    return t;
}

static IType *scalar(Infer *in, Scalar s)
{
    IType *t = itype_new(in, I_SCALAR, 0);
    t->scalar = s;
    return t;
}

static IType *sized(Infer *in, IKind kind, const Nat *size, IType *elem)
{
    IType *t = itype_new(in, kind, 1);
    t->size = size;
    t->kids[0] = elem;
    return t;
}

static IType *pair(Infer *in, IKind kind, IType *a, IType *b)
{
    IType *t = itype_new(in, kind, 2);
    t->kids[0] = a;
    t->kids[1] = b;
    return t;
}

static IType *tuple(Infer *in, IType *const *parts, int n)
{
    if (n == 1) return parts[0];
    IType *t = itype_new(in, I_TUPLE, n);
    memcpy(t->kids, parts, sizeof *parts * (size_t)n);
    return t;
}

/* A vector of tuples is a tuple of vectors. */
IType *itype_now(Infer *in, IType *t)
{
    while (t->kind == I_VAR && t->link) t = t->link;
    if (t->kind != I_VECTOR) return t;
    IType *e = itype_now(in, t->kids[0]);
    if (e->kind != I_TUPLE) return t;
    IType *parts[ARG_MAX];
    for (int i = 0; i < e->count; i++) parts[i] = itype_now(in, sized(in, I_VECTOR, t->size, e->kids[i]));
    return tuple(in, parts, e->count);
}

IType *itype_of(Infer *in, const Type *t)
{
    if (t->kind == TY_SCALAR) return scalar(in, t->scalar);
    if (t->kind == TY_VECTOR) return sized(in, I_VECTOR, nat_const(in->c->nats, t->width), scalar(in, t->scalar));
    if (t->kind == TY_ARRAY) return sized(in, I_ARRAY, t->size, itype_of(in, t->elems[0]));
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

static const char *itype_text(Infer *in, IType *t)
{
    Buf b = {0};
    print_itype(in, t, &b);
    const char *s = arena_strdup(in->arena, buf_text(&b));
    buf_free(&b);
    return s;
}

/* ---- errors ---- */

static bool bad(Infer *in, Span span, const char *fmt, ...) PRINTF_LIKE(3, 4);
static bool bad(Infer *in, Span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!in->failed && !in->bad_draw) {
        in->failed = true;
        diag_error_at(&in->c->diag, E30, in->source, span, "%s", arena_vprintf(in->arena, fmt, ap));
    }
    va_end(ap);
    return false;
}

static void *wrong_draw(Infer *in)
{
    in->bad_draw = true;
    return NULL;
}

/* ---- sizes ---- */

static const Nat *constant(Infer *in, int64_t v) { return nat_const(in->c->nats, v); }

static const NatAtom *atom_of(const Nat *var) { return var->terms[0].factors[0].atom; }

const Nat *size_now(Infer *in, const Nat *n)
{
    if (!n || n->is_const) return n;
    return nat_subst(in->c->nats, n, in->solved.v, in->solved.n, NULL);
}

static const Nat *fresh_size(Infer *in)
{
    static const char letters[] = "NMKLRSTUVW";
    int k = in->next_size++, n = (int)sizeof letters - 1;
    const char *name = k < n ? arena_printf(in->arena, "%c", letters[k])
                             : arena_printf(in->arena, "%c%d", letters[k % n], k / n);
    const Nat *v = nat_var(in->c->nats, name, VAR_SIZE, NULL, NULL);
    vec_push(&in->open, atom_of(v));
    return v;
}

static void solve_size(Infer *in, const NatAtom *v, const Nat *value)
{
    NatBinding b = {v, value};
    for (int i = 0; i < in->solved.n; i++) {
        NatBinding *old = &in->solved.v[i];
        old->value = nat_subst(in->c->nats, old->value, &b, 1, NULL);
        if (!old->value) in->bad_draw = true;
    }
    vec_push(&in->solved, b);
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
            const Nat *value = nat_solve(n, d, v, constant(in, 0));
            if (!value) continue;
            if (value->is_const && value->value < 1) return 0;
            solve_size(in, v, value);
            return 1;
        }
    return mentioned ? -1 : 0;
}

static bool unify_size(Infer *in, const Nat *a, const Nat *b)
{
    int r = unify_once(in, a, b);
    if (r < 0) {
        SizeEquation e = {a, b};
        vec_push(&in->later, e);
    }
    return r != 0;
}

/* Postponed equations again, until none moves. */
static bool unify_later(Infer *in)
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
    for (int i = 0; i < t->count; i++)
        if (occurs(in, v, t->kids[i])) return true;
    return false;
}

static bool scalar_in(Scalar s, IClass cls)
{
    if (cls == IC_INT) return scalar_is_int(s);
    if (cls == IC_FLOAT) return scalar_is_float(s);
    return cls != IC_NUMERIC || scalar_is_numeric(s);
}

static bool restrict_to(Infer *in, IType *t, IClass cls)
{
    t = itype_now(in, t);
    if (cls == IC_DATA) return t->kind != I_FUN;
    if (t->kind == I_SCALAR) return scalar_in(t->scalar, cls);
    if (t->kind == I_VAR) {
        if ((t->cls == IC_FLOAT && cls == IC_INT) || (t->cls == IC_INT && cls == IC_FLOAT)) return false;
        if (cls > t->cls) t->cls = cls;
        return true;
    }
    if (t->kind != I_TUPLE || cls != IC_SCALARS) return false;
    for (int i = 0; i < t->count; i++)
        if (!restrict_to(in, t->kids[i], cls)) return false;
    return true;
}

static bool bind_var(Infer *in, IType *v, IType *t)
{
    if (occurs(in, v, t) || !restrict_to(in, t, v->cls)) return false;
    v->link = t;
    return true;
}

/* A vector whose element is open against a tuple: the element is a tuple too. */
static bool unify_vector_tuple(Infer *in, IType *v, IType *t)
{
    IType *parts[ARG_MAX];
    for (int i = 0; i < t->count; i++) parts[i] = fresh(in, IC_SCALARS);
    return itype_unify(in, v->kids[0], tuple(in, parts, t->count)) && itype_unify(in, v, t);
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
    if (a->size && !unify_size(in, a->size, b->size)) return false;
    for (int i = 0; i < a->count; i++)
        if (!itype_unify(in, a->kids[i], b->kids[i])) return false;
    return true;
}

static bool need_type(Infer *in, Span span, const char *who, IType *want, IType *found)
{
    if (itype_unify(in, want, found)) return true;
    bool first = !in->failed && !in->bad_draw;
    bad(in, span, "%s needs %s, found %s", who, itype_text(in, want), itype_text(in, found));
    if (first && in->failed) {
        diag_note(&in->c->diag, "needs", "%s", itype_text(in, want));
        diag_note(&in->c->diag, "found", "%s", itype_text(in, found));
    }
    return false;
}

/* ---- names ---- */

typedef struct IEnv IEnv;
struct IEnv {
    const char *name;
    IType *type;               /* a value; NULL: a list, or syntax read where it was written */
    int count;
    IType **list;
    const Ast *ast;
    const IEnv *env;
    const IEnv *next;
};

typedef struct IArg {
    const Ast *ast;
    const IEnv *env;
    IType *type;               /* when there is no ast */
} IArg;

static IType *expr(Infer *in, const IEnv *env, const Ast *a);
static IType *apply(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call);

static const IEnv *find(const IEnv *env, const char *name)
{
    while (env && env->name != name) env = env->next;
    return env;
}

static IEnv *bind(Infer *in, const IEnv *next, const char *name)
{
    IEnv *b = NEW(in->arena, IEnv);
    b->name = name;
    b->next = next;
    return b;
}

static Meta *find_meta(Infer *in, const char *name)
{
    for (int i = 0; i < in->metas.n; i++)
        if (in->metas.v[i]->name == name) return in->metas.v[i];
    return NULL;
}

static const RuleParam *find_param(const Infer *in, const char *name)
{
    for (int i = 0; i < in->rule->param_count; i++)
        if (strcmp(in->rule->params[i].name, name) == 0) return &in->rule->params[i];
    return NULL;
}

static Meta *new_meta(Infer *in, const char *name, MetaKind kind)
{
    Meta *m = NEW(in->arena, Meta);
    m->name = name;
    m->kind = kind;
    vec_push(&in->metas, m);
    return m;
}

/* The metavariable of that kind; NULL: it is another kind, or a name that the right side may not introduce. */
static Meta *meta(Infer *in, const Ast *a, MetaKind kind)
{
    Meta *m = find_meta(in, a->name);
    if (m && m->kind == kind) return m;
    if (m) bad(in, a->span, "\"%s\" is used as two different things", a->name);
    else if (in->right) bad(in, a->span, "the left side does not bind \"%s\"", a->name);
    else return new_meta(in, a->name, kind);
    return NULL;
}

/* ---- parameters and what stands in their places ---- */

static const Nat *draw_static(Infer *in, StaticKind kind)
{
    static const int widths[] = {2, 2, 2, 4, 4, 8};
    switch (kind) {
    case STATIC_DIM: return constant(in, rng_below(in->rng, 3));
    case STATIC_WIDTH: return constant(in, widths[rng_below(in->rng, COUNT(widths))]);
    case STATIC_MODE: return constant(in, rng_below(in->rng, PAD_MODES));
    default: return NULL;
    }
}

static Meta *static_meta(Infer *in, const char *name, StaticKind kind)
{
    Meta *m = find_meta(in, name);
    if (m) return m;
    const RuleParam *p = find_param(in, name);
    m = new_meta(in, name, META_STATIC);
    m->skind = p ? p->kind : kind;
    m->given = p && p->given;
    if (m->skind == STATIC_SIZE) {
        m->nat = nat_var(in->c->nats, name, VAR_PARAM, NULL, NULL);
        vec_push(&in->open, atom_of(m->nat));
    } else if (m->skind == STATIC_PERM) {
        m->perm = (PermKind)rng_below(in->rng, PERM_KINDS);
        m->nat = m->perm == PERM_ROTATE || m->perm == PERM_STRIDE ? fresh_size(in) : constant(in, 0);
    } else {
        m->nat = draw_static(in, m->skind);
    }
    return m;
}

static const Nat *size_expr(Infer *in, const IEnv *env, const Ast *a);

static const Nat *quotient(Infer *in, const Nat *x, const Nat *y)
{
    const Nat *q = nat_exact(in->c->nats, size_now(in, x), size_now(in, y));
    if (q) return q;
    if (x->is_const && y->is_const) return wrong_draw(in);
    q = fresh_size(in);
    return unify_size(in, nat_mul(in->c->nats, q, y), x) ? q : wrong_draw(in);
}

static const Nat *size_binary(Infer *in, const IEnv *env, const Ast *a)
{
    const Nat *x = size_expr(in, env, a->kids[0]), *y = x ? size_expr(in, env, a->kids[1]) : NULL;
    Nats *n = in->c->nats;
    if (!y) return NULL;
    if (strcmp(a->name, "+") == 0) return nat_add(n, x, y);
    if (strcmp(a->name, "-") == 0) return nat_sub(n, x, y);
    if (strcmp(a->name, "*") == 0) return nat_mul(n, x, y);
    if (strcmp(a->name, "/") == 0) return quotient(in, x, y);
    if (strcmp(a->name, "//") == 0) return nat_div(n, x, y, NULL);
    if (strcmp(a->name, "%") == 0) return nat_mod(n, x, y, NULL);
    bad(in, a->span, "\"%s\" is no operator of sizes", a->name);
    return NULL;
}

static const Nat *length_of(Infer *in, const IArg *x, Span span)
{
    IType *t = x->ast ? expr(in, x->env, x->ast) : x->type;
    if (!t) return NULL;
    const Nat *n = fresh_size(in);
    return need_type(in, span, "length", sized(in, I_ARRAY, n, fresh(in, IC_DATA)), t) ? size_now(in, n) : NULL;
}

static const Nat *size_length(Infer *in, const IEnv *env, const Ast *x)
{
    IArg a = {.ast = x, .env = env};
    return length_of(in, &a, x->span);
}

static const Nat *size_expr(Infer *in, const IEnv *env, const Ast *a)
{
    if (a->kind == AST_INT) return constant(in, a->ival);
    if (a->kind == AST_BINARY) return size_binary(in, env, a);
    if (a->kind == AST_NAME) {
        const IEnv *b = find(env, a->name);
        if (b && b->ast) return size_expr(in, b->env, b->ast);
        Meta *m = b ? NULL : static_meta(in, a->name, STATIC_SIZE);
        if (m && m->nat) return m->nat;
    }
    const char *head = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0]->name : "";
    if (a->kid_count == 2 && strcmp(head, "length") == 0) return size_length(in, env, a->kids[1]);
    if (a->kid_count == 3 && (strcmp(head, "min") == 0 || strcmp(head, "max") == 0)) {
        const Nat *x = size_expr(in, env, a->kids[1]), *y = x ? size_expr(in, env, a->kids[2]) : NULL;
        return !y ? NULL : head[1] == 'i' ? nat_min(in->c->nats, x, y) : nat_max(in->c->nats, x, y);
    }
    bad(in, a->span, "a size is needed here");
    return NULL;
}

/* A count that must be a number while types are found: every variable in it is drawn. */
static const Nat *size_number(Infer *in, const IEnv *env, const Ast *a)
{
    const Nat *n = size_now(in, size_expr(in, env, a));
    NatAtomVec vars = {0};
    if (n) nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++) solve_size(in, vars.v[i], constant(in, 1 + rng_below(in->rng, COUNT_DRAWS)));
    free(vars.v);
    n = size_now(in, n);
    return n && n->is_const && n->value >= 1 ? n : in->failed ? NULL : wrong_draw(in);
}

static void put_cond(Infer *in, char op, const Nat *a, const Nat *b, bool negated, const char *who)
{
    SizeCond k = {op, negated, a, b, who};
    if (!a || !b) return;
    if (in->right && who) vec_push(&in->needs, k);
    else vec_push(&in->conds, k);
}

static bool permutation_meta(Infer *in, const Ast *a, const Nat *length)
{
    Meta *m = static_meta(in, a->name, STATIC_PERM);
    if (m->kind != META_STATIC || m->skind != STATIC_PERM) return bad(in, a->span, "\"%s\" is no permutation", a->name);
    if (m->perm == PERM_FUN && m->perm_length && size_now(in, m->perm_length) != size_now(in, length))
        return wrong_draw(in) != NULL;
    m->perm_length = length;
    SizeCond k = {'|', false, m->nat, length, "reorder"};
    if (m->perm == PERM_STRIDE) vec_push(&in->conds, k);
    return true;
}

/* The permutation of a reorder; a stride must divide the length. A permutation that the call gives is legal
 * where it is used. */
static bool permutation(Infer *in, const IEnv *env, const Ast *a, const Nat *length)
{
    const Ast *head = a->kind == AST_APP ? a->kids[0] : a;
    PermKind kind = PERM_KINDS;
    if (head->kind != AST_NAME)
        return bad(in, a->span, "a permutation is reverse, (rotate k), (stride s) or a parameter");
    for (int i = 0; i < PERM_KINDS; i++)
        if (strcmp(head->name, perm_kind_name((PermKind)i)) == 0) kind = (PermKind)i;
    if (kind == PERM_KINDS) return permutation_meta(in, head, length);
    if (kind == PERM_REVERSE) return true;
    if (a->kind != AST_APP || a->kid_count != (kind == PERM_FUN ? 3 : 2))
        return bad(in, a->span, "%s lacks its argument", head->name);
    const Nat *k = kind == PERM_FUN ? length : size_expr(in, env, a->kids[1]);
    if (k && kind == PERM_STRIDE) put_cond(in, '|', k, length, false, "reorder");
    return k != NULL;
}

/* ---- binding patterns ---- */

static int draw_list(Infer *in, const char *name)
{
    Meta *m = find_meta(in, name);
    if (m && m->kind == META_LIST) return m->count;
    m = new_meta(in, name, META_LIST);
    m->count = (int)rng_below(in->rng, 3);
    m->list = NEW_ARRAY(in->arena, IType *, m->count);
    for (int i = 0; i < m->count; i++) m->list[i] = fresh(in, IC_DATA);
    return m->count;
}

static int list_count(Infer *in, const IEnv *env, const AstPat *p, IType *t, int fixed, int spreads)
{
    t = itype_now(in, t);
    if (spreads == 1 && (t->kind == I_TUPLE || (t->kind != I_VAR && fixed == 0)))
        return (t->kind == I_TUPLE ? t->count : 1) - fixed;
    const IEnv *b = find(env, p->name);
    if (b && b->list) return b->count;
    const Meta *m = find_meta(in, p->name);
    return m && m->kind == META_LIST ? m->count : in->right ? -1 : (int)rng_below(in->rng, 3);
}

static const IEnv *bind_pattern(Infer *in, const IEnv *env, const AstPat *p, IType *t);

static const IEnv *bind_parts(Infer *in, const IEnv *env, const AstPat *p, IType *t)
{
    int spreads = 0, n = 0, counts[ARG_MAX];
    IType *parts[ARG_MAX];
    for (int i = 0; i < p->kid_count; i++) spreads += p->kids[i]->spread;
    for (int i = 0; i < p->kid_count && i < ARG_MAX; i++) {
        counts[i] = p->kids[i]->spread ? list_count(in, env, p->kids[i], t, p->kid_count - 1, spreads) : 1;
        if (counts[i] < 0 || n + counts[i] > ARG_MAX) return wrong_draw(in);
        for (int j = 0; j < counts[i]; j++) parts[n++] = fresh(in, IC_DATA);
    }
    if (n == 0) return wrong_draw(in);
    if (!need_type(in, p->span, "this pattern", tuple(in, parts, n), t)) return NULL;
    for (int i = 0, k = 0; i < p->kid_count && env; k += counts[i++]) {
        if (!p->kids[i]->spread) {
            IEnv *none = bind(in, env, NULL);
            env = bind_pattern(in, none, p->kids[i], parts[k]);
            continue;
        }
        IEnv *b = bind(in, env, p->kids[i]->name);
        b->count = counts[i];
        b->list = NEW_ARRAY(in->arena, IType *, counts[i]);
        memcpy(b->list, parts + k, sizeof *parts * (size_t)counts[i]);
        env = b;
    }
    return env;
}

/* env never NULL on success: a nameless binding stands for the empty one. */
static const IEnv *bind_pattern(Infer *in, const IEnv *env, const AstPat *p, IType *t)
{
    if (!t) return NULL;
    if (!p->name) return bind_parts(in, env, p, t);
    IEnv *b = bind(in, env, strcmp(p->name, "_") == 0 ? NULL : p->name);
    b->type = t;
    return b;
}

static const IEnv *bind_syntax(Infer *in, const IEnv *env, const AstPat *p, const IArg *a)
{
    if (!a->ast) return bind_pattern(in, env, p, a->type);
    if (!p->name) return bind_pattern(in, env, p, expr(in, a->env, a->ast));
    IEnv *b = bind(in, env, p->name);
    b->ast = a->ast;
    b->env = a->env;
    return b;
}

/* ---- application ---- */

static IType *arg_type(Infer *in, const IArg *a) { return a->ast ? expr(in, a->env, a->ast) : a->type; }

/* The list that a spread repeats over. */
static const IEnv *spread_list(Infer *in, const IEnv *env, const Ast *a)
{
    const IEnv *b = a->kind == AST_NAME ? find(env, a->name) : NULL;
    if (b && b->list) return b;
    const Meta *m = a->kind == AST_NAME && !b ? find_meta(in, a->name) : NULL;
    if (m && m->kind == META_LIST) {
        IEnv *l = bind(in, NULL, a->name);
        l->count = m->count;
        l->list = m->list;
        return l;
    }
    for (int i = 0; i < a->kid_count; i++)
        if ((b = spread_list(in, env, a->kids[i]))) return b;
    return NULL;
}

static const IEnv *select_element(Infer *in, const IEnv *env, const Ast *a, int i)
{
    const IEnv *l = a->kind == AST_NAME ? spread_list(in, env, a) : NULL;
    if (l) {
        IEnv *b = bind(in, env, a->name);
        b->type = i < l->count ? l->list[i] : NULL;
        return b->type ? b : env;
    }
    for (int k = 0; k < a->kid_count; k++) env = select_element(in, env, a->kids[k], i);
    return env;
}

/* Arguments with their spreads repeated; -1 after an error. out holds ARG_MAX. */
static int expand(Infer *in, const IArg *args, int n, IArg *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        const Ast *a = args[i].ast;
        if (!a || a->kind != AST_SPREAD) {
            if (k == ARG_MAX) return -1;
            out[k++] = args[i];
            continue;
        }
        const Ast *inner = a->kids[0];
        if (inner->kind == AST_NAME && !in->right && !spread_list(in, args[i].env, inner)) draw_list(in, inner->name);
        const IEnv *l = spread_list(in, args[i].env, inner);
        if (!l) return bad(in, a->span, "no list stands in this spread"), -1;
        for (int j = 0; j < l->count; j++) {
            if (k == ARG_MAX) return -1;
            out[k++] = (IArg){.ast = inner, .env = select_element(in, args[i].env, inner, j)};
        }
    }
    return k;
}

static int arg_types(Infer *in, const IArg *args, int n, IType **out)
{
    IArg *all = NEW_ARRAY(in->arena, IArg, ARG_MAX);
    int k = expand(in, args, n, all);
    for (int i = 0; i < k; i++)
        if (!(out[i] = arg_type(in, &all[i]))) return -1;
    return k;
}

static IType *apply_meta(Infer *in, const Ast *f, const IArg *args, int n, Span call)
{
    IType *types[ARG_MAX];
    int k = arg_types(in, args, n, types);
    if (k <= 0) return k ? NULL : wrong_draw(in);
    Meta *m = meta(in, f, META_FUN);
    if (!m) return NULL;
    if (!m->type) {
        m->arity = k;
        m->type = pair(in, I_FUN, tuple(in, types, k), fresh(in, IC_DATA));
    }
    if (k != m->arity && m->arity != 1) {
        bad(in, call, "%s takes %d arguments, it is given %d", f->name, m->arity, k);
        return NULL;
    }
    return need_type(in, call, f->name, m->type->kids[0], tuple(in, types, k)) ? m->type->kids[1] : NULL;
}

/* One instance of a scheme: fresh types and sizes for its letters. */
typedef struct Instantiation {
    const Scheme *scheme;
    IType *types[SCHEME_TYPE_VARS];
    const Nat *nats[SCHEME_NAT_VARS];
} Instantiation;

static const Nat *scheme_size(Infer *in, Instantiation *k, const SchemeNat *s)
{
    if (s->op == 'c') return constant(in, s->value);
    if (s->op == 0) {
        if (!k->nats[s->var]) k->nats[s->var] = fresh_size(in);
        return k->nats[s->var];
    }
    const Nat *a = scheme_size(in, k, s->a), *b = scheme_size(in, k, s->b);
    Nats *n = in->c->nats;
    if (!a || !b) return NULL;
    if (s->op == '/') return quotient(in, a, b);
    return s->op == '+' ? nat_add(n, a, b) : s->op == '-' ? nat_sub(n, a, b) : nat_mul(n, a, b);
}

static IType *scheme_var(Infer *in, Instantiation *k, int var)
{
    static const IClass classes[] = {[CLASS_DATA] = IC_DATA, [CLASS_SCALAR] = IC_SCALAR, [CLASS_NUMERIC] = IC_NUMERIC,
                                     [CLASS_FLOAT] = IC_FLOAT, [CLASS_INT] = IC_INT};
    if (!k->types[var]) k->types[var] = fresh(in, classes[k->scheme->classes[var]]);
    return k->types[var];
}

static IType *scheme_type(Infer *in, Instantiation *k, const SchemeType *s)
{
    if (s->kind == SCH_VAR) return scheme_var(in, k, s->var);
    if (s->kind == SCH_SCALAR) return scalar(in, s->scalar);
    IType *kids[4];
    for (int i = 0; i < s->count; i++)
        if (!(kids[i] = scheme_type(in, k, s->kids[i]))) return NULL;
    if (s->kind == SCH_TUPLE) return tuple(in, kids, s->count);
    if (s->kind == SCH_FUN) return pair(in, I_FUN, kids[0], kids[1]);
    const Nat *size = scheme_size(in, k, s->size);
    if (!size || (s->kind == SCH_VECTOR && !restrict_to(in, kids[0], IC_SCALARS))) return wrong_draw(in);
    return sized(in, s->kind == SCH_ARRAY ? I_ARRAY : I_VECTOR, size, kids[0]);
}

static void scheme_facts(Infer *in, Instantiation *k, PrimId id)
{
    static const char ops[] = {[FACT_DIVIDES] = '|', [FACT_LE] = 'l', [FACT_LT] = '<'};
    for (int i = 0; i < k->scheme->fact_count; i++) {
        const SchemeFact *f = &k->scheme->facts[i];
        put_cond(in, ops[f->kind], scheme_size(in, k, f->a), scheme_size(in, k, f->b), false, prim(id)->name);
    }
}

static const Nat *static_value(Infer *in, StaticKind kind, const IEnv *env, const Ast *a)
{
    const IEnv *b = a->kind == AST_NAME ? find(env, a->name) : NULL;
    if (b && b->ast) return static_value(in, kind, b->env, b->ast);
    if (kind == STATIC_SIZE) return size_expr(in, env, a);
    if (a->kind == AST_INT) return constant(in, a->ival);
    for (int m = 0; kind == STATIC_MODE && m < PAD_MODES; m++)
        if (a->kind == AST_NAME && strcmp(a->name, pad_mode_name((PadMode)m)) == 0) return constant(in, m);
    return a->kind == AST_NAME ? static_meta(in, a->name, kind)->nat : NULL;
}

static bool scheme_statics(Infer *in, Instantiation *k, const IArg *args)
{
    for (int i = 0; i < k->scheme->static_count; i++) {
        const Nat *v = args[i].ast ? static_value(in, k->scheme->statics[i].kind, args[i].env, args[i].ast) : NULL;
        if (!v) return false;
        k->nats[k->scheme->statics[i].nat_var] = v;
    }
    return true;
}

static bool scheme_args(Infer *in, Instantiation *k, PrimId id, const IArg *args, Span call)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < k->scheme->arg_count; i++) {
            const SchemeType *s = k->scheme->args[i];
            if ((s->kind == SCH_FUN) != (pass == 1)) continue;
            IType *want = scheme_type(in, k, s), *found;
            if (!want) return false;
            if (pass == 0) found = arg_type(in, &args[i]);
            else {
                IArg one = {.type = want->kids[0]};
                found = args[i].ast ? apply(in, args[i].env, args[i].ast, &one, 1, args[i].ast->span) : NULL;
                want = want->kids[1];
            }
            if (!found || !need_type(in, args[i].ast ? args[i].ast->span : call, prim(id)->name, want, found))
                return false;
        }
    return true;
}

static const IArg *untuple(Infer *in, const IArg *a, int need, Span call, PrimId id)
{
    IArg *out = NEW_ARRAY(in->arena, IArg, need);
    IType *t = arg_type(in, a), *parts[4];
    for (int i = 0; i < need; i++) parts[i] = out[i].type = fresh(in, IC_DATA);
    return t && need_type(in, call, prim(id)->name, tuple(in, parts, need), t) ? out : NULL;
}

static IType *call_scheme(Infer *in, PrimId id, const IArg *args, int n, Span call)
{
    Instantiation k = {.scheme = prim_scheme(in->c, id)};
    int statics = k.scheme->static_count, need = k.scheme->arg_count;
    if (n > statics && !scheme_statics(in, &k, args)) return NULL;
    args += statics;
    n -= statics;
    if (n == 1 && need > 1 && prim(id)->family == FAM_SCALAR && (!args->ast || args->ast->kind != AST_SPREAD)) {
        args = untuple(in, args, need, call, id);
        n = args ? need : 0;
    }
    if (n != need) {
        bad(in, call, "%s takes %d arguments", prim(id)->name, statics + need);
        return NULL;
    }
    if (!scheme_args(in, &k, id, args, call)) return NULL;
    scheme_facts(in, &k, id);
    return scheme_type(in, &k, k.scheme->result);
}

static IType *call_zip(Infer *in, const IArg *args, int n, Span call)
{
    IType *types[ARG_MAX], *elems[ARG_MAX];
    int k = arg_types(in, args, n, types);
    if (k < 0) return NULL;
    if (k == 0 || (k == 1 && !in->right)) return wrong_draw(in);
    const Nat *length = fresh_size(in);
    for (int i = 0; i < k; i++) {
        elems[i] = fresh(in, IC_DATA);
        if (!need_type(in, call, "zip", sized(in, I_ARRAY, length, elems[i]), types[i])) return NULL;
    }
    return sized(in, I_ARRAY, length, tuple(in, elems, k));
}

static IType *call_unzip(Infer *in, const IArg *args, Span call)
{
    IType *t = arg_type(in, args), *parts[ARG_MAX], *elem = fresh(in, IC_DATA);
    const Nat *length = fresh_size(in);
    if (!t || !need_type(in, call, "unzip", sized(in, I_ARRAY, length, elem), t)) return NULL;
    elem = itype_now(in, elem);
    if (elem->kind != I_TUPLE)
        return bad(in, call, "unzip needs an array of tuples, found %s", itype_text(in, t)), NULL;
    for (int i = 0; i < elem->count; i++) parts[i] = sized(in, I_ARRAY, length, elem->kids[i]);
    return tuple(in, parts, elem->count);
}

/* f takes [p]a to [p/c]a for every p; c is found from a function that is written out, drawn for a metavariable. */
static IType *call_iterate(Infer *in, const IArg *args, Span call)
{
    Nats *n = in->c->nats;
    const Nat *k = args[0].ast ? size_number(in, args[0].env, args[0].ast) : NULL;
    IType *x = k ? arg_type(in, &args[2]) : NULL, *elem = fresh(in, IC_DATA);
    const Nat *length = fresh_size(in), *p = nat_var(n, "p", VAR_SIZE, NULL, NULL), *after = fresh_size(in);
    if (!x || !need_type(in, call, "iterate", sized(in, I_ARRAY, length, elem), x)) return NULL;
    IArg one = {.type = sized(in, I_ARRAY, p, elem)};
    IType *r = args[1].ast ? apply(in, args[1].env, args[1].ast, &one, 1, call) : NULL;
    if (!r || !need_type(in, call, "iterate", sized(in, I_ARRAY, after, elem), r)) return NULL;
    after = size_now(in, after);
    if (!nat_mentions(after, atom_of(p))) {
        after = nat_exact(n, p, constant(in, 1 + rng_below(in->rng, 2)));
        if (!need_type(in, call, "iterate", sized(in, I_ARRAY, after, elem), r)) return NULL;
    }
    const Nat *c = nat_exact(n, p, after);
    if (!c || nat_mentions(c, atom_of(p))) return bad(in, call, "iterate needs a function from [p]a to [p/c]a"), NULL;
    const Nat *all = nat_pow(n, c, (int)k->value);
    put_cond(in, '|', all, length, false, "iterate");
    return sized(in, I_ARRAY, nat_exact(n, size_now(in, length), all), elem);
}

static IType *call_reorder(Infer *in, const IArg *args, Span call)
{
    IType *t = arg_type(in, &args[1]);
    const Nat *length = fresh_size(in);
    if (!t || !need_type(in, call, "reorder", sized(in, I_ARRAY, length, fresh(in, IC_DATA)), t)) return NULL;
    return args[0].ast && permutation(in, args[0].env, args[0].ast, size_now(in, length)) ? t : NULL;
}

static IType *call_vec(Infer *in, const IArg *args, int n, Span call)
{
    IType *types[ARG_MAX], *elem = fresh(in, IC_SCALAR);
    int k = arg_types(in, args, n, types);
    if (k == 1) {
        IType *t = itype_now(in, types[0]);
        if (t->kind == I_TUPLE) memcpy(types, t->kids, sizeof *types * (size_t)(k = t->count));
    }
    for (int i = 0; i < k; i++)
        if (!need_type(in, call, "vec", elem, types[i])) return NULL;
    return k < 1 ? NULL : sized(in, I_VECTOR, constant(in, k), elem);
}

static IType *call_prim(Infer *in, PrimId id, const IArg *args, int n, Span call)
{
    int need = prim_static_count(in->c, id) + prim_arg_count(in->c, id);
    if (id == PRIM_ZIP) return call_zip(in, args, n, call);
    if (id == PRIM_VEC) return call_vec(in, args, n, call);
    if (prim_scheme(in->c, id)) return call_scheme(in, id, args, n, call);
    if (n != need) return bad(in, call, "%s takes %d arguments", prim(id)->name, need), NULL;
    if (id == PRIM_UNZIP) return call_unzip(in, args, call);
    if (id == PRIM_ITERATE) return call_iterate(in, args, call);
    if (id == PRIM_REORDER) return call_reorder(in, args, call);
    bad(in, call, "%s cannot be used here", prim(id)->name);
    return NULL;
}

static IType *apply_lambda(Infer *in, const IEnv *env, AstPat *const *pats, int pat_count, const Ast *body,
                           const IArg *args, int n, Span call)
{
    if (n < pat_count) return bad(in, call, "this function takes %d arguments, it is given %d", pat_count, n), NULL;
    IEnv *start = bind(in, env, NULL);
    env = start;
    for (int i = 0; i < pat_count && env; i++) env = bind_syntax(in, env, pats[i], &args[i]);
    if (!env) return NULL;
    return n > pat_count ? apply(in, env, body, args + pat_count, n - pat_count, call) : expr(in, env, body);
}

static IType *apply_name(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    const IEnv *b = find(env, f->name);
    if (b && b->ast) return apply(in, b->env, b->ast, args, n, call);
    if (b) return bad(in, call, "\"%s\" is a value, it cannot be applied", f->name), NULL;
    if (find_meta(in, f->name)) return apply_meta(in, f, args, n, call);
    PrimId id = pattern_prim(f->name);
    if (id != PRIM_COUNT) return call_prim(in, id, args, n, call);
    if (strcmp(f->name, "length") == 0 && n == 1) return length_of(in, &args[0], call) ? fresh(in, IC_NUMERIC) : NULL;
    const Def *d = in->right || strcmp(f->name, "id") == 0 ? defs_find(in->c, NULL, f->name) : NULL;
    if (d) return apply_lambda(in, NULL, d->decl->params, d->decl->param_count, d->decl->body, args, n, call);
    return apply_meta(in, f, args, n, call);
}

static IType *apply_more(Infer *in, const IEnv *env, const Ast *f, const IArg *first, int have, const IArg *args, int n,
                         Span call)
{
    IArg *all = NEW_ARRAY(in->arena, IArg, have + n);
    for (int i = 0; i < have + n; i++) all[i] = i < have ? first[i] : args[i - have];
    return apply(in, env, f, all, have + n, call);
}

static IType *apply_operator(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    PrimId id = prim_from_name(f->name);
    if (f->kind == AST_OP || n != 1) return call_prim(in, id, args, n, call);
    IArg side = {.ast = f->kids[0], .env = env};
    IArg both[2] = {f->kind == AST_SECTION_LEFT ? side : args[0], f->kind == AST_SECTION_LEFT ? args[0] : side};
    return call_prim(in, id, both, 2, call);
}

static IType *apply_compose(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    IArg inner = {.type = apply(in, env, f->kids[1], args, 1, call)};
    return inner.type ? apply_more(in, env, f->kids[0], &inner, 1, args + 1, n - 1, call) : NULL;
}

static IType *apply(Infer *in, const IEnv *env, const Ast *f, const IArg *args, int n, Span call)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return bad(in, call, "the rule is too large to type"), NULL;
    switch (f->kind) {
    case AST_APP: {
        IArg *have = NEW_ARRAY(in->arena, IArg, f->kid_count);
        for (int i = 1; i < f->kid_count; i++) have[i - 1] = (IArg){.ast = f->kids[i], .env = env};
        return apply_more(in, env, f->kids[0], have, f->kid_count - 1, args, n, call);
    }
    case AST_LAMBDA: return apply_lambda(in, env, f->pats, f->pat_count, f->kids[0], args, n, call);
    case AST_NAME: return apply_name(in, env, f, args, n, call);
    case AST_OP: case AST_SECTION_LEFT: case AST_SECTION_RIGHT: return apply_operator(in, env, f, args, n, call);
    case AST_ANNOT: return apply(in, env, f->kids[0], args, n, call);
    case AST_BINARY:
        if (strcmp(f->name, ".") == 0) return apply_compose(in, env, f, args, n, call);
        if (strcmp(f->name, "$") == 0) {
            IArg first = {.ast = f->kids[1], .env = env};
            return apply_more(in, env, f->kids[0], &first, 1, args, n, call);
        }
        break;
    default: break;
    }
    bad(in, f->span, "this is not a function, it cannot be applied");
    return NULL;
}

/* ---- expressions ---- */

static IType *literal(Infer *in, const Ast *a)
{
    static const Scalar suffixes[] = {
        [SUFFIX_NONE] = SC_I32, [SUFFIX_F16] = SC_F16, [SUFFIX_F32] = SC_F32, [SUFFIX_F64] = SC_F64,
        [SUFFIX_I32] = SC_I32,  [SUFFIX_I64] = SC_I64, [SUFFIX_U32] = SC_U32};
    if (a->suffix != SUFFIX_NONE) return scalar(in, suffixes[a->suffix]);
    return fresh(in, a->kind == AST_INT ? IC_NUMERIC : IC_FLOAT);
}

static IType *name_expr(Infer *in, const IEnv *env, const Ast *a)
{
    if (strcmp(a->name, "_") == 0) return fresh(in, IC_DATA);
    const IEnv *b = find(env, a->name);
    if (b && b->ast) return expr(in, b->env, b->ast);
    if (b && b->type) return b->type;
    if (b) return bad(in, a->span, "\"%s\" stands for a list: write %s..", a->name, a->name), NULL;
    Meta *m = find_meta(in, a->name);
    if ((m && m->kind == META_STATIC) || (!m && find_param(in, a->name))) {
        static_meta(in, a->name, STATIC_SIZE);
        return fresh(in, IC_NUMERIC);
    }
    bool constant_name = strcmp(a->name, "pi") == 0 || strcmp(a->name, "inf") == 0 || strcmp(a->name, "nan") == 0;
    if (!m && constant_name) return fresh(in, IC_FLOAT);
    m = meta(in, a, META_DATA);
    if (m && !m->type) m->type = fresh(in, IC_DATA);
    return m ? m->type : NULL;
}

static IType *at_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IType *x = expr(in, env, a->kids[0]);
    if (!x) return NULL;
    IType *now = itype_now(in, x);
    if (now->kind == I_VECTOR) return now->kids[0];
    IType *i = expr(in, env, a->kids[1]), *elem = fresh(in, IC_DATA);
    if (!i || !need_type(in, a->kids[1]->span, "an index", scalar(in, SC_I32), i)) return NULL;
    return need_type(in, a->span, "indexing", sized(in, I_ARRAY, fresh_size(in), elem), x) ? elem : NULL;
}

static IType *proj_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IType *x = expr(in, env, a->kids[0]);
    if (!x) return NULL;
    x = itype_now(in, x);
    if (x->kind == I_TUPLE && a->ival < x->count) return x->kids[a->ival];
    bad(in, a->span, "there is no component .%d in %s", (int)a->ival, itype_text(in, x));
    return NULL;
}

static IType *tuple_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IType *types[ARG_MAX];
    IArg *args = NEW_ARRAY(in->arena, IArg, a->kid_count);
    for (int i = 0; i < a->kid_count; i++) args[i] = (IArg){.ast = a->kids[i], .env = env};
    int n = arg_types(in, args, a->kid_count, types);
    if (n == 0 || (n == 1 && !in->right)) return wrong_draw(in);
    return n < 0 ? NULL : tuple(in, types, n);
}

static IType *prim_expr(Infer *in, const IEnv *env, const Ast *a, PrimId id)
{
    IArg args[3];
    for (int i = 0; i < a->kid_count && i < 3; i++) args[i] = (IArg){.ast = a->kids[i], .env = env};
    return call_prim(in, id, args, a->kid_count, a->span);
}

static IType *binary_expr(Infer *in, const IEnv *env, const Ast *a)
{
    bool pipe = strcmp(a->name, "|>") == 0;
    if (!pipe && strcmp(a->name, "$") != 0) return prim_expr(in, env, a, prim_from_name(a->name));
    IArg x = {.ast = a->kids[pipe ? 0 : 1], .env = env};
    return apply(in, env, a->kids[pipe ? 1 : 0], &x, 1, a->span);
}

static IType *let_expr(Infer *in, const IEnv *env, const Ast *a)
{
    IArg value = {.ast = a->kids[0], .env = env};
    return apply_lambda(in, env, a->pats, 1, a->kids[1], &value, 1, a->span);
}

static IType *expr(Infer *in, const IEnv *env, const Ast *a)
{
    if (in->failed || in->bad_draw) return NULL;
    if (in->fuel-- <= 0) return bad(in, a->span, "the rule is too large to type"), NULL;
    switch (a->kind) {
    case AST_NAME: return name_expr(in, env, a);
    case AST_INT: case AST_FLOAT: return literal(in, a);
    case AST_BOOL: return scalar(in, SC_BOOL);
    case AST_APP: return apply(in, env, a, NULL, 0, a->span);
    case AST_LET: return let_expr(in, env, a);
    case AST_IF: return prim_expr(in, env, a, PRIM_IF);
    case AST_TUPLE: return tuple_expr(in, env, a);
    case AST_PROJ: return proj_expr(in, env, a);
    case AST_AT: return at_expr(in, env, a);
    case AST_BINARY: return binary_expr(in, env, a);
    case AST_UNARY: return prim_expr(in, env, a, *a->name == '-' ? PRIM_NEG : PRIM_NOT);
    case AST_ANNOT: return expr(in, env, a->kids[0]);
    default: bad(in, a->span, "a function stands where a value is needed"); return NULL;
    }
}

/* ---- conditions ---- */

static Meta *cond_function(Infer *in, const Ast *a)
{
    Meta *m = a->kind == AST_NAME ? find_meta(in, a->name) : NULL;
    return m && m->kind == META_FUN ? m : NULL;
}

static void cond_property(Infer *in, const AstCond *k)
{
    bool neutral = k->kind == COND_NEUTRAL;
    Meta *f = cond_function(in, k->args[neutral ? 1 : 0]);
    if (!f || k->negated) return;
    f->props |= neutral ? PROP_NEUTRAL : k->kind == COND_ASSOCIATIVE ? PROP_ASSOCIATIVE : PROP_COMMUTATIVE;
    if (!neutral) return;
    Meta *z = k->args[0]->kind == AST_NAME ? find_meta(in, k->args[0]->name) : NULL;
    if (z && z->kind == META_DATA) z->neutral_of = f;
    else f->neutral = k->args[0];
}

static void cond_sizes(Infer *in, const AstCond *k)
{
    const char *op = k->name ? k->name : "";
    const Nat *a = size_expr(in, NULL, k->args[0]), *b = a ? size_expr(in, NULL, k->args[1]) : NULL;
    if (!b) return;
    if (k->kind == COND_DIVIDES) put_cond(in, '|', a, b, k->negated, NULL);
    else if (*op == '=') {
        if (k->negated) put_cond(in, '=', a, b, true, NULL);
        else if (!unify_size(in, a, b)) wrong_draw(in);
    } else if (*op == '!') put_cond(in, '=', a, b, !k->negated, NULL);
    else if (*op == '<') put_cond(in, op[1] ? 'l' : '<', a, b, k->negated, NULL);
    else put_cond(in, op[1] ? 'l' : '<', b, a, k->negated, NULL);
}

static void cond_under(Infer *in, const AstCond *k)
{
    if (k->negated) return;
    Place p = {pattern_prim(k->name), k->arg_count ? size_expr(in, NULL, k->args[0]) : NULL};
    if (p.prim == PRIM_COUNT || !prim_is_map(p.prim)) in->unsupported = "no place under that primitive is generated";
    else vec_push(&in->places, p);
}

static void condition(Infer *in, const AstCond *k)
{
    Meta *f;
    IType *t;
    switch (k->kind) {
    case COND_DIVIDES: case COND_COMPARE: cond_sizes(in, k); return;
    case COND_ASSOCIATIVE: case COND_COMMUTATIVE: case COND_NEUTRAL: cond_property(in, k); return;
    case COND_SCALAR:
        t = expr(in, NULL, k->args[0]);
        if (t && !k->negated && !restrict_to(in, t, IC_SCALARS))
            bad(in, k->span, "this is no scalar but %s", itype_text(in, t));
        return;
    case COND_COMPUTES: case COND_LAYOUT:
        f = cond_function(in, k->args[0]);
        if (f) *(k->kind == COND_LAYOUT ? &f->wants_layout : &f->wants_computes) = k->negated ? -1 : 1;
        return;
    case COND_UNDER: cond_under(in, k); return;
    case COND_CONTAINS:
        if (!k->negated) in->unsupported = "no function that contains a given primitive is generated";
        return;
    case COND_CALL: in->asks = true; return;
    case COND_CONSTANT: return;
    }
}

/* ---- rules ---- */

static const Ast *side(const Rule *r, bool right) { return right != r->reversed ? r->ast->rhs : r->ast->lhs; }

static void one_type(Infer *in)
{
    const char *left = itype_text(in, in->left_type), *right = itype_text(in, in->right_type);
    if ((itype_unify(in, in->left_type, in->right_type) && unify_later(in)) || in->bad_draw) return;
    Span span = side(in->rule, true)->span;
    if (bad(in, span, "the sides have different types: %s and %s", left, right)) return;
    diag_note(&in->c->diag, "left", "%s", left);
    diag_note(&in->c->diag, "right", "%s", right);
}

bool infer_rule(Infer *in, Ctx *c, Arena *arena, const Rule *rule, Rng *rng)
{
    *in = (Infer){.c = c, .arena = arena, .rule = rule, .rng = rng, .source = rule->ast->source, .fuel = INFER_FUEL};
    in->left_type = expr(in, NULL, side(rule, false));
    if (!in->left_type) return bad(in, side(rule, false)->span, "the left side does not type");
    in->left_open = in->open.n;
    in->right = true;
    in->right_type = expr(in, NULL, side(rule, true));
    if (!in->right_type) return bad(in, side(rule, true)->span, "the right side does not type");
    one_type(in);
    for (int i = 0; i < rule->ast->cond_count && !in->failed && !in->bad_draw; i++) condition(in, rule->ast->conds[i]);
    if (!in->failed && !in->bad_draw && !unify_later(in)) in->bad_draw = true;
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

static bool infer_some(Infer *in, Ctx *c, Arena *arena, const Rule *r)
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

/* ---- facts that nothing implies ---- */

static bool same_cond(Infer *in, const SizeCond *a, const SizeCond *b)
{
    return a->op == b->op && !b->negated && size_now(in, a->a) == size_now(in, b->a) &&
           size_now(in, a->b) == size_now(in, b->b);
}

static bool implied(Infer *in, const SizeCond *need, const NatFacts *facts)
{
    Nats *n = in->c->nats;
    const Nat *a = size_now(in, need->a), *b = size_now(in, need->b);
    if (!a || !b) return true;
    for (int i = 0; i < in->conds.n; i++)
        if (same_cond(in, need, &in->conds.v[i])) return true;
    if (need->op == '|') return nat_divides(n, a, b, facts);
    return need->op == 'l' ? nat_less_eq(n, a, b) : nat_less(n, a, b);
}

void valuation_start(Valuation *v, Infer *in)
{
    *v = (Valuation){.in = in};
    for (int i = 0; i < in->open.n; i++) {
        bool solved = false;
        for (int k = 0; k < in->solved.n; k++) solved |= in->solved.v[k].var == in->open.v[i];
        if (!solved && v->count < VALUATION_MAX) v->atoms[v->count++] = in->open.v[i];
    }
}

static bool value_of(void *data, const NatAtom *a, int64_t *out)
{
    Valuation *v = data;
    for (int i = 0; i < v->count; i++)
        if (v->atoms[i] == a) {
            *out = v->values[i];
            return true;
        }
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
    int x = evaluate(in, v, k->a, &a), y = evaluate(in, v, k->b, &b);
    if (x < 0 || y < 0) return true;
    if (!x || !y) return false;
    bool yes = k->op == '|' ? a > 0 && b % a == 0 : k->op == '=' ? a == b : k->op == '<' ? a < b : a <= b;
    return yes != k->negated;
}

/* Sizes that only the right side has may be no integers: then it needs a fact that is missing. */
static bool of_left(const Infer *in, const NatAtom *v)
{
    for (int i = 0; i < in->left_open; i++)
        if (in->open.v[i] == v) return true;
    return false;
}

bool valuation_legal(Valuation *v)
{
    Infer *in = v->in;
    int64_t x = 1, y = 1;
    for (int i = 0; i < in->solved.n; i++) {
        if (!of_left(in, in->solved.v[i].var)) continue;
        int ok = evaluate(in, v, in->solved.v[i].value, &x);
        if (ok == 0 || (ok > 0 && x < 1)) return false;
    }
    for (int i = 0; i < in->later.n; i++)
        if (evaluate(in, v, in->later.v[i].a, &x) != 1 || evaluate(in, v, in->later.v[i].b, &y) != 1 || x != y)
            return false;
    for (int i = 0; i < in->conds.n; i++)
        if (!cond_holds(in, &in->conds.v[i], v)) return false;
    return true;
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
        if (!size || size->term_count != 1 || size->terms[0].factor_count != 1) continue;
        const NatTerm *term = &size->terms[0];
        if (term->num != 1 || term->den != 1 || term->factors[0].exp != 1 || term->factors[0].atom->var == VAR_PARAM)
            continue;
        const char *name = arena_printf(in->arena, "(length %s)", m->name);
        map[count++] = (NatBinding){term->factors[0].atom, nat_var(in->c->nats, name, VAR_SIZE, NULL, NULL)};
    }
    return nat_subst(in->c->nats, size_now(in, n), map, count, NULL);
}

static const char *cond_words(Infer *in, const SizeCond *k)
{
    Buf b = {0};
    const Nat *x = in_words(in, k->a), *y = in_words(in, k->b);
    nat_print(x, k->op == '|' ? 9 : 0, &b);
    buf_puts(&b, k->op == '|' ? " divides " : k->op == 'l' ? " <= " : " < ");
    nat_print(y, k->op == '|' ? 9 : 0, &b);
    const char *s = arena_strdup(in->c->diag.arena, buf_text(&b));
    buf_free(&b);
    return s;
}

static const NatFacts *facts_of(Infer *in)
{
    NatFacts *list = NULL;
    for (int i = 0; i < in->conds.n; i++) {
        const SizeCond *k = &in->conds.v[i];
        if (k->op != '|' || k->negated) continue;
        NatFacts *f = NEW(in->arena, NatFacts);
        *f = (NatFacts){size_now(in, k->a), size_now(in, k->b), list};
        if (f->divisor && f->number) list = f;
    }
    return list;
}

int rule_missing_facts(Ctx *c, const Rule *r, const char **out, int max)
{
    if (!r->ast) return 0;
    Arena *arena = arena_new();
    Infer in;
    Rng rng = {7};
    int n = 0;
    if (infer_some(&in, c, arena, r)) {
        const NatFacts *facts = facts_of(&in);
        for (int i = 0; i < in.needs.n && n < max; i++) {
            if (implied(&in, &in.needs.v[i], facts) || !breakable(&in, &in.needs.v[i], &rng)) continue;
            const char *text = cond_words(&in, &in.needs.v[i]);
            bool said = false;
            for (int k = 0; k < n; k++) said |= strcmp(out[k], text) == 0;
            if (!said) out[n++] = text;
        }
        infer_free(&in);
    }
    arena_free(arena);
    return n;
}

/* infer_type: types with variables, and their unification. */
#include "infer_private.h"

#include <string.h>

/* ---- types ---- */

static IType *itype_new(Infer *in, IKind kind, int count)
{
    return MAKE(in->arena, IType, .kind = kind, .count = count, .kids = NEW_ARRAY(in->arena, IType *, count));
}

IType *itype_fresh(Infer *in, IClass cls)
{
    IType *t = itype_new(in, I_VAR, 0);
    t->cls = cls;
    t->id = in->next_var++;
    return t;
}

IType *itype_scalar(Infer *in, Scalar s)
{
    IType *t = itype_new(in, I_SCALAR, 0);
    t->scalar = s;
    return t;
}

IType *itype_sized(Infer *in, IKind kind, const Nat *size, IType *elem)
{
    IType *t = itype_new(in, kind, 1);
    t->size = size;
    t->kids[0] = elem;
    return t;
}

IType *itype_pair(Infer *in, IKind kind, IType *a, IType *b)
{
    IType *t = itype_new(in, kind, 2);
    t->kids[0] = a;
    t->kids[1] = b;
    return t;
}

IType *itype_tuple(Infer *in, IType *const *parts, int n)
{
    if (n == 1) return parts[0];
    IType *t = itype_new(in, I_TUPLE, n);
    memcpy(t->kids, parts, sizeof *parts * (size_t)n);
    return t;
}

IType *itype_subst(Infer *in, IType *t, const NatBinding *b)
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
    if (t->kind == TY_VECTOR)
        return itype_sized(in, I_VECTOR, nat_const(in->c->nats, t->width), itype_scalar(in, t->scalar));
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

const char *itype_text(Infer *in, IType *t)
{
    Buf b = {0};
    print_itype(in, t, &b);
    return buf_take(&b, in->arena);
}

/* ---- errors ---- */

bool infer_bad(Infer *in, Span span, const char *fmt, ...)
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

void *infer_wrong_draw(Infer *in)
{
    in->bad_draw = true;
    return NULL;
}

/* ---- sizes ---- */

const Nat *size_const(Infer *in, int64_t v) { return nat_const(in->c->nats, v); }

const NatAtom *size_atom(const Nat *var) { return var->terms[0].factors[0].atom; }

const Nat *size_now(Infer *in, const Nat *n)
{
    if (!n || n->is_const) return n;
    return nat_subst(in->c->nats, n, in->solved.v, in->solved.n, NULL);
}

const Nat *size_fresh(Infer *in)
{
    static const char letters[] = "NMKLRSTUVW";
    int k = in->next_size++, n = (int)sizeof letters - 1;
    const char *name = k < n ? arena_printf(in->arena, "%c", letters[k])
                             : arena_printf(in->arena, "%c%d", letters[k % n], k / n);
    const Nat *v = nat_var(in->c->nats, name, VAR_SIZE, NULL, NULL);
    vec_push(&in->open, size_atom(v));
    return v;
}

void size_solve(Infer *in, const NatAtom *v, const Nat *value)
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
            const Nat *value = nat_solve(n, d, v, size_const(in, 0));
            if (!value) continue;
            if (value->is_const && value->value < 1) return 0;
            size_solve(in, v, value);
            return 1;
        }
    return mentioned ? -1 : 0;
}

bool size_unify(Infer *in, const Nat *a, const Nat *b)
{
    int r = unify_once(in, a, b);
    if (r < 0) {
        SizeEquation e = {a, b};
        vec_push(&in->later, e);
    }
    return r != 0;
}

/* Postponed equations again, until none moves. */
bool size_unify_later(Infer *in)
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

bool itype_restrict(Infer *in, IType *t, IClass cls)
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

bool itype_need(Infer *in, Span span, const char *who, IType *want, IType *found)
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

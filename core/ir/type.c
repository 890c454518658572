/* type: interned types, and questions about them; errors, for what is made of them. */
#include "ir_private.h"

#include <string.h>

void *ctx_error_at(Ctx *c, ErrorId id, const Source *s, Span span, const char *fmt, ...)
{
    if (diag_failed(&c->diag)) return NULL;
    char *rest = FORMATTED(c->diag.arena, fmt);
    diag_error_at(&c->diag, id, s, span, "%s", strsep(&rest, "\f"));
    while (rest) {
        const char *label = strsep(&rest, "\f");
        diag_note(&c->diag, label, "%s", strsep(&rest, "\f"));
    }
    return NULL;
}

/* ---- interning ---- */

static bool same_type(const void *key, const void *item)
{
    const Type *a = key, *b = item;
    if (a->kind != b->kind || a->count != b->count) return false;
    if (a->scalar != b->scalar || a->width != b->width || a->literal != b->literal || a->size != b->size) return false;
    return ALL(i, a->count, a->elems[i] == b->elems[i]);
}

static const Type *intern_type(Ctx *c, Type key)
{
    uint64_t h = hash_mix(key.kind, (uint64_t)key.literal << 16 | (uint64_t)key.scalar << 8 | (uint64_t)key.width);
    if (key.size) h = hash_mix(h, key.size->id);
    for (int i = 0; i < key.count; i++) h = hash_mix(h, key.elems[i]->id);
    Type *t = ptr_table_find(&c->tables->types, h, same_type, &key);
    if (t) return t;
    t = NEW(c->arena, Type);
    *t = key;
    const Type **elems = NEW_ARRAY(c->arena, const Type *, key.count);
    if (key.count) memcpy(elems, key.elems, sizeof *elems * (size_t)key.count);
    t->elems = elems;
    t->id = (uint32_t)c->tables->types.used + 1;
    t->leaf_count = 1;
    for (int i = 0; i < t->count; i++)
        if (elems[i]->rank > t->rank) t->rank = elems[i]->rank;
    t->rank += t->kind == TY_ARRAY;
    if (t->kind == TY_TUPLE) {
        int n = 0;
        for (int i = 0; i < t->count; i++) n += t->elems[i]->leaf_count;
        t->leaf_count = n;
    }
    ptr_table_add(&c->tables->types, h, t);
    return t;
}

const Type *type_scalar(Ctx *c, Scalar s)
{
    const Type **slot = &c->tables->scalars[s];
    if (!*slot) *slot = intern_type(c, (Type){.kind = TY_SCALAR, .scalar = s});
    return *slot;
}

const Type *type_vector(Ctx *c, int width, const Type *elem)
{
    if (!elem) return NULL;
    if (width != 2 && width != 3 && width != 4 && width != 8 && width != 16)
        return ctx_error(c, E04, "a vector width is 2, 3, 4, 8 or 16, not %d", width);
    if (elem->kind == TY_TUPLE) {
        const Type *parts[ARG_MAX];
        for (int i = 0; i < elem->count; i++) {
            parts[i] = type_vector(c, width, elem->elems[i]);
            if (!parts[i]) return NULL;
        }
        return type_tuple(c, parts, elem->count);
    }
    if (elem->kind != TY_SCALAR)
        return ctx_error(c, E04, "a short vector holds scalars, not %s", type_text(c, elem));
    return intern_type(c, (Type){.kind = TY_VECTOR, .scalar = elem->scalar, .width = width, .literal = elem->literal});
}

const Type *type_lane(Ctx *c, const Type *vector)
{
    return intern_type(c, (Type){.kind = TY_SCALAR, .scalar = vector->scalar, .literal = vector->literal});
}

const Type *type_array(Ctx *c, const Nat *size, const Type *elem)
{
    if (!elem) return NULL;
    if (!size)
        return ctx_error(c, E08, SIZE_REFUSED, NAT_TERMS_MAX);
    if (size->is_const && size->value < !c->empty)
        return ctx_error(c, E04, "an array length must be at least 1, not %lld", (long long)size->value);
    if (elem->kind == TY_FUN) return ctx_error(c, E04, "an array cannot hold functions");
    return intern_type(c, (Type){.kind = TY_ARRAY, .size = size, .count = 1, .elems = &elem});
}

const Type *type_tuple(Ctx *c, const Type *const *elems, int n)
{
    if (ANY(i, n, !elems[i])) return NULL;
    if (n == 1) return elems[0];
    if (n > ARG_MAX) return ctx_error(c, E08, "a tuple has at most %d components, not %d", ARG_MAX, n);
    return intern_type(c, (Type){.kind = TY_TUPLE, .count = n, .elems = elems});
}

const Type *type_fun(Ctx *c, const Type *arg, const Type *result)
{
    if (!arg || !result) return NULL;
    const Type *elems[2] = {arg, result};
    return intern_type(c, (Type){.kind = TY_FUN, .count = 2, .elems = elems});
}

/* ---- literals that are not decided: unification ---- */

const Type *type_of_literal(Ctx *c, Literal l)
{
    l.scalar = l.fits == CLASS_FLOAT ? SC_F32 : SC_I32;
    vec_push(c->literals, l);
    return intern_type(c, (Type){.kind = TY_SCALAR, .scalar = l.scalar, .literal = c->literals->n});
}

Literal *literal_root(Ctx *c, int i)
{
    Literal *all = c->literals->v;
    while (all[i].same) i = all[i].same - 1;
    return &all[i];
}

/* The one that a scalar's or vector's type hangs on; NULL: it is decided, *scalar. */
static Literal *undecided(Ctx *c, const Type *t, Scalar *scalar)
{
    Literal *l = t->literal && c->literals ? literal_root(c, t->literal - 1) : NULL;
    *scalar = l && l->decided ? l->scalar : t->scalar;
    return l && l->decided ? NULL : l;
}

static bool scalar_in_class(TypeClass cls, Scalar s)
{
    switch (cls) {
    case CLASS_NUMERIC: return scalar_is_numeric(s);
    case CLASS_FLOAT: return scalar_is_float(s);
    case CLASS_INT: return scalar_is_int(s);
    case CLASS_W32: return scalar_bytes(s) == 4;
    case CLASS_W64: return scalar_bytes(s) == 8;
    default: return true;
    }
}

static bool cannot_be(Ctx *c, const Literal *l, const char *needed)
{
    const char *what = l->fits == CLASS_FLOAT ? "a float" : l->fits == CLASS_INT ? "an integer" : "a number";
    int length = (int)(l->span.to - l->span.from);
    ctx_error_at(c, E04, l->source, l->span, "\"%.*s\" is %s, where %s is needed", length, l->source->text + l->span.from, what, needed);
    if (l->fits == CLASS_FLOAT && strchr("iu", *needed)) diag_note(&c->diag, "hint", "f32 x is x as a float");
    return false;
}

/* What it is now also needed to be. */
static bool literal_fits(Ctx *c, Literal *l, TypeClass cls)
{
    static const char *const names[] = {"a value", "a scalar", "a number", "a float", "an integer"};
    bool clash = (l->fits == CLASS_FLOAT && cls == CLASS_INT) || (l->fits == CLASS_INT && cls == CLASS_FLOAT);
    if (clash) return cannot_be(c, l, names[cls]);
    if ((cls != CLASS_FLOAT && cls != CLASS_INT) || l->fits == cls) return true;
    l->fits = cls;
    l->scalar = cls == CLASS_FLOAT ? SC_F32 : SC_I32;
    return true;
}

bool type_in_class(Ctx *c, TypeClass cls, const Type *t)
{
    Scalar s;
    if (cls == CLASS_DATA) return type_is_data(t);
    if (t->kind != TY_SCALAR) return false;
    Literal *l = undecided(c, t, &s);
    return l ? literal_fits(c, l, cls) : scalar_in_class(cls, s);
}

/* Of two scalars, or vectors of one width. */
static bool same_scalar(Ctx *c, const Type *a, const Type *b)
{
    Scalar sa, sb;
    Literal *la = undecided(c, a, &sa), *lb = undecided(c, b, &sb);
    if (!la && !lb) return sa == sb;
    if (la == lb) return true;
    if (la && lb) {
        if (!literal_fits(c, lb, la->fits)) return false;
        if (la->cast && !lb->cast) lb->cast = true, lb->scalar = la->scalar;
        la->same = (int)(lb - c->literals->v) + 1;
        return true;
    }
    Literal *l = la ? la : lb;
    Scalar s = la ? sb : sa;
    if (!scalar_in_class(l->fits, s)) return cannot_be(c, l, scalar_name(s));
    l->decided = true;
    l->scalar = s;
    return true;
}

void type_suggest(Ctx *c, const Type *t, Scalar s)
{
    Scalar was;
    Literal *l = t->kind == TY_SCALAR ? undecided(c, t, &was) : NULL;
    if (!l || l->cast || l->fits != CLASS_FLOAT || s != SC_F64) return;
    l->cast = true;
    l->scalar = s;
}

bool type_same(Ctx *c, const Type *a, const Type *b)
{
    if (a == b) return true;
    if (!c->literals) return false;
    if (a->kind != b->kind || a->count != b->count || a->width != b->width || a->size != b->size) {
        Scalar s;
        Literal *la = undecided(c, a, &s), *lb = undecided(c, b, &s);
        return la ? cannot_be(c, la, type_text(c, b)) : lb ? cannot_be(c, lb, type_text(c, a)) : false;
    }
    if (a->kind == TY_SCALAR || a->kind == TY_VECTOR) return same_scalar(c, a, b);
    return ALL(i, a->count, type_same(c, a->elems[i], b->elems[i]));
}

/* ---- questions ---- */

bool type_is_data(const Type *t)
{
    if (t->kind == TY_FUN) return false;
    return ALL(i, t->count, type_is_data(t->elems[i]));
}

bool type_is_scalar_like(const Type *t)
{
    if (t->kind == TY_SCALAR) return true;
    if (t->kind != TY_TUPLE) return false;
    return ALL(i, t->count, type_is_scalar_like(t->elems[i]));
}

const Nat *type_image_row(Ctx *c, const Type *t, int *texel)
{
    enum { TEXEL_BYTES = 16 };
    const Nat *row = NULL;
    for (; t->kind == TY_ARRAY; t = t->elems[0]) row = t->size;
    bool number = (t->kind == TY_SCALAR || t->kind == TY_VECTOR) && scalar_is_numeric(t->scalar) && scalar_bytes(t->scalar) >= 4;
    if (!row || !number) return NULL;
    *texel = TEXEL_BYTES / scalar_bytes(t->scalar);
    return t->kind == TY_VECTOR ? nat_mul(c->nats, row, nat_const(c->nats, t->width)) : row;
}

const Type *type_leaf(const Type *t, int i)
{
    while (t->kind == TY_TUPLE) {
        int k = 0;
        while (i >= t->elems[k]->leaf_count) i -= t->elems[k++]->leaf_count;
        t = t->elems[k];
    }
    return t;
}

/* ---- printing ---- */

void type_print(const Type *t, Buf *out)
{
    switch (t->kind) {
    case TY_SCALAR:
        buf_puts(out, scalar_name(t->scalar));
        break;
    case TY_VECTOR:
        buf_printf(out, "<%d>%s", t->width, scalar_name(t->scalar));
        break;
    case TY_ARRAY:
        buf_putc(out, '[');
        nat_print(t->size, 0, out);
        buf_putc(out, ']');
        type_print(t->elems[0], out);
        break;
    case TY_TUPLE:
        for (int i = 0; i < t->count; i++) {
            buf_puts(out, i ? ", " : "(");
            type_print(t->elems[i], out);
        }
        buf_putc(out, ')');
        break;
    case TY_FUN:
        buf_putc(out, '(');
        type_print(t->elems[0], out);
        buf_puts(out, " -> ");
        type_print(t->elems[1], out);
        buf_putc(out, ')');
        break;
    }
}

const char *type_text(Ctx *c, const Type *t)
{
    Buf b = {0};
    if (t) type_print(t, &b);
    return buf_take(&b, c->diag.arena);
}

bool type_mentions(const Type *t, const NatAtom *v)
{
    if (t->kind == TY_ARRAY && nat_mentions(t->size, v)) return true;
    return ANY(i, t->count, type_mentions(t->elems[i], v));
}

int type_components(const Type *t)
{
    if (t->kind == TY_ARRAY) return type_components(t->elems[0]);
    int n = t->kind != TY_TUPLE;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) n += type_components(t->elems[i]);
    return n;
}

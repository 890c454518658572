/* type: interned types, and questions about them; errors, for what is made of them. */
#include "ir_private.h"

#include <string.h>

void *ctx_error_at(Ctx *c, ErrorId id, const Source *s, Span span, const char *fmt, ...)
{
    if (diag_failed(&c->diag)) return NULL;
    va_list ap;
    va_start(ap, fmt);
    char *rest = arena_vprintf(c->diag.arena, fmt, ap);
    va_end(ap);
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
    if (a->scalar != b->scalar || a->width != b->width || a->size != b->size) return false;
    return ALL(i, a->count, a->elems[i] == b->elems[i]);
}

static const Type *intern_type(Ctx *c, Type key)
{
    uint64_t h = hash_mix(key.kind, (uint64_t)key.scalar << 8 | (uint64_t)key.width);
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
    return intern_type(c, (Type){.kind = TY_VECTOR, .scalar = elem->scalar, .width = width});
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

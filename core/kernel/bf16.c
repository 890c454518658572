/* bf16: what kernels make of bf16, which no language has everywhere: 16 bits in memory, and floats that such numbers hold in between. */
#include "kernel.h"

typedef struct Bf16s {
    Build *b;
    int count;
    const Expr **values, **words;        /* by expression, once made */
} Bf16s;

static const Expr *value_of(Bf16s *w, const Expr *e);

static const Expr *unary(Build *b, PrimId op, Scalar s, const Expr *x) { return expr_op(b, op, s, &x, 1); }

/* In registers it is a float. */
static Scalar kept(const Buffer *buf) { return buf->space == SPACE_PRIVATE ? SC_F32 : SC_U16; }

static const Expr *rounded(Build *b, const Expr *x) { return unary(b, PRIM_TO_BF16, SC_F32, x); }

/* The 16 bits of one. */
static const Expr *make_word(Bf16s *w, const Expr *e)
{
    Build *b = w->b;
    bool memory = e->kind == X_VALUE || (e->kind == X_LOAD && e->place.buf->space != SPACE_PRIVATE);
    if (memory || e->kind == X_VEC) {
        Expr *copy = expr_copy(b, e);
        copy->scalar = SC_U16;
        for (int i = 0; i < e->arg_count; i++) copy->args[i] = make_word(w, e->args[i]);
        b->needs.made[SC_U16] = true;
        return copy;
    }
    if (e->kind == X_LIT) return expr_lit(b, SC_U16, (LitValue){.i = bf16_of_double(e->lit.f).bits});
    const Expr *word = expr_binary(b, PRIM_SHR, SC_U32, unary(b, PRIM_AS_U32, SC_U32, value_of(w, e)), expr_lit(b, SC_U32, (LitValue){.i = 16}));
    return unary(b, PRIM_TO_U16, SC_U16, word);
}

static const Expr *word_of(Bf16s *w, const Expr *e)
{
    if (e->id >= w->count) return make_word(w, e);
    return w->words[e->id] ? w->words[e->id] : (w->words[e->id] = make_word(w, e));
}

static const Expr *widened(Bf16s *w, const Expr *e)
{
    Build *b = w->b;
    const Expr *word = unary(b, PRIM_TO_U32, SC_U32, word_of(w, e));
    return unary(b, PRIM_AS_F32, SC_F32, expr_binary(b, PRIM_SHL, SC_U32, word, expr_lit(b, SC_U32, (LitValue){.i = 16})));
}

static const Expr *make_value(Bf16s *w, const Expr *e)
{
    Build *b = w->b;
    bool own = e->scalar == SC_BF16;
    if (own && (e->kind == X_VALUE || (e->kind == X_LOAD && e->place.buf->space != SPACE_PRIVATE))) return widened(w, e);
    if (own && e->kind == X_NAT) return rounded(b, expr_index(b, SC_F32, e->nat));
    if (!own && !ANY(i, e->arg_count, value_of(w, e->args[i]) != e->args[i])) return e;
    if (e->kind == X_OP && e->op == PRIM_TO_F32 && e->args[0]->scalar == SC_BF16) return value_of(w, e->args[0]);
    if (e->kind == X_OP && e->op == PRIM_TO_BF16) return rounded(b, unary(b, PRIM_TO_F32, SC_F32, value_of(w, e->args[0])));
    Expr *copy = expr_copy(b, e);
    for (int i = 0; i < e->arg_count; i++) copy->args[i] = value_of(w, e->args[i]);
    if (!own) return copy;
    copy->scalar = SC_F32;
    b->needs.made[SC_F32] = true;
    return e->kind == X_OP && prim_rounds(e->op) ? rounded(b, copy) : copy;
}

static const Expr *value_of(Bf16s *w, const Expr *e)
{
    if (e->id >= w->count) return make_value(w, e);
    return w->values[e->id] ? w->values[e->id] : (w->values[e->id] = make_value(w, e));
}

static void in_block(Bf16s *w, Block *blk)
{
    for (Stmt *s = blk->first; s; s = s->next) {
        if (s->value) s->value = s->value->scalar == SC_BF16 && kept(s->place.buf) == SC_U16 ? word_of(w, s->value) : value_of(w, s->value);
        if (!stmt_has_bodies(s)) continue;
        in_block(w, &s->body);
        in_block(w, &s->other);
    }
}

static void declare(Buffer *buf)
{
    if (buf->scalar == SC_BF16) buf->scalar = kept(buf);
}

static void declare_in(const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->kind == S_ALLOC) declare(s->buf);
        if (!stmt_has_bodies(s)) continue;
        declare_in(&s->body);
        declare_in(&s->other);
    }
}

void kernels_without_bf16(Build *b)
{
    if (!b->needs.made[SC_BF16]) return;
    int n = b->expr_ids;
    Bf16s w = {b, n, NEW_ARRAY(b->arena, const Expr *, n), NEW_ARRAY(b->arena, const Expr *, n)};
    for (int i = 0; i < b->kernels.n; i++) {
        Kernel *k = b->k = b->kernels.v[i];
        in_block(&w, &k->body);
        declare_in(&k->body);
        for (int j = 0; j < k->locals.n; j++) declare(k->locals.v[j]);
    }
    for (int i = 0; i < b->globals.n; i++) declare(b->globals.v[i]);
}

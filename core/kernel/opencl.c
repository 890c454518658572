#include "form.h"
#include "kernel.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Binding strengths of C, tightest last. */
enum { P_TOP = 0, P_CHOICE = 3, P_OR, P_AND, P_BOR, P_BXOR, P_BAND, P_EQ, P_LESS, P_SHIFT, P_SUM, P_PRODUCT, P_UNARY, P_ATOM };

typedef struct Printer {
    Build *b;
    Kernel *k;
    Buf *out;
    int indent;
    bool *buffers;                       /* used, by plan index */
    bool *written;
    bool *values;
    bool *sizes;
    int barriers;
    int64_t private_scalars;
    PtrTable offsets, nats;              /* Text by place, by number: what unrolled code says again and again */
    PtrTable rows;                       /* Rows by form */
    VEC(OriginMark) origins;             /* while asked for */
    const struct Path *within;           /* of the statement around; NULL: there is none */
} Printer;

/* A form of offsets as stride*row + rest. */
typedef struct Rows {
    const Form *form;
    const Nat *stride, *row, *rest;
    bool known;                          /* 0 <= rest <= most */
    bool only;                           /* no other way to take it apart needs no new quotient */
    bool same;                           /* nor does this one */
    int64_t most;
} Rows;

/* How a buffer's offsets of a form come apart into rows, stride by stride. */
enum { STRIDES_MAX = 4 };
typedef struct OffsetRows {
    const Buffer *buf;
    const Rows *rows[STRIDES_MAX];
    int count;                           /* -1: one has to look at each offset anew */
    const struct OffsetRows *next;       /* of the same form */
} OffsetRows;

/* A form as printed: with a number it has the same text and the number at its end, unless a factor divides the number. */
enum { FACTORS_MAX = 6 };
typedef struct FormText {
    const char *text;                    /* NULL: not so */
    size_t len;
    int64_t factors[FACTORS_MAX];
    int factor_count;
    const OffsetRows *rows;
} FormText;

/* A printed offset, or number. */
typedef struct Text {
    const Buffer *buf;
    const Nat *at;
    int prec;
    const char *text;
    size_t len;
} Text;

static void put_spaces(Buf *out, size_t n)
{
    static const char spaces[] = "                                                                ";
    for (; n > sizeof spaces - 1; n -= sizeof spaces - 1) buf_write(out, spaces, sizeof spaces - 1);
    buf_write(out, spaces, n);
}

/* Texts one behind the other, up to NULL. */
static void put(Buf *out, const char *const *texts)
{
    for (; *texts; texts++) buf_puts(out, *texts);
}

/* ---- types and literals ---- */

static const char *scalar_word(Scalar s)
{
    static const char *const words[SC_COUNT] = {[SC_BOOL] = "bool", [SC_I32] = "int", [SC_I64] = "long", [SC_U32] = "uint",
                                                [SC_F16] = "half", [SC_F32] = "float", [SC_F64] = "double"};
    return words[s];
}

/* A vector of bool is a mask of ints. */
static const char *element_word(Scalar s, int width) { return s == SC_BOOL && width > 1 ? "int" : scalar_word(s); }

const char *opencl_type(Arena *a, Scalar s, int width)
{
    const char *w = element_word(s, width);
    return width > 1 ? arena_printf(a, "%s%d", w, width) : w;
}

static void print_type(Printer *p, Scalar s, int width)
{
    buf_puts(p->out, element_word(s, width));
    if (width > 1) buf_int(p->out, width);
}

static void print_vector_head(Printer *p, Scalar s, int width)
{
    buf_putc(p->out, '(');
    print_type(p, s, width);
    buf_puts(p->out, ")(");
}

static const char *memory_word(Scalar s) { return s == SC_BOOL ? "uchar" : scalar_word(s); }

static void print_float(Buf *out, double v, Scalar s)
{
    char text[40];
    if (isnan(v) || isinf(v)) {
        buf_puts(out, isnan(v) ? "NAN" : "INFINITY");
        return;
    }
    bool digit = v < 10 && v == (int)v;                      /* 0 to 9, as most are */
    for (int digits = 1; !digit && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        double back = strtod(text, NULL);
        if (s == SC_F64 ? back == v : (float)back == (float)v) break;
    }
    if (digit) buf_int(out, (int)v);
    else buf_puts(out, text);
    if (digit || !strpbrk(text, ".e")) buf_puts(out, ".0");
    if (s == SC_F32) buf_putc(out, 'f');
    if (s == SC_F16) buf_putc(out, 'h');
}

static void print_int(Buf *out, int64_t v, Scalar s)
{
    if (s == SC_I32 && v == INT32_MIN) buf_puts(out, "(-2147483647 - 1)");
    else if (s == SC_I64 && v == INT64_MIN) buf_puts(out, "(-9223372036854775807L - 1)");
    else buf_int(out, v);
    if (s == SC_I64 && v != INT64_MIN) buf_putc(out, 'L');
    if (s == SC_U32) buf_putc(out, 'u');
}

static void print_literal(Printer *p, const Expr *e, int prec)
{
    bool negative = scalar_is_float(e->scalar) ? signbit(e->lit.f) && !isnan(e->lit.f) : e->lit.i < 0;
    bool brackets = negative && prec > P_SUM;
    if (brackets) buf_putc(p->out, '(');
    if (scalar_is_float(e->scalar)) {
        if (negative) buf_putc(p->out, '-');
        print_float(p->out, fabs(e->lit.f), e->scalar);
    } else {
        print_int(p->out, e->lit.i, e->scalar);
    }
    if (brackets) buf_putc(p->out, ')');
}

/* ---- indices ---- */

static void print_place(Printer *p, const Place *q);
static void print_variable(void *data, const NatAtom *var, Buf *out);

/* C precedence of a Nat's text: nat_print_c speaks 0 5 6 9. */
static int nat_prec(int prec) { return prec <= P_SHIFT ? 0 : prec <= P_SUM ? 5 : prec <= P_PRODUCT ? 6 : 9; }

/* A size, or a size divided by what divides it. */
static void print_size(Printer *p, const NatAtom *var)
{
    const Lift *l = p->b->lift;
    for (int i = 0; i < l->count; i++) {
        if (l->back[i].var != var) continue;
        bool helpers = false;
        nat_print_c(p->b->n, l->back[i].value, nat_prec(P_ATOM), print_variable, p, p->out, &helpers, p->b->long_index);
        return;
    }
    for (int i = 0; i < p->b->sizes.n; i++)
        if (p->b->sizes.v[i] == var) p->sizes[i] = true;
    buf_puts(p->out, c_name(p->b->arena, var->name));
}

static void print_variable(void *data, const NatAtom *var, Buf *out)
{
    Printer *p = data;
    const VarInfo *v = kernel_var(p->k, var);
    (void)out;
    if (v && v->kind == VAR_ID) p->k->ids_used[v->id][v->dim] = true;
    if (v) buf_puts(p->out, var->name);
    else print_size(p, var);
}

static void print_new_nat(Printer *p, const Nat *n, int prec)
{
    bool helpers = false;
    nat_print_c(p->b->n, build_printable(p->b, n), nat_prec(prec), print_variable, p, p->out, &helpers, p->b->long_index);
    if (helpers) p->b->helper_div = p->b->helper_mod = true;
}

static bool same_text(const void *key, const void *item)
{
    const Text *x = key, *y = item;
    return x->buf == y->buf && x->at == y->at && x->prec == y->prec;
}

static Text *text_new(Printer *p, PtrTable *table, uint64_t hash, const Text *key, size_t start)
{
    Text *t = NEW(p->b->arena, Text);
    *t = *key;
    t->len = p->out->len - start;
    t->text = arena_strndup(p->b->arena, p->out->data + start, t->len);
    ptr_table_add(table, hash, t);
    return t;
}

static FormText *form_text(Printer *p, const Form *form)
{
    FormText *t = form->text;
    if (t) return t;
    t = ((Form *)form)->text = NEW(p->b->arena, FormText);
    if (!form->rest || p->b->lift->count) return t;
    t->factor_count = nat_c_steps(form->rest, t->factors, FACTORS_MAX);
    if (t->factor_count < 0) return t;
    size_t start = p->out->len;
    print_new_nat(p, form->rest, P_TOP);
    t->len = p->out->len - start;
    t->text = arena_strndup(p->b->arena, p->out->data + start, t->len);
    p->out->len = start;
    return t;
}

/* False: the text of n does not follow from that of its form. */
static bool print_step(Printer *p, const Nat *n)
{
    int64_t number;
    const FormText *t = form_text(p, form_of(&p->k->forms, n, &number));
    if (!t->text || number < 0) return false;
    for (int i = 0; number && i < t->factor_count; i++)
        if (number % t->factors[i] == 0) return false;
    buf_write(p->out, t->text, t->len);
    if (!number) return true;
    buf_write(p->out, " + ", 3);
    buf_int(p->out, number);
    return true;
}

static void print_nat(Printer *p, const Nat *n, int prec)
{
    Text key = {.at = n, .prec = nat_prec(prec)};
    uint64_t h = hash_mix((uint64_t)key.prec, n->id);
    size_t start = p->out->len;
    if (n->is_const && n->value >= 0) {
        buf_int(p->out, n->value);
        return;
    }
    if (prec <= P_SUM && print_step(p, n)) return;
    const Text *t = ptr_table_find(&p->nats, h, same_text, &key);
    if (t) {
        buf_write(p->out, t->text, t->len);
        return;
    }
    print_new_nat(p, n, prec);
    text_new(p, &p->nats, h, &key, start);
}

/* Which of its work-item's elements is it, where that is a number? -1: it is not. */
static int64_t find_own(Printer *p, const Element *q)
{
    int64_t at = 0;
    for (int d = 0; d < q->buf->rank; d++) {
        const Nat *rest = q->buf->spread[d] >= 0 ? kernel_own(p->b, p->k, q->idx[d])->rest : q->idx[d];
        if (!rest || !rest->is_const || !q->buf->own[d] || !q->buf->own[d]->is_const) return -1;
        at = at * q->buf->own[d]->value + rest->value;
    }
    return at >= 0 && at < q->buf->own_count ? at : -1;
}

static int64_t own_number(Printer *p, const Place *q)
{
    if (!q->element) return 0;
    if (q->element->own == ELEMENT_NEW) q->element->own = find_own(p, q->element);
    return q->element->own;
}

static void print_element(Printer *p, const Place *q)
{
    const Buffer *buf = q->buf;
    if (!buf->rank) {
        buf_puts(p->out, buf->name);
    } else if (buf->split) {
        int64_t at = own_number(p, q);
        buf_puts(p->out, buf->elements[at < 0 ? 0 : at]);
    } else {
        buf_puts(p->out, buf->name);
        buf_putc(p->out, '[');
        print_nat(p, kernel_own_index(p->b, p->k, q), P_TOP);
        buf_putc(p->out, ']');
    }
}

static void print_private(Printer *p, const Place *q)
{
    const Buffer *buf = q->buf;
    bool pointer = q->lane && !q->lane->is_const;
    if (pointer) buf_printf(p->out, "((%s *)&", element_word(buf->scalar, buf->width));
    print_element(p, q);
    if (!q->lane || buf->width == 1) return;
    if (!pointer) {
        buf_puts(p->out, ".s");
        buf_putc(p->out, "0123456789abcdef"[q->lane->value & 15]);
        return;
    }
    buf_puts(p->out, ")[");
    print_nat(p, q->lane, P_TOP);
    buf_putc(p->out, ']');
}

static int count_quotients(const Nat *n)
{
    int count = 0;
    for (int i = 0; i < n->term_count; i++) {
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            const NatAtom *a = n->terms[i].factors[f].atom;
            if (a->kind != ATOM_VAR) count += 1 + count_quotients(a->a) + count_quotients(a->b);
        }
    }
    return count;
}

/* Greatest common factor of the coefficients. */
static int64_t content(const Nat *n)
{
    int64_t g = 0;
    for (int i = 0; i < n->term_count; i++) g = gcd64(g, n->terms[i].num < 0 ? -n->terms[i].num : n->terms[i].num);
    return g;
}

/* at as stride*row + rest, when both come out without a new quotient. */
static bool split_rows_anew(Printer *p, const Nat *at, const Nat *stride, const Nat **row, const Nat **rest)
{
    Nats *n = p->b->n;
    *row = nat_div(n, at, stride, p->b->facts);
    *rest = nat_sub(n, at, nat_mul(n, *row, stride));
    if (!*row || !*rest || (*row)->is_const || !nat_is_nonneg(n, *rest) || !nat_less(n, *rest, stride)) return false;
    return (*row)->term_count > 1 && count_quotients(*row) + count_quotients(*rest) <= count_quotients(at);
}

static bool same_rows(const void *key, const void *item)
{
    const Rows *x = key, *y = item;
    return x->form == y->form && x->stride == y->stride;
}

static bool most_of(const Nat *n, int64_t *most);

/* The largest value of an atom that cannot be negative. */
static bool most_of_atom(const NatAtom *a, int64_t *most)
{
    int64_t m;
    if (a->kind == ATOM_VAR && a->var == VAR_INDEX && a->hi && a->hi->is_const) *most = a->hi->value - 1;
    else if (a->kind == ATOM_MOD && a->b->is_const && a->b->value > 0) *most = a->b->value - 1;
    else if (a->kind == ATOM_DIV && a->b->is_const && a->b->value > 0 && most_of(a->a, &m)) *most = m / a->b->value;
    else return false;
    return *most >= 0;
}

/* The largest value of a sum of what cannot be negative, as far as one sees at a glance. */
static bool most_of(const Nat *n, int64_t *most)
{
    *most = 0;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        int64_t x = t->num, m;
        if (t->num < 0 || t->den != 1) return false;
        for (int f = 0; f < t->factor_count; f++) {
            if (t->factors[f].exp != 1 || !most_of_atom(t->factors[f].atom, &m) || !mul_ok(x, m, &x)) return false;
        }
        if (!add_ok(*most, x, most)) return false;
    }
    return true;
}

static const Rows *rows_of(Printer *p, const Form *form, const Nat *stride)
{
    Nats *n = p->b->n;
    Rows key = {.form = form, .stride = stride};
    uint64_t h = hash_mix((uint64_t)form->id, stride->id);
    Rows *r = ptr_table_find(&p->rows, h, same_rows, &key);
    if (r || !form->rest) return r;
    r = NEW(p->b->arena, Rows);
    *r = key;
    r->known = nat_split(n, form->rest, stride->value, &r->row, &r->rest) && most_of(r->rest, &r->most);
    if (r->known) r->same = count_quotients(r->row) + count_quotients(r->rest) <= count_quotients(form->rest);
    r->only = r->known;
    for (int i = 0; i < form->rest->term_count; i++) r->only = r->only && form->rest->terms[i].num > 0;
    ptr_table_add(&p->rows, h, r);
    return r;
}

/* Do offsets of that form and number stay in one piece? */
static bool stays(const Rows *r, int64_t number)
{
    int64_t stride = r->stride->value, over = floor_mod(number, stride);
    if (!r->known || r->most >= stride - over) return r->only;
    return !r->same || r->row->term_count + (number != over) <= 1;
}

static bool split_rows(Printer *p, const Nat *at, const Nat *stride, const Nat **row, const Nat **rest)
{
    Nats *n = p->b->n;
    int64_t number;
    if (!stride->is_const || stride->value <= 0) return split_rows_anew(p, at, stride, row, rest);
    const Rows *r = rows_of(p, form_of(&p->k->forms, at, &number), stride);
    if (r && stays(r, number)) return false;
    int64_t over = floor_mod(number, stride->value);
    bool fits = r && r->known && r->most < stride->value - over;
    if (!fits) return split_rows_anew(p, at, stride, row, rest);
    *row = nat_add(n, r->row, nat_const(n, floor_div(number, stride->value)));
    *rest = nat_add(n, r->rest, nat_const(n, over));
    return *row && *rest && (*row)->term_count > 1;
}

static void print_rows(Printer *p, const Nat *row, const Nat *stride)
{
    bool lone = content(row) > 1 && row->terms[row->term_count - 1].factor_count > 0;    /* 512*x, not 64*(8*x) */
    print_nat(p, lone ? nat_mul(p->b->n, row, stride) : stride, lone ? P_SUM : P_PRODUCT);
    if (lone) return;
    buf_puts(p->out, "*(");
    print_nat(p, row, P_TOP);
    buf_putc(p->out, ')');
}

/* An offset into an array of several dimensions as its rows and columns. */
static void print_new_offset(Printer *p, const Buffer *buf, const Nat *at, int prec)
{
    const Nat *stride = buf->count, *row, *rest;
    bool brackets = prec > P_SUM;
    if (brackets) buf_putc(p->out, '(');
    for (int d = 0; d + 1 < buf->rank && at; d++) {
        stride = nat_exact(p->b->n, stride, buf->dims[d]);
        if (!stride || !split_rows(p, at, stride, &row, &rest)) continue;
        print_rows(p, row, stride);
        if (rest->is_const && rest->value == 0) at = NULL;
        else buf_puts(p->out, " + ");
        if (at) at = rest;
    }
    if (at) print_nat(p, at, prec > P_SUM ? P_TOP : prec);
    if (brackets) buf_putc(p->out, ')');
}

static const OffsetRows *offset_rows(Printer *p, const Buffer *buf, const Form *form, FormText *t)
{
    const Nat *stride = buf->count;
    for (const OffsetRows *o = t->rows; o; o = o->next)
        if (o->buf == buf) return o;
    OffsetRows *o = NEW(p->b->arena, OffsetRows);
    *o = (OffsetRows){.buf = buf, .next = t->rows};
    t->rows = o;
    for (int d = 0; d + 1 < buf->rank && o->count >= 0; d++) {
        stride = nat_exact(p->b->n, stride, buf->dims[d]);
        bool plain = o->count < STRIDES_MAX && stride && stride->is_const && stride->value > 0;
        const Rows *r = plain ? rows_of(p, form, stride) : NULL;
        if (r) o->rows[o->count++] = r;
        else o->count = -1;
    }
    return o;
}

/* Is the offset one piece, whose text follows from that of its form? Then it is printed. */
static bool print_whole(Printer *p, const Buffer *buf, const Nat *at)
{
    int64_t number;
    if (at->is_const && at->value >= 0 && buf->count->is_const) return buf_int(p->out, at->value), true;
    const Form *form = form_of(&p->k->forms, at, &number);
    FormText *t = form_text(p, form);
    if (!t->text) return false;
    const OffsetRows *o = offset_rows(p, buf, form, t);
    if (o->count < 0) return false;
    for (int i = 0; i < o->count; i++)
        if (!stays(o->rows[i], number)) return false;
    return print_step(p, at);
}

static void print_offset(Printer *p, const Buffer *buf, const Nat *at, int prec)
{
    if (prec <= P_SUM && print_whole(p, buf, at)) return;
    Text key = {.buf = buf, .at = at, .prec = prec};
    uint64_t h = hash_mix((uint64_t)buf->id * 32 + (uint64_t)prec, at->id);
    size_t start = p->out->len;
    const Text *t = ptr_table_find(&p->offsets, h, same_text, &key);
    if (t) {
        buf_write(p->out, t->text, t->len);
        return;
    }
    print_new_offset(p, buf, at, prec);
    text_new(p, &p->offsets, h, &key, start);
}

static void print_base(Printer *p, const Place *q)
{
    const Nat *w = nat_const(p->b->n, q->width);
    if (q->buf->rank <= 1 && q->width != 3 && nat_divides(p->b->n, w, q->at, p->b->facts)) {
        print_nat(p, nat_exact(p->b->n, q->at, w), P_TOP);
        buf_puts(p->out, ", ");
        buf_puts(p->out, q->buf->name);
        return;
    }
    buf_puts(p->out, "0, ");
    buf_puts(p->out, q->buf->name);
    if (q->at->is_const && q->at->value == 0) return;
    buf_puts(p->out, " + ");
    print_offset(p, q->buf, q->at, P_SUM);
}

static void use_buffer(Printer *p, const Buffer *buf, bool write)
{
    if (buf->plan < 0) return;
    p->buffers[buf->plan] = true;
    if (write) p->written[buf->plan] = true;
}

static void print_place(Printer *p, const Place *q)
{
    if (q->buf->space == SPACE_PRIVATE) {
        print_private(p, q);
        return;
    }
    buf_puts(p->out, q->buf->name);
    buf_putc(p->out, '[');
    print_offset(p, q->buf, q->at, P_TOP);
    buf_putc(p->out, ']');
}

static void print_new_load(Printer *p, const Expr *e, int prec)
{
    const Place *q = &e->place;
    use_buffer(p, q->buf, false);
    if (q->buf->space == SPACE_PRIVATE || q->width == 1) {
        print_place(p, q);
        return;
    }
    bool mask = q->buf->scalar == SC_BOOL;
    if (mask) buf_printf(p->out, "%sconvert_int%d(", prec > P_EQ ? "(" : "", q->width);
    buf_puts(p->out, "vload");
    buf_int(p->out, q->width);
    buf_putc(p->out, '(');
    print_base(p, q);
    buf_putc(p->out, ')');
    if (mask) buf_printf(p->out, ") != 0%s", prec > P_EQ ? ")" : "");
}

/* Private and local memory is one kernel's alone, so that its loads say the same wherever they are repeated. */
static void print_load(Printer *p, const Expr *e, int prec)
{
    size_t start = p->out->len;
    print_new_load(p, e, prec);
    if (e->place.buf->space == SPACE_GLOBAL || e->scalar == SC_BOOL) return;
    Expr *kept = (Expr *)e;
    kept->text_len = p->out->len - start;
    kept->text = arena_strndup(p->b->arena, p->out->data + start, kept->text_len);
}

/* ---- operators ---- */

typedef struct Op { const char *text; int prec; } Op;

static Op infix(PrimId id)
{
    switch (id) {
    case PRIM_ADD: return (Op){" + ", P_SUM};
    case PRIM_SUB: return (Op){" - ", P_SUM};
    case PRIM_MUL: return (Op){" * ", P_PRODUCT};
    case PRIM_DIV: case PRIM_QUOT: case PRIM_FLOOR_DIV: return (Op){" / ", P_PRODUCT};
    case PRIM_REM: case PRIM_MOD: return (Op){" % ", P_PRODUCT};
    case PRIM_EQ: return (Op){" == ", P_EQ};
    case PRIM_NE: return (Op){" != ", P_EQ};
    case PRIM_LT: return (Op){" < ", P_LESS};
    case PRIM_LE: return (Op){" <= ", P_LESS};
    case PRIM_GT: return (Op){" > ", P_LESS};
    case PRIM_GE: return (Op){" >= ", P_LESS};
    case PRIM_AND: return (Op){" && ", P_AND};
    case PRIM_OR: return (Op){" || ", P_OR};
    case PRIM_BAND: return (Op){" & ", P_BAND};
    case PRIM_BOR: return (Op){" | ", P_BOR};
    case PRIM_BXOR: return (Op){" ^ ", P_BXOR};
    case PRIM_SHL: return (Op){" << ", P_SHIFT};
    case PRIM_SHR: return (Op){" >> ", P_SHIFT};
    default: return (Op){NULL, 0};
    }
}

static void print_new_expr(Printer *p, const Expr *e, int prec);

static inline void print_expr(Printer *p, const Expr *e, int prec)
{
    if (e->text) buf_write(p->out, e->text, e->text_len);
    else print_new_expr(p, e, prec);
}

static bool is_compare(PrimId id) { return id >= PRIM_EQ && id <= PRIM_GE; }

/* Bits of the lanes in which a mask expression comes out in C. */
static int mask_bits(const Expr *e)
{
    if (e->kind != X_OP) return 32;
    if (is_compare(e->op)) {
        Scalar s = e->args[0]->scalar;
        return scalar_bytes(s) == 8 ? 64 : s == SC_F16 ? 16 : 32;
    }
    return 32;
}

static void print_as(Printer *p, const Expr *e, int width, int prec)
{
    if (e->width == width || width == 1) {
        print_expr(p, e, prec);
        return;
    }
    print_vector_head(p, e->scalar, width);
    if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
    print_expr(p, e, e->scalar == SC_BOOL ? P_UNARY : P_TOP);
    buf_putc(p->out, ')');
}

/* A mask with lanes of that many bits. */
static void print_mask(Printer *p, const Expr *e, int width, int bits, int prec)
{
    if (e->width == 1) {
        buf_printf(p->out, "(%s%d)(-", bits == 64 ? "long" : bits == 16 ? "short" : "int", width);
        print_expr(p, e, P_UNARY);
        buf_putc(p->out, ')');
    } else if (mask_bits(e) == bits) {
        print_expr(p, e, prec);
    } else {
        buf_printf(p->out, "convert_%s%d(", bits == 64 ? "long" : bits == 16 ? "short" : "int", width);
        print_expr(p, e, P_TOP);
        buf_putc(p->out, ')');
    }
}

static void print_operand(Printer *p, const Expr *a, const Expr *e, int prec)
{
    if (a->scalar == SC_BOOL && e->width > 1) print_mask(p, a, e->width, 32, prec);
    else if (a->width == 1 && e->width > 1 && is_compare(e->op)) print_as(p, a, e->width, prec);
    else print_expr(p, a, prec);
}

static void print_infix(Printer *p, const Expr *e, int prec, Op op)
{
    bool bits = op.prec >= P_BOR && op.prec <= P_SHIFT;       /* their precedence surprises readers and compilers */
    bool brackets = op.prec < prec || (bits && prec > P_AND && prec != op.prec);
    if (e->width > 1 && e->scalar == SC_BOOL && mask_bits(e) != 32) {
        buf_printf(p->out, "convert_int%d(", e->width);
        print_operand(p, e->args[0], e, op.prec);
        buf_puts(p->out, op.text);
        print_operand(p, e->args[1], e, op.prec + 1);
        buf_putc(p->out, ')');
        return;
    }
    if (brackets) buf_putc(p->out, '(');
    print_operand(p, e->args[0], e, op.prec);
    buf_puts(p->out, op.text);
    print_operand(p, e->args[1], e, op.prec + 1);
    if (brackets) buf_putc(p->out, ')');
}

static void print_arguments(Printer *p, const Expr *e, int width)
{
    buf_putc(p->out, '(');
    for (int i = 0; i < e->arg_count; i++) {
        if (i) buf_puts(p->out, ", ");
        print_as(p, e->args[i], width, P_TOP);
    }
    buf_putc(p->out, ')');
}

static void print_call(Printer *p, const char *name, const Expr *e, int width)
{
    buf_puts(p->out, name);
    print_arguments(p, e, width);
}

static bool is_nonneg(Printer *p, const Expr *e)
{
    if (e->scalar == SC_U32 || e->scalar == SC_BOOL) return true;
    if (e->kind == X_LIT) return e->lit.i >= 0;
    if (e->kind == X_NAT) return nat_is_nonneg(p->b->n, e->nat);
    if (e->kind != X_OP) return false;
    if (e->op == PRIM_ADD || e->op == PRIM_MUL) return false;         /* may wrap */
    if (e->op == PRIM_MIN || e->op == PRIM_BAND) return is_nonneg(p, e->args[0]) && is_nonneg(p, e->args[1]);
    if (e->op == PRIM_MOD) return is_nonneg(p, e->args[1]);
    return false;
}

/* One lane at a time: operations that have no vector form. */
static void print_by_lane(Printer *p, const Expr *e)
{
    print_vector_head(p, e->scalar, e->width);
    for (int i = 0; i < e->width; i++) {
        const Expr *args[ARG_MAX];
        Expr lane = *e;
        lane.width = 1;
        lane.args = args;
        for (int k = 0; k < e->arg_count; k++) lane.args[k] = expr_lane(p->b, e->args[k], i);
        if (i) buf_puts(p->out, ", ");
        print_expr(p, &lane, P_TOP);
    }
    buf_putc(p->out, ')');
}

static void print_division(Printer *p, const Expr *e, int prec)
{
    bool floors = e->op == PRIM_DIV || e->op == PRIM_FLOOR_DIV || e->op == PRIM_MOD;
    bool plain = !floors || scalar_is_float(e->scalar) || (is_nonneg(p, e->args[0]) && is_nonneg(p, e->args[1]));
    if (plain) {
        print_infix(p, e, prec, infix(e->op));
    } else if (e->width > 1) {
        print_by_lane(p, e);
    } else {
        bool wide = e->scalar == SC_I64, mod = e->op == PRIM_MOD;
        *(mod ? wide ? &p->b->helper_mod64 : &p->b->helper_mod : wide ? &p->b->helper_div64 : &p->b->helper_div) = true;
        print_call(p, arena_printf(p->b->arena, "%s%s", mod ? NAT_C_MOD : NAT_C_DIV, wide ? "_long" : ""), e, 1);
    }
}

static void print_cast(Printer *p, const Expr *e, int prec)
{
    const Expr *a = e->args[0];
    if (e->scalar == SC_BOOL) {
        Expr zero = {.kind = X_LIT, .scalar = a->scalar, .width = 1}, ne = *e;
        const Expr *both[2] = {a, &zero};
        ne.op = PRIM_NE;
        ne.arg_count = 2;
        ne.args = both;
        print_infix(p, &ne, prec, infix(PRIM_NE));
        return;
    }
    if (e->width > 1) {
        buf_printf(p->out, "convert_%s(", opencl_type(p->b->arena, e->scalar, e->width));
        if (a->scalar == SC_BOOL) buf_putc(p->out, '-');
        print_expr(p, a, a->scalar == SC_BOOL ? P_UNARY : P_TOP);
        buf_putc(p->out, ')');
        return;
    }
    if (prec > P_UNARY) buf_putc(p->out, '(');
    buf_printf(p->out, "(%s)", scalar_word(e->scalar));
    print_expr(p, a, P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

static void print_choice(Printer *p, const Expr *e, int prec)
{
    const Expr *cond = e->args[0];
    if (prec > P_CHOICE) buf_putc(p->out, '(');
    if (cond->width > 1) {
        int bits = e->scalar == SC_BOOL ? 32 : scalar_bytes(e->scalar) * 8;
        print_mask(p, cond, e->width, bits, P_CHOICE + 1);
    } else {
        print_expr(p, cond, P_CHOICE + 1);
    }
    buf_puts(p->out, " ? ");
    print_as(p, e->args[1], e->width, P_CHOICE + 1);
    buf_puts(p->out, " : ");
    print_as(p, e->args[2], e->width, P_CHOICE);
    if (prec > P_CHOICE) buf_putc(p->out, ')');
}

static void print_abs(Printer *p, const Expr *e, int prec)
{
    if (scalar_is_float(e->scalar)) {
        print_call(p, "fabs", e, e->width);
    } else if (e->scalar == SC_U32) {
        print_expr(p, e->args[0], prec);
    } else {
        if (e->width > 1) buf_printf(p->out, "convert_%s(", opencl_type(p->b->arena, e->scalar, e->width));
        else buf_printf(p->out, "%s(%s)", prec > P_UNARY ? "(" : "", scalar_word(e->scalar));
        print_call(p, "abs", e, e->width);
        if (e->width > 1 || prec > P_UNARY) buf_putc(p->out, ')');
    }
}

static void print_prefix(Printer *p, const char *op, const Expr *e, int prec)
{
    const Expr *a = e->args[0];
    if (prec > P_UNARY) buf_putc(p->out, '(');
    buf_puts(p->out, op);
    bool clash = *op == '-' && (a->kind == X_LIT || a->kind == X_NAT || (a->kind == X_OP && a->op == PRIM_NEG));
    if (e->scalar == SC_BOOL && e->width > 1) print_mask(p, a, e->width, 32, P_UNARY);
    else print_expr(p, a, clash ? P_ATOM : P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

static void print_vdot(Printer *p, const Expr *e, int prec)
{
    if (prec > P_SUM) buf_putc(p->out, '(');
    for (int i = 0; i < e->args[0]->width; i++) {
        const Expr *x = expr_lane(p->b, e->args[0], i), *y = expr_lane(p->b, e->args[1], i);
        if (i) buf_puts(p->out, " + ");
        print_expr(p, x, P_PRODUCT);
        buf_puts(p->out, " * ");
        print_expr(p, y, P_PRODUCT + 1);
    }
    if (prec > P_SUM) buf_putc(p->out, ')');
}

static void print_named(Printer *p, const Expr *e)
{
    const char *code = prim(e->op)->code;
    size_t n = 0;
    while (code[n] && code[n] != '(') n++;
    buf_write(p->out, code, n);
    print_arguments(p, e, e->width);
}

static void print_op(Printer *p, const Expr *e, int prec)
{
    switch (e->op) {
    case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_MOD: case PRIM_QUOT: case PRIM_REM: print_division(p, e, prec); return;
    case PRIM_NEG: print_prefix(p, "-", e, prec); return;
    case PRIM_NOT: print_prefix(p, "!", e, prec); return;
    case PRIM_MIN: print_call(p, scalar_is_float(e->scalar) ? "fmin" : "min", e, e->width); return;
    case PRIM_MAX: print_call(p, scalar_is_float(e->scalar) ? "fmax" : "max", e, e->width); return;
    case PRIM_ABS: print_abs(p, e, prec); return;
    case PRIM_SELECT: case PRIM_IF: print_choice(p, e, prec); return;
    case PRIM_VDOT: print_vdot(p, e, prec); return;
    default: break;
    }
    if (e->op >= PRIM_TO_BOOL && e->op <= PRIM_TO_F64) print_cast(p, e, prec);
    else if (infix(e->op).text) print_infix(p, e, prec, infix(e->op));
    else print_named(p, e);
}

static bool same_expr(const Expr *a, const Expr *b)
{
    if (a == b) return true;
    if (a->kind != b->kind || a->scalar != b->scalar) return false;
    if (a->kind == X_LOAD) return place_same(&a->place, &b->place);
    if (a->kind == X_NAT) return a->nat == b->nat;
    return a->kind == X_LIT && a->lit.i == b->lit.i;
}

static void print_vector(Printer *p, const Expr *e)
{
    bool splat = true;
    for (int i = 1; i < e->arg_count; i++) splat = splat && same_expr(e->args[0], e->args[i]);
    print_vector_head(p, e->scalar, e->width);
    for (int i = 0; i < (splat ? 1 : e->arg_count); i++) {
        if (i) buf_puts(p->out, ", ");
        if (e->scalar == SC_BOOL) buf_putc(p->out, '-');
        print_expr(p, e->args[i], e->scalar == SC_BOOL ? P_UNARY : P_CHOICE);
    }
    buf_putc(p->out, ')');
}

static void print_index_value(Printer *p, const Expr *e, int prec)
{
    if (e->nat->is_const) {
        Expr lit = {.kind = X_LIT, .scalar = e->scalar, .width = 1};
        if (scalar_is_float(e->scalar)) lit.lit.f = (double)e->nat->value;
        else lit.lit.i = e->nat->value;
        print_literal(p, &lit, prec);
    } else if (e->scalar == SC_I32 && !p->b->long_index) {
        print_nat(p, e->nat, prec);
    } else {
        if (prec > P_UNARY) buf_putc(p->out, '(');
        buf_printf(p->out, "(%s)", scalar_word(e->scalar));
        print_nat(p, e->nat, P_ATOM);
        if (prec > P_UNARY) buf_putc(p->out, ')');
    }
}

static void print_new_expr(Printer *p, const Expr *e, int prec)
{
    switch (e->kind) {
    case X_LIT: print_literal(p, e, prec); return;
    case X_NAT: print_index_value(p, e, prec); return;
    case X_LOAD: print_load(p, e, prec); return;
    case X_VEC: print_vector(p, e); return;
    case X_OP: print_op(p, e, prec); return;
    case X_LANE:
        if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
        print_expr(p, e->args[0], P_ATOM);
        buf_puts(p->out, ".s");
        buf_putc(p->out, "0123456789abcdef"[e->lane & 15]);
        return;
    case X_VALUE:
        for (int i = 0; i < p->b->value_count; i++)
            if (strcmp(p->b->values[i].name, e->name) == 0) p->values[i] = true;
        buf_puts(p->out, e->name);
        return;
    }
}

/* ---- statements ---- */

static void line(Printer *p) { put_spaces(p->out, 4 * (size_t)p->indent); }

enum { COLUMNS = 110 };

/* Where to break the text so that at most room characters stay: after a comma or before an operator, as little inside
 * brackets as can be, rather at a comma, as late as can be; 0: nowhere. */
static size_t break_at(const char *text, size_t room)
{
    size_t best = 0;
    int depth = 0, best_cost = INT_MAX;
    for (size_t i = 1; text[i] && i < room; i++) {
        if (text[i] == '(' || text[i] == '[') depth++;
        if (text[i] == ')' || text[i] == ']') depth--;
        bool comma = text[i - 1] == ',', operator = text[i + 1] && strchr("+-*&|?:", text[i + 1]) && text[i + 2] != '=';
        int cost = 2 * depth + !comma;
        if (text[i] != ' ' || !(comma || operator) || cost > best_cost) continue;
        best = i;
        best_cost = cost;
    }
    return best;
}

/* A statement that is too long goes on in lines of its own, further in. */
static void wrap(Printer *p, size_t start)
{
    size_t indent = 4 * (size_t)p->indent, room = COLUMNS - indent - 8;
    if (p->out->len - start <= COLUMNS) return;
    char *text = arena_strndup(p->b->arena, p->out->data + start + indent, p->out->len - start - indent);
    p->out->len = start;
    for (bool first = true; ; first = false) {
        size_t n = strlen(text) > room ? break_at(text, room) : 0;
        put_spaces(p->out, first ? indent : indent + 8);
        buf_write(p->out, text, n ? n : strlen(text));
        if (!n) return;
        buf_putc(p->out, '\n');
        text += n + 1;
    }
}

static void print_value(Printer *p, const Expr *e, const Place *q)
{
    bool mask = e->scalar == SC_BOOL && e->width > 1 && q->buf->space != SPACE_PRIVATE;
    if (mask) {
        buf_printf(p->out, "convert_uchar%d(abs(", e->width);         /* of 0 or -1; `& 1` is wrong on Oclgrind */
        print_mask(p, e, e->width, 32, P_TOP);
        buf_puts(p->out, "))");
    } else if (q->buf->space != SPACE_PRIVATE || q->buf->width == 1 || q->lane) {
        print_as(p, e, q->lane ? 1 : q->width, P_TOP);
    } else {
        print_as(p, e, q->width, P_TOP);
    }
}

/* x of `place = place + x`, likewise - and *; NULL for any other statement. */
static const Expr *in_place_operand(const Stmt *s)
{
    const Expr *e = s->value;
    if (e->kind != X_OP || (e->op != PRIM_ADD && e->op != PRIM_SUB && e->op != PRIM_MUL)) return NULL;
    const Expr *a = e->args[0];
    return a->kind == X_LOAD && place_same(&a->place, &s->place) && a->width == e->width ? e->args[1] : NULL;
}

#define STREAM "lathe_stream_"

static bool is_streamed(const Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    return s->stream && q->buf->scalar != SC_BOOL && q->width != 3 &&
           nat_divides(p->b->n, nat_const(p->b->n, q->width), q->at, p->b->facts);
}

/* The type in front of the first store to an element that waits for it. */
static void print_declared(Printer *p, const Place *q)
{
    int64_t at = q->buf->undeclared ? own_number(p, q) : -1;
    if (at < 0 || !q->buf->undeclared[at]) return;
    q->buf->undeclared[at] = false;
    print_type(p, q->buf->scalar, q->buf->width);
    buf_putc(p->out, ' ');
}

static void store(Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    use_buffer(p, q->buf, true);
    line(p);
    if (q->buf->space != SPACE_PRIVATE && q->width > 1) {
        bool stream = is_streamed(p, s);
        if (stream) p->b->streams[q->buf->scalar] |= 1u << q->width;
        if (stream) buf_printf(p->out, STREAM "%s%d(", scalar_word(q->buf->scalar), q->width);
        else buf_puts(p->out, "vstore"), buf_int(p->out, q->width), buf_putc(p->out, '(');
        print_value(p, s->value, q);
        buf_puts(p->out, ", ");
        print_base(p, q);
        buf_puts(p->out, ");\n");
        return;
    }
    print_declared(p, q);
    print_place(p, q);
    const Expr *step = in_place_operand(s);
    buf_puts(p->out, !step ? " = " : s->value->op == PRIM_ADD ? " += " : s->value->op == PRIM_SUB ? " -= " : " *= ");
    if (step) print_as(p, step, s->value->width, P_TOP);
    else print_value(p, s->value, q);
    buf_puts(p->out, ";\n");
}

static void print_store(Printer *p, const Stmt *s)
{
    size_t start = p->out->len;
    store(p, s);
    wrap(p, start);
}

static bool reads_buffer(const Expr *e, const Buffer *buf)
{
    if (e->kind == X_LOAD && e->place.buf == buf) return true;
    for (int i = 0; i < e->arg_count; i++)
        if (reads_buffer(e->args[i], buf)) return true;
    return false;
}

/* Do the statements from s on give every element of buf, in order, a first value? */
static bool sets_elements(Printer *p, const Stmt *s, const Buffer *buf)
{
    for (int64_t i = 0; i < buf->own_count; i++, s = s->next) {
        if (!s || s->kind != S_STORE || s->place.buf != buf || s->place.lane || reads_buffer(s->value, buf)) return false;
        if (own_number(p, &s->place) != i) return false;
    }
    return true;
}

/* Is each element first mentioned as the target of a store behind s, in the same block? Then that store declares it. */
static bool declared_by_stores(Printer *p, const Stmt *s, Buffer *buf)
{
    bool *undeclared = NEW_ARRAY(p->b->arena, bool, buf->own_count);
    int64_t left = buf->own_count;
    for (int64_t i = 0; i < left; i++) undeclared[i] = true;
    for (s = s->next; s && left; s = s->next) {
        if (!stmt_mentions(s, buf)) continue;
        if (s->kind != S_STORE || s->place.buf != buf || s->place.lane || reads_buffer(s->value, buf)) return false;
        int64_t at = own_number(p, &s->place);
        if (at < 0 || !undeclared[at]) return false;
        undeclared[at] = false;
        left--;
    }
    for (int64_t i = 0; i < buf->own_count; i++) undeclared[i] = true;
    buf->undeclared = left ? NULL : undeclared;
    return !left;
}

/* The elements, with their first values when these come next. Returns the last statement used. */
static const Stmt *print_elements(Printer *p, const Stmt *s)
{
    const Buffer *buf = s->buf;
    size_t start = p->out->len;
    bool set = sets_elements(p, s->next, buf);
    const Expr *first = set ? s->next->value : NULL;
    bool short_values = set && (first->kind == X_LIT || (first->kind == X_VEC && first->args[0]->kind == X_LIT));
    if (!short_values && declared_by_stores(p, s, s->buf)) return s;
    line(p);
    print_type(p, buf->scalar, buf->width);
    for (int64_t i = 0; i < buf->own_count; i++) {
        if (i) buf_putc(p->out, ',');
        if (p->out->len - start > 90) {
            buf_putc(p->out, '\n');
            start = p->out->len;
            line(p);
            buf_puts(p->out, "   ");
        }
        buf_putc(p->out, ' ');
        buf_puts(p->out, buf->elements[i]);
        if (!set) continue;
        s = s->next;
        buf_puts(p->out, " = ");
        print_value(p, s->value, &s->place);
    }
    buf_puts(p->out, ";\n");
    return s;
}

/* The declaration of a private buffer, with its first value when that comes next. Returns the last statement used. */
static const Stmt *print_alloc(Printer *p, const Stmt *s)
{
    const Buffer *buf = s->buf;
    const Stmt *n = s->next;
    p->private_scalars += buf->own_count * buf->width;
    bool one = !buf->rank || (buf->split && buf->own_count == 1);
    if (one && n && n->kind == S_STORE && n->place.buf == buf && !n->place.lane) {
        line(p);
        print_type(p, buf->scalar, buf->width);
        buf_putc(p->out, ' ');
        buf_puts(p->out, buf->name);
        buf_puts(p->out, " = ");
        print_value(p, n->value, &n->place);
        buf_puts(p->out, ";\n");
        return n;
    }
    if (buf->rank && buf->split) return print_elements(p, s);
    line(p);
    buf_printf(p->out, "%s %s", opencl_type(p->b->arena, buf->scalar, buf->width), buf->name);
    if (buf->rank) buf_printf(p->out, "[%lld]", (long long)buf->own_count);
    buf_puts(p->out, ";\n");
    return s;
}

static void print_block(Printer *p, const Block *blk);

static void print_for(Printer *p, const Stmt *s)
{
    const char *v = s->var->term_count ? s->var->terms[0].factors[0].atom->name : "i";
    line(p);
    put(p->out, (const char *[]){p->b->long_index ? "for (long " : "for (int ", v, " = ", NULL});
    print_nat(p, s->from, P_TOP);
    put(p->out, (const char *[]){"; ", v, " < ", NULL});
    print_nat(p, s->limit, P_SHIFT);
    put(p->out, (const char *[]){"; ", v, NULL});
    if (s->step->is_const && s->step->value == 1) {
        buf_puts(p->out, "++");
    } else {
        buf_puts(p->out, " += ");
        print_nat(p, s->step, P_TOP);
    }
    buf_puts(p->out, ") {\n");
    p->indent++;
    print_block(p, &s->body);
    p->indent--;
    line(p);
    buf_puts(p->out, "}\n");
}

/* A condition that stands alone under s, without an else on either: one if for both. */
static const Stmt *only_if(const Stmt *s)
{
    const Stmt *in = s->body.first;
    return !s->other.first && in && !in->next && in->kind == S_IF && in->body.first && !in->other.first ? in : NULL;
}

static void print_if(Printer *p, const Stmt *s)
{
    bool swap = !s->body.first && s->other.first, both = false;
    if (!s->body.first && !s->other.first) return;
    line(p);
    buf_puts(p->out, swap ? "if (!" : "if (");
    for (; !swap && only_if(s); s = only_if(s)) {
        print_expr(p, s->value, P_AND);
        buf_puts(p->out, " && ");
        both = true;
    }
    print_expr(p, s->value, swap ? P_UNARY : both ? P_AND : P_TOP);
    buf_puts(p->out, ") {\n");
    p->indent++;
    print_block(p, swap ? &s->other : &s->body);
    p->indent--;
    if (!swap && s->other.first) {
        line(p);
        buf_puts(p->out, "} else {\n");
        p->indent++;
        print_block(p, &s->other);
        p->indent--;
    }
    line(p);
    buf_puts(p->out, "}\n");
}

static void print_barrier(Printer *p, const Stmt *s)
{
    p->barriers++;
    line(p);
    put(p->out, (const char *[]){"barrier(", s->local_fence ? "CLK_LOCAL_MEM_FENCE" : "",
                                 s->local_fence && s->global_fence ? " | " : "",
                                 s->global_fence ? "CLK_GLOBAL_MEM_FENCE);\n" : ");\n", NULL});
}

static void mark_origin(Printer *p, const struct Path *at)
{
    OriginMark mark = {p->out->len, at};
    if (p->b->options->origins) vec_push(&p->origins, mark);
}

static void print_block(Printer *p, const Block *blk)
{
    const struct Path *around = p->within;
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (p->b->options->origins) p->within = s->origin ? origin_place(p->b, s->origin, around) : NULL;
        mark_origin(p, p->within);
        switch (s->kind) {
        case S_STORE: print_store(p, s); break;
        case S_ALLOC: s = print_alloc(p, s); break;
        case S_FOR: print_for(p, s); break;
        case S_IF: print_if(p, s); break;
        case S_BARRIER: print_barrier(p, s); break;
        }
    }
    p->within = around;
    mark_origin(p, NULL);
}

/* ---- the kernel around the body ---- */

static int64_t print_locals(Printer *p)
{
    int64_t bytes = 0;
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        bytes += buf->count->value * scalar_bytes(buf->scalar);
        put(p->out, (const char *[]){"    local ", memory_word(buf->scalar), " ", buf->name, "[", NULL});
        buf_int(p->out, buf->count->value);
        buf_puts(p->out, "] __attribute__((aligned(64)));\n");
    }
    return bytes;
}

static void print_ids(Printer *p)
{
    static const char *const calls[ID_KINDS] = {" = get_global_id(", " = get_group_id(", " = get_local_id("};
    static const char *const names[ID_KINDS] = {"gid", "wg", "l"}, *const digits[3] = {"0", "1", "2"};
    const char *type = p->b->long_index ? "    long " : "    int ";
    for (int kind = 0; kind < ID_KINDS; kind++)
        for (int d = 2; d >= 0; d--)
            if (p->k->ids_used[kind][d])
                put(p->out, (const char *[]){type, names[kind], digits[d], calls[kind], digits[d], ");\n", NULL});
}

static void add_arg(PlanKernel *k, PlanArg arg) { k->args[k->arg_count++] = arg; }

static void add_buffers(Printer *p, PlanKernel *k, PlanBufferKind kind, int input)
{
    for (int i = 0; i < p->b->plan_buffers.n; i++) {
        const PlanBuffer *pb = &p->b->plan_buffers.v[i];
        if (!p->buffers[i] || pb->kind != kind || (input >= 0 && pb->input != input)) continue;
        PlanArg a = {.kind = PLAN_ARG_BUFFER, .name = pb->name, .buffer = i, .input = pb->input, .part = pb->part};
        a.scalar = pb->scalar;
        add_arg(k, a);
    }
}

static void list_args(Printer *p, PlanKernel *k)
{
    Build *b = p->b;
    k->args = NEW_ARRAY(b->arena, PlanArg, b->plan_buffers.n + b->value_count + b->sizes.n);
    for (int in = 0; in < b->options->input_count; in++) {
        add_buffers(p, k, PLAN_INPUT, in);
        for (int i = 0; i < b->value_count; i++)
            if (b->values[i].input == in && p->values[i]) add_arg(k, b->values[i]);
    }
    add_buffers(p, k, PLAN_OUTPUT, -1);
    add_buffers(p, k, PLAN_TEMP, -1);
    for (int i = 0; i < b->sizes.n; i++) {
        if (!p->sizes[i]) continue;
        const Nat *size = nat_var(b->n, b->sizes.v[i]->name, VAR_SIZE, NULL, NULL);
        add_arg(k, (PlanArg){.kind = PLAN_ARG_SIZE, .name = c_name(b->arena, b->sizes.v[i]->name), .size = size});
    }
}

static void print_args(Printer *p, const PlanKernel *k, size_t indent)
{
    size_t start = p->out->len - indent;
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        char text[200];
        if (a->kind == PLAN_ARG_BUFFER)
            snprintf(text, sizeof text, "%sglobal %s *restrict %s", p->written[a->buffer] ? "" : "const ",
                     memory_word(a->scalar), a->name);
        else if (a->kind == PLAN_ARG_SCALAR)
            snprintf(text, sizeof text, "%s %s", a->scalar == SC_BOOL ? "uchar" : scalar_word(a->scalar), a->name);
        else
            snprintf(text, sizeof text, "%s %s", p->b->long_index ? "long" : "int", a->name);
        if (i) buf_puts(p->out, ",");
        if (i && p->out->len - start + strlen(text) > 110) {
            buf_printf(p->out, "\n%*s", (int)indent, "");
            start = p->out->len - indent;
        } else if (i) {
            buf_putc(p->out, ' ');
        }
        buf_puts(p->out, text);
    }
}

static void note_scalar(Build *b, Scalar s)
{
    b->uses_f64 |= s == SC_F64;
    b->uses_f16 |= s == SC_F16;
}

static void note_expr_scalars(Build *b, const Expr *e)
{
    note_scalar(b, e->scalar);
    for (int i = 0; i < e->arg_count; i++) note_expr_scalars(b, e->args[i]);
}

static void note_scalars(Build *b, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->value) note_expr_scalars(b, s->value);
        if (s->buf) note_scalar(b, s->buf->scalar);
        if (s->kind == S_STORE) note_scalar(b, s->place.buf->scalar);
        if (!stmt_has_bodies(s)) continue;
        note_scalars(b, &s->body);
        note_scalars(b, &s->other);
    }
}

static Printer printer_new(Build *b, Kernel *k, Buf *out)
{
    Printer p = {.b = b, .k = k, .out = out, .indent = 1};
    p.offsets.arena = p.nats.arena = p.rows.arena = b->arena;
    p.buffers = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.written = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.values = NEW_ARRAY(b->arena, bool, b->value_count);
    p.sizes = NEW_ARRAY(b->arena, bool, b->sizes.n);
    return p;
}

static void print_head(Printer *p, const PlanKernel *k)
{
    const int *local = p->k->local;
    buf_printf(p->out, "__attribute__((reqd_work_group_size(%d, %d, %d)))\n", local[0], local[1], local[2]);
    size_t from = p->out->len;
    buf_printf(p->out, "kernel void %s(", k->name);
    print_args(p, k, p->out->len - from);
    buf_puts(p->out, ")\n{\n");
}

static const char *joined(Arena *a, const Buf *head, const Buf *body)
{
    char *text = arena_raw(a, head->len + body->len + 1);
    memcpy(text, buf_text(head), head->len);
    memcpy(text + head->len, buf_text(body), body->len + 1);
    return text;
}

enum { ROOM = 16 << 10 };                /* bytes that many a kernel needs */

void opencl_kernel(Build *b, Kernel *k, PlanKernel *out)
{
    Buf body = {0}, text = {0};
    Printer p = printer_new(b, k, &body);
    buf_reserve(&body, ROOM);
    print_block(&p, &k->body);
    buf_puts(&body, "}\n");
    if (b->made[SC_F64] || b->made[SC_F16]) note_scalars(b, &k->body);
    out->name = k->name;
    list_args(&p, out);
    p.out = &text;
    buf_reserve(&text, ROOM / 8);
    print_head(&p, out);
    out->local_bytes = print_locals(&p);
    print_ids(&p);
    for (int i = 0; i < p.origins.n; i++) p.origins.v[i].offset += text.len;
    out->body = joined(b->arena, &text, &body);
    if (b->options->origins) origin_lines(b, out->body, p.origins.v, p.origins.n, out);
    for (int d = 0; d < 3; d++) {
        out->global[d] = build_plain(b, k->global[d]);
        out->local[d] = k->local[d];
    }
    out->private_scalars = p.private_scalars;
    out->barriers = p.barriers;
    free(p.origins.v);
    buf_free(&body);
    buf_free(&text);
}

/* ---- the program ---- */

static void print_need(const PlanFact *f, bool limit, Buf *out)
{
    static const char *const words[] = {[FACT_DIVIDES] = "divides", [FACT_LE] = "<=", [FACT_LT] = "<"};
    nat_print(f->fact.a, limit ? 0 : 5, out);
    if (limit) return;
    buf_printf(out, " %s ", words[f->fact.kind]);
    nat_print(f->fact.b, 5, out);
    buf_printf(out, "  (%s)\n", f->who);
}

static void print_header(Build *b, const Plan *plan, Buf *out)
{
    const char *h = b->options->header;
    if (!h && !plan->fact_count) return;
    buf_puts(out, "/*");
    for (const char *s = h; s && *s;) {
        size_t n = strcspn(s, "\n");
        buf_printf(out, " %.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
        if (*s) buf_puts(out, " *");
    }
    int limits = 0;
    for (int i = 0; i < plan->fact_count; i++) {
        const PlanFact *f = &plan->facts[i];
        bool limit = f->fact.kind == FACT_LE && f->fact.b->is_const && f->fact.b->value == INT32_MAX;
        if (limit) buf_puts(out, limits++ ? ", " : i || h ? " * needs " : " needs ");
        else buf_puts(out, i || h ? " * needs " : " needs ");
        print_need(f, limit, out);
    }
    if (limits) buf_puts(out, " < 2147483648  (int indices)\n");
    buf_puts(out, " */\n");
}

static void print_helper(Buf *out, const char *type, const char *suffix, bool div, bool mod)
{
    if (div)
        buf_printf(out, "static %s " NAT_C_DIV "%s(%s a, %s b)\n{\n    %s q = a / b;\n"
                   "    return a %% b != 0 && (a < 0) != (b < 0) ? q - 1 : q;\n}\n\n", type, suffix, type, type, type);
    if (mod)
        buf_printf(out, "static %s " NAT_C_MOD "%s(%s a, %s b)\n{\n    %s r = a %% b;\n"
                   "    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n\n", type, suffix, type, type, type);
}

/* vstoreN past the caches, for compilers that have a way to say so. */
static void print_streams(Buf *out, const Build *b)
{
    bool any = false;
    for (int s = 0; s < SC_COUNT; s++)
        for (int w = 2; w <= 16; w *= 2) {
            if (!(b->streams[s] & 1u << w)) continue;
            const char *type = scalar_word((Scalar)s);
            if (!any) buf_puts(out, "#ifndef __has_builtin\n#define __has_builtin(name) 0\n#endif\n");
            any = true;
            buf_printf(out, "#if __has_builtin(__builtin_nontemporal_store)\n"
                       "#define " STREAM "%s%d(v, i, p) __builtin_nontemporal_store(v, (global %s%d *)(p) + (i))\n#else\n"
                       "#define " STREAM "%s%d(v, i, p) vstore%d(v, i, p)\n#endif\n", type, w, type, w, type, w, w);
        }
    if (any) buf_putc(out, '\n');
}

const char *opencl_program(Build *b, const Plan *plan)
{
    Buf out = {0};
    print_header(b, plan, &out);
    if (b->uses_f64) buf_puts(&out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (b->uses_f16) buf_puts(&out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    if (out.len) buf_putc(&out, '\n');
    print_helper(&out, b->long_index ? "long" : "int", "", b->helper_div, b->helper_mod);
    print_helper(&out, "long", "_long", b->helper_div64, b->helper_mod64);
    print_streams(&out, b);
    if (!out.len && plan->kernel_count == 1) return plan->kernels[0].body;
    size_t room = 0;
    for (int i = 0; i < plan->kernel_count; i++) room += strlen(plan->kernels[i].body) + 1;
    buf_reserve(&out, room);
    for (int i = 0; i < plan->kernel_count; i++) {
        if (i) buf_putc(&out, '\n');
        buf_puts(&out, plan->kernels[i].body);
    }
    const char *text = arena_strndup(b->arena, buf_text(&out), out.len);
    buf_free(&out);
    return text;
}

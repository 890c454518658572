/* printer: kernels as C, in reading order: indices, offsets and places of buffers; expressions: literals, loads, operators, vectors
 * and masks; statements, with lines broken where they are too long; words, a kernel around its body, a whole program. */
#include "printer.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

void printer_put(Buf *out, const char *const *texts)
{
    for (; *texts; texts++) buf_puts(out, *texts);
}

/* "float"; of a mask, which is a vector of bool, "int" */
static const char *printer_element(const Printer *p, Scalar s, int width)
{
    return p->d->scalars[s == SC_BOOL && width > 1 ? SC_I32 : printer_value(p, s)];
}

const char *printer_memory(const Dialect *d, Scalar s) { return d->scalars[s == SC_BOOL ? SC_U8 : s]; }

/* of ids, loops and sizes: "int" */
static const char *printer_index_type(const Build *b) { return b->dialect->scalars[b->long_index ? SC_I64 : SC_I32]; }

/* "float4" */
static void printer_type(Printer *p, Scalar s, int width) { p->d->type(p, printer_element(p, s, width), width); }

/* ---- indices, offsets and places of buffers ---- */

/* A form of offsets as stride*row + rest. */
typedef struct Rows {
    const Form *form;
    const Nat *stride, *row, *rest;
    bool known;                          /* 0 <= rest <= most */
    bool only;                           /* no other way to take it apart needs no new quotient */
    bool same;                           /* nor does this one */
    int64_t most;
    const Form *row_form, *rest_form;    /* where known, with the numbers beside them */
    int64_t row_number, rest_number;
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

static void print_variable(void *data, const NatAtom *var, Buf *out);

/* C precedence of a Nat's text: nat_print_c speaks 0 5 6 9. */
static int nat_prec(int prec) { return prec <= P_SHIFT ? 0 : prec <= P_SUM ? 5 : prec <= P_PRODUCT ? 6 : 9; }

static const char *suffix(const Printer *p) { return p->b->long_index ? p->d->long_suffix : NULL; }

/* A size, or a size divided by what divides it. */
static void print_size(Printer *p, const NatAtom *var)
{
    const SizeSubst *l = p->b->subst;
    for (int i = 0; i < l->count; i++) {
        if (l->back[i].var != var) continue;
        bool helpers = false;
        nat_print_c(p->b->n, l->back[i].value, nat_prec(P_ATOM), print_variable, p, p->out, &helpers, suffix(p));
        return;
    }
    int at = 0;
    while (at < p->b->sizes.n && p->b->sizes.v[at] != var && (var->var != VAR_INDEX || p->b->sizes.v[at]->name != var->name)) at++;     /* its bound may be another */
    assert(at < p->b->sizes.n);
    p->sizes[at] = true;
    buf_puts(p->out, p->b->size_names.v[at]);
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
    nat_print_c(p->b->n, build_printable(p->b, n), nat_prec(prec), print_variable, p, p->out, &helpers, suffix(p));
    if (helpers) p->b->needs.helpers |= 1u << HELPER_INDEX | 1u << (HELPER_INDEX + 1);
}

static FormText *form_text(Printer *p, const Form *form)
{
    while (p->forms.n <= form->id) vec_push(&p->forms, NULL);
    FormText *t = p->forms.v[form->id];
    if (t) return t;
    t = p->forms.v[form->id] = NEW(p->b->arena, FormText);
    if (!form->rest || p->b->subst->count) return t;
    t->factor_count = nat_c_steps(form->rest, t->factors, FACTORS_MAX);
    if (t->factor_count < 0) return t;
    size_t start = p->out->len;
    print_new_nat(p, form->rest, P_TOP);
    t->len = p->out->len - start;
    t->text = arena_strndup(p->b->arena, p->out->data + start, t->len);
    p->out->len = start;
    return t;
}

/* A form and a number. False: their text does not follow from that of the form. */
static bool print_numbered(Printer *p, const Form *form, int64_t number)
{
    const FormText *t = form_text(p, form);
    if (!t->text || number < 0) return false;
    for (int i = 0; number && i < t->factor_count; i++)
        if (number % t->factors[i] == 0) return false;
    buf_write(p->out, t->text, t->len);
    if (!number) return true;
    buf_write(p->out, " + ", 3);
    buf_int(p->out, number);
    return true;
}

void printer_nat(Printer *p, const Nat *n, int prec)
{
    int64_t number;
    const Form *form = prec <= P_SUM && !n->is_const ? form_of(&p->k->forms, n, &number) : NULL;
    if (n->is_const && n->value >= 0) buf_int(p->out, n->value);
    else if (!form || !print_numbered(p, form, number)) print_new_nat(p, n, prec);
}

/* Of a split private array. */
static inline const struct OwnElement *printer_own(Printer *p, const Place *q)
{
    struct OwnElement *own = &p->own[q->element->id];
    if (own->name) return own;
    for (int d = 0; d < q->buf->rank && own->number >= 0; d++) {
        const Nat *rest = kernel_own_rest(p->b, p->k, q, d);
        own->number = rest->is_const && rest->value >= 0 ? own->number * q->buf->own[d]->value + rest->value : -1;
    }
    if (own->number >= q->buf->own_count) own->number = -1;
    own->name = q->buf->elements[own->number < 0 ? 0 : own->number];
    own->len = strlen(own->name);
    return own;
}

/* ".s3" of a vector */
static void print_lane(Printer *p, int lane)
{
    buf_puts(p->out, p->d->lanes[0]);
    if (*p->d->lanes[1]) buf_int(p->out, lane & 15);
    else buf_putc(p->out, "0123456789abcdef"[lane & 15]);
    buf_puts(p->out, p->d->lanes[1]);
}

static void print_private(Printer *p, const Place *q)
{
    const Buffer *buf = q->buf;
    bool pointer = q->lane && !q->lane->is_const;
    if (pointer && !*p->d->lanes[1]) buf_printf(p->out, "((%s *)&", printer_element(p, buf->scalar, buf->width));
    const struct OwnElement *own = buf->rank && buf->split ? printer_own(p, q) : NULL;
    if (own) buf_write(p->out, own->name, own->len);
    else buf_puts(p->out, buf->name);
    if (buf->rank && !buf->split) {
        buf_putc(p->out, '[');
        printer_nat(p, kernel_own_index(p->b, p->k, q), P_TOP);
        buf_putc(p->out, ']');
    }
    if (!q->lane || buf->width == 1) return;
    if (!pointer) {
        print_lane(p, (int)q->lane->value);
        return;
    }
    buf_puts(p->out, *p->d->lanes[1] ? p->d->lanes[0] : ")[");
    printer_nat(p, q->lane, P_TOP);
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

static const Rows *rows_of(Printer *p, const Form *form, const Nat *stride)
{
    Nats *n = p->b->n;
    Rows key = {.form = form, .stride = stride};
    uint64_t h = hash_mix((uint64_t)form->id, stride->id);
    Rows *r = ptr_table_find(&p->rows, h, same_rows, &key);
    if (r || !form->rest) return r;
    r = NEW(p->b->arena, Rows);
    *r = key;
    r->known = nat_split(n, form->rest, stride->value, &r->row, &r->rest) && nat_upper(n, r->rest, &r->most);
    if (r->known) r->same = count_quotients(r->row) + count_quotients(r->rest) <= count_quotients(form->rest);
    if (r->known) r->row_form = form_of(&p->k->forms, r->row, &r->row_number);
    if (r->known) r->rest_form = form_of(&p->k->forms, r->rest, &r->rest_number);
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

/* An offset into an array of several dimensions as its rows and columns. */
static void print_new_offset(Printer *p, const Buffer *buf, const Nat *at, int prec)
{
    const Nat *stride = buf->count, *row, *rest;
    bool brackets = prec > P_SUM;
    if (brackets) buf_putc(p->out, '(');
    for (int d = 0; d + 1 < buf->rank && at; d++) {
        stride = nat_exact(p->b->n, stride, buf->dims[d]);
        if (!stride || !split_rows(p, at, stride, &row, &rest)) continue;
        bool lone = content(row) > 1 && row->terms[row->term_count - 1].factor_count > 0;    /* 512*x, not 64*(8*x) */
        printer_nat(p, lone ? nat_mul(p->b->n, row, stride) : stride, lone ? P_SUM : P_PRODUCT);
        if (!lone) {
            buf_puts(p->out, "*(");
            printer_nat(p, row, P_TOP);
            buf_putc(p->out, ')');
        }
        if (rest->is_const && rest->value == 0) at = NULL;
        else buf_puts(p->out, " + ");
        if (at) at = rest;
    }
    if (at) printer_nat(p, at, prec > P_SUM ? P_TOP : prec);
    if (brackets) buf_putc(p->out, ')');
}

static const OffsetRows *offset_rows(Printer *p, const Buffer *buf, const Form *form, FormText *t)
{
    const Nat *stride = buf->count;
    for (const OffsetRows *o = t->rows; o; o = o->next)
        if (o->buf == buf) return o;
    OffsetRows *o = MAKE(p->b->arena, OffsetRows, .buf = buf, .next = t->rows);
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

/* What print_new_offset says of a form and a number, from the stride `from` on, where it follows from what is known of the
 * form; false: it does not, and some of it may be printed. */
static bool print_pieces(Printer *p, const Buffer *buf, const Form *form, int64_t number, int from)
{
    FormText *t = form->rest ? form_text(p, form) : NULL;
    const OffsetRows *o = t && t->text ? offset_rows(p, buf, form, t) : NULL;
    if (!o || o->count < 0) return false;
    for (int i = from; i < o->count; i++) {
        const Rows *r = o->rows[i];
        if (stays(r, number)) continue;
        int64_t stride = r->stride->value, over = floor_mod(number, stride), row = r->row_number + floor_div(number, stride);
        if (!r->known || r->most >= stride - over) return false;
        if (r->row_form->rest->term_count + (row != 0) <= 1) continue;
        /* stride*(row + number); false: their text does not follow from that of the form. */
        if (!row && content(r->row_form->rest) > 1) return false;         /* print_rows may write it otherwise */
        buf_int(p->out, r->stride->value);
        buf_write(p->out, "*(", 2);
        if (!print_numbered(p, r->row_form, row)) return false;
        buf_write(p->out, ")", 1);
        int64_t rest = r->rest_number + over;
        if (r->rest_form->rest->term_count == 0 && rest == 0) return true;
        buf_write(p->out, " + ", 3);
        return print_pieces(p, buf, r->rest_form, rest, i + 1);
    }
    return print_numbered(p, form, number);
}

static void print_plain_offset(Printer *p, const Buffer *buf, const Nat *at, int prec)
{
    size_t start = p->out->len;
    int64_t number;
    if (p->b->options->unread) {
        printer_nat(p, at, prec);
        return;
    }
    if (prec <= P_SUM && at->is_const && at->value >= 0 && buf->count->is_const) {
        buf_int(p->out, at->value);
        return;
    }
    /* Does the text follow from that of the form? */
    const Form *form = prec <= P_SUM ? form_of(&p->k->forms, at, &number) : NULL;
    if (form && print_pieces(p, buf, form, number, 0)) return;
    p->out->len = start;
    print_new_offset(p, buf, at, prec);
}

static void print_offset(Printer *p, const Place *q, int prec)
{
    const Swizzle *s = &q->buf->swizzle;
    if (!s->piece) {
        print_plain_offset(p, q->buf, q->at, prec);
        return;
    }
    const Nat *w = nat_const(p->b->n, q->width);
    if (q->width > 1 << s->piece || (1 << s->piece) % q->width || !nat_divides(p->b->n, w, q->at, p->b->facts))
        build_fail(p->b, E53, p->k->root, "vectors of %d elements are read or written that are not within pieces of %d of %s, which toLocalSwizzled "
                   "has in another order: toLocalPadded, or larger pieces", q->width, 1 << s->piece, q->buf->name);
    p->b->needs.uses_swizzle = true;
    /* What does not reach the bits that are looked at or changed stands outside: one such number does for many elements. */
    const Nat *whole = nat_const(p->b->n, 0), *rest = q->at;
    int64_t reach = (int64_t)(s->mask + 1) << s->over;
    if (!nat_split(p->b->n, q->at, reach, &whole, &rest)) whole = nat_const(p->b->n, 0), rest = q->at;
    whole = nat_mul(p->b->n, nat_const(p->b->n, reach), whole);
    bool sum = whole->term_count > 0;
    if (sum && prec > P_SUM) buf_putc(p->out, '(');
    buf_puts(p->out, "lathe_swizzled(");
    print_plain_offset(p, q->buf, rest, P_TOP);
    buf_printf(p->out, ", %d, %d, %d)", s->over, s->mask, s->piece);
    if (sum) buf_puts(p->out, " + ");
    if (sum) print_plain_offset(p, q->buf, whole, P_SUM);
    if (sum && prec > P_SUM) buf_putc(p->out, ')');
}

void printer_address(Printer *p, const Place *q)
{
    buf_puts(p->out, q->buf->name);
    if (q->at->is_const && q->at->value == 0) return;
    buf_puts(p->out, " + ");
    print_offset(p, q, P_SUM);
}

/* the kernel takes it as an argument */
static void printer_use(Printer *p, const Buffer *buf, bool write)
{
    if (buf->plan < 0) return;
    p->buffers[buf->plan] = true;
    (write ? p->written : p->read)[buf->plan] = true;
}

void printer_place(Printer *p, const Place *q)
{
    if (q->buf->space == SPACE_PRIVATE) {
        print_private(p, q);
        return;
    }
    const char *const scalar = scalar_name(q->buf->scalar);
    if (q->buf->lane) printer_put(p->out, (const char *[]){"lathe_lane", lane_is_own(q) ? "" : "_of_", lane_is_own(q) ? "" : scalar, "(", q->buf->name, ", ", NULL});
    else printer_put(p->out, (const char *[]){q->buf->name, "[", NULL});
    print_offset(p, q, P_TOP);
    buf_putc(p->out, q->buf->lane ? ')' : ']');
}

/* ---- literals ---- */

static void print_float(Printer *p, double v, Scalar scalar)
{
    Buf *out = p->out;
    Scalar s = printer_value(p, scalar);
    char text[40];
    if (isnan(v) || isinf(v)) {
        buf_puts(out, p->d->special[s]);
        buf_puts(out, isnan(v) ? "NAN" : "INFINITY");
        return;
    }
    bool digit = v < 10 && v == (int)v;                      /* 0 to 9, as most are */
    if (!digit) scalar_text(s == SC_F64 ? s : SC_F32, v, text);
    if (s == SC_F16) buf_puts(out, p->d->half[0]);
    if (digit) buf_int(out, (int)v);
    else buf_puts(out, text);
    if (digit || !strpbrk(text, ".e")) buf_puts(out, ".0");
    if (s == SC_F32) buf_putc(out, 'f');
    if (s == SC_F16) buf_puts(out, p->d->half[1]);
}

static void print_literal(Printer *p, const Expr *e, int prec)
{
    bool negative = scalar_is_float(e->scalar) ? signbit(e->lit.f) && !isnan(e->lit.f) : scalar_order(e->scalar, e->lit.i, 0) < 0;
    bool brackets = negative && prec > P_SUM;
    if (brackets) buf_putc(p->out, '(');
    if (scalar_is_float(e->scalar)) {
        if (negative) buf_putc(p->out, '-');
        print_float(p, fabs(e->lit.f), e->scalar);
    } else {
        Buf *out = p->out;
        bool wide = scalar_bytes(e->scalar) == 8,
             least = e->scalar >= SC_I32 && scalar_is_signed(e->scalar) && e->lit.i == scalar_least(e->scalar);
        if (least) buf_printf(out, "(-%lld%s - 1)", (long long)-(e->lit.i + 1), wide ? p->d->long_suffix : "");
        else scalar_print(e->scalar, e->lit.i, out);
        if (e->scalar == SC_U32 || e->scalar == SC_U64) buf_putc(out, 'u');
        if (wide && !least) buf_puts(out, p->d->long_suffix);
    }
    if (brackets) buf_putc(p->out, ')');
}

/* ---- loads ---- */

static const char *mask_word(const Printer *p, int bits)
{
    return p->d->scalars[bits == 64 ? SC_I64 : bits == 32 ? SC_I32 : bits == 16 ? SC_I16 : SC_I8];
}

static void vector_head(Printer *p, Scalar s, int width, bool all) { p->d->vector(p, printer_element(p, s, width), width, all); }

static void print_load(Printer *p, const Expr *e, int prec)
{
    const Place *q = &e->place;
    printer_use(p, q->buf, false);
    if (q->buf->space == SPACE_PRIVATE || (q->width == 1 && !printer_keeps_half(p, q->buf) && !q->buf->image_of)) {
        size_t start = p->out->len;
        printer_place(p, q);
        size_t n = p->out->len - start;
        if (e->id < p->b->said_count) p->b->said[e->id] = (struct Said){p->k, arena_strndup(p->b->arena, p->out->data + start, n), n};
        return;
    }
    bool mask = q->buf->scalar == SC_BOOL;
    if (mask && prec > P_EQ) buf_putc(p->out, '(');
    if (mask) p->d->convert(p, mask_word(p, 32), q->width);
    p->d->load(p, q);
    if (mask) buf_printf(p->out, ") != 0%s", prec > P_EQ ? ")" : "");
    if (mask) printer_lanewise(p, PRIM_NE, SC_I32, q->width);
}

/* ---- operators ---- */

typedef struct Op { const char *text; int prec; void (*print)(Printer *p, const Expr *e, int prec); } Op;
static Op infix(PrimId id);

/* Masks are vectors of int wherever they are kept or combined. A comparison gives one with lanes as wide as what it compares, and that is
 * what a choice between such lanes takes: in between none is converted. */
static int compared_bits(const Printer *p, const Expr *e)
{
    if (e->kind != X_OP || !prim_compares(e->op) || e->args[0]->scalar == SC_BOOL) return 32;
    return 8 * scalar_bytes(printer_value(p, e->args[0]->scalar));
}

static void print_both(Printer *p, const Expr *e, int prec, Op op);

static void print_expr(Printer *p, const Expr *e, int prec);

static inline void printer_expr(Printer *p, const Expr *e, int prec)
{
    const struct Said *said = e->kind == X_LOAD && e->id < p->b->said_count ? &p->b->said[e->id] : NULL;
    if (said && said->by == p->k) buf_write(p->out, said->text, said->len);
    else print_expr(p, e, prec);
}

void printer_as(Printer *p, const Expr *e, int width, int prec)
{
    if (e->width == width || width == 1) {
        printer_expr(p, e, prec);
        return;
    }
    vector_head(p, e->scalar, width, true);
    if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
    printer_expr(p, e, e->scalar == SC_BOOL ? P_UNARY : P_TOP);
    buf_putc(p->out, ')');
}

static bool printer_may_wrap(Printer *p, const Expr *e);

/* As an operand whose type matters: of what C makes an int, though its type is narrower, the value is the same, but functions are chosen by
 * type, and no vector takes a scalar that is wider than its lanes. */
static void print_typed(Printer *p, const Expr *e, int prec)
{
    bool promoted = e->width == 1 && scalar_is_narrow(e->scalar);
    if (e->kind == X_OP) promoted = promoted && !prim_is_cast(e->op) && !printer_may_wrap(p, e);
    else promoted = promoted && (e->kind == X_LIT || (e->kind == X_NAT && e->nat->is_const));
    bool brackets = promoted && prec > P_UNARY;
    if (brackets) buf_putc(p->out, '(');
    if (promoted) buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
    printer_expr(p, e, promoted ? P_UNARY : prec);
    if (brackets) buf_putc(p->out, ')');
}

void printer_argument(Printer *p, const Expr *e, int width)
{
    if (e->width == width && !scalar_is_narrow(e->scalar)) printer_expr(p, e, P_TOP);
    else if (e->width == width) print_typed(p, e, P_TOP);
    else printer_as(p, e, width, P_TOP);
}

/* A mask with lanes of that many bits. */
void printer_mask(Printer *p, const Expr *e, int width, int bits, int prec)
{
    int from = e->width > 1 ? compared_bits(p, e) : bits;
    if (e->width == 1) {
        p->d->vector(p, mask_word(p, bits), width, true);
        buf_putc(p->out, '-');
    } else if (from != bits) {
        p->d->convert(p, mask_word(p, bits), width);
    }
    if (e->width > 1 && from != 32) print_both(p, e, from == bits ? prec : P_TOP, infix(e->op));
    else printer_expr(p, e, e->width == 1 ? P_UNARY : from == bits ? prec : P_TOP);
    if (e->width == 1 || from != bits) buf_putc(p->out, ')');
}

static void print_operand(Printer *p, const Expr *a, const Expr *e, int prec)
{
    bool shift = e->op == PRIM_SHL || e->op == PRIM_SHR;                   /* no scalar is widened to be shifted */
    if (a->scalar == SC_BOOL && e->width > 1) printer_mask(p, a, e->width, 32, prec);
    else if (a->width == 1 && e->width > 1 && (prim_compares(e->op) || shift)) printer_as(p, a, e->width, prec);
    else if (e->width > 1) print_typed(p, a, prec);
    else printer_expr(p, a, prec);
}

static void print_both(Printer *p, const Expr *e, int prec, Op op)
{
    bool bits = op.prec >= P_BOR && op.prec <= P_SHIFT;       /* their precedence surprises readers and compilers */
    bool brackets = op.prec < prec || (bits && prec > P_AND && prec != op.prec);
    printer_lanewise(p, e->op, e->args[0]->scalar, e->width);
    if (brackets) buf_putc(p->out, '(');
    print_operand(p, e->args[0], e, op.prec);
    buf_puts(p->out, op.text);
    print_operand(p, e->args[1], e, op.prec + 1);
    if (brackets) buf_putc(p->out, ')');
}

static void print_infix(Printer *p, const Expr *e, int prec, Op op)
{
    if (e->width > 1 && compared_bits(p, e) != 32) printer_mask(p, e, e->width, 32, prec);
    else print_both(p, e, prec, op);
}

void printer_arguments(Printer *p, const Expr *e, int width)
{
    buf_putc(p->out, '(');
    for (int i = 0; i < e->arg_count; i++) {
        if (i) buf_puts(p->out, ", ");
        printer_argument(p, e->args[i], width);
    }
    buf_putc(p->out, ')');
}

void printer_sides(Printer *p, const Expr *e)
{
    for (int i = 1; i < 3; i++) {
        buf_puts(p->out, ", ");
        printer_as(p, e->args[i], e->width, P_TOP);
    }
    buf_putc(p->out, ')');
}

const Rounding roundings[] = {
    {PRIM_TO_BF16, "lathe_bf16", "0x7fffu + (u >> 16 & 1u)", "0xffff0000u"}, {PRIM_TF32, "lathe_tf32", "0x1000u", "0xffffe000u"},
};

const char *printer_function(const Dialect *d, Arena *arena, PrimId op, Scalar s)
{
    for (int i = 0; i < COUNT(roundings); i++)
        if (roundings[i].op == op) return roundings[i].name;
    const char *own = d->function_name ? d->function_name(op, s) : NULL, *name = prim(op)->function;
    static const char *const reals[PRIM_COUNT] = {[PRIM_MIN] = "fmin", [PRIM_MAX] = "fmax", [PRIM_ABS] = "fabs"};
    if (reals[op] && !scalar_is_float(s))                              /* of whole numbers: without the f, and C has another one for long */
        return op == PRIM_ABS && s == SC_I64 && *d->single ? "llabs" : reals[op] + 1;
    if (reals[op]) name = reals[op];
    if (own || !name || !*name) return own;
    return *d->single && s != SC_F64 ? arena_printf(arena, "%s%s", name, d->single) : name;
}

static void print_name(Printer *p, const Expr *e)
{
    if (p->d->call) {
        buf_puts(p->out, p->d->call(p, e->op, e->scalar, e->width));
        return;
    }
    if (!p->function || p->function_op != e->op || p->function_scalar != e->scalar) {
        p->function = printer_function(p->d, p->b->arena, p->function_op = e->op, p->function_scalar = e->scalar);
        p->function_len = strlen(p->function);
    }
    buf_write(p->out, p->function, p->function_len);
    printer_lanewise(p, e->op, e->scalar, e->width);
}

/* ---- integers: they wrap, where C leaves it open what a signed sum does that is too large, and computes with narrow ones as ints ---- */

/* Is it computed as an unsigned number where it may leave its type? C does so with unsigned ones, but for those that it takes as ints. */
static bool is_wrapping_ring(const Expr *e)
{
    return e->kind == X_OP && expr_is_ring_op(e->op) && (scalar_is_signed(e->scalar) || (e->width == 1 && scalar_is_narrow(e->scalar)));
}

/* + - * or negation of signed integers, maybe out of range */
static bool printer_may_wrap(Printer *p, const Expr *e)
{
    Bounds r;
    return is_wrapping_ring(e) && !expr_exact_bounds(p->b, e, &r);
}

/* A signed integer modulo 2^32 or 2^64. with: the other side of the operator is unsigned already, as C then makes this one. */
static void print_unsigned(Printer *p, const Expr *e, int width, int prec, bool with)
{
    bool lane = width > 1 && e->width == 1 && scalar_is_narrow(e->scalar);           /* a scalar among vectors is as wide as their lanes */
    bool as_int = width == 1 && scalar_is_narrow(e->scalar);
    const char *word = p->d->scalars[as_int ? SC_U32 : scalar_unsigned(e->scalar)];
    if (is_wrapping_ring(e) && !lane) {
        printer_lanewise(p, e->op, scalar_unsigned(e->scalar), e->width);
        Op op = e->op == PRIM_NEG ? (Op){"-", P_UNARY, NULL} : infix(e->op);
        if (op.prec < prec) buf_putc(p->out, '(');
        if (e->op != PRIM_NEG) print_unsigned(p, e->args[0], e->width, op.prec, false);
        buf_puts(p->out, op.text);
        bool simple = e->op == PRIM_NEG && !is_wrapping_ring(e->args[0]);
        print_unsigned(p, e->args[e->op != PRIM_NEG], e->width, simple ? P_UNARY : op.prec + 1, e->op != PRIM_NEG);
        if (op.prec < prec) buf_putc(p->out, ')');
    } else if (e->width > 1) {
        p->d->reinterpret(p, word, e->width);
        printer_expr(p, e, P_TOP);
        buf_putc(p->out, ')');
    } else if (with && !lane) {
        printer_expr(p, e, prec);
    } else {
        buf_printf(p->out, "%s(%s)", prec > P_UNARY ? "(" : "", word);
        printer_expr(p, e, P_UNARY);
        if (prec > P_UNARY) buf_putc(p->out, ')');
    }
}

static void print_wrapping(Printer *p, const Expr *e, int prec)
{
    bool brackets = e->width == 1 && prec > P_UNARY;
    if (e->width > 1) p->d->reinterpret(p, p->d->scalars[e->scalar], e->width);
    else buf_printf(p->out, "%s(%s)(", brackets ? "(" : "", p->d->scalars[e->scalar]);
    print_unsigned(p, e, e->width, P_TOP, false);
    buf_puts(p->out, brackets ? "))" : ")");
}

/* Only the smallest number by -1 has no quotient; the language wraps, and a CPU stops there. */
static void print_division(Printer *p, const Expr *e, int prec)
{
    bool floors = e->op == PRIM_DIV || e->op == PRIM_FLOOR_DIV || e->op == PRIM_MOD;
    bool rest = e->op == PRIM_MOD || e->op == PRIM_REM, plain = !scalar_is_signed(e->scalar);
    if (!plain) {
        Bounds a = expr_bounds(p->b, e->args[0]), b = expr_bounds(p->b, e->args[1]);
        bool wraps = b.lo <= -1 && b.hi >= -1 && a.lo == scalar_bounds(e->scalar).lo;
        plain = !wraps && (!floors || (a.lo >= 0 && b.lo >= 0));
    }
    if (plain) {
        print_infix(p, e, prec, infix(e->op));
    } else if (e->width > 1) {
        /* One lane at a time: operations that have no vector form. */
        vector_head(p, e->scalar, e->width, false);
        for (int i = 0; i < e->width; i++) {
            const Expr *args[ARG_MAX];
            Expr lane = *e;
            lane.width = 1;
            lane.args = args;
            for (int k = 0; k < e->arg_count; k++) lane.args[k] = expr_lane(p->b, e->args[k], i);
            if (i) buf_puts(p->out, ", ");
            printer_expr(p, &lane, P_TOP);
        }
        buf_putc(p->out, ')');
    } else {
        int which = (e->scalar == SC_I64 ? HELPER_LONG : HELPER_INT) + (floors ? 0 : 2) + rest;
        bool narrow = scalar_is_narrow(e->scalar), brackets = narrow && prec > P_UNARY;
        p->b->needs.helpers |= 1u << which;
        if (brackets) buf_putc(p->out, '(');
        if (narrow) buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
        buf_puts(p->out, plan_helpers[which]);
        printer_arguments(p, e, 1);
        if (brackets) buf_putc(p->out, ')');
    }
}

/* A mask, up to the ")" behind it, as ones where it is -1; `& 1` is wrong on Oclgrind. */
static void print_ones(Printer *p, int width)
{
    print_name(p, &(Expr){.kind = X_OP, .op = PRIM_ABS, .scalar = SC_I32, .width = width});
    buf_putc(p->out, '(');
}

/* a cast to a half, as the float that it rounds */
static void printer_unrounded(Printer *p, const Expr *e)
{
    const Expr *a = e->args[0];
    Expr single = *e;
    single.scalar = SC_F32;
    single.op = PRIM_TO_F32;
    printer_expr(p, scalar_is_float(a->scalar) ? a : &single, P_TOP);
}

static void print_named(Printer *p, const Expr *e, int prec)
{
    (void)prec;
    print_name(p, e);
    printer_arguments(p, e, e->width);
}

static void print_rounding(Printer *p, const Expr *e, int prec)
{
    p->b->needs.rounded[e->op] |= 1u << e->width;
    print_named(p, e, prec);
}

static void print_cast(Printer *p, const Expr *e, int prec)
{
    const Expr *a = e->args[0];
    if (e->op == PRIM_TO_BF16) {
        print_rounding(p, e, prec);
        return;
    }
    if (e->scalar == SC_F16 && p->half_stored) {
        /* To a half that is stored later, or not at all: a float that one holds. */
        Scalar from = e->args[0]->scalar == SC_F64 ? SC_F64 : SC_F32;
        p->b->needs.halves[from == SC_F64] |= 1u << e->width;
        buf_printf(p->out, "lathe_half_%s%d(", p->d->scalars[from], e->width);
        printer_unrounded(p, e);
        buf_putc(p->out, ')');
        return;
    }
    if (a->scalar == SC_F16 && e->scalar == SC_F32 && p->half_stored) {
        printer_expr(p, a, prec);
        return;
    }
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
        p->d->convert(p, p->d->scalars[e->scalar], e->width);
        if (a->scalar == SC_BOOL) print_ones(p, e->width);
        printer_expr(p, a, P_TOP);
        buf_puts(p->out, a->scalar == SC_BOOL ? "))" : ")");
        return;
    }
    if (prec > P_UNARY) buf_putc(p->out, '(');
    buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
    printer_expr(p, a, P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

static void print_choice(Printer *p, const Expr *e, int prec)
{
    const Expr *cond = e->args[0];
    if (cond->width > 1 && !scalar_is_float(e->scalar)) {
        /* Integers by lane: as a call, for Clang makes sums with the mask's bits of `? :`, which are wrong in
         * Oclgrind. */
        buf_puts(p->out, "select(");
        printer_argument(p, e->args[2], e->width);
        buf_puts(p->out, ", ");
        printer_argument(p, e->args[1], e->width);
        buf_puts(p->out, ", ");
        printer_mask(p, e->args[0], e->width, e->scalar == SC_BOOL ? 32 : 8 * scalar_bytes(printer_value(p, e->scalar)),
                     P_TOP);
        buf_putc(p->out, ')');
        return;
    }
    if (prec > P_CHOICE) buf_putc(p->out, '(');
    if (cond->width > 1) {
        printer_mask(p, cond, e->width, 8 * scalar_bytes(printer_value(p, e->scalar)), P_CHOICE + 1);
    } else {
        printer_expr(p, cond, P_CHOICE + 1);
    }
    buf_puts(p->out, " ? ");
    printer_as(p, e->args[1], e->width, P_CHOICE + 1);
    buf_puts(p->out, " : ");
    printer_as(p, e->args[2], e->width, P_CHOICE);
    if (prec > P_CHOICE) buf_putc(p->out, ')');
}

static void print_abs(Printer *p, const Expr *e, int prec)
{
    if (scalar_is_float(e->scalar)) {
        print_named(p, e, P_TOP);
    } else if (scalar_is_unsigned(e->scalar)) {
        printer_expr(p, e->args[0], prec);
    } else if (expr_bounds(p->b, e->args[0]).lo == scalar_bounds(e->scalar).lo) {      /* abs() of the smallest is not what it should be on PoCL */
        Expr minus = *e, greater = *e;
        minus.op = PRIM_NEG;
        greater.op = PRIM_MAX;
        print_name(p, &greater);
        buf_putc(p->out, '(');
        printer_argument(p, e->args[0], e->width);
        buf_puts(p->out, ", ");
        print_wrapping(p, &minus, P_TOP);
        buf_putc(p->out, ')');
    } else {
        if (e->width > 1) p->d->reinterpret(p, p->d->scalars[e->scalar], e->width);
        else buf_printf(p->out, "%s(%s)", prec > P_UNARY ? "(" : "", p->d->scalars[e->scalar]);
        print_named(p, e, P_TOP);
        if (e->width > 1 || prec > P_UNARY) buf_putc(p->out, ')');
    }
}

static void print_prefix(Printer *p, const char *op, const Expr *e, int prec)
{
    const Expr *a = e->args[0];
    printer_lanewise(p, e->op, e->scalar, e->width);
    if (prec > P_UNARY) buf_putc(p->out, '(');
    buf_puts(p->out, op);
    bool clash = *op == '-' && (a->kind == X_LIT || a->kind == X_NAT || (a->kind == X_OP && a->op == PRIM_NEG));
    if (e->scalar == SC_BOOL && e->width > 1) printer_mask(p, a, e->width, 32, P_UNARY);
    else printer_expr(p, a, clash ? P_ATOM : P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

static void print_vdot(Printer *p, const Expr *e, int prec)
{
    if (!scalar_is_float(e->scalar)) {
        const Expr *sum = NULL;
        for (int i = 0; i < e->args[0]->width; i++) {
            const Expr *x = expr_lane(p->b, e->args[0], i), *y = expr_lane(p->b, e->args[1], i), *xy = expr_binary(p->b, PRIM_MUL, e->scalar, x, y);
            sum = sum ? expr_binary(p->b, PRIM_ADD, e->scalar, sum, xy) : xy;
        }
        printer_expr(p, sum, prec);
        return;
    }
    if (prec > P_SUM) buf_putc(p->out, '(');
    for (int i = 0; i < e->args[0]->width; i++) {
        const Expr *x = expr_lane(p->b, e->args[0], i), *y = expr_lane(p->b, e->args[1], i);
        if (i) buf_puts(p->out, " + ");
        printer_expr(p, x, P_PRODUCT);
        buf_puts(p->out, " * ");
        printer_expr(p, y, P_PRODUCT + 1);
    }
    if (prec > P_SUM) buf_putc(p->out, ')');
}

/* The count is taken modulo the width; C would take that of an int. */
static void print_shift(Printer *p, const Expr *e, int prec)
{
    int bits = 8 * scalar_bytes(e->scalar);
    Bounds by = expr_bounds(p->b, e->args[1]);
    if (e->width > 1 || !scalar_is_narrow(e->scalar)) {
        print_infix(p, e, prec, infix(e->op));
        return;
    }
    bool left = e->op == PRIM_SHL, brackets = prec > (left ? P_UNARY : P_SHIFT) || (!left && prec > P_AND);
    if (brackets) buf_putc(p->out, '(');
    if (left) buf_printf(p->out, "(%s)((%s)", p->d->scalars[e->scalar], p->d->scalars[SC_U32]);
    printer_expr(p, e->args[0], left ? P_UNARY : P_SHIFT);
    buf_puts(p->out, infix(e->op).text);
    bool fits = by.lo >= 0 && by.hi < bits;
    if (!fits) buf_putc(p->out, '(');
    printer_expr(p, e->args[1], fits ? P_SHIFT + 1 : P_UNARY);
    if (!fits) buf_printf(p->out, " & %d)", bits - 1);
    buf_puts(p->out, left ? brackets ? "))" : ")" : brackets ? ")" : "");
}

static void print_same_bits(Printer *p, const Expr *e, int prec)
{
    (void)prec;
    p->d->same_bits(p, p->d->scalars[e->scalar], e->width);
    printer_argument(p, e->args[0], e->width);
    buf_putc(p->out, ')');
}

static void print_operator(Printer *p, const Expr *e, int prec) { print_infix(p, e, prec, infix(e->op)); }
static void print_minus(Printer *p, const Expr *e, int prec) { print_prefix(p, "-", e, prec); }
static void print_not(Printer *p, const Expr *e, int prec) { print_prefix(p, "!", e, prec); }

/* How each operator is written; text and strength are those of infix ones. An operator without a row does not compile. */
#define INFIX(TEXT, PREC) {" " TEXT " ", PREC, print_operator}
#define DIVIDES(TEXT) {" " TEXT " ", P_PRODUCT, print_division}
#define NAMED {NULL, P_ATOM, print_named}
#define CAST {NULL, P_UNARY, print_cast}
#define BITS {NULL, P_ATOM, print_same_bits}
static const Op
    op_ADD = INFIX("+", P_SUM), op_SUB = INFIX("-", P_SUM), op_MUL = INFIX("*", P_PRODUCT),
    op_DIV = DIVIDES("/"), op_FLOOR_DIV = DIVIDES("/"), op_QUOT = DIVIDES("/"), op_MOD = DIVIDES("%"), op_REM = DIVIDES("%"),
    op_NEG = {NULL, P_UNARY, print_minus}, op_NOT = {NULL, P_UNARY, print_not}, op_ABS = {NULL, P_ATOM, print_abs},
    op_MIN = NAMED, op_MAX = NAMED, op_SELECT = {NULL, P_CHOICE, print_choice},
    op_EQ = INFIX("==", P_EQ), op_NE = INFIX("!=", P_EQ), op_LT = INFIX("<", P_LESS), op_LE = INFIX("<=", P_LESS),
    op_GT = INFIX(">", P_LESS), op_GE = INFIX(">=", P_LESS), op_AND = INFIX("&&", P_AND), op_OR = INFIX("||", P_OR),
    op_BAND = INFIX("&", P_BAND), op_BOR = INFIX("|", P_BOR), op_BXOR = INFIX("^", P_BXOR),
    op_SHL = {" << ", P_SHIFT, print_shift}, op_SHR = {" >> ", P_SHIFT, print_shift},
    op_SQRT = NAMED, op_RSQRT = NAMED, op_EXP = NAMED, op_EXP2 = NAMED, op_LOG = NAMED, op_LOG2 = NAMED, op_SIN = NAMED, op_COS = NAMED,
    op_TAN = NAMED, op_TANH = NAMED, op_ASIN = NAMED, op_ACOS = NAMED, op_ATAN = NAMED, op_ATAN2 = NAMED, op_SINH = NAMED, op_COSH = NAMED,
    op_ERF = NAMED, op_POW = NAMED, op_FLOOR = NAMED, op_CEIL = NAMED, op_ROUND = NAMED, op_FMA = NAMED, op_SIGN = NAMED,
    op_EXPM1 = NAMED, op_LOG1P = NAMED, op_LGAMMA = NAMED, op_TRUNC = NAMED, op_POPCOUNT = NAMED, op_CLZ = NAMED,
    op_TF32 = {NULL, P_ATOM, print_rounding},
    op_AS_I32 = BITS, op_AS_U32 = BITS, op_AS_F32 = BITS, op_AS_I64 = BITS, op_AS_U64 = BITS, op_AS_F64 = BITS,
#define TO(A, id, ...) op_TO_##id = CAST,
    SCALARS(TO, )
#undef TO
    op_IF = {NULL, P_CHOICE, print_choice}, op_VDOT = {NULL, P_SUM, print_vdot};

static const Op *const ops[PRIM_COUNT] = {
#define OP(id, ...) [PRIM_##id] = &op_##id,
#include "prims.def"
    [PRIM_IF] = &op_IF, [PRIM_VDOT] = &op_VDOT,
};

static Op infix(PrimId id) { return *ops[id]; }

const char *printer_infix(Arena *arena, PrimId op)
{
    const char *text = ops[op] ? ops[op]->text : NULL;
    return text ? arena_strndup(arena, text + 1, strlen(text) - 2) : NULL;
}

static void print_expr(Printer *p, const Expr *e, int prec)
{
    switch (e->kind) {
    case X_LIT: print_literal(p, e, prec); return;
    case X_NAT:
        if (e->nat->is_const) {
            Expr lit = {.kind = X_LIT, .scalar = e->scalar, .width = 1};
            if (scalar_is_float(e->scalar)) lit.lit.f = (double)e->nat->value;
            else lit.lit.i = e->nat->value;
            print_literal(p, &lit, prec);
        } else if (e->scalar == SC_I32 && !p->b->long_index) {
            printer_nat(p, e->nat, prec);
        } else {
            if (prec > P_UNARY) buf_putc(p->out, '(');
            buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
            printer_nat(p, e->nat, P_ATOM);
            if (prec > P_UNARY) buf_putc(p->out, ')');
        }
        return;
    case X_LOAD: print_load(p, e, prec); return;
    case X_VEC: {
        bool splat = ALL(i, e->arg_count, expr_same(e->args[0], e->args[i]));
        vector_head(p, e->scalar, e->width, splat);
        for (int i = 0; i < (splat ? 1 : e->arg_count); i++) {
            if (i) buf_puts(p->out, ", ");
            if (e->scalar == SC_BOOL) buf_putc(p->out, '-');
            printer_expr(p, e->args[i], e->scalar == SC_BOOL ? P_UNARY : P_CHOICE);
        }
        buf_putc(p->out, ')');
        return;
    }
    case X_OP:
        if (!p->d->operation || !p->d->operation(p, e, prec)) {
            if (printer_may_wrap(p, e)) print_wrapping(p, e, prec);
            else ops[e->op]->print(p, e, prec);
        }
        return;
    case X_LANE:
        if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
        printer_expr(p, e->args[0], P_ATOM);
        print_lane(p, e->lane);
        return;
    case X_VALUE:
        for (int i = 0; i < p->b->value_count; i++)
            if (strcmp(p->b->values[i].name, e->name) == 0) p->values[i] = true;
        if (e->scalar == SC_F16 && p->half_stored) buf_printf(p->out, "vload_half(0, (const half *)&%s)", e->name);
        else buf_puts(p->out, e->name);
        return;
    }
}

static void spaces(Buf *out, size_t n)
{
    static const char blanks[] = "                                                                ";
    for (; n > sizeof blanks - 1; n -= sizeof blanks - 1) buf_write(out, blanks, sizeof blanks - 1);
    buf_write(out, blanks, n);
}

static void line(Printer *p) { spaces(p->out, 4 * (size_t)p->indent); }

enum { COLUMNS = 110 };

/* Where to break the text so that at most room characters stay: after a comma or before an operator, as little inside
 * brackets as can be, rather at a comma, as late as can be; 0: nowhere. */
static size_t break_at(const char *text, size_t room)
{
    size_t best = 0;
    int depth = 0, best_cost = INT_MAX;
    for (size_t i = 1; text[i] && i < room; i++) {
        if (text[i] > ']') continue;               /* letters, as most are */
        if (text[i] == '(' || text[i] == '[') depth++;
        if (text[i] == ')' || text[i] == ']') depth--;
        if (text[i] != ' ') continue;
        bool comma = text[i - 1] == ',', operator = text[i + 1] && strchr("+-*&|?:", text[i + 1]) && text[i + 2] != '=';
        int cost = 2 * depth + !comma;
        if (!(comma || operator) || cost > best_cost) continue;
        best = i;
        best_cost = cost;
    }
    return best;
}

/* The statement that starts there is too long: it goes on in lines of its own, further in. */
static void wrap(Printer *p, size_t start)
{
    size_t indent = 4 * (size_t)p->indent, room = COLUMNS - indent - 8, left = p->out->len - start - indent, n;
    const char *text = arena_strndup(p->b->arena, p->out->data + start + indent, left);
    p->out->len = start + indent;
    for (; left > room && (n = break_at(text, room)); text += n + 1, left -= n + 1) {
        buf_write(p->out, text, n);
        buf_putc(p->out, '\n');
        spaces(p->out, indent + 8);
    }
    buf_write(p->out, text, left);
}

void printer_stored(Printer *p, const Expr *e, const Place *q)
{
    bool mask = e->scalar == SC_BOOL && !q->lane && q->width > 1 && q->buf->space != SPACE_PRIVATE;
    if (mask && e->width == 1) {
        vector_head(p, SC_U8, q->width, true);
        printer_expr(p, e, P_TOP);
        buf_putc(p->out, ')');
    } else if (mask) {
        p->d->convert(p, p->d->scalars[SC_U8], e->width);
        print_ones(p, e->width);
        printer_mask(p, e, e->width, 32, P_TOP);
        buf_puts(p->out, "))");
    } else if (e->kind == X_OP && e->op == PRIM_TO_F16 && e->width == q->width && printer_keeps_half(p, q->buf)) {
        printer_unrounded(p, e);
    } else {
        printer_as(p, e, q->lane ? 1 : q->width, P_TOP);
    }
}

/* x of `place = place + x`, likewise - and *; NULL for any other statement. */
static const Expr *in_place_operand(const Stmt *s, bool wraps)
{
    const Expr *e = s->value;
    if (e->kind != X_OP || (e->op != PRIM_ADD && e->op != PRIM_SUB && e->op != PRIM_MUL)) return NULL;
    if (wraps && e->width > 1) return NULL;                   /* C converts no vectors */
    const Expr *a = e->args[0];
    return a->kind == X_LOAD && place_same(&a->place, &s->place) && a->width == e->width ? e->args[1] : NULL;
}

/* Where it is read in one piece: a load, or a vector of neighbours; NULL: it is neither. */
static const Place *piece_of(const Printer *p, const Expr *e)
{
    if (e->kind == X_LOAD) return &e->place;
    const Place *first = e->kind == X_VEC && e->args[0]->kind == X_LOAD ? &e->args[0]->place : NULL;
    for (int i = 0; first && i < e->arg_count; i++) {
        const Expr *lane = e->args[i];
        if (lane->kind != X_LOAD || lane->place.buf != first->buf || lane->width != 1 || !lane->place.at) return NULL;
        const Nat *step = nat_sub(p->b->n, lane->place.at, first->at);
        if (!step || !step->is_const || step->value != i) return NULL;
    }
    return first;
}

/* An asynchronous copy of 16 bytes, as a call. False: it is none. */
static bool copied_apart(Printer *p, const Stmt *s)
{
    const Place *to = &s->place, *from = s->async && plan_has_units(p->b) ? piece_of(p, s->value) : NULL;
    if (!from || from->buf->space != SPACE_GLOBAL || from->buf->image_of) return false;
    const Nat *w = nat_const(p->b->n, to->width);
    if (to->buf->scalar != from->buf->scalar || to->width * scalar_bytes(to->buf->scalar) != 16 || s->value->width != to->width
        || !nat_divides(p->b->n, w, to->at, p->b->facts) || !nat_divides(p->b->n, w, from->at, p->b->facts)) return false;
    printer_use(p, from->buf, false);
    buf_puts(p->out, "lathe_copy16(");
    printer_address(p, to);
    buf_puts(p->out, ", ");
    printer_address(p, from);
    buf_puts(p->out, ");\n");
    return p->b->needs.uses_copies = true;
}

static void store(Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    printer_use(p, q->buf, true);
    line(p);
    if (copied_apart(p, s)) return;
    if (printer_keeps_half(p, q->buf) || q->buf->image_of || (q->buf->space != SPACE_PRIVATE && q->width > 1)) {
        p->d->store(p, s,
                    s->stream && q->buf->scalar != SC_BOOL && q->width != 3 && !printer_keeps_half(p, q->buf)
                        && nat_divides(p->b->n, nat_const(p->b->n, q->width), q->at, p->b->facts));
        buf_puts(p->out, ";\n");
        return;
    }
    /* The type in front of the first store to an element that waits for it. */
    bool *undeclared = p->undeclared[q->buf->id];
    int64_t at = undeclared ? printer_own(p, q)->number : -1;
    if (at >= 0 && undeclared[at]) {
        undeclared[at] = false;
        printer_type(p, q->buf->scalar, q->buf->width);
        buf_putc(p->out, ' ');
    }
    printer_place(p, q);
    bool wraps = printer_may_wrap(p, s->value);
    const Expr *step = in_place_operand(s, wraps);
    buf_puts(p->out, !step ? " = " : s->value->op == PRIM_ADD ? " += " : s->value->op == PRIM_SUB ? " -= " : " *= ");
    if (step) printer_lanewise(p, s->value->op, s->value->scalar, s->value->width);
    if (step && wraps) print_unsigned(p, step, step->width, P_TOP, false);
    else if (step) printer_as(p, step, s->value->width, P_TOP);
    else printer_stored(p, s->value, q);
    buf_puts(p->out, ";\n");
}

/* Do the statements from s on give every element of buf, in order, a first value? */
static bool sets_elements(Printer *p, const Stmt *s, const Buffer *buf)
{
    for (int64_t i = 0; i < buf->own_count; i++, s = s->next) {
        if (!s || s->kind != S_STORE || s->place.buf != buf || s->place.lane || expr_reads(s->value, buf)) return false;
        if (printer_own(p, &s->place)->number != i) return false;
    }
    return true;
}

/* Is each element first mentioned as the target of a store behind s, in the same block? Then that store declares it. */
static bool declared_by_stores(Printer *p, const Stmt *s, const Buffer *buf)
{
    bool *undeclared = NEW_ARRAY(p->b->arena, bool, buf->own_count);
    int64_t left = buf->own_count;
    for (int64_t i = 0; i < left; i++) undeclared[i] = true;
    for (s = s->next; s && left; s = s->next) {
        if (!stmt_mentions(s, buf)) continue;
        if (s->kind != S_STORE || s->place.buf != buf || s->place.lane || expr_reads(s->value, buf)) return false;
        int64_t at = printer_own(p, &s->place)->number;
        if (at < 0 || !undeclared[at]) return false;
        undeclared[at] = false;
        left--;
    }
    for (int64_t i = 0; i < buf->own_count; i++) undeclared[i] = true;
    p->undeclared[buf->id] = left ? NULL : undeclared;
    return !left;
}

/* The declaration of a private buffer, with its first value when that comes next. Returns the last statement used. */
static const Stmt *print_alloc(Printer *p, const Stmt *s)
{
    const Buffer *buf = s->buf;
    const Stmt *n = s->next;
    bool one = !buf->rank || (buf->split && buf->own_count == 1);
    if (one && n && n->kind == S_STORE && n->place.buf == buf && !n->place.lane) {
        line(p);
        printer_type(p, buf->scalar, buf->width);
        buf_putc(p->out, ' ');
        buf_puts(p->out, buf->name);
        buf_puts(p->out, " = ");
        printer_stored(p, n->value, &n->place);
        buf_puts(p->out, ";\n");
        return n;
    }
    if (buf->rank && buf->split) {
        /* The elements, with their first values when these come next. Returns the last statement used. */
        size_t start = p->out->len;
        bool set = sets_elements(p, s->next, buf);
        const Expr *first = set ? s->next->value : NULL;
        bool short_values = set && (first->kind == X_LIT || (first->kind == X_VEC && first->args[0]->kind == X_LIT));
        if (!short_values && declared_by_stores(p, s, buf)) return s;
        line(p);
        printer_type(p, buf->scalar, buf->width);
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
            printer_stored(p, s->value, &s->place);
        }
        buf_puts(p->out, ";\n");
        return s;
    }
    line(p);
    printer_type(p, buf->scalar, buf->width);
    buf_printf(p->out, " %s", buf->name);
    if (buf->rank) buf_printf(p->out, "[%lld]", (long long)buf->own_count);
    buf_puts(p->out, ";\n");
    return s;
}

static void printer_block(Printer *p, const Block *blk);

/* A line; one that opens a block ends in { and all after it stand further in, up to close. */
static void PRINTF_LIKE(2, 3) put_line(Printer *p, const char *fmt, ...)
{
    line(p);
    WITH_ARGS(fmt, ap, buf_vprintf(p->out, fmt, ap));
    buf_putc(p->out, '\n');
    p->indent += fmt[strlen(fmt) - 1] == '{';
}

static void close(Printer *p)
{
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
    const Block *rest = p->rest == &s->body || p->rest == &s->other ? p->rest : NULL;
    bool swap = rest ? rest == &s->body : !s->body.first && s->other.first, both = false;
    if (!s->body.first && !s->other.first) return;
    line(p);
    buf_puts(p->out, swap ? "if (!" : "if (");
    for (; !swap && !rest && only_if(s); s = only_if(s)) {
        printer_expr(p, s->value, P_AND);
        buf_puts(p->out, " && ");
        both = true;
    }
    printer_expr(p, s->value, swap ? P_UNARY : both ? P_AND : P_TOP);
    buf_puts(p->out, ") {\n");
    p->indent++;
    printer_block(p, swap ? &s->other : &s->body);
    if (rest || (!swap && s->other.first)) {
        p->indent--;
        put_line(p, "} else {");
        if (rest) put_line(p, "break;");
        else printer_block(p, &s->other);
    }
    close(p);
}

static void print_wait(Printer *p, const Stmt *s)
{
    if (!p->b->needs.uses_copies) return;
    if (s->pending < 0) put_line(p, "lathe_copies_sent();");
    else put_line(p, "lathe_copies_wait(%d);", s->pending);
}

/* What a word of a fragment is made of: its bits as they are, rounded to TF32, or what rounding leaves. */
static const char *taken(const Fragments *f, int at) { return !f->rest ? "" : f->rest[at] ? "lathe_tf32_rest" : "lathe_tf32_bits"; }

/* Fragments of a step, to an array of words. raw: floats as they are. */
static void print_fragments(Printer *p, const Fragments *f, const char *array, int step, int steps, bool raw)
{
    int count = f->count / steps, width = 4 / scalar_bytes(f->at->buf->scalar);
    for (int i = 0; i < count; i += f->load == LOAD_EACH ? width : 1) {
        const Place *at = &f->at[step * count + i];
        const char *take = raw ? "" : taken(f, step * count + i);
        line(p);
        if (f->load != LOAD_EACH) {
            buf_printf(p->out, "%s%s(%s + %d, ", *take ? take : "lathe_pieces", *take ? "_pieces" : f->load == LOAD_COLUMNS ? "_turned" : "", array, 4 * i);
            printer_address(p, at);
            buf_puts(p->out, ");\n");
            continue;
        }
        buf_printf(p->out, "%s[%d] = ", array, i / width);
        if (*take) {
            buf_printf(p->out, "%s(", take);
            printer_place(p, at);
            buf_puts(p->out, ");\n");
            continue;
        }
        if (raw) {
            p->d->bits(p, SC_F32, false);
            printer_place(p, at);
            buf_puts(p->out, ");\n");
            continue;
        }
        for (int e = 0; e < width; e++) {
            buf_printf(p->out, "%s%s", e ? " | (" : "", p->d->word_16);
            printer_address(p, at + e);
            buf_puts(p->out, e ? ")) << 16" : ")");
        }
        buf_puts(p->out, ";\n");
    }
}

static void print_products(Printer *p, const Unit *u, const char *rows, const char *columns)
{
    for (int i = 0; i < u->rows; i++)
        for (int j = 0; j < u->columns; j++) {
            line(p);
            buf_printf(p->out, "lathe_mma_%s(", u->scalar == SC_F32 ? "tf32" : scalar_name(u->scalar));
            for (int e = 0; e < 4; e++) {
                buf_putc(p->out, '&');
                printer_place(p, &u->sums[4 * (i * u->columns + j) + e]);
                buf_puts(p->out, ", ");
            }
            buf_printf(p->out, "%s + %d, %s + %d);\n", rows, 4 * i, columns, 2 * j);
        }
}

/* Do both steps take the same floats, each in one way? */
static bool same_floats(const Fragments *f, int step, int other, int steps)
{
    int n = f->count / steps;
    return f->rest && ALL(i, n, place_same(&f->at[step * n + i], &f->at[other * n + i]) && f->rest[step * n + i] == f->rest[step * n]
                                && f->rest[other * n + i] == f->rest[other * n]);
}

/* A step, and with it later ones of the same floats: these are read once, and each is taken apart once. False: there are none. */
static bool print_parts(Printer *p, const Unit *u, int step, bool *done)
{
    static const char *const rows[] = {"lathe_a", "lathe_a_rest"}, *const columns[] = {"lathe_b", "lathe_b_rest"};
    int *with = NEW_ARRAY(p->b->arena, int, u->steps), n = 0;
    for (int t = step; t < u->steps; t++)
        if (t == step || (same_floats(&u->a, step, t, u->steps) && same_floats(&u->b, step, t, u->steps))) with[n++] = t;
    if (n < 2) return false;
    print_fragments(p, &u->a, rows[0], step, u->steps, true);
    print_fragments(p, &u->b, columns[0], step, u->steps, true);
    for (int i = 0; i < 4 * u->rows; i++) put_line(p, "lathe_tf32_parts(%s + %d, %s + %d);", rows[0], i, rows[1], i);
    for (int i = 0; i < 2 * u->columns; i++) put_line(p, "lathe_tf32_parts(%s + %d, %s + %d);", columns[0], i, columns[1], i);
    for (int k = 0; k < n; k++) {
        done[with[k]] = true;
        print_products(p, u, rows[u->a.rest[with[k] * u->a.count / u->steps]], columns[u->b.rest[with[k] * u->b.count / u->steps]]);
    }
    return true;
}

static void print_unit(Printer *p, const Stmt *s)
{
    const Unit *u = s->unit;
    if (u) {
        bool *done = NEW_ARRAY(p->b->arena, bool, u->steps), parts = u->a.rest && ANY(i, u->a.count, u->a.rest[i]);
        int rows = 4 * u->rows, columns = 2 * u->columns;
        buf_printf(p->out, "#if %s\n", p->d->ptx->condition);
        put_line(p, "{");
        put_line(p, "%s lathe_a[%d], lathe_b[%d];", p->d->scalars[SC_U32], rows, columns);
        if (parts) put_line(p, "%s lathe_a_rest[%d], lathe_b_rest[%d];", p->d->scalars[SC_U32], rows, columns);
        for (int step = 0; step < u->steps; step++) {
            if (done[step] || (parts && print_parts(p, u, step, done))) continue;
            print_fragments(p, &u->a, "lathe_a", step, u->steps, false);
            print_fragments(p, &u->b, "lathe_b", step, u->steps, false);
            print_products(p, u, "lathe_a", "lathe_b");
        }
        close(p);
        buf_puts(p->out, "#else\n");
    }
    printer_block(p, &s->body);
    if (u) buf_puts(p->out, "#endif\n");
}

void printer_rounds_begin(Buf *out, int indent, const Rounds *r)
{
    buf_printf(out, "%*s%s %s, %s, %s = %s(%s, 0, 0);\n", indent, "", r->word, r->held, r->next, r->seen, r->function, r->at);
    buf_printf(out, "%*sdo {\n%*s%s = %s;\n", indent, "", indent + 4, "", r->held, r->seen);
}

void printer_rounds_end(Buf *out, int indent, const Rounds *r)
{
    buf_printf(out, "%*s%s = %s == %s ? %s : %s(%s, %s, %s);\n", indent + 4, "", r->seen, r->next, r->held, r->held, r->function, r->at, r->held, r->next);
    buf_printf(out, "%*s} while (%s != %s);\n", indent, "", r->seen, r->held);
}

static void print_atomic(Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    const Atomic *a = s->atomic;
    const char *function = p->d->atomic(a->op, q->buf->scalar, q->buf->space);
    if (a->op == PRIM_ADD && scalar_is_float(q->buf->scalar)) p->b->needs.float_sums[q->buf->space] |= q->buf->scalar == SC_F64 ? 2 : 1;
    printer_use(p, q->buf, true);
    printer_use(p, q->buf, false);
    size_t start = p->out->len;
    if (a->op != PRIM_COUNT) {
        line(p);
        buf_printf(p->out, "%s(&", function);
        printer_place(p, q);
        buf_puts(p->out, ", ");
        printer_stored(p, s->value, q);
        buf_puts(p->out, ");\n");
        if (p->out->len - start > COLUMNS) wrap(p, start);
        return;
    }
    LOCAL(buf_free) Buf at = {0};
    Buf *out = p->out;
    p->out = &at;
    p->d->word(p, q);
    p->out = out;
    const Rounds rounds = {.word = printer_word(p->d, q->buf->scalar), .function = function, .at = buf_text(&at), .held = a->held, .next = a->next,
                           .seen = a->seen};
    printer_rounds_begin(p->out, 4 * p->indent, &rounds);
    p->indent++;
    line(p);
    buf_printf(p->out, "%s = ", a->old->name);
    p->d->bits(p, q->buf->scalar, true);
    buf_printf(p->out, "%s);\n", a->held);
    printer_block(p, &s->body);
    line(p);
    buf_printf(p->out, "%s = ", a->next);
    p->d->bits(p, q->buf->scalar, false);
    printer_stored(p, s->value, q);
    buf_puts(p->out, ");\n");
    p->indent--;
    printer_rounds_end(p->out, 4 * p->indent, &rounds);
}

static void print_fence(Printer *p)
{
    line(p);
    p->d->barrier(p, &(Stmt){.kind = S_BARRIER, .local_fence = true});
    buf_puts(p->out, ";\n");
}

/* A word of a group in LookBack.status, up to what it is compared with; group: its number, as text. */
static void print_told(Printer *p, const LookBack *k, const char *group, int word)
{
    buf_printf(p->out, "%s((%s%s%s *)&%s[", p->d->atomic(PRIM_COUNT, SC_I64, SPACE_GLOBAL), *p->d->global ? "volatile " : "",      /* what OpenCL's functions take */
               p->d->global, p->d->scalars[SC_U64], k->status->name);
    if (k->words > 1) buf_printf(p->out, "%d*(%s)", k->words, group);
    else buf_puts(p->out, group);
    if (word) buf_printf(p->out, " + %d", word);
    buf_puts(p->out, "], ");
}

/* A word that is looked at together with others: of this place, by name. */
static const char *window_word(Printer *p, const Stmt *s, const char *place, int word)
{
    int n = s->look->words;
    return n == 1 ? arena_printf(p->b->arena, "%s[%s]", s->place.buf->name, place)
         : word ? arena_printf(p->b->arena, "%s[%d*%s + %d]", s->place.buf->name, n, place, word)
         : arena_printf(p->b->arena, "%s[%d*%s]", s->place.buf->name, n, place);
}

/* The bits of a scalar as a number without a sign, up to the scalar; or back, up to the bits. */
static void print_bits(Printer *p, Scalar s, bool back)
{
    if (scalar_bytes(s) >= 4) p->d->bits(p, s, back);
    else buf_printf(p->out, "(%s)(", p->d->scalars[back ? s : SC_U32]);
}

/* The state, and of a scalar the lower 32 bits or the upper ones, as a word. */
static void print_word(Printer *p, const char *state, const Buffer *scalar, bool upper)
{
    buf_printf(p->out, "(%s)%s << 32 | ", p->d->scalars[SC_U64], state);
    if (look_words(scalar->scalar) > 1 && !upper) buf_printf(p->out, "(%s)", p->d->scalars[SC_U32]);
    print_bits(p, scalar->scalar, false);
    buf_printf(p->out, "%s)%s", scalar->name, upper ? " >> 32" : "");
}

/* One work-item tells the group's sum, as long as it had told `before` (NULL: nothing). */
static void print_tell(Printer *p, const LookBack *k, const char *group, Buffer *const *before, const char *state, Buffer *const *sums)
{
    for (int i = 0, word = 0; i < k->count; i++)
        for (int half = 0; half < look_words(sums[i]->scalar); half++) {
            line(p);
            print_told(p, k, group, word++);
            if (before) print_word(p, "1", before[i], half);
            else buf_puts(p->out, "0");
            buf_puts(p->out, ", ");
            print_word(p, state, sums[i], half);
            buf_puts(p->out, ");\n");
        }
    close(p);
}

static void print_look_back(Printer *p, const Stmt *s)
{
    const LookBack *k = s->look;
    const char *word = p->d->scalars[SC_U64];
    Buf text = {0}, *out = p->out;
    printer_use(p, k->status, true);
    printer_use(p, k->status, false);
    p->out = &text;
    printer_nat(p, k->group, P_TOP);
    const char *group = buf_take(&text, p->b->arena);
    text = (Buf){0};
    p->d->id(p, ID_LOCAL, 0);
    for (int d = 1; d < 3; d++)
        if (p->k->local[d] > 1) {
            buf_puts(p->out, " + ");
            p->d->id(p, ID_LOCAL, d);
            buf_printf(p->out, " * %d", p->k->local[0] * (d > 1 ? p->k->local[1] : 1));
        }
    const char *item = buf_take(&text, p->b->arena);
    p->out = out;
    put_line(p, "{");
    put_line(p, "int %s = (int)(%s), %s = %s - 1, %s = %s >= 0;", k->item, item, k->near, group, k->more, k->near);
    put_line(p, "if (%s == 0) {", k->item);
    print_tell(p, k, group, NULL, arena_printf(p->b->arena, "(%s ? 1 : 2)", k->more), k->own);
    put_line(p, "while (%s) {", k->more);
    print_fence(p);
    /* The first work-items look each at one of the next groups, until it has told all words of one sum; those before the first group see
     * nothing that matters, and no more behind it. */
    put_line(p, "if (%s < %d) {", k->item, k->width);
    for (int i = 0; i < k->words; i++) put_line(p, "%s %s = (%s)2 << 32;", word, k->word[i], word);
    put_line(p, "if (%s <= %s) do {", k->item, k->near);
    for (int i = 0; i < k->words; i++) {
        line(p);
        buf_printf(p->out, "%s = ", k->word[i]);
        print_told(p, k, arena_printf(p->b->arena, "%s - %s", k->near, k->item), i);
        buf_puts(p->out, "0, 0);\n");
    }
    p->indent--;
    line(p);
    buf_printf(p->out, "} while (%s >> 32 == 0", k->word[0]);
    for (int i = 1; i < k->words; i++) buf_printf(p->out, " || %s >> 32 != %s >> 32", k->word[i], k->word[0]);
    buf_puts(p->out, ");\n");
    for (int i = 0; i < k->words; i++) put_line(p, "%s = %s;", window_word(p, s, k->item, i), k->word[i]);
    close(p);
    print_fence(p);
    /* All work-items combine what was seen, from near to far, up to the first that knows all before itself. */
    put_line(p, "for (int %s = 0; %s && %s < %d; %s++) {", k->back, k->more, k->back, k->width, k->back);
    for (int i = 0, at = 0; i < k->count; i++) {
        bool two = look_words(k->seen[i]->scalar) > 1;
        line(p);
        buf_printf(p->out, "%s = ", k->seen[i]->name);
        print_bits(p, k->seen[i]->scalar, true);
        if (two) buf_printf(p->out, "%s << 32 | ", window_word(p, s, k->back, at + 1));
        buf_printf(p->out, "(%s)%s);\n", p->d->scalars[SC_U32], window_word(p, s, k->back, at));
        at += 1 + two;
    }
    printer_block(p, &s->body);
    put_line(p, "%s = %s >> 32 == 1;", k->more, window_word(p, s, k->back, 0));
    close(p);
    put_line(p, "%s -= %d;", k->near, k->width);
    close(p);
    printer_block(p, &s->other);
    put_line(p, "if (%s == 0 && %s > 0) {", k->item, group);
    print_tell(p, k, group, k->own, "2", k->all);
    print_fence(p);
    close(p);
}

static void mark_origin(Printer *p, const struct Path *at)
{
    OriginMark mark = {p->out->len, at};
    if (p->b->options->origins) vec_push(&p->origins, mark);
}

/* What else must hold that a loop goes on. */
static void print_while(Printer *p, const Expr *cond)
{
    if (!cond || (cond->width > 1 && !p->d->any)) return;
    buf_puts(p->out, " && ");
    if (cond->width > 1) printer_put(p->out, (const char *[]){p->d->any, "(", NULL});
    printer_expr(p, cond, cond->width > 1 ? P_TOP : P_AND);
    if (cond->width > 1) buf_putc(p->out, ')');
}

static void printer_block(Printer *p, const Block *blk)
{
    const struct Path *around = p->within;
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (p->b->options->origins) p->within = s->origin ? origin_place(p->b, s->origin, around) : NULL;
        mark_origin(p, p->within);
        switch (s->kind) {
        case S_STORE: {
            size_t start = p->out->len;
            store(p, s);
            if (p->out->len - start > COLUMNS) wrap(p, start);
            break;
        }
        case S_ALLOC: s = print_alloc(p, s); break;
        case S_FOR: {
            if (s->unrolled) line(p), buf_puts(p->out, "#pragma unroll\n");
            line(p);
            printer_put(p->out, (const char *[]){"for (", printer_index_type(p->b), " ", s->counter, " = ", NULL});
            printer_nat(p, s->from, P_TOP);
            printer_put(p->out, (const char *[]){"; ", s->counter, " < ", NULL});
            printer_nat(p, s->limit, P_SHIFT);
            print_while(p, loop_while(p->k, s));
            printer_put(p->out, (const char *[]){"; ", s->counter, NULL});
            if (s->step->is_const && s->step->value == 1) {
                buf_puts(p->out, "++");
            } else {
                buf_puts(p->out, " += ");
                printer_nat(p, s->step, P_TOP);
            }
            buf_puts(p->out, ") {\n");
            p->indent++;
            const Block *rest = p->rest;
            p->rest = loop_rests(p->k, s);
            printer_block(p, &s->body);
            p->rest = rest;
            close(p);
            break;
        }
        case S_IF: print_if(p, s); break;
        case S_BARRIER:
            line(p);
            p->d->barrier(p, s);
            buf_puts(p->out, ";\n");
            break;
        case S_WAIT: print_wait(p, s); break;
        case S_UNIT: print_unit(p, s); break;
        case S_ATOMIC: print_atomic(p, s); break;
        case S_LOOK_BACK: print_look_back(p, s); break;
        }
    }
    p->within = around;
    mark_origin(p, NULL);
}

/* ---- the kernel around the body ---- */

static void add_buffers(Printer *p, PlanKernel *k, PlanBufferKind kind, int input)
{
    for (int i = 0; i < p->b->plan_buffers.n; i++) {
        const PlanBuffer *pb = &p->b->plan_buffers.v[i];
        if (!p->buffers[i] || pb->kind != kind || (input >= 0 && pb->input != input)) continue;
        k->args[k->arg_count++] = (PlanArg){.kind = PLAN_ARG_BUFFER, .name = pb->name, .buffer = i, .input = pb->input, .part = pb->part,
                                            .scalar = pb->scalar, .written = p->written[i]};
        p->b->plan_buffers.v[i].written |= kind == PLAN_IMAGE && p->written[i];
    }
}

static void list_args(Printer *p, PlanKernel *k)
{
    Build *b = p->b;
    k->args = NEW_ARRAY(b->arena, PlanArg, b->plan_buffers.n + b->value_count + b->sizes.n);
    for (int in = 0; in < b->options->input_count; in++) {
        add_buffers(p, k, PLAN_INPUT, in);
        for (int i = 0; i < b->value_count; i++)
            if (b->values[i].input == in && p->values[i]) k->args[k->arg_count++] = b->values[i];
    }
    for (int kind = PLAN_OUTPUT; kind <= PLAN_IMAGE; kind++) add_buffers(p, k, (PlanBufferKind)kind, -1);
    for (int i = 0; i < b->sizes.n; i++) {
        const NatAtom *var = b->sizes.v[i];
        if (!p->sizes[i]) continue;
        PlanArg a = {.kind = PLAN_ARG_SIZE, .name = b->size_names.v[i]};
        if (var->var == VAR_SIZE) a.size = nat_var(b->n, var->name, VAR_SIZE, NULL, NULL);
        else {
            int loop = 0;
            while (b->rounds.v[loop] != var) loop++;
            a.kind = PLAN_ARG_ROUND, a.loop = loop;
        }
        k->args[k->arg_count++] = a;
    }
}

static bool is_temp(const Printer *p, const PlanArg *a)
{
    return a->kind == PLAN_ARG_BUFFER && p->b->plan_buffers.v[a->buffer].kind == PLAN_TEMP;
}
static bool is_reloaded(const Printer *p, const PlanArg *a) { return p->written[a->buffer] && p->read[a->buffer]; }

/* Lines of 80 columns: a signature is what is read first, in a terminal. */
static void print_args(Printer *p, const PlanKernel *k, size_t indent)
{
    enum { SIGNATURE = 80 };
    size_t start = p->out->len - indent;
    bool moves = k->private_array || ANY(i, k->arg_count, is_temp(p, &k->args[i]) && is_reloaded(p, &k->args[i]));
    for (int i = 0; i < k->arg_count; i++) {
        const PlanArg *a = &k->args[i];
        PlanBufferKind kind = a->kind == PLAN_ARG_BUFFER ? p->b->plan_buffers.v[a->buffer].kind : PLAN_INPUT;
        /* A temporary that the kernel stores and loads again, and what it moves to one, or to a private array, and back. PoCL 3.1
         * (LLVM 15) moves such loads before the stores of a restrict pointer when both are unrolled and in another order, and drops such
         * stores (tests/unit/test_run.c, test_shuffled_temporary; tests/cases/total.t). */
        bool reloaded = a->kind == PLAN_ARG_BUFFER && is_reloaded(p, a) && (kind == PLAN_TEMP || (kind != PLAN_IMAGE && moves));
        char text[200];
        if (kind == PLAN_IMAGE)
            snprintf(text, sizeof text, "%s%s%s", a->written ? "write_only " : "read_only ", p->d->image, a->name);
        else if (a->kind == PLAN_ARG_BUFFER)
            snprintf(text, sizeof text, "%s%s%s *%s%s", p->written[a->buffer] ? "" : "const ", p->d->global,
                     printer_memory(p->d, a->scalar), reloaded ? "" : p->d->restricted, a->name);
        else
            snprintf(text, sizeof text, "%s %s", a->kind >= PLAN_ARG_SIZE ? printer_index_type(p->b)
                     : printer_memory(p->d, a->scalar == SC_F16 && p->half_stored ? SC_U16 : a->scalar), a->name);
        if (i) buf_puts(p->out, ",");
        if (i && p->out->len - start + strlen(" ,") + strlen(text) > SIGNATURE) {
            buf_printf(p->out, "\n%*s", (int)indent, "");
            start = p->out->len - indent;
        } else if (i) {
            buf_putc(p->out, ' ');
        }
        buf_puts(p->out, text);
    }
}

/* The floats that a kernel has, and whether it computes with halves. */
typedef struct FloatUse { bool f64, f16, rounds_f16; } FloatUse;

static void note_scalar(FloatUse *use, Scalar s) { use->f64 |= s == SC_F64, use->f16 |= s == SC_F16; }

static void note_expr_scalars(FloatUse *use, const Expr *e)
{
    note_scalar(use, e->scalar);
    use->rounds_f16 |= e->kind == X_OP && e->scalar == SC_F16 && prim_rounds(e->op);
    for (int i = 0; i < e->arg_count; i++) note_expr_scalars(use, e->args[i]);
}

static void note_scalars(FloatUse *use, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->value) note_expr_scalars(use, s->value);
        if (s->buf) note_scalar(use, s->buf->scalar);
        if (s->kind == S_STORE || s->kind == S_ATOMIC) note_scalar(use, s->place.buf->scalar);
        if (!stmt_has_bodies(s)) continue;
        note_scalars(use, &s->body);
        note_scalars(use, &s->other);
    }
}

/* Has the kernel an image of buffer `of`, or that buffer, besides image i? */
static bool has_besides(const Printer *p, int i, int of)
{
    for (int k = 0; k < p->b->plan_buffers.n; k++)
        if (p->buffers[k] && k != i && (k == of || (p->b->plan_buffers.v[k].kind == PLAN_IMAGE && p->b->plan_buffers.v[k].of == of))) return true;
    return false;
}

enum { ROOM = 16 << 10 };                /* bytes that many a kernel needs */

void printer_kernel(Build *b, Kernel *k, PlanKernel *out)
{
    Buf body = {0}, text = {0};
    Printer p = {.b = b, .d = b->dialect, .k = k, .out = &body, .indent = 1};
    p.rows.arena = b->arena;
    p.buffers = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.written = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.read = NEW_ARRAY(b->arena, bool, b->plan_buffers.n);
    p.values = NEW_ARRAY(b->arena, bool, b->value_count);
    p.sizes = NEW_ARRAY(b->arena, bool, b->sizes.n);
    p.undeclared = NEW_ARRAY(b->arena, bool *, b->buffer_ids);
    p.own = NEW_ARRAY(b->arena, struct OwnElement, k->element_count);
    if (!b->said) b->said = NEW_ARRAY(b->arena, struct Said, b->said_count = b->expr_ids);
    FloatUse use = {false, false, false};
    if (b->needs.made[SC_F64] || b->needs.made[SC_F16]) note_scalars(&use, &k->body);
    p.half_stored = b->dialect->stores_half && !use.rounds_f16;
    b->needs.uses_f64 |= use.f64;
    b->needs.uses_f16 |= use.f16 && !p.half_stored;
    buf_reserve(&body, ROOM);
    printer_block(&p, &k->body);
    buf_puts(&body, "}\n");
    list_args(&p, out);
    /* An image has its content before the kernel starts, or all that the kernel writes of its buffer goes to it. */
    for (int i = 0; i < out->arg_count; i++) {
        const PlanArg *a = &out->args[i];
        const PlanBuffer *all = p.b->plan_buffers.v, *image = a->kind == PLAN_ARG_BUFFER ? &all[a->buffer] : NULL;
        if (!image || image->kind != PLAN_IMAGE) continue;
        if (!*p.d->image)
            build_fail(p.b, E53, p.k->root, "%s has %s, and kernels in %s have no images: take toImage and toGlobalImage "
                       "away", p.k->name, image->name, p.d->title);
        else if (p.written[a->buffer] && (p.read[a->buffer] || has_besides(&p, a->buffer, image->of)))
            build_fail(p.b, E53, p.k->root, "%s writes %s and reads what it makes there: a kernel reads no image that it "
                       "writes",
                       p.k->name, image->name);
        else if (p.written[image->of])
            build_fail(p.b, E53, p.k->root, "%s writes %s and reads its image: a kernel before has to make what is read, by "
                       "toGlobal outside of every parallel map", p.k->name, all[image->of].name);
    }
    p.out = &text;
    buf_reserve(&text, ROOM / 8);
    p.d->kernel(&p, out->name);
    size_t from = p.out->len;
    while (from && p.out->data[from - 1] != '\n') from--;
    print_args(&p, out, p.out->len - from);
    buf_puts(p.out, ")\n{\n");
    p.d->locals(&p, out);
    for (int kind = 0; kind < ID_KINDS; kind++)
        for (int d = 2; d >= 0; d--) {
            if (!p.k->ids_used[kind][d] || p.d->ids_given) continue;
            printer_put(p.out, (const char *[]){"    ", printer_index_type(p.b), " ", kernel_ids[kind][d], " = ", NULL});
            p.d->id(&p, (IdKind)kind, d);
            buf_puts(p.out, ";\n");
        }
    for (int i = 0; i < p.origins.n; i++) p.origins.v[i].offset += text.len;
    char *all = arena_raw(b->arena, text.len + body.len + 1);
    memcpy(mempcpy(all, buf_text(&text), text.len), buf_text(&body), body.len + 1);
    out->body = all;
    if (b->options->origins) origin_lines(b, out->body, p.origins.v, p.origins.n, out);
    free(p.origins.v);
    free(p.forms.v);
    buf_free(&body);
    buf_free(&text);
}

/* ---- the program ---- */

static void print_header(Build *b, const Plan *plan, Buf *out)
{
    const char *h = b->options->header;
    if (!h && !plan->fact_count && !plan->loop_count) return;
    buf_puts(out, "/*");
    for (const char *s = h; s && *s;) {
        size_t n = strcspn(s, "\n");
        buf_putc(out, ' ');
        buf_comment(out, s, n);
        buf_putc(out, '\n');
        s += n + (s[n] == '\n');
        if (*s) buf_puts(out, " *");
    }
    for (int i = 0; i < plan->loop_count; i++) {
        if (i || h) buf_puts(out, " *");
        const PlanLoop *l = &plan->loops[i];
        buf_printf(out, " loop: %s", plan->kernels[l->first].name);
        if (l->end > l->first + 1) buf_printf(out, " to %s", plan->kernels[l->end - 1].name);
        buf_puts(out, ", rounds: ");
        nat_print(l->rounds, 0, out);
        if (l->test >= 0) buf_printf(out, " at most, while %s", plan->buffers[l->test].name);
        for (int j = 0; j < l->state_count; j++) {
            const PlanState *s = &l->states[j];
            buf_printf(out, "%s %s is %s first, then the last %s", j ? "," : ";", plan->buffers[s->from].name,
                       plan->buffers[s->init].name, plan->buffers[s->to].name);
        }
        buf_putc(out, '\n');
    }
    int limits = 0;
    for (int i = 0; i < plan->fact_count; i++) {
        const PlanFact *f = &plan->facts[i];
        bool limit = f->fact.kind == FACT_LE && f->fact.b->is_const && f->fact.b->value == INT32_MAX;
        if (limit) buf_puts(out, limits++ ? ", " : i || h || plan->loop_count ? " * needs " : " needs ");
        else buf_puts(out, i || h || plan->loop_count ? " * needs " : " needs ");
        if (limit) {
            nat_print(f->fact.a, 0, out);
            continue;
        }
        fact_print(&f->fact, out);
        buf_printf(out, "  (%s)\n", f->who);
    }
    if (limits) buf_puts(out, " < 2147483648  (int indices)\n");
    buf_puts(out, " */\n");
}

const char *const plan_helpers[HELPER_COUNT] = {
    NAT_C_DIV, NAT_C_MOD, "lathe_div_int", "lathe_mod_int", "lathe_quot_int", "lathe_rem_int", "lathe_div_long", "lathe_mod_long",
    "lathe_quot_long", "lathe_rem_long",
};

const char *printer_program(Build *b, const Plan *plan)
{
    LOCAL(buf_free) Buf out = {0};
    print_header(b, plan, &out);
    if (out.len) buf_putc(&out, '\n');
    size_t head = out.len;
    b->dialect->head(b, &out);
    if (out.len > head) buf_putc(&out, '\n');
    /* Division of integers: of indices, whose divisors are positive, and of values, where the smallest number by -1
     * wraps. */
    for (int i = 0; i < HELPER_COUNT; i++) {
        bool wide = i < HELPER_INT ? b->long_index : i >= HELPER_LONG, rest = i & 1;
        bool floors = i < HELPER_INT || (i - HELPER_INT) % 4 < 2;
        const char *type = b->dialect->scalars[wide ? SC_I64 : SC_I32];
        if (!(b->needs.helpers & 1u << i)) continue;
        buf_printf(&out, "%s%s %s(%s a, %s b)\n{\n", b->dialect->function, type, plan_helpers[i], type, type);
        if (i >= HELPER_INT && rest) buf_puts(&out, "    if (b == -1) return 0;\n");
        else if (i >= HELPER_INT)
            buf_printf(&out, "    if (b == -1) return (%s)-(%s)a;\n", type, b->dialect->scalars[wide ? SC_U64 : SC_U32]);
        if (!floors) buf_puts(&out, rest ? "    return a % b;\n" : "    return a / b;\n");
        else if (rest) buf_printf(&out, "    %s r = a %% b;\n    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n", type);
        else buf_printf(&out, "    %s q = a / b;\n    return a %% b != 0 && (a < 0) != (b < 0) ? q - 1 : q;\n", type);
        buf_puts(&out, "}\n\n");
    }
    if (b->needs.uses_swizzle) {
        const char *type = b->dialect->scalars[b->long_index ? SC_I64 : SC_I32];
        buf_printf(&out, "%s%s lathe_swizzled(%s i, int over, int mask, int piece) { return i ^ (i >> over & mask) << piece; }\n\n", b->dialect->function, type, type);
    }
    b->dialect->helpers(b, plan, &out);
    if (!out.len && plan->kernel_count == 1) return plan->kernels[0].body;
    size_t room = out.len + 1;
    for (int i = 0; i < plan->kernel_count; i++) room += strlen(plan->kernels[i].body) + 1;
    char *text = arena_raw(b->arena, room), *end = mempcpy(text, buf_text(&out), out.len);
    for (int i = 0; i < plan->kernel_count; i++) {
        if (i) *end++ = '\n';
        end = stpcpy(end, plan->kernels[i].body);
    }
    return text;
}

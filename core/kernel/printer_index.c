/* printer_index: indices, offsets and places of buffers. */
#include "printer.h"

#include <stdlib.h>
#include <string.h>

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

/* A printed offset, or number. */
typedef struct Text {
    const Buffer *buf;
    const Nat *at;
    int prec;
    const char *text;
    size_t len;
} Text;

static void print_variable(void *data, const NatAtom *var, Buf *out);

/* C precedence of a Nat's text: nat_print_c speaks 0 5 6 9. */
static int nat_prec(int prec) { return prec <= P_SHIFT ? 0 : prec <= P_SUM ? 5 : prec <= P_PRODUCT ? 6 : 9; }

static const char *suffix(const Printer *p) { return p->b->long_index ? p->d->long_suffix : NULL; }

/* A size, or a size divided by what divides it. */
static void print_size(Printer *p, const NatAtom *var)
{
    const Lift *l = p->b->lift;
    for (int i = 0; i < l->count; i++) {
        if (l->back[i].var != var) continue;
        bool helpers = false;
        nat_print_c(p->b->n, l->back[i].value, nat_prec(P_ATOM), print_variable, p, p->out, &helpers, suffix(p));
        return;
    }
    for (int i = 0; i < p->b->sizes.n; i++)
        if (p->b->sizes.v[i] == var || (var->var == VAR_INDEX && p->b->sizes.v[i]->name == var->name)) p->sizes[i] = true;      /* its bound may be another */
    buf_puts(p->out, c_name(p->b, var->name));
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
    if (helpers) p->b->helpers |= 1u << HELPER_INDEX | 1u << (HELPER_INDEX + 1);
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
    while (p->forms.n <= form->id) vec_push(&p->forms, NULL);
    FormText *t = p->forms.v[form->id];
    if (t) return t;
    t = p->forms.v[form->id] = NEW(p->b->arena, FormText);
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

static bool print_step(Printer *p, const Nat *n)
{
    int64_t number;
    const Form *form = form_of(&p->k->forms, n, &number);
    return print_numbered(p, form, number);
}

void printer_nat(Printer *p, const Nat *n, int prec)
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

int64_t printer_own(Printer *p, const Place *q)
{
    if (!q->element) return 0;
    int64_t *own = &p->own[q->element->id];
    if (!*own) *own = 2 + find_own(p, q->element);
    return *own - 2;
}

static void print_element(Printer *p, const Place *q)
{
    const Buffer *buf = q->buf;
    if (!buf->rank) {
        buf_puts(p->out, buf->name);
    } else if (buf->split) {
        int64_t at = printer_own(p, q);
        buf_puts(p->out, buf->elements[at < 0 ? 0 : at]);
    } else {
        buf_puts(p->out, buf->name);
        buf_putc(p->out, '[');
        printer_nat(p, kernel_own_index(p->b, p->k, q), P_TOP);
        buf_putc(p->out, ']');
    }
}

static void print_private(Printer *p, const Place *q)
{
    const Buffer *buf = q->buf;
    bool pointer = q->lane && !q->lane->is_const;
    if (pointer && !p->d->lanes_in_array) buf_printf(p->out, "((%s *)&", printer_element(p, buf->scalar, buf->width));
    print_element(p, q);
    if (!q->lane || buf->width == 1) return;
    if (!pointer && !p->d->lanes_in_array) {
        buf_puts(p->out, ".s");
        buf_putc(p->out, "0123456789abcdef"[q->lane->value & 15]);
        return;
    }
    buf_puts(p->out, p->d->lanes_in_array ? ".s[" : ")[");
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

static void print_rows(Printer *p, const Nat *row, const Nat *stride)
{
    bool lone = content(row) > 1 && row->terms[row->term_count - 1].factor_count > 0;    /* 512*x, not 64*(8*x) */
    printer_nat(p, lone ? nat_mul(p->b->n, row, stride) : stride, lone ? P_SUM : P_PRODUCT);
    if (lone) return;
    buf_puts(p->out, "*(");
    printer_nat(p, row, P_TOP);
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
    if (at) printer_nat(p, at, prec > P_SUM ? P_TOP : prec);
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

/* Does the text of the offset follow from that of its form? Then it is printed. */
static bool print_by_form(Printer *p, const Buffer *buf, const Nat *at)
{
    int64_t number;
    size_t start = p->out->len;
    if (at->is_const && at->value >= 0 && buf->count->is_const) return buf_int(p->out, at->value), true;
    const Form *form = form_of(&p->k->forms, at, &number);
    if (print_pieces(p, buf, form, number, 0)) return true;
    p->out->len = start;
    return false;
}

static void print_offset(Printer *p, const Buffer *buf, const Nat *at, int prec)
{
    if (prec <= P_SUM && print_by_form(p, buf, at)) return;
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

void printer_address(Printer *p, const Place *q)
{
    buf_puts(p->out, q->buf->name);
    if (q->at->is_const && q->at->value == 0) return;
    buf_puts(p->out, " + ");
    print_offset(p, q->buf, q->at, P_SUM);
}

void printer_use(Printer *p, const Buffer *buf, bool write)
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
    buf_puts(p->out, q->buf->name);
    buf_putc(p->out, '[');
    print_offset(p, q->buf, q->at, P_TOP);
    buf_putc(p->out, ']');
}

/* printer_stmt: statements, with lines broken where they are too long. */
#include "printer.h"

#include <limits.h>
#include <string.h>

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
        spaces(p->out, first ? indent : indent + 8);
        buf_write(p->out, text, n ? n : strlen(text));
        if (!n) return;
        buf_putc(p->out, '\n');
        text += n + 1;
    }
}

void printer_stored(Printer *p, const Expr *e, const Place *q)
{
    bool mask = e->scalar == SC_BOOL && e->width > 1 && q->buf->space != SPACE_PRIVATE;
    if (mask) {
        p->d->convert(p, p->d->scalars[SC_U8], e->width);
        buf_puts(p->out, "abs(");                                     /* of 0 or -1; `& 1` is wrong on Oclgrind */
        printer_lanewise(p, PRIM_ABS, SC_I32, e->width);
        printer_mask(p, e, e->width, 32, P_TOP);
        buf_puts(p->out, "))");
    } else if (e->kind == X_OP && e->op == PRIM_TO_F16 && e->width == q->width && printer_keeps_half(p, q->buf)) {
        printer_unrounded(p, e);
    } else if (q->buf->space != SPACE_PRIVATE || q->buf->width == 1 || q->lane) {
        printer_as(p, e, q->lane ? 1 : q->width, P_TOP);
    } else {
        printer_as(p, e, q->width, P_TOP);
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

static bool is_streamed(const Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    return s->stream && q->buf->scalar != SC_BOOL && q->width != 3 && !printer_keeps_half(p, q->buf) &&
           nat_divides(p->b->n, nat_const(p->b->n, q->width), q->at, p->b->facts);
}

/* The type in front of the first store to an element that waits for it. */
static void print_declared(Printer *p, const Place *q)
{
    bool *undeclared = p->undeclared[q->buf->id];
    int64_t at = undeclared ? printer_own(p, q) : -1;
    if (at < 0 || !undeclared[at]) return;
    undeclared[at] = false;
    printer_type(p, q->buf->scalar, q->buf->width);
    buf_putc(p->out, ' ');
}

static void store(Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    printer_use(p, q->buf, true);
    line(p);
    if (printer_keeps_half(p, q->buf) || q->buf->image_of || (q->buf->space != SPACE_PRIVATE && q->width > 1)) {
        p->d->store(p, s, is_streamed(p, s));
        buf_puts(p->out, ";\n");
        return;
    }
    print_declared(p, q);
    printer_place(p, q);
    bool wraps = printer_may_wrap(p, s->value);
    const Expr *step = in_place_operand(s, wraps);
    buf_puts(p->out, !step ? " = " : s->value->op == PRIM_ADD ? " += " : s->value->op == PRIM_SUB ? " -= " : " *= ");
    if (step) printer_lanewise(p, s->value->op, s->value->scalar, s->value->width);
    if (step && wraps) printer_unsigned(p, step, P_TOP);
    else if (step) printer_as(p, step, s->value->width, P_TOP);
    else printer_stored(p, s->value, q);
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
        if (printer_own(p, &s->place) != i) return false;
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
        if (s->kind != S_STORE || s->place.buf != buf || s->place.lane || reads_buffer(s->value, buf)) return false;
        int64_t at = printer_own(p, &s->place);
        if (at < 0 || !undeclared[at]) return false;
        undeclared[at] = false;
        left--;
    }
    for (int64_t i = 0; i < buf->own_count; i++) undeclared[i] = true;
    p->undeclared[buf->id] = left ? NULL : undeclared;
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
    if (buf->rank && buf->split) return print_elements(p, s);
    line(p);
    printer_type(p, buf->scalar, buf->width);
    buf_printf(p->out, " %s", buf->name);
    if (buf->rank) buf_printf(p->out, "[%lld]", (long long)buf->own_count);
    buf_puts(p->out, ";\n");
    return s;
}

static void print_for(Printer *p, const Stmt *s)
{
    const char *v = s->var->term_count ? s->var->terms[0].factors[0].atom->name : "i";
    line(p);
    printer_put(p->out, (const char *[]){"for (", printer_index_type(p->b), " ", v, " = ", NULL});
    printer_nat(p, s->from, P_TOP);
    printer_put(p->out, (const char *[]){"; ", v, " < ", NULL});
    printer_nat(p, s->limit, P_SHIFT);
    printer_put(p->out, (const char *[]){"; ", v, NULL});
    if (s->step->is_const && s->step->value == 1) {
        buf_puts(p->out, "++");
    } else {
        buf_puts(p->out, " += ");
        printer_nat(p, s->step, P_TOP);
    }
    buf_puts(p->out, ") {\n");
    p->indent++;
    printer_block(p, &s->body);
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
        printer_expr(p, s->value, P_AND);
        buf_puts(p->out, " && ");
        both = true;
    }
    printer_expr(p, s->value, swap ? P_UNARY : both ? P_AND : P_TOP);
    buf_puts(p->out, ") {\n");
    p->indent++;
    printer_block(p, swap ? &s->other : &s->body);
    p->indent--;
    if (!swap && s->other.first) {
        line(p);
        buf_puts(p->out, "} else {\n");
        p->indent++;
        printer_block(p, &s->other);
        p->indent--;
    }
    line(p);
    buf_puts(p->out, "}\n");
}

static void print_barrier(Printer *p, const Stmt *s)
{
    line(p);
    p->d->barrier(p, s);
    buf_puts(p->out, ";\n");
}

static void print_line(Printer *p, const char *const *texts)
{
    line(p);
    printer_put(p->out, texts);
}

/* Rounds of compare and exchange, until the scalar is what the new value was made of, or has that value. */
static void print_exchange(Printer *p, const Stmt *s)
{
    const Atomic *a = s->atomic;
    const Place *q = &s->place;
    Scalar scalar = q->buf->scalar;
    bool wide = scalar_bytes(scalar) == 8;
    const char *word = wide ? p->d->scalars[SC_U64] : p->d->scalars[SC_U32];
    print_line(p, (const char *[]){word, " ", a->held, ", ", a->next, ", ", a->seen, " = ", p->d->atomic(PRIM_COUNT, scalar), "(", NULL});
    p->d->word(p, q);
    buf_puts(p->out, ", 0, 0);\n");
    print_line(p, (const char *[]){"do {\n", NULL});
    p->indent++;
    print_line(p, (const char *[]){a->held, " = ", a->seen, ";\n", NULL});
    print_line(p, (const char *[]){a->old->name, " = ", NULL});
    p->d->bits(p, scalar, true);
    printer_put(p->out, (const char *[]){a->held, ");\n", NULL});
    printer_block(p, &s->body);
    print_line(p, (const char *[]){a->next, " = ", NULL});
    p->d->bits(p, scalar, false);
    printer_stored(p, s->value, q);
    buf_puts(p->out, ");\n");
    print_line(p, (const char *[]){a->seen, " = ", a->next, " == ", a->held, " ? ", a->held, " : ", p->d->atomic(PRIM_COUNT, scalar), "(", NULL});
    p->d->word(p, q);
    printer_put(p->out, (const char *[]){", ", a->held, ", ", a->next, ");\n", NULL});
    p->indent--;
    print_line(p, (const char *[]){"} while (", a->seen, " != ", a->held, ");\n", NULL});
}

static void print_atomic(Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    printer_use(p, q->buf, true);
    printer_use(p, q->buf, false);
    if (s->atomic->op == PRIM_COUNT) {
        print_exchange(p, s);
        return;
    }
    size_t start = p->out->len;
    print_line(p, (const char *[]){p->d->atomic(s->atomic->op, q->buf->scalar), "(&", NULL});
    printer_place(p, q);
    buf_puts(p->out, ", ");
    printer_stored(p, s->value, q);
    buf_puts(p->out, ");\n");
    wrap(p, start);
}

static void mark_origin(Printer *p, const struct Path *at)
{
    OriginMark mark = {p->out->len, at};
    if (p->b->options->origins) vec_push(&p->origins, mark);
}

void printer_block(Printer *p, const Block *blk)
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
        case S_ATOMIC: print_atomic(p, s); break;
        }
    }
    p->within = around;
    mark_origin(p, NULL);
}

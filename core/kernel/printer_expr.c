/* printer_expr: expressions: literals, loads, operators, vectors and masks. */
#include "printer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    for (int digits = 1; !digit && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        double back = strtod(text, NULL);
        if (s == SC_F64 ? back == v : (float)back == (float)v) break;
    }
    if (s == SC_F16) buf_puts(out, p->d->half[0]);
    if (digit) buf_int(out, (int)v);
    else buf_puts(out, text);
    if (digit || !strpbrk(text, ".e")) buf_puts(out, ".0");
    if (s == SC_F32) buf_putc(out, 'f');
    if (s == SC_F16) buf_puts(out, p->d->half[1]);
}

static void print_int(Printer *p, int64_t v, Scalar s)
{
    Buf *out = p->out;
    bool wide = scalar_bytes(s) == 8, least = s >= SC_I32 && scalar_is_signed(s) && v == scalar_least(s);
    if (least) buf_printf(out, "(-%lld%s - 1)", (long long)-(v + 1), wide ? p->d->long_suffix : "");
    else scalar_print(s, v, out);
    if (s == SC_U32 || s == SC_U64) buf_putc(out, 'u');
    if (wide && !least) buf_puts(out, p->d->long_suffix);
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
        print_int(p, e->lit.i, e->scalar);
    }
    if (brackets) buf_putc(p->out, ')');
}

/* ---- loads ---- */

static const char *mask_word(const Printer *p, int bits)
{
    return p->d->scalars[bits == 64 ? SC_I64 : bits == 32 ? SC_I32 : bits == 16 ? SC_I16 : SC_I8];
}

static void vector_head(Printer *p, Scalar s, int width) { p->d->vector(p, printer_element(p, s, width), width); }

static void print_load(Printer *p, const Expr *e, int prec)
{
    const Place *q = &e->place;
    printer_use(p, q->buf, false);
    if (q->buf->space == SPACE_PRIVATE || (q->width == 1 && !printer_keeps_half(p, q->buf) && !q->buf->image_of)) {
        printer_place(p, q);
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

static bool is_compare(PrimId id) { return id >= PRIM_EQ && id <= PRIM_GE; }

/* Masks are vectors of int wherever they are kept or combined. A comparison gives one with lanes as wide as what it compares, and that is
 * what a choice between such lanes takes: in between none is converted. */
static int compared_bits(const Printer *p, const Expr *e)
{
    if (e->kind != X_OP || !is_compare(e->op) || e->args[0]->scalar == SC_BOOL) return 32;
    return 8 * scalar_bytes(printer_value(p, e->args[0]->scalar));
}

static void print_both(Printer *p, const Expr *e, int prec, Op op);

void printer_as(Printer *p, const Expr *e, int width, int prec)
{
    if (e->width == width || width == 1) {
        printer_expr(p, e, prec);
        return;
    }
    vector_head(p, e->scalar, width);
    if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
    printer_expr(p, e, e->scalar == SC_BOOL ? P_UNARY : P_TOP);
    buf_putc(p->out, ')');
}

/* Is what C makes of it an int, though its type is narrower? Its value is the same, but functions are chosen by type, and no vector
 * takes a scalar that is wider than its lanes. */
static bool is_promoted(Printer *p, const Expr *e)
{
    if (e->width > 1 || !scalar_is_narrow(e->scalar)) return false;
    if (e->kind == X_OP) return !prim_is_cast(e->op) && !printer_may_wrap(p, e);
    return e->kind == X_LIT || (e->kind == X_NAT && e->nat->is_const);
}

/* As an operand whose type matters. */
static void print_typed(Printer *p, const Expr *e, int prec)
{
    bool promoted = is_promoted(p, e), brackets = promoted && prec > P_UNARY;
    if (brackets) buf_putc(p->out, '(');
    if (promoted) buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
    printer_expr(p, e, promoted ? P_UNARY : prec);
    if (brackets) buf_putc(p->out, ')');
}

void printer_argument(Printer *p, const Expr *e, int width)
{
    if (e->width == width) print_typed(p, e, P_TOP);
    else printer_as(p, e, width, P_TOP);
}

/* A mask with lanes of that many bits. */
void printer_mask(Printer *p, const Expr *e, int width, int bits, int prec)
{
    int from = e->width > 1 ? compared_bits(p, e) : bits;
    if (e->width == 1) {
        p->d->vector(p, mask_word(p, bits), width);
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
    else if (a->width == 1 && e->width > 1 && (is_compare(e->op) || shift)) printer_as(p, a, e->width, prec);
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

static void print_arguments(Printer *p, const Expr *e, int width)
{
    buf_putc(p->out, '(');
    for (int i = 0; i < e->arg_count; i++) {
        if (i) buf_puts(p->out, ", ");
        printer_argument(p, e->args[i], width);
    }
    buf_putc(p->out, ')');
}

const char *printer_function(const Dialect *d, Arena *arena, PrimId op, Scalar s)
{
    const char *own = d->function_name(op, s), *name = prim(op)->function;
    if (own || !name || !*name) return own;
    return *d->single && s != SC_F64 ? arena_printf(arena, "%s%s", name, d->single) : name;
}

static void print_name(Printer *p, const Expr *e)
{
    buf_puts(p->out, printer_function(p->d, p->b->arena, e->op, e->scalar));
    printer_lanewise(p, e->op, e->scalar, e->width);
}

/* ---- integers: they wrap, where C leaves it open what a signed sum does that is too large, and computes with narrow ones as ints ---- */

typedef __int128 Wide;
typedef struct Range { Wide lo, hi; } Range;

static Range of_type(Scalar s)
{
    return (Range){scalar_least(s), s == SC_U64 ? (Wide)UINT64_MAX : scalar_most(s)};
}

static Range hull(Range a, Range b) { return (Range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi}; }

/* All sums, differences or products of a value in a and one in b. False: some are too large. */
static bool combine(PrimId op, Range a, Range b, Range *out)
{
    Wide x[4];
    bool big = false;
    if (op == PRIM_ADD) {
        big = __builtin_add_overflow(a.lo, b.lo, &out->lo) | __builtin_add_overflow(a.hi, b.hi, &out->hi);
    } else if (op == PRIM_SUB) {
        big = __builtin_sub_overflow(a.lo, b.hi, &out->lo) | __builtin_sub_overflow(a.hi, b.lo, &out->hi);
    } else {
        for (int i = 0; i < 4; i++) big |= __builtin_mul_overflow(i & 1 ? a.hi : a.lo, i & 2 ? b.hi : b.lo, &x[i]);
        if (!big) *out = hull(hull((Range){x[0], x[0]}, (Range){x[1], x[1]}), hull((Range){x[2], x[2]}, (Range){x[3], x[3]}));
    }
    return !big;
}

static Range range_of(Printer *p, const Expr *e);

/* The exact value of + - * and negation lies in *out. False: it may be out of the type's range. */
static bool exact_range(Printer *p, const Expr *e, Range *out)
{
    Range whole = of_type(e->scalar), a = range_of(p, e->args[0]);
    bool negation = e->op == PRIM_NEG;
    bool fits = negation ? combine(PRIM_SUB, (Range){0, 0}, a, out) : combine(e->op, a, range_of(p, e->args[1]), out);
    return fits && out->lo >= whole.lo && out->hi <= whole.hi;
}

static bool is_ring_op(PrimId op) { return op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_NEG; }

/* Bounds of an integer expression, both included. */
static Range range_of(Printer *p, const Expr *e)
{
    Range all = of_type(e->scalar), a, b, r = all;
    int64_t end;
    if (e->kind == X_LIT && e->scalar == SC_U64) return (Range){(uint64_t)e->lit.i, (uint64_t)e->lit.i};
    if (e->kind == X_LIT) return (Range){e->lit.i, e->lit.i};
    if (e->kind == X_NAT) {
        if (nat_lower(p->b->n, e->nat, &end)) r.lo = end;
        else if (nat_is_nonneg(p->b->n, e->nat)) r.lo = 0;
        if (nat_upper(p->b->n, e->nat, &end)) r.hi = end;
        return r.lo < all.lo || r.hi > all.hi ? all : r;
    }
    if (e->kind == X_VEC) {
        r = range_of(p, e->args[0]);
        for (int i = 1; i < e->arg_count; i++) r = hull(r, range_of(p, e->args[i]));
        return r;
    }
    if (e->kind != X_OP || scalar_is_float(e->args[0]->scalar) || e->op == PRIM_VDOT) return all;
    if (is_ring_op(e->op)) return exact_range(p, e, &r) ? r : all;
    if (e->op == PRIM_SELECT || e->op == PRIM_IF) return hull(range_of(p, e->args[1]), range_of(p, e->args[2]));
    if (e->arg_count > 2) return all;
    a = range_of(p, e->args[0]);
    b = e->arg_count > 1 ? range_of(p, e->args[1]) : all;
    Wide to_zero_lo = a.lo < 0 ? a.lo : 0, to_zero_hi = a.hi > 0 ? a.hi : 0;
    switch (e->op) {
    case PRIM_MIN: return (Range){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    case PRIM_MAX: return (Range){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    case PRIM_MOD: return b.lo > 0 ? (Range){0, b.hi - 1} : all;
    case PRIM_REM: return b.lo > 0 ? (Range){a.lo < 0 ? 1 - b.hi : 0, a.hi > 0 ? b.hi - 1 : 0} : all;
    case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_QUOT: return b.lo > 0 ? (Range){to_zero_lo, to_zero_hi} : all;
    case PRIM_SHR: return (Range){to_zero_lo, to_zero_hi};
    case PRIM_ABS: return a.lo == all.lo && a.lo < 0 ? all : (Range){0, -to_zero_lo > a.hi ? -to_zero_lo : a.hi};
    case PRIM_BAND: return a.lo < 0 && b.lo < 0 ? all : (Range){0, a.lo < 0 ? b.hi : b.lo < 0 || a.hi < b.hi ? a.hi : b.hi};
    default: return !prim_is_cast(e->op) || a.lo < all.lo || a.hi > all.hi ? all : a;
    }
}

/* Is it computed as an unsigned number where it may leave its type? C does so with unsigned ones, but for those that it takes as ints. */
static bool is_wrapping_ring(const Expr *e)
{
    bool narrow = e->width == 1 && scalar_is_narrow(e->scalar);
    return e->kind == X_OP && is_ring_op(e->op) && (scalar_is_signed(e->scalar) || narrow);
}

bool printer_may_wrap(Printer *p, const Expr *e)
{
    Range r;
    return is_wrapping_ring(e) && !exact_range(p, e, &r);
}

/* with: the other side of the operator is unsigned already, as C then makes this one. */
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

void printer_unsigned(Printer *p, const Expr *e, int prec) { print_unsigned(p, e, e->width, prec, false); }

static void print_wrapping(Printer *p, const Expr *e, int prec)
{
    bool brackets = e->width == 1 && prec > P_UNARY;
    if (e->width > 1) p->d->reinterpret(p, p->d->scalars[e->scalar], e->width);
    else buf_printf(p->out, "%s(%s)(", brackets ? "(" : "", p->d->scalars[e->scalar]);
    printer_unsigned(p, e, P_TOP);
    buf_puts(p->out, brackets ? "))" : ")");
}

/* Only the smallest number by -1 has no quotient; the language wraps, and a CPU stops there. */
static void print_division(Printer *p, const Expr *e, int prec)
{
    bool floors = e->op == PRIM_DIV || e->op == PRIM_FLOOR_DIV || e->op == PRIM_MOD;
    bool rest = e->op == PRIM_MOD || e->op == PRIM_REM, plain = !scalar_is_signed(e->scalar);
    if (!plain) {
        Range a = range_of(p, e->args[0]), b = range_of(p, e->args[1]);
        bool wraps = b.lo <= -1 && b.hi >= -1 && a.lo == of_type(e->scalar).lo;
        plain = !wraps && (!floors || (a.lo >= 0 && b.lo >= 0));
    }
    if (plain) {
        print_infix(p, e, prec, infix(e->op));
    } else if (e->width > 1) {
        /* One lane at a time: operations that have no vector form. */
        vector_head(p, e->scalar, e->width);
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
        p->b->helpers |= 1u << which;
        if (brackets) buf_putc(p->out, '(');
        if (narrow) buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
        buf_puts(p->out, plan_helpers[which]);
        print_arguments(p, e, 1);
        if (brackets) buf_putc(p->out, ')');
    }
}

void printer_unrounded(Printer *p, const Expr *e)
{
    const Expr *a = e->args[0];
    Expr single = *e;
    single.scalar = SC_F32;
    single.op = PRIM_TO_F32;
    printer_expr(p, scalar_is_float(a->scalar) ? a : &single, P_TOP);
}

static void print_cast(Printer *p, const Expr *e, int prec)
{
    const Expr *a = e->args[0];
    if (e->scalar == SC_F16 && p->half_stored) {
        /* To a half that is stored later, or not at all: a float that one holds. */
        Scalar from = e->args[0]->scalar == SC_F64 ? SC_F64 : SC_F32;
        p->b->halves[from == SC_F64] |= 1u << e->width;
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
        buf_puts(p->out, a->scalar == SC_BOOL ? "abs(" : "");                /* of 0 or -1 */
        if (a->scalar == SC_BOOL) printer_lanewise(p, PRIM_ABS, SC_I32, e->width);
        printer_expr(p, a, P_TOP);
        buf_puts(p->out, a->scalar == SC_BOOL ? "))" : ")");
        return;
    }
    if (prec > P_UNARY) buf_putc(p->out, '(');
    buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
    printer_expr(p, a, P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

/* Integers by lane: as a call, for Clang makes sums with the mask's bits of `? :`, which are wrong in Oclgrind. */
static void print_select(Printer *p, const Expr *e)
{
    buf_puts(p->out, "select(");
    printer_argument(p, e->args[2], e->width);
    buf_puts(p->out, ", ");
    printer_argument(p, e->args[1], e->width);
    buf_puts(p->out, ", ");
    printer_mask(p, e->args[0], e->width, e->scalar == SC_BOOL ? 32 : 8 * scalar_bytes(printer_value(p, e->scalar)), P_TOP);
    buf_putc(p->out, ')');
}

static void print_choice(Printer *p, const Expr *e, int prec)
{
    const Expr *cond = e->args[0];
    if (cond->width > 1 && !scalar_is_float(e->scalar)) {
        print_select(p, e);
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

static void print_named(Printer *p, const Expr *e, int prec)
{
    (void)prec;
    print_name(p, e);
    print_arguments(p, e, e->width);
}

static void print_abs(Printer *p, const Expr *e, int prec)
{
    if (scalar_is_float(e->scalar)) {
        print_named(p, e, P_TOP);
    } else if (scalar_is_unsigned(e->scalar)) {
        printer_expr(p, e->args[0], prec);
    } else if (range_of(p, e->args[0]).lo == of_type(e->scalar).lo) {      /* abs() of the smallest is not what it should be on PoCL */
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
            const Expr *xy[2] = {expr_lane(p->b, e->args[0], i), expr_lane(p->b, e->args[1], i)};
            const Expr *both[2] = {sum, expr_op(p->b, PRIM_MUL, e->scalar, xy, 2)};
            sum = sum ? expr_op(p->b, PRIM_ADD, e->scalar, both, 2) : both[1];
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
    Range by = range_of(p, e->args[1]);
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

static void print_operator(Printer *p, const Expr *e, int prec) { print_infix(p, e, prec, infix(e->op)); }
static void print_minus(Printer *p, const Expr *e, int prec) { print_prefix(p, "-", e, prec); }
static void print_not(Printer *p, const Expr *e, int prec) { print_prefix(p, "!", e, prec); }

/* How each operator is written; text and strength are those of infix ones. An operator without a row does not compile. */
#define INFIX(TEXT, PREC) {" " TEXT " ", PREC, print_operator}
#define DIVIDES(TEXT) {" " TEXT " ", P_PRODUCT, print_division}
#define NAMED {NULL, P_ATOM, print_named}
#define CAST {NULL, P_UNARY, print_cast}
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
    op_TAN = NAMED, op_TANH = NAMED, op_POW = NAMED, op_FLOOR = NAMED, op_CEIL = NAMED, op_ROUND = NAMED, op_FMA = NAMED, op_SIGN = NAMED,
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

static void print_op(Printer *p, const Expr *e, int prec)
{
    if (p->d->operation && p->d->operation(p, e, prec)) return;
    if (printer_may_wrap(p, e)) print_wrapping(p, e, prec);
    else ops[e->op]->print(p, e, prec);
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
    vector_head(p, e->scalar, e->width);
    for (int i = 0; i < (splat ? 1 : e->arg_count); i++) {
        if (i) buf_puts(p->out, ", ");
        if (e->scalar == SC_BOOL) buf_putc(p->out, '-');
        printer_expr(p, e->args[i], e->scalar == SC_BOOL ? P_UNARY : P_CHOICE);
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
        printer_nat(p, e->nat, prec);
    } else {
        if (prec > P_UNARY) buf_putc(p->out, '(');
        buf_printf(p->out, "(%s)", p->d->scalars[e->scalar]);
        printer_nat(p, e->nat, P_ATOM);
        if (prec > P_UNARY) buf_putc(p->out, ')');
    }
}

void printer_expr(Printer *p, const Expr *e, int prec)
{
    switch (e->kind) {
    case X_LIT: print_literal(p, e, prec); return;
    case X_NAT: print_index_value(p, e, prec); return;
    case X_LOAD: print_load(p, e, prec); return;
    case X_VEC: print_vector(p, e); return;
    case X_OP: print_op(p, e, prec); return;
    case X_LANE:
        if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
        printer_expr(p, e->args[0], P_ATOM);
        if (p->d->lanes_in_array) buf_printf(p->out, ".s[%d]", e->lane & 15);
        else buf_puts(p->out, ".s"), buf_putc(p->out, "0123456789abcdef"[e->lane & 15]);
        return;
    case X_VALUE:
        for (int i = 0; i < p->b->value_count; i++)
            if (strcmp(p->b->values[i].name, e->name) == 0) p->values[i] = true;
        if (e->scalar == SC_F16 && p->half_stored) buf_printf(p->out, "vload_half(0, (const half *)&%s)", e->name);
        else buf_puts(p->out, e->name);
        return;
    }
}

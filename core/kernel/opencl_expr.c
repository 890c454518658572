#include "opencl_private.h"

#include <string.h>

/* ---- loads ---- */

static void print_new_load(Printer *p, const Expr *e, int prec)
{
    const Place *q = &e->place;
    opencl_use(p, q->buf, false);
    if (q->buf->space == SPACE_PRIVATE || q->width == 1) {
        opencl_place(p, q);
        return;
    }
    bool mask = q->buf->scalar == SC_BOOL;
    if (mask) buf_printf(p->out, "%sconvert_int%d(", prec > P_EQ ? "(" : "", q->width);
    buf_puts(p->out, "vload");
    buf_int(p->out, q->width);
    buf_putc(p->out, '(');
    opencl_base(p, q);
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

void opencl_as(Printer *p, const Expr *e, int width, int prec)
{
    if (e->width == width || width == 1) {
        opencl_expr(p, e, prec);
        return;
    }
    opencl_vector_head(p, e->scalar, width);
    if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
    opencl_expr(p, e, e->scalar == SC_BOOL ? P_UNARY : P_TOP);
    buf_putc(p->out, ')');
}

/* A mask with lanes of that many bits. */
void opencl_mask(Printer *p, const Expr *e, int width, int bits, int prec)
{
    if (e->width == 1) {
        buf_printf(p->out, "(%s%d)(-", bits == 64 ? "long" : bits == 16 ? "short" : "int", width);
        opencl_expr(p, e, P_UNARY);
        buf_putc(p->out, ')');
    } else if (mask_bits(e) == bits) {
        opencl_expr(p, e, prec);
    } else {
        buf_printf(p->out, "convert_%s%d(", bits == 64 ? "long" : bits == 16 ? "short" : "int", width);
        opencl_expr(p, e, P_TOP);
        buf_putc(p->out, ')');
    }
}

static void print_operand(Printer *p, const Expr *a, const Expr *e, int prec)
{
    if (a->scalar == SC_BOOL && e->width > 1) opencl_mask(p, a, e->width, 32, prec);
    else if (a->width == 1 && e->width > 1 && is_compare(e->op)) opencl_as(p, a, e->width, prec);
    else opencl_expr(p, a, prec);
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
        opencl_as(p, e->args[i], width, P_TOP);
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
    opencl_vector_head(p, e->scalar, e->width);
    for (int i = 0; i < e->width; i++) {
        const Expr *args[ARG_MAX];
        Expr lane = *e;
        lane.width = 1;
        lane.args = args;
        for (int k = 0; k < e->arg_count; k++) lane.args[k] = expr_lane(p->b, e->args[k], i);
        if (i) buf_puts(p->out, ", ");
        opencl_expr(p, &lane, P_TOP);
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
        buf_puts(p->out, a->scalar == SC_BOOL ? "abs(" : "");                /* of 0 or -1 */
        opencl_expr(p, a, P_TOP);
        buf_puts(p->out, a->scalar == SC_BOOL ? "))" : ")");
        return;
    }
    if (prec > P_UNARY) buf_putc(p->out, '(');
    buf_printf(p->out, "(%s)", opencl_scalar(e->scalar));
    opencl_expr(p, a, P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

/* Integers by lane: as a call, for Clang makes sums with the mask's bits of `? :`, which are wrong in Oclgrind. */
static void print_select(Printer *p, const Expr *e)
{
    buf_puts(p->out, "select(");
    opencl_as(p, e->args[2], e->width, P_TOP);
    buf_puts(p->out, ", ");
    opencl_as(p, e->args[1], e->width, P_TOP);
    buf_puts(p->out, ", ");
    opencl_mask(p, e->args[0], e->width, e->scalar == SC_BOOL ? 32 : scalar_bytes(e->scalar) * 8, P_TOP);
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
        opencl_mask(p, cond, e->width, scalar_bytes(e->scalar) * 8, P_CHOICE + 1);
    } else {
        opencl_expr(p, cond, P_CHOICE + 1);
    }
    buf_puts(p->out, " ? ");
    opencl_as(p, e->args[1], e->width, P_CHOICE + 1);
    buf_puts(p->out, " : ");
    opencl_as(p, e->args[2], e->width, P_CHOICE);
    if (prec > P_CHOICE) buf_putc(p->out, ')');
}

static void print_abs(Printer *p, const Expr *e, int prec)
{
    if (scalar_is_float(e->scalar)) {
        print_call(p, "fabs", e, e->width);
    } else if (e->scalar == SC_U32) {
        opencl_expr(p, e->args[0], prec);
    } else {
        if (e->width > 1) buf_printf(p->out, "convert_%s(", opencl_type(p->b->arena, e->scalar, e->width));
        else buf_printf(p->out, "%s(%s)", prec > P_UNARY ? "(" : "", opencl_scalar(e->scalar));
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
    if (e->scalar == SC_BOOL && e->width > 1) opencl_mask(p, a, e->width, 32, P_UNARY);
    else opencl_expr(p, a, clash ? P_ATOM : P_UNARY);
    if (prec > P_UNARY) buf_putc(p->out, ')');
}

static void print_vdot(Printer *p, const Expr *e, int prec)
{
    if (prec > P_SUM) buf_putc(p->out, '(');
    for (int i = 0; i < e->args[0]->width; i++) {
        const Expr *x = expr_lane(p->b, e->args[0], i), *y = expr_lane(p->b, e->args[1], i);
        if (i) buf_puts(p->out, " + ");
        opencl_expr(p, x, P_PRODUCT);
        buf_puts(p->out, " * ");
        opencl_expr(p, y, P_PRODUCT + 1);
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
    opencl_vector_head(p, e->scalar, e->width);
    for (int i = 0; i < (splat ? 1 : e->arg_count); i++) {
        if (i) buf_puts(p->out, ", ");
        if (e->scalar == SC_BOOL) buf_putc(p->out, '-');
        opencl_expr(p, e->args[i], e->scalar == SC_BOOL ? P_UNARY : P_CHOICE);
    }
    buf_putc(p->out, ')');
}

static void print_index_value(Printer *p, const Expr *e, int prec)
{
    if (e->nat->is_const) {
        Expr lit = {.kind = X_LIT, .scalar = e->scalar, .width = 1};
        if (scalar_is_float(e->scalar)) lit.lit.f = (double)e->nat->value;
        else lit.lit.i = e->nat->value;
        opencl_literal(p, &lit, prec);
    } else if (e->scalar == SC_I32 && !p->b->long_index) {
        opencl_nat(p, e->nat, prec);
    } else {
        if (prec > P_UNARY) buf_putc(p->out, '(');
        buf_printf(p->out, "(%s)", opencl_scalar(e->scalar));
        opencl_nat(p, e->nat, P_ATOM);
        if (prec > P_UNARY) buf_putc(p->out, ')');
    }
}

void opencl_new_expr(Printer *p, const Expr *e, int prec)
{
    switch (e->kind) {
    case X_LIT: opencl_literal(p, e, prec); return;
    case X_NAT: print_index_value(p, e, prec); return;
    case X_LOAD: print_load(p, e, prec); return;
    case X_VEC: print_vector(p, e); return;
    case X_OP: print_op(p, e, prec); return;
    case X_LANE:
        if (e->scalar == SC_BOOL) buf_puts(p->out, "-");
        opencl_expr(p, e->args[0], P_ATOM);
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

/* opencl_type: types and literals as OpenCL C. */
#include "opencl_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void opencl_spaces(Buf *out, size_t n)
{
    static const char spaces[] = "                                                                ";
    for (; n > sizeof spaces - 1; n -= sizeof spaces - 1) buf_write(out, spaces, sizeof spaces - 1);
    buf_write(out, spaces, n);
}

void opencl_put(Buf *out, const char *const *texts)
{
    for (; *texts; texts++) buf_puts(out, *texts);
}

const char *opencl_scalar(Scalar s)
{
    static const char *const words[SC_COUNT] = {[SC_BOOL] = "bool", [SC_I32] = "int", [SC_I64] = "long", [SC_U32] = "uint",
                                                [SC_F16] = "half", [SC_F32] = "float", [SC_F64] = "double"};
    return words[s];
}

const char *opencl_element(Scalar s, int width) { return s == SC_BOOL && width > 1 ? "int" : opencl_scalar(s); }

const char *opencl_type(Arena *a, Scalar s, int width)
{
    const char *w = opencl_element(s, width);
    return width > 1 ? arena_printf(a, "%s%d", w, width) : w;
}

void opencl_print_type(Printer *p, Scalar s, int width)
{
    buf_puts(p->out, opencl_element(s, width));
    if (width > 1) buf_int(p->out, width);
}

void opencl_vector_head(Printer *p, Scalar s, int width)
{
    buf_putc(p->out, '(');
    opencl_print_type(p, s, width);
    buf_puts(p->out, ")(");
}

const char *opencl_memory(Scalar s) { return s == SC_BOOL ? "uchar" : opencl_scalar(s); }

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

void opencl_literal(Printer *p, const Expr *e, int prec)
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

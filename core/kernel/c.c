/* c: the dialect C, for a processor without a device: C11, with the vectors of GCC and Clang. A group is one work-item (plan_shape.c makes loops
 * of its maps), so that no barrier is needed; whoever calls a kernel goes over the groups. */
#include "printer.h"

#include <string.h>

/* ---- what a program defines for its kernels: each text once, in the order in which it was first needed ---- */

static void PRINTF_LIKE(2, 3) define(Printer *p, const char *fmt, ...)
{
    const char *text = FORMATTED(p->b->arena, fmt);
    if (!ANY(i, p->b->needs.definitions.n, !strcmp(p->b->needs.definitions.v[i], text))) vec_push(&p->b->needs.definitions, text);
}

#define WORD(A, id, name, class, key, type, ...) [SC_##id] = #type,
#define WORDS {[SC_BOOL] = "bool", SCALARS_INT(WORD, ) [SC_BF16] = "uint16_t", [SC_F16] = "lathe_half", [SC_F32] = "float", [SC_F64] = "double"}
static const char *const words[SC_COUNT] = WORDS;

/* "int32" of "int32_t" */
static const char *stem(Printer *p, const char *element)
{
    size_t n = strlen(element);
    if (n > 2 && !strcmp(element + n - 2, "_t")) n -= 2;
    return arena_strndup(p->b->arena, element + (*element == '_'), n - (*element == '_'));
}

static int room_of(int width) { return width == 3 ? 4 : width; }         /* lanes; a vector of three has a fourth that nobody reads */

/* "lathe_float_4", and its definition */
static const char *vector_type(Printer *p, const char *element, int width)
{
    const char *name = arena_printf(p->b->arena, "lathe_%s_%d", stem(p, element), width);
    define(p, "typedef %s %s __attribute__((vector_size(%d * sizeof(%s))));\n", element, name, room_of(width), element);
    return name;
}

/* ---- types and vectors ---- */

static void put_type(Printer *p, const char *element, int width) { buf_puts(p->out, width > 1 ? vector_type(p, element, width) : element); }

static void put_vector(Printer *p, const char *element, int width, bool all)
{
    const char *type = vector_type(p, element, width);
    if (all)
        define(p, "static inline %s lathe_all_%s_%d(%s x)\n{\n    %s v;\n    for (int i = 0; i < %d; i++) v[i] = x;\n    return v;\n}\n", type,
               stem(p, element), width, element, type, room_of(width));
    else define(p, "#define lathe_of_%s_%d(...) ((%s){__VA_ARGS__})\n", stem(p, element), width, type);
    buf_printf(p->out, "lathe_%s_%s_%d(", all ? "all" : "of", stem(p, element), width);
}

static void put_convert(Printer *p, const char *element, int width)
{
    const char *type = vector_type(p, element, width);
    define(p, "#define lathe_to_%s_%d(v) __builtin_convertvector(v, %s)\n", stem(p, element), width, type);
    buf_printf(p->out, "lathe_to_%s_%d(", stem(p, element), width);
}

static void put_reinterpret(Printer *p, const char *element, int width) { buf_printf(p->out, "(%s)(", vector_type(p, element, width)); }

static void put_same_bits(Printer *p, const char *element, int width)
{
    const char *type = width > 1 ? vector_type(p, element, width) : element;
    const char *name = arena_printf(p->b->arena, width > 1 ? "lathe_bits_%s_%d" : "lathe_bits_%s", stem(p, element), width);
    define(p, "#define %s(x) (((union { __typeof__(x) from; %s to; }){(x)}).to)\n", name, type);
    buf_printf(p->out, "%s(", name);
}

static void put_load(Printer *p, const Place *q)
{
    const char *element = printer_memory(p->d, q->buf->scalar), *type = vector_type(p, element, q->width);
    define(p, "static inline %s lathe_load_%s_%d(const %s *p)\n{\n    %s v = {0};\n    memcpy(&v, p, %d * sizeof *p);\n    return v;\n}\n", type,
           stem(p, element), q->width, element, type, q->width);
    buf_printf(p->out, "lathe_load_%s_%d(", stem(p, element), q->width);
    printer_address(p, q);
    buf_putc(p->out, ')');
}

static void put_store(Printer *p, const Stmt *s, bool stream)
{
    const Place *q = &s->place;
    const char *element = printer_memory(p->d, q->buf->scalar), *type = vector_type(p, element, q->width);
    (void)stream;
    define(p, "static inline void lathe_store_%s_%d(%s *p, %s v) { memcpy(p, &v, %d * sizeof *p); }\n", stem(p, element), q->width, element, type, q->width);
    buf_printf(p->out, "lathe_store_%s_%d(", stem(p, element), q->width);
    printer_address(p, q);
    buf_puts(p->out, ", ");
    printer_stored(p, s->value, q);
    buf_putc(p->out, ')');
}

/* ---- operations ---- */

static const char *function_name(PrimId op, Scalar s) { return op != PRIM_RSQRT ? NULL : s == SC_F64 ? "lathe_rsqrt" : "lathe_rsqrtf"; }

/* A function of one lane, which is defined where C has none. */
static const char *scalar_call(Printer *p, PrimId op, Scalar s)
{
    const char *type = words[s];
    if (op == PRIM_SHL || op == PRIM_SHR) {              /* the count modulo the width */
        const char *name = arena_printf(p->b->arena, "lathe_%s_%s", op == PRIM_SHL ? "shl" : "shr", stem(p, type));
        if (op == PRIM_SHL)
            define(p, "static inline %s %s(%s a, %s b) { return (%s)((%s)a << (b & %d)); }\n", type, name, type, type, type,
                   printer_word(p->d, s), 8 * scalar_bytes(s) - 1);
        else define(p, "static inline %s %s(%s a, %s b) { return (%s)(a >> (b & %d)); }\n", type, name, type, type, type,
            8 * scalar_bytes(s) - 1);
        return name;
    }
    if (op == PRIM_SIGN) {
        const char *name = arena_printf(p->b->arena, "lathe_sign_%s", stem(p, type));
        define(p, "static inline %s %s(%s x) { return x > 0 ? 1 : x < 0 ? -1 : x; }\n", type, name, type);
        return name;
    }
    if (op == PRIM_POPCOUNT || op == PRIM_CLZ) {
        const char *what = op == PRIM_CLZ ? "clz" : "popcount", *name = arena_printf(p->b->arena, "lathe_%s_%s", what, stem(p, type));
        int bits = 8 * scalar_bytes(s);
        const char *zero = op == PRIM_CLZ ? arena_printf(p->b->arena, "!x ? %d : ", bits) : "";
        define(p, "static inline %s %s(%s x) { return (%s)(%s__builtin_%sll((uint64_t)x << %d)); }\n", type, name, type, type, zero, what, 64 - bits);
        return name;
    }
    const char *name = printer_function(p->d, p->b->arena, op, s);
    for (int i = 0; i < COUNT(roundings); i++)
        if (roundings[i].op == op)
            define(p, "static inline float %s(float x)\n{\n    uint32_t u;\n    memcpy(&u, &x, sizeof u);\n"
                      "    u = isnan(x) ? (u & %s) | 0x400000u : (u + %s) & %s;\n    memcpy(&x, &u, sizeof x);\n    return x;\n}\n",
                   name, roundings[i].mask, roundings[i].up, roundings[i].mask);
    if (op == PRIM_RSQRT && s == SC_F64) define(p, "static inline double lathe_rsqrt(double x) { return 1 / sqrt(x); }\n");
    else if (op == PRIM_RSQRT) define(p, "static inline float lathe_rsqrtf(float x) { return 1 / sqrtf(x); }\n");
    return name;
}

static const char *call(Printer *p, PrimId op, Scalar s, int width)
{
    static const char *const parameters[] = {NULL, "%1$s a", "%1$s a, %1$s b", "%1$s a, %1$s b, %1$s c"};
    static const char *const lanes[] = {NULL, "a[i]", "a[i], b[i]", "a[i], b[i], c[i]"};
    const char *one = scalar_call(p, op, s);
    if (width == 1) return one;
    const char *element = words[s == SC_BOOL ? SC_I32 : s], *type = vector_type(p, element, width);
    bool ours = !strncmp(one, "lathe_", 6);
    const char *name = arena_printf(p->b->arena, "lathe_%s_%s_%d", ours ? one + strlen("lathe_") : one, stem(p, element), width);
    int n = prim_arg_count(p->b->c, op);
    LOCAL(buf_free) Buf text = {0};
    buf_printf(&text, parameters[n], type);
    define(p, "static inline %s %s(%s)\n{\n    for (int i = 0; i < %d; i++) a[i] = (%s)%s(%s);\n    return a;\n}\n", type, name,
           buf_text(&text), width, element, one, lanes[n]);
    return name;
}

/* The words that C joins conditions with take no vectors, nor does `? :`. */
static bool put_operation(Printer *p, const Expr *e, int prec)
{
    if (e->op == PRIM_SHL || e->op == PRIM_SHR) {
        buf_puts(p->out, call(p, e->op, e->scalar, e->width));
        printer_arguments(p, e, e->width);
        return true;
    }
    if (e->width > 1 && (e->op == PRIM_AND || e->op == PRIM_OR || e->op == PRIM_NOT)) {
        bool no = e->op == PRIM_NOT, brackets = prec > (no ? P_UNARY : P_CHOICE);
        if (brackets) buf_putc(p->out, '(');
        if (no) buf_putc(p->out, '~');
        printer_mask(p, e->args[0], e->width, 32, no ? P_UNARY : P_SHIFT);
        if (!no) {
            buf_puts(p->out, e->op == PRIM_AND ? " & " : " | ");
            printer_mask(p, e->args[1], e->width, 32, P_SHIFT);
        }
        if (brackets) buf_putc(p->out, ')');
        return true;
    }
    if (!prim_chooses(e->op) || e->args[0]->width == 1) return false;
    const char *element = words[e->scalar == SC_BOOL ? SC_I32 : e->scalar], *type = vector_type(p, element, e->width);
    int bits = e->scalar == SC_BOOL ? 32 : 8 * scalar_bytes(e->scalar);
    const char *mask = vector_type(p, words[bits == 64 ? SC_I64 : bits == 32 ? SC_I32 : bits == 16 ? SC_I16 : SC_I8], e->width);
    define(p, "static inline %s lathe_select_%s_%d(%s m, %s a, %s b) { return (%s)((m & (%s)a) | (~m & (%s)b)); }\n", type,
           stem(p, element), e->width, mask, type, type, type, mask, mask);
    buf_printf(p->out, "lathe_select_%s_%d((%s)(", stem(p, element), e->width, mask);
    printer_mask(p, e->args[0], e->width, bits, P_TOP);
    buf_putc(p->out, ')');
    printer_sides(p, e);
    return true;
}

/* ---- numbers that several groups update ---- */

/* A function of the name of each; what they do is defined by put_helpers, which looks for the names. */
static const char *atomic(PrimId op, Scalar s, Space space)
{
    (void)space;
    return op != PRIM_COUNT ? NULL : scalar_bytes(s) == 8 ? "lathe_exchange_64" : scalar_bytes(s) == 4 ? "lathe_exchange_32" : NULL;
}

static void put_bits(Printer *p, Scalar s, bool back)
{
    const char *word = printer_word(p->d, s), *type = words[s];
    const char *from = back ? word : type, *to = back ? type : word;
    if (!scalar_is_float(s)) {
        buf_printf(p->out, "(%s)(", to);
        return;
    }
    define(p, "static inline %s lathe_%s_of_%s(%s x)\n{\n    %s v;\n    memcpy(&v, &x, sizeof v);\n    return v;\n}\n", to,
        stem(p, to), stem(p, from), from, to);
    buf_printf(p->out, "lathe_%s_of_%s(", stem(p, to), stem(p, from));
}

static void put_word(Printer *p, const Place *q)
{
    buf_putc(p->out, '&');
    printer_place(p, q);
}

/* ---- kernels ---- */

static bool many_groups(const Printer *p, int d) { return !p->k->global[d]->is_const || p->k->global[d]->value > 1; }

/* The number of the group stands first among the parameters, where there are several. */
static void put_kernel(Printer *p, const char *name)
{
    const char *index = words[p->b->long_index ? SC_I64 : SC_I32];
    buf_printf(p->out, "static inline void %s(", name);
    for (int d = 0; d < 3; d++)
        if (many_groups(p, d)) buf_printf(p->out, "%s %s, ", index, kernel_ids[p->k->ids_used[ID_GLOBAL][d] ? ID_GLOBAL : ID_GROUP][d]);
}

static void put_locals(Printer *p, PlanKernel *k)
{
    (void)k;
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        if (!buf->storage)
            buf_printf(p->out, "    _Alignas(64) %s %s[%lld];\n", printer_memory(p->d, buf->scalar), buf->name,
                (long long)buf->count->value);
    }
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        if (buf->storage) buf_printf(p->out, "    %s *%s = %s;\n", printer_memory(p->d, buf->scalar), buf->name, buf->storage->name);
    }
    for (int d = 0; d < 3; d++)
        if (many_groups(p, d) && !p->k->ids_used[ID_GLOBAL][d] && !p->k->ids_used[ID_GROUP][d])
            buf_printf(p->out, "    (void)%s;\n", kernel_ids[ID_GROUP][d]);
}

static void put_id(Printer *p, IdKind kind, int dim)
{
    (void)kind, (void)dim;
    buf_putc(p->out, '0');               /* a group's only work-item; those of groups are parameters */
}

static void put_barrier(Printer *p, const Stmt *s) { (void)p, (void)s; }

/* ---- the program ---- */

static void put_head(Build *b, Buf *out)
{
    buf_puts(out, "#include <math.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n");
    /* What is bracketed, and what is signed, is as in other dialects; functions of vectors are all inlined. */
    buf_puts(out, "\n#pragma GCC diagnostic ignored \"-Wparentheses\"\n#pragma GCC diagnostic ignored \"-Wsign-compare\"\n");
    if (b->needs.definitions.n) buf_puts(out, "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wpsabi\"\n#endif\n");
    if (b->needs.uses_f16) buf_puts(out, "\n__extension__ typedef _Float16 lathe_half;\n");
}

static void put_helpers(Build *b, const Plan *plan, Buf *out)
{
    static const struct { const char *use, *text; } by_name[] = {
        {"min(", "#define min(a, b) ((b) < (a) ? (b) : (a))\n"},
        {"max(", "#define max(a, b) ((a) < (b) ? (b) : (a))\n"},
        {"clamp(", "#define clamp(x, a, b) ((x) < (a) ? (a) : (b) < (x) ? (b) : (x))\n"},
        {"lathe_exchange_32(", "/* What is there; it becomes `to` if it is `from`. */\nstatic inline uint32_t lathe_exchange_32(void *p, uint32_t from, uint32_t to)\n{\n"
         "    atomic_compare_exchange_strong((_Atomic uint32_t *)p, &from, to);\n    return from;\n}\n"},
        {"lathe_exchange_64(", "/* What is there; it becomes `to` if it is `from`. */\nstatic inline uint64_t lathe_exchange_64(void *p, uint64_t from, uint64_t to)\n{\n"
         "    atomic_compare_exchange_strong((_Atomic uint64_t *)p, &from, to);\n    return from;\n}\n"},
    };
    for (int i = 0; i < COUNT(by_name); i++)
        if (ANY(k, plan->kernel_count, strstr(plan->kernels[k].body, by_name[i].use) != NULL)) buf_printf(out, "%s\n", by_name[i].text);
    for (int i = 0; i < b->needs.definitions.n; i++) buf_printf(out, "%s\n", b->needs.definitions.v[i]);
}

const Dialect dialect_c = {
    .name = "c", .title = "C", .max_group = 1, .max_local = {1, 1, 1},
    .scalars = WORDS, .long_suffix = "LL", .half = {"(lathe_half)", ""},
        .special = {[SC_F16] = "(lathe_half)", [SC_F32] = "", [SC_F64] = "(double)"},
    .function = "static inline ", .single = "f", .global = "", .image = "", .restricted = "restrict ", .lanes = {"[", "]"},
        .ids_given = true,
    .type = put_type, .vector = put_vector, .convert = put_convert, .reinterpret = put_reinterpret, .same_bits = put_same_bits,
    .load = put_load, .store = put_store,
    .function_name = function_name, .call = call, .operation = put_operation, .atomic = atomic, .bits = put_bits, .word = put_word,
    .kernel = put_kernel, .locals = put_locals, .id = put_id, .barrier = put_barrier, .head = put_head, .helpers = put_helpers,
};
